//! Parses operations in custom form: the parser as hooks see it.

use super::Parser;
use super::body::is_integer_type;
use super::format::{FormatParser, FormatState};
use super::operation::{OpenOperation, Operations, ResultName, type_text};
use super::scope::ValueName;
use crate::diagnostic::Result;
use crate::edition::Edition;
use crate::formats::Syntax;
use crate::lexer::{Token, TokenKind};
use rmlir_ir::Written;
use rmlir_ir::affine::{AffineExpr, AffineMap};
use rmlir_ir::apint::ApInt;
use rmlir_ir::asm::{
    AffineOperands, AsmError, AsmParser, AsmResult, MadeOperation, OperandName, ParseStep,
    ParsedOperation, Place, RegionArgument,
};
use rmlir_ir::definition::DialectDefinition;
use rmlir_ir::{
    Attribute, AttributeKind, Block, Context, DialectBody, Identifier, Location, Module,
    NamedAttribute, Operation, OperationName, OperationState, OperationTraits, Region, Type, Value,
};
use std::rc::Rc;
use std::sync::Arc;

/// The syntax of an operation and its parts parsed so far.
pub(super) struct Custom {
    pub(super) syntax: Syntax,
    parsed: ParsedOperation,
    /// The state of parsing a format, if the syntax is one.
    state: FormatState,
}

impl Custom {
    /// Returns whether the arguments of regions can have the names of values around them.
    pub(super) fn shadows_names(&self) -> bool {
        matches!(&self.syntax, Syntax::Hook(hook) if hook.shadows_names())
    }

    /// Resets the parsed content but keeps the memory of the lists.
    fn reset(&mut self, syntax: Syntax) {
        self.syntax = syntax;
        let parsed = &mut self.parsed;
        parsed.operands.clear();
        parsed.result_types.clear();
        parsed.properties.clear();
        parsed.attributes.clear();
        parsed.successors.clear();
        parsed.regions.clear();
        parsed.region_order.clear();
        parsed.location = None;
        parsed.state = None;
        parsed.empty_regions = 0;
        parsed.regions_inside = 0;
    }
}

