//! Directives for pass options, and for pairs of matchers and actions.

use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, OperandName, ParsedArgument,
    PrintedArgument, ValueNames,
};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DialectBody, Identifier, Module, Operation, Value,
};

/// The directive `{"key" = value, "key" = %param, "key" = [value, %param]}`: options, in which
/// `#transform.param_operand` denotes a parameter by its number, and the parameters.
#[derive(Debug)]
pub(crate) struct PassOptions;

/// The text before and after the number of a parameter.
const PARAM: (&str, &str) = ("param_operand<index = ", " : i64>");

fn param(context: &mut Context, number: usize) -> Option<Attribute> {
    let text = format!("{}{number}{}", PARAM.0, PARAM.1);
    let kind = AttributeKind::Dialect {
        dialect: context.identifier("transform"),
        body: DialectBody::from_text(text.as_bytes()),
        ty: None,
    };
    context.try_attribute(kind).ok()
}

/// Returns the number of the parameter that an attribute denotes.
fn param_number(context: &Context, value: Attribute) -> Option<usize> {
    match context.attribute_kind(value) {
        AttributeKind::Dialect { dialect, body, .. } if context.bytes(*dialect) == b"transform" => {
            let text = std::str::from_utf8(body.text()).ok()?;
            let number = text.strip_prefix(PARAM.0)?.strip_suffix(PARAM.1)?;
            number.parse().ok()
        }
        _ => None,
    }
}

/// The state of parsing options.
#[derive(Default)]
struct Reader {
    params: Vec<OperandName>,
    /// The open arrays, outermost first.
    open: Vec<Vec<Attribute>>,
}

impl Reader {
    /// Parses a value or array of values. Nested arrays take no stack.
    fn value(&mut self, parser: &mut dyn AsmParser) -> AsmResult<Attribute> {
        loop {
            let mut value = if parser.eat("[") {
                if !parser.eat("]") {
                    self.open.push(Vec::new());
                    continue;
                }
                parser.context().array_attribute(&[])
            } else if parser.at_operand() {
                let place = parser.place();
                let number = self.params.len();
                self.params.push(parser.operand_name()?);
                let param = param(parser.context(), number);
                param.ok_or_else(|| AsmError::new(place, "expected a parameter"))?
            } else {
                parser.attribute()?
            };
            loop {
                let Some(array) = self.open.last_mut() else {
                    return Ok(value);
                };
                array.push(value);
                if parser.eat(",") {
                    break;
                }
                parser.expect("]")?;
                let array = self.open.pop().unwrap_or_default();
                value = parser.context().array_attribute(&array);
            }
        }
    }

    fn key(parser: &mut dyn AsmParser) -> AsmResult<Identifier> {
        if let Some(key) = parser.optional_keyword() {
            return Ok(key);
        }
        let place = parser.place();
        let text = parser.attribute()?;
        match *parser.context().attribute_kind(text) {
            AttributeKind::String { value, ty: None } => Ok(value),
            _ => Err(AsmError::new(
                place,
                "expected key to either be an identifier or a string",
            )),
        }
    }
}

impl DirectiveSyntax for PassOptions {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let mut reader = Reader::default();
        let mut entries = Vec::new();
        parser.expect("{")?;
        while !parser.at("}") {
            let key = Reader::key(parser)?;
            parser.expect("=")?;
            entries.push((key, reader.value(parser)?));
            if !parser.eat(",") {
                break;
            }
        }
        parser.expect("}")?;
        if entries.is_empty() {
            let message =
                "expected at least one option (either statically specified or using a param)";
            return Err(AsmError::new(place, message));
        }
        let options = parser.context().dictionary_attribute(&entries);
        let options = options.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        if let [argument, params, ..] = arguments {
            *argument = ParsedArgument::Attribute(Some(options));
            *params = ParsedArgument::Operands(reader.params);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [options, params, ..] = arguments else {
            return;
        };
        let context = printer.context();
        let entries = options
            .attribute()
            .map(|a| context.dictionary_entries(a).to_vec());
        printer.text("{");
        for (number, (key, value)) in entries.unwrap_or_default().into_iter().enumerate() {
            if number > 0 {
                printer.text(", ");
            }
            let key = printer.context().bytes(key).to_vec();
            printer.string(&key);
            printer.text(" = ");
            print_value(printer, value, params.operands());
        }
        printer.text("}");
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [options, params, ..] = arguments else {
            return false;
        };
        let Some(options) = options.attribute() else {
            return params.operands().is_empty();
        };
        if !matches!(
            context.attribute_kind(options),
            AttributeKind::Dictionary(_)
        ) {
            return false;
        }
        // The parameters must occur in order, each once.
        let mut next = 0usize;
        let entries = context.dictionary_entries(options);
        let mut left: Vec<Attribute> = entries.iter().rev().map(|entry| entry.1).collect();
        while let Some(value) = left.pop() {
            match (param_number(context, value), context.attribute_kind(value)) {
                (Some(number), _) if number == next => next = next.saturating_add(1),
                (Some(_), _) => return false,
                (None, AttributeKind::Array(items)) => left.extend(items.iter().rev()),
                _ => {}
            }
        }
        next == params.operands().len()
    }
}

