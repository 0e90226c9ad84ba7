//! Converts attributes and types between StableHLO and VHLO.

use super::table::{API_VERSION, ATTRIBUTES, ENCODING, SYMBOL_PARAMETERS, TYPES, UNCHECKED_PARTS};
use super::version::Version;
use crate::vhlo::{builtin_tensor, like, vhlo_tensor};
use rmlir_ir::codec::{FieldValue, FieldValues, dense_blob, dense_elements, number_type};
use rmlir_ir::definition::{DialectDefinition, EntryDefinition, EntryTable, ParameterKind};
use rmlir_ir::dense::ElementLayout;
use rmlir_ir::{
    Attribute, AttributeKind, Context, DialectBody, Entry, Invalid, Normalizer, Signedness, Type,
    TypeKind,
};
use std::collections::HashMap;
use std::sync::Arc;

/// The dialect that is converted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    ToVhlo,
    ToStablehlo,
}

/// The reason why an attribute or type has no counterpart: the innermost part without one.
pub(super) type Unconverted = Entry;

/// Converts the attributes and types of a context, each once.
pub(super) struct Entries<'c> {
    pub(super) context: &'c mut Context,
    direction: Direction,
    /// Keeps attributes and types of dialects other than `builtin` and StableHLO's.
    other_dialects: bool,
    converted: HashMap<Entry, Result<Entry, Unconverted>>,
    /// The first version that has an attribute or type of VHLO with all its parts.
    versions: HashMap<Entry, Version>,
    pub(super) normalizer: Normalizer,
    vhlo: Arc<DialectDefinition>,
    stablehlo: Arc<DialectDefinition>,
}

/// The number of elements that a splat may have where it becomes a list: lists of dimensions are
/// no longer.
const LONGEST_LIST: u64 = 1 << 16;

impl<'c> Entries<'c> {
    /// # Errors
    ///
    /// If the definitions of the dialects are not registered.
    pub(super) fn new(
        context: &'c mut Context,
        direction: Direction,
        other_dialects: bool,
    ) -> Result<Self, Invalid> {
        let definition = |name: &str| {
            let found = context.dialect(name.as_bytes());
            found.ok_or_else(|| Invalid::new(format!("dialect '{name}' has no known definition")))
        };
        let (vhlo, stablehlo) = (definition("vhlo")?, definition("stablehlo")?);
        Ok(Entries {
            context,
            direction,
            other_dialects,
            converted: HashMap::new(),
            versions: HashMap::new(),
            normalizer: Normalizer::new(),
            vhlo,
            stablehlo,
        })
    }

    /// Returns the counterpart of an attribute.
    pub(super) fn attribute(&mut self, attribute: Attribute) -> Result<Attribute, Unconverted> {
        match self.entry(attribute.into())? {
            Entry::Attribute(counterpart) => Ok(counterpart),
            _ => Err(attribute.into()),
        }
    }

    /// Returns the counterpart of a type.
    pub(super) fn ty(&mut self, ty: Type) -> Result<Type, Unconverted> {
        match self.entry(ty.into())? {
            Entry::Type(counterpart) => Ok(counterpart),
            _ => Err(ty.into()),
        }
    }

    /// Converts an attribute or type after its parts, which are on a stack.
    fn entry(&mut self, entry: Entry) -> Result<Entry, Unconverted> {
        if let Some(known) = self.converted.get(&entry) {
            return *known;
        }
        let mut stack = vec![(entry, false)];
        while let Some((entry, parts_are_done)) = stack.pop() {
            if self.converted.contains_key(&entry) {
                continue;
            }
            if parts_are_done {
                let made = match entry {
                    Entry::Attribute(attribute) => self.convert_attribute(attribute),
                    Entry::Type(ty) => self.convert_type(ty),
                    Entry::Location(_) => Err(entry),
                };
                self.converted.insert(entry, made);
            } else {
                stack.push((entry, true));
                let parts = parts(self.context, entry);
                stack.extend(parts.into_iter().map(|part| (part, false)));
            }
        }
        self.converted.get(&entry).copied().unwrap_or(Err(entry))
    }

    /// Returns the counterpart of a part, which was converted before.
    fn part(&self, part: impl Into<Entry>) -> Result<Entry, Unconverted> {
        let part = part.into();
        self.converted.get(&part).copied().unwrap_or(Err(part))
    }

