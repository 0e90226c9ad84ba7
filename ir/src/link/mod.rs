//! Joins modules: symbols that one declares and another defines become one.

mod append;
mod attributes;
mod duplicates;
mod names;
mod open;
mod order;
mod part_attribute;
mod parts;
mod provenance;
mod repeated;
mod replaced;
mod symbols;
mod tables;

use crate::declaration::SymbolRules;
use crate::error::Invalid;
use crate::import::{ImportMap, ResourceTable};
use crate::{Attribute, Block, Context, Identifier, Module, Operation, OperationState, Resource};
pub use append::DefinitionAppender;
use foldhash::fast::RandomState;
pub(crate) use part_attribute::{PART_ATTRIBUTE, PartAttribute};
pub use part_attribute::{PartInfo, part_info};
use std::collections::{HashMap, HashSet};
use std::fmt;

/// A module to be linked, with the context that it belongs to.
#[derive(Clone, Copy)]
pub struct LinkInput<'a> {
    /// Owns what the module refers to.
    pub context: &'a Context,
    /// The module.
    pub module: &'a Module,
}

impl fmt::Debug for LinkInput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LinkInput").finish_non_exhaustive()
    }
}

impl<'a> From<(&'a Context, &'a Module)> for LinkInput<'a> {
    fn from((context, module): (&'a Context, &'a Module)) -> Self {
        LinkInput { context, module }
    }
}

/// Options of [`link`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LinkOptions {
    /// Accept several public definitions of a name if they are the same; see [`link`]. Default:
    /// false.
    pub dedupe: bool,
    /// The attributes of the resulting module if those of the inputs differ. Default: an error.
    pub module_attributes: ModuleAttributes,
    /// The inputs are pieces of one module, such as results of
    /// [`extract_with_declarations`](crate::extract_with_declarations): a name denotes the same
    /// symbol in all of them, also if it is private, so nothing is renamed. Symbol tables of one
    /// name and with the same attributes are excerpts of one, at any depth, and are joined.
    /// Default: false.
    pub one_scope: bool,
    /// The maximum number of errors, at least one. Default: 20.
    pub max_errors: usize,
}

impl Default for LinkOptions {
    fn default() -> Self {
        LinkOptions {
            dedupe: false,
            module_attributes: ModuleAttributes::default(),
            one_scope: false,
            max_errors: 20,
        }
    }
}

/// The attributes of the result of [`link`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ModuleAttributes {
    /// Those of all modules, which must be equal.
    #[default]
    Equal,
    /// Those of all modules, which must not have different values for one name.
    Union,
    /// Those of the first module.
    First,
    /// Those of the last module.
    Last,
}

/// The result of [`link`].
#[derive(Clone)]
pub struct Linked {
    /// Owns what the module refers to.
    pub context: Context,
    /// The module.
    pub module: Module,
    /// The symbols that were renamed, in order.
    pub renamed: Vec<RenamedSymbol>,
    /// The external resources that the module does not have, since an earlier input has a different
    /// value of the key.
    pub dropped_resources: Vec<DroppedResource>,
}

impl fmt::Debug for Linked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Linked")
            .field("renamed", &self.renamed)
            .field("dropped_resources", &self.dropped_resources)
            .finish_non_exhaustive()
    }
}

/// A symbol that [`link`] renamed. The names are those of the resulting context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RenamedSymbol {
    /// The number of the input that defines it.
    pub input: usize,
    /// Its name there.
    pub old: Identifier,
    /// Its name in the result.
    pub new: Identifier,
}

/// An external resource of an input that the result of [`link`] does not have. The names are those
/// of the resulting context.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DroppedResource {
    /// The number of the input.
    pub input: usize,
    /// The name of the tool whose resource it is, such as `mlir_reproducer`.
    pub group: Identifier,
    /// Its key.
    pub key: Identifier,
    /// The number of the input whose value of the key is kept.
    pub kept: usize,
}

/// The reasons why modules cannot be linked: at least one, in the order in which they are found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkErrors(Vec<LinkError>);

impl LinkErrors {
    /// Returns the errors; there is at least one.
    pub fn errors(&self) -> &[LinkError] {
        &self.0
    }
}

