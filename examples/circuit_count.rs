//! Answers one click in a page a given number of times, to be counted from outside:
//! `cargo xtask count circuit_count`.
//!
//! ```text
//! circuit_count                                       checks everything once and says so
//! circuit_count --list                                a line `WORKLOAD SHAPE bytes=N records=N` each
//! circuit_count --count                               the same, with instructions where the machine counts
//! circuit_count --workload W --shape S --reps N       does it N times and prints nothing
//! ```
//!
//! The workload is a click on the button of a counter, from the frame that a browser sends to those that it
//! gets, and its acknowledgement of the batch in them, in a frame of its own. A shape is who makes the batch,
//! and whether it is kept until it is acknowledged. A record is a click.
#![cfg_attr(target_os = "none", no_std, no_main)]

#[path = "count/task.rs"]
mod task;

use core::hint::black_box;

use onewrite::circuit::event::Event;
use onewrite::circuit::hub::{Call, FromClient, HANDSHAKE, Message};
use onewrite::circuit::json::Text;
use onewrite::circuit::origin::Origin;
use onewrite::circuit::secret::{CircuitSecret, Random};
use onewrite::circuit::{
    BatchSink, BatchStore, CIRCUIT_LEN, Connection, Handled, Handler, Next, NoStore, Options,
    Server, Slot, Store,
};
use onewrite::page::{self, Content, Draft, Page};
use onewrite::render_batch::{Batch, Diff, Edit, Frame, Name, Value};
use onewrite::sink::{Sink as _, SliceSink};
use onewrite::string_table::StringTable;
use onewrite::websocket::{Client, Data, Sender};
use onewrite_boards::{Console, Failure, entry};

use crate::task::{Task, task};

const WORKLOAD: &str = "counter-click";

/// What a browser sends with a click: chromium, `blazor.server.js` of .NET 10.
const CLICK: &str = r#"[{"eventHandlerId":1,"eventName":"click","eventFieldInfo":null},{"detail":1,"screenX":85,"screenY":239,"clientX":75,"clientY":142,"offsetX":42,"offsetY":14,"pageX":75,"pageY":142,"movementX":0,"movementY":0,"button":0,"buttons":0,"ctrlKey":false,"shiftKey":false,"altKey":false,"metaKey":false,"type":"click"}]"#;

const KEY: [u8; 4] = [0x37, 0xfa, 0x21, 0x3d];

/// Who makes the batch.
#[derive(Clone, Copy)]
enum Shape {
    /// The handler, frame by frame.
    ByHand,
    /// The same, and it is kept.
    Kept,
    /// The comparison of two renderings.
    Page,
}

const SHAPES: [(Shape, &str); 3] =
    [(Shape::ByHand, "by_hand"), (Shape::Kept, "kept"), (Shape::Page, "page")];

const WRONG: Failure = Failure::new("the answer is another one", 1);

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    match task()? {
        Task::Check => {
            for (shape, name) in SHAPES {
                repeat(shape, 3)?;
                writeln!(console, "{WORKLOAD} {name}: answered")?;
            }
            // How many exactly depends on the machine.
            writeln!(console, "a circuit takes at most 4096 bytes: {}", CIRCUIT_LEN <= 4096)?;
            Ok(())
        }
        Task::List(list) => {
            for (shape, name) in SHAPES {
                let repeat = |reps| repeat(shape, reps);
                list.line(console, [WORKLOAD, name], [CLICK.len(), 1], repeat)?;
            }
            Ok(())
        }
        Task::Repeat { workload, shape, reps } => {
            let no_such = Failure::new("no such workload and shape: --list shows them", 2);
            let shape = SHAPES.iter().find(|(_, name)| shape == *name);
            match (workload == WORKLOAD, shape) {
                (true, Some((shape, _))) => repeat(*shape, reps),
                _ => Err(no_such),
            }
        }
    }
}

fn repeat(shape: Shape, reps: u32) -> Result<(), Failure> {
    match shape {
        Shape::ByHand => on(ByHand, &mut [Slot::<_, NoStore>::new()], reps),
        Shape::Kept => on(ByHand, &mut [Slot::<_, BatchStore<10, 4096>>::new()], reps),
        Shape::Page => {
            let handler = Compared { draft: Draft::new() };
            on(handler, &mut [Slot::<_, NoStore>::new()], reps)
        }
    }
}

