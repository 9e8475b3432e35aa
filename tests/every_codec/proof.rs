//! What the examples call, read from their sources.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

use syn::visit::{self, Visit};
use syn::{
    ExprPath, GenericArgument, GenericParam, Item, ItemFn, ItemUse, Macro, PathArguments, Type,
    TypeParamBound,
};

use super::expand::template_name;
use super::library::Library;
use super::uses::Imports;

/// A method called through its trait; the type is unknown where only the trait was named.
pub(crate) struct Method {
    pub(crate) of: Option<Type>,
    pub(crate) of_trait: String,
    pub(crate) name: String,
}

/// The calls of the examples.
#[derive(Default)]
pub(crate) struct Proof {
    /// Functions and inherent methods, by the path where they are defined.
    pub(crate) paths: HashSet<String>,
    pub(crate) methods: Vec<Method>,
    pub(crate) macros: HashSet<String>,
    /// Methods of types made by `template!`.
    pub(crate) of_templates: HashSet<String>,
    /// Methods of types that derive `Record`, `Encode` or `Decode`.
    pub(crate) of_records: HashSet<String>,
    /// Types that are logged.
    pub(crate) logged: HashSet<String>,
}

/// A type parameter of a function of an example.
#[derive(Clone)]
struct Param {
    function: String,
    index: usize,
}

struct Reader<'l> {
    library: &'l Library,
    proof: Proof,
    imports: Imports,
    templates: HashSet<String>,
    records: HashSet<String>,
    params: HashMap<String, Param>,
    /// Methods of a parameter's type: known once the function is called with one.
    of_params: Vec<(Param, String, String)>,
    /// Parameters whose types are logged.
    logs: Vec<Param>,
    /// Type arguments of calls, by the function's name.
    instances: HashMap<String, Vec<Vec<Type>>>,
}

impl Proof {
    /// Reads the examples in these folders.
    pub(crate) fn read(folders: &[&Path], library: &Library) -> Self {
        let mut proof = Self::default();
        for folder in folders {
            let mut reader = Reader {
                library,
                proof,
                imports: Imports::default(),
                templates: HashSet::new(),
                records: HashSet::new(),
                params: HashMap::new(),
                of_params: Vec::new(),
                logs: Vec::new(),
                instances: HashMap::new(),
            };
            for entry in fs::read_dir(folder).expect("the example is a folder") {
                reader.file(&entry.expect("a file").path());
            }
            proof = reader.finish();
        }
        proof
    }
}

