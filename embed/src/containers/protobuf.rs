//! Protocol buffers of TensorFlow: `saved_model.pb`, and graphs alone. A module is the attribute
//! `module` of an operation `XlaCallModule`.

use super::{MAX_MEMBERS, Member, Part};
use crate::module::shown;
use crate::unwrap::Search;
use std::ops::Range;

/// The messages on the way to a module.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Message {
    SavedModel,
    MetaGraphDef,
    GraphDef,
    FunctionDefLibrary,
    FunctionDef,
    NodeDef,
}

/// Fields of messages that hold further messages, as TensorFlow's `.proto` files number them.
const FIELDS: [(Message, u64, Message); 6] = [
    (Message::SavedModel, 2, Message::MetaGraphDef),
    (Message::MetaGraphDef, 2, Message::GraphDef),
    (Message::GraphDef, 1, Message::NodeDef),
    (Message::GraphDef, 2, Message::FunctionDefLibrary),
    (Message::FunctionDefLibrary, 1, Message::FunctionDef),
    (Message::FunctionDef, 3, Message::NodeDef),
];

/// Fields of `NodeDef`, of an entry of its map of attributes, and of `AttrValue`.
mod field {
    pub(super) const NODE_NAME: u64 = 1;
    pub(super) const NODE_OP: u64 = 2;
    pub(super) const NODE_ATTR: u64 = 5;
    pub(super) const KEY: u64 = 1;
    pub(super) const VALUE: u64 = 2;
    pub(super) const STRING: u64 = 2;
}

/// Returns the message that the whole file is. A file that ends too early is recognized if it has a
/// node.
fn root(bytes: &[u8]) -> Option<Message> {
    // A field and its wire type: 0 is a number, 2 has a length.
    let only = |message: Message, allowed: &[(u64, u8)]| {
        let mut fields = Fields::up_to_cut(bytes, 0..bytes.len());
        let known = fields.all(|(number, wire, _)| allowed.contains(&(number, wire)));
        known && fields.is_whole() && (!fields.is_cut || has_node(bytes, message))
    };
    match bytes.first()? {
        0x08 | 0x12 if only(Message::SavedModel, &[(1, 0), (2, 2)]) => Some(Message::SavedModel),
        0x0a | 0x12 | 0x22
            if only(Message::GraphDef, &[(1, 2), (2, 2), (3, 0), (4, 2), (5, 2)]) =>
        {
            let mut nodes = Fields::new(bytes, 0..bytes.len());
            let (_, _, first) = nodes.find(|(number, ..)| *number == 1)?;
            let mut node = Fields::new(bytes, first);
            let has_op = node.any(|(number, wire, _)| (number, wire) == (field::NODE_OP, 2));
            has_op.then_some(Message::GraphDef)
        }
        _ => None,
    }
}

pub(super) fn format(bytes: &[u8]) -> Option<&'static str> {
    Some(match root(bytes)? {
        Message::SavedModel => "savedmodel",
        _ => "graphdef",
    })
}

pub(super) fn members(bytes: &[u8], _: &mut Search<'_>) -> Option<Vec<Member>> {
    let mut members = Vec::new();
    let is_cut = nodes(bytes, root(bytes)?, &mut |node_range| {
        members.extend(node(bytes, node_range));
        members.len() < MAX_MEMBERS
    });
    members.sort_by_key(|member| member.part.range().start);
    if is_cut {
        members.push(Member::damaged(0..bytes.len(), "it is cut off"));
    }
    Some(members)
}

/// Calls `visit` with the range of each node until it returns false. Returns whether the file ends
/// within a message.
fn nodes(bytes: &[u8], root: Message, visit: &mut dyn FnMut(Range<usize>) -> bool) -> bool {
    let mut is_cut = false;
    let mut pending = vec![(root, 0..bytes.len())];
    while let Some((message, range)) = pending.pop() {
        if message == Message::NodeDef {
            if !visit(range) {
                break;
            }
            continue;
        }
        let mut fields = Fields::up_to_cut(bytes, range);
        for (number, wire, inner) in fields.by_ref() {
            let known = FIELDS
                .iter()
                .find(|row| (row.0, row.1) == (message, number));
            if let Some((.., inner_message)) = known
                && wire == 2
            {
                pending.push((*inner_message, inner));
            }
        }
        is_cut |= fields.is_cut;
    }
    is_cut
}

