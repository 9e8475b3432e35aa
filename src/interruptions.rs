//! How often a call that was interrupted is made again.

/// Interruptions in a row, of one stream.
///
/// An interrupted call did nothing, so it is made again. A driver that is interrupted for ever
/// would keep its caller for ever; at the limit it counts as stalled.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Interruptions(u16);

impl Interruptions {
    pub(crate) const fn none() -> Self {
        Self(0)
    }

    /// Counts one more, and says whether the call may be made again.
    #[inline]
    pub(crate) const fn again(&mut self) -> bool {
        self.0 = self.0.saturating_add(1);
        self.0 < LIMIT
    }
}

/// The number of interruptions in a row after which a stream counts as stalled.
const LIMIT: u16 = 1_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_thousand_is_too_many() {
        let mut interruptions = Interruptions::none();
        assert!((1..1_000).all(|_| interruptions.again()));
        assert!((0..100_000).all(|_| !interruptions.again()));
    }
}
