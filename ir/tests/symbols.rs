//! Tests symbol tables and symbol references.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

mod common;

use common::check;
use rmlir_ir::definition::{InherentAttribute, Presence};
use rmlir_ir::{
    Attribute, AttributeKind, BodyBuilder, BodyReference, Builder, Context, DialectBody,
    DialectDefinition, Identifier, Module, Operation, OperationDefinition, OperationTraits,
    SymbolTable, SymbolTableCollection, TypeKind, Visibility,
};

fn setup() -> (Context, Module) {
    let mut context = Context::new();
    let module = Module::new(&mut context);
    (context, module)
}

fn reference(context: &mut Context, path: &str) -> Attribute {
    let mut names = path
        .split("::")
        .map(|name| context.identifier(name))
        .collect::<Vec<_>>();
    let root = names.remove(0);
    context
        .try_attribute(AttributeKind::SymbolRef {
            root,
            nested: names.into(),
        })
        .unwrap()
}

fn spelled(context: &Context, path: &[Identifier]) -> String {
    path.iter()
        .map(|&name| context.str(name))
        .collect::<Vec<_>>()
        .join("::")
}

fn named(b: &mut Builder<'_>, op: &str, name: &str) -> Operation {
    let name = b.context.string_attribute(name);
    b.op(op).property("sym_name", name).build().unwrap()
}

/// Creates a `builtin.module` called `name` and moves the insertion point into it.
fn table(b: &mut Builder<'_>, name: &str) -> Operation {
    let name = b.context.string_attribute(name);
    let region = b.create_region();
    let op = b
        .op("builtin.module")
        .property("sym_name", name)
        .region(region)
        .build()
        .unwrap();
    b.create_block(region, &[]);
    op
}

fn user(b: &mut Builder<'_>, path: &str) -> Operation {
    let callee = reference(b.context, path);
    b.op("t.call").property("callee", callee).build().unwrap()
}

