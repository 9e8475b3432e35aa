//! The example's page in a real browser, driven by Blazor's own script (`docs/live.md`).
//!
//! The script is a file that `$ONEWRITE_BLAZOR_SCRIPT` names; several stand as in a search path. Without
//! one the page around it is tested, without Chromium nothing.
#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test may panic"
)]
#![allow(clippy::std_instead_of_core, clippy::std_instead_of_alloc, reason = "a test has std")]

#[path = "live_browser/child.rs"]
mod child;
#[path = "live_browser/chromium.rs"]
mod chromium;
#[path = "live_browser/clicking.rs"]
mod clicking;
#[path = "../examples/live_counter/counter/mod.rs"]
mod counter;
#[path = "live_browser/page.rs"]
mod page;
#[path = "live_browser/scenario.rs"]
mod scenario;
#[path = "live_browser/script.rs"]
mod script;
#[path = "../examples/live_counter/server/mod.rs"]
mod server;
#[path = "live_browser/uses.rs"]
mod uses;

use std::time::Duration;

use child::Server;
use chromium::Chromium;
use page::Page;

/// Longer than anything should take, also on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(30);

/// What a new process of this program runs to be the server.
#[test]
fn the_server_itself() {
    child::be_the_server(server::run);
}

/// What the tests lean on: clicks and keys are those of a person, and nothing that goes wrong in a
/// page is missed.
#[test]
fn a_page_is_used_and_complains() {
    let Some(chromium) = Chromium::shared() else { return };
    let page = "<body style='height:3000px'><p></p><input><button style='margin-top:2000px'>";
    let mut page = Page::at(chromium, &format!("data:text/html,{page}"));
    assert_eq!(page.complaints(), [""; 0]);
    page.evaluate(
        "document.querySelector('button').onclick = event => { \
         document.querySelector('p').textContent = `${event.isTrusted} ${event.detail}`; }",
    );
    page.click("button");
    page.until_text("p", "true 1");
    page.click("input");
    page.type_text("5 \u{b0}C <b>");
    assert_eq!(page.evaluate("document.querySelector('input').value"), "5 \u{b0}C <b>");
    page.evaluate("console.log('fine'); console.error('first', 2); 0");
    page.evaluate("setTimeout(() => { throw new Error('second'); }); 0");
    page.until("new Promise(done => setTimeout(() => done(true), 10))");
    let complaints = page.complaints();
    assert_eq!(complaints.len(), 2, "{complaints:?}");
    assert_eq!(complaints[0], "console: first 2");
    assert!(complaints[1].starts_with("Error: second"), "{complaints:?}");
    assert_eq!(page.complaints(), [""; 0]);
}

/// The page with a script of ours in the place of Blazor's.
fn page_without_blazor() -> Option<(Server, Page)> {
    let chromium = Chromium::shared()?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/live_browser/stand_in.js");
    let server = Server::start(["--script", script, "--kind", "web"]);
    let page = Page::at(chromium, &server.url());
    Some((server, page))
}

#[test]
fn the_page_is_whole_before_the_script_runs() {
    let Some((server, mut page)) = page_without_blazor() else { return };
    assert_eq!(page.complaints(), [""; 0]);
    assert_eq!(page.evaluate("document.documentElement.dataset.script"), "ran");
    assert_eq!(page.evaluate("document.baseURI"), server.url());
    // Both bars are there and not to be seen.
    for bar in ["blazor-error-ui", "components-reconnect-modal"] {
        let bar = format!("getComputedStyle(document.getElementById('{bar}')).display");
        assert_eq!(page.evaluate(&bar), "none");
    }
    let marker = page.evaluate(MARKER);
    assert_eq!((&marker["type"], &marker["sequence"]), (&"server".into(), &0.into()));
    // A page is let in with it once, so it is another one each time.
    let descriptor = marker["descriptor"].as_str().unwrap();
    assert!(descriptor.len() >= 32, "{descriptor}");
    page.reload();
    assert_ne!(page.evaluate(MARKER)["descriptor"], descriptor);
    assert_eq!(page.complaints(), [""; 0]);
}

/// What is in the page's comment.
const MARKER: &str = "(() => {
    const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
    while (comments.nextNode()) {
        const found = /^Blazor:(.*)$/.exec(comments.currentNode.data);
        if (found) return JSON.parse(found[1]);
    }
})()";

#[test]
fn the_page_lets_in_no_script_of_somebody_elses() {
    let Some((_server, mut page)) = page_without_blazor() else { return };
    let policy = "fetch('/').then(answer => answer.headers.get('content-security-policy'))";
    let policy = page.evaluate(policy);
    for rule in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
        assert!(policy.as_str().unwrap().contains(rule), "{policy}");
    }
    assert_eq!(page.complaints(), [""; 0]);
    let attempts = [
        "const s = document.createElement('script'); s.textContent = 'window.ran = true'; \
         document.body.append(s); 0",
        "document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.ran = true\">'); 0",
        "const s = document.createElement('script'); s.src = 'data:text/javascript,window.ran=true'; \
         document.body.append(s); 0",
    ];
    for attempt in attempts {
        page.evaluate(&format!("{{ {attempt} }}"));
        page.until("new Promise(done => setTimeout(() => done(true), 50))");
        assert_ne!(page.complaints(), [""; 0], "nothing holds the policy up: {attempt}");
        assert_eq!(page.evaluate("window.ran === undefined"), true, "{attempt}");
    }
}

#[test]
fn a_page_whose_circuit_is_gone_loads_itself_again() {
    let Some((_server, mut page)) = page_without_blazor() else { return };
    let bar = "document.getElementById('components-reconnect-modal')";
    page.evaluate("window.sameDocument = true");
    // As the script does while it tries again.
    page.evaluate(&format!("{bar}.className = 'components-reconnect-show'"));
    page.until(&format!("getComputedStyle({bar}).display === 'block'"));
    page.picture("connection lost");
    page.evaluate(&format!("{bar}.className = 'components-reconnect-hide'"));
    page.until(&format!("getComputedStyle({bar}).display === 'none'"));
    assert_eq!(page.evaluate("window.sameDocument"), true);
    page.evaluate(&format!("{bar}.className = 'components-reconnect-rejected'"));
    page.until("window.sameDocument === undefined && document.readyState === 'complete'");
    assert_eq!(page.complaints(), [""; 0]);
}

/// From just before a click until the page has changed, in fifty pages that each click twice a second.
#[test]
#[ignore = "measures time, for a machine that does nothing else"]
fn clicks_are_soon_in_the_page() {
    clicking::measure();
}
