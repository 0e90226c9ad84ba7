//! The verifier: checks that an operation and everything nested in it obey the rules of MLIR.
//!
//! The checks and the wording of errors follow upstream (LangRef, "High-Level Structure", "Blocks",
//! "Regions", "Symbols and Symbol Tables"): blocks and terminators, control flow, dominance,
//! isolation, symbols, the rules of attributes and types, and for operations with a known
//! definition its traits, operands, results, attributes and regions.
//!
//! For an operation without a known definition, the verifier makes upstream's assumptions about
//! unregistered operations: it may be a terminator; a region of a single block needs none, and
//! values in it may be used before their definitions; a region of several blocks has control flow.
//! It may also be a symbol table; see [`SymbolTable`](crate::SymbolTable).
//!
//! * [`rules`]: the rules of definitions, a row for each rule; [`plan`]: which of them apply to the
//!   operations of a name; [`signature`]: which operations need not be checked again.
//! * [`groups`], [`regions`], [`relations`], [`branches`]: members of groups, constraints on
//!   regions, relations between types, operands of successors.
//! * [`discardable`]: discardable attributes that a dialect owns.
//! * [`requirements`]: rules as data, of the statement `requires`.
//! * [`parallel`]: verification on several threads.
//! * [`driver`]: the traversal of an operation; structure of regions and blocks.
//! * [`dominance`]: values and their uses.
//! * [`symbols`], [`function`], [`same_types`]: the rules of a trait or a few.
//! * [`entries`]: attributes, types and locations.

mod bits;
mod branches;
mod discardable;
mod dominance;
mod driver;
mod entries;
mod function;
mod groups;
mod inherent;
mod message;
mod names;
mod parallel;
mod plan;
mod regions;
mod relations;
mod requirements;
mod rules;
mod same_types;
mod signature;
mod symbols;
#[cfg(test)]
mod tests;
mod unchecked;

use crate::op::Op;
use crate::{
    Context, Location, Module, Operation, ProgressCounter, SymbolTableCollection, Threads,
};
pub(crate) use entries::RefusedEntries;
pub use message::{Message, MessagePart};
pub(crate) use requirements::{Reach, RuleFunction};
use std::fmt;
use std::sync::Arc;
pub use unchecked::{
    UncheckedEntries, UncheckedOperations, VerifierCode, unchecked_entries, unchecked_operations,
};

/// Options of the verifier.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct VerifyOptions {
    /// The maximum number of errors to find; 20 by default. At least one is always found.
    pub limit: usize,
    /// Accepts operations of unregistered dialects; true by default.
    pub allow_unregistered_dialects: bool,
    /// Accepts operations, attributes and types that a complete dialect definition does not
    /// declare, and properties that the definition of their operation does not declare; false by
    /// default.
    pub allow_unknown: bool,
    /// Accepts inherent attributes among the discardable ones, where a parser that does not
    /// normalize leaves them; false by default.
    pub allow_misplaced: bool,
    /// The number of threads that check isolated operations in symbol tables, such as functions;
    /// one by default. The result does not depend on it. Each thread other than the caller's takes
    /// memory of its own; see [`verify`].
    pub threads: Threads,
    /// Checks the bodies of attributes and types against the definitions of their dialects, unless
    /// [`allow_unknown`](Self::allow_unknown) is set; true by default. Each attribute or type of a
    /// context is checked once; those that a parser has checked are skipped. See
    /// [`Context::check_bodies`].
    pub check_bodies: bool,
    /// Checks only what joining valid modules can violate, as [`link`](crate::link()) does: the
    /// root itself, that names in symbol tables are unique, and the references to symbols that the
    /// hooks of operations check. If one of these rules is violated, everything is checked. False
    /// by default.
    pub symbols_only: bool,
    /// Adds a note with the operation to each error; false by default.
    #[doc(alias = "printOpOnDiagnostic")]
    pub print_op_on_diagnostic: bool,
    /// Counts verified operations; by default nothing is counted. Operations that are verified
    /// again to find the first errors are counted again.
    pub progress: ProgressCounter,
}

impl Default for VerifyOptions {
    fn default() -> Self {
        VerifyOptions {
            limit: 20,
            allow_unregistered_dialects: true,
            allow_unknown: false,
            allow_misplaced: false,
            threads: Threads::ONE,
            check_bodies: true,
            symbols_only: false,
            print_op_on_diagnostic: false,
            progress: ProgressCounter::default(),
        }
    }
}

