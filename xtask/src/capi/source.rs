//! What the sources of `capi/` offer to C, read with `syn`.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use syn::{Expr, Fields, FnArg, Item, Lit, Meta, Pat, ReturnType, Type, Visibility};

/// Everything public, in the order of the sources.
#[derive(Default)]
pub(super) struct Interface {
    /// What the crate says about itself.
    pub(super) about: Vec<String>,
    pub(super) items: Vec<Declaration>,
}

/// One public item.
pub(super) struct Declaration {
    /// Its name in Rust.
    pub(super) name: String,
    /// Lines of its documentation.
    pub(super) docs: Vec<String>,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    /// A number, or an expression of numbers.
    Const(Expr),
    /// A `const fn` of sizes.
    Macro { parameters: Vec<String>, body: Expr },
    /// An enum of numbers, represented as this type.
    Enum { representation: String, variants: Vec<Variant> },
    /// A struct, laid out as C does.
    Struct(Vec<Field>),
    /// A function that C calls.
    Function { parameters: Vec<Field>, output: Option<Type> },
}

pub(super) struct Variant {
    pub(super) name: String,
    pub(super) docs: Vec<String>,
    pub(super) value: Expr,
}

/// A field of a struct, or a parameter.
pub(super) struct Field {
    pub(super) name: String,
    pub(super) docs: Vec<String>,
    pub(super) ty: Type,
}

/// Reads a crate, from its `lib.rs` on.
pub(super) fn read(root: &Path) -> Result<Interface> {
    let mut interface = Interface::default();
    let file = parse(root)?;
    interface.about = docs(&file.attrs)?;
    let folder = root.parent().context("a source file lies in a folder")?;
    read_items(&file.items, root, folder, &mut interface)?;
    if interface.items.is_empty() {
        bail!("{}: nothing public is there", root.display());
    }
    Ok(interface)
}

fn parse(path: &Path) -> Result<syn::File> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    syn::parse_file(&text).with_context(|| path.display().to_string())
}

/// `folder` is where the modules of this file are.
fn read_items(items: &[Item], path: &Path, folder: &Path, into: &mut Interface) -> Result<()> {
    for item in items {
        if let Item::Mod(module) = item {
            if module.content.is_none() {
                read_module(&module.ident.to_string(), folder, into)?;
            }
            continue;
        }
        let found = declaration(item);
        let found = found.with_context(|| format!("{}: no header made", path.display()))?;
        into.items.extend(found);
    }
    Ok(())
}

fn read_module(name: &str, folder: &Path, into: &mut Interface) -> Result<()> {
    let (file, own) = (folder.join(format!("{name}.rs")), folder.join(name));
    let path: PathBuf = if file.is_file() { file } else { own.join("mod.rs") };
    read_items(&parse(&path)?.items, &path, &own, into)
}