    fn attribute_part(&self, part: Attribute) -> Result<FieldValue<'static>, Unconverted> {
        match self.part(part)? {
            Entry::Attribute(made) => Ok(FieldValue::Attribute(made)),
            _ => Err(part.into()),
        }
    }

    fn type_part(&self, part: Type) -> Result<FieldValue<'static>, Unconverted> {
        match self.part(part)? {
            Entry::Type(made) => Ok(FieldValue::Type(made)),
            _ => Err(part.into()),
        }
    }

    fn type_parts(&self, parts: &[Type]) -> Result<Vec<FieldValue<'static>>, Unconverted> {
        parts.iter().map(|&part| self.type_part(part)).collect()
    }

    /// Returns whether an attribute or type of a dialect is kept as it is.
    fn is_kept(&self, dialect: &[u8]) -> bool {
        match self.direction {
            Direction::ToVhlo => {
                dialect == b"vhlo" || (self.other_dialects && dialect != b"stablehlo")
            }
            Direction::ToStablehlo => dialect != b"vhlo",
        }
    }

    fn convert_attribute(&mut self, attribute: Attribute) -> Result<Entry, Unconverted> {
        let made = match self.direction {
            Direction::ToVhlo => self.attribute_to_vhlo(attribute)?,
            Direction::ToStablehlo => self.attribute_to_stablehlo(attribute)?,
        };
        Ok(Entry::Attribute(made))
    }

    fn convert_type(&mut self, ty: Type) -> Result<Entry, Unconverted> {
        let made = match self.direction {
            Direction::ToVhlo => self.type_to_vhlo(ty)?,
            Direction::ToStablehlo => self.type_to_stablehlo(ty)?,
        };
        Ok(Entry::Type(made))
    }

    fn attribute_to_vhlo(&mut self, attribute: Attribute) -> Result<Attribute, Unconverted> {
        let unconverted = || Entry::Attribute(attribute);
        let mut values = FieldValues::default();
        let mnemonic = match self.context.attribute_kind(attribute) {
            AttributeKind::Integer { ty, value } => {
                if *ty == self.context.i1_type() {
                    let bit = u64::from(!value.is_zero());
                    values.fields.push(FieldValue::Unsigned(bit));
                    "bool_v1"
                } else {
                    let value = FieldValue::Integer(value.clone());
                    values.fields.extend([self.type_part(*ty)?, value]);
                    "integer_v1"
                }
            }
            AttributeKind::Float { ty, bits } => {
                let bits = FieldValue::Float(*bits);
                values.fields.extend([self.type_part(*ty)?, bits]);
                "float_v1"
            }
            AttributeKind::String { value, ty: None } => return self.string(*value),
            AttributeKind::SymbolRef { root, nested } if nested.is_empty() => {
                return self.string(*root);
            }
            AttributeKind::Type(ty) => {
                values.fields.push(self.type_part(*ty)?);
                "type_v1"
            }
            AttributeKind::Array(elements) => {
                let made = elements.iter().map(|&one| self.attribute_part(one));
                let made = made.collect::<Result<Vec<_>, _>>()?;
                values.push_list(made);
                "array_v1"
            }
            AttributeKind::Dictionary(entries) => {
                let entries = entries.clone();
                let mut pairs = Vec::with_capacity(entries.len().saturating_mul(2));
                for &(name, value) in &entries {
                    pairs.push(FieldValue::Attribute(self.string(name)?));
                    pairs.push(self.attribute_part(value)?);
                }
                values.push_list(pairs);
                "dict_v1"
            }
            AttributeKind::DenseElements { ty, .. } => {
                self.type_part(*ty)?;
                return self.tensor(attribute).ok_or_else(unconverted);
            }
            AttributeKind::DenseArray { .. } => match tensor_of_array(self.context, attribute) {
                Some(dense) => return self.tensor(dense).ok_or_else(unconverted),
                None if self.other_dialects => return Ok(attribute),
                None => return Err(unconverted()),
            },
            AttributeKind::Dialect { dialect, body, .. } => {
                if self.context.bytes(*dialect) != b"stablehlo" {
                    // As upstream: even one of VHLO, in an operation that is not of VHLO.
                    return match self.other_dialects {
                        true => Ok(attribute),
                        false => Err(unconverted()),
                    };
                }
                let mnemonic = String::from_utf8_lossy(body.mnemonic()).into_owned() + "_v1";
                return self.translate(attribute, ("vhlo", &mnemonic));
            }
            AttributeKind::String { .. } => return Err(unconverted()),
            // Upstream falls back to a rule that keeps what it does not know.
            _ if self.other_dialects => return Ok(attribute),
            _ => return Err(unconverted()),
        };
        self.make(mnemonic, values).ok_or_else(unconverted)
    }

    fn attribute_to_stablehlo(&mut self, attribute: Attribute) -> Result<Attribute, Unconverted> {
        let unconverted = || Entry::Attribute(attribute);
        let AttributeKind::Dialect { dialect, body, .. } = self.context.attribute_kind(attribute)
        else {
            return Ok(attribute);
        };
        if self.is_kept(self.context.bytes(*dialect)) {
            return Ok(attribute);
        }
        let mnemonic = String::from_utf8_lossy(body.mnemonic()).into_owned();
        if mnemonic == "tensor_v1" {
            return self.dense_of(attribute).ok_or_else(unconverted);
        }
        let values = self.context.parameters(attribute);
        let values = values.map_err(|_| unconverted())?.values().clone();
        let first = values.fields.first();
        match (mnemonic.as_str(), first) {
            ("bool_v1", Some(FieldValue::Unsigned(value))) => {
                Ok(self.context.bool_attribute(*value != 0))
            }
            ("string_v1", Some(&FieldValue::String(value))) => {
                Ok(self.context.string_attribute_of(value))
            }
            ("type_v1", Some(&FieldValue::Type(ty))) => match self.part(ty)? {
                Entry::Type(ty) => Ok(self.context.type_attribute(ty)),
                _ => Err(unconverted()),
            },
            ("integer_v1", Some(&FieldValue::Type(ty))) => {
                let (Entry::Type(ty), Some(FieldValue::Integer(value))) =
                    (self.part(ty)?, values.fields.get(1))
                else {
                    return Err(unconverted());
                };
                let value = value.clone();
                let made = self
                    .context
                    .try_attribute(AttributeKind::Integer { ty, value });
                made.map_err(|_| unconverted())
            }
            ("float_v1", Some(&FieldValue::Type(ty))) => {
                let (Entry::Type(ty), Some(&FieldValue::Float(bits))) =
                    (self.part(ty)?, values.fields.get(1))
                else {
                    return Err(unconverted());
                };
                let made = self
                    .context
                    .try_attribute(AttributeKind::Float { ty, bits });
                made.map_err(|_| unconverted())
            }
            ("array_v1", Some(list)) => {
                let elements = values.list(list).iter().map(|element| match *element {
                    FieldValue::Attribute(element) => self.converted_attribute(element),
                    _ => Err(unconverted()),
                });
                let elements = elements.collect::<Result<Vec<_>, _>>()?;
                Ok(self.context.array_attribute(&elements))
            }
            ("dict_v1", Some(list)) => {
                let mut entries = Vec::new();
                for pair in values.list(list).chunks(2) {
                    let &[FieldValue::Attribute(name), FieldValue::Attribute(value)] = pair else {
                        return Err(unconverted());
                    };
                    let name = self.converted_attribute(name)?;
                    let &AttributeKind::String { value: name, .. } =
                        self.context.attribute_kind(name)
                    else {
                        return Err(unconverted());
                    };
                    entries.push((name, self.converted_attribute(value)?));
                }
                let made = self.context.dictionary_attribute(&entries);
                made.map_err(|_| unconverted())
            }
            (API_VERSION, Some(&FieldValue::Unsigned(value))) => {
                let ty = self.context.i32_type();
                let value = i64::try_from(value).map_err(|_| unconverted())?;
                let made = self.context.integer_attribute(ty, value);
                made.map_err(|_| unconverted())
            }
            _ if mnemonic == ENCODING.0 => Err(unconverted()),
            _ => {
                let name = mnemonic.strip_suffix("_v1").unwrap_or(&mnemonic);
                self.translate(attribute, ("stablehlo", name))
            }
        }
    }

    fn converted_attribute(&self, part: Attribute) -> Result<Attribute, Unconverted> {
        match self.part(part)? {
            Entry::Attribute(made) => Ok(made),
            _ => Err(part.into()),
        }
    }

    /// Makes the attribute of the other dialect whose parameters correspond by position.
    fn translate(
        &mut self,
        attribute: Attribute,
        (dialect, mnemonic): (&str, &str),
    ) -> Result<Attribute, Unconverted> {
        let unconverted = || Entry::Attribute(attribute);
        let definition = match dialect {
            "vhlo" => self.vhlo.clone(),
            _ => self.stablehlo.clone(),
        };
        let table = &definition.attributes;
        let target = self.definition(table, mnemonic, &definition);
        let target = target.ok_or_else(unconverted)?;
        let parameters = self.context.parameters(attribute);
        let values = parameters.map_err(|_| unconverted())?.values().clone();
        if values.fields.len() != target.parameters.len() {
            return Err(unconverted());
        }
        let mut made = FieldValues::default();
        for (value, to) in values.fields.iter().zip(&target.parameters) {
            let is_symbol = SYMBOL_PARAMETERS.contains(&(mnemonic, &*to.name));
            let value = match (value, &to.kind) {
                (&FieldValue::Attribute(part), ParameterKind::String) => {
                    let part = self.converted_attribute(part)?;
                    match self.context.attribute_kind(part) {
                        AttributeKind::String { value, .. } => FieldValue::String(*value),
                        _ => return Err(unconverted()),
                    }
                }
                (&FieldValue::Attribute(part), ParameterKind::List(_)) => {
                    let part = self.converted_attribute(part)?;
                    let AttributeKind::Array(elements) = self.context.attribute_kind(part) else {
                        return Err(unconverted());
                    };
                    let elements: Vec<_> = elements.to_vec();
                    made.make_list(elements.into_iter().map(FieldValue::Attribute))
                }
                (&FieldValue::Attribute(part), _) => {
                    let part = self.converted_attribute(part)?;
                    let part = match self.context.attribute_kind(part) {
                        &AttributeKind::String { value, .. } if is_symbol => {
                            let kind = AttributeKind::SymbolRef {
                                root: value,
                                nested: Box::default(),
                            };
                            let symbol = self.context.try_attribute(kind);
                            symbol.map_err(|_| unconverted())?
                        }
                        _ => part,
                    };
                    FieldValue::Attribute(part)
                }
                (&FieldValue::Type(part), _) => self.type_part(part)?,
                (&FieldValue::String(value), ParameterKind::Attribute { .. }) => {
                    FieldValue::Attribute(self.string(value)?)
                }
                (list @ FieldValue::List(_), ParameterKind::Attribute { .. }) => {
                    let mut array = FieldValues::default();
                    let items = values.list(list).iter().map(|item| match *item {
                        FieldValue::Attribute(item) => self.attribute_part(item),
                        _ => Err(unconverted()),
                    });
                    let items = items.collect::<Result<Vec<_>, _>>()?;
                    array.push_list(items);
                    let array = self.make("array_v1", array).ok_or_else(unconverted)?;
                    FieldValue::Attribute(array)
                }
                (list @ FieldValue::List(_), _) => {
                    let items = values.list(list).iter().map(|item| match *item {
                        FieldValue::Attribute(item) => self.attribute_part(item),
                        FieldValue::Type(item) => self.type_part(item),
                        ref number => Ok(number.clone()),
                    });
                    let items = items.collect::<Result<Vec<_>, _>>()?;
                    made.make_list(items)
                }
                (value, _) => value.clone(),
            };
            made.fields.push(value);
        }
        let name = format!("{dialect}.{mnemonic}");
        let made = self.context.attribute_with_values(&name, made);
        made.map_err(|_| unconverted())
    }

    /// Returns the definition of an attribute or type.
    fn definition<'d>(
        &self,
        table: &'d EntryTable,
        mnemonic: &str,
        dialect: &DialectDefinition,
    ) -> Option<&'d EntryDefinition> {
        let number = self.context.release().number_in(dialect.family);
        table.entry(mnemonic.as_bytes(), number)
    }

    fn type_to_vhlo(&mut self, ty: Type) -> Result<Type, Unconverted> {
        let unconverted = || Entry::Type(ty);
        let mut values = FieldValues::default();
        let mnemonic = match self.context.type_kind(ty) {
            TypeKind::Integer { .. } | TypeKind::Float(_) | TypeKind::Index => {
                return like(self.context, ty).ok_or_else(unconverted);
            }
            TypeKind::None => "none_v1",
            TypeKind::Complex(element) => {
                values.fields.push(self.type_part(*element)?);
                "complex_v1"
            }
            TypeKind::Tuple(types) => {
                let types = self.type_parts(types)?;
                values.push_list(types);
                "tuple_v1"
            }
            TypeKind::Function { inputs, results } => {
                let (inputs, results) = (self.type_parts(inputs)?, self.type_parts(results)?);
                values.push_list(inputs);
                values.push_list(results);
                "func_v1"
            }
            TypeKind::RankedTensor {
                shape,
                element,
                encoding,
            } => {
                let shape: Vec<_> = shape.iter().copied().map(FieldValue::Signed).collect();
                let (element, encoding) = (self.type_part(*element)?, *encoding);
                let encoding = match encoding {
                    Some(encoding) => FieldValue::Attribute(self.encoding(encoding)?),
                    None => FieldValue::Absent,
                };
                values.push_list(shape);
                values.fields.extend([element, encoding]);
                "tensor_v1"
            }
            TypeKind::UnrankedTensor(element) => {
                values.fields.push(self.type_part(*element)?);
                "unranked_tensor_v1"
            }
            // As upstream, without layout and memory space.
            TypeKind::MemRef { shape, element, .. } => {
                values.push_list(shape.iter().copied().map(FieldValue::Signed));
                values.fields.push(self.type_part(*element)?);
                "buffer_v1"
            }
            TypeKind::Dialect { dialect, body } => {
                let dialect = self.context.bytes(*dialect);
                match (dialect, body.mnemonic()) {
                    (b"stablehlo", b"token") => "token_v1",
                    (b"stablehlo", b"future") => {
                        let types = self.context.parameters(ty);
                        let types = types.map_err(|_| unconverted())?.values();
                        let list = types.fields.first().ok_or_else(unconverted)?;
                        let items = types.list(list).iter().map(|item| match *item {
                            FieldValue::Type(item) => self.type_part(item),
                            _ => Err(unconverted()),
                        });
                        let items = items.collect::<Result<Vec<_>, _>>()?;
                        values.push_list(items);
                        "future_v1"
                    }
                    (b"shape", b"witness") => "witness_v1",
                    (b"quant", b"uniform") => {
                        let (mnemonic, made) = self.quantized(ty)?;
                        values = made;
                        mnemonic
                    }
                    (dialect, _) if self.is_kept(dialect) => return Ok(ty),
                    _ => return Err(unconverted()),
                }
            }
            _ => return Err(unconverted()),
        };
        let name = format!("vhlo.{mnemonic}");
        let parts: Vec<Entry> = values_of(&values).collect();
        let made = self.context.type_with_values(&name, values);
        let made = made.map_err(|_| unconverted())?;
        self.note_version(made.into(), parts);
        Ok(made)
    }

    /// Returns the encoding of a tensor type in VHLO.
    fn encoding(&mut self, encoding: Attribute) -> Result<Attribute, Unconverted> {
        let unconverted = || Entry::Attribute(encoding);
        let AttributeKind::Dialect { dialect, body, .. } = self.context.attribute_kind(encoding)
        else {
            return Err(unconverted());
        };
        let (from, (dialect, to)) = match (self.context.bytes(*dialect), self.direction) {
            (b"vhlo", Direction::ToVhlo) => return Ok(encoding),
            (b"stablehlo", Direction::ToVhlo) => (ENCODING.1, ("vhlo", ENCODING.0)),
            (b"vhlo", Direction::ToStablehlo) => (ENCODING.0, ("stablehlo", ENCODING.1)),
            (_, Direction::ToStablehlo) => return Ok(encoding),
            _ => return Err(unconverted()),
        };
        if body.mnemonic() != from.as_bytes() {
            return Err(unconverted());
        }
        self.translate(encoding, (dialect, to))
    }

    /// Returns the mnemonic and the parameters of a quantized type in VHLO: those of one scale, or
    /// of one for each element of a dimension.
    fn quantized(&self, ty: Type) -> Result<(&'static str, FieldValues<'static>), Unconverted> {
        let unconverted = || Entry::Type(ty);
        let parameters = self.context.parameters(ty).map_err(|_| unconverted())?;
        let value = |name| {
            let found = parameters.get(name).filter(|found| !found.is_absent());
            found
                .map(|found| found.value().clone())
                .ok_or_else(unconverted)
        };
        let part = |name| match value(name)? {
            FieldValue::Type(part) => self.type_part(part),
            _ => Err(unconverted()),
        };
        let mut made = FieldValues::default();
        made.fields
            .extend([value("flags")?, part("storage")?, part("expressed")?]);
        if let Ok(scale) = value("scale") {
            made.fields.extend([scale, value("zero_point")?]);
            made.fields.extend([value("min")?, value("max")?]);
            return Ok(("quant_v1", made));
        }
        made.fields.push(value("dimension")?);
        for name in ["scales", "zero_points"] {
            let list = parameters.get(name).ok_or_else(unconverted)?;
            made.push_list(list.items().map(|item| item.value().clone()));
        }
        made.fields.extend([value("min")?, value("max")?]);
        Ok(("quant_per_axis_v1", made))
    }

    fn type_to_stablehlo(&mut self, ty: Type) -> Result<Type, Unconverted> {
        let unconverted = || Entry::Type(ty);
        let TypeKind::Dialect { dialect, body } = self.context.type_kind(ty) else {
            return Ok(ty);
        };
        if self.is_kept(self.context.bytes(*dialect)) {
            return Ok(ty);
        }
        if let Some(kind) = number_type(self.context, ty) {
            return self.context.try_type(kind).map_err(|_| unconverted());
        }
        let mnemonic = String::from_utf8_lossy(body.mnemonic()).into_owned();
        // Types without parameters.
        let alone = match mnemonic.as_str() {
            "none_v1" => return Ok(self.context.none_type()),
            "token_v1" => Some("stablehlo.token"),
            "witness_v1" => Some("shape.witness"),
            _ => None,
        };
        if let Some(name) = alone {
            let made = self.context.type_with_values(name, FieldValues::default());
            return made.map_err(|_| unconverted());
        }
        let parameters = self.context.parameters(ty).map_err(|_| unconverted())?;
        let values = parameters.values().clone();
        let list = |number: usize| {
            let list = values.fields.get(number);
            list.map_or(&[][..], |list| values.list(list))
        };
        let types = |number: usize| {
            let types = list(number).iter().map(|item| match *item {
                FieldValue::Type(item) => match self.part(item)? {
                    Entry::Type(made) => Ok(made),
                    _ => Err(unconverted()),
                },
                _ => Err(unconverted()),
            });
            types.collect::<Result<Box<[Type]>, _>>()
        };
        let element = |number: usize| match values.fields.get(number) {
            Some(&FieldValue::Type(element)) => match self.part(element)? {
                Entry::Type(made) => Ok(made),
                _ => Err(unconverted()),
            },
            _ => Err(unconverted()),
        };
        let shape = || {
            let sizes = list(0).iter().map(|size| match size {
                FieldValue::Signed(size) => Ok(*size),
                _ => Err(unconverted()),
            });
            sizes.collect::<Result<Box<[i64]>, _>>()
        };
        let mut other = FieldValues::default();
        let kind = match mnemonic.as_str() {
            "complex_v1" => TypeKind::Complex(element(0)?),
            "tuple_v1" => TypeKind::Tuple(types(0)?),
            "func_v1" => TypeKind::Function {
                inputs: types(0)?,
                results: types(1)?,
            },
            "tensor_v1" => {
                let (shape, element) = (shape()?, element(1)?);
                let encoding = match values.fields.get(2) {
                    Some(&FieldValue::Attribute(encoding)) => Some(self.encoding(encoding)?),
                    _ => None,
                };
                TypeKind::RankedTensor {
                    shape,
                    element,
                    encoding,
                }
            }
            "unranked_tensor_v1" => TypeKind::UnrankedTensor(element(0)?),
            "buffer_v1" => TypeKind::MemRef {
                shape: shape()?,
                element: element(1)?,
                layout: None,
                memory_space: None,
            },
            "future_v1" => {
                other.push_list(types(0)?.iter().copied().map(FieldValue::Type));
                return self
                    .make_type("stablehlo.future", other)
                    .ok_or_else(unconverted);
            }
            "quant_v1" | "quant_per_axis_v1" => {
                let value = |name| match parameters.get(name) {
                    Some(found) => found.value().clone(),
                    None => FieldValue::Absent,
                };
                other
                    .fields
                    .extend([value("flags"), FieldValue::Type(element(1)?)]);
                other.fields.extend([value("min"), value("max")]);
                other.fields.push(FieldValue::Type(element(2)?));
                other
                    .fields
                    .extend([value("scale"), value("zero_point"), value("dimension")]);
                for name in ["scales", "zero_points"] {
                    match parameters.get(name) {
                        Some(items) => {
                            other.push_list(items.items().map(|item| item.value().clone()));
                        }
                        None => other.fields.push(FieldValue::Absent),
                    }
                }
                other.fields.extend([const { FieldValue::Absent }; 4]);
                return self
                    .make_type("quant.uniform", other)
                    .ok_or_else(unconverted);
            }
            _ => return Err(unconverted()),
        };
        self.context.try_type(kind).map_err(|_| unconverted())
    }

    /// Makes an attribute of VHLO.
    pub(super) fn make(
        &mut self,
        mnemonic: &str,
        values: FieldValues<'static>,
    ) -> Option<Attribute> {
        let name = format!("vhlo.{mnemonic}");
        let parts: Vec<Entry> = values_of(&values).collect();
        let made = self.context.attribute_with_values(&name, values).ok()?;
        self.note_version(made.into(), parts);
        Some(made)
    }

    /// Notes the version of an attribute or type of VHLO whose parts are known, so that its body is
    /// not parsed to find them.
    fn note_version(&mut self, made: Entry, parts: Vec<Entry>) {
        if self.direction != Direction::ToVhlo || self.versions.contains_key(&made) {
            return;
        }
        let mut version = self.own_version(made);
        if !self.has_unchecked_parts(made) {
            for part in parts {
                version = version.max(self.first_version(part));
            }
        }
        self.versions.insert(made, version);
    }

    fn make_type(&mut self, name: &str, values: FieldValues<'static>) -> Option<Type> {
        self.context.type_with_values(name, values).ok()
    }

    /// Makes an attribute of VHLO from its body, for bodies that are constant.
    pub(super) fn of_text(&mut self, body: &str) -> Option<Attribute> {
        let dialect = self.context.identifier("vhlo");
        let body = DialectBody::from_text(body.as_bytes());
        let ty = None;
        let kind = AttributeKind::Dialect { dialect, body, ty };
        self.context.try_attribute(kind).ok()
    }

    /// Makes a type of VHLO from its body.
    pub(super) fn type_of_text(&mut self, body: &str) -> Option<Type> {
        let dialect = self.context.identifier("vhlo");
        let body = DialectBody::from_text(body.as_bytes());
        let kind = TypeKind::Dialect { dialect, body };
        self.context.try_type(kind).ok()
    }

    fn string(&mut self, value: rmlir_ir::Identifier) -> Result<Attribute, Unconverted> {
        let mut values = FieldValues::default();
        values.fields.push(FieldValue::String(value));
        let made = self.make("string_v1", values);
        made.ok_or_else(|| Entry::Attribute(self.context.string_attribute_of(value)))
    }

    /// Returns the attribute `tensor_v1` of dense elements.
    pub(super) fn tensor(&mut self, dense: Attribute) -> Option<Attribute> {
        let AttributeKind::DenseElements { ty, splat, data } = self.context.attribute_kind(dense)
        else {
            return None;
        };
        let is_one = self.context.element_count(*ty) == Some(1);
        let data = match *splat && is_one {
            // A single element is stored as itself, not as a splat of which bits are all set.
            true => data.to_vec(),
            false => dense_blob(self.context, self.context.attribute_kind(dense))?.into_owned(),
        };
        let ty = vhlo_tensor(self.context, *ty)?;
        let mut values = FieldValues::default();
        let data = FieldValue::Bytes(data.into());
        values.fields.extend([FieldValue::Type(ty), data]);
        self.make("tensor_v1", values)
    }

    /// Returns the dense elements of an attribute `tensor_v1`.
    pub(super) fn dense_of(&mut self, attribute: Attribute) -> Option<Attribute> {
        let (ty, data) = self.tensor_parts(attribute)?;
        let data = data.to_vec();
        let ty = builtin_tensor(self.context, ty)?;
        let kind = dense_elements(self.context, ty, &data).ok()?;
        self.context.try_attribute(kind).ok()
    }

    /// Returns the type and the data of an attribute `tensor_v1`.
    pub(super) fn tensor_parts(&self, attribute: Attribute) -> Option<(Type, &[u8])> {
        if self.vhlo_body(attribute)?.mnemonic() != b"tensor_v1" {
            return None;
        }
        match self
            .context
            .parameters(attribute)
            .ok()?
            .values()
            .fields
            .as_slice()
        {
            [FieldValue::Type(ty), FieldValue::Bytes(data)] => Some((*ty, data)),
            _ => None,
        }
    }

    /// Returns the value of an attribute `integer_v1`, sign-extended.
    pub(super) fn integer(&self, attribute: Attribute) -> Option<i64> {
        if self.vhlo_body(attribute)?.mnemonic() != b"integer_v1" {
            return None;
        }
        match self
            .context
            .parameters(attribute)
            .ok()?
            .values()
            .fields
            .get(1)?
        {
            FieldValue::Integer(value) => value.to_i64(),
            _ => None,
        }
    }

    /// Returns the body of an attribute of VHLO.
    pub(super) fn vhlo_body(&self, attribute: Attribute) -> Option<&DialectBody> {
        match self.context.attribute_kind(attribute) {
            AttributeKind::Dialect { dialect, body, .. } => {
                (self.context.bytes(*dialect) == b"vhlo").then_some(body)
            }
            _ => None,
        }
    }

    /// Returns the body of a type of VHLO.
    pub(super) fn vhlo_type_body(&self, ty: Type) -> Option<&DialectBody> {
        match self.context.type_kind(ty) {
            TypeKind::Dialect { dialect, body } => {
                (self.context.bytes(*dialect) == b"vhlo").then_some(body)
            }
            _ => None,
        }
    }

    /// Returns the first version that has an attribute or type of VHLO with all its parts. Those of
    /// other dialects are in all versions.
    pub(super) fn first_version(&mut self, entry: impl Into<Entry>) -> Version {
        let entry = entry.into();
        if let Some(&known) = self.versions.get(&entry) {
            return known;
        }
        let mut stack = vec![(entry, false)];
        while let Some((entry, parts_are_done)) = stack.pop() {
            if self.versions.contains_key(&entry) {
                continue;
            }
            let parts = self.versioned_parts(entry);
            if parts_are_done {
                let known = parts.iter().filter_map(|part| self.versions.get(part));
                let version = known.copied().fold(self.own_version(entry), Version::max);
                self.versions.insert(entry, version);
            } else {
                stack.push((entry, true));
                stack.extend(parts.into_iter().map(|part| (part, false)));
            }
        }
        self.versions
            .get(&entry)
            .copied()
            .unwrap_or(Version::MINIMUM)
    }

    /// Returns the first version of an attribute or type regardless of its parts.
    fn own_version(&self, entry: Entry) -> Version {
        let (body, rows) = match entry {
            Entry::Attribute(attribute) => (self.vhlo_body(attribute), ATTRIBUTES),
            Entry::Type(ty) => (self.vhlo_type_body(ty), TYPES),
            Entry::Location(_) => (None, &[][..]),
        };
        let mnemonic = body.map_or(&[][..], DialectBody::mnemonic);
        let row = rows.iter().find(|row| row.0.as_bytes() == mnemonic);
        row.map_or(Version::MINIMUM, |row| row.1)
    }

    /// Returns the parts of an attribute or type that must be available in a version too.
    fn versioned_parts(&self, entry: Entry) -> Vec<Entry> {
        let is_vhlo = self.body_of(entry).is_some();
        match is_vhlo && !self.has_unchecked_parts(entry) {
            true => parameters_of(self.context, entry),
            false => Vec::new(),
        }
    }

    fn has_unchecked_parts(&self, entry: Entry) -> bool {
        let mnemonic = self.body_of(entry).map_or(&[][..], DialectBody::mnemonic);
        UNCHECKED_PARTS
            .iter()
            .any(|name| name.as_bytes() == mnemonic)
    }

    /// Returns the body of an attribute or type of VHLO.
    fn body_of(&self, entry: Entry) -> Option<&DialectBody> {
        match entry {
            Entry::Attribute(attribute) => self.vhlo_body(attribute),
            Entry::Type(ty) => self.vhlo_type_body(ty),
            Entry::Location(_) => None,
        }
    }

    /// Returns the integers of a one-dimensional tensor of VHLO.
    pub(super) fn integers(&mut self, attribute: Attribute) -> Option<Vec<i64>> {
        let dense = self.dense_of(attribute)?;
        self.context.dense_integers(dense)
    }
}

