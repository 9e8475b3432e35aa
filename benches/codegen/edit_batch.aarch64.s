// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 36 instructions, no stack
bench_edit_batch:
    lsl     x8, x1, #4
    cbz     x1, .L5
    cmp     x8, x3
    b.hi    .L5
    cmp     x1, #8
    b.hs    .L1
    mov     x9, xzr
    b       .L3
.L1:
    and     x9, x1, #0x7fffffffffffff8
    add     x10, x2, #64
    add     x11, x0, #64
    and     x12, x1, #0x7fffffffffffff8
.L2:
    ldp     q0, q1, [x11, #-64]
    subs    x12, x12, #8
    ldp     q2, q3, [x11, #-32]
    ldp     q4, q5, [x11]
    ldp     q6, q7, [x11, #32]
    add     x11, x11, #128
    stp     q0, q1, [x10, #-64]
    stp     q2, q3, [x10, #-32]
    stp     q6, q7, [x10, #32]
    stp     q4, q5, [x10], #128
    b.ne    .L2
    cmp     x1, x9
    b.eq    .L5
.L3:
    lsl     x11, x9, #4
    add     x10, x2, x11
    add     x11, x0, x11
    sub     x9, x1, x9
.L4:
    ldr     q0, [x11], #16
    subs    x9, x9, #1
    str     q0, [x10], #16
    b.ne    .L4
.L5:
    cmp     x8, x3
    cset    w0, ls
    ret
