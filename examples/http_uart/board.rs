//! The board's side of the line: connections in frames.

use onewrite::http::{Conn, Fed, Next, Protocol};
use onewrite_boards::embedded_io::{ErrorKind, Read, Write};

use crate::link::{CHANNELS, HEAD, Head, Kind, PAYLOAD};
use crate::site::{ROUTES, Site};

/// A connection for small memories: four streams of HTTP/2 may be slow, and no header block has more
/// than a frame.
type SmallConn = Conn<4, 64>;

/// Everything the program has.
#[derive(Debug)]
pub(crate) struct Board {
    site: Site,
    channels: [Channel; CHANNELS],
    /// Of connections that are closed.
    requests: u64,
    /// A frame that comes in, and what goes out with the room for its head in front.
    frame: [u8; PAYLOAD],
    output: [u8; OUTPUT],
}

#[derive(Debug)]
struct Channel {
    conn: SmallConn,
    is_open: bool,
    /// What came and was not consumed.
    input: [u8; INPUT],
    filled: usize,
}

/// A line of a head, or a frame of header fields, may be this long.
const INPUT: usize = 1024;
/// A record that goes out whole is cut into frames of the line.
const OUTPUT: usize = 2048;

const _: () = assert!(ROUTES.min_output() <= OUTPUT, "a response does not fit the output");

/// A line, of which there are several: one function serves all of them.
pub(crate) trait Line: Read<Error = ErrorKind> + Write {}

impl<L: Read<Error = ErrorKind> + Write> Line for L {}

/// The line brings nothing more, or takes nothing more.
type Lost = ();

impl Board {
    pub(crate) const fn new() -> Self {
        Self {
            site: Site,
            channels: [const { Channel::new() }; CHANNELS],
            requests: 0,
            frame: [0; PAYLOAD],
            output: [0; OUTPUT],
        }
    }

    /// Requests that were answered.
    pub(crate) fn requests(&self) -> u64 {
        let open = self.channels.iter().map(|channel| channel.conn.counters().requests);
        self.requests + open.sum::<u64>()
    }

    /// Takes frames and answers them until it is told to end, or the line does.
    pub(crate) fn serve(&mut self, line: &mut dyn Line) -> Result<(), Lost> {
        loop {
            let Some(head) = self.receive(line)? else { return Ok(()) };
            match head.kind {
                Kind::Hello => (0..CHANNELS).for_each(|number| self.renew(number, false)),
                Kind::Open => self.renew(head.channel, true),
                Kind::Close => self.renew(head.channel, false),
                Kind::Data => self.answer(line, head)?,
                Kind::Quit | Kind::Ready => {}
            }
            send(line, &Head { kind: Kind::Ready, channel: 0, len: 0 }.to_bytes())?;
            line.flush().map_err(drop)?;
            if head.kind == Kind::Quit {
                return Ok(());
            }
        }
    }

    /// Receives a frame; `None` at the end of a line that has one.
    fn receive(&mut self, line: &mut dyn Line) -> Result<Option<Head>, Lost> {
        loop {
            let mut bytes = [0; HEAD];
            let [kind, rest @ ..] = &mut bytes;
            // What is no kind of frame fills the time between frames.
            while Kind::of(*kind).is_none() {
                match line.read(core::slice::from_mut(kind)) {
                    Ok(0) => return Ok(None),
                    Ok(_) => {}
                    Err(_) => return Err(()),
                }
            }
            read_exact(line, rest)?;
            // The bytes of a frame that nobody sends are skipped like those between frames.
            if let Some(head) = Head::from_bytes(bytes) {
                let payload = self.frame.get_mut(..head.len).ok_or(())?;
                read_exact(line, payload)?;
                return Ok(Some(head));
            }
        }
    }

    fn renew(&mut self, number: usize, is_open: bool) {
        if let Some(channel) = self.channels.get_mut(number) {
            self.requests += channel.conn.counters().requests;
            channel.conn = SmallConn::new(Protocol::Auto);
            channel.is_open = is_open;
            channel.filled = 0;
        }
    }

    /// Feeds a connection what came for it.
    fn answer(&mut self, line: &mut dyn Line, head: Head) -> Result<(), Lost> {
        let Self { site, channels, frame, output, .. } = self;
        let Some(channel) = channels.get_mut(head.channel).filter(|channel| channel.is_open) else {
            return Ok(());
        };
        let mut rest = frame.get(..head.len).unwrap_or_default();
        loop {
            rest = channel.take(rest);
            let input = channel.input.get(..channel.filled).unwrap_or_default();
            let fed = match channel.conn.feed_with(&ROUTES, site, input, output) {
                // All of it is there, and it is no whole line or frame.
                Fed { consumed: 0, written: 0, next: Next::Read } if input.len() == INPUT => {
                    channel.conn.overflow(output)
                }
                fed => fed,
            };
            for part in output.get(..fed.written).unwrap_or_default().chunks(PAYLOAD) {
                let head = Head { kind: Kind::Data, channel: head.channel, len: part.len() };
                send(line, &head.to_bytes())?;
                send(line, part)?;
            }
            channel.consume(fed.consumed);
            match fed.next {
                Next::Close | Next::Switch => {
                    channel.is_open = false;
                    let head = Head { kind: Kind::Close, channel: head.channel, len: 0 };
                    return send(line, &head.to_bytes());
                }
                Next::Read if rest.is_empty() => return Ok(()),
                Next::Read | Next::Flush { .. } => {}
            }
        }
    }
}

impl Channel {
    const fn new() -> Self {
        let conn = SmallConn::new(Protocol::Auto);
        Self { conn, is_open: false, input: [0; INPUT], filled: 0 }
    }

    /// Puts what there is room for behind what is there; returns the rest.
    fn take<'b>(&mut self, bytes: &'b [u8]) -> &'b [u8] {
        let room = self.input.get_mut(self.filled..).unwrap_or_default();
        let (now, rest) = bytes.split_at_checked(room.len()).unwrap_or((bytes, &[]));
        if let Some(place) = room.get_mut(..now.len()) {
            place.copy_from_slice(now);
        }
        self.filled += now.len();
        rest
    }

    fn consume(&mut self, count: usize) {
        if count != 0 && count <= self.filled {
            self.input.copy_within(count..self.filled, 0);
            self.filled -= count;
        }
    }
}

fn read_exact(line: &mut dyn Line, mut bytes: &mut [u8]) -> Result<(), Lost> {
    while !bytes.is_empty() {
        match line.read(bytes) {
            Ok(count @ 1..) => bytes = bytes.get_mut(count..).unwrap_or_default(),
            Ok(0) | Err(_) => return Err(()),
        }
    }
    Ok(())
}

fn send(line: &mut dyn Line, mut bytes: &[u8]) -> Result<(), Lost> {
    while !bytes.is_empty() {
        match line.write(bytes) {
            Ok(count @ 1..) => bytes = bytes.get(count..).unwrap_or_default(),
            Ok(0) | Err(_) => return Err(()),
        }
    }
    Ok(())
}
