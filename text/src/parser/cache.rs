//! Memoizes parsed entries by their source text.
//!
//! Texts repeat themselves: the same `{fastmath = #arith.fastmath<none>}` and `tensor<?x?xf32>`
//! occur again and again. A text that was parsed before is found by comparing bytes, without
//! producing tokens and interning its parts.
//!
//! This is equivalent to parsing because of two facts. A text that ends with a closing bracket or
//! quote, or that precedes white space, is parsed in the same way whatever follows it. And within a
//! file the same text means the same as long as no alias is defined in between: resources and
//! `distinct` attributes are named file-wide. Text that the parser rejects is never memoized.

use super::Parser;
use crate::diagnostic::Result;
use crate::lexer::{Token, TokenKind};
use foldhash::fast::FixedState;
use rmlir_ir::definition::DialectDefinition;
use rmlir_ir::{Attribute, AttributeKind, Identifier, OperationName, Type};
use std::hash::{BuildHasher, Hasher};

/// The maximum number of bytes, from its start on, that determine the slot of an entry.
const KEY: usize = 160;
/// The longest text that is memoized. A comparison costs that much even if it fails.
const LONGEST: usize = 1024;
/// The maximum number of sets of entries in one table.
const SETS: usize = 4096;
/// The same for names of operations, of which there are few.
const NAME_SETS: usize = 256;
/// The entries that share a slot, the most recently used one first (LRU).
///
/// Many texts occur only once, and must not displace those that recur.
const WAYS: usize = 4;

/// The number of bytes of text that one table keeps, a power of two.
///
/// The texts that were not used for longest are overwritten.
const TEXTS: usize = 1 << 20;

/// A table of fixed size in which a new entry replaces an old one, so that collisions and the
/// number of entries affect only speed.
pub(super) struct TextCache<T> {
    sets: Vec<Set<T>>,
    /// The texts of the entries, contiguously: in the source they are far from each other, and not
    /// in the processor's cache.
    texts: Vec<u8>,
    /// The number of bytes of text written since the table was empty, including those skipped at
    /// the end of the buffer: when it is full, writing restarts at its beginning.
    written: u32,
    /// Entries whose texts begin before this are no longer valid.
    valid_from: u32,
    /// The maximum number of sets.
    most: usize,
}

/// The entries of a slot: for most tables, they fit in one cache line.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Set<T>([Option<Slot<T>>; WAYS]);

#[derive(Clone, Copy)]
struct Slot<T> {
    /// The hash of the key: distinguishes most texts that share only the slot without comparing
    /// them.
    hash: u32,
    /// The number of bytes written before its text, which is still there if fewer bytes than the
    /// buffer holds were written since.
    start: u32,
    len: u32,
    value: T,
}

impl<T> Default for TextCache<T> {
    fn default() -> Self {
        TextCache {
            sets: Vec::new(),
            texts: Vec::new(),
            written: 0,
            valid_from: 0,
            most: SETS,
        }
    }
}

impl<T: Copy> TextCache<T> {
    /// Returns a table of names.
    fn of_names() -> Self {
        TextCache {
            most: NAME_SETS,
            ..TextCache::default()
        }
    }

    /// Returns the hash of a key and its slot in the table.
    #[inline]
    fn place(&self, key: &[u8]) -> (u32, usize) {
        // No seed: input with colliding keys makes nothing slower than having no cache.
        let mut hasher = FixedState::with_seed(0).build_hasher();
        hasher.write(key);
        let hash = hasher.finish();
        // The table's size is a power of two, or 0.
        let at = hash as usize & self.sets.len().saturating_sub(1);
        ((hash >> 32) as u32, at)
    }

    /// Returns the entry whose text is at `start`, and where the text ends.
    #[inline]
    fn find(&mut self, source: &[u8], start: usize, key: &[u8]) -> Option<(T, usize)> {
        let (hash, at) = self.place(key);
        let Set(set) = self.sets.get_mut(at)?;
        let rest = source.get(start..)?;
        let texts = &self.texts;
        let valid_from = self
            .valid_from
            .max(self.written.saturating_sub(TEXTS as u32));
        let is_it = |slot: &Slot<T>| {
            slot.hash == hash && slot.start >= valid_from && {
                let known = texts.get(slot.start as usize % TEXTS..);
                let known = known.and_then(|known| known.get(..slot.len as usize));
                known.is_some_and(|known| rest.get(..known.len()) == Some(known))
            }
        };
        let way = set
            .iter()
            .position(|slot| slot.as_ref().is_some_and(is_it))?;
        if way > 0 {
            // Moves the entry to the front of its set: the order is that of the last uses.
            set.get_mut(..=way)?.rotate_right(1);
        }
        let Slot {
            start: kept,
            len,
            value,
            ..
        } = *set.first()?.as_ref()?;
        let end = start.checked_add(len as usize)?;
        if self.written.wrapping_sub(kept) as usize > TEXTS / 2 {
            // A text that is in use is appended again before the ring buffer overwrites it.
            let again = self.keep(source.get(start..end)?);
            if let Some(slot) = self
                .sets
                .get_mut(at)
                .and_then(|set| set.0.first_mut()?.as_mut())
            {
                slot.start = again;
            }
        }
        Some((value, end))
    }

