//! Bytes that never change, made by the compiler, and templates with holes for what does.
//!
//! [`literal!`](crate::literal!) concatenates strings, bytes and numbers at compile time.
//! [`template!`](crate::template!) does the same and leaves fixed-width holes, which are filled at
//! run time: a copy and a few stores. Both work without their macros: [`concat`](fn@concat)
//! makes the bytes, and [`put`](crate::record::put) with [`zero_padded`], [`space_padded`] or
//! [`hex`] fills a hole at an offset that is checked at compile time.
//!
//! ```
//! use onewrite::literal::{concat, zero_padded};
//! use onewrite::record::put;
//!
//! const COUNTER: [u8; 8] = match concat(&[b"count=", &[0; 2]]) {
//!     Some(bytes) => bytes,
//!     None => panic!("the parts are eight bytes"),
//! };
//!
//! let mut line = COUNTER;
//! if let Some(digits) = zero_padded::<2>(7) {
//!     put::<6, 2, 8>(&mut line, digits);
//! }
//! assert_eq!(line, *b"count=07");
//! ```

mod digits;
mod groups;
mod part;
mod template;

pub use digits::{hex, space_padded, zero_padded};
pub use template::HoleError;

#[doc(hidden)]
pub use part::{Be, Decimal, Le, Leb, Of, Whole, whole};

/// The sum of the lengths of `parts`; `usize::MAX` if it is more than that.
#[must_use]
pub const fn total_len(mut parts: &[&[u8]]) -> usize {
    let mut total: usize = 0;
    while let Some((part, rest)) = parts.split_first() {
        total = total.saturating_add(part.len());
        parts = rest;
    }
    total
}

/// All bytes of `parts`, in order; `None` unless they are exactly `N`.
///
/// Made for `const` items: it copies whole slices, so a part of a megabyte costs the compiler
/// little. See [`literal!`](crate::literal!), which finds `N` itself.
#[must_use]
pub const fn concat<const N: usize>(mut parts: &[&[u8]]) -> Option<[u8; N]> {
    let mut bytes = [0; N];
    let mut rest: &mut [u8] = &mut bytes;
    while let Some((part, others)) = parts.split_first() {
        let Some((to, after)) = rest.split_at_mut_checked(part.len()) else {
            return None;
        };
        copy(to, part);
        rest = after;
        parts = others;
    }
    if rest.is_empty() { Some(bytes) } else { None }
}

/// Copies `from` over `to`, which has its length.
///
/// `copy_from_slice` keeps its panic at some optimization levels. The compiler evaluates a copy of
/// a chunk as one step, so a chunk is long.
pub(crate) const fn copy(to: &mut [u8], from: &[u8]) {
    const CHUNK: usize = 1024;
    let (mut chunks, mut rest) = to.as_chunks_mut::<CHUNK>();
    let (mut from_chunks, mut from_rest) = from.as_chunks::<CHUNK>();
    while let (Some((to, later)), [from, from_later @ ..]) = (chunks.split_first_mut(), from_chunks)
    {
        *to = *from;
        (chunks, from_chunks) = (later, from_later);
    }
    while let (Some((to, later)), [from, from_later @ ..]) = (rest.split_first_mut(), from_rest) {
        *to = *from;
        (rest, from_rest) = (later, from_later);
    }
}

