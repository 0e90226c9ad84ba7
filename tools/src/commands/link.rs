//! `rmlir link`: several modules become one.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::load::{LoadOptions, Piece};
use crate::save::SaveOptions;
use clap::{Args, ValueEnum};
use rmlir::ir::{
    LinkError, LinkInput, LinkOptions, Linked, ModuleAttributes, VerifyOptions, link, verify,
};
use rmlir::text::{Diagnostic, Diagnostics, ParseOptions, SourceText};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Link modules: symbols that one declares and another defines become one.
///
/// Each input can be text, native bytecode or upstream's bytecode. Declarations stay if none of the
/// inputs has the definition, and their names never change. Local symbols (private ones, and those
/// of LLVM's linkages 'internal' and 'private') whose names clash are renamed with their
/// references. Two other definitions of a name are an error. The operations are in the order of the
/// inputs; parts that 'rmlir split' made are in the order of the module that was split.
#[derive(Args, Debug)]
pub struct Link {
    /// The inputs; one of them can be `-`, standard input
    #[arg(required = true)]
    inputs: Vec<String>,
    /// Accept several definitions of a name if they are equal and refer to no local symbols but
    /// equal functions
    #[arg(long)]
    dedupe: bool,
    /// Which attributes the module has if those of the inputs differ
    #[arg(long, value_name = "WHICH", default_value = "equal")]
    module_attributes: WhichAttributes,
    #[command(flatten)]
    save: SaveOptions,
    #[command(flatten)]
    load: LoadOptions,
}

/// Which attributes a linked module has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WhichAttributes {
    /// Those of all inputs, which must be equal
    Equal,
    /// Those of all inputs, which must not have different values for one name
    Union,
    /// Those of the first input
    First,
    /// Those of the last input
    Last,
}

impl From<WhichAttributes> for ModuleAttributes {
    fn from(which: WhichAttributes) -> Self {
        match which {
            WhichAttributes::Equal => ModuleAttributes::Equal,
            WhichAttributes::Union => ModuleAttributes::Union,
            WhichAttributes::First => ModuleAttributes::First,
            WhichAttributes::Last => ModuleAttributes::Last,
        }
    }
}

impl Run for Link {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.load.diagnostic_format
    }

    fn run(&self) -> Result<ExitStatus, Failure> {
        if self.inputs.iter().filter(|input| *input == "-").count() > 1 {
            let message = "standard input can be one of the inputs only";
            return Err(Failure::Usage(message.to_owned()));
        }
        let loaded = self.read()?;
        let mut options = LinkOptions::default();
        options.dedupe = self.dedupe;
        options.module_attributes = self.module_attributes.into();
        let inputs: Vec<LinkInput<'_>> = loaded
            .iter()
            .map(|one| (&one.context, &one.module).into())
            .collect();
        let linked = link(&inputs, &options);
        let mut linked = linked.map_err(|error| failure(&error, &loaded, &inputs))?;
        if !self.load.no_verify {
            self.verify(&mut linked)?;
        }
        let mut save = self.save.clone();
        if save.limit.max_output.is_none() {
            let limit = |one: &Loaded| {
                let limit = &self.save.limit;
                limit.bytes(&one.input, &Piece::WHOLE, &one.context, &one.module)
            };
            save.limit.max_output = Some(loaded.iter().map(limit).fold(0, u64::saturating_add));
        }
        let Some(first) = loaded.first() else {
            return Ok(ExitStatus::Success);
        };
        save.save(
            &self.load,
            &first.input,
            &mut linked.context,
            &linked.module,
        )?;
        Ok(ExitStatus::Success)
    }
}

impl Link {
    /// Reads the inputs, on as many threads as there are to be. The failure is that of the first
    /// input that has one.
    fn read(&self) -> Result<Vec<Loaded>, Failure> {
        let next = AtomicUsize::new(0);
        let count = self.load.threads().count().min(self.inputs.len()).max(1);
        let read = || {
            let mut loaded = Vec::new();
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(input) = self.inputs.get(number) else {
                    return loaded;
                };
                loaded.push((number, Loaded::read(&self.load, input)));
            }
        };
        let mut all: Vec<(usize, Result<Loaded, Failure>)> = std::thread::scope(|scope| {
            let others: Vec<_> = (1..count).map(|_| scope.spawn(read)).collect();
            let mut all = read();
            for other in others {
                match other.join() {
                    Ok(loaded) => all.extend(loaded),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            all
        });
        all.sort_by_key(|(number, _)| *number);
        all.into_iter().map(|(_, loaded)| loaded).collect()
    }

    /// Checks that the result obeys the rules of the IR, as the inputs do.
    fn verify(&self, linked: &mut Linked) -> Result<(), Failure> {
        let mut options = VerifyOptions::default();
        if !self.load.allow_unknown_ops {
            linked.context.check_bodies();
        }
        options.limit = self.load.max_errors;
        options.allow_unknown = self.load.allow_unknown_ops;
        options.allow_misplaced = self.load.no_normalize;
        options.threads = self.load.threads();
        let (context, module) = (&linked.context, &linked.module);
        let Err(errors) = verify(context, module, module.top(), &options) else {
            return Ok(());
        };
        match Diagnostics::of_verify_errors(context, module, &errors, None) {
            Some(diagnostics) => Err(Failure::Diagnostics(diagnostics.into_vec())),
            None => Ok(()),
        }
    }
}

/// The failure with the lines of the operations that it is about.
fn failure(error: &LinkError, loaded: &[Loaded], inputs: &[LinkInput<'_>]) -> Failure {
    if error.places().is_empty() {
        return Failure::Input(format!("error: {error}"));
    }
    let options = loaded
        .iter()
        .map(|one| ParseOptions::for_file(&one.input.name));
    let options: Vec<ParseOptions> = options.collect();
    let sources = loaded.iter().zip(&options).map(|(one, options)| {
        let source = match one.input.form() {
            rmlir::Form::Text => one.input.source().ok(),
            _ => None,
        };
        source.map(|bytes| SourceText { options, bytes })
    });
    let sources: Vec<Option<SourceText<'_>>> = sources.collect();
    let mut diagnostic = Diagnostic::of_link_error(error, inputs, &sources);
    // Where there is no location, the file at least is known.
    let names = error
        .places()
        .iter()
        .filter_map(|place| loaded.get(place.input));
    let names: Vec<&str> = names.map(|one| one.input.name.as_str()).collect();
    if diagnostic.line == 0
        && let Some(name) = names.first()
    {
        diagnostic.message = format!("in '{name}': {}", diagnostic.message);
    }
    for (note, name) in diagnostic.notes.iter_mut().zip(names.iter().skip(1)) {
        if note.line == 0 {
            note.message = format!("in '{name}': {}", note.message);
        }
    }
    Failure::Diagnostics(vec![diagnostic])
}
