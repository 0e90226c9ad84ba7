//! The structure of the dialect's types. When nested in each other they are printed without
//! `!llvm.`.

use rmlir_ir::asm::AsmPrinter;
use rmlir_ir::float::FloatKind;
use rmlir_ir::{
    AttributeKind, BodyBuilder, BodyPiece, BodyReference, Context, DialectBody, Signedness, Type,
    TypeKind,
};
use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

/// The keywords with which types of the dialect start.
pub(super) const KEYWORDS: [&str; 12] = [
    "array",
    "func",
    "label",
    "metadata",
    "ppc_fp128",
    "ptr",
    "struct",
    "target",
    "token",
    "vec",
    "void",
    "x86_amx",
];

/// Returns the body of a type of the dialect.
pub(super) fn body(context: &Context, ty: Type) -> Option<&DialectBody> {
    match context.type_kind(ty) {
        TypeKind::Dialect { dialect, body } if context.bytes(*dialect) == b"llvm" => Some(body),
        _ => None,
    }
}

/// Returns whether a type is one of the dialect with that keyword.
pub(super) fn is(context: &Context, ty: Type, keyword: &str) -> bool {
    body(context, ty).is_some_and(|body| word(body.text()) == keyword.as_bytes())
}

/// Returns the type of the dialect with this body.
pub(super) fn make(context: &mut Context, body: DialectBody) -> Option<Type> {
    let dialect = context.identifier("llvm");
    context.try_type(TypeKind::Dialect { dialect, body }).ok()
}

/// Returns the type of the dialect with this text.
pub(super) fn from_text(context: &mut Context, text: &str) -> Option<Type> {
    make(context, DialectBody::from_text(text.as_bytes()))
}

/// Appends a type as it is printed within another: without the dialect's prefix if it is compatible
/// with LLVM IR, else as a reference.
pub(super) fn spell(context: &Context, ty: Type, out: &mut BodyBuilder) {
    if let Some(text) = scalar(context, ty) {
        return out.text(text.as_bytes());
    }
    match context.type_kind(ty) {
        _ if !is_compatible(context, ty) => out.reference(context, BodyReference::Type(ty)),
        TypeKind::Dialect { .. } => match body(context, ty) {
            // `ppc_fp128` keeps its prefix, as upstream, which also reads it without.
            Some(body) if body.text() != b"ppc_fp128" => {
                append(context, body, &Part::all(body), out);
            }
            _ => out.reference(context, BodyReference::Type(ty)),
        },
        TypeKind::Vector {
            shape,
            scalable,
            element,
        } => {
            out.text(b"vector<");
            for (size, scalable) in shape.iter().zip(scalable) {
                let size = match scalable {
                    true => format!("[{size}]x"),
                    false => format!("{size}x"),
                };
                out.text(size.as_bytes());
            }
            match scalar(context, *element) {
                Some(text) => out.text(text.as_bytes()),
                None => out.reference(context, BodyReference::Type(*element)),
            }
            out.text(b">");
        }
        _ => out.reference(context, BodyReference::Type(ty)),
    }
}

/// Returns whether a type is compatible with LLVM IR: an LLVM scalar, or a type of the dialect
/// built from compatible types only.
fn is_compatible(context: &Context, ty: Type) -> bool {
    let mut rest = vec![ty];
    let mut seen = HashSet::new();
    while let Some(ty) = rest.pop() {
        match context.type_kind(ty) {
            TypeKind::Vector { shape, element, .. } if shape.len() == 1 => rest.push(*element),
            TypeKind::Dialect { .. } if is_pointer(context, ty) => {}
            TypeKind::Dialect { .. } => {
                let Some(body) = body(context, ty) else {
                    return false;
                };
                if !has_compatible_text(body.text()) {
                    return false;
                }
                let references = body.references().iter();
                rest.extend(references.filter_map(|&(_, reference)| match reference {
                    BodyReference::Type(inner) => seen.insert(inner).then_some(inner),
                    BodyReference::Attribute(_) => None,
                }));
            }
            _ if scalar(context, ty).is_some() => {}
            _ => return false,
        }
    }
    true
}

