//! How each workload is made. The closed forms are those of the golden vectors.

use onewrite::render_batch::{Edit, Frame, Name, Value};

use super::page::{Page, Piece};

const TR: Name<'_> = Name::new("tr");
const TD: Name<'_> = Name::new("td");
const TBODY: Name<'_> = Name::new("tbody");
const BUTTON: Name<'_> = Name::new("button");
const CLASS: Name<'_> = Name::new("class");
const ONCLICK: Name<'_> = Name::new("onclick");

/// 200 rows of eleven frames, and an edit for each row.
pub(super) fn table(page: &mut Page<'_>) {
    page.component(1);
    for row in 0..200 {
        page.edit(Edit::prepend_frame(row, 11 * row));
    }
    for number in 1..=200_u8 {
        page.element(TR, 11);
        page.attribute(CLASS, if number % 2 == 1 { "even" } else { "odd" });
        page.element(TD, 2);
        let text = page.made(&[Piece::Number(number.into())]);
        page.frame(Frame::text(text));
        page.element(TD, 3);
        page.attribute(CLASS, "name");
        let text = page.made(&[Piece::Text("Item "), Piece::Number(number.into())]);
        page.frame(Frame::text(text));
        page.element(TD, 4);
        page.element(BUTTON, 3);
        page.event_handler(ONCLICK, number.into());
        page.text("Delete");
    }
}

/// A new count, a new class and a new event handler, and the old handler gone.
pub(super) fn counter_update(page: &mut Page<'_>) {
    page.component(1);
    page.edit(Edit::step_in(1));
    page.edit(Edit::update_text(1, 0));
    page.edit(Edit::step_out());
    page.edit(Edit::set_attribute(2, 1));
    page.edit(Edit::set_attribute(2, 2));
    page.text("1");
    page.attribute(CLASS, "btn btn-primary");
    page.event_handler(ONCLICK, 2);
    page.disposed_event(1);
}

/// `count` frames, twelve kinds in turn, with names and values that never come again.
pub(super) fn frame_mix(page: &mut Page<'_>, count: i32) {
    for i in 0..count {
        let frame = match i % 12 {
            0 | 11 => {
                let name = page.made(&[Piece::Text("attr-"), Piece::Number(i)]);
                let value = page.made(&[Piece::Text("value-"), Piece::Number(i)]);
                Frame::attribute(name, Value::Str(value))
            }
            1 => Frame::element(page.made(&[Piece::Text("element-"), Piece::Number(i)]), 2),
            2 => Frame::text(page.made(&[Piece::Text("text-"), Piece::Number(i)])),
            3 => {
                let pieces = [Piece::Text("<markup-"), Piece::Number(i), Piece::Text("/>")];
                Frame::markup(page.made(&pieces))
            }
            4 => Frame::region(1),
            5 => {
                let id = page.made(&[Piece::Text("id-"), Piece::Number(i)]);
                Frame::element_reference_capture(id)
            }
            6 => Frame::named_event(),
            7 => Frame::component_render_mode(),
            8 => {
                let name = page.made(&[Piece::Text("attr-"), Piece::Number(i)]);
                Frame::attribute(name, Value::Bool(true))
            }
            9 => Frame::text(page.string(" ")),
            _ => Frame::markup(page.string(" ")),
        };
        page.frame(frame);
    }
}

/// 500 rows: a day in August, a temperature in Celsius and Fahrenheit, and an empty summary.
pub(super) fn weather(page: &mut Page<'_>) {
    const ROW: &str = "\n            ";
    const COLUMN: &str = "\n                ";
    page.component(1);
    page.edit(Edit::prepend_frame(0, 0));
    page.element(TBODY, 6501);
    let (mut day, mut celsius) = (1, -20);
    for _ in 0..500 {
        page.text(ROW);
        page.element(TR, 13);
        let fahrenheit = 32 + (celsius * 9_i32).div_euclid(5);
        let columns = [
            page.made(&[Piece::Text("2018-08-"), Piece::TwoDigits(day)]),
            page.made(&[Piece::Number(celsius)]),
            page.made(&[Piece::Number(fahrenheit)]),
        ];
        for column in columns {
            page.text(COLUMN);
            page.element(TD, 2);
            page.frame(Frame::text(column));
        }
        page.text(COLUMN);
        page.element(TD, 1);
        day = day % 28 + 1;
        celsius = if celsius == LAST_CELSIUS { -20 } else { celsius + 1 };
    }
}

/// The temperature after which they start again.
const LAST_CELSIUS: i32 = 34;

/// Component ids in steps of three, and squares for the event handlers.
pub(super) fn ids(page: &mut Page<'_>) {
    for i in 0..5_000_u16 {
        page.disposed_component(3 * i32::from(i) - 7_000);
        page.disposed_event(u64::from(i) * u64::from(i));
    }
}
