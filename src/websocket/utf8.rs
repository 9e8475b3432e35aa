//! UTF-8 of a text that comes in pieces.

/// How far a text has been checked: the start of a character whose end is still to come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Utf8 {
    start: [u8; 4],
    /// Bytes of `start`, at most three between two pieces.
    len: usize,
}

/// Bytes that no UTF-8 text has at that place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NotUtf8;

impl Utf8 {
    /// At the start of a text.
    pub(super) const START: Self = Self { start: [0; 4], len: 0 };

    /// Goes on with `piece`; fails with the first byte after which no text can be valid any more.
    pub(super) fn check(&mut self, piece: &[u8]) -> Result<(), NotUtf8> {
        let mut rest = piece;
        while self.len != 0 {
            let Some((byte, later)) = rest.split_first() else { return Ok(()) };
            let Some(slot) = self.start.get_mut(self.len) else { return Err(NotUtf8) };
            *slot = *byte;
            rest = later;
            self.len += 1;
            match core::str::from_utf8(self.start.get(..self.len).unwrap_or_default()) {
                Ok(_) => self.len = 0,
                Err(error) if error.error_len().is_none() => {}
                Err(_) => return Err(NotUtf8),
            }
        }
        let Err(error) = core::str::from_utf8(rest) else { return Ok(()) };
        if error.error_len().is_some() {
            return Err(NotUtf8);
        }
        // At most three bytes of a character that goes on in the next piece.
        for (byte, slot) in rest.iter().skip(error.valid_up_to()).zip(&mut self.start) {
            *slot = *byte;
            self.len += 1;
        }
        Ok(())
    }

    /// Whether the text may end here.
    pub(super) const fn is_complete(&self) -> bool {
        self.len == 0
    }
}

#[cfg(test)]
#[allow(clippy::indexing_slicing, reason = "a test may panic")]
mod tests {
    use super::*;

    /// Sequences of up to four bytes, each byte from those at which something changes.
    #[test]
    fn pieces_of_one_byte_fail_where_the_whole_does() {
        const BYTES: [u8; 24] = [
            0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0,
            0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf4, 0xf5, 0xff,
        ];
        let mut valid = 0;
        for number in 0..BYTES.len().pow(4) {
            let bytes = [1, 24, 576, 13_824].map(|unit| BYTES[number / unit % 24]);
            let whole = core::str::from_utf8(&bytes);
            let mut state = Utf8::START;
            let failed = bytes.iter().position(|byte| state.check(&[*byte]).is_err());
            match whole {
                Ok(_) => {
                    valid += 1;
                    assert!(failed.is_none() && state.is_complete(), "{bytes:x?}");
                }
                Err(error) if error.error_len().is_none() => {
                    assert!(failed.is_none() && !state.is_complete(), "{bytes:x?}");
                }
                Err(error) => {
                    // The byte that cannot follow on those before it.
                    let at = error.valid_up_to() + error.error_len().unwrap_or(0);
                    assert!(failed == Some(at) || failed == Some(at - 1), "{bytes:x?}");
                }
            }
        }
        assert!(valid > 1000, "{valid}");
    }
}
