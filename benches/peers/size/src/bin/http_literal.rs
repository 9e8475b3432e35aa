//! A response of HTTP/1.1, made at compile time, sent to whoever asks for it.
#![no_std]
#![no_main]

use onewrite::http::{Conn, OnlyHttp1, Protocol, response, routes};
use onewrite_size::{Port, start};

response! { static HELLO = 200, { "content-type": "text/plain" }, b"Hello World" }
routes! { static SITE = { "/" => HELLO } }

start!(main);

fn main(port: &mut Port) -> u32 {
    let mut conn = Conn::<1, 256, 0, OnlyHttp1>::new(Protocol::Http1);
    let (mut input, mut output) = ([0; 256], [0; 256]);
    for byte in &mut input {
        [*byte, ..] = port.read().to_le_bytes();
    }
    let fed = conn.feed(&SITE, &input, &mut output);
    for byte in output.iter().take(fed.written) {
        port.send(*byte);
    }
    fed.consumed as u32
}
