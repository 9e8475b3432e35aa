/* http-c: a site of responses that are made at run time, and connections that are served from it. */
#include "check.h"

enum { PATHS = 8, ROOM = 1 << 16 };

static uint64_t workspace[OW_HTTP_SITE_WORKSPACE(PATHS, ROOM) / 8 + 1];
static ow_http_site site;
static ow_http_conn conn;
static uint8_t large[40000];

static ow_bytes text(const char *content) {
    return (ow_bytes){content, strlen(content)};
}

static ow_http_response response_of(uint32_t status, const char *body) {
    return (ow_http_response){.size = sizeof(ow_http_response), .status = status, .body = text(body)};
}

static ow_status add(const char *path, const ow_http_response *response) {
    return ow_http_site_add(&site, path, strlen(path), response);
}

static ow_status begin_site(void) {
    ow_http_site_options options = {.size = sizeof options, .paths = PATHS};
    return ow_http_site_begin(&site, &options, workspace, sizeof workspace);
}

/* `/` with a tag, `/plain` without one, `/large` in several frames, `/empty`, and 404 with a body. */
static void make_site(void) {
    STATUS(begin_site(), OW_STATUS_OK);
    const ow_http_field fields[] = {{text("content-type"), text("text/plain")}};
    ow_http_response response = response_of(200, "Hello World");
    response.fields = fields;
    response.field_count = 1;
    STATUS(add("/plain", &response), OW_STATUS_OK);
    response.etag = text("v1");
    STATUS(add("/", &response), OW_STATUS_OK);
    for (size_t i = 0; i < sizeof large; i++)
        large[i] = (uint8_t)(i / 7);
    response = response_of(200, "");
    response.body = (ow_bytes){large, sizeof large};
    response.flags = OW_HTTP_ETAG_OF_BODY;
    STATUS(add("/large", &response), OW_STATUS_OK);
    response = response_of(204, "");
    STATUS(add("/empty", &response), OW_STATUS_OK);
    response = response_of(404, "not here");
    STATUS(ow_http_site_not_found(&site, &response), OW_STATUS_OK);
}

/* What a client that sends `input` gets, in pieces of `step` bytes and outputs of `room` bytes. The
 * input lies at the end of memory each time, and so does the output. */
struct got {
    uint8_t bytes[200000];
    size_t len;
    uint32_t next;
};

static void serve(struct got *got, uint32_t protocol, const void *input, size_t len, size_t cut,
                  size_t step, size_t room) {
    uint8_t *in, *out;
    size_t have = 0, given = 0;
    in = guarded(len + 1);
    out = guarded(room);
    got->len = 0;
    STATUS(ow_http_conn_begin(&conn, protocol), OW_STATUS_OK);
    for (unsigned turns = 0; turns < 1000000; turns++) {
        ow_http_fed fed;
        uint8_t *end = in + len + 1;
        memset(out, 0xa5, room);
        STATUS(ow_http_feed(&conn, &site, end - have, have, out, room, &fed), OW_STATUS_OK);
        CHECK(fed.consumed <= have && fed.written <= room && fed.reserved == 0);
        CHECK((fed.needed != 0) == (fed.next == OW_HTTP_NEXT_FLUSH));
        /* Nothing is written behind what it says. */
        for (size_t i = fed.written; i < room && i < fed.written + 16; i++)
            CHECK(out[i] == 0xa5 || fed.next == OW_HTTP_NEXT_FLUSH);
        if (got->len + fed.written > sizeof got->bytes) {
            CHECK(!"more comes than there can be");
            return;
        }
        memcpy(got->bytes + got->len, out, fed.written);
        got->len += fed.written;
        got->next = fed.next;
        have -= fed.consumed;
        if (fed.next == OW_HTTP_NEXT_CLOSE)
            return;
        if (fed.next == OW_HTTP_NEXT_FLUSH) {
            CHECK(fed.written != 0 || fed.consumed != 0);
            continue;
        }
        if (given == len)
            return;
        size_t more = given < cut ? cut - given : step;
        more = more > len - given ? len - given : more;
        /* What is not consumed moves to the front of what comes. */
        memmove(end - have - more, end - have, have);
        memcpy(end - more, (const uint8_t *)input + given, more);
        have += more;
        given += more;
    }
    CHECK(!"a connection goes on for ever");
}

