//! Integers and booleans in the bodies of attributes and types.

use super::{AsmError, AsmResult, EntryParser};

/// An integer or boolean literal.
struct Literal {
    negative: bool,
    magnitude: u128,
    /// The width in which upstream's lexer stores the magnitude before it checks the range: four
    /// bits for each digit.
    bits: usize,
}

impl Literal {
    /// `true`: an integer whose bits are all set.
    const TRUE: Literal = Literal {
        negative: true,
        magnitude: 1,
        bits: 1,
    };
    const FALSE: Literal = Literal {
        negative: false,
        magnitude: 0,
        bits: 1,
    };

    fn new(negative: bool, text: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(text).ok()?;
        let (digits, radix) = match text.strip_prefix("0x") {
            Some(digits) => (digits, 16),
            None => (text, 10),
        };
        let digits = digits.trim_start_matches('0');
        let magnitude = match digits {
            "" => 0,
            digits => u128::from_str_radix(digits, radix).ok()?,
        };
        let bits = digits.len().saturating_mul(4);
        let needed = u128::BITS.saturating_sub(magnitude.leading_zeros()) as usize;
        // One more bit is for the sign.
        let bits = bits.max(needed.saturating_add(1));
        Some(Literal {
            negative,
            magnitude,
            bits,
        })
    }

    fn signed(&self, width: u32) -> Option<i64> {
        let value = i128::try_from(self.magnitude).ok()?;
        let value = if self.negative {
            value.wrapping_neg()
        } else {
            value
        };
        let value = i64::try_from(value).ok()?;
        let unused = 64u32.saturating_sub(width);
        let narrow = value.wrapping_shl(unused).wrapping_shr(unused);
        (narrow == value).then_some(value)
    }

    fn unsigned(&self, width: u32) -> Option<u64> {
        let all = u64::MAX.wrapping_shr(64u32.saturating_sub(width));
        let value = u64::try_from(self.magnitude).ok()?;
        match self.negative && value != 0 {
            false => (value <= all).then_some(value),
            true => (self.bits <= width as usize).then_some(value.wrapping_neg() & all),
        }
    }
}

impl dyn EntryParser + '_ {
    /// Parses an integer of 64 bits.
    ///
    /// # Errors
    ///
    /// If the next token is not an integer, or the integer does not fit 64 bits.
    pub fn integer(&mut self) -> AsmResult<i64> {
        self.signed(64)
    }

    /// Parses a signed integer of `width` bits, at most 64. As upstream, `true` is an integer whose
    /// bits are all set, and `false` is 0.
    ///
    /// # Errors
    ///
    /// If there is none, or it has more bits.
    pub fn signed(&mut self, width: u32) -> AsmResult<i64> {
        self.literal(|literal| literal.signed(width))
    }

    /// Parses an unsigned integer of `width` bits, at most 64. As upstream, `true` is an integer
    /// whose bits are all set, `false` is 0, and a negative number wraps to `width` bits if its
    /// digits alone fit.
    ///
    /// # Errors
    ///
    /// If there is none, or it has more bits.
    pub fn unsigned(&mut self, width: u32) -> AsmResult<u64> {
        self.literal(|literal| literal.unsigned(width))
    }

    /// Parses `true` or `false`; as upstream, 1 or 0 as well.
    ///
    /// # Errors
    ///
    /// If the next token is none of these.
    pub fn boolean(&mut self) -> AsmResult<bool> {
        self.unsigned(1).map(|value| value == 1)
    }

    /// As `unsigned`, if a number is next.
    ///
    /// # Errors
    ///
    /// If it has more bits, or no number follows a minus.
    pub fn optional_unsigned(&mut self, width: u32) -> AsmResult<Option<u64>> {
        let place = self.place();
        match self.unsigned(width) {
            Err(_) if self.place() == place => Ok(None),
            read => read.map(Some),
        }
    }

    fn literal<T>(&mut self, value: impl FnOnce(&Literal) -> Option<T>) -> AsmResult<T> {
        let place = self.place();
        let literal = if self.eat("true") {
            Some(Literal::TRUE)
        } else if self.eat("false") {
            Some(Literal::FALSE)
        } else {
            let Some((negative, text)) = self.number() else {
                return self.expected("integer value");
            };
            if text.contains(&b'.') {
                return Err(AsmError::new(place, "expected integer value"));
            }
            Literal::new(negative, &text)
        };
        let value = literal.and_then(|literal| value(&literal));
        value.ok_or_else(|| AsmError::new(place, "integer value too large"))
    }
}
