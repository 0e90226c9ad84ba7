//! Tests that written modules read back.

use super::{check, dump, parse, read, samples, write};
use rmlir_format::{ErrorKind, Source};
use rmlir_ir::definition::{Family, Release};
use rmlir_ir::{
    AttributeKind, Blob, Context, LayoutChoice, LayoutReason, LocationKind, Module, OperationState,
    ResourceEntry, ResourceValue,
};
use rmlir_reader::lazy::LazyFile;
use rmlir_reader::rmbc::{File, ReadOptions, Resolver, read_module, read_module_from_slice};
use rmlir_writer::rmbc::{ExternalBlobs, write_module, write_module_and_blobs, write_module_to};
use std::fmt::Write;

#[test]
fn samples_come_back() {
    for text in samples::ALL {
        let mut context = Context::new();
        let module = parse(&mut context, text);
        let bytes = check(&context, &module);
        assert!(read(&mut context, &bytes).provenance.producer.is_none());
        let mut streamed = Vec::new();
        write_module_to(&context, &module, &super::write_options(), &mut streamed).unwrap();
        assert_eq!(streamed, bytes);
    }
}

#[test]
fn all_in_one_module() {
    let mut context = Context::new();
    let text: String = samples::ALL.concat();
    // The samples have separate aliases, and distinct attributes are numbered file-wide.
    let module = parse(&mut context, &text);
    check(&context, &module);
}

#[test]
fn the_context_does_not_show() {
    for text in samples::ALL {
        let mut fresh = Context::new();
        let module = parse(&mut fresh, text);
        let bytes = write(&fresh, &module);
        let mut used = samples::used_context();
        let module = parse(&mut used, text);
        assert!(write(&used, &module) == bytes);
        // Again in a context that has interned everything before.
        let module = parse(&mut used, text);
        assert!(write(&used, &module) == bytes);
    }
}

#[test]
fn unused_things_are_not_written() {
    let text = "\"t.op\"() : () -> ()";
    let mut context = Context::new();
    let module = parse(&mut context, text);
    let bytes = write(&context, &module);
    let with_aliases = format!("{text}\n#unused = #d.unused\n!unused = !d.unused");
    let module = parse(&mut context, &with_aliases);
    assert!(write(&context, &module) == bytes);
    assert!(bytes.len() < 300, "{} bytes", bytes.len());
}

#[test]
fn options_leave_things_out() {
    let mut context = Context::new();
    let module = parse(&mut context, samples::LOCATIONS);
    let mut options = super::write_options();
    options.locations = false;
    let bytes = write_module(&context, &module, &options).unwrap();
    let back = read(&mut context, &bytes);
    let body = back.body().unwrap();
    assert!(
        back.operations(body)
            .all(|op| back.location(op) == context.unknown_location())
    );
    assert_eq!(back.operations(body).count(), 11);
    assert!(!back.provenance.value_names.is_empty());
    // The file's own name occurs only in locations.
    assert!(!bytes.windows(6).any(|window| window == b"a.mlir"));

    options.names = false;
    let bytes = write_module(&context, &module, &options).unwrap();
    let back = read(&mut context, &bytes);
    assert!(back.provenance.value_names.is_empty());
    assert!(back.provenance.block_names.is_empty());
}

#[test]
fn equal_locations_are_written_once() {
    let one = "#a = loc(\"f\":1:2)\n\"t.op\"() : () -> () loc(#a)\n\"t.op\"() : () -> () loc(#a)";
    let two = "\"t.op\"() : () -> () loc(\"f\":1:2)\n\"t.op\"() : () -> () loc(\"f\":1:2)";
    let mut context = Context::new();
    let module = parse(&mut context, one);
    let bytes = write(&context, &module);
    let module = parse(&mut context, two);
    assert!(write(&context, &module) == bytes);
}

#[test]
fn provenance_comes_back() {
    let mut context = Context::new();
    let mut module = parse(&mut context, samples::RESOURCES);
    module.provenance.producer = Some(context.identifier("LLVM22.1.8"));
    check(&context, &module);
    module.provenance.bytecode_version = Some(6);
    let dialect = context.identifier("vhlo");
    module.provenance.dialect_versions = vec![(dialect, [1, 0, 255].into())];
    module.provenance.layouts = Some(LayoutChoice {
        releases: vec![Release::LLVM_22, Release::new(Family::Iree, 202_608)],
        reason: LayoutReason::Fit,
    });
    check(&context, &module);
    // Operations of the module and others: registered, unregistered, or unknown.
    let [one, two, other, unknown] =
        ["t.res", "t.two", "t.other", "t.unknown"].map(|name| context.operation_name(name));
    module.provenance.encoded_dialects = vec![dialect, context.builtin_namespace()];
    for said in [
        vec![(one, true)],
        vec![(one, false), (other, true)],
        vec![(two, true), (one, true), (unknown, false)],
    ] {
        module.provenance.registered_operations = said;
        check(&context, &module);
    }
    let mut module = parse(&mut context, samples::OPERATIONS);
    assert!(module.provenance.value_names.len() > 8);
    assert!(module.provenance.block_names.len() > 5);
    check(&context, &module);
    module.provenance.value_names.clear();
    check(&context, &module);
}

