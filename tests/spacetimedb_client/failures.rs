//! Servers that break off, refuse, or send what nobody should.

use onewrite::websocket::CloseCode;

use super::numbers::Random;
use super::server::{Cuts, Peer, applied, greeting};
use super::{Said, TYPED, model, row, run, subscribed, tick, update};

#[test]
fn a_message_that_was_cut_has_never_come() {
    // Rows that were handed on of a message that never ended: neither there, nor in the way later.
    let words = [&TYPED[..], &["--protocol", "v2", "--reconnect=1", "--backoff", "1"]].concat();
    let said = run(&words, |listener| {
        let mut peer = subscribed(listener, "v2", &[tick(1, 1)]);
        let many: Vec<[u8; 7]> = (100..1_000).map(|id| tick(id, 5)).collect();
        let frames = peer.frames(&update("v2", &many, &[tick(1, 1)]));
        peer.write(&frames[..frames.len() - 1]);
        peer.hang_up();
        let peer = subscribed(listener, "v2", &[tick(1, 1)]);
        peer.hang_up();
        Peer::accept(listener, Cuts::Frames).hang_up();
    });
    assert!(
        said.out.ends_with("ended: 1 rows; 1 inserted, 0 updated, 0 deleted\n"),
        "{}",
        said.out
    );
}

#[test]
fn every_close_code_is_told_and_answered() {
    let codes: Vec<u16> =
        (1000..=1003).chain(1007..=1014).chain([3000, 3999, 4000, 4999]).collect();
    for code in codes {
        let close = CloseCode::new(code).unwrap();
        let said = run(&TYPED, |listener| {
            let mut peer = subscribed(listener, "v3", &[tick(1, 1)]);
            peer.close(close, "for a reason");
            let (closed, ..) = peer.end();
            assert_eq!(closed, Some(code));
        });
        assert_eq!(said.code, 1);
        let message = format!("spacetimedb_client: server closed with {code} for a reason\n");
        assert_eq!(said.err, message);
        assert!(said.out.contains("ended: 1 rows; 1 inserted"));
    }
    // One without a code, and one that may not be sent.
    for (frame, closed, message) in [
        (&b"\x88\0"[..], 1000, "server closed without a reason"),
        (b"\x88\x02\x03\xed", 1002, "close code 1005 may not be sent in the frame at byte"),
    ] {
        let said = run(&TYPED, |listener| {
            let mut peer = subscribed(listener, "v3", &[]);
            peer.write(frame);
            assert_eq!(peer.end().0, Some(closed));
        });
        assert!(said.err.contains(message), "{}", said.err);
    }
}

/// A server that answers the handshake with these bytes.
fn answered(answer: &str, words: &[&str]) -> Said {
    run(&[&TYPED[..], words].concat(), |listener| {
        let mut peer = Peer::accept(listener, Cuts::Frames);
        peer.write(answer.as_bytes());
        peer.end();
    })
}

#[test]
fn what_is_no_websocket_is_told_and_not_tried_again() {
    for code in [200, 301, 400, 401, 403, 404, 426] {
        let answer = format!("HTTP/1.1 {code} no\r\ncontent-length: 0\r\n\r\n");
        let said = answered(&answer, &["--reconnect", "--backoff", "1"]);
        assert_eq!(said.code, 1);
        assert!(
            said.err.ends_with(&format!("server answers with status {code}\n")),
            "{}",
            said.err
        );
    }
    for code in [408, 429, 500, 502, 503, 504] {
        let answer = format!("HTTP/1.1 {code} no\r\ncontent-length: 0\r\n\r\n");
        let said = answered(&answer, &["--reconnect=1", "--backoff", "1"]);
        let lost = format!("lost: server answers with status {code}; comes back in ");
        assert_eq!(said.lines(&lost).len(), 1, "{}", said.out);
        // Nobody listens any more, or has only just stopped to.
        assert!(said.err.contains("connection") || said.err.contains("hung up"), "{}", said.err);
    }
    let long = format!("HTTP/1.1 101 yes\r\nx: {}\r\n", "y".repeat(5_000));
    for (answer, message) in [
        ("SSH-2.0-OpenSSH_9.2\r\n\r\n", "response is no HTTP"),
        ("HTTP/1.1 101 yes\r\n\r\n", "server does not say that it speaks WebSocket"),
        (
            "HTTP/1.1 101 yes\r\nupgrade: websocket\r\nconnection: upgrade\r\n\
             sec-websocket-accept: AAAAAAAAAAAAAAAAAAAAAAAAAAA=\r\n\r\n",
            "server does not prove that it has read the request",
        ),
        (
            "HTTP/1.1 101 yes\r\nsec-websocket-protocol: v1.json.spacetimedb\r\n\r\n",
            "server has a subprotocol that was not asked for",
        ),
        (&long, "server's response is longer than 4096 bytes"),
    ] {
        let said = answered(answer, &["--reconnect", "--backoff", "1"]);
        assert_eq!(said.code, 1);
        assert!(said.err.contains(message), "{}, not {message}", said.err);
    }
}

