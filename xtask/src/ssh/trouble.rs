//! Why a connection failed, in words that say what to do.

use std::error::Error;
use std::fmt;
use std::process::ExitStatus;
use std::time::Duration;

use crate::process;

/// What went wrong between here and the board; nothing of it is the program's fault.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The board shows another host key than the one that is known for it.
    HostKeyChanged { to: String },
    /// Nobody has said yet that the board's host key is the right one.
    HostKeyUnknown { to: String },
    /// No key of ours is accepted, and a password is never asked for.
    KeyNeeded { to: String },
    /// There is a machine, and nothing listens there.
    Refused { to: String },
    /// The name stands for no address.
    NoSuchHost { to: String },
    /// No way there, or no answer.
    OutOfReach { to: String, said: String },
    /// The connection never came to the point where something ran.
    FailedBeforeStart { to: String, said: String },
    /// The connection broke while something ran.
    Lost { to: String, said: String },
    /// It was still going on after the time that was allowed.
    TimedOut { to: String, limit: Duration },
}

impl Trouble {
    /// Whether it is sure that nothing ran there.
    pub(crate) fn is_before_start(&self) -> bool {
        !matches!(self, Self::Lost { .. } | Self::TimedOut { .. })
    }

    /// From what ssh says, whose own failures have exit code 255.
    pub(super) fn of(to: &str, status: ExitStatus, stderr: &str, began: bool) -> Self {
        let to = to.to_owned();
        let says = |words: &[&str]| words.iter().any(|word| stderr.contains(word));
        if says(&["REMOTE HOST IDENTIFICATION HAS CHANGED"]) {
            return Self::HostKeyChanged { to };
        }
        let said = last_words(stderr, status);
        if began {
            return Self::Lost { to, said };
        }
        if says(&["Host key verification failed"]) {
            Self::HostKeyUnknown { to }
        } else if says(&["Permission denied", "Too many authentication failures"]) {
            Self::KeyNeeded { to }
        } else if says(&["Connection refused"]) {
            Self::Refused { to }
        } else if says(&["Could not resolve hostname"]) {
            Self::NoSuchHost { to }
        } else if says(&["timed out", "No route to host", "Network is unreachable", "Host is down"])
        {
            Self::OutOfReach { to, said }
        } else {
            Self::FailedBeforeStart { to, said }
        }
    }
}

/// The last line that ssh wrote, or how it ended.
fn last_words(stderr: &str, status: ExitStatus) -> String {
    let is_ours = |line: &&str| !line.trim().is_empty() && !line.starts_with(super::MARK);
    match stderr.lines().rfind(is_ours) {
        Some(line) => line.trim().to_owned(),
        None => format!("ssh ended with {}", process::ended(status)),
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::HostKeyChanged { to } => write!(
                f,
                "{to}: the host key has changed. Only if the board was set up anew: \
                 ssh-keygen -R HOST, then log in once by hand and compare the key"
            ),
            Self::HostKeyUnknown { to } => write!(
                f,
                "{to}: the host key is not known yet: log in once by hand, compare the key and \
                 accept it"
            ),
            Self::KeyNeeded { to } => write!(
                f,
                "{to}: no key of yours is accepted there, and no password is asked for: \
                 ssh-copy-id brings your key to the board, --ssh-option IdentityFile=FILE chooses \
                 another one"
            ),
            Self::Refused { to } => write!(
                f,
                "{to}: connection refused: no ssh server listens there (on a Pi: raspi-config, \
                 Interface Options, SSH), or the port is another one (USER@HOST:PORT)"
            ),
            Self::NoSuchHost { to } => write!(
                f,
                "{to}: no such host: names with .local need mDNS here and there; the address of \
                 the board works without"
            ),
            Self::OutOfReach { to, said } => write!(f, "{to}: out of reach: {said}"),
            Self::FailedBeforeStart { to, said } => {
                write!(f, "{to}: the connection failed before anything ran there: {said}")
            }
            Self::Lost { to, said } => write!(f, "{to}: the connection was lost: {said}"),
            Self::TimedOut { to, limit } => {
                write!(f, "{to}: not done after {} s, given up", limit.as_secs_f64())
            }
        }
    }
}

impl Error for Trouble {}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    fn text(stderr: &str, began: bool) -> String {
        Trouble::of("pi@board", ExitStatus::from_raw(255 << 8), stderr, began).to_string()
    }

    /// Case deploy-03, as far as ssh itself has the last word. The texts are those of OpenSSH 9.2.
    #[test]
    fn each_trouble_is_named() {
        for (stderr, wanted) in [
            (
                "@@@\n@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key for board has \
                 changed and you have requested strict checking.\nHost key verification failed.\n",
                "host key has changed",
            ),
            (
                "No ED25519 host key is known for onewrite-vm and you have requested strict \
                 checking.\nHost key verification failed.\n",
                "host key is not known",
            ),
            ("pi@board: Permission denied (publickey,password).\n", "no password is asked for"),
            ("ssh: connect to host board port 22: Connection refused\n", "refused"),
            ("ssh: Could not resolve hostname board: Name or service not known\n", "no such host"),
            ("ssh: connect to host board port 22: Connection timed out\n", "out of reach"),
            ("ssh: connect to host board port 22: No route to host\n", "out of reach"),
            (
                "kex_exchange_identification: read: Connection reset by peer\n",
                "before anything ran",
            ),
            ("", "before anything ran there: ssh ended with exit code 255"),
        ] {
            assert!(text(stderr, false).contains(wanted), "{}", text(stderr, false));
        }
    }

    #[test]
    fn a_connection_that_worked_was_lost() {
        let said = text("onewrite-begun 1\nclient_loop: send disconnect: Broken pipe\n", true);
        assert_eq!(
            said,
            "pi@board: the connection was lost: client_loop: send disconnect: Broken pipe"
        );
        let ended = Trouble::of("b", ExitStatus::from_raw(9), "onewrite-begun 1\n", true);
        assert!(ended.to_string().contains("signal: 9"), "{ended}");
    }
}
