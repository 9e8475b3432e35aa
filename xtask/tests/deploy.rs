//! `cargo xtask deploy` against a stand-in for ssh that runs the board's part here, and fails in
//! every way that a link can.
#![cfg(target_os = "linux")]
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test for the host, which fails by panicking"
)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// Keeps its arguments, then does what `FAKE_MODE` says at the connection `FAKE_AT`, and what ssh
/// does with a working link at every other one.
const FAKE_SSH: &str = r#"#!/bin/sh
n=$(($(cat "$FAKE/count" 2>/dev/null || echo 0) + 1))
echo $n >"$FAKE/count"
printf '%s\0' "$@" >"$FAKE/argv-$n"
for command; do :; done
mode=works
if [ "$n" = "$FAKE_AT" ]; then mode=$FAKE_MODE; fi
cd "$FAKE/home" || exit 99
case $mode in
works) exec sh -c "$command" ;;
gone) exit 255 ;;
changed)
    echo '@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @' >&2
    echo 'Host key verification failed.' >&2
    exit 255 ;;
unknown) echo 'Host key verification failed.' >&2; exit 255 ;;
refused) echo 'ssh: connect to host board port 22: Connection refused' >&2; exit 255 ;;
password)
    case " $* " in
    *' BatchMode=yes '*) echo 'pi@board: Permission denied (publickey,password).' >&2; exit 255 ;;
    *) read -r word </dev/tty ;;
    esac ;;
# The link breaks while the program is copied: the board sees the end of it, or nothing more.
cut) head -c 5000 | sh -c "$command"; echo 'client_loop: send disconnect: Broken pipe' >&2; exit 255 ;;
cut-quietly) head -c 5000 | sh -c "$command" ;;
killed) head -c 5000 | sh -c "$command" & wait $!; kill -9 $$ ;;
altered) { head -c 5000; tail -c +5002; echo x; } | sh -c "$command" ;;
full) trap '' XFSZ; ulimit -f 1; exec sh -c "$command" ;;
# Half of what the program prints comes back.
half-255) sh -c "$command" | head -n 2; echo 'Timeout, server board not responding.' >&2; exit 255 ;;
half-0) sh -c "$command" 2>&3 3>&- | head -n 2; exit 0 ;;
lost-line-0) sh -c "$command" | sed 2d; exit 0 ;;
silent-0) exit 0 ;;
esac 3>/dev/null
"#;

/// The board's `uname`, which lies when it is told to.
const FAKE_UNAME: &str = r#"#!/bin/sh
case $1 in
-m) echo "${FAKE_MACHINE:-$(/bin/uname -m)}" ;;
-r) echo "${FAKE_KERNEL:-$(/bin/uname -r)}" ;;
esac
"#;

/// A stand-in for a board, and for the way there.
struct Board {
    root: PathBuf,
    variables: Vec<(&'static str, String)>,
}

impl Board {
    fn new(name: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("deploy {name}"));
        let _ = fs::remove_dir_all(&root);
        for folder in ["bin", "home", "my pi/target"] {
            fs::create_dir_all(root.join(folder)).unwrap();
        }
        for (file, text) in [("bin/ssh", FAKE_SSH), ("bin/uname", FAKE_UNAME)] {
            fs::write(root.join(file), text).unwrap();
            fs::set_permissions(root.join(file), fs::Permissions::from_mode(0o755)).unwrap();
        }
        let board = Self { root, variables: Vec::new() };
        // A program of this machine that does what its arguments say.
        fs::copy("/bin/sh", board.program()).unwrap();
        board
    }

    fn with(mut self, name: &'static str, value: &str) -> Self {
        self.variables.push((name, value.to_owned()));
        self
    }

    fn failing(name: &str, at: u32, mode: &str) -> Self {
        Self::new(name).with("FAKE_AT", &at.to_string()).with("FAKE_MODE", mode)
    }

