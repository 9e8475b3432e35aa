//! Messages of WebSocket, a server's unless it says otherwise.
//!
//! | shape | a record is |
//! |---|---|
//! | `read` | a masked binary message of 32 bytes, unmasked where it lies |
//! | `read-large` | a masked text of 4,096 bytes, unmasked and checked for UTF-8 |
//! | `write` | a binary message of 32 bytes |
//! | `write-masked` | the same from a client |
//!
//! What is read is overwritten, so it is copied before; that is counted, and is one call of `memcpy` for all.

use core::hint::black_box;

use onewrite::sink::{Sink as _, SliceSink};
use onewrite::websocket::{
    Assembly, Client, Data, Limits, Message, Receiver, Role, Sender, Server,
};

use crate::shapes::Refused;

pub(crate) const WORKLOAD: &str = "websocket";

/// Messages of 32 bytes.
const MESSAGES: usize = 64;
const SHORT: [u8; 32] = *b"a reading of a sensor: 21.5 deg\n";
const LARGE: [u8; 4096] = [b'x'; 4096];
const KEY: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Read,
    ReadLarge,
    Write,
    WriteMasked,
}

pub(crate) const ALL: [Part; 4] = [Part::Read, Part::ReadLarge, Part::Write, Part::WriteMasked];

impl Part {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::ReadLarge => "read-large",
            Self::Write => "write",
            Self::WriteMasked => "write-masked",
        }
    }

    pub(crate) const fn records(self) -> usize {
        match self {
            Self::ReadLarge => 1,
            Self::Read | Self::Write | Self::WriteMasked => MESSAGES,
        }
    }

    /// Bytes of frames: a header of 2 bytes or of 4, and the key of a client.
    pub(crate) const fn bytes(self) -> usize {
        match self {
            Self::Read | Self::WriteMasked => MESSAGES * (6 + SHORT.len()),
            Self::ReadLarge => 8 + LARGE.len(),
            Self::Write => MESSAGES * (2 + SHORT.len()),
        }
    }

    /// Does it once, checks what came out, and repeats it.
    pub(crate) fn repeat(self, out: &mut [u8], reps: u32) -> Result<(), Refused> {
        let mut wire = [0xa5; 4608];
        let len = match self {
            Self::ReadLarge => large(&mut wire)?,
            Self::Read | Self::WriteMasked => write::<Client>(KEY, &mut wire)?,
            Self::Write => write::<Server>((), &mut wire)?,
        };
        let frames = wire.get(..len).filter(|_| len == self.bytes()).ok_or(Refused)?;
        let is_right = match self {
            Self::Read | Self::WriteMasked => {
                read(frames, out)? == (MESSAGES, frames.len() - 6 * MESSAGES)
            }
            Self::ReadLarge => read(frames, out)? == (1, LARGE.len()),
            Self::Write => frames.chunks(2 + SHORT.len()).all(is_short),
        };
        if !is_right {
            return Err(Refused);
        }
        for _ in 0..reps {
            let _ = match self {
                Self::Read | Self::ReadLarge => black_box(read(black_box(frames), out)?).1,
                Self::Write => black_box(write::<Server>((), out)?),
                Self::WriteMasked => black_box(write::<Client>(KEY, out)?),
            };
        }
        Ok(())
    }
}

fn is_short(frame: &[u8]) -> bool {
    frame.split_at_checked(2) == Some((&[0x82, 32], &SHORT))
}

fn large(out: &mut [u8]) -> Result<usize, Refused> {
    let mut sink = SliceSink::new(out);
    let text = core::str::from_utf8(&LARGE).map_err(|_| Refused)?;
    Sender::<Client>::new().message(Data::Text(text), KEY, &mut sink).map_err(|_| Refused)?;
    Ok(sink.written())
}

/// Short messages; returns the bytes of their frames.
#[inline(never)]
fn write<R: Role>(key: R::Key, out: &mut [u8]) -> Result<usize, Refused> {
    let mut sender = Sender::<R>::new();
    let mut sink = SliceSink::new(out);
    for _ in 0..MESSAGES {
        sender.message(Data::Binary(black_box(&SHORT)), key, &mut sink).map_err(|_| Refused)?;
    }
    Ok(sink.written())
}

/// Reads all frames; returns how many messages there were, and bytes in them.
#[inline(never)]
fn read(frames: &[u8], out: &mut [u8]) -> Result<(usize, usize), Refused> {
    let mut sink = SliceSink::new(out);
    sink.write(frames).map_err(|_| Refused)?;
    let mut input = sink.into_written();
    let mut receiver = Receiver::<Server>::new(Limits::DEFAULT);
    let mut assembly = Assembly::new(&mut []);
    let (mut messages, mut bytes) = (0, 0);
    while let Some(message) = assembly.next(&mut receiver, &mut input).map_err(|_| Refused)? {
        let Message::Data(data) = black_box(message) else { return Err(Refused) };
        messages += 1;
        bytes += data.as_bytes().len();
    }
    Ok((messages, bytes))
}
