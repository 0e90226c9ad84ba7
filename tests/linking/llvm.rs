//! Globals of linkage `appending`, and aliases.

use super::*;

fn translate(ir: &Ir) -> Option<String> {
    run(
        "mlir-translate-22",
        &["--mlir-to-llvmir"],
        ir.to_string().as_bytes(),
    )
}

/// Returns the output of a program for an input; `None` if it is not installed.
fn run(program: &str, arguments: &[&str], input: &[u8]) -> Option<String> {
    let child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        println!("SKIPPED: the comparison with upstream: there is no {program}");
        return None;
    };
    child.stdin.take().unwrap().write_all(input).unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8_lossy(input);
    assert!(output.status.success(), "{program}: {errors}\n{text}");
    Some(String::from_utf8(output.stdout).unwrap())
}

/// The line of LLVM IR that defines a global, with the names of others by their values: linkers
/// choose different names.
fn global(module: &str, name: &str) -> String {
    let line = |name: &str| {
        let start = format!("@{name} = ");
        let found = module.lines().find_map(|line| line.strip_prefix(&start));
        found
            .unwrap_or_else(|| panic!("{name}\n{module}"))
            .to_owned()
    };
    let mut text = line(name);
    while let Some(at) = text.find('@') {
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.');
        let end = text[at + 1..].find(|c| !is_name(c)).unwrap() + at + 1;
        let value = line(&text[at + 1..end]);
        text.replace_range(at..end, &format!("<{value}>"));
    }
    text
}

