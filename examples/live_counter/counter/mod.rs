//! The pages: what they show, and what happens when somebody uses them.

mod machine;
mod page;
mod rows;

use onewrite::circuit::event::{Data, Event};
use onewrite::circuit::json::Text;
use onewrite::circuit::secret::{CircuitSecret, Random, Token};
use onewrite::circuit::ticket::Tickets;
use onewrite::circuit::{BatchSink, Closed, Handled, Handler};
use onewrite::page::{Draft, Event as On, Field, Page, UpdateError};

pub(crate) use self::machine::Machine;
use self::page::{CHECK, CLICK, RUN, TYPE};

/// Elements, attributes and texts of a page, most of them of its table.
pub(crate) const FRAMES: usize = 1_100;

/// Bytes of text that a page has beside its literals.
pub(crate) const TEXT: usize = 8_192;

/// Bytes of what is typed that are kept.
pub(crate) const TYPED: usize = 1_024;

/// Pages that were loaded and whose script has not asked for their content yet.
const TICKETS: usize = 256;

/// Milliseconds that a script may take for that; as ASP.NET Core.
const TICKET_LIFETIME: u64 = 300_000;

/// What all pages share.
pub(crate) struct Counter<R> {
    pub(crate) random: R,
    /// One for each page that was loaded.
    pub(crate) tickets: Tickets<TICKETS>,
    pub(crate) machine: Machine,
    draft: Box<Draft<FRAMES, TEXT>>,
    /// Milliseconds, as of the last tick.
    now: u64,
}

/// One page.
pub(crate) struct View {
    page: Page<FRAMES, TEXT>,
    pub(crate) state: State,
    /// Something may look otherwise than it does in the browser.
    changed: bool,
}

/// What a page shows of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) count: u64,
    pub(crate) typed: String,
    pub(crate) checked: bool,
    pub(crate) running: bool,
    /// How often the table has changed.
    pub(crate) ticks: u64,
}

impl<R: Random> Counter<R> {
    pub(crate) fn new(random: R) -> Self {
        Self {
            random,
            tickets: Tickets::new(TICKET_LIFETIME),
            machine: Machine::new(),
            draft: Box::new(Draft::new()),
            now: 0,
        }
    }

    /// The time, which tickets need; milliseconds of a clock that only goes forward.
    pub(crate) const fn set_now(&mut self, now: u64) {
        self.now = now;
    }

    /// A ticket for a page that is asked for.
    pub(crate) fn issue(&mut self, now: u64) -> Result<Token, R::Error> {
        self.tickets.issue(&mut self.random, now)
    }
}

impl View {
    /// Changes the table, where it runs; whether it does.
    pub(crate) const fn tick(&mut self) -> bool {
        if self.state.running {
            self.state.ticks = self.state.ticks.wrapping_add(1);
            self.changed = true;
        }
        self.state.running
    }

    /// Lets the page be looked at again.
    pub(crate) const fn touch(&mut self) {
        self.changed = true;
    }
}

impl<R: Random> Handler for Counter<R> {
    type Page = View;

    fn secret(&mut self) -> Option<CircuitSecret> {
        CircuitSecret::random(&mut self.random).ok()
    }

    fn open(&mut self, _base_uri: &str, _uri: &str) -> Option<View> {
        Some(View { page: Page::new(0), state: State::default(), changed: true })
    }

    /// There is one marker in the page, and so one component.
    fn root(&mut self, _page: &mut View, component: i32, descriptor: Text<'_>) -> bool {
        let plain = descriptor.plain().unwrap_or_default();
        component == 0 && self.tickets.redeem(plain, self.now)
    }

    fn event(&mut self, view: &mut View, event: &Event<'_>) -> Handled {
        let action = match view.page.event(event.handler) {
            On::Action(action) => action,
            On::Gone => return Handled::Gone,
            On::Unknown => return Handled::Unknown,
        };
        view.changed = true;
        let state = &mut view.state;
        match action {
            CLICK => state.count = state.count.saturating_add(1),
            RUN => state.running = !state.running,
            CHECK => {
                let Ok(Data::Checked(checked)) = event.data() else { return Handled::Unknown };
                state.checked = checked;
                view.page.field_changed(event.handler, Field::Checked(checked));
            }
            TYPE => {
                let mut room = [0; TYPED];
                let Ok(Data::Text(text)) = event.data() else { return Handled::Unknown };
                // What is too long is left as it is in the browser, and not echoed.
                let Ok(text) = text.unescape(&mut room) else { return Handled::Done };
                state.typed = text.to_owned();
                view.page.field_changed(event.handler, Field::Text(&state.typed));
            }
            _ => return Handled::Unknown,
        }
        Handled::Done
    }

    fn render(&mut self, view: &mut View, out: &mut dyn BatchSink) {
        if !view.changed {
            return;
        }
        let Self { draft, machine, .. } = self;
        let View { page, state, changed } = view;
        let rendered = page.update(
            draft,
            |content| page::content(content, state, machine),
            |batch| out.send(batch),
        );
        match rendered {
            // What was not sent is rendered again when there is room for it.
            Ok(_) => *changed = false,
            Err(UpdateError::Send(_)) => {}
            Err(UpdateError::Page(error)) => eprintln!("live_counter: {error}"),
        }
    }

    fn closed(&mut self, _view: View, _why: Closed) {}
}
