/* capi-01: outputs lie apart from inputs, handles and each other. */
#include "check.h"

static uint8_t bytes[512];
static uint64_t words[64];
static ow_render_batch batch;

/* A row list of the rows 01 02 and 03 04. */
static const uint8_t ROWS[] = {0, 2, 0, 4, 0, 0, 0, 1, 2, 3, 4};

/* Memory in which everything lies over everything else. */
static union {
    uint8_t bytes[512];
    size_t sizes[64];
    uint64_t u64s[64];
    uint32_t u32s[128];
    uint16_t u16s[256];
    ow_bytes rows[32];
    ow_render_batch_options options;
    ow_render_frame frame;
    ow_render_edit edit;
    ow_render_batch batch;
    ow_bsatn_writer writer;
    ow_bsatn_reader reader;
    ow_bsatn_row_list list;
} m;

static void numbers(void) {
    memset(&m, 0, sizeof m);
    STATUS(ow_leb128_put_u32(m.bytes, 64, 1, &m.sizes[7]), OW_STATUS_OVERLAP);
    STATUS(ow_leb128_put_u32(m.bytes, 64, 1, &m.sizes[8]), OW_STATUS_OK);
    STATUS(ow_leb128_put_u64(m.bytes, 64, 1, &m.sizes[0]), OW_STATUS_OVERLAP);
    STATUS(ow_leb128_get_u64(m.bytes, 64, &m.u64s[20], &m.sizes[20]), OW_STATUS_OVERLAP);
    STATUS(ow_leb128_get_u32(m.bytes, 64, &m.u32s[40], &m.sizes[20]), OW_STATUS_OVERLAP);
    /* What is read whole before anything is written may lie under it. */
    memcpy(m.bytes, "\xac\x02", 2);
    STATUS(ow_leb128_get_u32(m.bytes, 64, &m.u32s[0], &m.sizes[1]), OW_STATUS_OK);
    CHECK(m.u32s[0] == 300 && m.sizes[1] == 2);
    memcpy(m.bytes, "\x01\x02\x03\x04\x05\x06\x07\x08", 8);
    STATUS(ow_record_get_u64_be(m.bytes, 8, 0, &m.u64s[0]), OW_STATUS_OK);
    CHECK(m.u64s[0] == UINT64_C(0x0102030405060708));
    STATUS(ow_render_batch_validate(m.bytes, 64, 0, &m.sizes[1]), OW_STATUS_BAD_POSITION);
}

