//! The verifier checks attributes and types that were built in code or read from bytecode against
//! the definitions of their dialects, by default.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use rmlir::format::Source;
use rmlir::ir::codec::{FieldValue, FieldValues};
use rmlir::ir::{
    AttributeKind, Builder, Context, DialectBody, DialectDefinition, LocationKind, Module, Type,
    TypeKind, VerifyOptions, verify,
};
use rmlir::ir::{LinkInput, LinkOptions, link};
use rmlir::reader::{mlirbc as mlirbc_reader, rmbc as rmbc_reader};
use rmlir::text::{ParseOptions, entry_body, message_to_string, parse_module, register};
use rmlir::writer::{mlirbc, rmbc};
use rmlir::{File, Form, Ir, ReadOptions, Threads, WriteOptions};

const DIALECT: &str = "dialect t
type mat
  parameters rows, cols: int(min(1)), element: type
  format `<` $rows `x` $cols `,` $element `>`
";

/// Returns a context without a registered checker.
fn bare() -> Context {
    let mut context = Context::new();
    context.register_dialect(DialectDefinition::parse(DIALECT, &()).unwrap());
    context
}

/// Returns `!t.mat<ROWS x 4, f32>`, built from its parameters.
fn mat(context: &mut Context, rows: i64) -> Type {
    let dialect = context.dialect(b"t").unwrap();
    let entry = dialect.types.entries().iter().find(|e| e.mnemonic == "mat");
    let mut values = FieldValues::default();
    let element = FieldValue::Type(context.f32_type());
    values.fields = vec![FieldValue::Signed(rows), FieldValue::Signed(4), element];
    let body = entry_body(context, &dialect, entry.unwrap(), &values, 1 << 10).unwrap();
    let dialect = context.identifier("t");
    context
        .try_type(TypeKind::Dialect { dialect, body })
        .unwrap()
}

fn module_with(context: &mut Context, ty: Type) -> Module {
    let mut module = Module::new(context);
    let mut builder = Builder::new(context, &mut module);
    builder.op("test.make").result(ty).build().unwrap();
    module
}

fn errors(context: &Context, module: &Module, options: &VerifyOptions) -> Vec<String> {
    let errors = verify(context, module, module.top(), options).err();
    let errors = errors.unwrap_or_default();
    let text = |e: &rmlir::ir::VerifyError| message_to_string(context, module, &e.message);
    errors.iter().map(text).collect()
}

const REFUSED: &str = "!t.mat<-3 x 4, f32>: failed to verify 'rows': whose minimum value is 1";

#[test]
fn types_built_in_code_are_checked() {
    let mut context = bare();
    register(&mut context);
    let good = mat(&mut context, 3);
    let module = module_with(&mut context, good);
    assert_eq!(
        errors(&context, &module, &VerifyOptions::default()),
        [""; 0]
    );

    // Checked entries are skipped, but later ones are checked.
    let bad = mat(&mut context, -3);
    let entries = context.entry_count();
    let module = module_with(&mut context, bad);
    let mut options = VerifyOptions::default();
    for _ in 0..2 {
        assert_eq!(errors(&context, &module, &options), [REFUSED]);
    }
    options.threads = Threads::new(2);
    assert_eq!(errors(&context, &module, &options), [REFUSED]);
    assert!(
        context.entry_count() <= entries + 2,
        "the verifier adds nothing"
    );
    context.check_bodies();
    assert_eq!(errors(&context, &module, &options), [REFUSED]);
    assert_eq!(errors(&context.clone(), &module, &options), [REFUSED]);

    options.check_bodies = false;
    assert_eq!(errors(&context, &module, &options), [""; 0]);
    options.check_bodies = true;
    options.allow_unknown = true;
    assert_eq!(errors(&context, &module, &options), [""; 0]);

    // Malformed text.
    let body = DialectBody::from_text(b"mat<hello>");
    let dialect = context.identifier("t");
    let garbage = context
        .try_type(TypeKind::Dialect { dialect, body })
        .unwrap();
    // Nested in another type.
    let garbage = context.function_type(&[garbage], &[]);
    let module = module_with(&mut context, garbage);
    let found = errors(&context, &module, &VerifyOptions::default());
    assert!(
        found.len() == 1 && found[0].starts_with("!t.mat<hello>: "),
        "{found:?}"
    );
}

