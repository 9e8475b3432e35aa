//! A driver that may do anything that the traits allow, and what polls it.

use core::future::Future;
use core::hint::black_box;
use core::pin::{Pin, pin};
use core::task::{Context, Poll, Waker};

use embedded_io_async::{ErrorKind, ErrorType};

/// Each call ends as `outcome` and [`black_box`] say, which is not for the compiler to know.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Driver {
    pub(crate) outcome: Result<usize, ErrorKind>,
    /// Whether each call has to wait first.
    pub(crate) pending: bool,
}

impl Driver {
    fn call(&self, len: usize) -> Result<usize, ErrorKind> {
        black_box(self.outcome.map(|most| most.min(len)))
    }

    fn wait<T: Copy>(&self, outcome: T) -> Outcome<T> {
        Outcome { outcome, pending: self.pending }
    }
}

/// An outcome that is there at the first or the second look, and stays.
#[derive(Debug)]
pub(crate) struct Outcome<T> {
    outcome: T,
    pending: bool,
}

impl<T: Copy + Unpin> Future for Outcome<T> {
    type Output = T;

    fn poll(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<T> {
        if black_box(self.pending) {
            self.pending = false;
            return Poll::Pending;
        }
        Poll::Ready(black_box(self.outcome))
    }
}

impl ErrorType for Driver {
    type Error = ErrorKind;
}

impl embedded_io_async::Write for Driver {
    fn write(&mut self, bytes: &[u8]) -> impl Future<Output = Result<usize, ErrorKind>> {
        self.wait(self.call(black_box(bytes).len()))
    }

    fn flush(&mut self) -> impl Future<Output = Result<(), ErrorKind>> {
        self.wait(self.call(0).map(|_| ()))
    }
}

impl embedded_io_async::Read for Driver {
    fn read(&mut self, room: &mut [u8]) -> impl Future<Output = Result<usize, ErrorKind>> {
        self.wait(self.call(black_box(room).len()))
    }
}

/// Polls until the future is there.
#[inline(always)]
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let mut context = Context::from_waker(Waker::noop());
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}

/// What a driver may do: take little or all, wait, fail, or never come to anything.
pub(crate) const DRIVERS: [Driver; 5] = [
    Driver { outcome: Ok(usize::MAX), pending: false },
    Driver { outcome: Ok(3), pending: true },
    Driver { outcome: Ok(0), pending: false },
    Driver { outcome: Err(ErrorKind::Interrupted), pending: false },
    Driver { outcome: Err(ErrorKind::Other), pending: true },
];