    /// Memoizes the entry that the text from `start` to `end` denotes.
    fn insert(&mut self, source: &[u8], start: usize, end: usize, key: &[u8], value: T) {
        let text = source.get(start..end).unwrap_or_default();
        if text.len() > LONGEST {
            return;
        }
        if self.sets.is_empty() {
            let fit = (source.len() / KEY / WAYS)
                .next_power_of_two()
                .min(self.most);
            self.sets.resize(fit, Set([None; WAYS]));
        }
        let start = self.keep(text);
        let (hash, at) = self.place(key);
        if let (Ok(len), Some(Set(set))) = (u32::try_from(text.len()), self.sets.get_mut(at)) {
            set.rotate_right(1);
            let [first, ..] = set;
            *first = Some(Slot {
                hash,
                start,
                len,
                value,
            });
        }
    }

    /// Forgets all entries.
    fn forget(&mut self) {
        self.valid_from = self.written;
    }

    /// Appends a text of at most [`LONGEST`] bytes, and returns how many bytes were written before
    /// it.
    fn keep(&mut self, text: &[u8]) -> u32 {
        if self.written >= u32::MAX / 2 {
            // Long before the counter overflows.
            self.sets.fill(Set([None; WAYS]));
            (self.written, self.valid_from) = (0, 0);
        }
        let mut at = self.written as usize % TEXTS;
        if at.saturating_add(text.len()) > TEXTS {
            let left = TEXTS.saturating_sub(at);
            self.written = self.written.saturating_add(left as u32);
            at = 0;
        }
        let end = at.saturating_add(text.len());
        if self.texts.len() < end {
            self.texts.resize(end, 0);
        }
        if let Some(place) = self.texts.get_mut(at..end) {
            place.copy_from_slice(text);
        }
        let start = self.written;
        self.written = self.written.saturating_add(text.len() as u32);
        start
    }
}

/// Memoized parse results; see the module's description.
pub(super) struct Caches {
    /// Dictionaries, from `{` to `}`.
    dictionaries: TextCache<Attribute>,
    /// Types that end with `>`.
    types: TextCache<Type>,
    /// Names in quotes.
    operation_names: TextCache<OperationName>,
    /// Names of operations in custom form, each with the dialect whose prefix it omits.
    custom_names: TextCache<(OperationName, Option<Identifier>)>,
    /// Attributes with a type at the end of a line.
    attributes: TextCache<Attribute>,
    /// Attributes in angle brackets, without dialect and mnemonic, each by operation name and
    /// attribute number.
    stripped: TextCache<(OperationName, usize, Attribute)>,
    /// Types of operands and results, from `(` to the end of the line or to ` loc(`.
    signatures: TextCache<Signature>,
    /// The types of the signatures.
    signature_types: Vec<Type>,
}

impl Default for Caches {
    fn default() -> Self {
        Caches {
            dictionaries: TextCache::default(),
            types: TextCache::default(),
            operation_names: TextCache::of_names(),
            custom_names: TextCache::of_names(),
            attributes: TextCache::default(),
            stripped: TextCache::default(),
            signatures: TextCache::default(),
            signature_types: Vec::new(),
        }
    }
}

/// A part of [`Caches::signature_types`].
#[derive(Clone, Copy)]
struct Signature {
    start: u32,
    inputs: u32,
    results: u32,
}

/// The maximum number of signature types that are kept; when it is exceeded, all are discarded.
const SIGNATURE_TYPES: usize = 32 * 1024;

