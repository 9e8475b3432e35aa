//! What the blocking and the asynchronous stream source have in common: everything but the call.

use crate::error::{ReadError, ReadErrorKind};
use crate::interruptions::Interruptions;

use super::{cut_off, record_len_in};

/// How far a stream has come, and whether it stands between two records.
///
/// `open`, `advance` until it says that the read is over, then `fail` if that was an error.
/// Whatever ends a read in another way, such as a future that is dropped, leaves the stream
/// poisoned.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Progress {
    /// Bytes that arrived since the last reset; stays at `usize::MAX` once it is there.
    read: usize,
    /// Bytes that arrived in the read that is open.
    arrived: usize,
    /// Length of a record in the read that is open.
    record_len: usize,
    /// Bytes of a record cut short by the end of the input, which no read has reported yet.
    unreported: usize,
    /// Interruptions since the last call that did something.
    interruptions: Interruptions,
    /// Set while a read is open, and after one that failed behind its first byte.
    poisoned: bool,
}

/// What follows on a call to the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// Another call, with the room from this byte on.
    Read(usize),
    /// Nothing: so many bytes of whole records have arrived.
    Done(usize),
}

impl Progress {
    pub(super) const fn new() -> Self {
        Self {
            read: 0,
            arrived: 0,
            record_len: 0,
            unreported: 0,
            interruptions: Interruptions::none(),
            poisoned: false,
        }
    }

    /// Starts a read into `records`.
    #[inline]
    pub(super) fn open<E>(
        &mut self,
        records: &[u8],
        record_len: usize,
    ) -> Result<Next, ReadError<E>> {
        let record_len = record_len_in(records, record_len);
        if self.unreported != 0 {
            let kind = ReadErrorKind::EndOfInput { got: self.unreported, wanted: self.record_len };
            self.unreported = 0;
            return Err(ReadError::new(self.read, kind));
        }
        if self.poisoned {
            return Err(ReadError::new(self.read, ReadErrorKind::Poisoned));
        }
        if records.is_empty() {
            return Ok(Next::Done(0));
        }
        self.arrived = 0;
        self.record_len = record_len;
        self.interruptions = Interruptions::none();
        self.poisoned = true;
        Ok(Next::Read(0))
    }

    /// Takes the outcome of one call that had room for `room` bytes.
    #[inline]
    pub(super) fn advance<E>(
        &mut self,
        room: usize,
        outcome: Result<usize, E>,
        interrupted: bool,
    ) -> Result<Next, ReadErrorKind<E>> {
        match outcome {
            Ok(0) => self.end_of_input(),
            Ok(arrived) => {
                self.interruptions = Interruptions::none();
                let counted = arrived.min(room);
                self.read = self.read.saturating_add(counted);
                self.arrived = self.arrived.saturating_add(counted);
                if arrived > room {
                    return Err(ReadErrorKind::Miscounted { offered: room, claimed: arrived });
                }
                if arrived == room {
                    self.poisoned = false;
                    return Ok(Next::Done(self.arrived));
                }
                Ok(Next::Read(self.arrived))
            }
            Err(_) if interrupted => {
                if self.interruptions.again() {
                    Ok(Next::Read(self.arrived))
                } else {
                    Err(ReadErrorKind::Stalled)
                }
            }
            Err(error) => Err(ReadErrorKind::Source(error)),
        }
    }

    /// Ends a read that failed: harmless only if no byte arrived in it.
    #[inline]
    pub(super) fn fail<E>(&mut self, kind: ReadErrorKind<E>) -> ReadError<E> {
        self.poisoned = self.arrived != 0;
        ReadError::new(self.read, kind)
    }

    pub(super) const fn read(&self) -> usize {
        self.read
    }

    pub(super) const fn is_poisoned(&self) -> bool {
        self.poisoned
    }

    fn end_of_input<E>(&mut self) -> Result<Next, ReadErrorKind<E>> {
        let got = cut_off(self.arrived, self.record_len);
        let len = self.arrived - got;
        if len == 0 && got != 0 {
            return Err(ReadErrorKind::EndOfInput { got, wanted: self.record_len });
        }
        // The bytes of a record behind whole ones are lost, so the stream stays poisoned for them.
        self.unreported = got;
        self.poisoned = got != 0;
        Ok(Next::Done(len))
    }
}

#[cfg(test)]
mod tests {
    use core::convert::Infallible;

    use super::*;

    #[test]
    fn count_stays_at_its_end_and_does_not_wrap() {
        let mut progress = Progress { read: usize::MAX - 2, ..Progress::new() };
        assert_eq!(progress.open::<Infallible>(&[0; 4], 4), Ok(Next::Read(0)));
        assert_eq!(progress.advance::<Infallible>(4, Ok(4), false), Ok(Next::Done(4)));
        assert_eq!(progress.read(), usize::MAX);
    }
}
