//! A document that applies render batches as a browser's `BrowserRenderer` does.
//!
//! It reads the bytes of a batch, so that nothing of the differ's is used twice, and counts what changes.

use std::collections::{BTreeMap, HashMap};

use onewrite::render_batch::{BatchView, EditView, FrameView, validate_tree};

/// A node, and the number it got when it was made.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) made: u64,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Element(Element),
    Text(String),
    /// A comment, and what is parsed behind it.
    Markup(String),
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Element {
    pub(crate) name: String,
    pub(crate) attributes: BTreeMap<String, String>,
    /// What scripts set, where a browser keeps it apart from the attribute.
    pub(crate) properties: BTreeMap<String, String>,
    /// Ids of handlers by the event's name.
    pub(crate) handlers: BTreeMap<String, u64>,
    pub(crate) children: Vec<Node>,
}

/// Where a component's frames stand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Document {
    pub(crate) children: Vec<Node>,
    /// For each handler the element that has it.
    pub(crate) handlers: HashMap<u64, u64>,
    made: u64,
    /// Nodes and attributes created, removed, changed or moved.
    pub(crate) changes: usize,
}

impl Document {
    /// Applies the batch in `bytes`.
    pub(crate) fn apply(&mut self, bytes: &[u8]) {
        let batch = BatchView::strict(bytes).unwrap();
        validate_tree(&batch).unwrap();
        let frames: Vec<_> = batch.frames().map(|frame| frame.view()).collect();
        for diff in batch.diffs() {
            let edits: Vec<_> = diff.edits.map(|edit| edit.view()).collect();
            self.apply_edits(&edits, &frames);
        }
        assert_eq!(batch.disposed_components().count(), 0);
        for id in batch.disposed_events() {
            if let Some(element) = self.handlers.remove(&id) {
                forget(&mut self.children, element, id);
            }
        }
    }

    /// Nodes, attributes and handlers.
    pub(crate) fn size(&self) -> usize {
        self.children.iter().map(Node::size).sum()
    }

    /// Every handler that the browser would call is one of an element that is there.
    pub(crate) fn check_handlers(&self) {
        let mut shown = HashMap::new();
        collect(&self.children, &mut shown);
        assert_eq!(shown, self.handlers);
    }

    fn apply_edits(&mut self, edits: &[EditView<'_>], frames: &[FrameView<'_>]) {
        let mut path = Vec::new();
        let mut moves = Vec::new();
        for edit in edits {
            match *edit {
                EditView::PrependFrame { sibling, frame } => {
                    let mut nodes = Vec::new();
                    self.make(frames, number(frame), &mut nodes);
                    let siblings = siblings(&mut self.children, &path);
                    assert!(number(sibling) <= siblings.len());
                    siblings.splice(number(sibling)..number(sibling), nodes);
                }
                EditView::RemoveFrame { sibling } => {
                    let gone = siblings(&mut self.children, &path).remove(number(sibling));
                    self.changes += gone.size();
                }
                EditView::SetAttribute { sibling, frame } => {
                    let mut node = siblings(&mut self.children, &path)[number(sibling)].clone();
                    self.changes += 1;
                    self.set(&mut node, &frames[number(frame)]);
                    siblings(&mut self.children, &path)[number(sibling)] = node;
                }
                EditView::RemoveAttribute { sibling, name } => {
                    self.changes += 1;
                    let node = &mut siblings(&mut self.children, &path)[number(sibling)];
                    set_attribute(node.element(), name.unwrap(), None);
                }
                EditView::UpdateText { sibling, frame } => {
                    self.changes += 1;
                    let FrameView::Text { content } = frames[number(frame)] else { panic!() };
                    let node = &mut siblings(&mut self.children, &path)[number(sibling)];
                    let Kind::Text(text) = &mut node.kind else { panic!("{node:?}") };
                    *text = content.unwrap().to_owned();
                }
                EditView::UpdateMarkup { sibling, frame } => {
                    self.changes += 1;
                    let FrameView::Markup { content } = frames[number(frame)] else { panic!() };
                    let node = &mut siblings(&mut self.children, &path)[number(sibling)];
                    let Kind::Markup(html) = &mut node.kind else { panic!("{node:?}") };
                    *html = content.unwrap().to_owned();
                }
                EditView::StepIn { sibling } => {
                    path.push(number(sibling));
                    siblings(&mut self.children, &path);
                }
                EditView::StepOut => drop(path.pop().unwrap()),
                EditView::PermutationListEntry { from, to } => {
                    moves.push((number(from), number(to)));
                }
                EditView::PermutationListEnd => {
                    self.changes += moves.len();
                    permute(siblings(&mut self.children, &path), &moves);
                    moves.clear();
                }
            }
        }
        assert!(path.is_empty() && moves.is_empty());
    }

