//! Prints assembly formats.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::format::captured;
use super::{
    DirectiveArgument, EntryDefinition, FormatElement, FormatVariable, OperationElement,
    OperationFormat, ParameterDefinition, Text, TypesOf,
};

/// Returns the format of an attribute or type; empty if nothing follows the mnemonic.
pub(super) fn entry_format(entry: &EntryDefinition) -> String {
    Names::Parameters(&entry.parameters).elements(&entry.format.elements, None)
}

/// Returns the format of an operation.
pub(super) fn operation_format(format: &OperationFormat) -> String {
    Names::Variables(&format.variables).elements(&format.format.elements, None)
}

/// Maps indices to names.
#[derive(Clone, Copy)]
enum Names<'d> {
    Parameters(&'d [ParameterDefinition]),
    Variables(&'d [FormatVariable]),
}

impl Names<'_> {
    /// Prints elements with spaces between them. The first element that captures the `anchor` gets
    /// the anchor sign. Recurses on groups of a definition, whose depth is limited.
    fn elements(&self, elements: &[FormatElement], anchor: Option<&[usize]>) -> String {
        let mut anchor = anchor;
        let texts = elements.iter().map(|element| {
            let mut text = self.element(element);
            if anchor.is_some_and(|anchor| captured(element) == anchor) {
                text.push('^');
                anchor = None;
            }
            text
        });
        texts.collect::<Vec<_>>().join(" ")
    }

    fn element(&self, element: &FormatElement) -> String {
        match element {
            FormatElement::Literal(text) => format!("`{text}`"),
            FormatElement::Space(true) => "` `".to_owned(),
            FormatElement::Space(false) => "``".to_owned(),
            FormatElement::Parameter(place) => self.variable(*place),
            FormatElement::Qualified(place) => format!("qualified({})", self.variable(*place)),
            FormatElement::Parameters(_) => "params".to_owned(),
            FormatElement::Struct(places) => format!("struct({})", self.places(places, places)),
            FormatElement::Custom(custom) => {
                let mut arguments = self.places(&custom.parameters, &custom.bound);
                for text in &custom.texts {
                    let separator = if arguments.is_empty() { "" } else { ", " };
                    arguments.push_str(&format!("{separator}\"{text}\""));
                }
                format!("custom<{}>({arguments})", custom.name)
            }
            FormatElement::Group(group) => {
                let (then, otherwise) = match group.inverted {
                    false => (Some(&*group.anchor), None),
                    true => (None, Some(&*group.anchor)),
                };
                let then = self.elements(&group.then, then);
                if group.otherwise.is_empty() {
                    return format!("({then})?");
                }
                let otherwise = self.elements(&group.otherwise, otherwise);
                format!("({then}) : ({otherwise})?")
            }
            FormatElement::Operation(element) => self.operation_element(element),
        }
    }

    fn operation_element(&self, element: &OperationElement) -> String {
        match element {
            OperationElement::Type(types) => format!("type({})", self.types(*types)),
            OperationElement::QualifiedType(types) => {
                format!("qualified(type({}))", self.types(*types))
            }
            OperationElement::FunctionalType(inputs, results) => {
                let (inputs, results) = (self.types(*inputs), self.types(*results));
                format!("functional-type({inputs}, {results})")
            }
            OperationElement::Operands => "operands".to_owned(),
            OperationElement::Regions => "regions".to_owned(),
            OperationElement::Successors => "successors".to_owned(),
            OperationElement::AttributeDictionary { keyword: false } => "attr-dict".to_owned(),
            OperationElement::AttributeDictionary { keyword: true } => {
                "attr-dict-with-keyword".to_owned()
            }
            OperationElement::PropertyDictionary => "prop-dict".to_owned(),
            OperationElement::Newline => "`\\n`".to_owned(),
            OperationElement::Custom(directive) => {
                let arguments = directive.arguments.iter();
                let arguments = arguments.map(|argument| self.argument(argument));
                let arguments = arguments.collect::<Vec<_>>().join(", ");
                format!("custom<{}>({arguments})", directive.name)
            }
            OperationElement::Clauses(clauses) => {
                let clauses = clauses.iter().map(|clause| self.elements(clause, None));
                format!("oilist({})", clauses.collect::<Vec<_>>().join(" | "))
            }
        }
    }

    fn argument(&self, argument: &DirectiveArgument) -> String {
        match argument {
            DirectiveArgument::Variable(place) => self.variable(*place),
            DirectiveArgument::Reference(place) => format!("ref({})", self.variable(*place)),
            DirectiveArgument::Type(types) => format!("type({})", self.types(*types)),
            DirectiveArgument::TypeReference(types) => format!("ref(type({}))", self.types(*types)),
            DirectiveArgument::AttributeDictionary => "attr-dict".to_owned(),
            DirectiveArgument::Text(text) => format!("\"{text}\""),
        }
    }

    fn types(&self, types: TypesOf) -> String {
        match types {
            TypesOf::Group(place) => self.variable(place),
            TypesOf::Operands => "operands".to_owned(),
            TypesOf::Results => "results".to_owned(),
        }
    }

    fn name(&self, place: usize) -> Option<&Text> {
        match self {
            Names::Parameters(parameters) => parameters.get(place).map(|p| &p.name),
            Names::Variables(variables) => variables.get(place).map(|v| &v.name),
        }
    }

    fn variable(&self, place: usize) -> String {
        format!("${}", self.name(place).map_or("", |name| name))
    }

    /// Prints `params` for all parameters, else each by name; those that are not `bound` are in
    /// `ref`.
    fn places(&self, places: &[usize], bound: &[usize]) -> String {
        let all = match self {
            Names::Parameters(parameters) => parameters.len(),
            Names::Variables(_) => usize::MAX,
        };
        if places.len() == all && bound == places && places.iter().copied().eq(0..all) {
            return "params".to_owned();
        }
        let texts = places.iter().map(|place| match bound.contains(place) {
            true => self.variable(*place),
            false => format!("ref({})", self.variable(*place)),
        });
        texts.collect::<Vec<_>>().join(", ")
    }
}
