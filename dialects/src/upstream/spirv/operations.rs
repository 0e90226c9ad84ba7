//! Operations of `spirv`: enumeration cases as keywords, constants, names of values.

use super::super::enclosing::enclosing;
use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::func::is_plain_string;
use crate::func::verify::signature;
use crate::helpers::dialect_members;
use crate::two_way::{Asm, failure};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument, ValueNames};
use rmlir_ir::{
    Attribute, AttributeKind, BodyPiece, BodyReference, Context, Message, Module, Op, Operation,
    OperationVerifier, Signedness, Type, TypeKind, Value, VerifyFailure, VerifyResult,
};
use std::borrow::Cow;

/// The directive for an enumeration attribute as a keyword; the format specifies the mnemonic:
/// `Logical` for `#spirv.addressing_model<Logical>`.
#[derive(Debug)]
pub(crate) struct Member;

/// The mnemonics and enumerations of the attributes that the directive supports.
const MEMBERS: [(&str, &str); 2] = [
    ("addressing_model", "AddressingModel"),
    ("memory_model", "MemoryModel"),
];

/// The parsed parts of [`Member`].
#[derive(Default)]
pub(crate) struct MemberContent {
    mnemonic: String,
    place: Option<usize>,
    keyword: Vec<u8>,
}

impl TwoWayDirective for Member {
    type Content = MemberContent;

    fn content(&self, printed: &Printed<'_>) -> Option<MemberContent> {
        let [member, PrintedArgument::Text(mnemonic)] = printed.arguments else {
            return None;
        };
        let keyword = dialect_members(printed.context, "spirv", member.attribute(), mnemonic)?;
        Some(MemberContent {
            keyword: keyword.into(),
            ..MemberContent::default()
        })
    }

    fn given(&self, arguments: &[ParsedArgument]) -> MemberContent {
        let mnemonic = match arguments {
            [_, ParsedArgument::Text(mnemonic)] => mnemonic.clone(),
            _ => String::new(),
        };
        MemberContent {
            mnemonic,
            ..MemberContent::default()
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut MemberContent) -> AsmResult<bool> {
        content.place = asm.place();
        if !asm.is_keyword_there(true) {
            let message = format!("expected keyword for {} attribute", content.mnemonic);
            return Err(failure(content.place, message));
        }
        asm.any_keyword(&mut content.keyword)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: MemberContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = content.place.unwrap_or_default();
        let Some(row) = MEMBERS.iter().find(|row| row.0 == content.mnemonic) else {
            return Err(other_arguments(parser));
        };
        let keyword = String::from_utf8_lossy(&content.keyword);
        let made = super::memory::member(parser, place, *row, (&keyword, &keyword))?;
        if let [member, ..] = arguments {
            *member = ParsedArgument::Attribute(Some(made));
        }
        Ok(())
    }
}

/// The directive for an optional string that is printed as a symbol name.
#[derive(Debug)]
pub(crate) struct Name;

impl TwoWayDirective for Name {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let name = printed.arguments.first()?.attribute();
        let fits = name.is_none_or(|name| is_plain_string(printed.context, name));
        fits.then_some(name)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.optional_symbol("", content)?;
        Ok(content.is_some())
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [name] = arguments {
            *name = ParsedArgument::Attribute(content);
        }
        Ok(())
    }
}

/// The directive for the value of a constant, followed by a colon and the type unless the value
/// determines it.
#[derive(Debug)]
pub(crate) struct Constant;

impl TwoWayDirective for Constant {
    /// The value and the type.
    type Content = (Option<Attribute>, Option<Type>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let (context, module) = (printed.context, printed.module);
        let (value, ty) = value_and_type(printed.arguments)?;
        let own = context.attribute_type(value);
        let fits = own == ty || says_no_type(context, own) && !takes_type(context, value);
        // Upstream neither prints nor reads discardable attributes.
        let others = module.discardable_attributes(context, printed.operation);
        (fits && others.is_empty()).then_some((Some(value), Some(ty)))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (value, ty): &mut Self::Content) -> AsmResult<bool> {
        asm.attribute(value)?;
        let own = value.map(|value| asm.context().attribute_type(value));
        if own.is_some_and(|own| says_no_type(asm.context(), own)) {
            asm.token(":", " : ")?;
            asm.ty(ty)?;
        } else {
            *ty = own;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (value, ty): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [into, of_type] = arguments else {
            return Err(other_arguments(parser));
        };
        *into = ParsedArgument::Attribute(value);
        *of_type = ParsedArgument::Types(ty.into_iter().collect());
        Ok(())
    }
}

/// Whether a type after a colon is read as the type of the value itself.
fn takes_type(context: &Context, value: Attribute) -> bool {
    matches!(
        context.attribute_kind(value),
        AttributeKind::String { .. } | AttributeKind::Dialect { .. }
    )
}

impl OperationVerifier for Constant {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let context = op.context;
        let value = op.module.attribute(context, op.operation, "value");
        let result = op.module.result(op.operation, 0);
        let Some((value, result)) = value.zip(result) else {
            return Ok(());
        };
        let kind = context.attribute_kind(value);
        let (ty, own) = (op.module.value_type(result), context.attribute_type(value));
        match kind {
            AttributeKind::Integer { .. } | AttributeKind::Float { .. } if own != ty => {
                Err(VerifyFailure::op(
                    Message::from("result type ('")
                        .ty(ty)
                        .text("') does not match value type ('")
                        .ty(own)
                        .text("')"),
                ))
            }
            AttributeKind::String { .. }
            | AttributeKind::Dialect { .. }
            | AttributeKind::SymbolRef { .. }
            | AttributeKind::Type(_)
            | AttributeKind::Unit
            | AttributeKind::Dictionary(_)
            | AttributeKind::AffineMap(_)
            | AttributeKind::IntegerSet(_)
            | AttributeKind::DenseArray { .. } => Err(VerifyFailure::op(
                Message::from("cannot have attribute: ").attribute(value),
            )),
            _ => Ok(()),
        }
    }
}

