//! `memcpy` and its relatives, which the compiler calls for every copy of more than a few bytes.
//!
//! Those of `compiler_builtins` are made for any core: eight bytes at a time, and byte by byte
//! where source and destination are not aligned alike, which is the rule in a byte stream. The ones
//! here load and store unaligned vectors, which is legal because MMU and caches are on before any
//! Rust runs (`boot`). They touch exactly the bytes that they are given. Theirs are weak symbols,
//! so these take their place at link time; `examples/memory.rs` checks them.
//!
//! Short copies load everything before they store anything, so that one piece of code serves
//! `memcpy` and `memmove`. Long ones take 64 bytes a turn, after the 64 bytes at the far end have
//! been loaded, which the turns may overwrite where source and destination overlap.

use core::arch::global_asm;

global_asm!(
    r#"
    .section .text.memmove, "ax"
    .global memcpy
    .global memmove
    .type memcpy, %function
    .type memmove, %function
    // x0 destination, x1 source, x2 length; x4 and x5 are the ends of source and destination.
    .balign 16
memcpy:
memmove:
    add     x4, x1, x2
    add     x5, x0, x2
    cmp     x2, #16
    b.lo    20f
    cmp     x2, #32
    b.hi    10f
    ldr     q0, [x1]
    ldr     q1, [x4, #-16]
    str     q0, [x0]
    str     q1, [x5, #-16]
    ret
10: cmp     x2, #64
    b.hi    11f
    ldp     q0, q1, [x1]
    ldp     q2, q3, [x4, #-32]
    stp     q0, q1, [x0]
    stp     q2, q3, [x5, #-32]
    ret
11: cmp     x2, #128
    b.hi    30f
    ldp     q0, q1, [x1]
    ldp     q2, q3, [x1, #32]
    ldp     q4, q5, [x4, #-64]
    ldp     q6, q7, [x4, #-32]
    stp     q0, q1, [x0]
    stp     q2, q3, [x0, #32]
    stp     q4, q5, [x5, #-64]
    stp     q6, q7, [x5, #-32]
    ret

    // Fewer than 16: two words that may overlap.
20: tbz     x2, #3, 21f
    ldr     x6, [x1]
    ldr     x7, [x4, #-8]
    str     x6, [x0]
    str     x7, [x5, #-8]
    ret
21: tbz     x2, #2, 22f
    ldr     w6, [x1]
    ldr     w7, [x4, #-4]
    str     w6, [x0]
    str     w7, [x5, #-4]
    ret
    // Up to 3: first, middle and last.
22: cbz     x2, 23f
    lsr     x3, x2, #1
    ldrb    w6, [x1]
    ldrb    w7, [x1, x3]
    ldrb    w8, [x4, #-1]
    strb    w6, [x0]
    strb    w7, [x0, x3]
    strb    w8, [x5, #-1]
23: ret

    // More than 128. From the end where the destination starts inside the source.
30: sub     x6, x0, x1
    cmp     x6, x2
    b.lo    40f
    ldp     q4, q5, [x4, #-64]
    ldp     q6, q7, [x4, #-32]
    mov     x3, x0
    sub     x2, x2, #64
31: ldp     q0, q1, [x1], #32
    ldp     q2, q3, [x1], #32
    stp     q0, q1, [x3], #32
    stp     q2, q3, [x3], #32
    subs    x2, x2, #64
    b.hi    31b
    stp     q4, q5, [x5, #-64]
    stp     q6, q7, [x5, #-32]
    ret
40: ldp     q4, q5, [x1]
    ldp     q6, q7, [x1, #32]
    sub     x2, x2, #64
41: ldp     q0, q1, [x4, #-32]!
    ldp     q2, q3, [x4, #-32]!
    stp     q0, q1, [x5, #-32]!
    stp     q2, q3, [x5, #-32]!
    subs    x2, x2, #64
    b.hi    41b
    stp     q4, q5, [x0]
    stp     q6, q7, [x0, #32]
    ret
    .size memcpy, . - memcpy
    .size memmove, . - memmove

    .section .text.memset, "ax"
    .global memset
    .type memset, %function
    // x0 destination, w1 byte, x2 length; x5 is the end.
    .balign 16
memset:
    dup     v0.16b, w1
    add     x5, x0, x2
    cmp     x2, #16
    b.lo    20f
    str     q0, [x0]
    str     q0, [x5, #-16]
    cmp     x2, #32
    b.ls    11f
    stp     q0, q0, [x5, #-32]
    mov     x3, x0
    sub     x2, x2, #32
10: stp     q0, q0, [x3], #32
    subs    x2, x2, #32
    b.hi    10b
11: ret
20: tbz     x2, #3, 21f
    str     d0, [x0]
    str     d0, [x5, #-8]
    ret
21: tbz     x2, #2, 22f
    str     s0, [x0]
    str     s0, [x5, #-4]
    ret
22: tbz     x2, #1, 23f
    str     h0, [x0]
    str     h0, [x5, #-2]
    ret
23: cbz     x2, 24f
    strb    w1, [x0]
24: ret
    .size memset, . - memset

    .section .text.memcmp, "ax"
    .global memcmp
    .global bcmp
    .type memcmp, %function
    .type bcmp, %function
    // x0 and x1 what is compared, x2 length.
    .balign 16
memcmp:
bcmp:
    subs    x2, x2, #8
    b.lo    20f
10: ldr     x3, [x0], #8
    ldr     x4, [x1], #8
    cmp     x3, x4
    b.ne    30f
    subs    x2, x2, #8
    b.hs    10b
    // The last eight bytes, some of them again.
    ldr     x3, [x0, x2]
    ldr     x4, [x1, x2]
    cmp     x3, x4
    b.ne    30f
    mov     w0, #0
    ret
20: mov     w3, #0
    adds    x2, x2, #8
    b.eq    22f
21: ldrb    w3, [x0], #1
    ldrb    w4, [x1], #1
    subs    w3, w3, w4
    b.ne    22f
    subs    x2, x2, #1
    b.ne    21b
22: mov     w0, w3
    ret
    // The first byte counts most.
30: rev     x3, x3
    rev     x4, x4
    cmp     x3, x4
    mov     w0, #1
    cneg    w0, w0, lo
    ret
    .size memcmp, . - memcmp
    .size bcmp, . - bcmp
    "#
);
