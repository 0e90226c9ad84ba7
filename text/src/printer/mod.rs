//! Prints the in-memory representation as text.
//!
//! First, names are assigned ([`names`]). Then aliases are found by visiting everything in print
//! order ([`alias`]). Then operations are printed ([`operation`]), with their types, attributes and
//! locations ([`entry`]), on several threads if requested ([`ahead`]). Nothing recurses on the
//! depth of the printed IR.

mod alias;
mod dense;
mod entry;
mod format;
mod location_names;
mod names;
mod operation;
mod output;
mod parallel;
mod resources;
mod text_memo;
mod users;

use crate::spans::{Span, SpanDetail};
use alias::Aliases;
use entry::EntryStackPrinter;
pub(crate) use entry::{body_pieces, is_body_reference};
use output::Output;
pub(crate) use output::quoted;
use rmlir_ir::Threads;
use rmlir_ir::definition::Release;
use rmlir_ir::{
    Attribute, Context, Entry, Location, Message, MessagePart, Module, Operation, OperationTraits,
    ProgressCounter, ResourceKeys, Type,
};
use rmlir_limits::DEFAULT_MAX_OUTPUT_BYTES;
use std::fmt;
use std::io;
use std::sync::Arc;

/// Options for printing. The names follow `mlir-opt`'s options.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PrintOptions {
    /// Print every operation in generic form (`--mlir-print-op-generic`).
    pub generic: bool,
    /// Print the locations of operations and block arguments (`--mlir-print-debuginfo`).
    pub debug_info: bool,
    /// Print locations without `loc(...)` and with fewer quotes (`--mlir-pretty-debuginfo`).
    ///
    /// Such a text cannot be parsed. Affects the locations that [`debug_info`](Self::debug_info)
    /// prints, and those in attributes.
    ///
    /// ```
    /// use rmlir_ir::Context;
    /// use rmlir_text::{ParseOptions, PrintOptions, module_to_string, parse_module};
    ///
    /// let mut context = Context::new();
    /// let text = b"\"test.op\"() : () -> () loc(\"a.mlir\":1:2)";
    /// let module = parse_module(&mut context, text, &ParseOptions::default())?;
    /// let mut options = PrintOptions::default();
    /// options.debug_info = true;
    /// options.pretty_locations = true;
    /// options.local_scope = true;
    /// let text = String::from_utf8(module_to_string(&context, &module, &options)?)?;
    /// assert!(text.contains("\n  \"test.op\"() : () -> () a.mlir:1:2\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub pretty_locations: bool,
    /// Print without aliases (`--mlir-print-local-scope`).
    pub local_scope: bool,
    /// Print `{...}` instead of each region (`--mlir-print-skip-regions`).
    ///
    /// ```
    /// use rmlir_ir::Context;
    /// use rmlir_text::{ParseOptions, PrintOptions, module_to_string, parse_module};
    ///
    /// let mut context = Context::new();
    /// let text = b"\"test.op\"() : () -> ()";
    /// let module = parse_module(&mut context, text, &ParseOptions::default())?;
    /// let mut options = PrintOptions::generic();
    /// options.skip_regions = true;
    /// let text = module_to_string(&context, &module, &options)?;
    /// assert_eq!(text, b"\"builtin.module\"() ({...}) : () -> ()\n");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub skip_regions: bool,
    /// Give no number to two values (`--mlir-print-unique-ssa-ids`).
    ///
    /// By default, regions that follow each other use the same numbers. In generic form numbers are
    /// always unique.
    ///
    /// ```
    /// use rmlir_ir::Context;
    /// use rmlir_text::{ParseOptions, PrintOptions, module_to_string, parse_module};
    ///
    /// let mut context = Context::new();
    /// let region = "{ %0 = \"t.a\"() : () -> i32 }";
    /// let text = format!("\"t.b\"() ({region}, {region}) : () -> ()");
    /// let module = parse_module(&mut context, text.as_bytes(), &ParseOptions::default())?;
    /// let mut options = PrintOptions::default();
    /// options.unique_numbers = true;
    /// let text = String::from_utf8(module_to_string(&context, &module, &options)?)?;
    /// assert!(text.contains("%0 = ") && text.contains("%1 = "));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub unique_numbers: bool,
    /// Name values by their locations, where these contain a name (`--mlir-use-nameloc-as-prefix`).
    ///
    /// ```
    /// use rmlir_ir::Context;
    /// use rmlir_text::{ParseOptions, PrintOptions, module_to_string, parse_module};
    ///
    /// let mut context = Context::new();
    /// let text = b"%0 = \"test.op\"() : () -> i32 loc(\"size\")";
    /// let module = parse_module(&mut context, text, &ParseOptions::default())?;
    /// let mut options = PrintOptions::default();
    /// options.names_of_locations = true;
    /// let text = String::from_utf8(module_to_string(&context, &module, &options)?)?;
    /// assert!(text.contains("%size = \"test.op\"() : () -> i32"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub names_of_locations: bool,
    /// Print the users of results and block arguments in comments (`--mlir-print-value-users`).
    ///
    /// Operations without results have numbers then, which the comments refer to.
    ///
    /// ```
    /// use rmlir_ir::Context;
    /// use rmlir_text::{ParseOptions, PrintOptions, module_to_string, parse_module};
    ///
    /// let mut context = Context::new();
    /// let text = b"%0 = \"t.a\"() : () -> i32\n\"t.b\"(%0) : (i32) -> ()";
    /// let module = parse_module(&mut context, text, &ParseOptions::default())?;
    /// let mut options = PrintOptions::default();
    /// options.value_users = true;
    /// let text = String::from_utf8(module_to_string(&context, &module, &options)?)?;
    /// assert!(text.contains("%0 = \"t.a\"() : () -> i32 // user: %1\n"));
    /// assert!(text.contains("\"t.b\"(%0) : (i32) -> () // id: %1\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub value_users: bool,
    /// Use the source names of values and blocks that the module preserves, unless they collide.
    pub keep_names: bool,
    /// Print `dense_resource<__elided__>` for elements attributes with more elements than this
    /// (`--mlir-elide-elementsattrs-if-larger`).
    pub elide_elements_if_larger: Option<u64>,
    /// Omit resources whose text would take more characters than this
    /// (`--mlir-elide-resource-strings-if-larger`).
    pub elide_resources_if_larger: Option<u64>,
    /// Print elements attributes with more elements than this as hex digits, except splats.
    pub hex_if_larger: u64,
    /// The maximum length of the text, in bytes; 16 GiB by default.
    ///
    /// A graph of a few hundred bytes can denote terabytes of text.
    pub max_output: u64,
    /// The number of threads on which a large module is printed; one by default.
    ///
    /// The text is the same. Where many operations follow each other, threads print some of them
    /// ahead, at most 16 MiB at once for each thread.
    pub threads: Threads,
    /// The minimum number of operations a thread prints at once, with nested ones; 2^12 by default.
    ///
    /// Handing over fewer than a thread prints in a millisecond costs more time than it saves.
    pub operations_per_thread: usize,
    /// The number of bytes that are buffered before they are passed to the writer; for tests.
    ///
    /// The text is the same for every size.
    #[doc(hidden)]
    pub buffer_size: usize,
    /// The keys by which attributes and types that are printed alone name resources; by default,
    /// the resources' own keys.
    ///
    /// Where operations are printed, the keys are those of the module.
    pub resource_keys: Option<Arc<ResourceKeys>>,
    /// The release in whose spelling attributes are printed in full; that of the context if absent.
    pub release: Option<Release>,
    /// Counts printed operations; by default nothing is counted.
    pub progress: ProgressCounter,
}

