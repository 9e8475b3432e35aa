// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 30 instructions, no stack
bench_template_fill:
    cmp     x1, #999
    b.hi    .L1
    mov     w8, #5243
    mov     w9, #-100
    mov     w10, #103
    mov     w11, #-167706624
    mul     w8, w1, w8
    adrp    x12, .Lbytes1
    add     x12, x12, :lo12:.Lbytes1
    lsr     w8, w8, #19
    madd    w9, w8, w9, w1
    ldp     q0, q1, [x12]
    mul     w10, w9, w10
    lsr     w10, w10, #10
    stp     q0, q1, [x0]
    mul     w10, w10, w11
    mov     w11, #808452096
    add     w9, w10, w9, lsl #24
    ldr     x10, [x12, #32]
    add     w9, w9, w11
    orr     w8, w9, w8, lsl #8
    lsr     w9, w9, #24
    orr     w8, w8, #0x3000
    lsr     w8, w8, #8
    str     x10, [x0, #32]
    strb    w9, [x0, #35]
    sturh   w8, [x0, #33]
.L1:
    cmp     x1, #1000
    cset    w0, lo
    ret

.Lbytes1:
    .ascii  "HTTP/1.1 200 OK\r\ncontent-length: \000\000\000\r\n\r\n"