/// Returns whether a type is `!ptr.ptr` with an address space of the dialect, which upstream treats
/// as a pointer of the dialect.
fn is_pointer(context: &Context, ty: Type) -> bool {
    let TypeKind::Dialect { dialect, body } = context.type_kind(ty) else {
        return false;
    };
    let is_space = |attribute| match context.attribute_kind(attribute) {
        AttributeKind::Dialect { dialect, body, .. } => {
            context.bytes(*dialect) == b"llvm" && word(body.text()) == b"address_space"
        }
        _ => false,
    };
    context.bytes(*dialect) == b"ptr"
        && word(body.text()) == b"ptr"
        && matches!(body.references(), [(_, BodyReference::Attribute(space))] if is_space(*space))
}

/// Returns whether the text of a body contains no keyword of a type that is incompatible with LLVM
/// IR.
fn has_compatible_text(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some((&first, behind)) = rest.split_first() {
        rest = match first {
            // A quoted name. Quotes within it are escaped as hexadecimal digits, so the next quote
            // ends it.
            b'"' => {
                let end = behind.iter().position(|&b| b == b'"');
                let end = end.unwrap_or(behind.len()).saturating_add(1);
                behind.get(end..).unwrap_or_default()
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let word = word(rest);
                let behind = rest.get(word.len()..).unwrap_or_default();
                match word {
                    b"vector" => match behind.strip_prefix(b"<").and_then(behind_one_size) {
                        Some(behind) => behind,
                        None => return false,
                    },
                    b"x" | b"packed" | b"opaque" => behind,
                    word if is_own(word) || is_scalar(word) => behind,
                    _ => return false,
                }
            }
            // The arrow of a function type that is not one of the dialect.
            b'-' => return false,
            _ => behind,
        };
    }
    true
}

/// Returns the text after the size `4x` or `[4]x` of a vector, if the vector has one dimension.
fn behind_one_size(text: &[u8]) -> Option<&[u8]> {
    let is_size = |b: &u8| b.is_ascii_digit() || matches!(b, b'[' | b']');
    let len = text.iter().take_while(|b| is_size(b)).count();
    let behind = text.get(len..)?.strip_prefix(b"x")?;
    (len > 0 && !behind.first().is_some_and(is_size)).then_some(behind)
}

/// Returns whether a word is an integer or float type of LLVM IR.
fn is_scalar(word: &[u8]) -> bool {
    match word.split_first() {
        Some((b'i', digits)) if !digits.is_empty() => digits.iter().all(u8::is_ascii_digit),
        _ => FloatKind::from_keyword(word).is_some_and(is_float),
    }
}

/// Returns whether LLVM IR has a float type.
fn is_float(kind: FloatKind) -> bool {
    use FloatKind::{BF16, F16, F32, F64, F80, F128};
    matches!(kind, BF16 | F16 | F32 | F64 | F80 | F128)
}

/// Returns the text of an integer or float type of LLVM IR.
pub(super) fn scalar(context: &Context, ty: Type) -> Option<String> {
    match context.type_kind(ty) {
        TypeKind::Integer {
            width,
            signedness: Signedness::Signless,
        } => Some(format!("i{width}")),
        TypeKind::Float(kind) if is_float(*kind) => Some(kind.keyword().to_owned()),
        _ => None,
    }
}

/// Returns `!llvm.func<result (inputs)>`, with `void` for no result; `None` if one of the types is
/// incompatible with LLVM IR.
pub(super) fn function(
    context: &mut Context,
    inputs: &[Type],
    result: Option<Type>,
    variadic: bool,
) -> Option<Type> {
    let mut types = inputs.iter().chain(&result);
    if !types.all(|&ty| is_compatible(context, ty)) {
        return None;
    }
    let mut out = BodyBuilder::new();
    out.text(b"func<");
    match result {
        Some(result) => spell(context, result, &mut out),
        None => out.text(b"void"),
    }
    out.text(b" (");
    for (number, &input) in inputs.iter().enumerate() {
        if number > 0 {
            out.text(b", ");
        }
        spell(context, input, &mut out);
    }
    if variadic {
        out.text(if inputs.is_empty() { b"..." } else { b", ..." });
    }
    out.text(b")>");
    make(context, out.finish())
}

/// Returns `!llvm.struct<(a, b)>`; `None` if one of the types is incompatible with LLVM IR.
pub(super) fn pair(context: &mut Context, types: [Type; 2]) -> Option<Type> {
    if !types.iter().all(|&ty| is_compatible(context, ty)) {
        return None;
    }
    let body = pair_body(context, types);
    make(context, body)
}

/// Returns whether a type is `!llvm.struct<(a, b)>`.
pub(super) fn is_pair(context: &Context, ty: Type, types: [Type; 2]) -> bool {
    body(context, ty).is_some_and(|body| pair_body(context, types) == *body)
}

