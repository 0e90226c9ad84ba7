//! Inputs whose printed size doubles at each level.

use super::{Rule, aliases, attribute, location, result};

/// `n` levels, each of which refers to the one before twice. All are valid.
pub const DOUBLING: &[Rule] = &[
    ("arrays", |n| {
        aliases("#a", "1", |a| format!("[{a}, {a}]"), n) + &attribute(&format!("#a{n}"))
    }),
    ("dictionaries", |n| {
        aliases("#a", "1", |a| format!("{{a = {a}, b = {a}}}"), n) + &attribute(&format!("#a{n}"))
    }),
    ("properties", |n| {
        aliases("#a", "1", |a| format!("{{a = {a}, b = {a}}}"), n)
            + &format!("\"t.op\"() <#a{n}> : () -> ()\n")
    }),
    ("attributes of a dialect", |n| {
        aliases("#a", "1", |a| format!("#d.x<{a}, {a}>"), n) + &attribute(&format!("#a{n}"))
    }),
    ("nameless attributes of a dialect", |n| {
        aliases("#a", "1", |a| format!("#d.x<[{a}, {a}]>"), n) + &attribute(&format!("[#a{n}]"))
    }),
    ("distinct attributes", |n| {
        aliases(
            "#a",
            "1",
            |a| format!("distinct[{}]<[{a}, {a}]>", a.trim_start_matches("#a")),
            n,
        ) + &attribute(&format!("#a{n}"))
    }),
    ("tuples", |n| {
        aliases("!t", "i1", |t| format!("tuple<{t}, {t}>"), n) + &result(&format!("!t{n}"))
    }),
    ("functions", |n| {
        aliases("!t", "i1", |t| format!("({t}) -> ({t})"), n) + &result(&format!("!t{n}"))
    }),
    ("types of a dialect", |n| {
        aliases("!t", "i1", |t| format!("!d.t<{t}, {t}>"), n) + &result(&format!("!t{n}"))
    }),
    ("operands and results", |n| {
        let ty = format!("!t{n}");
        aliases("!t", "i1", |t| format!("tuple<{t}, {t}>"), n)
            + &format!(
                "%0 = \"t.a\"() : () -> {ty}\n\"t.b\"(%0) ({{\n^bb0(%1: {ty}):\n}}) : ({ty}) -> ()\n"
            )
    }),
    ("encodings", |n| {
        aliases(
            "#a",
            "1",
            |a| format!("[tensor<1xi8, {a}>, tensor<2xi8, {a}>]"),
            n,
        ) + &attribute(&format!("#a{n}"))
    }),
    ("memory spaces", |n| {
        aliases(
            "#a",
            "1",
            |a| format!("{{a = memref<1xi8, {a}>, b = {a}}}"),
            n,
        ) + &attribute(&format!("#a{n}"))
    }),
    ("fused locations", |n| {
        aliases(
            "#loc",
            "loc(\"f\":1:1)",
            |l| format!("loc(fused[\"x\"({l}), \"y\"({l})])"),
            n,
        ) + &location(&format!("#loc{n}"))
    }),
    ("call sites", |n| {
        aliases(
            "#loc",
            "loc(\"f\":1:1)",
            |l| format!("loc(callsite(\"x\"({l}) at {l}))"),
            n,
        ) + &location(&format!("#loc{n}"))
    }),
    ("metadata of fused locations", |n| {
        aliases(
            "#loc",
            "loc(\"f\":1:1)",
            |l| format!("loc(fused<[{l}, {l}]>[{l}, \"f\":1:2])"),
            n,
        ) + &location(&format!("#loc{n}"))
    }),
    ("locations in attributes", |n| {
        aliases(
            "#loc",
            "loc(\"f\":1:1)",
            |l| format!("loc(callsite(\"x\"({l}) at {l}))"),
            n,
        ) + &attribute(&format!("[loc(#loc{n})]"))
    }),
    ("sparse elements", |n| {
        aliases("!t", "!d.t", |t| format!("tensor<1x!d.t<{t}, {t}>>"), n)
            + &attribute(&format!("sparse<0, \"x\"> : tensor<1x!d.u<!t{n}>>"))
    }),
];
