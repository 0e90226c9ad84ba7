//! Operations, regions and blocks: one loop with an explicit stack of open operations.

use super::Parser;
use super::custom::Custom;
use super::older::Passed;
use super::scope::{ScopeStart, Scopes, ValueName};
use crate::diagnostic::Result;
use crate::edition::Edition;
use crate::lexer::{Token, TokenKind, unescape};
use crate::parser::older::Construct;
use crate::spans::SpanKind;
use rmlir_ir::AttributesAndProperties;
use rmlir_ir::asm::AsmError;
use rmlir_ir::asm::RegionArgument;
use rmlir_ir::definition::Family;
use rmlir_ir::{
    Attribute, Block, Context, Identifier, Location, Module, Operation, OperationName,
    OperationState, OperationTraits, Region, Type, Value,
};
use std::collections::HashMap;

/// A name on the left of `=`, with the number of results that it denotes.
pub(super) struct ResultName<'s> {
    /// The name, with its `%`.
    pub(super) name: &'s [u8],
    pub(super) count: u32,
    place: usize,
}

/// The state of an operation while it is parsed.
pub(super) struct OpenOperation<'s> {
    pub(super) name: OperationName,
    /// The offset of the name.
    pub(super) place: usize,
    /// Line and column of that, if it has regions: at their end, the lookup would go far back.
    line_and_column: Option<(u32, u32)>,
    /// The offset of its start: its name, or the names of its results.
    start: usize,
    results: Vec<ResultName<'s>>,
    operands: Vec<ValueName<'s>>,
    successors: Vec<Block>,
    properties: Option<Attribute>,
    pub(super) regions: Vec<Region>,
    /// The offset of the last region.
    pub(super) region_place: usize,
    /// The parsed parts of its custom syntax, if it is in custom form.
    pub(super) custom: Option<Box<Custom>>,
}

impl<'s> OpenOperation<'s> {
    /// Returns the names that the text gives to the results.
    pub(super) fn result_names_in_text(&self) -> &[ResultName<'s>] {
        &self.results
    }

    /// Returns an operation of which only this is known. The lists of `spare` are used again.
    fn new(
        name: OperationName,
        place: usize,
        results: Vec<ResultName<'s>>,
        spare: Option<Box<OpenOperation<'s>>>,
    ) -> Box<Self> {
        let mut operation = spare.unwrap_or_else(|| {
            Box::new(OpenOperation {
                name,
                place,
                line_and_column: None,
                start: place,
                results: Vec::new(),
                operands: Vec::new(),
                successors: Vec::new(),
                properties: None,
                regions: Vec::new(),
                region_place: place,
                custom: None,
            })
        });
        operation.name = name;
        operation.place = place;
        operation.line_and_column = None;
        operation.start = results.first().map_or(place, |first| first.place);
        operation.results = results;
        operation
    }
}

/// A region that is open, and the operation that it belongs to.
struct OpenRegion<'s> {
    operation: Box<OpenOperation<'s>>,
    region: Region,
    block: Option<Block>,
    blocks: HashMap<&'s [u8], NamedBlock>,
    scope: ScopeStart,
    /// The names that it does not see, if it has names of its own.
    hidden: Option<Box<Scopes<'s>>>,
    /// The dialect whose prefix may be omitted.
    default_dialect: Option<Identifier>,
    /// Whether its entry block has its arguments already and must not be named.
    has_arguments: bool,
    /// Whether it has one operation and no `{` and `}`.
    is_line: bool,
}

/// A block of a region by its name.
struct NamedBlock {
    block: Block,
    /// The offset at which it is first named.
    place: usize,
    defined: bool,
}

/// The state of parsing operations.
pub(super) struct Operations<'s> {
    pub(super) module: Module,
    pub(super) scopes: Scopes<'s>,
    stack: Vec<OpenRegion<'s>>,
    top: Block,
    /// The dialect whose prefix may be omitted in it.
    outer_dialect: Option<Identifier>,
    /// Finished operations, whose lists are reused. They move between here and the stack.
    #[allow(clippy::vec_box)]
    spare: Vec<Box<OpenOperation<'s>>>,
    /// The same for the state of custom syntax.
    #[allow(clippy::vec_box)]
    pub(super) spare_custom: Vec<Box<Custom>>,
    /// Reused buffers.
    types: Vec<Type>,
    values: Vec<Value>,
    pub(super) arguments: Vec<RegionArgument>,
}

