//! Operations with signatures: components, classes, sequences, tests, methods.

use super::firrtl::{set_symbol, set_visibility, visibility_of};
use crate::function::{VISIBILITIES, dictionaries, entry_block, is_list, types_of};
use crate::helpers::{dialect_attribute, property};
use crate::two_way::signature::{FunctionSignature, Parameter};
use crate::two_way::{
    Asm, Named, TwoWay, items, other_attributes, plain_string, spelled_name, string_array,
};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument, ValueNames};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Location, Module, NamedAttribute, Operation, Region,
    Signedness, Type, TypeKind, Value,
};

/// An argument or a result in a signature.
#[derive(Default, Debug)]
pub(crate) struct Argument {
    /// A name before the value or type.
    label: Vec<u8>,
    /// The name of the value in the text, without `%`.
    name: Vec<u8>,
    value: Named,
    ty: Option<Type>,
    attributes: Vec<NamedAttribute>,
    location: Option<Location>,
}

impl Argument {
    /// Sets the name that is printed in place of that of the value, without a location.
    fn set_stored_name(&mut self, name: &[u8]) {
        self.name = name.to_vec();
        self.value = Named::default();
        self.location = None;
    }

    /// `%name`: the name of the value, or the stored one.
    fn name(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        match asm {
            Asm::Parser(parser) => {
                let name = parser.operand_name()?;
                self.name = spelled_name(&**parser, name).to_vec();
                self.value.name = Some(name);
            }
            Asm::Printer(printer) => match self.value.value {
                Some(value) => printer.operand(value),
                None => {
                    printer.text("%");
                    printer.text(&String::from_utf8_lossy(&self.name));
                }
            },
        }
        Ok(())
    }

    /// `%name: type {...}`.
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        let place = asm.place();
        self.name(asm)?;
        asm.token(":", ": ")?;
        asm.ty(&mut self.ty)?;
        asm.dictionary(&mut self.attributes)?;
        asm.location(place, &mut self.location)
    }

    fn of_region(&self) -> Option<RegionArgument> {
        Some(RegionArgument {
            name: self.value.name?,
            ty: self.ty?,
            location: self.location,
        })
    }
}

/// Returns the arguments of the entry block of an operation's region.
fn arguments_of(module: &Module, operation: Operation) -> Option<Vec<Argument>> {
    let block = entry_block(module, operation)?;
    let argument = |(value, location): (Value, Location)| Argument {
        value: Named::of(value),
        ty: Some(module.value_type(value)),
        location: Some(location),
        ..Argument::default()
    };
    Some(module.arguments(block).map(argument).collect())
}

/// Returns the arguments for the region that follows.
fn region_arguments(parser: &mut dyn AsmParser, arguments: &[Argument]) -> Vec<RegionArgument> {
    let mut list = parser.argument_list();
    list.extend(arguments.iter().filter_map(Argument::of_region));
    list
}

/// Returns the types of arguments.
fn types(arguments: &[Argument]) -> Vec<Type> {
    arguments
        .iter()
        .filter_map(|argument| argument.ty)
        .collect()
}

/// Returns whether an operation has one region with one block, and nothing else.
fn is_body(module: &Module, operation: Operation) -> bool {
    crate::func::has_shape(module, operation, 0, 0, 1)
        && entry_block(module, operation).is_some_and(|block| module.next_block(block).is_none())
}

/// The syntax of `rtg.sequence`: `@name(%a: type) attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Sequence;

/// The syntax of `rtg.test`: `@name(a = %a: type) template "t" target @t {...}`.
#[derive(Debug)]
pub(crate) struct Test;

