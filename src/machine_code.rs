//! What the compiler makes of small functions of this library, for a Cortex-A53.
//!
//! Each module shows one function, its machine code for the bare-metal Pi, and what llvm-mca estimates
//! for that: cycles of a model that knows neither caches nor wrong guesses of a branch, label `mca`. The
//! first line of each says which compiler it was and how it was called. The files are in the package
//! under `benches/codegen`, and every change of the library is compared with them
//! (`cargo xtask codegen --check`). None of this exists outside of the documentation.

macro_rules! functions {
    ($($(#[$about:meta])* $name:ident)*) => {$(
        $(#[$about])*
        #[doc = concat!(
            "\n# Source\n\n```text\n",
            include_str!(concat!("../benches/codegen/", stringify!($name), ".rs")),
            "```\n\n# Machine code\n\n```text\n",
            include_str!(concat!("../benches/codegen/", stringify!($name), ".aarch64.s")),
            "```\n\n# Estimate\n\n```text\n",
            include_str!(concat!("../benches/codegen/", stringify!($name), ".aarch64.mca")),
            "```\n",
        )]
        pub mod $name {}
    )*};
}

functions! {
    /// A slice of records of 16 bytes: 128 bytes a turn, as a copy would do it.
    edit_batch
    /// A flat record of 20 bytes: three loads, three stores.
    flat_frame
    /// A slice of such records: one check, then stores alone.
    flat_frames
    /// A frame as users build it: hash and kind are numbers by then.
    frame_attribute
    /// The same 20 bytes out of an enum, for comparison.
    frame_enum
    /// 64 numbers into a scratch of 256 bytes: no check is left.
    id_array_chunk
    /// A literal into a sink in memory: one check, two stores.
    literal_write
    /// What a sink in memory asks before it lends room.
    slice_sink_check
    /// A string with its length in front.
    string_write
    /// Three digits into a template.
    template_fill
}
