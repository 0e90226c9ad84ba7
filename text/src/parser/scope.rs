//! Names of values, and which value each stands for.

use crate::diagnostic::Result;
use rmlir_ir::asm::AsmError;
use rmlir_ir::{Module, Type, Value};
use std::collections::{HashMap, HashSet};

/// A name as it is written: `%name` or `%name#number`, and where.
#[derive(Clone, Copy)]
pub(super) struct ValueName<'s> {
    /// With the `%`.
    pub(super) name: &'s [u8],
    pub(super) number: u32,
    pub(super) place: usize,
}

/// The values that a name stands for.
#[derive(Clone, Copy)]
struct Entry {
    first: Value,
    count: u32,
    /// Where the name is defined. Texts are below 4 GiB.
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
    /// The names in order of definition, so that those of a region can be taken back.
    defined: Vec<&'s [u8]>,
    /// Names in text that was passed over because of an error: nothing is said of them any more.
    passed_over: HashSet<&'s [u8]>,
}

/// Values by their names.
#[derive(Default)]
struct Values<'s> {
    /// Of `%0`, `%1` and so on by number, and the same of `%arg0`: most are called so.
    numbered: [Vec<Option<Entry>>; 2],
    others: HashMap<&'s [u8], Entry, foldhash::fast::RandomState>,
}

/// How many digits a number has at most by which a value is kept.
const DIGITS: usize = 4;

/// Which list and where in it the value of a name is kept; none if it is in none. Different names have different places.
#[inline]
fn number_of(name: &[u8]) -> Option<(usize, usize)> {
    let (list, digits) = match name {
        [b'%', b'a', b'r', b'g', digits @ ..] => (1, digits),
        [b'%', digits @ ..] => (0, digits),
        _ => return None,
    };
    if digits.len() > DIGITS || matches!(digits, [] | [b'0', _, ..]) {
        return None;
    }
    let mut number = 0usize;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number.wrapping_mul(10).wrapping_add(digit.into());
    }
    Some((list, number))
}

impl<'s> Values<'s> {
    #[inline]
    fn get(&self, name: &[u8]) -> Option<&Entry> {
        match number_of(name) {
            Some((list, number)) => self.numbered.get(list)?.get(number)?.as_ref(),
            None => self.others.get(name),
        }
    }

    /// Sets the value of a name; the result is the one before.
    #[inline]
    fn insert(&mut self, name: &'s [u8], entry: Entry) -> Option<Entry> {
        let Some((list, number)) = number_of(name) else {
            return self.others.insert(name, entry);
        };
        let list = self.numbered.get_mut(list)?;
        if number >= list.len() {
            list.resize(number.saturating_add(1), None);
        }
        list.get_mut(number)?.replace(entry)
    }

    #[inline]
    fn remove(&mut self, name: &[u8]) {
        match number_of(name) {
            Some((list, number)) => {
                let list = self.numbered.get_mut(list);
                if let Some(slot) = list.and_then(|list| list.get_mut(number)) {
                    *slot = None;
                }
            }
            None => {
                self.others.remove(name);
            }
        }
    }
}

/// Where a region's names begin.
#[derive(Clone, Copy)]
pub(super) struct ScopeStart(usize);

impl<'s> Scopes<'s> {
    /// Enters a region.
    pub(super) fn enter(&self) -> ScopeStart {
        ScopeStart(self.defined.len())
    }

    /// Leaves a region: its names are no longer known.
    pub(super) fn leave(&mut self, start: ScopeStart) {
        while self.defined.len() > start.0 {
            if let Some(name) = self.defined.pop() {
                self.values.remove(name);
            }
        }
    }

    /// A name in text that was passed over because of an error.
    pub(super) fn pass_over(&mut self, name: &'s [u8]) {
        self.passed_over.insert(name);
    }

    /// The uses of names that are not defined, in the order of the text.
    pub(super) fn undefined(&self) -> Vec<AsmError> {
        let mut undefined: Vec<(usize, &[u8])> = self
            .forward
            .iter()
            .map(|(&(name, _), forward)| (forward.place, name))
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

    /// The value of a name at a use with the type that the use says.
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

    /// Where a name was used first, if it was and is not defined yet.
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
        if let Some(before) = self.values.insert(name, entry) {
            self.values.insert(name, before);
            let message = format!(
                "redefinition of SSA value '{}'",
                String::from_utf8_lossy(name)
            );
            let error = AsmError::new(place, message);
            return Err(error.note(before.place as usize, "previously defined here"));
        }
        self.defined.push(name);
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
