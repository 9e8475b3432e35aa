//! `cargo xtask report` as its users run it: files, terminals, locales, and what is broken.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test for the host that fails by panicking"
)]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A usual name, and those of case report-04.
const NAMES: [&str; 5] = [
    "in_place",
    "encode \u{b5}s",
    "\u{65e5}\u{672c}",
    "e\u{301}",
    "a_name_of_sixty_characters_that_is_longer_than_a_sane_one_is",
];

/// Rounds of a shape; none where a number is none.
type Rounds<'a> = &'a [Option<f64>];

fn xtask() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    for variable in ["COLUMNS", "LC_ALL", "LANG", "NO_COLOR", "CLICOLOR_FORCE"] {
        command.env_remove(variable);
    }
    command.stdin(Stdio::null());
    command
}

fn report<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = xtask();
    command.arg("report").args(arguments);
    command
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs it and returns what it printed; it has to end with 0.
fn shown(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{command:?}\n{}", stderr(&output));
    stdout(&output)
}

/// Runs it and returns its complaint; it has to end with 1 and without a panic.
fn complaint(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{command:?}\n{}", stderr(&output));
    let complaint = stderr(&output);
    assert!(complaint.contains("xtask: error: ") && !complaint.contains("panicked"), "{complaint}");
    complaint
}

fn statistics(rounds: Rounds<'_>) -> Value {
    let known: Vec<f64> = rounds.iter().copied().flatten().collect();
    if known.len() < rounds.len() {
        let none = Value::Null;
        return json!({"rounds": 3, "mean": none, "error": none, "stddev": none, "median": none,
            "min": none, "max": none, "p95": none});
    }
    let middle = known[known.len() / 2];
    let (low, high) = (known[0], known[known.len() - 1]);
    json!({"rounds": known.len(), "mean": middle, "error": (high - low) / 2.0,
        "stddev": (high - low) / 4.0, "median": middle, "min": low, "max": high, "p95": high})
}

