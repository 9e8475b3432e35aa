// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 27 instructions, no stack
bench_template_fill:
    cmp     x1, #999
    b.hi    .L1
    mov     w8, #5243
    ubfx    w9, w1, #2, #14
    mov     w10, #100
    adrp    x11, .Lbytes2
    add     x11, x11, :lo12:.Lbytes2
    mul     w8, w9, w8
    adrp    x9, .Lbytes1
    add     x9, x9, :lo12:.Lbytes1
    lsr     w8, w8, #17
    msub    w10, w8, w10, w1
    ldrh    w8, [x9, w8, uxtw #1]
    and     x10, x10, #0xffff
    ldp     q0, q1, [x11]
    ldrh    w9, [x9, x10, lsl #1]
    ldr     x10, [x11, #32]
    stp     q0, q1, [x0]
    orr     w8, w8, w9, lsl #16
    lsr     w9, w9, #8
    lsr     w8, w8, #8
    str     x10, [x0, #32]
    strb    w9, [x0, #35]
    sturh   w8, [x0, #33]
.L1:
    cmp     x1, #1000
    cset    w0, lo
    ret

.Lbytes1:
    .ascii  "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

.Lbytes2:
    .ascii  "HTTP/1.1 200 OK\r\ncontent-length: \000\000\000\r\n\r\n"
