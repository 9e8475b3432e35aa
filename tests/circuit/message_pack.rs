//! MessagePack: every form there is, and what is none.

use hex_literal::hex;
use onewrite::circuit::message_pack::{DEPTH, Head, Unpacker, Value};
use onewrite::error::{DecodeError, DecodeErrorKind};

/// Each lead byte of the specification that is not a run, its value, and the same with runs cut short.
#[test]
fn every_form_is_read_and_ends_where_it_should() {
    let long = vec![b'x'; 70_000];
    let text = |len: usize| Value::Text(std::str::from_utf8(&long[..len]).unwrap());
    let with = |head: &[u8], len: usize| [head, &long[..len]].concat();
    let forms: Vec<(Vec<u8>, Value<'_>)> = vec![
        (hex!("00").into(), Value::Unsigned(0)),
        (hex!("7f").into(), Value::Unsigned(127)),
        (hex!("80").into(), Value::Map(0)),
        (hex!("8f").into(), Value::Map(15)),
        (hex!("90").into(), Value::Array(0)),
        (hex!("9f").into(), Value::Array(15)),
        (hex!("a0").into(), text(0)),
        (with(&hex!("bf"), 31), text(31)),
        (hex!("c0").into(), Value::Nil),
        (hex!("c2").into(), Value::Bool(false)),
        (hex!("c3").into(), Value::Bool(true)),
        (with(&hex!("c4 00"), 0), Value::Bytes(&[])),
        (with(&hex!("c4 ff"), 255), Value::Bytes(&long[..255])),
        (with(&hex!("c5 0003"), 3), Value::Bytes(&long[..3])),
        (with(&hex!("c5 ffff"), 65_535), Value::Bytes(&long[..65_535])),
        (with(&hex!("c6 00011170"), 70_000), Value::Bytes(&long)),
        (with(&hex!("c7 03 05"), 3), Value::Extension { kind: 5, data: &long[..3] }),
        (with(&hex!("c8 0003 ff"), 3), Value::Extension { kind: -1, data: &long[..3] }),
        (with(&hex!("c9 00000003 80"), 3), Value::Extension { kind: -128, data: &long[..3] }),
        (hex!("ca 3fc00000").into(), Value::Float(1.5)),
        (hex!("cb bff8000000000000").into(), Value::Float(-1.5)),
        (hex!("cc 05").into(), Value::Unsigned(5)),
        (hex!("cd ffff").into(), Value::Unsigned(65_535)),
        (hex!("ce ffffffff").into(), Value::Unsigned(u32::MAX.into())),
        (hex!("cf ffffffffffffffff").into(), Value::Unsigned(u64::MAX)),
        (hex!("d0 80").into(), Value::Signed(-128)),
        (hex!("d0 7f").into(), Value::Unsigned(127)),
        (hex!("d1 8000").into(), Value::Signed(-32_768)),
        (hex!("d2 80000000").into(), Value::Signed(i32::MIN.into())),
        (hex!("d3 8000000000000000").into(), Value::Signed(i64::MIN)),
        (hex!("d3 7fffffffffffffff").into(), Value::Unsigned(i64::MAX as u64)),
        (with(&hex!("d4 01"), 1), Value::Extension { kind: 1, data: &long[..1] }),
        (with(&hex!("d5 01"), 2), Value::Extension { kind: 1, data: &long[..2] }),
        (with(&hex!("d6 01"), 4), Value::Extension { kind: 1, data: &long[..4] }),
        (with(&hex!("d7 01"), 8), Value::Extension { kind: 1, data: &long[..8] }),
        (with(&hex!("d8 01"), 16), Value::Extension { kind: 1, data: &long[..16] }),
        (with(&hex!("d9 03"), 3), text(3)),
        (with(&hex!("da 0003"), 3), text(3)),
        (with(&hex!("db 00000003"), 3), text(3)),
        (hex!("dc 0000").into(), Value::Array(0)),
        (hex!("dd 00000010").into(), Value::Array(16)),
        (hex!("de 0010").into(), Value::Map(16)),
        (hex!("df ffffffff").into(), Value::Map(u32::MAX)),
        (hex!("e0").into(), Value::Signed(-32)),
        (hex!("ff").into(), Value::Signed(-1)),
    ];
    let mut leads: Vec<u8> = forms.iter().map(|(bytes, _)| bytes[0]).collect();
    leads.extend(
        [1..=0x7e, 0x81..=0x8e, 0x91..=0x9e, 0xa1..=0xbe, 0xe1..=0xfe].into_iter().flatten(),
    );
    leads.extend([0xc1]);
    leads.sort_unstable();
    leads.dedup();
    assert_eq!(leads, (0..=255).collect::<Vec<u8>>());
    for (bytes, value) in &forms {
        let mut from = Unpacker::new(bytes);
        assert_eq!(from.value(), Ok(*value), "{:x}", bytes[0]);
        assert_eq!(from.position(), bytes.len());
        from.finish().unwrap();
        for cut in (0..bytes.len()).take(300).chain([bytes.len() - 1]) {
            let error = Unpacker::new(&bytes[..cut]).value().unwrap_err();
            assert!(matches!(error.kind, DecodeErrorKind::EndOfInput { .. }), "{error} at {cut}");
        }
        let longer = [bytes.as_slice(), b"\xc0"].concat();
        let mut from = Unpacker::new(&longer);
        from.value().unwrap();
        assert!(matches!(
            from.finish().unwrap_err().kind,
            DecodeErrorKind::TrailingBytes { extra: 1 }
        ));
    }
}

