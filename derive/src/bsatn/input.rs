//! A product or a sum as declared, checked as far as its tokens allow.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Fields, GenericParam, Generics, LitStr, Member,
    Path, PathArguments, Result, Type, TypePath, Visibility,
};

use crate::attributes::plain;
use crate::wire::literal;

/// A BSATN value to be.
pub(crate) struct Input {
    pub(super) name: Ident,
    pub(super) visibility: Visibility,
    pub(super) generics: Generics,
    /// Has type or const parameters.
    pub(super) parameters: bool,
    pub(super) krate: TokenStream,
    pub(super) shape: Shape,
}

pub(super) enum Shape {
    Product(Vec<Field>),
    Sum(Vec<Variant>),
}

pub(super) struct Variant {
    pub(super) name: Ident,
    pub(super) fields: Vec<Field>,
}

pub(super) struct Field {
    pub(super) member: Member,
    pub(super) ty: Type,
    pub(super) kind: Kind,
}

/// What the tokens of a type say about its bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An integer or float of this many bytes.
    Number {
        bytes: usize,
    },
    Bool,
    /// `&str`
    Str,
    /// `&[u8]`
    Bytes,
    Phantom,
    /// Whatever the traits say.
    Other,
}

impl Kind {
    /// Bytes that a run takes for the field.
    pub(super) fn size(self) -> usize {
        match self {
            Self::Number { bytes } => bytes,
            Self::Bool => 1,
            Self::Str | Self::Bytes => 4,
            Self::Phantom | Self::Other => 0,
        }
    }
}

impl Input {
    pub(crate) fn parse(input: &DeriveInput) -> Result<Self> {
        let mut params = input.generics.params.iter();
        let parameters = params.any(|param| !matches!(param, GenericParam::Lifetime(_)));
        let shape = match &input.data {
            Data::Struct(data) => Shape::Product(fields(&data.fields)?),
            Data::Enum(data) => Shape::Sum(variants(&input.ident, data)?),
            Data::Union(data) => {
                return Err(Error::new_spanned(
                    data.union_token,
                    "a union does not say which field it holds: write an enum",
                ));
            }
        };
        Ok(Self {
            name: input.ident.clone(),
            visibility: input.vis.clone(),
            generics: input.generics.clone(),
            parameters,
            krate: krate(&input.attrs)?,
            shape,
        })
    }
}

/// Path of the library in the user's crate.
fn krate(attributes: &[Attribute]) -> Result<TokenStream> {
    let mut krate = quote!(::onewrite);
    for attribute in attributes {
        if attribute.path().is_ident("bsatn") {
            attribute.parse_nested_meta(|meta| {
                if !meta.path.is_ident("crate") {
                    return Err(meta.error("a BSATN type takes `crate = path`"));
                }
                let value = meta.value()?;
                krate = if value.peek(LitStr) {
                    let text: LitStr = value.parse()?;
                    text.parse_with(Path::parse_mod_style)?.into_token_stream()
                } else {
                    value.call(Path::parse_mod_style)?.into_token_stream()
                };
                Ok(())
            })?;
        }
    }
    Ok(krate)
}

fn no_attributes(attributes: &[Attribute]) -> Result<()> {
    match attributes.iter().find(|attribute| attribute.path().is_ident("bsatn")) {
        Some(attribute) => Err(Error::new_spanned(
            attribute,
            "fields and variants take no attribute: their order is their place on the wire",
        )),
        None => Ok(()),
    }
}

fn variants(name: &Ident, data: &syn::DataEnum) -> Result<Vec<Variant>> {
    if data.variants.len() > 256 {
        return Err(Error::new_spanned(
            name,
            format!(
                "a tag is a u8, so a sum has at most 256 variants: this one has {}",
                data.variants.len()
            ),
        ));
    }
    let mut variants = Vec::new();
    for (index, variant) in data.variants.iter().enumerate() {
        no_attributes(&variant.attrs)?;
        if let Some((_, value)) = &variant.discriminant
            && !is_number(value, index)
        {
            return Err(Error::new_spanned(
                value,
                format!(
                    "the tag of a variant is its place, {index} for `{}`: leave the number out",
                    plain(&variant.ident)
                ),
            ));
        }
        let fields = fields(&variant.fields)?;
        variants.push(Variant { name: variant.ident.clone(), fields });
    }
    Ok(variants)
}

