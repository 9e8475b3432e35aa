//! The stores and loads of one field.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::Context;
use crate::attributes::Endian;
use crate::input::Field;
use crate::wire::{Kind, Wire, literal};

/// Arrays of records up to this length are read item by item, so that items need not be `Copy`.
const UNROLLED: u128 = 16;

impl Context<'_> {
    /// Stores `place` in the record `__onewrite_out`.
    pub(super) fn put(&self, field: &Field, place: &TokenStream, offset: &Ident) -> TokenStream {
        let p = &self.private;
        if matches!(field.wire.kind, Kind::Phantom) {
            return TokenStream::new();
        }
        if self.input.generic {
            let (ty, order) = (&field.wire.ty, self.order(field.endian));
            return quote! {
                <#ty as #p::Field>::put(
                    &#place,
                    #order,
                    #p::tail_mut(__onewrite_out, Self::#offset),
                );
            };
        }
        let size = self.size_of(&field.wire);
        let store = self.store(&field.wire, field.endian, place);
        quote! {
            if let #p::Some(__onewrite_slot) =
                #p::slot_mut::<{ #size }>(__onewrite_out, Self::#offset)
            {
                #store
            }
        }
    }

    /// Stores `place` in `__onewrite_slot`, an array of just its size.
    fn store(&self, wire: &Wire, endian: Endian, place: &TokenStream) -> TokenStream {
        let (p, ty) = (&self.private, &wire.ty);
        match &wire.kind {
            Kind::Number { .. } => match endian {
                Endian::Little => quote!(*__onewrite_slot = <#ty>::to_le_bytes(#place);),
                Endian::Big => quote!(*__onewrite_slot = <#ty>::to_be_bytes(#place);),
            },
            Kind::Bool => quote!(*__onewrite_slot = #p::bool_to(#place);),
            Kind::Bytes { .. } => quote!(*__onewrite_slot = #place;),
            Kind::Phantom => TokenStream::new(),
            Kind::Nested => quote!(<#ty>::write_at(&#place, __onewrite_slot);),
            Kind::Array { item, .. } => {
                let (item_ty, size) = (&item.ty, self.size_of(item));
                let store = self.store(item, endian, &quote!((*__onewrite_item)));
                // Both ends are counted down together: no index, so nothing can be out of bounds.
                quote! {{
                    let mut __onewrite_items: &[#item_ty] = &#place;
                    let mut __onewrite_tail: &mut [#p::u8] = __onewrite_slot;
                    while let #p::Some((__onewrite_item, __onewrite_rest)) =
                        __onewrite_items.split_first()
                    {
                        let __onewrite_here = __onewrite_tail;
                        if let #p::Some((__onewrite_slot, __onewrite_after)) =
                            __onewrite_here.split_first_chunk_mut::<{ #size }>()
                        {
                            #store
                            __onewrite_tail = __onewrite_after;
                        } else {
                            break;
                        }
                        __onewrite_items = __onewrite_rest;
                    }
                }}
            }
        }
    }

    /// The value of a field of the record `__onewrite_bytes`, or a return of its error.
    pub(super) fn get(&self, field: &Field, offset: &Ident) -> TokenStream {
        let p = &self.private;
        if self.input.generic {
            let (ty, order) = (&field.wire.ty, self.order(field.endian));
            let tail = quote!(#p::tail(__onewrite_bytes, Self::#offset));
            return self.or_return(
                &quote!(<#ty as #p::Field>::get(#order, #tail)),
                &quote!(Self::#offset),
            );
        }
        self.load(&field.wire, field.endian, &quote!(Self::#offset))
    }

    fn load(&self, wire: &Wire, endian: Endian, at: &TokenStream) -> TokenStream {
        let (p, ty) = (&self.private, &wire.ty);
        match &wire.kind {
            Kind::Number { .. } => match endian {
                Endian::Little => quote!(<#ty>::from_le_bytes(#p::load(__onewrite_bytes, #at))),
                Endian::Big => quote!(<#ty>::from_be_bytes(#p::load(__onewrite_bytes, #at))),
            },
            Kind::Bool => {
                self.or_return(&quote!(#p::bool_from(#p::load(__onewrite_bytes, #at))), at)
            }
            Kind::Bytes { .. } => quote!(#p::load(__onewrite_bytes, #at)),
            Kind::Phantom => quote!(#p::PhantomData),
            Kind::Nested => {
                self.or_return(&quote!(<#ty>::from_bytes(#p::slot(__onewrite_bytes, #at))), at)
            }
            Kind::Array { item, len } => self.load_array(item, len, endian, at),
        }
    }

    fn load_array(
        &self,
        item: &Wire,
        len: &syn::Expr,
        endian: Endian,
        at: &TokenStream,
    ) -> TokenStream {
        let (p, ty, size) = (&self.private, &item.ty, self.size_of(item));
        if item.record().is_some()
            && let Some(len) = literal(len)
            && len <= UNROLLED
        {
            let items = (0..len).map(|index| {
                let index = proc_macro2::Literal::u128_unsuffixed(index);
                self.load(item, endian, &quote!(#p::after(#at, #index * #size)))
            });
            return quote!([#(#items),*]);
        }
        let load = self.load(item, endian, &quote!(__onewrite_at));
        let first = match zero(item) {
            Some(zero) => zero,
            None => quote! {{
                const _: () = #p::not_empty(#len);
                let __onewrite_at = #at;
                #load
            }},
        };
        quote! {{
            let mut __onewrite_items: [#ty; #len] = [#first; #len];
            let mut __onewrite_rest: &mut [#ty] = &mut __onewrite_items;
            let mut __onewrite_at = #at;
            while let #p::Some((__onewrite_item, __onewrite_later)) =
                { __onewrite_rest }.split_first_mut()
            {
                *__onewrite_item = #load;
                __onewrite_at = __onewrite_at.wrapping_add(#size);
                __onewrite_rest = __onewrite_later;
            }
            __onewrite_items
        }}
    }

    fn or_return(&self, result: &TokenStream, at: &TokenStream) -> TokenStream {
        let p = &self.private;
        quote! {
            match #result {
                #p::Ok(__onewrite_value) => __onewrite_value,
                #p::Err(__onewrite_error) => {
                    return #p::Err(#p::DecodeError::shifted(__onewrite_error, #at));
                }
            }
        }
    }

    pub(super) fn order(&self, endian: Endian) -> TokenStream {
        let p = &self.private;
        match endian {
            Endian::Little => quote!(#p::Endian::Little),
            Endian::Big => quote!(#p::Endian::Big),
        }
    }
}

/// A value to fill an array with before its items are read; records have none.
fn zero(wire: &Wire) -> Option<TokenStream> {
    Some(match &wire.kind {
        Kind::Number { float: true, .. } => quote!(0.0),
        Kind::Number { float: false, .. } => quote!(0),
        Kind::Bool => quote!(false),
        Kind::Bytes { len } => quote!([0; #len]),
        Kind::Array { item, len } => {
            let zero = zero(item)?;
            quote!([#zero; #len])
        }
        Kind::Phantom => return None,
        Kind::Nested => return None,
    })
}