#[test]
fn orders_of_uses_come_back() {
    let mut context = Context::new();
    let text = r#"
        %a, %b = "t.def"(%a, %late) : (i32, i32) -> (i32, i32)
        "t.use"(%a, %b, %a) ({ "t.use"(%a, %late) : (i32, i32) -> () }) : (i32, i32, i32) -> ()
        "t.use"(%late, %late, %b) : (i32, i32, i32) -> ()
        %late = "t.def"() : () -> i32
        "t.use"(%a, %b) : (i32, i32) -> ()"#;
    let mut module = parse(&mut context, text);
    let usual = write(&context, &module).len();
    let body = module.body().unwrap();
    let values: Vec<_> = module
        .operations(body)
        .flat_map(|op| module.results(op).collect::<Vec<_>>())
        .collect();
    let mut longest = 0;
    // All permutations of the lists.
    for round in 0..120 {
        for &value in &values {
            let mut uses: Vec<_> = module.uses(value).collect();
            let len = uses.len();
            uses.rotate_left(round % len);
            uses.swap(0, (round / len) % len);
            module.reorder_uses(value, &uses).unwrap();
        }
        longest = longest.max(check(&context, &module).len());
    }
    for &value in &values {
        let uses: Vec<_> = module.uses(value).collect();
        let mut sorted = uses.clone();
        sorted.sort_by_key(|&used| std::cmp::Reverse(used));
        module.reorder_uses(value, &sorted).unwrap();
    }
    assert!(longest > usual);
    // The default order takes no bytes.
    assert!(check(&context, &module).len() <= usual);
}

#[test]
fn blobs_are_not_copied() {
    let mut context = Context::new();
    let module = parse(&mut context, samples::RESOURCES);
    let bytes = write(&context, &module);
    let range = |bytes: &[u8]| bytes.as_ptr_range();
    // At every alignment.
    for shift in 0..16 {
        let mut shifted = vec![0; shift];
        shifted.extend(&bytes);
        let source = Source::from(shifted)
            .slice(shift as u64..(shift + bytes.len()) as u64)
            .unwrap();
        let back = read_module(&mut context, &source, &ReadOptions::default()).unwrap();
        let mut blobs = 0;
        for &resource in &back.provenance.resources {
            if let Some(ResourceValue::Blob(blob)) = &context.resource(resource).value {
                assert!(
                    range(&source).contains(&range(blob.data()).start) || blob.data().is_empty()
                );
                blobs += 1;
            }
        }
        assert_eq!(blobs, 5);
        let keep = dump::dump(&context, &back);
        drop(source);
        assert_eq!(dump::dump(&context, &back), keep);
    }
    let back = read_module_from_slice(&mut context, &bytes, &ReadOptions::default()).unwrap();
    assert_eq!(dump::dump(&context, &module), dump::dump(&context, &back));
}

