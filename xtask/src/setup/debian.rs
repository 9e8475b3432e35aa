//! A toolchain of our own, put together from Debian's packages.
//!
//! Debian's `rustc-web` has the standard library for aarch64 Linux; `core` and `alloc` for bare
//! metal are built here once, from a source that is kept for other targets. Cargo and the linker
//! are the host's.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, anyhow, bail};

use super::apt::PrivateApt;
use super::standard_library::{self, Library};
use super::{FINISHED, Missing};
use crate::process;
use crate::progress::say;
use crate::toolchain::{self, BARE, OLDEST, Toolchain};

/// The versions that belong together.
struct Chosen {
    version: String,
    /// `1.96`: part of the name of the library package.
    series: String,
    llvm: String,
}

/// Downloads, unpacks and completes a toolchain in `work`, and gives it the name `root` at the very
/// end.
pub(crate) fn assemble(host: &Toolchain, root: &Path, work: &Path) -> Result<()> {
    for program in ["apt-get", "apt-cache", "apt-config", "dpkg", "dpkg-deb", "tar"] {
        if process::find(program).is_none() {
            let line =
                format!("{program} is missing: this is no Debian, and rustup could not help");
            bail!(Missing(line));
        }
    }
    if root.exists() {
        bail!("{} is there but is not a finished toolchain of ours: move it away", root.display());
    }

    let native = process::capture(Command::new("dpkg").arg("--print-architecture"))?;
    let native = native.trim();
    let mut architectures = vec![native];
    if native != "arm64" {
        architectures.push("arm64");
    }
    say("reading Debian's package lists (own state, the machine's is not touched)");
    let apt = PrivateApt::new(&work.join("apt"), &architectures)?;
    apt.update()?;
    let chosen = choose(&apt, &architectures)?;
    say(format_args!("assembling Rust {} from Debian's packages", chosen.version));

    let usr = unpack_all(&apt, &chosen, &architectures, work)?;
    arrange(host, &usr)?;
    complete_libraries(&apt, &chosen, &usr, work)?;
    link_linker(host, &usr)?;
    say("building core for bare metal, once");
    standard_library::move_source(&usr, &usr)?;
    standard_library::build(&usr, &work.join("core"), &BARE_LIBRARY)?;

    fs::write(usr.join(FINISHED), format!("rustc-web {}\n", chosen.version))?;
    fs::rename(&usr, root)?;
    say(format_args!("finished: {}", root.display()));
    Ok(())
}

/// The newest compiler that every needed architecture has.
fn choose(apt: &PrivateApt, architectures: &[&str]) -> Result<Chosen> {
    let version = newest(&apt.versions("rustc-web")?)?;
    for architecture in architectures {
        let package = format!("libstd-rust-web-dev:{architecture}");
        if !apt.versions(&package)?.contains(&version) {
            bail!("Debian has rustc-web {version} but no {package} of that version");
        }
    }
    let (major, minor) = toolchain::major_minor(&version).context("a version without numbers")?;
    let series = format!("{major}.{minor}");
    let library = format!("libstd-rust-web-{series}");
    let llvm = apt.depends(&library, &version)?;
    let llvm = llvm.into_iter().find(|name| name.starts_with("libllvm"));
    let llvm = llvm.ok_or_else(|| anyhow!("{library} does not say which LLVM it needs"))?;
    Ok(Chosen { version, series, llvm })
}

fn newest(versions: &[String]) -> Result<String> {
    let version = versions
        .first()
        .context("Debian has no rustc-web package here; bookworm-security and later have one")?;
    if toolchain::major_minor(version).is_none_or(|found| found < OLDEST) {
        let (major, minor) = OLDEST;
        bail!(
            "the newest rustc-web of the configured sources is {version}; {major}.{minor} is needed (bookworm-security has it)"
        );
    }
    Ok(version.clone())
}

