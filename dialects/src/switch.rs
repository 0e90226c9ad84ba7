//! The cases of switches: `llvm.switch` and `cf.switch`.

use crate::helpers::{
    array_of_i32, check_count, numbers_of_i32, operand_names, print_successor_with,
};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperandName, ParsedArgument,
    Place, PrintedArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Block, Context, Module, Operation, Type, TypeKind, Value,
};

/// A list of cases `[42: ^a(%x : i32), 43: ^b]`, each on a line. Its arguments: the flag's type, the values, the blocks,
/// operands of blocks with their types, and how many each block has.
#[derive(Debug)]
pub(crate) struct SwitchCases;

/// The values, as the elements of a vector.
fn values(context: &mut Context, flag: Type, values: &[i64]) -> Option<Attribute> {
    let width = match context.type_kind(flag) {
        TypeKind::Integer { width, .. } => *width,
        _ => 64,
    };
    let size = usize::try_from(width.div_ceil(8)).ok()?;
    let is_splat = values
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a == b));
    let held = if is_splat { values.get(..1)? } else { values };
    let mut data = Vec::new();
    for &value in held {
        ApInt::from_i64(width, value).to_le_bytes(&mut data, size);
    }
    let vector = TypeKind::Vector {
        shape: [i64::try_from(values.len()).ok()?].into(),
        scalable: [false].into(),
        element: flag,
    };
    let ty = context.try_type(vector).ok()?;
    let kind = AttributeKind::DenseElements {
        ty,
        splat: is_splat,
        data: data.into(),
    };
    context.try_attribute(kind).ok()
}

/// The values of such an attribute.
fn values_of(context: &Context, attribute: Attribute, len: usize) -> Option<Vec<i64>> {
    let AttributeKind::DenseElements { ty, splat, data } = context.attribute_kind(attribute) else {
        return None;
    };
    let width = match context.type_kind(context.element_type(*ty)?) {
        TypeKind::Integer { width, .. } => *width,
        TypeKind::Index => 64,
        _ => return None,
    };
    let size = usize::try_from(width.div_ceil(8)).ok()?;
    if width == 0 || width > 64 {
        return None;
    }
    let unused = 64u32.saturating_sub(width);
    let value = |bytes: &[u8]| {
        let bits = bytes.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b));
        let high = bits.checked_shl(unused).unwrap_or(0).cast_signed();
        high.checked_shr(unused).unwrap_or(0)
    };
    let held: Vec<i64> = data.chunks_exact(size).map(value).collect();
    match (splat, held.as_slice()) {
        (true, &[one]) => Some(vec![one; len]),
        _ => Some(held),
    }
    .filter(|values| {
        let fits = context.element_count(*ty) == u64::try_from(len).ok();
        fits && values.len() == len
    })
}

/// A case as it is read.
#[derive(Default)]
struct Cases {
    values: Vec<i64>,
    blocks: Vec<Block>,
    names: Vec<OperandName>,
    types: Vec<Type>,
    sizes: Vec<i32>,
}

impl Cases {
    /// `42: ^block(%a : i32)` of a list.
    fn parse(&mut self, parser: &mut dyn AsmParser, list: Place) -> AsmResult<()> {
        let place = parser.place();
        let value = parser.optional_integer()?;
        let value = value.ok_or_else(|| AsmError::new(place, "expected integer value"))?;
        self.values.push(value);
        parser.expect(":")?;
        self.blocks.push(parser.successor()?);
        let mut count = 0;
        if parser.eat("(") {
            let names = operand_names(parser)?;
            parser.expect(":")?;
            let before = self.types.len();
            self.types.push(parser.ty()?);
            while parser.eat(",") {
                self.types.push(parser.ty()?);
            }
            parser.expect(")")?;
            count = names.len();
            let types = self.types.len().saturating_sub(before);
            check_count(count, types, list)?;
            self.names.extend(names);
        }
        self.sizes.push(i32::try_from(count).unwrap_or(i32::MAX));
        Ok(())
    }
}

impl DirectiveSyntax for SwitchCases {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let [
            ParsedArgument::Types(flag),
            of_values,
            blocks,
            operands,
            types,
            sizes,
        ] = arguments
        else {
            return Ok(false);
        };
        let place = parser.place();
        let mut cases = Cases::default();
        parser.expect("[")?;
        if !parser.eat("]") {
            loop {
                cases.parse(parser, place)?;
                if !parser.eat(",") {
                    break;
                }
            }
            parser.expect("]")?;
        }
        let context = parser.context();
        if let Some(&flag) = flag.first().filter(|_| !cases.values.is_empty()) {
            let read = values(context, flag, &cases.values);
            if read.is_none() {
                return Err(AsmError::new(place, "expected an integer type of the flag"));
            }
            *of_values = ParsedArgument::Attribute(read);
        }
        *blocks = ParsedArgument::Successors(cases.blocks);
        *operands = ParsedArgument::Operands(cases.names);
        *types = ParsedArgument::Types(cases.types);
        *sizes = ParsedArgument::Attribute(array_of_i32(context, &cases.sizes));
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let Some((values, cases)) = parts(printer.context(), arguments) else {
            return;
        };
        printer.text("[");
        let mut is_first = true;
        for (value, (block, operands)) in values.into_iter().zip(cases) {
            if !is_first {
                printer.text(",");
            }
            is_first = false;
            printer.newline();
            printer.text(&format!("  {value}: "));
            print_successor_with(printer, block, &operands);
        }
        printer.newline();
        printer.text("]");
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        parts(context, arguments).is_some()
    }
}

/// A block with its operands.
type Target = (Block, Vec<Value>);

/// The values, and the blocks with their operands; none if their numbers do not match.
fn parts(context: &Context, arguments: &[PrintedArgument]) -> Option<(Vec<i64>, Vec<Target>)> {
    let [
        _,
        values,
        PrintedArgument::Successors(blocks),
        operands,
        _,
        sizes,
    ] = arguments
    else {
        return None;
    };
    let values = match values.attribute() {
        Some(values) => values_of(context, values, blocks.len())?,
        None => Vec::new(),
    };
    let sizes = numbers_of_i32(context, sizes.attribute()?)?;
    let mut rest = operands.operands();
    let mut cases = Vec::new();
    for (&block, &size) in blocks.iter().zip(&sizes) {
        let (here, behind) = rest.split_at_checked(usize::try_from(size).ok()?)?;
        cases.push((block, here.to_vec()));
        rest = behind;
    }
    let fits = values.len() == blocks.len() && sizes.len() == blocks.len() && rest.is_empty();
    fits.then_some((values, cases))
}
