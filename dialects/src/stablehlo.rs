//! Hooks of the `stablehlo` dialect: attributes, and the custom syntax of some operations.

pub(crate) mod convolution;
pub(crate) mod loops;
pub(crate) mod reduce;
pub(crate) mod scan;

use crate::entry::{EntryAsm, TwoWayEntry, set};
use rmlir_ir::Invalid;
use rmlir_ir::asm::{AsmError, AsmResult, EntryParser, EntryPrinter, Parameters, ParametersMut};
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
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) enum Name {
    #[default]
    Unknown,
    /// One of the named dimensions, by its index.
    Named(usize),
    Spatial(i64),
}

/// The dimensions of input, kernel or output.
#[derive(Default)]
pub(crate) struct Group {
    names: Vec<Name>,
    /// The positions of the named dimensions and of the spatial ones.
    named: [i64; 2],
    spatial: Vec<i64>,
}

impl Group {
    /// Returns the dimensions at these positions, to be printed.
    fn of(values: Parameters<'_, '_>, first: usize) -> Option<Self> {
        let spatial = values.list(first + 2).iter().zip(0..);
        let spatial = spatial.map(|(place, number)| (place, Name::Spatial(number)));
        let named = [(first, 0), (first + 1, 1)];
        let named = named.map(|(at, which)| (values.get(at), Name::Named(which)));
        let mut names = Vec::new();
        for (place, name) in named.into_iter().chain(spatial) {
            let FieldValue::Signed(place) = *place else {
                return None;
            };
            let place = usize::try_from(place).ok().filter(|&place| place < MOST)?;
            if names.len() <= place {
                names.resize(place + 1, Name::Unknown);
            }
            match names.get_mut(place) {
                Some(slot @ Name::Unknown) => *slot = name,
                _ => return None,
            }
        }
        Some(Group {
            names,
            ..Group::default()
        })
    }

    /// `[b, 0, 1, f]`, after the separator.
    fn text(
        &mut self,
        asm: &mut EntryAsm<'_>,
        (names, before): ([&str; 2], &str),
    ) -> AsmResult<()> {
        let start = asm.place();
        if !before.is_empty() {
            asm.token(before, before)?;
        }
        asm.list(("[", "]"), &mut self.names, |asm, name| {
            let mut named = match name {
                Name::Named(which) => Some(*which),
                _ => None,
            };
            asm.adjacent_choice(&names, &mut named);
            if let Some(which) = named {
                *name = Name::Named(which);
                return Ok(());
            }
            let mut is_unknown = *name == Name::Unknown;
            asm.optional("?", "?", &mut is_unknown);
            if is_unknown {
                return Ok(());
            }
            let mut number = match name {
                Name::Spatial(number) => *number,
                _ => 0,
            };
            asm.integer(&mut number)?;
            *name = Name::Spatial(number);
            Ok(())
        })?;
        asm.check(start, |_| self.place().map(str::to_owned))
    }

    /// Finds the positions in what was read; returns the error if one is missing.
    fn place(&mut self) -> Option<&'static str> {
        let mut named = [None, None];
        let mut spatial = Vec::new();
        for (name, place) in self.names.iter().zip(0i64..) {
            match *name {
                Name::Unknown => {}
                Name::Named(which) => {
                    if let Some(slot) = named.get_mut(which) {
                        *slot = Some(place);
                    }
                }
                Name::Spatial(number) => spatial.push((number, place)),
            }
        }
        spatial.sort_unstable();
        let is_dense = spatial.iter().zip(0..).all(|(one, number)| one.0 == number);
        let [Some(first), Some(second)] = named else {
            return Some("expected all named dimensions");
        };
        self.named = [first, second];
        self.spatial = spatial.into_iter().map(|one| one.1).collect();
        (!is_dense).then_some("expected all spatial dimensions")
    }
}

impl TwoWayEntry for Convolution {
    type Content<'v> = [Group; 3];

    fn content<'v>(
        &self,
        _: &mut dyn EntryPrinter,
        values: Parameters<'v, 'v>,
    ) -> Result<[Group; 3], Invalid> {
        let wrong = || Invalid::new("the values do not make dimension numbers of a convolution");
        let group = |first| Group::of(values, first).ok_or_else(wrong);
        Ok([group(0)?, group(3)?, group(6)?])
    }

    fn text(&self, asm: &mut EntryAsm<'_>, content: &mut [Group; 3]) -> AsmResult<()> {
        if let EntryAsm::Parser(parser) = asm
            && parser.eat("raw")
        {
            return parse_raw(&mut **parser, content);
        }
        for (group, names) in content.iter_mut().zip(NAMES.into_iter().zip(BEFORE)) {
            group.text(asm, names)?;
        }
        Ok(())
    }

    fn build(
        &self,
        _: &mut dyn EntryParser,
        content: [Group; 3],
        values: &mut ParametersMut<'_>,
    ) -> AsmResult<()> {
        for (group, first) in content.into_iter().zip([0, 3, 6]) {
            let [one, other] = group.named;
            set(values, first, one);
            set(values, first + 1, other);
            let spatial = group.spatial.into_iter();
            values.set_list(first + 2, spatial.map(FieldValue::Signed));
        }
        Ok(())
    }
}

/// Parses `input_batch_dimension = 0, input_spatial_dimensions = [1, 2]`, a form that is not
/// printed: the parameters by name, in any order. Omitted ones are 0 or empty.
fn parse_raw(parser: &mut dyn EntryParser, content: &mut [Group; 3]) -> AsmResult<()> {
    let mut seen = [false; RAW.len()];
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
        let Some(group) = content.get_mut(at / 3) else {
            break;
        };
        match group.named.get_mut(at % 3) {
            Some(place) => *place = parser.integer()?,
            None => {
                parser.expect("[")?;
                group.spatial = parser.separated("]", |parser| parser.integer())?;
            }
        }
        if !parser.eat(",") {
            break;
        }
    }
    Ok(())
}
