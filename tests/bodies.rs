//! The verifier checks attributes and types that were built in code or read from bytecode against
//! the definitions of their dialects, by default.
#![allow(clippy::unwrap_used)]

use rmlir::Threads;
use rmlir::format::Source;
use rmlir::ir::codec::{FieldValue, FieldValues};
use rmlir::ir::{
    Builder, Context, DialectBody, DialectDefinition, Module, Type, TypeKind, VerifyOptions, verify,
};
use rmlir::reader::{mlirbc as mlirbc_reader, rmbc as rmbc_reader};
use rmlir::text::{ParseOptions, entry_body, message_to_string, parse_module, register};
use rmlir::writer::{mlirbc, rmbc};

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
