//! Tests traversal and replacement of the parts of attributes, types and locations.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyReference, Builder, Context, DialectBody, Entry,
    EntryReplacer, EntryWalker, LocationKind, Module, Replacement, Type, TypeKind, WalkOrder,
    WalkResult,
};

fn children(context: &Context, entry: impl Into<Entry>) -> Vec<Entry> {
    let mut children = Vec::new();
    context.for_each_child(entry, |child| children.push(child));
    children
}

/// One entry of every kind that refers to others, built from these leaves.
struct All {
    entries: Vec<(Entry, Vec<Entry>)>,
}

impl All {
    fn new(context: &mut Context, leaf: Attribute, ty: Type) -> Self {
        let (a, t) = (Entry::Attribute(leaf), Entry::Type(ty));
        let name = context.identifier("n");
        let mut entries: Vec<(Entry, Vec<Entry>)> = Vec::new();
        let i64 = context.i64_type();
        let tensor = |context: &mut Context, shape: &[i64], element, encoding| {
            let shape = shape.into();
            context
                .try_type(TypeKind::RankedTensor {
                    shape,
                    element,
                    encoding,
                })
                .unwrap()
        };
        let one = tensor(context, &[1], ty, None);
        let index = tensor(context, &[1, 1], i64, None);
        let mut body = BodyBuilder::new();
        body.text(b"m<");
        body.reference(context, BodyReference::Type(ty));
        body.text(b", ");
        body.reference(context, BodyReference::Attribute(leaf));
        body.text(b">");
        let body = body.finish();
        // Types.
        let ranked = tensor(context, &[1], ty, Some(leaf));
        entries.push((ranked.into(), vec![t, a]));
        for (kind, parts) in [
            (TypeKind::Complex(ty), vec![t]),
            (TypeKind::Tuple([ty, ty].into()), vec![t, t]),
            (
                TypeKind::Vector {
                    shape: [2].into(),
                    scalable: [true].into(),
                    element: ty,
                },
                vec![t],
            ),
            (TypeKind::UnrankedTensor(ty), vec![t]),
            (
                TypeKind::MemRef {
                    shape: [2].into(),
                    element: ty,
                    layout: None,
                    memory_space: Some(leaf),
                },
                vec![t, a],
            ),
            (
                TypeKind::UnrankedMemRef {
                    element: ty,
                    memory_space: Some(leaf),
                },
                vec![t, a],
            ),
            (
                TypeKind::Dialect {
                    dialect: name,
                    body: body.clone(),
                },
                vec![t, a],
            ),
        ] {
            entries.push((context.try_type(kind).unwrap().into(), parts));
        }
        let function = context.function_type(&[ty, i64], &[ty]);
        entries.push((function.into(), vec![t, i64.into(), t]));
        // Attributes.
        let zero = [0u8; 4];
        let dense = |ty| AttributeKind::DenseElements {
            ty,
            splat: true,
            data: zero.into(),
        };
        let text = TypeKind::Dialect {
            dialect: name,
            body: body.clone(),
        };
        let text = context.try_type(text).unwrap();
        let texts = TypeKind::RankedTensor {
            shape: [1].into(),
            element: text,
            encoding: None,
        };
        let texts = context.try_type(texts).unwrap();
        let values = context.try_attribute(dense(one)).unwrap();
        let indices = AttributeKind::DenseElements {
            ty: index,
            splat: true,
            data: [0; 8].into(),
        };
        let indices = context.try_attribute(indices).unwrap();
        let resource = context.add_resource(rmlir_ir::ResourceEntry {
            dialect: name,
            key: name,
            value: None,
        });
        let location = context.location(LocationKind::Fused {
            locations: &[context.unknown_location()],
            metadata: Some(leaf),
        });
        for (kind, parts) in [
            (AttributeKind::Type(ty), vec![t]),
            (
                AttributeKind::String {
                    value: name,
                    ty: Some(ty),
                },
                vec![t],
            ),
            (
                AttributeKind::Array([leaf, values].into()),
                vec![a, values.into()],
            ),
            (AttributeKind::Dictionary([(name, leaf)].into()), vec![a]),
            (dense(one), vec![one.into()]),
            (
                AttributeKind::DenseStrings {
                    ty: texts,
                    splat: true,
                    values: [name].into(),
                },
                vec![texts.into()],
            ),
            (
                AttributeKind::DenseArray {
                    element: ty,
                    length: 1,
                    data: zero.into(),
                },
                vec![t],
            ),
            (
                AttributeKind::DenseResource { ty: one, resource },
                vec![one.into()],
            ),
            (
                AttributeKind::Sparse {
                    ty: one,
                    indices,
                    values,
                },
                vec![indices.into(), values.into(), one.into()],
            ),
            (
                AttributeKind::Dialect {
                    dialect: name,
                    body,
                    ty: Some(ty),
                },
                vec![t, a, t],
            ),
        ] {
            entries.push((context.try_attribute(kind).unwrap().into(), parts));
        }
        let distinct = context.distinct_attribute(leaf);
        entries.push((distinct.into(), vec![a]));
        let number = context.float_attribute(ty, 1.5).unwrap();
        entries.push((number.into(), vec![t]));
        let int = context.integer_attribute(i64, 1).unwrap();
        entries.push((int.into(), vec![i64.into()]));
        // Locations.
        entries.push((location.into(), vec![a, context.unknown_location().into()]));
        let as_attribute = context.location_attribute(location);
        entries.push((as_attribute.into(), vec![location.into()]));
        let named = context.location(LocationKind::Name {
            name,
            child: location,
        });
        entries.push((named.into(), vec![location.into()]));
        let call = context.location(LocationKind::CallSite {
            callee: named,
            caller: location,
        });
        entries.push((call.into(), vec![named.into(), location.into()]));
        let opaque = entries
            .iter()
            .find_map(|&(entry, _)| match entry {
                Entry::Attribute(attribute)
                    if matches!(
                        context.attribute_kind(attribute),
                        AttributeKind::Dialect { .. }
                    ) =>
                {
                    Some(attribute)
                }
                _ => None,
            })
            .unwrap();
        let of_dialect = context.location(LocationKind::Dialect(opaque));
        entries.push((of_dialect.into(), vec![opaque.into()]));
        let mut body = BodyBuilder::new();
        body.reference(context, BodyReference::Type(ty));
        let tensor = TypeKind::Dialect {
            dialect: name,
            body: body.finish(),
        };
        let tensor = context.try_type(tensor).unwrap();
        let text = AttributeKind::DenseText {
            ty: tensor,
            literal: name,
        };
        let text = context.try_attribute(text).unwrap();
        entries.push((text.into(), vec![tensor.into()]));
        All { entries }
    }
}

