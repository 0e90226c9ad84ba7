//! Imports the definitions of attributes and types.

use super::constraints::{known, own};
use super::enums::Enums;
use super::operations::documentation;
use super::records::{Argument, MOST_TEXT, Record, Records, excerpt, one_line, summary};
use super::{Import, Parts, dialect_of, values};
use crate::{LossKind, is_name};
use rmlir_ir::definition::{
    Absence, AliasDefinition, EntryDefinition, EntryHook, FormatElement, ParameterDefinition,
    ParameterKind,
};

/// The parameter kinds for C++ types.
static KINDS: &[(&str, ParameterKind)] = &[
    ("APInt", ParameterKind::BigInteger),
    ("bool", ParameterKind::Bool),
    ("int", ParameterKind::Integer { width: 32 }),
    ("int8_t", ParameterKind::Integer { width: 8 }),
    ("int16_t", ParameterKind::Integer { width: 16 }),
    ("int32_t", ParameterKind::Integer { width: 32 }),
    ("int64_t", ParameterKind::Integer { width: 64 }),
    ("unsigned", ParameterKind::unsigned(32)),
    ("unsigned int", ParameterKind::unsigned(32)),
    ("size_t", ParameterKind::unsigned(64)),
    ("uint8_t", ParameterKind::unsigned(8)),
    ("uint16_t", ParameterKind::unsigned(16)),
    ("uint32_t", ParameterKind::unsigned(32)),
    ("uint64_t", ParameterKind::unsigned(64)),
    ("double", ParameterKind::Float),
    ("float", ParameterKind::Float),
    ("APFloat", ParameterKind::Float),
    ("AffineMap", ParameterKind::AffineMap),
    ("IntegerSet", ParameterKind::IntegerSet),
    ("StringRef", ParameterKind::String),
    ("std::string", ParameterKind::String),
];

