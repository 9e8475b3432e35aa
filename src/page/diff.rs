//! From what a browser shows to what it should show: the edits.

use super::changes::{Changes, Stop, batch_len, string_len, wire};
use super::keys::{Keys, NONE, Siblings};
use super::node::{ABSENT, COPIED, KEYED, Kind, Node, same_word};
use crate::record::last_chunk;
use crate::render_batch::{Edit, is_white_space};

/// How many siblings ahead one without a key is looked for.
const AHEAD: usize = 16;

/// Compares two pages, walking both once.
///
/// Siblings without keys are matched in order, an element with one of its name; what does not match is
/// looked for [`AHEAD`] siblings ahead. Siblings with keys are matched by them, wherever they stand.
pub(super) struct Differ<'a, 's> {
    pub(super) old: &'s [Node],
    pub(super) old_texts: &'s [u8],
    pub(super) alike: Alike,
    pub(super) new: &'s mut [Node],
    pub(super) changes: Changes<'a, 's>,
    pub(super) keys: Keys<'s>,
}

/// What is known to be the same: the frames in front of `old`, and as many `apart` from them in the new page.
///
/// So none of them is compared again in its parents' children.
#[derive(Clone, Copy, Default)]
pub(super) struct Alike {
    pub(super) old: usize,
    pub(super) apart: usize,
}

/// Where two lists of siblings stand, or two frames.
#[derive(Clone, Copy)]
pub(super) struct Lists {
    pub(super) old: usize,
    pub(super) old_end: usize,
    pub(super) new: usize,
    pub(super) new_end: usize,
    /// The browser's next sibling.
    pub(super) sibling: u32,
}

