//! Which library this is.

/// Major version of the library that the header belongs to.
pub const VERSION_MAJOR: u32 = 0;
/// Minor version; where the major one is 0, another one means another interface.
pub const VERSION_MINOR: u32 = 1;
/// Patch version.
pub const VERSION_PATCH: u32 = 0;
/// The version as one number, which `ow_version()` of the same library returns.
pub const VERSION: u32 = VERSION_MAJOR * 1000000 + VERSION_MINOR * 1000 + VERSION_PATCH;

const _: () = assert!(
    VERSION_MAJOR == number(env!("CARGO_PKG_VERSION_MAJOR"))
        && VERSION_MINOR == number(env!("CARGO_PKG_VERSION_MINOR"))
        && VERSION_PATCH == number(env!("CARGO_PKG_VERSION_PATCH")),
    "the version in version.rs is not that of the package"
);

/// The version of the linked library: compare it with `OW_VERSION`, that of the header.
#[unsafe(no_mangle)]
pub extern "C" fn ow_version() -> u32 {
    VERSION
}

/// A decimal number.
const fn number(digits: &str) -> u32 {
    let mut rest = digits.as_bytes();
    let mut value = 0;
    while let [digit, tail @ ..] = rest {
        value = value * 10 + (*digit - b'0') as u32;
        rest = tail;
    }
    value
}
