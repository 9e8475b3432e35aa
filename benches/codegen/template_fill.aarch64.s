// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 33 instructions, no stack
bench_template_fill:
    cmp     x1, #999
    b.hi    .L1
    mov     w8, #5243
    mov     w9, #-100
    mov     w10, #103
    mov     w11, #246
    mul     w8, w1, w8
    mov     w12, #805306368
    lsr     w8, w8, #19
    madd    w9, w8, w9, w1
    mul     w10, w9, w10
    lsr     w10, w10, #10
    madd    w9, w10, w11, w9
    lsl     w10, w10, #16
    add     w10, w10, #768, lsl #12
    adrp    x11, .Lbytes1
    add     x11, x11, :lo12:.Lbytes1
    and     w10, w10, #0xff0000
    orr     w9, w10, w9, lsl #24
    add     w9, w9, w12
    ldp     q0, q1, [x11]
    orr     w8, w9, w8, lsl #8
    lsr     w9, w9, #24
    ldr     x10, [x11, #32]
    orr     w8, w8, #0x3000
    lsr     w8, w8, #8
    stp     q0, q1, [x0]
    str     x10, [x0, #32]
    strb    w9, [x0, #35]
    sturh   w8, [x0, #33]
.L1:
    cmp     x1, #1000
    cset    w0, lo
    ret

.Lbytes1:
    .ascii  "HTTP/1.1 200 OK\r\ncontent-length: \000\000\000\r\n\r\n"
