//! Hooks of the `sdy` dialect: attributes, and operations with regions.

pub(crate) mod computation;

use crate::entry::{EntryAsm, List, Rows, TwoWayEntry, field, set};
use crate::two_way::{Sequence, failure};
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Attribute, AttributeKind, Invalid};

/// The directive `{"a", "b":(1)2, ?}p3`: axes, whether the dimension is closed, priority.
#[derive(Debug)]
pub(crate) struct DimensionSharding;

/// The directive `@mesh`, or `mesh<...>`.
#[derive(Debug)]
pub(crate) struct MeshOrRef;

/// The directive `, replicated={...}, unreduced=max{...}`: replicated axes, unreduced axes,
/// reduction.
#[derive(Debug)]
pub(crate) struct NamedAxes;

/// The directive `ij`: factors.
#[derive(Debug)]
pub(crate) struct Factors;

/// The directive ` {i=8, j=16}`: the sizes of factors in order.
#[derive(Debug)]
pub(crate) struct FactorSizes;

/// The directive ` reduction={i} need_replication={j} ...`: four lists of factors.
#[derive(Debug)]
pub(crate) struct FactorKinds;

/// The directive `, custom`, printed if the parameter is true.
#[derive(Debug)]
pub(crate) struct CustomRule;

const AXIS: &str = "axis_ref";
const NO_AXIS: &str = "expected an axis";

/// The axes of a list; their brackets are part of the text around.
type Axes<'v> = List<'v, Option<Attribute>>;

/// `{"a", "b":(1)2}`.
fn axes_text(asm: &mut EntryAsm<'_>, axes: &mut Axes<'_>) -> AsmResult<()> {
    asm.list(("{", "}"), axes, |asm, axis| asm.stripped(AXIS, axis))
}

/// The text of a dimension.
#[derive(Default)]
pub(crate) struct Dimension<'v> {
    axes: Axes<'v>,
    is_open: bool,
    priority: Option<u64>,
}

/// `p3`, if it is there.
fn priority(asm: &mut EntryAsm<'_>, priority: &mut Option<u64>) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => {
            let place = parser.place();
            let Some(word) = parser.optional_keyword() else {
                return Ok(());
            };
            let text = parser.context().str(word);
            *priority = text
                .strip_prefix('p')
                .and_then(|digits| digits.parse().ok());
            if priority.is_none() {
                return Err(AsmError::new(place, "expecting integer priority"));
            }
        }
        EntryAsm::Printer(printer) => {
            if let Some(priority) = priority {
                printer.text(b"p");
                printer.integer(priority);
            }
        }
    }
    Ok(())
}

impl TwoWayEntry for DimensionSharding {
    type Content<'v> = Dimension<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Dimension<'v>, Invalid> {
        Ok(Dimension {
            axes: List::of(values, 0, NO_AXIS)?,
            is_open: field::<Option<u64>>(values, 1) == Some(0),
            priority: field(values, 2),
        })
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Dimension<'_>) -> AsmResult<()> {
        asm.token("{", "{")?;
        let rest = ("?", &mut content.is_open);
        asm.items_and_rest("}", &mut content.axes, rest, |asm, axis| {
            asm.stripped(AXIS, axis)
        })?;
        priority(asm, &mut content.priority)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Dimension<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        content.axes.set(values, 0);
        set(values, 1, u64::from(!content.is_open));
        set(values, 2, content.priority);
        Ok(())
    }
}

impl TwoWayEntry for MeshOrRef {
    /// Whether it is a mesh, and the mesh or symbol.
    type Content<'v> = (bool, Option<Attribute>);

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let mesh: Option<Attribute> = field(values, 0);
        let context = printer.context();
        match mesh.map(|mesh| context.attribute_kind(mesh)) {
            Some(AttributeKind::Dialect { .. }) => Ok((true, mesh)),
            Some(AttributeKind::SymbolRef { .. }) => Ok((false, mesh)),
            _ => Err(Invalid::new("expected a mesh or a symbol")),
        }
    }

    fn text(
        &self,
        asm: &mut EntryAsm<'_>,
        (is_mesh, mesh): &mut Self::Content<'_>,
    ) -> AsmResult<()> {
        asm.optional("mesh", "mesh", is_mesh);
        match *is_mesh {
            true => asm.stripped("mesh", mesh),
            false => asm.attribute(mesh),
        }
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        (_, mesh): Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        set(values, 0, mesh);
        Ok(())
    }
}

