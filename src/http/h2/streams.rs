//! Streams that are not done with when their HEADERS are.

use super::answer::Answer;
use super::{Pending, WINDOW};

/// A stream that waits for the rest of its request, or for a window.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// Its number, zero if the slot is free.
    pub(super) stream: u32,
    pub(super) state: State,
    /// Bytes that the client lets us send on it. May be below zero (RFC 9113 section 6.9.2).
    pub(super) window: i32,
    /// Bytes of the body, of the request or of the response, that are done with.
    pub(super) done: u32,
    /// While receiving, the content-length, or [`Slot::UNKNOWN`]; while waiting, bytes that the window
    /// must have.
    pub(super) length: u32,
    /// Bytes received for which the client has no window back yet.
    pub(super) owed: u32,
    pub(super) answer: Answer,
}

/// What a stream waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// For the rest of the request's body, which is dropped.
    Receiving,
    /// For a window. The head of the response went out, and some of its body.
    Sending,
    /// For a window that takes the whole body. Nothing of the response went out.
    Waiting,
}

impl Slot {
    pub(super) const UNKNOWN: u32 = u32::MAX;

    const FREE: Self = Self {
        stream: 0,
        state: State::Receiving,
        window: 0,
        done: 0,
        length: Self::UNKNOWN,
        owed: 0,
        answer: Answer::NONE,
    };

    /// A stream whose response waits, or for whose response `state` waits.
    pub(super) const fn new(state: State, pending: Pending) -> Self {
        let Pending { stream, window, answer } = pending;
        Self { stream, state, window, answer, ..Self::FREE }
    }

    /// The response that has not begun.
    pub(super) const fn pending(&self) -> Pending {
        Pending { stream: self.stream, window: self.window, answer: self.answer }
    }

    /// Bytes that the client may still send on it.
    pub(super) const fn window_of_request(&self) -> u32 {
        WINDOW.saturating_sub(self.owed)
    }
}

/// A stream that was reset, which the client may not know yet (RFC 9113 section 5.1).
#[derive(Clone, Copy, Debug)]
pub(super) struct Dropped {
    /// Its number, zero if the place is free.
    stream: u32,
    /// Bytes that the client may still send on it: it gets no window back, so they come to an end.
    pub(super) window: u32,
}

impl Dropped {
    const FREE: Self = Self { stream: 0, window: 0 };
}

/// Streams that are dropped at the same time, round the end.
const DROPPED: usize = 16;

/// The slots of a connection.
#[derive(Debug)]
pub(super) struct Streams<const N: usize> {
    slots: [Slot; N],
    used: usize,
    /// The slot that sends next.
    turn: usize,
    dropped: [Dropped; DROPPED],
    /// The place of the one that is dropped next.
    oldest: usize,
}

impl<const N: usize> Streams<N> {
    pub(super) const fn new() -> Self {
        Self {
            slots: [Slot::FREE; N],
            used: 0,
            turn: 0,
            dropped: [Dropped::FREE; DROPPED],
            oldest: 0,
        }
    }

    /// Puts a stream into a free slot, or returns false.
    pub(super) fn insert(&mut self, new: Slot) -> bool {
        let Some(slot) = self.slots.iter_mut().find(|slot| slot.stream == 0) else { return false };
        *slot = new;
        self.used += 1;
        true
    }

    /// Takes a stream out of its slot.
    pub(super) fn remove(&mut self, stream: u32) -> Option<Slot> {
        let slot = self.get(stream)?;
        let removed = *slot;
        slot.stream = 0;
        self.used = self.used.saturating_sub(1);
        Some(removed)
    }

    pub(super) fn get(&mut self, stream: u32) -> Option<&mut Slot> {
        if self.used == 0 || stream == 0 {
            return None;
        }
        self.slots.iter_mut().find(|slot| slot.stream == stream)
    }

    /// The slots that are not free.
    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Slot> {
        let busy = if self.used == 0 { 0 } else { N };
        self.slots.iter_mut().take(busy).filter(|slot| slot.stream != 0)
    }

    /// How many streams receive, and how many wait for a window.
    pub(super) const fn count(&self) -> (usize, usize) {
        let (mut receiving, mut sending) = (0, 0);
        let mut left: &[Slot] = if self.used == 0 { &[] } else { &self.slots };
        while let [slot, rest @ ..] = left {
            match slot.state {
                _ if slot.stream == 0 => {}
                State::Receiving => receiving += 1,
                State::Sending | State::Waiting => sending += 1,
            }
            left = rest;
        }
        (receiving, sending)
    }

    /// Whether no slot is free.
    pub(super) const fn is_full(&self) -> bool {
        self.used == N
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// The next slot in turn, free or not.
    pub(super) fn next(&mut self) -> Option<Slot> {
        let slot = self.slots.get(self.turn).copied();
        self.turn = if self.turn + 1 < N { self.turn + 1 } else { 0 };
        slot
    }

    /// Lets the slot that [`Self::next`] gave be the next one again.
    pub(super) fn stay(&mut self) {
        self.turn = self.turn.checked_sub(1).unwrap_or(N.saturating_sub(1));
    }

    /// Drops what comes on a stream from now on, which is at most `window` bytes.
    pub(super) fn drop_rest(&mut self, stream: u32, window: u32) {
        if let Some(place) = self.dropped.get_mut(self.oldest) {
            *place = Dropped { stream, window };
        }
        self.oldest = (self.oldest + 1) % DROPPED;
    }

    /// What is left of a stream that is dropped.
    pub(super) fn dropped(&mut self, stream: u32) -> Option<&mut Dropped> {
        self.dropped.iter_mut().find(|dropped| dropped.stream == stream)
    }

    /// What the client sends on this stream from now on is an error.
    pub(super) fn forget(&mut self, stream: u32) {
        if let Some(dropped) = self.dropped(stream) {
            *dropped = Dropped::FREE;
        }
    }
}
