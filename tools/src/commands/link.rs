//! `rmlir link`: several modules become one.

use super::{ExitStatus, Loaded, Run};
use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use crate::inputs::Inputs;
use crate::load::{LoadOptions, Piece, Verifying};
use crate::save::SaveOptions;
use crate::written::Written;
use clap::{Args, ValueEnum};
use rmlir::Ir;
use rmlir::ir::{
    Context, LinkError, LinkErrors, LinkInput, LinkOptions, Linked, Module, ModuleAttributes,
    PartInfo, link, part_info,
};
use rmlir::text::{Diagnostic, ParseOptions, SourceText};

/// Link modules: symbols that one declares and another defines become one.
///
/// Each input can be text, native bytecode or upstream's bytecode. Declarations stay if none of the
/// inputs has the definition, and their names never change. Local symbols (private ones, and those
/// of LLVM's linkages 'internal' and 'private') whose names clash are renamed with their
/// references. Two other definitions of a name are an error. The operations are in the order of the
/// inputs; parts that 'rmlir split' made are in the order of the module that was split. If parts
/// are missing, the result is a part too, and a warning names them. Symbols of a part that passes
/// erased as unused, though other parts refer to them, are an error: do not run 'symbol-dce' on
/// parts.
///
/// LLVM's linkages decide between two definitions of a name. The stronger is kept, or else the
/// first; from the weakest on these are 'available_externally', 'linkonce' and 'linkonce_odr',
/// 'weak' and 'weak_odr', 'common', and all others. Arrays of linkage 'appending' are joined in the
/// order of the inputs. The symbols of all 'llvm.comdat' are kept, and must not differ. An
/// 'llvm.mlir.alias' or 'llvm.mlir.ifunc' defines a symbol that another module declares by
/// 'llvm.func', unless an 'llvm.call' calls the alias.
#[derive(Args, Debug)]
pub struct Link {
    #[command(flatten)]
    inputs: Inputs,
    /// Accept several definitions of a name if they are equal and refer to no local symbols but
    /// equal functions; the first is kept
    ///
    /// The equal local functions become one, too.
    /// Locations may differ. Parts that are among the inputs twice are accepted, too.
    #[arg(long)]
    dedupe: bool,
    /// Take the inputs for pieces of one module, such as results of 'rmlir extract': a name denotes
    /// the same symbol in all of them, also if it is private
    ///
    /// Nothing is renamed, and declarations of private symbols are resolved. Symbol tables of one
    /// name, such as excerpts of one 'gpu.module', are joined. Distinct attributes of two inputs
    /// stay different, also if they were one in the module; there is a warning. Files of 'rmlir
    /// split' do not need this option, and their distinct attributes are one again.
    #[arg(long)]
    one_scope: bool,
    /// The attributes of the module if those of the inputs differ
    #[arg(long, value_name = "WHICH", default_value = "equal")]
    module_attributes: WhichAttributes,
    #[command(flatten)]
    save: SaveOptions,
    #[command(flatten)]
    load: Verifying,
}

/// The attributes of a linked module.
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
        // Before anything is read.
        self.save.form()?;
        let loaded = self.read(&self.inputs.paths(&self.load)?)?;
        let mut options = LinkOptions::default();
        options.dedupe = self.dedupe;
        options.one_scope = self.one_scope;
        options.module_attributes = self.module_attributes.into();
        options.max_errors = self.load.max_errors;
        let inputs: Vec<LinkInput<'_>> = loaded
            .iter()
            .map(|one| (&one.context, &one.module).into())
            .collect();
        let linked = link(&inputs, &options);
        let linked = linked.map_err(|errors| failure(&errors, &loaded, &inputs))?;
        self.warn(&linked, &loaded);
        let mut linked = Ir::from_parts(linked.context, linked.module);
        if !self.load.no_verify {
            let mut options = self.load.options_without_definitions("").verify_options();
            // The inputs were verified, but for those with open references.
            let is_open = |(context, module)| has_open_references(context, module);
            options.symbols_only = !inputs.iter().any(|one| is_open((one.context, one.module)));
            if !is_open(linked.parts()) {
                linked.verify_with(&options)?;
            }
        }
        let (context, module) = linked.parts();
        if let Some(info) = part_info(context, module) {
            let warning = missing_parts(context, &info);
            self.diagnostic_format().show_warning(&warning);
        }
        let mut save = self.save.clone();
        let limit = |one: &Loaded| {
            let limit = &self.save.limit;
            limit.bytes(&one.input, &Piece::WHOLE, &one.context, &one.module)
        };
        save.limit.of_inputs = Some(loaded.iter().map(limit).fold(0, u64::saturating_add));
        let Some(first) = loaded.first() else {
            return Ok(ExitStatus::Success);
        };
        let (context, module) = linked.parts_mut();
        save.save(&self.load, &first.input, context, module)?;
        let names: Vec<&str> = loaded.iter().map(|one| one.input.name.as_str()).collect();
        let written = Written {
            inputs: &names,
            module: Some((context, module)),
            lists_symbols: false,
        };
        written.report(&save)?;
        // The program ends: the system frees many large modules at once, faster than `drop`.
        std::mem::forget((loaded, linked));
        Ok(ExitStatus::Success)
    }
}

