//! Clauses whose values are of device types: `(%a : type, %b : type [#acc.device_type<nvidia>])`.

use crate::directive::{Printed, TwoWayDirective, TypedName, items_of, other_arguments};
use crate::helpers::{dialect_attribute, is_dialect_attribute, sizes_of};
use crate::two_way::{Asm, items};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context};

/// The text of the device type that is not written.
const NONE: &str = "device_type<none>";

fn is_none(context: &Context, device: Attribute) -> bool {
    is_dialect_attribute(context, device, "acc", NONE)
}

/// Returns the device type that is not written.
fn none(parser: &mut dyn AsmParser) -> AsmResult<Attribute> {
    let place = parser.place();
    let made = dialect_attribute(parser.context(), "acc", NONE);
    made.map_err(|error| AsmError::new(place, error.message()))
}

/// ` [device]`, which is absent for the device type that is not written.
fn device(asm: &mut Asm<'_, '_>, device: &mut Option<Attribute>) -> AsmResult<()> {
    let shown = match asm {
        Asm::Parser(_) => false,
        Asm::Printer(printer) => device.is_some_and(|one| !is_none(printer.context(), one)),
    };
    if asm.is_there("[", shown) {
        asm.token("[", " [")?;
        asm.attribute(device)?;
        asm.token("]", "]")?;
    } else if let Asm::Parser(parser) = asm {
        *device = Some(none(&mut **parser)?);
    }
    Ok(())
}

/// Returns an array of attributes.
fn array(parser: &mut dyn AsmParser, all: &[Option<Attribute>]) -> ParsedArgument {
    let all: Vec<Attribute> = all.iter().copied().flatten().collect();
    ParsedArgument::Attribute(Some(parser.context().array_attribute(&all)))
}

/// Values of a device type.
#[derive(Default)]
pub(crate) struct Group {
    values: Vec<TypedName>,
    /// The kinds of [`GANG`].
    kinds: Vec<usize>,
    has_number: bool,
    device: Option<Attribute>,
}

/// The device types of a keyword alone.
#[derive(Default)]
pub(crate) enum Keyword {
    /// The keyword is not alone.
    #[default]
    Absent,
    /// There is nothing but the keyword.
    Alone,
    /// `[device, device]` before the values.
    Devices(Vec<Option<Attribute>>),
}

/// The directive for values by device type. Its arguments are operands, types, kinds (of gangs),
/// device types, sizes of groups, device numbers (of waits), and the device types of the keyword.
#[derive(Debug)]
pub(crate) struct Devices {
    /// Whether the values of a device type are in braces.
    groups: bool,
    /// Whether `devnum: ` can precede the first value.
    numbers: bool,
    /// Whether each value has a kind.
    kinds: bool,
    /// Whether the keyword can be alone, or have device types.
    keyword: bool,
}

const fn devices(groups: bool, numbers: bool, kinds: bool, keyword: bool) -> Devices {
    Devices {
        groups,
        numbers,
        kinds,
        keyword,
    }
}

pub(crate) const VALUES: Devices = devices(false, false, false, false);
pub(crate) const VALUES_OR_KEYWORD: Devices = devices(false, false, false, true);
pub(crate) const GROUPS: Devices = devices(true, false, false, false);
pub(crate) const WAIT: Devices = devices(true, true, false, true);
pub(crate) const GANG: Devices = devices(true, false, true, true);

/// The words and the attributes of kinds.
const KINDS: [(&str, &str); 3] = [
    ("num", "gang_arg_type<Num>"),
    ("dim", "gang_arg_type<Dim>"),
    ("static", "gang_arg_type<Static>"),
];

/// The attributes of a directive, in order of its arguments.
struct Parts<T> {
    kinds: Option<T>,
    devices: Option<T>,
    sizes: Option<T>,
    numbers: Option<T>,
    keyword: Option<T>,
}

impl Devices {
    /// Distributes the arguments that follow operands and types.
    fn parts<T>(&self, rest: impl IntoIterator<Item = T>) -> Parts<T> {
        let mut rest = rest.into_iter();
        let mut next = |there: bool| if there { rest.next() } else { None };
        Parts {
            kinds: next(self.kinds),
            devices: next(true),
            sizes: next(self.groups),
            numbers: next(self.numbers),
            keyword: next(self.keyword),
        }
    }

