//! Sums the bytes of a file by kind of content.

use foldhash::HashMap;
use rmlir::format::mlirbc::section;
use rmlir::ir::sort::CompactSort as _;
use rmlir::ir::{Context, Module, Operation};
use rmlir::reader::dump::{DumpPart, FieldContent, Visitor};
use rmlir::text::SpanKind;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;

/// Returns the title of a part.
pub(in crate::commands) fn title(part: &DumpPart<'_>) -> String {
    let entry = |what: &str, number: u64, dialect: &[u8], codec: &str| {
        let codec = codec_name(codec);
        format!("{what} #{number}, {}, {codec}", dialect.escape_ascii())
    };
    match *part {
        DumpPart::Header => "header".to_owned(),
        DumpPart::Section { id } => format!("section {}", section::name(id).unwrap_or("?")),
        DumpPart::Table(name) => name.to_owned(),
        DumpPart::Entry(name, number) => format!("{name} #{number}"),
        DumpPart::String(number) => format!("string #{number}"),
        DumpPart::Dialect(number, name) => format!("dialect #{number}, {}", name.escape_ascii()),
        DumpPart::OperationNames(dialect) => format!("names of {}", dialect.escape_ascii()),
        DumpPart::EntrySizes(dialect) => format!("sizes of entries of {}", dialect.escape_ascii()),
        DumpPart::Attribute {
            number,
            dialect,
            codec,
        } => entry("attribute", number, dialect, codec),
        DumpPart::Type {
            number,
            dialect,
            codec,
        } => entry("type", number, dialect, codec),
        DumpPart::Properties(number) => format!("properties #{number}"),
        DumpPart::ResourceGroup(name) => format!("resources of {}", name.escape_ascii()),
        DumpPart::Resource(key) => format!("resource {}", key.escape_ascii()),
        DumpPart::Operation { dialect, name } => operation_name(dialect, name),
        DumpPart::Region(number) => format!("region {number}"),
        DumpPart::Block(number) => format!("block {number}"),
        _ => "part".to_owned(),
    }
}

fn codec_name(codec: &str) -> &str {
    match codec {
        "" => "unknown encoding",
        codec => codec,
    }
}

fn operation_name(dialect: &[u8], name: &[u8]) -> String {
    match name {
        b"" => dialect.escape_ascii().to_string(),
        name => format!("{}.{}", dialect.escape_ascii(), name.escape_ascii()),
    }
}

/// Returns rows, largest first.
pub(super) fn sorted(counts: &BTreeMap<String, u64>) -> Vec<(String, u64)> {
    let mut rows: Vec<(String, u64)> = counts.iter().map(|(k, v)| (k.clone(), *v)).collect();
    rows.compact_sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
    rows
}

/// A node of the tree: a size, and its parts.
#[derive(Default)]
pub(super) struct Node {
    bytes: u64,
    parts: BTreeMap<String, Node>,
}

impl Node {
    fn add(&mut self, path: &[String], bytes: u64) {
        let mut node = self;
        node.bytes += bytes;
        for name in path {
            // Most parts exist already; only new ones need their own copy of the name.
            if !node.parts.contains_key(name) {
                node.parts.insert(name.clone(), Node::default());
            }
            let Some(part) = node.parts.get_mut(name) else {
                return;
            };
            node = part;
            node.bytes += bytes;
        }
    }

    /// Returns its parts, largest first.
    pub(super) fn rows(&self) -> Vec<(String, u64)> {
        let counts = self.parts.iter().map(|(k, v)| (k.clone(), v.bytes));
        sorted(&counts.collect())
    }

    /// Returns the tree as JSON, largest parts first. The recursion is bounded: the tree has few
    /// levels.
    pub(super) fn to_json(&self, name: &str) -> Value {
        let mut parts: Vec<(&String, &Node)> = self.parts.iter().collect();
        parts.compact_sort_by(|a, b| b.1.bytes.cmp(&a.1.bytes).then_with(|| a.0.cmp(b.0)));
        let parts: Vec<Value> = parts.into_iter().map(|(n, p)| p.to_json(n)).collect();
        json!({"name": name, "bytes": self.bytes, "parts": parts})
    }
}

