//! What is made in chunks: render batches, pages, messages of a WebSocket in fragments.

use std::pin::pin;
use std::task::{Context, Poll, Waker};

use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::page::{Content, Draft, Page, UpdateError};
use onewrite::render_batch::{Batch, BatchProducer, Diff, Edit, Frame, Value};
use onewrite::sink::{self, Producer, embedded_io, embedded_io_async};
use onewrite::string_table::{SlimStringTable, StringTable};
use onewrite::websocket::{Client, Fragments, Kind, Role, Sender, Server};

use super::driver::{Driver, Fault, Stop};
use super::websocket::KEY;
use super::writers::{Messages, Out, Outcome, Unit, Writer, in_turn, of_sink};

pub(crate) const WRITERS: &[Writer] = &[
    produced("a batch", &["sink::producer::write_from"], || twice(whole_batch)),
    produced("a batch, through a slim table, with a short scratch", &[], || twice(slim_batch)),
    produced("a server's fragments", &[], || twice(server_fragments)),
    produced("a client's fragments", &[], || twice(client_fragments)),
    produced("updates of a page", &["page::update::Page::update"], page),
];

/// Takes a producer, and a scratch for it.
type With<'w> = dyn FnMut(&mut dyn Producer<Error = Refused>, &mut [u8]) + 'w;

/// Whatever is made in chunks: each call makes a new producer of it.
type Made = fn(&mut With<'_>);

/// A new producer belongs here; `forgotten` asks for it by its name.
pub(crate) const PRODUCERS: &[(&str, Made)] = &[
    ("render_batch::stream::BatchProducer as Producer", whole_batch),
    ("render_batch::stream::BatchProducer as Producer", slim_batch),
    ("websocket::fragments::FrameProducer as Producer", server_fragments),
    ("websocket::fragments::FrameProducer as Producer", client_fragments),
];

/// Nothing here is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refused;

/// A producer whose errors have lost their names.
struct Plain<P>(P);

impl<P: Producer> Producer for Plain<P> {
    type Error = Refused;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Refused> {
        self.0.next_chunk(scratch).map_err(|_| Refused)
    }
}

const fn produced(
    name: &'static str,
    covers: &'static [&'static str],
    start: fn() -> Messages,
) -> Writer {
    Writer { name, covers, unit: Unit::Produced, start }
}

/// One message twice, each time by a new producer.
fn twice(made: Made) -> Messages {
    let steps: &'static [fn(&mut Made, &mut Out<'_>) -> Outcome] = &[pump, pump];
    in_turn(made, steps)
}

fn pump(made: &mut Made, out: &mut Out<'_>) -> Outcome {
    let mut outcome = None;
    made(&mut |producer, scratch| {
        outcome = Some(of_sink(sink::write_from(out, producer, scratch)));
    });
    outcome.unwrap()
}

const FRAMES: &[Frame<'static>] = &[
    Frame::element("div", 4),
    Frame::attribute("class", Value::Str("a class of its own")),
    Frame::text("a text"),
    Frame::element("div", 1),
    Frame::text(match str::from_utf8(&[b't'; 150]) {
        Ok(long) => long,
        Err(_) => "",
    }),
    Frame::attribute("class", Value::Str("")),
];
const EDITS: &[Edit<'static>] =
    &[Edit::prepend_frame(0, 0), Edit::remove_attribute(0, "class"), Edit::step_in(1)];
pub(crate) const BATCH: Batch<'static> = Batch {
    diffs: &[Diff { component: 7, edits: EDITS }, Diff { component: 8, edits: &[] }],
    frames: FRAMES,
    disposed_components: &[3],
    disposed_events: &[4, 5],
    options: onewrite::render_batch::Options { skip_empty_diffs: false, js_safe: false },
};

fn whole_batch(with: &mut With<'_>) {
    let (mut table, mut strings) = (StringTable::<16>::new(), [0; 16]);
    let batch = BatchProducer::new(&mut table, &mut strings, &BATCH).unwrap();
    with(&mut Plain(batch), &mut [0xa5; sink::SCRATCH_LEN]);
}

fn slim_batch(with: &mut With<'_>) {
    let (mut table, mut strings) = (SlimStringTable::<16>::new(), [0; 16]);
    let batch = BatchProducer::new(&mut table, &mut strings, &BATCH).unwrap();
    with(&mut Plain(batch), &mut [0xa5; 40]);
}

fn server_fragments(with: &mut With<'_>) {
    fragments::<Server>(&mut Sender::new(), (), with);
}

fn client_fragments(with: &mut With<'_>) {
    fragments::<Client>(&mut Sender::new(), KEY, with);
}

