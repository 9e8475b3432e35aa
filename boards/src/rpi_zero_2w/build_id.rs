//! The hash that the linker made of this very program, so that a reader of the log can tell
//! whether the ELF file it decodes with is the one that runs here.
//!
//! The flag `-Clink-arg=--build-id=sha1` makes the note; without it there is no id. Source: System
//! V ABI, "Note Section": three words (length of the name, length of the id, type), name, id.

use core::fmt;

/// The words in front of the id, and `GNU\0`.
const HEADER: usize = 16;
/// Bytes of the id: a SHA-1.
const BYTES: usize = 20;

unsafe extern "C" {
    static __build_id_start: u8;
    static __build_id_end: u8;
}

/// The id of this program; displays as hexadecimal.
#[derive(Clone, Copy)]
pub(super) struct BuildId(&'static [u8]);

impl BuildId {
    /// The id, where the linker was asked for one.
    pub(super) fn own() -> Option<Self> {
        let start = &raw const __build_id_start;
        let len = (&raw const __build_id_end).addr().checked_sub(start.addr())?;
        // SAFETY: link.ld puts both symbols around the note, in memory that is never written.
        let note: &'static [u8] = unsafe { core::slice::from_raw_parts(start, len) };
        Some(Self(note.get(HEADER..HEADER + BYTES)?))
    }

    /// The digits, two a byte.
    pub(super) fn digits(self) -> impl Iterator<Item = u8> {
        let digit = |half: u8| if half < 10 { b'0' + half } else { b'a' + half - 10 };
        self.0.iter().flat_map(move |byte| [digit(byte >> 4), digit(byte & 15)])
    }
}

impl fmt::Display for BuildId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.digits().try_for_each(|digit| fmt::Write::write_char(f, digit.into()))
    }
}
