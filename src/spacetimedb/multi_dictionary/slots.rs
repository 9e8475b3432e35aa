//! Where a key stands: the first free slot at or behind the one that its hash names.

use crate::string_table::Generation;

/// `N` slots, each with a number for whoever uses them; an eighth stays free.
///
/// Nothing of a key is kept but how far it stands from its slot of choice. That is enough to
/// compare only keys with the same slot of choice, and to close the gap that a removal leaves, so
/// removals never make look-ups longer.
#[derive(Debug)]
pub(super) struct Slots<const N: usize> {
    slots: [Slot; N],
    generation: Generation,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Generation, and the distance from the slot of choice.
    tag: u32,
    number: u32,
}

impl<const N: usize> Slots<N> {
    /// Keys that always fit.
    pub(super) const CAPACITY: usize = N / 8 * 7;
    const SHIFT: u32 = slot_shift(N);

    pub(super) const fn new() -> Self {
        // Checks N where a table is made, not where it is first used.
        const { _ = Self::SHIFT }
        Self { slots: [Slot { tag: 0, number: 0 }; N], generation: Generation::FIRST }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self) {
        if self.generation.advance() {
            self.start_over();
        }
    }

    #[cold]
    #[inline(never)]
    fn start_over(&mut self) {
        for slot in &mut self.slots {
            slot.tag = 0;
        }
        self.generation = Generation::FIRST;
    }

    /// Takes a slot for a key that has none. `None` where all are taken, which an eighth that
    /// stays free rules out.
    #[inline(always)]
    pub(super) fn enter(&mut self, hash: u32, number: u32) -> Option<usize> {
        let mut at = Self::slot_of(hash);
        for distance in 0..Self::LEN {
            let slot = self.slots.get_mut(at)?;
            if !self.generation.owns(slot.tag) {
                *slot = Slot { tag: self.generation.tag(distance), number };
                return Some(at);
            }
            at = (at + 1) & (N - 1);
        }
        None
    }

    /// Moves into slot `hole` the next one that may stand there, and returns where that was: the
    /// hole to fill next. Where there is none, frees the hole. Looks at no slot twice for all the
    /// holes of one removal.
    #[inline(always)]
    pub(super) fn fill(&mut self, hole: usize) -> Option<usize> {
        let mut at = hole;
        for gap in 1..Self::LEN {
            at = (at + 1) & (N - 1);
            let Slot { tag, number } = *self.slots.get(at)?;
            if !self.generation.owns(tag) {
                break;
            }
            if let Some(distance) = (tag & 0xffff).checked_sub(gap) {
                *self.slots.get_mut(hole)? = Slot { tag: self.generation.tag(distance), number };
                return Some(at);
            }
        }
        self.slots.get_mut(hole)?.tag = 0;
        None
    }

    /// Changes the number of slot `at`.
    #[inline(always)]
    pub(super) fn set(&mut self, at: usize, number: u32) {
        if let Some(slot) = self.slots.get_mut(at) {
            slot.number = number;
        }
    }

    /// The number of slot `at`, if that is taken.
    #[inline(always)]
    pub(super) fn number(&self, at: usize) -> Option<u32> {
        let slot = self.slots.get(at)?;
        self.generation.owns(slot.tag).then_some(slot.number)
    }

    /// The slots where a key with `hash` may stand, each with its number.
    #[inline(always)]
    pub(super) fn candidates(&self, hash: u32) -> Candidates<'_, N> {
        Candidates { slots: self, at: Self::slot_of(hash), distance: 0 }
    }

    #[allow(clippy::cast_possible_truncation, reason = "65,536 at most")]
    const LEN: u32 = N as u32;

    #[inline(always)]
    const fn slot_of(hash: u32) -> usize {
        (hash >> Self::SHIFT) as usize & (N - 1)
    }
}

#[derive(Debug)]
pub(super) struct Candidates<'a, const N: usize> {
    slots: &'a Slots<N>,
    at: usize,
    distance: u32,
}

impl<const N: usize> Iterator for Candidates<'_, N> {
    /// A slot and its number.
    type Item = (usize, u32);

    #[inline(always)]
    fn next(&mut self) -> Option<(usize, u32)> {
        while self.distance < Slots::<N>::LEN {
            let (at, distance) = (self.at, self.distance);
            let slot = self.slots.slots.get(at)?;
            if !self.slots.generation.owns(slot.tag) {
                return None;
            }
            self.at = (at + 1) & (N - 1);
            self.distance = distance + 1;
            if slot.tag == self.slots.generation.tag(distance) {
                return Some((at, slot.number));
            }
        }
        None
    }
}

