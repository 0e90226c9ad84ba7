//! The codecs of the builtin dialect: codes and layouts of its attributes, locations and types.
//!
//! LLVM 22 has the attribute codes up to 22 and the type codes up to 20; LLVM 23 and 24 added the
//! others. Everything else of the dialect is encoded as text. (Sources: the dialect's bytecode
//! definitions, and files written by these releases.)

use crate::codec::FieldKind::{
    AffineMap, ApFloat, ApInt, Attribute, Blob, Bool, IntegerSet, List, Location, Pairs, Resource,
    SignedVarint, String, StringAttribute, Strings, SymbolReference, Type, Varint,
};
use crate::codec::{Codec, DialectCodecs};
use crate::codecs;
use crate::definition::LlvmFeature;
use crate::float::FloatKind;

macro_rules! codes {
    ($(#[$meta:meta])* $module:ident { $($name:ident = $code:literal,)* }) => {
        $(#[$meta])*
        #[allow(missing_docs)]
        pub mod $module {
            $(pub const $name: u64 = $code;)*
        }
    };
}

codes! {
    /// Codes of attributes and locations, by upstream's names.
    attribute {
        ARRAY = 0,
        DICTIONARY = 1,
        STRING = 2,
        STRING_WITH_TYPE = 3,
        FLAT_SYMBOL_REF = 4,
        SYMBOL_REF = 5,
        TYPE = 6,
        UNIT = 7,
        INTEGER = 8,
        FLOAT = 9,
        CALL_SITE_LOC = 10,
        FILE_LINE_COL_LOC = 11,
        FUSED_LOC = 12,
        FUSED_LOC_WITH_METADATA = 13,
        NAME_LOC = 14,
        UNKNOWN_LOC = 15,
        DENSE_RESOURCE = 16,
        DENSE_ARRAY = 17,
        DENSE_ELEMENTS = 18,
        DENSE_STRINGS = 19,
        SPARSE = 20,
        DISTINCT = 21,
        FILE_LINE_COL_RANGE = 22,
        AFFINE_MAP = 23,
        INTEGER_SET = 24,
        STRIDED_LAYOUT = 25,
    }
}

codes! {
    /// Codes of types, by upstream's names.
    ty {
        INTEGER = 0,
        INDEX = 1,
        FUNCTION = 2,
        BF16 = 3,
        F16 = 4,
        F32 = 5,
        F64 = 6,
        F80 = 7,
        F128 = 8,
        COMPLEX = 9,
        MEMREF = 10,
        MEMREF_WITH_MEMORY_SPACE = 11,
        NONE = 12,
        RANKED_TENSOR = 13,
        RANKED_TENSOR_WITH_ENCODING = 14,
        TUPLE = 15,
        UNRANKED_MEMREF = 16,
        UNRANKED_MEMREF_WITH_MEMORY_SPACE = 17,
        UNRANKED_TENSOR = 18,
        VECTOR = 19,
        VECTOR_WITH_SCALABLE_DIMS = 20,
        TF32 = 21,
        F8E5M2 = 22,
        F8E4M3 = 23,
        F8E4M3FN = 24,
        F8E5M2FNUZ = 25,
        F8E4M3FNUZ = 26,
        F8E4M3B11FNUZ = 27,
        F8E3M4 = 28,
        F4E2M1FN = 29,
        F6E2M3FN = 30,
        F6E3M2FN = 31,
        F8E8M0FNU = 32,
        TOKEN = 33,
        GRAPH = 34,
    }
}

const ATTRIBUTES: &[Codec] = codecs! {
    attribute::ARRAY => ArrayAttr { value: List(&Attribute) };
    attribute::DICTIONARY => DictionaryAttr { value: Pairs(&[StringAttribute, Attribute]) };
    attribute::STRING => StringAttr { value: String };
    attribute::STRING_WITH_TYPE => StringAttrWithType { value: String, type_: Type };
    attribute::FLAT_SYMBOL_REF => FlatSymbolRefAttr { root: StringAttribute };
    attribute::SYMBOL_REF => SymbolRefAttr { root: StringAttribute, nested: List(&SymbolReference) };
    attribute::TYPE => TypeAttr { value: Type };
    attribute::UNIT => UnitAttr {};
    attribute::INTEGER => IntegerAttr { type_: Type, value: ApInt(0) };
    attribute::FLOAT => FloatAttr { type_: Type, value: ApFloat(0) };
    attribute::CALL_SITE_LOC => CallSiteLoc { callee: Location, caller: Location };
    attribute::FILE_LINE_COL_LOC => FileLineColLoc {
        file: StringAttribute,
        line: Varint,
        column: Varint,
    };
    attribute::FUSED_LOC => FusedLoc { locations: List(&Location) };
    attribute::FUSED_LOC_WITH_METADATA => FusedLocWithMetadata {
        locations: List(&Location),
        metadata: Attribute,
    };
    attribute::NAME_LOC => NameLoc { name: StringAttribute, child: Location };
    attribute::UNKNOWN_LOC => UnknownLoc {};
    attribute::DENSE_RESOURCE => DenseResourceElementsAttr { type_: Type, handle: Resource };
    attribute::DENSE_ARRAY => DenseArrayAttr { element: Type, size: Varint, data: Blob };
    attribute::DENSE_ELEMENTS => DenseIntOrFPElementsAttr { type_: Type, data: Blob };
    attribute::DENSE_STRINGS => DenseStringElementsAttr {
        type_: Type,
        is_splat: Varint,
        values: Strings,
    };
    attribute::SPARSE => SparseElementsAttr { type_: Type, indices: Attribute, values: Attribute };
    attribute::DISTINCT => DistinctAttr { referenced: Attribute };
    attribute::FILE_LINE_COL_RANGE => FileLineColRange {
        file: StringAttribute,
        places: List(&Varint),
    };
    attribute::AFFINE_MAP => AffineMapAttr { value: AffineMap };
    attribute::INTEGER_SET => IntegerSetAttr { value: IntegerSet };
    attribute::STRIDED_LAYOUT => StridedLayoutAttr {
        offset: SignedVarint,
        strides: List(&SignedVarint),
    };
};

const TYPES: &[Codec] = codecs! {
    ty::INTEGER => IntegerType { width_and_signedness: Varint };
    ty::INDEX => IndexType {};
    ty::FUNCTION => FunctionType { inputs: List(&Type), results: List(&Type) };
    ty::BF16 => BFloat16Type {};
    ty::F16 => Float16Type {};
    ty::F32 => Float32Type {};
    ty::F64 => Float64Type {};
    ty::F80 => Float80Type {};
    ty::F128 => Float128Type {};
    ty::COMPLEX => ComplexType { element: Type };
    ty::MEMREF => MemRefType { shape: List(&SignedVarint), element: Type, layout: Attribute };
    ty::MEMREF_WITH_MEMORY_SPACE => MemRefTypeWithMemSpace {
        memory_space: Attribute,
        shape: List(&SignedVarint),
        element: Type,
        layout: Attribute,
    };
    ty::NONE => NoneType {};
    ty::RANKED_TENSOR => RankedTensorType { shape: List(&SignedVarint), element: Type };
    ty::RANKED_TENSOR_WITH_ENCODING => RankedTensorTypeWithEncoding {
        encoding: Attribute,
        shape: List(&SignedVarint),
        element: Type,
    };
    ty::TUPLE => TupleType { types: List(&Type) };
    ty::UNRANKED_MEMREF => UnrankedMemRefType { element: Type };
    ty::UNRANKED_MEMREF_WITH_MEMORY_SPACE => UnrankedMemRefTypeWithMemSpace {
        memory_space: Attribute,
        element: Type,
    };
    ty::UNRANKED_TENSOR => UnrankedTensorType { element: Type };
    ty::VECTOR => VectorType { shape: List(&SignedVarint), element: Type };
    ty::VECTOR_WITH_SCALABLE_DIMS => VectorTypeWithScalableDims {
        scalable: List(&Bool),
        shape: List(&SignedVarint),
        element: Type,
    };
    // LLVM 16: the number of trailing dimensions that are scalable.
    ty::VECTOR_WITH_SCALABLE_DIMS => VectorTypeWithScalableDims {
        scalable_count: Varint,
        shape: List(&SignedVarint),
        element: Type,
    };
    ty::TF32 => FloatTF32Type {};
    ty::F8E5M2 => Float8E5M2Type {};
    ty::F8E4M3 => Float8E4M3Type {};
    ty::F8E4M3FN => Float8E4M3FNType {};
    ty::F8E5M2FNUZ => Float8E5M2FNUZType {};
    ty::F8E4M3FNUZ => Float8E4M3FNUZType {};
    ty::F8E4M3B11FNUZ => Float8E4M3B11FNUZType {};
    ty::F8E3M4 => Float8E3M4Type {};
    ty::F4E2M1FN => Float4E2M1FNType {};
    ty::F6E2M3FN => Float6E2M3FNType {};
    ty::F6E3M2FN => Float6E3M2FNType {};
    ty::F8E8M0FNU => Float8E8M0FNUType {};
    ty::TOKEN => TokenType {};
    ty::GRAPH => GraphType { inputs: List(&Type), results: List(&Type) };
};

/// The codes of float types.
const FLOATS: [(u64, FloatKind); 18] = [
    (ty::BF16, FloatKind::BF16),
    (ty::F16, FloatKind::F16),
    (ty::F32, FloatKind::F32),
    (ty::F64, FloatKind::F64),
    (ty::F80, FloatKind::F80),
    (ty::F128, FloatKind::F128),
    (ty::TF32, FloatKind::TF32),
    (ty::F8E5M2, FloatKind::F8E5M2),
    (ty::F8E4M3, FloatKind::F8E4M3),
    (ty::F8E4M3FN, FloatKind::F8E4M3FN),
    (ty::F8E5M2FNUZ, FloatKind::F8E5M2FNUZ),
    (ty::F8E4M3FNUZ, FloatKind::F8E4M3FNUZ),
    (ty::F8E4M3B11FNUZ, FloatKind::F8E4M3B11FNUZ),
    (ty::F8E3M4, FloatKind::F8E3M4),
    (ty::F4E2M1FN, FloatKind::F4E2M1FN),
    (ty::F6E2M3FN, FloatKind::F6E2M3FN),
    (ty::F6E3M2FN, FloatKind::F6E3M2FN),
    (ty::F8E8M0FNU, FloatKind::F8E8M0FNU),
];

/// Returns the float type of a code; `None` if the code is not that of a float type.
pub fn float_kind(code: u64) -> Option<FloatKind> {
    FLOATS.iter().find(|row| row.0 == code).map(|row| row.1)
}

/// Returns the code of a float type.
pub fn float_code(kind: FloatKind) -> Option<u64> {
    FLOATS.iter().find(|row| row.1 == kind).map(|row| row.0)
}

/// Returns the first release of LLVM that defines a code of the builtin dialect's attributes or
/// types.
pub fn first_release(is_type: bool, code: u64) -> u32 {
    match (is_type, code) {
        (true, 21..) => LlvmFeature::EncodedTypes.first_release(),
        (false, 23..) => LlvmFeature::EncodedMaps.first_release(),
        (false, attribute::FILE_LINE_COL_RANGE) => LlvmFeature::FileRanges.first_release(),
        _ => 0,
    }
}

/// The codecs of the builtin dialect.
pub const CODECS: DialectCodecs = DialectCodecs {
    attributes: ATTRIBUTES,
    types: TYPES,
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codec::{FieldKind, find};

    #[test]
    fn tables_are_sorted_and_fields_refer_back() {
        for table in [CODECS.attributes, CODECS.types] {
            assert!(table.is_sorted_by_key(|codec| codec.code));
            for codec in table {
                for (number, field) in codec.fields.iter().enumerate() {
                    if let FieldKind::ApInt(ty) | FieldKind::ApFloat(ty) = field.kind {
                        assert!(usize::from(ty) < number, "{}", codec.name);
                        assert_eq!(codec.fields[usize::from(ty)].kind, Type);
                    }
                }
            }
        }
        assert_eq!(find(CODECS.types, 20).len(), 2);
        assert_eq!(find(CODECS.attributes, 0)[0].name, "ArrayAttr");
        assert!(find(CODECS.attributes, 26).is_empty());
        assert!(find(CODECS.attributes, u64::MAX).is_empty());
    }
}