#[test]
fn children_of_every_kind() {
    let mut context = Context::new();
    let leaf = context.string_attribute("leaf");
    let f32 = context.f32_type();
    for (entry, parts) in All::new(&mut context, leaf, f32).entries {
        assert_eq!(children(&context, entry), parts, "{entry:?}");
    }
    let unit = context.unit_attribute();
    assert_eq!(children(&context, unit), []);
    let symbol = context.symbol_ref_attribute("f");
    assert_eq!(children(&context, symbol), []);
}

/// Replacing the leaves yields the entries built from the other leaves.
#[test]
fn replacing_in_every_kind() {
    let mut context = Context::new();
    let (old, new) = (
        context.string_attribute("old"),
        context.string_attribute("new"),
    );
    let f32 = context.f32_type();
    let tf32 = context.float_type(rmlir_ir::float::FloatKind::TF32);
    let before = All::new(&mut context, old, f32).entries;
    let mut replacer = EntryReplacer::new(|_: &mut Context, entry| match entry {
        Entry::Attribute(a) if a == old => Some(new.into()),
        Entry::Type(t) if t == f32 => Some(tf32.into()),
        _ => None,
    });
    for (entry, _) in before {
        // The data of one type is not valid for another.
        match entry {
            Entry::Attribute(attribute) => {
                let kind = context.attribute_kind(attribute);
                let is_data = matches!(
                    kind,
                    AttributeKind::DenseElements { .. }
                        | AttributeKind::DenseArray { .. }
                        | AttributeKind::Array(_)
                        | AttributeKind::Sparse { .. }
                        | AttributeKind::Float { .. }
                );
                let keeps = matches!(kind, AttributeKind::Integer { .. });
                if is_data {
                    let mut own = EntryReplacer::new(|_: &mut Context, entry| {
                        (entry == Entry::Type(f32)).then_some(Entry::Type(tf32))
                    });
                    assert!(
                        own.attribute(&mut context, attribute).is_err(),
                        "{attribute:?}"
                    );
                    continue;
                }
                let replaced = replacer.attribute(&mut context, attribute).unwrap();
                assert_eq!(replaced == attribute, keeps, "{attribute:?}");
                assert_clean(&context, replaced.into(), old, f32);
            }
            Entry::Type(ty) => {
                let replaced = replacer.ty(&mut context, ty).unwrap();
                assert_ne!(replaced, ty);
                assert_clean(&context, replaced.into(), old, f32);
                assert_eq!(replacer.ty(&mut context, ty).unwrap(), replaced);
            }
            Entry::Location(location) => {
                let replaced = replacer.location(&mut context, location).unwrap();
                assert_ne!(replaced, location);
                assert_clean(&context, replaced.into(), old, f32);
            }
        }
    }
}

