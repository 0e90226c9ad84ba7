//! The `func` dialect: `func.func`, `func.return` and `func.call`.

pub(crate) mod verify;

use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, OperandName, OperationSyntax, ParseStep,
    ParsedOperation, PrintStep, RegionArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type, TypeKind, Value,
};

/// What a symbol's visibility can be.
const VISIBILITIES: [&str; 3] = ["public", "private", "nested"];

/// What `func.func` prints otherwise than in its attribute dictionary.
const IN_SIGNATURE: [&str; 5] = [
    "sym_name",
    "sym_visibility",
    "function_type",
    "arg_attrs",
    "res_attrs",
];

/// `func.func private @name(%a: i32 {...}) -> (i32 {...}) attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Func;

impl OperationSyntax for Func {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        regions: usize,
    ) -> AsmResult<ParseStep> {
        if regions > 0 {
            if parser.region_is_empty() {
                return Err(AsmError::new(
                    parser.region_place(),
                    "custom op 'func.func' expected non-empty function body",
                ));
            }
            return Ok(ParseStep::Done);
        }
        for visibility in VISIBILITIES {
            if parser.eat(visibility) {
                let value = parser.context().string_attribute(visibility);
                property(parser, operation, "sym_visibility", value);
                break;
            }
        }
        let place = parser.place();
        let Some(name) = parser.symbol_name()? else {
            return Err(AsmError::new(
                place,
                "custom op 'func.func' expected valid '@'-identifier for symbol name",
            ));
        };
        let name = parser.context().string_attribute_of(name);
        property(parser, operation, "sym_name", name);
        let arguments = arguments(parser)?;
        let results = if parser.eat("->") {
            results(parser)?
        } else {
            Vec::new()
        };
        let inputs: Vec<Type> = arguments.iter().map(|a| a.ty).collect();
        let outputs: Vec<Type> = results.iter().map(|r| r.0).collect();
        let function_type = parser.context().function_type(&inputs, &outputs);
        let function_type = parser.context().type_attribute(function_type);
        property(parser, operation, "function_type", function_type);
        let place = parser.place();
        if parser.eat("attributes") {
            operation.attributes = parser.attribute_dictionary()?;
            for &(name, _) in &operation.attributes {
                let name = parser.context().str(name).into_owned();
                if IN_SIGNATURE.contains(&name.as_str()) {
                    return Err(AsmError::new(
                        place,
                        format!(
                            "custom op 'func.func' '{name}' is an inferred attribute and should not be specified in the explicit attribute dictionary"
                        ),
                    ));
                }
            }
        }
        let dictionaries = arguments.iter().map(|a| a.attributes.as_slice());
        if let Some(value) = attribute_list(parser, dictionaries)? {
            property(parser, operation, "arg_attrs", value);
        }
        if let Some(value) = attribute_list(parser, results.iter().map(|r| r.1.as_slice()))? {
            property(parser, operation, "res_attrs", value);
        }
        if !parser.at("{") {
            operation.empty_regions = 1;
            return Ok(ParseStep::Done);
        }
        let entry = arguments
            .into_iter()
            .filter_map(|a| {
                Some(RegionArgument {
                    name: a.name?,
                    ty: a.ty,
                    location: a.location,
                })
            })
            .collect();
        Ok(ParseStep::Region(entry))
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        regions: usize,
    ) -> PrintStep {
        if regions > 0 {
            return PrintStep::Done;
        }
        printer.text(" ");
        let (context, module) = (printer.context(), printer.module());
        let string = |name: &str| {
            let value = module.attribute(context, operation, name)?;
            context.string_value(value).map(<[u8]>::to_vec)
        };
        let visibility = string("sym_visibility");
        let function_type = module.attribute(context, operation, "function_type");
        let (inputs, outputs) = match function_type.map(|a| context.attribute_kind(a)) {
            Some(AttributeKind::Type(ty)) => match context.type_kind(*ty) {
                TypeKind::Function { inputs, results } => (inputs.to_vec(), results.to_vec()),
                _ => Default::default(),
            },
            _ => Default::default(),
        };
        let lists = |name: &str| -> Vec<Vec<NamedAttribute>> {
            match module
                .attribute(context, operation, name)
                .map(|a| context.attribute_kind(a))
            {
                Some(AttributeKind::Array(items)) => items
                    .iter()
                    .map(|&a| context.dictionary_entries(a).to_vec())
                    .collect(),
                _ => Vec::new(),
            }
        };
        let (argument_attributes, result_attributes) = (lists("arg_attrs"), lists("res_attrs"));
        let entry = module
            .region(operation, 0)
            .and_then(|region| module.first_block(region));
        let arguments: Vec<_> = entry
            .map(|block| module.arguments(block).collect())
            .unwrap_or_default();
        let attributes = module.all_attributes(context, operation);
        if let Some(visibility) = visibility {
            printer.text(&String::from_utf8_lossy(&visibility));
            printer.text(" ");
        }
        print_symbol_name(printer, operation, "");
        printer.text("(");
        for (i, &ty) in inputs.iter().enumerate() {
            if i > 0 {
                printer.text(", ");
            }
            let attributes = argument_attributes.get(i).map_or(&[][..], Vec::as_slice);
            match arguments.get(i) {
                Some(&(value, location)) if entry.is_some() => {
                    printer.region_argument(value, location, attributes);
                }
                _ => {
                    printer.ty(ty);
                    printer.attribute_dictionary(attributes, &[]);
                }
            }
        }
        printer.text(")");
        print_results(printer, &outputs, &result_attributes);
        printer.attribute_dictionary_with_keyword(&attributes, &IN_SIGNATURE);
        if entry.is_none() {
            return PrintStep::Done;
        }
        printer.text(" ");
        PrintStep::Region {
            number: 0,
            entry_arguments: false,
            terminators: true,
        }
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let Some(AttributeKind::Type(ty)) =
            attribute("function_type").map(|a| context.attribute_kind(a))
        else {
            return false;
        };
        let TypeKind::Function { inputs, results } = context.type_kind(*ty) else {
            return false;
        };
        attribute("sym_name").is_some_and(|a| is_plain_string(context, a))
            && attribute("sym_visibility").is_none_or(|a| {
                is_plain_string(context, a)
                    && VISIBILITIES
                        .iter()
                        .any(|v| context.string_value(a) == Some(v.as_bytes()))
            })
            && attribute("arg_attrs").is_none_or(|a| is_list(context, a, inputs.len()))
            && attribute("res_attrs").is_none_or(|a| is_list(context, a, results.len()))
            && has_shape(module, operation, 0, 0, 1)
            && is_body(module, operation, inputs)
    }

    fn default_dialect(&self) -> &'static str {
        "func"
    }
}