/// The keywords of reductions, indexed by value less 1; the sum has none.
const REDUCTIONS: [&str; 2] = ["max", "min"];

/// The text of [`NamedAxes`].
#[derive(Default)]
pub(crate) struct NamedAxesContent<'v> {
    replicated: Axes<'v>,
    unreduced: Axes<'v>,
    /// The keyword of the reduction, by its index.
    reduction: Option<usize>,
}

impl TwoWayEntry for NamedAxes {
    type Content<'v> = NamedAxesContent<'v>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<NamedAxesContent<'v>, Invalid> {
        let unreduced: Axes<'v> = List::of(values, 1, NO_AXIS)?;
        let reduction = usize::try_from(field::<u64>(values, 2)).unwrap_or(usize::MAX);
        if !unreduced.is_empty() && reduction > REDUCTIONS.len() {
            return Err(Invalid::new("unknown reduction"));
        }
        Ok(NamedAxesContent {
            replicated: List::of(values, 0, NO_AXIS)?,
            unreduced,
            reduction: reduction.checked_sub(1),
        })
    }

    /// A text that is read can have the lists in any order, and repeat them.
    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut NamedAxesContent<'_>) -> AsmResult<()> {
        let mut rest = [
            !content.replicated.is_empty(),
            !content.unreduced.is_empty(),
        ];
        let mut follows = rest.contains(&true);
        asm.optional(",", ", ", &mut follows);
        while follows {
            let [replicated, unreduced] = &mut rest;
            asm.optional("replicated", "replicated", replicated);
            if std::mem::take(replicated) {
                asm.token("=", "=")?;
                axes_text(asm, &mut content.replicated)?;
            } else {
                asm.token("unreduced", "unreduced")?;
                asm.token("=", "=")?;
                asm.adjacent_choice(&REDUCTIONS, &mut content.reduction);
                axes_text(asm, &mut content.unreduced)?;
                *unreduced = false;
            }
            follows = rest.contains(&true);
            asm.optional(",", ", ", &mut follows);
        }
        Ok(())
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: NamedAxesContent<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        if !content.replicated.is_empty() {
            content.replicated.set(values, 0);
        }
        if !content.unreduced.is_empty() {
            let reduction = content.reduction.map_or(0, |word| word.saturating_add(1));
            set(values, 2, reduction as u64);
            content.unreduced.set(values, 1);
        }
        Ok(())
    }
}

/// The number of factors that are written as a single letter, starting with `i`.
const LETTERS: u64 = 18;

const NO_FACTOR: &str = "expected a factor";

fn print_factor(printer: &mut dyn EntryPrinter, factor: i64) {
    match u64::try_from(factor) {
        Ok(factor) if factor < LETTERS => printer.text(&[b'i'.wrapping_add(factor as u8)]),
        _ => {
            printer.text(b"z_");
            printer.integer(factor.wrapping_sub(LETTERS as i64 - 1));
        }
    }
}

/// Returns the factors in a word.
fn read_factors(text: &str) -> Option<Vec<i64>> {
    let mut factors = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        rest = rest.get(1..)?;
        let mut factor = i64::from(u32::from(letter)).checked_sub(i64::from(b'i'))?;
        if !(0..LETTERS as i64).contains(&factor) {
            return None;
        }
        if letter == 'z'
            && let Some(digits) = rest.strip_prefix('_')
        {
            let len = digits
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(digits.len());
            let number: i64 = digits.get(..len)?.parse().ok()?;
            factor = factor.checked_add(number)?;
            rest = digits.get(len..)?;
        }
        factors.push(factor);
    }
    Some(factors)
}