#[test]
fn the_facade_registers_the_checker() {
    let mut context = bare();
    rmlir::dialects::register_all(&mut context);
    let body = DialectBody::from_text(b"mat<hello>");
    let dialect = context.identifier("t");
    let garbage = context
        .try_type(TypeKind::Dialect { dialect, body })
        .unwrap();
    let module = module_with(&mut context, garbage);
    assert_eq!(
        errors(&context, &module, &VerifyOptions::default()).len(),
        1
    );
}

#[test]
fn types_read_from_bytecode_are_checked() {
    let mut context = bare();
    let bad = mat(&mut context, -3);
    let module = module_with(&mut context, bad);
    let native = rmbc::write_module(&context, &module, &Default::default()).unwrap();
    let upstream = mlirbc::write_module(&mut context, &module, &Default::default()).unwrap();

    let mut context = bare();
    let source = Source::from(native);
    let module = rmbc_reader::read_module(&mut context, &source, &Default::default()).unwrap();
    assert_eq!(
        errors(&context, &module, &VerifyOptions::default()),
        [REFUSED]
    );

    let mut context = bare();
    let source = Source::from(upstream);
    let module = mlirbc_reader::read_module(&mut context, &source, &Default::default()).unwrap();
    assert_eq!(
        errors(&context, &module, &VerifyOptions::default()),
        [REFUSED]
    );
}

/// Registering a definition causes all entries to be checked again.
#[test]
fn a_new_definition_has_everything_checked_again() {
    let mut context = Context::new();
    let text = b"\"test.make\"() : () -> !t.mat<-3 x 4, f32>";
    let module = parse_module(&mut context, text, &ParseOptions::default()).unwrap();
    assert_eq!(
        errors(&context, &module, &VerifyOptions::default()),
        [""; 0]
    );
    context.register_dialect(DialectDefinition::parse(DIALECT, &()).unwrap());
    let found = errors(&context, &module, &VerifyOptions::default());
    assert!(
        found.len() == 1 && found[0].contains("failed to verify 'rows'"),
        "{found:?}"
    );
}

/// Threads that verify a shared module at the same time agree.
#[test]
fn a_shared_context_is_checked_once() {
    let mut context = bare();
    register(&mut context);
    let bad = mat(&mut context, -3);
    let module = module_with(&mut context, bad);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                assert_eq!(
                    errors(&context, &module, &VerifyOptions::default()),
                    [REFUSED]
                );
            });
        }
    });
}

/// Definitions of two attributes and a type, without or with restrictions of their parameters. In
/// a family, they are encoded in upstream's bytecode instead of written as text.
fn dialect(strict: bool, family: bool) -> DialectDefinition {
    let family = if family { "family llvm\n" } else { "" };
    let [positive, natural] = match strict {
        true => ["(min(1))", "(min(0))"],
        false => [""; 2],
    };
    let text = format!(
        "dialect t
{family}
type mat
  parameters rows, cols: int{positive}, element: type
  format `<` $rows `x` $cols `,` $element `>`
  codec 1 = rows: svarint, cols: svarint, element: type

attribute tag
  parameters n: int{natural}
  format `<` $n `>`
  codec 1 = n: svarint

attribute with
  parameters inner: attr, ty: type
  format `<` $inner `,` $ty `>`
  codec 2 = inner: attr, ty: type

attribute typed
  parameters n: int, ty: self
  format `<` $n `>`

op stores
  attr p: AnyAttr
"
    );
    DialectDefinition::parse(&text, &()).unwrap()
}