/// Whether an attribute is a string without a type.
pub(crate) fn is_plain_string(context: &Context, attribute: Attribute) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::String { ty: None, .. }
    )
}

/// Whether an attribute is a list of so many dictionaries. One without any entry is not written.
fn is_list(context: &Context, attribute: Attribute, len: usize) -> bool {
    let AttributeKind::Array(items) = context.attribute_kind(attribute) else {
        return false;
    };
    let is_dictionary =
        |&a: &Attribute| matches!(context.attribute_kind(a), AttributeKind::Dictionary(_));
    items.len() == len
        && items.iter().all(is_dictionary)
        && items
            .iter()
            .any(|&a| !context.dictionary_entries(a).is_empty())
}

/// Whether an operation has so many operands, results and regions, and no successors.
pub(crate) fn has_shape(
    module: &Module,
    operation: Operation,
    operands: usize,
    results: usize,
    regions: usize,
) -> bool {
    module.operand_count(operation) == operands
        && module.result_count(operation) == results
        && module.regions(operation).len() == regions
        && module.successors(operation).len() == 0
}

/// Whether a function's region is empty or has an entry block for these inputs. That block has no label
/// in the text, so it must not be empty, nor be branched to.
fn is_body(module: &Module, operation: Operation, inputs: &[Type]) -> bool {
    let Some(region) = module.region(operation, 0) else {
        return false;
    };
    let Some(entry) = module.first_block(region) else {
        return true;
    };
    let types = module.arguments(entry).map(|(v, _)| module.value_type(v));
    types.eq(inputs.iter().copied())
        && module.first_operation(entry).is_some()
        && !module
            .blocks(region)
            .flat_map(|block| module.operations(block))
            .any(|op| module.successors(op).any(|block| block == entry))
}

/// An argument of a function.
struct Argument {
    /// None in a declaration.
    name: Option<OperandName>,
    ty: Type,
    attributes: Vec<NamedAttribute>,
    location: Option<rmlir_ir::Location>,
}

