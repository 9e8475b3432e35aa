/* Every entry point with whatever a caller may come up with, in a sequence that is the same in every
 * run: nothing may crash, hang, or write where it was not told to. */
#include "check.h"

enum { ROUNDS = 300000, ARENA = 1024, TEXTS = 256 };

static uint64_t state;
/* What is read, what is written, what belongs to the writer and what to the batch: each ends where
 * nobody may touch. */
static uint8_t *in, *out, *writers, *workspace;
static ow_render_batch batch;
static ow_bsatn_writer writer;
static ow_bsatn_reader reader;
static ow_bsatn_row_list list;
static int32_t components[4];
static uint64_t events[4];

/* A pointer and a length. */
struct span {
    uint8_t *start;
    size_t len;
};

static uint32_t below(uint32_t limit) {
    return random_number(&state) % limit;
}

/* Mostly the end of an arena; else a mistake. `item` is what `len` counts. */
static struct span any(uint8_t *arena, size_t item) {
    static const size_t lens[] = {1, 5, SIZE_MAX, SIZE_MAX / 2 + 1, SIZE_MAX / 16 + 1};
    size_t most = ARENA / item, len = below(8) == 0 ? below((uint32_t)most + 1) : below(40);
    len = len > most ? most : len;
    switch (below(24)) {
    case 0:
        return (struct span){NULL, 0};
    case 1:
        return (struct span){NULL, lens[below(5)]};
    case 2:
        return (struct span){arena, lens[2 + below(item == 1 ? 2 : 3)]};
    case 3:
        /* One byte off, and as many bytes less. */
        return (struct span){arena + 1, most - 1 < len ? most - 1 : len};
    default:
        return (struct span){arena + ARENA - len * item, len};
    }
}

/* Where a result goes; mostly somewhere. */
static void *place(void *somewhere) {
    static uint64_t odd[2];
    uint32_t choice = below(32);
    return choice == 0 ? NULL : choice == 1 ? (uint8_t *)odd + 1 : somewhere;
}

static uint64_t dead[24];

/* Where a handle is begun; mostly the right place. */
static void *new_handle(void *right) {
    uint32_t choice = below(48);
    return choice == 0 ? NULL : choice == 1 ? (uint8_t *)dead + 4 : right;
}

/* A handle; mostly the right one. */
static void *handle(void *right) {
    return below(48) == 0 ? dead : new_handle(right);
}

/* A string that stays as it is as long as the batch; some are not UTF-8. */
static ow_bytes string(void) {
    struct span span = any(in, 1);
    if (below(4) != 0) {
        /* Letters only. */
        span.len = below(TEXTS);
        span.start = in + below((uint32_t)(TEXTS - span.len) + 1);
    }
    return (ow_bytes){span.start, span.len};
}

static ow_status begin_batch(void) {
    ow_render_batch_options options = {
        below(32) == 0 ? below(64) : (uint32_t)sizeof options,
        below(8) == 0 ? below(8) : 0,
        below(3),
        below(6),
        below(10),
        below(10),
    };
    struct span room = any(workspace, 1);
    if (below(4) != 0) {
        room = (struct span){workspace, ARENA};
    }
    return ow_render_batch_begin(new_handle(&batch), below(32) == 0 ? NULL : &options, room.start,
                                 room.len);
}

static ow_status add_frame(void) {
    ow_render_frame frame = {.size = below(32) == 0 ? below(128) : (uint32_t)sizeof frame};
    frame.kind = below(32) == 0 ? random_number(&state) : below(12);
    int fitting = below(8) != 0;
    uint32_t uses = fitting ? (uint32_t[]){0, 5, 2, 19, 12, 4, 2, 0, 2, 0, 0, 0}[frame.kind % 12]
                            : random_number(&state);
    frame.strings = uses & 3;
    frame.subtree = uses & 4 ? (int32_t)below(4) : 0;
    frame.component = uses & 8 ? (int32_t)random_number(&state) : 0;
    frame.event = uses & 16 ? random_number(&state) : 0;
    frame.name = uses & 1 ? string() : (ow_bytes){NULL, 0};
    frame.text = uses & 2 ? string() : (ow_bytes){NULL, 0};
    return ow_render_batch_frame(handle(&batch), below(32) == 0 ? NULL : &frame);
}

