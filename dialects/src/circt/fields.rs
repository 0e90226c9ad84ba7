//! Types with named fields: bundles, structs, unions, enumerations, classes and domains, and the
//! directives of operations on a field.

use crate::helpers::integer;
use crate::two_way::{Asm, print_word};
use rmlir_ir::asm::{
    AsmError, AsmParser, AsmPrinter, AsmResult, DirectiveSyntax, ParsedArgument, PrintedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, DialectBody, Module, Operation, Type, TypeKind};

/// Returns the dialect and the body of a type of a dialect.
fn body(context: &Context, ty: Type) -> Option<(&[u8], &DialectBody)> {
    match context.type_kind(ty) {
        TypeKind::Dialect { dialect, body } => Some((context.bytes(*dialect), body)),
        _ => None,
    }
}

/// Returns whether an attribute is one of a dialect with that mnemonic.
pub(crate) fn is_attribute_of(
    context: &Context,
    attribute: Attribute,
    dialect: &str,
    mnemonic: &str,
) -> bool {
    matches!(
        context.attribute_kind(attribute),
        AttributeKind::Dialect { dialect: found, body, .. }
            if context.bytes(*found) == dialect.as_bytes()
                && body.mnemonic() == mnemonic.as_bytes()
    )
}

/// Returns a type without aliases around it: `!hw.typealias<@a::@b, T>` is `T`.
pub(crate) fn without_alias(context: &Context, mut ty: Type) -> Type {
    // An alias contains the aliased type, so this ends.
    loop {
        let is_alias = body(context, ty).is_some_and(|(dialect, body)| {
            let word = body.mnemonic();
            dialect == b"hw" && word == b"typealias" || dialect == b"firrtl" && word == b"alias"
        });
        let inner = is_alias.then(|| context.parameter(ty, "innerType")?.ty());
        match inner.flatten() {
            Some(inner) => ty = inner,
            None => return ty,
        }
    }
}

/// Returns the names and types of the fields of a type.
pub(crate) fn fields(context: &Context, ty: Type) -> Option<Vec<(&[u8], Type)>> {
    let parameters = context.parameters(without_alias(context, ty)).ok()?;
    let names = parameters.get("names")?.items();
    let types = parameters.get("types")?.items();
    if names.len() != types.len() {
        return None;
    }
    names
        .zip(types)
        .map(|(name, ty)| Some((name.bytes()?, ty.ty()?)))
        .collect()
}

/// Returns the type of a field as operations give it: in a constant bundle it is constant.
pub(crate) fn field_type(context: &mut Context, of: Type, field: Type) -> Type {
    let of = without_alias(context, of);
    let is_constant = body(context, of)
        .is_some_and(|(dialect, body)| dialect == b"firrtl" && body.text().starts_with(b"const."));
    match is_constant {
        true => constant_type(context, field),
        false => field,
    }
}

/// Returns the constant form of a type of `firrtl`.
pub(crate) fn constant_type(context: &mut Context, ty: Type) -> Type {
    let Some((b"firrtl", found)) = body(context, ty) else {
        return ty;
    };
    let base: [&[u8]; 9] = [
        b"clock",
        b"reset",
        b"asyncreset",
        b"uint",
        b"sint",
        b"analog",
        b"bundle",
        b"vector",
        b"enum",
    ];
    if !base.contains(&found.mnemonic()) {
        return ty;
    }
    let mut builder = rmlir_ir::BodyBuilder::new();
    builder.text(b"const.");
    for piece in found.pieces() {
        match piece {
            rmlir_ir::BodyPiece::Text(text) => builder.text(text),
            rmlir_ir::BodyPiece::Reference(reference) => builder.reference(context, reference),
        }
    }
    let kind = TypeKind::Dialect {
        dialect: context.identifier("firrtl"),
        body: builder.finish(),
    };
    context.try_type(kind).unwrap_or(ty)
}

/// How the name of a field is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FieldName {
    /// A keyword, or quoted where it is not one.
    Word,
    /// Quoted.
    Quoted,
}

