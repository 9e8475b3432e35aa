//! Numbers that nobody can foretell, from the system.

use std::fs::File;
use std::io::{self, Read as _};

use onewrite::circuit::secret::Random;

/// The generator of the kernel.
#[derive(Debug)]
pub(crate) struct System(File);

impl System {
    /// Opens it. Without it there is no server.
    pub(crate) fn open() -> io::Result<Self> {
        File::open("/dev/urandom").map(Self)
    }
}

impl Random for System {
    type Error = io::Error;

    fn fill(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.0.read_exact(bytes)
    }
}
