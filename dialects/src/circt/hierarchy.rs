//! The syntax of `hw.hierpath`.

use super::firrtl::{flat, visibility_of};
use crate::function::VISIBILITIES;
use crate::helpers::property;
use crate::two_way::{Asm, TwoWay, items, other_attributes, plain_string};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, NamedAttribute, Operation};

/// The syntax of `hw.hierpath`: `private @name [@A::@a, @B]`.
#[derive(Debug)]
pub(crate) struct HierarchicalPath;

/// The text of a path.
#[derive(Default)]
pub(crate) struct PathContent {
    visibility: Option<usize>,
    name: Vec<u8>,
    path: Vec<Option<Attribute>>,
    attributes: Vec<NamedAttribute>,
}

/// Returns the reference in `#hw.innerNameRef<@A::@a>`.
pub(super) fn inner_reference(context: &Context, attribute: Attribute) -> Option<Attribute> {
    if !super::fields::is_attribute_of(context, attribute, "hw", "innerNameRef") {
        return None;
    }
    context.parameter(attribute, "ref")?.attribute()
}

impl TwoWay for HierarchicalPath {
    type Content = PathContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<PathContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let mut path = Vec::new();
        for &item in items(context, attribute("namepath"))? {
            path.push(Some(match flat(context, Some(item)) {
                Some(_) => item,
                None => inner_reference(context, item)?,
            }));
        }
        let elided = ["sym_name", "namepath", "sym_visibility"];
        Some(PathContent {
            visibility: visibility_of(context, module, operation)?,
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            path,
            attributes: other_attributes(context, module, operation, &elided),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut PathContent) -> AsmResult<()> {
        asm.space(" ");
        asm.optional_choice(&VISIBILITIES, &mut content.visibility);
        asm.symbol_name(&mut content.name)?;
        asm.space(" ");
        asm.list(("[", "]"), &mut content.path, |asm, item| {
            asm.attribute(item)
        })?;
        asm.dictionary(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut PathContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        operation.attributes = std::mem::take(&mut content.attributes);
        super::firrtl::set_visibility(parser, operation, content.visibility);
        let context = parser.context();
        let name = context.string_attribute(&content.name);
        let mut path = Vec::new();
        for &item in content.path.iter().flatten() {
            let nested = match context.attribute_kind(item) {
                AttributeKind::SymbolRef { nested, .. } => nested.len(),
                _ => return Err(AsmError::new(place, "expected a symbol reference")),
            };
            path.push(match nested {
                0 => item,
                1 => {
                    let made = context.build_attribute("hw.innerNameRef").with("ref", item);
                    made.build()
                        .map_err(|error| AsmError::new(place, error.message()))?
                }
                _ => {
                    let message = "only one nested reference is allowed";
                    return Err(AsmError::new(place, message));
                }
            });
        }
        let path = context.array_attribute(&path);
        property(parser, operation, "sym_name", name);
        property(parser, operation, "namepath", path);
        Ok(None)
    }
}
