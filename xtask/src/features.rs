//! Which features are checked together: none, all, each alone and all pairs.

use std::fs;

use anyhow::{Context as _, Result, bail};

use crate::toolchain::{Place, Toolchain};
use crate::{parallel, process, workspace};

/// Checks the library with every combination; returns what was done in words.
pub(crate) fn check() -> Result<String> {
    let text = fs::read_to_string(workspace::root().join("Cargo.toml"))?;
    let combinations = combinations(&features(&text)?);
    let toolchain = Toolchain::host()?;
    // Cargo does one thing at a time in a build folder, and the compiler only looks: a folder a core.
    let cores = parallel::cores();
    let shares: Vec<usize> = (0..cores).collect();
    let checked = parallel::map(&shares, |&share| {
        let folder = workspace::target_folder().join(format!("xtask-features-{share}"));
        for combination in combinations.iter().skip(share).step_by(cores) {
            let mut command = toolchain.cargo_with(Place::Host, "check", &["-Dwarnings"]);
            command.args(["--quiet", "--package=onewrite", "--lib", "--no-default-features"]);
            command.arg(format!("--features={}", combination.join(",")));
            process::run(command.env("CARGO_TARGET_DIR", &folder))?;
        }
        Ok(())
    });
    checked.into_iter().collect::<Result<()>>()?;
    Ok(format!("{} combinations", combinations.len()))
}

/// The names in the `[features]` table of a manifest, without `default`.
fn features(manifest: &str) -> Result<Vec<String>> {
    let (_, table) = manifest.split_once("\n[features]\n").context("no [features] table")?;
    let lines = table.lines().take_while(|line| !line.starts_with('['));
    let names = lines.filter_map(|line| {
        let (name, _) = line.split_once('=')?;
        let name = name.trim();
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        (is_name && !name.is_empty() && name != "default").then(|| name.to_owned())
    });
    let names: Vec<String> = names.collect();
    if names.is_empty() {
        bail!("no feature was found in the manifest");
    }
    Ok(names)
}

fn combinations(features: &[String]) -> Vec<Vec<String>> {
    let mut all = vec![Vec::new()];
    all.extend(features.iter().map(|feature| vec![feature.clone()]));
    for (index, first) in features.iter().enumerate() {
        for second in features.iter().skip(index + 1) {
            all.push(vec![first.clone(), second.clone()]);
        }
    }
    if features.len() > 2 {
        all.push(features.to_vec());
    }
    all
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn features_are_read_from_the_manifest() {
        let text = "[package]\nname = \"a\"\n\n[features]\ndefault = [\"x\"]\n# note = 1\n## doc\n\
            x = [\"dep:x\"]\ny-07 = [\n  \"dep:y\",\n]\n\n[dependencies]\nz = \"1\"\n";
        assert_eq!(features(text).unwrap(), ["x", "y-07"]);
        assert!(features("[features]\n").is_err());
        let ours = fs::read_to_string(workspace::root().join("Cargo.toml")).unwrap();
        assert!(features(&ours).unwrap().contains(&"derive".to_owned()));
    }

    #[test]
    fn none_each_pairs_and_all() {
        let names: Vec<String> = ["a", "b", "c", "d"].map(str::to_owned).into();
        let all = combinations(&names);
        assert_eq!(all.len(), 1 + 4 + 6 + 1);
        assert!(all.contains(&vec![]) && all.contains(&names));
        let distinct: std::collections::BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        assert_eq!(combinations(&["a".into(), "b".into()]).len(), 4);
    }
}
