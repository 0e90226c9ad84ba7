//! The definitions that are embedded in the library.

use crate::hooks::Hooks;
use miniz_oxide::inflate::core::inflate_flags::TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
use miniz_oxide::inflate::core::{DecompressorOxide, decompress as inflate};
use rmlir_ir::definition::{DialectDefinition, DialectSource, Text};
use std::sync::{Arc, OnceLock};

macro_rules! bundled {
    ($($name:literal $(if $feature:literal)?,)*) => {
        /// Names and compressed texts of the definitions whose feature is enabled, sorted by name.
        const COMPRESSED: &[(&str, &[u8])] = &[$(
            $(#[cfg(feature = $feature)])?
            ($name, include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".dialect.deflate"))),
        )*];
    };
}

// Each dialect with the Cargo feature that enables it.
bundled! {
    "acc" if "upstream",
    "affine" if "upstream",
    "amdg" if "triton",
    "amdgpu" if "upstream",
    "amx" if "upstream",
    "arc" if "circt",
    "arith" if "upstream",
    "arm_neon" if "upstream",
    "arm_sme" if "upstream",
    "arm_sve" if "upstream",
    "async" if "upstream",
    "axi4" if "circt",
    "bufferization" if "upstream",
    "builtin",
    "calyx" if "circt",
    "cf" if "upstream",
    "check" if "iree",
    "chirrtl" if "circt",
    "chlo" if "stablehlo",
    "comb" if "circt",
    "complex" if "upstream",
    "datapath" if "circt",
    "dbg" if "circt",
    "dc" if "circt",
    "dlti" if "upstream",
    "emit" if "circt",
    "emitc" if "upstream",
    "esi" if "circt",
    "firrtl" if "circt",
    "flow" if "iree",
    "fsm" if "circt",
    "func" if "upstream",
    "gluon" if "triton",
    "gpu" if "upstream",
    "hal" if "iree",
    "hal_inline" if "iree",
    "hal_loader" if "iree",
    "handshake" if "circt",
    "hw" if "circt",
    "hwarith" if "circt",
    "index" if "upstream",
    "interop" if "circt",
    "interpreter" if "stablehlo",
    "io_parameters" if "iree",
    "irdl" if "upstream",
    "iree_codegen" if "iree",
    "iree_cpu" if "iree",
    "iree_encoding" if "iree",
    "iree_gpu" if "iree",
    "iree_linalg_ext" if "iree",
    "iree_map" if "iree",
    "iree_tensor_ext" if "iree",
    "iree_vector_ext" if "iree",
    "kanagawa" if "circt",
    "linalg" if "upstream",
    "llhd" if "circt",
    "llvm" if "upstream",
    "loopschedule" if "circt",
    "ltl" if "circt",
    "math" if "upstream",
    "memref" if "upstream",
    "mesh" if "upstream",
    "mhlo" if "stablehlo",
    "ml_program" if "upstream",
    "moore" if "circt",
    "mpi" if "upstream",
    "msft" if "circt",
    "nvg" if "triton",
    "nvgpu" if "upstream",
    "nvvm" if "upstream",
    "nvws" if "triton",
    "om" if "circt",
    "omp" if "upstream",
    "pcf" if "iree",
    "pdl" if "upstream",
    "pdl_interp" if "upstream",
    "pipeline" if "circt",
    "polynomial" if "upstream",
    "probe" if "circt",
    "proton" if "triton",
    "proton_gpu" if "triton",
    "ptr" if "upstream",
    "quant" if "upstream",
    "rocdl" if "upstream",
    "rtg" if "circt",
    "rtgtest" if "circt",
    "scf" if "upstream",
    "sdy" if "stablehlo",
    "seq" if "circt",
    "shape" if "upstream",
    "shard" if "upstream",
    "sim" if "circt",
    "smt" if "upstream",
    "sparse_tensor" if "upstream",
    "spirv" if "upstream",
    "ssp" if "circt",
    "stablehlo" if "stablehlo",
    "stream" if "iree",
    "sv" if "circt",
    "synth" if "circt",
    "systemc" if "circt",
    "tensor" if "upstream",
    "test" if "upstream",
    "tm_tensor" if "torch",
    "torch" if "torch",
    "torch_c" if "torch",
    "tosa" if "upstream",
    "tpu" if "triton",
    "transform" if "upstream",
    "tt" if "triton",
    "ttg" if "triton",
    "tti" if "triton",
    "ttng" if "triton",
    "ub" if "upstream",
    "util" if "iree",
    "vcix" if "upstream",
    "vector" if "upstream",
    "verif" if "circt",
    "vhlo" if "stablehlo",
    "vm" if "iree",
    "vmvx" if "iree",
    "wasmssa" if "upstream",
    "x86" if "upstream",
    "x86vector" if "upstream",
    "xegpu" if "upstream",
    "xevm" if "upstream",
}

