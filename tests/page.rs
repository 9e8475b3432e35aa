//! Pages: what typical changes send, what is refused, and what events find.
//!
//! `tests/data/page/changes.txt` has the edits of each change, to be read by people. With
//! `ONEWRITE_BLESS=1` it is written anew.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::panic, reason = "a test may panic")]
#![allow(clippy::cast_sign_loss, clippy::cast_possible_truncation, reason = "small numbers")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use std::fmt::Write as _;
use std::{env, fs, path};

use onewrite::page::{
    Content, Copied, Draft, Event, Field, MAX_ATTRIBUTES, MAX_DEPTH, Page, PageError,
    PageErrorKind, UpdateError,
};
use onewrite::render_batch::{Batch, EditView, FrameView, validate_tree};

type Refused = UpdateError<&'static str>;

/// A page with its draft, and the text of what it sends.
struct Shown {
    page: Page<64, 256>,
    draft: Draft<64, 256>,
}

impl Shown {
    fn new() -> Self {
        Self { page: Page::new(7), draft: Draft::new() }
    }

    #[track_caller]
    fn update(&mut self, component: impl FnOnce(&mut Content<'_>)) -> String {
        self.try_update(component).unwrap()
    }

    fn try_update(&mut self, component: impl FnOnce(&mut Content<'_>)) -> Result<String, Refused> {
        let sent = self.page.update(&mut self.draft, component, |batch| Ok(describe(batch)))?;
        Ok(sent.unwrap_or_else(|| "  nothing\n".to_owned()))
    }

    fn error(&mut self, component: impl FnOnce(&mut Content<'_>)) -> PageError {
        match self.try_update(component) {
            Err(UpdateError::Page(error)) => error,
            other => panic!("{other:?}"),
        }
    }
}

/// The edits of a batch, a line each, and what they insert.
fn describe(batch: &Batch<'_>) -> String {
    validate_tree(batch).unwrap();
    let [diff] = batch.diffs else { panic!("{batch:?}") };
    assert_eq!(diff.component, 7);
    let mut out = String::new();
    let mut depth = 1;
    let frame = |at: i32| batch.frames[at as usize].view();
    for edit in diff.edits {
        let edit = edit.view();
        depth -= usize::from(edit == EditView::StepOut);
        out += &"  ".repeat(depth);
        match edit {
            EditView::PrependFrame { sibling, frame } => {
                let html = html(batch, frame as usize).0;
                writeln!(out, "insert at {sibling}: {html}").unwrap();
            }
            EditView::SetAttribute { sibling, frame: at } => {
                writeln!(out, "set on {sibling}:{}", attribute(frame(at))).unwrap();
            }
            EditView::UpdateText { sibling, frame: at }
            | EditView::UpdateMarkup { sibling, frame: at } => {
                writeln!(out, "change {sibling}: {:?}", frame(at)).unwrap();
            }
            EditView::RemoveAttribute { sibling, name } => {
                writeln!(out, "remove on {sibling}: {}", name.unwrap()).unwrap();
            }
            EditView::RemoveFrame { sibling } => writeln!(out, "remove {sibling}").unwrap(),
            EditView::StepIn { sibling } => writeln!(out, "into {sibling}").unwrap(),
            EditView::StepOut => out.truncate(out.trim_end_matches(' ').len()),
            EditView::PermutationListEntry { from, to } => {
                writeln!(out, "move {from} to {to}").unwrap();
            }
            EditView::PermutationListEnd => writeln!(out, "all at once").unwrap(),
        }
        depth += usize::from(matches!(edit, EditView::StepIn { .. }));
    }
    if !batch.disposed_events.is_empty() {
        writeln!(out, "  gone: handlers {:?}", batch.disposed_events).unwrap();
    }
    out
}

fn attribute(frame: FrameView<'_>) -> String {
    match frame {
        FrameView::Attribute { name, event: 0, value } => {
            format!(" {}={:?}", name.unwrap(), value.unwrap_or("(null)"))
        }
        FrameView::Attribute { name, event, .. } => format!(" {}=handler {event}", name.unwrap()),
        other => panic!("{other:?}"),
    }
}

/// The subtree of frame `at`, and the frame behind it.
fn html(batch: &Batch<'_>, at: usize) -> (String, usize) {
    let mut next = at + 1;
    let mut out = String::new();
    match batch.frames[at].view() {
        FrameView::Text { content } => out += content.unwrap(),
        FrameView::Markup { content } => write!(out, "[{}]", content.unwrap()).unwrap(),
        FrameView::Element { name, subtree } => {
            write!(out, "<{}", name.unwrap()).unwrap();
            let end = at + subtree as usize;
            while next < end && matches!(batch.frames[next].view(), FrameView::Attribute { .. }) {
                out += &attribute(batch.frames[next].view());
                next += 1;
            }
            out += ">";
            while next < end {
                let (inner, behind) = html(batch, next);
                (next, out) = (behind, out + &inner);
            }
            write!(out, "</{}>", name.unwrap()).unwrap();
        }
        FrameView::Region { subtree } => {
            out += "{";
            let end = at + subtree as usize;
            while next < end {
                let (inner, behind) = html(batch, next);
                (next, out) = (behind, out + &inner);
            }
            out += "}";
        }
        other => panic!("{other:?}"),
    }
    (out, next)
}

fn counter(page: &mut Content<'_>, count: u32) {
    page.element("h1").text("Counter");
    page.element("p").attribute("role", "status").content(|p| {
        p.text("Current count: ");
        p.text(count);
    });
    page.element("button").on("onclick", 1).text("Click me");
}

fn list(page: &mut Content<'_>, keys: &[u64]) {
    page.element("ul").content(|ul| {
        for &key in keys {
            ul.element("li").key(key).on("onclick", key as u32).text(key);
        }
    });
}

fn form(page: &mut Content<'_>, complaint: Option<&'static str>, in_region: bool) {
    let complain = |p: &mut Content<'_>| {
        if let Some(complaint) = complaint {
            p.element("p").attribute("class", "error").text(complaint);
        }
    };
    if in_region {
        page.region(complain);
    } else {
        complain(page);
    }
    page.element("p").text("Your name:");
    page.element("input").attribute("name", "name");
}

fn branch(page: &mut Content<'_>, chart: bool) {
    page.element("h2").text("Load");
    if chart {
        page.element("svg").content(|svg| {
            svg.element("circle").attribute("r", 5u8).content(|_| {});
        });
    } else {
        page.element("table").content(|table| {
            table.element("tr").content(|tr| tr.element("td").text(5u8));
        });
    }
    page.text("since yesterday");
}

type Step = (&'static str, fn(&mut Content<'_>));

/// Pages that follow each other, the first shown before.
const CHANGES: &[&[Step]] = &[
    &[
        ("a counter", |p| counter(p, 0)),
        ("its count", |p| counter(p, 1)),
        ("the same again", |p| counter(p, 1)),
    ],
    &[
        ("a list with keys", |p| list(p, &[1, 2, 3, 4, 5])),
        ("one inserted in front", |p| list(p, &[9, 1, 2, 3, 4, 5])),
        ("one inserted in the middle", |p| list(p, &[9, 1, 2, 8, 3, 4, 5])),
        ("two removed", |p| list(p, &[9, 2, 8, 4, 5])),
        ("two exchanged", |p| list(p, &[9, 4, 8, 2, 5])),
        ("the last one to the front", |p| list(p, &[5, 9, 4, 8, 2])),
        ("moved, removed and inserted", |p| list(p, &[2, 7, 5, 9, 6])),
        ("emptied", |p| list(p, &[])),
    ],
    &[
        ("a button", |p| {
            p.element("button").attribute("class", "a").flag("disabled", false).text("Go");
        }),
        ("a flag set", |p| {
            p.element("button").attribute("class", "a").flag("disabled", true).text("Go");
        }),
        ("a flag taken away, a value changed", |p| {
            p.element("button").attribute("class", "b").flag("disabled", false).text("Go");
        }),
        ("other attributes, in another order", |p| {
            p.element("button").attribute("id", "go").attribute("class", "b").text("Go");
        }),
        ("a value that is not there", |p| {
            p.element("button").attribute("id", None::<u8>).attribute("class", "b").text("Go");
        }),
    ],
    &[
        ("a handler", |p| p.element("button").on("onclick", 1).text("Go")),
        ("that does the same", |p| p.element("button").on("onclick", 1).text("Go!")),
        ("that does something else", |p| p.element("button").on("onclick", 2).text("Go!")),
        ("that is gone", |p| p.element("button").text("Go!")),
    ],
    &[
        ("a table", |p| branch(p, false)),
        ("a chart in its place", |p| branch(p, true)),
        ("and back", |p| branch(p, false)),
    ],
    &[
        ("a form", |p| form(p, None, true)),
        ("a complaint in a region", |p| form(p, Some("too short"), true)),
        ("no more complaint", |p| form(p, None, true)),
    ],
    &[
        ("a form without a region", |p| form(p, Some("too short"), false)),
        ("no more complaint", |p| form(p, None, false)),
    ],
    &[
        ("a selection", |p| {
            p.element("select").attribute("value", "b").content(|s| {
                s.element("option").attribute("value", "a").text("A");
                s.element("option").attribute("value", "b").text("B");
            });
        }),
        ("of other options", |p| {
            p.element("select").attribute("value", "b").content(|s| {
                s.element("option").attribute("value", "b").text("B");
                s.element("option").attribute("value", "c").text("C");
            });
        }),
    ],
    &[
        ("a range", |p| {
            p.element("input").attribute("value", 50u8).attribute("max", 50u8);
        }),
        ("with another end", |p| {
            p.element("input").attribute("value", 50u8).attribute("max", 100u8);
        }),
    ],
    &[
        ("markup", |p| p.markup("<hr>")),
        ("other markup", |p| p.markup("<br>")),
        ("text in its place", |p| p.text("<br>")),
    ],
];

#[test]
fn typical_changes_are_few_edits() {
    let mut out = String::new();
    for steps in CHANGES {
        let mut shown = Shown::new();
        for (name, component) in *steps {
            writeln!(out, "{name}").unwrap();
            out += &shown.update(component);
        }
        out += "\n";
    }
    let file = path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/page/changes.txt");
    if env::var_os("ONEWRITE_BLESS").is_some() {
        fs::write(&file, &out).unwrap();
    }
    assert_eq!(out, fs::read_to_string(file).unwrap().replace("\r\n", "\n"));
}

/// The memory of a circuit has room for it.
#[test]
fn page_of_a_counter_takes_little_memory() {
    let frame = 16 + size_of::<&str>();
    assert!(size_of::<Page<16, 64>>() <= 16 * frame + 64 + 8 * 6);
}

#[test]
fn page_stays_as_it_was_where_the_batch_is_not_sent() {
    let mut shown = Shown::new();
    shown.update(|p| counter(p, 1));
    let lost = shown.page.update(&mut shown.draft, |p| counter(p, 2), |_| Err::<(), _>("cut"));
    assert_eq!(lost, Err(UpdateError::Send("cut")));
    let again = "  into 1\n    change 1: Text { content: Some(\"2\") }\n";
    assert_eq!(shown.update(|p| counter(p, 2)), again);
}

#[test]
fn id_of_a_batch_that_was_lost_is_not_given_out_again() {
    let mut shown = Shown::new();
    let (page, draft) = (&mut shown.page, &mut shown.draft);
    let lost = page.update(draft, |p| counter(p, 2), |_| Err::<(), _>("cut"));
    assert_eq!(lost, Err(UpdateError::Send("cut")));
    assert!(!page.is_shown());
    assert!(shown.update(|p| counter(p, 2)).contains("onclick=handler 2"));
    assert_eq!(shown.page.event(1), Event::Gone);
    shown.page.reset();
    assert!(shown.update(|p| counter(p, 2)).contains("onclick=handler 3"));
}

#[test]
fn event_finds_what_its_handler_does_now() {
    let mut shown = Shown::new();
    shown.update(|p| list(p, &[10, 20, 30]));
    assert_eq!(
        [0, 1, 2, 3, 4].map(|id| shown.page.event(id)),
        [Event::Unknown, Event::Action(10), Event::Action(20), Event::Action(30), Event::Unknown,]
    );
    shown.update(|p| list(p, &[30, 10]));
    assert_eq!(
        [1, 2, 3].map(|id| shown.page.event(id)),
        [Event::Action(10), Event::Gone, Event::Action(30),]
    );
}

fn input(page: &mut Content<'_>, text: &str, checked: bool) {
    page.element("p").text("Name:");
    page.element("input").attribute("value", Copied(text)).on("oninput", 1);
    page.element("input").on("onchange", 2).flag("checked", checked);
}

#[test]
fn field_is_set_only_where_the_browser_has_something_else() {
    let mut shown = Shown::new();
    shown.update(|p| input(p, "", false));
    // What was typed is what the component says: nothing is to do.
    shown.page.field_changed(1, Field::Text("abc"));
    assert_eq!(shown.update(|p| input(p, "abc", false)), "  nothing\n");
    // It is emptied, as it was when it was last sent.
    shown.page.field_changed(1, Field::Text("abcd"));
    shown.page.field_changed(1, Field::Text("abcde"));
    assert_eq!(shown.update(|p| input(p, "", false)), "  set on 1: value=\"\"\n");
    assert_eq!(shown.update(|p| input(p, "", false)), "  nothing\n");
    shown.page.field_changed(2, Field::Checked(true));
    assert_eq!(shown.update(|p| input(p, "", true)), "  nothing\n");
    shown.page.field_changed(2, Field::Checked(false));
    assert_eq!(shown.update(|p| input(p, "", true)), "  set on 2: checked=\"\"\n");
    shown.page.field_changed(2, Field::Checked(false));
    assert_eq!(shown.update(|p| input(p, "", false)), "  nothing\n");
    shown.page.field_changed(2, Field::Checked(true));
    assert_eq!(shown.update(|p| input(p, "", false)), "  remove on 2: checked\n");
    // Neither are handlers without such a field, nor ids that are none.
    shown.page.field_changed(2, Field::Text("x"));
    shown.page.field_changed(9, Field::Text("x"));
    assert_eq!(shown.update(|p| input(p, "", false)), "  nothing\n");
}

#[test]
fn field_with_more_text_than_fits_is_set_in_any_case() {
    let mut shown = Shown::new();
    shown.update(|p| input(p, "a", false));
    shown.page.field_changed(1, Field::Text(&"x".repeat(300)));
    assert_eq!(shown.update(|p| input(p, "a", false)), "  set on 1: value=\"a\"\n");
    shown.page.field_changed(1, Field::Text(&"x".repeat(300)));
    let without = shown.update(|p| {
        p.element("p").text("Name:");
        p.element("input").on("oninput", 1);
        p.element("input").on("onchange", 2).flag("checked", false);
    });
    assert_eq!(without, "  remove on 1: value\n");
}

/// A text in so many regions.
fn nest(p: &mut Content<'_>, levels: usize) {
    if levels > 0 {
        p.region(|p| nest(p, levels - 1));
    } else {
        p.text("inside");
    }
}

#[test]
fn what_does_not_fit_is_refused_with_its_frame() {
    let mut shown = Shown::new();
    shown.update(|p| counter(p, 1));
    let many = |p: &mut Content<'_>| (0..65).for_each(|_| p.text("a"));
    let kind = PageErrorKind::TooManyFrames { capacity: 64 };
    assert_eq!(shown.error(many), PageError { at: 64, kind });
    let long = |p: &mut Content<'_>| {
        p.text("a");
        p.text(Copied(&"x".repeat(257)));
        p.text("b");
    };
    let kind = PageErrorKind::TooMuchText { capacity: 256 };
    assert_eq!(shown.error(long), PageError { at: 1, kind });
    let formatted = |p: &mut Content<'_>| p.text(format_args!("{:300}", 1));
    assert_eq!(shown.error(formatted), PageError { at: 0, kind });
    let attributes = |p: &mut Content<'_>| {
        let names =
            ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p"];
        let more = ["q", "r", "s", "t", "u", "v", "w", "x", "y", "z", "aa", "ab", "ac", "ad", "ae"];
        let mut element = p.element("p");
        for name in names.into_iter().chain(more).chain(["af", "AF", "ag"]) {
            element = element.attribute(name, "");
        }
    };
    let at = 1 + MAX_ATTRIBUTES;
    assert_eq!(shown.error(attributes), PageError { at, kind: PageErrorKind::TooManyAttributes });
    let deep = |p: &mut Content<'_>| {
        p.element("p").text("a");
        nest(p, MAX_DEPTH + 1);
    };
    // An element's own frame is there when what is inside does not fit.
    let (mut larger, mut page) = (Draft::<128, 0>::new(), Page::<128, 0>::new(7));
    let refused = page.update(&mut larger, deep, |_| Ok::<_, ()>(()));
    let at = 2 + MAX_DEPTH + 1;
    let error = PageError { at, kind: PageErrorKind::TooDeep };
    assert_eq!(refused, Err(UpdateError::Page(error)));
    assert_eq!(page.update(&mut larger, |p| nest(p, MAX_DEPTH), |_| Ok::<_, ()>(())), Ok(Some(())));
    // The page is what it was.
    assert_eq!(shown.update(|p| counter(p, 1)), "  nothing\n");
}

