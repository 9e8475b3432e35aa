//! A driver that may do anything that the traits allow.

use core::hint::black_box;

use embedded_io::ErrorKind;

/// Each call ends as `outcome` and [`black_box`] say, which is not for the compiler to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driver {
    pub(crate) outcome: Result<usize, ErrorKind>,
}

impl Driver {
    fn call(&self, len: usize) -> Result<usize, ErrorKind> {
        black_box(self.outcome.map(|most| most.min(len)))
    }
}

impl embedded_io::ErrorType for Driver {
    type Error = ErrorKind;
}

impl embedded_io::Write for Driver {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, ErrorKind> {
        self.call(black_box(bytes).len())
    }

    fn flush(&mut self) -> Result<(), ErrorKind> {
        self.call(0).map(|_| ())
    }
}

impl embedded_io::Read for Driver {
    fn read(&mut self, room: &mut [u8]) -> Result<usize, ErrorKind> {
        self.call(black_box(room).len())
    }
}

/// What a driver may do: take little or all, fail, or never come to anything.
pub(crate) const DRIVERS: [Driver; 5] = [
    Driver { outcome: Ok(usize::MAX) },
    Driver { outcome: Ok(3) },
    Driver { outcome: Ok(0) },
    Driver { outcome: Err(ErrorKind::Interrupted) },
    Driver { outcome: Err(ErrorKind::Other) },
];
