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

/// Returns the message that the whole file is.
fn root(bytes: &[u8]) -> Option<Message> {
    // A field and its wire type: 0 is a number, 2 has a length.
    let only = |allowed: &[(u64, u8)]| {
        let mut fields = Fields::new(bytes, 0..bytes.len());
        let known = fields.all(|(number, wire, _)| allowed.contains(&(number, wire)));
        known && fields.is_whole()
    };
    match bytes.first()? {
        0x08 | 0x12 if only(&[(1, 0), (2, 2)]) => Some(Message::SavedModel),
        0x0a | 0x12 | 0x22 if only(&[(1, 2), (2, 2), (3, 0), (4, 2), (5, 2)]) => {
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
    let mut pending = vec![(root(bytes)?, 0..bytes.len())];
    while let Some((message, range)) = pending.pop() {
        if members.len() >= MAX_MEMBERS {
            break;
        }
        if message == Message::NodeDef {
            members.extend(node(bytes, range));
            continue;
        }
        for (number, wire, inner) in Fields::new(bytes, range) {
            let known = FIELDS
                .iter()
                .find(|row| (row.0, row.1) == (message, number));
            if let Some((.., inner_message)) = known
                && wire == 2
            {
                pending.push((*inner_message, inner));
            }
        }
    }
    members.sort_by_key(|member| member.part.range().start);
    Some(members)
}

/// Returns the module of an `XlaCallModule`.
fn node(bytes: &[u8], range: Range<usize>) -> Option<Member> {
    let mut name = 0..0;
    let mut is_call = false;
    let mut module = None;
    for (number, _, inner) in Fields::new(bytes, range) {
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
}

impl<'a> Fields<'a> {
    fn new(bytes: &'a [u8], range: Range<usize>) -> Self {
        Fields {
            bytes,
            at: range.start,
            end: range.end.min(bytes.len()),
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
        let end = start.checked_add(len).filter(|end| *end <= self.end)?;
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
        if field.is_none() {
            // Not a message, from here on.
            self.at = start;
            self.end = self.end.max(start.saturating_add(1));
            self.bytes = self.bytes.get(..start).unwrap_or_default();
        }
        field
    }
}