    /// Returns whether a text sets the device types of the keyword, to an empty list if it has
    /// none. Upstream drops them if there are values that are not in groups.
    fn sets_keyword(&self, has_values: bool) -> bool {
        self.keyword && (self.groups || !has_values)
    }

    /// Returns the device types of the keyword.
    fn keyword(
        &self,
        context: &Context,
        attribute: Option<Attribute>,
        has_values: bool,
    ) -> Option<Keyword> {
        let Some(attribute) = attribute else {
            return (has_values && !self.sets_keyword(has_values)).then_some(Keyword::Absent);
        };
        if !self.sets_keyword(has_values) {
            return None;
        }
        match items(context, Some(attribute))? {
            [one] if !has_values && is_none(context, *one) => Some(Keyword::Alone),
            [] if !has_values => None,
            all => Some(Keyword::Devices(all.iter().copied().map(Some).collect())),
        }
    }
}

impl TwoWayDirective for Devices {
    type Content = (Keyword, Vec<Group>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let context = printed.context;
        let (operands, rest) = printed.arguments.split_at_checked(2)?;
        let [operands, types] = operands else {
            return None;
        };
        let values = TypedName::all(operands, types)?;
        let parts = self.parts(rest.iter().map(PrintedArgument::attribute));
        let keyword = self.keyword(context, parts.keyword.flatten(), !values.is_empty())?;
        let (of_devices, of_sizes) = (parts.devices.flatten(), parts.sizes.flatten());
        if values.is_empty() {
            // A text without values has no lists of them.
            let has_text = !matches!(keyword, Keyword::Absent);
            return (has_text && of_devices.is_none()).then_some((keyword, Vec::new()));
        }
        let sizes = match self.groups {
            true => sizes_of(context, of_sizes?)?,
            false => vec![1; values.len()],
        };
        let total = sizes
            .iter()
            .try_fold(0usize, |sum, &size| sum.checked_add(size))?;
        if total != values.len() || sizes.contains(&0) {
            return None;
        }
        let devices = items_of(context, of_devices, sizes.len())?;
        let numbers = match parts.numbers {
            Some(numbers) => items_of(context, numbers, sizes.len())?,
            None => Vec::new(),
        };
        let kinds = match parts.kinds {
            Some(kinds) => items_of(context, kinds, values.len())?,
            None => Vec::new(),
        };
        let mut kinds = kinds.into_iter().map(|kind| {
            let is = |row: &(&str, &str)| is_dialect_attribute(context, kind, "acc", row.1);
            KINDS.iter().position(is)
        });
        let (mut values, mut numbers) = (values.into_iter(), numbers.into_iter());
        let mut groups = Vec::with_capacity(sizes.len());
        for (size, device) in sizes.into_iter().zip(devices) {
            let mut group = Group {
                values: values.by_ref().take(size).collect(),
                device: Some(device),
                ..Group::default()
            };
            for kind in kinds.by_ref().take(size) {
                group.kinds.push(kind?);
            }
            if let Some(number) = numbers.next() {
                group.has_number = number == context.bool_attribute(true);
            }
            groups.push(group);
        }
        Some((keyword, groups))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (keyword, groups): &mut Self::Content,
    ) -> AsmResult<bool> {
        if self.keyword {
            if !asm.is_there("(", !matches!(keyword, Keyword::Alone)) {
                *keyword = Keyword::Alone;
                return Ok(true);
            }
            asm.token("(", "(")?;
            let printed = matches!(keyword, Keyword::Devices(all) if !all.is_empty());
            let mut has_devices = false;
            if asm.is_there("[", printed) {
                has_devices = true;
                if let Asm::Parser(_) = asm {
                    *keyword = Keyword::Devices(Vec::new());
                }
                if let Keyword::Devices(all) = keyword {
                    asm.list(("[", "]"), all, |asm, one| asm.attribute(one))?;
                }
            } else if let Asm::Parser(_) = asm {
                *keyword = Keyword::Devices(Vec::new());
            }
            if has_devices {
                // Without values, the list ends here.
                if !asm.is_there(",", !groups.is_empty()) {
                    asm.token(")", ")")?;
                    return Ok(true);
                }
                asm.token(",", ", ")?;
            }
        }
        asm.items(groups, |asm, group| self.group(asm, group))?;
        if self.keyword {
            asm.token(")", ")")?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (keyword, groups): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let Some(([operands, types], rest)) = arguments.split_at_mut_checked(2) else {
            return Err(other_arguments(parser));
        };
        let parts = self.parts(rest);
        if let Some(argument) = parts.keyword
            && self.sets_keyword(!groups.is_empty())
        {
            let devices = match keyword {
                Keyword::Absent => Vec::new(),
                Keyword::Alone => vec![Some(none(parser)?)],
                Keyword::Devices(all) => all,
            };
            *argument = array(parser, &devices);
        }
        if groups.is_empty() {
            return Ok(());
        }
        if let Some(argument) = parts.devices {
            let devices: Vec<_> = groups.iter().map(|group| group.device).collect();
            *argument = array(parser, &devices);
        }
        if let Some(argument) = parts.sizes {
            let sizes: Vec<usize> = groups.iter().map(|group| group.values.len()).collect();
            let sizes = crate::helpers::segment_sizes(parser.context(), &sizes);
            *argument = ParsedArgument::Attribute(sizes);
        }
        if let Some(argument) = parts.numbers {
            let numbers = groups.iter().map(|group| group.has_number);
            let numbers: Vec<_> = numbers
                .map(|one| Some(parser.context().bool_attribute(one)))
                .collect();
            *argument = array(parser, &numbers);
        }
        if let Some(argument) = parts.kinds {
            let mut kinds = Vec::new();
            for kind in groups.iter().flat_map(|group| &group.kinds) {
                let text = KINDS.get(*kind).map_or("", |row| row.1);
                kinds.push(dialect_attribute(parser.context(), "acc", text).ok());
            }
            *argument = array(parser, &kinds);
        }
        TypedName::set(
            groups.into_iter().flat_map(|group| group.values),
            operands,
            types,
        );
        Ok(())
    }
}

impl Devices {
    fn group(&self, asm: &mut Asm<'_, '_>, group: &mut Group) -> AsmResult<()> {
        if !self.groups {
            let mut value = group.values.first().copied().unwrap_or_default();
            asm.typed(&mut value, " : ")?;
            group.values = vec![value];
            return device(asm, &mut group.device);
        }
        asm.token("{", "{")?;
        if self.numbers && asm.is_there("devnum", group.has_number) {
            group.has_number = true;
            asm.token("devnum", "devnum")?;
            asm.token(":", ": ")?;
        }
        let mut kinds = std::mem::take(&mut group.kinds).into_iter();
        let mut found = Vec::new();
        asm.items(&mut group.values, |asm, value| {
            if self.kinds {
                let mut kind = kinds.next().unwrap_or_default();
                asm.choice(&KINDS.map(|row| row.0), &mut kind)?;
                asm.token("=", "=")?;
                found.push(kind);
            }
            asm.typed(value, " : ")
        })?;
        group.kinds = found;
        asm.token("}", "}")?;
        device(asm, &mut group.device)
    }
}

/// The directive for the device types of a keyword: `([device, device])`, or nothing.
#[derive(Debug)]
pub(crate) struct DeviceTypes;

impl TwoWayDirective for DeviceTypes {
    type Content = Keyword;

