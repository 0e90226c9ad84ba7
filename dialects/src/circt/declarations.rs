//! Declarations: sources of `sv`, functions in C of `sim`, patterns of `synth`.

use super::firrtl::{set_visibility, visibility_of};
use super::members::DPI_DIRECTIONS;
use super::parameters::{ParameterDeclaration, parameter_attribute, parameter_declarations};
use crate::func::has_shape;
use crate::function::{VISIBILITIES, entry_block, types_of};
use crate::helpers::property;
use crate::two_way::signature::FunctionSignature;
use crate::two_way::{
    Asm, Name as _, TwoWay, invalid, items, other_attributes, plain_string, string_array,
};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Location, Module, NamedAttribute, Operation, Signedness,
    Type, TypeKind,
};

/// The syntax of `sv.verbatim.source`: `private @name<WIDTH: i32> attributes {...}`.
#[derive(Debug)]
pub(crate) struct VerbatimSource;

/// The text of [`VerbatimSource`] and [`DpiFunction`].
#[derive(Default)]
pub(crate) struct DeclarationContent {
    place: Option<usize>,
    visibility: Option<usize>,
    name: Vec<u8>,
    parameters: Vec<ParameterDeclaration>,
    arguments: Vec<DpiArgument>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for VerbatimSource {
    type Content = DeclarationContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<DeclarationContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let elided = ["sym_name", "parameters", "sym_visibility"];
        Some(DeclarationContent {
            visibility: visibility_of(context, module, operation)?,
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            parameters: parameter_declarations(context, attribute("parameters"), "hw")?,
            attributes: other_attributes(context, module, operation, &elided),
            ..DeclarationContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut DeclarationContent) -> AsmResult<()> {
        asm.space(" ");
        asm.optional_choice(&VISIBILITIES, &mut content.visibility);
        asm.symbol_name(&mut content.name)?;
        ParameterDeclaration::list(asm, &mut content.parameters)?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut DeclarationContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        set_visibility(parser, operation, content.visibility);
        let context = parser.context();
        let name = context.string_attribute(&content.name);
        let parameters = parameter_attribute(context, &content.parameters, "hw");
        property(parser, operation, "sym_name", name);
        property(parser, operation, "parameters", parameters);
        Ok(None)
    }
}

/// The syntax of `sim.func.dpi` and `moore.func.dpi`: `@name(in %a : type, out b : type) attributes
/// {...}`.
#[derive(Debug)]
pub(crate) struct DpiFunction {
    /// Whether the arguments are a type, `!sim.dpi_functy`. Otherwise they are a function type and
    /// arrays of directions and names.
    pub(crate) has_type: bool,
}

impl DpiFunction {
    /// Returns the attributes that the text has before the dictionary.
    fn elided(&self) -> &'static [&'static str] {
        match self.has_type {
            true => &[
                "sym_name",
                "sym_visibility",
                "argument_locs",
                "dpi_function_type",
            ],
            false => &[
                "sym_name",
                "sym_visibility",
                "argument_locs",
                "function_type",
                "dpi_arg_dirs",
                "dpi_arg_names",
            ],
        }
    }

    /// Returns the directions of arguments.
    fn directions(&self) -> &'static [&'static str] {
        match self.has_type {
            true => &DPI_DIRECTIONS,
            false => DPI_DIRECTIONS.split_last().map_or(&[], |all| all.1),
        }
    }
}

/// An argument of a function in C.
#[derive(Default)]
struct DpiArgument {
    direction: usize,
    name: Vec<u8>,
    ty: Option<Type>,
    location: Option<Location>,
}