impl Default for PrintOptions {
    fn default() -> Self {
        PrintOptions {
            generic: false,
            debug_info: false,
            pretty_locations: false,
            local_scope: false,
            skip_regions: false,
            unique_numbers: false,
            names_of_locations: false,
            value_users: false,
            keep_names: false,
            elide_elements_if_larger: None,
            elide_resources_if_larger: None,
            hex_if_larger: 100,
            max_output: DEFAULT_MAX_OUTPUT_BYTES,
            threads: Threads::ONE,
            operations_per_thread: 1 << 12,
            buffer_size: output::BUFFER_SIZE,
            resource_keys: None,
            release: None,
            progress: ProgressCounter::default(),
        }
    }
}

impl PrintOptions {
    /// Returns options for generic form, otherwise the defaults.
    pub fn generic() -> Self {
        PrintOptions {
            generic: true,
            ..PrintOptions::default()
        }
    }
}

/// The reason why a module was not printed completely.
#[derive(Debug)]
#[non_exhaustive]
pub enum PrintError {
    /// The writer failed.
    Io(io::Error),
    /// The text would be longer than the [`PrintOptions::max_output`] bytes allowed.
    TooLarge(u64),
}

impl fmt::Display for PrintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PrintError::Io(error) => write!(f, "writing the text failed: {error}"),
            PrintError::TooLarge(limit) => {
                write!(
                    f,
                    "the text is longer than the limit of {limit} bytes (PrintOptions::max_output)"
                )
            }
        }
    }
}

