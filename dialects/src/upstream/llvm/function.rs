//! Custom syntax of `llvm.func`.

use super::enums::{CONVENTION, Keyword, LINKAGE, UNNAMED_ADDR, VISIBILITY};
use super::types::{self, Part, function_parts};
use crate::func::{has_shape, is_plain_string};
use crate::function::{entry_block, is_entry, property};
use crate::helpers::dialect_attribute;
use crate::two_way::signature::{FunctionSignature, Parameter, SignatureType};
use crate::two_way::{Asm, TwoWay, failure, other_attributes};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Type};

/// The keywords before the name, in order.
static KEYWORDS: [&Keyword; 4] = [&LINKAGE, &VISIBILITY, &UNNAMED_ADDR, &CONVENTION];

/// The attributes that the operation prints outside of its attribute dictionary.
const IN_SIGNATURE: [&str; 10] = [
    "sym_name",
    "function_type",
    "arg_attrs",
    "res_attrs",
    "linkage",
    "CConv",
    "visibility_",
    "comdat",
    "unnamed_addr",
    "vscale_range",
];

/// Custom syntax of `llvm.func`: `internal fastcc @name(%a: i32, ...) -> i32 vscale_range(1, 2)
/// comdat(@c::@s) attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Func;

/// A type in a signature that is read, or a part of a function type.
#[derive(Debug, Default)]
pub(crate) struct FunctionPart {
    ty: Option<Type>,
    /// The function type that has the part to be printed.
    part: Option<(Type, Part)>,
}

impl SignatureType for FunctionPart {
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        if let (Asm::Printer(printer), Some((function, part))) = (&mut *asm, &self.part)
            && let Some(body) = types::body(printer.context(), *function)
        {
            part.print(&mut **printer, body);
            return Ok(());
        }
        asm.ty(&mut self.ty)
    }

    fn ty(&self) -> Option<Type> {
        self.ty
    }
}

/// The parsed parts of [`Func`].
#[derive(Default)]
pub(crate) struct Content {
    keywords: [Option<Attribute>; 4],
    name: Option<Attribute>,
    /// The position of the signature.
    place: Option<usize>,
    signature: FunctionSignature<FunctionPart>,
    range: Option<Range>,
    comdat: Option<Attribute>,
    attributes: Vec<NamedAttribute>,
}

/// The bounds of `#llvm.vscale_range<...>`, and their position.
#[derive(Default)]
struct Range {
    min: i64,
    max: i64,
    place: Option<usize>,
}