#[test]
fn a_server_that_chooses_no_or_another_version_is_refused() {
    let said = run(&[&TYPED[..], &["--protocol", "v2"]].concat(), |listener| {
        let mut peer = Peer::accept(listener, Cuts::Frames);
        assert_eq!(peer.field("sec-websocket-protocol"), Some("v2.bsatn.spacetimedb"));
        // As if none had been offered.
        peer.head = peer.head.replace("sec-websocket-protocol: ", "x: ");
        peer.open_without_protocol();
        peer.end();
    });
    assert!(said.err.contains("server has chosen no subprotocol"), "{}", said.err);
    for (offered, chosen) in [("auto", "v3"), ("v1", "v1"), ("v2", "v2"), ("v3", "v3")] {
        let words = [&TYPED[..], &["--protocol", offered, "--once"]].concat();
        let said = run(&words, |listener| {
            let mut peer = Peer::accept(listener, Cuts::Frames);
            assert_eq!(peer.open(), format!("{chosen}.bsatn.spacetimedb"));
            let id = peer.greet(chosen, &greeting(chosen));
            peer.send(&applied(chosen, id, &[("tick", vec![&tick(7, 8)])]));
            assert_eq!(peer.end().0, Some(1000));
        });
        assert_eq!((said.code, said.err.as_str()), (0, ""));
        assert_eq!(said.lines("= "), [row('=', 7, 8)]);
    }
}

#[test]
fn hostile_messages_end_only_the_connection_and_have_a_place() {
    let list = |hint: &[u8]| {
        let head = b"\0\x04\x01\0\0\0\x01\0\0\0\x01\0\0\0\x04\0\0\0tick\x01\0\0\0\0";
        [head.as_slice(), hint].concat()
    };
    let bomb = model::compress("Gzip", vec![0; 4 << 20]);
    let mut claim = b"\x01\x0b\0\0\0".to_vec();
    claim.extend([0xff; 40]);
    let cases: Vec<(Vec<u8>, u16, &str)> = vec![
        // Lengths of frames, of messages, of lists and of what is in them.
        (b"\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff".into(), 1002, "length has 64 bits"),
        (b"\x82\x7e\0\x01".into(), 1002, "length takes more bytes than it needs"),
        (b"\x82\xfe".into(), 0, ""),
        (b"\x89\x7e\0\xff".into(), 1002, "control frame has more than 125 bytes"),
        (b"\x83\0".into(), 1002, "opcode 0x3 is reserved"),
        (b"\xc2\0".into(), 1002, "reserved bits are set"),
        (b"\x80\0".into(), 1002, "there is no message to go on with"),
        (b"\x81\x02hi".into(), 1003, "a text instead of bytes in payload 2"),
        (b"\x82\0".into(), 1007, "no byte at all in payload 2"),
        (frame(&[9, 9]), 1007, "unknown compression 9 in payload 2"),
        (frame(&[0]), 1007, "at byte 0 in payload 2"),
        (frame(&[0, 99]), 1007, "at byte 0 in payload 2"),
        (frame(&[0, 3, 1]), 1007, "at byte 2 in payload 2"),
        (frame(&list(b"\x02")), 1007, "at byte 26 in payload 2"),
        (frame(&list(b"\0\x07\0\x08\0\0\0aaaaaaaa")), 1007, "at byte 29 in payload 2"),
        (frame(&list(b"\0\0\0\x08\0\0\0aaaaaaaa")), 1007, "at byte 29 in payload 2"),
        (frame(&list(b"\0\xff\xff\xff\xff\0\0a")), 1009, "at byte 33 in payload 2"),
        (frame(&list(b"\x01\xff\xff\xff\xff")), 1009, "lend room for 4294967295 offsets"),
        (frame(&list(b"\x01\0\x70\0\0")), 1009, "in payload 2; --capacity makes room\n"),
        (frame(&list(b"\x01\x01\x70\0\0")), 1009, "at byte 31 in payload 2\n"),
        (frame(&list(b"\x01\x01\0\0\0\x01\0\0\0\0\0\0\0")), 1007, "at byte 31 in payload 2"),
        (
            frame(b"\0\x04\x01\0\0\0\x01\0\0\0\x01\0\0\0\xff\xff\xff\xff"),
            1009,
            "at byte 17 in payload 2",
        ),
        (frame(&[&[0, 4][..], &[0xff; 4]].concat()), 1007, "in payload 2"),
        // What does not inflate, or to too much.
        (frame(b"\x02\x1f\x8b\x08\0"), 1007, "in payload 2"),
        (frame(b"\x02no gzip at all, not even near"), 1007, "at compressed byte 1 in payload 2"),
        (frame(&bomb), 1009, "inflates to 4194304 bytes or more in payload 2"),
        (frame(&claim), 1007, "in payload 2"),
        // Rows that cannot be.
        (frame(&update("v2", &[tick(1, 2)], &[])), 1008, "another row than the one that is there"),
        (frame(&update("v2", &[], &[tick(9, 9)])), 1008, "nothing there to remove or replace"),
        (frame(&list(b"\0\x03\0\x03\0\0\0abc")), 1008, "row is not of its table's type"),
    ];
    for (bytes, code, message) in &cases {
        for cuts in [Cuts::Frames, Cuts::Anyhow(Random::of(7))] {
            let words = ["--protocol", "v2", "--compression", "gzip", "--reconnect=1"];
            let said = run(&[&TYPED[..], &words, &["--backoff", "1"]].concat(), |listener| {
                let mut peer = subscribed(listener, "v2", &[tick(1, 1)]);
                peer.cuts = cuts;
                peer.write(bytes);
                if *code == 0 {
                    // It waits for the rest, which never comes.
                    peer.hang_up();
                } else {
                    assert_eq!(peer.end().0, Some(*code), "{}", bytes.escape_ascii());
                }
                if *code == 1009 {
                    return;
                }
                // The rows are as they were; and what is wrong may be right the next time.
                if message.contains("row is not of") {
                    return;
                }
                let peer = subscribed(listener, "v2", &[tick(1, 1), tick(2, 2)]);
                peer.hang_up();
                Peer::accept(listener, Cuts::Frames).hang_up();
            });
            let all = format!("{}{}", said.out, said.err);
            assert!(all.contains(message), "{}: {all}", bytes.escape_ascii());
            assert_eq!(said.lines("- ").len() + said.lines("~ ").len(), 0, "{all}");
            assert_eq!(said.code, 1);
        }
    }
}

