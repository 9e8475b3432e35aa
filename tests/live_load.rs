//! The example's pages under load, without a browser: no click is lost, nothing stays behind.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "live_browser/child.rs"]
#[allow(dead_code, reason = "a browser's tests do more with it")]
mod child;
#[path = "../examples/live_counter/counter/mod.rs"]
mod counter;
#[path = "../examples/live_load/tool/mod.rs"]
mod live_load;
#[path = "../examples/live_counter/server/mod.rs"]
mod server;

use std::thread;
use std::time::Duration;

use child::Server;
use serde_json::json;

/// Longer than anything should take, also on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a new process of this program runs to be the server.
#[test]
fn the_server_itself() {
    child::be_the_server(server::run);
}

/// A server, where this machine is one whose time runs as it should.
fn start(arguments: &[&str]) -> Option<Server> {
    if !onewrite_boards::label().measures_time() {
        eprintln!("skipped: an emulated machine");
        return None;
    }
    Some(Server::start(arguments))
}

/// Runs the tool against it; returns its exit code.
fn load(server: &Server, words: &str) -> u8 {
    let address = server.address.to_string();
    let words = ["live_load", &address].into_iter().chain(words.split(' '));
    live_load::run(words.map(Into::into))
}

#[test]
fn no_click_is_lost_and_nothing_grows() {
    let Some(server) = start(&["--store", "4"]) else { return };
    let mut first = None;
    for run in 1..=4_u64 {
        assert_eq!(load(&server, "--circuits 10 --clicks 1000 --every 0"), 0, "run {run}");
        // Pages that were left are gone, and every event was counted once.
        server.until("circuits", &json!(0));
        server.until("live", &json!(0));
        let state = server.hook("state");
        assert_eq!(state["started"], 10 * run, "{state}");
        assert_eq!(state["closed"], 10 * run, "{state}");
        assert_eq!(state["events"], 1_000 * run, "{state}");
        assert_eq!(state["refused"], 0, "{state}");
        let memory = live_load::memory::of(server.pid());
        let first = *first.get_or_insert(memory);
        let grown = memory.zip(first).map(|(now, first)| now.saturating_sub(first));
        // What cannot be read off elsewhere.
        let is_small = grown.map_or(cfg!(not(target_os = "linux")), |grown| grown < 1 << 20);
        assert!(is_small, "{grown:?} bytes more after run {run}");
    }
    server.stop();
}

#[test]
fn a_batch_that_is_missing_is_noticed() {
    let Some(server) = start(&[]) else { return };
    let code = thread::scope(|scope| {
        let words = "--circuits 1 --clicks 1000 --every 10 --timeout 3000";
        let load = scope.spawn(|| load(&server, words));
        server.until("live", &json!(1));
        thread::sleep(Duration::from_millis(300));
        server.hook("skip");
        load.join().unwrap()
    });
    assert_eq!(code, 1);
    server.stop();
}

/// From one click to the next is longer than the server bears silence.
#[test]
fn a_page_that_is_seldom_clicked_in_is_not_lost() {
    // As much longer than from one ping to the next that a machine with other work to do is not taken for it.
    let Some(server) = start(&["--silence", "6000"]) else { return };
    assert_eq!(load(&server, "--circuits 1 --clicks 2 --every 9000 --ping 500"), 0);
    server.stop();
}

#[test]
fn many_idle_pages_hold() {
    let Some(server) = start(&["--circuits", "200"]) else { return };
    let code = thread::scope(|scope| {
        let load = scope.spawn(|| load(&server, "--circuits 200 --clicks 400 --every 1 --idle 2"));
        server.until("live", &json!(200));
        load.join().unwrap()
    });
    assert_eq!(code, 0);
    server.until("circuits", &json!(0));
    // One more than there is room for.
    assert_eq!(load(&server, "--circuits 201 --clicks 1 --timeout 2000"), 2);
    server.stop();
}
