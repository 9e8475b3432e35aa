/* capi-01: null pointers, lengths, alignment, overlaps, struct sizes and dead handles give a named
 * status on every entry point, and zero as the result. */
#include "check.h"

/* Memory that everything here may point into. */
static uint8_t bytes[512];
static uint64_t words[64];

static ow_render_batch batch;
static ow_bsatn_writer writer;
static ow_bsatn_reader reader;
static ow_bsatn_row_list list;

/* A row list of the rows 01 02 and 03 04. */
static const uint8_t ROWS[] = {0, 2, 0, 4, 0, 0, 0, 1, 2, 3, 4};

static ow_render_batch_options options_of(uint32_t count) {
    ow_render_batch_options options = {sizeof options, 0, count, count, count, count};
    return options;
}

/* Handles that are in use. */
static void begin_all(void) {
    static uint64_t workspace[OW_RENDER_BATCH_WORKSPACE(4, 4, 4, 4) / 8 + 1];
    ow_render_batch_options options = options_of(4);
    STATUS(ow_render_batch_begin(&batch, &options, workspace, sizeof workspace), OW_STATUS_OK);
    STATUS(ow_render_batch_component(&batch, 1), OW_STATUS_OK);
    static uint8_t out[64];
    STATUS(ow_bsatn_writer_begin(&writer, out, sizeof out), OW_STATUS_OK);
    STATUS(ow_bsatn_reader_begin(&reader, ROWS, sizeof ROWS), OW_STATUS_OK);
    size_t read;
    STATUS(ow_bsatn_row_list_read(&list, ROWS, sizeof ROWS, &read), OW_STATUS_OK);
    CHECK(read == sizeof ROWS);
}

/* What a call stores goes here, and is compared with zero where it failed. */
static union result {
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    size_t size;
    ow_bytes bytes;
    uint8_t all[sizeof(ow_bytes)];
} result, second;

/* Every function that reads `len` bytes at `in`, or so many items. */
#define GET(name, type)                                            \
    static ow_status in_##name(const void *in, size_t len) {       \
        return ow_##name(in, len, (type)&result, &second.size);    \
    }
GET(leb128_get_u32, uint32_t *)
GET(leb128_get_u64, uint64_t *)
GET(leb128_get_u32_lenient, uint32_t *)
GET(leb128_get_u64_lenient, uint64_t *)
#undef GET
#define GET(name, type)                                            \
    static ow_status in_##name(const void *in, size_t len) {       \
        return ow_##name(in, len, 0, (type)&result);               \
    }
GET(record_get_u8_le, uint8_t *)
GET(record_get_u8_be, uint8_t *)
GET(record_get_u16_le, uint16_t *)
GET(record_get_u16_be, uint16_t *)
GET(record_get_u32_le, uint32_t *)
GET(record_get_u32_be, uint32_t *)
GET(record_get_u64_le, uint64_t *)
GET(record_get_u64_be, uint64_t *)
#undef GET

static ow_status in_validate(const void *in, size_t len) {
    return ow_render_batch_validate(in, len, 0, &result.size);
}

static ow_status in_reader(const void *in, size_t len) {
    return ow_bsatn_reader_begin(&reader, in, len);
}

static ow_status in_row_list(const void *in, size_t len) {
    return ow_bsatn_row_list_read(&list, in, len, &result.size);
}

static ow_status in_string(const void *in, size_t len) {
    return ow_bsatn_put_string(&writer, in, len);
}

static ow_status in_bytes(const void *in, size_t len) {
    return ow_bsatn_put_bytes(&writer, in, len);
}

static ow_status in_raw(const void *in, size_t len) {
    return ow_bsatn_put_raw(&writer, in, len);
}

static ow_status in_rows(const void *in, size_t len) {
    return ow_bsatn_row_list_write(in, len, bytes, sizeof bytes, &result.size);
}

static ow_status in_rows_len(const void *in, size_t len) {
    return ow_bsatn_row_list_encoded_len(in, len, &result.size);
}

static ow_status in_row(const void *in, size_t len) {
    ow_bytes row = {in, len};
    return ow_bsatn_row_list_write(&row, 1, bytes, sizeof bytes, &result.size);
}

static ow_status in_row_len(const void *in, size_t len) {
    ow_bytes row = {in, len};
    return ow_bsatn_row_list_encoded_len(&row, 1, &result.size);
}

static ow_status in_disposed_components(const void *in, size_t len) {
    return ow_render_batch_disposed(&batch, in, len, NULL, 0);
}

static ow_status in_disposed_events(const void *in, size_t len) {
    return ow_render_batch_disposed(&batch, NULL, 0, in, len);
}

static ow_status in_name(const void *in, size_t len) {
    ow_render_frame frame = {
        .size = sizeof frame,
        .kind = OW_RENDER_FRAME_KIND_ELEMENT,
        .strings = OW_RENDER_HAS_NAME,
        .subtree = 1,
        .name = {in, len},
    };
    return ow_render_batch_frame(&batch, &frame);
}

