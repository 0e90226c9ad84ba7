//! Parses dense and sparse elements, and dense arrays.

use super::Parser;
use super::entry::Step;
use super::resources::decode_hex;
use crate::diagnostic::Result;
use crate::lexer::{Lexer, Token, TokenKind, unescape};
use rmlir_ir::asm::AsmError;
use rmlir_ir::dense::{ElementLayout, ScalarKind};
use rmlir_ir::{Attribute, AttributeKind, Entry, Type, TypeKind};

/// The literal between `dense<` and `>`, before its type is known.
#[derive(Default)]
pub(super) struct DenseLiteral {
    /// Sizes of the nested lists; none for a single element.
    shape: Vec<i64>,
    /// The scalars; a complex element has two.
    scalars: Vec<Scalar>,
    /// Whether elements are pairs.
    complex: bool,
    /// `"0x..."` alone.
    string: Option<Token>,
    /// Whether the literal has no elements, as in `dense<>`.
    empty: bool,
    /// The range of the literal in the text.
    place: std::ops::Range<usize>,
}

#[derive(Clone, Copy)]
struct Scalar {
    negative: bool,
    token: Token,
}

impl DenseLiteral {
    fn elements(&self) -> usize {
        if self.complex {
            self.scalars.len() / 2
        } else {
            self.scalars.len()
        }
    }
}

/// An open list, with the number of items so far.
#[derive(Clone, Copy, Default)]
struct OpenList {
    len: i64,
}

