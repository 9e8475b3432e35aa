//! The record core without the derive: fields, scratches, slices, sinks and sources.
#![allow(
    clippy::indexing_slicing,
    clippy::items_after_statements,
    clippy::unwrap_used,
    reason = "a panic is how a test fails, and consts stand where they are looked at"
)]

mod recording;

use core::convert::Infallible;
use core::marker::PhantomData;

use hex_literal::hex;
use onewrite::buffer_for;
use onewrite::error::{DecodeError, DecodeErrorKind, ReadErrorKind, WriteError, WriteErrorKind};
use onewrite::record::{
    Bounded, ByteArray, Endian, Field, ReadRecord, Record, Scratch, WriteRecord, get, put,
    write_slice,
};
use onewrite::render_batch::{EditRecord, FrameRecord};
use onewrite::sink::{CountingSink, Sink, SliceSink};
use onewrite::source::SliceSource;
use recording::Recording;

/// `N` bytes that must not contain `0xff`.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Raw<const N: usize>([u8; N]);

impl<const N: usize> Record for Raw<N> {
    type Bytes = [u8; N];

    fn write_at(&self, out: &mut [u8; N]) {
        *out = self.0;
    }

    fn from_bytes(bytes: &[u8; N]) -> Result<Self, DecodeError> {
        match bytes.iter().position(|byte| *byte == 0xff) {
            Some(at) => Err(DecodeError::new(at, DecodeErrorKind::UnusedNotZero)),
            None => Ok(Self(*bytes)),
        }
    }
}

fn full(needed: usize, available: usize) -> WriteErrorKind<Infallible> {
    WriteErrorKind::Full { needed, available }
}

#[test]
fn put_and_get_touch_only_their_bytes() {
    let mut record = [0xa5; 8];
    put::<2, 4, 8>(&mut record, [1, 2, 3, 4]);
    put::<8, 0, 8>(&mut record, []);
    assert_eq!(record, hex!("a5a5 01020304 a5a5"));
    assert_eq!(get::<1, 3, 8>(&record), hex!("a50102"));
    assert_eq!(get::<0, 8, 8>(&record), record);
}

#[test]
fn a_scratch_is_zero_where_nothing_was_put() {
    const RECORD: [u8; 8] = {
        let mut scratch = Scratch::<8>::new();
        scratch.put::<1, 2>(0x0102_u16.to_be_bytes());
        scratch.put::<4, 4>(7u32.to_le_bytes());
        scratch.into_bytes()
    };
    assert_eq!(RECORD, hex!("00 0102 00 07000000"));
    let mut scratch = Scratch::<2>::default();
    scratch.put::<0, 2>([1, 2]);
    assert_eq!(scratch.as_bytes(), &[1, 2]);
    scratch.clear();
    assert_eq!(scratch, Scratch::new());
}

#[test]
fn wire_records_of_the_library_are_records() {
    let frame = FrameRecord::attribute(1, -1, 0x0102_0304_0506_0708);
    let bytes = hex!("03000000 01000000 ffffffff 0807060504030201");
    assert_eq!(Record::to_bytes(&frame), bytes);
    assert_eq!(<FrameRecord as Record>::from_slice(&bytes), Ok(frame));
    assert_eq!((FrameRecord::MIN_SIZE, FrameRecord::MAX_SIZE), (20, 20));
    assert_eq!((<EditRecord as Record>::SIZE, buffer_for!(EditRecord).len()), (16, 16));
    let edit = EditRecord { kind: 4, sibling: 1, index: 0, name: -1 };
    let mut used = [0xa5; 16];
    Record::write_at(&edit, &mut used);
    assert_eq!(used, hex!("04000000 01000000 00000000 ffffffff"));
    assert_eq!(<EditRecord as Record>::from_slice(&used), Ok(edit));
}