fn is_number(expr: &Expr, number: usize) -> bool {
    literal(expr).is_some_and(|value| u128::try_from(number) == Ok(value))
}

fn fields(fields: &Fields) -> Result<Vec<Field>> {
    let mut found = Vec::new();
    for (member, field) in fields.members().zip(fields) {
        no_attributes(&field.attrs)?;
        let ty = without_groups(&field.ty).clone();
        let kind = kind(&ty)?;
        found.push(Field { member, ty, kind });
    }
    Ok(found)
}

/// The type without the groups that `macro_rules!` puts around it.
fn without_groups(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => without_groups(&group.elem),
        Type::Paren(paren) => without_groups(&paren.elem),
        ty => ty,
    }
}

/// Looks at the tokens of `ty`: a macro knows names, not types.
fn kind(ty: &Type) -> Result<Kind> {
    match ty {
        Type::Path(path) => path_kind(path),
        Type::Reference(reference) if reference.mutability.is_none() => {
            Ok(match without_groups(&reference.elem) {
                Type::Path(path) if path.path.is_ident("str") => Kind::Str,
                Type::Slice(slice) => match without_groups(&slice.elem) {
                    Type::Path(path) if path.path.is_ident("u8") => Kind::Bytes,
                    _ => Kind::Other,
                },
                _ => Kind::Other,
            })
        }
        Type::Array(_) | Type::Tuple(_) | Type::Macro(_) => Ok(Kind::Other),
        _ => Err(Error::new_spanned(
            ty,
            "this type has no encoding in BSATN: write a number, `bool`, `&str`, an array, or a type that derives `Encode`",
        )),
    }
}

fn path_kind(path: &TypePath) -> Result<Kind> {
    let Some(last) = path.path.segments.last() else { return Ok(Kind::Other) };
    if last.ident == "PhantomData" {
        return Ok(Kind::Phantom);
    }
    // `u8`, `core::primitive::u8`: any other path may name a type of the user's.
    let before = path.path.segments.iter().rev().nth(1);
    if path.qself.is_some() || before.is_some_and(|before| before.ident != "primitive") {
        return Ok(Kind::Other);
    }
    let generic = !matches!(last.arguments, PathArguments::None);
    let name = last.ident.to_string();
    Ok(match name.as_str() {
        "u8" | "i8" => Kind::Number { bytes: 1 },
        "u16" | "i16" => Kind::Number { bytes: 2 },
        "u32" | "i32" | "f32" => Kind::Number { bytes: 4 },
        "u64" | "i64" | "f64" => Kind::Number { bytes: 8 },
        "u128" | "i128" => Kind::Number { bytes: 16 },
        "bool" => Kind::Bool,
        "usize" | "isize" => {
            let sign = if name == "usize" { 'u' } else { 'i' };
            return Err(Error::new_spanned(
                path,
                format!("`{name}` differs from machine to machine: write `{sign}32` or `{sign}64`"),
            ));
        }
        "char" => {
            return Err(Error::new_spanned(
                path,
                "`char` is no type of BSATN: write `u32`, and convert with `char::from_u32`",
            ));
        }
        "str" | "String" => {
            return Err(Error::new_spanned(path, "a string is borrowed here: write `&'a str`"));
        }
        "Vec" | "Box" | "Cow" if generic => {
            return Err(Error::new_spanned(
                path,
                format!("`{name}` allocates: write `Array<'a, T>`, `&'a [u8]` or `[T; N]`"),
            ));
        }
        "HashMap" | "BTreeMap" if generic => {
            return Err(Error::new_spanned(
                path,
                "BSATN has no maps: write an array of products of key and value",
            ));
        }
        _ => Kind::Other,
    })
}