impl<'s> Parser<'s, '_> {
    /// Parses the literal at the current token.
    pub(super) fn dense_literal(&mut self) -> Result<DenseLiteral> {
        let start = self.token.start;
        let mut literal = self.dense_lists()?;
        literal.place = start..self.previous_end.max(start);
        Ok(literal)
    }

    /// Returns the tokens of a range of the text, without comments and with white space only after
    /// commas.
    fn plain_text(&self, place: std::ops::Range<usize>) -> Vec<u8> {
        let mut lexer = Lexer::new(self.source.get(..place.end).unwrap_or_default());
        lexer.set_position(place.start);
        let mut text = Vec::new();
        loop {
            let token = lexer.next_token();
            match token.kind {
                TokenKind::Eof | TokenKind::Error(_) => return text,
                kind => {
                    text.extend_from_slice(self.text(token));
                    if kind == TokenKind::Comma {
                        text.push(b' ');
                    }
                }
            }
        }
    }

    fn dense_lists(&mut self) -> Result<DenseLiteral> {
        let mut literal = DenseLiteral::default();
        if self.at(TokenKind::Greater) {
            literal.empty = true;
            return Ok(literal);
        }
        if self.at(TokenKind::String) {
            // A lone string denotes hexadecimal data or one string element.
            let token = self.advance();
            literal.string = Some(token);
            literal.scalars.push(Scalar {
                negative: false,
                token,
            });
            return Ok(literal);
        }
        // Sizes by depth, from the first list of each depth; -1 while it is open.
        let mut open: Vec<OpenList> = Vec::new();
        let mut leaf_depth: Option<usize> = None;
        loop {
            if self.eat(TokenKind::LeftSquare) {
                open.push(OpenList::default());
                if literal.shape.len() < open.len() {
                    if leaf_depth.is_some() {
                        return Err(self.inconsistent());
                    }
                    literal.shape.push(-1);
                }
                if !self.at(TokenKind::RightSquare) {
                    continue;
                }
            } else {
                if *leaf_depth.get_or_insert(open.len()) != open.len() {
                    return Err(self.inconsistent());
                }
                self.dense_element(&mut literal)?;
                match open.last_mut() {
                    Some(list) => list.len = list.len.saturating_add(1),
                    None => return Ok(literal),
                }
            }
            // Behind an item: close lists, then go on or end.
            loop {
                if self.eat(TokenKind::Comma) {
                    break;
                }
                self.expect(TokenKind::RightSquare, "']'")?;
                let Some(list) = open.pop() else {
                    return Err(self.unexpected("'>'"));
                };
                let depth = open.len();
                match literal.shape.get_mut(depth) {
                    Some(size) if *size == -1 => *size = list.len,
                    Some(size) if *size == list.len => {}
                    _ => return Err(self.inconsistent()),
                }
                match open.last_mut() {
                    Some(outer) => outer.len = outer.len.saturating_add(1),
                    None => return Ok(literal),
                }
            }
        }
    }

    #[cold]
    fn inconsistent(&self) -> AsmError {
        self.error("tensor literal is invalid; ranks are not consistent between elements")
    }

    fn dense_element(&mut self, literal: &mut DenseLiteral) -> Result<()> {
        let complex = self.at(TokenKind::LeftParen);
        if literal.scalars.is_empty() {
            literal.complex = complex;
        } else if literal.complex != complex {
            return Err(self.error("expected element literal of primitive type"));
        }
        if complex {
            self.advance();
            let real = self.dense_scalar()?;
            self.expect(TokenKind::Comma, "',' between complex elements")?;
            let imaginary = self.dense_scalar()?;
            self.expect(TokenKind::RightParen, "')' after complex elements")?;
            literal.scalars.extend([real, imaginary]);
        } else {
            let scalar = self.dense_scalar()?;
            literal.scalars.push(scalar);
        }
        Ok(())
    }

    fn dense_scalar(&mut self) -> Result<Scalar> {
        let negative = self.eat(TokenKind::Minus);
        match self.token.kind {
            TokenKind::Integer | TokenKind::Float => {}
            TokenKind::String if !negative => {}
            TokenKind::BareIdentifier
                if !negative && matches!(self.current(), b"true" | b"false") => {}
            _ => return Err(self.unexpected("element literal of primitive type")),
        }
        Ok(Scalar {
            negative,
            token: self.advance(),
        })
    }

    /// Converts a literal to the attribute of a type.
    pub(super) fn dense_elements(
        &mut self,
        literal: &DenseLiteral,
        ty: Type,
        start: usize,
    ) -> Result<Attribute> {
        let at = |e: rmlir_ir::Invalid| AsmError::new(start, e.message());
        if matches!(self.context.type_kind(ty), TypeKind::Dialect { .. }) {
            let text = self.plain_text(literal.place.clone());
            let literal = self.context.identifier(text);
            return self
                .context
                .try_attribute(AttributeKind::DenseText { ty, literal })
                .map_err(at);
        }
        let rank = self.context.shape(ty).map_or(0, <[i64]>::len);
        self.spend(start, rank / 64)?;
        let count = self.context.dense_count(ty).map_err(at)?;
        if literal.empty && count != 0 {
            let message = "expected attribute value: the literal is empty, the type is not";
            return Err(AsmError::new(start, message));
        }
        let element = self.context.element_type(ty).unwrap_or(ty);
        let kind = match ElementLayout::of(self.context, element) {
            Some(layout) => {
                if let Some(token) = literal.string {
                    self.hex_elements(token, layout, ty, count)?
                } else {
                    self.check_shape(literal, ty, start)?;
                    let data = self.dense_data(literal, layout)?;
                    AttributeKind::DenseElements {
                        ty,
                        splat: is_splat(literal),
                        data: data.into(),
                    }
                }
            }
            None => {
                self.check_shape(literal, ty, start)?;
                let mut values = Vec::with_capacity(literal.scalars.len());
                for scalar in &literal.scalars {
                    if scalar.token.kind != TokenKind::String {
                        return Err(AsmError::new(
                            scalar.token.start,
                            "expected string token, since the element type is neither integer nor float",
                        ));
                    }
                    values.push(self.string_identifier(scalar.token));
                }
                AttributeKind::DenseStrings {
                    ty,
                    splat: is_splat(literal),
                    values: values.into(),
                }
            }
        };
        self.context.try_attribute(kind).map_err(at)
    }

    fn check_shape(&self, literal: &DenseLiteral, ty: Type, start: usize) -> Result<()> {
        let shape = self.context.shape(ty).unwrap_or_default();
        if literal.empty || is_splat(literal) {
            return Ok(());
        }
        // A list without elements does not determine the inner sizes.
        let matches = literal.shape == shape;
        if !matches {
            let list = |sizes: &[i64]| {
                sizes
                    .iter()
                    .map(i64::to_string)
                    .collect::<Vec<_>>()
                    .join(", ")
            };
            return Err(AsmError::new(
                start,
                format!(
                    "inferred shape of elements literal ([{}]) does not match type ([{}])",
                    list(&literal.shape),
                    list(shape)
                ),
            ));
        }
        Ok(())
    }

    /// Returns the bytes of a literal's scalars.
    fn dense_data(&mut self, literal: &DenseLiteral, layout: ElementLayout) -> Result<Vec<u8>> {
        if let Some(first) = literal.scalars.first()
            && literal.complex != layout.complex
        {
            let message = if layout.complex {
                "expected complex elements in parentheses"
            } else {
                "expected element literal of primitive type"
            };
            return Err(AsmError::new(first.token.start, message));
        }
        if layout.scalar_size > 128 {
            for scalar in &literal.scalars {
                self.spend_on_integer(layout.scalar.width(), scalar.token)?;
            }
        }
        let mut data = Vec::with_capacity(literal.scalars.len().saturating_mul(layout.scalar_size));
        for &scalar in &literal.scalars {
            self.scalar_bytes(scalar, layout, &mut data)?;
        }
        Ok(data)
    }

    /// Appends the bytes of one scalar.
    fn scalar_bytes(
        &mut self,
        scalar: Scalar,
        layout: ElementLayout,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let Scalar { negative, token } = scalar;
        let text = self.text(token);
        let boolean = token.kind == TokenKind::BareIdentifier;
        let bits = match layout.scalar {
            ScalarKind::Integer { width, .. } if boolean => {
                if width != 1 {
                    return Err(AsmError::new(
                        token.start,
                        "expected i1 type for 'true' or 'false' values",
                    ));
                }
                out.push(u8::from(text == b"true"));
                return Ok(());
            }
            ScalarKind::Integer { .. } | ScalarKind::Index if token.kind == TokenKind::Integer => {
                return self.dense_integer(negative, token, layout, out);
            }
            ScalarKind::Integer { .. } | ScalarKind::Index => {
                return Err(AsmError::new(
                    token.start,
                    "expected integer elements, but parsed floating-point",
                ));
            }
            ScalarKind::Float(_) if boolean || token.kind == TokenKind::String => {
                return Err(AsmError::new(
                    token.start,
                    "expected floating-point elements, but parsed integer",
                ));
            }
            ScalarKind::Float(kind) => self.float_bits(kind, negative, token)?,
        };
        out.extend_from_slice(
            bits.to_le_bytes()
                .get(..layout.scalar_size)
                .unwrap_or_default(),
        );
        Ok(())
    }

    fn dense_integer(
        &mut self,
        negative: bool,
        token: Token,
        layout: ElementLayout,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let (width, signed, unsigned) = match layout.scalar {
            ScalarKind::Integer { width, signed } => (width, false, !signed),
            _ => (64, true, false),
        };
        if negative && unsigned {
            return Err(AsmError::new(
                token.start,
                "expected unsigned integer elements, but parsed negative value",
            ));
        }
        // Small decimal numbers are nearly all there are.
        let text = self.text(token);
        if let (1..=18, 64) = (text.len(), width)
            && !text.starts_with(b"0x")
            && let Ok(value) = std::str::from_utf8(text).unwrap_or_default().parse::<i64>()
            && (value != 0 || !negative)
        {
            let value = if negative {
                value.wrapping_neg()
            } else {
                value
            };
            out.extend_from_slice(&value.to_le_bytes());
            return Ok(());
        }
        let value = self
            .integer_value(width, signed, negative, token)
            .map_err(|_| AsmError::new(token.start, "integer constant out of range for type"))?;
        value.to_le_bytes(out, layout.scalar_size);
        Ok(())
    }

    /// `dense<"0x...">`: the bytes of all elements or of one for all.
    fn hex_elements(
        &mut self,
        token: Token,
        layout: ElementLayout,
        ty: Type,
        count: u64,
    ) -> Result<AttributeKind> {
        let text = unescape(self.text(token));
        let bytes = text
            .strip_prefix(b"0x")
            .and_then(decode_hex)
            .ok_or_else(|| {
                AsmError::new(
                    token.start,
                    "expected string containing hex digits starting with `0x`",
                )
            })?;
        let count = usize::try_from(count).map_err(|_| {
            AsmError::new(
                token.start,
                "elements literal is too large for this machine",
            )
        })?;
        let len = bytes.len();
        let invalid = || {
            AsmError::new(
                token.start,
                format!("elements hex data size is invalid for provided type: {len} bytes"),
            )
        };
        if layout.is_bool() && len == count.div_ceil(8) && len != count {
            // LLVM 22 packs eight to a byte.
            let data = (0..count)
                .map(|i| (bytes.get(i / 8).copied().unwrap_or(0) >> (i % 8)) & 1)
                .collect();
            return Ok(AttributeKind::DenseElements {
                ty,
                splat: false,
                data,
            });
        }
        let size = layout.element_size();
        let splat = len == size && count != 1;
        if !splat && count.checked_mul(size) != Some(len) {
            return Err(invalid());
        }
        let mut data = bytes;
        mask_unused(&mut data, layout);
        Ok(AttributeKind::DenseElements {
            ty,
            splat,
            data: data.into(),
        })
    }

    /// `sparse<indices, values> : type`.
    pub(super) fn sparse_elements(
        &mut self,
        indices: &DenseLiteral,
        values: &DenseLiteral,
        ty: Type,
        start: usize,
    ) -> Result<Attribute> {
        let at = |e: rmlir_ir::Invalid| AsmError::new(start, e.message());
        self.context.dense_count(ty).map_err(at)?;
        let rank = self.context.shape(ty).map_or(0, <[i64]>::len);
        let element = self.context.element_type(ty).unwrap_or(ty);
        // An index in brackets, or an empty list, determines the shape; a lone number is a splat of
        // 1 x rank.
        let index_shape: Vec<i64> = match indices.shape.as_slice() {
            [] if indices.scalars.is_empty() => vec![0, rank as i64],
            [] => vec![1, rank as i64],
            shape => shape.to_vec(),
        };
        let number = index_shape.first().copied().unwrap_or(0);
        let i64_type = self.context.i64_type();
        let index_type = self.tensor_type(&index_shape, i64_type, start)?;
        let value_type = self.tensor_type(&[number], element, start)?;
        let indices = self.dense_elements(indices, index_type, start)?;
        let values = self.dense_elements(values, value_type, start)?;
        self.context
            .try_attribute(AttributeKind::Sparse {
                ty,
                indices,
                values,
            })
            .map_err(at)
    }

    fn tensor_type(&mut self, shape: &[i64], element: Type, start: usize) -> Result<Type> {
        self.context
            .try_type(TypeKind::RankedTensor {
                shape: shape.into(),
                element,
                encoding: None,
            })
            .map_err(|e| AsmError::new(start, e.message()))
    }

    /// Parses the rest of `array<type: values>`, after the type.
    pub(super) fn dense_array(&mut self, element: Type, start: usize) -> Result<Step<'s>> {
        let layout = self
            .context
            .dense_array_layout(element)
            .map_err(|e| AsmError::new(start, e.message()))?;
        let mut data = Vec::new();
        let mut length = 0usize;
        if self.eat(TokenKind::Colon) {
            length = self.array_elements(layout, &mut data)?;
        }
        let what = match length {
            // Neither elements nor the end.
            0 => "':' after dense array type",
            _ => "'>' to close an array attribute",
        };
        self.expect(TokenKind::Greater, what)?;
        let kind = AttributeKind::DenseArray {
            element,
            length,
            data: data.into(),
        };
        match self.context.try_attribute(kind) {
            Ok(attribute) => Ok(Step::Done(Entry::Attribute(attribute))),
            Err(invalid) => Err(AsmError::new(start, invalid.message())),
        }
    }
}

