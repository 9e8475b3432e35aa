//! Tables of fixed capacity that count how often each row was delivered.
//!
//! Subscriptions overlap, so a server delivers the same row several times and deletes it as often;
//! one message may name one table twice. A [`MultiDictionary`] keeps one row a key, and its
//! multiplicity: what a client sees is a row that comes, that goes, or that another one replaces.
//!
//! What a message says about a table is collected in a [`Delta`], in any order, and applied as a
//! whole or not at all. [`MultiDictionary::apply`] does all of it for one table. For the tables of
//! one message together, each step is taken for all of them before the next one:
//!
//! | step | does |
//! |---|---|
//! | [`MultiDictionary::prepare`] | checks everything, changes nothing: the last step that can fail |
//! | [`Prepared::before_delete`] | [`Visitor::on_before_delete`], while all rows are there |
//! | [`Prepared::commit`] | removals, then replacements, then new rows: a full table takes as many as it loses |
//! | [`Committed::notify`] | [`Visitor::on_insert`], then `on_update`, then `on_delete` |
//!
//! ```
//! use onewrite::spacetimedb::multi_dictionary::{Delta, Mode, MultiDictionary};
//!
//! let mut players = MultiDictionary::<u32, &str, 16>::new();
//! let mut delta = Delta::<u32, &str, 16>::new();
//! delta.add(1, "ann")?;
//! delta.add(1, "ann")?; // by two subscriptions
//! players.apply(&mut delta, Mode::Strict, &mut ())?;
//! assert_eq!(players.get(&1), Some((&"ann", 2)));
//!
//! delta.remove(1, "ann")?;
//! delta.add(1, "bob")?;
//! assert!(players.apply(&mut delta, Mode::Strict, &mut ()).is_err()); // one "ann" is left
//! delta.remove(1, "ann")?;
//! let applied = players.apply(&mut delta, Mode::Strict, &mut ())?;
//! assert_eq!(applied.updated, 1);
//! assert_eq!(players.get(&1), Some((&"bob", 1)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What a key's changes come to
//!
//! `m` is the multiplicity of the row that is there. A *change of row* has fewer than no copies of
//! one row and more than no copies of another; otherwise one row at most has copies other than
//! zero, `d` of them.
//!
//! | there | delta | then | [`Mode::Strict`] refuses |
//! |---|---|---|---|
//! | row, m | from `x` copies of a to `y` copies of b | b, multiplicity y; `on_update` | m ≠ x, or the row ≠ a |
//! | row, m | d, m + d > 0 | the row, multiplicity m + d | the row ≠ the delta's |
//! | row, m | d, m + d ≤ 0 | no row; `on_delete` with the delta's row | m + d < 0, or the row ≠ the delta's |
//! | nothing | change of row | nothing | yes |
//! | nothing | d > 0 | the delta's row, multiplicity d; `on_insert` | |
//! | nothing | d = 0 | nothing | |
//! | nothing | d < 0 | nothing | yes |
//! | either | anything else | [`ApplyError::Ambiguous`] | yes |
//!
//! Rows are compared with `==`. A row with a float that may be NaN must compare its bits, or it
//! never equals itself.
//!
//! Source: the class of this name in the C# client, clockworklabs/SpacetimeDB
//! `sdks/csharp/src/MultiDictionary.cs`, whose answers are in `tests/data/spacetimedb`.

mod apply;
mod delta;
mod dictionary;
mod error;
mod hash;
mod slots;

pub use apply::{Applied, Committed, Mode, Prepared, Visitor};
pub use delta::Delta;
pub use dictionary::{Iter, MultiDictionary};
pub use error::{ApplyError, DeltaError, Inconsistency};
