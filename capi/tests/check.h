/* What the tests have in common. */
#ifndef CHECK_H
#define CHECK_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "onewrite.h"

/* Counts a failure of the current test and says where. Threads may call them. */
void check(int ok, const char *what, const char *file, int line);
void check_status(ow_status found, ow_status wanted, const char *what, const char *file, int line);

#define CHECK(condition) check((condition), #condition, __FILE__, __LINE__)
#define STATUS(call, wanted) check_status((call), (wanted), #call, __FILE__, __LINE__)

/* Memory whose last byte is the last before a page that nobody may touch, and whose content is not
 * zero: the sanitizers do not see what the library does, the processor does. Freed at the end of the
 * test. `len` is a multiple of what the pointer has to be aligned to. */
void *guarded(size_t len);
/* The same with content. */
void *guarded_copy(const void *content, size_t len);

/* A new random number; the sequence is the same in every run. */
uint32_t random_number(uint64_t *state);

/* The tests, each of them counted as one. */
void test_misuse(void);
void test_overlaps(void);
void test_golden(const char *script, const unsigned long counts[3]);
void test_formats(void);
void test_full(void);
void test_hammer(void);
void test_threads(void);
void test_http(void);
void test_http_misuse(void);

/* Runs one test and prints its result. */
void run_test(const char *name, void (*test)(void));

#endif