/// core-06, core-07
#[test]
fn slices_are_exact_and_prefixes_have_a_rest() {
    let bytes = hex!("0102030405");
    for available in 0..4 {
        let error = DecodeError::new(0, DecodeErrorKind::EndOfInput { needed: 4, available });
        assert_eq!(Raw::<4>::from_slice(&bytes[..available]), Err(error));
        assert_eq!(Raw::<4>::take_from(&bytes[..available]), Err(error));
    }
    let error = DecodeError::new(4, DecodeErrorKind::TrailingBytes { extra: 1 });
    assert_eq!(Raw::<4>::from_slice(&bytes), Err(error));
    assert_eq!(Raw::<4>::take_from(&bytes), Ok((Raw([1, 2, 3, 4]), &[5][..])));
    // What the record's own bytes did wrong comes before what follows it.
    let error = DecodeError::new(1, DecodeErrorKind::UnusedNotZero);
    assert_eq!(Raw::<1>::take_from(&[0xff]).unwrap_err().at, 0);
    assert_eq!(Raw::<2>::from_slice(&[0, 0xff, 0]), Err(error));
}

/// core-04: exact fit works, one byte short changes nothing.
#[test]
fn a_slice_of_records_fits_or_changes_nothing() {
    let records = [Raw(*b"abc"), Raw(*b"def"), Raw(*b"ghi")];
    for len in 0..9 {
        let mut out = [0xee; 8];
        let error = write_slice(&records, &mut out[..len.min(8)]).unwrap_err();
        assert_eq!(error, WriteError::new(0, full(9, len.min(8))));
        assert_eq!(out, [0xee; 8]);
    }
    let mut out = [0xee; 9];
    assert_eq!(write_slice(&records, &mut out), Ok(9));
    assert_eq!(&out, b"abcdefghi");
    let mut out = [0xee; 10];
    assert_eq!(write_slice(&records, &mut out), Ok(9));
    assert_eq!(&out, b"abcdefghi\xee");
    assert_eq!(write_slice::<Raw<3>>(&[], &mut []), Ok(0));
    assert_eq!(write_slice(&[Raw([]); 3], &mut []), Ok(0));
}

#[test]
fn memory_gets_records_in_place() {
    let records = [Raw(*b"abc"), Raw(*b"def")];
    let mut out = [0xee; 7];
    let mut sink = SliceSink::new(&mut out);
    sink.write_record(&records[0]).unwrap();
    assert_eq!(sink.write_records(&records).unwrap_err().kind, full(6, 4));
    {
        let mut sink: &mut dyn Sink<Error = Infallible> = &mut sink;
        sink.write_records(&records[1..]).unwrap();
        (&mut sink).write_record(&Raw([])).unwrap();
        assert_eq!(sink.write_record(&records[0]).unwrap_err().kind, full(3, 1));
    }
    assert_eq!(&out, b"abcdef\xee");
}

/// core-03: one write a record, or one a scratch of whole records.
#[test]
fn streams_get_whole_records_in_few_writes() {
    let records: Vec<Raw<20>> = (0..25).map(|byte| Raw([byte; 20])).collect();
    let expected: Vec<u8> = records.iter().flat_map(|record| record.0).collect();
    let mut stream = Recording::default();
    stream.write_records(&records).unwrap();
    assert_eq!(stream.lengths(), [240, 240, 20]);
    assert_eq!(stream.bytes, expected);

    let mut stream = Recording::default();
    for record in &records {
        stream.write_record(record).unwrap();
    }
    assert_eq!(stream.lengths(), [20; 25]);
    assert_eq!(stream.bytes, expected);

    for (len, writes) in [(128, vec![256, 128]), (129, vec![129; 3]), (300, vec![300; 3])] {
        let mut stream = Recording::default();
        match len {
            128 => stream.write_records(&[Raw([1; 128]); 3]).unwrap(),
            300 => stream.write_records(&[Raw([1; 300]); 3]).unwrap(),
            _ => stream.write_records(&[Raw([1; 129]); 3]).unwrap(),
        }
        assert_eq!(stream.lengths(), writes);
        assert_eq!(stream.bytes, vec![1; len * 3]);
    }
}

#[test]
fn a_stream_that_fails_says_how_far_it_came() {
    let records = [Raw([7; 20]); 30];
    for room in [0, 239, 240, 479, 480, 599] {
        let mut stream = Recording { room: Some(room), ..Recording::default() };
        let error = stream.write_records(&records).unwrap_err();
        assert_eq!(error, WriteError::new(room / 240 * 240, WriteErrorKind::Stalled));
        assert_eq!(stream.bytes.len(), error.written);
        // Each write is a message of its own.
        assert!(!stream.poisoned);
    }
}

