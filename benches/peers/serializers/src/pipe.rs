//! A real pipe: each write is a call of the kernel.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _, pipe};

use embedded_io::{ErrorType, SliceWriteError, Write};

/// Both ends of a pipe that has room for everything between two times of draining it.
pub(crate) struct Pipe {
    writer: PipeWriter,
    reader: PipeReader,
    /// Bytes that are in it.
    filled: usize,
    buffer: Vec<u8>,
}

/// Bytes of a pipe: as many as Linux lets anybody have.
pub(crate) const ROOM: usize = 1 << 20;

impl Pipe {
    pub(crate) fn new() -> io::Result<Self> {
        let (reader, writer) = pipe()?;
        rustix::pipe::fcntl_setpipe_size(&writer, ROOM)?;
        Ok(Self { writer, reader, filled: 0, buffer: vec![0; ROOM] })
    }

    /// Takes out what was written, and returns it.
    pub(crate) fn drain(&mut self) -> &[u8] {
        let out = &mut self.buffer[..self.filled];
        self.reader.read_exact(out).expect("what was written can be read");
        self.filled = 0;
        out
    }
}

/// What stands behind every outlet fails in the same way; a pipe that breaks ends the run.
impl ErrorType for Pipe {
    type Error = SliceWriteError;
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, SliceWriteError> {
        let written = self.writer.write(bytes).expect("the pipe takes bytes");
        self.filled += written;
        Ok(written)
    }

    fn flush(&mut self) -> Result<(), SliceWriteError> {
        Ok(())
    }
}
