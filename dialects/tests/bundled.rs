//! Tests that all bundled definitions parse and that everything they refer to exists.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

use rmlir_dialects::{BundledDialects, Hooks, texts};
use rmlir_ir::Context;
use rmlir_ir::definition::{
    DialectDefinition, DialectSource, FormatElement, OperationDirective, OperationElement,
    Presence, PropertyBase, PropertyKind, Release, SlotKind,
};
use std::time::Instant;

/// Returns all bundled definitions, each parsed again.
fn all() -> Vec<(&'static str, DialectDefinition)> {
    texts()
        .map(|(name, text)| {
            let definition = DialectDefinition::parse_static(text, &Hooks);
            (name, definition.unwrap_or_else(|e| panic!("{name}:{e}")))
        })
        .collect()
}

#[test]
fn all_are_read_and_found() {
    let all = all();
    assert!(all.is_sorted_by(|a, b| a.0 < b.0));
    for (name, definition) in &all {
        assert_eq!(definition.name, *name);
        let found = BundledDialects.dialect(name.as_bytes()).unwrap();
        assert_eq!(found.operations().len(), definition.operations().len());
    }
    assert_eq!(BundledDialects.namespaces().len(), all.len());
    assert!(BundledDialects.dialect(b"no such dialect").is_none());
}

#[test]
fn they_stay_small() {
    let size: usize = texts().map(|t| t.1.len()).sum();
    println!("{size} bytes in {} definitions", texts().len());
    // 1 MiB for operations and three quarters as much for their formats, three quarters for what
    // depends on the release, half for attributes and types, a quarter for traits by name.
    assert!(size < 13 << 18, "{size} bytes of definitions");
}

#[test]
fn each_hook_is_found_and_each_enumeration_too() {
    let all = all();
    let (mut hooks, mut formats) = (0, 0);
    let mut missing = Vec::new();
    for (name, dialect) in &all {
        for operation in dialect.operations() {
            if !operation.hook.is_empty() {
                hooks += 1;
                let is_found = operation.syntax.is_some()
                    || operation.verifier.is_some()
                    || operation.names.is_some();
                assert!(is_found, "{}", operation.hook);
            }
            for format in &operation.formats {
                formats += 1;
                directives(&format.format.elements, &mut |directive| {
                    if directive.hook.is_none() {
                        let directive = &directive.name;
                        missing.push(format!("{name}.{}: {directive}", operation.mnemonic));
                    }
                });
            }
            for attribute in operation.attributes() {
                let enumeration = &*attribute.enumeration;
                let (dialect, enumeration) =
                    enumeration.split_once('.').unwrap_or((name, enumeration));
                let known = BundledDialects.dialect(dialect.as_bytes());
                if !enumeration.is_empty()
                    && known.is_none_or(|d| d.enumeration(enumeration).is_none())
                {
                    missing.push(format!("{name}.{}: {enumeration}", operation.mnemonic));
                }
            }
        }
    }
    assert!(hooks >= 7, "{hooks} hooks");
    assert!(formats >= 400, "{formats} formats");
    assert_eq!(missing, Vec::<String>::new());
}

/// Calls `visit` for the directives of a format that need hooks.
fn directives(elements: &[FormatElement], visit: &mut dyn FnMut(&OperationDirective)) {
    for element in elements {
        match element {
            FormatElement::Group(group) => {
                directives(&group.then, visit);
                directives(&group.otherwise, visit);
            }
            FormatElement::Operation(OperationElement::Custom(directive)) => visit(directive),
            FormatElement::Operation(OperationElement::Clauses(clauses)) => {
                clauses.iter().for_each(|clause| directives(clause, visit));
            }
            _ => {}
        }
    }
}