static ow_status in_text(const void *in, size_t len) {
    ow_render_frame frame = {
        .size = sizeof frame,
        .kind = OW_RENDER_FRAME_KIND_TEXT,
        .strings = OW_RENDER_HAS_TEXT,
        .text = {in, len},
    };
    return ow_render_batch_frame(&batch, &frame);
}

static ow_status in_edit(const void *in, size_t len) {
    ow_render_edit edit = {
        .size = sizeof edit,
        .kind = OW_RENDER_EDIT_KIND_REMOVE_ATTRIBUTE,
        .strings = OW_RENDER_HAS_NAME,
        .name = {in, len},
    };
    return ow_render_batch_edit(&batch, &edit);
}

static const struct input {
    const char *name;
    ow_status (*call)(const void *in, size_t len);
    /* What an empty input comes to; never that a pointer is wrong. */
    ow_status empty;
    /* What the pointer has to be aligned to. */
    size_t align;
} INPUTS[] = {
    {"leb128_get_u32", in_leb128_get_u32, OW_STATUS_END_OF_INPUT, 1},
    {"leb128_get_u64", in_leb128_get_u64, OW_STATUS_END_OF_INPUT, 1},
    {"leb128_get_u32_lenient", in_leb128_get_u32_lenient, OW_STATUS_END_OF_INPUT, 1},
    {"leb128_get_u64_lenient", in_leb128_get_u64_lenient, OW_STATUS_END_OF_INPUT, 1},
    {"record_get_u8_le", in_record_get_u8_le, OW_STATUS_END_OF_INPUT, 1},
    {"record_get_u8_be", in_record_get_u8_be, OW_STATUS_END_OF_INPUT, 1},
    {"record_get_u16_le", in_record_get_u16_le, OW_STATUS_END_OF_INPUT, 1},
    {"record_get_u16_be", in_record_get_u16_be, OW_STATUS_END_OF_INPUT, 1},
    {"record_get_u32_le", in_record_get_u32_le, OW_STATUS_END_OF_INPUT, 1},
    {"record_get_u32_be", in_record_get_u32_be, OW_STATUS_END_OF_INPUT, 1},
    {"record_get_u64_le", in_record_get_u64_le, OW_STATUS_END_OF_INPUT, 1},
    {"record_get_u64_be", in_record_get_u64_be, OW_STATUS_END_OF_INPUT, 1},
    {"render_batch_validate", in_validate, OW_STATUS_TABLE_TRUNCATED, 1},
    {"bsatn_reader_begin", in_reader, OW_STATUS_OK, 1},
    {"bsatn_row_list_read", in_row_list, OW_STATUS_END_OF_INPUT, 1},
    {"bsatn_put_string", in_string, OW_STATUS_OK, 1},
    {"bsatn_put_bytes", in_bytes, OW_STATUS_OK, 1},
    {"bsatn_put_raw", in_raw, OW_STATUS_OK, 1},
    {"bsatn_row_list_write", in_rows, OW_STATUS_OK, sizeof(void *)},
    {"bsatn_row_list_encoded_len", in_rows_len, OW_STATUS_OK, sizeof(void *)},
    {"a row to write", in_row, OW_STATUS_OK, 1},
    {"a row to measure", in_row_len, OW_STATUS_OK, 1},
    {"disposed components", in_disposed_components, OW_STATUS_OK, 4},
    {"disposed events", in_disposed_events, OW_STATUS_OK, sizeof(uint64_t)},
    {"a frame's name", in_name, OW_STATUS_OK, 1},
    {"a frame's text", in_text, OW_STATUS_OK, 1},
    {"an edit's name", in_edit, OW_STATUS_OK, 1},
};

/* Calls with a result that has to become zero. */
static void expect(const struct input *input, const void *in, size_t len, ow_status wanted) {
    begin_all();
    memset(&result, 0x5a, sizeof result);
    memset(&second, 0x5a, sizeof second);
    check_status(input->call(in, len), wanted, input->name, __FILE__, __LINE__);
    if (wanted != OW_STATUS_OK && result.all[0] != 0x5a) {
        check(result.u8 == 0, input->name, __FILE__, __LINE__);
    }
    if (wanted != OW_STATUS_OK && second.all[0] != 0x5a) {
        check(second.size == 0, input->name, __FILE__, __LINE__);
    }
}

