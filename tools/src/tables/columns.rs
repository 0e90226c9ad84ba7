//! The columns of each table, and the builders that fill them.

use super::rows::Row;
use crate::source_location::SourcePosition;
use arrow_array::builder::{
    BooleanBuilder, Int32Builder, Int64Builder, ListBuilder, MapBuilder, MapFieldNames,
    StringBuilder, StringDictionaryBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use clap::ValueEnum;
use rmlir::ir::hash::{Hex, hash};
use rmlir::ir::{Attribute, AttributeKind, Context, NamedAttribute, ResourceValue, Type};
use rmlir::text::{attribute_to_string, type_to_string};
use std::collections::HashMap;
use std::sync::Arc;

/// The kind of the rows of a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, ValueEnum)]
pub enum What {
    /// An operation
    #[default]
    Operations,
    /// A symbol
    Symbols,
    /// An attribute of an operation
    Attributes,
    /// Dense elements or a resource in an attribute
    Constants,
    /// The location of an operation
    Locations,
}

/// The names of the fields of a map, as Arrow's specification has them: the entries, their keys and
/// values.
const MAP_NAMES: [&str; 3] = ["entries", "key", "value"];

/// The texts of types and of attributes, each made once.
#[derive(Default)]
pub(super) struct EntryTexts {
    types: HashMap<Type, Arc<str>>,
    attributes: HashMap<Attribute, Arc<str>>,
}

/// Longer texts of attributes are not kept: what repeats is short.
const LONGEST_KEPT: usize = 64;

impl EntryTexts {
    fn ty(&mut self, context: &Context, ty: Type) -> Arc<str> {
        let text = self.types.entry(ty);
        Arc::clone(text.or_insert_with(|| type_to_string(context, ty).into()))
    }

    fn attribute(&mut self, context: &Context, attribute: Attribute) -> Arc<str> {
        if let Some(text) = self.attributes.get(&attribute) {
            return Arc::clone(text);
        }
        let text: Arc<str> = attribute_to_string(context, attribute).into();
        if text.len() <= LONGEST_KEPT {
            self.attributes.insert(attribute, Arc::clone(&text));
        }
        text
    }
}

/// Strings that repeat.
type Words = StringDictionaryBuilder<Int32Type>;

/// A column that is being filled.
enum Column {
    Words(Words),
    Text(StringBuilder),
    Integer(Int64Builder),
    Small(Int32Builder),
    Bool(BooleanBuilder),
    WordList(ListBuilder<Words>),
    TextList(ListBuilder<StringBuilder>),
    IntegerList(ListBuilder<Int64Builder>),
    Map(MapBuilder<StringBuilder, StringBuilder>),
}

impl Column {
    fn finish(&mut self) -> ArrayRef {
        match self {
            Column::Words(column) => Arc::new(column.finish()),
            Column::Text(column) => Arc::new(column.finish()),
            Column::Integer(column) => Arc::new(column.finish()),
            Column::Small(column) => Arc::new(column.finish()),
            Column::Bool(column) => Arc::new(column.finish()),
            Column::WordList(column) => Arc::new(column.finish()),
            Column::TextList(column) => Arc::new(column.finish()),
            Column::IntegerList(column) => Arc::new(column.finish()),
            Column::Map(column) => Arc::new(column.finish()),
        }
    }

    fn data_type(&self) -> DataType {
        let words = DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
        match self {
            Column::Words(_) => words,
            Column::Text(_) => DataType::Utf8,
            Column::Integer(_) => DataType::Int64,
            Column::Small(_) => DataType::Int32,
            Column::Bool(_) => DataType::Boolean,
            Column::WordList(_) => DataType::new_list(words, true),
            Column::TextList(_) => DataType::new_list(DataType::Utf8, true),
            Column::IntegerList(_) => DataType::new_list(DataType::Int64, true),
            Column::Map(_) => {
                let fields = vec![
                    Field::new(MAP_NAMES[1], DataType::Utf8, false),
                    Field::new(MAP_NAMES[2], DataType::Utf8, true),
                ];
                let entries = Field::new(MAP_NAMES[0], DataType::Struct(fields.into()), false);
                DataType::Map(Arc::new(entries), false)
            }
        }
    }

    /// Returns an empty column of a kind, by its letter in the tables below. Without dictionaries,
    /// words are text.
    fn of(letter: char, dictionaries: bool) -> Self {
        match letter {
            'W' if !dictionaries => Column::TextList(ListBuilder::new(StringBuilder::new())),
            'w' if dictionaries => Column::Words(Words::new()),
            'i' => Column::Integer(Int64Builder::new()),
            's' => Column::Small(Int32Builder::new()),
            'b' => Column::Bool(BooleanBuilder::new()),
            'W' => Column::WordList(ListBuilder::new(Words::new())),
            'I' => Column::IntegerList(ListBuilder::new(Int64Builder::new())),
            'm' => {
                let [entry, key, value] = MAP_NAMES.map(str::to_owned);
                let names = MapFieldNames { entry, key, value };
                let (keys, values) = (StringBuilder::new(), StringBuilder::new());
                Column::Map(MapBuilder::new(Some(names), keys, values))
            }
            _ => Column::Text(StringBuilder::new()),
        }
    }
}

/// The columns of each table: name, kind, and whether it can be null. The first three are common.
const COMMON: &[(&str, char, bool)] = &[
    ("file", 'w', false),
    ("producer", 'w', true),
    ("symbol", 'w', true),
];

const OPERATIONS: &[(&str, char, bool)] = &[
    ("index", 'i', false),
    ("parent", 'i', true),
    ("depth", 's', false),
    ("name", 'w', false),
    ("dialect", 'w', false),
    ("operand_types", 'W', false),
    ("result_types", 'W', false),
    ("attributes", 'm', false),
    ("source_file", 'w', true),
    ("source_line", 's', true),
    ("fingerprint", 't', true),
    ("fingerprint_without_names", 't', true),
];

const SYMBOLS: &[(&str, char, bool)] = &[
    ("index", 'i', false),
    ("name", 't', false),
    ("operation", 'w', false),
    ("visibility", 'w', false),
    ("is_declaration", 'b', false),
    ("operations", 'i', false),
    ("source_file", 'w', true),
    ("source_line", 's', true),
    ("fingerprint", 't', true),
    ("fingerprint_without_names", 't', true),
];

const ATTRIBUTES: &[(&str, char, bool)] = &[
    ("index", 'i', false),
    ("operation", 'w', false),
    ("name", 'w', false),
    ("kind", 'w', false),
    ("is_inherent", 'b', false),
    ("value", 't', false),
];

const CONSTANTS: &[(&str, char, bool)] = &[
    ("index", 'i', false),
    ("operation", 'w', false),
    ("attribute", 'w', false),
    ("type", 'w', false),
    ("element_type", 'w', true),
    ("shape", 'I', true),
    ("bytes", 'i', false),
    ("is_splat", 'b', false),
    ("resource", 't', true),
    ("blake3", 't', false),
];

const LOCATIONS: &[(&str, char, bool)] = &[
    ("index", 'i', false),
    ("operation", 'w', false),
    ("kind", 'w', false),
    ("source_file", 'w', true),
    ("source_line", 's', true),
    ("source_column", 's', true),
];

impl What {
    fn columns(self) -> impl Iterator<Item = &'static (&'static str, char, bool)> {
        let own = match self {
            What::Operations => OPERATIONS,
            What::Symbols => SYMBOLS,
            What::Attributes => ATTRIBUTES,
            What::Constants => CONSTANTS,
            What::Locations => LOCATIONS,
        };
        COMMON.iter().chain(own)
    }
}

