//! The names of values in scope, and the value that each denotes.

use crate::diagnostic::Result;
use rmlir_ir::asm::AsmError;
use rmlir_ir::{Module, Type, Value};
use std::collections::{HashMap, HashSet};

/// A name as written, `%name` or `%name#number`, with its offset.
#[derive(Clone, Copy)]
pub(super) struct ValueName<'s> {
    /// The name, including the `%`.
    pub(super) name: &'s [u8],
    pub(super) number: u32,
    pub(super) place: usize,
}

/// The values that a name denotes.
#[derive(Clone, Copy)]
struct Entry {
    first: Value,
    count: u32,
    /// The offset of the definition. Texts are below 4 GiB.
    place: u32,
}

/// A value that is used and not defined yet.
#[derive(Clone, Copy)]
struct Forward {
    placeholder: Value,
    place: usize,
}

/// The names in scope. Those of a region are known until its end.
#[derive(Default)]
pub(super) struct Scopes<'s> {
    values: Values<'s>,
    forward: HashMap<(&'s [u8], u32), Forward>,
    /// Names that regions with names of their own use and do not define, with the offsets.
    unresolved: Vec<(usize, &'s [u8])>,
    /// The slots of names in order of definition, so that those of a region can be removed.
    defined: Vec<Place<'s>>,
    /// Names in text that was skipped because of an error: no further errors are reported about
    /// them.
    passed_over: HashSet<&'s [u8]>,
}

/// Values by their names.
#[derive(Default)]
struct Values<'s> {
    /// The values of `%0`, `%1` and so on by number, and those of `%arg0` and so on: most have such
    /// names.
    numbered: [Vec<Option<Entry>>; 2],
    others: HashMap<&'s [u8], Entry, foldhash::fast::RandomState>,
}

/// The maximum number of digits of a number by which a value is stored.
const DIGITS: usize = 4;

/// The slot in which the value of a name is stored; different names have different slots.
#[derive(Clone, Copy)]
enum Place<'s> {
    /// The list, and the index in it.
    Numbered(u8, u16),
    Other(&'s [u8]),
}

impl<'s> Place<'s> {
    #[inline]
    fn of(name: &'s [u8]) -> Self {
        let (list, digits) = match name {
            [b'%', b'a', b'r', b'g', digits @ ..] => (1, digits),
            [b'%', digits @ ..] => (0, digits),
            _ => return Place::Other(name),
        };
        if digits.len() > DIGITS || matches!(digits, [] | [b'0', _, ..]) {
            return Place::Other(name);
        }
        let mut number = 0u16;
        for &byte in digits {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                return Place::Other(name);
            }
            number = number.wrapping_mul(10).wrapping_add(digit.into());
        }
        Place::Numbered(list, number)
    }
}

impl<'s> Values<'s> {
    #[inline]
    fn get(&self, name: &'s [u8]) -> Option<&Entry> {
        match Place::of(name) {
            Place::Numbered(list, number) => {
                let list = self.numbered.get(usize::from(list))?;
                list.get(usize::from(number))?.as_ref()
            }
            Place::Other(name) => self.others.get(name),
        }
    }

    /// Sets a value; returns the previous one.
    #[inline]
    fn insert(&mut self, place: Place<'s>, entry: Entry) -> Option<Entry> {
        let (list, number) = match place {
            Place::Numbered(list, number) => (usize::from(list), usize::from(number)),
            Place::Other(name) => return self.others.insert(name, entry),
        };
        let list = self.numbered.get_mut(list)?;
        if number >= list.len() {
            list.resize(number.saturating_add(1), None);
        }
        list.get_mut(number)?.replace(entry)
    }

    #[inline]
    fn remove(&mut self, place: Place<'s>) {
        match place {
            Place::Numbered(list, number) => {
                let list = self.numbered.get_mut(usize::from(list));
                if let Some(slot) = list.and_then(|list| list.get_mut(usize::from(number))) {
                    *slot = None;
                }
            }
            Place::Other(name) => {
                self.others.remove(name);
            }
        }
    }
}

/// The state at the start of a region's names.
#[derive(Clone, Copy)]
pub(super) struct ScopeStart(usize);