/// The section of the native bytecode in which the entries are attributes, types and locations.
const ENTRIES: &str = "types and attributes";

/// A visitor that sums the bytes of fields.
#[derive(Default)]
pub(super) struct Sizes {
    /// The tree: sections, and within them operations by dialect and name, and entries by kind,
    /// dialect and codec.
    pub(super) root: Node,
    pub(super) dialects: BTreeMap<String, u64>,
    pub(super) operations: BTreeMap<String, u64>,
    pub(super) entries: BTreeMap<String, u64>,
    pub(super) kinds: BTreeMap<String, u64>,
    pub(super) resources: BTreeMap<String, u64>,
    /// The sizes of the items of tables.
    pub(super) items: TableSizes,
    /// Whether there are compressed pages, whose items have no bytes of their own.
    pub(super) is_compressed: bool,
    /// The open parts, outermost first.
    open: Vec<OpenPart>,
    /// The kinds of parts. The first one is that of parts without a name.
    parts: Vec<Kind>,
    /// The numbers in `parts`, by what determines a kind.
    numbers: HashMap<Vec<u8>, usize>,
    key: Vec<u8>,
    /// The current section. In the tree, the names of the innermost named part follow it.
    section: String,
    /// Whether the section is in the bundle.
    bundled: bool,
    /// The bytes in each section, in the order of their first parts; and in it by kind of part.
    tallies: Vec<(String, Vec<Tally>)>,
    /// The number of the current section in `tallies`.
    tally: usize,
    /// The bytes of fields that are not yet added.
    pending: Tally,
}

/// A part that is open.
#[derive(Clone, Copy)]
struct OpenPart {
    /// The kind of the innermost part with a name, which is this part or around it.
    kind: usize,
    /// The item of a table that it is.
    item: Option<Item>,
}

/// Numbers of bytes.
#[derive(Clone, Copy, Default)]
struct Tally {
    bytes: u64,
    /// Those of locations among them.
    locations: u64,
}

/// The sizes of the items of a file's tables, by their numbers.
#[derive(Default)]
pub(super) struct TableSizes {
    /// Attributes of upstream's bytecode, or all entries of the native one.
    attributes: Vec<u64>,
    /// Types of upstream's bytecode.
    types: Vec<u64>,
    pub(super) strings: Vec<u64>,
}

/// An item of a table, by its number.
#[derive(Clone, Copy)]
enum Item {
    Attribute(u64),
    Type(u64),
    String(u64),
}

impl TableSizes {
    /// Returns the sizes in the order of [`rmlir::TableItems::entries`].
    pub(super) fn entries(&self) -> impl Iterator<Item = &u64> {
        self.attributes.iter().chain(&self.types)
    }

    fn add(&mut self, item: Item, bytes: u64) {
        let (table, number) = match item {
            Item::Attribute(number) => (&mut self.attributes, number),
            Item::Type(number) => (&mut self.types, number),
            Item::String(number) => (&mut self.strings, number),
        };
        let Ok(number) = usize::try_from(number) else {
            return;
        };
        // Items are visited in their order.
        if number == table.len() {
            table.push(0);
        }
        if let Some(size) = table.get_mut(number) {
            *size += bytes;
        }
    }
}

enum Kind {
    /// The dialect and the full name.
    Operation([String; 2]),
    /// Attributes or types, the dialect, the codec.
    Entry([String; 3]),
    /// The name for the entries of a table.
    Named([String; 1]),
    /// The key.
    Resource([String; 1]),
    Other,
}

