//! Clauses without arguments of the region: words, and lists of values with their modifiers.

use super::case;
use crate::directive::{Case, Printed, TwoWayDirective, TypedName, items_of, other_arguments};
use crate::helpers::{dialect_members, integer_of, is_unit, member_attribute, member_value};
use crate::two_way::Asm;
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::definition::LlvmFeature;
use rmlir_ir::{Attribute, AttributeKind, Context, Signedness, TypeKind};

/// The directive `%allocator : type -> %value : type, ...`.
#[derive(Debug)]
pub(crate) struct Allocate;

impl TwoWayDirective for Allocate {
    type Content = Vec<(TypedName, TypedName)>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [values, types, allocators, their_types] = printed.arguments else {
            return None;
        };
        let values = TypedName::all(values, types)?;
        let allocators = TypedName::all(allocators, their_types)?;
        (values.len() == allocators.len()).then(|| values.into_iter().zip(allocators).collect())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, (value, allocator)| {
            asm.typed(allocator, " : ")?;
            asm.token("->", " -> ")?;
            asm.typed(value, " : ")
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [values, types, allocators, their_types] = arguments else {
            return Err(other_arguments(parser));
        };
        let (of_values, of_allocators): (Vec<_>, Vec<_>) = content.into_iter().unzip();
        TypedName::set(of_values, values, types);
        TypedName::set(of_allocators, allocators, their_types);
        Ok(())
    }
}

/// The attributes of [`WithAttributes`].
#[derive(Debug)]
pub(crate) enum Attributes {
    /// Any attributes, after the type: `%a : type -> 32 : i64`.
    AfterType,
    /// Any attributes, before the type: `%a -> @copy : type`.
    BeforeType,
    /// Any attributes, before the value: `@copy -> %a : type`.
    BeforeValue,
}

/// The directive for a list of values, each with an attribute of an array.
#[derive(Debug)]
pub(crate) struct WithAttributes(pub(crate) Attributes);

impl TwoWayDirective for WithAttributes {
    type Content = Vec<(TypedName, Option<Attribute>)>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [values, types, attributes] = printed.arguments else {
            return None;
        };
        let values = TypedName::all(values, types)?;
        // No text has an empty list.
        if values.is_empty() && attributes.attribute().is_some() {
            return None;
        }
        let attributes = items_of(printed.context, attributes.attribute(), values.len())?;
        let attributes: Vec<_> = attributes.into_iter().map(Some).collect();
        Some(values.into_iter().zip(attributes).collect())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, (value, attribute)| match &self.0 {
            Attributes::AfterType => {
                asm.typed(value, " : ")?;
                asm.token("->", " -> ")?;
                asm.attribute(attribute)
            }
            Attributes::BeforeType => {
                asm.value(&mut value.name)?;
                asm.token("->", " -> ")?;
                asm.attribute(attribute)?;
                asm.token(":", " : ")?;
                asm.ty(&mut value.ty)
            }
            Attributes::BeforeValue => {
                asm.attribute(attribute)?;
                asm.token("->", " -> ")?;
                asm.typed(value, " : ")
            }
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [values, types, attributes] = arguments else {
            return Err(other_arguments(parser));
        };
        let (of_values, of): (Vec<_>, Vec<_>) = content.into_iter().unzip();
        let of: Vec<Attribute> = of.into_iter().flatten().collect();
        *attributes = ParsedArgument::Attribute(Some(parser.context().array_attribute(&of)));
        TypedName::set(of_values, values, types);
        Ok(())
    }
}

/// The directive `%a : type, %b : type`: values and their types.
#[derive(Debug)]
pub(crate) struct Values;

impl TwoWayDirective for Values {
    type Content = Vec<TypedName>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [values, types] = printed.arguments else {
            return None;
        };
        TypedName::all(values, types)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, one| asm.typed(one, " : "))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [values, types] = arguments else {
            return Err(other_arguments(parser));
        };
        TypedName::set(content, values, types);
        Ok(())
    }
}

/// The directive `word = %chunk : type, modifier, simd`.
#[derive(Debug)]
pub(crate) struct Schedule;

const KIND: Case = case("ClauseScheduleKind", "schedulekind");
const MODIFIER: Case = case("ScheduleModifier", "sched_mod");

/// The parsed parts of [`Schedule`].
#[derive(Default)]
pub(crate) struct Scheduled {
    kind: Option<Attribute>,
    chunk: Option<TypedName>,
    modifier: Option<Attribute>,
    simd: bool,
}

impl TwoWayDirective for Schedule {
    type Content = Scheduled;

