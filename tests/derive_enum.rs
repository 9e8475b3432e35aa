//! `#[derive(Record)]` on enums: numbers with a name, and records told apart by a tag.
#![cfg(feature = "derive")]
#![allow(
    clippy::indexing_slicing,
    clippy::items_after_statements,
    clippy::unwrap_used,
    reason = "a panic is how a test fails, and consts stand where they are looked at"
)]

use hex_literal::hex;
use onewrite::Record;
use onewrite::error::{DecodeError, DecodeErrorKind};

const fn unknown(at: usize, name: &'static str, value: u64) -> DecodeError {
    DecodeError::new(at, DecodeErrorKind::UnknownDiscriminant { name, value })
}

/// core-08
#[derive(Clone, Copy, Debug, PartialEq, Eq, Record)]
#[repr(u8)]
enum Kind {
    A = 1,
    B = 7,
    C = 255,
}

/// core-08: the same, keeping what it does not know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Record)]
#[repr(u8)]
enum Open {
    #[record(other)]
    Other(u8) = 0,
    A = 1,
    B = 7,
    C = 255,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Record)]
struct Message {
    id: u32,
    kind: Kind,
}

#[test]
fn unknown_discriminants_name_enum_value_and_offset() {
    const BYTES: [u8; 5] = Message { id: 2, kind: Kind::C }.to_bytes();
    assert_eq!(BYTES, hex!("02000000 ff"));
    for (byte, kind) in [(1, Kind::A), (7, Kind::B), (255, Kind::C)] {
        let message = Message { id: 2, kind };
        assert_eq!(message.to_bytes(), [2, 0, 0, 0, byte]);
        assert_eq!(Message::from_bytes(&[2, 0, 0, 0, byte]), Ok(message));
    }
    for value in [0x00, 0x02, 0x08, 0xfe] {
        let error = unknown(4, "Kind", u64::from(value));
        assert_eq!(Message::from_bytes(&[2, 0, 0, 0, value]), Err(error));
        assert_eq!(Open::from_bytes(&[value]), Ok(Open::Other(value)));
        assert_eq!(Open::Other(value).to_bytes(), [value]);
    }
    assert_eq!(Open::from_bytes(&[7]), Ok(Open::B));
    assert_eq!(Open::C.to_bytes(), [255]);
    assert_eq!((Kind::SIZE, Kind::OFFSET_TAG), (1, 0));
}

/// core-08: signed and big-endian.
#[test]
fn negative_discriminants_have_their_bits() {
    #[derive(Debug, PartialEq, Record)]
    #[record(endian = "big")]
    #[repr(i16)]
    enum Signed {
        A = -2,
        B = 0x0102,
    }
    assert_eq!(Signed::A.to_bytes(), hex!("fffe"));
    assert_eq!(Signed::B.to_bytes(), hex!("0102"));
    assert_eq!(Signed::from_bytes(&hex!("fffe")), Ok(Signed::A));
    // The bits, zero-extended: not the sign.
    assert_eq!(Signed::from_bytes(&hex!("fffd")), Err(unknown(0, "Signed", 0xfffd)));
}

#[test]
fn every_width_of_tag_works() {
    macro_rules! width {
        ($($tag:ident $bytes:literal),*) => {$({
            #[derive(Clone, Copy, Debug, PartialEq, Record)]
            #[repr($tag)]
            enum Width {
                Min = $tag::MIN,
                Max = $tag::MAX,
            }
            assert_eq!(Width::SIZE, $bytes);
            for (value, number) in [(Width::Min, $tag::MIN), (Width::Max, $tag::MAX)] {
                assert_eq!(value.to_bytes(), number.to_le_bytes());
                assert_eq!(Width::from_bytes(&number.to_le_bytes()), Ok(value));
            }
            let (bytes, value) = ($tag::MAX.wrapping_sub(1).to_le_bytes(), $tag::MAX - 1);
            let bits = u64::try_from(value).unwrap();
            assert_eq!(Width::from_bytes(&bytes), Err(unknown(0, "Width", bits)));
        })*};
    }
    width!(u8 1, u16 2, u32 4, u64 8, i8 1, i16 2, i32 4, i64 8);
}

#[test]
fn an_enum_may_name_all_its_numbers() {
    const BASE: u8 = 0x80;
    #[derive(Debug, PartialEq, Record)]
    #[record(tag = u8)]
    enum Named {
        #[record(tag = BASE | 1)]
        One,
        #[record(tag = b'2')]
        Two,
    }
    assert_eq!(Named::One.to_bytes(), [0x81]);
    assert_eq!(Named::from_bytes(b"2"), Ok(Named::Two));
}

/// The frames of a render batch as a tagged enum.
#[derive(Clone, Copy, Debug, PartialEq, Record)]
#[record(size = 20, tag = i32)]
enum Frame {
    #[record(tag = 1)]
    Element { subtree: i32, name: i32 },
    #[record(tag = 2)]
    Text(i32),
    #[record(tag = 3)]
    Attribute {
        name: i32,
        value: i32,
        #[record(at = 12, endian = "big")]
        event: u64,
    },
    #[record(tag = 4)]
    Component {
        #[record(at = 8)]
        id: i32,
        #[record(at = 4)]
        subtree: i32,
    },
    #[record(tag = 7)]
    ComponentReferenceCapture,
    #[record(other)]
    Unknown { tag: i32, payload: [u8; 16] },
}

