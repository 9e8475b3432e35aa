//! What lets somebody in, once.

use super::secret::{Random, Token, same};

/// Tokens that were given out: a fixed table of those that are still good.
///
/// A token is good once, and for some time. Where there is no room for a new one, the oldest goes, so that
/// whoever asks for many gets no more than `N`, and shortens the time of those of others. A server has two
/// of these tables:
///
/// | given out with | and taken back with |
/// |---|---|
/// | a page, as the descriptor in its marker | `StartCircuit` or `UpdateRootComponents` |
/// | the answer to `negotiate`, as `connectionToken` | the request for the WebSocket |
///
/// There is no clock in it: `now` is milliseconds of a clock that does not go back, from any start.
///
/// ```
/// use onewrite::circuit::secret::Random;
/// use onewrite::circuit::ticket::Tickets;
/// # struct System(u8);
/// # impl Random for System {
/// #     type Error = ();
/// #     fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ()> {
/// #         self.0 += 1;
/// #         bytes.fill(self.0);
/// #         Ok(())
/// #     }
/// # }
/// # let mut random = System(0);
/// let mut tickets = Tickets::<16>::new(300_000);
/// let ticket = tickets.issue(&mut random, 1_000)?.as_str().to_owned();
/// assert!(tickets.redeem(&ticket, 2_000));
/// assert!(!tickets.redeem(&ticket, 2_000), "once");
/// let late = tickets.issue(&mut random, 1_000)?.as_str().to_owned();
/// assert!(!tickets.redeem(&late, 301_001), "five minutes");
/// # Ok::<(), ()>(())
/// ```
#[derive(Debug)]
pub struct Tickets<const N: usize> {
    slots: [Option<Ticket>; N],
    lifetime: u64,
    evicted: u64,
}

#[derive(Debug)]
struct Ticket {
    token: Token,
    issued: u64,
}

impl<const N: usize> Tickets<N> {
    /// A table whose tokens are good for `lifetime` milliseconds.
    #[must_use]
    pub const fn new(lifetime: u64) -> Self {
        const { assert!(N != 0, "a table of tickets has room for one") }
        Self { slots: [const { None }; N], lifetime, evicted: 0 }
    }

    /// Gives out a token.
    ///
    /// # Errors
    ///
    /// Those of `random`. Nothing is given out, and nothing goes.
    pub fn issue<R: Random + ?Sized>(
        &mut self,
        random: &mut R,
        now: u64,
    ) -> Result<Token, R::Error> {
        let token = Token::random(random)?;
        let lifetime = self.lifetime;
        // One that is no good before one that is, an older one before a younger.
        let age = |slot: &&mut Option<Ticket>| match slot {
            Some(ticket) if ticket.is_good(lifetime, now) => (true, ticket.issued),
            _ => (false, 0),
        };
        if let Some(slot) = self.slots.iter_mut().min_by_key(age) {
            self.evicted += u64::from(age(&slot).0);
            *slot = Some(Ticket { token: token.duplicate(), issued: now });
        }
        Ok(token)
    }

    /// Takes a token back; whether it was good.
    ///
    /// Looks at all of them, in a time that does not tell which one it was or how much of it was right.
    pub fn redeem(&mut self, text: &str, now: u64) -> bool {
        let mut good = false;
        for slot in &mut self.slots {
            let Some(ticket) = slot else { continue };
            if same(ticket.token.as_str().as_bytes(), text.as_bytes()) {
                good |= ticket.is_good(self.lifetime, now);
                *slot = None;
            }
        }
        good
    }

    /// Tokens that were given out, not redeemed, and are not too old at `now`.
    ///
    /// Looks at every place.
    #[must_use]
    pub fn len(&self, now: u64) -> usize {
        let is_good = |ticket: &&Ticket| ticket.is_good(self.lifetime, now);
        self.slots.iter().flatten().filter(is_good).count()
    }

    /// Whether none is good.
    #[must_use]
    pub fn is_empty(&self, now: u64) -> bool {
        self.len(now) == 0
    }

    /// How many went before their time, because there was no room.
    #[must_use]
    pub const fn evicted(&self) -> u64 {
        self.evicted
    }
}

impl Ticket {
    const fn is_good(&self, lifetime: u64, now: u64) -> bool {
        now.saturating_sub(self.issued) <= lifetime
    }
}
