//! BSATN of types that derive serde's traits.
#![cfg(all(feature = "serde", feature = "derive"))]
#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use hex_literal::hex;
use onewrite::bsatn::Encode as _;
use onewrite::bsatn::serde::{ValueError, from_slice, take_from, to_sink, to_slice};
use onewrite::error::{DecodeError, DecodeErrorKind, WriteErrorKind};
use onewrite::sink::{CountingSink, SliceSink};
use serde::{Deserialize, Serialize};

#[path = "bsatn/variants.rs"]
mod variants;

fn bytes<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    let mut out = vec![0xa5; 1024];
    let len = to_slice(value, &mut out).unwrap();
    out.truncate(len);
    let mut count = CountingSink::new();
    assert_eq!((to_sink(value, &mut count), count.written()), (Ok(len), len));
    let mut again = vec![0xa5; len];
    assert_eq!(to_sink(value, &mut SliceSink::new(&mut again)), Ok(len));
    assert_eq!(again, out);
    out
}

fn round<'a, T: Serialize + Deserialize<'a> + PartialEq + Debug>(value: &T, wire: &'a [u8]) {
    assert_eq!(bytes(value), wire);
    assert_eq!(from_slice::<T>(wire).as_ref(), Ok(value));
    for len in 0..wire.len() {
        let error = from_slice::<T>(&wire[..len]).unwrap_err();
        let short = matches!(
            error.kind,
            DecodeErrorKind::EndOfInput { .. } | DecodeErrorKind::CountTooLarge { .. }
        );
        assert!(short && error.at <= len, "{len}: {error}");
    }
}

fn refused<T: Serialize + ?Sized>(value: &T) -> ValueError {
    let mut out = [0xa5; 64];
    let error = to_slice(value, &mut out).unwrap_err();
    assert_eq!((out, error.written), ([0xa5; 64], 0), "memory changed");
    match error.kind {
        WriteErrorKind::Encode(error) => error,
        other => panic!("{other}"),
    }
}

#[derive(Debug, PartialEq, Serialize, Deserialize, onewrite::bsatn::Encode)]
struct Row<'a> {
    id: u32,
    alive: bool,
    name: &'a str,
    kind: Kind<'a>,
    pair: (i8, u128),
    maybe: Option<f32>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize, onewrite::bsatn::Encode)]
enum Kind<'a> {
    Nothing,
    Named { name: &'a str, age: u8 },
    Two(u8, i64),
    One(u16),
}

/// The same declaration gives the same bytes as our own derive.
#[test]
fn both_derives_agree() {
    let kinds = [Kind::Nothing, Kind::Named { name: "é", age: 3 }, Kind::Two(1, -1), Kind::One(5)];
    for (kind, maybe) in kinds.into_iter().zip([None, Some(0.5), Some(-1.0), None]) {
        let row = Row { id: 7, alive: true, name: "ada", kind, pair: (-1, 9), maybe };
        let mut wire = vec![0; row.encoded_len()];
        row.encode_to_slice(&mut wire).unwrap();
        round(&row, &wire);
    }
}

#[test]
fn collections_have_a_count() {
    round(&vec![1u16, 2], &hex!("02000000 0100 0200"));
    round(&String::from("hi"), &hex!("02000000 6869"));
    round(&BTreeMap::from([(1u8, true), (2, false)]), &hex!("02000000 01 01 02 00"));
    // A sequence without a count: serde calls it a tuple.
    round(&[1u8, 2, 3], &[1, 2, 3]);
    round(&(), &[]);
    assert_eq!(bytes(&format_args!("{}-{}", 1, "é")), hex!("04000000 312d c3a9"));
    assert_eq!(bytes(&[1u8, 2][..]), hex!("02000000 0102"));
}

/// A tag is a u8, also where serde counts to 2^32.
#[test]
fn sums_have_at_most_256_variants() {
    struct Variant(u32);
    impl Serialize for Variant {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_newtype_variant("Variant", self.0, "V", &7u8)
        }
    }
    assert_eq!(bytes(&Variant(255)), [255, 7]);
    assert_eq!(refused(&Variant(256)), ValueError::TooManyVariants { index: 256 });
    // The value is refused as a whole, also when most of it was good.
    assert_eq!(refused(&(1u8, Variant(256))), ValueError::TooManyVariants { index: 256 });

    let unknown = DecodeErrorKind::UnknownDiscriminant { name: "Kind", value: 4 };
    assert_eq!(from_slice::<Kind<'_>>(&[4]), Err(DecodeError::new(0, unknown)));
    assert_eq!(variants::Most::V255.to_bytes(), [255]);
}

#[test]
fn what_has_no_encoding_is_refused() {
    struct Lengthless(Option<usize>);
    impl Serialize for Lengthless {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            use serde::ser::SerializeSeq;
            let mut items = serializer.serialize_seq(self.0)?;
            items.serialize_element(&1u8)?;
            items.end()
        }
    }
    assert_eq!(bytes(&Lengthless(Some(1))), [1, 0, 0, 0, 1]);
    assert_eq!(refused(&Lengthless(None)), ValueError::UnknownLength);
    assert_eq!(refused(&Lengthless(Some(0))), ValueError::WrongLength);
    assert_eq!(refused(&Lengthless(Some(2))), ValueError::WrongLength);
    assert_eq!(refused(&'c'), ValueError::Char);

    let char = DecodeErrorKind::Unsupported { what: "char" };
    assert_eq!(from_slice::<(u8, char)>(&[1; 5]), Err(DecodeError::new(1, char)));
    let any = from_slice::<serde_json::Value>(&[1; 5]).unwrap_err();
    assert!(matches!(any.kind, DecodeErrorKind::Unsupported { .. }));
    // A type's own refusal.
    let zero = from_slice::<(u8, std::num::NonZeroU8)>(&[1, 0]);
    assert_eq!(zero, Err(DecodeError::new(2, DecodeErrorKind::Refused)));
}

#[test]
fn exact_and_prefix_decoders() {
    let extra = DecodeErrorKind::TrailingBytes { extra: 2 };
    assert_eq!(from_slice::<u16>(&[1, 0, 2, 3]), Err(DecodeError::new(2, extra)));
    assert_eq!(take_from::<u16>(&[1, 0, 2, 3]), Ok((1, &[2, 3][..])));
    let mut small = [0xa5; 3];
    let full = WriteErrorKind::Full { needed: 4, available: 3 };
    assert_eq!(to_slice(&1u32, &mut small).unwrap_err().kind, full);
    assert_eq!(small, [0xa5; 3]);
}

#[derive(Debug, Deserialize)]
struct List(Option<Box<Self>>);

/// Counts and depth are the input's to say, and ours to bound.
#[test]
fn work_is_bounded_by_the_input() {
    let large = DecodeErrorKind::CountTooLarge { table: "array", count: 0xffff_ffff };
    assert_eq!(from_slice::<Vec<()>>(&[0xff; 4]), Err(DecodeError::new(0, large)));
    assert_eq!(from_slice::<Vec<u64>>(&[0xff; 4]), Err(DecodeError::new(0, large)));
    assert!(from_slice::<List>(&[0, 0, 1]).unwrap().0.is_some());
    let error = from_slice::<List>(&vec![0; 100_000]).unwrap_err();
    assert_eq!(error.kind, DecodeErrorKind::DepthLimit { limit: 128 });
}