/// `ij`: factors in a word.
fn factors_text(asm: &mut EntryAsm<'_>, factors: &mut impl Sequence<Item = i64>) -> AsmResult<()> {
    match asm {
        EntryAsm::Parser(parser) => {
            let place = parser.place();
            let Some(word) = parser.optional_keyword() else {
                return parser.expected("a factor");
            };
            let found = read_factors(&parser.context().str(word));
            let message = "expecting symbol from 'i' to 'z'";
            factors.assign(found.ok_or_else(|| AsmError::new(place, message))?);
        }
        EntryAsm::Printer(printer) => {
            for number in 0..factors.len() {
                factors.with(number, |&mut factor| print_factor(&mut **printer, factor));
            }
        }
    }
    Ok(())
}

impl TwoWayEntry for Factors {
    type Content<'v> = List<'v, i64>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<List<'v, i64>, Invalid> {
        List::of(values, 0, NO_FACTOR)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, factors: &mut List<'_, i64>) -> AsmResult<()> {
        factors_text(asm, factors)
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        factors: List<'static, i64>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        factors.set(values, 0);
        Ok(())
    }
}

impl TwoWayEntry for FactorSizes {
    type Content<'v> = List<'v, i64>;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<List<'v, i64>, Invalid> {
        List::of(values, 0, "expected sizes of factors")
    }

    fn text(&self, asm: &mut EntryAsm<'_>, sizes: &mut List<'_, i64>) -> AsmResult<()> {
        let mut is_there = !sizes.is_empty();
        asm.optional("{", " {", &mut is_there);
        if !is_there {
            return Ok(());
        }
        let mut next = 0i64;
        asm.list_after((", ", "}"), sizes, |asm, size| {
            let place = asm.place();
            let mut factor = vec![next];
            factors_text(asm, &mut factor)?;
            if factor != [next] {
                return Err(failure(place, "expecting the next factor"));
            }
            next = next.saturating_add(1);
            asm.token("=", "=")?;
            asm.integer(size)
        })
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        sizes: List<'static, i64>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        if !sizes.read().is_empty() {
            sizes.set(values, 0);
        }
        Ok(())
    }
}

const FACTOR_KINDS: [&str; 4] = [
    "reduction",
    "need_replication",
    "permutation",
    "blocked_propagation",
];

/// A list of factors, of which a text can have several in a word.
type FactorList<'v> = Rows<'v, List<'v, i64>>;

/// Returns the factors of a list; each is a word.
fn factor_list<'v, const LIST: usize>(
    values: Parameters<'v, 'v>,
) -> Result<FactorList<'v>, Invalid> {
    Rows::of(values, values.list(LIST).len(), |values, at| {
        let factor = values.list(LIST).get(at..=at).unwrap_or_default();
        List::of_items(factor, NO_FACTOR)
    })
}

impl TwoWayEntry for FactorKinds {
    type Content<'v> = [FactorList<'v>; FACTOR_KINDS.len()];

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        Ok([
            factor_list::<0>(values)?,
            factor_list::<1>(values)?,
            factor_list::<2>(values)?,
            factor_list::<3>(values)?,
        ])
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut Self::Content<'_>) -> AsmResult<()> {
        for (word, factors) in FACTOR_KINDS.iter().zip(content) {
            let mut is_there = !factors.is_empty();
            if is_there {
                asm.space(" ");
            }
            asm.optional(word, word, &mut is_there);
            if is_there {
                asm.token("=", "=")?;
                asm.list(("{", "}"), factors, factors_text)?;
            }
        }
        Ok(())
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        for (number, words) in content.into_iter().enumerate() {
            if !words.read.is_empty() {
                let factors = words.read.iter().flat_map(|word| word.read());
                values.set_list(number, factors.copied().map(FieldValue::Signed));
            }
        }
        Ok(())
    }
}

impl TwoWayEntry for CustomRule {
    type Content<'v> = bool;

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<bool, Invalid> {
        Ok(field::<u64>(values, 0) == 1)
    }

    fn text(&self, asm: &mut EntryAsm<'_>, is_custom: &mut bool) -> AsmResult<()> {
        asm.optional(",", ", ", is_custom);
        match *is_custom {
            true => asm.token("custom", "custom"),
            false => Ok(()),
        }
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        is_custom: bool,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        if is_custom {
            set(values, 0, 1u64);
        }
        Ok(())
    }
}