fn on<H: Handler, St: Store>(
    handler: H,
    slots: &mut [Slot<H::Page, St>],
    reps: u32,
) -> Result<(), Failure> {
    let origin = Origin::new("http://pi.local").ok_or(WRONG)?;
    let mut server = Server::new(handler, slots, StringTable::<64>::new(), Options::DEFAULT);
    let mut conn = Connection::<2048>::new(origin);
    let mut browser = Sender::<Client>::new();
    let mut room = [0xa5; 2048];

    let start = Call::StartCircuit {
        base_uri: "http://pi.local/",
        uri: "http://pi.local/",
        components: r#"[{"type":"server","sequence":0,"descriptor":"D"}]"#,
        state: Some(""),
    };
    let mut frames = [0; 512];
    let mut sink = SliceSink::new(&mut frames);
    browser.message(Data::Text(HANDSHAKE), KEY, &mut sink).map_err(|_| WRONG)?;
    send(&mut browser, &Message::Invocation { id: Some("0"), call: start }, &mut sink)?;
    let mut out = SliceSink::new(&mut room);
    let mut input = sink.into_written();
    if conn.feed(&mut server, &mut input, &mut out) != Ok(Next::Read) {
        return Err(WRONG);
    }

    let click = Call::BeginInvokeDotNetFromJs {
        call: Some("1"),
        assembly: None,
        method: "DispatchEventAsync",
        object: 1,
        arguments: CLICK,
    };
    // Of a number that takes five bytes, which are overwritten.
    let acknowledged = Call::OnRenderCompleted { batch: u32::MAX.into(), error: None };
    let (mut clicks, mut acknowledgements) = ([0; 512], [0; 64]);
    let mut sink = SliceSink::new(&mut clicks);
    send(&mut browser, &Message::Invocation { id: None, call: click }, &mut sink)?;
    let click = sink.into_written();
    let mut sink = SliceSink::new(&mut acknowledgements);
    send(&mut browser, &Message::Invocation { id: None, call: acknowledged }, &mut sink)?;
    let acknowledgement = sink.into_written();

    // Nothing of this is known behind here, so that little but the connection is counted.
    let (click, acknowledgement, room) = black_box((click, acknowledgement, &mut room[..]));
    let mut input = [0; 512];
    for number in 3..reps.saturating_add(3) {
        let mut out = SliceSink::new(room);
        let next = feed(&mut conn, &mut server, click, &mut input, &mut out)?;
        if (next, out.written()) != (Next::Read, EndLen::of(number)) {
            return Err(WRONG);
        }
        // In front of the nil at the end.
        let at = acknowledgement.len().checked_sub(5).ok_or(WRONG)?;
        let place = acknowledgement.get_mut(at..).and_then(|rest| rest.first_chunk_mut());
        *place.ok_or(WRONG)? = masked(number.to_be_bytes(), at);
        let mut out = SliceSink::new(room);
        if feed(&mut conn, &mut server, acknowledgement, &mut input, &mut out)? != Next::Read {
            return Err(WRONG);
        }
    }
    if server.counters().events != reps.into() || server.counters().batches != u64::from(reps) + 1 {
        return Err(WRONG);
    }
    Ok(())
}

/// Bytes of what a click is answered with.
struct EndLen;

impl EndLen {
    /// With that batch: the length of the answer and of the batch, whose count is two less.
    const fn of(number: u32) -> usize {
        let digits = (number - 2).checked_ilog10();
        let digits = match digits {
            Some(log) => log as usize + 1,
            None => 1,
        };
        // Headers of 2 and 4 bytes, the end of the call, what is around a batch, and the batch.
        2 + 34 + 4 + 36 + 121 + digits
    }
}

fn send(
    browser: &mut Sender<Client>,
    message: &FromClient<'_>,
    sink: &mut SliceSink<'_>,
) -> Result<(), Failure> {
    let mut payload = [0; 480];
    let mut to = SliceSink::new(&mut payload);
    message.encode(&mut to).map_err(|_| WRONG)?;
    browser.message(Data::Binary(to.into_written()), KEY, sink).map_err(|_| WRONG)
}

/// `bytes` as they stand at byte `at` of a frame with a header of 6 bytes.
fn masked(bytes: [u8; 4], at: usize) -> [u8; 4] {
    let mut place = at.wrapping_sub(6);
    bytes.map(|byte| {
        let key = KEY.get(place & 3).copied().unwrap_or_default();
        place = place.wrapping_add(1);
        byte ^ key
    })
}

/// A frame comes in; it is overwritten, so it is copied before.
fn feed<H: Handler, St: Store>(
    conn: &mut Connection<'_, 2048>,
    server: &mut Server<'_, H, St, StringTable<64>>,
    frame: &[u8],
    input: &mut [u8],
    out: &mut SliceSink<'_>,
) -> Result<Next, Failure> {
    let mut sink = SliceSink::new(input);
    sink.write(frame).map_err(|_| WRONG)?;
    let mut input = sink.into_written();
    conn.feed(server, &mut input, out).map_err(|_| WRONG)
}

