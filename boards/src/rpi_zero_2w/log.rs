//! One stream over the UART: defmt frames, or with `plain-console` text for a terminal.
//!
//! Frames are rzCOBS-encoded and end with a zero byte. Everything the console says is in such a
//! frame, so one decoder reads all of the stream. The first one is no defmt frame but plain text:
//! `onewrite-build ID ID`, which is read without the tables of any program. The id stands there
//! twice, so that a damaged one is not taken for that of another program.

use core::{
    cell::UnsafeCell,
    sync::atomic::{AtomicBool, Ordering},
};

use super::{build_id::BuildId, uart};

struct SharedEncoder(UnsafeCell<defmt::Encoder>);

// SAFETY: one core runs, with interrupts masked, and `BUSY` is held while the encoder is in use.
unsafe impl Sync for SharedEncoder {}

static ENCODER: SharedEncoder = SharedEncoder(UnsafeCell::new(defmt::Encoder::new()));
static BUSY: AtomicBool = AtomicBool::new(false);

pub(super) fn init() {
    if cfg!(not(feature = "plain-console")) {
        // What the firmware printed before is dropped as one bad frame.
        end_frame();
        send_build_id();
    }
}

/// Says which program this is; nothing where the linker made no id.
fn send_build_id() {
    let Some(id) = BuildId::own() else { return };
    uart::send(b"onewrite-build");
    for _ in 0..2 {
        uart::send(b" ");
        id.digits().for_each(|digit| uart::send(&[digit]));
    }
    end_frame();
}

/// Ends a frame, whatever stands in it.
fn end_frame() {
    if cfg!(not(feature = "plain-console")) {
        uart::send(&[0]);
    }
}

/// Ends a frame that an exception or a panic interrupted, so that the report can be framed.
pub(super) fn abandon_frame() {
    if BUSY.swap(false, Ordering::Relaxed) {
        end_frame();
    }
}

/// Sends a line, which has no line feed in it.
pub(super) fn line(text: &str) {
    #[cfg(not(feature = "plain-console"))]
    defmt::println!("{=str}", text);
    #[cfg(feature = "plain-console")]
    {
        uart::send(text.as_bytes());
        uart::send(b"\r\n");
    }
}

/// Sends a part of a line that goes on in the next frame; the NUL at its end says so.
pub(super) fn part_of_line(text: &str) {
    #[cfg(not(feature = "plain-console"))]
    defmt::println!("{=str}\0", text);
    #[cfg(feature = "plain-console")]
    uart::send(text.as_bytes());
}

#[defmt::global_logger]
struct Logger;

// SAFETY: `acquire` to `release` excludes every other user of the encoder: one core, interrupts
// masked, and a second `acquire` does not return.
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        if BUSY.swap(true, Ordering::Relaxed) {
            super::fatal::give_up();
        }
        // SAFETY: `BUSY` was clear, so no other reference to the encoder exists.
        let encoder = unsafe { &mut *ENCODER.0.get() };
        encoder.start_frame(send_frame);
    }

    unsafe fn flush() {
        uart::drain();
    }

    unsafe fn release() {
        // SAFETY: the caller holds the logger, so no other reference to the encoder exists.
        let encoder = unsafe { &mut *ENCODER.0.get() };
        encoder.end_frame(send_frame);
        BUSY.store(false, Ordering::Relaxed);
    }

    unsafe fn write(bytes: &[u8]) {
        // SAFETY: the caller holds the logger, so no other reference to the encoder exists.
        let encoder = unsafe { &mut *ENCODER.0.get() };
        encoder.write(bytes, send_frame);
    }
}

/// Frames of other crates would be noise between lines of text, so `plain-console` drops them.
fn send_frame(bytes: &[u8]) {
    if cfg!(not(feature = "plain-console")) {
        uart::send(bytes);
    }
}
