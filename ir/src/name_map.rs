//! Names by handle.

use crate::{Block, Identifier, Value};

/// A handle that can have a name: of a value or a block.
pub trait NamedHandle: Copy + private::Sealed {
    /// Returns the position in the table of the module.
    fn position(self) -> usize;
}

mod private {
    pub trait Sealed {}
    impl Sealed for crate::Value {}
    impl Sealed for crate::Block {}
}

impl NamedHandle for Value {
    #[inline]
    fn position(self) -> usize {
        self.index()
    }
}

impl NamedHandle for Block {
    #[inline]
    fn position(self) -> usize {
        self.index()
    }
}

/// The names of the values or blocks of one module, in the order of their handles.
///
/// Holds a slot for each handle up to the largest named one: a text names nearly all of its values,
/// and appending to a list takes a fraction of the time of a search tree. Getting and inserting
/// take O(1), amortized; memory is proportional to the largest handle, of which the module has as
/// many values or blocks.
///
/// ```
/// use rmlir_ir::{Builder, Context, Module};
///
/// let mut context = Context::new();
/// let mut module = Module::new(&mut context);
/// let i32 = context.integer_type(32);
/// let mut builder = Builder::new(&mut context, &mut module);
/// let value = builder.op("test.op").result(i32).build_value()?;
/// let name = context.identifier("x");
/// module.provenance.value_names.insert(value, name);
/// assert_eq!(module.provenance.value_names.get(value), Some(name));
/// assert_eq!(module.provenance.value_names.iter().next(), Some((value, name)));
/// # Ok::<(), rmlir_ir::Invalid>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameMap<K> {
    slots: Vec<Option<(K, Identifier)>>,
    len: usize,
}

impl<K> Default for NameMap<K> {
    fn default() -> Self {
        NameMap {
            slots: Vec::new(),
            len: 0,
        }
    }
}

impl<K: NamedHandle> NameMap<K> {
    /// Returns the name of a value or block, if it has one.
    #[inline]
    pub fn get(&self, handle: K) -> Option<Identifier> {
        let slot = self.slots.get(handle.position()).copied().flatten();
        slot.map(|(_, name)| name)
    }

    /// Names a value or block. Returns the name that it had.
    #[inline]
    pub fn insert(&mut self, handle: K, name: Identifier) -> Option<Identifier> {
        let index = handle.position();
        if index == self.slots.len() {
            // Most values have a name, and are named in order.
            self.slots.push(Some((handle, name)));
            self.len = self.len.saturating_add(1);
            return None;
        }
        if index > self.slots.len() {
            self.slots.resize(index.saturating_add(1), None);
        }
        let old = self.slots.get_mut(index)?.replace((handle, name));
        self.len = self.len.saturating_add(usize::from(old.is_none()));
        old.map(|(_, name)| name)
    }

    /// Returns whether nothing has a name.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Removes all names.
    pub fn clear(&mut self) {
        *self = NameMap::default();
    }

    /// Returns the named values or blocks with their names, in the order of the handles.
    pub fn iter(&self) -> impl Iterator<Item = (K, Identifier)> {
        self.slots.iter().flatten().copied()
    }
}

impl<K: NamedHandle> Extend<(K, Identifier)> for NameMap<K> {
    fn extend<I: IntoIterator<Item = (K, Identifier)>>(&mut self, names: I) {
        for (handle, name) in names {
            self.insert(handle, name);
        }
    }
}
