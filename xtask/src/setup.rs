//! `cargo xtask setup`: whatever a command needs and this machine lacks.
//!
//! Compilers for the Pi come from rustup, or from Debian's packages where rustup's servers are
//! out of reach. Emulators and the cross linker are installed as distribution packages. A second
//! run finds everything in place.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};

use crate::progress::say;
use crate::toolchain::{BARE, LINUX, LINUX_SYSROOT, Place, Toolchain};
use crate::workspace;

pub(crate) use packages::is_root;

mod apt;
mod debian;
mod linux_packages;
mod packages;
mod raspi_firmware;
mod rustup;
mod sources;
mod standard_library;
mod workplace;

pub(crate) use crate::missing::Missing;
pub(crate) use debian::unpack;
pub(crate) use linux_packages::{USUAL_KERNEL, fetch as linux_packages};
pub(crate) use raspi_firmware::fetch as raspi_firmware;
pub(crate) use standard_library::{Library, ensure as ensure_libraries, toolchain_with};
pub(crate) use workplace::Workplace;

/// Something that a command cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// A compiler for bare metal.
    BareCompiler,
    /// A compiler for aarch64 Linux.
    LinuxCompiler,
    /// A linker and a C library for aarch64 Linux.
    CrossLinker,
    /// An emulated Raspberry Pi.
    SystemEmulator,
    /// An emulator of single aarch64 Linux programs.
    UserEmulator,
    /// Compilers of C and C++ for this machine, with their sanitizers.
    CCompilers,
    /// Valgrind.
    Callgrind,
    /// What estimates machine code: llvm-mca.
    MachineCodeAnalyser,
    /// Podman, where no container engine answers.
    ContainerEngine,
    /// What podman starts containers with where its own choice cannot.
    ContainerRuntime,
    /// What makes an image of Debian's packages.
    ImageBuilder,
    /// What reads the image of a card: its partitions and its files.
    CardReaders,
    /// Other people's clients of HTTP, for the server's tests.
    HttpClients,
    /// A browser, for the tests of pages.
    Browser,
    /// A client that reaches a board.
    SshClient,
    /// What unpacks the modules of later Debian kernels.
    Xz,
    /// An emulated micro:bit.
    Microbit,
    /// An emulated 32-bit RISC-V.
    RiscV,
    /// An emulated Arduino Mega 2560, and the linker for it.
    Mega2560,
    /// What runs WebAssembly.
    Node,
    /// An emulator of single s390x Linux programs, a linker and a C library for these.
    S390x,
}

/// The emulated machine: a Pi 3A+ is the nearest to a Zero 2W that QEMU has, from version 5.2 on.
pub(crate) const MACHINE: &str = "raspi3ap";

/// Where Debian's cross packages put the C library of s390x Linux.
pub(crate) const S390X_SYSROOT: &str = "/usr/s390x-linux-gnu";

/// Everything that the tests and the usual measurements need.
pub(crate) const USUAL: [Need; 9] = [
    Need::CCompilers,
    Need::BareCompiler,
    Need::LinuxCompiler,
    Need::CrossLinker,
    Need::SystemEmulator,
    Need::UserEmulator,
    Need::CardReaders,
    Need::SshClient,
    Need::HttpClients,
];

/// A browser, where this machine can have one; the tests that lack it say so.
pub(crate) fn browser(yes: bool) {
    // Some distributions have it in no package, or only in one that unpacks nothing.
    if let Err(error) = ensure(&[Need::Browser], yes) {
        say(format_args!("browser: {error:#}"));
    }
}

/// What it takes to build and run for `place`.
pub(crate) fn needs_of(place: Place) -> &'static [Need] {
    match place {
        Place::Host => &[],
        Place::Linux => &[Need::LinuxCompiler, Need::CrossLinker, Need::UserEmulator],
        Place::Bare => &[Need::BareCompiler, Need::SystemEmulator],
    }
}

