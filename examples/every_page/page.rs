//! Pages: a component of everything, what it was before, and events.

use core::hint::black_box;

use onewrite::page::{Content, Copied, Draft, Element, Event, Field, Page};
use onewrite::render_batch::Batch;

type SmallDraft = Draft<64, 256>;
type SmallPage = Page<64, 256>;

#[inline(never)]
pub(crate) fn call() {
    let mut draft = black_box(<Draft<64, 256> as Default>::default());
    let mut page = Page::<64, 256>::new(black_box(3));
    update(&mut page, &mut draft, 1);
    update(&mut page, &mut draft, 2);
    Page::<64, 256>::set_fewest_bytes(black_box(&mut page), black_box(true));
    update(&mut page, &mut draft, 7);
    Page::<64, 256>::field_changed(&mut page, black_box(2), black_box(Field::Text("typed")));
    Page::<64, 256>::field_changed(&mut page, black_box(2), black_box(Field::Checked(false)));
    update(&mut page, &mut draft, 4);
    let event: Event = Page::<64, 256>::event(black_box(&page), black_box(2));
    black_box(event);
    black_box(Page::<64, 256>::is_shown(black_box(&page)));
    black_box(Page::<64, 256>::component(black_box(&page)));
    Page::<64, 256>::reset(black_box(&mut page));
    let mut draft = Draft::<64, 256>::new();
    update(&mut black_box(page), black_box(&mut draft), 5);
}

#[inline(never)]
fn update(page: &mut SmallPage, draft: &mut SmallDraft, seed: u64) {
    let seed = black_box(seed);
    let send = |batch: &Batch<'_>| black_box(Ok::<_, u8>(batch.frames.len()));
    black_box(Page::<64, 256>::update(page, draft, |p| component(p, seed), send)).ok();
}

/// Something else for each seed.
fn component(page: &mut Content<'_>, seed: u64) {
    let list = Content::element(page, black_box("ul"));
    let list = Element::key(list, black_box(seed & 2));
    let list = Element::attribute(list, black_box("class"), black_box("a"));
    let list = Element::attribute(list, black_box("value"), black_box(Some(seed)));
    let list = Element::attribute(list, black_box("title"), black_box(None::<i8>));
    let list = Element::flag(list, black_box("checked"), black_box(seed & 1 == 0));
    let list = Element::on(list, black_box("onclick"), black_box(7));
    Element::content(list, |ul| {
        for key in 0..black_box(5) {
            // Every seed has another order.
            let item = Element::key(Content::element(ul, black_box("li")), key * seed % 5);
            Element::text(item, black_box(key));
        }
    });
    Content::region(page, |p| {
        if black_box(seed & 4 == 0) {
            Content::text(p, black_box(Copied("copied")));
            Content::text(p, black_box('c'));
            Content::text(p, black_box(-5i32));
            Content::text(p, black_box(5u8));
            Content::text(p, black_box(-5isize));
        }
    });
    Content::markup(page, black_box("<hr>"));
    Content::text(page, format_args!("{}{}", black_box("formatted"), black_box("text")));
}
