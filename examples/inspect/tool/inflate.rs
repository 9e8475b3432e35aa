//! What is compressed, inflated into memory that is bounded.

use onewrite::compression::{DecompressErrorKind, Tables};
use onewrite::spacetimedb::Payload;

/// Inflates as many bytes as it may, in all.
#[derive(Debug)]
pub(crate) struct Inflater {
    /// The bytes that are left.
    left: usize,
    tables: Box<Tables<WORDS>>,
}

/// Enough for all that a brotli stream of one meta-block type each may ask for, and far more than
/// servers make use of.
const WORDS: usize = 1 << 16;
/// The size to begin with where the input tells none.
const FIRST: usize = 64 * 1024;

/// Why something was not inflated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    /// At which compressed byte.
    pub(crate) at: usize,
    pub(crate) message: String,
}

impl Inflater {
    pub(crate) fn new(limit: usize) -> Self {
        Self { left: limit, tables: Box::default() }
    }

    /// The bytes that `payload` has inside.
    pub(crate) fn inflate(&mut self, payload: Payload<'_>) -> Result<Vec<u8>, Refusal> {
        let mut len = payload.decompressed_len().unwrap_or(FIRST).min(self.left);
        loop {
            let mut out = vec![0; len];
            let error = match payload.decompress_with(&mut self.tables, &mut out) {
                Ok(inflated) => {
                    let len = inflated.len();
                    out.truncate(len);
                    self.left = self.left.saturating_sub(len);
                    return Ok(out);
                }
                Err(error) => error,
            };
            let DecompressErrorKind::NeedsBuffer { at_least } = error.kind else {
                self.left = self.left.saturating_sub(len);
                return Err(Refusal { at: error.at, message: error.kind.to_string() });
            };
            if len >= self.left {
                let message = format!(
                    "inflates to more than the {} bytes that are left of --max-inflated",
                    self.left
                );
                self.left = 0;
                return Err(Refusal { at: error.at, message });
            }
            len = at_least.max(len.saturating_mul(2)).min(self.left);
        }
    }
}
