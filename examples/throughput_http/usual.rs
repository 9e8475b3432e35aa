//! A response over HTTP/2 that is put together for each request the usual way: a list of fields by their
//! names, numbers by `write!`, an encoder that looks names up and codes values by a table.

use core::fmt::Write as _;

use crate::hpack;
use crate::output::Output;
use crate::site::Stated;
use crate::site::built::utf8;

/// Writes the response, and returns its length.
#[inline(never)]
pub(crate) fn respond(text: &[u16], stated: Stated, output: &mut [u8]) -> Option<usize> {
    let (mut body, mut status, mut length) = ([0; 256], [0; 4], [0; 20]);
    let body = utf8(text, &mut body)?;
    let (mut status, mut length) = (Output::new(&mut status), Output::new(&mut length));
    write!(status, "{}", stated.status).ok()?;
    write!(length, "{}", body.len()).ok()?;
    let fields = [
        (":status", status.written()),
        ("content-length", length.written()),
        ("content-type", stated.kind.as_bytes()),
    ];
    let mut output = Output::new(output);
    hpack::frames(&mut output, body, |output| {
        fields.into_iter().try_for_each(|(name, value)| hpack::field(output, name, value))
    })?;
    Some(output.len())
}
