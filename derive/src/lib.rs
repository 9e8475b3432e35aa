//! Derive macros of the onewrite serializer.
//!
//! Use them through the `onewrite` crate, which re-exports them.

mod attributes;
mod bsatn;
mod expand;
mod input;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a panic is how a test fails")]
mod snapshots;
mod wire;

use proc_macro::TokenStream;
use syn::{DeriveInput, parse_macro_input};

#[doc = include_str!("record.md")]
#[proc_macro_derive(Record, attributes(record))]
pub fn derive_record(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    input::Input::parse(&input)
        .map_or_else(syn::Error::into_compile_error, |input| expand::record(&input))
        .into()
}

#[doc = include_str!("encode.md")]
#[proc_macro_derive(Encode, attributes(bsatn))]
pub fn derive_encode(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    bsatn::Input::parse(&input)
        .map_or_else(syn::Error::into_compile_error, |input| bsatn::encode(&input))
        .into()
}

/// Reads a struct as a product and an enum as a sum; the mirror of [`Encode`](macro@Encode).
///
/// Strings and arrays of bytes borrow the input. A type with lifetimes is read from any input that
/// lives as long as all of them. Fields without a type of their own size (`PhantomData`) are made.
#[proc_macro_derive(Decode, attributes(bsatn))]
pub fn derive_decode(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    bsatn::Input::parse(&input)
        .map_or_else(syn::Error::into_compile_error, |input| bsatn::decode(&input))
        .into()
}
