//! The example's server with other people's clients, where they are installed; skipped with a message
//! elsewhere: curl, nghttp, h2load, wrk, Node's http2, Python's httpx and h2.
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
#[allow(dead_code, reason = "the other test of the server uses more of it")]
mod child;
#[path = "../examples/http_server/server/mod.rs"]
mod server;
#[path = "../examples/http_server/site/mod.rs"]
mod site;

use std::process::Command;

use child::{Server, get, has};

/// What a new process of this program runs to be the server.
#[test]
fn the_server_itself() {
    child::be_the_server(server::run);
}

/// Standard output of a program that has to end well.
fn output(program: &str, arguments: &[&str]) -> Vec<u8> {
    let output = Command::new(program).args(arguments).output().unwrap();
    let (stdout, stderr) = (output.stdout, String::from_utf8_lossy(&output.stderr).into_owned());
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}\n{}{stderr}",
        output.status,
        String::from_utf8_lossy(&stdout)
    );
    stdout
}

fn text(program: &str, arguments: &[&str]) -> String {
    String::from_utf8_lossy(&output(program, arguments)).into_owned()
}

#[test]
fn curl_gets_every_page_over_both_protocols() {
    if !has("curl") {
        return;
    }
    let Some(server) = Server::start("") else { return };
    let url = |path: &str| format!("http://{}{path}", server.address);
    let large = get(&mut server.connect(), "/large");
    let large = &large[large.len() - (1 << 20)..];
    let speaks_http2 = text("curl", &["--version"]).contains("HTTP2");
    let versions: &[&str] =
        if speaks_http2 { &["--http1.1", "--http2-prior-knowledge"] } else { &["--http1.1"] };
    for version in versions {
        let curl = |more: &[&str]| {
            let all = ["--silent", "--show-error", "--max-time", "30", version];
            output("curl", &[all.as_slice(), more].concat())
        };
        assert_eq!(curl(&[&url("/")]), b"Hello World");
        assert_eq!(curl(&[&url("/data?x=1")]), b"Hello World");
        assert!(curl(&[&url("/large")]) == large, "/large over {version}");
        let status = ["--output", "/dev/null", "--write-out", "%{http_code}"];
        let of =
            |more: &[&str]| String::from_utf8(curl(&[status.as_slice(), more].concat())).unwrap();
        assert_eq!(of(&[&url("/nope")]), "404");
        assert_eq!(of(&["--data", "abc", &url("/data")]), "405");
        assert_eq!(of(&["--request", "OPTIONS", &url("/data")]), "200");
        let post = |len: usize| {
            let body = "x".repeat(len);
            of(&["--header", "Expect:", "--data-binary", &body, &url("/data")])
        };
        // It is read and dropped, in many frames.
        assert_eq!(post(60_000), "405");
        assert_eq!(post(100_000), "413");
        let head = String::from_utf8(curl(&["--head", &url("/data")])).unwrap();
        assert!(head.contains("content-length: 11\r\n"), "{head}");
        if version == &"--http1.1" {
            // Two requests on one connection; over HTTP/2 curl 7.88 fails at that with any server.
            assert_eq!(curl(&[&url("/data"), &url("/data")]), b"Hello World".repeat(2));
        }
        let counter = curl(&[&url("/counter")]);
        assert!(onewrite::render_batch::BatchView::strict(&counter).is_ok());
    }
    server.stop();
}

#[test]
fn nghttp_gets_many_pages_at_once() {
    if !has("nghttp") {
        return;
    }
    let Some(server) = Server::start("") else { return };
    let urls: Vec<String> = ["/", "/data", "/large", "/counter", "/metrics", "/nope"]
        .iter()
        .map(|path| format!("http://{}{path}", server.address))
        .collect();
    // No more than the 16 streams that may wait for a window: others would be refused, to be tried
    // again (RFC 9113 section 8.7), which this client does not.
    let mut arguments = vec!["--null-out", "--verbose", "--multiply=2"];
    arguments.extend(urls.iter().map(String::as_str));
    let log = text("nghttp", &arguments);
    assert!(!log.contains("RST_STREAM") && !log.contains("error_code=PROTOCOL"), "{log}");
    assert_eq!(log.matches(":status: 200").count(), 10, "{log}");
    assert_eq!(log.matches(":status: 404").count(), 2, "{log}");
    // Small windows: two to the twelfth for a stream, two to the thirteenth for the connection.
    let small = text("nghttp", &["--window-bits=10", "--connection-window-bits=11", &urls[2]]);
    assert_eq!(small.len(), 1 << 20);
    server.stop();
}

