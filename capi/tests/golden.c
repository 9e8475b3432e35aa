/* Golden vectors: render batches and values of BSATN with the bytes that they must have. The
 * script's form is described in xtask/src/capi/script.rs. */
#define _GNU_SOURCE
#include "check.h"

#include <inttypes.h>
#include <stdlib.h>

static FILE *script;
static const unsigned long *wanted_counts;

/* A line of the script, in words. */
#define MOST_WORDS 8
static char *line;
static size_t line_room;
static char *words[MOST_WORDS];
static size_t word_count;

/* A vector has at most this many strings in memory of their own. */
#define MOST_STRINGS 65536
static void *strings[MOST_STRINGS];
static size_t string_count;

static int next_line(void) {
    if (getline(&line, &line_room, script) < 0) {
        return 0;
    }
    word_count = 0;
    char *rest = line;
    for (char *word; (word = strsep(&rest, " \n")) != NULL;) {
        if (*word != '\0' && word_count < MOST_WORDS) {
            words[word_count++] = word;
        }
    }
    return 1;
}

static int is(const char *word) {
    return word_count != 0 && strcmp(words[0], word) == 0;
}

static uint8_t digit(char c) {
    return (uint8_t)(c <= '9' ? c - '0' : c - 'a' + 10);
}

/* Bytes in memory of their very size, so that the sanitizer sees the first one behind them. */
static uint8_t *bytes_of(const char *hex, size_t *len) {
    *len = strcmp(hex, ".") == 0 ? 0 : strlen(hex) / 2;
    uint8_t *bytes = malloc(*len + (*len == 0));
    if (bytes == NULL || string_count == MOST_STRINGS) {
        printf("no memory for the vectors\n");
        exit(1);
    }
    for (size_t i = 0; i < *len; i++) {
        bytes[i] = (uint8_t)(digit(hex[2 * i]) << 4 | digit(hex[2 * i + 1]));
    }
    strings[string_count++] = bytes;
    return bytes;
}

static void free_strings(void) {
    while (string_count != 0) {
        free(strings[--string_count]);
    }
}

/* A string of a frame or an edit; says whether it is there. */
static uint32_t string_of(const char *word, ow_bytes *string, uint32_t flag) {
    if (strcmp(word, "-") == 0) {
        return 0;
    }
    string->start = bytes_of(word, &string->len);
    return flag;
}

static size_t number(size_t word) {
    return strtoull(words[word], NULL, 10);
}

static int32_t integer(size_t word) {
    return (int32_t)strtol(words[word], NULL, 10);
}

/* Compares what comes out, in a buffer of each interesting size. */
static void finish(ow_render_batch *batch, const uint8_t *wanted, size_t len) {
    size_t written = 99, needed = 99;
    STATUS(ow_render_batch_encoded_len(batch, &needed), OW_STATUS_OK);
    CHECK(needed == len);
    uint8_t *out = malloc(len + 1);
    const size_t short_sizes[] = {0, 1, 35, len / 2, len - 1};
    for (size_t i = 0; i < sizeof short_sizes / sizeof *short_sizes; i++) {
        size_t size = short_sizes[i] < len ? short_sizes[i] : len - 1;
        written = 99;
        STATUS(ow_render_batch_finish(batch, out, size, &written), OW_STATUS_BUFFER_TOO_SMALL);
        CHECK(written == 0);
    }
    free(out);
    /* An exact buffer is enough. */
    out = malloc(len);
    STATUS(ow_render_batch_finish(batch, out, len, &written), OW_STATUS_OK);
    CHECK(written == len && memcmp(out, wanted, len) == 0);
    size_t at = 99;
    STATUS(ow_render_batch_validate(out, len, OW_RENDER_ENCODING_ONLY, &at), OW_STATUS_OK);
    CHECK(at == 0);
    /* Every start of it is damaged; of long ones, those near the ends. */
    for (size_t cut = 0; cut < len; cut += cut > 64 && cut + 64 < len && len > 4096 ? 97 : 1) {
        ow_status status = ow_render_batch_validate(out, cut, OW_RENDER_ENCODING_ONLY, &at);
        CHECK(status != OW_STATUS_OK && at <= cut);
    }
    STATUS(ow_render_batch_finish(batch, out, len, &written), OW_STATUS_BAD_HANDLE);
    CHECK(written == 0);
    free(out);
}