    /// Case deploy-01: the program's own path has a space.
    fn program(&self) -> PathBuf {
        self.root.join("my pi/target/bench")
    }

    fn home(&self, path: &str) -> PathBuf {
        self.root.join("home").join(path)
    }

    fn deploy_to(&self, destination: &str, arguments: &[&str]) -> Output {
        let path = std::env::var("PATH").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.args(["deploy", destination, "--program"]).arg(self.program()).args(arguments);
        command.env("PATH", format!("{}:{path}", self.root.join("bin").display()));
        command.env("FAKE", &self.root).env_remove("ONEWRITE_SSH");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.output().unwrap()
    }

    fn deploy(&self, arguments: &[&str]) -> Output {
        self.deploy_to("pi@board", arguments)
    }

    /// The arguments of ssh at one connection.
    fn arguments(&self, connection: u32) -> Vec<String> {
        let bytes = fs::read(self.root.join(format!("argv-{connection}"))).unwrap();
        let mut words: Vec<_> = bytes
            .split(|&byte| byte == 0)
            .map(|word| String::from_utf8(word.to_vec()).unwrap())
            .collect();
        assert_eq!(words.pop().as_deref(), Some(""));
        words
    }

    /// Everything in a folder, hidden files too.
    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.home(folder)).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Runs `script` on the board and returns what xtask said; it has to fail.
fn failure(board: &Board, script: &str) -> String {
    let save = board.root.join("saved");
    let save_to = save.to_str().unwrap();
    let arguments = ["--limit", "2", "--save", save_to, "--run", "--", "-c", script];
    let output = board.deploy(&arguments);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output));
    assert!(!save.exists(), "a result was kept: {}", text(&output));
    text(&output)
}

#[test]
fn a_program_is_installed_run_and_its_output_kept() {
    let board = Board::new("works");
    let save = board.root.join("saved result");
    let script = "echo out; echo err >&2; echo \"$0 $1\"";
    let arguments = ["--save", save.to_str().unwrap(), "--run", "--", "-c", script, "a  b", "it's"];
    let output = board.deploy(&arguments);
    assert!(output.status.success(), "{}", text(&output));
    assert_eq!(String::from_utf8(output.stdout.clone()).unwrap(), "out\na  b it's\n");
    assert!(text(&output).lines().any(|line| line == "err"), "{}", text(&output));
    assert_eq!(fs::read(save).unwrap(), output.stdout);
    assert_eq!(board.names("onewrite"), ["bench"]);
    let mode = fs::metadata(board.home("onewrite/bench")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o755);
}

/// Case deploy-01.
#[test]
fn odd_names_arrive_as_they_are() {
    let board = Board::new("odd names");
    let program = fs::read(board.program()).unwrap();
    let names =
        ["bench run", "it's", "$(touch pwned)", "-rf", "a;b", "ünï", "`touch pwned`", "a\nb", "*"];
    for (number, name) in (0..).zip(names) {
        let output = board.deploy(&["--to", name]);
        assert!(output.status.success(), "{name:?}: {}", text(&output));
        assert!(fs::read(board.home(name).join("bench")).unwrap() == program, "{name:?}");
        // The command of the copy, as a shell takes it apart.
        let logged = board.arguments(2 * number + 2).pop().unwrap();
        let listing = logged.replacen("exec sh -c", "printf '%s\\0'", 1);
        let output = Command::new("sh").arg("-c").arg(listing).output().unwrap();
        let words: Vec<_> = output.stdout.split(|&byte| byte == 0).collect();
        let folder = format!("./{name}");
        assert_eq!(words[1..4], [b"onewrite", folder.as_bytes(), b"bench"], "{name:?}");
    }
    let mut made = board.names("");
    made.sort();
    let mut wanted = names.map(str::to_owned);
    wanted.sort();
    assert_eq!(made, wanted);
}

