//! The other side: Node with the package.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value as Json;

/// A running `peer.mjs`; it ends when its input does.
pub(crate) struct Peer {
    child: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Peer {
    /// Starts Node with the package that npm has installed in `folder`.
    pub(crate) fn start(folder: &Path) -> Self {
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/spacetimedb_interop/peer.mjs");
        let mut command = Command::new("node");
        command.arg(script).arg(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().expect("node starts");
        let requests = child.stdin.take();
        let answers = BufReader::new(child.stdout.take().expect("it is a pipe"));
        Self { child, requests, answers }
    }

    /// What it answers; an error is what it says went wrong.
    pub(crate) fn ask(&mut self, request: &Json) -> Result<Json, String> {
        let mut requests = self.requests.as_ref().expect("it is there until the end");
        requests.write_all(format!("{request}\n").as_bytes()).map_err(|why| why.to_string())?;
        let mut line = String::new();
        self.answers.read_line(&mut line).map_err(|why| why.to_string())?;
        // Types nest a hundred levels deep.
        let mut json = serde_json::Deserializer::from_str(&line);
        json.disable_recursion_limit();
        let answer: Json = serde::Deserialize::deserialize(&mut json)
            .map_err(|why| format!("the answer {line:?}: {why}"))?;
        match answer.get("error") {
            Some(error) => Err(format!("the package: {error}")),
            None => Ok(answer),
        }
    }
}

impl Drop for Peer {
    fn drop(&mut self) {
        drop(self.requests.take());
        let _ = self.child.wait();
    }
}
