//! Gives a context the textual form of attributes.

use crate::{attribute_to_string, parse_attribute};
use rmlir_ir::{Attribute, Context, Invalid, TextualForm};

/// Gives a context the parser of attributes, by which it reads the defaults of definitions.
///
/// A [`Builder`](rmlir_ir::Builder) needs it for operations that have attributes with defaults.
/// [`parse_module`](crate::parse_module), the readers of bytecode and the facade's `register_all`
/// call it.
pub fn register(context: &mut Context) {
    context.set_textual_form(&Text);
}

struct Text;

impl TextualForm for Text {
    fn parse_attribute(&self, context: &mut Context, text: &str) -> Result<Attribute, Invalid> {
        parse_attribute(context, text.as_bytes())
            .map_err(|error| Invalid::new(error.first().message.clone()))
    }

    fn attribute_to_string(&self, context: &Context, attribute: Attribute) -> String {
        attribute_to_string(context, attribute)
    }
}