/// Case deploy-01: ssh gets the host as one word, and never an option.
#[test]
fn every_kind_of_host_is_handed_to_ssh_as_it_is() {
    let board = Board::new("hosts").with("FAKE_AT", "1").with("FAKE_MODE", "gone");
    for (destination, host, port) in [
        ("raspberrypi.local", "raspberrypi.local", None),
        ("user@10.0.0.9", "user@10.0.0.9", None),
        ("user@10.0.0.9:2222", "user@10.0.0.9", Some("2222")),
        ("pi@fe80::7", "pi@fe80::7", None),
        ("pi@[fe80::7]:2222", "pi@fe80::7", Some("2222")),
    ] {
        let _ = fs::remove_file(board.root.join("count"));
        board.deploy_to(destination, &[]);
        let arguments = board.arguments(1);
        assert_eq!(arguments[arguments.len() - 2], host);
        let given = arguments.iter().position(|word| word == "-p").map(|at| &arguments[at + 1]);
        assert_eq!(given.map(String::as_str), port);
    }
    assert_eq!(board.deploy_to("-oProxyCommand=x", &[]).status.code(), Some(2));
    assert_eq!(board.deploy_to("pi@a b", &[]).status.code(), Some(2));
}

/// Case deploy-03, before anything ran.
#[test]
fn what_ssh_complains_about_is_said_in_words_that_help() {
    for (mode, wanted) in [
        ("gone", "the connection failed before anything ran there"),
        ("changed", "the host key has changed"),
        ("unknown", "the host key is not known yet"),
        ("refused", "connection refused"),
        ("password", "ssh-copy-id brings your key"),
        ("silent-0", "the board's answer is not whole"),
    ] {
        let board = Board::failing(&format!("before {mode}"), 1, mode);
        let said = failure(&board, "echo ran");
        assert!(said.contains(wanted), "{mode}: {said}");
        assert!(board.names("").is_empty());
    }
}

#[test]
fn nothing_half_is_installed() {
    let unknown = "the old program or the new one is in place, each of them whole; deploy again";
    let untouched = "nothing was installed";
    for (mode, wanted, verdict) in [
        ("cut", "the connection was lost: client_loop", unknown),
        ("cut-quietly", "what arrived is not what was sent", untouched),
        ("killed", "the connection was lost: ssh ended with signal: 9", unknown),
        ("altered", "what arrived is not what was sent", untouched),
        ("full", "it could not be written", untouched),
        ("gone", "before anything ran", untouched),
        ("refused", "connection refused", untouched),
        ("silent-0", "did not say that it is in place", unknown),
    ] {
        let board = Board::failing(&format!("copy {mode}"), 2, mode);
        fs::create_dir(board.home("onewrite")).unwrap();
        fs::write(board.home("onewrite/bench"), "old").unwrap();
        let said = failure(&board, "echo ran");
        assert!(said.contains(wanted) && said.contains(verdict), "{mode}: {said}");
        assert_eq!(board.names("onewrite"), ["bench"], "{mode}");
        assert_eq!(fs::read(board.home("onewrite/bench")).unwrap(), b"old", "{mode}");
    }
}

#[test]
fn what_the_board_cannot_do_is_said_before_anything_is_copied() {
    for (variable, value, wanted) in [
        ("FAKE_MACHINE", "armv7l", "the 32-bit one"),
        ("FAKE_MACHINE", "m68k", "the board is m68k"),
        ("FAKE_KERNEL", "2.4.37", "the board has 2.4.37"),
    ] {
        let board = Board::new(&format!("board {value}")).with(variable, value);
        let said = failure(&board, "echo ran");
        assert!(said.contains(wanted), "{said}");
        assert_eq!(fs::read_to_string(board.root.join("count")).unwrap(), "1\n", "{said}");
        assert!(board.names("").is_empty(), "a refused program left something");
    }
    let board = Board::new("board file");
    fs::write(board.home("onewrite"), "a file where the folder should be").unwrap();
    let said = failure(&board, "echo ran");
    assert!(said.contains("cannot be written to") && said.contains("File exists"), "{said}");
    let board = Board::new("board folder");
    fs::create_dir_all(board.home("onewrite/bench")).unwrap();
    assert!(failure(&board, "echo ran").contains("a folder of that name"));
}

