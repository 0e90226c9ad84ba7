//! The rows of a piece: its operations, parents first.

use super::TableOptions;
use super::columns::{Columns, What};
use super::pieces::{Piece, Pieces};
use rmlir::SymbolPath;
use rmlir::ir::{Fingerprint, FingerprintOptions, Fingerprinter, Op, Operation, Type};
use rmlir::text::type_to_string;
use std::collections::HashMap;
use std::sync::Arc;

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
    symbol: Option<Arc<SymbolPath>>,
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

/// The operations of a piece that are still to be visited.
pub(super) struct Rows {
    piece: Piece,
    open: Vec<Open>,
    fingerprints: HashMap<Operation, Fingerprints>,
    types: TypeTexts,
}

impl Rows {
    pub(super) fn new(pieces: &Pieces, mut piece: Piece, options: &TableOptions) -> Self {
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
        debug_assert!(pieces.next_index > 0 || is_top || piece.begins_with_top);
        let fingerprints = match options.what {
            What::Operations | What::Symbols => fingerprints(&mut piece, options.all_fingerprints),
            _ => HashMap::new(),
        };
        Rows {
            piece,
            open,
            fingerprints,
            types: TypeTexts::default(),
        }
    }

    /// Makes the rows of the next operation; false if there is none.
    pub(super) fn next(&mut self, pieces: &mut Pieces, columns: &mut Columns) -> bool {
        let Some(next) = self.open.pop() else {
            return false;
        };
        let index = pieces.next_index;
        pieces.next_index += 1;
        let op = Op::from((&self.piece.context, &self.piece.module, next.operation));
        let own = op.module.symbol_name(op.context, op.id());
        let symbol = match own {
            // The top-level operation is not part of references.
            Some(name) if next.depth > 0 => {
                let path = next.symbol.as_deref().cloned().unwrap_or_default();
                Some(Arc::new(path.child(op.context.bytes(name).into())))
            }
            _ => next.symbol,
        };
        let shown = symbol.as_ref().map(|path| path.to_string());
        columns.push(
            &Row {
                file: &pieces.name,
                producer: pieces.producer.as_deref(),
                op,
                index,
                parent: next.parent,
                depth: next.depth,
                symbol: shown.as_deref(),
                fingerprints: self.fingerprints.get(&next.operation),
            },
            &mut self.types,
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

/// Returns the fingerprints of the symbols and of the top-level operation of a piece, or of all
/// operations. Those of a part's top-level operation are left out: it is not the whole.
fn fingerprints(piece: &mut Piece, all: bool) -> HashMap<Operation, Fingerprints> {
    let (context, module) = (&mut piece.context, &mut piece.module);
    let is_whole = piece.root == module.top();
    let mut symbols = Vec::new();
    let mut wanted = Vec::new();
    for operation in module.descendants(piece.root) {
        let name = module.symbol_name(context, operation);
        symbols.extend(name.map(|name| (operation, name)));
        if all || name.is_some() || is_whole && operation == piece.root {
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
