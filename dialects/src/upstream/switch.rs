//! Directives for lists of successors with operands: the cases of `llvm.switch` and `cf.switch`,
//! the targets of `llvm.indirectbr`.

use crate::helpers::{check_count, dense_integers, operand_names, print_successor_with};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperandName, ParsedArgument,
    Place, PrintedArgument,
};
use rmlir_ir::{Block, Context, Module, Operation, Type, TypeKind, Value};

/// The directive for a list of cases `[42: ^a(%x : i32), 43: ^b]`, each on its own line. Its
/// arguments are the flag's type, the case values, the blocks, the operands of the blocks with
/// their types, and the number of operands of each block. With `default`, the list starts with a
/// case of that keyword, and the format has the brackets; the block, operands and types of that
/// case are three more arguments after the first.
#[derive(Debug)]
pub(crate) struct SwitchCases {
    pub(crate) default: bool,
}

/// The directive for a list of blocks `[^a(%x : i32), ^b]`, each on its own line. Its arguments are
/// the blocks, the operands of the blocks with their types, and the number of operands of each
/// block.
#[derive(Debug)]
pub(crate) struct Targets;

/// Parsed blocks with their operands, and the values of cases.
#[derive(Default)]
struct Cases {
    values: Vec<i64>,
    blocks: Vec<Block>,
    names: Vec<OperandName>,
    types: Vec<Type>,
    sizes: Vec<i32>,
}

impl Cases {
    /// Parses one case, `42: ^block(%a : i32)`.
    fn case(&mut self, parser: &mut dyn AsmParser, list: Place) -> AsmResult<()> {
        let place = parser.place();
        let value = parser.optional_integer()?;
        let value = value.ok_or_else(|| AsmError::new(place, "expected integer value"))?;
        self.values.push(value);
        parser.expect(":")?;
        self.target(parser, list)
    }

