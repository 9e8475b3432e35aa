// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 63 instructions, 16 bytes of stack
bench_string_write:
    adds    x9, x2, #4
    b.eq    .L3
    lsr     x8, x9, #32
    cbz     x8, .L1
    mov     w0, wzr
    ret
.L1:
    ldp     x11, x10, [x0, #8]
    mov     x8, x0
    mov     w0, wzr
    subs    x11, x11, x10
    b.lo    .L7
    cmp     x9, x11
    b.hi    .L7
    mov     x11, x8
    ldr     x8, [x8]
    add     x9, x10, x9
    cmp     x2, #16
    add     x8, x8, x10
    str     x9, [x11, #16]
    mov     x0, x8
    str     w2, [x0], #4
    b.ls    .L2
    str     x30, [sp, #-16]!
    bl      memcpy
    mov     w0, #1
    ldr     x30, [sp], #16
    ret
.L2:
    cmp     x2, #8
    b.hs    .L4
    cmp     x2, #4
    b.hs    .L5
    cbz     x2, .L3
    ldrb    w8, [x1]
    cmp     x2, #1
    strb    w8, [x0]
    b.ne    .L6
.L3:
    mov     w0, #1
    ret
.L4:
    add     x8, x1, x2
    ldr     x9, [x1]
    add     x10, x0, x2
    mov     x11, x0
    mov     w0, #1
    ldur    x8, [x8, #-8]
    str     x9, [x11]
    stur    x8, [x10, #-8]
    ret
.L5:
    add     x9, x1, x2
    ldr     w10, [x1]
    mov     w0, #1
    ldur    w9, [x9, #-4]
    str     w10, [x8, #4]
    str     w9, [x8, x2]
    ret
.L6:
    add     x8, x1, x2
    ldrh    w9, [x1]
    add     x10, x0, x2
    mov     x11, x0
    mov     w0, #1
    ldurh   w8, [x8, #-2]
    strh    w9, [x11]
    sturh   w8, [x10, #-2]
.L7:
    ret
