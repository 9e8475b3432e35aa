//! What the relay is asked.

use std::fs::OpenOptions;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::time::Duration;

use clap::Parser;

use super::board::Board;

/// Relay TCP connections to a board that serves HTTP over its serial line.
#[derive(Debug, Parser)]
#[command(name = "http_relay", after_help = AFTER)]
pub(crate) struct Arguments {
    /// The board's line on this machine, set to 115200 baud and raw.
    #[arg(long, value_name = "FILE", group = "line", required_unless_present_any = ["connect", "socket"])]
    device: Option<PathBuf>,
    /// The same behind a TCP port, such as that of an emulator.
    #[arg(long, value_name = "HOST:PORT", group = "line")]
    connect: Option<String>,
    /// The same behind a Unix socket.
    #[arg(long, value_name = "FILE", group = "line")]
    socket: Option<PathBuf>,
    /// The port for clients; 0 is one that is free.
    #[arg(long, default_value_t = 8081)]
    port: u16,
    /// The address for clients.
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST), value_name = "ADDRESS")]
    listen: IpAddr,
    /// How long the board may take for one turn.
    #[arg(long, default_value_t = 10_000, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: u64,
    /// End, and have the board's program end, when standard input does.
    #[arg(long)]
    pub(crate) until_stdin_ends: bool,
}

impl Arguments {
    pub(crate) const fn address(&self) -> SocketAddr {
        SocketAddr::new(self.listen, self.port)
    }

    /// Opens the line.
    pub(crate) fn board(&self) -> Result<Board, String> {
        let timeout = Duration::from_millis(self.timeout);
        let named = |name: &str, error: std::io::Error| format!("{name}: {error}");
        if let Some(address) = &self.connect {
            let line = TcpStream::connect(address).map_err(|error| named(address, error))?;
            line.set_nodelay(true).map_err(|error| named(address, error))?;
            let other = line.try_clone().map_err(|error| named(address, error))?;
            return Ok(Board::new(line, other, timeout));
        }
        if let Some(path) = &self.socket {
            return socket(path, timeout);
        }
        let Some(path) = &self.device else { return Err("no line to a board".to_owned()) };
        let name = path.display().to_string();
        let line = OpenOptions::new().read(true).write(true).open(path);
        let line = line.map_err(|error| named(&name, error))?;
        let other = line.try_clone().map_err(|error| named(&name, error))?;
        Ok(Board::new(line, other, timeout))
    }
}

#[cfg(unix)]
fn socket(path: &std::path::Path, timeout: Duration) -> Result<Board, String> {
    let named = |error: std::io::Error| format!("{}: {error}", path.display());
    let line = std::os::unix::net::UnixStream::connect(path).map_err(named)?;
    let other = line.try_clone().map_err(named)?;
    Ok(Board::new(line, other, timeout))
}

#[cfg(not(unix))]
fn socket(path: &std::path::Path, _: Duration) -> Result<Board, String> {
    Err(format!("{}: this system has no Unix sockets", path.display()))
}

const AFTER: &str = "\
A board that runs http_uart, on a USB adapter:
  stty -F /dev/ttyUSB0 115200 raw -echo
  http_relay --device /dev/ttyUSB0

An emulated one:
  qemu-system-aarch64 -M raspi3ap -display none -monitor none -kernel kernel8.img \\
    -chardev socket,id=line,host=127.0.0.1,port=4000,server=on,wait=off -serial chardev:line
  http_relay --connect 127.0.0.1:4000

The first line it prints is `listening on ADDRESS:PORT`, once the board has answered. Four
connections are relayed at the same time; others wait.

Exit code: 0 it was told to end, 1 the line to the board was lost, 2 wrong usage.";
