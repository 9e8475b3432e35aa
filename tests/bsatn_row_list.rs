//! Row lists: what is accepted, where each row is, and the hint that a writer picks.
#![cfg(feature = "derive")]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use hex_literal::hex;
use onewrite::bsatn::{Decode, Encode, RowList, RowListWriter, SizeHint, Tail};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::sink::CountingSink;

fn refused(input: &[u8]) -> (usize, DecodeErrorKind) {
    let DecodeError { at, kind } = RowList::from_slice(input).unwrap_err();
    (at, kind)
}

/// A list with these offsets and this much data, which starts at byte `9 + 8 * offsets.len()`.
fn with_offsets(offsets: &[u64], data: &[u8]) -> Vec<u8> {
    let mut list = vec![1];
    list.extend(u32::try_from(offsets.len()).unwrap().to_le_bytes());
    offsets.iter().for_each(|offset| list.extend(offset.to_le_bytes()));
    list.extend(u32::try_from(data.len()).unwrap().to_le_bytes());
    list.extend(data);
    list
}

/// bsatn-04: a hint that divides by zero, or that does not divide.
#[test]
fn fixed_sizes_divide_the_data() {
    let uneven = |size, len| DecodeErrorKind::UnevenRows { size, len };
    assert_eq!(refused(&hex!("00 0000 04000000 01020304")), (3, uneven(0, 4)));
    assert_eq!(refused(&hex!("00 0300 04000000 01020304")), (3, uneven(3, 4)));
    let unknown = DecodeErrorKind::UnknownDiscriminant { name: "RowSizeHint", value: 2 };
    assert_eq!(refused(&hex!("02 0000")), (0, unknown));

    let none = hex!("00 0000 00000000");
    let list = RowList::from_slice(&none).unwrap();
    assert_eq!((list.len(), list.get(0), list.rows().next()), (0, None, None));
    assert_eq!(list.typed::<u8>(Tail::Strict).next(), None);
    assert!(RowList::from_slice(&hex!("00 0300 00000000")).unwrap().is_empty());
}

#[test]
fn fixed_rows_are_found_at_once() {
    let input = hex!("00 0200 06000000 0100 0200 0300");
    let list = RowList::from_slice(&input).unwrap();
    assert_eq!((list.len(), list.hint()), (3, SizeHint::FixedSize(2)));
    assert_eq!((list.get(2), list.get(3)), (Some(&[3, 0][..]), None));
    assert_eq!(list.get(usize::MAX), None);
    assert_eq!(list.data(), &input[7..]);
    let mut rows = list.rows();
    assert_eq!((rows.len(), rows.next_back()), (3, Some(&[3, 0][..])));
    assert_eq!((rows.nth(1), rows.next(), rows.next_back()), (Some(&[2, 0][..]), None, None));
    assert_eq!(list.rows().nth(usize::MAX), None);
    assert!(list.typed::<u16>(Tail::Strict).map(Result::unwrap).eq([1, 2, 3]));
    let mut typed = list.typed::<u16>(Tail::Strict);
    assert_eq!((typed.len(), typed.nth(2), typed.len()), (3, Some(Ok(3)), 0));
    assert_eq!(format!("{list:?}"), "[[1, 0], [2, 0], [3, 0]]");
}

#[test]
fn offsets_cover_the_data() {
    let ascending = DecodeErrorKind::NotAscending { table: "row offsets" };
    let bad = |position| DecodeErrorKind::BadPosition { table: "rows", position };
    assert_eq!(refused(&with_offsets(&[1], b"ab")), (5, bad(1)));
    assert_eq!(refused(&with_offsets(&[0, 3], b"ab")), (13, bad(3)));
    assert_eq!(refused(&with_offsets(&[0, 2, 1], b"ab")), (21, ascending));
    assert_eq!(refused(&with_offsets(&[0, u64::MAX, 1], b"ab")), (13, bad(i64::MAX)));
    assert_eq!(refused(&with_offsets(&[0, 1 << 32, 1 << 33], b"ab")), (13, bad(1 << 32)));
    let uneven = DecodeErrorKind::UnevenRows { size: 0, len: 2 };
    assert_eq!(refused(&with_offsets(&[], b"ab")), (5, uneven));

    let empty = with_offsets(&[0, 0, 0], b"");
    let list = RowList::from_slice(&empty).unwrap();
    assert!(list.rows().eq([b"", b"", b""]));
    assert_eq!(list.typed::<()>(Tail::Strict).filter(Result::is_ok).count(), 3);

    let input = with_offsets(&[0, 1, 1, 3], b"abcde");
    let list = RowList::from_slice(&input).unwrap();
    assert!(list.rows().eq([b"a".as_slice(), b"", b"bc", b"de"]));
    assert_eq!((list.get(3), list.get(4)), (Some(&b"de"[..]), None));
    assert_eq!(list.rows().next_back(), Some(&b"de"[..]));
}