    /// Parses one target, `^block(%a : i32)`.
    fn target(&mut self, parser: &mut dyn AsmParser, list: Place) -> AsmResult<()> {
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

    /// Sets the arguments: blocks, operands, types, sizes.
    fn set(self, parser: &mut dyn AsmParser, arguments: &mut [ParsedArgument]) {
        let [blocks, operands, types, sizes] = arguments else {
            return;
        };
        *blocks = ParsedArgument::Successors(self.blocks);
        *operands = ParsedArgument::Operands(self.names);
        *types = ParsedArgument::Types(self.types);
        *sizes = ParsedArgument::Attribute(Some(
            parser
                .context()
                .i32_array_attribute(self.sizes.iter().copied()),
        ));
    }
}

impl SwitchCases {
    /// Parses the cases between `[` and `]`. The `]` is consumed only if there is no default.
    fn cases(&self, parser: &mut dyn AsmParser, cases: &mut Cases) -> AsmResult<()> {
        let place = parser.place();
        if self.default {
            while parser.eat(",") {
                cases.case(parser, place)?;
            }
            return Ok(());
        }
        parser.expect("[")?;
        if parser.eat("]") {
            return Ok(());
        }
        cases.case(parser, place)?;
        while parser.eat(",") {
            cases.case(parser, place)?;
        }
        parser.expect("]")
    }
}

impl DirectiveSyntax for SwitchCases {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let Some((ParsedArgument::Types(flag), mut rest)) = arguments.split_first_mut() else {
            return Ok(false);
        };
        let flag = flag.first().copied();
        let place = parser.place();
        if self.default {
            let Some(([blocks, operands, types], behind)) = rest.split_first_chunk_mut() else {
                return Ok(false);
            };
            let mut default = Cases::default();
            parser.expect("default")?;
            parser.expect(":")?;
            default.target(parser, place)?;
            *blocks = ParsedArgument::Successors(default.blocks);
            *operands = ParsedArgument::Operands(default.names);
            *types = ParsedArgument::Types(default.types);
            rest = behind;
        }
        let mut cases = Cases::default();
        self.cases(parser, &mut cases)?;
        let Some((of_values, rest)) = rest.split_first_mut() else {
            return Ok(false);
        };
        if let Some(flag) = flag.filter(|_| !cases.values.is_empty()) {
            let read = dense_integers(parser.context(), flag, &cases.values, true);
            if read.is_none() {
                return Err(AsmError::new(place, "expected an integer type of the flag"));
            }
            *of_values = ParsedArgument::Attribute(read);
        }
        cases.set(parser, rest);
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let Some(parts) = self.parts(printer.context(), arguments) else {
            return;
        };
        let mut is_first = true;
        let mut default_alone = false;
        match parts.default {
            Some((block, operands)) => {
                printer.text("  default: ");
                print_successor_with(printer, block, &operands);
                is_first = false;
                default_alone = parts.values.is_empty();
            }
            None => printer.text("["),
        }
        for (value, (block, operands)) in parts.values.into_iter().zip(parts.cases) {
            if !is_first {
                printer.text(",");
            }
            is_first = false;
            printer.newline();
            match u64::try_from(value) {
                _ if !self.default => printer.text(&format!("  {value}: ")),
                Ok(value) => printer.text(&format!("  {value}: ")),
                Err(_) => printer.text(&format!("  {}: ", unsigned(value, parts.width))),
            }
            print_successor_with(printer, block, &operands);
        }
        if !default_alone {
            printer.newline();
        }
        if !self.default {
            printer.text("]");
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        self.parts(context, arguments).is_some()
    }
}

/// Returns the low `width` bits of a number.
fn unsigned(value: i64, width: u32) -> u64 {
    let unused = 64u32.saturating_sub(width);
    u64::MAX.checked_shr(unused).unwrap_or(0) & value.cast_unsigned()
}

/// A block with its operands.
type Target = (Block, Vec<Value>);

/// The decoded arguments of a list of cases.
struct Parts {
    default: Option<Target>,
    /// The width of the flag in bits.
    width: u32,
    values: Vec<i64>,
    cases: Vec<Target>,
}

impl SwitchCases {
    /// Decodes the arguments; `None` if their numbers do not match.
    fn parts(&self, context: &Context, arguments: &[PrintedArgument]) -> Option<Parts> {
        let (flag, mut rest) = arguments.split_first()?;
        let width = match context.type_kind(*flag.types().first()?) {
            TypeKind::Integer { width, .. } => *width,
            _ => 64,
        };
        let mut default = None;
        if self.default {
            let ([block, operands, _], behind) = rest.split_first_chunk()?;
            let PrintedArgument::Successors(blocks) = block else {
                return None;
            };
            default = Some((*blocks.first()?, operands.operands().to_vec()));
            rest = behind;
        }
        let (values, rest) = rest.split_first()?;
        let cases = targets(context, rest)?;
        let values = match values.attribute() {
            Some(values) => context.dense_integers(values)?,
            None => Vec::new(),
        };
        (values.len() == cases.len()).then_some(Parts {
            default,
            width,
            values,
            cases,
        })
    }
}

/// Returns the blocks with their operands; `None` if their numbers do not match.
fn targets(context: &Context, arguments: &[PrintedArgument]) -> Option<Vec<Target>> {
    let [PrintedArgument::Successors(blocks), operands, _, sizes] = arguments else {
        return None;
    };
    let sizes = context.i32_array(sizes.attribute()?)?;
    let mut rest = operands.operands();
    let mut targets = Vec::new();
    let is_complete = sizes.len() == blocks.len();
    for (&block, size) in blocks.iter().zip(sizes) {
        let (here, behind) = rest.split_at_checked(usize::try_from(size).ok()?)?;
        targets.push((block, here.to_vec()));
        rest = behind;
    }
    (is_complete && rest.is_empty()).then_some(targets)
}

impl DirectiveSyntax for Targets {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let mut targets = Cases::default();
        parser.expect("[")?;
        if !parser.eat("]") {
            targets.target(parser, place)?;
            while parser.eat(",") {
                targets.target(parser, place)?;
            }
            parser.expect("]")?;
        }
        targets.set(parser, arguments);
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let targets = targets(printer.context(), arguments).unwrap_or_default();
        printer.text("[");
        let is_empty = targets.is_empty();
        for (number, (block, operands)) in targets.into_iter().enumerate() {
            if number > 0 {
                printer.text(",");
            }
            printer.newline();
            print_successor_with(printer, block, &operands);
        }
        if !is_empty {
            printer.newline();
        }
        printer.text("]");
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        targets(context, arguments).is_some()
    }
}
