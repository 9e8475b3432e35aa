//! The tests that are written in C: compiled as strictly as compilers can, run under sanitizers.

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::library::Library;
use super::{build_folder, name_of, script};
use crate::process::{self, End};
use crate::progress::say;
use crate::test::Tally;
use crate::workspace;

/// What no C of ours may be warned about.
const WARNINGS: [&str; 7] =
    ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wstrict-aliasing=2", "-Wundef", "-Werror"];

/// Whatever is undefined ends the program.
const SANITIZERS: [&str; 4] =
    ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g"];

/// The program takes a few seconds.
const LIMIT: Duration = Duration::from_secs(120);

fn sources() -> PathBuf {
    workspace::root().join("capi/tests")
}

/// The path of the header, for the compiler.
pub(super) fn include() -> String {
    format!("-I{}", workspace::root().join("capi/include").display())
}

/// The header alone, in each language it is for; its sizes and offsets are asserted there.
pub(super) fn check_header() -> Result<Tally> {
    let folder = build_folder("tests")?;
    let mut tally = Tally::default();
    for (compiler, language, standard) in
        [("cc", "c", "c99"), ("cc", "c", "c11"), ("c++", "c++", "c++17")]
    {
        let mut command = Command::new(compiler);
        command.args(["-x", language, &format!("-std={standard}"), "-pedantic-errors"]);
        command.args(WARNINGS).arg(include()).arg("-c").arg(sources().join("header.c"));
        command.arg("-o").arg(folder.join(format!("header-{standard}.o")));
        process::capture(&mut command)?;
        println!("test capi: header as {standard} ... ok");
        tally.add(Tally::one(true));
    }
    Ok(tally)
}

/// Builds the test program against the library and runs it over all vectors.
pub(super) fn run(library: &Library) -> Result<Tally> {
    let folder = build_folder("tests")?;
    let (text, counts) = script::write(&workspace::root().join("tests/data"))?;
    let script = folder.join("vectors.txt");
    fs::write(&script, text).with_context(|| script.display().to_string())?;
    let program = folder.join("capi-tests");
    let mut files: Vec<PathBuf> =
        fs::read_dir(sources())?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    // The header's own file has no code.
    files.retain(|path| {
        path.extension().is_some_and(|extension| extension == "c") && name_of(path) != "header.c"
    });
    files.sort();
    say("building the tests in C");
    let mut command = Command::new("cc");
    command.args(["-std=c11", "-O1", "-pthread"]).args(WARNINGS).args(SANITIZERS);
    command.arg(include()).args(&files).arg(&library.path).arg("-o").arg(&program);
    process::capture(&mut command)?;
    let mut command = Command::new(&program);
    command.arg(&script);
    command.args([counts.batches, counts.damaged, counts.values].map(|count| count.to_string()));
    // Nothing that the caller's environment says makes them look away.
    command.env("ASAN_OPTIONS", "abort_on_error=0:detect_stack_use_after_return=1");
    command.env("UBSAN_OPTIONS", "print_stacktrace=1");
    let (end, stdout, stderr) = process::capture_within(&mut command, LIMIT)?;
    let (stdout, stderr) = (String::from_utf8_lossy(&stdout), String::from_utf8_lossy(&stderr));
    print!("{stdout}");
    let tally = Tally::of_output(&stdout);
    match end {
        End::Exited(status) if status.success() || tally.has_failures() => Ok(tally),
        end => bail!("{}: {end:?}\n{stderr}", process::show(&command)),
    }
}
