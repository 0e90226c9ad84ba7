//! Lists of indices of which each is an operand or a number.

use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::numbers;
use crate::two_way::{Asm, Named};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, CustomArgument, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, DYNAMIC, Value};

/// An entry of a list.
#[derive(Clone, Copy, Default)]
pub(crate) struct Index {
    /// The number; [`DYNAMIC`] for an operand.
    number: i64,
    value: Named,
    /// Whether the entry has brackets of its own.
    scalable: bool,
}

impl Index {
    /// Returns the entries for numbers, with a value for each number that is [`DYNAMIC`]; `None` if
    /// there are not exactly as many values.
    pub(crate) fn all(values: &[Value], numbers: &[i64]) -> Option<Vec<Self>> {
        let mut values = values.iter();
        let mut entry = |&number: &i64| {
            let value = match number {
                DYNAMIC => Named::of(*values.next()?),
                _ => Named::default(),
            };
            Some(Index {
                number,
                value,
                scalable: false,
            })
        };
        let all = numbers.iter().map(&mut entry).collect::<Option<_>>()?;
        values.next().is_none().then_some(all)
    }

    /// Sets which entries have brackets of their own; returns `None` if there is not one flag for
    /// each.
    pub(crate) fn set_scalable(list: &mut [Self], flags: Vec<bool>) -> Option<()> {
        let fits = flags.len() == list.len();
        for (entry, flag) in list.iter_mut().zip(flags) {
            entry.scalable = flag;
        }
        fits.then_some(())
    }

    /// Returns the array of flags of entries that have brackets of their own.
    pub(crate) fn flags(context: &mut Context, list: &[Self]) -> Option<Attribute> {
        let flags: Vec<bool> = list.iter().map(|entry| entry.scalable).collect();
        array_of_flags(context, &flags)
    }

    /// Returns the same number for each of `count` entries.
    pub(crate) fn repeated(number: i64, count: usize) -> Vec<Self> {
        let entry = Index {
            number,
            ..Index::default()
        };
        vec![entry; count]
    }

    /// Returns whether all entries are one number.
    pub(crate) fn are(list: &[Self], number: i64) -> bool {
        list.iter().all(|entry| entry.number == number)
    }

    /// Returns whether the entry is an operand.
    pub(crate) fn is_dynamic(&self) -> bool {
        self.number == DYNAMIC
    }

    /// Returns the number; [`DYNAMIC`] for an operand.
    pub(crate) fn number(&self) -> i64 {
        self.number
    }

    /// Returns the values, as they were read or are to be printed.
    pub(crate) fn values(list: &[Self]) -> impl Iterator<Item = &Named> {
        let dynamic = list.iter().filter(|entry| entry.number == DYNAMIC);
        dynamic.map(|entry| &entry.value)
    }

    /// Returns the numbers as an array.
    pub(crate) fn array(context: &mut Context, list: &[Self]) -> Attribute {
        context.i64_array_attribute(list.iter().map(|entry| entry.number))
    }
}

impl Asm<'_, '_> {
    /// `[%a, 4, %b]`, in these brackets; `[%a, 4, [8]]` where entries can be `scalable`.
    pub(crate) fn index_list(
        &mut self,
        (open, close): (&str, &str),
        list: &mut Vec<Index>,
        scalable: bool,
    ) -> AsmResult<()> {
        // Upstream's message for errors at the brackets.
        let of_list = |error: AsmError, bracket: &str| {
            error.saying(format!("expected '{bracket}' in dynamic index list"))
        };
        let found = self.token(open, open);
        found.map_err(|error| of_list(error, open))?;
        if self.is_there(close, list.is_empty()) {
            return self.token(close, close);
        }
        self.items(list, |asm, entry| asm.index(entry, scalable))?;
        let found = self.token(close, close);
        found.map_err(|error| of_list(error, close))
    }

    /// `%a`, `4`, or `[4]` if it can be `scalable`.
    pub(crate) fn index(&mut self, entry: &mut Index, scalable: bool) -> AsmResult<()> {
        if scalable {
            self.optional("[", "[", &mut entry.scalable);
        }
        let is_number = matches!(self, Asm::Parser(_)) && entry.scalable;
        if !is_number && self.is_value_there(entry.number == DYNAMIC) {
            entry.number = DYNAMIC;
            self.value(&mut entry.value)?;
        } else {
            self.integer(&mut entry.number)?;
        }
        match entry.scalable {
            true => self.token("]", "]"),
            false => Ok(()),
        }
    }
}