impl DpiArgument {
    fn text(&mut self, asm: &mut Asm<'_, '_>, directions: &[&str]) -> AsmResult<()> {
        asm.choice(directions, &mut self.direction)?;
        asm.space(" ");
        // A call has operands for `in`, `inout` and `ref`.
        let is_value = matches!(self.direction, 0 | 2 | 4);
        match asm {
            Asm::Parser(parser) if is_value => {
                let value = parser.operand_name()?;
                self.name = crate::two_way::spelled_name(&**parser, value).to_vec();
            }
            Asm::Printer(printer) if is_value => {
                printer.text("%");
                self.name.print_word(&mut **printer);
            }
            _ => asm.word(&mut self.name)?,
        }
        asm.token(":", " : ")?;
        asm.ty(&mut self.ty)?;
        asm.location(None, &mut self.location)
    }
}

/// Returns the arguments of a type `!sim.dpi_functy`.
fn arguments(context: &Context, ty: Attribute) -> Option<Vec<DpiArgument>> {
    let AttributeKind::Type(ty) = context.attribute_kind(ty) else {
        return None;
    };
    let parameters = context.parameters(*ty).ok()?;
    let directions = parameters.get("directions")?.items();
    let names = parameters.get("names")?.items();
    let types = parameters.get("types")?.items();
    let all = directions.zip(names).zip(types);
    all.map(|((direction, name), ty)| {
        Some(DpiArgument {
            direction: usize::try_from(direction.integer()?).ok()?,
            name: name.bytes()?.to_vec(),
            ty: Some(ty.ty()?),
            location: None,
        })
    })
    .collect()
}

/// Returns the arguments of a function with arrays of directions and names.
fn listed_arguments(
    context: &Context,
    ty: Option<Attribute>,
    directions: Option<Attribute>,
    names: Option<Attribute>,
) -> Option<Vec<DpiArgument>> {
    let (inputs, results) = types_of(context, ty)?;
    let (directions, names) = (items(context, directions)?, items(context, names)?);
    let (mut inputs, mut results) = (inputs.iter(), results.iter());
    let all = directions.iter().zip(names);
    let all = all.map(|(&direction, &name)| {
        let AttributeKind::Integer { ty, value } = context.attribute_kind(direction) else {
            return None;
        };
        let is_number = matches!(
            context.type_kind(*ty),
            TypeKind::Integer {
                width: 32,
                signedness: Signedness::Signless
            }
        );
        let direction = usize::try_from(value.to_i64().filter(|_| is_number)?).ok()?;
        let ty = match *DPI_DIRECTIONS.get(direction)? {
            "in" => inputs.next()?,
            "out" | "return" => results.next()?,
            "inout" => inputs.next().filter(|&ty| results.next() == Some(ty))?,
            _ => return None,
        };
        Some(DpiArgument {
            direction,
            name: plain_string(context, Some(name))?.to_vec(),
            ty: Some(*ty),
            location: None,
        })
    });
    let all: Vec<DpiArgument> = all.collect::<Option<_>>()?;
    let is_whole =
        inputs.next().is_none() && results.next().is_none() && directions.len() == names.len();
    is_whole.then_some(all)
}

/// Sets a function type and the arrays of directions and names.
fn set_lists(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    all: &[DpiArgument],
    place: Option<usize>,
) -> AsmResult<()> {
    let word = |one: &DpiArgument| DPI_DIRECTIONS.get(one.direction).copied();
    let is_input = |one: &&DpiArgument| matches!(word(one), Some("in" | "inout"));
    let is_result = |one: &&DpiArgument| word(one) != Some("in");
    let inputs: Vec<Type> = all
        .iter()
        .filter(is_input)
        .filter_map(|one| one.ty)
        .collect();
    let results: Vec<Type> = all
        .iter()
        .filter(is_result)
        .filter_map(|one| one.ty)
        .collect();
    let context = parser.context();
    let ty = context.function_type(&inputs, &results);
    let ty = context.type_attribute(ty);
    let i32 = context.integer_type(32);
    let mut directions = Vec::new();
    for one in all {
        let number = i64::try_from(one.direction).unwrap_or_default();
        let number = context.integer_attribute(i32, number);
        directions.push(number.map_err(invalid(place))?);
    }
    let directions = context.array_attribute(&directions);
    let names: Vec<&[u8]> = all.iter().map(|one| &*one.name).collect();
    let names = string_array(context, &names);
    property(parser, operation, "function_type", ty);
    property(parser, operation, "dpi_arg_dirs", directions);
    property(parser, operation, "dpi_arg_names", names);
    Ok(())
}

