//! In which order the paths have their turns.

/// One turn: a path and how many requests for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Turn {
    pub(crate) path: usize,
    pub(crate) requests: u32,
}

/// `requests` for each of `paths` in turns of at most `slice`, shuffled.
pub(crate) fn shuffled(paths: usize, requests: u32, slice: u32, seed: u64) -> Vec<Turn> {
    let mut turns = Vec::new();
    let mut left = requests;
    while left > 0 {
        let requests = left.min(slice);
        turns.extend((0..paths).map(|path| Turn { path, requests }));
        left -= requests;
    }
    // Fisher and Yates, with the numbers of Knuth's MMIX generator.
    let mut state = seed;
    for last in (1..turns.len()).rev() {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let other = usize::try_from(state >> 33).unwrap_or(0) % (last + 1);
        turns.swap(last, other);
    }
    turns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_has_all_its_requests() {
        let turns = shuffled(2, 1_050, 100, 7);
        assert_eq!(turns.len(), 22);
        for path in 0..2 {
            let of_path = turns.iter().filter(|turn| turn.path == path);
            assert_eq!(of_path.map(|turn| turn.requests).sum::<u32>(), 1_050);
        }
        let plain: Vec<usize> = (0..22).map(|turn| turn % 2).collect();
        assert_ne!(turns.iter().map(|turn| turn.path).collect::<Vec<_>>(), plain);
        assert_eq!(turns, shuffled(2, 1_050, 100, 7));
        assert_ne!(turns, shuffled(2, 1_050, 100, 8));
    }
}