impl<'s> Operations<'s> {
    /// Creates the state; operations are added to `top`, a block of `module`.
    pub(super) fn new(module: Module, top: Block, dialect: Option<Identifier>) -> Self {
        Operations {
            module,
            scopes: Scopes::default(),
            stack: Vec::new(),
            top,
            outer_dialect: dialect,
            spare: Vec::new(),
            spare_custom: Vec::new(),
            types: Vec::new(),
            values: Vec::new(),
            arguments: Vec::new(),
        }
    }

    /// Keeps the lists of a finished operation for reuse.
    pub(super) fn recycle(&mut self, mut operation: Box<OpenOperation<'s>>) {
        operation.results.clear();
        operation.operands.clear();
        operation.successors.clear();
        operation.regions.clear();
        operation.properties = None;
        operation.custom = None;
        self.spare.push(operation);
    }

    /// Returns the dialect whose prefix may be omitted here.
    #[inline]
    pub(super) fn default_dialect(&self) -> Option<Identifier> {
        match self.stack.last() {
            Some(open) => open.default_dialect,
            None => self.outer_dialect,
        }
    }

    /// Returns the number of open regions.
    pub(super) fn depth(&self) -> usize {
        self.stack.len()
    }

    /// Returns the block that operations are added to; `None` if the open region has none yet.
    pub(super) fn open_block(&self) -> Option<Block> {
        match self.stack.last() {
            Some(open) => open.block,
            None => Some(self.top),
        }
    }

    /// Returns the block that the open region has without a label, if it is empty: a label without
    /// `^` looks like an operation, for which the block was created.
    pub(super) fn implied_block(&self) -> Option<Block> {
        let open = self.stack.last()?;
        let is_free = open.blocks.is_empty() && !open.has_arguments;
        open.block
            .filter(|&block| is_free && self.module.first_operation(block).is_none())
    }

    /// Returns whether the open region has one operation and is complete.
    fn is_line_complete(&self) -> bool {
        self.stack.last().is_some_and(|open| {
            let has_operation = |block| self.module.first_operation(block).is_some();
            open.is_line && open.block.is_some_and(has_operation)
        })
    }

    /// After an error: leaves the regions of one operation, which have no end to look for.
    fn leave_lines(&mut self) {
        while self.stack.last().is_some_and(|open| open.is_line) {
            if let Some(open) = self.stack.pop() {
                self.scopes.leave(open.scope);
            }
        }
    }

    /// Returns whether no region is open.
    pub(super) fn is_at_top_level(&self) -> bool {
        self.stack.is_empty()
    }

    /// After an error: operations can follow even if the label of their block could not be parsed.
    pub(super) fn settle(&mut self) {
        if let Some(open) = self.stack.last_mut()
            && open.block.is_none()
        {
            open.block = Some(self.module.append_block(open.region));
        }
    }
}