/// core-18
#[test]
fn records_without_bytes_make_no_write() {
    let mut stream = Recording::default();
    stream.write_record(&Raw([])).unwrap();
    stream.write_records(&[Raw([]); 9]).unwrap();
    stream.write_records::<Raw<20>>(&[]).unwrap();
    assert_eq!(stream.lengths(), []);
    assert_eq!(SliceSource::new(&[]).read_record(), Ok(Some(Raw([]))));
}

/// core-18: counters do not wrap.
#[test]
fn seventy_thousand_records_are_counted() {
    let records = vec![Raw([1; 1]); 70_000];
    let mut sink = CountingSink::new();
    sink.write_records(&records).unwrap();
    assert_eq!(sink.written(), 70_000);
    let mut sink = CountingSink::starting_at(usize::MAX - 255);
    let error = sink.write_records(&records).unwrap_err();
    assert_eq!(error.kind, full(256, 255));
}

#[test]
fn sources_give_whole_records_or_a_reason() {
    let input = [1, 2, 3, 4, 0xff, 6, 7, 8, 9];
    let mut source = SliceSource::new(&input);
    let mut records = [Raw([0; 2]); 4];
    let error = source.read_records(&mut records).unwrap_err();
    let decode = DecodeError::new(0, DecodeErrorKind::UnusedNotZero);
    assert_eq!((error.read, error.kind), (6, ReadErrorKind::Decode(decode)));
    assert_eq!(records, [Raw([1, 2]), Raw([3, 4]), Raw([0; 2]), Raw([0; 2])]);
    assert_eq!(source.read_record(), Ok(Some(Raw([7, 8]))));
    let error = source.read_record::<Raw<2>>().unwrap_err();
    let kind = ReadErrorKind::EndOfInput { got: 1, wanted: 2 };
    assert_eq!((error.read, error.kind), (8, kind));
    let mut source = SliceSource::new(&input[..4]);
    assert_eq!(source.read_records(&mut records), Ok(2));
    assert_eq!(source.read_record::<Raw<2>>(), Ok(None));
}

#[test]
fn primitives_are_fields_in_both_orders() {
    fn check<T: Field + PartialEq + core::fmt::Debug>(value: T, little: &[u8]) {
        let mut big = little.to_vec();
        big.reverse();
        for (order, bytes) in [(Endian::Little, little), (Endian::Big, &big)] {
            assert_eq!((T::MIN_SIZE, T::MAX_SIZE), (bytes.len(), bytes.len()));
            let mut out = vec![0xa5; bytes.len() + 1];
            value.put(order, &mut out);
            assert_eq!((&out[..bytes.len()], out[bytes.len()]), (bytes, 0xa5));
            assert_eq!(T::get(order, &out).as_ref(), Ok(&value));
            for available in 0..bytes.len() {
                let mut short = vec![0xa5; available];
                value.put(order, &mut short);
                assert_eq!(short, vec![0xa5; available]);
                let kind = DecodeErrorKind::EndOfInput { needed: bytes.len(), available };
                assert_eq!(T::get(order, &short), Err(DecodeError::new(0, kind)));
            }
        }
    }
    check(0x01_u8, &[1]);
    check(-2_i8, &[0xfe]);
    check(0x0102_u16, &[2, 1]);
    check(-2_i16, &[0xfe, 0xff]);
    check(0x0102_0304_u32, &[4, 3, 2, 1]);
    check(-2_i32, &hex!("feffffff"));
    check(0x0102_0304_0506_0708_u64, &hex!("0807060504030201"));
    check(-2_i64, &hex!("feffffffffffffff"));
    check(1_u128 << 120 | 2, &hex!("02000000000000000000000000000001"));
    check(-2_i128, &hex!("feffffffffffffffffffffffffffffff"));
    check(1.5_f32, &hex!("0000c03f"));
    check(-2.0_f64, &hex!("00000000000000c0"));
    check(true, &[1]);
    check(PhantomData::<u64>, &[]);
    let bad = DecodeError::new(0, DecodeErrorKind::InvalidBool { value: 2 });
    assert_eq!(bool::get(Endian::Big, &[2]), Err(bad));
}

