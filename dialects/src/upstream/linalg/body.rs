//! Regions of structured operations: builds them from the definition's description, and compares
//! existing ones with it.

use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, MadeOperation, Place};
use rmlir_ir::definition::{BodyStep, LlvmFeature, Presence};
use rmlir_ir::{
    AttributeKind, Context, Location, Module, NamedAttribute, Operation, Region, Type, TypeKind,
    Value,
};

/// A scalar function, and the operations that implement it for complex numbers, floats, integers
/// and `i1`; empty if there is none.
struct Function {
    name: &'static str,
    complex: &'static str,
    float: &'static str,
    integer: &'static str,
    boolean: &'static str,
}

const fn unary(name: &'static str, float: &'static str) -> Function {
    binary(name, ["", float, "", ""])
}

const fn binary(name: &'static str, of: [&'static str; 4]) -> Function {
    let [complex, float, integer, boolean] = of;
    Function {
        name,
        complex,
        float,
        integer,
        boolean,
    }
}

static FUNCTIONS: &[Function] = &[
    unary("abs", "math.absf"),
    binary(
        "add",
        ["complex.add", "arith.addf", "arith.addi", "arith.ori"],
    ),
    unary("ceil", "math.ceil"),
    binary("div", ["complex.div", "arith.divf", "arith.divsi", ""]),
    binary("div_unsigned", ["", "", "arith.divui", ""]),
    unary("erf", "math.erf"),
    unary("exp", "math.exp"),
    unary("floor", "math.floor"),
    unary("log", "math.log"),
    binary(
        "max_signed",
        ["", "arith.maximumf", "arith.maxsi", "arith.maxsi"],
    ),
    binary(
        "max_unsigned",
        ["", "arith.maximumf", "arith.maxui", "arith.maxui"],
    ),
    binary(
        "min_signed",
        ["", "arith.minimumf", "arith.minsi", "arith.minsi"],
    ),
    binary(
        "min_unsigned",
        ["", "arith.minimumf", "arith.minui", "arith.minui"],
    ),
    binary(
        "mul",
        ["complex.mul", "arith.mulf", "arith.muli", "arith.andi"],
    ),
    unary("negf", "arith.negf"),
    unary("powf", "math.powf"),
    unary("round", "math.round"),
    unary("rsqrt", "math.rsqrt"),
    unary("sqrt", "math.sqrt"),
    binary("sub", ["complex.sub", "arith.subf", "arith.subi", ""]),
    unary("tanh", "math.tanh"),
];

/// The value of an operation's attribute in a body.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Number {
    /// `value` of a constant.
    Integer(i64),
    /// `value` of a constant.
    Float(f64),
    /// `dim` of `linalg.index`.
    Dimension(u32),
}

/// The reason why a body cannot be built, or differs.
type Failure = String;

/// An interpreter of body descriptions: [`Builder`] creates the operations one after another,
/// [`Checker`] matches them against existing ones.
trait Maker {
    fn context(&mut self) -> &Context;
    fn type_of(&self, value: Value) -> Type;
    fn argument(&self, number: usize) -> Option<Value>;
    fn make(
        &mut self,
        name: &str,
        operands: &[Value],
        ty: Option<Type>,
        number: Option<Number>,
    ) -> Result<Option<Value>, Failure>;
}

#[derive(Clone, Copy, PartialEq)]
enum Class {
    Complex,
    Float(u32),
    Integer(u32),
    Other,
}

fn class(context: &Context, ty: Type) -> Class {
    match context.type_kind(ty) {
        TypeKind::Complex(_) => Class::Complex,
        TypeKind::Float(kind) => Class::Float(kind.width()),
        TypeKind::Integer { width, .. } => Class::Integer(*width),
        _ => Class::Other,
    }
}

/// Makes an operation with one result of type `ty`, and returns the result.
fn one(
    maker: &mut dyn Maker,
    name: &str,
    operands: &[Value],
    ty: Type,
    number: Option<Number>,
) -> Result<Value, Failure> {
    let made = maker.make(name, operands, Some(ty), number)?;
    made.ok_or_else(|| format!("'{name}' has no result"))
}

