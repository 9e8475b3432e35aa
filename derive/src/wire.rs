//! What a field's type is on the wire.

use proc_macro2::Ident;
use syn::visit::Visit;
use syn::visit_mut::{self, VisitMut};
use syn::{
    Error, Expr, ExprLit, GenericArgument, Generics, Lifetime, Lit, PathArguments, Result, Type,
    TypeBareFn, TypePath,
};

/// A type that can stand in a record.
pub(crate) struct Wire {
    /// As written, without the groups that `macro_rules!` puts around it.
    pub(crate) ty: Type,
    pub(crate) kind: Kind,
}

pub(crate) enum Kind {
    /// An integer or float of this many bytes.
    Number {
        bytes: usize,
        float: bool,
    },
    Bool,
    /// `[u8; len]`
    Bytes {
        len: Expr,
    },
    Array {
        item: Box<Wire>,
        len: Expr,
    },
    Phantom,
    /// Another record.
    Nested,
}

impl Wire {
    /// Looks at the tokens of `ty`: a macro knows names, not types.
    pub(crate) fn of(ty: &Type) -> Result<Self> {
        let kind = match ty {
            Type::Group(group) => return Self::of(&group.elem),
            Type::Paren(paren) => return Self::of(&paren.elem),
            Type::Array(array) => {
                let item = Self::of(&array.elem)?;
                let len = array.len.clone();
                match item.kind {
                    Kind::Number { bytes: 1, .. } if item.is_named("u8") => Kind::Bytes { len },
                    _ => Kind::Array { item: Box::new(item), len },
                }
            }
            Type::Path(path) => path_kind(path)?,
            Type::Macro(_) => Kind::Nested,
            _ => return Err(refuse(ty, "this type has no fixed bytes")),
        };
        Ok(Self { ty: ty.clone(), kind })
    }

    fn is_named(&self, name: &str) -> bool {
        let Type::Path(path) = &self.ty else { return false };
        path.path.segments.last().is_some_and(|last| last.ident == name)
    }

    /// The record at the bottom of nested arrays, if it is one.
    pub(crate) fn record(&self) -> Option<&Type> {
        match &self.kind {
            Kind::Array { item, .. } => item.record(),
            Kind::Nested => Some(&self.ty),
            _ => None,
        }
    }
}

fn path_kind(path: &TypePath) -> Result<Kind> {
    let Some(last) = path.path.segments.last() else { return Ok(Kind::Nested) };
    if last.ident == "PhantomData" {
        return Ok(Kind::Phantom);
    }
    // `u8`, `core::primitive::u8`: any other path may name a record of the user's.
    let before = path.path.segments.iter().rev().nth(1);
    let primitive = path.qself.is_none() && before.is_none_or(|before| before.ident == "primitive");
    if !primitive {
        return Ok(Kind::Nested);
    }
    let name = last.ident.to_string();
    let generic = !matches!(last.arguments, PathArguments::None);
    Ok(match name.as_str() {
        "u8" | "i8" => Kind::Number { bytes: 1, float: false },
        "u16" | "i16" => Kind::Number { bytes: 2, float: false },
        "u32" | "i32" => Kind::Number { bytes: 4, float: false },
        "u64" | "i64" => Kind::Number { bytes: 8, float: false },
        "u128" | "i128" => Kind::Number { bytes: 16, float: false },
        "f32" => Kind::Number { bytes: 4, float: true },
        "f64" => Kind::Number { bytes: 8, float: true },
        "bool" => Kind::Bool,
        "usize" | "isize" => {
            let sign = if name == "usize" { 'u' } else { 'i' };
            let why = format!("`{name}` differs from machine to machine");
            return Err(Error::new_spanned(path, format!("{why}: write `{sign}32` or `{sign}64`")));
        }
        "char" => {
            return Err(Error::new_spanned(
                path,
                "`char` has no agreed bytes: write `u32`, and convert with `char::from_u32`",
            ));
        }
        "str" | "String" => return Err(refuse(path, "a string has no fixed size")),
        "Vec" | "Box" | "Cow" if generic => {
            return Err(refuse(path, &format!("`{name}` has no fixed size")));
        }
        "Option" if generic => {
            return Err(Error::new_spanned(
                path,
                "`Option` has no agreed bytes: \
                 write a `bool` and the value, or an enum with `#[record(tag = u8)]`",
            ));
        }
        _ => Kind::Nested,
    })
}

fn refuse(tokens: impl quote::ToTokens, why: &str) -> Error {
    let instead = "write an integer, a float, `bool`, `[u8; N]`, an array or another record";
    Error::new_spanned(tokens, format!("{why}: {instead}"))
}

/// The value of an integer literal.
pub(crate) fn literal(expr: &Expr) -> Option<u128> {
    match expr {
        Expr::Lit(ExprLit { lit: Lit::Int(int), .. }) => int.base10_parse().ok(),
        Expr::Group(group) => literal(&group.expr),
        Expr::Paren(paren) => literal(&paren.expr),
        _ => None,
    }
}

/// `ty` with `'static` for every lifetime, as it can stand in a const of its own.
///
/// A lifetime changes no size. Those of function pointers bind themselves and stay.
pub(crate) fn without_lifetimes(ty: &Type) -> Type {
    struct Erase;
    impl VisitMut for Erase {
        fn visit_lifetime_mut(&mut self, lifetime: &mut Lifetime) {
            *lifetime = Lifetime::new("'static", lifetime.span());
        }

        fn visit_type_reference_mut(&mut self, reference: &mut syn::TypeReference) {
            let elided = Lifetime::new("'static", proc_macro2::Span::call_site());
            reference.lifetime = Some(elided);
            visit_mut::visit_type_reference_mut(self, reference);
        }

        fn visit_type_bare_fn_mut(&mut self, _: &mut TypeBareFn) {}
    }
    let mut ty = ty.clone();
    Erase.visit_type_mut(&mut ty);
    ty
}

/// Whether `ty` names one of the type parameters.
pub(crate) fn names_parameter(ty: &Type, generics: &Generics) -> bool {
    struct Find<'a> {
        generics: &'a Generics,
        found: bool,
    }
    impl<'ast> Visit<'ast> for Find<'_> {
        fn visit_ident(&mut self, ident: &'ast Ident) {
            self.found |= self.generics.type_params().any(|param| param.ident == *ident);
        }
    }
    let mut find = Find { generics, found: false };
    find.visit_type(ty);
    find.found
}

/// Whether `ty` is a path with type or const arguments.
pub(crate) fn has_arguments(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.iter().any(|segment| match &segment.arguments {
        PathArguments::AngleBracketed(arguments) => {
            arguments.args.iter().any(|argument| !matches!(argument, GenericArgument::Lifetime(_)))
        }
        _ => false,
    })
}
