//! The example's server, as a process: load, slow clients, its stop, its memory, its calls.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "http_server/child.rs"]
mod child;
#[path = "../examples/http_load/tool/mod.rs"]
mod http_load;
#[path = "../examples/http_server/server/mod.rs"]
mod server;
#[path = "../examples/http_server/site/mod.rs"]
mod site;

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use child::{PATIENCE, Server, get, has, response, rest};

/// What a new process of this program runs to be the server.
#[test]
fn the_server_itself() {
    child::be_the_server(server::run);
}

/// Preface, SETTINGS, and the start of a HEADERS frame of stream 1 that ends headers and stream.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/// Acknowledges the server's SETTINGS.
const ACK: &[u8] = b"\0\0\0\x04\x01\0\0\0\0";

/// GET /data on a stream of HTTP/2.
fn get_data(stream: u8) -> Vec<u8> {
    let block = b"\x82\x86\x01\x02pi\x04\x05/data";
    [b"\0\0\x0d\x01\x05\0\0\0".as_slice(), &[stream], block].concat()
}

/// Reads frames until one of `kind` has come on `stream`; returns its payload.
fn frame(socket: &mut TcpStream, kind: u8, stream: u32) -> Vec<u8> {
    loop {
        let mut head = [0; 9];
        socket.read_exact(&mut head).unwrap();
        let mut payload = vec![0; usize::from(head[1]) << 8 | usize::from(head[2])];
        socket.read_exact(&mut payload).unwrap();
        if head[3] == kind && u32::from_be_bytes(*head.last_chunk().unwrap()) == stream {
            return payload;
        }
    }
}

const DATA: u8 = 0;
const GOAWAY: u8 = 7;

#[test]
fn ten_loads_in_a_row_lose_nothing() {
    let Some(server) = Server::start("") else { return };
    let address = server.address.to_string();
    for run in 0..10 {
        for in_flight in ["1", "32"] {
            let seed = run.to_string();
            let words = [
                "http_load",
                &address,
                "--requests",
                "500",
                "--slice",
                "100",
                "--in-flight",
                in_flight,
                "--seed",
                &seed,
                "--expect",
                "Hello World",
                "--quiet",
            ];
            assert_eq!(http_load::run(words.map(Into::into)), 0, "run {run} with {in_flight}");
        }
    }
    server.stop();
}

#[test]
fn a_server_that_coalesces_waits_after_each_turn_and_loses_nothing() {
    let Some(server) = Server::start("--coalesce 100000") else { return };
    let mut socket = server.connect();
    let begun = Instant::now();
    for _ in 0..6 {
        assert!(get(&mut socket, "/data").ends_with(b"Hello World"));
    }
    // Five waits lie between six answers that were asked for one by one.
    assert!(begun.elapsed() >= Duration::from_millis(500), "{:?}", begun.elapsed());
    server.stop();
    let Some(server) = Server::start("--coalesce 500") else { return };
    let words = ["http_load", &server.address.to_string(), "--requests", "500", "--slice", "100"];
    let words = words.iter().chain(&["--in-flight", "32", "--expect", "Hello World", "--quiet"]);
    assert_eq!(http_load::run(words.map(Into::into)), 0);
    server.stop();
}

#[test]
fn a_load_notices_wrong_bodies_and_lost_responses() {
    let Some(server) = Server::start("--protocol h1") else { return };
    let address = server.address.to_string();
    let run = |words: &[&str]| {
        let all = ["http_load", &address, "--requests", "20", "--quiet"];
        http_load::run(all.iter().chain(words).map(Into::into))
    };
    assert_eq!(run(&["--protocol", "h1"]), 0);
    assert_eq!(run(&["--protocol", "h1", "--expect", "Hello World!"]), 1);
    assert_eq!(run(&["--protocol", "h1", "--paths", "/nope", "/data"]), 1);
    // It speaks no HTTP/2, and says so.
    assert_eq!(run(&["--protocol", "h2c"]), 2);
    assert_eq!(run(&["--protocol", "h2c", "--expect", "Hello World"]), 1);
    server.stop();
    assert_eq!(run(&["--protocol", "h1", "--expect", "Hello World"]), 1);
}