/// Modules with the invalid `!t.mat<-3 x 4, f32>` or `#t.tag<-1>` somewhere in `@f`. `T` and `A`
/// abbreviate them.
const PLACES: [&str; 31] = [
    "%0 = \"t.op\"() : () -> T",
    "%0:2 = \"t.op\"() : () -> (i32, T)",
    "%0 = \"t.op\"() : () -> ((T) -> ())",
    "%0 = \"t.op\"() : () -> (() -> T)",
    "%0 = \"t.op\"() : () -> tuple<i32, T>",
    "%0 = \"t.op\"() : () -> tensor<2xT>",
    "%0 = \"t.op\"() : () -> tensor<2xf32, A>",
    "%0 = \"t.op\"() : () -> memref<2xf32, A>",
    "%0 = \"t.op\"() : () -> tensor<2x!t.mat<1 x 4, tuple<T>>>",
    "%0 = \"t.op\"() : () -> !u.unknown<T, 1>",
    "\"t.op\"() ({^bb0(%a: T): \"t.end\"() : () -> ()}) : () -> ()",
    "\"t.op\"() ({\"t.br\"()[^bb1] : () -> ()\n^bb1(%a: i32, %b: T): \"t.end\"() : () -> ()}) : () -> ()",
    "\"t.op\"() ({^bb0(%a: i32 loc(fused<A>[\"x\"])): \"t.end\"() : () -> ()}) : () -> ()",
    "\"t.op\"() {a = A} : () -> ()",
    "\"t.op\"() {a = T} : () -> ()",
    "\"t.op\"() {a = [1, [A]]} : () -> ()",
    "\"t.op\"() {a = {b = {c = T}}} : () -> ()",
    "\"t.op\"() {a = #t.with<A, i32>} : () -> ()",
    "\"t.op\"() {a = #t.with<[#t.with<1, T>], i32>} : () -> ()",
    "\"t.op\"() {a = #u.unknown<[A]>} : () -> ()",
    "\"t.op\"() {a = #u.unknown<1> : T} : () -> ()",
    "\"t.op\"() {a = #t.typed<1> : T} : () -> ()",
    "\"t.op\"() {a = loc(fused<A>[\"x\"])} : () -> ()",
    "\"t.op\"() {a = dense_resource<k> : tensor<2xT>} : () -> ()",
    "\"t.stores\"() <{p = A}> : () -> ()",
    "\"t.stores\"() <{p = [T]}> : () -> ()",
    "\"t.unknown\"() <{p = A}> : () -> ()",
    "\"t.op\"() : () -> () loc(fused<A>[\"x\":1:2])",
    "\"t.op\"() : () -> () loc(callsite(\"a\" at fused<[A]>[\"x\"]))",
    "\"t.op\"() : () -> () loc(\"a\"(fused<#t.with<1, T>>[\"x\"]))",
    "func.func private @g(T {t.a = A})",
];

fn place_text(place: &str) -> String {
    let place = place
        .replace('T', "!t.mat<-3 x 4, f32>")
        .replace('A', "#t.tag<-1>");
    match place.starts_with("func") {
        true => format!("module {{\nmodule @f {{\n{place}\n}}\n}}\n"),
        false => format!("func.func @f() {{\n{place}\nreturn\n}}\n"),
    }
}

fn read_options(strict: bool, family: bool) -> ReadOptions {
    let mut options = ReadOptions::default();
    options.dialects = vec![dialect(strict, family).into()];
    options
}

#[track_caller]
fn is_refused(ir: &mut Ir, what: &str) {
    let error = ir.verify().expect_err(what).to_string();
    assert!(error.contains("failed to verify"), "{what}: {error}");
    assert!(ir.verify().is_err(), "{what}: the second time");
    // Without a change of the context.
    let (context, module) = ir.parts();
    let options = VerifyOptions::default();
    assert!(
        verify(context, module, module.top(), &options).is_err(),
        "{what}: shared"
    );
}

