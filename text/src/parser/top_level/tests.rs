use super::{AfterOperation, Outline, TopLevelError, visit_top_level};
use crate::{ParseOptions, PrintOptions, parse_module, print_operation};
use rmlir_ir::{Context, Module, Operation};
use std::io::{BufReader, Cursor};

/// Returns an operation in generic form with locations.
fn shown(context: &Context, module: &Module, operation: Operation) -> String {
    let mut options = PrintOptions::generic();
    (options.debug_info, options.local_scope) = (true, true);
    let mut out = Vec::new();
    print_operation(context, module, operation, &options, &mut out).expect("it fits into memory");
    String::from_utf8(out).expect("it is text")
}

/// Returns the operations of a text, read by windows; `None` if it has to be parsed as a whole.
fn by_windows(
    text: &str,
    window: u64,
    after: AfterOperation,
) -> Result<Option<Vec<String>>, TopLevelError> {
    let (mut operations, mut top) = (Vec::new(), String::new());
    let mut each = |context: &mut Context, module: &mut Module, operation| {
        operations.push(shown(context, module, operation));
        module.erase_operation(operation).expect("it is not used");
        top = shown(context, module, module.top());
        after
    };
    let mut options = ParseOptions::for_file("f");
    options.bytes_per_window = window;
    let input = &mut Cursor::new(text);
    let found = visit_top_level(input, Context::new(), &options, &mut each)?;
    assert!(found || operations.is_empty());
    operations.push(top);
    Ok(found.then_some(operations))
}

/// Returns the operations of a text that is parsed as a whole.
fn as_a_whole(text: &str) -> Vec<String> {
    let mut context = Context::new();
    let options = ParseOptions::for_file("f");
    let mut module = parse_module(&mut context, text.as_bytes(), &options).expect("it is sound");
    let body = module.body().expect("it has a body");
    let all: Vec<Operation> = module.operations(body).collect();
    let mut shown_operations = Vec::new();
    for operation in all {
        shown_operations.push(shown(&context, &module, operation));
        module.erase_operation(operation).expect("it is not used");
    }
    shown_operations.push(shown(&context, &module, module.top()));
    shown_operations
}

const TEXTS: [&str; 10] = [
    "\"a.b\"() {t = !x.y<a long (body) of {a} [type]>} : () -> ()\n\"a.c\"() {a = #x.z<b, c>} : () -> ()",
    "\"a.b\"() : () -> ()",
    "\"a.b\"() : () -> ()\n  \"a.c\"() {x = [1, 2]} : () -> ()\n\n",
    "// A comment with { \" and (.\n#map = affine_map<(d0) -> (d0)>\n!t = i32\n\
     \"a.b\"() {m = #map} : () -> () // }\n\"a.c\"() {t = !t} : () -> ()",
    "\"builtin.module\"() ({}) : () -> ()\n\"a.b\"() : () -> ()",
    "\"builtin.module\"() <{sym_name = \"}{\"}> ({\n  \"a.b\"() ({\n  ^bb0(%x: i32):\n    \
     %y = \"a.c\"(%x) : (i32) -> i32 loc(#loc1)\n  }) : () -> ()\n  \"a.d\"() : () -> ()\n}) : () -> () \
     loc(#loc)\n\
     #loc = loc(\"x.py\":1:2)\n#loc1 = loc(\"name\"(#loc))\n",
    "\"builtin.module\"() <{sym_name = \"m\"}> ({\n\"a.b\"() : () -> ()\n\"a.c\"() : () -> ()\n}) {k} \
     : () -> ()",
    "\"a.b\"() {r = dense_resource<blob> : tensor<1xi32>} : () -> ()\n\"a.c\"() : () -> ()\n\
     {-#\n  dialect_resources: {\n    builtin: {\n      blob: \"0x0400000001000000\"\n    }\n  }\n#-}\n",
    "  \"a.b\"() : () -> () \"a.c\"() : () -> ()\n\"a.d\"()\n  {x}\n  : () -> ()\n",
    "#loc2 = loc(\"early\")\n\"a.b\"() {a = \"\\\"\\\\\"} : () -> () loc(#loc2)\n#loc3 = loc(#loc2)\n\
     \"a.c\"() : () -> () loc(#loc3)\n",
];

