/* capi-01 for HTTP: what is wrong with a call has a status of its own, and the result is zero. */
#include "check.h"

enum { PATHS = 2, ROOM = 2048 };

static uint64_t workspace[OW_HTTP_SITE_WORKSPACE(PATHS, ROOM) / 8 + 1];
static ow_http_site site;
static ow_http_conn conn;
static uint64_t words[64];

static ow_http_response hello(void) {
    return (ow_http_response){
        .size = sizeof(ow_http_response), .status = 200, .body = {"Hello World", 11}};
}

static ow_http_site_options options_of(uint32_t paths) {
    return (ow_http_site_options){.size = sizeof(ow_http_site_options), .paths = paths};
}

static void begin_all(void) {
    ow_http_site_options options = options_of(PATHS);
    STATUS(ow_http_site_begin(&site, &options, workspace, sizeof workspace), OW_STATUS_OK);
    STATUS(ow_http_conn_begin(&conn, OW_HTTP_PROTOCOL_AUTO), OW_STATUS_OK);
}

/* Every function that reads `len` bytes at `in`, or so many items. */
static ow_status in_path(const void *in, size_t len) {
    ow_http_response response = hello();
    return ow_http_site_add(&site, in, len, &response);
}

static ow_status measure(const ow_http_response *response) {
    size_t len = 99;
    ow_status status = ow_http_response_len(response, &len);
    CHECK((status == OW_STATUS_OK) == (len != 0));
    CHECK(status == OW_STATUS_OK || ow_http_site_not_found(&site, response) == status);
    return status;
}

static ow_status in_body(const void *in, size_t len) {
    ow_http_response response = hello();
    response.body = (ow_bytes){in, len};
    return measure(&response);
}

static ow_status in_etag(const void *in, size_t len) {
    ow_http_response response = hello();
    response.etag = (ow_bytes){in, len};
    return measure(&response);
}

static ow_status field(const void *name, size_t name_len, const void *value, size_t value_len) {
    ow_http_response response = hello();
    ow_http_field one = {{name, name_len}, {value, value_len}};
    response.fields = &one;
    response.field_count = 1;
    return measure(&response);
}

static ow_status in_name(const void *in, size_t len) {
    return field(in, len, "a", 1);
}

static ow_status in_value(const void *in, size_t len) {
    return field("x-a", 3, in, len);
}

static ow_status in_fields(const void *in, size_t count) {
    ow_http_response response = hello();
    response.fields = in;
    response.field_count = count;
    return measure(&response);
}

static ow_status in_feed(const void *in, size_t len) {
    uint8_t out[8];
    ow_http_fed fed;
    memset(&fed, 0x5a, sizeof fed);
    ow_status status = ow_http_feed(&conn, &site, in, len, out, sizeof out, &fed);
    CHECK(status == OW_STATUS_OK || (fed.consumed == 0 && fed.next == 0 && fed.reserved == 0));
    return status;
}

static const struct input {
    const char *name;
    ow_status (*call)(const void *in, size_t len);
    /* What no bytes come to. */
    ow_status empty;
    size_t align;
} INPUTS[] = {
    {"a path", in_path, OW_STATUS_PATH_SLASH, 1},
    {"a body", in_body, OW_STATUS_OK, 1},
    {"a tag", in_etag, OW_STATUS_OK, 1},
    {"a field's name", in_name, OW_STATUS_FIELD_NAME, 1},
    {"a field's value", in_value, OW_STATUS_OK, 1},
    {"fields", in_fields, OW_STATUS_OK, sizeof(void *)},
    {"http_feed", in_feed, OW_STATUS_OK, 1},
};