impl FieldName {
    fn parse(self, parser: &mut dyn AsmParser) -> AsmResult<Vec<u8>> {
        let found = match self {
            FieldName::Word => parser.optional_keyword(),
            FieldName::Quoted => None,
        };
        let found = found.or_else(|| parser.optional_string());
        let Some(found) = found else {
            return Err(AsmError::new(
                parser.place(),
                "expected the name of a field",
            ));
        };
        Ok(parser.context().bytes(found).to_vec())
    }

    fn print(self, printer: &mut dyn AsmPrinter, name: &[u8]) {
        match self {
            FieldName::Word => print_word(printer, name),
            FieldName::Quoted => printer.string(name),
        }
    }
}

/// The directive of a field by name: `["a"] {...} : T`. Arguments: the index of the field, the
/// attributes, the type with the fields, the type of the field.
#[derive(Debug)]
pub(crate) struct Field {
    pub(crate) name: FieldName,
    /// The delimiters of the name.
    pub(crate) brackets: (&'static str, &'static str),
}

/// Returns the index and the type of a field.
fn find(
    parser: &mut dyn AsmParser,
    place: usize,
    of: Type,
    name: &[u8],
) -> AsmResult<(Attribute, Type)> {
    let found = fields(parser.context(), of);
    let Some(found) = found else {
        return Err(AsmError::new(place, "invalid kind of type specified"));
    };
    let at = found.iter().position(|field| field.0 == name);
    let field = at.and_then(|at| Some((at, found.get(at)?.1)));
    let Some((at, field)) = field else {
        let name = String::from_utf8_lossy(name);
        let message = format!("field name '{name}' not found in aggregate type");
        return Err(AsmError::new(place, message));
    };
    let context = parser.context();
    let ty = context.integer_type(32);
    let index = context.integer_attribute(ty, i64::try_from(at).unwrap_or(i64::MAX));
    let index = index.map_err(|error| AsmError::new(place, error.message()))?;
    Ok((index, field_type(context, of, field)))
}

/// Returns the name of a field, if its type is the one that operations give it.
fn name_of<'c>(
    context: &'c Context,
    index: Option<Attribute>,
    of: &[Type],
    ty: Option<&[Type]>,
) -> Option<&'c [u8]> {
    let &[of] = of else { return None };
    let index = usize::try_from(integer(context, index)?).ok()?;
    let all = fields(context, of)?;
    let &(name, field) = all.get(index)?;
    // The first field of the name is the one that is read.
    if all.iter().position(|one| one.0 == name) != Some(index) {
        return None;
    }
    match ty {
        Some(&[ty]) => is_field_type(context, of, field, ty).then_some(name),
        Some(_) => None,
        None => Some(name),
    }
}

/// Returns whether operations give a field this type.
pub(crate) fn is_field_type(context: &Context, of: Type, field: Type, ty: Type) -> bool {
    let of = without_alias(context, of);
    let is_constant = body(context, of)
        .is_some_and(|(dialect, body)| dialect == b"firrtl" && body.text().starts_with(b"const."));
    if !is_constant {
        return ty == field;
    }
    match (body(context, ty), body(context, field)) {
        (Some((b"firrtl", ty)), Some((b"firrtl", field))) => {
            let constant = field.text().starts_with(b"const.");
            let stripped = ty.text().strip_prefix(b"const.").unwrap_or(ty.text());
            match constant {
                true => ty == field,
                false => {
                    (ty.text() != field.text() && stripped == field.text())
                        && ty
                            .references()
                            .iter()
                            .map(|one| one.1)
                            .eq(field.references().iter().map(|one| one.1))
                }
            }
        }
        _ => ty == field,
    }
}