impl<'s> Parser<'s, '_> {
    /// Parses one operation of the file, with all its content. Linear in its text.
    pub(super) fn top_level_operation(&mut self, ops: &mut Operations<'s>) -> Result<()> {
        self.recovery.start = self.token.start;
        self.operation(ops)?;
        while !ops.stack.is_empty() {
            if self.token.start >= self.next_part {
                self.take_part(ops);
                continue;
            }
            self.recovery.start = self.token.start;
            let parsed = match self.token.kind {
                _ if ops.is_line_complete() => self.leave_region(ops),
                TokenKind::RightBrace => self.close_region(ops),
                TokenKind::CaretIdentifier => self.block_label(ops),
                _ => self.operation(ops),
            };
            if let Err(error) = parsed {
                ops.leave_lines();
                if ops.stack.is_empty() {
                    return Err(error);
                }
                self.recover(ops, error)?;
                if self.at(TokenKind::Eof) {
                    // The operations still open at the end may have been opened by the error.
                    ops.stack.clear();
                }
            }
        }
        Ok(())
    }

    /// Parses an operation at the current token, up to its end or to the inside of its first
    /// region.
    fn operation(&mut self, ops: &mut Operations<'s>) -> Result<()> {
        self.progress.at(self.token.start as u64);
        let mut spare = ops.spare.pop();
        let mut results = spare
            .as_mut()
            .map_or(Vec::new(), |s| std::mem::take(&mut s.results));
        if self.at(TokenKind::PercentIdentifier) {
            self.result_names(&mut results)?;
        }
        let place = self.token.start;
        if self.at(TokenKind::BareIdentifier) {
            let name = match self.custom_name(ops) {
                Ok(name) => name,
                Err(error) if results.is_empty() => return self.bare_label(ops, place, error),
                Err(error) => return Err(error),
            };
            let operation = OpenOperation::new(name, place, results, spare);
            return self.start_custom(ops, operation);
        }
        if !self.at(TokenKind::String) {
            return Err(self.unexpected("operation name in quotes"));
        }
        let name = self.quoted_name()?;
        let mut operation = OpenOperation::new(name, place, results, spare);
        self.expect(TokenKind::LeftParen, "'(' to start operand list")?;
        if !self.eat(TokenKind::RightParen) {
            loop {
                let operand = self.value_name()?;
                operation.operands.push(operand);
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightParen, "')' to end operand list")?;
        }
        if self.eat(TokenKind::LeftSquare) {
            let passed = self.successors(ops, &mut operation)?;
            if let Some(passed) = passed {
                return self.finish_with_passed(ops, operation, &passed);
            }
        }
        if self.eat(TokenKind::Less) {
            operation.properties = Some(self.attribute()?);
            self.expect(TokenKind::Greater, "'>' to close properties")?;
        }
        if self.eat(TokenKind::LeftParen) {
            return self.open_region(ops, operation, &[]);
        }
        self.finish_generic(ops, operation)
    }

    /// Parses the operation name in quotes that is the current token.
    #[inline]
    fn quoted_name(&mut self) -> Result<OperationName> {
        if let Some(known) = self.known_operation_name() {
            return Ok(known);
        }
        let token = self.advance();
        let name = unescape(self.text(token));
        OperationName::check(&name).map_err(|e| AsmError::new(token.start, e.message()))?;
        let older = match self.edition {
            Edition::Current => None,
            _ => self.older_name(token, &name)?,
        };
        let name = match older {
            Some(name) => name,
            None => self.context.operation_name(name),
        };
        self.remember_operation_name(token, name);
        Ok(name)
    }

    /// `%a, %b:2 =`.
    fn result_names(&mut self, results: &mut Vec<ResultName<'s>>) -> Result<()> {
        loop {
            let token = self.expect(TokenKind::PercentIdentifier, "valid ssa identifier")?;
            let mut count = 1;
            if self.eat(TokenKind::Colon) {
                if !self.at(TokenKind::Integer) {
                    return Err(self.unexpected("integer number of results"));
                }
                let number = self.advance();
                count = u32::try_from(self.unsigned(number, "number of results")?).unwrap_or(0);
                if count == 0 {
                    return Err(AsmError::new(
                        number.start,
                        "expected named operation to have at least 1 result",
                    ));
                }
            }
            results.push(ResultName {
                name: self.text(token),
                count,
                place: token.start,
            });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Equal, "'=' after SSA name")?;
        Ok(())
    }

    /// `%name` or `%name#number`.
    #[inline]
    pub(super) fn value_name(&mut self) -> Result<ValueName<'s>> {
        let token = self.expect(TokenKind::PercentIdentifier, "SSA operand")?;
        let mut number = 0;
        if self.at(TokenKind::HashIdentifier) {
            let digits = self.current().get(1..).unwrap_or_default();
            number = std::str::from_utf8(digits)
                .ok()
                .and_then(|d| d.parse().ok())
                .ok_or_else(|| self.error("invalid SSA value result number"))?;
            self.advance();
        }
        Ok(ValueName {
            name: self.text(token),
            number,
            place: token.start,
        })
    }

    /// `^bb1, ^bb2]`. Returns the operands of the successors, which older editions have here.
    fn successors(
        &mut self,
        ops: &mut Operations<'s>,
        operation: &mut OpenOperation<'s>,
    ) -> Result<Option<Passed>> {
        let mut passed = None;
        loop {
            let block = self.successor(ops)?;
            operation.successors.push(block);
            if self.at(TokenKind::RightSquare) {
                break;
            }
            if self.at(TokenKind::LeftParen) && self.has(Construct::SuccessorOperands) {
                let number = operation.successors.len().saturating_sub(1);
                self.passed(ops, number, passed.get_or_insert_default())?;
            }
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightSquare, "']' to end successor list")?;
        Ok(passed)
    }

    /// `^name`, the block of that name in the region that is open.
    pub(super) fn successor(&mut self, ops: &mut Operations<'s>) -> Result<Block> {
        let kind = self.token.kind;
        let token = match kind {
            TokenKind::CaretIdentifier => self.advance(),
            TokenKind::BareIdentifier if self.has(Construct::BareLabel) => self.advance(),
            _ => return Err(self.unexpected("block name")),
        };
        let name = self.text(token);
        let module = &mut ops.module;
        let Some(region) = ops.stack.last_mut() else {
            return Err(AsmError::new(
                token.start,
                "an operation outside of a region has no successors",
            ));
        };
        let named = region.blocks.entry(name).or_insert_with(|| NamedBlock {
            block: module.create_block(),
            place: token.start,
            defined: false,
        });
        Ok(named.block)
    }

    /// Returns whether the custom syntax of an operation with isolated regions lets these reuse the
    /// names of the values around it. That of LLVM's dialects does not.
    fn isolates_names(&self, name: OperationName) -> bool {
        let name = self.context.operation_name_bytes(name);
        let dialect = name.split(|&byte| byte == b'.').next().unwrap_or(name);
        let dialect = self.context.dialect(dialect);
        dialect.is_some_and(|dialect| !matches!(dialect.family, Family::Llvm | Family::Own))
    }

    /// Opens the region whose `{` is the current token. `arguments` are those of its entry block,
    /// as custom syntax declares them before the region.
    pub(super) fn open_region(
        &mut self,
        ops: &mut Operations<'s>,
        mut operation: Box<OpenOperation<'s>>,
        arguments: &[RegionArgument],
    ) -> Result<()> {
        operation.region_place = self.token.start;
        self.expect(TokenKind::LeftBrace, "'{' to begin a region")?;
        if operation.line_and_column.is_none() {
            operation.line_and_column = Some(self.line_and_column(operation.place));
        }
        let region = ops.module.create_region();
        let custom = operation.custom.as_deref();
        let default_dialect = match custom {
            Some(_) => self.syntaxes.default_dialect(operation.name),
            None => ops.default_dialect(),
        };
        // Syntax that prints nothing of a single-block region's block implies that the block
        // exists.
        let traits = self
            .context
            .operation_traits(operation.name)
            .unwrap_or_default();
        let has_own_names = custom.is_some()
            && traits.contains(OperationTraits::ISOLATED_FROM_ABOVE)
            && !ops.scopes.is_empty()
            && (self.isolates_names(operation.name) || custom.is_some_and(Custom::shadows_names));
        let hidden = match has_own_names {
            true => ops.scopes.hide(),
            false => None,
        };
        let scope = ops.scopes.enter();
        let implied = custom.is_some() && traits.contains(OperationTraits::SINGLE_BLOCK);
        let has_arguments = !arguments.is_empty();
        let unlabeled = !matches!(
            self.token.kind,
            TokenKind::CaretIdentifier | TokenKind::RightBrace
        );
        let labeled = self.at(TokenKind::CaretIdentifier);
        let block = (unlabeled || has_arguments || (implied && !labeled))
            .then(|| ops.module.append_block(region));
        if let Some(block) = block {
            for argument in arguments {
                let behind = argument.name.place.saturating_add(argument.name.len);
                if self.source.get(behind) == Some(&b'#') {
                    let message = "result number not allowed in argument list";
                    return Err(AsmError::new(behind, message));
                }
                let name = self.value_of(argument.name);
                if let Some(used) = ops.scopes.used_before(name.name) {
                    let message = format!(
                        "region entry argument '{}' is already in use",
                        String::from_utf8_lossy(name.name)
                    );
                    let error = AsmError::new(name.place, message);
                    return Err(error.note(used, "previously referenced here"));
                }
                let location = argument
                    .location
                    .unwrap_or_else(|| self.source_location(name.place));
                let value = ops.module.add_argument(block, argument.ty, location);
                self.define_value(ops, name.name, name.place, value, 1)?;
            }
        }
        let blocks = HashMap::new();
        ops.stack.push(OpenRegion {
            operation,
            region,
            block,
            blocks,
            scope,
            hidden,
            default_dialect,
            has_arguments,
            is_line: false,
        });
        self.read_ahead(ops);
        Ok(())
    }

    /// Opens a region for the one operation that the current token starts.
    pub(super) fn open_line(
        &mut self,
        ops: &mut Operations<'s>,
        mut operation: Box<OpenOperation<'s>>,
    ) -> Result<()> {
        operation.region_place = self.token.start;
        if !self.at(TokenKind::String) {
            return Err(self.unexpected("operation name in quotes"));
        }
        let region = ops.module.create_region();
        let block = Some(ops.module.append_block(region));
        ops.stack.push(OpenRegion {
            operation,
            region,
            block,
            blocks: HashMap::new(),
            scope: ops.scopes.enter(),
            hidden: None,
            default_dialect: None,
            has_arguments: true,
            is_line: true,
        });
        Ok(())
    }

    /// Parses `}`: the end of a region, and of its operation if it is the last one.
    fn close_region(&mut self, ops: &mut Operations<'s>) -> Result<()> {
        self.advance();
        self.leave_region(ops)
    }

    /// Completes the region on top of the stack.
    fn leave_region(&mut self, ops: &mut Operations<'s>) -> Result<()> {
        let Some(mut open) = ops.stack.pop() else {
            return Ok(());
        };
        ops.scopes.leave(open.scope);
        ops.scopes.show(open.hidden.take());
        let mut undefined: Vec<(usize, &[u8])> = open
            .blocks
            .iter()
            .filter(|(_, b)| !b.defined)
            .map(|(name, b)| (b.place, *name))
            .collect();
        undefined.sort_unstable();
        for (place, name) in undefined {
            let message = format!(
                "reference to an undefined block '{}'",
                String::from_utf8_lossy(name)
            );
            let follows = self.is_passed_over(name);
            self.report(AsmError::new(place, message).following(follows))?;
        }
        self.recovery.start = open.operation.start;
        open.operation.regions.push(open.region);
        if open.operation.custom.is_some() {
            return self.step_custom(ops, open.operation);
        }
        if self.eat(TokenKind::Comma) {
            return self.open_region(ops, open.operation, &[]);
        }
        self.expect(TokenKind::RightParen, "')' to end region list")?;
        self.finish_generic(ops, open.operation)
    }

    /// `^name(%a: type, ...):`.
    fn block_label(&mut self, ops: &mut Operations<'s>) -> Result<()> {
        let token = self.advance();
        self.label(ops, token, None)
    }

    /// Parses a label after its name. `implied` is its block, if that is in the region already.
    pub(super) fn label(
        &mut self,
        ops: &mut Operations<'s>,
        token: Token,
        implied: Option<Block>,
    ) -> Result<()> {
        let name = self.text(token);
        let Some(open) = ops.stack.last_mut() else {
            return Err(self.unexpected("operation"));
        };
        if open.has_arguments
            && open.blocks.is_empty()
            && open
                .block
                .is_some_and(|b| ops.module.first_operation(b).is_none())
        {
            return Err(AsmError::new(
                token.start,
                "invalid block name in region with named arguments",
            ));
        }
        let module = &mut ops.module;
        let named = open.blocks.entry(name).or_insert_with(|| NamedBlock {
            block: implied.unwrap_or_else(|| module.create_block()),
            place: token.start,
            defined: false,
        });
        if std::mem::replace(&mut named.defined, true) {
            let name = String::from_utf8_lossy(name);
            return Err(AsmError::new(
                token.start,
                format!("redefinition of block '{name}'"),
            ));
        }
        let block = named.block;
        if implied.is_none() {
            module.insert_block_at_end(open.region, block);
        }
        open.block = Some(block);
        if self.keep_names {
            let name = self
                .context
                .identifier(name.strip_prefix(b"^").unwrap_or(name));
            ops.module.provenance.block_names.insert(block, name);
        }
        if self.eat(TokenKind::LeftParen) && !self.eat(TokenKind::RightParen) {
            loop {
                self.block_argument(ops, block)?;
                if !self.eat(TokenKind::Comma) {
                    break;
                }
            }
            self.expect(TokenKind::RightParen, "')' to end argument list")?;
        }
        self.expect(TokenKind::Colon, "':' after block name")?;
        Ok(())
    }

    fn block_argument(&mut self, ops: &mut Operations<'s>, block: Block) -> Result<()> {
        let token = self.expect(TokenKind::PercentIdentifier, "SSA operand")?;
        self.expect(TokenKind::Colon, "':' and type for SSA operand")?;
        let ty = self.ty()?;
        let location = match self.trailing_location()? {
            Some(location) => location,
            None => self.source_location(token.start),
        };
        let value = ops.module.add_argument(block, ty, location);
        self.define_value(ops, self.text(token), token.start, value, 1)
    }

    /// Parses what follows operands, properties and regions: attributes, types, location.
    pub(super) fn finish_generic(
        &mut self,
        ops: &mut Operations<'s>,
        operation: Box<OpenOperation<'s>>,
    ) -> Result<()> {
        let attributes = if self.at(TokenKind::LeftBrace) {
            Some(self.attribute()?)
        } else {
            None
        };
        self.expect(TokenKind::Colon, "':' followed by operation type")?;
        let place = self.token.start;
        // The function type is decomposed at once instead of being interned.
        let mut types = std::mem::take(&mut ops.types);
        types.clear();
        let known = self.known_signature(&mut types);
        // The numbers of operands and results of a type that is an alias.
        let mut aliased = None;
        let inputs = match known {
            Some(inputs) => inputs,
            None => {
                aliased = self.operand_types(&mut types)?;
                aliased.map_or(types.len(), |(inputs, _)| inputs)
            }
        };
        if inputs != operation.operands.len() {
            let s = if operation.operands.len() == 1 {
                ""
            } else {
                "s"
            };
            return Err(AsmError::new(
                place,
                format!(
                    "expected {} operand type{s} but had {}",
                    operation.operands.len(),
                    inputs
                ),
            ));
        }
        let mut values = std::mem::take(&mut ops.values);
        values.clear();
        for (&operand, &ty) in operation.operands.iter().zip(&types) {
            let context = &*self.context;
            let value = ops
                .scopes
                .resolve(&mut ops.module, operand, ty, |t| type_text(context, t))?;
            values.push(value);
        }
        if let Some((_, results)) = aliased {
            self.spend(place, results)?;
        } else if known.is_none() {
            self.result_types(&mut types)?;
        }
        let (inputs, results) = types.split_at_checked(inputs).unwrap_or_default();
        if known.is_none() && aliased.is_none() {
            self.remember_signature(place, inputs, results);
        }
        let location = match self.trailing_location()? {
            Some(location) => location,
            None => self.operation_location(&operation),
        };
        let attributes = attributes.filter(|&a| a != self.context.empty_dictionary());
        let (attributes, properties) = self.normal_form(
            operation.place,
            operation.name,
            attributes,
            operation.properties,
        )?;
        let state = OperationState {
            name: operation.name,
            location,
            operands: &values,
            result_types: results,
            attributes,
            properties,
            successors: &operation.successors,
            regions: &operation.regions,
        };
        let new = ops.module.create_operation(&state);
        ops.types = types;
        ops.values = values;
        self.place_operation(ops, new, &operation)?;
        ops.recycle(operation);
        Ok(())
    }

    /// Inserts a new operation and binds the names of its results.
    pub(super) fn place_operation(
        &mut self,
        ops: &mut Operations<'s>,
        new: Operation,
        operation: &OpenOperation<'s>,
    ) -> Result<()> {
        let block = match ops.stack.last() {
            Some(open) => open.block,
            None => Some(ops.top),
        };
        match block {
            Some(block) => ops.module.append_operation(block, new),
            None => {
                return Err(AsmError::new(
                    operation.place,
                    "expected a block label before the operation",
                ));
            }
        }
        self.note(SpanKind::Operation(new), operation.start);
        self.define_results(ops, new, operation)
    }

    /// Returns attributes and properties of an operation in the form that its definition requires.
    pub(super) fn normal_form(
        &mut self,
        place: usize,
        name: OperationName,
        attributes: Option<Attribute>,
        properties: Option<Attribute>,
    ) -> Result<AttributesAndProperties> {
        match &mut self.normalizer {
            Some(normalizer) => normalizer
                .normalize(self.context, name, attributes, properties)
                .map_err(|error| AsmError::new(place, error.message())),
            None => Ok((attributes, properties)),
        }
    }

    /// Parses `(types)`.
    ///
    /// An alias denotes the results as well; the return value is then the number of operands and
    /// results.
    pub(super) fn operand_types(
        &mut self,
        types: &mut Vec<Type>,
    ) -> Result<Option<(usize, usize)>> {
        if self.at(TokenKind::ExclamationIdentifier) {
            let place = self.token.start;
            let ty = self.ty()?;
            let rmlir_ir::TypeKind::Function { inputs, results } = self.context.type_kind(ty)
            else {
                if self.at(TokenKind::Arrow) && self.has(Construct::OperandTypeAlone) {
                    types.push(ty);
                    return Ok(None);
                }
                return Err(AsmError::new(place, "expected function type"));
            };
            types.extend_from_slice(inputs);
            types.extend_from_slice(results);
            return Ok(Some((inputs.len(), results.len())));
        }
        if !self.at(TokenKind::LeftParen) && self.has(Construct::OperandTypeAlone) {
            types.push(self.ty()?);
            return Ok(None);
        }
        self.expect(TokenKind::LeftParen, "function type")?;
        self.type_list(types)?;
        Ok(None)
    }

    /// `-> type` or `-> (types)`.
    pub(super) fn result_types(&mut self, types: &mut Vec<Type>) -> Result<()> {
        self.expect(TokenKind::Arrow, "'->' in function type")?;
        if self.eat(TokenKind::LeftParen) {
            return self.type_list(types);
        }
        let start = self.token.start;
        // No function type begins with a word.
        let is_word = self.at(TokenKind::BareIdentifier);
        let ty = self.ty()?;
        if !is_word
            && matches!(
                self.context.type_kind(ty),
                rmlir_ir::TypeKind::Function { .. }
            )
        {
            return Err(AsmError::new(start, "expected non-function type"));
        }
        types.push(ty);
        Ok(())
    }

    /// Parses types up to `)`, after `(`.
    fn type_list(&mut self, types: &mut Vec<Type>) -> Result<()> {
        if self.eat(TokenKind::RightParen) {
            return Ok(());
        }
        loop {
            types.push(self.ty()?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen, "')' in type list")?;
        Ok(())
    }

    fn define_results(
        &mut self,
        ops: &mut Operations<'s>,
        new: Operation,
        operation: &OpenOperation<'s>,
    ) -> Result<()> {
        let Some(first) = operation.results.first() else {
            return Ok(());
        };
        let named: u64 = operation.results.iter().map(|r| u64::from(r.count)).sum();
        let count = ops.module.result_count(new);
        if count == 0 {
            return Err(AsmError::new(
                first.place,
                "cannot name an operation with no results",
            ));
        }
        if named != count as u64 {
            if let ([only], 1, Some(value)) = (
                operation.results.as_slice(),
                named,
                ops.module.result(new, 0),
            ) && self.has(Construct::ResultGroup)
            {
                let count = u32::try_from(count).unwrap_or(u32::MAX);
                return self.define_value(ops, only.name, only.place, value, count);
            }
            return Err(AsmError::new(
                first.place,
                format!("operation defines {count} results but was provided {named} to bind"),
            ));
        }
        let mut values = ops.module.results(new);
        for result in &operation.results {
            let Some(value) = values.next() else { break };
            for _ in 1..result.count {
                values.next();
            }
            self.define_value(ops, result.name, result.place, value, result.count)?;
        }
        Ok(())
    }

    fn define_value(
        &mut self,
        ops: &mut Operations<'s>,
        name: &'s [u8],
        place: usize,
        value: Value,
        count: u32,
    ) -> Result<()> {
        if self.keep_names {
            let name = self.context.identifier(name.get(1..).unwrap_or_default());
            ops.module.provenance.value_names.insert(value, name);
        }
        let context = &*self.context;
        ops.scopes
            .define(&mut ops.module, name, place, value, count, |t| {
                type_text(context, t)
            })
    }

    /// Returns an offset in this file as a location.
    pub(super) fn source_location(&mut self, place: usize) -> Location {
        let (line, column) = self.line_and_column(place);
        self.context.file_location(self.file, line, column)
    }

    /// Returns the position of an operation in this file as a location.
    pub(super) fn operation_location(&mut self, operation: &OpenOperation<'s>) -> Location {
        let (line, column) = match operation.line_and_column {
            Some(known) => known,
            None => self.line_and_column(operation.place),
        };
        self.context.file_location(self.file, line, column)
    }

    /// Returns line and column of an offset in this file, as its locations have them.
    fn line_and_column(&mut self, place: usize) -> (u32, u32) {
        let (line, column) = self.lines.place(self.source, place);
        let column = if line == 1 {
            column.saturating_add(self.columns_before)
        } else {
            column
        };
        (line.saturating_add(self.lines_before), column)
    }
}

/// Returns a type as errors show it.
pub(super) fn type_text(context: &Context, ty: Type) -> String {
    crate::printer::type_to_string(context, ty)
}
