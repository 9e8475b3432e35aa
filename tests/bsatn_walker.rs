//! Walks over values whose types are known at run time only.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use hex_literal::hex;
use onewrite::bsatn::{AlgebraicType, DEPTH_LIMIT, Element, TokenKind, Walker};
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::reader::Reader;

const UNIT: AlgebraicType<'_> = AlgebraicType::Product(&[]);

const EVENT: AlgebraicType<'_> = AlgebraicType::Sum(&[
    Element::new("closed", UNIT),
    Element::new(
        "said",
        AlgebraicType::Product(&[
            Element::new("id", AlgebraicType::U16),
            Element { name: None, ty: AlgebraicType::Array(&AlgebraicType::Bool) },
            Element::new("raw", AlgebraicType::Array(&AlgebraicType::U8)),
        ]),
    ),
]);

const PAIR: AlgebraicType<'_> = AlgebraicType::Product(&[
    Element::new("a", AlgebraicType::Bool),
    Element::new("b", AlgebraicType::Bool),
]);

fn skip(ty: AlgebraicType<'_>, input: &[u8]) -> Result<usize, DecodeError> {
    Walker::new(&[], ty, Reader::new(input)).skip().map(|reader| reader.remaining())
}

#[test]
fn tokens_have_names_places_and_ends() {
    let input = hex!("01 0700 02000000 01 00 01000000 09 ff");
    let mut walker = Walker::new(&[], EVENT, Reader::starting_at(100, &input));
    let mut found = Vec::new();
    for token in &mut walker {
        let token = token.unwrap();
        found.push((token.at - 100, token.name, token.kind));
    }
    let expected = [
        (0, None, TokenKind::Sum { tag: 1, variant: Some("said") }),
        (1, Some("said"), TokenKind::Product { fields: 3 }),
        (1, Some("id"), TokenKind::U16(7)),
        (3, None, TokenKind::Array { len: 2 }),
        (7, None, TokenKind::Bool(true)),
        (8, None, TokenKind::Bool(false)),
        (9, None, TokenKind::End),
        (9, Some("raw"), TokenKind::Bytes(&[9])),
        (14, None, TokenKind::End),
        (14, None, TokenKind::End),
    ];
    assert_eq!(found, expected);
    assert_eq!((walker.depth(), walker.next()), (0, None));
    assert_eq!(walker.into_reader().rest(), [0xff]);
}

/// bsatn-10: one byte of input for each level.
#[test]
fn deep_values_are_an_error_at_the_same_level_everywhere() {
    let meta = |input: &[u8]| {
        let types = AlgebraicType::META_TYPES;
        Walker::new(types, AlgebraicType::Ref(0), Reader::new(input)).skip().map(|r| r.remaining())
    };
    let limit = DecodeErrorKind::DepthLimit { limit: DEPTH_LIMIT };
    for levels in [65, 200, 100_000] {
        let mut input = vec![3; levels];
        input.push(5);
        assert_eq!(meta(&input), Err(DecodeError::new(64, limit)), "{levels}");
    }
    // 62 arrays, the bool, and the product that is its payload: 64 levels.
    let mut input = vec![3; 62];
    input.extend([5, 0xff]);
    assert_eq!(meta(&input), Ok(1));
    // A row: `{ id: option<u32>, tags: array<string> }`.
    let row = hex!(
        "02 02000000"
        "00 02000000 6964 01 02000000 00 04000000 736f6d65 0b 00 04000000 6e6f6e65 02 00000000"
        "01 03 04"
    );
    assert_eq!(meta(&row), Ok(0));
    for len in 0..row.len() {
        assert!(meta(&row[..len]).is_err(), "{len}");
    }
    let unknown = DecodeErrorKind::UnknownDiscriminant { name: "sum", value: 20 };
    assert_eq!(meta(&[3, 20]), Err(DecodeError::new(1, unknown)));
}

/// bsatn-10: the same while a row is skipped by its type.
#[test]
fn deep_types_are_cut_off_as_well() {
    let mut ty: AlgebraicType<'static> = AlgebraicType::Bool;
    for _ in 0..200 {
        ty = AlgebraicType::Array(Box::leak(Box::new(ty)));
    }
    let mut input = [1, 0, 0, 0].repeat(200);
    input.push(1);
    let limit = DecodeErrorKind::DepthLimit { limit: DEPTH_LIMIT };
    assert_eq!(skip(ty, &input), Err(DecodeError::new(64 * 4, limit)));
    let deeper = Walker::<'_, '_, 200>::with_depth(&[], ty, Reader::new(&input));
    assert_eq!(deeper.skip().map(|reader| reader.remaining()), Ok(0));
    let shallow = Walker::<'_, '_, 0>::with_depth(&[], ty, Reader::new(&input));
    let limit = DecodeErrorKind::DepthLimit { limit: 0 };
    assert_eq!(shallow.skip().unwrap_err(), DecodeError::new(0, limit));
}

/// Values that take no bytes are limited, however they are nested.
#[test]
fn values_without_bytes_are_limited() {
    let units = AlgebraicType::Array(&UNIT);
    let large = DecodeErrorKind::CountTooLarge { table: "array", count: 0xffff_ffff };
    assert_eq!(skip(units, &[0xff; 4]), Err(DecodeError::new(0, large)));
    assert_eq!(skip(units, &4096u32.to_le_bytes()), Ok(0));

    // Each inner array claims as many elements as bytes follow.
    let mut input = 1000u32.to_le_bytes().to_vec();
    input.resize(4 + 1_000_000, 0);
    input[4..8].copy_from_slice(&900_000u32.to_le_bytes());
    let error = skip(AlgebraicType::Array(&units), &input).unwrap_err();
    assert!(matches!(error.kind, DecodeErrorKind::CountTooLarge { .. }), "{error}");
    assert_eq!(error.at, 8);

    // A product of two products of two products: no bytes, and 2^60 fields.
    let mut types: Vec<AlgebraicType<'static>> = vec![UNIT];
    for _ in 0..60 {
        let field = Element { name: None, ty: *types.last().unwrap() };
        types.push(AlgebraicType::Product(vec![field, field].leak()));
    }
    assert!(skip(*types.last().unwrap(), &[]).is_err());
}

#[test]
fn references_lead_to_a_type() {
    let types =
        [AlgebraicType::Ref(1), AlgebraicType::U16, AlgebraicType::Ref(3), AlgebraicType::Ref(2)];
    let walk = |index| {
        Walker::new(&types, AlgebraicType::Ref(index), Reader::new(&[1, 2])).skip().map(drop)
    };
    assert_eq!(walk(0), Ok(()));
    for (index, named) in [(2, 0), (9, 9)] {
        let kind = DecodeErrorKind::IndexOutOfRange { table: "types", index: named, len: 4 };
        assert_eq!(walk(index), Err(DecodeError::new(0, kind)));
    }
}

#[test]
fn a_walk_ends_with_its_first_error() {
    let mut walker = Walker::new(&[], PAIR, Reader::new(&[2, 1]));
    assert!(matches!(walker.next(), Some(Ok(_))));
    let kind = DecodeErrorKind::InvalidBool { value: 2 };
    assert_eq!(walker.next(), Some(Err(DecodeError::new(0, kind))));
    assert_eq!(walker.next(), None);
}
