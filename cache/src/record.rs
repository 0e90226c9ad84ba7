//! Records: the result of an action in the cache, as a text with a checksum.

use crate::mac::{Mac, MacKeys};
use crate::{Digest, KeyPart};

/// The first line of each record.
const FIRST_LINE: &str = "rmlir-cache record 1";

/// An output of an action, by reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OutputRecord {
    /// The role: `out`, `stdout`, `stderr`.
    pub role: String,
    /// The number of bytes.
    pub len: u64,
    /// The hash of the bytes.
    pub digest: Digest,
}

/// The result of an action, with the parts of its key.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The key.
    pub key: Digest,
    /// The exit status.
    pub exit: i32,
    /// The outputs.
    pub outputs: Vec<OutputRecord>,
    /// The key that the key extends. Its record has further parts.
    pub base: Option<Digest>,
    /// The parts of the key, for explanations.
    pub parts: Vec<KeyPart>,
    /// Remarks for explanations, which are not part of the key.
    pub notes: Vec<KeyPart>,
    /// The message authentication code, if the cache has a secret.
    pub mac: Option<Mac>,
}

impl Record {
    /// Returns the text of the record without code and check sum. It covers the key and all
    /// digests; this is what a [`Mac`] authenticates.
    pub(crate) fn body(&self) -> String {
        let mut text = format!("{FIRST_LINE}\nkey {}\nexit {}\n", self.key, self.exit);
        for output in &self.outputs {
            text.push_str(&format!(
                "output {} {} {}\n",
                escape(&output.role),
                output.len,
                output.digest
            ));
        }
        if let Some(base) = &self.base {
            text.push_str(&format!("base {base}\n"));
        }
        for (word, parts) in [("part", &self.parts), ("note", &self.notes)] {
            for part in parts {
                text.push_str(&format!(
                    "{word} {} {}\n",
                    escape(&part.name),
                    escape(&part.value)
                ));
            }
        }
        text
    }

    /// Returns the record as text.
    pub(crate) fn to_text(&self) -> String {
        let mut text = self.body();
        if let Some(mac) = &self.mac {
            text.push_str(&format!("mac {} {}\n", escape(&mac.key_id), mac.code));
        }
        let end = Digest::of(text.as_bytes());
        text.push_str(&format!("end {end}\n"));
        text
    }

    /// Sets the code, if there is a key.
    pub(crate) fn sign(&mut self, keys: &MacKeys) {
        self.mac = keys.sign(self.body().as_bytes());
    }

    /// Returns whether the code is valid, or none is required.
    pub(crate) fn is_authentic(&self, keys: &MacKeys) -> bool {
        keys.accepts(self.body().as_bytes(), self.mac.as_ref())
    }

    /// Parses a record; `None` if it is damaged, incomplete or of another version.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let at = text.rfind("end ")?;
        let (body, end) = text.split_at_checked(at)?;
        let end = Digest::parse(end.strip_prefix("end ")?.strip_suffix('\n')?)?;
        if !body.ends_with('\n') || Digest::of(body.as_bytes()) != end {
            return None;
        }
        let mut lines = body.lines();
        if lines.next()? != FIRST_LINE {
            return None;
        }
        let key = Digest::parse(lines.next()?.strip_prefix("key ")?)?;
        let exit = lines.next()?.strip_prefix("exit ")?.parse().ok()?;
        let mut record = Record {
            key,
            exit,
            outputs: Vec::new(),
            base: None,
            parts: Vec::new(),
            notes: Vec::new(),
            mac: None,
        };
        for line in lines {
            let mut words = line.split(' ');
            match words.next()? {
                "output" => record.outputs.push(OutputRecord {
                    role: unescape(words.next()?)?,
                    len: words.next()?.parse().ok()?,
                    digest: Digest::parse(words.next()?)?,
                }),
                "base" => record.base = Some(Digest::parse(words.next()?)?),
                word @ ("part" | "note") => {
                    let part = KeyPart {
                        name: unescape(words.next()?)?,
                        value: unescape(words.next()?)?,
                    };
                    match word {
                        "part" => record.parts.push(part),
                        _ => record.notes.push(part),
                    }
                }
                "mac" => {
                    record.mac = Some(Mac {
                        key_id: unescape(words.next()?)?,
                        code: Digest::parse(words.next()?)?,
                    });
                }
                _ => return None,
            }
            if words.next().is_some() {
                return None;
            }
        }
        Some(record)
    }
}

/// Writes a word: spaces, control characters and `%` as `%` and two digits. An empty word is `%`.
fn escape(text: &str) -> String {
    if text.is_empty() {
        return "%".to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '%' | ' ' | '\u{0}'..='\u{1f}' | '\u{7f}' => {
                out.push_str(&format!("%{:02x}", character as u32));
            }
            // `str::lines` and terminals may take other characters for ends of lines.
            other => out.push(other),
        }
    }
    out
}

fn unescape(word: &str) -> Option<String> {
    if word == "%" {
        return Some(String::new());
    }
    let mut out = String::with_capacity(word.len());
    let mut rest = word;
    while let Some(at) = rest.find('%') {
        let (before, from) = rest.split_at_checked(at)?;
        out.push_str(before);
        let byte = u8::from_str_radix(from.get(1..3)?, 16).ok()?;
        out.push(char::from(byte));
        rest = from.get(3..)?;
    }
    out.push_str(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record {
            key: Digest::of(b"key"),
            exit: -3,
            outputs: vec![OutputRecord {
                role: "out".to_owned(),
                len: 7,
                digest: Digest::of(b"content"),
            }],
            base: Some(Digest::of(b"base")),
            parts: vec![KeyPart {
                name: "option 1".to_owned(),
                value: "a b\n%\u{7f}\u{85}é".to_owned(),
            }],
            notes: vec![KeyPart {
                name: "n".to_owned(),
                value: String::new(),
            }],
            mac: Some(Mac {
                key_id: "2026".to_owned(),
                code: Digest::of(b"mac"),
            }),
        }
    }

    #[test]
    fn round_trip() {
        let text = record().to_text();
        assert_eq!(Record::parse(text.as_bytes()), Some(record()));
    }

    #[test]
    fn every_damage_is_found() {
        let text = record().to_text().into_bytes();
        for at in 0..text.len() {
            assert!(Record::parse(&text[..at]).is_none(), "cut at {at}");
            for bit in 0..8 {
                let mut damaged = text.clone();
                damaged[at] ^= 1 << bit;
                assert!(Record::parse(&damaged).is_none(), "bit {bit} of {at}");
            }
        }
        let mut longer = text.clone();
        longer.push(b'\n');
        assert!(Record::parse(&longer).is_none());
    }
}
