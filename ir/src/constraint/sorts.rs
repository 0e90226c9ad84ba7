//! Sorts of attributes that constraints ask for: what upstream's bytecode needs an inherent attribute to be, whatever
//! else its constraint says.

use crate::{AttributeKind, Context};

/// A sort of attributes.
#[derive(Debug)]
pub struct AttributeSort {
    constraints: &'static [&'static str],
    /// What errors call it, with an article.
    pub what: &'static str,
    /// Whether an attribute is of the sort.
    pub holds: fn(&Context, &AttributeKind) -> bool,
}

impl AttributeSort {
    /// The sort that a constraint of that name asks for, if that is known.
    pub fn of(constraint: &str) -> Option<&'static Self> {
        SORTS
            .iter()
            .find(|sort| sort.constraints.contains(&constraint))
    }
}

const SORTS: &[AttributeSort] = &[
    AttributeSort {
        constraints: &["StrAttr", "SymbolNameAttr", "Builtin_StringAttr"],
        what: "a string",
        holds: |_, kind| matches!(kind, AttributeKind::String { .. }),
    },
    AttributeSort {
        constraints: &["TypeAttr", "TypeAttrOf"],
        what: "a type",
        holds: |_, kind| matches!(kind, AttributeKind::Type(_)),
    },
    AttributeSort {
        constraints: &["UnitAttr"],
        what: "unit",
        holds: |_, kind| matches!(kind, AttributeKind::Unit),
    },
    AttributeSort {
        constraints: &["BoolAttr", "I1Attr"],
        what: "a truth value",
        holds: |context, kind| matches!(kind, AttributeKind::Integer { ty, .. } if *ty == context.i1_type()),
    },
    AttributeSort {
        constraints: &[
            "I8Attr",
            "I16Attr",
            "I32Attr",
            "I64Attr",
            "UI32Attr",
            "IndexAttr",
            "APIntAttr",
        ],
        what: "an integer",
        holds: |_, kind| matches!(kind, AttributeKind::Integer { .. }),
    },
    AttributeSort {
        constraints: &["FlatSymbolRefAttr"],
        what: "a flat symbol reference",
        holds: |_, kind| matches!(kind, AttributeKind::SymbolRef { nested, .. } if nested.is_empty()),
    },
    AttributeSort {
        constraints: &["SymbolRefAttr"],
        what: "a symbol reference",
        holds: |_, kind| matches!(kind, AttributeKind::SymbolRef { .. }),
    },
    AttributeSort {
        constraints: &[
            "ArrayAttr",
            "AffineMapArrayAttr",
            "BoolArrayAttr",
            "DictArrayAttr",
            "FlatSymbolRefArrayAttr",
            "I32ArrayAttr",
            "I64ArrayAttr",
            "StrArrayAttr",
            "SymbolRefArrayAttr",
            "TypeArrayAttr",
        ],
        what: "an array",
        holds: |_, kind| matches!(kind, AttributeKind::Array(_)),
    },
    AttributeSort {
        constraints: &["DictionaryAttr"],
        what: "a dictionary",
        holds: |_, kind| matches!(kind, AttributeKind::Dictionary(_)),
    },
    AttributeSort {
        constraints: &[
            "DenseBoolArrayAttr",
            "DenseI32ArrayAttr",
            "DenseI64ArrayAttr",
        ],
        what: "a dense array",
        holds: |_, kind| matches!(kind, AttributeKind::DenseArray { .. }),
    },
    AttributeSort {
        constraints: &["AffineMapAttr"],
        what: "an affine map",
        holds: |_, kind| matches!(kind, AttributeKind::AffineMap(_)),
    },
];
