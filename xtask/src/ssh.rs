//! Plain ssh to a board: where it is, how a command gets there unharmed, and why it did not.
//!
//! Only the client is used, no scp and no sftp: a small board has neither. It is the user's own
//! client with the user's own configuration, keys and known hosts.

use std::fmt;
use std::io::Write as _;
use std::process::{Command, ExitStatus, Stdio};
use std::str::FromStr;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};

use crate::process::Background;

mod trouble;

pub(crate) use trouble::Trouble;

/// `[USER@]HOST[:PORT]`; an IPv6 address with a port stands in brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Destination {
    user: Option<String>,
    host: String,
    port: Option<u16>,
}

impl Destination {
    pub(crate) fn user(&self) -> Option<&str> {
        self.user.as_deref()
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    pub(crate) fn port(&self) -> Option<u16> {
        self.port
    }
}

impl FromStr for Destination {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        let (user, rest) = match text.rsplit_once('@') {
            Some((user, rest)) => (Some(user), rest),
            None => (None, text),
        };
        let (host, port) = host_and_port(rest)?;
        // ssh takes what begins with a dash as an option, and passes the host on to a shell where
        // the user's configuration has a ProxyCommand.
        let plain = |word: &str, more: &str| {
            let allowed = |c: char| c.is_ascii_alphanumeric() || more.contains(c);
            !word.is_empty() && !word.starts_with('-') && word.chars().all(allowed)
        };
        if !plain(host, "-_.:%") {
            bail!("{host:?} is no host name or address; wanted is USER@HOST or USER@HOST:PORT");
        }
        if user.is_some_and(|user| !plain(user, "-_.+@\\")) {
            bail!("{:?} is no user name; wanted is USER@HOST", user.unwrap_or_default());
        }
        Ok(Self { user: user.map(str::to_owned), host: host.to_owned(), port })
    }
}

/// Splits `HOST`, `HOST:PORT`, `ADDRESS` of IPv6 and `[ADDRESS]:PORT`.
fn host_and_port(text: &str) -> Result<(&str, Option<u16>)> {
    let port = |text: &str| {
        let port = text.parse().ok().filter(|&port: &u16| port != 0);
        port.with_context(|| format!("{text:?} is no port"))
    };
    if let Some(rest) = text.strip_prefix('[') {
        let (host, rest) = rest.split_once(']').context("an address in brackets needs a ]")?;
        return match rest.strip_prefix(':') {
            Some(text) => Ok((host, Some(port(text)?))),
            None if rest.is_empty() => Ok((host, None)),
            None => bail!("{rest:?} follows the address; a port would be :PORT"),
        };
    }
    match text.split_once(':') {
        // More than one colon: an IPv6 address.
        Some((host, text)) if !text.contains(':') => Ok((host, Some(port(text)?))),
        _ => Ok((text, None)),
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(user) = &self.user {
            write!(f, "{user}@")?;
        }
        match self.port {
            Some(port) if self.host.contains(':') => write!(f, "[{}]:{port}", self.host),
            Some(port) => write!(f, "{}:{port}", self.host),
            None => f.write_str(&self.host),
        }
    }
}

/// What the user has to say to ssh.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Options {
    /// An option for ssh, as after its -o; may be repeated.
    #[arg(long = "ssh-option", value_name = "NAME=VALUE")]
    pub(crate) ssh_options: Vec<String>,
}

/// A way to one board.
#[derive(Clone, Debug)]
pub(crate) struct Session {
    destination: Destination,
    /// The client and its arguments, up to the destination.
    client: Vec<String>,
}

/// What came back from a command that ran on the board to its end.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: ExitStatus,
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: String,
}

impl Session {
    pub(crate) fn new(destination: Destination, options: &Options) -> Result<Self> {
        let own = std::env::var("ONEWRITE_SSH").ok().filter(|words| !words.trim().is_empty());
        let words = own.as_deref().unwrap_or("ssh");
        let client = shlex::split(words)
            .with_context(|| format!("ONEWRITE_SSH: a quote is not closed in {words:?}"))?;
        Ok(Self::with_client(client, destination, options))
    }

    /// The same with a client of our own choice.
    pub(crate) fn with_client(
        mut client: Vec<String>,
        destination: Destination,
        options: &Options,
    ) -> Self {
        // Of an option that is given twice ssh takes the first.
        let users = options.ssh_options.iter().map(String::as_str);
        for option in users.chain(OPTIONS) {
            client.extend(["-o".to_owned(), option.to_owned()]);
        }
        if let Some(port) = destination.port {
            client.extend(["-p".to_owned(), port.to_string()]);
        }
        // No terminal there.
        client.push("-T".to_owned());
        Self { destination, client }
    }

    pub(crate) fn destination(&self) -> &Destination {
        &self.destination
    }

    /// Runs a script of ours on the board, with `input` on its standard input.
    ///
    /// `watch` is called often with the two outputs so far. Ends with [`Trouble`] where ssh failed
    /// rather than the script; `limit` is for the whole call.
    pub(crate) fn run(
        &self,
        script: &str,
        arguments: &[&str],
        input: Option<Vec<u8>>,
        limit: Duration,
        watch: &mut dyn FnMut(&Background),
    ) -> Result<Answer> {
        let mut command = self.client();
        command.arg(remote_command(script, arguments)?);
        // Its messages are read by a program here.
        command.env("LC_ALL", "C");
        command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
        let start = Instant::now();
        let mut child = Background::start(&mut command)?;
        if let (Some(input), Some(mut pipe)) = (input, child.stdin()) {
            // What could not be written is seen in what comes back.
            thread::spawn(move || pipe.write_all(&input));
        }
        let status = loop {
            watch(&child);
            if let Some(status) = child.finished()? {
                break status;
            }
            if start.elapsed() >= limit {
                child.end()?;
                bail!(Trouble::TimedOut { to: self.destination.to_string(), limit });
            }
            thread::sleep(PAUSE);
        };
        watch(&child);
        let (stdout, stderr) = (child.stdout(), child.stderr());
        let stderr = String::from_utf8_lossy(&stderr).into_owned();
        // ssh says 255 for what failed at its own end; none of our scripts ends with that.
        if status.code().is_none_or(|code| code == 255) {
            let began = !stdout.is_empty() || stderr.lines().any(|line| line.starts_with(BEGUN));
            bail!(Trouble::of(&self.destination.to_string(), status, &stderr, began));
        }
        Ok(Answer { status, stdout, stderr })
    }