/// `(arguments)`, either all with names or none.
fn arguments(parser: &mut dyn AsmParser) -> AsmResult<Vec<Argument>> {
    let mut arguments: Vec<Argument> = Vec::new();
    parser.expect("(")?;
    if parser.eat(")") {
        return Ok(arguments);
    }
    loop {
        let place = parser.place();
        let named = parser.at_operand();
        if arguments
            .first()
            .is_some_and(|first| first.name.is_some() != named)
        {
            let expected = if named {
                "expected type instead of SSA identifier"
            } else {
                "expected SSA identifier"
            };
            return Err(AsmError::new(place, expected));
        }
        let name = if named {
            Some(parser.operand_name()?)
        } else {
            None
        };
        if named {
            parser.expect(":")?;
        }
        let ty = parser.ty()?;
        let attributes = parser.attribute_dictionary()?;
        let location = parser.location()?;
        arguments.push(Argument {
            name,
            ty,
            attributes,
            location,
        });
        if !parser.eat(",") {
            break;
        }
    }
    parser.expect(")")?;
    Ok(arguments)
}

/// `type` or `(type {...}, ...)`, behind `->`.
fn results(parser: &mut dyn AsmParser) -> AsmResult<Vec<(Type, Vec<NamedAttribute>)>> {
    let mut results = Vec::new();
    if !parser.eat("(") {
        let place = parser.place();
        let ty = parser.ty()?;
        if matches!(parser.context().type_kind(ty), TypeKind::Function { .. }) {
            return Err(AsmError::new(place, "expected non-function type"));
        }
        return Ok(vec![(ty, Vec::new())]);
    }
    if parser.eat(")") {
        return Ok(results);
    }
    loop {
        let ty = parser.ty()?;
        results.push((ty, parser.attribute_dictionary()?));
        if !parser.eat(",") {
            break;
        }
    }
    parser.expect(")")?;
    Ok(results)
}

fn print_results(printer: &mut dyn AsmPrinter, types: &[Type], attributes: &[Vec<NamedAttribute>]) {
    if types.is_empty() {
        return;
    }
    printer.text(" -> ");
    let wrapped = match types {
        [one] => {
            matches!(printer.context().type_kind(*one), TypeKind::Function { .. })
                || attributes.first().is_some_and(|a| !a.is_empty())
        }
        _ => true,
    };
    if wrapped {
        printer.text("(");
    }
    for (i, &ty) in types.iter().enumerate() {
        if i > 0 {
            printer.text(", ");
        }
        printer.ty(ty);
        printer.attribute_dictionary(attributes.get(i).map_or(&[][..], Vec::as_slice), &[]);
    }
    if wrapped {
        printer.text(")");
    }
}

/// Dictionaries as an array attribute; none if all are empty.
fn attribute_list<'a>(
    parser: &mut dyn AsmParser,
    dictionaries: impl Iterator<Item = &'a [NamedAttribute]>,
) -> AsmResult<Option<Attribute>> {
    let place = parser.place();
    let context = parser.context();
    let mut any = false;
    let mut items = Vec::new();
    for entries in dictionaries {
        any |= !entries.is_empty();
        let item = context
            .dictionary_attribute(entries)
            .map_err(|e| AsmError::new(place, e.message()))?;
        items.push(item);
    }
    Ok(any.then(|| context.array_attribute(&items)))
}

fn property(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: &str,
    value: Attribute,
) {
    let name = parser.context().identifier(name);
    operation.properties.push((name, value));
}

/// `@name` of an operation that has a `sym_name`, behind `before`.
pub(crate) fn print_symbol_name(printer: &mut dyn AsmPrinter, operation: Operation, before: &str) {
    let context: &Context = printer.context();
    let name = printer.module().attribute(context, operation, "sym_name");
    let name = name
        .and_then(|a| context.string_value(a))
        .map(<[u8]>::to_vec);
    if let Some(name) = name {
        printer.text(before);
        printer.symbol_name(&name);
    }
}

/// `%a, %b : i32, i64`.
pub(crate) fn typed_operands(parser: &mut dyn AsmParser) -> AsmResult<Vec<Value>> {
    let mut names = Vec::new();
    let place = parser.place();
    loop {
        names.push(parser.operand_name()?);
        if !parser.eat(",") {
            break;
        }
    }
    parser.expect(":")?;
    let mut values = Vec::new();
    let mut count = 0usize;
    loop {
        let ty = parser.ty()?;
        if let Some(&name) = names.get(count) {
            values.push(parser.resolve(name, ty)?);
        }
        count += 1;
        if !parser.eat(",") {
            break;
        }
    }
    if count != names.len() {
        let message = format!(
            "number of operands and types do not match: got {} operands and {count} types",
            names.len()
        );
        return Err(AsmError::new(place, message));
    }
    Ok(values)
}

