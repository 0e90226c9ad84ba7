//! The constraints on types that every definition can refer to: those of upstream's
//! `CommonTypeConstraints.td`.

use super::{TypeConstraint, TypePredicate};
use std::sync::{Arc, OnceLock};

/// Name, predicate, and the description for error messages; empty if the predicate's own is used.
/// No predicate refers to another row, so that the table can be parsed without itself.
const ROWS: &[(&str, &str, &str)] = &[
    ("AnyComplex", "complex", ""),
    ("AnyFixedVectorOfAnyRank", "fixed_vector", ""),
    (
        "AnyFixedVectorOfNonZeroRank",
        "fixed_vector & min_rank(1)",
        "",
    ),
    ("AnyFloat", "float", ""),
    ("AnyI1", "int1", ""),
    ("AnyI16", "int16", ""),
    ("AnyI32", "int32", ""),
    ("AnyI64", "int64", ""),
    ("AnyI8", "int8", ""),
    ("AnyInteger", "integer", ""),
    ("AnyIntegerOrFloat", "signless | float", "Integer or Float"),
    (
        "AnyIntegerOrFloatOr1DVector",
        "signless | float | fixed_vector<signless | float> & rank(1)",
        "Integer or Float or fixed-length vector of Integer or Float values of ranks 1",
    ),
    ("AnyMemRef", "memref", ""),
    (
        "AnyNon0RankedMemRef",
        "memref & min_rank(1)",
        "non-0-ranked.memref of any type values",
    ),
    (
        "AnyNon0RankedOrUnrankedMemRef",
        "unranked_memref | memref & min_rank(1)",
        "unranked.memref of any type values or non-0-ranked.memref of any type values",
    ),
    (
        "AnyNon0RankedOrUnrankedTensor",
        "unranked_tensor | tensor & min_rank(1)",
        "non-0-ranked or unranked tensor",
    ),
    (
        "AnyNon0RankedTensor",
        "tensor & min_rank(1)",
        "non-0-ranked.tensor of any type values",
    ),
    ("AnyRankedOrUnrankedMemRef", "any_memref", ""),
    ("AnyRankedTensor", "ranked_tensor", ""),
    ("AnyScalableVectorOfAnyRank", "scalable_vector", ""),
    ("AnyShaped", "shaped", ""),
    ("AnySignedInteger", "signed", ""),
    ("AnySignlessInteger", "signless", ""),
    ("AnySignlessIntegerOrIndex", "signless | index", ""),
    ("AnyStaticShapeMemRef", "memref & static", ""),
    (
        "AnyStaticShapeTensor",
        "ranked_tensor & static",
        "statically shaped tensor of any type values",
    ),
    (
        "AnyStridedMemRef",
        "memref & unknown",
        "strided memref of any type values",
    ),
    ("AnyTensor", "tensor", ""),
    ("AnyTuple", "tuple", ""),
    ("AnyType", "any", ""),
    ("AnyUnrankedMemRef", "unranked_memref", ""),
    ("AnyUnrankedTensor", "unranked_tensor", ""),
    ("AnyUnsignedInteger", "unsigned", ""),
    ("AnyVectorOfAnyRank", "vector", ""),
    ("AnyVectorOfNonZeroRank", "vector & min_rank(1)", ""),
    ("BF16", "bf16", ""),
    ("BF16MemRef", "memref<bf16>", ""),
    ("BF16Tensor", "tensor<bf16>", ""),
    ("BoolLike", "i1 | value<i1>", "bool-like"),
    ("F128", "f128", ""),
    ("F16", "f16", ""),
    ("F16MemRef", "memref<f16>", ""),
    ("F16Tensor", "tensor<f16>", ""),
    ("F32", "f32", ""),
    ("F32MemRef", "memref<f32>", ""),
    ("F32Tensor", "tensor<f32>", ""),
    ("F4E2M1FN", "f4E2M1FN", ""),
    ("F64", "f64", ""),
    ("F64MemRef", "memref<f64>", ""),
    ("F64Tensor", "tensor<f64>", ""),
    ("F6E2M3FN", "f6E2M3FN", ""),
    ("F6E3M2FN", "f6E3M2FN", ""),
    ("F80", "f80", ""),
    ("F8E3M4", "f8E3M4", ""),
    ("F8E4M3", "f8E4M3", ""),
    ("F8E4M3B11FNUZ", "f8E4M3B11FNUZ", ""),
    ("F8E4M3FN", "f8E4M3FN", ""),
    ("F8E4M3FNUZ", "f8E4M3FNUZ", ""),
    ("F8E5M2", "f8E5M2", ""),
    ("F8E5M2FNUZ", "f8E5M2FNUZ", ""),
    ("F8E8M0FNU", "f8E8M0FNU", ""),
    ("FloatLike", "float | value<float>", "floating-point-like"),
    ("FloatTypeInterface", "float", "FloatType instance"),
    ("FunctionType", "function", ""),
    ("I1", "i1", ""),
    ("I128", "i128", ""),
    ("I16", "i16", ""),
    ("I16MemRef", "memref<i16>", ""),
    ("I16Tensor", "tensor<i16>", ""),
    ("I1MemRef", "memref<i1>", ""),
    ("I1Tensor", "tensor<i1>", ""),
    ("I32", "i32", ""),
    ("I32MemRef", "memref<i32>", ""),
    ("I32Tensor", "tensor<i32>", ""),
    ("I64", "i64", ""),
    ("I64MemRef", "memref<i64>", ""),
    ("I64Tensor", "tensor<i64>", ""),
    ("I8", "i8", ""),
    ("I8MemRef", "memref<i8>", ""),
    ("I8Tensor", "tensor<i8>", ""),
    ("Index", "index", ""),
    ("IndexTensor", "tensor<index>", ""),
    ("IntOrIndex", "integer | index", ""),
    ("NoneType", "none", ""),
    ("SI1", "si1", ""),
    ("SI16", "si16", ""),
    ("SI32", "si32", ""),
    ("SI64", "si64", ""),
    ("SI8", "si8", ""),
    ("ShapedTypeInterface", "shaped", "ShapedType instance"),
    (
        "SignlessFixedWidthIntegerLike",
        "signless | vector<signless> | tensor<signless>",
        "signless-fixed-width-integer-like",
    ),
    (
        "SignlessIntegerLike",
        "signless | value<signless>",
        "signless-integer",
    ),
    (
        "SignlessIntegerOrFloatLike",
        "signless | value<signless> | float | value<float>",
        "signless-integer-like or floating-point-like",
    ),
    (
        "SignlessIntegerOrIndexLike",
        "signless | index | value<signless | index>",
        "signless-integer-like",
    ),
    (
        "SignlessIntegerOrIndexOrFloatLike",
        "signless | index | value<signless | index> | float | value<float>",
        "signless-integer-or-index-like or floating-point-like",
    ),
    ("TF32", "tf32", ""),
    ("TensorOrMemref", "memref | ranked_tensor", ""),
    ("UI1", "ui1", ""),
    ("UI16", "ui16", ""),
    ("UI32", "ui32", ""),
    ("UI64", "ui64", ""),
    ("UI8", "ui8", ""),
];

/// Returns the constraints that every definition can refer to, sorted by name.
pub fn builtin_types() -> &'static [Arc<TypeConstraint>] {
    static TYPES: OnceLock<Vec<Arc<TypeConstraint>>> = OnceLock::new();
    TYPES.get_or_init(|| {
        let rows = ROWS.iter().filter_map(|&(name, predicate, summary)| {
            let predicate = TypePredicate::parse(predicate, &|_| None).ok()?;
            let summary = match summary {
                "" => predicate.summary().into(),
                _ => summary.into(),
            };
            Some(Arc::new(TypeConstraint {
                name: name.into(),
                summary,
                predicate,
            }))
        });
        rows.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_sorted_and_read() {
        let all = builtin_types();
        assert_eq!(all.len(), ROWS.len());
        assert!(all.is_sorted_by(|a, b| a.name < b.name));
        for (constraint, row) in all.iter().zip(ROWS) {
            assert_eq!(constraint.predicate.to_string(), row.1);
            assert_ne!(constraint.predicate.summary(), row.2);
        }
    }
}