/// Sets the type that has all arguments.
fn set_type(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    all: &[DpiArgument],
    place: Option<usize>,
) -> AsmResult<()> {
    let direction = |one: &DpiArgument| i64::try_from(one.direction).unwrap_or_default();
    let name = |one: &DpiArgument| String::from_utf8_lossy(&one.name).into_owned();
    let directions: Vec<i64> = all.iter().map(direction).collect();
    let names: Vec<String> = all.iter().map(name).collect();
    let types: Vec<Type> = all.iter().filter_map(|one| one.ty).collect();
    let context = parser.context();
    let builder = context.build_type("sim.dpi_functy");
    let builder = builder.with("directions", directions).with("names", names);
    let ty = builder.with("types", types).build();
    let ty = context.type_attribute(ty.map_err(invalid(place))?);
    property(parser, operation, "dpi_function_type", ty);
    Ok(())
}

impl TwoWay for DpiFunction {
    type Content = DeclarationContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<DeclarationContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let mut arguments = match self.has_type {
            true => arguments(context, attribute("dpi_function_type")?)?,
            false => {
                let [ty, directions, names] =
                    ["function_type", "dpi_arg_dirs", "dpi_arg_names"].map(attribute);
                listed_arguments(context, ty, directions, names)?
            }
        };
        if let Some(locations) = attribute("argument_locs") {
            let locations = items(context, Some(locations))?;
            for (argument, &location) in arguments.iter_mut().zip(locations) {
                match context.attribute_kind(location) {
                    AttributeKind::Location(location) => argument.location = Some(*location),
                    _ => return None,
                }
            }
            (locations.len() == arguments.len()).then_some(())?;
        }
        let is_declaration = entry_block(module, operation).is_none();
        let is_lossless = is_declaration && has_shape(module, operation, 0, 0, 1);
        is_lossless.then_some(())?;
        Some(DeclarationContent {
            visibility: visibility_of(context, module, operation)?,
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            arguments,
            attributes: other_attributes(context, module, operation, self.elided()),
            ..DeclarationContent::default()
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut DeclarationContent) -> AsmResult<()> {
        asm.space(" ");
        content.place = asm.place();
        asm.optional_choice(&VISIBILITIES, &mut content.visibility);
        asm.symbol_name(&mut content.name)?;
        asm.list(("(", ")"), &mut content.arguments, |asm, one| {
            one.text(asm, self.directions())
        })?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut DeclarationContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        set_visibility(parser, operation, content.visibility);
        let all = &content.arguments;
        match self.has_type {
            true => set_type(parser, operation, all, content.place)?,
            false => set_lists(parser, operation, all, content.place)?,
        }
        let context = parser.context();
        let unknown = context.unknown_location();
        let locations = all.iter().map(|one| one.location.unwrap_or(unknown));
        let locations: Vec<Attribute> = locations
            .map(|location| context.location_attribute(location))
            .collect();
        let locations = context.array_attribute(&locations);
        let name = context.string_attribute(&content.name);
        property(parser, operation, "sym_name", name);
        if all.iter().any(|one| one.location.is_some()) {
            property(parser, operation, "argument_locs", locations);
        }
        operation.empty_regions = 1;
        Ok(None)
    }
}

/// The syntax of `synth.cut_rewrite_pattern`: `(%a: i1) -> i1 attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct Pattern;

/// The text of [`Pattern`].
#[derive(Default)]
pub(crate) struct PatternContent {
    signature: FunctionSignature,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Pattern {
    type Content = PatternContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<PatternContent> {
        let ty = module.attribute(context, operation, "function_type");
        let (inputs, results) = types_of(context, ty)?;
        let region = module.region(operation, 0);
        let is_lossless = has_shape(module, operation, 0, 0, 1)
            && crate::helpers::is_single_block(module, region, inputs);
        is_lossless.then_some(())?;
        let [inputs, results] = [inputs, results].map(|all| all.iter().copied().map(Some));
        Some(PatternContent {
            signature: FunctionSignature::of(context, module, operation, inputs, results)?,
            attributes: other_attributes(context, module, operation, &["function_type"]),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut PatternContent) -> AsmResult<()> {
        asm.signature(&mut content.signature, false)?;
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut PatternContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        let ty = content.signature.function_type(parser.context());
        property(parser, operation, "function_type", ty);
        Ok(Some(content.signature.entry_arguments(parser)))
    }
}

/// The syntax of `esi.manifest.service_impl`:
/// `#esi.appid<...> svc @s std "..." by "..." engine with {...} attributes {...} {...}`.
#[derive(Debug)]
pub(crate) struct ServiceImplementation;

/// The text of [`ServiceImplementation`].
#[derive(Default)]
pub(crate) struct ServiceContent {
    id: Option<Attribute>,
    has_service: bool,
    service: Option<Attribute>,
    has_standard: bool,
    standard: Option<Attribute>,
    name: Option<Attribute>,
    is_engine: bool,
    details: Option<Attribute>,
    attributes: Vec<NamedAttribute>,
    has_body: bool,
}

/// The attributes that the text of a service has elsewhere.
const SERVICE: [&str; 6] = [
    "appID",
    "isEngine",
    "service",
    "stdService",
    "serviceImplName",
    "implDetails",
];

impl TwoWay for ServiceImplementation {
    type Content = ServiceContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ServiceContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let [id, engine, service, standard, name, details] = SERVICE.map(attribute);
        let body = entry_block(module, operation)?;
        let is_lossless = has_shape(module, operation, 0, 0, 1)
            && super::loops::is_body(module, operation, 0, &[])
            && super::fields::is_attribute_of(context, id?, "esi", "appid")
            && crate::helpers::is_unit(context, engine)
            && (service.is_none() || super::firrtl::flat(context, service).is_some())
            && (standard.is_none() || plain_string(context, standard).is_some())
            && plain_string(context, name).is_some()
            && matches!(
                context.attribute_kind(details?),
                AttributeKind::Dictionary(_)
            );
        is_lossless.then(|| ServiceContent {
            id,
            has_service: service.is_some(),
            service,
            has_standard: standard.is_some(),
            standard,
            name,
            is_engine: engine.is_some(),
            details,
            attributes: other_attributes(context, module, operation, &SERVICE),
            has_body: module.first_operation(body).is_some(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ServiceContent) -> AsmResult<()> {
        asm.space(" ");
        asm.attribute(&mut content.id)?;
        asm.optional("svc", " svc ", &mut content.has_service);
        if content.has_service {
            asm.symbol_reference(&mut content.service, "expected a symbol reference")?;
        }
        asm.optional("std", " std ", &mut content.has_standard);
        if content.has_standard {
            asm.string_as_attribute(&mut content.standard)?;
        }
        asm.token("by", " by ")?;
        asm.string_as_attribute(&mut content.name)?;
        asm.optional("engine", " engine", &mut content.is_engine);
        asm.token("with", " with ")?;
        asm.attribute(&mut content.details)?;
        asm.dictionary_with_keyword(&mut content.attributes)?;
        content.has_body = asm.is_there("{", content.has_body);
        if !content.has_body {
            asm.space(" ");
        }
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ServiceContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        let engine = content.is_engine.then(|| parser.context().unit_attribute());
        let values = [
            content.id,
            engine,
            content.service,
            content.standard,
            content.name,
            content.details,
        ];
        for (name, value) in SERVICE.into_iter().zip(values) {
            if let Some(value) = value {
                property(parser, operation, name, value);
            }
        }
        if content.has_body {
            return Ok(Some(Vec::new()));
        }
        let region = parser.make_region(&[]);
        operation.regions.push(region);
        Ok(None)
    }

    fn shows_region(&self, content: &ServiceContent) -> bool {
        content.has_body
    }
}