fn value_and_type(arguments: &[PrintedArgument]) -> Option<(Attribute, Type)> {
    match arguments {
        [value, PrintedArgument::Types(types)] => Some((value.attribute()?, *types.first()?)),
        _ => None,
    }
}

/// Returns whether the type of a value does not determine that of the constant, so that the latter
/// must be printed: there is none, or it is a tensor.
fn says_no_type(context: &Context, ty: Type) -> bool {
    let is_tensor = matches!(
        context.type_kind(ty),
        TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)
    );
    ty == context.none_type() || is_tensor
}

impl ValueNames for Constant {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let Some(result) = module.result(operation, 0) else {
            return;
        };
        let ty = module.value_type(result);
        let mut text = String::from("cst");
        if let Some(value) = module.attribute(context, operation, "value")
            && let AttributeKind::Integer { value, .. } = context.attribute_kind(value)
        {
            if ty == context.i1_type() {
                return name(result, if value.is_zero() { "false" } else { "true" });
            }
            let is_signed = !matches!(
                context.type_kind(ty),
                TypeKind::Integer {
                    signedness: Signedness::Unsigned,
                    ..
                }
            );
            text.push_str(&value.to_decimal_string(is_signed));
        }
        if let Some(number) = number_type(context, ty) {
            text.push('_');
            text.push_str(&number);
        }
        if let TypeKind::Vector { shape, element, .. } = context.type_kind(ty) {
            text.push_str("_vec_");
            text.push_str(&shape.first().map(ToString::to_string).unwrap_or_default());
            if let Some(number) = number_type(context, *element) {
                text.push('x');
                text.push_str(&number);
            }
        }
        name(result, &text);
    }
}

/// Returns the text of an integer or float type.
fn number_type(context: &Context, ty: Type) -> Option<String> {
    match context.type_kind(ty) {
        TypeKind::Integer { width, signedness } => {
            let sign = match signedness {
                Signedness::Signless => "",
                Signedness::Signed => "s",
                Signedness::Unsigned => "u",
            };
            Some(format!("{sign}i{width}"))
        }
        TypeKind::Float(kind) => Some(kind.keyword().to_owned()),
        _ => None,
    }
}

/// Names the address of a variable by the variable's name with the suffix `_addr`.
pub(crate) fn address_of_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let variable = module.attribute(context, operation, "variable")?;
    match context.attribute_kind(variable) {
        AttributeKind::SymbolRef { root, .. } => {
            Some(format!("{}_addr", context.str(*root)).into())
        }
        _ => None,
    }
}

/// Verifies `spirv.func`: it has at most one result, and arguments that are pointers to physical
/// buffers are decorated.
#[derive(Debug)]
pub(crate) struct Decorated;

/// Returns the pointee of a pointer type and whether it is in a physical buffer.
fn pointer(context: &Context, ty: Type) -> Option<(Type, bool)> {
    let class = super::memory::storage_class(context, ty)?;
    let pointee = context.parameter(ty, "pointeeType")?.ty()?;
    Some((pointee, class == "PhysicalStorageBuffer"))
}

/// Returns the type of the elements of an array type, if its body refers to one; `None` if the type
/// is not an array.
fn array_element(context: &Context, ty: Type) -> Option<Option<Type>> {
    match context.type_kind(ty) {
        TypeKind::Dialect { dialect, body }
            if context.bytes(*dialect) == b"spirv" && body.mnemonic() == b"array" =>
        {
            let mut references = body.references().iter();
            Some(references.find_map(|(_, reference)| match reference {
                BodyReference::Type(ty) => Some(*ty),
                BodyReference::Attribute(_) => None,
            }))
        }
        _ => None,
    }
}