static ow_status add_edit(void) {
    ow_render_edit edit = {.size = below(32) == 0 ? below(128) : (uint32_t)sizeof edit};
    edit.kind = below(12);
    int fitting = below(8) != 0;
    uint32_t uses = fitting ? (uint32_t[]){0, 12, 4, 12, 5, 12, 4, 0, 12, 12, 0, 0}[edit.kind]
                            : random_number(&state);
    edit.strings = uses & 1;
    edit.sibling = uses & 4 ? (int32_t)below(3) : 0;
    edit.index = uses & 8 ? (int32_t)below(8) : 0;
    edit.name = uses & 1 ? string() : (ow_bytes){NULL, 0};
    return ow_render_batch_edit(handle(&batch), below(32) == 0 ? NULL : &edit);
}

static ow_status dispose(void) {
    size_t count = below(5);
    uint8_t *bad = below(2) == 0 ? NULL : (uint8_t *)components + 2;
    return ow_render_batch_disposed(handle(&batch), below(16) == 0 ? (void *)bad : components,
                                    count, events, below(5));
}

/* Writes the batch, damages it a little, and looks at it. */
static ow_status finish_batch(void) {
    struct span room = any(out, 1);
    size_t len;
    ow_status status = ow_render_batch_finish(handle(&batch), room.start, room.len, place(&len));
    if (status == OW_STATUS_OK) {
        CHECK(len <= room.len && len >= 36);
    }
    return status;
}

static ow_status validate(void) {
    static ow_render_batch other;
    static uint64_t words[OW_RENDER_BATCH_WORKSPACE(1, 1, 2, 2) / 8 + 1];
    static uint8_t bytes[256];
    ow_render_batch_options options = {sizeof options, 0, 1, 1, 2, 2};
    ow_render_frame element = {
        .size = sizeof element, .kind = 1, .strings = 1, .subtree = 2, .name = {"div", 3}};
    ow_render_frame text = {.size = sizeof text, .kind = 2, .strings = 2, .text = {"text", 4}};
    ow_render_edit edit = {.size = sizeof edit, .kind = 1};
    size_t len = 0, at = 99;
    (void)ow_render_batch_begin(&other, &options, words, sizeof words);
    (void)ow_render_batch_component(&other, 1);
    (void)ow_render_batch_edit(&other, &edit);
    (void)ow_render_batch_frame(&other, &element);
    (void)ow_render_batch_frame(&other, &text);
    STATUS(ow_render_batch_finish(&other, bytes, sizeof bytes, &len), OW_STATUS_OK);
    for (uint32_t damages = below(4); damages != 0; damages--) {
        bytes[below((uint32_t)len)] ^= (uint8_t)(1u << below(8));
    }
    size_t part = below(4) == 0 ? below((uint32_t)len + 1) : len;
    uint8_t *end = out + ARENA - part;
    memcpy(end, bytes, part);
    ow_status status = ow_render_batch_validate(end, part, below(4), place(&at));
    CHECK(at == 99 || at <= part);
    return status;
}

static ow_status put(void) {
    void *w = handle(&writer);
    uint64_t n = (uint64_t)random_number(&state) << 32 | random_number(&state);
    struct span bytes = any(in, 1);
    switch (below(16)) {
    case 0: return ow_bsatn_put_bool(w, (uint8_t)(n & 1));
    case 1: return ow_bsatn_put_u8(w, (uint8_t)n);
    case 2: return ow_bsatn_put_i8(w, (int8_t)n);
    case 3: return ow_bsatn_put_u16(w, (uint16_t)n);
    case 4: return ow_bsatn_put_i16(w, (int16_t)n);
    case 5: return ow_bsatn_put_u32(w, (uint32_t)n);
    case 6: return ow_bsatn_put_i32(w, (int32_t)n);
    case 7: return ow_bsatn_put_u64(w, n);
    case 8: return ow_bsatn_put_i64(w, (int64_t)n);
    case 9: return ow_bsatn_put_f32(w, (float)n);
    case 10: return ow_bsatn_put_f64(w, (double)n);
    case 11: return ow_bsatn_put_tag(w, (uint8_t)n);
    case 12: return ow_bsatn_put_count(w, (uint32_t)n);
    case 13: return ow_bsatn_put_string(w, bytes.start, bytes.len);
    case 14: return ow_bsatn_put_bytes(w, bytes.start, bytes.len);
    default: return ow_bsatn_put_raw(w, bytes.start, bytes.len);
    }
}