/// Case http-06, A: a client that says nothing.
#[test]
fn http_06_a_silent_client_loses_its_place() {
    let Some(server) = Server::start("--idle-timeout 200") else { return };
    let mut silent = server.connect();
    let begun = Instant::now();
    assert_eq!(rest(&mut silent), b"");
    assert!(begun.elapsed() >= Duration::from_millis(150), "{:?}", begun.elapsed());
    // The same between two requests, over both protocols.
    let mut idle = server.connect();
    get(&mut idle, "/data");
    assert_eq!(rest(&mut idle), b"");
    let mut idle = server.connect();
    idle.write_all(&[PREFACE, ACK, &get_data(1)].concat()).unwrap();
    assert_eq!(frame(&mut idle, DATA, 1), b"Hello World");
    // The last stream was 1, and nothing was wrong.
    assert_eq!(frame(&mut idle, GOAWAY, 0)[..8], [0, 0, 0, 1, 0, 0, 0, 0]);
    assert_eq!(rest(&mut idle), b"");
    server.stop();
}

/// Case http-06, B: a head that comes a byte now and then.
#[test]
fn http_06_b_slow_head_is_answered_408() {
    let Some(server) = Server::start("--head-timeout 300 --idle-timeout 20000") else { return };
    let mut slow = server.connect();
    slow.write_all(b"GET / HT").unwrap();
    let begun = Instant::now();
    let mut feet = slow.try_clone().unwrap();
    let drip = thread::spawn(move || {
        for byte in b"TP/1.1\r\nHost: pi\r\nX-Long: ".iter().chain([b'x'; 200].iter()) {
            if feet.write_all(&[*byte]).is_err() || begun.elapsed() > PATIENCE {
                return;
            }
            thread::sleep(Duration::from_millis(30));
        }
    });
    let answer = rest(&mut slow);
    assert!(answer.starts_with(b"HTTP/1.1 408 "), "{}", answer.escape_ascii());
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
    drop(slow);
    drip.join().unwrap();
    server.stop();
}

/// Case http-06, C: a client that asks for much and reads nothing.
#[test]
fn http_06_c_client_that_never_reads_loses_its_place() {
    for protocol in ["h1", "h2"] {
        let arguments = format!("--write-timeout 300 --idle-timeout 20000 --protocol {protocol}");
        let Some(server) = Server::start(&arguments) else { return };
        let mut greedy = server.connect();
        if protocol == "h1" {
            // More than all buffers of the system hold.
            let request = b"GET /large HTTP/1.1\r\nHost: pi\r\n\r\n".repeat(20);
            greedy.write_all(&request).unwrap();
        } else {
            let block = b"\x82\x86\x01\x02pi\x04\x06/large";
            let request = [b"\0\0\x0e\x01\x05\0\0\0\x01".as_slice(), block].concat();
            // The windows stay as they are: 65,535 bytes.
            greedy.write_all(&[PREFACE, ACK, &request].concat()).unwrap();
        }
        let gone = Instant::now() + PATIENCE;
        loop {
            // Only the server's side tells that it is gone: nothing is read here.
            let open = descriptors(&server);
            if open == 0 {
                break;
            }
            assert!(Instant::now() < gone, "{open} sockets of {protocol} are still open");
            thread::sleep(Duration::from_millis(20));
        }
        assert_eq!(get_once(&server, protocol), b"Hello World");
        server.stop();
    }
}

/// Case http-06, D: many of them, while a good client asks.
#[test]
fn http_06_d_good_client_is_served_among_slow_ones() {
    let arguments = "--head-timeout 4000 --idle-timeout 4000 --write-timeout 4000";
    let Some(server) = Server::start(arguments) else { return };
    let mut slow: Vec<TcpStream> = Vec::new();
    for number in 0..64 {
        let mut socket = server.connect();
        let request: &[u8] = match number % 3 {
            0 => b"",
            1 => b"GET / HT",
            _ => &b"GET /large HTTP/1.1\r\nHost: pi\r\n\r\n".repeat(20),
        };
        socket.write_all(request).unwrap();
        slow.push(socket);
    }
    let mut good = server.connect();
    for _ in 0..20 {
        let begun = Instant::now();
        assert!(get(&mut good, "/data").ends_with(b"Hello World"));
        // Half of what the slow ones are given, on a machine that may have much else to do.
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
        thread::sleep(Duration::from_millis(20));
    }
    // All of them lose their places; the good one keeps asking and keeps its own.
    let gone = Instant::now() + PATIENCE;
    while descriptors(&server) > 1 {
        assert!(get(&mut good, "/data").ends_with(b"Hello World"));
        assert!(Instant::now() < gone, "{} sockets", descriptors(&server));
        thread::sleep(Duration::from_millis(50));
    }
    server.stop();
}

