//! Paths of symbols: names linked to the path of the enclosing symbol.

use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{AttributeKind, Context};
use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// The names of a symbol, outermost first, from below the top of the file: `@a::@b` has two.
///
/// Names are bytes.
///
/// A path stores its last name and shares the path of the enclosing symbol, so the paths of all
/// symbols of a file take memory linear in the number of symbols, however deeply they are nested.
/// Cloning, hashing and [`child`](Self::child) are O(1); comparing two paths is O(1) if they share
/// storage or their hashes differ, and O(names) otherwise.
#[derive(Clone, Default)]
pub struct SymbolPath(Option<Arc<Node>>);

/// The number of bytes hashed at each end of a name.
const HASHED: usize = 64;

struct Node {
    name: Arc<[u8]>,
    outer: SymbolPath,
    /// The number of names.
    len: usize,
    /// The hash of all names.
    hash: u64,
}

impl SymbolPath {
    /// Returns the path of the given names.
    pub fn new<N: AsRef<[u8]>>(names: impl IntoIterator<Item = N>) -> Self {
        Self::from_names(names.into_iter().map(|name| name.as_ref().into()))
    }

    /// Returns the path of names that are already shared.
    pub fn from_names(names: impl IntoIterator<Item = Arc<[u8]>>) -> Self {
        let names = names.into_iter();
        names.fold(SymbolPath(None), |outer, name| outer.child(name))
    }

    /// Returns the path that a reference denotes: `@a::@"b c"`.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`], if `reference` is not a symbol reference.
    pub fn parse(reference: impl AsRef<[u8]>) -> Result<Self> {
        let mut context = Context::new();
        let parsed = rmlir_text::parse_attribute(&mut context, reference.as_ref());
        let attribute = parsed
            .map_err(|error| Error::new(ErrorKind::Malformed, error.first().message.clone()))?;
        match context.attribute_kind(attribute) {
            AttributeKind::SymbolRef { root, nested } => {
                let names = std::iter::once(root).chain(nested);
                Ok(SymbolPath::new(names.map(|&name| context.bytes(name))))
            }
            _ => Err(Error::new(
                ErrorKind::Malformed,
                "expected a symbol reference",
            )),
        }
    }

    /// Returns the path of the symbol `name` in the symbol table that this path denotes. O(1).
    #[must_use]
    pub fn child(&self, name: Arc<[u8]>) -> Self {
        let mut hasher = DefaultHasher::new();
        let outer_hash = self.0.as_ref().map_or(0, |node| node.hash);
        // Many symbols may share one long name, so only its ends are hashed.
        let end = name.len().saturating_sub(HASHED);
        let ends = (name.get(..HASHED).unwrap_or(&name), name.get(end..));
        (outer_hash, name.len(), ends).hash(&mut hasher);
        SymbolPath(Some(Arc::new(Node {
            name,
            outer: self.clone(),
            len: self.len().saturating_add(1),
            hash: hasher.finish(),
        })))
    }

    /// Returns the number of names. O(1).
    #[allow(
        clippy::len_without_is_empty,
        reason = "only the path of no symbol is empty"
    )]
    pub fn len(&self) -> usize {
        self.0.as_ref().map_or(0, |node| node.len)
    }

    /// Returns the innermost name: that of the symbol itself. `None` if there are no names. O(1).
    pub fn name(&self) -> Option<&Arc<[u8]>> {
        self.0.as_ref().map(|node| &node.name)
    }

    /// Returns the names, outermost first. O(names).
    pub fn names(&self) -> impl DoubleEndedIterator<Item = &[u8]> + ExactSizeIterator {
        let mut names: Vec<&[u8]> = self.ancestors().map(|node| &*node.name).collect();
        names.reverse();
        names.into_iter()
    }

    /// Returns the path of the enclosing symbol; `None` for a top-level symbol. O(1).
    pub fn parent(&self) -> Option<Self> {
        let outer = &self.0.as_ref()?.outer;
        outer.0.is_some().then(|| outer.clone())
    }

    /// Returns the path, abbreviated if it is long, for display.
    ///
    /// A path whose outer names take at most `limit` bytes is displayed as
    /// [`Display`](fmt::Display) writes it. In a longer path, outer names are replaced by their
    /// number, as in `<7990 names>::@m::@f`: the innermost name is always written, preceded by as
    /// many names as fit into `limit` bytes. Of an innermost name of more than `limit` bytes, the
    /// first `limit` bytes and the length are written, as in `@aaa<1000 bytes>`. So the text of all
    /// paths of a file is linear in the number of symbols. An abbreviated path is not a symbol
    /// reference.
    pub fn abbreviated(&self, limit: usize) -> impl fmt::Display + '_ {
        Abbreviated { path: self, limit }
    }

    /// Returns the nodes of the path, innermost first.
    fn ancestors(&self) -> impl Iterator<Item = &Node> {
        std::iter::successors(self.0.as_deref(), |node| node.outer.0.as_deref())
    }
}

