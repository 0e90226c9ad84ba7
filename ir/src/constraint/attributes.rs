//! The known constraints on inherent attributes, under the names of upstream's definitions.

use crate::definition::EnumDefinition;
use crate::float::FloatKind;
use crate::{Attribute, AttributeKind, Context, Signedness, Type, TypeKind};

/// A storage class of attributes: the class in which upstream stores an inherent attribute. Its
/// bytecode cannot encode an attribute of any other class for it.
#[derive(Debug)]
pub struct AttributeSort {
    /// The description for error messages, with an article.
    pub what: &'static str,
    /// Returns whether an attribute is of the sort.
    pub holds: fn(&Context, &AttributeKind) -> bool,
}

impl AttributeSort {
    /// Returns the sort that the constraint of that name requires; `None` if it is unknown or
    /// requires none.
    pub fn of(constraint: &str) -> Option<&'static Self> {
        let found = ALIASES.iter().find(|alias| alias.0 == constraint);
        match found {
            Some(alias) => Some(alias.1),
            None => AttributeConstraint::find(constraint)?.sort,
        }
    }
}

/// A named constraint on attributes.
#[derive(Clone, Debug)]
pub struct AttributeConstraint {
    /// The name in definitions.
    pub name: &'static str,
    /// The description for error messages.
    pub summary: &'static str,
    /// The sort of all attributes that satisfy the constraint; `None` if they are of several sorts.
    pub sort: Option<&'static AttributeSort>,
    /// The condition on attributes of that sort.
    besides: fn(&Context, &AttributeKind) -> bool,
}

impl AttributeConstraint {
    /// Returns the constraint of that name; `None` if it is unknown. O(log n).
    pub fn find(name: &str) -> Option<&'static Self> {
        let found = ATTRIBUTE_CONSTRAINTS.binary_search_by_key(&name, |constraint| constraint.name);
        ATTRIBUTE_CONSTRAINTS.get(found.ok()?)
    }

    /// Returns whether an attribute satisfies the constraint. Linear in the elements of an array.
    pub fn accepts(&self, context: &Context, attribute: Attribute) -> bool {
        let kind = context.attribute_kind(attribute);
        self.sort.is_none_or(|sort| (sort.holds)(context, kind)) && (self.besides)(context, kind)
    }
}

impl EnumDefinition {
    /// Returns whether an attribute belongs to the enumeration: an integer whose value is that of a
    /// case (or of a combination of cases, for a bit enumeration), or an attribute of a dialect.
    /// O(cases).
    pub fn accepts(&self, context: &Context, attribute: Attribute) -> bool {
        match context.attribute_kind(attribute) {
            AttributeKind::Integer { ty, value } => {
                let is_it =
                    |signedness, width| signedness == Signedness::Signless && width == self.width;
                is_integer(context, *ty, is_it)
                    && value.to_i64().is_some_and(|value| self.has(value))
            }
            AttributeKind::Dialect { .. } => true,
            _ => false,
        }
    }

    fn has(&self, value: i64) -> bool {
        let mut values = self.cases.iter().map(|case| case.value);
        match self.separator {
            Some(_) => value & !values.fold(0, |all, value| all | value) == 0,
            None => values.any(|known| known == value),
        }
    }

    /// Returns the description of its attributes for error messages.
    pub fn summary(&self) -> String {
        let values: Vec<String> = self
            .cases
            .iter()
            .map(|case| case.value.to_string())
            .collect();
        format!(
            "allowed {}-bit signless integer cases: {}",
            self.width,
            values.join(", ")
        )
    }
}

