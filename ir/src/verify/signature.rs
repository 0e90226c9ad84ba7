//! Signatures of operations: the types of operands and results, and the attributes. Most operations
//! of a name in a module share a few signatures, so rules that depend only on the signature are
//! memoized.

use crate::op::Op;
use crate::{Attribute, Context, OperationName};
use std::cell::Cell;

/// The maximum number of types in a signature; an operation with more types has no signature.
const LENGTH: usize = 12;

/// The number of signatures cached for an operation name.
const WAYS: usize = 8;

/// The properties, discardable attributes, number of operands, and types of operands and results,
/// all by handle index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Signature {
    /// One more than the number of types; zero for an operation with more than [`LENGTH`] types.
    length: u32,
    operands: u32,
    /// The indices of properties and attributes plus one; zero if absent.
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

    /// Returns the index of the signature's cache line.
    fn way(&self) -> usize {
        let [first, second, ..] = self.types;
        let mixed = first ^ second.rotate_left(7) ^ self.attributes[0].rotate_left(13);
        (mixed.wrapping_mul(0x9e37_79b1) >> 29) as usize % WAYS
    }
}

/// A direct-mapped cache of the signatures found valid.
pub(super) struct Signatures(Box<[Cell<Signature>]>);

impl Signatures {
    /// Returns an empty cache, without memory if `remembers` is false.
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

/// A cache of the dictionaries, such as properties, that a rule accepts for the operations of a
/// name. It complements [`Signatures`]: many operations have the same dictionary and different
/// types.
pub(super) struct GoodDictionaries {
    /// Indexed by attribute: one more than the index of the operation name for which the dictionary
    /// was accepted last.
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