    /// The client up to the destination.
    fn client(&self) -> Command {
        let mut words = self.client.iter();
        let mut command = Command::new(words.next().map_or("ssh", String::as_str));
        command.args(words);
        let Destination { user, host, .. } = &self.destination;
        match user {
            Some(user) => command.arg(format!("{user}@{host}")),
            None => command.arg(host),
        };
        command
    }
}

/// Ours, where the user says nothing else: never ask, never wait for ever.
const OPTIONS: [&str; 5] = [
    "BatchMode=yes",
    "ConnectTimeout=10",
    "ServerAliveInterval=5",
    "ServerAliveCountMax=3",
    "LogLevel=ERROR",
];

const PAUSE: Duration = Duration::from_millis(10);

/// How lines begin that our scripts write to standard error for us.
pub(crate) const MARK: &str = "onewrite-";
/// The first of them.
const BEGUN: &str = "onewrite-begun ";

/// The one string that makes the shell at the other end run `script` with these arguments.
///
/// ssh joins its arguments with spaces and gives them to the login shell: whatever is not quoted
/// here is taken apart and expanded there.
pub(crate) fn remote_command(script: &str, arguments: &[&str]) -> Result<String> {
    let mut command = format!("exec sh -c {} onewrite", quote(script)?);
    for argument in arguments {
        command.push(' ');
        command.push_str(&quote(argument)?);
    }
    Ok(command)
}

/// A word as a shell takes it without a change.
fn quote(word: &str) -> Result<String> {
    if word.contains('\0') {
        bail!("{word:?} holds a NUL, which no command line can carry");
    }
    // Nothing is special between single quotes, a line break included.
    Ok(format!("'{}'", word.replace('\'', r"'\''")))
}

#[cfg(all(test, unix))]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::process;

    #[test]
    fn a_destination_reads_back_as_it_is_shown() {
        for text in [
            "raspberrypi.local",
            "user@10.0.0.9",
            "pi@raspberrypi.local:2222",
            "pi@[fe80::1%eth0]:22",
            "pi@fe80::1",
            "2001:db8::7",
        ] {
            assert_eq!(text.parse::<Destination>().unwrap().to_string(), text);
        }
        let bracketed: Destination = "pi@[::1]".parse().unwrap();
        assert_eq!(bracketed.to_string(), "pi@::1");
    }

    #[test]
    fn what_ssh_or_a_shell_could_misread_is_no_destination() {
        for text in [
            "",
            "pi@",
            "@host",
            "-oProxyCommand=x",
            "pi@-host",
            "-l@host",
            "pi@ho st",
            "pi@host;reboot",
            "pi@$(touch pwned)",
            "pi@host\n",
            "host:0",
            "host:65536",
            "host:",
            "[::1",
            "[::1]22",
            "host:ssh",
        ] {
            assert!(text.parse::<Destination>().is_err(), "{text:?}");
        }
    }

    /// Case deploy-01: what a shell makes of the command is exactly what was meant.
    #[test]
    fn a_shell_gives_back_every_argument_unharmed() {
        let arguments = [
            "bench run",
            "it's",
            "$(touch pwned)",
            "`touch pwned`",
            "-rf",
            "a;b",
            "ünï",
            "",
            " ",
            "*",
            "~",
            "$HOME",
            "\\",
            "\\\\'",
            "\"",
            "two\nlines\n",
            "tab\there",
            "!!",
            "#",
            "&",
            "|",
            "a=b",
            "-",
            "--",
            "{a,b}",
            "'",
            "''",
            "\u{1}",
            "%s",
        ];
        let script = r#"printf '%s\0' "$@""#;
        let line = remote_command(script, &arguments).unwrap();
        for shell in ["sh", "bash", "dash", "busybox"] {
            if process::find(shell).is_none() {
                continue;
            }
            let mut command = Command::new(shell);
            if shell == "busybox" {
                command.arg("sh");
            }
            // What sshd does with the login shell.
            let output = command.arg("-c").arg(&line).output().unwrap();
            let mut found: Vec<_> = output.stdout.split(|&byte| byte == 0).collect();
            assert_eq!(found.pop(), Some(&b""[..]), "{shell}");
            let wanted: Vec<_> = arguments.iter().map(|word| word.as_bytes()).collect();
            assert_eq!(found, wanted, "{shell}");
        }
        assert!(!std::path::Path::new("pwned").exists());
    }

    #[test]
    fn what_no_command_line_can_carry_is_refused() {
        assert!(remote_command("true", &["a\0b"]).unwrap_err().to_string().contains("NUL"));
    }

    #[test]
    fn the_users_options_come_first() {
        let options = Options { ssh_options: vec!["Port=7".into()] };
        let session = Session::new("pi@board:9".parse().unwrap(), &options).unwrap();
        let line = process::show(&session.client());
        let place = |word: &str| line.find(word).unwrap();
        assert!(place("Port=7") < place("BatchMode=yes") && place("-p 9") < place("pi@board"));
    }
}
