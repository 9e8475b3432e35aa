//! JSON without a tree: checked once, then walked where it lies (RFC 8259).
//!
//! [`Value::parse`] reads all of a text and refuses what is no JSON. What it returns is a view of that text,
//! and so is everything that is taken out of it: nothing is copied, nothing is allocated, and since the
//! text is known to be in order, to walk through it cannot fail. Strings are compared and unescaped only
//! where they are asked for.
//!
//! ```
//! use onewrite::circuit::json::{Error, Value, View};
//!
//! let text = r#"[{"eventHandlerId":7,"eventName":"click"},{"value":"caf\u00e9"}]"#;
//! let [event, data] = Value::parse(text)?.array()?.exactly()?;
//! assert_eq!(event.object()?.require("eventHandlerId")?.u64()?, 7);
//! let View::Text(value) = data.object()?.require("value")?.view() else { panic!("no text") };
//! assert!(value == "café");
//! # Ok::<(), Error>(())
//! ```
//!
//! | | |
//! |---|---|
//! | a text | is checked in one pass, whose state is one word; at most [`DEPTH`] levels |
//! | a key that is there twice | is refused when it is asked for; the others are not looked at |
//! | half of a surrogate pair | is refused, since no `str` can hold it |
//! | a number | is text; integers are read from digits alone, so that `1.0` and `1e0` are none |
//! | a walk | takes at most [`DEPTH`] times as long as the text |

mod error;
mod number;
mod plain;
mod scan;
mod text;
mod value;

pub use error::{Error, ErrorKind};
pub use number::Number;
pub use scan::DEPTH;
pub use text::{Chars, NoRoom, Text};
pub use value::{Array, Elements, Members, Object, Value, View};
