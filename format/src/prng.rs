//! Random and interesting numbers for tests.

use rmlir_testing::Prng;

/// Returns small values, values around every power of two and encoding boundary, and random values.
///
/// The small values are complete; the random ones have every width.
pub(crate) fn interesting_u64s() -> Vec<u64> {
    let mut values: Vec<u64> = (0..20_000).chain(u64::MAX - 300..=u64::MAX).collect();
    for bit in 0..64 {
        for delta in 0..4 {
            values.push((1u64 << bit).wrapping_add(delta));
            values.push((1u64 << bit).wrapping_sub(delta));
        }
    }
    let mut prng = Prng::new(1);
    for _ in 0..4_000 {
        let shift = prng.next_u64() % 64;
        values.push(prng.next_u64() >> shift);
    }
    values
}
