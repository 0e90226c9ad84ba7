//! Modules, classes and instances of `firrtl`.

use super::parameters::{ParameterDeclaration, parameter_attribute, parameter_declarations};
use crate::function::{VISIBILITIES, entry_block};
use crate::helpers::{dialect_attribute, property};
use crate::two_way::{
    Asm, Named, TwoWay, inner_symbol, items, other_attributes, plain_string, spelled_name,
    string_array,
};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Location, Module, NamedAttribute, Operation, Signedness,
    Type, TypeKind,
};

/// A port of a module or instance.
#[derive(Default, Debug)]
pub(super) struct Port {
    is_output: bool,
    name: Vec<u8>,
    value: Named,
    ty: Option<Type>,
    symbol: Option<Attribute>,
    /// The ports that are its domains: by name in a text that is read, by number in one that is
    /// written.
    domains: Vec<Domain>,
    has_domains: bool,
    annotations: Option<Attribute>,
    location: Option<Location>,
}

#[derive(Default, Debug)]
struct Domain {
    name: Vec<u8>,
    number: usize,
}

/// Which parts the ports of an operation have.
#[derive(Debug, Clone, Copy)]
struct PortParts {
    /// Ports are arguments of the region.
    are_values: bool,
    symbols: bool,
    domains: bool,
    annotations: bool,
}

/// Returns the name of an argument in a text without `%`; none if it is a number.
pub(super) fn name_in_text(parser: &dyn AsmParser, value: Named) -> Vec<u8> {
    let text = value
        .name
        .map_or(&[][..], |name| spelled_name(parser, name));
    match text.first() {
        Some(first) if !first.is_ascii_digit() => text.to_vec(),
        _ => Vec::new(),
    }
}

impl PortParts {
    fn text(self, asm: &mut Asm<'_, '_>, ports: &mut Vec<Port>) -> AsmResult<()> {
        // The names of all ports as they are printed.
        let printed: Vec<(Vec<u8>, Option<rmlir_ir::Value>)> = ports
            .iter()
            .map(|port| (port.name.clone(), port.value.value))
            .collect();
        asm.list(("(", ")"), ports, |asm, port| {
            let mut direction = usize::from(port.is_output);
            asm.choice(&["in", "out"], &mut direction)?;
            port.is_output = direction == 1;
            asm.space(" ");
            let place = asm.place();
            if self.are_values {
                asm.value(&mut port.value)?;
                if let Asm::Parser(parser) = asm {
                    port.name = name_in_text(&**parser, port.value);
                }
            } else {
                asm.word(&mut port.name)?;
            }
            asm.token(":", ": ")?;
            asm.ty(&mut port.ty)?;
            if self.symbols {
                let mut there = port.symbol.is_some();
                asm.optional("sym", " sym ", &mut there);
                if there {
                    asm.stripped(("hw", "innerSym"), &mut port.symbol)?;
                }
            }
            if self.domains {
                asm.optional("domains", " domains ", &mut port.has_domains);
                if port.has_domains {
                    let values = self.are_values;
                    asm.list(("[", "]"), &mut port.domains, |asm, domain| match asm {
                        Asm::Parser(parser) if values => {
                            let name = parser.operand_name()?;
                            domain.name = spelled_name(&**parser, name).to_vec();
                            Ok(())
                        }
                        Asm::Parser(_) => asm.word(&mut domain.name),
                        Asm::Printer(printer) => {
                            match printed.get(domain.number) {
                                Some((_, Some(value))) => printer.operand(*value),
                                Some((name, None)) => {
                                    printer.text(&String::from_utf8_lossy(name));
                                }
                                None => {}
                            }
                            Ok(())
                        }
                    })?;
                }
            }
            if self.annotations {
                let there = match asm {
                    Asm::Parser(parser) => parser.at("["),
                    Asm::Printer(_) => port.annotations.is_some(),
                };
                if there {
                    asm.space(" ");
                    asm.attribute(&mut port.annotations)?;
                }
            }
            asm.location(place, &mut port.location)
        })
    }
}

