//! Reads the stream of locations.

use super::tables::Tables;
use crate::lookup::malformed;
use rmlir_format::rmbc::location_code as code;
use rmlir_format::varint::unzigzag;
use rmlir_format::{ErrorKind, Reader, Result};
use rmlir_ir::{Identifier, Location};

/// The state of the stream, to which codes are relative.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    /// The number of the file name's string.
    pub(super) file: Option<u64>,
    pub(super) line: u32,
    pub(super) column: u32,
    pub(super) entry: u64,
    pub(super) last: Last,
}

/// The preceding location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Last {
    #[default]
    None,
    Unknown,
    Place,
    Entry,
}

impl State {
    /// Reads the next code and updates the state.
    #[inline]
    pub(super) fn advance(&mut self, input: &mut Reader<'_>) -> Result<()> {
        let at = input.offset();
        let number = input.varint()?;
        let Some(moved) = number.checked_sub(code::MOVES) else {
            return self.special(input, at, number);
        };
        let kind = code::MOVES.wrapping_add(moved % code::KINDS);
        let distance = unzigzag(moved / code::KINDS);
        if kind == code::ENTRY {
            let Some(entry) = self.entry.checked_add_signed(distance) else {
                let from = self.entry;
                let message = format!("location #{from} moved by {distance} is not a location");
                return Err(malformed(input, at, message));
            };
            self.entry = entry;
            self.last = Last::Entry;
            return Ok(());
        }
        let column = match kind {
            code::LINE => 0,
            _ => input.signed_varint()?,
        };
        let place = moved_by(self.line, distance).zip(moved_by(self.column, column));
        let (Some(_), Some((line, column))) = (self.file, place) else {
            let message = "the place in a file is none, or lies in no file";
            return Err(malformed(input, at, message));
        };
        (self.line, self.column) = (line, column);
        self.last = Last::Place;
        Ok(())
    }

    #[cold]
    fn special(&mut self, input: &mut Reader<'_>, at: u64, number: u64) -> Result<()> {
        match number {
            code::RESTART => {
                *self = State::default();
                if input.peek() == Some(code::RESTART as u8) {
                    return Err(malformed(input, at, "a restart follows a restart"));
                }
                self.advance(input)
            }
            code::LATER => {
                let kind = input.varint()?;
                let len = input.varint()?;
                input.skip(len)?;
                if kind & 1 == 1 {
                    let message = format!("a location is of the kind {kind} of a later version");
                    return Err(input.error(ErrorKind::Unsupported, message).with_offset(at));
                }
                self.last = Last::Unknown;
                Ok(())
            }
            code::SAME => match self.last {
                Last::None => Err(malformed(
                    input,
                    at,
                    "there is no location before the first",
                )),
                _ => Ok(()),
            },
            code::UNKNOWN => {
                self.last = Last::Unknown;
                Ok(())
            }
            _ => {
                self.file = Some(input.varint()?);
                (self.line, self.column) = (input.varint_u32()?, input.varint_u32()?);
                self.last = Last::Place;
                Ok(())
            }
        }
    }
}

/// Reads locations one after the other. Without a stream all are unknown.
#[derive(Clone)]
pub(super) struct LocationStream<'a> {
    input: Option<Reader<'a>>,
    state: State,
    /// The file name of the state, and the number of its string.
    file: Option<(u64, Identifier)>,
    /// The location read last.
    last: Option<Location>,
    restarts: Restarts,
}

/// Where the stream may restart.
#[derive(Clone, Copy)]
enum Restarts {
    /// Only where a chunk begins, that is, where it was just requested.
    Requested,
    /// Anywhere; the offset of the last one, until it is taken.
    Recorded(Option<u64>),
}

impl<'a> LocationStream<'a> {
    pub(super) fn new(input: Option<Reader<'a>>) -> Self {
        Self::from_state(input, State::default())
    }

    /// Returns a stream that is read from somewhere inside.
    pub(super) fn from_state(input: Option<Reader<'a>>, state: State) -> Self {
        LocationStream {
            input,
            state,
            file: None,
            last: None,
            restarts: Restarts::Requested,
        }
    }

