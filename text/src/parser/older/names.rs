//! The operations of older editions by their names.

use super::Edition;
use super::syntax::Old;
use crate::formats::Syntax;
use Edition::{V2018, V2021, V2022};

/// An operation name of an older edition.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row {
    /// The name as the text spells it, without the prefix `std`.
    pub(crate) old: &'static str,
    /// The newest edition that has the name.
    pub(crate) last: Edition,
    pub(crate) now: Now,
}

/// The meaning of a name of an older edition today.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Now {
    /// The operation of this name. Its syntax is today's.
    Name(&'static str),
    /// An old operation, which is replaced once the file is read.
    Rewrite(Rewrite),
    /// Nothing; the text gives the reason and a replacement.
    Nothing(&'static str),
}

/// An old operation that is replaced by one or several of today's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rewrite {
    AffineApply,
    Alloc,
    Constant,
    Dim,
    ExtractElement,
    If,
    Load,
    MemRefCast,
    ModuleTerminator,
    Store,
    TensorLoad,
    TensorStore,
}

impl Rewrite {
    pub(crate) const ALL: [Rewrite; 12] = [
        Rewrite::AffineApply,
        Rewrite::Alloc,
        Rewrite::Constant,
        Rewrite::Dim,
        Rewrite::ExtractElement,
        Rewrite::If,
        Rewrite::Load,
        Rewrite::MemRefCast,
        Rewrite::ModuleTerminator,
        Rewrite::Store,
        Rewrite::TensorLoad,
        Rewrite::TensorStore,
    ];

    /// Returns the name of the old operation while the file is read.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Rewrite::AffineApply => "std.affine_apply",
            Rewrite::Alloc => "std.alloc",
            Rewrite::Constant => "std.constant",
            Rewrite::Dim => "std.dim",
            Rewrite::ExtractElement => "std.extract_element",
            Rewrite::If => "std.if",
            Rewrite::Load => "std.load",
            Rewrite::MemRefCast => "std.memref_cast",
            Rewrite::ModuleTerminator => "std.module_terminator",
            Rewrite::Store => "std.store",
            Rewrite::TensorLoad => "std.tensor_load",
            Rewrite::TensorStore => "std.tensor_store",
        }
    }

    /// Returns the syntax in custom form.
    pub(crate) fn syntax(self) -> Syntax {
        Syntax::Hook(match self {
            Rewrite::AffineApply => &Old(Rewrite::AffineApply),
            Rewrite::Alloc => &Old(Rewrite::Alloc),
            Rewrite::Constant => &Old(Rewrite::Constant),
            Rewrite::Dim => &Old(Rewrite::Dim),
            Rewrite::ExtractElement => &Old(Rewrite::ExtractElement),
            Rewrite::If => &Old(Rewrite::If),
            Rewrite::Load => &Old(Rewrite::Load),
            Rewrite::MemRefCast => &Old(Rewrite::MemRefCast),
            Rewrite::ModuleTerminator => &Old(Rewrite::ModuleTerminator),
            Rewrite::Store => &Old(Rewrite::Store),
            Rewrite::TensorLoad => &Old(Rewrite::TensorLoad),
            Rewrite::TensorStore => &Old(Rewrite::TensorStore),
        })
    }
}

/// Returns the row of a name in an edition or in one after it. O(log names).
pub(crate) fn find(name: &[u8], edition: Edition) -> Option<&'static Row> {
    let without_prefix = || find_old(name.strip_prefix(b"std.")?, edition);
    find_old(name, edition).or_else(without_prefix)
}

/// Returns the first row of a name that the edition has.
fn find_old(name: &[u8], edition: Edition) -> Option<&'static Row> {
    let first = ROWS.partition_point(|row| row.old.as_bytes() < name);
    ROWS.get(first..)?
        .iter()
        .take_while(|row| row.old.as_bytes() == name)
        .find(|row| edition <= row.last)
}

const fn row(old: &'static str, last: Edition, now: Now) -> Row {
    Row { old, last, now }
}

