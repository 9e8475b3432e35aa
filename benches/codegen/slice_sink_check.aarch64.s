// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 12 instructions, no stack
bench_slice_sink_check:
    ldp     x9, x8, [x0, #8]
    subs    x9, x9, x8
    ccmp    x9, #20, #0, hs
    b.hs    .L1
    mov     x0, xzr
    ret
.L1:
    ldr     x9, [x0]
    add     x10, x8, #20
    str     x10, [x0, #16]
    add     x8, x9, x8
    mov     x0, x8
    ret
