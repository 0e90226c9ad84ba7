//! Disjoint sets of positions.

/// Disjoint sets of positions.
pub(crate) struct Sets(Vec<usize>);

impl Sets {
    pub(crate) fn new(count: usize) -> Self {
        Sets((0..count).collect())
    }

    /// Returns the representative of a set, its least member.
    pub(crate) fn find(&mut self, mut member: usize) -> usize {
        while let Some(&parent) = self.0.get(member)
            && parent != member
        {
            // Halves the path.
            let above = self.0.get(parent).copied().unwrap_or(parent);
            self.set(member, above);
            member = above;
        }
        member
    }

    pub(crate) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.set(a.max(b), a.min(b));
    }

    fn set(&mut self, member: usize, parent: usize) {
        if let Some(slot) = self.0.get_mut(member) {
            *slot = parent;
        }
    }
}