#[test]
fn a_tagged_enum_is_one_record_and_the_rest_is_zero() {
    const ELEMENT: [u8; 20] = Frame::Element { subtree: 2, name: 5 }.to_bytes();
    assert_eq!(ELEMENT, hex!("01000000 02000000 05000000 0000000000000000"));
    let cases = [
        (Frame::Element { subtree: 2, name: 5 }, ELEMENT),
        (Frame::Text(-1), hex!("02000000 ffffffff 00000000 0000000000000000")),
        (
            Frame::Attribute { name: 1, value: -1, event: 9 },
            hex!("03000000 01000000 ffffffff 0000000000000009"),
        ),
        (
            Frame::Component { id: 3, subtree: 4 },
            hex!("04000000 04000000 03000000 0000000000000000"),
        ),
        (Frame::ComponentReferenceCapture, hex!("07000000 00000000 00000000 0000000000000000")),
        (
            Frame::Unknown { tag: -1, payload: [9; 16] },
            hex!("ffffffff 09090909 09090909 0909090909090909"),
        ),
    ];
    for (frame, bytes) in cases {
        let mut used = [0xa5; 20];
        frame.write_at(&mut used);
        assert_eq!((used, frame.to_bytes()), (bytes, bytes));
        assert_eq!(Frame::from_bytes(&bytes), Ok(frame));
        for available in 0..20 {
            let error = DecodeError::new(0, DecodeErrorKind::EndOfInput { needed: 20, available });
            assert_eq!(Frame::from_slice(&bytes[..available]), Err(error));
        }
    }
    assert_eq!(
        (Frame::SIZE, Frame::OFFSET_ATTRIBUTE_EVENT, Frame::OFFSET_COMPONENT_ID),
        (20, 12, 8)
    );
}

#[test]
fn bytes_that_a_variant_does_not_use_must_be_zero() {
    for at in 8..20 {
        let mut bytes = Frame::Text(3).to_bytes();
        bytes[at] = 1;
        let error = DecodeError::new(at, DecodeErrorKind::UnusedNotZero);
        assert_eq!(Frame::from_bytes(&bytes), Err(error));
    }
}

#[test]
fn the_tag_may_stand_anywhere_and_the_size_follow() {
    #[derive(Debug, PartialEq, Record)]
    #[record(tag_at = 4, endian = "big", lenient)]
    #[repr(u16)]
    enum Late {
        A {
            #[record(at = 0)]
            x: u32,
        } = 1,
        B(u8) = 2,
    }
    assert_eq!(Late::SIZE, 7);
    assert_eq!(Late::A { x: 5 }.to_bytes(), hex!("00000005 0001 00"));
    assert_eq!(Late::B(7).to_bytes(), hex!("00000000 0002 07"));
    assert_eq!(Late::from_bytes(&hex!("99999999 0002 07")), Ok(Late::B(7)));
    assert_eq!(Late::from_bytes(&hex!("00000000 0003 07")), Err(unknown(4, "Late", 3)));
}

#[test]
fn enums_nest_in_arrays_and_enums() {
    #[derive(Clone, Copy, Debug, PartialEq, Record)]
    #[repr(u8)]
    enum Outer {
        Kinds([Kind; 2]) = 1,
        Frame(Frame) = 2,
    }
    let kinds = Outer::Kinds([Kind::A, Kind::B]);
    assert_eq!(kinds.to_bytes()[..4], [1, 1, 7, 0]);
    assert_eq!(Outer::from_bytes(&kinds.to_bytes()), Ok(kinds));
    let mut bytes = Outer::Frame(Frame::Text(1)).to_bytes();
    bytes[20] = 1;
    let error = DecodeError::new(20, DecodeErrorKind::UnusedNotZero);
    assert_eq!(Outer::from_bytes(&bytes), Err(error));
    let bytes = [1, 1, 0].map(|byte| byte);
    let mut record = [0; 21];
    record[..3].copy_from_slice(&bytes);
    assert_eq!(Outer::from_bytes(&record), Err(unknown(2, "Kind", 0)));
}

#[test]
fn a_generic_enum_takes_its_size_from_its_arguments() {
    use onewrite::record::{Endian, Field};

    #[derive(Debug, PartialEq, Record)]
    #[record(tag = u8, endian = "big")]
    enum Either<A, B> {
        #[record(tag = 1)]
        Left(A),
        #[record(tag = 2)]
        Right(B),
    }
    type Pair = Either<u16, [u8; 3]>;
    assert_eq!(Pair::SIZE, 4);
    let mut bytes = [0xa5; 4];
    Pair::Left(1).put(Endian::Big, &mut bytes);
    assert_eq!(bytes, [1, 0, 1, 0]);
    assert_eq!(Pair::get(Endian::Big, &bytes), Ok(Pair::Left(1)));
    assert_eq!(Pair::get(Endian::Big, b"\x02abc"), Ok(Pair::Right(*b"abc")));
    let error = DecodeError::new(3, DecodeErrorKind::UnusedNotZero);
    assert_eq!(Pair::get(Endian::Big, &[1, 0, 1, 7]), Err(error));
    assert_eq!(Pair::get(Endian::Big, &[3, 0, 1, 0]), Err(unknown(0, "Either", 3)));
}