fn assert_clean(context: &Context, entry: Entry, old: Attribute, ty: Type) {
    let mut count = 0;
    EntryWalker::new().walk(context, entry, WalkOrder::PreOrder, |entry| {
        assert_ne!(entry, Entry::Attribute(old));
        assert_ne!(entry, Entry::Type(ty));
        count += 1;
        WalkResult::Advance
    });
    assert!(count > 0);
}

#[test]
fn replacing_with_and_without_entering() {
    let mut context = Context::new();
    let [a, b, c] = ["a", "b", "c"].map(|name| context.string_attribute(name));
    let inner = context.array_attribute(&[a]);
    let other = context.array_attribute(&[b]);
    let outer = context.array_attribute(&[inner, a, inner]);
    for enter in [false, true] {
        let mut asked = Vec::new();
        let mut replacer = EntryReplacer::new(|_: &mut Context, entry| {
            asked.push(entry);
            match entry {
                Entry::Attribute(x) if x == inner && enter => {
                    Replacement::ReplaceAndEnter(other.into())
                }
                Entry::Attribute(x) if x == inner => Replacement::Replace(other.into()),
                Entry::Attribute(x) if x == b => Replacement::Replace(c.into()),
                _ => Replacement::Keep,
            }
        });
        let result = replacer.attribute(&mut context, outer).unwrap();
        assert!(format!("{replacer:?}").starts_with("EntryReplacer"));
        let wanted = if enter { c } else { b };
        let wanted = context.array_attribute(&[wanted]);
        assert_eq!(result, context.array_attribute(&[wanted, a, wanted]));
        let asked_for: Vec<Entry> = match enter {
            true => [outer, inner, b, a].map(Entry::Attribute).into(),
            false => [outer, inner, a].map(Entry::Attribute).into(),
        };
        assert_eq!(asked, asked_for);
    }
    // A replacement of another sort.
    let i32 = context.i32_type();
    let mut replacer = EntryReplacer::new(|_: &mut Context, entry| {
        (entry == Entry::Attribute(a)).then_some(Entry::Type(i32))
    });
    assert!(replacer.attribute(&mut context, outer).is_err());
    assert!(replacer.attribute(&mut context, a).is_err());
}

