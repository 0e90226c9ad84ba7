//! The rows of a piece: its operations, parents first.

use super::TableOptions;
use super::columns::{Columns, What};
use crate::symbols::shown;
use rmlir::SymbolPath;
use rmlir::format::rmbc::MAX_HASHED_DEPTH;
use rmlir::ir::{
    Context, Fingerprint, FingerprintOptions, Fingerprinter, Identifier, Module, Op, Operation,
    Type, WalkStep,
};
use rmlir::text::type_to_string;
use std::collections::HashMap;
use std::sync::Arc;

/// A part of a file in memory.
pub(super) struct Piece<'c> {
    pub(super) context: &'c mut Context,
    pub(super) module: Module,
    /// The operation whose rows are made, with everything in it.
    pub(super) root: Operation,
    /// Whether the rows begin with the operation around `root`, which is the top-level one.
    pub(super) begins_with_top: bool,
}

/// What the rows of a file have in common, and how far they are.
pub(super) struct Place {
    name: String,
    /// The producer, once a piece is read.
    producer: Option<String>,
    /// The index of the next operation.
    next_index: i64,
}

impl Place {
    pub(super) fn new(name: String) -> Self {
        Place {
            name,
            producer: None,
            next_index: 0,
        }
    }

    /// Begins a piece.
    pub(super) fn begin(&mut self, piece: &Piece<'_>) {
        if self.producer.is_none() {
            let producer = piece.module.provenance.producer;
            self.producer = producer.map(|text| piece.context.str(text).into_owned());
        }
    }
}

/// An operation, with its position.
pub(super) struct Row<'r> {
    pub(super) file: &'r str,
    pub(super) producer: Option<&'r str>,
    pub(super) op: Op<'r>,
    /// The number of the operation in the file, parents first.
    pub(super) index: i64,
    pub(super) parent: Option<i64>,
    pub(super) depth: i32,
    /// The reference of the innermost symbol that it is or is in.
    pub(super) symbol: Option<&'r str>,
    pub(super) fingerprints: Option<&'r Fingerprints>,
    /// The number of operations of a symbol, including itself, if it was requested.
    pub(super) operations: Option<i64>,
}

/// The fingerprints of an operation.
pub(super) struct Fingerprints {
    pub(super) with_names: Fingerprint,
    /// With the names of all symbols in the piece made equal where they are defined.
    pub(super) without_names: Fingerprint,
}

/// An operation that is still to be visited.
struct Open {
    operation: Operation,
    parent: Option<i64>,
    depth: i32,
    symbol: Option<Arc<Symbol>>,
}

/// A symbol with the text of its path, which all operations in it have.
struct Symbol {
    path: SymbolPath,
    text: String,
}

/// The texts of types, each made once.
#[derive(Default)]
pub(super) struct TypeTexts(HashMap<Type, Arc<str>>);

impl TypeTexts {
    pub(super) fn get(&mut self, context: &rmlir::ir::Context, ty: Type) -> Arc<str> {
        let text = self.0.entry(ty);
        Arc::clone(text.or_insert_with(|| type_to_string(context, ty).into()))
    }
}

/// Texts that the pieces of one context share.
#[derive(Default)]
pub(super) struct Texts {
    types: TypeTexts,
    /// The names of symbols, each copied once.
    names: HashMap<Identifier, Arc<[u8]>>,
}

/// The operations of a piece that are still to be visited.
pub(super) struct Rows<'c> {
    piece: Piece<'c>,
    open: Vec<Open>,
    fingerprints: HashMap<Operation, Fingerprints>,
    /// By symbol: the number of its operations.
    sizes: HashMap<Operation, i64>,
}

impl<'c> Rows<'c> {
    pub(super) fn new(mut piece: Piece<'c>, options: &TableOptions) -> Self {
        let is_top = piece.root == piece.module.top();
        let (parent, depth) = match is_top {
            true => (None, 0),
            // The top-level operation has index 0.
            false => (Some(0), 1),
        };
        let mut open = vec![Open {
            operation: piece.root,
            parent,
            depth,
            symbol: None,
        }];
        if piece.begins_with_top {
            open.push(Open {
                operation: piece.module.top(),
                parent: None,
                depth: 0,
                symbol: None,
            });
        }
        let fingerprints = match options.what {
            What::Operations | What::Symbols => fingerprints(&mut piece, options.all_fingerprints),
            _ => HashMap::new(),
        };
        let sizes = match options.what {
            What::Symbols => sizes(&piece),
            _ => HashMap::new(),
        };
        Rows {
            piece,
            open,
            fingerprints,
            sizes,
        }
    }

