//! SHA-1 (RFC 3174) of what is hashed once a connection: a key and a constant.
//!
//! Here it is no defence: a server shows with it that it has read the request (RFC 6455 section 1.3).

/// Bytes of a digest.
pub(super) const LEN: usize = 20;

/// Bytes of a block.
const BLOCK: usize = 64;

/// The digest of the `N` bytes of `message`.
///
/// For short messages: they are copied behind the padding's beginning, into the two blocks that 56
/// to 119 bytes take.
#[must_use]
pub(super) const fn digest_of_two_blocks<const N: usize>(message: &[u8; N]) -> [u8; LEN] {
    const { assert!(N >= BLOCK - 8 && N < 2 * BLOCK - 8, "the message takes two blocks") }
    let mut padded = [0; 2 * BLOCK];
    if let Some(start) = padded.first_chunk_mut() {
        *start = *message;
    }
    if let Some((_, [mark, ..])) = padded.split_at_mut_checked(N) {
        *mark = 0x80;
    }
    if let Some(bits) = padded.last_chunk_mut() {
        *bits = (N as u64 * 8).to_be_bytes();
    }
    let (mut blocks, _) = padded.as_chunks();
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    while let [block, rest @ ..] = blocks {
        state = compress(state, block);
        blocks = rest;
    }
    let mut digest = [0; LEN];
    let (mut words, _) = digest.as_chunks_mut();
    let mut from = state.as_slice();
    while let (Some((to, later)), [word, rest @ ..]) = (words.split_first_mut(), from) {
        *to = word.to_be_bytes();
        (words, from) = (later, rest);
    }
    digest
}

/// One block: eighty rounds over a window of the last sixteen words.
const fn compress(state: [u32; 5], block: &[u8; BLOCK]) -> [u32; 5] {
    let mut window = [0u32; 16];
    let (mut words, _) = block.as_chunks();
    let mut to: &mut [u32] = &mut window;
    while let ([word, rest @ ..], Some((first, later))) = (words, to.split_first_mut()) {
        *first = u32::from_be_bytes(*word);
        (words, to) = (rest, later);
    }
    let [mut a, mut b, mut c, mut d, mut e] = state;
    let mut round = 0;
    while round < 80 {
        let [w0, w1, w2, w3, w4, w5, w6, w7, w8, w9, wa, wb, wc, wd, we, wf] = window;
        let (mixed, constant) = match round {
            0..20 => ((b & c) | (!b & d), 0x5a82_7999),
            20..40 => (b ^ c ^ d, 0x6ed9_eba1),
            40..60 => ((b & c) | (b & d) | (c & d), 0x8f1b_bcdc),
            _ => (b ^ c ^ d, 0xca62_c1d6_u32),
        };
        let next = a
            .rotate_left(5)
            .wrapping_add(mixed)
            .wrapping_add(e)
            .wrapping_add(constant)
            .wrapping_add(w0);
        (e, d, c, b, a) = (d, c, b.rotate_left(30), a, next);
        let word = (w0 ^ w2 ^ w8 ^ wd).rotate_left(1);
        window = [w1, w2, w3, w4, w5, w6, w7, w8, w9, wa, wb, wc, wd, we, wf, word];
        round += 1;
    }
    let [h0, h1, h2, h3, h4] = state;
    [
        h0.wrapping_add(a),
        h1.wrapping_add(b),
        h2.wrapping_add(c),
        h3.wrapping_add(d),
        h4.wrapping_add(e),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 3174 section 7.3, test 2: the one of its messages that takes two blocks.
    #[test]
    fn digest_is_that_of_the_rfc() {
        let message = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        let expected = [
            0x84, 0x98, 0x3e, 0x44, 0x1c, 0x3b, 0xd2, 0x6e, 0xba, 0xae, 0x4a, 0xa1, 0xf9, 0x51,
            0x29, 0xe5, 0xe5, 0x46, 0x70, 0xf1,
        ];
        assert_eq!(digest_of_two_blocks(message), expected);
    }
}