impl DirectiveSyntax for Field {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        parser.expect(self.brackets.0)?;
        let place = parser.place();
        let name = self.name.parse(parser)?;
        parser.expect(self.brackets.1)?;
        let attributes = parser.attribute_dictionary()?;
        parser.expect(":")?;
        let of = parser.ty()?;
        let (index, ty) = find(parser, place, of, &name)?;
        if let [to_index, to_attributes, to_of, to_ty] = arguments {
            *to_index = ParsedArgument::Attribute(Some(index));
            *to_attributes = ParsedArgument::Dictionary(attributes);
            *to_of = ParsedArgument::Types(vec![of]);
            *to_ty = ParsedArgument::Types(vec![ty]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let [index, PrintedArgument::Dictionary(attributes), of, _] = arguments else {
            return;
        };
        let context = printer.context();
        let name = name_of(context, index.attribute(), of.types(), None).unwrap_or_default();
        printer.text(self.brackets.0);
        self.name.print(printer, name);
        printer.text(self.brackets.1);
        printer.attribute_dictionary(attributes, &[]);
        printer.text(" : ");
        printer.types(of.types().iter().copied());
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [index, _, of, ty] = arguments else {
            return false;
        };
        name_of(context, index.attribute(), of.types(), Some(ty.types())).is_some()
    }
}

/// The directive of a field that is replaced: `["a"], %b {...} : T`. Arguments: the index of the
/// field, the new value, the attributes, the type with the fields, the type of the field.
#[derive(Debug)]
pub(crate) struct Inject;

/// The directive of a value of one field: `"a", %b {...} : T`, with the same arguments.
#[derive(Debug)]
pub(crate) struct Create;

/// Parses what [`Inject`] and [`Create`] have.
fn parse_field_value(
    parser: &mut dyn AsmParser,
    (open, close): (&str, &str),
    arguments: &mut [ParsedArgument],
) -> AsmResult<bool> {
    if !open.is_empty() {
        parser.expect(open)?;
    }
    let place = parser.place();
    let name = FieldName::Quoted.parse(parser)?;
    if !close.is_empty() {
        parser.expect(close)?;
    }
    parser.expect(",")?;
    let value = parser.operand_name()?;
    let attributes = parser.attribute_dictionary()?;
    parser.expect(":")?;
    let of = parser.ty()?;
    let (index, ty) = find(parser, place, of, &name)?;
    if let [to_index, to_value, to_attributes, to_of, to_ty] = arguments {
        *to_index = ParsedArgument::Attribute(Some(index));
        *to_value = ParsedArgument::Operands(vec![value]);
        *to_attributes = ParsedArgument::Dictionary(attributes);
        *to_of = ParsedArgument::Types(vec![of]);
        *to_ty = ParsedArgument::Types(vec![ty]);
    }
    Ok(true)
}

/// Prints what [`Inject`] and [`Create`] have.
fn print_field_value(
    printer: &mut dyn AsmPrinter,
    (open, close): (&str, &str),
    arguments: &[PrintedArgument],
) {
    let [index, value, PrintedArgument::Dictionary(attributes), of, _] = arguments else {
        return;
    };
    let context = printer.context();
    let name = name_of(context, index.attribute(), of.types(), None).unwrap_or_default();
    printer.text(open);
    printer.string(name);
    printer.text(close);
    printer.text(", ");
    printer.operands(value.operands().iter().copied());
    printer.attribute_dictionary(attributes, &[]);
    printer.text(" : ");
    printer.types(of.types().iter().copied());
}

/// Returns whether [`Inject`] and [`Create`] lose nothing.
fn is_field_value(context: &Context, arguments: &[PrintedArgument]) -> bool {
    let [index, value, _, of, ty] = arguments else {
        return false;
    };
    value.operands().len() == 1
        && name_of(context, index.attribute(), of.types(), Some(ty.types())).is_some()
}

impl DirectiveSyntax for Inject {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        parse_field_value(parser, ("[", "]"), arguments)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        print_field_value(printer, ("[", "]"), arguments);
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        is_field_value(context, arguments)
    }
}

impl DirectiveSyntax for Create {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        parse_field_value(parser, ("", ""), arguments)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        print_field_value(printer, ("", ""), arguments);
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        is_field_value(context, arguments)
    }
}

