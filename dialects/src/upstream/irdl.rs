//! Custom syntax of the `irdl` dialect.

use super::enclosing::enclosing;
use super::pdl::OperationAttributes;
use crate::directive::{Directive, Printed, TwoWayDirective};
use crate::function::entry_block;
use crate::helpers::{dialect_attribute, property};
use crate::two_way::{
    Asm, Named, TwoWay, is_word, items, other_attributes, plain_string, string_array,
};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, ParsedArgument, ParsedOperation, RegionArgument,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Message, Module, NamedAttribute, Op, Operation,
    OperationVerifier, SymbolTableCollection, Value, VerifyFailure, VerifyResult,
};
use std::collections::HashMap;

/// Custom syntax of `irdl.dialect`, `irdl.operation`, `irdl.attribute` and `irdl.type`:
/// `@name attributes {...} {...}`. The block is omitted if it is empty.
#[derive(Debug)]
pub(crate) struct Described;

/// The parsed parts of [`Described`].
#[derive(Default)]
pub(crate) struct DescribedContent {
    name: Vec<u8>,
    attributes: Vec<NamedAttribute>,
    has_operations: bool,
}

impl TwoWay for Described {
    type Content = DescribedContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<DescribedContent> {
        let name = module.attribute(context, operation, "sym_name");
        let block = entry_block(module, operation)?;
        let fits = crate::func::has_shape(module, operation, 0, 0, 1)
            && module.argument_count(block) == 0
            && module.next_block(block).is_none();
        let name = plain_string(context, name).filter(|_| fits)?.to_vec();
        let attributes = other_attributes(context, module, operation, &["sym_name"]);
        Some(DescribedContent {
            name,
            attributes,
            has_operations: module.first_operation(block).is_some(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut DescribedContent) -> AsmResult<()> {
        asm.space(" ");
        asm.symbol_name(&mut content.name)?;
        asm.dictionary_with_keyword(&mut content.attributes)?;
        asm.space(" ");
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut DescribedContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let name = parser.context().string_attribute(&content.name);
        property(parser, operation, "sym_name", name);
        operation.attributes = std::mem::take(&mut content.attributes);
        if parser.at("{") {
            return Ok(Some(Vec::new()));
        }
        let region = parser.make_region(&[]);
        operation.regions.push(region);
        Ok(None)
    }

    fn shows_region(&self, content: &DescribedContent) -> bool {
        content.has_operations
    }

    fn is_close(&self) -> bool {
        true
    }

    fn has_format(&self) -> bool {
        true
    }
}

/// The directive `(name: %value, ...)`: the values, an array of the names and, if `counted`, their
/// variadicities.
#[derive(Debug)]
pub(crate) struct NamedValues {
    /// Whether `optional` or `variadic` can precede a value.
    counted: bool,
}

pub(crate) static NAMED_VALUES: Directive<NamedValues> = Directive(NamedValues { counted: false });
pub(crate) static COUNTED_VALUES: Directive<NamedValues> = Directive(NamedValues { counted: true });

/// The variadicities that can precede a value.
const WORDS: [&str; 3] = ["optional", "variadic", SINGLE];

/// The variadicity that is not printed.
const SINGLE: &str = "single";

/// Returns the keywords in `#irdl<variadicity_array[...]>`.
fn variadicities(context: &Context, attribute: Option<Attribute>) -> Option<Vec<&str>> {
    let AttributeKind::Dialect { body, .. } = context.attribute_kind(attribute?) else {
        return None;
    };
    let text = std::str::from_utf8(body.text()).ok()?;
    let inner = text.strip_prefix("variadicity_array")?.trim();
    let inner = inner.strip_prefix('[')?.strip_suffix(']')?.trim();
    match inner {
        "" => Some(Vec::new()),
        inner => Some(inner.split(',').map(str::trim).collect()),
    }
}

/// A value with its name and the index of its variadicity.
#[derive(Default)]
pub(crate) struct NamedValue {
    name: Vec<u8>,
    word: Option<usize>,
    value: Named,
}

impl TwoWayDirective for NamedValues {
    type Content = Vec<NamedValue>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [values, names, counts @ ..] = printed.arguments else {
            return None;
        };
        let (context, values) = (printed.context, values.operands());
        let names = items(context, names.attribute())?;
        let counts = match counts.first() {
            Some(counts) => variadicities(context, counts.attribute())?,
            None => vec![SINGLE; values.len()],
        };
        if names.len() != values.len() || counts.len() != values.len() {
            return None;
        }
        let all = names.iter().zip(counts).zip(values);
        let one = |((&name, count), &value): ((&Attribute, &str), &Value)| {
            let name = plain_string(context, Some(name)).filter(|name| is_word(name))?;
            let word = WORDS
                .iter()
                .position(|&word| word == count && word != SINGLE);
            let (name, value) = (name.to_vec(), Named::of(value));
            Some(NamedValue { name, word, value })
        };
        all.map(one).collect()
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.list(("(", ")"), content, |asm, one| {
            asm.any_keyword(&mut one.name)?;
            asm.token(":", ": ")?;
            if self.counted {
                asm.optional_choice(&WORDS, &mut one.word);
            }
            asm.value(&mut one.value)
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let context = parser.context();
        let names: Vec<&[u8]> = content.iter().map(|one| &*one.name).collect();
        let names = string_array(context, &names);
        let words = content.iter().map(|one| one.word);
        let words = words.map(|word| word.and_then(|word| WORDS.get(word)).unwrap_or(&SINGLE));
        // The body of the attribute has a space before each nested attribute.
        let words: Vec<String> = words.map(|word| format!(" {word}")).collect();
        let counts = format!("variadicity_array[{}]", words.join(", "));
        let counts = dialect_attribute(context, "irdl", &counts);
        let counts = counts.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        if let [of_values, of_names, of_counts @ ..] = arguments {
            let values = content.into_iter().filter_map(|one| one.value.name);
            *of_values = ParsedArgument::Operands(values.collect());
            *of_names = ParsedArgument::Attribute(Some(names));
            of_counts.fill(ParsedArgument::Attribute(Some(counts)));
        }
        Ok(())
    }
}

/// The directive `{"name" = %value, ...}`.
pub(crate) static ATTRIBUTES: Directive<OperationAttributes> =
    Directive(OperationAttributes { open: "{" });

/// Verifies the names of operands, results, regions or parameters: they have lowercase letters,
/// digits and underscores only, and each occurs once.
#[derive(Debug)]
pub(crate) struct Names(pub(crate) &'static str);

impl OperationVerifier for Names {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let names = op
            .attr("names")
            .map(|names| op.context.attribute_kind(names));
        let Some(AttributeKind::Array(names)) = names else {
            return Ok(());
        };
        let what = self.0;
        let mut first = HashMap::new();
        for (number, &name) in names.iter().enumerate() {
            let name = op.context.string_value(name).unwrap_or_default();
            let is_valid = |b: &u8| b.is_ascii_lowercase() || b.is_ascii_digit() || *b == b'_';
            if !name.iter().all(is_valid) {
                return Err(VerifyFailure::op(format!(
                    "name of {what} #{number} must contain only lowercase letters, digits and \
                     underscores"
                )));
            }
            if let Some(earlier) = first.insert(name, number) {
                return Err(VerifyFailure::op(format!(
                    "name of {what} #{number} is a duplicate of the name of {what} #{earlier}"
                )));
            }
        }
        Ok(())
    }
}

/// Verifies the reference to a type or attribute in `irdl.base` or `irdl.parametric`; of the
/// former also the name.
#[derive(Debug)]
pub(crate) struct Base {
    /// The attribute with the reference.
    pub(crate) reference: &'static str,
}

impl OperationVerifier for Base {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let name = op.attr("base_name");
        let name = name.and_then(|name| op.context.string_value(name));
        match name {
            Some(name) if !name.starts_with(b"!") && !name.starts_with(b"#") => Err(
                VerifyFailure::op("the base type or attribute name should start with '!' or '#'"),
            ),
            _ => Ok(()),
        }
    }

    fn uses_symbols(&self) -> bool {
        true
    }

    fn verify_symbol_uses(&self, op: Op<'_>, symbols: &mut SymbolTableCollection) -> VerifyResult {
        // Names are looked up from the dialect's own position.
        let around = enclosing(op, |around| around.is("irdl.dialect"))?;
        let (Some(reference), Some(around)) =
            (op.attr(self.reference), around.and_then(Op::parent))
        else {
            return Ok(());
        };
        let found = symbols.lookup_symbol_from(op.context, op.module, around.operation, reference);
        let message = Message::from("symbol '").attribute(reference);
        match found.map(|found| op.with_id(found)) {
            None => Err(VerifyFailure::op(message.text("' not found"))),
            Some(found) if !found.is("irdl.type") && !found.is("irdl.attribute") => {
                Err(VerifyFailure::op(message.text(format_args!(
                    "' does not refer to a type or attribute definition (refers to '{}')",
                    found.name()
                ))))
            }
            Some(_) => Ok(()),
        }
    }
}

/// Verifies `irdl.operation`: no two of its operands, results and regions have the same name.
#[derive(Debug)]
pub(crate) struct DistinctNames;

impl OperationVerifier for DistinctNames {
    fn verify_regions(&self, op: Op<'_>) -> VerifyResult {
        let mut first = HashMap::new();
        for child in op.children() {
            let kind = match &*child.name() {
                "irdl.operands" => "operands",
                "irdl.results" => "results",
                "irdl.regions" => "regions",
                _ => continue,
            };
            let names = child
                .attr("names")
                .map(|names| op.context.attribute_kind(names));
            let Some(AttributeKind::Array(names)) = names else {
                continue;
            };
            for &name in names {
                let earlier = *first.entry(name).or_insert(kind);
                if earlier != kind {
                    let name = op.context.string_value(name).unwrap_or_default();
                    return Err(VerifyFailure::op(format!(
                        "contains a value named '{}' for both its {earlier} and {kind}",
                        name.escape_ascii()
                    )));
                }
            }
        }
        Ok(())
    }
}