impl Kind {
    fn of(part: &DumpPart<'_>) -> Self {
        let text = |bytes: &[u8]| bytes.escape_ascii().to_string();
        let entry = |of: &str, dialect, codec| {
            Kind::Entry([of.to_owned(), text(dialect), codec_name(codec).to_owned()])
        };
        match *part {
            DumpPart::Entry(name, _) => Kind::Named([name.to_owned()]),
            DumpPart::Operation { dialect, name } => {
                Kind::Operation([text(dialect), operation_name(dialect, name)])
            }
            DumpPart::Attribute { dialect, codec, .. } => entry("attributes", dialect, codec),
            DumpPart::Type { dialect, codec, .. } => entry("types", dialect, codec),
            DumpPart::Resource(key) => Kind::Resource([text(key)]),
            _ => Kind::Other,
        }
    }

    fn path(&self) -> Option<&[String]> {
        match self {
            Kind::Operation(path) => Some(path),
            Kind::Entry(path) => Some(path),
            Kind::Resource(path) | Kind::Named(path) => Some(path),
            Kind::Other => None,
        }
    }
}

impl Sizes {
    /// Adds the pending bytes, which all belong to the innermost named part.
    fn flush(&mut self) {
        let pending = std::mem::take(&mut self.pending);
        if pending.bytes == 0 {
            return;
        }
        let part = self.open.last();
        if let Some(item) = part.and_then(|part| part.item) {
            self.items.add(item, pending.bytes);
        }
        let kind = part.map_or(0, |part| part.kind);
        let current = self.tallies.get(self.tally);
        if current.is_none_or(|(section, _)| *section != self.section) {
            let mut sections = self.tallies.iter();
            let known = sections.position(|(section, _)| *section == self.section);
            self.tally = known.unwrap_or(self.tallies.len());
            if known.is_none() {
                self.tallies.push((self.section.clone(), Vec::new()));
            }
        }
        let Some((_, tallies)) = self.tallies.get_mut(self.tally) else {
            return;
        };
        if kind >= tallies.len() {
            tallies.resize(kind + 1, Tally::default());
        }
        if let Some(tally) = tallies.get_mut(kind) {
            tally.bytes += pending.bytes;
            tally.locations += pending.locations;
        }
    }

    /// Adds the bytes of all parts to the tables. Must be called after the visit.
    pub(super) fn finish(&mut self) {
        self.flush();
        for (section, tallies) in std::mem::take(&mut self.tallies) {
            for (kind, tally) in tallies.into_iter().enumerate() {
                if tally.bytes > 0 {
                    self.add(&section, kind, tally);
                }
            }
        }
    }

    fn add(&mut self, section: &str, kind: usize, Tally { bytes, locations }: Tally) {
        let owner = self.parts.get(kind);
        let mut path = vec![section.to_owned()];
        path.extend(owner.and_then(Kind::path).into_iter().flatten().cloned());
        self.root.add(&path, bytes);
        let add = |counts: &mut BTreeMap<String, u64>, name: &str| {
            *counts.entry(name.to_owned()).or_default() += bytes;
        };
        match owner {
            Some(Kind::Operation([dialect, operation])) => {
                add(&mut self.dialects, dialect);
                add(&mut self.operations, operation);
                if locations > 0 {
                    let kind = "locations of operations and arguments";
                    *self.kinds.entry(kind.to_owned()).or_default() += locations;
                }
            }
            Some(Kind::Entry([_, dialect, codec])) => {
                add(&mut self.entries, &format!("{dialect} {codec}"));
                if codec == "assembly" {
                    add(&mut self.kinds, "entries as text");
                } else if codec.contains("Loc") {
                    add(&mut self.kinds, "entries that are locations");
                }
            }
            Some(Kind::Named([name])) => add(&mut self.entries, name),
            Some(Kind::Resource([key])) => add(&mut self.resources, key),
            _ => {}
        }
    }