impl From<LinkError> for LinkErrors {
    fn from(error: LinkError) -> Self {
        LinkErrors(vec![error])
    }
}

impl fmt::Display for LinkErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, error) in self.0.iter().enumerate() {
            let separator = if number == 0 { "" } else { "\n" };
            write!(f, "{separator}{error}")?;
        }
        Ok(())
    }
}

impl std::error::Error for LinkErrors {}

/// A reason why modules cannot be linked, with the operations that it is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkError {
    message: String,
    places: Vec<LinkPlace>,
}

/// An operation of an input that a [`LinkError`] is about.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LinkPlace {
    /// The number of the input.
    pub input: usize,
    /// The operation.
    pub operation: Operation,
    /// The description of the operation in the error, such as "the other definition is here"; empty
    /// for the place of the error itself.
    pub note: &'static str,
}

impl LinkError {
    #[cold]
    pub(crate) fn new(message: impl Into<String>) -> Self {
        LinkError {
            message: message.into(),
            places: Vec::new(),
        }
    }

    #[cold]
    fn at(mut self, input: usize, operation: Operation, note: &'static str) -> Self {
        self.places.push(LinkPlace {
            input,
            operation,
            note,
        });
        self
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the operations that it is about: that of the error first, then others.
    pub fn places(&self) -> &[LinkPlace] {
        &self.places
    }
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for LinkError {}

impl From<Invalid> for LinkError {
    fn from(error: Invalid) -> Self {
        LinkError::new(error.message())
    }
}

/// Links modules of any contexts, and returns the result in a context of its own.
///
/// The operations directly in the top-level operations are joined in the order of the inputs; they
/// are copied as [`Module::import`] does. Symbols of nested symbol tables keep their meaning.
///
/// # Symbols
///
/// * A [declaration](Module::is_declaration) is an external reference, also if it is private, and
///   is never renamed. It is resolved by a definition of the same name, and dropped: the attributes
///   of the definition, such as its visibility and linkage, win. Several declarations are one, the
///   first. The operations must be of one kind, and the attributes that hold types must be equal,
///   with those that the `declaration` statement of the definition names. A definition by an
///   operation with a `resolves` statement, such as `llvm.mlir.alias`, resolves declarations by
///   those operations too, of any type. Users that do not accept it are errors: an `llvm.call` does
///   not accept an alias.
/// * References in the attributes of the top-level operations are references to symbols in them.
/// * A definition is local if it is private or its linkage is local (`internal` and `private` of
///   LLVM). Local definitions resolve no declarations of other modules. If another module uses the
///   name, it is renamed with all references, in attributes and types too: `_` and the first number
///   that yields a free name are appended. A name that a body mentions in a string, where it cannot
///   be replaced, is an error.
/// * Of two definitions of a name of which one is weak, by the `weak` statements of the operation's
///   definition, the stronger is kept, or else the first, with its attributes. For LLVM's linkages
///   these are, from the weakest on, `available_externally`, `linkonce` and `linkonce_odr`, `weak`
///   and `weak_odr`, `common`, and all others. The types must match. Symbols that only a dropped
///   definition refers to stay.
/// * Two other definitions of a name are an error. With [`dedupe`](LinkOptions::dedupe) the first
///   is kept if they are [semantically equal](crate::semantic_eq) and refer to no local symbols,
///   except for functions that are equal too. Such local functions become one as well, for all
///   that refers to them. Symbol tables whose definition has a `merges`
///   statement, such as `llvm.comdat`, get the symbols of both.
///   Locations do not make definitions different, also where they are in attributes.
/// * Definitions that have the value of an `appends` statement, such as LLVM's arrays of linkage
///   `appending`, become one with the content of all, in the order of the inputs. Their types must
///   have the same elements, and the attributes that LLVM's linker compares must be equal.
///
/// # Parts
///
/// Modules that [`split`](crate::split()) returned, recognized by the attribute `rmlir.part` of the
/// module, are joined as one: declarations and copies are dropped where the part with the
/// definition is among the inputs, also if it is local, and the order is that of the module that
/// was split. Distinct attributes that the parts shared are one again. If all parts are present,
/// the attribute is dropped.
///
/// If parts are missing, the result is a part, with the attribute: it can be linked with the
/// missing ones later. Its local symbols are not renamed, since missing parts may refer to them: a
/// name that another module needs too is an error. So is a reference to a local symbol of a missing
/// part whose name another module uses, a local symbol that was erased from its part and that
/// others refer to, and missing parts of two modules.
///
/// Two inputs that have the same part, or parts of equal modules that have an operation in common,
/// are an error, unless [`dedupe`](LinkOptions::dedupe) is set and the operations are equal: then
/// the first is kept.
///
/// # Pieces of one module
///
/// With [`one_scope`](LinkOptions::one_scope), two definitions of a name are an error, also if they
/// are private, unless [`dedupe`](LinkOptions::dedupe) is set and they are equal. Of two symbol
/// tables with equal attributes the first gets the content of the other: further symbols and
/// operations without names are added at its end, before its terminator, and the same rules hold
/// for symbols that both have. Distinct attributes of inputs in one context stay the same. Those of
/// inputs in different contexts, such as those of two files, stay different.
///
/// # Module
///
/// The top-level operations must have the same name. Name and location are those of the first
/// input, attributes by [`LinkOptions::module_attributes`], after renaming: an attribute that
/// would have to denote two symbols differs. Producer, bytecode version and dialect
/// versions are kept if all inputs agree on producer and version. External resources are those of
/// all inputs. Their keys, which tools know, are never changed: if the values of a key differ, that
/// of the first input with the key is kept, and the others are listed in
/// [`Linked::dropped_resources`]. Orders of uses are kept, as by [`Module::import`].
/// Sections of unknown kinds are dropped: they may refer to moved symbols. The definitions of
/// dialects are those of the first input's context.
///
/// Deterministic. Linear in the size of the inputs.
///
/// # Errors
///
/// See above; also if a top-level operation has not one region of one block. Up to
/// [`max_errors`](LinkOptions::max_errors) are found, but for those about names if there are some
/// about definitions.
///
/// ```
/// use rmlir_ir::{Builder, Context, LinkOptions, Module, link};
///
/// let module = |name: &str| {
///     let mut context = Context::new();
///     let mut module = Module::new(&mut context);
///     let name = context.string_attribute(name);
///     let mut builder = Builder::new(&mut context, &mut module);
///     builder.op("test.symbol").attribute("sym_name", name).build()?;
///     Ok::<_, rmlir_ir::Invalid>((context, module))
/// };
/// let (a, b) = (module("a")?, module("b")?);
/// let inputs = [(&a.0, &a.1).into(), (&b.0, &b.1).into()];
/// let linked = link(&inputs, &LinkOptions::default())?;
/// assert_eq!(linked.module.descendants(linked.module.top()).count(), 3);
///
/// let twice = [inputs[0], inputs[0]];
/// let error = link(&twice, &LinkOptions::default()).unwrap_err();
/// assert_eq!(error.errors()[0].message(), "redefinition of symbol named 'a'");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn link(inputs: &[LinkInput<'_>], options: &LinkOptions) -> Result<Linked, LinkErrors> {
    let Some(first) = inputs.first() else {
        return Err(LinkError::new("there is nothing to link").into());
    };
    let mut context = first.context.new_with_same_definitions();
    let name = first.module.name(first.module.top());
    let name = context.operation_name(first.context.operation_name_bytes(name));
    let unknown = context.unknown_location();
    let mut linker = Linker {
        inputs,
        options,
        module: Module::with_top(name, unknown),
        context,
        rules: SymbolRules::default(),
        items: Vec::new(),
        parts: Vec::new(),
        scopes: Vec::new(),
        distincts: HashMap::default(),
        tops: Vec::new(),
        renamed: Vec::new(),
        dropped_resources: Vec::new(),
        resources: Vec::new(),
        same: HashSet::default(),
        tables: HashMap::default(),
        replaced: Vec::new(),
        appended: Vec::new(),
        errors: Vec::new(),
    };
    let last = linker.link().err();
    linker.errors.extend(last);
    if !linker.errors.is_empty() {
        return Err(LinkErrors(linker.errors));
    }
    Ok(Linked {
        context: linker.context,
        module: linker.module,
        renamed: linker.renamed,
        dropped_resources: linker.dropped_resources,
    })
}

/// An operation directly in the top-level operation of an input.
struct Item {
    input: usize,
    /// The operation in the input.
    from: Operation,
    /// Its copy.
    operation: Operation,
    /// Its name, if it is a symbol.
    name: Option<Identifier>,
    /// Whether it is a declaration or a copy of a symbol of another part.
    borrowed: bool,
    /// Whether the result has it.
    kept: bool,
}

/// An operation of an input: the number of the input, and the operation there.
type Place = (usize, Operation);

struct Linker<'a> {
    inputs: &'a [LinkInput<'a>],
    options: &'a LinkOptions,
    context: Context,
    module: Module,
    rules: SymbolRules,
    /// In the order of the inputs.
    items: Vec<Item>,
    /// By input.
    parts: Vec<Option<PartAttribute>>,
    /// By input: the number of the module that it is a part of. Inputs are numbered before modules
    /// that were split.
    scopes: Vec<usize>,
    /// Distinct attributes of modules that were split, by module and number.
    distincts: HashMap<(Identifier, i64), Attribute, RandomState>,
    /// By input: an operation with the attributes of its top-level operation, which is erased at
    /// the end.
    tops: Vec<Operation>,
    renamed: Vec<RenamedSymbol>,
    dropped_resources: Vec<DroppedResource>,
    /// The declarations of the inputs, in order.
    resources: Vec<Resource>,
    /// Pairs of symbols that are known to be equal definitions.
    same: HashSet<(usize, usize), RandomState>,
    tables: tables::KnownTables,
    /// The definitions that resolved declarations of another operation name.
    replaced: Vec<usize>,
    /// The items of definitions that add up to one, by name.
    appended: Vec<Vec<usize>>,
    /// The errors that did not end the work.
    errors: Vec<LinkError>,
}

