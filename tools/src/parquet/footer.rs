//! The metadata of pages and of the file.

use super::thrift::Struct;
use super::{Group, Leaf, Nesting, Physical};
use arrow_schema::Schema;

/// The first and the last bytes of a file.
pub(super) const MAGIC: &[u8] = b"PAR1";

/// The number of zstd among the compression methods.
const ZSTD: i32 = 6;

/// Names of annotations: numbers of the old enumeration, and fields of the newer union.
#[derive(Clone, Copy)]
enum Annotation {
    Text,
    Map,
    List,
}

impl Annotation {
    fn converted(self) -> i32 {
        match self {
            Annotation::Text => 0,
            Annotation::Map => 1,
            Annotation::List => 3,
        }
    }

    fn logical(self) -> i16 {
        match self {
            Annotation::Text => 1,
            Annotation::Map => 2,
            Annotation::List => 3,
        }
    }
}

/// How values are encoded.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Plain,
    Dictionary,
}

/// The number of the encoding of levels.
const RUN_LENGTHS: i32 = 3;

impl Encoding {
    fn number(self) -> i32 {
        match self {
            Encoding::Plain => 0,
            Encoding::Dictionary => 8,
        }
    }
}

#[derive(Clone, Copy)]
pub(super) enum PageKind {
    Data(Encoding),
    Dictionary,
}

/// Returns the header of a page with `values` values and levels; sizes without and with
/// compression.
pub(super) fn page_header(kind: PageKind, values: i32, sizes: [i32; 2]) -> Vec<u8> {
    let [uncompressed, compressed] = sizes;
    let mut header = Struct::default();
    let mut own = Struct::default();
    own.i32(1, values);
    header.i32(
        1,
        if matches!(kind, PageKind::Dictionary) {
            2
        } else {
            0
        },
    );
    header.i32(2, uncompressed);
    header.i32(3, compressed);
    match kind {
        PageKind::Data(encoding) => {
            own.i32(2, encoding.number());
            own.i32(3, RUN_LENGTHS);
            own.i32(4, RUN_LENGTHS);
            header.structure(5, own);
        }
        PageKind::Dictionary => {
            own.i32(2, Encoding::Plain.number());
            header.structure(7, own);
        }
    }
    header.finish()
}

/// What the footer says about a column chunk. Offsets are those in the file.
pub(super) struct ChunkMetadata {
    pub(super) encoding: Encoding,
    /// The number of values, nulls and empty lists.
    pub(super) levels: usize,
    pub(super) uncompressed: u64,
    pub(super) compressed: u64,
    pub(super) data_offset: u64,
    pub(super) dictionary_offset: Option<u64>,
    /// The number of levels without a value.
    pub(super) nulls: usize,
    /// The least and the greatest value.
    pub(super) bounds: Option<[Vec<u8>; 2]>,
}

impl ChunkMetadata {
    fn encode(&self, leaf: &Leaf) -> Struct {
        let mut own = Struct::default();
        own.i32(1, physical(leaf.physical));
        match self.encoding {
            Encoding::Plain => own.i32s(2, &[Encoding::Plain.number(), RUN_LENGTHS]),
            Encoding::Dictionary => own.i32s(
                2,
                &[
                    Encoding::Plain.number(),
                    RUN_LENGTHS,
                    Encoding::Dictionary.number(),
                ],
            ),
        }
        own.texts(3, &leaf.path);
        own.i32(4, ZSTD);
        own.i64(5, self.levels as i64);
        own.i64(6, self.uncompressed as i64);
        own.i64(7, self.compressed as i64);
        own.i64(9, self.data_offset as i64);
        if let Some(offset) = self.dictionary_offset {
            own.i64(11, offset as i64);
        }
        if !leaf.is_repeated() {
            let mut statistics = Struct::default();
            statistics.i64(3, self.nulls as i64);
            if let Some([min, max]) = &self.bounds {
                statistics.binary(5, max);
                statistics.binary(6, min);
            }
            own.structure(12, statistics);
        }
        let mut chunk = Struct::default();
        chunk.i64(2, self.dictionary_offset.unwrap_or(self.data_offset) as i64);
        chunk.structure(3, own);
        chunk
    }
}