/// `%a, %b : i32, i64`.
pub(crate) fn print_typed_operands(printer: &mut dyn AsmPrinter, operands: &[Value]) {
    printer.operands(operands.iter().copied());
    printer.text(" : ");
    let types: Vec<Type> = operands
        .iter()
        .map(|&v| printer.module().value_type(v))
        .collect();
    printer.types(types.into_iter());
}

/// `return {...} %a, %b : i32, i64`.
#[derive(Debug)]
pub(crate) struct Return;

impl OperationSyntax for Return {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        operation.attributes = parser.attribute_dictionary()?;
        if parser.at_operand() {
            operation.operands = typed_operands(parser)?;
        }
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        let attributes = printer
            .module()
            .all_attributes(printer.context(), operation);
        printer.attribute_dictionary(&attributes, &[]);
        let operands: Vec<_> = printer.module().operands(operation).collect();
        if !operands.is_empty() {
            printer.text(" ");
            print_typed_operands(printer, &operands);
        }
        PrintStep::Done
    }

    fn can_print(&self, _: &Context, module: &Module, operation: Operation) -> bool {
        has_shape(module, operation, module.operand_count(operation), 0, 0)
    }
}

/// `call @callee(%a) {...} : (i32) -> i32`.
#[derive(Debug)]
pub(crate) struct Call;

impl OperationSyntax for Call {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        _regions: usize,
    ) -> AsmResult<ParseStep> {
        let place = parser.place();
        let callee = parser.attribute()?;
        let flat = matches!(
            parser.context().attribute_kind(callee),
            AttributeKind::SymbolRef { nested, .. } if nested.is_empty()
        );
        if !flat {
            return Err(AsmError::new(
                place,
                "invalid kind of attribute specified: expected a flat symbol reference",
            ));
        }
        property(parser, operation, "callee", callee);
        parser.expect("(")?;
        let mut names = Vec::new();
        if !parser.eat(")") {
            loop {
                names.push(parser.operand_name()?);
                if !parser.eat(",") {
                    break;
                }
            }
            parser.expect(")")?;
        }
        operation.attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let place = parser.place();
        let ty = parser.ty()?;
        let TypeKind::Function { inputs, results } = parser.context().type_kind(ty).clone() else {
            return Err(AsmError::new(place, "expected function type"));
        };
        if inputs.len() != names.len() {
            let message = format!(
                "number of operands and types do not match: got {} operands and {} types",
                names.len(),
                inputs.len()
            );
            return Err(AsmError::new(place, message));
        }
        for (&name, &ty) in names.iter().zip(&inputs) {
            let value = parser.resolve(name, ty)?;
            operation.operands.push(value);
        }
        operation.result_types = results.into();
        Ok(ParseStep::Done)
    }

    fn print(
        &self,
        printer: &mut dyn AsmPrinter,
        operation: Operation,
        _regions: usize,
    ) -> PrintStep {
        printer.text(" ");
        let (context, module) = (printer.context(), printer.module());
        let callee = module.attribute(context, operation, "callee");
        let attributes = module.all_attributes(context, operation);
        let operands: Vec<_> = module.operands(operation).collect();
        let inputs: Vec<Type> = operands.iter().map(|&v| module.value_type(v)).collect();
        let results: Vec<Type> = module
            .results(operation)
            .map(|v| module.value_type(v))
            .collect();
        let bare = matches!(*results, [one] if !matches!(context.type_kind(one), TypeKind::Function { .. }));
        if let Some(callee) = callee {
            printer.attribute(callee);
        }
        printer.text("(");
        printer.operands(operands.into_iter());
        printer.text(")");
        printer.attribute_dictionary(&attributes, &["callee"]);
        printer.text(" : (");
        printer.types(inputs.into_iter());
        printer.text(if bare { ") -> " } else { ") -> (" });
        printer.types(results.into_iter());
        if !bare {
            printer.text(")");
        }
        PrintStep::Done
    }

    fn can_print(&self, context: &Context, module: &Module, operation: Operation) -> bool {
        let callee = module.attribute(context, operation, "callee");
        let (operands, results) = (
            module.operand_count(operation),
            module.result_count(operation),
        );
        has_shape(module, operation, operands, results, 0)
            && callee.is_some_and(|a| {
                matches!(
                    context.attribute_kind(a),
                    AttributeKind::SymbolRef { nested, .. } if nested.is_empty()
                )
            })
    }
}