/// A page of nothing but texts takes an edit for each that goes and each that comes.
#[test]
fn edits_that_do_not_fit_are_refused_only_where_rendering_anew_does_not_help() {
    let texts = |p: &mut Content<'_>| (0..6).for_each(|_| p.text("a"));
    let elements = |p: &mut Content<'_>| {
        (0..6).for_each(|_| {
            p.element("p");
        });
    };
    let (mut draft, mut page) = (Draft::<8, 8>::new(), Page::<8, 8>::new(7));
    page.update(&mut draft, texts, |_| Ok::<_, ()>(())).unwrap();
    let error = PageError { at: 0, kind: PageErrorKind::TooManyEdits { capacity: 8 } };
    let refused = page.update(&mut draft, elements, |_| Ok::<_, ()>(()));
    assert_eq!(refused, Err(UpdateError::Page(error)));
    // In an element the same takes two edits.
    let inside = |p: &mut Content<'_>, of: fn(&mut Content<'_>)| p.element("div").content(of);
    let mut page = Page::<8, 8>::new(7);
    let many: fn(&mut Content<'_>) = |p| (0..7).for_each(|_| p.text("a"));
    let others: fn(&mut Content<'_>) = |p| {
        (0..7).for_each(|_| {
            p.element("p");
        });
    };
    page.update(&mut draft, |p| inside(p, many), |_| Ok::<_, ()>(())).unwrap();
    let sent = page.update(
        &mut draft,
        |p| inside(p, others),
        |batch| {
            validate_tree(batch).unwrap();
            Ok::<_, ()>(batch.diffs[0].edits.len())
        },
    );
    assert_eq!(sent, Ok(Some(2)));
}

