//! Signatures of functions and calls in syntax that is stated once.

use super::{Asm, Named, failure};
use crate::function::{attribute_list, dictionaries, entry_block, is_list, property};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedOperation, RegionArgument};
use rmlir_ir::{Attribute, Context, Location, Module, NamedAttribute, Operation, Type};

/// A type in a signature.
pub(crate) trait SignatureType: Default {
    /// The text.
    ///
    /// # Errors
    ///
    /// If a text that is read is not a type.
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()>;

    /// Returns the type, if it is known.
    fn ty(&self) -> Option<Type>;
}

impl SignatureType for Option<Type> {
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        asm.ty(self)
    }

    fn ty(&self) -> Option<Type> {
        *self
    }
}

/// A type in a signature, with the attributes of the argument or result.
pub(crate) type WithAttributes<T = Option<Type>> = (T, Vec<NamedAttribute>);

/// An argument in the signature of a function, or `...`.
#[derive(Debug, Default)]
pub(crate) struct Parameter<T = Option<Type>> {
    /// The name; none in a declaration.
    pub(crate) value: Named,
    /// The name that a declaration prints, without its `%`.
    pub(crate) stored_name: Vec<u8>,
    pub(crate) ty: T,
    pub(crate) attributes: Vec<NamedAttribute>,
    pub(crate) location: Option<Location>,
    pub(crate) is_rest: bool,
}

impl<T: SignatureType> Parameter<T> {
    /// Returns the argument of a region that was read; `None` if it has no name.
    pub(crate) fn parsed(&self) -> Option<RegionArgument> {
        Some(RegionArgument {
            name: self.value.name?,
            ty: self.ty.ty()?,
            location: self.location,
        })
    }
}

/// The signature of a function.
#[derive(Debug, Default)]
pub(crate) struct FunctionSignature<T = Option<Type>> {
    pub(crate) parameters: Vec<Parameter<T>>,
    pub(crate) results: Vec<WithAttributes<T>>,
}

impl<T: SignatureType> FunctionSignature<T> {
    /// Returns the signature of an operation with these types, with the names of the arguments if
    /// there is a body; `None` if the lists of attributes do not match.
    pub(crate) fn of(
        context: &Context,
        module: &Module,
        operation: Operation,
        inputs: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
        results: impl IntoIterator<Item = T, IntoIter: ExactSizeIterator>,
    ) -> Option<Self> {
        let (inputs, results) = (inputs.into_iter(), results.into_iter());
        let lists = |name, len| {
            let list = module.attribute(context, operation, name);
            let fits = list.is_none_or(|list| is_list(context, list, len));
            fits.then(|| dictionaries(context, list))
        };
        let of_inputs = lists("arg_attrs", inputs.len())?;
        let of_results = lists("res_attrs", results.len())?;
        let copy = |lists: &[&[NamedAttribute]], number: usize| {
            lists
                .get(number)
                .map_or_else(Vec::new, |list| list.to_vec())
        };
        let mut arguments = entry_block(module, operation).map(|block| module.arguments(block));
        let mut parameters = Vec::with_capacity(inputs.len());
        for (number, ty) in inputs.enumerate() {
            let argument = match &mut arguments {
                Some(arguments) => Some(arguments.next()?),
                None => None,
            };
            parameters.push(Parameter {
                value: argument
                    .map(|argument| Named::of(argument.0))
                    .unwrap_or_default(),
                stored_name: Vec::new(),
                ty,
                attributes: copy(&of_inputs, number),
                location: argument.map(|argument| argument.1),
                is_rest: false,
            });
        }
        let results = results.enumerate();
        let results = results.map(|(number, ty)| (ty, copy(&of_results, number)));
        Some(FunctionSignature {
            parameters,
            results: results.collect(),
        })
    }

    /// Returns whether `...` follows the arguments.
    pub(crate) fn is_variadic(&self) -> bool {
        self.parameters.last().is_some_and(|last| last.is_rest)
    }

    /// Returns the types of the arguments that were read.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = Type> {
        self.parameters.iter().filter_map(|one| one.ty.ty())
    }

    /// Returns the builtin function type of a signature that was read.
    pub(crate) fn function_type(&self, context: &mut Context) -> Attribute {
        let most = self.parameters.len().saturating_add(self.results.len());
        let mut types = Vec::with_capacity(most);
        types.extend(self.inputs());
        let inputs = types.len();
        types.extend(self.results.iter().filter_map(|one| one.0.ty()));
        let (inputs, results) = types.split_at_checked(inputs).unwrap_or_default();
        let ty = context.function_type(inputs, results);
        context.type_attribute(ty)
    }

    /// Sets the attributes of arguments and results if any is not empty.
    ///
    /// # Errors
    ///
    /// If a dictionary is not valid.
    pub(crate) fn set_attributes(
        &self,
        parser: &mut dyn AsmParser,
        operation: &mut ParsedOperation,
    ) -> AsmResult<()> {
        let inputs = self.parameters.iter().filter(|one| !one.is_rest);
        let inputs = inputs.map(|one| one.attributes.as_slice());
        if let Some(value) = attribute_list(parser, inputs)? {
            property(parser, operation, "arg_attrs", value);
        }
        set_attributes(parser, operation, "res_attrs", &self.results)
    }

    /// Returns the arguments of the entry block.
    pub(crate) fn entry_arguments(&self, parser: &mut dyn AsmParser) -> Vec<RegionArgument> {
        let mut arguments = parser.argument_list();
        arguments.extend(self.parameters.iter().filter_map(Parameter::parsed));
        arguments
    }
}