static void run_batch(void) {
    ow_render_batch_options options = {
        .size = sizeof options,
        .components = (uint32_t)number(2),
        .edits = (uint32_t)number(3),
        .frames = (uint32_t)number(4),
        .strings = (uint32_t)number(5),
    };
    size_t room = OW_RENDER_BATCH_WORKSPACE(options.components, options.edits, options.frames,
                                            options.strings);
    void *workspace = malloc(room);
    ow_render_batch batch;
    STATUS(ow_render_batch_begin(&batch, &options, workspace, room), OW_STATUS_OK);
    static int32_t components[8192];
    static uint64_t events[8192];
    size_t component_count = 0, event_count = 0;
    while (next_line() && !is("bytes")) {
        if (is("component")) {
            STATUS(ow_render_batch_component(&batch, integer(1)), OW_STATUS_OK);
        } else if (is("edit")) {
            ow_render_edit edit = {
                .size = sizeof edit,
                .kind = (uint32_t)number(1),
                .sibling = integer(2),
                .index = integer(3),
            };
            edit.strings = string_of(words[4], &edit.name, OW_RENDER_HAS_NAME);
            STATUS(ow_render_batch_edit(&batch, &edit), OW_STATUS_OK);
        } else if (is("frame")) {
            ow_render_frame frame = {
                .size = sizeof frame,
                .kind = (uint32_t)number(1),
                .subtree = integer(2),
                .component = integer(3),
                .event = number(4),
            };
            frame.strings = string_of(words[5], &frame.name, OW_RENDER_HAS_NAME);
            frame.strings |= string_of(words[6], &frame.text, OW_RENDER_HAS_TEXT);
            STATUS(ow_render_batch_frame(&batch, &frame), OW_STATUS_OK);
        } else if (is("gone-component") && component_count < 8192) {
            components[component_count++] = integer(1);
        } else if (is("gone-event") && event_count < 8192) {
            events[event_count++] = number(1);
        } else {
            CHECK(!"a line that is not known, or too many of them");
        }
    }
    STATUS(ow_render_batch_disposed(&batch, components, component_count, events, event_count),
           OW_STATUS_OK);
    /* The capacities were exact. */
    STATUS(ow_render_batch_component(&batch, 1), OW_STATUS_CAPACITY_EXCEEDED);
    size_t len;
    const uint8_t *bytes = bytes_of(words[1], &len);
    finish(&batch, bytes, len);
    free(workspace);
    free_strings();
}

static void run_batches(void) {
    rewind(script);
    unsigned long count = 0;
    while (next_line()) {
        if (is("batch")) {
            run_batch();
            count++;
        }
    }
    CHECK(count != 0 && count == wanted_counts[0]);
}

static void run_damaged(void) {
    rewind(script);
    unsigned long count = 0;
    while (next_line()) {
        if (!is("damaged")) {
            continue;
        }
        size_t len, at = 99;
        const uint8_t *bytes = bytes_of(words[3], &len);
        int strict_only = words[2][0] == '1';
        ow_status status = ow_render_batch_validate(bytes, len, OW_RENDER_ENCODING_ONLY, &at);
        CHECK(status >= 32 && status < 64 && at <= len);
        at = 99;
        status = ow_render_batch_validate(
            bytes, len, OW_RENDER_ENCODING_ONLY | OW_RENDER_LENIENT, &at);
        if (strict_only) {
            CHECK(status == OW_STATUS_OK && at == 0);
        } else {
            CHECK(status >= 32 && status < 64 && at <= len);
        }
        free_strings();
        count++;
    }
    CHECK(count != 0 && count == wanted_counts[1]);
}

/* The parts of the current value. */
#define MOST_PARTS 4096
static struct part {
    char kind[8];
    uint64_t number;
    /* Variants of a sum. */
    uint32_t variants;
    ow_bytes bytes;
} parts[MOST_PARTS];
static size_t part_count;

