//! A connection over an asynchronous driver.

use ::embedded_io_async::{ErrorKind, Read, Write};

use super::{Buffers, Call, Conn, End, Exchange, Handler, Routes, ServeError, Speaks};

/// Serves a connection until it ends.
///
/// The twin of `http::serve::embedded_io::serve`: the same calls, the same errors, the same bytes.
/// Only the calls to the driver are awaited.
///
/// A future that is dropped has left the connection at any byte: close it, and take a new
/// [`Conn`]. So a time limit for the whole connection is one around this future.
///
/// Nothing here panics; but into every `async fn` the compiler puts one panic of its own, for a
/// future that is polled again after it has completed.
///
/// # Errors
///
/// `Io` with the driver's own error, `Stalled` and `Miscounted` for a driver that does not keep to
/// its contract, `OutputTooShort` for a buffer that is. The connection is lost.
pub async fn serve<T, H, P, const STREAMS: usize, const BLOCK: usize, const MEMO: usize>(
    io: &mut T,
    conn: &mut Conn<STREAMS, BLOCK, MEMO, P>,
    routes: &Routes<'_>,
    handler: &mut H,
    mut buffers: Buffers<'_>,
) -> Result<End, ServeError<T::Error>>
where
    T: Read + Write + ?Sized,
    H: Handler + ?Sized,
    P: Speaks,
{
    let mut exchange = Exchange::new();
    loop {
        match exchange.next(conn, routes, handler, &mut buffers)? {
            Call::Write(bytes) => {
                let outcome = io.write(bytes).await;
                let again = interrupted(&outcome);
                exchange.wrote(outcome, again)?;
            }
            Call::Flush => {
                let outcome = io.flush().await;
                let again = interrupted(&outcome);
                exchange.flushed(outcome, again)?;
            }
            Call::Read(room) => {
                let outcome = io.read(room).await;
                let again = interrupted(&outcome);
                exchange.read(outcome, again, room.len())?;
            }
            Call::None(end) => return Ok(end),
        }
    }
}

fn interrupted<T, E: ::embedded_io_async::Error>(outcome: &Result<T, E>) -> bool {
    matches!(outcome, Err(error) if error.kind() == ErrorKind::Interrupted)
}
