//! The head of a request or a response, line by line (RFC 9112 sections 2 to 5).
//!
//! Strictly: every line ends with CR LF, no other control character stands in it but TAB in a value, no
//! line is folded, and nothing stands between a name and its colon.

/// A head that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Malformed;

/// The lines of a head, without the empty one at its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lines<'h> {
    rest: &'h [u8],
}

/// A field of a head.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field<'h> {
    pub(super) name: &'h [u8],
    /// Without the white space around it.
    pub(super) value: &'h [u8],
}

/// Bytes of the head at the start of `input`, its empty line included; `None` if it is not all there.
pub(super) fn len(input: &[u8]) -> Option<usize> {
    let end = input.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some(end + 4)
}

impl<'h> Lines<'h> {
    /// The lines of `head`, which [`len`] has found.
    pub(super) fn new(head: &'h [u8]) -> Self {
        // Not `strip_suffix`, which keeps a panic at opt-level `z`.
        let rest = if let [lines @ .., b'\r', b'\n'] = head { lines } else { head };
        Self { rest }
    }

    /// The next line, without its end.
    pub(super) fn line(&mut self) -> Option<&'h [u8]> {
        let end = self.rest.windows(2).position(|two| two == b"\r\n")?;
        let line = self.rest.get(..end)?;
        self.rest = self.rest.get(end + 2..).unwrap_or_default();
        Some(line)
    }

    /// The next field.
    pub(super) fn field(&mut self) -> Option<Result<Field<'h>, Malformed>> {
        self.line().map(field)
    }
}

fn field(line: &[u8]) -> Result<Field<'_>, Malformed> {
    let colon = line.iter().position(|byte| *byte == b':').ok_or(Malformed)?;
    let (name, value) = line.split_at_checked(colon).ok_or(Malformed)?;
    let value = trim(value.get(1..).unwrap_or_default());
    if is_token(name) && is_value(value) { Ok(Field { name, value }) } else { Err(Malformed) }
}

/// The members of a list, without the white space around them; empty ones are left out (RFC 9110 section
/// 5.6.1).
pub(super) fn members(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    value.split(|byte| *byte == b',').map(trim).filter(|member| !member.is_empty())
}

/// Whether a list has `token`, in whatever case.
pub(super) fn has_token(value: &[u8], token: &[u8]) -> bool {
    members(value).any(|member| member.eq_ignore_ascii_case(token))
}

/// RFC 9110 section 5.6.2.
pub(super) fn is_token(bytes: &[u8]) -> bool {
    let is_in_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !bytes.is_empty() && bytes.iter().all(is_in_token)
}

/// RFC 9110 section 5.5.
pub(super) fn is_value(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == b'\t' || (*byte >= b' ' && *byte != 0x7f))
}

/// A text of visible ASCII characters, at least one of them.
pub(super) fn visible(bytes: &[u8]) -> Option<&str> {
    let is_visible = !bytes.is_empty() && bytes.iter().all(u8::is_ascii_graphic);
    if is_visible { core::str::from_utf8(bytes).ok() } else { None }
}

fn trim(mut bytes: &[u8]) -> &[u8] {
    while let [b' ' | b'\t', rest @ ..] = bytes {
        bytes = rest;
    }
    while let [rest @ .., b' ' | b'\t'] = bytes {
        bytes = rest;
    }
    bytes
}
