//! Attributes that are written whole.

use crate::directive::{Printed, TwoWayDirective};
use crate::two_way::Asm;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context};

/// The directive for an attribute of some kind.
#[derive(Debug)]
pub(crate) struct Whole {
    /// Returns whether an attribute is of the kind.
    is: fn(&Context, Attribute) -> bool,
    /// The error of another attribute.
    message: &'static str,
}

const INVALID_KIND: &str = "invalid kind of attribute specified";

/// `[...]`.
pub(crate) const ARRAY: Whole = Whole {
    is: |context, attribute| matches!(context.attribute_kind(attribute), AttributeKind::Array(_)),
    message: INVALID_KIND,
};

/// `array<i1: true, false>`.
pub(crate) const BOOLEANS: Whole = Whole {
    is: |context, attribute| crate::index_list::flags_of(context, attribute).is_some(),
    message: INVALID_KIND,
};

/// `loc("file":1:2)`.
pub(crate) const LOCATION: Whole = Whole {
    is: |context, attribute| {
        matches!(
            context.attribute_kind(attribute),
            AttributeKind::Location(_)
        )
    },
    message: "expected location attribute",
};

impl TwoWayDirective for Whole {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let attribute = printed.arguments.first()?.attribute();
        attribute
            .is_none_or(|attribute| (self.is)(printed.context, attribute))
            .then_some(attribute)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.attribute_that(self.is, self.message, content)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [attribute] = arguments {
            *attribute = ParsedArgument::Attribute(content);
        }
        Ok(())
    }
}
