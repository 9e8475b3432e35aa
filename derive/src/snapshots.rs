//! The output for a few inputs, compared with what was reviewed.
//!
//! `ONEWRITE_BLESS=1 cargo test -p onewrite-derive` writes the files anew; look at the difference.

use std::path::Path;
use std::{env, fs};

use syn::DeriveInput;

fn check(name: &str, source: &str) {
    let input: DeriveInput = syn::parse_str(source).unwrap();
    let output = crate::input::Input::parse(&input).map(|input| crate::expand::record(&input));
    compare(name, output.unwrap());
}

fn check_value(name: &str, source: &str) {
    let input: DeriveInput = syn::parse_str(source).unwrap();
    let input = crate::bsatn::Input::parse(&input).unwrap();
    let mut output = crate::bsatn::encode(&input);
    output.extend(crate::bsatn::decode(&input));
    compare(name, output);
}

fn compare(name: &str, output: proc_macro2::TokenStream) {
    let output = prettyplease::unparse(&syn::parse2(output).unwrap());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("snapshots").join(name);
    if env::var_os("ONEWRITE_BLESS").is_some() {
        fs::write(&path, &output).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap();
    assert!(
        output == expected,
        "the output for {name} changed; ONEWRITE_BLESS=1 accepts it:\n{output}"
    );
}

#[test]
fn flat_struct() {
    check(
        "flat_struct.rs",
        "#[record(size = 10, pad(reserved = 1..4))]
        pub struct Reading {
            sensor: u8,
            #[record(at = 4)]
            time: u32,
            #[record(endian = \"big\")]
            centi: i16,
        }",
    );
}

#[test]
fn nested_and_borrowed() {
    check(
        "nested_and_borrowed.rs",
        "struct Path<'a> {
            steps: [Point<'a>; 2],
            flags: [[bool; 3]; N],
            owner: PhantomData<&'a str>,
        }",
    );
}

#[test]
fn tagged_enum() {
    check(
        "tagged_enum.rs",
        "#[record(tag = u16, endian = \"big\", crate = wire)]
        pub(crate) enum Event {
            #[record(tag = 1)]
            Click { x: u16, y: u16 },
            #[record(tag = 2)]
            Key(#[record(at = 8)] u32),
            #[record(other)]
            Other(u16),
        }",
    );
}

#[test]
fn generic_struct() {
    check(
        "generic_struct.rs",
        "struct Packet<'a, T: Copy = u8, const N: usize = 4> {
            id: u16,
            tag: T,
            data: [u8; N],
            owner: PhantomData<&'a T>,
        }",
    );
}

#[test]
fn product() {
    check_value(
        "product.rs",
        "pub struct Player<'a> {
            id: u32,
            alive: bool,
            name: &'a str,
            team: Team,
        }",
    );
}

#[test]
fn sum() {
    check_value(
        "sum.rs",
        "#[bsatn(crate = wire)]
        pub(crate) enum Event<T: Copy> {
            Joined(T, u8),
            Closed,
        }",
    );
}

#[test]
fn numbers() {
    check_value("numbers.rs", "pub struct Point { x: f32, y: f32 }");
}
