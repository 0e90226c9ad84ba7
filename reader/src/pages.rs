//! A list of which most items may never be set.

/// How many items a page has.
const PAGE: usize = 64;

/// Items by number, in pages that are made when an item of them is set: of a large file, a context
/// may see a small part. Items that were not set have the default value.
pub(crate) struct Pages<T> {
    pages: Vec<Option<Box<[T; PAGE]>>>,
}

impl<T: Copy + Default> Pages<T> {
    /// A list of `len` items. Takes an eighth of a byte for each.
    pub(crate) fn new(len: usize) -> Self {
        Pages {
            pages: vec![None; len.div_ceil(PAGE)],
        }
    }

    /// Returns an item; the default value if there is none of that number.
    #[inline]
    pub(crate) fn get(&self, number: usize) -> T {
        let page = self.pages.get(number / PAGE).and_then(Option::as_deref);
        let item = page.and_then(|page| page.get(number % PAGE));
        item.copied().unwrap_or_default()
    }

    /// Sets an item, if there is one of that number.
    #[inline]
    pub(crate) fn set(&mut self, number: usize, item: T) {
        if let Some(page) = self.pages.get_mut(number / PAGE) {
            let page = page.get_or_insert_with(|| Box::new([T::default(); PAGE]));
            if let Some(place) = page.get_mut(number % PAGE) {
                *place = item;
            }
        }
    }
}