/// Returns the attributes and types among the parameters of an attribute or type of a dialect.
fn parameters_of(context: &Context, entry: Entry) -> Vec<Entry> {
    let Ok(parameters) = context.parameters(entry) else {
        return Vec::new();
    };
    values_of(parameters.values()).collect()
}

/// Returns the attributes and types among values.
fn values_of(values: &FieldValues<'_>) -> impl Iterator<Item = Entry> {
    let all = values.fields.iter().chain(&values.items);
    all.filter_map(|value| match *value {
        FieldValue::Type(part) => Some(Entry::Type(part)),
        FieldValue::Attribute(part) => Some(Entry::Attribute(part)),
        _ => None,
    })
}

/// Returns what an attribute or type is converted after.
fn parts(context: &Context, entry: Entry) -> Vec<Entry> {
    let types = |types: &[Type]| types.iter().copied().map(Entry::Type).collect();
    match entry {
        Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
            AttributeKind::Integer { ty, .. }
            | AttributeKind::Float { ty, .. }
            | AttributeKind::Type(ty)
            | AttributeKind::DenseElements { ty, .. } => vec![Entry::Type(*ty)],
            AttributeKind::Array(elements) => {
                elements.iter().copied().map(Entry::Attribute).collect()
            }
            AttributeKind::Dictionary(entries) => entries
                .iter()
                .map(|entry| Entry::Attribute(entry.1))
                .collect(),
            AttributeKind::Dialect { .. } => parameters_of(context, entry),
            _ => Vec::new(),
        },
        Entry::Type(ty) => match context.type_kind(ty) {
            TypeKind::Complex(element)
            | TypeKind::UnrankedTensor(element)
            | TypeKind::RankedTensor { element, .. }
            | TypeKind::MemRef { element, .. } => vec![Entry::Type(*element)],
            TypeKind::Tuple(elements) => types(elements),
            TypeKind::Function { inputs, results } => {
                let all = inputs.iter().chain(results);
                all.copied().map(Entry::Type).collect()
            }
            TypeKind::Dialect { .. } => parameters_of(context, entry),
            _ => Vec::new(),
        },
        Entry::Location(_) => Vec::new(),
    }
}

