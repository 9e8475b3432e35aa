//! The standard library for targets that come with none: built from its source, once each.
//!
//! rustup has libraries for most of them. Where its servers are out of reach, and for the targets
//! that it has none for, they are built with the private toolchain, which comes with the source, and
//! become a part of it: another version of the compiler is another toolchain, with none of them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use anyhow::{Context as _, Result, anyhow, bail};

use super::apt::PrivateApt;
use super::{FINISHED, Workplace, debian, rustup};
use crate::process;
use crate::progress::say;
use crate::toolchain::{self, Toolchain};

/// What is built for a target.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Library {
    /// The target.
    pub(crate) target: &'static str,
    /// The crates, as cargo's `-Zbuild-std` takes them.
    pub(crate) crates: &'static str,
    /// The features of these, as `-Zbuild-std-features` takes them.
    pub(crate) features: &'static str,
    /// Settings of the profile, such as `opt-level=1`.
    pub(crate) settings: &'static [&'static str],
    /// Compiler flags that make code for other machines of the same target.
    pub(crate) flags: &'static [&'static str],
    /// Whether rustup has it.
    pub(crate) in_rustup: bool,
}

/// The compiler for a target with its library: the host's where it has that, else ours.
///
/// # Errors
///
/// The library is not there, and cannot be had or built.
pub(crate) fn toolchain_with(library: &Library) -> Result<Toolchain> {
    ensure(&[library])?;
    let host = Toolchain::host()?;
    find(&host, library)?.with_context(|| format!("no library for {}", library.target))
}

fn find(host: &Toolchain, library: &Library) -> Result<Option<Toolchain>> {
    if host.serves(library.target) {
        return Ok(Some(host.clone()));
    }
    let Some(root) = super::finished_toolchain(host)? else { return Ok(None) };
    let private = Toolchain::private(&root)?;
    Ok(private.has_target(library.target).then_some(private))
}

/// Gets or builds what is missing, two at a time; quick when nothing is.
pub(crate) fn ensure(libraries: &[&Library]) -> Result<()> {
    let host = Toolchain::host()?;
    let missing = |libraries: &[&'_ Library]| -> Result<Vec<Library>> {
        let mut missing = Vec::new();
        for library in libraries {
            if find(&host, library)?.is_none() {
                missing.push(**library);
            }
        }
        Ok(missing)
    };
    let wanted = missing(libraries)?;
    let from_rustup: Vec<&str> =
        wanted.iter().filter(|library| library.in_rustup).map(|library| library.target).collect();
    if !from_rustup.is_empty()
        && rustup::add_targets(&from_rustup)
        && missing(libraries)?.is_empty()
    {
        return Ok(());
    }
    if wanted.is_empty() {
        return Ok(());
    }
    let root = super::private_toolchain(&host)?;
    let work = Workplace::take()?;
    // Somebody else may have built them while we waited.
    let queue = Mutex::new(missing(libraries)?);
    keep_source(&root, work.path())?;
    // Most of a library is one long crate: two of them use two cores.
    std::thread::scope(|scope| {
        let builders = [(); 2].map(|()| scope.spawn(|| build_all(&root, work.path(), &queue)));
        for builder in builders {
            builder.join().unwrap_or_else(|_| Err(anyhow!("building a library panicked")))?;
        }
        Ok(())
    })
}

fn build_all(root: &Path, work: &Path, queue: &Mutex<Vec<Library>>) -> Result<()> {
    loop {
        // Nobody panics while holding it.
        let next = queue.lock().map(|mut queue| queue.pop()).unwrap_or_default();
        let Some(library) = next else { return Ok(()) };
        say(format_args!("building {} for {}, once", library.crates, library.target));
        build(root, &work.join(library.target), &library)
            .with_context(|| format!("no library for {}", library.target))?;
    }
}

/// Where a toolchain has the source of its library, like those of rustup.
pub(super) fn source_folder(root: &Path) -> PathBuf {
    root.join("lib/rustlib/src/rust")
}

