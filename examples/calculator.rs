//! A front end: compiles an integer expression to upstream's bytecode, without intermediate text.
//!
//! `scripts/front_end.sh` lowers and runs the output with upstream's tools.

use rmlir::ir::{Builder, Context, Module, Type, Value};
use rmlir::writer::mlirbc::{WriteOptions, write_module};
use std::error::Error;
use std::io::Write;
use std::iter::Peekable;
use std::str::Chars;

/// Compiles an expression while parsing it.
struct Compiler<'a> {
    source: Peekable<Chars<'a>>,
    builder: Builder<'a>,
    i32: Type,
}

impl Compiler<'_> {
    fn accept(&mut self, wanted: &[char]) -> Option<char> {
        while self.source.next_if(|c| c.is_whitespace()).is_some() {}
        self.source.next_if(|c| wanted.contains(c))
    }

    /// Compiles operands separated by operators of one precedence; 0 is the lowest.
    fn binary(&mut self, precedence: usize) -> Result<Value, Box<dyn Error>> {
        const OPERATORS: [(&[char], [&str; 2]); 2] = [
            (&['+', '-'], ["arith.addi", "arith.subi"]),
            (&['*', '/'], ["arith.muli", "arith.divsi"]),
        ];
        let Some((operators, names)) = OPERATORS.get(precedence) else {
            return self.operand();
        };
        let mut left = self.binary(precedence + 1)?;
        while let Some(operator) = self.accept(operators) {
            let right = self.binary(precedence + 1)?;
            let name = names[usize::from(operator == operators[1])];
            let operation = self.builder.op(name).operands([left, right]);
            left = operation.result(self.i32).build_value()?;
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Value, Box<dyn Error>> {
        if self.accept(&['(']).is_some() {
            let inner = self.binary(0)?;
            self.accept(&[')']).ok_or("expected ')'")?;
            return Ok(inner);
        }
        let mut digits = String::new();
        while let Some(digit) = self.source.next_if(char::is_ascii_digit) {
            digits.push(digit);
        }
        let number: i32 = digits.parse().map_err(|_| "expected a number")?;
        let value = self
            .builder
            .context
            .integer_attribute(self.i32, number.into())?;
        let constant = self.builder.op("arith.constant").attr("value", value);
        Ok(constant.result(self.i32).build_value()?)
    }
}

fn compile(context: &mut Context, source: &str) -> Result<Module, Box<dyn Error>> {
    let mut module = Module::new(context);
    let mut builder = Builder::new(context, &mut module);
    let i32 = builder.context.i32_type();
    let function_type = builder.context.function_type(&[], &[i32]);
    let function_type = builder.context.type_attribute(function_type);
    let name = builder.context.string_attribute("main");
    let outside = builder.insertion_point();
    let body = builder.create_region();
    builder.create_block(body, &[]);
    let mut compiler = Compiler {
        source: source.chars().peekable(),
        builder,
        i32,
    };
    let result = compiler.binary(0)?;
    if compiler.source.next().is_some() {
        return Err("expected an operator".into());
    }
    let mut builder = compiler.builder;
    builder.op("func.return").operand(result).build()?;
    builder.set_insertion_point(outside);
    let function = builder.op("func.func").attr("sym_name", name);
    let function = function.attr("function_type", function_type);
    function.region(body).build()?;
    Ok(module)
}

fn main() -> Result<(), Box<dyn Error>> {
    let source = std::env::args().nth(1).unwrap_or_default();
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let module = compile(&mut context, &source)?;
    let bytes = write_module(&mut context, &module, &WriteOptions::default())?;
    Ok(std::io::stdout().write_all(&bytes)?)
}
