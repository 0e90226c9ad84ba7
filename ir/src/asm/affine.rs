//! The operands of affine expressions in text: dimensions and symbols.

use super::OperandName;
use crate::affine::AffineExpr;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::ops::Range;

/// The distinct operands of the affine expressions of a text, in order of occurrence: `%i` is a
/// dimension, `symbol(%i)` a symbol.
#[derive(Clone, Debug, Default)]
pub struct AffineOperands {
    dims: Vec<OperandName>,
    symbols: Vec<OperandName>,
    /// The operands in the order in which they were added; their texts are concatenated in `texts`.
    added: Vec<Added>,
    texts: Vec<u8>,
    /// The number of operands added before the last [`separate`](Self::separate).
    before: usize,
    /// Indices for more than [`FEW`] operands, by text and number: `known` has the first occurrence
    /// since `separate`, and `all`, keyed also by whether it is a symbol, the first of all.
    known: HashMap<(Box<[u8]>, u32), AffineExpr, RandomState>,
    all: HashMap<(Box<[u8]>, u32, bool), AffineExpr, RandomState>,
}

/// An operand and the expression that denotes it.
#[derive(Clone, Debug)]
struct Added {
    text: Range<usize>,
    number: u32,
    symbol: bool,
    value: AffineExpr,
}

/// The maximum number of operands that are searched linearly, without a hash table.
const FEW: usize = 16;

impl AffineOperands {
    /// Returns the dimensions.
    pub fn dims(&self) -> &[OperandName] {
        &self.dims
    }

    /// Returns the symbols.
    pub fn symbols(&self) -> &[OperandName] {
        &self.symbols
    }

    /// Returns all operands, dimensions first.
    pub fn names(&self) -> impl Iterator<Item = OperandName> + '_ {
        self.dims.iter().chain(&self.symbols).copied()
    }

    /// Returns the expression of the operand with this text and number, if it was added before.
    /// Between two calls of [`separate`](Self::separate), the first occurrence decides whether an
    /// operand is a dimension or a symbol.
    pub fn get(&self, text: &[u8], number: u32, symbol: bool) -> Option<AffineExpr> {
        if self.added.len() > FEW {
            let known = self.known.get(&(text.into(), number));
            let all = || self.all.get(&(text.into(), number, symbol));
            return known.or_else(all).copied();
        }
        let is_it = |added: &&Added| {
            added.number == number && self.texts.get(added.text.clone()) == Some(text)
        };
        let mut known = self.added.iter().skip(self.before);
        let known = known.find(is_it);
        let all = || {
            let mut all = self.added.iter().filter(is_it);
            all.rfind(|added| added.symbol == symbol)
        };
        known.or_else(all).map(|added| added.value)
    }

    /// Starts a new group of expressions, in which an operand can be a symbol although it was a
    /// dimension before, or the reverse.
    pub fn separate(&mut self) {
        self.before = self.added.len();
        self.known.clear();
    }

    /// Adds an operand that [`get`](Self::get) does not find, with the expression that denotes it.
    pub fn insert(&mut self, text: &[u8], name: OperandName, symbol: bool, value: AffineExpr) {
        let list = match symbol {
            true => &mut self.symbols,
            false => &mut self.dims,
        };
        list.push(name);
        let start = self.texts.len();
        self.texts.extend_from_slice(text);
        self.added.push(Added {
            text: start..self.texts.len(),
            number: name.number,
            symbol,
            value,
        });
        let new = match self.added.len() {
            0..=FEW => return,
            // The number of operands exceeds FEW for the first time: index all of them.
            len if len == FEW + 1 => 0,
            len => len - 1,
        };
        for (at, added) in self.added.iter().enumerate().skip(new) {
            let text: Box<[u8]> = self
                .texts
                .get(added.text.clone())
                .unwrap_or_default()
                .into();
            if at >= self.before {
                self.known.insert((text.clone(), added.number), added.value);
            }
            self.all
                .insert((text, added.number, added.symbol), added.value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Context;

    fn name(number: u32) -> OperandName {
        OperandName {
            place: number as usize,
            len: 2,
            number,
        }
    }

    /// Tests that operands are found with the linear search and with the hash tables.
    #[test]
    fn operands_are_found() {
        let mut context = Context::new();
        for count in [1, FEW - 1, FEW, FEW + 1, FEW * 3] {
            let mut operands = AffineOperands::default();
            let texts: Vec<String> = (0..count).map(|n| format!("%{}", n / 2)).collect();
            // Two names of each text, which differ in their number.
            let number = |at: usize| (at % 2) as u32;
            let mut values = Vec::new();
            for (at, text) in texts.iter().enumerate() {
                assert_eq!(operands.get(text.as_bytes(), number(at), false), None);
                let value = context.affine_mut().dim(at as u32).ok();
                values.push(value);
                if let Some(value) = value {
                    operands.insert(text.as_bytes(), name(number(at)), false, value);
                }
            }
            for (at, text) in texts.iter().enumerate() {
                let get = |symbol| operands.get(text.as_bytes(), number(at), symbol);
                // As a dimension, which is its first occurrence.
                assert_eq!((get(false), get(true)), (values[at], values[at]));
                assert_eq!(operands.get(text.as_bytes(), 7, false), None);
            }
            operands.separate();
            for (at, text) in texts.iter().enumerate() {
                let get = |symbol| operands.get(text.as_bytes(), number(at), symbol);
                assert_eq!((get(false), get(true)), (values[at], None));
            }
            let symbol = context.affine_mut().symbol(0).ok();
            if let Some(value) = symbol {
                operands.insert(b"%0", name(0), true, value);
            }
            let get = |symbol| operands.get(b"%0", 0, symbol);
            assert_eq!((get(false), get(true)), (symbol, symbol));
            operands.separate();
            let get = |symbol| operands.get(b"%0", 0, symbol);
            assert_eq!((get(false), get(true)), (values[0], symbol));
            assert_eq!(operands.names().count(), count + 1);
        }
    }
}
