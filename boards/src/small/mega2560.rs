//! An Arduino Mega 2560: an AVR with 256 KiB of flash, 8 KiB of RAM and 16-bit pointers.
//!
//! The console is USART 0, which the board's USB plug leads to. Nothing tells an emulator to stop,
//! so the last line says that the run is over, and the processor sleeps with interrupts off.
//! Registers: Microchip's data sheet of the ATmega2560, section 33.

use core::ptr;

/// USART control and status A; bit 5: the data register is empty.
const UCSR0A: *mut u8 = ptr::without_provenance_mut(0xc0);
/// USART control and status B; bit 3: the transmitter is on.
const UCSR0B: *mut u8 = ptr::without_provenance_mut(0xc1);
/// Half of the divider of the clock; the reset value is 0 and the upper half stays so.
const UBRR0L: *mut u8 = ptr::without_provenance_mut(0xc4);
const UDR0: *mut u8 = ptr::without_provenance_mut(0xc6);

const DATA_REGISTER_EMPTY: u8 = 1 << 5;
const TRANSMITTER: u8 = 1 << 3;
/// 115,200 baud, 8 data bits, no parity, at 16 MHz: table 22-12.
const DIVIDER: u8 = 8;

unsafe extern "C" {
    /// Sleeps for ever.
    // SAFETY: `boards/mega2560/start.S` defines it, and it neither asks for anything nor returns.
    safe fn onewrite_sleep() -> !;
}

/// Where `boards/mega2560/start.S` goes on to.
// SAFETY: the name belongs to this board, and a program has one start.
#[unsafe(no_mangle)]
extern "C" fn onewrite_start() -> ! {
    // SAFETY: a register of the USART, which nobody else uses.
    unsafe { ptr::write_volatile(UBRR0L, DIVIDER) };
    // SAFETY: as above.
    unsafe { ptr::write_volatile(UCSR0B, TRANSMITTER) };
    super::start_bare()
}

pub(super) fn send(bytes: &[u8]) {
    for &byte in bytes {
        // SAFETY: a register of the USART; to read it changes nothing.
        while unsafe { ptr::read_volatile(UCSR0A) } & DATA_REGISTER_EMPTY == 0 {}
        // SAFETY: a register of the USART, which takes a byte.
        unsafe { ptr::write_volatile(UDR0, byte) };
    }
}

/// Says how the run ended, and sleeps for ever.
pub(super) fn end(code: u8) -> ! {
    let [hundreds, tens, ones] = [code / 100, code / 10 % 10, code % 10].map(|digit| b'0' + digit);
    send(b"halted with exit code ");
    send(&[hundreds, tens, ones]);
    send(b"\n");
    onewrite_sleep()
}