static void inputs(void) {
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++) {
        const struct input *input = &INPUTS[i];
        expect(input, NULL, 0, input->empty);
        expect(input, words, 0, input->empty);
        expect(input, NULL, 5, OW_STATUS_NULL_POINTER);
        expect(input, NULL, SIZE_MAX, OW_STATUS_NULL_POINTER);
        expect(input, words, SIZE_MAX, OW_STATUS_LENGTH_TOO_LARGE);
        expect(input, words, SIZE_MAX / 2 + 1, OW_STATUS_LENGTH_TOO_LARGE);
        /* Such a length is possible, but not from there to the end of memory. */
        expect(input, (const void *)(UINTPTR_MAX - 15), 64, OW_STATUS_LENGTH_TOO_LARGE);
        if (input->align > 1) {
            expect(input, (const uint8_t *)words + 1, 20, OW_STATUS_UNALIGNED);
            expect(input, words, SIZE_MAX / input->align, OW_STATUS_LENGTH_TOO_LARGE);
        } else {
            /* Bytes need no alignment: whatever else is wrong, that is not. */
            begin_all();
            CHECK(input->call((const uint8_t *)words + 1, 20) != OW_STATUS_UNALIGNED);
        }
    }
}

/* Every function that writes to `len` bytes at `out`. */
#define PUT(name, value)                                           \
    static ow_status out_##name(void *out, size_t len) {           \
        return ow_##name(out, len, value, &result.size);           \
    }
PUT(leb128_put_u32, 300)
PUT(leb128_put_u64, 300)
#undef PUT
#define PUT(name)                                                  \
    static ow_status out_##name(void *out, size_t len) {           \
        return ow_##name(out, len, 0, 1);                          \
    }
PUT(record_put_u8_le)
PUT(record_put_u8_be)
PUT(record_put_u16_le)
PUT(record_put_u16_be)
PUT(record_put_u32_le)
PUT(record_put_u32_be)
PUT(record_put_u64_le)
PUT(record_put_u64_be)
#undef PUT

static ow_status out_writer(void *out, size_t len) {
    return ow_bsatn_writer_begin(&writer, out, len);
}

static ow_status out_rows(void *out, size_t len) {
    ow_bytes row = {"abc", 3};
    return ow_bsatn_row_list_write(&row, 1, out, len, &result.size);
}

static ow_status out_batch(void *out, size_t len) {
    return ow_render_batch_finish(&batch, out, len, &result.size);
}

static const struct output {
    const char *name;
    ow_status (*call)(void *out, size_t len);
    /* What it takes; 0 where nothing is written yet. */
    size_t needed;
} OUTPUTS[] = {
    {"leb128_put_u32", out_leb128_put_u32, 2},
    {"leb128_put_u64", out_leb128_put_u64, 2},
    {"record_put_u8_le", out_record_put_u8_le, 1},
    {"record_put_u8_be", out_record_put_u8_be, 1},
    {"record_put_u16_le", out_record_put_u16_le, 2},
    {"record_put_u16_be", out_record_put_u16_be, 2},
    {"record_put_u32_le", out_record_put_u32_le, 4},
    {"record_put_u32_be", out_record_put_u32_be, 4},
    {"record_put_u64_le", out_record_put_u64_le, 8},
    {"record_put_u64_be", out_record_put_u64_be, 8},
    {"bsatn_writer_begin", out_writer, 0},
    {"bsatn_row_list_write", out_rows, 10},
    {"render_batch_finish", out_batch, 36 + 12},
};

static void outputs(void) {
    for (size_t i = 0; i < sizeof OUTPUTS / sizeof *OUTPUTS; i++) {
        const struct output *output = &OUTPUTS[i];
        const struct {
            void *out;
            size_t len;
            ow_status status;
        } cases[] = {
            {NULL, 0, output->needed == 0 ? OW_STATUS_OK : OW_STATUS_BUFFER_TOO_SMALL},
            {NULL, 5, OW_STATUS_NULL_POINTER},
            {words, SIZE_MAX, OW_STATUS_LENGTH_TOO_LARGE},
            {words, SIZE_MAX / 2 + 1, OW_STATUS_LENGTH_TOO_LARGE},
            {(void *)(UINTPTR_MAX - 15), 64, OW_STATUS_LENGTH_TOO_LARGE},
        };
        for (size_t j = 0; j < sizeof cases / sizeof *cases; j++) {
            begin_all();
            result.size = 99;
            ow_status found = output->call(cases[j].out, cases[j].len);
            check_status(found, cases[j].status, output->name, __FILE__, __LINE__);
            CHECK(found == OW_STATUS_OK || result.size == 0 || result.size == 99);
        }
        /* One byte less than it takes, and exactly as many, at any alignment. */
        for (size_t at = 0; at < 8; at++) {
            begin_all();
            uint8_t *room = guarded(output->needed + 8);
            uint8_t *out = room + 8;
            memset(room, 0x77, output->needed + 8);
            out -= at;
            if (output->needed != 0) {
                check_status(output->call(out, output->needed - 1), OW_STATUS_BUFFER_TOO_SMALL,
                             output->name, __FILE__, __LINE__);
            }
            check_status(output->call(out, output->needed), OW_STATUS_OK, output->name, __FILE__,
                         __LINE__);
            for (uint8_t *byte = room; byte < room + output->needed + 8; byte++) {
                CHECK((byte >= out && byte < out + output->needed) || *byte == 0x77);
            }
        }
    }
}

