//! A page that is used.

use onewrite::circuit::hub::Call;

use super::page::{Page, ask, descriptor, hook, start};
use super::server;

#[test]
fn a_page_is_clicked_typed_in_checked_and_runs() {
    let Some(server) = start("--test-hooks") else { return };
    let mut page = Page::open(&server);
    assert_eq!(page.texts[..4], ["Counter", "Current count: ", "0", "Click me"]);
    for count in 1..=5 {
        page.click(count);
    }
    let field = "{\"componentId\":0,\"fieldValue\":\"h\u{e9}\"}";
    page.event("text", "input", field, "{\"value\":\"h\\u00e9 <b>\"}");
    assert_eq!([page.next(), page.next()], ["end 6 true", "batch 8"]);
    assert_eq!(page.texts, ["h\u{e9} <b>"]);
    page.event("check", "change", "null", "{\"value\":true}");
    assert_eq!([page.next(), page.next()], ["end 7 true", "batch 9"]);
    assert_eq!(page.texts, ["true"]);
    // The table: each of its rows, by itself and again.
    page.event("run", "click", "null", "{}");
    assert_eq!([page.next(), page.next()], ["end 8 true", "batch 10"]);
    assert_eq!(page.texts, ["Stop"]);
    for batch in 11..14 {
        assert_eq!(page.next(), format!("batch {batch}"));
        assert_eq!(page.texts.len(), 200);
    }
    let state = hook(&server, "state");
    assert_eq!(
        (&state["clicks"][0], &state["events"], &state["refused"]),
        (&5.into(), &8.into(), &0.into())
    );
    page.leave();
    page.until("closed 1001");
    let report = server.stop();
    assert!(report.contains("circuits 1, ") && report.contains("events 8, "), "{report}");
    assert!(!report.contains("refused"), "{report}");
}

/// `blazor.web.js` asks for its components behind the start.
#[test]
fn the_other_script_asks_later() {
    let Some(server) = start("--kind web --fragment 50") else { return };
    let descriptor = descriptor(&server);
    let mut page = Page::greeted(&server);
    page.start_with(&format!("http://{}/", server.address), "[]");
    assert_eq!([page.next(), page.next()], ["attach interop", "started"]);
    let operations = format!(
        "{{\"batchId\":1,\"operations\":[{{\"type\":\"add\",\"ssrComponentId\":1,\"marker\":\
         {{\"type\":\"server\",\"key\":{{}},\"sequence\":0,\"descriptor\":\"{descriptor}\"}}}}]}}"
    );
    page.call(None, Call::UpdateRootComponents { operations: &operations, state: "" });
    page.until("batch 2");
    page.click(1);
    page.click(2);
    server.stop();
}

#[test]
fn a_cut_page_goes_on_where_it_was() {
    let Some(server) = start("--test-hooks --store 4") else { return };
    let mut page = Page::open(&server);
    page.click(1);
    // Made and counted, and never seen.
    hook(&server, "skip");
    page.event("click", "click", "null", "{}");
    assert_eq!(page.next(), "end 2 true");
    let secret = page.secret.clone();
    page.cut();
    let mut again = Page::greeted(&server);
    again.call(Some("0"), Call::ConnectCircuit { secret: &secret });
    assert_eq!([again.next(), again.next()], ["Bool(true)", "batch 4"]);
    assert_eq!(again.texts, ["2"]);
    assert_eq!(hook(&server, "state")["reconnected"], 1);
    // The secret of nobody.
    let mut stranger = Page::greeted(&server);
    stranger.call(Some("0"), Call::ConnectCircuit { secret: &"A".repeat(64) });
    assert_eq!(stranger.next(), "Bool(false)");
    let report = server.stop();
    assert!(report.contains("reconnected 1, not there 1, "), "{report}");
}

#[test]
fn a_cut_page_is_loaded_again_where_nothing_is_kept() {
    let Some(server) = start("--test-hooks --store 0") else { return };
    let mut page = Page::open(&server);
    page.click(1);
    let secret = page.secret.clone();
    page.cut();
    let mut again = Page::greeted(&server);
    again.call(Some("0"), Call::ConnectCircuit { secret: &secret });
    assert_eq!(again.next(), "Bool(false)");
    assert_eq!(hook(&server, "state")["circuits"], 0);
    server.stop();
}

#[test]
fn a_page_says_when_it_is_left() {
    let Some(server) = start("--test-hooks") else { return };
    let page = Page::open(&server);
    assert_eq!(hook(&server, "state")["circuits"], 1);
    let left = |secret: &str| {
        let body = format!(
            "--x1\r\nContent-Disposition: form-data; name=\"circuitId\"\r\n\r\n{secret}\r\n--x1--\r\n"
        );
        let request = format!(
            "POST /_blazor/disconnect HTTP/1.1\r\nHost: {}\r\nContent-Type: multipart/form-data; \
             boundary=x1\r\nContent-Length: {}\r\n\r\n{body}",
            server.address,
            body.len()
        );
        ask(&server, &request).0
    };
    // Of a secret that is none nobody learns that.
    assert_eq!(left("nobody"), "200");
    assert_eq!(hook(&server, "state")["circuits"], 1);
    assert_eq!(left(&page.secret), "200");
    assert_eq!(hook(&server, "state")["circuits"], 0);
    drop(page);
    let report = server.stop();
    assert!(report.contains("left 1, "), "{report}");
}

#[test]
fn tests_may_disturb_a_page() {
    let Some(server) = start("--test-hooks") else { return };
    let mut page = Page::open(&server);
    hook(&server, "gap");
    page.event("click", "click", "null", "{}");
    page.until("batch 4");
    let mut page = Page::open(&server);
    hook(&server, "dup");
    assert_eq!(page.next(), "batch 2");
    hook(&server, "error");
    assert_eq!([page.next(), page.next()], ["error", "closed 1011"]);
    let mut page = Page::open(&server);
    hook(&server, "close");
    assert_eq!([page.next(), page.next()], ["hub closed", "closed 1000"]);
    let mut page = Page::open(&server);
    hook(&server, "drop");
    assert!(page.next().starts_with("gone"));
    let mut page = Page::open(&server);
    hook(&server, "forget");
    page.until("gone");
    assert_eq!(hook(&server, "state")["circuits"], 0);
    server.stop();
}

/// As behind `| head -1`.
#[test]
fn it_ends_well_where_nobody_reads_what_it_says() {
    let Some(mut server) = start("") else { return };
    server.close_stdout();
    server.stop();
}

#[test]
fn what_cannot_be_asked_is_wrong_usage() {
    for arguments in [
        "--test-hooks --listen 0.0.0.0 --origin http://pi.local",
        "--listen 0.0.0.0",
        "--origin http://pi.local/",
        "--script /no/such/file",
        "--script /dev/zero",
        "--store 3",
        "--renderer 2",
    ] {
        let words = ["live_counter", "--port", "0"].into_iter().chain(arguments.split(' '));
        assert_eq!(server::run(words.map(Into::into)), 2, "{arguments}");
    }
    // Without the flag there are no hooks.
    let Some(server) = start("") else { return };
    let request = format!("GET /_t/state HTTP/1.1\r\nHost: {}\r\n\r\n", server.address);
    assert_eq!(ask(&server, &request).0, "404");
    server.stop();
}
