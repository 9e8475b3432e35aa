//! Streams of clients with mistakes in them, always the same ones.

use onewrite::http::{Conn, Protocol};

use crate::shell::{SITE, talk};
use crate::vectors;

/// A generator of numbers (Knuth's MMIX).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % end
    }
}

/// The frames in `input`, behind the preface.
fn frames(input: &[u8]) -> Vec<Vec<u8>> {
    let (preface, mut rest) = input.split_at(24);
    let mut frames = vec![preface.to_vec()];
    while rest.len() >= 9 {
        let length = u32::from_be_bytes([0, rest[0], rest[1], rest[2]]) as usize;
        let (frame, after) = rest.split_at((9 + length).min(rest.len()));
        frames.push(frame.to_vec());
        rest = after;
    }
    frames.push(rest.to_vec());
    frames
}

#[test]
fn mutated_streams_are_taken_or_refused_the_same_at_every_cut() {
    let texts =
        [include_str!("../data/http/h2/h2spec.txt"), include_str!("../data/http/h2/rules.txt")];
    let inputs: Vec<_> =
        texts.iter().flat_map(|text| vectors::read(text)).map(|v| v.input).collect();
    let inputs: Vec<_> = inputs.into_iter().filter(|i| i.len() > 40 && i.len() < 2000).collect();
    let mut numbers = Numbers(1);
    let (mut closed, mut answered) = (0, 0);
    for round in 0..6000 {
        let mut parts = frames(&inputs[round % inputs.len()]);
        for _ in 0..=numbers.below(3) {
            let (at, with) = (numbers.below(parts.len()), numbers.below(parts.len()));
            match numbers.below(5) {
                0 => {
                    let other = frames(&inputs[numbers.below(inputs.len())]);
                    let frame = other[numbers.below(other.len())].clone();
                    parts.insert(at.max(2).min(parts.len()), frame);
                }
                1 => parts.swap(at, with),
                2 => drop(parts.remove(at)),
                _ => {
                    let part = &mut parts[at];
                    if !part.is_empty() {
                        let byte = numbers.below(part.len());
                        part[byte] ^= 1 << numbers.below(8);
                    }
                }
            }
            if parts.is_empty() {
                parts.push(Vec::new());
            }
        }
        let input = parts.concat();
        let new = || Conn::<16, 1024>::new(Protocol::Http2);
        let whole = talk(&mut new(), &SITE, [&input[..]], 400_000);
        let piece = 1 + numbers.below(30);
        let cut = talk(&mut new(), &SITE, input.chunks(piece), 400_000);
        assert_eq!(cut.said, whole.said, "{round}: {input:02x?}");
        assert_eq!(cut.closed, whole.closed, "{round}: {input:02x?}");
        // What goes out is bounded by what comes in, and by the windows that it opens.
        let requests = whole.counters.requests as usize;
        assert!(whole.said.len() <= 100 + 3 * input.len() + requests * 41_000, "{round}");
        let room = SITE.min_output() + numbers.below(500);
        let short = talk(&mut new(), &SITE, input.chunks(piece), room);
        assert_eq!(short.closed, whole.closed, "{round}: {room} {input:02x?}");
        closed += usize::from(whole.closed);
        answered += requests;
    }
    assert!(closed > 1000 && answered > 1000, "{closed} {answered}");
}
