//! Connections that are cut, and circuits that outlive them.

use onewrite::circuit::hub::{Answer, Call, FromServer, Message};
use onewrite::circuit::{BatchStore, Next, NoStore, Options, Refusal, Store, Waiting};

use super::rig::{Browser, Conn, Counting, Heard, connection, feed, feed_in, server, started};

type Kept = BatchStore<10, 8192>;

/// What a script does on a new connection.
fn reconnect<St: Store>(server: &mut Counting<St>, secret: &str) -> (Conn, Browser, Vec<Heard>) {
    let (mut conn, mut browser) = (connection(), Browser::new());
    let ask = browser.ask("0", Call::ConnectCircuit { secret });
    let (out, next) = feed(&mut conn, server, &[browser.handshake(), ask].concat());
    assert_eq!(next, Next::Read);
    let heard = browser.hear(out);
    (conn, browser, heard)
}

fn lines(heard: &[Heard]) -> Vec<String> {
    heard.iter().map(Heard::line).collect()
}

fn batches(heard: &[Heard]) -> Vec<(u64, Vec<u8>)> {
    let batch = |heard: &Heard| match heard {
        Heard::Hub(message) if !message.ends_with(b"\x1e") => match FromServer::decode(message) {
            Ok(Message::Invocation { call: Answer::RenderBatch { id, batch }, .. }) => {
                Some((id, batch.to_vec()))
            }
            _ => None,
        },
        _ => None,
    };
    heard.iter().filter_map(batch).collect()
}

