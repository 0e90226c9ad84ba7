//! Instances of modules, and the lists of their connections.

use super::firrtl::flat;
use super::parameters::{ParameterDeclaration, parameter_attribute, parameter_declarations};
use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::helpers::property;
use crate::two_way::{
    Asm, Named, TwoWay, inner_symbol, items, operands, other_attributes, plain_string, string_array,
};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, Context, Module, NamedAttribute, Operation, Type, Value};

/// The syntax of `hw.instance`.
#[derive(Debug)]
pub(crate) struct Instance;

/// A connection of an instance.
#[derive(Default, Debug)]
pub(crate) struct Connection {
    name: Vec<u8>,
    value: Named,
    ty: Option<Type>,
}

impl Connection {
    /// Returns connections with the names in an array; `None` if these are not as many.
    fn all(
        context: &Context,
        names: Option<Attribute>,
        values: impl ExactSizeIterator<Item = (Named, Type)>,
    ) -> Option<Vec<Self>> {
        let names = items(context, names)?;
        if names.len() != values.len() {
            return None;
        }
        let pairs = names.iter().zip(values);
        pairs
            .map(|(&name, (value, ty))| {
                Some(Connection {
                    name: plain_string(context, Some(name))?.to_vec(),
                    value,
                    ty: Some(ty),
                })
            })
            .collect()
    }

    /// Returns the array of the names.
    fn names(context: &mut Context, all: &[Self]) -> Attribute {
        let names: Vec<&[u8]> = all.iter().map(|one| one.name.as_slice()).collect();
        string_array(context, &names)
    }
}

impl Asm<'_, '_> {
    /// `(a: %x: i8, b: %y: i1)`, or `(a: i8, b: i1)` if the connections have no values.
    fn connections(&mut self, all: &mut Vec<Connection>, has_values: bool) -> AsmResult<()> {
        self.list(("(", ")"), all, |asm, one| {
            asm.word(&mut one.name)?;
            asm.token(":", ": ")?;
            if has_values {
                asm.value(&mut one.value)?;
                asm.token(":", ": ")?;
            }
            asm.ty(&mut one.ty)
        })
    }
}

/// The text of an instance.
#[derive(Default)]
pub(crate) struct InstanceContent {
    name: Option<Attribute>,
    has_symbol: bool,
    symbol: Option<Attribute>,
    module: Option<Attribute>,
    parameters: Vec<ParameterDeclaration>,
    inputs: Vec<Connection>,
    outputs: Vec<Connection>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Instance {
    type Content = InstanceContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<InstanceContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let named = |value: Value| (Named::of(value), module.value_type(value));
        let operands: Vec<_> = module.operands(operation).map(named).collect();
        let results: Vec<_> = module.results(operation).map(named).collect();
        if !crate::func::has_shape(module, operation, operands.len(), results.len(), 0) {
            return None;
        }
        plain_string(context, attribute("instanceName"))?;
        flat(context, attribute("moduleName"))?;
        let elided = [
            "instanceName",
            "inner_sym",
            "moduleName",
            "argNames",
            "resultNames",
            "parameters",
        ];
        Some(InstanceContent {
            name: attribute("instanceName"),
            has_symbol: attribute("inner_sym").is_some(),
            symbol: inner_symbol(context, attribute("inner_sym"))?,
            module: attribute("moduleName"),
            parameters: parameter_declarations(context, attribute("parameters"), "hw")?,
            inputs: Connection::all(context, attribute("argNames"), operands.into_iter())?,
            outputs: Connection::all(context, attribute("resultNames"), results.into_iter())?,
            attributes: other_attributes(context, module, operation, &elided),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut InstanceContent) -> AsmResult<()> {
        asm.space(" ");
        asm.attribute(&mut content.name)?;
        asm.optional("sym", " sym ", &mut content.has_symbol);
        if content.has_symbol {
            asm.stripped(("hw", "innerSym"), &mut content.symbol)?;
        }
        asm.space(" ");
        asm.attribute(&mut content.module)?;
        ParameterDeclaration::list(asm, &mut content.parameters)?;
        asm.connections(&mut content.inputs, true)?;
        asm.token("->", " -> ")?;
        asm.connections(&mut content.outputs, false)?;
        asm.dictionary(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut InstanceContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        for input in &content.inputs {
            if let (Some(name), Some(ty)) = (input.value.name, input.ty) {
                operation.operands.push(parser.resolve(name, ty)?);
            }
        }
        let types = content.outputs.iter().filter_map(|output| output.ty);
        operation.result_types.extend(types);
        for (name, of) in [
            ("argNames", &content.inputs),
            ("resultNames", &content.outputs),
        ] {
            let value = Connection::names(parser.context(), of);
            property(parser, operation, name, value);
        }
        let parameters = parameter_attribute(parser.context(), &content.parameters, "hw");
        property(parser, operation, "parameters", parameters);
        for (name, value) in [
            ("instanceName", content.name),
            ("moduleName", content.module),
            ("inner_sym", content.symbol),
        ] {
            if let Some(value) = value {
                property(parser, operation, name, value);
            }
        }
        Ok(None)
    }
}

/// The directive of connections with their names. Arguments: the values, if the text has them,
/// their types, the array of the names.
#[derive(Debug)]
pub(crate) struct Connections {
    pub(crate) has_values: bool,
}

impl TwoWayDirective for Connections {
    type Content = Vec<Connection>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let (values, types, names) = match printed.arguments {
            [values, types, names] if self.has_values => (values.operands(), types, names),
            [types, names] if !self.has_values => (&[][..], types, names),
            _ => return None,
        };
        let types = types.types();
        let mut values = values.iter().copied().map(Named::of);
        let fits = !self.has_values || values.len() == types.len();
        let pairs = types.iter();
        let pairs = pairs.map(|&ty| (values.next().unwrap_or_default(), ty));
        Connection::all(printed.context, names.attribute(), pairs).filter(|_| fits)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.connections(content, self.has_values)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (to_values, to_types, to_names) = match arguments {
            [values, types, names] => (Some(values), types, names),
            [types, names] => (None, types, names),
            _ => return Err(other_arguments(parser)),
        };
        if let Some(values) = to_values {
            let all: Vec<Named> = content.iter().map(|one| one.value).collect();
            *values = operands(&all);
        }
        let types = content.iter().filter_map(|one| one.ty);
        *to_types = ParsedArgument::Types(types.collect());
        let names = Connection::names(parser.context(), &content);
        *to_names = ParsedArgument::Attribute(Some(names));
        Ok(())
    }
}
