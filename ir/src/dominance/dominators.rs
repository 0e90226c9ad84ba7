//! Dominator trees of regions.
//!
//! The algorithm is that of T. Lengauer and R. E. Tarjan, "A Fast Algorithm for Finding Dominators
//! in a Flowgraph" (1979), in its simple version: O(edges * log(blocks)) whatever the graph, with
//! explicit stacks. Blocks are numbered by a depth-first search from the entry block.

use crate::{Block, Module, Region};

/// Denotes the absence of a number.
const NONE: u32 = u32::MAX;

/// The interval of a block in the dominator tree of its region: the block's pre-order number and
/// the end of the pre-order numbers of the blocks that it dominates. Both are 0 for an unreachable
/// block.
#[derive(Clone, Copy, Default, Debug)]
struct Interval {
    start: u32,
    end: u32,
}

/// The dominator trees of regions, stored in one table indexed by block.
#[derive(Default, Debug)]
pub(crate) struct Dominators {
    intervals: Vec<Interval>,
    /// The depth-first number of each block during [`build`](Self::build), or [`NONE`].
    numbers: Vec<u32>,
    work: Work,
}

/// Working tables indexed by depth-first number. Their memory is reused for each region.
#[derive(Default, Debug)]
struct Work {
    blocks: Vec<Block>,
    parent: Vec<u32>,
    /// The edges into the blocks: `first_edge` is the head of a block's linked list in `edges`.
    first_edge: Vec<u32>,
    edges: Vec<Edge>,
    semi: Vec<u32>,
    idom: Vec<u32>,
    ancestor: Vec<u32>,
    label: Vec<u32>,
    /// Linked lists of the blocks that share a semidominator: heads and links.
    bucket: Vec<u32>,
    next_in_bucket: Vec<u32>,
    path: Vec<u32>,
    /// The stack of the depth-first search: a block's number and the index of its next successor.
    stack: Vec<(u32, usize)>,
}

#[derive(Clone, Copy, Debug)]
struct Edge {
    from: u32,
    next: u32,
}

impl Dominators {
    /// Finds the dominators of a region's blocks. Successors count that are of the region, of the
    /// last operation of a block.
    pub(crate) fn build(&mut self, module: &Module, region: Region) {
        let slots = module.block_slots();
        if self.intervals.len() < slots {
            self.intervals.resize(slots, Interval::default());
            self.numbers.resize(slots, NONE);
        }
        for block in module.blocks(region) {
            if let Some(interval) = self.intervals.get_mut(block.index()) {
                *interval = Interval::default();
            }
        }
        self.search(module, region);
        self.work.find();
        self.number();
        for block in &self.work.blocks {
            if let Some(number) = self.numbers.get_mut(block.index()) {
                *number = NONE;
            }
        }
    }

    /// Whether a block of a region whose tree was built can be reached from its entry block.
    pub(crate) fn is_reachable(&self, block: Block) -> bool {
        self.interval(block).end != 0
    }

    /// Whether every path from the entry block to `b` contains `a`; both are of one region whose
    /// tree was built. An unreachable block is dominated by all blocks.
    pub(crate) fn dominates(&self, a: Block, b: Block) -> bool {
        let (a, b) = (self.interval(a), self.interval(b));
        b.end == 0 || (a.end != 0 && a.start <= b.start && b.end <= a.end)
    }

    fn interval(&self, block: Block) -> Interval {
        self.intervals
            .get(block.index())
            .copied()
            .unwrap_or_default()
    }

    /// Numbers the reachable blocks in depth-first order and collects the edges between them.
    fn search(&mut self, module: &Module, region: Region) {
        let work = &mut self.work;
        work.clear();
        let Some(entry) = module.first_block(region) else {
            return;
        };
        let successor = |block: Block, number: usize| {
            let last = module.last_operation(block)?;
            module.successors(last).nth(number)
        };
        let numbers = &mut self.numbers;
        numbers[entry.index()] = work.add(entry, 0);
        work.stack.clear();
        work.stack.push((0, 0));
        while let Some((from, next)) = work.stack.last_mut() {
            let (from, which) = (*from, *next);
            *next += 1;
            let Some(to) = successor(work.blocks[from as usize], which) else {
                work.stack.pop();
                continue;
            };
            if module.block_region(to) != Some(region) {
                continue;
            }
            let number = &mut numbers[to.index()];
            if *number == NONE {
                *number = work.add(to, from);
                work.stack.push((*number, 0));
            }
            work.add_edge(from, *number);
        }
    }

