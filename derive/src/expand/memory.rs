//! How a value lies in memory, for the compiler to compare with the layout.

use proc_macro2::TokenStream;
use quote::quote;

use super::Context;
use super::layout::offset;
use super::shape::tag_bytes;
use crate::attributes::Endian;
use crate::input::{Field, Shape};
use crate::wire::{Kind, Wire};

impl Context<'_> {
    /// The comparison, as an expression; of a record of concrete size.
    pub(super) fn memory(&self) -> TokenStream {
        let p = &self.private;
        let places = match &self.input.shape {
            Shape::Struct { fields, .. } => {
                let places = fields.iter().map(|field| self.place(field));
                quote!(#(#places)*)
            }
            Shape::Enum { tag, plain: true, .. } => {
                let size = tag_bytes(tag);
                let value = self.number(self.input.endian, size);
                quote! {
                    #p::Place {
                        part: #p::Part { name: "tag", at: Self::OFFSET_TAG, len: #size },
                        memory: 0,
                        value: #value,
                    },
                }
            }
            Shape::Enum { .. } => {
                let why = "is an enum that has more than a number by `= N` for each variant, \
                           of the integer in its `repr`";
                return quote!(#p::Memory::unlike(#why));
            }
        };
        quote!(#p::Memory::of(Self::SIZE, #p::size_of::<Self>(), &[#places]))
    }

    fn place(&self, field: &Field) -> TokenStream {
        let (p, member, name) = (&self.private, &field.member, field.name());
        let (at, size) = (offset(field, None), self.size_of(&field.wire));
        let value = self.value(&field.wire, field.endian, field.is_alias);
        quote! {
            #p::Place {
                part: #p::Part { name: #name, at: Self::#at, len: #size },
                memory: #p::offset_of!(Self, #member),
                value: #value,
            },
        }
    }

    fn value(&self, wire: &Wire, endian: Endian, is_alias: bool) -> TokenStream {
        let (p, ty) = (&self.private, &wire.ty);
        match &wire.kind {
            // These are borrowed to be written, which also takes what only derefs to them.
            Kind::Array { .. } | Kind::Nested if is_alias => {
                quote!(#p::Memory::unlike("has `as`, so its type may be another one"))
            }
            Kind::Number { bytes, .. } => self.number(endian, *bytes),
            Kind::Bool | Kind::Bytes { .. } | Kind::Phantom => quote!(#p::Memory::BYTES),
            Kind::Array { item, .. } => self.value(item, endian, false),
            Kind::Nested => quote!(<#ty as #p::Record>::MEMORY),
        }
    }

    fn number(&self, endian: Endian, bytes: usize) -> TokenStream {
        let (p, order) = (&self.private, self.order(endian));
        quote!(#p::Memory::number(#order, #bytes))
    }
}