/* Where a result is stored may be neither NULL nor unaligned. */
static void results(void) {
    begin_all();
    uint8_t buffer[64] = {0};
    size_t size = 99;
    uint32_t u32 = 99;
    uint64_t u64 = 99;
    ow_bytes row = {"abc", 3};
    STATUS(ow_leb128_put_u32(buffer, 64, 1, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_leb128_put_u64(buffer, 64, 1, NULL), OW_STATUS_NULL_POINTER);
    /* Nothing was written. */
    CHECK(buffer[0] == 0);
    STATUS(ow_leb128_get_u32(buffer, 64, NULL, &size), OW_STATUS_NULL_POINTER);
    CHECK(size == 0);
    STATUS(ow_leb128_get_u32(buffer, 64, &u32, NULL), OW_STATUS_NULL_POINTER);
    CHECK(u32 == 0);
    STATUS(ow_leb128_get_u64(buffer, 64, NULL, &size), OW_STATUS_NULL_POINTER);
    STATUS(ow_leb128_get_u64(buffer, 64, &u64, NULL), OW_STATUS_NULL_POINTER);
    CHECK(u64 == 0);
    STATUS(ow_leb128_get_u32_lenient(buffer, 64, NULL, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_leb128_get_u64_lenient(buffer, 64, NULL, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_record_get_u8_le(buffer, 64, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_record_get_u8_be(buffer, 64, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_record_get_u16_le(buffer, 64, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_record_get_u16_be(buffer, 64, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_record_get_u32_le(buffer, 64, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_record_get_u32_be(buffer, 64, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_record_get_u64_le(buffer, 64, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_record_get_u64_be(buffer, 64, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_render_batch_validate(buffer, 64, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_render_batch_encoded_len(&batch, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_render_batch_finish(&batch, buffer, 64, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_writer_finish(&writer, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_reader_position(&reader, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_row_list_read(&list, ROWS, sizeof ROWS, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_row_list_len(&list, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_row_list_get(&list, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_row_list_write(&row, 1, buffer, 64, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_row_list_encoded_len(&row, 1, NULL), OW_STATUS_NULL_POINTER);
    CHECK(buffer[0] == 0);
    /* A batch that was not finished goes on, and so does a writer. */
    STATUS(ow_render_batch_finish(&batch, buffer, 64, &size), OW_STATUS_OK);
    STATUS(ow_bsatn_writer_finish(&writer, &size), OW_STATUS_OK);

    begin_all();
#define READER(name) \
    STATUS(ow_bsatn_get_##name(&reader, NULL), OW_STATUS_NULL_POINTER); \
    STATUS(ow_bsatn_reader_begin(&reader, ROWS, sizeof ROWS), OW_STATUS_OK);
    READER(bool) READER(u8) READER(i8) READER(u16) READER(i16) READER(u32) READER(i32)
    READER(u64) READER(i64) READER(f32) READER(f64) READER(string) READER(bytes)
#undef READER
    STATUS(ow_bsatn_get_tag(&reader, 2, NULL), OW_STATUS_NULL_POINTER);
    /* The first mistake stays. */
    STATUS(ow_bsatn_get_u32(&reader, &u32), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_reader_begin(&reader, ROWS, sizeof ROWS), OW_STATUS_OK);
    STATUS(ow_bsatn_get_count(&reader, 0, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_reader_begin(&reader, ROWS, sizeof ROWS), OW_STATUS_OK);
    STATUS(ow_bsatn_get_raw(&reader, 1, NULL), OW_STATUS_NULL_POINTER);

    begin_all();
    uint8_t *odd = (uint8_t *)words + 1;
    STATUS(ow_leb128_put_u32(buffer, 64, 1, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_leb128_get_u32(buffer, 64, (void *)odd, &size), OW_STATUS_UNALIGNED);
    STATUS(ow_leb128_get_u32(buffer, 64, &u32, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_record_get_u64_be(buffer, 64, 0, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_render_batch_validate(buffer, 64, 0, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_render_batch_encoded_len(&batch, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_render_batch_finish(&batch, buffer, 64, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_writer_finish(&writer, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_get_u16(&reader, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_reader_position(&reader, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_row_list_read(&list, ROWS, sizeof ROWS, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_row_list_len(&list, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_row_list_get(&list, 0, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_row_list_write(&row, 1, buffer, 64, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_row_list_encoded_len(&row, 1, (void *)odd), OW_STATUS_UNALIGNED);
}

/* Every function that takes a handle, with one that is `handle`. */
static void with_handles(void *b, void *w, void *r, void *l, ow_status wanted) {
    uint8_t buffer[64];
    union result value;
    size_t size;
    ow_render_frame frame = {.size = sizeof frame, .kind = OW_RENDER_FRAME_KIND_NAMED_EVENT};
    ow_render_edit edit = {.size = sizeof edit, .kind = OW_RENDER_EDIT_KIND_STEP_OUT};
#define BOTH(call)                                       \
    size = 99;                                           \
    STATUS(call, wanted);                                \
    CHECK(size == 0);
    STATUS(ow_render_batch_component(b, 1), wanted);
    STATUS(ow_render_batch_edit(b, &edit), wanted);
    STATUS(ow_render_batch_frame(b, &frame), wanted);
    STATUS(ow_render_batch_disposed(b, NULL, 0, NULL, 0), wanted);
    BOTH(ow_render_batch_encoded_len(b, &size))
    BOTH(ow_render_batch_finish(b, buffer, sizeof buffer, &size))
    STATUS(ow_bsatn_put_bool(w, 1), wanted);
    STATUS(ow_bsatn_put_u8(w, 1), wanted);
    STATUS(ow_bsatn_put_i8(w, 1), wanted);
    STATUS(ow_bsatn_put_u16(w, 1), wanted);
    STATUS(ow_bsatn_put_i16(w, 1), wanted);
    STATUS(ow_bsatn_put_u32(w, 1), wanted);
    STATUS(ow_bsatn_put_i32(w, 1), wanted);
    STATUS(ow_bsatn_put_u64(w, 1), wanted);
    STATUS(ow_bsatn_put_i64(w, 1), wanted);
    STATUS(ow_bsatn_put_f32(w, 1), wanted);
    STATUS(ow_bsatn_put_f64(w, 1), wanted);
    STATUS(ow_bsatn_put_tag(w, 1), wanted);
    STATUS(ow_bsatn_put_count(w, 1), wanted);
    STATUS(ow_bsatn_put_string(w, "a", 1), wanted);
    STATUS(ow_bsatn_put_bytes(w, "a", 1), wanted);
    STATUS(ow_bsatn_put_raw(w, "a", 1), wanted);
    BOTH(ow_bsatn_writer_finish(w, &size))
#define GET(call)                                        \
    memset(&value, 0x5a, sizeof value);                  \
    STATUS(call, wanted);                                \
    CHECK(value.u8 == 0);
    GET(ow_bsatn_get_bool(r, &value.u8))
    GET(ow_bsatn_get_u8(r, &value.u8))
    GET(ow_bsatn_get_i8(r, (int8_t *)&value.u8))
    GET(ow_bsatn_get_u16(r, &value.u16))
    GET(ow_bsatn_get_i16(r, (int16_t *)&value.u16))
    GET(ow_bsatn_get_u32(r, &value.u32))
    GET(ow_bsatn_get_i32(r, (int32_t *)&value.u32))
    GET(ow_bsatn_get_u64(r, &value.u64))
    GET(ow_bsatn_get_i64(r, (int64_t *)&value.u64))
    GET(ow_bsatn_get_f32(r, (float *)(void *)&value))
    GET(ow_bsatn_get_f64(r, (double *)(void *)&value))
    GET(ow_bsatn_get_tag(r, 2, &value.u8))
    GET(ow_bsatn_get_count(r, 1, &value.u32))
    GET(ow_bsatn_get_string(r, &value.bytes))
    GET(ow_bsatn_get_bytes(r, &value.bytes))
    GET(ow_bsatn_get_raw(r, 1, &value.bytes))
    BOTH(ow_bsatn_reader_position(r, &size))
    STATUS(ow_bsatn_reader_finish(r), wanted);
    BOTH(ow_bsatn_row_list_len(l, &size))
    GET(ow_bsatn_row_list_get(l, 0, &value.bytes))
#undef GET
#undef BOTH
}

static void handles(void) {
    with_handles(NULL, NULL, NULL, NULL, OW_STATUS_NULL_POINTER);
    static union handle {
        ow_render_batch batch;
        ow_bsatn_writer writer;
        ow_bsatn_reader reader;
        ow_bsatn_row_list list;
        uint8_t all[sizeof(ow_render_batch) + 8];
    } any[4];
    /* Never begun, zeroed, and as memory that was freed may look. */
    const uint8_t fills[] = {0, 0xff, 0xa5};
    for (size_t i = 0; i < 3; i++) {
        memset(any, fills[i], sizeof any);
        with_handles(&any[0], &any[1], &any[2], &any[3], OW_STATUS_BAD_HANDLE);
    }
    uint8_t *odd = any[0].all + 1;
    with_handles(odd, odd, odd, odd, OW_STATUS_UNALIGNED);
    /* Copies that lie elsewhere. */
    begin_all();
    any[0].batch = batch;
    any[1].writer = writer;
    any[2].reader = reader;
    any[3].list = list;
    with_handles(&any[0], &any[1], &any[2], &any[3], OW_STATUS_BAD_HANDLE);
    /* Handles of another kind. The row list is large enough to stand for a reader. */
    with_handles(&any[0], &reader, &list, &writer, OW_STATUS_BAD_HANDLE);
    with_handles(&any[0], &list, &writer, &batch, OW_STATUS_BAD_HANDLE);
    /* After the end. */
    size_t size;
    static uint8_t out[64];
    STATUS(ow_render_batch_finish(&batch, out, sizeof out, &size), OW_STATUS_OK);
    STATUS(ow_bsatn_writer_finish(&writer, &size), OW_STATUS_OK);
    STATUS(ow_bsatn_reader_finish(&reader), OW_STATUS_TRAILING_BYTES);
    STATUS(ow_bsatn_row_list_read(&list, ROWS, 3, &size), OW_STATUS_END_OF_INPUT);
    CHECK(size == 0);
    with_handles(&batch, &writer, &reader, &list, OW_STATUS_BAD_HANDLE);
    /* Where a handle is begun. */
    ow_render_batch_options options = options_of(1);
    STATUS(ow_render_batch_begin(NULL, &options, words, sizeof words), OW_STATUS_NULL_POINTER);
    STATUS(ow_render_batch_begin((void *)odd, &options, words, sizeof words), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_writer_begin(NULL, bytes, 4), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_writer_begin((void *)odd, bytes, 4), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_reader_begin(NULL, bytes, 4), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_reader_begin((void *)odd, bytes, 4), OW_STATUS_UNALIGNED);
    STATUS(ow_bsatn_row_list_read(NULL, ROWS, sizeof ROWS, &size), OW_STATUS_NULL_POINTER);
    STATUS(ow_bsatn_row_list_read((void *)odd, ROWS, sizeof ROWS, &size), OW_STATUS_UNALIGNED);
}

/* Structs that say how large they are, or that hold what they may not. */
static void structs(void) {
    begin_all();
    STATUS(ow_render_batch_frame(&batch, NULL), OW_STATUS_NULL_POINTER);
    STATUS(ow_render_batch_edit(&batch, NULL), OW_STATUS_NULL_POINTER);
    uint8_t *odd = (uint8_t *)words + 1;
    STATUS(ow_render_batch_frame(&batch, (void *)odd), OW_STATUS_UNALIGNED);
    STATUS(ow_render_batch_edit(&batch, (void *)odd), OW_STATUS_UNALIGNED);
    const uint32_t sizes[] = {0, 1, sizeof(ow_render_frame) - 1, sizeof(ow_render_frame) + 1, ~0u};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ow_render_frame frame = {.size = sizes[i], .kind = OW_RENDER_FRAME_KIND_NAMED_EVENT};
        ow_render_edit edit = {.size = sizes[i], .kind = OW_RENDER_EDIT_KIND_STEP_OUT};
        ow_render_batch_options options = options_of(1);
        options.size = sizes[i];
        STATUS(ow_render_batch_frame(&batch, &frame), OW_STATUS_WRONG_STRUCT_SIZE);
        STATUS(ow_render_batch_edit(&batch, &edit), OW_STATUS_WRONG_STRUCT_SIZE);
        ow_render_batch other;
        STATUS(ow_render_batch_begin(&other, &options, words, sizeof words),
               OW_STATUS_WRONG_STRUCT_SIZE);
    }
    /* A struct of an older version is shorter: no more than its size is read. */
    uint32_t *size = guarded(8);
    *size = 8;
    STATUS(ow_render_batch_frame(&batch, (void *)size), OW_STATUS_WRONG_STRUCT_SIZE);
    STATUS(ow_render_batch_edit(&batch, (void *)size), OW_STATUS_WRONG_STRUCT_SIZE);

    /* A kind has no field but its own. */
    for (uint32_t kind = 0; kind < 12; kind++) {
        ow_render_frame frame = {.size = sizeof frame, .kind = kind};
        int known = kind >= 1 && kind <= 10;
        begin_all();
        STATUS(ow_render_batch_frame(&batch, &frame),
               known ? OW_STATUS_OK : OW_STATUS_BAD_ARGUMENT);
        const struct {
            uint32_t kinds; /* A bit each. */
            ow_render_frame frame;
        } fields[] = {
            {1 << 1 | 1 << 3, {.strings = OW_RENDER_HAS_NAME}},
            {1 << 2 | 1 << 3 | 1 << 6 | 1 << 8, {.strings = OW_RENDER_HAS_TEXT}},
            {1 << 1 | 1 << 4 | 1 << 5, {.subtree = 1}},
            {1 << 4, {.component = 1}},
            {1 << 3, {.event = 1}},
            {0, {.reserved = 1}},
            {0, {.strings = 4}},
            /* A string that is not said to be there. */
            {0, {.name = {"a", 1}}},
            {0, {.text = {"a", 1}}},
            {0, {.text = {NULL, 1}}},
        };
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
            ow_render_frame given = fields[i].frame;
            given.size = sizeof given;
            given.kind = kind;
            int fits = known && (fields[i].kinds >> kind & 1) != 0;
            begin_all();
            STATUS(ow_render_batch_frame(&batch, &given),
                   fits ? OW_STATUS_OK : OW_STATUS_BAD_ARGUMENT);
        }
        const struct {
            uint32_t kinds;
            ow_render_edit edit;
        } edits[] = {
            {0x7fe, {.strings = 0}},
            {0x7fe & ~(1u << 7 | 1u << 10), {.sibling = 1}},
            {1 << 1 | 1 << 3 | 1 << 5 | 1 << 8 | 1 << 9, {.index = 1}},
            {1 << 4, {.strings = OW_RENDER_HAS_NAME}},
            {0, {.strings = OW_RENDER_HAS_TEXT}},
            {0, {.reserved = 1}},
            {0, {.name = {"a", 1}}},
        };
        for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
            ow_render_edit given = edits[i].edit;
            given.size = sizeof given;
            given.kind = kind;
            int fits = known && (edits[i].kinds >> kind & 1) != 0;
            begin_all();
            STATUS(ow_render_batch_edit(&batch, &given),
                   fits ? OW_STATUS_OK : OW_STATUS_BAD_ARGUMENT);
        }
    }
    ow_render_frame frame = {.size = sizeof frame, .kind = ~0u};
    STATUS(ow_render_batch_frame(&batch, &frame), OW_STATUS_BAD_ARGUMENT);
    STATUS(ow_bsatn_put_bool(&writer, 2), OW_STATUS_INVALID_BOOL);
    size_t at;
    STATUS(ow_render_batch_validate(bytes, 4, 4, &at), OW_STATUS_BAD_ARGUMENT);
    CHECK(at == 0);
}

/* Strings are UTF-8, and what cannot be added changes nothing. */
static void contents(void) {
    begin_all();
    const char *bad[] = {"\xff", "a\xc3", "\xed\xa0\x80", "\xc0\x80", "\xf4\x90\x80\x80"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        begin_all();
        STATUS(in_name(bad[i], strlen(bad[i])), OW_STATUS_INVALID_UTF8);
        STATUS(in_text(bad[i], strlen(bad[i])), OW_STATUS_INVALID_UTF8);
        STATUS(in_edit(bad[i], strlen(bad[i])), OW_STATUS_INVALID_UTF8);
        STATUS(in_string(bad[i], strlen(bad[i])), OW_STATUS_INVALID_UTF8);
        size_t len = 99;
        STATUS(ow_render_batch_encoded_len(&batch, &len), OW_STATUS_OK);
        CHECK(len == 36 + 12);
        STATUS(ow_bsatn_writer_finish(&writer, &len), OW_STATUS_INVALID_UTF8);
        CHECK(len == 0);
    }
    begin_all();
    for (int i = 0; i < 4; i++) {
        STATUS(in_name("div", 3), OW_STATUS_OK);
        STATUS(in_edit("id", 2), OW_STATUS_OK);
    }
    STATUS(in_name("div", 3), OW_STATUS_CAPACITY_EXCEEDED);
    STATUS(in_edit("id", 2), OW_STATUS_CAPACITY_EXCEEDED);
    size_t len = 99;
    STATUS(ow_render_batch_encoded_len(&batch, &len), OW_STATUS_OK);
    CHECK(len == 36 + 12 + 4 * 16 + 4 * 20 + (4 + 4) + (3 + 4));
    /* An edit belongs to a component. */
    static uint64_t room[OW_RENDER_BATCH_WORKSPACE(1, 1, 3, 1) / 8 + 1];
    ow_render_batch_options options = {sizeof options, 0, 1, 1, 3, 1};
    STATUS(ow_render_batch_begin(&batch, &options, room, sizeof room), OW_STATUS_OK);
    STATUS(in_edit("id", 2), OW_STATUS_NO_COMPONENT);
    /* One distinct string fits, two do not, and the batch says so until it is given up. */
    STATUS(in_name("div", 3), OW_STATUS_OK);
    STATUS(in_name("div", 3), OW_STATUS_OK);
    STATUS(ow_render_batch_encoded_len(&batch, &len), OW_STATUS_OK);
    STATUS(in_name("p", 1), OW_STATUS_OK);
    STATUS(ow_render_batch_encoded_len(&batch, &len), OW_STATUS_STRING_TABLE_FULL);
    STATUS(ow_render_batch_finish(&batch, bytes, sizeof bytes, &len), OW_STATUS_STRING_TABLE_FULL);
    CHECK(len == 0);
    /* Options. */
    options.flags = OW_RENDER_SKIP_EMPTY | OW_RENDER_JS_SAFE;
    STATUS(ow_render_batch_begin(&batch, &options, room, sizeof room), OW_STATUS_OK);
    STATUS(ow_render_batch_component(&batch, 1), OW_STATUS_OK);
    STATUS(ow_render_batch_encoded_len(&batch, &len), OW_STATUS_OK);
    CHECK(len == 36);
    static const uint64_t large = UINT64_C(1) << 53;
    STATUS(ow_render_batch_disposed(&batch, NULL, 0, &large, 1), OW_STATUS_OK);
    STATUS(ow_render_batch_finish(&batch, bytes, sizeof bytes, &len), OW_STATUS_EVENT_ID_TOO_LARGE);
    options.flags = 4;
    STATUS(ow_render_batch_begin(&batch, &options, room, sizeof room), OW_STATUS_BAD_ARGUMENT);
}

/* The workspace: its size to the byte, its alignment, capacities that no memory has. */
static void workspaces(void) {
    ow_render_batch_options options = options_of(1);
    size_t needed = OW_RENDER_BATCH_WORKSPACE(1, 1, 1, 1);
    CHECK(needed == 24 + 40 + 56 + 2 * 12);
    STATUS(ow_render_batch_begin(&batch, NULL, words, sizeof words), OW_STATUS_NULL_POINTER);
    STATUS(ow_render_batch_begin(&batch, &options, NULL, 0), OW_STATUS_WORKSPACE_TOO_SMALL);
    STATUS(ow_render_batch_begin(&batch, &options, NULL, 500), OW_STATUS_NULL_POINTER);
    STATUS(ow_render_batch_begin(&batch, &options, words, SIZE_MAX), OW_STATUS_LENGTH_TOO_LARGE);
    STATUS(ow_render_batch_begin(&batch, &options, words, 24), OW_STATUS_WORKSPACE_TOO_SMALL);
    STATUS(ow_render_batch_begin(&batch, &options, (uint8_t *)words + 4, needed),
           OW_STATUS_UNALIGNED);
    uint8_t *exact = guarded(needed);
    STATUS(ow_render_batch_begin(&batch, &options, exact, needed), OW_STATUS_OK);
    STATUS(ow_render_batch_component(&batch, 7), OW_STATUS_OK);
    STATUS(in_edit("id", 2), OW_STATUS_OK);
    STATUS(in_name("div", 3), OW_STATUS_OK);
    size_t len;
    STATUS(ow_render_batch_finish(&batch, bytes, sizeof bytes, &len), OW_STATUS_STRING_TABLE_FULL);
    options = options_of(UINT32_MAX);
    STATUS(ow_render_batch_begin(&batch, &options, words, sizeof words),
           OW_STATUS_WORKSPACE_TOO_SMALL);
    STATUS(ow_render_batch_component(&batch, 1), OW_STATUS_CAPACITY_EXCEEDED);
    /* Nothing at all still has a slot for the strings of nothing. */
    options = options_of(0);
    STATUS(ow_render_batch_begin(&batch, &options, words, OW_RENDER_BATCH_WORKSPACE(0, 0, 0, 0)),
           OW_STATUS_OK);
    STATUS(ow_render_batch_component(&batch, 1), OW_STATUS_CAPACITY_EXCEEDED);
    STATUS(ow_render_batch_finish(&batch, bytes, 36, &len), OW_STATUS_OK);
    CHECK(len == 36);
}

/* Every status has a sentence of its own, every other number one. */
static void texts(void) {
    CHECK(ow_version() == OW_VERSION);
    CHECK(strcmp(ow_error_text(OW_STATUS_OK), "done") == 0);
    CHECK(strcmp(ow_error_text(OW_STATUS_BAD_TREE), ow_error_text(-1)) != 0);
    const char *unknown = ow_error_text(INT32_MIN);
    unsigned known = 0;
    for (ow_status status = -1000; status < 1000; status++) {
        const char *text = ow_error_text(status);
        CHECK(text != NULL && *text != '\0');
        known += strcmp(text, unknown) != 0;
        for (ow_status other = 0; other < status && status < 128; other++) {
            CHECK(strcmp(text, ow_error_text(other)) != 0 || strcmp(text, unknown) == 0);
        }
    }
    CHECK(known == 1 + 7 + 9 + 17 + 13 + 15);
}

void test_misuse(void) {
    run_test("capi-01: inputs", inputs);
    run_test("capi-01: outputs", outputs);
    run_test("capi-01: results", results);
    run_test("capi-01: handles", handles);
    run_test("capi-01: structs", structs);
    run_test("capi-01: workspaces", workspaces);
    run_test("contents of batches", contents);
    run_test("texts of statuses", texts);
}
