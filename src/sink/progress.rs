//! What the blocking and the asynchronous stream sink have in common: everything but the call.

use crate::error::{WriteError, WriteErrorKind};
use crate::interruptions::Interruptions;

/// How far a stream has come, and whether it stands between two messages.
///
/// `open`, `advance` until all bytes are out, then `close` or `fail`. Whatever ends a message in
/// another way, such as a future that is dropped, leaves the stream poisoned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// Bytes accepted since the last reset; stays at `usize::MAX` once it is there.
    written: usize,
    /// Bytes accepted of the message that is open.
    accepted: usize,
    /// Interruptions since the last call that did something.
    interruptions: Interruptions,
    /// Set while a message is open, and after one that stopped behind its first byte.
    poisoned: bool,
}

impl Progress {
    pub(super) const fn new() -> Self {
        Self { written: 0, accepted: 0, interruptions: Interruptions::none(), poisoned: false }
    }

    /// Starts a message.
    #[inline]
    pub(super) fn open<E, P>(&mut self) -> Result<(), WriteError<E, P>> {
        if self.poisoned {
            return Err(WriteError::new(self.written, WriteErrorKind::Poisoned));
        }
        *self = Self {
            written: self.written,
            accepted: 0,
            interruptions: Interruptions::none(),
            poisoned: true,
        };
        Ok(())
    }

    /// Takes the outcome of one call that offered `rest`, and returns what is still to be offered.
    #[inline]
    pub(super) fn advance<'b, E, P>(
        &mut self,
        rest: &'b [u8],
        outcome: Result<usize, E>,
        interrupted: bool,
    ) -> Result<&'b [u8], WriteErrorKind<E, P>> {
        match outcome {
            Ok(0) => Err(WriteErrorKind::Stalled),
            Ok(taken) => {
                self.interruptions = Interruptions::none();
                // A driver that claims too much has had all of it as far as anyone can tell.
                let counted = if taken > rest.len() { rest.len() } else { taken };
                self.written = self.written.saturating_add(counted);
                self.accepted = self.accepted.saturating_add(counted);
                match rest.split_at_checked(taken) {
                    Some((_, rest)) => Ok(rest),
                    None => Err(WriteErrorKind::Miscounted { offered: rest.len(), claimed: taken }),
                }
            }
            Err(error) => self.retry(error, interrupted).map(|()| rest),
        }
    }

    /// Takes the error of one call, and returns it unless the call is to be made again.
    #[inline]
    pub(super) fn retry<E, P>(
        &mut self,
        error: E,
        interrupted: bool,
    ) -> Result<(), WriteErrorKind<E, P>> {
        if !interrupted {
            return Err(WriteErrorKind::Sink(error));
        }
        if self.interruptions.again() { Ok(()) } else { Err(WriteErrorKind::Stalled) }
    }

    /// Ends a message that is complete, and returns its length.
    #[inline]
    pub(super) fn close(&mut self) -> usize {
        self.poisoned = false;
        self.accepted
    }

    /// Ends a message that is not: harmless only if none of its bytes went out.
    #[inline]
    pub(super) fn fail<E, P>(&mut self, kind: WriteErrorKind<E, P>) -> WriteError<E, P> {
        self.poisoned = self.accepted != 0;
        WriteError::new(self.written, kind)
    }

    /// Ends a message that cannot be made again: lost, and so left open, also if none of it went
    /// out.
    #[inline]
    pub(super) fn abandon<E, P>(&self, kind: WriteErrorKind<E, P>) -> WriteError<E, P> {
        WriteError::new(self.written, kind)
    }

    /// Refuses everything until the next reset.
    #[inline]
    pub(super) const fn poison(&mut self) {
        self.poisoned = true;
    }

    pub(super) const fn written(&self) -> usize {
        self.written
    }

    pub(super) const fn is_poisoned(&self) -> bool {
        self.poisoned
    }
}

#[cfg(test)]
mod tests {
    use core::convert::Infallible;

    use super::*;

    #[test]
    fn count_stays_at_its_end_and_does_not_wrap() {
        let mut progress = Progress { written: usize::MAX - 2, ..Progress::new() };
        assert!(progress.open::<Infallible, Infallible>().is_ok());
        let rest = progress.advance::<Infallible, Infallible>(b"abcd", Ok(4), false);
        assert_eq!(rest, Ok(&[][..]));
        assert_eq!(progress.written(), usize::MAX);
        assert_eq!(progress.close(), 4);
    }
}
