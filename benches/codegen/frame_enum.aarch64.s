// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 35 instructions, no stack
bench_frame_enum:
    ldr     w8, [x0]
    stp     xzr, xzr, [x1]
    str     wzr, [x1, #16]
    cmp     w8, #1
    b.le    .L1
    cmp     w8, #2
    b.eq    .L2
    cmp     w8, #3
    b.ne    .L3
    mov     w8, #4
    ldur    d0, [x0, #4]
    str     w8, [x1]
    stur    d0, [x1, #4]
    ret
.L1:
    cbnz    w8, .L4
    mov     w8, #1
    ldur    d0, [x0, #4]
    str     w8, [x1]
    stur    d0, [x1, #4]
    ret
.L2:
    ldur    d0, [x0, #4]
    mov     w8, #3
    ldr     x9, [x0, #16]
    str     w8, [x1]
    stur    d0, [x1, #4]
    stur    x9, [x1, #12]
    ret
.L3:
    mov     w8, #5
    ldr     w9, [x0, #4]
    stp     w8, w9, [x1]
    ret
.L4:
    mov     w8, #2
    ldr     w9, [x0, #4]
    stp     w8, w9, [x1]
    ret
