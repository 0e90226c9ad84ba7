//! The worked example of `spec/fingerprint.md`, and what only API calls can make.

use super::*;
use crate::{
    AttributeKind, Blob, BodyBuilder, BodyReference, OperationState, ResourceEntry, ResourceValue,
    TypeKind, WalkStep,
};
use std::fmt::Write as _;

const BEGIN_MARK: &str = "<!-- generated: worked example -->\n";
const END_MARK: &str = "<!-- end -->\n";

/// The module that the specification shows.
fn example(context: &mut Context) -> Module {
    let file = context.identifier("a.mlir");
    let location = context.file_location(file, 3, 7);
    let unknown = context.unknown_location();
    let i32 = context.i32_type();
    let mut module = Module::new(context);
    let body = module.body().unwrap();

    let value = context.identifier("value");
    let answer = context.integer_attribute(i32, 42).unwrap();
    let properties = context.dictionary_attribute(&[(value, answer)]).unwrap();
    let constant = module.create_operation(&OperationState {
        result_types: &[i32],
        properties: Some(properties),
        ..OperationState::new(context.operation_name("arith.constant"), location)
    });
    module.append_operation(body, constant);
    let result = module.result(constant, 0).unwrap();

    let dialect = context.identifier("d");
    let mut builder = BodyBuilder::new();
    builder.text(b"t");
    let ty = TypeKind::Dialect {
        dialect,
        body: builder.finish(),
    };
    let ty = context.try_type(ty).unwrap();
    let mut builder = BodyBuilder::new();
    builder.text(b"x<");
    builder.reference(context, BodyReference::Type(ty));
    builder.text(b", 5>");
    let kind = AttributeKind::Dialect {
        dialect,
        body: builder.finish(),
        ty: None,
    };
    let of_dialect = context.try_attribute(kind).unwrap();
    let unit = context.unit_attribute();
    let (one, two) = (
        context.distinct_attribute(unit),
        context.distinct_attribute(unit),
    );
    let array = context.array_attribute(&[two, one, of_dialect, two]);
    let blob = ResourceEntry {
        dialect: context.builtin_namespace(),
        key: context.identifier("key"),
        value: Some(ResourceValue::Blob(Blob::from_vec(vec![1, 0, 0, 0], 4))),
    };
    let resource = context.add_resource(blob);
    let tensor = TypeKind::RankedTensor {
        shape: [1].into(),
        element: i32,
        encoding: None,
    };
    let tensor = context.try_type(tensor).unwrap();
    let data = AttributeKind::DenseResource {
        ty: tensor,
        resource,
    };
    let data = context.try_attribute(data).unwrap();
    let names = (context.identifier("array"), context.identifier("data"));
    let attributes = [(names.0, array), (names.1, data)];
    let attributes = context.dictionary_attribute(&attributes).unwrap();

    let region = module.create_region();
    let block = module.append_block(region);
    let argument = module.add_argument(block, i32, unknown);
    let using = module.create_operation(&OperationState {
        operands: &[result, result],
        attributes: Some(attributes),
        regions: &[region],
        ..OperationState::new(context.operation_name("t.use"), location)
    });
    module.append_operation(body, using);
    let branch = module.create_operation(&OperationState {
        operands: &[argument, result],
        successors: &[block],
        ..OperationState::new(context.operation_name("t.branch"), unknown)
    });
    module.append_operation(block, branch);
    module
}

/// Bytes in hexadecimal, with `[n]` for the hash of entry n.
fn hex(bytes: &[u8], hashes: &[blake3::Hash]) -> String {
    let mut out = String::new();
    let mut rest = bytes;
    while let Some((byte, behind)) = rest.split_first() {
        if !out.is_empty() {
            out.push(' ');
        }
        let known = |h: &blake3::Hash| rest.starts_with(h.as_bytes());
        if let Some(number) = hashes.iter().position(known) {
            let _ = write!(out, "[{number}]");
            rest = &rest[32..];
        } else {
            let _ = write!(out, "{byte:02x}");
            rest = behind;
        }
    }
    out
}

