//! The definitions that are part of the program.

use crate::hooks::Hooks;
use rmlir_ir::definition::{DialectDefinition, DialectSource, Text};
use std::sync::{Arc, OnceLock};

macro_rules! bundled {
    ($($name:literal,)*) => {
        /// Names and texts, sorted by name.
        static TEXTS: [(&str, &str); [$($name,)*].len()] = [$((
            $name,
            include_str!(concat!("../definitions/", $name, ".dialect")),
        ),)*];
    };
}

bundled! {
    "acc",
    "affine",
    "amdgpu",
    "amx",
    "arc",
    "arith",
    "arm_neon",
    "arm_sme",
    "arm_sve",
    "async",
    "bufferization",
    "builtin",
    "calyx",
    "cf",
    "check",
    "chirrtl",
    "chlo",
    "comb",
    "complex",
    "datapath",
    "dbg",
    "dc",
    "dlti",
    "emit",
    "emitc",
    "esi",
    "firrtl",
    "flow",
    "fsm",
    "func",
    "gpu",
    "hal",
    "hal_inline",
    "hal_loader",
    "handshake",
    "hw",
    "hwarith",
    "index",
    "interop",
    "io_parameters",
    "irdl",
    "iree_codegen",
    "iree_encoding",
    "iree_gpu",
    "iree_linalg_ext",
    "iree_tensor_ext",
    "iree_vector_ext",
    "kanagawa",
    "linalg",
    "llhd",
    "llvm",
    "loopschedule",
    "ltl",
    "math",
    "memref",
    "mesh",
    "ml_program",
    "moore",
    "mpi",
    "msft",
    "nvgpu",
    "nvvm",
    "om",
    "omp",
    "pcf",
    "pdl",
    "pdl_interp",
    "pipeline",
    "polynomial",
    "probe",
    "ptr",
    "quant",
    "rocdl",
    "rtg",
    "rtgtest",
    "scf",
    "sdy",
    "seq",
    "shape",
    "shard",
    "sim",
    "smt",
    "sparse_tensor",
    "spirv",
    "ssp",
    "stablehlo",
    "stream",
    "sv",
    "synth",
    "systemc",
    "tensor",
    "test",
    "tm_tensor",
    "torch",
    "torch_c",
    "tosa",
    "transform",
    "ub",
    "util",
    "vcix",
    "vector",
    "verif",
    "vhlo",
    "vm",
    "vmvx",
    "wasmssa",
    "x86",
    "x86vector",
    "xegpu",
    "xevm",
}

/// What was read of the texts, in their order. The texts never change, so this is no state.
static READ: [OnceLock<Option<Arc<DialectDefinition>>>; TEXTS.len()] =
    [const { OnceLock::new() }; TEXTS.len()];

/// The definitions of this crate, each read when it is first asked for, once in a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct BundledDialects;

impl DialectSource for BundledDialects {
    fn dialect(&self, namespace: &[u8]) -> Option<Arc<DialectDefinition>> {
        let at = TEXTS
            .binary_search_by(|text| text.0.as_bytes().cmp(namespace))
            .ok()?;
        let (&(_, text), read) = TEXTS.get(at).zip(READ.get(at))?;
        // A test reads them all: there are no errors.
        let parse = || DialectDefinition::parse_static(text, &Hooks).ok();
        read.get_or_init(|| parse().map(Arc::new)).clone()
    }

    fn namespaces(&self) -> Vec<Text> {
        TEXTS.iter().map(|text| Text::Borrowed(text.0)).collect()
    }
}

/// The definitions of this crate as text: their names, sorted, and what
/// [`DialectDefinition::parse`] reads.
pub fn texts() -> impl ExactSizeIterator<Item = (&'static str, &'static str)> {
    TEXTS.iter().copied()
}