/// Unpacks every package below `work` and returns the `usr` they make together.
fn unpack_all(
    apt: &PrivateApt,
    chosen: &Chosen,
    architectures: &[&str],
    work: &Path,
) -> Result<PathBuf> {
    let Chosen { version, series, llvm } = chosen;
    let native = architectures.first().copied().unwrap_or_default();
    let mut packages = vec![
        format!("rustc-web={version}"),
        format!("libstd-rust-web-{series}:{native}={version}"),
        format!("rust-web-src={version}"),
        format!("{llvm}:{native}"),
    ];
    for architecture in architectures {
        packages.push(format!("libstd-rust-web-dev:{architecture}={version}"));
    }
    let downloads = work.join("downloads");
    fs::create_dir_all(&downloads)?;
    apt.download(&packages, &downloads)?;
    for entry in fs::read_dir(&downloads)? {
        let package = entry?.path();
        let name = package.file_name().unwrap_or_default().to_string_lossy().into_owned();
        say(format_args!("unpacking {name}"));
        if name.starts_with("rust-web-src") {
            unpack_source(&package, work)?;
        } else {
            unpack(&package, work, &["--exclude=./usr/share"])?;
        }
        fs::remove_file(&package)?;
    }
    Ok(work.join("usr"))
}

/// Unpacks what is of the standard library in the package of the compiler's source.
pub(super) fn unpack_source(package: &Path, folder: &Path) -> Result<()> {
    unpack(package, folder, &["--wildcards", "./usr/src/rustc-*/library"])
}

/// `dpkg-deb --fsys-tarfile PACKAGE | tar -x -C FOLDER`.
pub(crate) fn unpack(package: &Path, folder: &Path, options: &[&str]) -> Result<()> {
    let mut reader = Command::new("dpkg-deb");
    reader.arg("--fsys-tarfile").arg(package).stdout(Stdio::piped());
    let mut source = process::spawn(&mut reader)?;
    let pipe = source.stdout.take().context("no pipe")?;
    let mut writer = Command::new("tar");
    writer.args(["--no-same-owner", "-x", "-C"]).arg(folder).args(options).stdin(pipe);
    let unpacked = process::spawn(&mut writer)?.wait()?;
    process::check(&writer, unpacked)?;
    process::check(&reader, source.wait()?)
}

/// Puts things where a toolchain has them: shared libraries into `lib`, a cargo into `bin`.
fn arrange(host: &Toolchain, usr: &Path) -> Result<()> {
    let lib = usr.join("lib");
    for folder in fs::read_dir(&lib)?.flatten() {
        if folder.file_name().to_string_lossy().ends_with("-linux-gnu") {
            for file in fs::read_dir(folder.path())?.flatten() {
                if file.file_name().to_string_lossy().contains(".so") {
                    fs::rename(file.path(), lib.join(file.file_name()))?;
                }
            }
        }
    }
    // A copy: a container that sees only this folder can use it as well.
    let copied = fs::copy(&host.cargo, usr.join("bin/cargo"));
    copied.with_context(|| format!("cannot copy {}", host.cargo.display()))?;
    Ok(())
}

/// Brings the libraries that LLVM needs and this machine lacks.
fn complete_libraries(apt: &PrivateApt, chosen: &Chosen, usr: &Path, work: &Path) -> Result<()> {
    let mut asked: BTreeSet<String> = ["libc6".to_owned()].into();
    let mut packages = vec![chosen.llvm.clone()];
    loop {
        let missing = missing_libraries(usr)?;
        if missing.is_empty() {
            return Ok(());
        }
        // One step further into the dependencies each time round.
        let mut next = Vec::new();
        for package in &packages {
            let Some(version) = apt.versions(package)?.into_iter().next() else { continue };
            let depends = apt.depends(package, &version)?;
            next.extend(depends.into_iter().filter(|name| asked.insert(name.clone())));
        }
        if next.is_empty() {
            let missing = missing.into_iter().collect::<Vec<_>>().join(", ");
            bail!("the compiler needs {missing}: install the packages that bring them");
        }
        let folder = work.join("libraries");
        fs::create_dir_all(&folder)?;
        apt.download(&next, &folder)?;
        for entry in fs::read_dir(&folder)?.flatten() {
            if entry.file_name().to_string_lossy().ends_with(".deb") {
                unpack(&entry.path(), &folder, &["--exclude=./usr/share"])?;
                fs::remove_file(entry.path())?;
            }
        }
        for name in &missing {
            if let Some(file) = find_below(&folder, name) {
                fs::copy(&file, usr.join("lib").join(name))?;
            }
        }
        packages = next;
    }
}

