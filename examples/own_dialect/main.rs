//! A user-defined dialect: a definition as data, a hook for what data cannot express, and uses of
//! its operations. `guide/own-dialect.md` explains it step by step.

use rmlir::format::Source;
use rmlir::ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir::ir::definition::HookSource;
use rmlir::ir::{
    AttributeKind, Context, DialectDefinition, EqualityOptions, Module, Operation, VerifyOptions,
    semantic_eq, verify,
};
use rmlir::reader::{mlirbc, rmbc};
use rmlir::text::{ParseOptions, PrintOptions, module_to_string, parse_module};
use std::error::Error;

/// The directive `2s` or `10ms`: a duration as an attribute in milliseconds.
#[derive(Debug)]
struct Duration;

impl DirectiveSyntax for Duration {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let number = parser.optional_integer()?;
        let factor = if parser.eat("ms") {
            1
        } else if parser.eat("s") {
            1000
        } else {
            return Err(AsmError::new(parser.place(), "expected 'ms' or 's'"));
        };
        let Some(time) = number.and_then(|number| number.checked_mul(factor)) else {
            return Err(AsmError::new(place, "expected a duration"));
        };
        let context = parser.context();
        let time = context.integer_attribute(context.i64_type(), time);
        let time = time.map_err(|error| AsmError::new(place, error.message()))?;
        if let [timeout] = arguments {
            *timeout = ParsedArgument::Attribute(Some(time));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let timeout = arguments.first().and_then(PrintedArgument::attribute);
        let milliseconds = timeout.and_then(|timeout| milliseconds(printer.context(), timeout));
        let text = match milliseconds.unwrap_or_default() {
            time if time % 1000 == 0 => format!("{}s", time / 1000),
            time => format!("{time}ms"),
        };
        printer.text(&text);
    }
}

/// Returns the number of an integer attribute.
fn milliseconds(context: &Context, attribute: rmlir::ir::Attribute) -> Option<i64> {
    match context.attribute_kind(attribute) {
        AttributeKind::Integer { value, .. } => value.to_i64(),
        _ => None,
    }
}

/// Looks hooks up by the names in the definition.
struct Hooks;

impl HookSource for Hooks {
    fn directive(&self, name: &str) -> Option<&'static dyn DirectiveSyntax> {
        match name {
            "toy.Duration" => Some(&Duration),
            _ => None,
        }
    }
}

/// Returns a context with the bundled dialects and this one.
fn context() -> Result<Context, Box<dyn Error>> {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let definition = include_str!("toy.dialect");
    context.register_dialect(DialectDefinition::parse_static(definition, &Hooks)?);
    Ok(context)
}

/// Queries of the operations by the names in the definition.
fn look(context: &Context, module: &Module) -> Result<String, Box<dyn Error>> {
    let mut report = String::new();
    for operation in module.descendants(module.top()).collect::<Vec<_>>() {
        let Some(view) = module.view(context, operation) else {
            continue;
        };
        match &*view.definition().mnemonic {
            "push" => {
                let values = view.operands("values").map_or(0, |values| values.len());
                let hint = view.operand("hint").is_some();
                let queue = view.operand("queue").ok_or("no queue")?;
                let ty = module.value_type(queue);
                let capacity = context.parameter(ty, "capacity");
                let capacity = capacity
                    .and_then(|capacity| capacity.integer())
                    .unwrap_or(0);
                report += &format!("push of {values} into {capacity}, hint: {hint}\n");
            }
            "pop" => {
                let timeout = view.attr("timeout");
                let timeout = timeout.and_then(|timeout| milliseconds(context, timeout));
                report += &format!("pop within {} ms\n", timeout.unwrap_or_default());
            }
            _ => {}
        }
    }
    Ok(report)
}

/// Parses a program, queries it, round-trips it through both kinds of bytecode and compares.
/// Returns the text and the report.
pub(crate) fn run(source: &str) -> Result<(String, String), Box<dyn Error>> {
    let mut context = context()?;
    let options = ParseOptions::for_file("program.mlir");
    let module = parse_module(&mut context, source.as_bytes(), &options)?;
    verify(&context, &module, module.top(), &VerifyOptions::default()).map_err(|errors| {
        errors
            .iter()
            .map(|e| format!("{}\n", e.message))
            .collect::<String>()
    })?;
    let report = look(&context, &module)?;
    let text = module_to_string(&context, &module, &PrintOptions::default())?;

    let native = rmlir::writer::rmbc::write_module(&context, &module, &Default::default())?;
    let mut other = self::context()?;
    let read = rmbc::read_module(&mut other, &Source::from(native), &Default::default())?;
    let equality = EqualityOptions { locations: true };
    assert!(semantic_eq((&context, &module), (&other, &read), &equality));

    let upstream = rmlir::writer::mlirbc::write_module(&mut context, &module, &Default::default())?;
    let mut other = self::context()?;
    let read = mlirbc::read_module(&mut other, &Source::from(upstream), &Default::default())?;
    assert!(semantic_eq((&context, &module), (&other, &read), &equality));
    Ok((String::from_utf8(text)?, report))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (text, report) = run(include_str!("program.mlir"))?;
    print_all(&[&text, &report])
}

fn print_all(texts: &[&str]) -> Result<(), Box<dyn Error>> {
    use std::io::Write;
    let mut out = std::io::stdout().lock();
    for text in texts {
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}