    /// Assigns the intervals of the dominator tree.
    fn number(&mut self) {
        let work = &mut self.work;
        let count = work.blocks.len();
        // The size of the subtree of each block, itself included.
        let size = &mut work.semi;
        size.fill(1);
        for block in (1..count).rev() {
            size[work.idom[block] as usize] += size[block];
        }
        // The pre-order number of the next child of each block.
        let next = &mut work.label;
        for (block, handle) in work.blocks.iter().enumerate() {
            let start = match block {
                0 => 0,
                _ => {
                    let parent = work.idom[block] as usize;
                    let start = next[parent];
                    next[parent] += size[block];
                    start
                }
            };
            next[block] = start + 1;
            self.intervals[handle.index()] = Interval {
                start,
                end: start + size[block],
            };
        }
    }
}

impl Work {
    fn clear(&mut self) {
        self.blocks.clear();
        self.edges.clear();
        for table in [
            &mut self.parent,
            &mut self.first_edge,
            &mut self.semi,
            &mut self.idom,
            &mut self.ancestor,
            &mut self.label,
            &mut self.bucket,
            &mut self.next_in_bucket,
        ] {
            table.clear();
        }
    }

    /// Numbers a block that was reached from `parent`.
    fn add(&mut self, block: Block, parent: u32) -> u32 {
        let number = self.blocks.len() as u32;
        self.blocks.push(block);
        self.parent.push(parent);
        self.semi.push(number);
        self.label.push(number);
        for table in [
            &mut self.first_edge,
            &mut self.idom,
            &mut self.ancestor,
            &mut self.bucket,
            &mut self.next_in_bucket,
        ] {
            table.push(NONE);
        }
        number
    }

    fn add_edge(&mut self, from: u32, to: u32) {
        let next = std::mem::replace(&mut self.first_edge[to as usize], self.edges.len() as u32);
        self.edges.push(Edge { from, next });
    }

    /// Computes the immediate dominators; the entry block has none.
    fn find(&mut self) {
        for block in (1..self.blocks.len()).rev() {
            let mut edge = self.first_edge[block];
            while edge != NONE {
                let Edge { from, next } = self.edges[edge as usize];
                let best = self.evaluate(from);
                self.semi[block] = self.semi[block].min(self.semi[best as usize]);
                edge = next;
            }
            let semi = self.semi[block] as usize;
            self.next_in_bucket[block] = std::mem::replace(&mut self.bucket[semi], block as u32);
            let parent = self.parent[block];
            self.ancestor[block] = parent;
            let mut waiting = std::mem::replace(&mut self.bucket[parent as usize], NONE);
            while waiting != NONE {
                let best = self.evaluate(waiting);
                let is_lower = self.semi[best as usize] < self.semi[waiting as usize];
                self.idom[waiting as usize] = if is_lower { best } else { parent };
                waiting = self.next_in_bucket[waiting as usize];
            }
        }
        for block in 1..self.blocks.len() {
            let idom = self.idom[block];
            if idom != self.semi[block] {
                self.idom[block] = self.idom[idom as usize];
            }
        }
    }

    /// Returns the block with the least semidominator on the forest path from `block` to its root,
    /// the root excluded, and compresses the path.
    fn evaluate(&mut self, block: u32) -> u32 {
        let mut at = block;
        loop {
            let ancestor = self.ancestor[at as usize];
            if ancestor == NONE || self.ancestor[ancestor as usize] == NONE {
                break;
            }
            self.path.push(at);
            at = ancestor;
        }
        while let Some(at) = self.path.pop() {
            let ancestor = self.ancestor[at as usize] as usize;
            let (own, above) = (self.label[at as usize], self.label[ancestor]);
            if self.semi[above as usize] < self.semi[own as usize] {
                self.label[at as usize] = above;
            }
            self.ancestor[at as usize] = self.ancestor[ancestor];
        }
        self.label[block as usize]
    }
}
