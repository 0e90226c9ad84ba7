//! What the types of an operation's operands and results and its attributes are. Most operations of
//! a name in a module are alike in these, so that what was found to be good once need not be looked
//! at again.

use crate::op::Op;
use crate::{Attribute, Context, OperationName};
use std::cell::Cell;

/// How many types a signature holds; an operation with more has none.
const LENGTH: usize = 12;

/// How many signatures are remembered for a name.
const WAYS: usize = 8;

/// The properties, the attributes, the number of operands, and the types of operands and results,
/// by their handles.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Signature {
    /// Zero for an operation that has more than there is place for, else one and the number of
    /// types.
    length: u32,
    operands: u32,
    /// Numbers of entries plus one; zero for none.
    attributes: [u32; 2],
    types: [u32; LENGTH],
}

impl Signature {
    const NONE: Self = Signature {
        length: 0,
        operands: 0,
        attributes: [0; 2],
        types: [0; LENGTH],
    };

    #[inline]
    pub(super) fn of(op: Op<'_>) -> Self {
        let (module, operation) = (op.module, op.operation);
        let operands = module.operand_count(operation);
        let length = operands.saturating_add(module.result_count(operation));
        if length > LENGTH {
            return Signature::NONE;
        }
        let number = |index: usize| index as u32;
        let attributes = [module.properties(operation), module.attributes(operation)];
        let mut signature = Signature {
            length: number(length) + 1,
            operands: number(operands),
            attributes: attributes.map(|a| a.map_or(0, |a| number(a.index()).wrapping_add(1))),
            types: [0; LENGTH],
        };
        let values = module.operands(operation).chain(module.results(operation));
        for (slot, value) in signature.types.iter_mut().zip(values) {
            *slot = number(module.value_type(value).index());
        }
        signature
    }

    /// Where it is remembered.
    fn way(&self) -> usize {
        let [first, second, ..] = self.types;
        let mixed = first ^ second.rotate_left(7) ^ self.attributes[0].rotate_left(13);
        (mixed.wrapping_mul(0x9e37_79b1) >> 29) as usize % WAYS
    }
}

/// Signatures that were found to be good: the last of each way.
pub(super) struct Signatures(Box<[Cell<Signature>]>);

impl Signatures {
    /// None; with place for some if that is worth while.
    pub(super) fn new(remembers: bool) -> Self {
        let ways = if remembers { WAYS } else { 0 };
        Signatures(vec![Cell::new(Signature::NONE); ways].into())
    }

    #[inline]
    pub(super) fn contains(&self, signature: &Signature) -> bool {
        signature.length != 0
            && self
                .0
                .get(signature.way())
                .is_some_and(|way| way.get() == *signature)
    }

    pub(super) fn insert(&self, signature: Signature) {
        if let Some(way) = self.0.get(signature.way()) {
            way.set(signature);
        }
    }
}

/// Dictionaries, such as properties, that a rule of the operations of a name accepts: many
/// operations have the same dictionary and different types.
pub(super) struct GoodDictionaries {
    /// By attribute: one more than the number of the name for which it was found to be good last.
    names: Box<[Cell<u32>]>,
}

impl GoodDictionaries {
    pub(super) fn new(context: &Context) -> Self {
        GoodDictionaries {
            names: vec![Cell::new(0); context.attribute_count()].into(),
        }
    }

    #[inline]
    pub(super) fn contains(&self, properties: Attribute, name: OperationName) -> bool {
        let known = self.names.get(properties.index());
        known.is_some_and(|known| known.get() as usize == name.index() + 1)
    }

    #[inline]
    pub(super) fn insert(&self, properties: Attribute, name: OperationName) {
        if let Some(known) = self.names.get(properties.index()) {
            known.set(name.index() as u32 + 1);
        }
    }
}