fn callee(context: &Context, module: &Module, op: Operation) -> String {
    let attribute = module.attribute(context, op, "callee").unwrap();
    match context.attribute_kind(attribute) {
        AttributeKind::SymbolRef { root, nested } => {
            let mut path = vec![*root];
            path.extend(nested);
            spelled(context, &path)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn lookups() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let top_end = b.insertion_point();
    let f = named(&mut b, "t.func", "f");
    let a = table(&mut b, "a");
    let f_in_a = named(&mut b, "t.func", "f");
    let inner = table(&mut b, "inner");
    let g = named(&mut b, "t.func", "g");
    let deep_user = user(&mut b, "g");
    b.set_insertion_point(top_end);
    // A discardable name counts as a name; an attribute that is not a string does not.
    let text = b.context.string_attribute("discardable");
    let d = b.op("t.func").attribute("sym_name", text).build().unwrap();
    let unit = b.context.unit_attribute();
    b.op("t.func").property("sym_name", unit).build().unwrap();
    // An operation with a region that is not a symbol table.
    let region = b.create_region();
    b.op("t.nest").region(region).build().unwrap();
    b.create_block(region, &[]);
    let nested_user = user(&mut b, "f");

    let top = module.top();
    let symbols = SymbolTable::new(&context, &module, top).unwrap();
    assert_eq!(symbols.operation(), top);
    assert_eq!(symbols.len(), 3);
    for (name, expected) in [
        ("f", Some(f)),
        ("a", Some(a)),
        ("discardable", Some(d)),
        ("g", None),
        ("never", None),
    ] {
        assert_eq!(symbols.lookup(&context, name), expected, "{name}");
    }
    let mut collection = SymbolTableCollection::new();
    for (path, expected) in [
        ("f", Some(f)),
        ("a", Some(a)),
        ("a::f", Some(f_in_a)),
        ("a::inner", Some(inner)),
        ("a::inner::g", Some(g)),
        ("a::g", None),
        ("f::f", None),
        ("b::f", None),
        ("a::inner::g::h", None),
    ] {
        let path = reference(&mut context, path);
        assert_eq!(symbols.lookup_nested(&context, &module, path), expected);
        assert_eq!(module.lookup_symbol_in(&context, top, path), expected);
        for from in [nested_user, f, top] {
            assert_eq!(module.lookup_symbol_from(&context, from, path), expected);
            assert_eq!(
                collection.lookup_symbol_from(&context, &module, from, path),
                expected
            );
        }
    }
    let unit = context.unit_attribute();
    assert_eq!(symbols.lookup_nested(&context, &module, unit), None);
    for (op, expected) in [
        (top, top),
        (nested_user, top),
        (f, top),
        (a, a),
        (f_in_a, a),
        (g, inner),
        (deep_user, inner),
    ] {
        assert_eq!(module.nearest_symbol_table(&context, op), Some(expected));
        assert_eq!(
            collection.nearest_symbol_table(&context, &module, op),
            Some(expected)
        );
    }
    // Only the nearest table: names outside are not found.
    let (to_g, to_a) = (reference(&mut context, "g"), reference(&mut context, "a"));
    assert_eq!(
        module.lookup_symbol_from(&context, deep_user, to_g),
        Some(g)
    );
    assert_eq!(module.lookup_symbol_from(&context, deep_user, to_a), None);
    assert_eq!(
        collection.lookup_symbol_from(&context, &module, deep_user, to_a),
        None
    );
}

#[test]
fn what_is_a_symbol_table() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let end = b.insertion_point();
    let nest = |b: &mut Builder<'_>, name: &str, blocks: usize| {
        b.set_insertion_point(end);
        let region = b.create_region();
        let op = b.op(name).region(region).build().unwrap();
        (0..blocks).for_each(|_| {
            b.create_block(region, &[]);
        });
        op
    };
    let known = nest(&mut b, "d.table", 1);
    let known_other = nest(&mut b, "d.loop", 1);
    named(&mut b, "t.func", "f");
    let unknown = nest(&mut b, "t.table", 1);
    named(&mut b, "t.func", "f");
    let unknown_without = nest(&mut b, "t.loop", 1);
    let two_blocks = nest(&mut b, "t.cfg", 2);
    named(&mut b, "t.func", "f");
    let empty = nest(&mut b, "t.empty", 0);
    b.set_insertion_point(end);
    let leaf = b.op("t.leaf").build().unwrap();
    let sym_name = InherentAttribute::new("sym_name", Presence::Required);
    let definition = DialectDefinition::new("d").with_operations([
        OperationDefinition::new("loop"),
        OperationDefinition::new("table")
            .with_traits(OperationTraits::SYMBOL_TABLE)
            .with_attribute(sym_name),
    ]);
    context.register_dialect(definition);
    for (op, is, can_be) in [
        (module.top(), true, true),
        (known, true, true),
        (known_other, false, false),
        (unknown, true, true),
        (unknown_without, false, true),
        (two_blocks, false, false),
        (empty, false, false),
        (leaf, false, false),
    ] {
        assert_eq!(module.is_symbol_table(&context, op), is, "{op:?}");
        assert_eq!(
            SymbolTable::new(&context, &module, op).is_ok(),
            can_be,
            "{op:?}"
        );
    }
    // A new name is stored where the definition requires it.
    let name = context.identifier("n");
    module.set_symbol_name(&mut context, known, name).unwrap();
    assert_eq!(module.attributes(known), None);
    assert_eq!(module.symbol_name(&context, known), Some(name));
    module.set_symbol_name(&mut context, leaf, name).unwrap();
    assert_eq!(module.properties(leaf), None);
    assert_eq!(module.symbol_name(&context, leaf), Some(name));
}

#[test]
fn duplicates_are_reported() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let first = named(&mut b, "t.func", "f");
    named(&mut b, "t.func", "g");
    named(&mut b, "t.func", "f");
    let error = SymbolTable::new(&context, &module, module.top()).unwrap_err();
    assert_eq!(error.message(), "redefinition of symbol named 'f'");
    let f = reference(&mut context, "f");
    let mut collection = SymbolTableCollection::new();
    let top = module.top();
    assert_eq!(
        collection.lookup_symbol_in(&context, &module, top, f),
        Some(first)
    );
}

#[test]
fn visibilities() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let f = named(&mut b, "t.func", "f");
    assert_eq!(module.symbol_visibility(&context, f), Visibility::Public);
    for visibility in [Visibility::Private, Visibility::Nested, Visibility::Public] {
        module
            .set_symbol_visibility(&mut context, f, visibility)
            .unwrap();
        assert_eq!(module.symbol_visibility(&context, f), visibility);
    }
    assert_eq!(module.attributes(f), None);
}

