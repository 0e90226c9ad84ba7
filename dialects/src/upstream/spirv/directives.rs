//! Directives of `spirv` for text that LLVM's own code parses and prints.

use crate::directive::{Case, Printed, TwoWayDirective, TypedName, other_arguments};
use crate::helpers::integer_of;
use crate::two_way::{Asm, Named};
use rmlir_ir::asm::{AsmError, AsmParser, AsmResult, OperandName, ParsedArgument, PrintedArgument};
use rmlir_ir::definition::type_parameters;
use rmlir_ir::{Attribute, AttributeKind, Context, NamedAttribute, Type, TypeKind, Value};

/// Returns an attribute of the dialect that holds a case of an enumeration.
pub(crate) const fn case(enumeration: &'static str, mnemonic: &'static str) -> Case {
    Case {
        dialect: "spirv",
        enumeration,
        mnemonic,
        ending: "",
    }
}

const MEMORY_ACCESS: Case = case("MemoryAccess", "memory_access");

/// The keyword of a case in quotes: `"GLCompute"`. Several are separated by `|`.
fn quoted(asm: &mut Asm<'_, '_>, case: &Case, attribute: &mut Option<Attribute>) -> AsmResult<()> {
    match asm {
        Asm::Parser(parser) => {
            let place = parser.place();
            let Some(text) = parser.optional_string() else {
                let none = parser.context().none_type();
                parser.attribute_of_type(none)?;
                let mnemonic = case.mnemonic;
                let message = format!("expected {mnemonic} attribute specified as string");
                return Err(AsmError::new(place, message));
            };
            let text = parser.context().str(text).into_owned();
            let of = (case.dialect, case.enumeration);
            let mut words = text.split('|');
            let known =
                |word: &str| crate::helpers::member_value(parser.context(), of, word).is_some();
            let mnemonic = case.mnemonic;
            if !words.all(known) {
                let message = format!("invalid {mnemonic} attribute specification: \"{text}\"");
                return Err(AsmError::new(place, message));
            }
            let made = crate::helpers::dialect_attribute(
                parser.context(),
                case.dialect,
                &format!("{mnemonic}<{text}>"),
            );
            *attribute =
                Some(made.map_err(|error| AsmError::new(place, error.message().to_owned()))?);
        }
        Asm::Printer(printer) => {
            let word = attribute.and_then(|one| case.word(printer.context(), one));
            printer.string(word.unwrap_or_default().as_bytes());
        }
    }
    Ok(())
}

/// The directive for an attribute as the keyword of a case in quotes.
#[derive(Debug)]
pub(crate) struct Quoted(pub(crate) Case);

impl TwoWayDirective for Quoted {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let attribute = printed.arguments.first()?.attribute();
        (attribute.is_some() && self.0.fits(printed.context, attribute)).then_some(attribute)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        quoted(asm, &self.0, content)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let Some(attribute) = arguments.first_mut() {
            *attribute = ParsedArgument::Attribute(content);
        }
        Ok(())
    }
}

/// The items of an array: `, @a, @b`.
#[derive(Debug)]
pub(crate) enum Following {
    /// References to symbols, of which the first does not follow a comma.
    References,
    /// References to symbols.
    Symbols,
    /// Integers of 32 bits without their type.
    Integers,
}

