//! A browser without a window, told what to do over a pipe.
//!
//! Its debugging protocol is JSON, each message ended by a zero byte. So the test needs Chromium and
//! nothing beside it, neither Node nor a package of its registry.

use std::collections::HashMap;
use std::ffi::OsString;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::PathBuf;
use std::process::{ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

use serde_json::{Value as Json, json};

use super::PATIENCE;

/// Names the browser where the search path has another, or has it under another name.
const BROWSER: &str = "ONEWRITE_CHROMIUM";

/// Under which names distributions have it.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Starts the browser with the pipe where it looks for it, and clears up behind it.
const SHELL: &str = r#"
profile=$1; shift
"$@" 3<&0 4>&1 </dev/null >/dev/null
rm -rf "$profile"
"#;

/// No sandbox, since root and containers cannot have one and the pages are our own; no slower
/// timers in pages that nobody looks at.
const FLAGS: [&str; 11] = [
    "--headless",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
];

/// What a page says by itself goes to whoever has its session.
#[derive(Debug, Default)]
struct Listeners {
    answers: HashMap<u64, Sender<Json>>,
    sessions: HashMap<String, Sender<Json>>,
}

/// A browser that runs. It ends when this process does, since its pipe is closed then.
#[derive(Debug)]
pub(crate) struct Chromium {
    commands: Mutex<ChildStdin>,
    listeners: Arc<Mutex<Listeners>>,
    last: AtomicU64,
}

impl Chromium {
    /// The one browser of this process; `None`, with a message, where there is none to be had.
    pub(crate) fn shared() -> Option<&'static Self> {
        static BROWSER: OnceLock<Option<Chromium>> = OnceLock::new();
        BROWSER.get_or_init(Self::start).as_ref()
    }

    fn start() -> Option<Self> {
        if !onewrite_boards::label().measures_time() {
            eprintln!("skipped: an emulated machine");
            return None;
        }
        let Some(program) = program() else {
            eprintln!("skipped: Chromium is not installed");
            return None;
        };
        let profile = PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
            .join(format!("live_browser-{}", std::process::id()));
        std::fs::create_dir_all(&profile).unwrap();
        let mut folder = OsString::from("--user-data-dir=");
        folder.push(&profile);
        let mut command = Command::new("sh");
        command.args(["-c", SHELL, "sh"]).arg(&profile).arg(program).args(FLAGS).arg(folder);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let commands = Mutex::new(child.stdin.take().unwrap());
        let listeners = Arc::<Mutex<Listeners>>::default();
        let (pipe, to) = (child.stdout.take().unwrap(), Arc::clone(&listeners));
        thread::spawn(move || listen(pipe, &to));
        let log = child.stderr.take().unwrap();
        let log = thread::spawn(move || {
            let end = end_of(log);
            let _ = child.wait();
            end
        });
        let browser = Self { commands, listeners, last: AtomicU64::new(0) };
        if let Err(why) = browser.call("", "Browser.getVersion", &json!({})) {
            drop(browser);
            panic!("Chromium does not start: {why}\n{}", log.join().unwrap());
        }
        Some(browser)
    }

    /// What it answers to a command: to one of `session`, or of the browser where that is empty.
    pub(crate) fn call(&self, session: &str, method: &str, params: &Json) -> Result<Json, String> {
        let id = self.last.fetch_add(1, Ordering::Relaxed) + 1;
        let mut message = json!({ "id": id, "method": method, "params": params });
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        let (to, answer) = channel();
        self.listeners.lock().unwrap().answers.insert(id, to);
        let mut bytes = message.to_string().into_bytes();
        bytes.push(0);
        self.commands.lock().unwrap().write_all(&bytes).map_err(|why| why.to_string())?;
        let answer = answer.recv_timeout(PATIENCE).map_err(|why| format!("{method}: {why}"))?;
        match answer.get("error") {
            Some(error) => Err(format!("{method}: {error}")),
            None => Ok(answer["result"].clone()),
        }
    }

    /// A page that shares nothing with others: its session, and what it says by itself.
    pub(crate) fn open(&self) -> (Opened, Receiver<Json>) {
        let browser = |method, params| self.call("", method, &params).unwrap();
        let context = browser("Target.createBrowserContext", json!({}))["browserContextId"].take();
        let page = json!({ "url": "about:blank", "browserContextId": context });
        let target = browser("Target.createTarget", page)["targetId"].take();
        let attach = json!({ "targetId": target, "flatten": true });
        let session = browser("Target.attachToTarget", attach)["sessionId"].take();
        let session = session.as_str().unwrap().to_owned();
        let (to, events) = channel();
        self.listeners.lock().unwrap().sessions.insert(session.clone(), to);
        (Opened { session, context }, events)
    }

    /// Closes it.
    pub(crate) fn close(&self, page: &Opened) {
        let context = json!({ "browserContextId": page.context });
        // A page that a failed test leaves open is closed with the browser.
        let _ = self.call("", "Target.disposeBrowserContext", &context);
        self.listeners.lock().unwrap().sessions.remove(&page.session);
    }
}

/// How to reach a page.
#[derive(Debug)]
pub(crate) struct Opened {
    pub(crate) session: String,
    context: Json,
}

/// Hands on what the browser says until it ends.
fn listen(pipe: ChildStdout, listeners: &Mutex<Listeners>) {
    let mut pipe = BufReader::new(pipe);
    let mut bytes = Vec::new();
    while pipe.read_until(0, &mut bytes).is_ok_and(|len| len > 0) {
        bytes.pop();
        let Ok(message) = serde_json::from_slice::<Json>(&bytes) else { break };
        bytes.clear();
        let mut listeners = listeners.lock().unwrap();
        let listener = match message["id"].as_u64() {
            Some(id) => listeners.answers.remove(&id),
            None => {
                message["sessionId"].as_str().and_then(|name| listeners.sessions.get(name)).cloned()
            }
        };
        if let Some(listener) = listener {
            // It may have given up.
            let _ = listener.send(message);
        }
    }
    // Whoever waits learns that nothing comes.
    *listeners.lock().unwrap() = Listeners::default();
}

/// The last of what the browser logs, which is much and mostly about this machine.
fn end_of(mut log: ChildStderr) -> String {
    let mut kept = Vec::new();
    let mut piece = [0; 4096];
    while let Ok(len @ 1..) = log.read(&mut piece) {
        kept.extend_from_slice(&piece[..len]);
        kept.drain(..kept.len().saturating_sub(piece.len()));
    }
    String::from_utf8_lossy(&kept).into_owned()
}

fn program() -> Option<OsString> {
    if let Some(program) = std::env::var_os(BROWSER) {
        return Some(program);
    }
    let paths = std::env::var_os("PATH")?;
    let installed =
        |name: &&&str| std::env::split_paths(&paths).any(|path| path.join(name).is_file());
    NAMES.iter().find(installed).map(Into::into)
}
