//! Both stream sinks on the same scripts: what a driver does wrong, at every byte.
#![cfg(all(feature = "embedded-io-07", feature = "embedded-io-async-07"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "drivers/fault.rs"]
mod fault;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_io::ErrorKind;
use fault::Fault;
use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::record::WriteRecord as _;
use onewrite::render_batch::EditRecord;
use onewrite::sink::{self, Producer, SCRATCH_LEN, Sink, embedded_io as blocking};
use onewrite::sink::{CountingSink, SliceSink, embedded_io_async};

/// What a driver does with one call.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Takes at most this many of the bytes it is offered.
    Take(usize),
    /// Takes what it is offered, and claims this many.
    Claim(usize),
    Interrupted,
    Broken(u8),
}
use Step::{Broken, Claim, Interrupted, Take};

/// A driver that follows a script, then repeats its last step for ever.
#[derive(Clone, Debug)]
struct Driver {
    script: VecDeque<Step>,
    for_ever: Step,
    /// The lengths that were offered.
    offered: Vec<usize>,
    taken: Vec<u8>,
}

impl Driver {
    fn new(script: &[Step], for_ever: Step) -> Self {
        Self { script: script.iter().copied().collect(), for_ever, offered: vec![], taken: vec![] }
    }

    fn step(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        assert!(!bytes.is_empty(), "a driver is never offered nothing");
        self.offered.push(bytes.len());
        match self.script.pop_front().unwrap_or(self.for_ever) {
            Take(n) => {
                let n = n.min(bytes.len());
                self.taken.extend_from_slice(&bytes[..n]);
                Ok(n)
            }
            Claim(n) => {
                self.taken.extend_from_slice(bytes);
                Ok(n)
            }
            Interrupted => Err(Fault(ErrorKind::Interrupted, 0)),
            Broken(code) => Err(Fault(ErrorKind::BrokenPipe, code)),
        }
    }

    fn flushed(&mut self) -> Result<(), Fault> {
        match self.script.pop_front().unwrap_or(self.for_ever) {
            Take(_) | Claim(_) => Ok(()),
            Interrupted => Err(Fault(ErrorKind::Interrupted, 0)),
            Broken(code) => Err(Fault(ErrorKind::BrokenPipe, code)),
        }
    }
}

impl embedded_io::ErrorType for Driver {
    type Error = Fault;
}

impl embedded_io::Write for Driver {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        self.step(bytes)
    }

    fn flush(&mut self) -> Result<(), Fault> {
        self.flushed()
    }
}

/// The same driver, which lets its caller wait once before each call.
#[derive(Clone, Debug)]
struct Waiting(Driver);

