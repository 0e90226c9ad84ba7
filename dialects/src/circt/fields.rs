//! Types with named fields: bundles, structs, unions, enumerations, classes and domains, and the
//! directives of operations on a field.

use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::helpers::integer;
use crate::two_way::{Asm, Named, failure, invalid, one_type, operands};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument, PrintedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, DialectBody, NamedAttribute, Type, TypeKind};

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

/// The directive of a field by name, with the new value of it if there is one: `["a"] {...} : T`,
/// `["a"], %b {...} : T`. Arguments: the index of the field, the value, the attributes, the type
/// with the fields, and the type of the field if a group has it.
#[derive(Debug)]
pub(crate) struct Field {
    /// Whether the name is always quoted.
    pub(crate) is_quoted: bool,
    /// Whether the name is in square brackets.
    pub(crate) in_brackets: bool,
    pub(crate) has_value: bool,
}

/// The text of [`Field`].
#[derive(Default)]
pub(crate) struct FieldContent {
    place: Option<usize>,
    name: Vec<u8>,
    value: Named,
    attributes: Vec<NamedAttribute>,
    of: Option<Type>,
}

/// Returns the index and the type of a field.
fn find(
    context: &mut Context,
    place: Option<usize>,
    of: Option<Type>,
    name: &[u8],
) -> AsmResult<(Attribute, Type)> {
    let found = of.and_then(|of| Some((of, fields(context, of)?)));
    let Some((of, found)) = found else {
        return Err(failure(place, "invalid kind of type specified"));
    };
    let at = found.iter().position(|field| field.0 == name);
    let field = at.and_then(|at| Some((at, found.get(at)?.1)));
    let Some((at, field)) = field else {
        let name = String::from_utf8_lossy(name);
        let message = format!("field name '{name}' not found in aggregate type");
        return Err(failure(place, message));
    };
    let ty = context.integer_type(32);
    let index = context.integer_attribute(ty, i64::try_from(at).unwrap_or(i64::MAX));
    let index = index.map_err(invalid(place))?;
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
    let is_same = |ty: &[Type]| ty.iter().all(|&ty| is_field_type(context, of, field, ty));
    ty.is_none_or(is_same).then_some(name)
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

impl TwoWayDirective for Field {
    type Content = FieldContent;

    fn content(&self, printed: &Printed<'_>) -> Option<FieldContent> {
        let (index, value, attributes, of, ty) = match printed.arguments {
            [index, attributes, of] => (index, None, attributes, of, None),
            [index, attributes, of, ty] => (index, None, attributes, of, Some(ty)),
            [index, value, attributes, of, ty] => (index, Some(value), attributes, of, Some(ty)),
            _ => return None,
        };
        let PrintedArgument::Dictionary(attributes) = attributes else {
            return None;
        };
        let (of, ty) = (of.types(), ty.map(PrintedArgument::types));
        let name = name_of(printed.context, index.attribute(), of, ty)?;
        let value = match value.map(PrintedArgument::operands) {
            Some(&[value]) => Named::of(value),
            Some(_) => return None,
            None => Named::default(),
        };
        Some(FieldContent {
            place: None,
            name: name.to_vec(),
            value,
            attributes: attributes.clone(),
            of: of.first().copied(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut FieldContent) -> AsmResult<bool> {
        if self.in_brackets {
            asm.token("[", "[")?;
        }
        content.place = asm.place();
        let name = match self.is_quoted {
            true => asm.string(&mut content.name),
            false => asm.word(&mut content.name),
        };
        name.map_err(|error| error.saying("expected the name of a field"))?;
        if self.in_brackets {
            asm.token("]", "]")?;
        }
        if self.has_value {
            asm.token(",", ", ")?;
            asm.value(&mut content.value)?;
        }
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.of)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: FieldContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let (place, of) = (content.place, content.of);
        let (index, ty) = find(parser.context(), place, of, &content.name)?;
        let (to_index, to_attributes, to_of, to_ty) = match arguments {
            [index, attributes, of] => (index, attributes, of, None),
            [index, attributes, of, ty] => (index, attributes, of, Some(ty)),
            [index, value, attributes, of, ty] => {
                *value = operands(&[content.value]);
                (index, attributes, of, Some(ty))
            }
            _ => return Err(other_arguments(parser)),
        };
        *to_index = ParsedArgument::Attribute(Some(index));
        *to_attributes = ParsedArgument::Dictionary(content.attributes);
        *to_of = one_type(of);
        if let Some(to_ty) = to_ty {
            *to_ty = one_type(Some(ty));
        }
        Ok(())
    }
}

/// The directive of a type whose fields are the types of a group: `T`. Arguments: the type, the
/// types of the group.
#[derive(Debug)]
pub(crate) struct FieldTypes;

impl TwoWayDirective for FieldTypes {
    /// The type, and its place in a text that is read.
    type Content = (Option<Type>, Option<usize>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [of, types] = printed.arguments else {
            return None;
        };
        let &[of] = of.types() else { return None };
        let fields = fields(printed.context, of)?;
        let found = fields.iter().map(|field| field.1);
        let is_same = found.eq(types.types().iter().copied());
        is_same.then_some((Some(of), None))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (of, place): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.ty(of)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (of, place): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let Some(fields) = of.and_then(|of| fields(context, of)) else {
            return Err(failure(place, "expected a type with fields"));
        };
        if let [to_of, to_types] = arguments {
            *to_of = one_type(of);
            *to_types = ParsedArgument::Types(fields.into_iter().map(|field| field.1).collect());
        }
        Ok(())
    }
}

/// The directive of the interface of a class: `@name(in a: T, out b: T)`. The argument is the type.
#[derive(Debug)]
pub(crate) struct ClassInterface;

/// The text of [`ClassInterface`].
#[derive(Default)]
pub(crate) struct ClassContent {
    place: Option<usize>,
    class: Option<Attribute>,
    /// The index of the direction, the name, and the type of each field.
    fields: Vec<(usize, Vec<u8>, Option<Type>)>,
}

impl TwoWayDirective for ClassInterface {
    type Content = ClassContent;

    fn content(&self, printed: &Printed<'_>) -> Option<ClassContent> {
        let context = printed.context;
        let &[ty] = printed.arguments.first()?.types() else {
            return None;
        };
        let fields = fields(context, ty)?;
        let directions = context.parameter(ty, "directions").into_iter();
        if !crate::helpers::is_of(context, ty, "firrtl", "class") {
            return None;
        }
        let directions = directions.flat_map(|all| all.items());
        let outputs = directions.map(|one| usize::from(one.integer() == Some(1)));
        let fields = fields.into_iter().zip(outputs);
        Some(ClassContent {
            place: None,
            class: context.parameter(ty, "name")?.attribute(),
            fields: fields
                .map(|((name, ty), direction)| (direction, name.to_vec(), Some(ty)))
                .collect(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut ClassContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.attribute(&mut content.class)?;
        asm.list(
            ("(", ")"),
            &mut content.fields,
            |asm, (direction, name, ty)| {
                asm.choice(&["in", "out"], direction)?;
                asm.space(" ");
                asm.word(name)?;
                asm.token(":", ": ")?;
                asm.ty(ty)
            },
        )?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: ClassContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let fields = &content.fields;
        let names: Vec<String> = fields
            .iter()
            .map(|field| String::from_utf8_lossy(&field.1).into_owned())
            .collect();
        let types: Vec<Type> = fields.iter().filter_map(|field| field.2).collect();
        let directions: Vec<bool> = fields.iter().map(|field| field.0 == 1).collect();
        let Some(class) = content.class else {
            return Err(other_arguments(parser));
        };
        let builder = parser.context().build_type("firrtl.class");
        let builder = builder.with("name", class).with("names", names);
        let builder = builder.with("types", types).with("directions", directions);
        let made = builder.build().map_err(invalid(content.place))?;
        if let [argument] = arguments {
            *argument = one_type(Some(made));
        }
        Ok(())
    }
}
