//! Sources: whole records, ends between and inside them, and drivers that misbehave.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]

use core::convert::Infallible;

use onewrite::error::{ReadError, ReadErrorKind};
use onewrite::source::{SliceSource, Source, SourceExt};

const INPUT: [u8; 60] = {
    let mut input = [0; 60];
    let mut byte = 0;
    while byte < 60 {
        input[byte as usize] = byte;
        byte += 1;
    }
    input
};

fn cut<T>(read: usize, got: usize, wanted: usize) -> Result<T, ReadError<Infallible>> {
    Err(ReadError::new(read, ReadErrorKind::EndOfInput { got, wanted }))
}

/// core-06: every truncation is "too short", with what is needed and what is there, and nothing is
/// taken.
#[test]
fn truncated_record_stays_in_the_source() {
    for len in 1..20 {
        let mut source = SliceSource::new(&INPUT[..len]);
        assert_eq!(source.record::<20>(), cut(0, len, 20));
        assert_eq!(source.record::<20>(), cut(0, len, 20));
        assert_eq!(source.rest(), &INPUT[..len]);
        assert_eq!(source.position(), 0);
    }
}

#[test]
fn end_between_two_records_is_clean() {
    let mut source = SliceSource::new(&INPUT[..40]);
    assert_eq!(source.record::<20>(), Ok(Some(*INPUT[..20].first_chunk().unwrap())));
    assert_eq!(source.record::<20>(), Ok(Some(*INPUT[20..40].first_chunk().unwrap())));
    assert_eq!(source.record::<20>(), Ok(None));
    assert_eq!(source.record::<20>(), Ok(None));
    assert_eq!(source.position(), 40);
    assert_eq!(SliceSource::new(&[]).record::<1>(), Ok(None));
}

#[test]
fn many_records_come_whole_and_the_cut_one_is_reported_next() {
    for len in 0..=60 {
        let mut source = SliceSource::new(&INPUT[..len]);
        let mut records = [[0xa5; 20]; 3];
        if (1..20).contains(&len) {
            assert_eq!(source.records(&mut records), cut(0, len, 20));
            assert_eq!(records, [[0xa5; 20]; 3]);
            continue;
        }
        let whole = len / 20;
        assert_eq!(source.records(&mut records), Ok(whole));
        assert_eq!(records[..whole].as_flattened(), &INPUT[..whole * 20]);
        assert_eq!(records[whole..], [[0xa5; 20]; 3][whole..]);
        let again = source.records(&mut records);
        if len % 20 == 0 {
            assert_eq!(again, Ok(0));
        } else {
            assert_eq!(again, cut(whole * 20, len % 20, 20));
        }
    }
}

#[test]
fn room_that_is_no_whole_number_of_records_is_one_record() {
    for record_len in [0, 2, 4, 6] {
        let mut room = [0xa5; 5];
        let mut source = SliceSource::new(&INPUT[..8]);
        assert_eq!(source.read(&mut room, record_len), Ok(5));
        assert_eq!(source.read(&mut room, record_len), cut(5, 3, 5));
        assert_eq!(room, [0, 1, 2, 3, 4]);
        assert_eq!(source.read(&mut [], record_len), Ok(0));
    }
}

#[test]
fn every_borrow_reads_the_same_source() {
    fn next<S: Source<Error = Infallible> + ?Sized>(source: &mut S) -> Option<[u8; 2]> {
        source.record().unwrap()
    }
    let mut source = SliceSource::new(&INPUT[..8]);
    assert_eq!(next(&mut source), Some([0, 1]));
    assert_eq!(next(&mut &mut source), Some([2, 3]));
    assert_eq!(next::<dyn Source<Error = Infallible>>(&mut source), Some([4, 5]));
    assert_eq!(next(&mut (&mut source as &mut dyn Source<Error = Infallible>)), Some([6, 7]));
    assert_eq!(next(&mut source), None);
}
