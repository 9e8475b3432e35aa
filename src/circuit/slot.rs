//! A circuit, and the place it has in a server's memory.

use core::fmt;

use super::secret::CircuitSecret;
use super::store::Store;

/// How many calls of a page's functions may wait for their answers at a time.
pub const JS_CALLS: usize = 4;

/// How many root components a circuit has at a time.
pub const MAX_ROOTS: usize = 8;

/// The number of the first batch.
pub(super) const FIRST_BATCH: u32 = 2;

/// A place for a circuit, in memory that the caller lends a [`Server`](super::Server).
///
/// Its length is that of the page, of the store, and of [`CIRCUIT_LEN`](super::CIRCUIT_LEN) bytes or fewer.
pub struct Slot<P, S> {
    /// Counts the connections that circuits in this place have had, so that none is taken for a later one.
    pub(super) epoch: u32,
    pub(super) circuit: Option<Circuit<P, S>>,
}

impl<P, S> Slot<P, S> {
    /// A free place.
    #[must_use]
    pub const fn new() -> Self {
        Self { epoch: 0, circuit: None }
    }
}

impl<P, S> Default for Slot<P, S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<P, S> fmt::Debug for Slot<P, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Slot").field("taken", &self.circuit.is_some()).finish_non_exhaustive()
    }
}

/// Which circuit a connection has: its place, and how often that was given out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) slot: usize,
    pub(super) epoch: u32,
}

pub(super) struct Circuit<P, S> {
    pub(super) secret: CircuitSecret,
    pub(super) page: P,
    pub(super) store: S,
    pub(super) batches: Batches,
    pub(super) roots: Roots,
    pub(super) calls: JsCalls,
    /// Since when it has no connection.
    pub(super) detached_at: Option<u64>,
}

impl<P, S: Store> Circuit<P, S> {
    pub(super) fn new(secret: CircuitSecret, page: P) -> Self {
        Self {
            secret,
            page,
            store: S::default(),
            batches: Batches::new(),
            roots: Roots { places: [None; MAX_ROOTS], next: 0 },
            calls: JsCalls { last: 0, waiting: [0; JS_CALLS] },
            detached_at: None,
        }
    }

    /// Whether all that the browser may not have is kept.
    pub(super) const fn is_resumable(&self) -> bool {
        S::KEEPS && self.batches.lost <= self.batches.acknowledged
    }
}

/// Where a circuit is in the numbers of its batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Batches {
    /// Of the next one.
    pub(super) next: u32,
    /// Of the last one that went out on the current connection.
    pub(super) sent: u32,
    /// All up to here are in the page.
    pub(super) acknowledged: u32,
    /// The last one that was not kept.
    pub(super) lost: u32,
}

impl Batches {
    const fn new() -> Self {
        let none = FIRST_BATCH - 1;
        Self { next: FIRST_BATCH, sent: none, acknowledged: none, lost: 0 }
    }

    /// How many are not acknowledged.
    pub(super) const fn under_way(&self) -> u32 {
        self.next.saturating_sub(1).saturating_sub(self.acknowledged)
    }
}

/// The root components of a circuit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roots {
    /// Selector and component.
    places: [Option<(u32, i32)>; MAX_ROOTS],
    next: i32,
}

impl Roots {
    /// The component that is attached at `selector`; `None` where there are too many.
    pub(super) fn add(&mut self, selector: u32) -> Option<i32> {
        let component = self.next;
        let next = component.checked_add(1)?;
        let place = self.places.iter_mut().find(|place| place.is_none())?;
        (*place, self.next) = (Some((selector, component)), next);
        Some(component)
    }

    /// The component that was attached at `selector`.
    pub(super) fn remove(&mut self, selector: u32) -> Option<i32> {
        let is = |place: &&mut Option<(u32, i32)>| place.is_some_and(|(at, _)| at == selector);
        let (_, component) = self.places.iter_mut().find(is)?.take()?;
        Some(component)
    }

    /// Whether none was ever attached.
    pub(super) const fn never(&self) -> bool {
        self.next == 0
    }
}

/// The calls of a page's functions.
#[derive(Clone, Copy, Debug)]
pub(super) struct JsCalls {
    last: u32,
    /// Handles, and zeros.
    waiting: [u32; JS_CALLS],
}

impl JsCalls {
    /// Whether another answer may be waited for.
    pub(super) fn has_room(&self) -> bool {
        self.waiting.contains(&0)
    }

    /// The handle of the next call. The answer is not waited for yet.
    pub(super) const fn next(&self) -> u32 {
        match self.last.wrapping_add(1) {
            0 => 1,
            next => next,
        }
    }

    /// Waits for the answer to the call whose handle was the next.
    pub(super) fn wait(&mut self) {
        let next = self.next();
        if let Some(slot) = self.waiting.iter_mut().find(|handle| **handle == 0) {
            (*slot, self.last) = (next, next);
        }
    }

    /// Waits for no answer any more; the handles of those that were waited for, and zeros.
    pub(super) const fn give_up(&mut self) -> [u32; JS_CALLS] {
        core::mem::replace(&mut self.waiting, [0; JS_CALLS])
    }

    /// Whether an answer was waited for, which it is no more.
    pub(super) fn answered(&mut self, handle: u64) -> Option<u32> {
        let handle = u32::try_from(handle).ok().filter(|handle| *handle != 0)?;
        *self.waiting.iter_mut().find(|waiting| **waiting == handle)? = 0;
        Some(handle)
    }
}