/// A batch as the frames of one message.
fn fragments<R: Role>(sender: &mut Sender<R>, key: R::Key, with: &mut With<'_>) {
    whole_batch(&mut |batch, _| {
        let fragments = Fragments::new(Kind::Binary, batch, std::iter::repeat(key));
        with(&mut Plain(fragments.with(sender)), &mut [0xa5; 100]);
    });
}

/// What could not be sent is not shown, and is in the batch that follows.
fn page() -> Messages {
    fn show(content: &mut Content<'_>, count: u32) {
        content.element("h1").text("A page");
        content.element("ul").content(|list| {
            for row in 0..count {
                list.element("li").text(row);
            }
        });
    }
    fn update(
        (page, draft): &mut (Page<64, 256>, Draft<64, 256>),
        out: &mut Out<'_>,
        count: u32,
    ) -> Outcome {
        let sent = page.update(
            draft,
            |content| show(content, count),
            |batch| {
                let (mut table, mut strings) = (StringTable::<16>::new(), [0; 32]);
                let producer = BatchProducer::new(&mut table, &mut strings, batch).unwrap();
                of_sink(sink::write_from(out, producer, &mut [0; 64]))
            },
        );
        match sent {
            Ok(Some(())) => Ok(()),
            Ok(None) => panic!("something has changed"),
            Err(UpdateError::Send(error)) => Err(error),
            Err(UpdateError::Page(error)) => panic!("{error}"),
        }
    }
    in_turn(
        (Page::new(7), Draft::new()),
        &[
            |state, out| update(state, out, 3),
            |state, out| update(state, out, 5),
            |state, out| update(state, out, 1),
        ],
    )
}

pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
    }
}

/// Both stream sinks pump producers by themselves.
#[test]
fn streams_that_pump_producers_fail_at_any_byte() {
    for (name, made) in PRODUCERS {
        let mut whole = Vec::new();
        made(&mut |producer, scratch| {
            let mut sink = embedded_io::StreamSink::new(Driver::taking(usize::MAX));
            sink.write_from(producer, scratch).unwrap();
            whole = sink.into_writer().taken;
        });
        for until in 0..whole.len() {
            for at_once in [usize::MAX, 5] {
                let driver = Driver::failing(until, Stop::Breaks, 1, at_once);
                let mut blocking = embedded_io::StreamSink::new(driver.clone());
                let mut waiting = embedded_io_async::StreamSink::new(driver);
                let gone = Err(WriteError::new(until, WriteErrorKind::Sink(Fault(7))));
                let poisoned = Err(WriteError::new(until, WriteErrorKind::Poisoned));
                // The second producer is refused, and the third one makes all of it.
                for (fresh, expected) in [(false, gone), (false, poisoned), (true, Ok(whole.len()))]
                {
                    if fresh {
                        blocking.writer_mut().drain();
                        waiting.writer_mut().drain();
                        blocking.reset();
                        waiting.reset();
                    }
                    made(&mut |producer, scratch| {
                        let outcome = blocking.write_from(producer, scratch);
                        assert_eq!(outcome, expected, "{name}, {until}");
                    });
                    made(&mut |producer, scratch| {
                        let outcome = block_on(waiting.write_from(producer, scratch));
                        assert_eq!(outcome, expected, "{name}, {until}, async");
                    });
                    let out = if fresh { &whole[..] } else { &whole[..until] };
                    assert_eq!(blocking.writer_mut().taken, out, "{name}, {until}");
                    assert_eq!(waiting.writer_mut().taken, out, "{name}, {until}, async");
                    assert_eq!(blocking.is_poisoned(), !fresh, "{name}, {until}");
                    assert_eq!(waiting.is_poisoned(), !fresh, "{name}, {until}, async");
                }
            }
        }
    }
}

/// What is no producer, into an asynchronous driver.
#[test]
fn asynchronous_writes_fail_at_any_byte() {
    let bytes: Vec<u8> = (0..60).collect();
    for until in 0..bytes.len() {
        for stop in [Stop::Breaks, Stop::Stalls, Stop::Claims] {
            let driver = Driver::failing(until, stop, 2, 7);
            let mut sink = embedded_io_async::StreamSink::new(driver);
            let error = block_on(sink.write(&bytes)).unwrap_err();
            assert_eq!(error.written, sink.written());
            let taken = sink.writer_mut().taken.clone();
            assert_eq!(taken, bytes[..error.written], "{stop:?}");
            assert_eq!(sink.is_poisoned(), !taken.is_empty(), "{stop:?} at {until}");
            if !taken.is_empty() {
                let poisoned = WriteError::new(taken.len(), WriteErrorKind::Poisoned);
                assert_eq!(block_on(sink.write(b"next")), Err(poisoned));
                assert_eq!(sink.writer_mut().taken, taken);
            }
        }
    }
}