static ow_status get(void) {
    void *r = handle(&reader);
    static union {
        uint8_t u8;
        int8_t i8;
        uint16_t u16;
        int16_t i16;
        uint32_t u32;
        int32_t i32;
        uint64_t u64;
        int64_t i64;
        float f32;
        double f64;
        ow_bytes bytes;
        size_t size;
    } value;
    void *p = place(&value);
    switch (below(17)) {
    case 0: return ow_bsatn_get_bool(r, p);
    case 1: return ow_bsatn_get_u8(r, p);
    case 2: return ow_bsatn_get_i8(r, p);
    case 3: return ow_bsatn_get_u16(r, p);
    case 4: return ow_bsatn_get_i16(r, p);
    case 5: return ow_bsatn_get_u32(r, p);
    case 6: return ow_bsatn_get_i32(r, p);
    case 7: return ow_bsatn_get_u64(r, p);
    case 8: return ow_bsatn_get_i64(r, p);
    case 9: return ow_bsatn_get_f32(r, p);
    case 10: return ow_bsatn_get_f64(r, p);
    case 11: return ow_bsatn_get_tag(r, below(300), p);
    case 12: return ow_bsatn_get_count(r, below(4) == 0 ? SIZE_MAX : below(3), p);
    case 13: return ow_bsatn_get_string(r, p);
    case 14: return ow_bsatn_get_bytes(r, p);
    case 15: return ow_bsatn_get_raw(r, below(8) == 0 ? SIZE_MAX : below(8), p);
    default: return ow_bsatn_reader_position(r, p);
    }
}

/* A row list of random rows is read again as it was written. */
static ow_status write_rows(void) {
    ow_bytes rows[8];
    size_t count = below(9), len = 0, read = 0, found = 99;
    for (size_t i = 0; i < count; i++) {
        rows[i] = string();
    }
    struct span room = any(out, 1);
    size_t needed = 0;
    ow_status measured = ow_bsatn_row_list_encoded_len(rows, count, &needed);
    ow_status status = ow_bsatn_row_list_write(rows, count, room.start, room.len, place(&len));
    if (status == OW_STATUS_OK) {
        ow_bsatn_row_list written;
        CHECK(measured == OW_STATUS_OK && len == needed);
        STATUS(ow_bsatn_row_list_read(&written, room.start, len, &read), OW_STATUS_OK);
        STATUS(ow_bsatn_row_list_len(&written, &found), OW_STATUS_OK);
        CHECK(read == len && found == count);
        for (size_t i = 0; i < count; i++) {
            ow_bytes row;
            STATUS(ow_bsatn_row_list_get(&written, i, &row), OW_STATUS_OK);
            CHECK(row.len == rows[i].len);
            CHECK(row.len == 0 || memcmp(row.start, rows[i].start, row.len) == 0);
        }
    }
    return status;
}

static ow_status read_rows(void) {
    size_t size;
    ow_bytes row;
    switch (below(3)) {
    case 0: {
        struct span span = any(in, 1);
        return ow_bsatn_row_list_read(new_handle(&list), span.start, span.len, place(&size));
    }
    case 1:
        return ow_bsatn_row_list_len(handle(&list), place(&size));
    default:
        return ow_bsatn_row_list_get(handle(&list), below(4), place(&row));
    }
}

static ow_status varint(void) {
    struct span room = any(out, 1), given = any(in, 1);
    static size_t size;
    static uint64_t value;
    uint64_t n = (uint64_t)random_number(&state) << below(32);
    switch (below(6)) {
    case 0: return ow_leb128_put_u32(room.start, room.len, (uint32_t)n, place(&size));
    case 1: return ow_leb128_put_u64(room.start, room.len, n, place(&size));
    case 2: return ow_leb128_get_u32(given.start, given.len, place(&value), place(&size));
    case 3: return ow_leb128_get_u64(given.start, given.len, place(&value), place(&size));
    case 4: return ow_leb128_get_u32_lenient(given.start, given.len, place(&value), place(&size));
    default: return ow_leb128_get_u64_lenient(given.start, given.len, place(&value), place(&size));
    }
}

