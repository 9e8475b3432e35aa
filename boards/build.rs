//! Chooses the board, puts its link script on the search path, checks the flags, and notes what the
//! build knows.

use core::error::Error;
use std::{env, fs, path::PathBuf, process::Command};

/// The machines that have a console and an exit code and nothing else, by target; the file in whose
/// source they are described, and the folder of their link script.
const SMALL: [(&str, &str, Option<&str>); 4] = [
    ("thumbv6m-none-eabi", "microbit", Some("microbit")),
    ("riscv32imc-unknown-none-elf", "riscv_virt", Some("riscv-virt")),
    ("avr-none", "mega2560", Some("mega2560")),
    ("wasm32-unknown-unknown", "wasm", None),
];

/// The processors whose perf events are known: as in Cargo.toml.
const PERF_EVENTS: [&str; 4] = ["aarch64", "riscv64", "x86", "x86_64"];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    println!("cargo::rerun-if-env-changed=RUSTC");

    let target = env::var("TARGET")?;
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let flags: Vec<&str> = flags.split('\x1f').filter(|flag| !flag.is_empty()).collect();
    let strict_align = strict_align(&flags);

    let (system, processor) =
        (env::var("CARGO_CFG_TARGET_OS")?, env::var("CARGO_CFG_TARGET_ARCH")?);
    let bare = system == "none";
    let small = SMALL.iter().find(|small| small.0 == target);
    choose("hosted", !bare && small.is_none());
    choose("small", small.is_some());
    choose("perf_events", system == "linux" && PERF_EVENTS.contains(&&*processor));
    let names = SMALL.map(|(_, name, _)| format!("\"{name}\"")).join(", ");
    println!("cargo::rustc-check-cfg=cfg(board, values({names}))");
    if let Some((_, name, folder)) = small {
        println!("cargo::rustc-cfg=board=\"{name}\"");
        if let Some(folder) = folder {
            provide(folder)?;
        }
    }
    if bare && processor == "aarch64" {
        // The target's own default is on, and no cfg shows it.
        if strict_align != Some(false) {
            println!(
                "cargo::error=the firmware has to be built with -Ctarget-feature=-strict-align: \
                 the default of {target} turns every unaligned store into byte stores. Build \
                 with `cargo xtask`, or without RUSTFLAGS in the environment so that \
                 .cargo/config.toml is used, or with RUSTFLAGS='-Ctarget-cpu=cortex-a53 \
                 -Ctarget-feature=-strict-align -Clink-arg=-Trpi-zero-2w.ld'"
            );
            return Ok(());
        }
        provide("rpi-zero-2w")?;
    }

    let strict_align = match (strict_align, bare) {
        (Some(true), _) => "on",
        (Some(false), _) => "off",
        (None, _) => "target default",
    };
    println!("cargo::rustc-env=ONEWRITE_STRICT_ALIGN={strict_align}");
    println!("cargo::rustc-env=ONEWRITE_TARGET={target}");
    println!("cargo::rustc-env=ONEWRITE_OPT_LEVEL={}", env::var("OPT_LEVEL")?);
    println!("cargo::rustc-env=ONEWRITE_RUSTFLAGS={}", shown(&flags));
    println!("cargo::rustc-env=ONEWRITE_RUSTC={}", compiler()?);
    Ok(())
}

/// Sets a cfg of this crate, or lets it be known.
fn choose(name: &str, is_set: bool) {
    println!("cargo::rustc-check-cfg=cfg({name})");
    if is_set {
        println!("cargo::rustc-cfg={name}");
    }
}

/// Puts the link script of a board where `-TBOARD.ld` finds it.
fn provide(board: &str) -> Result<(), Box<dyn Error>> {
    let script = format!("{board}/link.ld");
    println!("cargo::rerun-if-changed={script}");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
    fs::copy(script, out.join(format!("{board}.ld")))?;
    println!("cargo::rustc-link-search={}", out.display());
    Ok(())
}

/// What the last flag that names strict-align says, as the compiler would understand it.
fn strict_align(flags: &[&str]) -> Option<bool> {
    let mut state = None;
    for feature in flags
        .iter()
        .flat_map(|flag| flag.split_once("target-feature=").map(|(_, list)| list))
        .flat_map(|list| list.split(','))
    {
        match feature.trim() {
            "+strict-align" => state = Some(true),
            "-strict-align" => state = Some(false),
            _ => {}
        }
    }
    state
}

/// The flags that change code, for a report: search paths and remaps would name the machine.
fn shown(flags: &[&str]) -> String {
    let flags: Vec<&str> =
        flags.iter().copied().filter(|flag| !flag.contains('/') && !flag.contains('\\')).collect();
    if flags.is_empty() { "none".to_owned() } else { flags.join(" ") }
}

fn compiler() -> Result<String, Box<dyn Error>> {
    let rustc = env::var_os("RUSTC").ok_or("RUSTC is not set")?;
    let output = Command::new(rustc).arg("-V").output()?;
    Ok(String::from_utf8(output.stdout)?.trim().to_owned())
}
