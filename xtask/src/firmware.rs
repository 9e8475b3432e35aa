//! Builds examples, for any place, and turns a bare-metal one into `kernel8.img`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use object::read::elf::{ElfFile64, FileHeader as _, ProgramHeader as _};
use object::{Endianness, elf};

use crate::progress::say;
use crate::report::output;
use crate::toolchain::{Place, Toolchain};
use crate::{process, setup, workspace};

/// Where the Pi's firmware loads `kernel8.img`.
const LOAD_ADDRESS: u64 = 0x8_0000;
/// Nothing of ours comes near; a segment that is farther away is not meant for the card.
const MOST: usize = 16 * 1024 * 1024;

/// How an example is built.
#[derive(Clone, Debug)]
pub(crate) struct Build<'a> {
    /// The package the example is in.
    pub(crate) package: &'a str,
    /// The example.
    pub(crate) example: &'a str,
    /// The profile of cargo.
    pub(crate) profile: Profile,
    /// Settings of that profile, such as `opt-level=1`.
    pub(crate) settings: &'a [&'a str],
}

/// A profile of cargo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Profile {
    /// With debug assertions and overflow checks.
    Dev,
    /// Optimized, as the workspace says.
    Release,
}

impl<'a> Build<'a> {
    /// An example of the library, with the release profile of the workspace.
    pub(crate) fn example(example: &'a str) -> Self {
        Self { package: "onewrite", example, profile: Profile::Release, settings: &[] }
    }

    /// Builds it and returns the program.
    pub(crate) fn build(&self, toolchain: &Toolchain, place: Place) -> Result<PathBuf> {
        self.build_with(toolchain.cargo(place, "build"), place)
    }

    /// Builds it for any aarch64 Linux: static, since a board's C library is often older than the
    /// one of the machine that builds, and without symbols, which only make the copy longer.
    ///
    /// Only the program has these flags, so that what it depends on is built once for both kinds.
    pub(crate) fn build_static(&self, toolchain: &Toolchain) -> Result<PathBuf> {
        let mut command = toolchain.cargo(Place::Linux, "rustc");
        self.arguments(&mut command, &[self.example]);
        say(format_args!("building {} for {}, static", self.example, Place::Linux));
        command.args(MESSAGES).args(["--", "-Ctarget-feature=+crt-static", "-Cstrip=symbols"]);
        let built = program_of(&mut command, self.example)?;
        // The next build of the other kind takes its place.
        let folder = toolchain.target_folder(Place::Linux).join("static");
        fs::create_dir_all(&folder)?;
        let kept = folder.join(self.example);
        // Whole or not at all, also for whoever builds the same at the same time.
        let new = tempfile::NamedTempFile::new_in(&folder)?.into_temp_path();
        fs::copy(&built, &new).with_context(|| format!("cannot keep {}", built.display()))?;
        new.persist(&kept).with_context(|| format!("cannot keep {}", kept.display()))?;
        Ok(kept)
    }

    fn build_with(&self, mut command: Command, place: Place) -> Result<PathBuf> {
        self.arguments(&mut command, &[self.example]);
        say(format_args!("building {} for {place}", self.example));
        executable(&mut command, self.example)
    }

    fn arguments(&self, command: &mut Command, examples: &[&str]) {
        command.args(["--package", self.package]);
        command.args(examples.iter().flat_map(|example| ["--example", example]));
        let profile = match self.profile {
            Profile::Dev => "dev",
            Profile::Release => "release",
        };
        command.args(["--profile", profile]);
        if self.package == "onewrite" {
            command.arg("--all-features");
        }
        for setting in self.settings {
            command.args(["--config", &format!("profile.{profile}.{setting}")]);
        }
    }

