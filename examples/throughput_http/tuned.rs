//! A response that is put together for each request by code that was written to be fast: no `write!`,
//! numbers and texts straight to their places, one table look-up a character of a Huffman string.

use onewrite::http::Protocol;

use crate::hpack::{frames, status_index, value};
use crate::output::{Decimal, Output};
use crate::site::Stated;
use crate::site::built::utf8;

/// Writes the response, and returns its length.
#[inline(never)]
pub(crate) fn respond(
    text: &[u16],
    stated: Stated,
    protocol: Protocol,
    output: &mut [u8],
) -> Option<usize> {
    let mut space = [0; 256];
    let body = body(text, &mut space)?;
    let mut output = Output::new(output);
    match protocol {
        Protocol::Http2 => http2(stated, body, &mut output)?,
        Protocol::Http1 | Protocol::Auto => http1(stated, body, &mut output)?,
    }
    Some(output.len())
}

/// The text in UTF-8. Most texts are ASCII, and then each unit is a byte.
#[inline(always)]
fn body<'b>(text: &[u16], space: &'b mut [u8]) -> Option<&'b [u8]> {
    let mut all = 0;
    let to = space.get_mut(..text.len())?;
    for (to, unit) in to.iter_mut().zip(text) {
        let [low, _] = unit.to_le_bytes();
        *to = low;
        all |= *unit;
    }
    if all < 0x80 { space.get(..text.len()) } else { utf8(text, space) }
}

#[inline(always)]
fn http1(stated: Stated, body: &[u8], output: &mut Output<'_>) -> Option<()> {
    output.put(b"HTTP/1.1 ")?;
    output.put(Decimal::new(stated.status.into()).text())?;
    output.byte(b' ')?;
    output.put(stated.reason.as_bytes())?;
    output.put(b"\r\ncontent-length: ")?;
    output.put(Decimal::new(u32::try_from(body.len()).ok()?).text())?;
    output.put(b"\r\ncontent-type: ")?;
    output.put(stated.kind.as_bytes())?;
    output.put(b"\r\n\r\n")?;
    output.put(body)
}

#[inline(always)]
fn http2(stated: Stated, body: &[u8], output: &mut Output<'_>) -> Option<()> {
    frames(output, body, |output| {
        match status_index(stated.status) {
            Some(index) => output.byte(0x80 | index)?,
            None => value(output, 8, Decimal::new(stated.status.into()).text())?,
        }
        value(output, 28, Decimal::new(u32::try_from(body.len()).ok()?).text())?;
        value(output, 31, stated.kind.as_bytes())
    })
}
