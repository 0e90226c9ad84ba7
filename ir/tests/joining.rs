//! Tests contexts and modules that grow in parallel and are then joined.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use common::check;
use rmlir_ir::{
    Attribute, AttributeKind, Builder, Context, DialectBody, EqualityOptions, LocationKind, Module,
    ResourceEntry, TypeKind, semantic_difference,
};

/// Appends operations of all kinds to a module; their content depends on `numbers`.
fn extend(context: &mut Context, module: &mut Module, numbers: std::ops::Range<i64>) {
    for number in numbers {
        let (attributes, location) = {
            let file = context.identifier(format!("file{}", number % 3));
            let place = context.file_location(file, number as u32 + 1, 2);
            let metadata = context.string_attribute(format!("metadata {}", number % 4));
            let name = context.identifier("name");
            let named = context.location(LocationKind::Name { name, child: place });
            let location = match number % 3 {
                0 => place,
                1 => context.fused_location(&[place, named], Some(metadata)),
                _ => context.location(LocationKind::CallSite {
                    callee: named,
                    caller: place,
                }),
            };
            let as_attribute = context.location_attribute(location);
            let i64 = context.i64_type();
            let integer = context.integer_attribute(i64, number).unwrap();
            let dialect = context.identifier("d");
            let text = format!("t<{}>", number % 5);
            let body = DialectBody::from_text(text.as_bytes());
            let opaque = context
                .try_type(TypeKind::Dialect { dialect, body })
                .unwrap();
            let ty = context.function_type(&[i64, opaque], &[opaque]);
            let ty = context.type_attribute(ty);
            let symbol = context.symbol_ref_attribute(format!("s{}", number % 7));
            let array = context.array_attribute(&[symbol, ty, as_attribute, metadata]);
            let numbers = context.i64_array_attribute([number, 2, number % 2]);
            (vec![integer, array, numbers, metadata], location)
        };
        let i64 = context.i64_type();
        let mut builder = Builder::new(context, module);
        builder.set_location(location);
        let outer = builder.op("d.outer").results([i64, i64]).build().unwrap();
        let values: Vec<_> = builder.module.results(outer).collect();
        let region = builder.create_region();
        let entry = builder.create_block(region, &[i64]);
        let exit = builder.create_block(region, &[i64, i64]);
        builder.set_insertion_point_to_end(entry);
        builder
            .op(format!("d.branch{}", number % 6))
            .operands([values[0], values[1], values[0]])
            .successors([exit, entry])
            .attribute("a", attributes[0])
            .property("p", attributes[1])
            .build()
            .unwrap();
        builder.set_insertion_point_to_end(exit);
        let [first, second] = builder.arguments(exit).unwrap();
        builder
            .op("d.use")
            .operands([second, first, values[1]])
            .attribute("b", attributes[2])
            .attribute("a", attributes[3])
            .build()
            .unwrap();
        let body = builder.module.body().unwrap();
        builder.set_insertion_point_to_end(body);
        builder.op("d.holder").region(region).build().unwrap();
    }
}

#[test]
fn what_is_joined_is_what_would_have_been_built() {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    extend(&mut context, &mut module, 0..5);
    let mut forks = Vec::new();
    for part in 1..4 {
        let mut fork = context.fork();
        let mut other = Module::new(&mut fork.context);
        let context = &mut fork.context;
        // Shared entries, new entries, and nothing at all.
        extend(context, &mut other, part * 10..part * 10 + 10 * (part % 3));
        forks.push((fork, other));
    }
    extend(&mut context, &mut module, 5..10);
    for (fork, other) in forks {
        let translation = context
            .join(fork, |context, resource| context.add_resource(resource))
            .unwrap();
        let body = module.body().unwrap();
        module.append_body(body, other, &translation);
    }
    extend(&mut context, &mut module, 40..45);
    check(&module, &[module.top()]);

    let mut expected_context = Context::new();
    let mut expected = Module::new(&mut expected_context);
    for numbers in [0..10, 10..20, 20..40, 40..45] {
        extend(&mut expected_context, &mut expected, numbers);
    }
    let difference = semantic_difference(
        (&context, &module, module.top()),
        (&expected_context, &expected, expected.top()),
        &EqualityOptions { locations: true },
    );
    assert!(difference.is_none(), "{difference:?}");
    // Nothing occurs twice.
    let mut attributes: Vec<_> = context
        .all_attributes()
        .map(|attribute| format!("{:?}", context.attribute_kind(attribute)))
        .collect();
    let count = attributes.len();
    attributes.sort();
    attributes.dedup();
    assert_eq!(attributes.len(), count);
    assert_eq!(
        context.attribute_count(),
        expected_context.attribute_count()
    );
    assert_eq!(context.type_count(), expected_context.type_count());
}

#[test]
fn distinct_attributes_stay_distinct() {
    let id = |context: &Context, attribute: Attribute| match context.attribute_kind(attribute) {
        AttributeKind::Distinct { id, .. } => *id,
        kind => panic!("{kind:?}"),
    };
    let mut context = Context::new();
    let unit = context.unit_attribute();
    let before = context.distinct_attribute(unit);
    let mut fork = context.fork();
    let here = context.distinct_attribute(unit);
    let there = [(); 2].map(|()| fork.context.distinct_attribute(unit));
    let list = fork.context.array_attribute(&[there[1], there[0], before]);
    let translation = context
        .join(fork, |context, resource| context.add_resource(resource))
        .unwrap();
    let joined = there.map(|attribute| translation.attribute(attribute));
    let after = context.distinct_attribute(unit);
    let mut ids = [before, here, joined[0], joined[1], after].map(|a| id(&context, a));
    ids.sort_unstable();
    assert_eq!(ids, [0, 1, 2, 3, 4]);
    let list = translation.attribute(list);
    let AttributeKind::Array(elements) = context.attribute_kind(list) else {
        panic!("a list")
    };
    assert_eq!(**elements, [joined[1], joined[0], before]);
}

#[test]
fn resources_are_those_that_the_caller_finds() {
    let mut context = Context::new();
    let add = |context: &mut Context, key: &str| {
        let dialect = context.builtin_namespace();
        let key = context.identifier(key);
        context.add_resource(ResourceEntry {
            dialect,
            key,
            value: None,
        })
    };
    let known = add(&mut context, "known");
    let mut fork = context.fork();
    let again = add(&mut fork.context, "known");
    let new = add(&mut fork.context, "new");
    context.identifier("something else");
    let translation = context
        .join(fork, |context, resource| {
            match context.bytes(resource.key) == b"known" {
                true => known,
                false => context.add_resource(resource),
            }
        })
        .unwrap();
    assert_eq!(translation.resource(known), known);
    assert_eq!(translation.resource(again), known);
    let new = context.resource(translation.resource(new)).key;
    assert_eq!(context.bytes(new), b"new");
}
