//! The static library: how it is built, and what may be in it.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use object::read::archive::ArchiveFile;
use object::{Object as _, ObjectSection as _, ObjectSymbol as _, SectionKind};

use crate::firmware::Profile;
use crate::progress::say;
use crate::toolchain::{Place, Toolchain};
use crate::{process, size, workspace};

/// The most that `ow_leb128_*` and `ow_record_*` may take when nothing else is linked, in bytes.
const RECORD_CORE_LIMIT: u64 = 8 * 1024;

/// What the library may take from elsewhere: the five functions that every compiler of C asks for,
/// and on x86-64 a name of the linker's own.
const FROM_ELSEWHERE: [&str; 6] =
    ["memcpy", "memmove", "memset", "memcmp", "bcmp", "_GLOBAL_OFFSET_TABLE_"];

/// A library that was built and looked at.
#[derive(Debug)]
pub(super) struct Library {
    pub(super) path: PathBuf,
    triple: String,
    release: String,
    /// The functions that C calls.
    pub(super) functions: BTreeSet<String>,
    sizes: Sizes,
}

/// Bytes of what is loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Sizes {
    code: u64,
    constants: u64,
    data: u64,
}

impl Sizes {
    fn add(&mut self, file: &object::File<'_>) {
        for section in file.sections() {
            let size = section.size();
            match section.kind() {
                SectionKind::Text => self.code += size,
                // Unwind tables are not for the program itself.
                _ if section.name().is_ok_and(|name| name.contains("eh_frame")) => {}
                // Constants that hold addresses. Only who loads the program writes them: where it
                // lies is not known before.
                _ if section.name().is_ok_and(|name| name.starts_with(".data.rel.ro")) => {
                    self.constants += size;
                }
                SectionKind::ReadOnlyData
                | SectionKind::ReadOnlyString
                | SectionKind::ReadOnlyDataWithRel => self.constants += size,
                SectionKind::Data | SectionKind::UninitializedData => self.data += size,
                _ => {}
            }
        }
    }
}

impl Library {
    /// A line for people.
    pub(super) fn describe(&self) -> String {
        let Sizes { code, constants, data } = self.sizes;
        format!(
            "{}: {} functions, {code} bytes of code, {constants} of constants, {data} of variables \
             (all linked; rustc {}); no panic, no allocation",
            self.triple,
            self.functions.len(),
            self.release
        )
    }
}

/// Builds the library for `place`, and fails where it holds what it must not.
pub(super) fn build(toolchain: &Toolchain, place: Place) -> Result<Library> {
    say(format_args!("building the C library for {place}"));
    let path = archive(toolchain, place, "onewrite-capi", Profile::Release)?.path;
    let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
    let (mut functions, mut sizes, mut bad) = (BTreeSet::new(), Sizes::default(), Vec::new());
    let archive = ArchiveFile::parse(&*bytes).with_context(|| path.display().to_string())?;
    for member in archive.members() {
        let Ok(file) = object::File::parse(member?.data(&*bytes)?) else { continue };
        let exported = exported(&file);
        // The others are the compiler's own helpers, linked where something asks for them.
        if exported.is_empty() {
            continue;
        }
        functions.extend(exported);
        sizes.add(&file);
        bad.extend(complaints(&file));
    }
    if !bad.is_empty() {
        bail!("{}: in the library, and must not be: {}", path.display(), bad.join(", "));
    }
    let declared = declared(&fs::read_to_string(super::header_path())?);
    if functions != declared {
        let one_sided: Vec<_> = functions.symmetric_difference(&declared).collect();
        bail!("{}: in the header or the library alone: {one_sided:?}", path.display());
    }
    let triple = place.triple().unwrap_or(&toolchain.host).to_owned();
    Ok(Library { path, triple, release: toolchain.release.clone(), functions, sizes })
}

/// The functions that an object file offers to C. Mach-O has an underscore in front.
fn exported(file: &object::File<'_>) -> BTreeSet<String> {
    let symbols = file.symbols().filter(|symbol| symbol.is_definition() && symbol.is_global());
    let names = symbols.filter_map(|symbol| symbol.name().ok());
    let ours = names.map(|name| name.strip_prefix('_').unwrap_or(name));
    ours.filter(|name| name.starts_with("ow_")).map(str::to_owned).collect()
}

/// Names of panics, of allocations, and of what else comes from outside; variables as well, since
/// nothing is kept between calls.
fn complaints(file: &object::File<'_>) -> Vec<String> {
    let names: Vec<&str> = file.symbols().filter_map(|symbol| symbol.name().ok()).collect();
    let mut bad = size::panics_and_allocations(&names);
    for symbol in file.symbols().filter(object::ObjectSymbol::is_undefined) {
        let name = symbol.name().unwrap_or_default();
        // Mach-O has an underscore in front.
        let known = [name, name.trim_start_matches('_')];
        if !name.is_empty() && !known.iter().any(|name| FROM_ELSEWHERE.contains(name)) {
            bad.push(name.to_owned());
        }
    }
    let mut sizes = Sizes::default();
    sizes.add(file);
    if sizes.data != 0 {
        bad.push(format!("{} bytes of variables", sizes.data));
    }
    bad
}