#[test]
fn walking() {
    let mut context = Context::new();
    let [a, b] = ["a", "b"].map(|name| context.string_attribute(name));
    let x = context.array_attribute(&[a, b]);
    let y = context.array_attribute(&[b, x, a]);
    let walk = |walker: &mut EntryWalker, root, order, skip, stop| {
        let mut seen = Vec::new();
        let result = walker.walk(&context, root, order, |entry| {
            seen.push(entry);
            match entry {
                Entry::Attribute(e) if Some(e) == skip => WalkResult::Skip,
                Entry::Attribute(e) if Some(e) == stop => WalkResult::Interrupt,
                _ => WalkResult::Advance,
            }
        });
        assert_eq!(result.was_interrupted(), stop.is_some());
        seen
    };
    let entries = |list: &[Attribute]| list.iter().map(|&e| Entry::from(e)).collect::<Vec<_>>();
    use WalkOrder::{PostOrder, PreOrder};
    let new = EntryWalker::new;
    assert_eq!(
        walk(&mut new(), y, PreOrder, None, None),
        entries(&[y, b, x, a])
    );
    assert_eq!(
        walk(&mut new(), y, PostOrder, None, None),
        entries(&[b, a, x, y])
    );
    assert_eq!(walk(&mut new(), y, PreOrder, Some(y), None), entries(&[y]));
    assert_eq!(
        walk(&mut new(), y, PreOrder, Some(x), None),
        entries(&[y, b, x, a])
    );
    assert_eq!(
        walk(&mut new(), y, PostOrder, Some(x), None),
        entries(&[b, a, x, y])
    );
    assert_eq!(
        walk(&mut new(), y, PreOrder, None, Some(x)),
        entries(&[y, b, x])
    );
    assert_eq!(
        walk(&mut new(), y, PostOrder, None, Some(a)),
        entries(&[b, a])
    );
    // Entries visited before are not visited again.
    let mut walker = new();
    assert_eq!(
        walk(&mut walker, x, PreOrder, None, None),
        entries(&[x, a, b])
    );
    assert_eq!(walk(&mut walker, y, PreOrder, None, None), entries(&[y]));
}

#[test]
fn replacing_in_operations() {
    let mut context = Context::new();
    let mut module = Module::new(&mut context);
    let (i32, i64) = (context.i32_type(), context.i64_type());
    let (old, new) = (
        context.string_attribute("old"),
        context.string_attribute("new"),
    );
    let here = context.location(LocationKind::Fused {
        locations: &[context.unknown_location()],
        metadata: Some(old),
    });
    let mut b = Builder::new(&mut context, &mut module);
    b.set_location(here);
    let ty = b.context.type_attribute(i32);
    let region = b.create_region();
    let op = b
        .op("t.op")
        .results([i32, i64])
        .attribute("a", old)
        .property("t", ty)
        .region(region)
        .build()
        .unwrap();
    let block = b.create_block(region, &[i32]);
    let inner = b.op("t.op").result(i32).build_value().unwrap();
    let mut replacer = EntryReplacer::new(|_: &mut Context, entry| match entry {
        Entry::Attribute(a) if a == old => Some(new.into()),
        Entry::Type(t) if t == i32 => Some(i64.into()),
        _ => None,
    });
    for changed in [true, false] {
        assert_eq!(
            replacer.attributes_of(&mut context, &mut module, op),
            Ok(changed)
        );
        assert_eq!(
            replacer.types_of(&mut context, &mut module, op),
            Ok(changed)
        );
        assert_eq!(
            replacer.locations_of(&mut context, &mut module, op),
            Ok(changed)
        );
    }
    let to_i64 = context.type_attribute(i64);
    assert_eq!(module.attribute(&context, op, "a"), Some(new));
    assert_eq!(module.attribute(&context, op, "t"), Some(to_i64));
    assert!(module.results(op).all(|v| module.value_type(v) == i64));
    assert!(
        module
            .arguments(block)
            .all(|(v, l)| module.value_type(v) == i64 && l != here)
    );
    assert_ne!(module.location(op), here);
    assert_eq!(module.value_type(inner), i32);
}

