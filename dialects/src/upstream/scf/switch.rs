//! Custom syntax of `scf.index_switch` and `emitc.switch`.

use super::Flavour;
use crate::func::has_shape;
use crate::helpers::{ends_plainly, is_one_block, numbers, property, result_types};
use crate::two_way::{Asm, Named, TwoWay, add_of_type, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{AttributeKind, Context, Module, NamedAttribute, Operation, Type};

const CASES: &str = "cases";

/// Custom syntax of `scf.index_switch`: `%arg {...} [-> types] case 1 {...} default {...}`, and of
/// `emitc.switch`: `%arg : type {...} case 1 {...} default {...}`. The region of `default` is the
/// first.
#[derive(Debug)]
pub(crate) struct IndexSwitch(pub(crate) Flavour);

/// The parsed parts of [`IndexSwitch`].
#[derive(Default)]
pub(crate) struct Content {
    value: Named,
    ty: Option<Type>,
    attributes: Vec<NamedAttribute>,
    types: Vec<Type>,
    /// The number of cases.
    count: usize,
    /// The cases from the one of index `first`.
    cases: Vec<i64>,
    first: usize,
}

impl IndexSwitch {
    /// Returns how many regions the text has up to one, given the number of cases.
    fn printed(count: usize, region: usize) -> usize {
        match region {
            0 => count.saturating_add(1),
            case => case,
        }
    }

    /// `case N` or `default`, before the region of that number in the order of the text.
    fn label(asm: &mut Asm<'_, '_>, content: &mut Content, number: usize) -> AsmResult<()> {
        asm.newline();
        if !asm.is_there("case", number < content.count) {
            return asm.token("default", "default");
        }
        asm.token("case", "case ")?;
        if number == content.count {
            content.count = number.saturating_add(1);
            content.cases.push(0);
        }
        let index = number.saturating_sub(content.first);
        match content.cases.get_mut(index) {
            Some(case) => asm.integer(case),
            None => Ok(()),
        }
    }
}

impl TwoWay for IndexSwitch {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let cases = numbers(context, module.attribute(context, operation, CASES))?;
        let types = result_types(module, operation);
        let value = module.operand(operation, 0)?;
        let default = module.region(operation, 0);
        let regions = cases.len().saturating_add(1);
        let fits = has_shape(module, operation, 1, types.len(), regions)
            && match self.0.has_results {
                true => module.value_type(value) == context.index_type(),
                false => types.is_empty(),
            }
            && (!types.is_empty() || ends_plainly(context, module, default, self.0.terminator))
            && module
                .regions(operation)
                .all(|region| is_one_block(module, Some(region)));
        fits.then(|| Content {
            value: Named::of(value),
            ty: Some(module.value_type(value)),
            attributes: other_attributes(context, module, operation, &[CASES]),
            types,
            count: cases.len(),
            cases,
            first: 0,
        })
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<Content> {
        let cases = module.attribute(context, operation, CASES)?;
        let AttributeKind::DenseArray { length, data, .. } = context.attribute_kind(cases) else {
            return None;
        };
        let first = Self::printed(*length, regions.checked_sub(1)?);
        let bytes = data.chunks_exact(size_of::<i64>()).nth(first);
        let case = bytes.and_then(|bytes| bytes.try_into().ok());
        Some(Content {
            count: *length,
            cases: case.map(i64::from_le_bytes).into_iter().collect(),
            first,
            ..Content::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        asm.value(&mut content.value)?;
        if !self.0.has_results {
            asm.token(":", " : ")?;
            asm.ty(&mut content.ty)?;
        }
        asm.dictionary(&mut content.attributes)?;
        if self.0.has_results && asm.is_there("->", !content.types.is_empty()) {
            asm.token("->", " -> ")?;
            asm.types(&mut content.types)?;
        }
        asm.space(" ");
        Self::label(asm, content, 0)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let ty = content.ty.unwrap_or(parser.context().index_type());
        add_of_type(parser, operation, &[content.value], ty)?;
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.result_types = std::mem::take(&mut content.types);
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut Content,
        regions: usize,
    ) -> AsmResult<bool> {
        if regions > content.count {
            return Ok(false);
        }
        Self::label(asm, content, regions)?;
        Ok(true)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
        regions: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        // The default region is the operation's first, but the last in the text.
        if regions > content.count {
            let cases = content.count;
            operation.region_order = (1..=cases).chain([0]).collect();
            let cases = parser
                .context()
                .i64_array_attribute(content.cases.iter().copied());
            property(parser, operation, CASES, cases);
        }
        Ok(Vec::new())
    }

    fn region_number(&self, content: &Content, regions: usize) -> usize {
        match regions < content.count {
            true => regions.saturating_add(1),
            false => 0,
        }
    }

    fn regions_up_to(&self, content: &Content, number: usize) -> usize {
        Self::printed(content.count, number)
    }

    fn shows_arguments(&self, _: usize) -> bool {
        true
    }

    fn terminator(&self) -> Option<&'static str> {
        Some(self.0.terminator)
    }

    fn default_dialect(&self) -> &'static str {
        self.0.default_dialect
    }

    fn shows_terminator(&self, _: &Context, module: &Module, of: Operation, number: usize) -> bool {
        number > 0 || module.result_count(of) > 0
    }

    fn has_format(&self) -> bool {
        true
    }
}