/// What `ldd` cannot find for the compiler.
fn missing_libraries(usr: &Path) -> Result<BTreeSet<String>> {
    let mut command = Command::new("ldd");
    toolchain::prefer_private_libraries(&mut command, &usr.join("bin/rustc"));
    let lib = fs::read_dir(usr.join("lib"))?.flatten().map(|entry| entry.path());
    let shared = lib.filter(|path| path.is_file() && path.to_string_lossy().contains(".so"));
    command.arg(usr.join("bin/rustc")).args(shared).env("LC_ALL", "C");
    Ok(not_found(&process::capture(&mut command)?))
}

/// `libz3.so.4 => not found`: the names.
fn not_found(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| line.trim().strip_suffix("=> not found"));
    lines.map(|name| name.trim().to_owned()).collect()
}

/// The file (not the link to it) that a name stands for, anywhere below a folder.
fn find_below(folder: &Path, name: &str) -> Option<PathBuf> {
    for entry in fs::read_dir(folder).ok()?.flatten() {
        let path = entry.path();
        if entry.file_name() == *name {
            return fs::canonicalize(path).ok();
        }
        if entry.file_type().is_ok_and(|kind| kind.is_dir())
            && let Some(found) = find_below(&path, name)
        {
            return Some(found);
        }
    }
    None
}

/// Points the toolchain at the host's `rust-lld`, again whenever the host's has moved.
///
/// A link, not a copy: the linker finds its own libraries beside its real place.
pub(crate) fn link_linker(host: &Toolchain, root: &Path) -> Result<()> {
    let folder = root.join("lib/rustlib").join(&host.host).join("bin");
    let link = folder.join("rust-lld");
    if link.exists() {
        return Ok(());
    }
    let theirs = host.sysroot.join("lib/rustlib").join(&host.host).join("bin/rust-lld");
    let linker = if theirs.is_file() { Some(theirs) } else { process::find("lld") };
    let linker = linker.context("no rust-lld beside the host's compiler: install lld")?;
    fs::create_dir_all(&folder)?;
    if link.is_symlink() {
        fs::remove_file(&link)?;
    }
    symlink(&linker, &link).with_context(|| format!("cannot link {}", link.display()))
}

#[cfg(unix)]
fn symlink(to: &Path, link: &Path) -> std::io::Result<()> {
    std::os::unix::fs::symlink(to, link)
}

#[cfg(not(unix))]
fn symlink(_to: &Path, _link: &Path) -> std::io::Result<()> {
    Err(std::io::ErrorKind::Unsupported.into())
}

/// What firmware for the Pi is made of.
const BARE_LIBRARY: Library = Library {
    target: BARE,
    crates: "core,alloc",
    features: "compiler-builtins-mem",
    settings: &["panic = \"abort\""],
    flags: &[],
    in_rustup: true,
};

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn an_old_or_missing_compiler_is_refused_in_one_line() {
        let error = newest(&["1.85.0+dfsg3-1~deb12u3".to_owned()]).unwrap_err().to_string();
        assert!(error.contains("1.85.0") && error.contains("1.88"), "{error}");
        assert_eq!(error.lines().count(), 1);
        assert!(newest(&[]).unwrap_err().to_string().contains("no rustc-web"));
        assert_eq!(newest(&["1.96.0-2".to_owned(), "1.85.0-1".to_owned()]).unwrap(), "1.96.0-2");
    }

    #[test]
    fn missing_libraries_are_named_once() {
        let text = "a:\n\tlibz3.so.4 => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x1)\nb:\n\tlibz3.so.4 => not found\n";
        assert_eq!(not_found(text).into_iter().collect::<Vec<_>>(), ["libz3.so.4"]);
    }
}
