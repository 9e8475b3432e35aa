/* Every writer, into memory that is too short by any number of bytes: it says so, writes nothing behind
 * what it was given, and a writer that has failed stays failed. */
#include "check.h"

static const char TEXT[] = "a text";
static const uint8_t BYTES[] = {1, 2, 3, 4, 5};

/* One call of a writer of values. */
static ow_status put_bool(ow_bsatn_writer *writer) {
    return ow_bsatn_put_bool(writer, 1);
}
static ow_status put_u8(ow_bsatn_writer *writer) {
    return ow_bsatn_put_u8(writer, 2);
}
static ow_status put_i8(ow_bsatn_writer *writer) {
    return ow_bsatn_put_i8(writer, -3);
}
static ow_status put_u16(ow_bsatn_writer *writer) {
    return ow_bsatn_put_u16(writer, 4);
}
static ow_status put_i16(ow_bsatn_writer *writer) {
    return ow_bsatn_put_i16(writer, -5);
}
static ow_status put_u32(ow_bsatn_writer *writer) {
    return ow_bsatn_put_u32(writer, 6);
}
static ow_status put_i32(ow_bsatn_writer *writer) {
    return ow_bsatn_put_i32(writer, -7);
}
static ow_status put_u64(ow_bsatn_writer *writer) {
    return ow_bsatn_put_u64(writer, 8);
}
static ow_status put_i64(ow_bsatn_writer *writer) {
    return ow_bsatn_put_i64(writer, -9);
}
static ow_status put_f32(ow_bsatn_writer *writer) {
    return ow_bsatn_put_f32(writer, 0.5F);
}
static ow_status put_f64(ow_bsatn_writer *writer) {
    return ow_bsatn_put_f64(writer, -0.25);
}
static ow_status put_tag(ow_bsatn_writer *writer) {
    return ow_bsatn_put_tag(writer, 1);
}
static ow_status put_count(ow_bsatn_writer *writer) {
    return ow_bsatn_put_count(writer, 0);
}
static ow_status put_string(ow_bsatn_writer *writer) {
    return ow_bsatn_put_string(writer, TEXT, sizeof TEXT - 1);
}
static ow_status put_bytes(ow_bsatn_writer *writer) {
    return ow_bsatn_put_bytes(writer, BYTES, sizeof BYTES);
}
static ow_status put_raw(ow_bsatn_writer *writer) {
    return ow_bsatn_put_raw(writer, BYTES, sizeof BYTES);
}

/* A new function that writes a value belongs here; the bytes that it takes. */
static const struct {
    ow_status (*put)(ow_bsatn_writer *writer);
    size_t len;
} PUTS[] = {
    {put_bool, 1}, {put_u8, 1},   {put_i8, 1},    {put_u16, 2},   {put_i16, 2}, {put_u32, 4},
    {put_i32, 4},  {put_u64, 8},  {put_i64, 8},   {put_f32, 4},   {put_f64, 8}, {put_tag, 1},
    {put_count, 4}, {put_string, 10}, {put_bytes, 9}, {put_raw, 5},
};
enum { PUT_COUNT = sizeof PUTS / sizeof *PUTS, VALUES = 72 };

static void values(void) {
    uint8_t whole[VALUES] = {0};
    for (size_t room = VALUES + 2; room-- != 0;) {
        uint8_t *out = guarded(room);
        ow_bsatn_writer writer;
        STATUS(ow_bsatn_writer_begin(&writer, out, room), OW_STATUS_OK);
        size_t at = 0, written = 99;
        ow_status wanted = OW_STATUS_OK;
        for (size_t i = 0; i < PUT_COUNT; i++) {
            if (wanted == OW_STATUS_OK && PUTS[i].len > room - at) {
                wanted = OW_STATUS_BUFFER_TOO_SMALL;
            }
            STATUS(PUTS[i].put(&writer), wanted);
            at += wanted == OW_STATUS_OK ? PUTS[i].len : 0;
        }
        STATUS(ow_bsatn_writer_finish(&writer, &written), wanted);
        CHECK(written == (wanted == OW_STATUS_OK ? VALUES : 0));
        CHECK(room < VALUES || at == VALUES);
        if (room > VALUES) {
            memcpy(whole, out, VALUES);
        }
        /* What was written before is whole, and what lies behind it is as it was. */
        CHECK(memcmp(out, whole, at) == 0);
        while (at < room) {
            CHECK(out[at++] == 0xa5);
        }
    }
}