impl Import<'_> {
    pub(super) fn entries<'j>(
        &mut self,
        records: &Records<'j>,
        enums: &Enums<'j>,
        parts: &mut Parts,
    ) {
        for (is_type, class, what) in [(false, "AttrDef", "attribute"), (true, "TypeDef", "type")] {
            for record in records.of_class(class) {
                if dialect_of(record, "dialect") != Some(&self.name) {
                    continue;
                }
                let mnemonic = record
                    .some_text("mnemonic")
                    .filter(|_| !record.is_anonymous());
                let Some(mnemonic) = mnemonic else {
                    // A base class in C++ has no mnemonic and no syntax.
                    self.subject = format!("{what} {}", excerpt(record.name));
                    if parts.taken.insert(self.subject.clone()) {
                        self.warn(LossKind::Definition, "has no mnemonic: left out");
                    }
                    continue;
                };
                self.subject = format!("{what} {mnemonic}");
                if !parts.taken.insert(self.subject.clone()) || !self.accepts_name(mnemonic) {
                    continue;
                }
                let [attributes, types] = &mut parts.tables;
                let table = if is_type { types } else { attributes };
                let mut entry = self.entry(record, mnemonic, enums);
                // A type without syntax is printed with its name.
                if !is_type || !entry.format.elements.is_empty() {
                    entry.constraint = known(record.name);
                }
                if !is_type && let Some(summary) = summary(record) {
                    let fits = !summary.contains('"');
                    entry.summary = if fits { summary.into() } else { "".into() };
                }
                table.push(entry);
                // A dialect with the default parser has exactly the attributes or types of the
                // files; a hand-written parser may accept more.
                let default = match is_type {
                    true => "useDefaultTypePrinterParser",
                    false => "useDefaultAttributePrinterParser",
                };
                let dialect = record.def("dialect");
                if let Some(complete) = parts.complete.get_mut(usize::from(is_type)) {
                    *complete = dialect.is_some_and(|dialect| dialect.is_set(default));
                }
                if record.is_set("genMnemonicAlias") {
                    let aliases = match is_type {
                        true => &mut parts.type_aliases,
                        false => &mut parts.attribute_aliases,
                    };
                    aliases.push(AliasDefinition {
                        mnemonic: own(mnemonic),
                        stem: own(mnemonic),
                    });
                }
            }
        }
    }

    fn entry<'j>(
        &mut self,
        record: Record<'j>,
        mnemonic: &str,
        enums: &Enums<'j>,
    ) -> EntryDefinition {
        let mut entry = EntryDefinition::new(own(mnemonic));
        entry.traits = self.entry_traits(record);
        entry.documentation = documentation(record);
        if record.is_set("genVerifyDecl") {
            entry.has_cpp_verifier = true;
            entry = entry.with_hook(format!("{}.{mnemonic}", self.name), self.hooks);
            if entry.hook.verifier.is_none() {
                entry.hook = EntryHook::default();
                self.warn(
                    LossKind::Verifier,
                    "its verifier is C++: its rules are not checked",
                );
            }
        }
        for (argument, name) in record.arguments("parameters") {
            if self.accepts_name(name) {
                let before = (entry.parameters.as_slice(), enums);
                let parameter = self.parameter(record, argument, name, before);
                entry = entry.with_parameter(parameter);
            }
        }
        let dialect = self.name.clone();
        let custom = record.is_set("hasCustomAssemblyFormat");
        if custom {
            self.warn(LossKind::Syntax, format!(
                "the syntax is C++: bodies are kept as they are written without a hook '{dialect}.{mnemonic}'"
            ));
        }
        let format = match record.some_text("assemblyFormat") {
            Some(format) => one_line(format),
            // The name is derived, so that it does not collide with another directive's hook.
            None if custom => format!("custom<{}>(params)", hook_name(mnemonic)),
            None => return entry,
        };
        if let Err(error) = entry.set_format(&format, &dialect, self.hooks) {
            self.warn(
                LossKind::Syntax,
                format!("the format is not expressible: {}", error.message()),
            );
            let all = format!("custom<{}>(params)", hook_name(mnemonic));
            // This format is always valid.
            let _ = entry.set_format(&all, &dialect, self.hooks);
        } else if !custom {
            for element in &entry.format.elements {
                if let FormatElement::Custom(custom) = element
                    && custom.hook.is_none()
                {
                    self.warn(LossKind::Syntax, format!(
                        "the directive custom<{}> is C++: bodies are kept as they are written without a hook '{dialect}.{}'",
                        custom.name, custom.name
                    ));
                }
            }
        }
        entry
    }

    /// Returns the kind of a parameter that C++ prints, if any does. Upstream parses integers in
    /// either form, so a parameter that is printed in hexadecimal needs no parser.
    fn printed(&mut self, kind: ParameterKind, name: &str, printer: Option<&str>) -> ParameterKind {
        match (kind, printer) {
            (ParameterKind::Unsigned { width, .. }, Some(printer))
                if printer.contains("\"0x\"") =>
            {
                ParameterKind::Unsigned { width, hex: true }
            }
            (
                kind @ (ParameterKind::Unsigned { .. } | ParameterKind::Integer { .. }),
                Some(printer),
            ) => {
                let printer = excerpt(printer);
                let message = format!("the printer of parameter '{name}' is C++: {printer}");
                self.warn(LossKind::Syntax, message);
                kind
            }
            (kind, _) => kind,
        }
    }

    fn parameter<'j>(
        &mut self,
        entry: Record<'j>,
        argument: Argument<'j>,
        name: &str,
        (before, enums): (&[ParameterDefinition], &Enums<'j>),
    ) -> ParameterDefinition {
        let (cpp, record) = match argument {
            Argument::Text(text) => (text, None),
            Argument::Record(record) => (record.text("cppType").unwrap_or_default(), Some(record)),
        };
        let own_syntax = record.is_some_and(|r| {
            r.some_text("parser").is_some() && !r.is_a("EnumParameter") && !entry.is_a("EnumAttr")
        });
        // An absent optional C++ value denotes an absent parameter.
        let inner = optional(cpp);
        let is_optional = inner.is_some();
        let cpp = inner.unwrap_or(cpp);
        let self_type = record.is_some_and(|r| r.is_a("AttributeSelfTypeParameter"));
        let kind = match (self_type, own_syntax) {
            (true, _) => Some(ParameterKind::SelfType),
            (false, true) => None,
            (false, false) => parameter_kind(entry, cpp, enums),
        };
        let printer = record.and_then(|r| r.some_text("printer"));
        let kind = kind.map(|kind| self.printed(kind, name, printer));
        if plain(cpp) == "APFloat" && kind == Some(ParameterKind::Float) {
            self.warn(
                LossKind::Parameter,
                format!("parameter '{name}' is an APFloat: it is held as an f64"),
            );
        }
        if kind.is_none() {
            self.warn(
                LossKind::Parameter,
                format!("parameter '{name}' is C++: {}", excerpt(cpp)),
            );
        }
        let mut parameter = ParameterDefinition::new(own(name), kind.unwrap_or(ParameterKind::Own));
        if is_optional {
            parameter.absence = Absence::Empty;
        }
        let Some(record) = record else {
            return parameter;
        };
        // The default of a self type applies if no type follows the attribute; it need not be
        // expressed.
        let default = record.some_text("defaultValue");
        if let Some(default) = default.filter(|_| !self_type) {
            let fits = default.len() <= MOST_TEXT;
            let value = match record.is_a("OptionalParameter") || !fits {
                true => None,
                false => of_another(default, before, &parameter.kind)
                    .or_else(|| default_value(default, cpp, &parameter.kind, enums)),
            };
            parameter.absence = value.clone().unwrap_or(Absence::Empty);
            if !record.is_a("OptionalParameter") && value.is_none() && !is_empty(default) {
                self.warn(
                    LossKind::Default,
                    format!(
                        "the default of parameter '{name}' is C++: {}",
                        excerpt(default)
                    ),
                );
            }
        }
        parameter
    }
}

