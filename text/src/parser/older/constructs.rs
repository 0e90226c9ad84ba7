//! The constructs of older editions that are not operations.

use super::Edition;

/// A construct that the current edition does not have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Construct {
    /// `{name: value}`.
    ColonInDictionary,
    /// `!alias = type T`.
    TypeKeyword,
    /// A type alias with a dot in its name.
    DottedAlias,
    /// An affine map or integer set without `affine_map<>` or `affine_set<>`.
    BareMap,
    /// `floordiv(a, b)` and `ceildiv(a, b)`.
    DivisionCall,
    /// `size (...)` after an affine map.
    MapSize,
    /// Several affine maps as the layout of a memref.
    MapComposition,
    /// `memref<4xf32, offset: 1, strides: [2]>`.
    StridesInMemRef,
    /// A memory space that is a word.
    NamedSpace,
    /// `<4xf32>` for `memref<4xf32>`.
    TypeWithoutKeyword,
    /// `@f : type` as an attribute.
    SymbolWithType,
    /// `[^a(%x : i32)]` in the generic form.
    SuccessorOperands,
    /// `%a = ...` for several results, which are `%a#0` and so on.
    ResultGroup,
    /// `block:` and `br block`.
    BareLabel,
    /// `loc(?)`.
    UnknownLocation,
    /// `splat<tensor<4xf32>, 1.0>`, `dense<tensor<4xf32>, ...>`.
    TypeInElements,
    /// `opaque<"dialect", "...">`.
    Opaque,
    /// `!llvm<"i32*">`.
    LlvmType,
    /// `"foo"(%x) : i32 -> ()`.
    OperandTypeAlone,
}

impl Construct {
    /// Returns the newest edition that has the construct.
    pub(crate) fn last(self) -> Edition {
        match self {
            Construct::DottedAlias
            | Construct::BareMap
            | Construct::DivisionCall
            | Construct::MapSize
            | Construct::NamedSpace
            | Construct::SymbolWithType
            | Construct::SuccessorOperands
            | Construct::ResultGroup
            | Construct::BareLabel
            | Construct::TypeInElements => Edition::V2018,
            Construct::MapComposition
            | Construct::StridesInMemRef
            | Construct::TypeWithoutKeyword
            | Construct::UnknownLocation
            | Construct::Opaque => Edition::V2021,
            Construct::ColonInDictionary
            | Construct::TypeKeyword
            | Construct::LlvmType
            | Construct::OperandTypeAlone => Edition::V2022,
        }
    }

    /// Returns whether a text that has the construct, and is not valid, is likely to be of an older
    /// edition.
    pub(crate) fn is_telling(self) -> bool {
        !matches!(
            self,
            Construct::ResultGroup
                | Construct::NamedSpace
                | Construct::SuccessorOperands
                | Construct::OperandTypeAlone
                | Construct::MapComposition
                | Construct::TypeWithoutKeyword
        )
    }
}
