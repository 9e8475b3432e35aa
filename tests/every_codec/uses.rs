//! What the names in a module stand for.

use std::collections::HashMap;

use syn::{Item, ItemUse, UseTree};

/// Imported name to path; paths inside the crate have no `crate::` in front.
#[derive(Clone, Debug, Default)]
pub(crate) struct Imports(HashMap<String, String>);

impl Imports {
    /// The imports among `items` of `module`.
    pub(crate) fn of(items: &[Item], module: &str) -> Self {
        let mut imports = Self::default();
        for item in items {
            if let Item::Use(item) = item {
                imports.add(item, module);
            }
        }
        imports
    }

    pub(crate) fn add(&mut self, item: &ItemUse, module: &str) {
        self.0.extend(Self::of_use(item, module));
    }

    /// Each name that `item` brings, and the path behind it.
    pub(crate) fn of_use(item: &ItemUse, module: &str) -> Vec<(String, String)> {
        let mut found = Vec::new();
        leaves(&item.tree, "", &mut found);
        found.into_iter().map(|(name, path)| (name, absolute(&path, module))).collect()
    }

    /// The path that `path` stands for, without arguments.
    pub(crate) fn resolve(&self, path: &syn::Path) -> String {
        let mut segments = path.segments.iter().map(|segment| segment.ident.to_string());
        let first = segments.next().unwrap_or_default();
        let start = match (first.as_str(), self.0.get(&first)) {
            ("crate", _) => String::new(),
            (_, Some(target)) if path.leading_colon.is_none() => target.clone(),
            _ => first,
        };
        segments.fold(start, |path, name| joined(&path, &name))
    }
}

fn leaves(tree: &UseTree, front: &str, found: &mut Vec<(String, String)>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, &joined(front, &path.ident.to_string()), found),
        UseTree::Name(name) if name.ident == "self" => {
            let (_, last) = front.rsplit_once("::").unwrap_or(("", front));
            found.push((last.to_owned(), front.to_owned()));
        }
        UseTree::Name(name) => {
            let name = name.ident.to_string();
            found.push((name.clone(), joined(front, &name)));
        }
        UseTree::Rename(rename) => {
            found.push((rename.rename.to_string(), joined(front, &rename.ident.to_string())));
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, front, found)),
        UseTree::Glob(_) => {}
    }
}

/// `path`, as it stands in `module`, from the root of the crate.
fn absolute(path: &str, module: &str) -> String {
    if let Some(path) = path.strip_prefix("crate::") {
        return path.to_owned();
    }
    if let Some(path) = path.strip_prefix("self::") {
        return joined(module, path);
    }
    let (mut path, mut module) = (path, Some(module));
    while let Some(rest) = path.strip_prefix("super::") {
        path = rest;
        module = module.map(|module| module.rsplit_once("::").map_or("", |(parent, _)| parent));
        if !path.starts_with("super::") {
            return joined(module.unwrap_or_default(), path);
        }
    }
    path.to_owned()
}

pub(crate) fn joined(front: &str, name: &str) -> String {
    match (front, name) {
        ("", name) => name.to_owned(),
        (front, "") => front.to_owned(),
        (front, name) => format!("{front}::{name}"),
    }
}