    /// Returns the position and the state, from which another stream can
    /// [go on](Self::from_mark); `None` if no locations are read.
    pub(super) fn mark(&self) -> Option<(usize, State)> {
        let input = self.input.as_ref()?;
        Some((input.position(), self.state))
    }

    /// Returns a stream that goes on from a mark of another one, whose input began like this.
    pub(super) fn from_mark(input: Option<Reader<'a>>, mark: (usize, State)) -> Result<Self> {
        let (position, state) = mark;
        let mut stream = Self::from_state(input, state);
        if let Some(input) = &mut stream.input {
            input.skip(position.saturating_sub(input.position()) as u64)?;
        }
        Ok(stream)
    }

    /// Lets the stream restart anywhere; see [`restarted`](Self::restarted).
    pub(super) fn record_restarts(&mut self) {
        self.restarts = Restarts::Recorded(None);
    }

    /// Returns the offset at which the location read last restarted the stream, once.
    #[inline]
    pub(super) fn restarted(&mut self) -> Option<u64> {
        match &mut self.restarts {
            Restarts::Recorded(offset) => offset.take(),
            Restarts::Requested => None,
        }
    }

    /// Begins a chunk: the stream must restart here. Returns its position; `None` if no locations
    /// are read.
    pub(super) fn restart(&mut self) -> Result<Option<u64>> {
        let Some(input) = &mut self.input else {
            return Ok(None);
        };
        let (at, position) = (input.offset(), input.position());
        if input.varint()? != code::RESTART {
            let message = "the locations of a chunk do not restart";
            return Err(malformed(input, at, message));
        }
        (self.state, self.last) = (State::default(), None);
        Ok(Some(position as u64))
    }

    pub(super) fn is_there(&self) -> bool {
        self.input.is_some()
    }

    /// Returns the maximum number of locations that the remaining bytes can encode.
    pub(super) fn remaining(&self) -> usize {
        self.input.as_ref().map_or(0, Reader::remaining)
    }

    /// Reads the next location.
    #[inline]
    pub(super) fn next(&mut self, tables: &mut Tables<'_>) -> Result<Location> {
        let Some(input) = &mut self.input else {
            return Ok(tables.context.unknown_location());
        };
        let at = input.offset();
        let first = input.peek();
        if first == Some(code::RESTART as u8) {
            let position = input.position() as u64;
            match &mut self.restarts {
                Restarts::Recorded(offset) => *offset = Some(position),
                Restarts::Requested => {
                    let message = "the locations restart where no chunk begins";
                    return Err(malformed(input, at, message));
                }
            }
        }
        let is_same = first == Some(code::SAME as u8);
        self.state.advance(input)?;
        if is_same && let Some(last) = self.last {
            return Ok(last);
        }
        let state = &self.state;
        let location = match state.last {
            Last::Place => {
                let number = state.file.unwrap_or_default();
                let file = match self.file {
                    Some((known, file)) if known == number => file,
                    _ => {
                        let file = tables.string_at(input, at, number)?;
                        self.file = Some((number, file));
                        file
                    }
                };
                let context = &mut *tables.context;
                context.file_location(file, state.line, state.column)
            }
            Last::Entry => tables.location(input, at, state.entry)?,
            Last::Unknown | Last::None => tables.context.unknown_location(),
        };
        self.last = Some(location);
        Ok(location)
    }

    /// Skips locations without building them.
    pub(super) fn skip(&mut self, count: u64) -> Result<()> {
        let Some(input) = self.input.as_mut().filter(|_| count > 0) else {
            return Ok(());
        };
        for _ in 0..count {
            if input.peek() == Some(code::RESTART as u8) {
                let message = "the locations restart where no chunk begins";
                return Err(malformed(input, input.offset(), message));
            }
            self.state.advance(input)?;
        }
        self.last = None;
        Ok(())
    }

    /// Checks that all were read.
    pub(super) fn expect_end(&self) -> Result<()> {
        self.input.as_ref().map_or(Ok(()), Reader::expect_end)
    }
}

#[inline]
fn moved_by(from: u32, distance: i64) -> Option<u32> {
    let to = i64::from(from).checked_add(distance)?;
    u32::try_from(to).ok()
}