fn frame(payload: &[u8]) -> Vec<u8> {
    let len = payload.len();
    let mut frame = match u16::try_from(len) {
        Ok(short @ ..126) => vec![0x82, short.to_le_bytes()[0]],
        Ok(len) => [&[0x82, 126][..], &len.to_be_bytes()].concat(),
        Err(_) => [&[0x82, 127][..], &(len as u64).to_be_bytes()].concat(),
    };
    frame.extend(payload);
    frame
}

#[test]
fn a_message_that_is_too_long_when_inflated_says_how_much_it_needs() {
    let rows: Vec<[u8; 7]> = (0..2_000).map(|id| tick(id, 1)).collect();
    let changes = rows.iter().map(|row| (("tick".to_owned(), row.to_vec()), 1)).collect();
    for (compression, name) in [("gzip", "Gzip"), ("brotli", "Brotli")] {
        let payload = model::payload("v2", name, &changes);
        let most = payload.len().to_string();
        for (max, enough) in [(most.as_str(), false), ("100", false), ("14100", true)] {
            if compression == "brotli" && max == most {
                // What is stored is longer than what it stores: it fits.
                continue;
            }
            let words = ["--compression", compression, "--max-message", max, "--protocol", "v2"];
            let said = run(&[&TYPED[..], &words].concat(), |listener| {
                let mut peer = subscribed(listener, "v2", &[]);
                peer.send(&payload);
                if enough {
                    peer.close(CloseCode::NORMAL, "");
                }
                peer.end();
            });
            if enough {
                assert_eq!(said.lines("= ").len(), 2_000);
            } else if max == "100" {
                assert!(said.err.contains("compressed payload needs room for"), "{}", said.err);
            } else {
                let message = "compressed payload inflates to 14042 bytes or more";
                assert!(said.err.contains(message), "{}", said.err);
            }
            let hint = said.err.ends_with(" in payload 2; --max-message makes room\n");
            assert_eq!(hint, !enough, "{}", said.err);
        }
    }
}
