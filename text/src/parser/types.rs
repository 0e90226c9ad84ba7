//! Parses types of the builtin dialect.

use super::Parser;
use super::entry::{Frame, Goal, Step};
use crate::diagnostic::Result;
use crate::edition::Edition;
use crate::lexer::TokenKind;
use rmlir_ir::asm::AsmError;
use rmlir_ir::definition::LlvmFeature;
use rmlir_ir::float::FloatKind;
use rmlir_ir::{
    Attribute, AttributeKind, DYNAMIC, Entry, MAX_INTEGER_WIDTH, Signedness, Type, TypeKind,
};

/// A type that waits for one of its parts.
pub(super) enum TypeFrame {
    Inputs(Vec<Type>),
    Results {
        inputs: Vec<Type>,
        results: Vec<Type>,
        parenthesized: bool,
    },
    Complex {
        start: usize,
    },
    Tuple(Vec<Type>),
    Vector {
        shape: Vec<i64>,
        scalable: Vec<bool>,
        start: usize,
    },
    /// No shape means `*`.
    Tensor {
        shape: Option<Vec<i64>>,
        start: usize,
    },
    Encoding {
        shape: Option<Vec<i64>>,
        element: Type,
        start: usize,
    },
    MemRef {
        shape: Option<Vec<i64>>,
        start: usize,
    },
    MemRefAttributes {
        shape: Option<Vec<i64>>,
        element: Type,
        attributes: Vec<Attribute>,
        start: usize,
    },
}

