//! The attribute that identifies a part of a split module.

use crate::sort::CompactSort as _;
use crate::{Attribute, AttributeKind, Context, Identifier, Module};
use foldhash::fast::RandomState;
use std::collections::{BTreeMap, HashMap, HashSet};

/// The discardable attribute of the top-level operation of a part.
pub(crate) const PART_ATTRIBUTE: &str = "rmlir.part";

/// The identification of a part of a split module.
///
/// It is stored as `rmlir.part = {of = "...", operations = N, parts = P, numbers = array<i64: 0>,
/// symbols = ["a"], positions = array<i64: 0>, references = ["b"], reference_positions = array<i64:
/// 1>, local = ["b"], others = array<i64: 2>}`, with `distincts = [distinct[0]<unit>],
/// distinct_numbers = array<i64: 3>` if it shares distinct attributes with other parts.
#[derive(Clone, Debug, Default)]
pub(crate) struct PartAttribute {
    /// Identifies the module that was split: a hash of its content.
    pub(crate) of: Option<Identifier>,
    /// The number of operations of the module that was split.
    pub(crate) operations: i64,
    /// The number of parts into which that module was split.
    pub(crate) parts: i64,
    /// The numbers of the parts that are joined here, from 0 on.
    pub(crate) numbers: Vec<i64>,
    /// The symbols that the part defines, with their positions in that module.
    pub(crate) symbols: HashMap<Identifier, i64, RandomState>,
    /// The symbols of other parts to which it refers, and of which it may have a declaration or a
    /// copy.
    pub(crate) references: HashMap<Identifier, i64, RandomState>,
    /// Those of `references` that are local to that module: no other module can define them.
    pub(crate) local: HashSet<Identifier, RandomState>,
    /// The positions of operations that are not symbols.
    pub(crate) others: Vec<i64>,
    /// The distinct attributes that other parts contain too, each with a number in that module.
    /// One that another refers to has the smaller number.
    pub(crate) distincts: BTreeMap<i64, Attribute>,
}

impl PartAttribute {
    /// Returns the attribute of a module; `None` if it has none, an error if it is malformed.
    pub(crate) fn of(context: &Context, module: &Module) -> Result<Option<Self>, ()> {
        let attributes = module.attributes(module.top());
        let found =
            attributes.and_then(|all| context.dictionary_get(all, PART_ATTRIBUTE.as_bytes()));
        match found {
            Some(attribute) => PartAttribute::read(context, attribute).map(Some).ok_or(()),
            None => Ok(None),
        }
    }

    fn read(context: &Context, attribute: Attribute) -> Option<Self> {
        let get = |name: &str| context.dictionary_get(attribute, name.as_bytes());
        let numbers = |name: &str| Some(context.i64_array(get(name)?)?.collect::<Vec<i64>>());
        let elements = |name: &str| match context.attribute_kind(get(name)?) {
            AttributeKind::Array(elements) => Some(elements.iter().copied()),
            _ => None,
        };
        let names = |name: &str| {
            let names = elements(name)?.map(|e| context.string_literal(e));
            names.collect::<Option<Vec<Identifier>>>()
        };
        let positions = |name: &str, positions: &str| {
            let (names, positions) = (names(name)?, numbers(positions)?);
            let count = names.len();
            let all: HashMap<Identifier, i64, RandomState> =
                names.into_iter().zip(positions.iter().copied()).collect();
            (count == positions.len() && all.len() == count).then_some(all)
        };
        let distincts = match get("distincts") {
            Some(_) => {
                let numbers = numbers("distinct_numbers")?;
                let distincts = elements("distincts")?;
                let same = distincts.len() == numbers.len();
                same.then(|| numbers.into_iter().zip(distincts).collect())?
            }
            None => BTreeMap::new(),
        };
        let part = PartAttribute {
            of: Some(context.string_literal(get("of")?)?),
            operations: context.integer_value(get("operations")?)?,
            parts: context.integer_value(get("parts")?)?,
            numbers: numbers("numbers")?,
            symbols: positions("symbols", "positions")?,
            references: positions("references", "reference_positions")?,
            local: names("local")?.into_iter().collect(),
            others: numbers("others")?,
            distincts,
        };
        part.is_consistent().then_some(part)
    }

    /// Returns whether numbers and positions are in range, and no position occurs twice.
    fn is_consistent(&self) -> bool {
        let mut met: HashSet<i64, RandomState> = HashSet::default();
        let positions = self.symbols.values().chain(self.references.values());
        let mut positions = positions.chain(&self.others);
        let mut numbers: HashSet<i64, RandomState> = HashSet::default();
        positions.all(|&position| (0..self.operations).contains(&position) && met.insert(position))
            && !self.numbers.is_empty()
            && self
                .numbers
                .iter()
                .all(|&number| (0..self.parts).contains(&number) && numbers.insert(number))
            && self
                .local
                .iter()
                .all(|name| self.references.contains_key(name))
    }

