//! What holds for every writer: what went out is how the whole begins, the error says how much that was,
//! and with the messages that follow nothing is missing and nothing comes twice.

use std::fmt;

use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::embedded_io::StreamSink;
use onewrite::sink::{CountingSink, SCRATCH_LEN, SliceSink};

use super::driver::{Driver, Fault, Memory, Queue, Stop};
use super::writers::{Messages, Out, Unit, Writer};

/// More than any row writes: a vector cannot be made at run time.
const LONGEST: usize = 2048;

/// What a writer writes where nothing fails.
struct Whole {
    bytes: Vec<u8>,
    /// Where each message ends.
    ends: Vec<usize>,
    /// Where each write ends.
    writes: Vec<usize>,
}

impl Whole {
    fn of(writer: &Writer) -> Self {
        let (mut queue, mut ends) = (Memory(Queue::of(usize::MAX)), Vec::new());
        let mut messages = (writer.start)();
        let mut at = 0;
        while let Some(outcome) = messages(&mut queue, at) {
            outcome.unwrap();
            at = queue.0.bytes.len();
            ends.push(at);
        }
        let Queue { bytes, ends: writes, poisoned, .. } = queue.0;
        assert!(
            !poisoned && (1..LONGEST).contains(&bytes.len()),
            "{}: {}",
            writer.name,
            bytes.len()
        );
        Self { bytes, ends, writes }
    }

    /// Where the message of that number begins.
    fn start(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.ends[before])
    }
}

/// Where writing into memory of `room` bytes came to an end.
struct Stopped {
    /// Messages that are whole.
    index: usize,
    /// Bytes that went out, and those of them that do so again.
    written: usize,
    /// Where the messages that follow begin.
    resumes: usize,
}

/// Fills memory of `room` bytes, which had `base` bytes before. What does not fit is refused with what it
/// takes and what there is.
fn fill<S>(
    writer: &Writer,
    whole: &Whole,
    messages: &mut Messages,
    sink: &mut S,
    [base, room]: [usize; 2],
    lends: bool,
) -> Stopped
where
    S: onewrite::sink::Sink<Error = Fault>,
{
    let what = format!("{} in {room} bytes", writer.name);
    let (mut index, mut at) = (0, 0);
    loop {
        match messages(sink, base + at) {
            None => {
                assert_eq!((index, at), (whole.ends.len(), whole.bytes.len()), "{what}");
                assert!(room >= at, "{what}");
                return Stopped { index, written: at, resumes: at };
            }
            Some(Ok(())) => {
                at = whole.ends[index];
                index += 1;
            }
            Some(Err(WriteError { written, kind })) => {
                let written = written - base;
                let WriteErrorKind::Full { needed, available } = kind else {
                    panic!("{what}: {kind:?}");
                };
                assert_eq!(available, room - written, "{what}");
                assert!(written >= at && needed > available, "{what}: {needed} at {written}");
                let write = whole.writes.iter().find(|end| **end > written).unwrap();
                let expected = match writer.unit {
                    // All of it is asked for at once.
                    Unit::Message | Unit::Records(_) if lends => {
                        assert_eq!(written, at, "{what}");
                        whole.ends[index]
                    }
                    _ => *write,
                };
                assert_eq!(written + needed, expected, "{what}");
                let resumes = match writer.unit {
                    Unit::Message | Unit::Produced => at,
                    Unit::Records(len) => written - (written - at) % len,
                };
                return Stopped { index, written, resumes };
            }
        }
    }
}

/// What was refused, and all that follows on it, into a queue that has room.
fn finish(writer: &Writer, whole: &Whole, mut messages: Messages, stopped: &Stopped) {
    let what = format!("{}, refused at {}", writer.name, stopped.written);
    let mut queue = Memory(Queue::of(usize::MAX));
    let (mut index, mut at) = (stopped.index, 0);
    while let Some(outcome) = messages(&mut queue, at) {
        assert_eq!(outcome, Ok(()), "{what}");
        at = queue.0.bytes.len();
        index += 1;
    }
    assert_eq!(index, whole.ends.len(), "{what}");
    assert_eq!(queue.0.bytes, whole.bytes[stopped.resumes..], "{what}");
}

