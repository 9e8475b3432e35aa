//! The public interface, read from the sources.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use proc_macro2::TokenStream;
use syn::{Attribute, ImplItem, Item, ItemImpl, TraitItem, Type, Visibility};

use super::expand::{expand, functions};
use super::uses::{Imports, joined};

/// Something public that can be called.
pub(crate) enum Callable {
    /// A function or an inherent method, by its path inside the crate.
    Path(String),
    /// A method of a trait, for every type or for those that look like this one.
    Method { of: Option<Box<(Type, HashSet<String>)>>, of_trait: String, name: String },
    /// A macro of the crate.
    Macro(String),
    /// A method that `template!` writes for its caller.
    OfTemplate(String),
}

/// The crate, as far as it can be reached.
#[derive(Default)]
pub(crate) struct Library {
    /// Public path to the path where it is defined.
    pub(crate) exports: HashMap<String, String>,
    pub(crate) callables: Vec<Callable>,
    /// Public types that a firmware may log.
    pub(crate) logged: Vec<String>,
}

/// Everything the walk over the modules collects.
#[derive(Default)]
struct Walk {
    /// Re-exports by their path: what they name, in which module, and whether that is public.
    reexports: HashMap<String, (String, String, bool)>,
    /// Paths of public items in public modules.
    public: HashSet<String>,
    functions: Vec<String>,
    impls: Vec<(String, Imports, ItemImpl)>,
    /// Path of a trait, its methods, whether each has a body.
    traits: HashMap<String, Vec<(String, bool)>>,
    rules: HashMap<String, TokenStream>,
    macros: Vec<(String, TokenStream)>,
    logged: Vec<String>,
    defined: HashSet<String>,
}

impl Library {
    /// Reads the crate whose root file is `root`.
    pub(crate) fn read(root: &Path) -> Self {
        let mut walk = Walk::default();
        let folder = root.parent().expect("a file is in a folder");
        walk.file(root, folder, "", true);
        walk.finish()
    }
}

impl Walk {
    fn file(&mut self, path: &Path, folder: &Path, module: &str, public: bool) {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        self.items(file.items, folder, module, public);
    }

    fn items(&mut self, items: Vec<Item>, folder: &Path, module: &str, public: bool) {
        let imports = Imports::of(&items, module);
        for item in items {
            self.item(item, &imports, folder, module, public);
        }
    }

    fn item(&mut self, item: Item, imports: &Imports, folder: &Path, module: &str, public: bool) {
        let place = |name: &dyn ToString| joined(module, &name.to_string());
        match item {
            Item::Mod(item) if !is_left_out(&item.attrs) => {
                let (name, public) = (item.ident.to_string(), public && is_pub(&item.vis));
                let (module, folder) = (place(&name), folder.join(&name));
                match item.content {
                    Some((_, items)) => self.items(items, &folder, &module, public),
                    None => {
                        let inside = folder.join("mod.rs");
                        let file =
                            if inside.is_file() { inside } else { folder.with_extension("rs") };
                        self.file(&file, &folder, &module, public);
                    }
                }
            }
            Item::Use(item) => {
                let public = public && is_pub(&item.vis) && !is_left_out(&item.attrs);
                for (name, target) in Imports::of_use(&item, module) {
                    self.reexports.insert(place(&name), (target, module.to_owned(), public));
                }
            }
            Item::Fn(item) if is_pub(&item.vis) && !is_left_out(&item.attrs) => {
                self.functions.push(place(&item.sig.ident));
                self.define(place(&item.sig.ident), public);
            }
            Item::Struct(item) if is_pub(&item.vis) && !is_left_out(&item.attrs) => {
                self.define_type(place(&item.ident), &item.attrs, public);
            }
            Item::Enum(item) if is_pub(&item.vis) && !is_left_out(&item.attrs) => {
                self.define_type(place(&item.ident), &item.attrs, public);
            }
            Item::Trait(item) if is_pub(&item.vis) && !is_left_out(&item.attrs) => {
                let mut methods = Vec::new();
                for method in &item.items {
                    if let TraitItem::Fn(method) = method
                        && !is_left_out(&method.attrs)
                    {
                        methods.push((method.sig.ident.to_string(), method.default.is_some()));
                    }
                }
                self.traits.insert(place(&item.ident), methods);
                self.define(place(&item.ident), public);
            }
            Item::Impl(item) if is_format(&item, imports) => {
                // By hand, in the module of the type.
                if let Type::Path(path) = &*item.self_ty
                    && let Some(last) = path.path.segments.last()
                {
                    self.logged.push(place(&last.ident));
                }
            }
            Item::Impl(item) if !is_left_out(&item.attrs) => {
                self.impls.push((module.to_owned(), imports.clone(), item));
            }
            Item::Macro(item) => match item.ident {
                Some(name) => {
                    let is_exported = item
                        .attrs
                        .iter()
                        .any(|attribute| attribute.path().is_ident("macro_export"));
                    if is_exported {
                        let hidden = if is_left_out(&item.attrs) { "" } else { "!" };
                        self.macros.push((format!("{name}{hidden}"), item.mac.tokens));
                    } else {
                        self.rules.insert(name.to_string(), item.mac.tokens);
                    }
                }
                None => {
                    let name = item.mac.path.require_ident().expect("our own macro").to_string();
                    // What an exported macro writes, it writes for a caller: here too.
                    let Some(rules) = self.rules.get(&name) else { return };
                    let items = expand(rules, &item.mac.tokens);
                    let file: syn::File = syn::parse2(items).expect("the expansion is items");
                    for item in file.items {
                        self.item(item, imports, folder, module, public);
                    }
                }
            },
            _ => {}
        }
    }

