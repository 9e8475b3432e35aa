//! The output of `#[derive(Record)]`.
//!
//! It names everything through `__private`, the one macro that it calls as well, and binds only names
//! that start with `__onewrite`, so nothing that a user's module shadows can reach it.

mod codec;
mod layout;
mod memory;
mod shape;

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Generics, Lifetime};

use crate::input::{Input, Shape};
use crate::wire::{Kind, literal, names_parameter};

/// What every part of the output needs.
struct Context<'a> {
    input: &'a Input,
    /// Path of the names that the output uses.
    private: TokenStream,
    /// The type as it can stand in a const of its own.
    own: TokenStream,
    generics: Generics,
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

pub(crate) fn record(input: &Input) -> TokenStream {
    let context = Context::new(input);
    if context.input.generic { context.in_trait() } else { context.in_const() }
}

impl<'a> Context<'a> {
    fn new(input: &'a Input) -> Self {
        let krate = &input.krate;
        let name = &input.name;
        let lifetimes = input
            .generics
            .lifetimes()
            .map(|lifetime| Lifetime::new("'static", lifetime.lifetime.span()));
        let own = if input.generics.params.is_empty() {
            quote!(#name)
        } else {
            quote!(<#name<#(#lifetimes),*>>)
        };
        let mut this = Self {
            input,
            private: quote!(#krate::__private),
            own,
            generics: input.generics.clone(),
        };
        this.bound_fields();
        this
    }

    /// Bounds for the types of fields that name a type parameter.
    fn bound_fields(&mut self) {
        let p = &self.private;
        let mut bounds = Vec::new();
        for field in self.input.shape.fields() {
            let ty = &field.wire.ty;
            if !matches!(field.wire.kind, Kind::Phantom) && names_parameter(ty, &self.generics) {
                bounds.push(syn::parse_quote!(#ty: #p::Field));
            }
        }
        if !bounds.is_empty() {
            self.generics.make_where_clause().predicates.extend::<Vec<syn::WherePredicate>>(bounds);
        }
    }

    /// Length of the array, where it is known.
    fn len(&self) -> TokenStream {
        match &self.input.size {
            Some(size) if literal(size).is_some() => quote!(#size),
            Some(size) if self.input.parameters => quote!({ #size }),
            _ => {
                let own = &self.own;
                quote!({ #own::SIZE })
            }
        }
    }

    /// A record of concrete size: inherent const fns, and the trait forwards to them.
    fn in_const(&self) -> TokenStream {
        let (p, own, len, allow) = (&self.private, &self.own, self.len(), allow());
        let (name, visibility) = (&self.input.name, &self.input.visibility);
        let (impl_generics, type_generics, where_clause) = self.generics.split_for_impl();
        let (consts, checks) = (self.consts(), self.checks(own));
        let (write, read) = (self.write(), self.read(&len));
        let memory = self.memory();
        let clear = self.has_unused().then(|| quote!(*__onewrite_out = [0; #len];));
        quote! {
            #checks

            #allow
            impl #impl_generics #name #type_generics #where_clause {
                #consts

                /// The record's bytes.
                #[inline(always)]
                #[must_use]
                #visibility const fn to_bytes(&self) -> [#p::u8; #len] {
                    let mut __onewrite_bytes = [0; #len];
                    Self::write_at(self, &mut __onewrite_bytes);
                    __onewrite_bytes
                }

                /// Overwrites all of the bytes with the record, padding included.
                #[inline(always)]
                #visibility const fn write_at(&self, __onewrite_out: &mut [#p::u8; #len]) {
                    #clear
                    #write
                }

                /// The record that the bytes encode.
                ///
                /// # Errors
                ///
                /// What the field at the error's offset did wrong.
                #[inline]
                #visibility const fn from_bytes(
                    __onewrite_bytes: &[#p::u8; #len],
                ) -> #p::Result<Self, #p::DecodeError> {
                    #read
                }
            }

            #allow
            impl #impl_generics #p::Record for #name #type_generics #where_clause {
                const MEMORY: #p::Memory = #memory;

                type Bytes = [#p::u8; #len];

                #[inline(always)]
                fn to_bytes(&self) -> [#p::u8; #len] {
                    Self::to_bytes(self)
                }

                #[inline(always)]
                fn write_at(&self, __onewrite_out: &mut [#p::u8; #len]) {
                    Self::write_at(self, __onewrite_out);
                }

                #[inline]
                fn from_bytes(
                    __onewrite_bytes: &[#p::u8; #len],
                ) -> #p::Result<Self, #p::DecodeError> {
                    Self::from_bytes(__onewrite_bytes)
                }
            }
        }
    }

    /// A record whose size depends on parameters: only its consts are inherent.
    fn in_trait(&self) -> TokenStream {
        let (p, allow) = (&self.private, allow());
        let name = &self.input.name;
        let (impl_generics, type_generics, where_clause) = self.generics.split_for_impl();
        let (consts, checks) = (self.consts(), self.checks(&quote!(Self)));
        let (write, read) = (self.write(), self.read(&quote!(0)));
        let clear = self.has_unused().then(|| quote!(<[#p::u8]>::fill(__onewrite_out, 0);));
        let inherent = quote! {
            #allow
            impl #impl_generics #name #type_generics #where_clause {
                #consts

                /// Checked for each set of arguments that is used.
                const __ONEWRITE_CHECK: () = { #checks };
            }
        };
        let body = if self.input.size.is_some() || !self.input.parameters {
            let len = self.len();
            quote! {
                impl #impl_generics #p::Record for #name #type_generics #where_clause {
                    type Bytes = [#p::u8; #len];

                    #[inline]
                    fn write_at(&self, __onewrite_out: &mut [#p::u8; #len]) {
                        let () = Self::__ONEWRITE_CHECK;
                        let __onewrite_out: &mut [#p::u8] = __onewrite_out;
                        #clear
                        #write
                    }

                    #[inline]
                    fn from_bytes(
                        __onewrite_bytes: &[#p::u8; #len],
                    ) -> #p::Result<Self, #p::DecodeError> {
                        let () = Self::__ONEWRITE_CHECK;
                        let __onewrite_bytes: &[#p::u8] = __onewrite_bytes;
                        #read
                    }
                }
            }
        } else {
            quote! {
                impl #impl_generics #p::Bounded for #name #type_generics #where_clause {
                    const MIN_SIZE: #p::usize = Self::SIZE;
                    const MAX_SIZE: #p::usize = Self::SIZE;
                }

                #allow
                impl #impl_generics #p::Field for #name #type_generics #where_clause {
                    #[inline]
                    fn put(&self, _: #p::Endian, __onewrite_out: &mut [#p::u8]) {
                        let () = Self::__ONEWRITE_CHECK;
                        let #p::Some(__onewrite_out) = #p::prefix_mut(__onewrite_out, Self::SIZE)
                        else {
                            return;
                        };
                        #clear
                        #write
                    }

                    #[inline]
                    fn get(
                        _: #p::Endian,
                        __onewrite_bytes: &[#p::u8],
                    ) -> #p::Result<Self, #p::DecodeError> {
                        let () = Self::__ONEWRITE_CHECK;
                        let __onewrite_bytes = match #p::prefix(__onewrite_bytes, Self::SIZE) {
                            #p::Ok(__onewrite_bytes) => __onewrite_bytes,
                            #p::Err(__onewrite_error) => return #p::Err(__onewrite_error),
                        };
                        #read
                    }
                }
            }
        };
        quote! {
            #inherent

            #allow
            #body
        }
    }

    /// Whether some bytes belong to no field, at least of some variant.
    fn has_unused(&self) -> bool {
        match &self.input.shape {
            Shape::Struct { padding, gaps, .. } => *gaps || !padding.is_empty(),
            Shape::Enum { tag_at, variants, .. } => {
                self.input.size.is_some()
                    || tag_at.is_some()
                    || variants.iter().any(|variant| !variant.fields.is_empty())
            }
        }
    }
}
