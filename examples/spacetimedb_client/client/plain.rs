//! Text from elsewhere, as a terminal may be shown it.

use std::fmt::{self, Write as _};

/// Shows what would move a cursor, end a line or turn its order round as `\u001b`.
///
/// Inside a string of JSON that is the same character.
#[derive(Debug)]
pub(crate) struct Plain<T>(pub(crate) T);

impl<T: fmt::Display> fmt::Display for Plain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(Escaping(f), "{}", self.0)
    }
}

struct Escaping<'a, 'f>(&'a mut fmt::Formatter<'f>);

impl fmt::Write for Escaping<'_, '_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for piece in text.split_inclusive(commands) {
            match piece.char_indices().next_back().filter(|(_, last)| commands(*last)) {
                Some((at, last)) => {
                    self.0.write_str(piece.get(..at).unwrap_or_default())?;
                    write!(self.0, "\\u{:04x}", u32::from(last))?;
                }
                None => self.0.write_str(piece)?,
            }
        }
        Ok(())
    }
}

/// Whether a terminal does something else with it than to show it: controls (C0, DEL, C1), separators of
/// lines and paragraphs, marks and overrides of the direction of writing (Unicode TR 36 section 3.7).
const fn commands(character: char) -> bool {
    matches!(
        character,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}'
            | '\u{61c}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    )
}
