//! Physical locations of `msft`.

use crate::directive::{Printed, TwoWayDirective};
use crate::entry::{EntryAsm, Field, TwoWayEntry};
use crate::two_way::steps::{ReadSteps, WriteSteps};
use crate::two_way::{Asm, Assembler, failure, invalid};
use rmlir_ir::asm::{
    AsmParser, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut, ParsedArgument,
};
use rmlir_ir::{Attribute, AttributeKind, Context, Invalid};

/// The kind of location whose name a list leaves out.
const REGISTER: &str = "FF";

/// The parameters of `#msft.physloc`.
#[derive(Default)]
pub(crate) struct Location {
    place: Option<usize>,
    kind: Vec<u8>,
    numbers: [i64; 3],
}

/// The names of the numbers.
const NUMBERS: [&str; 3] = ["x", "y", "num"];

impl Location {
    /// Returns the parameters of an attribute; `None` if it is another one.
    fn of(context: &Context, attribute: Attribute) -> Option<Self> {
        if !super::fields::is_attribute_of(context, attribute, "msft", "physloc") {
            return None;
        }
        let parameters = context.parameters(attribute).ok()?;
        let mut numbers = [0; 3];
        for (number, name) in numbers.iter_mut().zip(NUMBERS) {
            *number = parameters.get(name)?.integer()?;
        }
        let kind = parameters.get("primitiveType")?;
        Some(Location {
            place: None,
            kind: kind.str()?.as_bytes().to_vec(),
            numbers,
        })
    }

    fn attribute(&self, context: &mut Context) -> AsmResult<Attribute> {
        let kind = String::from_utf8_lossy(&self.kind).into_owned();
        let mut builder = context.build_attribute("msft.physloc");
        builder = builder.with("primitiveType", kind);
        for (&number, name) in self.numbers.iter().zip(NUMBERS) {
            builder = builder.with(name, number);
        }
        builder.build().map_err(invalid(self.place))
    }
}

/// The directive of a location: `M20K x: 15 y: 9 n: 3`.
#[derive(Debug)]
pub(crate) struct PhysicalLocation;

impl TwoWayDirective for PhysicalLocation {
    type Content = Location;

    fn content(&self, printed: &Printed<'_>) -> Option<Location> {
        Location::of(printed.context, printed.arguments.first()?.attribute()?)
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Location) -> AsmResult<bool> {
        content.place = asm.place();
        asm.any_keyword(&mut content.kind)?;
        for (number, word) in content.numbers.iter_mut().zip(["x", "y", "n"]) {
            asm.space(" ");
            asm.token(word, word)?;
            asm.token(":", ": ")?;
            asm.integer(number)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Location,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let made = content.attribute(parser.context())?;
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(made));
        }
        Ok(())
    }
}

/// An item of a list of locations: `*` for none, `<1, 2, 3>` for that of a register, or another.
#[derive(Default)]
pub(crate) enum Item {
    #[default]
    None,
    Register(Location),
    Other(Option<Attribute>),
}

impl Item {
    fn of(context: &Context, attribute: Attribute) -> Self {
        match Location::of(context, attribute) {
            Some(location) if location.kind == REGISTER.as_bytes() => Item::Register(location),
            None if attribute == context.unit_attribute() => Item::None,
            _ => Item::Other(Some(attribute)),
        }
    }

    fn text<P: ReadSteps + ?Sized, W: WriteSteps + ?Sized>(
        &mut self,
        asm: &mut Assembler<'_, P, W>,
    ) -> AsmResult<()> {
        if asm.is_there("*", matches!(self, Item::None)) {
            *self = Item::None;
            return asm.token("*", "*");
        }
        if let Assembler::Parser(parser) = asm {
            *self = match parser.at("<") {
                true => Item::Register(Location {
                    place: Some(parser.place()),
                    kind: REGISTER.as_bytes().to_vec(),
                    ..Location::default()
                }),
                false => Item::Other(None),
            };
        }
        match self {
            Item::None => Ok(()),
            Item::Other(attribute) => asm.attribute(attribute),
            Item::Register(location) => {
                let [x, y, number] = &mut location.numbers;
                asm.token("<", "<")?;
                asm.integer(x)?;
                asm.token(",", ", ")?;
                asm.integer(y)?;
                asm.token(",", ", ")?;
                asm.integer(number)?;
                asm.token(">", ">")
            }
        }
    }
}