fn physical(physical: Physical) -> i32 {
    match physical {
        Physical::Boolean => 0,
        Physical::Int32 => 1,
        Physical::Int64 => 2,
        Physical::Text => 6,
    }
}

/// How often an element of the schema occurs.
#[derive(Clone, Copy)]
enum Occurs {
    Once,
    Optionally,
    Repeatedly,
}

impl Occurs {
    fn optional(is_optional: bool) -> Self {
        match is_optional {
            true => Occurs::Optionally,
            false => Occurs::Once,
        }
    }
}

fn annotate(element: &mut Struct, annotation: Annotation) {
    let mut logical = Struct::default();
    logical.structure(annotation.logical(), Struct::default());
    element.i32(6, annotation.converted());
    element.structure(10, logical);
}

fn group(name: &str, occurs: Occurs, children: i32, annotation: Option<Annotation>) -> Struct {
    let mut element = Struct::default();
    element.i32(3, occurs as i32);
    element.binary(4, name.as_bytes());
    element.i32(5, children);
    if let Some(annotation) = annotation {
        annotate(&mut element, annotation);
    }
    element
}

fn value(name: &str, occurs: Occurs, ty: Physical) -> Struct {
    let mut element = Struct::default();
    element.i32(1, physical(ty));
    element.i32(3, occurs as i32);
    element.binary(4, name.as_bytes());
    if ty == Physical::Text {
        annotate(&mut element, Annotation::Text);
    }
    element
}

/// Returns the elements of the schema, groups before what is in them.
fn schema_elements(schema: &Schema, leaves: &[Leaf]) -> Vec<Struct> {
    let mut root = Struct::default();
    root.binary(4, b"schema");
    root.i32(5, schema.fields().len() as i32);
    let mut elements = vec![root];
    for leaf in leaves {
        let name = leaf.path.first().map_or("", String::as_str);
        let inner = leaf.path.last().map_or("", String::as_str);
        let occurs = Occurs::optional(leaf.is_optional);
        let inner_occurs = Occurs::optional(leaf.is_inner_optional);
        match leaf.nesting {
            Nesting::Flat => elements.push(value(name, occurs, leaf.physical)),
            Nesting::Element => {
                elements.push(group(name, occurs, 1, Some(Annotation::List)));
                elements.push(group("list", Occurs::Repeatedly, 1, None));
                elements.push(value(inner, inner_occurs, leaf.physical));
            }
            Nesting::Key => {
                elements.push(group(name, occurs, 1, Some(Annotation::Map)));
                elements.push(group("key_value", Occurs::Repeatedly, 2, None));
                elements.push(value(inner, Occurs::Once, leaf.physical));
            }
            Nesting::Value => elements.push(value(inner, inner_occurs, leaf.physical)),
        }
    }
    elements
}

/// Returns the footer.
pub(super) fn footer(schema: &Schema, leaves: &[Leaf], groups: &[Group]) -> Vec<u8> {
    let mut footer = Struct::default();
    footer.i32(1, 1);
    footer.structures(2, schema_elements(schema, leaves).into_iter());
    footer.i64(3, groups.iter().map(|group| group.rows as i64).sum());
    let groups = groups.iter().map(|group| {
        let mut own = Struct::default();
        let chunks = group.chunks.iter().zip(leaves);
        own.structures(1, chunks.map(|(chunk, leaf)| chunk.encode(leaf)));
        own.i64(
            2,
            group
                .chunks
                .iter()
                .map(|chunk| chunk.uncompressed as i64)
                .sum(),
        );
        own.i64(3, group.rows as i64);
        own.i64(
            6,
            group
                .chunks
                .iter()
                .map(|chunk| chunk.compressed as i64)
                .sum(),
        );
        own
    });
    footer.structures(4, groups);
    footer.binary(
        6,
        concat!("rmlir version ", env!("CARGO_PKG_VERSION")).as_bytes(),
    );
    // Bounds are in the order of each type.
    let orders = leaves.iter().map(|_| {
        let mut order = Struct::default();
        order.structure(1, Struct::default());
        order
    });
    footer.structures(7, orders);
    footer.finish()
}
