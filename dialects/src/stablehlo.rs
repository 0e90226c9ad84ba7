//! Hooks of the `stablehlo` dialect: attributes, and the custom syntax of some operations.

pub(crate) mod convolution;
pub(crate) mod loops;
pub(crate) mod reduce;
pub(crate) mod scan;

use rmlir_ir::Invalid;
use rmlir_ir::asm::{
    AsmError, AsmResult, EntryParser, EntryPrinter, EntrySyntax, Parameters, ParametersMut,
};
use rmlir_ir::codec::FieldValue;

/// The parameters of `#stablehlo.conv`: `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]`. For each of
/// input, kernel and output, the positions of two named dimensions and those of the spatial ones.
#[derive(Debug)]
pub(crate) struct Convolution;

/// The names of the dimensions of input, kernel and output.
const NAMES: [[&str; 2]; 3] = [["b", "f"], ["i", "o"], ["b", "f"]];
/// The separators before input, kernel and output.
const BEFORE: [&str; 3] = ["", "x", "->"];

/// The names of the parameters after the keyword `raw`.
const RAW: [&str; 9] = [
    "input_batch_dimension",
    "input_feature_dimension",
    "input_spatial_dimensions",
    "kernel_input_feature_dimension",
    "kernel_output_feature_dimension",
    "kernel_spatial_dimensions",
    "output_batch_dimension",
    "output_feature_dimension",
    "output_spatial_dimensions",
];

/// The maximum number of dimensions.
const MOST: usize = 1024;

/// The name of a dimension in a list.
#[derive(Clone, Copy)]
enum Name {
    Unknown,
    Named(&'static str),
    Spatial(usize),
}

impl EntrySyntax for Convolution {
    fn print(
        &self,
        printer: &mut dyn EntryPrinter,
        values: Parameters<'_, '_>,
    ) -> Result<(), Invalid> {
        let wrong = || Invalid::new("the values do not make dimension numbers of a convolution");
        for (group, (names, before)) in NAMES.into_iter().zip(BEFORE).enumerate() {
            let first = group * 3;
            let spatial = values.list(first + 2);
            let named = [values.get(first), values.get(first + 1)];
            let all = named.into_iter().chain(spatial);
            let last = all.filter_map(|place| match *place {
                FieldValue::Signed(place) => usize::try_from(place).ok(),
                _ => None,
            });
            let last = last.max().unwrap_or(0);
            if last >= MOST {
                return Err(wrong());
            }
            let mut places = vec![Name::Unknown; last + 1];
            let named = named.into_iter().zip(names.map(Name::Named));
            let spatial = spatial
                .iter()
                .enumerate()
                .map(|(number, place)| (place, Name::Spatial(number)));
            for (place, name) in named.chain(spatial) {
                let FieldValue::Signed(place) = *place else {
                    return Err(wrong());
                };
                let slot = usize::try_from(place)
                    .ok()
                    .and_then(|place| places.get_mut(place));
                match slot {
                    Some(slot @ Name::Unknown) => *slot = name,
                    _ => return Err(wrong()),
                }
            }
            printer.text(before.as_bytes());
            printer.text(b"[");
            printer.separated(places, |printer, name| match name {
                Name::Unknown => printer.text(b"?"),
                Name::Named(name) => printer.text(name.as_bytes()),
                Name::Spatial(number) => printer.integer(number),
            });
            printer.text(b"]");
        }
        Ok(())
    }

    fn parse(&self, parser: &mut dyn EntryParser, mut values: ParametersMut<'_>) -> AsmResult<()> {
        if parser.eat("raw") {
            return parse_raw(parser, &mut values);
        }
        for (group, (names, before)) in NAMES.into_iter().zip(BEFORE).enumerate() {
            let start = parser.place();
            if !before.is_empty() {
                parser.expect(before)?;
            }
            parser.expect("[")?;
            let mut place = 0i64;
            let mut named = [None, None];
            let mut spatial: Vec<(i64, i64)> = Vec::new();
            parser.separated("]", |parser| {
                if let Some(which) = names.iter().position(|name| parser.eat(name)) {
                    if let Some(slot) = named.get_mut(which) {
                        *slot = Some(place);
                    }
                } else if !parser.eat("?") {
                    spatial.push((parser.integer()?, place));
                }
                place = place.saturating_add(1);
                Ok(())
            })?;
            spatial.sort_unstable();
            let dense = spatial
                .iter()
                .enumerate()
                .all(|(number, s)| usize::try_from(s.0) == Ok(number));
            let [Some(a), Some(b)] = named else {
                return Err(AsmError::new(start, "expected all named dimensions"));
            };
            if !dense {
                return Err(AsmError::new(start, "expected all spatial dimensions"));
            }
            let first = group * 3;
            values.set(first, FieldValue::Signed(a));
            values.set(first + 1, FieldValue::Signed(b));
            values.set_list(first + 2, spatial.iter().map(|s| FieldValue::Signed(s.1)));
        }
        Ok(())
    }
}

/// Parses `input_batch_dimension = 0, input_spatial_dimensions = [1, 2]`: the parameters by name,
/// in any order. Omitted ones are 0 or empty.
fn parse_raw(parser: &mut dyn EntryParser, values: &mut ParametersMut<'_>) -> AsmResult<()> {
    let is_list = |at: usize| at % 3 == 2;
    let mut seen = [false; RAW.len()];
    for at in 0..RAW.len() {
        match is_list(at) {
            true => values.set_list(at, std::iter::empty()),
            false => values.set(at, FieldValue::Signed(0)),
        }
    }
    while !parser.at(">") {
        let place = parser.place();
        let found = RAW.iter().position(|name| parser.eat(name));
        let Some((at, seen)) = found.and_then(|at| Some((at, seen.get_mut(at)?))) else {
            let names = RAW.map(|name| format!("`{name}`")).join(", ");
            return Err(AsmError::new(place, format!("expected one of: {names}")));
        };
        if std::mem::replace(seen, true) {
            let name = RAW.get(at).copied().unwrap_or_default();
            return Err(AsmError::new(place, format!("duplicated `{name}` entry")));
        }
        parser.expect("=")?;
        if is_list(at) {
            parser.expect("[")?;
            let mut dimensions = Vec::new();
            parser.separated("]", |parser| {
                dimensions.push(FieldValue::Signed(parser.integer()?));
                Ok(())
            })?;
            values.set_list(at, dimensions);
        } else {
            values.set(at, FieldValue::Signed(parser.integer()?));
        }
        if !parser.eat(",") {
            break;
        }
    }
    Ok(())
}
