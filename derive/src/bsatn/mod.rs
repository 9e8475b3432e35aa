//! The output of `#[derive(Encode)]` and `#[derive(Decode)]`.
//!
//! As that of `Record` it names everything through a path of the library, calls no macro and binds
//! only names that start with `__onewrite`.

mod decode;
mod encode;
mod input;

pub(crate) use decode::decode;
pub(crate) use encode::encode;
pub(crate) use input::Input;

use core::mem;

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use input::{Field, Kind, Shape, Variant};

/// Neighbouring fields that are written, or read, together.
struct Run<'a> {
    fields: Vec<(usize, &'a Field)>,
    /// Bytes of a tag in front.
    tag: bool,
    /// A string whose length is in the run and whose bytes follow it.
    string: Option<(usize, &'a Field)>,
}

/// A part of a product: a run, or a field that goes its own way.
enum Part<'a> {
    Run(Run<'a>),
    Single(usize, &'a Field),
}

impl Run<'_> {
    fn empty() -> Self {
        Self { fields: Vec::new(), tag: false, string: None }
    }

    /// Sizes of the parts of the run, in order.
    fn sizes(&self) -> Vec<usize> {
        let tag = self.tag.then_some(1);
        let fields = self.fields.iter().map(|(_, field)| field.kind.size());
        tag.into_iter().chain(fields).chain(self.string.map(|_| 4)).collect()
    }

    fn len(&self) -> usize {
        self.sizes().iter().sum()
    }
}

/// The fields, as they go together.
fn parts(fields: &[Field], tag: bool) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut run = Run { tag, ..Run::empty() };
    for (index, field) in fields.iter().enumerate() {
        match field.kind {
            Kind::Number { .. } | Kind::Bool => run.fields.push((index, field)),
            Kind::Str | Kind::Bytes => {
                run.string = Some((index, field));
                parts.push(Part::Run(mem::replace(&mut run, Run::empty())));
            }
            Kind::Phantom => {}
            Kind::Other => {
                if run.len() != 0 {
                    parts.push(Part::Run(mem::replace(&mut run, Run::empty())));
                }
                parts.push(Part::Single(index, field));
            }
        }
    }
    if run.len() != 0 {
        parts.push(Part::Run(run));
    }
    parts
}

/// The name that field `index` is bound to.
fn bound(index: usize) -> Ident {
    format_ident!("__onewrite_field_{index}")
}

/// Lints that would speak about the output and not about what the user wrote.
fn allow() -> TokenStream {
    quote! {
        #[automatically_derived]
        #[allow(
            dead_code,
            deprecated,
            unreachable_code,
            unreachable_patterns,
            unreachable_pub,
            unused_qualifications,
            unused_variables,
            clippy::all,
            clippy::pedantic,
            clippy::restriction
        )]
    }
}

impl Input {
    /// A size of the type from those of its fields: `of` gives a field's, in tokens.
    fn size(
        &self,
        p: &TokenStream,
        smallest: bool,
        of: &dyn Fn(&Field) -> TokenStream,
    ) -> TokenStream {
        match &self.shape {
            Shape::Product(fields) => {
                let sizes = fields.iter().map(of);
                quote!(#p::sum(&[#(#sizes),*]))
            }
            Shape::Sum(variants) => {
                let choose = if smallest { quote!(smallest) } else { quote!(largest) };
                let sizes = variants.iter().map(|variant| {
                    let sizes = variant.fields.iter().map(of);
                    quote!(#p::sum(&[#(#sizes),*]))
                });
                quote!(#p::add(1, #p::#choose(&[#(#sizes),*])))
            }
        }
    }

    /// Whether no variant has a payload.
    fn is_plain_sum(variants: &[Variant]) -> bool {
        !variants.is_empty() && variants.iter().all(|variant| variant.fields.is_empty())
    }
}
