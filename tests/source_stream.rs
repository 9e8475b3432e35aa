//! Both stream sources on the same scripts.
#![cfg(all(feature = "embedded-io-07", feature = "embedded-io-async-07"))]
#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "drivers/fault.rs"]
mod fault;

use std::collections::VecDeque;
use std::future::poll_fn;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use embedded_io::ErrorKind;
use fault::Fault;
use onewrite::error::{ReadError, ReadErrorKind};
use onewrite::source::{SliceSource, Source, SourceExt};
use onewrite::source::{embedded_io as blocking, embedded_io_async as waiting};

/// What a driver does with one call.
#[derive(Clone, Copy, Debug)]
enum Step {
    /// Gives at most this many of the bytes that are left.
    Give(usize),
    /// Gives what it has room for, and claims this many.
    Claim(usize),
    Interrupted,
    Broken(u8),
}
use Step::{Broken, Claim, Give, Interrupted};

/// A driver that follows a script, then repeats its last step for ever.
#[derive(Clone, Debug)]
struct Driver {
    script: VecDeque<Step>,
    for_ever: Step,
    left: Vec<u8>,
    calls: usize,
}

impl Driver {
    fn new(input: &[u8], script: &[Step], for_ever: Step) -> Self {
        let script = script.iter().copied().collect();
        Self { script, for_ever, left: input.to_vec(), calls: 0 }
    }

    fn step(&mut self, room: &mut [u8]) -> Result<usize, Fault> {
        assert!(!room.is_empty(), "a driver is never asked for nothing");
        self.calls += 1;
        match self.script.pop_front().unwrap_or(self.for_ever) {
            Give(n) => {
                let n = n.min(room.len()).min(self.left.len());
                room[..n].copy_from_slice(&self.left[..n]);
                self.left.drain(..n);
                Ok(n)
            }
            Claim(n) => Ok(n),
            Interrupted => Err(Fault(ErrorKind::Interrupted, 0)),
            Broken(code) => Err(Fault(ErrorKind::ConnectionReset, code)),
        }
    }
}

impl embedded_io::ErrorType for Driver {
    type Error = Fault;
}

impl embedded_io::Read for Driver {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, Fault> {
        self.step(room)
    }
}

/// The same driver, which lets its caller wait once before each call.
#[derive(Clone, Debug)]
struct Waiting(Driver);

impl embedded_io::ErrorType for Waiting {
    type Error = Fault;
}

