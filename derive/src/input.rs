//! The type as declared, checked as far as its tokens allow.

use proc_macro2::{Ident, Span};
use syn::{
    Data, DeriveInput, Error, Expr, Fields, GenericParam, Generics, Member, Result, Type,
    Visibility,
};

use crate::attributes::{
    Endian, FieldAttributes, Padding, TypeAttributes, VariantAttributes, plain, repr,
};
use crate::wire::{Wire, has_arguments, literal};

/// A record to be.
pub(crate) struct Input {
    pub(crate) name: Ident,
    pub(crate) visibility: Visibility,
    pub(crate) generics: Generics,
    /// Has type or const parameters.
    pub(crate) parameters: bool,
    /// Values go through the trait `Field` and not through inherent const fns.
    pub(crate) generic: bool,
    pub(crate) krate: proc_macro2::TokenStream,
    pub(crate) size: Option<Expr>,
    pub(crate) lenient: bool,
    pub(crate) endian: Endian,
    pub(crate) shape: Shape,
}

pub(crate) enum Shape {
    Struct {
        fields: Vec<Field>,
        padding: Vec<Padding>,
        gaps: bool,
    },
    Enum {
        tag: Ident,
        tag_at: Option<Expr>,
        variants: Vec<Variant>,
        /// Without fields, and the compiler's own numbers, in its own integer, are those of the wire.
        plain: bool,
    },
}

pub(crate) struct Variant {
    pub(crate) name: Ident,
    pub(crate) tag: Tag,
    /// Without the field that holds the tag of [`Tag::Other`].
    pub(crate) fields: Vec<Field>,
    /// Has its number by `= N` alone.
    is_plain: bool,
}

pub(crate) enum Tag {
    Is(Expr),
    /// Whatever no other variant is; the member holds it.
    Other(Member),
}

pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) at: Option<Expr>,
    pub(crate) endian: Endian,
    pub(crate) wire: Wire,
    /// `wire` is what `as` says.
    pub(crate) is_alias: bool,
}

impl Field {
    /// The name without `r#`, or the position.
    pub(crate) fn name(&self) -> String {
        match &self.member {
            Member::Named(name) => plain(name),
            Member::Unnamed(index) => index.index.to_string(),
        }
    }
}

impl Input {
    pub(crate) fn parse(input: &DeriveInput) -> Result<Self> {
        let attributes = TypeAttributes::parse(&input.attrs)?;
        let endian = attributes.endian.unwrap_or(Endian::Little);
        // The size of a parameter's type is known to the compiler only.
        let mut params = input.generics.params.iter();
        let parameters = params.any(|param| !matches!(param, GenericParam::Lifetime(_)));
        let generic = parameters || attributes.not_const;
        let shape = match &input.data {
            Data::Struct(data) => {
                if let Some(tag) = &attributes.tag {
                    return Err(Error::new_spanned(
                        tag,
                        "a struct has no tag: write a first field, or derive for an enum",
                    ));
                }
                if let Some(tag_at) = &attributes.tag_at {
                    return Err(Error::new_spanned(
                        tag_at,
                        "a struct has no tag: remove `tag_at`, and place a field with \
                         `#[record(at = N)]`",
                    ));
                }
                Shape::Struct {
                    fields: fields(&data.fields, endian, generic)?,
                    padding: attributes.padding,
                    gaps: attributes.gaps.is_some(),
                }
            }
            Data::Enum(data) => {
                if let Some(padding) = attributes.padding.first() {
                    return Err(Error::new(
                        padding.name.span(),
                        "what a variant does not use is zero: an enum needs no `pad`, remove it",
                    ));
                }
                if let Some(gaps) = attributes.gaps {
                    return Err(Error::new_spanned(
                        gaps,
                        "what a variant does not use is zero: an enum needs no `gaps`, remove it",
                    ));
                }
                let repr = repr(&input.attrs)?;
                let Some(tag) = attributes.tag.or_else(|| repr.clone()) else {
                    return Err(Error::new_spanned(
                        &input.ident,
                        "an enum needs an integer that tells its variants apart: \
                         write `#[repr(u8)]`, or `#[record(tag = u8)]`",
                    ));
                };
                check_tag(&tag)?;
                let variants = variants(data, endian, generic)?;
                let plain = repr.as_ref() == Some(&tag)
                    && variants.iter().all(|variant| variant.is_plain && variant.fields.is_empty());
                Shape::Enum { tag, tag_at: attributes.tag_at, variants, plain }
            }
            Data::Union(data) => {
                return Err(Error::new_spanned(
                    data.union_token,
                    "a union does not say which field it holds: \
                     write an enum with `#[record(tag = u8)]`",
                ));
            }
        };
        Ok(Self {
            name: input.ident.clone(),
            visibility: input.vis.clone(),
            generics: input.generics.clone(),
            parameters,
            generic,
            krate: attributes.krate,
            size: attributes.size,
            lenient: attributes.lenient,
            endian,
            shape,
        })
    }
}