impl TwoWayDirective for Following {
    type Content = Vec<Option<Attribute>>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let context = printed.context;
        let list = printed.arguments.first()?.attribute();
        let items = crate::two_way::items(context, list)?;
        let i32 = context.i32_type();
        let is = |&item: &Attribute| match self {
            Following::References | Following::Symbols => matches!(
                context.attribute_kind(item),
                AttributeKind::SymbolRef { .. }
            ),
            Following::Integers => integer_of(context, i32, Some(item)).is_some(),
        };
        let is_read = !items.is_empty() || !matches!(self, Following::References);
        (is_read && items.iter().all(is)).then(|| items.iter().copied().map(Some).collect())
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !matches!(self, Following::References) {
            if !asm.is_there(",", !content.is_empty()) {
                return Ok(false);
            }
            asm.token(",", ", ")?;
        }
        asm.items(content, |asm, item| match (self, &mut *asm) {
            (Following::Integers, Asm::Parser(parser)) => {
                let i32 = parser.context().i32_type();
                asm.attribute_of(Some(i32), item)
            }
            (Following::Integers, Asm::Printer(_)) => asm.attribute_of(None, item),
            (Following::References | Following::Symbols, _) => asm.attribute(item),
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [attribute] = arguments {
            let items: Vec<Attribute> = content.into_iter().flatten().collect();
            *attribute = ParsedArgument::Attribute(Some(parser.context().array_attribute(&items)));
        }
        Ok(())
    }
}

/// The directive ` control(Flatten)`, which is left out if it is `None`.
#[derive(Debug)]
pub(crate) struct Control(pub(crate) Case);

impl TwoWayDirective for Control {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let attribute = printed.arguments.first()?.attribute()?;
        let word = self.0.word(printed.context, attribute)?;
        Some((word != "None").then_some(attribute))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there("control", content.is_some()) {
            return Ok(false);
        }
        asm.token("control", " control")?;
        asm.token("(", "(")?;
        asm.case(&self.0, content)?;
        asm.token(")", ")")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [attribute] = arguments {
            let content = content.or_else(|| self.0.attribute(parser.context(), "None"));
            *attribute = ParsedArgument::Attribute(content);
        }
        Ok(())
    }
}

/// The directive for an operand of type `i32`, whose type is left out.
#[derive(Debug)]
pub(crate) struct OfI32;

impl TwoWayDirective for OfI32 {
    type Content = TypedName;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [operand, ty] = printed.arguments else {
            return None;
        };
        let operand = *TypedName::all(operand, ty)?.first()?;
        (operand.ty == Some(printed.context.i32_type())).then_some(operand)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, operand: &mut Self::Content) -> AsmResult<bool> {
        asm.value(&mut operand.name)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        mut operand: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [name, ty] = arguments else {
            return Err(other_arguments(parser));
        };
        operand.ty = Some(parser.context().i32_type());
        TypedName::set([operand], name, ty);
        Ok(())
    }
}

/// The directive for one type that several groups have.
#[derive(Debug)]
pub(crate) struct OneType;

impl TwoWayDirective for OneType {
    type Content = Option<Type>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let first = printed.arguments.first()?.types().first().copied()?;
        let mut all = printed.arguments.iter().map(PrintedArgument::types);
        all.all(|types| types == [first]).then_some(Some(first))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.ty(content)?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        for argument in arguments {
            *argument = ParsedArgument::Types(content.into_iter().collect());
        }
        Ok(())
    }
}

/// The directive for the type of a structure, whose first member is the type of other groups.
#[derive(Debug)]
pub(crate) struct OfMember;

impl TwoWayDirective for OfMember {
    type Content = Option<Type>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let (structure, groups) = printed.arguments.split_first()?;
        let structure = structure.types().first().copied()?;
        let member = type_parameters(printed.context, structure).next()?;
        let mut all = groups.iter().map(PrintedArgument::types);
        all.all(|types| types == [member])
            .then_some(Some(structure))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.ty(content)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let context = parser.context();
        let member = content.and_then(|ty| type_parameters(context, ty).next());
        let Some((member, (structure, groups))) = member.zip(arguments.split_first_mut()) else {
            let message =
                "the types of the structure are not known, only the generic form can be read";
            return Err(AsmError::new(place, message).unsupported());
        };
        *structure = ParsedArgument::Types(content.into_iter().collect());
        for group in groups {
            *group = ParsedArgument::Types(vec![member]);
        }
        Ok(())
    }
}

/// Why the type of a part of a composite type is not returned.
enum NoPart {
    /// A vector has no element of this index.
    OutOfBounds(usize),
    /// The types of parts are not known, or the indices are none.
    Unknown,
}

