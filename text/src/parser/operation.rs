//! Operations, regions and blocks: one loop with an explicit stack of open operations.

use super::Parser;
use super::scope::{ScopeStart, Scopes, ValueName};
use crate::diagnostic::{Result, SyntaxError};
use crate::lexer::{TokenKind, unescape};
use rmlir_ir::{
    Attribute, Block, Location, Module, Operation, OperationName, OperationState, Region, Type, Value,
};
use std::collections::HashMap;

/// A name on the left of `=`, with the number of results that it stands for.
struct ResultName<'s> {
    name: &'s [u8],
    count: u32,
    place: usize,
}

/// What is known of an operation while it is parsed.
struct OpenOperation<'s> {
    name: OperationName,
    /// Where the name stands.
    place: usize,
    results: Vec<ResultName<'s>>,
    operands: Vec<ValueName<'s>>,
    successors: Vec<Block>,
    properties: Option<Attribute>,
    regions: Vec<Region>,
}

/// A region that is open, and the operation that it belongs to.
struct OpenRegion<'s> {
    operation: OpenOperation<'s>,
    region: Region,
    block: Option<Block>,
    blocks: HashMap<&'s [u8], NamedBlock>,
    scope: ScopeStart,
}

/// A block of a region by its name.
struct NamedBlock {
    block: Block,
    /// Where it is first named.
    place: usize,
    defined: bool,
}

/// The state of parsing operations.
pub(super) struct Operations<'s> {
    pub(super) module: Module,
    scopes: Scopes<'s>,
    stack: Vec<OpenRegion<'s>>,
    top: Block,
    /// Buffers that are used again and again.
    types: Vec<Type>,
    values: Vec<Value>,
}

impl<'s> Operations<'s> {
    /// Operations go into `top`, a block of `module`.
    pub(super) fn new(module: Module, top: Block) -> Self {
        Operations {
            module,
            scopes: Scopes::default(),
            stack: Vec::new(),
            top,
            types: Vec::new(),
            values: Vec::new(),
        }
    }

    /// Checks that all names are defined at the end of the file.
    pub(super) fn finish(self) -> Result<Module> {
        self.scopes.check_defined()?;
        Ok(self.module)
    }
}

