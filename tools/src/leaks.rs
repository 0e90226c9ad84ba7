//! Finds content that leaks the environment in which a module was made: paths, hosts, users,
//! sources.

use crate::nested::modules_in;
use rmlir::ir::{
    AttributeKind, Context, Entry, EntryWalker, LocationKind, Module, ResourceValue, TypeKind,
    WalkOrder, WalkResult,
};
use rmlir::{Attribute, Error, File, ReadOptions};
use std::collections::{BTreeMap, BTreeSet};

/// The kind of leaked content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LeakKind {
    /// The name of somebody's home directory.
    User,
    /// A host or an address on the network.
    Host,
    /// A path of a file.
    Path,
    /// A name of a location: of a layer, a function, a variable.
    Name,
    /// Source code or another text of several lines.
    Source,
    /// The producer of the file.
    Producer,
}

impl LeakKind {
    /// As it is written in reports.
    pub fn name(self) -> &'static str {
        match self {
            LeakKind::User => "user",
            LeakKind::Host => "host",
            LeakKind::Path => "path",
            LeakKind::Name => "name",
            LeakKind::Source => "source",
            LeakKind::Producer => "producer",
        }
    }
}

/// An item of leaked content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leak {
    /// Its kind.
    pub kind: LeakKind,
    /// The text, cut if it is long.
    pub text: String,
    /// Where it appears: `location`, `name of a location`, `attribute`, `resource` and so on;
    /// `tables of the file` for strings that are nowhere else.
    pub place: &'static str,
    /// The number of locations, attributes or resources that contain it.
    pub count: usize,
}

/// The maximum length of a shown text.
const SHOWN: usize = 200;

/// The strings that a file leaks, sorted, each text once for each location: the locations,
/// attributes, types and resources of its module, if that can be read, and the other strings in the
/// tables of bytecode, which may be unused. Linear in the operations and in the entries that they
/// refer to, and in the tables.
///
/// # Errors
///
/// If the tables are damaged.
pub fn find(module: Option<(&Context, &Module)>, file: Option<&File>) -> Result<Vec<Leak>, Error> {
    let mut found = module.map_or_else(Texts::new, |(context, module)| of_module(context, module));
    if let Some(file) = file {
        let known: BTreeSet<(LeakKind, Vec<u8>)> = found
            .keys()
            .map(|(kind, text, _)| (*kind, text.clone()))
            .collect();
        let mut others = find_in_tables(file)?;
        others.retain(|(kind, text, _), _| !known.contains(&(*kind, text.clone())));
        let mut context = Context::new();
        if module.is_none()
            && let Some(file) = file.as_mlirbc()
            && let Some(producer) = file.contents(&mut context)?.provenance.producer
        {
            let producer = context.bytes(producer).to_vec();
            others.insert((LeakKind::Producer, producer, "header"), 1);
        }
        found.extend(others);
    }
    Ok(finish(found))
}

fn of_module(context: &Context, module: &Module) -> Texts {
    let mut found = Found::default();
    found.module(context, module);
    found.0
}

impl Found {
    fn module(&mut self, context: &Context, module: &Module) {
        let found = self;
        let mut walker = EntryWalker::new();
        let mut visit = |entry: Entry| {
            walker.walk(context, entry, WalkOrder::PreOrder, |entry| {
                found.entry(context, entry);
                WalkResult::Advance
            });
        };
        for operation in module.descendants(module.top()) {
            visit(Entry::Location(module.location(operation)));
            let attributes = [module.properties(operation), module.attributes(operation)];
            attributes
                .into_iter()
                .flatten()
                .for_each(|a| visit(Entry::Attribute(a)));
            for result in module.results(operation) {
                visit(Entry::Type(module.value_type(result)));
            }
            for region in module.regions(operation) {
                for block in module.blocks(region) {
                    for (argument, location) in module.arguments(block) {
                        visit(Entry::Type(module.value_type(argument)));
                        visit(Entry::Location(location));
                    }
                }
            }
        }
        let provenance = &module.provenance;
        if let Some(producer) = provenance.producer {
            found.add(LeakKind::Producer, context.bytes(producer), "header");
        }
        for &resource in &provenance.resources {
            let entry = context.resource(resource);
            found.text(context.bytes(entry.key), "key of a resource");
            if let Some(ResourceValue::String(text)) = &entry.value {
                found.text(text, "resource");
            }
        }
        for group in &provenance.external_resources {
            for (key, value) in &group.entries {
                found.text(context.bytes(*key), "key of a resource");
                if let ResourceValue::String(text) = value {
                    found.text(text, "resource");
                }
            }
        }
    }
}