fn pair_body(context: &Context, [first, second]: [Type; 2]) -> DialectBody {
    let mut out = BodyBuilder::new();
    out.text(b"struct<(");
    spell(context, first, &mut out);
    out.text(b", ");
    spell(context, second, &mut out);
    out.text(b")>");
    out.finish()
}

/// A nested type: a range of a body's text and the references in it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    text: Range<usize>,
    references: Range<usize>,
}

impl Part {
    fn all(body: &DialectBody) -> Self {
        Part {
            text: 0..body.text().len(),
            references: 0..body.references().len(),
        }
    }

    /// Returns a range of text, trimmed of blanks, with the references at its ends included.
    fn new(body: &DialectBody, mut text: Range<usize>) -> Self {
        let references = body.references();
        let at = |reference: &(u32, BodyReference)| reference.0 as usize;
        let first = references.partition_point(|r| at(r) < text.start);
        let last = references.partition_point(|r| at(r) <= text.end);
        let is_blank = |at: usize| body.text().get(at) == Some(&b' ');
        let low = references.get(first..last).and_then(|r| r.first()).map(at);
        let high = references.get(first..last).and_then(|r| r.last()).map(at);
        while text.start < text.end && is_blank(text.start) && low != Some(text.start) {
            text.start = text.start.saturating_add(1);
        }
        while let Some(before) = text.end.checked_sub(1)
            && before >= text.start
            && is_blank(before)
            && high != Some(text.end)
        {
            text.end = before;
        }
        Part {
            text,
            references: first..last,
        }
    }

    fn text<'b>(&self, body: &'b DialectBody) -> &'b [u8] {
        body.text().get(self.text.clone()).unwrap_or_default()
    }

    /// Returns whether the part starts as a type does. If not, it is not a type, whatever it was
    /// stored as.
    pub(super) fn is_type(&self, body: &DialectBody) -> bool {
        let text = self.text(body);
        let is_number = |digits: &str| digits.bytes().all(|b| b.is_ascii_digit());
        let word = std::str::from_utf8(word(text)).unwrap_or_default();
        match word {
            "" => text.is_empty() && !self.references.is_empty(),
            "vector" => true,
            _ => {
                is_own(text)
                    || FloatKind::from_keyword(word.as_bytes()).is_some()
                    || word
                        .strip_prefix('i')
                        .is_some_and(|d| !d.is_empty() && is_number(d))
            }
        }
    }

    /// Returns the pieces of the part in order.
    fn pieces<'b>(&self, body: &'b DialectBody) -> Vec<BodyPiece<'b>> {
        let mut pieces = Vec::new();
        let mut from = self.text.start;
        let references = body.references().get(self.references.clone());
        for &(at, reference) in references.unwrap_or_default() {
            let at = at as usize;
            if let Some(text) = body.text().get(from..at).filter(|text| !text.is_empty()) {
                pieces.push(BodyPiece::Text(text));
            }
            pieces.push(BodyPiece::Reference(reference));
            from = at;
        }
        let rest = body.text().get(from..self.text.end);
        if let Some(text) = rest.filter(|text| !text.is_empty()) {
            pieces.push(BodyPiece::Text(text));
        }
        pieces
    }

    /// Returns the type; `None` if it is unknown.
    pub(super) fn ty(&self, context: &mut Context, body: &DialectBody) -> Option<Type> {
        let text = self.text(body);
        let references = body.references().get(self.references.clone());
        match (text, references.unwrap_or_default()) {
            (b"", [(_, BodyReference::Type(ty))]) => return Some(*ty),
            (text, _) if is_own(text) => {
                let mut out = BodyBuilder::new();
                append(context, body, self, &mut out);
                return make(context, out.finish());
            }
            _ => {}
        }
        match text.strip_prefix(b"vector<") {
            Some(inside) => vector(context, inside.strip_suffix(b">")?, references),
            None => scalar_of(context, text),
        }
    }

    /// Returns whether the part denotes the type `ty`.
    pub(super) fn is(&self, context: &Context, body: &DialectBody, ty: Type) -> bool {
        let (mut here, mut there) = (BodyBuilder::new(), BodyBuilder::new());
        append(context, body, self, &mut here);
        spell(context, ty, &mut there);
        let references = body.references().get(self.references.clone());
        // A type of the dialect can also be written with its prefix.
        let alone = matches!(
            (self.text(body), references),
            (b"", Some([(_, BodyReference::Type(found))])) if *found == ty
        );
        alone || here.finish() == there.finish()
    }

    /// Returns whether it is `void`.
    pub(super) fn is_void(&self, body: &DialectBody) -> bool {
        self.text(body) == b"void"
    }

    /// Prints the type.
    pub(super) fn print(&self, printer: &mut dyn AsmPrinter, body: &DialectBody) {
        if is_own(self.text(body)) {
            printer.text("!llvm.");
        }
        for piece in self.pieces(body) {
            match piece {
                BodyPiece::Text(text) => printer.text(&String::from_utf8_lossy(text)),
                BodyPiece::Reference(BodyReference::Type(ty)) => printer.ty(ty),
                BodyPiece::Reference(BodyReference::Attribute(attribute)) => {
                    printer.attribute(attribute);
                }
            }
        }
    }
}

