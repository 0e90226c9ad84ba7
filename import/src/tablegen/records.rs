//! Accesses the records of a dump and their fields.

use serde_json::{Map, Value};

/// The records of a dump.
#[derive(Clone, Copy)]
pub(super) struct Records<'j> {
    all: &'j Map<String, Value>,
    classes: &'j Map<String, Value>,
}

/// A record.
#[derive(Clone, Copy)]
pub(super) struct Record<'j> {
    pub(super) name: &'j str,
    fields: &'j Map<String, Value>,
    records: Records<'j>,
}

/// The maximum number of steps from record to record: records can form cycles.
pub(super) const LONGEST_CHAIN: usize = 64;

/// The maximum number of base classes that are examined: many records can refer to one class.
const MOST_CLASSES: usize = 256;

impl<'j> Records<'j> {
    /// Returns the records of a dump; `None` if the value is not a dump.
    pub(super) fn new(dump: &'j Value) -> Option<Self> {
        let all = dump.as_object()?;
        let classes = all.get("!instanceof")?.as_object()?;
        Some(Records { all, classes })
    }

    pub(super) fn get(self, name: &str) -> Option<Record<'j>> {
        let (name, fields) = self.all.get_key_value(name)?;
        Some(Record {
            name,
            fields: fields.as_object()?,
            records: self,
        })
    }

    /// Returns the records of a class, sorted by name.
    pub(super) fn of_class(self, class: &str) -> impl Iterator<Item = Record<'j>> {
        let names = self.classes.get(class).and_then(Value::as_array);
        let names = names.into_iter().flatten().filter_map(Value::as_str);
        names.filter_map(move |name| self.get(name))
    }

    /// Returns the record that a value names.
    fn def(self, value: &Value) -> Option<Record<'j>> {
        self.get(value.get("def")?.as_str()?)
    }
}

impl<'j> Record<'j> {
    /// Returns another record of the same dump.
    pub(super) fn other(self, name: &str) -> Option<Record<'j>> {
        self.records.get(name)
    }

    pub(super) fn is_anonymous(self) -> bool {
        self.fields.get("!anonymous").and_then(Value::as_bool) == Some(true)
    }

    /// Returns a value that identifies the record among those of all dumps.
    pub(super) fn address(self) -> usize {
        std::ptr::from_ref(self.fields).addr()
    }

    /// Returns the classes, the most derived one first.
    fn classes(self) -> impl Iterator<Item = &'j str> {
        let classes = self.fields.get("!superclasses").and_then(Value::as_array);
        let classes = classes.into_iter().flatten().rev().take(MOST_CLASSES);
        classes.filter_map(Value::as_str)
    }

    pub(super) fn is_a(self, class: &str) -> bool {
        self.classes().any(|c| c == class)
    }

    /// Returns the most derived class.
    pub(super) fn class(self) -> Option<&'j str> {
        self.classes().next()
    }

    pub(super) fn text(self, field: &str) -> Option<&'j str> {
        self.fields.get(field)?.as_str()
    }

    /// Returns a text that is not blank.
    pub(super) fn some_text(self, field: &str) -> Option<&'j str> {
        self.text(field).filter(|text| !text.trim().is_empty())
    }

    pub(super) fn integer(self, field: &str) -> Option<i64> {
        self.fields.get(field)?.as_i64()
    }

    pub(super) fn is_set(self, field: &str) -> bool {
        self.integer(field).is_some_and(|value| value != 0)
    }

    /// Returns the record that a field names.
    pub(super) fn def(self, field: &str) -> Option<Record<'j>> {
        self.records.def(self.fields.get(field)?)
    }

    /// Returns the records that a list names.
    pub(super) fn defs(self, field: &str) -> impl DoubleEndedIterator<Item = Record<'j>> {
        let list = self.fields.get(field).and_then(Value::as_array);
        let records = self.records;
        list.into_iter()
            .flatten()
            .filter_map(move |v| records.def(v))
    }

    pub(super) fn texts(self, field: &str) -> impl Iterator<Item = &'j str> {
        let list = self.fields.get(field).and_then(Value::as_array);
        list.into_iter().flatten().filter_map(Value::as_str)
    }

    /// Returns the arguments of a dag with their names, which may be empty.
    pub(super) fn arguments(self, field: &str) -> impl Iterator<Item = (Argument<'j>, &'j str)> {
        let dag = self.fields.get(field).and_then(|dag| dag.get("args"));
        let args = dag.and_then(Value::as_array);
        let records = self.records;
        args.into_iter().flatten().filter_map(move |pair| {
            let value = pair.get(0)?;
            let name = pair.get(1).and_then(Value::as_str).unwrap_or_default();
            let argument = match value.as_str() {
                Some(text) => Argument::Text(text),
                None => Argument::Record(records.def(value)?),
            };
            Some((argument, name))
        })
    }
}

/// An argument of a dag.
#[derive(Clone, Copy)]
pub(super) enum Argument<'j> {
    Record(Record<'j>),
    Text(&'j str),
}

impl Argument<'_> {
    /// Returns whether a parameter has no default.
    pub(super) fn is_needed(self) -> bool {
        match self {
            Argument::Record(parameter) => parameter.some_text("defaultValue").is_none(),
            Argument::Text(_) => true,
        }
    }
}

/// The maximum length in bytes of an imported expression or summary: many records can refer to one
/// that contains it.
pub(super) const MOST_TEXT: usize = 4096;

/// The maximum number of characters of C++ in a warning.
const MOST_EXCERPT: usize = 200;

/// Returns a text in one line, with white space collapsed.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns one line of C++ for a warning, truncated if it is long.
pub(super) fn excerpt(text: &str) -> String {
    let mut characters = text.chars();
    let start: String = characters.by_ref().take(MOST_EXCERPT).collect();
    let line = one_line(&start);
    match characters.next() {
        None => line,
        Some(_) => format!("{line} ..."),
    }
}

/// Returns the summary in one line, if there is one that is not too long.
pub(super) fn summary(record: Record<'_>) -> Option<String> {
    let summary = record.some_text("summary");
    summary.filter(|text| text.len() <= MOST_TEXT).map(one_line)
}