impl<'s> Parser<'s, '_> {
    /// Returns the text at `start` up to the first `last`, if that is near.
    #[inline]
    fn cache_key(&self, start: usize, last: u8) -> Option<&'s [u8]> {
        // In nested bodies the parse depends on the depth, so equal texts can have different
        // results.
        if self.inline_depth > 0 {
            return None;
        }
        let rest = self.source.get(start..)?;
        let near = rest.get(..KEY).unwrap_or(rest);
        near.get(..memchr::memchr(last, near)?)
    }

    /// Returns the dictionary at the current token, if it was seen before, and skips it.
    #[inline]
    pub(super) fn known_dictionary(&mut self) -> Option<Attribute> {
        let start = self.token.start;
        let key = self.cache_key(start, b'}')?;
        let (value, end) = self.caches.dictionaries.find(self.source, start, key)?;
        self.pass_to(end);
        Some(value)
    }

    /// Memoizes the dictionary from `start` to the token before the current one.
    pub(super) fn remember_dictionary(&mut self, start: usize, value: Attribute) {
        if let Some(key) = self.cache_key(start, b'}') {
            let end = self.previous_end;
            self.caches
                .dictionaries
                .insert(self.source, start, end, key, value);
        }
    }

    /// Returns the type with angle brackets at the current token, if it was seen before, and skips
    /// it.
    #[inline]
    pub(super) fn known_type(&mut self) -> Option<Type> {
        let start = self.token.start;
        let key = self.cache_key(start, b'>')?;
        let (value, end) = self.caches.types.find(self.source, start, key)?;
        self.pass_to(end);
        Some(value)
    }

    /// Memoizes the type from `start` to the token before the current one, which must be `>`.
    pub(super) fn remember_type(&mut self, start: usize, value: Type) {
        if let Some(key) = self.cache_key(start, b'>') {
            let end = self.previous_end;
            self.caches
                .types
                .insert(self.source, start, end, key, value);
        }
    }

    /// Returns the type of a dialect at the current token, if it was seen before, and skips it.
    #[inline]
    pub(super) fn known_symbol(&mut self) -> Option<Type> {
        let token = self.token;
        if self.source.get(token.end) == Some(&b'<') {
            return self.known_type();
        }
        if self.inline_depth > 0 {
            return None;
        }
        let key = self.text(token);
        let (value, end) = self.caches.types.find(self.source, token.start, key)?;
        (end == token.end).then(|| {
            self.advance();
            value
        })
    }

    /// Memoizes the type of a dialect from `start` to the token before the current one, which is
    /// the whole type if it has no body.
    pub(super) fn remember_symbol(&mut self, start: usize, value: Type) {
        let text = self.source.get(start..self.previous_end);
        match text.unwrap_or_default() {
            [.., b'>'] => self.remember_type(start, value),
            key if self.inline_depth == 0 => {
                let end = self.previous_end;
                self.caches
                    .types
                    .insert(self.source, start, end, key, value);
            }
            _ => {}
        }
    }

    /// Returns the name of an operation that is the current token, if it was seen before.
    #[inline]
    pub(super) fn known_operation_name(&mut self) -> Option<OperationName> {
        let start = self.token.start;
        let (value, end) = self
            .caches
            .operation_names
            .find(self.source, start, self.current())?;
        (end == self.token.end).then(|| {
            self.advance();
            value
        })
    }

    /// Memoizes the name of an operation.
    pub(super) fn remember_operation_name(&mut self, token: Token, value: OperationName) {
        let (start, end, key) = (token.start, token.end, self.text(token));
        self.caches
            .operation_names
            .insert(self.source, start, end, key, value);
    }

    /// Returns the operation that the current token names, if it was seen before, and skips the
    /// token.
    ///
    /// `default` is the dialect whose prefix may be omitted.
    #[inline]
    pub(super) fn known_custom_name(
        &mut self,
        default: Option<Identifier>,
    ) -> Option<OperationName> {
        let (start, text) = (self.token.start, self.current());
        let names = &mut self.caches.custom_names;
        let ((name, without), end) = names.find(self.source, start, text)?;
        (end == self.token.end && (without.is_none() || without == default)).then(|| {
            self.advance();
            name
        })
    }

    /// Memoizes the name of an operation in custom form.
    pub(super) fn remember_custom_name(
        &mut self,
        token: Token,
        name: OperationName,
        without: Option<Identifier>,
    ) {
        let (start, end, key) = (token.start, token.end, self.text(token));
        self.caches
            .custom_names
            .insert(self.source, start, end, key, (name, without));
    }

    /// Parses an attribute of a dialect without its name and the mnemonic, for one of an
    /// operation's attributes.
    pub(super) fn stripped_attribute(
        &mut self,
        (name, number): (OperationName, usize),
        dialect: &DialectDefinition,
        mnemonic: &str,
    ) -> Result<Attribute> {
        let start = self.token.start;
        let key = match self.token.kind {
            TokenKind::Less => self.cache_key(start, b'>'),
            _ => None,
        };
        let Some(key) = key else {
            return crate::parser::entries::parse_stripped(self, dialect, mnemonic);
        };
        let found = self.caches.stripped.find(self.source, start, key);
        if let Some(((of, at, value), end)) = found
            && (of, at) == (name, number)
        {
            self.pass_to(end);
            return Ok(value);
        }
        let value = crate::parser::entries::parse_stripped(self, dialect, mnemonic)?;
        if crate::parser::entries::is_bracketed(self.context, dialect, mnemonic) {
            let (end, entry) = (self.previous_end, (name, number, value));
            let stripped = &mut self.caches.stripped;
            stripped.insert(self.source, start, end, key, entry);
        }
        Ok(value)
    }

    /// Returns the rest of the line from `start` on, without the location at its end, if it is
    /// short.
    #[inline]
    fn signature_text(&self, start: usize) -> Option<&'s [u8]> {
        let rest = self.source.get(start..)?;
        let near = rest.get(..KEY).unwrap_or(rest);
        let line = near.get(..memchr::memchr(b'\n', near)?)?;
        if line.last() == Some(&b')')
            && let Some(open) = memchr::memrchr(b'(', line)
            && let Some(text) = line.get(..open)?.strip_suffix(b" loc")
        {
            return Some(text);
        }
        Some(line)
    }

    /// Appends the types of operands and then of results, if they were seen before, and skips them.
    ///
    /// Their `(` is the current token. Returns the number of operands.
    #[inline]
    pub(super) fn known_signature(&mut self, types: &mut Vec<Type>) -> Option<usize> {
        let start = self.token.start;
        let text = self.signature_text(start)?;
        let caches = &mut self.caches;
        let (signature, end) = caches.signatures.find(self.source, start, text)?;
        if end != start.wrapping_add(text.len()) {
            return None;
        }
        let rest = caches.signature_types.get(signature.start as usize..)?;
        let (inputs, rest) = rest.split_at_checked(signature.inputs as usize)?;
        let results = rest.get(..signature.results as usize)?;
        types.extend_from_slice(inputs);
        types.extend_from_slice(results);
        self.pass_to(end);
        Some(signature.inputs as usize)
    }

    /// Memoizes types of operands and results from `start` to the token before the current one.
    pub(super) fn remember_signature(&mut self, start: usize, inputs: &[Type], results: &[Type]) {
        let end = self.previous_end;
        let Some(text) = self.signature_text(start) else {
            return;
        };
        if end != start.wrapping_add(text.len()) {
            return;
        }
        let caches = &mut self.caches;
        if caches.signature_types.len() > SIGNATURE_TYPES {
            caches.signature_types.clear();
            caches.signatures.forget();
        }
        let signature = Signature {
            start: caches.signature_types.len() as u32,
            inputs: inputs.len() as u32,
            results: results.len() as u32,
        };
        caches.signature_types.extend_from_slice(inputs);
        caches.signature_types.extend_from_slice(results);
        caches
            .signatures
            .insert(self.source, start, end, text, signature);
    }

    /// Parses the attribute at the current token, which is likely to be the rest of the line.
    pub(super) fn attribute_to_end_of_line(&mut self) -> Result<Attribute> {
        let start = self.token.start;
        let text = self
            .signature_text(start)
            .filter(|_| self.inline_depth == 0);
        // After a type nothing follows that could belong to it, not even on the next line.
        let text = text.filter(|text| memchr::memchr(b':', text).is_some());
        let Some(text) = text else {
            return self.attribute();
        };
        let end = start.saturating_add(text.len());
        let found = self.caches.attributes.find(self.source, start, text);
        if let Some((value, found_end)) = found
            && found_end == end
        {
            self.pass_to(end);
            return Ok(value);
        }
        let value = self.attribute()?;
        if self.previous_end == end && self.ends_with_type(value) {
            self.caches
                .attributes
                .insert(self.source, start, end, text, value);
        }
        Ok(value)
    }

    /// Returns whether the text of an attribute ends with its type if it has a colon outside of
    /// brackets.
    fn ends_with_type(&self, attribute: Attribute) -> bool {
        matches!(
            self.context.attribute_kind(attribute),
            AttributeKind::Integer { .. }
                | AttributeKind::Float { .. }
                | AttributeKind::DenseElements { .. }
        )
    }

    /// Makes the token after `end` the current one; `end` must be the end of a token.
    #[inline]
    fn pass_to(&mut self, end: usize) {
        self.previous_end = end;
        self.reset_to(end);
    }

    /// Discards entries whose meaning an alias that was just defined could change.
    pub(super) fn forget_known(&mut self) {
        let caches = &mut self.caches;
        caches.dictionaries.forget();
        caches.types.forget();
        caches.signatures.forget();
        caches.attributes.forget();
        caches.stripped.forget();
    }
}