/// A measurement with a row for each pair of a shape and its rounds.
fn measurement(label: &str, date: &str, rows: &[(&str, Rounds<'_>)]) -> Value {
    let quantity = if label == "host" { "ns" } else { "instructions" };
    let results: Vec<Value> = rows
        .iter()
        .map(|(shape, rounds)| {
            json!({"workload": "table", "shape": shape, "bytes": 1_234_567, "records": 1000,
                quantity: statistics(rounds)})
        })
        .collect();
    json!({
        "schema": "onewrite-throughput-2", "label": label, "measured_at": date,
        "environment": {"label": label, "board": "a test", "rustc": "1.96.0", "commit": "abc"},
        "environment_after": {"clock": "1.0 GHz"}, "unfit": [], "results": results,
        "breakdown": [], "notes": ["half a note"],
    })
}

/// A measurement of time with all the names.
fn named() -> Value {
    let rounds = [Some(1234.5), Some(2345.25), Some(2600.0)];
    let rows: Vec<(&str, Rounds<'_>)> = NAMES.iter().map(|name| (*name, &rounds[..])).collect();
    measurement("host", "2026-11-30T20:08:46Z", &rows)
}

/// A folder with a space in its name.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(tempfile::Builder::new().prefix("a folder ").tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, value: &Value) -> PathBuf {
        let path = self.path(name);
        fs::write(&path, value.to_string()).unwrap();
        path
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

/// Every tag is closed, and every place in it is a number.
fn assert_picture(svg: &str) {
    use svg::node::element::tag::Type;
    use svg::parser::Event;
    assert!(svg.ends_with("</svg>\n"), "{svg}");
    let mut open = Vec::new();
    for event in svg::read(svg).unwrap() {
        match event {
            Event::Tag(name, Type::Start, _) => open.push(name),
            Event::Tag(name, Type::End, _) => assert_eq!(open.pop(), Some(name), "{svg}"),
            Event::Tag(_, Type::Empty, attributes) => {
                for (name, value) in attributes {
                    assert!(!value.contains("NaN") && !value.contains("inf"), "{name}={value}");
                }
            }
            Event::Error(error) => panic!("{error}\n{svg}"),
            _ => {}
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

#[test]
fn every_form_is_the_same_in_every_locale() {
    // report-01
    let folder = Folder::new();
    let file = folder.file("one.json", &named());
    let load = folder.path("load.txt");
    let seed = "Mean 20,794 ms, StdDev 13,028 ms, Error 130,284 us, Req/Sec 960, Throughput \
        109.213 MB/s, 10000 requests, 20 clients";
    fs::write(&load, seed).unwrap();
    let all = |locale: Option<&str>| {
        let run = |mut command: Command| {
            if let Some(locale) = locale {
                command.env("LC_ALL", locale).env("LANG", locale);
            }
            command.output().unwrap().stdout
        };
        let forms = ["text", "csv", "markdown", "svg", "html"].into_iter();
        let mut all: Vec<Vec<u8>> = forms
            .map(|form| run(report([OsStr::new("--format"), OsStr::new(form), file.as_os_str()])))
            .collect();
        let mut check = xtask();
        check.arg("check-load").arg(&load).args(["--body", "11"]);
        all.push(run(check));
        all
    };
    let plain = all(None);
    assert!(plain.iter().all(|output| !output.is_empty()));
    for locale in ["de_DE.UTF-8", "pl_PL.UTF-8", "C", "tr_TR.UTF-8"] {
        assert_eq!(all(Some(locale)), plain, "{locale}");
    }
    let csv = String::from_utf8(plain[1].clone()).unwrap();
    assert!(csv.contains(",ns,3,2345.25,"), "{csv}");
    let checked = String::from_utf8(plain[5].clone()).unwrap();
    for line in ["mean: 20.794 ms", "stddev: 13.028 ms", "error: 130.284 us", "113763 bytes"] {
        assert!(checked.contains(line), "{checked}");
    }
}

#[test]
fn a_picture_needs_no_tool_and_no_home() {
    // report-03
    let folder = Folder::new();
    let file = folder.file("one.json", &named());
    // Whoever calls it leaves a trace.
    let (fake, trace) = (folder.path("gnuplot"), folder.path("trace"));
    let script = format!(
        "#!/bin/sh\n: >'{}'\necho 'gnuplot 5.2 patchlevel 5a (Gentoo revision r0)'\n",
        trace.display()
    );
    fs::write(&fake, script).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
    }
    for path in [folder.0.path(), Path::new("")] {
        let output = folder.path("plot.svg");
        let mut command = report([OsStr::new("--output"), output.as_os_str(), file.as_os_str()]);
        shown(command.env("PATH", path).env_remove("HOME").env_remove("XDG_CACHE_HOME"));
        assert_picture(&fs::read_to_string(&output).unwrap());
        fs::remove_file(&output).unwrap();
    }
    assert!(!trace.exists());
}

#[test]
fn odd_series_are_drawn_or_said() {
    // report-03: one point, all equal, all zero, one NaN, a logarithmic axis with 0.
    let folder = Folder::new();
    let (zero, one, none) = (Some(0.0), Some(7.0), None);
    let series: [(&str, &[(&str, Rounds<'_>)]); 6] = [
        ("one point", &[("a", &[Some(5.0)])]),
        ("equal", &[("a", &[one, one, one]), ("b", &[one, one, one])]),
        ("zero", &[("a", &[zero, zero]), ("b", &[zero, zero])]),
        ("no number", &[("a", &[none, none]), ("b", &[one, one])]),
        ("nothing", &[("a", &[none, none])]),
        ("wide", &[("a", &[Some(1e-9)]), ("b", &[Some(1e9)]), ("c", &[zero])]),
    ];
    for label in ["host", "qemu-icount"] {
        for (name, rows) in series {
            let one = folder.file("one.json", &measurement(label, "2026-11-30T20:08:46Z", rows));
            let two = folder.file("two.json", &measurement(label, "2026-12-01T20:08:46Z", rows));
            for scale in ["linear", "log"] {
                for files in [vec![&one], vec![&one, &two]] {
                    let mut command = report(["--format", "svg", "--scale", scale]);
                    let output = command.args(&files).output().unwrap();
                    let said = stderr(&output);
                    assert!(output.status.success(), "{name}: {said}");
                    let svg = stdout(&output);
                    assert_picture(&svg);
                    // No time is an infinite throughput.
                    let gap = ["no number", "nothing"].contains(&name)
                        || (label == "host" && ["zero", "wide"].contains(&name));
                    assert_eq!(svg.contains("no finite number"), gap, "{label} {name}: {svg}");
                    assert_eq!(said.contains("no finite number"), gap, "{label} {name}: {said}");
                    let on_log = label != "host" && scale == "log";
                    let no_place = on_log && ["zero", "wide"].contains(&name);
                    assert_eq!(svg.contains("0 has no place on a log axis"), no_place, "{svg}");
                }
            }
        }
    }
    // An infinite number is none that JSON knows.
    let text = fs::read_to_string(folder.path("one.json")).unwrap().replace("1e-9", "1e999");
    fs::write(folder.path("one.json"), text).unwrap();
    let error = complaint(&mut report([folder.path("one.json")]));
    assert!(error.contains("number out of range"), "{error}");
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_said_and_nothing_is_left() {
    // report-03
    let folder = Folder::new();
    let file = folder.file("one.json", &named());
    let to = |output: &Path| {
        let mut command = report([OsStr::new("--format"), OsStr::new("csv"), file.as_os_str()]);
        command.arg("--output").arg(output);
        command
    };
    for (output, why) in [
        (folder.path("missing/x.csv"), "there is no folder"),
        (file.join("x.csv"), "Not a directory"),
        (folder.path(""), "it is a folder"),
        (PathBuf::from("/dev/full"), "No space left on device"),
    ] {
        let error = complaint(&mut to(&output));
        assert!(error.contains(why), "{}: {error}", output.display());
    }
    assert_eq!(folder.names(), ["one.json"]);
    // Standard output that is full is an error as well.
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let output = report([&file]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let output = output.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot write to standard output"), "{}", stderr(&output));
    shown(&mut to(&folder.path("a result.csv")));
    assert_eq!(folder.names(), ["a result.csv", "one.json"]);
    // A folder that may not be written; root may write everywhere, so it is nobody who tries.
    if rustix::process::geteuid().is_root() {
        use std::os::unix::fs::PermissionsExt as _;
        use std::os::unix::process::CommandExt as _;
        // Nobody gets to the program where it is built.
        let program = folder.path("program");
        fs::copy(env!("CARGO_BIN_EXE_xtask"), &program).unwrap();
        for path in [folder.0.path(), &program, &file] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let mut command = Command::new(&program);
        command.arg("report").arg(&file).arg("--output").arg(folder.path("x.csv"));
        command.current_dir("/").uid(65534).gid(65534);
        // Another thread's child may still hold what was just written open for writing.
        let output = loop {
            match command.output() {
                Err(error) if error.kind() == std::io::ErrorKind::ExecutableFileBusy => continue,
                output => break output.unwrap(),
            }
        };
        let error = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{error}");
        assert!(error.contains("Permission denied"), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_an_end_is_not_read_to_it() {
    let folder = Folder::new();
    let one = folder.file("one.json", &named());
    for words in [
        "report /dev/zero",
        "report ONE --baseline /dev/zero",
        "check-load /dev/zero",
        "bench --from /dev/zero",
        "deploy pi@127.0.0.1:1 --program /dev/zero",
    ] {
        let mut command = xtask();
        let words = words.split(' ');
        command.args(words.map(|word| if word == "ONE" { one.as_os_str() } else { word.as_ref() }));
        let error = complaint(command.env("PATH", "").env("ONEWRITE_SSH", "/bin/false"));
        assert!(error.contains("/dev/zero") && error.contains("MiB, which none has"), "{error}");
    }
}

#[test]
fn throughput_says_before_measuring_what_it_could_not_write() {
    // report-03: nothing is built or measured here, since not even cargo is found.
    let folder = Folder::new();
    let file = folder.path("file");
    fs::write(&file, "{}").unwrap();
    let measure = |target: &Path, option: &str, value: &Path| {
        let mut command = xtask();
        command.args(["throughput", "--on", "host", option]).arg(value);
        complaint(command.env("PATH", "").env("CARGO_TARGET_DIR", target))
    };
    let (target, missing) = (folder.path("target"), folder.path("missing/x"));
    for (target, option, value, why) in [
        (&target, "--json", &missing, "there is no folder"),
        (&target, "--plot", &missing, "there is no folder"),
        (&target, "--json", &target, "it is a folder"),
        (&target, "--baseline", &missing, "cannot read the measurement"),
        (&target, "--baseline", &file, "names no schema"),
        (&file, "--json", &folder.path("x"), "cannot keep measurements in"),
    ] {
        let error = measure(target, option, value);
        assert!(error.contains(why), "{option}: {error}");
    }
    assert_eq!(folder.names(), ["file", "target"]);
    assert_eq!(fs::read_dir(target.join("throughput")).unwrap().count(), 0);
}

#[test]
fn what_is_not_there_is_said_before_anything_is_built() {
    let folder = Folder::new();
    let file = folder.path("file");
    fs::write(&file, "").unwrap();
    for (words, why) in [
        ("codegen nope", "no function nope in benches/codegen"),
        ("codegen flat_frame nope", "no function nope in benches/codegen"),
        ("count --on host count nope", "there is no example nope"),
        ("fuzz gzip --input /nowhere", "there is no /nowhere"),
        ("bench", "cannot keep measurements in"),
        ("deploy pi@127.0.0.1:1 --program /nowhere", "cannot read /nowhere"),
        #[cfg(unix)]
        ("throughput --on uart:/nowhere", "/nowhere is not there"),
        #[cfg(unix)]
        ("run throughput --on uart:/nowhere", "/nowhere is not there"),
    ] {
        let mut command = xtask();
        command.args(words.split(' ')).env("PATH", "").env("ONEWRITE_SSH", "/bin/false");
        // Of a throughput that finds its folder, the next thing that is looked at is the device.
        let target = if words == "bench" { file.clone() } else { folder.path("target") };
        let error = complaint(command.env("CARGO_TARGET_DIR", target));
        assert!(error.contains(why), "{words}: {error}");
    }
}

#[test]
fn an_option_of_another_place_is_wrong_usage() {
    // Nothing is built: not even cargo is found.
    for (on, option, value, why) in [
        ("qemu", "--reports", "2", "--reports goes with --on uart:DEVICE"),
        ("host", "--elf", "x", "--elf goes with --on uart:DEVICE"),
        ("ssh:pi@board", "--silence", "5", "--silence goes with --on uart:DEVICE"),
        ("uart:/dev/null", "--ssh-option", "Port=7", "--ssh-option goes with --on ssh:USER@HOST"),
        ("vm", "--ssh-option", "Port=7", "--ssh-option goes with --on ssh:USER@HOST"),
    ] {
        let mut command = xtask();
        command.args(["throughput", "--on", on, option, value]).env("PATH", "");
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{option} {}", stderr(&output));
        assert!(stderr(&output).contains(why), "{}", stderr(&output));
    }
}

#[test]
fn lines_fit_and_columns_line_up() {
    // report-04
    use unicode_width::UnicodeWidthStr as _;
    let folder = Folder::new();
    let file = folder.file("one.json", &named());
    let csv = || report([OsStr::new("--format"), OsStr::new("csv"), file.as_os_str()]);
    let plain = shown(&mut csv());
    for columns in ["20", "80", "200", "", "0", "wide"] {
        let mut command = report([&file]);
        command.env("COLUMNS", columns).env("TERM", "dumb").env("NO_COLOR", "1").env("LC_ALL", "C");
        let text = shown(&mut command);
        assert!(!text.contains('\u{1b}'), "{text}");
        if let Ok(limit @ 1..) = columns.parse::<usize>() {
            // The facts before the first table are sentences; a terminal wraps them.
            let (_, tables) = text.split_once("\n\n").unwrap();
            for line in tables.lines() {
                assert!(line.width() <= limit, "{columns}: {line:?}\n{text}");
            }
        }
        let joined: String = text.split_whitespace().collect();
        for name in NAMES {
            assert!(joined.contains(&name.replace(' ', "")), "{columns}: {name}\n{text}");
        }
        // The machine's file does not care.
        assert_eq!(shown(csv().env("COLUMNS", columns)), plain);
    }
    let text = shown(&mut report([&file]));
    let ends: Vec<usize> =
        text.lines().filter_map(|line| Some(line[..line.find(" 2345.2 ")?].width())).collect();
    assert!(ends.len() == NAMES.len() && ends.iter().all(|end| *end == ends[0]), "{text}");
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    // report-04: `| head -1`, and `2>&1 | head -1`.
    let folder = Folder::new();
    let file = folder.file("one.json", &named());
    let output = folder.path("plot.svg");
    let to_file = [file.as_os_str(), OsStr::new("--output"), output.as_os_str()];
    for mut command in [report([file.as_os_str()]), report(to_file)] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let also = writer.try_clone().unwrap();
        let status = command.stdout(writer).stderr(also).status().unwrap();
        assert!(status.success(), "{command:?}");
    }
    assert_picture(&fs::read_to_string(&output).unwrap());
}

#[cfg(unix)]
#[test]
fn a_terminal_gets_lines_of_its_width_and_no_escape_codes() {
    // report-04
    use std::io::Read as _;

    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use rustix::termios::{Winsize, tcsetwinsize};
    let folder = Folder::new();
    let rounds = [Some(1234.5), Some(2345.25), Some(2600.0)];
    let rows: [(&str, Rounds<'_>); 1] = [("in_place", &rounds)];
    let file = folder.file("one.json", &measurement("host", "2026-11-30T20:08:46Z", &rows));
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let name = ptsname(&terminal, Vec::new()).unwrap().into_string().unwrap();
    let other = fs::File::options().read(true).write(true).open(name).unwrap();
    let size = Winsize { ws_row: 25, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&other, size).unwrap();
    let mut command = report([&file]);
    let mut child = command.env("TERM", "xterm-256color").stdout(other).spawn().unwrap();
    // It holds the other side open.
    drop(command);
    let mut bytes = Vec::new();
    // A terminal whose other side is closed ends with an error.
    let _ = fs::File::from(terminal).read_to_end(&mut bytes);
    assert!(child.wait().unwrap().success());
    let text = String::from_utf8(bytes).unwrap();
    assert!(!text.contains('\u{1b}'), "{text}");
    assert!(text.contains("workload  shape     mean ns"), "{text}");
    assert!(text.contains("(no room here for: ") && !text.contains("p95\r\n"), "{text}");
    let (_, tables) = text.split_once("\r\n\r\n").unwrap();
    assert!(tables.lines().all(|line| line.len() <= 60), "{text}");
}

#[test]
fn a_history_is_sorted_and_keeps_labels_apart() {
    let folder = Folder::new();
    let run = |label: &str, date: &str, amount: f64| {
        measurement(label, date, &[("in_place", &[Some(amount), Some(amount)])])
    };
    let new = folder.file("a.json", &run("qemu-icount", "2026-12-01T00:00:00Z", 55_000.0));
    let old = folder.file("b.json", &run("qemu-icount", "2026-11-01T00:00:00Z", 50_000.0));
    let text = shown(&mut report([&new, &old]));
    let numbers = |line: &str| line.split_whitespace().skip(2).collect::<Vec<_>>().join(" ");
    let line = text.lines().find(|line| line.starts_with("table")).map(numbers);
    assert_eq!(line.as_deref(), Some("50.00 55.00 +10.00 %"), "{text}");
    let html = shown(report([&new, &old]).args(["--format", "html"]));
    assert!(html.contains("2026-11-01") && html.contains("</svg>"), "{html}");
    let host = folder.file("c.json", &run("host", "2026-12-02T00:00:00Z", 5.0));
    let error = complaint(&mut report([&new, &old, &host]));
    assert!(error.contains("never shown together"), "{error}");
}

#[test]
fn a_baseline_decides_the_exit_code() {
    let folder = Folder::new();
    let run = |label: &str, amount: f64| {
        measurement(label, "2026-11-30T20:08:46Z", &[("in_place", &[Some(amount), Some(amount)])])
    };
    let before = folder.file("before.json", &run("qemu-icount", 1000.0));
    let same = folder.file("same.json", &run("qemu-icount", 1010.0));
    let worse = folder.file("worse.json", &run("qemu-icount", 1020.0));
    let against = |file: &Path, baseline: &Path| {
        let mut command = report([file]);
        command.arg("--baseline").arg(baseline);
        command
    };
    assert!(shown(&mut against(&same, &before)).contains("+1.00 %"));
    let error = complaint(&mut against(&worse, &before));
    assert!(error.contains("beyond the limit of 1 %") && error.contains("+2.00 %"), "{error}");
    shown(against(&worse, &before).args(["--limit", "2"]));
    let csv = shown(against(&worse, &before).args(["--limit", "2.5", "--format", "csv"]));
    assert!(csv.contains("table,in_place,instructions_per_record,1,1.02,0.02,"), "{csv}");
    for (value, why) in [
        (run("qemu-count", 1000.0), "they are never compared"),
        (json!({"schema": "onewrite-throughput-1"}), "measure again"),
        (json!({"schema": "onewrite-throughput-9"}), "this program reads onewrite-throughput-2"),
        (json!({"results": []}), "names no schema"),
        (json!([1, 2]), "not a measurement"),
    ] {
        let baseline = folder.file("other.json", &value);
        let error = complaint(&mut against(&same, &baseline));
        assert!(error.contains(why), "{error}");
    }
    let mut unfit = run("qemu-icount", 1000.0);
    unfit["unfit"] = json!(["the clock moved"]);
    let unfit = folder.file("unfit.json", &unfit);
    let error = complaint(&mut against(&same, &unfit));
    assert!(error.contains("the baseline is unfit for comparison: the clock moved"), "{error}");
    assert!(complaint(&mut against(&unfit, &before)).contains("this measurement is unfit"));
    assert!(
        shown(&mut report([&unfit])).contains("WARNING: unfit for comparison: the clock moved")
    );
    // A row that is gone is named in every form.
    let two = measurement(
        "qemu-icount",
        "2026-11-30T20:08:46Z",
        &[("in_place", &[Some(1000.0)]), ("crashed", &[Some(5.0)])],
    );
    let two = folder.file("two.json", &two);
    for format in ["text", "csv", "markdown", "html"] {
        let error = complaint(against(&same, &two).args(["--format", format]));
        assert!(error.contains("only in the baseline: table crashed"), "{format}: {error}");
    }
    shown(&mut against(&two, &before));
    // Both are `qemu-icount`: on bare metal, and on Linux.
    let mut other = run("qemu-icount", 1000.0);
    for (target, name) in [("aarch64-unknown-none", "a"), ("aarch64-unknown-linux-gnu", "b")] {
        other["environment"]["target"] = json!(target);
        folder.file(name, &other);
    }
    let (bare, linux) = (folder.path("a"), folder.path("b"));
    assert!(complaint(&mut against(&bare, &linux)).contains("they are two programs"));
    assert!(complaint(&mut report([&bare, &linux])).contains("never shown together"));
    // A measurement is never written over.
    for output in [&same, &before] {
        let error = complaint(against(&same, &before).arg("--output").arg(output));
        assert!(error.contains("is a measurement"), "{error}");
    }
    // Wrong usage.
    for arguments in [
        vec!["--limit", "2"],
        vec!["--baseline", "x", "--limit", "-1"],
        vec!["--baseline", "x", "--limit", "NaN"],
        vec!["--baseline", "x", "--format", "svg"],
        vec!["--baseline", "x", "another.json"],
    ] {
        let output = report([&before]).args(&arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?} {}", stderr(&output));
    }
}

#[test]
fn a_broken_measurement_is_refused_by_name() {
    let folder = Folder::new();
    let good = named();
    let broken = |change: &dyn Fn(&mut Value)| {
        let mut value = good.clone();
        change(&mut value);
        complaint(&mut report([folder.file("broken.json", &value)]))
    };
    let set = |at: &'static str, new: Value| {
        move |value: &mut Value| *value.pointer_mut(at).unwrap() = new.clone()
    };
    for (why, at, new) in [
        ("stands there twice", "/results/1", good["results"][0].clone()),
        ("is negative", "/results/0/ns/min", json!(-1.0)),
        ("not between min and max", "/results/0/ns/mean", json!(1e9)),
        ("it has no round", "/results/0/ns/rounds", json!(0)),
        ("missing field `mean`", "/results/0/ns", json!({"rounds": 1})),
        ("it has no result", "/results", json!([])),
        ("has nothing that counts as qemu-icount", "/label", json!("qemu-icount")),
        ("no such label", "/label", json!("moon")),
        ("is no date and time", "/measured_at", json!("yesterday")),
        ("invalid type", "/results/0/bytes", json!("1.234,5")),
    ] {
        let error = broken(&set(at, new));
        assert!(error.contains(why) && error.contains("broken.json"), "{why}: {error}");
    }
    let text = good.to_string();
    for end in [0, 1, text.len() / 2, text.len() - 1] {
        fs::write(folder.path("broken.json"), &text[..end]).unwrap();
        complaint(&mut report([folder.path("broken.json")]));
    }
}
