//! What happened on all connections of a server.

use super::Refusal;

/// What happened. No count goes down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Counters {
    /// Circuits that were started.
    pub started: u64,
    /// Circuits that went on on another connection.
    pub reconnected: u64,
    /// Circuits that were asked for and are not there, or cannot go on.
    pub not_reconnected: u64,
    /// Circuits that are over, for whatever reason.
    pub closed: u64,
    /// Circuits without a connection whose place another one took.
    pub evicted: u64,
    /// Circuits that had no connection for too long.
    pub expired: u64,
    /// Events that were handled.
    pub events: u64,
    /// Events whose handler was gone.
    pub gone_events: u64,
    /// Batches that were rendered.
    pub batches: u64,
    /// Batches that were acknowledged.
    pub acknowledged: u64,
    /// Answers to no call, and calls of what is not there.
    pub unasked: u64,
    refused: [u64; Refusal::KINDS],
}

impl Counters {
    pub(super) const fn new() -> Self {
        Self {
            started: 0,
            reconnected: 0,
            not_reconnected: 0,
            closed: 0,
            evicted: 0,
            expired: 0,
            events: 0,
            gone_events: 0,
            batches: 0,
            acknowledged: 0,
            unasked: 0,
            refused: [0; Refusal::KINDS],
        }
    }

    /// Connections that were ended from this side, of one kind of [`Refusal`].
    #[must_use]
    pub fn refused(&self, kind: usize) -> u64 {
        self.refused.get(kind).copied().unwrap_or_default()
    }

    /// Connections that were ended from this side.
    #[must_use]
    pub fn refused_in_all(&self) -> u64 {
        self.refused.iter().fold(0, |sum, count| sum.wrapping_add(*count))
    }

    pub(super) fn refuse(&mut self, refusal: Refusal) {
        if let Some(count) = self.refused.get_mut(refusal.kind()) {
            *count = count.wrapping_add(1);
        }
    }
}

/// One more.
pub(super) const fn count(counter: &mut u64) {
    *counter = counter.wrapping_add(1);
}