/// Returns a dense array of booleans.
pub(crate) fn array_of_flags(context: &mut Context, flags: &[bool]) -> Option<Attribute> {
    let kind = AttributeKind::DenseArray {
        element: context.i1_type(),
        length: flags.len(),
        data: flags.iter().map(|&flag| u8::from(flag)).collect(),
    };
    context.try_attribute(kind).ok()
}

/// Returns the elements of a dense array of booleans.
pub(crate) fn flags_of(context: &Context, attribute: Attribute) -> Option<Vec<bool>> {
    match context.attribute_kind(attribute) {
        AttributeKind::DenseArray { element, data, .. } if *element == context.i1_type() => {
            Some(data.iter().map(|&flag| flag != 0).collect())
        }
        _ => None,
    }
}

/// The directive `[%a, 4, [8]]`: operands, and an array of numbers with [`DYNAMIC`] for each
/// operand. An optional third argument is an array of flags for scalable entries, which have
/// brackets of their own. A literal text of the format selects other brackets.
#[derive(Debug)]
pub(crate) struct DynamicIndexList {
    /// Whether the text can be absent; then so is the attribute.
    pub(crate) optional: bool,
}

/// The parsed parts of [`DynamicIndexList`].
#[derive(Default)]
pub(crate) struct Content {
    /// `None` if the text is absent.
    list: Option<Vec<Index>>,
    form: Form,
}

/// How a list is written.
#[derive(Clone, Copy, Default)]
struct Form {
    round: bool,
    scalable: bool,
}

impl Form {
    /// Returns the form that the third argument of the directive selects.
    fn of<V>(argument: Option<&CustomArgument<V>>) -> Self {
        Form {
            round: matches!(argument, Some(CustomArgument::Text(text)) if text == "()"),
            scalable: matches!(argument, Some(CustomArgument::Attribute(_))),
        }
    }
}

impl TwoWayDirective for DynamicIndexList {
    type Content = Content;

    fn given(&self, arguments: &[ParsedArgument]) -> Content {
        Content {
            list: None,
            form: Form::of(arguments.get(2)),
        }
    }

    fn content(&self, printed: &Printed<'_>) -> Option<Content> {
        let [values, statics, ..] = printed.arguments else {
            return None;
        };
        let (values, statics) = (values.operands(), statics.attribute());
        let form = Form::of(printed.arguments.get(2));
        if self.optional && values.is_empty() && statics.is_none() {
            return Some(Content { list: None, form });
        }
        let mut list = Index::all(values, &numbers(printed.context, statics)?)?;
        if form.scalable {
            // The text has a flag for each number, whether it is set or not.
            let flags = printed.arguments.get(2)?.attribute();
            let flags = flags.and_then(|flags| flags_of(printed.context, flags));
            Index::set_scalable(&mut list, flags.unwrap_or_default())?;
        }
        // An optional empty list would read back without the attribute.
        (!self.optional || !list.is_empty()).then_some(Content {
            list: Some(list),
            form,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<bool> {
        let brackets = match content.form.round {
            true => ("(", ")"),
            false => ("[", "]"),
        };
        if self.optional && !asm.is_there("[", content.list.is_some()) {
            return Ok(false);
        }
        let list = content.list.get_or_insert_default();
        asm.index_list(brackets, list, content.form.scalable)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let list = content.list.as_deref();
        let array = list.map(|list| Index::array(parser.context(), list));
        let list = list.unwrap_or_default();
        if let [values, statics, rest @ ..] = arguments {
            let names = Index::values(list).filter_map(|value| value.name);
            *values = ParsedArgument::Operands(names.collect());
            *statics = ParsedArgument::Attribute(array);
            if let [scalable @ ParsedArgument::Attribute(_), ..] = rest
                && array.is_some()
            {
                *scalable = ParsedArgument::Attribute(Index::flags(parser.context(), list));
            }
        }
        Ok(())
    }
}
