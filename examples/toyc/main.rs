//! toyc FILE OUT.mlirbc: a compiler of a language with functions, variables, `if`, `while` and
//! 64-bit integers, to the dialects `func`, `arith` and `cf`. The syntax is in `lexer.rs`.

mod lexer;

use lexer::Lexer;
use rmlir::{Block, Builder, Ir, Location, Type, Value};
use std::error::Error;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Binary operators by precedence; a comparison is given by its predicate.
const OPERATORS: [&[(&str, &str)]; 3] = [
    &[
        ("==", "eq"),
        ("!=", "ne"),
        ("<", "slt"),
        ("<=", "sle"),
        (">", "sgt"),
        (">=", "sge"),
    ],
    &[("+", "arith.addi"), ("-", "arith.subi")],
    &[
        ("*", "arith.muli"),
        ("/", "arith.divsi"),
        ("%", "arith.remsi"),
    ],
];

struct Compiler<'s, 'b> {
    tokens: Lexer<'s>,
    b: Builder<'b>,
    i64: Type,
    /// The variables in scope, innermost last, with their current values.
    variables: Vec<(&'s str, Value)>,
}

impl<'s> Compiler<'s, '_> {
    /// Gives what is built from now on the location of the next token.
    fn here(&mut self) -> Location {
        let (line, column) = self.tokens.position();
        self.b.set_file_location(self.tokens.file, line, column)
    }

    fn constant(&mut self, value: i64) -> Result<Value> {
        Ok(self
            .b
            .op("arith.constant")
            .attr("value", (value, self.i64))
            .build_value()?)
    }

    fn compare(&mut self, predicate: &str, left: Value, right: Value) -> Result<Value> {
        Ok(self
            .b
            .op("arith.cmpi")
            .attr("predicate", predicate)
            .operands([left, right])
            .build_value()?)
    }

    fn expression(&mut self, level: usize) -> Result<Value> {
        let Some(operators) = OPERATORS.get(level) else {
            return self.operand();
        };
        let mut left = self.expression(level + 1)?;
        while let Some((_, name)) = operators.iter().find(|row| row.0 == self.tokens.peek()) {
            let location = self.here();
            self.tokens.next();
            let right = self.expression(level + 1)?;
            self.b.set_location(location);
            left = match level {
                0 => {
                    let bit = self.compare(name, left, right)?;
                    self.b
                        .op("arith.extui")
                        .operand(bit)
                        .result(self.i64)
                        .build_value()?
                }
                _ => self.b.op(name).operands([left, right]).build_value()?,
            };
        }
        Ok(left)
    }

    fn operand(&mut self) -> Result<Value> {
        let location = self.here();
        let token = self.tokens.next();
        if token == "(" {
            let value = self.expression(0)?;
            self.tokens.expect(")")?;
            return Ok(value);
        }
        if let Ok(number) = token.parse() {
            return self.constant(number);
        }
        if self.tokens.eat("(") {
            let mut arguments = Vec::new();
            while !self.tokens.eat(")") {
                arguments.push(self.expression(0)?);
                self.tokens.separator(")")?;
            }
            let call = self
                .b
                .op("func.call")
                .attr("callee", token)
                .operands(arguments)
                .result(self.i64)
                .location(location);
            return Ok(call.build_value()?);
        }
        let found = self
            .variables
            .iter()
            .rev()
            .find(|variable| variable.0 == token);
        found
            .map(|variable| variable.1)
            .ok_or_else(|| self.tokens.error("unknown variable"))
    }

    /// Creates a block whose arguments are the variables in scope.
    fn join(&mut self) -> Result<Block> {
        let types = vec![self.i64; self.variables.len()];
        Ok(self.b.append_block(&types)?)
    }

    /// Continues in such a block.
    fn enter(&mut self, block: Block) {
        let arguments = self.b.enter_block(block);
        for (variable, argument) in self.variables.iter_mut().zip(arguments) {
            variable.1 = argument;
        }
    }

    /// Branches to a block with the first `count` variables.
    fn branch(&mut self, to: Block, count: usize) -> Result<()> {
        let values = self.variables.iter().take(count).map(|variable| variable.1);
        self.b.op("cf.br").operands(values).successor(to).build()?;
        Ok(())
    }

