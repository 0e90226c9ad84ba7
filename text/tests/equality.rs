//! Tests equality and fingerprints of parsed texts.
#![allow(clippy::panic, clippy::unwrap_used)]

use rmlir_ir::{
    Context, EqualityOptions, Fingerprint, FingerprintOptions, Fingerprinter, Module, Operation,
    StripOptions, fingerprint, semantic_difference, semantic_eq, strip,
};
use rmlir_text::{ParseOptions, parse_module};

struct Parsed {
    context: Context,
    module: Module,
}

fn parse(text: &str) -> Parsed {
    let mut context = Context::new();
    let module = parse_into(&mut context, text);
    Parsed { context, module }
}

fn parse_into(context: &mut Context, text: &str) -> Module {
    let options = ParseOptions::for_file("test.mlir");
    match parse_module(context, text.as_bytes(), &options) {
        Ok(module) => module,
        Err(error) => panic!("{text}\n{error}"),
    }
}

impl Parsed {
    fn fingerprint(&self, locations: bool) -> Fingerprint {
        let options = FingerprintOptions { locations };
        fingerprint(&self.context, &self.module, self.module.top(), &options)
    }

    fn equals(&self, other: &Parsed, locations: bool) -> bool {
        semantic_eq(
            (&self.context, &self.module),
            (&other.context, &other.module),
            &EqualityOptions { locations },
        )
    }
}

/// Returns the difference between two texts; panics if equality and fingerprint disagree.
fn difference(left: &str, right: &str, locations: bool) -> Option<String> {
    let (left, right) = (parse(left), parse(right));
    let found = semantic_difference(
        (&left.context, &left.module),
        (&right.context, &right.module),
        &EqualityOptions { locations },
    );
    let same = left.fingerprint(locations) == right.fingerprint(locations);
    assert_eq!(found.is_none(), same, "{found:?}");
    found.map(|d| d.to_string())
}

fn op(attributes: &str) -> String {
    format!("\"t.op\"() {attributes} : () -> ()")
}

fn module(body: &str, attributes: &str) -> String {
    format!("\"builtin.module\"() ({{^b: {body}}}) {attributes} : () -> ()")
}