/// An operation's violation of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyError {
    /// The operation.
    pub operation: Operation,
    /// The location of the operation, or of the part that is wrong.
    pub location: Location,
    /// The error message.
    pub message: Message,
    /// Additional notes.
    pub notes: Vec<VerifyNote>,
}

/// A note attached to an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyNote {
    /// The location that the note refers to.
    pub location: Location,
    /// The note.
    pub message: Message,
}

/// The reason why a check fails; see [`OperationVerifier`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VerifyFailure {
    /// Whether `'name' op ` precedes the message.
    names_operation: bool,
    /// `None` denotes the location of the operation.
    location: Option<Location>,
    message: Message,
    notes: Vec<VerifyNote>,
}

impl VerifyFailure {
    /// Returns a failure that reads `'name' op message`, with the name of the checked operation.
    #[cold]
    #[inline(never)]
    pub fn op(message: impl Into<Message>) -> Box<Self> {
        Box::new(VerifyFailure {
            names_operation: true,
            location: None,
            message: message.into(),
            notes: Vec::new(),
        })
    }

    /// Returns a failure that reads `message`.
    #[cold]
    #[inline(never)]
    pub fn plain(message: impl Into<Message>) -> Box<Self> {
        Box::new(VerifyFailure {
            names_operation: false,
            ..*Self::op(message)
        })
    }

    /// Sets a location other than the operation's.
    #[must_use]
    pub fn at(mut self: Box<Self>, location: Location) -> Box<Self> {
        self.location = Some(location);
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self: Box<Self>, location: Location, message: impl Into<Message>) -> Box<Self> {
        self.notes.push(VerifyNote {
            location,
            message: message.into(),
        });
        self
    }

    /// Returns the error of this failure for an operation.
    fn error(self, context: &Context, module: &Module, operation: Operation) -> VerifyError {
        let message = if self.names_operation {
            let name = context.operation_name_identifier(module.name(operation));
            Message::from(format!("'{}' op ", context.str(name))).append(self.message)
        } else {
            self.message
        };
        VerifyError {
            operation,
            location: self.location.unwrap_or(module.location(operation)),
            message,
            notes: self.notes,
        }
    }
}

/// The failure that [`VerifyFailure::op`] returns.
///
/// ```
/// use rmlir_ir::VerifyResult;
///
/// fn check(count: usize) -> VerifyResult {
///     match count {
///         2 => Ok(()),
///         _ => Err(format!("has {count} dimensions, not 2").into()),
///     }
/// }
/// assert!(check(3).is_err());
/// ```
impl From<&str> for Box<VerifyFailure> {
    fn from(message: &str) -> Self {
        VerifyFailure::op(message)
    }
}

/// The failure that [`VerifyFailure::op`] returns.
impl From<String> for Box<VerifyFailure> {
    fn from(message: String) -> Self {
        VerifyFailure::op(message)
    }
}

/// The failure that [`VerifyFailure::op`] returns.
impl From<Message> for Box<VerifyFailure> {
    fn from(message: Message) -> Self {
        VerifyFailure::op(message)
    }
}

/// The result of a check.
pub type VerifyResult = Result<(), Box<VerifyFailure>>;

/// Checks the rules of an operation that its definition cannot express as data.
///
/// Hooks are called only for operations that obey the other rules of their definitions. A hook
/// cannot rely on anything else: surrounding operations may be invalid, and attributes that the
/// definition does not constrain may be of any kind.
pub trait OperationVerifier: fmt::Debug + Send + Sync {
    /// Checks the type of a function, before the attributes of its arguments and results are
    /// checked (`FunctionOpInterface`).
    ///
    /// # Errors
    ///
    /// The violated rule.
    #[doc(alias = "verifyType")]
    fn verify_type(&self, operation: Op<'_>) -> VerifyResult {
        let _ = operation;
        Ok(())
    }

    /// Checks the operation itself, before the content of its regions is checked.
    ///
    /// # Errors
    ///
    /// The violated rule.
    fn verify(&self, operation: Op<'_>) -> VerifyResult {
        let _ = operation;
        Ok(())
    }

    /// Checks the operation with its regions, after their content was checked.
    ///
    /// # Errors
    ///
    /// The violated rule.
    fn verify_regions(&self, operation: Op<'_>) -> VerifyResult {
        let _ = operation;
        Ok(())
    }

