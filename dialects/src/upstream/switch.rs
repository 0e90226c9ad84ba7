//! Directives for lists of successors with operands: the cases of `llvm.switch` and `cf.switch`,
//! the targets of `llvm.indirectbr`.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::dense_integers;
use crate::two_way::{Asm, Named, TypedValues, failure};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::definition::LlvmFeature;
use rmlir_ir::{Block, TypeKind};

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

/// A block with its operands.
#[derive(Default)]
pub(crate) struct Target {
    block: Option<Block>,
    operands: TypedValues,
}

impl Target {
    /// `^block(%a : i32)`. An error about the number of types is at the position `list`.
    fn text(&mut self, asm: &mut Asm<'_, '_>, list: Option<usize>) -> AsmResult<()> {
        asm.block(&mut self.block)?;
        if asm.is_there("(", !self.operands.values.is_empty()) {
            asm.typed_values_between(("(", ")"), &mut self.operands, list)?;
        }
        Ok(())
    }

    /// Returns the blocks with their operands; `None` if their numbers do not match.
    fn all(printed: &Printed<'_>, arguments: &[PrintedArgument]) -> Option<Vec<Self>> {
        let [PrintedArgument::Successors(blocks), operands, _, sizes] = arguments else {
            return None;
        };
        let sizes = printed.context.i32_array(sizes.attribute()?)?;
        let mut rest = operands.operands();
        let mut targets = Vec::new();
        let is_complete = sizes.len() == blocks.len();
        for (&block, size) in blocks.iter().zip(sizes) {
            let (here, behind) = rest.split_at_checked(usize::try_from(size).ok()?)?;
            targets.push(Target {
                block: Some(block),
                operands: TypedValues::of(printed.module, here),
            });
            rest = behind;
        }
        (is_complete && rest.is_empty()).then_some(targets)
    }

    /// Sets the arguments: blocks, operands, types, and the sizes unless there is one target.
    fn set(parser: &mut dyn AsmParser, targets: Vec<Self>, arguments: &mut [ParsedArgument]) {
        let [of_blocks, operands, of_types, of_sizes @ ..] = arguments else {
            return;
        };
        let sizes = targets.iter().map(|target| target.operands.values.len());
        let sizes: Vec<i32> = sizes
            .map(|size| i32::try_from(size).unwrap_or(i32::MAX))
            .collect();
        let (mut blocks, mut names, mut types) = (Vec::new(), Vec::new(), Vec::new());
        for target in targets {
            blocks.extend(target.block);
            names.extend(Named::names(&target.operands.values));
            types.extend(target.operands.types);
        }
        *of_blocks = ParsedArgument::Successors(blocks);
        *operands = ParsedArgument::Operands(names);
        *of_types = ParsedArgument::Types(types);
        if let [of_sizes] = of_sizes {
            let sizes = parser.context().i32_array_attribute(sizes);
            *of_sizes = ParsedArgument::Attribute(Some(sizes));
        }
    }
}

/// The directive for a list of blocks by the value of a flag, each on its own line: `default: ^a(%x
/// : i32), 0: ^b, 1: ^c`. Its arguments are the default block, its operands with their types, and
/// those of the other blocks as in [`Targets`].
#[derive(Debug)]
pub(crate) struct Table;

impl TwoWayDirective for Table {
    type Content = SwitchContent;