/// Returns the content that the tables of a file leak, whether or not it is referenced or
/// decodable.
///
/// # Errors
///
/// If they are damaged.
fn find_in_tables(file: &File) -> Result<Texts, Error> {
    let mut found = Found::default();
    file.texts(&mut |text| found.text(text, "tables of the file"))?;
    Ok(found.0)
}

/// The number of occurrences by kind, text and location.
type Texts = BTreeMap<(LeakKind, Vec<u8>, &'static str), usize>;

/// The place of what is in a module in an attribute.
const NESTED: &str = "module in an attribute";
/// Modules nested deeper than this in each other are not looked into.
const DEEPEST: usize = 4;

/// What was found, and in how many attributes of modules the module is.
#[derive(Default)]
struct Found(Texts, usize);

impl Found {
    fn entry(&mut self, context: &Context, entry: Entry) {
        match entry {
            Entry::Location(location) => match context.location_kind(location) {
                LocationKind::FileLineColRange { file, .. } => {
                    let file = context.bytes(file);
                    self.users(file, "location");
                    self.add(LeakKind::Path, file, "location");
                }
                LocationKind::Name { name, .. } => {
                    // Scopes such as `jit(f)/layer/sin` look like paths in parts.
                    let name = context.bytes(name);
                    self.users(name, "location");
                    self.add(LeakKind::Name, name, "location");
                }
                _ => {}
            },
            Entry::Attribute(attribute) => match context.attribute_kind(attribute) {
                AttributeKind::String { value, .. } => {
                    let before = self.0.len();
                    self.modules(context, attribute);
                    // The bytes of a module are not text.
                    if self.0.len() == before {
                        self.text(context.bytes(*value), "attribute");
                    }
                }
                AttributeKind::DenseElements { .. } => self.modules(context, attribute),
                AttributeKind::Dialect { body, .. } => self.text(body.text(), "attribute"),
                _ => {}
            },
            Entry::Type(ty) => {
                if let TypeKind::Dialect { body, .. } = context.type_kind(ty) {
                    self.text(body.text(), "type");
                }
            }
        }
    }

    /// Examines the modules in an attribute.
    fn modules(&mut self, context: &Context, attribute: Attribute) {
        if self.1 >= DEEPEST {
            return;
        }
        let depth = self.1 + 1;
        modules_in(context, attribute, &mut |bytes| {
            let mut options = ReadOptions::default();
            options.verify = false;
            let Ok(file) = File::from_bytes(bytes.clone(), &options) else {
                return;
            };
            let mut found = Found(Texts::new(), depth);
            if let Ok(ir) = rmlir::read_with(bytes, &options) {
                let (context, module) = ir.parts();
                found.module(context, module);
            }
            let known: BTreeSet<(LeakKind, Vec<u8>)> = found
                .0
                .keys()
                .map(|(kind, text, _)| (*kind, text.clone()))
                .collect();
            let mut others = Found(Texts::new(), depth);
            // Damaged tables have no texts.
            let _ = file.texts(&mut |text| others.text(text, NESTED));
            others
                .0
                .retain(|(kind, text, _), _| !known.contains(&(*kind, text.clone())));
            for ((kind, text, _), count) in found.0.into_iter().chain(others.0) {
                *self.0.entry((kind, text, NESTED)).or_default() += count;
            }
        });
    }

    /// Examines a text of any content.
    fn text(&mut self, text: &[u8], place: &'static str) {
        if memchr::memchr_iter(b'\n', text).nth(1).is_some() {
            self.add(LeakKind::Source, text, place);
        }
        let ends = |b: &u8| b.is_ascii_whitespace() || b"\"'`<>()[]{},;|=".contains(b);
        for word in text.split(ends) {
            self.users(word, place);
            if let Some(host) = host(word) {
                self.add(LeakKind::Host, host, place);
            } else if is_path(word) {
                self.add(LeakKind::Path, word, place);
            }
        }
    }

    /// Adds the user whose home directory a path is in.
    fn users(&mut self, path: &[u8], place: &'static str) {
        for home in [&b"/home/"[..], b"/Users/", b"\\Users\\"] {
            let user = memchr::memmem::find(path, home)
                .and_then(|at| path.get(at + home.len()..))
                .and_then(|rest| rest.split(|b| b"/\\".contains(b)).next())
                .filter(|user| !user.is_empty());
            if let Some(user) = user {
                self.add(LeakKind::User, user, place);
            }
        }
    }

    fn add(&mut self, kind: LeakKind, text: &[u8], place: &'static str) {
        *self.0.entry((kind, text.to_vec(), place)).or_default() += 1;
    }
}

fn finish(found: Texts) -> Vec<Leak> {
    found
        .into_iter()
        .map(|((kind, text, place), count)| {
            let cut = text.len() > SHOWN;
            let shown = text.get(..SHOWN).unwrap_or(&text).escape_ascii();
            Leak {
                kind,
                text: format!("{shown}{}", if cut { "..." } else { "" }),
                place,
                count,
            }
        })
        .collect()
}

/// Returns the host in a URL, in `user@host`, or an address.
fn host(word: &[u8]) -> Option<&[u8]> {
    let is_host = |host: &[u8]| {
        host.len() > 1
            && host
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || b".-".contains(b))
            && host.contains(&b'.')
            && host.iter().any(u8::is_ascii_alphanumeric)
    };
    let end = |rest: &'_ [u8]| {
        rest.iter()
            .position(|b| b"/:?#".contains(b))
            .unwrap_or(rest.len())
    };
    if let Some(at) = memchr::memmem::find(word, b"://") {
        let rest = word.get(at + 3..)?;
        let host = rest.get(..end(rest))?;
        let host = host.rsplit(|&b| b == b'@').next()?;
        return (!host.is_empty()).then_some(host);
    }
    // A mail address or a login; an `@` at the start denotes a symbol.
    if let Some(at) = memchr::memchr(b'@', word).filter(|&at| at > 0) {
        let rest = word.get(at + 1..)?;
        let host = rest.get(..end(rest))?;
        return is_host(host).then_some(host);
    }
    // An IPv4 address.
    let host = word.get(..end(word))?;
    let numbers = host.split(|&b| b == b'.');
    let address = host.iter().filter(|&&b| b == b'.').count() == 3
        && numbers
            .clone()
            .all(|n| (1..=3).contains(&n.len()) && n.iter().all(u8::is_ascii_digit));
    address.then_some(host)
}

