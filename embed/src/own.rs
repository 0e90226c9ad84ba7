//! Finds the section of embedded modules in the running program. The only module of this crate with
//! `unsafe` code.
//!
//! Each system has its own way to the bounds of a section: symbols that the linker defines on ELF
//! and Mach-O, the headers of the image in memory on Windows, and the bounds of the static data in
//! WebAssembly, where code cannot see sections.
#![allow(unsafe_code)]

use crate::record::{MIN_ALIGNMENT_LOG, Record, records};
use crate::{Content, Misaligned};
use rmlir_format::Source;

/// A module in the memory of the running program.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Embedded {
    /// The name under which it was embedded.
    pub name: &'static str,
    /// The format.
    pub content: Content,
    /// The bytes, which are never copied.
    pub bytes: &'static [u8],
    /// The binary logarithm of the alignment that its blobs need.
    pub alignment_log: u8,
}

impl Embedded {
    /// Returns the module of a record.
    ///
    /// ```
    /// use rmlir_embed::{Content, Embedded, record};
    ///
    /// let mut bytes = Vec::new();
    /// record::write(&mut bytes, "m", Content::Text, b"module {}", 4);
    /// let embedded = Embedded::of_record(bytes.leak()).unwrap();
    /// assert_eq!((embedded.name, embedded.bytes), ("m", &b"module {}"[..]));
    /// ```
    pub fn of_record(record: &'static [u8]) -> Option<Self> {
        Record::read(record).map(Self::of)
    }

    /// Returns an embedded module without bytes, which no reader accepts.
    #[doc(hidden)]
    pub fn empty() -> Self {
        Embedded {
            name: "",
            content: Content::Rmbc,
            bytes: &[],
            alignment_log: 0,
        }
    }

    fn of(record: Record<'static>) -> Self {
        Embedded {
            name: record.name,
            content: record.content,
            bytes: record.module,
            alignment_log: record.alignment_log,
        }
    }

    /// Returns the bytes without a copy.
    ///
    /// ```
    /// use rmlir_embed::{Content, Embedded, record};
    ///
    /// let mut bytes = Vec::new();
    /// record::write(&mut bytes, "m", Content::Text, b"module {}", 4);
    /// let embedded = Embedded::of_record(bytes.leak()).unwrap();
    /// assert_eq!(embedded.source().as_ptr(), embedded.bytes.as_ptr());
    /// ```
    pub fn source(&self) -> Source {
        Source::from_static(self.bytes)
    }

    /// Checks that the program has the module at an address that its blobs can be used at.
    ///
    /// # Errors
    ///
    /// If the address is not a multiple of the alignment, as where a tool has moved the section, or
    /// where a record was read from unaligned bytes. Then a copy is needed: blobs that are used in
    /// place would be misaligned.
    ///
    /// ```
    /// use rmlir_embed::{Content, Embedded, record};
    ///
    /// let mut bytes = vec![0; 4097];
    /// bytes.reserve(8192);
    /// let mut record = Vec::new();
    /// record::write(&mut record, "m", Content::Text, b"module {}", 12);
    /// bytes.extend(&record);
    /// let bytes: &'static [u8] = bytes.leak();
    /// let odd = if bytes.as_ptr().addr() % 4096 == 4095 { 4096 } else { 4097 };
    /// # if odd == 4097 {
    /// let embedded = Embedded::of_record(&bytes[odd..]).unwrap();
    /// let error = embedded.check_alignment().unwrap_err();
    /// assert!(error.to_string().contains("4096"));
    /// # }
    /// ```
    pub fn check_alignment(&self) -> Result<(), Misaligned> {
        let alignment = 1usize << self.alignment_log;
        let address = self.bytes.as_ptr().addr();
        match address.checked_rem(alignment) {
            Some(0) => Ok(()),
            _ => Err(Misaligned {
                name: self.name,
                address,
                alignment,
            }),
        }
    }
}

/// Lists the modules that were linked into the running program, or into the library that this crate
/// is linked into: by `rmlir embed`, or by `include_mlir!`.
///
/// Empty if there are none, and on systems where a program does not see its sections. O(number of
/// modules), except in WebAssembly, where the static data is searched; modules are not read.
///
/// ```
/// assert!(rmlir_embed::own().is_empty());
/// ```
pub fn own() -> Vec<Embedded> {
    let section = image::section();
    // Linkers align the section, and with it the first record.
    let step = 1usize << MIN_ALIGNMENT_LOG;
    let skipped = section.as_ptr().align_offset(step).min(section.len());
    let aligned = section.get(skipped..).unwrap_or_default();
    records(aligned).map(Embedded::of).collect()
}

