//! Both stream drivers, on writers that take all they are offered, or a few bytes a call.

use core::convert::Infallible;

#[cfg(feature = "embedded-io-07")]
use onewrite::sink::embedded_io::StreamSink;
#[cfg(feature = "embedded-io-async-07")]
use onewrite::sink::embedded_io_async::StreamSink as AsyncStreamSink;

use super::{Batch, LARGE, Tools, same, start};

/// Keeps what it is given, at most `at_once` bytes a call.
struct Pieces {
    taken: Vec<u8>,
    at_once: usize,
}

impl Pieces {
    fn take(&mut self, bytes: &[u8]) -> usize {
        let len = bytes.len().min(self.at_once);
        self.taken.extend_from_slice(&bytes[..len]);
        len
    }
}

pub(crate) fn compare(batch: &Batch<'_>, bytes: &[u8], tools: &mut Tools) -> Result<(), String> {
    let few = if bytes.len() < LARGE { 7 } else { 4099 };
    for (at_once, scratches) in [(few, &[20, 256][..]), (usize::MAX, &[256])] {
        for &scratch in scratches {
            #[cfg(feature = "embedded-io-07")]
            {
                let what = format!("embedded_io, {at_once} bytes a call, scratch {scratch}");
                let writer = Pieces { taken: Vec::with_capacity(bytes.len()), at_once };
                let mut sink = StreamSink::new(writer);
                let written = sink.write_from(&mut start(batch, tools)?, &mut vec![0xa5; scratch]);
                if written != Ok(bytes.len()) {
                    return Err(format!("{what}: {written:?}"));
                }
                same(&what, &sink.into_writer().taken, bytes)?;

                let mut writer = Pieces { taken: Vec::with_capacity(bytes.len()), at_once };
                let behind: &mut dyn embedded_io::Write<Error = Infallible> = &mut writer;
                let mut sink = StreamSink::new(behind);
                let written = sink.write_from(&mut start(batch, tools)?, &mut vec![0xa5; scratch]);
                if written != Ok(bytes.len()) {
                    return Err(format!("dyn {what}: {written:?}"));
                }
                same(&format!("dyn {what}"), &writer.taken, bytes)?;
            }
            #[cfg(feature = "embedded-io-async-07")]
            {
                let what = format!("embedded_io_async, {at_once} bytes a call, scratch {scratch}");
                let writer = Pieces { taken: Vec::with_capacity(bytes.len()), at_once };
                let mut sink = AsyncStreamSink::new(writer);
                let mut producer = start(batch, tools)?;
                let mut scratch = vec![0xa5; scratch];
                let written = block_on(sink.write_from(&mut producer, &mut scratch));
                if written != Ok(bytes.len()) {
                    return Err(format!("{what}: {written:?}"));
                }
                same(&what, &sink.into_writer().taken, bytes)?;
            }
        }
    }
    Ok(())
}

#[cfg(any(feature = "embedded-io-07", feature = "embedded-io-async-07"))]
impl embedded_io::ErrorType for Pieces {
    type Error = Infallible;
}

#[cfg(feature = "embedded-io-07")]
impl embedded_io::Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Self::Error> {
        Ok(self.take(bytes))
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

#[cfg(feature = "embedded-io-async-07")]
impl embedded_io_async::Write for Pieces {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Self::Error> {
        YieldOnce(false).await;
        Ok(self.take(bytes))
    }

    async fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Pending once, so that every write of the driver is resumed.
#[cfg(feature = "embedded-io-async-07")]
struct YieldOnce(bool);

#[cfg(feature = "embedded-io-async-07")]
impl Future for YieldOnce {
    type Output = ();

    fn poll(
        mut self: core::pin::Pin<&mut Self>,
        _: &mut core::task::Context<'_>,
    ) -> core::task::Poll<()> {
        if self.0 {
            return core::task::Poll::Ready(());
        }
        self.0 = true;
        core::task::Poll::Pending
    }
}

#[cfg(feature = "embedded-io-async-07")]
fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = core::pin::pin!(future);
    let mut context = core::task::Context::from_waker(core::task::Waker::noop());
    loop {
        if let core::task::Poll::Ready(output) = future.as_mut().poll(&mut context) {
            return output;
        }
    }
}