/* A batch: its handle, workspace, options, items, strings, lists and output. */
static void batches(void) {
    size_t size = 99;
    memset(&m, 0, sizeof m);
    ow_render_batch_options options = {sizeof options, 0, 1, 1, 1, 2};
    size_t room = OW_RENDER_BATCH_WORKSPACE(1, 1, 1, 2);
    STATUS(ow_render_batch_begin(&m.batch, &options, m.bytes, sizeof m), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_begin(&m.batch, &options, m.bytes + 184, room), OW_STATUS_OVERLAP);
    m.options = options;
    STATUS(ow_render_batch_begin(&m.batch, &m.options, words, room), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_begin(&batch, &m.options, m.bytes, room), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_begin(&m.batch, &options, m.bytes + 192, room), OW_STATUS_OK);
    STATUS(ow_render_batch_component(&m.batch, 1), OW_STATUS_OK);
    STATUS(ow_render_batch_frame(&m.batch, &m.frame), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_edit(&m.batch, (void *)(m.bytes + 192)), OW_STATUS_OVERLAP);
    char *inside = (char *)m.bytes + 200, *apart = (char *)m.bytes + 352;
    CHECK(192 + room <= 352);
    memset(apart, 'x', 24);
    ow_render_frame frame = {
        .size = sizeof frame,
        .kind = OW_RENDER_FRAME_KIND_ATTRIBUTE,
        .strings = OW_RENDER_HAS_NAME | OW_RENDER_HAS_TEXT,
        .name = {inside, 4},
        .text = {apart, 4},
    };
    STATUS(ow_render_batch_frame(&m.batch, &frame), OW_STATUS_OVERLAP);
    frame.name.start = apart + 8;
    frame.text.start = (char *)&m.batch;
    STATUS(ow_render_batch_frame(&m.batch, &frame), OW_STATUS_OVERLAP);
    frame.text.start = apart;
    STATUS(ow_render_batch_frame(&m.batch, &frame), OW_STATUS_OK);
    ow_render_edit edit = {
        .size = sizeof edit,
        .kind = OW_RENDER_EDIT_KIND_REMOVE_ATTRIBUTE,
        .strings = OW_RENDER_HAS_NAME,
        .name = {inside, 4},
    };
    STATUS(ow_render_batch_edit(&m.batch, &edit), OW_STATUS_OVERLAP);
    edit.name.start = apart + 16;
    STATUS(ow_render_batch_edit(&m.batch, &edit), OW_STATUS_OK);
    STATUS(ow_render_batch_disposed(&m.batch, (void *)inside, 1, NULL, 0), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_disposed(&m.batch, NULL, 0, (void *)inside, 1), OW_STATUS_OVERLAP);
    static int32_t components[] = {7, 8};
    static uint64_t events[] = {7, 8};
    STATUS(ow_render_batch_disposed(&m.batch, components, 2, events, 2), OW_STATUS_OK);
    STATUS(ow_render_batch_encoded_len(&m.batch, (void *)&m.batch), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_encoded_len(&m.batch, &m.sizes[25]), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_finish(&m.batch, bytes, sizeof bytes, &m.sizes[25]), OW_STATUS_OVERLAP);
    /* Over each string and each list, which the handle has borrowed, whatever else is wrong. */
    void *borrowed[] = {apart, apart + 8, apart + 16, components, events, &events[1]};
    for (size_t at = 0; at < sizeof borrowed / sizeof *borrowed; at++) {
        size_t *place = borrowed[at];
        STATUS(ow_render_batch_encoded_len(&m.batch, place), OW_STATUS_OVERLAP);
        STATUS(ow_render_batch_finish(&m.batch, bytes, sizeof bytes, place), OW_STATUS_OVERLAP);
        STATUS(ow_render_batch_finish(&m.batch, NULL, 4, place), OW_STATUS_OVERLAP);
    }
    STATUS(ow_render_batch_finish(&m.batch, m.bytes + 100, 4, (void *)apart), OW_STATUS_OVERLAP);
    /* Not even zero went there. */
    for (size_t at = 0; at < 24; at++)
        CHECK(apart[at] == 'x');
    CHECK(components[0] == 7 && components[1] == 8 && events[0] == 7 && events[1] == 8);
    STATUS(ow_render_batch_encoded_len(&m.batch, &size), OW_STATUS_OK);
    /* Over the handle, the workspace, each string, and each list. */
    STATUS(ow_render_batch_finish(&m.batch, m.bytes + 100, 4, &size), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_finish(&m.batch, (void *)inside, 4, &size), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_finish(&m.batch, (void *)(apart + 3), 1, &size), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_finish(&m.batch, (void *)(apart + 11), 1, &size), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_finish(&m.batch, (void *)(apart + 19), 1, &size), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_finish(&m.batch, (void *)components, 8, &size), OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_finish(&m.batch, (void *)&events[1], 1, &size), OW_STATUS_OVERLAP);
    CHECK(size == 0);
    CHECK(apart[0] == 'x' && apart[3] == 'x');
    /* Between them it may lie, and is merely too small. */
    STATUS(ow_render_batch_finish(&m.batch, (void *)(apart + 4), 4, &size),
           OW_STATUS_BUFFER_TOO_SMALL);
    STATUS(ow_render_batch_finish(&m.batch, bytes, sizeof bytes, (void *)(bytes + 8)),
           OW_STATUS_OVERLAP);
    STATUS(ow_render_batch_finish(&m.batch, bytes, sizeof bytes, &size), OW_STATUS_OK);
    CHECK(size == 36 + 12 + 16 + 20 + 2 * 4 + 2 * 8 + 2 * (5 + 4));
}