/// The text of a sequence or a test.
#[derive(Default)]
pub(crate) struct SequenceContent {
    name: Vec<u8>,
    arguments: Vec<Argument>,
    has_template: bool,
    template: Option<Attribute>,
    has_target: bool,
    target: Vec<u8>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Sequence {
    type Content = SequenceContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<SequenceContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let arguments = arguments_of(module, operation)?;
        let AttributeKind::Type(ty) = context.attribute_kind(attribute("sequenceType")?) else {
            return None;
        };
        if !is_body(module, operation) || !is_sequence_of(context, *ty, &types(&arguments)) {
            return None;
        }
        Some(SequenceContent {
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            arguments,
            attributes: other_attributes(context, module, operation, &["sym_name", "sequenceType"]),
            ..SequenceContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SequenceContent) -> AsmResult<()> {
        asm.space(" ");
        asm.symbol_name(&mut content.name)?;
        asm.list(("(", ")"), &mut content.arguments, |asm, argument| {
            argument.text(asm)
        })?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut SequenceContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        operation.attributes = std::mem::take(&mut content.attributes);
        let elements = types(&content.arguments);
        let context = parser.context();
        let name = context.string_attribute(&content.name);
        let builder = context
            .build_type("rtg.sequence")
            .with("elementTypes", elements);
        let ty = builder.build();
        let ty = ty.map_err(|error| AsmError::new(place, error.message()))?;
        let ty = context.type_attribute(ty);
        set_symbol(parser, operation, name);
        property(parser, operation, "sequenceType", ty);
        Ok(Some(region_arguments(parser, &content.arguments)))
    }
}

/// Returns whether a type is `!rtg.sequence` of these types.
pub(super) fn is_sequence_of(context: &Context, ty: Type, elements: &[Type]) -> bool {
    let found = context.parameter(ty, "elementTypes");
    crate::helpers::is_of(context, ty, "rtg", "sequence")
        && match found {
            Some(found) => found
                .items()
                .filter_map(|one| one.ty())
                .eq(elements.iter().copied()),
            None => elements.is_empty(),
        }
}

impl TwoWay for Test {
    type Content = SequenceContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<SequenceContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let mut arguments = arguments_of(module, operation)?;
        let AttributeKind::Type(ty) = context.attribute_kind(attribute("targetType")?) else {
            return None;
        };
        let fields = super::fields::fields(context, *ty)?;
        let is_same = fields.len() == arguments.len()
            && arguments
                .iter()
                .zip(&fields)
                .all(|(a, b)| a.ty == Some(b.1));
        if !is_body(module, operation) || !is_same {
            return None;
        }
        for (argument, field) in arguments.iter_mut().zip(fields) {
            argument.label = field.0.to_vec();
        }
        let elided = ["sym_name", "targetType", "templateName", "target"];
        let (name, template) = (attribute("sym_name")?, attribute("templateName")?);
        let target = attribute("target");
        plain_string(context, Some(template))?;
        Some(SequenceContent {
            name: plain_string(context, Some(name))?.to_vec(),
            arguments,
            has_template: name != template,
            template: Some(template),
            has_target: target.is_some(),
            target: match target {
                Some(target) => plain_string(context, Some(target))?.to_vec(),
                None => Vec::new(),
            },
            attributes: other_attributes(context, module, operation, &elided),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut SequenceContent) -> AsmResult<()> {
        asm.space(" ");
        asm.symbol_name(&mut content.name)?;
        asm.list(("(", ")"), &mut content.arguments, |asm, argument| {
            asm.word(&mut argument.label)?;
            asm.token("=", " = ")?;
            argument.text(asm)
        })?;
        asm.optional("template", " template ", &mut content.has_template);
        if content.has_template {
            asm.attribute(&mut content.template)?;
        }
        asm.optional("target", " target ", &mut content.has_target);
        if content.has_target {
            asm.symbol_name(&mut content.target)?;
        }
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut SequenceContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        operation.attributes = std::mem::take(&mut content.attributes);
        let elements = types(&content.arguments);
        let names: Vec<String> = content
            .arguments
            .iter()
            .map(|argument| String::from_utf8_lossy(&argument.label).into_owned())
            .collect();
        let context = parser.context();
        let name = context.string_attribute(&content.name);
        let target = content
            .has_target
            .then(|| context.string_attribute(&content.target));
        let builder = context.build_type("rtg.dict").with("names", names);
        let ty = builder.with("types", elements).build();
        let ty = ty.map_err(|error| AsmError::new(place, error.message()))?;
        let ty = context.type_attribute(ty);
        set_symbol(parser, operation, name);
        property(parser, operation, "targetType", ty);
        property(
            parser,
            operation,
            "templateName",
            content.template.unwrap_or(name),
        );
        if let Some(target) = target {
            property(parser, operation, "target", target);
        }
        Ok(Some(region_arguments(parser, &content.arguments)))
    }
}

/// Names the arguments of a test after the entries of its target.
#[derive(Debug)]
pub(crate) struct TargetNames;

impl ValueNames for TargetNames {
    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let (Some(operation), Some(block)) =
            (module.region_parent(region), module.first_block(region))
        else {
            return;
        };
        let ty = module.attribute(context, operation, "targetType");
        let Some(AttributeKind::Type(ty)) = ty.map(|ty| context.attribute_kind(ty)) else {
            return;
        };
        let fields = super::fields::fields(context, *ty).unwrap_or_default();
        for ((value, _), (text, _)) in module.arguments(block).zip(fields) {
            name(value, &String::from_utf8_lossy(text));
        }
    }
}

/// The syntax of `om.class` and `om.class.extern`: `private @name(%a: type)  -> (b: type) {...}`.
#[derive(Debug)]
pub(crate) struct Class;

/// The text of a class.
#[derive(Default)]
pub(crate) struct ClassContent {
    visibility: Option<usize>,
    name: Vec<u8>,
    arguments: Vec<Argument>,
    has_fields: bool,
    fields: Vec<Argument>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Class {
    type Content = ClassContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ClassContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let mut arguments = arguments_of(module, operation)?;
        let names = items(context, attribute("formalParamNames"))?;
        if !is_body(module, operation) || names.len() != arguments.len() {
            return None;
        }
        for (argument, &name) in arguments.iter_mut().zip(names) {
            argument.set_stored_name(plain_string(context, Some(name))?);
        }
        let AttributeKind::Dictionary(field_types) =
            context.attribute_kind(attribute("fieldTypes")?)
        else {
            return None;
        };
        let mut fields = Vec::new();
        for &name in items(context, attribute("fieldNames"))? {
            let label = plain_string(context, Some(name))?;
            let of = field_types
                .iter()
                .find(|entry| context.bytes(entry.0) == label)?;
            let AttributeKind::Type(ty) = context.attribute_kind(of.1) else {
                return None;
            };
            fields.push(Argument {
                label: label.to_vec(),
                ty: Some(*ty),
                ..Argument::default()
            });
        }
        if fields.len() != field_types.len() {
            return None;
        }
        let elided = [
            "sym_name",
            "sym_visibility",
            "formalParamNames",
            "fieldTypes",
            "fieldNames",
        ];
        Some(ClassContent {
            visibility: visibility_of(context, module, operation)?,
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            arguments,
            has_fields: !fields.is_empty(),
            fields,
            attributes: other_attributes(context, module, operation, &elided),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ClassContent) -> AsmResult<()> {
        asm.space(" ");
        asm.optional_choice(&VISIBILITIES, &mut content.visibility);
        asm.symbol_name(&mut content.name)?;
        asm.list(("(", ")"), &mut content.arguments, |asm, argument| {
            argument.text(asm)
        })?;
        asm.space(" ");
        asm.optional("->", " -> ", &mut content.has_fields);
        if content.has_fields {
            asm.list(("(", ")"), &mut content.fields, |asm, field| {
                asm.word(&mut field.label)?;
                asm.token(":", ": ")?;
                asm.ty(&mut field.ty)
            })?;
            asm.space(" ");
        }
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ClassContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        operation.attributes = std::mem::take(&mut content.attributes);
        set_visibility(parser, operation, content.visibility);
        let context = parser.context();
        let name = context.string_attribute(&content.name);
        let parameters: Vec<&[u8]> = content.arguments.iter().map(|one| &*one.name).collect();
        let parameters = string_array(context, &parameters);
        let names: Vec<&[u8]> = content.fields.iter().map(|one| &*one.label).collect();
        let names = string_array(context, &names);
        let mut of_fields = Vec::new();
        for field in &content.fields {
            let Some(ty) = field.ty else { continue };
            let label = context.identifier(&field.label);
            of_fields.push((label, context.type_attribute(ty)));
        }
        let of_fields = context.dictionary_attribute(&of_fields);
        let of_fields = of_fields.map_err(|error| AsmError::new(place, error.message()))?;
        set_symbol(parser, operation, name);
        property(parser, operation, "formalParamNames", parameters);
        property(parser, operation, "fieldNames", names);
        property(parser, operation, "fieldTypes", of_fields);
        Ok(Some(region_arguments(parser, &content.arguments)))
    }

    fn is_close(&self) -> bool {
        true
    }
}

/// The syntax of `calyx.component`: `@name(%a: i1 {clk}) -> (%b: i1) {...} {...}`.
#[derive(Debug)]
pub(crate) struct Component;

/// The text of a component.
#[derive(Default)]
pub(crate) struct ComponentContent {
    name: Vec<u8>,
    inputs: Vec<Argument>,
    outputs: Vec<Argument>,
    attributes: Vec<NamedAttribute>,
}

/// The attributes that the signature has.
const IN_COMPONENT: [&str; 7] = [
    "portAttributes",
    "portNames",
    "portDirections",
    "sym_name",
    "function_type",
    "arg_attrs",
    "res_attrs",
];

impl TwoWay for Component {
    type Content = ComponentContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ComponentContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let mut ports = arguments_of(module, operation)?;
        let names = items(context, attribute("portNames"))?;
        let of_ports = attribute("portAttributes")?;
        let AttributeKind::Integer { value, .. } =
            context.attribute_kind(attribute("portDirections")?)
        else {
            return None;
        };
        let (inputs, results) = types_of(context, attribute("function_type"))?;
        let fits = is_body(module, operation)
            && names.len() == ports.len()
            && is_list(context, of_ports, ports.len())
            && usize::try_from(value.width()).ok() == Some(ports.len())
            && inputs == types(&ports)
            && results.is_empty()
            && attribute("arg_attrs").is_none()
            && attribute("res_attrs").is_none();
        if !fits {
            return None;
        }
        let lists = dictionaries(context, Some(of_ports));
        for ((port, &name), list) in ports.iter_mut().zip(names).zip(lists) {
            port.set_stored_name(plain_string(context, Some(name))?);
            port.attributes = list.to_vec();
        }
        let is_output = |number: usize| value.bit(u32::try_from(number).unwrap_or(u32::MAX));
        let first = (0..ports.len()).find(|&number| is_output(number));
        let first = first.unwrap_or(ports.len());
        if !(first..ports.len()).all(is_output) {
            return None;
        }
        let outputs = ports.split_off(first);
        Some(ComponentContent {
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            inputs: ports,
            outputs,
            attributes: other_attributes(context, module, operation, &IN_COMPONENT),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ComponentContent) -> AsmResult<()> {
        asm.space(" ");
        asm.symbol_name(&mut content.name)?;
        asm.list(("(", ")"), &mut content.inputs, |asm, port| port.text(asm))?;
        asm.token("->", " -> ")?;
        asm.list(("(", ")"), &mut content.outputs, |asm, port| port.text(asm))
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ComponentContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        let inputs = content.inputs.len();
        let mut ports = std::mem::take(&mut content.inputs);
        ports.append(&mut content.outputs);
        let invalid = |error: rmlir_ir::Invalid| AsmError::new(place, error.message());
        let context = parser.context();
        let name = context.string_attribute(&content.name);
        let names: Vec<&[u8]> = ports.iter().map(|port| &*port.name).collect();
        let names = string_array(context, &names);
        let function = context.function_type(&types(&ports), &[]);
        let function = context.type_attribute(function);
        let width = u32::try_from(ports.len()).unwrap_or(u32::MAX);
        let ty = context
            .try_type(TypeKind::Integer {
                width,
                signedness: Signedness::Signless,
            })
            .map_err(invalid)?;
        let mut bytes = vec![0u8; ports.len().div_ceil(8)];
        for number in inputs..ports.len() {
            if let Some(byte) = bytes.get_mut(number / 8) {
                *byte |= 1 << (number % 8);
            }
        }
        let value = ApInt::from_le_bytes(width, &bytes);
        let directions = context.try_attribute(AttributeKind::Integer { ty, value });
        let directions = directions.map_err(invalid)?;
        let mut lists = Vec::new();
        for port in &ports {
            lists.push(
                context
                    .dictionary_attribute(&port.attributes)
                    .map_err(invalid)?,
            );
        }
        let lists = context.array_attribute(&lists);
        set_symbol(parser, operation, name);
        property(parser, operation, "portNames", names);
        property(parser, operation, "portDirections", directions);
        property(parser, operation, "portAttributes", lists);
        property(parser, operation, "function_type", function);
        Ok(Some(region_arguments(parser, &ports)))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut ComponentContent,
        _: usize,
    ) -> AsmResult<bool> {
        asm.dictionary(&mut content.attributes)?;
        Ok(false)
    }

    fn build_after(
        &self,
        _: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ComponentContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        operation.attributes.append(&mut content.attributes);
        Ok(Vec::new())
    }
}

/// The syntax of `handshake.func`: as `func.func`, with `...` after the arguments, and with names
/// of arguments and results among the attributes.
#[derive(Debug)]
pub(crate) struct HandshakeFunction;

/// The text of a function.
#[derive(Default)]
pub(crate) struct FunctionContent {
    visibility: Option<usize>,
    name: Vec<u8>,
    signature: FunctionSignature,
    attributes: Vec<NamedAttribute>,
    has_body: bool,
}

impl TwoWay for HandshakeFunction {
    type Content = FunctionContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<FunctionContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let (inputs, results) = types_of(context, attribute("function_type"))?;
        if !crate::func::has_shape(module, operation, 0, 0, 1)
            || !crate::function::is_body(module, operation, inputs)
            || attribute("argNames").is_none()
            || attribute("resNames").is_none()
        {
            return None;
        }
        let [inputs, results] = [inputs, results].map(|all| all.iter().copied().map(Some));
        let mut signature = FunctionSignature::of(context, module, operation, inputs, results)?;
        signature.parameters.push(Parameter {
            is_rest: true,
            ..Parameter::default()
        });
        let elided = [
            "sym_name",
            "sym_visibility",
            "function_type",
            "arg_attrs",
            "res_attrs",
        ];
        Some(FunctionContent {
            visibility: visibility_of(context, module, operation)?,
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            signature,
            attributes: other_attributes(context, module, operation, &elided),
            has_body: entry_block(module, operation).is_some(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut FunctionContent) -> AsmResult<()> {
        asm.space(" ");
        asm.optional_choice(&VISIBILITIES, &mut content.visibility);
        asm.symbol_name(&mut content.name)?;
        asm.signature(&mut content.signature, true)?;
        asm.dictionary_with_keyword(&mut content.attributes)?;
        content.has_body = asm.is_there("{", content.has_body);
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut FunctionContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        set_visibility(parser, operation, content.visibility);
        let signature = &content.signature;
        let numbered = |prefix: &str, number: usize| format!("{prefix}{number}").into_bytes();
        let mut inputs = Vec::new();
        for (number, _) in signature.inputs().enumerate() {
            let value = signature
                .parameters
                .get(number)
                .and_then(|one| one.value.name);
            inputs.push(match value {
                Some(value) => spelled_name(parser, value).to_vec(),
                None => numbered("in", number),
            });
        }
        let outputs = 0..signature.results.len();
        let outputs = outputs.map(|number| numbered("out", number)).collect();
        for (key, names) in [("argNames", inputs), ("resNames", outputs)] {
            let key = parser.name(key);
            if !operation.attributes.iter().any(|entry| entry.0 == key) {
                let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
                let names = string_array(parser.context(), &names);
                operation.attributes.push((key, names));
            }
        }
        let context = parser.context();
        let name = context.string_attribute(&content.name);
        let function = signature.function_type(context);
        set_symbol(parser, operation, name);
        property(parser, operation, "function_type", function);
        signature.set_attributes(parser, operation)?;
        if !content.has_body {
            operation.empty_regions = 1;
            return Ok(None);
        }
        Ok(Some(signature.entry_arguments(parser)))
    }

    fn default_dialect(&self) -> &'static str {
        "handshake"
    }
}

/// The syntax of `kanagawa.method`: `@name(%a: type)  -> type {...}`.
#[derive(Debug)]
pub(crate) struct Method;

/// The text of a method.
#[derive(Default)]
pub(crate) struct MethodContent {
    name: Vec<u8>,
    arguments: Vec<Argument>,
    results: Vec<Type>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Method {
    type Content = MethodContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<MethodContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let mut arguments = arguments_of(module, operation)?;
        let (inputs, outputs) = types_of(context, attribute("function_type"))?;
        let names = items(context, attribute("argNames"))?;
        let has_lists = attribute("arg_attrs").is_some() || attribute("res_attrs").is_some();
        if !crate::func::has_shape(module, operation, 0, 0, 1)
            || inputs != types(&arguments)
            || names.len() != arguments.len()
            || has_lists
        {
            return None;
        }
        for (argument, &name) in arguments.iter_mut().zip(names) {
            argument.name = plain_string(context, Some(name))?.to_vec();
        }
        let symbol = attribute("inner_sym")?;
        let names = context.parameter(symbol, "names")?;
        let mut names = names.items();
        let name = names.next()?.bytes()?.to_vec();
        if names.next().is_some() {
            return None;
        }
        let elided = ["inner_sym", "argNames", "function_type"];
        Some(MethodContent {
            name,
            arguments,
            results: outputs.to_vec(),
            attributes: other_attributes(context, module, operation, &elided),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut MethodContent) -> AsmResult<()> {
        asm.space(" ");
        asm.symbol_name(&mut content.name)?;
        asm.list(("(", ")"), &mut content.arguments, |asm, argument| {
            argument.text(asm)
        })?;
        asm.space(" ");
        if content.results.is_empty() {
            asm.space(" -> ()");
        }
        asm.optional_arrow_types(&mut content.results)?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut MethodContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        operation.attributes = std::mem::take(&mut content.attributes);
        let context = parser.context();
        let text = format!("innerSym@{}", String::from_utf8_lossy(&content.name));
        let symbol = dialect_attribute(context, "hw", &text);
        let symbol = symbol.map_err(|error| AsmError::new(place, error.message()))?;
        let names: Vec<Vec<u8>> = content
            .arguments
            .iter()
            .map(|one| match one.name.first() {
                Some(first) if !first.is_ascii_digit() => one.name.clone(),
                _ => Vec::new(),
            })
            .collect();
        let names: Vec<&[u8]> = names.iter().map(Vec::as_slice).collect();
        let names = string_array(context, &names);
        let function = context.function_type(&types(&content.arguments), &content.results);
        let function = context.type_attribute(function);
        property(parser, operation, "inner_sym", symbol);
        property(parser, operation, "argNames", names);
        property(parser, operation, "function_type", function);
        Ok(Some(region_arguments(parser, &content.arguments)))
    }
}
