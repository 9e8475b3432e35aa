//! Who takes too long, and who must not wait for that.

use std::io::Write as _;
use std::time::{Duration, Instant};

use super::child::PATIENCE;
use super::page::{Page, hook, start};

#[test]
fn who_says_nothing_loses_the_connection() {
    let Some(server) = start("--begin 700 --silence 1500 --ping 300") else { return };
    // Nothing at all, a part of a request, no handshake, no circuit, a page that falls silent.
    let mut silent = server.connect();
    let mut half = server.connect();
    half.write_all(b"GET / HT").unwrap();
    let mut connected = Page::connect(&server);
    let mut greeted = Page::greeted(&server);
    let mut page = Page::open(&server);
    let begun = Instant::now();
    connected.until("closed 1008");
    greeted.until("closed 1008");
    assert!(begun.elapsed() < Duration::from_secs(20));
    let mut pings = 0;
    loop {
        match &*page.next() {
            "ping" => pings += 1,
            "closed 1008" => break,
            other => panic!("{other}"),
        }
    }
    assert!(pings >= 2, "{pings}");
    for socket in [&mut silent, &mut half] {
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(socket, &mut bytes).unwrap();
    }
    server.stop();
}

/// One does not read, and its table runs; another one does not notice.
#[test]
fn a_slow_page_does_not_hold_another_one() {
    let Some(server) = start("--test-hooks --store 0 --silence 4000") else { return };
    let mut good = Page::open(&server);
    let mut slow = Page::open(&server);
    slow.event("run", "click", "null", "{}");
    let (begun, mut clicks) = (Instant::now(), 0);
    while hook(&server, "state")["live"] != 1 {
        assert!(begun.elapsed() < PATIENCE, "the slow page is still there");
        clicks += 1;
        let click = Instant::now();
        good.click(clicks);
        assert!(click.elapsed() < Duration::from_secs(2), "{:?}", click.elapsed());
        std::thread::sleep(Duration::from_millis(20));
    }
    // Ten batches were for the slow page, and the first that it has acknowledged; then it was waited for.
    let batches = hook(&server, "state")["batches"].as_u64().unwrap();
    assert_eq!(batches - u64::from(clicks), 12);
    server.stop();
}

#[test]
fn a_server_that_stops_says_so() {
    let Some(mut server) = start("") else { return };
    let mut page = Page::open(&server);
    let mut idle = server.connect();
    server.signal("TERM");
    assert_eq!([page.next(), page.next()], ["closed 1001", "gone"]);
    let mut bytes = Vec::new();
    match std::io::Read::read_to_end(&mut idle, &mut bytes) {
        Ok(len) => assert_eq!(len, 0),
        // It was still to be accepted.
        Err(error) => assert_eq!(error.kind(), std::io::ErrorKind::ConnectionReset),
    }
    assert_eq!(server.wait(), Some(0));
}
