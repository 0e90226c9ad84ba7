//! Directives for pass options, and for pairs of matchers and actions.

use crate::directive::{Printed, TwoWayDirective};
use crate::two_way::{Asm, Named, is_reference, items};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, OperandName, ParsedArgument, ValueNames};
use rmlir_ir::{
    Attribute, AttributeKind, Context, DialectBody, Module, NamedAttribute, Operation, Value,
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

/// A value that is not an array, or an empty array, in nested arrays. Values are listed, not
/// nested, so that nested arrays take no stack.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Leaf {
    /// The number of arrays that start before the value.
    opens: usize,
    param: Option<Named>,
    /// Another value than a parameter; `None` in an empty array.
    value: Option<Attribute>,
    /// The number of arrays that end after the value.
    closes: usize,
}

/// An option and its value.
#[derive(Default)]
pub(crate) struct PassOption {
    key: Vec<u8>,
    value: Vec<Leaf>,
}

/// The parsed parts of [`PassOptions`].
#[derive(Default)]
pub(crate) struct PassOptionsContent {
    place: Option<usize>,
    options: Vec<PassOption>,
}

/// Returns the leaves of a value; `None` if its parameters are not the next ones in order.
fn leaves(
    context: &Context,
    value: Attribute,
    (params, next): (&[Value], &mut usize),
) -> Option<Vec<Leaf>> {
    let leaf = |&value: &Attribute| Leaf {
        value: Some(value),
        ..Leaf::default()
    };
    let (mut leaves, mut left) = (Vec::new(), vec![leaf(&value)]);
    while let Some(mut last) = left.pop() {
        let value = last.value?;
        if let Some(number) = param_number(context, value) {
            last.param = Some(Named::of(*params.get(number).filter(|_| number == *next)?));
            *next = next.saturating_add(1);
        } else if let Some(items) = items(context, Some(value)) {
            let mut inner: Vec<Leaf> = items.iter().map(leaf).collect();
            if inner.is_empty() {
                inner.push(Leaf::default());
            }
            if let Some(first) = inner.first_mut() {
                first.opens = last.opens.saturating_add(1);
            }
            if let Some(end) = inner.last_mut() {
                end.closes = last.closes.saturating_add(1);
            }
            match items.is_empty() {
                true => leaves.append(&mut inner),
                false => left.extend(inner.into_iter().rev()),
            }
            continue;
        }
        leaves.push(last);
    }
    Some(leaves)
}

/// `value`, `%param` or `[value, [%param]]`.
fn value(asm: &mut Asm<'_, '_>, leaves: &mut Vec<Leaf>) -> AsmResult<()> {
    let mut printed = std::mem::take(leaves).into_iter();
    let mut depth = 0usize;
    loop {
        let mut leaf = printed.next().unwrap_or_default();
        let (opens, closes) = (leaf.opens, leaf.closes);
        (leaf.opens, leaf.closes) = (0, 0);
        while asm.is_there("[", leaf.opens < opens) {
            asm.token("[", "[")?;
            leaf.opens = leaf.opens.saturating_add(1);
        }
        depth = depth.saturating_add(leaf.opens);
        let is_empty = leaf.opens > 0 && asm.is_there("]", leaf.value.is_none());
        if asm.is_value_there(leaf.param.is_some()) {
            asm.value(leaf.param.get_or_insert_default())?;
        } else if !is_empty {
            asm.attribute(&mut leaf.value)?;
        }
        let mut follows = false;
        while depth > 0 && !follows {
            follows = leaf.closes == closes;
            asm.optional(",", ", ", &mut follows);
            if !follows {
                asm.token("]", "]")?;
                depth = depth.saturating_sub(1);
                leaf.closes = leaf.closes.saturating_add(1);
            }
        }
        leaves.push(leaf);
        if depth == 0 {
            return Ok(());
        }
    }
}

