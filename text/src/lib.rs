//! MLIR's textual form: lexer, parser, printer.