    fn content(&self, printed: &Printed<'_>) -> Option<Scheduled> {
        let [kind, modifier, simd, chunk, ty] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let (kind, modifier) = (kind.attribute(), modifier.attribute());
        let simd = simd.attribute();
        let chunk = TypedName::all(chunk, ty)?.first().copied();
        // The parser accepts the keyword `simd` only after a modifier.
        let is_read = kind.is_some() && (modifier.is_some() || simd.is_none());
        let word = kind.and_then(|kind| KIND.word(context, kind))?;
        let takes_chunk = matches!(word, "static" | "dynamic" | "guided");
        (is_read
            && (takes_chunk || chunk.is_none())
            && MODIFIER.fits(context, modifier)
            && is_unit(context, simd))
        .then_some(Scheduled {
            kind,
            chunk,
            modifier,
            simd: simd.is_some(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Scheduled) -> AsmResult<bool> {
        asm.case(&KIND, &mut content.kind)?;
        if asm.is_there("=", content.chunk.is_some()) {
            asm.token("=", " = ")?;
            asm.typed(content.chunk.get_or_insert_default(), " : ")?;
        }
        if asm.is_there(",", content.modifier.is_some()) {
            asm.token(",", ", ")?;
            // The word `simd` alone is read as the second modifier.
            if asm.is_there("simd", false) {
                asm.optional("simd", "simd", &mut content.simd);
                return Ok(true);
            }
            asm.case(&MODIFIER, &mut content.modifier)?;
            if asm.is_there(",", content.simd) {
                asm.token(",", ", ")?;
                content.simd = true;
                asm.token("simd", "simd")?;
            }
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Scheduled,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [kind, modifier, simd, chunk, ty] = arguments else {
            return Err(other_arguments(parser));
        };
        let context = parser.context();
        let unit = content.simd.then(|| context.unit_attribute());
        let mut of_modifier = content.modifier;
        if content.simd && of_modifier.is_none() {
            of_modifier = MODIFIER.attribute(context, "none");
        }
        *kind = ParsedArgument::Attribute(content.kind);
        *modifier = ParsedArgument::Attribute(of_modifier);
        *simd = ParsedArgument::Attribute(unit);
        TypedName::set(content.chunk, chunk, ty);
        Ok(())
    }
}

/// The directive `reproducible:concurrent`: an order, and its modifier.
#[derive(Debug)]
pub(crate) struct Order;

const ORDER: Case = case("ClauseOrderKind", "orderkind");
const ORDER_MODIFIER: Case = case("OrderModifier", "order_mod");

impl TwoWayDirective for Order {
    type Content = (Option<Attribute>, Option<Attribute>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [order, modifier] = printed.arguments else {
            return None;
        };
        let (order, modifier) = (order.attribute(), modifier.attribute());
        (order.is_some()
            && ORDER.fits(printed.context, order)
            && ORDER_MODIFIER.fits(printed.context, modifier))
        .then_some((order, modifier))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (order, modifier): &mut Self::Content,
    ) -> AsmResult<bool> {
        let mut modified = modifier.is_some();
        if let Asm::Parser(parser) = asm {
            modified = parser.at("reproducible") || parser.at("unconstrained");
        }
        if modified {
            asm.case(&ORDER_MODIFIER, modifier)?;
            asm.token(":", ":")?;
        }
        asm.case(&ORDER, order)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (of_order, of_modifier): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [order, modifier] = arguments else {
            return Err(other_arguments(parser));
        };
        *order = ParsedArgument::Attribute(of_order);
        *modifier = ParsedArgument::Attribute(of_modifier);
        Ok(())
    }
}

/// The directive `strict, %count: type`.
#[derive(Debug)]
pub(crate) struct Granularity(Case);

/// The directives of `grainsize` and `num_tasks`.
pub(crate) const GRAINSIZE: Granularity = Granularity(case("ClauseGrainsizeType", "grainsizetype"));
pub(crate) const NUM_TASKS: Granularity = Granularity(case("ClauseNumTasksType", "numtaskstype"));

impl TwoWayDirective for Granularity {
    type Content = (Option<Attribute>, TypedName);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [modifier, count, ty] = printed.arguments else {
            return None;
        };
        let count = TypedName::all(count, ty)?.first().copied()?;
        let modifier = modifier.attribute();
        self.0
            .fits(printed.context, modifier)
            .then_some((modifier, count))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (modifier, count): &mut Self::Content,
    ) -> AsmResult<bool> {
        let mut modified = modifier.is_some();
        if let Asm::Parser(parser) = asm {
            modified = parser.at_keyword();
        }
        if modified {
            asm.case(&self.0, modifier)?;
            asm.token(",", ", ")?;
        }
        asm.typed(count, ": ")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (of_modifier, of_count): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [modifier, count, ty] = arguments else {
            return Err(other_arguments(parser));
        };
        *modifier = ParsedArgument::Attribute(of_modifier);
        TypedName::set([of_count], count, ty);
        Ok(())
    }
}

/// `ui64`.
const UI64: TypeKind = TypeKind::Integer {
    width: 64,
    signedness: Signedness::Unsigned,
};

/// The directive `word, word`: bits of an integer or of an enumeration.
#[derive(Debug)]
pub(crate) struct Words {
    /// The words with their bits, in the order in which they are printed. Of a word whose bits
    /// contain those of later ones, these are not printed.
    words: &'static [(&'static str, i64)],
    /// The enumeration of an attribute of this mnemonic; none for an integer.
    enumeration: Option<(&'static str, &'static str)>,
    /// Whether the integer is unsigned.
    unsigned: bool,
    /// The word for no bits.
    none: &'static str,
    /// The bits without which that word follows other words.
    required: i64,
    /// Whether unknown words are ignored.
    ignores: bool,
    /// The directive before [`MapFlags`](LlvmFeature::MapFlags).
    older: Option<&'static Words>,
}

/// The directive of hints.
pub(crate) const HINT: Words = Words {
    words: &[
        ("uncontended", 1),
        ("contended", 2),
        ("nonspeculative", 4),
        ("speculative", 8),
    ],
    enumeration: None,
    unsigned: false,
    none: "none",
    required: 0,
    ignores: false,
    older: None,
};

/// The directive of map types.
pub(crate) const MAP: Words = Words {
    words: &[
        ("always", 8),
        ("implicit", 256),
        ("ompx_hold", 2048),
        ("close", 512),
        ("present", 1024),
        ("tofrom", 6),
        ("from", 4),
        ("to", 2),
        ("delete", 16),
        ("return_param", 32),
        ("private", 64),
        ("literal", 128),
        ("attach", 4096),
        ("attach_always", 8192),
        ("attach_none", 16384),
        ("attach_auto", 32768),
        ("ref_ptr", 65536),
        ("ref_ptee", 131_072),
        ("ref_ptr_ptee", 262_144),
        ("is_device_ptr", 524_288),
        ("storage", 1),
    ],
    enumeration: Some(("ClauseMapFlags", "clause_map_flags")),
    unsigned: false,
    none: "none",
    required: 0,
    ignores: true,
    older: Some(&MAP_BITS),
};

/// The directive of map types that are an unsigned integer.
const MAP_BITS: Words = Words {
    words: &[
        ("always", 4),
        ("implicit", 0x200),
        ("ompx_hold", 0x2000),
        ("close", 0x400),
        ("present", 0x1000),
        ("tofrom", 3),
        ("from", 2),
        ("to", 1),
        ("delete", 8),
        ("return_param", 0x40),
    ],
    enumeration: None,
    unsigned: true,
    none: "exit_release_or_enter_alloc",
    required: 0x4b,
    ignores: true,
    older: None,
};

impl Words {
    /// Returns the directive of the context's release.
    fn of(&self, context: &Context) -> &Self {
        match self.older {
            Some(older) if !context.release().has(LlvmFeature::MapFlags) => older,
            _ => self,
        }
    }

