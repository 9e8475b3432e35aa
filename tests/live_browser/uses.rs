//! What a person does with the page, and what happens to it meanwhile.

use std::thread;
use std::time::Duration;

use serde_json::json;

use super::scenario::with_each_script;

/// What the script says where a connection is cut, which is an error to it each time.
const CUT: [&str; 4] =
    ["Connection disconnected with error", "WebSocket", "ERR_CONNECTION", "Failed to"];

#[test]
fn five_clicks_count_to_five() {
    with_each_script("five clicks", &[], |scenario| {
        for count in 1..=5 {
            scenario.count_to(count);
        }
        scenario.server.until("clicks", &json!([5]));
        // The first batch, and one for each click.
        scenario.server.until("acknowledged", &json!(6));
        scenario.expect_same_document();
        scenario
    });
}

#[test]
fn a_page_comes_in_fragments() {
    with_each_script("fragments", &["--fragment", "50"], |scenario| {
        scenario.count_to(1);
        assert_eq!(scenario.page.evaluate("document.querySelectorAll('#rows tr').length"), 200);
        scenario
    });
}

#[test]
fn typed_text_comes_back_as_text() {
    with_each_script("input", &[], |scenario| {
        let text = "20.5 \u{b0}C <b>&amp;\"'\u{1f980}";
        scenario.page.click("#text");
        scenario.page.type_text(text);
        scenario.page.until_text("#echo", text);
        assert_eq!(scenario.page.evaluate("document.querySelector('#text').value"), text);
        assert_eq!(scenario.page.evaluate("document.querySelector('#echo').children.length"), 0);
        assert_eq!(scenario.page.evaluate("document.activeElement.id"), "text");
        scenario
    });
}

#[test]
fn a_box_is_checked_and_cleared() {
    with_each_script("checkbox", &[], |scenario| {
        for checked in [true, false, true] {
            scenario.page.click("#check");
            scenario.page.until_text("#checked", if checked { "true" } else { "false" });
            assert_eq!(scenario.page.evaluate("document.querySelector('#check').checked"), checked);
        }
        scenario
    });
}

#[test]
fn two_hundred_rows_change_in_place() {
    with_each_script("rows", &[], |scenario| {
        let page = &scenario.page;
        page.evaluate(
            "window.rows = [...document.querySelectorAll('#rows tr')]; \
             window.before = rows.map(row => row.textContent); \
             window.updates = 0; \
             new MutationObserver(() => ++window.updates).observe(document.querySelector('#rows'), \
             { subtree: true, childList: true, characterData: true }); 0",
        );
        assert_eq!(page.evaluate("rows.length"), 200);
        page.click("#run");
        // Two seconds of them, five a second.
        page.until("window.updates >= 10");
        page.click("#run");
        page.until("rows.every((row, at) => row.textContent !== before[at])");
        let kept =
            "[...document.querySelectorAll('#rows tr')].every((row, at) => row === rows[at])";
        assert_eq!(page.evaluate(kept), true, "rows were made anew");
        thread::sleep(Duration::from_millis(500));
        let updates = page.evaluate("window.updates");
        thread::sleep(Duration::from_millis(1000));
        assert_eq!(page.evaluate("window.updates"), updates, "it does not stop");
        // Clicks are served beside.
        page.click("#run");
        scenario.count_to(1);
        page.click("#run");
        scenario
    });
}

#[test]
fn a_cut_connection_comes_back_with_what_was_lost() {
    with_each_script("reconnect with store", &["--store", "4"], |mut scenario| {
        scenario.count_to(1);
        scenario.server.hook("skip");
        scenario.click();
        scenario.server.until("clicks", &json!([2]));
        scenario.count_stays(1, 300);
        scenario.server.hook("drop");
        // The batch that never arrived is sent again.
        scenario.until_count(2);
        scenario.count_to(3);
        scenario.expect_same_document();
        scenario.server.until("clicks", &json!([3]));
        scenario.excuse(&CUT);
        scenario
    });
}

#[test]
fn a_cut_connection_without_store_is_a_new_page() {
    with_each_script("reconnect without store", &["--store", "0"], |mut scenario| {
        scenario.count_to(1);
        scenario.server.hook("drop");
        scenario.until_new_document();
        scenario.begins_anew();
        scenario.excuse(&CUT);
        scenario
    });
}