impl std::error::Error for PrintError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            PrintError::Io(error) => Some(error),
            PrintError::TooLarge(_) => None,
        }
    }
}

impl From<io::Error> for PrintError {
    fn from(error: io::Error) -> Self {
        PrintError::Io(error)
    }
}

/// The result of the printer's functions.
pub(crate) type Result<T> = std::result::Result<T, PrintError>;

/// Prints a module, with its aliases and resources, as `mlir-opt` does.
///
/// The text is written piece by piece. Time is linear in its size. Where regions nest so deeply
/// that indentation would take more than 64 MiB (beyond some 5,000 levels), lines are not indented
/// further than 64 levels.
///
/// # Errors
///
/// If the writer fails or the text gets too long.
///
/// ```
/// use rmlir_ir::Context;
/// use rmlir_text::{ParseOptions, PrintOptions, parse_module, print_module};
///
/// let mut context = Context::new();
/// let text = br#""test.op"() {b, a = [1, 2]} : () -> ()"#;
/// let module = parse_module(&mut context, text, &ParseOptions::default())?;
/// let mut out = Vec::new();
/// print_module(&context, &module, &PrintOptions::generic(), &mut out)?;
/// assert_eq!(
///     String::from_utf8(out)?,
///     "\"builtin.module\"() ({\n  \"test.op\"() {a = [1, 2], b} : () -> ()\n}) : () -> ()\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn print_module(
    context: &Context,
    module: &Module,
    options: &PrintOptions,
    out: &mut dyn io::Write,
) -> Result<()> {
    let top = module.top();
    operation::print(context, module, top, top, options, true, out)
}

/// Prints one operation of a module, without resources.
///
/// # Errors
///
/// As [`print_module`].
pub fn print_operation(
    context: &Context,
    module: &Module,
    operation: Operation,
    options: &PrintOptions,
    out: &mut dyn io::Write,
) -> Result<()> {
    operation::print(context, module, operation, operation, options, false, out)
}

/// Prints operations of a module one after another, and returns the parts of the text, as far as
/// `detail` asks for them.
///
/// Values have the names that they have in the text of the whole module. Spans are in the order of
/// their starts, with an enclosing span before the spans it contains. Takes time in the size of the
/// module, on one thread.
///
/// # Errors
///
/// As [`print_module`].
///
/// ```
/// use rmlir_ir::Context;
/// use rmlir_text::{ParseOptions, PrintOptions, SpanDetail, SpanKind, parse_module};
/// use rmlir_text::print_operations_with_spans;
///
/// let mut context = Context::new();
/// let text = b"%0 = \"t.a\"() : () -> i32\n%1 = \"t.b\"() : () -> i32";
/// let module = parse_module(&mut context, text, &ParseOptions::default())?;
/// let second = module.body().and_then(|body| module.last_operation(body)).unwrap();
/// let (mut out, options) = (Vec::new(), PrintOptions::default());
/// let detail = SpanDetail::Values;
/// let spans =
///     print_operations_with_spans(&context, &module, &[second], detail, &options, &mut out)?;
/// assert_eq!(out, b"%1 = \"t.b\"() : () -> i32\n");
/// assert_eq!((spans[0].kind, spans[0].bytes.clone()), (SpanKind::Operation(second), 0..24));
/// let result = module.result(second, 0).unwrap();
/// assert_eq!((spans[1].kind, spans[1].bytes.clone()), (SpanKind::Value(result), 0..2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn print_operations_with_spans(
    context: &Context,
    module: &Module,
    operations: &[Operation],
    detail: SpanDetail,
    options: &PrintOptions,
    out: &mut dyn io::Write,
) -> Result<Vec<Span>> {
    operation::print_with_spans(context, module, operations, detail, options, out)
}

/// Returns a module as text; see [`print_module`].
///
/// # Errors
///
/// If the text gets too long.
pub fn module_to_string(
    context: &Context,
    module: &Module,
    options: &PrintOptions,
) -> Result<Vec<u8>> {
    let mut out = Vec::new();
    print_module(context, module, options, &mut out)?;
    Ok(out)
}

