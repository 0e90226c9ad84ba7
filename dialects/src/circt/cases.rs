//! Operations with a region for each case: `sv.case` and `sv.generate.case`.

use super::fields::is_attribute_of;
use crate::func::has_shape;
use crate::helpers::{integer_of, is_dialect_attribute, property};
use crate::two_way::{Asm, Named, TwoWay, failure, invalid, items, other_attributes, plain_string};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, Signedness, Type,
    TypeKind, Value,
};

/// The number of cases beyond which they are printed in generic form if any has an operand: to find
/// the operand of a case takes the time of those before.
const MOST: usize = 4096;

/// Returns whether each region of an operation has one block without arguments.
fn are_plain(module: &Module, operation: Operation, regions: usize) -> bool {
    let is_plain = |number| super::loops::is_body(module, operation, number, &[]);
    (0..regions).all(is_plain)
}

/// The bits of a pattern, by their value in two bits of an integer.
const BITS: &[u8; 4] = b"01xz";

/// What a case is for.
#[derive(Default)]
enum Label {
    /// Everything else.
    #[default]
    Default,
    /// A value.
    Value(Named),
    /// The member of an enumeration, or bits, the highest first, after `b`.
    Word(Vec<u8>),
}

impl Label {
    /// Returns the label of a pattern; `None` if the text has none for it.
    fn of(context: &Context, pattern: Attribute, ty: Type, value: Option<Value>) -> Option<Self> {
        if pattern == context.unit_attribute() {
            return Some(Label::Default);
        }
        if is_dialect_attribute(context, pattern, "sv", "expr") {
            return Some(Label::Value(Named::of(value?)));
        }
        if is_attribute_of(context, pattern, "hw", "enum.field") {
            let found = context.parameter(pattern, "type")?.ty()?;
            let field = context.parameter(pattern, "field")?.bytes()?.to_vec();
            return (found == ty).then_some(Label::Word(field));
        }
        let AttributeKind::Integer { ty: of, value } = context.attribute_kind(pattern) else {
            return None;
        };
        let width = super::infer::width(context, ty)?;
        if super::infer::width(context, *of) != width.checked_mul(2) || value.width() / 2 != width {
            return None;
        }
        let mut word = b"b".to_vec();
        for at in (0..width).rev() {
            let bit = usize::from(value.bit(2 * at)) + 2 * usize::from(value.bit(2 * at + 1));
            word.extend(BITS.get(bit));
        }
        Some(Label::Word(word))
    }

    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        if asm.is_there("default", matches!(self, Label::Default)) {
            *self = Label::Default;
            return asm.token("default", "default");
        }
        asm.token("case", "case ")?;
        if let Asm::Parser(parser) = asm {
            *self = match parser.at_operand() {
                true => Label::Value(Named::default()),
                false => Label::Word(Vec::new()),
            };
        }
        match self {
            Label::Default => Ok(()),
            Label::Value(value) => asm.value(value),
            Label::Word(word) => asm.any_keyword(word),
        }
    }
}

/// Returns the integer with the bits of a pattern after `b`, for a value of `width` bits.
fn bits(
    context: &mut Context,
    place: Option<usize>,
    word: &[u8],
    width: u32,
) -> AsmResult<Attribute> {
    let Some(letters) = word.strip_prefix(b"b") else {
        return Err(failure(place, "expected case value starting with 'b'"));
    };
    let count = usize::try_from(width).unwrap_or(usize::MAX);
    let width = width.checked_mul(2).filter(|_| letters.len() <= count);
    let Some(width) = width else {
        return Err(failure(place, "too many bits specified in pattern"));
    };
    let mut bytes = vec![0u8; letters.len().div_ceil(4)];
    for (at, letter) in letters.iter().rev().enumerate() {
        let Some(bit) = BITS.iter().position(|bit| bit == letter) else {
            let letter = char::from(*letter);
            let message = format!("unexpected case bit '{letter}'");
            return Err(failure(place, message));
        };
        if let (Some(byte), Ok(bit)) = (bytes.get_mut(at / 4), u8::try_from(bit)) {
            *byte |= bit << (2 * (at % 4));
        }
    }
    let signedness = Signedness::Signless;
    let ty = context.try_type(TypeKind::Integer { width, signedness });
    let ty = ty.map_err(invalid(place))?;
    let value = ApInt::from_le_bytes(width, &bytes);
    let made = context.try_attribute(AttributeKind::Integer { ty, value });
    made.map_err(invalid(place))
}

/// The syntax of `sv.case`: `casez unique %a : type {...}`, then `case b01x: {...}`,
/// `case A: {...}`, `case %b: {...}` and `default: {...}`, each on a line.
#[derive(Debug)]
pub(crate) struct Case;

/// The text of [`Case`] before a region, or after the last one.
#[derive(Default)]
pub(crate) struct CaseContent {
    style: Option<usize>,
    qualifier: Option<usize>,
    condition: Named,
    ty: Option<Type>,
    attributes: Vec<NamedAttribute>,
    place: Option<usize>,
    label: Option<Label>,
    /// The patterns that were read.
    patterns: Vec<Attribute>,
}