static ow_status field(void) {
    struct span room = any(out, 1), given = any(in, 1);
    static uint64_t value;
    void *p = place(&value);
    size_t at = below(8) == 0 ? SIZE_MAX - below(9) : below(48);
    uint64_t n = (uint64_t)random_number(&state) << 32 | random_number(&state);
    switch (below(16)) {
    case 0: return ow_record_put_u8_le(room.start, room.len, at, (uint8_t)n);
    case 1: return ow_record_put_u8_be(room.start, room.len, at, (uint8_t)n);
    case 2: return ow_record_put_u16_le(room.start, room.len, at, (uint16_t)n);
    case 3: return ow_record_put_u16_be(room.start, room.len, at, (uint16_t)n);
    case 4: return ow_record_put_u32_le(room.start, room.len, at, (uint32_t)n);
    case 5: return ow_record_put_u32_be(room.start, room.len, at, (uint32_t)n);
    case 6: return ow_record_put_u64_le(room.start, room.len, at, n);
    case 7: return ow_record_put_u64_be(room.start, room.len, at, n);
    case 8: return ow_record_get_u8_le(given.start, given.len, at, p);
    case 9: return ow_record_get_u8_be(given.start, given.len, at, p);
    case 10: return ow_record_get_u16_le(given.start, given.len, at, p);
    case 11: return ow_record_get_u16_be(given.start, given.len, at, p);
    case 12: return ow_record_get_u32_le(given.start, given.len, at, p);
    case 13: return ow_record_get_u32_be(given.start, given.len, at, p);
    case 14: return ow_record_get_u64_le(given.start, given.len, at, p);
    default: return ow_record_get_u64_be(given.start, given.len, at, p);
    }
}

static ow_status begin_writer(void) {
    struct span room = any(writers, 1);
    return ow_bsatn_writer_begin(new_handle(&writer), room.start, room.len);
}

static ow_status finish_writer(void) {
    size_t size;
    return ow_bsatn_writer_finish(handle(&writer), place(&size));
}

static ow_status begin_reader(void) {
    struct span span = any(in, 1);
    return ow_bsatn_reader_begin(new_handle(&reader), span.start, span.len);
}

static ow_status finish_reader(void) {
    return ow_bsatn_reader_finish(handle(&reader));
}

static ow_status add_component(void) {
    return ow_render_batch_component(handle(&batch), (int32_t)random_number(&state));
}

static ow_status measure_batch(void) {
    size_t size;
    return ow_render_batch_encoded_len(handle(&batch), place(&size));
}

/* How often each is called for one round; all of them succeed and fail many times. */
static const struct {
    ow_status (*call)(void);
    uint32_t weight;
} CALLS[] = {
    {begin_batch, 2},   {add_component, 3}, {add_edit, 6},     {add_frame, 10},
    {dispose, 1},       {measure_batch, 2}, {finish_batch, 4}, {validate, 4},
    {begin_writer, 2},  {put, 12},          {finish_writer, 1}, {begin_reader, 4},
    {get, 12},          {finish_reader, 4}, {write_rows, 4},   {read_rows, 6},
    {varint, 6},        {field, 12},
};

static void hammer(void) {
    enum { COUNT = sizeof CALLS / sizeof *CALLS };
    static unsigned long results[COUNT][2], statuses[128];
    uint32_t weights = 0;
    for (size_t i = 0; i < COUNT; i++) {
        weights += CALLS[i].weight;
    }
    state = 20260917;
    in = guarded(ARENA);
    out = guarded(ARENA);
    writers = guarded(ARENA);
    workspace = guarded(ARENA);
    /* Letters in front, anything behind. Row lists and small numbers are not rare there. */
    for (size_t i = 0; i < ARENA; i++) {
        uint8_t random = (uint8_t)random_number(&state);
        in[i] = i < TEXTS ? (uint8_t)('a' + random % 4) : below(2) == 0 ? random % 4 : random;
    }
    memcpy(in + ARENA - 11, "\0\2\0\4\0\0\0\1\2\3\4", 11);
    for (unsigned long round = 0; round < ROUNDS; round++) {
        uint32_t choice = below(weights);
        size_t which = 0;
        while (choice >= CALLS[which].weight) {
            choice -= CALLS[which++].weight;
        }
        ow_status status = CALLS[which].call();
        results[which][status != OW_STATUS_OK]++;
        CHECK(status >= 0 && status < 128);
        statuses[status & 127]++;
    }
    unsigned kinds = 0;
    for (size_t i = 0; i < 128; i++) {
        kinds += statuses[i] != 0;
        CHECK(statuses[i] == 0 || strcmp(ow_error_text((ow_status)i), ow_error_text(-1)) != 0);
    }
    CHECK(kinds >= 25);
    for (size_t i = 0; i < COUNT; i++) {
        if (results[i][0] <= 100 || results[i][1] <= 100) {
            printf("call %zu: %lu times well, %lu times not\n", i, results[i][0], results[i][1]);
            CHECK(!"each call has to succeed and to fail many times");
        }
    }
    printf("hammer: %d calls, %u statuses\n", ROUNDS, kinds);
}

void test_hammer(void) {
    run_test("capi-01: seeded misuse", hammer);
}
