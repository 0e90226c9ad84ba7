//! Decides which values can be dimensions and symbols of affine maps and sets ("Affine Dialect",
//! "Restrictions on Dimensions and Symbols").
//!
//! A value that is decided by more than its operands and regions is accepted: results of pure
//! operations whose operands are valid, and of operations that are not known.

use rmlir_ir::{
    AttributeKind, Context, Module, Op, Operation, OperationTraits, OperationVerifier, Region,
    Value, ValueDefinition, VerifyFailure, VerifyResult,
};

/// The maximum number of values and enclosing operations that are looked at for one operation.
/// What would need more is accepted, so that the cost is linear in the number of operations.
const STEPS: usize = 1 << 10;

/// The operands of an affine map or set, in the order dimensions, symbols.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Inputs {
    /// The group of operands, and the attribute with the map.
    Group(&'static str, &'static str),
    /// As `Group`, after the inputs of the map of another attribute.
    After(&'static str, &'static str, &'static str),
    /// All operands, of the set in the attribute.
    All(&'static str),
}

/// Verifies that the operands of maps can be dimensions and symbols.
#[derive(Debug)]
pub(crate) struct Validity {
    pub(crate) inputs: &'static [Inputs],
    /// Whether only arguments of affine loops are refused, and only as symbols.
    pub(crate) loops_only: bool,
}

impl Validity {
    pub(crate) const ACCESS: Self = Self::of(&[Inputs::Group("indices", "map")]);
    pub(crate) const APPLY: Self = Validity {
        inputs: &[Inputs::Group("mapOperands", "map")],
        loops_only: true,
    };
    pub(crate) const FOR: Self = Self::of(&[
        Inputs::Group("lowerBoundOperands", "lowerBoundMap"),
        Inputs::Group("upperBoundOperands", "upperBoundMap"),
    ]);
    pub(crate) const IF: Self = Self::of(&[Inputs::All("condition")]);
    pub(crate) const PARALLEL: Self = Self::of(&[
        Inputs::Group("mapOperands", "lowerBoundsMap"),
        Inputs::After("mapOperands", "lowerBoundsMap", "upperBoundsMap"),
    ]);

    const fn of(inputs: &'static [Inputs]) -> Self {
        Validity {
            inputs,
            loops_only: false,
        }
    }
}

impl OperationVerifier for Validity {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        for &inputs in self.inputs {
            let (group, skipped, attribute) = match inputs {
                Inputs::Group(group, attribute) => (Some(group), 0, attribute),
                Inputs::After(group, before, attribute) => {
                    let (dims, symbols) = sizes(op, before).unwrap_or_default();
                    (Some(group), dims.saturating_add(symbols), attribute)
                }
                Inputs::All(attribute) => (None, 0, attribute),
            };
            let Some((dims, symbols)) = sizes(op, attribute) else {
                continue;
            };
            let values: Vec<Value> = match group {
                Some(group) => match op.operand_group(group) {
                    Some(values) => values.skip(skipped).collect(),
                    None => continue,
                },
                None => op.operands().collect(),
            };
            let mut steps = STEPS;
            let mut scope = None;
            for (number, &value) in values.iter().take(dims.saturating_add(symbols)).enumerate() {
                let is_dim = number < dims;
                if self.loops_only && (is_dim || !is_argument_of_loop(op, value)) {
                    continue;
                }
                let scope = *scope.get_or_insert_with(|| scope_of(op, op.operation, &mut steps));
                if !is_valid(op, (value, is_dim), scope, &mut steps) {
                    let what = if is_dim { "dimension id" } else { "symbol" };
                    return Err(VerifyFailure::op(format!(
                        "operand cannot be used as a {what}: #{number} of '{attribute}'"
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Returns the numbers of dimensions and symbols of the map or set in an attribute.
fn sizes(op: Op<'_>, attribute: &str) -> Option<(usize, usize)> {
    match op.context.attribute_kind(op.attr(attribute)?) {
        AttributeKind::AffineMap(map) => Some((map.num_dims as usize, map.num_symbols as usize)),
        AttributeKind::IntegerSet(set) => Some((set.num_dims as usize, set.num_symbols as usize)),
        _ => None,
    }
}

fn has_trait(
    context: &Context,
    module: &Module,
    operation: Operation,
    of: OperationTraits,
) -> bool {
    let traits = context.operation_traits(module.name(operation));
    traits.is_some_and(|traits| traits.contains(of))
}

/// Returns the region, around an operation, of the nearest operation that begins a scope of
/// symbols; `None` if there is none within the steps. An operation without a definition is taken
/// for one.
fn scope_of(op: Op<'_>, of: Operation, steps: &mut usize) -> Option<Region> {
    let mut inner = of;
    loop {
        *steps = steps.checked_sub(1)?;
        let region = op.module.block_region(op.module.parent_block(inner)?)?;
        let outer = op.module.region_parent(region)?;
        let is_known = op.context.operation_traits(op.module.name(outer)).is_some();
        if !is_known || has_trait(op.context, op.module, outer, OperationTraits::AFFINE_SCOPE) {
            return Some(region);
        }
        inner = outer;
    }
}

/// Returns whether a value is an argument of the body of an affine loop.
fn is_argument_of_loop(op: Op<'_>, value: Value) -> bool {
    let ValueDefinition::Argument(block, _) = op.module.definition(value) else {
        return false;
    };
    let region = op.module.block_region(block);
    let parent = region.and_then(|region| op.module.region_parent(region));
    parent.is_some_and(|parent| {
        let parent = op.with_id(parent);
        parent.is("affine.for") || parent.is("affine.parallel")
    })
}

/// Returns whether a value can be a dimension, or else a symbol, in a scope.
fn is_valid(op: Op<'_>, first: (Value, bool), scope: Option<Region>, steps: &mut usize) -> bool {
    let module = op.module;
    let mut stack = vec![first];
    while let Some((value, is_dim)) = stack.pop() {
        let Some(left) = steps.checked_sub(1) else {
            return true;
        };
        *steps = left;
        let Some(defining) = op.defining_op(value) else {
            let ValueDefinition::Argument(block, _) = module.definition(value) else {
                return true;
            };
            let region = module.block_region(block);
            let parent = region.and_then(|region| module.region_parent(region));
            let Some(parent) = parent.map(|parent| op.with_id(parent)) else {
                return true;
            };
            let is_loop = parent.is("affine.for") || parent.is("affine.parallel");
            let is_top = region == scope || scope.is_none() || !is_inside(op, region, scope, steps);
            let begins =
                parent.definition().is_none() || parent.has_traits(OperationTraits::AFFINE_SCOPE);
            if is_top || begins || (is_dim && is_loop) {
                continue;
            }
            return false;
        };
        let region = defining
            .block()
            .and_then(|block| module.block_region(block));
        let is_constant = defining.has_traits(OperationTraits::CONSTANT_LIKE);
        if region == scope
            || is_constant
            || defining.definition().is_none()
            || !is_inside(op, region, scope, steps)
        {
            continue;
        }
        if defining.is("affine.apply") {
            stack.extend(defining.operands().map(|operand| (operand, is_dim)));
            continue;
        }
        let is_dim_operation = defining.has_interface("ShapedDimOpInterface")
            || defining.is("memref.dim")
            || defining.is("tensor.dim");
        let of_affine =
            defining.is("affine.linearize_index") || defining.is("affine.delinearize_index");
        if is_dim_operation || of_affine {
            continue;
        }
        // Whether it is pure may depend on all operations within it.
        let within = module.descendants(defining.operation).take(*steps).count();
        *steps = steps.saturating_sub(within);
        if *steps == 0 {
            return true;
        }
        if !defining.is_pure() {
            return false;
        }
        stack.extend(defining.operands().map(|operand| (operand, false)));
    }
    true
}

/// Returns whether a region is nested in another one, or is it; false if the steps do not suffice.
fn is_inside(op: Op<'_>, region: Option<Region>, outer: Option<Region>, steps: &mut usize) -> bool {
    let mut current = region;
    while let Some(region) = current {
        if Some(region) == outer {
            return true;
        }
        let Some(left) = steps.checked_sub(1) else {
            return false;
        };
        *steps = left;
        let parent = op.module.region_parent(region);
        let block = parent.and_then(|parent| op.module.parent_block(parent));
        current = block.and_then(|block| op.module.block_region(block));
    }
    false
}

/// Verifies that the indices of the memrefs of a transfer can be dimensions or symbols.
#[derive(Debug)]
pub(crate) struct TransferIndices(&'static [(&'static str, &'static str)]);

/// `affine.dma_start`: the attributes with the maps, and the names of their operands in errors.
pub(crate) static TRANSFER: TransferIndices = TransferIndices(&[
    ("src_map", "src index"),
    ("dst_map", "dst index"),
    ("tag_map", "tag index"),
]);

/// `affine.dma_wait`.
pub(crate) static WAIT: TransferIndices = TransferIndices(&[("tag_map", "index")]);

impl OperationVerifier for TransferIndices {
    fn verify(&self, op: Op<'_>) -> VerifyResult {
        let mut operands = op.operands();
        let mut steps = STEPS;
        let scope = scope_of(op, op.operation, &mut steps);
        for &(map, what) in self.0 {
            // The memref precedes its indices.
            let (Some((dims, symbols)), Some(_)) = (sizes(op, map), operands.next()) else {
                return Ok(());
            };
            for index in operands.by_ref().take(dims.saturating_add(symbols)) {
                if !is_valid(op, (index, true), scope, &mut steps)
                    && !is_valid(op, (index, false), scope, &mut steps)
                {
                    return Err(VerifyFailure::op(format!(
                        "{what} must be a valid dimension or symbol identifier"
                    )));
                }
            }
        }
        Ok(())
    }
}