/// All names, sorted; those with several meanings by edition, oldest first.
const ROWS: &[Row] = &[
    row("absf", V2021, Now::Name("math.absf")),
    row("addcf", V2021, Now::Name("complex.add")),
    row("addf", V2021, Now::Name("arith.addf")),
    row("addi", V2021, Now::Name("arith.addi")),
    row("affine.terminator", V2021, Now::Name("affine.yield")),
    row("affine_apply", V2018, Now::Rewrite(Rewrite::AffineApply)),
    row("alloc", V2021, Now::Rewrite(Rewrite::Alloc)),
    row(
        "alloc_static",
        V2018,
        Now::Nothing(
            "an allocation at a fixed address has no successor; use memref.alloc, or memref.global",
        ),
    ),
    row("alloca", V2021, Now::Name("memref.alloca")),
    row("and", V2021, Now::Name("arith.andi")),
    row("assert", V2021, Now::Name("cf.assert")),
    row("atan", V2021, Now::Name("math.atan")),
    row("atan2", V2021, Now::Name("math.atan2")),
    row("atomic_rmw", V2021, Now::Name("memref.atomic_rmw")),
    row("atomic_yield", V2021, Now::Name("memref.atomic_yield")),
    row("bitcast", V2021, Now::Name("arith.bitcast")),
    row("br", V2021, Now::Name("cf.br")),
    row("br_cond", V2018, Now::Name("cf.cond_br")),
    row("builtin.func", V2022, Now::Name("func.func")),
    row("call", V2022, Now::Name("func.call")),
    row("call_indirect", V2022, Now::Name("func.call_indirect")),
    row("ceildivi_signed", V2021, Now::Name("arith.ceildivsi")),
    row("ceilf", V2021, Now::Name("math.ceil")),
    row("cfgfunc", V2018, Now::Name("func.func")),
    row("cmpf", V2021, Now::Name("arith.cmpf")),
    row("cmpi", V2021, Now::Name("arith.cmpi")),
    row("cond_br", V2021, Now::Name("cf.cond_br")),
    row("constant", V2021, Now::Rewrite(Rewrite::Constant)),
    row("copysign", V2021, Now::Name("math.copysign")),
    row("cos", V2021, Now::Name("math.cos")),
    row("create_complex", V2021, Now::Name("complex.create")),
    row("dealloc", V2021, Now::Name("memref.dealloc")),
    row("dim", V2021, Now::Rewrite(Rewrite::Dim)),
    row("divf", V2021, Now::Name("arith.divf")),
    row("divi_signed", V2021, Now::Name("arith.divsi")),
    row("divi_unsigned", V2021, Now::Name("arith.divui")),
    row("divis", V2018, Now::Name("arith.divsi")),
    row("diviu", V2018, Now::Name("arith.divui")),
    row("dma_start", V2021, Now::Name("memref.dma_start")),
    row("dma_wait", V2021, Now::Name("memref.dma_wait")),
    row(
        "dynamic_tensor_from_elements",
        V2021,
        Now::Name("tensor.generate"),
    ),
    row("exp", V2021, Now::Name("math.exp")),
    row("exp2", V2021, Now::Name("math.exp2")),
    row("extfunc", V2018, Now::Name("func.func")),
    row(
        "extract_element",
        V2021,
        Now::Rewrite(Rewrite::ExtractElement),
    ),
    row("floordivi_signed", V2021, Now::Name("arith.floordivsi")),
    row("floorf", V2021, Now::Name("math.floor")),
    row("for", V2018, Now::Name("affine.for")),
    row("fpext", V2021, Now::Name("arith.extf")),
    row("fptosi", V2021, Now::Name("arith.fptosi")),
    row("fptoui", V2021, Now::Name("arith.fptoui")),
    row("fptrunc", V2021, Now::Name("arith.truncf")),
    row("func", V2022, Now::Name("func.func")),
    row(
        "generic_atomic_rmw",
        V2021,
        Now::Name("memref.generic_atomic_rmw"),
    ),
    row("get_global_memref", V2021, Now::Name("memref.get_global")),
    row("global_memref", V2021, Now::Name("memref.global")),
    row("if", V2018, Now::Rewrite(Rewrite::If)),
    row("im", V2021, Now::Name("complex.im")),
    row("index_cast", V2021, Now::Name("arith.index_cast")),
    row("load", V2021, Now::Rewrite(Rewrite::Load)),
    row("log", V2021, Now::Name("math.log")),
    row("log10", V2021, Now::Name("math.log10")),
    row("log2", V2021, Now::Name("math.log2")),
    row("loop.condition", V2021, Now::Name("scf.condition")),
    row("loop.for", V2021, Now::Name("scf.for")),
    row("loop.if", V2021, Now::Name("scf.if")),
    row("loop.parallel", V2021, Now::Name("scf.parallel")),
    row("loop.reduce", V2021, Now::Name("scf.reduce")),
    row("loop.terminator", V2021, Now::Name("scf.yield")),
    row("loop.while", V2021, Now::Name("scf.while")),
    row("loop.yield", V2021, Now::Name("scf.yield")),
    row("memref.alloc", V2022, Now::Rewrite(Rewrite::Alloc)),
    row("memref.clone", V2021, Now::Name("bufferization.clone")),
    row("memref.dim", V2022, Now::Rewrite(Rewrite::Dim)),
    row("memref.load", V2022, Now::Rewrite(Rewrite::Load)),
    row("memref.store", V2022, Now::Rewrite(Rewrite::Store)),
    row(
        "memref.tensor_load",
        V2022,
        Now::Rewrite(Rewrite::TensorLoad),
    ),
    row(
        "memref.tensor_store",
        V2022,
        Now::Rewrite(Rewrite::TensorStore),
    ),
    row("memref_cast", V2021, Now::Rewrite(Rewrite::MemRefCast)),
    row(
        "memref_reinterpret_cast",
        V2021,
        Now::Name("memref.reinterpret_cast"),
    ),
    row("memref_reshape", V2021, Now::Name("memref.reshape")),
    row("mlfunc", V2018, Now::Name("func.func")),
    row(
        "module_terminator",
        V2021,
        Now::Rewrite(Rewrite::ModuleTerminator),
    ),
    row("mulf", V2021, Now::Name("arith.mulf")),
    row("muli", V2021, Now::Name("arith.muli")),
    row("negf", V2021, Now::Name("arith.negf")),
    row("or", V2021, Now::Name("arith.ori")),
    row("prefetch", V2021, Now::Name("memref.prefetch")),
    row("rank", V2021, Now::Name("tensor.rank")),
    row("re", V2021, Now::Name("complex.re")),
    row("remf", V2021, Now::Name("arith.remf")),
    row("remi_signed", V2021, Now::Name("arith.remsi")),
    row("remi_unsigned", V2021, Now::Name("arith.remui")),
    row("remis", V2018, Now::Name("arith.remsi")),
    row("remiu", V2018, Now::Name("arith.remui")),
    row(
        "reshape",
        V2018,
        Now::Nothing(
            "a reshape by an affine map has no successor; use memref.expand_shape, memref.collapse_shape or memref.reinterpret_cast",
        ),
    ),
    row("reshape", V2021, Now::Name("memref.reshape")),
    row("return", V2022, Now::Name("func.return")),
    row("rsqrt", V2021, Now::Name("math.rsqrt")),
    row("scf.terminator", V2021, Now::Name("scf.yield")),
    row("select", V2022, Now::Name("arith.select")),
    row("sexti", V2021, Now::Name("arith.extsi")),
    row("shift_left", V2021, Now::Name("arith.shli")),
    row("shift_right_signed", V2021, Now::Name("arith.shrsi")),
    row("shift_right_unsigned", V2021, Now::Name("arith.shrui")),
    row("signed_divi", V2021, Now::Name("arith.divsi")),
    row("signed_remi", V2021, Now::Name("arith.remsi")),
    row("sin", V2021, Now::Name("math.sin")),
    row("sitofp", V2021, Now::Name("arith.sitofp")),
    row("splat", V2022, Now::Name("tensor.splat")),
    row("sqrt", V2021, Now::Name("math.sqrt")),
    row("std.call", V2021, Now::Name("func.call")),
    row("std.call_indirect", V2021, Now::Name("func.call_indirect")),
    row("std.return", V2021, Now::Name("func.return")),
    row("store", V2021, Now::Rewrite(Rewrite::Store)),
    row("subcf", V2021, Now::Name("complex.sub")),
    row("subf", V2021, Now::Name("arith.subf")),
    row("subi", V2021, Now::Name("arith.subi")),
    row("subtensor", V2021, Now::Name("tensor.extract_slice")),
    row("subtensor_insert", V2021, Now::Name("tensor.insert_slice")),
    row("subview", V2021, Now::Name("memref.subview")),
    row("switch", V2021, Now::Name("cf.switch")),
    row("tanh", V2021, Now::Name("math.tanh")),
    row("tensor_cast", V2021, Now::Name("tensor.cast")),
    row(
        "tensor_from_elements",
        V2021,
        Now::Name("tensor.from_elements"),
    ),
    row("tensor_load", V2021, Now::Rewrite(Rewrite::TensorLoad)),
    row("tensor_store", V2021, Now::Rewrite(Rewrite::TensorStore)),
    row("transpose", V2021, Now::Name("memref.transpose")),
    row("trunci", V2021, Now::Name("arith.trunci")),
    row("uitofp", V2021, Now::Name("arith.uitofp")),
    row(
        "unrealized_conversion_cast",
        V2021,
        Now::Name("builtin.unrealized_conversion_cast"),
    ),
    row("unsigned_divi", V2021, Now::Name("arith.divui")),
    row("unsigned_remi", V2021, Now::Name("arith.remui")),
    row(
        "view",
        V2018,
        Now::Nothing(
            "a view by an affine map has no successor; use memref.subview or memref.reinterpret_cast",
        ),
    ),
    row("view", V2021, Now::Name("memref.view")),
    row("xor", V2021, Now::Name("arith.xori")),
    row("zexti", V2021, Now::Name("arith.extui")),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_sorted() {
        assert!(ROWS.is_sorted_by(|a, b| (a.old, a.last) < (b.old, b.last)));
    }

    #[test]
    fn names_are_found_in_their_editions() {
        let now = |name: &str, edition| find(name.as_bytes(), edition).map(|row| row.now);
        assert_eq!(now("func", V2022), Some(Now::Name("func.func")));
        assert_eq!(now("br", V2021), Some(Now::Name("cf.br")));
        assert_eq!(now("std.br", V2018), Some(Now::Name("cf.br")));
        assert_eq!(now("br", V2022), None);
        assert_eq!(now("func", Edition::Current), None);
        assert_eq!(now("dim", V2018), Some(Now::Rewrite(Rewrite::Dim)));
        assert!(matches!(now("view", V2018), Some(Now::Nothing(_))));
        assert_eq!(now("view", V2021), Some(Now::Name("memref.view")));
        assert_eq!(now("unknown", V2018), None);
    }
}