static int is(const struct got *got, const char *wanted, size_t len) {
    return got->len == len && memcmp(got->bytes, wanted, len) == 0;
}
#define IS(got, wanted) is(&(got), (wanted), sizeof(wanted) - 1)

static struct got got, whole;

/* RFC 9112: what a client sees, byte for byte. */
static void over_http1(void) {
    make_site();
#define ASK(request) serve(&got, OW_HTTP_PROTOCOL_AUTO, (request), sizeof(request) - 1, 0, 1000, 65536)
    ASK("GET /plain HTTP/1.1\r\nhost: pi\r\n\r\n");
    CHECK(IS(got, "HTTP/1.1 200 OK\r\ncontent-length: 11\r\ncontent-type: text/plain\r\n\r\n"
                  "Hello World"));
    CHECK(got.next == OW_HTTP_NEXT_READ);
    ASK("HEAD /plain?a=b HTTP/1.1\r\nhost: pi\r\n\r\n");
    CHECK(IS(got, "HTTP/1.1 200 OK\r\ncontent-length: 11\r\ncontent-type: text/plain\r\n\r\n"));
    ASK("GET / HTTP/1.1\r\nhost: pi\r\nif-none-match: \"v1\"\r\n\r\n");
    CHECK(IS(got, "HTTP/1.1 304 Not Modified\r\netag: \"v1\"\r\n\r\n"));
    ASK("GET / HTTP/1.1\r\nhost: pi\r\nif-none-match: \"v2\"\r\nconnection: close\r\n\r\n");
    CHECK(IS(got, "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 11\r\netag: \"v1\"\r\n"
                  "content-type: text/plain\r\n\r\nHello World"));
    CHECK(got.next == OW_HTTP_NEXT_CLOSE);
    ASK("GET /empty HTTP/1.1\r\nhost: pi\r\n\r\nGET /else HTTP/1.1\r\nhost: pi\r\n\r\n");
    CHECK(IS(got, "HTTP/1.1 204 No Content\r\n\r\n"
                  "HTTP/1.1 404 Not Found\r\ncontent-length: 8\r\n\r\nnot here"));
    ASK("GET / HTTP/1.1\r\n\r\n");
    CHECK(got.next == OW_HTTP_NEXT_CLOSE && memcmp(got.bytes, "HTTP/1.1 400 ", 13) == 0);
    ow_http_counters counters;
    STATUS(ow_http_count(&conn, &counters), OW_STATUS_OK);
    CHECK(counters.requests == 1 && counters.refused == 1 && counters.sent == got.len);
    /* Without an answer of its own, a path that is not there is a plain 404. */
    STATUS(begin_site(), OW_STATUS_OK);
    ASK("GET / HTTP/1.1\r\nhost: pi\r\n\r\n");
    CHECK(IS(got, "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"));
}

#define PREFACE "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" "\0\0\0\x04\0\0\0\0\0"
/* GET, and a path that is a literal without indexing. */
#define GET2(length, block, stream, path)                                                        \
    "\0\0" length "\x01\x05\0\0\0" stream "\x82\x86\x04" block path