static void inputs(void) {
    for (size_t i = 0; i < sizeof INPUTS / sizeof *INPUTS; i++) {
        const struct input *input = &INPUTS[i];
#define EXPECT(in, len, wanted)                                                                  \
    begin_all();                                                                                 \
    check_status(input->call((in), (len)), (wanted), input->name, __FILE__, __LINE__)
        EXPECT(NULL, 0, input->empty);
        EXPECT(words, 0, input->empty);
        EXPECT(NULL, 5, OW_STATUS_NULL_POINTER);
        EXPECT(words, SIZE_MAX, OW_STATUS_LENGTH_TOO_LARGE);
        EXPECT(words, SIZE_MAX / 2 + 1, OW_STATUS_LENGTH_TOO_LARGE);
        EXPECT((const void *)(UINTPTR_MAX - 15), 64, OW_STATUS_LENGTH_TOO_LARGE);
        if (input->align > 1) {
            EXPECT((const uint8_t *)words + 1, 3, OW_STATUS_UNALIGNED);
            EXPECT(words, SIZE_MAX / 32, OW_STATUS_LENGTH_TOO_LARGE);
        }
#undef EXPECT
    }
}

/* Outputs and results: NULL, too long, not aligned. */
static void outputs(void) {
    uint8_t out[64], *odd = (uint8_t *)words + 1;
    ow_http_fed fed;
    uint32_t what;
    size_t len;
    ow_http_counters counters;
    ow_http_response response = hello();
    begin_all();
#define EACH(call, wanted)                                                                       \
    memset(&fed, 0x5a, sizeof fed);                                                              \
    STATUS(call, wanted);                                                                        \
    CHECK(fed.written == 0 && fed.next == 0)
    EACH(ow_http_feed(&conn, &site, NULL, 0, NULL, 5, &fed), OW_STATUS_NULL_POINTER);
    EACH(ow_http_overflow(&conn, NULL, 5, &fed), OW_STATUS_NULL_POINTER);
    EACH(ow_http_time_out(&conn, NULL, 5, &fed), OW_STATUS_NULL_POINTER);
    EACH(ow_http_feed(&conn, &site, NULL, 0, out, SIZE_MAX, &fed), OW_STATUS_LENGTH_TOO_LARGE);
    EACH(ow_http_overflow(&conn, out, SIZE_MAX, &fed), OW_STATUS_LENGTH_TOO_LARGE);
    EACH(ow_http_time_out(&conn, out, SIZE_MAX, &fed), OW_STATUS_LENGTH_TOO_LARGE);
#undef EACH
    STATUS(ow_http_feed(&conn, &site, NULL, 0, NULL, 0, &fed), OW_STATUS_OK);
    CHECK(fed.next == OW_HTTP_NEXT_READ);
#define PLACE(place, wanted)                                                                     \
    STATUS(ow_http_feed(&conn, &site, NULL, 0, out, sizeof out, place), wanted);                 \
    STATUS(ow_http_overflow(&conn, out, sizeof out, place), wanted);                             \
    STATUS(ow_http_time_out(&conn, out, sizeof out, place), wanted);                             \
    STATUS(ow_http_waiting(&conn, place), wanted);                                               \
    STATUS(ow_http_conn_protocol(&conn, place), wanted);                                              \
    STATUS(ow_http_count(&conn, place), wanted);                                                 \
    STATUS(ow_http_site_min_output(&site, place), wanted);                                       \
    STATUS(ow_http_site_max_response(&site, place), wanted);                                     \
    STATUS(ow_http_response_len(&response, place), wanted)
    PLACE(NULL, OW_STATUS_NULL_POINTER);
    PLACE((void *)odd, OW_STATUS_UNALIGNED);
#undef PLACE
    STATUS(ow_http_waiting(&conn, &what), OW_STATUS_OK);
    CHECK(what == OW_HTTP_WAIT_IDLE);
    STATUS(ow_http_count(&conn, &counters), OW_STATUS_OK);
    CHECK(counters.received == 0 && counters.errors == 0);
    STATUS(ow_http_site_min_output(&site, &len), OW_STATUS_OK);
    CHECK(len != 0);
}