/// Prints a value. Nested arrays take no stack.
fn print_value(printer: &mut dyn AsmPrinter, value: Attribute, params: &[Value]) {
    /// A pending part of the output.
    enum Work {
        Value(Attribute),
        Text(&'static str),
    }
    let mut left = vec![Work::Value(value)];
    while let Some(work) = left.pop() {
        let value = match work {
            Work::Text(text) => {
                printer.text(text);
                continue;
            }
            Work::Value(value) => value,
        };
        let context = printer.context();
        match (param_number(context, value), context.attribute_kind(value)) {
            (Some(number), _) => {
                if let Some(&param) = params.get(number) {
                    printer.operand(param);
                }
            }
            (None, AttributeKind::Array(items)) => {
                left.push(Work::Text("]"));
                for (number, &item) in items.iter().enumerate().rev() {
                    left.push(Work::Value(item));
                    if number > 0 {
                        left.push(Work::Text(", "));
                    }
                }
                printer.text("[");
            }
            _ => printer.attribute(value),
        }
    }
}

/// The directive `@matcher -> @action, ...`, each pair on its own line.
#[derive(Debug)]
pub(crate) struct ForeachMatchSymbols;

fn symbols(context: &Context, list: Option<Attribute>) -> Option<Vec<Attribute>> {
    match context.attribute_kind(list?) {
        AttributeKind::Array(items) => Some(items.to_vec()),
        _ => None,
    }
}

impl DirectiveSyntax for ForeachMatchSymbols {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let (mut matchers, mut actions) = (Vec::new(), Vec::new());
        loop {
            for (list, what) in [(&mut matchers, ","), (&mut actions, "->")] {
                if what == "->" {
                    parser.expect("->")?;
                }
                let place = parser.place();
                let symbol = parser.attribute()?;
                let kind = parser.context().attribute_kind(symbol);
                if !matches!(kind, AttributeKind::SymbolRef { .. }) {
                    return Err(AsmError::new(place, "expected a symbol reference"));
                }
                list.push(symbol);
            }
            if !parser.eat(",") {
                break;
            }
        }
        let context = parser.context();
        if let [of_matchers, of_actions, ..] = arguments {
            *of_matchers = ParsedArgument::Attribute(Some(context.array_attribute(&matchers)));
            *of_actions = ParsedArgument::Attribute(Some(context.array_attribute(&actions)));
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [matchers, actions, ..] = arguments else {
            return;
        };
        let context = printer.context();
        let lists =
            symbols(context, matchers.attribute()).zip(symbols(context, actions.attribute()));
        let (matchers, actions) = lists.unwrap_or_default();
        for (number, (matcher, action)) in matchers.into_iter().zip(actions).enumerate() {
            if number > 0 {
                printer.text(", ");
            }
            printer.newline();
            printer.text("    ");
            printer.attribute(matcher);
            printer.text(" -> ");
            printer.attribute(action);
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [matchers, actions, ..] = arguments else {
            return false;
        };
        let lists =
            symbols(context, matchers.attribute()).zip(symbols(context, actions.attribute()));
        let is_symbol =
            |a: &Attribute| matches!(context.attribute_kind(*a), AttributeKind::SymbolRef { .. });
        lists.is_some_and(|(matchers, actions)| {
            !matchers.is_empty()
                && matchers.len() == actions.len()
                && matchers.iter().chain(&actions).all(is_symbol)
        })
    }
}

/// Names the results of `transform.foreach_match`.
#[derive(Debug)]
pub(crate) struct ForeachMatch;

impl ValueNames for ForeachMatch {
    fn result_names(
        &self,
        _: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        for (number, result) in module.results(operation).enumerate() {
            name(
                result,
                if number == 0 {
                    "updated_root"
                } else {
                    "yielded"
                },
            );
        }
    }
}