/// Returns the type of a part of a composite type, by indices.
fn part(context: &Context, ty: Type, indices: Option<Attribute>) -> Result<Type, NoPart> {
    let i32 = context.i32_type();
    let mut ty = ty;
    for &index in crate::two_way::items(context, indices).ok_or(NoPart::Unknown)? {
        let index = integer_of(context, i32, Some(index));
        let index = index.and_then(|index| usize::try_from(index).ok());
        let index = index.ok_or(NoPart::Unknown)?;
        ty = match context.type_kind(ty) {
            TypeKind::Vector { shape, .. } if is_outside(shape, index) => {
                return Err(NoPart::OutOfBounds(index));
            }
            TypeKind::Vector { element, .. } => *element,
            TypeKind::Dialect { dialect, body } if context.bytes(*dialect) == b"spirv" => {
                let is_structure = body.mnemonic() == b"struct";
                let number = if is_structure { index } else { 0 };
                let parameter = type_parameters(context, ty).nth(number);
                parameter.ok_or(NoPart::Unknown)?
            }
            _ => return Err(NoPart::Unknown),
        };
    }
    Ok(ty)
}

/// Whether a vector has no element of an index.
fn is_outside(shape: &[i64], index: usize) -> bool {
    let size = shape.first().and_then(|&size| usize::try_from(size).ok());
    size.is_some_and(|size| index >= size)
}

/// The directive for the type of a composite and, left out, that of the part at some indices.
#[derive(Debug)]
pub(crate) struct PartType;

impl TwoWayDirective for PartType {
    /// The type, and its place in a text that is read.
    type Content = (Option<Type>, Option<usize>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [composite, of_part, indices] = printed.arguments else {
            return None;
        };
        let composite = composite.types().first().copied()?;
        let found = part(printed.context, composite, indices.attribute()).ok()?;
        let is_same = of_part.types().first() == Some(&found);
        is_same.then_some((Some(composite), None))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (ty, place): &mut Self::Content) -> AsmResult<bool> {
        *place = asm.place();
        asm.ty(ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (ty, place): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [composite, of_part, ParsedArgument::Attribute(indices)] = arguments else {
            return Err(other_arguments(parser));
        };
        let place = place.unwrap_or_else(|| parser.place());
        let found = ty.ok_or(NoPart::Unknown);
        let found = found.and_then(|ty| part(parser.context(), ty, *indices));
        let found = found.map_err(|reason| match reason {
            NoPart::OutOfBounds(index) => {
                AsmError::new(place, format!("index {index} is out of bounds"))
            }
            NoPart::Unknown => {
                let message =
                    "the type of the part is not known, only the generic form can be read";
                AsmError::new(place, message).unsupported()
            }
        })?;
        *composite = ParsedArgument::Types(ty.into_iter().collect());
        *of_part = ParsedArgument::Types(vec![found]);
        Ok(())
    }
}

/// The directive ` ["Lod"]`: cases in brackets, or nothing.
#[derive(Debug)]
pub(crate) struct ImageOperands;

const IMAGE_OPERANDS: Case = case("ImageOperands", "image_operands");

impl TwoWayDirective for ImageOperands {
    type Content = Option<Attribute>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let attribute = printed.arguments.first()?.attribute();
        IMAGE_OPERANDS
            .fits(printed.context, attribute)
            .then_some(attribute)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there("[", content.is_some()) {
            return Ok(false);
        }
        asm.token("[", "[")?;
        quoted(asm, &IMAGE_OPERANDS, content)?;
        asm.token("]", "]")?;
        Ok(true)
    }

    fn build(
        &self,
        _: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        if let [attribute] = arguments {
            *attribute = ParsedArgument::Attribute(content);
        }
        Ok(())
    }
}

/// Returns the type that a pointer points to, and its storage class.
pub(super) fn pointer(context: &Context, ty: Type) -> Option<(Type, &str)> {
    let class = super::memory::storage_class(context, ty)?;
    Some((type_parameters(context, ty).next()?, class))
}

