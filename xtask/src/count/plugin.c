/* Counts the instructions a program executes under qemu-user: once it has ended, and so far at each
 * call of getppid, by which a program can mark places.
 *
 * QEMU translates code in blocks; each block adds its length when it is entered. The declarations
 * below are the part of QEMU's plugin interface that has been the same since version 1, written
 * out here because distributions do not package the header.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_info_t;

typedef void (*translated_callback)(qemu_plugin_id_t, struct qemu_plugin_tb *);
typedef void (*entered_callback)(unsigned int cpu, void *instructions);
typedef void (*exit_callback)(qemu_plugin_id_t, void *);
typedef void (*syscall_callback)(qemu_plugin_id_t, unsigned int cpu, int64_t number, uint64_t,
                                 uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t,
                                 uint64_t);

enum { CALLBACK_USES_NO_REGISTERS = 0 };
/* Of aarch64 Linux; no library calls it by itself. */
enum { GETPPID = 173 };

extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, translated_callback);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, entered_callback,
                                                 int registers, void *);
extern void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, syscall_callback);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, exit_callback, void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);

/* QEMU refuses a plugin made for a version that it does not speak. */
EXPORT int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t executed;

static void entered(unsigned int cpu, void *instructions)
{
    (void)cpu;
    executed += (uintptr_t)instructions;
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    void *instructions = (void *)(uintptr_t)qemu_plugin_tb_n_insns(block);
    qemu_plugin_register_vcpu_tb_exec_cb(block, entered, CALLBACK_USES_NO_REGISTERS,
                                         instructions);
}

static void called(qemu_plugin_id_t id, unsigned int cpu, int64_t number, uint64_t a, uint64_t b,
                   uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
    (void)id;
    (void)cpu;
    (void)a;
    (void)b;
    (void)c;
    (void)d;
    (void)e;
    (void)f;
    (void)g;
    (void)h;
    if (number == GETPPID)
        fprintf(stderr, "onewrite-mark: %" PRIu64 "\n", executed);
}

static void ended(qemu_plugin_id_t id, void *unused)
{
    (void)id;
    (void)unused;
    fprintf(stderr, "onewrite-count: %" PRIu64 "\n", executed);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info_t *info, int count,
                               char **arguments)
{
    (void)info;
    (void)count;
    (void)arguments;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