#[test]
fn batches_that_were_not_acknowledged_come_again_under_their_numbers() {
    let mut server = server::<Kept>(1, Options::DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    let acknowledged = browser.acknowledge(2);
    feed(&mut conn, &mut server, &acknowledged);
    let mut sent = Vec::new();
    for number in 1..=3 {
        let click = browser.click(number);
        let (out, _) = feed(&mut conn, &mut server, &click);
        sent.extend(batches(&browser.hear(out)));
    }
    assert_eq!(sent.iter().map(|(id, _)| *id).collect::<Vec<_>>(), [3, 4, 5]);
    let acknowledged = browser.acknowledge(3);
    feed(&mut conn, &mut server, &acknowledged);
    conn.detach(&mut server, 0);
    assert_eq!(server.circuits(), (1, 0));
    // Pages change also while nobody looks.
    server.for_each_page(|_, page| page.count = 50);
    let (mut conn, mut again, heard) = reconnect(&mut server, &browser.secret);
    assert_eq!(lines(&heard)[..2], ["{}", "completion 0 Bool(true)"]);
    let resent = batches(&heard);
    assert_eq!(resent[..2], sent[1..]);
    assert_eq!((resent[2].0, resent.len()), (6, 3));
    assert_eq!(conn.waiting(), Waiting::Browser);
    let bytes = [again.acknowledge(4), again.acknowledge(5), again.acknowledge(6), again.click(4)];
    let (out, _) = feed(&mut conn, &mut server, &bytes.concat());
    assert_eq!(lines(&again.hear(out)), ["end 4 true null", "batch 7"]);
    server.for_each_page(|_, page| assert_eq!(page.count, 51));
    assert_eq!((server.counters().reconnected, server.circuits()), (1, (1, 1)));
}

#[test]
fn calls_whose_answers_were_lost_have_an_end() {
    let mut server = server::<Kept>(1, Options::DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    server.handler_mut().calls.extend([("f", true); 4]);
    let (out, _) = feed(&mut conn, &mut server, &browser.acknowledge(2));
    assert_eq!(browser.lines(out).len(), 4);
    conn.detach(&mut server, 0);
    server.handler_mut().calls.extend([("g", true)]);
    let (_, _, heard) = reconnect(&mut server, &browser.secret);
    let ends = server.handler().log.iter().filter(|line| line.contains("connection cut")).count();
    assert_eq!(ends, 4, "{:?}", server.handler().log);
    assert!(lines(&heard).iter().any(|line| line.starts_with("call 5 g")), "{heard:#?}");
}

#[test]
fn without_a_store_the_page_loads_anew() {
    let mut server = server::<NoStore>(1, Options::DEFAULT);
    let (mut conn, browser, _) = started(&mut server);
    conn.detach(&mut server, 0);
    assert_eq!(server.circuits(), (0, 0));
    assert_eq!(server.handler().log.last().unwrap(), "closed 0 Cut");
    let (mut conn, mut again, heard) = reconnect(&mut server, &browser.secret);
    assert_eq!(lines(&heard), ["{}", "completion 0 Bool(false)"]);
    assert_eq!(conn.waiting(), Waiting::Circuit);
    // .NET 10 asks for its state then.
    let resume = Call::ResumeCircuit {
        secret: &browser.secret,
        base_uri: "a",
        uri: "a",
        components: "[]",
        state: "",
    };
    let ask = again.ask("1", resume);
    let (out, next) = feed(&mut conn, &mut server, &ask);
    assert_eq!((lines(&again.hear(out)), next), (vec!["completion 1 Nil".into()], Next::Read));
    assert_eq!(server.counters().not_reconnected, 1);
    // And it may start over on the same connection.
    let start = again.start();
    feed(&mut conn, &mut server, &start);
    assert_eq!(server.circuits(), (1, 1));
}

#[test]
fn a_secret_has_to_be_right_to_its_last_character() {
    let mut server = server::<Kept>(3, Options::DEFAULT);
    let circuits: Vec<_> = (0..3).map(|_| started(&mut server)).collect();
    let secret = &circuits[1].1.secret;
    for at in 0..secret.len() {
        let mut other = secret.clone().into_bytes();
        other[at] = if other[at] == b'A' { b'B' } else { b'A' };
        let other = String::from_utf8(other).unwrap();
        let (_, _, heard) = reconnect(&mut server, &other);
        assert_eq!(lines(&heard)[1], "completion 0 Bool(false)", "{at}");
    }
    for other in ["", &secret[1..], &format!("{secret}A")] {
        let (_, _, heard) = reconnect(&mut server, other);
        assert_eq!(lines(&heard)[1], "completion 0 Bool(false)");
    }
    assert_eq!(server.circuits(), (3, 3));
}

/// A server that has not noticed yet that a connection is gone.
#[test]
fn a_circuit_is_taken_over_from_a_connection_that_still_has_it() {
    let mut server = server::<Kept>(2, Options::DEFAULT);
    let (mut first, mut browser, _) = started(&mut server);
    let (mut second, mut again, heard) = reconnect(&mut server, &browser.secret);
    assert_eq!(lines(&heard), ["{}", "completion 0 Bool(true)", "batch 2"]);
    let click = browser.click(1);
    let (out, next) = feed(&mut first, &mut server, &click);
    assert_eq!((lines(&browser.hear(out)), next), (vec!["closed Some(1000)".into()], Next::Close));
    first.detach(&mut server, 0);
    assert_eq!(server.circuits(), (1, 1), "it is the other one's");
    server.for_each_page(|_, page| assert_eq!(page.count, 0));
    let click = again.click(1);
    let (out, _) = feed(&mut second, &mut server, &click);
    assert_eq!(lines(&again.hear(out)), ["end 1 true null", "batch 3"]);
}

#[test]
fn rendering_waits_for_room_in_the_store() {
    // The first batch, and hardly more.
    let mut server = server::<BatchStore<10, 512>>(1, Options::DEFAULT);
    let (mut conn, mut browser, first) = started(&mut server);
    assert_eq!(first.last().unwrap(), "batch 2");
    let clicks = [browser.click(1), browser.click(2)].concat();
    let (out, _) = feed(&mut conn, &mut server, &clicks);
    let mut heard = lines(&browser.hear(out));
    for number in 3..6 {
        let click = browser.click(number);
        let (out, _) = feed(&mut conn, &mut server, &click);
        heard.extend(lines(&browser.hear(out)));
    }
    let batches = heard.iter().filter(|line| line.starts_with("batch")).count();
    assert!(batches <= 2, "{heard:?}");
    assert!(server.handler().log.contains(&"later".into()));
    let up_to = batches as u64 + 2;
    let acknowledged = browser.acknowledge(up_to);
    let (out, _) = feed(&mut conn, &mut server, &acknowledged);
    assert_eq!(lines(&browser.hear(out)), [format!("batch {}", up_to + 1)]);
    conn.detach(&mut server, 0);
    let (_, _, heard) = reconnect(&mut server, &browser.secret);
    assert_eq!(
        lines(&heard)[1..],
        ["completion 0 Bool(true)".into(), format!("batch {}", up_to + 1)]
    );
}

/// A batch that no store could hold is sent, and until it has arrived the page cannot go on elsewhere.
#[test]
fn what_the_store_cannot_hold_is_sent_and_not_kept() {
    for acknowledged in [false, true] {
        let mut server = server::<BatchStore<10, 512>>(1, Options::DEFAULT);
        server.handler_mut().padding = 5_000;
        let (mut conn, mut browser, first) = started(&mut server);
        assert_eq!(first.last().unwrap(), "batch 2");
        if acknowledged {
            let bytes = [browser.acknowledge(2), browser.click(1)].concat();
            feed(&mut conn, &mut server, &bytes);
        }
        conn.detach(&mut server, 0);
        assert_eq!(server.circuits().0, usize::from(acknowledged));
        let (_, _, heard) = reconnect(&mut server, &browser.secret);
        let expected: &[&str] = match acknowledged {
            true => &["{}", "completion 0 Bool(true)", "batch 3"],
            false => &["{}", "completion 0 Bool(false)"],
        };
        assert_eq!(lines(&heard), expected);
    }
}

#[test]
fn kept_batches_go_out_as_the_sink_has_room() {
    let mut server = server::<Kept>(1, Options::DEFAULT);
    let (mut conn, mut browser, _) = started(&mut server);
    for number in 1..=4 {
        let click = browser.click(number);
        feed(&mut conn, &mut server, &click);
    }
    conn.detach(&mut server, 0);
    let secret = browser.secret.clone();
    let (_, _, whole) = reconnect(&mut server, &secret);
    let (mut conn, mut again) = (connection(), Browser::new());
    let ask = again.ask("0", Call::ConnectCircuit { secret: &secret });
    let bytes = [again.handshake(), ask].concat();
    let (out, _) = feed_in(&mut conn, &mut server, &bytes, 10);
    assert_eq!(again.hear(out), whole);
    assert_eq!(batches(&whole).len(), 5);
}

#[test]
fn circuits_without_a_connection_make_room_and_expire() {
    let mut server = server::<Kept>(3, Options::DEFAULT);
    let mut circuits: Vec<_> = (0..3).map(|_| started(&mut server)).collect();
    let (mut conn, mut browser) = (connection(), Browser::new());
    let bytes = [browser.handshake(), browser.start()].concat();
    let (out, next) = feed(&mut conn, &mut server, &bytes);
    assert_eq!(next, Next::Close);
    let expected = ["{}", "error The server has no room for another page.", "closed Some(1013)"];
    assert_eq!(lines(&browser.hear(out)), expected);
    assert_eq!(conn.refusal(), Some(Refusal::NoCircuit));
    for (at, now) in [(2, 50), (0, 100)] {
        circuits[at].0.detach(&mut server, now);
    }
    let (_, _, first) = started(&mut server);
    assert_eq!(first.len(), 5);
    assert_eq!(server.counters().evicted, 1);
    let (_, _, heard) = reconnect(&mut server, &circuits[2].1.secret);
    assert_eq!(lines(&heard)[1], "completion 0 Bool(false)", "the oldest made room");
    assert_eq!(server.expire(180, 80), 0);
    assert_eq!(server.expire(181, 80), 1);
    assert_eq!((server.counters().expired, server.circuits()), (1, (2, 2)));
    let (_, _, heard) = reconnect(&mut server, &circuits[0].1.secret);
    assert_eq!(lines(&heard)[1], "completion 0 Bool(false)");
    server.close_all();
    assert_eq!(server.circuits(), (0, 0));
    let counters = server.counters();
    assert_eq!((counters.started, counters.closed), (4, 4));
}
