//! `impl Encode`.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::input::{Field, Input, Kind, Shape, Variant};
use super::{Part, Run, allow, bound, parts};
use crate::wire::{names_parameter, without_lifetimes};

pub(crate) fn encode(input: &Input) -> TokenStream {
    let krate = &input.krate;
    let p = &quote!(#krate::bsatn::private);
    let name = &input.name;
    let mut generics = input.generics.clone();
    for field in input.shape.fields() {
        let ty = &field.ty;
        if field.kind != Kind::Phantom && names_parameter(ty, &input.generics) {
            generics.make_where_clause().predicates.push(syn::parse_quote!(#ty: #p::Encode));
        }
    }
    let (impl_generics, type_generics, where_clause) = generics.split_for_impl();
    let min = input.size(p, true, &|field| of_field(p, field, "MIN_SIZE", false));
    let max = input.size(p, false, &|field| of_field(p, field, "MAX_SIZE", false));
    let scratch = if input.parameters {
        quote!(0)
    } else {
        let min = input.size(p, true, &|field| of_field(p, field, "MIN_SIZE", true));
        let max = input.size(p, false, &|field| of_field(p, field, "MAX_SIZE", true));
        quote!({ #p::fixed(#min, #max) })
    };
    let (len, put) = (encoded_len(input, p), put(input, p));
    let (inherent, allow) = (to_bytes(input, p), allow());
    quote! {
        #inherent

        #allow
        impl #impl_generics #p::Bounded for #name #type_generics #where_clause {
            const MIN_SIZE: #p::usize = <Self as #p::Encode>::MIN_SIZE;
            const MAX_SIZE: #p::usize = <Self as #p::Encode>::MAX_SIZE;
        }

        #allow
        impl #impl_generics #p::Encode for #name #type_generics #where_clause {
            const MIN_SIZE: #p::usize = #min;
            const MAX_SIZE: #p::usize = #max;
            type Scratch = [#p::u8; #scratch];

            #[inline]
            fn encoded_len(&self) -> #p::usize {
                #len
            }

            #[inline]
            fn put<__OnewriteOutput: #p::Output>(&self, __onewrite_out: &mut __OnewriteOutput) {
                #put
            }
        }
    }
}

impl Shape {
    /// All fields of all variants.
    pub(super) fn fields(&self) -> Box<dyn Iterator<Item = &Field> + '_> {
        match self {
            Self::Product(fields) => Box::new(fields.iter()),
            Self::Sum(variants) => Box::new(variants.iter().flat_map(|variant| &variant.fields)),
        }
    }
}

/// A size of a field's type; `alone` where it stands in an array's length.
fn of_field(p: &TokenStream, field: &Field, which: &str, alone: bool) -> TokenStream {
    let which = syn::Ident::new(which, proc_macro2::Span::call_site());
    match field.kind {
        Kind::Number { bytes } => {
            let bytes = Literal::usize_unsuffixed(bytes);
            quote!(#bytes)
        }
        Kind::Bool => quote!(1),
        Kind::Phantom => quote!(0),
        Kind::Str | Kind::Bytes | Kind::Other => {
            let ty = if alone { without_lifetimes(&field.ty) } else { field.ty.clone() };
            quote!(<#ty as #p::Encode>::#which)
        }
    }
}

fn encoded_len(input: &Input, p: &TokenStream) -> TokenStream {
    match &input.shape {
        Shape::Product(fields) => {
            let (pattern, len) = (pattern(&quote!(Self), fields), len_of(p, fields, 0));
            quote! {
                let #pattern = self;
                #len
            }
        }
        Shape::Sum(variants) if Input::is_plain_sum(variants) => quote!(1),
        Shape::Sum(variants) if variants.is_empty() => quote!(match *self {}),
        Shape::Sum(variants) => {
            let arms = variants.iter().map(|variant| {
                let name = &variant.name;
                let pattern = pattern(&quote!(Self::#name), &variant.fields);
                let len = len_of(p, &variant.fields, 1);
                quote!(#pattern => #len,)
            });
            quote!(match self { #(#arms)* })
        }
    }
}

/// The length of `fields`: what their tokens say, and what the traits do.
fn len_of(p: &TokenStream, fields: &[Field], tag: usize) -> TokenStream {
    let mut known = tag;
    let mut bodies = Vec::new();
    let mut others = Vec::new();
    for (index, field) in fields.iter().enumerate() {
        let place = place(index);
        known += field.kind.size();
        match field.kind {
            Kind::Str => bodies.push(quote!(<#p::str>::len(#place))),
            Kind::Bytes => bodies.push(quote!(<[#p::u8]>::len(#place))),
            Kind::Other => {
                let ty = &field.ty;
                others.push(quote!(<#ty as #p::Encode>::encoded_len(&#place)));
            }
            Kind::Number { .. } | Kind::Bool | Kind::Phantom => {}
        }
    }
    let known = Literal::usize_unsuffixed(known);
    let mut bodies = bodies.into_iter();
    let first = match bodies.next() {
        Some(body) => quote!(#p::with_body(#known, #body)),
        None => quote!(#known),
    };
    bodies.chain(others).fold(first, |len, more| quote!(#p::add(#len, #more)))
}

/// Binds references to all fields.
fn pattern(constructor: &TokenStream, fields: &[Field]) -> TokenStream {
    let fields = fields.iter().enumerate().map(|(index, field)| {
        let (member, bound) = (&field.member, bound(index));
        quote!(#member: #bound)
    });
    quote!(#constructor { #(#fields),* })
}

/// Field `index`, which [`pattern`] has bound.
fn place(index: usize) -> TokenStream {
    let bound = bound(index);
    quote!((*#bound))
}

fn put(input: &Input, p: &TokenStream) -> TokenStream {
    match &input.shape {
        Shape::Product(fields) => {
            let (pattern, put) = (pattern(&quote!(Self), fields), put_parts(p, fields, None));
            quote! {
                let #pattern = self;
                #put
            }
        }
        Shape::Sum(variants) if Input::is_plain_sum(variants) => {
            let tag = plain_tag(variants);
            quote!(#p::Output::array(__onewrite_out, [#tag]);)
        }
        Shape::Sum(variants) if variants.is_empty() => quote!(match *self {}),
        Shape::Sum(variants) => {
            let arms = variants.iter().enumerate().map(|(index, variant)| {
                let name = &variant.name;
                let pattern = pattern(&quote!(Self::#name), &variant.fields);
                let put = put_parts(p, &variant.fields, Some(index));
                quote!(#pattern => { #put })
            });
            quote!(match self { #(#arms)* })
        }
    }
}

/// The tag of a sum without payloads, which is often no code at all.
fn plain_tag(variants: &[Variant]) -> TokenStream {
    let arms = variants.iter().enumerate().map(|(index, variant)| {
        let (name, tag) = (&variant.name, Literal::usize_unsuffixed(index));
        quote!(Self::#name {} => #tag,)
    });
    quote!(match self { #(#arms)* })
}

fn put_parts(p: &TokenStream, fields: &[Field], tag: Option<usize>) -> TokenStream {
    let parts = parts(fields, tag.is_some());
    let puts = parts.iter().map(|part| match part {
        Part::Run(run) => {
            let scratch = scratch(p, run, tag);
            match run.string {
                None => quote!(#p::Output::array(__onewrite_out, #scratch);),
                Some((index, field)) => {
                    let place = place(index);
                    let body = match field.kind {
                        Kind::Str => quote!(<#p::str>::as_bytes(#place)),
                        _ => quote!(#place),
                    };
                    quote!(#p::Output::headed(__onewrite_out, #scratch, #body);)
                }
            }
        }
        Part::Single(index, field) => {
            let (ty, place) = (&field.ty, place(*index));
            quote!(<#ty as #p::Encode>::put(&#place, __onewrite_out);)
        }
    });
    quote!(#(#puts)*)
}

/// The bytes of a run.
fn scratch(p: &TokenStream, run: &Run<'_>, tag: Option<usize>) -> TokenStream {
    let len = Literal::usize_unsuffixed(run.len());
    let mut puts = TokenStream::new();
    let mut at = 0;
    let mut put = |size: usize, bytes: TokenStream| {
        let (from, width) = (Literal::usize_unsuffixed(at), Literal::usize_unsuffixed(size));
        puts.extend(quote!(#p::put::<#from, #width, #len>(&mut __onewrite_bytes, #bytes);));
        at += size;
    };
    if run.tag {
        let tag = Literal::usize_unsuffixed(tag.unwrap_or_default());
        put(1, quote!([#tag]));
    }
    for (index, field) in &run.fields {
        let (ty, place) = (&field.ty, place(*index));
        let bytes = match field.kind {
            Kind::Bool => quote!(#p::bool_to(#place)),
            _ => quote!(<#ty>::to_le_bytes(#place)),
        };
        put(field.kind.size(), bytes);
    }
    if let Some((index, field)) = run.string {
        let place = place(index);
        let len = match field.kind {
            Kind::Str => quote!(<#p::str>::len(#place)),
            _ => quote!(<[#p::u8]>::len(#place)),
        };
        put(4, quote!(#p::count_bytes(#len)));
    }
    quote! {{
        let mut __onewrite_bytes = [0; #len];
        #puts
        __onewrite_bytes
    }}
}

/// The inherent `const fn` of a product of numbers, and of a sum without payloads.
fn to_bytes(input: &Input, p: &TokenStream) -> TokenStream {
    if input.parameters {
        return TokenStream::new();
    }
    let (len, body) = match &input.shape {
        Shape::Product(fields) => match parts(fields, false).as_slice() {
            [Part::Run(run)] if run.string.is_none() => {
                let (pattern, bytes) = (pattern(&quote!(Self), fields), scratch(p, run, None));
                (run.len(), quote!(let #pattern = self; #bytes))
            }
            _ => return TokenStream::new(),
        },
        Shape::Sum(variants) if Input::is_plain_sum(variants) => {
            let tag = plain_tag(variants);
            (1, quote!([#tag]))
        }
        Shape::Sum(_) => return TokenStream::new(),
    };
    let (name, visibility, allow) = (&input.name, &input.visibility, allow());
    let (impl_generics, type_generics, where_clause) = input.generics.split_for_impl();
    let len = Literal::usize_unsuffixed(len);
    quote! {
        #allow
        impl #impl_generics #name #type_generics #where_clause {
            /// The value's bytes in BSATN.
            #[inline(always)]
            #[must_use]
            #visibility const fn to_bytes(&self) -> [#p::u8; #len] {
                #body
            }
        }
    }
}
