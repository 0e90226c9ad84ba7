//! Modules of `hw`, and what is declared like them.

use super::firrtl::{flat, name_in_text, set_visibility, visibility_of};
use super::parameters::{ParameterDeclaration, parameter_attribute, parameter_declarations};
use crate::function::{VISIBILITIES, entry_block};
use crate::helpers::property;
use crate::two_way::{Asm, Name as _, Named, TwoWay, items, other_attributes, plain_string};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument, ValueNames};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Location, Module, NamedAttribute, Operation, Region, Type,
    Value,
};

/// A port of a module.
#[derive(Default, Debug)]
struct Port {
    /// The index of its direction in [`DIRECTIONS`].
    direction: usize,
    name: Vec<u8>,
    value: Named,
    ty: Option<Type>,
    attributes: Vec<NamedAttribute>,
    location: Option<Location>,
}

const OUTPUT: usize = 1;
const INOUT: usize = 2;

/// The directions of ports in the text of modules.
const DIRECTIONS: [&str; 3] = ["in", "out", "inout"];

impl Port {
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        asm.choice(&DIRECTIONS, &mut self.direction)?;
        asm.space(" ");
        let place = asm.place();
        if self.direction == OUTPUT {
            asm.word(&mut self.name)?;
        } else {
            match asm {
                Asm::Parser(parser) => {
                    self.value.name = Some(parser.operand_name()?);
                    let name = match parser.optional_keyword() {
                        Some(name) => Some(name),
                        None => parser.optional_string(),
                    };
                    self.name = match name {
                        Some(name) => parser.context().bytes(name).to_vec(),
                        None => name_in_text(&**parser, self.value),
                    };
                }
                Asm::Printer(printer) => match self.value.value {
                    Some(value) => {
                        printer.operand(value);
                        if printer.value_name(value) != self.name {
                            printer.text(" ");
                            self.name.print_word(&mut **printer);
                        }
                    }
                    None => {
                        printer.text("%");
                        printer.text(&String::from_utf8_lossy(&self.name));
                    }
                },
            }
        }
        asm.token(":", " : ")?;
        asm.ty(&mut self.ty)?;
        asm.dictionary(&mut self.attributes)?;
        asm.location(place, &mut self.location)
    }
}

/// The words of directions in `!hw.modty`.
pub(crate) const TYPE_DIRECTIONS: [&str; 3] = ["input", "output", "inout"];

/// Returns the ports of a module's type.
fn ports_of_type(context: &Context, ty: Option<Attribute>) -> Option<Vec<Port>> {
    let AttributeKind::Type(ty) = context.attribute_kind(ty?) else {
        return None;
    };
    let parameters = context.parameters(*ty).ok()?;
    let directions = parameters.get("directions")?.items();
    let names = parameters.get("names")?.items();
    let types = parameters.get("types")?.items();
    let all = directions.zip(names).zip(types);
    all.map(|((direction, name), ty)| {
        Some(Port {
            direction: usize::try_from(direction.integer()?).ok()?,
            name: name.bytes()?.to_vec(),
            ty: Some(ty.ty()?),
            ..Port::default()
        })
    })
    .collect()
}

/// Returns the names of the ports of a module's type.
pub(super) fn port_names(context: &Context, ty: Option<Attribute>) -> Vec<Vec<u8>> {
    let ports = ports_of_type(context, ty).unwrap_or_default();
    ports.into_iter().map(|port| port.name).collect()
}

/// Returns the type `!hw.modty` of ports.
fn type_of_ports(parser: &mut dyn AsmParser, ports: &[Port]) -> AsmResult<Attribute> {
    let place = parser.place();
    let number = |port: &Port| i64::try_from(port.direction).unwrap_or(0);
    let names: Vec<String> = ports
        .iter()
        .map(|port| String::from_utf8_lossy(&port.name).into_owned())
        .collect();
    let types: Vec<Type> = ports.iter().filter_map(|port| port.ty).collect();
    let directions: Vec<i64> = ports.iter().map(number).collect();
    let context = parser.context();
    let ty = context
        .build_type("hw.modty")
        .with("names", names)
        .with("types", types)
        .with("directions", directions)
        .build();
    let ty = ty.map_err(|error| AsmError::new(place, error.message()))?;
    Ok(context.type_attribute(ty))
}

/// Whether a module has a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Body {
    /// It has the region, without a block.
    Empty,
    /// It has no region.
    None,
    /// It has a body with this terminator.
    Ends(&'static str),
    /// It has a body, or the region without a block.
    Optional,
}

/// When there is a list of something of each port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Listed {
    /// If a port has any.
    IfAny,
    /// If there are ports.
    IfPorts,
    /// Always.
    Always,
    /// Never. The operation has no attribute with the locations of its output ports.
    Never,
}