impl Drop for Node {
    /// Releases the enclosing paths in a loop, since dropping them one within another recurses.
    fn drop(&mut self) {
        let mut outer = self.outer.0.take();
        while let Some(mut node) = outer.and_then(Arc::into_inner) {
            outer = node.outer.0.take();
        }
    }
}

impl PartialEq for SymbolPath {
    fn eq(&self, other: &Self) -> bool {
        if self.len() != other.len() {
            return false;
        }
        for (a, b) in self.ancestors().zip(other.ancestors()) {
            if std::ptr::eq(a, b) {
                return true;
            }
            if a.hash != b.hash || !Arc::ptr_eq(&a.name, &b.name) && a.name != b.name {
                return false;
            }
        }
        true
    }
}

impl Eq for SymbolPath {}

impl Hash for SymbolPath {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ref().map_or(0, |node| node.hash).hash(state);
    }
}

/// Values by symbol path, for paths of several files or modules.
///
/// Two equal paths that do not share storage are compared in O(names), so a hash map with the paths
/// of one file as keys takes quadratic time for those of another one with deeply nested symbols.
/// This map remembers the storage of the paths that it was given: all operations with the paths of
/// all symbols of a file together take time linear in the number of symbols and in the names that
/// are stored apart.
#[derive(Debug)]
pub struct SymbolPathMap<V> {
    /// The number of each path by the address of its storage, which is kept alive.
    paths: HashMap<usize, (SymbolPath, usize)>,
    /// The number of each name by the address of its storage, which is kept alive.
    names: HashMap<usize, (Arc<[u8]>, usize)>,
    /// The number of each name by its content.
    contents: HashMap<Arc<[u8]>, usize>,
    /// The number of a path by that of the enclosing one and of the last name. That of the path
    /// without names is 0.
    children: HashMap<(usize, usize), usize>,
    /// The values by the number of the path.
    values: HashMap<usize, Option<V>>,
}

impl<V> Default for SymbolPathMap<V> {
    fn default() -> Self {
        SymbolPathMap {
            paths: HashMap::new(),
            names: HashMap::new(),
            contents: HashMap::new(),
            children: HashMap::new(),
            values: HashMap::new(),
        }
    }
}

impl<V> SymbolPathMap<V> {
    /// Returns the value of a path; `None` if it has none.
    ///
    /// The value can be set. The map keeps the storage of the path, so that it is found in O(1) the
    /// next time.
    pub fn entry(&mut self, path: &SymbolPath) -> &mut Option<V> {
        let mut unknown = Vec::new();
        let mut next = path;
        // The number of the innermost path around that is known.
        let mut number = loop {
            let Some(node) = &next.0 else { break 0 };
            if let Some(&(_, number)) = self.paths.get(&Arc::as_ptr(node).addr()) {
                break number;
            }
            unknown.push(next);
            next = &node.outer;
        };
        for path in unknown.into_iter().rev() {
            let Some(node) = &path.0 else { continue };
            let name = self.name(&node.name);
            let next = self.children.len().saturating_add(1);
            number = *self.children.entry((number, name)).or_insert(next);
            let address = Arc::as_ptr(node).addr();
            self.paths.insert(address, (path.clone(), number));
        }
        self.values.entry(number).or_default()
    }

    fn name(&mut self, name: &Arc<[u8]>) -> usize {
        let address = Arc::as_ptr(name).addr();
        if let Some(&(_, number)) = self.names.get(&address) {
            return number;
        }
        let next = self.contents.len();
        let number = *self.contents.entry(Arc::clone(name)).or_insert(next);
        self.names.insert(address, (Arc::clone(name), number));
        number
    }
}

impl fmt::Debug for SymbolPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SymbolPath({self})")
    }
}

impl fmt::Display for SymbolPath {
    /// Writes a symbol reference; bytes that are not printable as `\` and two hexadecimal digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, name) in self.names().enumerate() {
            if number > 0 {
                f.write_str("::")?;
            }
            Name(name).fmt(f)?;
        }
        Ok(())
    }
}

/// See [`SymbolPath::abbreviated`].
struct Abbreviated<'p> {
    path: &'p SymbolPath,
    limit: usize,
}

impl fmt::Display for Abbreviated<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut nodes = self.path.ancestors();
        let Some(last) = nodes.next() else {
            return Ok(());
        };
        let mut left = self.limit;
        let mut outer = Vec::new();
        for node in nodes {
            let needed = Name(&node.name).text_len().saturating_add(2);
            let Some(rest) = left.checked_sub(needed) else {
                write!(f, "<{} names>::", node.len)?;
                break;
            };
            left = rest;
            outer.push(&node.name);
        }
        for name in outer.iter().rev() {
            write!(f, "{}::", Name(name))?;
        }
        match last.name.get(..self.limit.max(1)) {
            Some(start) if start.len() < last.name.len() => {
                write!(f, "{}<{} bytes>", Name(start), last.name.len())
            }
            _ => Name(&last.name).fmt(f),
        }
    }
}