async fn wait_once() {
    let mut waited = false;
    poll_fn(|context| {
        context.waker().wake_by_ref();
        if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

impl embedded_io::ErrorType for Waiting {
    type Error = Fault;
}

impl ::embedded_io_async::Write for Waiting {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        wait_once().await;
        self.0.step(bytes)
    }

    async fn flush(&mut self) -> Result<(), Fault> {
        wait_once().await;
        self.0.flushed()
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    polled(future, usize::MAX).unwrap()
}

/// Polls `future` at most `polls` times, then drops it.
fn polled<F: Future>(future: F, polls: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    for _ in 0..polls {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return Some(output);
        }
    }
    None
}

/// Both sinks over the same driver; whatever is done to one is done to the other.
struct Pair {
    blocking: blocking::StreamSink<Driver>,
    waiting: embedded_io_async::StreamSink<Waiting>,
}

impl Pair {
    fn new(script: &[Step], for_ever: Step) -> Self {
        let driver = Driver::new(script, for_ever);
        Self {
            blocking: blocking::StreamSink::new(driver.clone()),
            waiting: embedded_io_async::StreamSink::new(Waiting(driver)),
        }
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Fault>> {
        let result = self.blocking.write(bytes);
        assert_eq!(block_on(self.waiting.write(bytes)), result);
        self.agree();
        result
    }

    fn write_from(
        &mut self,
        pieces: &[Piece],
        scratch: usize,
    ) -> Result<usize, WriteError<Fault, Refused>> {
        let scratch = &mut vec![0xee; scratch][..];
        let result = self.blocking.write_from(Pieces(pieces), scratch);
        assert_eq!(block_on(self.waiting.write_from(Pieces(pieces), scratch)), result);
        self.agree();
        result
    }

    fn flush(&mut self) -> Result<(), WriteError<Fault>> {
        let result = self.blocking.flush();
        assert_eq!(block_on(self.waiting.flush()), result);
        self.agree();
        result
    }

    fn poison(&mut self) {
        self.blocking.poison();
        self.waiting.poison();
        self.agree();
    }

    fn reset(&mut self) {
        self.blocking.reset();
        self.waiting.reset();
        assert_eq!((self.written(), self.is_poisoned()), (0, false));
        self.agree();
    }

    fn agree(&mut self) {
        let (one, other) = (self.blocking.writer_mut(), &self.waiting.writer_mut().0);
        assert_eq!(one.taken, other.taken);
        assert_eq!(one.offered, other.offered);
        assert_eq!(self.blocking.written(), self.waiting.written());
        assert_eq!(self.blocking.is_poisoned(), self.waiting.is_poisoned());
    }

    fn written(&self) -> usize {
        self.blocking.written()
    }

    fn is_poisoned(&self) -> bool {
        self.blocking.is_poisoned()
    }

    fn taken(&mut self) -> &[u8] {
        &self.blocking.writer_mut().taken
    }

    fn offered(&mut self) -> &[usize] {
        &self.blocking.writer_mut().offered
    }
}

/// One chunk of a message.
#[derive(Clone, Copy)]
enum Piece {
    Bytes(&'static [u8]),
    Refuse,
    Claim(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Refused;

/// A message given chunk by chunk.
struct Pieces<'p>(&'p [Piece]);

impl Producer for Pieces<'_> {
    type Error = Refused;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Refused> {
        match self.0.split_off_first() {
            Some(Piece::Bytes(bytes)) => {
                scratch[..bytes.len()].copy_from_slice(bytes);
                Ok(bytes.len())
            }
            Some(Piece::Refuse) => Err(Refused),
            Some(Piece::Claim(len)) => Ok(*len),
            None => Ok(0),
        }
    }
}

const RECORD: [u8; 20] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];
const ALL: Step = Take(usize::MAX);

fn error<T, P>(written: usize, kind: WriteErrorKind<Fault, P>) -> Result<T, WriteError<Fault, P>> {
    Err(WriteError::new(written, kind))
}

/// Whether the sink refuses until it is reset, and then works again.
fn is_poisoned_until_reset(pair: &mut Pair, written: usize) {
    assert!(pair.is_poisoned());
    let calls = pair.offered().len();
    assert_eq!(pair.write(&RECORD), error(written, WriteErrorKind::Poisoned));
    assert_eq!(pair.write(&[]), error(written, WriteErrorKind::Poisoned));
    assert_eq!(pair.flush(), error(written, WriteErrorKind::Poisoned));
    assert_eq!(pair.write_from(&[Piece::Bytes(b"x")], 8), error(written, WriteErrorKind::Poisoned));
    assert_eq!(pair.offered().len(), calls, "a poisoned sink leaves its driver alone");
    pair.reset();
}

/// core-01: a sink that returns Ok(0) for a non-empty write.
#[test]
fn zero_bytes_taken_is_stalled_and_counts_what_went_out() {
    let mut pair = Pair::new(&[Take(7)], Take(0));
    assert_eq!(pair.write(&RECORD), error(7, WriteErrorKind::Stalled));
    assert_eq!(pair.taken(), &RECORD[..7]);
    assert_eq!(pair.offered(), [20, 13]);
    is_poisoned_until_reset(&mut pair, 7);
}

/// core-02, first script: interrupted once in the middle. The call is made again.
#[test]
fn interrupted_once_is_tried_again() {
    let mut pair = Pair::new(&[Take(5), Interrupted, Take(15)], Broken(1));
    assert_eq!(pair.write(&RECORD), Ok(()));
    assert_eq!(pair.taken(), RECORD);
    assert_eq!(pair.offered(), [20, 15, 15]);
    assert_eq!((pair.written(), pair.is_poisoned()), (20, false));
}

/// core-02, second script: interrupted for ever.
#[test]
fn interrupted_for_ever_is_stalled_after_a_thousand() {
    let mut pair = Pair::new(&[Take(5)], Interrupted);
    assert_eq!(pair.write(&RECORD), error(5, WriteErrorKind::Stalled));
    assert_eq!(pair.taken(), &RECORD[..5]);
    assert_eq!(pair.offered().len(), 1 + 1_000);
    is_poisoned_until_reset(&mut pair, 5);
}

#[test]
fn a_byte_between_interruptions_starts_the_count_anew() {
    let mut script = vec![Interrupted; 999];
    script.push(Take(1));
    script.extend([Interrupted; 999]);
    script.push(ALL);
    let mut pair = Pair::new(&script, Broken(1));
    assert_eq!(pair.write(&RECORD), Ok(()));
    assert_eq!(pair.taken(), RECORD);

    // And so does a new message.
    let mut pair = Pair::new(&script[..999], Interrupted);
    assert_eq!(pair.write(&RECORD), error(0, WriteErrorKind::Stalled));
    assert_eq!(pair.write(&RECORD), error(0, WriteErrorKind::Stalled));
    assert_eq!(pair.offered().len(), 2_000);
}

/// core-03: sinks that take fewer bytes than offered.
#[test]
fn short_writes_lose_nothing_and_repeat_nothing() {
    let records: [[u8; 16]; 3] = [0x10, 0x20, 0x30].map(|first| {
        let mut record = [first; 16];
        for (i, byte) in (0u8..).zip(&mut record) {
            *byte += i;
        }
        record
    });
    for (per_call, calls) in [(1, 48), (3, 18), (15, 6), (16, 3)] {
        let mut pair = Pair::new(&[], Take(per_call));
        for record in &records {
            assert_eq!(pair.write(record), Ok(()));
        }
        assert_eq!(pair.taken(), records.as_flattened());
        assert_eq!(pair.offered().len(), calls);
        assert_eq!((pair.written(), pair.is_poisoned()), (48, false));
    }
}

/// Everything that can stop a driver, at every byte of the second of three records.
#[test]
fn state_is_defined_at_every_byte() {
    let stops = [
        (Broken(9), WriteErrorKind::Sink(Fault(ErrorKind::BrokenPipe, 9))),
        (Take(0), WriteErrorKind::Stalled),
        (Interrupted, WriteErrorKind::Stalled),
    ];
    for (stop, kind) in stops {
        for at in 0..20 {
            let short = if at == 0 { vec![] } else { vec![Take(at)] };
            let mut pair = Pair::new(&[&[ALL], &short[..]].concat(), stop);
            assert_eq!(pair.write(&RECORD), Ok(()));
            assert_eq!(pair.write(&RECORD), error(20 + at, kind));
            assert_eq!(pair.taken(), [&RECORD, &RECORD[..at]].concat());
            assert_eq!(pair.written(), 20 + at);
            if at == 0 {
                // Between two records nothing is lost: the driver recovers, the write is repeated.
                assert!(!pair.is_poisoned());
                pair.blocking.writer_mut().for_ever = ALL;
                pair.waiting.writer_mut().0.for_ever = ALL;
                assert_eq!(pair.write(&RECORD), Ok(()));
                assert_eq!(pair.taken(), [RECORD, RECORD].concat());
                assert_eq!(pair.written(), 40);
            } else {
                is_poisoned_until_reset(&mut pair, 20 + at);
                pair.blocking.writer_mut().for_ever = ALL;
                pair.waiting.writer_mut().0.for_ever = ALL;
                assert_eq!(pair.write(&RECORD), Ok(()));
                assert_eq!(pair.written(), 20);
            }
        }
    }
}

#[test]
fn driver_that_claims_too_much_is_an_error() {
    for claimed in [21, usize::MAX] {
        let mut pair = Pair::new(&[Claim(claimed)], ALL);
        let kind = WriteErrorKind::Miscounted { offered: 20, claimed };
        assert_eq!(pair.write(&RECORD), error(20, kind));
        is_poisoned_until_reset(&mut pair, 20);
        let mut pair = Pair::new(&[Take(4), Claim(claimed)], ALL);
        let kind = WriteErrorKind::Miscounted { offered: 16, claimed };
        assert_eq!(pair.write(&RECORD), error(20, kind));
        is_poisoned_until_reset(&mut pair, 20);
    }
}

#[test]
fn empty_write_does_not_reach_the_driver() {
    let mut pair = Pair::new(&[], Broken(1));
    assert_eq!(pair.write(&[]), Ok(()));
    assert_eq!(pair.write_from(&[], 0), Ok(0));
    assert_eq!(pair.offered(), []);
    assert_eq!((pair.written(), pair.is_poisoned()), (0, false));
}

#[test]
fn stream_lends_no_memory_behind_any_borrow() {
    let mut sink = blocking::StreamSink::new(Driver::new(&[], ALL));
    assert_eq!(sink.reserve(4), Ok(None));
    let erased: &mut dyn Sink<Error = Fault> = &mut sink;
    assert_eq!(erased.reserve(usize::MAX), Ok(None));
    erased.write(&RECORD).unwrap();
    assert_eq!(sink.into_writer().taken, RECORD);
}

const MESSAGE: [Piece; 3] = [Piece::Bytes(b"abcd"), Piece::Bytes(b"ef"), Piece::Bytes(b"ghij")];

#[test]
fn message_is_one_call_a_chunk() {
    let mut pair = Pair::new(&[], ALL);
    assert_eq!(pair.write_from(&MESSAGE, 4), Ok(10));
    assert_eq!(pair.taken(), b"abcdefghij");
    assert_eq!(pair.offered(), [4, 2, 4]);
    assert_eq!(pair.write_from(&MESSAGE, 9), Ok(10));
    assert_eq!(pair.written(), 20);
}

#[test]
fn message_cut_short_poisons_at_every_byte() {
    for at in 0..10 {
        let mut pair = Pair::new(&vec![Take(1); at], Broken(3));
        let kind = WriteErrorKind::Sink(Fault(ErrorKind::BrokenPipe, 3));
        assert_eq!(pair.write_from(&MESSAGE, 4), error(at, kind));
        assert_eq!(pair.taken(), &b"abcdefghij"[..at]);
        // Also at 4 and 6, between two chunks: the message is not whole. And also at 0, where the
        // receiver has nothing: the producer is past its first chunk.
        is_poisoned_until_reset(&mut pair, at);
    }
}

/// A producer that is asked again after its first chunk was refused would go on with its second.
#[test]
fn producer_that_lost_a_chunk_is_not_sent_again() {
    let stops = [
        (Broken(3), WriteErrorKind::Sink(Fault(ErrorKind::BrokenPipe, 3))),
        (Take(0), WriteErrorKind::Stalled),
    ];
    for (stop, kind) in stops {
        let mut sink = blocking::StreamSink::new(Driver::new(&[stop], ALL));
        let mut producer = Pieces(&MESSAGE);
        assert_eq!(sink.write_from(&mut producer, &mut [0; 4]), error(0, kind));
        assert_eq!(sink.write_from(&mut producer, &mut [0; 4]), error(0, WriteErrorKind::Poisoned));
        sink.reset();
        assert_eq!(sink.pump(Pieces(&MESSAGE)), Ok(10));
        assert_eq!(sink.into_writer().taken, b"abcdefghij");

        let driver = Waiting(Driver::new(&[stop], ALL));
        let mut sink = embedded_io_async::StreamSink::new(driver);
        let mut producer = Pieces(&MESSAGE);
        assert_eq!(block_on(sink.pump(&mut producer)), error(0, kind));
        assert_eq!(block_on(sink.pump(&mut producer)), error(0, WriteErrorKind::Poisoned));
        sink.reset();
        assert_eq!(block_on(sink.pump(Pieces(&MESSAGE))), Ok(10));
        assert_eq!(sink.into_writer().0.taken, b"abcdefghij");
    }
}

/// Through `dyn Sink` as well, where nobody sees that a stream stands behind it.
#[test]
fn message_cut_short_behind_a_table_of_functions_poisons() {
    for at in 0..10 {
        let mut sink = blocking::StreamSink::new(Driver::new(&vec![Take(1); at], Broken(3)));
        let kind = WriteErrorKind::Sink(Fault(ErrorKind::BrokenPipe, 3));
        let mut erased: &mut dyn Sink<Error = Fault> = &mut sink;
        let message = &mut Pieces(&MESSAGE) as &mut dyn Producer<Error = Refused>;
        assert_eq!(sink::write_from(&mut erased, message, &mut [0; 4]), error(at, kind));
        assert!(sink.is_poisoned(), "after {at} bytes");
        assert_eq!(sink.write(b"next"), error(at, WriteErrorKind::Poisoned));
    }

    // The producer refuses: harmless as long as it made nothing.
    for (pieces, written, poisoned) in [
        (&[Piece::Refuse][..], 0, false),
        (&[Piece::Bytes(b"abcd"), Piece::Refuse], 4, true),
        (&[Piece::Bytes(b"abcd"), Piece::Bytes(b"e"), Piece::Refuse], 5, true),
    ] {
        let mut sink = blocking::StreamSink::new(Driver::new(&[], ALL));
        let erased: &mut dyn Sink<Error = Fault> = &mut sink;
        let refused = WriteErrorKind::Encode(Refused);
        assert_eq!(sink::write_from(erased, Pieces(pieces), &mut [0; 4]), error(written, refused));
        assert_eq!(sink.is_poisoned(), poisoned);
    }
    let mut sink = blocking::StreamSink::new(Driver::new(&[], ALL));
    let pieces = [Piece::Bytes(b"abcd"), Piece::Claim(5)];
    let claimed = WriteErrorKind::Miscounted { offered: 4, claimed: 5 };
    assert_eq!(sink::write_from(&mut sink, Pieces(&pieces), &mut [0; 4]), error(4, claimed));
    assert!(sink.is_poisoned());
}

/// Fifty records of 16 bytes go out 16 a write. Between two writes the stream goes on, inside one
/// it does not: no matter whether a record ends there.
#[test]
fn records_cut_short_poison_only_inside_a_write() {
    for (at, poisoned) in
        [(0, false), (1, true), (16, true), (255, true), (256, false), (257, true), (512, false)]
    {
        let mut script = vec![Take(256); at / 256];
        script.push(Take(at % 256));
        let mut sink = blocking::StreamSink::new(Driver::new(&script, Broken(3)));
        let kind = if at % 256 == 0 {
            WriteErrorKind::Stalled
        } else {
            WriteErrorKind::Sink(Fault(ErrorKind::BrokenPipe, 3))
        };
        let erased: &mut dyn Sink<Error = Fault> = &mut sink;
        let records = [EditRecord { kind: 6, sibling: 2, index: 0, name: 0 }; 50];
        assert_eq!(erased.write_records(&records), error(at, kind));
        assert_eq!(sink.is_poisoned(), poisoned, "after {at} bytes");
        assert_eq!(sink.writer_mut().taken.len(), at);
    }
}

#[test]
fn poison_refuses_until_reset_and_leaves_memory_alone() {
    let mut pair = Pair::new(&[], ALL);
    assert_eq!(pair.write(&RECORD), Ok(()));
    pair.poison();
    is_poisoned_until_reset(&mut pair, 20);
    assert_eq!(pair.write(&RECORD), Ok(()));

    let mut sink = blocking::StreamSink::new(Driver::new(&[], ALL));
    (&mut &mut sink as &mut dyn Sink<Error = Fault>).poison();
    assert!(sink.is_poisoned());

    let mut buffer = [0; 4];
    let mut slice = SliceSink::new(&mut buffer);
    slice.poison();
    assert_eq!(slice.write(b"abcd"), Ok(()));
    let mut count = CountingSink::new();
    count.poison();
    assert_eq!(count.write(b"abcd"), Ok(()));
}

#[test]
fn protocol_error_poisons_only_after_a_byte() {
    let mut pair = Pair::new(&[], ALL);
    let refused = WriteErrorKind::Encode(Refused);
    assert_eq!(pair.write_from(&[Piece::Refuse], 4), error(0, refused));
    let claimed = WriteErrorKind::Miscounted { offered: 4, claimed: 5 };
    assert_eq!(pair.write_from(&[Piece::Claim(5)], 4), error(0, claimed));
    assert!(!pair.is_poisoned());
    assert_eq!(pair.write(b"ok"), Ok(()));
    assert_eq!(pair.write_from(&[MESSAGE[0], Piece::Refuse], 4), error(6, refused));
    is_poisoned_until_reset(&mut pair, 6);
    assert_eq!(pair.write_from(&[MESSAGE[0], Piece::Claim(5)], 4), error(4, claimed));
    is_poisoned_until_reset(&mut pair, 4);
}

#[test]
fn pump_brings_its_own_scratch() {
    struct Fill(usize);
    impl Producer for Fill {
        type Error = Refused;
        fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Refused> {
            assert_eq!(scratch.len(), SCRATCH_LEN);
            let len = scratch.len().min(self.0);
            scratch[..len].fill(7);
            self.0 -= len;
            Ok(len)
        }
    }
    let mut pair = Pair::new(&[], ALL);
    assert_eq!(pair.blocking.pump(Fill(600)), Ok(600));
    assert_eq!(block_on(pair.waiting.pump(Fill(600))), Ok(600));
    pair.agree();
    assert_eq!(pair.offered(), [256, 256, 88]);
    assert_eq!(pair.taken(), [7; 600]);
}

#[test]
fn flush_retries_interruptions_and_does_not_poison() {
    let mut pair = Pair::new(&[Take(0), Interrupted, Take(0), Broken(5)], Interrupted);
    assert_eq!(pair.flush(), Ok(()));
    assert_eq!(pair.flush(), Ok(()));
    let kind = WriteErrorKind::Sink(Fault(ErrorKind::BrokenPipe, 5));
    assert_eq!(pair.flush(), error(0, kind));
    assert_eq!(pair.flush(), error(0, WriteErrorKind::Stalled));
    assert!(!pair.is_poisoned());
}

/// A future dropped at every await: after each number of polls that does not complete it.
#[test]
fn dropped_future_poisons_wherever_it_waits() {
    let new = || embedded_io_async::StreamSink::new(Waiting(Driver::new(&[], Take(6))));

    // 20 bytes in steps of 6: four calls, so it completes at the fifth poll.
    for polls in 0..=5 {
        let mut sink = new();
        let done = polled(sink.write(&RECORD), polls).is_some();
        assert_eq!(done, polls == 5);
        assert_eq!(sink.is_poisoned(), (1..5).contains(&polls), "after {polls} polls");
        let written = (6 * polls.saturating_sub(1)).min(20);
        assert_eq!(sink.written(), written);
        if sink.is_poisoned() {
            assert_eq!(block_on(sink.write(&[1])), error(written, WriteErrorKind::Poisoned));
            assert_eq!(block_on(sink.flush()), error(written, WriteErrorKind::Poisoned));
            sink.reset();
        }
        assert_eq!(block_on(sink.write(&RECORD)), Ok(()));
    }

    // Three chunks of at most 4 bytes: three calls.
    for polls in 0..=4 {
        let mut sink = new();
        let done = polled(sink.write_from(Pieces(&MESSAGE), &mut [0; 4]), polls).is_some();
        assert_eq!(done, polls == 4);
        assert_eq!(sink.is_poisoned(), (1..4).contains(&polls), "after {polls} polls");
        let mut sink = new();
        let done = polled(sink.pump(Pieces(&MESSAGE)), polls).is_some();
        assert_eq!(done, polls == 4);
        assert_eq!(sink.is_poisoned(), (1..4).contains(&polls), "after {polls} polls");
    }

    // A flush that is dropped while it waits.
    for polls in 0..=2 {
        let mut sink = new();
        assert_eq!(polled(sink.flush(), polls).is_some(), polls == 2);
        assert_eq!(sink.is_poisoned(), polls == 1);
    }
}

#[test]
fn dropped_future_of_a_finished_sink_does_no_harm() {
    let mut sink = embedded_io_async::StreamSink::new(Waiting(Driver::new(&[], ALL)));
    assert_eq!(block_on(sink.write(&RECORD)), Ok(()));
    assert!(polled(sink.write(&RECORD), 0).is_none());
    assert!(!sink.is_poisoned());
    assert_eq!(sink.into_writer().0.taken, RECORD);
}