/// What an item offers, if it is public.
fn declaration(item: &Item) -> Result<Option<Declaration>> {
    let (visibility, attributes, name) = match item {
        Item::Const(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Enum(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Fn(item) => (&item.vis, &item.attrs, &item.sig.ident),
        Item::Static(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Struct(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Trait(item) => (&item.vis, &item.attrs, &item.ident),
        Item::TraitAlias(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Type(item) => (&item.vis, &item.attrs, &item.ident),
        Item::Union(item) => (&item.vis, &item.attrs, &item.ident),
        // What a macro makes is not seen here, so macros may make nothing public.
        Item::Macro(_) => bail!("a macro at the level of items: what it makes is not known"),
        Item::Impl(_) | Item::Use(_) => return Ok(None),
        _ => bail!("an item that is not known"),
    };
    if !matches!(visibility, Visibility::Public(_)) {
        return Ok(None);
    }
    let name = name.to_string();
    let kind = kind(item).with_context(|| format!("{name} is public"))?;
    Ok(Some(Declaration { docs: docs(attributes)?, kind, name }))
}

fn kind(item: &Item) -> Result<Kind> {
    match item {
        Item::Const(item) => Ok(Kind::Const((*item.expr).clone())),
        Item::Enum(item) => {
            let representation = representation(&item.attrs)?;
            if !["i32", "u32"].contains(&representation.as_str()) {
                bail!("an enum needs #[repr(i32)] or #[repr(u32)], not {representation:?}");
            }
            let variants = item.variants.iter().map(variant).collect::<Result<_>>()?;
            Ok(Kind::Enum { representation, variants })
        }
        Item::Struct(item) => {
            if representation(&item.attrs)? != "C" {
                bail!("a struct needs #[repr(C)]");
            }
            refuse_generics(&item.generics)?;
            let Fields::Named(fields) = &item.fields else { bail!("fields need names") };
            let fields = fields.named.iter().map(|field| {
                let name = field.ident.as_ref().context("a field without a name")?;
                if !matches!(field.vis, Visibility::Public(_)) {
                    bail!("field {name} is not public");
                }
                let docs = docs(&field.attrs)?;
                Ok(Field { name: name.to_string(), docs, ty: field.ty.clone() })
            });
            Ok(Kind::Struct(fields.collect::<Result<_>>()?))
        }
        Item::Fn(item) => function(item),
        _ => bail!("only constants, enums, structs and functions can be in the header"),
    }
}

fn function(item: &syn::ItemFn) -> Result<Kind> {
    refuse_generics(&item.sig.generics)?;
    if item.sig.constness.is_some() {
        let [syn::Stmt::Expr(body, None)] = item.block.stmts.as_slice() else {
            bail!("a const fn needs one expression to become a macro");
        };
        let names = parameters(&item.sig)?.into_iter().map(|parameter| parameter.name);
        return Ok(Kind::Macro { parameters: names.collect(), body: body.clone() });
    }
    let abi = item.sig.abi.as_ref().and_then(|abi| abi.name.as_ref()).map(syn::LitStr::value);
    if abi.as_deref() != Some("C") {
        bail!("a function needs extern \"C\"");
    }
    let keeps_name = item.attrs.iter().any(|attribute| {
        let Meta::List(list) = &attribute.meta else { return false };
        list.path.is_ident("unsafe") && list.tokens.to_string() == "no_mangle"
    });
    if !keeps_name {
        bail!("a function needs #[unsafe(no_mangle)]");
    }
    let output = match &item.sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some((**ty).clone()),
    };
    Ok(Kind::Function { parameters: parameters(&item.sig)?, output })
}

fn parameters(signature: &syn::Signature) -> Result<Vec<Field>> {
    let one = |argument: &FnArg| {
        let FnArg::Typed(argument) = argument else { bail!("a method") };
        let Pat::Ident(name) = &*argument.pat else { bail!("a parameter needs a name") };
        let name = name.ident.to_string();
        Ok(Field { name, docs: Vec::new(), ty: (*argument.ty).clone() })
    };
    signature.inputs.iter().map(one).collect()
}

fn refuse_generics(generics: &syn::Generics) -> Result<()> {
    if !generics.params.is_empty() {
        bail!("C has no generics");
    }
    Ok(())
}

fn variant(variant: &syn::Variant) -> Result<Variant> {
    let name = variant.ident.to_string();
    let Some((_, value)) = &variant.discriminant else {
        bail!("variant {name} needs a number");
    };
    if !matches!(variant.fields, Fields::Unit) {
        bail!("variant {name} has fields");
    }
    Ok(Variant { docs: docs(&variant.attrs)?, value: value.clone(), name })
}

/// What `#[repr(…)]` says; empty where there is none.
fn representation(attributes: &[syn::Attribute]) -> Result<String> {
    let mut found = String::new();
    for attribute in attributes {
        if let Meta::List(list) = &attribute.meta
            && list.path.is_ident("repr")
        {
            if !found.is_empty() {
                bail!("more than one repr");
            }
            found = list.tokens.to_string();
        }
    }
    Ok(found)
}

/// The lines of documentation, up to a section on safety: C has the rules at the top of the header.
fn docs(attributes: &[syn::Attribute]) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for attribute in attributes {
        let Meta::NameValue(pair) = &attribute.meta else { continue };
        if !pair.path.is_ident("doc") {
            continue;
        }
        let Expr::Lit(literal) = &pair.value else { bail!("documentation that is no text") };
        let Lit::Str(text) = &literal.lit else { bail!("documentation that is no text") };
        let text = text.value();
        let line = text.strip_prefix(' ').unwrap_or(&text).to_owned();
        if line == "# Safety" {
            break;
        }
        if line.contains("*/") || line.contains("](") {
            bail!("documentation that C cannot show: {line}");
        }
        lines.push(line);
    }
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    Ok(lines)
}
