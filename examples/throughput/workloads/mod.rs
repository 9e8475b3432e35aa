//! The measured batches, made where they are measured: no allocation, no file, no large literal.
//!
//! Each is byte for byte the golden vector of its name under `tests/data/render_batch`, which
//! `tests/workloads.rs` checks. There are two variants, since a look-up is cheaper where it meets
//! the address that it met before:
//!
//! | variant | names | strings |
//! |---|---|---|
//! | `named` | `Name`s made at compile time where the text is known | one address for each text known at compile time |
//! | `plain` | `&str` | each occurrence at an address of its own: the worst case |

mod page;
mod recipes;

use hex_literal::hex;

pub(crate) use page::{Arena, Page};
use recipes::{counter_update, frame_mix, ids, table, weather};

/// Bytes of text in the largest workload.
pub(crate) const ARENA_LEN: usize = 64 * 1024;
/// Bytes of the largest batch.
pub(crate) const BATCH_LEN: usize = 144_615;
/// The most strings in a batch, with each shared one counted once.
pub(crate) const STRINGS: usize = 3417;

/// Where the text of a batch stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Variant {
    /// One address for each text known at compile time, which is hashed then.
    Named,
    /// An address for each occurrence.
    Plain,
}

/// A batch, and what it looks like on the wire.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Workload {
    /// The golden vector's, with `-plain` where the variant is; `ids-5000` has a name of its own.
    pub(crate) name: &'static str,
    /// Where its strings stand.
    pub(crate) variant: Variant,
    /// Bytes of the batch.
    pub(crate) bytes: usize,
    /// Frames and edits, or ids where there are no frames.
    pub(crate) records: usize,
    /// SHA-256 of the batch.
    pub(crate) sha256: [u8; 32],
    recipe: fn(&mut Page<'_>),
}

impl Workload {
    /// Makes the batch on an empty page; whether everything fitted.
    #[inline(never)]
    #[must_use]
    pub(crate) fn build(&self, page: &mut Page<'_>) -> bool {
        (self.recipe)(page);
        page.is_whole()
    }

    const fn plain(self, name: &'static str) -> Self {
        Self { name, variant: Variant::Plain, ..self }
    }
}

/// The first render of a table of 200 rows.
const TABLE: Workload = Workload {
    name: "seed001-table-200",
    variant: Variant::Named,
    bytes: 56_979,
    records: 2_400,
    sha256: hex!("c9f51db8d79cfadd10e01fc03872a5bbcce3bd5d915eb25f11a9f5bffc8aca74"),
    recipe: table,
};

/// A click on a counter.
const COUNTER: Workload = Workload {
    name: "seed001-counter-update",
    variant: Variant::Named,
    bytes: 244,
    records: 8,
    sha256: hex!("61bb871d0756d0bffcf993045fccd661f0119ed2699c7c4b880d973cde62fba4"),
    recipe: counter_update,
};

/// A mix of frames.
const FRAMES_64: Workload = Workload {
    name: "seed000-frames-64",
    variant: Variant::Named,
    bytes: 1_999,
    records: 64,
    sha256: hex!("7b49aa6878ec5e14d6959e3c3384c6c18363763a136d5b8993de01eb07e86bef"),
    recipe: |page| frame_mix(page, 64),
};

/// A mix of frames.
const FRAMES_512: Workload = Workload {
    name: "seed000-frames-512",
    variant: Variant::Named,
    bytes: 15_790,
    records: 512,
    sha256: hex!("ad65acecb65fd33adc9fe50163b0647980f7640c4364adc37555100f1c8cfcd1"),
    recipe: |page| frame_mix(page, 512),
};

/// A mix of frames.
const FRAMES_4096: Workload = Workload {
    name: "seed000-frames-4096",
    variant: Variant::Named,
    bytes: 128_950,
    records: 4_096,
    sha256: hex!("7eee6cf9e478f5be9e45215816f52f45e2396e46a4b6617f231910958538b625"),
    recipe: |page| frame_mix(page, 4096),
};

/// A table of 500 rows with white space between its elements.
const WEATHER: Workload = Workload {
    name: "fetchdata-500",
    variant: Variant::Named,
    bytes: BATCH_LEN,
    records: 6_502,
    sha256: hex!("bb0f0cb2900f08aa6240c7272dcd45ee10b4eb403177955751c890ea2f0a0525"),
    recipe: weather,
};

/// Components and event handlers that are gone, 5,000 of each: vector `disposed-chunked-5000`.
const IDS: Workload = Workload {
    name: "ids-5000",
    variant: Variant::Named,
    bytes: 60_036,
    records: 10_000,
    sha256: hex!("d8a10915b5e6a1cc37b5bb41ccd9267be799b1f6e0713b692bc604f83c486b6f"),
    recipe: ids,
};

/// Everything that is measured.
pub(crate) const ALL: [Workload; 13] = [
    TABLE,
    TABLE.plain("seed001-table-200-plain"),
    COUNTER,
    COUNTER.plain("seed001-counter-update-plain"),
    FRAMES_64,
    FRAMES_64.plain("seed000-frames-64-plain"),
    FRAMES_512,
    FRAMES_512.plain("seed000-frames-512-plain"),
    FRAMES_4096,
    FRAMES_4096.plain("seed000-frames-4096-plain"),
    WEATHER,
    WEATHER.plain("fetchdata-500-plain"),
    IDS,
];
