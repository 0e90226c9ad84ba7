//! Parses files: operations, alias definitions and metadata.

use super::operation::Operations;
use super::{AttributeAlias, Parser};
use crate::diagnostic::Result;
use crate::edition::Edition;
use crate::lexer::{Token, TokenKind};
use crate::parser::older::Construct;
use crate::spans::SpanKind;
use rmlir_ir::asm::AsmError;
use rmlir_ir::{Attribute, Context, Identifier, Location, Module, Provenance, Type};

/// How many bytes of text an operation takes, about.
const BYTES_PER_OPERATION: usize = 64;

/// The definitions of aliases whose base names may have to be recorded, in order.
#[derive(Default)]
struct Definitions<'s> {
    attributes: Vec<(&'s [u8], Attribute)>,
    types: Vec<(&'s [u8], Type)>,
}

impl<'s> Parser<'s, '_> {
    /// Parses a whole file.
    pub(super) fn file(&mut self) -> Result<Module> {
        if u32::try_from(self.source.len()).is_err() {
            return Err(AsmError::new(
                0,
                "texts of 4 GiB and more are not supported",
            ));
        }
        // The implicit module is where the text starts; at the start of a file that is 0:0.
        let location = match (self.lines_before, self.columns_before) {
            (0, 0) => self.context.file_location(self.file, 0, 0),
            _ => self.source_location(0),
        };
        let name = self.context.operation_name("builtin.module");
        let mut module = Module::with_top(name, location);
        let Some(top) = module.body() else {
            return Err(self.error("the module has no body"));
        };
        self.reserve(&mut module, self.source.len());
        let mut ops = Operations::new(module, top, Some(self.context.builtin_namespace()));
        let mut definitions = Definitions::default();
        let mut provenance = Provenance::default();
        loop {
            if self.token.start >= self.next_part {
                self.take_part(&mut ops);
                continue;
            }
            self.recovery.start = self.token.start;
            let start = self.token.start;
            let parsed = match self.token.kind {
                TokenKind::Eof => break,
                TokenKind::HashIdentifier => self
                    .attribute_definition(&mut definitions)
                    .map(|kind| self.note(kind, start)),
                TokenKind::ExclamationIdentifier => self
                    .type_definition(&mut definitions)
                    .map(|()| self.note(SpanKind::TypeAlias, start)),
                TokenKind::MetadataBegin => self
                    .file_metadata(&mut provenance)
                    .map(|()| self.note(SpanKind::Metadata, start)),
                _ => {
                    // The operations of a module are one level further inside.
                    if !self.at_module() {
                        self.read_ahead(&ops);
                    }
                    self.top_level_operation(&mut ops)
                }
            };
            if let Err(error) = parsed {
                self.recover(&mut ops, error)?;
            }
        }
        for error in self.undefined_locations() {
            self.report(error)?;
        }
        for error in ops.scopes.undefined() {
            self.report(error)?;
        }
        self.keep_stems(&definitions, &mut provenance);
        let mut module = ops.module;
        if self.edition != Edition::Current && self.recovery.errors.is_empty() {
            self.upgrade(&mut module)?;
        }
        let names = std::mem::take(&mut module.provenance);
        module.provenance = Provenance {
            value_names: names.value_names,
            block_names: names.block_names,
            ..provenance
        };
        let first = module.first_operation(top);
        let only = first.filter(|&first| module.next_operation(first).is_none());
        // A file of one module is that module.
        if let Some(only) = only
            && (!self.implicit_module || module.name(only) == name)
        {
            module.detach_operation(only);
            module.set_top(only);
        } else if !self.implicit_module && self.recovery.errors.is_empty() {
            let count = module.operations(top).count();
            let message =
                format!("source must contain a single top-level operation, found: {count}");
            self.report(AsmError::new(0, message))?;
        }
        Ok(module)
    }

    /// Returns errors for the aliases of locations that are used but not defined, in the order of
    /// the text.
    pub(super) fn undefined_locations(&self) -> Vec<AsmError> {
        let mut undefined: Vec<(usize, &[u8])> = self
            .forward_locations
            .iter()
            .map(|(name, &(_, place))| (place, *name))
            .collect();
        undefined.sort_unstable();
        let error = |(place, name): (usize, &[u8])| {
            let message = format!(
                "operation location alias was never defined: '#{}'",
                String::from_utf8_lossy(name)
            );
            let follows = self.is_passed_over(&[b"#", name].concat());
            AsmError::new(place, message).following(follows)
        };
        undefined.into_iter().map(error).collect()
    }

    /// Reserves memory for the likely content of a text of `bytes` bytes.
    ///
    /// Memory is committed as it is used, but need not be moved as the module grows.
    pub(super) fn reserve(&mut self, module: &mut Module, bytes: usize) {
        let operations = bytes / BYTES_PER_OPERATION;
        module.reserve(operations, operations, operations);
        self.context.reserve_locations(operations);
    }

    /// Returns whether the current token is the name of a module.
    fn at_module(&self) -> bool {
        matches!(
            self.current(),
            b"module" | b"builtin.module" | b"\"builtin.module\""
        )
    }

    fn alias_name(&mut self) -> Result<(Token, &'s [u8])> {
        let token = self.advance();
        let name = self.text(token).get(1..).unwrap_or_default();
        if name.contains(&b'.') && !self.is_dotted_alias(token) {
            return Err(AsmError::new(
                token.start,
                format!(
                    "{} names with a '.' are reserved for dialect-defined names",
                    if token.kind == TokenKind::HashIdentifier {
                        "attribute"
                    } else {
                        "type"
                    }
                ),
            ));
        }
        let what = match token.kind {
            TokenKind::HashIdentifier => "'=' in attribute alias definition",
            _ => "'=' in type alias definition",
        };
        self.expect(TokenKind::Equal, what)?;
        Ok((token, name))
    }

    /// `#name = attribute`.
    fn attribute_definition(&mut self, definitions: &mut Definitions<'s>) -> Result<SpanKind> {
        let (token, name) = self.alias_name()?;
        if self.attribute_aliases.contains_key(name) {
            let name = String::from_utf8_lossy(name);
            return Err(AsmError::new(
                token.start,
                format!("redefinition of attribute alias id '{name}'"),
            ));
        }
        if self.eat_keyword(b"loc") {
            // A location alias stays a location: most are never used as attributes.
            self.expect(TokenKind::LeftParen, "'(' in location")?;
            let location = self.location()?;
            self.expect(TokenKind::RightParen, "')' in location")?;
            self.resolve_forward(name, location);
            self.attribute_aliases
                .insert(name, AttributeAlias::Location(location));
            self.forget_known();
            return Ok(SpanKind::LocationAlias);
        }
        let attribute = self.attribute()?;
        if let Some(&(_, used)) = self.forward_locations.get(name) {
            let location = self.as_location(attribute, used)?;
            self.resolve_forward(name, location);
        }
        self.attribute_aliases
            .insert(name, AttributeAlias::Attribute(attribute));
        self.forget_known();
        definitions.attributes.push((name, attribute));
        Ok(SpanKind::AttributeAlias)
    }

    /// Resolves the uses of a location's alias that precede its definition.
    fn resolve_forward(&mut self, name: &'s [u8], location: Location) {
        if let Some((forward, _)) = self.forward_locations.remove(name) {
            self.context.define_location(forward, location);
            for same in self.same_locations.remove(name).into_iter().flatten() {
                self.context.define_location(same, location);
            }
        }
    }

    /// `!name = type`.
    fn type_definition(&mut self, definitions: &mut Definitions<'s>) -> Result<()> {
        let (token, name) = self.alias_name()?;
        if self.type_aliases.contains_key(name) {
            let name = String::from_utf8_lossy(name);
            return Err(AsmError::new(
                token.start,
                format!("redefinition of type alias id '{name}'"),
            ));
        }
        if self.at_keyword(b"type") && self.has(Construct::TypeKeyword) {
            self.advance();
        }
        let ty = self.ty()?;
        self.type_aliases.insert(name, ty);
        self.forget_known();
        definitions.types.push((name, ty));
        Ok(())
    }

    /// Records the base names of the aliases.
    fn keep_stems(&mut self, definitions: &Definitions<'s>, provenance: &mut Provenance) {
        for &(name, attribute) in &definitions.attributes {
            let stem = stem(self.context, name, |n| {
                self.attribute_aliases.contains_key(n)
            });
            provenance
                .attribute_alias_names
                .entry(attribute)
                .or_insert(stem);
        }
        for &(name, ty) in &definitions.types {
            let stem = stem(self.context, name, |n| self.type_aliases.contains_key(n));
            provenance.type_alias_names.entry(ty).or_insert(stem);
        }
    }
}

/// Returns the base name of an alias: `map` for `map1`, and `x86_64` for `x86_64_1`, if the base
/// name is defined too, because a printer adds numbers from the second alias of a base name on.
fn stem(context: &mut Context, name: &[u8], defined: impl Fn(&[u8]) -> bool) -> Identifier {
    let digits = name.iter().rev().take_while(|b| b.is_ascii_digit()).count();
    let base = name
        .get(..name.len().saturating_sub(digits))
        .unwrap_or(name);
    let numbered = digits > 0 && !base.is_empty();
    let found = match base.strip_suffix(b"_") {
        Some(inner)
            if numbered && inner.last().is_some_and(u8::is_ascii_digit) && defined(inner) =>
        {
            inner
        }
        _ if numbered && defined(base) => base,
        _ => name,
    };
    context.identifier(found)
}