#[test]
fn what_is_no_value_names_its_first_byte() {
    let mut from = Unpacker::new(&hex!("01 c1"));
    from.value().unwrap();
    let kind = DecodeErrorKind::UnknownDiscriminant { name: "MessagePack", value: 0xc1 };
    assert_eq!(from.value(), Err(DecodeError::new(1, kind)));
    let text = Unpacker::new(&hex!("a2 c328")).value().unwrap_err();
    assert_eq!(text, DecodeError::new(0, DecodeErrorKind::InvalidUtf8));
    let mut from = Unpacker::new(&hex!("c0 db ffffffff 41"));
    from.value().unwrap();
    let error = from.value().unwrap_err();
    assert_eq!(error.at, 1);
    let needed = u32::MAX as usize;
    assert_eq!(error.kind, DecodeErrorKind::EndOfInput { needed, available: 1 });
}

#[test]
fn another_type_than_was_asked_for_is_refused_where_it_stands() {
    let all = [hex!("c0"), hex!("c2"), hex!("05"), hex!("ff"), hex!("a0"), hex!("90"), hex!("80")];
    let ok = |read: fn(&mut Unpacker<'_>) -> Result<(), DecodeError>| -> Vec<bool> {
        let read = |bytes: &[u8; 1]| {
            let result = read(&mut Unpacker::new(bytes));
            if let Err(error) = result {
                let value = u64::from(bytes[0]);
                assert_eq!(error.at, 0);
                assert!(matches!(error.kind,
                    DecodeErrorKind::UnknownDiscriminant { value: found, .. } if found == value));
            }
            result.is_ok()
        };
        all.iter().map(read).collect()
    };
    assert_eq!(ok(|from| from.text().map(drop)), [false, false, false, false, true, false, false]);
    assert_eq!(
        ok(|from| from.text_or_nil().map(drop)),
        [true, false, false, false, true, false, false]
    );
    assert_eq!(ok(|from| from.bool().map(drop)), [false, true, false, false, false, false, false]);
    assert_eq!(
        ok(|from| from.unsigned().map(drop)),
        [false, false, true, false, false, false, false]
    );
    assert_eq!(ok(|from| from.i32().map(drop)), [false, false, true, true, false, false, false]);
    assert_eq!(ok(|from| from.array().map(drop)), [false, false, false, false, false, true, false]);
    assert_eq!(ok(|from| from.map().map(drop)), [false, false, false, false, false, false, true]);
    assert_eq!(ok(|from| from.bytes().map(drop)), [false; 7]);
    assert!(Unpacker::new(&hex!("ce 80000000")).i32().is_err());
    assert_eq!(Unpacker::new(&hex!("d2 80000000")).i32(), Ok(i32::MIN));
}

