//! Pages as functions: what they should look like, and the edits that make a browser show it.
//!
//! A component is a function that pushes elements, attributes and texts into a [`Content`]. A [`Page`] keeps
//! what its browser shows. [`Page::update`] renders the component, compares, and hands the difference over as
//! a [`Batch`](crate::render_batch::Batch); where nothing has changed it does nothing.
//!
//! ```
//! use onewrite::page::{Content, Copied, Draft, Event, Page};
//! use onewrite::render_batch::Batch;
//!
//! const INCREMENT: u32 = 1;
//!
//! struct State<'a> {
//!     count: u32,
//!     user: &'a str,
//! }
//!
//! fn counter(page: &mut Content<'_>, state: &State<'_>) {
//!     page.element("h1").attribute("class", "title").text(Copied(state.user));
//!     page.element("p").content(|p| {
//!         p.text("Current count: ");
//!         p.text(state.count);
//!     });
//!     page.element("button").flag("disabled", state.count > 9).on("onclick", INCREMENT).text("More");
//! }
//!
//! # fn send(_: &Batch<'_>) -> Result<(), core::fmt::Error> { Ok(()) }
//! # fn main() -> Result<(), Box<dyn core::error::Error>> {
//! let mut draft = Draft::<32, 128>::new(); // one a thread
//! let mut page = Page::<32, 128>::new(0); // one a browser
//! let mut state = State { count: 0, user: "Ada" };
//! page.update(&mut draft, |p| counter(p, &state), |batch| send(batch))?;
//!
//! // An event with the id of the first handler comes in.
//! if page.event(1) == Event::Action(INCREMENT) {
//!     state.count += 1;
//! }
//! page.update(&mut draft, |p| counter(p, &state), |batch| send(batch))?;
//! # Ok(())
//! # }
//! ```
//!
//! # What stays
//!
//! An element stays the same one, with its focus, its selection and what was typed into it, if the next
//! rendering has one of its name and key at its place among its siblings:
//!
//! - Siblings with a [`key`](Element::key) are found by it wherever they are, and moved.
//! - Siblings without are matched in order. What may be there or not stands in a
//!   [`region`](Content::region).
//!
//! A handler keeps its id as long as its element stays and its action is the same; an event that was meant
//! for another action is therefore recognized as [gone](Event::Gone).
//!
//! # How much
//!
//! The changes are never more than those of rendering the page anew: counting each node and each attribute
//! that is created, removed, changed or moved, it takes at most one change for each that was there and one for
//! each that will be. In bytes a batch can be larger, since an edit has to say where it is;
//! [`Page::set_fewest_bytes`] holds that bound too.
//!
//! | | bound |
//! |---|---|
//! | memory | fixed by the types: frames and text of a page; one draft a thread |
//! | steps | the frames and texts of both pages, and `n log n` for `n` siblings whose keys changed places |
//! | depth | [`MAX_DEPTH`], which bounds the stack too |
//! | attributes of an element | [`MAX_ATTRIBUTES`] |
//!
//! What does not fit is an error, and the page stays what it was.
//!
//! # What is safe
//!
//! Names are literals, checked before they leave. Texts are data to a browser, whatever they hold, and an
//! attribute whose name begins with `on`, which it would run, can only be a handler. What is HTML has to say
//! so: [`Content::markup`].
//!
//! Values of attributes are not looked at. Where a browser takes one as an address or as HTML (`href`, `src`,
//! `action`, `formaction`, `srcdoc`), what a user has written needs a check of its own, or the page a policy such
//! as [`gate::CONTENT_SECURITY_POLICY`].
//!
//! [`gate::CONTENT_SECURITY_POLICY`]: ../circuit/gate/constant.CONTENT_SECURITY_POLICY.html

mod attributes;
mod changes;
mod content;
mod diff;
mod error;
mod keys;
mod node;
mod show;
mod update;

pub use content::{Content, Element};
pub use error::{PageError, PageErrorKind, UpdateError};
pub use show::{Copied, Show};
pub use update::{Draft, Event, Field, Page};

/// Elements and regions that stand in each other.
pub const MAX_DEPTH: usize = 64;

/// Attributes and handlers of one element.
pub const MAX_ATTRIBUTES: usize = 32;
