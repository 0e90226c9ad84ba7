//! Replaces old operations by today's, after the file is read.

use super::names::Rewrite;
use super::syntax::{CONDITIONS, INDEX, INDICES, MAP, VALUE};
use rmlir_ir::affine::AffineMap;
use rmlir_ir::float;
use rmlir_ir::{
    Attribute, AttributeKind, Builder, Context, DYNAMIC, Invalid, Module, Operation, OperationName,
    OperationTraits, Region, Type, TypeKind, Value,
};

/// An operation that has no form today.
pub(crate) struct Failed {
    pub(crate) operation: Operation,
    pub(crate) message: String,
}

/// The attributes with the sizes of groups, and their names of today, which normalization gives
/// them where a definition has them.
const SEGMENTS: [(&str, &str); 4] = [
    ("operand_segment_sizes", "operandSegmentSizes"),
    ("operandSegmentSizes", "operandSegmentSizes"),
    ("result_segment_sizes", "resultSegmentSizes"),
    ("resultSegmentSizes", "resultSegmentSizes"),
];

/// The largest number of groups whose sizes are converted if all are equal.
const MOST_GROUPS: usize = 1 << 10;

/// Replaces the old operations of a module. Linear in the module.
///
/// Operations that have one successor keep their identity. `spend` is called with the number of
/// operands before they are copied.
pub(crate) fn upgrade(
    context: &mut Context,
    module: &mut Module,
    spend: &mut dyn FnMut(usize) -> Result<(), Invalid>,
) -> Result<(), Failed> {
    let names = Rewrite::ALL.map(|rewrite| (context.operation_name(rewrite.name()), rewrite));
    let function = context.operation_name("func.func");
    let found: Vec<(Operation, Option<Rewrite>)> = module
        .descendants(module.top())
        .filter_map(|operation| {
            let name = module.name(operation);
            let rewrite = names.iter().find(|row| row.0 == name).map(|row| row.1);
            let has = |old: &str| {
                let sizes = module.attribute(context, operation, old);
                sizes.is_some_and(|sizes| {
                    let kind = context.attribute_kind(sizes);
                    matches!(kind, AttributeKind::DenseElements { .. })
                })
            };
            let old = name == function || SEGMENTS.iter().any(|(old, _)| has(old));
            (rewrite.is_some() || old).then_some((operation, rewrite))
        })
        .collect();
    let mut upgrade = Upgrade {
        context,
        module,
        spend,
    };
    for (operation, rewrite) in found {
        let done = upgrade.segments(operation).and_then(|()| match rewrite {
            Some(rewrite) => upgrade.rewrite(operation, rewrite),
            None if upgrade.module.name(operation) == function => upgrade.function(operation),
            None => Ok(()),
        });
        done.map_err(|error| Failed {
            operation,
            message: error.message().to_owned(),
        })?;
    }
    Ok(())
}

struct Upgrade<'a> {
    context: &'a mut Context,
    module: &'a mut Module,
    spend: &'a mut dyn FnMut(usize) -> Done,
}

type Done = Result<(), Invalid>;

