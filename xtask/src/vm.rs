//! `cargo xtask vm`: Debian's kernel and a small root file system on an emulated board, with ssh
//! on loopback. What deploys to a Pi is tested against it.
//!
//! The guest reaches nothing: QEMU lets one connection in and none out.

use std::fmt;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, bail};
use clap::ValueEnum;

use crate::process::{self, Background};
use crate::progress::say;
use crate::report::output;
use crate::setup::{self, Need};
use crate::ssh::{Destination, Options, Session};
use crate::workspace;

mod boot;
mod initramfs;
mod keys;
mod modules;

use boot::BootFiles;
use keys::{HOST_ALIAS, Keys};

/// What to boot.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(after_help = "\
Runs until it is powered off (poweroff, there) or ended here (Ctrl-C). What is in it is gone then.

Exit code: 0 powered off, 1 failed, 2 wrong usage.")]
pub(crate) struct Arguments {
    /// The machine to emulate.
    #[arg(long, value_enum, default_value = "virt")]
    machine: Machine,
    /// Count instructions exactly, on one core: what --on vm measures with. Only with virt.
    #[arg(long)]
    counted: bool,
    /// Show the console as well.
    #[arg(long)]
    console: bool,
}

/// A machine that QEMU emulates, with Linux on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Machine {
    /// QEMU's own board with four Cortex-A53: quick.
    Virt,
    /// A Raspberry Pi 3B with the device tree of a Zero 2 W: as near as QEMU comes.
    #[value(name = "raspi3b")]
    Raspi3b,
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Virt => "virt",
            Self::Raspi3b => "raspi3b",
        })
    }
}

impl Machine {
    /// The flavour of Debian's kernel.
    fn kernel(self) -> &'static str {
        match self {
            Self::Virt => setup::USUAL_KERNEL,
            Self::Raspi3b => "arm64",
        }
    }

    /// The kernel's modules between it and a network.
    fn modules(self) -> &'static [&'static str] {
        match self {
            Self::Virt => &["virtio_mmio", "virtio_net", "virtio_rng"],
            Self::Raspi3b => &["phy_generic", "dwc2", "cdc_ether", "rndis_host"],
        }
    }

    fn device_tree(self) -> Option<&'static str> {
        match self {
            Self::Virt => None,
            Self::Raspi3b => Some("bcm2837-rpi-zero-2-w.dtb"),
        }
    }

    /// How long it may take until ssh answers; both are ready in a tenth of it on an idle machine.
    fn patience(self) -> Duration {
        match self {
            Self::Virt => Duration::from_secs(120),
            Self::Raspi3b => Duration::from_secs(400),
        }
    }

    /// The emulator, with ssh of the guest on a port of loopback.
    fn command(self, files: &BootFiles, port: u16, counted: bool) -> Command {
        let mut command = Command::new("qemu-system-aarch64");
        command.args(["-M", &self.to_string(), "-display", "none", "-monitor", "none"]);
        command.arg("-no-reboot").arg("-kernel").arg(&files.kernel);
        command.arg("-initrd").arg(&files.initramfs);
        // A guest that panics ends the emulator.
        let line = match self {
            Self::Virt => {
                command.args(["-cpu", "cortex-a53", "-m", "512"]);
                command.args(["-smp", if counted { "1" } else { "4" }]);
                command.args(["-device", "virtio-net-device,netdev=net"]);
                command.args(["-device", "virtio-rng-device"]);
                "console=ttyAMA0 quiet panic=-1"
            }
            Self::Raspi3b => {
                command.args(["-usb", "-device", "usb-net,netdev=net"]);
                // The first serial line is the one that the firmware gives to Bluetooth.
                command.args(["-serial", "null"]);
                "console=ttyS1,115200 quiet panic=-1 dwc_otg.fiq_enable=0"
            }
        };
        if let Some(tree) = &files.device_tree {
            command.arg("-dtb").arg(tree);
        }
        if counted {
            command.args(["-icount", "shift=0"]);
        }
        let forward = format!("user,id=net,restrict=on,hostfwd=tcp:127.0.0.1:{port}-:22");
        command.args(["-append", line, "-netdev", &forward, "-serial", "file:/dev/stdout"]);
        command.stdin(Stdio::null());
        command
    }
}

/// The words of the guest's console that mean that ssh answers.
const READY: &str = "onewrite: ready";
/// The words before what made it give up.
const FAILED: &str = "onewrite: failed: ";

/// An emulated Linux that has booted; it ends with this value.
#[derive(Debug)]
pub(crate) struct Vm {
    child: Background,
    destination: Destination,
    options: Options,
    session: Session,
    /// How long it took until ssh answered.
    pub(crate) took: Duration,
}

