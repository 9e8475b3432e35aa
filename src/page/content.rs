//! What a component pushes: frames whose subtrees are right by construction.

use core::fmt;

use heapless::vec::VecView;

use super::error::{PageError, PageErrorKind};
use super::node::{ABSENT, COPIED, KEYED, Kind, Node};
use super::show::{Show, Shown, Texts};
use super::{MAX_ATTRIBUTES, MAX_DEPTH};

/// Where a component puts what the page should look like.
///
/// A component is a function that is given one, and components within it are functions that it calls.
/// What does not fit is remembered, and everything behind it is ignored: [`Page::update`](super::Page::update)
/// says so in the end, and the page stays what it was.
///
/// ```
/// use onewrite::page::Content;
///
/// const INCREMENT: u32 = 1;
///
/// fn counter(page: &mut Content<'_>, count: u32) {
///     page.element("h1").text("Counter");
///     page.element("p").attribute("role", "status").content(|p| {
///         p.text("Current count: ");
///         p.text(count);
///     });
///     page.element("button").on("onclick", INCREMENT).text("Click me");
/// }
/// ```
pub struct Content<'d> {
    pub(super) nodes: &'d mut VecView<Node>,
    pub(super) texts: Texts<'d>,
    pub(super) error: Option<PageError>,
    pub(super) depth: usize,
}

/// An element that was begun.
///
/// [`text`](Self::text) or [`content`](Self::content) fills and ends it; dropped, it stays empty.
pub struct Element<'c, 'd> {
    content: &'c mut Content<'d>,
    at: usize,
}

impl<'d> Content<'d> {
    /// Begins an element called `name`.
    pub fn element(&mut self, name: &'static str) -> Element<'_, 'd> {
        let at = self.nodes.len();
        self.push(Node::new(Kind::Element, name));
        Element { content: self, at }
    }

    /// A text; none where the value is `None`.
    ///
    /// A browser shows it as it is: what users wrote is safe here.
    pub fn text(&mut self, value: impl Show) {
        self.leaf(Kind::Text, value);
    }

    /// HTML, which a browser parses: never what users wrote.
    ///
    /// It is replaced as a whole when it changes.
    pub fn markup(&mut self, html: impl Show) {
        self.leaf(Kind::Markup, html);
    }