impl Upgrade<'_> {
    fn rewrite(&mut self, operation: Operation, rewrite: Rewrite) -> Done {
        match rewrite {
            Rewrite::AffineApply => self.affine_apply(operation),
            Rewrite::Alloc => self.alloc(operation),
            Rewrite::Constant => self.constant(operation),
            Rewrite::Dim => self.dim(operation),
            Rewrite::ExtractElement | Rewrite::Load => self.load(operation),
            Rewrite::If => self.branch(operation),
            Rewrite::MemRefCast => self.rename(operation, "memref.cast"),
            Rewrite::ModuleTerminator => Ok(self.module.erase_operation(operation)?),
            Rewrite::Store => self.store(operation),
            Rewrite::TensorLoad => self.rename(operation, "bufferization.to_tensor"),
            Rewrite::TensorStore => {
                let unit = self.context.unit_attribute();
                self.set(operation, "writable", unit)?;
                self.rename(operation, "bufferization.materialize_in_destination")
            }
        }
    }

    // Parts of operations.

    /// Gives an operation the name of today, and its attributes their form of today.
    fn rename(&mut self, operation: Operation, name: &str) -> Done {
        self.module.set_name(self.context, operation, name)?;
        self.module.normalize_operation(self.context, operation)
    }

    fn attribute(&self, operation: Operation, name: &str) -> Option<Attribute> {
        self.module.attribute(self.context, operation, name)
    }

    /// Sets an inherent attribute.
    fn set(&mut self, operation: Operation, name: &str, value: Attribute) -> Done {
        let name = self.context.identifier(name);
        self.module
            .set_inherent_attribute(self.context, operation, name, Some(value))
    }

    /// Removes an attribute and returns it.
    fn take(&mut self, operation: Operation, name: &str) -> Result<Option<Attribute>, Invalid> {
        let found = self.attribute(operation, name);
        self.module
            .remove_attribute(self.context, operation, name)?;
        Ok(found)
    }

    fn operand_type(&self, operation: Operation, number: usize) -> Option<Type> {
        let operand = self.module.operand(operation, number)?;
        Some(self.module.value_type(operand))
    }

    /// Returns a builder that inserts before an operation, at its location.
    fn before(&mut self, operation: Operation) -> Result<Builder<'_>, Invalid> {
        let location = self.module.location(operation);
        let mut builder = Builder::new(self.context, self.module);
        builder.set_insertion_point_before(operation)?;
        builder.set_location(location);
        Ok(builder)
    }

    /// Inserts a constant before an operation.
    fn constant_before(
        &mut self,
        operation: Operation,
        ty: Type,
        value: Attribute,
    ) -> Result<Value, Invalid> {
        let mut builder = self.before(operation)?;
        let constant = builder.op("arith.constant").property(VALUE, value);
        constant.result(ty).build_value()
    }

    /// Returns a number as a value of another type.
    fn number(&mut self, value: Attribute, ty: Type) -> Result<Attribute, Invalid> {
        let cannot = || Invalid::new("the literal is not a number of the element type");
        let literal = match self.context.attribute_kind(value) {
            AttributeKind::Integer { value, .. } => Literal::Integer(value.to_i64()),
            &AttributeKind::Float { ty, bits } => match *self.context.type_kind(ty) {
                TypeKind::Float(kind) => Literal::Float(float::to_f64(kind, bits)),
                _ => return Err(cannot()),
            },
            _ => return Err(cannot()),
        };
        match (literal, self.context.type_kind(ty)) {
            (Literal::Integer(Some(number)), TypeKind::Integer { .. } | TypeKind::Index) => {
                self.context.integer_attribute(ty, number)
            }
            // Exact: the number is rounded only once.
            (Literal::Integer(Some(number)), TypeKind::Float(_))
                if number.unsigned_abs() <= 1 << f64::MANTISSA_DIGITS =>
            {
                self.context.float_attribute(ty, number as f64)
            }
            (Literal::Float(number), TypeKind::Float(_)) => {
                self.context.float_attribute(ty, number)
            }
            _ => Err(cannot()),
        }
    }

    /// Replaces the integers among the indices, which begin at operand `first`, by constants.
    fn literal_indices(&mut self, operation: Operation, first: usize) -> Done {
        let Some(literals) = self.take(operation, INDICES)? else {
            return Ok(());
        };
        let AttributeKind::Array(literals) = self.context.attribute_kind(literals) else {
            return Ok(());
        };
        let literals = literals.clone();
        let mut operands: Vec<Value> = self.module.operands(operation).collect();
        let mut given = operands.split_off(first.min(operands.len())).into_iter();
        let index = self.context.index_type();
        for &literal in &literals {
            let operand = match literal == self.context.unit_attribute() {
                true => given.next(),
                false => Some(self.constant_before(operation, index, literal)?),
            };
            operands.extend(operand);
        }
        self.module.set_operands(operation, &operands);
        Ok(())
    }

    /// The sizes of groups of operands and results were elements of a vector.
    fn segments(&mut self, operation: Operation) -> Done {
        for (old, new) in SEGMENTS {
            let Some(sizes) = self.attribute(operation, old) else {
                continue;
            };
            let &AttributeKind::DenseElements {
                ty,
                splat,
                ref data,
            } = self.context.attribute_kind(sizes)
            else {
                continue;
            };
            let element = self.context.element_type(ty);
            let shape = self.context.shape(ty).unwrap_or_default();
            let (&[count], true) = (shape, element == Some(self.context.i32_type())) else {
                continue;
            };
            let mut sizes: Vec<i32> = data
                .as_chunks::<4>()
                .0
                .iter()
                .map(|&bytes| i32::from_le_bytes(bytes))
                .collect();
            if splat && let &[size] = sizes.as_slice() {
                // No operation has more groups than that.
                let count = usize::try_from(count).unwrap_or(0);
                sizes = vec![size; count.min(MOST_GROUPS)];
            }
            let sizes = self.context.i32_array_attribute(sizes);
            self.take(operation, old)?;
            self.set(operation, new, sizes)?;
        }
        Ok(())
    }

    // The operations.

    /// A declaration is private; the type of a function was named `type`.
    fn function(&mut self, operation: Operation) -> Done {
        if self.attribute(operation, "function_type").is_none()
            && let Some(ty) = self.take(operation, "type")?
        {
            self.set(operation, "function_type", ty)?;
        }
        let body = self.module.region(operation, 0);
        let is_declaration = body.is_none_or(|body| self.module.first_block(body).is_none());
        let visibility = self.attribute(operation, "sym_visibility");
        let visibility = visibility.and_then(|value| self.context.string_value(value));
        if is_declaration && visibility.is_none_or(|value| value == b"public") {
            let private = self.context.string_attribute("private");
            self.set(operation, "sym_visibility", private)?;
        }
        Ok(())
    }

    fn alloc(&mut self, operation: Operation) -> Done {
        let result = self.module.result(operation, 0);
        let ty = result.map(|result| self.context.type_kind(self.module.value_type(result)));
        let (dynamic, has_layout) = match ty {
            Some(TypeKind::MemRef { shape, layout, .. }) => {
                let dynamic = shape.iter().filter(|&&size| size == DYNAMIC);
                (dynamic.count(), layout.is_some())
            }
            _ => (0, true),
        };
        let dims = dynamic.min(self.module.operand_count(operation));
        if !has_layout {
            // The type does not have an identity map with symbols, which nothing uses.
            let operands: Vec<Value> = self.module.operands(operation).take(dims).collect();
            self.module.set_operands(operation, &operands);
        }
        let count = self.module.operand_count(operation);
        if self.attribute(operation, "operandSegmentSizes").is_none() {
            let sizes = [dims, count.saturating_sub(dims)];
            let sizes = sizes.map(|size| i32::try_from(size).unwrap_or(i32::MAX));
            let sizes = self.context.i32_array_attribute(sizes);
            self.set(operation, "operandSegmentSizes", sizes)?;
        }
        self.rename(operation, "memref.alloc")
    }

    fn constant(&mut self, operation: Operation) -> Done {
        let value = self.attribute(operation, VALUE);
        let Some(value) = value else {
            return Err(Invalid::new("expected the attribute 'value'"));
        };
        if matches!(
            self.context.attribute_kind(value),
            AttributeKind::SymbolRef { .. }
        ) {
            return self.rename(operation, "func.constant");
        }
        // In the generic form, a number had no type of its own.
        let result = self.module.result(operation, 0);
        if let Some(ty) = result.map(|result| self.module.value_type(result))
            && self.context.attribute_type(value) != ty
            && matches!(
                self.context.attribute_kind(value),
                AttributeKind::Integer { .. } | AttributeKind::Float { .. }
            )
        {
            let value = self.number(value, ty)?;
            self.take(operation, VALUE)?;
            self.set(operation, VALUE, value)?;
        }
        self.rename(operation, "arith.constant")
    }

    fn dim(&mut self, operation: Operation) -> Done {
        if let Some(number) = self.take(operation, INDEX)? {
            let index = self.context.index_type();
            let number = self.number(number, index)?;
            let number = self.constant_before(operation, index, number)?;
            let mut operands: Vec<Value> = self.module.operands(operation).collect();
            operands.push(number);
            self.module.set_operands(operation, &operands);
        }
        let ty = self.operand_type(operation, 0);
        let name = match ty.map(|ty| self.context.type_kind(ty)) {
            Some(TypeKind::RankedTensor { .. } | TypeKind::UnrankedTensor(_)) => "tensor.dim",
            Some(TypeKind::MemRef { .. } | TypeKind::UnrankedMemRef { .. }) => "memref.dim",
            _ => return Err(Invalid::new("expected a memref or a tensor")),
        };
        self.rename(operation, name)
    }

    fn load(&mut self, operation: Operation) -> Done {
        self.literal_indices(operation, 1)?;
        let ty = self.operand_type(operation, 0);
        match ty.map(|ty| self.context.type_kind(ty)) {
            Some(TypeKind::MemRef { .. }) => self.rename(operation, "memref.load"),
            Some(TypeKind::RankedTensor { .. }) => self.rename(operation, "tensor.extract"),
            Some(&TypeKind::UnrankedTensor(element)) => {
                // Only tensors of known rank have elements today.
                let rank = self.module.operand_count(operation).saturating_sub(1);
                let ranked = self.context.try_type(TypeKind::RankedTensor {
                    shape: vec![DYNAMIC; rank].into(),
                    element,
                    encoding: None,
                })?;
                let mut operands: Vec<Value> = self.module.operands(operation).collect();
                if let Some(source) = operands.first_mut() {
                    let mut builder = self.before(operation)?;
                    let cast = builder.op("tensor.cast").operand(*source).result(ranked);
                    *source = cast.build_value()?;
                }
                self.module.set_operands(operation, &operands);
                self.rename(operation, "tensor.extract")
            }
            Some(TypeKind::Vector { .. }) => {
                let rank = self.module.operand_count(operation).saturating_sub(1);
                let dynamic = self.context.i64_array_attribute(vec![DYNAMIC; rank]);
                self.set(operation, "static_position", dynamic)?;
                self.rename(operation, "vector.extract")
            }
            _ => Err(Invalid::new("expected a memref, a tensor or a vector")),
        }
    }

    fn store(&mut self, operation: Operation) -> Done {
        if let Some(literal) = self.take(operation, VALUE)? {
            let memref = self.operand_type(operation, 0);
            let element = memref.and_then(|memref| self.context.element_type(memref));
            let Some(element) = element else {
                return Err(Invalid::new("expected a memref"));
            };
            let literal = self.number(literal, element)?;
            let value = self.constant_before(operation, element, literal)?;
            let mut operands = vec![value];
            operands.extend(self.module.operands(operation));
            self.module.set_operands(operation, &operands);
        }
        self.literal_indices(operation, 2)?;
        self.rename(operation, "memref.store")
    }

    /// One operation for each result of the map.
    fn affine_apply(&mut self, operation: Operation) -> Done {
        let map = self.attribute(operation, MAP);
        let map = map.map(|map| self.context.attribute_kind(map));
        let Some(AttributeKind::AffineMap(map)) = map else {
            return Err(Invalid::new("expected the attribute 'map', an affine map"));
        };
        let map = map.clone();
        let results: Vec<Value> = self.module.results(operation).collect();
        if map.results.len() != results.len() {
            return Err(Invalid::new(
                "expected one result for each result of the map",
            ));
        }
        if results.len() == 1 {
            return self.rename(operation, "affine.apply");
        }
        let operands: Vec<Value> = self.module.operands(operation).collect();
        (self.spend)(operands.len().saturating_mul(results.len()))?;
        let index = self.context.index_type();
        let mut values = Vec::new();
        for (&result, &old) in map.results.iter().zip(&results) {
            let map = self.context.affine_map_attribute(AffineMap {
                num_dims: map.num_dims,
                num_symbols: map.num_symbols,
                results: [result].into(),
            });
            let mut builder = self.before(operation)?;
            let apply = builder.op("affine.apply").property(MAP, map);
            let new = apply
                .operands(operands.iter().copied())
                .result(index)
                .build_value()?;
            let names = &mut self.module.provenance.value_names;
            if let Some(name) = names.get(old) {
                names.insert(new, name);
            }
            values.push(new);
        }
        self.module.replace_operation(operation, &values)
    }

    /// One `affine.if` in the `else` region of another for each `else if`.
    fn branch(&mut self, operation: Operation) -> Done {
        let malformed = || Invalid::new("expected a condition for each region but the last");
        let conditions = self.attribute(operation, CONDITIONS);
        let conditions = conditions.map(|sets| self.context.attribute_kind(sets));
        let Some(AttributeKind::Array(conditions)) = conditions else {
            return Err(malformed());
        };
        let conditions = conditions.clone();
        let attributes = self.module.attributes(operation);
        let mut operands: Vec<Value> = self.module.operands(operation).collect();
        let mut regions: Vec<Region> = self.module.regions(operation).collect();
        let mut otherwise = match regions.len() > conditions.len() {
            true => regions.pop(),
            false => None,
        };
        if regions.len() != conditions.len() {
            return Err(malformed());
        }
        for (number, (&set, then)) in conditions.iter().zip(regions).enumerate().rev() {
            let AttributeKind::IntegerSet(kind) = self.context.attribute_kind(set) else {
                return Err(malformed());
            };
            let count = kind.num_dims.saturating_add(kind.num_symbols) as usize;
            let own = operands.split_off(operands.len().saturating_sub(count));
            let mut builder = self.before(operation)?;
            let (new_then, new_else) = (builder.create_region(), builder.create_region());
            self.module.take_blocks(new_then, then);
            self.end_with_yield(new_then)?;
            if let Some(otherwise) = otherwise {
                self.module.take_blocks(new_else, otherwise);
                self.end_with_yield(new_else)?;
            }
            let enclosing = (number > 0).then(|| {
                let region = self.module.create_region();
                (region, self.module.append_block(region))
            });
            let mut builder = self.before(operation)?;
            if let Some((_, block)) = enclosing {
                builder.set_insertion_point_to_end(block);
            }
            let new = builder.op("affine.if").property("condition", set);
            let new = new
                .operands(own)
                .region(new_then)
                .region(new_else)
                .build()?;
            match enclosing {
                Some((region, _)) => otherwise = Some(region),
                None => self.module.set_attributes(self.context, new, attributes)?,
            }
        }
        Ok(self.module.erase_operation(operation)?)
    }

    /// Adds the terminator that the text omits.
    fn end_with_yield(&mut self, region: Region) -> Done {
        let block = match self.module.last_block(region) {
            Some(block) => block,
            None => self.module.append_block(region),
        };
        let last = self.module.last_operation(block);
        let is_terminator = |name: OperationName| {
            let traits = self.context.operation_traits(name);
            traits.is_some_and(|traits| traits.contains(OperationTraits::TERMINATOR))
        };
        if last.is_some_and(|last| is_terminator(self.module.name(last))) {
            return Ok(());
        }
        let mut builder = Builder::new(self.context, self.module);
        builder.set_insertion_point_to_end(block);
        builder.op("affine.yield").build().map(drop)
    }
}

enum Literal {
    Integer(Option<i64>),
    Float(f64),
}