    /// Returns the bits of an attribute.
    fn bits(&self, context: &Context, attribute: Attribute) -> Option<i64> {
        let Some((enumeration, mnemonic)) = self.enumeration else {
            let ty = match self.unsigned {
                true => {
                    let AttributeKind::Integer { ty, .. } = context.attribute_kind(attribute)
                    else {
                        return None;
                    };
                    (*context.type_kind(*ty) == UI64).then_some(*ty)?
                }
                false => context.i64_type(),
            };
            return integer_of(context, ty, Some(attribute));
        };
        let words = dialect_members(context, "omp", Some(attribute), mnemonic)?.split('|');
        let mut values = words.map(|word| member_value(context, ("omp", enumeration), word.trim()));
        values.try_fold(0, |bits, value| Some(bits | value?.cast_signed()))
    }

    /// Returns the attribute of bits.
    fn attribute(&self, context: &mut Context, bits: i64) -> Option<Attribute> {
        let Some((enumeration, mnemonic)) = self.enumeration else {
            let ty = match self.unsigned {
                true => context.try_type(UI64).ok()?,
                false => context.i64_type(),
            };
            return context.integer_attribute(ty, bits).ok();
        };
        let dialect = context.dialect(b"omp")?;
        let enumeration = dialect.enumeration_in(enumeration, context.release())?;
        let cases = enumeration.cases.iter();
        let mut left = bits;
        let mut words: Vec<String> = Vec::new();
        for case in cases {
            if case.value == 0 && bits == 0 || case.value != 0 && left & case.value == case.value {
                words.push(case.keyword.to_string());
                left &= !case.value;
            }
            if left == 0 {
                break;
            }
        }
        member_attribute(context, "omp", mnemonic, &words.join("|")).ok()
    }
}

impl TwoWayDirective for Words {
    type Content = i64;