#[test]
fn names_that_a_browser_refuses_or_runs_are_refused() {
    let mut shown = Shown::new();
    for name in ["", "1a", "a b", "a>", "ä", "-", "a\0", "@click"] {
        let bad = PageErrorKind::BadName { name };
        let element = shown.error(|p| p.element("p").content(|p| p.element(name).text("")));
        assert_eq!(element, PageError { at: 1, kind: bad });
        let attribute = shown.error(|p| {
            p.element("p").attribute(name, "");
        });
        assert_eq!(attribute, PageError { at: 1, kind: bad });
    }
    for name in ["onclick", "ON", "on", "OnLoad"] {
        let kind = PageErrorKind::HandlerName { name };
        let text = shown.error(|p| {
            p.element("p").attribute(name, "alert(1)");
        });
        assert_eq!(text, PageError { at: 1, kind });
        let flag = shown.error(|p| {
            p.element("p").flag(name, true);
        });
        assert_eq!(flag, PageError { at: 1, kind });
    }
    for name in ["click", "on", "ON", "Onclick", "o"] {
        let kind = PageErrorKind::HandlerName { name };
        let handler = shown.error(|p| {
            p.element("p").on(name, 1);
        });
        assert_eq!(handler, PageError { at: 1, kind }, "{name}");
    }
    assert!(!shown.page.is_shown());
}