static void with_handles(void *s, void *c, ow_status wanted) {
    uint8_t out[64];
    ow_http_fed fed;
    uint32_t what;
    size_t len;
    ow_http_counters counters;
    ow_http_response response = hello();
    STATUS(ow_http_site_add(s, "/", 1, &response), wanted);
    STATUS(ow_http_site_not_found(s, &response), wanted);
    len = 99;
    STATUS(ow_http_site_min_output(s, &len), wanted);
    CHECK(len == 0);
    len = 99;
    STATUS(ow_http_site_max_response(s, &len), wanted);
    CHECK(len == 0);
#define EACH(call)                                                                               \
    memset(&fed, 0x5a, sizeof fed);                                                              \
    STATUS(call, wanted);                                                                        \
    CHECK(fed.written == 0 && fed.next == 0 && fed.needed == 0)
    EACH(ow_http_feed(&conn, s, NULL, 0, out, sizeof out, &fed));
    EACH(ow_http_feed(c, &site, NULL, 0, out, sizeof out, &fed));
    EACH(ow_http_overflow(c, out, sizeof out, &fed));
    EACH(ow_http_time_out(c, out, sizeof out, &fed));
#undef EACH
    STATUS(ow_http_shutdown(c), wanted);
    what = 99;
    STATUS(ow_http_waiting(c, &what), wanted);
    CHECK(what == 0);
    what = 99;
    STATUS(ow_http_conn_protocol(c, &what), wanted);
    CHECK(what == 0);
    memset(&counters, 0x5a, sizeof counters);
    STATUS(ow_http_count(c, &counters), wanted);
    CHECK(counters.received == 0 && counters.errors == 0);
}

static void handles(void) {
    begin_all();
    with_handles(NULL, NULL, OW_STATUS_NULL_POINTER);
    static uint64_t other_site[sizeof site / 8 + 1], other_conn[sizeof conn / 8 + 1];
    const uint8_t fills[] = {0, 0xff, 0xa5};
    for (size_t i = 0; i < 3; i++) {
        memset(other_site, fills[i], sizeof other_site);
        memset(other_conn, fills[i], sizeof other_conn);
        with_handles(other_site, other_conn, OW_STATUS_BAD_HANDLE);
    }
    with_handles((uint8_t *)other_site + 1, (uint8_t *)other_conn + 1, OW_STATUS_UNALIGNED);
    /* Copies that lie elsewhere, and each in place of the other. */
    memcpy(other_site, &site, sizeof site);
    memcpy(other_conn, &conn, sizeof conn);
    with_handles(other_site, other_conn, OW_STATUS_BAD_HANDLE);
    static union {
        ow_http_site site;
        ow_http_conn conn;
    } any;
    ow_http_site_options options = options_of(1);
    STATUS(ow_http_site_begin(&any.site, &options, workspace, sizeof workspace), OW_STATUS_OK);
    STATUS(ow_http_shutdown(&any.conn), OW_STATUS_BAD_HANDLE);
    STATUS(ow_http_conn_begin(&any.conn, OW_HTTP_PROTOCOL_HTTP1), OW_STATUS_OK);
    ow_http_response response = hello();
    STATUS(ow_http_site_not_found(&any.site, &response), OW_STATUS_BAD_HANDLE);
    STATUS(ow_http_conn_begin(NULL, OW_HTTP_PROTOCOL_HTTP1), OW_STATUS_NULL_POINTER);
    STATUS(ow_http_conn_begin((void *)((uint8_t *)words + 4), 0), OW_STATUS_UNALIGNED);
}

/* Memory in which everything lies over everything else. */
static union {
    uint8_t bytes[8192];
    uint32_t u32s[2048];
    size_t sizes[1024];
    ow_http_fed fed[256];
    ow_http_counters counters;
    ow_http_site_options options;
    ow_http_response response;
    ow_http_field fields[8];
    ow_http_site site;
    ow_http_conn conn;
} m;

