//! Syntax shared by loops and conditions of several dialects.

use crate::func::has_shape;
use crate::helpers::{ends_plainly, entry_arguments, is_one_block, is_single_block, result_types};
use crate::two_way::{Asm, Named, TwoWay, add_arguments, add_of_types, failure, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Context, Module, NamedAttribute, Operation, Type, Value};

/// What follows the first of two branches of an operation, the second of which can be absent.
#[derive(Default)]
pub(crate) struct Branches {
    has_else: bool,
    attributes: Vec<NamedAttribute>,
}

impl Branches {
    /// Returns the parts of an operation, without the elided attributes; `None` if the branches are
    /// not single blocks that the text can have.
    pub(crate) fn of(
        context: &Context,
        module: &Module,
        operation: Operation,
        (terminator, elided): (&str, &[&str]),
    ) -> Option<Self> {
        let results = module.result_count(operation);
        let is_body = |region| {
            is_single_block(module, region, &[])
                && (results > 0 || ends_plainly(context, module, region, terminator))
        };
        let branches = Branches::after(context, module, operation, elided);
        let fits = is_body(module.region(operation, 0))
            && (!branches.has_else || is_body(module.region(operation, 1)));
        fits.then_some(branches)
    }

    /// Returns the parts of an operation whose branches the text can have.
    pub(crate) fn after(
        context: &Context,
        module: &Module,
        operation: Operation,
        elided: &[&str],
    ) -> Self {
        let otherwise = module.region(operation, 1);
        Branches {
            has_else: otherwise.is_none_or(|region| module.first_block(region).is_some()),
            attributes: other_attributes(context, module, operation, elided),
        }
    }

    /// Sets the parts of the operation.
    pub(crate) fn build(&mut self, operation: &mut ParsedOperation) {
        operation.empty_regions = usize::from(!self.has_else);
        operation.attributes.append(&mut self.attributes);
    }
}

/// The loop-carried values of a loop.
#[derive(Default)]
pub(crate) struct Carried {
    /// The arguments of the region, and the initial values.
    pub(crate) pairs: Vec<(Named, Named)>,
    pub(crate) types: Vec<Type>,
}

impl Carried {
    /// Returns the loop-carried values, whose types are those of the results; `None` if the types
    /// of the arguments, initial values and results differ.
    pub(crate) fn of(
        module: &Module,
        operation: Operation,
        arguments: &[Value],
        initial: &[Value],
    ) -> Option<Self> {
        let types = result_types(module, operation);
        let fits = |values: &[Value]| {
            let found = values.iter().map(|&value| module.value_type(value));
            found.eq(types.iter().copied())
        };
        if !fits(arguments) || !fits(initial) {
            return None;
        }
        let pairs = arguments.iter().zip(initial);
        let pairs = pairs.map(|(&one, &value)| (Named::of(one), Named::of(value)));
        Some(Carried {
            pairs: pairs.collect(),
            types,
        })
    }

    /// Adds the operands, the results and the arguments of the region.
    ///
    /// # Errors
    ///
    /// If an initial value has another type.
    pub(crate) fn build(
        &mut self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        arguments: &mut Vec<RegionArgument>,
    ) -> AsmResult<()> {
        let initial = self.pairs.iter().map(|pair| &pair.1);
        add_of_types(parser, operation, initial, &self.types)?;
        let names = self.pairs.iter().map(|pair| &pair.0);
        add_arguments(arguments, names, self.types.iter().copied());
        operation.result_types = std::mem::take(&mut self.types);
        Ok(())
    }
}

impl Asm<'_, '_> {
    /// ` iter_args(%x = %y) -> (types)`; nothing if there are no loop-carried values. `mismatch` is
    /// the error for a wrong number of types.
    pub(crate) fn carried(&mut self, carried: &mut Carried, mismatch: &str) -> AsmResult<()> {
        let place = self.place();
        if !self.is_there("iter_args", !carried.pairs.is_empty()) {
            return Ok(());
        }
        self.token("iter_args", " iter_args")?;
        self.assignments(&mut carried.pairs)?;
        self.arrow_types(&mut carried.types)?;
        match carried.types.len() == carried.pairs.len() {
            true => Ok(()),
            false => Err(failure(place, mismatch)),
        }
    }

