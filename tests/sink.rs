//! Sinks in memory: what fits, what does not, and what a borrow in between must not change.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use core::convert::Infallible;

use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::{CountingSink, Producer, Sink, SinkExt, SliceSink, write_from};

const RECORD: [u8; 20] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19];

fn full<T>(written: usize, needed: usize, available: usize) -> Result<T, WriteError<Infallible>> {
    Err(WriteError::new(written, WriteErrorKind::Full { needed, available }))
}

/// core-04: exact-fit and one-short slices.
#[test]
fn slice_refuses_whole_or_fits_exactly() {
    for fill in [0xee, 0xa5] {
        for len in [0, 19] {
            let mut buffer = [fill; 21];
            let mut sink = SliceSink::new(&mut buffer[..len]);
            assert_eq!(sink.write(&RECORD), full(0, 20, len));
            assert_eq!(sink.record::<20>().map(|_| ()), full(0, 20, len));
            assert_eq!(sink.records::<20>(1).map(|_| ()), full(0, 20, len));
            assert_eq!((sink.written(), sink.remaining()), (0, len));
            assert_eq!(buffer, [fill; 21]);
        }
        let mut buffer = [fill; 21];
        let mut sink = SliceSink::new(&mut buffer[..20]);
        assert_eq!(sink.write(&RECORD), Ok(()));
        assert_eq!(sink.remaining(), 0);
        assert_eq!(sink.write(&[]), Ok(()));
        assert_eq!(sink.reserve(0), Ok(Some(&mut [][..])));
        assert_eq!(sink.write(&[1]), full(20, 1, 0));
        assert_eq!(sink.into_written(), RECORD);
        assert_eq!(buffer[20], fill);

        let mut buffer = [fill; 21];
        let mut sink = SliceSink::new(&mut buffer);
        assert_eq!(sink.write(&RECORD), Ok(()));
        assert_eq!(sink.remaining(), 1);
        assert_eq!(buffer[..20], RECORD);
        assert_eq!(buffer[20], fill);
    }
}

#[test]
fn refused_write_leaves_room_for_a_smaller_one() {
    let mut buffer = [0xa5; 8];
    let mut sink = SliceSink::new(&mut buffer);
    sink.write(b"abcd").unwrap();
    assert_eq!(sink.write(b"efghi"), full(4, 5, 4));
    sink.write(b"efgh").unwrap();
    assert_eq!(sink.into_written(), b"abcdefgh");
}

#[test]
fn empty_slice_takes_an_empty_write() {
    let mut sink = SliceSink::new(&mut []);
    assert_eq!(sink.write(&[]), Ok(()));
    assert_eq!(sink.reserve(0), Ok(Some(&mut [][..])));
    assert_eq!(sink.into_written(), &[]);
}

/// Writes a record in place, and fails where the sink does not lend.
fn fill<S: Sink<Error = Infallible> + ?Sized>(sink: &mut S, byte: u8) {
    *sink.record::<4>().unwrap().unwrap() = [byte; 4];
    for record in sink.records::<2>(2).unwrap().unwrap() {
        *record = [byte, !byte];
    }
    sink.reserve(1).unwrap().unwrap()[0] = byte;
    sink.write(&[0]).unwrap();
}

fn filled(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().flat_map(|&b| [b, b, b, b, b, !b, b, !b, b, 0]).collect()
}

#[test]
fn every_borrow_still_writes_in_place() {
    let mut buffer = [0xa5; 50];
    let mut sink = SliceSink::new(&mut buffer);
    fill(&mut sink, 1);
    fill(&mut &mut sink, 2);
    fill(&mut &mut &mut sink, 3);
    {
        let erased: &mut dyn Sink<Error = Infallible> = &mut sink;
        fill(erased, 4);
    }
    {
        let mut erased: &mut dyn Sink<Error = Infallible> = &mut sink;
        fill(&mut erased, 5);
    }
    assert_eq!(sink.into_written(), filled(&[1, 2, 3, 4, 5]));
}

#[test]
fn heapless_vec_writes_in_place_and_refuses_whole() {
    let mut vec = heapless::Vec::<u8, 21>::new();
    fill(&mut vec, 7);
    fill(&mut &mut vec as &mut dyn Sink<Error = Infallible>, 8);
    assert_eq!(vec[..], filled(&[7, 8]));
    assert_eq!(vec.write(&[1, 2]), full(20, 2, 1));
    assert_eq!(vec.reserve(2), full(20, 2, 1));
    assert_eq!(vec.records::<2>(usize::MAX).map(|_| ()), full(20, usize::MAX, 1));
    assert_eq!(vec.len(), 20);
    vec.write(&[9]).unwrap();
    vec.write(&[]).unwrap();
    assert_eq!(vec.len(), 21);

    // A length type that is smaller than usize.
    let mut vec = heapless::Vec::<u8, 10, u8>::new();
    fill(&mut vec, 7);
    assert_eq!(vec[..], filled(&[7]));
    assert_eq!(vec.write(&[1]), full(10, 1, 0));
}

