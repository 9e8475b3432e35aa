//! What the derive and the macros refuse, with our own sentence; and what they must accept in crates
//! of their own.
//!
//! Each file of `tests/ui` is a program that must not build. Its `//~` lines must stand in the
//! compiler's errors; the rest of them differs between compilers and is not compared.
#![cfg(feature = "derive")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a panic is how a test fails")]

use core::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs};

/// A package of its own beside the tests' build folder.
struct Package {
    root: PathBuf,
}

impl Package {
    fn new(name: &str, edition: &str, dependency: &str, rest: &str) -> Self {
        let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&root).unwrap();
        let manifest = format!(
            "[package]\nname = \"{name}\"\nedition = \"{edition}\"\n\
             [dependencies]\n{dependency}\n[workspace]\n{rest}"
        );
        fs::write(root.join("Cargo.toml"), manifest).unwrap();
        // Nothing is downloaded: the versions are those that the workspace has already.
        fs::copy(manifest_folder().join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
        Self { root }
    }

    fn cargo(&self, arguments: &[&str]) -> Output {
        Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(arguments)
            .args(["--offline", "--target-dir"])
            .arg(Path::new(env!("CARGO_TARGET_TMPDIR")).join("derive_ui"))
            .current_dir(&self.root)
            .env_remove("RUSTFLAGS")
            .env_remove("CARGO_ENCODED_RUSTFLAGS")
            .env_remove("CARGO_BUILD_TARGET")
            .output()
            .unwrap()
    }
}

/// Where the package is now: a build folder that two copies of it share holds only one test.
fn manifest_folder() -> PathBuf {
    let built = || env!("CARGO_MANIFEST_DIR").into();
    env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(built).into()
}

fn dependency(name: &str) -> String {
    format!("{name} = {{ package = \"onewrite\", path = {:?} }}", manifest_folder())
}

#[test]
fn each_refusal_says_what_to_write() {
    let mut files: Vec<PathBuf> = fs::read_dir(manifest_folder().join("tests/ui"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect();
    files.sort();
    assert!(files.len() > 30, "only {} programs", files.len());
    let mut binaries = String::new();
    for path in &files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        write!(binaries, "[[bin]]\nname = \"{name}\"\npath = {path:?}\n").unwrap();
    }
    let path = manifest_folder();
    let dependencies = format!(
        "onewrite = {{ path = {path:?}, features = [\"zerocopy-08\"] }}\n\
         zerocopy = {{ version = \"0.8\", features = [\"derive\"] }}"
    );
    let package = Package::new("refusals", "2024", &dependencies, &binaries);
    // Not `check`: a layout with parameters is checked where it is used, when code is generated.
    let output = package.cargo(&["build", "--bins", "--keep-going", "--message-format", "json"]);
    let messages = String::from_utf8_lossy(&output.stdout);

    let mut failures = String::new();
    for path in &files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let source = fs::read_to_string(path).unwrap();
        let mut sentences = source.lines().filter_map(|line| line.strip_prefix("//~ ")).peekable();
        assert!(sentences.peek().is_some(), "{name} expects nothing");
        // A message is one line, with all that a person would see as one string in it.
        let target = format!("\"name\":\"{name}\"");
        let errors: Vec<&str> = messages
            .lines()
            .filter(|line| line.contains(&target) && line.contains("\"level\":\"error\""))
            .collect();
        for sentence in sentences {
            let quoted = sentence.replace('"', "\\\"");
            if !errors.iter().any(|error| error.contains(&quoted)) {
                writeln!(failures, "{name}: no error says\n  {sentence}\nbut\n  {errors:#?}")
                    .unwrap();
            }
        }
    }
    assert!(failures.is_empty(), "{failures}\n{}", String::from_utf8_lossy(&output.stderr));
}

/// core-09, core-11: edition 2021, no std, no prelude, every warning denied.
#[test]
fn output_is_silent_in_edition_2021_without_std() {
    let package = Package::new("hygiene_2021", "2021", &dependency("onewrite"), "");
    let shadowed = manifest_folder().join("tests/hygiene/shadowed.rs");
    let source = format!(
        "//! A crate.\n#![no_std]\n#![forbid(unsafe_code)]\n\
         #![deny(warnings, missing_docs, missing_debug_implementations, unused)]\n\
         #![deny(elided_lifetimes_in_paths, unused_qualifications, unreachable_pub)]\n\
         #![allow(missing_debug_implementations)]\n\
         #[path = {shadowed:?}]\npub mod shadowed;\n"
    );
    fs::create_dir_all(package.root.join("src")).unwrap();
    fs::write(package.root.join("src/lib.rs"), source).unwrap();
    let output = package.cargo(&["build"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// core-11: another name in `Cargo.toml`.
#[test]
fn the_library_may_be_renamed() {
    let package = Package::new("renamed", "2021", &dependency("wire"), "");
    let source = "
        //! A program.
        #![deny(warnings, missing_docs)]

        mod through {
            pub use ::wire as library;
        }

        #[derive(wire::Record)]
        #[record(crate = ::wire)]
        struct Plain(u16);

        #[derive(wire::Record)]
        #[record(crate = \"crate::through::library\", tag = u8)]
        enum Quoted<T> {
            #[record(tag = 1)]
            A(T, Plain),
        }

        fn main() {
            use wire::record::{Endian, Field};

            let mut bytes = [0; 4];
            Quoted::A(2u8, Plain(3)).put(Endian::Big, &mut bytes);
            assert_eq!(bytes, [1, 2, 3, 0]);
            let Ok(Quoted::A(a, b)) = Quoted::<u8>::get(Endian::Big, &bytes) else { panic!() };
            assert_eq!((a, b.0), (2, 3));
        }
    ";
    fs::create_dir_all(package.root.join("src")).unwrap();
    fs::write(package.root.join("src/main.rs"), source.trim_start()).unwrap();
    let output = package.cargo(&["run"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
