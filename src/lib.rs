//! MLIR as text, in memory and as bytecode, without LLVM.
//!
//! [`open`] reads a file of any form into an [`Ir`]. [`Op`] is a view of an operation, [`Edit`]
//! changes a module, [`File`] reads single symbols of large files. Operations of every dialect can
//! be read, kept, stored and printed, known or not; bundled [definitions](dialects) add custom
//! syntax, defaults and verification.
//!
//! The crates below can be used without this one: [`ir`] holds modules in memory, [`text`] parses
//! and prints them, [`rmbc`] and [`mlirbc`] are the two bytecodes.
//!
//! # Five tasks
//!
//! List the functions of a file, whether it is text or bytecode:
//!
//! ```no_run
//! # fn main() -> rmlir::Result<()> {
//! let ir = rmlir::open("model.mlirbc")?;
//! for function in ir.ops().filter(|op| op.is("func.func")) {
//!     println!("@{}", function.symbol_name().unwrap_or_default());
//! }
//! # Ok(()) }
//! ```
//!
//! Convert text to upstream's bytecode:
//!
//! ```no_run
//! # fn main() -> rmlir::Result<()> {
//! let mut ir = rmlir::open("model.mlir")?;
//! ir.save("model.mlirbc")?;
//! # Ok(()) }
//! ```
//!
//! Build a function. Result types, defaults and segment sizes follow from the definitions:
//!
//! ```
//! # fn main() -> rmlir::Result<()> {
//! let mut ir = rmlir::Ir::new();
//! let mut b = ir.builder();
//! let i32 = b.context.i32_type();
//! b.op("func.func")
//!     .attr("sym_name", "twice")
//!     .attr("function_type", "(i32) -> i32")
//!     .body([i32], |b, [x]| {
//!         let sum = b.op("arith.addi").operands([x, x]).build_value()?;
//!         b.op("func.return").operand(sum).build()
//!     })
//!     .build()?;
//! # assert_eq!(
//! #     ir.to_string(),
//! #     "module {
//! #   func.func @twice(%arg0: i32) -> i32 {
//! #     %0 = arith.addi %arg0, %arg0 : i32
//! #     return %0 : i32
//! #   }
//! # }
//! # "
//! #     .replace("# ", "")
//! # );
//! # Ok(()) }
//! ```
//!
//! Replace every `arith.addi` by `arith.subi`:
//!
//! ```
//! # fn main() -> rmlir::Result<()> {
//! # let mut ir = rmlir::parse("func.func @f(%x: i32) -> i32 {
//! #   %y = arith.addi %x, %x : i32
//! #   return %y : i32
//! # }")?;
//! let adds = ir.ops().filter(|op| op.is("arith.addi"));
//! let adds: Vec<_> = adds.map(|op| op.id()).collect();
//! let mut edit = ir.edit();
//! for add in adds {
//!     edit.set_name(add, "arith.subi")?;
//! }
//! # assert!(ir.to_string().contains("arith.subi"));
//! # Ok(()) }
//! ```
//!
//! Verify, and print errors with the lines that they are about:
//!
//! ```
//! # fn main() -> rmlir::Result<()> {
//! # let mut ir = rmlir::parse("func.func @f(%x: i32) -> i64 {
//! #   \"func.return\"(%x) : (i32) -> ()
//! # }")?;
//! if let Err(errors) = ir.verify() {
//!     eprintln!("{errors}");
//! }
//! # Ok(()) }
//! ```
//!
//! The recipes of the guide (`guide/recipes.md`) are complete programs: lint, rewrite, lazy
//! reading, keys for caches.
//!
//! # Dialects of your own
//!
//! A [definition](ir::definition) makes a dialect known: custom form is parsed and printed,
//! operations are verified, their parts have names. It is text, or [built in
//! code](ir::definition::build).
//!
//! ```
//! use rmlir::ReadOptions;
//! use rmlir::ir::DialectDefinition;
//!
//! let toy = "
//! dialect toy
//! op scale(value: AnyType) -> AnyType
//!   traits SameOperandsAndResultType
//!   attr by: I32Attr = 2 : i32
//!   format $value (`by` $by^)? attr-dict `:` type($value)
//! ";
//! let mut options = ReadOptions::default();
//! options.dialects.push(DialectDefinition::parse(toy, &())?.into());
//! let text = "func.func @f(%x: f32) {
//!   %0 = toy.scale %x by 3 : f32
//!   return
//! }";
//! let ir = rmlir::parse_with(text, &options)?;
//! let scale = ir.ops().find(|op| op.is("toy.scale")).unwrap();
//! assert!(scale.named_operand("value").is_some());
//! assert_eq!(ir.context().integer_value(scale.attr("by").unwrap()), Some(3));
//! # Ok::<(), rmlir::Error>(())
//! ```
//!
//! # Errors, panics, threads
//!
//! One [`Error`] for everything. No function panics on any input; handles of another module or of
//! an erased operation are programming errors, which panic. [`Ir`], [`File`] and all that they hold
//! are `Send + Sync`.

pub mod dialects;
mod edit;
#[cfg(feature = "embed")]
pub mod embedded;
mod error;
mod file;
mod form;
mod link;
pub mod mlirbc;
mod open;
mod options;
mod owned;
pub mod query;
pub mod rmbc;
#[cfg(feature = "stablehlo")]
pub mod stablehlo;

pub use edit::Edit;
pub use error::{Error, Result};
pub use file::File;
pub use form::Form;
pub use link::link;
pub use open::{open, open_with, parse, parse_with, read, read_with};
pub use options::{ReadOptions, WriteOptions};
pub use owned::Ir;
pub use rmlir_format as format;
pub use rmlir_format::{Limits, Source, Threads};
#[cfg(feature = "import")]
pub use rmlir_import as import;
pub use rmlir_ir as ir;
pub use rmlir_ir::{Attribute, Block, Builder, Location, Op, Operation, Region, Type, Value};
pub use rmlir_reader as reader;
pub use rmlir_reader::events;
pub use rmlir_reader::lazy::{
    Contents, LazyFile, Pause, Survey, Symbol, SymbolPath, TableItems, Visit, Visits,
};
pub use rmlir_text as text;
pub use rmlir_writer as writer;

/// The recipes of the guide, as tests.
#[cfg(doctest)]
#[doc = include_str!("../guide/recipes.md")]
mod recipes {}
