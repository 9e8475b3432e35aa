//! A response that is put together for each request, the ordinary way.
//!
//! The text is converted from UTF-16 to UTF-8, status and length become digits, and the fields are
//! formatted, over HTTP/2 looked up in the static table and Huffman coded. What comes out has the bytes
//! of the literal.

use core::fmt::{self, Write as _};
use core::hint::black_box;

use onewrite::http::{Header, Parts, Protocol};

use super::TYPE;

/// The longest response.
pub(crate) const MAX: usize = 512;

/// Writes the response, and returns its length.
#[inline(never)]
pub(crate) fn respond(text: &[u16], protocol: Protocol, output: &mut [u8]) -> Option<usize> {
    let mut body = [0; 256];
    let body = utf8(text, &mut body)?;
    // Known when the request comes, and not before.
    let (status, reason, kind) = black_box((200, "OK", TYPE));
    match protocol {
        Protocol::Http2 => {
            let headers = [Header::new("content-type", kind)];
            Parts::new(status).headers(&headers).body(body).http2_in(output).ok()
        }
        Protocol::Http1 | Protocol::Auto => {
            let mut text = Text { bytes: output, len: 0 };
            write!(text, "HTTP/1.1 {status} {reason}\r\n").ok()?;
            write!(text, "content-length: {}\r\n", body.len()).ok()?;
            write!(text, "content-type: {kind}\r\n\r\n").ok()?;
            text.put(body).ok()?;
            Some(text.len)
        }
    }
}

/// What was written so far.
struct Text<'o> {
    bytes: &'o mut [u8],
    len: usize,
}

impl Text<'_> {
    fn put(&mut self, part: &[u8]) -> fmt::Result {
        let end = self.len + part.len();
        self.bytes.get_mut(self.len..end).ok_or(fmt::Error)?.copy_from_slice(part);
        self.len = end;
        Ok(())
    }
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.put(part.as_bytes())
    }
}

/// The text in UTF-8, at the start of `bytes`; what is no character becomes U+FFFD.
pub(crate) fn utf8<'b>(text: &[u16], bytes: &'b mut [u8]) -> Option<&'b [u8]> {
    let mut len = 0;
    for character in char::decode_utf16(text.iter().copied()) {
        let character = character.unwrap_or(char::REPLACEMENT_CHARACTER);
        let rest = bytes.get_mut(len..len + character.len_utf8())?;
        len += character.encode_utf8(rest).len();
    }
    bytes.get(..len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::{DATA, TEXT};

    #[test]
    fn it_has_the_bytes_of_the_literal() {
        let text: Vec<u16> = TEXT.encode_utf16().collect();
        for (protocol, literal) in
            [(Protocol::Http1, DATA.http1()), (Protocol::Http2, DATA.http2())]
        {
            let mut output = [0; MAX];
            let len = respond(&text, protocol, &mut output).unwrap_or(0);
            assert_eq!(output.get(..len), Some(literal));
        }
    }

    #[test]
    fn half_a_character_becomes_one_that_says_so() {
        let mut bytes = [0; 16];
        assert_eq!(utf8(&[0x41, 0xd83d, 0x42], &mut bytes), Some("A\u{fffd}B".as_bytes()));
        assert_eq!(utf8(&[0x20ac, 0xd83d, 0xde00], &mut bytes), Some("€😀".as_bytes()));
        assert_eq!(utf8(&[0x20ac], &mut [0; 2]), None);
    }
}
