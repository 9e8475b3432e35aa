//! The usual way to a compiler for another machine: `rustup target add`.

use std::net::{TcpStream, ToSocketAddrs as _};
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::process::{self, End};
use crate::progress::say;

/// A server that does not answer within this time is out of reach.
const REACH_LIMIT: Duration = Duration::from_secs(5);
/// Two targets are some 60 MB; a connection that takes longer is as good as none.
const ADD_LIMIT: Duration = Duration::from_secs(180);
const SERVER: &str = "https://static.rust-lang.org";

/// Whether rustup says that it added the targets.
///
/// Never a reason to stop: there is another way.
pub(crate) fn add_targets(triples: &[&str]) -> bool {
    if super::without_rustup() {
        say("ONEWRITE_NO_RUSTUP=1: not asking rustup");
        return false;
    }
    if process::find("rustup").is_none() {
        say("no rustup here");
        return false;
    }
    let server = std::env::var("RUSTUP_DIST_SERVER").unwrap_or_else(|_| SERVER.to_owned());
    if !has_proxy() && !reachable(&server) {
        say(format_args!("{server} is out of reach: not asking rustup"));
        return false;
    }
    let mut command = Command::new("rustup");
    command.args(["target", "add"]).args(triples);
    say(process::show(&command));
    match process::capture_within(&mut command, ADD_LIMIT) {
        Ok((End::Exited(status), _, _)) if status.success() => true,
        Ok((end, _, stderr)) => {
            let stderr = String::from_utf8_lossy(&stderr);
            let last = stderr.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("");
            say(format_args!("rustup could not add them ({end:?}): {}", last.trim()));
            false
        }
        Err(error) => {
            say(format_args!("rustup could not add them: {error:#}"));
            false
        }
    }
}

/// With a proxy, whether the server answers us directly says nothing.
pub(super) fn has_proxy() -> bool {
    let names = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"];
    names.iter().any(|name| std::env::var_os(name).is_some_and(|value| !value.is_empty()))
}

/// Whether somebody answers at the address of a URL.
pub(super) fn reachable(url: &str) -> bool {
    let Some((host, port)) = host_and_port(url) else { return false };
    let (sender, receiver) = mpsc::channel();
    // Name look-ups have no time limit of their own: leave a stuck one behind.
    thread::spawn(move || {
        let connected = (host.as_str(), port).to_socket_addrs().is_ok_and(|mut addresses| {
            addresses.any(|address| TcpStream::connect_timeout(&address, REACH_LIMIT).is_ok())
        });
        let _ = sender.send(connected);
    });
    receiver.recv_timeout(REACH_LIMIT).unwrap_or(false)
}

fn host_and_port(url: &str) -> Option<(String, u16)> {
    let (scheme, rest) = url.split_once("://")?;
    let usual = match scheme {
        "https" => 443,
        "http" => 80,
        _ => return None,
    };
    let authority = rest.split('/').next()?;
    match authority.rsplit_once(':') {
        Some((host, port)) => Some((host.to_owned(), port.parse().ok()?)),
        None => Some((authority.to_owned(), usual)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_server_is_read_from_its_url() {
        let split = |url| host_and_port(url);
        assert_eq!(
            split("https://static.rust-lang.org"),
            Some(("static.rust-lang.org".into(), 443))
        );
        assert_eq!(split("http://mirror:8080/rustup"), Some(("mirror".into(), 8080)));
        assert_eq!(split("file:///srv/rustup"), None);
    }

    #[test]
    fn a_closed_port_is_out_of_reach() {
        assert!(!reachable("http://127.0.0.1:1"));
    }
}
