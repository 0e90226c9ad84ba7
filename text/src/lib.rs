//! Parses and prints MLIR's textual form.
#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects
)]

mod definition_check;
mod diagnostic;
mod edition;
mod entry_format;
mod formats;
pub mod lexer;
mod link_diagnostic;
mod location_diagnostic;
mod options;
mod parser;
mod printer;
mod spans;

pub use definition_check::check_definition;
pub use diagnostic::{Diagnostic, Diagnostics, Severity, SourceText};
pub use edition::{Edition, UnknownEdition};
pub use options::ParseOptions;
pub use parser::{
    AfterOperation, EncodedEntry, FileResources, TopLevelError, check_dense_literal,
    decode_attribute, decode_type, encode_attribute, encode_type, entry_body, entry_parameters,
    parse_attribute, parse_module, parse_module_with_spans, parse_type, register, visit_top_level,
};
pub use printer::{
    PrintError, PrintOptions, attribute_to_string, message_to_string, module_to_string,
    print_attribute, print_location, print_module, print_operation, print_operations_with_spans,
    print_type, type_to_string,
};
pub use spans::{Span, SpanDetail, SpanKind};
