/* A counter component, from C on a Raspberry Pi Zero 2W without an operating system: its first
 * render and one click, as a browser receives them, and the count as a row of SpacetimeDB's.
 *
 * `cargo xtask test --only capi` builds it, boots it on an emulated Pi, and compares what it prints
 * with counter.out, and the batches with the golden vectors of tests/data. There is no allocator, no
 * C library, and all memory is below: a workspace, a handle on the stack, and a buffer. */
#include "board.h"
#include "onewrite.h"

enum { COMPONENTS = 1, EDITS = 8, FRAMES = 16, STRINGS = 16 };

static uint64_t workspace[OW_RENDER_BATCH_WORKSPACE(COMPONENTS, EDITS, FRAMES, STRINGS) / 8 + 1];
static uint8_t out[512];

static board_print *print;
static void *console;

static size_t length(const char *text) {
    size_t len = 0;
    while (text[len] != '\0') {
        len++;
    }
    return len;
}

static void say(const char *text) {
    print(console, text, length(text));
}

static void say_number(size_t number) {
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number != 0);
    print(console, digits + at, sizeof digits - at);
}

/* Prints bytes as `0010  01 02 ..`. */
static void dump(const uint8_t *bytes, size_t len) {
    static const char DIGITS[] = "0123456789abcdef";
    for (size_t at = 0; at < len; at += 16) {
        char line[4 + 1 + 16 * 3 + 1] = {
            DIGITS[at >> 12 & 15], DIGITS[at >> 8 & 15], DIGITS[at >> 4 & 15], DIGITS[at & 15], ' ',
        };
        size_t end = 5;
        for (size_t i = at; i < len && i < at + 16; i++) {
            line[end++] = ' ';
            line[end++] = DIGITS[bytes[i] >> 4];
            line[end++] = DIGITS[bytes[i] & 15];
        }
        line[end++] = '\n';
        print(console, line, end);
    }
}

/* Shortens what a frame takes; a text that is not there is the null string. */
#define TEXT(s) .strings = OW_RENDER_HAS_TEXT, .text = {s, sizeof s - 1}
#define NAME(s) .strings = OW_RENDER_HAS_NAME, .name = {s, sizeof s - 1}
#define BOTH(s, t)                                                                  \
    .strings = OW_RENDER_HAS_NAME | OW_RENDER_HAS_TEXT,                             \
    .name = {s, sizeof s - 1}, .text = {t, sizeof t - 1}
#define ELEMENT(children, s) \
    {.kind = OW_RENDER_FRAME_KIND_ELEMENT, .subtree = (children) + 1, NAME(s)}

static ow_render_frame first_frames[] = {
    ELEMENT(1, "h1"),
    {.kind = OW_RENDER_FRAME_KIND_TEXT, TEXT("Counter")},
    ELEMENT(3, "p"),
    {.kind = OW_RENDER_FRAME_KIND_ATTRIBUTE, BOTH("role", "status")},
    {.kind = OW_RENDER_FRAME_KIND_TEXT, TEXT("Current count: ")},
    {.kind = OW_RENDER_FRAME_KIND_TEXT, TEXT("0")},
    ELEMENT(3, "button"),
    {.kind = OW_RENDER_FRAME_KIND_ATTRIBUTE, BOTH("class", "btn")},
    {.kind = OW_RENDER_FRAME_KIND_ATTRIBUTE, .event = 1, NAME("onclick")},
    {.kind = OW_RENDER_FRAME_KIND_TEXT, TEXT("Click me")},
};

static ow_render_edit first_edits[] = {
    {.kind = OW_RENDER_EDIT_KIND_PREPEND_FRAME, .sibling = 0, .index = 0},
    {.kind = OW_RENDER_EDIT_KIND_PREPEND_FRAME, .sibling = 1, .index = 2},
    {.kind = OW_RENDER_EDIT_KIND_PREPEND_FRAME, .sibling = 2, .index = 6},
};

static ow_render_frame click_frames[] = {
    {.kind = OW_RENDER_FRAME_KIND_TEXT, TEXT("1")},
    {.kind = OW_RENDER_FRAME_KIND_ATTRIBUTE, BOTH("class", "btn btn-primary")},
    {.kind = OW_RENDER_FRAME_KIND_ATTRIBUTE, .event = 2, NAME("onclick")},
};

static ow_render_edit click_edits[] = {
    {.kind = OW_RENDER_EDIT_KIND_STEP_IN, .sibling = 1},
    {.kind = OW_RENDER_EDIT_KIND_UPDATE_TEXT, .sibling = 1, .index = 0},
    {.kind = OW_RENDER_EDIT_KIND_STEP_OUT},
    {.kind = OW_RENDER_EDIT_KIND_SET_ATTRIBUTE, .sibling = 2, .index = 1},
    {.kind = OW_RENDER_EDIT_KIND_SET_ATTRIBUTE, .sibling = 2, .index = 2},
};