#[test]
fn heapless_vec_lends_zeroed_bytes() {
    let mut vec = heapless::Vec::<u8, 4>::new();
    vec.write(&[0xa5; 4]).unwrap();
    vec.clear();
    assert_eq!(vec.reserve(4), Ok(Some(&mut [0; 4][..])));
}

#[test]
fn too_many_records_are_full_and_do_not_wrap() {
    let mut buffer = [0xa5; 32];
    let mut sink = SliceSink::new(&mut buffer);
    sink.write(&[0]).unwrap();
    // 2^(bits-4) records of 16 bytes would wrap to no bytes at all.
    let n = 1 << (usize::BITS - 4);
    assert_eq!(sink.records::<16>(n).map(|_| ()), full(1, usize::MAX, 31));
    assert_eq!(sink.records::<16>(usize::MAX).map(|_| ()), full(1, usize::MAX, 31));
    assert_eq!(sink.reserve(usize::MAX), full(1, usize::MAX, 31));
    assert_eq!(sink.records::<16>(0).unwrap().unwrap().len(), 0);
    assert_eq!(sink.written(), 1);
}

#[test]
fn counting_sink_counts_and_never_wraps() {
    let mut sink = CountingSink::new();
    assert_eq!(sink.reserve(4), Ok(None));
    assert_eq!(sink.record::<4>(), Ok(None));
    assert_eq!(sink.records::<4>(usize::MAX), Ok(None));
    assert_eq!(sink.written(), 0);
    sink.write(&RECORD).unwrap();
    (&mut sink as &mut dyn Sink<Error = Infallible>).write(&RECORD).unwrap();
    assert_eq!(sink.written(), 40);

    let mut sink = CountingSink::starting_at(usize::MAX - 20);
    sink.write(&RECORD).unwrap();
    sink.write(&[]).unwrap();
    assert_eq!(sink.write(&[0]), full(usize::MAX, 1, 0));
    assert_eq!(sink.written(), usize::MAX);
}

/// Counts up in records of `LEN` equal bytes.
struct Records<const LEN: usize> {
    next: u8,
    end: u8,
}

#[derive(Debug, PartialEq)]
struct ScratchTooSmall;

impl<const LEN: usize> Producer for Records<LEN> {
    type Error = ScratchTooSmall;

    fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, ScratchTooSmall> {
        let mut len = 0;
        for record in scratch.as_chunks_mut::<LEN>().0 {
            if self.next == self.end {
                break;
            }
            record.fill(self.next);
            self.next += 1;
            len += LEN;
        }
        if len == 0 && self.next < self.end { Err(ScratchTooSmall) } else { Ok(len) }
    }
}

#[test]
fn producer_fills_every_sink_alike() {
    let whole: Vec<u8> = (0..10).flat_map(|b| [b; 3]).collect();
    for scratch_len in 3..40 {
        let scratch = &mut [0xee; 40][..scratch_len];
        let mut buffer = [0xa5; 30];
        let mut slice = SliceSink::new(&mut buffer);
        let mut vec = heapless::Vec::<u8, 30>::new();
        let mut count = CountingSink::new();
        let records = || Records::<3> { next: 0, end: 10 };
        assert_eq!(write_from(&mut slice, records(), scratch), Ok(30));
        assert_eq!(write_from(&mut vec, &mut records(), scratch), Ok(30));
        let erased: &mut dyn Sink<Error = Infallible> = &mut count;
        let producer: &mut dyn Producer<Error = ScratchTooSmall> = &mut records();
        assert_eq!(write_from(erased, producer, scratch), Ok(30));
        assert_eq!(slice.into_written(), whole);
        assert_eq!(vec[..], whole);
        assert_eq!(count.written(), 30);
    }
    // In memory the driver is not needed.
    let mut buffer = [0xa5; 31];
    assert_eq!(Records::<3> { next: 0, end: 10 }.next_chunk(&mut buffer), Ok(30));
    assert_eq!(buffer[..30], whole);
}

#[test]
fn producer_errors_say_how_much_went_out() {
    let mut vec = heapless::Vec::<u8, 7>::new();
    let mut records = Records::<3> { next: 0, end: 10 };
    assert_eq!(
        write_from(&mut vec, &mut records, &mut [0; 2]),
        Err(WriteError::new(0, WriteErrorKind::Encode(ScratchTooSmall)))
    );
    assert_eq!(
        write_from(&mut vec, &mut records, &mut [0; 3]),
        Err(WriteError::new(6, WriteErrorKind::Full { needed: 3, available: 1 }))
    );
    assert_eq!(vec, [0, 0, 0, 1, 1, 1]);
}

#[test]
fn producer_that_claims_too_much_is_an_error() {
    struct Liar(usize);
    impl Producer for Liar {
        type Error = Infallible;
        fn next_chunk(&mut self, scratch: &mut [u8]) -> Result<usize, Infallible> {
            self.0 += 1;
            Ok(if self.0 < 3 { 2 } else { scratch.len() + 1 })
        }
    }
    let mut sink = CountingSink::new();
    assert_eq!(
        write_from(&mut sink, Liar(0), &mut [0; 8]),
        Err(WriteError::new(4, WriteErrorKind::Miscounted { offered: 8, claimed: 9 }))
    );
    assert_eq!(sink.written(), 4);
}
