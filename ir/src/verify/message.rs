//! Error messages: text with embedded types, attributes and operations, which a crate that knows
//! the syntax can print.

use crate::{Attribute, Operation, Type};
use std::fmt;

/// A piece of a [`Message`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MessagePart {
    /// Text.
    Text(String),
    /// A type, printed without quotes.
    Type(Type),
    /// An attribute.
    Attribute(Attribute),
    /// An operation in generic form.
    Operation(Operation),
}

/// The text of an error or note, with embedded types, attributes and operations.
///
/// This crate does not know the textual syntax: [`Display`](fmt::Display) prints `_` for types,
/// attributes and operations. `rmlir_text::message_to_string` prints them in full.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Message {
    parts: Vec<MessagePart>,
}

impl Message {
    /// Returns an empty message.
    pub fn new() -> Self {
        Message::default()
    }

    /// Returns the pieces in order.
    pub fn parts(&self) -> &[MessagePart] {
        &self.parts
    }

    /// Appends text.
    #[must_use]
    pub fn text(mut self, text: impl fmt::Display) -> Self {
        let text = text.to_string();
        match self.parts.last_mut() {
            Some(MessagePart::Text(last)) => last.push_str(&text),
            _ => self.parts.push(MessagePart::Text(text)),
        }
        self
    }

    /// Appends a type.
    #[must_use]
    pub fn ty(mut self, ty: Type) -> Self {
        self.parts.push(MessagePart::Type(ty));
        self
    }

    /// Appends an attribute.
    #[must_use]
    pub fn attribute(mut self, attribute: Attribute) -> Self {
        self.parts.push(MessagePart::Attribute(attribute));
        self
    }

    /// Appends an operation.
    #[must_use]
    pub fn operation(mut self, operation: Operation) -> Self {
        self.parts.push(MessagePart::Operation(operation));
        self
    }

    /// Appends the pieces of another message.
    #[must_use]
    pub fn append(mut self, other: Message) -> Self {
        let mut parts = other.parts.into_iter();
        match parts.next() {
            Some(MessagePart::Text(text)) => self = self.text(text),
            first => self.parts.extend(first),
        }
        self.parts.extend(parts);
        self
    }
}

impl From<&str> for Message {
    fn from(text: &str) -> Self {
        Message::new().text(text)
    }
}

impl From<String> for Message {
    fn from(text: String) -> Self {
        Message {
            parts: vec![MessagePart::Text(text)],
        }
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts.iter().try_for_each(|part| match part {
            MessagePart::Text(text) => f.write_str(text),
            _ => f.write_str("_"),
        })
    }
}
