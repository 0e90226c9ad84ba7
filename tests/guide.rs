//! Tests the guide to user-defined dialects: its example runs as the guide states, and the guide
//! quotes the example exactly.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir::ir::DialectDefinition;

#[path = "../examples/own_dialect/main.rs"]
#[allow(dead_code)]
mod example;

const PROGRAM: &str = include_str!("../examples/own_dialect/program.mlir");

#[test]
fn the_example_reads_prints_and_stores_its_program() {
    let (text, report) = example::run(PROGRAM).unwrap();
    // In the printed text, values have other names, and the outermost operations are in a module.
    let mut expected = PROGRAM.to_owned();
    for (name, number) in [("%from", "%arg0"), ("%to", "%arg1"), ("%hint", "%arg2")] {
        expected = expected.replace(name, number);
    }
    let lines = expected.lines().map(|line| format!("  {line}\n"));
    assert_eq!(
        text,
        format!("module {{\n{}}}\n", lines.collect::<String>())
    );
    assert_eq!(
        report,
        "pop within 2000 ms\npop within 10 ms\npush of 2 into 4, hint: true\npush of 0 into 4, hint: false\n"
    );
}

#[test]
fn what_says_the_same_is_printed_alike() {
    let program = |queue: &str, tuning: &str| {
        format!(
            "func.func @f(%q: !toy.queue<{queue}>) {{\n  toy.push %q[] tuned <{tuning}> : !toy.queue<i32>\n  return\n}}\n"
        )
    };
    let (first, _) =
        example::run(&program("i32, 16", "unroll = 1, note = \"a\", mode = slow")).unwrap();
    let (second, _) = example::run(&program("i32", "note = \"a\"")).unwrap();
    assert_eq!(first, second);
}

#[test]
fn what_the_dialect_does_not_have_is_refused() {
    let errors = |source: &str| example::run(source).unwrap_err().to_string();
    assert!(errors("\"toy.pusch\"() : () -> ()").contains("did you mean 'toy.push'?"));
    assert!(
        errors("toy.pusch").contains("custom op 'toy.pusch' is unknown; did you mean 'toy.push'?")
    );
    let ty = errors("func.func private @f(!toy.queeue<i32>)");
    assert!(
        ty.contains("unknown  type `queeue` in dialect `toy`; did you mean 'queue'?"),
        "{ty}"
    );
}

/// The grammar of the specification has a production for each statement that it names, and the
/// complete example is a definition without complaints, whose text round-trips.
#[test]
fn the_example_of_the_specification_is_complete() {
    let spec = include_str!("../spec/dialect-definitions.md");
    let fence = |language: &str| {
        let (_, rest) = spec.split_once(&format!("```{language}\n")).unwrap();
        rest.split_once("```").unwrap().0
    };
    let text = fence("dialect");
    let definition = DialectDefinition::parse(text, &()).unwrap();
    let definition = std::sync::Arc::new(definition);
    let mut options = rmlir::ReadOptions::default();
    options.verify = true;
    options.dialects = vec![definition];
    let module = rmlir::parse_with(fence("mlir"), &options).unwrap();
    let printed = module.to_text(&rmlir::WriteOptions::default()).unwrap();
    let indented = fence("mlir").lines().map(|line| format!("  {line}\n"));
    let expected = format!("module {{\n{}}}\n", indented.collect::<String>());
    assert_eq!(printed.replace(">(", "> ("), expected);
    for wrong in [
        fence("mlir").replace("250", "100001"),
        fence("mlir").replace("rounds = 2", "rounds = 4"),
        fence("mlir").replace("shop.pay", "shop.payy"),
    ] {
        rmlir::parse_with(wrong, &options).unwrap_err();
    }
}

/// Each keyword that begins a statement in the grammar of the specification is known.
#[test]
fn the_grammar_of_the_specification_has_known_statements() {
    let spec = include_str!("../spec/dialect-definitions.md");
    let (_, grammar) = spec.split_once("## Grammar").unwrap();
    let (grammar, _) = grammar.split_once("# Constraints.").unwrap();
    let mut count = 0;
    for line in grammar.lines() {
        // The alternatives of productions of statements begin so.
        let line = line.trim_start();
        let production = line.split_once(":= ").map(|(_, rest)| rest);
        let Some(rest) = line.strip_prefix("| ").or(production) else {
            continue;
        };
        // One keyword, or several in parentheses.
        let words = match rest.strip_prefix("( ") {
            Some(rest) => rest.split_once(" )").unwrap().0,
            None => rest.split(' ').next().unwrap(),
        };
        for word in words.split(" | ") {
            let Some(word) = word.strip_prefix('\'').and_then(|w| w.strip_suffix('\'')) else {
                continue;
            };
            if word.len() < 2 || word.contains(|c: char| !c.is_ascii_lowercase() && c != '_') {
                continue;
            }
            let text = format!("dialect x\n{word}\n");
            let outcome = DialectDefinition::parse(&text, &());
            let message = outcome.err().map_or_else(String::new, |e| e.to_string());
            let is_option = ["since", "until", "optional", "variadic", "complete"];
            if is_option.iter().any(|option| word.starts_with(option)) {
                continue;
            }
            assert!(!message.contains("unknown statement"), "{word}: {message}");
            count += 1;
        }
    }
    assert!(count > 45, "{count}");
}

#[test]
fn the_guide_shows_what_is_in_the_example() {
    let guide = include_str!("../guide/own-dialect.md");
    let shown = [
        ("text", include_str!("../examples/own_dialect/toy.dialect")),
        ("mlir", PROGRAM),
        ("rust", include_str!("../examples/own_dialect/main.rs")),
    ];
    let mut blocks = 0;
    for fence in guide.split("\n```").skip(1).step_by(2) {
        let (language, block) = fence.split_once('\n').unwrap();
        if let Some((_, file)) = shown.iter().find(|(name, _)| *name == language) {
            blocks += 1;
            assert!(file.contains(block), "the example does not have:\n{block}");
        }
    }
    assert_eq!(blocks, 13);
}
