/* Row lists, varints, fields and trees: what they are on the wire, and what is refused. */
#include "check.h"

/* A list of rows with its bytes. */
static const struct {
    const char *rows[4];
    size_t lens[4];
    size_t count;
    const char *bytes;
    size_t len;
} LISTS[] = {
    /* Rows of one size: a hint of two bytes. */
    {{"\1\2", "\3\4"}, {2, 2}, 2, "\0\2\0\4\0\0\0\1\2\3\4", 11},
    {{"abc"}, {3}, 1, "\0\3\0\3\0\0\0abc", 10},
    /* Different sizes: where each row starts. */
    {{"a", "bc"}, {1, 2}, 2, "\1\2\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\3\0\0\0abc", 28},
    /* Rows without bytes have no size that a hint can say. */
    {{"", ""}, {0, 0}, 2, "\1\2\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 25},
    {{"", "x", ""}, {0, 1, 0}, 3,
     "\1\3\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0x", 34},
    /* No rows. */
    {{NULL}, {0}, 0, "\1\0\0\0\0\0\0\0\0", 9},
};

static void lists(void) {
    for (size_t i = 0; i < sizeof LISTS / sizeof *LISTS; i++) {
        size_t len = LISTS[i].len, written = 99, rows = 99, needed = 99;
        ow_bytes given[4];
        for (size_t row = 0; row < LISTS[i].count; row++) {
            given[row].start = guarded_copy(LISTS[i].rows[row], LISTS[i].lens[row]);
            given[row].len = LISTS[i].lens[row];
        }
        const ow_bytes *array = guarded_copy(given, LISTS[i].count * sizeof *given);
        STATUS(ow_bsatn_row_list_encoded_len(array, LISTS[i].count, &needed), OW_STATUS_OK);
        CHECK(needed == len);
        for (size_t room = 0; room <= len; room++) {
            uint8_t *out = guarded(room);
            ow_status wanted = room < len ? OW_STATUS_BUFFER_TOO_SMALL : OW_STATUS_OK;
            STATUS(ow_bsatn_row_list_write(array, LISTS[i].count, out, room, &written), wanted);
            CHECK(written == (room < len ? 0 : len));
            CHECK(room < len ? room == 0 || out[0] == 0xa5 : memcmp(out, LISTS[i].bytes, len) == 0);
        }
        /* Whole, with something behind it, and cut at every place. */
        ow_bsatn_row_list list;
        for (size_t cut = 0; cut <= len + 1; cut++) {
            uint8_t *in = guarded(cut);
            memcpy(in, LISTS[i].bytes, cut < len ? cut : len);
            ow_status status = ow_bsatn_row_list_read(&list, in, cut, &written);
            if (cut < len) {
                CHECK(status == OW_STATUS_END_OF_INPUT || status == OW_STATUS_COUNT_TOO_LARGE);
                CHECK(written == 0);
                STATUS(ow_bsatn_row_list_len(&list, &rows), OW_STATUS_BAD_HANDLE);
                continue;
            }
            CHECK(status == OW_STATUS_OK && written == len);
            STATUS(ow_bsatn_row_list_len(&list, &rows), OW_STATUS_OK);
            CHECK(rows == LISTS[i].count);
            ow_bytes row = {"?", 1};
            for (size_t index = 0; index < rows; index++) {
                STATUS(ow_bsatn_row_list_get(&list, index, &row), OW_STATUS_OK);
                CHECK(row.len == given[index].len);
                CHECK(row.len == 0 || memcmp(row.start, given[index].start, row.len) == 0);
            }
            STATUS(ow_bsatn_row_list_get(&list, rows, &row), OW_STATUS_INDEX_OUT_OF_RANGE);
            CHECK(row.start == NULL && row.len == 0);
            STATUS(ow_bsatn_row_list_get(&list, SIZE_MAX, &row), OW_STATUS_INDEX_OUT_OF_RANGE);
        }
    }
}

/* What no server may send. */
static void damaged_lists(void) {
    static const struct {
        const char *bytes;
        size_t len;
        ow_status status;
    } cases[] = {
        {"\0\0\0\0\0\0\0", 7, OW_STATUS_OK},
        {"\0\0\0\1\0\0\0x", 8, OW_STATUS_UNEVEN_ROWS},
        {"\0\2\0\3\0\0\0abc", 10, OW_STATUS_UNEVEN_ROWS},
        {"\1\0\0\0\0\1\0\0\0x", 10, OW_STATUS_UNEVEN_ROWS},
        {"\2\0\0\0\0\0\0\0\0", 9, OW_STATUS_UNKNOWN_DISCRIMINANT},
        {"\1\1\0\0\0\1\0\0\0\0\0\0\0\1\0\0\0x", 18, OW_STATUS_BAD_POSITION},
        {"\1\2\0\0\0\0\0\0\0\0\0\0\0\2\0\0\0\0\0\0\0\1\0\0\0x", 26, OW_STATUS_BAD_POSITION},
        {"\1\3\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\1\0\0\0x", 34,
         OW_STATUS_NOT_ASCENDING},
        {"\1\xff\xff\xff\xff\0\0\0\0", 9, OW_STATUS_COUNT_TOO_LARGE},
        {"\0\1\0\xff\xff\xff\xffx", 8, OW_STATUS_END_OF_INPUT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ow_bsatn_row_list list;
        size_t read = 99;
        const uint8_t *in = guarded_copy(cases[i].bytes, cases[i].len);
        STATUS(ow_bsatn_row_list_read(&list, in, cases[i].len, &read), cases[i].status);
        CHECK(read == (cases[i].status == OW_STATUS_OK ? cases[i].len : 0));
    }
    /* Lengths that are no more than claims: nobody looks at rows that do not fit. */
    ow_bytes rows[3] = {{"abc", SIZE_MAX / 2}, {"abc", SIZE_MAX / 2}, {"abc", 3}};
    uint8_t out[16];
    size_t len = 99;
    /* Where no program has anything, so that no output lies in it. */
    rows[0].start = rows[1].start = (const void *)(UINTPTR_MAX / 4);
    STATUS(ow_bsatn_row_list_encoded_len(rows, 3, &len), OW_STATUS_VALUE_TOO_LONG);
    CHECK(len == 0);
    STATUS(ow_bsatn_row_list_write(rows, 3, out, 0, &len), OW_STATUS_VALUE_TOO_LONG);
#if SIZE_MAX > UINT32_MAX
    rows[0].len = 1;
    rows[1].len = UINT32_MAX;
    STATUS(ow_bsatn_row_list_write(rows, 2, out, 0, &len), OW_STATUS_VALUE_TOO_LONG);
#endif
}

/* What a reader refuses, and where it stands then. */
static void refusals(void) {
    ow_bsatn_reader r;
    size_t position;
    uint8_t tag = 9;
    uint32_t count = 9;
    ow_bytes text = {"?", 1};
#define AT(wanted_position, wanted_status)                                        \
    STATUS(ow_bsatn_reader_position(&r, &position), OW_STATUS_OK);                \
    CHECK(position == (wanted_position));                                         \
    STATUS(ow_bsatn_reader_finish(&r), wanted_status);
    STATUS(ow_bsatn_reader_begin(&r, (const uint8_t *)"\1\3", 2), OW_STATUS_OK);
    STATUS(ow_bsatn_get_tag(&r, 2, &tag), OW_STATUS_OK);
    CHECK(tag == 1);
    STATUS(ow_bsatn_get_tag(&r, 3, &tag), OW_STATUS_UNKNOWN_DISCRIMINANT);
    CHECK(tag == 0);
    STATUS(ow_bsatn_get_tag(&r, 256, &tag), OW_STATUS_UNKNOWN_DISCRIMINANT);
    AT(1, OW_STATUS_UNKNOWN_DISCRIMINANT)
    STATUS(ow_bsatn_reader_begin(&r, (const uint8_t *)"\0\2", 2), OW_STATUS_OK);
    STATUS(ow_bsatn_get_bool(&r, &tag), OW_STATUS_OK);
    STATUS(ow_bsatn_get_bool(&r, &tag), OW_STATUS_INVALID_BOOL);
    AT(1, OW_STATUS_INVALID_BOOL)
    STATUS(ow_bsatn_reader_begin(&r, (const uint8_t *)"\2\0\0\0\xff\xff", 6), OW_STATUS_OK);
    STATUS(ow_bsatn_get_string(&r, &text), OW_STATUS_INVALID_UTF8);
    CHECK(text.start == NULL && text.len == 0);
    STATUS(ow_bsatn_reader_finish(&r), OW_STATUS_INVALID_UTF8);
    STATUS(ow_bsatn_reader_begin(&r, (const uint8_t *)"\2\0\0\0\xff\xff", 6), OW_STATUS_OK);
    STATUS(ow_bsatn_get_bytes(&r, &text), OW_STATUS_OK);
    CHECK(text.len == 2 && memcmp(text.start, "\xff\xff", 2) == 0);
    AT(6, OW_STATUS_OK)
    /* Three elements of two bytes do not fit into five. */
    STATUS(ow_bsatn_reader_begin(&r, (const uint8_t *)"\3\0\0\0abcde", 9), OW_STATUS_OK);
    STATUS(ow_bsatn_get_count(&r, 2, &count), OW_STATUS_COUNT_TOO_LARGE);
    CHECK(count == 0);
    AT(0, OW_STATUS_COUNT_TOO_LARGE)
    STATUS(ow_bsatn_reader_begin(&r, (const uint8_t *)"\3\0\0\0abcdef", 10), OW_STATUS_OK);
    STATUS(ow_bsatn_get_count(&r, 2, &count), OW_STATUS_OK);
    CHECK(count == 3);
    AT(4, OW_STATUS_TRAILING_BYTES)
    STATUS(ow_bsatn_reader_begin(&r, (const uint8_t *)"\xff\xff\xff\xff", 4), OW_STATUS_OK);
    STATUS(ow_bsatn_get_count(&r, SIZE_MAX, &count), OW_STATUS_COUNT_TOO_LARGE);
    STATUS(ow_bsatn_reader_begin(&r, (const uint8_t *)"\0\x10\0\0", 4), OW_STATUS_OK);
    STATUS(ow_bsatn_get_count(&r, 0, &count), OW_STATUS_OK);
    CHECK(count == 4096);
    STATUS(ow_bsatn_reader_begin(&r, (const uint8_t *)"\1\x10\0\0", 4), OW_STATUS_OK);
    STATUS(ow_bsatn_get_count(&r, 0, &count), OW_STATUS_COUNT_TOO_LARGE);
#undef AT
}

/* LEB128: every length of every type, in forms that are the shortest and that are not. */
static void varints(void) {
    uint8_t out[10];
    size_t written, read;
    for (unsigned bits = 0; bits <= 64; bits++) {
        uint64_t value = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, found;
        size_t len = bits < 7 ? 1 : (bits + 6) / 7;
        CHECK(ow_leb128_len_u64(value) == len);
        STATUS(ow_leb128_put_u64(out, len, value, &written), OW_STATUS_OK);
        CHECK(written == len);
        STATUS(ow_leb128_put_u64(guarded(len - 1), len - 1, value, &written),
               OW_STATUS_BUFFER_TOO_SMALL);
        CHECK(written == 0);
        STATUS(ow_leb128_get_u64(out, len, &found, &read), OW_STATUS_OK);
        CHECK(found == value && read == len);
        STATUS(ow_leb128_get_u64(guarded_copy(out, len - 1), len - 1, &found, &read),
               OW_STATUS_END_OF_INPUT);
        CHECK(found == 0 && read == 0);
        uint32_t small;
        if (bits <= 32) {
            CHECK(ow_leb128_len_u32((uint32_t)value) == len);
            uint8_t same[5];
            STATUS(ow_leb128_put_u32(same, sizeof same, (uint32_t)value, &written), OW_STATUS_OK);
            CHECK(written == len && memcmp(same, out, len) == 0);
            STATUS(ow_leb128_get_u32(out, len, &small, &read), OW_STATUS_OK);
            CHECK(small == value && read == len);
        } else {
            STATUS(ow_leb128_get_u32(out, len, &small, &read), OW_STATUS_VARINT_TOO_LONG);
            CHECK(small == 0 && read == 0);
        }
        if (len < 5) {
            out[len - 1] |= 0x80;
            out[len] = 0;
            STATUS(ow_leb128_get_u64(out, len + 1, &found, &read), OW_STATUS_OVERLONG_VARINT);
            STATUS(ow_leb128_get_u32(out, len + 1, &small, &read), OW_STATUS_OVERLONG_VARINT);
            STATUS(ow_leb128_get_u64_lenient(out, len + 1, &found, &read), OW_STATUS_OK);
            CHECK(found == value && read == len + 1);
            STATUS(ow_leb128_get_u32_lenient(out, len + 1, &small, &read), OW_STATUS_OK);
            CHECK(small == value && read == len + 1);
        }
    }
}

/* Fields of records: every width and order at every place of a record. */
static void fields(void) {
    const uint64_t value = UINT64_C(0x0102030405060708);
#define WIDTH(bits, order, first)                                                         \
    for (size_t at = 0; at <= 16; at++) {                                                 \
        uint8_t *record = guarded(16);                                                    \
        uint##bits##_t found = 9;                                                         \
        ow_status wanted = at + bits / 8 <= 16 ? OW_STATUS_OK : OW_STATUS_BUFFER_TOO_SMALL; \
        STATUS(ow_record_put_u##bits##_##order(record, 16, at, (uint##bits##_t)value), wanted); \
        for (size_t i = 0; i < 16; i++) {                                                 \
            int inside = wanted == OW_STATUS_OK && i >= at && i < at + bits / 8;          \
            CHECK(inside || record[i] == 0xa5);                                           \
        }                                                                                 \
        if (wanted == OW_STATUS_OK) {                                                     \
            CHECK(record[at] == (first));                                                 \
            STATUS(ow_record_get_u##bits##_##order(record, 16, at, &found), OW_STATUS_OK); \
            CHECK(found == (uint##bits##_t)value);                                        \
        } else {                                                                          \
            STATUS(ow_record_get_u##bits##_##order(record, 16, at, &found),               \
                   OW_STATUS_END_OF_INPUT);                                               \
            CHECK(found == 0);                                                            \
        }                                                                                 \
    }                                                                                     \
    STATUS(ow_record_put_u##bits##_##order(guarded(16), 16, SIZE_MAX, 1),                 \
           OW_STATUS_BUFFER_TOO_SMALL);
    WIDTH(8, le, 8) WIDTH(8, be, 8)
    WIDTH(16, le, 8) WIDTH(16, be, 7)
    WIDTH(32, le, 8) WIDTH(32, be, 5)
    WIDTH(64, le, 8) WIDTH(64, be, 1)
#undef WIDTH
}

/* Batches that a browser could not apply: the status, and the offset of the item. Two components
 * take 8 and 24 bytes, so the edit is at 16, the frames at 48 and 68, and the event id at 96. */
static void trees(void) {
    static uint64_t workspace[OW_RENDER_BATCH_WORKSPACE(2, 4, 4, 4) / 8 + 1];
    ow_render_batch_options options = {sizeof options, 0, 2, 4, 4, 4};
    const uint32_t E = OW_RENDER_FRAME_KIND_ELEMENT, T = OW_RENDER_FRAME_KIND_TEXT;
    const uint32_t A = OW_RENDER_FRAME_KIND_ATTRIBUTE;
    const struct {
        /* Kind and subtree of two frames. */
        uint32_t frames[2][2];
        uint64_t event;
        uint32_t edit, index;
        ow_status status;
        size_t at;
        uint64_t gone;
    } cases[] = {
        {{{E, 2}, {T, 0}}, 0, 1, 0, OW_STATUS_OK, 0, 7},
        {{{E, 3}, {T, 0}}, 0, 1, 0, OW_STATUS_SUBTREE_TOO_LONG, 48, 7},
        {{{T, 0}, {E, 0}}, 0, 1, 0, OW_STATUS_SUBTREE_EMPTY, 68, 7},
        {{{E, 2}, {T, 0}}, 0, 1, 2, OW_STATUS_FRAME_OUT_OF_RANGE, 16, 7},
        {{{E, 2}, {T, 0}}, 0, 5, 0, OW_STATUS_WRONG_FRAME, 16, 7},
        {{{E, 2}, {T, 0}}, 0, 7, 0, OW_STATUS_STEP_OUT_OF_ROOT, 16, 7},
        {{{E, 2}, {T, 0}}, 0, 6, 0, OW_STATUS_STEPS_NOT_BALANCED, 16, 7},
        {{{E, 2}, {A, 0}}, 1, 1, 0, OW_STATUS_EVENT_NAME_WITHOUT_ON, 68, 7},
        {{{E, 2}, {T, 0}}, 0, 1, 0, OW_STATUS_EVENT_ID_TOO_LARGE, 96, UINT64_C(1) << 53},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ow_render_batch batch;
        STATUS(ow_render_batch_begin(&batch, &options, workspace, sizeof workspace), OW_STATUS_OK);
        STATUS(ow_render_batch_component(&batch, 1), OW_STATUS_OK);
        STATUS(ow_render_batch_component(&batch, 2), OW_STATUS_OK);
        ow_render_edit edit = {
            .size = sizeof edit,
            .kind = cases[i].edit,
            .index = (int32_t)cases[i].index,
        };
        STATUS(ow_render_batch_edit(&batch, &edit), OW_STATUS_OK);
        for (size_t f = 0; f < 2; f++) {
            uint32_t kind = cases[i].frames[f][0];
            ow_render_frame frame = {
                .size = sizeof frame,
                .kind = kind,
                .strings = kind == T ? OW_RENDER_HAS_TEXT : OW_RENDER_HAS_NAME,
                .subtree = (int32_t)cases[i].frames[f][1],
                .event = kind == A ? cases[i].event : 0,
            };
            *(kind == T ? &frame.text : &frame.name) = (ow_bytes){"xy", 2};
            STATUS(ow_render_batch_frame(&batch, &frame), OW_STATUS_OK);
        }
        STATUS(ow_render_batch_disposed(&batch, NULL, 0, &cases[i].gone, 1), OW_STATUS_OK);
        uint8_t out[256];
        size_t len, at = 99;
        STATUS(ow_render_batch_finish(&batch, out, sizeof out, &len), OW_STATUS_OK);
        const uint8_t *exact = guarded_copy(out, len);
        STATUS(ow_render_batch_validate(exact, len, 0, &at), cases[i].status);
        CHECK(at == cases[i].at);
        STATUS(ow_render_batch_validate(exact, len, OW_RENDER_ENCODING_ONLY, &at), OW_STATUS_OK);
        CHECK(at == 0);
    }
}

void test_formats(void) {
    run_test("row lists", lists);
    run_test("damaged row lists", damaged_lists);
    run_test("what a reader refuses", refusals);
    run_test("varints", varints);
    run_test("fields of records", fields);
    run_test("trees", trees);
}
