//! Checks of a declared layout, run by the compiler for each derived record.

/// A run of bytes that a field, a named padding or a tag occupies.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// As messages call it.
    pub name: &'static str,
    /// Its first byte.
    pub at: usize,
    /// How many bytes.
    pub len: usize,
}

/// A run of bytes that no part has.
#[derive(Clone, Copy, Debug)]
pub struct Gap {
    /// Its first byte.
    pub at: usize,
    /// The byte after its last.
    pub end: usize,
}

impl Part {
    /// The byte after the last, or `usize::MAX` where that cannot be counted.
    const fn end(self) -> usize {
        self.at.saturating_add(self.len)
    }
}

/// The smallest size that holds every part.
#[must_use]
pub const fn end_of(mut parts: &[Part]) -> usize {
    let mut end = 0;
    while let [part, rest @ ..] = parts {
        if part.end() > end {
            end = part.end();
        }
        parts = rest;
    }
    end
}

/// Bytes from `start` to `end`; a range that runs backwards stops the build.
///
/// # Panics
///
/// At compile time only.
#[must_use]
#[track_caller]
pub const fn distance(start: usize, end: usize) -> usize {
    assert!(start <= end, "padding ends before it starts: write `pad(name = start..end)`");
    end - start
}

/// Stops the build where two variants have the same number.
///
/// # Panics
///
/// At compile time only.
#[track_caller]
pub const fn distinct(mut variants: &[(&'static str, i128)]) {
    while let [(name, tag), later @ ..] = variants {
        let mut rest = later;
        while let [(twin, other), after @ ..] = rest {
            if *tag == *other {
                let mut message = Message::new();
                message.text("`");
                message.text(name);
                message.text("` and `");
                message.text(twin);
                message.text("` have the same number on the wire: give each its own");
                message.stop();
            }
            rest = after;
        }
        variants = later;
    }
}

/// Stops the build unless fields and padding lie in a record of `size` bytes, do not overlap and,
/// without `gaps`, leave none of its bytes to chance.
///
/// # Panics
///
/// At compile time only, with a sentence that names the parts and what to write instead.
#[track_caller]
pub const fn check(fields: &[Part], padding: &[Part], size: usize, gaps: bool) {
    let mut before = None;
    let mut rest = fields;
    while let [field, later @ ..] = rest {
        check_end(*field, before, size);
        check_overlap(*field, later);
        check_overlap(*field, padding);
        before = Some(*field);
        rest = later;
    }
    let mut rest = padding;
    while let [part, later @ ..] = rest {
        check_end(*part, before, size);
        check_overlap(*part, later);
        rest = later;
    }
    if !gaps {
        check_gaps(fields, padding, size);
    }
}

#[track_caller]
const fn check_end(part: Part, before: Option<Part>, size: usize) {
    if part.at <= size && part.len <= size - part.at {
        return;
    }
    let mut message = Message::new();
    message.part(part);
    message.text(" reaches past the record's ");
    message.number(size);
    message.text(" bytes");
    if let Some(before) = before {
        message.text(", after ");
        message.part(before);
    }
    message.text(": raise `size`, or move the field with `#[record(at = N)]`");
    message.stop();
}

#[track_caller]
const fn check_overlap(part: Part, mut later: &[Part]) {
    while let [other, rest @ ..] = later {
        if part.at < other.end() && other.at < part.end() && part.len != 0 && other.len != 0 {
            let mut message = Message::new();
            message.part(part);
            message.text(" and ");
            message.part(*other);
            message.text(" overlap: move one of them with `#[record(at = N)]`");
            message.stop();
        }
        later = rest;
    }
}

#[track_caller]
const fn check_gaps(fields: &[Part], padding: &[Part], size: usize) {
    let mut at = 0;
    while at < size {
        let next = first_from(at, padding, next(at, size, fields));
        if next.at != at {
            let mut message = Message::new();
            message.text("no field has bytes ");
            message.range(at, next.at);
            if next.len != 0 {
                message.text(", before ");
                message.part(next);
            } else {
                message.text(", at the end of the record");
            }
            message.text(": name them on the type with `#[record(pad(reserved = ");
            message.range(at, next.at);
            message.text("))]`, or allow every gap with `#[record(gaps = \"zero\")]`");
            message.stop();
        }
        at = next.end();
    }
}

/// The first of `parts` that starts at byte `at` or later, or the end of the record.
pub(super) const fn next(at: usize, size: usize, parts: &[Part]) -> Part {
    first_from(at, parts, Part { name: "", at: size, len: 0 })
}

/// The first of `parts` and `found` that starts at byte `at` or later.
const fn first_from(at: usize, mut parts: &[Part], mut found: Part) -> Part {
    while let [part, later @ ..] = parts {
        if part.len != 0 && part.at >= at && part.at < found.at {
            found = *part;
        }
        parts = later;
    }
    found
}

/// A sentence put together at compile time; what does not fit is cut off.
pub(super) struct Message {
    bytes: [u8; 512],
    len: usize,
}

impl Message {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; 512], len: 0 }
    }

    const fn byte(&mut self, byte: u8) {
        if let Some((_, [next, ..])) = self.bytes.split_at_mut_checked(self.len) {
            *next = byte;
            self.len += 1;
        }
    }

    pub(super) const fn text(&mut self, text: &str) {
        let mut bytes = text.as_bytes();
        while let [byte, rest @ ..] = bytes {
            self.byte(*byte);
            bytes = rest;
        }
    }

    pub(super) const fn number(&mut self, number: usize) {
        if number >= 10 {
            self.number(number / 10);
        }
        #[allow(clippy::cast_possible_truncation, reason = "a digit")]
        self.byte(b'0' + (number % 10) as u8);
    }

    const fn range(&mut self, start: usize, end: usize) {
        self.number(start);
        self.text("..");
        self.number(end);
    }

    pub(super) const fn part(&mut self, part: Part) {
        self.text("`");
        self.text(part.name);
        self.text("` (");
        if part.at.checked_add(part.len).is_some() {
            self.text("bytes ");
            self.range(part.at, part.end());
        } else {
            self.number(part.len);
            self.text(" bytes at byte ");
            self.number(part.at);
        }
        self.text(")");
    }

    #[track_caller]
    #[allow(clippy::panic, reason = "runs in the compiler, where it is an error message")]
    pub(super) const fn stop(&self) -> ! {
        if let Some((text, _)) = self.bytes.split_at_checked(self.len)
            && let Ok(text) = core::str::from_utf8(text)
        {
            panic!("{}", text)
        }
        panic!("a field's name is too long for the message about its place")
    }
}