    fn content(&self, printed: &Printed<'_>) -> Option<SwitchContent> {
        let (default, rest) = default_target(printed, printed.arguments)?;
        let targets = Target::all(printed, rest)?.into_iter().enumerate();
        let case = |(value, target)| {
            let value = i64::try_from(value).ok()?;
            Some(Case { value, target })
        };
        Some(SwitchContent {
            default,
            cases: targets.map(case).collect::<Option<_>>()?,
            ..SwitchContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SwitchContent) -> AsmResult<bool> {
        let place = asm.place();
        asm.token("default", "  default")?;
        asm.token(":", ": ")?;
        content.default.text(asm, place)?;
        let mut number = 0;
        asm.lines(false, &mut content.cases, |asm, case| {
            let place = asm.place();
            asm.space("  ");
            asm.integer(&mut case.value)?;
            if case.value != number {
                return Err(failure(place, format!("expected {number}")));
            }
            number = number.saturating_add(1);
            asm.token(":", ": ")?;
            case.target.text(asm, place)
        })?;
        asm.newline();
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: SwitchContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let Some((default, rest)) = arguments.split_at_mut_checked(3) {
            Target::set(parser, vec![content.default], default);
            let targets = content.cases.into_iter().map(|case| case.target);
            Target::set(parser, targets.collect(), rest);
        }
        Ok(())
    }
}

/// Returns the target in the first three arguments, and the rest of them.
fn default_target<'a>(
    printed: &Printed<'_>,
    arguments: &'a [PrintedArgument],
) -> Option<(Target, &'a [PrintedArgument])> {
    let ([PrintedArgument::Successors(blocks), operands, _], rest) =
        arguments.split_first_chunk()?
    else {
        return None;
    };
    let target = Target {
        block: Some(*blocks.first()?),
        operands: TypedValues::of(printed.module, operands.operands()),
    };
    Some((target, rest))
}

/// A value and the target for it.
#[derive(Default)]
pub(crate) struct Case {
    value: i64,
    target: Target,
}

/// The parsed parts of [`SwitchCases`].
#[derive(Default)]
pub(crate) struct SwitchContent {
    place: Option<usize>,
    /// The width of the flag in bits, to print values without a sign.
    width: u32,
    default: Target,
    cases: Vec<Case>,
}

/// The value of a case, which is printed without a sign if it has a `width`.
fn case_value(asm: &mut Asm<'_, '_>, value: &mut i64, width: Option<u32>) -> AsmResult<()> {
    match (asm, width) {
        (Asm::Printer(printer), Some(width)) if *value < 0 => {
            let unused = 64u32.saturating_sub(width);
            let mask = u64::MAX.checked_shr(unused).unwrap_or(0);
            printer.text(&(mask & value.cast_unsigned()).to_string());
            Ok(())
        }
        (asm, _) => asm.integer(value),
    }
}

impl TwoWayDirective for SwitchCases {
    type Content = SwitchContent;

    fn content(&self, printed: &Printed<'_>) -> Option<SwitchContent> {
        let context = printed.context;
        let (flag, mut rest) = printed.arguments.split_first()?;
        let mut content = SwitchContent {
            width: match context.type_kind(*flag.types().first()?) {
                TypeKind::Integer { width, .. } => *width,
                _ => 64,
            },
            ..SwitchContent::default()
        };
        if self.default {
            (content.default, rest) = default_target(printed, rest)?;
        }
        let (values, rest) = rest.split_first()?;
        let targets = Target::all(printed, rest)?;
        let values = match values.attribute() {
            Some(values) => context.dense_integers(values)?,
            None => Vec::new(),
        };
        let fits = values.len() == targets.len();
        let pairs = values.into_iter().zip(targets);
        content.cases = pairs
            .map(|(value, target)| Case { value, target })
            .collect();
        fits.then_some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SwitchContent) -> AsmResult<bool> {
        let place = asm.place();
        content.place = place;
        let is_signed = asm.context().release().has(LlvmFeature::SignedCases);
        let width = (self.default || !is_signed).then_some(content.width);
        let has_cases = !content.cases.is_empty();
        let case = |asm: &mut Asm<'_, '_>, case: &mut Case| {
            asm.space("  ");
            case_value(asm, &mut case.value, width)?;
            asm.token(":", ": ")?;
            case.target.text(asm, place)
        };
        if self.default {
            asm.token("default", "  default")?;
            asm.token(":", ": ")?;
            content.default.text(asm, place)?;
            asm.lines(false, &mut content.cases, case)?;
            if has_cases {
                asm.newline();
            }
            return Ok(true);
        }
        asm.token("[", "[")?;
        if !asm.is_there("]", !has_cases) {
            asm.lines(true, &mut content.cases, case)?;
        }
        asm.newline();
        asm.token("]", "]")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: SwitchContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let Some((ParsedArgument::Types(flag), rest)) = arguments.split_first_mut() else {
            return Ok(());
        };
        let default = if self.default { 3 } else { 0 };
        let Some((of_default, [of_values, rest @ ..])) = rest.split_at_mut_checked(default) else {
            return Ok(());
        };
        Target::set(parser, vec![content.default], of_default);
        if let Some(&flag) = flag.first()
            && !content.cases.is_empty()
        {
            let values: Vec<i64> = content.cases.iter().map(|case| case.value).collect();
            let values = dense_integers(parser.context(), flag, &values, true);
            let message = "expected an integer type of the flag";
            let values = values.ok_or_else(|| failure(content.place, message))?;
            *of_values = ParsedArgument::Attribute(Some(values));
        }
        let targets = content.cases.into_iter().map(|case| case.target);
        Target::set(parser, targets.collect(), rest);
        Ok(())
    }
}

impl TwoWayDirective for Targets {
    type Content = Vec<Target>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        Target::all(printed, printed.arguments)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        let place = asm.place();
        asm.token("[", "[")?;
        if !asm.is_there("]", content.is_empty()) {
            asm.lines(true, content, |asm, target| target.text(asm, place))?;
            asm.newline();
        }
        asm.token("]", "]")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        Target::set(parser, content, arguments);
        Ok(())
    }
}