static void overlaps(void) {
    ow_http_site_options options = options_of(1);
    size_t room = OW_HTTP_SITE_WORKSPACE(1, 1000), len;
    ow_http_fed fed;
    uint8_t out[64];
    memset(&m, 0, sizeof m);
    STATUS(ow_http_site_begin(&m.site, &options, &m, sizeof m), OW_STATUS_OVERLAP);
    STATUS(ow_http_site_begin(&m.site, &options, m.bytes + 248, room), OW_STATUS_OVERLAP);
    m.options = options;
    STATUS(ow_http_site_begin(&m.site, &m.options, workspace, room), OW_STATUS_OVERLAP);
    STATUS(ow_http_site_begin(&site, &m.options, m.bytes, room), OW_STATUS_OVERLAP);
    STATUS(ow_http_site_begin(&m.site, &options, m.bytes + 256, room), OW_STATUS_OK);
    CHECK(256 + room < 4096);
    /* What is added lies neither in the handle nor in the workspace. */
    ow_http_response response = hello();
    STATUS(ow_http_site_add(&m.site, m.bytes + 255, 1, &response), OW_STATUS_OVERLAP);
    STATUS(ow_http_site_add(&m.site, m.bytes + 256 + room - 1, 1, &response), OW_STATUS_OVERLAP);
    STATUS(ow_http_site_add(&m.site, "/", 1, &m.response), OW_STATUS_OVERLAP);
    STATUS(ow_http_site_not_found(&m.site, (void *)(m.bytes + 512)), OW_STATUS_OVERLAP);
    response.body.start = m.bytes + 300;
    STATUS(ow_http_site_add(&m.site, "/", 1, &response), OW_STATUS_OVERLAP);
    response = hello();
    response.etag = (ow_bytes){m.bytes + 100, 1};
    STATUS(ow_http_site_add(&m.site, "/", 1, &response), OW_STATUS_OVERLAP);
    response = hello();
    response.fields = m.fields;
    response.field_count = 1;
    STATUS(ow_http_site_add(&m.site, "/", 1, &response), OW_STATUS_OVERLAP);
    ow_http_field fields[] = {{{"a", 1}, {"b", 1}}, {{"c", 1}, {m.bytes + 600, 1}}};
    response.fields = fields;
    response.field_count = 2;
    STATUS(ow_http_site_add(&m.site, "/", 1, &response), OW_STATUS_OVERLAP);
    fields[1] = (ow_http_field){{m.bytes + 600, 1}, {"d", 1}};
    STATUS(ow_http_site_add(&m.site, "/", 1, &response), OW_STATUS_OVERLAP);
    /* A length over anything that it is the length of, whatever else is wrong. */
    memset(m.bytes + 4096, 'x', 64);
    fields[0] = (ow_http_field){{NULL, 4}, {"b", 1}};
    fields[1] = (ow_http_field){{"c", 1}, {m.bytes + 4096, 8}};
    STATUS(ow_http_response_len(&response, &m.sizes[512]), OW_STATUS_OVERLAP);
    fields[1] = (ow_http_field){{m.bytes + 4100, 8}, {"d", 1}};
    STATUS(ow_http_response_len(&response, &m.sizes[512]), OW_STATUS_OVERLAP);
    STATUS(ow_http_response_len(&response, (void *)&fields[1]), OW_STATUS_OVERLAP);
    STATUS(ow_http_response_len(&response, &response.field_count), OW_STATUS_OVERLAP);
    response.body = (ow_bytes){m.bytes + 4096, 4};
    STATUS(ow_http_response_len(&response, &m.sizes[512]), OW_STATUS_OVERLAP);
    response.body = (ow_bytes){NULL, 4};
    response.etag = (ow_bytes){m.bytes + 4103, 4};
    STATUS(ow_http_response_len(&response, &m.sizes[512]), OW_STATUS_OVERLAP);
    for (size_t i = 0; i < 64; i++)
        CHECK(m.bytes[4096 + i] == 'x');
    STATUS(ow_http_site_min_output(&m.site, &m.sizes[31]), OW_STATUS_OVERLAP);
    STATUS(ow_http_site_max_response(&m.site, &m.sizes[32]), OW_STATUS_OVERLAP);
    response = hello();
    STATUS(ow_http_site_add(&m.site, "/", 1, &response), OW_STATUS_OK);
    /* A connection, its site, its input, its output and its result. */
    uint8_t *at = m.bytes + 256, request[32];
    STATUS(ow_http_conn_begin(&conn, 0), OW_STATUS_OK);
    memset(request, 'x', sizeof request);
    STATUS(ow_http_feed(&conn, &m.site, request, 32, at, 64, &fed), OW_STATUS_OVERLAP);
    CHECK(fed.next == 0);
    STATUS(ow_http_feed(&conn, &m.site, request, 32, m.bytes + 255, 1, &fed), OW_STATUS_OVERLAP);
    STATUS(ow_http_feed(&conn, &m.site, request, 32, request + 31, 1, &fed), OW_STATUS_OVERLAP);
    STATUS(ow_http_feed(&conn, &m.site, request, 32, (void *)((char *)&conn + 4000), 1, &fed),
           OW_STATUS_OVERLAP);
    STATUS(ow_http_feed(&conn, &m.site, (void *)&conn, 32, out, 64, &fed), OW_STATUS_OVERLAP);
    STATUS(ow_http_feed((void *)&m.conn, &m.site, request, 32, out, 64, &fed), OW_STATUS_OVERLAP);
    STATUS(ow_http_feed((void *)(m.bytes + 512), &m.site, request, 32, out, 64, &fed),
           OW_STATUS_OVERLAP);
    STATUS(ow_http_feed(&conn, &m.site, request, 32, out, 64, &m.fed[7]), OW_STATUS_OVERLAP);
    STATUS(ow_http_feed(&conn, &m.site, request, 32, out, 64, &m.fed[8]), OW_STATUS_OVERLAP);
    STATUS(ow_http_feed(&conn, &m.site, request, 32, out, 64, (void *)&conn), OW_STATUS_OVERLAP);
    m.fed[128].next = 77;
    uint8_t *over = (uint8_t *)&m.fed[128];
    STATUS(ow_http_feed(NULL, &m.site, over, 32, NULL, 5, &m.fed[128]), OW_STATUS_OVERLAP);
    STATUS(ow_http_feed(NULL, NULL, NULL, 32, over, 5, &m.fed[128]), OW_STATUS_OVERLAP);
    STATUS(ow_http_overflow(NULL, over, 5, &m.fed[128]), OW_STATUS_OVERLAP);
    STATUS(ow_http_time_out(&conn, over + 31, 5, &m.fed[128]), OW_STATUS_OVERLAP);
    CHECK(m.fed[128].next == 77);
    STATUS(ow_http_overflow(&conn, (void *)&conn, 5, &fed), OW_STATUS_OVERLAP);
    STATUS(ow_http_time_out(&conn, (void *)&conn, 5, &fed), OW_STATUS_OVERLAP);
    STATUS(ow_http_overflow(&conn, out, 5, (void *)&conn), OW_STATUS_OVERLAP);
    STATUS(ow_http_waiting(&conn, (void *)&conn), OW_STATUS_OVERLAP);
    STATUS(ow_http_conn_protocol(&conn, (void *)&conn), OW_STATUS_OVERLAP);
    STATUS(ow_http_count(&conn, (void *)&conn), OW_STATUS_OVERLAP);
    /* All of it changed nothing. */
    static const uint8_t GET[] = "GET / HTTP/1.1\r\nhost: a\r\n\r\n";
    STATUS(ow_http_feed(&conn, &m.site, GET, sizeof GET - 1, out, 64, &fed), OW_STATUS_OK);
    CHECK(fed.written == 50 && memcmp(out, "HTTP/1.1 200 OK\r\n", 17) == 0);
    STATUS(ow_http_response_len(&response, &len), OW_STATUS_OK);
    CHECK(len > 50 && len < 150);
}

