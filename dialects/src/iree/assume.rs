//! The syntax of `util.assume.int`.

use crate::helpers::{check_count, property, result_types};
use crate::two_way::{Asm, Named, TwoWay, is_dialect_attribute, items, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, Type};

/// The dialect and the mnemonic of an assumption.
const ASSUMPTION: (&str, &str) = ("util", "int.assumption");

/// The syntax of `util.assume.int`: `%a<umin = 1>, %b[<umax = 10>, <udiv = 6>] : i32, i64`. If
/// there are several operands, each is on a line of its own.
#[derive(Debug)]
pub(crate) struct AssumeInt;

/// The parsed parts of [`AssumeInt`].
#[derive(Default)]
pub(crate) struct Assumptions {
    operands: Vec<Assumed>,
    /// The offset of the types.
    place: usize,
    types: Vec<Type>,
    attributes: Vec<NamedAttribute>,
}

/// An operand with the assumptions on it.
#[derive(Default)]
struct Assumed {
    number: usize,
    /// Whether the operand is on a line of its own.
    line: bool,
    operand: Named,
    assumptions: Vec<Option<Attribute>>,
}

impl Assumed {
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        if self.line && self.number > 0 {
            asm.newline();
        }
        asm.value(&mut self.operand)?;
        asm.one_or_list(("[", "]"), &mut self.assumptions, |asm, one| {
            asm.stripped(ASSUMPTION, one)
        })
    }
}

impl TwoWay for AssumeInt {
    type Content = Assumptions;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Assumptions> {
        let all = items(context, module.attribute(context, operation, "assumptions"))?;
        let count = module.operand_count(operation);
        let mut operands = Vec::new();
        for (number, (operand, &own)) in module.operands(operation).zip(all).enumerate() {
            let own = items(context, Some(own))?;
            let (dialect, mnemonic) = ASSUMPTION;
            let is = |&one: &Attribute| is_dialect_attribute(context, one, dialect, Some(mnemonic));
            if !own.iter().all(is) {
                return None;
            }
            operands.push(Assumed {
                number,
                line: count > 1,
                operand: Named::of(operand),
                assumptions: own.iter().copied().map(Some).collect(),
            });
        }
        let types = crate::helpers::operand_types(module, operation, 0);
        (all.len() == count
            && !types.is_empty()
            && types == result_types(module, operation)
            && module.regions(operation).len() == 0
            && module.successors(operation).len() == 0)
            .then(|| Assumptions {
                operands,
                place: 0,
                types,
                attributes: other_attributes(context, module, operation, &["assumptions"]),
            })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Assumptions) -> AsmResult<()> {
        let lines = content.operands.len() > 1;
        let step = isize::from(lines);
        asm.space(" ");
        asm.indent(2 * step);
        if lines {
            asm.newline();
        }
        asm.items(&mut content.operands, |asm, operand| operand.text(asm))?;
        asm.indent(-step);
        match lines {
            true => asm.newline(),
            false => asm.space(" "),
        }
        asm.token(":", ": ")?;
        content.place = asm.place().unwrap_or_default();
        asm.types(&mut content.types)?;
        asm.dictionary(&mut content.attributes)?;
        asm.indent(-step);
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Assumptions,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let operands = &content.operands;
        check_count(operands.len(), content.types.len(), content.place)?;
        for (operand, &ty) in operands.iter().zip(&content.types) {
            if let Some(name) = operand.operand.name {
                operation.operands.push(parser.resolve(name, ty)?);
            }
        }
        operation.result_types = std::mem::take(&mut content.types);
        let context = parser.context();
        let own = operands.iter().map(|operand| {
            let own: Vec<Attribute> = operand.assumptions.iter().copied().flatten().collect();
            context.array_attribute(&own)
        });
        let own: Vec<Attribute> = own.collect();
        let all = context.array_attribute(&own);
        property(parser, operation, "assumptions", all);
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(None)
    }
}
