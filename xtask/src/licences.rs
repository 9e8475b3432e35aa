//! The licences of everything that a build of this workspace may use: each one allowed, or named.
//!
//! What cargo resolves is looked at, for every platform and feature and with what only tests use.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;
use spdx::{Expression, LicenseReq, ParseMode};

use crate::process;
use crate::toolchain::{Place, Toolchain};

/// Licences that ask for no more than that their text is kept. Another one of a choice is fine.
///
/// Unicode-3.0 is that of the tables in `unicode-ident`.
const ALLOWED: [&str; 10] = [
    "MIT",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "0BSD",
    "ISC",
    "Zlib",
    "Unicode-3.0",
    "Unicode-DFS-2016",
];

/// Packages with another licence, and why they may be here all the same.
///
/// Only `xtask` may use them, which is never published and never part of what somebody ships.
const EXCEPTIONS: [(&str, &str, &str); 2] = [
    ("alterable_logger", "MPL-2.0", "defmt-decoder needs it; only xtask reads logs"),
    ("colored", "MPL-2.0", "defmt-decoder needs it; only xtask reads logs"),
];

/// In older packages a slash stands for a choice.
const MODE: ParseMode = ParseMode { allow_slash_as_or_operator: true, ..ParseMode::STRICT };

/// The one that may use the exceptions.
const TOOL: &str = "xtask";

/// What `cargo metadata` says, as far as we ask.
#[derive(Debug, Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    workspace_members: Vec<String>,
    resolve: Resolve,
}

#[derive(Debug, Deserialize)]
struct Package {
    id: String,
    name: String,
    version: String,
    license: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    dependencies: Vec<String>,
}

/// Fails where a package has a licence that is neither allowed nor an exception.
pub(crate) fn check() -> Result<String> {
    let mut command = Toolchain::host()?.cargo(Place::Host, "metadata");
    command.args(["--format-version=1", "--all-features", "--locked"]);
    let metadata = serde_json::from_str(&process::capture(&mut command)?)?;
    judge(&metadata)
}

fn judge(metadata: &Metadata) -> Result<String> {
    let mut wrong = Vec::new();
    let mut excepted = BTreeSet::new();
    for package in &metadata.packages {
        let Package { name, version, .. } = package;
        let licence = package.license.as_deref();
        if let Some((name, ..)) =
            EXCEPTIONS.iter().find(|(known, of, _)| *known == name && licence == Some(*of))
        {
            excepted.insert(*name);
        } else if let Err(error) = is_allowed(licence) {
            wrong.push(format!("{name} {version}: {error:#}"));
        }
    }
    for (name, licence, _) in EXCEPTIONS.iter().filter(|(name, ..)| !excepted.contains(name)) {
        wrong.push(format!("no {name} with {licence} is used: remove the exception"));
    }
    let shipped = shipped(metadata);
    for name in excepted.iter().filter(|name| shipped.contains(*name)) {
        wrong.push(format!("{name}: an exception is for {TOOL}, and not only {TOOL} uses it"));
    }
    if !wrong.is_empty() {
        bail!(
            "{}\nallowed are {}; CONTRIBUTING.md says what to do",
            wrong.join("\n"),
            ALLOWED.join(", ")
        );
    }
    Ok(format!("{} packages, {} of them exceptions", metadata.packages.len(), excepted.len()))
}

fn is_allowed(licence: Option<&str>) -> Result<()> {
    let licence = licence.context("it names no licence")?;
    let expression = Expression::parse_mode(licence, MODE)
        .with_context(|| format!("{licence:?} is no licence expression"))?;
    let known = |wanted: &LicenseReq| ALLOWED.contains(&wanted.to_string().as_str());
    if expression.evaluate(known) { Ok(()) } else { bail!("{licence} is not allowed") }
}

/// The names of what anybody but the tool uses, and be it in a test.
fn shipped(metadata: &Metadata) -> BTreeSet<&str> {
    let package = |id: &str| metadata.packages.iter().find(|package| package.id == id);
    let nodes: BTreeMap<&str, &Node> =
        metadata.resolve.nodes.iter().map(|node| (node.id.as_str(), node)).collect();
    let mut waiting: Vec<&str> = metadata
        .workspace_members
        .iter()
        .map(String::as_str)
        .filter(|id| package(id).is_none_or(|package| package.name != TOOL))
        .collect();
    let mut seen: BTreeSet<&str> = waiting.iter().copied().collect();
    while let Some(id) = waiting.pop() {
        for next in nodes.get(id).into_iter().flat_map(|node| &node.dependencies) {
            if seen.insert(next) {
                waiting.push(next);
            }
        }
    }
    seen.into_iter().filter_map(package).map(|package| package.name.as_str()).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn of_a_choice_one_has_to_be_allowed_and_of_a_sum_all() {
        for licence in [
            "MIT",
            "MIT/Apache-2.0",
            "Unlicense OR MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "MIT OR Apache-2.0 OR LGPL-2.1-or-later",
        ] {
            is_allowed(Some(licence)).unwrap();
        }
        for licence in
            ["MPL-2.0", "CC0-1.0", "Unlicense", "MIT AND GPL-3.0-only", "LGPL-2.1", "my own"]
        {
            assert!(is_allowed(Some(licence)).is_err(), "{licence}");
        }
        assert!(is_allowed(None).unwrap_err().to_string().contains("names no licence"));
    }

    /// The tool and the library, each with what it uses.
    fn metadata(tool: &[&str], library: &[&str], other: &str) -> Metadata {
        let package = |name: &str, licence: &str| Package {
            id: name.to_owned(),
            name: name.to_owned(),
            version: "1.0.0".to_owned(),
            license: Some(licence.to_owned()),
        };
        let node = |id: &str, dependencies: &[&str]| Node {
            id: id.to_owned(),
            dependencies: dependencies.iter().map(|&name| name.to_owned()).collect(),
        };
        Metadata {
            packages: vec![
                package(TOOL, "MIT"),
                package("onewrite", "MIT"),
                package("colored", "MPL-2.0"),
                package("alterable_logger", "MPL-2.0"),
                package("between", other),
            ],
            workspace_members: vec![TOOL.to_owned(), "onewrite".to_owned()],
            resolve: Resolve {
                nodes: vec![
                    node(TOOL, tool),
                    node("onewrite", library),
                    node("between", &["colored"]),
                    node("colored", &[]),
                ],
            },
        }
    }

    #[test]
    fn an_exception_is_only_for_the_tool() {
        let good = metadata(&["between", "alterable_logger"], &[], "MIT");
        assert_eq!(judge(&good).unwrap(), "5 packages, 2 of them exceptions");
        let error = judge(&metadata(&[], &["between"], "MIT")).unwrap_err().to_string();
        assert!(error.contains("colored: an exception is for xtask"), "{error}");
        let error = judge(&metadata(&[], &[], "MPL-2.0")).unwrap_err().to_string();
        assert!(error.contains("between 1.0.0: MPL-2.0 is not allowed"), "{error}");
        // Another licence than the one that was looked at, and none any more.
        let mut changed = metadata(&[], &[], "MIT");
        changed.packages[2].license = Some("GPL-3.0-only".to_owned());
        let error = judge(&changed).unwrap_err().to_string();
        assert!(error.contains("colored 1.0.0: GPL-3.0-only"), "{error}");
        assert!(error.contains("no colored with MPL-2.0 is used"), "{error}");
    }
}