/* What is wrong with a response or a path. */
static void contents(void) {
    static const struct {
        const char *name, *value;
        ow_status status;
    } FIELDS[] = {
        {"x-a", "", OW_STATUS_OK},
        {"x-a", "a b\tc", OW_STATUS_OK},
        {"X-a", "b", OW_STATUS_FIELD_NAME_CASE},
        {":status", "200", OW_STATUS_FIELD_NAME},
        {"x a", "b", OW_STATUS_FIELD_NAME},
        {"x\r\na", "b", OW_STATUS_FIELD_NAME},
        {"connection", "close", OW_STATUS_FIELD_OF_CONNECTION},
        {"transfer-encoding", "chunked", OW_STATUS_FIELD_OF_CONNECTION},
        {"content-length", "5", OW_STATUS_FIELD_IS_DERIVED},
        {"etag", "\"a\"", OW_STATUS_FIELD_IS_DERIVED},
        {"x-a", "b\r\nset-cookie: c", OW_STATUS_FIELD_VALUE},
        {"x-a", " b", OW_STATUS_FIELD_VALUE},
        {"x-a", "b ", OW_STATUS_FIELD_VALUE},
        {"x-a", "\xff", OW_STATUS_INVALID_UTF8},
        {"\xff", "a", OW_STATUS_INVALID_UTF8},
    };
    for (size_t i = 0; i < sizeof FIELDS / sizeof *FIELDS; i++) {
        begin_all();
        const char *name = FIELDS[i].name, *value = FIELDS[i].value;
        check_status(field(name, strlen(name), value, strlen(value)), FIELDS[i].status, name,
                     __FILE__, __LINE__);
    }
    CHECK(field("x-a", 3, "b\0c", 3) == OW_STATUS_FIELD_VALUE);
    static const struct {
        const char *path;
        ow_status status;
    } PATH[] = {
        {"", OW_STATUS_PATH_SLASH},      {"a", OW_STATUS_PATH_SLASH},
        {"/a?b", OW_STATUS_PATH_QUERY},  {"/a#b", OW_STATUS_PATH_QUERY},
        {"/a b", OW_STATUS_PATH_BYTE},   {"/\x7f", OW_STATUS_PATH_BYTE},
        {"/\xff", OW_STATUS_INVALID_UTF8}, {"/a", OW_STATUS_OK},
        {"/a", OW_STATUS_PATH_TWICE},    {"/b", OW_STATUS_OK},
        {"/c", OW_STATUS_CAPACITY_EXCEEDED},
    };
    begin_all();
    for (size_t i = 0; i < sizeof PATH / sizeof *PATH; i++) {
        check_status(in_path(PATH[i].path, strlen(PATH[i].path)), PATH[i].status, PATH[i].path,
                     __FILE__, __LINE__);
    }
    ow_http_response response = hello();
    STATUS(ow_http_site_not_found(&site, &response), OW_STATUS_OK);
    STATUS(ow_http_site_not_found(&site, &response), OW_STATUS_PATH_TWICE);
    begin_all();
#define WITH(change, wanted)                                                                     \
    response = hello();                                                                          \
    response.change;                                                                             \
    STATUS(measure(&response), wanted)
    WITH(size = 0, OW_STATUS_WRONG_STRUCT_SIZE);
    WITH(size += 8, OW_STATUS_WRONG_STRUCT_SIZE);
    WITH(status = 199, OW_STATUS_RESPONSE_STATUS);
    WITH(status = 600, OW_STATUS_RESPONSE_STATUS);
    WITH(status = 65736, OW_STATUS_RESPONSE_STATUS);
    WITH(status = 204, OW_STATUS_BODY_NOT_ALLOWED);
    WITH(status = 304, OW_STATUS_BODY_NOT_ALLOWED);
    WITH(status = 599, OW_STATUS_OK);
    WITH(flags = 2, OW_STATUS_BAD_ARGUMENT);
    WITH(reserved = 1, OW_STATUS_BAD_ARGUMENT);
    WITH(etag = ((ow_bytes){"a b", 3}), OW_STATUS_ETAG_TEXT);
    WITH(etag = ((ow_bytes){"\"a\"", 3}), OW_STATUS_ETAG_TEXT);
    WITH(etag = ((ow_bytes){"\xff", 1}), OW_STATUS_INVALID_UTF8);
    WITH(etag = ((ow_bytes){"a", 1}), OW_STATUS_OK);
    response.flags = OW_HTTP_ETAG_OF_BODY;
    STATUS(measure(&response), OW_STATUS_BAD_ARGUMENT);
    response.flags = 0;
    response.status = 404;
    STATUS(measure(&response), OW_STATUS_ETAG_NOT_ALLOWED);
    static ow_http_field many[OW_HTTP_FIELDS + 1];
    for (size_t i = 0; i <= OW_HTTP_FIELDS; i++)
        many[i] = (ow_http_field){{"vary", 4}, {"a", 1}};
    STATUS(in_fields(many, OW_HTTP_FIELDS), OW_STATUS_OK);
    STATUS(in_fields(many, OW_HTTP_FIELDS + 1), OW_STATUS_CAPACITY_EXCEEDED);
    many[0].name = many[1].name = (ow_bytes){"content-type", 12};
    STATUS(in_fields(many, 2), OW_STATUS_FIELD_TWICE);
    static char long_value[16400];
    memset(long_value, '~', sizeof long_value);
    STATUS(field("x-a", 3, long_value, sizeof long_value), OW_STATUS_HEAD_TOO_LONG);
}

