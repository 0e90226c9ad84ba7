//! Custom syntax of old operations.
//!
//! Content of the text beyond operands is in attributes of the old operation until it is replaced:
//! see the constants.

use super::names::Rewrite;
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Operation, Type, TypeKind};

/// The integer of [`Rewrite::Dim`], if it is not an operand.
pub(super) const INDEX: &str = "index";
/// The number of [`Rewrite::Store`], if it is not an operand; and the value of a constant.
pub(super) const VALUE: &str = "value";
/// An array: for each index of a load or store, the integer, or `unit` for an operand.
pub(super) const INDICES: &str = "indices";
/// The map of [`Rewrite::AffineApply`].
pub(super) const MAP: &str = "map";
/// The sets of [`Rewrite::If`], an array.
pub(super) const CONDITIONS: &str = "conditions";

/// The custom syntax of an old operation.
#[derive(Debug)]
pub(super) struct Old(pub(super) Rewrite);

impl OperationSyntax for Old {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        match self.0 {
            Rewrite::AffineApply => affine_apply(parser, operation)?,
            Rewrite::Alloc => alloc(parser, operation)?,
            Rewrite::Constant => constant(parser, operation)?,
            Rewrite::Dim => dim(parser, operation)?,
            Rewrite::ExtractElement | Rewrite::Load => load(parser, operation)?,
            Rewrite::If => return branch(parser, operation, regions),
            Rewrite::MemRefCast => cast(parser, operation)?,
            Rewrite::ModuleTerminator => attributes(parser, operation)?,
            Rewrite::Store => store(parser, operation)?,
            Rewrite::TensorLoad => tensor_load(parser, operation)?,
            Rewrite::TensorStore => tensor_store(parser, operation)?,
        }
        Ok(ParseStep::Done)
    }

    /// Old operations are replaced before anything prints them.
    fn print(&self, _: &mut dyn AsmPrinter, _: Operation, _: usize) -> PrintStep {
        PrintStep::Done
    }

    /// In the regions of old operations, names are looked up in the editions' table.
    fn default_dialect(&self) -> &'static str {
        ""
    }
}

fn property(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: &'static str,
    value: Attribute,
) {
    let name = parser.name(name);
    operation.properties.push((name, value));
}

fn attributes(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    operation.attributes = parser.attribute_dictionary()?;
    Ok(())
}

/// Parses a dictionary, if there is one, and `: type`.
fn attributes_and_type(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
) -> AsmResult<Type> {
    attributes(parser, operation)?;
    parser.expect(":")?;
    parser.ty()
}

fn resolve(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: OperandName,
    ty: Type,
) -> AsmResult<()> {
    let value = parser.resolve(name, ty)?;
    operation.operands.push(value);
    Ok(())
}

fn resolve_indices(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    names: &[OperandName],
) -> AsmResult<()> {
    let index = parser.context().index_type();
    for &name in names {
        resolve(parser, operation, name, index)?;
    }
    Ok(())
}

/// Parses operand names up to `end`, after the opening bracket.
fn names(parser: &mut dyn AsmParser, end: &str, names: &mut Vec<OperandName>) -> AsmResult<()> {
    if parser.eat(end) {
        return Ok(());
    }
    loop {
        names.push(parser.operand_name()?);
        if !parser.eat(",") {
            return parser.expect(end);
        }
    }
}

/// Parses `(%a, %b)[%c]`; returns the number of names in parentheses.
fn dims_and_symbols(parser: &mut dyn AsmParser, found: &mut Vec<OperandName>) -> AsmResult<usize> {
    parser.expect("(")?;
    names(parser, ")", found)?;
    let dims = found.len();
    if parser.eat("[") {
        names(parser, "]", found)?;
    }
    Ok(dims)
}

/// `#map(%a)[%b]`: as many results as the map has.
fn affine_apply(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    let place = parser.place();
    let map = parser.attribute()?;
    let AttributeKind::AffineMap(kind) = parser.context().attribute_kind(map) else {
        return Err(AsmError::new(place, "expected an affine map"));
    };
    let (dims, symbols, results) = (kind.num_dims, kind.num_symbols, kind.results.len());
    let place = parser.place();
    let mut found = Vec::new();
    let in_parentheses = dims_and_symbols(parser, &mut found)?;
    let in_brackets = found.len().saturating_sub(in_parentheses);
    if (in_parentheses, in_brackets) != (dims as usize, symbols as usize) {
        let message = format!("the map has {dims} dimensions and {symbols} symbols");
        return Err(AsmError::new(place, message));
    }
    resolve_indices(parser, operation, &found)?;
    property(parser, operation, MAP, map);
    attributes(parser, operation)?;
    let index = parser.context().index_type();
    operation
        .result_types
        .extend(std::iter::repeat_n(index, results));
    Ok(())
}

