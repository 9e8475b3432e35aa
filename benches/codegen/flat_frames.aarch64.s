// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 85 instructions, no stack
bench_flat_frames:
    add     x8, x1, x1, lsl #2
    lsl     x8, x8, #2
    cbz     x1, .L4
    cmp     x8, x3
    b.hi    .L4
    and     x9, x1, #0x3
    cmp     x1, #4
    b.hs    .L1
    mov     x10, xzr
    b       .L3
.L1:
    lsr     x12, x1, #2
    mov     x11, xzr
    lsl     x10, x12, #2
    add     x13, x10, x12
    add     x12, x0, #48
    lsl     x13, x13, #4
.L2:
    ldur    d0, [x12, #-40]
    add     x14, x2, x11
    ldur    w15, [x12, #-32]
    add     x11, x11, #80
    ldur    x16, [x12, #-48]
    cmp     x13, x11
    str     d0, [x14]
    ldur    d0, [x12, #-16]
    str     w15, [x14, #8]
    ldur    w15, [x12, #-8]
    stur    x16, [x14, #12]
    ldur    x16, [x12, #-24]
    stur    d0, [x14, #20]
    str     w15, [x14, #28]
    ldr     d0, [x12, #8]
    ldr     w15, [x12, #16]
    str     x16, [x14, #32]
    ldr     x16, [x12]
    str     d0, [x14, #40]
    str     w15, [x14, #48]
    ldr     w15, [x12, #40]
    stur    x16, [x14, #52]
    ldr     d0, [x12, #32]
    ldr     x16, [x12, #24]
    add     x12, x12, #96
    str     w15, [x14, #68]
    stur    d0, [x14, #60]
    str     x16, [x14, #72]
    b.ne    .L2
    cbz     x9, .L4
.L3:
    mov     w11, #24
    mov     w12, #20
    cmp     x9, #1
    madd    x11, x10, x11, x0
    madd    x12, x10, x12, x2
    ldr     d0, [x11, #8]
    ldr     w13, [x11, #16]
    ldr     x11, [x11]
    str     d0, [x12]
    str     w13, [x12, #8]
    stur    x11, [x12, #12]
    b.eq    .L4
    add     x11, x10, #1
    mov     w12, #24
    mov     w13, #20
    cmp     x9, #2
    madd    x12, x11, x12, x0
    madd    x11, x11, x13, x2
    ldr     d0, [x12, #8]
    ldr     w13, [x12, #16]
    ldr     x12, [x12]
    str     d0, [x11]
    str     w13, [x11, #8]
    stur    x12, [x11, #12]
    b.eq    .L4
    add     x9, x10, #2
    mov     w10, #24
    mov     w11, #20
    madd    x10, x9, x10, x0
    madd    x9, x9, x11, x2
    ldr     d0, [x10, #8]
    ldr     w11, [x10, #16]
    ldr     x10, [x10]
    str     d0, [x9]
    str     w11, [x9, #8]
    stur    x10, [x9, #12]
.L4:
    cmp     x8, x3
    cset    w0, ls
    ret
