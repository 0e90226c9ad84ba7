//! Custom syntax of the matrix products of `nvvm`: `A[...] B[...] C[...] {...} : (types) -> type`.

use crate::helpers::{dialect_attribute, is_dialect_attribute, segments_property};
use crate::two_way::{Asm, Named, Syntax, TwoWay, add_of_type, failure, other_attributes};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::float::FloatKind;
use rmlir_ir::{
    AttributeKind, Context, Module, NamedAttribute, Op, Operation, OperationVerifier, Signedness,
    Type, TypeKind, Value, VerifyFailure, VerifyResult,
};

/// A list of operands in brackets.
#[derive(Debug)]
struct Part {
    keyword: &'static str,
    /// The widths of the integers in it, each of which is a group of its own. Empty for a matrix,
    /// which is one group, whose type is in the signature.
    integers: &'static [u32],
}

const fn matrix(keyword: &'static str) -> Part {
    Part {
        keyword,
        integers: &[],
    }
}

/// Custom syntax of a matrix product.
#[derive(Debug)]
pub(crate) struct Product {
    parts: &'static [Part],
    /// The text after a list.
    gap: &'static str,
}

const METADATA: Part = Part {
    keyword: "sparseMetadata",
    integers: &[32],
};
const SELECTOR: Part = Part {
    keyword: "selector",
    integers: &[32],
};
const SCALE_A: Part = Part {
    keyword: "scaleA",
    integers: &[32, 16, 16],
};
const SCALE_B: Part = Part {
    keyword: "scaleB",
    integers: &[32, 16, 16],
};

/// `nvvm.mma.sync`.
pub(crate) static DENSE: Syntax<Product> = Syntax(Product {
    parts: &[matrix("A"), matrix("B"), matrix("C")],
    gap: " ",
});

/// `nvvm.mma.sp.sync`.
pub(crate) static SPARSE: Syntax<Product> = Syntax(Product {
    parts: &[matrix("A"), matrix("B"), matrix("C"), METADATA, SELECTOR],
    gap: "",
});

/// `nvvm.mma.block_scale`.
pub(crate) static SCALED: Syntax<Product> = Syntax(Product {
    parts: &[matrix("A"), matrix("B"), matrix("C"), SCALE_A, SCALE_B],
    gap: "",
});

/// `nvvm.mma.sp.block_scale`.
pub(crate) static SPARSE_SCALED: Syntax<Product> = Syntax(Product {
    parts: &[
        matrix("A"),
        matrix("B"),
        matrix("C"),
        METADATA,
        SELECTOR,
        SCALE_A,
        SCALE_B,
    ],
    gap: "",
});

/// The attributes that state how the factors are interpreted, left out where their types tell it.
const FACTOR_TYPES: [&str; 2] = ["multiplicandAPtxType", "multiplicandBPtxType"];

/// The attribute that no custom text has.
const SEGMENTS: &str = "operandSegmentSizes";

/// Returns the member of the enumeration of types that the type of a factor determines.
fn factor_type(context: &Context, ty: Type) -> Option<&'static str> {
    let element = match context.type_kind(ty) {
        TypeKind::Vector {
            shape,
            scalable,
            element,
        } if **shape == [2] && **scalable == [false] => match context.type_kind(*element) {
            TypeKind::Float(FloatKind::F16) => *element,
            _ => return None,
        },
        _ => ty,
    };
    match context.type_kind(element) {
        TypeKind::Float(FloatKind::F64) => Some("f64"),
        TypeKind::Float(FloatKind::F16) => Some("f16"),
        TypeKind::Float(FloatKind::F32) => Some("tf32"),
        _ => None,
    }
}

/// The parsed parts of [`Product`].
#[derive(Default)]
pub(crate) struct Content {
    /// The operands of each part.
    lists: Vec<Vec<Named>>,
    attributes: Vec<NamedAttribute>,
    /// The types of the matrices.
    types: Vec<Option<Type>>,
    result: Option<Type>,
}

impl Product {
    /// Returns the number of matrices.
    fn matrices(&self) -> usize {
        let matrices = self.parts.iter().filter(|part| part.integers.is_empty());
        matrices.count()
    }
}

