//! Tests that several threads parse the same as one thread.

use crate::parser::{Notes, parse_noting};
use crate::{ParseOptions, PrintOptions, print_module};
use rmlir_ir::Threads;
use rmlir_ir::{Context, Module};

/// Returns the observable content of a module and the number of parts that helper threads parsed;
/// or the errors.
fn read(text: &str, threads: usize) -> Result<(String, usize), String> {
    let mut context = context();
    // Handles are to be different ones.
    for number in 0..threads {
        context.string_attribute(format!("{number} threads"));
    }
    let mut options = ParseOptions::for_file("a.mlir");
    options.threads = Threads::new(threads);
    options.bytes_per_thread = 64;
    options.keep_names = true;
    let mut notes = Notes::default();
    match parse_noting(&mut context, text.as_bytes(), &options, &mut notes) {
        Ok(module) => Ok((shown(&context, &module), notes.parts)),
        Err(errors) => Err(errors.to_string()),
    }
}

fn context() -> Context {
    let mut context = Context::new();
    rmlir_dialects::register_all(&mut context);
    context
}

fn shown(context: &Context, module: &Module) -> String {
    let mut options = PrintOptions::generic();
    options.debug_info = true;
    options.keep_names = true;
    let mut out = Vec::new();
    if let Err(error) = print_module(context, module, &options, &mut out) {
        panic!("{error}");
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Returns the number of parts that others have read of a text when there are many threads.
fn parts(text: &str) -> usize {
    let one = read(text, 1);
    assert!(one.as_ref().map_or(0, |one| one.1) == 0);
    let mut most = 0;
    for threads in [0, 2, 3, 8] {
        match (&one, &read(text, threads)) {
            (Ok((one, _)), Ok((several, parts))) => {
                assert_eq!(one, several);
                most = most.max(*parts);
            }
            (one, several) => assert_eq!(one, several),
        }
    }
    most
}

/// Returns a module of the lines that `line` makes.
fn module(line: impl Fn(usize) -> String) -> String {
    let lines: String = (0..100)
        .map(|number| format!("  {}\n", line(number)))
        .collect();
    format!("module {{\n{lines}}}\n")
}

fn function(number: usize) -> String {
    format!(
        "\"d.f\"() ({{\n  ^bb0(%a: i{number}, %b: i7):\n    %0:2 = \"d.o\"(%b, %1, %a)[^bb1] : (i7, i8, i{number}) -> (i8, i9)\n  ^bb1:\n    \
         %1 = \"d.p\"(%0#0, %0#0, %0#1) {{n = {number}, s = \"s{number}\", t = i{number}}} : (i8, i8, i9) -> i8\n  }}) \
         : () -> ()"
    )
}

#[test]
fn operations_one_below_the_other() {
    assert_eq!(parts(&module(function)), 7);
    let generic = module(function).replacen("module {", "\"builtin.module\"() ({", 1);
    let generic = format!("{}}}) : () -> ()", generic.trim_end().trim_end_matches('}'));
    assert_eq!(parts(&generic), 7);
    // Without a module around them, and further inside.
    let bare: String = (0..100).map(|n| function(n) + "\n").collect();
    assert_eq!(parts(&bare), 7);
    let indented = module(function).replace('\n', "\n  ");
    assert_eq!(parts(&format!("module {{\n  {indented}\n}}\n")), 7);
    // On one line, nothing begins a line.
    assert_eq!(parts(&module(function).replace('\n', " ")), 0);
}

#[test]
fn all_that_is_in_a_context() {
    let text = module(|n| {
        let m = n % 17;
        format!(
            "\"d.f{m}\"() {{a = affine_map<(d0, d1)[s0] -> (d0 + s0 * {n}, d1 floordiv {m})>, b = affine_set<(d0) : (d0 - {m} >= 0)>,\n\
             c = [@s{m}::@n{n}, unit, {m}.5 : f32, dense<[{n}, 1]> : vector<2xi8>, dense<\"t{m}\"> : tensor<2x!d.s>, dense<1> : !d.t<{m}>],\n\
             d = array<i32: {n}, {m}>, e = sparse<[[0, {m}]], [{n}]> : tensor<9x99xi64>, f = strided<[{m}, ?], offset: {n}>,\n\
             g = #d.x<i{m}, #e.y<{n}>, \"#no\", !d.z<#d.x<{m}>>> : !d.t, h = loc(fused<\"m{m}\">[\"f{n}\":1:2, callsite(\"g\"(\"h\":3:{m} to :9) at unknown)]),\n\
             i = dense_resource<r{m}> : tensor<4xi8>, j = \"typed\" : !d.t<{m}>, k = (tuple<i{m}, f64>, complex<f32>) -> memref<{m}x?xi8, strided<[1, ?]>, {n}>,\n\
             l = tensor<?x{m}xf32, #d.e<{n}>>, m = memref<*xi{m}, \"s\">, n = vector<{n}x[4]xindex>, o = tensor<*xi{n}>, p = loc(#l.d<{m}>)}} : () -> () loc(#l.d<{m}>)"
        )
    });
    let text = text
        .replace("vector<0x", "vector<1x")
        .replace("floordiv 0", "floordiv 1");
    let resources: Vec<_> = (0..17)
        .rev()
        .map(|m| format!("r{m}: \"0x040000000{:x}020304\"", m % 10))
        .collect();
    let metadata = format!(
        "{{-# dialect_resources: {{builtin: {{{}}}}} #-}}",
        resources.join(", ")
    );
    assert_eq!(read(&text, 1).err(), None);
    assert!(parts(&text) > 0);
    assert_eq!(parts(&(text + &metadata)), 7);
}

#[test]
fn aliases() {
    let list = module(|n| {
        let (m, k) = (n % 3, n % 19);
        format!("\"d.o\"() {{a = #a{m}, t = !t{m}}} : () -> () loc(#l{k})")
    });
    let definitions: String = (0..3)
        .map(|m| format!("#a{m} = [{m}, #d.x<{m}>]\n!t{m} = !d.t<#a{m}>\n"))
        .collect();
    let locations: String = (0..19)
        .map(|k| format!("#l{k} = loc(\"f{k}\"(\"f\":{k}:1))\n"))
        .collect();
    assert_eq!(parts(&format!("{definitions}{list}{locations}")), 7);
    assert_eq!(parts(&format!("{locations}{definitions}{list}")), 7);
    // Definitions that are missing or too late.
    assert_eq!(parts(&format!("{definitions}{list}")), 0);
    assert_eq!(parts(&format!("{list}{definitions}{locations}")), 0);
    // In the list itself they are known from there on only.
    let bare: String = (0..100)
        .map(|n| match n {
            50 => "#a = 50\n#l = loc(\"l\")\n".to_owned(),
            _ if n < 50 => format!("\"d.o\"() {{n = {n}}} : () -> () loc(#l)\n"),
            _ => format!("\"d.o\"() {{n = {n}, a = #a}} : () -> () loc(#l)\n"),
        })
        .collect();
    parts(&bare);
}

/// Attributes that are equal in all but their number, which means one in a file.
#[test]
fn distinct_attributes() {
    parts(&module(|n| {
        let m = n % 5;
        format!("\"d.o\"() {{a = distinct[{m}]<unit>}} : () -> ()")
    }));
    parts(&module(|n| {
        format!("\"d.o\"() {{a = distinct[{n}]<unit>, b = distinct[0]<unit>}} : () -> ()")
    }));
    let header = "#a = distinct[0]<unit>\n#b = distinct[1]<unit>\n";
    let text = module(|n| format!("\"d.o\"() {{a = #a, b = #b, n = {n}}} : () -> ()"));
    assert_eq!(parts(&format!("{header}{text}")), 7);
}

#[test]
fn names_of_values() {
    // One that is defined in the list itself is known further on.
    let defined = |at: usize| {
        module(move |n| match n {
            _ if n == at => "%v = \"d.v\"() : () -> i8".to_owned(),
            _ if n > at && n % 2 == 0 => "\"d.u\"(%v) : (i8) -> ()".to_owned(),
            _ => function(n),
        })
    };
    for at in [0, 40, 99] {
        parts(&defined(at));
    }
    // Also before it is defined.
    parts(&module(|n| match n {
        99 => "%v = \"d.v\"() : () -> i8".to_owned(),
        _ if n % 10 == 3 => "\"d.u\"(%v) : (i8) -> ()".to_owned(),
        _ => function(n),
    }));
    // One that is defined around it must not be defined again inside.
    let text = module(function);
    let text = format!("%0 = \"d.o\"() : () -> i8\n{text}");
    assert!(read(&text, 1).is_err());
    parts(&text);
    let text = module(|n| match n {
        0 => "%0 = \"d.o\"() : () -> i8".to_owned(),
        _ => function(n),
    });
    assert!(read(&text, 1).is_err());
    parts(&text);
}

#[test]
fn what_only_looks_like_a_list() {
    // Lines that begin as operations do, inside of one.
    parts(&module(|n| {
        format!("\"d.o\"() {{a = [\n  \"x\",\n  \"y{n}\"\n  ],\n  b = {n}}} : () -> ()")
    }));
    parts(&module(|n| {
        format!("\"d.o\"()\n  {{a = {n}\n  }} :\n  () -> ()\n  // \"no\"\n")
    }));
    // Blocks in the list.
    let blocks = module(|n| format!("\"d.o\"()[^b{n}] : () -> ()\n  ^b{n}:\n  {}", function(n)));
    parts(
        &blocks
            .replacen("module {", "\"d.m\"() ({", 1)
            .replace("\n}\n", "\n}) : () -> ()\n"),
    );
    // Several lists.
    let list = module(function);
    parts(&format!("{list}{list}\"d.o\"() : () -> ()\n{list}"));
}

#[test]
fn errors() {
    for at in [0, 33, 50, 77, 99] {
        for wrong in [
            "\"d.u\"(%nothing) : (i8) -> ()",
            "\"d.o\"() {a = #nothing} : () -> ()",
            "\"d.o\"() {a = } : () -> ()",
            "\"d.o\"() ({ \"d.b\"()[^nowhere] : () -> () }) : () -> ()",
            "\"d.o\"() ({",
            "}",
            "\"d.o\"() : () -> () loc(#nothing)",
            "\"open",
            "{-# #-}",
        ] {
            let text = module(|n| match n {
                _ if n == at => wrong.to_owned(),
                _ => function(n),
            });
            assert!(read(&text, 1).is_err());
            parts(&text);
        }
    }
}

/// Sharing within one part is charged to the budget of the whole text.
#[test]
fn the_limit_is_one_for_all() {
    let text = module(|n| format!("%{n}:99 = \"d.o\"() : !f"));
    let types = vec!["i1"; 99].join(", ");
    let text = format!(
        "!f = () -> ({types})\nmodule {{\n  {}}}",
        text.replace('\n', "\n  ")
    );
    let read = |threads, limit| {
        let mut options = ParseOptions::for_file("a.mlir");
        options.threads = threads;
        options.bytes_per_thread = 64;
        options.max_shared_entities = limit;
        let mut context = context();
        let read = crate::parse_module(&mut context, text.as_bytes(), &options);
        read.map(|module| shown(&context, &module))
            .map_err(|errors| errors.to_string())
    };
    for limit in [0, 2000, 5000, 9000, 20000] {
        let one = read(Threads::new(1), limit);
        for threads in [2, 5] {
            assert_eq!(one, read(Threads::new(threads), limit));
        }
    }
    assert!(read(Threads::new(1), 0).is_err() && read(Threads::new(1), 20000).is_ok());
}
