//! Derive macros of the onewrite serializer.
//!
//! Use them through the `onewrite` crate, which re-exports them.

mod attributes;
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