/// Concatenates strings, bytes and numbers at compile time, into a `&'static [u8; N]`.
///
/// | part | bytes |
/// |---|---|
/// | `"text"`, `b"bytes"`, any constant `&str`, `&[u8]` or `&[u8; N]` | as they are |
/// | `dec(10)` | a whole number from 0 to `i128::MAX` in decimal, no padding |
/// | `le(5u32)`, `be(5u32)` | an integer or float whose type is known, in that byte order |
/// | `leb(300)` | a whole number from 0 to `u64::MAX` as a [varint](crate::leb128) |
///
/// Parts are constant expressions. `dec`, `le`, `be` and `leb` in front of parentheses always have
/// the meaning above. About a hundred parts are the most that the compiler's default recursion
/// limit allows.
///
/// ```
/// use onewrite::literal;
///
/// const BODY: &str = "hello world";
/// const RESPONSE: &[u8] = literal!(
///     "HTTP/1.1 200 OK\r\ncontent-length: ", dec(BODY.len()), "\r\n\r\n", BODY,
/// );
/// assert_eq!(RESPONSE, b"HTTP/1.1 200 OK\r\ncontent-length: 11\r\n\r\nhello world");
/// assert_eq!(literal!(le(5u32), be(7u16), leb(300)), b"\x05\0\0\0\0\x07\xac\x02");
/// ```
///
/// What is not known at compile time does not build:
///
/// ```compile_fail,E0435
/// let name = std::env::args().next().unwrap();
/// onewrite::literal!("hello ", &name);
/// ```
///
/// Nor does a number that has no such form:
///
/// ```compile_fail,E0080
/// onewrite::literal!(dec(-1));
/// ```
///
/// ```compile_fail,E0080
/// onewrite::literal!(leb(0x1_0000_0000_0000_0000u128));
/// ```
///
/// Nor what is no whole number:
///
/// ```compile_fail,E0277
/// onewrite::literal!(dec(1.9));
/// ```
///
/// ```compile_fail,E0277
/// onewrite::literal!(dec('a'));
/// ```
///
/// ```compile_fail,E0277
/// onewrite::literal!(dec(true));
/// ```
///
/// ```compile_fail,E0277
/// onewrite::literal!(leb(1.5));
/// ```
#[macro_export]
macro_rules! literal {
    ($($parts:tt)*) => {
        $crate::__literal!([] $($parts)*)
    };
}

/// Turns parts into slices one after the other, then concatenates them.
#[doc(hidden)]
#[macro_export]
macro_rules! __literal {
    ([$($bytes:expr,)*]) => {
        const {
            // No binding here: a constant of that name in the caller's scope would turn it into a
            // pattern.
            &::core::option::Option::expect(
                $crate::literal::concat::<{ $crate::literal::total_len(&[$($bytes),*]) }>(
                    &[$($bytes),*],
                ),
                "the parts keep their lengths",
            )
        }
    };
    ([$($bytes:expr,)*] $kind:ident($value:expr) $(, $($rest:tt)*)?) => {
        $crate::__literal!(
            [$($bytes,)* $crate::__literal_part!($kind($value)),] $($($rest)*)?
        )
    };
    ([$($bytes:expr,)*] $part:expr $(, $($rest:tt)*)?) => {
        $crate::__literal!([$($bytes,)* $crate::literal::Of($part).bytes(),] $($($rest)*)?)
    };
}

/// One part of a literal as a slice of bytes.
#[doc(hidden)]
#[macro_export]
macro_rules! __literal_part {
    (dec($value:expr)) => {
        ::core::option::Option::expect(
            $crate::literal::Decimal::new($crate::__whole!($value)),
            "dec takes a number from 0 to i128::MAX",
        )
        .bytes()
    };
    (le($value:expr)) => {
        &$crate::literal::Le($value).bytes()
    };
    (be($value:expr)) => {
        &$crate::literal::Be($value).bytes()
    };
    (leb($value:expr)) => {
        ::core::option::Option::expect(
            $crate::literal::Leb::new($crate::__whole!($value)),
            "leb takes a number from 0 to u64::MAX",
        )
        .bytes()
    };
    ($call:ident($value:expr)) => {
        $crate::literal::Of($call($value)).bytes()
    };
}

/// A whole number as a `u128`.
#[doc(hidden)]
#[macro_export]
macro_rules! __whole {
    ($value:expr) => {{
        // Only its type is looked at. A literal without one is an `i32` here, and need not fit it.
        #[allow(overflowing_literals)]
        if false {
            $crate::literal::whole($value);
        }
        ($value) as ::core::primitive::u128
    }};
}
