//! `llvm.mlir.global`, `llvm.mlir.alias`, and the linkage of `llvm.mlir.ifunc`.

use super::enums::{SAID_LINKAGE, UNNAMED_ADDR, VISIBILITY};
use super::types;
use crate::directive::{Printed, TwoWayDirective};
use crate::func::{has_shape, is_plain_string};
use crate::function::{entry_block, property};
use crate::helpers::{entry_arguments, is_unit};
use crate::two_way::{Asm, TwoWay, failure, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type};

/// Custom syntax of `llvm.mlir.global`: `internal thread_local constant @name(value) comdat(@c::@s)
/// {...} : type {...}`.
#[derive(Debug)]
pub(crate) struct Global;

/// The attributes that a global prints outside of its attribute dictionary.
const OF_GLOBALS: [&str; 9] = [
    "sym_name",
    "global_type",
    "constant",
    "value",
    "linkage",
    "comdat",
    "unnamed_addr",
    "thread_local_",
    "visibility_",
];

/// The attributes that an alias prints outside of its attribute dictionary.
const OF_ALIASES: [&str; 6] = [
    "sym_name",
    "alias_type",
    "linkage",
    "unnamed_addr",
    "thread_local_",
    "visibility_",
];

/// The keywords before the name of a global or alias, and the name.
#[derive(Default)]
struct Prefix {
    linkage: Option<Attribute>,
    visibility: Option<Attribute>,
    is_local: bool,
    unnamed_addr: Option<Attribute>,
    is_constant: bool,
    name: Option<Attribute>,
}

impl Prefix {
    /// Returns the parts of an operation; `None` if the text cannot have them.
    fn of(context: &Context, module: &Module, operation: Operation) -> Option<Self> {
        let attribute = |name| module.attribute(context, operation, name);
        let [local, constant] = ["thread_local_", "constant"].map(attribute);
        let name = attribute("sym_name")?;
        let fits =
            is_plain_string(context, name) && is_unit(context, local) && is_unit(context, constant);
        let linkage = SAID_LINKAGE.of(context, module, operation)?;
        let visibility = VISIBILITY.of(context, module, operation)?;
        let unnamed_addr = UNNAMED_ADDR.of(context, module, operation)?;
        (fits && linkage.is_some()).then_some(Prefix {
            linkage,
            visibility,
            is_local: local.is_some(),
            unnamed_addr,
            is_constant: constant.is_some(),
            name: Some(name),
        })
    }

    fn build(&self, parser: &mut dyn AsmParser, operation: &mut ParsedOperation) {
        SAID_LINKAGE.set(parser, operation, self.linkage);
        VISIBILITY.set(parser, operation, self.visibility);
        UNNAMED_ADDR.set(parser, operation, self.unnamed_addr);
        let unit = parser.context().unit_attribute();
        let flags = [
            ("thread_local_", self.is_local),
            ("constant", self.is_constant),
        ];
        for (name, _) in flags.into_iter().filter(|flag| flag.1) {
            property(parser, operation, name, unit);
        }
        if let Some(name) = self.name {
            property(parser, operation, "sym_name", name);
        }
    }
}

impl Asm<'_, '_> {
    /// ` internal hidden thread_local unnamed_addr constant @name`: `constant` only if it can be.
    fn prefix(&mut self, prefix: &mut Prefix, can_be_constant: bool) -> AsmResult<()> {
        self.space(" ");
        self.keyword(&SAID_LINKAGE, &mut prefix.linkage, " ");
        self.keyword(&VISIBILITY, &mut prefix.visibility, " ");
        self.optional("thread_local", "thread_local ", &mut prefix.is_local);
        self.keyword(&UNNAMED_ADDR, &mut prefix.unnamed_addr, " ");
        if can_be_constant {
            self.optional("constant", "constant ", &mut prefix.is_constant);
        }
        self.symbol(&mut prefix.name)
    }
}

/// Returns the type in a type attribute of an operation.
fn type_of(context: &Context, module: &Module, operation: Operation, name: &str) -> Option<Type> {
    let value = module.attribute(context, operation, name)?;
    match context.attribute_kind(value) {
        AttributeKind::Type(ty) => Some(*ty),
        _ => None,
    }
}

/// Returns the length of a global's initial string. The type of such a global is omitted.
fn string_len(context: &Context, value: Option<Attribute>) -> Option<usize> {
    match context.attribute_kind(value?) {
        AttributeKind::String { value, .. } => Some(context.bytes(*value).len()),
        _ => None,
    }
}