/// Sets the attributes of arguments or results if any is not empty.
///
/// # Errors
///
/// If a dictionary is not valid.
pub(crate) fn set_attributes<T>(
    parser: &mut dyn AsmParser,
    operation: &mut ParsedOperation,
    name: &'static str,
    types: &[WithAttributes<T>],
) -> AsmResult<()> {
    let lists = types.iter().map(|one| one.1.as_slice());
    if let Some(value) = attribute_list(parser, lists)? {
        property(parser, operation, name, value);
    }
    Ok(())
}

/// Returns types with the attributes of an operation's list of dictionaries.
pub(crate) fn with_attributes(
    context: &Context,
    list: Option<Attribute>,
    types: impl IntoIterator<Item = Type>,
) -> Vec<WithAttributes> {
    let lists = dictionaries(context, list);
    let attributes = |number: usize| {
        lists
            .get(number)
            .map_or_else(Vec::new, |list| list.to_vec())
    };
    let types = types.into_iter().enumerate();
    types
        .map(|(number, ty)| (Some(ty), attributes(number)))
        .collect()
}

impl Asm<'_, '_> {
    /// `(%a: type {...}, ...) -> (type {...}, ...)`: all arguments have names, or none. If it can
    /// be `variadic`, the last can be `...`.
    pub(crate) fn signature<T: SignatureType>(
        &mut self,
        signature: &mut FunctionSignature<T>,
        variadic: bool,
    ) -> AsmResult<()> {
        let mut named = None;
        self.list(("(", ")"), &mut signature.parameters, |asm, parameter| {
            asm.parameter(parameter, variadic, &mut named)
        })?;
        match self.is_there("->", !signature.results.is_empty()) {
            true => self.signature_results(&mut signature.results),
            false => Ok(()),
        }
    }

    /// `%a: type {...}`, `type {...}` or `...`. `named` is whether the arguments have names, if one
    /// precedes.
    pub(crate) fn parameter<T: SignatureType>(
        &mut self,
        parameter: &mut Parameter<T>,
        variadic: bool,
        named: &mut Option<bool>,
    ) -> AsmResult<()> {
        let place = self.place();
        if variadic {
            self.optional("...", "...", &mut parameter.is_rest);
        }
        if parameter.is_rest {
            let message = "variadic arguments must be in the end of the argument list";
            return match self.is_there(")", true) {
                true => Ok(()),
                false => Err(failure(place, message)),
            };
        }
        let has_value = parameter.value.value.is_some();
        let is_named = self.is_value_there(has_value || !parameter.stored_name.is_empty());
        if *named.get_or_insert(is_named) != is_named {
            let message = match is_named {
                true => "expected type instead of SSA identifier",
                false => "expected SSA identifier",
            };
            return Err(failure(place, message));
        }
        if let Asm::Printer(printer) = self
            && let Some((value, location)) = parameter.value.value.zip(parameter.location)
        {
            // Aliases in the attributes of arguments are printed if other parts use them.
            printer.region_argument(value, location, &parameter.attributes);
            return Ok(());
        }
        if is_named {
            match self {
                Asm::Printer(printer) if !has_value => {
                    printer.text("%");
                    printer.text(&String::from_utf8_lossy(&parameter.stored_name));
                }
                _ => self.value(&mut parameter.value)?,
            }
            self.token(":", ": ")?;
        }
        parameter.ty.text(self)?;
        self.dictionary(&mut parameter.attributes)?;
        self.location(None, &mut parameter.location)
    }

    /// ` -> type` or ` -> (type {...}, ...)`.
    pub(crate) fn signature_results<T: SignatureType>(
        &mut self,
        results: &mut Vec<WithAttributes<T>>,
    ) -> AsmResult<()> {
        self.token("->", " -> ")?;
        let is_bare = match results.as_slice() {
            [(ty, attributes)] => attributes.is_empty() && !self.is_function(ty),
            _ => false,
        };
        if self.is_there("(", !is_bare) {
            return self.list(("(", ")"), results, |asm, one| asm.with_attributes(one));
        }
        let place = self.place();
        // A type that starts with a keyword is never a function type literal.
        let is_word = matches!(self, Asm::Parser(parser) if parser.at_keyword());
        results.resize_with(1, Default::default);
        for (ty, _) in results {
            ty.text(self)?;
            if !is_word && self.is_function(ty) {
                return Err(failure(place, "expected non-function type"));
            }
        }
        Ok(())
    }

    /// `(type {...}, ...) -> (type {...}, ...)`: the types of a call.
    pub(crate) fn call_signature(
        &mut self,
        inputs: &mut Vec<WithAttributes>,
        results: &mut Vec<WithAttributes>,
    ) -> AsmResult<()> {
        self.list(("(", ")"), inputs, |asm, one| asm.with_attributes(one))?;
        self.signature_results(results)
    }

    /// `type {...}`.
    fn with_attributes<T: SignatureType>(
        &mut self,
        (ty, attributes): &mut WithAttributes<T>,
    ) -> AsmResult<()> {
        ty.text(self)?;
        self.dictionary(attributes)
    }

    fn is_function<T: SignatureType>(&mut self, ty: &T) -> bool {
        let ty = ty.ty().map(|ty| self.context().type_kind(ty));
        ty.is_some_and(|ty| ty.signature().is_some())
    }
}