impl Vm {
    /// Sets up what is missing, boots, and waits until ssh answers.
    pub(crate) fn boot(machine: Machine, counted: bool, yes: bool) -> Result<Self> {
        if counted && machine != Machine::Virt {
            bail!("only virt counts: QEMU counts the four cores of {machine} together");
        }
        setup::ensure(&[Need::SystemEmulator, Need::SshClient], yes)?;
        let keys = Keys::in_folder(&workspace::cache_folder()?.join("linux-vm/keys"))?;
        let files = BootFiles::of(machine, &keys, yes)?;
        say(format_args!("booting Linux on an emulated {machine}"));
        let start = Instant::now();
        // Between finding a free port and taking it somebody else may take it.
        for _ in 0..5 {
            let port = TcpListener::bind(("127.0.0.1", 0))?.local_addr()?.port();
            let mut command = machine.command(&files, port, counted);
            let mut child = Background::start(&mut command)?;
            match wait(&mut child, machine.patience())? {
                Outcome::Ready => {
                    let destination: Destination = format!("root@127.0.0.1:{port}").parse()?;
                    let options = options(&keys);
                    let session = Session::with_client(client(), destination.clone(), &options);
                    let took = start.elapsed();
                    return Ok(Self { child, destination, options, session, took });
                }
                Outcome::PortTaken => {}
                Outcome::Failed(reason) => {
                    let line = process::show(&command);
                    let console = child.stdout();
                    let console = String::from_utf8_lossy(&console);
                    bail!("{reason}\n{line}\n--- console\n{console}---");
                }
            }
        }
        bail!("no port of loopback stays free long enough for an emulator to take it")
    }

    /// The way to it.
    pub(crate) fn session(&self) -> &Session {
        &self.session
    }

    /// A configuration of ssh that knows the machine by a short name; the latest of its kind.
    fn write_configuration(&self, machine: Machine) -> Result<PathBuf> {
        let folder = workspace::target_folder().join("linux-vm");
        fs::create_dir_all(&folder)?;
        let file = folder.join(format!("ssh-{machine}.conf"));
        fs::write(&file, configuration(&self.destination, &self.options))
            .with_context(|| format!("cannot write {}", file.display()))?;
        Ok(file)
    }

    /// The same with one option of ssh that is another one.
    pub(crate) fn session_with(&self, name: &str, value: &str) -> Session {
        let mut options = self.options.clone();
        let is_it = |option: &String| option.split_once('=').is_some_and(|(key, _)| key == name);
        options.ssh_options.retain(|option| !is_it(option));
        options.ssh_options.push(format!("{name}={value}"));
        Session::with_client(client(), self.destination.clone(), &options)
    }

    /// The same with another client, of which these are the first words.
    pub(crate) fn session_through(&self, client: Vec<String>) -> Session {
        Session::with_client(client, self.destination.clone(), &self.options)
    }
}

enum Outcome {
    Ready,
    PortTaken,
    Failed(String),
}

fn wait(child: &mut Background, patience: Duration) -> Result<Outcome> {
    let start = Instant::now();
    loop {
        let console = child.stdout();
        if contains(&console, READY) {
            return Ok(Outcome::Ready);
        }
        if let Some(what) = failure(&console) {
            return Ok(Outcome::Failed(format!("the guest could not start: {what}")));
        }
        if let Some(status) = child.finished()? {
            let complaint = child.stderr();
            if contains(&complaint, "Could not set up host forwarding") {
                return Ok(Outcome::PortTaken);
            }
            let complaint = String::from_utf8_lossy(&complaint);
            let ended = process::ended(status);
            return Ok(Outcome::Failed(format!("the emulator ended with {ended}: {complaint}")));
        }
        if start.elapsed() > patience {
            let seconds = patience.as_secs();
            return Ok(Outcome::Failed(format!("the guest was not ready after {seconds} s")));
        }
        thread::sleep(Duration::from_millis(20));
    }
}

/// What the guest says that failed, once the line is whole.
fn failure(console: &[u8]) -> Option<String> {
    let console = String::from_utf8_lossy(console);
    let (line, _) = console.split_once(FAILED)?.1.split_once('\n')?;
    Some(line.trim_end().to_owned())
}

fn contains(text: &[u8], words: &str) -> bool {
    text.windows(words.len()).any(|window| window == words.as_bytes())
}

/// What of the user's own configuration would be in the way is left aside: this machine is known
/// by its own key, and by nothing else.
fn client() -> Vec<String> {
    ["ssh", "-F", "none"].map(str::to_owned).into()
}

fn options(keys: &Keys) -> Options {
    Options {
        ssh_options: vec![
            format!("IdentityFile={}", quoted(&keys.user)),
            "IdentitiesOnly=yes".to_owned(),
            format!("UserKnownHostsFile={}", quoted(&keys.known_hosts)),
            format!("HostKeyAlias={HOST_ALIAS}"),
            "StrictHostKeyChecking=yes".to_owned(),
            // An emulator on a busy machine answers late.
            "ConnectTimeout=60".to_owned(),
        ],
    }
}

/// The same options in the form of `ssh_config(5)`.
fn configuration(destination: &Destination, options: &Options) -> String {
    let mut text = format!("Host {HOST_ALIAS}\n");
    for (name, value) in [
        ("HostName", Some(destination.host().to_owned())),
        ("Port", destination.port().map(|port| port.to_string())),
        ("User", destination.user().map(str::to_owned)),
    ] {
        if let Some(value) = value {
            text.push_str(&format!("  {name} {value}\n"));
        }
    }
    for option in &options.ssh_options {
        if let Some((name, value)) = option.split_once('=') {
            text.push_str(&format!("  {name} {value}\n"));
        }
    }
    text
}