    fn content(&self, printed: &Printed<'_>) -> Option<i64> {
        let [attribute] = printed.arguments else {
            return None;
        };
        let own = self.of(printed.context);
        let bits = own.bits(printed.context, attribute.attribute()?)?;
        let all = own.words.iter().fold(0, |all, (_, bits)| all | bits);
        (bits & !all == 0).then_some(bits)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut i64) -> AsmResult<bool> {
        let own = self.of(asm.context());
        let mut words: Vec<&'static str> = Vec::new();
        let mut left = *content;
        for &(word, bits) in own.words {
            if left & bits == bits {
                left &= !bits;
                words.push(word);
            }
        }
        if words.is_empty() || own.required != 0 && *content & own.required == 0 {
            words.push(own.none);
        }
        if let Asm::Parser(_) = asm {
            (words, *content) = (Vec::new(), 0);
        }
        asm.items(&mut words, |asm, word| {
            if let Asm::Parser(parser) = asm {
                let place = parser.place();
                let found = parser.optional_keyword();
                let found = found.map(|found| parser.context().str(found).into_owned());
                let found = found.unwrap_or_default();
                let known = own.words.iter().find(|(word, _)| *word == found);
                match known {
                    Some((_, bits)) => *content |= bits,
                    None if found == own.none || own.ignores && !found.is_empty() => {}
                    None => {
                        let message = format!("{found} is not a valid hint");
                        return Err(AsmError::new(place, message));
                    }
                }
                return Ok(());
            }
            asm.token(word, word)
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: i64,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [attribute] = arguments else {
            return Err(other_arguments(parser));
        };
        let own = self.of(parser.context());
        *attribute = ParsedArgument::Attribute(own.attribute(parser.context(), content));
        Ok(())
    }
}

/// The directive `[0], [1, 2]`: lists of indices.
#[derive(Debug)]
pub(crate) struct Indices;

impl TwoWayDirective for Indices {
    type Content = Vec<Vec<i64>>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let context = printed.context;
        let lists = printed
            .arguments
            .first()
            .and_then(PrintedArgument::attribute);
        let lists = crate::two_way::items(context, lists)?;
        let index = |&index: &Attribute| integer_of(context, context.i64_type(), Some(index));
        let list = |&list: &Attribute| {
            let list = crate::two_way::items(context, Some(list))?;
            list.iter().map(index).collect::<Option<Vec<i64>>>()
        };
        let lists: Vec<Vec<i64>> = lists.iter().map(list).collect::<Option<_>>()?;
        let is_printed = !lists.is_empty() && lists.iter().all(|list| !list.is_empty());
        is_printed.then_some(lists)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, list| {
            asm.list(("[", "]"), list, |asm, index| asm.integer(index))
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [attribute] = arguments else {
            return Err(other_arguments(parser));
        };
        let context = parser.context();
        let i64 = context.i64_type();
        let mut lists = Vec::with_capacity(content.len());
        for list in content {
            let list = list.into_iter();
            let list: Vec<Attribute> = list
                .filter_map(|index| context.integer_attribute(i64, index).ok())
                .collect();
            lists.push(context.array_attribute(&list));
        }
        *attribute = ParsedArgument::Attribute(Some(context.array_attribute(&lists)));
        Ok(())
    }
}

/// The directive `(%generated, ...) <- (%applied, ...)`; the first list is left out if it is empty.
#[derive(Debug)]
pub(crate) struct Transformed;

impl TwoWayDirective for Transformed {
    type Content = (Vec<TypedName>, Vec<TypedName>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [generated, applied] = printed.arguments else {
            return None;
        };
        let (generated, applied) = (TypedName::untyped(generated), TypedName::untyped(applied));
        (!applied.is_empty()).then_some((generated, applied))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (generated, applied): &mut Self::Content,
    ) -> AsmResult<bool> {
        asm.optional_list(("(", ")"), generated, |asm, one| asm.value(&mut one.name))?;
        asm.token("<", " <")?;
        asm.token("-", "-")?;
        asm.space(" ");
        asm.list(("(", ")"), applied, |asm, one| asm.value(&mut one.name))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (of_generated, of_applied): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [generated, applied] = arguments else {
            return Err(other_arguments(parser));
        };
        *generated = TypedName::operands(of_generated);
        *applied = TypedName::operands(of_applied);
        Ok(())
    }
}
