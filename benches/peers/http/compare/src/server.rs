//! The servers: what each is called, where it is found, and how it is told what to serve.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result};

use crate::scenario::Protocol;
use crate::{BODY, MEDIA_TYPE, workspace};

/// A server, or a page of ours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Server {
    /// Its name in tables and in `--only`.
    pub(crate) name: &'static str,
    /// Which page is asked for.
    pub(crate) path: &'static str,
    protocols: &'static [Protocol],
    program: Program,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Program {
    /// The library's own example, with these words as well.
    Ours(&'static [&'static str]),
    /// A program of `servers`, by the name of its binary.
    Crate(&'static str),
    Nginx,
    Nghttpd,
    H2o,
}

/// The row that the others are compared with.
pub(crate) const OURS: &str = "onewrite";

/// Ours, waiting a little after each turn: the others are compared with that one, too.
pub(crate) const COALESCED: &str = "onewrite-coalesced";

const BOTH: &[Protocol] = &[Protocol::H1, Protocol::H2];

/// All of them, in the order of the tables.
pub(crate) const ALL: [Server; 9] = [
    Server { name: OURS, path: "/data", protocols: BOTH, program: Program::Ours(&[]) },
    // The same, set up for many requests in flight.
    Server {
        name: COALESCED,
        path: "/data",
        protocols: BOTH,
        program: Program::Ours(&["--coalesce", "500"]),
    },
    // The same answer, built anew for each request in the ordinary way.
    Server { name: "onewrite-built", path: "/", protocols: BOTH, program: Program::Ours(&[]) },
    Server { name: "hyper", path: "/data", protocols: BOTH, program: Program::Crate("hyper") },
    Server { name: "axum", path: "/data", protocols: BOTH, program: Program::Crate("axum") },
    Server {
        name: "actix-web",
        path: "/data",
        protocols: BOTH,
        program: Program::Crate("actix_web"),
    },
    Server { name: "nginx", path: "/data", protocols: BOTH, program: Program::Nginx },
    Server {
        name: "nghttpd",
        path: "/data",
        protocols: &[Protocol::H2],
        program: Program::Nghttpd,
    },
    Server { name: "h2o", path: "/data", protocols: BOTH, program: Program::H2o },
];

impl Server {
    /// Whether it is one of our own rows.
    pub(crate) fn is_ours(&self) -> bool {
        matches!(self.program, Program::Ours(_))
    }

    /// Whether it is built by `build_peers`.
    pub(crate) const fn is_built_here(&self) -> bool {
        matches!(self.program, Program::Crate(_))
    }

    pub(crate) fn speaks(&self, protocol: Protocol) -> bool {
        self.protocols.contains(&protocol)
    }

    /// The program, or `None` where this machine does not have it.
    ///
    /// `ours` stands in for the library's example.
    pub(crate) fn find(&self, ours: Option<&Path>) -> Option<PathBuf> {
        let path = match self.program {
            Program::Ours(_) => match ours {
                Some(path) => path.to_owned(),
                None => workspace::library_target().join("release/examples/http_server"),
            },
            Program::Crate(binary) => workspace::target().join("release").join(binary),
            Program::Nginx => return installed("nginx"),
            Program::Nghttpd => return installed("nghttpd"),
            Program::H2o => return installed("h2o"),
        };
        path.is_file().then_some(path)
    }

    /// What it says its version is.
    pub(crate) fn version(&self, program: &Path) -> String {
        let flag = match self.program {
            Program::Ours(_) => return program.display().to_string(),
            Program::Crate(binary) => return workspace::locked_version(&binary.replace('_', "-")),
            Program::Nginx => "-v",
            Program::Nghttpd => "--version",
            Program::H2o => "-v",
        };
        workspace::first_line(Command::new(program).arg(flag))
    }

    /// Writes what it needs into `folder`, and says with which arguments it serves our page there.
    ///
    /// Each of them stays in the foreground, is one process, and serves with one thread.
    pub(crate) fn arguments(
        &self,
        folder: &Path,
        protocol: Protocol,
        port: u16,
    ) -> Result<Vec<OsString>> {
        let write = |name: &str, text: &str| -> Result<PathBuf> {
            let path = folder.join(name);
            fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
            Ok(path)
        };
        let port = port.to_string();
        let mut arguments: Vec<OsString> = Vec::new();
        let mut add = |words: &[&str]| arguments.extend(words.iter().map(OsString::from));
        match self.program {
            // Ours tells the protocols apart, which a fixed protocol would spare it.
            Program::Ours(flags) => {
                add(&["--port", &port, "--protocol", "auto"]);
                add(flags);
            }
            Program::Crate(_) => add(&["--port", &port, "--protocol", protocol.name()]),
            Program::Nginx => {
                let text = nginx(folder, protocol, &port);
                add(&["-e", "stderr", "-c"]);
                arguments.push(write("nginx.conf", &text)?.into());
            }
            Program::Nghttpd => {
                write("data", BODY)?;
                add(&["--no-tls", "--address=127.0.0.1", "--workers=1", "--htdocs"]);
                arguments.push(folder.into());
                arguments.push(port.into());
            }
            Program::H2o => {
                write("data", BODY)?;
                let text = h2o(folder, &port);
                add(&["--conf"]);
                arguments.push(write("h2o.conf", &text)?.into());
            }
        }
        Ok(arguments)
    }
}

/// The page comes from the configuration, which is the fastest that nginx has.
fn nginx(folder: &Path, protocol: Protocol, port: &str) -> String {
    let folder = folder.display();
    let http2 = if protocol == Protocol::H2 { " http2" } else { "" };
    // Requests are counted over the life of a connection, and nginx would end it.
    format!(
        "daemon off;
master_process off;
worker_processes 1;
pid {folder}/nginx.pid;
events {{ worker_connections 1024; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  default_type \"{MEDIA_TYPE}\";
  keepalive_requests 1000000000;
  server {{
    listen 127.0.0.1:{port}{http2};
    location = /data {{ return 200 \"{BODY}\"; }}
  }}
}}
"
    )
}

/// The page is a file, which h2o keeps open.
fn h2o(folder: &Path, port: &str) -> String {
    let folder = folder.display();
    // Started by root it would become somebody who may not write valgrind's counts.
    let user = if rustix::process::geteuid().is_root() { "user: root\n" } else { "" };
    format!(
        "{user}num-threads: 1
listen: {{ host: 127.0.0.1, port: {port} }}
file.mime.setdefaulttype: \"{MEDIA_TYPE}\"
hosts:
  default:
    paths:
      /: {{ file.dir: {folder} }}
"
    )
}

/// A program of the distribution; services are often outside of a user's search path.
pub(crate) fn installed(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let system = ["/usr/sbin", "/usr/local/sbin"].map(PathBuf::from);
    let mut places = std::env::split_paths(&path).chain(system);
    places.find_map(|place| Some(place.join(name)).filter(|path| path.is_file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_different() {
        let names: std::collections::BTreeSet<_> = ALL.iter().map(|server| server.name).collect();
        assert_eq!(names.len(), ALL.len());
        assert!(names.contains(OURS));
    }
}
