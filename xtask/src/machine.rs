//! Machines that are neither this one nor a Pi: how programs are built for them, and what runs them.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use anyhow::Result;

use crate::missing::Missing;
use crate::progress::say;
use crate::setup::{self, Library, Need, S390X_SYSROOT};
use crate::toolchain::{Toolchain, within_limit};
use crate::workspace;

/// A kind of machine, emulated here.
#[derive(Debug)]
pub(crate) struct Machine {
    /// What it is called.
    pub(crate) name: &'static str,
    /// The packages that it takes.
    needs: &'static [Need],
    /// The standard library, or the part of it that there is.
    library: Library,
    /// Compiler flags; `{boards}` stands for the folder of the workspace.
    flags: &'static [&'static str],
    /// Features of our library that make sense there, which has to build with them.
    pub(crate) features: &'static str,
    /// A feature that does not, and what is said of it.
    pub(crate) refused: Option<(&'static str, &'static str)>,
    /// The examples that it runs, with the features of each.
    pub(crate) examples: &'static [(&'static str, &'static str)],
    /// The tests of our library that it runs, where it has an operating system.
    pub(crate) tests: &'static [&'static str],
    runner: Runner,
}

/// What runs a program.
#[derive(Debug)]
enum Runner {
    /// An emulator that ends with the program's exit code. The program is its last argument.
    Ending(&'static [&'static str]),
    /// One that goes on for ever after the program's last line. A file for its serial line and the
    /// program are put behind these arguments.
    Halting(&'static [&'static str]),
}

/// Everything that our library has.
const ALL: &str = "derive,http-quick,embedded-io-07,embedded-io-async-07,defmt,serde,\
                   zerocopy-08,gzip,brotli,brotli-dictionary";
const BARE_EXAMPLES: &[(&str, &str)] = &[
    ("record", "derive"),
    ("render_batch", "derive"),
    ("bsatn_rows", "derive"),
    ("long_batch", "derive"),
];
/// Where there is room for them.
const LARGER_EXAMPLES: &[(&str, &str)] = &[
    ("record", "derive"),
    ("render_batch", "derive"),
    ("bsatn_rows", "derive"),
    ("long_batch", "derive"),
    ("transaction_update", "derive"),
    ("live_replay", "derive,brotli"),
];

/// The tests that compare bytes with those of others. What the rest looks at has no byte order, and
/// would take minutes to build and to emulate.
const BYTES: [&str; 15] = [
    "bsatn",
    "bsatn_row_list",
    "compression",
    "derive",
    "leb128",
    "literal",
    "multi_dictionary",
    "reader",
    "record",
    "record_copy",
    "render_batch",
    "render_batch_reader",
    "spacetimedb",
    "spacetimedb_live",
    "string_table",
];

