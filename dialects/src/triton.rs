//! Directives of Triton's dialects `ttg` and `ttng`.

pub(crate) mod partitions;

use crate::directive::{Printed, TwoWayDirective};
use crate::entry::{EntryAsm, List, TwoWayEntry, field, required, set};
use crate::helpers::{dialect_type, integer_of, is_dialect_type, member_keyword, member_value};
use crate::two_way::{Asm, Named, Sequence as _, failure, invalid, one_type, operands};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut,
    ParsedArgument,
};
use rmlir_ir::{Attribute, DYNAMIC, Invalid, Type};

/// The directive for a token that is waited for and the token that results: nothing, `[]`, `[%a]`.
#[derive(Debug)]
pub(crate) struct Token;

/// The text of the type of tokens, without the dialect.
const TOKEN: &str = "async.token";

/// The text of [`Token`].
#[derive(Default)]
pub(crate) struct TokenContent {
    place: Option<usize>,
    is_there: bool,
    /// The token that is waited for, if there is one.
    value: Option<Named>,
}

impl TwoWayDirective for Token {
    type Content = TokenContent;

    fn content(&self, printed: &Printed<'_>) -> Option<TokenContent> {
        let [token, ty] = printed.arguments else {
            return None;
        };
        let (tokens, types) = (token.operands(), ty.types());
        let is_token = |&ty| is_dialect_type(printed.context, ty, "ttg", TOKEN);
        let is_lossless = types.iter().all(is_token)
            && (!types.is_empty() || tokens.is_empty())
            && tokens.len() <= 1;
        is_lossless.then(|| TokenContent {
            place: None,
            is_there: !types.is_empty(),
            value: tokens.first().copied().map(Named::of),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut TokenContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.optional("[", "[", &mut content.is_there);
        if !content.is_there {
            return Ok(false);
        }
        if asm.is_value_there(content.value.is_some()) {
            asm.value(content.value.get_or_insert_default())?;
        }
        asm.token("]", "]")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: TokenContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let ([value, of], true) = (arguments, content.is_there) {
            let ty = dialect_type(parser.context(), "ttg", TOKEN);
            *of = one_type(Some(ty.map_err(invalid(content.place))?));
            *value = operands(content.value.as_slice());
        }
        Ok(())
    }
}

/// The directive for barriers and their predicates: `, %barrier[%predicate]`, any number of them.
#[derive(Debug)]
pub(crate) struct Barriers;

impl TwoWayDirective for Barriers {
    /// Barriers and their predicates.
    type Content = Vec<(Named, Named)>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [barriers, predicates] = printed.arguments else {
            return None;
        };
        let (barriers, predicates) = (barriers.operands(), predicates.operands());
        let pairs = barriers.iter().zip(predicates);
        let pairs = pairs.map(|(&barrier, &predicate)| (Named::of(barrier), Named::of(predicate)));
        (barriers.len() == predicates.len()).then(|| pairs.collect())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there(",", !content.is_empty()) {
            return Ok(false);
        }
        asm.token(",", ", ")?;
        asm.items(content, |asm, (barrier, predicate)| {
            asm.value(barrier)?;
            asm.token("[", "[")?;
            asm.value(predicate)?;
            asm.token("]", "]")
        })?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (barriers, predicates): (Vec<Named>, Vec<Named>) = content.into_iter().unzip();
        if let [of_barriers, of_predicates] = arguments {
            *of_barriers = operands(&barriers);
            *of_predicates = operands(&predicates);
        }
        Ok(())
    }
}

/// The directive for a dense array of `i32`, without brackets: `0, 32`.
#[derive(Debug)]
pub(crate) struct Offsets;

impl TwoWayDirective for Offsets {
    /// The numbers, and their place in a text that is read.
    type Content = (Vec<i64>, Option<usize>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let value = printed.arguments.first()?.attribute()?;
        let values: Vec<i64> = printed.context.i32_array(value)?.map(i64::from).collect();
        (!values.is_empty()).then_some((values, None))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (values, place): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.items(values, Asm::integer)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (values, place): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let values: Result<Vec<i32>, _> = values.into_iter().map(i32::try_from).collect();
        let Ok(values) = values else {
            return Err(failure(place, "integer value too large"));
        };
        if let [argument] = arguments {
            let value = parser.context().i32_array_attribute(values);
            *argument = ParsedArgument::Attribute(Some(value));
        }
        Ok(())
    }
}

/// The directive for an integer that holds bits of an enumeration: `local|global_read`.
#[derive(Debug)]
pub(crate) struct AddressSpaces;

const ADDRESS_SPACES: (&str, &str) = ("ttg", "AddrSpace");

impl TwoWayDirective for AddressSpaces {
    /// The keywords, and the position of each in a text that is read.
    type Content = Vec<(Vec<u8>, Option<usize>)>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let context = printed.context;
        let value = printed.arguments.first()?.attribute();
        let value = integer_of(context, context.i32_type(), value)?;
        let value = u64::try_from(value).ok()?;
        let word = |value| member_keyword(context, ADDRESS_SPACES, value);
        let words = match word(value) {
            Some(word) => vec![word],
            None => (0..u32::BITS)
                .map(|bit| 1 << bit)
                .filter(|bit| value & bit != 0)
                .map(word)
                .collect::<Option<_>>()?,
        };
        let words = words.into_iter().map(|word| (word.into_bytes(), None));
        Some(words.collect())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, words: &mut Self::Content) -> AsmResult<bool> {
        let mut index = 0;
        loop {
            if asm.place().is_some() {
                words.push((Vec::new(), asm.place()));
            }
            if let Some((word, _)) = words.get_mut(index) {
                asm.word(word)?;
            }
            index = index.saturating_add(1);
            let mut follows = index < words.len();
            asm.optional("|", "|", &mut follows);
            if !follows {
                return Ok(true);
            }
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        words: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let mut value = 0;
        let context = parser.context();
        for (word, place) in words {
            let word = String::from_utf8_lossy(&word).into_owned();
            // A quoted string can have several.
            for word in word.split('|') {
                let bits = member_value(context, ADDRESS_SPACES, word);
                let unknown = || failure(place, format!("unknown addrSpace '{word}'"));
                value |= bits.ok_or_else(unknown)?;
            }
        }
        let i32 = context.i32_type();
        let value = context.integer_attribute(i32, value.cast_signed()).ok();
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(value);
        }
        Ok(())
    }
}

