/* The header as each language sees it: C99, C11 and C++17 compile this file (xtask/src/capi).
 * Sizes and offsets are those that capi/src asserts on the other side of the border (capi-01). */
#include "onewrite.h"

/* C99 has no static assertion; an array of -1 elements does not compile either. */
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)
#define ASSERT(condition) typedef char JOIN(assertion_, __LINE__)[(condition) ? 1 : -1]

ASSERT(OW_VERSION == OW_VERSION_MAJOR * 1000000 + OW_VERSION_MINOR * 1000 + OW_VERSION_PATCH);
ASSERT(sizeof(ow_status) == 4);
ASSERT(OW_STATUS_OK == 0);

/* Handles are as large on every machine. */
ASSERT(sizeof(ow_render_batch) == 192);
ASSERT(sizeof(ow_bsatn_writer) == 48);
ASSERT(sizeof(ow_bsatn_reader) == 48);
ASSERT(sizeof(ow_bsatn_row_list) == 96);
ASSERT(sizeof(ow_http_site) == 256);
ASSERT(sizeof(ow_http_conn) == 4160);
ASSERT(sizeof(ow_http_counters) == 56);
ASSERT(sizeof(ow_http_site_options) == 48);
ASSERT(offsetof(ow_http_site_options, body) == 24);
ASSERT(offsetof(ow_http_site_options, idle_frames) == 40);
ASSERT(sizeof(ow_render_batch_options) == 24);
ASSERT(offsetof(ow_render_batch_options, strings) == 20);

#if UINTPTR_MAX == 0xffffffffffffffff
ASSERT(sizeof(ow_bytes) == 16);
ASSERT(offsetof(ow_bytes, len) == 8);
ASSERT(sizeof(ow_render_frame) == 64);
ASSERT(offsetof(ow_render_frame, kind) == 4);
ASSERT(offsetof(ow_render_frame, strings) == 8);
ASSERT(offsetof(ow_render_frame, subtree) == 12);
ASSERT(offsetof(ow_render_frame, component) == 16);
ASSERT(offsetof(ow_render_frame, event) == 24);
ASSERT(offsetof(ow_render_frame, name) == 32);
ASSERT(offsetof(ow_render_frame, text) == 48);
ASSERT(sizeof(ow_render_edit) == 40);
ASSERT(offsetof(ow_render_edit, sibling) == 12);
ASSERT(offsetof(ow_render_edit, index) == 16);
ASSERT(offsetof(ow_render_edit, name) == 24);
ASSERT(sizeof(ow_http_field) == 32);
ASSERT(offsetof(ow_http_field, value) == 16);
ASSERT(sizeof(ow_http_response) == 64);
ASSERT(offsetof(ow_http_response, status) == 8);
ASSERT(offsetof(ow_http_response, fields) == 16);
ASSERT(offsetof(ow_http_response, field_count) == 24);
ASSERT(offsetof(ow_http_response, body) == 32);
ASSERT(offsetof(ow_http_response, etag) == 48);
ASSERT(sizeof(ow_http_fed) == 32);
ASSERT(offsetof(ow_http_fed, needed) == 16);
ASSERT(offsetof(ow_http_fed, next) == 24);
#endif

/* A workspace can be an array. */
uint64_t ow_header_test_workspace[OW_RENDER_BATCH_WORKSPACE(2, 10, 100, 20) / 8 + 1];
uint64_t ow_header_test_site[OW_HTTP_SITE_WORKSPACE(20, 10000) / 8 + 1];
