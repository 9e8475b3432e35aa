//! The `#[record(...)]` attributes: what they may say, and where.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Error, Expr, ExprRange, LitStr, Path, RangeLimits, Result, Token, Type};

/// The order of the bytes of a number.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Endian {
    Little,
    Big,
}

/// A run of bytes that is always zero: `name = start..end`.
pub(crate) struct Padding {
    pub(crate) name: Ident,
    pub(crate) start: Expr,
    pub(crate) end: Expr,
}

impl Parse for Padding {
    fn parse(input: ParseStream<'_>) -> Result<Self> {
        let name = input.call(Ident::parse_any)?;
        input.parse::<Token![=]>()?;
        let range: Expr = input.parse()?;
        if let Expr::Range(ExprRange { start, limits: RangeLimits::HalfOpen(_), end, .. }) = &range
            && let (Some(start), Some(end)) = (start, end)
        {
            return Ok(Self { name, start: (**start).clone(), end: (**end).clone() });
        }
        Err(Error::new_spanned(range, "padding is a range of bytes: write `pad(reserved = 8..12)`"))
    }
}

/// Attributes of the type.
pub(crate) struct TypeAttributes {
    pub(crate) size: Option<Expr>,
    pub(crate) endian: Option<Endian>,
    /// Path of the library in the user's crate.
    pub(crate) krate: TokenStream,
    /// Bytes that no field has are zero.
    pub(crate) gaps: Option<LitStr>,
    /// Padding is not looked at when a record is read.
    pub(crate) lenient: bool,
    /// Fields go through the trait `Field`, as where there are parameters.
    pub(crate) not_const: bool,
    pub(crate) padding: Vec<Padding>,
    /// Integer type of an enum's tag.
    pub(crate) tag: Option<Ident>,
    pub(crate) tag_at: Option<Expr>,
}

impl TypeAttributes {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut this = Self {
            size: None,
            endian: None,
            krate: quote!(::onewrite),
            gaps: None,
            lenient: false,
            not_const: false,
            padding: Vec::new(),
            tag: None,
            tag_at: None,
        };
        let mut krate = None;
        each(attributes, |key, meta| {
            match key {
                "size" => once(&mut this.size, meta, meta.value()?.parse()?)?,
                "endian" => once(&mut this.endian, meta, endian(meta)?)?,
                "crate" => once(&mut krate, meta, path(meta)?)?,
                "gaps" => {
                    let value: LitStr = meta.value()?.parse()?;
                    if value.value() != "zero" {
                        return Err(Error::new_spanned(value, "write `gaps = \"zero\"`"));
                    }
                    once(&mut this.gaps, meta, value)?;
                }
                "lenient" => flag(&mut this.lenient, meta)?,
                "not_const" => flag(&mut this.not_const, meta)?,
                "pad" => {
                    let content;
                    syn::parenthesized!(content in meta.input);
                    let padding = Punctuated::<Padding, Token![,]>::parse_terminated(&content)?;
                    this.padding.extend(padding);
                }
                "tag" => once(&mut this.tag, meta, meta.value()?.parse()?)?,
                "tag_at" => once(&mut this.tag_at, meta, meta.value()?.parse()?)?,
                _ => {
                    return Err(meta.error(
                        "a type takes `size`, `endian`, `pad`, `gaps`, `lenient`, `not_const`, \
                         `crate`, and an enum also `tag` and `tag_at`",
                    ));
                }
            }
            Ok(())
        })?;
        if let Some(krate) = krate {
            this.krate = krate;
        }
        Ok(this)
    }
}

/// Attributes of a variant.
#[derive(Default)]
pub(crate) struct VariantAttributes {
    pub(crate) tag: Option<Expr>,
    /// The variant keeps tags that no other variant has.
    pub(crate) other: bool,
}

impl VariantAttributes {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut this = Self::default();
        each(attributes, |key, meta| match key {
            "tag" => once(&mut this.tag, meta, meta.value()?.parse()?),
            "other" => flag(&mut this.other, meta),
            _ => Err(meta.error("a variant takes `tag = N` and `other`")),
        })?;
        Ok(this)
    }
}

