//! Headers, masks and what a receiver takes.

use hex_literal::hex;
use onewrite::websocket::{
    Client, CloseCode, Error, ErrorKind, Header, Kind, Limits, MAX_HEADER, Mask, Opcode, Receiver,
    Server,
};

use super::shell::{KEY, Said, heard, masked, plain};

/// RFC 6455 section 5.7.
#[test]
fn examples_of_the_rfc_are_read() {
    let text = |len| vec![Said::Begin(Kind::Text, len), Said::Bytes(b"Hello".to_vec()), Said::End];
    let client = |bytes: &[u8]| heard::<Client>(Limits::DEFAULT, [bytes]);
    assert_eq!(client(&hex!("8105 48656c6c6f")), (text(Some(5)), None));
    let fragments = client(&hex!("0103 48656c 8002 6c6f"));
    assert_eq!(fragments, (text(None), None));
    let masked = heard::<Server>(Limits::DEFAULT, [&hex!("8185 37fa213d 7f9f4d5158")[..]]);
    assert_eq!(masked, (text(Some(5)), None));
    assert_eq!(client(&hex!("8905 48656c6c6f")).0, [Said::Ping(b"Hello".to_vec())]);
    let pong = heard::<Server>(Limits::DEFAULT, [&hex!("8a85 37fa213d 7f9f4d5158")[..]]);
    assert_eq!(pong.0, [Said::Pong(b"Hello".to_vec())]);
    for (head, len) in [(&hex!("827e 0100")[..], 256), (&hex!("827f 0000000000010000"), 65_536)] {
        let bytes = [head, &vec![7; len]].concat();
        let limits = Limits { frame: len as u64, message: len as u64 };
        let (said, error) = heard::<Client>(limits, [bytes.as_slice()]);
        let begin = Said::Begin(Kind::Binary, Some(len as u64));
        assert_eq!((said, error), (vec![begin, Said::Bytes(vec![7; len]), Said::End], None));
    }
}

#[test]
fn headers_are_two_to_fourteen_bytes_and_come_back() {
    let lens = [
        (0, 2),
        (1, 2),
        (125, 2),
        (126, 4),
        (127, 4),
        (65_535, 4),
        (65_536, 10),
        (u64::MAX >> 1, 10),
    ];
    for (len, head) in lens {
        for opcode in [
            Opcode::Continuation,
            Opcode::Text,
            Opcode::Binary,
            Opcode::Close,
            Opcode::Ping,
            Opcode::Pong,
        ] {
            for last in [false, true] {
                for key in [None, Some(KEY)] {
                    let header = Header { last, opcode, len, key };
                    let bytes = header.to_bytes();
                    let bytes = bytes.as_slice();
                    assert_eq!(bytes.len(), head + key.map_or(0, |_| 4));
                    assert!(bytes.len() <= MAX_HEADER);
                    if opcode.is_control() && (!last || len > 125) {
                        assert!(Header::decode(bytes).is_err());
                        continue;
                    }
                    assert_eq!(Header::decode(bytes), Ok(Some((header, bytes.len()))));
                    for cut in 0..bytes.len() {
                        assert_eq!(Header::decode(&bytes[..cut]), Ok(None), "{header:?}: {cut}");
                    }
                }
            }
        }
    }
}

#[test]
fn headers_are_exactly_these_bytes() {
    let head = |len, key| {
        Header { last: true, opcode: Opcode::Binary, len, key }.to_bytes().as_slice().to_vec()
    };
    assert_eq!(head(125, None), hex!("827d"));
    assert_eq!(head(0x0102, None), hex!("827e 0102"));
    assert_eq!(head(0x01_0203, None), hex!("827f 0000000000010203"));
    assert_eq!(head(125, Some(KEY)), hex!("82fd 37fa213d"));
    assert_eq!(head(0x0102, Some(KEY)), hex!("82fe 0102 37fa213d"));
    assert_eq!(head(0x01_0203, Some(KEY)), hex!("82ff 0000000000010203 37fa213d"));
}