/// Finds the ports that are named as domains.
fn number_domains(context: &Context, ports: &mut [Port], place: usize) -> AsmResult<()> {
    let is_domain = |ty: Option<Type>| {
        ty.is_some_and(|ty| crate::helpers::is_of(context, ty, "firrtl", "domain"))
    };
    let names: Vec<Option<Vec<u8>>> = ports
        .iter()
        .map(|port| is_domain(port.ty).then(|| port.name.clone()))
        .collect();
    for port in ports {
        for domain in &mut port.domains {
            let found = names
                .iter()
                .position(|name| name.as_ref() == Some(&domain.name));
            let Some(found) = found else {
                let name = String::from_utf8_lossy(&domain.name).into_owned();
                let message = format!("domain name '{name}' not found");
                return Err(AsmError::new(place, message));
            };
            domain.number = found;
        }
    }
    Ok(())
}

/// Returns `array<i1: ...>`.
fn directions(context: &mut Context, ports: &[Port]) -> Option<Attribute> {
    let kind = AttributeKind::DenseArray {
        element: context.integer_type(1),
        length: ports.len(),
        data: ports.iter().map(|port| u8::from(port.is_output)).collect(),
    };
    context.try_attribute(kind).ok()
}

/// Returns the domains of the ports, a list for each.
fn domain_lists(context: &mut Context, ports: &[Port]) -> Option<Vec<Attribute>> {
    let kind = TypeKind::Integer {
        width: 32,
        signedness: Signedness::Unsigned,
    };
    let ty = context.try_type(kind).ok()?;
    let mut lists = Vec::new();
    for port in ports {
        let mut numbers = Vec::new();
        for domain in &port.domains {
            let number = i64::try_from(domain.number).ok()?;
            numbers.push(context.integer_attribute(ty, number).ok()?);
        }
        lists.push(context.array_attribute(&numbers));
    }
    Some(lists)
}

/// Reads the attributes that describe ports. `types` are those of the ports.
fn ports_of(
    context: &Context,
    (module, operation): (&Module, Operation),
    types: &[Type],
    parts: PortParts,
) -> Option<Vec<Port>> {
    let attribute = |name: &str| module.attribute(context, operation, name);
    let AttributeKind::DenseArray { element, data, .. } =
        context.attribute_kind(attribute("portDirections")?)
    else {
        return None;
    };
    let is_bool = matches!(
        context.type_kind(*element),
        TypeKind::Integer { width: 1, .. }
    );
    let names = items(context, attribute("portNames"))?;
    if !is_bool || data.len() != types.len() || names.len() != types.len() {
        return None;
    }
    // A list with an item for each port, or an empty one.
    let list = |name: &str| -> Option<&[Attribute]> {
        match attribute(name) {
            None => Some(&[]),
            some => {
                items(context, some).filter(|list| list.is_empty() || list.len() == types.len())
            }
        }
    };
    let (symbols, domains) = (list("portSymbols")?, list("domainInfo")?);
    let (annotations, locations) = (list("portAnnotations")?, list("portLocations")?);
    let mut ports = Vec::new();
    for (number, &ty) in types.iter().enumerate() {
        let mut port = Port {
            is_output: *data.get(number)? != 0,
            name: plain_string(context, names.get(number).copied())?.to_vec(),
            ty: Some(ty),
            ..Port::default()
        };
        if let Some(&symbol) = symbols.get(number)
            && !crate::helpers::is_dialect_attribute(context, symbol, "hw", "innerSym[]")
        {
            port.symbol = Some(symbol);
        }
        if let Some(&list) = domains.get(number) {
            for &item in items(context, Some(list))? {
                let number = crate::helpers::integer(context, Some(item))?;
                let number = usize::try_from(number).ok().filter(|&n| n < types.len())?;
                port.domains.push(Domain {
                    name: Vec::new(),
                    number,
                });
            }
            port.has_domains = !port.domains.is_empty();
        }
        if let Some(&list) = annotations.get(number)
            && !items(context, Some(list))?.is_empty()
        {
            port.annotations = Some(list);
        }
        if let Some(&location) = locations.get(number) {
            let AttributeKind::Location(location) = context.attribute_kind(location) else {
                return None;
            };
            port.location = Some(*location);
        }
        let lost = port.symbol.is_some() && !parts.symbols
            || port.has_domains && !parts.domains
            || port.annotations.is_some() && !parts.annotations;
        if lost {
            return None;
        }
        ports.push(port);
    }
    Some(ports)
}