impl OperationVerifier for Decorated {
    fn verify_type(&self, op: Op<'_>) -> VerifyResult {
        let context = op.context;
        let Some((inputs, results)) = signature(op, op.operation) else {
            return Ok(());
        };
        if results.len() > 1 {
            return Err(VerifyFailure::op("cannot have more than one result"));
        }
        let has = |number: usize, decorations: [&str; 2]| {
            let dictionaries = op
                .attr("arg_attrs")
                .map(|list| context.attribute_kind(list));
            let Some(AttributeKind::Array(dictionaries)) = dictionaries else {
                return false;
            };
            let dictionary = dictionaries
                .get(number)
                .map(|&one| context.attribute_kind(one));
            let Some(AttributeKind::Dictionary(entries)) = dictionary else {
                return false;
            };
            let mut entries = entries.iter();
            let entry = entries.find(|entry| context.bytes(entry.0) == b"spirv.decoration");
            let words = entry.map(|entry| match context.attribute_kind(entry.1) {
                AttributeKind::Dialect { body, .. } => body.text(),
                _ => b"",
            });
            let words = words.and_then(|text| text.strip_prefix(b"decoration<"));
            let word = words.and_then(|text| text.strip_suffix(b">"));
            word.is_some_and(|word| decorations.iter().any(|one| one.as_bytes() == word))
        };
        for (number, &input) in inputs.iter().enumerate() {
            let Some((pointee, is_physical)) = pointer(context, input) else {
                continue;
            };
            if let Some((_, is_physical)) = pointer(context, pointee) {
                if is_physical && !has(number, ["AliasedPointer", "RestrictPointer"]) {
                    return Err(VerifyFailure::op(
                        "with a pointer points to a physical buffer pointer must be decorated \
                         either 'AliasedPointer' or 'RestrictPointer'",
                    ));
                }
                continue;
            }
            let is_physical = match array_element(context, pointee) {
                Some(element) => {
                    let pointer = element.and_then(|element| pointer(context, element));
                    pointer.is_some_and(|pointer| pointer.1)
                }
                None => is_physical,
            };
            if is_physical && !has(number, ["Aliased", "Restrict"]) {
                return Err(VerifyFailure::op(
                    "with physical buffer pointer must be decorated either 'Aliased' or 'Restrict'",
                ));
            }
        }
        Ok(())
    }
}

/// Verifies `spirv.ARM.Graph`: it has results, its arguments and results are tensors of the
/// dialect, and its outputs have the types of its results.
#[derive(Debug)]
pub(crate) struct Graph;

impl OperationVerifier for Graph {
    fn verify_type(&self, op: Op<'_>) -> VerifyResult {
        let context = op.context;
        let Some((inputs, results)) = signature(op, op.operation) else {
            return Ok(());
        };
        if results.is_empty() {
            return Err(VerifyFailure::op("there should be at least one result"));
        }
        for (what, types) in [("argument", inputs), ("result", results)] {
            let is_tensor = |ty| match context.type_kind(ty) {
                TypeKind::Dialect { dialect, body } => {
                    context.bytes(*dialect) == b"spirv" && body.mnemonic() == b"arm.tensor"
                }
                _ => false,
            };
            let mut numbered = types.iter().enumerate();
            if let Some((number, &ty)) = numbered.find(|&(_, &ty)| !is_tensor(ty)) {
                return Err(VerifyFailure::op(
                    Message::from(format!(
                        "type of {what} #{number} must be a TensorArmType, but got '"
                    ))
                    .ty(ty)
                    .text("'"),
                ));
            }
        }
        for outputs in op
            .descendants()
            .filter(|inner| inner.is("spirv.ARM.GraphOutputs"))
        {
            let (count, expected) = (outputs.operands().len(), results.len());
            if count != expected {
                return Err(VerifyFailure::plain(format!(
                    "'spirv.ARM.GraphOutputs' op is returning {count} value(s) but enclosing \
                     spirv.ARM.Graph requires {expected} result(s)"
                ))
                .at(outputs.location()));
            }
            let pairs = outputs.operand_types().zip(results.iter().copied());
            for (number, (found, expected)) in pairs.enumerate() {
                if found != expected {
                    let message = Message::from(format!("type of return operand {number} ('"))
                        .ty(found)
                        .text("') doesn't match graph result type ('")
                        .ty(expected)
                        .text("')");
                    return Err(VerifyFailure::plain(message).at(outputs.location()));
                }
            }
        }
        Ok(())
    }
}

/// Verifies that an operation is in a `spirv.ARM.Graph`.
#[derive(Debug)]
pub(crate) struct InGraph;