/// The syntax of `hw.module` and of operations that are declared like it.
#[derive(Debug)]
pub(crate) struct ModuleLike {
    pub(crate) body: Body,
    /// A reference after the name: the attribute `generatorKind`.
    pub(crate) has_generator: bool,
    pub(crate) has_parameters: bool,
    /// The array of the attributes of ports.
    pub(crate) attributes: &'static str,
    pub(crate) listed: Listed,
}

/// Which ports an array of locations is about, and its name.
type Locations = (fn(&Port) -> bool, &'static str);

const OF_OUTPUTS: Locations = (|port| port.direction == OUTPUT, "result_locs");
const OF_INPUTS: Locations = (|port| port.direction != OUTPUT, "input_locs");
const OF_ALL: Locations = (|_| true, "port_locs");

impl ModuleLike {
    /// Returns the arrays of the locations of ports that are not arguments of the body.
    fn locations(&self, has_body: bool) -> &'static [Locations] {
        match self.body {
            _ if self.listed == Listed::Never => &[],
            Body::Ends(_) => &[OF_OUTPUTS],
            Body::Optional if has_body => &[OF_OUTPUTS],
            Body::Optional => &[OF_OUTPUTS, OF_INPUTS],
            Body::Empty | Body::None => &[OF_ALL],
        }
    }

    /// Returns whether there is a list about these ports, of which one `has_any`.
    fn lists(&self, ports: &[Port], has_any: bool) -> bool {
        match self.listed {
            Listed::IfAny => has_any,
            Listed::IfPorts => !ports.is_empty(),
            Listed::Always => true,
            Listed::Never => false,
        }
    }
}

/// The text of a module.
#[derive(Default)]
pub(crate) struct ModuleContent {
    visibility: Option<usize>,
    name: Vec<u8>,
    generator: Vec<u8>,
    parameters: Vec<ParameterDeclaration>,
    ports: Vec<Port>,
    attributes: Vec<NamedAttribute>,
    has_body: bool,
}