/// The words of the ways to compare; the first is not printed.
const STYLES: [&str; 3] = ["case", "casex", "casez"];

/// The words about overlapping cases; the first is not printed.
const QUALIFIERS: [&str; 4] = ["plain", "priority", "unique", "unique0"];

/// The names of the attributes that the text has.
const CASE: [&str; 3] = ["casePatterns", "caseStyle", "validationQualifier"];

impl Case {
    /// Returns the label of a case.
    fn label(
        context: &Context,
        module: &Module,
        operation: Operation,
        number: usize,
    ) -> Option<Label> {
        let patterns = module.attribute(context, operation, "casePatterns");
        let patterns = items(context, patterns)?;
        let mut operands = module.operands(operation);
        let ty = module.value_type(operands.next()?);
        let pattern = *patterns.get(number)?;
        let count = operands.len();
        let is_value = |one: &&Attribute| is_dialect_attribute(context, **one, "sv", "expr");
        let before = match count {
            0 => 0,
            _ => patterns.iter().take(number).filter(is_value).count(),
        };
        Label::of(context, pattern, ty, operands.nth(before))
    }
}

impl CaseContent {
    /// The text of a case. Returns whether there is one.
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<bool> {
        let there = self.label.is_some();
        if !asm.is_there("case", there) && !asm.is_there("default", there) {
            return Ok(false);
        }
        asm.newline();
        self.place = asm.place();
        self.label.get_or_insert_default().text(asm)?;
        asm.token(":", ": ")?;
        Ok(true)
    }