#[test]
fn inserting_and_removing() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let f = named(&mut b, "t.func", "f");
    let taken = named(&mut b, "t.func", "f_1");
    let outer = table(&mut b, "m");
    let elsewhere = named(&mut b, "t.func", "x");
    b.set_insertion_point(None);
    let new: Vec<_> = ["f", "f", "g", "g"]
        .map(|name| named(&mut b, "t.func", name))
        .into();
    let nameless = b.op("t.func").build().unwrap();

    let mut symbols = SymbolTable::new(&context, &module, module.top()).unwrap();
    let mut names = Vec::new();
    for &op in &new {
        let name = symbols.insert(&mut context, &mut module, op).unwrap();
        assert_eq!(symbols.get(name), Some(op));
        assert_eq!(module.symbol_name(&context, op), Some(name));
        names.push(context.str(name).into_owned());
    }
    // As upstream, one counter serves all names of a table.
    assert_eq!(names, ["f_0", "f_2", "g", "g_3"]);
    let all: Vec<_> = module.operations(module.body().unwrap()).collect();
    assert_eq!(all, [f, taken, outer, new[0], new[1], new[2], new[3]]);
    // Inserting again changes nothing.
    assert!(symbols.insert(&mut context, &mut module, new[1]).is_ok());
    assert_eq!(symbols.len(), 7);
    assert!(symbols.insert(&mut context, &mut module, nameless).is_err());
    assert!(
        symbols
            .insert(&mut context, &mut module, elsewhere)
            .is_err()
    );

    assert!(symbols.remove(&context, &module, f));
    assert!(!symbols.remove(&context, &module, f));
    assert!(!symbols.remove(&context, &module, elsewhere));
    assert_eq!(symbols.lookup(&context, "f"), None);
    assert_eq!(module.parent_operation(f), Some(module.top()));
    symbols.erase(&context, &mut module, taken).unwrap();
    assert_eq!(symbols.lookup(&context, "f_1"), None);
    assert_eq!(module.parent_block(taken), None);
    check(&module, &[module.top(), nameless]);
}

#[test]
fn inserting_before_a_terminator() {
    let (mut context, mut module) = setup();
    let end = OperationDefinition::new("end").with_traits(OperationTraits::TERMINATOR);
    context.register_dialect(DialectDefinition::new("d").with_operations([end]));
    let mut b = Builder::new(&mut context, &mut module);
    let end = b.op("d.end").build().unwrap();
    b.set_insertion_point(None);
    let f = named(&mut b, "t.func", "f");
    let mut symbols = SymbolTable::new(&context, &module, module.top()).unwrap();
    symbols.insert(&mut context, &mut module, f).unwrap();
    assert_eq!(module.next_operation(f), Some(end));
}