/// Returns the name of the hook for a whole attribute or type: mnemonics may contain dots.
fn hook_name(mnemonic: &str) -> String {
    let in_word = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    mnemonic.chars().map(in_word).collect()
}

/// Returns whether an expression denotes an empty value.
fn is_empty(expression: &str) -> bool {
    let plain = expression.trim();
    let is_null = matches!(plain, "nullptr" | "std::nullopt" | "::std::nullopt");
    is_null || plain.is_empty() || plain.ends_with("()") || plain.ends_with("{}")
}

/// Returns the C++ type in `std::optional<...>` or its older names.
fn optional(cpp: &str) -> Option<&str> {
    let cpp = cpp.trim().trim_start_matches("::");
    let heads = [
        "std::optional<",
        "llvm::Optional<",
        "mlir::Optional<",
        "Optional<",
    ];
    let inner = heads.iter().find_map(|head| cpp.strip_prefix(head))?;
    Some(inner.strip_suffix('>')?.trim())
}

/// Returns a type without redundant namespaces.
fn plain(cpp: &str) -> &str {
    let cpp = cpp.trim().trim_start_matches("::");
    let cpp = cpp.strip_prefix("llvm::").unwrap_or(cpp);
    cpp.strip_prefix("mlir::").unwrap_or(cpp)
}