impl Linker<'_> {
    /// Links the inputs.
    ///
    /// # Errors
    ///
    /// The last error. Others are in `errors`, also if this one is missing.
    fn link(&mut self) -> Result<(), LinkError> {
        self.import()?;
        self.check_agreeing_parts()?;
        self.check_repeated_parts()?;
        if !self.errors.is_empty() {
            return Ok(());
        }
        let mut symbols = self.collect_symbols()?;
        let used = self.used_names(&symbols);
        self.check_open_locals(&symbols, &used)?;
        self.resolve(&mut symbols)?;
        if self.errors.is_empty() {
            self.rename(&mut symbols, &used)?;
        }
        if !self.errors.is_empty() {
            return self.check_top_attributes();
        }
        self.append_definitions()?;
        self.set_resources();
        self.assemble()?;
        self.set_top_attributes()?;
        self.set_provenance();
        self.check_replaced()
    }

    /// Keeps an error, unless it is the last one that is reported.
    fn keep<T>(&mut self, result: Result<T, LinkError>) -> Result<Option<T>, LinkError> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if self.errors.len().saturating_add(1) >= self.options.max_errors => {
                Err(error)
            }
            Err(error) => {
                self.errors.push(error);
                Ok(None)
            }
        }
    }

    /// Copies the operations of all inputs.
    fn import(&mut self) -> Result<(), LinkError> {
        let slots = |of: fn(&Module) -> usize| {
            let inputs = self.inputs.iter().map(|input| of(input.module));
            inputs.fold(0, usize::saturating_add)
        };
        let (operations, values) = (slots(Module::operation_slots), slots(Module::value_slots));
        self.module.reserve(operations, values, values);
        let mut maps: HashMap<*const Context, ImportMap, RandomState> = HashMap::default();
        let mut table = ResourceTable::default();
        let mut split: HashMap<Identifier, usize, RandomState> = HashMap::default();
        for (number, input) in self.inputs.iter().enumerate() {
            let at_top = |message: &str| LinkError::new(message).at(number, input.module.top(), "");
            let body = body(input.module).map_err(at_top)?;
            let map = maps.entry(std::ptr::from_ref(input.context)).or_default();
            map.restart(&mut table);
            self.import_distincts(*input, map)
                .map_err(|error| at_top(error.message()))?;
            let operations: Vec<Operation> = input.module.operations(body).collect();
            let from = (input.context, input.module);
            let copies = self
                .module
                .import_with(&mut self.context, from, &operations, map)
                .map_err(|error| at_top(error.message()))?;
            for (from, operation) in operations.into_iter().zip(copies) {
                self.items.push(Item {
                    input: number,
                    from,
                    operation,
                    name: self.module.symbol_name(&self.context, operation),
                    borrowed: false,
                    kept: true,
                });
            }
            self.import_top(number, map)
                .map_err(|error| at_top(error.message()))?;
            table = map.take_resources();
            let part = PartAttribute::of(&self.context, &self.module);
            let part = part.map_err(|()| at_top("the attribute 'rmlir.part' is malformed"))?;
            let next = self.inputs.len().saturating_add(split.len());
            self.scopes
                .push(match part.as_ref().and_then(|part| part.of) {
                    _ if self.options.one_scope => 0,
                    Some(of) => *split.entry(of).or_insert(next),
                    None => number,
                });
            self.parts.push(part);
        }
        Ok(())
    }

    /// Copies what the top-level operation of an input has; the last one is that of the result for
    /// the time being.
    fn import_top(&mut self, number: usize, map: &mut ImportMap) -> Result<(), Invalid> {
        let Some(input) = self.inputs.get(number) else {
            return Ok(());
        };
        let (module, context) = (input.module, input.context);
        let own = self
            .context
            .operation_name_bytes(self.module.name(self.module.top()));
        if context.operation_name_bytes(module.name(module.top())) != own {
            return Err(Invalid::new(format!(
                "the top-level operation is not a '{}', as that of the first module",
                String::from_utf8_lossy(own)
            )));
        }
        let mut importer = self.context.importer(context, map);
        let mut copy = |attribute: Option<Attribute>| match attribute {
            Some(attribute) => importer.copy_attribute(attribute).map(Some),
            None => Ok(None),
        };
        let attributes = copy(module.attributes(module.top()))?;
        let properties = copy(module.properties(module.top()))?;
        let top = self.module.top();
        if number == 0 {
            let location = importer.copy_location(module.location(module.top()))?;
            self.module.set_location(top, location);
        }
        let declared = module.provenance.resources.iter();
        let declared = declared.map(|&resource| importer.copy_resource(resource));
        self.resources.extend(declared);
        let names = &mut self.module.provenance;
        names.copy_alias_names(&module.provenance, &mut importer);
        self.module.set_attributes(&self.context, top, attributes)?;
        let state = OperationState {
            attributes,
            properties,
            ..OperationState::new(self.module.name(top), self.context.unknown_location())
        };
        self.tops.push(self.module.create_operation(&state));
        Ok(())
    }

    /// Returns an error about two operations.
    #[cold]
    fn clash(&self, message: String, at: usize, other: usize, note: &'static str) -> LinkError {
        let place = |item: usize| self.items.get(item).map(|item| (item.input, item.from));
        Self::clash_of_places(message, place(at), place(other), note)
    }

    #[cold]
    fn clash_of_places(
        message: String,
        at: Option<Place>,
        other: Option<Place>,
        note: &'static str,
    ) -> LinkError {
        let mut error = LinkError::new(message);
        for ((input, operation), note) in at
            .map(|at| (at, ""))
            .into_iter()
            .chain(other.map(|other| (other, note)))
        {
            error = error.at(input, operation, note);
        }
        error
    }

    /// Returns the top-level operation of an input.
    fn top_of(&self, input: usize) -> Option<Place> {
        let of = self.inputs.get(input)?;
        Some((input, of.module.top()))
    }
}

/// Returns the block that holds the operations of a module.
pub(crate) fn body(module: &Module) -> Result<Block, &'static str> {
    let mut regions = module.regions(module.top());
    let (Some(region), None) = (regions.next(), regions.next()) else {
        return Err("the top-level operation has not one region");
    };
    let first = module.first_block(region);
    match first {
        Some(block) if module.last_block(region) == first => Ok(block),
        _ => Err("the top-level operation has not one block"),
    }
}
