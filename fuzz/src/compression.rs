//! gzip and brotli, against the crates `flate2` and `brotli-decompressor`.

use std::cell::RefCell;
use std::io::{Read as _, Write};

use onewrite::compression::{self, DecompressError, DecompressErrorKind, Tables};

/// Room for what comes out. An input of a few kilobytes can come to more, and is not looked at then.
const ROOM: usize = 1 << 15;
/// Bytes behind the room that nothing may touch.
const FENCE: usize = 16;

type Large = Tables<16_384>;

thread_local! {
    /// Tables keep nothing from one call to the next, so they are made once.
    static TABLES: RefCell<Box<Large>> = RefCell::new(Box::new(Large::new()));
    static OUTPUT: RefCell<Vec<u8>> = RefCell::new(vec![0xa5; ROOM + FENCE]);
}

type Decompress = fn(&[u8], &mut Large, &mut [u8]) -> Result<usize, DecompressError>;

/// A gzip file.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn gzip(data: &[u8]) {
    compare(
        data,
        |input, tables, out| compression::gzip::decompress(input, tables, out).map(<[u8]>::len),
        |input| {
            let mut out = Vec::new();
            flate2::read::MultiGzDecoder::new(input).read_to_end(&mut out).ok()?;
            Some(out)
        },
    );
    let _ = compression::gzip::decompressed_len(data);
    let mut out = [0; 1000];
    let _ = compression::gzip::decompress(data, &mut <Tables>::new(), &mut out);
}

/// A brotli stream.
///
/// # Panics
///
/// Where the library breaks a promise.
pub fn brotli(data: &[u8]) {
    compare(
        data,
        |input, tables, out| compression::brotli::decompress(input, tables, out).map(<[u8]>::len),
        |input| {
            // It has an extension for larger windows, which RFC 7932 refuses (section 9.1).
            if input.first().is_some_and(|first| first & 0x7f == 0x11) {
                return None;
            }
            let (mut input, mut out) = (input, Limited(Vec::new()));
            brotli_decompressor::BrotliDecompress(&mut input, &mut out).ok()?;
            Some(out.0)
        },
    );
    let mut out = [0; 1000];
    let _ = compression::brotli::decompress(data, &mut <Tables>::new(), &mut out);
}

/// Memory for what a peer makes, which has no limit of its own.
struct Limited(Vec<u8>);

impl Write for Limited {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        if self.0.len() + bytes.len() > 4 * ROOM {
            return Err(std::io::ErrorKind::OutOfMemory.into());
        }
        self.0.extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

fn compare(data: &[u8], ours: Decompress, peer: fn(&[u8]) -> Option<Vec<u8>>) {
    TABLES.with_borrow_mut(|tables| {
        OUTPUT.with_borrow_mut(|out| compare_in(data, ours, peer, tables, out));
    });
}

fn compare_in(
    data: &[u8],
    ours: Decompress,
    peer: fn(&[u8]) -> Option<Vec<u8>>,
    tables: &mut Large,
    out: &mut [u8],
) {
    let mut decompress = |input: &[u8], room: usize, out: &mut [u8]| {
        out[room..room + FENCE].fill(0xa5);
        let found = ours(input, tables, &mut out[..room]);
        assert!(out[room..room + FENCE].iter().all(|byte| *byte == 0xa5), "past the end");
        found
    };
    let (mut data, mut found) = (data, decompress(data, ROOM, out));
    if let Err(DecompressError { kind: DecompressErrorKind::TrailingBytes { extra }, at }) = found {
        assert_eq!(at + extra, data.len());
        // The peers differ in what they say of that.
        data = &data[..at];
        found = decompress(data, ROOM, out);
        assert!(found.is_ok());
    }
    match found {
        Ok(len) => {
            let plain = out[..len].to_vec();
            assert!(peer(data).as_ref() == Some(&plain), "another result");
            // The room that it takes is enough, and a byte less is not.
            out[..len].fill(0xa5);
            let again = decompress(data, len, out);
            assert!(again == Ok(len) && out[..len] == plain, "in exactly as much room");
            if let Some(less) = len.checked_sub(1) {
                let error = decompress(data, less, out).expect_err("a byte less is enough");
                let DecompressErrorKind::NeedsBuffer { at_least } = error.kind else {
                    panic!("{error}")
                };
                assert!(at_least > less && at_least <= len, "{at_least} of {len}");
            }
        }
        Err(DecompressError { kind: DecompressErrorKind::NeedsBuffer { at_least }, .. }) => {
            assert!(at_least > ROOM);
        }
        Err(DecompressError { kind: DecompressErrorKind::TablesTooSmall { .. }, .. }) => {}
        Err(error) => {
            assert!(error.at <= data.len());
            // The peer takes a distance that leads in front of the data; zlib refuses it as we do.
            let leads_out = DecompressErrorKind::Corrupt { what: "DEFLATE distance" };
            let refused = error.kind == leads_out || peer(data).is_none();
            assert!(refused, "{error}, but not for the peer");
        }
    }
}
