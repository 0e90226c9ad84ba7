//! Functions and initializers of IREE's dialects `util` and `vm`, and constants of `util`.

use super::symbols::{Reference, visibility_of};
use super::values::TiedType;
use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::func::has_shape;
use crate::function::{
    Function, attribute_list, dictionaries, entry_block, is_body, is_entry, is_list, property,
    types_of,
};
use crate::helpers::discardable_first;
use crate::two_way::signature::FunctionSignature;
use crate::two_way::{Asm, Named, TwoWay, failure, other_attributes, plain_string};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type, TypeKind,
};

/// The attributes that are not in the dictionary of `util.func`.
const IN_SIGNATURE: [&str; 6] = [
    "sym_name",
    "function_type",
    "tied_operands",
    "sym_visibility",
    "arg_attrs",
    "res_attrs",
];

/// Returns the dictionaries of an array of `count` of them; none if it is absent.
pub(super) fn dictionaries_of(
    context: &Context,
    attribute: Option<Attribute>,
    count: usize,
) -> Option<Vec<&[NamedAttribute]>> {
    let fits = attribute.is_none_or(|list| is_list(context, list, count));
    fits.then(|| dictionaries(context, attribute))
}

/// Sets the function type.
fn set_type(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    inputs: &[Type],
    results: &[Type],
) {
    let context = parser.context();
    let ty = context.function_type(inputs, results);
    let ty = context.type_attribute(ty);
    property(parser, operation, "function_type", ty);
}

/// Sets the visibility and the name of a symbol.
fn set_symbol(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    visibility: Option<usize>,
    name: &[u8],
) {
    if let Some(visibility) = super::symbols::visibility(parser.context(), visibility) {
        property(parser, operation, "sym_visibility", visibility);
    }
    let name = parser.context().string_attribute(name);
    property(parser, operation, "sym_name", name);
}

/// The syntax of `util.func`: as `func.func`, with results that are tied to arguments, and with
/// names of arguments in declarations.
#[derive(Debug)]
pub(crate) struct Func;