#[test]
fn blobs_may_be_in_another_file() {
    let mut context = Context::new();
    let module = parse(&mut context, samples::RESOURCES);
    let mut options = super::write_options();
    options.external_blobs = Some(ExternalBlobs {
        path: "data/of.blobs".into(),
        above: 1,
    });
    write_module(&context, &module, &options).unwrap_err();
    let (mut bytes, mut blobs) = (Vec::new(), Vec::new());
    write_module_and_blobs(&context, &module, &options, &mut bytes, &mut blobs).unwrap();
    assert!(!blobs.is_empty());
    let folder = std::env::temp_dir().join(format!("rmlir-blobs-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("data")).unwrap();
    let (file, data) = (folder.join("a.rmbc"), folder.join("data/of.blobs"));
    std::fs::write(&file, &bytes).unwrap();
    std::fs::write(&data, &blobs).unwrap();

    let expected = dump::dump(&context, &module);
    let read = |external| {
        let mut options = ReadOptions::default();
        options.external = external;
        let mut other = Context::new();
        read_module(&mut other, &Source::from(bytes.clone()), &options)
            .map(|back| dump::dump(&other, &back))
    };
    assert_eq!(read(Some(Resolver::beside(&file))).unwrap(), expected);
    let mut other = Context::new();
    let opened = File::open(&other, &file, &ReadOptions::default()).unwrap();
    let back = opened.read_module(&mut other).unwrap();
    assert_eq!(dump::dump(&other, &back), expected);

    // Without external data, with different data, with less, and with none.
    let kind = |external| {
        let error = read(external).unwrap_err();
        assert!(
            error.offset().is_some() && error.section().is_some(),
            "{error}"
        );
        error.kind()
    };
    assert_eq!(kind(None), ErrorKind::InvalidRequest);
    let mut changed = blobs.clone();
    *changed.last_mut().unwrap() ^= 1;
    std::fs::write(&data, &changed).unwrap();
    assert_eq!(kind(Some(Resolver::beside(&file))), ErrorKind::Checksum);
    std::fs::write(&data, &blobs[..blobs.len() - 1]).unwrap();
    assert_eq!(kind(Some(Resolver::beside(&file))), ErrorKind::Truncated);
    std::fs::remove_file(&data).unwrap();
    assert_eq!(kind(Some(Resolver::beside(&file))), ErrorKind::Io);
    // A link that leads out of the folder.
    #[cfg(unix)]
    {
        let outside = std::env::temp_dir().join(format!("rmlir-outside-{}", std::process::id()));
        std::fs::write(&outside, &blobs).unwrap();
        std::os::unix::fs::symlink(&outside, &data).unwrap();
        assert_eq!(
            kind(Some(Resolver::beside(&file))),
            ErrorKind::InvalidRequest
        );
        std::fs::remove_file(&outside).unwrap();
    }
    std::fs::remove_dir_all(&folder).unwrap();

    for path in [
        "", "..", "/a", "a/../b", "../a", "a//b", "./a", "a\\b", "c:a", "a/",
    ] {
        options.external_blobs = Some(ExternalBlobs {
            path: path.into(),
            above: 1,
        });
        let written = write_module_and_blobs(
            &context,
            &module,
            &options,
            &mut Vec::new(),
            &mut Vec::new(),
        );
        assert_eq!(
            written.unwrap_err().kind(),
            ErrorKind::InvalidRequest,
            "{path}"
        );
    }
}

#[test]
fn equal_keys_are_different_resources() {
    let mut context = Context::new();
    let (dialect, key) = (context.builtin_namespace(), context.identifier("key"));
    let mut module = Module::new(&mut context);
    let body = module.body().unwrap();
    let name = context.operation_name("t.op");
    let ty = {
        let mut types = parse(&mut context, "\"t.op\"() {t = tensor<1xi8>} : () -> ()");
        let op = types.operations(types.body().unwrap()).next().unwrap();
        let ty = types.attribute(&context, op, "t").unwrap();
        types.set_top(op);
        match context.attribute_kind(ty) {
            AttributeKind::Type(ty) => *ty,
            other => panic!("{other:?}"),
        }
    };
    for byte in [1, 2] {
        let value = Some(ResourceValue::Blob(Blob::from_vec(vec![byte], 4)));
        let resource = context.add_resource(ResourceEntry {
            dialect,
            key,
            value,
        });
        let attribute = context
            .try_attribute(AttributeKind::DenseResource { ty, resource })
            .unwrap();
        let properties = Some(attribute);
        let state = OperationState {
            properties,
            ..OperationState::new(name, context.unknown_location())
        };
        let op = module.create_operation(&state);
        module.append_operation(body, op);
    }
    check(&context, &module);
}

/// Resources that text cannot express, and the reader rejects, are not written.
#[test]
fn resources_that_cannot_be_read_are_not_written() {
    for (dialect, value, good) in [
        (
            "builtin",
            ResourceValue::Blob(Blob::from_vec(vec![1], 4)),
            true,
        ),
        (
            "builtin",
            ResourceValue::Blob(Blob::from_vec(vec![1], 0)),
            true,
        ),
        (
            "builtin",
            ResourceValue::Blob(Blob::from_vec(vec![1], 3)),
            false,
        ),
        ("builtin", ResourceValue::Bool(true), false),
        ("d", ResourceValue::Bool(true), true),
    ] {
        let mut context = Context::new();
        let (dialect, key) = (context.identifier(dialect), context.identifier("key"));
        let mut module = Module::new(&mut context);
        let entry = ResourceEntry {
            dialect,
            key,
            value: Some(value),
        };
        let resource = context.add_resource(entry);
        module.provenance.resources.push(resource);
        let written = write_module(&context, &module, &super::write_options());
        assert_eq!(written.is_ok(), good, "{:?}", context.resource(resource));
        if good {
            check(&context, &module);
        }
    }
}

#[test]
fn top_level_operations_of_any_form() {
    let mut context = Context::new();
    let name = context.operation_name("t.top");
    let i32 = context.i32_type();
    let mut module = Module::new(&mut context);
    let regions = [module.create_region(), module.create_region()];
    let block = module.append_block(regions[1]);
    let location = context.unknown_location();
    module.add_argument(block, i32, location);
    let placeholder = module.create_placeholder(i32);
    let state = OperationState {
        operands: &[placeholder],
        result_types: &[i32, i32],
        regions: &regions,
        ..OperationState::new(name, location)
    };
    let top = module.create_operation(&state);
    module.set_top(top);
    // Uses a value that is never defined.
    let error = write_module(&context, &module, &super::write_options()).unwrap_err();
    assert_eq!(error.kind(), rmlir_format::ErrorKind::InvalidRequest);
    let own = module.result(top, 1).unwrap();
    module.replace_all_uses(placeholder, own);
    check(&context, &module);
}

#[test]
fn successors_of_other_regions_are_refused() {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    let body = module.body().unwrap();
    let name = context.operation_name("t.br");
    let elsewhere = module.create_block();
    for (successor, fine) in [(body, true), (elsewhere, false)] {
        let state = OperationState {
            successors: &[successor],
            ..OperationState::new(name, context.unknown_location())
        };
        let op = module.create_operation(&state);
        module.append_operation(body, op);
        assert_eq!(
            write_module(&context, &module, &super::write_options()).is_ok(),
            fine
        );
    }
}

#[test]
fn a_location_in_itself_is_refused() {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    let location = context.reserve_location();
    let name = context.identifier("me");
    let outer = context.location(LocationKind::Name {
        name,
        child: location,
    });
    let around = context.location(LocationKind::Name { name, child: outer });
    context.define_location(location, around);
    let top = module.top();
    module.set_location(top, outer);
    let error = write_module(&context, &module, &super::write_options()).unwrap_err();
    assert_eq!(error.kind(), rmlir_format::ErrorKind::InvalidRequest);
}

#[test]
fn deep_nesting() {
    const DEPTH: usize = if cfg!(debug_assertions) {
        20_000
    } else {
        100_000
    };
    let mut context = Context::new();
    let regions = "\"t.r\"() ({\n".repeat(DEPTH) + &"}) : () -> () loc(unknown)\n".repeat(DEPTH);
    let module = parse(&mut context, &regions);
    check(&context, &module);
    let arrays = "[".repeat(DEPTH) + &"]".repeat(DEPTH);
    let tuples = "tuple<".repeat(DEPTH) + &">".repeat(DEPTH);
    let locations = "callsite(\"a\" at ".repeat(DEPTH) + "unknown" + &")".repeat(DEPTH);
    let text = format!(
        "\"t.op\"() {{a = {arrays}, t = {tuples}, l = loc({locations})}} : () -> () loc({locations})"
    );
    let module = parse(&mut context, &text);
    check(&context, &module);

    let sum = (0..DEPTH).fold(String::from("d0"), |mut sum, i| {
        write!(sum, " mod {}", i + 2).unwrap();
        sum
    });
    let module = parse(
        &mut context,
        &format!("\"t.op\"() {{m = affine_map<(d0) -> ({sum})>}} : () -> ()"),
    );
    let bytes = check(&context, &module);

    let mut options = ReadOptions::default();
    options.limits.max_depth = 3;
    read_module(&mut context, &Source::from(bytes), &options).unwrap();
    for text in [&regions, &text] {
        let module = parse(&mut context, text);
        let bytes = write(&context, &module);
        let error = read_module(&mut context, &Source::from(bytes), &options).unwrap_err();
        assert_eq!(error.kind(), rmlir_format::ErrorKind::Limit);
        assert!(error.offset().is_some() && error.section().is_some());
    }
}

#[test]
fn many_of_everything() {
    let mut text = String::new();
    for i in 0..2_000 {
        writeln!(
            text,
            "%a{i}:{} = \"t.op{i}\"() {{n{i} = \"s{i}\", m = {i}}} : () -> ({}) loc(\"f{i}\":{i}:{i})",
            i % 7 + 1,
            vec!["i32"; i % 7 + 1].join(", ")
        )
        .unwrap();
        writeln!(
            text,
            "\"t.use\"(%a{i}#{0}, %a{i}#0, %a{1}#0) : (i32, i32, i32) -> ()",
            i % 7,
            i / 2
        )
        .unwrap();
    }
    let mut context = Context::new();
    let module = parse(&mut context, &text);
    check(&context, &module);
}

#[test]
fn all_float_types_have_numbers() {
    let keywords = rmlir_ir::float::FloatKind::ALL.map(|kind| kind.keyword());
    assert_eq!(keywords, rmlir_format::rmbc::FLOAT_KEYWORDS);
}