fn dense_of(context: &mut Context, ty: Type, splat: bool, data: Box<[u8]>) -> Option<Attribute> {
    let kind = AttributeKind::DenseElements { ty, splat, data };
    context.try_attribute(kind).ok()
}

/// Returns dense elements of a shape, which are a splat if all are equal.
pub(super) fn dense(
    context: &mut Context,
    (shape, element): (&[i64], Type),
    data: &[u8],
) -> Option<Attribute> {
    let ty = context.try_type(TypeKind::RankedTensor {
        shape: shape.into(),
        element,
        encoding: None,
    });
    let ty = ty.ok()?;
    let layout = ElementLayout::of(context, element)?;
    match layout.find_splat(data) {
        Some(one) if context.element_count(ty) != Some(1) => {
            dense_of(context, ty, true, one.into())
        }
        _ => dense_of(context, ty, false, data.into()),
    }
}

/// Returns the tensor of an `array<i64: ...>` or `array<i1: ...>`.
fn tensor_of_array(context: &mut Context, array: Attribute) -> Option<Attribute> {
    let AttributeKind::DenseArray {
        element,
        length,
        data,
    } = context.attribute_kind(array)
    else {
        return None;
    };
    let is_known = matches!(
        context.type_kind(*element),
        TypeKind::Integer {
            width: 1 | 64,
            signedness: Signedness::Signless,
        }
    );
    if !is_known {
        return None;
    }
    let (shape, element, data) = ([i64::try_from(*length).ok()?], *element, data.clone());
    dense(context, (&shape, element), &data)
}

/// Returns the `array<i64: ...>` or `array<i1: ...>` of a tensor, row-major.
pub(super) fn array_of_tensor(
    context: &mut Context,
    tensor: Attribute,
    element: Type,
) -> Option<Attribute> {
    let AttributeKind::DenseElements { ty, splat, data } = context.attribute_kind(tensor) else {
        return None;
    };
    let count = context.element_count(*ty)?;
    if context.element_type(*ty) != Some(element) || (*splat && count > LONGEST_LIST) {
        return None;
    }
    let length = usize::try_from(count).ok()?;
    let data = match splat {
        true => data.repeat(length).into(),
        false => data.clone(),
    };
    let kind = AttributeKind::DenseArray {
        element,
        length,
        data,
    };
    context.try_attribute(kind).ok()
}
