//! Valid streams with random damage: no panic, no endless loop, no more output than is due, and the same
//! however they are cut.

use onewrite::http::{Conn, Protocol};

use crate::shell::{SITE, talk};

/// A linear congruential generator, so that each run is the same.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % limit
    }
}

const PARTS: [&[u8]; 14] = [
    b"GET / HTTP/1.1\r\nhost: a\r\n\r\n",
    b"GET /data HTTP/1.1\r\nHost: 127.0.0.1:80\r\nUser-Agent: abcdefghijklm\r\nAccept: */*\r\n\r\n",
    b"HEAD /data HTTP/1.1\r\nAccept: a\r\nHost: a.b:1\r\nIf-None-Match: \"v1\"\r\n\r\n",
    b"POST /data HTTP/1.1\r\nhost: a\r\ncontent-length: 12\r\n\r\nHello World!",
    b"POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n\
      5;x=\"y\"\r\nhello\r\n00b\r\nhello world\r\n0\r\ntrailer: x\r\n\r\n",
    b"GET http://a.b/count?x HTTP/1.1\r\nHost: [::1]:80\r\nConnection: keep-alive\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nhost: a\r\nx:\t\xe4\xff~ \r\n\r\n",
    b"GET /sensor HTTP/1.1\r\nhost: a\r\n\r\n",
    b"GET /written HTTP/1.1\r\nhost: a\r\n\r\n",
    b"\r\n",
    b"GET /nope HTTP/1.1\r\nhost: a\r\nuser-agent: x\r\n\r\n",
    b"GET /large HTTP/1.1\r\nhost: a\r\n\r\n",
    b"BREW / HTTP/1.1\r\nhost: a\r\n\r\n",
    b"GET / HTTP/1.0\r\n\r\n",
];

const BYTES: &[u8] = b"\r\n\t :;,\0\x7f\x80\xff/?0aZ-\"[%";

fn damaged(random: &mut Random) -> Vec<u8> {
    let mut input = Vec::new();
    for _ in 0..1 + random.below(5) {
        input.extend_from_slice(PARTS[random.below(PARTS.len())]);
    }
    for _ in 0..random.below(4) {
        let at = random.below(input.len());
        match random.below(6) {
            0 => drop(input.remove(at)),
            1 => input.insert(at, BYTES[random.below(BYTES.len())]),
            2 => input[at] = BYTES[random.below(BYTES.len())],
            3 => input[at] ^= 1 << random.below(8),
            4 => input.truncate(at),
            _ => {
                let from = random.below(input.len());
                let to = (from + random.below(40)).min(input.len());
                let copy = input[from..to].to_vec();
                input.splice(at..at, copy);
            }
        }
        if input.is_empty() {
            return PARTS[0].to_vec();
        }
    }
    input
}

#[test]
fn damaged_streams_are_answered_the_same_however_they_are_cut() {
    let mut random = Random(0x5eed);
    let (mut closed, mut answered) = (0, 0);
    let longest = 3100;
    for round in 0..6000 {
        let input = damaged(&mut random);
        let protocol = if round % 2 == 0 { Protocol::Http1 } else { Protocol::Auto };
        let whole = talk(&mut Conn::new(protocol), &SITE, [&input[..]], 8192);
        let requests = usize::try_from(whole.counters.requests).unwrap();
        // Each request takes at least the shortest line there is.
        assert!(requests <= 1 + input.len() / 16, "{}", input.escape_ascii());
        assert!(whole.said.len() <= requests * longest + 25 * (1 + input.len() / 40));
        (closed, answered) = (closed + usize::from(whole.closed), answered + requests);

        let mut pieces = Vec::new();
        let mut rest = &input[..];
        while !rest.is_empty() {
            let (piece, tail) = rest.split_at(1 + random.below(rest.len().min(30)));
            pieces.push(piece);
            rest = tail;
        }
        let room = SITE.min_output() + random.below(500);
        let cut = talk(&mut Conn::new(protocol), &SITE, pieces.iter().copied(), room);
        assert_eq!(
            (cut.said.escape_ascii().to_string(), cut.closed),
            (whole.said.escape_ascii().to_string(), whole.closed),
            "{room} bytes of output, {pieces:?}"
        );
        if !whole.closed {
            assert_eq!((cut.left, cut.counters), (whole.left, whole.counters));
        }
    }
    // The damage is neither too much nor too little to test anything.
    assert!((2000..5900).contains(&closed), "{closed}");
    assert!(answered > 6000, "{answered}");
}
