//! A connection over a blocking driver.

use ::embedded_io::{ErrorKind, Read, Write};

use super::{Buffers, Call, Conn, End, Exchange, Handler, Routes, ServeError, Speaks};

/// Serves a connection until it ends.
///
/// Reads what the client sends, answers from `routes` and `handler`, and returns when the client or
/// the connection ends it. A call that is interrupted is made again. The driver is flushed before it
/// is read, so it may collect what is written.
///
/// `conn` is a new one for each connection, and tells afterwards what happened
/// ([`Conn::counters`]). It blocks as the driver does: without a driver that gives up, a client that
/// says nothing is waited for for ever.
///
/// # Errors
///
/// `Io` with the driver's own error, `Stalled` and `Miscounted` for a driver that does not keep to
/// its contract, `OutputTooShort` for a buffer that is. The connection is lost.
pub fn serve<T, H, P, const STREAMS: usize, const BLOCK: usize, const MEMO: usize>(
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
                let outcome = io.write(bytes);
                let again = interrupted(&outcome);
                exchange.wrote(outcome, again)?;
            }
            Call::Flush => {
                let outcome = io.flush();
                let again = interrupted(&outcome);
                exchange.flushed(outcome, again)?;
            }
            Call::Read(room) => {
                let outcome = io.read(room);
                let again = interrupted(&outcome);
                exchange.read(outcome, again, room.len())?;
            }
            Call::None(end) => return Ok(end),
        }
    }
}

fn interrupted<T, E: ::embedded_io::Error>(outcome: &Result<T, E>) -> bool {
    matches!(outcome, Err(error) if error.kind() == ErrorKind::Interrupted)
}