/// A library for firmware: as small as it gets.
const fn core(target: &'static str, flags: &'static [&'static str], in_rustup: bool) -> Library {
    Library {
        target,
        crates: "core",
        features: "compiler-builtins-mem",
        settings: &["opt-level = \"s\"", "panic = \"abort\""],
        flags,
        in_rustup,
    }
}

/// Every machine. Their libraries are built two at a time, the last one first: it takes longest.
pub(crate) const MACHINES: [Machine; 5] = [
    Machine {
        name: "Cortex-M0",
        needs: &[Need::Microbit],
        library: core("thumbv6m-none-eabi", &[], true),
        flags: &["-Clink-arg=-Tmicrobit.ld"],
        features: ALL,
        refused: None,
        examples: BARE_EXAMPLES,
        tests: &[],
        runner: Runner::Ending(&[
            "qemu-system-arm",
            "-M",
            "microbit",
            "-display",
            "none",
            "-monitor",
            "none",
            "-serial",
            "none",
            "-semihosting-config",
            "enable=on,target=native",
            "-kernel",
        ]),
    },
    Machine {
        name: "32-bit RISC-V",
        needs: &[Need::RiscV],
        library: core("riscv32imc-unknown-none-elf", &[], true),
        flags: &["-Clink-arg=-Triscv-virt.ld"],
        features: ALL,
        refused: None,
        examples: BARE_EXAMPLES,
        tests: &[],
        runner: Runner::Ending(&[
            "qemu-system-riscv32",
            "-M",
            "virt",
            "-bios",
            "none",
            "-display",
            "none",
            "-monitor",
            "none",
            "-serial",
            "none",
            "-semihosting-config",
            "enable=on,target=native",
            "-kernel",
        ]),
    },
    Machine {
        name: "AVR, 16-bit pointers",
        needs: &[Need::Mega2560],
        library: core("avr-none", &["-Ctarget-cpu=atmega2560"], false),
        flags: &[
            "-Ctarget-cpu=atmega2560",
            "-Clink-arg=-nostartfiles",
            "-Clink-arg={boards}/mega2560/start.S",
            "-Clink-arg=-Tmega2560.ld",
        ],
        features: "derive,embedded-io-07,embedded-io-async-07,defmt,serde,zerocopy-08,gzip,\
                   brotli",
        refused: Some(("brotli-dictionary", "which 16-bit pointers do not reach")),
        examples: &[("long_batch", "derive")],
        tests: &[],
        runner: Runner::Halting(&[
            "qemu-system-avr",
            "-M",
            "mega2560",
            "-display",
            "none",
            "-monitor",
            "none",
        ]),
    },
    Machine {
        name: "WebAssembly",
        needs: &[Need::Node],
        library: Library {
            target: "wasm32-unknown-unknown",
            crates: "std,panic_abort",
            features: "compiler-builtins-mem",
            settings: &["opt-level = \"s\"", "panic = \"abort\""],
            flags: &[],
            in_rustup: true,
        },
        flags: &[],
        features: ALL,
        refused: None,
        examples: LARGER_EXAMPLES,
        tests: &[],
        runner: Runner::Ending(&["node", "{boards}/wasm/run.mjs"]),
    },
    Machine {
        name: "s390x, big-endian",
        needs: &[Need::S390x],
        library: Library {
            target: S390X,
            crates: "std,panic_unwind,proc_macro,test",
            features: "backtrace",
            // Tests wait for it to be built more than for what it does.
            settings: &["opt-level = 1"],
            flags: &[],
            in_rustup: true,
        },
        flags: &["-Clinker=s390x-linux-gnu-gcc"],
        features: ALL,
        refused: None,
        examples: LARGER_EXAMPLES,
        tests: &BYTES,
        runner: Runner::Ending(&S390X_EMULATOR),
    },
];

const S390X: &str = "s390x-unknown-linux-gnu";
const S390X_EMULATOR: [&str; 3] = ["qemu-s390x", "-L", S390X_SYSROOT];

/// The last line of a program on a machine that cannot be told to end.
const HALTED: &str = "halted with exit code ";

/// Sets up whatever the machines need that is missing; what cannot be had is said, and does not keep
/// the others from being set up.
pub(crate) fn set_up(yes: bool) -> Result<()> {
    let mut libraries = Vec::new();
    for machine in MACHINES.iter().filter(|machine| machine.is_usual()) {
        match setup::ensure(machine.needs, yes) {
            Ok(()) => libraries.push(&machine.library),
            Err(error) if error.is::<Missing>() => say(format_args!("{}: {error:#}", machine.name)),
            Err(error) => return Err(error),
        }
    }
    match setup::ensure_libraries(&libraries) {
        Err(error) if error.is::<Missing>() => {
            say(format_args!("libraries for other machines: {error:#}"));
            Ok(())
        }
        done => done,
    }
}

impl Machine {
    /// Whether every change is tested on it: not where tests run, whose dependencies take minutes.
    pub(crate) fn is_usual(&self) -> bool {
        self.tests.is_empty()
    }

    /// The compiler for it, once everything that it needs is there.
    pub(crate) fn toolchain(&self, yes: bool) -> Result<Toolchain> {
        setup::ensure(self.needs, yes)?;
        setup::toolchain_with(&self.library)
    }

    /// The target that it is built for.
    pub(crate) fn target(&self) -> &'static str {
        self.library.target
    }

    /// `cargo SUBCOMMAND` for it.
    pub(crate) fn cargo(&self, toolchain: &Toolchain, subcommand: &str) -> Command {
        self.cargo_with(toolchain, subcommand, &[])
    }

    /// The same with more compiler flags.
    pub(crate) fn cargo_with(
        &self,
        toolchain: &Toolchain,
        subcommand: &str,
        more: &[&str],
    ) -> Command {
        let flags = self.flags.iter().chain(more);
        let flags: Vec<String> = flags.map(|flag| in_workspace(flag)).collect();
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let mut command = toolchain.cargo_for(self.library.target, subcommand, &flags);
        if let Runner::Ending(emulator) = &self.runner {
            let variable = self.library.target.to_uppercase().replace('-', "_");
            command
                .env(format!("CARGO_TARGET_{variable}_RUNNER"), within_limit(emulator).join(" "));
        }
        if self.library.target.starts_with("avr") && std::env::var_os("RUSTC_LOG").is_none() {
            // The compiler warns that avr-gcc does not know an option, and does without it.
            command.env("RUSTC_LOG", "error");
        }
        command
    }

    /// What runs a program, with `serial` as the file that takes what comes out of a serial line.
    pub(crate) fn program(&self, program: &Path, serial: &Path) -> Command {
        let (Runner::Ending(words) | Runner::Halting(words)) = &self.runner;
        let mut words = words.iter().map(|word| in_workspace(word));
        let mut command = Command::new(words.next().unwrap_or_default());
        command.args(words);
        if matches!(self.runner, Runner::Halting(_)) {
            let mut file = OsString::from("file:");
            file.push(serial);
            command.arg("-serial").arg(file).arg("-bios");
        }
        command.arg(program);
        command
    }

    /// Whether a program says on its serial line that it has ended, instead of ending what runs it.
    pub(crate) fn halts(&self) -> bool {
        matches!(self.runner, Runner::Halting(_))
    }
}

