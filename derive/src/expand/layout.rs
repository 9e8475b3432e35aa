//! Sizes, offsets and the parts that the compiler checks.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::Context;
use crate::input::{Field, Tag, Variant};
use crate::wire::{Kind, Wire, without_lifetimes};

impl Context<'_> {
    /// Bytes that a field takes, as an expression.
    pub(super) fn size_of(&self, wire: &Wire) -> TokenStream {
        let p = &self.private;
        if self.input.generic {
            let ty = &wire.ty;
            return quote!(<#ty as #p::Bounded>::MAX_SIZE);
        }
        match &wire.kind {
            Kind::Number { bytes, .. } => quote!(#bytes),
            Kind::Bool => quote!(1),
            Kind::Bytes { len } => quote!((#len)),
            Kind::Array { item, len } => {
                let item = self.size_of(item);
                quote!((#len) * #item)
            }
            Kind::Phantom => quote!(0),
            Kind::Nested => {
                let ty = without_lifetimes(&wire.ty);
                quote!(<#ty>::SIZE)
            }
        }
    }

    /// One offset const for each field; a field without `at` follows the one before it.
    pub(super) fn offsets(
        &self,
        fields: &[Field],
        variant: Option<&Variant>,
        mut next: TokenStream,
    ) -> TokenStream {
        let (p, visibility) = (&self.private, &self.input.visibility);
        let mut consts = TokenStream::new();
        for field in fields {
            let name = offset(field, variant);
            let at = field.at.as_ref().map_or(next, |at| quote!(#at));
            let doc = format!(" Where the bytes of `{}` start.", label(field, variant));
            consts.extend(quote! {
                #[doc = #doc]
                #visibility const #name: #p::usize = #at;
            });
            let size = self.size_of(&field.wire);
            next = quote!(#p::after(Self::#name, #size));
        }
        consts
    }

    /// The parts of a layout, one per field.
    pub(super) fn parts(&self, fields: &[Field], variant: Option<&Variant>) -> TokenStream {
        let p = &self.private;
        let parts = fields.iter().map(|field| {
            let (name, at) = (label(field, variant), offset(field, variant));
            let size = self.size_of(&field.wire);
            quote!(#p::Part { name: #name, at: Self::#at, len: #size },)
        });
        quote!(#(#parts)*)
    }

    /// Stops the build for a type that is no record, where a record is needed.
    pub(super) fn record_checks<'a>(&self, fields: impl Iterator<Item = &'a Field>) -> TokenStream {
        let p = &self.private;
        if self.input.generic {
            return TokenStream::new();
        }
        let checks = fields.filter_map(|field| field.wire.record()).map(|ty| {
            let ty = without_lifetimes(ty);
            quote!(const _: () = #p::is_record::<#ty>();)
        });
        quote!(#(#checks)*)
    }

    /// Stops the build where two variants have the same number.
    pub(super) fn distinct_tags(&self, tag: &Ident, variants: &[Variant]) -> TokenStream {
        let p = &self.private;
        let tags = variants.iter().filter_map(|variant| match &variant.tag {
            Tag::Is(value) => {
                let name = crate::attributes::plain(&variant.name);
                Some(quote! {
                    (#name, {
                        const __ONEWRITE_TAG: #p::#tag = #value;
                        __ONEWRITE_TAG as #p::i128
                    }),
                })
            }
            Tag::Other(_) => None,
        });
        quote!(const _: () = #p::distinct(&[#(#tags)*]);)
    }
}

/// The name of a field in messages.
fn label(field: &Field, variant: Option<&Variant>) -> String {
    match variant {
        Some(variant) => format!("{}.{}", crate::attributes::plain(&variant.name), field.name()),
        None => field.name(),
    }
}

/// The name of a field's offset const.
pub(super) fn offset(field: &Field, variant: Option<&Variant>) -> Ident {
    let name = field.name().to_uppercase();
    match variant {
        Some(variant) => {
            let variant = screaming(&crate::attributes::plain(&variant.name));
            format_ident!("OFFSET_{variant}_{name}")
        }
        None => format_ident!("OFFSET_{name}"),
    }
}

/// `ReferenceCapture` as `REFERENCE_CAPTURE`.
fn screaming(camel: &str) -> String {
    let mut name = String::new();
    let mut after_lower = false;
    for char in camel.chars() {
        if char.is_uppercase() && after_lower {
            name.push('_');
        }
        after_lower = char.is_lowercase() || char.is_numeric();
        name.extend(char.to_uppercase());
    }
    name
}