/// `(%n)[%s] : memref<...>` or `memref<...> (%n)[%s]`.
fn alloc(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    let mut found = Vec::new();
    let ty = match parser.at("(") {
        true => {
            dims_and_symbols(parser, &mut found)?;
            attributes_and_type(parser, operation)?
        }
        false => {
            let ty = parser.ty()?;
            dims_and_symbols(parser, &mut found)?;
            attributes(parser, operation)?;
            ty
        }
    };
    resolve_indices(parser, operation, &found)?;
    operation.result_types.push(ty);
    Ok(())
}

/// `42 : i32` or `@f : (i32) -> i32`.
fn constant(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    attributes(parser, operation)?;
    if let Some(symbol) = parser.symbol_name()? {
        let symbol = parser.context().bytes(symbol).to_vec();
        let symbol = parser.context().symbol_ref_attribute(symbol);
        property(parser, operation, VALUE, symbol);
        parser.expect(":")?;
        let ty = parser.ty()?;
        operation.result_types.push(ty);
        return Ok(());
    }
    let place = parser.place();
    let value = parser.attribute()?;
    let ty = parser.context().attribute_type(value);
    if ty == parser.context().none_type() {
        return Err(AsmError::new(
            place,
            "expected a number, elements or a function as the value of a constant",
        ));
    }
    property(parser, operation, VALUE, value);
    operation.result_types.push(ty);
    Ok(())
}

/// `%a, 1 : type` or `%a, %i : type`.
fn dim(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    attributes(parser, operation)?;
    let source = parser.operand_name()?;
    parser.expect(",")?;
    let index = parser.context().index_type();
    let place = parser.place();
    let number = match parser.at_operand() {
        true => Some(parser.operand_name()?),
        false => {
            let Some(number) = parser.optional_integer()? else {
                return Err(AsmError::new(place, "expected an integer or an operand"));
            };
            let number = parser.context().integer_attribute(index, number);
            let number = number.map_err(|error| AsmError::new(place, error.message()))?;
            property(parser, operation, INDEX, number);
            None
        }
    };
    if operation.attributes.is_empty() {
        attributes(parser, operation)?;
    }
    parser.expect(":")?;
    let ty = parser.ty()?;
    resolve(parser, operation, source, ty)?;
    if let Some(number) = number {
        resolve(parser, operation, number, index)?;
    }
    operation.result_types.push(index);
    Ok(())
}

