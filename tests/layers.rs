//! Arrows point down: a module names only modules of a layer below its own.
//!
//! Read from the source text, with comments, strings and `#[cfg(test)]` modules left out.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test may panic")]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

use std::fs;
use std::path::Path;

/// Bottom first. Modules of one layer do not know each other.
const LAYERS: &[&[&str]] = &[
    &["error"],
    &["leb128", "interruptions"],
    &["sink", "source", "reader"],
    &["record"],
    &["literal", "string_table"],
    &["render_batch", "bsatn", "compression", "http", "websocket"],
    &["spacetimedb", "page", "circuit"],
    // Documentation alone.
    &["machine_code"],
];

/// Names at the crate root that stand for a module.
const ALIASES: &[(&str, &str)] = &[
    ("__private", "record"),
    ("__http_response", "http"),
    ("__http_routes", "http"),
    ("template", "literal"),
];

/// The interface for C, which stands on top of the library.
const C_LAYERS: &[&[&str]] = &[
    &["status", "version"],
    &["memory"],
    &["handle", "list"],
    &["leb128", "record", "render_batch", "bsatn", "http"],
];

const C_ALIASES: &[(&str, &str)] = &[("Status", "status")];

/// The commands of the workspace.
const COMMAND_LAYERS: &[&[&str]] = &[
    &["hash", "missing", "named", "parallel", "process", "serial", "workspace"],
    &["log", "progress", "ssh", "toolchain"],
    &["features", "fuzz", "licences", "report", "setup"],
    &["budgets", "cross_check", "firmware", "interop", "machine", "vm"],
    &["deploy", "qemu", "sd_image", "size"],
    &["count"],
    &["codegen", "expectation", "footprint", "throughput"],
    &["bench", "bless", "capi"],
    &["test"],
    &["ci"],
    &["main"],
];

/// A toolchain is looked for where set-up puts it: the two are one, in two files.
const COMMAND_ALIASES: &[(&str, &str)] = &[("setup", "toolchain")];

fn layer(module: &str) -> Option<usize> {
    layer_in(LAYERS, module)
}

fn layer_in(layers: &[&[&str]], module: &str) -> Option<usize> {
    layers.iter().position(|modules| modules.contains(&module))
}

#[test]
fn arrows_point_down() {
    let arrows = check("src", LAYERS, ALIASES);
    assert!(arrows > 20, "only {arrows} names found: is the source read at all?");
}

#[test]
fn arrows_of_the_interface_for_c_point_down() {
    let arrows = check("capi/src", C_LAYERS, C_ALIASES);
    assert!(arrows > 20, "only {arrows} names found: is the source read at all?");
}

#[test]
fn arrows_of_the_commands_point_down() {
    let arrows = check("xtask/src", COMMAND_LAYERS, COMMAND_ALIASES);
    assert!(arrows > 100, "only {arrows} names found: is the source read at all?");
}

/// The interface for C uses what everybody can use.
#[test]
fn the_interface_for_c_names_public_modules() {
    let mut names = 0;
    visit(&Path::new(env!("CARGO_MANIFEST_DIR")).join("capi/src"), &mut |path| {
        let tokens = tokens(&fs::read_to_string(path).unwrap());
        for at in 0..tokens.len() {
            if tokens[at] == "onewrite" && is(&tokens, at + 1, "::") {
                names += 1;
                let name = &tokens[at + 2];
                assert!(layer(name).is_some(), "{}: onewrite::{name}", path.display());
            }
        }
    });
    assert!(names > 10, "only {names} names found: is the source read at all?");
}

/// Fails on an arrow in `folder` that points up; returns how many there are.
fn check(folder: &str, layers: &[&[&str]], aliases: &[(&str, &str)]) -> usize {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut wrong = Vec::new();
    let mut arrows = 0;
    visit(&source, &mut |path| {
        let inside = path.strip_prefix(&source).unwrap().with_extension("");
        let mut place: Vec<_> =
            inside.components().map(|part| part.as_os_str().to_str().unwrap()).collect();
        if place == ["lib"] {
            return;
        }
        place.pop_if(|last| *last == "mod");
        for name in root_names(&fs::read_to_string(path).unwrap(), place.len()) {
            arrows += 1;
            if let Some(why) = complaint_in(layers, aliases, place[0], &name) {
                wrong.push(format!("{}: {why}", path.display()));
            }
        }
    });
    assert!(wrong.is_empty(), "{wrong:#?}");
    arrows
}