/// A batch that is being filled.
pub(super) struct Columns {
    what: What,
    schema: SchemaRef,
    columns: Vec<Column>,
    rows: usize,
}

/// Fills the columns of a row from left to right.
struct Filler<'c>(std::slice::IterMut<'c, Column>);

impl Filler<'_> {
    fn text(&mut self, text: Option<&str>) {
        match self.0.next() {
            // A dictionary overflows at 2 billion different words of a batch.
            Some(Column::Words(column)) => match text.map(|text| column.append(text)) {
                Some(Ok(_)) => {}
                _ => column.append_null(),
            },
            Some(Column::Text(column)) => column.append_option(text),
            _ => debug_assert!(false, "a column of another type"),
        }
    }

    fn integer(&mut self, value: Option<i64>) {
        match self.0.next() {
            Some(Column::Integer(column)) => column.append_option(value),
            Some(Column::Small(column)) => {
                column.append_option(value.and_then(|value| i32::try_from(value).ok()));
            }
            _ => debug_assert!(false, "a column of another type"),
        }
    }

    fn bool(&mut self, value: bool) {
        match self.0.next() {
            Some(Column::Bool(column)) => column.append_value(value),
            _ => debug_assert!(false, "a column of another type"),
        }
    }

    fn types(
        &mut self,
        context: &Context,
        types: impl Iterator<Item = Type>,
        texts: &mut EntryTexts,
    ) {
        match self.0.next() {
            Some(Column::WordList(column)) => {
                for ty in types {
                    let _ = column.values().append(texts.ty(context, ty));
                }
                column.append(true);
            }
            Some(Column::TextList(column)) => {
                for ty in types {
                    column.values().append_value(texts.ty(context, ty));
                }
                column.append(true);
            }
            _ => debug_assert!(false, "a column of another type"),
        }
    }

    fn integers(&mut self, values: Option<&[i64]>) {
        match self.0.next() {
            Some(Column::IntegerList(column)) => {
                column.values().append_slice(values.unwrap_or_default());
                column.append(values.is_some());
            }
            _ => debug_assert!(false, "a column of another type"),
        }
    }

    fn map(
        &mut self,
        context: &Context,
        entries: impl Iterator<Item = NamedAttribute>,
        texts: &mut EntryTexts,
    ) {
        match self.0.next() {
            Some(Column::Map(column)) => {
                for (name, value) in entries {
                    column.keys().append_value(context.str(name));
                    column
                        .values()
                        .append_value(texts.attribute(context, value));
                }
                // As many keys as values were appended.
                let _ = column.append(true);
            }
            _ => debug_assert!(false, "a column of another type"),
        }
    }

    fn place(&mut self, row: &Row<'_>, with_column: bool) {
        let place = SourcePosition::of(row.context, row.location);
        let place = place.and_then(|place| place.position());
        let file = place.map(|(file, ..)| row.context.str(file));
        self.text(file.as_deref());
        self.integer(place.map(|(_, line, _)| i64::from(line)));
        if with_column {
            self.integer(place.map(|(.., column)| i64::from(column)));
        }
    }

    fn fingerprints(&mut self, row: &Row<'_>) {
        let hex = row
            .fingerprints
            .map(|f| (f.with_names.to_string(), f.without_names.to_string()));
        self.text(hex.as_ref().map(|hex| hex.0.as_str()));
        self.text(hex.as_ref().map(|hex| hex.1.as_str()));
    }
}

