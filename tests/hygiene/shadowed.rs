//! Records in a module that shadows everything a derive's output might have named.
//!
//! Compiled by `tests/derive_hygiene.rs`, and by `tests/derive_ui.rs` as a crate of its own with
//! edition 2021, without std and with every warning denied.
#![no_implicit_prelude]
#![allow(
    non_camel_case_types,
    non_upper_case_globals,
    dead_code,
    non_snake_case,
    unreachable_pub,
    unused_macros,
    reason = "names chosen to be in the way"
)]
#![allow(
    clippy::non_minimal_cfg,
    clippy::wrong_self_convention,
    reason = "what users may write all the same"
)]
#![allow(missing_docs, reason = "not those of the output, which `Documented` below checks")]

use ::onewrite::Record;

pub type Result<T> = ::core::result::Result<T, ()>;
pub struct Option;
pub struct Some;
pub struct None;
pub struct Ok;
pub struct Err;
pub struct PhantomData;
pub trait Write {}
pub trait Into {}
pub trait From {}
pub trait Copy {}
pub trait Sized {}
pub mod core {}
pub mod std {}
pub mod onewrite {}
pub mod record {}
pub type usize = ();
pub struct String;
pub const SIZE: u16 = 1;
pub const N: &str = "";
pub const out: u8 = 1;
pub const bytes: u8 = 1;
pub const value: u8 = 1;
pub static at: u8 = 1;
pub struct item;
pub struct error;

macro_rules! assert {
    () => {};
}
macro_rules! panic {
    () => {};
}
macro_rules! matches {
    () => {};
}

/// A trait whose methods have the names of inherent ones.
pub trait Confusing {
    fn to_bytes(&self) {}
    fn write_at(&self) {}
    fn from_bytes(&self) {}
    fn to_le_bytes(&self) {}
    fn split_first(&self) {}
    fn split_first_chunk_mut(&self) {}
    fn shifted(&self) {}
    fn wrapping_add(&self) {}
}
impl<T: ?::core::marker::Sized> Confusing for T {}

/// core-10, core-11: fields called like locals and like the library's words.
#[derive(Record)]
#[record(size = 48, pad(bytes = 44..48))]
pub struct Fields {
    pub out: u8,
    pub bytes: u8,
    pub at: u16,
    pub slot: u8,
    pub items: [u8; 2],
    pub item: [u16; 2],
    pub rest: bool,
    pub value: Inner,
    pub record: [Inner; 2],
    pub tail: [Inner; 1 + 1],
    pub error: i32,
    pub this: i16,
    pub len: i8,
    pub index: f64,
    pub size: u8,
    pub __self: u8,
    pub N: u8,
    pub T: u8,
    pub marker: ::core::marker::PhantomData<Option>,
    pub last: [[u8; 1]; 2],
    pub crate_: u8,
}

#[derive(Record, ::core::clone::Clone, ::core::marker::Copy)]
pub struct Inner(pub u8, pub u8);

/// core-09: the names are `struct`, `type`, `match` and `async`.
#[derive(Record)]
#[record(gaps = "zero")]
pub struct r#struct {
    pub r#type: u8,
    pub r#match: u16,
    #[record(offset = 4)]
    pub r#async: u32,
}

/// core-09
#[derive(Record, ::core::fmt::Debug)]
#[repr(u8)]
pub enum r#enum {
    r#fn = 1,
    r#loop = 2,
}