impl<'s> Differ<'_, 's> {
    /// The edits from the old page to the new one; with `fewest_bytes` those of rendering it anew where
    /// that makes a smaller batch.
    pub(super) fn run(&mut self, fewest_bytes: bool) -> Result<(), Stop> {
        self.changes.clear();
        let (old_end, new_end) = (self.old.len(), self.new.len());
        let lists = Lists { old: 0, old_end, new: 0, new_end, sibling: 0 };
        match self.siblings(lists) {
            Ok(_) if !(fewest_bytes && self.is_larger()) => Ok(()),
            Err(Stop::Error) => Err(Stop::Error),
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
    /// What frames share, names and white space, is left out on both sides: the new page has all that its
    /// parts have.
    fn is_larger(&self) -> bool {
        let len = self.changes.len();
        let (mut edits, mut frames, mut strings) = (0, 0, 0usize);
        for (at, node) in Siblings::all(self.old).iter() {
            edits += nodes_of(self.old, at, node) as usize;
        }
        for (at, node) in Siblings::all(self.new).iter() {
            if nodes_of(self.new, at, node) != 0 {
                edits += 1;
                let subtree = self.new_nodes(at, self.new_end(at)).iter();
                for node in subtree.filter(|node| !node.has(ABSENT)) {
                    frames += 1;
                    strings += own_len(node, self.changes.texts);
                }
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
            if indexed.is_none() {
                self.skip(&mut lists);
            }
            let before = self.old_node(lists.old, lists.old_end);
            let after = self.new_node(lists.new, lists.new_end);
            let (before, after) = match (before, after) {
                (None, None) => break,
                (Some(before), None) => {
                    self.drop_old(&mut lists, before)?;
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
                self.keep(&mut lists, before, &after, (new, &after))?;
                continue;
            }
            if !keyed {
                if self.is_inserted(&lists, before, &after) {
                    self.add_new(&mut lists, &after)?;
                } else {
                    self.drop_old(&mut lists, before)?;
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
                let new = self.new_node(here, usize::MAX).unwrap_or(Node::NONE);
                self.keep(&mut lists, before, &after, (here, &new))?;
            } else if here != NONE || (wanted == NONE && !before.has(KEYED)) {
                self.add_new(&mut lists, &after)?;
            } else {
                self.drop_old(&mut lists, before)?;
            }
        }
        if let (true, Some(first)) = (moves, indexed) {
            self.permute(first, lists.new_end)?;
        }
        Ok(lists.sibling)
    }

    /// Passes over siblings that are the same.
    #[inline(always)]
    fn skip(&mut self, lists: &mut Lists) {
        let alike = self.scan(lists);
        while lists.old < alike
            && let Some(node) = self.old.get(lists.old)
        {
            let end = lists.old + node.subtree();
            if end > alike {
                break;
            }
            lists.sibling = lists.sibling.saturating_add(nodes_of(self.old, lists.old, node));
            lists.new += end - lists.old;
            lists.old = end;
        }
    }

    /// Compares frames until one is not the same, and returns which. Handlers that are keep their ids.
    #[inline]
    fn scan(&mut self, lists: &Lists) -> usize {
        let apart = lists.new.wrapping_sub(lists.old);
        if self.alike.apart == apart && self.alike.old > lists.old {
            return self.alike.old;
        }
        let olds = self.old.get(lists.old..lists.old_end).unwrap_or_default();
        let news = self.new.get_mut(lists.new..lists.new_end).unwrap_or_default();
        let mut old = lists.old;
        for (before, after) in olds.iter().zip(news) {
            if !is_same_frame(before, after, self.old_texts, self.changes.texts) {
                break;
            }
            old += 1;
        }
        self.alike = Alike { old, apart };
        old
    }

    /// The old sibling becomes the frame `new`, whose number is given with it.
    #[inline(always)]
    fn keep(
        &mut self,
        lists: &mut Lists,
        before: &Node,
        after: &Node,
        (at, new): (usize, &Node),
    ) -> Result<(), Stop> {
        let old_end = lists.old + before.subtree();
        let new_end = at + new.subtree();
        let pair = Lists { old: lists.old, old_end, new: at, new_end, sibling: lists.sibling };
        lists.sibling = self.become_new(&pair, before, new)?;
        lists.old = old_end;
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

    /// Makes what the browser shows look like the frame `after`, which it can become; returns the sibling
    /// behind it.
    fn become_new(&mut self, pair: &Lists, before: &Node, after: &Node) -> Result<u32, Stop> {
        let Lists { old, old_end, new, new_end, sibling } = *pair;
        let at = sibling.cast_signed();
        match after.kind {
            Kind::Region => {
                let (old, new) = (old + 1, new + 1);
                return self.siblings(Lists { old, old_end, new, new_end, sibling });
            }
            // One that has moved may be the same.
            Kind::Element if self.scan(pair) < old_end || old_end - old != new_end - new => {
                self.element(pair, after.word)?;
            }
            Kind::Text | Kind::Markup => {
                // One of them may be a literal.
                if before.text(self.old_texts) != after.text(self.changes.texts) {
                    let frame = self.frame(new)?;
                    self.changes.edit(if after.kind == Kind::Text {
                        Edit::update_text(at, frame)
                    } else {
                        Edit::update_markup(at, frame)
                    })?;
                }
            }
            Kind::Element => {}
            Kind::Attribute | Kind::Handler => return Ok(sibling),
        }
        Ok(sibling + 1)
    }

    fn element(&mut self, pair: &Lists, name: &str) -> Result<(), Stop> {
        let sibling = pair.sibling.cast_signed();
        let attributes = self.attributes(pair)?;
        let mut value = attributes.value;
        if attributes.limits {
            value = self.value_of(pair.new);
        }
        // A selection is made among the options that are there in the end.
        let is_selection = name == "select";
        if !is_selection && let Some(at) = value {
            self.set_attribute(at, sibling)?;
        }
        let (old, new) = (attributes.old, attributes.new);
        if old != pair.old_end || new != pair.new_end {
            let before = self.changes.edits.len();
            self.changes.edit(Edit::step_in(sibling))?;
            self.siblings(Lists { old, new, sibling: 0, ..*pair })?;
            if self.changes.edits.len() == before + 1 {
                self.changes.edits.pop();
            } else {
                self.changes.edit(Edit::step_out())?;
                if is_selection {
                    value = self.value_of(pair.new);
                }
            }
        }
        if is_selection && let Some(at) = value {
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
            if self.new.get(at).is_some_and(|node| !node.has(ABSENT)) {
                self.frame(at)?;
            }
        }
        self.changes.edit(Edit::prepend_frame(sibling.cast_signed(), first))?;
        Ok(sibling.saturating_add(count))
    }

    /// Removes what frame `old` is in the browser, from `sibling` on.
    fn remove(&mut self, old: usize, sibling: u32) -> Result<(), Stop> {
        let end = self.old_end(old);
        let Some(node) = self.old_node(old, end) else { return Ok(()) };
        for _ in 0..nodes_of(self.old, old, node) {
            self.changes.edit(Edit::remove_frame(sibling.cast_signed()))?;
        }
        for node in self.old.get(old..end).unwrap_or_default() {
            if node.kind == Kind::Handler {
                self.changes.dispose(node.number)?;
            }
        }
        Ok(())
    }

    /// Adds frame `at` of the new page to the batch.
    ///
    /// Without the attributes in its subtree that are not there: browsers before .NET 8 take null for a value.
    pub(super) fn frame(&mut self, at: usize) -> Result<i32, Stop> {
        let absent = self.new_nodes(at, self.new_end(at)).iter().filter(|n| n.has(ABSENT)).count();
        match self.new.get_mut(at) {
            Some(node) => self.changes.frame(node, at, node.subtree() - absent),
            None => Ok(wire(self.changes.frames.len())),
        }
    }

    /// Frame `at` of the old page, if it stands before `end`.
    #[inline(always)]
    pub(super) fn old_node(&self, at: usize, end: usize) -> Option<&'s Node> {
        if at < end { self.old.get(at) } else { None }
    }

    /// Frame `at` of the new page, if it stands before `end`.
    #[inline(always)]
    pub(super) fn new_node(&self, at: usize, end: usize) -> Option<Node> {
        if at < end { self.new.get(at).copied() } else { None }
    }

    pub(super) fn old_nodes(&self, first: usize, end: usize) -> &'s [Node] {
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
fn own_len(node: &Node, texts: &[u8]) -> usize {
    match node.kind {
        Kind::Text if is_white_space(node.string(texts)) => 0,
        Kind::Text | Kind::Markup => string_len(node.text(texts)),
        Kind::Attribute => match node.text(texts) {
            [] => 0,
            text => string_len(text),
        },
        _ => 0,
    }
}

/// Whether a frame is the same as before; if it is a handler, it gets the id.
#[inline(always)]
fn is_same_frame(before: &Node, after: &mut Node, old_texts: &[u8], new_texts: &[u8]) -> bool {
    if before.kind != after.kind || before.flags != after.flags {
        return false;
    }
    let is_copied = before.has(COPIED);
    if !same_word(before.word, after.word) {
        return false;
    }
    match before.kind {
        Kind::Element | Kind::Region => before.size == after.size && before.number == after.number,
        Kind::Handler if before.size == after.size => {
            after.number = before.number;
            true
        }
        Kind::Handler => false,
        Kind::Attribute | Kind::Text | Kind::Markup => {
            !is_copied || same_text(before.text(old_texts), after.text(new_texts))
        }
    }
}

/// Most texts are too short for a call: two words that overlap are all of one.
#[inline(always)]
fn same_text(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    match a.len() {
        0..4 => a.iter().zip(b).all(|(a, b)| a == b),
        4..=8 => same_ends::<4>(a, b),
        9..=16 => same_ends::<8>(a, b),
        _ => a == b,
    }
}

#[inline(always)]
fn same_ends<const W: usize>(a: &[u8], b: &[u8]) -> bool {
    a.first_chunk::<W>() == b.first_chunk() && last_chunk::<W>(a) == last_chunk(b)
}
