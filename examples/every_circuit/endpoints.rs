//! The requests of HTTP around a circuit.

use core::hint::black_box;

use onewrite::circuit::gate::{self, Answered, Endpoint, Gate, GateCounters};
use onewrite::circuit::origin::Origin;
use onewrite::http::{Conn, Exchanged, Handler, NoBody, Protocol, Received, routes};

use crate::gate::Numbers;

routes! {
    static SITE = {
        "/_blazor" => gate::CONNECT, "/n" => gate::NEGOTIATE, "/d" => gate::DISCONNECT,
        "/i" => gate::INITIALIZERS,
    }
}
const ORIGINS: &[Origin<'_>] = &[Origin::new("http://pi").unwrap()];

/// Each endpoint, in order and not.
const REQUESTS: &[u8] = b"POST /n HTTP/1.1\r\nhost: pi\r\norigin: http://pi\r\n\r\n\
    POST /d HTTP/1.1\r\nhost: pi\r\ncontent-type: multipart/form-data; boundary=b\r\n\
    content-length: 74\r\n\r\n--b\r\nContent-Disposition: form-data; name=\"circuitId\"\r\n\r\nsecret\r\n--b--\r\n\r\n\
    GET /i HTTP/1.1\r\nhost: pi\r\n\r\n\
    GET /_blazor?id=1 HTTP/1.1\r\nhost: pi\r\norigin: http://pi\r\nupgrade: websocket\r\n\
    connection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

struct Site {
    gate: Gate<'static, 2>,
    numbers: Numbers,
}

impl Handler for Site {
    fn exchange(
        &mut self,
        received: &Received<'_>,
        output: &mut [u8],
    ) -> Result<Exchanged, NoBody> {
        let endpoint = match received.route {
            0 => Endpoint::Connect,
            1 => Endpoint::Negotiate,
            _ => Endpoint::Disconnect,
        };
        let Self { gate, numbers } = self;
        match Gate::answer(gate, black_box(endpoint), received, numbers, black_box(7), output)? {
            Answered::Done(exchanged) => Ok(exchanged),
            Answered::Connected { exchanged, origin } => {
                black_box(origin);
                Ok(exchanged)
            }
            Answered::Left { exchanged, secret } => {
                black_box(secret);
                Ok(exchanged)
            }
        }
    }
}

#[inline(never)]
pub(crate) fn call() {
    let mut site = Site { gate: Gate::new(black_box(ORIGINS)), numbers: Numbers(7) };
    let mut conn = <Conn>::new(black_box(Protocol::Http1));
    let mut rest = black_box(REQUESTS);
    let mut output = [0; 1024];
    for _ in 0..20 {
        let fed = conn.feed_with(&SITE, &mut site, rest, &mut output);
        rest = rest.get(fed.consumed..).unwrap_or_default();
    }
    black_box(GateCounters::in_all(Gate::counters(black_box(&site.gate))));
    black_box(Gate::tokens(black_box(&site.gate), black_box(7)));
}