/// Case deploy-03, while the program runs.
#[test]
fn only_a_whole_result_is_one() {
    let report = "echo onewrite-report 2; echo env label: host; echo note n; echo end OK lines=3";
    for (mode, wanted) in [
        ("half-255", "the connection was lost: Timeout, server board not responding."),
        ("half-0", "did not say how bench ended"),
        ("lost-line-0", "what arrived is not what bench printed"),
        ("silent-0", "did not say how bench ended"),
    ] {
        let board = Board::failing(&format!("run {mode}"), 3, mode);
        let said = failure(&board, report);
        assert!(said.contains("incomplete") && said.contains(wanted), "{mode}: {said}");
    }
    // The link is fine, and the program stopped too early.
    for (script, wanted) in [
        ("echo onewrite-report 2; echo env label: host", "its report is not whole"),
        ("exit 3", "bench failed with exit code 3"),
        ("kill -9 $$", "bench was ended by signal 9"),
        ("exec sleep 60", "bench was still running after 2 s and was ended"),
    ] {
        let start = Instant::now();
        let said = failure(&Board::new("run"), script);
        assert!(said.contains(wanted), "{script}: {said}");
        assert!(start.elapsed() < Duration::from_secs(30), "{script}");
    }
}

#[test]
fn a_result_replaces_neither_a_link_nor_a_device() {
    let board = Board::new("kept");
    let (file, link) = (board.root.join("file"), board.root.join("link"));
    let deploy = |target: &Path| {
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(target, &link).unwrap();
        board.deploy(&["--save", link.to_str().unwrap(), "--run", "--", "-c", "echo ran"])
    };
    fs::write(&file, "old").unwrap();
    let output = deploy(&file);
    assert!(output.status.success(), "{}", text(&output));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert_eq!(fs::read_to_string(&file).unwrap(), "ran\n");
    let output = deploy(Path::new("/dev/full"));
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("No space left"), "{}", text(&output));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn a_place_for_the_result_that_is_none_is_said_before_anything_is_done() {
    let board = Board::new("not kept");
    let folder = board.root.join("no such folder");
    let save = folder.join("result");
    let output = board.deploy(&["--save", save.to_str().unwrap(), "--run", "--", "-c", "echo ran"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("there is no folder"), "{}", text(&output));
    assert!(!board.root.join("count").exists(), "a connection was made");
}

#[test]
fn no_file_that_is_there_is_written_to_through_a_link() {
    let board = Board::new("link");
    let victim = board.root.join("victim");
    for script in [include_str!("../src/deploy/check.sh"), include_str!("../src/deploy/install.sh")]
    {
        fs::write(&victim, "mine").unwrap();
        let _ = fs::remove_file(board.home("name"));
        std::os::unix::fs::symlink(&victim, board.home("name")).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script, "onewrite", ".", "bench", "name", "sum"]);
        let output = command.current_dir(board.home("")).output().unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        assert!(said.contains("refused=") || said.contains("failed=it could not"), "{said}");
        assert_eq!(fs::read_to_string(&victim).unwrap(), "mine");
    }
}

#[test]
fn a_core_or_a_time_that_there_is_not_is_refused() {
    let board = Board::new("core");
    let output = board.deploy(&["--core", "4096", "--run", "--", "-c", "echo ran"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("the board's last core is "), "{}", text(&output));
    assert!(output.stdout.is_empty());
    for limit in ["0", "86401", "18446744073709551615"] {
        let output = board.deploy(&["--limit", limit, "--run"]);
        assert_eq!(output.status.code(), Some(2), "{limit}: {}", text(&output));
    }
}