impl<'s> Scopes<'s> {
    /// Enters a region.
    pub(super) fn enter(&self) -> ScopeStart {
        ScopeStart(self.defined.len())
    }

    /// Hides all names from a region with names of its own; returns what [`show`](Self::show) needs
    /// to undo it. Nothing is hidden if no name is known or used.
    pub(super) fn hide(&mut self) -> Option<Box<Self>> {
        if self.is_empty() {
            return None;
        }
        let passed_over = self.passed_over.clone();
        let hidden = std::mem::replace(
            self,
            Scopes {
                passed_over,
                ..Scopes::default()
            },
        );
        Some(Box::new(hidden))
    }

    /// Shows hidden names again. Names that were used and not defined since are errors.
    pub(super) fn show(&mut self, hidden: Option<Box<Self>>) {
        if let Some(hidden) = hidden {
            let inner = std::mem::replace(self, *hidden);
            self.passed_over = inner.passed_over;
            self.unresolved.extend(inner.unresolved);
            let forward = inner.forward.iter();
            let forward = forward.map(|(&(name, _), forward)| (forward.place, name));
            self.unresolved.extend(forward);
        }
    }

    /// Leaves a region: its names are no longer known.
    pub(super) fn leave(&mut self, start: ScopeStart) {
        while self.defined.len() > start.0 {
            if let Some(place) = self.defined.pop() {
                self.values.remove(place);
            }
        }
    }

    /// Returns whether no name is known or used.
    pub(super) fn is_empty(&self) -> bool {
        self.defined.is_empty() && self.forward.is_empty() && self.unresolved.is_empty()
    }

    /// Records a name in text that was skipped because of an error.
    pub(super) fn pass_over(&mut self, name: &'s [u8]) {
        self.passed_over.insert(name);
    }

    /// Returns errors for the uses of names that are not defined, in the order of the text.
    pub(super) fn undefined(&self) -> Vec<AsmError> {
        let mut undefined: Vec<(usize, &[u8])> = self
            .forward
            .iter()
            .map(|(&(name, _), forward)| (forward.place, name))
            .chain(self.unresolved.iter().copied())
            .collect();
        undefined.sort_unstable();
        undefined
            .into_iter()
            .map(|(place, name)| {
                let message = format!(
                    "use of undeclared SSA value name '{}'",
                    String::from_utf8_lossy(name)
                );
                AsmError::new(place, message).following(self.passed_over.contains(name))
            })
            .collect()
    }

    /// Returns the value of a name at a use, with the type that the use specifies.
    #[inline]
    pub(super) fn resolve(
        &mut self,
        module: &mut Module,
        used: ValueName<'s>,
        ty: Type,
        type_name: impl Fn(Type) -> String,
    ) -> Result<Value> {
        let (value, place) = match self.values.get(used.name) {
            Some(entry) if used.number < entry.count => {
                (nth(entry.first, used.number), entry.place as usize)
            }
            Some(_) => {
                return Err(AsmError::new(
                    used.place,
                    "reference to invalid result number",
                ));
            }
            None if self.passed_over.contains(used.name) => {
                return Ok(module.create_placeholder(ty));
            }
            None => {
                let forward = self
                    .forward
                    .entry((used.name, used.number))
                    .or_insert_with(|| Forward {
                        placeholder: module.create_placeholder(ty),
                        place: used.place,
                    });
                (forward.placeholder, forward.place)
            }
        };
        let known = module.value_type(value);
        if known != ty {
            let error = mismatch(used, &type_name(ty), &type_name(known));
            return Err(error.note(place, "prior use here"));
        }
        Ok(value)
    }

    /// Returns the offset of the first use of a name, if it was used and is not defined yet.
    pub(super) fn used_before(&self, name: &'s [u8]) -> Option<usize> {
        let forward = self.forward.get(&(name, 0));
        forward.map(|forward| forward.place)
    }

