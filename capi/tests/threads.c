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

void test_threads(void) {
    run_test("capi-01: threads", threads);
    run_test("capi-01: a handle that another thread finishes", passed_on);
}
