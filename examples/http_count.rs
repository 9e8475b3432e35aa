//! Answers one request of HTTP a given number of times, to be counted from outside:
//! `cargo xtask count http_count`.
//!
//! ```text
//! http_count                                       checks everything once and says so
//! http_count --list                                a line `WORKLOAD SHAPE bytes=N records=N` each
//! http_count --count                               the same, with instructions where the machine counts
//! http_count --workload W --shape S --reps N       does it N times and prints nothing
//! ```
//!
//! A workload is what a client sends, one request in flight; a shape is how the connection was made.
//! A record is a request. The answer is compared before the first repetition. That costs the same
//! whatever N is, and so drops out of the difference of two counts.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "count/task.rs"]
mod task;

use core::hint::black_box;

use onewrite::http::{Conn, Fed, Next, Protocol, response, routes};
use onewrite_boards::{Console, Failure, entry};

use crate::task::{Task, task};

response! {
    static DATA = 200, { "content-type": "text/plain; charset=utf-8" }, b"Hello World", etag = none
}
response! { static ROOT = 200, { "content-type": "text/plain" }, b"another", etag = none }
routes! { static SITE = { "/" => ROOT, "/data" => DATA } }

/// What a client sends.
struct Workload {
    name: &'static str,
    /// How the connection begins, its first request included; empty over HTTP/1.1.
    opening: &'static [u8],
    /// Over HTTP/2 the header block of one HEADERS frame.
    request: &'static [u8],
}

/// `/data` as these programs ask for it.
const WORKLOADS: [Workload; 7] = [
    Workload {
        name: "http1-h2load",
        opening: &[],
        request: b"GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\
            user-agent: h2load nghttp2/1.52.0\r\nAccept: */*\r\n\r\n",
    },
    Workload {
        name: "http1-wrk",
        opening: &[],
        request: b"GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\n\r\n",
    },
    Workload {
        name: "http1-curl",
        opening: &[],
        request: b"GET /data HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nUser-Agent: curl/7.88.1\r\n\
            Accept: */*\r\n\r\n",
    },
    Workload {
        name: "http1-browser",
        opening: &[],
        request: b"GET /data HTTP/1.1\r\nHost: raspberrypi.local\r\n\
            User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0\r\n\
            Accept: text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8\r\n\
            Accept-Language: en-US,en;q=0.5\r\nAccept-Encoding: gzip, deflate\r\n\
            Connection: keep-alive\r\nUpgrade-Insecure-Requests: 1\r\nPriority: u=0, i\r\n\r\n",
    },
    // The path as a literal that is Huffman coded, all else from the tables (h2load 1.52).
    Workload {
        name: "http2-h2load",
        opening: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\
            \0\0\x0c\x04\0\0\0\0\0\0\x02\0\0\0\0\0\x04\x3f\xff\xff\xff\
            \0\0\x04\x08\0\0\0\0\0\x3f\xff\0\0\
            \0\0\x25\x01\x05\0\0\0\x01\x04\x84\x62\x41\xa4\x7f\x86\x41\x8a\x08\x9d\x5c\x0b\x81\
            \x70\xdc\x78\x0f\x03\x82\x7a\x8f\x9c\x54\x1c\x72\x29\x54\xd3\xa5\x35\x89\x80\xae\xd8\
            \x97\x07",
        request: b"\x04\x84\x62\x41\xa4\x7f\x86\xbf\x82\xbe",
    },
    // All from the tables, as a client that puts the path there too.
    Workload {
        name: "http2-indexed",
        opening: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\
            \0\0\x04\x08\0\0\0\0\0\x3f\xff\0\0\
            \0\0\x29\x01\x05\0\0\0\x01\x82\x86\x44\x05/data\x41\x0e127.0.0.1:8080\
            \x7a\x0eh2load nghttp2",
        request: b"\x82\x86\xc0\xbf\xbe",
    },
    // Literals that enter no table and are not coded.
    Workload {
        name: "http2-dotnet",
        opening: b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\
            \0\0\x04\x08\0\0\0\0\0\x3f\xff\0\0\
            \0\0\x21\x01\x05\0\0\0\x01\x82\x86\x01\x0e127.0.0.1:8080\x04\x05/data\x0f\x2b\x05CHttp",
        request: b"\x82\x86\x01\x0e127.0.0.1:8080\x04\x05/data\x0f\x2b\x05CHttp",
    },
];