static void batch(void) {
    ow_render_batch_options options = {
        .size = sizeof options, .components = 2, .edits = 4, .frames = 4, .strings = 4};
    size_t space = OW_RENDER_BATCH_WORKSPACE(2, 4, 4, 4);
    ow_render_batch batch;
    STATUS(ow_render_batch_begin(&batch, &options, guarded(space), space), OW_STATUS_OK);
    STATUS(ow_render_batch_component(&batch, 7), OW_STATUS_OK);
    ow_render_edit edit = {.size = sizeof edit, .kind = OW_RENDER_EDIT_KIND_PREPEND_FRAME};
    STATUS(ow_render_batch_edit(&batch, &edit), OW_STATUS_OK);
    ow_render_frame element = {
        .size = sizeof element, .kind = OW_RENDER_FRAME_KIND_ELEMENT, .strings = OW_RENDER_HAS_NAME, .subtree = 2};
    element.name = (ow_bytes){"p", 1};
    ow_render_frame text = {.size = sizeof text, .kind = OW_RENDER_FRAME_KIND_TEXT, .strings = OW_RENDER_HAS_TEXT};
    text.text = (ow_bytes){TEXT, sizeof TEXT - 1};
    STATUS(ow_render_batch_frame(&batch, &element), OW_STATUS_OK);
    STATUS(ow_render_batch_frame(&batch, &text), OW_STATUS_OK);
    size_t len = 0, written = 99, at = 99;
    STATUS(ow_render_batch_encoded_len(&batch, &len), OW_STATUS_OK);
    for (size_t room = 0; room < len; room++) {
        written = 99;
        STATUS(ow_render_batch_finish(&batch, guarded(room), room, &written),
               OW_STATUS_BUFFER_TOO_SMALL);
        CHECK(written == 0);
    }
    /* It goes on as if nothing had been asked of it. */
    uint8_t *out = guarded(len + 1);
    STATUS(ow_render_batch_finish(&batch, out, len + 1, &written), OW_STATUS_OK);
    CHECK(written == len && out[len] == 0xa5);
    STATUS(ow_render_batch_validate(out, len, OW_RENDER_ENCODING_ONLY, &at), OW_STATUS_OK);
}

static void varints(void) {
    for (unsigned bits = 0; bits <= 64; bits += 7) {
        uint64_t value = bits == 0 ? 0 : UINT64_C(1) << (bits - 1);
        size_t len = ow_leb128_len_u64(value), written;
        for (size_t room = 0; room <= len + 1; room++) {
            uint8_t *out = guarded(room);
            ow_status wanted = room < len ? OW_STATUS_BUFFER_TOO_SMALL : OW_STATUS_OK;
            size_t goes_out = room < len ? 0 : len;
            STATUS(ow_leb128_put_u64(out, room, value, &written), wanted);
            CHECK(written == goes_out);
            for (size_t at = goes_out; at < room; at++) {
                CHECK(out[at] == 0xa5);
            }
            if (value <= UINT32_MAX) {
                out = guarded(room);
                STATUS(ow_leb128_put_u32(out, room, (uint32_t)value, &written), wanted);
                CHECK(written == goes_out);
                for (size_t at = goes_out; at < room; at++) {
                    CHECK(out[at] == 0xa5);
                }
            }
        }
    }
}

void test_full(void) {
    run_test("full: values", values);
    run_test("full: a batch", batch);
    run_test("full: LEB128", varints);
}
