//! What compiled code takes for granted works: unaligned accesses, floating point, the clock.
//!
//! Case pi-02: records at odd addresses are legal in normal memory only, which needs the MMU.
#![cfg_attr(target_os = "none", no_std, no_main)]

use core::hint::black_box;

use onewrite_boards::{Console, Environment, Failure, entry, environment, now_ns};

entry!(run);

fn run(console: &mut Console) -> Result<(), Failure> {
    unaligned_words_keep_their_bytes()?;
    writeln!(console, "unaligned stores and loads: ok")?;
    floating_point_is_exact()?;
    writeln!(console, "floating point and SIMD: ok")?;
    let first = now_ns();
    if now_ns() < first {
        return Err("the clock runs backwards".into());
    }
    writeln!(console, "clock: ok")?;
    if cfg!(target_os = "none") {
        let environment = environment();
        let expected = [
            ("mmu and caches", "mmu on, data cache on, instruction cache on"),
            ("level", "EL1"),
            ("strict-align", "off"),
        ];
        // Full would mean that facts were left out.
        if environment.facts().len() == Environment::CAPACITY {
            return Err("the environment has no room for its facts".into());
        }
        if expected.iter().any(|&(key, value)| environment.value(key) != Some(value)) {
            write!(console, "{environment}")?;
            return Err("the environment is not as it must be".into());
        }
    }
    writeln!(console, "environment: ok")?;
    Ok(())
}

fn unaligned_words_keep_their_bytes() -> Result<(), Failure> {
    let mut buffer = [0xa5_u8; 64];
    for at in 0..40 {
        let place = buffer.get_mut(at..at + 20).and_then(|place| place.first_chunk_mut::<20>());
        let place = black_box(place).ok_or("the buffer is too short")?;
        let record = black_box(0x0102_0304_0506_0708_u64).to_le_bytes();
        place[1..9].copy_from_slice(&record);
        place[11..19].copy_from_slice(&record);
        if black_box(&*place)[1..9] != record || black_box(&*place)[11..19] != record {
            return Err("an unaligned word lost bytes".into());
        }
    }
    Ok(())
}

fn floating_point_is_exact() -> Result<(), Failure> {
    let values = black_box([1.5_f64, -2.25, 1e300, f64::MIN_POSITIVE]);
    let doubled = values.map(|value| value * 2.0);
    if doubled != [3.0, -4.5, 2e300, 2.0 * f64::MIN_POSITIVE] {
        return Err("floating point is wrong".into());
    }
    Ok(())
}