/// The parsed parts of [`Func`].
#[derive(Default)]
pub(crate) struct FuncContent {
    visibility: Option<usize>,
    name: Vec<u8>,
    signature: FunctionSignature,
    /// The results, which the signature does not have.
    results: Vec<TiedType>,
    /// The offset of the dictionary.
    place: Option<usize>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Func {
    type Content = FuncContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<FuncContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let (inputs, outputs) = types_of(context, attribute("function_type"))?;
        let some = |types: &[Type]| types.iter().copied().map(Some).collect::<Vec<_>>();
        if !has_shape(module, operation, 0, 0, 1) || !is_body(module, operation, inputs) {
            return None;
        }
        let of_results = some(outputs);
        let mut signature =
            FunctionSignature::of(context, module, operation, some(inputs), of_results)?;
        let mut results = TiedType::all(context, inputs, outputs, attribute("tied_operands"))?;
        for (result, (_, attributes)) in results.iter_mut().zip(signature.results.drain(..)) {
            result.attributes = attributes;
        }
        Some(FuncContent {
            visibility: visibility_of(context, attribute("sym_visibility"))?,
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            signature,
            results,
            place: None,
            attributes: other_attributes(context, module, operation, &IN_SIGNATURE),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut FuncContent) -> AsmResult<()> {
        asm.space(" ");
        asm.visibility(&mut content.visibility);
        asm.space(" ");
        asm.symbol_name(&mut content.name)?;
        let (mut named, mut number) = (None, 0);
        let parameters = &mut content.signature.parameters;
        asm.list(("(", ")"), parameters, |asm, parameter| {
            if parameter.value.value.is_none() {
                // The arguments of a declaration have names, too.
                asm.space(&format!("%arg{number}: "));
            }
            number += 1;
            asm.parameter(parameter, false, &mut named)
        })?;
        if asm.is_there("->", !content.results.is_empty()) {
            asm.token("->", " -> ")?;
            let pairs = parameters
                .iter()
                .filter_map(|one| Some((one.value, one.ty?)));
            let (names, types): (Vec<Named>, Vec<Type>) = pairs.unzip();
            asm.function_results((&names, &types), &mut content.results)?;
        }
        content.place = asm.place();
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut FuncContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        set_symbol(parser, operation, content.visibility, &content.name);
        if let Some(tied) = TiedType::attribute(parser.context(), &content.results) {
            property(parser, operation, "tied_operands", tied);
        }
        let results = content.results.drain(..);
        let signature = &mut content.signature;
        signature.results = results.map(|one| (one.sized.ty, one.attributes)).collect();
        let function_type = signature.function_type(parser.context());
        property(parser, operation, "function_type", function_type);
        operation.attributes = std::mem::take(&mut content.attributes);
        for &(name, _) in &operation.attributes {
            let name = parser.context().str(name);
            if ["sym_name", "sym_visibility", "function_type"].contains(&&*name) {
                let message = format!(
                    "'{name}' is an inferred attribute and should not be specified in the explicit attribute dictionary"
                );
                return Err(failure(content.place, message));
            }
        }
        signature.set_attributes(parser, operation)?;
        if !parser.at("{") {
            operation.empty_regions = 1;
            return Ok(None);
        }
        Ok(Some(signature.entry_arguments(parser)))
    }

    fn complete_region(&self, parser: &mut dyn AsmParser) -> AsmResult<()> {
        if parser.region_is_empty() {
            let message = "expected non-empty function body";
            return Err(AsmError::new(parser.region_place(), message));
        }
        Ok(())
    }
}

/// The syntax of `util.initializer` and `vm.initializer`: `attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Initializer;

impl TwoWay for Initializer {
    type Content = Vec<NamedAttribute>;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Self::Content> {
        let ty = module.attribute(context, operation, "function_type");
        let (inputs, results) = types_of(context, ty)?;
        let block = entry_block(module, operation)?;
        (inputs.is_empty()
            && results.is_empty()
            && has_shape(module, operation, 0, 0, 1)
            && module.argument_count(block) == 0
            && is_entry(module, operation))
        .then(|| other_attributes(context, module, operation, &["function_type"]))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<()> {
        asm.dictionary_with_keyword(content)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Self::Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        set_type(parser, operation, &[], &[]);
        operation.attributes = std::mem::take(content);
        Ok(Some(Vec::new()))
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// The syntax of `vm.export`: `@f`, `@f as("name")`.
#[derive(Debug)]
pub(crate) struct Export;

impl TwoWay for Export {
    type Content = (Reference, Vec<NamedAttribute>);

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<Self::Content> {
        let [function, name] =
            ["function_ref", "export_name"].map(|name| module.attribute(context, operation, name));
        let reference = Reference::of(context, function?, name?)?;
        let elided = ["function_ref", "export_name"];
        let attributes = other_attributes(context, module, operation, &elided);
        has_shape(module, operation, 0, 0, 0).then_some((reference, attributes))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (reference, attributes): &mut Self::Content,
    ) -> AsmResult<()> {
        asm.space(" ");
        reference.text(asm)?;
        asm.dictionary_with_keyword(attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        (reference, attributes): &mut Self::Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if let Some(function) = reference.function {
            property(parser, operation, "function_ref", function);
        }
        if let Some(name) = reference.name(parser.context()) {
            property(parser, operation, "export_name", name);
        }
        operation.attributes = std::mem::take(attributes);
        Ok(None)
    }
}

/// Custom syntax of `vm.func`.
pub(crate) static VM_FUNC: crate::two_way::Syntax<Function> =
    crate::two_way::Syntax(Function::new("vm.func", "").with_discardable_first());

/// The syntax of `vm.import`: `private optional @f(%a : i32, %b : i64 ...) -> i32`. The names are
/// attributes of the arguments.
#[derive(Debug)]
pub(crate) struct Import;

/// The parsed parts of [`Import`].
#[derive(Default)]
pub(crate) struct ImportContent {
    visibility: Option<usize>,
    optional: bool,
    name: Vec<u8>,
    arguments: Vec<ImportArgument>,
    results: Vec<Type>,
    attributes: Vec<NamedAttribute>,
}

/// An argument of an import: `%a : i32`, `i64 ...`.
#[derive(Default)]
struct ImportArgument {
    name: Option<Vec<u8>>,
    ty: Option<Type>,
    variadic: bool,
}

impl ImportArgument {
    /// Returns an argument with these attributes; `None` if they have no text.
    fn of(context: &Context, ty: Type, attributes: &[NamedAttribute]) -> Option<Self> {
        let mut argument = ImportArgument {
            ty: Some(ty),
            ..ImportArgument::default()
        };
        for &(key, value) in attributes {
            match context.bytes(key) {
                b"vm.name" => {
                    let name = plain_string(context, Some(value))?;
                    let is_letter = |b: &u8| b.is_ascii_alphanumeric() || b"_$.-".contains(b);
                    let is_name = !name.is_empty() && name.iter().all(is_letter);
                    argument.name = is_name.then(|| Some(name.to_vec()))?;
                }
                b"vm.variadic" if value == context.unit_attribute() => argument.variadic = true,
                _ => return None,
            }
        }
        Some(argument)
    }

    fn attributes(&self, parser: &mut dyn AsmParser) -> Vec<NamedAttribute> {
        let mut attributes = Vec::new();
        if let Some(name) = &self.name {
            let value = parser.context().string_attribute(name);
            attributes.push((parser.name("vm.name"), value));
        }
        if self.variadic {
            let unit = parser.context().unit_attribute();
            attributes.push((parser.name("vm.variadic"), unit));
        }
        attributes
    }

    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        if asm.is_value_there(self.name.is_some()) {
            asm.spelled(self.name.get_or_insert_default())?;
            asm.token(":", " : ")?;
        }
        asm.ty(&mut self.ty)?;
        asm.optional("...", " ...", &mut self.variadic);
        Ok(())
    }
}

impl Asm<'_, '_> {
    /// `%name`, of which the name is kept.
    fn spelled(&mut self, name: &mut Vec<u8>) -> AsmResult<()> {
        match self {
            Asm::Parser(parser) => {
                let found = parser.operand_name()?;
                *name = crate::two_way::spelled_name(&**parser, found).to_vec();
            }
            Asm::Printer(printer) => {
                printer.text(&format!("%{}", String::from_utf8_lossy(name)));
            }
        }
        Ok(())
    }
}

impl TwoWay for Import {
    type Content = ImportContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ImportContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let (inputs, results) = types_of(context, attribute("function_type"))?;
        let lists = dictionaries_of(context, attribute("arg_attrs"), inputs.len())?;
        let argument = |(number, &ty): (usize, &Type)| {
            let attributes = lists.get(number).copied().unwrap_or_default();
            ImportArgument::of(context, ty, attributes)
        };
        let arguments = inputs.iter().enumerate().map(argument);
        let elided = [&IN_SIGNATURE[..], &["is_variadic", "is_optional"]].concat();
        let mut attributes = discardable_first(context, module, operation);
        attributes.retain(|entry| {
            !elided
                .iter()
                .any(|e| e.as_bytes() == context.bytes(entry.0))
        });
        let content = ImportContent {
            visibility: visibility_of(context, attribute("sym_visibility"))?,
            optional: attribute("is_optional").is_some(),
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            arguments: arguments.collect::<Option<_>>()?,
            results: results.to_vec(),
            attributes,
        };
        (attribute("res_attrs").is_none()
            && has_shape(module, operation, 0, 0, 1)
            && entry_block(module, operation).is_none())
        .then_some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ImportContent) -> AsmResult<()> {
        asm.space(" ");
        asm.visibility(&mut content.visibility);
        asm.space(" ");
        asm.optional("optional", "optional ", &mut content.optional);
        asm.symbol_name(&mut content.name)?;
        asm.lenient_list(("(", ")"), &mut content.arguments, |asm, argument| {
            argument.text(asm)
        })?;
        asm.optional_arrow_types(&mut content.results)?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ImportContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        if content.optional {
            let unit = parser.context().unit_attribute();
            property(parser, operation, "is_optional", unit);
        }
        set_symbol(parser, operation, content.visibility, &content.name);
        let arguments = content.arguments.iter();
        let lists: Vec<_> = arguments
            .map(|argument| argument.attributes(parser))
            .collect();
        if let Some(list) = attribute_list(parser, lists.iter().map(Vec::as_slice))? {
            property(parser, operation, "arg_attrs", list);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        let arguments = content.arguments.iter();
        let inputs: Vec<Type> = arguments.filter_map(|argument| argument.ty).collect();
        set_type(parser, operation, &inputs, &content.results);
        operation.empty_regions = 1;
        Ok(None)
    }
}

/// The syntax of `util.unfoldable_constant`: `{...} value`, or `@f : type`.
#[derive(Debug)]
pub(crate) struct Constant;

/// The parsed parts of [`Constant`].
#[derive(Default)]
pub(crate) struct ConstantContent {
    attributes: Vec<NamedAttribute>,
    value: Option<Attribute>,
    /// The type of the result, which is in the text if the value refers to a symbol.
    ty: Option<Type>,
}

/// Returns whether an attribute refers to a symbol.
fn is_symbol(context: &Context, value: Option<Attribute>) -> bool {
    let kind = value.map(|value| context.attribute_kind(value));
    matches!(kind, Some(AttributeKind::SymbolRef { .. }))
}

impl TwoWay for Constant {
    type Content = ConstantContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ConstantContent> {
        let value = module.attribute(context, operation, "value")?;
        let ty = module.value_type(module.result(operation, 0)?);
        let is_typed = is_symbol(context, Some(value)) || ty == context.attribute_type(value);
        (is_typed && has_shape(module, operation, 0, 1, 0)).then(|| ConstantContent {
            attributes: other_attributes(context, module, operation, &["value"]),
            value: Some(value),
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ConstantContent) -> AsmResult<()> {
        asm.space(" ");
        asm.dictionary(&mut content.attributes)?;
        if !content.attributes.is_empty() {
            asm.space(" ");
        }
        asm.attribute(&mut content.value)?;
        if is_symbol(asm.context(), content.value) {
            asm.token(":", " : ")?;
            asm.ty(&mut content.ty)?;
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ConstantContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        if let Some(value) = content.value {
            property(parser, operation, "value", value);
            let of_value = || parser.context().attribute_type(value);
            let ty = content.ty.unwrap_or_else(of_value);
            operation.result_types.push(ty);
        }
        Ok(None)
    }
}

/// The directive for a type and a value: `: type`, `= value` if the value has that type, or
/// `: type = value`.
#[derive(Debug)]
pub(crate) struct TypeOrAttribute;

/// The parsed parts of [`TypeOrAttribute`].
#[derive(Default)]
pub(crate) struct Initial {
    /// The type, unless the value has it.
    ty: Option<Type>,
    value: Option<Attribute>,
}

impl TwoWayDirective for TypeOrAttribute {
    type Content = Initial;

    fn content(&self, printed: &Printed<'_>) -> Option<Initial> {
        let [ty, value] = printed.arguments else {
            return None;
        };
        let AttributeKind::Type(ty) = *printed.context.attribute_kind(ty.attribute()?) else {
            return None;
        };
        let value = value.attribute();
        let is_typed = value.is_some_and(|value| has_type(printed.context, value, ty));
        let ty = (!is_typed).then_some(ty);
        Some(Initial { ty, value })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Initial) -> AsmResult<bool> {
        if asm.is_there(":", content.ty.is_some()) {
            asm.token(":", ": ")?;
            asm.ty(&mut content.ty)?;
        }
        if asm.is_there("=", content.value.is_some()) {
            asm.space(if content.ty.is_some() { " " } else { "" });
            asm.token("=", "= ")?;
            asm.attribute(&mut content.value)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Initial,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [ty, value] = arguments else {
            return Err(other_arguments(parser));
        };
        let of_value = content
            .value
            .map(|value| parser.context().attribute_type(value));
        let Some(of_type) = content.ty.or(of_value) else {
            return Err(AsmError::new(parser.place(), "expected ':' or '='"));
        };
        let of_type = parser.context().type_attribute(of_type);
        *ty = ParsedArgument::Attribute(Some(of_type));
        *value = ParsedArgument::Attribute(content.value);
        Ok(())
    }
}

/// Returns whether an attribute has a type, which is this one.
fn has_type(context: &Context, value: Attribute, ty: Type) -> bool {
    context.attribute_type(value) == ty && !matches!(context.type_kind(ty), TypeKind::None)
}
