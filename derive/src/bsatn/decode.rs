//! `impl Decode`.

use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use syn::{GenericParam, Lifetime, LifetimeParam};

use super::input::{Field, Input, Kind, Shape, Variant};
use super::{Part, Run, allow, bound, parts};
use crate::attributes::plain;
use crate::wire::names_parameter;

pub(crate) fn decode(input: &Input) -> TokenStream {
    let krate = &input.krate;
    let p = &quote!(#krate::bsatn::private);
    let (name, allow) = (&input.name, allow());
    let lifetime = Lifetime::new("'__onewrite", Span::call_site());
    let (_, type_generics, _) = input.generics.split_for_impl();
    let mut generics = input.generics.clone();
    // What is borrowed from the input lives no longer than it.
    let mut input_lifetime = LifetimeParam::new(lifetime.clone());
    input_lifetime.bounds =
        input.generics.lifetimes().map(|lifetime| lifetime.lifetime.clone()).collect();
    generics.params.insert(0, GenericParam::Lifetime(input_lifetime));
    for field in input.shape.fields() {
        let ty = &field.ty;
        if field.kind != Kind::Phantom && names_parameter(ty, &input.generics) {
            let bound = syn::parse_quote!(#ty: #p::Decode<#lifetime>);
            generics.make_where_clause().predicates.push(bound);
        }
    }
    let (impl_generics, _, where_clause) = generics.split_for_impl();
    let min = input.size(p, true, &|field| of_field(p, &lifetime, field, "MIN_SIZE"));
    let max = input.size(p, false, &|field| of_field(p, &lifetime, field, "MAX_SIZE"));
    let depths = input.shape.fields().map(|field| of_field(p, &lifetime, field, "DEPTH"));
    let all_valid = match &input.shape {
        Shape::Product(fields) => {
            let facts = fields.iter().map(|field| of_field(p, &lifetime, field, "ALL_VALID"));
            quote!(#p::all(&[#(#facts),*]))
        }
        Shape::Sum(_) => quote!(false),
    };
    let body = match &input.shape {
        Shape::Product(fields) => {
            let (takes, value) = take_parts(p, &lifetime, fields, &quote!(Self));
            quote!(#takes #p::Ok(#value))
        }
        Shape::Sum(variants) => take_sum(p, &lifetime, &plain(&input.name), variants),
    };
    quote! {
        #allow
        impl #impl_generics #p::Decode<#lifetime> for #name #type_generics #where_clause {
            const MIN_SIZE: #p::usize = #min;
            const MAX_SIZE: #p::usize = #max;
            const ALL_VALID: #p::bool = #all_valid;
            const DEPTH: #p::usize = #p::add(1, #p::largest(&[#(#depths),*]));

            #[inline]
            fn decode(
                __onewrite_reader: &mut #p::Reader<#lifetime>,
            ) -> #p::Result<Self, #p::DecodeError> {
                #body
            }
        }
    }
}

/// A const of a field's type.
fn of_field(p: &TokenStream, lifetime: &Lifetime, field: &Field, which: &str) -> TokenStream {
    match (which, field.kind) {
        ("MIN_SIZE" | "MAX_SIZE", Kind::Number { .. } | Kind::Bool | Kind::Phantom) => {
            let size = Literal::usize_unsuffixed(field.kind.size());
            quote!(#size)
        }
        ("DEPTH", Kind::Number { .. } | Kind::Bool | Kind::Phantom) => quote!(1),
        ("ALL_VALID", Kind::Number { .. } | Kind::Phantom) => quote!(true),
        ("ALL_VALID", Kind::Bool) => quote!(false),
        _ => {
            let (ty, which) = (&field.ty, syn::Ident::new(which, Span::call_site()));
            quote!(<#ty as #p::Decode<#lifetime>>::#which)
        }
    }
}

/// Statements that bind all fields, and the value made of them.
fn take_parts(
    p: &TokenStream,
    lifetime: &Lifetime,
    fields: &[Field],
    constructor: &TokenStream,
) -> (TokenStream, TokenStream) {
    let parts = parts(fields, false);
    let takes = parts.iter().map(|part| match part {
        Part::Run(run) => take_run(p, run),
        Part::Single(index, field) => {
            let (ty, bound) = (&field.ty, bound(*index));
            let value =
                or_return(p, &quote!(<#ty as #p::Decode<#lifetime>>::decode(__onewrite_reader)));
            quote!(let #bound: #ty = #value;)
        }
    });
    let takes = quote!(#(#takes)*);
    let values = fields.iter().enumerate().map(|(index, field)| {
        let (member, bound) = (&field.member, bound(index));
        match field.kind {
            Kind::Phantom => quote!(#member: #p::PhantomData),
            _ => quote!(#member: #bound),
        }
    });
    (takes, quote!(#constructor { #(#values),* }))
}

/// Statements that bind the fields of a run: one look at what is left, then loads.
fn take_run(p: &TokenStream, run: &Run<'_>) -> TokenStream {
    let total = run.len();
    let len = Literal::usize_unsuffixed(total);
    let sizes = run.sizes();
    let literals = sizes.iter().map(|size| Literal::usize_unsuffixed(*size));
    let mut statements = quote! {
        let __onewrite_run = match #p::Reader::array::<#len>(__onewrite_reader) {
            #p::Ok(__onewrite_run) => __onewrite_run,
            #p::Err(_) => return #p::Err(#p::cut(__onewrite_reader, &[#(#literals),*])),
        };
    };
    let mut at = 0;
    for (index, field) in &run.fields {
        let (bound, ty) = (bound(*index), &field.ty);
        let size = field.kind.size();
        let (from, width) = (Literal::usize_unsuffixed(at), Literal::usize_unsuffixed(size));
        let bytes = quote!(#p::get::<#from, #width, #len>(__onewrite_run));
        statements.extend(match field.kind {
            Kind::Bool => {
                let back = Literal::usize_unsuffixed(total - at);
                quote! {
                    let #bound: #ty = match #p::bool_from(#bytes) {
                        #p::Ok(__onewrite_value) => __onewrite_value,
                        #p::Err(__onewrite_error) => {
                            return #p::Err(#p::invalid_bool(
                                __onewrite_reader,
                                #back,
                                __onewrite_error,
                            ));
                        }
                    };
                }
            }
            _ => quote!(let #bound: #ty = <#ty>::from_le_bytes(#bytes);),
        });
        at += size;
    }
    if let Some((index, field)) = run.string {
        let (bound, ty) = (bound(index), &field.ty);
        let from = Literal::usize_unsuffixed(at);
        let count = quote!(#p::get::<#from, 4, #len>(__onewrite_run));
        let take = match field.kind {
            Kind::Str => quote!(#p::take_str(__onewrite_reader, #count)),
            _ => quote!(#p::take_bytes(__onewrite_reader, #count)),
        };
        let value = or_return(p, &take);
        statements.extend(quote!(let #bound: #ty = #value;));
    }
    statements
}

fn take_sum(p: &TokenStream, lifetime: &Lifetime, name: &str, variants: &[Variant]) -> TokenStream {
    let arms = variants.iter().enumerate().map(|(index, variant)| {
        let (name, tag) = (&variant.name, Literal::usize_unsuffixed(index));
        let (takes, value) = take_parts(p, lifetime, &variant.fields, &quote!(Self::#name));
        quote!(#tag => { #takes #p::Ok(#value) })
    });
    let tag = or_return(p, &quote!(#p::Reader::u8(__onewrite_reader)));
    quote! {
        let __onewrite_tag: #p::u8 = #tag;
        match __onewrite_tag {
            #(#arms)*
            _ => #p::Err(#p::unknown_tag(__onewrite_reader, #name, __onewrite_tag)),
        }
    }
}

fn or_return(p: &TokenStream, result: &TokenStream) -> TokenStream {
    quote! {
        match #result {
            #p::Ok(__onewrite_value) => __onewrite_value,
            #p::Err(__onewrite_error) => return #p::Err(__onewrite_error),
        }
    }
}