/// Evaluates the steps of a body and ends it with `linalg.yield`. `unsigned` decides whether casts
/// without an explicit signedness are unsigned.
fn compute(maker: &mut dyn Maker, steps: &[BodyStep], unsigned: bool) -> Result<(), Failure> {
    let mut stack: Vec<Value> = Vec::new();
    let missing = || "the body is malformed".to_owned();
    let mut last = None;
    for number in 0usize.. {
        match maker.argument(number) {
            Some(value) => last = Some(value),
            None => break,
        }
    }
    let output = maker.type_of(last.ok_or_else(missing)?);
    for step in steps {
        let value = match step {
            BodyStep::Argument(number) => maker.argument(*number).ok_or_else(missing)?,
            BodyStep::Index(dimension) => {
                let index = maker.context().index_type();
                let number = Some(Number::Dimension(*dimension));
                one(maker, "linalg.index", &[], index, number)?
            }
            BodyStep::Constant { ty, value } => {
                let ty = builtin(maker.context(), ty).ok_or_else(missing)?;
                let number = match class(maker.context(), ty) {
                    Class::Float(_) => value.parse().map(Number::Float).ok(),
                    _ => value.parse().map(Number::Integer).ok(),
                };
                let number = Some(number.ok_or_else(missing)?);
                one(maker, "arith.constant", &[], ty, number)?
            }
            BodyStep::Cast { unsigned: own, to } => {
                let value = stack.pop().ok_or_else(missing)?;
                let to = match to {
                    Some(ty) => builtin(maker.context(), ty).ok_or_else(missing)?,
                    None => output,
                };
                cast(maker, value, to, *own || unsigned)?
            }
            BodyStep::Apply {
                function,
                arguments,
            } => {
                let start = stack.len().checked_sub(*arguments).ok_or_else(missing)?;
                let operands = stack.split_off(start);
                match (&**function, operands.as_slice()) {
                    ("scale", &[value, factor]) => scale(maker, value, factor, output, unsigned)?,
                    _ => apply(maker, function, &operands)?,
                }
            }
        };
        stack.push(value);
    }
    maker.make("linalg.yield", &stack, None, None)?;
    Ok(())
}

fn builtin(context: &Context, name: &str) -> Option<Type> {
    match name {
        "f64" => Some(context.f64_type()),
        "i32" => Some(context.i32_type()),
        "i64" => Some(context.i64_type()),
        _ => None,
    }
}

/// Casts a value. For a complex target, each part of a complex value is cast; any other value
/// becomes the real part.
fn cast(maker: &mut dyn Maker, value: Value, to: Type, unsigned: bool) -> Result<Value, Failure> {
    let from = maker.type_of(value);
    let TypeKind::Complex(part) = *maker.context().type_kind(to) else {
        return cast_scalar(maker, value, to, unsigned);
    };
    if from == to {
        return Ok(value);
    }
    let parts = match *maker.context().type_kind(from) {
        TypeKind::Complex(own) => {
            let real = one(maker, "complex.re", &[value], own, None)?;
            let imaginary = one(maker, "complex.im", &[value], own, None)?;
            let real = cast_scalar(maker, real, part, unsigned)?;
            [real, cast_scalar(maker, imaginary, part, unsigned)?]
        }
        TypeKind::Float(_) | TypeKind::Integer { .. } => {
            let real = cast_scalar(maker, value, part, unsigned)?;
            let zero = Some(Number::Float(0.0));
            [real, one(maker, "arith.constant", &[], part, zero)?]
        }
        _ => return Ok(value),
    };
    one(maker, "complex.create", &parts, to, None)
}

/// Casts a value to a type that is not complex.
fn cast_scalar(
    maker: &mut dyn Maker,
    value: Value,
    to: Type,
    unsigned: bool,
) -> Result<Value, Failure> {
    let from = maker.type_of(value);
    if from == to {
        return Ok(value);
    }
    let context = maker.context();
    let index = from == context.index_type();
    let (signed_name, unsigned_name) = match (class(context, from), class(context, to)) {
        (Class::Float(_), Class::Integer(_)) => ("arith.fptosi", "arith.fptoui"),
        (_, Class::Integer(_)) if index => ("arith.index_cast", "arith.index_cast"),
        (Class::Integer(a), Class::Integer(b)) if a < b => ("arith.extsi", "arith.extui"),
        (Class::Integer(a), Class::Integer(b)) if a > b => ("arith.trunci", "arith.trunci"),
        (Class::Integer(_), Class::Float(_)) => ("arith.sitofp", "arith.uitofp"),
        (Class::Float(a), Class::Float(b)) if a < b => ("arith.extf", "arith.extf"),
        (Class::Float(a), Class::Float(b)) if a > b => ("arith.truncf", "arith.truncf"),
        (Class::Float(_), Class::Float(_))
            if context.release().has(LlvmFeature::FloatConversions) =>
        {
            ("arith.convertf", "arith.convertf")
        }
        // As upstream, other values are not cast.
        _ => return Ok(value),
    };
    let name = if unsigned { unsigned_name } else { signed_name };
    one(maker, name, &[value], to, None)
}