    /// What may be there or not: its frames are matched with each other, and those behind it are not
    /// mistaken for them.
    ///
    /// Without a region, a second `p` that goes makes the third one the second: the page is right, but its
    /// elements have changed places with their texts. It takes a frame, and no node of the DOM.
    ///
    /// ```
    /// # use onewrite::page::Content;
    /// fn form(page: &mut Content<'_>, complaint: Option<&'static str>) {
    ///     page.region(|p| {
    ///         if let Some(complaint) = complaint {
    ///             p.element("p").attribute("class", "error").text(complaint);
    ///         }
    ///     });
    ///     page.element("p").text("Your name:");
    ///     page.element("input");
    /// }
    /// ```
    pub fn region(&mut self, content: impl FnOnce(&mut Content<'_>)) {
        let at = self.nodes.len();
        self.push(Node::new(Kind::Region, ""));
        self.inside(at, content);
    }

    fn leaf(&mut self, kind: Kind, value: impl Show) {
        let node = match self.show(value) {
            Shown::Literal(literal) => Node::new(kind, literal),
            Shown::Copied(number) => Node { number, flags: COPIED, ..Node::new(kind, "") },
            Shown::Nothing | Shown::Full => return,
        };
        self.push(node);
    }

    fn show(&mut self, value: impl Show) -> Shown {
        if self.error.is_some() {
            return Shown::Full;
        }
        let shown = value.show(&mut self.texts);
        if let Shown::Full = shown {
            self.fail(PageErrorKind::TooMuchText { capacity: self.texts.capacity() });
        }
        shown
    }

    /// Runs `content` with frame `at` as the parent.
    fn inside(&mut self, at: usize, content: impl FnOnce(&mut Content<'_>)) {
        if self.depth >= MAX_DEPTH {
            self.fail(PageErrorKind::TooDeep);
            return;
        }
        self.depth += 1;
        content(self);
        self.depth -= 1;
        self.close(at);
    }

    /// Ends the subtree of frame `at` behind the last frame.
    #[inline(always)]
    fn close(&mut self, at: usize) {
        let size = self.nodes.len().saturating_sub(at);
        if let Some(node) = self.nodes.get_mut(at) {
            node.size = u32::try_from(size).unwrap_or(1);
        }
    }

    #[inline(always)]
    fn push(&mut self, node: Node) {
        if self.error.is_none() && self.nodes.push(node).is_err() {
            self.fail(PageErrorKind::TooManyFrames { capacity: self.nodes.capacity() });
        }
    }

    /// Remembers the first mistake, behind which nothing is pushed.
    #[inline(never)]
    fn fail(&mut self, kind: PageErrorKind) {
        self.error.get_or_insert(PageError { at: self.nodes.len(), kind });
    }
}

impl Element<'_, '_> {
    /// Gives the element a key, by which it stays itself among its siblings wherever it moves.
    ///
    /// Keys differ among siblings; of those that do not, one keeps its element.
    #[must_use = "an element is filled by `text` or `content`"]
    pub fn key(self, key: u64) -> Self {
        if let Some(node) = self.content.nodes.get_mut(self.at) {
            node.number = key;
            node.flags |= KEYED;
        }
        self
    }

    /// An attribute `name`; none where the value is `None`.
    ///
    /// Of a name that comes twice the last counts. A name of `on` and more is an error: see
    /// [`on`](Self::on).
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use)]
    pub fn attribute(self, name: &'static str, value: impl Show) -> Self {
        let shown = match self.content.show(value) {
            Shown::Literal(literal) => self.content.show(super::Copied(literal)),
            shown => shown,
        };
        let node = Node::new(Kind::Attribute, name);
        match shown {
            Shown::Copied(number) => self.put(Node { number, flags: COPIED, ..node }),
            Shown::Nothing => self.put(Node { flags: ABSENT | COPIED, ..node }),
            Shown::Literal(_) | Shown::Full => self,
        }
    }

    /// An attribute without a value, such as `disabled`, which is there if `set`.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use)]
    pub fn flag(self, name: &'static str, set: bool) -> Self {
        let flags = if set { COPIED } else { COPIED | ABSENT };
        self.put(Node { flags, ..Node::new(Kind::Attribute, name) })
    }

    /// Calls the handler `action` at the event `name`, such as `onclick`.
    ///
    /// `action` is the caller's own number: [`Page::event`](super::Page::event) gives it back for the id
    /// that comes from the browser. The id stays as long as the element and the action do.
    #[allow(clippy::must_use_candidate, clippy::return_self_not_must_use)]
    pub fn on(self, name: &'static str, action: u32) -> Self {
        self.put(Node { size: action, ..Node::new(Kind::Handler, name) })
    }

    /// One text, and the end.
    pub fn text(self, value: impl Show) {
        self.content(|content| content.text(value));
    }

    /// What stands inside, and the end.
    pub fn content(self, content: impl FnOnce(&mut Content<'_>)) {
        self.content.inside(self.at, content);
    }

    /// Adds an attribute, or puts it in the place of another with its name.
    fn put(self, node: Node) -> Self {
        let first = self.at.saturating_add(1);
        let given = self.content.nodes.get_mut(first..).unwrap_or_default();
        if let Some(before) = given.iter_mut().find(|n| n.word.eq_ignore_ascii_case(node.word)) {
            *before = node;
        } else if given.len() >= MAX_ATTRIBUTES {
            self.content.fail(PageErrorKind::TooManyAttributes);
        } else {
            self.content.push(node);
            self.content.close(self.at);
        }
        self
    }
}

impl fmt::Debug for Content<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (frames, text) = (self.nodes.len(), self.texts.len());
        f.debug_struct("Content")
            .field("frames", &frames)
            .field("text", &text)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Element<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Element").field("at", &self.at).finish_non_exhaustive()
    }
}