pub(crate) fn slices(writer: &Writer) {
    let whole = Whole::of(writer);
    for room in 0..=whole.bytes.len() + 1 {
        let mut buffer = vec![0xa5; room];
        let mut messages = (writer.start)();
        let mut sink = Memory(SliceSink::new(&mut buffer));
        let stopped = fill(writer, &whole, &mut messages, &mut sink, [0, room], true);
        assert_eq!(sink.0.written(), stopped.written);
        is_only(&buffer, &whole, stopped.written, writer);
        finish(writer, &whole, messages, &stopped);
    }
}

/// Whether `buffer` has how the whole begins, and is untouched behind that.
fn is_only(buffer: &[u8], whole: &Whole, written: usize, writer: &Writer) {
    let (front, behind) = buffer.split_at(written);
    assert_eq!(front, &whole.bytes[..written], "{}", writer.name);
    assert!(behind.iter().all(|byte| *byte == 0xa5), "{}: behind {written}", writer.name);
}

pub(crate) fn vectors(writer: &Writer) {
    let whole = Whole::of(writer);
    let mut sink = Memory(heapless::Vec::<u8, LONGEST>::new());
    sink.0.extend_from_slice(&[0xa5; LONGEST]).unwrap();
    for room in 0..=whole.bytes.len() + 1 {
        let base = LONGEST - room;
        sink.0.truncate(base);
        let mut messages = (writer.start)();
        let stopped = fill(writer, &whole, &mut messages, &mut sink, [base, room], true);
        assert_eq!(sink.0[base..], whole.bytes[..stopped.written], "{}", writer.name);
        finish(writer, &whole, messages, &stopped);
    }
}

pub(crate) fn queues(writer: &Writer) {
    let whole = Whole::of(writer);
    for room in 0..=whole.bytes.len() + 1 {
        let what = format!("{} in {room} bytes", writer.name);
        let mut messages = (writer.start)();
        let mut sink = Memory(Queue::of(room));
        let stopped = fill(writer, &whole, &mut messages, &mut sink, [0, room], false);
        let Queue { bytes, poisoned, .. } = sink.0;
        assert_eq!(bytes, whole.bytes[..stopped.written], "{what}");
        let has_begun = stopped.written > whole.start(stopped.index);
        let is_cut = stopped.index < whole.ends.len();
        // Each write of records is a message of its own.
        let expected = match writer.unit {
            Unit::Message => is_cut && has_begun,
            Unit::Records(_) => false,
            Unit::Produced => is_cut,
        };
        assert_eq!(poisoned, expected, "{what}");
        finish(writer, &whole, messages, &stopped);

        let base = usize::MAX - room;
        let mut sink = Memory(CountingSink::starting_at(base));
        let counted = fill(writer, &whole, &mut (writer.start)(), &mut sink, [base, room], false);
        assert_eq!(counted.written, stopped.written, "{what}");
        assert_eq!(sink.0.written(), base + stopped.written, "{what}");
    }
}

/// What went on where something is not as it should be.
struct Run {
    name: &'static str,
    until: usize,
    stop: Stop,
    at_once: usize,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, until, stop, at_once } = self;
        write!(f, "{name}: {stop:?} at {until}, {at_once} at once")
    }
}