const AFFINE_MAP: AttributeSort = AttributeSort {
    what: "an affine map",
    holds: |_, kind| matches!(kind, AttributeKind::AffineMap(_)),
};
const ARRAY: AttributeSort = AttributeSort {
    what: "an array",
    holds: |_, kind| matches!(kind, AttributeKind::Array(_)),
};
const BOOL: AttributeSort = AttributeSort {
    what: "a truth value",
    holds: |context, kind| matches!(kind, AttributeKind::Integer { ty, .. } if *ty == context.i1_type()),
};
const DENSE_I1_ARRAY: AttributeSort = AttributeSort {
    what: "a dense array of i1",
    holds: |c, k| dense(k, c.i1_type()),
};
const DENSE_F32_ARRAY: AttributeSort = AttributeSort {
    what: "a dense array of f32",
    holds: |c, k| dense(k, c.f32_type()),
};
const DENSE_F64_ARRAY: AttributeSort = AttributeSort {
    what: "a dense array of f64",
    holds: |c, k| dense(k, c.f64_type()),
};
const DENSE_I16_ARRAY: AttributeSort = AttributeSort {
    what: "a dense array of i16",
    holds: |c, k| dense_signless(c, k, 16),
};
const DENSE_I32_ARRAY: AttributeSort = AttributeSort {
    what: "a dense array of i32",
    holds: |c, k| dense(k, c.i32_type()),
};
const DENSE_I64_ARRAY: AttributeSort = AttributeSort {
    what: "a dense array of i64",
    holds: |c, k| dense(k, c.i64_type()),
};
const DENSE_I8_ARRAY: AttributeSort = AttributeSort {
    what: "a dense array of i8",
    holds: |c, k| dense_signless(c, k, 8),
};
/// Dense elements of integers or `index` that are stored in the attribute itself, not in a
/// resource.
const DENSE_INTEGERS: AttributeSort = AttributeSort {
    what: "dense elements of integers",
    holds: |c, k| {
        elements(c, k, |ty| {
            ty == c.index_type() || is_integer(c, ty, |_, _| true)
        })
    },
};
const DENSE_FLOATS: AttributeSort = AttributeSort {
    what: "dense elements of floats",
    holds: |c, k| elements(c, k, |ty| matches!(c.type_kind(ty), TypeKind::Float(_))),
};
const ELEMENTS: AttributeSort = AttributeSort {
    what: "elements",
    holds: |_, kind| {
        // Attributes of other dialects can implement upstream's elements interface. Dense arrays
        // implement it too, but do not count as elements here.
        use AttributeKind as K;
        matches!(
            kind,
            K::DenseElements { .. }
                | K::DenseStrings { .. }
                | K::DenseText { .. }
                | K::DenseResource { .. }
                | K::Sparse { .. }
                | K::Dialect { .. }
        )
    },
};
const DICTIONARY: AttributeSort = AttributeSort {
    what: "a dictionary",
    holds: |_, kind| matches!(kind, AttributeKind::Dictionary(_)),
};
const FLAT_SYMBOL_REF: AttributeSort = AttributeSort {
    what: "a flat symbol reference",
    holds: |_, kind| matches!(kind, AttributeKind::SymbolRef { nested, .. } if nested.is_empty()),
};
const FLOAT: AttributeSort = AttributeSort {
    what: "a float",
    holds: |_, kind| matches!(kind, AttributeKind::Float { .. }),
};
const INTEGER: AttributeSort = AttributeSort {
    what: "an integer",
    holds: |_, kind| matches!(kind, AttributeKind::Integer { .. }),
};
const INTEGER_SET: AttributeSort = AttributeSort {
    what: "an integer set",
    holds: |_, kind| matches!(kind, AttributeKind::IntegerSet(_)),
};
const STRING: AttributeSort = AttributeSort {
    what: "a string",
    holds: |_, kind| matches!(kind, AttributeKind::String { .. }),
};
const SYMBOL_REF: AttributeSort = AttributeSort {
    what: "a symbol reference",
    holds: |_, kind| matches!(kind, AttributeKind::SymbolRef { .. }),
};
const TYPE: AttributeSort = AttributeSort {
    what: "a type",
    holds: |_, kind| matches!(kind, AttributeKind::Type(_)),
};
const TYPED: AttributeSort = AttributeSort {
    what: "an attribute with a type",
    holds: |context, kind| {
        // A string without an explicit type has the type `none`. Whether an attribute of another
        // dialect is typed is unknown.
        use AttributeKind as K;
        let is_alone = matches!(kind, K::Integer { .. } | K::Float { .. } | K::String { .. });
        is_alone || (ELEMENTS.holds)(context, kind)
    },
};
const UNIT: AttributeSort = AttributeSort {
    what: "unit",
    holds: |_, kind| matches!(kind, AttributeKind::Unit),
};

