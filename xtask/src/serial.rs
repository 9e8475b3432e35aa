//! A serial line, opened so that every byte arrives as it was sent.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail};

pub(crate) mod damage;
#[cfg(target_os = "linux")]
pub(crate) mod pseudo;

/// The rate of the firmware's UART, with 8 data bits, no parity and 1 stop bit.
pub(crate) const BAUD: u32 = 115_200;

/// `uart:DEVICE`, as it is said on a command line.
pub(crate) fn place(text: &str) -> Result<PathBuf, String> {
    let device = text.strip_prefix("uart:").filter(|device| !device.is_empty());
    device.map(PathBuf::from).ok_or_else(|| "name it as uart:DEVICE, uart:/dev/ttyUSB0".to_owned())
}

/// What a read came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    /// As many bytes as this came.
    Bytes(usize),
    /// Nothing came in time.
    Silence,
    /// The line is gone: an adapter was unplugged.
    Gone,
}

/// An open line.
#[derive(Debug)]
pub(crate) struct Serial {
    device: PathBuf,
    #[cfg(unix)]
    file: std::fs::File,
}

#[cfg(unix)]
impl Serial {
    /// Opens and sets up a device; what it had received before is dropped.
    pub(crate) fn open(device: &Path) -> Result<Self> {
        use rustix::fs::{Mode, OFlags};
        let shown = device.display();
        // Not waiting for a carrier, and not becoming our terminal.
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::open(device, flags, Mode::empty())
            .map_err(|error| anyhow::Error::new(error).context(advice(device, error)))?;
        if !rustix::termios::isatty(&file) {
            bail!("{shown} is no serial line");
        }
        set_up(&file).with_context(|| format!("cannot set up {shown}"))?;
        Ok(Self { device: device.to_owned(), file: file.into() })
    }

    /// Where it is.
    pub(crate) fn device(&self) -> &Path {
        &self.device
    }

    /// Forgets what has come and was not read.
    pub(crate) fn drop_received(&self) -> Result<()> {
        use rustix::termios::{QueueSelector, tcflush};
        tcflush(&self.file, QueueSelector::IFlush).with_context(|| self.trouble())
    }

    /// Waits at most `patience` for bytes.
    pub(crate) fn read(&mut self, bytes: &mut [u8], patience: Duration) -> Result<Read> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        use std::io::{ErrorKind, Read as _};
        let timeout = Timespec::try_from(patience).context("no such time")?;
        let mut wait = [PollFd::new(&self.file, PollFlags::IN)];
        match poll(&mut wait, Some(&timeout)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => return Ok(Read::Silence),
            Ok(_) => {}
            Err(error) => return Err(error).with_context(|| self.trouble()),
        }
        match self.file.read(bytes) {
            Ok(0) => Ok(Read::Gone),
            Ok(count) => Ok(Read::Bytes(count)),
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                Ok(Read::Silence)
            }
            // What Linux says of an adapter that was pulled out, and of a closed pseudoterminal.
            Err(error) if matches!(error.raw_os_error(), Some(EIO | ENXIO | ENODEV)) => {
                Ok(Read::Gone)
            }
            Err(error) => Err(error).with_context(|| self.trouble()),
        }
    }

    fn trouble(&self) -> String {
        format!("cannot read {}", self.device.display())
    }
}

#[cfg(unix)]
impl Drop for Serial {
    fn drop(&mut self) {
        // For whoever opens it next; where it is gone there is nobody.
        let _ = rustix::termios::ioctl_tiocnxcl(&self.file);
    }
}

/// What to do about a device that does not open.
#[cfg(unix)]
fn advice(device: &Path, error: rustix::io::Errno) -> String {
    use rustix::io::Errno;
    let shown = device.display();
    match error {
        Errno::NOENT | Errno::NXIO | Errno::NODEV => match adapters().as_slice() {
            [] => format!("{shown} is not there, and no USB serial adapter is: plug it in"),
            found => format!(
                "{shown} is not there; of USB serial adapters there are {}",
                found.join(", ")
            ),
        },
        Errno::ACCESS | Errno::PERM => format!(
            "{shown} may not be opened: join the group that owns it, on Debian with \
             `sudo usermod -aG dialout $USER`, and log in again"
        ),
        Errno::BUSY => format!("{shown} is in use: end the other program, such as a terminal"),
        _ => format!("cannot open {shown}"),
    }
}