/// The driver fails twice at one byte. A writer that stands between two messages tries again; else the
/// stream refuses to go on, and the receiver throws away what it has of the message.
pub(crate) fn failing_drivers(writer: &Writer) {
    let whole = Whole::of(writer);
    for until in 0..whole.bytes.len() {
        // How it fails is the stream's matter, and tested with it.
        let others = [(Stop::Breaks, 7), (Stop::Stalls, usize::MAX), (Stop::Claims, usize::MAX)];
        for (stop, at_once) in [(Stop::Breaks, usize::MAX), others[until % others.len()]] {
            let what = Run { name: writer.name, until, stop, at_once };
            let mut sink = StreamSink::new(Driver::failing(until, stop, 2, at_once));
            let mut messages = (writer.start)();
            // What the receiver has of streams before this one.
            let mut kept = Vec::new();
            let (mut index, mut failures) = (0, 0);
            loop {
                let at = sink.written();
                let Some(outcome) = messages(&mut sink, at) else { break };
                let written = sink.written();
                let total = kept.len() + written;
                assert_eq!(sink.writer_mut().taken, whole.bytes[kept.len()..total], "{what}");
                let Err(error) = outcome else {
                    assert_eq!((total, sink.is_poisoned()), (whole.ends[index], false), "{what}");
                    index += 1;
                    continue;
                };
                failures += 1;
                assert!(failures <= 2, "{what}: the driver works again");
                assert_eq!(error.written, written, "{what}");
                is_of_the_driver(error.kind, stop, &what);
                let gone = written - at;
                let expected = match writer.unit {
                    _ if stop == Stop::Claims => true,
                    Unit::Message => gone != 0,
                    Unit::Records(len) => !gone.is_multiple_of(SCRATCH_LEN / len * len),
                    Unit::Produced => true,
                };
                assert_eq!(sink.is_poisoned(), expected, "{what}");
                if !expected {
                    continue;
                }
                // Of records that all went out, nothing is left to be refused.
                if total < whole.ends[index] || writer.unit == Unit::Message {
                    is_refused(&mut sink, &mut messages, &what);
                }
                kept.extend(sink.writer_mut().drain());
                let start = whole.start(index);
                kept.truncate(match writer.unit {
                    Unit::Message | Unit::Produced => start,
                    Unit::Records(len) => total - (total - start) % len,
                });
                sink.reset();
            }
            assert!(failures != 0 && index == whole.ends.len(), "{what}");
            kept.extend(&sink.writer_mut().taken);
            assert_eq!(kept, whole.bytes, "{what}");
        }
    }
}

fn is_of_the_driver(kind: WriteErrorKind<Fault>, stop: Stop, what: &Run) {
    match (stop, kind) {
        (Stop::Breaks, WriteErrorKind::Sink(Fault(7)))
        | (Stop::Stalls, WriteErrorKind::Stalled) => {}
        (Stop::Claims, WriteErrorKind::Miscounted { offered, claimed }) => {
            assert_eq!(claimed, offered + 1, "{what}");
        }
        _ => panic!("{what}: {kind:?}"),
    }
}

/// Whether a stream that stopped inside a message refuses all that could come behind it.
fn is_refused(sink: &mut StreamSink<Driver>, messages: &mut Messages, what: &Run) {
    let (at, calls) = (sink.written(), sink.writer_mut().calls);
    let refused = messages(sink as &mut Out<'_>, at).unwrap();
    assert_eq!(refused, Err(WriteError::new(at, WriteErrorKind::Poisoned)), "{what}");
    assert_eq!(sink.writer_mut().calls, calls, "{what}: the driver is left alone");
}

pub(crate) fn short_writes(writer: &Writer) {
    let whole = Whole::of(writer);
    for at_once in 1..=whole.bytes.len() {
        let mut sink = StreamSink::new(Driver::taking(at_once));
        let mut messages = (writer.start)();
        loop {
            let at = sink.written();
            let Some(outcome) = messages(&mut sink, at) else { break };
            assert_eq!(outcome, Ok(()), "{}, {at_once} at once", writer.name);
        }
        assert_eq!(sink.into_writer().taken, whole.bytes, "{}, {at_once} at once", writer.name);
    }
}