#[test]
fn skipping_is_bounded_in_depth_and_by_what_is_there() {
    let deep = |levels: usize| [vec![0x91; levels], vec![0xc0]].concat();
    let most = deep(DEPTH);
    let mut from = Unpacker::new(&most);
    assert_eq!(from.skip(), Ok(most.as_slice()));
    from.finish().unwrap();
    let error = Unpacker::new(&deep(DEPTH + 1)).skip().unwrap_err();
    assert_eq!(error, DecodeError::new(DEPTH, DecodeErrorKind::DepthLimit { limit: DEPTH }));
    // Empty ones do not count as a level to go down to.
    assert!(Unpacker::new(&[vec![0x91; DEPTH], vec![0x90]].concat()).skip().is_ok());
    // Counts that no input could hold.
    for lie in
        [&hex!("dd ffffffff c0")[..], &hex!("df ffffffff c0"), &hex!("92 c0"), &hex!("81 c0")]
    {
        assert!(Unpacker::new(lie).skip().is_err());
    }
    let mixed = hex!("93 82 a1 61 92 01 02 a1 62 c0 c4 02 0506 80 c3");
    let mut from = Unpacker::new(&mixed);
    assert_eq!(from.skip(), Ok(&mixed[..mixed.len() - 1]));
    assert_eq!(from.bool(), Ok(true));
}

#[test]
fn heads_are_the_shortest_and_come_back() {
    let number = |value| Head::unsigned(value).as_slice().to_vec();
    for (value, len) in [
        (0, 1),
        (127, 1),
        (128, 2),
        (255, 2),
        (256, 3),
        (65_535, 3),
        (65_536, 5),
        (u64::from(u32::MAX), 5),
        (u64::from(u32::MAX) + 1, 9),
        (u64::MAX, 9),
    ] {
        let bytes = number(value);
        assert_eq!(bytes.len(), len, "{value}");
        assert_eq!(Unpacker::new(&bytes).value(), Ok(Value::Unsigned(value)));
    }
    for (value, len) in [
        (-1, 1),
        (-32, 1),
        (-33, 2),
        (-128, 2),
        (-129, 3),
        (-32_768, 3),
        (-32_769, 5),
        (i32::MIN, 5),
    ] {
        let head = Head::signed(value);
        assert_eq!(head.as_slice().len(), len, "{value}");
        assert_eq!(Unpacker::new(head.as_slice()).i32(), Ok(value));
    }
    assert_eq!(Head::signed(7), Head::unsigned(7));
    for (len, head) in [(0, 1), (31, 1), (32, 2), (255, 2), (256, 3), (65_535, 3), (65_536, 5)] {
        let bytes = [Head::text(len).as_slice(), &vec![b'x'; len as usize]].concat();
        assert_eq!(bytes.len(), head + len as usize);
        assert_eq!(Unpacker::new(&bytes).text().map(str::len), Ok(len as usize));
    }
    for (len, head) in [(0, 2), (255, 2), (256, 3), (65_535, 3), (65_536, 5)] {
        let bytes = [Head::bytes(len).as_slice(), &vec![7; len as usize]].concat();
        assert_eq!(bytes.len(), head + len as usize);
        assert_eq!(Unpacker::new(&bytes).bytes().map(<[u8]>::len), Ok(len as usize));
    }
    for (len, head) in [(0, 1), (15, 1), (16, 3), (65_535, 3), (65_536, 5), (u32::MAX, 5)] {
        let (array, map) = (Head::array(len), Head::map(len));
        assert_eq!((array.as_slice().len(), map.as_slice().len()), (head, head));
        assert_eq!(Unpacker::new(array.as_slice()).array(), Ok(len));
        assert_eq!(Unpacker::new(map.as_slice()).map(), Ok(len));
    }
    assert_eq!(Head::NIL.as_slice(), hex!("c0"));
    assert_eq!(
        [Head::bool(false).as_slice(), Head::bool(true).as_slice()],
        [hex!("c2"), hex!("c3")]
    );
}