/// How far to shift a hash so that its top bits number one of `slots` slots.
const fn slot_shift(slots: usize) -> u32 {
    assert!(
        slots.is_power_of_two() && slots >= 16 && slots.trailing_zeros() <= 16,
        "a dictionary and a delta have 16, 32, 64 ... 65536 slots"
    );
    32 - slots.trailing_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEN: usize = 32;

    /// Every taken slot is reached from its slot of choice, and there are `taken` of them.
    fn is_sound(slots: &Slots<LEN>, taken: usize) {
        let mut found = 0;
        for (at, slot) in slots.slots.iter().enumerate() {
            if !slots.generation.owns(slot.tag) {
                continue;
            }
            found += 1;
            for back in 1..=(slot.tag & 0xffff) as usize {
                let before = at.wrapping_sub(back) & (LEN - 1);
                assert!(slots.number(before).is_some(), "a gap {back} before slot {at}");
            }
        }
        assert_eq!(found, taken);
    }

    fn find(slots: &Slots<LEN>, hash: u32, number: u32) -> Option<usize> {
        slots.candidates(hash).find(|candidate| candidate.1 == number).map(|(at, _)| at)
    }

    fn remove(slots: &mut Slots<LEN>, at: usize) {
        let mut hole = at;
        let mut moves = 0;
        while let Some(from) = slots.fill(hole) {
            hole = from;
            moves += 1;
            assert!(moves < LEN, "no end");
        }
    }

    /// A number that is its own hash: the upper bits choose the slot.
    fn next(state: &mut u64, homes: u32) -> u32 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let number = (*state >> 32) as u32;
        // The last slots, so that clusters go round the end.
        let home = (Slots::<LEN>::LEN - 2 + number % homes) % Slots::<LEN>::LEN;
        home << 27 | number >> 5
    }

    #[test]
    fn removals_leave_no_gap_and_no_trace() {
        for homes in [1, 2, 5, 32] {
            let mut slots = Slots::<LEN>::new();
            let mut kept = [0; Slots::<LEN>::CAPACITY];
            let mut state = u64::from(homes);
            for number in &mut kept {
                *number = next(&mut state, homes);
                assert!(slots.enter(*number, *number).is_some());
            }
            is_sound(&slots, kept.len());
            for turn in 0..2_000 {
                let place = (turn * 7) % kept.len();
                if let Some(number) = kept.get_mut(place) {
                    let at = find(&slots, *number, *number);
                    assert!(at.is_some(), "turn {turn}");
                    remove(&mut slots, at.unwrap_or_default());
                    *number = next(&mut state, homes);
                    assert!(slots.enter(*number, *number).is_some());
                }
                is_sound(&slots, kept.len());
            }
            for number in kept {
                if let Some(at) = find(&slots, number, number) {
                    remove(&mut slots, at);
                }
            }
            is_sound(&slots, 0);
        }
    }

    #[test]
    fn a_table_without_a_free_slot_is_searched_once() {
        let mut slots = Slots::<LEN>::new();
        for number in 0..Slots::<LEN>::LEN {
            assert!(slots.enter(0, number).is_some());
        }
        assert_eq!(slots.enter(0, 99), None);
        assert_eq!(slots.candidates(0).count(), LEN);
        assert_eq!(slots.candidates(1 << 31).count(), 0);
        remove(&mut slots, 5);
        is_sound(&slots, LEN - 1);
        assert_eq!(find(&slots, 0, 5), None);
    }

    #[test]
    fn what_was_cleared_is_not_moved_into_a_hole() {
        let mut slots = Slots::<LEN>::new();
        for number in 0..8 {
            assert!(slots.enter(0, number).is_some());
        }
        slots.clear();
        for number in 0..2 {
            assert_eq!(slots.enter(0, number), Some(number as usize));
        }
        remove(&mut slots, 0);
        is_sound(&slots, 1);
        assert!(slots.candidates(0).eq([(0, 1)]));
    }

    #[test]
    fn generations_that_come_round_bring_nothing_back() {
        let mut slots = Slots::<LEN>::new();
        let at = slots.enter(0, 7).unwrap_or_default();
        assert_eq!(slots.number(at), Some(7));
        for turn in 0..140_000 {
            slots.clear();
            assert_eq!(slots.number(at), None, "turn {turn}");
        }
    }
}