    /// Returns the number of the kind of a part; `None` if it has no name.
    fn number(&mut self, part: &DumpPart<'_>) -> Option<usize> {
        let (tag, first, second) = match *part {
            DumpPart::Entry(name, _) => (0, name.as_bytes(), &b""[..]),
            DumpPart::Operation { dialect, name } => (1, dialect, name),
            DumpPart::Attribute { dialect, codec, .. } => (2, dialect, codec.as_bytes()),
            DumpPart::Type { dialect, codec, .. } => (3, dialect, codec.as_bytes()),
            DumpPart::Resource(key) => (4, key, &b""[..]),
            _ => return None,
        };
        self.key.clear();
        self.key.push(tag);
        self.key.extend((first.len() as u64).to_le_bytes());
        self.key.extend(first);
        self.key.extend(second);
        if let Some(&known) = self.numbers.get(&self.key) {
            return Some(known);
        }
        if self.parts.is_empty() {
            self.parts.push(Kind::Other);
        }
        let number = self.parts.len();
        self.parts.push(Kind::of(part));
        self.numbers.insert(self.key.clone(), number);
        Some(number)
    }

    /// Adds bytes of a text that belong to the innermost part (`None` between parts) and to the
    /// operation that contains it.
    pub(super) fn add_text(
        &mut self,
        context: &Context,
        module: &Module,
        kind: Option<SpanKind>,
        operation: Option<Operation>,
        bytes: u64,
    ) {
        if bytes == 0 {
            return;
        }
        let add = |counts: &mut BTreeMap<String, u64>, name: &str| {
            *counts.entry(name.to_owned()).or_default() += bytes;
        };
        let section = match (kind, operation) {
            (_, Some(_)) => "operations",
            (Some(kind), None) => super::text::title(kind),
            (None, None) => "between operations",
        };
        let mut path = vec![section.to_owned()];
        if let Some(operation) = operation {
            let name = module.name(operation);
            let dialect = context.operation_dialect(name);
            let dialect = context.bytes(dialect).escape_ascii().to_string();
            let name = context
                .operation_name_bytes(name)
                .escape_ascii()
                .to_string();
            add(&mut self.dialects, &dialect);
            add(&mut self.operations, &name);
            path.extend([dialect, name]);
            if kind == Some(SpanKind::Location) {
                add(&mut self.kinds, "locations of operations and arguments");
            }
        }
        self.root.add(&path, bytes);
    }
}

impl Visitor for Sizes {
    fn enter(&mut self, _: u64, part: DumpPart<'_>) {
        self.flush();
        match part {
            DumpPart::Header => self.section = "header".to_owned(),
            // Nested sections are not counted separately.
            DumpPart::Section { id } if self.open.is_empty() => {
                self.section = section::name(id).unwrap_or("?").to_owned();
            }
            // The bundle consists only of its sections.
            DumpPart::Table(name)
                if self.open.is_empty() || self.section == "bundle" || self.bundled =>
            {
                self.bundled = name != "bundle" && !self.open.is_empty();
                self.section = name.to_owned();
            }
            _ => {}
        }
        let around = self.open.last().map_or(0, |part| part.kind);
        let kind = self.number(&part).unwrap_or(around);
        let item = match part {
            DumpPart::Attribute { number, .. } => Some(Item::Attribute(number)),
            DumpPart::Type { number, .. } => Some(Item::Type(number)),
            DumpPart::String(number) | DumpPart::Entry("string", number) => {
                Some(Item::String(number))
            }
            // Types, attributes and locations have numbers of their own.
            DumpPart::Entry(..) if self.section == ENTRIES => {
                Some(Item::Attribute(self.items.attributes.len() as u64))
            }
            _ => None,
        };
        if let Some(item) = item {
            self.items.add(item, 0);
        }
        self.open.push(OpenPart { kind, item });
    }

    fn field(&mut self, range: Range<u64>, name: &str, _: FieldContent<'_>) {
        let bytes = range.end.saturating_sub(range.start);
        self.pending.bytes += bytes;
        self.is_compressed |= name == "compressed page";
        if name.starts_with("location") {
            self.pending.locations += bytes;
        }
    }

    fn leave(&mut self, _: u64) {
        self.flush();
        self.open.pop();
    }
}