#[cfg(test)]
mod tests {
    use crate::{ParseOptions, parse_attribute, parse_module};
    use rmlir_ir::{Attribute, Context};

    /// Returns the attributes of each operation of a text.
    fn dictionaries(context: &mut Context, text: &str) -> Vec<Option<Attribute>> {
        let module = parse_module(context, text.as_bytes(), &ParseOptions::default())
            .unwrap_or_else(|e| panic!("{e}"));
        let body = module.body().expect("a module");
        let operations = module.operations(body);
        operations.map(|op| module.attributes(op)).collect()
    }

    #[test]
    fn what_is_found_is_what_is_parsed() {
        let mut context = Context::new();
        let texts = [
            "{a = 1}",
            "{a = 1 : i32}",
            "{a = {}}",
            "{a = {b = 1}}",
            "{a = {b = 1}, c}",
            "{a = {b = 1}, d}",
            "{a = \"}\"}",
            "{a = \"}\", b}",
            "{a = tensor<4xf32>}",
            "{a = tensor<4xf32, #d.e<1>>}",
            "{a = tensor<4xf32, #d.e<2>>}",
            "{a = vector<[4]xi8>, b = (vector<[4]xi8>) -> vector<4xi8>}",
            "{a = !d.t<vector<2xi8>>, b = !d.t<vector<2xi8>, 1>}",
        ];
        // Each twice, and in an order in which those that begin alike follow each other.
        let operations = |text: &&str| format!("\"d.o\"() {text} : () -> ()\n");
        let forth = texts.iter().map(operations);
        let back = texts.iter().rev().map(operations);
        let text: String = forth.chain(back).collect();
        let found = dictionaries(&mut context, &text);
        let mut alone = |text: &&str| parse_attribute(&mut context, text.as_bytes()).ok();
        let mut expected: Vec<_> = texts.iter().map(&mut alone).collect();
        expected.extend(texts.iter().rev().map(&mut alone));
        assert_eq!(found, expected);
    }