#[test]
fn deep_and_shared() {
    const DEPTH: usize = 100_000;
    let mut context = Context::new();
    let (old, new) = (
        context.string_attribute("old"),
        context.string_attribute("new"),
    );
    let build = |context: &mut Context, leaf| {
        (0..DEPTH).fold(leaf, |inner, _| context.array_attribute(&[inner, inner]))
    };
    let (before, after) = (build(&mut context, old), build(&mut context, new));
    let mut count = 0;
    EntryWalker::new().walk(&context, before, WalkOrder::PostOrder, |_| {
        count += 1;
        WalkResult::Advance
    });
    assert_eq!(count, DEPTH + 1);
    let mut replacer = EntryReplacer::new(|_: &mut Context, entry| {
        (entry == Entry::Attribute(old)).then_some(Entry::Attribute(new))
    });
    assert_eq!(replacer.attribute(&mut context, before), Ok(after));
}

/// A text that cannot be printed between brackets and parsed again is not a valid body.
#[test]
fn bodies_are_checked() {
    let mut context = Context::new();
    let dialect = context.identifier("d");
    let odd = context.identifier("a b");
    let make = |context: &mut Context, dialect, body: &[u8]| {
        let body = DialectBody::from_text(body);
        context.try_type(TypeKind::Dialect { dialect, body })
    };
    for body in [
        "",
        "a",
        "a<b>",
        "a-",
        "-",
        "->",
        "[(<{}>)]",
        "a -> b",
        "\"<\\22\\\\\"",
        "#a !b",
        "distinct",
        "@a::@b",
        "0x<1>",
    ] {
        assert!(
            make(&mut context, dialect, body.as_bytes()).is_ok(),
            "{body}"
        );
    }
    for body in [
        "<",
        ">",
        "(]",
        "a>",
        "x <- ",
        "a<b-",
        "a -",
        "\"",
        "\"\\\"",
        "\"\\q\"",
        "\"\n\"",
        "#d.a",
        "!d<x>",
        "[!d.t]",
        "distinct[0]<>",
        "dense_resource<r>",
    ] {
        assert!(
            make(&mut context, dialect, body.as_bytes()).is_err(),
            "{body}"
        );
    }
    assert!(make(&mut context, odd, b"x").is_err());
    // A reference ends words and strings.
    let i1 = BodyReference::Type(context.i1_type());
    for (before, after, expected) in [
        (&b"x"[..], &b"y"[..], Some("x  y")),
        (b"!", b"<>", Some("!  <>")),
        (b"x <", b">", Some("x <>")),
        (b"\"a", b"b\"", None),
        (b"x<-", b">>", None),
    ] {
        let mut builder = BodyBuilder::new();
        builder.text(before);
        builder.reference(&context, i1);
        builder.text(after);
        let body = builder.finish();
        assert_eq!(body.check().is_ok(), expected.is_some());
        if let Some(expected) = expected {
            assert_eq!(body.text(), expected.as_bytes());
        }
    }
}

#[test]
fn names_are_checked() {
    let mut context = Context::new();
    let (empty, unit) = (context.identifier(""), context.unit_attribute());
    assert!(context.dictionary_attribute(&[(empty, unit)]).is_err());
    let nested = Box::new([empty]);
    let root = context.identifier("a");
    let reference = AttributeKind::SymbolRef { root, nested };
    // As upstream.
    assert!(context.try_attribute(reference).is_ok());
    let mut module = Module::new(&mut context);
    for (name, good) in [("a\0b", false), ("", false), ("\u{1}", true)] {
        let mut builder = Builder::new(&mut context, &mut module);
        assert_eq!(builder.op(name).build().is_ok(), good, "{name:?}");
    }
}
