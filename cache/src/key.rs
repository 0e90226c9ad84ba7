//! [`ActionKey`]: a hash of the inputs of a result, with the parts for explanations.

use crate::Digest;

/// The version of the keys and of the files of a cache. It is hashed, so that entries of another
/// version are never found.
pub const FORMAT_VERSION: u32 = 2;

/// The prefix of the hashed bytes.
const PREFIX: &[u8] = b"rmlir cache action";
/// The longest text of a part that is stored; of longer ones the hash is.
const MAX_TEXT: usize = 4096;

/// One thing that a result depends on, such as an option or an input.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyPart {
    /// Its kind: `stage`, `option 3`, `input in`.
    pub name: String,
    /// Its value: text, or the hash of a content.
    pub value: String,
}

/// The key of an action, with the parts that it was computed from.
///
/// ```
/// use rmlir_cache::ActionKey;
///
/// let key = |flag| ActionKey::new("optimize", "1").with("option", flag).finish();
/// assert_eq!(key("-O2").digest(), key("-O2").digest());
/// assert_ne!(key("-O2").digest(), key("-O3").digest());
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActionKey {
    digest: Digest,
    parts: Vec<KeyPart>,
    base: Option<Box<ActionKey>>,
}

impl ActionKey {
    /// Starts a key of a stage and its version.
    #[allow(clippy::new_ret_no_self)]
    pub fn new(stage: &str, version: &str) -> KeyBuilder {
        let mut builder = KeyBuilder {
            hasher: blake3::Hasher::new(),
            parts: Vec::new(),
            base: None,
        };
        builder.hash(PREFIX);
        builder.hash(&FORMAT_VERSION.to_le_bytes());
        builder.with("stage", stage).with("stage version", version)
    }

    /// Returns the hash of all parts.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    /// Returns the parts that were added to those of the [base](Self::base), in order.
    pub fn parts(&self) -> &[KeyPart] {
        &self.parts
    }

    /// Returns all parts, those of the base first.
    pub fn all_parts(&self) -> Vec<KeyPart> {
        let mut all = Vec::new();
        let mut key = Some(self);
        while let Some(one) = key {
            all.splice(0..0, one.parts.iter().cloned());
            key = one.base();
        }
        all
    }

    /// Returns the key that this one [extends](Self::extend).
    pub fn base(&self) -> Option<&ActionKey> {
        self.base.as_deref()
    }

    /// Starts a key that has all parts of this one, and others. The parts of this one are stored
    /// once for all keys that extend it.
    pub fn extend(&self) -> KeyBuilder {
        let mut builder = KeyBuilder {
            hasher: blake3::Hasher::new(),
            parts: Vec::new(),
            base: Some(Box::new(self.clone())),
        };
        builder.hash(PREFIX);
        builder.hash(self.digest.as_bytes());
        builder
    }
}

/// Collects the parts of an [`ActionKey`]. The order counts; names and values are hashed with their
/// lengths.
#[derive(Clone, Debug)]
pub struct KeyBuilder {
    hasher: blake3::Hasher,
    parts: Vec<KeyPart>,
    base: Option<Box<ActionKey>>,
}

impl KeyBuilder {
    fn hash(&mut self, bytes: &[u8]) {
        self.hasher.update(&(bytes.len() as u64).to_le_bytes());
        self.hasher.update(bytes);
    }

    /// Adds a part.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, value: impl AsRef<[u8]>) -> Self {
        let (name, value) = (name.into(), value.as_ref());
        self.hash(name.as_bytes());
        self.hash(value);
        let value = match std::str::from_utf8(value) {
            Ok(text) if text.len() <= MAX_TEXT => text.to_owned(),
            _ => Digest::of(value).to_string(),
        };
        self.parts.push(KeyPart { name, value });
        self
    }

    /// Adds an input by its role and the hash of its content.
    #[must_use]
    pub fn with_input(self, role: &str, content: &Digest) -> Self {
        self.with(format!("input {role}"), content.to_string())
    }

    /// Adds options whose order does not count: they are sorted.
    #[must_use]
    pub fn with_options<'o>(
        mut self,
        options: impl IntoIterator<Item = (&'o str, &'o str)>,
    ) -> Self {
        let mut options: Vec<(&str, &str)> = options.into_iter().collect();
        options.sort_unstable();
        for (name, value) in options {
            self = self.with(format!("option {name}"), value);
        }
        self
    }

    /// Returns the key.
    pub fn finish(self) -> ActionKey {
        ActionKey {
            digest: Digest::from_bytes(*self.hasher.finalize().as_bytes()),
            parts: self.parts,
            base: self.base,
        }
    }
}

/// A part in which two keys differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyDifference {
    /// The name of the part.
    pub name: String,
    /// Its value in the first key, if it has the part.
    pub old: Option<String>,
    /// Its value in the second key, if it has the part.
    pub new: Option<String>,
}

/// Why a result was not that of another one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// The key of the other one.
    pub other: Digest,
    /// The parts in which the keys differ.
    pub differences: Vec<KeyDifference>,
}

/// Returns the parts in which two keys differ, in the order of the second; parts that only the
/// first has follow.
pub fn differences(old: &[KeyPart], new: &[KeyPart]) -> Vec<KeyDifference> {
    let values = |parts: &[KeyPart]| {
        let mut values: std::collections::BTreeMap<String, String> = Default::default();
        for part in parts {
            values
                .entry(part.name.clone())
                .or_insert_with(|| part.value.clone());
        }
        values
    };
    let (in_old, in_new) = (values(old), values(new));
    let mut found = Vec::new();
    for part in new {
        let before = in_old.get(&part.name);
        if before != Some(&part.value) {
            found.push(KeyDifference {
                name: part.name.clone(),
                old: before.cloned(),
                new: Some(part.value.clone()),
            });
        }
    }
    for part in old {
        if !in_new.contains_key(&part.name) {
            found.push(KeyDifference {
                name: part.name.clone(),
                old: Some(part.value.clone()),
                new: None,
            });
        }
    }
    found
}
