//! Answers one request of HTTP a given number of times, to be counted from outside:
//! `cargo xtask count http_count`.
//!
//! ```text
//! http_count                                       checks everything once and says so
//! http_count --list                                a line `WORKLOAD SHAPE bytes=N records=N` each
//! http_count --workload W --shape S --reps N       does it N times and prints nothing
//! ```
//!
//! A workload is what a client sends, one request in flight; a shape is how the connection was made.
//! A record is a request. The answer is compared before the first repetition. That costs the same
//! whatever N is, and so drops out of the difference of two counts.
#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use heapless::String;
use onewrite::http::{Conn, Fed, Next, Protocol, response, routes};
use onewrite_boards::{Console, Failure, entry};

response! {
    static DATA = 200, { "content-type": "text/plain; charset=utf-8" }, b"Hello World", etag = none
}
response! { static ROOT = 200, { "content-type": "text/plain" }, b"another", etag = none }
routes! { static SITE = { "/" => ROOT, "/data" => DATA } }

/// What a client sends.
struct Workload {
    name: &'static str,
    request: &'static [u8],
}

/// `/data` as these programs ask for it.
const WORKLOADS: [Workload; 4] = [
    Workload {
        name: "http1-h2load",
        request: b"GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\
            user-agent: h2load nghttp2/1.52.0\r\nAccept: */*\r\n\r\n",
    },
    Workload { name: "http1-wrk", request: b"GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n" },
    Workload {
        name: "http1-curl",
        request: b"GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: curl/7.88.1\r\n\
            Accept: */*\r\n\r\n",
    },
    Workload {
        name: "http1-browser",
        request: b"GET /data HTTP/1.1\r\nHost: raspberrypi.local\r\n\
            User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\n\
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
            Accept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate\r\n\
            Connection: keep-alive\r\nUpgrade-Insecure-Requests: 1\r\nPriority: u=0, i\r\n\r\n",
    },
];

/// How a connection is made.
#[derive(Clone, Copy)]
enum Shape {
    Plain,
    Memo,
}

const SHAPES: [(Shape, &str); 2] = [(Shape::Plain, "plain"), (Shape::Memo, "memo")];

/// What to do.
#[cfg_attr(
    target_os = "none",
    allow(dead_code, reason = "only a command line asks for the others")
)]
enum Task {
    Check,
    List,
    Repeat { workload: String<40>, shape: String<40>, reps: u32 },
}

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    match task()? {
        Task::Check => {
            for workload in &WORKLOADS {
                for (shape, name) in SHAPES {
                    repeat(workload, shape, 0)?;
                    writeln!(console, "{} {name}: answered", workload.name)?;
                }
            }
            Ok(())
        }
        Task::List => {
            for workload in &WORKLOADS {
                for (_, name) in SHAPES {
                    let len = DATA.http1().len();
                    writeln!(console, "{} {name} bytes={len} records=1", workload.name)?;
                }
            }
            Ok(())
        }
        Task::Repeat { workload, shape, reps } => {
            let no_such = Failure::new("no such workload and shape: --list shows them", 2);
            let workload = WORKLOADS.iter().find(|w| workload == w.name);
            let shape = SHAPES.iter().find(|(_, name)| shape == *name);
            let (Some(workload), Some((shape, _))) = (workload, shape) else { return Err(no_such) };
            repeat(workload, *shape, reps)
        }
    }
}

#[cfg(target_os = "none")]
fn task() -> Result<Task, Failure> {
    Ok(Task::Check)
}

#[cfg(not(target_os = "none"))]
fn task() -> Result<Task, Failure> {
    const USAGE: Failure = Failure::new("usage: [--list | --workload W --shape S --reps N]", 2);
    let name = |word: &str| String::try_from(word).map_err(|_| USAGE);
    let words: Vec<_> = std::env::args().skip(1).collect();
    let words: Vec<_> = words.iter().map(AsRef::as_ref).collect();
    match words[..] {
        [] => Ok(Task::Check),
        ["--list"] => Ok(Task::List),
        ["--workload", workload, "--shape", shape, "--reps", reps] => Ok(Task::Repeat {
            workload: name(workload)?,
            shape: name(shape)?,
            reps: reps.parse().map_err(|_| USAGE)?,
        }),
        _ => Err(USAGE),
    }
}

fn repeat(workload: &Workload, shape: Shape, reps: u32) -> Result<(), Failure> {
    match shape {
        Shape::Plain => on(&mut Conn::<16, 1024, 0>::new(Protocol::Auto), workload, reps),
        Shape::Memo => on(&mut Conn::<16, 1024, 512>::new(Protocol::Auto), workload, reps),
    }
}

fn on<const MEMO: usize>(
    conn: &mut Conn<16, 1024, MEMO>,
    workload: &Workload,
    reps: u32,
) -> Result<(), Failure> {
    let mut output = [0xa5; 512];
    let consumed = workload.request.len();
    // Once for the connection to know what it speaks, once as it goes on.
    for _ in 0..2 {
        let Fed { consumed: c, written, next } = conn.feed(&SITE, workload.request, &mut output);
        if (c, next) != (consumed, Next::Read) || output.get(..written) != Some(DATA.http1()) {
            return Err("the answer is another one".into());
        }
    }
    for _ in 0..reps {
        let request = black_box(workload.request);
        let _ = black_box(conn.feed(black_box(&SITE), request, black_box(&mut output)));
    }
    Ok(())
}
