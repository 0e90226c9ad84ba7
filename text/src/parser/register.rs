//! Registers the textual form of attributes and types in a context.

use super::entries::{Checker, checked_body, values_of};
use super::parse_attribute;
use crate::printer::attribute_to_string;
use rmlir_ir::codec::FieldValues;
use rmlir_ir::definition::{DialectDefinition, EntryDefinition};
use rmlir_ir::{Attribute, Context, DialectBody, Entry, Invalid, TextualForm};

/// Registers the parser of attributes and the checker of attributes and types in a context. O(1).
///
/// The parser reads the defaults of definitions and the [parameters](Context::parameters) of
/// attributes and types; the checker checks attributes and types of
/// dialects. A [`Builder`](rmlir_ir::Builder) needs the parser for operations that have attributes
/// with defaults; [`verify`](rmlir_ir::verify()) needs the checker for attributes and types that
/// were built or read from bytecode. [`parse_module`](crate::parse_module), the readers of bytecode
/// and the facade's `register_all` call this function.
///
/// ```
/// use rmlir_ir::{AttributeKind, BodyBuilder, Builder, Context, DialectDefinition, Module, VerifyOptions, verify};
///
/// let text = "dialect toy\nattribute even\n  parameters value: int(one_of(0, 2, 4))\n  format `<` $value `>`\n";
/// let mut context = Context::new();
/// context.register_dialect(DialectDefinition::parse(text, &())?);
/// let mut body = BodyBuilder::new();
/// body.text(b"even<3>");
/// let kind = AttributeKind::Dialect { dialect: context.identifier("toy"), body: body.finish(), ty: None };
/// let three = context.try_attribute(kind)?;
/// let mut module = Module::new(&mut context);
/// Builder::new(&mut context, &mut module).op("t.a").attribute("n", three).build()?;
///
/// rmlir_text::register(&mut context);
/// let errors = verify(&context, &module, module.top(), &VerifyOptions::default()).unwrap_err();
/// let message = errors[0].message.to_string();
/// assert!(message.starts_with("#toy.even<3>: failed to verify 'value'"), "{message}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Parameters are read and written by the names in the definition:
///
/// ```
/// use rmlir_ir::{Context, DialectDefinition};
///
/// let text = "dialect toy\ntype matrix\n  parameters rows: uint, element: type, name: string = \"m\"\n  format `<` struct(params) `>`\n";
/// let mut context = Context::new();
/// context.register_dialect(DialectDefinition::parse(text, &())?);
/// rmlir_text::register(&mut context);
///
/// let ty = context.build_type("toy.matrix").with("rows", 2).with("element", "f32").build()?;
/// assert_eq!(rmlir_text::type_to_string(&context, ty), "!toy.matrix<rows = 2, element = f32>");
/// let matrix = context.parameters(ty)?;
/// assert_eq!(matrix.get("rows").and_then(|rows| rows.integer()), Some(2));
/// assert_eq!(matrix.get("element").and_then(|element| element.ty()), Some(context.f32_type()));
/// assert_eq!(matrix.get("name").and_then(|name| name.str()).as_deref(), Some("m"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn register(context: &mut Context) {
    context.set_textual_form(&Text);
    context.set_body_checker(&Checker);
}

struct Text;

impl TextualForm for Text {
    fn parse_attribute(&self, context: &mut Context, text: &str) -> Result<Attribute, Invalid> {
        parse_attribute(context, text.as_bytes())
            .map_err(|error| Invalid::new(error.first().message.clone()))
    }

    fn parameters(
        &self,
        context: &mut Context,
        entry: Entry,
    ) -> Result<Option<(usize, FieldValues<'static>)>, Invalid> {
        values_of(context, entry).map_err(|error| Invalid::new(error.message()))
    }

    fn entry_body(
        &self,
        context: &mut Context,
        dialect: &DialectDefinition,
        entry: &EntryDefinition,
        values: &mut FieldValues<'static>,
        is_type: bool,
    ) -> Result<DialectBody, Invalid> {
        checked_body(context, dialect, entry, values, is_type)
    }

    fn attribute_to_string(&self, context: &Context, attribute: Attribute) -> String {
        attribute_to_string(context, attribute)
    }
}