/// The texts, in the order of [`COMPRESSED`]. It is a cache of immutable data, not state.
static TEXTS: [OnceLock<Box<str>>; COMPRESSED.len()] =
    [const { OnceLock::new() }; COMPRESSED.len()];

/// The parsed definitions, in the same order. A cache, too.
static READ: [OnceLock<Option<Arc<DialectDefinition>>>; COMPRESSED.len()] =
    [const { OnceLock::new() }; COMPRESSED.len()];

/// The text before each definition, for its decoder.
const DICTIONARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/dictionary.deflate"));

/// Returns the text at an index of [`COMPRESSED`], which is decompressed on first use.
fn text(at: usize) -> Option<&'static str> {
    static DECOMPRESSED: OnceLock<Vec<u8>> = OnceLock::new();
    let (&(_, compressed), text) = COMPRESSED.get(at).zip(TEXTS.get(at))?;
    // A unit test compares each decompressed text with its file, so this does not fail.
    let dictionary = || decompress(&[], DICTIONARY).unwrap_or_default();
    let decompress = || {
        let bytes = decompress(DECOMPRESSED.get_or_init(dictionary), compressed)?;
        String::from_utf8(bytes).ok().map(String::into_boxed_str)
    };
    Some(text.get_or_init(|| decompress().unwrap_or_default()))
}

/// Decompresses what `build.rs` compressed with the same dictionary.
fn decompress(dictionary: &[u8], compressed: &[u8]) -> Option<Vec<u8>> {
    let (len, compressed) = compressed.split_first_chunk()?;
    let len = usize::try_from(u32::from_le_bytes(*len)).ok()?;
    let mut bytes = dictionary.to_vec();
    bytes.resize(dictionary.len().checked_add(len)?, 0);
    let mut decoder = DecompressorOxide::new();
    let flags = TINFL_FLAG_USING_NON_WRAPPING_OUTPUT_BUF;
    let (_, _, written) = inflate(
        &mut decoder,
        compressed,
        &mut bytes,
        dictionary.len(),
        flags,
    );
    (written == len).then(|| bytes.split_off(dictionary.len()))
}

/// The definitions of this crate. Each is decompressed and parsed on first use, once per process.
#[derive(Clone, Copy, Debug, Default)]
pub struct BundledDialects;

impl DialectSource for BundledDialects {
    fn dialect(&self, namespace: &[u8]) -> Option<Arc<DialectDefinition>> {
        let at = COMPRESSED
            .binary_search_by(|text| text.0.as_bytes().cmp(namespace))
            .ok()?;
        // A test parses all of them, so there are no errors here.
        let parse = || DialectDefinition::parse_static(text(at)?, &Hooks).ok();
        READ.get(at)?.get_or_init(|| parse().map(Arc::new)).clone()
    }

    fn namespaces(&self) -> Vec<Text> {
        COMPRESSED
            .iter()
            .map(|text| Text::Borrowed(text.0))
            .collect()
    }
}

/// Returns the definitions of this crate as text: their names, sorted, and the input of
/// [`DialectDefinition::parse`]. Each text is decompressed on first use, once per process.
pub fn texts() -> impl ExactSizeIterator<Item = (&'static str, &'static str)> {
    let texts = COMPRESSED.iter().enumerate();
    texts.map(|(at, &(name, _))| (name, text(at).unwrap_or_default()))
}
