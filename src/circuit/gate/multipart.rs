//! The body of a form (RFC 7578), as a browser makes it.

use core::str;

use crate::http::Split;

/// The value of the field `name` in a body of type `kind`, which is `multipart/form-data`.
///
/// `None` if it is not there, or the body is none.
pub(super) fn value<'b>(kind: &[u8], body: &'b [u8], name: &str) -> Option<&'b str> {
    let boundary = boundary(kind)?;
    let mut rest = behind_boundary(body, boundary)?;
    loop {
        // `--` instead of a line's end is the end of all.
        let part = behind(rest, b"\r\n")?;
        let head = find(part, b"\r\n\r\n")?;
        let (head, content) = part.split_at_checked(head)?;
        let content = behind(content, b"\r\n\r\n")?;
        let (value, next) = until_boundary(content, boundary)?;
        if is_named(head, name) {
            return str::from_utf8(value).ok();
        }
        rest = next;
    }
}

/// The boundary that a content type names.
fn boundary(kind: &[u8]) -> Option<&[u8]> {
    let mut parameters = Split::new(kind, b';').map(<[u8]>::trim_ascii);
    if !parameters.next()?.eq_ignore_ascii_case(b"multipart/form-data") {
        return None;
    }
    let boundary = parameters.find_map(|parameter| {
        let (name, value) = parameter.split_at_checked(b"boundary=".len())?;
        name.eq_ignore_ascii_case(b"boundary=").then_some(value)
    })?;
    let boundary = match boundary {
        [b'"', inside @ .., b'"'] => inside,
        other => other,
    };
    // RFC 2046 section 5.1.1.
    (1..=70).contains(&boundary.len()).then_some(boundary)
}

/// Whether the head of a part says that it is this field.
fn is_named(head: &[u8], name: &str) -> bool {
    let mut lines = Split::new(head, b'\n').map(<[u8]>::trim_ascii);
    lines.any(|line| {
        const DISPOSITION: &[u8] = b"content-disposition:";
        let Some((front, parameters)) = line.split_at_checked(DISPOSITION.len()) else {
            return false;
        };
        let mut parameters = Split::new(parameters, b';').map(<[u8]>::trim_ascii);
        front.eq_ignore_ascii_case(DISPOSITION)
            && parameters.any(|parameter| match behind(parameter, b"name=\"") {
                Some([value @ .., b'"']) => value == name.as_bytes(),
                _ => false,
            })
    })
}

/// What is behind `--boundary` at the start of `text`.
fn behind_boundary<'b>(text: &'b [u8], boundary: &[u8]) -> Option<&'b [u8]> {
    behind(behind(text, b"--")?, boundary)
}

/// What is in front of the next boundary, and behind it.
fn until_boundary<'b>(text: &'b [u8], boundary: &[u8]) -> Option<(&'b [u8], &'b [u8])> {
    let mut at = 0;
    loop {
        let rest = text.get(at..)?;
        at += find(rest, b"\r\n--")?;
        let (value, rest) = text.split_at_checked(at)?;
        if let Some(next) = behind(rest, b"\r\n").and_then(|rest| behind_boundary(rest, boundary)) {
            return Some((value, next));
        }
        at += 1;
    }
}

/// Where `what` begins in `text`.
fn find<const N: usize>(text: &[u8], what: &[u8; N]) -> Option<usize> {
    let mut rest = text;
    loop {
        if rest.first_chunk::<N>()? == what {
            return Some(text.len() - rest.len());
        }
        rest = rest.get(1..)?;
    }
}

fn behind<'b>(text: &'b [u8], front: &[u8]) -> Option<&'b [u8]> {
    let (start, rest) = text.split_at_checked(front.len())?;
    (start == front).then_some(rest)
}