#[derive(Record)]
#[record(tag = u16, size = 8)]
pub enum Tagged {
    #[record(tag = 1)]
    Ok { out: u8, bytes: [Inner; 2] },
    #[record(tag = 2)]
    Err(u8, r#enum),
    #[record(tag = 3)]
    None,
    #[record(other)]
    Some { tag: u16, value: u8 },
}

/// Parameters and lifetimes with the names that macros like.
#[derive(Record)]
pub struct Generic<'de, 'a, W, S, E, T, const N: ::core::primitive::usize>
where
    T: 'de + 'a,
{
    pub out: W,
    pub bytes: [u8; N],
    pub value: S,
    pub error: E,
    pub marker: ::core::marker::PhantomData<&'de &'a T>,
}

/// core-12: fields and variants that other configurations have.
#[derive(Record)]
#[record(size = 4)]
pub struct Configured {
    #[cfg(any())]
    pub never: NoSuchType,
    #[cfg(all())]
    pub always: u8,
    #[cfg_attr(all(), record(at = 2, endian = "big"))]
    #[cfg_attr(any(), record(at = 9))]
    pub placed: u16,
    #[cfg(not(any()))]
    #[record(at = 1)]
    pub between: u8,
}

#[derive(Record)]
#[repr(u8)]
pub enum ConfiguredEnum {
    A = 1,
    #[cfg(any())]
    A2 = 1,
    #[cfg(all())]
    B = 2,
}

macro_rules! by_macro {
    ($name:ident, $first:ty, $second:ty, $len:expr, $at:expr, $tag:expr) => {
        #[derive(Record)]
        #[record(size = $len * 2 + 6)]
        pub struct $name {
            first: $first,
            #[record(at = $at)]
            second: $second,
            bytes: [u8; $len],
            // Not `Copy`, so the length has to be seen through the macro.
            flags: [Flag; $len],
        }

        #[derive(Record)]
        #[repr(u8)]
        pub enum Numbered {
            A = $tag,
            B = $tag + 1,
        }
    };
}
#[derive(Record)]
pub struct Flag(bool);
by_macro!(FromMacro, u16, [u16; 2], 3, 2, 5);

/// The output has documentation of its own.
#[deny(missing_docs)]
pub mod documented {
    use ::onewrite::Record;

    /// A record.
    #[derive(Record)]
    pub struct Documented {
        /// Its field.
        pub field: u8,
    }

    /// An enum.
    #[derive(Record)]
    #[record(tag = u8)]
    pub enum DocumentedEnum {
        /// Its variant.
        #[record(tag = 1)]
        Variant {
            /// The field.
            field: u8,
        },
    }

    ::onewrite::http::response! {
        /// A response.
        pub static RESPONSE = 200, { "x-a": [hole(out, 1), "b"] }, b"body", etag = "v1"
    }
    ::onewrite::http::routes! {
        /// A site.
        pub static SITE = { "/" => RESPONSE }, not_found = RESPONSE, output = 100
    }
}

pub(super) mod visible {
    use ::onewrite::Record;

    #[derive(Record)]
    pub(crate) struct InCrate {
        pub(crate) a: u8,
    }
    #[derive(Record)]
    pub(super) struct InParent {
        pub(super) a: InCrate,
    }
    #[derive(Record)]
    struct Private {
        a: InParent,
    }
    #[derive(Record)]
    #[record(tag = u8)]
    pub(in super::super) enum Path {
        #[record(tag = 0)]
        A,
    }
    const _: [u8; 1] = Private { a: InParent { a: InCrate { a: 0 } } }.to_bytes();
}

/// The traits are in scope under other names, and so is nothing else of the library.
pub mod values {
    use super::*;
    use ::onewrite::bsatn::{Decode as D, Encode as E};

    pub struct Encode;
    pub struct Decode;
    pub struct Output;
    pub struct Reader;
    pub struct str;

    /// core-09, core-10, core-11 for products.
    #[derive(E, D)]
    pub struct r#struct<'de, 'a, T, O, const N: ::core::primitive::usize> {
        pub out: u8,
        pub bytes: &'a [u8],
        pub reader: bool,
        pub r#type: u16,
        pub item: T,
        pub items: [O; N],
        pub value: r#enum,
        pub len: i64,
        pub marker: ::core::marker::PhantomData<&'de Option>,
    }

    /// core-09 for sums.
    #[derive(E, D)]
    pub enum r#enum {
        r#fn,
        r#loop,
    }

    #[derive(E, D)]
    pub enum Tagged {
        Ok { out: u8, tag: bool },
        Err(u8, r#enum),
        None,
    }

    #[derive(E, D)]
    pub struct Unit;

    #[derive(E, D)]
    pub enum Never {}

    /// All numbers: this one has a const `to_bytes`.
    #[derive(E, D)]
    pub struct Numbers {
        pub out: u8,
        pub bytes: f32,
        pub at: bool,
    }
}
