//! Answers HTTP over a serial line: HTTP/1.1 and HTTP/2 on a machine without a network.
//!
//! `http_relay` stands at the other end and gives clients a port. On a board:
//!
//!     cargo xtask image http_uart
//!     cargo run --example http_relay -- --device /dev/ttyUSB0
//!     curl http://127.0.0.1:8081/data
//!
//! A UART knows no connections, so the bytes come in frames: see `link`. On a host the line is
//! standard input and output. An emulator that counts instructions has nobody at the other end: there
//! it answers one client of each protocol from memory, and prints what it says.
#![cfg_attr(target_os = "none", no_std, no_main)]

mod board;
mod link;
mod rehearsal;
mod site;

use onewrite_boards::{Console, Failure, Label, Serial, entry, label};

use board::Board;

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    let mut board = Board::new();
    if label() == Label::QemuIcount {
        return rehearsal::run(&mut board, console);
    }
    let end = board.serve(&mut Serial::take());
    // The line is the console's again.
    end.map_err(|()| Failure::from("the line is lost"))?;
    writeln!(console, "served {} requests", board.requests())?;
    Ok(())
}