#[test]
fn every_module_has_a_layer() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lib.rs");
    let tokens = tokens(&fs::read_to_string(root).unwrap());
    let modules: Vec<_> =
        tokens.windows(2).filter(|pair| pair[0] == "mod").map(|pair| &pair[1]).collect();
    assert!(modules.len() > 5, "{modules:?}");
    for module in modules {
        assert!(layer(module).is_some(), "{module} stands in no layer");
    }
}

#[test]
fn upward_arrows_are_found_in_every_form() {
    for (text, depth) in [
        ("use crate::record::put;", 1),
        ("use crate::{error::DecodeError, record};", 1),
        ("use crate::{error::{DecodeError, WriteError}, record::{put, get}};", 2),
        ("fn f() -> crate::record::Scratch<2> {}", 2),
        ("macro_rules! m { () => { $crate::record::put() } }", 1),
        ("use super::record;", 1),
        ("use super::{error, record::put};", 1),
        ("use super::super::record::put;", 2),
        ("use super::super::{record::put};", 2),
        ("mod inner { use super::super::record; }", 1),
        ("const C: char = '\"'; use crate::record; const D: char = '\"';", 1),
        ("fn f<'a>(x: &'a str) { crate::record::put() }", 1),
        ("/* a /* b */ c */ use crate::record; // crate::error", 1),
    ] {
        let names = root_names(text, depth);
        assert!(names.contains(&"record".to_owned()), "{text}: {names:?}");
    }
    assert!(complaint("sink", "record").is_some());
    assert!(complaint("sink", "source").is_some());
    assert!(complaint("record", "literal").is_some());
    assert!(complaint("render_batch", "http").is_some());
    // A name that the root re-exports hides which module is meant.
    assert!(complaint("render_batch", "Record").is_some());
    assert_eq!(root_names("use super::*;", 1), ["*"]);
    assert!(complaint("sink", "*").is_some());
    assert!(complaint("new_module", "error").is_some());
}

#[test]
fn downward_arrows_and_prose_are_not() {
    assert!(complaint("render_batch", "record").is_none());
    assert!(complaint("record", "sink").is_none());
    assert!(complaint("record", "record").is_none());
    assert!(complaint("record", "__private").is_none());
    for (text, depth) in [
        ("// use crate::record;", 1),
        ("/// See [`put`](crate::record::put).\n//! crate::record", 1),
        ("const S: &str = \"crate::record\"; const R: &str = r#\"a \" crate::record\"#;", 1),
        ("const B: &[u8] = b\"crate::record \\\" crate::record\";", 1),
        ("#[cfg(test)]\nmod tests { use super::*; fn f() { crate::record::put() } }", 1),
        ("use super::record;", 2),
        ("mod inner { use super::record; }", 1),
        ("pub(crate) fn f() {} pub(super) fn g() {}", 1),
        ("macro_rules! m { () => { $crate::record!() } }", 1),
    ] {
        assert_eq!(root_names(text, depth), [""; 0], "{text}");
    }
    // What follows a test module is read again.
    let text = "#[cfg(test)] mod tests { fn f() { if a { b } } } use crate::record;";
    assert_eq!(root_names(text, 1), ["record"]);
}

/// What is wrong with `module` naming `name` of the crate root.
fn complaint(module: &str, name: &str) -> Option<String> {
    complaint_in(LAYERS, ALIASES, module, name)
}

fn complaint_in(
    layers: &[&[&str]],
    aliases: &[(&str, &str)],
    module: &str,
    name: &str,
) -> Option<String> {
    let target = aliases.iter().find(|alias| alias.0 == name).map_or(name, |alias| alias.1);
    match (layer_in(layers, module), layer_in(layers, target)) {
        _ if module == target => None,
        (Some(here), Some(there)) if there < here => None,
        (Some(_), Some(_)) => Some(format!("{module} names {name}, which is not below it")),
        (None, _) => Some(format!("{module} stands in no layer")),
        (_, None) => Some(format!("{module} names {name} of the root, which is no module")),
    }
}

