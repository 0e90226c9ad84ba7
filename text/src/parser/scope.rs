//! Names of values, and which value each stands for.

use crate::diagnostic::Result;
use rmlir_ir::asm::AsmError;
use rmlir_ir::{Module, Type, Value};
use std::collections::HashMap;

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
    values: HashMap<&'s [u8], Entry, foldhash::fast::RandomState>,
    forward: HashMap<(&'s [u8], u32), Forward>,
    /// The names in order of definition, so that those of a region can be taken back.
    defined: Vec<&'s [u8]>,
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

    /// Every name that was used is defined.
    pub(super) fn check_defined(&self) -> Result<()> {
        match self
            .forward
            .iter()
            .map(|(&(name, _), f)| (f.place, name))
            .min()
        {
            None => Ok(()),
            Some((place, name)) => Err(AsmError::new(
                place,
                format!(
                    "use of undeclared SSA value name '{}'",
                    String::from_utf8_lossy(name)
                ),
            )),
        }
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
        let value = match self.values.get(used.name) {
            Some(entry) if used.number < entry.count => nth(entry.first, used.number),
            Some(_) => {
                return Err(AsmError::new(
                    used.place,
                    "reference to invalid result number",
                ));
            }
            None => {
                let forward = self
                    .forward
                    .entry((used.name, used.number))
                    .or_insert_with(|| Forward {
                        placeholder: module.create_placeholder(ty),
                        place: used.place,
                    });
                forward.placeholder
            }
        };
        let known = module.value_type(value);
        if known != ty {
            return Err(mismatch(used, &type_name(ty), &type_name(known)));
        }
        Ok(value)
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
        if self.values.insert(name, Entry { first, count }).is_some() {
            return Err(AsmError::new(
                place,
                format!(
                    "redefinition of SSA value '{}'",
                    String::from_utf8_lossy(name)
                ),
            ));
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
                return Err(AsmError::new(
                    place,
                    format!(
                        "definition of SSA value '{}#{number}' has type '{}', but it was used with type '{}'",
                        String::from_utf8_lossy(name),
                        type_name(defined),
                        type_name(used)
                    ),
                ));
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