/// Multiplies a value by a scale as values of a type; in one operation if all are floats and the
/// value has fewer bits than the result.
fn scale(
    maker: &mut dyn Maker,
    value: Value,
    factor: Value,
    to: Type,
    unsigned: bool,
) -> Result<Value, Failure> {
    let of = [maker.type_of(value), maker.type_of(factor), to];
    let [of_value, of_factor, of_result] = of.map(|ty| class(maker.context(), ty));
    match (of_value, of_factor, of_result) {
        (Class::Float(narrow), Class::Float(_), Class::Float(wide)) if narrow < wide => {
            one(maker, "arith.scaling_extf", &[value, factor], to, None)
        }
        _ => {
            let value = cast(maker, value, to, unsigned)?;
            let factor = cast(maker, factor, to, unsigned)?;
            apply(maker, "mul", &[value, factor])
        }
    }
}

/// Applies a scalar function.
fn apply(maker: &mut dyn Maker, function: &str, operands: &[Value]) -> Result<Value, Failure> {
    let types: Vec<Type> = operands.iter().map(|&v| maker.type_of(v)).collect();
    let context = maker.context();
    let classes: Vec<Class> = types.iter().map(|&ty| class(context, ty)).collect();
    let is_float = |class: &Class| matches!(class, Class::Float(_));
    match (function, operands, types.as_slice()) {
        ("select", _, &[_, yes, _]) => return one(maker, "arith.select", operands, yes, None),
        ("square", &[value], &[ty]) if classes.iter().all(is_float) => {
            return one(maker, "arith.mulf", &[value, value], ty, None);
        }
        ("reciprocal", &[value], &[ty]) if classes.iter().all(is_float) => {
            let first = one(maker, "arith.constant", &[], ty, Some(Number::Float(1.0)))?;
            return one(maker, "arith.divf", &[first, value], ty, None);
        }
        _ => {}
    }
    let row = FUNCTIONS.iter().find(|row| row.name == function);
    let all = |is: fn(&Class) -> bool| classes.iter().all(is);
    let name = row.map_or("", |row| {
        if all(|class| *class == Class::Complex) {
            row.complex
        } else if all(|class| matches!(class, Class::Float(_))) {
            row.float
        } else if all(|class| *class == Class::Integer(1)) {
            row.boolean
        } else if all(|class| matches!(class, Class::Integer(_))) {
            row.integer
        } else {
            ""
        }
    });
    match types.split_first() {
        Some((&ty, rest)) if !name.is_empty() && rest.iter().all(|&other| other == ty) => {
            one(maker, name, operands, ty, None)
        }
        _ => Err(format!(
            "the region of this operation cannot be built: '{function}' is not defined for the types of its operands"
        )),
    }
}

/// Creates the operations in a new region.
struct Builder<'p> {
    parser: &'p mut dyn AsmParser,
    region: Region,
    arguments: Vec<Value>,
    location: Option<Location>,
}

impl Maker for Builder<'_> {
    fn context(&mut self) -> &Context {
        self.parser.context()
    }

    fn type_of(&self, value: Value) -> Type {
        self.parser.module().value_type(value)
    }

    fn argument(&self, number: usize) -> Option<Value> {
        self.arguments.get(number).copied()
    }

    fn make(
        &mut self,
        name: &str,
        operands: &[Value],
        ty: Option<Type>,
        number: Option<Number>,
    ) -> Result<Option<Value>, Failure> {
        let context = self.parser.context();
        let i64_type = context.i64_type();
        let value = match number.zip(ty) {
            None => None,
            Some((Number::Integer(value), ty)) => {
                Some(("value", context.wrapping_integer_attribute(ty, value)))
            }
            Some((Number::Float(value), ty)) => Some(("value", context.float_attribute(ty, value))),
            Some((Number::Dimension(dim), _)) => {
                Some(("dim", context.integer_attribute(i64_type, dim.into())))
            }
        };
        let mut properties: Vec<NamedAttribute> = Vec::new();
        if let Some((name, value)) = value {
            let value = value.map_err(|error| error.message().to_owned())?;
            properties.push((context.identifier(name), value));
        }
        let result_types: Vec<Type> = ty.into_iter().collect();
        let new = MadeOperation {
            name,
            operands,
            result_types: &result_types,
            properties: &properties,
            location: self.location,
            ..MadeOperation::default()
        };
        let made = self.parser.make_operation(self.region, &new);
        let made = made.map_err(|error| error.message().to_owned())?;
        Ok(self.parser.module().result(made, 0))
    }
}