/// The parameters of types with a shape: `<16x32xf16, #layout>`; for a memory descriptor
/// `<2x16x32xf16, #layout, #space, mutable, 4x16x32>`, where the allocated shape is printed if it
/// differs.
#[derive(Debug)]
pub(crate) struct Shaped;

/// The indices of the parameters: the shape, the element type, the layout; those that only memory
/// descriptors have follow.
const SPACE: usize = 3;
const MUTABLE: usize = 4;
const ALLOCATED: usize = 5;

/// The text of a type with a shape.
#[derive(Default)]
pub(crate) struct ShapedContent<'v> {
    sizes: List<'v, i64>,
    element: Option<Type>,
    layout: Option<Attribute>,
    space: Option<Attribute>,
    is_mutable: bool,
    allocated: List<'v, i64>,
}

impl TwoWayEntry for Shaped {
    type Content<'v> = ShapedContent<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<ShapedContent<'v>, Invalid> {
        let is_size = |size: i64| size >= 0 || size == DYNAMIC;
        let element = required(values, 1, "expected the type of elements")?;
        let sizes = List::of(values, 0, NO_SIZES)?;
        let allocated = List::of(values, ALLOCATED, NO_SIZES)?;
        if !sizes.all(is_size) || !allocated.all(is_size) {
            return Err(Invalid::new(NO_SIZES));
        }
        Ok(ShapedContent {
            sizes,
            element,
            layout: field(values, 2),
            space: field(values, SPACE),
            is_mutable: field::<u64>(values, MUTABLE) > 0,
            allocated,
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut ShapedContent<'_>) -> AsmResult<()> {
        asm.token("<", "<")?;
        asm.sizes(&mut content.sizes, "x")?;
        asm.ty(&mut content.element)?;
        for attribute in [&mut content.layout, &mut content.space] {
            let mut is_there = attribute.is_some();
            asm.optional(",", ", ", &mut is_there);
            if is_there {
                asm.attribute(attribute)?;
            }
        }
        let mut more = content.is_mutable || !content.allocated.is_empty();
        asm.optional(",", ", ", &mut more);
        if more {
            asm.optional("mutable", "mutable", &mut content.is_mutable);
            if content.is_mutable {
                more = !content.allocated.is_empty();
                asm.optional(",", ", ", &mut more);
            }
        }
        if more {
            last_sizes(asm, &mut content.allocated)?;
        }
        asm.token(">", ">")
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: ShapedContent<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 1, content.element);
        set(values, 2, content.layout);
        set(values, SPACE, content.space);
        if content.is_mutable {
            set(values, MUTABLE, 1u64);
        }
        let allocated = content.allocated.read();
        if !allocated.is_empty() && allocated != content.sizes.read() {
            content.allocated.set(values, ALLOCATED);
        }
        content.sizes.set(values, 0);
        Ok(())
    }
}

const NO_SIZES: &str = "expected sizes";

/// `4x16x32`, without an `x` at the end.
fn last_sizes(asm: &mut EntryAsm<'_>, sizes: &mut List<'_, i64>) -> AsmResult<()> {
    let EntryAsm::Parser(parser) = asm else {
        return asm.dimensions(sizes);
    };
    let place = parser.place();
    let first = parser.optional_integer()?;
    let Some(first) = first.and_then(|first| i64::try_from(first).ok()) else {
        return parser.expected("sizes");
    };
    sizes.push(first);
    // The rest is a word: `x16x32`.
    if let Some(rest) = parser.optional_keyword() {
        let text = parser.context().str(rest).into_owned();
        let mut words = text.split('x');
        let numbers: Result<Vec<i64>, _> = words.by_ref().skip(1).map(str::parse).collect();
        match numbers {
            Ok(numbers) if text.starts_with('x') => sizes.read_mut().extend(numbers),
            _ => return Err(AsmError::new(place, NO_SIZES)),
        }
    }
    Ok(())
}