    fn define(&mut self, path: String, public: bool) {
        if public {
            self.public.insert(path.clone());
        }
        self.defined.insert(path);
    }

    fn define_type(&mut self, path: String, attributes: &[Attribute], public: bool) {
        if attributes.iter().any(|attribute| {
            attribute.path().is_ident("cfg_attr")
                && attribute.meta.require_list().is_ok_and(|list| {
                    let text = list.tokens.to_string();
                    text.contains("\"defmt\"") && text.contains("Format")
                })
        }) {
            self.logged.push(path.clone());
        }
        self.define(path, public);
    }

    fn finish(self) -> Library {
        let mut library = Library::default();
        for path in &self.public {
            library.exports.insert(path.clone(), path.clone());
        }
        for (name, (target, module, public)) in &self.reexports {
            if *public && let Some(target) = self.definition(target, module) {
                library.exports.insert(name.clone(), target);
            }
        }
        let reachable: HashSet<&String> = library.exports.values().collect();

        for path in self.functions.iter().filter(|path| reachable.contains(path)) {
            library.callables.push(Callable::Path(path.clone()));
        }
        for (of_trait, methods) in &self.traits {
            for (name, has_body) in methods {
                if *has_body && reachable.contains(of_trait) {
                    let (of_trait, name) = (of_trait.clone(), name.clone());
                    library.callables.push(Callable::Method { of: None, of_trait, name });
                }
            }
        }
        for (module, imports, item) in &self.impls {
            self.of_impl(module, imports, item, &reachable, &mut library.callables);
        }
        library.logged = self.logged.into_iter().filter(|path| reachable.contains(path)).collect();
        for (name, tokens) in self.macros {
            let mut methods = Vec::new();
            functions(tokens, &mut methods);
            library.callables.extend(methods.into_iter().map(Callable::OfTemplate));
            if let Some(name) = name.strip_suffix('!') {
                library.callables.push(Callable::Macro(name.to_owned()));
            }
        }
        library
    }

    /// Where the item is defined that `path` means in `module`; none if in another crate.
    fn definition(&self, path: &str, module: &str) -> Option<String> {
        for path in [path.to_owned(), joined(module, path)] {
            if self.defined.contains(&path) {
                return Some(path);
            }
            if let Some((target, module, _)) = self.reexports.get(&path)
                && *target != path
            {
                return self.definition(target, module);
            }
        }
        None
    }

    fn of_impl(
        &self,
        module: &str,
        imports: &Imports,
        item: &ItemImpl,
        reachable: &HashSet<&String>,
        callables: &mut Vec<Callable>,
    ) {
        let definition = |path: &syn::Path| self.definition(&imports.resolve(path), module);
        let self_path = match &*item.self_ty {
            Type::Path(path) => definition(&path.path),
            _ => None,
        };
        if self_path.as_ref().is_some_and(|path| !reachable.contains(path)) {
            return;
        }
        let Some((_, of_trait, _)) = &item.trait_ else {
            let Some(self_path) = self_path else { return };
            for method in &item.items {
                if let ImplItem::Fn(method) = method
                    && is_pub(&method.vis)
                    && !is_left_out(&method.attrs)
                {
                    let path = joined(&self_path, &method.sig.ident.to_string());
                    callables.push(Callable::Path(path));
                }
            }
            return;
        };
        let trait_path = definition(of_trait);
        if trait_path.as_ref().or(self_path.as_ref()).is_none_or(|path| !reachable.contains(path)) {
            return;
        }
        let params: HashSet<String> =
            item.generics.type_params().map(|param| param.ident.to_string()).collect();
        let last = of_trait.segments.last().expect("a path has an end").ident.to_string();
        for method in &item.items {
            let ImplItem::Fn(method) = method else { continue };
            let name = method.sig.ident.to_string();
            let visible = match trait_path.as_ref().and_then(|path| self.traits.get(path)) {
                Some(methods) => methods.iter().any(|(method, _)| *method == name),
                None => true,
            };
            if visible {
                let of = Some(Box::new(((*item.self_ty).clone(), params.clone())));
                let of_trait = trait_path.clone().unwrap_or_else(|| last.clone());
                callables.push(Callable::Method { of, of_trait, name });
            }
        }
    }
}

fn is_pub(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Tests, what the documentation does not show, and what is nothing else.
fn is_left_out(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let Ok(list) = attribute.meta.require_list() else { return false };
        let text = list.tokens.to_string();
        attribute.path().is_ident("doc") && text == "hidden"
            || attribute.path().is_ident("cfg") && (text == "test" || text == "doc")
    })
}

/// Whether this says how a type is logged.
fn is_format(item: &ItemImpl, imports: &Imports) -> bool {
    item.trait_.as_ref().is_some_and(|(_, path, _)| imports.resolve(path) == "defmt::Format")
}