/// A storage class in quotes: `"Function"`.
pub(super) fn storage_class(asm: &mut Asm<'_, '_>, class: &mut Vec<u8>) -> AsmResult<()> {
    let place = asm.place();
    asm.string(class)?;
    if let (Asm::Parser(parser), Some(place)) = (asm, place) {
        let of = ("spirv", "StorageClass");
        let text = String::from_utf8_lossy(class);
        if crate::helpers::member_value(parser.context(), of, &text).is_none() {
            let message = format!("invalid storage_class attribute specification: {text:?}");
            return Err(AsmError::new(place, message));
        }
    }
    Ok(())
}

/// How memory is accessed, and the alignment.
#[derive(Default)]
pub(super) struct MemoryAccess {
    access: Option<Attribute>,
    alignment: Option<i64>,
}

impl MemoryAccess {
    /// Returns what two attributes hold; `None` if the text would lose something.
    pub(super) fn of(
        context: &Context,
        access: &PrintedArgument,
        alignment: &PrintedArgument,
    ) -> Option<Self> {
        let access = access.attribute();
        let alignment = match alignment.attribute() {
            None => None,
            alignment => Some(integer_of(context, context.i32_type(), alignment)?),
        };
        // The alignment is written if the access is aligned, and only then.
        let is_aligned = access
            .and_then(|access| MEMORY_ACCESS.word(context, access))
            .is_some_and(|words| words.split('|').any(|word| word.trim() == "Aligned"));
        let fits = MEMORY_ACCESS.fits(context, access) && is_aligned == alignment.is_some();
        fits.then_some(MemoryAccess { access, alignment })
    }

    /// Returns whether there is one.
    pub(super) fn is_there(&self) -> bool {
        self.access.is_some()
    }

    /// ` ["Aligned", 4]`, or nothing.
    pub(super) fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<()> {
        if !asm.is_there("[", self.access.is_some()) {
            return Ok(());
        }
        asm.token("[", " [")?;
        quoted(asm, &MEMORY_ACCESS, &mut self.access)?;
        if asm.is_there(",", self.alignment.is_some()) {
            asm.token(",", ", ")?;
            asm.integer(self.alignment.get_or_insert_default())?;
        }
        asm.token("]", "]")
    }

    /// Sets the arguments of both attributes.
    pub(super) fn set(
        &self,
        parser: &mut dyn AsmParser,
        access: &mut ParsedArgument,
        alignment: &mut ParsedArgument,
    ) -> AsmResult<()> {
        let place = parser.place();
        let context = parser.context();
        let i32 = context.i32_type();
        let number = self.alignment;
        let number = number.map(|number| context.integer_attribute(i32, number));
        let number = number.transpose();
        let number = number.map_err(|error| AsmError::new(place, error.message()))?;
        *access = ParsedArgument::Attribute(self.access);
        *alignment = ParsedArgument::Attribute(number);
        Ok(())
    }
}

/// Returns the pointer type with a storage class to a type.
pub(super) fn pointer_to(
    parser: &mut dyn AsmParser,
    pointee: Type,
    class: &[u8],
) -> AsmResult<Type> {
    let place = parser.place();
    let class = String::from_utf8_lossy(class).into_owned();
    let made = parser
        .context()
        .build_type("spirv.ptr")
        .with("pointeeType", pointee)
        .with("storageClass", class)
        .build();
    made.map_err(|error| AsmError::new(place, error.message()))
}

/// The directive of a load or store: `"Function" %pointer, %value ["Aligned", 4] {...} : type`.
#[derive(Debug)]
pub(crate) struct Access {
    /// Whether there is a value operand.
    pub(crate) stores: bool,
    /// Whether the text that LLVM prints is one that it reads.
    pub(crate) is_printed: bool,
}

/// The parsed parts of [`Access`].
#[derive(Default)]
pub(crate) struct Accessed {
    class: Vec<u8>,
    pointer: Named,
    value: Named,
    access: MemoryAccess,
    attributes: Vec<NamedAttribute>,
    ty: Option<Type>,
}

impl TwoWayDirective for Access {
    type Content = Accessed;