fn append(context: &Context, body: &DialectBody, part: &Part, out: &mut BodyBuilder) {
    for piece in part.pieces(body) {
        match piece {
            BodyPiece::Text(text) => out.text(text),
            BodyPiece::Reference(reference) => out.reference(context, reference),
        }
    }
}

/// Returns the leading word of a text.
fn word(text: &[u8]) -> &[u8] {
    let in_word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
    let len = text.iter().position(|b| !in_word(b)).unwrap_or(text.len());
    text.get(..len).unwrap_or_default()
}

/// Returns whether a text starts with a keyword of the dialect's types.
fn is_own(text: &[u8]) -> bool {
    let word = word(text);
    KEYWORDS.iter().any(|keyword| keyword.as_bytes() == word)
}

fn scalar_of(context: &mut Context, text: &[u8]) -> Option<Type> {
    if let Some(kind) = FloatKind::from_keyword(text) {
        return Some(context.float_type(kind));
    }
    let digits = std::str::from_utf8(text.strip_prefix(b"i")?).ok()?;
    let kind = TypeKind::Integer {
        width: digits.parse().ok()?,
        signedness: Signedness::Signless,
    };
    context.try_type(kind).ok()
}

/// Returns the type of `4x[8]xf32` in `vector<...>`; the element can be a reference.
fn vector(
    context: &mut Context,
    text: &[u8],
    references: Option<&[(u32, BodyReference)]>,
) -> Option<Type> {
    let mut rest = std::str::from_utf8(text).ok()?;
    let (mut shape, mut scalable) = (Vec::new(), Vec::new());
    while rest.starts_with(|c: char| c == '[' || c.is_ascii_digit()) {
        let (size, behind) = rest.split_once('x')?;
        let inside = size.strip_prefix('[').and_then(|s| s.strip_suffix(']'));
        shape.push(inside.unwrap_or(size).parse().ok()?);
        scalable.push(inside.is_some());
        rest = behind;
    }
    let element = match (rest.trim_start(), references) {
        ("", Some([(_, BodyReference::Type(ty))])) => *ty,
        (text, _) => scalar_of(context, text.as_bytes())?,
    };
    let kind = TypeKind::Vector {
        shape: shape.into(),
        scalable: scalable.into(),
        element,
    };
    context.try_type(kind).ok()
}

/// Returns the result and the inputs of `!llvm.func<result (inputs)>`, and whether it is variadic.
pub(super) fn function_parts(body: &DialectBody) -> Option<(Part, Vec<Part>, bool)> {
    let text = body.text();
    let start = b"func<".len();
    if !text.starts_with(b"func<") || !text.ends_with(b")>") {
        return None;
    }
    let end = text.len().checked_sub(2)?;
    // The parenthesis that encloses the end of the text.
    let open = opening(text, start..end)?;
    let result = Part::new(body, start..open);
    let mut inputs = split(body, open.checked_add(1)?..end);
    let dots = inputs.pop_if(|last| last.text(body) == b"...");
    Some((result, inputs, dots.is_some()))
}