/// Names of several constraints that agree in their sort, but differ in conditions that the name
/// does not determine.
const ALIASES: &[(&str, &AttributeSort)] = &[("Builtin_StringAttr", &STRING)];

type Check = fn(&Context, &AttributeKind) -> bool;

const ANY: Check = |_, _| true;

const fn row(
    name: &'static str,
    summary: &'static str,
    sort: &'static AttributeSort,
    besides: Check,
) -> AttributeConstraint {
    AttributeConstraint {
        name,
        summary,
        sort: Some(sort),
        besides,
    }
}

/// Returns a constraint that attributes of several sorts satisfy.
const fn unsorted(name: &'static str, summary: &'static str, check: Check) -> AttributeConstraint {
    AttributeConstraint {
        name,
        summary,
        sort: None,
        besides: check,
    }
}

/// Returns whether an attribute is an integer whose type's signedness and width satisfy `is_it`.
fn integer(
    context: &Context,
    kind: &AttributeKind,
    is_it: impl Fn(Signedness, u32) -> bool,
) -> bool {
    match kind {
        AttributeKind::Integer { ty, .. } => is_integer(context, *ty, is_it),
        _ => false,
    }
}

fn is_integer(context: &Context, ty: Type, is_it: impl Fn(Signedness, u32) -> bool) -> bool {
    match context.type_kind(ty) {
        TypeKind::Integer { width, signedness } => is_it(*signedness, *width),
        _ => false,
    }
}

fn signless<const WIDTH: u32>(context: &Context, kind: &AttributeKind) -> bool {
    integer(context, kind, |s, w| {
        s == Signedness::Signless && w == WIDTH
    })
}

fn signed<const WIDTH: u32>(context: &Context, kind: &AttributeKind) -> bool {
    integer(context, kind, |s, w| s == Signedness::Signed && w == WIDTH)
}

fn unsigned<const WIDTH: u32>(context: &Context, kind: &AttributeKind) -> bool {
    integer(context, kind, |s, w| {
        s == Signedness::Unsigned && w == WIDTH
    })
}

fn wide<const WIDTH: u32>(context: &Context, kind: &AttributeKind) -> bool {
    integer(context, kind, |_, w| w == WIDTH)
}

fn index(context: &Context, kind: &AttributeKind) -> bool {
    matches!(kind, AttributeKind::Integer { ty, .. } if *ty == context.index_type())
}

fn float(context: &Context, kind: &AttributeKind, float: FloatKind) -> bool {
    matches!(kind, AttributeKind::Float { ty, .. } if *context.type_kind(*ty) == TypeKind::Float(float))
}

/// Returns whether an attribute is an array whose elements all satisfy `check`.
fn all(context: &Context, kind: &AttributeKind, check: Check) -> bool {
    match kind {
        AttributeKind::Array(elements) => elements
            .iter()
            .all(|&element| check(context, context.attribute_kind(element))),
        _ => false,
    }
}

/// Returns whether an attribute is an array whose elements are all of a sort.
fn all_of(context: &Context, kind: &AttributeKind, sort: &AttributeSort) -> bool {
    all(context, kind, sort.holds)
}

/// Returns whether an attribute is a dense array with elements of type `ty`.
fn dense(kind: &AttributeKind, ty: Type) -> bool {
    matches!(kind, AttributeKind::DenseArray { element, .. } if *element == ty)
}

/// Returns whether an attribute stores dense elements itself and their type satisfies `is_it`.
fn elements(context: &Context, kind: &AttributeKind, is_it: impl Fn(Type) -> bool) -> bool {
    match kind {
        AttributeKind::DenseElements { ty, .. } | AttributeKind::DenseText { ty, .. } => {
            context.element_type(*ty).is_some_and(is_it)
        }
        _ => false,
    }
}