impl<'s> Parser<'s, '_> {
    /// Returns the operation name at the current token, with the default dialect's prefix added if
    /// it is omitted.
    pub(super) fn custom_name(&mut self, ops: &Operations<'s>) -> Result<OperationName> {
        let default = ops.default_dialect();
        if let Some(known) = self.known_custom_name(default) {
            return Ok(known);
        }
        if is_integer_type(self.current()) {
            return Err(self.unexpected("operation name in quotes"));
        }
        let token = self.advance();
        let text = self.text(token);
        if self.edition != Edition::Current
            && !self.is_of_dialect(default, text)
            && let Some(name) = self.older_name(token, text)?
        {
            // Elsewhere the name can be that of a dialect's own operation.
            if default.is_some() {
                self.remember_custom_name(token, name, default);
            }
            return Ok(name);
        }
        let (name, default) = if text.contains(&b'.') {
            let known = self.context.find_operation_name(text);
            let name = known.ok_or_else(|| self.unknown_operation(token, None))?;
            (name, None)
        } else {
            let full = self.full_name(default, text);
            let known = self.context.find_operation_name(&full);
            let name = known.ok_or_else(|| self.unknown_operation(token, Some(&full)))?;
            (name, default)
        };
        self.remember_custom_name(token, name, default);
        Ok(name)
    }

    #[cold]
    fn unknown_operation(&mut self, token: Token, tried: Option<&[u8]>) -> AsmError {
        let text = self.text(token);
        self.hint_operation(text);
        self.failed(tried.unwrap_or(text), token.start);
        unknown(self.context, token.start, text, tried)
    }

    /// Returns a name with the prefix of the dialect that may be left out.
    pub(super) fn full_name(&self, default: Option<Identifier>, name: &[u8]) -> Vec<u8> {
        let default = default.map_or(&[][..], |default| self.context.bytes(default));
        [default, b".", name].concat()
    }

    /// Starts an operation in custom form, after its name.
    pub(super) fn start_custom(
        &mut self,
        ops: &mut Operations<'s>,
        mut operation: Box<OpenOperation<'s>>,
    ) -> Result<()> {
        let is_new = !self.syntaxes.knows(operation.name);
        if is_new {
            self.intern_attribute_names(operation.name);
        }
        let syntax = match self.syntaxes.get(self.context, operation.name) {
            Ok(syntax) => syntax,
            Err(reason) => {
                self.operation_failed(&operation);
                return Err(self.no_syntax(&operation, &reason));
            }
        };
        if is_new {
            self.syntaxes
                .intern_default_dialect(self.context, operation.name);
        }
        operation.custom = Some(match ops.spare_custom.pop() {
            Some(mut custom) => {
                custom.reset(syntax);
                custom
            }
            None => Box::new(Custom {
                syntax,
                parsed: ParsedOperation::default(),
                state: FormatState::default(),
            }),
        });
        self.step_custom(ops, operation)
    }

    /// Interns the names of an operation's attributes, so that its plan has them.
    #[cold]
    fn intern_attribute_names(&mut self, name: OperationName) {
        let release = self.context.release();
        let Some(definition) = self.context.operation_definition(name).cloned() else {
            return;
        };
        for attribute in definition.attributes_in(release) {
            self.context.identifier(attribute.name.as_bytes());
        }
        for property in definition.properties_in(release) {
            self.context.identifier(property.name.as_bytes());
        }
    }

    #[cold]
    fn no_syntax(&self, operation: &OpenOperation<'s>, reason: &str) -> AsmError {
        let name = self.context.operation_name_bytes(operation.name);
        let release = self.context.release();
        let dialect = self.context.operation_dialect(operation.name);
        let dialect = self.context.dialect(self.context.bytes(dialect));
        let is_covered = |dialect: &Arc<DialectDefinition>| release.covers(dialect.family);
        // The release says nothing about dialects of other projects.
        let of = match dialect.as_ref().is_some_and(is_covered) {
            true => format!(" in {release}"),
            false => String::new(),
        };
        let mut message = format!(
            "the custom syntax of '{}'{of} is not known, only its generic form",
            name.escape_ascii()
        );
        if !reason.is_empty() {
            message.push_str(": ");
            message.push_str(reason);
        }
        let project = dialect.map_or("", |dialect| dialect.family.project());
        let of = match project {
            "" => String::new(),
            project => format!("the dialect belongs to {project}; "),
        };
        AsmError::new(operation.place, message).note(
            operation.place,
            format!(
                "{of}print the text in generic form (--mlir-print-op-generic), give bytecode, or give a definition with the syntax (--dialect FILE)"
            ),
        )
    }

    /// Records that the custom syntax of an operation has an error.
    #[cold]
    fn operation_failed(&mut self, operation: &OpenOperation<'s>) {
        if self.failed.is_none() {
            let name = self.context.operation_name_bytes(operation.name).to_vec();
            self.failed(&name, operation.place);
        }
    }

    /// Calls the operation's hook, for the first time or after a region.
    pub(super) fn step_custom(
        &mut self,
        ops: &mut Operations<'s>,
        mut operation: Box<OpenOperation<'s>>,
    ) -> Result<()> {
        let Some(mut custom) = operation.custom.take() else {
            return Ok(());
        };
        let regions = operation.regions.len();
        let step = match &custom.syntax {
            Syntax::Hook(hook) => {
                let mut parser = HookParser {
                    parser: self,
                    ops,
                    results: operation.result_names_in_text(),
                    region: operation.regions.last().copied(),
                    region_place: operation.region_place,
                    place: operation.place,
                    name: operation.name,
                };
                let step = hook.parse(&mut parser, &mut custom.parsed, regions);
                step.map_err(|error| self.of_operation(error, operation.name))
            }
            Syntax::Format(plan) => {
                let plan = Rc::clone(plan);
                let mut parser = FormatParser {
                    parser: self,
                    ops,
                    plan: &plan,
                    state: &mut custom.state,
                    operation: &mut custom.parsed,
                    place: operation.place,
                    name: operation.name,
                    results: operation.result_names_in_text(),
                    regions: &operation.regions,
                };
                parser.run(regions)
            }
        };
        let step = match step {
            Ok(step) => step,
            Err(error) => {
                self.operation_failed(&operation);
                return Err(error);
            }
        };
        match step {
            ParseStep::Region(mut arguments) => {
                operation.custom = Some(custom);
                self.open_region(ops, operation, &arguments)?;
                if arguments.capacity() > 0 {
                    arguments.clear();
                    ops.arguments = arguments;
                }
                Ok(())
            }
            ParseStep::Operation => {
                operation.custom = Some(custom);
                self.open_line(ops, operation)
            }
            ParseStep::Done => self.finish_custom(ops, operation, custom),
        }
    }

    fn finish_custom(
        &mut self,
        ops: &mut Operations<'s>,
        mut operation: Box<OpenOperation<'s>>,
        custom: Box<Custom>,
    ) -> Result<()> {
        let parsed = &custom.parsed;
        let written = custom.syntax.written();
        let (attributes, properties) = match &mut self.normalizer {
            Some(normalizer) => {
                let made = normalizer.normalize_lists(
                    self.context,
                    (operation.name, written),
                    &parsed.attributes,
                    &parsed.properties,
                );
                made.map_err(|error| {
                    let place = match written {
                        Written::ByFormat => custom.state.dictionary_place(),
                        Written::ByCode => None,
                    };
                    let error = AsmError::new(place.unwrap_or(operation.place), error.message());
                    self.of_operation(error, operation.name)
                })?
            }
            None => {
                let attributes = self.dictionary(&parsed.attributes)?;
                (attributes, self.dictionary(&parsed.properties)?)
            }
        };

        let own = operation.regions.len();
        let own = own.saturating_sub(parsed.regions_inside);
        operation.regions.truncate(own);
        let mut is_ordered = parsed.region_order.is_empty();
        for stage in 0..2 {
            if stage > 0 {
                operation.regions.extend(&parsed.regions);
                let empty = (0..parsed.empty_regions).map(|_| ops.module.create_region());
                operation.regions.extend(empty);
            }
            // The order is that of the parsed regions, or of all.
            if !is_ordered && parsed.region_order.len() == operation.regions.len() {
                is_ordered = true;
                let order = parsed.region_order.iter().copied();
                let mut pairs: Vec<_> = order.zip(operation.regions.drain(..)).collect();
                pairs.sort_unstable_by_key(|pair| pair.0);
                let regions = pairs.into_iter().map(|pair| pair.1);
                operation.regions.extend(regions);
            }
        }
        let location = match (parsed.location, self.trailing_location()?) {
            (_, Some(location)) | (Some(location), None) => location,
            (None, None) => self.operation_location(&operation),
        };
        // Their types can be those of an alias.
        self.spend(operation.place, parsed.result_types.len())?;
        let state = OperationState {
            name: operation.name,
            location,
            operands: &parsed.operands,
            result_types: &parsed.result_types,
            attributes,
            properties,
            successors: &parsed.successors,
            regions: &operation.regions,
        };
        let new = ops.module.create_operation(&state);
        self.place_operation(ops, new, &operation)?;
        ops.spare_custom.push(custom);
        ops.recycle(operation);
        Ok(())
    }

    /// Returns an error with the name of the operation whose custom syntax finds it.
    #[cold]
    pub(super) fn of_operation(&self, error: AsmError, name: OperationName) -> AsmError {
        // The parser found bytes that are not a token where it expected something else.
        if let TokenKind::Error(found) = self.token.kind
            && [self.token.start, self.unexpected_place()].contains(&error.place())
        {
            return self.error(found.message()).plain();
        }
        let name = self.context.operation_name_bytes(name);
        error.of_operation(&name.escape_ascii().to_string())
    }

    fn dictionary(&mut self, entries: &[NamedAttribute]) -> Result<Option<Attribute>> {
        if entries.is_empty() {
            return Ok(None);
        }
        let place = self.token.start;
        let new = self.context.dictionary_attribute(entries);
        new.map(Some).map_err(|e| AsmError::new(place, e.message()))
    }

    /// Returns a name that a hook holds, as the parser knows it.
    pub(super) fn value_of(&self, name: OperandName) -> ValueName<'s> {
        let end = name.place.saturating_add(name.len);
        let text = self.source.get(name.place..end).unwrap_or_default();
        ValueName {
            name: text,
            number: name.number,
            place: name.place,
        }
    }
}