impl Reader<'_> {
    fn file(&mut self, path: &Path) {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        let file = syn::parse_file(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
        self.imports = Imports::of(&file.items, "");
        self.templates.clear();
        self.records.clear();
        for item in &file.items {
            match item {
                Item::Macro(item) if item.mac.path.is_ident("template") => {
                    self.templates.insert(template_name(item.mac.tokens.clone()));
                }
                Item::Struct(item) if derives_record(&item.attrs) => {
                    self.records.insert(item.ident.to_string());
                }
                Item::Enum(item) if derives_record(&item.attrs) => {
                    self.records.insert(item.ident.to_string());
                }
                _ => {}
            }
        }
        self.visit_file(&file);
    }

    fn finish(mut self) -> Proof {
        for (param, of_trait, name) in &self.of_params {
            for of in types_of(&self.instances, param) {
                let (of_trait, name) = (of_trait.clone(), name.clone());
                self.proof.methods.push(Method { of: Some(of.clone()), of_trait, name });
            }
        }
        for param in &self.logs {
            for of in types_of(&self.instances, param) {
                if let Type::Path(path) = of {
                    let last = path.path.segments.last().expect("a path has an end");
                    self.proof.logged.insert(last.ident.to_string());
                }
            }
        }
        self.proof
    }

    /// The path inside the library, if it leads there: where the front is defined, and the rest.
    fn in_library(&self, path: &str) -> Option<(String, String)> {
        let path = path.strip_prefix("onewrite::")?;
        let mut front = path;
        loop {
            if let Some(definition) = self.library.exports.get(front) {
                let rest = path.strip_prefix(front).unwrap_or_default();
                return Some((definition.clone(), rest.trim_start_matches("::").to_owned()));
            }
            (front, _) = front.rsplit_once("::")?;
        }
    }

    fn trait_name(&self, path: &str) -> String {
        match self.in_library(path) {
            Some((definition, _)) => definition,
            None => path.rsplit("::").next().unwrap_or_default().to_owned(),
        }
    }

    fn method(&mut self, of: &Type, of_trait: String, name: String) {
        if let Type::Path(path) = of
            && let Some(ident) = path.path.get_ident()
            && let Some(param) = self.params.get(&ident.to_string())
        {
            self.of_params.push((param.clone(), of_trait, name));
            return;
        }
        self.proof.methods.push(Method { of: Some(of.clone()), of_trait, name });
    }

    fn path(&mut self, path: &str) {
        if let Some((front, name)) = path.split_once("::") {
            if self.templates.contains(front) {
                self.proof.of_templates.insert(name.to_owned());
            }
            if self.records.contains(front) {
                self.proof.of_records.insert(name.to_owned());
            }
        }
        let Some((definition, rest)) = self.in_library(path) else { return };
        if rest.is_empty() {
            self.proof.paths.insert(definition);
            return;
        }
        self.proof.paths.insert(format!("{definition}::{rest}"));
        self.proof.methods.push(Method { of: None, of_trait: definition, name: rest });
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_fn(&mut self, item: &'ast ItemFn) {
        let (imports, params) = (self.imports.clone(), self.params.clone());
        let function = item.sig.ident.to_string();
        let types = item.sig.generics.params.iter().filter_map(|param| match param {
            GenericParam::Type(param) => Some(param),
            _ => None,
        });
        for (index, param) in types.enumerate() {
            let place = Param { function: function.clone(), index };
            let is_logged = |bound: &TypeParamBound| match bound {
                TypeParamBound::Trait(bound) => {
                    self.imports.resolve(&bound.path) == "defmt::Format"
                }
                _ => false,
            };
            if param.bounds.iter().any(is_logged) {
                self.logs.push(place.clone());
            }
            self.params.insert(param.ident.to_string(), place);
        }
        visit::visit_item_fn(self, item);
        (self.imports, self.params) = (imports, params);
    }

    fn visit_item_use(&mut self, item: &'ast ItemUse) {
        self.imports.add(item, "");
    }

    fn visit_expr_path(&mut self, path: &'ast ExprPath) {
        visit::visit_expr_path(self, path);
        let full = self.imports.resolve(&path.path);
        let last = path.path.segments.last().expect("a path has an end");
        let types = types(&last.arguments);
        if !types.is_empty() {
            self.instances.entry(last.ident.to_string()).or_default().push(types);
        }
        let Some(qself) = &path.qself else {
            self.path(&full);
            return;
        };
        if let Some((of_trait, name)) = full.rsplit_once("::") {
            let of_trait = self.trait_name(of_trait);
            self.method(&qself.ty, of_trait, name.to_owned());
        }
    }

    fn visit_macro(&mut self, invocation: &'ast Macro) {
        visit::visit_macro(self, invocation);
        let path = self.imports.resolve(&invocation.path);
        if let Some(name) = path.strip_prefix("onewrite::") {
            self.proof.macros.insert(name.to_owned());
        }
    }
}

fn types_of<'i>(
    instances: &'i HashMap<String, Vec<Vec<Type>>>,
    param: &Param,
) -> impl Iterator<Item = &'i Type> {
    let calls = instances.get(&param.function).map(Vec::as_slice).unwrap_or_default();
    let index = param.index;
    calls.iter().filter_map(move |types| types.get(index))
}

fn types(arguments: &PathArguments) -> Vec<Type> {
    let PathArguments::AngleBracketed(arguments) = arguments else { return Vec::new() };
    let types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(of) => Some(of.clone()),
        _ => None,
    });
    types.collect()
}

fn derives_record(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("derive")
            && attribute.meta.require_list().is_ok_and(|list| {
                let names = list.tokens.to_string();
                names.split(',').any(|name| ["Record", "Encode", "Decode"].contains(&name.trim()))
            })
    })
}