impl TwoWay for ModuleLike {
    type Content = ModuleContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<ModuleContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let mut ports = ports_of_type(context, attribute("module_type"))?;
        let entry = entry_block(module, operation);
        let regions = usize::from(self.body != Body::None);
        let is_body = match self.body {
            Body::Ends(_) => entry.is_some(),
            Body::Empty | Body::None => entry.is_none(),
            Body::Optional => true,
        };
        if !is_body || !crate::func::has_shape(module, operation, 0, 0, regions) {
            return None;
        }
        let list = attribute(self.attributes);
        let is_said = |&entry: &Attribute| !context.dictionary_entries(entry).is_empty();
        let any = list.is_some_and(|list| {
            items(context, Some(list))
                .unwrap_or_default()
                .iter()
                .any(is_said)
        });
        // The text has a list of empty dictionaries only if it always has one.
        if list.is_some() != self.lists(&ports, any) {
            return None;
        }
        if let Some(list) = list {
            let list = items(context, Some(list))?;
            if list.len() != ports.len() {
                return None;
            }
            for (port, &entry) in ports.iter_mut().zip(list) {
                port.attributes = context.dictionary_entries(entry).to_vec();
            }
        }
        let all_locations = self.locations(entry.is_some());
        for (is_located, name) in all_locations {
            let locations = match attribute(name) {
                Some(locations) => items(context, Some(locations))?,
                None => &[],
            };
            let mut located = ports.iter_mut().filter(|port| is_located(port));
            for &location in locations {
                let AttributeKind::Location(location) = context.attribute_kind(location) else {
                    return None;
                };
                located.next()?.location = Some(*location);
            }
        }
        if let Some(block) = entry {
            let inputs = ports.iter_mut().filter(|port| port.direction != OUTPUT);
            let mut arguments = module.arguments(block);
            for port in inputs {
                let (value, location) = arguments.next()?;
                let is_same = match port.direction {
                    INOUT => inout_element(context, module.value_type(value)) == port.ty,
                    _ => Some(module.value_type(value)) == port.ty,
                };
                if !is_same {
                    return None;
                }
                port.value = Named::of(value);
                port.location = Some(location);
            }
            if arguments.next().is_some() || module.next_block(block).is_some() {
                return None;
            }
        }
        let mut elided = vec!["sym_name", "sym_visibility", "module_type", self.attributes];
        elided.extend(self.has_parameters.then_some("parameters"));
        elided.extend(all_locations.iter().map(|one| one.1));
        elided.extend(self.has_generator.then_some("generatorKind"));
        Some(ModuleContent {
            visibility: visibility_of(context, module, operation)?,
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            generator: match self.has_generator {
                true => flat(context, attribute("generatorKind"))?.to_vec(),
                false => Vec::new(),
            },
            parameters: match self.has_parameters {
                true => parameter_declarations(context, attribute("parameters"), "hw")?,
                false => Vec::new(),
            },
            ports,
            attributes: other_attributes(context, module, operation, &elided),
            has_body: entry.is_some(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ModuleContent) -> AsmResult<()> {
        asm.space(" ");
        asm.optional_choice(&VISIBILITIES, &mut content.visibility);
        asm.symbol_name(&mut content.name)?;
        if self.has_generator {
            asm.token(",", ", ")?;
            asm.symbol_name(&mut content.generator)?;
        }
        if self.has_parameters {
            ParameterDeclaration::list(asm, &mut content.parameters)?;
        }
        asm.list(("(", ")"), &mut content.ports, |asm, port| port.text(asm))?;
        asm.dictionary_with_keyword(&mut content.attributes)?;
        content.has_body = match self.body {
            Body::Ends(_) => true,
            Body::Empty | Body::None => false,
            Body::Optional => asm.is_there("{", content.has_body),
        };
        Ok(())
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ModuleContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let ports = &content.ports;
        operation.attributes = std::mem::take(&mut content.attributes);
        set_visibility(parser, operation, content.visibility);
        let name = parser.context().string_attribute(&content.name);
        property(parser, operation, "sym_name", name);
        if self.has_generator {
            let kind = parser.context().symbol_ref_attribute(&content.generator);
            property(parser, operation, "generatorKind", kind);
        }
        if self.has_parameters {
            let value = parameter_attribute(parser.context(), &content.parameters, "hw");
            property(parser, operation, "parameters", value);
        }
        let ty = type_of_ports(parser, ports)?;
        property(parser, operation, "module_type", ty);
        let place = parser.place();
        let context = parser.context();
        if self.lists(ports, ports.iter().any(|port| !port.attributes.is_empty())) {
            let mut lists = Vec::new();
            for port in ports {
                let list = context.dictionary_attribute(&port.attributes);
                lists.push(list.map_err(|error| AsmError::new(place, error.message()))?);
            }
            let list = context.array_attribute(&lists);
            property(parser, operation, self.attributes, list);
        }
        for (is_located, name) in self.locations(content.has_body) {
            let context = parser.context();
            let unknown = context.unknown_location();
            let located = ports.iter().filter(|port| is_located(port));
            let locations: Vec<Location> = located
                .map(|port| port.location.unwrap_or(unknown))
                .collect();
            let has_any = locations.iter().any(|&location| location != unknown);
            if has_any || self.listed == Listed::IfPorts && !locations.is_empty() {
                let locations: Vec<Attribute> = locations
                    .into_iter()
                    .map(|location| context.location_attribute(location))
                    .collect();
                let locations = context.array_attribute(&locations);
                property(parser, operation, name, locations);
            }
        }
        if !content.has_body {
            operation.empty_regions = usize::from(self.body != Body::None);
            return Ok(None);
        }
        let mut arguments = parser.argument_list();
        for port in ports.iter().filter(|port| port.direction != OUTPUT) {
            let (Some(name), Some(ty)) = (port.value.name, port.ty) else {
                continue;
            };
            let ty = match port.direction {
                INOUT => inout_of(parser, ty)?,
                _ => ty,
            };
            arguments.push(RegionArgument {
                name,
                ty,
                location: port.location,
            });
        }
        Ok(Some(arguments))
    }

    fn terminator(&self) -> Option<&'static str> {
        match self.body {
            Body::Ends(terminator) => Some(terminator),
            _ => None,
        }
    }

    fn shows_terminator(&self, _: &Context, _: &Module, _: Operation, _: usize) -> bool {
        true
    }
}

/// Returns the type in `!hw.inout<T>`.
fn inout_element(context: &Context, ty: Type) -> Option<Type> {
    if !crate::helpers::is_of(context, ty, "hw", "inout") {
        return None;
    }
    context.parameter(ty, "elementType")?.ty()
}

/// Returns `!hw.inout<T>`.
fn inout_of(parser: &mut dyn AsmParser, ty: Type) -> AsmResult<Type> {
    let place = parser.place();
    let builder = parser.context().build_type("hw.inout");
    let made = builder.with("elementType", ty).build();
    made.map_err(|error| AsmError::new(place, error.message()))
}

/// Names the arguments of a module's body after its ports.
#[derive(Debug)]
pub(crate) struct PortNames;

impl ValueNames for PortNames {
    fn argument_names(
        &self,
        context: &Context,
        module: &Module,
        region: Region,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let (Some(operation), Some(block)) =
            (module.region_parent(region), module.first_block(region))
        else {
            return;
        };
        let ty = module.attribute(context, operation, "module_type");
        let ports = ports_of_type(context, ty).unwrap_or_default();
        let inputs = ports.iter().filter(|port| port.direction != OUTPUT);
        for ((value, _), port) in module.arguments(block).zip(inputs) {
            name(value, &String::from_utf8_lossy(&port.name));
        }
    }
}