/// Returns the attribute of a value, whose parameters are appended to `params`.
fn attribute(
    context: &mut Context,
    leaves: &[Leaf],
    params: &mut Vec<OperandName>,
) -> Option<Attribute> {
    let mut open: Vec<Vec<Attribute>> = Vec::new();
    let mut value = None;
    for leaf in leaves {
        open.resize(open.len().saturating_add(leaf.opens), Vec::new());
        value = match leaf.param {
            Some(one) => {
                let value = param(context, params.len())?;
                params.extend(one.name);
                Some(value)
            }
            None => leaf.value,
        };
        for _ in 0..leaf.closes {
            let mut items = open.pop()?;
            items.extend(value);
            value = Some(context.array_attribute(&items));
        }
        if let Some(items) = open.last_mut() {
            items.extend(value);
        }
    }
    value
}

impl TwoWayDirective for PassOptions {
    type Content = PassOptionsContent;

    fn content(&self, printed: &Printed<'_>) -> Option<PassOptionsContent> {
        let [options, params, ..] = printed.arguments else {
            return None;
        };
        let (context, params) = (printed.context, params.operands());
        let entries = match options.attribute() {
            Some(options) => match context.attribute_kind(options) {
                AttributeKind::Dictionary(entries) => &**entries,
                _ => return None,
            },
            None => &[],
        };
        let mut next = 0usize;
        let option = |&(key, value): &NamedAttribute| {
            Some(PassOption {
                key: context.bytes(key).to_vec(),
                value: leaves(context, value, (params, &mut next))?,
            })
        };
        let options = entries.iter().map(option).collect::<Option<Vec<_>>>()?;
        let place = None;
        (next == params.len()).then_some(PassOptionsContent { place, options })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut PassOptionsContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.list(("{", "}"), &mut content.options, |asm, option| {
            let message = "expected key to either be an identifier or a string";
            asm.key(&mut option.key, message)?;
            asm.token("=", " = ")?;
            value(asm, &mut option.value)
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: PassOptionsContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = content.place.unwrap_or_default();
        if content.options.is_empty() {
            let message =
                "expected at least one option (either statically specified or using a param)";
            return Err(AsmError::new(place, message));
        }
        let context = parser.context();
        let (mut entries, mut params) = (Vec::new(), Vec::new());
        for option in &content.options {
            let value = attribute(context, &option.value, &mut params);
            let value = value.ok_or_else(|| AsmError::new(place, "expected a parameter"))?;
            entries.push((context.identifier(&option.key), value));
        }
        let options = context.dictionary_attribute(&entries);
        let options = options.map_err(|invalid| AsmError::new(place, invalid.message()))?;
        if let [of_options, of_params, ..] = arguments {
            *of_options = ParsedArgument::Attribute(Some(options));
            *of_params = ParsedArgument::Operands(params);
        }
        Ok(())
    }
}

/// The directive `@matcher -> @action, ...`, each pair on its own line.
#[derive(Debug)]
pub(crate) struct ForeachMatchSymbols;

impl TwoWayDirective for ForeachMatchSymbols {
    type Content = Vec<(Option<Attribute>, Option<Attribute>)>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [matchers, actions, ..] = printed.arguments else {
            return None;
        };
        let matchers = items(printed.context, matchers.attribute())?;
        let actions = items(printed.context, actions.attribute())?;
        let mut all = matchers.iter().chain(actions);
        let fits = !matchers.is_empty()
            && matchers.len() == actions.len()
            && all.all(|&one| is_reference(printed.context, one));
        let pairs = matchers.iter().zip(actions);
        fits.then(|| pairs.map(|(&a, &b)| (Some(a), Some(b))).collect())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, (matcher, action)| {
            asm.newline();
            asm.space("    ");
            asm.reference(matcher)?;
            asm.token("->", " -> ")?;
            asm.reference(action)
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let matchers: Vec<Attribute> = content.iter().filter_map(|pair| pair.0).collect();
        let actions: Vec<Attribute> = content.iter().filter_map(|pair| pair.1).collect();
        let context = parser.context();
        if let [of_matchers, of_actions, ..] = arguments {
            *of_matchers = ParsedArgument::Attribute(Some(context.array_attribute(&matchers)));
            *of_actions = ParsedArgument::Attribute(Some(context.array_attribute(&actions)));
        }
        Ok(())
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