fn worked_example() -> String {
    let mut context = Context::new();
    let module = example(&mut context);
    let options = FingerprintOptions { locations: true };
    let mut printer = Fingerprinter::new(&context, &options);
    let print = printer.fingerprint(&module, module.top());
    let mut out = "```text\n".to_owned();
    let mut hashes = Vec::new();
    for (number, (entry, bytes)) in printer.entries.known.recorded.iter().enumerate() {
        let kind = match entry {
            ContentNode::Type(_) => "type",
            ContentNode::Attribute(_) => "attribute",
            ContentNode::Location(_) => "location",
            ContentNode::Resource(_) => "resource",
            ContentNode::Affine(_) => "expression",
        };
        let _ = writeln!(out, "entry {number}, {kind}: {}", hex(bytes, &hashes));
        let hash = blake3::hash(bytes);
        let _ = writeln!(out, "  [{number}] = {hash}");
        hashes.push(hash);
    }
    let _ = writeln!(out, "operation tree:");
    // Starts a line for each operation and block.
    let tree = hex(&printer.recorded, &hashes);
    let mut line = String::from(" ");
    for word in tree.split(' ') {
        if line.len() + word.len() > 96 {
            let _ = writeln!(out, "{line}");
            line = String::from(" ");
        }
        let _ = write!(line, " {word}");
    }
    let _ = writeln!(out, "{line}");
    assert_eq!(blake3::hash(&printer.recorded).as_bytes(), print.as_bytes());
    let _ = writeln!(out, "fingerprint, with locations: {print}");
    let without = fingerprint(
        &context,
        &module,
        module.top(),
        &FingerprintOptions::default(),
    );
    let _ = writeln!(out, "fingerprint, without locations: {without}");
    out.push_str("```\n");
    out
}

/// Compares the example in the specification with the computed one. `UPDATE_SPEC=1` rewrites it.
#[test]
fn specification_is_up_to_date() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../spec/fingerprint.md");
    let text = std::fs::read_to_string(path).unwrap();
    let (before, rest) = text.split_once(BEGIN_MARK).unwrap();
    let (found, after) = rest.split_once(END_MARK).unwrap();
    let expected = worked_example();
    if std::env::var_os("UPDATE_SPEC").is_some() {
        let text = format!("{before}{BEGIN_MARK}{expected}{END_MARK}{after}");
        std::fs::write(path, text).unwrap();
    } else {
        assert_eq!(found, expected);
    }
}

#[test]
fn display_is_hexadecimal() {
    let mut bytes = [0; 32];
    bytes[0] = 0xab;
    bytes[31] = 1;
    let print = Fingerprint::from_bytes(bytes);
    assert_eq!(print.to_string(), format!("ab{}01", "0".repeat(60)));
    assert_eq!(*print.as_bytes(), bytes);
}

/// The numbering of values restarts without clearing, and does not overflow.
#[test]
fn numbering_restarts() {
    let mut numbering = Numbering::default();
    numbering.restart(3);
    assert_eq!(numbering.number(2), (0, true));
    assert_eq!(numbering.number(0), (1, true));
    assert_eq!(numbering.number(2), (0, false));
    numbering.restart(4);
    assert_eq!(numbering.number(0), (0, true));
    assert_eq!(numbering.number(3), (1, true));
    (numbering.base, numbering.next) = (u32::MAX - 2, u32::MAX - 2);
    numbering.restart(4);
    assert_eq!(numbering.number(3), (0, true));
    assert_eq!(numbering.number(3), (0, false));
}

/// A location that reaches itself is refused by parsers; should one come by, this ends.
#[test]
fn circular_locations_end() {
    let mut context = Context::new();
    let location = context.reserve_location();
    let kind = crate::LocationKind::CallSite {
        callee: location,
        caller: location,
    };
    let call = context.location(kind);
    context.define_location(location, call);
    let name = context.operation_name("t.op");
    let module = Module::with_top(name, location);
    let options = FingerprintOptions { locations: true };
    let print = fingerprint(&context, &module, module.top(), &options);
    let again = fingerprint(&context, &module, module.top(), &options);
    assert_eq!(print, again);
    let mut fingerprinter = Fingerprinter::new(&context, &options);
    let mut ranges = RangeTable::default();
    fingerprinter.fingerprint_with_ranges(&module, module.top(), &mut ranges);
    assert!(ranges.ranges().is_empty());
    let side = (&context, &module);
    assert!(crate::semantic_eq(
        side,
        side,
        &crate::EqualityOptions { locations: true }
    ));
}

