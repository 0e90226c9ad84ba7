//! Bodies of entities of dialects that are put together from values instead of being parsed.

use crate::parser::refer;
use crate::printer::quoted;
use rmlir_ir::codec::AssemblyWriter;
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyPiece, BodyReference, Context, DialectBody, Type,
};

/// Writes the body of an attribute or type of a dialect, the same body as the parser makes of its text.
pub struct BodyWriter<'c> {
    context: &'c mut Context,
    builder: BodyBuilder,
}

impl<'c> BodyWriter<'c> {
    /// An empty body.
    pub fn new(context: &'c mut Context) -> Self {
        BodyWriter {
            context,
            builder: BodyBuilder::new(),
        }
    }

    /// What was written.
    pub fn finish(self) -> DialectBody {
        self.builder.finish()
    }
}

impl std::fmt::Debug for BodyWriter<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("BodyWriter").field(&self.builder).finish()
    }
}

impl AssemblyWriter for BodyWriter<'_> {
    fn context(&mut self) -> &mut Context {
        self.context
    }

    fn text(&mut self, text: &[u8]) {
        self.builder.text(text);
    }

    fn quoted(&mut self, bytes: &[u8]) {
        self.builder.text(&quoted(bytes));
    }

    fn attribute(&mut self, attribute: Attribute) {
        let reference = BodyReference::Attribute(attribute);
        refer(self.context, &mut self.builder, reference);
    }

    fn attribute_inside(&mut self, attribute: Attribute) {
        let AttributeKind::Dialect { body, ty: None, .. } = self.context.attribute_kind(attribute)
        else {
            return self.attribute(attribute);
        };
        let in_mnemonic = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let mnemonic = body
            .text()
            .iter()
            .take_while(|byte| in_mnemonic(byte))
            .count();
        for (number, piece) in body.pieces().enumerate() {
            match piece {
                BodyPiece::Text(text) if number == 0 => {
                    self.builder.text(text.get(mnemonic..).unwrap_or_default());
                }
                BodyPiece::Text(text) => self.builder.text(text),
                BodyPiece::Reference(reference) => self.builder.reference(self.context, reference),
            }
        }
    }

    fn ty(&mut self, ty: Type) {
        refer(self.context, &mut self.builder, BodyReference::Type(ty));
    }
}
