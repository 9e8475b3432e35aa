//! The way to the GPU's firmware: what `property` puts into words goes through the mailbox.

use core::sync::atomic::{AtomicU32, Ordering};

use super::{registers, uart};
use crate::property::{Message, Question};

const STATUS: usize = 0x3f00_b898;
const READ: usize = 0x3f00_b880;
const WRITE: usize = 0x3f00_b8a0;

const STATUS_FULL: u32 = 1 << 31;
const STATUS_EMPTY: u32 = 1 << 30;
const PROPERTY_CHANNEL: u32 = 8;
/// How the GPU sees RAM past its own cache.
const GPU_UNCACHED: u32 = 0xc000_0000;
/// Polls before the GPU is taken for absent: some 0.1 s on a Pi, which answers in microseconds.
const PATIENCE: u32 = 1_000_000;

/// The buffer both sides read and write. Its size and alignment are a cache line, so cleaning it
/// touches nothing else.
#[repr(C, align(64))]
struct Buffer([AtomicU32; 16]);

static MESSAGE: Buffer = Buffer([const { AtomicU32::new(0) }; 16]);

/// What the firmware answers; `None` where it does not know, or nobody is there.
pub(super) fn ask(question: Question) -> Option<u32> {
    for (word, value) in MESSAGE.0.iter().zip(question.request()) {
        word.store(value, Ordering::Relaxed);
    }
    let address = MESSAGE.0.as_ptr().expose_provenance();
    registers::clean_and_invalidate(address, size_of::<Buffer>());

    // The map of mmu.rs ends below 4 GiB, and the low four bits are free for the channel.
    let letter = u32::try_from(address).ok()? | GPU_UNCACHED | PROPERTY_CHANNEL;
    wait_until_clear(STATUS_FULL)?;
    uart::write(WRITE, letter);
    // An answer that the firmware left unread may come first.
    loop {
        wait_until_clear(STATUS_EMPTY)?;
        if uart::read(READ) == letter {
            break;
        }
    }
    registers::clean_and_invalidate(address, size_of::<Buffer>());

    let mut message = Message::default();
    for (word, stored) in message.iter_mut().zip(&MESSAGE.0) {
        *word = stored.load(Ordering::Relaxed);
    }
    question.answer(message)
}

fn wait_until_clear(flag: u32) -> Option<()> {
    (0..PATIENCE).find(|_| uart::read(STATUS) & flag == 0).map(|_| ())
}