#[test]
fn a_declaration_is_hashed_as_specified() {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    let region = module.create_region();
    let unknown = context.unknown_location();
    let operation = module.create_operation(&OperationState {
        regions: &[region],
        ..OperationState::new(context.operation_name("test.op"), unknown)
    });
    let mut bytes = b"rmlir declaration\x01\x00\x01\x07test.op".to_vec();
    // Neither operands, results, attributes, properties nor successors, and one region.
    bytes.extend([0, 0, 0, 0, 0, 1, 0]);
    let expected = Fingerprint(*blake3::hash(&bytes).as_bytes());
    let options = FingerprintOptions::default();
    let found = |module: &Module| declaration_fingerprint(&context, module, operation, &options);
    assert_eq!(found(&module), expected);
    // The content of the region does not count; the presence of a region does.
    let mut filled = module.clone();
    filled.append_block(region);
    assert_eq!(found(&filled), expected);
    assert_ne!(
        fingerprint(&context, &filled, operation, &options),
        expected
    );
}

/// Returns the fingerprint with ranges of operations with these locations, and the table.
fn with_ranges(
    context: &mut Context,
    locations: &[Location],
    table: &mut RangeTable,
) -> Fingerprint {
    let mut module = Module::new(context);
    let body = module.body().unwrap();
    for &location in locations {
        let name = context.operation_name("test.op");
        let operation = module.create_operation(&OperationState::new(name, location));
        module.append_operation(body, operation);
    }
    let mut fingerprinter = Fingerprinter::new(context, &FingerprintOptions::default());
    fingerprinter.fingerprint_with_ranges(&module, module.top(), table)
}

#[test]
fn ranges_count_by_their_numbers() {
    let mut context = Context::new();
    let [file, other, name] = ["a.py", "b.py", "n"].map(|text| context.identifier(text));
    let places = [(file, 1), (file, 2), (other, 7), (other, 1)];
    let [a, b, c, d] = places.map(|(file, line)| context.file_location(file, line, 1));
    let again = context.file_location(file, 1, 1);
    let unknown = context.unknown_location();
    let hash = |context: &mut Context, locations: &[Location]| {
        with_ranges(context, locations, &mut RangeTable::default())
    };
    let plain = hash(&mut context, &[a, b, a]);
    // Positions do not count; which of them are equal does, whatever their handles are.
    assert_eq!(hash(&mut context, &[c, d, c]), plain);
    assert_eq!(hash(&mut context, &[a, b, again]), plain);
    assert_ne!(hash(&mut context, &[a, b, b]), plain);
    assert_ne!(hash(&mut context, &[a, b, c]), plain);
    assert_ne!(hash(&mut context, &[a, b, unknown]), plain);
    // Locations around ranges count.
    let mut named = |child| context.location(crate::LocationKind::Name { name, child });
    let [named_a, named_again, named_b, named_c] = [a, again, b, c].map(&mut named);
    let nested = hash(&mut context, &[named_a, b, named_a]);
    assert_ne!(nested, plain);
    assert_eq!(hash(&mut context, &[named_a, b, named_again]), nested);
    assert_eq!(hash(&mut context, &[named_c, b, named_c]), nested);
    assert_ne!(hash(&mut context, &[named_a, b, named_b]), nested);
    let mut call = |callee, caller| {
        let kind = crate::LocationKind::CallSite { callee, caller };
        context.location(kind)
    };
    let (there, back) = (call(named_a, b), call(b, named_a));
    assert_ne!(hash(&mut context, &[there]), hash(&mut context, &[back]));
    let (one, two) = (context.unit_attribute(), context.string_attribute("s"));
    let fused = [None, Some(one), Some(two)].map(|metadata| {
        let location = context.location(crate::LocationKind::Fused {
            locations: &[a, named_b],
            metadata,
        });
        hash(&mut context, &[location])
    });
    assert!(fused[0] != fused[1] && fused[1] != fused[2] && fused[0] != fused[2]);
    // The table has the ranges in the order of first use, and continues.
    let mut table = RangeTable::default();
    with_ranges(&mut context, &[named_b, a, again], &mut table);
    assert_eq!(table.ranges(), [b, a]);
    with_ranges(&mut context, &[a, c], &mut table);
    assert_eq!(table.take(), [b, a, c]);
    assert!(table.ranges().is_empty());
}