#[cold]
fn unknown(context: &Context, place: Place, name: &[u8], tried: Option<&[u8]>) -> AsmError {
    let meant = context.suggest_operation(tried.unwrap_or(name));
    let meant = meant.map(|meant| format!("; did you mean '{meant}'?"));
    let tried = tried
        .map(|t| format!(" (tried '{}' as well)", t.escape_ascii()))
        .unwrap_or_default();
    let message = format!(
        "custom op '{}' is unknown{tried}{}",
        name.escape_ascii(),
        meant.unwrap_or_default()
    );
    AsmError::new(place, message)
}

/// Converts the error of syntax that operations share with the rest of the text; see
/// [`AsmError::plain`].
fn plain<T>(result: AsmResult<T>) -> AsmResult<T> {
    result.map_err(AsmError::plain)
}

/// The parser as it is passed to a hook.
pub(super) struct HookParser<'p, 's, 'c> {
    pub(super) parser: &'p mut Parser<'s, 'c>,
    pub(super) ops: &'p mut Operations<'s>,
    /// The names of the operation's results.
    pub(super) results: &'p [ResultName<'s>],
    /// The region parsed last, and its offset.
    pub(super) region: Option<Region>,
    pub(super) region_place: Place,
    /// Where the operation's name is.
    pub(super) place: Place,
    pub(super) name: OperationName,
}