fn integer_elements(
    context: &Context,
    kind: &AttributeKind,
    is_it: impl Fn(Signedness, u32) -> bool,
) -> bool {
    elements(context, kind, |ty| is_integer(context, ty, &is_it))
}

/// Returns whether a text has the form of LLVM's data layouts: specifications separated by `-`,
/// each of a kind that its first character tells (LangRef, "Data Layout"). What follows is not
/// looked at: it differs between releases.
fn is_data_layout(text: &[u8]) -> bool {
    let mut specifications = text.split(|&byte| byte == b'-');
    text.is_empty()
        || specifications.all(|one| match one {
            [b'e' | b'E', rest @ ..] => rest.is_empty(),
            // `s` is ignored, as in old layouts.
            [first, ..] => b"pivfanSPAGmFs".contains(first),
            [] => false,
        })
}

/// The known constraints on attributes, sorted by name.
pub static ATTRIBUTE_CONSTRAINTS: &[AttributeConstraint] = &[
    row("APIntAttr", "arbitrary integer attribute", &INTEGER, ANY),
    row(
        "AffineMapArrayAttr",
        "AffineMap array attribute",
        &ARRAY,
        |c, k| all_of(c, k, &AFFINE_MAP),
    ),
    row("AffineMapAttr", "AffineMap attribute", &AFFINE_MAP, ANY),
    unsorted("AnyAttr", "any attribute", ANY),
    row(
        "AnyI16Attr",
        "16-bit integer attribute",
        &INTEGER,
        wide::<16>,
    ),
    row("AnyI1Attr", "1-bit integer attribute", &INTEGER, wide::<1>),
    row(
        "AnyI32Attr",
        "32-bit integer attribute",
        &INTEGER,
        wide::<32>,
    ),
    row(
        "AnyI32ElementsAttr",
        "32-bit integer elements attribute",
        &DENSE_INTEGERS,
        |c, k| integer_elements(c, k, |_, width| width == 32),
    ),
    row(
        "AnyI64Attr",
        "64-bit integer attribute",
        &INTEGER,
        wide::<64>,
    ),
    row(
        "AnyI64ElementsAttr",
        "64-bit integer elements attribute",
        &DENSE_INTEGERS,
        |c, k| integer_elements(c, k, |_, width| width == 64),
    ),
    row("AnyI8Attr", "8-bit integer attribute", &INTEGER, wide::<8>),
    row(
        "AnyIntElementsAttr",
        "integer elements attribute",
        &DENSE_INTEGERS,
        ANY,
    ),
    row("ArrayAttr", "array attribute", &ARRAY, ANY),
    row(
        "BoolArrayAttr",
        "1-bit boolean array attribute",
        &ARRAY,
        |c, k| all_of(c, k, &BOOL),
    ),
    row("BoolAttr", "bool attribute", &BOOL, ANY),
    row(
        "DenseBoolArrayAttr",
        "i1 dense array attribute",
        &DENSE_I1_ARRAY,
        ANY,
    ),
    row(
        "DenseF32ArrayAttr",
        "f32 dense array attribute",
        &DENSE_F32_ARRAY,
        ANY,
    ),
    row(
        "DenseF64ArrayAttr",
        "f64 dense array attribute",
        &DENSE_F64_ARRAY,
        ANY,
    ),
    row(
        "DenseI16ArrayAttr",
        "i16 dense array attribute",
        &DENSE_I16_ARRAY,
        ANY,
    ),
    row(
        "DenseI32ArrayAttr",
        "i32 dense array attribute",
        &DENSE_I32_ARRAY,
        ANY,
    ),
    row(
        "DenseI64ArrayAttr",
        "i64 dense array attribute",
        &DENSE_I64_ARRAY,
        ANY,
    ),
    row(
        "DenseI8ArrayAttr",
        "i8 dense array attribute",
        &DENSE_I8_ARRAY,
        ANY,
    ),
    row(
        "DictArrayAttr",
        "Array of dictionary attributes",
        &ARRAY,
        |c, k| all_of(c, k, &DICTIONARY),
    ),
    row(
        "DictionaryAttr",
        "dictionary of named attribute values",
        &DICTIONARY,
        ANY,
    ),
    row(
        "ElementsAttr",
        "constant vector/tensor attribute",
        &ELEMENTS,
        ANY,
    ),
    row(
        "F32ArrayAttr",
        "32-bit float array attribute",
        &ARRAY,
        |c, k| all(c, k, |c, k| float(c, k, FloatKind::F32)),
    ),
    row("F32Attr", "32-bit float attribute", &FLOAT, |c, k| {
        float(c, k, FloatKind::F32)
    }),
    row(
        "F64ArrayAttr",
        "64-bit float array attribute",
        &ARRAY,
        |c, k| all(c, k, |c, k| float(c, k, FloatKind::F64)),
    ),
    row("F64Attr", "64-bit float attribute", &FLOAT, |c, k| {
        float(c, k, FloatKind::F64)
    }),
    row(
        "F64ElementsAttr",
        "64-bit float elements attribute",
        &DENSE_FLOATS,
        |c, k| elements(c, k, |ty| ty == c.f64_type()),
    ),
    row(
        "FlatSymbolRefArrayAttr",
        "flat symbol ref array attribute",
        &ARRAY,
        |c, k| all_of(c, k, &FLAT_SYMBOL_REF),
    ),
    row(
        "FlatSymbolRefAttr",
        "flat symbol reference attribute",
        &FLAT_SYMBOL_REF,
        ANY,
    ),
    row(
        "I16Attr",
        "16-bit signless integer attribute",
        &INTEGER,
        signless::<16>,
    ),
    row("I1Attr", "1-bit signless integer attribute", &BOOL, ANY),
    row(
        "I32ArrayAttr",
        "32-bit integer array attribute",
        &ARRAY,
        |c, k| all(c, k, signless::<32>),
    ),
    row(
        "I32Attr",
        "32-bit signless integer attribute",
        &INTEGER,
        signless::<32>,
    ),
    row(
        "I32ElementsAttr",
        "32-bit signless integer elements attribute",
        &DENSE_INTEGERS,
        |c, k| elements(c, k, |ty| ty == c.i32_type()),
    ),
    row(
        "I64ArrayAttr",
        "64-bit integer array attribute",
        &ARRAY,
        |c, k| all(c, k, signless::<64>),
    ),
    row(
        "I64Attr",
        "64-bit signless integer attribute",
        &INTEGER,
        signless::<64>,
    ),
    row(
        "I64ElementsAttr",
        "64-bit signless integer elements attribute",
        &DENSE_INTEGERS,
        |c, k| elements(c, k, |ty| ty == c.i64_type()),
    ),
    row(
        "I8Attr",
        "8-bit signless integer attribute",
        &INTEGER,
        signless::<8>,
    ),
    row("IndexAttr", "index attribute", &INTEGER, index),
    row(
        "IndexElementsAttr",
        "index elements attribute",
        &DENSE_INTEGERS,
        |c, k| elements(c, k, |ty| ty == c.index_type()),
    ),
    row(
        "IndexListArrayAttr",
        "Array of 64-bit integer array attributes",
        &ARRAY,
        |c, k| all(c, k, |c, k| all(c, k, signless::<64>)),
    ),
    row("IntegerSetAttr", "IntegerSet attribute", &INTEGER_SET, ANY),
    row(
        "LLVMDataLayoutAttr",
        "data layout descriptor",
        &STRING,
        |context, kind| match kind {
            AttributeKind::String { value, .. } => is_data_layout(context.bytes(*value)),
            _ => false,
        },
    ),
    row(
        "RankedI64ElementsAttr",
        "64-bit signless int elements attribute",
        &DENSE_INTEGERS,
        |c, k| elements(c, k, |ty| ty == c.i64_type()),
    ),
    row(
        "SI16Attr",
        "16-bit signed integer attribute",
        &INTEGER,
        signed::<16>,
    ),
    row(
        "SI32Attr",
        "32-bit signed integer attribute",
        &INTEGER,
        signed::<32>,
    ),
    row(
        "SI64Attr",
        "64-bit signed integer attribute",
        &INTEGER,
        signed::<64>,
    ),
    row(
        "SI8Attr",
        "8-bit signed integer attribute",
        &INTEGER,
        signed::<8>,
    ),
    row("StrArrayAttr", "string array attribute", &ARRAY, |c, k| {
        all_of(c, k, &STRING)
    }),
    row("StrAttr", "string attribute", &STRING, ANY),
    unsorted(
        "StringElementsAttr",
        "string elements attribute",
        |_, kind| matches!(kind, AttributeKind::DenseStrings { .. }),
    ),
    row("SymbolNameAttr", "string attribute", &STRING, ANY),
    row(
        "SymbolRefArrayAttr",
        "symbol ref array attribute",
        &ARRAY,
        |c, k| all_of(c, k, &SYMBOL_REF),
    ),
    row(
        "SymbolRefAttr",
        "symbol reference attribute",
        &SYMBOL_REF,
        ANY,
    ),
    row("TypeArrayAttr", "type array attribute", &ARRAY, |c, k| {
        all_of(c, k, &TYPE)
    }),
    row("TypeAttr", "any type attribute", &TYPE, ANY),
    row("TypeAttrBase", "", &TYPE, ANY),
    row("TypeAttrOf", "type attribute", &TYPE, ANY),
    row("TypedArrayAttrBase", "", &ARRAY, ANY),
    row("TypedAttrInterface", "TypedAttr instance", &TYPED, ANY),
    row(
        "UI16Attr",
        "16-bit unsigned integer attribute",
        &INTEGER,
        unsigned::<16>,
    ),
    row(
        "UI32Attr",
        "32-bit unsigned integer attribute",
        &INTEGER,
        unsigned::<32>,
    ),
    row(
        "UI64Attr",
        "64-bit unsigned integer attribute",
        &INTEGER,
        unsigned::<64>,
    ),
    row(
        "UI8Attr",
        "8-bit unsigned integer attribute",
        &INTEGER,
        unsigned::<8>,
    ),
    row("UnitAttr", "unit attribute", &UNIT, ANY),
];