impl OperationVerifier for InGraph {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        match enclosing(op, |around| around.is("spirv.ARM.Graph"))? {
            Some(_) => Ok(()),
            None => Err(VerifyFailure::op(
                "failed to verify that op must appear in a spirv.ARM.Graph op's block",
            )),
        }
    }
}

/// The type of a member of a structure. The structure has no definition, so its body refers to
/// types, apart from those of the builtin dialect, which are text in it.
enum MemberType {
    Type(Type),
    Text(String),
}

/// Returns the text of a scalar or of a vector with one dimension.
fn scalar_or_vector(context: &Context, ty: Type) -> Option<String> {
    let word = |ty| match *context.type_kind(ty) {
        TypeKind::Float(kind) => Some(kind.keyword().to_owned()),
        TypeKind::Integer {
            width,
            signedness: Signedness::Signless,
        } => Some(format!("i{width}")),
        _ => None,
    };
    match context.type_kind(ty) {
        TypeKind::Vector { shape, element, .. } => match **shape {
            [size] => Some(format!("vector<{size}x{}>", word(*element)?)),
            _ => None,
        },
        _ => word(ty),
    }
}

impl MemberType {
    /// Returns whether it is that type.
    fn is(&self, context: &Context, ty: Type) -> bool {
        match self {
            MemberType::Type(member) => *member == ty,
            MemberType::Text(text) => scalar_or_vector(context, ty).as_ref() == Some(text),
        }
    }

    /// Returns whether it is an integer of 32 bits or a vector of such integers, and the number of
    /// elements of a vector.
    fn as_integers(&self, context: &Context) -> (bool, Option<u64>) {
        match self {
            MemberType::Type(ty) => {
                let element = context.element_type(*ty).unwrap_or(*ty);
                let kind = context.type_kind(element);
                let is_integer = matches!(kind, TypeKind::Integer { width: 32, .. });
                (is_integer, context.element_count(*ty))
            }
            MemberType::Text(text) => {
                let inner = text.strip_prefix("vector<");
                let inner = inner.and_then(|text| text.strip_suffix('>'));
                let vector = inner.and_then(|inner| inner.split_once('x'));
                let (size, element) = vector.unzip();
                let element = element.unwrap_or(text);
                let is_integer = matches!(element, "i32" | "si32" | "ui32");
                (is_integer, size.and_then(|size| size.parse().ok()))
            }
        }
    }
}

/// Returns the types of the members of a structure without a name and without decorations.
fn plain_members(context: &Context, structure: Type) -> Option<Vec<MemberType>> {
    const REFERENCE: char = '\0';
    let TypeKind::Dialect { dialect, body } = context.type_kind(structure) else {
        return None;
    };
    if context.bytes(*dialect) != b"spirv" {
        return None;
    }
    let (mut text, mut types) = (String::new(), Vec::new());
    for piece in body.pieces() {
        match piece {
            BodyPiece::Text(piece) => text.push_str(std::str::from_utf8(piece).ok()?),
            BodyPiece::Reference(BodyReference::Type(ty)) => {
                types.push(ty);
                text.push(REFERENCE);
            }
            BodyPiece::Reference(BodyReference::Attribute(_)) => return None,
        }
    }
    let mut types = types.into_iter();
    let members = text.strip_prefix("struct<(")?.strip_suffix(")>")?;
    let members = members.split(", ").map(|member| {
        if member.chars().eq([REFERENCE]) {
            return types.next().map(MemberType::Type);
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'<' | b'>');
        let is_text = !member.is_empty() && member.bytes().all(is_plain);
        is_text.then(|| MemberType::Text(member.to_owned()))
    });
    members.collect()
}

/// Verifies `spirv.GL.FrexpStruct`: the result has a significand as the operand, and an exponent
/// with as many components.
#[derive(Debug)]
pub(crate) struct FrexpStruct;

impl OperationVerifier for FrexpStruct {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let context = op.context;
        let types = op.operand_types().next().zip(op.result_types().next());
        let Some((operand, result)) = types else {
            return Ok(());
        };
        let Some(members) = plain_members(context, result) else {
            return Ok(());
        };
        let [significand, exponent] = members.as_slice() else {
            let message = "result type must be a struct type with two members";
            return Err(VerifyFailure::plain(message));
        };
        if !significand.is(context, operand) {
            return Err(VerifyFailure::plain(
                "member zero of the resulting struct type must be the same type as the operand",
            ));
        }
        let (is_integer, count) = exponent.as_integers(context);
        if !is_integer {
            return Err(VerifyFailure::plain(
                "member one of the resulting struct type must be a scalar or vector of 32 bit \
                 integer type",
            ));
        }
        match count == context.element_count(operand) {
            true => Ok(()),
            false => Err(VerifyFailure::plain(
                "member one of the resulting struct type must have the same number of components \
                 as the operand type",
            )),
        }
    }
}
