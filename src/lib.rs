//! MLIR as text, in memory and as bytecode, without LLVM.
//!
//! This is the crate to depend on: it gathers the others. [`ir`] holds modules in memory, [`text`] parses and
//! prints them, [`writer`] and [`reader`] store them as bytecode, [`dialects`] has what is known of dialects.
//!
//! # Parse, look, print
//!
//! Operations of any dialect can be read, known or not, in generic form; those whose syntax is known in custom form as
//! well. Those that are known get what they have by default, as in upstream.
//!
//! ```
//! use rmlir::ir::{Context, WalkOrder, WalkResult};
//! use rmlir::text::{ParseOptions, PrintOptions, parse_module, print_module};
//!
//! let source = br#"
//! func.func @twice(%x: i32) -> i32 {
//!   %sum = arith.addi %x, %x : i32
//!   return %sum : i32
//! }
//! "#;
//! let mut context = Context::new();
//! rmlir::dialects::register_all(&mut context);
//! let module = parse_module(&mut context, source, &ParseOptions::for_file("twice.mlir"))?;
//!
//! let mut names = Vec::new();
//! module.walk(module.top(), WalkOrder::PreOrder, |module, operation| {
//!     names.push(context.str(context.operation_name_identifier(module.name(operation))).into_owned());
//!     WalkResult::Advance
//! });
//! assert_eq!(names, ["builtin.module", "func.func", "arith.addi", "func.return"]);
//!
//! let mut out = Vec::new();
//! print_module(&context, &module, &PrintOptions::default(), &mut out)?;
//! assert_eq!(
//!     String::from_utf8(out)?,
//!     "module {
//!   func.func @twice(%arg0: i32) -> i32 {
//!     %0 = arith.addi %arg0, %arg0 : i32
//!     return %0 : i32
//!   }
//! }
//! "
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Build
//!
//! ```
//! use rmlir::ir::{Builder, Context, Module};
//!
//! let mut context = Context::new();
//! rmlir::dialects::register_all(&mut context);
//! let mut module = Module::new(&mut context);
//! let mut builder = Builder::new(&mut context, &mut module);
//!
//! let i32 = builder.context.i32_type();
//! let function_type = builder.context.function_type(&[i32], &[i32]);
//! let function_type = builder.context.type_attribute(function_type);
//! let name = builder.context.string_attribute("twice");
//!
//! // The body first, then the function around it.
//! let body = builder.create_region();
//! let point = builder.insertion_point();
//! let entry = builder.create_block(body, &[i32]);
//! let [x] = builder.arguments(entry)?;
//! let sum = builder.op("arith.addi").operands([x, x]).result(i32).build_value()?;
//! builder.op("func.return").operand(sum).build()?;
//!
//! builder.set_insertion_point(point);
//! builder
//!     .op("func.func")
//!     .attr("sym_name", name)
//!     .attr("function_type", function_type)
//!     .region(body)
//!     .build()?;
//! assert_eq!(module.descendants(module.top()).count(), 4);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Store and load
//!
//! What comes back has the same content: [`ir::semantic_eq`] and [`ir::fingerprint`] say what that means.
//!
//! ```
//! use rmlir::format::Source;
//! use rmlir::ir::{Context, EqualityOptions, semantic_eq};
//! use rmlir::reader::rmbc::{ReadOptions, read_module};
//! use rmlir::text::{ParseOptions, parse_module};
//! use rmlir::writer::rmbc::{WriteOptions, write_module};
//!
//! let mut context = Context::new();
//! let source = br#""test.op"() {weights = dense<[1.0, 2.5]> : tensor<2xf32>} : () -> () loc("a.py":1:2)"#;
//! let module = parse_module(&mut context, source, &ParseOptions::default())?;
//! let bytes = write_module(&context, &module, &WriteOptions::default())?;
//!
//! let mut other = Context::new();
//! let read = read_module(&mut other, &Source::from(bytes), &ReadOptions::default())?;
//! let options = EqualityOptions { locations: true };
//! assert!(semantic_eq((&context, &module), (&other, &read), options));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Dialects of your own
//!
//! A [definition](ir::definition) makes a dialect known: it is read in custom form, verified, stored, and its parts have names.
//! It is a text, or [built in code](ir::definition::build).
//!
//! ```
//! use rmlir::ir::{Context, DialectDefinition};
//! use rmlir::text::{ParseOptions, parse_module};
//!
//! let toy = "
//! dialect toy
//! op scale(value: AnyType) -> AnyType
//!   traits SameOperandsAndResultType
//!   attr by: I32Attr = 2 : i32
//!   format $value (`by` $by^)? attr-dict `:` type($value)
//! ";
//! let mut context = Context::new();
//! rmlir::dialects::register_all(&mut context);
//! context.register_dialect(DialectDefinition::parse(toy, &())?);
//! let source = b"func.func @f(%x: f32) {
//!   %0 = toy.scale %x by 3 : f32
//!   return
//! }";
//! let module = parse_module(&mut context, source, &ParseOptions::default())?;
//! let scale = module.descendants(module.top()).find_map(|op| {
//!     let view = module.view(&context, op)?;
//!     (view.definition().mnemonic == "scale").then_some(view)
//! });
//! assert!(scale.is_some_and(|scale| scale.operand("value").is_some() && scale.attr("by").is_some()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Look into a file without reading it
//!
//! [`reader::lazy::LazyFile`] lists the symbols of a file and hands out one at a time, as a module of its own. What is not
//! asked for is not decoded.
//!
//! ```no_run
//! use rmlir::ir::Context;
//! use rmlir::reader::lazy::{LazyFile, SymbolPath, with_references};
//! use rmlir::reader::mlirbc::{File, ReadOptions};
//!
//! let mut context = Context::new();
//! rmlir::dialects::register_all(&mut context);
//! let file = File::open(&context, "model.mlirbc", ReadOptions::default())?;
//! if let Some(main) = file.symbol(&SymbolPath::parse("@model::@main")?)? {
//!     let needed = with_references(&file, &mut context, &[main])?;
//!     let module = file.read_together(&mut context, &needed)?;
//!     println!("{} operations", module.descendants(module.top()).count());
//! }
//! # Ok::<(), rmlir::format::Error>(())
//! ```

mod edit;
mod error;
mod file;
mod form;
pub mod mlirbc;
mod open;
mod options;
mod owned;
pub mod rmbc;

pub use edit::Edit;
pub use error::{Error, Result};
pub use file::File;
pub use form::Form;
pub use open::{open, open_with, parse, parse_with, read, read_with};
pub use options::{ReadOptions, WriteOptions};
pub use owned::Ir;
pub use rmlir_format as format;
pub use rmlir_format::{Limits, Source, Threads};
pub use rmlir_ir as ir;
pub use rmlir_ir::{Attribute, Block, Location, Op, Operation, Region, Type, Value};
pub use rmlir_reader as reader;
pub use rmlir_reader::lazy::{LazyFile, Symbol, SymbolPath};
pub use rmlir_text as text;
pub use rmlir_writer as writer;

/// The recipes of the guide, as tests.
#[cfg(doctest)]
#[doc = include_str!("../guide/recipes.md")]
mod recipes {}

/// Definitions of the known dialects.
pub mod dialects {
    pub use rmlir_dialects::*;

    /// Makes all bundled definitions known to a context, and how text spells attributes: defaults
    /// are parsed, and the verifier checks parameters. A definition is parsed when the context first
    /// meets its dialect.
    pub fn register_all(context: &mut rmlir_ir::Context) {
        rmlir_dialects::register_all(context);
        rmlir_text::register(context);
    }
}
