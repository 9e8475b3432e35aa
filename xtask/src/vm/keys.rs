//! The two key pairs of the emulated Linux: its own, and ours to get in.
//!
//! They are made once, on this machine, for machines that only this machine can reach.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use base64ct::{Base64, Encoding as _};

use crate::{process, setup};

/// Where the keys are, and what the other side has to know of them.
#[derive(Clone, Debug)]
pub(crate) struct Keys {
    /// Our private key.
    pub(crate) user: PathBuf,
    /// The line of `authorized_keys` for it.
    pub(crate) authorized: String,
    /// A file of known hosts with the machine's key, under [`HOST_ALIAS`].
    pub(crate) known_hosts: PathBuf,
    /// The machine's private key as dropbear reads it.
    pub(crate) host: Vec<u8>,
}

/// The name that the machine's key is known by, whichever port it is reached on.
pub(crate) const HOST_ALIAS: &str = "onewrite-vm";

impl Keys {
    /// Those in `folder`, made if they are missing.
    pub(crate) fn in_folder(folder: &Path) -> Result<Self> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot create {}", folder.display()))?;
        restrict(folder)?;
        let (user, host) = (folder.join("user"), folder.join("host"));
        let is_missing = |key: &Path| !key.is_file() || !key.with_extension("pub").is_file();
        if is_missing(&user) || is_missing(&host) {
            // Two at a time would leave the halves of two pairs.
            let _lock = setup::lock_in(folder)?;
            for key in [&user, &host] {
                // Somebody else may have made it while we waited.
                if is_missing(key) {
                    generate(key)?;
                }
            }
        }
        let public = |key: &Path| fs::read_to_string(key.with_extension("pub"));
        let authorized = public(&user)?;
        let known_hosts = folder.join("known_hosts");
        let line = format!("{HOST_ALIAS} {}", public(&host)?);
        if fs::read_to_string(&known_hosts).ok().as_ref() != Some(&line) {
            // Whole at any time: another machine may be booting with it.
            let mut new = tempfile::NamedTempFile::new_in(folder)?;
            new.write_all(line.as_bytes())?;
            new.persist(&known_hosts)
                .with_context(|| format!("cannot write {}", known_hosts.display()))?;
        }
        let private = fs::read_to_string(&host)?;
        let host = dropbear_key(&private).with_context(|| host.display().to_string())?;
        Ok(Self { user, authorized, known_hosts, host })
    }
}

/// Makes a pair; the private half gets its name last.
fn generate(key: &Path) -> Result<()> {
    let folder = tempfile::tempdir_in(key.parent().context("no folder")?)?;
    let new = folder.path().join("key");
    let mut command = Command::new("ssh-keygen");
    command.args(["-q", "-t", "ed25519", "-N", "", "-C", "onewrite-vm", "-f"]).arg(&new);
    process::capture(&mut command)?;
    fs::rename(new.with_extension("pub"), key.with_extension("pub"))?;
    fs::rename(new, key)?;
    Ok(())
}

#[cfg(unix)]
fn restrict(folder: &Path) -> Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    Ok(fs::set_permissions(folder, fs::Permissions::from_mode(0o700))?)
}

#[cfg(not(unix))]
fn restrict(_folder: &Path) -> Result<()> {
    Ok(())
}

/// Turns an Ed25519 key as OpenSSH keeps it (PROTOCOL.key in its sources) into dropbear's form
/// (`buf_put_ed25519_priv_key` in its ed25519.c): the name of the kind, then both halves.
fn dropbear_key(pem: &str) -> Result<Vec<u8>> {
    let body: String = pem.lines().filter(|line| !line.starts_with("-----")).collect();
    let bytes = Base64::decode_vec(&body).ok().context("the key is no base64")?;
    let rest = bytes.strip_prefix(b"openssh-key-v1\0").context("no key of OpenSSH")?;
    let mut reader = Strings(rest);
    if reader.next()? != b"none" {
        bail!("the key has a passphrase");
    }
    // Name and options of a derivation that is not used, one key, its public half.
    for _ in 0..2 {
        reader.next()?;
    }
    reader.word()?;
    reader.next()?;
    let mut private = Strings(reader.next()?);
    for _ in 0..2 {
        private.word()?;
    }
    let kind = private.next()?;
    if kind != KIND {
        bail!("no Ed25519 key");
    }
    private.next()?;
    // The secret half with the public one behind it.
    let halves = private.next()?;
    let mut key = Vec::new();
    for string in [KIND, halves] {
        let length = u32::try_from(string.len()).context("a key that is too long")?;
        key.extend(length.to_be_bytes());
        key.extend(string);
    }
    Ok(key)
}

const KIND: &[u8] = b"ssh-ed25519";

/// Strings with their length before them (RFC 4251, section 5).
struct Strings<'a>(&'a [u8]);

impl<'a> Strings<'a> {
    fn word(&mut self) -> Result<u32> {
        let (word, rest) = self.0.split_first_chunk().context("the key is cut short")?;
        self.0 = rest;
        Ok(u32::from_be_bytes(*word))
    }

    fn next(&mut self) -> Result<&'a [u8]> {
        let length = self.word()? as usize;
        let (string, rest) = self.0.split_at_checked(length).context("the key is cut short")?;
        self.0 = rest;
        Ok(string)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_key_of_openssh_becomes_one_of_dropbears() {
        if process::find("ssh-keygen").is_none() {
            eprintln!("skipped: no ssh-keygen here");
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let keys = Keys::in_folder(folder.path()).unwrap();
        let (kind, halves) = keys.host.split_at(4 + KIND.len());
        assert_eq!(kind, [&[0, 0, 0, 11], KIND].concat());
        // The public half stands in the other file as well.
        let public = fs::read_to_string(folder.path().join("host.pub")).unwrap();
        let public = Base64::decode_vec(public.split(' ').nth(1).unwrap()).unwrap();
        assert_eq!(halves.len(), 4 + 64);
        assert_eq!(halves.get(36..), public.get(public.len() - 32..));
        // A second call finds the same.
        assert_eq!(Keys::in_folder(folder.path()).unwrap().host, keys.host);
    }

    #[test]
    fn first_runs_at_the_same_time_find_the_same_pairs() {
        if process::find("ssh-keygen").is_none() {
            eprintln!("skipped: no ssh-keygen here");
            return;
        }
        for _ in 0..3 {
            let folder = tempfile::tempdir().unwrap();
            let start = std::sync::Barrier::new(8);
            let hosts: Vec<_> = std::thread::scope(|scope| {
                let run = || {
                    start.wait();
                    Keys::in_folder(folder.path()).unwrap().host
                };
                let runs: Vec<_> = (0..8).map(|_| scope.spawn(run)).collect();
                runs.into_iter().map(|run| run.join().unwrap()).collect()
            });
            assert!(hosts.iter().all(|host| Some(host) == hosts.first()));
            for name in ["user", "host"] {
                let key = folder.path().join(name);
                let mut command = Command::new("ssh-keygen");
                let public = process::capture(command.args(["-y", "-f"]).arg(&key)).unwrap();
                let kept = fs::read_to_string(key.with_extension("pub")).unwrap();
                let body =
                    |line: &str| line.split(' ').nth(1).map(str::trim_end).map(str::to_owned);
                assert_eq!(body(&kept), body(&public), "{name}");
            }
        }
    }

    #[test]
    fn what_is_no_key_is_refused() {
        for text in ["", "-----BEGIN X-----\nAAAA\n-----END X-----\n", "%%%"] {
            assert!(dropbear_key(text).is_err());
        }
    }
}
