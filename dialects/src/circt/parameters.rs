//! Lists of parameters of modules and instances: `<WIDTH: i32 = 8, FORMAT: none>`.

use crate::two_way::{Asm, items};
use rmlir_ir::asm::{
    AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, Context, Module, Operation, Type};

/// A parameter, and its value if it has one.
#[derive(Default, Debug)]
pub(crate) struct ParameterDeclaration {
    name: Vec<u8>,
    ty: Option<Type>,
    has_value: bool,
    value: Option<Attribute>,
}

impl ParameterDeclaration {
    /// The list; nothing if it is empty.
    pub(crate) fn list(asm: &mut Asm<'_, '_>, all: &mut Vec<Self>) -> AsmResult<()> {
        asm.optional_list(("<", ">"), all, |asm, one| {
            asm.word(&mut one.name)?;
            asm.token(":", ": ")?;
            asm.ty(&mut one.ty)?;
            asm.optional("=", " = ", &mut one.has_value);
            match one.has_value {
                true => asm.attribute_of(one.ty, &mut one.value),
                false => Ok(()),
            }
        })
    }
}

/// Returns the parameters in an array of `#DIALECT.param.decl`.
pub(crate) fn parameter_declarations(
    context: &Context,
    attribute: Option<Attribute>,
    dialect: &str,
) -> Option<Vec<ParameterDeclaration>> {
    let each = |&item: &Attribute| {
        let parameters = context.parameters(item).ok()?;
        if !super::fields::is_attribute_of(context, item, dialect, "param.decl") {
            return None;
        }
        let value = parameters.get("value").and_then(|value| value.attribute());
        Some(ParameterDeclaration {
            name: parameters.get("name")?.bytes()?.to_vec(),
            ty: parameters.get("type")?.ty(),
            has_value: value.is_some(),
            value,
        })
    };
    items(context, attribute)?.iter().map(each).collect()
}

/// Returns an array of `#DIALECT.param.decl`.
pub(crate) fn parameter_attribute(
    context: &mut Context,
    all: &[ParameterDeclaration],
    dialect: &str,
) -> Attribute {
    let mut found = Vec::new();
    for one in all {
        let name = String::from_utf8_lossy(&one.name).into_owned();
        let mut builder = context.build_attribute(format!("{dialect}.param.decl"));
        builder = builder.with("name", name);
        if let Some(ty) = one.ty {
            builder = builder.with("type", ty).with("self", ty);
        }
        if let Some(value) = one.value {
            builder = builder.with("value", value);
        }
        found.extend(builder.build().ok());
    }
    context.array_attribute(&found)
}

/// The directive of a list of parameters. The argument is the array.
#[derive(Debug)]
pub(crate) struct ParameterList {
    /// The dialect of the attributes.
    pub(crate) dialect: &'static str,
}

impl DirectiveSyntax for ParameterList {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let mut all = Vec::new();
        ParameterDeclaration::list(&mut Asm::Parser(parser), &mut all)?;
        let there = !all.is_empty();
        let value = parameter_attribute(parser.context(), &all, self.dialect);
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(there)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let value = arguments.first().and_then(PrintedArgument::attribute);
        let all = parameter_declarations(printer.context(), value, self.dialect);
        // Printing does not fail.
        let _ =
            ParameterDeclaration::list(&mut Asm::Printer(printer), &mut all.unwrap_or_default());
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let value = arguments.first().and_then(PrintedArgument::attribute);
        parameter_declarations(context, value, self.dialect).is_some()
    }
}
