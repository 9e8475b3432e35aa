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

/// A feature of a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Feature {
    name: String,
    /// Names of features that cargo turns on with it.
    implies: Vec<String>,
}

/// The `[features]` table of a manifest, without `default`.
fn features(manifest: &str) -> Result<Vec<Feature>> {
    let (_, table) = manifest.split_once("\n[features]\n").context("no [features] table")?;
    let mut features = Vec::new();
    let (mut rest, mut offset) = (table.lines(), 0);
    while let Some(line) = rest.next().filter(|line| !line.starts_with('[')) {
        let value = table.get(offset..).unwrap_or_default();
        offset += line.len() + 1;
        let Some((name, _)) = line.split_once('=') else { continue };
        let name = name.trim();
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        if !is_name || name.is_empty() || name == "default" {
            continue;
        }
        // Every other piece between quotation marks; optional dependencies are no features.
        let (list, _) = value.split_once(']').with_context(|| format!("no list for {name}"))?;
        let names = list.split('"').skip(1).step_by(2);
        let implies = names.filter(|name| !name.contains([':', '/'])).map(str::to_owned).collect();
        features.push(Feature { name: name.to_owned(), implies });
    }
    if features.is_empty() {
        bail!("no feature was found in the manifest");
    }
    Ok(features)
}

fn combinations(features: &[Feature]) -> Vec<Vec<String>> {
    let implied: Vec<u32> = features
        .iter()
        .map(|feature| {
            let all = features.iter().enumerate();
            let on = all.filter(|(_, other)| feature.implies.contains(&other.name));
            on.fold(0, |set, (index, _)| set | 1 << index)
        })
        .collect();
    let chosen = |which: u32| {
        let on = features.iter().enumerate().filter(|(index, _)| which & (1 << index) != 0);
        on.map(|(_, feature)| feature.name.clone()).collect()
    };
    choices(&implied).into_iter().map(chosen).collect()
}

/// What is on with `set`, by what each feature implies.
fn closed(set: u32, implied: &[u32]) -> u32 {
    let on = implied.iter().enumerate().filter(|(index, _)| set & (1 << index) != 0);
    let more = on.fold(set, |more, (_, implied)| more | implied);
    if more == set { set } else { closed(more, implied) }
}

/// Sets of features, a bit each; of each feature, what it implies. Pairs alone would be more sets and show
/// less: what two of them need of a third is seen only with and without it.
fn choices(implied: &[u32]) -> Vec<u32> {
    let features = implied.len();
    let all = (1 << features) - 1;
    let each = (0..features).map(|index| closed(1 << index, implied));
    let mut sets: Vec<u32> = each.chain([0, all]).collect();
    let mut missing = threes(features);
    missing.retain(|three| three.is_in(closed(three.on, implied)));
    sets.iter().for_each(|&set| missing.retain(|three| !three.is_in(set)));
    while !missing.is_empty() {
        // Of several that show the most, the one with the smallest number.
        let shown = |set: &u32| missing.iter().filter(|three| three.is_in(*set)).count();
        let possible = (0..=all).rev().filter(|&set| closed(set, implied) == set);
        let Some(best) = possible.max_by_key(shown) else { break };
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
            x = [\"dep:x\"]\ny-07 = [\n  \"dep:y\",\n  \"x\", \"z/x\",\n]\n\n[dependencies]\nz = \"1\"\n";
        let read = features(text).unwrap();
        let names: Vec<&str> = read.iter().map(|feature| feature.name.as_str()).collect();
        assert_eq!(names, ["x", "y-07"]);
        assert_eq!((read[0].implies.len(), &read[1].implies[..]), (0, &["x".to_owned()][..]));
        assert!(features("[features]\n").is_err());
        let ours = fs::read_to_string(workspace::root().join("Cargo.toml")).unwrap();
        assert!(features(&ours).unwrap().iter().any(|feature| feature.name == "derive"));
    }

    #[test]
    fn none_each_and_all_are_checked_and_any_three_on_and_off() {
        let names: Vec<String> = ["a", "b", "c", "d", "e"].map(str::to_owned).into();
        let alone = |name: &String| Feature { name: name.clone(), implies: Vec::new() };
        let all = combinations(&names.iter().map(alone).collect::<Vec<_>>());
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
        assert_eq!(choices(&[0; 1]), [0, 1]);
        assert_eq!(choices(&[0; 2]), [0, 1, 2, 3]);
        assert_eq!(choices(&[0; 3]), [0, 1, 2, 3, 4, 5, 6, 7]);
        // Pairs, of nine features, would be 47.
        assert_eq!(choices(&[0; 9]).len(), 20);
    }

    #[test]
    fn what_a_feature_implies_is_on_with_it_and_off_without() {
        // The last one implies the one in front of it.
        assert_eq!(choices(&[0, 0, 2]), [0, 1, 2, 3, 6, 7]);
        let sets = choices(&[0, 0, 0, 0, 8, 16]);
        assert!(sets.iter().all(|set| set & 32 == 0 || set & 24 == 24));
        // Without what others imply, any two are there in their four ways.
        for pair in [3, 5, 6] {
            let off = sets.iter().filter(|&set| set & 8 == 0);
            assert_eq!(off.map(|set| set & pair).collect::<BTreeSet<u32>>().len(), 4);
        }
    }
}
