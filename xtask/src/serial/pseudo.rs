//! Both ends of a pseudoterminal, for tests: what a cable and an adapter are otherwise.

use std::fs::File;
use std::path::PathBuf;

use anyhow::Result;
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// The board's end, and the name of ours.
pub(crate) fn terminal() -> Result<(File, PathBuf)> {
    let board = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&board)?;
    unlockpt(&board)?;
    let name = ptsname(&board, Vec::new())?.into_string()?;
    Ok((board.into(), name.into()))
}