/// Prints an attribute alone, without aliases.
///
/// # Errors
///
/// As [`print_module`].
pub fn print_attribute(
    context: &Context,
    attribute: Attribute,
    options: &PrintOptions,
    out: &mut dyn io::Write,
) -> Result<()> {
    print_alone(context, Entry::Attribute(attribute), options, out)
}

/// Prints a type alone, without aliases.
///
/// # Errors
///
/// As [`print_module`].
pub fn print_type(
    context: &Context,
    ty: Type,
    options: &PrintOptions,
    out: &mut dyn io::Write,
) -> Result<()> {
    print_alone(context, Entry::Type(ty), options, out)
}

/// Prints a location alone, with `loc(` and `)`, without aliases.
///
/// # Errors
///
/// As [`print_module`].
pub fn print_location(
    context: &Context,
    location: Location,
    options: &PrintOptions,
    out: &mut dyn io::Write,
) -> Result<()> {
    print_alone(context, Entry::Location(location), options, out)
}

fn print_alone(
    context: &Context,
    entry: Entry,
    options: &PrintOptions,
    out: &mut dyn io::Write,
) -> Result<()> {
    let mut output = Output::new(out, options);
    let aliases = Aliases::default();
    let none = ResourceKeys::default();
    let keys = options.resource_keys.as_deref().unwrap_or(&none);
    let mut printer = EntryStackPrinter::new(context, options, keys);
    printer.print(entry, &aliases, &mut output)?;
    output.finish()
}

/// The maximum number of bytes of a type, attribute or operation that an error message shows.
const SHOWN: u64 = 4096;

/// Returns what `print` prints, truncated if it is very long.
fn shown(print: impl FnOnce(&PrintOptions, &mut Vec<u8>) -> Result<()>) -> String {
    let options = PrintOptions {
        generic: true,
        local_scope: true,
        elide_elements_if_larger: Some(16),
        max_output: SHOWN,
        ..PrintOptions::default()
    };
    let mut out = Vec::new();
    let cut = print(&options, &mut out).is_err();
    let mut text = String::from_utf8_lossy(&out).into_owned();
    if cut {
        text.push_str("...");
    }
    text
}

/// Returns a type in human-readable form; a very long one is truncated.
pub fn type_to_string(context: &Context, ty: Type) -> String {
    shown(|options, out| print_type(context, ty, options, out))
}

/// Returns an attribute in human-readable form; a very long one is truncated.
pub fn attribute_to_string(context: &Context, attribute: Attribute) -> String {
    shown(|options, out| print_attribute(context, attribute, options, out))
}

/// Returns a message of the verifier, with its types, attributes and operations printed.
///
/// A very long one is truncated.
///
/// ```
/// use rmlir_ir::{Context, Message, Module};
/// use rmlir_text::message_to_string;
///
/// let mut context = Context::new();
/// let module = Module::new(&mut context);
/// let message = Message::from("expected '").ty(context.i32_type()).text("'");
/// assert_eq!(message_to_string(&context, &module, &message), "expected 'i32'");
/// ```
pub fn message_to_string(context: &Context, module: &Module, message: &Message) -> String {
    let mut text = String::new();
    for part in message.parts() {
        match part {
            MessagePart::Text(part) => text.push_str(part),
            MessagePart::Type(ty) => text.push_str(&type_to_string(context, *ty)),
            MessagePart::Attribute(attribute) => {
                text.push_str(&attribute_to_string(context, *attribute));
            }
            MessagePart::Operation(operation) => {
                let scope = naming_scope(context, module, *operation);
                let shown = shown(|options, out| {
                    operation::print(context, module, scope, *operation, options, false, out)
                });
                let shown = shown.trim_end();
                // As upstream, an operation of several lines begins on a line of its own.
                if shown.contains('\n') {
                    text.push('\n');
                }
                text.push_str(shown);
            }
        }
    }
    text
}

/// Returns the isolated operation around an operation, in whose scope names are assigned; otherwise
/// the outermost operation.
fn naming_scope(context: &Context, module: &Module, operation: Operation) -> Operation {
    let mut scope = operation;
    loop {
        let traits = context
            .operation_traits(module.name(scope))
            .unwrap_or_default();
        match module.parent_operation(scope) {
            Some(parent) if !traits.contains(OperationTraits::ISOLATED_FROM_ABOVE) => {
                scope = parent;
            }
            _ => return scope,
        }
    }
}
