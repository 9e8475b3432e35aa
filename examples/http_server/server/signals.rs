//! How the server is told to stop.

/// A descriptor that becomes readable when SIGINT or SIGTERM comes.
#[cfg(unix)]
#[derive(Debug)]
pub(crate) struct Signals(mio::net::UnixStream);

#[cfg(unix)]
impl Signals {
    pub(crate) fn new() -> std::io::Result<Self> {
        let (from, to) = std::os::unix::net::UnixStream::pair()?;
        from.set_nonblocking(true)?;
        for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM] {
            signal_hook::low_level::pipe::register(signal, to.try_clone()?)?;
        }
        Ok(Self(mio::net::UnixStream::from_std(from)))
    }

    pub(crate) fn register(
        &mut self,
        registry: &mio::Registry,
        token: mio::Token,
    ) -> std::io::Result<()> {
        registry.register(&mut self.0, token, mio::Interest::READABLE)
    }

    /// How many came since the last call.
    pub(crate) fn count(&mut self) -> usize {
        use std::io::Read as _;
        self.0.read(&mut [0; 16]).unwrap_or(0)
    }
}

/// Where there are no such signals, the process is ended by other means.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) struct Signals;

#[cfg(not(unix))]
impl Signals {
    pub(crate) fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    pub(crate) fn register(&mut self, _: &mio::Registry, _: mio::Token) -> std::io::Result<()> {
        Ok(())
    }

    pub(crate) fn count(&mut self) -> usize {
        0
    }
}