/// The command itself.
pub(crate) fn command(yes: bool) -> Result<()> {
    ensure(&USUAL, yes)?;
    for place in [Place::Linux, Place::Bare] {
        let toolchain = Toolchain::for_place(place)?;
        let triple = place.triple().unwrap_or_default();
        say(format_args!(
            "{triple}: rustc {} in {}",
            toolchain.release,
            toolchain.sysroot.display()
        ));
    }
    browser(yes);
    match linux_packages(USUAL_KERNEL) {
        Ok(packages) => say(format_args!("emulated Linux: {} packages", packages.len())),
        // Everything else works without.
        Err(error) if error.is::<Missing>() => say(format_args!("emulated Linux: {error:#}")),
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Sets up what is missing; says nothing and is quick when nothing is.
///
/// `yes` installs distribution packages without asking.
pub(crate) fn ensure(needs: &[Need], yes: bool) -> Result<()> {
    let host = Toolchain::host()?;
    let mut programs: Vec<packages::Wanted> = Vec::new();
    let mut targets: Vec<&'static str> = Vec::new();
    for need in needs {
        match need {
            Need::BareCompiler => targets.push(BARE),
            Need::LinuxCompiler if !host.is_linux_target() => targets.push(LINUX),
            Need::CrossLinker if !host.is_linux_target() => {
                programs.push(packages::program("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu"));
                let library = format!("{LINUX_SYSROOT}/lib/libc.so.6");
                programs.push(packages::file(&library, "libc6-dev-arm64-cross"));
            }
            Need::UserEmulator if !host.is_linux_target() => {
                programs.push(packages::program("qemu-aarch64", "qemu-user"));
            }
            Need::SystemEmulator => {
                let program = "qemu-system-aarch64";
                programs.push(packages::emulator(program, MACHINE, "qemu-system-arm"));
            }
            Need::CardReaders => {
                // Not on the search path of ordinary users.
                programs.push(packages::file("/sbin/sfdisk", "fdisk"));
                programs.push(packages::file("/sbin/fsck.fat", "dosfstools"));
                programs.push(packages::program("mcopy", "mtools"));
            }
            Need::HttpClients => {
                programs.push(packages::program("curl", "curl"));
                programs.push(packages::program("nghttp", "nghttp2-client"));
            }
            Need::Browser => {
                let names = &["chromium", "chromium-browser", "google-chrome", "chrome"];
                programs.push(packages::one_of(names, "chromium"));
            }
            Need::SshClient => programs.push(packages::program("ssh", "openssh-client")),
            Need::Xz => programs.push(packages::program("xz", "xz-utils")),
            Need::CCompilers => {
                // The sanitizers come with the compilers.
                programs.push(packages::program("cc", "gcc"));
                programs.push(packages::program("c++", "g++"));
                if cfg!(target_os = "linux") {
                    programs.push(packages::file("/usr/include/stdio.h", "libc6-dev"));
                }
            }
            Need::Callgrind => programs.push(packages::program("valgrind", "valgrind")),
            Need::MachineCodeAnalyser => programs.push(packages::program("llvm-mca", "llvm")),
            Need::ContainerEngine => {
                programs.push(packages::program("podman", "podman"));
                if !is_root() {
                    programs.push(packages::program("newuidmap", "uidmap"));
                    programs.push(packages::program("slirp4netns", "slirp4netns"));
                }
            }
            Need::ContainerRuntime => programs.push(packages::program("runc", "runc")),
            Need::ImageBuilder => {
                programs.push(packages::program("mmdebstrap", "mmdebstrap"));
                if !is_root() {
                    programs.push(packages::program("newuidmap", "uidmap"));
                }
            }
            Need::Microbit => {
                let program = "qemu-system-arm";
                programs.push(packages::emulator(program, "microbit", "qemu-system-arm"));
            }
            Need::RiscV => {
                let package = packages::first(&["qemu-system-riscv", "qemu-system-misc"]);
                programs.push(packages::emulator("qemu-system-riscv32", "virt", package));
            }
            Need::Mega2560 => {
                let program = "qemu-system-avr";
                programs.push(packages::emulator(program, "mega2560", "qemu-system-misc"));
                programs.push(packages::program("avr-gcc", "gcc-avr"));
            }
            Need::Node => programs.push(packages::program("node", "nodejs")),
            Need::S390x => {
                programs.push(packages::program("qemu-s390x", "qemu-user"));
                programs.push(packages::program("s390x-linux-gnu-gcc", "gcc-s390x-linux-gnu"));
                let library = format!("{S390X_SYSROOT}/lib/libc.so.6");
                programs.push(packages::file(&library, "libc6-dev-s390x-cross"));
            }
            // An aarch64 Linux machine is its own target.
            Need::LinuxCompiler | Need::CrossLinker | Need::UserEmulator => {}
        }
    }
    packages::ensure(&programs, yes)?;
    ensure_targets(&host, &targets)
}

fn ensure_targets(host: &Toolchain, targets: &[&'static str]) -> Result<()> {
    let missing: Vec<_> = targets.iter().copied().filter(|triple| !host.serves(triple)).collect();
    if missing.is_empty() {
        return Ok(());
    }
    if finished_toolchain(host)?.is_some() {
        return Ok(());
    }
    if rustup::add_targets(&missing) && missing.iter().all(|triple| host.serves(triple)) {
        return Ok(());
    }
    private_toolchain(host).map(|_| ()).with_context(|| {
        let targets = missing.join(" ");
        format!("no compiler for {targets}; with rustup: rustup target add {targets}")
    })
}

/// The private toolchain, which is put together if it is not there yet.
fn private_toolchain(host: &Toolchain) -> Result<PathBuf> {
    if let Some(root) = finished_toolchain(host)? {
        return Ok(root);
    }
    let work = Workplace::take()?;
    let root = toolchain_root(host)?;
    // Somebody else may have finished it while we waited.
    if finished_toolchain(host)?.is_none() {
        debian::assemble(host, &root, work.path())?;
    }
    Ok(root)
}

/// Whether rustup is to be left alone.
pub(crate) fn without_rustup() -> bool {
    std::env::var_os("ONEWRITE_NO_RUSTUP").is_some_and(|value| value == "1")
}

/// The file that marks a folder as a finished toolchain of ours.
const FINISHED: &str = ".onewrite-toolchain";

/// The private toolchain, if it is there, finished, and fits this host.
pub(crate) fn finished_toolchain(host: &Toolchain) -> Result<Option<PathBuf>> {
    let root = toolchain_root(host)?;
    if !root.join(FINISHED).is_file() {
        return Ok(None);
    }
    debian::link_linker(host, &root)?;
    Ok(Some(root))
}

/// Where the private toolchain goes; cross wants the triple at the end of the name.
fn toolchain_root(host: &Toolchain) -> Result<PathBuf> {
    Ok(workspace::cache_folder()?.join(format!("onewrite-{}", host.host)))
}

/// Whether somebody answers at the address of a URL; with a proxy that is for it to find out.
pub(crate) fn answers(url: &str) -> bool {
    rustup::has_proxy() || rustup::reachable(url)
}

/// The name of Debian's release to take packages from: this machine's, or the one that all this
/// was tried with.
pub(crate) fn debian_release() -> String {
    let release = fs::read_to_string("/etc/os-release").unwrap_or_default();
    match apt::debian_codename(&release) {
        "" => "bookworm".to_owned(),
        codename => codename.to_owned(),
    }
}

/// Copies the machine's Debian sources into `folder` and returns the files; none on other systems.
pub(crate) fn debian_sources(folder: &Path) -> Result<Vec<PathBuf>> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    apt::copy_sources(Path::new("/etc/apt"), folder, "")?;
    let mut files: Vec<PathBuf> =
        fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    files.sort();
    Ok(files)
}

/// One set-up at a time on this machine; held until it is dropped.
pub(crate) fn lock() -> Result<File> {
    lock_in(&workspace::cache_folder()?)
}

/// The same for what is made in one folder only.
pub(crate) fn lock_in(folder: &Path) -> Result<File> {
    fs::create_dir_all(folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let path = folder.join("setup.lock");
    let file = File::options().create(true).truncate(false).write(true).open(&path)?;
    if fs4::FileExt::try_lock(&file).is_err() {
        say("another set-up is running; waiting for it");
        if let Err(error) = fs4::FileExt::lock(&file) {
            bail!("cannot lock {}: {error}", path.display());
        }
    }
    Ok(file)
}
