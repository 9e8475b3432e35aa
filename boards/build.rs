//! Puts the link script on the search path, checks the flags, and notes what the build knows.

use core::error::Error;
use std::{env, fs, path::PathBuf, process::Command};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=rpi-zero-2w/link.ld");
    println!("cargo::rerun-if-env-changed=CARGO_ENCODED_RUSTFLAGS");
    println!("cargo::rerun-if-env-changed=RUSTC");

    let target = env::var("TARGET")?;
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    let flags: Vec<&str> = flags.split('\x1f').filter(|flag| !flag.is_empty()).collect();
    let strict_align = strict_align(&flags);

    let bare = env::var("CARGO_CFG_TARGET_OS")? == "none";
    if bare && env::var("CARGO_CFG_TARGET_ARCH")? == "aarch64" {
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
        let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("OUT_DIR is not set")?);
        fs::copy("rpi-zero-2w/link.ld", out.join("rpi-zero-2w.ld"))?;
        println!("cargo::rustc-link-search={}", out.display());
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