/// The directive of a type whose fields are the types of a group: `T`. Arguments: the type, the
/// types of the group.
#[derive(Debug)]
pub(crate) struct FieldTypes;

impl DirectiveSyntax for FieldTypes {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let of = parser.ty()?;
        let Some(types) = fields(parser.context(), of) else {
            return Err(AsmError::new(place, "expected a type with fields"));
        };
        let types = types.into_iter().map(|field| field.1).collect();
        if let [to_of, to_types] = arguments {
            *to_of = ParsedArgument::Types(vec![of]);
            *to_types = ParsedArgument::Types(types);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        if let [of, _] = arguments {
            printer.types(of.types().iter().copied());
        }
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        let [of, types] = arguments else {
            return false;
        };
        let &[of] = of.types() else { return false };
        fields(context, of).is_some_and(|fields| {
            fields
                .iter()
                .map(|field| field.1)
                .eq(types.types().iter().copied())
        })
    }
}

/// The directive of the interface of a class: `@name(in a: T, out b: T)`. The argument is the type.
#[derive(Debug)]
pub(crate) struct ClassInterface;

impl DirectiveSyntax for ClassInterface {
    fn parse(
        &self,
        parser: &mut dyn AsmParser,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<bool> {
        let place = parser.place();
        let class = parser.attribute()?;
        let mut fields: Vec<(usize, Vec<u8>, Option<Type>)> = Vec::new();
        Asm::Parser(parser).list(("(", ")"), &mut fields, |asm, (direction, name, ty)| {
            asm.choice(&["in", "out"], direction)?;
            asm.word(name)?;
            asm.token(":", ": ")?;
            asm.ty(ty)
        })?;
        let names: Vec<String> = fields
            .iter()
            .map(|field| String::from_utf8_lossy(&field.1).into_owned())
            .collect();
        let types: Vec<Type> = fields.iter().filter_map(|field| field.2).collect();
        let directions: Vec<bool> = fields.iter().map(|field| field.0 == 1).collect();
        let builder = parser
            .context()
            .build_type("firrtl.class")
            .with("name", class);
        let builder = builder.with("names", names).with("types", types);
        let made = builder.with("directions", directions).build();
        let made = made.map_err(|error| AsmError::new(place, error.message()))?;
        if let [argument] = arguments {
            *argument = ParsedArgument::Types(vec![made]);
        }
        Ok(true)
    }

    fn print(&self, printer: &mut dyn AsmPrinter, _: Operation, arguments: &[PrintedArgument]) {
        let Some(&[ty]) = arguments.first().map(PrintedArgument::types) else {
            return;
        };
        let context = printer.context();
        let name = context
            .parameter(ty, "name")
            .and_then(|name| name.attribute());
        if let Some(name) = name {
            printer.attribute(name);
        }
        let directions = context.parameter(ty, "directions");
        let directions: Vec<usize> = directions.map_or_else(Vec::new, |all| {
            all.items()
                .map(|one| usize::from(one.integer() == Some(1)))
                .collect()
        });
        let fields = fields(context, ty).unwrap_or_default();
        let mut fields: Vec<(usize, Vec<u8>, Option<Type>)> = fields
            .into_iter()
            .zip(directions)
            .map(|((name, ty), direction)| (direction, name.to_vec(), Some(ty)))
            .collect();
        // Printing does not fail.
        let _ =
            Asm::Printer(printer).list(("(", ")"), &mut fields, |asm, (direction, name, ty)| {
                asm.choice(&["in", "out"], direction)?;
                asm.space(" ");
                asm.word(name)?;
                asm.token(":", ": ")?;
                asm.ty(ty)
            });
    }

    fn can_print(
        &self,
        context: &Context,
        _: (&Module, Operation),
        arguments: &[PrintedArgument],
    ) -> bool {
        match arguments.first().map(PrintedArgument::types) {
            Some(&[ty]) => {
                crate::helpers::is_of(context, ty, "firrtl", "class")
                    && fields(context, ty).is_some()
            }
            _ => false,
        }
    }
}
