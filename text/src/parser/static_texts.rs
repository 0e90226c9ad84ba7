//! Memoizes what hooks request by static texts of the program.
//!
//! A static text is identified by its address, so the memoized result is found without examining
//! its bytes.

use rmlir_ir::{Attribute, Context, Identifier, Type};

/// The number of slots, a power of two; a new text replaces an old one with the same slot.
const PLACES: usize = 256;

/// A table of fixed size, indexed by the addresses of texts.
struct Table<T>(Vec<Option<(&'static str, T)>>);

impl<T: Copy> Table<T> {
    /// Returns the slot of a text.
    #[inline]
    fn place(key: &'static str) -> usize {
        // Static texts are adjacent in memory and most are a few bytes long, so the low bits of
        // addresses differ.
        let address = key.as_ptr().addr();
        (address ^ address >> 8).wrapping_add(key.len()) & (PLACES - 1)
    }

    #[inline]
    fn get(&self, key: &'static str) -> Option<T> {
        let (known, value) = self.0.get(Self::place(key))?.as_ref()?;
        std::ptr::eq(*known, key).then_some(*value)
    }

    fn insert(&mut self, key: &'static str, value: T) {
        if self.0.is_empty() {
            self.0.resize(PLACES, None);
        }
        if let Some(slot) = self.0.get_mut(Self::place(key)) {
            *slot = Some((key, value));
        }
    }
}

/// The identifiers of texts, and the attributes and types that texts name.
pub(super) struct StaticTexts {
    names: Table<Identifier>,
    attributes: Table<Attribute>,
    /// Types by the types that they are built from, for each of a few texts.
    types: Vec<(&'static str, MadeTypes)>,
}

/// Types by the types that they are built from.
type MadeTypes = foldhash::HashMap<Box<[Type]>, Type>;

impl Default for StaticTexts {
    fn default() -> Self {
        StaticTexts {
            names: Table(Vec::new()),
            attributes: Table(Vec::new()),
            types: Vec::new(),
        }
    }
}

impl StaticTexts {
    /// Returns the identifier of a text.
    #[inline]
    pub(super) fn name(&mut self, context: &mut Context, text: &'static str) -> Identifier {
        match self.names.get(text) {
            Some(known) => known,
            None => {
                let new = context.identifier(text);
                self.names.insert(text, new);
                new
            }
        }
    }

    /// Returns the attribute that `make` built at the first request for `key`.
    #[inline]
    pub(super) fn attribute(
        &mut self,
        context: &mut Context,
        key: &'static str,
        make: &dyn Fn(&mut Context) -> Option<Attribute>,
    ) -> Option<Attribute> {
        if let Some(known) = self.attributes.get(key) {
            return Some(known);
        }
        let new = make(context)?;
        self.attributes.insert(key, new);
        Some(new)
    }

    /// Returns the type that `make` built from a list of types for `key`.
    pub(super) fn ty(
        &mut self,
        context: &mut Context,
        key: &'static str,
        types: &[Type],
        make: &dyn Fn(&mut Context, &[Type]) -> Option<Type>,
    ) -> Option<Type> {
        let place = self.types.iter().position(|known| known.0 == key);
        let place = place.unwrap_or_else(|| {
            self.types.push((key, MadeTypes::default()));
            self.types.len().saturating_sub(1)
        });
        let (_, made) = self.types.get_mut(place)?;
        if let Some(&known) = made.get(types) {
            return Some(known);
        }
        let new = make(context, types)?;
        made.insert(types.into(), new);
        Some(new)
    }
}
