//! What the servers of HTTP do.

use onewrite::http::{Conn, Next, Protocol, Speaks, response, routes};

use crate::Port;

response! { static DATA = 200, { "content-type": "text/plain; charset=utf-8" }, "Hello World" }
routes! { static SITE = { "/data" => DATA } }

/// Serves one connection to its end.
pub fn serve<P: Speaks>(port: &mut Port) -> u32 {
    let mut conn = Conn::<4, 64, 0, P>::new(Protocol::Auto);
    let (mut input, mut output, mut filled) = ([0; 1024], [0; 1024], 0);
    loop {
        if let Some(byte) = input.get_mut(filled) {
            [*byte, ..] = port.read().to_le_bytes();
            filled += 1;
        }
        loop {
            let fed = conn.feed(&SITE, input.get(..filled).unwrap_or_default(), &mut output);
            for byte in output.iter().take(fed.written) {
                port.send(*byte);
            }
            for at in fed.consumed..filled {
                let byte = input.get(at).copied().unwrap_or_default();
                if let Some(to) = input.get_mut(at - fed.consumed) {
                    *to = byte;
                }
            }
            filled -= fed.consumed.min(filled);
            match fed.next {
                Next::Read => break,
                Next::Flush { .. } => {}
                _ => return 0,
            }
        }
    }
}