/// The names that Linux and macOS give USB serial adapters.
#[cfg(unix)]
fn adapters() -> Vec<String> {
    let entries = std::fs::read_dir("/dev").into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.path().display().to_string());
    let usual = ["/dev/ttyUSB", "/dev/ttyACM", "/dev/cu.usb"];
    let mut found: Vec<String> =
        names.filter(|name| usual.iter().any(|start| name.starts_with(start))).collect();
    found.sort();
    found
}

#[cfg(unix)]
const EIO: i32 = rustix::io::Errno::IO.raw_os_error();
#[cfg(unix)]
const ENXIO: i32 = rustix::io::Errno::NXIO.raw_os_error();
#[cfg(unix)]
const ENODEV: i32 = rustix::io::Errno::NODEV.raw_os_error();

/// Raw, 8N1, no flow control, and for nobody else.
#[cfg(unix)]
fn set_up(file: &impl std::os::fd::AsFd) -> Result<()> {
    use rustix::termios::{
        ControlModes, OptionalActions, QueueSelector, ioctl_tiocexcl, tcflush, tcgetattr, tcsetattr,
    };
    ioctl_tiocexcl(file)?;
    let mut settings = tcgetattr(file)?;
    // No byte means anything, none is changed, none is answered.
    settings.make_raw();
    settings.control_modes.remove(
        ControlModes::CSTOPB | ControlModes::PARENB | ControlModes::CRTSCTS | ControlModes::HUPCL,
    );
    // Without a modem there is no carrier to wait for.
    settings.control_modes.insert(ControlModes::CREAD | ControlModes::CLOCAL);
    settings.set_speed(BAUD)?;
    tcsetattr(file, OptionalActions::Now, &settings)?;
    tcflush(file, QueueSelector::IFlush)?;
    Ok(())
}

#[cfg(not(unix))]
impl Serial {
    /// Not here.
    pub(crate) fn open(device: &Path) -> Result<Self> {
        bail!("{}: serial lines are read on Unix systems only", device.display())
    }

    /// Where it is.
    pub(crate) fn device(&self) -> &Path {
        &self.device
    }

    /// Never called.
    pub(crate) fn drop_received(&self) -> Result<()> {
        bail!("{} is not open", self.device.display())
    }

    /// Never called.
    pub(crate) fn read(&mut self, _bytes: &mut [u8], _patience: Duration) -> Result<Read> {
        bail!("{} is not open", self.device.display())
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    #![allow(
        clippy::unwrap_used,
        clippy::panic,
        clippy::indexing_slicing,
        reason = "a test fails by panicking"
    )]

    use super::*;
    use std::io::Write as _;

    const SOON: Duration = Duration::from_secs(10);

    #[test]
    fn every_byte_arrives_as_it_was_sent() {
        // Case pi-03, our end of the line: nothing is cut, changed or answered.
        let (mut board, device) = pseudo::terminal().unwrap();
        let mut serial = Serial::open(&device).unwrap();
        let all: Vec<u8> =
            (0..=255).chain([0x0d, 0x0a, 0x11, 0x13, 0x03, 0x04, 0x7f, 0xff]).collect();
        board.write_all(&all).unwrap();
        let (mut found, mut bytes) = (Vec::<u8>::new(), [0; 64]);
        while found.len() < all.len() {
            match serial.read(&mut bytes, SOON).unwrap() {
                Read::Bytes(count) => found.extend(&bytes[..count]),
                other => panic!("{other:?} after {} bytes", found.len()),
            }
        }
        assert_eq!(found, all);
        // Nothing is sent back, by which a terminal would answer the board.
        assert_eq!(serial.read(&mut bytes, Duration::ZERO).unwrap(), Read::Silence);
    }

    #[test]
    fn what_came_before_is_dropped_and_a_closed_line_is_gone() {
        let (mut board, device) = pseudo::terminal().unwrap();
        board.write_all(b"old").unwrap();
        let mut serial = Serial::open(&device).unwrap();
        assert_eq!(serial.read(&mut [0; 8], Duration::ZERO).unwrap(), Read::Silence);
        drop(board);
        assert_eq!(serial.read(&mut [0; 8], SOON).unwrap(), Read::Gone);
    }

    #[test]
    fn a_line_that_does_not_open_says_what_to_do() {
        let error = |device: &str| format!("{:#}", Serial::open(Path::new(device)).unwrap_err());
        assert!(error("/dev/ttyUSB77").contains("is not there"), "{}", error("/dev/ttyUSB77"));
        assert!(error("/dev/null").contains("no serial line"), "{}", error("/dev/null"));
        assert!(advice(Path::new("d"), rustix::io::Errno::ACCESS).contains("dialout"));
        assert!(advice(Path::new("d"), rustix::io::Errno::BUSY).contains("in use"));
    }
}