/// The data of a constant.
struct Constant<'a> {
    ty: Type,
    data: &'a [u8],
    is_splat: bool,
    resource: Option<std::borrow::Cow<'a, str>>,
}

impl<'a> Constant<'a> {
    fn of(context: &'a Context, kind: &'a AttributeKind) -> Option<Self> {
        match kind {
            AttributeKind::DenseElements { ty, splat, data } => Some(Constant {
                ty: *ty,
                data,
                is_splat: *splat,
                resource: None,
            }),
            AttributeKind::DenseResource { ty, resource } => {
                let entry = context.resource(*resource);
                let data = match &entry.value {
                    Some(ResourceValue::Blob(blob)) => blob.data(),
                    _ => &[],
                };
                Some(Constant {
                    ty: *ty,
                    data,
                    is_splat: false,
                    resource: Some(context.str(entry.key)),
                })
            }
            _ => None,
        }
    }
}

impl Columns {
    pub(super) fn new(what: What, dictionaries: bool) -> Self {
        let columns = what.columns();
        let columns: Vec<Column> = columns
            .map(|column| Column::of(column.1, dictionaries))
            .collect();
        let fields = what
            .columns()
            .zip(&columns)
            .map(|(&(name, _, nullable), column)| Field::new(name, column.data_type(), nullable));
        Columns {
            what,
            schema: Arc::new(Schema::new(fields.collect::<Vec<_>>())),
            columns,
            rows: 0,
        }
    }