/// Attributes of a field.
#[derive(Default)]
pub(crate) struct FieldAttributes {
    pub(crate) at: Option<Expr>,
    pub(crate) endian: Option<Endian>,
    /// The primitive that the field's type is another name of.
    pub(crate) alias_of: Option<Type>,
}

impl FieldAttributes {
    pub(crate) fn parse(attributes: &[Attribute]) -> Result<Self> {
        let mut this = Self::default();
        each(attributes, |key, meta| match key {
            "at" | "offset" => once(&mut this.at, meta, meta.value()?.parse()?),
            "endian" => once(&mut this.endian, meta, endian(meta)?),
            "as" => once(&mut this.alias_of, meta, meta.value()?.parse()?),
            "pad" => Err(meta.error(
                "padding is named on the type: write `#[record(pad(reserved = 8..12))]` there",
            )),
            _ => Err(meta.error("a field takes `at = N`, `endian = \"...\"` and `as = type`")),
        })?;
        Ok(this)
    }
}

/// Hands each key of each `#[record(...)]` to `read`.
fn each(
    attributes: &[Attribute],
    mut read: impl FnMut(&str, &ParseNestedMeta<'_>) -> Result<()>,
) -> Result<()> {
    for attribute in attributes {
        if attribute.path().is_ident("record") {
            attribute.parse_nested_meta(|meta| {
                let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
                read(&key, &meta)
            })?;
        }
    }
    Ok(())
}

fn once<T>(place: &mut Option<T>, meta: &ParseNestedMeta<'_>, value: T) -> Result<()> {
    if place.replace(value).is_some() { Err(said_twice(meta)) } else { Ok(()) }
}

fn flag(place: &mut bool, meta: &ParseNestedMeta<'_>) -> Result<()> {
    if core::mem::replace(place, true) { Err(said_twice(meta)) } else { Ok(()) }
}

fn said_twice(meta: &ParseNestedMeta<'_>) -> Error {
    let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
    meta.error(format!("`{key}` is said twice: leave out one of them"))
}

fn endian(meta: &ParseNestedMeta<'_>) -> Result<Endian> {
    let value: LitStr = meta.value()?.parse()?;
    match value.value().as_str() {
        "little" | "le" => Ok(Endian::Little),
        "big" | "be" => Ok(Endian::Big),
        _ => Err(Error::new_spanned(value, "write `endian = \"little\"` or `endian = \"big\"`")),
    }
}

/// A path, or a path in quotes.
fn path(meta: &ParseNestedMeta<'_>) -> Result<TokenStream> {
    let value = meta.value()?;
    if value.peek(LitStr) {
        let text: LitStr = value.parse()?;
        return Ok(text.parse_with(Path::parse_mod_style)?.into_token_stream());
    }
    Ok(value.call(Path::parse_mod_style)?.into_token_stream())
}

/// The integer of `#[repr(...)]`, if there is one.
pub(crate) fn repr(attributes: &[Attribute]) -> Result<Option<Ident>> {
    let mut found = None;
    for attribute in attributes {
        if attribute.path().is_ident("repr") {
            attribute.parse_nested_meta(|meta| {
                if let Some(ident) = meta.path.get_ident()
                    && is_integer(ident)
                {
                    found = Some(Ident::new(&ident.to_string(), Span::call_site()));
                } else if meta.input.peek(syn::token::Paren) {
                    // `align(16)`: changes memory, never the wire.
                    let content;
                    syn::parenthesized!(content in meta.input);
                    content.parse::<TokenStream>()?;
                }
                Ok(())
            })?;
        }
    }
    Ok(found)
}

/// Whether `ident` is an integer type, of fixed size or not.
fn is_integer(ident: &Ident) -> bool {
    let text = ident.to_string();
    let bits = text.strip_prefix(['u', 'i']).unwrap_or_default();
    matches!(bits, "8" | "16" | "32" | "64" | "128" | "size")
}

/// The name without `r#`, which is syntax and not part of it.
pub(crate) fn plain(ident: &Ident) -> String {
    ident.unraw().to_string()
}