/// A name as it is written in a reference.
struct Name<'n>(&'n [u8]);

impl Name<'_> {
    fn is_plain(&self) -> bool {
        let starts = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'_';
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$.".contains(byte);
        self.0.first().is_some_and(starts) && self.0.iter().all(plain)
    }

    /// Returns the length of the text, or an upper bound of it.
    fn text_len(&self) -> usize {
        match self.is_plain() {
            true => self.0.len().saturating_add(1),
            false => self.0.len().saturating_mul(3).saturating_add(3),
        }
    }
}

impl fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("@")?;
        if self.is_plain() {
            let mut bytes = self.0.iter();
            return bytes.try_for_each(|&byte| write!(f, "{}", char::from(byte)));
        }
        f.write_str("\"")?;
        for &byte in self.0 {
            match byte {
                b'\\' => f.write_str("\\\\")?,
                b' '..=b'~' if byte != b'"' => write!(f, "{}", char::from(byte))?,
                _ => write!(f, "\\{byte:02X}")?,
            }
        }
        f.write_str("\"")
    }
}

#[cfg(test)]
mod tests {
    use super::{SymbolPath, SymbolPathMap};
    use std::sync::Arc;

    #[test]
    fn maps_find_paths_of_any_storage() {
        let mut map = SymbolPathMap::default();
        for (number, path) in [vec!["a"], vec!["a", "b"], vec!["b", "a"]]
            .iter()
            .enumerate()
        {
            assert_eq!(map.entry(&SymbolPath::new(path)).replace(number), None);
        }
        assert_eq!(*map.entry(&SymbolPath::new(["a", "b"])), Some(1));
        assert_eq!(*map.entry(&SymbolPath::new(["b"])), None);
        assert_eq!(*map.entry(&SymbolPath::new(["b", "a"])), Some(2));
        assert_eq!(*map.entry(&SymbolPath::default()), None);
        assert_eq!(map.entry(&SymbolPath::new(["a"])).replace(7), Some(0));
        assert_eq!(*map.entry(&SymbolPath::new(["a"])), Some(7));
    }

    #[test]
    fn maps_of_deep_paths_are_linear() {
        // A quadratic comparison would take hours, the names alone hundreds of gigabytes.
        let nest = || {
            let name: Arc<[u8]> = vec![b'm'; 1 << 20].into();
            let child = |path: &SymbolPath| Some(path.child(Arc::clone(&name)));
            let paths = std::iter::successors(child(&SymbolPath::default()), child);
            paths.take(200_000).collect::<Vec<_>>()
        };
        let mut map = SymbolPathMap::default();
        for (number, path) in nest().iter().enumerate() {
            *map.entry(path) = Some(number);
        }
        for (number, path) in nest().iter().enumerate().rev() {
            assert_eq!(*map.entry(path), Some(number));
        }
    }

    #[test]
    fn paths_are_written_as_references() {
        let path = SymbolPath::new([&b"a.b"[..], b"1 \"\xff\\"]);
        assert_eq!(path.to_string(), r#"@a.b::@"1 \22\FF\\""#);
        assert_eq!(SymbolPath::parse(path.to_string()).unwrap(), path);
        assert_eq!(path.parent(), Some(SymbolPath::new(["a.b"])));
        assert_eq!(path.parent().unwrap().parent(), None);
        assert_eq!(
            SymbolPath::new(["a.b"]).child(b"1 \"\xff\\"[..].into()),
            path
        );
        for text in ["", "a", "@", "1 : i32", "@a::", "@a @b"] {
            assert!(SymbolPath::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn long_paths_are_abbreviated_from_the_outside() {
        let path = SymbolPath::new(["a", "b", "long name", "c"]);
        assert_eq!(path.abbreviated(1000).to_string(), path.to_string());
        assert_eq!(
            path.abbreviated(34).to_string(),
            "<2 names>::@\"long name\"::@c"
        );
        assert_eq!(path.abbreviated(0).to_string(), "<3 names>::@c");
        let top = SymbolPath::new(["much_longer"]);
        assert_eq!(top.abbreviated(11).to_string(), "@much_longer");
        assert_eq!(top.abbreviated(4).to_string(), "@much<11 bytes>");
    }

    #[test]
    fn deep_paths_take_no_stack_and_share_what_is_around() {
        let name: std::sync::Arc<[u8]> = b"m"[..].into();
        let mut path = SymbolPath::default();
        let mut all = Vec::new();
        for _ in 0..200_000 {
            path = path.child(name.clone());
            all.push(path.clone());
        }
        assert_eq!(path.len(), 200_000);
        assert_eq!(path.names().len(), 200_000);
        assert_eq!(path, SymbolPath::new(vec!["m"; 200_000]));
        assert_ne!(all[199_998], path);
        assert!(path.abbreviated(100).to_string().len() < 150);
        drop(path);
        drop(all);
    }
}