/// Whether a word looks like a path: absolute, or of several parts of which the last has an
/// extension.
fn is_path(word: &[u8]) -> bool {
    let drive = matches!(word, [letter, b':', b'\\' | b'/', _, ..] if letter.is_ascii_alphabetic());
    let slashes = word.iter().filter(|b| b"/\\".contains(b)).count();
    let parts = || word.split(|b| b"/\\".contains(b));
    let named = parts()
        .filter(|p| p.iter().any(u8::is_ascii_alphabetic))
        .count();
    let extension = parts().next_back().is_some_and(|last| {
        last.iter().rposition(|&b| b == b'.').is_some_and(|dot| {
            dot > 0
                && last.get(dot + 1..).is_some_and(|e| {
                    (1..=6).contains(&e.len()) && e.iter().all(u8::is_ascii_alphanumeric)
                })
        })
    });
    drive
        || (word.starts_with(b"/") && slashes >= 2 && named >= 2)
        || (slashes >= 1 && named >= 2 && extension)
}

#[cfg(test)]
mod tests {
    use super::{host, is_path};

    #[test]
    fn paths_and_hosts() {
        for path in [
            "/usr/lib/a",
            "C:\\work\\x.py",
            "src/model.py",
            "../jax/_src/a.py",
        ] {
            assert!(is_path(path.as_bytes()), "{path}");
        }
        for other in [
            "a",
            "1/2",
            "/",
            "a/b",
            "f32/i8",
            "jit(f)/jit(main)/mul",
            "x.py",
        ] {
            assert!(!is_path(other.as_bytes()), "{other}");
        }
        let of = |word: &'static str| host(word.as_bytes());
        assert_eq!(
            of("https://user@build.example.org:8080/x"),
            Some(&b"build.example.org"[..])
        );
        assert_eq!(of("me@mail.example.org"), Some(&b"mail.example.org"[..]));
        assert_eq!(of("192.168.0.17"), Some(&b"192.168.0.17"[..]));
        assert_eq!(of("@a.b"), None);
        assert_eq!(of("1.2.3"), None);
        assert_eq!(of("a.b.c.d"), None);
    }
}
