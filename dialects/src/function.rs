//! Syntax of function operations: signatures with attributes of arguments and results, and the
//! custom syntax that most of them share.

use crate::func::{has_shape, is_plain_string};
pub(crate) use crate::helpers::property;
use crate::helpers::{dialect_attribute, dialect_members, discardable_first, member_value};
use crate::two_way::signature::FunctionSignature;
use crate::two_way::{Asm, TwoWay, failure, plain_string};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{
    Attribute, AttributeKind, Context, Module, NamedAttribute, Operation, OperationName, Type,
};

/// The keywords of symbol visibility.
pub(crate) const VISIBILITIES: [&str; 3] = ["public", "private", "nested"];

/// The attributes that the attribute dictionary of a function must not contain.
const NOT_IN_DICTIONARY: [&str; 3] = ["sym_name", "sym_visibility", "function_type"];

/// The attributes that a function prints outside of its attribute dictionary.
const IN_SIGNATURE: [&str; 5] = [
    "sym_name",
    "sym_visibility",
    "function_type",
    "arg_attrs",
    "res_attrs",
];

/// The common custom syntax of functions: `private @name(%a: i32 {...}) -> (i32 {...}) attributes
/// {...} {...}`.
#[derive(Debug)]
pub(crate) struct Function {
    /// The full name of the operation, for errors.
    name: &'static str,
    /// The dialect whose prefix is omitted within the body.
    default_dialect: &'static str,
    /// An attribute of the same dialect, with quoted members, that follows the signature: its name,
    /// which is also its mnemonic, and its enumeration. A function with such an attribute has no
    /// visibility keyword.
    control: Option<(&'static str, &'static str)>,
    /// Whether the dictionary has the discardable attributes first, instead of one order for all.
    discardable_first: bool,
}

impl Function {
    /// Returns the syntax of the operation `name`, whose body omits the prefix of
    /// `default_dialect`.
    pub(crate) const fn new(name: &'static str, default_dialect: &'static str) -> Self {
        Function {
            name,
            default_dialect,
            control: None,
            discardable_first: false,
        }
    }

    /// Prints the discardable attributes before the inherent ones.
    pub(crate) const fn with_discardable_first(mut self) -> Self {
        self.discardable_first = true;
        self
    }

    /// Adds an attribute after the signature.
    pub(crate) const fn with_control(
        mut self,
        name: &'static str,
        enumeration: &'static str,
    ) -> Self {
        self.control = Some((name, enumeration));
        self
    }

    /// Returns the dialect of the operation.
    fn dialect(&self) -> &'static str {
        self.name.split_once('.').map_or("", |(dialect, _)| dialect)
    }

    /// Returns the members of the attribute after the signature, if the function has one.
    fn control<'c>(
        &self,
        context: &'c Context,
        module: &Module,
        operation: Operation,
    ) -> Option<&'c str> {
        let (name, _) = self.control?;
        let attribute = module.attribute(context, operation, name);
        dialect_members(context, self.dialect(), attribute, name)
    }
}

/// The parsed parts of [`Function`].
#[derive(Default)]
pub(crate) struct Content {
    visibility: Option<usize>,
    name: Option<Attribute>,
    signature: FunctionSignature,
    /// The members of the attribute after the signature, and their position.
    control: Vec<u8>,
    place: Option<usize>,
    attributes: Vec<NamedAttribute>,
}

impl TwoWay for Function {
    type Content = Content;