/* RFC 9113: frames in, frames out. */
static void over_http2(void) {
    make_site();
    /* SETTINGS, acknowledged; HEADERS of 7 + 3 bytes. */
    ASK(PREFACE "\0\0\0\x04\x01\0\0\0\0" GET2("\x0a", "\x06", "\x01", "/plain"));
    CHECK(got.next == OW_HTTP_NEXT_READ);
    uint32_t what;
    STATUS(ow_http_conn_protocol(&conn, &what), OW_STATUS_OK);
    CHECK(what == OW_HTTP_PROTOCOL_HTTP2);
    /* Our SETTINGS in front, the answer to theirs, and the response: `:status` 200 is field 8 of the
     * static table, content-length 28, content-type 31, "text/plain" in the code of Huffman. */
    static const char RESPONSE[] =
        "\0\0\x10\x01\x04\0\0\0\x01" "\x88" "\x0f\x0d\x02" "11"
        "\x0f\x10\x87\x49\x7c\xa5\x8a\xe8\x19\xaa"
        "\0\0\x0b\0\x01\0\0\0\x01" "Hello World";
    size_t len = sizeof RESPONSE - 1;
    CHECK(got.len > len + 18 && memcmp(got.bytes + got.len - len, RESPONSE, len) == 0);
    CHECK(got.bytes[3] == 4 && got.bytes[4] == 0);
    /* A stream of its own for each; HEAD and what is not there as well. */
    ASK(PREFACE GET2("\x0a", "\x06", "\x01", "/empty")
        "\0\0\x05\x01\x05\0\0\0\x03\x82\x86\x04\x01?"
        "\0\0\x08\x06\0\0\0\0\0abcdefgh");
    static const char PONG[] = "\0\0\x08\x06\x01\0\0\0\0abcdefgh";
    len = sizeof PONG - 1;
    CHECK(got.len > len && memcmp(got.bytes + got.len - len, PONG, len) == 0);
    STATUS(ow_http_shutdown(&conn), OW_STATUS_OK);
    ow_http_fed fed;
    uint8_t out[256];
    STATUS(ow_http_feed(&conn, &site, NULL, 0, out, sizeof out, &fed), OW_STATUS_OK);
    CHECK(fed.next == OW_HTTP_NEXT_CLOSE && fed.written == 17 && out[3] == 7);
}

/* What DATA frames bring on a stream, which is complete if it has ended. */
static size_t data_of(const struct got *from, uint8_t stream, uint8_t *into, size_t most) {
    size_t len = 0;
    int ended = 0;
    for (size_t at = 0; at + 9 <= from->len;) {
        const uint8_t *frame = from->bytes + at;
        size_t size = (size_t)frame[0] << 16 | (size_t)frame[1] << 8 | frame[2];
        at += 9 + size;
        CHECK(at <= from->len && size <= 16384);
        if (at > from->len || frame[8] != stream || frame[3] > 1)
            continue;
        CHECK(!ended);
        ended = frame[4] & 1;
        if (frame[3] == 0 && size <= most - len) {
            memcpy(into + len, frame + 9, size);
            len += size;
        }
    }
    CHECK(ended);
    return len;
}

/* How the input is cut and how long the output is makes no difference. */
static void same(uint32_t protocol, const char *input, size_t len) {
    size_t least, longest;
    STATUS(ow_http_site_min_output(&site, &least), OW_STATUS_OK);
    STATUS(ow_http_site_max_response(&site, &longest), OW_STATUS_OK);
    CHECK(longest >= sizeof large && longest < sizeof large + 200 && least <= longest);
    serve(&whole, protocol, input, len, 0, len, 1 << 17);
    CHECK(whole.len > sizeof large);
    for (size_t cut = 0; cut <= len; cut++) {
        serve(&got, protocol, input, len, cut, len, 1 << 17);
        CHECK(got.len == whole.len && memcmp(got.bytes, whole.bytes, got.len) == 0);
    }
    for (size_t room = least; room < longest + 64; room = room < least + 80 ? room + 1 : room * 2) {
        serve(&got, protocol, input, len, 0, 1, room);
        CHECK(got.next == whole.next);
        if (protocol == OW_HTTP_PROTOCOL_HTTP1)
            CHECK(got.len == whole.len && memcmp(got.bytes, whole.bytes, got.len) == 0);
        if (protocol == OW_HTTP_PROTOCOL_HTTP2) {
            /* How a body is cut into frames is another matter. */
            static uint8_t body[sizeof large + 1];
            CHECK(data_of(&got, 1, body, sizeof body) == sizeof large);
            CHECK(memcmp(body, large, sizeof large) == 0);
            CHECK(data_of(&got, 3, body, sizeof body) == 11);
            CHECK(memcmp(body, "Hello World", 11) == 0);
        }
    }
}