impl Link {
    /// Warns about content of the inputs that the result lacks.
    fn warn(&self, linked: &Linked, loaded: &[Loaded]) {
        let name = |input: usize| loaded.get(input).map_or("", |one| one.input.name.as_str());
        let context = &linked.context;
        for dropped in &linked.dropped_resources {
            self.diagnostic_format().show_warning(&format!(
                "external resource '{}' of '{}' differs in '{}' and '{}': that of '{2}' is dropped",
                context.str(dropped.key),
                context.str(dropped.group),
                name(dropped.input),
                name(dropped.kept),
            ));
        }
        let mut with_distincts = loaded.iter().filter(|one| one.context.has_distincts());
        if self.one_scope
            && let (Some(one), Some(other)) = (with_distincts.next(), with_distincts.next())
        {
            self.diagnostic_format().show_warning(&format!(
                "'{}' and '{}' have distinct attributes: those of different inputs are different, \
                 also if they were one in the module that the inputs are pieces of; files of 'rmlir \
                 split' preserve them",
                one.input.name, other.input.name
            ));
        }
    }

    /// Reads the inputs: several at a time, each on one thread. The failure is that of the first
    /// input that has one.
    fn read(&self, paths: &[String]) -> Result<Vec<Loaded>, Failure> {
        let threads = self.load.threads();
        let mut load = LoadOptions::clone(&self.load);
        load.threads = (threads.count() / paths.len().max(1)).max(1);
        let read = |number: usize| Some(Loaded::read_part(&load, paths.get(number)?));
        let loaded = threads.map(paths.len(), read);
        loaded.into_iter().flatten().collect()
    }
}

/// Whether a module is a part with references that other parts resolve: it does not verify.
pub(super) fn has_open_references(context: &Context, module: &Module) -> bool {
    part_info(context, module).is_some_and(|info| info.has_open_references)
}

/// The warning that parts are missing.
fn missing_parts(context: &Context, info: &PartInfo) -> String {
    let numbers = listed(info.missing.iter().map(usize::to_string));
    let symbols = info.missing_symbols.iter();
    let symbols = listed(symbols.map(|&name| format!("'{}'", context.str(name))));
    let symbols = match symbols.is_empty() {
        true => String::new(),
        false => format!("refers to their symbols {symbols}, and "),
    };
    format!(
        "of the {} parts of a module that was split, these are missing: {numbers}; the result \
         {symbols}is a part as well",
        info.parts
    )
}

/// The first of several names, separated by commas, and the number of the others.
fn listed(names: impl ExactSizeIterator<Item = String>) -> String {
    /// The number of names that it lists.
    const LISTED: usize = 20;
    let rest = names.len().saturating_sub(LISTED);
    let listed: Vec<String> = names.take(LISTED).collect();
    let more = match rest {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    format!("{}{more}", listed.join(", "))
}

/// The failure with the lines of the operations that the errors are about.
fn failure(errors: &LinkErrors, loaded: &[Loaded], inputs: &[LinkInput<'_>]) -> Failure {
    if let [error] = errors.errors()
        && error.places().is_empty()
    {
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
    let errors = errors.errors().iter();
    let diagnostics = errors.map(|error| diagnostic(error, loaded, inputs, &sources));
    Failure::Diagnostics(diagnostics.collect())
}

/// The diagnostic of an error, which names the inputs.
fn diagnostic(
    error: &LinkError,
    loaded: &[Loaded],
    inputs: &[LinkInput<'_>],
    sources: &[Option<SourceText<'_>>],
) -> Diagnostic {
    let mut diagnostic = Diagnostic::of_link_error(error, inputs, sources);
    // The file of a location is often not the input: `<stdin>`, or the source that was compiled.
    let mut names = error
        .places()
        .iter()
        .filter_map(|place| Some(loaded.get(place.input)?.input.name.as_str()));
    let name_input = |diagnostic: &mut Diagnostic, name: Option<&str>| {
        // An operation without a location.
        if diagnostic.line == 0 && diagnostic.file.is_empty() {
            diagnostic.file = name.unwrap_or_default().to_owned();
            return;
        }
        if let Some(name) = name
            && (diagnostic.line == 0 || diagnostic.file != name)
        {
            diagnostic.message = format!("in '{name}': {}", diagnostic.message);
        }
    };
    name_input(&mut diagnostic, names.next());
    // Notes about call sites follow the first of a place.
    let own: Vec<&str> = error.places().iter().map(|place| place.note).collect();
    for note in &mut diagnostic.notes {
        if own.contains(&note.message.as_str()) {
            name_input(note, names.next());
        }
    }
    diagnostic
}