#[test]
fn renaming_reaches_nested_references() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let top_end = b.insertion_point();
    let top_f = named(&mut b, "t.func", "f");
    let out = [
        user(&mut b, "a::f"),
        user(&mut b, "f"),
        user(&mut b, "a::b::f"),
        user(&mut b, "a"),
    ];
    let a = table(&mut b, "a");
    let a_f = named(&mut b, "t.func", "f");
    let in_a = [
        user(&mut b, "f"),
        user(&mut b, "f::x"),
        user(&mut b, "a::f"),
    ];
    let inner = table(&mut b, "b");
    named(&mut b, "t.func", "f");
    let in_b = user(&mut b, "f");
    // The attributes of a nested symbol table belong to the enclosing one.
    let to_f = reference(b.context, "f");
    let name = b.context.identifier("callee");
    b.module
        .set_inherent_attribute(b.context, inner, name, Some(to_f))
        .unwrap();
    b.module
        .set_inherent_attribute(b.context, a, name, Some(to_f))
        .unwrap();
    b.set_insertion_point(top_end);
    // Nested in an operation that is not a symbol table.
    let region = b.create_region();
    b.op("t.nest").region(region).build().unwrap();
    b.create_block(region, &[]);
    let nested = user(&mut b, "a::f");

    let uses = module.uses_of_symbol(&context, a_f);
    let found: Vec<_> = uses
        .iter()
        .map(|u| (u.operation, spelled(&context, &u.path)))
        .collect();
    assert_eq!(
        found,
        [
            (in_a[0], "f".into()),
            (in_a[1], "f::x".into()),
            (inner, "f".into()),
            (out[0], "a::f".into()),
            (nested, "a::f".to_owned()),
        ]
    );

    let mut symbols = SymbolTable::new(&context, &module, a).unwrap();
    assert!(symbols.rename(&mut context, &mut module, a_f, "b").is_err());
    assert!(
        symbols
            .rename(&mut context, &mut module, top_f, "z")
            .is_err()
    );
    symbols.rename(&mut context, &mut module, a_f, "f").unwrap();
    symbols.rename(&mut context, &mut module, a_f, "g").unwrap();
    assert_eq!(symbols.lookup(&context, "g"), Some(a_f));
    assert_eq!(symbols.lookup(&context, "f"), None);
    let text = |op| callee(&context, &module, op);
    assert_eq!(out.map(text), ["a::g", "f", "a::b::f", "a"]);
    assert_eq!(in_a.map(text), ["g", "g::x", "a::f"]);
    assert_eq!([in_b, inner, a, nested].map(text), ["f", "g", "f", "a::g"]);

    let mut symbols = SymbolTable::new(&context, &module, module.top()).unwrap();
    symbols.rename(&mut context, &mut module, a, "aa").unwrap();
    let text = |op| callee(&context, &module, op);
    assert_eq!(out.map(text), ["aa::g", "f", "aa::b::f", "aa"]);
    assert_eq!(in_a.map(text), ["g", "g::x", "a::f"]);
}

#[test]
fn replacing_in_a_scope() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let first = user(&mut b, "f");
    let region = b.create_region();
    let to_f = reference(b.context, "f");
    let nest = b
        .op("t.nest")
        .attribute("callee", to_f)
        .region(region)
        .build()
        .unwrap();
    b.create_block(region, &[]);
    let inside = user(&mut b, "f");
    assert!(
        module
            .replace_all_symbol_uses(&mut context, nest, "f", "g")
            .unwrap()
    );
    assert!(
        !module
            .replace_all_symbol_uses(&mut context, nest, "f", "g")
            .unwrap()
    );
    let text = |op| callee(&context, &module, op);
    assert_eq!([first, nest, inside].map(text), ["f", "g", "g"]);
    let top = module.top();
    assert!(
        module
            .replace_all_symbol_uses(&mut context, top, "f", "h")
            .unwrap()
    );
    assert_eq!(callee(&context, &module, first), "h");
    let uses = module.symbol_uses(&context, top);
    assert_eq!(
        uses.iter().map(|u| u.operation).collect::<Vec<_>>(),
        [first, nest, inside]
    );
}

/// Returns `#t.body<text>`.
fn opaque(context: &mut Context, body: DialectBody) -> Attribute {
    let dialect = context.identifier("t");
    context
        .try_attribute(AttributeKind::Dialect {
            dialect,
            body,
            ty: None,
        })
        .unwrap()
}

