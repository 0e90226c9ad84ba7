//! Tests that the verifier finds the properties and discardable attributes that writers reject, and
//! that writers' errors name the operation, its path and its location.
#![allow(clippy::unwrap_used)]

use rmlir::Form;
use rmlir::ir::{
    Attribute, Builder, Context, Module, Operation, VerifyOptions, WalkOrder, WalkResult, verify,
};
use rmlir::text::{ParseOptions, message_to_string, parse_attribute, parse_module};
use rmlir::writer::{mlirbc, rmbc};

fn context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context
}

/// Returns the messages of the verifier.
fn errors(context: &Context, module: &Module, options: &VerifyOptions) -> Vec<String> {
    match verify(context, module, module.top(), options) {
        Ok(()) => Vec::new(),
        Err(errors) => errors
            .iter()
            .map(|e| message_to_string(context, module, &e.message))
            .collect(),
    }
}

/// Returns the errors of the verifier and of the MLIR bytecode writer for a text that the parser
/// accepts.
fn said(text: &str) -> (Vec<String>, Option<String>) {
    let mut context = context();
    let options = ParseOptions::for_file("a.mlir");
    let module = parse_module(&mut context, text.as_bytes(), &options).unwrap();
    let verified = errors(&context, &module, &VerifyOptions::default());
    let written = mlirbc::write_module(&mut context, &module, &Default::default());
    (verified, written.err().map(|e| e.to_string()))
}

fn addi(properties: &str) -> String {
    format!(
        "func.func @f(%a: i32) -> i32 {{\n  %0 = \"arith.addi\"(%a, %a) {properties} : (i32, i32) -> i32\n  \
         return %0 : i32\n}}\n"
    )
}

#[test]
fn a_property_without_a_declaration_is_an_error() {
    let (verified, written) = said(&addi("<{overflwFlags = #arith.overflow<nsw>}>"));
    let expected = "'arith.addi' op has no property 'overflwFlags'; did you mean 'overflowFlags'?";
    assert_eq!(verified, [expected]);
    let expected = "cannot write builtin.module / func.func @f / operation 0 (arith.addi) at \
                    loc(\"a.mlir\":2:8): llvm-22 has no property 'overflwFlags'";
    assert_eq!(written.as_deref(), Some(expected));

    let (verified, written) = said(&addi("<{my.note}>"));
    assert_eq!(verified, ["'arith.addi' op has no property 'my.note'"]);
    assert!(written.is_some());
    // A discardable attribute can have any name.
    assert_eq!(
        said(&addi("{my.note, overflwFlags = 1}")),
        (Vec::new(), None)
    );
}

/// With upstream's message: `mlir-opt-22` rejects it while parsing.
#[test]
fn an_operation_without_properties_supports_none() {
    let (verified, written) = said(
        "\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n  \
         \"func.return\"() <{foo = 1 : i32}> : () -> ()\n}) : () -> ()\n",
    );
    let expected = "invalid properties {foo = 1 : i32} for op func.return: this operation does not support properties";
    assert_eq!(verified, [expected]);
    assert!(written.is_some());
}

#[test]
fn unknown_properties_are_accepted_on_request() {
    let mut context = context();
    let text = addi("<{my.note}>");
    let module = parse_module(&mut context, text.as_bytes(), &ParseOptions::default()).unwrap();
    let mut options = VerifyOptions::default();
    options.allow_unknown = true;
    assert_eq!(errors(&context, &module, &options), [""; 0]);
}

fn find(context: &Context, module: &Module, name: &str) -> Operation {
    let mut found = None;
    module.walk(module.top(), WalkOrder::PreOrder, |module, operation| {
        if context.operation_name_bytes(module.name(operation)) == name.as_bytes() {
            found = Some(operation);
        }
        WalkResult::Advance
    });
    found.unwrap()
}

