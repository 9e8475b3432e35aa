//! A stream that several tests write to.

use core::convert::Infallible;

use onewrite::error::{WriteError, WriteErrorKind};
use onewrite::sink::Sink;

/// Keeps what arrives, where it came from, and how it was cut.
#[derive(Debug, Default)]
pub(crate) struct Recording {
    pub(crate) bytes: Vec<u8>,
    pub(crate) writes: Vec<(*const u8, usize)>,
    /// How many bytes it takes; a write that goes beyond fails, and nothing of it is taken.
    pub(crate) room: Option<usize>,
    pub(crate) poisoned: bool,
}

impl Recording {
    /// The bytes of each write.
    pub(crate) fn lengths(&self) -> Vec<usize> {
        self.writes.iter().map(|(_, len)| *len).collect()
    }
}

impl Sink for Recording {
    type Error = Infallible;

    fn write(&mut self, bytes: &[u8]) -> Result<(), WriteError<Infallible>> {
        let written = self.bytes.len();
        if self.room.is_some_and(|room| written + bytes.len() > room) {
            return Err(WriteError::new(written, WriteErrorKind::Stalled));
        }
        self.bytes.extend_from_slice(bytes);
        self.writes.push((bytes.as_ptr(), bytes.len()));
        Ok(())
    }

    fn reserve(&mut self, _: usize) -> Result<Option<&mut [u8]>, WriteError<Infallible>> {
        Ok(None)
    }

    fn poison(&mut self) {
        self.poisoned = true;
    }
}
