//! Structs and enums: their consts, their checks, and how a value is written and read.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};
use syn::{Expr, Member};

use super::Context;
use super::layout::offset;
use crate::attributes::{Endian, Padding, plain};
use crate::input::{Field, Shape, Tag, Variant};

impl Shape {
    /// All fields of all variants.
    pub(super) fn fields(&self) -> Box<dyn Iterator<Item = &Field> + '_> {
        match self {
            Self::Struct { fields, .. } => Box::new(fields.iter()),
            Self::Enum { variants, .. } => {
                Box::new(variants.iter().flat_map(|variant| &variant.fields))
            }
        }
    }
}

/// The const that holds the parts of variant `index`.
fn parts_of(index: usize) -> Ident {
    format_ident!("__ONEWRITE_PARTS_{index}")
}

impl Context<'_> {
    /// The inherent consts: size, offsets and the parts of the layout.
    pub(super) fn consts(&self) -> TokenStream {
        let (p, visibility) = (&self.private, &self.input.visibility);
        let (layout, ends) = match &self.input.shape {
            Shape::Struct { fields, padding, .. } => {
                let offsets = self.offsets(fields, None, quote!(0));
                let parts = self.parts(fields, None);
                let padding = padding.iter().map(|padding| self.padding(padding));
                let layout = quote! {
                    #offsets
                    const __ONEWRITE_PARTS_0: &'static [#p::Part] = &[#parts];
                    const __ONEWRITE_PADDING: &'static [#p::Part] = &[#(#padding)*];
                };
                let ends = quote! {
                    #p::Part { name: "", at: 0, len: #p::end_of(Self::__ONEWRITE_PARTS_0) },
                    #p::Part { name: "", at: 0, len: #p::end_of(Self::__ONEWRITE_PADDING) },
                };
                (layout, ends)
            }
            Shape::Enum { tag, tag_at, variants, .. } => {
                self.enum_consts(tag, tag_at.as_ref(), variants)
            }
        };
        let size = self
            .input
            .size
            .as_ref()
            .map_or_else(|| quote!(#p::end_of(&[#ends])), |size| quote!(#size));
        quote! {
            /// Bytes of the encoding.
            #visibility const SIZE: #p::usize = #size;

            #layout
        }
    }

    fn enum_consts(
        &self,
        tag: &Ident,
        tag_at: Option<&Expr>,
        variants: &[Variant],
    ) -> (TokenStream, TokenStream) {
        let (p, visibility) = (&self.private, &self.input.visibility);
        let tag_at = tag_at.map_or_else(|| quote!(0), |at| quote!(#at));
        let tag_size = tag_bytes(tag);
        let mut layout = quote! {
            /// Where the bytes of the tag start.
            #visibility const OFFSET_TAG: #p::usize = #tag_at;
        };
        let mut ends = TokenStream::new();
        for (index, variant) in variants.iter().enumerate() {
            let next = quote!(#p::after(Self::OFFSET_TAG, #tag_size));
            layout.extend(self.offsets(&variant.fields, Some(variant), next));
            let (name, parts) = (parts_of(index), self.parts(&variant.fields, Some(variant)));
            layout.extend(quote! {
                const #name: &'static [#p::Part] = &[
                    #p::Part { name: "tag", at: Self::OFFSET_TAG, len: #tag_size },
                    #parts
                ];
            });
            ends.extend(quote!(#p::Part { name: "", at: 0, len: #p::end_of(Self::#name) },));
        }
        (layout, ends)
    }

    fn padding(&self, padding: &Padding) -> TokenStream {
        let p = &self.private;
        let (name, start, end) = (plain(&padding.name), &padding.start, &padding.end);
        quote!(#p::Part { name: #name, at: #start, len: #p::distance(#start, #end) },)
    }

    /// Consts that stop the build for a layout that does not hold; `own` is the type.
    pub(super) fn checks(&self, own: &TokenStream) -> TokenStream {
        let p = &self.private;
        let records = self.record_checks(self.input.shape.fields());
        let calls = match &self.input.shape {
            Shape::Struct { gaps, .. } => quote! {
                #p::check(#own::__ONEWRITE_PARTS_0, #own::__ONEWRITE_PADDING, #own::SIZE, #gaps);
            },
            Shape::Enum { variants, .. } => {
                let parts = (0..variants.len()).map(parts_of);
                quote!(#(#p::check(#own::#parts, &[], #own::SIZE, true);)*)
            }
        };
        let tags = match &self.input.shape {
            Shape::Enum { tag, variants, .. } => self.distinct_tags(tag, variants),
            Shape::Struct { .. } => TokenStream::new(),
        };
        if self.input.generic {
            quote!(#tags #calls)
        } else {
            quote!(#records #tags const _: () = { #calls };)
        }
    }

    /// Statements that write `self` to `__onewrite_out`, whose unused bytes are zero already.
    pub(super) fn write(&self) -> TokenStream {
        match &self.input.shape {
            Shape::Struct { fields, .. } => {
                let puts = fields.iter().map(|field| {
                    let member = &field.member;
                    self.put(field, &quote!(self.#member), &offset(field, None))
                });
                quote!(#(#puts)*)
            }
            Shape::Enum { tag, variants, .. } => self.write_enum(tag, variants),
        }
    }

    fn write_enum(&self, tag: &Ident, variants: &[Variant]) -> TokenStream {
        let p = &self.private;
        let plain = variants.iter().all(|variant| variant.fields.is_empty());
        let arms = variants.iter().map(|variant| {
            let name = &variant.name;
            let members = variant.fields.iter().map(|field| &field.member);
            let bound: Vec<_> = (0..variant.fields.len()).map(bound).collect();
            let (pattern, value) = match &variant.tag {
                Tag::Is(value) => (quote!(#(#members: #bound,)*), quote!(#value)),
                Tag::Other(member) => (
                    quote!(#member: __onewrite_tag, #(#members: #bound,)*),
                    quote!(*__onewrite_tag),
                ),
            };
            if plain {
                return quote!(Self::#name { #pattern } => #value,);
            }
            let put_tag = self.put_tag(tag, &value);
            let puts = variant.fields.iter().zip(&bound).map(|(field, bound)| {
                self.put(field, &quote!((*#bound)), &offset(field, Some(variant)))
            });
            quote!(Self::#name { #pattern } => { #put_tag #(#puts)* })
        });
        if plain {
            // One store behind a match of numbers, which is often no code at all.
            let put_tag = self.put_tag(tag, &quote!(__onewrite_tag));
            quote! {
                let __onewrite_tag: #p::#tag = match self { #(#arms)* };
                #put_tag
            }
        } else {
            quote!(match self { #(#arms)* })
        }
    }

    fn put_tag(&self, tag: &Ident, value: &TokenStream) -> TokenStream {
        let p = &self.private;
        let to_bytes = match self.input.endian {
            Endian::Little => quote!(to_le_bytes),
            Endian::Big => quote!(to_be_bytes),
        };
        quote! {
            if let #p::Some(__onewrite_slot) = #p::slot_mut(__onewrite_out, Self::OFFSET_TAG) {
                *__onewrite_slot = <#p::#tag>::#to_bytes(#value);
            }
        }
    }

    /// The value of the record `__onewrite_bytes` as a `Result`.
    pub(super) fn read(&self, len: &TokenStream) -> TokenStream {
        let p = &self.private;
        match &self.input.shape {
            Shape::Struct { fields, .. } => {
                let stray = self.refuse_stray(0, len, &quote!(bad_padding));
                let gets = fields.iter().map(|field| {
                    let (member, get) = (&field.member, self.get(field, &offset(field, None)));
                    quote!(#member: #get,)
                });
                quote! {
                    #stray
                    #p::Ok(Self { #(#gets)* })
                }
            }
            Shape::Enum { tag, variants, .. } => self.read_enum(tag, variants, len),
        }
    }

    fn read_enum(&self, tag: &Ident, variants: &[Variant], len: &TokenStream) -> TokenStream {
        let p = &self.private;
        let mut consts = TokenStream::new();
        let mut arms = TokenStream::new();
        let name = plain(&self.input.name);
        let mut last = quote! {
            _ => #p::Err(#p::unknown_discriminant(
                Self::OFFSET_TAG,
                #name,
                #p::widen(<#p::#tag>::to_le_bytes(__onewrite_tag)),
            )),
        };
        for (index, variant) in variants.iter().enumerate() {
            let name = &variant.name;
            let stray = self.refuse_stray(index, len, &quote!(unused_not_zero));
            let gets = variant.fields.iter().map(|field| {
                let get = self.get(field, &offset(field, Some(variant)));
                let member: &Member = &field.member;
                quote!(#member: #get,)
            });
            match &variant.tag {
                Tag::Is(value) => {
                    let tag_name = format_ident!("__ONEWRITE_TAG_{index}");
                    consts.extend(quote!(const #tag_name: #p::#tag = #value;));
                    arms.extend(quote!(#tag_name => { #stray #p::Ok(Self::#name { #(#gets)* }) }));
                }
                Tag::Other(member) => {
                    last = quote! {
                        _ => {
                            #stray
                            #p::Ok(Self::#name { #member: __onewrite_tag, #(#gets)* })
                        }
                    };
                }
            }
        }
        let from_bytes = match self.input.endian {
            Endian::Little => quote!(from_le_bytes),
            Endian::Big => quote!(from_be_bytes),
        };
        quote! {
            #consts
            let __onewrite_tag: #p::#tag =
                <#p::#tag>::#from_bytes(#p::load(__onewrite_bytes, Self::OFFSET_TAG));
            match __onewrite_tag { #arms #last }
        }
    }

    /// Statements that return an error where a byte that no part has is not zero.
    fn refuse_stray(&self, index: usize, len: &TokenStream, error: &TokenStream) -> TokenStream {
        if self.input.lenient || !self.has_unused() {
            return TokenStream::new();
        }
        let (p, own, parts) = (&self.private, &self.own, parts_of(index));
        let stray = if self.input.generic {
            quote!(#p::stray_outside(__onewrite_bytes, Self::#parts))
        } else {
            quote!(#p::stray(
                __onewrite_bytes,
                &const { #p::unused::<#len>(#own::#parts) },
                &const { #p::gaps::<{ #own::#parts.len() + 1 }>(#own::#parts, #own::SIZE) },
            ))
        };
        quote! {
            if let #p::Some(__onewrite_at) = #stray {
                return #p::Err(#p::#error(__onewrite_at));
            }
        }
    }
}

/// The name that a variant's field is bound to.
fn bound(index: usize) -> Ident {
    format_ident!("__onewrite_field_{index}")
}

/// Bytes of the tag.
pub(super) fn tag_bytes(tag: &Ident) -> usize {
    match tag.to_string().trim_start_matches(['u', 'i']) {
        "16" => 2,
        "32" => 4,
        "64" => 8,
        _ => 1,
    }
}