/// The syntax of `firrtl.module` and of operations that are declared like it.
#[derive(Debug)]
pub(crate) struct ModuleLike {
    pub(crate) has_body: bool,
    /// Ports have symbols, domains and annotations.
    pub(crate) is_module: bool,
    pub(crate) has_parameters: bool,
    pub(crate) has_convention: bool,
    /// Lists that are empty where the text has none.
    pub(crate) lists: &'static [&'static str],
}

/// The text of a module.
#[derive(Default)]
pub(crate) struct ModuleContent {
    visibility: Option<usize>,
    name: Vec<u8>,
    parameters: Vec<ParameterDeclaration>,
    ports: Vec<Port>,
    attributes: Vec<NamedAttribute>,
    /// The names of the ports, which are printed if the names of the values differ.
    port_names: Option<NamedAttribute>,
}

/// Returns the visibility of a symbol as the index of its keyword; `None` if it is something else.
pub(super) fn visibility_of(
    context: &Context,
    module: &Module,
    operation: Operation,
) -> Option<Option<usize>> {
    let Some(value) = module.attribute(context, operation, "sym_visibility") else {
        return Some(None);
    };
    let value = plain_string(context, Some(value))?;
    let known = VISIBILITIES
        .iter()
        .position(|one| one.as_bytes() == value)?;
    Some(Some(known))
}

/// Adds the visibility of a symbol to an operation.
pub(super) fn set_visibility(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    visibility: Option<usize>,
) {
    if let Some(word) = visibility.and_then(|number| VISIBILITIES.get(number)) {
        let value = parser.context().string_attribute(word);
        let name = parser.name("sym_visibility");
        operation.attributes.push((name, value));
    }
}

/// Adds the name of a symbol to an operation, whether it is an inherent attribute or not.
pub(super) fn set_symbol(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    value: Attribute,
) {
    let name = parser.name("sym_name");
    operation.attributes.push((name, value));
}

