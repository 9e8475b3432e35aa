/* Runs the tests and counts: `capi-tests VECTORS BATCHES DAMAGED VALUES`. */
#define _DEFAULT_SOURCE
#include "check.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static atomic_uint failures;
static unsigned passed, failed;

/* The mappings of the current test. */
static struct mapping {
    void *start;
    size_t len;
} mappings[4096];
static size_t mapping_count;

void check(int ok, const char *what, const char *file, int line) {
    if (!ok && atomic_fetch_add(&failures, 1) < 20) {
        printf("%s:%d: %s\n", file, line, what);
    }
}

void check_status(ow_status found, ow_status wanted, const char *what, const char *file, int line) {
    if (found != wanted && atomic_fetch_add(&failures, 1) < 20) {
        printf("%s:%d: %s: %s, not %s\n", file, line, what, ow_error_text(found),
               ow_error_text(wanted));
    }
}

void *guarded(size_t len) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t whole = (len + page - 1) / page * page + page;
    if (mapping_count == sizeof mappings / sizeof *mappings) {
        printf("a test asks for too many pieces of memory\n");
        exit(1);
    }
    uint8_t *start = mmap(NULL, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED || mprotect(start + whole - page, page, PROT_NONE) != 0) {
        perror("mmap");
        exit(1);
    }
    mappings[mapping_count++] = (struct mapping){start, whole};
    memset(start, 0xa5, whole - page);
    return start + whole - page - len;
}

void *guarded_copy(const void *content, size_t len) {
    void *copy = guarded(len);
    if (len != 0) {
        memcpy(copy, content, len);
    }
    return copy;
}

uint32_t random_number(uint64_t *state) {
    /* Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014). */
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (uint32_t)((z ^ (z >> 31)) >> 32);
}

void run_test(const char *name, void (*test)(void)) {
    atomic_store(&failures, 0);
    test();
    while (mapping_count != 0) {
        struct mapping *last = &mappings[--mapping_count];
        munmap(last->start, last->len);
    }
    unsigned found = atomic_load(&failures);
    printf("test capi: %s ... %s\n", name, found == 0 ? "ok" : "FAILED");
    *(found == 0 ? &passed : &failed) += 1;
}

int main(int argument_count, char **arguments) {
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (argument_count != 5) {
        printf("usage: capi-tests VECTORS BATCHES DAMAGED VALUES\n");
        return 2;
    }
    unsigned long counts[3];
    for (size_t i = 0; i < 3; i++) {
        counts[i] = strtoul(arguments[i + 2], NULL, 10);
    }
    test_misuse();
    test_overlaps();
    test_golden(arguments[1], counts);
    test_formats();
    test_full();
    test_hammer();
    test_threads();
    test_http();
    test_http_misuse();
    printf("test result: %s. %u passed; %u failed; 0 ignored; 0 measured\n",
           failed == 0 ? "ok" : "FAILED", passed, failed);
    return failed == 0 ? 0 : 1;
}