    fn content(&self, printed: &Printed<'_>) -> Option<Keyword> {
        let attribute = printed.arguments.first()?.attribute();
        GANG.keyword(printed.context, attribute, false)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Keyword) -> AsmResult<bool> {
        if !asm.is_there("(", !matches!(content, Keyword::Alone)) {
            *content = Keyword::Alone;
            return Ok(true);
        }
        if let Asm::Parser(_) = asm {
            *content = Keyword::Devices(Vec::new());
        }
        asm.token("(", "(")?;
        if let Keyword::Devices(all) = content {
            asm.list(("[", "]"), all, |asm, one| asm.attribute(one))?;
        }
        asm.token(")", ")")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Keyword,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let devices = match content {
            Keyword::Absent => Vec::new(),
            Keyword::Alone => vec![Some(none(parser)?)],
            Keyword::Devices(all) => all,
        };
        if let [argument] = arguments {
            *argument = array(parser, &devices);
        }
        Ok(())
    }
}

/// The directive for the gangs of a routine: `([device], dim: 1 : i64 [device])`, or nothing.
#[derive(Debug)]
pub(crate) struct RoutineGang;

type Pairs = Vec<(Option<Attribute>, Option<Attribute>)>;

/// Returns attributes with the device types of another array.
fn pairs(
    context: &Context,
    attributes: Option<Attribute>,
    devices: Option<Attribute>,
) -> Option<Pairs> {
    let attributes = match attributes {
        None => &[],
        attributes => items(context, attributes)?,
    };
    let devices = items_of(context, devices, attributes.len())?;
    let all = attributes.iter().copied().map(Some);
    Some(all.zip(devices.into_iter().map(Some)).collect())
}

impl TwoWayDirective for RoutineGang {
    type Content = (Keyword, Pairs);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [gang, dimensions, devices] = printed.arguments else {
            return None;
        };
        let dimensions = pairs(printed.context, dimensions.attribute(), devices.attribute())?;
        let has_values = !dimensions.is_empty();
        let keyword = GANG.keyword(printed.context, gang.attribute(), has_values)?;
        Some((keyword, dimensions))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (keyword, dimensions): &mut Self::Content,
    ) -> AsmResult<bool> {
        if !asm.is_there("(", !matches!(keyword, Keyword::Alone)) {
            *keyword = Keyword::Alone;
            return Ok(true);
        }
        asm.token("(", "(")?;
        let printed = matches!(keyword, Keyword::Devices(all) if !all.is_empty());
        if let Asm::Parser(_) = asm {
            *keyword = Keyword::Devices(Vec::new());
        }
        if asm.is_there("[", printed) {
            if let Keyword::Devices(all) = keyword {
                asm.list(("[", "]"), all, |asm, one| asm.attribute(one))?;
            }
            if !asm.is_there(",", !dimensions.is_empty()) {
                asm.token(")", ")")?;
                return Ok(true);
            }
            asm.token(",", ", ")?;
        }
        asm.items(dimensions, |asm, (dimension, of)| {
            asm.token("dim", "dim")?;
            asm.token(":", ": ")?;
            asm.attribute(dimension)?;
            device(asm, of)
        })?;
        asm.token(")", ")")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (keyword, dimensions): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [gang, of_dimensions, devices] = arguments else {
            return Err(other_arguments(parser));
        };
        match keyword {
            Keyword::Absent => {}
            Keyword::Alone => {
                let none = none(parser)?;
                *gang = array(parser, &[Some(none)]);
            }
            Keyword::Devices(all) => *gang = array(parser, &all),
        }
        if !dimensions.is_empty() {
            let (all, of): (Vec<_>, Vec<_>) = dimensions.into_iter().unzip();
            *of_dimensions = array(parser, &all);
            *devices = array(parser, &of);
        }
        Ok(())
    }
}

