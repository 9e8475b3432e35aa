//! The PL011 at 115200 8N1 on GPIO14 (transmit) and GPIO15 (receive, off until somebody reads).
//!
//! The PL011 and not the mini UART, whose rate follows the core clock. Sending waits for room:
//! nothing is dropped, and a full FIFO costs time instead. Sources: BCM2837 ARM Peripherals,
//! chapters 6 and 13; PL011 TRM (DDI 0183), 3.3.

use core::sync::atomic::{AtomicU32, Ordering};

use super::mailbox;
use crate::property::{Clock, Question};

const GPFSEL1: usize = 0x3f20_0004;
const DATA: usize = 0x3f20_1000;
const FLAGS: usize = 0x3f20_1018;
const INTEGER_DIVISOR: usize = 0x3f20_1024;
const FRACTION_DIVISOR: usize = 0x3f20_1028;
const LINE_CONTROL: usize = 0x3f20_102c;
const CONTROL: usize = 0x3f20_1030;
const INTERRUPT_CLEAR: usize = 0x3f20_1044;

const FLAG_RECEIVE_EMPTY: u32 = 1 << 4;
const FLAG_TRANSMIT_FULL: u32 = 1 << 5;
const FLAG_BUSY: u32 = 1 << 3;

const UART_ON: u32 = 1;
const TRANSMITTER_ON: u32 = 1 << 8;
const RECEIVER_ON: u32 = 1 << 9;

/// What the data register says of a byte, from bit 8 on: framing, parity, break, overrun.
const RECEIVE_ERRORS: u32 = 0xf00;

const BAUD: u32 = 115_200;
/// What `config.txt` asks for and current firmware sets anyway.
const ASSUMED_CLOCK_HZ: u32 = 48_000_000;

static CLOCK_HZ: AtomicU32 = AtomicU32::new(0);

/// Reads a device register.
pub(super) fn read(register: usize) -> u32 {
    let register = core::ptr::with_exposed_provenance::<u32>(register);
    // SAFETY: only the constants of this file and of mailbox.rs come here: 4-byte aligned
    // registers in the device range that mmu.rs maps, which no Rust object overlaps.
    unsafe { register.read_volatile() }
}

/// Writes a device register.
pub(super) fn write(register: usize, value: u32) {
    let register = core::ptr::with_exposed_provenance_mut::<u32>(register);
    // SAFETY: as in `read`; the values written neither start DMA nor touch memory, except the
    // mailbox's, whose buffer outlives the call.
    unsafe { register.write_volatile(value) }
}

pub(super) fn init() {
    // The GPU knows the clock; QEMU's answer (3 MHz) is as good as any there.
    let clock_hz = mailbox::ask(Question::clock(Clock::Uart)).filter(|&hz| hz >= 16 * BAUD);
    CLOCK_HZ.store(clock_hz.unwrap_or(0), Ordering::Relaxed);
    // The divisor in 64ths is clock * 64 / (16 * baud), rounded.
    let divisor = (clock_hz.unwrap_or(ASSUMED_CLOCK_HZ) * 4 + BAUD / 2) / BAUD;

    write(CONTROL, 0);
    let functions = read(GPFSEL1) & !(0o77 << 12);
    write(GPFSEL1, functions | (4 << 12) | (4 << 15)); // both pins: alternate function 0
    write(INTERRUPT_CLEAR, 0x7ff);
    write(INTEGER_DIVISOR, divisor >> 6);
    write(FRACTION_DIVISOR, divisor & 63);
    write(LINE_CONTROL, (3 << 5) | (1 << 4)); // 8 bits, no parity, 1 stop bit, FIFO on
    write(CONTROL, TRANSMITTER_ON | UART_ON);
}

/// The clock the GPU reported; `None` where 48 MHz had to be assumed.
pub(super) fn clock_hz() -> Option<u32> {
    Some(CLOCK_HZ.load(Ordering::Relaxed)).filter(|&hz| hz != 0)
}

/// Sends all of `bytes`; waits while the FIFO is full.
pub(super) fn send(bytes: &[u8]) {
    for &byte in bytes {
        while read(FLAGS) & FLAG_TRANSMIT_FULL != 0 {}
        write(DATA, u32::from(byte));
    }
}

/// Turns the receiver on or off.
pub(super) fn listen(on: bool) {
    let receiver = if on { RECEIVER_ON } else { 0 };
    write(CONTROL, receiver | TRANSMITTER_ON | UART_ON);
}

/// The next byte, if one has come. A byte that was damaged on the line is dropped.
pub(super) fn receive() -> Option<u8> {
    while read(FLAGS) & FLAG_RECEIVE_EMPTY == 0 {
        let data = read(DATA);
        if data & RECEIVE_ERRORS == 0 {
            let [byte, ..] = data.to_le_bytes();
            return Some(byte);
        }
    }
    None
}

/// Waits until the last stop bit has left.
pub(super) fn drain() {
    while read(FLAGS) & FLAG_BUSY != 0 {}
}
