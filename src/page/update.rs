//! A page as its browser shows it, and the memory in which the next one is made.

use core::fmt;

use heapless::Vec;

use super::changes::Changes;
use super::content::Content;
use super::diff::{Alike, Differ};
use super::error::{PageError, PageErrorKind, UpdateError};
use super::keys::Keys;
use super::node::{ABSENT, COPIED, Kind, Node, UNKNOWN};
use super::show::{Shown, Texts};
use crate::render_batch::{Batch, Diff};
use crate::sink;

/// What a component is rendered into, and compared from.
///
/// It holds nothing from one update to the next, so one serves all pages of a thread.
pub struct Draft<const FRAMES: usize, const TEXT: usize> {
    nodes: Vec<Node, FRAMES>,
    texts: [u8; TEXT],
    /// Bytes of text that are taken.
    len: usize,
    keys: [[u32; FRAMES]; 5],
}

impl<const FRAMES: usize, const TEXT: usize> Draft<FRAMES, TEXT> {
    /// Memory for pages of `FRAMES` frames with `TEXT` bytes of copied text.
    #[must_use]
    pub const fn new() -> Self {
        const {
            assert!((FRAMES as u64) < 1 << 31, "frames are counted in 31 bits");
            assert!(TEXT as u64 <= u32::MAX as u64, "text is counted in 32 bits");
        }
        Self { nodes: Vec::new(), texts: [0; TEXT], len: 0, keys: [[0; FRAMES]; 5] }
    }

    /// Runs `component` on an empty page.
    pub(super) fn render(
        &mut self,
        component: impl FnOnce(&mut Content<'_>),
    ) -> Result<(), PageError> {
        self.nodes.clear();
        let texts = Texts::new(&mut self.texts, 0);
        let nodes = self.nodes.as_mut_view();
        let mut content = Content { nodes, texts, error: None, depth: 0 };
        component(&mut content);
        let (len, error) = (content.texts.len(), content.error);
        self.len = len;
        match error {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }
}

/// What an event handler's id stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Event {
    /// A handler of the page, and what it does: the number given to [`Element::on`](super::Element::on).
    Action(u32),
    /// A handler that is gone, or does something else by now. It happens in good faith: the browser had not
    /// yet seen the update.
    Gone,
    /// An id that was never given out.
    Unknown,
}

/// What a browser's field holds, as its events say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Field<'a> {
    /// The text of an input, a text area or a selection.
    Text(&'a str),
    /// Whether a box is checked.
    Checked(bool),
}

/// A component on one browser's screen: what it shows, and nothing else.
///
/// `FRAMES` frames (an element, an attribute and a text is one each) of 32 bytes, where a pointer has 8, and
/// `TEXT` bytes of copied text.
///
/// ```
/// use onewrite::page::{Content, Draft, Page};
/// use onewrite::render_batch::write_into;
/// use onewrite::string_table::StringTable;
///
/// fn counter(page: &mut Content<'_>, count: u32) {
///     page.element("p").text(count);
/// }
///
/// let mut draft = Draft::<8, 16>::new();
/// let mut page = Page::<8, 16>::new(0);
/// let mut table = StringTable::<16>::new();
/// let mut out = [0; 256];
/// let mut edits = [0; 4];
/// for (edits, count) in edits.iter_mut().zip([1, 2, 2, 3]) {
///     let sent = page.update(&mut draft, |p| counter(p, count), |batch| {
///         *edits = batch.diffs[0].edits.len();
///         write_into(&mut table, batch, &mut out)
///     })?;
///     assert_eq!(sent.is_some(), *edits != 0);
/// }
/// // All is inserted; then into the paragraph, a new text, and out; then nothing has changed.
/// assert_eq!(edits, [1, 3, 0, 3]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Page<const FRAMES: usize, const TEXT: usize> {
    nodes: Vec<Node, FRAMES>,
    texts: [u8; TEXT],
    /// Bytes of text that are taken.
    len: usize,
    next_event: u64,
    component: i32,
    fewest_bytes: bool,
}

impl<const FRAMES: usize, const TEXT: usize> Page<FRAMES, TEXT> {
    /// A page that shows nothing, as the component `component` of its circuit.
    #[must_use]
    pub const fn new(component: i32) -> Self {
        Self {
            nodes: Vec::new(),
            texts: [0; TEXT],
            len: 0,
            next_event: 1,
            component,
            fewest_bytes: false,
        }
    }

    /// Whether a batch that is larger than one which renders the page anew is replaced by that one.
    ///
    /// Off at first: to render anew takes the focus, the selection and what was typed from the user.
    pub const fn set_fewest_bytes(&mut self, on: bool) {
        self.fewest_bytes = on;
    }

