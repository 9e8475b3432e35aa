//! Records to an opaque writer, through the writer trait of each peer.
//!
//! rkyv's own writer trait wants a position; zerocopy has no writer, and is shown with what one
//! writes by hand: a record, or twelve of them, made on the stack and written.

use std::hint::black_box;

use micropb::{MessageEncode as _, PbEncoder, PbWrite};
use speedy::Writable as _;
use zerocopy::{FromZeros as _, IntoBytes as _};

use super::memory::{BINCODE, MUSLI, WireFrame, messages};
use crate::frames::Frame;
use crate::proto::frames_ as proto;
use crate::row::{Outlet, Rows};

/// An outlet as every peer wants it.
struct Through<'a, 'o>(&'a mut Outlet<'o>);

const ROOM: &str = "the room is there";

pub(crate) fn frames(rows: &mut Rows, frames: &'static [Frame]) {
    rows.outlet("bincode", move |outlet| {
        bincode::encode_into_writer(black_box(frames), &mut Through(outlet), BINCODE).expect(ROOM);
    });
    rows.outlet("wincode", move |outlet| {
        wincode::serialize_into(&mut Through(outlet), black_box(frames)).expect(ROOM);
    });
    rows.outlet("borsh", move |outlet| {
        borsh::to_writer(&mut Through(outlet), black_box(frames)).expect(ROOM);
    });
    rows.outlet("speedy", move |outlet| {
        let context = speedy::LittleEndian {};
        black_box(frames).write_to_stream_with_ctx(context, Through(outlet)).expect(ROOM);
    });
    rows.outlet("zerocopy-each", move |outlet| {
        for frame in black_box(frames) {
            outlet.write_all(WireFrame::from(frame).as_bytes()).expect(ROOM);
        }
    });
    rows.outlet("zerocopy-twelve", move |outlet| {
        let mut scratch = [WireFrame::new_zeroed(); 12];
        for frames in black_box(frames).chunks(scratch.len()) {
            for (wire, frame) in scratch.iter_mut().zip(frames) {
                *wire = frame.into();
            }
            outlet.write_all(scratch[..frames.len()].as_bytes()).expect(ROOM);
        }
    });
    rows.outlet("musli", move |outlet| {
        MUSLI.to_writer(Through(outlet), black_box(frames)).expect(ROOM);
    });
    rows.outlet("postcard", move |outlet| {
        postcard::serialize_with_flavor(black_box(frames), Through(outlet)).expect(ROOM);
    });
    rows.outlet("minicbor", move |outlet| {
        minicbor::encode(black_box(frames), Through(outlet)).expect(ROOM);
    });
    let held: &'static [proto::Frame] = messages(frames).leak();
    rows.outlet("micropb", move |outlet| {
        let mut encoder = PbEncoder::new(Through(outlet));
        for message in black_box(held) {
            message.encode_len_delimited(&mut encoder).expect(ROOM);
        }
    });
    buffered(rows, frames);
}

/// A whole message in a buffer that somebody has to have, and one write.
fn buffered(rows: &mut Rows, frames: &'static [Frame]) {
    let buffer = |len: usize| {
        let buffer = std::cell::RefCell::new(vec![0; len]);
        &*Box::leak(Box::new(buffer))
    };
    let fixed = buffer(8 + 20 * frames.len());
    rows.outlet("bincode-buffer", move |outlet| {
        let buffer = &mut *fixed.borrow_mut();
        let len = bincode::encode_into_slice(black_box(frames), buffer, BINCODE).expect(ROOM);
        outlet.write_all(&buffer[..len]).expect(ROOM);
    });
    rows.outlet("wincode-buffer", move |outlet| {
        let buffer = &mut *fixed.borrow_mut();
        wincode::serialize_into(&mut buffer[..], black_box(frames)).expect(ROOM);
        outlet.write_all(buffer).expect(ROOM);
    });
    // What postcard says a record takes at most.
    let varints = buffer(10 + 25 * frames.len());
    rows.outlet("postcard-buffer", move |outlet| {
        let buffer = &mut *varints.borrow_mut();
        let bytes = postcard::to_slice(black_box(frames), buffer).expect(ROOM);
        outlet.write_all(bytes).expect(ROOM);
    });
}

impl bincode::enc::write::Writer for Through<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), bincode::error::EncodeError> {
        self.0.write_all(bytes).map_err(|_| bincode::error::EncodeError::UnexpectedEnd)
    }
}

impl wincode::io::Writer for Through<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> wincode::io::WriteResult<()> {
        self.0.write_all(bytes).map_err(|_| wincode::io::WriteError::WriteSizeLimit(bytes.len()))
    }
}

impl borsh::io::Write for Through<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> borsh::io::Result<usize> {
        self.0.write_all(bytes).map_err(|_| borsh::io::ErrorKind::WriteZero)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> borsh::io::Result<()> {
        Ok(())
    }
}

/// For speedy and musli.
impl std::io::Write for Through<'_, '_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write_all(bytes).map_err(|_| std::io::ErrorKind::WriteZero)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl postcard::ser_flavors::Flavor for Through<'_, '_> {
    type Output = ();

    fn try_push(&mut self, byte: u8) -> postcard::Result<()> {
        self.try_extend(&[byte])
    }

    fn try_extend(&mut self, bytes: &[u8]) -> postcard::Result<()> {
        self.0.write_all(bytes).map_err(|_| postcard::Error::SerializeBufferFull)
    }

    fn finalize(self) -> postcard::Result<()> {
        Ok(())
    }
}

impl minicbor::encode::Write for Through<'_, '_> {
    type Error = embedded_io::SliceWriteError;

    fn write_all(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.write_all(bytes)
    }
}

impl PbWrite for Through<'_, '_> {
    type Error = embedded_io::SliceWriteError;

    fn pb_write(&mut self, bytes: &[u8]) -> Result<(), Self::Error> {
        self.0.write_all(bytes)
    }
}