#[test]
fn references_everywhere_in_attributes() {
    let (mut context, mut module) = setup();
    let f = reference(&mut context, "f");
    let f_g = reference(&mut context, "f::g");
    let other = reference(&mut context, "other");
    let name = context.identifier("x");
    let array = context.array_attribute(&[other, f_g, f]);
    let dictionary = context.dictionary_attribute(&[(name, array)]).unwrap();
    let distinct = context.distinct_attribute(dictionary);
    // A type that refers to a symbol through an attribute.
    let f32 = context.f32_type();
    let mut body = BodyBuilder::new();
    body.text(b"enc<\"@f\", @f, ");
    body.reference(&context, BodyReference::Attribute(f));
    body.text(b", @ff, @\"f\"::@g>");
    let encoding = opaque(&mut context, body.finish());
    let ty = context
        .try_type(TypeKind::RankedTensor {
            shape: [2].into(),
            element: f32,
            encoding: Some(encoding),
        })
        .unwrap();
    let ty = context.type_attribute(ty);
    let mut b = Builder::new(&mut context, &mut module);
    let op = b
        .op("t.op")
        .property("d1", distinct)
        .property("d2", distinct)
        .attribute("ty", ty)
        .build()
        .unwrap();
    let paths = |context: &Context, module: &Module| {
        let uses = module.symbol_uses(context, module.top());
        assert!(uses.iter().all(|u| u.operation == op));
        uses.iter()
            .map(|u| spelled(context, &u.path))
            .collect::<Vec<_>>()
    };
    // References to symbols outside the module count in texts as they do in attributes: a lazy
    // reader encounters the reference before the symbol.
    assert_eq!(
        paths(&context, &module),
        ["other", "f::g", "f", "f", "ff", "f::g"]
    );
    let top = module.top();
    assert!(
        module
            .replace_all_symbol_uses(&mut context, top, "f", "new name")
            .unwrap()
    );
    assert_eq!(
        paths(&context, &module),
        [
            "other",
            "new name::g",
            "new name",
            "new name",
            "ff",
            "new name::g"
        ]
    );
    // There is still only one distinct attribute.
    let get = |name: &str| module.attribute(&context, op, name).unwrap();
    assert_eq!(get("d1"), get("d2"));
    assert_ne!(get("d1"), distinct);
    let AttributeKind::Type(ty) = context.attribute_kind(get("ty")) else {
        panic!("a type")
    };
    let TypeKind::RankedTensor {
        encoding: Some(encoding),
        ..
    } = context.type_kind(*ty)
    else {
        panic!("a tensor")
    };
    let AttributeKind::Dialect { body, .. } = context.attribute_kind(*encoding) else {
        panic!("a dialect's attribute")
    };
    assert_eq!(
        body.text(),
        b"enc<\"@f\", @\"new name\", , @ff, @\"new name\"::@g>"
    );
    let new = body.references()[0];
    assert_eq!(new.0 as usize, b"enc<\"@f\", @\"new name\", ".len());
    let BodyReference::Attribute(new) = new.1 else {
        panic!("an attribute")
    };
    assert!(matches!(
        context.attribute_kind(new),
        AttributeKind::SymbolRef { .. }
    ));
    assert_ne!(new, f);
}

#[test]
fn references_in_texts() {
    for (text, expected, renamed) in [
        ("<@f>", vec!["f"], "<@g\\>"),
        ("@f", vec!["f"], "@g\\"),
        ("@f::@f", vec!["f::f"], "@g\\::@f"),
        ("@f::f", vec!["f"], "@g\\::f"),
        ("@f::", vec!["f"], "@g\\::"),
        ("@f:@f", vec!["f"], "@g\\:@g\\"),
        ("@f.f @f$ @f-f", vec!["f.f", "f$", "f"], "@f.f @f$ @g\\-f"),
        ("@\"f\"@\"\\66\"", vec!["f"], "@g\\@g\\"),
        ("\"@f\" \"\\\"@f\" @", vec![], "\"@f\" \"\\\"@f\" @"),
        ("@@f @1 @", vec!["f"], "@@g\\ @1 @"),
    ] {
        let (mut context, mut module) = setup();
        let body = opaque(&mut context, DialectBody::from_text(text.as_bytes()));
        let mut b = Builder::new(&mut context, &mut module);
        named(&mut b, "t.func", "f");
        let op = b.op("t.op").attribute("a", body).build().unwrap();
        let top = module.top();
        let uses = module.symbol_uses(&context, top);
        let paths: Vec<_> = uses.iter().map(|u| spelled(&context, &u.path)).collect();
        assert_eq!(paths, expected, "{text}");
        module
            .replace_all_symbol_uses(&mut context, top, "f", "g\\")
            .unwrap();
        let new = module.attribute(&context, op, "a").unwrap();
        let AttributeKind::Dialect { body, .. } = context.attribute_kind(new) else {
            panic!("a dialect's attribute")
        };
        let renamed = renamed.replace("g\\", "\"g\\\\\"");
        assert_eq!(String::from_utf8_lossy(body.text()), renamed, "{text}");
    }
}

