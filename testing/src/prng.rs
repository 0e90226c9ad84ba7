//! Random numbers for tests.

/// SplitMix64: of sufficient quality to visit all branches, and the same numbers on every machine.
#[derive(Clone, Debug)]
pub struct Prng(u64);

impl Prng {
    /// Returns the generator of a seed.
    pub fn new(seed: u64) -> Self {
        Prng(seed)
    }

    /// Returns a generator whose seed is derived from a text (FNV-1a).
    pub fn of(text: &str) -> Self {
        let add = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Prng(text.bytes().fold(0xcbf2_9ce4_8422_2325, add))
    }

    /// Returns the next number, of 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `limit`; 0 if `limit` is 0.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next_u64() % limit.max(1) as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::Prng;

    #[test]
    fn the_first_numbers() {
        // The numbers of the reference implementation for the seed 1234567.
        let mut prng = Prng::new(1_234_567);
        assert_eq!(prng.next_u64(), 6_457_827_717_110_365_317);
        assert_eq!(prng.next_u64(), 3_203_168_211_198_807_973);
        assert_eq!(prng.below(0), 0);
    }
}
