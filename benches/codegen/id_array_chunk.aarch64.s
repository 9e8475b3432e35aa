// rustc 1.96.0, aarch64-unknown-none, opt-level 3, fat LTO, target-cpu cortex-a53, strict-align off
// 19 instructions, no stack
bench_id_array_chunk:
    mov     x8, x0
    mov     w0, #1
    ldp     q0, q1, [x8, #192]
    ldp     q2, q3, [x8, #224]
    stp     q0, q1, [x1, #192]
    ldp     q0, q1, [x8, #128]
    stp     q2, q3, [x1, #224]
    ldp     q2, q3, [x8, #160]
    stp     q0, q1, [x1, #128]
    ldp     q0, q1, [x8, #64]
    stp     q2, q3, [x1, #160]
    ldp     q2, q3, [x8, #96]
    stp     q0, q1, [x1, #64]
    ldp     q0, q1, [x8]
    stp     q2, q3, [x1, #96]
    ldp     q2, q3, [x8, #32]
    stp     q0, q1, [x1]
    stp     q2, q3, [x1, #32]
    ret