    /// Makes the nodes of frame `at`; returns the frame behind its subtree.
    fn make(&mut self, frames: &[FrameView<'_>], at: usize, into: &mut Vec<Node>) -> usize {
        let kind = match frames[at] {
            FrameView::Region { subtree } => {
                return self.make_all(frames, at + 1, at + number(subtree), into);
            }
            FrameView::Text { content } => Kind::Text(content.unwrap().to_owned()),
            FrameView::Markup { content } => Kind::Markup(content.unwrap().to_owned()),
            FrameView::Element { name, .. } => {
                Kind::Element(Element { name: name.unwrap().to_owned(), ..Element::default() })
            }
            other => panic!("{other:?} cannot be inserted"),
        };
        self.changes += 1;
        self.made += 1;
        let mut node = Node { made: self.made, kind };
        let mut end = at + 1;
        if let FrameView::Element { subtree, .. } = frames[at] {
            end = at + number(subtree);
            let mut next = at + 1;
            while next < end && matches!(frames[next], FrameView::Attribute { .. }) {
                self.changes += 1;
                self.set(&mut node, &frames[next]);
                next += 1;
            }
            let mut children = Vec::new();
            self.make_all(frames, next, end, &mut children);
            node.element().children = children;
        }
        into.push(node);
        end
    }

    fn make_all(
        &mut self,
        frames: &[FrameView<'_>],
        first: usize,
        end: usize,
        into: &mut Vec<Node>,
    ) -> usize {
        let mut at = first;
        while at < end {
            at = self.make(frames, at, into);
        }
        assert_eq!(at, end);
        end
    }

    fn set(&mut self, node: &mut Node, frame: &FrameView<'_>) {
        let FrameView::Attribute { name, value, event } = *frame else { panic!("{frame:?}") };
        let name = name.unwrap();
        let made = node.made;
        let element = node.element();
        if event == 0 {
            // Null means to take it away to some browsers, and is a text to others.
            assert!(value.is_some(), "{name}");
            set_attribute(element, name, value);
            return;
        }
        let name = name.strip_prefix("on").unwrap();
        assert!(!self.handlers.contains_key(&event), "event {event} is already tracked");
        if let Some(before) = element.handlers.insert(name.to_owned(), event) {
            // As the delegator updates the one that it has.
            assert_eq!(self.handlers.remove(&before), Some(made));
        }
        self.handlers.insert(event, made);
    }
}

impl Node {
    pub(crate) fn size(&self) -> usize {
        match &self.kind {
            Kind::Text(_) | Kind::Markup(_) => 1,
            Kind::Element(e) => {
                let own = e.attributes.len() + e.properties.len() + e.handlers.len();
                1 + own + e.children.iter().map(Self::size).sum::<usize>()
            }
        }
    }

    fn element(&mut self) -> &mut Element {
        match &mut self.kind {
            Kind::Element(element) => element,
            other => panic!("{other:?} is no element"),
        }
    }
}

/// What two documents look like: `action` says what a handler does.
pub(crate) fn look(nodes: &[Node], action: &dyn Fn(u64) -> String) -> String {
    let mut text = String::new();
    for node in nodes {
        match &node.kind {
            Kind::Text(content) => text += &format!("{content:?} "),
            Kind::Markup(html) => text += &format!("markup {html:?} "),
            Kind::Element(e) => {
                text += &format!("<{}", e.name);
                for (name, value) in &e.attributes {
                    text += &format!(" {name}={value:?}");
                }
                for (name, value) in &e.properties {
                    text += &format!(" .{name}={value:?}");
                }
                for (name, id) in &e.handlers {
                    text += &format!(" on{name}={}", action(*id));
                }
                text += &format!("> {}</{}> ", look(&e.children, action), e.name);
            }
        }
    }
    text
}

/// `setOrRemoveAttributeOrProperty`.
fn set_attribute(element: &mut Element, name: &str, value: Option<&str>) {
    let is_input = element.name == "input";
    let is_property = match name {
        "value" => is_input || element.name == "select" || element.name == "textarea",
        "checked" => is_input,
        _ => false,
    };
    let to = if is_property { &mut element.properties } else { &mut element.attributes };
    match value {
        Some(value) => drop(to.insert(name.to_owned(), value.to_owned())),
        None => drop(to.remove(name)),
    }
}

/// The children at the end of `path`.
fn siblings<'n>(children: &'n mut Vec<Node>, path: &[usize]) -> &'n mut Vec<Node> {
    match path {
        [] => children,
        [first, rest @ ..] => siblings(&mut children[*first].element().children, rest),
    }
}

/// `permuteLogicalChildren`: those at the left sides go to the right sides, which are the same places.
fn permute(siblings: &mut [Node], moves: &[(usize, usize)]) {
    let mut from: Vec<_> = moves.iter().map(|entry| entry.0).collect();
    let mut to: Vec<_> = moves.iter().map(|entry| entry.1).collect();
    from.sort_unstable();
    to.sort_unstable();
    assert_eq!(from, to);
    assert!(from.windows(2).all(|pair| pair[0] != pair[1]));
    let before = siblings.to_vec();
    for &(from, to) in moves {
        siblings[to] = before[from].clone();
    }
}

fn forget(nodes: &mut [Node], element: u64, id: u64) {
    for node in nodes {
        let made = node.made;
        if let Kind::Element(e) = &mut node.kind {
            if made == element {
                e.handlers.retain(|_, handler| *handler != id);
            }
            forget(&mut e.children, element, id);
        }
    }
}

fn collect(nodes: &[Node], into: &mut HashMap<u64, u64>) {
    for node in nodes {
        if let Kind::Element(e) = &node.kind {
            for id in e.handlers.values() {
                assert_eq!(into.insert(*id, node.made), None);
            }
            collect(&e.children, into);
        }
    }
}

fn number(value: i32) -> usize {
    usize::try_from(value).unwrap()
}