fn check_tag(tag: &Ident) -> Result<()> {
    match tag.to_string().as_str() {
        "u8" | "u16" | "u32" | "u64" | "i8" | "i16" | "i32" | "i64" => Ok(()),
        _ => Err(Error::new(
            tag.span(),
            "a tag is an integer of 8 to 64 bits: \
             write `#[record(tag = u8)]`, or `u16`, `i32` and so on",
        )),
    }
}

fn variants(data: &syn::DataEnum, endian: Endian, generic: bool) -> Result<Vec<Variant>> {
    let mut variants: Vec<Variant> = Vec::new();
    for variant in &data.variants {
        let attributes = VariantAttributes::parse(&variant.attrs)?;
        let is_plain = attributes.tag.is_none() && !attributes.other;
        let mut fields = fields(&variant.fields, endian, generic)?;
        let tag = if attributes.other {
            if fields.is_empty() {
                return Err(Error::new_spanned(
                    variant,
                    "the variant for other tags keeps the tag: \
                     write `Other(u8)` with the enum's integer",
                ));
            }
            if let Some(tag) = attributes.tag {
                return Err(Error::new_spanned(
                    tag,
                    "the variant for other tags has no number of its own: \
                     remove `tag = N` or `other`",
                ));
            }
            if let Some(field) = variant.fields.iter().next() {
                holds_the_tag(field)?;
            }
            if variants.iter().any(|other| matches!(other.tag, Tag::Other(_))) {
                return Err(Error::new_spanned(variant, "only one variant can be `other`"));
            }
            Tag::Other(fields.remove(0).member)
        } else if let Some(tag) =
            attributes.tag.or_else(|| variant.discriminant.as_ref().map(|(_, tag)| tag.clone()))
        {
            Tag::Is(tag)
        } else {
            let name = plain(&variant.ident);
            return Err(Error::new_spanned(
                variant,
                format!(
                    "the wire needs a number that stays when variants come and go: \
                     write `{name} = N`, or `#[record(tag = N)]` before it"
                ),
            ));
        };
        if let Tag::Is(tag) = &tag
            && let Some(value) = number(tag)
            && let Some(twin) = variants.iter().find(|twin| twin.number() == Some(value))
        {
            let (first, second) = (plain(&twin.name), plain(&variant.ident));
            return Err(Error::new_spanned(
                tag,
                format!(
                    "`{first}` and `{second}` have the same number on the wire: give each its own"
                ),
            ));
        }
        variants.push(Variant { name: variant.ident.clone(), tag, fields, is_plain });
    }
    if variants.is_empty() {
        return Err(Error::new(
            Span::call_site(),
            "an enum without variants has no value to write: give it one",
        ));
    }
    Ok(variants)
}

/// Refuses what would move the tag in one variant alone.
fn holds_the_tag(field: &syn::Field) -> Result<()> {
    let attributes = FieldAttributes::parse(&field.attrs)?;
    if attributes.at.is_some() {
        return Err(Error::new_spanned(
            field,
            "this field holds the tag, which has one place in all variants: \
             remove `at`, and write `#[record(tag_at = N)]` on the enum",
        ));
    }
    if attributes.endian.is_some() {
        return Err(Error::new_spanned(
            field,
            "this field holds the tag, which has one byte order in all variants: \
             remove `endian`, and write it on the enum",
        ));
    }
    Ok(())
}

impl Variant {
    fn number(&self) -> Option<i128> {
        match &self.tag {
            Tag::Is(tag) => number(tag),
            Tag::Other(_) => None,
        }
    }
}

/// The value of a literal with or without a sign.
fn number(expr: &Expr) -> Option<i128> {
    match expr {
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => {
            i128::try_from(literal(expr)?).ok()?.checked_neg()
        }
        expr => i128::try_from(literal(expr)?).ok(),
    }
}

fn fields(fields: &Fields, endian: Endian, generic: bool) -> Result<Vec<Field>> {
    let mut parsed = Vec::new();
    for (field, member) in fields.iter().zip(fields.members()) {
        let attributes = FieldAttributes::parse(&field.attrs)?;
        let ty: &Type = attributes.alias_of.as_ref().unwrap_or(&field.ty);
        let wire = Wire::of(ty)?;
        if !generic && let Some(record) = wire.record().filter(|record| has_arguments(record)) {
            return Err(Error::new_spanned(
                record,
                "a record with parameters encodes through a trait, which stable Rust cannot do \
                 in a const: write `#[record(not_const)]` on the type around it",
            ));
        }
        if attributes.endian.is_some() && wire.record().is_some() && !generic {
            return Err(Error::new_spanned(
                &field.ty,
                "a nested record has its own byte order: write `endian` on that type",
            ));
        }
        let endian = attributes.endian.unwrap_or(endian);
        let is_alias = attributes.alias_of.is_some();
        parsed.push(Field { member, at: attributes.at, endian, wire, is_alias });
    }
    Ok(parsed)
}
