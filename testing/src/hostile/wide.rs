//! Inputs with many items side by side.

use super::{Rule, aliases, attribute, concat, list, location, result};

/// `n` of something side by side. All are valid.
pub const WIDE: &[Rule] = &[
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