/// A path as ssh's options take it: in quotes, and without a meaning for per cent signs.
fn quoted(path: &Path) -> String {
    format!("\"{}\"", path.display().to_string().replace('%', "%%"))
}

/// The command itself.
pub(crate) fn command(arguments: Arguments, yes: bool) -> Result<()> {
    let Arguments { machine, counted, console } = arguments;
    let mut vm = Vm::boot(machine, counted, yes)?;
    say(format_args!("ready after {:.1} s; Ctrl-C ends it", vm.took.as_secs_f64()));
    let file = vm.write_configuration(machine)?;
    let file = process::quote(workspace::short(&file).as_ref());
    output::print(&format!(
        "log in:  ssh -F {file} {HOST_ALIAS}\n\
         deploy:  ONEWRITE_SSH=\"ssh -F {file}\" cargo xtask deploy {HOST_ALIAS}\n"
    ))?;
    let mut shown = 0;
    let status = loop {
        if console {
            let new = vm.child.stdout_after(shown);
            shown += new.len();
            eprint!("{}", String::from_utf8_lossy(&new));
        }
        if let Some(status) = vm.child.finished()? {
            break status;
        }
        thread::sleep(Duration::from_millis(100));
    };
    if !status.success() {
        bail!("the emulator ended with {}", process::ended(status));
    }
    say("powered off");
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn one_port_of_loopback_is_open_and_nothing_else() {
        let files =
            BootFiles { kernel: "k".into(), initramfs: "i".into(), device_tree: Some("t".into()) };
        for machine in [Machine::Virt, Machine::Raspi3b] {
            let line = process::show(&machine.command(&files, 4022, false));
            assert!(line.contains("restrict=on,hostfwd=tcp:127.0.0.1:4022-:22"), "{line}");
            assert!(!line.contains("icount"));
        }
        let counted = process::show(&Machine::Virt.command(&files, 1, true));
        assert!(counted.contains("-icount shift=0") && counted.contains("-smp 1"));
    }

    #[test]
    fn a_guest_that_gives_up_says_why() {
        let said = |console: &str| failure(console.as_bytes());
        let line =
            "[    1.2] x\r\nonewrite: failed: insmod /modules/a.ko\r\n[    2.3] Power down\n";
        assert_eq!(said(line).as_deref(), Some("insmod /modules/a.ko"));
        assert_eq!(said("onewrite: failed: insmod /mod"), None);
        assert_eq!(said("onewrite: ready on eth0\n"), None);
    }

    /// Every step of the guest's first process is one that may fail, and is watched.
    #[test]
    fn a_guest_without_its_server_is_not_ready() {
        let script = include_str!("vm/init.sh");
        let (must, rest) = script.split_once("must() {").unwrap();
        assert!(must.contains(FAILED));
        let (_, steps) = rest.split_once("\n").unwrap();
        for program in ["busybox --install", "mount", "mkdir", "ln", "insmod", "ip", "dropbear"] {
            for line in steps.lines().map(str::trim) {
                assert!(!line.starts_with(program), "not watched: {line}");
            }
            assert!(steps.contains(program), "{program}");
        }
        // The last step fails: nothing says that it is ready.
        let stub = script
            .replace("/bin/busybox --install -s /bin", "true")
            .replace("/bin/busybox sleep 1", ":")
            .replace("/bin/busybox poweroff -f", "exit 0")
            .replace("/bin/busybox ", "")
            .replace("export PATH", "#")
            .replace("</modules/order", "</dev/null")
            .replace("/sys/class/net/$found", "/");
        let names = ["mount", "mkdir", "ln", "ip"].map(|name| format!("{name}() {{ :; }}\n"));
        for (status, wanted) in [(1, FAILED), (0, READY)] {
            let dropbear = format!("dropbear() {{ return {status}; }}\ninit() {{ :; }}\n");
            let stub = stub.replace("exec init", "init");
            let script = format!("{}{dropbear}{stub}", names.concat());
            let output = Command::new("sh").args(["-c", &script]).output().unwrap();
            let said = String::from_utf8(output.stdout).unwrap();
            assert!(said.starts_with(wanted) && said.lines().count() == 1, "{status}: {said}");
        }
    }

    #[test]
    fn the_configuration_says_what_the_options_say() {
        let destination = "root@127.0.0.1:4022".parse().unwrap();
        let options = Options { ssh_options: vec!["IdentityFile=\"/a b\"".into()] };
        assert_eq!(
            configuration(&destination, &options),
            "Host onewrite-vm\n  HostName 127.0.0.1\n  Port 4022\n  User root\n  \
             IdentityFile \"/a b\"\n"
        );
    }

    #[test]
    fn a_path_with_a_space_or_a_per_cent_sign_stays_one() {
        assert_eq!(quoted(Path::new("/a b/100%")), "\"/a b/100%%\"");
    }
}
