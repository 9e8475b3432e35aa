//! Compressed payloads of a server, which cannot be made where they are measured: those of the golden
//! messages in `tests/data/spacetimedb`.

/// A payload compressed in both ways, plain where it has no rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    pub(crate) gzip: &'static [u8],
    pub(crate) brotli: &'static [u8],
}

macro_rules! stored {
    ($name:literal, $way:literal) => {
        include_bytes!(concat!(
            "../../tests/data/spacetimedb/messages/v2-",
            $name,
            ".",
            $way,
            ".bin"
        ))
    };
}

/// A `TransactionUpdate` with rows of `u32`, from id 0 on, for each number of rows.
pub(crate) const UPDATES: [Stored; 3] = [
    Stored { gzip: stored!("tx-u32seq-1", "gzip"), brotli: stored!("tx-u32seq-1", "brotli") },
    Stored { gzip: stored!("tx-u32seq-100", "gzip"), brotli: stored!("tx-u32seq-100", "brotli") },
    Stored {
        gzip: stored!("tx-u32seq-10000", "gzip"),
        brotli: stored!("tx-u32seq-10000", "brotli"),
    },
];

/// An `InitialConnection`.
pub(crate) const CONNECTION: Stored = Stored {
    gzip: stored!("initial-connection-0", "gzip"),
    brotli: stored!("initial-connection-0", "brotli"),
};
/// The same as it is.
pub(crate) const PLAIN_CONNECTION: &[u8] = stored!("initial-connection-0", "none");