impl TwoWay for Product {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let sizes = context.i32_array(module.attribute(context, operation, SEGMENTS)?)?;
        let mut sizes = sizes.map(|size| usize::try_from(size).ok());
        let operands: Vec<Value> = module.operands(operation).collect();
        let mut rest = operands.as_slice();
        let (mut lists, mut types) = (Vec::with_capacity(self.parts.len()), Vec::new());
        for part in self.parts {
            let mut count = part.integers.len();
            if count == 0 {
                count = sizes.next()??;
            } else if !sizes.by_ref().take(count).all(|size| size == Some(1)) {
                return None;
            }
            let (list, others) = rest.split_at_checked(count)?;
            rest = others;
            let mut of = list.iter().map(|&value| module.value_type(value));
            let mut widths = part.integers.iter();
            if part.integers.is_empty() {
                let first = of.next()?;
                types.push(Some(first).filter(|_| of.all(|ty| ty == first)));
                types.last()?.as_ref()?;
            } else if !of.all(|ty| {
                let kind = widths.next().map(|&width| TypeKind::Integer {
                    width,
                    signedness: Signedness::Signless,
                });
                kind.as_ref() == Some(context.type_kind(ty))
            }) {
                return None;
            }
            lists.push(Named::all(list.iter().copied()));
        }
        let mut elided = vec![SEGMENTS];
        for (name, ty) in FACTOR_TYPES.into_iter().zip(&types) {
            if let Some(member) = ty.and_then(|ty| factor_type(context, ty)) {
                let attribute = module.attribute(context, operation, name)?;
                let text = format!("mma_type<{member}>");
                if !is_dialect_attribute(context, attribute, "nvvm", &text) {
                    return None;
                }
                elided.push(name);
            }
        }
        let result = module.result(operation, 0)?;
        let fits = sizes.next().is_none() && rest.is_empty() && module.result_count(operation) == 1;
        fits.then(|| Content {
            lists,
            attributes: other_attributes(context, module, operation, &elided),
            types,
            result: Some(module.value_type(result)),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        content.lists.resize_with(self.parts.len(), Vec::new);
        for (part, list) in self.parts.iter().zip(&mut content.lists) {
            asm.space(" ");
            asm.token(part.keyword, part.keyword)?;
            let place = asm.place();
            asm.values_between(("[", "]"), list)?;
            asm.space(self.gap);
            let count = part.integers.len();
            if count > 0 && count != list.len() {
                return Err(failure(place, format!("expected {count} operands")));
            }
        }
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.token("(", "(")?;
        content.types.resize(self.matrices(), None);
        for (number, ty) in content.types.iter_mut().enumerate() {
            if number > 0 {
                asm.token(",", ", ")?;
            }
            asm.ty(ty)?;
        }
        asm.token(")", ")")?;
        asm.token("->", " -> ")?;
        asm.ty(&mut content.result)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.result_types.extend(content.result);
        let mut of_matrices = content.types.iter().copied().flatten();
        let mut sizes = Vec::new();
        for (list, part) in content.lists.iter().zip(self.parts) {
            if part.integers.is_empty() {
                sizes.push(list.len());
                if let Some(ty) = of_matrices.next() {
                    add_of_type(parser, operation, list, ty)?;
                }
            }
            for (name, &width) in list.iter().zip(part.integers) {
                sizes.push(1);
                let ty = parser.context().integer_type(width);
                add_of_type(parser, operation, [name], ty)?;
            }
        }
        let place = parser.place();
        for (name, ty) in FACTOR_TYPES.into_iter().zip(&content.types) {
            let Some(member) = ty.and_then(|ty| factor_type(parser.context(), ty)) else {
                continue;
            };
            let known = parser.name(name);
            if operation.attributes.iter().any(|entry| entry.0 == known) {
                continue;
            }
            let made = dialect_attribute(parser.context(), "nvvm", &format!("mma_type<{member}>"));
            let made = made.map_err(|error| AsmError::new(place, error.message()))?;
            operation.attributes.push((known, made));
        }
        segments_property(parser, operation, &sizes);
        Ok(None)
    }
}

/// Verifies that the targets of the enclosing `gpu.module` support an operation that requires a
/// version of the streaming multiprocessor.
#[derive(Debug)]
pub(crate) struct RequiresSm {
    /// The minimum version; if `accelerated`, the versions that support the operation.
    pub(crate) versions: &'static [u32],
    /// Whether only the architecture-accelerated variants, such as `sm_90a`, support it.
    pub(crate) accelerated: bool,
}

/// The maximum number of enclosing operations to examine, so that the cost is linear in the number
/// of operations. Operations nested deeper are accepted.
const LEVELS: usize = 1 << 10;

impl RequiresSm {
    /// Returns whether a chip, such as `sm_90a`, supports the operation; `None` for other names.
    fn is_supported_on(&self, chip: &str) -> Option<bool> {
        let name = chip.strip_prefix("sm_")?;
        let digits = name.bytes().take_while(u8::is_ascii_digit).count();
        let version: u32 = name.get(..digits)?.parse().ok()?;
        Some(match self.accelerated {
            true => name.ends_with('a') && self.versions.contains(&version),
            false => self.versions.iter().all(|&least| version >= least),
        })
    }
}

impl OperationVerifier for RequiresSm {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let parents = std::iter::successors(op.parent(), |op| op.parent());
        let module = parents.take(LEVELS).find(|op| op.is("gpu.module"));
        let targets = module.and_then(|module| module.attr("targets"));
        let Some(AttributeKind::Array(targets)) = targets.map(|t| op.context.attribute_kind(t))
        else {
            return Ok(());
        };
        for &target in targets {
            let is_nvvm = matches!(
                op.context.attribute_kind(target),
                AttributeKind::Dialect { dialect, .. } if op.context.bytes(*dialect) == b"nvvm"
            );
            let is_verified = op
                .parameter(target, "verifyTarget")
                .and_then(|flag| flag.bool());
            if !is_nvvm || is_verified != Some(true) {
                continue;
            }
            let chip = op.parameter(target, "chip").and_then(|chip| chip.str());
            if let Some(chip) = chip
                && self.is_supported_on(&chip) == Some(false)
            {
                return Err(VerifyFailure::op(format!("is not supported on {chip}")));
            }
        }
        Ok(())
    }
}
