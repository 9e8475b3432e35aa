// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 17 instructions, no stack
bench_frame_attribute:
    mov     w11, #61217
    adrp    x9, .Lbytes2
    add     x9, x9, :lo12:.Lbytes2
    mov     w10, #5
    movk    w11, #1377, lsl #16
    movi    v0.2d, #0xffffffffffffffff
    stp     x9, x10, [x8]
    mov     w9, #4
    str     w11, [x8, #48]
    adrp    x10, .Lbytes1
    add     x10, x10, :lo12:.Lbytes1
    mov     w11, #781
    stp     x9, x0, [x8, #24]
    str     d0, [x8, #40]
    str     x10, [x8, #16]
    strh    w11, [x8, #52]
    ret

.Lbytes1:
    .ascii  "even"

.Lbytes2:
    .ascii  "class"