    /// Renders `component`, and gives what has changed to `send`, which is called at most once.
    ///
    /// With the batch sent, the page shows what was rendered. Where nothing has changed nothing is sent:
    /// `None`. Else it is what `send` returned.
    ///
    /// Takes steps in proportion to the frames and texts of both pages, and `n log n` for `n` siblings with
    /// keys in a new order. Edits that do not fit, more than there are frames, are replaced by those of
    /// rendering anew. While it runs, the stack has up to 104 bytes a frame of `FRAMES` (64-bit).
    ///
    /// # Errors
    ///
    /// A component that cannot be shown, or the error of `send`. The page stays what it was.
    pub fn update<R, E>(
        &mut self,
        draft: &mut Draft<FRAMES, TEXT>,
        component: impl FnOnce(&mut Content<'_>),
        send: impl FnOnce(&Batch<'_>) -> Result<R, E>,
    ) -> Result<Option<R>, UpdateError<E>> {
        draft.render(component).map_err(UpdateError::Page)?;
        let (mut edits, mut frames, mut disposed) =
            (Vec::<_, FRAMES>::new(), Vec::<_, FRAMES>::new(), Vec::<_, FRAMES>::new());
        let changes = Changes {
            edits: edits.as_mut_view(),
            frames: frames.as_mut_view(),
            disposed: disposed.as_mut_view(),
            texts: &draft.texts,
            next_event: self.next_event,
            error: None,
            strings: 0,
        };
        let mut differ = Differ {
            old: &self.nodes,
            old_texts: &self.texts,
            new: &mut draft.nodes,
            changes,
            alike: Alike::default(),
            keys: Keys::new(draft.keys.each_mut().map(<[_; FRAMES]>::as_mut_slice)),
        };
        let found = differ.run(self.fewest_bytes);
        let error = differ.changes.error;
        self.next_event = differ.changes.next_event;
        if found.is_err() {
            let kind = PageErrorKind::TooManyEdits { capacity: FRAMES };
            return Err(UpdateError::Page(error.unwrap_or(PageError { at: 0, kind })));
        }
        let sent = if edits.is_empty() && disposed.is_empty() {
            None
        } else {
            let diffs = [Diff { component: self.component, edits: &edits }];
            let batch = Batch {
                diffs: &diffs,
                frames: &frames,
                disposed_events: &disposed,
                ..Batch::default()
            };
            Some(send(&batch).map_err(UpdateError::Send)?)
        };
        if sent.is_some() || self.len != draft.len {
            // Only what is there: the memory for it may be much larger. It fits, as both have one size.
            self.nodes.clear();
            let _ = self.nodes.extend_from_slice(&draft.nodes);
            self.len = draft.len;
            let to = self.texts.get_mut(..self.len).unwrap_or_default();
            sink::copy(to, draft.texts.get(..draft.len).unwrap_or_default());
        }
        Ok(sent)
    }

    /// What the handler `id` of an event stands for, on the page as it was last sent.
    ///
    /// Takes steps in proportion to the frames.
    #[must_use]
    pub fn event(&self, id: u64) -> Event {
        match self.handler(id) {
            Some(at) => Event::Action(self.nodes.get(at).map_or(0, |node| node.size)),
            None if id != 0 && id < self.next_event => Event::Gone,
            None => Event::Unknown,
        }
    }

    /// The element with the handler `id` holds `field`, as its event says.
    ///
    /// To be called for each event that says so, before the next update, which then compares with what the
    /// browser has and not with what it was once sent: a field that was typed in can be emptied, and one
    /// that the component agrees with is left alone. Other elements have no such field, and nothing happens.
    pub fn field_changed(&mut self, id: u64, field: Field<'_>) {
        let Some(handler) = self.handler(id) else { return };
        let name = match field {
            Field::Text(_) => "value",
            Field::Checked(_) => "checked",
        };
        let is_attribute = |at: &usize| self.nodes.get(*at).is_some_and(Node::is_attribute);
        let first = (0..=handler).rev().take_while(is_attribute).last().unwrap_or(handler);
        let mut texts = Texts::new(&mut self.texts, self.len);
        let nodes = self.nodes.get_mut(first..).unwrap_or_default().iter_mut();
        let mut attributes = nodes.take_while(|node| node.is_attribute());
        let Some(node) = attributes.find(|n| n.kind == Kind::Attribute && n.word == name) else {
            return;
        };
        match field {
            Field::Checked(true) => node.flags &= !ABSENT,
            Field::Checked(false) => node.flags |= ABSENT,
            Field::Text(text) => match texts.copy(text.as_bytes()) {
                Shown::Copied(number) => {
                    node.number = number;
                    node.flags = COPIED;
                    self.len = texts.len();
                }
                // Whatever it is then, it will be set.
                _ => node.flags |= UNKNOWN,
            },
        }
    }

    /// Forgets what the browser shows, which then shows nothing of it.
    ///
    /// Ids of handlers are not given out again.
    pub fn reset(&mut self) {
        self.nodes.clear();
        self.len = 0;
    }

    /// Whether the browser shows something.
    #[must_use]
    pub fn is_shown(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// The component's id.
    #[must_use]
    pub const fn component(&self) -> i32 {
        self.component
    }

    fn handler(&self, id: u64) -> Option<usize> {
        self.nodes.iter().position(|node| node.kind == Kind::Handler && node.number == id)
    }
}

impl<const FRAMES: usize, const TEXT: usize> Default for Draft<FRAMES, TEXT> {
    fn default() -> Self {
        Self::new()
    }
}

impl<const FRAMES: usize, const TEXT: usize> fmt::Debug for Draft<FRAMES, TEXT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Draft").finish_non_exhaustive()
    }
}

impl<const FRAMES: usize, const TEXT: usize> fmt::Debug for Page<FRAMES, TEXT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page")
            .field("component", &self.component)
            .field("frames", &self.nodes.len())
            .field("text", &self.len)
            .finish_non_exhaustive()
    }
}
