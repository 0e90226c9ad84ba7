//! The wire level of rmlir's binary formats: its own rmbc, and mlirbc, upstream MLIR's bytecode.
//!
//! This crate provides a [`Reader`] over untrusted bytes, the variable-length integers of rmbc
//! ([`varint`]) and mlirbc ([`prefix_varint`]), rmbc's [container of sections](section), checksums,
//! budgets ([`Limits`]), the [`Source`] that keeps a file's bytes alive, output files that are
//! [written atomically](write_atomically), and the [`Error`] type of all binary formats.
//!
//! It does not know operations, types, attributes or the meaning of any section: this crate has no
//! IR.
//!
//! # Security
//!
//! No input makes this crate panic, overflow the stack or reserve more memory than the bytes read
//! so far justify. Lints forbid indexing and unchecked arithmetic outside of tests. `unsafe` code
//! is confined to [`Source::map`]. Checksums detect accidental damage, not forgery.
//!
//! # Example
//!
//! A file with two sections, written and read back:
//!
//! ```
//! use rmlir_format::varint::write_varint;
//! use rmlir_format::{Container, ContainerWriter, Limits, Reader};
//!
//! // The user defines what sections mean: here a list of numbers, and a note that may be skipped.
//! const NUMBERS: u16 = 1;
//! const NOTE: u16 = 2;
//! fn name(kind: u16) -> Option<&'static str> {
//!     match kind {
//!         NUMBERS => Some("numbers"),
//!         NOTE => Some("note"),
//!         _ => None,
//!     }
//! }
//!
//! let mut numbers = Vec::new();
//! write_varint(&mut numbers, 3); // how many
//! for number in [7, 500, u64::MAX] {
//!     write_varint(&mut numbers, number);
//! }
//! let mut writer = ContainerWriter::new();
//! writer.add_required(NUMBERS, numbers)?;
//! writer.add_optional(NOTE, &b"hello"[..])?;
//! let written = writer.finish();
//!
//! let file = Container::parse(&written, &Limits::default(), name)?;
//! let bytes = file.require(NUMBERS, "numbers")?.bytes()?; // checks the checksum
//! let mut reader = Reader::new(&bytes, "numbers");
//! let count = reader.count(1)?; // no more than there are bytes left
//! let mut numbers = Vec::with_capacity(count);
//! for _ in 0..count {
//!     numbers.push(reader.varint()?);
//! }
//! reader.expect_end()?;
//! assert_eq!(numbers, [7, 500, u64::MAX]);
//! assert_eq!(&*file.section(NOTE).unwrap().bytes()?, b"hello");
//!
//! // Damage does not stay unnoticed. Sections as small as these are checked at once.
//! let mut damaged = written.clone();
//! *damaged.last_mut().unwrap() ^= 1;
//! let error = Container::parse(&damaged, &Limits::default(), name).unwrap_err();
//! assert_eq!(error.kind(), rmlir_format::ErrorKind::Checksum);
//! # Ok::<(), rmlir_format::Error>(())
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::indexing_slicing,
        clippy::arithmetic_side_effects,
        clippy::unwrap_used,
        clippy::expect_used
    )
)]

mod atomic_file;
pub mod checksum;
pub mod cursor;
pub mod error;
mod input;
pub mod limits;
mod map;
pub mod mlirbc;
pub mod prefix_varint;
#[cfg(test)]
mod prng;
mod range;
pub mod rmbc;
#[cfg(test)]
mod scratch;
pub mod section;
pub mod source;
mod storage;
mod temporary;
pub mod varint;
mod zstd;

pub use atomic_file::{check_free, create_atomically, write_atomically};
pub use cursor::Reader;
pub use error::{Error, ErrorKind, Result, ResultExt};
pub use input::Input;
pub use limits::{Budget, Limits, check_limit, text_budget};
pub use range::ReadRange;
pub use rmlir_threads::{ProgressCounter, Threads};
pub use section::{Container, ContainerWriter, ReadAt, Section, Store, StoredSection};
pub use source::Source;
pub use storage::{Storage, Window};
pub use temporary::{TemporaryDirectory, abandon_writes};

// Users share all of these types between threads.
const _: () = {
    const fn send_and_sync<T: Send + Sync>() {}
    send_and_sync::<Error>();
    send_and_sync::<Source>();
    send_and_sync::<Limits>();
    send_and_sync::<Reader<'_>>();
    send_and_sync::<Container<'_>>();
    send_and_sync::<Section<'_, '_>>();
    send_and_sync::<Store>();
    send_and_sync::<Storage>();
};