    fn content(&self, context: &Context, module: &Module, operation: Operation) -> Option<Content> {
        let attribute = |name: &str| module.attribute(context, operation, name);
        let (inputs, results) = types_of(context, attribute("function_type"))?;
        let visibility = match attribute("sym_visibility") {
            Some(_) if self.control.is_some() => return None,
            Some(visibility) => {
                let visibility = plain_string(context, Some(visibility))?;
                let mut words = VISIBILITIES.iter();
                Some(words.position(|word| word.as_bytes() == visibility)?)
            }
            None => None,
        };
        let control = match self.control {
            Some(_) => self
                .control(context, module, operation)?
                .as_bytes()
                .to_vec(),
            None => Vec::new(),
        };
        let name = attribute("sym_name");
        let fits = name.is_some_and(|name| is_plain_string(context, name))
            && has_shape(module, operation, 0, 0, 1)
            && is_body(module, operation, inputs);
        if !fits {
            return None;
        }
        let inputs = inputs.iter().copied().map(Some);
        let results = results.iter().copied().map(Some);
        let signature = FunctionSignature::of(context, module, operation, inputs, results)?;
        let all = match self.discardable_first {
            true => discardable_first(context, module, operation).into(),
            false => module.all_attributes(context, operation),
        };
        let of_control = self.control.map(|control| control.0);
        let is_kept = |entry: &&NamedAttribute| {
            let name = context.bytes(entry.0);
            let mut elided = IN_SIGNATURE.iter().copied().chain(of_control);
            !elided.any(|one| one.as_bytes() == name)
        };
        Some(Content {
            visibility,
            name,
            signature,
            control,
            place: None,
            attributes: all.iter().filter(is_kept).copied().collect(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Content) -> AsmResult<()> {
        asm.space(" ");
        if self.control.is_none() {
            asm.optional_choice(&VISIBILITIES, &mut content.visibility);
        }
        asm.symbol(&mut content.name)?;
        asm.signature(&mut content.signature, false)?;
        if let Some((name, enumeration)) = self.control {
            asm.space(" ");
            content.place = asm.place();
            if !asm.string_attribute(&mut content.control)? {
                let message = format!("expected {name} attribute specified as string");
                return Err(failure(content.place, message));
            }
            let of = (self.dialect(), enumeration);
            let members = String::from_utf8_lossy(&content.control);
            let context = asm.context();
            let is_member = |word: &str| member_value(context, of, word.trim()).is_some();
            if !members.split('|').all(is_member) {
                let message = format!("invalid {name} attribute specification: \"{members}\"");
                return Err(failure(content.place, message));
            }
        }
        let place = asm.place();
        asm.dictionary_with_keyword(&mut content.attributes)?;
        let context = asm.context();
        let names = content
            .attributes
            .iter()
            .map(|entry| context.bytes(entry.0));
        let inferred = names.filter_map(|name| {
            let mut inferred = NOT_IN_DICTIONARY.iter();
            inferred.find(|inferred| inferred.as_bytes() == name)
        });
        match inferred.into_iter().next() {
            None => Ok(()),
            Some(name) => {
                let message = format!(
                    "'{name}' is an inferred attribute and should not be specified in the explicit attribute dictionary"
                );
                Err(failure(place, message))
            }
        }
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
        content: &mut Content,
    ) -> AsmResult<Option<Vec<RegionArgument>>> {
        operation.attributes = std::mem::take(&mut content.attributes);
        let visibility = content
            .visibility
            .and_then(|chosen| VISIBILITIES.get(chosen));
        if let Some(visibility) = visibility {
            let value = parser.context().string_attribute(visibility);
            let name = parser.operation_name();
            match is_inherent(parser.context(), name, "sym_visibility") {
                true => property(parser, operation, "sym_visibility", value),
                false => operation
                    .attributes
                    .push((parser.name("sym_visibility"), value)),
            }
        }
        if let Some(name) = content.name {
            property(parser, operation, "sym_name", name);
        }
        let function_type = content.signature.function_type(parser.context());
        property(parser, operation, "function_type", function_type);
        if let Some((name, _)) = self.control {
            let members = String::from_utf8_lossy(&content.control);
            let text = format!("{name}<{members}>");
            let made = dialect_attribute(parser.context(), self.dialect(), &text);
            let made = made.map_err(|error| failure(content.place, error.message()))?;
            property(parser, operation, name, made);
        }
        content.signature.set_attributes(parser, operation)?;
        if !parser.at("{") {
            operation.empty_regions = 1;
            return Ok(None);
        }
        Ok(Some(content.signature.entry_arguments(parser)))
    }

    fn complete_region(&self, parser: &mut dyn AsmParser) -> AsmResult<()> {
        require_body(parser)
    }

    fn default_dialect(&self) -> &'static str {
        self.default_dialect
    }
}

/// Checks that the region of a function that was parsed is not empty.
///
/// # Errors
///
/// If it is.
pub(crate) fn require_body(parser: &mut dyn AsmParser) -> AsmResult<()> {
    match parser.region_is_empty() {
        true => {
            let message = "expected non-empty function body";
            Err(AsmError::new(parser.region_place(), message))
        }
        false => Ok(()),
    }
}

/// Returns whether an attribute is an inherent one of operations of that name in the release, or
/// nothing is known of them. Otherwise it is a discardable one.
pub(crate) fn is_inherent(context: &Context, name: OperationName, attribute: &str) -> bool {
    let release = context.release();
    let definition = context.operation_definition(name);
    definition.is_none_or(|one| one.attribute(attribute, release).is_some())
}

/// Returns the inputs and results of an attribute that holds a function type.
pub(crate) fn types_of(context: &Context, ty: Option<Attribute>) -> Option<(&[Type], &[Type])> {
    match context.attribute_kind(ty?) {
        AttributeKind::Type(ty) => context.type_kind(*ty).signature(),
        _ => None,
    }
}

/// Returns the first block of an operation's first region.
pub(crate) fn entry_block(module: &Module, operation: Operation) -> Option<rmlir_ir::Block> {
    let region = module.region(operation, 0)?;
    module.first_block(region)
}

/// Returns the dictionaries of an array attribute.
pub(crate) fn dictionaries(
    context: &Context,
    attribute: Option<Attribute>,
) -> Vec<&[NamedAttribute]> {
    match attribute.map(|a| context.attribute_kind(a)) {
        Some(AttributeKind::Array(items)) => items
            .iter()
            .map(|&a| context.dictionary_entries(a))
            .collect(),
        _ => Vec::new(),
    }
}

/// Returns whether the attributes of arguments and results can be printed in the signature.
pub(crate) fn has_lists(
    context: &Context,
    module: &Module,
    operation: Operation,
    arguments: usize,
    results: usize,
) -> bool {
    let fits = |name, len| {
        let list = module.attribute(context, operation, name);
        list.is_none_or(|list| is_list(context, list, len))
    };
    fits("arg_attrs", arguments) && fits("res_attrs", results)
}

/// Returns whether an attribute is an array of `len` dictionaries. If all of them are empty, custom
/// form prints nothing for it, as upstream does, and the text reads back as an operation without
/// the attribute.
pub(crate) fn is_list(context: &Context, attribute: Attribute, len: usize) -> bool {
    let AttributeKind::Array(items) = context.attribute_kind(attribute) else {
        return false;
    };
    let is_dictionary =
        |&a: &Attribute| matches!(context.attribute_kind(a), AttributeKind::Dictionary(_));
    items.len() == len && items.iter().all(is_dictionary)
}

/// Returns whether a function's region is empty or has an entry block with these inputs. The block
/// must not be empty and must not be a successor, because the text prints no label for it.
pub(crate) fn is_body(module: &Module, operation: Operation, inputs: &[Type]) -> bool {
    let Some(region) = module.region(operation, 0) else {
        return false;
    };
    let Some(entry) = module.first_block(region) else {
        return true;
    };
    let types = module.arguments(entry).map(|(v, _)| module.value_type(v));
    types.eq(inputs.iter().copied()) && is_entry(module, operation)
}

/// Returns whether the entry block of an operation's first region is neither empty nor a successor.
pub(crate) fn is_entry(module: &Module, operation: Operation) -> bool {
    let region = module.region(operation, 0);
    let entry = entry_block(module, operation);
    let Some((region, entry)) = region.zip(entry) else {
        return false;
    };
    module.first_operation(entry).is_some()
        && !(module.was_successor(entry)
            && module
                .blocks(region)
                .flat_map(|block| module.operations(block))
                .any(|op| module.successors(op).any(|block| block == entry)))
}

/// Returns dictionaries as an array attribute; `None` if all are empty.
pub(crate) fn attribute_list<'a>(
    parser: &mut dyn AsmParser,
    dictionaries: impl Iterator<Item = &'a [NamedAttribute]> + Clone,
) -> AsmResult<Option<Attribute>> {
    // The common case: no argument or result has attributes.
    if dictionaries.clone().all(<[_]>::is_empty) {
        return Ok(None);
    }
    let place = parser.place();
    let context = parser.context();
    let mut items = Vec::new();
    for entries in dictionaries {
        let item = context
            .dictionary_attribute(entries)
            .map_err(|e| AsmError::new(place, e.message()))?;
        items.push(item);
    }
    Ok(Some(context.array_attribute(&items)))
}