/// Returns whether an attribute is a dense array of signless integers of a width.
fn dense_signless(context: &Context, kind: &AttributeKind, width: u32) -> bool {
    match kind {
        AttributeKind::DenseArray { element, .. } => is_integer(context, *element, |s, w| {
            s == Signedness::Signless && w == width
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::{ATTRIBUTE_CONSTRAINTS, AttributeConstraint, AttributeSort};
    use crate::Context;

    #[test]
    fn names_are_sorted() {
        assert!(ATTRIBUTE_CONSTRAINTS.is_sorted_by(|a, b| a.name < b.name));
    }

    #[test]
    fn what_keeps_a_constraint_is_of_its_sort() {
        let mut context = Context::new();
        let (i64, f32) = (context.i64_type(), context.f32_type());
        let number = context.integer_attribute(i64, 3).unwrap();
        let ty = context.type_attribute(f32);
        let array = context.array_attribute(&[number]);
        let name = context.string_attribute("a");
        let keeps = |name: &str, attribute| {
            let found = AttributeConstraint::find(name);
            found.is_some_and(|constraint| constraint.accepts(&context, attribute))
        };
        assert!(keeps("I64Attr", number) && keeps("AnyI64Attr", number));
        assert!(!keeps("I32Attr", number) && !keeps("UI64Attr", number));
        assert!(keeps("I64ArrayAttr", array) && !keeps("I32ArrayAttr", array));
        assert!(keeps("TypeAttr", ty) && !keeps("TypeAttr", name));
        assert!(keeps("StrAttr", name) && !keeps("StrArrayAttr", array));
        assert_eq!(
            AttributeSort::of("TypeAttrOf").map(|sort| sort.what),
            Some("a type")
        );
        assert!(AttributeSort::of("AnyAttr").is_none());
    }
}
