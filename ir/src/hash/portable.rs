//! BLAKE3 in plain Rust, for builds without a C compiler.
//!
//! The input is cut into chunks of 1 KiB, whose hashes are the leaves of a binary tree. A chunk is
//! a chain of blocks of 64 bytes. The names are those of the paper (section 2), "BLAKE3: one
//! function, fast everywhere".

const OUT_LEN: usize = 32;
const BLOCK_LEN: usize = 64;
const BLOCKS_OF_CHUNK: u32 = 16;

const CHUNK_START: u32 = 1;
const CHUNK_END: u32 = 2;
const PARENT: u32 = 4;
const ROOT: u32 = 8;

type Words = [u32; 8];

const IV: Words = [
    0x6A09_E667,
    0xBB67_AE85,
    0x3C6E_F372,
    0xA54F_F53A,
    0x510E_527F,
    0x9B05_688C,
    0x1F83_D9AB,
    0x5BE0_CD19,
];

/// Where each word of the message is taken from after a round.
const PERMUTATION: [usize; 16] = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];

/// The input of the compression function, except for the flag of the root.
#[derive(Clone, Copy, Debug)]
struct Node {
    chaining: Words,
    block: [u8; BLOCK_LEN],
    counter: u64,
    len: u32,
    flags: u32,
}

impl Node {
    fn parent(left: &Words, right: &Words) -> Self {
        let mut block = [0; BLOCK_LEN];
        let words = left.iter().chain(right);
        for (bytes, word) in block.chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Node {
            chaining: IV,
            block,
            counter: 0,
            len: BLOCK_LEN as u32,
            flags: PARENT,
        }
    }

    /// The compression function, truncated to the chaining value.
    fn compress(&self, root: u32) -> Words {
        let mut message = [0; 16];
        for (word, bytes) in message.iter_mut().zip(self.block.as_chunks::<4>().0) {
            *word = u32::from_le_bytes(*bytes);
        }
        let mut state = [0; 16];
        state[..8].copy_from_slice(&self.chaining);
        state[8..12].copy_from_slice(&IV[..4]);
        state[12] = self.counter as u32;
        state[13] = (self.counter >> 32) as u32;
        state[14] = self.len;
        state[15] = self.flags | root;
        for round in 0..7 {
            if round > 0 {
                message = PERMUTATION.map(|from| message[from]);
            }
            mix(&mut state, [0, 4, 8, 12], [message[0], message[1]]);
            mix(&mut state, [1, 5, 9, 13], [message[2], message[3]]);
            mix(&mut state, [2, 6, 10, 14], [message[4], message[5]]);
            mix(&mut state, [3, 7, 11, 15], [message[6], message[7]]);
            mix(&mut state, [0, 5, 10, 15], [message[8], message[9]]);
            mix(&mut state, [1, 6, 11, 12], [message[10], message[11]]);
            mix(&mut state, [2, 7, 8, 13], [message[12], message[13]]);
            mix(&mut state, [3, 4, 9, 14], [message[14], message[15]]);
        }
        std::array::from_fn(|n| state[n] ^ state[n + 8])
    }
}

/// The quarter round.
#[inline(always)]
fn mix(state: &mut [u32; 16], [a, b, c, d]: [usize; 4], message: [u32; 2]) {
    for (word, [first, second]) in message.into_iter().zip([[16, 12], [8, 7]]) {
        state[a] = state[a].wrapping_add(state[b]).wrapping_add(word);
        state[d] = (state[d] ^ state[a]).rotate_right(first);
        state[c] = state[c].wrapping_add(state[d]);
        state[b] = (state[b] ^ state[c]).rotate_right(second);
    }
}

/// The hash of an input.
pub(crate) struct Hash([u8; OUT_LEN]);

impl Hash {
    pub(crate) fn as_bytes(&self) -> &[u8; OUT_LEN] {
        &self.0
    }
}