#[test]
fn a_context_asks_when_it_meets_a_dialect() {
    let mut context = Context::new();
    let before = context.operation_name("arith.addi");
    assert!(context.operation_traits(before).is_none());
    rmlir_dialects::register_all(&mut context);
    assert!(context.operation_traits(before).is_some());
    let constant = context.operation_name("arith.constant");
    assert_eq!(
        context.is_inherent_attribute(constant, b"value"),
        Some(true)
    );
    assert_eq!(context.is_inherent_attribute(constant, b"x"), Some(false));
    let unknown = context.operation_name("arith.nothing");
    assert_eq!(context.is_inherent_attribute(unknown, b"value"), None);
    assert!(context.find_operation_name(b"arith.subi").is_some());
    assert!(context.find_operation_name(b"arith.nothing").is_none());
}

/// Two projects define a dialect `check`.
#[test]
fn a_release_sees_its_own_family() {
    let mut context = Context::new();
    rmlir_dialects::register_all(&mut context);
    let name = context.operation_name("check.expect_almost_eq");
    let names = |release: &str| -> Vec<String> {
        let layout = context.operation_layout(name, release.parse().unwrap());
        let layout = layout.unwrap();
        layout.slots(6, |_| 0).map(|s| s.name.to_string()).collect()
    };
    assert_eq!(names("iree-202608"), ["atol", "rtol"]);
    assert_eq!(names("stablehlo-202608"), ["tolerance"]);
}

#[test]
fn releases_differ() {
    let mut context = Context::new();
    rmlir_dialects::register_all(&mut context);
    let addf = context.operation_name("arith.addf");
    let definition = context.operation_definition(addf).unwrap();
    assert!(!definition.is_inherent(b"roundingmode", Release::LLVM_22));
    assert!(definition.is_inherent(b"roundingmode", Release::LLVM_24));
    let fastmath = definition.attribute("fastmath", Release::LLVM_19).unwrap();
    assert_eq!(fastmath.presence, Presence::Default);
    assert_eq!(fastmath.default.as_deref(), Some("#arith.fastmath<none>"));
    // LLVM 22 has no layout for an operation of LLVM 24.
    let only = context.operation_name("arith.convertf");
    let layout = |release| context.operation_layout(only, release);
    assert!(layout(Release::LLVM_22).is_none() && layout(Release::LLVM_24).is_some());
    assert!(context.operation_traits(only).is_none());
    context.set_release(Release::LLVM_24);
    assert!(context.operation_traits(only).is_some());
}

#[test]
fn native_properties_have_slots() {
    let mut context = Context::new();
    rmlir_dialects::register_all(&mut context);
    let add = context.operation_name("llvm.add");
    let layout = context.operation_layout(add, Release::LLVM_22).unwrap();
    let kind = SlotKind::Native(PropertyKind::plain(PropertyBase::Integer { width: 32 }));
    assert!(layout.slots(5, |_| 0).map(|s| &s.kind).eq([&kind]));
}

/// Prints the time to parse each definition. It asserts nothing about time, which differs from
/// machine to machine.
#[test]
fn how_long_it_takes() {
    let mut times: Vec<_> = texts()
        .map(|(name, text)| {
            let start = Instant::now();
            let definition = DialectDefinition::parse_static(text, &Hooks).unwrap();
            (
                start.elapsed(),
                name,
                text.len(),
                definition.operations().len(),
            )
        })
        .collect();
    times.sort();
    for (time, name, bytes, operations) in times.iter().rev().take(5) {
        println!("{name}: {bytes} bytes, {operations} operations, {time:?}");
    }
}

/// Each definition round-trips through its text.
#[test]
fn definitions_are_printed_as_they_are_read() {
    for (name, text) in texts() {
        let first = DialectDefinition::parse(text, &Hooks).unwrap();
        let printed = first.to_string();
        let second = match DialectDefinition::parse(&printed, &Hooks) {
            Ok(second) => second,
            Err(error) => panic!("{name}: {error}\n{printed}"),
        };
        assert_eq!(printed, second.to_string(), "{name}");
        assert_eq!(
            format!("{first:?}"),
            format!("{second:?}"),
            "{name} says something else when it is printed"
        );
    }
}

#[test]
fn each_text_equals_its_file() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("definitions");
    for (name, text) in texts() {
        let file = std::fs::read_to_string(folder.join(format!("{name}.dialect"))).unwrap();
        assert!(file == text, "{name} differs from its file");
    }
}