#[test]
fn arrays_of_fields_keep_the_order_of_their_items() {
    let mut out = [0xa5; 7];
    [[1_u16], [2], [3]].put(Endian::Big, &mut out);
    assert_eq!(out, hex!("0001 0002 0003 a5"));
    assert_eq!(<[u16; 3]>::get(Endian::Little, &out), Ok([0x100, 0x200, 0x300]));
    assert_eq!(<[[u16; 2]; 0]>::MAX_SIZE, 0);
    let bad = DecodeError::new(2, DecodeErrorKind::InvalidBool { value: 2 });
    assert_eq!(<[bool; 4]>::get(Endian::Big, &[0, 1, 2, 3]), Err(bad));
    let mut short = [0xa5; 5];
    [1_u16, 2, 3].put(Endian::Big, &mut short);
    assert_eq!(short, [0xa5; 5]);
    let kind = DecodeErrorKind::EndOfInput { needed: 6, available: 5 };
    assert_eq!(<[u16; 3]>::get(Endian::Big, &short), Err(DecodeError::new(0, kind)));
}

#[test]
fn byte_arrays_split_slices() {
    let mut bytes = *b"abcdefg";
    assert_eq!(<[u8; 3]>::split_first(&bytes), Some((b"abc", &b"defg"[..])));
    assert_eq!(<[u8; 8]>::split_first(&bytes), None);
    let (chunks, rest) = <[u8; 3]>::chunks_mut(&mut bytes);
    assert_eq!((&*chunks, &*rest), (&[*b"abc", *b"def"][..], &b"g"[..]));
    let (chunks, rest) = <[u8; 0]>::chunks_mut(&mut bytes);
    assert_eq!((chunks.len(), rest.len()), (0, 7));
    assert_eq!((<[u8; 3] as ByteArray>::ZERO, <[u8; 3] as ByteArray>::LEN), ([0; 3], 3));
    assert_eq!([1, 2].as_mut_slice(), [1, 2].as_slice());
}

#[cfg(feature = "embedded-io-07")]
#[test]
fn streams_are_read_record_by_record() {
    use onewrite::source::embedded_io::StreamSource;

    let mut source = StreamSource::new(&[1, 2, 0xff, 4, 5, 6, 7][..]);
    let mut records = [Raw([0; 2]); 4];
    assert_eq!(source.read_record(), Ok(Some(Raw([1, 2]))));
    let error = source.read_record::<Raw<2>>().unwrap_err();
    let decode = DecodeError::new(0, DecodeErrorKind::UnusedNotZero);
    assert_eq!((error.read, error.kind), (4, ReadErrorKind::Decode(decode)));
    let error = source.read_records(&mut records).unwrap_err();
    assert_eq!(error.kind, ReadErrorKind::EndOfInput { got: 1, wanted: 2 });
    assert_eq!(records[0], Raw([5, 6]));
}

#[cfg(feature = "embedded-io-async-07")]
#[test]
fn async_streams_are_read_record_by_record() {
    use core::pin::pin;
    use core::task::{Context, Poll, Waker};

    use onewrite::source::embedded_io_async::StreamSource;

    /// A slice is always ready.
    fn now<F: Future>(future: F) -> F::Output {
        match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(output) => output,
            Poll::Pending => unreachable!("a slice waits for nothing"),
        }
    }

    let mut source = StreamSource::new(&[1, 2, 0xff, 4, 5, 6, 7, 8][..]);
    let mut records = [Raw([0; 2]); 4];
    assert_eq!(now(source.read_record()), Ok(Some(Raw([1, 2]))));
    let error = now(source.read_record::<Raw<2>>()).unwrap_err();
    let decode = DecodeError::new(0, DecodeErrorKind::UnusedNotZero);
    assert_eq!((error.read, error.kind), (4, ReadErrorKind::Decode(decode)));
    assert_eq!(now(source.read_records(&mut records)), Ok(2));
    assert_eq!(records[..2], [Raw([5, 6]), Raw([7, 8])]);
    assert_eq!(now(source.read_record::<Raw<2>>()), Ok(None));
    assert_eq!(now(source.read_record::<Raw<0>>()), Ok(Some(Raw([]))));
}