    /// Returns whether the operation refers to symbols that
    /// [`verify_symbol_uses`](Self::verify_symbol_uses) checks.
    fn uses_symbols(&self) -> bool {
        false
    }

    /// Checks the symbols that the operation refers to, if [`uses_symbols`](Self::uses_symbols)
    /// returns true. Called for operations in a symbol table, after everything in it was checked.
    ///
    /// # Errors
    ///
    /// The violated rule.
    fn verify_symbol_uses(
        &self,
        operation: Op<'_>,
        symbols: &mut SymbolTableCollection,
    ) -> VerifyResult {
        let _ = (operation, symbols);
        Ok(())
    }
}

/// Checks that an operation and everything nested in it obey the rules of MLIR.
///
/// The verifier checks:
///
/// * structure: blocks and their terminators, successors, regions, isolation, and that each value
///   dominates its uses;
/// * symbols: that names in a symbol table are unique, and the references that the hooks of
///   operations check;
/// * attributes, types and locations: the rules of the Builtin dialect; of other dialects with a
///   definition, that the attribute or type exists and its [body](VerifyOptions::check_bodies)
///   follows the definition;
/// * operations with a definition: the numbers and types of operands and results, regions,
///   successors, traits, relations between types, the names and values of properties, inherent
///   attributes, and the rules of the definition's [hook](OperationVerifier);
/// * operations without a definition: that they may occur. The verifier makes upstream's
///   assumptions about unregistered operations: any of them may be a terminator or a symbol table.
///
/// It does not check rules that a dialect implements as code and no hook repeats, as for most
/// operations of upstream's dialects beyond the common ones; [`unchecked_operations`] lists them.
/// Everything outside of `root` is assumed to be valid.
///
/// Several errors are found in one run, up to a limit, in the order of the text as far as possible.
/// The first error of an operation ends the checks of that operation. Dominance is checked only if
/// the enclosing isolated operation has no other errors.
///
/// Time is linear in the operations, operands, blocks and edges of control flow (times the
/// logarithm of the number of blocks of a region), plus the size of every attribute, type and
/// location that occurs, each counted once, plus, if `root` is not isolated, the sizes of the
/// enclosing blocks. Memory is one bit for each operation, attribute, type and location, and a few
/// bytes for each region and block. With several threads each takes this memory; if there is an
/// error, one thread checks everything again, so that errors are in the same order.
///
/// # Errors
///
/// The violated rules.
///
/// ```
/// use rmlir_ir::{Builder, Context, InsertionPoint, Module, VerifyOptions, verify};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context);
/// let mut builder = Builder::new(&mut context, &mut module);
/// let i32 = builder.context.i32_type();
/// let region = builder.create_region();
/// let point = builder.insertion_point();
/// builder.create_block(region, &[]);
/// let x = builder.op("test.inner").result(i32).build_value()?;
/// builder.set_insertion_point(point);
/// builder.op("test.outer").region(region).build()?;
/// builder.op("test.use").operand(x).build()?;
///
/// let errors = verify(&context, &module, module.top(), &VerifyOptions::default()).unwrap_err();
/// assert_eq!(errors[0].message.to_string(), "operand #0 does not dominate this use");
/// assert_eq!(errors[0].notes[0].message.to_string(), "operand defined here (op in a child region)");
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
pub fn verify(
    context: &Context,
    module: &Module,
    root: Operation,
    options: &VerifyOptions,
) -> Result<(), Vec<VerifyError>> {
    if options.symbols_only && parallel::symbols_are_valid(context, module, root, options) {
        return Ok(());
    }
    let refused = match options.check_bodies && !options.allow_unknown {
        true => context.refused_entries(),
        false => Arc::default(),
    };
    if parallel::holds(context, module, root, (options, &refused)) {
        return Ok(());
    }
    let names = names::Names::new(context, module);
    let plans = plan::plans(context, &names, options);
    let mut errors = driver::Verifier::new(context, module, (options, &refused), &plans).run(root);
    if options.print_op_on_diagnostic {
        for error in &mut errors {
            let message = Message::from("see current operation: ").operation(error.operation);
            let location = module.location(error.operation);
            error.notes.insert(0, VerifyNote { location, message });
        }
    }
    if errors.is_empty() {
        Ok(())
    } else {
        Err(errors)
    }
}