    fn condition(&mut self, yes: Block, no: Block) -> Result<()> {
        let value = self.expression(0)?;
        let zero = self.constant(0)?;
        let bit = self.compare("ne", value, zero)?;
        self.b
            .op("cf.cond_br")
            .operand_group("condition", [bit])
            .successors([yes, no])
            .build()?;
        Ok(())
    }

    /// Compiles statements in braces. Returns whether the end can be reached.
    fn block(&mut self) -> Result<bool> {
        self.tokens.expect("{")?;
        let (outer, mut is_open) = (self.variables.len(), true);
        while is_open && self.tokens.peek() != "}" {
            is_open = self.statement()?;
        }
        self.variables.truncate(outer);
        self.tokens.expect("}")?;
        Ok(is_open)
    }

    fn statement(&mut self) -> Result<bool> {
        let count = self.variables.len();
        self.here();
        match self.tokens.next() {
            "return" => {
                let value = self.expression(0)?;
                self.b.op("func.return").operand(value).build()?;
                self.tokens.expect(";")?;
                return Ok(false);
            }
            "while" => {
                let head = self.join()?;
                let (body, exit) = (self.b.append_block(&[])?, self.b.append_block(&[])?);
                self.branch(head, count)?;
                self.enter(head);
                self.condition(body, exit)?;
                let saved = self.variables.clone();
                self.b.set_insertion_point_to_end(body);
                if self.block()? {
                    self.branch(head, count)?;
                }
                self.variables = saved;
                self.b.set_insertion_point_to_end(exit);
            }
            "if" => {
                let (yes, no) = (self.b.append_block(&[])?, self.b.append_block(&[])?);
                let end = self.join()?;
                self.condition(yes, no)?;
                let saved = self.variables.clone();
                self.b.set_insertion_point_to_end(yes);
                let goes_on = self.block()?;
                if goes_on {
                    self.branch(end, count)?;
                }
                self.variables = saved;
                self.b.set_insertion_point_to_end(no);
                let otherwise = !self.tokens.eat("else") || self.block()?;
                if otherwise {
                    self.branch(end, count)?;
                }
                if !goes_on && !otherwise {
                    self.b.module.erase_block(end)?;
                    return Ok(false);
                }
                self.enter(end);
            }
            "let" => {
                let name = self.tokens.next();
                self.tokens.expect("=")?;
                let value = self.expression(0)?;
                self.variables.push((name, value));
                self.tokens.expect(";")?;
            }
            name => {
                self.tokens.expect("=")?;
                let value = self.expression(0)?;
                let mut variables = self.variables.iter_mut().rev();
                match variables.find(|variable| variable.0 == name) {
                    Some(variable) => variable.1 = value,
                    None => return Err(self.tokens.error("unknown variable")),
                }
                self.tokens.expect(";")?;
            }
        }
        Ok(true)
    }

    fn function(&mut self) -> Result<()> {
        let location = self.here();
        self.tokens.expect("fn")?;
        let name = self.tokens.next();
        let mut parameters = Vec::new();
        self.tokens.expect("(")?;
        while !self.tokens.eat(")") {
            parameters.push(self.tokens.next());
            self.tokens.separator(")")?;
        }
        let ty = format!("({}) -> i64", vec!["i64"; parameters.len()].join(", "));
        let function = self
            .b
            .op("func.func")
            .attr("sym_name", name)
            .attr("function_type", ty)
            .location(location)
            .build()?;
        let arguments = self.b.add_entry_block(function)?;
        self.variables = parameters.into_iter().zip(arguments).collect();
        if self.block()? {
            return Err(self.tokens.error("the function does not return"));
        }
        self.b.set_insertion_point_after(function)?;
        Ok(())
    }
}

/// Compiles a text. The module is verified.
pub(crate) fn compile(file: &str, source: &str) -> Result<Ir> {
    let mut ir = Ir::new();
    let b = ir.builder();
    let i64 = b.context.i64_type();
    let (tokens, variables) = (Lexer::new(file, source), Vec::new());
    let mut compiler = Compiler {
        tokens,
        b,
        i64,
        variables,
    };
    while compiler.tokens.peek() != "" {
        compiler.function()?;
    }
    ir.verify()?;
    Ok(ir)
}

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, input, output] = &arguments[..] else {
        return Err("usage: toyc FILE OUT.mlirbc".into());
    };
    compile(input, &std::fs::read_to_string(input)?)?.save(output)?;
    Ok(())
}