    /// Builds several examples as it would this one, on every core, so that each is there when it is
    /// asked for.
    ///
    /// What does not build says so when it is asked for.
    pub(crate) fn prepare(&self, examples: &[&str], toolchain: &Toolchain, place: Place) {
        let mut command = toolchain.cargo(place, "build");
        self.arguments(&mut command, examples);
        command.args(["--quiet", "--keep-going"]).stdin(Stdio::null()).stderr(Stdio::null());
        say(format_args!("building {} examples of {} for {place}", examples.len(), self.package));
        // Whatever comes of it, every example is built by itself later on.
        let _ = command.status();
    }
}

/// Runs a cargo build and returns the program that it made under that name.
pub(crate) fn executable(command: &mut Command, name: &str) -> Result<PathBuf> {
    program_of(command.args(MESSAGES), name)
}

/// What has cargo say in JSON what it makes.
const MESSAGES: [&str; 2] = ["--quiet", "--message-format=json"];

/// The same for a command that has cargo say what it makes.
fn program_of(command: &mut Command, name: &str) -> Result<PathBuf> {
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let output = process::spawn(command)?.wait_with_output()?;
    let (program, diagnostics) = read_messages(&String::from_utf8_lossy(&output.stdout), name);
    eprint!("{diagnostics}");
    process::check(command, output.status)?;
    program.with_context(|| format!("cargo built no program {name}"))
}

/// Runs a cargo build and returns the programs that it made under these names, in their order.
pub(crate) fn executables(command: &mut Command, names: &[&str]) -> Result<Vec<PathBuf>> {
    command.args(MESSAGES).stdin(Stdio::null()).stdout(Stdio::piped());
    let output = process::spawn(command)?.wait_with_output()?;
    let messages = String::from_utf8_lossy(&output.stdout);
    eprint!("{}", diagnostics(&messages));
    process::check(command, output.status)?;
    let program = |name: &&str| {
        read_messages(&messages, name).0.with_context(|| format!("cargo built no program {name}"))
    };
    names.iter().map(program).collect()
}

/// What the compiler had to say in cargo's JSON messages.
pub(crate) fn diagnostics(messages: &str) -> String {
    read_messages(messages, "").1
}

/// The `executable` of the artifact with that name in cargo's JSON messages, and what the
/// compiler had to say.
fn read_messages(messages: &str, name: &str) -> (Option<PathBuf>, String) {
    let (mut program, mut diagnostics) = (None, String::new());
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let text = |pointer| message.pointer(pointer).and_then(serde_json::Value::as_str);
        if text("/target/name") == Some(name)
            && let Some(executable) = text("/executable")
        {
            program = Some(PathBuf::from(executable));
        }
        if let Some(rendered) = text("/message/rendered")
            && !rendered.starts_with(STRICT_ALIGN_WARNING)
        {
            diagnostics.push_str(rendered);
        }
    }
    (program, diagnostics)
}

/// The compiler says this once a crate; the flag is ours, and boards refuses to build without it.
const STRICT_ALIGN_WARNING: &str =
    "warning: unknown and unstable feature specified for `-Ctarget-feature`: `strict-align`";

/// The bytes of `kernel8.img`: the loaded segments at their distances from the load address.
pub(crate) fn image(program: &[u8]) -> Result<Vec<u8>> {
    let file = ElfFile64::<Endianness>::parse(program).context("no 64-bit ELF file")?;
    let endian = file.endian();
    let mut image = Vec::new();
    for segment in file.elf_header().program_headers(endian, program)? {
        let bytes = segment.data(endian, program).ok().context("a segment outside the file")?;
        if segment.p_type(endian) != elf::PT_LOAD || bytes.is_empty() {
            continue;
        }
        let address = segment.p_paddr(endian);
        let at = address.checked_sub(LOAD_ADDRESS).and_then(|at| usize::try_from(at).ok());
        let Some(at) = at.filter(|&at| at < MOST) else {
            bail!("a segment at {address:#x}, but the image starts at {LOAD_ADDRESS:#x}");
        };
        let end = at + bytes.len();
        if image.len() < end {
            image.resize(end, 0);
        }
        if let Some(place) = image.get_mut(at..end) {
            place.copy_from_slice(bytes);
        }
    }
    if image.is_empty() {
        bail!("nothing in the program is loaded");
    }
    if file.elf_header().e_entry(endian) != LOAD_ADDRESS {
        bail!(
            "the program starts at {:#x}, not {LOAD_ADDRESS:#x}",
            file.elf_header().e_entry(endian)
        );
    }
    Ok(image)
}