    pub(super) fn what(&self) -> What {
        self.what
    }

    pub(super) fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Returns the rows as a batch, and begins another.
    ///
    /// # Errors
    ///
    /// If the columns are not those of the schema, or overflow.
    pub(super) fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let arrays = self.columns.iter_mut().map(Column::finish).collect();
        self.rows = 0;
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
    }

    /// Starts a row with the common columns.
    fn start(&mut self, row: &Row<'_>) -> Filler<'_> {
        self.rows += 1;
        let mut filler = Filler(self.columns.iter_mut());
        filler.text(Some(row.file));
        filler.text(row.producer);
        filler.text(row.symbol);
        filler.integer(Some(row.index));
        filler
    }

    /// Appends the rows of an operation.
    pub(super) fn push(&mut self, row: &Row<'_>, texts: &mut EntryTexts) {
        match self.what {
            What::Operations => self.operation(row, texts),
            What::Symbols => self.symbol(row),
            What::Attributes => self.attributes(row, texts),
            What::Constants => self.constants(row, texts),
            What::Locations => self.location(row),
        }
    }

    fn operation(&mut self, row: &Row<'_>, texts: &mut EntryTexts) {
        let context = row.context;
        let mut fill = self.start(row);
        fill.integer(row.parent);
        fill.integer(Some(i64::from(row.depth)));
        fill.text(Some(&row.name()));
        fill.text(Some(&context.str(context.operation_dialect(row.name))));
        for values in [row.operands, row.results] {
            fill.types(context, values.iter().map(|value| value.ty), texts);
        }
        let attributes = row.all_attributes();
        fill.map(context, attributes.iter().map(|&(entry, _)| entry), texts);
        fill.place(row, false);
        fill.fingerprints(row);
    }

    fn symbol(&mut self, row: &Row<'_>) {
        let Some(declared) = &row.declared else {
            return;
        };
        let mut fill = self.start(row);
        fill.text(Some(&row.context.str(declared.name)));
        fill.text(Some(&row.name()));
        fill.text(Some(declared.visibility.as_str()));
        fill.bool(declared.is_declaration);
        fill.integer(Some(declared.operations));
        fill.place(row, false);
        fill.fingerprints(row);
    }

    fn attributes(&mut self, row: &Row<'_>, texts: &mut EntryTexts) {
        let context = row.context;
        for ((name, value), is_inherent) in row.all_attributes() {
            let mut fill = self.start(row);
            fill.text(Some(&row.name()));
            fill.text(Some(&context.str(name)));
            fill.text(Some(context.attribute_kind(value).name()));
            fill.bool(is_inherent);
            fill.text(Some(&texts.attribute(context, value)));
        }
    }

    fn constants(&mut self, row: &Row<'_>, texts: &mut EntryTexts) {
        let context = row.context;
        for ((name, value), _) in row.all_attributes() {
            let Some(constant) = Constant::of(context, context.attribute_kind(value)) else {
                continue;
            };
            let mut fill = self.start(row);
            fill.text(Some(&row.name()));
            fill.text(Some(&context.str(name)));
            fill.text(Some(&texts.ty(context, constant.ty)));
            let element = context.element_type(constant.ty);
            fill.text(element.map(|ty| texts.ty(context, ty)).as_deref());
            fill.integers(context.shape(constant.ty));
            fill.integer(i64::try_from(constant.data.len()).ok());
            fill.bool(constant.is_splat);
            fill.text(constant.resource.as_deref());
            fill.text(Some(&Hex(&hash(constant.data)).to_string()));
        }
    }

    fn location(&mut self, row: &Row<'_>) {
        let mut fill = self.start(row);
        fill.text(Some(&row.name()));
        fill.text(Some(row.context.location_kind(row.location).name()));
        fill.place(row, true);
    }
}
