//! Which features are checked together: none, all, each alone, and any three in all eight ways, on and
//! off.

use std::collections::BTreeSet;
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
    let chosen = |which: u32| {
        let names = features.iter().enumerate().filter(|(index, _)| which & (1 << index) != 0);
        names.map(|(_, name)| name.clone()).collect()
    };
    choices(features.len()).into_iter().map(chosen).collect()
}

/// Sets of features, a bit each. Pairs alone would be more sets and show less: what two of them need of
/// a third is seen only with and without it.
fn choices(features: usize) -> Vec<u32> {
    let all = (1 << features) - 1;
    let mut sets: Vec<u32> = (0..features).map(|index| 1 << index).chain([0, all]).collect();
    let mut missing = threes(features);
    sets.iter().for_each(|&set| missing.retain(|three| !three.is_in(set)));
    while !missing.is_empty() {
        // Of several that show the most, the one with the smallest number.
        let shown = |set: &u32| missing.iter().filter(|three| three.is_in(*set)).count();
        let Some(best) = (0..=all).rev().max_by_key(shown) else { break };
        missing.retain(|three| !three.is_in(best));
        sets.push(best);
    }
    sets.sort_unstable();
    sets.dedup();
    sets
}

/// Three features, and which of them are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Three {
    features: u32,
    on: u32,
}

impl Three {
    const fn is_in(self, set: u32) -> bool {
        set & self.features == self.on
    }
}

/// All threes of so many features, in all eight ways.
fn threes(features: usize) -> BTreeSet<Three> {
    let sets = (0..1_u32 << features).filter(|set| set.count_ones() == 3);
    sets.flat_map(|features| {
        // Every subset of the three bits.
        (0..=features).filter(move |on| on & !features == 0).map(move |on| Three { features, on })
    })
    .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

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
    fn none_each_and_all_are_checked_and_any_three_on_and_off() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).into();
        let all = combinations(&names);
        assert!(all.contains(&vec![]) && all.contains(&names));
        assert!(names.iter().all(|name| all.contains(&vec![name.clone()])));
        let distinct: BTreeSet<_> = all.iter().collect();
        assert_eq!(distinct.len(), all.len());
        let has = |set: &[String], index: usize| set.contains(&names[index]);
        for (a, b, c) in [(0, 1, 2), (0, 2, 4), (1, 3, 4), (2, 3, 4), (0, 3, 4)] {
            let ways = all.iter().map(|set| [has(set, a), has(set, b), has(set, c)]);
            assert_eq!(ways.collect::<BTreeSet<_>>().len(), 8);
        }
    }

    #[test]
    fn few_features_are_checked_in_all_ways_that_there_are() {
        assert_eq!(choices(1), [0, 1]);
        assert_eq!(choices(2), [0, 1, 2, 3]);
        assert_eq!(choices(3), [0, 1, 2, 3, 4, 5, 6, 7]);
        // Pairs, of nine features, would be 47.
        assert_eq!(choices(9).len(), 20);
    }
}