/// Returns the offset of the bracket whose content ends with `range`.
fn opening(text: &[u8], range: Range<usize>) -> Option<usize> {
    let mut open = Vec::new();
    let mut quoted = false;
    for at in range {
        match (text.get(at)?, quoted) {
            (b'"', _) => quoted = !quoted,
            (_, true) => {}
            (b'(' | b'<' | b'[' | b'{', _) => open.push(at),
            (b')' | b'>' | b']' | b'}', _) => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// Splits a range at its top-level commas.
fn split(body: &DialectBody, range: Range<usize>) -> Vec<Part> {
    let mut parts = Vec::new();
    let (mut depth, mut quoted, mut from) = (0usize, false, range.start);
    for at in range.clone() {
        match (body.text().get(at), quoted) {
            (Some(b'"'), _) => quoted = !quoted,
            (_, true) => {}
            (Some(b'(' | b'<' | b'[' | b'{'), _) => depth = depth.saturating_add(1),
            (Some(b')' | b'>' | b']' | b'}'), _) => depth = depth.saturating_sub(1),
            (Some(b','), _) if depth == 0 => {
                parts.push(Part::new(body, from..at));
                from = at.saturating_add(1);
            }
            _ => {}
        }
    }
    let last = Part::new(body, from..range.end);
    if !parts.is_empty() || !last.text.is_empty() || !last.references.is_empty() {
        parts.push(last);
    }
    parts
}

/// The position of an aggregate's element: the body that contains it, and its part.
pub(super) enum Element<'c> {
    /// A part of a body.
    Part(Cow<'c, DialectBody>, Part),
    /// A type stored as a reference.
    Type(Type),
}

impl Element<'_> {
    /// Returns the element without its borrow of the context.
    pub(super) fn detach(self) -> Element<'static> {
        match self {
            Element::Part(body, part) => Element::Part(Cow::Owned(body.into_owned()), part),
            Element::Type(ty) => Element::Type(ty),
        }
    }

    /// Returns the type; `None` if it is unknown.
    pub(super) fn ty(&self, context: &mut Context) -> Option<Type> {
        match self {
            Element::Part(body, part) => part.ty(context, body),
            Element::Type(ty) => Some(*ty),
        }
    }

    /// Returns whether two elements have the same type.
    pub(super) fn is_same(&self, context: &Context, other: &Element<'_>) -> bool {
        match (self, other) {
            (_, Element::Type(ty)) => self.is(context, *ty),
            (Element::Type(ty), _) => other.is(context, *ty),
            (Element::Part(body, part), Element::Part(other_body, other_part)) => {
                let (mut here, mut there) = (BodyBuilder::new(), BodyBuilder::new());
                append(context, body, part, &mut here);
                append(context, other_body, other_part, &mut there);
                here.finish() == there.finish()
            }
        }
    }

    /// Returns whether it is this type.
    pub(super) fn is(&self, context: &Context, ty: Type) -> bool {
        match self {
            Element::Part(body, part) => part.is(context, body, ty),
            Element::Type(found) => *found == ty,
        }
    }
}

/// Returns the element of an aggregate at a position; `None` if there is none.
pub(super) fn element<'c>(
    context: &'c Context,
    aggregate: Type,
    position: &[i64],
) -> Option<Element<'c>> {
    let whole = |ty| {
        let body = body(context, ty)?;
        Some((body, Part::all(body)))
    };
    let Some(mut at) = whole(aggregate).filter(|_| !position.is_empty()) else {
        return position.is_empty().then_some(Element::Type(aggregate));
    };
    for &index in position {
        let (body, part) = at;
        // A type of the dialect can also be written with its prefix.
        let (body, part) = match body.references().get(part.references.clone()) {
            Some(&[(_, BodyReference::Type(ty))]) if part.text.is_empty() => whole(ty)?,
            _ => (body, part),
        };
        at = (body, element_part(body, &part, index)?);
    }
    Some(Element::Part(Cow::Borrowed(at.0), at.1))
}

/// Returns the element of a struct or array that is a part of a body.
fn element_part(body: &DialectBody, part: &Part, index: i64) -> Option<Part> {
    let text = part.text(body);
    let end = part.text.end.checked_sub(1)?;
    if text.starts_with(b"array<") {
        let open = part.text.start.checked_add(b"array<".len())?;
        let inside = body.text().get(open..end)?;
        let by = inside.iter().position(|&b| b == b'x')?;
        return Some(Part::new(body, open.checked_add(by)?.checked_add(1)?..end));
    }
    if !text.starts_with(b"struct<") || !text.ends_with(b")>") {
        return None;
    }
    let start = part.text.start.checked_add(b"struct<".len())?;
    let end = end.checked_sub(1)?;
    let open = opening(body.text(), start..end)?.checked_add(1)?;
    split(body, open..end)
        .into_iter()
        .nth(usize::try_from(index).ok()?)
}
