//! Lists of parameters of modules and instances: `<WIDTH: i32 = 8, FORMAT: none>`.

use crate::directive::{Printed, TwoWayDirective};
use crate::two_way::{Asm, items};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, Context, Type};

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

impl TwoWayDirective for ParameterList {
    type Content = Vec<ParameterDeclaration>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let value = printed.arguments.first()?.attribute();
        parameter_declarations(printed.context, value, self.dialect)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        ParameterDeclaration::list(asm, content)?;
        Ok(!content.is_empty())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [argument] = arguments {
            let value = parameter_attribute(parser.context(), &content, self.dialect);
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(())
    }
}