    /// Makes the rows of the next operation; false if there is none.
    pub(super) fn next(
        &mut self,
        place: &mut Place,
        texts: &mut Texts,
        columns: &mut Columns,
    ) -> bool {
        let Some(next) = self.open.pop() else {
            return false;
        };
        let index = place.next_index;
        place.next_index = index.saturating_add(1);
        let op = Op::from((&*self.piece.context, &self.piece.module, next.operation));
        let own = op.module.symbol_name(op.context, op.id());
        let symbol = match own {
            // The top-level operation is not part of references.
            Some(name) if next.depth > 0 => {
                let around = next.symbol.as_ref().map(|symbol| symbol.path.clone());
                let known = texts.names.entry(name);
                let name = known.or_insert_with(|| op.context.bytes(name).into());
                let path = around.unwrap_or_default().child(Arc::clone(name));
                let text = shown(&path);
                Some(Arc::new(Symbol { path, text }))
            }
            _ => next.symbol,
        };
        columns.push(
            &Row {
                file: &place.name,
                producer: place.producer.as_deref(),
                op,
                index,
                parent: next.parent,
                depth: next.depth,
                symbol: symbol.as_ref().map(|symbol| &*symbol.text),
                fingerprints: self.fingerprints.get(&next.operation),
                operations: self.sizes.get(&next.operation).copied(),
            },
            &mut texts.types,
        );
        // With a piece that begins with the top-level operation, its content is this piece and
        // the following ones.
        if !(self.piece.begins_with_top && next.depth == 0) {
            let first = self.open.len();
            self.open.extend(op.children().map(|child| Open {
                operation: child.id(),
                parent: Some(index),
                depth: next.depth.saturating_add(1),
                symbol: symbol.clone(),
            }));
            self.open[first..].reverse();
        }
        true
    }
}

/// Returns the numbers of operations of the symbols of a piece.
fn sizes(piece: &Piece<'_>) -> HashMap<Operation, i64> {
    let (context, module) = (&*piece.context, &piece.module);
    let (mut sizes, mut open, mut count) = (HashMap::new(), Vec::new(), 0i64);
    for step in module.traverse(piece.root) {
        match step {
            WalkStep::EnterOperation(_) => {
                open.push(count);
                count = count.saturating_add(1);
            }
            WalkStep::LeaveOperation(operation) => {
                let before = open.pop().unwrap_or_default();
                if module.symbol_name(context, operation).is_some() {
                    sizes.insert(operation, count.saturating_sub(before));
                }
            }
            _ => {}
        }
    }
    sizes
}

/// Returns the fingerprints of the symbols and of the top-level operation of a piece, or of all
/// operations. Those of a part's top-level operation are left out: it is not the whole. So are
/// those in too many symbols, since each hashes everything nested in it.
fn fingerprints(piece: &mut Piece<'_>, all: bool) -> HashMap<Operation, Fingerprints> {
    let (context, module) = (&mut *piece.context, &mut piece.module);
    let is_whole = piece.root == module.top();
    let mut symbols = Vec::new();
    let mut wanted = Vec::new();
    // Whether each enclosing operation is a symbol.
    let (mut around, mut depth) = (Vec::new(), 0u32);
    for step in module.traverse(piece.root) {
        let operation = match step {
            WalkStep::EnterOperation(operation) => operation,
            WalkStep::LeaveOperation(_) => {
                depth = depth.saturating_sub(u32::from(around.pop() == Some(true)));
                continue;
            }
            _ => continue,
        };
        let is_top = operation == module.top();
        let name = module.symbol_name(context, operation);
        symbols.extend(name.map(|name| (operation, name)));
        let is_symbol = name.is_some() && !is_top;
        around.push(is_symbol);
        depth = depth.saturating_add(u32::from(is_symbol));
        let is_asked = all || name.is_some() || is_whole && is_top;
        if is_asked && depth <= MAX_HASHED_DEPTH {
            wanted.push(operation);
        }
    }
    let options = FingerprintOptions { locations: false };
    let hashes = |context: &_, module: &_| {
        let mut fingerprinter = Fingerprinter::new(context, &options);
        let hashes = wanted.iter();
        hashes
            .map(|&operation| fingerprinter.fingerprint(module, operation))
            .collect::<Vec<_>>()
    };
    let with_names = hashes(context, module);
    let none = context.identifier("_");
    for &(operation, _) in &symbols {
        // A symbol whose name cannot be changed keeps it.
        let _ = module.set_symbol_name(context, operation, none);
    }
    let without_names = hashes(context, module);
    for &(operation, name) in &symbols {
        let _ = module.set_symbol_name(context, operation, name);
    }
    let hashes = with_names.into_iter().zip(without_names);
    let hashes = wanted.iter().zip(hashes);
    let hashes = hashes.map(|(&operation, (with_names, without_names))| {
        let fingerprints = Fingerprints {
            with_names,
            without_names,
        };
        (operation, fingerprints)
    });
    hashes.collect()
}
