//! What a build error says.

use super::error::PartsError;
use super::parts::Parts;
use crate::http::output::Output;

/// What a build error says: which header field is wrong if one is, and what is wrong with it.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Sentence {
    bytes: [u8; 512],
    len: usize,
}

impl Sentence {
    /// The sentence for what [`Parts::check`] said.
    #[must_use]
    pub const fn of(parts: &Parts<'_>, error: PartsError) -> Self {
        let mut bytes = [0; 512];
        let mut output = Output::new(&mut bytes);
        if let (Some(name), false) =
            (parts.wrong_header(), matches!(error, PartsError::Status | PartsError::Interim))
            && name.len() <= 200
        {
            output.put(b"header field `");
            output.put(name.as_bytes());
            output.put(b"`: ");
        }
        output.put(error.message().as_bytes());
        let len = output.len();
        Self { bytes, len }
    }

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &str {
        match self.bytes.split_at_checked(self.len) {
            Some((text, _)) => match core::str::from_utf8(text) {
                Ok(text) => text,
                Err(_) => "",
            },
            None => "",
        }
    }
}