#[test]
fn name_that_comes_twice_counts_once() {
    let mut shown = Shown::new();
    let twice = shown.update(|p| {
        p.element("p").attribute("Title", "a").attribute("class", "c").attribute("title", "b");
    });
    assert_eq!(twice, "  insert at 0: <p title=\"b\" class=\"c\"></p>\n");
}

#[test]
fn values_are_shown_as_they_are_written() {
    let mut shown = Shown::new();
    let all = shown.update(|p| {
        p.element("p").attribute("a", 'ß').attribute("b", -7i8).attribute("c", u64::MAX).content(
            |p| {
                p.text(i64::MIN);
                p.text(Some("|"));
                p.text(None::<&str>);
                p.text(Some(0usize));
                p.text(format_args!("|{:.1}", 2.25));
                p.text(format_args!("|"));
                p.text(9999u16);
                p.text(10000u16);
            },
        );
    });
    let text = "-9223372036854775808|0|2.2|999910000";
    let expected = format!("<p a=\"ß\" b=\"-7\" c=\"18446744073709551615\">{text}</p>");
    assert_eq!(all, format!("  insert at 0: {expected}\n"));
}

/// As text of one length takes the place of another at the same address.
#[test]
fn copied_text_is_compared_by_its_content() {
    let mut shown = Shown::new();
    shown.update(|p| p.text(Copied("one")));
    assert_eq!(
        shown.update(|p| p.text(Copied("two"))),
        "  change 0: Text { content: Some(\"two\") }\n"
    );
    assert_eq!(shown.update(|p| p.text("two")), "  nothing\n");
}
