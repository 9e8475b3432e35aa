//! MessagePack, as far as hub messages need it: read where it lies, written from heads.
//!
//! An [`Unpacker`] borrows text and bytes from its input. Everything that the format has is read, also
//! where a shorter form exists, since clients may choose; what is written is the shortest form, made of
//! a [`Head`] and the bytes that it announces.
//!
//! | lead byte | then | value | read as |
//! |---|---|---|---|
//! | `00`–`7f` | | the number itself | [`Value::Unsigned`] |
//! | `80`–`8f`, `de`, `df` | 0, 2, 4 | pairs of a map | [`Value::Map`] |
//! | `90`–`9f`, `dc`, `dd` | 0, 2, 4 | elements of an array | [`Value::Array`] |
//! | `a0`–`bf`, `d9`, `da`, `db` | 0, 1, 2, 4 | bytes of a text | [`Value::Text`] |
//! | `c0` | | nil | [`Value::Nil`] |
//! | `c2`, `c3` | | false, true | [`Value::Bool`] |
//! | `c4`, `c5`, `c6` | 1, 2, 4 | bytes | [`Value::Bytes`] |
//! | `c7`, `c8`, `c9` | 1, 2, 4 | bytes of an extension, and its type | [`Value::Extension`] |
//! | `ca`, `cb` | 4, 8 | floating point | [`Value::Float`] |
//! | `cc`–`cf` | 1, 2, 4, 8 | a number from zero up | [`Value::Unsigned`] |
//! | `d0`–`d3` | 1, 2, 4, 8 | a number with a sign | [`Value::Signed`], or `Unsigned` from zero up |
//! | `d4`–`d8` | 1 | an extension of 1, 2, 4, 8, 16 bytes | [`Value::Extension`] |
//! | `e0`–`ff` | | -32 to -1 | [`Value::Signed`] |
//!
//! Numbers and lengths are big-endian. `c1` is nothing. Source: the MessagePack specification,
//! msgpack/msgpack `spec.md`.

mod head;
mod unpacker;

pub use head::Head;
pub use unpacker::{DEPTH, Unpacker, Value};
