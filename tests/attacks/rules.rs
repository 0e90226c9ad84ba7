//! Hostile texts that are made by a rule: each takes a number, and its size is linear in it (but for those
//! of `DOUBLING`, which would print as `2^n` times as much as they take).

/// A rule: its name, and the text for a number.
pub(crate) type Rule = (&'static str, fn(usize) -> String);

/// A rule, and a part of the error that its texts get.
pub(crate) type BadRule = (&'static str, fn(usize) -> String, &'static str);

/// `count` times `open`, then `middle`, then as many times `close`.
fn nest(open: &str, middle: &str, close: &str, count: usize) -> String {
    [&open.repeat(count), middle, &close.repeat(count)].concat()
}

/// An operation with an attribute.
fn attribute(value: &str) -> String {
    format!("\"t.op\"() {{a = {value}}} : () -> ()\n")
}

/// An operation with a result of that type.
fn result(ty: &str) -> String {
    format!("%r = \"t.op\"() : () -> ({ty})\n")
}

/// An operation with a location.
fn location(location: &str) -> String {
    format!("\"t.op\"() : () -> () loc({location})\n")
}

/// Items with `separator` between them.
fn list(count: usize, separator: &str, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect::<Vec<_>>().join(separator)
}

fn concat(count: usize, item: impl Fn(usize) -> String) -> String {
    (0..count).map(item).collect()
}

/// `n` levels of nesting. All are valid.
pub(crate) const DEEP: &[Rule] = &[
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

/// `n` levels, each of which refers to the one before twice. All are valid.
pub(crate) const DOUBLING: &[Rule] = &[
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

/// Definitions of `name0` to `name{n}`, each made of the one before.
fn aliases(name: &str, first: &str, next: impl Fn(&str) -> String, n: usize) -> String {
    let mut text = format!("{name}0 = {first}\n");
    for i in 0..n {
        text += &format!("{name}{} = {}\n", i + 1, next(&format!("{name}{i}")));
    }
    text
}

/// `n` of something side by side. All are valid.
pub(crate) const WIDE: &[Rule] = &[
    ("functions", |n| {
        concat(n, |i| format!("func.func private @f{i}()\n"))
    }),
    ("calls", |n| {
        let calls = concat(n, |i| {
            format!("  %{i}:2 = call @f(%a, %a) : (i32, i32) -> (i32, i32)\n")
        });
        format!(
            "func.func private @f(i32, i32) -> (i32, i32)\nfunc.func @g(%a: i32) {{\n{calls}  return\n}}\n"
        )
    }),
    ("uses before definitions", |n| {
        concat(n, |i| {
            format!("%{i} = \"t.u\"(%{}) : (i32) -> i32\n", (i + 1) % n)
        })
    }),
    ("uses before definitions, the last first", |n| {
        concat(n, |i| format!("\"t.u\"(%{i}) : (i32) -> ()\n"))
            + &concat(n, |i| format!("%{} = \"t.d\"() : () -> i32\n", n - 1 - i))
    }),
    ("uses of numbered results before their definition", |n| {
        concat(n, |i| format!("\"t.u\"(%a#{i}) : (i32) -> ()\n"))
            + &format!(
                "%a:{n} = \"t.d\"() : () -> ({})\n",
                list(n, ", ", |_| "i32".into())
            )
    }),
    ("uses of one value", |n| {
        format!(
            "%0 = \"t.d\"() : () -> i32\n{}",
            "\"t.u\"(%0) : (i32) -> ()\n".repeat(n)
        )
    }),
    ("operands of one operation", |n| {
        format!(
            "%0 = \"t.d\"() : () -> i32\n\"t.u\"({}) : ({}) -> ()\n",
            list(n, ", ", |_| "%0".into()),
            list(n, ", ", |_| "i32".into())
        )
    }),
    ("results", |n| {
        format!(
            "%0:{n} = \"t.d\"() : () -> ({})\n",
            list(n, ", ", |_| "i32".into())
        )
    }),
    ("names of results", |n| {
        format!(
            "{} = \"t.d\"() : () -> ({})\n",
            list(n, ", ", |i| format!("%n{i}")),
            list(n, ", ", |_| "i32".into())
        )
    }),
    ("the same name in regions", |n| {
        concat(n, |_| {
            "\"t.r\"() ({\n%same = \"t.d\"() : () -> i32\n}) : () -> ()\n".into()
        })
    }),
    ("names like others", |n| {
        concat(n, |i| {
            format!("%a_{i} = \"t.r\"() ({{\n^same(%a: i32):\n}}) : () -> i32\n")
        })
    }),
    ("arguments", |n| {
        format!(
            "\"t.r\"() ({{\n^bb0({}):\n}}) : () -> ()\n",
            list(n, ", ", |i| format!("%a{i}: i32"))
        )
    }),
    ("arguments of a function", |n| {
        format!(
            "func.func @f({}) {{\n  return\n}}\n",
            list(n, ", ", |i| format!("%a{i}: i32"))
        )
    }),
    ("regions of an operation", |n| {
        format!(
            "\"t.r\"() ({}) : () -> ()\n",
            list(n, ", ", |_| "{\n}".into())
        )
    }),
    ("blocks", |n| {
        format!(
            "\"t.r\"() ({{\n{}}}) : () -> ()\n",
            concat(n, |i| format!(
                "^bb{i}:\n  \"t.b\"()[^bb{}] : () -> ()\n",
                (i + 1) % n
            ))
        )
    }),
    ("blocks that are reached from all", |n| {
        format!(
            "\"t.r\"() ({{\n^bb0:\n  \"t.b\"()[^end] : () -> ()\n{}^end:\n  \"t.e\"() : () -> ()\n}}) : () -> ()\n",
            concat(n, |i| format!("^b{i}:\n  \"t.b\"()[^end] : () -> ()\n"))
        )
    }),
    ("blocks with edges back", |n| {
        format!(
            "\"t.r\"() ({{\n^e:\n  \"t.b\"()[^b0] : () -> ()\n{}}}) : () -> ()\n",
            concat(n, |i| format!(
                "^b{i}:\n  \"t.b\"()[^b{}, ^b{}] : () -> ()\n",
                (i + 1) % n,
                i * i % n
            ))
        )
    }),
    ("blocks in a ladder", |n| {
        format!(
            "\"t.r\"() ({{\n^e:\n  \"t.b\"()[^b0, ^b{}] : () -> ()\n{}}}) : () -> ()\n",
            n - 1,
            concat(n, |i| format!(
                "^b{i}:\n  \"t.b\"()[^b{}, ^b{}] : () -> ()\n",
                (i + 1).min(n - 1),
                i.saturating_sub(1)
            ))
        )
    }),
    ("successors", |n| {
        let blocks = concat(n, |i| format!("^b{i}:\n  \"t.e\"() : () -> ()\n"));
        format!(
            "\"t.r\"() ({{\n  \"t.b\"()[{}] : () -> ()\n{blocks}}}) : () -> ()\n",
            list(n, ", ", |i| format!("^b{i}"))
        )
    }),
    ("one successor", |n| {
        format!(
            "\"t.r\"() ({{\n  \"t.b\"()[{}] : () -> ()\n^b:\n  \"t.e\"() : () -> ()\n}}) : () -> ()\n",
            list(n, ", ", |_| "^b".into())
        )
    }),
    ("blocks that are used before they are defined", |n| {
        let uses = concat(n, |i| format!("^b{i}:\n  \"t.b\"()[^c{i}] : () -> ()\n"));
        let blocks = concat(n, |i| format!("^c{}:\n  \"t.e\"() : () -> ()\n", n - 1 - i));
        format!("\"t.r\"() ({{\n{uses}{blocks}}}) : () -> ()\n")
    }),
    ("keys", |n| {
        attribute(&format!("{{{}}}", list(n, ", ", |i| format!("k{i} = {i}"))))
    }),
    ("keys, the last first", |n| {
        attribute(&format!("{{{}}}", list(n, ", ", |i| format!("k{}", n - i))))
    }),
    ("long keys", |n| {
        attribute(&format!(
            "{{{}}}",
            list(300, ", ", |i| format!("{}{i}", "k".repeat(n / 300)))
        ))
    }),
    ("attributes of an operation", |n| {
        format!(
            "\"t.op\"() <{{{}}}> {{{}}} : () -> ()\n",
            list(n, ", ", |i| format!("p{i} = {i}")),
            list(n, ", ", |i| format!("k{i} = {i}"))
        )
    }),
    ("attributes of a function", |n| {
        format!(
            "func.func private @f() attributes {{{}}}\n",
            list(n, ", ", |i| format!("k{i} = {i}"))
        )
    }),
    ("elements of an array", |n| {
        attribute(&format!("[{}]", list(n, ", ", |i| i.to_string())))
    }),
    ("dense elements", |n| {
        attribute(&format!(
            "dense<[{}]> : tensor<{n}xi64>",
            list(n, ", ", |i| i.to_string())
        ))
    }),
    ("dense floats", |n| {
        attribute(&format!(
            "dense<[{}]> : tensor<{n}xf64>",
            list(n, ", ", |i| format!("{i}.5e-3"))
        ))
    }),
    ("dense strings", |n| {
        attribute(&format!(
            "dense<[{}]> : tensor<{n}x!d.t>",
            list(n, ", ", |i| format!("\"s{i}\""))
        ))
    }),
    ("sparse elements", |n| {
        attribute(&format!(
            "sparse<[{}], [{}]> : tensor<{n}xi64>",
            list(n, ", ", |i| format!("[{i}]")),
            list(n, ", ", |i| i.to_string())
        ))
    }),
    ("elements of a dense array", |n| {
        attribute(&format!("array<i64: {}>", list(n, ", ", |i| i.to_string())))
    }),
    ("dimensions of a tensor", |n| {
        result(&format!("tensor<{}i8>", "1x".repeat(n)))
    }),
    ("dimensions of a vector", |n| {
        result(&format!("vector<{}i8>", "[1]x".repeat(n)))
    }),
    ("dimensions of a memref", |n| {
        result(&format!(
            "memref<{}i8, strided<[{}]>>",
            "1x".repeat(n),
            list(n, ", ", |_| "1".into())
        ))
    }),
    ("elements of a tuple", |n| {
        result(&format!("tuple<{}>", list(n, ", ", |_| "i1".into())))
    }),
    ("tuples that get an alias", |n| {
        concat(n / 10, |i| {
            format!(
                "%{i} = \"t.op\"() : () -> tuple<i{i}, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1, i1>\n"
            )
        })
    }),
    ("nested references to symbols", |n| {
        attribute(&format!("@a{}", "::@b".repeat(n)))
    }),
    ("parts of a dialect's attribute", |n| {
        attribute(&format!("#d.a<{}>", list(n, ", ", |_| "i32, #d.b".into())))
    }),
    ("parts of a dialect's attribute that look like more", |n| {
        attribute(&format!(
            "#d.a<{}>",
            list(n, " ", |_| "tensor dense loc -> x".into())
        ))
    }),
    ("starts of types in a dialect's attribute", |n| {
        attribute(&format!("#d.a<{}>", "tensor<".repeat(n) + &">".repeat(n)))
    }),
    ("starts of literals in a dialect's attribute", |n| {
        attribute(&format!("#d.a<{}>", "dense<[".repeat(n) + &"]>".repeat(n)))
    }),
    ("starts of functions in a dialect's attribute", |n| {
        attribute(&format!("#d.a<{}>", "(i1, ".repeat(n) + &")".repeat(n)))
    }),
    ("starts of affine maps in a dialect's attribute", |n| {
        attribute(&format!(
            "#d.a<{}>",
            "affine_map<(d0) -> (".repeat(n) + &")>".repeat(n)
        ))
    }),
    ("starts of dictionaries in a dialect's attribute", |n| {
        attribute(&format!("#d.a<{}>", "{a = [".repeat(n) + &"]}".repeat(n)))
    }),
    ("dimensions of an affine map", |n| {
        attribute(&format!(
            "affine_map<({0}) -> ({0})>",
            list(n, ", ", |i| format!("d{i}"))
        ))
    }),
    ("symbols of an affine map", |n| {
        attribute(&format!(
            "affine_map<()[{0}] -> ({0})>",
            list(n, ", ", |i| format!("s{i}"))
        ))
    }),
    ("constraints of a set", |n| {
        attribute(&format!(
            "affine_set<(d0) : ({})>",
            list(n, ", ", |i| format!("d0 - {i} >= 0"))
        ))
    }),
    ("terms of a sum", |n| {
        attribute(&format!(
            "affine_map<(d0)[s0, s1] -> ({})>",
            list(n, " + ", |i| format!("d0 * {}", i * 7919 % 1000))
        ))
    }),
    ("terms of a sum of symbols", |n| {
        attribute(&format!(
            "affine_map<(d0)[{0}] -> ({0})>",
            list(n, ", ", |i| format!("s{i}"))
                .replace(", ", " + ")
                .replace(" + ", ", ")
        ))
    }),
    ("terms of a sum of many", |n| {
        attribute(&format!(
            "affine_map<({}) -> ({})>",
            list(n, ", ", |i| format!("d{i}")),
            list(n, " + ", |i| format!("d{i}"))
        ))
    }),
    ("terms of a sum with constants", |n| {
        attribute(&format!(
            "affine_map<({}) -> ({})>",
            list(n, ", ", |i| format!("d{i}")),
            list(n, " + ", |i| format!("d{i} + {i}"))
        ))
    }),
    ("terms of a sum, the last first", |n| {
        attribute(&format!(
            "affine_map<({}) -> ({})>",
            list(n, ", ", |i| format!("d{i}")),
            list(n, " + ", |i| format!("d{}", n - 1 - i))
        ))
    }),
    ("factors", |n| {
        attribute(&format!(
            "affine_map<(d0)[s0] -> ({})>",
            list(n, " * ", |i| if i == 0 {
                "d0".into()
            } else {
                format!("s0 * {}", i % 3)
            })
        ))
    }),
    ("quotients", |n| {
        attribute(&format!(
            "affine_map<(d0) -> (d0{})>",
            " floordiv 2".repeat(n)
        ))
    }),
    ("rounded up quotients of a sum", |n| {
        attribute(&format!(
            "affine_map<({}) -> (({}){})>",
            list(n, ", ", |i| format!("d{i}")),
            list(n, " + ", |i| format!("d{i} * 4")),
            " ceildiv 2".repeat(n)
        ))
    }),
    ("remainders of a sum", |n| {
        attribute(&format!(
            "affine_map<({}) -> (({}){})>",
            list(n, ", ", |i| format!("d{i}")),
            list(n, " + ", |i| format!("d{i} * 4")),
            " mod 3".repeat(n)
        ))
    }),
    ("negations of a sum", |n| {
        attribute(&format!(
            "affine_map<({}) -> ({}({}){})>",
            list(n, ", ", |i| format!("d{i}")),
            "-".repeat(n).replace('-', "- ("),
            list(n, " + ", |i| format!("d{i}")),
            ")".repeat(n)
        ))
    }),
    ("affine maps", |n| {
        concat(n / 10, |i| {
            attribute(&format!("affine_map<(d0) -> (d0 + {i})>"))
        })
    }),
    ("aliases", |n| {
        concat(n, |i| format!("#a{i} = #d.x<{i}>\n")) + &concat(n, |i| attribute(&format!("#a{i}")))
    }),
    ("aliases that are not used", |n| {
        concat(n, |i| format!("#a{i} = {i}\n"))
    }),
    ("a chain of aliases", |n| {
        aliases("#a", "1", |a| format!("#d.x<{a}>"), n) + &attribute(&format!("#a{n}"))
    }),
    ("a chain of aliases of types", |n| {
        aliases("!t", "i1", |a| format!("!d.x<{a}>"), n) + &result(&format!("!t{n}"))
    }),
    ("a chain of aliases of locations", |n| {
        aliases("#loc", "loc(\"f\":1:1)", |l| format!("loc(\"x\"({l}))"), n)
            + &location(&format!("#loc{n}"))
    }),
    ("locations", |n| {
        concat(n, |i| location(&format!("\"f\":{i}:1")))
    }),
    ("locations that are defined behind", |n| {
        concat(n, |i| location(&format!("#loc{i}")))
            + &concat(n, |i| format!("#loc{i} = loc(\"f\":{i}:1)\n"))
    }),
    ("the same location", |n| {
        location("fused<1>[\"f\":1:1, \"g\":1:1]").repeat(n)
    }),
    ("fused of many", |n| {
        location(&format!(
            "fused[{}]",
            list(n, ", ", |i| format!("\"f\":{i}:1"))
        ))
    }),
    ("fused of the same", |n| {
        location(&format!("fused[{}]", list(n, ", ", |_| "\"f\":1:1".into())))
    }),
    ("names of operations", |n| {
        concat(n, |i| format!("\"t.op{i}\"() : () -> ()\n"))
    }),
    ("a long name of an operation", |n| {
        format!("\"t.{}\"() : () -> ()\n", "x".repeat(n))
    }),
    ("resources", |n| {
        let used = concat(n, |i| {
            attribute(&format!("dense_resource<r{i}> : tensor<1xi8>"))
        });
        let resources = list(n, ",\n", |i| format!("r{i}: \"0x0100000001\""));
        format!(
            "{used}{{-#\n  dialect_resources: {{\n    builtin: {{\n{resources}\n}}\n  }}\n#-}}\n"
        )
    }),
    ("external resources", |n| {
        format!(
            "{{-#\n  external_resources: {{\n    g: {{\n{}\n}}\n  }}\n#-}}\n",
            list(n, ",\n", |i| format!("r{i}: true"))
        )
    }),
    ("distinct attributes", |n| {
        concat(n, |i| attribute(&format!("distinct[{i}]<>")))
    }),
    ("a long string", |n| {
        attribute(&format!("\"{}\"", "x".repeat(n)))
    }),
    ("a long string of escapes", |n| {
        attribute(&format!("\"{}\"", "\\0A\\\\\\n".repeat(n)))
    }),
    ("long comments", |n| {
        "// comment\n".repeat(n) + &"/".repeat(n) + "\n" + &"\n".repeat(n)
    }),
    ("one long line", |n| "\"t.op\"() : () -> () ".repeat(n)),
    ("a decimal integer of many digits", |n| {
        attribute(&format!("{} : i16777215", "7".repeat(n)))
    }),
    ("a hexadecimal integer of many digits", |n| {
        attribute(&format!("0x{} : i16777215", "7".repeat(n)))
    }),
    ("zeros before a number", |n| {
        attribute(&format!("{}1 : i64", "0".repeat(n)))
    }),
    ("a float of many digits", |n| {
        attribute(&format!("{0}.{0}e-7 : f64", "7".repeat(n)))
    }),
    ("a float of a large exponent", |n| {
        attribute(&format!("{}.0e-{n} : f64", "7".repeat(n)))
    }),
    ("modules", |n| "module {\n}\n".repeat(n)),
    ("symbols of the same dialect body", |n| {
        concat(n, |i| format!("func.func private @s{i}()\n"))
            + &concat(n, |i| attribute(&format!("#d.a<@s{i}>")))
    }),
];

/// Bad texts of size `n`, and a part of the error that they get.
pub(crate) const BAD: &[BadRule] = &[
    (
        "names that are not defined",
        |n| concat(n, |i| format!("\"t.u\"(%{i}) : (i32) -> ()\n")),
        "use of undeclared SSA value name",
    ),
    (
        "blocks that are not defined",
        |n| {
            format!(
                "\"t.r\"() ({{\n{}}}) : () -> ()\n",
                concat(n, |i| format!("^b{i}:\n  \"t.b\"()[^c{i}] : () -> ()\n"))
            )
        },
        "reference to an undefined block",
    ),
    (
        "locations that are not defined",
        |n| concat(n, |i| location(&format!("#loc{i}"))),
        "operation location alias was never defined",
    ),
    (
        "an error at the end of a long line",
        |n| "\"t.op\"() : () -> () ".repeat(n) + "?",
        "expected operation name in quotes",
    ),
    (
        "an error behind many lines",
        |n| "\"t.op\"() : () -> ()\n".repeat(n) + "?",
        "expected operation name in quotes",
    ),
    (
        "a string without an end",
        |n| attribute(&format!("\"{}", "x".repeat(n))),
        "expected '\"' in string literal",
    ),
    (
        "strings without an end",
        |n| "\"\n".repeat(n),
        "expected '\"' in string literal",
    ),
    (
        "regions without an end",
        |n| "\"t.r\"() ({\n".repeat(n),
        "expected operation name in quotes",
    ),
    (
        "arrays without an end",
        |n| attribute(&"[".repeat(n)),
        "expected attribute value",
    ),
    (
        "tuples without an end",
        |n| result(&"tuple<".repeat(n)),
        "expected non-function type",
    ),
    (
        "functions without an end",
        |n| result(&"(".repeat(n)),
        "expected",
    ),
    (
        "bodies without an end",
        |n| attribute(&"#d.a<".repeat(n)),
        "character in pretty dialect name",
    ),
    (
        "brackets without an end",
        |n| attribute(&format!("#d.a<{}", "[(".repeat(n))),
        "character in pretty dialect name",
    ),
    (
        "brackets of an affine map without an end",
        |n| attribute(&format!("affine_map<(d0) -> ({}", "(".repeat(n))),
        "expected",
    ),
    (
        "call sites without an end",
        |n| location(&"callsite(".repeat(n)),
        "expected",
    ),
    (
        "dense elements without an end",
        |n| attribute(&format!("dense<{}", "[".repeat(n))),
        "expected",
    ),
    (
        "the same key",
        |n| attribute(&format!("{{{}}}", list(n, ", ", |_| "k".into()))),
        "duplicate key",
    ),
    (
        "symbols of a map that has none",
        |n| {
            attribute(&format!(
                "affine_map<() -> ({})>",
                list(n, ", ", |i| format!("s{i}"))
            ))
        },
        "use of undeclared identifier",
    ),
    (
        "more results than there are",
        |n| format!("%0:{n} = \"t.op\"() : () -> ()\n"),
        "cannot name an operation with no results",
    ),
    (
        "a hundred million results",
        |_| "%0:100000000 = \"t.op\"() : () -> (i1)\n".into(),
        "operation defines 1 results but was provided 100000000 to bind",
    ),
    (
        "four thousand million results",
        |_| "%0:4000000000 = \"t.op\"() : () -> (i1)\n".into(),
        "operation defines 1 results but was provided 4000000000 to bind",
    ),
];

/// Something of size `n` that `n` others refer to, each of which could take up `n` on its own.
pub(crate) const MULTIPLYING: &[Rule] = &[
    ("fused locations in fused locations", |n| {
        let first = format!(
            "#loc = loc(fused[{}])\n",
            list(n, ", ", |i| format!("\"f\":{i}:1"))
        );
        first + &concat(n, |i| location(&format!("fused[#loc, \"g\":{i}:1]")))
    }),
    ("a growing fused location", |n| {
        let first = "#loc0 = loc(fused[\"f\":1:1, \"f\":2:1])\n".to_owned();
        first
            + &concat(n, |i| {
                format!("#loc{} = loc(fused[#loc{i}, \"g\":{i}:1])\n", i + 1)
            })
            + &location(&format!("#loc{n}"))
    }),
    ("splats of a type of many dimensions", |n| {
        format!("!t = tensor<{}i32>\n", "1x".repeat(n))
            + &concat(n, |i| attribute(&format!("dense<{i}> : !t")))
    }),
    ("sparse elements of a type of many dimensions", |n| {
        format!("!t = tensor<{}i32>\n", "1x".repeat(n))
            + &concat(n, |i| attribute(&format!("[sparse<> : !t, {i}]")))
    }),
    ("resources of a type of many dimensions", |n| {
        format!("!t = tensor<{}i32>\n", "1x".repeat(n))
            + &concat(n, |i| attribute(&format!("dense_resource<r{i}> : !t")))
    }),
    ("long properties of unknown operations", |n| {
        format!("#d = {{{}}}\n", list(n, ", ", |i| format!("k{i}")))
            + &"\"t.op\"() <#d> : () -> ()\n".repeat(n)
    }),
    ("long properties of known operations", |n| {
        format!("#d = {{{}}}\n", list(n, ", ", |i| format!("k{i}")))
            + &"\"func.return\"() <#d> : () -> ()\n".repeat(n)
    }),
    ("long properties and attributes of known operations", |n| {
        format!("#d = {{{}}}\n", list(n, ", ", |i| format!("k{i}")))
            + &"\"func.return\"() <#d> {callee} : () -> ()\n".repeat(n)
    }),
    ("calls that share a type", |n| {
        let types = list(n, ", ", |_| "i32".into());
        let calls = concat(n, |i| format!("  %{i}:{n} = func.call @f() : !f\n"));
        format!(
            "!f = () -> ({types})\nfunc.func private @f() -> ({types})\nfunc.func @g() {{\n{calls}  return\n}}\n"
        )
    }),
    ("operations that share a type", |n| {
        let types = list(n, ", ", |_| "i32".into());
        format!("!f = () -> ({types})\n") + &concat(n, |i| format!("%a{i}:{n} = \"t.op\"() : !f\n"))
    }),
    ("functions that share a type", |n| {
        let types = list(n, ", ", |_| "i32".into());
        let attributes = list(n, ", ", |_| "{a.b}".into());
        format!("!f = ({types}) -> ({types})\n#a = [{attributes}]\n")
            + &concat(n, |i| {
                format!(
                    "\"func.func\"() <{{sym_name = \"f{i}\", sym_visibility = \"private\", function_type = !f, arg_attrs = #a, res_attrs = #a}}> ({{\n}}) : () -> ()\n"
                )
            })
    }),
    ("wide integers", |n| {
        concat(n, |i| attribute(&format!("{i} : i16777215")))
    }),
    ("negative wide integers", |n| {
        attribute(&format!(
            "[{}]",
            list(n, ", ", |i| format!("-{} : i16777215", i + 1))
        ))
    }),
    ("wide dense integers", |n| {
        attribute(&format!(
            "dense<[{}]> : tensor<{n}xi16777215>",
            list(n, ", ", |i| i.to_string())
        ))
    }),
    ("wide dense splats", |n| {
        concat(n, |i| {
            attribute(&format!("dense<{i}> : tensor<1xi16777215>"))
        })
    }),
    ("arrays of wide integers", |n| {
        attribute(&format!(
            "array<i16777208: {}>",
            list(n, ", ", |i| i.to_string())
        ))
    }),
    ("wide sparse integers", |n| {
        attribute(&format!(
            "sparse<[{}], [{}]> : tensor<{n}xi16777215>",
            list(n, ", ", |i| format!("[{i}]")),
            list(n, ", ", |i| i.to_string())
        ))
    }),
    ("quotients of a sum", |n| {
        attribute(&format!(
            "affine_map<({}) -> (({}){})>",
            list(n, ", ", |i| format!("d{i}")),
            list(n, " + ", |i| format!("d{i}")),
            " floordiv -1".repeat(n)
        ))
    }),
    ("long arrays in bodies", |n| {
        format!("#a = [{}]\n", list(n.min(10_000), ",", |_| "1".into()))
            + &concat(n, |i| attribute(&format!("#d.a<#a, {i}>")))
    }),
    ("longer arrays in bodies", |n| {
        format!("#a = [{}]\n", list(n, ",", |_| "1".into()))
            + &concat(n, |i| attribute(&format!("#d.a<#a, {i}>")))
    }),
    ("long strings in bodies", |n| {
        format!("#a = \"{}\"\n", "x".repeat(n.min(30_000)))
            + &concat(n, |i| attribute(&format!("#d.a<#a, {i}>")))
    }),
    ("long symbols in symbols", |n| {
        format!("#a = @a{}\n", "::@b".repeat(n)) + &concat(n, |i| attribute(&format!("[#a, {i}]")))
    }),
    ("many dimensions in maps", |n| {
        format!(
            "#m = affine_map<({0}) -> ()>\n",
            list(n, ", ", |i| format!("d{i}"))
        ) + &concat(n, |i| attribute(&format!("[#m, {i}]")))
    }),
    ("results of a long tuple", |n| {
        format!("!t = tuple<{}>\n", list(n, ", ", |_| "i32".into()))
            + &concat(n, |i| format!("%{i} = \"t.op\"() : () -> !t\n"))
    }),
    ("symbols in the text of many bodies", |n| {
        format!("#a = #d.a<{}>\n", list(n, ", ", |i| format!("@s{i}")))
            + &concat(n, |i| {
                attribute(&format!("[#a, {i}]")) + &format!("func.func private @s{i}()\n")
            })
    }),
    ("a body of many references", |n| {
        concat(n, |i| format!("#x{i} = #d.x<{i}>\n"))
            + &attribute(&format!(
                "#d.a<{}>",
                list(n, "", |i| format!("(#x{i} -> #x{i})"))
            ))
    }),
    ("names of locations that are repeated", |n| {
        format!("#loc = loc(\"{}\")\n", "x".repeat(n))
            + &concat(n, |i| location(&format!("fused<{i}>[#loc, \"g\":1:1]")))
    }),
];