impl ModuleLike {
    fn parts(&self) -> PortParts {
        PortParts {
            are_values: self.has_body,
            symbols: self.is_module,
            domains: self.is_module,
            annotations: self.is_module,
        }
    }
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
        let types = items(context, attribute("portTypes"))?;
        let types: Option<Vec<Type>> = types
            .iter()
            .map(|&ty| match context.attribute_kind(ty) {
                AttributeKind::Type(ty) => Some(*ty),
                _ => None,
            })
            .collect();
        let types = types?;
        let mut ports = ports_of(context, (module, operation), &types, self.parts())?;
        let entry = entry_block(module, operation);
        if entry.is_some() != self.has_body || !crate::func::has_shape(module, operation, 0, 0, 1) {
            return None;
        }
        if let Some(block) = entry {
            let arguments: Vec<_> = module.arguments(block).collect();
            let fits = arguments.len() == ports.len()
                && arguments
                    .iter()
                    .zip(&types)
                    .all(|(argument, &ty)| module.value_type(argument.0) == ty)
                && module.next_block(block).is_none();
            if !fits {
                return None;
            }
            for (port, (value, location)) in ports.iter_mut().zip(arguments) {
                port.value = Named::of(value);
                port.location = Some(location);
            }
        }
        let elided = [
            "sym_name",
            "sym_visibility",
            "portDirections",
            "portNames",
            "portTypes",
            "portAnnotations",
            "portSymbols",
            "portLocations",
            "parameters",
            "domainInfo",
        ];
        let mut attributes = other_attributes(context, module, operation, &elided);
        attributes.retain(|&(name, value)| {
            let name = context.bytes(name);
            let is_empty = items(context, Some(value)).is_some_and(<[_]>::is_empty);
            let is_list = self.lists.iter().any(|list| list.as_bytes() == name);
            let is_internal = self.has_convention
                && name == b"convention"
                && crate::helpers::is_dialect_attribute(
                    context,
                    value,
                    "firrtl",
                    "convention internal",
                );
            !(is_list && is_empty || is_internal)
        });
        let has_parameters = attribute("parameters").is_some();
        if has_parameters != self.has_parameters {
            return None;
        }
        let names = attribute("portNames")?;
        Some(ModuleContent {
            visibility: visibility_of(context, module, operation)?,
            name: plain_string(context, attribute("sym_name"))?.to_vec(),
            parameters: match has_parameters {
                true => parameter_declarations(context, attribute("parameters"), "firrtl")?,
                false => Vec::new(),
            },
            ports,
            attributes,
            port_names: context
                .find_identifier("portNames")
                .map(|name| (name, names)),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ModuleContent) -> AsmResult<()> {
        asm.space(" ");
        asm.optional_choice(&VISIBILITIES, &mut content.visibility);
        asm.symbol_name(&mut content.name)?;
        if self.has_parameters {
            ParameterDeclaration::list(asm, &mut content.parameters)?;
        }
        self.parts().text(asm, &mut content.ports)?;
        // The names of arguments can differ from those of the ports.
        if let Asm::Printer(printer) = asm
            && self.has_body
        {
            let differs = content.ports.iter().any(|port| {
                let printed = port.value.value.map(|value| printer.value_name(value));
                printed.is_some_and(|printed| printed != port.name)
            });
            if differs && let Some(names) = content.port_names {
                content.attributes.push(names);
                let context = printer.context();
                content
                    .attributes
                    .sort_by(|a, b| context.bytes(a.0).cmp(context.bytes(b.0)));
            }
        }
        asm.dictionary_with_keyword(&mut content.attributes)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut ModuleContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        number_domains(parser.context(), &mut content.ports, place)?;
        let ports = &content.ports;
        operation.attributes = std::mem::take(&mut content.attributes);
        set_visibility(parser, operation, content.visibility);
        let name = parser.context().string_attribute(&content.name);
        property(parser, operation, "sym_name", name);
        if self.has_parameters {
            let value = parameter_attribute(parser.context(), &content.parameters, "firrtl");
            property(parser, operation, "parameters", value);
        }
        let context = parser.context();
        let empty = context.array_attribute(&[]);
        let value = directions(context, ports);
        let names: Vec<&[u8]> = ports.iter().map(|port| port.name.as_slice()).collect();
        let names = string_array(context, &names);
        let types: Vec<Attribute> = ports
            .iter()
            .filter_map(|port| Some(context.type_attribute(port.ty?)))
            .collect();
        let types = context.array_attribute(&types);
        let symbols = match ports.iter().any(|port| port.symbol.is_some()) {
            false => empty,
            true => {
                let none = dialect_attribute(context, "hw", "innerSym[]")
                    .map_err(|e| AsmError::new(place, e.message()))?;
                let symbols: Vec<Attribute> = ports
                    .iter()
                    .map(|port| port.symbol.unwrap_or(none))
                    .collect();
                context.array_attribute(&symbols)
            }
        };
        let locations: Vec<Attribute> = ports
            .iter()
            .filter_map(|port| Some(context.location_attribute(port.location?)))
            .collect();
        let locations = context.array_attribute(&locations);
        let annotations = match ports.iter().any(|port| port.annotations.is_some()) {
            false => empty,
            true => {
                let lists: Vec<Attribute> = ports
                    .iter()
                    .map(|port| port.annotations.unwrap_or(empty))
                    .collect();
                context.array_attribute(&lists)
            }
        };
        let domains = match ports.iter().any(|port| !port.domains.is_empty()) {
            false => Some(empty),
            true => domain_lists(context, ports).map(|lists| context.array_attribute(&lists)),
        };
        let mut properties = vec![
            ("portDirections", value),
            ("portNames", Some(names)),
            ("portTypes", Some(types)),
            ("portSymbols", Some(symbols)),
            ("portLocations", Some(locations)),
        ];
        if self.is_module {
            properties.push(("portAnnotations", Some(annotations)));
            properties.push(("domainInfo", domains));
        }
        properties.extend(self.lists.iter().map(|&list| (list, Some(empty))));
        if self.has_convention {
            let internal = dialect_attribute(context, "firrtl", "convention internal");
            properties.push(("convention", internal.ok()));
        }
        // Attributes of the dictionary take precedence.
        for (name, value) in properties {
            let identifier = parser.name(name);
            let is_given = operation
                .attributes
                .iter()
                .any(|entry| entry.0 == identifier);
            if let Some(value) = value.filter(|_| !is_given) {
                property(parser, operation, name, value);
            }
        }
        if !self.has_body {
            operation.empty_regions = 1;
            return Ok(None);
        }
        let mut arguments = parser.argument_list();
        arguments.extend(ports.iter().filter_map(|port| {
            Some(RegionArgument {
                name: port.value.name?,
                ty: port.ty?,
                location: port.location,
            })
        }));
        Ok(Some(arguments))
    }
}

/// The syntax of `firrtl.instance`, and with alternatives that of `firrtl.instance_choice`.
#[derive(Debug)]
pub(crate) struct Instance {
    pub(crate) is_choice: bool,
}

/// The text of an instance.
#[derive(Default)]
pub(crate) struct InstanceContent {
    name: Vec<u8>,
    has_symbol: bool,
    symbol: Option<Attribute>,
    is_interesting: bool,
    attributes: Vec<NamedAttribute>,
    module: Vec<u8>,
    option: Vec<u8>,
    alternatives: Vec<(Vec<u8>, Vec<u8>)>,
    ports: Vec<Port>,
}

const INSTANCE_PORTS: PortParts = PortParts {
    are_values: false,
    symbols: false,
    domains: true,
    annotations: true,
};

/// Returns the bytes of a reference to a symbol that is not nested.
pub(super) fn flat(context: &Context, reference: Option<Attribute>) -> Option<&[u8]> {
    match context.attribute_kind(reference?) {
        AttributeKind::SymbolRef { root, nested } if nested.is_empty() => {
            Some(context.bytes(*root))
        }
        _ => None,
    }
}

const NAME_KINDS: [&str; 2] = ["name_kind droppable_name", "name_kind interesting_name"];

impl TwoWay for Instance {
    type Content = InstanceContent;