/// Writes `kernel8.img` beside the program and returns where.
pub(crate) fn write_image(program: &Path) -> Result<PathBuf> {
    let bytes = fs::read(program).with_context(|| format!("cannot read {}", program.display()))?;
    let image = image(&bytes)?;
    // One folder each: the Pi wants this very name.
    let folder = program.with_extension("image");
    fs::create_dir_all(&folder)?;
    let path = folder.join("kernel8.img");
    fs::write(&path, &image)?;
    Ok(path)
}

/// `cargo xtask image EXAMPLE`.
pub(crate) fn command(example: &str, yes: bool) -> Result<()> {
    setup::ensure(&[setup::Need::BareCompiler], yes)?;
    let toolchain = Toolchain::for_place(Place::Bare)?;
    let program = Build::example(example).build(&toolchain, Place::Bare)?;
    let image = write_image(&program)?;
    let size = fs::metadata(&image)?.len();
    output::print(&format!("{} ({size} bytes)\n", workspace::short(&image)))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

    use super::*;

    /// A little-endian aarch64 ELF file with one loaded segment.
    fn program(entry: u64, address: u64, bytes: &[u8]) -> Vec<u8> {
        let mut file = vec![0x7f, b'E', b'L', b'F', 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0];
        for half in [2u16, 183] {
            file.extend(half.to_le_bytes());
        }
        file.extend(1u32.to_le_bytes());
        for word in [entry, 64, 0] {
            file.extend(word.to_le_bytes());
        }
        file.extend(0u32.to_le_bytes());
        for half in [64u16, 56, 1, 64, 0, 0] {
            file.extend(half.to_le_bytes());
        }
        for word in [1u32, 5] {
            file.extend(word.to_le_bytes());
        }
        let size = bytes.len() as u64;
        for word in [120, 0xffff_0000, address, size, size, 8] {
            file.extend(word.to_le_bytes());
        }
        file.extend(bytes);
        file
    }

    #[test]
    fn the_image_holds_segments_by_physical_address() {
        let image = image(&program(0x80000, 0x80010, b"abc")).unwrap();
        assert_eq!(image.len(), 0x13);
        assert_eq!(&image[0x10..], b"abc");
    }

    #[test]
    fn a_wrong_address_or_entry_is_refused() {
        assert!(image(&program(0x80000, 0x1000, b"abc")).is_err());
        assert!(image(&program(0x80004, 0x80000, b"abc")).is_err());
        assert!(image(b"nothing").is_err());
    }

    #[test]
    fn the_program_is_found_by_its_name() {
        let messages = "{\"target\":{\"name\":\"other\"},\"executable\":\"/o\"}\nnoise\n\
            {\"target\":{\"name\":\"record\"},\"executable\":null}\n\
            {\"target\":{\"name\":\"record\"},\"executable\":\"/t/record\"}\n";
        assert_eq!(read_messages(messages, "record").0, Some("/t/record".into()));
        assert_eq!(read_messages(messages, "absent").0, None);
    }

    #[test]
    fn of_the_compilers_words_only_the_one_about_our_flag_is_dropped() {
        let message = |text: &str| format!("{{\"message\":{{\"rendered\":\"{text}\\n\"}}}}\n");
        let messages = message(STRICT_ALIGN_WARNING) + &message("warning: unused variable");
        assert_eq!(read_messages(&messages, "x").1, "warning: unused variable\n");
    }
}