impl HookParser<'_, '_, '_> {
    /// Appends an operation that the text does not show to a block.
    fn append(
        &mut self,
        block: Block,
        location: Location,
        new: &MadeOperation<'_>,
    ) -> AsmResult<Operation> {
        let bytes = new.name.as_bytes();
        let Some(name) = self.parser.context.find_operation_name(bytes) else {
            let context = &*self.parser.context;
            return Err(unknown(context, self.place, bytes, None));
        };
        let properties = self.parser.dictionary(new.properties)?;
        let (attributes, properties) = self
            .parser
            .normal_form(self.place, name, None, properties)?;
        let state = OperationState {
            name,
            location,
            operands: new.operands,
            result_types: new.result_types,
            attributes,
            properties,
            successors: &[],
            regions: new.regions,
        };
        let module = &mut self.ops.module;
        let new = module.create_operation(&state);
        module.append_operation(block, new);
        Ok(new)
    }
}

impl AsmParser for HookParser<'_, '_, '_> {
    fn context(&mut self) -> &mut Context {
        self.parser.context
    }

    fn name(&mut self, name: &'static str) -> Identifier {
        self.parser.name(name)
    }

    fn constant(
        &mut self,
        key: &'static str,
        make: &dyn Fn(&mut Context) -> Option<Attribute>,
    ) -> Option<Attribute> {
        let parser = &mut *self.parser;
        parser.statics.attribute(parser.context, key, make)
    }

    fn type_of_types(
        &mut self,
        key: &'static str,
        types: &[Type],
        make: &dyn Fn(&mut Context, &[Type]) -> Option<Type>,
    ) -> Option<Type> {
        let parser = &mut *self.parser;
        parser.statics.ty(parser.context, key, types, make)
    }

    fn result_name(&self, number: usize) -> Option<(&[u8], u32)> {
        let mut rest = u32::try_from(number).ok()?;
        for result in self.results {
            match rest.checked_sub(result.count) {
                Some(left) => rest = left,
                None => return Some((result.name.strip_prefix(b"%")?, rest)),
            }
        }
        None
    }

    fn argument_list(&mut self) -> Vec<RegionArgument> {
        std::mem::take(&mut self.ops.arguments)
    }

    fn place(&self) -> Place {
        self.parser.token.start
    }

    fn eat(&mut self, token: &str) -> bool {
        self.parser.eat_token(token)
    }

    fn expect(&mut self, token: &str) -> AsmResult<()> {
        let is_keyword = token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let found = self.parser.expect_token(token);
        if is_keyword { found } else { plain(found) }
    }

    fn at(&self, token: &str) -> bool {
        self.parser.at_token(token)
    }

    fn at_keyword(&self) -> bool {
        self.parser.at(TokenKind::BareIdentifier)
    }

    fn at_operand(&self) -> bool {
        self.parser.at(TokenKind::PercentIdentifier)
    }

    fn symbol_name(&mut self) -> AsmResult<Option<Identifier>> {
        if self.parser.at(TokenKind::AtIdentifier) {
            plain(self.parser.symbol_name()).map(Some)
        } else {
            Ok(None)
        }
    }

    fn attribute(&mut self) -> AsmResult<Attribute> {
        plain(self.parser.attribute())
    }

    fn ty(&mut self) -> AsmResult<Type> {
        plain(self.parser.ty())
    }

    fn attribute_dictionary(&mut self) -> AsmResult<Vec<NamedAttribute>> {
        if !self.parser.at(TokenKind::LeftBrace) {
            return Ok(Vec::new());
        }
        let dictionary = plain(self.parser.attribute())?;
        Ok(self.parser.context.dictionary_entries(dictionary).to_vec())
    }

    fn location(&mut self) -> AsmResult<Option<Location>> {
        plain(self.parser.trailing_location())
    }

    fn operand_name(&mut self) -> AsmResult<OperandName> {
        let name = plain(self.parser.value_name())?;
        Ok(OperandName {
            place: name.place,
            len: name.name.len(),
            number: name.number,
        })
    }

    fn operand_text(&self, name: OperandName) -> &[u8] {
        self.parser.value_of(name).name
    }

    fn resolve(&mut self, name: OperandName, ty: Type) -> AsmResult<Value> {
        let name = self.parser.value_of(name);
        let context = &*self.parser.context;
        let scopes = &mut self.ops.scopes;
        plain(scopes.resolve(&mut self.ops.module, name, ty, |t| type_text(context, t)))
    }

    fn attribute_of_type(&mut self, ty: Type) -> AsmResult<Attribute> {
        plain(self.parser.attribute_of_type(ty))
    }

    fn stripped_attribute(&mut self, mnemonic: &str) -> AsmResult<Attribute> {
        let context = &*self.parser.context;
        let dialect = context.operation_dialect(self.name);
        let dialect = context.str(dialect).into_owned();
        self.stripped_attribute_of(&dialect, mnemonic)
    }

    fn stripped_attribute_of(&mut self, dialect: &str, mnemonic: &str) -> AsmResult<Attribute> {
        let context = &*self.parser.context;
        let Some(dialect) = context.dialect(dialect.as_bytes()) else {
            return Err(AsmError::new(self.place, "the dialect is not known"));
        };
        plain(crate::parser::entries::parse_stripped(
            self.parser,
            &dialect,
            mnemonic,
        ))
    }

    fn bare_type(&mut self, dialect: &str) -> AsmResult<Type> {
        let context = &*self.parser.context;
        let Some(dialect) = context.dialect(dialect.as_bytes()) else {
            return Err(AsmError::new(self.place, "the dialect is not known"));
        };
        plain(crate::parser::entries::parse_bare_type(
            self.parser,
            &dialect,
        ))
    }

    fn attribute_of_word(
        &mut self,
        dialect: &str,
        mnemonic: &str,
        word: &str,
    ) -> AsmResult<Attribute> {
        let text = &mut self.parser.word_text;
        text.clear();
        for part in ["#", dialect, ".", mnemonic, "<", word, ">"] {
            text.extend_from_slice(part.as_bytes());
        }
        if let Some(&known) = self.parser.words.get(text.as_slice()) {
            return Ok(known);
        }
        let text = text.clone();
        let body = [mnemonic, "<", word, ">"].concat();
        let context = &mut *self.parser.context;
        let kind = AttributeKind::Dialect {
            dialect: context.identifier(dialect),
            body: DialectBody::from_text(body.as_bytes()),
            ty: None,
        };
        let new = context
            .try_attribute(kind)
            .map_err(|e| AsmError::new(self.place, e.message()))?;
        self.parser.words.insert(text.into(), new);
        Ok(new)
    }

    fn dimension_list(&mut self) -> AsmResult<Vec<i64>> {
        plain(self.parser.dimension_list())
    }

    fn optional_integer(&mut self) -> AsmResult<Option<i64>> {
        // As upstream, where they are integers of one bit with sign.
        for (word, value) in [("true", -1), ("false", 0)] {
            if self.parser.eat_token(word) {
                return Ok(Some(value));
            }
        }
        let negative = self.parser.at(TokenKind::Minus);
        if !negative && !self.parser.at(TokenKind::Integer) {
            return Ok(None);
        }
        if negative {
            self.parser.advance();
        }
        let token = self.parser.expect(TokenKind::Integer, "integer value")?;
        let value = i128::from(self.parser.unsigned(token, "integer value")?);
        let value = if negative {
            value.saturating_neg()
        } else {
            value
        };
        let value = i64::try_from(value);
        value
            .map(Some)
            .map_err(|_| AsmError::new(token.start, "integer value too large"))
    }

    fn optional_big_integer(&mut self) -> AsmResult<Option<ApInt>> {
        plain(self.parser.optional_big_integer())
    }

    fn elements_of_type(&mut self, ty: Type) -> AsmResult<Attribute> {
        plain(self.parser.elements_of_type(ty))
    }

    fn optional_keyword(&mut self) -> Option<Identifier> {
        if !self.parser.at(TokenKind::BareIdentifier) {
            return None;
        }
        let token = self.parser.advance();
        let text = self.parser.text(token);
        Some(self.parser.context.identifier(text))
    }

    fn optional_string(&mut self) -> Option<Identifier> {
        if !self.parser.at(TokenKind::String) {
            return None;
        }
        let token = self.parser.advance();
        Some(self.parser.string_identifier(token))
    }

    fn affine_expression(&mut self, operands: &mut AffineOperands) -> AsmResult<AffineExpr> {
        plain(self.parser.affine_expr_of(operands))
    }

    fn affine_map(&mut self) -> AsmResult<AffineMap> {
        plain(self.parser.affine_map())
    }

    fn successor(&mut self) -> AsmResult<Block> {
        plain(self.parser.successor(self.ops))
    }

    fn ensure_terminator(&mut self, name: &str) -> AsmResult<()> {
        let Some(region) = self.region else {
            return Ok(());
        };
        if !self.lacks_terminator() {
            return Ok(());
        }
        let location = self.parser.source_location(self.place);
        let new = MadeOperation {
            name,
            location: Some(location),
            ..MadeOperation::default()
        };
        self.make_operation(region, &new).map(|_| ())
    }

    fn ensure_block(&mut self) {
        if let Some(region) = self.region
            && self.ops.module.first_block(region).is_none()
        {
            self.ops.module.append_block(region);
        }
    }

    fn region(&self) -> Option<Region> {
        self.region
    }

    fn lacks_terminator(&self) -> bool {
        let module = &self.ops.module;
        let block = self.region.and_then(|region| module.last_block(region));
        let last = block.and_then(|block| module.last_operation(block));
        let traits = last.and_then(|last| self.parser.context.operation_traits(module.name(last)));
        traits.is_none_or(|traits| !traits.contains(OperationTraits::TERMINATOR))
    }

    fn operation_name(&self) -> OperationName {
        self.name
    }

    fn module(&self) -> &Module {
        &self.ops.module
    }

    fn source_location(&mut self) -> Location {
        self.parser.source_location(self.place)
    }

    fn location_at(&mut self, place: Place) -> Location {
        self.parser.source_location(place)
    }

    fn make_region(&mut self, arguments: &[(Type, Option<Location>)]) -> Region {
        let unknown = self.parser.context.unknown_location();
        let module = &mut self.ops.module;
        let region = module.create_region();
        let block = module.append_block(region);
        for &(ty, location) in arguments {
            module.add_argument(block, ty, location.unwrap_or(unknown));
        }
        region
    }

    fn make_operation(&mut self, region: Region, new: &MadeOperation<'_>) -> AsmResult<Operation> {
        let location = new.location;
        let location = location.unwrap_or_else(|| self.parser.context.unknown_location());
        let module = &mut self.ops.module;
        let block = match module.last_block(region) {
            Some(block) => block,
            None => module.append_block(region),
        };
        self.append(block, location, new)
    }

    fn parameter_of(&mut self, ty: Type) -> Option<Type> {
        super::format::parameter::of(self.parser.context, ty)
    }

    fn region_is_empty(&self) -> bool {
        self.region
            .is_some_and(|region| self.ops.module.first_block(region).is_none())
    }

    fn region_place(&self) -> Place {
        self.region_place
    }
}
