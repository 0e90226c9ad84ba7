//! Measures a file: the sizes by place and by owner, and those of constants.

use super::owners::{ItemSizes, OwnerVisitor, Owners, SymbolSize};
use super::sum::{Sizes, TableSizes};
use super::text;
use crate::Failure;
use crate::both::Both;
use crate::commands::dump::dump_of;
use crate::commands::weights::collect::{Collector, User, Wanted, Weight};
use crate::foreign::magic;
use crate::input::Input;
use crate::listed::{SharedTracker, SymbolTracker};
use crate::load::{LoadOptions, Piece};
use crate::progress::{Progress, Watched};
use crate::source_location::SourceLocation;
use crate::symbols::{shown, shown_name};
use rmlir::events::{Visitor, visit_module};
use rmlir::format::text_budget;
use rmlir::ir::Context;
use rmlir::ir::sort::CompactSort as _;
use rmlir::reader::lazy::SymbolPathMap;
use rmlir::text::{ParseOptions, PrintOptions, parse_module_with_spans, print_attribute};
use rmlir::{Attribute, Form, SymbolPath, WriteOptions};
use std::cell::RefCell;

/// Attributes with less data than this are not listed as constants.
pub(super) const LEAST_CONSTANT: u64 = 64;

/// The sizes of a file.
pub(super) struct Measured {
    pub(super) name: String,
    pub(super) form: &'static str,
    pub(super) bytes: u64,
    /// The number of bytes without compression, of which symbols and constants take some.
    pub(super) uncompressed: u64,
    pub(super) sizes: Sizes,
    pub(super) owners: Owners,
    /// The largest first.
    pub(super) constants: Vec<ConstantSize>,
}

/// The size of a constant, or of another large attribute, or of a resource.
pub(super) struct ConstantSize {
    pub(super) name: String,
    pub(super) kind: &'static str,
    pub(super) type_text: Option<String>,
    /// What the data is, if it begins with a known magic number.
    pub(super) content: Option<&'static str>,
    pub(super) elements: Option<u64>,
    pub(super) bytes: u64,
    pub(super) uses: u64,
    pub(super) users: Vec<User>,
}

impl ConstantSize {
    /// Returns the only symbol that uses it, as far as its users are listed.
    pub(super) fn owner(&self) -> Option<&str> {
        let mut symbols = self.users.iter().map(|user| user.symbol.as_deref());
        let first = symbols.next()??;
        symbols.all(|symbol| symbol == Some(first)).then_some(first)
    }

    /// Returns the first user: `@main stablehlo.constant model.py:3:4`.
    pub(super) fn first_user(&self) -> Option<String> {
        let user = self.users.first()?;
        let place = user.place.as_ref().map(SourceLocation::to_string);
        let symbol = user.symbol.as_deref().map(str::to_owned);
        let parts = [symbol, Some(user.operation.clone()), place];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        Some(parts.join(" "))
    }
}

impl Measured {
    /// Reads and measures a file.
    pub(super) fn read(load: &LoadOptions, path: &str, shows: bool) -> Result<Self, Failure> {
        let input = load.read(path)?;
        match input.form() {
            Form::Text => Self::of_text(load, &input),
            _ => Self::of_bytecode(load, &input, shows),
        }
    }

