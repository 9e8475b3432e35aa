//! BSATN, the binary format of SpacetimeDB: values, arrays and row lists.
//!
//! Everything is little-endian; nothing is padded, aligned or described: reader and writer have to
//! know the type. A value of a type without strings and arrays has a fixed size: it is assembled in
//! one place and leaves in one write, many of them in one run.
//!
//! | BSATN | bytes | here |
//! |---|---|---|
//! | bool | 1: 0 or 1 | `bool` |
//! | u8 .. u128, i8 .. i128 | 1, 2, 4, 8, 16 | the primitives |
//! | u256, i256 | 32 | [`U256`], [`I256`] |
//! | f32, f64 | their exact bits | the primitives |
//! | string | u32 length in bytes, UTF-8 | `&str` |
//! | array | u32 number of elements, elements | `[T]`, `[T; N]`, [`Array`]; `&[u8]` for bytes |
//! | product | fields in order, nothing else | structs, tuples, `()` |
//! | sum | u8 index of the variant, its payload | enums |
//! | option | sum: some = 0, none = 1 | `Option` |
//! | result | sum: ok = 0, err = 1 | `Result` |
//! | special types | those of their one field | [`Identity`], [`ConnectionId`], [`Timestamp`], [`TimeDuration`], [`Uuid`], [`ScheduleAt`] |
//!
//! `#[derive(Encode, Decode)]` makes products of structs and sums of enums. The rows of a table come
//! as a [`RowList`] and leave through a [`RowListWriter`].
//!
//! ```
//! use onewrite::bsatn::{Array, Decode, Encode};
//!
//! let mut buffer = [0; 16];
//! let len = (7u16, [1u32, 2].as_slice()).encode_to_slice(&mut buffer)?;
//! assert_eq!(buffer[..len], [7, 0, 2, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0]);
//!
//! let (number, list) = <(u16, Array<'_, u32>)>::from_slice(&buffer[..len])?;
//! assert_eq!(number, 7);
//! assert!(list.iter().eq([1, 2]));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Source of the format: the BSATN page of SpacetimeDB's documentation, and its crate
//! `spacetimedb-sats` 2.10.1, whose bytes are in `tests/data/spacetimedb`.

mod algebraic_type;
mod array;
mod decode;
mod encode;
mod output;
mod primitive;
#[doc(hidden)]
pub mod private;
mod product;
pub(crate) mod row_list;
#[cfg(feature = "serde")]
pub mod serde;
#[macro_use]
mod wide;
mod special;
mod sum;
mod text;
mod walker;

#[cfg(feature = "derive")]
pub use onewrite_derive::{Decode, Encode};

pub use algebraic_type::{AlgebraicType, Element};
pub use array::{Array, ArrayIter, Elements, ZERO_WIDTH_LIMIT};
pub use decode::Decode;
pub use encode::Encode;
pub use output::Output;
pub use row_list::{
    RowCut, RowList, RowListStream, RowListWriter, Rows, RowsEvent, SizeHint, StreamError,
    StreamErrorKind, Tail, TypedRows,
};
pub use special::{ConnectionId, Identity, ScheduleAt, TimeDuration, Timestamp, Uuid};
pub use walker::{DEPTH_LIMIT, Token, TokenKind, Walker};
pub use wide::{I256, U256};
