//! Message authentication codes: entries that holders of a secret wrote.

use crate::Digest;
use std::fmt;

/// The context of the key derivation.
const CONTEXT: &str = "rmlir-cache 2026-11-23 record authentication";

/// A code with the name of the secret that it was made with.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mac {
    /// The name of the secret, by which secrets are rotated.
    pub key_id: String,
    /// Keyed BLAKE3 of the record.
    pub code: Digest,
}

/// The secrets of a cache: the first signs, all of them are accepted.
///
/// Without secrets nothing is signed, and entries need no code. The secrets are never printed.
#[derive(Clone, Default)]
pub struct MacKeys {
    keys: Vec<(String, [u8; 32])>,
}

impl fmt::Debug for MacKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids: Vec<&str> = self.keys.iter().map(|(id, _)| id.as_str()).collect();
        f.debug_struct("MacKeys").field("ids", &ids).finish()
    }
}

impl MacKeys {
    /// Parses lines of `ID SECRET`; empty lines and those that start with `#` are skipped. The
    /// secret is any text of at least 16 bytes without spaces.
    ///
    /// # Errors
    ///
    /// A message with the number of the line that is malformed. It does not contain the secret.
    ///
    /// ```
    /// use rmlir_cache::MacKeys;
    ///
    /// let keys = MacKeys::parse("2026b correct-horse-battery\n2026a staple-staple-staple")?;
    /// assert!(!keys.is_empty());
    /// assert!(MacKeys::parse("short 1").is_err());
    /// # Ok::<(), String>(())
    /// ```
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut keys = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let at = number + 1;
            let mut words = line.split_whitespace();
            let (Some(id), Some(secret), None) = (words.next(), words.next(), words.next()) else {
                return Err(format!("line {at}: expected 'ID SECRET'"));
            };
            if secret.len() < 16 {
                return Err(format!("line {at}: the secret has less than 16 bytes"));
            }
            keys.push((
                id.to_owned(),
                blake3::derive_key(CONTEXT, secret.as_bytes()),
            ));
        }
        Ok(MacKeys { keys })
    }

    /// Returns whether the list of secrets is empty.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// Returns a check sum that only holders of the secrets can make, if there are any.
    pub(crate) fn check_sum(&self, bytes: &[u8]) -> Digest {
        match self.sign(bytes) {
            Some(mac) => mac.code,
            None => Digest::of(bytes),
        }
    }

    /// Returns whether a check sum is that of the bytes.
    pub(crate) fn is_check_sum(&self, bytes: &[u8], sum: &Digest) -> bool {
        if self.keys.is_empty() {
            return Digest::of(bytes) == *sum;
        }
        let sum = blake3::Hash::from_bytes(*sum.as_bytes());
        let mut keys = self.keys.iter();
        keys.any(|(_, key)| blake3::keyed_hash(key, bytes) == sum)
    }

    pub(crate) fn sign(&self, bytes: &[u8]) -> Option<Mac> {
        let (id, key) = self.keys.first()?;
        let code = blake3::keyed_hash(key, bytes);
        Some(Mac {
            key_id: id.clone(),
            code: Digest::from_bytes(*code.as_bytes()),
        })
    }

    pub(crate) fn accepts(&self, bytes: &[u8], mac: Option<&Mac>) -> bool {
        if self.keys.is_empty() {
            return true;
        }
        let Some(mac) = mac else { return false };
        self.keys.iter().any(|(id, key)| {
            // `blake3::Hash` compares in constant time.
            let theirs = blake3::Hash::from_bytes(*mac.code.as_bytes());
            *id == mac.key_id && blake3::keyed_hash(key, bytes) == theirs
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation() {
        let old = MacKeys::parse("a 0123456789abcdef").unwrap();
        let both = MacKeys::parse("b fedcba9876543210\na 0123456789abcdef").unwrap();
        let new = MacKeys::parse("b fedcba9876543210").unwrap();
        let mac = old.sign(b"record");
        assert!(both.accepts(b"record", mac.as_ref()));
        assert!(!new.accepts(b"record", mac.as_ref()));
        assert!(!both.accepts(b"other", mac.as_ref()));
        assert!(!both.accepts(b"record", None));
        assert!(MacKeys::default().accepts(b"record", None));
        assert!(new.accepts(b"record", both.sign(b"record").as_ref()));
    }

    #[test]
    fn check_sums() {
        let none = MacKeys::default();
        let old = MacKeys::parse("a 0123456789abcdef").unwrap();
        let both = MacKeys::parse("b fedcba9876543210\na 0123456789abcdef").unwrap();
        assert!(none.is_check_sum(b"x", &none.check_sum(b"x")));
        assert!(!old.is_check_sum(b"x", &none.check_sum(b"x")));
        assert!(both.is_check_sum(b"x", &old.check_sum(b"x")));
        assert!(!old.is_check_sum(b"x", &both.check_sum(b"x")));
        assert!(!both.is_check_sum(b"y", &old.check_sum(b"x")));
    }

    #[test]
    fn secrets_are_not_printed() {
        let keys = MacKeys::parse("a 0123456789abcdef").unwrap();
        assert_eq!(format!("{keys:?}"), "MacKeys { ids: [\"a\"] }");
        assert!(
            !MacKeys::parse("a secret-1 x")
                .unwrap_err()
                .contains("secret-1")
        );
    }
}
