//! Finds MLIR in other files: object files, executables, archives, WebAssembly modules, zip
//! files, JSON, and the exports of JAX and TensorFlow.
//!
//! [`unwrap()`] lists the modules in a file. It first reads the containers that it knows, each in
//! any other, and then searches all bytes for the magic numbers of both bytecodes, also in base64,
//! in hexadecimal and as escaped strings. Artifacts share the bytes of the file unless they were
//! encoded.
//!
//! ```
//! use rmlir_embed::{Content, UnwrapOptions, unwrap};
//! use rmlir_format::{ContainerWriter, Source};
//!
//! let mut writer = ContainerWriter::new();
//! writer.add_required(1, vec![7; 300])?;
//! let module = writer.finish();
//! let bytes = [b"some bytes".as_slice(), &module, b"more"].concat();
//! let found = unwrap(&Source::from(bytes), &UnwrapOptions::default());
//! assert_eq!(found.artifacts[0].offset, 10);
//! assert_eq!(found.artifacts[0].content, Content::Rmbc);
//! assert_eq!(found.artifacts[0].source[..], module[..]);
//! # Ok::<(), rmlir_format::Error>(())
//! ```
//!
//! # Untrusted bytes
//!
//! No input makes this crate panic. Containers may be nested up to a depth
//! ([`UnwrapOptions::max_depth`]), and the work is bounded by a multiple of the length of the file:
//! members that overlap, refer to themselves or are compressed beyond the
//! [limits](rmlir_format::Limits) are left out, and are listed in [`Unwrapped::unread`].
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects
    )
)]

mod artifact;
#[cfg(feature = "write")]
mod c_source;
mod carve;
mod containers;
mod decode;
mod inflate;
#[cfg(feature = "write")]
mod into;
mod misaligned;
mod module;
#[cfg(feature = "write")]
mod object_file;
mod own;
pub mod record;
#[cfg(feature = "write")]
mod target;
mod unwrap;
#[cfg(feature = "write")]
mod wasm_object;

pub use artifact::{Artifact, Content, Reason, Unread, Unwrapped};
#[cfg(feature = "write")]
pub use c_source::{CSource, c_source};
pub use containers::{container_format, is_text_name};
#[cfg(feature = "write")]
pub use into::add_to;
pub use misaligned::Misaligned;
pub use module::{is_blank_text, is_mlir_text, unsupported_compression};
#[cfg(feature = "write")]
pub use object_file::{EmbedError, Module, object_file, records_of};
pub use own::{Embedded, own};
#[cfg(feature = "write")]
pub use target::{Target, UnknownTarget};
pub use unwrap::{UnwrapOptions, unwrap, unwrap_string};
