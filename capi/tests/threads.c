/* capi-01: threads that have handles of their own do not know of each other. */
#include "check.h"

#include <pthread.h>

enum { THREADS = 4, BATCHES = 2000 };

/* Builds the batch of a counter's page; the bytes depend on `count` alone. */
static size_t counter(ow_render_batch *batch, uint64_t *workspace, size_t room, uint32_t count,
                      uint8_t *out, size_t out_len) {
    ow_render_batch_options options = {sizeof options, 0, 1, 1, 4, 4};
    char text[32];
    int len = snprintf(text, sizeof text, "Current count: %u", count);
    ow_render_frame frames[] = {
        {.kind = OW_RENDER_FRAME_KIND_ELEMENT, .strings = 1, .subtree = 3, .name = {"p", 1}},
        {.kind = OW_RENDER_FRAME_KIND_ATTRIBUTE, .strings = 3, .name = {"role", 4},
         .text = {"status", 6}},
        {.kind = OW_RENDER_FRAME_KIND_TEXT, .strings = 2, .text = {text, (size_t)len}},
    };
    ow_render_edit edit = {.size = sizeof edit, .kind = OW_RENDER_EDIT_KIND_PREPEND_FRAME};
    size_t written = 0;
    STATUS(ow_render_batch_begin(batch, &options, workspace, room), OW_STATUS_OK);
    STATUS(ow_render_batch_component(batch, (int32_t)count), OW_STATUS_OK);
    STATUS(ow_render_batch_edit(batch, &edit), OW_STATUS_OK);
    for (size_t i = 0; i < 3; i++) {
        frames[i].size = sizeof *frames;
        STATUS(ow_render_batch_frame(batch, &frames[i]), OW_STATUS_OK);
    }
    STATUS(ow_render_batch_finish(batch, out, out_len, &written), OW_STATUS_OK);
    return written;
}

/* What each batch has to be, made before the threads start. */
static uint8_t expected[BATCHES][256];
static size_t lengths[BATCHES];

static void *work(void *argument) {
    uint32_t first = *(const uint32_t *)argument;
    uint64_t workspace[OW_RENDER_BATCH_WORKSPACE(1, 1, 4, 4) / 8 + 1];
    ow_render_batch batch;
    for (uint32_t i = 0; i < BATCHES; i++) {
        uint32_t count = (first + i * 7) % BATCHES;
        uint8_t out[256];
        size_t len = counter(&batch, workspace, sizeof workspace, count, out, sizeof out);
        CHECK(len == lengths[count] && memcmp(out, expected[count], len) == 0);
        ow_bsatn_writer writer;
        STATUS(ow_bsatn_writer_begin(&writer, out, sizeof out), OW_STATUS_OK);
        STATUS(ow_bsatn_put_u32(&writer, count), OW_STATUS_OK);
        STATUS(ow_bsatn_writer_finish(&writer, &len), OW_STATUS_OK);
        uint32_t found = 0;
        STATUS(ow_record_get_u32_le(out, len, 0, &found), OW_STATUS_OK);
        CHECK(found == count);
    }
    return NULL;
}

static void threads(void) {
    uint64_t workspace[OW_RENDER_BATCH_WORKSPACE(1, 1, 4, 4) / 8 + 1];
    ow_render_batch batch;
    for (uint32_t count = 0; count < BATCHES; count++) {
        lengths[count] = counter(&batch, workspace, sizeof workspace, count, expected[count],
                                 sizeof expected[count]);
    }
    pthread_t threads[THREADS];
    uint32_t firsts[THREADS];
    for (uint32_t i = 0; i < THREADS; i++) {
        firsts[i] = i * 501;
        CHECK(pthread_create(&threads[i], NULL, work, &firsts[i]) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

/* A handle may be begun by one thread and finished by another. */
static void *finish_elsewhere(void *batch) {
    static uint8_t out[64];
    size_t len;
    STATUS(ow_render_batch_finish(batch, out, sizeof out, &len), OW_STATUS_OK);
    return NULL;
}

static void passed_on(void) {
    uint64_t workspace[OW_RENDER_BATCH_WORKSPACE(1, 0, 0, 0) / 8 + 1];
    ow_render_batch batch;
    ow_render_batch_options options = {sizeof options, 0, 1, 0, 0, 0};
    STATUS(ow_render_batch_begin(&batch, &options, workspace, sizeof workspace), OW_STATUS_OK);
    STATUS(ow_render_batch_component(&batch, 1), OW_STATUS_OK);
    pthread_t other;
    CHECK(pthread_create(&other, NULL, finish_elsewhere, &batch) == 0);
    pthread_join(other, NULL);
    STATUS(ow_render_batch_component(&batch, 1), OW_STATUS_BAD_HANDLE);
}

/* One site, of which connections in several threads only look at: each thread has its own. */
static ow_http_site site;
static uint64_t site_workspace[OW_HTTP_SITE_WORKSPACE(2, 1024) / 8 + 1];

static void *serve_from_one_site(void *argument) {
    static const char requests[] = "GET /a HTTP/1.1\r\nhost: pi\r\n\r\nGET /b HTTP/1.1\r\nhost: pi\r\n\r\n"
                                   "GET /c HTTP/1.1\r\nhost: pi\r\n\r\n";
    static const char responses[] = "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\na"
                                    "HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nb"
                                    "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n";
    ow_http_conn *conn = argument;
    uint8_t out[256];
    STATUS(ow_http_conn_begin(conn, OW_HTTP_PROTOCOL_AUTO), OW_STATUS_OK);
    for (int i = 0; i < BATCHES; i++) {
        ow_http_fed fed;
        const uint8_t *in = (const uint8_t *)requests;
        STATUS(ow_http_feed(conn, &site, in, sizeof requests - 1, out, sizeof out, &fed), OW_STATUS_OK);
        CHECK(fed.consumed == sizeof requests - 1 && fed.written == sizeof responses - 1);
        CHECK(memcmp(out, responses, fed.written) == 0);
        size_t least = 0;
        STATUS(ow_http_site_min_output(&site, &least), OW_STATUS_OK);
        CHECK(least != 0);
    }
    return NULL;
}

static void one_site(void) {
    static ow_http_conn conns[THREADS];
    ow_http_site_options options = {.size = sizeof options, .paths = 2};
    STATUS(ow_http_site_begin(&site, &options, site_workspace, sizeof site_workspace), OW_STATUS_OK);
    ow_http_response response = {.size = sizeof response, .status = 200, .body = {"a", 1}};
    STATUS(ow_http_site_add(&site, "/a", 2, &response), OW_STATUS_OK);
    response.body = (ow_bytes){"b", 1};
    STATUS(ow_http_site_add(&site, "/b", 2, &response), OW_STATUS_OK);
    ow_http_site before = site;
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        CHECK(pthread_create(&threads[i], NULL, serve_from_one_site, &conns[i]) == 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    /* Not a byte of it was written. */
    CHECK(memcmp(&before, &site, sizeof site) == 0);
}

void test_threads(void) {
    run_test("capi-01: threads", threads);
    run_test("http-c: threads that serve from one site", one_site);
    run_test("capi-01: a handle that another thread finishes", passed_on);
}
