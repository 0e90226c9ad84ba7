//! Source locations.

use super::entity::{Entity, Frame, Goal, Step};
use super::{AttributeAlias, Parser};
use crate::diagnostic::{Result, SyntaxError};
use crate::lexer::{Token, TokenKind};
use rmlir_ir::{Attribute, AttributeKind, Identifier, Location, LocationKind};

/// A fused location to be made anew when all its parts are known: which of them are unknown or
/// equal decides what is left of it.
pub(super) struct PendingFused {
    location: Location,
    locations: Vec<Location>,
    metadata: Option<Attribute>,
}

impl<'s> Parser<'s, '_> {
    pub(super) fn start_location(&mut self) -> Result<Step<'s>> {
        match self.token.kind {
            TokenKind::HashIdentifier => self.location_symbol(),
            TokenKind::String => {
                let token = self.advance();
                let text = self.string_identifier(token);
                if self.eat(TokenKind::Colon) {
                    let location = self.file_location(text)?;
                    return Ok(Step::Done(Entity::Location(location)));
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
                    Ok(Step::Done(Entity::Location(self.context.unknown_location())))
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
            _ => Err(self.unexpected("location instance")),
        }
    }

    pub(super) fn resume_location(&mut self, frame: Frame<'s>, entity: Entity) -> Result<Step<'s>> {
        match (frame, entity) {
            (Frame::LocationChild(name), Entity::Location(child)) => {
                self.expect(TokenKind::RightParen, "')' after child location of NameLoc")?;
                self.located(LocationKind::Name { name, child })
            }
            (Frame::Callee, Entity::Location(callee)) => {
                self.expect_keyword("at")?;
                Ok(Step::Need(Goal::Location, Frame::Caller(callee)))
            }
            (Frame::Caller(callee), Entity::Location(caller)) => {
                self.expect(TokenKind::RightParen, "')' in callsite location")?;
                self.located(LocationKind::CallSite { callee, caller })
            }
            (Frame::FusedMetadata, Entity::Attribute(metadata)) => {
                self.expect(TokenKind::Greater, "'>' after fused location metadata")?;
                self.fused_locations(Some(metadata))
            }
            (Frame::Fused { metadata, mut locations }, Entity::Location(location)) => {
                locations.push(location);
                if self.eat(TokenKind::Comma) {
                    return Ok(Step::Need(Goal::Location, Frame::Fused { metadata, locations }));
                }
                self.expect(TokenKind::RightSquare, "']' in fused location")?;
                Ok(Step::Done(Entity::Location(self.fused(locations, metadata))))
            }
            // `#alias` or an attribute of a dialect where a location is wanted.
            (_, _) => Err(self.unexpected("location")),
        }
    }

    fn located(&mut self, kind: LocationKind) -> Result<Step<'s>> {
        Ok(Step::Done(Entity::Location(self.context.location(kind))))
    }

    fn fused_locations(&mut self, metadata: Option<Attribute>) -> Result<Step<'s>> {
        self.expect(TokenKind::LeftSquare, "'[' in fused location")?;
        Ok(Step::Need(Goal::Location, Frame::Fused { metadata, locations: Vec::new() }))
    }

    fn fused(&mut self, locations: Vec<Location>, metadata: Option<Attribute>) -> Location {
        if self.forward_locations.is_empty() && self.pending_fused.is_empty() {
            return self.context.fused_location(&locations, metadata);
        }
        let location = self.context.reserve_location();
        self.pending_fused.push(PendingFused { location, locations, metadata });
        location
    }

    /// Makes the fused locations whose parts were not known when they were read.
    pub(super) fn resolve_fused(&mut self) {
        for pending in std::mem::take(&mut self.pending_fused) {
            let location = self.context.fused_location(&pending.locations, pending.metadata);
            let kind = self.context.location_kind(location).clone();
            self.context.define_location(pending.location, kind);
        }
    }

    /// `line:column`, behind `"file":`, and the end of a range.
    fn file_location(&mut self, file: Identifier) -> Result<Location> {
        let start_line = self.place("expected integer line number in FileLineColRange")?;
        self.expect(TokenKind::Colon, "':' in FileLineColRange")?;
        let start_column = self.place("expected integer column number in FileLineColRange")?;
        let (mut end_line, mut end_column) = (start_line, start_column);
        if self.eat_keyword(b"to") {
            if self.at(TokenKind::Integer) {
                end_line = self.place("expected integer line number in FileLineColRange")?;
            }
            self.expect(TokenKind::Colon, "':' in FileLineColRange")?;
            end_column = self.place("expected integer column number in FileLineColRange")?;
        }
        Ok(self.context.location(LocationKind::FileLineColRange {
            file,
            start_line,
            start_column,
            end_line,
            end_column,
        }))
    }

    /// A line or column number.
    fn place(&mut self, message: &str) -> Result<u32> {
        if !self.at(TokenKind::Integer) {
            return Err(self.error(message));
        }
        let token = self.advance();
        u32::try_from(self.unsigned(token, "number")?).map_err(|_| SyntaxError::new(token.start, message))
    }

    /// `#alias`, defined or not yet, or an attribute that is a location.
    fn location_symbol(&mut self) -> Result<Step<'s>> {
        let token = self.token;
        let name = self.text(token).get(1..).unwrap_or_default();
        let has_body = self.source.get(token.end) == Some(&b'<');
        if has_body || name.contains(&b'.') {
            return Err(self.error("expected location attribute"));
        }
        self.advance();
        let location = self.location_alias(name, token)?;
        Ok(Step::Done(Entity::Location(location)))
    }

    fn location_alias(&mut self, name: &'s [u8], token: Token) -> Result<Location> {
        match self.attribute_aliases.get(name) {
            Some(&AttributeAlias::Location(location)) => Ok(location),
            Some(&AttributeAlias::Attribute(attribute)) => match *self.context.attribute_kind(attribute) {
                AttributeKind::Location(location) => Ok(location),
                _ => Err(SyntaxError::new(token.start, "expected location, but found another attribute")),
            },
            None => {
                if let Some(&(location, _)) = self.forward_locations.get(name) {
                    return Ok(location);
                }
                let location = self.context.reserve_location();
                self.forward_locations.insert(name, (location, token.start));
                Ok(location)
            }
        }
    }

    /// `loc(...)` behind an operation or a block argument, if it is there.
    pub(super) fn trailing_location(&mut self) -> Result<Option<Location>> {
        if !self.at_keyword(b"loc") {
            return Ok(None);
        }
        self.advance();
        self.expect(TokenKind::LeftParen, "'(' in location")?;
        // Most are aliases: no frame is needed.
        let location = self.location()?;
        self.expect(TokenKind::RightParen, "')' in location")?;
        Ok(Some(location))
    }
}