/// Returns texts, each with the class of texts that have equal content.
fn corpus() -> Vec<(&'static str, String)> {
    let mut all: Vec<(&'static str, String)> = Vec::new();
    let mut add = |class: &'static str, text: &str| all.push((class, text.to_owned()));
    add("empty", "");
    add("empty", &module("", ""));
    add("empty", &module("\n  // a comment\n", ""));
    add("named", &module("", "{sym_name = \"m\"}"));
    add("op", &op(""));
    add("op", &op("{}"));
    add("op", &module("\"t.op\"() : () -> ()", ""));
    add("op empty properties", "\"t.op\"() <{}> : () -> ()");
    add("op a discardable", &op("{a = 1 : i32}"));
    add("op a property", "\"t.op\"() <{a = 1 : i32}> : () -> ()");
    add("op string property", "\"t.op\"() <\"x\"> : () -> ()");
    add("a i64", &op("{a = 1 : i64}"));
    add("a i64", &op("{a = 1}"));
    add("a i32 2", &op("{a = 2 : i32}"));
    add("b", &op("{b = 1 : i32}"));
    add("ab", &op("{a = 1 : i32, b}"));
    add("ab", &op("{b, a = 1 : i32}"));
    add(
        "ab",
        &format!("#x = 1 : i32\n#y = unit\n{}", op("{b = #y, a = #x}")),
    );
    // Dialect attributes: by alias, spelled out, and in either of two spellings.
    add("dialect", &op("{a = #d.m<[#d.n<3>, !d.t, i32]>}"));
    add("dialect", &op("{a = #d<m<[#d.n<3>, !d.t, i32]>>}"));
    let aliased = |n: &str, t: &str, rest: &str| {
        format!("#{n} = #d.n<3>\n!{t} = !d.t\n{rest}")
            .replace("NAME", n)
            .replace("TYPE", t)
    };
    let outer = format!("#m = #d.m<[#NAME, !TYPE, i32]>\n{}", op("{a = #m}"));
    add("dialect", &aliased("n", "t", &outer));
    add("dialect", &aliased("other", "u", &outer));
    let inner = op("{a = #d.m<[#NAME, !TYPE, i32]>}");
    add("dialect", &aliased("x", "x", &inner));
    add("dialect i64", &op("{a = #d.m<[#d.n<3>, !d.t, i64]>}"));
    add("dialect 4", &op("{a = #d.m<[#d.n<4>, !d.t, i32]>}"));
    add("dialect type", &op("{a = !d.m<[#d.n<3>, !d.t, i32]>}"));
    add(
        "dialect typed",
        &op("{a = #d.m<[#d.n<3>, !d.t, i32]> : i32}"),
    );
    // Distinct attributes.
    add(
        "distinct 2",
        "\"t.op\"() {a = distinct[0]<1>, b = distinct[1]<1>} : () -> ()",
    );
    add(
        "distinct 2",
        "\"t.op\"() {a = distinct[1]<1>, b = distinct[0]<1>} : () -> ()",
    );
    add(
        "distinct 2",
        "#x = distinct[7]<1>\n\"t.op\"() {b = distinct[3]<1>, a = #x} : () -> ()",
    );
    add(
        "distinct shared",
        "\"t.op\"() {a = distinct[0]<1>, b = distinct[0]<1>} : () -> ()",
    );
    add(
        "distinct shared",
        "#x = distinct[5]<1>\n\"t.op\"() {a = #x, b = #x} : () -> ()",
    );
    add("distinct not", "\"t.op\"() {a = 1, b = 1} : () -> ()");
    add(
        "distinct aba",
        "\"t.a\"() {a = [distinct[0]<>, distinct[1]<>], b = distinct[0]<>} : () -> ()",
    );
    add(
        "distinct aba",
        "\"t.a\"() {a = [distinct[1]<>, distinct[0]<>], b = distinct[1]<>} : () -> ()",
    );
    add(
        "distinct abb",
        "\"t.a\"() {a = [distinct[0]<>, distinct[1]<>], b = distinct[1]<>} : () -> ()",
    );
    add("distinct nested", &op("{a = distinct[0]<distinct[1]<1>>}"));
    add("distinct nested", &op("{a = distinct[1]<distinct[0]<1>>}"));
    add(
        "distinct nested shared",
        &op("{a = [distinct[0]<distinct[1]<1>>, distinct[1]<1>]}"),
    );
    add(
        "distinct nested not shared",
        &op("{a = [distinct[0]<distinct[1]<1>>, distinct[2]<1>]}"),
    );
    // Floats.
    add("float 0", &op("{a = 0.0 : f32}"));
    add("float 0", &op("{a = 0x00000000 : f32}"));
    add("float -0", &op("{a = -0.0 : f32}"));
    add("float nan", &op("{a = 0x7FC00000 : f32}"));
    add("float nan 1", &op("{a = 0x7FC00001 : f32}"));
    add("float 0 f64", &op("{a = 0.0 : f64}"));
    add("dense 0", &op("{a = dense<0.0> : tensor<2xf32>}"));
    add("dense 0", &op("{a = dense<[0.0, 0.0]> : tensor<2xf32>}"));
    add(
        "dense 0",
        &op("{a = dense<\"0x0000000000000000\"> : tensor<2xf32>}"),
    );
    add("dense -0", &op("{a = dense<[0.0, -0.0]> : tensor<2xf32>}"));
    add(
        "dense nan",
        &op("{a = dense<[0.0, 0x7FC00001]> : tensor<2xf32>}"),
    );
    add(
        "dense nan 2",
        &op("{a = dense<[0.0, 0x7FC00002]> : tensor<2xf32>}"),
    );
    // Resources.
    let blob = |key: &str, hex: &str| {
        format!(
            "{}\n{{-# dialect_resources: {{ builtin: {{ {key}: \"0x{hex}\" }} }} #-}}",
            op(&format!("{{a = dense_resource<{key}> : tensor<1xi32>}}"))
        )
    };
    add("blob", &blob("k", "0400000001000000"));
    add("blob", &blob("other_key", "0400000001000000"));
    add("blob content", &blob("k", "0400000002000000"));
    add("blob alignment", &blob("k", "0800000001000000"));
    add("no blob k", &op("{a = dense_resource<k> : tensor<1xi32>}"));
    add("no blob l", &op("{a = dense_resource<l> : tensor<1xi32>}"));
    let two = |keys: [&str; 2], first: &str, second: &str| {
        let [k, l] = keys;
        let op = op(&format!(
            "{{a = dense_resource<{k}> : tensor<1xi32>, b = dense_resource<{l}> : tensor<1xi32>}}"
        ));
        let value = |key: &str, hex: &str| format!("{key}: \"0x04000000{hex}\"");
        let values = if k == l {
            value(k, first)
        } else {
            format!("{}, {}", value(l, second), value(k, first))
        };
        format!("{op}\n{{-# dialect_resources: {{ builtin: {{ {values} }} }} #-}}")
    };
    add("two blobs same", &two(["k", "l"], "01000000", "01000000"));
    add("two blobs same", &two(["k", "k"], "01000000", "01000000"));
    add("two blobs", &two(["k", "l"], "01000000", "02000000"));
    add("two blobs", &two(["l", "k"], "01000000", "02000000"));
    // Values.
    add(
        "values",
        "%a:2 = \"t.two\"() : () -> (i32, i32)\n\"t.use\"(%a#0, %a#1) : (i32, i32) -> ()",
    );
    add(
        "values",
        "%0:2 = \"t.two\"() : () -> (i32, i32)\n\"t.use\"(%0#0, %0#1) : (i32, i32) -> ()",
    );
    add(
        "values",
        "%x, %y = \"t.two\"() : () -> (i32, i32)\n\"t.use\"(%x, %y) : (i32, i32) -> ()",
    );
    add(
        "values swapped",
        "%a:2 = \"t.two\"() : () -> (i32, i32)\n\"t.use\"(%a#1, %a#0) : (i32, i32) -> ()",
    );
    add(
        "values same",
        "%a:2 = \"t.two\"() : () -> (i32, i32)\n\"t.use\"(%a#1, %a#1) : (i32, i32) -> ()",
    );
    add(
        "forward",
        "\"t.use\"(%b) : (i32) -> ()\n%b = \"t.one\"() : () -> i32\n%c = \"t.one\"() : () -> i32",
    );
    add(
        "forward",
        "\"t.use\"(%1) : (i32) -> ()\n%1 = \"t.one\"() : () -> i32\n%0 = \"t.one\"() : () -> i32",
    );
    add(
        "forward 2",
        "\"t.use\"(%c) : (i32) -> ()\n%b = \"t.one\"() : () -> i32\n%c = \"t.one\"() : () -> i32",
    );
    // Blocks.
    let blocks = |text: &str| format!("\"t.f\"() ({{{text}}}) {{sym_name = \"f\"}} : () -> ()");
    add(
        "blocks",
        &blocks(
            "\"t.br\"()[^a] : () -> ()\n^a: \"t.br\"()[^b] : () -> ()\n^b: \"t.ret\"() : () -> ()",
        ),
    );
    add(
        "blocks",
        &blocks(
            "^e: \"t.br\"()[^b] : () -> ()\n^b: \"t.br\"()[^a] : () -> ()\n^a: \"t.ret\"() : () -> ()",
        ),
    );
    add(
        "blocks order",
        &blocks(
            "\"t.br\"()[^a] : () -> ()\n^b: \"t.ret\"() : () -> ()\n^a: \"t.br\"()[^b] : () -> ()",
        ),
    );
    add(
        "blocks loop",
        &blocks(
            "\"t.br\"()[^a] : () -> ()\n^a: \"t.br\"()[^a] : () -> ()\n^b: \"t.ret\"() : () -> ()",
        ),
    );
    add(
        "block argument",
        &blocks("^a(%x: i32): \"t.ret\"(%x) : (i32) -> ()"),
    );
    add(
        "block argument",
        &blocks("^other(%y : i32):\n\"t.ret\"(%y) : (i32) -> ()"),
    );
    add(
        "block argument i64",
        &blocks("^a(%x: i64): \"t.ret\"(%x) : (i64) -> ()"),
    );
    add("no block", "\"t.f\"() ({}) : () -> ()");
    add("two regions", "\"t.f\"() ({}, {}) : () -> ()");
    add(
        "two regions 1",
        "\"t.f\"() ({\"t.op\"() : () -> ()}, {}) : () -> ()",
    );
    add(
        "two regions 2",
        "\"t.f\"() ({}, {\"t.op\"() : () -> ()}) : () -> ()",
    );
    // Types.
    for ty in [
        "i32",
        "si32",
        "ui32",
        "f32",
        "bf16",
        "index",
        "none",
        "complex<f32>",
        "tuple<>",
        "tuple<i32>",
        "() -> ()",
        "(i32) -> ()",
        "() -> i32",
        "vector<4xf32>",
        "vector<[4]xf32>",
        "tensor<4xf32>",
        "tensor<?xf32>",
        "tensor<*xf32>",
        "tensor<4xf32, 1>",
        "memref<4xf32>",
        "memref<4xf32, 1>",
        "memref<4xf32, strided<[2]>>",
        "memref<*xf32>",
        "memref<*xf32, 1>",
        "!t.x",
        "!t.x<1>",
        "!u.x",
    ] {
        add(ty, &op(&format!("{{a = {ty}}}")));
    }
    // The identity layout and memory space 0 are the defaults.
    add(
        "memref<4xf32>",
        &op("{a = memref<4xf32, affine_map<(d0) -> (d0)>>}"),
    );
    add("memref<4xf32>", &op("{a = memref<4xf32, 0>}"));
    // Other attributes.
    for attribute in [
        "\"x\"",
        "\"x\" : !t.x",
        "@x",
        "@x::@y",
        "@x::@y::@z",
        "[]",
        "[1]",
        "[[1]]",
        "{x}",
        "true",
        "false",
        "dense<[1, 2]> : tensor<2xi32>",
        "dense<[1, 2]> : vector<2xi32>",
        "dense<1> : tensor<2xi32>",
        "dense<1> : tensor<3xi32>",
        "dense<[\"a\", \"b\"]> : tensor<2x!t.s>",
        "dense<\"a\"> : tensor<2x!t.s>",
        "array<i32>",
        "array<i32: 1, 2>",
        "array<i64: 1, 2>",
        "array<i8: 1, 2>",
        "sparse<[[0]], [1.0]> : tensor<4xf32>",
        "sparse<[[1]], [1.0]> : tensor<4xf32>",
        "affine_map<(d0) -> (d0)>",
        "affine_map<(d0, d1) -> (d0)>",
        "affine_map<(d0) -> (d0 + 1)>",
        "affine_map<(d0)[s0] -> (d0 mod s0)>",
        "affine_map<(d0)[s0] -> (d0 floordiv s0)>",
        "affine_map<(d0)[s0] -> (d0 ceildiv s0)>",
        "affine_map<(d0)[s0] -> (d0 * s0)>",
        "affine_set<(d0) : (d0 >= 0)>",
        "affine_set<(d0) : (d0 == 0)>",
        "strided<[1], offset: 2>",
        "strided<[1, 2]>",
        "loc(unknown)",
        "loc(\"f\":1:2)",
        "loc(\"f\":1:3)",
        "loc(\"n\")",
        "loc(callsite(\"a\" at \"b\"))",
        "loc(callsite(\"b\" at \"a\"))",
        "loc(fused[\"a\", \"b\"])",
        "loc(fused<1>[\"a\", \"b\"])",
        "#t.x",
        "#t.x<1>",
        "#u.x",
    ] {
        add(attribute, &op(&format!("{{a = {attribute}}}")));
    }
    all
}

/// For every pair of texts, checks that they are equal exactly if they are in the same class, and
/// that the fingerprints agree; across contexts and within one; with and without locations.
#[test]
fn equality_is_equality_of_fingerprints() {
    let corpus = corpus();
    let apart: Vec<Parsed> = corpus.iter().map(|(_, text)| parse(text)).collect();
    let mut context = Context::new();
    let together: Vec<Module> = corpus
        .iter()
        .map(|(_, text)| parse_into(&mut context, text))
        .collect();
    for locations in [false, true] {
        let prints: Vec<Fingerprint> = apart.iter().map(|p| p.fingerprint(locations)).collect();
        // One fingerprinter for all gives the same as a new one for each.
        let mut printer = Fingerprinter::new(&context, &FingerprintOptions { locations });
        for (module, print) in together.iter().zip(&prints) {
            assert_eq!(printer.fingerprint(module, module.top()), *print);
        }
        for i in 0..corpus.len() {
            for j in 0..corpus.len() {
                let equal = apart[i].equals(&apart[j], locations);
                let texts = || format!("{}\nand\n{}", corpus[i].1, corpus[j].1);
                assert_eq!(equal, prints[i] == prints[j], "{}", texts());
                // Without locations, attributes that are locations are equal.
                let are_locations = [i, j].map(|at| corpus[at].0.starts_with("loc("));
                if !locations {
                    let expected = corpus[i].0 == corpus[j].0 || are_locations == [true; 2];
                    assert_eq!(equal, expected, "{}", texts());
                } else if are_locations == [true; 2] {
                    assert_eq!(equal, i == j, "{}", texts());
                }
                let options = EqualityOptions { locations };
                let within =
                    semantic_eq((&context, &together[i]), (&context, &together[j]), &options);
                assert_eq!(equal, within, "{}", texts());
            }
        }
    }
}

#[test]
fn locations_count_when_asked_for() {
    let one = "\"t.op\"() : () -> () loc(\"a\":1:2)";
    let two = "\"t.op\"() : () -> () loc(\"a\":1:3)";
    let nowhere = |op: &str| module(op, "") + " loc(unknown)";
    let (one, two) = (nowhere(one), nowhere(two));
    assert_eq!(difference(&one, &two, false), None);
    let found = difference(&one, &two, true).unwrap();
    assert_eq!(
        found,
        "builtin.module / operation 0 (t.op): location differs"
    );
    assert_eq!(difference(&one, &one, true), None);
    // By alias, and with another table order.
    let alias = nowhere("\"t.op\"() : () -> () loc(#l)") + "\n#x = loc(\"b\")\n#l = loc(\"a\":1:2)";
    assert_eq!(difference(&one, &alias, true), None);
    // Equal locations are equal whether or not they share an entry.
    let apart = nowhere("\"t.op\"() : () -> () loc(callsite(\"a\"(\"b\") at \"a\"(\"b\")))");
    let shared = "#l = loc(\"a\"(\"b\"))\n".to_owned()
        + &nowhere("\"t.op\"() : () -> () loc(callsite(#l at #l))");
    assert_eq!(difference(&apart, &shared, true), None);
    // A file without a name is standard input.
    let nameless = nowhere("\"t.op\"() : () -> () loc(\"\":1:2)");
    let stdin = nowhere("\"t.op\"() : () -> () loc(\"-\":1:2)");
    assert_eq!(difference(&nameless, &stdin, true), None);
    // Block arguments.
    let argument = |l: &str| {
        nowhere(&format!(
            "\"t.f\"() ({{^a(%x: i32 loc({l})):}}) : () -> () loc(unknown)"
        ))
    };
    let (one, two) = (argument("\"a\""), argument("\"b\""));
    assert_eq!(difference(&one, &two, false), None);
    let found = difference(&one, &two, true).unwrap();
    assert_eq!(
        found,
        "builtin.module / operation 0 (t.f): location of argument 0 of block 0 differs"
    );
    // Attributes, and locations inside of them.
    let attribute =
        |value: &str| nowhere(&format!("\"t.op\"() {{a = {value}}} : () -> () loc(\"a\")"));
    let kinds: [fn(&str) -> String; 4] = [
        |l: &str| format!("loc({l})"),
        |l: &str| format!("[loc({l}), 1]"),
        |l: &str| format!("#d.x<1, loc({l})>"),
        |l: &str| format!("loc(fused<distinct[0]<{l}>>[unknown])"),
    ];
    for of in kinds {
        let (one, two) = (attribute(&of("\"b\"")), attribute(&of("\"c\"")));
        assert_eq!(difference(&one, &two, false), None, "{one}");
        assert!(difference(&one, &two, true).is_some(), "{one}");
        // What strips locations leaves the same content.
        let mut stripped = parse(&one);
        let options = StripOptions::default();
        strip(&mut stripped.context, &mut stripped.module, &options);
        assert_eq!(stripped.fingerprint(false), parse(&one).fingerprint(false));
    }
    let (one, two) = (attribute("loc(\"b\")"), attribute("\"b\""));
    assert!(difference(&one, &two, false).is_some());
    // The option changes the fingerprint even if there are no locations.
    let parsed = parse("");
    assert_ne!(parsed.fingerprint(false), parsed.fingerprint(true));
}

#[test]
fn differences_say_where() {
    let function = |body: &str| {
        format!(
            "\"func.func\"() ({{^e: \"t.br\"()[^b] : () -> ()\n^b:\n{body}}}) {{sym_name = \"f\"}} : () -> ()"
        )
    };
    let pair = "%a, %b = \"t.two\"() : () -> (i32, i64)\n";
    let check = |left: &str, right: &str, expected: &str| {
        let left = function(&format!("{pair}{left}"));
        let right = function(&format!("{pair}{right}"));
        let found = difference(&left, &right, false).unwrap();
        let path = "builtin.module / func.func @f / block 1 / ";
        assert_eq!(found.strip_prefix(path), Some(expected), "{found}");
    };
    check(
        "\"arith.addi\"(%a, %a, %a) : (i32, i32, i32) -> ()",
        "\"arith.addi\"(%a, %b, %a) : (i32, i64, i32) -> ()",
        "operation 1 (arith.addi): operand 1 differs: result 0 of t.two and result 1 of t.two",
    );
    check(
        "\"t.a\"() : () -> ()",
        "\"t.b\"() : () -> ()",
        "operation 1 (t.a): name differs: `t.a` and `t.b`",
    );
    check(
        "\"t.a\"() : () -> ()",
        "",
        "operation 1 (t.a): the operation is only on the left side",
    );
    check(
        "",
        "\"t.a\"() : () -> ()",
        "operation 1 (t.a): the operation is only on the right side",
    );
    check(
        "\"t.a\"() {x = 1} : () -> ()",
        "\"t.a\"() {x = 2} : () -> ()",
        "operation 1 (t.a): discardable attribute `x` differs",
    );
    check(
        "\"t.a\"() <{x = 1, y}> : () -> ()",
        "\"t.a\"() <{x = 1}> : () -> ()",
        "operation 1 (t.a): inherent attribute `y` is only on the left side",
    );
    check(
        "\"t.a\"() <{b}> : () -> ()",
        "\"t.a\"() <{a}> : () -> ()",
        "operation 1 (t.a): inherent attribute `a` is only on the right side",
    );
    check(
        "\"t.a\"() : () -> i32",
        "\"t.a\"() : () -> i64",
        "operation 1 (t.a): type of result 0 differs",
    );
    check(
        "\"t.a\"() ({}, {\"t.b\"() : () -> ()}) : () -> ()",
        "\"t.a\"() ({}, {\"t.b\"() : () -> i1}) : () -> ()",
        "operation 1 (t.a) / region 1 / operation 0 (t.b): number of results differs: 0 and 1",
    );
    check(
        "\"t.a\"() ({^a: ^b:}) : () -> ()",
        "\"t.a\"() ({^a:}) : () -> ()",
        "operation 1 (t.a): block 1 of a region is only on the left side",
    );
}

/// Returns the top-level operations of a module.
fn operations(parsed: &Parsed) -> Vec<Operation> {
    parsed
        .module
        .operations(parsed.module.body().unwrap())
        .collect()
}

/// Values from outside of the compared operation count by type and identity, not by their
/// definition.
#[test]
fn operations_alone() {
    let parsed = parse(
        "%a = \"t.a\"() : () -> i32\n%b = \"t.b\"() : () -> i32\n%c = \"t.c\"() : () -> i64\n\
         \"t.u\"(%a, %b) : (i32, i32) -> ()\n\"t.u\"(%b, %a) : (i32, i32) -> ()\n\
         \"t.u\"(%a, %a) : (i32, i32) -> ()\n\"t.u\"(%a, %c) : (i32, i64) -> ()\n\
         \"t.d\"() {a = distinct[0]<>, b = distinct[1]<>} : () -> ()\n\
         \"t.d\"() {a = distinct[1]<>, b = distinct[0]<>} : () -> ()\n\
         \"t.d\"() {a = distinct[1]<>, b = distinct[1]<>} : () -> ()",
    );
    let ops = operations(&parsed);
    let options = FingerprintOptions::default();
    let mut printer = Fingerprinter::new(&parsed.context, &options);
    for &left in &ops {
        for &right in &ops {
            let side = |op| (&parsed.context, &parsed.module, op);
            let equal = semantic_eq(side(left), side(right), &EqualityOptions::default());
            let alone = fingerprint(&parsed.context, &parsed.module, left, &options);
            assert_eq!(alone, printer.fingerprint(&parsed.module, left));
            assert_eq!(equal, alone == printer.fingerprint(&parsed.module, right));
            let place = |op| ops.iter().position(|&o| o == op).unwrap();
            let same = matches!(
                (place(left), place(right)),
                (3, 4) | (4, 3) | (7, 8) | (8, 7)
            );
            assert_eq!(equal, same || left == right, "{left:?} {right:?}");
        }
    }
}

const DEEP: usize = if cfg!(debug_assertions) {
    20_000
} else {
    100_000
};

#[test]
fn deep_entries() {
    let nested = |open: &str, leaf: &str, close: &str| {
        op(&format!(
            "{{a = {}{leaf}{}}}",
            open.repeat(DEEP),
            close.repeat(DEEP)
        ))
    };
    for (open, leaf, other, close) in [
        ("[", "1", "2", "]"),
        ("tuple<", "i32", "i64", ">"),
        ("{a = ", "1", "2", "}"),
        ("#d.x<", "1", "2", ">"),
        ("!d.x<", "1", "2", ">"),
    ] {
        let (a, b) = (nested(open, leaf, close), nested(open, other, close));
        assert_eq!(difference(&a, &a, false), None);
        let found = difference(&a, &b, false).unwrap();
        assert_eq!(
            found,
            "builtin.module / operation 0 (t.op): discardable attribute `a` differs"
        );
    }
    let located = |leaf: &str| {
        let names = "\"a\"(".repeat(DEEP);
        format!(
            "\"t.op\"() : () -> () loc({names}{leaf}{})",
            ")".repeat(DEEP)
        )
    };
    let (a, b) = (located("\"x\""), located("\"y\""));
    assert_eq!(difference(&a, &a, true), None);
    assert!(difference(&a, &b, true).is_some());
    let distinct = (0..DEEP).fold(String::new(), |s, i| s + &format!("distinct[{i}]<"));
    let backwards = (0..DEEP)
        .rev()
        .fold(String::new(), |s, i| s + &format!("distinct[{i}]<"));
    let a = op(&format!("{{a = {distinct}1{}}}", ">".repeat(DEEP)));
    let b = op(&format!("{{a = {backwards}1{}}}", ">".repeat(DEEP)));
    assert_eq!(difference(&a, &b, false), None);
}

/// Each level refers twice to the previous one.
#[test]
fn doubling() {
    const LEVELS: usize = 60;
    let chain = |first: &str, level: &dyn Fn(usize) -> String| {
        let mut text = format!("{first}\n");
        for i in 1..=LEVELS {
            text.push_str(&level(i));
            text.push('\n');
        }
        text
    };
    let attributes = |leaf: &str, sigil: &str| {
        chain(&format!("{sigil}a0 = {leaf}"), &|i| {
            format!("{sigil}a{i} = #d.p<{sigil}a{0}, {sigil}a{0}>", i - 1).replace('#', sigil)
        }) + &op(&format!("{{a = {sigil}a{LEVELS}}}"))
    };
    let arrays = |leaf: &str| {
        chain(&format!("#a0 = {leaf}"), &|i| {
            format!("#a{i} = [#a{0}, #a{0}]", i - 1)
        }) + &op(&format!("{{a = #a{LEVELS}}}"))
    };
    let locations = |leaf: &str| {
        chain(&format!("#a0 = loc({leaf})"), &|i| {
            format!("#a{i} = loc(callsite(#a{0} at #a{0}))", i - 1)
        }) + &format!("\"t.op\"() : () -> () loc(#a{LEVELS})")
    };
    // Two equal locations on each level, each built from both of the level below: pairs of the two
    // sides mix.
    let mixed = |leaf: &str| {
        chain(&format!("#a0 = loc({leaf})\n#b0 = loc({leaf})"), &|i| {
            format!(
                "#a{i} = loc(callsite(#a{0} at #b{0}))\n#b{i} = loc(callsite(#b{0} at #a{0}))",
                i - 1
            )
        }) + &format!("\"t.op\"() : () -> () loc(#b{LEVELS})")
    };
    let distincts = |leaf: &str| {
        chain(&format!("#a0 = {leaf}"), &|i| {
            format!("#a{i} = distinct[{i}]<[#a{0}, #a{0}]>", i - 1)
        }) + &op(&format!("{{a = #a{LEVELS}}}"))
    };
    for (a, b) in [
        (arrays("1"), arrays("2")),
        (attributes("#d.x<1>", "#"), attributes("#d.x<2>", "#")),
        (attributes("i32", "!"), attributes("i64", "!")),
        (distincts("1"), distincts("2")),
    ] {
        assert_eq!(difference(&a, &a, false), None);
        assert!(difference(&a, &b, false).is_some());
    }
    for (a, b) in [
        (locations("\"x\""), locations("\"y\"")),
        (mixed("\"x\""), mixed("\"y\"")),
    ] {
        assert_eq!(difference(&a, &a, true), None);
        assert!(difference(&a, &b, true).is_some());
    }
    let (one, two) = (locations("\"x\""), mixed("\"x\""));
    assert_eq!(difference(&one, &two, true), None);
}

/// The order of tables, aliases and handles does not matter.
#[test]
fn order_of_tables() {
    let ops = "\"t.op\"() {a = #a, b = #b, t = !t, u = !u} : () -> ()";
    let one = format!("#a = #d.a<1>\n#b = #d.b<#a>\n!t = !d.t\n!u = tuple<!t, i7>\n{ops}");
    let two =
        format!("!t = !d.t\n!u = tuple<!t, i7>\n#x = #d.x\n#a = #d.a<1>\n#b = #d.b<#a>\n{ops}");
    assert_eq!(difference(&one, &two, false), None);
}

/// The text in the specification has the fingerprints stated there.
#[test]
fn specification() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/fingerprint.md");
    let spec = std::fs::read_to_string(path).unwrap();
    let (_, rest) = spec.split_once("```mlir\n").unwrap();
    let (text, rest) = rest.split_once("```").unwrap();
    let parsed = parse(text);
    for (line, locations) in [
        ("fingerprint, with locations: ", true),
        ("fingerprint, without locations: ", false),
    ] {
        let (_, expected) = rest.split_once(line).unwrap();
        let expected = expected.lines().next().unwrap();
        assert_eq!(parsed.fingerprint(locations).to_string(), expected);
    }
}
