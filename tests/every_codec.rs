//! The proof that nothing panics has to call everything: `examples/every_circuit`, `examples/every_codec`,
//! `examples/every_connection`, `examples/every_decompressor`, `examples/every_future`,
//! `examples/every_page` and `examples/every_socket` against the public interface, all read from their
//! sources.
//!
//! Functions, inherent methods, methods of each implementation of a trait, macros, what the macros
//! write for their callers, and types that can be logged. Derived `Clone`, `PartialEq` and the like
//! are not listed.
#![allow(clippy::expect_used, clippy::panic, reason = "a panic is how a test fails")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "every_codec/expand.rs"]
mod expand;
#[path = "every_codec/library.rs"]
mod library;
#[path = "every_codec/proof.rs"]
mod proof;
#[path = "every_codec/uses.rs"]
mod uses;

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use quote::ToTokens as _;
use syn::Type;
use syn::visit::Visit as _;

use library::{Callable, Library};
use proof::{Method, Proof};

/// What need not be called, and why.
const ALLOWED: [(&str, &str); 2] = [
    (" as Debug>::fmt", "core::fmt is not ours, and a firmware logs with defmt"),
    (" as Display>::fmt", "core::fmt is not ours, and a firmware logs with defmt"),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read() -> (Library, Proof) {
    let library = Library::read(&root().join("src/lib.rs"));
    let examples = ["circuit", "codec", "connection", "decompressor", "future", "page", "socket"]
        .map(|name| root().join("examples").join(format!("every_{name}")));
    let proof = Proof::read(&examples.each_ref().map(std::path::PathBuf::as_path), &library);
    (library, proof)
}

#[test]
fn every_public_function_is_called() {
    let (library, proof) = read();
    // A walk that finds little would prove little.
    assert!(library.callables.len() > 250, "only {} found", library.callables.len());

    let mut missing = Vec::new();
    let mut used = HashSet::new();
    for callable in &library.callables {
        let name = name(callable);
        if is_called(callable, &proof) {
            continue;
        }
        match ALLOWED.iter().find(|(allowed, _)| name.ends_with(allowed)) {
            Some((allowed, _)) => {
                used.insert(*allowed);
            }
            None => missing.push(name),
        }
    }
    missing.sort();
    assert!(missing.is_empty(), "call these in examples/every_codec:\n{}", missing.join("\n"));
    assert_eq!(used.len(), ALLOWED.len(), "an exception that nothing needs");
}

#[test]
fn everything_that_can_be_logged_is_logged() {
    let (library, proof) = read();
    assert!(library.logged.len() > 15, "only {} found", library.logged.len());
    let mut missing = library.logged;
    missing.retain(|path| !proof.logged.contains(path.rsplit("::").next().unwrap_or_default()));
    assert!(missing.is_empty(), "log these in examples/every_codec/log.rs: {missing:?}");
}

/// What the derive writes is in its `quote!`s.
#[test]
fn every_function_of_a_derived_type_is_called() {
    struct Quotes(Vec<String>);
    impl<'ast> syn::visit::Visit<'ast> for Quotes {
        fn visit_macro(&mut self, invocation: &'ast syn::Macro) {
            if invocation.path.segments.last().is_some_and(|last| last.ident == "quote") {
                expand::functions(invocation.tokens.clone(), &mut self.0);
            }
        }
    }

    let (_, proof) = read();
    let mut quotes = Quotes(Vec::new());
    for folder in ["derive/src/expand", "derive/src/bsatn"] {
        for entry in fs::read_dir(root().join(folder)).expect("the derive is there") {
            let text = fs::read_to_string(entry.expect("a file").path()).expect("a text");
            quotes.visit_file(&syn::parse_file(&text).expect("a source file"));
        }
    }
    let found: HashSet<String> = quotes.0.into_iter().collect();
    for name in ["to_bytes", "write_at", "from_bytes", "put", "get", "encoded_len", "decode"] {
        assert!(found.contains(name), "{name} is not among {found:?}");
    }
    let missing: Vec<&String> =
        found.iter().filter(|name| !proof.of_records.contains(*name)).collect();
    assert!(
        missing.is_empty(),
        "call these in derive.rs or bsatn.rs of examples/every_codec: {missing:?}"
    );
}

fn is_called(callable: &Callable, proof: &Proof) -> bool {
    match callable {
        Callable::Path(path) => proof.paths.contains(path),
        Callable::Macro(name) => proof.macros.contains(name),
        Callable::OfTemplate(name) => proof.of_templates.contains(name),
        Callable::Method { of, of_trait, name } => proof.methods.iter().any(|method| {
            let Method { of: called_for, of_trait: called_trait, name: called } = method;
            let is_for = match (of, called_for) {
                (None, _) => true,
                (Some(pattern), Some(of)) => is_like(&pattern.0, &pattern.1, of),
                (Some(_), None) => false,
            };
            is_for && called_trait == of_trait && called == name
        }),
    }
}

fn name(callable: &Callable) -> String {
    match callable {
        Callable::Path(path) => path.clone(),
        Callable::Macro(name) => format!("{name}!"),
        Callable::OfTemplate(name) => format!("template!: {name}"),
        Callable::Method { of, of_trait, name } => {
            let of = match of {
                Some(of) => of.0.to_token_stream().to_string(),
                None => "_".to_owned(),
            };
            format!("<{of} as {of_trait}>::{name}")
        }
    }
}

/// Whether `of` is a type that `pattern` describes, where `params` stand for any type.
///
/// Arguments of a type are not looked at: one instance of a generic type stands for all.
fn is_like(pattern: &Type, params: &HashSet<String>, of: &Type) -> bool {
    match (pattern, of) {
        (Type::Path(pattern), _)
            if pattern
                .path
                .get_ident()
                .is_some_and(|ident| params.contains(&ident.to_string())) =>
        {
            true
        }
        (Type::Path(pattern), Type::Path(of)) => {
            let last = |path: &syn::Path| path.segments.last().map(|last| last.ident.to_string());
            last(&pattern.path) == last(&of.path)
        }
        (Type::Reference(pattern), Type::Reference(of)) => is_like(&pattern.elem, params, &of.elem),
        (Type::Array(pattern), Type::Array(of)) => is_like(&pattern.elem, params, &of.elem),
        (Type::Slice(pattern), Type::Slice(of)) => is_like(&pattern.elem, params, &of.elem),
        (Type::Tuple(pattern), Type::Tuple(of)) => pattern.elems.len() == of.elems.len(),
        _ => false,
    }
}