static const uint64_t gone[] = {1};

/* Ends the function with a status that is not OK. */
#define TRY(call)                        \
    do {                                 \
        ow_status status = (call);       \
        if (status != OW_STATUS_OK) {    \
            return status;               \
        }                                \
    } while (0)

static ow_status render(const char *title, ow_render_edit *edits, size_t edit_count,
                        ow_render_frame *frames, size_t frame_count, size_t gone_count) {
    const ow_render_batch_options options = {
        .size = sizeof options,
        .components = COMPONENTS,
        .edits = EDITS,
        .frames = FRAMES,
        .strings = STRINGS,
    };
    ow_render_batch batch;
    TRY(ow_render_batch_begin(&batch, &options, workspace, sizeof workspace));
    TRY(ow_render_batch_component(&batch, 1));
    for (size_t i = 0; i < edit_count; i++) {
        edits[i].size = sizeof edits[i];
        TRY(ow_render_batch_edit(&batch, &edits[i]));
    }
    for (size_t i = 0; i < frame_count; i++) {
        frames[i].size = sizeof frames[i];
        TRY(ow_render_batch_frame(&batch, &frames[i]));
    }
    TRY(ow_render_batch_disposed(&batch, NULL, 0, gone, gone_count));

    /* A buffer that is too small costs nothing but the call. */
    size_t needed, len, at;
    TRY(ow_render_batch_encoded_len(&batch, &needed));
    if (ow_render_batch_finish(&batch, out, needed - 1, &len) != OW_STATUS_BUFFER_TOO_SMALL) {
        return OW_STATUS_BAD_ARGUMENT;
    }
    TRY(ow_render_batch_finish(&batch, out, sizeof out, &len));
    say(title);
    say(": ");
    say_number(len);
    say(" bytes\n");
    dump(out, len);
    /* Frames and edits refer to what the page had before, too; the encoding stands alone. */
    return ow_render_batch_validate(out, len, 0, &at);
}

/* Rows of a table `{ id: u32, name: string }`, written and read. */
static ow_status rows(void) {
    static const char *const names[] = {"ada", "grace"};
    static uint8_t encoded[2][32];
    ow_bytes list[2];
    for (uint32_t id = 0; id < 2; id++) {
        ow_bsatn_writer writer;
        TRY(ow_bsatn_writer_begin(&writer, encoded[id], sizeof encoded[id]));
        (void)ow_bsatn_put_u32(&writer, id);
        (void)ow_bsatn_put_string(&writer, names[id], length(names[id]));
        list[id].start = encoded[id];
        TRY(ow_bsatn_writer_finish(&writer, &list[id].len));
    }
    size_t len, read, count;
    TRY(ow_bsatn_row_list_write(list, 2, out, sizeof out, &len));
    say("row list: ");
    say_number(len);
    say(" bytes\n");

    ow_bsatn_row_list found;
    TRY(ow_bsatn_row_list_read(&found, out, len, &read));
    TRY(ow_bsatn_row_list_len(&found, &count));
    for (size_t index = 0; index < count; index++) {
        ow_bytes row, name;
        uint32_t id;
        ow_bsatn_reader reader;
        TRY(ow_bsatn_row_list_get(&found, index, &row));
        TRY(ow_bsatn_reader_begin(&reader, row.start, row.len));
        (void)ow_bsatn_get_u32(&reader, &id);
        (void)ow_bsatn_get_string(&reader, &name);
        TRY(ow_bsatn_reader_finish(&reader));
        say("  ");
        say_number(id);
        say(" ");
        print(console, name.start, name.len);
        say("\n");
    }
    return OW_STATUS_OK;
}

#define COUNT(array) (sizeof array / sizeof *array)

static ow_status run(void) {
    TRY(render("first render", first_edits, COUNT(first_edits), first_frames, COUNT(first_frames),
               0));
    TRY(render("a click", click_edits, COUNT(click_edits), click_frames, COUNT(click_frames), 1));
    return rows();
}

int firmware_main(board_print *the_print, void *the_console) {
    print = the_print;
    console = the_console;
    say("onewrite ");
    say_number(ow_version() / 1000000);
    say(".");
    say_number(ow_version() / 1000 % 1000);
    say(" for C, workspace of ");
    say_number(sizeof workspace);
    say(" bytes\n");
    ow_status status = run();
    if (status != OW_STATUS_OK) {
        say("failed: ");
        say(ow_error_text(status));
        say("\n");
    }
    return (int)status;
}