    /// Returns the attribute.
    pub(crate) fn attribute(&self, context: &mut Context) -> Option<Attribute> {
        let mut entries = Vec::new();
        let of = context.string_attribute_of(self.of?);
        let i64 = context.i64_type();
        for (key, value) in [("operations", self.operations), ("parts", self.parts)] {
            entries.push((key, context.integer_attribute(i64, value).ok()?));
        }
        entries.push(("of", of));
        let lists = [
            ("symbols", "positions", &self.symbols),
            ("references", "reference_positions", &self.references),
        ];
        for (key, positions, names) in lists {
            // By position, so that the attribute does not depend on the order of the table.
            let mut sorted: Vec<(i64, Identifier)> = names.iter().map(|(&n, &p)| (p, n)).collect();
            sorted
                .compact_sort_by(|a, b| (a.0, context.bytes(a.1)).cmp(&(b.0, context.bytes(b.1))));
            let strings = sorted.iter().map(|s| context.string_attribute_of(s.1));
            let strings: Vec<Attribute> = strings.collect();
            entries.push((key, context.array_attribute(&strings)));
            let numbers = context.i64_array_attribute(sorted.iter().map(|s| s.0));
            entries.push((positions, numbers));
        }
        let mut local: Vec<Identifier> = self.local.iter().copied().collect();
        local.sort_unstable_by(|&a, &b| context.bytes(a).cmp(context.bytes(b)));
        let local = local.iter().map(|&name| context.string_attribute_of(name));
        let local: Vec<Attribute> = local.collect();
        entries.push(("local", context.array_attribute(&local)));
        for (key, numbers) in [("others", &self.others), ("numbers", &self.numbers)] {
            let numbers = context.i64_array_attribute(numbers.iter().copied());
            entries.push((key, numbers));
        }
        if !self.distincts.is_empty() {
            let distincts: Vec<Attribute> = self.distincts.values().copied().collect();
            entries.push(("distincts", context.array_attribute(&distincts)));
            let numbers = context.i64_array_attribute(self.distincts.keys().copied());
            entries.push(("distinct_numbers", numbers));
        }
        let entries = entries
            .into_iter()
            .map(|(name, value)| (context.identifier(name), value));
        let mut entries: Vec<_> = entries.collect();
        entries.compact_sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
        context.dictionary_attribute(&entries).ok()
    }

    /// Returns whether parts have all operations of the module that was split.
    pub(crate) fn is_complete(parts: &[&PartAttribute]) -> bool {
        let Some(operations) = parts.first().map(|part| part.operations) else {
            return false;
        };
        let mut positions: HashSet<i64, RandomState> = HashSet::default();
        for part in parts {
            positions.extend(part.symbols.values());
            positions.extend(&part.others);
        }
        positions.retain(|&position| (0..operations).contains(&position));
        i64::try_from(positions.len()) == Ok(operations)
    }
}

/// What a module is a part of, by its attribute `rmlir.part`; see [`part_info`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct PartInfo {
    /// The number of parts into which the module was split.
    pub parts: usize,
    /// The numbers of those that the part does not have, ascending, from 0 on.
    pub missing: Vec<usize>,
    /// Whether it refers to symbols of other parts that it does not declare.
    pub has_open_references: bool,
    /// The symbols of missing parts to which it refers, in the order of the module that was split.
    pub missing_symbols: Vec<Identifier>,
}

/// Returns what a module is a part of: of a module that was [split](crate::split()), of which it is
/// one part, or the link of several. `None` if it is not a part. Linear in the number of parts and
/// symbols.
///
/// ```
/// use rmlir_ir::{Context, Module, SplitOptions, part_info, split};
///
/// let mut context = Context::new();
/// let module = Module::new(&mut context);
/// assert!(part_info(&context, &module).is_none());
/// let parts = split(&mut context, &module, &SplitOptions::default())?;
/// let info = part_info(&context, &parts[0].module).unwrap();
/// assert!(info.parts == 1 && info.missing.is_empty() && !info.has_open_references);
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
pub fn part_info(context: &Context, module: &Module) -> Option<PartInfo> {
    /// More parts than this are not listed: the number is not checked.
    const MOST: usize = 1 << 20;
    let part = PartAttribute::of(context, module).ok().flatten()?;
    let body = module.body().into_iter();
    let operations = body.flat_map(|body| module.operations(body));
    let names = operations.filter_map(|operation| module.symbol_name(context, operation));
    let names: HashSet<Identifier, RandomState> = names.collect();
    let parts = usize::try_from(part.parts).unwrap_or(0);
    let numbers = part
        .numbers
        .iter()
        .filter_map(|&number| usize::try_from(number).ok());
    let present: HashSet<usize, RandomState> = numbers.collect();
    let references = part.references.iter();
    let mut missing_symbols: Vec<(i64, Identifier)> = references
        .map(|(&name, &position)| (position, name))
        .collect();
    missing_symbols.compact_sort_by_key(|&(position, _)| position);
    let missing = (0..parts.min(MOST)).filter(|number| !present.contains(number));
    Some(PartInfo {
        parts,
        missing: missing.collect(),
        missing_symbols: missing_symbols.into_iter().map(|(_, name)| name).collect(),
        has_open_references: part.references.keys().any(|name| !names.contains(name)),
    })
}