static void writers_and_readers(void) {
    size_t size = 99;
    memset(&m, 0, sizeof m);
    STATUS(ow_bsatn_writer_begin(&m.writer, m.bytes + 40, 64), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_writer_begin(&m.writer, m.bytes + 48, 64), OW_STATUS_OK);
    STATUS(ow_bsatn_put_raw(&m.writer, m.bytes + 47, 1), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_put_u8(&m.writer, 1), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_writer_begin(&m.writer, m.bytes + 48, 64), OW_STATUS_OK);
    STATUS(ow_bsatn_put_string(&m.writer, m.bytes + 111, 1), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_writer_begin(&m.writer, m.bytes + 48, 64), OW_STATUS_OK);
    STATUS(ow_bsatn_put_bytes(&m.writer, m.bytes + 112, 1), OW_STATUS_OK);
    STATUS(ow_bsatn_writer_finish(&m.writer, &m.sizes[8]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_reader_begin(&m.reader, m.bytes + 40, 64), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_reader_begin(&m.reader, m.bytes + 48, 64), OW_STATUS_OK);
    STATUS(ow_bsatn_get_u16(&m.reader, &m.u16s[23]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_get_u16(&m.reader, &m.u16s[100]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_reader_begin(&m.reader, m.bytes + 48, 64), OW_STATUS_OK);
    STATUS(ow_bsatn_get_u16(&m.reader, &m.u16s[24]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_reader_position(&m.reader, &m.sizes[0]), OW_STATUS_OVERLAP);
    /* Nor over what is read, where zero is all that would go there. */
    m.u16s[24] = 7;
    m.sizes[13] = 7;
    STATUS(ow_bsatn_get_u16(&m.reader, &m.u16s[24]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_reader_position(&m.reader, &m.sizes[13]), OW_STATUS_OVERLAP);
    CHECK(m.u16s[24] == 7 && m.sizes[13] == 7);
    STATUS(ow_bsatn_reader_begin(&m.reader, m.bytes + 48, 1), OW_STATUS_OK);
    STATUS(ow_bsatn_get_u16(&m.reader, &m.u16s[100]), OW_STATUS_END_OF_INPUT);
    STATUS(ow_bsatn_get_u16(&m.reader, &m.u16s[24]), OW_STATUS_END_OF_INPUT);
    CHECK(m.u16s[24] == 7);
    memcpy(m.bytes + 96, ROWS, sizeof ROWS);
    STATUS(ow_bsatn_row_list_read(&m.list, m.bytes + 95, 8, &size), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_read(&m.list, m.bytes + 96, sizeof ROWS, &m.sizes[2]),
           OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_read(&m.list, m.bytes + 96, sizeof ROWS, &m.sizes[12]),
           OW_STATUS_OVERLAP);
    memcpy(m.bytes + 96, ROWS, sizeof ROWS);
    STATUS(ow_bsatn_row_list_read(&m.list, m.bytes + 96, sizeof ROWS, &size), OW_STATUS_OK);
    STATUS(ow_bsatn_row_list_len(&m.list, &m.sizes[11]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_read(&m.list, m.bytes + 96, sizeof ROWS, &size), OW_STATUS_OK);
    STATUS(ow_bsatn_row_list_get(&m.list, 0, &m.rows[0]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_len(&m.list, &m.sizes[12]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_get(&m.list, 0, &m.rows[6]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_get(&m.list, 9, &m.rows[6]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_read(&m.list, NULL, 4, &m.sizes[2]), OW_STATUS_OVERLAP);
    CHECK(memcmp(m.bytes + 96, ROWS, sizeof ROWS) == 0);
    STATUS(ow_bsatn_row_list_len(&m.list, &size), OW_STATUS_OK);
    CHECK(size == 2);
    m.rows[0] = (ow_bytes){m.bytes + 100, 4};
    STATUS(ow_bsatn_row_list_write(m.rows, 1, m.bytes + 15, 40, &size), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_write(m.rows, 1, m.bytes + 64, 40, &size), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_write(m.rows, 1, m.bytes + 16, 40, &m.sizes[3]), OW_STATUS_OVERLAP);
    m.rows[0] = (ow_bytes){m.bytes + 100, 4};
    STATUS(ow_bsatn_row_list_write(m.rows, 1, m.bytes + 16, 40, &m.sizes[13]), OW_STATUS_OK);
    STATUS(ow_bsatn_row_list_encoded_len(m.rows, 1, &m.sizes[12]), OW_STATUS_OVERLAP);
    /* Over the second row, while the first one or the output is wrong as well. */
    m.rows[0] = (ow_bytes){NULL, 4};
    m.rows[1] = (ow_bytes){m.bytes + 96, sizeof ROWS};
    memcpy(m.bytes + 96, ROWS, sizeof ROWS);
    STATUS(ow_bsatn_row_list_encoded_len(m.rows, 2, &m.sizes[12]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_write(m.rows, 2, NULL, 40, &m.sizes[12]), OW_STATUS_OVERLAP);
    STATUS(ow_bsatn_row_list_write(m.rows, 2, m.bytes, 40, &m.sizes[12]), OW_STATUS_OVERLAP);
    CHECK(memcmp(m.bytes + 96, ROWS, sizeof ROWS) == 0);
    STATUS(ow_bsatn_row_list_encoded_len(m.rows, 2, &size), OW_STATUS_NULL_POINTER);
}

void test_overlaps(void) {
    run_test("capi-01: numbers that overlap", numbers);
    run_test("capi-01: batches that overlap", batches);
    run_test("capi-01: writers and readers that overlap", writers_and_readers);
}