/// Numbers that are not random: nobody is let in here.
struct Numbers;

impl Random for Numbers {
    type Error = ();

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), ()> {
        bytes.fill(0x5a);
        Ok(())
    }
}

/// A counter whose edits the handler makes.
struct ByHand;

struct Counter {
    count: u32,
    shown: Option<u32>,
}

const FRAMES: [Frame<'_>; 10] = [
    Frame::element("h1", 2),
    Frame::text("Counter"),
    Frame::element("p", 4),
    Frame::attribute("role", Value::Str("status")),
    Frame::text("Current count: "),
    Frame::text("0"),
    Frame::element("button", 4),
    Frame::attribute("class", Value::Str("btn btn-primary")),
    Frame::attribute_named(Name::new("onclick"), Value::Null, 1),
    Frame::text("Click me"),
];

impl Handler for ByHand {
    type Page = Counter;

    fn secret(&mut self) -> Option<CircuitSecret> {
        CircuitSecret::random(&mut Numbers).ok()
    }

    fn open(&mut self, _base_uri: &str, _uri: &str) -> Option<Counter> {
        Some(Counter { count: 0, shown: None })
    }

    fn root(&mut self, _page: &mut Counter, _component: i32, descriptor: Text<'_>) -> bool {
        descriptor == "D"
    }

    fn event(&mut self, page: &mut Counter, event: &Event<'_>) -> Handled {
        if event.handler != 1 {
            return Handled::Unknown;
        }
        page.count = page.count.wrapping_add(1);
        Handled::Done
    }

    fn render(&mut self, page: &mut Counter, out: &mut dyn BatchSink) {
        if page.shown == Some(page.count) {
            return;
        }
        let sent = if page.shown.is_none() {
            let edits = [(0, 0), (1, 2), (2, 6)].map(|(at, frame)| Edit::prepend_frame(at, frame));
            let diffs = [Diff { component: 0, edits: &edits }];
            out.send(&Batch { diffs: &diffs, frames: &FRAMES, ..Batch::default() })
        } else {
            let mut digits = [0; 10];
            let frames = [Frame::text(decimal(page.count, &mut digits))];
            let edits = [Edit::step_in(1), Edit::update_text(1, 0), Edit::step_out()];
            let diffs = [Diff { component: 0, edits: &edits }];
            out.send(&Batch { diffs: &diffs, frames: &frames, ..Batch::default() })
        };
        if sent.is_ok() {
            page.shown = Some(page.count);
        }
    }
}

/// A counter that is a function, whose edits come from comparing two renderings.
struct Compared {
    draft: Draft<32, 128>,
}

struct Component {
    count: u32,
    page: Page<32, 128>,
}

const INCREMENT: u32 = 1;

fn counter(page: &mut Content<'_>, count: u32) {
    page.element("h1").text("Counter");
    page.element("p").attribute("role", "status").content(|p| {
        p.text("Current count: ");
        p.text(count);
    });
    page.element("button")
        .attribute("class", "btn btn-primary")
        .on("onclick", INCREMENT)
        .text("Click me");
}

impl Handler for Compared {
    type Page = Component;

    fn secret(&mut self) -> Option<CircuitSecret> {
        CircuitSecret::random(&mut Numbers).ok()
    }

    fn open(&mut self, _base_uri: &str, _uri: &str) -> Option<Component> {
        Some(Component { count: 0, page: Page::new(0) })
    }

    fn root(&mut self, _page: &mut Component, _component: i32, descriptor: Text<'_>) -> bool {
        descriptor == "D"
    }

    fn event(&mut self, page: &mut Component, event: &Event<'_>) -> Handled {
        match page.page.event(event.handler) {
            page::Event::Action(INCREMENT) => {
                page.count = page.count.wrapping_add(1);
                Handled::Done
            }
            page::Event::Gone => Handled::Gone,
            _ => Handled::Unknown,
        }
    }

    fn render(&mut self, page: &mut Component, out: &mut dyn BatchSink) {
        let count = page.count;
        // What is not sent is asked for again.
        page.page.update(&mut self.draft, |p| counter(p, count), |batch| out.send(batch)).ok();
    }
}

fn decimal(mut value: u32, digits: &mut [u8; 10]) -> &str {
    let mut start = digits.len();
    for digit in digits.iter_mut().rev() {
        *digit = b'0' | (value % 10).to_le_bytes()[0];
        value /= 10;
        start -= 1;
        if value == 0 {
            break;
        }
    }
    core::str::from_utf8(digits.get(start..).unwrap_or_default()).unwrap_or_default()
}
