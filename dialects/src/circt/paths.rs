//! Directives of paths through a design: references to what is inside a module, paths as strings,
//! signals of interfaces.

use super::firrtl::flat;
use super::hierarchy::inner_reference;
use crate::directive::{Printed, TwoWayDirective};
use crate::helpers::is_of;
use crate::two_way::{Asm, failure, invalid, items, one_type, plain_string, string_array};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::{Attribute, AttributeKind, Context, Identifier};

/// `@outer::@inner`.
#[derive(Default)]
pub(crate) struct Pair {
    place: Option<usize>,
    outer: Vec<u8>,
    inner: Vec<u8>,
}

/// Returns the names of a reference with one nested reference.
fn pair(context: &Context, reference: Option<Attribute>) -> Option<Pair> {
    match context.attribute_kind(reference?) {
        AttributeKind::SymbolRef { root, nested } => match **nested {
            [inner] => Some(Pair {
                place: None,
                outer: context.bytes(*root).to_vec(),
                inner: context.bytes(inner).to_vec(),
            }),
            _ => None,
        },
        _ => None,
    }
}

impl Pair {
    fn text(&mut self, asm: &mut Asm<'_, '_>) -> AsmResult<bool> {
        if let Asm::Printer(printer) = asm {
            printer.symbol_name(&self.outer);
            printer.text("::");
            printer.symbol_name(&self.inner);
            return Ok(true);
        }
        let place = asm.place();
        let mut reference = None;
        asm.reference(&mut reference)?;
        let found = pair(asm.context(), reference);
        let message = "expected a reference with one nested reference";
        *self = found.ok_or_else(|| failure(place, message))?;
        self.place = place;
        Ok(true)
    }
}

/// The directive of `#hw.innerNameRef<@module::@name>`: `@module::@name`.
#[derive(Debug)]
pub(crate) struct InnerReference;

impl TwoWayDirective for InnerReference {
    type Content = Pair;

    fn content(&self, printed: &Printed<'_>) -> Option<Pair> {
        let reference = printed.arguments.first()?.attribute()?;
        let symbol = inner_reference(printed.context, reference)?;
        pair(printed.context, Some(symbol))
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Pair) -> AsmResult<bool> {
        content.text(asm)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        pair: Pair,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let root = context.identifier(&pair.outer);
        let nested: [Identifier; 1] = [context.identifier(&pair.inner)];
        let kind = AttributeKind::SymbolRef {
            root,
            nested: nested.into(),
        };
        let symbol = context.try_attribute(kind).map_err(invalid(pair.place))?;
        let builder = context.build_attribute("hw.innerNameRef");
        let made = builder.with("ref", symbol).build();
        if let [argument] = arguments {
            *argument = ParsedArgument::Attribute(Some(made.map_err(invalid(pair.place))?));
        }
        Ok(())
    }
}

/// The directive of a signal of an interface: `@interface::@signal`. Arguments: the type of the
/// interface, the reference to the signal.
#[derive(Debug)]
pub(crate) struct Signal;

impl TwoWayDirective for Signal {
    type Content = Pair;