impl Parser<'_, '_> {
    /// `[1, 2]` as an array of numbers of a type.
    pub(super) fn numbers_in_brackets(&mut self, element: Type) -> Result<Attribute> {
        let start = self.token.start;
        let layout = self
            .context
            .dense_array_layout(element)
            .map_err(|e| AsmError::new(start, e.message()))?;
        self.expect(TokenKind::LeftSquare, "'['")?;
        let (mut data, mut length) = (Vec::new(), 0);
        if !self.eat(TokenKind::RightSquare) {
            length = self.array_elements(layout, &mut data)?;
            self.expect(TokenKind::RightSquare, "']'")?;
        }
        let kind = AttributeKind::DenseArray {
            element,
            length,
            data: data.into(),
        };
        let made = self.context.try_attribute(kind);
        made.map_err(|invalid| AsmError::new(start, invalid.message()))
    }

    /// One number or more with commas between them; the result is how many.
    fn array_elements(&mut self, layout: ElementLayout, data: &mut Vec<u8>) -> Result<usize> {
        let mut length = 0usize;
        loop {
            let scalar = self.dense_scalar()?;
            if layout.is_bool() && scalar.token.kind == TokenKind::Integer {
                return Err(AsmError::new(
                    scalar.token.end,
                    "expected 'true' or 'false' values for i1 type",
                ));
            }
            self.spend_on_integer(layout.scalar.width(), scalar.token)?;
            self.scalar_bytes(scalar, layout, data)?;
            length = length.saturating_add(1);
            if !self.eat(TokenKind::Comma) {
                return Ok(length);
            }
        }
    }
}

/// Returns whether a literal is one element for all, which is written without brackets.
fn is_splat(literal: &DenseLiteral) -> bool {
    literal.shape.is_empty() && literal.elements() == 1
}

/// Clears bits above the width of the scalars, which hex data can set.
fn mask_unused(data: &mut [u8], layout: ElementLayout) {
    let used = layout.scalar.width() % 8;
    if used == 0 {
        return;
    }
    let mask = (1u8 << used).wrapping_sub(1);
    for scalar in data.chunks_exact_mut(layout.scalar_size) {
        if let Some(last) = scalar.last_mut() {
            *last &= mask;
        }
    }
}