/// Parses `[%i, 4]`.
fn indices(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
) -> AsmResult<Vec<OperandName>> {
    parser.expect("[")?;
    let (mut found, mut literals) = (Vec::new(), Vec::new());
    if !parser.eat("]") {
        loop {
            let place = parser.place();
            if let Some(number) = parser.optional_integer()? {
                let index = parser.context().index_type();
                let number = parser.context().integer_attribute(index, number);
                literals.push(number.map_err(|error| AsmError::new(place, error.message()))?);
            } else {
                found.push(parser.operand_name()?);
                literals.push(parser.context().unit_attribute());
            }
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect("]")?;
    }
    if found.len() != literals.len() {
        let literals = parser.context().array_attribute(&literals);
        property(parser, operation, INDICES, literals);
    }
    Ok(found)
}

/// `%m[%i, 4] : type`.
fn load(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    let source = parser.operand_name()?;
    let found = indices(parser, operation)?;
    let place = parser.place();
    let ty = attributes_and_type(parser, operation)?;
    resolve(parser, operation, source, ty)?;
    resolve_indices(parser, operation, &found)?;
    let element = parser.context().element_type(ty);
    let element = element.ok_or_else(|| AsmError::new(place, NOT_SHAPED))?;
    operation.result_types.push(element);
    Ok(())
}

const NOT_SHAPED: &str = "expected the type of a memref, tensor or vector";

/// `%v, %m[%i, 4] : type`, `0 to %m[%i] : type`.
fn store(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    let value = match parser.at_operand() {
        true => Some(parser.operand_name()?),
        false => {
            let literal = parser.attribute()?;
            property(parser, operation, VALUE, literal);
            None
        }
    };
    if !parser.eat("to") {
        parser.expect(",")?;
    }
    let memref = parser.operand_name()?;
    let found = indices(parser, operation)?;
    let place = parser.place();
    let ty = attributes_and_type(parser, operation)?;
    let element = parser.context().element_type(ty);
    let element = element.ok_or_else(|| AsmError::new(place, NOT_SHAPED))?;
    if let Some(value) = value {
        resolve(parser, operation, value, element)?;
    }
    resolve(parser, operation, memref, ty)?;
    resolve_indices(parser, operation, &found)
}

/// Returns the tensor type of the same shape as a memref.
pub(super) fn tensor_of(context: &mut Context, memref: Type) -> Option<Type> {
    let kind = match context.type_kind(memref) {
        TypeKind::MemRef { shape, element, .. } => TypeKind::RankedTensor {
            shape: shape.clone(),
            element: *element,
            encoding: None,
        },
        TypeKind::UnrankedMemRef { element, .. } => TypeKind::UnrankedTensor(*element),
        _ => return None,
    };
    context.try_type(kind).ok()
}

const NOT_MEMREF: &str = "expected the type of a memref";

/// `%m : memref<...>`.
fn tensor_load(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    let memref = parser.operand_name()?;
    let place = parser.place();
    let ty = attributes_and_type(parser, operation)?;
    resolve(parser, operation, memref, ty)?;
    let tensor = tensor_of(parser.context(), ty);
    let tensor = tensor.ok_or_else(|| AsmError::new(place, NOT_MEMREF))?;
    operation.result_types.push(tensor);
    Ok(())
}

/// `%t, %m : memref<...>` or `%t to %m : memref<...>`.
fn tensor_store(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    let value = parser.operand_name()?;
    if !parser.eat("to") {
        parser.expect(",")?;
    }
    let memref = parser.operand_name()?;
    let place = parser.place();
    let ty = attributes_and_type(parser, operation)?;
    let tensor = tensor_of(parser.context(), ty);
    let tensor = tensor.ok_or_else(|| AsmError::new(place, NOT_MEMREF))?;
    resolve(parser, operation, value, tensor)?;
    resolve(parser, operation, memref, ty)
}

/// `%a : type to type` or `%a : type -> type`.
fn cast(parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> AsmResult<()> {
    let source = parser.operand_name()?;
    let ty = attributes_and_type(parser, operation)?;
    if !parser.eat("->") {
        parser.expect("to")?;
    }
    resolve(parser, operation, source, ty)?;
    let to = parser.ty()?;
    operation.result_types.push(to);
    Ok(())
}

/// The state of a [`branch`] before a region with a condition, which an `else` can follow.
struct OpenBranch;

/// `#set(%a)[%b] {...} else if #set(%a)[%b] {...} else {...}`: one region for each block of the
/// text.
fn branch(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    regions: usize,
) -> AsmResult<ParseStep> {
    if regions > 0 {
        // After the region of an `else` without a condition, no other can follow.
        if operation.state.is_none() || !parser.eat("else") {
            let key = parser.name(CONDITIONS);
            if let Some(entry) = operation.properties.iter_mut().find(|entry| entry.0 == key) {
                let sets: Vec<Attribute> =
                    operation.attributes.drain(..).map(|set| set.1).collect();
                entry.1 = parser.context().array_attribute(&sets);
            }
            operation.attributes = parser.attribute_dictionary()?;
            return Ok(ParseStep::Done);
        }
        if !parser.eat("if") {
            operation.state = None;
            return Ok(ParseStep::Region(Vec::new()));
        }
    } else {
        let unit = parser.context().unit_attribute();
        property(parser, operation, CONDITIONS, unit);
    }
    let place = parser.place();
    let set = parser.attribute()?;
    let AttributeKind::IntegerSet(kind) = parser.context().attribute_kind(set) else {
        return Err(AsmError::new(place, "expected an integer set"));
    };
    let (dims, symbols) = (kind.num_dims, kind.num_symbols);
    let place = parser.place();
    let mut found = Vec::new();
    let in_parentheses = dims_and_symbols(parser, &mut found)?;
    let in_brackets = found.len().saturating_sub(in_parentheses);
    if (in_parentheses, in_brackets) != (dims as usize, symbols as usize) {
        let message = format!("the set has {dims} dimensions and {symbols} symbols");
        return Err(AsmError::new(place, message));
    }
    resolve_indices(parser, operation, &found)?;
    // The sets are kept among the attributes until the last region is read.
    let key = parser.name(CONDITIONS);
    operation.attributes.push((key, set));
    operation.state = Some(Box::new(OpenBranch));
    Ok(ParseStep::Region(Vec::new()))
}
