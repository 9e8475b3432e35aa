//! From what a browser shows to what it should show: the edits.

use super::changes::{Changes, Stop, batch_len, string_len, wire};
use super::keys::{Keys, NONE, Siblings};
use super::node::{ABSENT, KEYED, Kind, Node};
use crate::render_batch::Edit;

/// How many siblings ahead one without a key is looked for.
const AHEAD: usize = 16;

/// Compares two pages, walking both once.
///
/// Siblings without keys are matched in order, an element with one of its name; what does not match is
/// looked for [`AHEAD`] siblings ahead. Siblings with keys are matched by them, wherever they stand.
pub(super) struct Differ<'a, 's> {
    pub(super) old: &'s [Node],
    pub(super) old_texts: &'s str,
    pub(super) new: &'s mut [Node],
    pub(super) changes: Changes<'a, 's>,
    pub(super) keys: Keys<'s>,
}

/// Where two lists of siblings stand.
#[derive(Clone, Copy)]
struct Lists {
    old: usize,
    old_end: usize,
    new: usize,
    new_end: usize,
    /// The browser's next sibling.
    sibling: u32,
}

impl Differ<'_, '_> {
    /// The edits from the old page to the new one; with `fewest_bytes` those of rendering it anew where
    /// that makes a smaller batch.
    pub(super) fn run(&mut self, fewest_bytes: bool) -> Result<(), Stop> {
        self.changes.clear();
        let (old_end, new_end) = (self.old.len(), self.new.len());
        let lists = Lists { old: 0, old_end, new: 0, new_end, sibling: 0 };
        match self.siblings(lists) {
            Ok(_) if !(fewest_bytes && self.is_larger()) => Ok(()),
            Err(Stop::Error(error)) => Err(Stop::Error(error)),
            _ => self.anew(),
        }
    }

    /// Takes away all that is there and inserts all that should be.
    fn anew(&mut self) -> Result<(), Stop> {
        self.changes.clear();
        let mut at = 0;
        while let Some(before) = self.old_node(at, usize::MAX) {
            // The first sibling each time.
            self.remove(at, 0)?;
            at += before.subtree();
        }
        let (mut at, mut sibling) = (0, 0);
        while let Some(after) = self.new_node(at, usize::MAX) {
            sibling = self.insert(at, sibling)?;
            at += after.subtree();
        }
        Ok(())
    }

    /// Whether the edits make a larger batch than rendering anew would.
    ///
    /// The names that frames share are left out on both sides: the new page has all that its parts have.
    fn is_larger(&self) -> bool {
        let len = self.changes.len();
        if len <= batch_len(0, self.new.len(), 0) {
            return false;
        }
        let (mut edits, mut frames, mut strings) = (0, 0, 0usize);
        for (at, node) in Siblings::all(self.old).iter() {
            edits += nodes_of(self.old, at, node) as usize;
        }
        for (at, node) in Siblings::all(self.new).iter() {
            if nodes_of(self.new, at, node) != 0 {
                edits += 1;
                frames += node.subtree();
                let subtree = self.new_nodes(at, self.new_end(at)).iter();
                strings += subtree.map(|node| own_len(node, self.changes.texts)).sum::<usize>();
            }
        }
        len > batch_len(edits, frames, strings)
    }

    /// Turns the old siblings into the new ones; returns the sibling behind them.
    fn siblings(&mut self, mut lists: Lists) -> Result<u32, Stop> {
        // From where on siblings are matched by keys, once one did not match as it stood.
        let mut indexed = None;
        let mut moves = false;
        loop {
            let before = self.old_node(lists.old, lists.old_end);
            let after = self.new_node(lists.new, lists.new_end);
            let (before, after) = match (before, after) {
                (None, None) => break,
                (Some(before), None) => {
                    self.drop_old(&mut lists, &before)?;
                    continue;
                }
                (None, Some(after)) => {
                    self.add_new(&mut lists, &after)?;
                    continue;
                }
                (Some(before), Some(after)) => (before, after),
            };
            let keyed = (before.flags | after.flags) & KEYED != 0;
            if (!keyed || indexed.is_none()) && before.can_become(&after) {
                let new = lists.new;
                self.keep(&mut lists, &before, &after, new)?;
                continue;
            }
            if !keyed {
                if self.is_inserted(&lists, &before, &after) {
                    self.add_new(&mut lists, &after)?;
                } else {
                    self.drop_old(&mut lists, &before)?;
                }
                continue;
            }
            if indexed.is_none() {
                indexed = Some(lists.new);
                self.keys.index(
                    Siblings { nodes: self.old, first: lists.old, end: lists.old_end },
                    Siblings { nodes: self.new, first: lists.new, end: lists.new_end },
                );
            }
            let here = self.keys.new_of(lists.old);
            let wanted = self.keys.old_of(lists.new);
            if here != NONE && wanted != NONE {
                // Unless it is the same, it gets its content now, and its place in the end.
                let here = here as usize;
                if here != lists.new {
                    self.keys.cross(here, lists.new, lists.sibling);
                    moves = true;
                }
                self.keep(&mut lists, &before, &after, here)?;
            } else if here != NONE || (wanted == NONE && !before.has(KEYED)) {
                self.add_new(&mut lists, &after)?;
            } else {
                self.drop_old(&mut lists, &before)?;
            }
        }
        if let (true, Some(first)) = (moves, indexed) {
            self.permute(first, lists.new_end)?;
        }
        Ok(lists.sibling)
    }

