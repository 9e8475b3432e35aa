//! Text: literals, literals with holes, and text that is formatted at run time.
//!
//! Every row makes the same text 64 times over, each time with the next number where it has one.
//!
//! | workload | text |
//! |---|---|
//! | `response` | the head of a response with the length of its body, two digits, and the body: 91 bytes |
//! | `response-fixed` | the same with the length of this body, which never changes |
//! | `greeting` | eleven bytes that never change |
//! | `reading` | a JSON object with three numbers |

use core::fmt::Write as _;
use core::sync::atomic::{Ordering::SeqCst, compiler_fence};
use std::hint::black_box;

use embedded_io::Write as _;
use onewrite::template;

use crate::row::Rows;

const TIMES: usize = 64;
const ROOM: &str = "the room is there";

template!(
    RESPONSE = "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ",
    len: dec(2), "\r\n\r\nHello World"
);

template!(
    READING = "{\"sensor\":", sensor: dec(2), ",\"time_ms\":", time_ms: dec(6),
    ",\"centidegrees\":", centidegrees: dec(4), "}"
);

/// What serde-json-core writes.
#[derive(Clone, Copy, serde::Serialize)]
struct Reading {
    sensor: u8,
    time_ms: u32,
    centidegrees: u16,
}

pub(crate) fn add(rows: &mut Rows) {
    let numbers: Vec<u8> = (0..TIMES).map(|number| 10 + number as u8).collect();
    let numbers: &'static [u8] = numbers.leak();
    response(rows, numbers);
    fixed_response(rows, numbers);
    greeting(rows);
    reading(rows);
}

/// Does `work` for each item, each time to the front of `out`; what the last one wrote stays.
#[inline(always)]
fn each<T: Copy>(items: &[T], out: &mut [u8], work: impl Fn(T, &mut [u8]) -> usize) -> usize {
    let mut len = 0;
    // Anybody may look at what is there from here on, so that two of them are never made in one go. To
    // say so each time would store the pointer each time, which is a seventh of the stores of a response.
    black_box(out.as_mut_ptr());
    for item in black_box(items) {
        len = work(*item, out);
        compiler_fence(SeqCst);
    }
    len
}

/// The next rows are of a workload that makes a text for each item, with this last one.
fn begin(rows: &mut Rows, name: &'static str, last: &[u8], baseline: &'static str) {
    rows.begin(name, TIMES, last.to_vec(), [baseline, ""]);
    rows.total(TIMES * last.len());
}

fn response(rows: &mut Rows, numbers: &'static [u8]) {
    let last = RESPONSE.fill(numbers[TIMES - 1].into()).expect("two digits");
    begin(rows, "response", &last, "onewrite-template");
    rows.memory("onewrite-template", move |out| {
        each(numbers, out, |number, out| {
            RESPONSE.fill_array(out.first_chunk_mut().expect(ROOM), number.into()).expect(ROOM);
            RESPONSE::LEN
        })
    });
    rows.memory("pieces", move |out| {
        each(numbers, out, |number, out| {
            let available = out.len();
            let mut free = out;
            for piece in [
                b"HTTP/1.1 200 OK\r\n".as_slice(),
                b"Content-Type: text/plain; charset=utf-8\r\n",
                b"Content-Length: ",
                &[b'0' + number / 10, b'0' + number % 10],
                b"\r\n\r\n",
                black_box(b"Hello World"),
            ] {
                free.write_all(piece).expect(ROOM);
            }
            available - free.len()
        })
    });
    rows.peers();
    rows.memory("core-fmt", move |out| {
        each(numbers, out, |number, out| {
            let mut cursor = Cursor { out, len: 0 };
            write!(
                cursor,
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n\
                Content-Length: {number}\r\n\r\n{}",
                black_box("Hello World")
            )
            .expect(ROOM);
            cursor.len
        })
    });
    rows.memory("heapless-fmt", move |out| {
        each(numbers, out, |number, out| {
            let mut text = heapless::String::<128>::new();
            write!(
                text,
                "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\n\
                Content-Length: {number}\r\n\r\n{}",
                black_box("Hello World")
            )
            .expect(ROOM);
            out[..text.len()].copy_from_slice(text.as_bytes());
            text.len()
        })
    });
}

