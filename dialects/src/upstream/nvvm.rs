//! Custom syntax of the matrix products of `nvvm`: `A[...] B[...] C[...] {...} : (types) -> type`.

use crate::helpers::{
    add_operands, dialect_attribute, names_between, result_types, segments_property,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep,
};
use rmlir_ir::float::FloatKind;
use rmlir_ir::{
    AttributeKind, Context, Module, Op, Operation, OperationVerifier, Signedness, Type, TypeKind,
    Value, VerifyFailure, VerifyResult,
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
pub(crate) static DENSE: Product = Product {
    parts: &[matrix("A"), matrix("B"), matrix("C")],
    gap: " ",
};

/// `nvvm.mma.sp.sync`.
pub(crate) static SPARSE: Product = Product {
    parts: &[matrix("A"), matrix("B"), matrix("C"), METADATA, SELECTOR],
    gap: "",
};

/// `nvvm.mma.block_scale`.
pub(crate) static SCALED: Product = Product {
    parts: &[matrix("A"), matrix("B"), matrix("C"), SCALE_A, SCALE_B],
    gap: "",
};

/// `nvvm.mma.sp.block_scale`.
pub(crate) static SPARSE_SCALED: Product = Product {
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
};

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

/// Returns whether an attribute of an operation is this member of the enumeration of types.
fn is_factor_type(
    context: &Context,
    module: &Module,
    operation: Operation,
    name: &str,
    member: &str,
) -> bool {
    let attribute = module.attribute(context, operation, name);
    match attribute.map(|attribute| context.attribute_kind(attribute)) {
        Some(AttributeKind::Dialect { dialect, body, .. }) => {
            context.bytes(*dialect) == b"nvvm"
                && body.text() == format!("mma_type<{member}>").as_bytes()
        }
        _ => false,
    }
}

impl Product {
    /// Returns the operands of each list; `None` if the segments are not those of the operands.
    fn lists(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Vec<Vec<Value>>> {
        let sizes = module.attribute(context, operation, SEGMENTS)?;
        let sizes = context.i32_array(sizes)?;
        let mut sizes = sizes.map(|size| usize::try_from(size).ok());
        let mut operands = module.operands(operation);
        let mut lists = Vec::with_capacity(self.parts.len());
        for part in self.parts {
            let groups = part.integers.len().max(1);
            let mut list = Vec::new();
            for _ in 0..groups {
                let size = sizes.next()??;
                if !part.integers.is_empty() && size != 1 {
                    return None;
                }
                for _ in 0..size {
                    list.push(operands.next()?);
                }
            }
            lists.push(list);
        }
        (sizes.next().is_none() && operands.next().is_none()).then_some(lists)
    }

    /// Returns the type of the operands of each matrix; `None` if they are not alike.
    fn types(&self, module: &Module, lists: &[Vec<Value>]) -> Option<Vec<Type>> {
        let matrices = lists.iter().zip(self.parts);
        let matrices = matrices.filter(|(_, part)| part.integers.is_empty());
        matrices
            .map(|(list, _)| {
                let mut types = list.iter().map(|&value| module.value_type(value));
                let first = types.next()?;
                types.all(|ty| ty == first).then_some(first)
            })
            .collect()
    }
}

impl OperationSyntax for Product {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let mut lists: Vec<Vec<OperandName>> = Vec::with_capacity(self.parts.len());
        let mut sizes = Vec::new();
        for part in self.parts {
            parser.expect(part.keyword)?;
            let place = parser.place();
            let names = names_between(parser, "[", "]")?;
            match part.integers.len() {
                0 => sizes.push(names.len()),
                count if count == names.len() => sizes.extend(std::iter::repeat_n(1, count)),
                count => {
                    let message = format!("expected {count} operands");
                    return Err(AsmError::new(place, message));
                }
            }
            lists.push(names);
        }
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        parser.expect("(")?;
        let mut types = Vec::new();
        for part in self.parts.iter().filter(|part| part.integers.is_empty()) {
            if part.keyword != "A" {
                parser.expect(",")?;
            }
            types.push(parser.ty()?);
        }
        parser.expect(")")?;
        parser.expect("->")?;
        operation.result_types.push(parser.ty()?);
        let mut of_matrices = types.iter().copied();
        for (names, part) in lists.iter().zip(self.parts) {
            if part.integers.is_empty() {
                let Some(ty) = of_matrices.next() else {
                    continue;
                };
                add_operands(parser, operation, names.iter().map(|&name| (name, ty)))?;
            } else {
                for (&name, &width) in names.iter().zip(part.integers) {
                    let ty = parser.context().integer_type(width);
                    add_operands(parser, operation, [(name, ty)])?;
                }
            }
        }
        let place = parser.place();
        for (name, &ty) in FACTOR_TYPES.into_iter().zip(&types) {
            let Some(member) = factor_type(parser.context(), ty) else {
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
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let (context, module) = (printer.context(), printer.module());
        let lists = self.lists(context, module, operation).unwrap_or_default();
        let types = self.types(module, &lists).unwrap_or_default();
        for (list, part) in lists.iter().zip(self.parts) {
            printer.text(" ");
            printer.text(part.keyword);
            printer.text("[");
            printer.operands(list.iter().copied());
            printer.text("]");
            printer.text(self.gap);
        }
        let inferred = |ty: Option<&Type>| ty.is_some_and(|&ty| factor_type(context, ty).is_some());
        let mut elided = vec![SEGMENTS];
        let factors = FACTOR_TYPES.into_iter().enumerate();
        elided.extend(
            factors
                .filter(|&(i, _)| inferred(types.get(i)))
                .map(|(_, name)| name),
        );
        printer.attribute_dictionary(&module.all_attributes(context, operation), &elided);
        printer.text(" : (");
        printer.types(types.into_iter());
        printer.text(") -> ");
        printer.types(result_types(module, operation).into_iter());
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let Some(lists) = self.lists(context, module, operation) else {
            return false;
        };
        let Some(types) = self.types(module, &lists) else {
            return false;
        };
        let widths = |(list, part): (&Vec<Value>, &Part)| {
            let mut pairs = list.iter().zip(part.integers);
            pairs.all(|(&value, &width)| {
                let expected = TypeKind::Integer {
                    width,
                    signedness: Signedness::Signless,
                };
                *context.type_kind(module.value_type(value)) == expected
            })
        };
        let factors = FACTOR_TYPES.into_iter().zip(&types);
        module.result_count(operation) == 1
            && lists.iter().zip(self.parts).all(widths)
            && factors
                .into_iter()
                .all(|(name, &ty)| match factor_type(context, ty) {
                    Some(member) => is_factor_type(context, module, operation, name, member),
                    None => true,
                })
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
