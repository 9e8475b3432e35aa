//! The edits, frames and disposed handlers of one batch, as they come to be.

use heapless::vec::VecView;

use super::error::{PageError, PageErrorKind};
use super::node::{Kind, Node};
use crate::leb128;
use crate::render_batch::{Edit, Frame, Value, is_white_space};

/// Why a diff ended early. It carries nothing, since it is looked at after every step.
#[derive(Clone, Copy)]
pub(super) enum Stop {
    /// There is no room for the edits: the page is rendered anew.
    Full,
    /// A frame cannot be shown: [`Changes::error`].
    Error,
}

/// Where a diff puts what it finds.
pub(super) struct Changes<'a, 's> {
    pub(super) edits: &'s mut VecView<Edit<'a>>,
    pub(super) frames: &'s mut VecView<Frame<'a>>,
    pub(super) disposed: &'s mut VecView<u64>,
    /// The texts of the frames.
    pub(super) texts: &'a [u8],
    /// The next id of an event handler. No id is given out twice, whatever becomes of the batch.
    pub(super) next_event: u64,
    /// The frame that cannot be shown.
    pub(super) error: Option<PageError>,
    /// Bytes on the wire of the strings that the batch does not share, and of removed attributes' names.
    pub(super) strings: usize,
}

impl<'a> Changes<'a, '_> {
    pub(super) fn clear(&mut self) {
        self.edits.clear();
        self.frames.clear();
        self.disposed.clear();
        self.strings = 0;
    }

    #[inline(always)]
    pub(super) fn edit(&mut self, edit: Edit<'a>) -> Result<(), Stop> {
        self.edits.push(edit).map_err(|_| Stop::Full)
    }

    /// Adds the frame of `node`, number `at`, whose subtree has `subtree` frames; returns its index.
    ///
    /// A handler gets a new id.
    pub(super) fn frame(
        &mut self,
        node: &mut Node,
        at: usize,
        subtree: usize,
    ) -> Result<i32, Stop> {
        let name = node.word;
        let frame = match node.kind {
            Kind::Element if is_name(name) => Frame::element(name, wire(subtree)),
            Kind::Attribute | Kind::Handler | Kind::Element if !is_name(name) => {
                return Err(self.fail(at, PageErrorKind::BadName { name }));
            }
            Kind::Attribute if is_run(name) => {
                return Err(self.fail(at, PageErrorKind::HandlerName { name }));
            }
            Kind::Handler if !names_event(name) => {
                return Err(self.fail(at, PageErrorKind::HandlerName { name }));
            }
            Kind::Attribute => {
                let text = node.string(self.texts);
                self.strings += if text.is_empty() { 0 } else { string_len(text) };
                Frame::attribute(name, Value::Str(text))
            }
            Kind::Handler => {
                node.number = self.next_event;
                self.next_event += 1;
                Frame::event_handler(name, node.number)
            }
            Kind::Text => {
                let text = node.string(self.texts);
                self.strings += if is_white_space(text) { 0 } else { string_len(text) };
                Frame::text(text)
            }
            Kind::Markup => {
                let text = node.string(self.texts);
                self.strings += string_len(text);
                Frame::markup(text)
            }
            Kind::Region | Kind::Element => Frame::region(wire(subtree)),
        };
        let index = self.frames.len();
        self.frames.push(frame).map_err(|_| Stop::Full)?;
        Ok(wire(index))
    }

    #[cold]
    fn fail(&mut self, at: usize, kind: PageErrorKind) -> Stop {
        self.error = Some(PageError { at, kind });
        Stop::Error
    }

    /// The id of a handler that is gone.
    #[inline]
    pub(super) fn dispose(&mut self, id: u64) -> Result<(), Stop> {
        self.disposed.push(id).map_err(|_| Stop::Full)
    }

    /// Bytes on the wire that a batch has because of these edits and frames, without what frames share.
    pub(super) fn len(&self) -> usize {
        batch_len(self.edits.len(), self.frames.len(), self.strings)
    }
}

/// Bytes of edits, frames and strings.
pub(super) const fn batch_len(edits: usize, frames: usize, strings: usize) -> usize {
    16usize
        .saturating_mul(edits)
        .saturating_add(20usize.saturating_mul(frames))
        .saturating_add(strings)
}

/// Bytes of a string that is not shared: its length, its text, its position.
pub(super) fn string_len(text: impl AsRef<[u8]>) -> usize {
    let text = text.as_ref();
    let prefix = leb128::len_u64(text.len() as u64);
    text.len().saturating_add(prefix).saturating_add(4)
}

/// A number of frames, which fits: a page holds fewer than 2^31.
#[inline(always)]
pub(super) fn wire(number: usize) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

/// Whether `BrowserRenderer.ts` takes `name` for that of an event.
fn names_event(name: &str) -> bool {
    matches!(name.as_bytes(), [b'o', b'n', _, ..])
}

/// Whether a browser runs the value of such an attribute.
fn is_run(name: &str) -> bool {
    matches!(name.as_bytes(), [b'o' | b'O', b'n' | b'N', ..])
}

/// What `createElement` and `setAttribute` take in every browser, and a little less.
fn is_name(name: &str) -> bool {
    let [first, rest @ ..] = name.as_bytes() else { return false };
    first.is_ascii_alphabetic()
        && rest.iter().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':'))
}