impl<'s> Parser<'s, '_> {
    /// Returns whether the current token is a keyword that starts a type with parameters.
    pub(super) fn is_type_keyword(&self) -> bool {
        matches!(
            self.current(),
            b"tensor" | b"vector" | b"memref" | b"tuple" | b"complex"
        )
    }

    /// Returns whether the current token, which is a word, starts a type.
    pub(super) fn is_type_word(&self) -> bool {
        let text = self.current();
        let digits = match text {
            [b's' | b'u', b'i', digits @ ..] | [b'i', digits @ ..] => digits,
            _ => &[],
        };
        self.is_type_keyword()
            || matches!(text, b"index" | b"none")
            || text == b"token" && self.has_tokens()
            || FloatKind::from_keyword(text).is_some()
            || !digits.is_empty() && digits.iter().all(u8::is_ascii_digit)
    }

    /// Returns whether texts of the release have the type `token`.
    pub(super) fn has_tokens(&self) -> bool {
        self.context.release().has(LlvmFeature::GraphTypes)
    }

    /// Parses a type that is one keyword (`i32`, `f32`, `index`) at the current token; `None` if
    /// there is none.
    #[inline]
    pub(super) fn simple_type(&mut self) -> Option<Result<Type>> {
        if self.token.kind != TokenKind::BareIdentifier {
            return None;
        }
        let text = self.current();
        // No such type starts like `vector`, `memref` and `complex`.
        if matches!(text.first(), Some(b'v' | b'm' | b'c')) {
            return None;
        }
        let ty = match text {
            b"i1" => self.context.i1_type(),
            b"i32" => self.context.i32_type(),
            b"i64" => self.context.i64_type(),
            b"index" => self.context.index_type(),
            b"f32" => self.context.f32_type(),
            b"f64" => self.context.f64_type(),
            b"none" => self.context.none_type(),
            b"token" if self.has_tokens() => self.context.token_type(),
            _ => {
                if let Some(kind) = FloatKind::from_keyword(text) {
                    self.context.float_type(kind)
                } else {
                    return self.integer_type(text);
                }
            }
        };
        self.advance();
        Some(Ok(ty))
    }

    /// `i8`, `si8`, `ui8`.
    fn integer_type(&mut self, text: &[u8]) -> Option<Result<Type>> {
        let (signedness, digits) = match text {
            [b's', b'i', digits @ ..] => (Signedness::Signed, digits),
            [b'u', b'i', digits @ ..] => (Signedness::Unsigned, digits),
            [b'i', digits @ ..] => (Signedness::Signless, digits),
            _ => return None,
        };
        let starts = digits.first().is_some_and(|&b| b.is_ascii_digit());
        if !starts || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let width = digits.iter().try_fold(0u32, |n, b| {
            n.checked_mul(10)?
                .checked_add(u32::from(b.wrapping_sub(b'0')))
        });
        let Some(width) = width else {
            return Some(Err(self.error("invalid integer width")));
        };
        if width > MAX_INTEGER_WIDTH {
            return Some(Err(self.error(format!(
                "integer bitwidth is limited to {MAX_INTEGER_WIDTH} bits"
            ))));
        }
        let result = self.make_type(self.token.start, TypeKind::Integer { width, signedness });
        self.advance();
        Some(result)
    }

    fn make_type(&mut self, place: usize, kind: TypeKind) -> Result<Type> {
        self.context
            .try_type(kind)
            .map_err(|e| AsmError::new(place, e.message()))
    }

    /// Finishes a type whose text goes from `start` to `>`, the token before the current one.
    fn finished(&mut self, start: usize, kind: TypeKind) -> Result<Step<'s>> {
        let ty = self.make_type(start, kind)?;
        self.remember_type(start, ty);
        Ok(Step::Done(Entry::Type(ty)))
    }

    pub(super) fn start_type(&mut self, function: bool) -> Result<Step<'s>> {
        if let Some(ty) = self.simple_type() {
            return ty.map(|ty| Step::Done(Entry::Type(ty)));
        }
        match self.token.kind {
            TokenKind::ExclamationIdentifier => self.dialect_symbol(false),
            TokenKind::LeftParen if function => {
                self.advance();
                if self.eat(TokenKind::RightParen) {
                    return self.function_results(Vec::new());
                }
                Ok(Step::Need(
                    Goal::Type,
                    Frame::Type(TypeFrame::Inputs(Vec::new())),
                ))
            }
            TokenKind::BareIdentifier => self.type_keyword(),
            _ => self.older_type(),
        }
    }

    /// Parses what follows `memref`, whose `<` is the current token.
    pub(super) fn memref_dimensions(&mut self, start: usize) -> Result<Step<'s>> {
        let shape = self.dimensions()?;
        let frame = TypeFrame::MemRef { shape, start };
        Ok(Step::Need(Goal::Type, Frame::Type(frame)))
    }

    fn type_keyword(&mut self) -> Result<Step<'s>> {
        let start = self.token.start;
        let keyword = self.current();
        if !self.is_type_keyword() {
            return self.older_type();
        }
        if let Some(known) = self.known_type() {
            return Ok(Step::Done(Entry::Type(known)));
        }
        self.advance();
        if !self.at(TokenKind::Less) {
            let keyword = keyword.escape_ascii();
            return Err(self.unexpected(&format!("'<' in {keyword} type")));
        }
        let frame = match keyword {
            b"complex" => {
                self.advance();
                TypeFrame::Complex { start }
            }
            b"tuple" => {
                self.advance();
                if self.eat(TokenKind::Greater) {
                    return self.finished(start, TypeKind::Tuple(Box::default()));
                }
                TypeFrame::Tuple(Vec::new())
            }
            b"vector" => {
                let (shape, scalable) = self.vector_dimensions()?;
                TypeFrame::Vector {
                    shape,
                    scalable,
                    start,
                }
            }
            b"tensor" => TypeFrame::Tensor {
                shape: self.dimensions()?,
                start,
            },
            _ => TypeFrame::MemRef {
                shape: self.dimensions()?,
                start,
            },
        };
        Ok(Step::Need(Goal::Type, Frame::Type(frame)))
    }

    pub(super) fn resume_type(&mut self, frame: TypeFrame, entry: Entry) -> Result<Step<'s>> {
        let need = |goal, frame| Ok(Step::Need(goal, Frame::Type(frame)));
        match (frame, entry) {
            (TypeFrame::Inputs(mut inputs), Entry::Type(ty)) => {
                inputs.push(ty);
                if self.eat(TokenKind::Comma) {
                    return need(Goal::Type, TypeFrame::Inputs(inputs));
                }
                self.expect(TokenKind::RightParen, "')'")?;
                self.function_results(inputs)
            }
            (
                TypeFrame::Results {
                    inputs,
                    mut results,
                    parenthesized,
                },
                Entry::Type(ty),
            ) => {
                results.push(ty);
                if parenthesized {
                    if self.eat(TokenKind::Comma) {
                        return need(
                            Goal::Type,
                            TypeFrame::Results {
                                inputs,
                                results,
                                parenthesized,
                            },
                        );
                    }
                    self.expect(TokenKind::RightParen, "')'")?;
                }
                self.function(inputs, results)
            }
            (TypeFrame::Complex { start }, Entry::Type(element)) => {
                self.expect(TokenKind::Greater, "'>' in complex type")?;
                self.finished(start, TypeKind::Complex(element))
            }
            (TypeFrame::Tuple(mut types), Entry::Type(ty)) => {
                types.push(ty);
                if self.eat(TokenKind::Comma) {
                    return need(Goal::Type, TypeFrame::Tuple(types));
                }
                self.expect(TokenKind::Greater, "'>' in tuple type")?;
                let ty = self.make_type(self.token.start, TypeKind::Tuple(types.into()))?;
                Ok(Step::Done(Entry::Type(ty)))
            }
            (
                TypeFrame::Vector {
                    shape,
                    scalable,
                    start,
                },
                Entry::Type(element),
            ) => {
                self.expect(TokenKind::Greater, "'>' in vector type")?;
                let kind = TypeKind::Vector {
                    shape: shape.into(),
                    scalable: scalable.into(),
                    element,
                };
                self.finished(start, kind)
            }
            (TypeFrame::Tensor { shape, start }, Entry::Type(element)) => {
                // As in upstream, which accepts a comma without an encoding after it.
                let has_encoding = self.eat(TokenKind::Comma) && !self.at(TokenKind::Greater);
                if has_encoding {
                    return need(
                        Goal::Attribute,
                        TypeFrame::Encoding {
                            shape,
                            element,
                            start,
                        },
                    );
                }
                self.tensor(shape, element, None, start)
            }
            (
                TypeFrame::Encoding {
                    shape,
                    element,
                    start,
                },
                Entry::Attribute(encoding),
            ) => self.tensor(shape, element, Some(encoding), start),
            (TypeFrame::MemRef { shape, start }, Entry::Type(element)) => {
                self.memref(shape, element, Vec::new(), start)
            }
            (
                TypeFrame::MemRefAttributes {
                    shape,
                    element,
                    mut attributes,
                    start,
                },
                Entry::Attribute(attribute),
            ) => {
                if self.edition == Edition::Current {
                    self.check_memref_attribute(attribute, &attributes, shape.is_some())?;
                }
                attributes.push(attribute);
                self.memref(shape, element, attributes, start)
            }
            _ => Err(self.unexpected("non-function type")),
        }
    }

    /// Parses what follows the inputs of a function type.
    fn function_results(&mut self, inputs: Vec<Type>) -> Result<Step<'s>> {
        self.expect(TokenKind::Arrow, "'->' in function type")?;
        if !self.eat(TokenKind::LeftParen) {
            let frame = TypeFrame::Results {
                inputs,
                results: Vec::new(),
                parenthesized: false,
            };
            return Ok(Step::Need(Goal::NonFunctionType, Frame::Type(frame)));
        }
        if self.eat(TokenKind::RightParen) {
            return self.function(inputs, Vec::new());
        }
        let frame = TypeFrame::Results {
            inputs,
            results: Vec::new(),
            parenthesized: true,
        };
        Ok(Step::Need(Goal::Type, Frame::Type(frame)))
    }

    fn function(&mut self, inputs: Vec<Type>, results: Vec<Type>) -> Result<Step<'s>> {
        Ok(Step::Done(Entry::Type(
            self.context.function_type(&inputs, &results),
        )))
    }

    fn tensor(
        &mut self,
        shape: Option<Vec<i64>>,
        element: Type,
        encoding: Option<Attribute>,
        start: usize,
    ) -> Result<Step<'s>> {
        self.expect(TokenKind::Greater, "'>' in tensor type")?;
        let Some(shape) = shape else {
            if encoding.is_some() {
                let message = "cannot apply encoding to unranked tensor";
                return Err(AsmError::new(self.token.start, message));
            }
            return self.finished(start, TypeKind::UnrankedTensor(element));
        };
        self.finished(
            start,
            TypeKind::RankedTensor {
                shape: shape.into(),
                element,
                encoding,
            },
        )
    }

    /// Returns whether an attribute of the Builtin dialect is a memref's layout.
    fn is_layout(&self, attribute: Attribute) -> bool {
        matches!(
            self.context.attribute_kind(attribute),
            AttributeKind::AffineMap(_) | AttributeKind::StridedLayout { .. }
        )
    }

    /// Checks that an attribute of a memref may follow others: a layout, then a memory space. An
    /// attribute of a dialect can be either.
    fn check_memref_attribute(
        &self,
        attribute: Attribute,
        before: &[Attribute],
        is_ranked: bool,
    ) -> Result<()> {
        let is_space = |attribute: &Attribute| {
            let kind = self.context.attribute_kind(*attribute);
            !self.is_layout(*attribute) && !matches!(kind, AttributeKind::Dialect { .. })
        };
        let has_space = before.iter().any(is_space);
        let most = if is_ranked { 2 } else { 1 };
        let message = match self.is_layout(attribute) {
            true if !is_ranked => "cannot have affine map for unranked memref type",
            true if has_space => "expected memory space to be last in memref type",
            true if !before.is_empty() => "multiple layouts specified in memref type",
            false if has_space || before.len() >= most => {
                "multiple memory spaces specified in memref type"
            }
            _ => return Ok(()),
        };
        Err(self.error(message))
    }

    /// After the element type or an attribute of a memref, parses another attribute or the end.
    fn memref(
        &mut self,
        shape: Option<Vec<i64>>,
        element: Type,
        attributes: Vec<Attribute>,
        start: usize,
    ) -> Result<Step<'s>> {
        let most = if shape.is_some() { 2 } else { 1 };
        let more = self.edition == Edition::Current
            || attributes.len() < most
            || self.can_compose(&attributes);
        if more && self.eat(TokenKind::Comma) {
            if attributes.is_empty() && self.token.kind == TokenKind::Greater {
                return Err(self.error("expected list element"));
            }
            let frame = TypeFrame::MemRefAttributes {
                shape,
                element,
                attributes,
                start,
            };
            return Ok(Step::Need(Goal::Attribute, Frame::Type(frame)));
        }
        let missing = match attributes.is_empty() {
            true => "',' or '>' in memref type",
            false => "',' or '>'",
        };
        self.expect(TokenKind::Greater, missing)?;
        let attributes = match attributes.len() > 1 && self.edition != Edition::Current {
            true => self.compose_layouts(attributes, start)?,
            false => attributes,
        };
        let (layout, memory_space) = match *attributes.as_slice() {
            [] => (None, None),
            [one] if self.is_layout(one) => (Some(one), None),
            [one] => (None, Some(one)),
            [first, second, ..] => (Some(first), Some(second)),
        };
        let kind = match shape {
            Some(shape) => TypeKind::MemRef {
                shape: shape.into(),
                element,
                layout,
                memory_space,
            },
            None => TypeKind::UnrankedMemRef {
                element,
                memory_space: memory_space.or(layout),
            },
        };
        self.finished(start, kind)
    }

    // Dimension lists: `4x?x8x`, `*x`. These are not tokens (`0x8` is a number to the lexer), so
    // bytes are read. The current token is the `<` before the list; afterwards it is the one after
    // the list.

    /// Parses the sizes before an element type; `None` for `*x`.
    fn dimensions(&mut self) -> Result<Option<Vec<i64>>> {
        let mut at = self.space(self.token.end);
        if self.byte(at) == b'*' {
            at = self.dimension_end(at.wrapping_add(1))?;
            self.previous_end = at;
            self.reset_to(at);
            return Ok(None);
        }
        self.dimensions_at(at).map(Some)
    }

    /// Parses sizes from the current token on, each followed by an `x`.
    pub(crate) fn plain_dimensions(&mut self) -> Result<Vec<i64>> {
        self.dimensions_at(self.token.start)
    }

    /// Parses sizes from the current token on, separated by `x`; the list is empty if no size is
    /// next.
    pub(crate) fn dimension_list(&mut self) -> Result<Vec<i64>> {
        let mut at = self.token.start;
        let mut shape = Vec::new();
        while let Some((size, end)) = self.dimension(at)? {
            shape.push(size);
            if self.byte(end) != b'x' {
                self.reset_to(end);
                return Ok(shape);
            }
            at = end.wrapping_add(1);
        }
        match shape.is_empty() {
            true => Ok(shape),
            false => Err(AsmError::new(at, "expected dimension size")),
        }
    }

    /// Consumes an `x`, which can be the start of a longer token.
    pub(crate) fn expect_times(&mut self) -> Result<()> {
        let at = self.token.start;
        if self.byte(at) != b'x' {
            return Err(self.unexpected("'x' in dimension list"));
        }
        self.reset_to(at.wrapping_add(1));
        Ok(())
    }

    fn dimensions_at(&mut self, mut at: usize) -> Result<Vec<i64>> {
        let mut shape = Vec::new();
        while let Some((size, end)) = self.dimension(at)? {
            shape.push(size);
            let end = self.dimension_end(end)?;
            self.previous_end = end;
            at = self.space(end);
        }
        self.reset_to(at);
        Ok(shape)
    }

    /// Parses the sizes of a vector, and which of them are scalable.
    fn vector_dimensions(&mut self) -> Result<(Vec<i64>, Vec<bool>)> {
        let mut at = self.space(self.token.end);
        let (mut shape, mut scalable) = (Vec::new(), Vec::new());
        loop {
            let bracket = self.byte(at) == b'[';
            if bracket {
                at = self.space(at.wrapping_add(1));
            }
            let Some((size, end)) = self.dimension(at)? else {
                if bracket {
                    return Err(AsmError::new(at, "invalid dimension"));
                }
                break;
            };
            if size == DYNAMIC {
                return Err(AsmError::new(
                    at,
                    "expected static dimension in vector type",
                ));
            }
            at = end;
            if bracket {
                at = self.space(at);
                if self.byte(at) != b']' {
                    return Err(AsmError::new(at, "missing ']' closing scalable dimension"));
                }
                at = at.wrapping_add(1);
            }
            shape.push(size);
            scalable.push(bracket);
            at = self.space(self.dimension_end(at)?);
        }
        self.reset_to(at);
        Ok((shape, scalable))
    }

    /// Returns the size or `?` at `at`, and where it ends.
    fn dimension(&self, at: usize) -> Result<Option<(i64, usize)>> {
        if self.byte(at) == b'?' {
            return Ok(Some((DYNAMIC, at.wrapping_add(1))));
        }
        let rest = self.source.get(at..).unwrap_or_default();
        let len = rest
            .iter()
            .position(|b| !b.is_ascii_digit())
            .unwrap_or(rest.len());
        let digits = rest.get(..len).unwrap_or_default();
        if digits.is_empty() {
            return Ok(None);
        }
        let value = digits.iter().try_fold(0i64, |n, b| {
            n.checked_mul(10)?
                .checked_add(i64::from(b.wrapping_sub(b'0')))
        });
        match value {
            Some(value) => Ok(Some((value, at.wrapping_add(len)))),
            None => Err(AsmError::new(
                at,
                "invalid dimension: it does not fit 64 bits",
            )),
        }
    }

    /// Skips the `x` after a dimension.
    fn dimension_end(&self, at: usize) -> Result<usize> {
        let at = self.space(at);
        if self.byte(at) == b'x' {
            Ok(at.wrapping_add(1))
        } else {
            Err(AsmError::new(at, "expected 'x' in dimension list"))
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.source.get(at).copied().unwrap_or(0)
    }

    /// Returns the offset after white space and comments at `at`.
    fn space(&self, at: usize) -> usize {
        let mut lexer = self.lexer.clone();
        lexer.set_position(at);
        lexer.skip_space();
        lexer.position()
    }
}