#[test]
fn h2load_loses_nothing() {
    if !has("h2load") {
        return;
    }
    let Some(server) = Server::start("") else { return };
    for path in ["/data", "/"] {
        let url = format!("http://{}{path}", server.address);
        for protocol in [&["-m1"][..], &["-m32"], &["--h1"], &["--h1", "-m16"]] {
            let arguments = [&["-c20", "-n2000"], protocol, &[url.as_str()]].concat();
            let log = text("h2load", &arguments);
            let right = "2000 total, 2000 started, 2000 done, 2000 succeeded, 0 failed, 0 errored";
            assert!(log.contains(right), "{arguments:?}\n{log}");
            assert!(log.contains("status codes: 2000 2xx"), "{arguments:?}\n{log}");
        }
    }
    server.stop();
}

#[test]
fn wrk_loses_nothing() {
    if !has("wrk") {
        return;
    }
    let Some(server) = Server::start("") else { return };
    let log = text("wrk", &["-t1", "-c20", "-d1s", &format!("http://{}/data", server.address)]);
    assert!(log.contains("requests in") && !log.contains("Socket errors"), "{log}");
    assert!(!log.contains("Non-2xx"), "{log}");
    server.stop();
}

/// Two hundred streams at once and a body of 40,000 bytes, then errors.
const NODE: &str = r#"
const http2 = require("node:http2");
const client = http2.connect(process.argv[1]);
client.on("error", (error) => { console.error(error); process.exit(1); });
const ask = (headers, body) => new Promise((resolve, reject) => {
    const stream = client.request(headers);
    let status, text = "";
    stream.on("response", (headers) => { status = headers[":status"]; });
    stream.setEncoding("utf8");
    stream.on("data", (part) => { text += part; });
    stream.on("end", () => resolve(`${status} ${text.length} ${text.slice(0, 11)}`));
    stream.on("error", reject);
    stream.end(body);
});
(async () => {
    const all = await Promise.all(
        Array.from({ length: 200 }, (_, at) => ask({ ":path": at % 2 ? "/data" : "/" })));
    for (const one of all) if (one !== "200 11 Hello World") throw new Error(one);
    const posted = await ask({ ":path": "/data", ":method": "POST" }, "x".repeat(40000));
    const head = await ask({ ":path": "/data", ":method": "HEAD" });
    const large = await ask({ ":path": "/large" });
    console.log([posted.slice(0, 3), head.trim(), large].join(", "));
    client.close();
})().catch((error) => { console.error(error); process.exit(1); });
"#;

#[test]
fn node_gets_two_hundred_streams() {
    if !has("node") {
        return;
    }
    let Some(server) = Server::start("") else { return };
    let url = format!("http://{}", server.address);
    let log = text("node", &["-e", NODE, &url]);
    assert_eq!(log.trim(), "405, 200 0, 200 1048576 page 00 lin");
    server.stop();
}

const HTTPX: &str = r#"
import sys, httpx
for http1 in (False, True):
    with httpx.Client(http1=http1, http2=not http1, base_url=sys.argv[1]) as client:
        for _ in range(50):
            answer = client.get("/data")
            assert (answer.status_code, answer.text) == (200, "Hello World"), answer
            assert answer.http_version == ("HTTP/1.1" if http1 else "HTTP/2"), answer.http_version
        assert client.head("/data").headers["content-length"] == "11"
        assert client.get("/nope").status_code == 404
        assert client.post("/data", content=b"x" * 30000).status_code == 405
        assert len(client.get("/large").content) == 1 << 20
        if not http1:
            continue
        def parts():
            for _ in range(10):
                yield b"y" * 1000
        assert client.post("/data", content=parts()).status_code == 405
print("right")
"#;

#[test]
fn httpx_gets_pages_over_both_protocols() {
    let known = Command::new("python3").args(["-c", "import httpx, h2"]).output();
    if !known.is_ok_and(|output| output.status.success()) {
        eprintln!("skipped: python3 has no httpx with HTTP/2");
        return;
    }
    let Some(server) = Server::start("") else { return };
    let url = format!("http://{}", server.address);
    assert_eq!(text("python3", &["-c", HTTPX, &url]).trim(), "right");
    server.stop();
}