fn parameter_kind<'j>(entry: Record<'j>, cpp: &str, enums: &Enums<'j>) -> Option<ParameterKind> {
    let plain = plain(cpp);
    if let Some(found) = KINDS.iter().find(|kind| kind.0 == plain) {
        return Some(found.1.clone());
    }
    if let Some(inner) = plain.strip_prefix("ArrayRef<") {
        // Lists of lists have their own brackets, which are code.
        let inner = inner.strip_suffix('>')?;
        let kind = match inner.contains("ArrayRef<") {
            true => return None,
            false => parameter_kind(entry, inner, enums)?,
        };
        return Some(ParameterKind::List(Box::new(kind)));
    }
    let enumeration = entry.def("enum").filter(|_| entry.is_a("EnumAttr"));
    if let Some(enumeration) = enumeration.or_else(|| enums.of_type(cpp)) {
        let name = enums.reference(enumeration).filter(|n| is_name(n))?;
        return Some(ParameterKind::enumeration(name));
    }
    let class = plain.rsplit_once("::").map_or(plain, |(_, class)| class);
    if let Some((mnemonic, is_type)) = enums.entry(cpp)
        && is_name(mnemonic)
    {
        let mnemonic = Some(own(mnemonic));
        return Some(match is_type {
            true => ParameterKind::Type { mnemonic },
            false => ParameterKind::Attribute { mnemonic },
        });
    }
    let word = class.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !word {
        return None;
    }
    match class {
        "Attribute" | "TypedAttr" | "ElementsAttr" => {
            Some(ParameterKind::Attribute { mnemonic: None })
        }
        "Type" => Some(ParameterKind::Type { mnemonic: None }),
        _ if class.ends_with("Attr") => Some(ParameterKind::Attribute { mnemonic: None }),
        _ if class.ends_with("Type") || class.ends_with("TypeInterface") => {
            Some(ParameterKind::Type { mnemonic: None })
        }
        _ => None,
    }
}

/// Returns the default that a C++ expression computes from an earlier parameter: the parameter or
/// its type.
fn of_another(
    expression: &str,
    before: &[ParameterDefinition],
    kind: &ParameterKind,
) -> Option<Absence> {
    let name = expression.trim().strip_prefix('$')?;
    let (name, of_type) = match name.strip_suffix(".getType()") {
        Some(name) => (name, true),
        None => (name, false),
    };
    let place = before.iter().position(|parameter| parameter.name == name)?;
    let found = before.get(place)?;
    let name = own(name);
    match (of_type, &found.kind, kind) {
        (true, ParameterKind::Attribute { .. }, ParameterKind::Type { .. }) => {
            Some(Absence::TypeOf { name, place })
        }
        (false, other, kind) if other == kind => Some(Absence::Parameter { name, place }),
        _ => None,
    }
}

/// Returns the builtin type that a C++ expression builds, as text.
fn builtin_type(expression: &str) -> Option<String> {
    let made = plain(expression).strip_suffix(')')?;
    let (class, arguments) = made.split_once("::get($_ctxt")?;
    let number = arguments.trim_start_matches(',').trim();
    Some(match (class, number) {
        ("IntegerType", number) => format!("i{}", number.parse::<u32>().ok()?),
        ("IndexType", "") => "index".to_owned(),
        ("NoneType", "") => "none".to_owned(),
        ("BFloat16Type", "") => "bf16".to_owned(),
        ("Float16Type", "") => "f16".to_owned(),
        ("Float32Type", "") => "f32".to_owned(),
        ("Float64Type", "") => "f64".to_owned(),
        _ => return None,
    })
}

/// Returns the value of a C++ expression as a default of a parameter kind.
fn default_value<'j>(
    expression: &str,
    cpp: &str,
    kind: &ParameterKind,
    enums: &Enums<'j>,
) -> Option<Absence> {
    let value = match kind {
        ParameterKind::Bool => match expression.trim() {
            "true" => 1,
            "false" => 0,
            _ => return None,
        },
        ParameterKind::Integer { .. }
        | ParameterKind::Unsigned { .. }
        | ParameterKind::Dimension => values::number(expression, false)?.parse().ok()?,
        ParameterKind::Enumeration { .. } => {
            let enumeration = enums.of_type(cpp)?;
            enums.case(expression, enumeration)?.1
        }
        ParameterKind::String => {
            let text = expression.trim().strip_prefix('"')?.strip_suffix('"')?;
            let is_plain = !text.contains(['"', '\\']);
            return is_plain.then(|| Absence::Text(own(text)));
        }
        // For a type of the dialect, the class in the expression belongs to the dialect too.
        ParameterKind::Type { mnemonic: None } => {
            return builtin_type(expression).map(|text| Absence::Spelled(text.into()));
        }
        _ => return None,
    };
    Some(Absence::Value(value))
}