/// The directive for the names that a routine is bound to: `@name, "name" [device]`. Before LLVM
/// 22, one list has all names.
#[derive(Debug)]
pub(crate) struct Bind;

impl TwoWayDirective for Bind {
    type Content = Pairs;

    fn content(&self, printed: &Printed<'_>) -> Option<Pairs> {
        let context = printed.context;
        if let [names, devices] = printed.arguments {
            return pairs(
                context,
                Some(names.attribute()?),
                Some(devices.attribute()?),
            );
        }
        let [symbols, strings, of_symbols, of_strings] = printed.arguments else {
            return None;
        };
        // A text always has all of these lists, which can be empty.
        let mut lists = printed.arguments.iter().map(PrintedArgument::attribute);
        if lists.any(|list| list.is_none()) {
            return None;
        }
        let mut all = pairs(context, symbols.attribute(), of_symbols.attribute())?;
        all.extend(pairs(context, strings.attribute(), of_strings.attribute())?);
        Some(all)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Pairs) -> AsmResult<bool> {
        asm.items(content, |asm, (name, of)| {
            asm.attribute(name)?;
            device(asm, of)
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Pairs,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [names, devices] = arguments {
            let (all, of): (Vec<_>, Vec<_>) = content.into_iter().unzip();
            *names = array(parser, &all);
            *devices = array(parser, &of);
            return Ok(());
        }
        let [symbols, strings, of_symbols, of_strings] = arguments else {
            return Err(other_arguments(parser));
        };
        let context = parser.context();
        let is_symbol = |(name, _): &(Option<Attribute>, Option<Attribute>)| {
            name.is_some_and(|name| {
                matches!(
                    context.attribute_kind(name),
                    AttributeKind::SymbolRef { .. }
                )
            })
        };
        let (of_refs, of_texts): (Pairs, Pairs) = content.into_iter().partition(is_symbol);
        for (pairs, names, devices) in [
            (of_refs, symbols, of_symbols),
            (of_texts, strings, of_strings),
        ] {
            let (all, of): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            *names = array(parser, &all);
            *devices = array(parser, &of);
        }
        Ok(())
    }
}