/// A count that no input could hold costs nothing.
#[test]
fn counts_are_checked_before_anything_is_read() {
    let large = DecodeErrorKind::CountTooLarge { table: "row offsets", count: 0xffff_ffff };
    assert_eq!(refused(&hex!("01 ffffffff 00000000")), (1, large));
    let end = DecodeErrorKind::EndOfInput { needed: 0xffff_ffff, available: 1 };
    assert_eq!(refused(&hex!("00 0100 ffffffff 00")), (7, end));
}

#[test]
fn every_truncation_is_an_error() {
    for list in [
        hex!("00 0200 06000000 0100 0200 0300").to_vec(),
        with_offsets(&[0, 1, 1, 3], b"abcde"),
        with_offsets(&[], b""),
    ] {
        RowList::from_slice(&list).unwrap();
        for len in 0..list.len() {
            let (at, kind) = refused(&list[..len]);
            assert!(at <= len, "{at} of {len}: {kind:?}");
        }
        let mut more = list.clone();
        more.push(0);
        assert_eq!(refused(&more), (list.len(), DecodeErrorKind::TrailingBytes { extra: 1 }));
    }
}

#[derive(Debug, PartialEq, Encode, Decode)]
struct Note<'a> {
    id: u16,
    text: &'a str,
}

/// A module appended a column: older clients leave it.
#[test]
fn rows_may_be_longer_than_their_type() {
    let input = hex!("00 0300 06000000 0100ff 0200ff");
    let list = RowList::from_slice(&input).unwrap();
    assert!(list.typed::<u16>(Tail::AllowTail).eq([Ok(1), Ok(2)]));
    assert_eq!(Tail::default(), Tail::AllowTail);
    let extra = DecodeErrorKind::TrailingBytes { extra: 1 };
    let errors = [Err(DecodeError::new(9, extra)), Err(DecodeError::new(12, extra))];
    assert!(list.typed::<u16>(Tail::Strict).eq(errors));
    // A row ends where the next one starts, whatever its type would like to read.
    let end = DecodeErrorKind::EndOfInput { needed: 4, available: 3 };
    let errors = [Err(DecodeError::new(7, end)), Err(DecodeError::new(10, end))];
    assert!(list.typed::<u32>(Tail::AllowTail).eq(errors));
}

#[test]
fn errors_name_their_place_in_the_message() {
    let good = Note { id: 1, text: "hi" };
    let mut input = vec![0xee; 40];
    let len = (0u8, RowListWriter::new(&[good])).encode_to_slice(&mut input).unwrap();
    input[len - 1] = 0xff;
    let (_, list) = <(u8, RowList<'_>)>::from_slice(&input[..len]).unwrap();
    let error = list.typed::<Note<'_>>(Tail::Strict).next().unwrap().unwrap_err();
    assert_eq!(error, DecodeError::new(len - 2, DecodeErrorKind::InvalidUtf8));
}

fn written<T: Encode>(rows: &[T]) -> Vec<u8> {
    let writer = RowListWriter::new(rows);
    assert_eq!((writer.len(), writer.is_empty()), (rows.len(), rows.is_empty()));
    let mut out = vec![0xa5; writer.encoded_len()];
    assert_eq!(writer.encode_to_slice(&mut out), Ok(out.len()));
    let mut count = CountingSink::new();
    writer.encode(&mut count).unwrap();
    assert_eq!(count.written(), out.len());
    let list = RowList::from_slice(&out).unwrap();
    assert_eq!(list.len(), rows.len());
    let mut again = vec![0xa5; list.encoded_len()];
    list.encode_to_slice(&mut again).unwrap();
    assert_eq!(again, out);
    out
}

#[test]
fn the_hint_is_the_servers() {
    assert_eq!(written(&[1u16, 2]), hex!("00 0200 04000000 0100 0200"));
    assert_eq!(written(&[1u8, 2]), hex!("00 0100 02000000 01 02"));
    // None, whatever the type.
    assert_eq!(written::<u32>(&[]), hex!("01 00000000 00000000"));
    assert_eq!(written::<&str>(&[]), hex!("01 00000000 00000000"));
    // Rows without bytes.
    assert_eq!(written(&[(); 2]), with_offsets(&[0, 0], b""));
    // Strings that happen to be equally long, and others.
    let same = hex!("00 0500 0a000000 0100000061 0100000062");
    assert_eq!(written(&["a", "b"]), same);
    let data = hex!("0100000061 020000006263");
    assert_eq!(written(&["a", "bc"]), with_offsets(&[0, 5], &data));
    assert_eq!(written(&["bc", "a", ""])[..5], hex!("01 03000000"));
    let notes = [Note { id: 1, text: "hi" }, Note { id: 2, text: "ho" }];
    assert_eq!(written(&notes)[..3], hex!("00 0800"));
}

/// A hint counts to 65,535.
#[test]
fn long_rows_have_offsets() {
    let text = "x".repeat(65_536);
    let at_most = &text[..65_531];
    assert_eq!(written(&[at_most, at_most])[..3], hex!("00 ffff"));
    let above = &text[..65_532];
    assert_eq!(written(&[above])[..5], hex!("01 01000000"));
    assert_eq!(written(&[above, above])[5..21], hex!("0000000000000000 0000010000000000"));
}