/// What was said before a program halted, and its exit code; none where it has not.
pub(crate) fn before_halt(said: &str) -> Option<(&str, i32)> {
    let (text, code) = said.strip_suffix('\n')?.rsplit_once(HALTED)?;
    let is_line = text.is_empty() || text.ends_with('\n');
    Some((text, code.parse().ok()?)).filter(|_| is_line)
}

/// A word in which `{boards}` stands for the folder of that name.
fn in_workspace(word: &str) -> String {
    word.replace("{boards}", &workspace::root().join("boards").display().to_string())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::process;

    #[test]
    fn a_program_has_halted_when_it_says_so_in_a_line() {
        assert_eq!(before_halt("a\nhalted with exit code 007\n"), Some(("a\n", 7)));
        assert_eq!(before_halt("halted with exit code 0\n"), Some(("", 0)));
        for said in ["", "a\n", "halted with exit code 0", "it halted with exit code 0\n"] {
            assert_eq!(before_halt(said), None, "{said:?}");
        }
    }

    #[test]
    fn every_example_is_named_with_the_features_that_it_requires() {
        let manifest = std::fs::read_to_string(workspace::root().join("Cargo.toml")).unwrap();
        let entries: Vec<&str> = manifest.split("\n\n").collect();
        for (example, features) in MACHINES.iter().flat_map(|machine| machine.examples) {
            let start = format!("[[example]]\nname = \"{example}\"\n");
            let entry = entries.iter().find_map(|entry| entry.strip_prefix(&start));
            let required = entry.and_then(|entry| entry.split_once('['));
            let required = required.map_or("", |(_, list)| list.trim_end_matches(['\n', ']']));
            for feature in required.split(',').map(|name| name.trim().trim_matches('"')) {
                assert!(features.contains(feature), "{example} needs {feature}");
            }
        }
    }

    #[test]
    fn what_never_ends_by_itself_has_a_file_for_what_it_says() {
        for machine in &MACHINES {
            let command = machine.program(Path::new("p.elf"), Path::new("s.txt"));
            let shown = process::show(&command);
            assert_eq!(shown.contains(" file:s.txt "), machine.halts(), "{shown}");
            assert!(shown.ends_with(" p.elf") && !shown.contains('{'), "{shown}");
        }
    }
}
