//! `cargo xtask capi`: the static library for C, its header, and the proof of what is in it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::firmware::Profile;
use crate::progress::Tally;
use crate::progress::say;
use crate::setup::{self, Need};
use crate::toolchain::{BARE, Place, Toolchain};
use crate::workspace;

mod firmware;
mod header;
mod library;
mod programs;
mod script;
mod source;

use library::Library;

/// What to do.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = "\
Each library is put beside a copy of the header, in a folder of the build folder that is printed.

Exit code: 0 done, 1 the header is not that of the sources, a library holds what it must not or is
too large, or a failure, 2 wrong usage.")]
pub(crate) struct Arguments {
    /// Write capi/include/onewrite.h anew instead of comparing it.
    #[arg(long)]
    bless: bool,
}

/// The places that a library is made for.
const PLACES: [Place; 2] = [Place::Host, Place::Bare];

/// The command itself.
pub(crate) fn command(arguments: &Arguments, yes: bool) -> Result<()> {
    check_header(arguments.bless)?;
    setup::ensure(&[Need::CCompilers, Need::BareCompiler, Need::CrossLinker], yes)?;
    for place in PLACES {
        let toolchain = Toolchain::for_place(place)?;
        let library = library::build(&toolchain, place)?;
        println!("{}", library.describe());
        let folder = deliver(&toolchain, place, &library)?;
        println!("  in {}", workspace::short(&folder));
    }
    println!("record core: {} bytes of code and constants", record_core()?);
    Ok(())
}

/// Everything that has to hold for C, as tests.
pub(crate) fn test(yes: bool) -> Result<(Tally, String)> {
    setup::ensure(&[Need::CCompilers, Need::CrossLinker], yes)?;
    setup::ensure(setup::needs_of(Place::Bare), yes)?;
    let mut tally = Tally::default();
    let mut add = |name: &str, result: Result<Tally>| match result {
        Ok(found) => tally.add(found),
        Err(error) => {
            println!("test capi: {name} ... FAILED\n{error:#}");
            tally.add(Tally::one(false));
        }
    };
    add("header", check_header(false).map(|()| passed("the header is that of the sources")));
    add("languages", programs::check_header());
    let host = Toolchain::host()?;
    match library::build(&host, Place::Host) {
        Ok(library) => {
            add("programs", programs::run(&library.path, &[]));
            add("page", programs::run_page(&workspace::root().join("docs/c.md"), &library.path));
        }
        Err(error) => add("library", Err(error)),
    }
    if cfg!(target_os = "linux") {
        add("programs, checked", checked(&host));
    }
    let core = record_core();
    let remark = match &core {
        Ok(size) => format!("; the record core takes {size} bytes"),
        Err(_) => String::new(),
    };
    add("record core", core.map(|_| passed("the record core is small")));
    add("firmware", firmware::run().map(|()| passed("firmware in C on the emulated Pi")));
    Ok((tally, remark))
}

/// The same programs against a library that checks what it does: each sum, and what every unsafe
/// function of the language asks for. It has the standard library in it, for its panics.
fn checked(host: &Toolchain) -> Result<Tally> {
    say("building the C library with debug assertions");
    let library = library::archive(host, Place::Host, "onewrite-capi", Profile::Dev)?;
    programs::run(&library.path, &["-ldl", "-lm"])
}

/// One test that passed.
fn passed(name: &str) -> Tally {
    println!("test capi: {name} ... ok");
    Tally::one(true)
}

/// The header as it stands in the repository.
fn header_path() -> PathBuf {
    workspace::root().join("capi/include/onewrite.h")
}

/// Compares the header with what the sources give, or writes it.
fn check_header(bless: bool) -> Result<()> {
    let path = header_path();
    let wanted = header::generate(&workspace::root().join("capi/src/lib.rs"))?;
    let found = fs::read_to_string(&path).unwrap_or_default();
    if found == wanted {
        return Ok(());
    }
    if bless {
        fs::write(&path, wanted).with_context(|| path.display().to_string())?;
        say(format_args!("wrote {}", workspace::short(&path)));
        return Ok(());
    }
    let line = found.lines().zip(wanted.lines()).take_while(|(a, b)| a == b).count();
    bail!(
        "{}:{}: not what the sources of capi/ give: run cargo xtask capi --bless",
        workspace::short(&path),
        line + 1
    )
}

/// Puts a library and the header where a C project can take both; returns the folder.
fn deliver(toolchain: &Toolchain, place: Place, library: &Library) -> Result<PathBuf> {
    let triple = place.triple().unwrap_or(&toolchain.host);
    let folder = build_folder(triple)?;
    for (from, to) in [(&library.path, "libonewrite.a"), (&header_path(), "onewrite.h")] {
        fs::copy(from, folder.join(to)).with_context(|| from.display().to_string())?;
    }
    Ok(folder)
}

/// A folder for what is built from C.
fn build_folder(name: &str) -> Result<PathBuf> {
    let folder = workspace::target_folder().join("capi").join(name);
    fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
    Ok(folder)
}

/// The C compiler for bare aarch64.
fn bare_compiler(host: &Toolchain) -> &'static str {
    if host.is_linux_target() { "gcc" } else { "aarch64-linux-gnu-gcc" }
}

/// Bytes of the record core, linked alone for the Pi; an error where they are too many.
fn record_core() -> Result<u64> {
    let (host, bare) = (Toolchain::host()?, Toolchain::for_place(Place::Bare)?);
    let library = library::build(&bare, Place::Bare)?;
    let program = build_folder(BARE)?.join("record-core.elf");
    library::record_core(&library, bare_compiler(&host), &program)
}

/// The file's name, for a message.
fn name_of(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