static void cuts(void) {
    make_site();
    static const char HTTP1[] =
        "GET /plain HTTP/1.1\r\nhost: pi\r\n\r\n"
        "POST /large HTTP/1.1\r\nhost: pi\r\ncontent-length: 4\r\n\r\nabcd"
        "GET /large HTTP/1.1\r\nhost: pi\r\n\r\n"
        "HEAD / HTTP/1.1\r\nhost: pi\r\nconnection: close\r\n\r\n";
    same(OW_HTTP_PROTOCOL_HTTP1, HTTP1, sizeof HTTP1 - 1);
    /* A window of 40,000 bytes for each stream. */
    static const char HTTP2[] =
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" "\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\x9c\x40"
        GET2("\x0a", "\x06", "\x01", "/large") GET2("\x0a", "\x06", "\x03", "/plain");
    same(OW_HTTP_PROTOCOL_HTTP2, HTTP2, sizeof HTTP2 - 1);
}

/* The clock is the caller's: what a connection waits for, and how it is ended. */
static void endings(void) {
    make_site();
    uint8_t out[128];
    ow_http_fed fed;
    uint32_t what = 99;
    STATUS(ow_http_conn_begin(&conn, OW_HTTP_PROTOCOL_AUTO), OW_STATUS_OK);
    STATUS(ow_http_waiting(&conn, &what), OW_STATUS_OK);
    CHECK(what == OW_HTTP_WAIT_IDLE);
    STATUS(ow_http_conn_protocol(&conn, &what), OW_STATUS_OK);
    CHECK(what == OW_HTTP_PROTOCOL_AUTO);
    STATUS(ow_http_feed(&conn, &site, (const uint8_t *)"GET /", 5, out, sizeof out, &fed),
           OW_STATUS_OK);
    STATUS(ow_http_waiting(&conn, &what), OW_STATUS_OK);
    CHECK(what == OW_HTTP_WAIT_HEAD && fed.next == OW_HTTP_NEXT_READ);
    STATUS(ow_http_time_out(&conn, out, 4, &fed), OW_STATUS_OK);
    STATUS(ow_http_conn_begin(&conn, OW_HTTP_PROTOCOL_AUTO), OW_STATUS_OK);
    STATUS(ow_http_feed(&conn, &site, (const uint8_t *)"GET /", 5, out, sizeof out, &fed),
           OW_STATUS_OK);
    STATUS(ow_http_time_out(&conn, out, sizeof out, &fed), OW_STATUS_OK);
    CHECK(fed.next == OW_HTTP_NEXT_CLOSE && memcmp(out, "HTTP/1.1 408 ", 13) == 0);
    STATUS(ow_http_conn_begin(&conn, OW_HTTP_PROTOCOL_HTTP1), OW_STATUS_OK);
    STATUS(ow_http_feed(&conn, &site, (const uint8_t *)"GET /", 5, out, sizeof out, &fed),
           OW_STATUS_OK);
    STATUS(ow_http_overflow(&conn, out, sizeof out, &fed), OW_STATUS_OK);
    CHECK(fed.next == OW_HTTP_NEXT_CLOSE && memcmp(out, "HTTP/1.1 414 ", 13) == 0);
    STATUS(ow_http_conn_begin(&conn, OW_HTTP_PROTOCOL_HTTP1), OW_STATUS_OK);
    static const uint8_t POST[] = "POST / HTTP/1.1\r\nhost: pi\r\ncontent-length: 9\r\n\r\nabc";
    STATUS(ow_http_feed(&conn, &site, POST, sizeof POST - 1, out, sizeof out, &fed), OW_STATUS_OK);
    STATUS(ow_http_waiting(&conn, &what), OW_STATUS_OK);
    CHECK(what == OW_HTTP_WAIT_BODY);
    STATUS(ow_http_conn_begin(&conn, 3), OW_STATUS_BAD_ARGUMENT);
    /* Limits are the site's. */
    ow_http_site_options options = {.size = sizeof options, .paths = 1, .target = 10};
    STATUS(ow_http_site_begin(&site, &options, workspace, sizeof workspace), OW_STATUS_OK);
    ASK("GET /123456789 HTTP/1.1\r\nhost: pi\r\n\r\n");
    CHECK(memcmp(got.bytes, "HTTP/1.1 404 ", 13) == 0);
    ASK("GET /1234567890 HTTP/1.1\r\nhost: pi\r\n\r\n");
    CHECK(memcmp(got.bytes, "HTTP/1.1 414 ", 13) == 0);
    options = (ow_http_site_options){.size = sizeof options, .body = 5};
    STATUS(ow_http_site_begin(&site, &options, workspace, sizeof workspace), OW_STATUS_OK);
    ASK("GET / HTTP/1.1\r\nhost: pi\r\ncontent-length: 6\r\n\r\n");
    CHECK(memcmp(got.bytes, "HTTP/1.1 413 ", 13) == 0);
}