    /// The old sibling becomes frame `new`.
    #[inline(always)]
    fn keep(
        &mut self,
        lists: &mut Lists,
        before: &Node,
        after: &Node,
        new: usize,
    ) -> Result<(), Stop> {
        lists.sibling = self.become_new(lists.old, new, lists.sibling)?;
        lists.old += before.subtree();
        lists.new += after.subtree();
        Ok(())
    }

    #[inline(always)]
    fn add_new(&mut self, lists: &mut Lists, after: &Node) -> Result<(), Stop> {
        lists.sibling = self.insert(lists.new, lists.sibling)?;
        lists.new += after.subtree();
        Ok(())
    }

    #[inline(always)]
    fn drop_old(&mut self, lists: &mut Lists, before: &Node) -> Result<(), Stop> {
        self.remove(lists.old, lists.sibling)?;
        lists.old += before.subtree();
        Ok(())
    }

    /// Whether `after` is rather new than `before` is gone: what comes back sooner is taken as staying.
    fn is_inserted(&self, lists: &Lists, before: &Node, after: &Node) -> bool {
        let new = Siblings { nodes: self.new, first: lists.new, end: lists.new_end };
        let old = Siblings { nodes: self.old, first: lists.old, end: lists.old_end };
        let ahead = |list: Siblings<'_>, wanted: &Node| {
            list.iter().take(AHEAD).position(|(_, node)| node.can_become(wanted))
        };
        match (ahead(new, before), ahead(old, after)) {
            (Some(inserted), Some(removed)) => inserted < removed,
            (inserted, _) => inserted.is_some(),
        }
    }

    /// Makes what the browser shows at `sibling` look like frame `new`, which it can become.
    fn become_new(&mut self, old: usize, new: usize, sibling: u32) -> Result<u32, Stop> {
        let (old_end, new_end) = (self.old_end(old), self.new_end(new));
        let Some(after) = self.new_node(new, new_end) else { return Ok(sibling) };
        let at = sibling.cast_signed();
        match after.kind {
            Kind::Region => {
                let (old, new) = (old + 1, new + 1);
                return self.siblings(Lists { old, old_end, new, new_end, sibling });
            }
            Kind::Element => self.element(old, new, at)?,
            Kind::Text | Kind::Markup => {
                let before = self.old_node(old, old_end).unwrap_or(Node::NONE);
                if before.text(self.old_texts) != after.text(self.changes.texts) {
                    let frame = self.frame(new)?;
                    self.changes.edit(if after.kind == Kind::Text {
                        Edit::update_text(at, frame)
                    } else {
                        Edit::update_markup(at, frame)
                    })?;
                }
            }
            Kind::Attribute | Kind::Handler => return Ok(sibling),
        }
        Ok(sibling + 1)
    }

    fn element(&mut self, old: usize, new: usize, sibling: i32) -> Result<(), Stop> {
        let attributes = self.attributes(old, new, sibling)?;
        let mut value = attributes.value;
        let name = self.new_node(new, usize::MAX).unwrap_or(Node::NONE).word;
        if attributes.limits {
            value = self.value_of(new);
        }
        // A selection is made among the options that are there in the end.
        if name != "select"
            && let Some(at) = value
        {
            self.set_attribute(at, sibling)?;
        }
        let lists = Lists {
            old: attributes.old,
            old_end: self.old_end(old),
            new: attributes.new,
            new_end: self.new_end(new),
            sibling: 0,
        };
        if lists.old != lists.old_end || lists.new != lists.new_end {
            let before = self.changes.edits.len();
            self.changes.edit(Edit::step_in(sibling))?;
            self.siblings(lists)?;
            if self.changes.edits.len() == before + 1 {
                self.changes.edits.pop();
            } else {
                self.changes.edit(Edit::step_out())?;
                if name == "select" {
                    value = self.value_of(new);
                }
            }
        }
        if name == "select"
            && let Some(at) = value
        {
            self.set_attribute(at, sibling)?;
        }
        Ok(())
    }

    /// Moves elements to their places.
    fn permute(&mut self, first: usize, end: usize) -> Result<(), Stop> {
        let mut at = first;
        while let Some(node) = self.new_node(at, end) {
            if let Some((from, to)) = self.keys.moved(at) {
                let entry = Edit::permutation_list_entry(from.cast_signed(), to.cast_signed());
                self.changes.edit(entry)?;
            }
            at += node.subtree();
        }
        self.changes.edit(Edit::permutation_list_end())
    }

    /// Inserts frame `new` before `sibling`; returns the sibling behind it.
    fn insert(&mut self, new: usize, sibling: u32) -> Result<u32, Stop> {
        let end = self.new_end(new);
        let Some(node) = self.new_node(new, end) else { return Ok(sibling) };
        let count = nodes_of(self.new, new, &node);
        if count == 0 {
            return Ok(sibling);
        }
        let first = self.frame(new)?;
        for at in new + 1..end {
            self.frame(at)?;
        }
        self.changes.edit(Edit::prepend_frame(sibling.cast_signed(), first))?;
        Ok(sibling.saturating_add(count))
    }

    /// Removes what frame `old` is in the browser, from `sibling` on.
    fn remove(&mut self, old: usize, sibling: u32) -> Result<(), Stop> {
        let end = self.old_end(old);
        let Some(node) = self.old_node(old, end) else { return Ok(()) };
        for _ in 0..nodes_of(self.old, old, &node) {
            self.changes.edit(Edit::remove_frame(sibling.cast_signed()))?;
        }
        for node in self.old.get(old..end).unwrap_or_default() {
            if node.kind == Kind::Handler {
                self.changes.dispose(node.number)?;
            }
        }
        Ok(())
    }

    pub(super) fn frame(&mut self, at: usize) -> Result<i32, Stop> {
        match self.new.get_mut(at) {
            Some(node) => self.changes.frame(node, at),
            None => Ok(wire(self.changes.frames.len())),
        }
    }

    /// Frame `at` of the old page, if it stands before `end`.
    #[inline(always)]
    pub(super) fn old_node(&self, at: usize, end: usize) -> Option<Node> {
        if at < end { self.old.get(at).copied() } else { None }
    }

    /// Frame `at` of the new page, if it stands before `end`.
    #[inline(always)]
    pub(super) fn new_node(&self, at: usize, end: usize) -> Option<Node> {
        if at < end { self.new.get(at).copied() } else { None }
    }

    pub(super) fn old_nodes(&self, first: usize, end: usize) -> &[Node] {
        self.old.get(first..end).unwrap_or_default()
    }

    pub(super) fn new_nodes(&self, first: usize, end: usize) -> &[Node] {
        self.new.get(first..end).unwrap_or_default()
    }

    /// Behind the subtree of frame `at` of the old page.
    #[inline(always)]
    pub(super) fn old_end(&self, at: usize) -> usize {
        end_of(self.old, at)
    }

    /// Behind the subtree of frame `at` of the new page.
    #[inline(always)]
    pub(super) fn new_end(&self, at: usize) -> usize {
        end_of(self.new, at)
    }
}

#[inline(always)]
fn end_of(nodes: &[Node], at: usize) -> usize {
    match nodes.get(at) {
        Some(node) => at.saturating_add(node.subtree()).min(nodes.len()),
        None => nodes.len(),
    }
}

/// The siblings in the browser that frame `at` is: one, or those of a region.
fn nodes_of(nodes: &[Node], at: usize, node: &Node) -> u32 {
    if node.kind != Kind::Region {
        return 1;
    }
    let mut count = 0;
    let (mut next, end) = (at + 1, end_of(nodes, at));
    while next < end
        && let Some(inner) = nodes.get(next)
    {
        if inner.kind == Kind::Region {
            next += 1;
        } else {
            count += 1;
            next += inner.subtree();
        }
    }
    count
}

/// Bytes of the string that the frame of `node` does not share.
fn own_len(node: &Node, texts: &str) -> usize {
    match node.kind {
        Kind::Text | Kind::Markup => string_len(node.text(texts)),
        Kind::Attribute if !node.has(ABSENT) => match node.text(texts) {
            "" => 0,
            text => string_len(text),
        },
        _ => 0,
    }
}
