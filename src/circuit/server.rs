//! What all connections of a server share.

use core::fmt;

use super::counters::{Counters, count};
use super::handler::{Closed, Handler};
use super::slot::{Circuit, Key, Slot};
use super::store::Store;
use crate::string_table::Interner;

/// How a server treats its clients.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Options {
    /// How many batches may be unacknowledged, at least 1. Then a page is not rendered until some are.
    pub unacknowledged: u32,
    /// What the browser's script has as the number of its renderer.
    pub renderer: Renderer,
}

impl Options {
    /// 10 batches, as in ASP.NET Core, and scripts of .NET 8 and later.
    pub const DEFAULT: Self = Self { unacknowledged: 10, renderer: Renderer::One };
}

impl Default for Options {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// The number of a script's renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Renderer {
    /// 0: scripts of .NET 6 and 7.
    Zero,
    /// 1: scripts of .NET 8 and later.
    One,
}

/// The circuits of a server, its handler, and what it counts.
///
/// There are as many circuits as there are places, and a circuit may be there without a connection. Where no
/// place is free for a new one, the one that has been without a connection the longest makes room.
///
/// Everything is done by the one who has a `&mut` to it: one thread serves all circuits.
pub struct Server<'s, H: Handler, S, T> {
    pub(super) handler: H,
    pub(super) slots: &'s mut [Slot<H::Page, S>],
    pub(super) table: T,
    pub(super) strings: &'s mut [u32],
    pub(super) options: Options,
    pub(super) counters: Counters,
}

impl<'s, H: Handler, S: Store, T: Interner> Server<'s, H, S, T> {
    /// A server with as many circuits as `slots`.
    ///
    /// `table` holds the strings that a batch shares, while it is written.
    #[must_use]
    pub fn new(handler: H, slots: &'s mut [Slot<H::Page, S>], table: T, options: Options) -> Self {
        let counters = Counters::new();
        Self { handler, slots, table, strings: &mut [], options, counters }
    }

    /// The same with memory for batches that go into a stream and are longer than a scratch: a number for
    /// each string of a batch, see [`BatchProducer`](crate::render_batch::BatchProducer). A batch with more
    /// strings breaks off, and its stream is poisoned. A sink that lends memory does without.
    #[must_use]
    pub fn with_strings(self, strings: &'s mut [u32]) -> Self {
        Self { strings, ..self }
    }

    /// What makes the pages.
    #[must_use]
    pub const fn handler(&self) -> &H {
        &self.handler
    }

    /// What makes the pages, to be changed.
    #[must_use]
    pub const fn handler_mut(&mut self) -> &mut H {
        &mut self.handler
    }

    /// What happened so far.
    #[must_use]
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// How many circuits there are, and how many of them have a connection.
    #[must_use]
    pub fn circuits(&self) -> (usize, usize) {
        let circuits = self.slots.iter().filter_map(|slot| slot.circuit.as_ref());
        circuits.fold((0, 0), |(all, connected), circuit| {
            (all + 1, connected + usize::from(circuit.detached_at.is_none()))
        })
    }

    /// Calls `change` with the handler and each page. What has changed goes out when the connection of the
    /// page is [pumped](super::Connection::pump).
    pub fn for_each_page<F: FnMut(&mut H, &mut H::Page)>(&mut self, mut change: F) {
        for circuit in self.slots.iter_mut().filter_map(|slot| slot.circuit.as_mut()) {
            change(&mut self.handler, &mut circuit.page);
        }
    }

    /// Ends the circuit with this secret, as its page has been left; whether there is one.
    ///
    /// A page says so itself when it is left, with a request of HTTP: `POST /_blazor/disconnect`. A
    /// connection that still has the circuit ends at its next call.
    pub fn disconnect(&mut self, secret: &str) -> bool {
        match self.find(secret) {
            Some(slot) => {
                self.close(slot, Closed::Left);
                true
            }
            None => false,
        }
    }