    fn content(&self, printed: &Printed<'_>) -> Option<Pair> {
        let ([ty, signal], context) = (printed.arguments, printed.context) else {
            return None;
        };
        let &[ty] = ty.types() else { return None };
        let interface = context.parameter(ty, "interface")?.attribute();
        is_of(context, ty, "sv", "interface").then_some(())?;
        Some(Pair {
            place: None,
            outer: flat(context, interface)?.to_vec(),
            inner: flat(context, signal.attribute())?.to_vec(),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Pair) -> AsmResult<bool> {
        content.text(asm)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        pair: Pair,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let context = parser.context();
        let interface = context.symbol_ref_attribute(&pair.outer);
        let signal = context.symbol_ref_attribute(&pair.inner);
        let builder = context.build_type("sv.interface");
        let ty = builder.with("interface", interface).build();
        if let [to_ty, to_signal] = arguments {
            *to_ty = one_type(Some(ty.map_err(invalid(pair.place))?));
            *to_signal = ParsedArgument::Attribute(Some(signal));
        }
        Ok(())
    }
}

/// The directive of names from a module to what is in it: `"a", "b"`. Arguments: the array of all
/// names but the last one, and the last one.
#[derive(Debug)]
pub(crate) struct Names;

impl TwoWayDirective for Names {
    /// The names.
    type Content = Vec<Vec<u8>>;

    fn content(&self, printed: &Printed<'_>) -> Option<Self::Content> {
        let ([path, last], context) = (printed.arguments, printed.context) else {
            return None;
        };
        // The text of no names would begin with a comma.
        let path = items(context, path.attribute()).filter(|path| !path.is_empty())?;
        let last = last.attribute()?;
        let names = path.iter().chain([&last]);
        names
            .map(|&name| Some(plain_string(context, Some(name))?.to_vec()))
            .collect()
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Self::Content) -> AsmResult<bool> {
        asm.items(content, |asm, name| {
            asm.key(name, "expected valid keyword or string")
        })?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Self::Content,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let Some((last, path)) = content.split_last() else {
            return Ok(());
        };
        let context = parser.context();
        let path: Vec<&[u8]> = path.iter().map(Vec::as_slice).collect();
        let path = string_array(context, &path);
        let last = context.string_attribute(last);
        if let [to_path, to_last] = arguments {
            *to_path = ParsedArgument::Attribute(Some(path));
            *to_last = ParsedArgument::Attribute(Some(last));
        }
        Ok(())
    }
}

/// The directive of a path as a string: `"Foo/bar:Bar/baz:Baz>wire.a[1]"`. Arguments: the path,
/// `Foo/bar:Bar/baz`; and for a path to what is in a module, the module, `Baz`, what is in it,
/// `wire`, and the field, `.a[1]`.
#[derive(Debug)]
pub(crate) struct PathString;

/// The text of [`PathString`].
#[derive(Default)]
pub(crate) struct PathContent {
    place: Option<usize>,
    text: Vec<u8>,
}

/// A path that was read.
#[derive(Default)]
struct Path<'t> {
    modules: Vec<&'t [u8]>,
    instances: Vec<&'t [u8]>,
    /// The module, what is in it, and the field.
    target: [&'t [u8]; 3],
}

/// Splits a name from the start of a text.
fn name(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let is_end = |byte: &u8| b" ~|:>/[].".contains(byte);
    let end = text.iter().position(is_end).unwrap_or(text.len());
    text.split_at_checked(end)
        .filter(|(name, _)| !name.is_empty())
}

/// Returns whether a text has fields, `.name` or `[name]`, and nothing else.
fn is_field(mut text: &[u8]) -> bool {
    while let Some((&first, rest)) = text.split_first() {
        let close: &[u8] = match first {
            b'.' => b"",
            b'[' => b"]",
            _ => return false,
        };
        let Some((_, rest)) = name(rest) else {
            return false;
        };
        let Some(rest) = rest.strip_prefix(close) else {
            return false;
        };
        text = rest;
    }
    true
}

impl<'t> Path<'t> {
    /// Reads a path; `None` if it is not one.
    fn read(mut text: &'t [u8], has_target: bool) -> Option<Self> {
        let mut path = Path::default();
        if text.is_empty() && !has_target {
            return Some(path);
        }
        loop {
            let (module, rest) = name(text)?;
            let Some(rest) = rest.strip_prefix(b"/") else {
                path.target = match rest.strip_prefix(b">") {
                    Some(rest) => {
                        let (reference, field) = name(rest)?;
                        [module, reference, field]
                    }
                    None if rest.is_empty() => [module, b"", b""],
                    None => return None,
                };
                let [_, _, field] = path.target;
                return (has_target && is_field(field)).then_some(path);
            };
            let (instance, rest) = name(rest)?;
            path.modules.push(module);
            path.instances.push(instance);
            match rest.strip_prefix(b":") {
                Some(rest) => text = rest,
                None => return (rest.is_empty() && !has_target).then_some(path),
            }
        }
    }
}

/// Writes a path to what is in a module, or to the module if that is empty.
fn write(path: &Path<'_>) -> Vec<u8> {
    let mut text = Vec::new();
    for (module, instance) in path.modules.iter().zip(&path.instances) {
        if !text.is_empty() {
            text.push(b':');
        }
        text.extend_from_slice(module);
        text.push(b'/');
        text.extend_from_slice(instance);
    }
    let [module, reference, field] = path.target;
    if !module.is_empty() && !text.is_empty() {
        text.push(b':');
    }
    text.extend_from_slice(module);
    if !reference.is_empty() {
        text.push(b'>');
        text.extend_from_slice(reference);
    }
    text.extend_from_slice(field);
    text
}

impl TwoWayDirective for PathString {
    type Content = PathContent;

    fn content(&self, printed: &Printed<'_>) -> Option<PathContent> {
        let ([path, target @ ..], context) = (printed.arguments, printed.context) else {
            return None;
        };
        let mut found = Path::default();
        let path = context.parameters(path.attribute()?).ok()?;
        for (name, to) in [
            ("modules", &mut found.modules),
            ("instances", &mut found.instances),
        ] {
            *to = path
                .get(name)?
                .items()
                .map(|item| item.bytes())
                .collect::<Option<_>>()?;
        }
        for (to, argument) in found.target.iter_mut().zip(target) {
            *to = plain_string(context, argument.attribute())?;
        }
        let text = write(&found);
        let read = Path::read(&text, !target.is_empty())?;
        let is_lossless = read.modules == found.modules
            && read.instances == found.instances
            && read.target == found.target;
        is_lossless.then_some(PathContent { place: None, text })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut PathContent) -> AsmResult<bool> {
        content.place = asm.place();
        asm.string(&mut content.text)?;
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: PathContent,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [to_path, target @ ..] = arguments else {
            return Ok(());
        };
        let found = Path::read(&content.text, !target.is_empty());
        let found = found.ok_or_else(|| failure(content.place, "invalid path"))?;
        let context = parser.context();
        let texts = |all: &[&[u8]]| -> Vec<String> {
            let all = all.iter();
            all.map(|one| String::from_utf8_lossy(one).into_owned())
                .collect()
        };
        let builder = context.build_attribute("om.path");
        let builder = builder.with("modules", texts(&found.modules));
        let path = builder.with("instances", texts(&found.instances)).build();
        *to_path = ParsedArgument::Attribute(Some(path.map_err(invalid(content.place))?));
        for (to, text) in target.iter_mut().zip(found.target) {
            *to = ParsedArgument::Attribute(Some(context.string_attribute(text)));
        }
        Ok(())
    }
}