/// Fetches the source for a toolchain that was put together before the source was kept.
fn keep_source(root: &Path, work: &Path) -> Result<()> {
    if source_folder(root).join("library").is_dir() {
        return Ok(());
    }
    let marker = fs::read_to_string(root.join(FINISHED))?;
    let version = marker.trim().strip_prefix("rustc-web ").context("a toolchain of no version")?;
    say(format_args!("fetching the source of Rust's library {version}"));
    let native = process::capture(Command::new("dpkg").arg("--print-architecture"))?;
    let apt = PrivateApt::new(&work.join("apt"), &[native.trim()])?;
    apt.update()?;
    let downloads = work.join("downloads");
    fs::create_dir_all(&downloads)?;
    apt.download(&[format!("rust-web-src={version}")], &downloads)?;
    for entry in fs::read_dir(&downloads)? {
        debian::unpack_source(&entry?.path(), work)?;
    }
    move_source(&work.join("usr"), root)
}

/// Moves the unpacked source from `usr` to where a toolchain has it.
pub(super) fn move_source(usr: &Path, root: &Path) -> Result<()> {
    let found = fs::read_dir(usr.join("src"))?.flatten().map(|entry| entry.path()).next();
    let found = found.context("the source package is empty")?;
    let kept = source_folder(root);
    fs::create_dir_all(kept.parent().context("no parent")?)?;
    fs::rename(&found, &kept).with_context(|| format!("cannot keep {}", found.display()))
}

/// Builds a library with the toolchain in `root`, and makes it a part of that.
pub(super) fn build(root: &Path, work: &Path, library: &Library) -> Result<()> {
    let Library { target, crates, features, settings, flags, .. } = library;
    let sources = source_folder(root);
    fs::create_dir_all(work.join("src"))?;
    fs::write(work.join("src/lib.rs"), "#![no_std]\n")?;
    fs::write(
        work.join("Cargo.toml"),
        format!(
            "[package]\nname = \"empty\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\
             [profile.release]\n{}\n[workspace]\n",
            settings.join("\n")
        ),
    )?;
    // The packages of the standard library are in its own source: no registry is asked.
    let vendored = sources.join("library/vendor");
    let mut command = Command::new(root.join("bin/cargo"));
    for name in ["RUSTUP_TOOLCHAIN", "RUSTFLAGS", "CARGO", "RUSTC_WRAPPER", "CARGO_BUILD_TARGET"] {
        command.env_remove(name);
    }
    toolchain::prefer_private_libraries(&mut command, &root.join("bin/rustc"));
    // Without bitcode a fat LTO of the firmware fails. The source's own path stays out of images.
    let remap = format!("--remap-path-prefix={}=/rust", sources.display());
    let flags = [&["-Cembed-bitcode=yes", &remap], *flags].concat().join("\x1f");
    command
        .current_dir(work)
        .env("RUSTC", root.join("bin/rustc"))
        .env("CARGO_TARGET_DIR", work.join("target"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", flags)
        .args(["build", "--quiet", "--release", "--offline", "--target", target])
        .args([format!("-Zbuild-std={crates}"), format!("-Zbuild-std-features={features}")])
        .args(["--config", "source.crates-io.replace-with='vendored'", "--config"])
        .arg(format!("source.vendored.directory='{}'", vendored.display()));
    process::run(&mut command)?;
    let made = work.join("made");
    let libraries = made.join("lib");
    fs::create_dir_all(&libraries)?;
    for entry in fs::read_dir(work.join("target").join(target).join("release/deps"))?.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if name.ends_with(".rlib") && !name.starts_with("libempty-") {
            fs::copy(entry.path(), libraries.join(name))?;
        }
    }
    // Whole or not at all: a target is there when its folder is.
    let place = root.join("lib/rustlib").join(target);
    if place.exists() {
        bail!("{} is there already, without a library in it", place.display());
    }
    fs::rename(&made, &place).with_context(|| format!("cannot keep {}", place.display()))
}
