//! Constructs that older editions have and the current one does not.
//!
//! The parser comes here where the current edition reports an error or has nothing to read: for an
//! operation name that is not known ([`names`]), and for a token that is not expected
//! ([`Construct`]). Operations whose syntax has no equivalent today have code for it ([`syntax`])
//! and become *old operations*, in the dialect `std`. At the end of the file [`upgrade`] replaces
//! them by operations of today.

mod constructs;
pub(super) mod guess;
mod llvm_types;
mod names;
mod syntax;
mod upgrade;

use super::entry::{Frame, Goal, Step};
use super::operation::{OpenOperation, Operations, type_text};
use super::types::TypeFrame;
use super::{ParseOptions, Parser};
use crate::diagnostic::{Result, SourceText};
use crate::edition::Edition;
use crate::lexer::{Token, TokenKind};
use crate::spans::SpanKind;
pub(super) use constructs::Construct;
use guess::Hint;
use names::Now;
use rmlir_ir::affine::{AffineExpr, AffineExprKind, AffineMap};
use rmlir_ir::asm::AsmError;
use rmlir_ir::float::FloatKind;
use rmlir_ir::{
    Attribute, AttributeKind, Entry, Identifier, Invalid, LocationKind, Module, Operation,
    OperationName, Type, Value,
};
use std::collections::HashMap;
use std::fmt;
use upgrade::{Failed, upgrade};

