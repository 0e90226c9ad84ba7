//! Writes modules as C.

use crate::object_file::{EmbedError, Module, records_of};

/// The files of [`c_source`].
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct CSource {
    /// The header, which declares the modules.
    pub header: String,
    /// The source, which has the records in the section of embedded modules.
    pub source: String,
    /// The records, which the source includes by `#embed` or `.incbin`.
    pub data: Vec<u8>,
}

const HEADER: &str = r#"/* Written by 'rmlir embed --c'. The modules:
{list} */
#ifndef RMLIR_{UPPER}_H
#define RMLIR_{UPPER}_H

/* The number of bytes of all records. */
#define RMLIR_{UPPER}_BYTES {len}

#ifdef __cplusplus
extern "C" {
#endif
/* The records, as rmlir_embed.h reads them. */
extern const unsigned char rmlir_{name}[RMLIR_{UPPER}_BYTES];
#ifdef __cplusplus
}
#endif

#endif
"#;

const SOURCE: &str = r#"/* Written by 'rmlir embed --c'. */
#include "{stem}.h"

#if defined(__APPLE__)
#define RMLIR_SECTION "__DATA,__rmlir"
#define RMLIR_DIRECTIVE ".section __DATA,__rmlir,regular,no_dead_strip"
#define RMLIR_PREFIX "_"
#elif defined(_WIN32)
#define RMLIR_SECTION ".rmlir"
#define RMLIR_DIRECTIVE ".section .rmlir,\"dr\""
#if defined(__i386__)
#define RMLIR_PREFIX "_"
#else
#define RMLIR_PREFIX ""
#endif
#else
#define RMLIR_SECTION "rmlir"
/* R: kept although no code refers to it. */
#define RMLIR_DIRECTIVE ".section rmlir,\"aR\""
#define RMLIR_PREFIX ""
#endif

/* Before C23 and C++26, compilers that have #embed warn of it. */
#if defined(__has_embed) && (!defined(__GNUC__) || defined(__wasm__) || defined(__cpp_pp_embed) || \
    (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L))
#if __has_embed("{stem}.bin")
#define RMLIR_EMBEDS 1
#endif
#endif

#if defined(RMLIR_EMBEDS)
#if defined(_MSC_VER) && !defined(__clang__)
#pragma section(".rmlir", read)
__declspec(allocate(".rmlir")) __declspec(align({alignment}))
#elif defined(__ELF__)
__attribute__((section(RMLIR_SECTION), aligned({alignment}), used, retain))
#else
__attribute__((section(RMLIR_SECTION), aligned({alignment}), used))
#endif
const unsigned char rmlir_{name}[] = {
#embed "{stem}.bin"
};
#else
/* Compilers without #embed that have the assembler of GNU or LLVM. */
__asm__(
    RMLIR_DIRECTIVE "\n"
    ".balign {alignment}\n"
    ".globl " RMLIR_PREFIX "rmlir_{name}\n"
    RMLIR_PREFIX "rmlir_{name}:\n"
    ".incbin \"{stem}.bin\"\n"
    ".text\n");
#endif
"#;

/// Returns C files with modules: a header and a source that includes the third file.
///
/// `stem` is the name of the files without extension; the data is included as `STEM.bin`, and is
/// found in the folder of the source, or with `#embed`, by the compiler's `--embed-dir`. Compilers
/// without `#embed` need an assembler with `.incbin`, and the folder as an include path of the
/// assembler (`-Wa,-I,FOLDER` or `-I FOLDER`).
///
/// # Errors
///
/// Those of [`records_of`], and if the stem is empty or has a quote or a line break.
///
/// ```
/// use rmlir_embed::{Module, c_source};
///
/// let module = Module { name: "my-model", bytes: b"module {}" };
/// let files = c_source(&[module], "model")?;
/// assert!(files.header.contains("rmlir_model["));
/// assert!(files.source.contains("model.bin"));
/// # Ok::<(), rmlir_embed::EmbedError>(())
/// ```
pub fn c_source(modules: &[Module<'_>], stem: &str) -> Result<CSource, EmbedError> {
    if stem.is_empty() || stem.chars().any(|c| c.is_control() || "\"\\".contains(c)) {
        return Err(EmbedError::new(format!(
            "'{stem}' is not the name of a file"
        )));
    }
    let (data, log) = records_of(modules)?;
    let name: String = stem
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    let list: String = modules
        .iter()
        .map(|module| {
            format!(
                " * {}: {}, {} bytes\n",
                comment(module.name),
                module.content(),
                module.bytes.len()
            )
        })
        .collect();
    let (alignment, len) = (1u32 << log, data.len());
    let upper = name.to_uppercase();
    let header = HEADER
        .replace("{list}", &list)
        .replace("{UPPER}", &upper)
        .replace("{name}", &name)
        .replace("{len}", &len.to_string());
    let source = SOURCE
        .replace("{stem}", stem)
        .replace("{name}", &name)
        .replace("{alignment}", &alignment.to_string());
    Ok(CSource {
        header,
        source,
        data,
    })
}

/// A name in a comment, which it cannot end.
fn comment(name: &str) -> String {
    name.chars()
        .map(|c| if c.is_control() || c == '*' { '_' } else { c })
        .collect()
}
