//! Siblings that are found by their keys.

use super::node::{KEYED, Node};

/// No sibling.
pub(super) const NONE: u32 = u32::MAX;

/// What is known of frames while siblings with keys are matched.
///
/// A frame stands among the children of one other only, so lists within lists do not meet.
pub(super) struct Keys<'s> {
    /// For a frame of the new page, that of the old one with its key.
    old_of: &'s mut [u32],
    /// And the other way round.
    new_of: &'s mut [u32],
    /// For a frame of the new page whose element moves: where it is.
    from: &'s mut [u32],
    /// And where it belongs.
    to: &'s mut [u32],
    /// Frames of the old page in the order of their keys; used for one list after the other.
    order: &'s mut [u32],
}

impl<'s> Keys<'s> {
    pub(super) const fn new(memory: [&'s mut [u32]; 5]) -> Self {
        let [old_of, new_of, from, to, order] = memory;
        Self { old_of, new_of, from, to, order }
    }

    /// Finds for each sibling with a key the one on the other side.
    ///
    /// Takes `n log n` steps for `n` siblings, and `n` where the keys of the old ones ascend.
    pub(super) fn index(&mut self, old: Siblings<'_>, new: Siblings<'_>) {
        let mut len = 0;
        let mut sorted = true;
        let mut last = 0;
        for (at, node) in old.iter() {
            set(self.new_of, at, NONE);
            if node.has(KEYED) {
                sorted &= len == 0 || last <= node.number;
                last = node.number;
                set(self.order, len, wide(at));
                len += 1;
            }
        }
        let order = self.order.get_mut(..len).unwrap_or_default();
        if !sorted {
            sort(order, old.nodes);
        }
        for (at, node) in new.iter() {
            set(self.old_of, at, NONE);
            set(self.from, at, NONE);
            set(self.to, at, NONE);
            if !node.has(KEYED) {
                continue;
            }
            let first = order.partition_point(|&o| key(old.nodes, o) < node.number);
            // Of siblings with one key only the first is found.
            let Some(&found) = order.get(first) else { continue };
            let is_free = get(self.new_of, found as usize) == NONE;
            if is_free && old.nodes.get(found as usize).is_some_and(|o| o.can_become(node)) {
                set(self.old_of, at, found);
                set(self.new_of, found as usize, wide(at));
            }
        }
    }

    /// The frame of the new page for `old`, or [`NONE`].
    #[inline(always)]
    pub(super) fn new_of(&self, old: usize) -> u32 {
        get(self.new_of, old)
    }

    /// The frame of the old page for `new`, or [`NONE`].
    #[inline(always)]
    pub(super) fn old_of(&self, new: usize) -> u32 {
        get(self.old_of, new)
    }

    /// The element of `here` is at `sibling`, where that of `wanted` belongs.
    pub(super) fn cross(&mut self, here: usize, wanted: usize, sibling: u32) {
        set(self.from, here, sibling);
        set(self.to, wanted, sibling);
    }

    /// Where the element of `new` is and belongs, if it moves.
    #[inline(always)]
    pub(super) fn moved(&self, new: usize) -> Option<(u32, u32)> {
        let (from, to) = (get(self.from, new), get(self.to, new));
        if from == NONE || to == NONE { None } else { Some((from, to)) }
    }
}

/// Frames that stand side by side, each with its subtree behind it.
#[derive(Clone, Copy)]
pub(super) struct Siblings<'n> {
    pub(super) nodes: &'n [Node],
    pub(super) first: usize,
    pub(super) end: usize,
}

impl<'n> Siblings<'n> {
    pub(super) const fn all(nodes: &'n [Node]) -> Self {
        Self { nodes, first: 0, end: nodes.len() }
    }

    #[inline(always)]
    pub(super) fn iter(self) -> impl Iterator<Item = (usize, &'n Node)> {
        let mut next = self.first;
        core::iter::from_fn(move || {
            let at = next;
            let node = self.nodes.get(..self.end)?.get(at)?;
            next = at.saturating_add(node.subtree());
            Some((at, node))
        })
    }
}

fn key(nodes: &[Node], at: u32) -> u64 {
    nodes.get(at as usize).map_or(0, |node| node.number)
}

#[inline(always)]
fn get(numbers: &[u32], at: usize) -> u32 {
    numbers.get(at).copied().unwrap_or(NONE)
}

#[inline(always)]
fn set(numbers: &mut [u32], at: usize, value: u32) {
    if let Some(number) = numbers.get_mut(at) {
        *number = value;
    }
}

/// A frame's number, which fits: a page holds fewer than 2^31.
#[inline(always)]
fn wide(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(NONE)
}

/// Heapsort, by key and then by place: in place, in `n log n` steps whatever the keys are, and without the
/// panics that core's has for orders that are none.
fn sort(order: &mut [u32], nodes: &[Node]) {
    let mut start = order.len() / 2;
    while start > 0 {
        start -= 1;
        sift(order, start, nodes);
    }
    let mut end = order.len();
    while end > 1 {
        end -= 1;
        swap(order, 0, end);
        sift(order.get_mut(..end).unwrap_or_default(), 0, nodes);
    }
}

/// Lets the number at `root` sink until none below it is larger.
fn sift(heap: &mut [u32], mut root: usize, nodes: &[Node]) {
    let rank = |heap: &[u32], at: usize| {
        let number = heap.get(at).copied()?;
        Some((key(nodes, number), number))
    };
    loop {
        let left = root.saturating_mul(2).saturating_add(1);
        let right = left.saturating_add(1);
        let larger = if rank(heap, right) > rank(heap, left) { right } else { left };
        // Nothing is smaller than a number, so below the last one this ends.
        if rank(heap, larger) <= rank(heap, root) {
            return;
        }
        swap(heap, root, larger);
        root = larger;
    }
}

fn swap(numbers: &mut [u32], a: usize, b: usize) {
    if let Ok([a, b]) = numbers.get_disjoint_mut([a, b]) {
        core::mem::swap(a, b);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::indexing_slicing, reason = "a test may panic")]

    use super::super::node::Kind;
    use super::*;

    #[test]
    fn numbers_are_sorted_by_key_and_place() {
        let mut state = 7u64;
        for len in 0..200 {
            let nodes: [Node; 200] = core::array::from_fn(|_| {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                Node { number: state >> 58, flags: KEYED, ..Node::new(Kind::Element, "li") }
            });
            let mut order: [u32; 200] = core::array::from_fn(wide);
            let order = &mut order[..len];
            order.reverse();
            sort(order, &nodes);
            let ranks = order
                .windows(2)
                .map(|pair| ((key(&nodes, pair[0]), pair[0]), (key(&nodes, pair[1]), pair[1])));
            for (before, after) in ranks {
                assert!(before < after);
            }
        }
    }
}
