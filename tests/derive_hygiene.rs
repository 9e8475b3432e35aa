//! What a user's module shadows does not reach the derive's output.
#![cfg(feature = "derive")]
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

#[path = "hygiene/shadowed.rs"]
mod shadowed;

use hex_literal::hex;
use onewrite::error::{DecodeError, DecodeErrorKind};
use onewrite::record::{Endian, Field};

/// core-10, core-11
#[test]
fn shadowed_names_change_nothing() {
    use shadowed::{Fields, Inner};
    const BYTES: [u8; 48] = Fields {
        out: 1,
        bytes: 2,
        at: 3,
        slot: 4,
        items: [5, 6],
        item: [7, 8],
        rest: true,
        value: Inner(9, 10),
        record: [Inner(11, 12); 2],
        tail: [Inner(13, 14); 2],
        error: -1,
        this: -2,
        len: -3,
        index: 1.0,
        size: 15,
        __self: 16,
        N: 17,
        T: 18,
        marker: core::marker::PhantomData,
        last: [[19], [20]],
        crate_: 21,
    }
    .to_bytes();
    assert_eq!(
        BYTES,
        hex!(
            "01 02 0300 04 0506 0700 0800 01 090a 0b0c 0b0c 0d0e 0d0e ffffffff feff fd"
            "000000000000f03f 0f 10 11 12 13 14 15 00000000"
        )
    );
    assert_eq!(Fields::from_bytes(&BYTES).map(|record| record.to_bytes()), Ok(BYTES));
}

/// core-09
#[test]
fn raw_identifiers_are_their_names() {
    use shadowed::{r#enum, r#struct};
    let record = r#struct { r#type: 1, r#match: 2, r#async: 3 };
    assert_eq!(record.to_bytes(), hex!("01 0200 00 03000000"));
    assert_eq!(r#struct::OFFSET_ASYNC, 4);
    assert_eq!((r#struct::OFFSET_TYPE, r#struct::OFFSET_MATCH), (0, 1));
    assert_eq!(r#enum::r#loop.to_bytes(), [2]);
    let kind = DecodeErrorKind::UnknownDiscriminant { name: "enum", value: 3 };
    assert_eq!(r#enum::from_bytes(&[3]).unwrap_err(), DecodeError::new(0, kind));
}

#[test]
fn variants_may_be_called_ok_and_none() {
    use shadowed::{Inner, Tagged};
    let record = Tagged::Ok { out: 1, bytes: [Inner(2, 3), Inner(4, 5)] };
    assert_eq!(record.to_bytes(), hex!("0100 01 0203 0405 00"));
    assert!(matches!(Tagged::from_bytes(&[3, 0, 0, 0, 0, 0, 0, 0]), Ok(Tagged::None)));
    let other = Tagged::from_bytes(&[9, 0, 7, 0, 0, 0, 0, 0]);
    assert!(matches!(other, Ok(Tagged::Some { tag: 9, value: 7 })));
}

#[test]
fn parameters_may_have_any_name() {
    type Concrete<'a> = shadowed::Generic<'a, 'a, u16, u8, bool, String, 2>;
    assert_eq!(Concrete::SIZE, 6);
    let mut bytes = [0xa5; 6];
    let marker = core::marker::PhantomData;
    Concrete { out: 1, bytes: [2, 3], value: 4, error: true, marker }.put(Endian::Big, &mut bytes);
    assert_eq!(bytes, [1, 0, 2, 3, 4, 1]);
}

/// core-12
#[test]
fn fields_of_other_configurations_have_no_bytes() {
    use shadowed::{Configured, ConfiguredEnum};
    let record = Configured { always: 1, placed: 0x0203, between: 4 };
    assert_eq!(record.to_bytes(), [1, 4, 2, 3]);
    assert!(matches!(ConfiguredEnum::from_bytes(&[2]), Ok(ConfiguredEnum::B)));
}

#[test]
fn macros_may_pass_types_and_numbers() {
    use shadowed::{FromMacro, Numbered};
    assert_eq!((FromMacro::SIZE, FromMacro::OFFSET_FLAGS), (12, 9));
    assert_eq!((Numbered::A.to_bytes(), Numbered::B.to_bytes()), ([5], [6]));
}

/// core-09, core-10, core-11: products and sums of BSATN.
#[test]
fn shadowed_names_do_not_reach_values() {
    use onewrite::bsatn::{Decode, Encode};
    use shadowed::values::{Numbers, Tagged, r#enum, r#struct};

    const NUMBERS: [u8; 6] = Numbers { out: 1, bytes: 0.0, at: true }.to_bytes();
    assert_eq!(NUMBERS, hex!("01 00000000 01"));
    let value = r#struct {
        out: 1,
        bytes: &[2, 3],
        reader: true,
        r#type: 4,
        item: "x",
        items: [Tagged::None, Tagged::Err(5, r#enum::r#loop)],
        value: r#enum::r#loop,
        len: -1,
        marker: core::marker::PhantomData,
    };
    let mut bytes = [0; 64];
    let len = value.encode_to_slice(&mut bytes).unwrap();
    let expected =
        hex!("01 02000000 0203 01 0400 01000000 78 02000000 02 01 05 01 01 ffffffffffffffff");
    assert_eq!(bytes.get(..len), Some(&expected[..]));
    let (item, rest) = <(u8, &[u8])>::take_from(&expected).unwrap();
    assert_eq!((item, rest.len()), ((1, &[2, 3][..]), len - 7));
    let kind = DecodeErrorKind::UnknownDiscriminant { name: "enum", value: 2 };
    assert_eq!(r#enum::from_slice(&[2]).err(), Some(DecodeError::new(0, kind)));
    assert!(matches!(Tagged::from_slice(&[0, 7, 1]), Ok(Tagged::Ok { out: 7, tag: true })));
}
