//! What a page should look like.

use onewrite::page::{Content, Copied};

use super::{Machine, State, rows};

/// What the handlers do.
pub(super) const CLICK: u32 = 1;
pub(super) const TYPE: u32 = 2;
pub(super) const CHECK: u32 = 3;
pub(super) const RUN: u32 = 4;

/// The whole page.
pub(super) fn content(page: &mut Content<'_>, state: &State, machine: &Machine) {
    page.element("h1").text("Counter");
    page.element("p").attribute("role", "status").content(|p| {
        p.text("Current count: ");
        p.text(state.count);
    });
    page.element("button").attribute("id", "click").on("onclick", CLICK).text("Click me");
    page.element("p").content(|p| {
        let field = p.element("input").attribute("id", "text").attribute("maxlength", "256");
        field.attribute("value", Copied(&state.typed)).on("oninput", TYPE);
        p.element("span").attribute("id", "echo").text(Copied(&state.typed));
    });
    page.element("p").content(|p| {
        let field = p.element("input").attribute("id", "check").attribute("type", "checkbox");
        field.flag("checked", state.checked).on("onchange", CHECK);
        let checked = if state.checked { "true" } else { "false" };
        p.element("span").attribute("id", "checked").text(checked);
    });
    page.element("p").attribute("id", "cpu").text(Copied(machine.line()));
    let run = page.element("button").attribute("id", "run").on("onclick", RUN);
    run.text(if state.running { "Stop" } else { "Run" });
    page.element("table")
        .attribute("id", "rows")
        .content(|table| rows::content(table, state.ticks));
}
