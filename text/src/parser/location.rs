//! Parses source locations.

use super::entry::{Frame, Goal, Step};
use super::{AttributeAlias, Parser};
use crate::diagnostic::Result;
use crate::lexer::{Token, TokenKind};
use crate::parser::older::Construct;
use crate::printer::{PrintOptions, print_attribute};
use crate::spans::SpanKind;
use rmlir_ir::asm::AsmError;
use rmlir_ir::{Attribute, AttributeKind, Entry, Identifier, Location, LocationKind, RangeForm};

impl<'s> Parser<'s, '_> {
    pub(super) fn start_location(&mut self) -> Result<Step<'s>> {
        let kind = self.token.kind;
        match kind {
            TokenKind::HashIdentifier => self.location_symbol(),
            TokenKind::String => {
                let token = self.advance();
                let text = self.string_identifier(token);
                if self.eat(TokenKind::Colon) {
                    let location = self.file_location(text)?;
                    return Ok(Step::Done(Entry::Location(location)));
                }
                if self.eat(TokenKind::LeftParen) {
                    return Ok(Step::Need(Goal::Location, Frame::LocationChild(text)));
                }
                let child = self.context.unknown_location();
                self.located(LocationKind::Name { name: text, child })
            }
            TokenKind::BareIdentifier => match self.current() {
                b"unknown" => {
                    self.advance();
                    Ok(Step::Done(Entry::Location(self.context.unknown_location())))
                }
                b"callsite" => {
                    self.advance();
                    self.expect(TokenKind::LeftParen, "'(' in callsite location")?;
                    Ok(Step::Need(Goal::Location, Frame::Callee))
                }
                b"fused" => {
                    self.advance();
                    if self.eat(TokenKind::Less) {
                        return Ok(Step::Need(Goal::Attribute, Frame::FusedMetadata));
                    }
                    self.fused_locations(None)
                }
                _ => Err(self.unexpected("location instance")),
            },
            TokenKind::Question if self.has(Construct::UnknownLocation) => {
                self.advance();
                Ok(Step::Done(Entry::Location(self.context.unknown_location())))
            }
            _ => Err(self.unexpected("location instance")),
        }
    }

    pub(super) fn resume_location(&mut self, frame: Frame<'s>, entry: Entry) -> Result<Step<'s>> {
        match (frame, entry) {
            (Frame::LocationChild(name), Entry::Location(child)) => {
                self.expect(TokenKind::RightParen, "')' after child location of NameLoc")?;
                self.located(LocationKind::Name { name, child })
            }
            (Frame::Callee, Entry::Location(callee)) => {
                if !self.eat_keyword(b"at") {
                    return Err(self.unexpected("'at' in callsite location"));
                }
                Ok(Step::Need(Goal::Location, Frame::Caller(callee)))
            }
            (Frame::Caller(callee), Entry::Location(caller)) => {
                self.expect(TokenKind::RightParen, "')' in callsite location")?;
                self.located(LocationKind::CallSite { callee, caller })
            }
            (Frame::FusedMetadata, Entry::Attribute(metadata)) => {
                self.expect(TokenKind::Greater, "'>' after fused location metadata")?;
                self.fused_locations(Some(metadata))
            }
            (
                Frame::Fused {
                    metadata,
                    mut locations,
                },
                Entry::Location(location),
            ) => {
                locations.push(location);
                if self.eat(TokenKind::Comma) {
                    return Ok(Step::Need(
                        Goal::Location,
                        Frame::Fused {
                            metadata,
                            locations,
                        },
                    ));
                }
                self.expect(TokenKind::RightSquare, "']' in fused location")?;
                self.spend_on_fused(&locations, metadata)?;
                let location = self.context.fused_location(&locations, metadata);
                Ok(Step::Done(Entry::Location(location)))
            }
            (Frame::DialectLocation, Entry::Attribute(attribute)) => {
                let location = self.as_location(attribute, self.previous_end)?;
                Ok(Step::Done(Entry::Location(location)))
            }
            (_, _) => Err(self.unexpected("location")),
        }
    }

    fn located(&mut self, kind: LocationKind) -> Result<Step<'s>> {
        Ok(Step::Done(Entry::Location(self.context.location(kind))))
    }

    /// Charges the budget for fused locations that are flattened into one of the same metadata.
    fn spend_on_fused(
        &mut self,
        locations: &[Location],
        metadata: Option<Attribute>,
    ) -> Result<()> {
        let context = &*self.context;
        let dissolved = |&location: &Location| match context.location_kind(location) {
            LocationKind::Fused {
                locations,
                metadata: m,
            } if m == metadata => locations.len(),
            _ => 0,
        };
        let count = locations.iter().map(dissolved).sum();
        self.spend(self.token.start, count)
    }

    fn fused_locations(&mut self, metadata: Option<Attribute>) -> Result<Step<'s>> {
        self.expect(TokenKind::LeftSquare, "'[' in fused location")?;
        if self.eat(TokenKind::RightSquare) {
            let location = self.context.fused_location(&[], metadata);
            return Ok(Step::Done(Entry::Location(location)));
        }
        Ok(Step::Need(
            Goal::Location,
            Frame::Fused {
                metadata,
                locations: Vec::new(),
            },
        ))
    }

    /// Parses `line:column`, after `"file":`, and the end of a range.
    fn file_location(&mut self, file: Identifier) -> Result<Location> {
        let start_line = self.place("expected integer line number in FileLineColRange")?;
        // Older releases printed a line without a column.
        let has_column = self.eat(TokenKind::Colon);
        let start_column = if has_column {
            self.place("expected integer column number in FileLineColRange")?
        } else {
            0
        };
        let (mut end_line, mut end_column) = (start_line, start_column);
        let is_range = has_column && self.eat_keyword(b"to");
        if is_range {
            if self.at(TokenKind::Integer) {
                end_line = self.place("expected integer line number in FileLineColRange")?;
            }
            self.expect(TokenKind::Colon, "':' in FileLineColRange")?;
            end_column = self.place("expected integer column number in FileLineColRange")?;
        }
        // For a range that is a single position, upstream stores only the coordinates that are not
        // zero.
        let form = match (has_column && !is_range, start_line, start_column) {
            (true, ..) => RangeForm::Full,
            (_, 0, 0) => RangeForm::File,
            (_, _, 0) => RangeForm::Line,
            _ => RangeForm::Range,
        };
        Ok(self.context.location(LocationKind::FileLineColRange {
            file,
            start_line,
            start_column,
            end_line,
            end_column,
            form,
        }))
    }

    /// Parses a line or column number.
    fn place(&mut self, message: &str) -> Result<u32> {
        if !self.at(TokenKind::Integer) {
            return Err(self.error(message));
        }
        let token = self.advance();
        u32::try_from(self.unsigned(token, "number")?)
            .map_err(|_| AsmError::new(token.start, message))
    }

    /// `#alias`, which must be defined, or an attribute of a dialect that is a location.
    fn location_symbol(&mut self) -> Result<Step<'s>> {
        if let Some(name) = self.alias_token() {
            let token = self.advance();
            return match self.location_alias(name, token)? {
                Some(location) => Ok(Step::Done(Entry::Location(location))),
                None => Err(self.undefined_alias(token.start, name)),
            };
        }
        Ok(Step::Need(Goal::Attribute, Frame::DialectLocation))
    }

    /// Returns the name of an alias if the current token is one.
    fn alias_token(&self) -> Option<&'s [u8]> {
        let name = self.current().get(1..).unwrap_or_default();
        let has_body = self.source.get(self.token.end) == Some(&b'<');
        (self.at(TokenKind::HashIdentifier) && !has_body && !name.contains(&b'.')).then_some(name)
    }

    /// Returns the location that an alias denotes, if it is defined.
    fn location_alias(&mut self, name: &'s [u8], token: Token) -> Result<Option<Location>> {
        match self.attribute_aliases.get(name) {
            None => Ok(None),
            Some(&AttributeAlias::Location(location)) => Ok(Some(location)),
            Some(&AttributeAlias::Attribute(attribute)) => {
                self.as_location(attribute, token.start).map(Some)
            }
        }
    }

    /// Converts an attribute to a location where a location is required.
    pub(super) fn as_location(&mut self, attribute: Attribute, place: usize) -> Result<Location> {
        match *self.context.attribute_kind(attribute) {
            AttributeKind::Location(location) => Ok(location),
            AttributeKind::Dialect { .. } => {
                Ok(self.context.location(LocationKind::Dialect(attribute)))
            }
            _ => {
                let options = PrintOptions {
                    max_output: 100,
                    ..PrintOptions::default()
                };
                let mut text = Vec::new();
                let found = match print_attribute(self.context, attribute, &options, &mut text) {
                    Ok(()) => format!("'{}'", String::from_utf8_lossy(&text)),
                    Err(_) => "another attribute".to_owned(),
                };
                Err(AsmError::new(
                    place,
                    format!("expected location, but found {found}"),
                ))
            }
        }
    }

    /// Parses `loc(...)` after an operation or a block argument, if it is next. As in upstream, an
    /// alias may be defined later here, and only here.
    pub(super) fn trailing_location(&mut self) -> Result<Option<Location>> {
        if !self.at_keyword(b"loc") {
            return Ok(None);
        }
        let start = self.token.start;
        self.advance();
        self.expect(TokenKind::LeftParen, "'(' in location")?;
        let location = match self.alias_token() {
            Some(name) => {
                let token = self.advance();
                match self.location_alias(name, token)? {
                    Some(location) => location,
                    None => self.forward_location(name, token),
                }
            }
            None => self.location()?,
        };
        self.expect(TokenKind::RightParen, "')' in location")?;
        self.note(SpanKind::Location, start);
        Ok(Some(location))
    }

    fn forward_location(&mut self, name: &'s [u8], token: Token) -> Location {
        let context = &mut *self.context;
        self.forward_locations
            .entry(name)
            .or_insert_with(|| (context.reserve_location(), token.start))
            .0
    }
}