impl<'s> Parser<'s, '_> {
    /// Parses one operation of the file, with all that is in it. Linear in its text.
    pub(super) fn top_level_operation(&mut self, ops: &mut Operations<'s>) -> Result<()> {
        self.operation(ops)?;
        while !ops.stack.is_empty() {
            match self.token.kind {
                TokenKind::RightBrace => self.close_region(ops)?,
                TokenKind::CaretIdentifier => self.block_label(ops)?,
                _ => self.operation(ops)?,
            }
        }
        Ok(())
    }

    /// An operation at the current token, up to its end or to the inside of its first region.
    fn operation(&mut self, ops: &mut Operations<'s>) -> Result<()> {
        let mut results = Vec::new();
        if self.at(TokenKind::PercentIdentifier) {
            self.result_names(&mut results)?;
        }
        let place = self.token.start;
        if !self.at(TokenKind::String) {
            return Err(self.unexpected("operation name in quotes"));
        }
        let token = self.advance();
        let name = unescape(self.text(token));
        if name.is_empty() {
            return Err(SyntaxError::new(place, "empty operation name is invalid"));
        }
        if name.contains(&0) {
            return Err(SyntaxError::new(place, "null character not allowed in operation name"));
        }
        let mut operation = OpenOperation {
            name: self.context.operation_name(name),
            place,
            results,
            operands: Vec::new(),
            successors: Vec::new(),
            properties: None,
            regions: Vec::new(),
        };
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
            self.successors(ops, &mut operation)?;
        }
        if self.eat(TokenKind::Less) {
            operation.properties = Some(self.attribute()?);
            self.expect(TokenKind::Greater, "'>' to close properties")?;
        }
        if self.eat(TokenKind::LeftParen) {
            return self.open_region(ops, operation);
        }
        self.finish_generic(ops, operation)
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
                    return Err(SyntaxError::new(
                        number.start,
                        "expected named operation to have at least 1 result",
                    ));
                }
            }
            results.push(ResultName { name: self.text(token), count, place: token.start });
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::Equal, "'=' after SSA name")?;
        Ok(())
    }

    /// `%name` or `%name#number`.
    #[inline]
    fn value_name(&mut self) -> Result<ValueName<'s>> {
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
        Ok(ValueName { name: self.text(token), number, place: token.start })
    }

    /// `^bb1, ^bb2]`.
    fn successors(&mut self, ops: &mut Operations<'s>, operation: &mut OpenOperation<'s>) -> Result<()> {
        loop {
            let token = self.expect(TokenKind::CaretIdentifier, "branch to block name")?;
            let name = self.text(token);
            let module = &mut ops.module;
            let Some(region) = ops.stack.last_mut() else {
                return Err(SyntaxError::new(token.start, "an operation outside of a region has no successors"));
            };
            let named = region.blocks.entry(name).or_insert_with(|| NamedBlock {
                block: module.create_block(),
                place: token.start,
                defined: false,
            });
            operation.successors.push(named.block);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightSquare, "']' to end successor list")?;
        Ok(())
    }

    /// Opens the region whose `{` is the current token.
    fn open_region(&mut self, ops: &mut Operations<'s>, operation: OpenOperation<'s>) -> Result<()> {
        self.expect(TokenKind::LeftBrace, "'{' to begin a region")?;
        let region = ops.module.create_region();
        let scope = ops.scopes.enter(false);
        let unlabeled = !matches!(self.token.kind, TokenKind::CaretIdentifier | TokenKind::RightBrace);
        let block = unlabeled.then(|| ops.module.append_block(region));
        ops.stack.push(OpenRegion { operation, region, block, blocks: HashMap::new(), scope });
        Ok(())
    }

    /// `}`: the end of a region, and of its operation if it is the last one.
    fn close_region(&mut self, ops: &mut Operations<'s>) -> Result<()> {
        self.advance();
        let Some(mut open) = ops.stack.pop() else { return Ok(()) };
        ops.scopes.leave(open.scope)?;
        let undefined = open.blocks.iter().filter(|(_, b)| !b.defined).map(|(name, b)| (b.place, *name)).min();
        if let Some((place, name)) = undefined {
            let name = String::from_utf8_lossy(name);
            return Err(SyntaxError::new(place, format!("reference to an undefined block '{name}'")));
        }
        open.operation.regions.push(open.region);
        if self.eat(TokenKind::Comma) {
            return self.open_region(ops, open.operation);
        }
        self.expect(TokenKind::RightParen, "')' to end region list")?;
        self.finish_generic(ops, open.operation)
    }

    /// `^name(%a: type, ...):`.
    fn block_label(&mut self, ops: &mut Operations<'s>) -> Result<()> {
        let token = self.advance();
        let name = self.text(token);
        let Some(open) = ops.stack.last_mut() else { return Err(self.unexpected("operation")) };
        let module = &mut ops.module;
        let named = open.blocks.entry(name).or_insert_with(|| NamedBlock {
            block: module.create_block(),
            place: token.start,
            defined: false,
        });
        if std::mem::replace(&mut named.defined, true) {
            let name = String::from_utf8_lossy(name);
            return Err(SyntaxError::new(token.start, format!("redefinition of block '{name}'")));
        }
        let block = named.block;
        module.insert_block_at_end(open.region, block);
        open.block = Some(block);
        if self.keep_names {
            let name = self.context.identifier(name.get(1..).unwrap_or_default());
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

    /// What follows operands, properties and regions: attributes, types, location.
    fn finish_generic(&mut self, ops: &mut Operations<'s>, operation: OpenOperation<'s>) -> Result<()> {
        let attributes = if self.at(TokenKind::LeftBrace) { Some(self.attribute()?) } else { None };
        self.expect(TokenKind::Colon, "':' followed by operation type")?;
        let place = self.token.start;
        // The function type is taken apart at once instead of being interned.
        let mut types = std::mem::take(&mut ops.types);
        types.clear();
        self.operand_types(&mut types)?;
        if types.len() != operation.operands.len() {
            let s = if operation.operands.len() == 1 { "" } else { "s" };
            return Err(SyntaxError::new(
                place,
                format!("expected {} operand type{s} but had {}", operation.operands.len(), types.len()),
            ));
        }
        let mut values = std::mem::take(&mut ops.values);
        values.clear();
        for (&operand, &ty) in operation.operands.iter().zip(&types) {
            let context = &*self.context;
            let value = ops.scopes.resolve(&mut ops.module, operand, ty, |t| type_text(context, t))?;
            values.push(value);
        }
        types.clear();
        self.result_types(&mut types)?;
        let location = match self.trailing_location()? {
            Some(location) => location,
            None => self.source_location(operation.place),
        };
        let state = OperationState {
            name: operation.name,
            location,
            operands: &values,
            result_types: &types,
            attributes: attributes.filter(|&a| a != self.context.empty_dictionary()),
            properties: operation.properties,
            successors: &operation.successors,
            regions: &operation.regions,
        };
        let new = ops.module.create_operation(&state);
        ops.types = types;
        ops.values = values;
        let block = match ops.stack.last() {
            Some(open) => open.block,
            None => Some(ops.top),
        };
        match block {
            Some(block) => ops.module.append_operation(block, new),
            None => return Err(SyntaxError::new(operation.place, "expected a block label before the operation")),
        }
        self.define_results(ops, new, &operation)
    }

    /// `(types)`.
    fn operand_types(&mut self, types: &mut Vec<Type>) -> Result<()> {
        self.expect(TokenKind::LeftParen, "function type")?;
        self.type_list(types)
    }

    /// `-> type` or `-> (types)`.
    fn result_types(&mut self, types: &mut Vec<Type>) -> Result<()> {
        self.expect(TokenKind::Arrow, "'->' in function type")?;
        if self.eat(TokenKind::LeftParen) {
            return self.type_list(types);
        }
        let start = self.token.start;
        let ty = self.ty()?;
        if matches!(self.context.type_kind(ty), rmlir_ir::TypeKind::Function { .. }) {
            return Err(SyntaxError::new(start, "expected non-function type"));
        }
        types.push(ty);
        Ok(())
    }

    /// Types up to `)`, whose `(` is passed.
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
        let Some(first) = operation.results.first() else { return Ok(()) };
        let named: u64 = operation.results.iter().map(|r| u64::from(r.count)).sum();
        let count = ops.module.result_count(new);
        if count == 0 {
            return Err(SyntaxError::new(first.place, "cannot name an operation with no results"));
        }
        if named != count as u64 {
            return Err(SyntaxError::new(
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
        ops.scopes.define(&mut ops.module, name, place, value, count, |t| type_text(context, t))
    }

    /// The place in this file as a location.
    pub(super) fn source_location(&mut self, place: usize) -> Location {
        let (line, column) = self.lines.place(self.source, place);
        self.context.file_location(self.file, line, column)
    }
}

/// A type as errors show it.
fn type_text(context: &rmlir_ir::Context, ty: Type) -> String {
    crate::printer::type_to_string(context, ty)
}
