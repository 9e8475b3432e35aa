// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 7 instructions, no stack
bench_flat_frame:
    ldr     d0, [x0, #8]
    ldr     w8, [x0, #16]
    ldr     x9, [x0]
    str     d0, [x1]
    str     w8, [x1, #8]
    stur    x9, [x1, #12]
    ret
