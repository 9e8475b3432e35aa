//! Calls of reducers.

use onewrite::bsatn::Decode as _;
use onewrite::spacetimedb::{v1, v2};
use onewrite::websocket::CloseCode;

use super::server::{Cuts, Peer};
use super::{TYPED, row, run, subscribed, tick, update};

#[test]
fn calls_are_sent_with_the_arguments_and_their_ends_are_told() {
    let everything = r#"[true, -3, "00000000000000000000000000000000000000000000000000000000000000ff",
        1.5, "0102", ["a", "ü"], {"some": 7},
        "0000000000000000000000000000000000000000000000000000000000000001", {"a": 200, "b": -1}]"#;
    let bytes = [
        &b"\x01\xfd\xff"[..],
        &[0; 31],
        &1.5_f64.to_le_bytes(),
        b"\x02\0\0\0\x01\x02\x02\0\0\0\x01\0\0\0a\x02\0\0\0\xc3\xbc\0\x07\0\x01",
        &[0; 31],
        b"\xc8\xff\xff\xff\xff\xff\xff\xff\xff",
    ]
    .concat();
    let calls = [
        ["--call", "tick_insert", "[7, 3, -2]"],
        ["--call", "everything", everything],
        ["--call", "fail", "05000000776f726c64"],
        ["--call", "noop", ""],
    ];
    let expected = [
        ("tick_insert", b"\x07\0\0\0\x03\0\0\0\xfe\xff".to_vec()),
        ("everything", bytes),
        ("fail", b"\x05\0\0\0world".to_vec()),
        ("noop", Vec::new()),
    ];
    for protocol in ["v2", "v3"] {
        let words =
            [&TYPED[..], &["--protocol", protocol, "--once"], calls.as_flattened()].concat();
        let said = run(&words, |listener| {
            let mut peer = subscribed(listener, protocol, &[]);
            let mut answers = Vec::new();
            for (name, args) in &expected {
                let message = peer.receive().unwrap();
                match v2::ClientMessage::from_slice(&message).unwrap() {
                    v2::ClientMessage::CallReducer { request_id, reducer, args: found } => {
                        assert_eq!((reducer, found), (*name, args.as_slice()));
                        let id = request_id.to_le_bytes();
                        answers.push([&b"\0\x06"[..], &id, &[0; 8]].concat());
                    }
                    other => panic!("{other:?}"),
                }
            }
            // One that changes something, one that fails, one that cannot run; in another order.
            let [inserted, everything, failed, noop] = answers.try_into().unwrap();
            peer.send(&[noop, b"\x01".to_vec()].concat());
            peer.send(&[failed, b"\x02\x08\0\0\0\x04\0\0\0oh n".to_vec()].concat());
            peer.send(&[everything, b"\x03\x05\0\0\0panic".to_vec()].concat());
            let sets = update(protocol, &[tick(7, -2)], &[]);
            peer.send(&[inserted, b"\0\0\0\0\0".to_vec(), sets[2..].to_vec()].concat());
            assert_eq!(peer.end().0, Some(1000));
        });
        assert_eq!(said.code, 1, "a call has failed");
        assert_eq!(said.err, "");
        assert_eq!(
            said.lines("called: "),
            [
                "called: noop: committed",
                "called: fail: failed: oh n",
                "called: everything: could not run: panic",
                "called: tick_insert: committed",
            ]
        );
        assert_eq!(said.lines("+ "), [row('+', 7, -2)]);
    }
}

#[test]
fn calls_of_version_1_are_answered_by_ones_own_transactions_only() {
    let words = [&TYPED[..], &["--protocol", "v1", "--once"], &["--call", "noop", ""]].concat();
    for (answer, code, line) in [
        (&b"\0\0\0\0\0"[..], 0, "called: noop: committed"),
        (b"\x01\x02\0\0\0no", 1, "called: noop: could not run: no"),
        (b"\x02", 1, "called: noop: out of energy"),
        // It could not even begin: the number is 0.
        (b"\x01\x03\0\0\0who", 1, "called: noop: could not run: who"),
    ] {
        let said = run(&words, |listener| {
            let mut peer = subscribed(listener, "v1", &[]);
            let message = peer.receive().unwrap();
            let id = match v1::ClientMessage::from_slice(&message).unwrap() {
                v1::ClientMessage::CallReducer { reducer: "noop", request_id, .. } => request_id,
                other => panic!("{other:?}"),
            };
            let transaction = |status: &[u8], connection: u8, id: u32| {
                let mut body = [b"\0\x01", status, &[0; 8], &[7; 32]].concat();
                body.extend([connection; 16]);
                body.extend(b"\x04\0\0\0noop\0\0\0\0\0\0\0\0");
                body.extend(id.to_le_bytes());
                body.extend([0; 16 + 8]);
                body
            };
            // Of someone else, with the same number; and a number alone that is the caller's.
            peer.send(&transaction(b"\0\0\0\0\0", 8, id));
            peer.send(&[b"\0\x02".as_slice(), &id.to_le_bytes(), &[0; 4]].concat());
            let number = if line.ends_with("who") { 0 } else { id };
            peer.send(&transaction(answer, 9, number));
            assert_eq!(peer.end().0, Some(1000));
        });
        assert_eq!(said.lines("called: "), [line], "{}", said.err);
        assert_eq!(said.code, code);
    }
}

#[test]
fn calls_without_an_answer_are_told_and_not_sent_again() {
    let calls = ["--call", "noop", "", "--reconnect=1", "--backoff", "1", "--protocol", "v3"];
    let said = run(&[&TYPED[..], &calls].concat(), |listener| {
        let mut peer = subscribed(listener, "v3", &[]);
        peer.receive().unwrap();
        peer.hang_up();
        let mut peer = subscribed(listener, "v3", &[]);
        peer.close(CloseCode::NORMAL, "");
        assert_eq!(peer.receive(), None);
        Peer::accept(listener, Cuts::Frames).hang_up();
    });
    assert_eq!(said.lines("called: "), ["called: noop: no answer"]);
    assert_eq!(said.code, 1);
}