    /// `[else {...}] {...}`: the text after this number of branches. Returns whether another branch
    /// follows.
    pub(crate) fn after_branch(
        &mut self,
        branches: &mut Branches,
        regions: usize,
    ) -> AsmResult<bool> {
        if regions == 1 {
            self.optional("else", " else", &mut branches.has_else);
            if branches.has_else {
                return Ok(true);
            }
        }
        self.dictionary(&mut branches.attributes)?;
        Ok(false)
    }

    /// `else {...} {...}`: as [`after_branch`](Self::after_branch), where the text always has both
    /// branches.
    pub(crate) fn after_each_branch(
        &mut self,
        branches: &mut Branches,
        regions: usize,
    ) -> AsmResult<bool> {
        if regions > 1 {
            return self.after_branch(branches, regions);
        }
        self.token("else", " else")?;
        branches.has_else = true;
        Ok(true)
    }
}

/// Custom syntax of a `while` operation with two regions: `[(%a = %b)] : (types) -> types {...} do
/// {...} attributes {...}`. The second region declares its arguments itself.
#[derive(Debug)]
pub(crate) struct While;

/// The parsed parts of [`While`].
#[derive(Default)]
pub(crate) struct WhileContent {
    /// The arguments of the first region, and their initial values.
    pairs: Vec<(Named, Named)>,
    inputs: Vec<Type>,
    results: Vec<Type>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for While {
    type Content = WhileContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<WhileContent> {
        let inputs = crate::helpers::operand_types(module, operation, 0);
        let results = result_types(module, operation);
        let fits = has_shape(module, operation, inputs.len(), results.len(), 2)
            && is_single_block(module, module.region(operation, 0), &inputs)
            && is_one_block(module, module.region(operation, 1));
        let arguments = entry_arguments(module, operation, 0).into_iter();
        let pairs = arguments
            .map(Named::of)
            .zip(module.operands(operation).map(Named::of));
        fits.then(|| WhileContent {
            pairs: pairs.collect(),
            inputs,
            results,
            attributes: other_attributes(context, module, operation, &[]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut WhileContent) -> AsmResult<()> {
        if asm.is_there("(", !content.pairs.is_empty()) {
            asm.space(" ");
            asm.assignments(&mut content.pairs)?;
        }
        let place = asm.place();
        asm.token(":", " : ")?;
        if !asm.function_type(&mut content.inputs, &mut content.results)? {
            let message = "invalid kind of type specified: expected builtin.function";
            return Err(failure(place, message));
        }
        let (expected, found) = (content.pairs.len(), content.inputs.len());
        if expected != found {
            let message = format!(
                "expected as many input types as operands (expected {expected} got {found})"
            );
            return Err(failure(place, message));
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut WhileContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let initial = content.pairs.iter().map(|pair| &pair.1);
        add_of_types(parser, operation, initial, &content.inputs)?;
        let mut arguments = parser.argument_list();
        let names = content.pairs.iter().map(|pair| &pair.0);
        add_arguments(&mut arguments, names, content.inputs.iter().copied());
        operation.result_types = std::mem::take(&mut content.results);
        Ok(Some(arguments))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut WhileContent,
        regions: usize,
    ) -> AsmResult<bool> {
        if regions == 1 {
            asm.token("do", " do")?;
            return Ok(true);
        }
        asm.dictionary_with_keyword(&mut content.attributes)?;
        Ok(false)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut WhileContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        operation.attributes.append(&mut content.attributes);
        Ok(Vec::new())
    }

    fn may_be_empty(&self) -> bool {
        true
    }

    fn shows_arguments(&self, number: usize) -> bool {
        number == 1
    }
}