/// The functions that a header declares.
fn declared(header: &str) -> BTreeSet<String> {
    let lines = header.lines().filter(|line| !line.trim_start().starts_with(['*', '/', '#']));
    let words = lines.flat_map(|line| line.split([' ', '*']));
    let names = words.filter_map(|word| word.split_once('(').map(|(name, _)| name));
    names.filter(|name| name.starts_with("ow_")).map(str::to_owned).collect()
}

/// What cargo made of a static library.
#[derive(Debug, Default)]
pub(super) struct Archive {
    pub(super) path: PathBuf,
    /// The folders of the build scripts, which hold linker scripts.
    pub(super) script_folders: Vec<PathBuf>,
}

/// Builds the static library of a package: for release optimized as a whole, else with debug
/// assertions and overflow checks.
pub(super) fn archive(
    toolchain: &Toolchain,
    place: Place,
    package: &str,
    profile: Profile,
) -> Result<Archive> {
    let mut command = toolchain.cargo(place, "rustc");
    command.args(["--package", package, "--lib", "--quiet", "--crate-type", "staticlib"]);
    if profile == Profile::Release {
        command.arg("--release");
    }
    command.arg("--message-format=json-render-diagnostics");
    let messages = process::capture(&mut command)?;
    let mut archive = Archive::default();
    for line in messages.lines() {
        let Ok(message) = serde_json::from_str::<serde_json::Value>(line) else { continue };
        let text = |pointer| message.pointer(pointer).and_then(serde_json::Value::as_str);
        if let Some(folder) = text("/out_dir") {
            archive.script_folders.push(folder.into());
        }
        // Only the package itself is a static library.
        if let Some(file) = text("/filenames/0")
            && (file.ends_with(".a") || file.ends_with(".lib"))
        {
            archive.path = file.into();
        }
    }
    if archive.path.as_os_str().is_empty() {
        bail!("{}: made no static library", process::show(&command));
    }
    Ok(archive)
}

/// Links the record core alone into `program`; returns its bytes of code and constants.
pub(super) fn record_core(library: &Library, compiler: &str, program: &Path) -> Result<u64> {
    let is_core = |name: &&String| name.starts_with("ow_leb128_") || name.starts_with("ow_record_");
    let core: Vec<&String> = library.functions.iter().filter(is_core).collect();
    let Some(first) = core.first() else { bail!("the library has no record core") };
    let mut command = Command::new(compiler);
    command.args(["-nostdlib", "-static", "-no-pie", "-Wl,--gc-sections"]);
    command.arg(format!("-Wl,--entry={first}"));
    command.args(core.iter().map(|name| format!("-Wl,--undefined={name}")));
    command.arg("-o").arg(program).arg(&library.path);
    process::capture(&mut command)?;
    let bytes = fs::read(program).with_context(|| program.display().to_string())?;
    let file = object::File::parse(&*bytes)?;
    let mut sizes = Sizes::default();
    sizes.add(&file);
    let bad = complaints(&file);
    if !bad.is_empty() {
        bail!("{}: must not be there: {}", workspace::short(program), bad.join(", "));
    }
    judge(sizes.code + sizes.constants)
}

fn judge(size: u64) -> Result<u64> {
    if size == 0 {
        bail!("the record core was not linked");
    }
    if size > RECORD_CORE_LIMIT {
        bail!("the record core takes {size} bytes, more than {RECORD_CORE_LIMIT}");
    }
    Ok(size)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn functions_are_found_in_a_header() {
        let header = "/**\n * See ow_not(one).\n */\n#define OW_X(a) ow_no(a)\n\
            ow_status ow_one(uint8_t *out, size_t len);\nconst char *ow_two(void);\n\
            ow_status ow_three(\n    size_t a,\n    size_t b);\ntypedef struct ow_struct {\n";
        let found: Vec<_> = declared(header).into_iter().collect();
        assert_eq!(found, ["ow_one", "ow_three", "ow_two"]);
    }

    #[test]
    fn a_large_core_fails() {
        assert!(judge(0).is_err());
        assert_eq!(judge(RECORD_CORE_LIMIT).unwrap(), RECORD_CORE_LIMIT);
        assert!(judge(RECORD_CORE_LIMIT + 1).is_err());
    }

    #[test]
    fn a_program_with_panics_is_complained_about() {
        let bytes = fs::read(std::env::current_exe().unwrap()).unwrap();
        let file = object::File::parse(&*bytes).unwrap();
        let bad = complaints(&file);
        assert!(bad.iter().any(|name| name.contains("panicking")));
        assert!(bad.iter().any(|name| name.contains("bytes of variables")));
    }
}