/// A slow client keeps its place as long as it takes what it asked for.
#[test]
fn a_client_that_reads_slowly_gets_everything() {
    let Some(server) = Server::start("--write-timeout 300") else { return };
    let mut slow = server.connect();
    slow.write_all(&b"GET /large HTTP/1.1\r\nHost: pi\r\n\r\n".repeat(24)).unwrap();
    slow.write_all(b"GET /data HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n").unwrap();
    let mut all = Vec::new();
    let mut piece = vec![0; 128 * 1024];
    loop {
        match slow.read(&mut piece) {
            Ok(0) => break,
            Ok(count) => all.extend(&piece[..count]),
            Err(error) => panic!("{error}"),
        }
        thread::sleep(Duration::from_millis(15));
    }
    let mut direct = server.connect();
    let one = get(&mut direct, "/large");
    assert_eq!(one.len() % (1 << 20), one.len() - (1 << 20));
    assert!(all.starts_with(&one.repeat(24)));
    assert!(all.ends_with(b"Hello World"));
    server.stop();
}

#[test]
fn whoever_finds_no_place_is_told_so_at_once() {
    let Some(server) = Server::start("--connections 2") else { return };
    let mut both = [server.connect(), server.connect()];
    for socket in &mut both {
        get(socket, "/data");
    }
    let mut third = server.connect();
    let mut answer = Vec::new();
    // A reset may come behind it, as nobody reads what this client might send.
    third.read_to_end(&mut answer).ok();
    assert!(answer.starts_with(b"HTTP/1.1 503 "), "{}", answer.escape_ascii());
    drop(both);
    let limit = Instant::now() + PATIENCE;
    loop {
        let mut again = server.connect();
        let asked = again.write_all(b"GET /data HTTP/1.1\r\nHost: pi\r\nConnection: close\r\n\r\n");
        let mut answer = Vec::new();
        let read = again.read_to_end(&mut answer);
        if asked.is_ok() && read.is_ok() && answer.ends_with(b"Hello World") {
            break;
        }
        assert!(Instant::now() < limit, "{}", answer.escape_ascii());
    }
    server.stop();
}

#[test]
fn a_stop_lets_requests_end_and_closes_what_is_idle() {
    let Some(mut server) = Server::start("--grace 20000") else { return };
    let mut idle = server.connect();
    get(&mut idle, "/data");
    let mut idle2 = server.connect();
    idle2.write_all(&[PREFACE, ACK, &get_data(1)].concat()).unwrap();
    frame(&mut idle2, DATA, 1);
    let mut silent = server.connect();
    let mut begun = server.connect();
    begun.write_all(b"POST /data HTTP/1.1\r\nHost: pi\r\nContent-Length: 10\r\n\r\n12345").unwrap();
    let mut head = server.connect();
    head.write_all(b"GET /data HTTP/1.1\r\nHo").unwrap();
    // Until the server has seen all of them.
    thread::sleep(Duration::from_millis(200));
    server.signal("TERM");
    assert_eq!(rest(&mut idle), b"");
    assert_eq!(rest(&mut silent), b"");
    assert_eq!(frame(&mut idle2, GOAWAY, 0)[..8], [0, 0, 0, 1, 0, 0, 0, 0]);
    // Nobody new comes in.
    let refused = TcpStream::connect(server.address);
    assert_eq!(refused.unwrap_err().kind(), ErrorKind::ConnectionRefused);
    begun.write_all(b"67890").unwrap();
    let answer = rest(&mut begun);
    assert!(answer.starts_with(b"HTTP/1.1 405 "), "{}", answer.escape_ascii());
    head.write_all(b"st: pi\r\n\r\n").unwrap();
    let answer = String::from_utf8(rest(&mut head)).unwrap();
    assert!(answer.contains("\r\nconnection: close\r\n") && answer.ends_with("Hello World"));
    drop(idle2);
    assert_eq!(server.wait(), Some(0));
}

#[test]
fn a_stop_does_not_wait_for_ever() {
    let Some(mut server) = Server::start("--grace 300 --head-timeout 60000") else { return };
    let mut begun = server.connect();
    begun.write_all(b"GET /data HTTP/1.1\r\n").unwrap();
    thread::sleep(Duration::from_millis(100));
    let at = Instant::now();
    server.signal("INT");
    assert_eq!(server.wait(), Some(0));
    assert!(at.elapsed() >= Duration::from_millis(250), "{:?}", at.elapsed());
    assert!(at.elapsed() < Duration::from_secs(20), "{:?}", at.elapsed());
    // A second signal ends it at once.
    let Some(mut server) = Server::start("--grace 60000 --head-timeout 60000") else { return };
    let mut begun = server.connect();
    begun.write_all(b"GET /data HTTP/1.1\r\n").unwrap();
    thread::sleep(Duration::from_millis(100));
    let at = Instant::now();
    server.signal("TERM");
    thread::sleep(Duration::from_millis(100));
    server.signal("TERM");
    assert_eq!(server.wait(), Some(0));
    assert!(at.elapsed() < Duration::from_secs(20), "{:?}", at.elapsed());
}

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_idle_connections_take_four_mebibytes() {
    for protocol in ["h1", "h2"] {
        let Some(server) = Server::start("--connections 1100") else { return };
        // What the first connections bring along is not theirs alone.
        let mut sockets: Vec<TcpStream> = Vec::new();
        for _ in 0..8 {
            sockets.push(idle_connection(&server, protocol));
        }
        let before = resident(&server);
        for _ in 0..1_000 {
            sockets.push(idle_connection(&server, protocol));
        }
        let added = resident(&server) - before;
        println!("1,000 idle connections of {protocol} add {added} KiB");
        assert!(added <= 4 * 1024, "{added} KiB of {protocol}");
        drop(sockets);
        server.stop();
    }
}