/// Returns the fingerprints of all operations of a module, which a stream receives.
fn streamed(context: &Context, module: &Module) -> Vec<(Operation, StreamedFingerprints)> {
    let mut stream = FingerprintStream::default();
    let mut found = Vec::new();
    let value = |value: Value| StreamedValue {
        slot: value.index() as u32,
        ty: module.value_type(value),
    };
    // The values of open regions.
    let mut open: Vec<Vec<Value>> = vec![Vec::new()];
    for step in module.traverse(module.top()) {
        match step {
            WalkStep::EnterOperation(operation) => {
                let operands: Vec<_> = module.operands(operation).map(value).collect();
                let results: Vec<_> = module.results(operation).map(value).collect();
                open.last_mut().unwrap().extend(module.results(operation));
                let number = |block| {
                    let region = module.block_region(block).unwrap();
                    module.blocks(region).position(|one| one == block).unwrap() as u64
                };
                let successors: Vec<_> = module.successors(operation).map(number).collect();
                let received = StreamedOperation {
                    name: module.name(operation),
                    operands: &operands,
                    results: &results,
                    attributes: module.attributes(operation),
                    properties: module.properties(operation),
                    successors: &successors,
                    regions: module.region_count(operation) as u64,
                };
                stream.operation(context, &received, true);
            }
            WalkStep::EnterRegion(region) => {
                open.push(Vec::new());
                stream.region(module.blocks(region).count() as u64);
            }
            WalkStep::EnterBlock(block) => {
                let values: Vec<_> = module.arguments(block).map(|(value, _)| value).collect();
                open.last_mut().unwrap().extend(&values);
                let arguments: Vec<_> = values.into_iter().map(value).collect();
                stream.block(context, &arguments);
            }
            WalkStep::LeaveBlock(_) => {}
            WalkStep::LeaveRegion(_) => {
                stream.end_region();
                let values = open.pop().unwrap().into_iter();
                values.for_each(|value| stream.release(value.index() as u32));
            }
            WalkStep::LeaveOperation(operation) => {
                found.push((operation, stream.end_operation().unwrap()));
            }
        }
    }
    found
}

#[test]
fn streamed_fingerprints_are_those_of_modules() {
    let mut context = Context::new();
    let mut module = example(&mut context);
    let (text, flag) = (context.identifier("sym_name"), context.identifier("other"));
    let distinct = context.distinct_attribute(context.unit_attribute());
    // Symbols in one another, of which the middle one uses the values of the outer one.
    let mut block = module.body().unwrap();
    for name in ["a", "b", "c"] {
        let value = context.string_attribute(name);
        let entries = [(text, value), (flag, distinct)];
        let region = module.create_region();
        let properties = context.dictionary_attribute(&entries).unwrap();
        let is_inherent = name != "b";
        let before = module
            .operations(block)
            .find(|&op| module.result_count(op) > 0);
        let operand = before.and_then(|op| module.result(op, 0));
        let symbol = module.create_operation(&OperationState {
            operands: operand.as_slice(),
            result_types: &[context.i32_type(), context.index_type()],
            attributes: Some(properties).filter(|_| !is_inherent),
            properties: Some(properties).filter(|_| is_inherent),
            regions: &[region],
            ..OperationState::new(
                context.operation_name("t.symbol"),
                context.unknown_location(),
            )
        });
        module.append_operation(block, symbol);
        module.append_block(region);
        block = module.append_block(region);
    }
    let found = streamed(&context, &module);
    assert_eq!(found.len(), 7);
    let options = FingerprintOptions::default();
    for &(operation, streamed) in &found {
        let expected = fingerprint(&context, &module, operation, &options);
        assert_eq!(streamed.with_names, expected, "{operation:?}");
    }
    let none = context.identifier("_");
    for &(operation, _) in &found {
        if module.symbol_name(&context, operation).is_some() {
            module
                .set_symbol_name(&mut context, operation, none)
                .unwrap();
        }
    }
    for &(operation, streamed) in &found {
        let expected = fingerprint(&context, &module, operation, &options);
        assert_eq!(streamed.without_names, expected, "{operation:?}");
    }
}