    /// Adds the case that was read, or all patterns after the last one.
    fn build(
        &mut self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<bool> {
        let context = parser.context();
        let (Some(label), Some(ty)) = (self.label.take(), self.ty) else {
            let patterns = context.array_attribute(&self.patterns);
            property(parser, operation, "casePatterns", patterns);
            return Ok(false);
        };
        let pattern = match label {
            Label::Default => context.unit_attribute(),
            Label::Value(value) => {
                if let Some(name) = value.name {
                    operation.operands.push(parser.resolve(name, ty)?);
                }
                let made = crate::helpers::dialect_attribute(parser.context(), "sv", "expr");
                made.map_err(invalid(self.place))?
            }
            Label::Word(word) => match super::infer::width(context, ty) {
                Some(width) => bits(context, self.place, &word, width)?,
                None => super::values::member_attribute(context, self.place, &word, ty)?,
            },
        };
        self.patterns.push(pattern);
        Ok(true)
    }
}

impl TwoWay for Case {
    type Content = CaseContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<CaseContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let regions = module.regions(operation).len();
        let patterns = items(context, attribute("casePatterns"))?;
        let mut operands = module.operands(operation);
        let condition = operands.next()?;
        let ty = module.value_type(condition);
        let count = operands.len();
        let is_enum = {
            let ty = super::fields::without_alias(context, ty);
            crate::helpers::is_of(context, ty, "hw", "enum")
        };
        let is_case = has_shape(module, operation, count + 1, 0, regions)
            && patterns.len() == regions
            && are_plain(module, operation, regions)
            && (is_enum || super::infer::width(context, ty).is_some())
            && module
                .operands(operation)
                .all(|value| module.value_type(value) == ty)
            && (count == 0 || regions <= MOST);
        if !is_case {
            return None;
        }
        let mut first = None;
        for &pattern in patterns {
            let is_value = is_dialect_attribute(context, pattern, "sv", "expr");
            let value = if is_value { operands.next() } else { None };
            let label = Label::of(context, pattern, ty, value)?;
            (!is_enum || !is_value).then_some(())?;
            first.get_or_insert(label);
        }
        let style = match attribute("caseStyle") {
            Some(style) => integer_of(context, context.i32_type(), Some(style))?,
            None => 0,
        };
        let qualifier = match attribute("validationQualifier") {
            Some(found) => QUALIFIERS.iter().position(|word| {
                let text = format!("validation_qualifier {word}");
                is_dialect_attribute(context, found, "sv", &text)
            })?,
            None => 0,
        };
        let style = usize::try_from(style).ok()?;
        let is_lossless = style < STYLES.len() && operands.next().is_none();
        is_lossless.then(|| CaseContent {
            style: (style > 0).then_some(style),
            qualifier: (qualifier > 0).then_some(qualifier),
            condition: Named::of(condition),
            ty: Some(ty),
            attributes: other_attributes(context, module, operation, &CASE),
            label: first,
            ..CaseContent::default()
        })
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<CaseContent> {
        Some(CaseContent {
            label: Case::label(context, module, operation, regions),
            ..CaseContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut CaseContent) -> AsmResult<()> {
        asm.space(" ");
        asm.optional_choice(&STYLES, &mut content.style);
        asm.optional_choice(&QUALIFIERS, &mut content.qualifier);
        asm.value(&mut content.condition)?;
        asm.token(":", " : ")?;
        content.place = asm.place();
        asm.ty(&mut content.ty)?;
        asm.dictionary(&mut content.attributes)?;
        content.text(asm)?;
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut CaseContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        let context = parser.context();
        if let Some(style) = content.style {
            let i32 = context.i32_type();
            let style = i64::try_from(style).unwrap_or_default();
            let style = context.integer_attribute(i32, style);
            let style = style.map_err(invalid(content.place))?;
            property(parser, operation, "caseStyle", style);
        }
        if let Some(word) = content.qualifier.and_then(|at| QUALIFIERS.get(at)) {
            let text = format!("validation_qualifier {word}");
            let found = crate::helpers::dialect_attribute(parser.context(), "sv", &text);
            let found = found.map_err(invalid(content.place))?;
            property(parser, operation, "validationQualifier", found);
        }
        if let (Some(name), Some(ty)) = (content.condition.name, content.ty) {
            operation.operands.push(parser.resolve(name, ty)?);
        }
        let follows = content.build(parser, operation)?;
        Ok(follows.then(Vec::new))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut CaseContent,
        _: usize,
    ) -> AsmResult<bool> {
        content.text(asm)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut CaseContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        content.build(parser, operation)?;
        Ok(Vec::new())
    }

    fn is_close(&self) -> bool {
        true
    }
}

/// The syntax of `sv.generate.case`: `VALUE {...} [`, then `case (PATTERN, "name") {...}`, each on
/// a line, and `]`.
#[derive(Debug)]
pub(crate) struct GenerateCase;

/// The text of [`GenerateCase`] before a region, or after the last one.
#[derive(Default)]
pub(crate) struct GenerateContent {
    condition: Option<Attribute>,
    attributes: Vec<NamedAttribute>,
    case: Option<(Option<Attribute>, Option<Attribute>)>,
    /// The patterns and names that were read.
    patterns: Vec<Attribute>,
    names: Vec<Attribute>,
}

impl GenerateContent {
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<bool> {
        asm.newline();
        if !asm.is_there("case", self.case.is_some()) {
            self.case = None;
            asm.token("]", "]")?;
            return Ok(false);
        }
        let (pattern, name) = self.case.get_or_insert_default();
        asm.token("case", "case ")?;
        asm.token("(", "(")?;
        asm.attribute(pattern)?;
        asm.token(",", ", ")?;
        asm.string_as_attribute(name)?;
        asm.token(")", ") ")?;
        Ok(true)
    }

    fn build(&mut self, parser: &mut dyn AsmParser, operation: &mut ParsedOperation) -> bool {
        let Some((pattern, name)) = self.case.take() else {
            let context = parser.context();
            let patterns = context.array_attribute(&self.patterns);
            let names = context.array_attribute(&self.names);
            property(parser, operation, "casePatterns", patterns);
            property(parser, operation, "caseNames", names);
            return false;
        };
        self.patterns.extend(pattern);
        self.names.extend(name);
        true
    }

    /// Returns a case.
    fn case(
        context: &Context,
        module: &Module,
        operation: Operation,
        number: usize,
    ) -> Option<(Option<Attribute>, Option<Attribute>)> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let pattern = items(context, attribute("casePatterns"))?.get(number)?;
        let name = items(context, attribute("caseNames"))?.get(number)?;
        Some((Some(*pattern), Some(*name)))
    }
}

impl TwoWay for GenerateCase {
    type Content = GenerateContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<GenerateContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let regions = module.regions(operation).len();
        let names = items(context, attribute("caseNames"))?;
        let is_name = |&name: &Attribute| plain_string(context, Some(name)).is_some();
        let is_lossless = has_shape(module, operation, 0, 0, regions)
            && items(context, attribute("casePatterns"))?.len() == regions
            && names.len() == regions
            && names.iter().all(is_name)
            && are_plain(module, operation, regions);
        let elided = ["cond", "casePatterns", "caseNames"];
        is_lossless.then(|| GenerateContent {
            condition: attribute("cond"),
            attributes: other_attributes(context, module, operation, &elided),
            case: GenerateContent::case(context, module, operation, 0),
            ..GenerateContent::default()
        })
    }

    fn content_after(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        regions: usize,
    ) -> Option<GenerateContent> {
        Some(GenerateContent {
            case: GenerateContent::case(context, module, operation, regions),
            ..GenerateContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut GenerateContent) -> AsmResult<()> {
        asm.space(" ");
        asm.attribute(&mut content.condition)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token("[", " [")?;
        content.text(asm)?;
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut GenerateContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        if let Some(condition) = content.condition {
            property(parser, operation, "cond", condition);
        }
        Ok(content.build(parser, operation).then(Vec::new))
    }

    fn continues(&self) -> bool {
        true
    }

    fn text_after(
        &self,
        asm: &mut Asm<'_, '_>,
        content: &mut GenerateContent,
        _: usize,
    ) -> AsmResult<bool> {
        content.text(asm)
    }

    fn build_after(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut GenerateContent,
        _: usize,
    ) -> AsmResult<Vec<RegionArgument>> {
        content.build(parser, operation);
        Ok(Vec::new())
    }

    fn is_close(&self) -> bool {
        true
    }
}