    /// Ends circuits that are without a connection for more than `kept`, and returns how many.
    ///
    /// `now` and `kept` have the caller's unit; so has what [`Connection::detach`](super::Connection::detach)
    /// was given. ASP.NET Core keeps circuits for three minutes.
    pub fn expire(&mut self, now: u64, kept: u64) -> usize {
        let mut expired = 0;
        for slot in 0..self.slots.len() {
            let since = self.circuit(slot).and_then(|circuit| circuit.detached_at);
            if since.is_some_and(|since| now.saturating_sub(since) > kept) {
                self.close(slot, Closed::Expired);
                count(&mut self.counters.expired);
                expired += 1;
            }
        }
        expired
    }

    /// Ends all circuits; the handler is told of each page with [`Closed::PutAway`].
    pub fn close_all(&mut self) {
        for slot in 0..self.slots.len() {
            self.close(slot, Closed::PutAway);
        }
    }

    pub(super) fn circuit(&self, slot: usize) -> Option<&Circuit<H::Page, S>> {
        self.slots.get(slot)?.circuit.as_ref()
    }

    /// The circuit that a connection has, unless another one has it now.
    #[inline]
    pub(super) fn circuit_of(&mut self, key: Key) -> Option<&mut Circuit<H::Page, S>> {
        let slot = self.slots.get_mut(key.slot)?;
        if slot.epoch == key.epoch { slot.circuit.as_mut() } else { None }
    }

    /// The place of the circuit with this secret. Looks at all of them, whichever it is.
    pub(super) fn find(&self, secret: &str) -> Option<usize> {
        let mut found = None;
        for (at, slot) in self.slots.iter().enumerate() {
            if let Some(circuit) = &slot.circuit
                && circuit.secret.matches(secret)
            {
                found = Some(at);
            }
        }
        found
    }

    /// Whether there is a place for another circuit, or one to be had.
    pub(super) fn has_room(&self) -> bool {
        self.slots.iter().any(|slot| match &slot.circuit {
            Some(circuit) => circuit.detached_at.is_some(),
            None => true,
        })
    }

    /// Puts a circuit into a free place, or into that of the circuit that is without a connection for the
    /// longest time.
    pub(super) fn insert(&mut self, circuit: Circuit<H::Page, S>) -> Option<Key> {
        let at = match self.slots.iter().position(|slot| slot.circuit.is_none()) {
            Some(free) => free,
            None => {
                let detached = self.slots.iter().enumerate().filter_map(|(at, slot)| {
                    let since = slot.circuit.as_ref()?.detached_at?;
                    Some((since, at))
                });
                let (_, oldest) = detached.min()?;
                self.close(oldest, Closed::Evicted);
                count(&mut self.counters.evicted);
                oldest
            }
        };
        let slot = self.slots.get_mut(at)?;
        slot.epoch = slot.epoch.wrapping_add(1);
        slot.circuit = Some(circuit);
        count(&mut self.counters.started);
        Some(Key { slot: at, epoch: slot.epoch })
    }

    pub(super) fn close(&mut self, at: usize, why: Closed) {
        if let Some(slot) = self.slots.get_mut(at)
            && let Some(circuit) = slot.circuit.take()
        {
            slot.epoch = slot.epoch.wrapping_add(1);
            count(&mut self.counters.closed);
            self.handler.closed(circuit.page, why);
        }
    }

    /// Ends the circuit that a connection has, unless another one has it now.
    pub(super) fn close_of(&mut self, key: Key, why: Closed) {
        if self.circuit_of(key).is_some() {
            self.close(key.slot, why);
        }
    }
}

impl<H: Handler, S: Store, T: Interner> fmt::Debug for Server<'_, H, S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Server")
            .field("slots", &self.slots.len())
            .field("options", &self.options)
            .field("counters", &self.counters)
            .finish_non_exhaustive()
    }
}
