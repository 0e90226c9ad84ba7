//! The `spirv` dialect: what a target is.

use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;
use rmlir_ir::{Context, Invalid};

/// `api=Vulkan, AMD:DiscreteGPU:1234, `: client API, vendor, kind of device and its number, each of which need not be
/// there.
#[derive(Debug)]
pub(crate) struct Device;

/// A number that stands for no device, as for no API, vendor and kind.
const UNKNOWN: u64 = 0xffff_ffff;

/// The enumerations of the first three.
const ENUMERATIONS: [&str; 3] = ["ClientAPI", "Vendor", "DeviceType"];

fn keyword_of(context: &Context, number: usize, value: u64) -> Option<String> {
    let dialect = context.dialect(b"spirv")?;
    let mut cases = dialect.enumeration(ENUMERATIONS.get(number)?)?.cases.iter();
    let case = cases.find(|case| case.value.cast_unsigned() == value)?;
    Some(case.keyword.to_string())
}

fn value_of(context: &Context, number: usize, keyword: &str) -> Option<u64> {
    let dialect = context.dialect(b"spirv")?;
    let mut cases = dialect.enumeration(ENUMERATIONS.get(number)?)?.cases.iter();
    let case = cases.find(|case| case.keyword == keyword)?;
    Some(case.value.cast_unsigned())
}

/// A member of an enumeration.
fn member(parser: &mut dyn EntryParser, number: usize, what: &str) -> AsmResult<u64> {
    let place = parser.place();
    let Some(word) = parser.optional_keyword() else {
        return parser.expected(what);
    };
    let context = parser.context();
    let word = context.str(word).into_owned();
    let value = value_of(context, number, &word);
    value.ok_or_else(|| AsmError::new(place, format!("unknown {what}: {word}")))
}

impl EntrySyntax for Device {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let number = |at: usize| match values.get(at) {
            FieldValue::Unsigned(value) => *value,
            _ => UNKNOWN,
        };
        let mut word = |at: usize| {
            let word = keyword_of(printer.context(), at, number(at));
            word.ok_or_else(|| Invalid::new("no member of the enumeration"))
        };
        let (api, vendor, kind) = (word(0)?, word(1)?, word(2)?);
        let id = number(3);
        if number(0) != UNKNOWN {
            printer.text(b"api=");
            printer.text(api.as_bytes());
            printer.text(b", ");
        }
        if number(1) != UNKNOWN || id != UNKNOWN {
            printer.text(vendor.as_bytes());
            if number(2) != UNKNOWN || id != UNKNOWN {
                printer.text(b":");
                printer.text(kind.as_bytes());
                if id != UNKNOWN {
                    printer.text(b":");
                    printer.integer(id);
                }
            }
            printer.text(b", ");
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        let mut found = [UNKNOWN; 4];
        let [api, vendor, kind, id] = &mut found;
        if parser.eat("api") {
            parser.expect("=")?;
            *api = member(parser, 0, "client API")?;
            parser.expect(",")?;
        }
        // What follows is an attribute.
        if let Some(word) = parser.optional_keyword() {
            let place = parser.place();
            let context = parser.context();
            let word = context.str(word).into_owned();
            let found = value_of(context, 1, &word);
            *vendor =
                found.ok_or_else(|| AsmError::new(place, format!("unknown vendor: {word}")))?;
            if parser.eat(":") {
                *kind = member(parser, 2, "device type")?;
                if parser.eat(":") {
                    let place = parser.place();
                    let number = parser.integer()?;
                    *id = u64::try_from(number)
                        .map_err(|_| AsmError::new(place, "expected a number of a device"))?;
                }
            }
            parser.expect(",")?;
        }
        for (at, value) in found.into_iter().enumerate() {
            values.set(at, FieldValue::Unsigned(value));
        }
        Ok(())
    }
}
