//! Streams of frames with damage, cut anywhere: they say the same, and never more than limits allow.

use onewrite::sink::SliceSink;
use onewrite::websocket::{Client, Kind, Limits, Part, Sender, Server};

use super::numbers::Random;
use super::shell::{Said, heard, masked};

/// Frames of every kind, as a client may send them.
pub(crate) fn stream(random: &mut Random) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut open = None;
    for _ in 0..1 + random.below(8) {
        let len = [0, 1, 5, 124, 125, 126, 300][random.below(7)];
        let payload: Vec<u8> = if random.below(2) == 0 {
            "a\u{e4}\u{20ac}\u{1f600}".bytes().cycle().take(len).collect()
        } else {
            random.bytes(len)
        };
        let first = match (random.below(8), open) {
            (0, _) => 0x89,
            (1, _) => 0x8a,
            (2..6, None) => 0x82,
            (_, None) => {
                open = Some(());
                [0x01, 0x02][random.below(2)]
            }
            (2..6, Some(())) => 0x00,
            (_, Some(())) => {
                open = None;
                0x80
            }
        };
        let payload = if first & 0x0f > 8 { &payload[..len.min(125)] } else { &payload };
        bytes.extend(masked(first, payload));
    }
    if random.below(4) == 0 {
        bytes.extend(masked(0x88, &[3, 232]));
    }
    bytes
}

#[test]
fn damaged_streams_say_the_same_however_they_are_cut() {
    let mut random = Random(0x0bad_5eed);
    let limits = Limits { frame: 400, message: 700 };
    let (mut failed, mut whole) = (0, 0);
    for _ in 0..4000 {
        let mut bytes = stream(&mut random);
        for _ in 0..random.below(4) {
            let at = random.below(bytes.len());
            bytes[at] ^= 1 << random.below(8);
        }
        let expected = heard::<Server>(limits, [bytes.as_slice()]);
        match expected.1 {
            Some(_) => failed += 1,
            None => whole += 1,
        }
        let mut message = 0;
        for said in &expected.0 {
            match said {
                Said::Begin(..) => message = 0,
                Said::Bytes(piece) => message += piece.len(),
                Said::Ping(payload) | Said::Pong(payload) => assert!(payload.len() <= 125),
                Said::Close(code, _) => assert!(code.is_none_or(|code| code >= 1000)),
                Said::End => {}
            }
            assert!(message <= 700);
        }
        let at = random.below(bytes.len() + 1);
        for pieces in [vec![&bytes[..at], &bytes[at..]], bytes.chunks(1).collect()] {
            let (said, error) = heard::<Server>(limits, pieces);
            assert_eq!(error, expected.1);
            // Up to the error as much as has arrived is handed on, so more may have been with more cuts.
            if error.is_none() {
                assert_eq!(said, expected.0);
            } else {
                assert!(said.len() >= expected.0.len());
            }
        }
    }
    assert!(failed > 1000 && whole > 1000, "{failed} {whole}");
}

#[test]
fn what_one_end_sends_the_other_hears() {
    let mut random = Random(0x7a1c);
    for _ in 0..300 {
        let mut buffer = vec![0; 200_000];
        let mut sink = SliceSink::new(&mut buffer);
        let mut sender = Sender::<Client>::new();
        let mut expected = Vec::new();
        for _ in 0..5 {
            let len = random.below(3000);
            let payload = random.bytes(len);
            let parts = 1 + random.below(4);
            let mut sent = 0;
            for number in 0..parts {
                let key = random.next().to_le_bytes()[..4].try_into().unwrap();
                let end = if number + 1 == parts { len } else { (sent + 700).min(len) };
                let part = match (number, number + 1 == parts) {
                    (0, true) => Part::Whole(Kind::Binary),
                    (0, false) => Part::First(Kind::Binary),
                    (_, false) => Part::Middle,
                    (_, true) => Part::Last,
                };
                sender.fragment(part, &payload[sent..end], key, &mut sink).unwrap();
                sent = end;
            }
            let whole = (parts == 1).then_some(len as u64);
            expected.push(Said::Begin(Kind::Binary, whole));
            if len != 0 {
                expected.push(Said::Bytes(payload));
            }
            expected.push(Said::End);
        }
        let bytes = sink.into_written();
        let size = 1 + random.below(500);
        let heard = heard::<Server>(Limits::DEFAULT, bytes.chunks(size));
        assert_eq!(heard, (expected, None));
    }
}