/* Whatever a client sends, mutated: nothing is written where it was not told to. */
static void hammer(void) {
    make_site();
    static const char SEEDS[2][160] = {
        "GET /plain HTTP/1.1\r\nhost: pi\r\n\r\nPOST / HTTP/1.1\r\nhost: pi\r\n"
        "transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\nGET /large HTTP/1.1\r\nhost: pi\r\n\r\n",
        PREFACE GET2("\x0a", "\x06", "\x01", "/plain") GET2("\x0a", "\x06", "\x03", "/large")
        "\0\0\x08\x06\0\0\0\0\0abcdefgh" "\0\0\x04\x08\0\0\0\0\x03\0\0\0\x09",
    };
    uint8_t *in = guarded(160), *out = guarded(4096);
    uint64_t state = 20261201;
    unsigned long closed = 0, sent = 0;
    for (unsigned round = 0; round < 20000; round++) {
        memcpy(in, SEEDS[round % 2], 160);
        for (uint32_t i = random_number(&state) % 5; i > 0; i--)
            in[random_number(&state) % 160] = (uint8_t)random_number(&state);
        STATUS(ow_http_conn_begin(&conn, random_number(&state) % 3), OW_STATUS_OK);
        size_t at = 0, end = 0;
        for (unsigned turns = 0; turns < 400 && at < 160; turns++) {
            size_t room = random_number(&state) % 4096;
            end += random_number(&state) % 80;
            end = end > 160 ? 160 : end;
            ow_http_fed fed;
            STATUS(ow_http_feed(&conn, &site, in + at, end - at, out + 4096 - room, room, &fed),
                   OW_STATUS_OK);
            CHECK(fed.consumed <= end - at && fed.written <= room);
            at += fed.consumed;
            sent += fed.written;
            if (fed.next == OW_HTTP_NEXT_CLOSE) {
                closed++;
                break;
            }
        }
    }
    CHECK(closed > 1000 && sent > 1000000);
    printf("http: 20000 connections, %lu closed, %lu bytes sent\n", closed, sent);
}

void test_http(void) {
    run_test("http: HTTP/1.1 byte for byte", over_http1);
    run_test("http: HTTP/2 frame by frame", over_http2);
    run_test("http: every cut and every output", cuts);
    run_test("http: endings and limits", endings);
    run_test("http: mutated requests", hammer);
}
