//! Unsigned integers of a fixed number of words, for exact float conversions.

/// An unsigned integer of at most `WORDS` words. The callers' numbers fit;
/// words beyond would be dropped.
pub(super) struct Big<const WORDS: usize> {
    /// Lowest first; those from `len` on are not used.
    words: [u64; WORDS],
    len: usize,
}

/// 5^27, the largest power of five in a word.
const FIVE_27: u64 = 5_u64.pow(27);

impl<const WORDS: usize> Big<WORDS> {
    pub(super) fn new(value: u128) -> Self {
        let mut words = [0; WORDS];
        for (index, word) in words.iter_mut().take(2).enumerate() {
            *word = (value >> (64 * index)) as u64;
        }
        let len = if value >> 64 == 0 { 1 } else { 2 };
        Big { words, len }
    }

    pub(super) fn used(&mut self) -> &mut [u64] {
        let len = self.len.min(WORDS);
        &mut self.words[..len]
    }

    pub(super) fn push(&mut self, word: u64) {
        if word != 0
            && let Some(place) = self.words.get_mut(self.len)
        {
            *place = word;
            self.len += 1;
        }
    }

    pub(super) fn multiply(&mut self, factor: u64) {
        let mut carry = 0;
        for word in self.used() {
            let product = u128::from(*word) * u128::from(factor) + u128::from(carry);
            *word = product as u64;
            carry = (product >> 64) as u64;
        }
        self.push(carry);
    }

    pub(super) fn multiply_by_five(&mut self, mut power: u32) {
        while power > 27 {
            self.multiply(FIVE_27);
            power -= 27;
        }
        self.multiply(5_u64.pow(power));
    }

    pub(super) fn divide(&mut self, divisor: u64) {
        let mut remainder = 0;
        for word in self.used().iter_mut().rev() {
            let dividend = u128::from(remainder) << 64 | u128::from(*word);
            *word = (dividend / u128::from(divisor)) as u64;
            remainder = (dividend % u128::from(divisor)) as u64;
        }
        while self.len > 1 && self.used().last() == Some(&0) {
            self.len -= 1;
        }
    }

    pub(super) fn divide_by_five(&mut self, mut power: u32) {
        while power > 27 {
            self.divide(FIVE_27);
            power -= 27;
        }
        if power > 0 {
            self.divide(5_u64.pow(power));
        }
    }

    pub(super) fn shift_left(&mut self, bits: u32) {
        self.multiply(1 << (bits % 64));
        let whole = (bits / 64) as usize;
        if whole > 0 {
            self.len = (self.len + whole).min(WORDS);
            let whole = whole.min(self.len);
            let used = self.used();
            used.rotate_right(whole);
            used[..whole].fill(0);
        }
    }

    /// Rounds down.
    pub(super) fn shift_right(&mut self, bits: u32) {
        let whole = ((bits / 64) as usize).min(self.len);
        let bits = bits % 64;
        let used = self.used();
        used.rotate_left(whole);
        let kept = used.len() - whole;
        used[kept..].fill(0);
        if bits > 0 {
            let mut above = 0;
            for word in used.iter_mut().rev() {
                let low = *word << (64 - bits);
                *word = *word >> bits | above;
                above = low;
            }
        }
        self.len = kept.max(1);
    }

    /// Bits up to the highest set one. The top word is not zero unless the
    /// number is.
    pub(super) fn bits(&mut self) -> u32 {
        let len = self.len as u32;
        match self.used().last() {
            Some(top) => len * 64 - top.leading_zeros(),
            None => 0,
        }
    }

    /// Returns the low 128 bits.
    pub(super) fn low(&self) -> u128 {
        let mut value = 0;
        for (index, &word) in self.words.iter().take(self.len.min(2)).enumerate() {
            value |= u128::from(word) << (64 * index);
        }
        value
    }
}
