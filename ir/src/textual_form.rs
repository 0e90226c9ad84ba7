//! The textual form of attributes, which another crate implements.

use crate::codec::FieldValues;
use crate::definition::{DialectDefinition, EntryDefinition};
use crate::error::Invalid;
use crate::{Attribute, Context, DialectBody, Entry};

/// Parses and prints attributes.
///
/// Definitions store default values as text, and this crate knows no syntax. `rmlir-text`
/// implements the trait, and `rmlir_text::register` gives the implementation to a context. Its
/// parser and the readers of bytecode register it themselves.
pub trait TextualForm: Send + Sync {
    /// Parses one attribute.
    ///
    /// # Errors
    ///
    /// If `text` is not an attribute.
    fn parse_attribute(&self, context: &mut Context, text: &str) -> Result<Attribute, Invalid>;

    /// Parses the parameters of an attribute or type of a dialect, in the order of the definition.
    /// Returns the index of its definition among those of the dialect as well; `None` if nothing is
    /// known of its parameters.
    ///
    /// # Errors
    ///
    /// If the body does not match the definition.
    fn parameters(
        &self,
        context: &mut Context,
        entry: Entry,
    ) -> Result<Option<(usize, FieldValues<'static>)>, Invalid>;

    /// Prints parameters as the body of an attribute or type, after setting the absent ones to
    /// their defaults.
    ///
    /// # Errors
    ///
    /// If the definition rejects the values, or they have no text.
    fn entry_body(
        &self,
        context: &mut Context,
        dialect: &DialectDefinition,
        entry: &EntryDefinition,
        values: &mut FieldValues<'static>,
        is_type: bool,
    ) -> Result<DialectBody, Invalid>;

    /// Prints an attribute for an error message. A long attribute may be cut.
    fn attribute_to_string(&self, context: &Context, attribute: Attribute) -> String;
}

impl Context {
    /// Sets the textual form by which defaults are read. Normally called through
    /// `rmlir_text::register` or the facade's `register_all`.
    pub fn set_textual_form(&mut self, form: &'static dyn TextualForm) {
        self.textual_form = Some(form);
    }

    /// Returns the textual form that was set.
    pub fn textual_form(&self) -> Option<&'static dyn TextualForm> {
        self.textual_form
    }

    /// Parses one attribute with the [textual form](TextualForm) that was set. The error follows a
    /// subject: "is malformed: ...".
    pub(crate) fn parse_attribute(&mut self, text: &str) -> Result<Attribute, Invalid> {
        match self.textual_form {
            Some(form) => form
                .parse_attribute(self, text)
                .map_err(|error| Invalid::new(format!("is malformed: {error}"))),
            None => Err(Invalid::new(format!(
                "is text ('{text}'), and the context has no parser: call rmlir_text::register first"
            ))),
        }
    }

    /// Prints an attribute for an error message.
    pub(crate) fn attribute_to_string(&self, attribute: Attribute) -> String {
        match self.textual_form {
            Some(form) => form.attribute_to_string(self, attribute),
            None => "<attribute>".to_owned(),
        }
    }
}