/// Creates the region of an operation being parsed: a block with these arguments that computes a
/// body. Errors are reported at `place`; the operations get `location`, or the unknown one.
pub(super) fn make(
    parser: &mut dyn AsmParser,
    arguments: &[(Type, Option<Location>)],
    steps: &[BodyStep],
    unsigned: bool,
    (place, location): (Place, Option<Location>),
) -> AsmResult<Region> {
    let region = parser.make_region(arguments);
    let module = parser.module();
    let block = module.first_block(region);
    let arguments = block.into_iter().flat_map(|block| module.arguments(block));
    let arguments: Vec<Value> = arguments.map(|(value, _)| value).collect();
    let mut builder = Builder {
        parser,
        region,
        arguments,
        location,
    };
    compute(&mut builder, steps, unsigned).map_err(|error| AsmError::new(place, error))?;
    Ok(region)
}

/// Matches operations in an existing region.
struct Checker<'m> {
    context: &'m Context,
    module: &'m Module,
    arguments: Vec<Value>,
    next: Option<Operation>,
}

impl Maker for Checker<'_> {
    fn context(&mut self) -> &Context {
        self.context
    }

    fn type_of(&self, value: Value) -> Type {
        self.module.value_type(value)
    }

    fn argument(&self, number: usize) -> Option<Value> {
        self.arguments.get(number).copied()
    }

    fn make(
        &mut self,
        name: &str,
        operands: &[Value],
        ty: Option<Type>,
        number: Option<Number>,
    ) -> Result<Option<Value>, Failure> {
        let other = || "another operation".to_owned();
        let found = self.next.ok_or_else(other)?;
        let (context, module) = (self.context, self.module);
        self.next = module.next_operation(found);
        let result = module.result(found, 0);
        let fits = context.operation_name_bytes(module.name(found)) == name.as_bytes()
            && module.operands(found).eq(operands.iter().copied())
            && crate::func::has_shape(module, found, operands.len(), usize::from(ty.is_some()), 0)
            && result.map(|value| module.value_type(value)) == ty
            && module.discardable_attributes(context, found).is_empty()
            && has_attributes(context, module, found, number);
        match fits {
            true => Ok(result),
            false => Err(other()),
        }
    }
}

/// Returns whether an operation has the attribute `number` and otherwise only defaults.
fn has_attributes(
    context: &Context,
    module: &Module,
    operation: Operation,
    number: Option<Number>,
) -> bool {
    let Some(definition) = context.operation_definition(module.name(operation)) else {
        return false;
    };
    let mut found = None;
    let mut plain = true;
    for &(name, value) in module.inherent_attributes(context, operation).iter() {
        let name = context.str(name);
        match (&*name, context.attribute_kind(value)) {
            ("value", AttributeKind::Integer { value, .. }) => {
                found = value.to_i64().map(Number::Integer);
            }
            ("value", AttributeKind::Float { ty, bits }) => {
                if let TypeKind::Float(kind) = context.type_kind(*ty) {
                    found = Some(Number::Float(rmlir_ir::float::to_f64(*kind, *bits)));
                }
            }
            ("dim", AttributeKind::Integer { value, .. }) => {
                let dim = value.to_i64().and_then(|dim| u32::try_from(dim).ok());
                found = dim.map(Number::Dimension);
            }
            (name, AttributeKind::Dialect { dialect, body, .. }) => {
                let text = [b"#", context.bytes(*dialect), b".", body.text()].concat();
                let known = definition.attribute(name, context.release());
                plain &= known.is_some_and(|known| {
                    known.presence == Presence::Default
                        && known.default.as_ref().map(|d| d.as_bytes()) == Some(&text)
                });
            }
            _ => plain = false,
        }
    }
    plain && found == number
}

/// Returns whether a region consists of one block with these arguments that computes exactly these
/// steps.
pub(super) fn is_body(
    context: &Context,
    module: &Module,
    region: Option<Region>,
    types: &[Type],
    steps: &[BodyStep],
    unsigned: bool,
) -> bool {
    let block = region.and_then(|region| module.first_block(region));
    let Some(block) = block.filter(|&block| module.next_block(block).is_none()) else {
        return false;
    };
    let arguments: Vec<Value> = module.arguments(block).map(|(value, _)| value).collect();
    let found = arguments.iter().map(|&value| module.value_type(value));
    if !found.eq(types.iter().copied()) {
        return false;
    }
    let mut checker = Checker {
        context,
        module,
        arguments,
        next: module.first_operation(block),
    };
    compute(&mut checker, steps, unsigned).is_ok() && checker.next.is_none()
}