    /// Binds a name to `count` values from `first` on.
    pub(super) fn define(
        &mut self,
        module: &mut Module,
        name: &'s [u8],
        place: usize,
        first: Value,
        count: u32,
        type_name: impl Fn(Type) -> String,
    ) -> Result<()> {
        let entry = Entry {
            first,
            count,
            place: u32::try_from(place).unwrap_or(u32::MAX),
        };
        let kept = Place::of(name);
        if let Some(before) = self.values.insert(kept, entry) {
            self.values.insert(kept, before);
            let message = format!(
                "redefinition of SSA value '{}'",
                String::from_utf8_lossy(name)
            );
            let error = AsmError::new(place, message);
            return Err(error.note(before.place as usize, "previously defined here"));
        }
        self.defined.push(kept);
        if self.forward.is_empty() {
            return Ok(());
        }
        for number in 0..count {
            let Some(forward) = self.forward.remove(&(name, number)) else {
                continue;
            };
            let value = nth(first, number);
            let (used, defined) = (
                module.value_type(forward.placeholder),
                module.value_type(value),
            );
            if used != defined {
                let message = format!(
                    "definition of SSA value '{}#{number}' has type '{}'",
                    String::from_utf8_lossy(name),
                    type_name(defined),
                );
                let used = format!("previously used here with type '{}'", type_name(used));
                return Err(AsmError::new(place, message).note(forward.place, used));
            }
            module.replace_all_uses(forward.placeholder, value);
        }
        Ok(())
    }
}

fn nth(first: Value, number: u32) -> Value {
    first.offset(number)
}

#[cold]
fn mismatch(used: ValueName<'_>, ty: &str, known: &str) -> AsmError {
    AsmError::new(
        used.place,
        format!(
            "use of value '{}' expects different type than prior uses: '{ty}' vs '{known}'",
            String::from_utf8_lossy(used.name)
        ),
    )
}

#[cfg(test)]
mod tests {
    use crate::{ParseOptions, parse_module};
    use rmlir_ir::Context;

    /// Tests that names with the same number are different, however they are stored.
    #[test]
    fn names_are_told_apart() {
        let names = [
            "0",
            "00",
            "000",
            "1",
            "01",
            "10",
            "9999",
            "09999",
            "10000",
            "99999",
            "arg",
            "arg0",
            "arg00",
            "arg9999",
            "arg10000",
            "arg1x",
            "ar0",
            "a",
            "_1",
            "arg-1",
            "arg.1",
            "c0",
            "4294967296",
        ];
        let text = |redefined: Option<&str>| {
            let mut text = String::new();
            for (width, name) in (1..).zip(names) {
                text += &format!("%{name} = \"d.o\"() : () -> i{width}\n");
            }
            for (width, name) in (1..).zip(names) {
                text += &format!(
                    "\"d.r\"() ({{\n\"d.u\"(%{name}) : (i{width}) -> ()\n}}) : () -> ()\n"
                );
            }
            text += &redefined.map_or(String::new(), |name| {
                format!("%{name} = \"d.o\"() : () -> i1\n")
            });
            text
        };
        let parse = |text: String| {
            parse_module(
                &mut Context::new(),
                text.as_bytes(),
                &ParseOptions::default(),
            )
        };
        parse(text(None)).unwrap_or_else(|e| panic!("{e}"));
        for name in names {
            let error = parse(text(Some(name))).map(drop).unwrap_err().to_string();
            let expected = format!("redefinition of SSA value '%{name}'");
            assert!(error.contains(&expected), "{error}");
        }
    }

    /// Tests that the names of a region are visible only in it.
    #[test]
    fn names_end_with_their_region() {
        for name in ["7", "arg7", "seven"] {
            let region = format!("\"d.r\"() ({{\n%{name} = \"d.o\"() : () -> i8\n}}) : () -> ()\n");
            let twice = [region.as_str(), &region].concat();
            let parse = |text: &str| {
                parse_module(
                    &mut Context::new(),
                    text.as_bytes(),
                    &ParseOptions::default(),
                )
            };
            parse(&twice).unwrap_or_else(|e| panic!("{e}"));
            let used = format!("{region}\"d.u\"(%{name}) : (i8) -> ()\n");
            let error = parse(&used).map(drop).unwrap_err().to_string();
            let expected = format!("use of undeclared SSA value name '%{name}'");
            assert!(error.contains(&expected), "{error}");
        }
    }
}