/// Every name of the crate root that `text` mentions, in a module `depth` levels below it.
fn root_names(text: &str, depth: usize) -> Vec<String> {
    let tokens = without_test_modules(tokens(text));
    let mut names = Vec::new();
    // For every brace that is open, whether it belongs to an inline module.
    let mut braces = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match tokens[at].as_str() {
            "{" => braces.push(at >= 2 && tokens[at - 2] == "mod"),
            "}" => drop(braces.pop()),
            "crate" if is(&tokens, at + 1, "::") => after_root(&tokens, at + 2, &mut names),
            "crate" if is(&tokens, at + 1, "as") => names.push("crate".to_owned()),
            "super" => {
                let mut ups = 1;
                while is(&tokens, at + 1, "::") && is(&tokens, at + 2, "super") {
                    ups += 1;
                    at += 2;
                }
                let inline = braces.iter().filter(|module| **module).count();
                if ups == depth + inline && is(&tokens, at + 1, "::") {
                    after_root(&tokens, at + 2, &mut names);
                }
            }
            _ => {}
        }
        at += 1;
    }
    names
}

/// The names directly behind `crate::`, which stands in front of token `at`.
fn after_root(tokens: &[String], at: usize, names: &mut Vec<String>) {
    if !is(tokens, at, "{") {
        if !is(tokens, at + 1, "!") {
            names.push(tokens[at].clone());
        }
        return;
    }
    let mut nesting = 0;
    for pair in tokens[at..].windows(2) {
        match pair[0].as_str() {
            "{" => nesting += 1,
            "}" => nesting -= 1,
            _ => {}
        }
        if nesting == 0 {
            return;
        }
        if nesting == 1 && ["{", ","].contains(&pair[0].as_str()) && pair[1] != "}" {
            names.push(pair[1].clone());
        }
    }
}

fn is(tokens: &[String], at: usize, token: &str) -> bool {
    tokens.get(at).is_some_and(|found| found == token)
}

/// Drops `#[cfg(test)] mod name { … }`.
fn without_test_modules(tokens: Vec<String>) -> Vec<String> {
    let attribute = ["#", "[", "cfg", "(", "test", ")", "]", "mod"];
    let mut kept = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if tokens[at..].iter().map(String::as_str).take(attribute.len()).eq(attribute) {
            at += attribute.len() + 1;
            let mut nesting = 0;
            while at < tokens.len() {
                match tokens[at].as_str() {
                    "{" => nesting += 1,
                    "}" => nesting -= 1,
                    _ => {}
                }
                at += 1;
                if nesting == 0 {
                    break;
                }
            }
        } else {
            kept.push(tokens[at].clone());
            at += 1;
        }
    }
    kept
}

/// Words, `::` and single signs; no comments, strings, characters or lifetimes.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let word: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let raw = rest.trim_start_matches(['b', 'c']);
        let len = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            block_comment(rest)
        } else if is_raw_string(raw) {
            let hashes: String = raw[1..].chars().take_while(|c| *c == '#').collect();
            let start = rest.find('"').unwrap() + 1;
            let end = format!("\"{hashes}");
            start + rest[start..].find(&end).unwrap() + end.len()
        } else if word.is_empty() && first == '"' {
            quoted(rest, '"')
        } else if first == '\'' {
            let escaped = rest[1..].starts_with('\\');
            let is_char = escaped || rest[1..].chars().nth(1) == Some('\'');
            if is_char { quoted(rest, '\'') } else { 1 }
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else if !word.is_empty() {
            let len = word.len();
            tokens.push(word);
            len
        } else {
            if !first.is_whitespace() {
                tokens.push(first.to_string());
            }
            first.len_utf8()
        };
        rest = &rest[len..];
    }
    tokens
}

/// Whether `text` starts with `r"` or `r#"`, with any number of signs, and not with `r#word`.
fn is_raw_string(text: &str) -> bool {
    text.strip_prefix('r').is_some_and(|rest| rest.trim_start_matches('#').starts_with('"'))
}

/// The length of the block comment, which may hold others, that `text` starts with.
fn block_comment(text: &str) -> usize {
    let mut nesting = 0;
    let mut at = 0;
    loop {
        if text[at..].starts_with("/*") {
            nesting += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            nesting -= 1;
            at += 2;
        } else {
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        }
        if nesting == 0 || at == text.len() {
            return at;
        }
    }
}

/// The length of the quoted text that `text` starts with, its quotes included.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if c == quote && !escaped {
            return at + c.len_utf8();
        }
        escaped = c == '\\' && !escaped;
    }
    text.len()
}

fn visit(folder: &Path, file: &mut impl FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            visit(&path, file);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            file(&path);
        }
    }
}