/// A connection that has had one answer.
fn idle_connection(server: &Server, protocol: &str) -> TcpStream {
    let mut socket = server.connect();
    if protocol == "h1" {
        get(&mut socket, "/data");
    } else {
        socket.write_all(&[PREFACE, ACK, &get_data(1)].concat()).unwrap();
        assert_eq!(frame(&mut socket, DATA, 1), b"Hello World");
    }
    socket
}

#[cfg(target_os = "linux")]
#[test]
fn a_response_is_one_send_and_pipelined_ones_share_it() {
    if !has("strace") {
        return;
    }
    let log = std::env::temp_dir().join(format!("onewrite-sends-{}", std::process::id()));
    let path = log.to_str().unwrap();
    let traced = ["strace", "-f", "-qq", "-o", path, "-e", "trace=sendto,sendmsg,write,writev"];
    let Some(server) = Server::start_under(&traced, "") else { return };
    let mut one = server.connect();
    for path in ["/", "/data", "/counter", "/metrics", "/nope"].iter().cycle().take(50) {
        get(&mut one, path);
    }
    one.write_all(&b"GET /data HTTP/1.1\r\nHost: pi\r\n\r\n".repeat(30)).unwrap();
    for _ in 0..30 {
        assert!(response(&mut one).ends_with(b"Hello World"));
    }
    let mut two = server.connect();
    two.write_all(&[PREFACE, ACK, &get_data(1)].concat()).unwrap();
    frame(&mut two, DATA, 1);
    for stream in (3..103).step_by(2) {
        two.write_all(&get_data(stream)).unwrap();
        assert_eq!(frame(&mut two, DATA, u32::from(stream)), b"Hello World");
    }
    let many: Vec<u8> = (103..163).step_by(2).flat_map(get_data).collect();
    two.write_all(&many).unwrap();
    frame(&mut two, DATA, 161);
    drop((one, two));
    // strace hands on no signal that is sent to it: the server is its child.
    let children = std::fs::read_to_string(format!("/proc/{0}/task/{0}/children", server.pid()));
    let child = children.unwrap().trim().to_owned();
    std::process::Command::new("kill").args(["-TERM", &child]).status().unwrap();
    let mut server = server;
    server.wait();
    let text = std::fs::read_to_string(&log).unwrap();
    std::fs::remove_file(&log).ok();
    // What goes to a socket of a client; a signal and the tests' own lines go elsewhere.
    let lines = || text.lines().filter(|line| line.contains("MSG_NOSIGNAL"));
    let sends = lines().filter(|line| line.contains("HTTP/1.1 ")).count();
    // 50 one at a time, and 30 that came together.
    assert_eq!(sends, 51, "{text}");
    // Everything else that is sent is HTTP/2: SETTINGS with the first answer, 50, and 30 together.
    let others = lines().count() - sends;
    assert_eq!(others, 52, "{text}");
}

/// Sockets of the server that clients have.
fn descriptors(server: &Server) -> usize {
    let text = std::fs::read_to_string("/proc/net/tcp").unwrap_or_default();
    let port = format!(":{:04X} ", server.address.port());
    // Local address, then the remote one, then the state: 01 is established, 04 to 09 are closing.
    text.lines()
        .filter(|line| {
            let mut words = line.split_whitespace().skip(1);
            let local = words.next().unwrap_or_default();
            format!("{local} ").ends_with(&port) && words.nth(1) == Some("01")
        })
        .count()
}

fn get_once(server: &Server, protocol: &str) -> Vec<u8> {
    let mut socket = server.connect();
    if protocol == "h1" {
        let answer = get(&mut socket, "/data");
        return answer[answer.len() - 11..].to_vec();
    }
    socket.write_all(&[PREFACE, ACK, &get_data(1)].concat()).unwrap();
    frame(&mut socket, DATA, 1)
}

/// KiB of memory that the process has.
#[cfg(target_os = "linux")]
fn resident(server: &Server) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/status", server.pid())).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}
