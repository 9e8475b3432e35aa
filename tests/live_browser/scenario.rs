//! What is done in a page that a script drives, once with each script.

use std::thread;
use std::time::{Duration, Instant};

use super::child::Server;
use super::chromium::Chromium;
use super::page::Page;
use super::script::Script;

/// A page that shows what the server has sent it, and the server.
#[derive(Debug)]
pub(crate) struct Scenario {
    pub(crate) script: Script,
    pub(crate) server: Server,
    pub(crate) page: Page,
}

/// Goes through a scenario with every script at once, each with a server of its own. Whatever the
/// browser complains of and the scenario does not take is an error.
pub(crate) fn with_each_script(
    name: &str,
    arguments: &[&str],
    play: impl Fn(Scenario) -> Scenario + Sync,
) {
    let scripts = Script::all();
    if scripts.is_empty() {
        return;
    }
    let Some(chromium) = Chromium::shared() else { return };
    let play = &play;
    let one = |script: Script| {
        let arguments = arguments.iter().map(|&word| word.to_owned());
        let server = Server::start(script.arguments().into_iter().chain(arguments));
        let page = Page::at(chromium, &server.url());
        page.until("document.querySelector('#click') !== null");
        page.evaluate("window.sameDocument = true");
        let begun = Instant::now();
        let mut end = play(Scenario { script, server, page });
        let took = begun.elapsed();
        end.picture(name);
        assert_eq!(end.page.complaints(), [""; 0]);
        println!("{name}, {}: {took:.1?}", end.script.name);
    };
    thread::scope(|scope| {
        let threads: Vec<_> = scripts
            .into_iter()
            .map(|script| {
                let title = script.name.clone();
                (title, scope.spawn(|| one(script)))
            })
            .collect();
        let failed: Vec<String> = threads
            .into_iter()
            .filter_map(|(script, thread)| thread.join().is_err().then_some(script))
            .collect();
        assert_eq!(failed, [""; 0], "what went wrong is above");
    });
}

impl Scenario {
    /// Keeps a picture of the page, where somebody wants to look at it.
    pub(crate) fn picture(&self, name: &str) {
        self.page.picture(&format!("{name} {}", self.script.name));
    }

    pub(crate) fn click(&self) {
        self.page.click("#click");
    }

    /// Waits until the page shows this many clicks.
    pub(crate) fn until_count(&self, count: u32) {
        self.page.until_text("p[role=status]", &format!("Current count: {count}"));
    }

    /// Clicks, and waits until the page shows that this was click `count`.
    pub(crate) fn count_to(&self, count: u32) {
        self.click();
        self.until_count(count);
    }

    /// Waits for a page that was loaded again, and expects that it counts from nothing.
    pub(crate) fn begins_anew(&self) {
        self.page.until("document.querySelector('#click') !== null");
        self.until_count(0);
        self.count_to(1);
    }

    /// Expects that it still shows that many after a while.
    pub(crate) fn count_stays(&self, count: u32, for_ms: u64) {
        thread::sleep(Duration::from_millis(for_ms));
        assert_eq!(self.page.text("p[role=status]"), format!("Current count: {count}"));
    }

    /// Expects that the page was not loaded again.
    pub(crate) fn expect_same_document(&self) {
        assert_eq!(self.page.evaluate("window.sameDocument"), true, "the page was loaded again");
    }

    /// Waits until it was.
    pub(crate) fn until_new_document(&self) {
        self.page.until("window.sameDocument === undefined");
    }

    /// Takes the complaints that have a part of `expected` in them, and has no others.
    pub(crate) fn excuse(&mut self, expected: &[&str]) {
        let complaints = self.page.complaints();
        let unexpected = |said: &&String| !expected.iter().any(|&part| said.contains(part));
        let others: Vec<_> = complaints.iter().filter(unexpected).collect();
        assert!(others.is_empty(), "{others:#?}");
    }
}
