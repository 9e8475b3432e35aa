//! Questions to the GPU's firmware: clocks, temperature, throttling, revisions.
//!
//! The property channel of the mailbox. Source: the wiki page "Mailbox property interface" of
//! raspberrypi/firmware. A question that the firmware does not know has no answer here.

use core::sync::atomic::{AtomicU32, Ordering};

use super::{registers, uart};

const STATUS: usize = 0x3f00_b898;
const READ: usize = 0x3f00_b880;
const WRITE: usize = 0x3f00_b8a0;

const STATUS_FULL: u32 = 1 << 31;
const STATUS_EMPTY: u32 = 1 << 30;
const PROPERTY_CHANNEL: u32 = 8;
/// How the GPU sees RAM past its own cache.
const GPU_UNCACHED: u32 = 0xc000_0000;
const ANSWERED: u32 = 0x8000_0000;
/// Polls before the GPU is taken for absent: some 0.1 s on a Pi, which answers in microseconds.
const PATIENCE: u32 = 1_000_000;

/// The clocks that a report names.
#[derive(Clone, Copy)]
#[repr(u32)]
pub(super) enum Clock {
    Uart = 2,
    Arm = 3,
    Core = 4,
}

/// The buffer both sides read and write. Its size and alignment are a cache line, so cleaning it
/// touches nothing else.
#[repr(C, align(64))]
struct Message([AtomicU32; 16]);

static MESSAGE: Message = Message([const { AtomicU32::new(0) }; 16]);

/// The rate a clock is set to.
pub(super) fn clock_hz(clock: Clock) -> Option<u32> {
    let [_, hz] = ask(0x0003_0002, clock as u32)?;
    Some(hz).filter(|&hz| hz != 0)
}

/// The rate a clock is measured to run at.
pub(super) fn measured_clock_hz(clock: Clock) -> Option<u32> {
    let [_, hz] = ask(0x0003_0047, clock as u32)?;
    Some(hz).filter(|&hz| hz != 0)
}

/// Thousandths of a degree Celsius.
pub(super) fn temperature() -> Option<u32> {
    ask(0x0003_0006, 0).map(|[_, millidegrees]| millidegrees)
}

/// The bits of `vcgencmd get_throttled`.
pub(super) fn throttled() -> Option<u32> {
    ask(0x0003_0046, 0).map(|[bits, _]| bits)
}

/// When the firmware was built, in seconds of Unix time.
pub(super) fn firmware() -> Option<u32> {
    ask(0x0000_0001, 0).map(|[revision, _]| revision)
}

/// The board's revision code: 0x902120 is a Zero 2 W 1.0 with 512 MB.
pub(super) fn board_revision() -> Option<u32> {
    ask(0x0001_0002, 0).map(|[revision, _]| revision)
}

/// Sends one tag with one word and returns the two words of its value.
fn ask(tag: u32, argument: u32) -> Option<[u32; 2]> {
    // Total bytes, request; tag, value bytes, request; two words of value; end.
    let request = [8 * 4, 0, tag, 8, 0, argument, 0, 0];
    for (word, value) in MESSAGE.0.iter().zip(request) {
        word.store(value, Ordering::Relaxed);
    }
    let address = MESSAGE.0.as_ptr().expose_provenance();
    registers::clean_and_invalidate(address, size_of::<Message>());

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
    registers::clean_and_invalidate(address, size_of::<Message>());

    let answer = |index: usize| MESSAGE.0.get(index).map(|word| word.load(Ordering::Relaxed));
    if answer(1)? != ANSWERED || answer(4)? & ANSWERED == 0 {
        return None;
    }
    Some([answer(5)?, answer(6)?])
}

fn wait_until_clear(flag: u32) -> Option<()> {
    (0..PATIENCE).find(|_| uart::read(STATUS) & flag == 0).map(|_| ())
}
