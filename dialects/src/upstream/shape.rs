//! Custom syntax of the `shape` dialect: constants, assuming regions, reductions, functions and
//! function libraries.

use crate::func::has_shape;
use crate::function::{Function, entry_block};
use crate::helpers::{
    add_operands, check_count, dense_integers, indices_of_dense, property, result_types, typed,
};
use crate::two_way::{Asm, Named, TwoWay, TypedValues, failure, other_attributes, plain_string};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type};
use std::collections::HashSet;

/// Custom syntax of `shape.func`.
pub(crate) static FUNC: crate::two_way::Syntax<Function> =
    crate::two_way::Syntax(Function::new("shape.func", "shape"));

/// Custom syntax of `shape.const_shape`: `{...} [1, 2] : type`.
#[derive(Debug)]
pub(crate) struct ConstShape;

const SHAPE: &str = "shape";

/// The parsed parts of [`ConstShape`].
#[derive(Default)]
pub(crate) struct ConstShapeContent {
    attributes: Vec<NamedAttribute>,
    sizes: Vec<i64>,
    ty: Option<Type>,
}

impl TwoWay for ConstShape {
    type Content = ConstShapeContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ConstShapeContent> {
        let sizes = indices_of_dense(context, module.attribute(context, operation, SHAPE)?)?;
        let ty = module.value_type(module.result(operation, 0)?);
        has_shape(module, operation, 0, 1, 0).then(|| ConstShapeContent {
            attributes: other_attributes(context, module, operation, &[SHAPE]),
            sizes,
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ConstShapeContent) -> AsmResult<()> {
        asm.space(" ");
        asm.dictionary(&mut content.attributes)?;
        asm.integers_between(("[", "]"), &mut content.sizes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ConstShapeContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        operation.result_types.extend(content.ty);
        let place = parser.place();
        let index = parser.context().index_type();
        let shape = dense_integers(parser.context(), index, &content.sizes, false);
        let shape = shape.ok_or_else(|| AsmError::new(place, "expected a list of sizes"))?;
        property(parser, operation, SHAPE, shape);
        Ok(None)
    }
}

/// Custom syntax of `shape.reduce`: `(%shape, %initial) : type -> types {...} {...}`.
#[derive(Debug)]
pub(crate) struct Reduce;

/// The parsed parts of [`Reduce`].
#[derive(Default)]
pub(crate) struct ReduceContent {
    place: Option<usize>,
    operands: Vec<Named>,
    shape: Option<Type>,
    types: Vec<Type>,
}

impl TwoWay for Reduce {
    type Content = ReduceContent;

    fn content(&self, _: &Context, module: &Module, operation: Operation) -> Option<ReduceContent> {
        let operands = TypedValues::operands(module, operation);
        let types = result_types(module, operation);
        let (&shape, initial) = operands.types.split_first()?;
        let fits = has_shape(module, operation, operands.values.len(), types.len(), 1)
            && initial == types
            && entry_block(module, operation).is_some();
        fits.then_some(ReduceContent {
            place: None,
            operands: operands.values,
            shape: Some(shape),
            types,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ReduceContent) -> AsmResult<()> {
        content.place = asm.place();
        asm.values_between(("(", ")"), &mut content.operands)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.shape)?;
        asm.optional_arrow_types(&mut content.types)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ReduceContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = content.place.unwrap_or_default();
        let names = Named::names(&content.operands);
        let Some((&name, initial)) = names.split_first() else {
            return Err(AsmError::new(place, "expected a shape"));
        };
        check_count(initial.len(), content.types.len(), place)?;
        add_operands(parser, operation, content.shape.map(|shape| (name, shape)))?;
        add_operands(parser, operation, typed(initial, &content.types))?;
        operation.result_types = std::mem::take(&mut content.types);
        Ok(Some(Vec::new()))
    }

    fn dictionary_after(&self) -> Option<&'static [&'static str]> {
        Some(&[])
    }

    fn shows_arguments(&self, _: usize) -> bool {
        true
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// Custom syntax of `shape.function_library`:
/// `[private] @name attributes {...} {...} mapping {...}`.
#[derive(Debug)]
pub(crate) struct FunctionLibrary;

/// The parsed parts of [`FunctionLibrary`].
#[derive(Default)]
pub(crate) struct LibraryContent {
    name: Vec<u8>,
    attributes: Vec<NamedAttribute>,
    mapping: Vec<Mapped>,
}

/// An operation's name and the function for it.
#[derive(Default)]
pub(crate) struct Mapped {
    place: Option<usize>,
    name: Vec<u8>,
    /// Whether the text has a function, else it is the unit attribute.
    has_function: bool,
    function: Option<Attribute>,
}

impl Mapped {
    /// `test.op = @function`
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        self.place = asm.place();
        let name = asm.word(&mut self.name);
        name.map_err(|error| error.saying("expected attribute name"))?;
        asm.optional("=", " = ", &mut self.has_function);
        match self.has_function {
            true => asm.attribute(&mut self.function),
            false => Ok(()),
        }
    }
}

impl TwoWay for FunctionLibrary {
    type Content = LibraryContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<LibraryContent> {
        let attribute = |name| module.attribute(context, operation, name);
        let mapping = context.attribute_kind(attribute("mapping")?);
        let AttributeKind::Dictionary(mapping) = mapping else {
            return None;
        };
        let block = entry_block(module, operation)?;
        let fits = has_shape(module, operation, 0, 0, 1)
            && module.argument_count(block) == 0
            && module.next_block(block).is_none();
        let name = plain_string(context, attribute("sym_name")).filter(|_| fits)?;
        let mapped = |&(name, function): &NamedAttribute| Mapped {
            place: None,
            name: context.bytes(name).to_vec(),
            has_function: function != context.unit_attribute(),
            function: Some(function),
        };
        Some(LibraryContent {
            name: name.to_vec(),
            attributes: other_attributes(context, module, operation, &["sym_name", "mapping"]),
            mapping: mapping.iter().map(mapped).collect(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut LibraryContent) -> AsmResult<()> {
        asm.space(" ");
        asm.symbol_name(&mut content.name)?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut LibraryContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let name = parser.context().string_attribute(&content.name);
        property(parser, operation, "sym_name", name);
        operation.attributes = std::mem::take(&mut content.attributes);
        Ok(Some(Vec::new()))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut LibraryContent,
        _: usize,
    ) -> AsmResult<bool> {
        asm.token("mapping", " mapping ")?;
        asm.list(("{", "}"), &mut content.mapping, |asm, one| one.text(asm))?;
        Ok(false)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut LibraryContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        let place = parser.place();
        let context = parser.context();
        let unit = context.unit_attribute();
        let mut entries = Vec::with_capacity(content.mapping.len());
        let mut seen = HashSet::new();
        for one in &content.mapping {
            let name = context.identifier(&one.name);
            if !seen.insert(name) {
                let name = String::from_utf8_lossy(&one.name);
                let message = format!("duplicate key '{name}' in dictionary attribute");
                return Err(failure(one.place, message));
            }
            entries.push((name, one.function.unwrap_or(unit)));
        }
        let mapping = context.dictionary_attribute(&entries);
        let mapping = mapping.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        property(parser, operation, "mapping", mapping);
        Ok(Vec::new())
    }

    fn may_be_empty(&self) -> bool {
        true
    }

    fn default_dialect(&self) -> &'static str {
        SHAPE
    }
}
