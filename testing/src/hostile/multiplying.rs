//! Inputs in which many items refer to one large item.

use super::{Rule, aliases, attribute, concat, list, location};

/// Something of size `n` that `n` others refer to, each of which could take up `n` on its own.
pub const MULTIPLYING: &[Rule] = &[
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
    ("doubling arrays in a body", |n| {
        aliases("#a", "1", |a| format!("[{a}, {a}]"), n.clamp(60, 100)) + &attribute("#d.x<#a60>")
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