    fn content(&self, printed: &Printed<'_>) -> Option<Accessed> {
        let [
            pointers,
            pointer_type,
            value,
            ty,
            access,
            alignment,
            attributes,
        ] = printed.arguments
        else {
            return None;
        };
        let context = printed.context;
        let PrintedArgument::Dictionary(attributes) = attributes else {
            return None;
        };
        let ty = ty.types().first().copied()?;
        let (pointee, class) = pointer(context, pointer_type.types().first().copied()?)?;
        let access = MemoryAccess::of(context, access, alignment)?;
        let fits = self.is_printed && pointee == ty;
        let one = |values: &[Value]| values.first().copied().map(Named::of);
        fits.then_some(Accessed {
            class: class.as_bytes().to_vec(),
            pointer: one(pointers.operands())?,
            value: one(value.operands()).unwrap_or_default(),
            access,
            attributes: attributes.clone(),
            ty: Some(ty),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Accessed) -> AsmResult<bool> {
        storage_class(asm, &mut content.class)?;
        asm.space(" ");
        asm.value(&mut content.pointer)?;
        if self.stores {
            asm.token(",", ", ")?;
            asm.value(&mut content.value)?;
        }
        content.access.text(asm)?;
        asm.dictionary(&mut content.attributes)?;
        asm.token(":", " : ")?;
        asm.ty(&mut content.ty)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Accessed,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let [
            pointers,
            pointer_type,
            value,
            ty,
            access,
            alignment,
            attributes,
        ] = arguments
        else {
            return Err(other_arguments(parser));
        };
        let Some(of_value) = content.ty else {
            return Err(AsmError::new(place, "expected a type"));
        };
        // A block of elements is stored through a pointer to the first one.
        let pointee = match *parser.context().type_kind(of_value) {
            TypeKind::Vector { element, .. } if !self.is_printed => element,
            _ => of_value,
        };
        let made = pointer_to(parser, pointee, &content.class)?;
        let names = |name: Option<OperandName>| {
            ParsedArgument::Operands(name.into_iter().collect::<Vec<_>>())
        };
        *pointers = names(content.pointer.name);
        *pointer_type = ParsedArgument::Types(vec![made]);
        *value = names(content.value.name);
        *ty = ParsedArgument::Types(vec![of_value]);
        content.access.set(parser, access, alignment)?;
        *attributes = ParsedArgument::Dictionary(content.attributes);
        Ok(())
    }
}

/// The directive for the access of a matrix operation: `, <Aligned>, 16`, or nothing.
#[derive(Debug)]
pub(crate) struct MemoryOperand;

impl TwoWayDirective for MemoryOperand {
    /// The access, and the alignment.
    type Content = (Option<Attribute>, Option<i64>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [access, alignment] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let access = access.attribute();
        let alignment = match alignment.attribute() {
            None => None,
            alignment => Some(integer_of(context, context.i32_type(), alignment)?),
        };
        // The parser accepts an alignment only after an access.
        let is_read = access.is_some() || alignment.is_none();
        (is_read && MEMORY_ACCESS.fits(context, access)).then_some((access, alignment))
    }

    fn text(
        &self,
        asm: &mut Asm<'_, '_>,
        (access, alignment): &mut Self::Content,
    ) -> AsmResult<bool> {
        if !asm.is_there(",", access.is_some()) {
            return Ok(false);
        }
        asm.token(",", ", ")?;
        asm.stripped(("spirv", "memory_access"), access)?;
        if asm.is_there(",", alignment.is_some()) {
            asm.token(",", ", ")?;
            asm.integer(alignment.get_or_insert_default())?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (of_access, of_alignment): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let [access, alignment] = arguments else {
            return Err(other_arguments(parser));
        };
        *access = ParsedArgument::Attribute(of_access);
        if let Some(number) = of_alignment {
            let context = parser.context();
            let i32 = context.i32_type();
            let number = context.integer_attribute(i32, number);
            let number = number.map_err(|error| AsmError::new(place, error.message()))?;
            *alignment = ParsedArgument::Attribute(Some(number));
        }
        Ok(())
    }
}

/// The directive for an optional list of branch weights: ` [1, 2]`.
#[derive(Debug)]
pub(crate) struct Weights;

impl TwoWayDirective for Weights {
    type Content = Vec<i64>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let context = printed.context;
        let Some(list) = printed.arguments.first()?.attribute() else {
            return Some(Vec::new());
        };
        let i32 = context.i32_type();
        let items = crate::two_way::items(context, Some(list))?.iter();
        let weights = items.map(|&item| integer_of(context, i32, Some(item)));
        let weights: Vec<i64> = weights.collect::<Option<_>>()?;
        (weights.len() == 2).then_some(weights)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there("[", !content.is_empty()) {
            return Ok(false);
        }
        asm.list((" [", "]"), content, |asm, weight| asm.integer(weight))?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        let [argument] = arguments else {
            return Err(other_arguments(parser));
        };
        if content.is_empty() {
            return Ok(());
        }
        let context = parser.context();
        let i32 = context.i32_type();
        let mut weights = Vec::with_capacity(content.len());
        for weight in content {
            let weight = context.integer_attribute(i32, weight);
            weights.push(weight.map_err(|error| AsmError::new(place, error.message()))?);
        }
        *argument = ParsedArgument::Attribute(Some(context.array_attribute(&weights)));
        Ok(())
    }
}

/// The directive for the attribute `spec_id` of a specialization constant: ` spec_id(5)`.
#[derive(Debug)]
pub(crate) struct SpecId;

impl TwoWayDirective for SpecId {
    type Content = Option<i64>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [PrintedArgument::Dictionary(attributes)] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        match attributes[..] {
            [] => Some(None),
            [(name, value)] if context.bytes(name) == b"spec_id" => {
                integer_of(context, context.i64_type(), Some(value)).map(Some)
            }
            _ => None,
        }
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        if !asm.is_there("spec_id", content.is_some()) {
            return Ok(false);
        }
        asm.token("spec_id", " spec_id")?;
        asm.token("(", "(")?;
        asm.integer(content.get_or_insert_default())?;
        asm.token(")", ")")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let place = parser.place();
        if let ([attributes], Some(number)) = (arguments, content) {
            let name = parser.name("spec_id");
            let context = parser.context();
            let i64 = context.i64_type();
            let number = context.integer_attribute(i64, number);
            let number = number.map_err(|error| AsmError::new(place, error.message()))?;
            *attributes = ParsedArgument::Dictionary(vec![(name, number)]);
        }
        Ok(())
    }
}

/// The directive ` built_in("GlobalInvocationId") {...}` before LLVM 22: a discardable attribute,
/// and the others.
#[derive(Debug)]
pub(crate) struct BuiltIn;

const BUILT_IN: &str = "built_in";

impl TwoWayDirective for BuiltIn {
    /// The attribute, and the others.
    type Content = (Option<Attribute>, Vec<NamedAttribute>);

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let [PrintedArgument::Dictionary(attributes)] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let is_own = |entry: &NamedAttribute| context.bytes(entry.0) == BUILT_IN.as_bytes();
        let (own, others): (Vec<NamedAttribute>, Vec<NamedAttribute>) =
            attributes.iter().copied().partition(is_own);
        let own = own.first().map(|entry| entry.1);
        let fits = own.is_none_or(|own| crate::func::is_plain_string(context, own));
        fits.then_some((own, others))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, (own, others): &mut Self::Content) -> AsmResult<bool> {
        if asm.is_there(BUILT_IN, own.is_some()) {
            asm.token(BUILT_IN, " built_in")?;
            asm.token("(", "(")?;
            asm.attribute(own)?;
            asm.token(")", ")")?;
        }
        asm.dictionary(others)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        (own, mut attributes): Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [dictionary] = arguments else {
            return Err(other_arguments(parser));
        };
        if let Some(own) = own {
            attributes.push((parser.name(BUILT_IN), own));
        }
        *dictionary = ParsedArgument::Dictionary(attributes);
        Ok(())
    }
}
