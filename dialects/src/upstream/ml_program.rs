//! Directives and verification of the `ml_program` dialect.

use crate::directive::{Printed, TwoWayDirective};
use crate::function::{Function, VISIBILITIES};
use crate::two_way::{Asm, Named};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, Op, Operation, OperationVerifier, Type, Value,
    VerifyFailure, VerifyResult,
};
use std::borrow::Cow;

/// Custom syntax of `ml_program.func`.
pub(crate) static FUNC: crate::two_way::Syntax<Function> =
    crate::two_way::Syntax(Function::new("ml_program.func", ""));

/// Custom syntax of `ml_program.subgraph`.
pub(crate) static SUBGRAPH: crate::two_way::Syntax<Function> =
    crate::two_way::Syntax(Function::new("ml_program.subgraph", ""));

/// Verifies `ml_program.global`: an immutable global must have a value.
#[derive(Debug)]
pub(crate) struct Global;

impl OperationVerifier for Global {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let is_there = |name| {
            let attribute = op.module.attribute(op.context, op.operation, name);
            attribute.is_some()
        };
        match is_there("is_mutable") || is_there("value") {
            true => Ok(()),
            false => Err(VerifyFailure::op(
                "immutable global must have an initial value",
            )),
        }
    }
}

/// The directive for a symbol's visibility: `private`. If the attribute is absent, upstream prints
/// `public`, which reads back as a different operation; here the generic form is printed.
#[derive(Debug)]
pub(crate) struct SymbolVisibility;

impl TwoWayDirective for SymbolVisibility {
    /// The index of the visibility.
    type Content = usize;

    fn content(&self, printed: &Printed<'_>) -> Option<usize> {
        let visibility = printed.arguments.first()?.attribute()?;
        let visibility = printed.context.string_value(visibility)?;
        let mut all = VISIBILITIES.iter();
        all.position(|one| one.as_bytes() == visibility)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut usize) -> AsmResult<bool> {
        let message = "expected 'public', 'private', or 'nested'";
        let chosen = asm.choice(&VISIBILITIES, content);
        chosen.map_err(|error| error.saying(message))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: usize,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let (Some(argument), Some(visibility)) =
            (arguments.first_mut(), VISIBILITIES.get(content))
        {
            let value = parser.context().string_attribute(visibility);
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(())
    }
}

/// The directive `(value) : type` or ` : type`: a type attribute and an optional value.
#[derive(Debug)]
pub(crate) struct TypedInitialValue;

/// The parsed parts of [`TypedInitialValue`].
#[derive(Default)]
pub(crate) struct InitialContent {
    value: Option<Attribute>,
    ty: Option<Type>,
}

impl TwoWayDirective for TypedInitialValue {
    type Content = InitialContent;

    fn content(&self, printed: &Printed<'_>) -> Option<InitialContent> {
        let [ty, value, ..] = printed.arguments else {
            return None;
        };
        let AttributeKind::Type(ty) = *printed.context.attribute_kind(ty.attribute()?) else {
            return None;
        };
        Some(InitialContent {
            value: value.attribute(),
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut InitialContent) -> AsmResult<bool> {
        if asm.is_there("(", content.value.is_some()) {
            asm.token("(", "(")?;
            asm.attribute(&mut content.value)?;
            asm.token(")", ")")?;
        }
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: InitialContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let ty = content.ty.map(|ty| parser.context().type_attribute(ty));
        if let [of_type, of_value, ..] = arguments {
            *of_type = ParsedArgument::Attribute(ty);
            *of_value = ParsedArgument::Attribute(content.value);
        }
        Ok(())
    }
}

/// The directive ` ordering(%a, %b -> type)` or ` ordering(() -> type)`: tokens, and the type of
/// the produced token.
#[derive(Debug)]
pub(crate) struct TokenOrdering;

/// The parsed parts of [`TokenOrdering`].
#[derive(Default)]
pub(crate) struct OrderingContent {
    tokens: Vec<Named>,
    made: Option<Type>,
}

impl TwoWayDirective for TokenOrdering {
    type Content = OrderingContent;

    fn content(&self, printed: &Printed<'_>) -> Option<OrderingContent> {
        let [tokens, made, ..] = printed.arguments else {
            return None;
        };
        let (tokens, made) = (tokens.operands(), made.types().first().copied());
        // LLVM does not read the text of tokens without a produced one.
        (tokens.is_empty() || made.is_some()).then(|| OrderingContent {
            tokens: Named::all(tokens.iter().copied()),
            made,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut OrderingContent) -> AsmResult<bool> {
        if !asm.is_there("ordering", content.made.is_some()) {
            return Ok(false);
        }
        asm.token("ordering", " ordering")?;
        asm.token("(", "(")?;
        if asm.is_there("(", content.tokens.is_empty()) {
            asm.token("(", "(")?;
            asm.token(")", ")")?;
        } else {
            asm.values(&mut content.tokens)?;
        }
        asm.token("->", " -> ")?;
        asm.ty(&mut content.made)?;
        asm.token(")", ")")?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: OrderingContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [tokens, made, ..] = arguments {
            *tokens = ParsedArgument::Operands(Named::names(&content.tokens));
            *made = ParsedArgument::Types(content.made.into_iter().collect());
        }
        Ok(())
    }
}

/// Names a loaded value by the name of the global.
pub(crate) fn load_name(
    context: &Context,
    module: &Module,
    operation: Operation,
    _: Value,
) -> Option<Cow<'static, str>> {
    let global = module.attribute(context, operation, "global")?;
    match context.attribute_kind(global) {
        AttributeKind::SymbolRef { root, nested } => {
            let leaf = nested.last().unwrap_or(root);
            Some(context.str(*leaf).into_owned().into())
        }
        _ => None,
    }
}