/// Returns whether there is a node with a name and an operation.
fn has_node(bytes: &[u8], root: Message) -> bool {
    let is_text = |range: Range<usize>| {
        let text = bytes.get(range).unwrap_or_default();
        !text.is_empty() && text.iter().all(u8::is_ascii_graphic)
    };
    let mut found = false;
    nodes(bytes, root, &mut |node| {
        let has = |wanted: u64| {
            let mut fields = Fields::new(bytes, node.clone());
            let field = fields.find(|(number, wire, _)| (*number, *wire) == (wanted, 2));
            field.is_some_and(|(.., range)| is_text(range))
        };
        found = has(field::NODE_NAME) && has(field::NODE_OP);
        !found
    });
    found
}

/// Returns the module of an `XlaCallModule`.
fn node(bytes: &[u8], range: Range<usize>) -> Option<Member> {
    let mut name = 0..0;
    let mut is_call = false;
    let mut module = None;
    for (number, _, inner) in Fields::up_to_cut(bytes, range) {
        match number {
            field::NODE_NAME => name = inner,
            field::NODE_OP => is_call = bytes.get(inner)? == b"XlaCallModule",
            field::NODE_ATTR => {
                let part = |range: Range<usize>, wanted: u64| {
                    let mut fields = Fields::new(bytes, range);
                    let found = fields.find(|(number, wire, _)| (*number, *wire) == (wanted, 2));
                    found.map(|(.., range)| range)
                };
                let key = part(inner.clone(), field::KEY).unwrap_or_default();
                if bytes.get(key)? == b"module" {
                    module = part(inner, field::VALUE).and_then(|value| part(value, field::STRING));
                }
            }
            _ => {}
        }
    }
    let module = module.filter(|_| is_call)?;
    Some(Member {
        part: Part::Range(module),
        name: shown(bytes.get(name)?),
        is_text: true,
        ..Member::default()
    })
}

/// The fields of a message: number, wire type, and the range of the value if it has a length.
struct Fields<'a> {
    bytes: &'a [u8],
    at: usize,
    end: usize,
    /// Whether a value may end after the file: it is then shorter.
    may_be_cut: bool,
    is_cut: bool,
}

impl<'a> Fields<'a> {
    fn new(bytes: &'a [u8], range: Range<usize>) -> Self {
        Fields {
            bytes,
            at: range.start,
            end: range.end.min(bytes.len()),
            may_be_cut: false,
            is_cut: false,
        }
    }

    /// The fields of a message that may end too early, with the file.
    fn up_to_cut(bytes: &'a [u8], range: Range<usize>) -> Self {
        Fields {
            may_be_cut: range.end == bytes.len(),
            ..Self::new(bytes, range)
        }
    }

    /// Returns whether all bytes were read as fields.
    fn is_whole(&self) -> bool {
        self.at == self.end
    }

    fn varint(&mut self) -> Option<u64> {
        let mut value = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = *self.bytes.get(self.at).filter(|_| self.at < self.end)?;
            self.at = self.at.checked_add(1)?;
            value |= u64::from(byte & 0x7f).checked_shl(shift)?;
            if byte & 0x80 == 0 {
                return Some(value);
            }
        }
        None
    }

    fn field(&mut self) -> Option<(u64, u8, Range<usize>)> {
        let key = self.varint()?;
        let wire = (key & 7) as u8;
        let len = match wire {
            0 => {
                self.varint()?;
                0
            }
            1 => 8,
            2 => usize::try_from(self.varint()?).ok()?,
            5 => 4,
            _ => return None,
        };
        let start = self.at;
        let mut end = start.checked_add(len)?;
        if end > self.end {
            if !self.may_be_cut {
                return None;
            }
            self.is_cut = true;
            end = self.end;
        }
        self.at = end;
        Some((key >> 3, wire, start..end)).filter(|(number, ..)| *number > 0)
    }
}

impl Iterator for Fields<'_> {
    type Item = (u64, u8, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        if self.at >= self.end {
            return None;
        }
        let start = self.at;
        let field = self.field();
        if field.is_none() && self.may_be_cut && self.at >= self.end {
            self.is_cut = true;
        } else if field.is_none() {
            // Not a message, from here on.
            self.at = start;
            self.end = self.end.max(start.saturating_add(1));
            self.bytes = self.bytes.get(..start).unwrap_or_default();
        }
        field
    }
}
