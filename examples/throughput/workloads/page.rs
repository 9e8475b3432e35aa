//! Where a batch is put together.

use heapless::Vec;
use onewrite::render_batch::{Batch, Diff, Edit, Frame, Name, Options, Value};

use super::Variant;

/// Frames of the largest workload.
const FRAMES: usize = 6_501;
/// Edits of the largest workload.
const EDITS: usize = 200;
/// Disposed ids of the largest workload, of each kind.
const IDS: usize = 5_000;

/// Text that is made at run time.
#[derive(Debug)]
pub(crate) struct Arena<'m> {
    free: &'m mut [u8],
    full: bool,
}

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Piece<'s> {
    Text(&'s str),
    /// In decimal.
    Number(i32),
    /// In decimal, with a leading zero below 10.
    TwoDigits(u8),
}

impl<'m> Arena<'m> {
    /// An arena in `memory`.
    pub(crate) const fn new(memory: &'m mut [u8]) -> Self {
        Self { free: memory, full: false }
    }

    /// The text of `pieces`; empty where it does not fit.
    pub(super) fn text(&mut self, pieces: &[Piece<'_>]) -> &'m str {
        let start = core::mem::take(&mut self.free);
        let mut len = 0;
        for piece in pieces {
            let fits = match *piece {
                Piece::Text(text) => put(start, &mut len, text.as_bytes()),
                Piece::Number(number) => put_number(start, &mut len, number),
                Piece::TwoDigits(number) => {
                    put(start, &mut len, &[b'0' + number / 10 % 10, b'0' + number % 10])
                }
            };
            self.full |= !fits;
        }
        let Some((text, free)) = start.split_at_mut_checked(len) else { return "" };
        self.free = free;
        str::from_utf8(text).unwrap_or_default()
    }
}

/// Appends `bytes` to the first `len` bytes of `out`; whether they fitted.
fn put(out: &mut [u8], len: &mut usize, bytes: &[u8]) -> bool {
    let Some(to) = out.get_mut(*len..).and_then(|out| out.get_mut(..bytes.len())) else {
        return false;
    };
    to.copy_from_slice(bytes);
    *len += bytes.len();
    true
}

fn put_number(out: &mut [u8], len: &mut usize, number: i32) -> bool {
    let sign = number >= 0 || put(out, len, b"-");
    let mut digits = [b'0'; 10];
    let mut rest = number.unsigned_abs();
    let mut count = 0;
    for digit in digits.iter_mut().rev() {
        if rest == 0 && count != 0 {
            break;
        }
        // A remainder of 10 fits any type.
        *digit += u8::try_from(rest % 10).unwrap_or_default();
        rest /= 10;
        count += 1;
    }
    sign && put(out, len, digits.get(digits.len() - count..).unwrap_or_default())
}

/// The parts of a batch while it is put together.
#[derive(Debug)]
pub(crate) struct Page<'m> {
    pub(super) variant: Variant,
    arena: Arena<'m>,
    /// The only diff's component, if there is a diff.
    component: Option<i32>,
    edits: Vec<Edit<'m>, EDITS>,
    /// Public to the breakdown, which takes the strings out of them.
    pub(crate) frames: Vec<Frame<'m>, FRAMES>,
    components: Vec<i32, IDS>,
    events: Vec<u64, IDS>,
    full: bool,
}

impl<'m> Page<'m> {
    /// An empty page; `arena` takes what text is made.
    pub(crate) const fn new(variant: Variant, arena: Arena<'m>) -> Self {
        Self {
            variant,
            arena,
            component: None,
            edits: Vec::new(),
            frames: Vec::new(),
            components: Vec::new(),
            events: Vec::new(),
            full: false,
        }
    }

    /// Whether everything fitted.
    pub(super) const fn is_whole(&self) -> bool {
        !self.full && !self.arena.full
    }

    /// The diff, if there is one: [`batch`](Self::batch) borrows it.
    #[must_use]
    pub(crate) fn diff(&self) -> Option<Diff<'_>> {
        Some(Diff { component: self.component?, edits: &self.edits })
    }

    /// The batch on this page, with the given diffs.
    #[must_use]
    pub(crate) fn batch<'p>(&'p self, diffs: &'p [Diff<'p>]) -> Batch<'p> {
        Batch {
            diffs,
            frames: &self.frames,
            disposed_components: &self.components,
            disposed_events: &self.events,
            options: Options::default(),
        }
    }

    pub(super) fn component(&mut self, id: i32) {
        self.component = Some(id);
    }

    pub(super) fn edit(&mut self, edit: Edit<'m>) {
        self.full |= self.edits.push(edit).is_err();
    }

    pub(super) fn frame(&mut self, frame: Frame<'m>) {
        self.full |= self.frames.push(frame).is_err();
    }

    pub(super) fn disposed_component(&mut self, id: i32) {
        self.full |= self.components.push(id).is_err();
    }

    pub(super) fn disposed_event(&mut self, id: u64) {
        self.full |= self.events.push(id).is_err();
    }

    pub(super) fn element(&mut self, name: Name<'static>, subtree: i32) {
        let name = self.name(name);
        self.frame(Frame::element_named(name, subtree));
    }

    pub(super) fn text(&mut self, content: &'static str) {
        let content = self.string(content);
        self.frame(Frame::text(content));
    }

    pub(super) fn attribute(&mut self, name: Name<'static>, value: &'static str) {
        let (name, value) = (self.name(name), self.string(value));
        self.frame(Frame::attribute_named(name, Value::Str(value), 0));
    }

    pub(super) fn event_handler(&mut self, name: Name<'static>, event: u64) {
        let name = self.name(name);
        self.frame(Frame::attribute_named(name, Value::Null, event));
    }

    /// A text that only this workload knows: it has an address of its own in both variants.
    pub(super) fn made(&mut self, pieces: &[Piece<'_>]) -> &'m str {
        self.arena.text(pieces)
    }

    fn name(&mut self, name: Name<'static>) -> Name<'m> {
        match (self.variant, name.as_str()) {
            (Variant::Plain, Some(string)) => Name::new(self.string(string)),
            _ => name,
        }
    }

    pub(super) fn string(&mut self, string: &'static str) -> &'m str {
        match self.variant {
            Variant::Named => string,
            Variant::Plain => self.arena.text(&[Piece::Text(string)]),
        }
    }
}
