//! The relay: connections on one side, a line on the other.
#![allow(
    clippy::std_instead_of_core,
    clippy::std_instead_of_alloc,
    reason = "a program for the host; one prefix for everything reads better"
)]

mod arguments;
mod board;
mod clients;

use std::ffi::OsString;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use clap::Parser as _;

use self::arguments::Arguments;
use self::board::Board;
use self::clients::{Clients, Event};

/// It was told to end.
const ENDED: u8 = 0;
/// The line to the board was lost.
const FAILED: u8 = 1;
/// It never began.
const USAGE: u8 = 2;

/// Does what `arguments` ask, the first of which is the program's name; returns the exit code.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            let code = if error.use_stderr() { USAGE } else { ENDED };
            error.print().ok();
            return code;
        }
    };
    let (listener, board) = match begin(&arguments) {
        Ok(both) => both,
        Err(message) => {
            eprintln!("http_relay: {message}");
            return USAGE;
        }
    };
    match relay(&arguments, listener, board) {
        Ok(()) => ENDED,
        Err(message) => {
            eprintln!("http_relay: {message}");
            FAILED
        }
    }
}

fn begin(arguments: &Arguments) -> Result<(TcpListener, Board), String> {
    let listener = TcpListener::bind(arguments.address())
        .map_err(|error| format!("{}: {error}", arguments.address()))?;
    let board = arguments.board()?;
    Ok((listener, board))
}

/// Hands frames from clients to the board and back, until standard input ends if that was asked
/// for.
fn relay(arguments: &Arguments, listener: TcpListener, mut board: Board) -> Result<(), String> {
    board.begin()?;
    let address = listener.local_addr().map_err(|error| error.to_string())?;
    let mut stdout = std::io::stdout();
    writeln!(stdout, "listening on {address}")
        .and_then(|()| stdout.flush())
        .map_err(|error| error.to_string())?;
    // Clients that send faster than the line takes wait.
    let (events, inbox) = sync_channel(16);
    if arguments.until_stdin_ends {
        let events = events.clone();
        thread::spawn(move || wait_for_end(&events));
    }
    let mut clients = Clients::accept(listener, events);
    // The board acts only when it is asked to: everything begins here.
    for event in inbox {
        let Some(frame) = clients.frame(event) else {
            return board.quit();
        };
        let turn = board.turn(frame.head, &frame.bytes);
        match turn {
            Ok(answers) => answers.into_iter().for_each(|answer| clients.take(answer)),
            Err(message) => {
                eprintln!("http_relay: {message}; beginning anew");
                clients.close_all();
                board.begin()?;
            }
        }
    }
    Ok(())
}

fn wait_for_end(events: &SyncSender<Event>) {
    let mut stdin = std::io::stdin().lock();
    while !matches!(stdin.read(&mut [0; 256]), Ok(0) | Err(_)) {}
    events.send(Event::End).ok();
}