#[test]
fn wrong_frames_are_refused_at_their_first_byte() {
    use ErrorKind as Kind;
    let limits = Limits { frame: 1000, message: 1500 };
    for (frame, kind) in [
        // Only as much of a header as it takes.
        (&hex!("c1")[..], Kind::ReservedBits),
        (&hex!("a1"), Kind::ReservedBits),
        (&hex!("91"), Kind::ReservedBits),
        (&hex!("83"), Kind::BadOpcode { opcode: 3 }),
        (&hex!("8f"), Kind::BadOpcode { opcode: 15 }),
        (&hex!("09"), Kind::ControlFragmented),
        (&hex!("08"), Kind::ControlFragmented),
        (&hex!("89fe"), Kind::ControlTooLong),
        (&hex!("88ff"), Kind::ControlTooLong),
        (&hex!("82fe 007d"), Kind::LengthNotMinimal),
        (&hex!("82ff 000000000000ffff"), Kind::LengthNotMinimal),
        (&hex!("82ff 8000000000000000"), Kind::LengthTooLarge),
        (&hex!("8100"), Kind::MaskMissing),
        (&hex!("8080 00000000"), Kind::NoMessage),
        (&hex!("82fe 03e9 00000000"), Kind::FrameTooLarge { len: 1001, limit: 1000 }),
        (
            &hex!("82ff 7fffffffffffffff 00000000"),
            Kind::FrameTooLarge { len: u64::MAX >> 1, limit: 1000 },
        ),
        (&hex!("8881 00000000 03"), Kind::CutCloseCode),
        (&hex!("8882 00000000 03ed"), Kind::BadCloseCode { code: 1005 }),
        (&hex!("8883 00000000 03e8ff"), Kind::InvalidUtf8),
        (&hex!("8181 00000000 ff"), Kind::InvalidUtf8),
        (&hex!("8181 00000000 c3"), Kind::InvalidUtf8),
    ] {
        let before = masked(0x82, b"before");
        let input = [&before[..], frame].concat();
        let (said, error) = heard::<Server>(limits, [input.as_slice()]);
        assert_eq!(error, Some(Error { at: before.len() as u64, kind }), "{frame:02x?}");
        assert_eq!(said[1], Said::Bytes(b"before".to_vec()));
        let (_, cut) = heard::<Server>(limits, input.chunks(1));
        assert_eq!(cut, error, "{frame:02x?}");
    }
    // Inside of a message.
    for (frame, kind) in [
        (masked(0x81, b""), Kind::MessageUnfinished),
        (masked(0x02, b""), Kind::MessageUnfinished),
        (masked(0x80, &[b'a'; 501]), Kind::MessageTooLarge { len: 1501, limit: 1500 }),
    ] {
        let first = masked(0x01, &[b'a'; 1000]);
        let (_, error) = heard::<Server>(limits, [&first[..], &frame]);
        assert_eq!(error, Some(Error { at: first.len() as u64, kind }));
    }
    let (_, error) = heard::<Client>(limits, [&masked(0x81, b"")[..]]);
    assert_eq!(error.unwrap().kind, Kind::MaskUnexpected);
}

#[test]
fn limits_are_what_is_allowed() {
    let limits = Limits { frame: 1000, message: 1500 };
    let input = [masked(0x02, &[1; 1000]), masked(0x80, &[2; 500]), masked(0x82, &[3; 1000])];
    assert_eq!(heard::<Server>(limits, input.iter().map(Vec::as_slice)).1, None);
}

#[test]
fn close_codes_are_those_that_may_be_sent() {
    for code in 0..=u16::MAX {
        let valid = matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999);
        assert_eq!(CloseCode::new(code).map(CloseCode::get), valid.then_some(code));
    }
}

#[test]
fn what_comes_after_a_close_frame_is_not_read() {
    let mut receiver = Receiver::<Client>::new(Limits::DEFAULT);
    let mut bytes = [plain(0x88, &hex!("03e9 6279 65")), vec![0xff; 300]].concat();
    let mut input = bytes.as_mut_slice();
    let event = receiver.next(&mut input).unwrap().unwrap();
    let mut said = Vec::new();
    Said::push(&mut said, event);
    assert_eq!(said, [Said::Close(Some(1001), "bye".to_owned())]);
    assert_eq!(receiver.next(&mut input), Ok(None));
    assert!(input.is_empty() && receiver.is_closed());
    assert_eq!(receiver.position(), 307);
}

#[test]
fn masks_do_not_depend_on_how_a_payload_is_cut() {
    let payload: Vec<u8> = (0..200u8).collect();
    let expected: Vec<u8> =
        payload.iter().zip(KEY.iter().cycle()).map(|(byte, key)| byte ^ key).collect();
    for first in 0..payload.len() {
        for second in [first, (first + 1).min(200), (first + 37).min(200), 200] {
            let mut bytes = payload.clone();
            let mut mask = Mask::new(KEY);
            mask.apply(&mut bytes[..first]);
            mask.apply(&mut bytes[first..second]);
            mask.apply(&mut bytes[second..]);
            assert_eq!(bytes, expected, "{first} {second}");
        }
        let mut mask = Mask::new(KEY);
        mask.skip(first);
        let mut bytes = payload[first..].to_vec();
        mask.apply(&mut bytes);
        assert_eq!(bytes, expected[first..], "{first}");
    }
}

/// Everything that a receiver can say, from two halves cut at each byte, and from single bytes.
#[test]
fn every_split_says_the_same() {
    let input: Vec<u8> = [
        masked(0x81, "a text: \u{e4}\u{20ac}\u{1f600}".as_bytes()),
        masked(0x01, "\u{20ac}".as_bytes().split_at(1).0),
        masked(0x89, b"ping"),
        masked(0x00, b""),
        masked(0x00, "\u{20ac}".as_bytes().split_at(1).1),
        masked(0x8a, b""),
        masked(0x80, b"end"),
        masked(0x82, &[9; 300]),
        masked(0x82, b""),
        masked(0x89, &[b'p'; 125]),
        masked(0x02, b""),
        masked(0x80, b""),
        masked(0x88, &[&1000u16.to_be_bytes()[..], "ende \u{fc}".as_bytes()].concat()),
        b"rest".to_vec(),
    ]
    .concat();
    let expected = heard::<Server>(Limits::DEFAULT, [input.as_slice()]);
    assert_eq!((expected.0.len(), expected.1), (19, None), "{:?}", expected.0);
    for at in 0..=input.len() {
        let halves = heard::<Server>(Limits::DEFAULT, [&input[..at], &input[at..]]);
        assert_eq!(halves, expected, "{at}");
    }
    for len in 1..9 {
        assert_eq!(heard::<Server>(Limits::DEFAULT, input.chunks(len)), expected, "{len}");
    }
    assert!(size_of::<Receiver<Server>>() <= 256, "{}", size_of::<Receiver<Server>>());
}