/// The response without a hole: what filling one costs is the difference.
fn fixed_response(rows: &mut Rows, numbers: &'static [u8]) {
    const FIXED: [u8; RESPONSE::LEN] = match RESPONSE.fill(11) {
        Ok(bytes) => bytes,
        Err(_) => panic!("two digits"),
    };
    begin(rows, "response-fixed", &FIXED, "onewrite-literal");
    rows.memory("onewrite-literal", move |out| {
        each(numbers, out, |_, out| {
            *out.first_chunk_mut().expect(ROOM) = FIXED;
            FIXED.len()
        })
    });
}

fn greeting(rows: &mut Rows) {
    const HELLO: &[u8; 11] = onewrite::literal!("Hello World");
    const UNITS: &[u16; 11] = &{
        let mut units = [0; 11];
        let mut at = 0;
        while at < units.len() {
            units[at] = HELLO[at] as u16;
            at += 1;
        }
        units
    };
    const NUMBERS: &[u8; TIMES] = &[0; TIMES];
    begin(rows, "greeting", HELLO, "onewrite-literal");
    rows.memory("onewrite-literal", move |out| {
        each(NUMBERS, out, |_, out| {
            *out.first_chunk_mut().expect(ROOM) = *HELLO;
            HELLO.len()
        })
    });
    rows.memory("str-copy", move |out| {
        each(NUMBERS, out, |_, out| {
            let text = black_box("Hello World");
            out[..text.len()].copy_from_slice(text.as_bytes());
            text.len()
        })
    });
    // What a runtime does whose strings are UTF-16, as in the source measurement.
    rows.memory("encode-utf-16", move |out| {
        each(NUMBERS, out, |_, out| {
            let mut len = 0;
            for character in char::decode_utf16(black_box(&UNITS[..]).iter().copied()) {
                let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
                len += character.encode_utf8(&mut out[len..]).len();
            }
            len
        })
    });
    rows.peers();
    rows.memory("core-fmt", move |out| {
        each(NUMBERS, out, |_, out| {
            let mut cursor = Cursor { out, len: 0 };
            write!(cursor, "{}", black_box("Hello World")).expect(ROOM);
            cursor.len
        })
    });
}

fn reading(rows: &mut Rows) {
    let reading = |number: usize| Reading {
        sensor: 10 + number as u8,
        time_ms: 100_000 + 977 * number as u32,
        centidegrees: 1_000 + 53 * number as u16,
    };
    let readings: Vec<Reading> = (0..TIMES).map(reading).collect();
    let readings: &'static [Reading] = readings.leak();
    let Reading { sensor, time_ms, centidegrees } = readings[TIMES - 1];
    let last = READING.fill(sensor.into(), time_ms.into(), centidegrees.into());
    begin(rows, "reading", &last.expect("the digits are enough"), "onewrite-template");
    rows.memory("onewrite-template", move |out| {
        each(readings, out, |Reading { sensor, time_ms, centidegrees }, out| {
            let out = out.first_chunk_mut().expect(ROOM);
            let (time_ms, centidegrees) = (time_ms.into(), centidegrees.into());
            READING.fill_array(out, sensor.into(), time_ms, centidegrees).expect(ROOM);
            READING::LEN
        })
    });
    rows.peers();
    rows.memory("serde-json-core", move |out| {
        each(readings, out, |reading, out| serde_json_core::to_slice(&reading, out).expect(ROOM))
    });
    rows.memory("core-fmt", move |out| {
        each(readings, out, |Reading { sensor, time_ms, centidegrees }, out| {
            let mut cursor = Cursor { out, len: 0 };
            write!(
                cursor,
                "{{\"sensor\":{sensor},\"time_ms\":{time_ms},\"centidegrees\":{centidegrees}}}"
            )
            .expect(ROOM);
            cursor.len
        })
    });
}

/// A slice as `core::fmt` wants it.
struct Cursor<'a> {
    out: &'a mut [u8],
    len: usize,
}

impl core::fmt::Write for Cursor<'_> {
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        let free = self.out.get_mut(self.len..).and_then(|free| free.get_mut(..text.len()));
        free.ok_or(core::fmt::Error)?.copy_from_slice(text.as_bytes());
        self.len += text.len();
        Ok(())
    }
}
