//! Deterministic random numbers for tests.

/// SplitMix64: good enough to visit all branches, the same on every machine.
pub(crate) struct Prng(u64);

impl Prng {
    pub(crate) fn new(seed: u64) -> Self {
        Prng(seed)
    }

    pub(crate) fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

/// All small values, those around every power of two and every boundary of an encoding, and random ones of
/// every width.
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
