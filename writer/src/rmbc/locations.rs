//! Writes the stream of locations of operations and block arguments.

use super::encoder::Encoder;
use super::entries::unknown_kind;
use rmlir_format::Result;
use rmlir_format::rmbc::location_code as code;
use rmlir_format::varint::{write_varint, zigzag};
use rmlir_ir::{Entry, Location, LocationKind};

/// The position of the stream, which codes are relative to.
#[derive(Clone, Copy, Default)]
pub(super) struct State {
    file: u64,
    line: u32,
    column: u32,
    entry: u64,
    last: Last,
}

/// The kind of the preceding location.
#[derive(Clone, Copy, Default, PartialEq)]
enum Last {
    #[default]
    None,
    Unknown,
    Place,
    Entry,
}

/// The stream that is being written.
#[derive(Default)]
pub(super) struct LocationStream {
    pub(super) out: Vec<u8>,
    state: State,
    /// Whether a location is known; else the stream is omitted.
    pub(super) any: bool,
    /// The location written last, which is often the next one, too.
    previous: Option<Location>,
}

impl Encoder<'_> {
    /// Collects the references of a location of the stream.
    #[inline]
    pub(super) fn collect_location(&mut self, location: Location) -> Result<()> {
        if let Some((file, ..)) = self.context.place_in_file(location) {
            self.strings.collect(file);
        } else if self.context.location_kind(location) != LocationKind::Unknown {
            self.collect(Entry::Location(location))?;
        }
        Ok(())
    }
}

impl LocationStream {
    /// Appends a location whose references were collected.
    #[inline]
    pub(super) fn add(&mut self, encoder: &Encoder<'_>, location: Location) -> Result<()> {
        if self.previous == Some(location) {
            self.out.push(code::SAME as u8);
            return Ok(());
        }
        self.previous = Some(location);
        let (out, state) = (&mut self.out, &mut self.state);
        let with_distance = |code: u64, distance: i64| code + code::KINDS * zigzag(distance);
        if let Some((file, line, column)) = encoder.context.place_in_file(location) {
            let number = encoder.strings.get(file);
            let lines = i64::from(line) - i64::from(state.line);
            let columns = i64::from(column) - i64::from(state.column);
            let known = state.file == number + 1;
            if !known {
                out.push(code::FILE as u8);
                write_varint(out, number);
                write_varint(out, line.into());
                write_varint(out, column.into());
            } else if (lines, columns) == (0, 0) && state.last == Last::Place {
                out.push(code::SAME as u8);
            } else if columns == 0 {
                write_varint(out, with_distance(code::LINE, lines));
            } else {
                write_varint(out, with_distance(code::LINE_AND_COLUMN, lines));
                write_varint(out, zigzag(columns));
            }
            state.file = number + 1;
            (state.line, state.column) = (line, column);
            state.last = Last::Place;
        } else if encoder.context.location_kind(location) == LocationKind::Unknown {
            if state.last == Last::Unknown {
                out.push(code::SAME as u8);
            } else {
                out.push(code::UNKNOWN as u8);
            }
            state.last = Last::Unknown;
            return Ok(());
        } else {
            let Some(number) = encoder.location_number(location) else {
                return Err(unknown_kind("location"));
            };
            if state.last == Last::Entry && state.entry == number {
                out.push(code::SAME as u8);
            } else {
                let distance = number as i64 - state.entry as i64;
                write_varint(out, with_distance(code::ENTRY, distance));
            }
            state.entry = number;
            state.last = Last::Entry;
        }
        self.any = true;
        Ok(())
    }

    /// Makes this a position at which a reader may begin, with the initial state.
    ///
    /// Returns the offset.
    pub(super) fn restart(&mut self) -> u64 {
        let offset = self.out.len() as u64;
        self.out.push(code::RESTART as u8);
        self.previous = None;
        self.state = State::default();
        offset
    }
}