    fn of_text(load: &LoadOptions, input: &Input) -> Result<Self, Failure> {
        let mut options = ParseOptions::for_file(&input.name);
        options.edition = load.edition;
        options.max_errors = load.max_errors;
        options.keep_names = true;
        let mut context = load.context()?;
        let text = input.source()?;
        let (module, spans) = parse_module_with_spans(&mut context, text, &options)
            .map_err(|e| Failure::Diagnostics(e.into_vec()))?;
        let len = text.len() as u64;
        let (sizes, whole) = text::sizes(&context, &module, &spans, len);
        let items = ItemSizes::of_text(&context, &module);
        let tracker = RefCell::default();
        let mut walk = Walk::new(&tracker);
        walk.with(|visitor| visit_module(&context, &module, visitor))
            .map_err(|error| input.failure(error))?;
        let paths = tracker.borrow().paths(&context);
        let owners = walk
            .owners
            .finish(&context, &items, &paths, |_, operation| {
                let whole = operation.and_then(|operation| whole.get(&operation));
                whole.copied().unwrap_or(0)
            });
        let size = |weight: &Weight<'_>| match (weight.resource, weight.attribute) {
            (Some(resource), _) => items.resource(resource),
            (None, Some(attribute)) => {
                printed_len(&context, attribute, len).unwrap_or(weight.data.len() as u64)
            }
            (None, None) => 0,
        };
        Ok(Measured {
            name: input.name.clone(),
            form: input.form().name(),
            bytes: len,
            uncompressed: len,
            constants: constants(
                walk.constants
                    .finish(&context, &paths, &module.provenance.resources),
                size,
            ),
            sizes,
            owners,
        })
    }

    fn of_bytecode(load: &LoadOptions, input: &Input, shows: bool) -> Result<Self, Failure> {
        let progress = shows.then(|| Progress::new(&input.name, input.byte_len()));
        let mut sizes = Sizes::default();
        let errors = match &progress {
            Some(progress) => dump_of(load, input, &mut Watched(progress, &mut sizes))?,
            None => dump_of(load, input, &mut sizes)?,
        };
        sizes.finish();
        if let Some(error) = errors.first() {
            return Err(input.failure(error.clone()));
        }
        let mut measured = Measured {
            name: input.name.clone(),
            form: input.form().name(),
            bytes: input.byte_len(),
            uncompressed: input.byte_len(),
            sizes,
            owners: Owners::default(),
            constants: Vec::new(),
        };
        if measured.sizes.is_compressed {
            // A page has bytes of many symbols and constants: these have the sizes that they would
            // have without compression.
            let mut ir = load.load(input, &Piece::WHOLE, false)?;
            let bytes = ir.to_bytes(Form::Rmbc, &WriteOptions::default());
            let bytes = bytes.map_err(|error| input.failure(error))?;
            let plain = Input::of_bytes(&input.name, bytes);
            measured.uncompressed = plain.byte_len();
            let mut sizes = Sizes::default();
            dump_of(load, &plain, &mut sizes)?;
            sizes.finish();
            measured.add_owners(load, &plain, &sizes.items)?;
            return Ok(measured);
        }
        let items = std::mem::take(&mut measured.sizes.items);
        measured.add_owners(load, input, &items)?;
        Ok(measured)
    }

    /// Adds the symbols and constants of a file of bytecode, whose items have these sizes.
    fn add_owners(
        &mut self,
        load: &LoadOptions,
        input: &Input,
        sizes: &TableSizes,
    ) -> Result<(), Failure> {
        let Some(file) = load.open(input)? else {
            return Ok(());
        };
        let listed = file.symbols().map_err(|e| input.failure(e))?;
        let mut context = load.context()?;
        let tracker = RefCell::default();
        let mut walk = Walk::new(&tracker);
        let lazy = file.as_lazy();
        let read = walk.with(|visitor| lazy.visit_with_tables(&mut context, visitor));
        let Ok(tables) = read else {
            // Content in an unknown encoding. What it refers to cannot be told.
            let size = |symbol: &rmlir::Symbol| SymbolSize {
                path: shown(&symbol.path),
                operation: shown_name(&symbol.operation),
                bytes: symbol.bytes,
                retained: None,
            };
            self.owners.symbols = listed.iter().map(size).collect();
            return Ok(());
        };
        let items = ItemSizes::of_tables(&context, &tables, sizes);
        let paths = tracker.borrow().paths(&context);
        let mut bytes = SymbolPathMap::default();
        for symbol in &listed {
            bytes.entry(&symbol.path).get_or_insert(symbol.bytes);
        }
        let of_path = |path: &SymbolPath, _| bytes.entry(path).unwrap_or(0);
        self.owners = walk.owners.finish(&context, &items, &paths, of_path);
        let size = |weight: &Weight<'_>| match (weight.attribute, weight.resource) {
            (Some(attribute), _) => items.attribute(&context, attribute),
            (None, Some(resource)) => items.resource(resource),
            (None, None) => 0,
        };
        let weights = walk.constants;
        let weights = weights.finish(&context, &paths, &tables.resources);
        self.constants = constants(weights, size);
        Ok(())
    }
}

/// The attributes that are listed as constants.
const WANTED: Wanted<'static> = Wanted {
    min_size: LEAST_CONSTANT,
    names: &[],
    splats: true,
    others: true,
};

/// The visitors of one visit.
struct Walk<'t> {
    tracked: SharedTracker<'t>,
    owners: OwnerVisitor<'t>,
    constants: Collector<'t>,
}

impl<'t> Walk<'t> {
    fn new(tracker: &'t RefCell<SymbolTracker>) -> Self {
        Walk {
            tracked: SharedTracker(tracker),
            owners: OwnerVisitor::new(tracker),
            constants: Collector::new(&WANTED, tracker),
        }
    }

    fn with<T>(&mut self, visit: impl FnOnce(&mut dyn Visitor) -> T) -> T {
        let mut others = Both(&mut self.owners, &mut self.constants);
        visit(&mut Both(&mut self.tracked, &mut others))
    }
}

/// Returns the constants and resources, the largest first.
fn constants(weights: Vec<Weight<'_>>, size: impl Fn(&Weight<'_>) -> u64) -> Vec<ConstantSize> {
    let constant = |weight: Weight<'_>| ConstantSize {
        bytes: size(&weight),
        name: weight.name,
        kind: weight.kind.name(),
        type_text: weight.type_text,
        content: magic(weight.data),
        elements: weight.elements,
        uses: weight.uses,
        users: weight.users,
    };
    let mut constants: Vec<ConstantSize> = weights.into_iter().map(constant).collect();
    constants.compact_sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    constants
}

/// Returns the number of bytes of an attribute's text; `None` if it is too long for an input of
/// `input_len` bytes.
fn printed_len(context: &Context, attribute: Attribute, input_len: u64) -> Option<u64> {
    struct Counter(u64);
    impl std::io::Write for Counter {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len() as u64;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let mut options = PrintOptions::default();
    options.max_output = text_budget(input_len);
    let mut counter = Counter(0);
    print_attribute(context, attribute, &options, &mut counter).ok()?;
    Some(counter.0)
}