/// Returns the linked module, after a comparison of a global with that of `llvm-link-22`, whose
/// inputs `mlir-translate-22` translates.
fn link_as_llvm(modules: &[&str], name: &str) -> Ir {
    let linked = link(modules);
    let folder = std::env::temp_dir().join(format!("rmlir-linking-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let mut paths = Vec::new();
    for (number, text) in modules.iter().enumerate() {
        let path = folder.join(format!("{number}.ll"));
        let Some(module) = translate(&parse(text)) else {
            break;
        };
        std::fs::write(&path, module).unwrap();
        paths.push(path.display().to_string());
    }
    let arguments: Vec<&str> = ["-S"]
        .into_iter()
        .chain(paths.iter().map(String::as_str))
        .collect();
    if paths.len() == modules.len()
        && let Some(expected) = run("llvm-link-22", &arguments, b"")
    {
        let found = translate(&linked).unwrap();
        assert_eq!(global(&found, name), global(&expected, name), "{linked}");
    }
    std::fs::remove_dir_all(&folder).unwrap();
    linked
}

#[test]
fn appending_globals_are_joined_as_llvm_does() {
    let array = |values: &str, length: usize| {
        format!("llvm.mlir.global appending @g({values}) : !llvm.array<{length} x i32>")
    };
    let two = array("dense<[1, 2]> : tensor<2xi32>", 2);
    let linked = link_as_llvm(&[&two, &array("dense<7> : tensor<3xi32>", 3), &two], "g");
    assert!(linked.to_string().contains("!llvm.array<7 x i32>"));
    let text = |text: &str| format!("llvm.mlir.global appending constant @g(\"{text}\")");
    link_as_llvm(&[&text("ab"), &text("cde")], "g");
    // The initializers refer to symbols of their own modules, which are renamed.
    let used = |number: u32, name: &str| {
        format!(
            "llvm.mlir.global internal @x({number} : i32) : i32
             llvm.mlir.global appending @{name}() {{section = \"llvm.metadata\"}} : !llvm.array<2 x ptr> {{
               %0 = llvm.mlir.zero : !llvm.array<2 x ptr>
               %1 = llvm.mlir.addressof @x : !llvm.ptr
               %2 = llvm.insertvalue %1, %0[1] : !llvm.array<2 x ptr>
               llvm.return %2 : !llvm.array<2 x ptr>
             }}"
        )
    };
    let linked = link_as_llvm(&[&used(1, "u"), &used(2, "u"), &used(3, "u")], "u");
    assert!(linked.to_string().contains("llvm.mlir.addressof @x_1 "));
    // Structs, and elements that are inserted twice.
    let structs = "llvm.mlir.global appending @s() : !llvm.array<1 x struct<(i32, i8)>> {
        %0 = llvm.mlir.undef : !llvm.array<1 x struct<(i32, i8)>>
        %1 = llvm.mlir.zero : !llvm.struct<(i32, i8)>
        %c = llvm.mlir.constant(5 : i32) : i32
        %2 = llvm.insertvalue %1, %0[0] : !llvm.array<1 x struct<(i32, i8)>>
        %3 = llvm.insertvalue %c, %2[0, 0] : !llvm.array<1 x struct<(i32, i8)>>
        llvm.return %3 : !llvm.array<1 x struct<(i32, i8)>>
      }";
    link_as_llvm(&[structs, structs], "s");
    // With `dedupe` too: LLVM's linker does not compare them.
    let mut both = rmlir::link(&[&parse(&two), &parse(&two)], &DEDUPE()).unwrap();
    judge(&mut both);
    assert!(both.to_string().contains("!llvm.array<4 x i32>"));
    // A declaration has a type of its own.
    let declared = "llvm.mlir.global external @g() : !llvm.array<9 x i32>";
    let linked = link(&[declared, &two, &two]);
    assert_eq!(linked.op().children().count(), 1);
    // Lists of constructors have no names.
    let constructor =
        "llvm.mlir.global_ctors ctors = [@x], priorities = [3 : i32], data = [#llvm.zero]
        llvm.func internal @x() { llvm.return }";
    let linked = link(&[constructor, constructor]);
    if let Some(module) = translate(&linked) {
        let found =
            module.contains("@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }]");
        assert!(found, "{module}");
    }
}

#[test]
fn appending_globals_that_do_not_fit_are_errors() {
    let global = |rest: &str| format!("llvm.mlir.global appending {rest}");
    let first = global("@g(dense<1> : tensor<1xi32>) : !llvm.array<1 x i32>");
    let places = [
        "b.mlir:1:1: error",
        "a.mlir:1:1: note: the other definition is here",
    ];
    for (second, message) in [
        (
            global("@g(dense<1> : tensor<1xi64>) : !llvm.array<1 x i64>"),
            "cannot be appended to the other: the types of the elements differ",
        ),
        (
            global("constant @g(dense<1> : tensor<1xi32>) : !llvm.array<1 x i32>"),
            "cannot be appended to the other: 'constant' differs",
        ),
        (
            global("@g(dense<1> : tensor<1xi32>) {section = \"s\"} : !llvm.array<1 x i32>"),
            "cannot be appended to the other: 'section' differs",
        ),
        (
            global("@g(dense<1> : tensor<70000xi32>) : !llvm.array<70000 x i32>"),
            "the array would have 70001 elements, and at most 65536 are possible",
        ),
        (
            "llvm.mlir.global external @g(dense<1> : tensor<1xi32>) : !llvm.array<1 x i32>".into(),
            "symbol 'g' is of a linkage whose definitions are appended to each other elsewhere",
        ),
        (
            "llvm.func @g() { llvm.return }".into(),
            "symbol 'g' is of a linkage whose definitions are appended to each other elsewhere",
        ),
    ] {
        let options = LinkOptions::default();
        link_error(
            &[&first, &second],
            &options,
            &[message, places[0], places[1]],
        );
    }
}

#[test]
fn aliases_of_functions_resolve_declarations_that_are_not_called() {
    let alias = |linkage: &str| {
        format!(
            "llvm.func internal @f() {{ llvm.return }}
             llvm.mlir.alias {linkage} @g : !llvm.func<void ()> {{
               %0 = llvm.mlir.addressof @f : !llvm.ptr
               llvm.return %0 : !llvm.ptr
             }}"
        )
    };
    let body = "llvm.func internal @f() -> !llvm.ptr {
        %0 = llvm.mlir.addressof @g : !llvm.ptr
        llvm.return %0 : !llvm.ptr
      }";
    let user = format!("llvm.func @g()\n{body}");
    let renamed = |text: &str| text.replace("@f", "@f_0");
    let external = alias("external");
    expect(
        &link(&[&user, &external]),
        &format!("{body}\n{}", renamed(&external)),
    );
    expect(
        &link(&[&external, &user]),
        &format!("{external}\n{}", renamed(body)),
    );
    // An alias is a definition like others: local, weak or defined twice.
    let internal = alias("internal");
    let expected = renamed(&internal).replace("@g", "@g_0");
    expect(&link(&[&user, &internal]), &format!("{user}\n{expected}"));
    let weak = alias("weak");
    let expected = format!("{external}\nllvm.func internal @f_0() {{ llvm.return }}");
    expect(&link(&[&external, &weak]), &expected);
    let twice = [
        "redefinition of symbol named 'g'",
        "a.mlir:2:14",
        "b.mlir:2:14",
    ];
    link_error(&[&external, &external], &LinkOptions::default(), &twice);
    // LLVM's dialect cannot call an alias.
    let caller = "llvm.func @g()
      llvm.func @user() {
        llvm.call @g() : () -> ()
        llvm.return
      }";
    link_error(
        &[caller, &external],
        &LinkOptions::default(),
        &[
            "a.mlir:3:9: error: 'llvm.call' op 'g' does not reference a valid LLVM function or IFunc",
            "b.mlir:2:14: note: the definition is here",
        ],
    );
}
