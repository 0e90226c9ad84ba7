//! Reads a file piece by piece. The rows are made from pieces alone, so that another reader, of
//! events, can replace this one.

use super::{TableInput, TableOptions, WHOLE_FILE};
use rmlir::ir::{Context, Module, Operation};
use rmlir::{Error, File, Form, Ir, ReadOptions, Source, Symbol};
use std::collections::VecDeque;

/// A part of a file in memory.
pub(super) struct Piece {
    pub(super) context: Context,
    pub(super) module: Module,
    /// The operation whose rows are made, with everything in it.
    pub(super) root: Operation,
    /// Whether the rows begin with the operation around `root`, which is the top-level one.
    pub(super) begins_with_top: bool,
}

/// The pieces of a file, in its order.
pub(super) struct Pieces {
    pub(super) name: String,
    /// The producer, once a piece is read.
    pub(super) producer: Option<String>,
    /// The index of the next operation.
    pub(super) next_index: i64,
    state: State,
}

enum State {
    /// The whole module.
    Whole(Option<Box<Ir>>),
    /// Symbols that are read one at a time.
    Lazy {
        file: Box<File>,
        symbols: VecDeque<Symbol>,
        options: Box<ReadOptions>,
        is_first: bool,
    },
}

impl Pieces {
    pub(super) fn open(input: &TableInput, options: &TableOptions) -> Result<Self, Error> {
        let name = input.name();
        let state = match input {
            TableInput::Path(path) => {
                let options = options.read.for_path(path);
                let size = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
                match size > WHOLE_FILE && Form::of_file(path)? != Form::Text {
                    true => State::lazy(File::open_with(path, &options)?, &options)?,
                    false => State::whole(rmlir::open_with(path, &options)?),
                }
            }
            TableInput::Bytes(name, source) => {
                let mut options = options.read.clone();
                options.file_name = name.clone();
                State::of_source(source, &options)?
            }
        };
        Ok(Pieces {
            name,
            producer: None,
            next_index: 0,
            state,
        })
    }

    /// Reads the next piece; `None` at the end of the file.
    pub(super) fn next_piece(&mut self) -> Result<Option<Piece>, Error> {
        let piece = match &mut self.state {
            State::Whole(ir) => {
                let Some(ir) = ir.take() else {
                    return Ok(None);
                };
                let (context, module) = ir.into_parts();
                Piece {
                    root: module.top(),
                    context,
                    module,
                    begins_with_top: false,
                }
            }
            State::Lazy {
                file,
                symbols,
                options,
                is_first,
            } => {
                let Some(symbol) = symbols.pop_front() else {
                    return Ok(None);
                };
                let mut context = options.context();
                let read = file.as_lazy().read_symbol(&mut context, &symbol);
                let (module, root) = read.map_err(Error::from)?;
                Piece {
                    context,
                    module,
                    root,
                    begins_with_top: std::mem::take(is_first),
                }
            }
        };
        if self.producer.is_none() {
            let producer = piece.module.provenance.producer;
            self.producer = producer.map(|text| piece.context.str(text).into_owned());
        }
        Ok(Some(piece))
    }
}

impl State {
    fn of_source(source: &Source, options: &ReadOptions) -> Result<Self, Error> {
        match source.len() as u64 > WHOLE_FILE && Form::of(source) != Form::Text {
            true => State::lazy(File::from_bytes(source.clone(), options)?, options),
            false => Ok(State::whole(rmlir::read_with(source.clone(), options)?)),
        }
    }

    fn whole(ir: Ir) -> Self {
        State::Whole(Some(Box::new(ir)))
    }

    /// The operations directly in the top-level one. If there are none, the file is read whole.
    fn lazy(file: File, options: &ReadOptions) -> Result<Self, Error> {
        let mut symbols = file.symbols()?;
        symbols.retain(|symbol| symbol.path.len() == 1);
        symbols.extend(file.unnamed()?);
        if symbols.is_empty() {
            return Ok(State::whole(file.read_all()?));
        }
        symbols.sort_by_key(|symbol| symbol.place);
        Ok(State::Lazy {
            file: Box::new(file),
            symbols: symbols.into(),
            options: Box::new(options.clone()),
            is_first: true,
        })
    }
}