static void read_parts(void) {
    part_count = 0;
    while (next_line() && is("put")) {
        if (part_count == MOST_PARTS || word_count < 3) {
            CHECK(!"a value has too many parts");
            return;
        }
        struct part *part = &parts[part_count++];
        memset(part, 0, sizeof *part);
        snprintf(part->kind, sizeof part->kind, "%s", words[1]);
        if (strcmp(part->kind, "string") == 0 || strcmp(part->kind, "bytes") == 0
            || strcmp(part->kind, "raw") == 0) {
            part->bytes.start = bytes_of(words[2], &part->bytes.len);
        } else if (strcmp(part->kind, "tag") == 0) {
            part->variants = (uint32_t)number(2);
            part->number = number(3);
        } else if (strcmp(part->kind, "count") == 0) {
            part->number = number(3);
        } else {
            /* Negative numbers wrap, and floats are their bits. */
            part->number = strtoull(words[2], NULL, 0);
        }
    }
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static ow_status put_part(ow_bsatn_writer *w, const struct part *part) {
    const char *kind = part->kind;
    uint64_t n = part->number;
    const ow_bytes *b = &part->bytes;
#define PUT(name, call)             \
    if (strcmp(kind, name) == 0) {  \
        return call;                \
    }
    PUT("bool", ow_bsatn_put_bool(w, (uint8_t)n))
    PUT("u8", ow_bsatn_put_u8(w, (uint8_t)n))
    PUT("i8", ow_bsatn_put_i8(w, (int8_t)n))
    PUT("u16", ow_bsatn_put_u16(w, (uint16_t)n))
    PUT("i16", ow_bsatn_put_i16(w, (int16_t)n))
    PUT("u32", ow_bsatn_put_u32(w, (uint32_t)n))
    PUT("i32", ow_bsatn_put_i32(w, (int32_t)n))
    PUT("u64", ow_bsatn_put_u64(w, n))
    PUT("i64", ow_bsatn_put_i64(w, (int64_t)n))
    PUT("f32", ow_bsatn_put_f32(w, float_of((uint32_t)n)))
    PUT("f64", ow_bsatn_put_f64(w, double_of(n)))
    PUT("tag", ow_bsatn_put_tag(w, (uint8_t)n))
    PUT("count", ow_bsatn_put_count(w, (uint32_t)n))
    PUT("string", ow_bsatn_put_string(w, b->start, b->len))
    PUT("bytes", ow_bsatn_put_bytes(w, b->start, b->len))
    PUT("raw", ow_bsatn_put_raw(w, b->start, b->len))
#undef PUT
    CHECK(!"a part that is not known");
    return OW_STATUS_BAD_ARGUMENT;
}

/* Reads a part and compares it; what failed has to be zero. */
static ow_status get_part(ow_bsatn_reader *r, const struct part *part) {
    const char *kind = part->kind;
    uint64_t n = part->number;
#define GET(name, type, call)                             \
    if (strcmp(kind, name) == 0) {                        \
        type value = (type)0x5a;                          \
        ow_status status = call;                          \
        CHECK(value == (status == OW_STATUS_OK ? (type)n : 0)); \
        return status;                                    \
    }
    GET("bool", uint8_t, ow_bsatn_get_bool(r, &value))
    GET("u8", uint8_t, ow_bsatn_get_u8(r, &value))
    GET("i8", int8_t, ow_bsatn_get_i8(r, &value))
    GET("u16", uint16_t, ow_bsatn_get_u16(r, &value))
    GET("i16", int16_t, ow_bsatn_get_i16(r, &value))
    GET("u32", uint32_t, ow_bsatn_get_u32(r, &value))
    GET("i32", int32_t, ow_bsatn_get_i32(r, &value))
    GET("u64", uint64_t, ow_bsatn_get_u64(r, &value))
    GET("i64", int64_t, ow_bsatn_get_i64(r, &value))
    GET("tag", uint8_t, ow_bsatn_get_tag(r, part->variants, &value))
    GET("count", uint32_t, ow_bsatn_get_count(r, 0, &value))
#undef GET
    if (strcmp(kind, "f32") == 0) {
        float value = 1;
        ow_status status = ow_bsatn_get_f32(r, &value);
        uint32_t bits, wanted = status == OW_STATUS_OK ? (uint32_t)n : 0;
        memcpy(&bits, &value, sizeof bits);
        CHECK(bits == wanted);
        return status;
    }
    if (strcmp(kind, "f64") == 0) {
        double value = 1;
        ow_status status = ow_bsatn_get_f64(r, &value);
        uint64_t bits, wanted = status == OW_STATUS_OK ? n : 0;
        memcpy(&bits, &value, sizeof bits);
        CHECK(bits == wanted);
        return status;
    }
    ow_bytes found = {"?", 1};
    ow_status status = strcmp(kind, "string") == 0  ? ow_bsatn_get_string(r, &found)
                       : strcmp(kind, "bytes") == 0 ? ow_bsatn_get_bytes(r, &found)
                                                    : ow_bsatn_get_raw(r, part->bytes.len, &found);
    if (status == OW_STATUS_OK) {
        CHECK(found.len == part->bytes.len
              && (found.len == 0 || memcmp(found.start, part->bytes.start, found.len) == 0));
    } else {
        CHECK(found.start == NULL && found.len == 0);
    }
    return status;
}

static void run_value(void) {
    size_t len;
    const uint8_t *wanted = bytes_of(words[2], &len);
    read_parts();
    CHECK(is("end"));
    /* Every size of the buffer up to the exact one. */
    for (size_t size = 0; size <= len; size += size < 200 || size == len ? 1 : len - size) {
        uint8_t *out = malloc(size + (size == 0));
        ow_bsatn_writer writer;
        STATUS(ow_bsatn_writer_begin(&writer, out, size), OW_STATUS_OK);
        ow_status first = OW_STATUS_OK;
        for (size_t i = 0; i < part_count; i++) {
            ow_status status = put_part(&writer, &parts[i]);
            if (first == OW_STATUS_OK) {
                first = status;
            }
            CHECK(status == first);
        }
        size_t written = 99;
        STATUS(ow_bsatn_writer_finish(&writer, &written), first);
        CHECK(first == (size == len ? OW_STATUS_OK : OW_STATUS_BUFFER_TOO_SMALL));
        CHECK(written == (size == len ? len : 0));
        if (size == len && len != 0) {
            CHECK(memcmp(out, wanted, len) == 0);
        }
        free(out);
    }
    /* Every length of the input up to the exact one, and one byte more. */
    for (size_t size = 0; size <= len + 1; size += size < 200 || size >= len ? 1 : len - size) {
        uint8_t *in = malloc(size + (size == 0));
        if (len != 0) {
            memcpy(in, wanted, size < len ? size : len);
        }
        if (size > len) {
            in[len] = 0;
        }
        ow_bsatn_reader reader;
        STATUS(ow_bsatn_reader_begin(&reader, in, size), OW_STATUS_OK);
        ow_status first = OW_STATUS_OK;
        for (size_t i = 0; i < part_count; i++) {
            ow_status status = get_part(&reader, &parts[i]);
            if (first == OW_STATUS_OK) {
                first = status;
            }
            CHECK(status == first);
        }
        size_t position = 99;
        STATUS(ow_bsatn_reader_position(&reader, &position), OW_STATUS_OK);
        CHECK(position <= size && (size < len || position == len));
        CHECK(size >= len || first == OW_STATUS_END_OF_INPUT);
        STATUS(ow_bsatn_reader_finish(&reader),
               size < len    ? first
               : size == len ? OW_STATUS_OK
                             : OW_STATUS_TRAILING_BYTES);
        free(in);
    }
    free_strings();
}

static void run_values(void) {
    rewind(script);
    unsigned long count = 0;
    while (next_line()) {
        if (is("value")) {
            run_value();
            count++;
        }
    }
    CHECK(count != 0 && count == wanted_counts[2]);
}

void test_golden(const char *path, const unsigned long counts[3]) {
    script = fopen(path, "r");
    wanted_counts = counts;
    if (script == NULL) {
        perror(path);
        exit(1);
    }
    run_test("golden render batches", run_batches);
    run_test("damaged render batches", run_damaged);
    run_test("golden values", run_values);
    fclose(script);
    free(line);
}