/// How a connection is made.
#[derive(Clone, Copy)]
enum Shape {
    Plain,
    Memo,
}

const SHAPES: [(Shape, &str); 2] = [(Shape::Plain, "plain"), (Shape::Memo, "memo")];

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
        Task::List(list) => {
            for workload in &WORKLOADS {
                for (shape, name) in SHAPES {
                    let repeat = |reps| repeat(workload, shape, reps);
                    list.line(console, [workload.name, name], [DATA.http1().len(), 1], repeat)?;
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
    if !workload.opening.is_empty() {
        return on_http2(conn, workload, reps);
    }
    let consumed = workload.request.len();
    // Once for the connection to know what it speaks, once as it goes on.
    for _ in 0..2 {
        let Fed { consumed: c, written, next } = conn.feed(&SITE, workload.request, &mut output);
        if (c, next) != (consumed, Next::Read) || output.get(..written) != Some(DATA.http1()) {
            return Err("the answer is another one".into());
        }
    }
    // Nothing of this is known behind here, so that little but the connection is counted.
    let (site, request, output) = black_box((&SITE, workload.request, &mut output[..]));
    for _ in 0..reps {
        let _ = black_box(conn.feed(site, request, output).written);
    }
    Ok(())
}

/// The same for frames, whose stream is another one each time.
fn on_http2<const MEMO: usize>(
    conn: &mut Conn<16, 1024, MEMO>,
    workload: &Workload,
    reps: u32,
) -> Result<(), Failure> {
    const WRONG: Failure = Failure::new("the answer is another one", 1);
    let mut output = [0xa5; 512];
    let Fed { consumed, written, next } = conn.feed(&SITE, workload.opening, &mut output);
    let said = output.get(..written).ok_or(WRONG)?;
    if (consumed, next) != (workload.opening.len(), Next::Read) || !said.ends_with(b"Hello World") {
        return Err(WRONG);
    }
    let mut frame = [0; 128];
    let len = workload.request.len();
    let (header, block) = frame.split_first_chunk_mut().ok_or(WRONG)?;
    *header = [0, 0, u8::try_from(len).map_err(|_| WRONG)?, 1, 5, 0, 0, 0, 0];
    block.get_mut(..len).ok_or(WRONG)?.copy_from_slice(workload.request);
    let frame = frame.get_mut(..9 + len).ok_or(WRONG)?;
    let mut stream: u32 = 3;
    // Nothing of this is known behind here, so that little but the connection is counted.
    let (site, frame, output) = black_box((&SITE, frame, &mut output[..]));
    let mut ask = |output: &mut [u8]| {
        if let Some(place) = frame.get_mut(5..).and_then(|rest| rest.first_chunk_mut()) {
            *place = stream.to_be_bytes();
        }
        stream = stream.wrapping_add(2);
        conn.feed(site, frame, output)
    };
    for _ in 0..2 {
        let fed = ask(output);
        let whole = (9 + len, DATA.http2().len(), Next::Read);
        let said = output.get(9..fed.written).ok_or(WRONG)?;
        let expected = DATA.http2().get(9..).ok_or(WRONG)?;
        let same = said.iter().zip(expected).filter(|(a, b)| a == b).count();
        // All but the number of the stream in the second frame.
        if (fed.consumed, fed.written, fed.next) != whole || same + 1 < expected.len() {
            return Err(WRONG);
        }
    }
    for _ in 0..reps {
        let _ = black_box(ask(output).written);
    }
    Ok(())
}
