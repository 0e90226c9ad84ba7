//! Deeply nested inputs.

use super::{Rule, attribute, concat, location, nest, result};

/// `n` levels of nesting. All are valid.
pub const DEEP: &[Rule] = &[
    ("regions", |n| {
        nest("\"t.r\"() ({\n", "", "}) : () -> ()\n", n)
    }),
    ("regions of a module each", |n| {
        nest("module {\n", "", "}\n", n)
    }),
    ("regions of a function each", |n| {
        nest(
            "func.func @f() {\nbuiltin.module {\n",
            "",
            "}\nreturn\n}\n",
            n,
        )
    }),
    ("regions with labels", |n| {
        let open = concat(n, |i| {
            format!("\"t.r\"() ({{\n^bb0(%a{i}: i32):\n\"t.u\"(%a{i})[^bb1] : (i32) -> ()\n^bb1:\n")
        });
        open + &"}) : () -> ()\n".repeat(n)
    }),
    ("regions that use what is around them", |n| {
        let open = concat(n, |i| {
            format!("%v{i} = \"t.r\"() ({{\n\"t.u\"(%v{i}) : (i32) -> ()\n")
        });
        open + &"}) : () -> i32\n".repeat(n)
    }),
    ("regions with a location each", |n| {
        nest("\"t.r\"() ({\n", "", "}) : () -> () loc(\"f\":1:2)\n", n)
    }),
    ("arrays", |n| attribute(&nest("[", "1", "]", n))),
    ("arrays with more", |n| {
        attribute(&nest("[0, ", "1", ", 2]", n))
    }),
    ("dictionaries", |n| attribute(&nest("{a = ", "1", "}", n))),
    ("properties", |n| {
        format!("\"t.op\"() <{}> : () -> ()\n", nest("{a = ", "1", "}", n))
    }),
    ("distinct attributes", |n| {
        let open = concat(n, |i| format!("distinct[{i}]<"));
        attribute(&(open + "1" + &">".repeat(n)))
    }),
    ("attributes of a dialect", |n| {
        attribute(&nest("#d.a<", "1", ">", n))
    }),
    ("attributes of a dialect, and text", |n| {
        attribute(&nest("#d.a<x, [#d.b<y>, ", "1", "]>", n))
    }),
    ("brackets in an attribute of a dialect", |n| {
        attribute(&format!("#d.a<{}>", nest("[({<", "x", ">})]", n)))
    }),
    ("types and attributes in turn", |n| {
        attribute(&nest("tensor<1xi8, [", "1", "]>", n))
    }),
    ("attributes and types of a dialect in turn", |n| {
        attribute(&nest("#d.a<!d.t<", "1", ">>", n))
    }),
    ("builtin attributes in a dialect's", |n| {
        attribute(&nest("#d.a<[tuple<!d.t<", "i1", ">>]>", n))
    }),
    ("dense resources in types", |n| {
        attribute(&nest("dense_resource<r> : tensor<1xi8, ", "1", ">", n))
    }),
    ("tuples", |n| result(&nest("tuple<", "i1", ">", n))),
    ("tuples with more", |n| {
        result(&nest("tuple<i1, ", "i1", ", i2>", n))
    }),
    ("functions as results", |n| {
        result(&nest("() -> (", "i1", ")", n))
    }),
    ("functions as inputs", |n| {
        result(&nest("(", "i1", ") -> ()", n))
    }),
    ("memrefs", |n| result(&nest("memref<1x", "i1", ">", n))),
    ("unranked memrefs", |n| {
        result(&nest("memref<*x", "i1", ">", n))
    }),
    ("memory spaces", |n| {
        result(&nest("memref<1xi1, {a = ", "1", "}>", n))
    }),
    ("types of a dialect", |n| {
        result(&nest("!d.t<", "i1", ">", n))
    }),
    ("types of a dialect with strings", |n| {
        result(&nest("!d<\"<[({\" ", "x", ">", n))
    }),
    ("tensors of a dialect's types", |n| {
        result(&nest("tensor<2x!d.t<", "i1", ">>", n))
    }),
    ("call sites, callee", |n| {
        location(&nest("callsite(", "\"f\":1:1", " at \"c\")", n))
    }),
    ("call sites, caller", |n| {
        location(&nest("callsite(\"c\" at ", "\"f\":1:1", ")", n))
    }),
    ("fused locations", |n| {
        location(&nest("fused[\"x\", ", "\"f\":1:1", "]", n))
    }),
    ("named locations", |n| {
        location(&nest("\"n\"(", "\"f\":1:1", ")", n))
    }),
    ("metadata of fused locations", |n| {
        location(&nest(
            "fused<[loc(",
            "\"f\":1:1",
            ")]>[\"g\":1:1, \"h\":1:1]",
            n,
        ))
    }),
    ("locations in attributes", |n| {
        attribute(&nest("loc(fused<", "1", ">[\"g\":1:1, \"h\":1:1])", n))
    }),
    ("brackets in an affine expression", |n| {
        attribute(&format!(
            "affine_map<(d0) -> ({})>",
            nest("(", "d0", ")", n)
        ))
    }),
    ("signs in an affine expression", |n| {
        attribute(&format!(
            "affine_map<(d0) -> ({}d0)>",
            "-".repeat(n).replace("-", "- ")
        ))
    }),
    ("sums to the right", |n| {
        attribute(&format!(
            "affine_map<(d0)[s0] -> ({})>",
            nest("(s0 floordiv (", "s0", "))", n)
        ))
    }),
    ("products to the right", |n| {
        attribute(&format!(
            "affine_map<(d0, d1)[s0] -> ({})>",
            nest("d0 + s0 * (", "d1", ")", n)
        ))
    }),
    ("remainders", |n| {
        attribute(&format!(
            "affine_map<(d0) -> ({})>",
            nest("(d0 + ", "d0", " mod 7)", n)
        ))
    }),
    ("brackets of dense elements", |n| {
        attribute(&format!(
            "dense<{}> : tensor<{}i8>",
            nest("[", "1", "]", n),
            "1x".repeat(n)
        ))
    }),
];