#[test]
fn operations_are_those_of_the_whole() {
    for text in TEXTS {
        let whole = as_a_whole(text);
        for window in [1, 2, 3, 5, 17, 40, 100, 1 << 20] {
            for after in [AfterOperation::Continue, AfterOperation::Renew] {
                let found = by_windows(text, window, after).expect("it is sound");
                match text.contains("({})") {
                    true => assert_eq!(found, None),
                    false => assert_eq!(found.as_ref(), Some(&whole), "{window} {text}"),
                }
            }
        }
    }
}

#[test]
fn unclear_texts_are_left_alone() {
    for text in [
        "",
        "// Nothing.",
        "module {}",
        "%0 = \"a.b\"() : () -> i32",
        "module {\n%0 = \"a.b\"() : () -> i32\n}",
        "module {\n^bb0:\n\"a.b\"() : () -> ()\n}",
        "\"a.b\"() : () -> ()\n!t = i32\n\"a.c\"() : () -> ()",
        "\"a.b\"() : () -> ()\n#a = 1 : i32",
        "\"a.b\"() : () -> ()\n#a = loca",
        "\"a.b\"() : () -> ())",
        "\"a.b\"() : () -> (",
        "\"a.b",
        "#a = \n\"a.b\"() : () -> ()",
        "#a = 1 : i32\n#a = 1 : i32\n\"a.b\"() : () -> ()",
        "module {\n\"a.b\"() : () -> ()\n}\nmodule {}",
        "module attributes {a.b} \"a.b\"() : () -> ()",
        "module",
    ] {
        let found = by_windows(text, 1 << 20, AfterOperation::Continue);
        assert_eq!(found.ok(), Some(None), "{text}");
    }
}

#[test]
fn errors_follow_the_operations_before_them() {
    let cases = [
        ("\"a.b\"() : () -> ()\n \"a.c\"() {x = } : () -> ()", 1),
        ("\"a.b\"() : () -> ()\n  \"a.c\"(%x) : (i32) -> ()", 1),
        (
            "\"builtin.module\"() ({\n  \"a.b\"() : () -> ()\n  \"a.c\"() : () -> () \
             loc(#l)\n}) : () -> ()",
            1,
        ),
        ("\"builtin.module\"() ({\n  bad\n}) : () -> ()", 0),
    ];
    for (text, before) in cases {
        let mut context = Context::new();
        let mut options = ParseOptions::for_file("f");
        let whole = parse_module(&mut context, text.as_bytes(), &options).expect_err(text);
        let first = whole.iter().next().expect("it has an error");
        for window in [1, 10, 1 << 20] {
            options.bytes_per_window = window;
            let mut count = 0;
            let mut each = |_: &mut Context, _: &mut Module, _| {
                count += 1;
                AfterOperation::Continue
            };
            let input = &mut Cursor::new(text);
            let found = visit_top_level(input, Context::new(), &options, &mut each);
            let Err(TopLevelError::Syntax(found)) = found else {
                panic!("{text} is not valid");
            };
            let found = found.iter().next().expect("it has an error");
            assert_eq!(
                (&found.message, found.line, found.column, found.offset),
                (&first.message, first.line, first.column, first.offset),
                "{window} {text}"
            );
            assert_eq!(count, before, "{text}");
        }
    }
}

#[test]
fn nothing_follows_a_stop() {
    let found = by_windows(TEXTS[1], 1 << 20, AfterOperation::Stop);
    assert_eq!(found.ok().flatten().map(|found| found.len()), Some(2));
}

#[test]
fn outlines_do_not_depend_on_pieces() {
    let more = [
        "\"a.b\"() ({\n  // { \" ( \n  \"a.c\"() {s = \"\\\"{\", t = \"/\"} : () -> () // x\n\n}) : () -> ()\n\
         #loc = loc(unknown)\n",
        "\"a.b\"() ({\n\"",
        "\"a.b\"() ({ \"x\ny\" })",
        "\"a.b\"() {x = 4 / 5}",
    ];
    for text in TEXTS.into_iter().chain(more) {
        let whole = Outline::read(text.as_bytes()).expect("it can be read");
        for size in 1..=text.len() {
            let pieces = BufReader::with_capacity(size, text.as_bytes());
            let found = Outline::read(pieces).expect("it can be read");
            assert_eq!(found, whole, "{size} {text}");
        }
    }
}