impl TwoWay for Func {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let AttributeKind::Type(ty) = *context.attribute_kind(attribute("function_type")?) else {
            return None;
        };
        let body = types::body(context, ty)?;
        let (result, inputs, variadic) = function_parts(body)?;
        if !result.is_type(body) || !inputs.iter().all(|input| input.is_type(body)) {
            return None;
        }
        let mut keywords = [None; 4];
        for (value, keyword) in keywords.iter_mut().zip(KEYWORDS) {
            *value = keyword.of(context, module, operation)?;
        }
        let range = match attribute("vscale_range") {
            Some(range) => Some(bounds(context, range)?),
            None => None,
        };
        let entry = entry_block(module, operation);
        let fits = attribute("sym_name").is_some_and(|name| is_plain_string(context, name))
            && has_shape(module, operation, 0, 0, 1)
            && entry.is_none_or(|entry| {
                let arguments = module.arguments(entry);
                arguments.len() == inputs.len()
                    && is_entry(module, operation)
                    && arguments
                        .zip(&inputs)
                        .all(|((value, _), part)| part.is(context, body, module.value_type(value)))
            });
        if !fits {
            return None;
        }
        let part = |part: Part| FunctionPart {
            ty: None,
            part: Some((ty, part)),
        };
        let inputs: Vec<_> = inputs.into_iter().map(part).collect();
        let results = Some(result).filter(|result| !result.is_void(body));
        let results = results.map(part);
        let mut signature = FunctionSignature::of(context, module, operation, inputs, results)?;
        if variadic {
            signature.parameters.push(Parameter {
                is_rest: true,
                ..Parameter::default()
            });
        }
        Some(Content {
            keywords,
            name: attribute("sym_name"),
            place: None,
            signature,
            range,
            comdat: attribute("comdat"),
            attributes: other_attributes(context, module, operation, &IN_SIGNATURE),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        for (keyword, value) in KEYWORDS.into_iter().zip(&mut content.keywords) {
            asm.keyword(keyword, value, " ");
        }
        asm.symbol(&mut content.name)?;
        content.place = asm.place();
        asm.signature(&mut content.signature, true)?;
        if asm.is_there("vscale_range", content.range.is_some()) {
            let range = content.range.get_or_insert_default();
            asm.token("vscale_range", " vscale_range")?;
            asm.token("(", "(")?;
            range.place = asm.place();
            asm.integer_or(&mut range.min, "expected integer value")?;
            asm.token(",", ", ")?;
            asm.integer_or(&mut range.max, "expected integer value")?;
            asm.token(")", ")")?;
        }
        asm.comdat(&mut content.comdat)?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        for (keyword, value) in KEYWORDS.into_iter().zip(content.keywords) {
            keyword.set(parser, operation, value);
        }
        if let Some(name) = content.name {
            property(parser, operation, "sym_name", name);
        }
        let function_type = function_type(parser, &content.signature, content.place)?;
        property(parser, operation, "function_type", function_type);
        if let Some(Range { min, max, place }) = content.range {
            let text = format!("vscale_range<minRange = {min} : i32, maxRange = {max} : i32>");
            let range = dialect_attribute(parser.context(), "llvm", &text);
            let range = range.map_err(|invalid| failure(place, invalid.message()))?;
            property(parser, operation, "vscale_range", range);
        }
        if let Some(comdat) = content.comdat {
            property(parser, operation, "comdat", comdat);
        }
        operation.attributes = std::mem::take(&mut content.attributes);
        content.signature.set_attributes(parser, operation)?;
        if !parser.at("{") {
            operation.empty_regions = 1;
            return Ok(None);
        }
        Ok(Some(content.signature.entry_arguments(parser)))
    }

    fn complete_region(&self, _: &mut dyn AsmParser) -> AsmResult<()> {
        Ok(())
    }
}

impl Asm<'_, '_> {
    /// ` comdat(@c::@s)`, if it is there.
    pub(super) fn comdat(&mut self, comdat: &mut Option<Attribute>) -> AsmResult<()> {
        if self.is_there("comdat", comdat.is_some()) {
            self.token("comdat", " comdat")?;
            self.token("(", "(")?;
            self.attribute(comdat)?;
            self.token(")", ")")?;
        }
        Ok(())
    }
}

/// Returns the function type of a signature.
fn function_type(
    parser: &mut dyn AsmParser,
    signature: &FunctionSignature<FunctionPart>,
    place: Option<usize>,
) -> AsmResult<Attribute> {
    let wrong = |what: &str| failure(place, format!("failed to construct function type: {what}"));
    let result = match signature.results.as_slice() {
        [] => None,
        [(result, _)] => result.ty,
        _ => return Err(wrong("expected zero or one function result")),
    };
    let types: Vec<Type> = result.into_iter().chain(signature.inputs()).collect();
    let variadic = signature.is_variadic();
    let key = match (result.is_some(), variadic) {
        (true, false) => "llvm.func",
        (false, false) => "llvm.func of nothing",
        (true, true) => "llvm.func of more",
        (false, true) => "llvm.func of more, of nothing",
    };
    let ty = parser.type_of_types(key, &types, &|context, types| {
        let (result, inputs) = types.split_at_checked(usize::from(result.is_some()))?;
        types::function(context, inputs, result.first().copied(), variadic)
    });
    let ty = ty.ok_or_else(|| wrong("expected LLVM type for function arguments"))?;
    Ok(parser.context().type_attribute(ty))
}

/// Returns the bounds of a `#llvm.vscale_range<...>`.
fn bounds(context: &Context, range: Attribute) -> Option<Range> {
    let AttributeKind::Dialect { body, .. } = context.attribute_kind(range) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let text = text.strip_prefix("vscale_range<minRange = ")?;
    let (min, max) = text
        .strip_suffix(" : i32>")?
        .split_once(" : i32, maxRange = ")?;
    Some(Range {
        min: min.parse().ok()?,
        max: max.parse().ok()?,
        place: None,
    })
}