/// Wherever an invalid attribute or type is, and wherever the module comes from, it is found.
#[test]
fn every_place_is_checked() {
    for (place, family) in PLACES
        .iter()
        .flat_map(|place| [(place, false), (place, true)])
    {
        let text = place_text(place);
        let strict = read_options(true, family);
        let lenient = read_options(false, family);
        let what = format!("{place} (family: {family})");

        // As text.
        let error = rmlir::parse_with(&text, &strict).map(|mut ir| ir.verify());
        assert!(!matches!(error, Ok(Ok(()))), "{what}: as text");
        let mut unchecked = strict.clone();
        unchecked.check_text = false;
        let mut ir = rmlir::parse_with(&text, &unchecked).expect(&what);
        is_refused(&mut ir, &format!("{what}: as unchecked text"));

        // As bytecode of a writer with another definition.
        let mut valid = rmlir::parse_with(&text, &lenient).expect(&what);
        valid.verify().expect(&what);
        let copy = rmlir::parse_with("module {}", &strict).unwrap();
        for form in [Form::Rmbc, Form::Mlirbc, Form::Text] {
            let what = format!("{what}: as {form:?}");
            let mut options = WriteOptions::default();
            options.text.debug_info = true;
            let bytes = valid.to_bytes(form, &options).unwrap();
            if form != Form::Text {
                let mut ir = rmlir::read_with(bytes.clone(), &strict).expect(&what);
                is_refused(&mut ir, &what);
                let mut options = strict.clone();
                options.verify = true;
                assert!(
                    rmlir::read_with(bytes.clone(), &options).is_err(),
                    "{what}: verify"
                );
            }
            // One symbol alone.
            let file = File::from_bytes(bytes, &unchecked).expect(&what);
            let symbol = file
                .symbol("@f")
                .unwrap_or_else(|e| panic!("{what}: {e:?}"));
            let symbol = symbol.expect(&what);
            let (mut ir, _) = file.read_symbol(&symbol).expect(&what);
            is_refused(&mut ir, &format!("{what}, the symbol"));
            let ir = file.read_with_references(&[symbol]);
            let mut ir = ir.unwrap_or_else(|e| panic!("{what}: {e}\n{text}"));
            is_refused(&mut ir, &format!("{what}, with references"));

            // Imported into another module, and linked with one.
            let f = ir.symbol("f").unwrap().id();
            let mut other = rmlir::parse_with("module {}", &strict).unwrap();
            other.import(&ir, &[f]).unwrap();
            is_refused(&mut other, &format!("{what}, imported"));
            let inputs = [LinkInput::from(copy.parts()), ir.parts().into()];
            let linked = link(&inputs, &LinkOptions::default()).unwrap();
            let mut linked = Ir::from_parts(linked.context, linked.module);
            is_refused(&mut linked, &format!("{what}, linked"));
        }
    }
}

/// The top-level operation itself.
#[test]
fn the_top_is_checked() {
    for family in [false, true] {
        let text = "module attributes {t.a = [#t.tag<-1>]} {}";
        let mut valid = rmlir::parse_with(text, &read_options(false, family)).unwrap();
        for form in [Form::Rmbc, Form::Mlirbc] {
            let bytes = valid.to_bytes(form, &Default::default()).unwrap();
            let mut ir = rmlir::read_with(bytes, &read_options(true, family)).unwrap();
            is_refused(&mut ir, &format!("{form:?}"));
        }
    }
}

/// The text of a body cannot hide attributes and types.
#[test]
fn bodies_have_no_entries_in_text() {
    for body in [
        "mat<1 x 4, !t.mat<2 x 4, f32>>",
        "mat<1 x 4, tensor<2x!t.mat<-3 x 4, f32>>>",
        "mat<1 x 4, tensor<2xf32, #t.with<1, i32>>>",
    ] {
        let mut context = read_options(true, false).context();
        let dialect = context.identifier("t");
        let body = DialectBody::from_text(body.as_bytes());
        let error = context.try_type(TypeKind::Dialect { dialect, body });
        let error = error.unwrap_err().to_string();
        assert!(error.contains("as text, which is a reference"), "{error}");
    }
}

