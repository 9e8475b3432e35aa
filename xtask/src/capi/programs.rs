//! The tests that are written in C: compiled as strictly as compilers can, run under sanitizers.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

use super::{build_folder, name_of, script};
use crate::process::{self, End};
use crate::progress::Tally;
use crate::progress::say;
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

/// Builds the test program against a library, which needs `more` of the system's, and runs it over
/// all vectors.
pub(super) fn run(library: &Path, more: &[&str]) -> Result<Tally> {
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
    command.arg(include()).args(&files).arg(library).args(more).arg("-o").arg(&program);
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

/// Builds every program on a page and compares what it prints with what the page says.
pub(super) fn run_page(page: &Path, library: &Path) -> Result<Tally> {
    let text = fs::read_to_string(page).with_context(|| page.display().to_string())?;
    let (folder, mut tally) = (build_folder("page")?, Tally::default());
    let blocks = blocks(&text);
    for (at, pair) in blocks.windows(2).enumerate() {
        let [("c", source), ("text", wanted)] = pair else { continue };
        let (file, program) = (folder.join(format!("{at}.c")), folder.join(format!("{at}")));
        fs::write(&file, source)?;
        let mut command = Command::new("cc");
        command.args(["-std=c99", "-pedantic-errors", "-Wall", "-Wextra", "-Werror"]);
        command.args(SANITIZERS).arg(include()).arg(&file).arg(library).arg("-o").arg(&program);
        process::capture(&mut command)?;
        let found = process::capture(&mut Command::new(&program))?;
        if found != *wanted {
            bail!("{}: program {at} prints {found:?}, not {wanted:?}", page.display());
        }
        println!("test capi: program {at} of {} ... ok", name_of(page));
        tally.add(Tally::one(true));
    }
    let programs = blocks.iter().filter(|(language, _)| *language == "c").count();
    if tally != Tally::passed(programs) {
        bail!("{}: a program is not followed by what it prints", page.display());
    }
    Ok(tally)
}

/// The blocks of code on a page, each with its language.
fn blocks(page: &str) -> Vec<(&str, String)> {
    let (mut blocks, mut open) = (Vec::new(), None);
    for line in page.lines() {
        match (line.strip_prefix("```"), &mut open) {
            (Some(language), None) => open = Some((language, String::new())),
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some((_, text))) => {
                text.push_str(line);
                text.push('\n');
            }
            (None, None) => {}
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_a_language_and_their_lines() {
        let found = blocks("# A\n```c\nint a;\n\n```\n    code\n```text\nb\n```\n```c\nopen\n");
        assert_eq!(found, [("c", "int a;\n\n".to_owned()), ("text", "b\n".to_owned())]);
    }
}
