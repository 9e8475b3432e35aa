//! The attributes of an element that stays.

use super::changes::Stop;
use super::diff::{Differ, Lists};
use super::node::{ABSENT, Kind, Node, UNKNOWN, same_word};
use crate::render_batch::Edit;

/// What the attributes' edits leave to do.
pub(super) struct Attributes {
    /// Behind the attributes of the old element.
    pub(super) old: usize,
    /// Behind those of the new one.
    pub(super) new: usize,
    /// `value`, which is set last.
    pub(super) value: Option<usize>,
    /// Something changed that decides which values are possible.
    pub(super) limits: bool,
}

impl Differ<'_, '_> {
    /// Sets and removes attributes of an element that changes, up to its children.
    ///
    /// Mostly the names are the same, in the same order. Else each is looked for, which is bounded by
    /// [`MAX_ATTRIBUTES`](super::MAX_ATTRIBUTES).
    pub(super) fn attributes(&mut self, pair: &Lists) -> Result<Attributes, Stop> {
        let Lists { old_end, new_end, .. } = *pair;
        let sibling = pair.sibling.cast_signed();
        let mut found =
            Attributes { old: pair.old + 1, new: pair.new + 1, value: None, limits: false };
        let is_known = self.alike.apart == pair.new.wrapping_sub(pair.old);
        let alike = if is_known { self.alike.old.min(old_end) } else { 0 };
        while found.old < alike && self.old.get(found.old).is_some_and(Node::is_attribute) {
            found.old += 1;
            found.new += 1;
        }
        loop {
            let before = self.old_node(found.old, old_end).filter(|node| node.is_attribute());
            let after = self.new_node(found.new, new_end).filter(Node::is_attribute);
            match (before, after) {
                (None, None) => return Ok(found),
                (Some(before), Some(after)) if before.can_become(&after) => {
                    self.attribute(Some(*before), found.new, sibling, &mut found)?;
                    found.old += 1;
                    found.new += 1;
                }
                _ => return self.search(found, (old_end, new_end), sibling),
            }
        }
    }

    /// The same for names in any order.
    fn search(
        &mut self,
        mut found: Attributes,
        (old_end, new_end): (usize, usize),
        sibling: i32,
    ) -> Result<Attributes, Stop> {
        let (first_old, first_new) = (found.old, found.new);
        while let Some(after) = self.new_node(found.new, new_end)
            && after.is_attribute()
        {
            found.new += 1;
        }
        // What goes is removed first: in HTML `Title` is `title`.
        while let Some(before) = self.old_node(found.old, old_end)
            && before.is_attribute()
        {
            found.old += 1;
            let given = self.new_nodes(first_new, found.new);
            if given.iter().any(|after| before.can_become(after)) {
                continue;
            }
            if before.kind == Kind::Handler {
                self.changes.dispose(before.number)?;
            } else if !before.has(ABSENT) || before.has(UNKNOWN) {
                found.limits |= is_limit(before.word);
                self.remove_attribute(before, sibling)?;
            }
        }
        for at in first_new..found.new {
            let Some(after) = self.new_node(at, new_end) else { break };
            let shown = self.old_nodes(first_old, found.old);
            let before = shown.iter().find(|before| before.can_become(&after)).copied();
            self.attribute(before, at, sibling, &mut found)?;
        }
        Ok(found)
    }

    /// Makes attribute `at` of the new page what it is there.
    fn attribute(
        &mut self,
        before: Option<Node>,
        at: usize,
        sibling: i32,
        found: &mut Attributes,
    ) -> Result<(), Stop> {
        let Some(after) = self.new.get_mut(at) else { return Ok(()) };
        if after.kind == Kind::Handler {
            if let Some(before) = before {
                if before.size == after.size {
                    after.number = before.number;
                    return Ok(());
                }
                self.changes.dispose(before.number)?;
            }
            return self.set_attribute(at, sibling);
        }
        let after = *after;
        let was = before.filter(|before| !before.has(ABSENT));
        let unknown = before.is_some_and(|before| before.has(UNKNOWN));
        if after.has(ABSENT) {
            return match before {
                Some(before) if was.is_some() || unknown => {
                    found.limits |= is_limit(before.word);
                    self.remove_attribute(&before, sibling)
                }
                _ => Ok(()),
            };
        }
        let is_same = was.is_some_and(|b| b.text(self.old_texts) == after.text(self.changes.texts));
        if is_same && !unknown {
            return Ok(());
        }
        if after.word == "value" {
            found.value = Some(at);
            return Ok(());
        }
        found.limits |= is_limit(after.word);
        self.set_attribute(at, sibling)
    }

    pub(super) fn set_attribute(&mut self, at: usize, sibling: i32) -> Result<(), Stop> {
        let frame = self.frame(at)?;
        self.changes.edit(Edit::set_attribute(sibling, frame))
    }

    fn remove_attribute(&mut self, before: &Node, sibling: i32) -> Result<(), Stop> {
        self.changes.strings += super::changes::string_len(before.word);
        self.changes.edit(Edit::remove_attribute(sibling, before.word))
    }

    /// The attribute `value` of the element `new`, if it has one and it is there.
    pub(super) fn value_of(&self, new: usize) -> Option<usize> {
        let attributes = self.new_nodes(new + 1, self.new_end(new));
        let at = attributes
            .iter()
            .take_while(|node| node.is_attribute())
            .position(|node| same_word(node.word, "value") && !node.has(ABSENT))?;
        Some(new + 1 + at)
    }
}

/// Whether a browser fits the value of an input to this attribute.
fn is_limit(name: &str) -> bool {
    matches!(name, "type" | "min" | "max" | "step" | "multiple")
}
