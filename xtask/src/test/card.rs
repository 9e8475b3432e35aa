//! An SD card is made, read with other people's programs, and what is on it is booted.

use std::fs;

use anyhow::{Context as _, Result, bail};

use super::Outcome;
use crate::expectation::expectations;
use crate::firmware::{self, Build};
use crate::progress::Tally;
use crate::qemu::{self, Boot};
use crate::sd_image::{self, Blobs};
use crate::setup::{self, Need};
use crate::toolchain::{Place, Toolchain};
use crate::workspace;

/// The example on the card.
const EXAMPLE: &str = "record";

/// The image has the right partition and files, and its `kernel8.img` boots.
///
/// The firmware of the GPU is invented: it is not ours to keep, and no emulator runs it.
pub(super) fn image_boots(yes: bool) -> Outcome {
    setup::ensure(setup::needs_of(Place::Bare), yes)?;
    setup::ensure(&[Need::CardReaders], yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let program = Build::example(EXAMPLE).build(&toolchain, Place::Bare)?;
    let kernel = fs::read(firmware::write_image(&program)?)?;

    let work = tempfile::tempdir()?;
    let blobs = invented_firmware(&work.path().join("firmware"))?;
    let files = sd_image::files(&blobs, &kernel)?;
    let mut tally = Tally::default();
    for mib in [40, 64, 300] {
        let image = work.path().join(format!("card {mib}.img"));
        sd_image::write(&image, mib, &files)?;
        let found = sd_image::inspect::check(&image, &files)
            .with_context(|| format!("an image of {mib} MiB"))?;
        let folder = work.path().join(mib.to_string());
        fs::create_dir(&folder)?;
        fs::write(folder.join("kernel8.img"), found)?;
        println!("card of {mib} MiB ... ok");
        tally.add(Tally::one(true));
    }

    let image = work.path().join("64/kernel8.img");
    let console = qemu::run_image(0, Boot::Card, &program, &image, qemu::LIMIT)?.console;
    let all = expectations("onewrite", &workspace::root().join("examples"), Place::Bare, true)?;
    let expectation = all.iter().find(|one| one.example == EXAMPLE && one.boot == Boot::Card);
    expectation.context("the example has no .out file")?.check(&console)?;
    println!("kernel8.img of a card boots ... ok");
    tally.add(Tally::one(true));
    Ok((tally, String::new()))
}

/// Files with the names of the firmware, and sizes like theirs.
fn invented_firmware(folder: &std::path::Path) -> Result<Blobs> {
    fs::create_dir(folder)?;
    for (name, bytes) in [
        ("bootcode.bin", 52_460),
        ("start.elf", 2_973_536),
        ("fixup.dat", 7_262),
        ("LICENCE.broadcom", 1_594),
    ] {
        let text = b"\x7fELF invented ".iter().copied().cycle().take(bytes);
        fs::write(folder.join(name), text.collect::<Vec<u8>>())?;
    }
    let blobs = Blobs::find(folder)?;
    if blobs.files.len() != 3 {
        bail!("{} files of the firmware", blobs.files.len());
    }
    Ok(blobs)
}
