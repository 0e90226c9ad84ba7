//! Operands in affine expressions.

use super::OperandName;
use crate::affine::AffineExpr;
use std::collections::HashMap;

/// The operands that affine expressions of a text name, each once, in the order in which they are met: `%i` is a
/// dimension, `symbol(%i)` a symbol.
#[derive(Clone, Debug, Default)]
pub struct AffineOperands {
    dims: Vec<OperandName>,
    symbols: Vec<OperandName>,
    /// Those of the expressions at hand, by text and number: as a dimension or a symbol, as which they were met first.
    known: HashMap<(Box<[u8]>, u32), AffineExpr>,
    /// All, also by whether they are symbols.
    all: HashMap<(Box<[u8]>, u32, bool), AffineExpr>,
}

impl AffineOperands {
    /// The dimensions.
    pub fn dims(&self) -> &[OperandName] {
        &self.dims
    }

    /// The symbols.
    pub fn symbols(&self) -> &[OperandName] {
        &self.symbols
    }

    /// All, dimensions first.
    pub fn names(&self) -> impl Iterator<Item = OperandName> + '_ {
        self.dims.iter().chain(&self.symbols).copied()
    }

    /// What stands for the operand whose name is this text and number, if it is there already. In expressions that are
    /// read together it is a dimension or a symbol, as which it was met first.
    pub fn get(&self, text: &[u8], number: u32, symbol: bool) -> Option<AffineExpr> {
        let known = self.known.get(&(text.into(), number));
        let all = || self.all.get(&(text.into(), number, symbol));
        known.or_else(all).copied()
    }

    /// The expressions that follow are read by themselves: what was a dimension so far can be a symbol in them as well.
    pub fn separate(&mut self) {
        self.known.clear();
    }

    /// Adds an operand, and what stands for it.
    pub fn insert(&mut self, text: &[u8], name: OperandName, symbol: bool, value: AffineExpr) {
        let list = match symbol {
            true => &mut self.symbols,
            false => &mut self.dims,
        };
        list.push(name);
        self.known.insert((text.into(), name.number), value);
        self.all.insert((text.into(), name.number, symbol), value);
    }
}