#[test]
fn an_inherent_attribute_among_the_discardable_ones_is_an_error() {
    let mut context = context();
    let text = "%0 = arith.constant 5 : i32\n";
    let options = ParseOptions::for_file("a.mlir");
    let mut module = parse_module(&mut context, text.as_bytes(), &options).unwrap();
    let constant = find(&context, &module, "arith.constant");
    let properties = module.properties(constant);
    module.set_properties(constant, None);
    module
        .set_attributes(&context, constant, properties)
        .unwrap();
    let expected =
        "'arith.constant' op attribute 'value' is inherent, but was set as a discardable attribute";
    let mut options = VerifyOptions::default();
    assert_eq!(errors(&context, &module, &options), [expected]);
    options.allow_misplaced = true;
    assert_eq!(errors(&context, &module, &options), [""; 0]);
    let written = mlirbc::write_module(&mut context, &module, &Default::default()).unwrap_err();
    assert_eq!(
        written.to_string(),
        "cannot write builtin.module / operation 0 (arith.constant) at loc(\"a.mlir\":1:6): property 'value': \
         required, but absent"
    );
}

/// Returns the errors of the verifier and the writer for an operation with these properties.
fn built(name: &str, result: bool, properties: &str) -> (Vec<String>, Option<String>) {
    let mut context = context();
    let mut module = Module::new(&mut context);
    let properties: Attribute = parse_attribute(&mut context, properties.as_bytes()).unwrap();
    let ty = rmlir::text::parse_type(&mut context, b"!llvm.ptr").unwrap();
    let mut builder = Builder::new(&mut context, &mut module);
    let x = builder.op("test.x").result(ty).build_value().unwrap();
    let i32 = builder.context.i32_type();
    let mut op = builder.op(name).operand(x);
    if result {
        op = op.result(i32);
    }
    let op = op.build().unwrap();
    module.set_properties(op, Some(properties));
    let verified = errors(&context, &module, &VerifyOptions::default());
    let written = mlirbc::write_module(&mut context, &module, &Default::default());
    (verified, written.err().map(|e| e.to_string()))
}

#[test]
fn properties_are_a_dictionary_of_values_that_can_be_stored() {
    let (verified, written) = built("ptr.load", true, "5 : i32");
    assert_eq!(
        verified,
        ["invalid properties 5 : i32 for op ptr.load: expected DictionaryAttr to set properties"]
    );
    assert!(
        written
            .unwrap()
            .contains("the properties are not a dictionary")
    );

    let (verified, written) = built("ptr.load", true, "{alignment = 4 : i64}");
    assert_eq!(
        verified,
        ["'ptr.load' op property 'alignment' must be optional<i64>, but got 4 : i64"]
    );
    assert_eq!(
        written.unwrap(),
        "cannot write builtin.module / operation 1 (ptr.load): property 'alignment': expected optional<i64>"
    );
}

#[test]
fn the_writer_of_native_bytecode_names_the_operation() {
    let mut context = context();
    let mut module = Module::new(&mut context);
    let i32 = context.i32_type();
    let value = module.create_placeholder(i32);
    let mut builder = Builder::new(&mut context, &mut module);
    builder.op("test.use").operand(value).build().unwrap();
    let expected =
        "cannot write builtin.module / operation 0 (test.use): an operand is not defined in the";
    let error = rmbc::write_module(&context, &module, &Default::default()).unwrap_err();
    assert_eq!(error.to_string(), format!("{expected} module"));
    let error = mlirbc::write_module(&mut context, &module, &Default::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        format!("{expected} operations around it")
    );
}

/// Lists of empty dictionaries, which `func.func` of bytecode has, do not cause generic form.
#[test]
fn empty_dictionaries_of_arguments_are_not_printed() {
    let text = r#"
        "func.func"() <{arg_attrs = [{}, {}], function_type = (i32, i32) -> i32, res_attrs = [{}], sym_name = "f"}> ({
        ^bb0(%a: i32, %b: i32):
          "func.return"(%a) : (i32) -> ()
        }) : () -> ()
        "func.func"() <{arg_attrs = [{t.a}, {}], function_type = (i32, i32) -> (), sym_name = "g", sym_visibility = "private"}> ({
        }) : () -> ()"#;
    let mut ir = rmlir::parse(text).unwrap();
    let expected = "func.func @f(%arg0: i32, %arg1: i32) -> i32 {
  return %arg0 : i32
}
func.func private @g(i32 {t.a}, i32)
";
    let mut printed = vec![ir.to_string()];
    for form in [Form::Mlirbc, Form::Rmbc] {
        let bytes = ir.to_bytes(form, &Default::default()).unwrap();
        printed.push(rmlir::read(bytes).unwrap().to_string());
    }
    for text in printed {
        let inside: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("  ")).collect();
        assert_eq!(format!("{}\n", inside.join("\n")), expected, "{text}");
    }
}