/// Defines `image::section` from two symbols that the linker defines as the bounds of the section:
/// their names, and the section of which there must be one for that.
#[allow(unused_macros, reason = "some systems have other means, or none")]
macro_rules! bounds {
    ($start:literal, $stop:literal $(, $section:literal)?) => {
        mod image {
            $(
                /// The linker defines the bounds if there is a section, so there always is one.
                #[used]
                #[unsafe(link_section = $section)]
                static EMPTY: [u64; 0] = [];
            )?

            unsafe extern "C" {
                #[link_name = $start]
                static START: u8;
                #[link_name = $stop]
                static STOP: u8;
            }

            pub(super) fn section() -> &'static [u8] {
                $(
                    // Whatever refers to the symbols must bring the section along.
                    let _: &str = $section;
                    std::hint::black_box(&EMPTY);
                )?
                let (start, stop) = (&raw const START, &raw const STOP);
                let len = stop.addr().saturating_sub(start.addr());
                // SAFETY: the linker defines both symbols as the bounds of one section of this
                // image, or in WebAssembly of the static data. It is loaded, and lives as long as
                // the program. The section is never written; static data that is written meanwhile
                // is not read as a record, as what is found has the checksum of one.
                unsafe { std::slice::from_raw_parts(start, len) }
            }
        }
    };
}

#[cfg(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "dragonfly",
    target_os = "illumos",
    target_os = "fuchsia",
))]
bounds!("__start_rmlir", "__stop_rmlir", "rmlir");

// `ld` and `ld64.lld` define symbols of these names.
#[cfg(target_vendor = "apple")]
bounds!(
    "\u{1}section$start$__DATA$__rmlir",
    "\u{1}section$end$__DATA$__rmlir",
    "__DATA,__rmlir"
);

#[cfg(target_family = "wasm")]
bounds!("__global_base", "__data_end");

#[cfg(windows)]
mod image {
    unsafe extern "C" {
        /// The first byte of this image.
        static __ImageBase: u8;
    }

    /// The number of bytes that the headers take at most: they fit into the first page.
    const HEADERS: usize = 4096;

    pub(super) fn section() -> &'static [u8] {
        let base = &raw const __ImageBase;
        // SAFETY: an image is mapped in pages, the first of which begins with the headers.
        let headers = unsafe { std::slice::from_raw_parts(base, HEADERS) };
        let Some((offset, len)) = find(headers) else {
            return &[];
        };
        // SAFETY: the loader has mapped each section of the image at its offset from the base, for
        // as long as the image is loaded.
        unsafe { std::slice::from_raw_parts(base.add(offset), len) }
    }

    /// Returns offset and length of the section in memory.
    fn find(headers: &[u8]) -> Option<(usize, usize)> {
        let u16_at = |at: usize| Some(u16::from_le_bytes(*headers.get(at..)?.first_chunk()?));
        let u32_at = |at: usize| {
            let bytes = *headers.get(at..)?.first_chunk()?;
            usize::try_from(u32::from_le_bytes(bytes)).ok()
        };
        let pe = u32_at(60)?;
        let count = u16_at(pe.checked_add(6)?)?;
        let optional = u16_at(pe.checked_add(20)?)?;
        let table = pe.checked_add(24)?.checked_add(optional.into())?;
        for index in 0..usize::from(count) {
            let entry = table.checked_add(index.checked_mul(40)?)?;
            if headers.get(entry..)?.starts_with(b".rmlir\0\0") {
                return Some((
                    u32_at(entry.checked_add(12)?)?,
                    u32_at(entry.checked_add(8)?)?,
                ));
            }
        }
        None
    }
}

#[cfg(not(any(
    target_os = "linux",
    target_os = "android",
    target_os = "freebsd",
    target_os = "netbsd",
    target_os = "openbsd",
    target_os = "dragonfly",
    target_os = "illumos",
    target_os = "fuchsia",
    target_vendor = "apple",
    windows,
    target_family = "wasm",
)))]
mod image {
    pub(super) fn section() -> &'static [u8] {
        &[]
    }
}
