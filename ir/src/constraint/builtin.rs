//! The constraints on types that every definition knows: those of upstream's `CommonTypeConstraints.td`.

use super::{TypeConstraint, TypePredicate};
use std::sync::{Arc, OnceLock};

/// Names, what errors call them where the predicate's own words are others, predicates. A predicate refers to none of
/// the others.
const ROWS: &[(&str, &str, &str)] = &[
    ("AnyComplex", "complex-type", "complex"),
    (
        "AnyFixedVectorOfAnyRank",
        "fixed-length vector of any type values",
        "fixed_vector",
    ),
    (
        "AnyFixedVectorOfNonZeroRank",
        "fixed-length vector of any type values",
        "fixed_vector & min_rank(1)",
    ),
    ("AnyFloat", "floating-point", "float"),
    ("AnyI1", "1-bit integer", "int1"),
    ("AnyI16", "16-bit integer", "int16"),
    ("AnyI32", "32-bit integer", "int32"),
    ("AnyI64", "64-bit integer", "int64"),
    ("AnyI8", "8-bit integer", "int8"),
    ("AnyInteger", "integer", "integer"),
    ("AnyIntegerOrFloat", "Integer or Float", "signless | float"),
    (
        "AnyIntegerOrFloatOr1DVector",
        "Integer or Float or fixed-length vector of Integer or Float values of ranks 1",
        "signless | float | fixed_vector<signless | float> & rank(1)",
    ),
    ("AnyMemRef", "memref of any type values", "memref"),
    (
        "AnyNon0RankedMemRef",
        "non-0-ranked.memref of any type values",
        "memref & min_rank(1)",
    ),
    (
        "AnyNon0RankedOrUnrankedMemRef",
        "unranked.memref of any type values or non-0-ranked.memref of any type values",
        "unranked_memref | memref & min_rank(1)",
    ),
    (
        "AnyNon0RankedOrUnrankedTensor",
        "non-0-ranked or unranked tensor",
        "unranked_tensor | tensor & min_rank(1)",
    ),
    (
        "AnyNon0RankedTensor",
        "non-0-ranked.tensor of any type values",
        "tensor & min_rank(1)",
    ),
    (
        "AnyRankedOrUnrankedMemRef",
        "ranked or unranked memref of any type values",
        "any_memref",
    ),
    (
        "AnyRankedTensor",
        "ranked tensor of any type values",
        "ranked_tensor",
    ),
    (
        "AnyScalableVectorOfAnyRank",
        "scalable vector of any type values",
        "scalable_vector",
    ),
    ("AnyShaped", "shaped of any type values", "shaped"),
    ("AnySignedInteger", "signed integer", "signed"),
    ("AnySignlessInteger", "signless integer", "signless"),
    (
        "AnySignlessIntegerOrIndex",
        "signless integer or index",
        "signless | index",
    ),
    (
        "AnyStaticShapeMemRef",
        "statically shaped memref of any type values",
        "memref & static",
    ),
    (
        "AnyStaticShapeTensor",
        "statically shaped tensor of any type values",
        "ranked_tensor & static",
    ),
    (
        "AnyStridedMemRef",
        "strided memref of any type values",
        "memref & unknown",
    ),
    ("AnyTensor", "tensor of any type values", "tensor"),
    ("AnyTuple", "tuple", "tuple"),
    ("AnyType", "any type", "any"),
    (
        "AnyUnrankedMemRef",
        "unranked.memref of any type values",
        "unranked_memref",
    ),
    (
        "AnyUnrankedTensor",
        "unranked tensor of any type values",
        "unranked_tensor",
    ),
    ("AnyUnsignedInteger", "unsigned integer", "unsigned"),
    ("AnyVectorOfAnyRank", "vector of any type values", "vector"),
    (
        "AnyVectorOfNonZeroRank",
        "vector of any type values",
        "vector & min_rank(1)",
    ),
    ("BF16", "bfloat16 type", "bf16"),
    (
        "BF16MemRef",
        "memref of bfloat16 type values",
        "memref<bf16>",
    ),
    (
        "BF16Tensor",
        "tensor of bfloat16 type values",
        "tensor<bf16>",
    ),
    ("BoolLike", "bool-like", "i1 | value<i1>"),
    ("F128", "128-bit float", "f128"),
    ("F16", "16-bit float", "f16"),
    ("F16MemRef", "memref of 16-bit float values", "memref<f16>"),
    ("F16Tensor", "tensor of 16-bit float values", "tensor<f16>"),
    ("F32", "32-bit float", "f32"),
    ("F32MemRef", "memref of 32-bit float values", "memref<f32>"),
    ("F32Tensor", "tensor of 32-bit float values", "tensor<f32>"),
    ("F4E2M1FN", "f4E2M1FN type", "f4E2M1FN"),
    ("F64", "64-bit float", "f64"),
    ("F64MemRef", "memref of 64-bit float values", "memref<f64>"),
    ("F64Tensor", "tensor of 64-bit float values", "tensor<f64>"),
    ("F6E2M3FN", "f6E2M3FN type", "f6E2M3FN"),
    ("F6E3M2FN", "f6E3M2FN type", "f6E3M2FN"),
    ("F80", "80-bit float", "f80"),
    ("F8E3M4", "f8E3M4 type", "f8E3M4"),
    ("F8E4M3", "f8E4M3 type", "f8E4M3"),
    ("F8E4M3B11FNUZ", "f8E4M3B11FNUZ type", "f8E4M3B11FNUZ"),
    ("F8E4M3FN", "f8E4M3FN type", "f8E4M3FN"),
    ("F8E4M3FNUZ", "f8E4M3FNUZ type", "f8E4M3FNUZ"),
    ("F8E5M2", "f8E5M2 type", "f8E5M2"),
    ("F8E5M2FNUZ", "f8E5M2FNUZ type", "f8E5M2FNUZ"),
    ("F8E8M0FNU", "f8E8M0FNU type", "f8E8M0FNU"),
    ("FloatLike", "floating-point-like", "float | value<float>"),
    ("FloatTypeInterface", "FloatType instance", "float"),
    ("FunctionType", "function type", "function"),
    ("I1", "1-bit signless integer", "i1"),
    ("I128", "128-bit signless integer", "i128"),
    ("I16", "16-bit signless integer", "i16"),
    (
        "I16MemRef",
        "memref of 16-bit signless integer values",
        "memref<i16>",
    ),
    (
        "I16Tensor",
        "tensor of 16-bit signless integer values",
        "tensor<i16>",
    ),
    (
        "I1MemRef",
        "memref of 1-bit signless integer values",
        "memref<i1>",
    ),
    (
        "I1Tensor",
        "tensor of 1-bit signless integer values",
        "tensor<i1>",
    ),
    ("I32", "32-bit signless integer", "i32"),
    (
        "I32MemRef",
        "memref of 32-bit signless integer values",
        "memref<i32>",
    ),
    (
        "I32Tensor",
        "tensor of 32-bit signless integer values",
        "tensor<i32>",
    ),
    ("I64", "64-bit signless integer", "i64"),
    (
        "I64MemRef",
        "memref of 64-bit signless integer values",
        "memref<i64>",
    ),
    (
        "I64Tensor",
        "tensor of 64-bit signless integer values",
        "tensor<i64>",
    ),
    ("I8", "8-bit signless integer", "i8"),
    (
        "I8MemRef",
        "memref of 8-bit signless integer values",
        "memref<i8>",
    ),
    (
        "I8Tensor",
        "tensor of 8-bit signless integer values",
        "tensor<i8>",
    ),
    ("Index", "index", "index"),
    ("IndexTensor", "tensor of index values", "tensor<index>"),
    ("IntOrIndex", "integer or index", "integer | index"),
    ("NoneType", "none type", "none"),
    ("SI1", "1-bit signed integer", "si1"),
    ("SI16", "16-bit signed integer", "si16"),
    ("SI32", "32-bit signed integer", "si32"),
    ("SI64", "64-bit signed integer", "si64"),
    ("SI8", "8-bit signed integer", "si8"),
    ("ShapedTypeInterface", "ShapedType instance", "shaped"),
    (
        "SignlessFixedWidthIntegerLike",
        "signless-fixed-width-integer-like",
        "signless | vector<signless> | tensor<signless>",
    ),
    (
        "SignlessIntegerLike",
        "signless-integer",
        "signless | value<signless>",
    ),
    (
        "SignlessIntegerOrFloatLike",
        "signless-integer-like or floating-point-like",
        "signless | value<signless> | float | value<float>",
    ),
    (
        "SignlessIntegerOrIndexLike",
        "signless-integer-like",
        "signless | index | value<signless | index>",
    ),
    (
        "SignlessIntegerOrIndexOrFloatLike",
        "signless-integer-or-index-like or floating-point-like",
        "signless | index | value<signless | index> | float | value<float>",
    ),
    ("TF32", "tf32 type", "tf32"),
    (
        "TensorOrMemref",
        "memref of any type values or ranked tensor of any type values",
        "memref | ranked_tensor",
    ),
    ("UI1", "1-bit unsigned integer", "ui1"),
    ("UI16", "16-bit unsigned integer", "ui16"),
    ("UI32", "32-bit unsigned integer", "ui32"),
    ("UI64", "64-bit unsigned integer", "ui64"),
    ("UI8", "8-bit unsigned integer", "ui8"),
];

/// The constraints that every definition knows, sorted by name.
pub fn builtin_types() -> &'static [Arc<TypeConstraint>] {
    static TYPES: OnceLock<Vec<Arc<TypeConstraint>>> = OnceLock::new();
    TYPES.get_or_init(|| {
        let rows = ROWS.iter().filter_map(|&(name, summary, predicate)| {
            Some(Arc::new(TypeConstraint {
                name: name.into(),
                summary: summary.into(),
                predicate: TypePredicate::parse(predicate, &|_| None).ok()?,
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
            assert_eq!(constraint.predicate.to_string(), row.2);
        }
    }
}
