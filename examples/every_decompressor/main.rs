//! Calls every decompressor, with inputs that the compiler cannot see through.
//!
//! The sibling of `every_codec`, and apart from it because of its size.
#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use onewrite::compression::{DecompressError, DecompressErrorKind, Tables};
use onewrite::error::DecodeError;
use onewrite::spacetimedb::Payload;
use onewrite::spacetimedb::v1::{CompressableQueryUpdate, QueryUpdate, QueryUpdateError};
use onewrite_boards::{Console, Failure, entry};

entry!(run);

/// "hello" as a gzip member.
const GZIP: [u8; 25] = [
    0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 0xff, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 7, 0, 0x86, 0xa6, 0x10,
    0x36, 5, 0, 0, 0,
];
/// The same as a brotli stream.
const BROTLI: [u8; 9] = [0x0b, 2, 0x80, 0x68, 0x65, 0x6c, 0x6c, 0x6f, 3];

fn run(console: &mut Console) -> Result<(), Failure> {
    call();
    writeln!(console, "every decompressor was called")?;
    Ok(())
}

#[inline(never)]
fn call() {
    let error = DecompressError::new(black_box(7), black_box(DecompressErrorKind::EndOfInput));
    black_box(DecompressError::shifted(black_box(error), black_box(7)));
    let mut tables: Tables<2048> = Tables::new();
    black_box(<Tables<16> as Default>::default());
    black_box(<Tables<16> as Clone>::clone(black_box(&Tables::new())));
    let mut out = [0; 64];
    for input in [&GZIP[..], &BROTLI] {
        for payload in [Payload::Plain(input), Payload::Brotli(input), Payload::Gzip(input)] {
            let payload = black_box(payload);
            black_box(Payload::decompressed_len(black_box(&payload)));
            black_box(Payload::decompress(payload, black_box(&mut out))).ok();
            let tables = black_box(&mut tables);
            black_box(Payload::decompress_with(payload, tables, black_box(&mut out))).ok();
        }
        update(CompressableQueryUpdate::Gzip(input));
        update(CompressableQueryUpdate::Brotli(input));
        #[cfg(feature = "gzip")]
        gzip(input);
        #[cfg(feature = "brotli")]
        brotli(input);
    }
    update(CompressableQueryUpdate::Uncompressed(QueryUpdate {
        deletes: onewrite::bsatn::RowList::default(),
        inserts: onewrite::bsatn::RowList::default(),
    }));
    black_box(QueryUpdateError::Decode(DecodeError::new(
        7,
        onewrite::error::DecodeErrorKind::Refused,
    )));
}

#[inline(never)]
fn update(update: CompressableQueryUpdate<'_>) {
    let (mut tables, mut out): (Tables<16>, _) = (Tables::new(), [0; 64]);
    let update = black_box(update);
    let inflated = CompressableQueryUpdate::decompress(update, black_box(&mut out));
    black_box(inflated).ok();
    let tables = black_box(&mut tables);
    let inflated = CompressableQueryUpdate::decompress_with(update, tables, &mut out);
    black_box(inflated).ok();
}

#[cfg(feature = "gzip")]
#[inline(never)]
fn gzip(input: &[u8]) {
    use onewrite::compression::gzip;

    let (mut tables, mut out) = (Tables::<{ gzip::MOST_WORDS }>::new(), [0; 64]);
    black_box(gzip::decompressed_len(black_box(input)));
    black_box(gzip::decompress(black_box(input), black_box(&mut tables), &mut out)).ok();
    black_box(gzip::decompress(black_box(input), &mut tables, black_box(&mut [0; 2]))).ok();
}

#[cfg(feature = "brotli")]
#[inline(never)]
fn brotli(input: &[u8]) {
    use onewrite::compression::brotli;

    let (mut tables, mut out) = (Tables::<64>::new(), [0; 64]);
    black_box(brotli::decompress(black_box(input), black_box(&mut tables), &mut out)).ok();
    black_box(brotli::decompress(black_box(input), &mut tables, black_box(&mut [0; 2]))).ok();
}