#[test]
fn deep() {
    const DEPTH: usize = 20_000;
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    for _ in 0..DEPTH {
        table(&mut b, "m");
    }
    let f = named(&mut b, "t.func", "f");
    let inside = user(&mut b, "f");
    // A deep attribute, and one that would be huge as a tree.
    let mut nested = reference(b.context, "f");
    for _ in 0..DEPTH {
        nested = b.context.array_attribute(&[nested, nested]);
    }
    let op = b.op("t.op").attribute("a", nested).build().unwrap();
    assert_eq!(module.uses_of_symbol(&context, f).len(), 2);
    let g = context.identifier("g");
    module.rename_symbol(&mut context, f, g).unwrap();
    assert_eq!(callee(&context, &module, inside), "g");
    assert_ne!(module.attribute(&context, op, "a"), Some(nested));
    let mut collection = SymbolTableCollection::new();
    let g = reference(&mut context, "g");
    assert_eq!(
        collection.lookup_symbol_from(&context, &module, inside, g),
        Some(f)
    );
}

/// A dialect whose symbols are named and referred to by strings of its own.
const DECLARED: &str = "\
dialect toy

attribute s
  parameters value: string
  format `<` $value `>`

op call
  attr f, fs: AnyAttr
  references f, fs

op func
  attr id, public: AnyAttr
  symbol id visibility public
";

/// Returns `#toy.s<"string">`.
fn toy_string(context: &mut Context, string: &str) -> Attribute {
    opaque_of(context, "toy", &format!("s<\"{string}\">"))
}

fn opaque_of(context: &mut Context, dialect: &str, body: &str) -> Attribute {
    let dialect = context.identifier(dialect);
    let body = DialectBody::from_text(body.as_bytes());
    let kind = AttributeKind::Dialect {
        dialect,
        body,
        ty: None,
    };
    context.try_attribute(kind).unwrap()
}

#[test]
fn string_literals() {
    let (mut context, _) = setup();
    for (body, expected) in [
        ("s<\"main\">", Some("main")),
        ("a.b_1$<\"\">", Some("")),
        ("s<\"a\\22b\\\\\\n\">", Some("a\"b\\\n")),
        ("s<\"a\\\"\">", Some("a\"")),
        ("s", None),
        ("s<>", None),
        ("s<a>", None),
        ("s<\"a\", \"b\">", None),
        ("s<\"a\"\"b\">", None),
        ("s<1, \"a\">", None),
        ("s<[\"a\"]>", None),
        ("s<\"a\" >", None),
        ("s <\"a\">", None),
    ] {
        let attribute = opaque_of(&mut context, "toy", body);
        let literal = context.string_literal(attribute);
        let literal = literal.map(|literal| context.str(literal).into_owned());
        assert_eq!(literal.as_deref(), expected, "{body}");
    }
    let string = context.string_attribute("main");
    assert!(context.string_literal(string).is_some());
    let unit = context.unit_attribute();
    assert!(context.string_literal(unit).is_none());
}

