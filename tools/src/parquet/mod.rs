//! Writes Arrow record batches of the types that tables have as Apache Parquet.
//!
//! Rows are collected into row groups of [`ROW_GROUP`] rows. Texts that repeat are dictionary
//! encoded, everything else is plain; pages are compressed by zstd. The crate `parquet` supports
//! all types of Arrow and takes 2 MB of machine code, which is too much for the Python package.
//!
//! The format: <https://parquet.apache.org/docs/file-format/>.

mod chunk;
mod encoding;
mod footer;
mod thrift;

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Schema, SchemaRef};
use chunk::Chunk;
use std::io::{self, Write};

/// The maximum number of rows of a row group, which is in memory until it is written, unless a
/// batch has more.
const ROW_GROUP: usize = 128 * 1024;

/// The physical type of the values of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Physical {
    Boolean,
    Int32,
    Int64,
    /// UTF-8 text.
    Text,
}

impl Physical {
    fn of(ty: &DataType) -> Option<Self> {
        match ty {
            DataType::Boolean => Some(Physical::Boolean),
            DataType::Int32 => Some(Physical::Int32),
            DataType::Int64 => Some(Physical::Int64),
            DataType::Utf8 => Some(Physical::Text),
            DataType::Dictionary(key, value)
                if **key == DataType::Int32 && **value == DataType::Utf8 =>
            {
                Some(Physical::Text)
            }
            _ => None,
        }
    }
}

/// Where the values of a leaf are in a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Nesting {
    /// The column itself.
    Flat,
    /// The elements of a list.
    Element,
    /// The keys of a map.
    Key,
    /// The values of a map.
    Value,
}

/// A leaf of the schema: one sequence of values in the file.
#[derive(Clone, Debug)]
struct Leaf {
    /// The number of the column.
    column: usize,
    path: Vec<String>,
    physical: Physical,
    nesting: Nesting,
    /// Whether the column can be null.
    is_optional: bool,
    /// Whether elements of the list or values of the map can be null.
    is_inner_optional: bool,
}

impl Leaf {
    /// Returns the leaves of the columns of a schema.
    fn all(schema: &Schema) -> io::Result<Vec<Self>> {
        let mut leaves = Vec::new();
        for (column, field) in schema.fields().iter().enumerate() {
            let unsupported = || {
                let message = format!(
                    "column '{}' has type {}, which is not written as Parquet",
                    field.name(),
                    field.data_type()
                );
                io::Error::new(io::ErrorKind::Unsupported, message)
            };
            let leaf = |path: &[&str], ty: &DataType, nesting, is_inner_optional| {
                Ok::<_, io::Error>(Leaf {
                    column,
                    path: std::iter::once(field.name().as_str())
                        .chain(path.iter().copied())
                        .map(str::to_owned)
                        .collect(),
                    physical: Physical::of(ty).ok_or_else(unsupported)?,
                    nesting,
                    is_optional: field.is_nullable(),
                    is_inner_optional,
                })
            };
            match field.data_type() {
                DataType::List(element) => leaves.push(leaf(
                    &["list", "element"],
                    element.data_type(),
                    Nesting::Element,
                    element.is_nullable(),
                )?),
                DataType::Map(entries, _) => {
                    let DataType::Struct(fields) = entries.data_type() else {
                        return Err(unsupported());
                    };
                    let [key, value] = &**fields else {
                        return Err(unsupported());
                    };
                    let (keys, values) = (["key_value", "key"], ["key_value", "value"]);
                    leaves.push(leaf(&keys, key.data_type(), Nesting::Key, false)?);
                    let is_nullable = value.is_nullable();
                    let ty = value.data_type();
                    leaves.push(leaf(&values, ty, Nesting::Value, is_nullable)?);
                }
                ty => leaves.push(leaf(&[], ty, Nesting::Flat, false)?),
            }
        }
        Ok(leaves)
    }

    fn is_repeated(&self) -> bool {
        self.nesting != Nesting::Flat
    }

    /// The definition level of a value that is there.
    fn max_definition(&self) -> u8 {
        u8::from(self.is_optional) + u8::from(self.is_repeated()) + u8::from(self.is_inner_optional)
    }
}

/// The columns of a row group, as the footer describes them.
struct Group {
    rows: usize,
    chunks: Vec<footer::ChunkMetadata>,
}

/// A Parquet file that is being written.
pub(crate) struct Writer<'w> {
    out: &'w mut dyn Write,
    /// The number of bytes written.
    position: u64,
    schema: SchemaRef,
    leaves: Vec<Leaf>,
    /// The columns of the row group that is being collected.
    chunks: Vec<Chunk>,
    rows: usize,
    groups: Vec<Group>,
}

impl<'w> Writer<'w> {
    /// Begins a file.
    ///
    /// # Errors
    ///
    /// If the schema has a type that tables do not have, or the output cannot be written.
    pub(crate) fn new(out: &'w mut dyn Write, schema: SchemaRef) -> io::Result<Self> {
        let leaves = Leaf::all(&schema)?;
        let mut writer = Writer {
            out,
            position: 0,
            chunks: leaves.iter().map(Chunk::new).collect(),
            leaves,
            schema,
            rows: 0,
            groups: Vec::new(),
        };
        writer.put(footer::MAGIC)?;
        Ok(writer)
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.out.write_all(bytes)?;
        self.position += bytes.len() as u64;
        Ok(())
    }

    /// Appends rows. A full row group is written.
    ///
    /// # Errors
    ///
    /// If the columns are not those of the schema, or the output cannot be written.
    pub(crate) fn write(&mut self, batch: &RecordBatch) -> io::Result<()> {
        for (leaf, chunk) in self.leaves.iter().zip(&mut self.chunks) {
            let column = batch.columns().get(leaf.column);
            chunk.append(leaf, column.ok_or_else(chunk::mismatch)?.as_ref())?;
        }
        self.rows += batch.num_rows();
        match self.rows >= ROW_GROUP {
            true => self.finish_group(),
            false => Ok(()),
        }
    }

    fn finish_group(&mut self) -> io::Result<()> {
        let empty = self.leaves.iter().map(Chunk::new).collect();
        let chunks = std::mem::replace(&mut self.chunks, empty);
        let mut group = Group {
            rows: std::mem::take(&mut self.rows),
            chunks: Vec::new(),
        };
        for (index, chunk) in chunks.into_iter().enumerate() {
            let Some(leaf) = self.leaves.get(index) else {
                break;
            };
            let (bytes, metadata) = chunk.finish(leaf, self.position)?;
            group.chunks.push(metadata);
            self.put(&bytes)?;
        }
        self.groups.push(group);
        Ok(())
    }

    /// Writes the remaining rows and the footer.
    ///
    /// # Errors
    ///
    /// If the output cannot be written.
    pub(crate) fn close(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.finish_group()?;
        }
        let footer = footer::footer(&self.schema, &self.leaves, &self.groups);
        self.put(&footer)?;
        let len = u32::try_from(footer.len())
            .map_err(|_| io::Error::other("the footer has 4 GB or more"))?;
        self.put(&len.to_le_bytes())?;
        self.put(footer::MAGIC)
    }
}
