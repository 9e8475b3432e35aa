//! Requests that wait for their answer.

use core::fmt;

/// Numbers requests and remembers those that have no answer yet, `P` of them with a `T` each.
///
/// Numbers begin at 1 and leave out 0, which servers say where they mean no request of anybody's, and
/// those that are still waiting. After a connection has ended no answer will come:
/// [`clear`](Self::clear), and begin where the numbers stand, so that nothing late is taken for an answer.
///
/// ```
/// use onewrite::spacetimedb::Pending;
///
/// let mut pending = Pending::<&str, 2>::new();
/// let first = pending.begin("subscribe")?;
/// let second = pending.begin("set_level")?;
/// assert!(pending.begin("one too many").is_err());
/// assert_eq!(pending.end(second), Some("set_level"));
/// assert_eq!(pending.end(second), None); // it was answered
/// assert_eq!((first, pending.len()), (1, 1));
/// # Ok::<(), onewrite::spacetimedb::TooManyRequests>(())
/// ```
#[derive(Clone, Debug)]
pub struct Pending<T, const P: usize> {
    requests: [Option<(u32, T)>; P],
    last: u32,
}

impl<T, const P: usize> Pending<T, P> {
    /// Nothing waits; the first number is 1.
    #[must_use]
    pub const fn new() -> Self {
        Self::after(0)
    }

    /// Nothing waits; the next number is the one after `last`.
    #[must_use]
    pub const fn after(last: u32) -> Self {
        Self { requests: [const { None }; P], last }
    }

    /// The number of a new request.
    ///
    /// # Errors
    ///
    /// Where `P` of them wait already.
    pub fn begin(&mut self, what: T) -> Result<u32, TooManyRequests> {
        let Some(place) = self.requests.iter().position(Option::is_none) else {
            return Err(TooManyRequests { limit: P });
        };
        // At most P + 1 numbers are not free.
        loop {
            self.last = self.last.wrapping_add(1);
            let taken = |request: &Option<(u32, T)>| {
                request.as_ref().is_some_and(|(id, _)| *id == self.last)
            };
            if self.last != 0 && !self.requests.iter().any(taken) {
                break;
            }
        }
        if let Some(slot) = self.requests.get_mut(place) {
            *slot = Some((self.last, what));
        }
        Ok(self.last)
    }

    /// Takes the request of this number; `None` where none of that number waits.
    pub fn end(&mut self, request_id: u32) -> Option<T> {
        for slot in &mut self.requests {
            if let Some((id, what)) = slot.take() {
                if id == request_id {
                    return Some(what);
                }
                *slot = Some((id, what));
            }
        }
        None
    }

    /// Forgets all that waits, as when a connection is lost; numbers go on where they were.
    pub fn clear(&mut self) {
        for slot in &mut self.requests {
            *slot = None;
        }
    }

    /// Those that wait, in no order that means anything.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &T)> {
        self.requests.iter().flatten().map(|(id, what)| (*id, what))
    }

    /// How many wait: at most `P`.
    #[must_use]
    pub fn len(&self) -> usize {
        self.requests.iter().flatten().count()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<T, const P: usize> Default for Pending<T, P> {
    fn default() -> Self {
        Self::new()
    }
}

/// There is no room for one more request that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TooManyRequests {
    /// How many there is room for.
    pub limit: usize,
}

impl fmt::Display for TooManyRequests {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} requests wait for an answer already", self.limit)
    }
}

impl core::error::Error for TooManyRequests {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_still_waits_is_not_given_again() {
        let mut pending = Pending::<u8, 4>::new();
        assert_eq!([pending.begin(1), pending.begin(2)], [Ok(1), Ok(2)]);
        // All the way round.
        pending.last = u32::MAX;
        assert_eq!(pending.begin(3), Ok(3));
        assert_eq!(pending.end(1), Some(1));
    }
}