    #[test]
    fn an_alias_changes_what_a_text_means() {
        let mut context = Context::new();
        let operation = "\"d.o\"() {a = #d.e<#x>, t = tensor<1xi8, #d.e<!y>>} : () -> ()\n";
        let text = format!("{operation}#x = 1 : i8\n{operation}!y = i8\n{operation}{operation}");
        let found = dictionaries(&mut context, &text);
        let mut alone = |text: &str| parse_attribute(&mut context, text.as_bytes()).ok();
        let expected = [
            alone("{a = #d.e<#x>, t = tensor<1xi8, #d.e<!y>>}"),
            alone("{a = #d.e<1 : i8>, t = tensor<1xi8, #d.e<!y>>}"),
            alone("{a = #d.e<1 : i8>, t = tensor<1xi8, #d.e<i8>>}"),
            alone("{a = #d.e<1 : i8>, t = tensor<1xi8, #d.e<i8>>}"),
        ];
        assert_eq!(found, expected);
    }

    /// Tests with more texts than are kept, each of which recurs both soon and late.
    #[test]
    fn many_texts_are_what_is_parsed() {
        let mut context = Context::new();
        let dictionary = |n: usize| {
            let name = "x".repeat(n % 120);
            format!("{{a{name} = {n} : i32, b = tensor<{n}xf32>}}")
        };
        let order: Vec<usize> = (0..14000).flat_map(|n| [n, n / 2, n % 7]).collect();
        let operations = order
            .iter()
            .map(|&n| format!("\"d.o\"() {} : () -> ()\n", dictionary(n)));
        let found = dictionaries(&mut context, &operations.collect::<String>());
        let mut alone = |n: usize| parse_attribute(&mut context, dictionary(n).as_bytes()).ok();
        let expected: Vec<_> = (0..14000).map(&mut alone).collect();
        assert_eq!(found.len(), order.len());
        for (found, n) in found.into_iter().zip(order) {
            assert_eq!(found, expected[n], "{n}");
        }
    }
}