#[test]
fn declared_names_and_references() {
    let (mut context, mut module) = setup();
    context.register_dialect(DialectDefinition::parse(DECLARED, &()).unwrap());
    let mut b = Builder::new(&mut context, &mut module);
    let function = |b: &mut Builder<'_>, name: &str, visibility: &str| {
        let (name, visibility) = (
            toy_string(b.context, name),
            toy_string(b.context, visibility),
        );
        let op = b.op("toy.func").property("id", name);
        op.property("public", visibility).build().unwrap()
    };
    let f = function(&mut b, "f", "private");
    let g = function(&mut b, "g", "public");
    let [to_f, to_g] = ["f", "g"].map(|name| toy_string(b.context, name));
    let both = b.context.array_attribute(&[to_g, to_f, to_g]);
    // A name that is not declared as a reference is unchanged.
    let call = b.op("toy.call").property("f", to_f).property("fs", both);
    let call = call.attribute("other", to_f).build().unwrap();
    // In an operation that declares nothing, such a string is not a name.
    let other = toy_string(b.context, "f");
    let unnamed = b.op("t.func").property("sym_name", other).build().unwrap();
    let top = module.top();

    let all = rmlir_ir::nested_symbols(&context, &module);
    let listed: Vec<_> = all
        .iter()
        .map(|symbol| (spelled(&context, &symbol.path(&all)), symbol.visibility))
        .collect();
    assert_eq!(
        listed,
        [
            ("f".to_owned(), Visibility::Private),
            ("g".to_owned(), Visibility::Public)
        ]
    );
    let rest: Vec<_> = rmlir_ir::unnamed_operations(&context, &module).collect();
    assert_eq!(rest, [call, unnamed]);
    let uses = |context: &Context, module: &Module| {
        let uses = module.symbol_uses(context, top);
        let uses = uses.iter().filter(|found| found.operation == call);
        uses.map(|found| spelled(context, &found.path))
            .collect::<Vec<_>>()
    };
    assert_eq!(uses(&context, &module), ["f", "g", "f"]);
    assert_eq!(module.uses_of_symbol(&context, g).len(), 1);

    // Extraction keeps the symbols that it refers to.
    let mut part = module.clone();
    rmlir_ir::extract(&context, &mut part, &[call], true);
    assert_eq!(part.descendants(top).count(), 4);

    // Renaming changes references and preserves their spelling.
    let mut symbols = SymbolTable::new(&context, &module, top).unwrap();
    symbols
        .rename(&mut context, &mut module, f, "new \"f\"")
        .unwrap();
    assert_eq!(uses(&context, &module), ["new \"f\"", "g", "new \"f\""]);
    let name = module.attribute(&context, f, "id").unwrap();
    assert_eq!(name, toy_string(&mut context, "new \\22f\\22"));
    assert_eq!(module.attribute(&context, call, "other"), Some(to_f));
    assert_eq!(symbols.lookup(&context, "new \"f\""), Some(f));
    // An existing visibility keeps its position.
    for visibility in [Visibility::Nested, Visibility::Public] {
        module
            .set_symbol_visibility(&mut context, f, visibility)
            .unwrap();
        assert_eq!(module.symbol_visibility(&context, f), visibility);
        let expected = toy_string(&mut context, visibility.as_str());
        assert_eq!(module.attribute(&context, f, "public"), Some(expected));
    }

    // The verifier checks upstream's symbols only.
    let g = context.identifier("g");
    module.set_symbol_name(&mut context, f, g).unwrap();
    let mut options = rmlir_ir::VerifyOptions::default();
    options.allow_unknown = true;
    rmlir_ir::verify(&context, &module, top, &options).unwrap();
}

/// Visibility as a unit attribute, as `wasmssa.func` has it, and visibility that is fixed.
#[test]
fn visibility_that_is_not_a_name() {
    let text = "dialect toy
op func
  attr sym_name: StrAttr
  attr exported: UnitAttr optional
  symbol sym_name public exported default nested
op import
  attr sym_name: StrAttr
  symbol sym_name default nested
";
    let (mut context, mut module) = setup();
    context.register_dialect(DialectDefinition::parse(text, &()).unwrap());
    let mut b = Builder::new(&mut context, &mut module);
    let [func, import] = ["toy.func", "toy.import"].map(|name| {
        let symbol = b.context.string_attribute(name);
        // By upstream's symbol interface this attribute has a meaning, for these operations not.
        let other = b.context.string_attribute("private");
        let op = b.op(name).property("sym_name", symbol);
        op.attribute("sym_visibility", other).build().unwrap()
    });
    for visibility in [Visibility::Nested, Visibility::Public, Visibility::Nested] {
        module
            .set_symbol_visibility(&mut context, func, visibility)
            .unwrap();
        assert_eq!(module.symbol_visibility(&context, func), visibility);
        let unit = (visibility == Visibility::Public).then(|| context.unit_attribute());
        assert_eq!(module.attribute(&context, func, "exported"), unit);
    }
    let mut set = |symbol, visibility| {
        let result = module.set_symbol_visibility(&mut context, symbol, visibility);
        result.map_err(|error| error.to_string())
    };
    assert_eq!(
        set(func, Visibility::Private).unwrap_err(),
        "the visibility attribute 'exported' cannot denote 'private'"
    );
    assert_eq!(set(import, Visibility::Nested), Ok(()));
    assert_eq!(
        set(import, Visibility::Public).unwrap_err(),
        "the operation has no visibility attribute"
    );
    assert_eq!(
        module.symbol_visibility(&context, import),
        Visibility::Nested
    );
}
