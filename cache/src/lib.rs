//! Artifact cache between compiler stages: a result is computed once, then returned for the same
//! inputs, options and tool.
//!
//! [`Cache`] stores results in a directory, which many processes and machines may share. An
//! [`ActionKey`] names a result; it keeps its parts, so that a miss can be explained. [`Stage`]
//! runs a stage of a compiler through the cache, [`StageCommand`] one that is a program.
//! `rmlir cache` is the program, and `guide/cache.md` the guide, with the threat model.
//!
//! ```
//! use rmlir_cache::{ActionKey, Cache, Digest, Entry};
//!
//! # let folder = std::env::temp_dir().join(format!("rmlir-cache-doc-{}", std::process::id()));
//! let cache = Cache::open(&folder)?;
//! let input = Digest::of(b"func.func @f()");
//! let key = ActionKey::new("optimize", "1").with("flag", "-O2").with_input("in", &input).finish();
//! assert!(cache.get(&key.digest()).is_none());
//!
//! cache.put(&key, &Entry::new().with_output("out", "the result"))?;
//! let entry = cache.get(&key.digest()).ok_or("not stored")?;
//! assert_eq!(entry.output("out"), Some(&b"the result"[..]));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Guarantees
//!
//! * A result is returned as it was stored, or not at all: lengths and hashes are checked at each
//!   read. A missing, truncated or damaged entry is a miss, is counted, and is replaced by the next
//!   [`put`](Cache::put).
//! * Files are published by one rename, so readers never see a part. Processes may be killed at any
//!   time; nothing has to be locked or repaired.
//! * A failing directory or server makes misses, never a failing build.
//! * No threads of its own between calls, and no global state but the lists of running programs and
//!   temporary directories, which a program that handles signals ends: [`abandon_runs`].

mod cache;
mod command;
mod digest;
pub mod fs;
mod key;
mod level;
mod mac;
mod pack;
mod parts;
mod record;
#[cfg(feature = "http")]
pub mod remote;
#[cfg(feature = "serve")]
pub mod serve;
mod stage;
mod store;
pub mod tool;

pub use cache::{Cache, CacheOptions, Entry};
pub use command::{
    FunctionKey, Origin, StageCommand, StageError, StageInput, StageResult, abandon_runs,
};
pub use digest::Digest;
pub use key::{
    ActionKey, Explanation, FORMAT_VERSION, KeyBuilder, KeyDifference, KeyPart, differences,
};
pub use level::{DirectoryLevel, Fetched, Level, LevelError, ReadOnlyLevel, WritePolicy};
pub use mac::{Mac, MacKeys};
pub use parts::{Granularity, Locations};
pub use record::{OutputRecord, Record};
pub use stage::Stage;
pub use store::gc::{GcOptions, GcReport};
pub use store::stats::Stats;
pub use store::verify::VerifyReport;

/// The guide, as tests.
#[cfg(doctest)]
#[doc = include_str!("../../guide/cache.md")]
mod guide {}
