// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 20 instructions, no stack
bench_literal_write:
    ldp     x8, x9, [x0, #8]
    subs    x8, x8, x9
    cset    w10, hs
    cmp     x8, #18
    csel    w8, wzr, w10, ls
    cmp     w8, #1
    b.ne    .L1
    ldr     x10, [x0]
    adrp    x13, .Lbytes1
    add     x13, x13, :lo12:.Lbytes1
    mov     w12, #13874
    add     x11, x9, #19
    movk    w12, #2573, lsl #16
    ldr     q0, [x13]
    add     x9, x10, x9
    str     x11, [x0, #16]
    stur    w12, [x9, #15]
    str     q0, [x9]
.L1:
    mov     w0, w8
    ret

.Lbytes1:
    .ascii  "hello, world 2026\r\n"