pub(crate) fn hash(bytes: &[u8]) -> Hash {
    Hasher::new().update(bytes).finalize()
}

/// See [`Hasher`](super::Hasher).
#[derive(Clone, Debug)]
pub(crate) struct Hasher {
    /// The block that is being filled, the last one of its chunk so far.
    last: Node,
    /// The number of blocks of the chunk that precede it.
    blocks: u32,
    /// The chaining values of complete subtrees, the largest first: one for each 1 bit in the
    /// number of complete chunks.
    subtrees: Vec<Words>,
}

impl Default for Hasher {
    fn default() -> Self {
        Self::new()
    }
}

impl Hasher {
    pub(crate) fn new() -> Self {
        Hasher {
            last: Self::first_block(0),
            blocks: 0,
            subtrees: Vec::new(),
        }
    }

    pub(crate) fn reset(&mut self) {
        *self = Self::new();
    }

    /// The empty first block of a chunk.
    fn first_block(chunk: u64) -> Node {
        Node {
            chaining: IV,
            block: [0; BLOCK_LEN],
            counter: chunk,
            len: 0,
            flags: CHUNK_START,
        }
    }

    pub(crate) fn update(&mut self, mut bytes: &[u8]) -> &mut Self {
        while !bytes.is_empty() {
            // The last block of the input is compressed as such by `finalize` alone.
            if self.last.len as usize == BLOCK_LEN {
                self.end_block();
            }
            let free = &mut self.last.block[self.last.len as usize..];
            let (taken, rest) = bytes.split_at(free.len().min(bytes.len()));
            free[..taken.len()].copy_from_slice(taken);
            self.last.len += taken.len() as u32;
            bytes = rest;
        }
        self
    }

    /// Compresses the full last block, and begins the next one.
    fn end_block(&mut self) {
        self.blocks += 1;
        if self.blocks < BLOCKS_OF_CHUNK {
            self.last = Node {
                chaining: self.last.compress(0),
                block: [0; BLOCK_LEN],
                len: 0,
                flags: 0,
                ..self.last
            };
            return;
        }
        self.last.flags |= CHUNK_END;
        let mut chaining = self.last.compress(0);
        let chunks = self.last.counter + 1;
        // Subtrees of equal size become one.
        for _ in 0..chunks.trailing_zeros() {
            if let Some(left) = self.subtrees.pop() {
                chaining = Node::parent(&left, &chaining).compress(0);
            }
        }
        self.subtrees.push(chaining);
        self.last = Self::first_block(chunks);
        self.blocks = 0;
    }

    pub(crate) fn finalize(&self) -> Hash {
        let mut node = self.last;
        node.flags |= CHUNK_END;
        for left in self.subtrees.iter().rev() {
            node = Node::parent(left, &node.compress(0));
        }
        let mut out = [0; OUT_LEN];
        for (bytes, word) in out.chunks_exact_mut(4).zip(node.compress(ROOT)) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Hash(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compared with the crate, at each length around the limits of blocks, chunks and subtrees.
    #[test]
    fn hashes_are_those_of_the_crate() {
        let bytes: Vec<u8> = (0..100_000u32).map(|n| (n % 251) as u8).collect();
        let limits = [
            0, 64, 128, 1024, 2048, 3072, 4096, 5120, 8192, 31744, 65536, 99_990,
        ];
        for limit in limits {
            for len in usize::saturating_sub(limit, 2)..limit + 3 {
                let bytes = &bytes[..len];
                let expected = *blake3::hash(bytes).as_bytes();
                assert_eq!(*hash(bytes).as_bytes(), expected, "{len}");
                for part in [1, 63, 64, 65, 1000, 1024, 5000] {
                    let mut hasher = Hasher::new();
                    hasher.update(b"forgotten").reset();
                    for part in bytes.chunks(part) {
                        hasher.update(part);
                    }
                    assert_eq!(*hasher.finalize().as_bytes(), expected, "{len}");
                }
            }
        }
    }
}