impl embedded_io_async::Read for Waiting {
    async fn read(&mut self, room: &mut [u8]) -> Result<usize, Fault> {
        let mut waited = false;
        poll_fn(
            |_| {
                if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
            },
        )
        .await;
        self.0.step(room)
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

/// Both sources over the same driver; whatever is done to one is done to the other.
struct Pair {
    blocking: blocking::StreamSource<Driver>,
    waiting: waiting::StreamSource<Waiting>,
}

impl Pair {
    fn new(input: &[u8], script: &[Step], for_ever: Step) -> Self {
        let driver = Driver::new(input, script, for_ever);
        Self {
            blocking: blocking::StreamSource::new(driver.clone()),
            waiting: waiting::StreamSource::new(Waiting(driver)),
        }
    }

    fn record<const N: usize>(&mut self) -> Result<Option<[u8; N]>, ReadError<Fault>> {
        let result = self.blocking.record();
        assert_eq!(block_on(self.waiting.record()), result);
        self.agree();
        result
    }

    fn records<const N: usize>(
        &mut self,
        records: &mut [[u8; N]],
    ) -> Result<usize, ReadError<Fault>> {
        let mut twin = records.to_vec();
        let result = self.blocking.records(records);
        assert_eq!(block_on(self.waiting.records(&mut twin)), result);
        assert_eq!(records, twin);
        self.agree();
        result
    }

    fn reset(&mut self, for_ever: Step) {
        self.blocking.reset();
        self.waiting.reset();
        self.blocking.reader_mut().for_ever = for_ever;
        self.waiting.reader_mut().0.for_ever = for_ever;
        assert_eq!((self.blocking.bytes_read(), self.is_poisoned()), (0, false));
        self.agree();
    }

    fn agree(&mut self) {
        let (one, other) = (self.blocking.reader_mut(), &self.waiting.reader_mut().0);
        assert_eq!(one.left, other.left);
        assert_eq!(one.calls, other.calls);
        assert_eq!(self.blocking.bytes_read(), self.waiting.bytes_read());
        assert_eq!(self.blocking.is_poisoned(), self.waiting.is_poisoned());
    }

    fn is_poisoned(&self) -> bool {
        self.blocking.is_poisoned()
    }

    fn calls(&mut self) -> usize {
        self.blocking.reader_mut().calls
    }
}

fn error<T>(read: usize, kind: ReadErrorKind<Fault>) -> Result<T, ReadError<Fault>> {
    Err(ReadError::new(read, kind))
}

fn input(len: u8) -> Vec<u8> {
    (0..len).collect()
}

const ALL: Step = Give(usize::MAX);

fn is_poisoned_until_reset(pair: &mut Pair, read: usize) {
    assert!(pair.is_poisoned());
    let calls = pair.calls();
    assert_eq!(pair.record::<4>(), error(read, ReadErrorKind::Poisoned));
    assert_eq!(pair.records::<4>(&mut []), error(read, ReadErrorKind::Poisoned));
    assert_eq!(pair.calls(), calls, "a poisoned source leaves its driver alone");
    pair.reset(ALL);
    assert!(pair.record::<1>().is_ok());
}

#[test]
fn short_reads_give_the_records_of_a_slice_whatever_the_end() {
    for len in 0..=60 {
        let input = input(len);
        for per_call in [1, 3, 19, 20, 21, 60] {
            let mut pair = Pair::new(&input, &[], Give(per_call));
            let mut slice = SliceSource::new(&input);
            let (mut from_stream, mut from_slice) = ([[0; 20]; 2], [[0; 20]; 2]);
            loop {
                let result = pair.records(&mut from_stream);
                match slice.records(&mut from_slice) {
                    Ok(whole) => {
                        assert_eq!(result, Ok(whole));
                        assert_eq!(from_stream[..whole], from_slice[..whole]);
                        if whole == 0 {
                            break;
                        }
                    }
                    Err(cut) => {
                        // Memory keeps the bytes of the record that is cut short; a stream has
                        // read them.
                        let ReadErrorKind::EndOfInput { got, wanted } = cut.kind else { panic!() };
                        let kind = ReadErrorKind::EndOfInput { got, wanted };
                        assert_eq!(result, error(cut.read + got, kind));
                        is_poisoned_until_reset(&mut pair, usize::from(len));
                        break;
                    }
                }
            }
        }
    }
}

#[test]
fn many_records_are_one_call() {
    let mut pair = Pair::new(&input(60), &[], ALL);
    assert_eq!(pair.records(&mut [[0; 20]; 3]), Ok(3));
    assert_eq!(pair.calls(), 1);
    assert_eq!(pair.records::<20>(&mut []), Ok(0));
    assert_eq!(pair.calls(), 1);
}

#[test]
fn input_may_go_on_after_a_clean_end() {
    let mut pair = Pair::new(&input(8), &[Give(4), Give(0)], ALL);
    assert_eq!(pair.record(), Ok(Some([0, 1, 2, 3])));
    assert_eq!(pair.record::<4>(), Ok(None));
    assert!(!pair.is_poisoned());
    assert_eq!(pair.record(), Ok(Some([4, 5, 6, 7])));
    assert_eq!(pair.record::<4>(), Ok(None));
    assert_eq!(pair.blocking.bytes_read(), 8);
}

#[test]
fn interrupted_once_is_tried_again() {
    let mut pair = Pair::new(&input(4), &[Interrupted, Give(3), Interrupted], ALL);
    assert_eq!(pair.record(), Ok(Some([0, 1, 2, 3])));
    assert_eq!(pair.calls(), 4);
}

#[test]
fn interrupted_for_ever_is_stalled_after_a_thousand() {
    let mut pair = Pair::new(&input(4), &[Give(3)], Interrupted);
    assert_eq!(pair.record::<4>(), error(3, ReadErrorKind::Stalled));
    assert_eq!(pair.calls(), 1 + 1_000);
    is_poisoned_until_reset(&mut pair, 3);

    // A byte in between starts the count anew, and so does a new read.
    let mut script = vec![Interrupted; 999];
    script.push(Give(3));
    script.extend([Interrupted; 999]);
    script.push(Give(1));
    let mut pair = Pair::new(&input(8), &script, Interrupted);
    assert_eq!(pair.record(), Ok(Some([0, 1, 2, 3])));
    assert_eq!(pair.record::<4>(), error(4, ReadErrorKind::Stalled));
    assert_eq!(pair.calls(), 2_000 + 1_000);
}

/// Everything that can stop a driver, at every byte of the second of three records.
#[test]
fn state_is_defined_at_every_byte() {
    let stops = [
        (Broken(9), Some(ReadErrorKind::Source(Fault(ErrorKind::ConnectionReset, 9)))),
        (Interrupted, Some(ReadErrorKind::Stalled)),
        (Give(0), None),
    ];
    for (stop, kind) in stops {
        for at in 0..20 {
            let short = if at == 0 { vec![] } else { vec![Give(at)] };
            let mut pair = Pair::new(&input(60), &[&[ALL], &short[..]].concat(), stop);
            assert!(pair.record::<20>().unwrap().is_some());
            let result = pair.record::<20>();
            let ended = ReadErrorKind::EndOfInput { got: at, wanted: 20 };
            if at == 0 {
                match kind {
                    Some(kind) => assert_eq!(result, error(20, kind)),
                    None => assert_eq!(result, Ok(None)),
                }
                // Between two records nothing is lost: the driver recovers, the read is repeated.
                assert!(!pair.is_poisoned());
                pair.blocking.reader_mut().for_ever = ALL;
                pair.waiting.reader_mut().0.for_ever = ALL;
                assert_eq!(pair.record::<20>().unwrap().unwrap()[..], input(40)[20..]);
                assert_eq!(pair.blocking.bytes_read(), 40);
            } else {
                assert_eq!(result, error(20 + at, kind.unwrap_or(ended)));
                is_poisoned_until_reset(&mut pair, 20 + at);
            }
        }
    }
}

#[test]
fn whole_records_in_front_of_an_error_are_lost_and_poison() {
    let mut pair = Pair::new(&input(60), &[Give(40)], Broken(1));
    let kind = ReadErrorKind::Source(Fault(ErrorKind::ConnectionReset, 1));
    assert_eq!(pair.records(&mut [[0; 20]; 3]), error(40, kind));
    is_poisoned_until_reset(&mut pair, 40);
}

#[test]
fn reset_forgets_a_record_that_was_cut_short() {
    let mut pair = Pair::new(&input(30), &[], ALL);
    assert_eq!(pair.records(&mut [[0; 20]; 2]), Ok(1));
    assert!(pair.is_poisoned());
    pair.reset(ALL);
    assert_eq!(pair.record::<20>(), Ok(None));
}

#[test]
fn driver_that_claims_too_much_is_an_error() {
    for claimed in [5, usize::MAX] {
        let mut pair = Pair::new(&input(4), &[Claim(claimed)], ALL);
        assert_eq!(pair.record::<4>(), error(4, ReadErrorKind::Miscounted { offered: 4, claimed }));
        is_poisoned_until_reset(&mut pair, 4);
        let mut pair = Pair::new(&input(4), &[Give(1), Claim(claimed)], ALL);
        assert_eq!(pair.record::<4>(), error(4, ReadErrorKind::Miscounted { offered: 3, claimed }));
        is_poisoned_until_reset(&mut pair, 4);
    }
}

#[test]
fn dropped_future_poisons_wherever_it_waits() {
    // 20 bytes in steps of 6: four calls, so it completes at the fifth poll.
    for polls in 0..=5 {
        let driver = Waiting(Driver::new(&input(60), &[], Give(6)));
        let mut source = waiting::StreamSource::new(driver);
        assert_eq!(polled(source.record::<20>(), polls).is_some(), polls == 5);
        assert_eq!(source.is_poisoned(), (1..5).contains(&polls), "after {polls} polls");
        let read = (6 * polls.saturating_sub(1)).min(20);
        assert_eq!(source.bytes_read(), read);
        if source.is_poisoned() {
            assert_eq!(block_on(source.record::<4>()), error(read, ReadErrorKind::Poisoned));
            source.reset();
        }
        assert!(block_on(source.record::<4>()).unwrap().is_some());
    }
}

#[test]
fn stream_is_a_source_behind_a_trait_object() {
    let mut source = blocking::StreamSource::new(Driver::new(&input(4), &[], ALL));
    let erased: &mut dyn Source<Error = Fault> = &mut source;
    assert_eq!(erased.record(), Ok(Some([0, 1, 2, 3])));
    assert!(source.into_reader().left.is_empty());
}