#[test]
fn a_connection_that_the_server_closes_comes_back() {
    with_each_script("closed by the server", &["--store", "4"], |mut scenario| {
        scenario.count_to(1);
        scenario.server.hook("close");
        scenario.server.until("reconnected", &json!(1));
        scenario.count_to(2);
        scenario.expect_same_document();
        scenario.excuse(&CUT);
        scenario
    });
}

#[test]
fn a_circuit_that_was_forgotten_is_a_new_page() {
    with_each_script("forgotten", &["--store", "4"], |mut scenario| {
        scenario.count_to(1);
        scenario.server.hook("forget");
        scenario.server.hook("drop");
        scenario.until_new_document();
        scenario.begins_anew();
        scenario.excuse(&CUT);
        scenario
    });
}

#[test]
fn a_server_that_starts_again_has_the_page_load_again() {
    with_each_script("server restart", &["--store", "4"], |mut scenario| {
        scenario.count_to(1);
        scenario.server = scenario.server.restart(Duration::from_millis(500));
        scenario.until_new_document();
        scenario.begins_anew();
        scenario.excuse(&CUT);
        scenario
    });
}

#[test]
fn a_gap_shows_nothing_until_the_page_is_loaded_again() {
    with_each_script("gap", &[], |scenario| {
        scenario.count_to(1);
        scenario.server.hook("gap");
        scenario.click();
        scenario.server.until("clicks", &json!([2]));
        scenario.count_stays(1, 500);
        scenario.page.reload();
        scenario.begins_anew();
        scenario
    });
}

#[test]
fn a_batch_that_comes_twice_is_shown_once() {
    with_each_script("duplicate", &[], |scenario| {
        scenario.count_to(1);
        scenario.server.hook("dup");
        scenario.count_stays(1, 300);
        scenario.count_to(2);
        scenario.expect_same_document();
        scenario.server.until("acknowledged", &json!(3));
        scenario
    });
}

#[test]
fn a_damaged_batch_is_an_error_that_can_be_seen() {
    with_each_script("damaged batch", &[], |mut scenario| {
        scenario.count_to(1);
        scenario.server.hook("damage");
        scenario.click();
        let shown =
            "getComputedStyle(document.querySelector('#blazor-error-ui')).display === 'block'";
        scenario.page.until(shown);
        scenario.picture("error bar");
        scenario.server.until("circuits", &json!(0));
        assert_ne!(scenario.page.complaints(), [""; 0]);
        scenario.page.reload();
        scenario.begins_anew();
        scenario
    });
}

#[test]
fn a_page_that_is_left_leaves_no_circuit() {
    with_each_script("page leave", &["--store", "4"], |scenario| {
        scenario.count_to(1);
        scenario.server.until("circuits", &json!(1));
        scenario.page.go("about:blank");
        scenario.server.until("circuits", &json!(0));
        scenario.server.until("live", &json!(0));
        scenario
    });
}

#[test]
fn an_idle_page_stays_connected() {
    with_each_script("idle 45 s", &[], |scenario| {
        scenario.count_to(1);
        thread::sleep(Duration::from_secs(45));
        scenario.count_to(2);
        scenario.expect_same_document();
        scenario.server.until("live", &json!(1));
        assert_eq!(scenario.server.hook("state")["reconnected"], 0);
        scenario
    });
}

#[test]
fn a_strict_policy_holds_and_is_no_hindrance() {
    with_each_script("strict policy", &[], |mut scenario| {
        let policy = "fetch('/').then(answer => answer.headers.get('content-security-policy'))";
        let policy = scenario.page.evaluate(policy);
        for rule in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
            assert!(policy.as_str().unwrap().contains(rule), "{policy}");
        }
        scenario.count_to(1);
        assert_eq!(scenario.page.complaints(), [""; 0]);
        scenario.page.evaluate(
            "const script = document.createElement('script'); \
             script.textContent = 'window.ran = true'; document.body.append(script); 0",
        );
        assert_eq!(scenario.page.evaluate("window.ran === undefined"), true);
        assert_ne!(scenario.page.complaints(), [""; 0], "nothing holds the policy up");
        scenario
    });
}