    fn content(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
    ) -> Option<InstanceContent> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let types = crate::helpers::result_types(module, operation);
        if !crate::func::has_shape(module, operation, 0, types.len(), 0) {
            return None;
        }
        let kind = attribute("nameKind")?;
        let kind = NAME_KINDS
            .iter()
            .position(|text| crate::helpers::is_dialect_attribute(context, kind, "firrtl", text))?;
        // The text has a list for each port.
        for name in ["domainInfo", "portAnnotations"] {
            if items(context, attribute(name))?.len() != types.len() {
                return None;
            }
        }
        let elided = [
            "moduleName",
            "moduleNames",
            "caseNames",
            "name",
            "portDirections",
            "portNames",
            "portTypes",
            "portAnnotations",
            "inner_sym",
            "nameKind",
            "domainInfo",
        ];
        let mut attributes = other_attributes(context, module, operation, &elided);
        attributes.retain(|&(name, value)| {
            let is_empty = items(context, Some(value)).is_some_and(<[_]>::is_empty);
            !(is_empty && matches!(context.bytes(name), b"annotations" | b"layers"))
        });
        let mut content = InstanceContent {
            name: plain_string(context, attribute("name"))?.to_vec(),
            has_symbol: attribute("inner_sym").is_some(),
            symbol: inner_symbol(context, attribute("inner_sym"))?,
            is_interesting: kind == 1,
            attributes,
            ports: ports_of(context, (module, operation), &types, INSTANCE_PORTS)?,
            ..InstanceContent::default()
        };
        if self.is_choice {
            let modules = items(context, attribute("moduleNames"))?;
            let cases = items(context, attribute("caseNames"))?;
            let (first, others) = modules.split_first()?;
            content.module = flat(context, Some(*first))?.to_vec();
            if others.len() != cases.len() {
                return None;
            }
            for (&case, &of) in cases.iter().zip(others) {
                let AttributeKind::SymbolRef { root, nested } = context.attribute_kind(case) else {
                    return None;
                };
                let [case] = **nested else { return None };
                let option = context.bytes(*root);
                if content.alternatives.is_empty() {
                    content.option = option.to_vec();
                } else if content.option != option {
                    return None;
                }
                let of = flat(context, Some(of))?.to_vec();
                content
                    .alternatives
                    .push((context.bytes(case).to_vec(), of));
            }
            if content.alternatives.is_empty() {
                return None;
            }
        } else {
            content.module = flat(context, attribute("moduleName"))?.to_vec();
        }
        Some(content)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut InstanceContent) -> AsmResult<()> {
        asm.space(" ");
        asm.word(&mut content.name)?;
        asm.optional("sym", " sym ", &mut content.has_symbol);
        if content.has_symbol {
            asm.stripped(("hw", "innerSym"), &mut content.symbol)?;
        }
        asm.optional(
            "interesting_name",
            " interesting_name",
            &mut content.is_interesting,
        );
        let mut is_droppable = false;
        if !content.is_interesting {
            asm.optional("droppable_name", "", &mut is_droppable);
        }
        asm.dictionary(&mut content.attributes)?;
        asm.space(" ");
        asm.symbol_name(&mut content.module)?;
        if self.is_choice {
            asm.token("alternatives", " alternatives ")?;
            asm.symbol_name(&mut content.option)?;
            asm.space(" ");
            asm.list(
                ("{ ", " }"),
                &mut content.alternatives,
                |asm, (case, of)| {
                    asm.symbol_name(case)?;
                    asm.token("->", " -> ")?;
                    asm.symbol_name(of)
                },
            )?;
            asm.space(" ");
        }
        INSTANCE_PORTS.text(asm, &mut content.ports)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut InstanceContent,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        let place = parser.place();
        number_domains(parser.context(), &mut content.ports, place)?;
        let ports = &content.ports;
        operation.attributes = std::mem::take(&mut content.attributes);
        operation
            .result_types
            .extend(ports.iter().filter_map(|port| port.ty));
        let context = parser.context();
        let empty = context.array_attribute(&[]);
        let name = context.string_attribute(&content.name);
        let kind = NAME_KINDS.get(usize::from(content.is_interesting));
        let kind = dialect_attribute(context, "firrtl", kind.copied().unwrap_or_default()).ok();
        let names: Vec<&[u8]> = ports.iter().map(|port| port.name.as_slice()).collect();
        let names = string_array(context, &names);
        let annotations: Vec<Attribute> = ports
            .iter()
            .map(|port| port.annotations.unwrap_or(empty))
            .collect();
        let annotations = context.array_attribute(&annotations);
        let domains = domain_lists(context, ports).map(|lists| context.array_attribute(&lists));
        let directions = directions(context, ports);
        let module = context.symbol_ref_attribute(&content.module);
        let mut properties = vec![
            ("name", Some(name)),
            ("nameKind", kind),
            ("portDirections", directions),
            ("portNames", Some(names)),
            ("portAnnotations", Some(annotations)),
            ("domainInfo", domains),
            ("annotations", Some(empty)),
            ("layers", Some(empty)),
            ("inner_sym", content.symbol),
        ];
        if self.is_choice {
            let mut modules = vec![module];
            let mut cases = Vec::new();
            let option = context.identifier(&content.option);
            for (case, of) in &content.alternatives {
                modules.push(context.symbol_ref_attribute(of));
                let nested = [context.identifier(case)].into();
                let kind = AttributeKind::SymbolRef {
                    root: option,
                    nested,
                };
                let case = context.try_attribute(kind);
                cases.push(case.map_err(|e| AsmError::new(place, e.message()))?);
            }
            properties.push(("moduleNames", Some(context.array_attribute(&modules))));
            properties.push(("caseNames", Some(context.array_attribute(&cases))));
        } else {
            properties.push(("moduleName", Some(module)));
        }
        for (name, value) in properties {
            let identifier = parser.name(name);
            let is_given = operation
                .attributes
                .iter()
                .any(|entry| entry.0 == identifier);
            if let Some(value) = value.filter(|_| !is_given) {
                property(parser, operation, name, value);
            }
        }
        Ok(None)
    }
}