/// The parsed parts of [`Global`] and [`Alias`].
#[derive(Default)]
pub(crate) struct Content {
    place: Option<usize>,
    prefix: Prefix,
    value: Option<Attribute>,
    comdat: Option<Attribute>,
    attributes: Vec<NamedAttribute>,
    /// `None` for a global that is a string.
    ty: Option<Type>,
}

impl TwoWay for Global {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let value = module.attribute(context, operation, "value");
        let ty = type_of(context, module, operation, "global_type")?;
        let len = string_len(context, value);
        let fits = has_shape(module, operation, 0, 0, 1)
            && entry_arguments(module, operation, 0).is_empty()
            && len.is_none_or(|len| {
                let text = format!("array<{len} x i8>");
                let body = types::body(context, ty);
                entry_block(module, operation).is_none()
                    && body.is_some_and(|body| body.text() == text.as_bytes())
            });
        let prefix = Prefix::of(context, module, operation)?;
        fits.then(|| Content {
            place: None,
            prefix,
            value,
            comdat: module.attribute(context, operation, "comdat"),
            attributes: other_attributes(context, module, operation, &OF_GLOBALS),
            ty: Some(ty).filter(|_| len.is_none()),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        content.place = asm.place();
        asm.prefix(&mut content.prefix, true)?;
        asm.token("(", "(")?;
        if !asm.is_there(")", content.value.is_none()) {
            asm.attribute(&mut content.value)?;
        }
        asm.token(")", ")")?;
        asm.comdat(&mut content.comdat)?;
        asm.dictionary(&mut content.attributes)?;
        if asm.is_there(":", content.ty.is_some()) {
            asm.token(":", " : ")?;
            asm.ty(&mut content.ty)?;
            if asm.is_there(",", false) {
                return Err(failure(content.place, "expected zero or one type"));
            }
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        content.prefix.build(parser, operation);
        if let Some(value) = content.value {
            property(parser, operation, "value", value);
        }
        if let Some(comdat) = content.comdat {
            property(parser, operation, "comdat", comdat);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        let context = parser.context();
        let of_string = || {
            let len = string_len(context, content.value)?;
            types::from_text(context, &format!("array<{len} x i8>"))
        };
        let wrong = || failure(content.place, "type can only be omitted for string globals");
        let ty = content.ty.or_else(of_string).ok_or_else(wrong)?;
        let ty = parser.context().type_attribute(ty);
        property(parser, operation, "global_type", ty);
        if parser.at("{") {
            return Ok(Some(Vec::new()));
        }
        operation.empty_regions = 1;
        Ok(None)
    }

    fn complete_region(&self, _: &mut dyn AsmParser) -> AsmResult<()> {
        Ok(())
    }
}

/// Custom syntax of `llvm.mlir.alias`: `external @name {...} : type {...}`.
#[derive(Debug)]
pub(crate) struct Alias;

impl TwoWay for Alias {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let ty = type_of(context, module, operation, "alias_type")?;
        let fits = has_shape(module, operation, 0, 0, 1)
            && entry_arguments(module, operation, 0).is_empty();
        let prefix = Prefix::of(context, module, operation)?;
        fits.then(|| Content {
            prefix,
            attributes: other_attributes(context, module, operation, &OF_ALIASES),
            ty: Some(ty),
            ..Content::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.prefix(&mut content.prefix, false)?;
        asm.dictionary(&mut content.attributes)?;
        if !asm.is_there(":", true) {
            return Err(failure(asm.place(), "expected trailing type"));
        }
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        content.prefix.build(parser, operation);
        operation.attributes = std::mem::take(&mut content.attributes);
        if let Some(ty) = content.ty {
            let ty = parser.context().type_attribute(ty);
            property(parser, operation, "alias_type", ty);
        }
        Ok(Some(Vec::new()))
    }

    fn may_be_empty(&self) -> bool {
        true
    }
}

/// The directive for the linkage of `llvm.mlir.ifunc`, which is always printed.
#[derive(Debug)]
pub(crate) struct Linkage;

impl TwoWayDirective for Linkage {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        SAID_LINKAGE.of(printed.context, printed.module, printed.operation)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.keyword(&SAID_LINKAGE, content, "");
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let ([linkage, ..], Some(_)) = (arguments, content) {
            *linkage = ParsedArgument::Attribute(content);
        }
        Ok(())
    }
}