/* The workspace: its size to the byte, its alignment, capacities that no memory has. */
static void workspaces(void) {
    ow_http_site_options options = options_of(1);
    ow_http_response response = hello();
    response.flags = OW_HTTP_ETAG_OF_BODY;
    size_t len;
    STATUS(ow_http_response_len(&response, &len), OW_STATUS_OK);
    STATUS(ow_http_site_begin(&site, NULL, words, sizeof words), OW_STATUS_NULL_POINTER);
    STATUS(ow_http_site_begin(NULL, &options, words, sizeof words), OW_STATUS_NULL_POINTER);
    STATUS(ow_http_site_begin(&site, &options, NULL, 0), OW_STATUS_WORKSPACE_TOO_SMALL);
    STATUS(ow_http_site_begin(&site, &options, NULL, 500), OW_STATUS_NULL_POINTER);
    STATUS(ow_http_site_begin(&site, &options, words, SIZE_MAX), OW_STATUS_LENGTH_TOO_LARGE);
    STATUS(ow_http_site_begin(&site, &options, words, 100), OW_STATUS_WORKSPACE_TOO_SMALL);
    STATUS(ow_http_site_begin(&site, &options, (uint8_t *)workspace + 4, 2000),
           OW_STATUS_UNALIGNED);
    /* As the page says: enough for one path, and to the byte for its response. */
    size_t fixed = OW_HTTP_SITE_WORKSPACE(1, 0), least = 0;
    for (size_t room = 0; room <= fixed + 1 + len; room += 8) {
        uint8_t *exact = guarded(room);
        ow_status begun = ow_http_site_begin(&site, &options, exact, room);
        if (begun != OW_STATUS_OK) {
            STATUS(begun, OW_STATUS_WORKSPACE_TOO_SMALL);
            continue;
        }
        ow_status added = ow_http_site_add(&site, "/", 1, &response);
        if (added != OW_STATUS_OK) {
            STATUS(added, OW_STATUS_WORKSPACE_TOO_SMALL);
            /* What does not fit leaves room for what does. */
            CHECK(least == 0);
            continue;
        }
        least = least == 0 ? room : least;
    }
    CHECK(least != 0 && least <= fixed + 1 + len);
    STATUS(ow_http_site_begin(&site, &options, guarded((fixed + len + 8) / 8 * 8), fixed + 1 + len),
           OW_STATUS_OK);
    STATUS(ow_http_site_add(&site, "/", 1, &response), OW_STATUS_OK);
    options = options_of(65001);
    STATUS(ow_http_site_begin(&site, &options, words, sizeof words), OW_STATUS_BAD_ARGUMENT);
    options = options_of(1);
    options.reserved = 1;
    STATUS(ow_http_site_begin(&site, &options, words, sizeof words), OW_STATUS_BAD_ARGUMENT);
    options.size = 7;
    STATUS(ow_http_site_begin(&site, &options, words, sizeof words), OW_STATUS_WRONG_STRUCT_SIZE);
}

void test_http_misuse(void) {
    run_test("capi-01: inputs of HTTP", inputs);
    run_test("capi-01: outputs of HTTP", outputs);
    run_test("capi-01: handles of HTTP", handles);
    run_test("capi-01: overlaps of HTTP", overlaps);
    run_test("capi-01: workspaces of HTTP", workspaces);
    run_test("contents of sites", contents);
}