/// Returns whether an attribute is an item of a list of locations.
fn is_item(context: &Context, attribute: Attribute) -> bool {
    attribute == context.unit_attribute() || Location::of(context, attribute).is_some()
}

/// Returns the attributes of items that were read; `None` for an item without one.
fn attributes(context: &mut Context, items: &[Item]) -> AsmResult<Vec<Option<Attribute>>> {
    let attribute = |item: &Item| match item {
        Item::None => Ok(Some(context.unit_attribute())),
        Item::Register(location) => location.attribute(context).map(Some),
        Item::Other(found) => Ok(*found),
    };
    items.iter().map(attribute).collect()
}

/// The directive of the locations of the bits of a type: `i2 [*, <1, 2, 3>]`.
#[derive(Debug)]
pub(crate) struct Locations;

/// The text of [`Locations`].
#[derive(Default)]
pub(crate) struct LocationsContent {
    place: Option<usize>,
    ty: Option<Attribute>,
    items: Vec<Item>,
}

impl TwoWayDirective for Locations {
    type Content = LocationsContent;

    fn content(&self, printed: &Printed<'_>) -> Option<LocationsContent> {
        let context = printed.context;
        let attribute = printed.arguments.first()?.attribute()?;
        let parameters = context.parameters(attribute).ok()?;
        let items = parameters.get("locs")?.items();
        let items = items.map(|item| {
            let attribute = item.attribute()?;
            is_item(context, attribute).then(|| Item::of(context, attribute))
        });
        let items = items.collect::<Option<Vec<_>>>()?;
        let ty = parameters.get("type")?.attribute()?;
        let is_type = matches!(context.attribute_kind(ty), AttributeKind::Type(_));
        (is_type && !items.is_empty()).then_some(LocationsContent {
            place: None,
            ty: Some(ty),
            items,
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut LocationsContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.attribute(&mut content.ty)?;
        asm.token("[", " [")?;
        asm.items(&mut content.items, |asm, item| item.text(asm))?;
        asm.token("]", "]")?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: LocationsContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let found = attributes(context, &content.items)?;
        let found = found.into_iter();
        let found = found.map(|one| one.filter(|&one| is_item(context, one)));
        let Some(locations) = found.collect::<Option<Vec<_>>>() else {
            return Err(failure(content.place, "expected a physical location"));
        };
        let mut builder = context.build_attribute("msft.location_vec");
        if let Some(ty) = content.ty {
            builder = builder.with("type", ty);
        }
        let made = builder.with("locs", locations).build();
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(made.map_err(invalid(content.place))?));
        }
        Ok(())
    }
}

impl TwoWayEntry for Locations {
    type Content<'v> = Vec<Item>;

    fn content<'v>(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<Self::Content<'v>, Invalid> {
        let context = printer.context();
        let items = values.list(0).iter().map(|item| {
            let attribute = Option::<Attribute>::of(item);
            attribute.map(|attribute| Item::of(context, attribute))
        });
        let items = items.collect::<Option<_>>();
        items.ok_or_else(|| Invalid::new("expected a physical location"))
    }

    fn text(&self, asm: &mut EntryAsm<'_>, items: &mut Self::Content<'_>) -> AsmResult<()> {
        asm.list(("[", "]"), items, |asm, item| item.text(asm))
    }

    fn build(
        &self,
        parser: &mut dyn EntryParser,
        items: Self::Content<'static>,
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        let found = attributes(parser.context(), &items)?;
        values.set_list(0, found.into_iter().map(Option::<Attribute>::value));
        Ok(())
    }
}