/// Editing a module that was verified before.
#[test]
fn edits_are_checked() {
    let options = read_options(true, false);
    let text = "\"t.stores\"() <{p = #t.tag<1>}> : () -> ()";
    let mut ir = rmlir::parse_with(text, &options).unwrap();
    ir.verify().unwrap();
    let operation = ir.ops().find(|op| op.is("t.stores")).unwrap().id();
    // Text is refused at once.
    let mut edit = ir.edit();
    assert!(edit.attr("#t.tag<-1>").is_err());
    assert!(edit.ty("!t.mat<-3 x 4, f32>").is_err());
    // So are parameters.
    let (context, _) = ir.parts_mut();
    assert!(
        context
            .build_attribute("t.tag")
            .with("n", -1)
            .build()
            .is_err()
    );
    let element = context.f32_type();
    let ty = context.build_type("t.mat").with("rows", -3).with("cols", 4);
    assert!(ty.with("element", element).build().is_err());
    // Other attributes are found by the verifier, wherever they are.
    let dialect = context.identifier("t");
    let body = DialectBody::from_text(b"tag<-1>");
    let kind = AttributeKind::Dialect {
        dialect,
        body,
        ty: None,
    };
    let tag = context.try_attribute(kind).unwrap();
    let inner = context.array_attribute(&[tag]);
    let ty = context.i32_type();
    // The definition accepts any attribute here.
    let with = context.build_attribute("t.with").with("inner", inner);
    let with = with.with("ty", ty).build().unwrap();
    let other = context.unit_attribute();
    for attribute in [tag, inner, with] {
        for name in ["p", "t.note"] {
            let (context, module) = ir.parts();
            let mut copy = Ir::from_parts(context.clone(), module.clone());
            copy.edit().set_attr(operation, name, attribute).unwrap();
            is_refused(&mut copy, name);
            copy.edit().set_attr(operation, name, other).unwrap();
            copy.verify().unwrap();
        }
    }
    // A location of a later operation.
    let (context, module) = ir.parts_mut();
    let child = context.unknown_location();
    let fused = LocationKind::Fused {
        locations: &[child],
        metadata: Some(with),
    };
    let location = context.location(fused);
    module.set_location(operation, location);
    is_refused(&mut ir, "location");
}

/// A check by the parser does not cover earlier content, or content that was added in between.
#[test]
fn a_checked_text_does_not_hide_other_entries() {
    let options = read_options(true, false);
    let mut context = options.context();
    let mut unchecked = ParseOptions::default();
    unchecked.check_entries = false;
    let bad = b"\"t.op\"() {a = #t.tag<-1>} : () -> ()";
    let good = b"\"t.op\"() {a = #t.tag<1>} : () -> ()";
    let first = parse_module(&mut context, bad, &unchecked).unwrap();
    parse_module(&mut context, good, &ParseOptions::default()).unwrap();
    let verified = |context: &Context, module: &Module| {
        verify(context, module, module.top(), &VerifyOptions::default()).is_ok()
    };
    assert!(!verified(&context, &first));

    // Entries of a text that failed.
    let mut context = options.context();
    let failing = b"\"t.op\"() {a = !t.mat<-3 x 4, f32>} : () -> ()";
    parse_module(&mut context, failing, &ParseOptions::default()).unwrap_err();
    let good = parse_module(&mut context, good, &ParseOptions::default()).unwrap();
    assert!(verified(&context, &good));
    let bad = mat(&mut context, -3);
    let module = module_with(&mut context, bad);
    assert!(!verified(&context, &module));
}

/// Definitions that are loaded when they are first met.
#[test]
fn entries_of_bundled_dialects_are_checked() {
    for (namespace, body, is_type) in [
        ("llvm", "linkage<hidden>", false),
        ("gpu", "dim<w>", false),
        ("llvm", "array<2 x>", true),
        ("quant", "any<x>", true),
    ] {
        let context = ReadOptions::default().context();
        let mut ir = Ir::with_context(context);
        let mut b = ir.builder();
        let dialect = b.context.identifier(namespace);
        let body = DialectBody::from_text(body.as_bytes());
        if is_type {
            let ty = b.context.try_type(TypeKind::Dialect { dialect, body });
            b.op("test.make").result(ty.unwrap()).build().unwrap();
        } else {
            let kind = AttributeKind::Dialect {
                dialect,
                body,
                ty: None,
            };
            let attribute = b.context.try_attribute(kind).unwrap();
            b.op("test.make").attribute("a", attribute).build().unwrap();
        }
        assert!(ir.verify().is_err(), "{namespace}");
        for form in [Form::Rmbc, Form::Mlirbc] {
            let bytes = ir.to_bytes(form, &Default::default()).unwrap();
            let mut read = rmlir::read(bytes).unwrap();
            assert!(read.verify().is_err(), "{namespace}: {form:?}");
        }
    }
}