impl<'s> Parser<'s, '_> {
    /// Returns whether the edition of the text has a construct. If it does not, an error follows,
    /// which gets a note.
    #[cold]
    pub(super) fn has(&mut self, construct: Construct) -> bool {
        if self.edition <= construct.last() {
            return true;
        }
        if construct.is_telling() {
            self.hint(construct.last());
        }
        false
    }

    /// Records that the text has a construct of an older edition where it is not valid.
    #[cold]
    pub(super) fn hint(&mut self, edition: Edition) {
        let error = self.recovery.errors.len();
        self.hint.get_or_insert(Hint { error, edition });
    }

    /// [`hint`](Self::hint) for the name of an operation that is not known.
    #[cold]
    pub(super) fn hint_operation(&mut self, name: &[u8]) {
        if let Some(row) = names::find(name, Edition::V2018) {
            self.hint(row.last);
        }
    }

    /// Returns the operation that a name denotes in the edition of the text, if it denotes another
    /// one than today.
    #[cold]
    pub(super) fn older_name(
        &mut self,
        token: Token,
        name: &[u8],
    ) -> Result<Option<OperationName>> {
        let Some(row) = names::find(name, self.edition) else {
            return Ok(None);
        };
        match row.now {
            Now::Name(new) => Ok(Some(self.context.operation_name(new))),
            Now::Rewrite(rewrite) => {
                let name = self.context.operation_name(rewrite.name());
                self.syntaxes.define(name, rewrite.syntax());
                Ok(Some(name))
            }
            Now::Nothing(reason) => Err(AsmError::new(
                token.start,
                format!("'{}' of edition {}: {reason}", row.old, self.edition),
            )),
        }
    }

    /// Returns whether a name denotes an operation of the dialect whose prefix may be omitted, and
    /// that is not the dialect of functions: standard operations had no prefix in functions.
    #[cold]
    pub(super) fn is_of_dialect(&mut self, default: Option<Identifier>, name: &[u8]) -> bool {
        let dialect = default.map_or(&b"func"[..], |default| self.context.bytes(default));
        if name.contains(&b'.') || matches!(dialect, b"func" | b"builtin") {
            return false;
        }
        let full = self.full_name(default, name);
        self.context.find_operation_name(&full).is_some()
    }

    /// Returns whether a name denotes an operation in the edition of the text.
    pub(super) fn is_older_operation(&self, name: &[u8]) -> bool {
        self.edition != Edition::Current && names::find(name, self.edition).is_some()
    }

    /// Replaces what has another form today.
    #[cold]
    pub(super) fn upgrade(&mut self, module: &mut Module) -> Result<()> {
        let shared = &mut self.shared;
        let mut spend = |units| {
            let spent = shared.spend(0, units);
            spent.map_err(|error| Invalid::new(error.message()))
        };
        let upgraded = upgrade(self.context, module, &mut spend);
        upgraded.map_err(|Failed { operation, message }| {
            let place = self.place_of(module, operation);
            let message = format!("in edition {}: {message}", self.edition);
            AsmError::new(place, message)
        })?;
        // The text of an operation that became several has no operation of its own.
        if let Some(spans) = &mut self.spans {
            spans.retain(|span| match span.kind {
                SpanKind::Operation(operation) => !module.is_erased(operation),
                _ => true,
            });
        }
        Ok(())
    }

    /// Returns the offset of an operation, from its location; 0 if it has another one.
    fn place_of(&self, module: &Module, operation: Operation) -> usize {
        let LocationKind::FileLineColRange {
            file,
            start_line,
            start_column,
            ..
        } = self.context.location_kind(module.location(operation))
        else {
            return 0;
        };
        if file != self.file {
            return 0;
        }
        let options = ParseOptions {
            lines_before: self.lines_before,
            columns_before: self.columns_before,
            ..ParseOptions::default()
        };
        let source = SourceText {
            options: &options,
            bytes: self.source,
        };
        source.offset(start_line, start_column).unwrap_or(0)
    }

    // Names.

    /// Returns whether a name with a dot is that of an alias.
    #[cold]
    pub(super) fn is_dotted_alias(&mut self, token: Token) -> bool {
        token.kind == TokenKind::ExclamationIdentifier && self.has(Construct::DottedAlias)
    }

    // Attributes.

    /// Consumes the `:` after the key of a dictionary's entry.
    pub(super) fn eat_colon_after_key(&mut self) -> bool {
        if !self.at(TokenKind::Colon) || !self.has(Construct::ColonInDictionary) {
            return false;
        }
        self.advance();
        true
    }

    /// Parses an attribute that begins with a word that the current edition does not know.
    #[cold]
    pub(super) fn older_attribute(&mut self) -> Result<Step<'s>> {
        let start = self.token.start;
        let in_memref = matches!(
            self.frames.last(),
            Some(Frame::Type(TypeFrame::MemRefAttributes { .. }))
        );
        match self.current() {
            b"splat" if self.next_is(TokenKind::Less) && self.has(Construct::TypeInElements) => {
                self.advance();
                self.expect(TokenKind::Less, "'<' after 'splat'")?;
                Ok(self.older_elements(OlderElements::Splat, start))
            }
            b"opaque" if self.next_is(TokenKind::Less) && self.has(Construct::Opaque) => {
                Ok(Step::Need(Goal::Type, Frame::TypeAttribute))
            }
            b"offset" if in_memref && self.has(Construct::StridesInMemRef) => {
                self.strides_in_memref()
            }
            _ if in_memref && self.has(Construct::NamedSpace) => {
                let token = self.advance();
                let name = self.text(token);
                let name = self.context.string_attribute(name);
                Ok(Step::Done(Entry::Attribute(name)))
            }
            _ => Err(self.unexpected("attribute value")),
        }
    }

    /// Returns whether a token is next after the current one.
    fn next_is(&self, kind: TokenKind) -> bool {
        self.lexer.clone().next_token().kind == kind
    }

    /// `offset: 1, strides: [2, ?]`.
    fn strides_in_memref(&mut self) -> Result<Step<'s>> {
        let start = self.advance().start;
        self.expect(TokenKind::Colon, "':' after 'offset'")?;
        let offset = self.stride()?;
        self.expect(TokenKind::Comma, "',' after the offset")?;
        self.expect_keyword("strides")?;
        self.expect(TokenKind::Colon, "':' after 'strides'")?;
        self.expect(TokenKind::LeftSquare, "'['")?;
        let mut strides = Vec::new();
        if !self.eat(TokenKind::RightSquare) {
            loop {
                strides.push(self.stride()?);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightSquare, "']'")?;
        }
        let strides = strides.into();
        self.intern_at(start, AttributeKind::StridedLayout { offset, strides })
    }

    /// Returns whether `: type` follows an attribute of a dictionary or list, which is a symbol.
    #[cold]
    pub(super) fn at_type_of_symbol(&mut self, attribute: Attribute) -> bool {
        let kind = self.context.attribute_kind(attribute);
        self.at(TokenKind::Colon)
            && matches!(kind, AttributeKind::SymbolRef { .. })
            && self.has(Construct::SymbolWithType)
    }

    /// Skips the type of a symbol, which is not part of the attribute.
    #[cold]
    pub(super) fn type_of_symbol(&mut self, symbol: Attribute, frame: Frame<'s>) -> Step<'s> {
        self.advance();
        Step::Need(Goal::Type, Frame::OlderSymbol(symbol, Box::new(frame)))
    }

    // Elements.

    /// Returns whether a type is next, in elements.
    #[inline]
    pub(super) fn at_type_in_elements(&mut self) -> bool {
        self.at(TokenKind::BareIdentifier)
            && self.is_type_keyword()
            && self.has(Construct::TypeInElements)
    }

    /// Parses elements, whose type is next.
    #[cold]
    pub(super) fn older_elements(&mut self, elements: OlderElements, start: usize) -> Step<'s> {
        Step::Need(Goal::Type, Frame::OlderElements { elements, start })
    }

    /// Parses elements after their type.
    #[cold]
    pub(super) fn finish_older_elements(
        &mut self,
        elements: OlderElements,
        ty: Type,
        start: usize,
    ) -> Result<Step<'s>> {
        self.expect(TokenKind::Comma, "',' after the type")?;
        let first = self.dense_literal()?;
        let attribute = match elements {
            OlderElements::Dense | OlderElements::Splat => {
                self.expect(TokenKind::Greater, "'>'")?;
                self.dense_elements(&first, ty, start)?
            }
            OlderElements::Sparse => {
                self.expect(TokenKind::Comma, "','")?;
                let values = self.dense_literal()?;
                self.expect(TokenKind::Greater, "'>'")?;
                self.sparse_elements(&first, &values, ty, start)?
            }
        };
        Ok(Step::Done(Entry::Attribute(attribute)))
    }

    // Affine maps.

    /// Returns whether the current token, `(`, begins an affine map or integer set.
    #[cold]
    pub(super) fn at_bare_map(&self) -> bool {
        self.edition <= Construct::BareMap.last() && self.is_bare_map(self.token.start)
    }

    /// Returns whether an affine map or integer set begins at an offset, and not a function type.
    /// Linear in the list in parentheses.
    fn is_bare_map(&self, start: usize) -> bool {
        let mut lexer = self.lexer.clone();
        lexer.set_position(start);
        if lexer.next_token().kind != TokenKind::LeftParen {
            return false;
        }
        let (mut names, mut types) = (0usize, 0usize);
        let mut next = lexer.next_token();
        while next.kind == TokenKind::BareIdentifier {
            names = names.saturating_add(1);
            types = types.saturating_add(usize::from(is_type_name(self.text(next))));
            next = lexer.next_token();
            if next.kind != TokenKind::Comma {
                break;
            }
            next = lexer.next_token();
        }
        if next.kind != TokenKind::RightParen {
            return false;
        }
        match lexer.next_token().kind {
            TokenKind::LeftSquare | TokenKind::Colon => true,
            TokenKind::Arrow if names > 0 => types < names,
            TokenKind::Arrow => {
                // Without dimensions, a map has numbers.
                let parenthesis = lexer.next_token().kind == TokenKind::LeftParen;
                let first = lexer.next_token().kind;
                parenthesis && matches!(first, TokenKind::Integer | TokenKind::Minus)
            }
            _ => false,
        }
    }

    /// `(d0)[s0] -> (d0 + s0)` or `(d0)[s0] : (d0 >= s0)`.
    #[cold]
    pub(super) fn bare_map(&mut self) -> Result<Step<'s>> {
        let start = self.token.start;
        let mut lexer = self.lexer.clone();
        let end = loop {
            let token = lexer.next_token();
            match token.kind {
                TokenKind::Arrow | TokenKind::Colon | TokenKind::Eof => break token.kind,
                _ => {}
            }
        };
        if end == TokenKind::Colon {
            let set = self.integer_set()?;
            return self.intern_at(start, AttributeKind::IntegerSet(set));
        }
        let map = self.affine_map()?;
        if self.at_keyword(b"size") && self.next_is(TokenKind::LeftParen) {
            let _ = self.has(Construct::MapSize);
            return Err(
                self.error("the sizes of an affine map have no successor; remove 'size (...)'")
            );
        }
        self.intern_at(start, AttributeKind::AffineMap(map))
    }

    /// Returns whether a memref with these attributes may have another one: several maps are
    /// composed.
    pub(super) fn can_compose(&mut self, attributes: &[Attribute]) -> bool {
        let maps = attributes.iter().all(|&attribute| {
            matches!(
                self.context.attribute_kind(attribute),
                AttributeKind::AffineMap(_)
            )
        });
        maps && attributes.len() < MOST_MAPS && self.has(Construct::MapComposition)
    }

    /// Replaces the maps of a memref by their composition.
    pub(super) fn compose_layouts(
        &mut self,
        mut attributes: Vec<Attribute>,
        start: usize,
    ) -> Result<Vec<Attribute>> {
        loop {
            let [first, second, ..] = attributes.as_slice() else {
                return Ok(attributes);
            };
            let (AttributeKind::AffineMap(first), AttributeKind::AffineMap(second)) = (
                self.context.attribute_kind(*first),
                self.context.attribute_kind(*second),
            ) else {
                return Ok(attributes);
            };
            let (first, second) = (first.clone(), second.clone());
            let composed = self.compose(&first, &second, start)?;
            // Each map can repeat the results of the one before it.
            let mut text = TextLength(0);
            let written = self.context.affine().write_map(&composed, &mut text);
            written.map_err(|_| AsmError::new(start, "the composition of the maps is too long"))?;
            self.spend_bytes(start, text.0)?;
            let composed = self.context.affine_map_attribute(composed);
            attributes.remove(0);
            if let Some(slot) = attributes.first_mut() {
                *slot = composed;
            }
        }
    }

    /// Returns the map that applies `first` and then `second`. The symbols of `second` follow those
    /// of `first`. Linear in the distinct subexpressions.
    fn compose(
        &mut self,
        first: &AffineMap,
        second: &AffineMap,
        place: usize,
    ) -> Result<AffineMap> {
        if first.results.len() != second.num_dims as usize {
            let message = format!(
                "an affine map with {} results is composed with one of {} dimensions",
                first.results.len(),
                second.num_dims
            );
            return Err(AsmError::new(place, message));
        }
        let mut done: HashMap<AffineExpr, AffineExpr> = HashMap::new();
        let mut results = Vec::with_capacity(second.results.len());
        for &root in &second.results {
            let mut stack = vec![root];
            while let Some(&expr) = stack.last() {
                let Some(kind) = self.context.affine().kind(expr) else {
                    return Err(AsmError::new(place, "unknown affine expression"));
                };
                if let Some((l, r)) = kind.operands() {
                    let before = stack.len();
                    stack.extend([r, l].into_iter().filter(|e| !done.contains_key(e)));
                    if stack.len() > before {
                        continue;
                    }
                }
                let made = |operand| done.get(&operand).copied().unwrap_or(operand);
                let new = self.affine_result(
                    |arena| match kind {
                        AffineExprKind::Add(l, r) => arena.add(made(l), made(r)),
                        AffineExprKind::Mul(l, r) => arena.mul(made(l), made(r)),
                        AffineExprKind::Mod(l, r) => arena.modulo(made(l), made(r)),
                        AffineExprKind::FloorDiv(l, r) => arena.floor_div(made(l), made(r)),
                        AffineExprKind::CeilDiv(l, r) => arena.ceil_div(made(l), made(r)),
                        AffineExprKind::Dim(position) => {
                            let result = first.results.get(position as usize);
                            Ok(result.copied().unwrap_or(expr))
                        }
                        AffineExprKind::Symbol(position) => {
                            arena.symbol(position.saturating_add(first.num_symbols))
                        }
                        AffineExprKind::Constant(_) => Ok(expr),
                    },
                    place,
                )?;
                done.insert(expr, new);
                stack.pop();
            }
            results.push(done.get(&root).copied().unwrap_or(root));
        }
        Ok(AffineMap {
            num_dims: first.num_dims,
            num_symbols: first.num_symbols.saturating_add(second.num_symbols),
            results: results.into(),
        })
    }

    // Types.

    /// Parses a type where the current edition has none.
    #[cold]
    pub(super) fn older_type(&mut self) -> Result<Step<'s>> {
        let Token { kind, start, .. } = self.token;
        match kind {
            TokenKind::Less if self.has(Construct::TypeWithoutKeyword) => {
                return self.memref_dimensions(start);
            }
            TokenKind::BareIdentifier
                if self.current() == b"opaque"
                    && self.next_is(TokenKind::Less)
                    && self.has(Construct::Opaque) =>
            {
                return self.opaque_type();
            }
            // The current edition takes an affine map for a function type.
            TokenKind::BareIdentifier
                if matches!(self.frames.last(), Some(Frame::Type(TypeFrame::Inputs(_))))
                    && self.is_bare_map(self.previous_end.saturating_sub(1)) =>
            {
                self.has(Construct::BareMap);
            }
            _ => {}
        }
        Err(self.unexpected("non-function type"))
    }

    /// `opaque<"dialect", "body">`.
    fn opaque_type(&mut self) -> Result<Step<'s>> {
        let start = self.advance().start;
        self.expect(TokenKind::Less, "'<' after 'opaque'")?;
        if !self.at(TokenKind::String) {
            return Err(AsmError::new(start, OPAQUE_ELEMENTS));
        }
        let dialect = self.advance();
        let dialect = self.string_identifier(dialect);
        self.expect(TokenKind::Comma, "','")?;
        if !self.at(TokenKind::String) {
            return Err(AsmError::new(start, OPAQUE_ELEMENTS));
        }
        let body = self.expect(TokenKind::String, "a string")?;
        let body = crate::lexer::unescape(self.text(body)).into_owned();
        self.expect(TokenKind::Greater, "'>'")?;
        // Elements have a type.
        if self.at(TokenKind::Colon) && matches!(self.frames.last(), Some(Frame::TypeAttribute)) {
            return Err(AsmError::new(start, OPAQUE_ELEMENTS));
        }
        let dialect = self.context.bytes(dialect);
        let body = match dialect {
            b"llvm" => llvm_types::body_today(&body),
            _ => body,
        };
        let text = [b"!", dialect, b".", &body].concat();
        self.type_of_text(&text, start)
    }

    /// Parses a type that the text spells in a string.
    fn type_of_text(&mut self, text: &[u8], place: usize) -> Result<Step<'s>> {
        match super::parse_type(self.context, text) {
            Ok(ty) => Ok(Step::Done(Entry::Type(ty))),
            Err(errors) => {
                let message = errors.iter().next().map_or_else(String::new, |first| {
                    format!("{} in '{}'", first.message, text.escape_ascii())
                });
                Err(AsmError::new(place, message))
            }
        }
    }

    /// Returns whether `<"..."` is next, as in `!llvm<"i32*">`.
    #[cold]
    pub(super) fn at_older_llvm_type(&mut self) -> bool {
        self.next_is(TokenKind::String) && self.has(Construct::LlvmType)
    }

    /// `<"i32*">`, after `!llvm`.
    #[cold]
    pub(super) fn older_llvm_type(&mut self) -> Result<Step<'s>> {
        self.expect(TokenKind::Less, "'<'")?;
        let token = self.expect(TokenKind::String, "a string")?;
        let text = crate::lexer::unescape(self.text(token)).into_owned();
        self.expect(TokenKind::Greater, "'>'")?;
        let today = llvm_types::today(&text);
        let today = today.map_err(|message| AsmError::new(token.start, message))?;
        self.type_of_text(&today, token.start)
    }

    // Blocks.

    /// Parses a label without `^`, after its name, where `error` is that there is no operation of
    /// that name.
    #[cold]
    pub(super) fn bare_label(
        &mut self,
        ops: &mut Operations<'s>,
        place: usize,
        error: AsmError,
    ) -> Result<()> {
        if self.edition > Construct::BareLabel.last() || !self.is_label(place) {
            return Err(error);
        }
        self.reset_to(place);
        let token = self.advance();
        let implied = ops.implied_block();
        self.label(ops, token, implied)
    }

    /// Returns whether a label without `^` begins at an offset: `name:`, `name(%a ...` or `name()`.
    fn is_label(&self, place: usize) -> bool {
        let mut lexer = self.lexer.clone();
        lexer.set_position(place);
        let mut next = || lexer.next_token().kind;
        if next() != TokenKind::BareIdentifier {
            return false;
        }
        match next() {
            TokenKind::Colon => true,
            TokenKind::LeftParen => match next() {
                TokenKind::PercentIdentifier => next() == TokenKind::Colon,
                TokenKind::RightParen => next() == TokenKind::Colon,
                _ => false,
            },
            _ => false,
        }
    }

    /// Parses the operands of a successor, `(%a, %b : i32, i32)` or `(%a : i32, %b : i32)`.
    #[cold]
    pub(super) fn passed(
        &mut self,
        ops: &mut Operations<'s>,
        successor: usize,
        passed: &mut Passed,
    ) -> Result<()> {
        self.expect(TokenKind::LeftParen, "'('")?;
        let mut names = Vec::new();
        while !self.at(TokenKind::Colon) {
            names.push(self.value_name()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Colon, "':' and the types of the operands")?;
        for (number, &name) in names.iter().enumerate() {
            if number > 0 {
                self.expect(TokenKind::Comma, "','")?;
            }
            let ty = self.ty()?;
            let context = &*self.context;
            let module = &mut ops.module;
            let value = ops
                .scopes
                .resolve(module, name, ty, |t| type_text(context, t))?;
            passed.operands.push((successor, value));
        }
        self.expect(TokenKind::RightParen, "')'")?;
        Ok(())
    }

    /// Parses the rest of an operation whose successors have operands: they become operands of the
    /// operation.
    #[cold]
    pub(super) fn finish_with_passed(
        &mut self,
        ops: &mut Operations<'s>,
        operation: Box<OpenOperation<'s>>,
        passed: &Passed,
    ) -> Result<()> {
        let (name, place) = (operation.name, operation.place);
        let bytes = self.context.operation_name_bytes(name);
        if !matches!(bytes, b"cf.br" | b"cf.cond_br") {
            let message = "only the operands of the successors of br and cond_br have a form today";
            return Err(AsmError::new(place, message));
        }
        let successors = match bytes {
            b"cf.br" => 1,
            _ => 2,
        };
        self.finish_generic(ops, operation)?;
        let block = ops.open_block();
        let Some(new) = block.and_then(|block| ops.module.last_operation(block)) else {
            return Ok(());
        };
        let mut operands: Vec<Value> = ops.module.operands(new).collect();
        let own = operands.len();
        operands.extend(passed.operands.iter().map(|passed| passed.1));
        ops.module.set_operands(new, &operands);
        if successors == 2 {
            let of = |successor| {
                let own = passed
                    .operands
                    .iter()
                    .filter(|passed| passed.0 == successor);
                own.count()
            };
            let sizes = [own, of(0), of(1)];
            let sizes = sizes.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
            let sizes = self.context.i32_array_attribute(sizes);
            let key = self.context.identifier("operandSegmentSizes");
            let set = ops
                .module
                .set_inherent_attribute(self.context, new, key, Some(sizes));
            set.map_err(|error| AsmError::new(place, error.message()))?;
        }
        Ok(())
    }
}

const OPAQUE_ELEMENTS: &str =
    "opaque elements have no successor; use dense<...> or dense_resource<...>";

/// The largest number of maps of a memref that are composed.
const MOST_MAPS: usize = 8;

/// The largest length of the text of composed maps.
const LONGEST_MAP: usize = 1 << 16;

/// Counts the bytes of a text up to [`LONGEST_MAP`].
struct TextLength(usize);

impl fmt::Write for TextLength {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0 = self.0.saturating_add(text.len());
        match self.0 <= LONGEST_MAP {
            true => Ok(()),
            false => Err(fmt::Error),
        }
    }
}

/// The elements of older editions, whose type precedes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum OlderElements {
    Dense,
    Sparse,
    Splat,
}

/// The operands of successors: the number of the successor, and the operand.
#[derive(Default)]
pub(super) struct Passed {
    operands: Vec<(usize, Value)>,
}

/// Returns whether a word is a builtin type.
fn is_type_name(word: &[u8]) -> bool {
    let digits = match word {
        [b's' | b'u', b'i', digits @ ..] | [b'i', digits @ ..] => digits,
        _ => &[],
    };
    matches!(word, b"index" | b"none")
        || FloatKind::from_keyword(word).is_some()
        || !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
}
