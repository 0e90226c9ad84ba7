//! Parameters of attributes and types: read through shared references, from every form, by several
//! threads; built by name.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir::ir::asm::{EntryVerifier, Parameters};
use rmlir::ir::definition::HookSource;
use rmlir::ir::{
    AttributeKind, Context, DialectDefinition, Invalid, Op, OperationVerifier, ParameterValue,
    ParametersError, TypeKind, VerifyFailure,
};
use rmlir::text::{attribute_to_string, parse_attribute, parse_type, type_to_string};
use rmlir::{Attribute, Form, Ir, ReadOptions, WriteOptions};

const DEFINITION: &str = "
dialect matrix
operations complete
attributes complete
types complete
enum Layout: i32
  cases row, column, tiled = 4
enum Rights: i32 bits \"|\"
  cases none, read, write
attribute layout
  parameters kind: enum<Layout>, tile: uint8(min(1), max(64)) = 8
  format `<` $kind (`,` $tile^)? `>`
attribute all
  parameters flag: bool, number: int16, factor: float, name: string = \"none\", rights: enum<Rights>, map: affine_map, layout: attr<layout>, any: attr, types: list<type>, sizes: dims, big: apint, more: list<list<int>>
  format `<` struct(params) `>`
attribute opaque
  parameters inner: own
  format `<` custom<Missing>($inner) `>`
type mat
  parameters rows, columns: uint(min(1)), element: type = f32, layout: attr<layout> optional
  format `<` $rows `,` $columns (`,` $element^)? (`,` $layout^)? `>`
  hook MatrixShape
op mul(lhs: AnyType, rhs: AnyType) -> AnyType
  traits Pure
  hook Multiply
";

/// Verifies `matrix.mul` by the parameters of its types.
#[derive(Debug)]
struct Multiply;

impl OperationVerifier for Multiply {
    fn verify(&self, op: Op<'_>) -> rmlir::ir::VerifyResult {
        let size = |number, name| {
            let ty = op.operand_types().nth(number)?;
            op.parameter(ty, name)?.integer()
        };
        match (size(0, "columns"), size(1, "rows")) {
            (Some(columns), Some(rows)) if columns == rows => Ok(()),
            found => Err(VerifyFailure::op(format!("multiplies {found:?}"))),
        }
    }
}

/// Verifies the shape of `!matrix.mat`.
#[derive(Debug)]
struct MatrixShape;

impl EntryVerifier for MatrixShape {
    fn verify(&self, _: &Context, values: Parameters<'_, '_>) -> Result<(), Invalid> {
        match (values.get(0), values.get(1)) {
            (rows, columns) if rows == columns => Err(Invalid::new("squares are not allowed")),
            _ => Ok(()),
        }
    }
}

struct Hooks;

impl HookSource for Hooks {
    fn verifier(&self, name: &str) -> Option<&'static dyn OperationVerifier> {
        (name == "Multiply").then_some(&Multiply as _)
    }

    fn entry_verifier(&self, name: &str) -> Option<&'static dyn EntryVerifier> {
        (name == "MatrixShape").then_some(&MatrixShape as _)
    }
}

fn definition() -> DialectDefinition {
    DialectDefinition::parse(DEFINITION, &Hooks).unwrap()
}

fn context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context.register_dialect(definition());
    context
}

fn options() -> ReadOptions {
    let mut options = ReadOptions::default();
    options.dialects.push(definition().into());
    options
}

const ALL: &str = "#matrix.all<flag = true, number = -7, factor = 1.5, rights = read|write, map = (d0) -> (d0 * 3), \
    layout = <tiled, 16>, any = {a = @symbol}, types = tensor<4x!matrix.mat<2, 3>>, i7, sizes = [2, ?], \
    big = -36893488147419103233, more = >";

#[test]
fn every_kind_is_read_through_a_shared_reference() {
    let text = format!("module attributes {{a.b = {ALL}}} {{}}");
    let ir = rmlir::parse_with(text.replace(", more = >", ">"), &options()).unwrap();
    let op = ir.op();
    let attribute = op.attr("a.b").unwrap();
    let types = ir.context().type_count();
    let all = op.parameters(attribute).unwrap();
    let get = |name| all.get(name).unwrap();
    assert_eq!(get("flag").bool(), Some(true));
    assert_eq!(get("number").integer(), Some(-7));
    assert_eq!(get("factor").float(), Some(1.5));
    assert_eq!(get("name").str().unwrap(), "none");
    assert_eq!(get("rights").str().unwrap(), "read|write");
    assert_eq!(get("rights").integer(), Some(3));
    assert_eq!(get("big").integer(), None);
    assert!(all.get("other").is_none());
    let show = |attribute: Option<Attribute>| attribute_to_string(ir.context(), attribute.unwrap());
    assert_eq!(show(get("map").attribute()), "affine_map<(d0) -> (d0 * 3)>");
    assert_eq!(show(get("any").attribute()), "{a = @symbol}");
    assert_eq!(show(get("layout").attribute()), "#matrix.layout<tiled, 16>");
    let layout = get("layout").attribute().unwrap();
    let tile = op.parameter(layout, "tile").unwrap();
    assert_eq!((tile.name(), tile.integer()), ("tile", Some(16)));
    assert_eq!(
        op.parameter(layout, "kind").unwrap().str().unwrap(),
        "tiled"
    );
    let types_of: Vec<_> = get("types").items().map(|ty| ty.ty().unwrap()).collect();
    assert_eq!(types_of.len(), 2);
    assert_eq!(type_to_string(ir.context(), types_of[1]), "i7");
    let sizes: Vec<_> = get("sizes").items().map(|size| size.integer()).collect();
    assert_eq!(sizes, [Some(2), Some(rmlir::ir::DYNAMIC)]);
    // Asking again finds the same values and adds nothing.
    let (types_now, attributes) = (ir.context().type_count(), ir.context().attribute_count());
    assert!(types_now >= types);
    assert_eq!(ir.parameters(attribute).unwrap().values(), all.values());
    assert_eq!(ir.context().attribute_count(), attributes);
}

/// An item that was added through a shared reference has the handle that all others get for it.
#[test]
fn late_entries_are_entries_like_others() {
    let text = format!("module attributes {{a.b = {ALL}}} {{}}");
    let mut ir = rmlir::parse_with(text.replace(", more = >", ">"), &options()).unwrap();
    let attribute = ir.op().attr("a.b").unwrap();
    let layout = ir
        .parameter(attribute, "layout")
        .unwrap()
        .attribute()
        .unwrap();
    let map = ir.parameter(attribute, "map").unwrap().attribute().unwrap();
    // Behind a shared reference they can be printed, copied and looked into.
    let copy = ir.context().clone();
    assert_eq!(
        attribute_to_string(&copy, layout),
        "#matrix.layout<tiled, 16>"
    );
    let mut fork = ir.context().fork();
    let forked = fork.context.array_attribute(&[layout, map]);
    let (context, _) = ir.parts_mut();
    assert_eq!(
        parse_attribute(context, b"#matrix.layout<tiled, 16>").unwrap(),
        layout
    );
    assert_eq!(
        parse_attribute(context, b"affine_map<(d0) -> (d0 * 3)>").unwrap(),
        map
    );
    let joined = context
        .join(fork, |context, entry| context.add_resource(entry))
        .unwrap();
    let array = context.array_attribute(&[layout, map]);
    assert_eq!(joined.attribute(forked), array);
    let mut edit = ir.edit();
    let top = edit.module.top();
    edit.set_attr(top, "a.c", array).unwrap();
    let bytes = ir.to_bytes(Form::Rmbc, &WriteOptions::default()).unwrap();
    let read = rmlir::read_with(bytes, &options()).unwrap();
    assert!(read.semantic_eq(&ir));
}

#[test]
fn bodies_of_every_form_have_parameters() {
    let text = "func.func @f(%a: !matrix.mat<2, 3, f64, <tiled, 4>>) { return }";
    let mut ir = rmlir::parse_with(text, &options()).unwrap();
    for form in [Form::Text, Form::Rmbc, Form::Mlirbc] {
        let bytes = ir.to_bytes(form, &WriteOptions::default()).unwrap();
        let read = rmlir::read_with(bytes, &options()).unwrap();
        let function = read.symbol("f").unwrap();
        let argument = function.body_arguments().next().unwrap();
        let mat = read
            .parameters(function.module.value_type(argument))
            .unwrap();
        assert_eq!(mat.get("columns").unwrap().integer(), Some(3));
        assert_eq!(
            mat.get("element").unwrap().ty(),
            Some(read.context().f64_type())
        );
        let layout = mat.get("layout").unwrap().attribute().unwrap();
        assert_eq!(read.parameter(layout, "tile").unwrap().integer(), Some(4));
    }
}

#[test]
fn what_is_not_known_is_an_answer() {
    let text = "module attributes {a.a = #other.thing<1>, a.b = #matrix.layout<row>, a.c = 5 : i8, a.d = #matrix<opaque<1>>} {}";
    let mut options = options();
    options.allow_unknown = true;
    options.verify = false;
    let ir = rmlir::parse_with(text, &options).unwrap();
    let error = |name| {
        ir.parameters(ir.op().attr(name).unwrap())
            .map(|_| ())
            .unwrap_err()
    };
    assert_eq!(
        error("a.a"),
        ParametersError::UnknownDialect("other".into())
    );
    assert_eq!(error("a.c"), ParametersError::Builtin);
    assert!(
        matches!(error("a.d"), ParametersError::Malformed(_)),
        "{:?}",
        error("a.d")
    );
    assert!(ir.parameter(ir.op().attr("a.b").unwrap(), "tile").is_some());
    let alone = Context::new();
    assert_eq!(
        alone.parameters(alone.unit_attribute()).err(),
        Some(ParametersError::Builtin)
    );
    // A dialect that becomes known later has parameters from then on.
    let (mut context, module) = ir.into_parts();
    let thing = Op::from((&context, &module)).attr("a.a").unwrap();
    let other =
        "dialect other\nattribute thing\n  parameters value: int\n  format `<` $value `>`\n";
    context.register_dialect(DialectDefinition::parse(other, &()).unwrap());
    assert_eq!(
        context.parameter(thing, "value").unwrap().integer(),
        Some(1)
    );
}

#[test]
fn verifiers_read_parameters() {
    let verify = |rows: u32| {
        let text = format!("func.func @f(%a: !matrix.mat<2, 3>, %b: !matrix.mat<{rows}, 5>) {{
          %0 = \"matrix.mul\"(%a, %b) : (!matrix.mat<2, 3>, !matrix.mat<{rows}, 5>) -> !matrix.mat<2, 5>
          return
        }}");
        rmlir::parse_with(&text, &options()).unwrap().verify()
    };
    verify(3).unwrap();
    let error = verify(4).unwrap_err().to_string();
    assert!(error.contains("multiplies (Some(3), Some(4))"), "{error}");
}

#[test]
fn threads_ask_at_once() {
    let attributes: Vec<String> = (0..200)
        .map(|n| format!("a.n{n} = #matrix.all<flag = true, number = {n}, factor = 1.0, rights = none, map = (d0) -> (d0 + {}), layout = <row, {}>, any = 1, types = i{}, sizes = [], big = 1>", n % 50, n % 64 + 1, n % 90 + 1))
        .collect();
    let text = format!("module attributes {{{}}} {{}}", attributes.join(", "));
    let ir = rmlir::parse_with(&text, &options()).unwrap();
    let ask = |ir: &Ir| -> Vec<(Attribute, Attribute)> {
        (0..200)
            .map(|n| {
                let all = ir
                    .parameters(ir.op().attr(&format!("a.n{n}")).unwrap())
                    .unwrap();
                let map = all.get("map").unwrap().attribute().unwrap();
                let layout = all.get("layout").unwrap().attribute().unwrap();
                assert_eq!(
                    ir.parameter(layout, "tile").unwrap().integer(),
                    Some(n % 64 + 1)
                );
                assert!(matches!(
                    ir.context().attribute_kind(map),
                    AttributeKind::AffineMap(_)
                ));
                (map, layout)
            })
            .collect()
    };
    let answers: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4)
            .map(|_| {
                scope.spawn(|| {
                    let copy = ir.context().clone();
                    (ask(&ir), copy.attribute_count())
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap().0)
            .collect()
    });
    assert!(answers.iter().all(|answer| *answer == answers[0]));
}

#[test]
fn types_and_attributes_are_built_by_name() {
    let mut context = context();
    let f64 = context.f64_type();
    let layout = context
        .build_attribute("matrix.layout")
        .with("kind", "tiled")
        .build()
        .unwrap();
    assert_eq!(
        attribute_to_string(&context, layout),
        "#matrix.layout<tiled>"
    );
    let mat = context
        .build_type("matrix.mat")
        .with("rows", 2)
        .with("columns", 3);
    let mat = mat
        .with("element", f64)
        .with("layout", layout)
        .build()
        .unwrap();
    assert_eq!(
        type_to_string(&context, mat),
        "!matrix.mat<2, 3, f64, <tiled>>"
    );
    assert_eq!(
        parse_type(
            &mut context,
            b"!matrix.mat<2, 3, f64, #matrix.layout<tiled>>"
        )
        .unwrap(),
        mat
    );
    let plain = context
        .build_type("matrix.mat")
        .with("rows", 2)
        .with("columns", 3)
        .build();
    assert_eq!(
        type_to_string(&context, plain.unwrap()),
        "!matrix.mat<2, 3>"
    );
    let all = context
        .build_attribute("matrix.all")
        .with("flag", true)
        .with("number", -7)
        .with("factor", 1.5)
        .with("rights", "read|write")
        .with("map", "affine_map<(d0) -> (d0 * 3)>")
        .with("layout", layout)
        .with("any", "dense<1> : tensor<2xi8>")
        .with("types", ["i1", "!matrix.mat<2, 3>"])
        .with("sizes", vec![2, 3])
        .with("big", 5)
        .with("more", ParameterValue::List(vec![]));
    let all = all.build().unwrap();
    assert_eq!(
        context.parameter(all, "number").unwrap().integer(),
        Some(-7)
    );
    let types = context.parameter(all, "types").unwrap().items();
    let types: Vec<_> = types
        .map(|ty| type_to_string(&context, ty.ty().unwrap()))
        .collect();
    assert_eq!(types, ["i1", "!matrix.mat<2, 3>"]);
    // Bundled dialects alike.
    let f16 = parse_type(&mut context, b"f16").unwrap();
    let matrix = context.build_type("gpu.mma_matrix").with("shape", [16, 8]);
    let matrix = matrix
        .with("element", f16)
        .with("operand", "AOp")
        .build()
        .unwrap();
    assert_eq!(
        type_to_string(&context, matrix),
        "!gpu.mma_matrix<16x8xf16, \"AOp\">"
    );
    assert!(matches!(
        context.type_kind(matrix),
        TypeKind::Dialect { .. }
    ));
}

#[test]
fn wrong_parameters_are_named() {
    let mut context = context();
    let f64 = context.f64_type();
    let mut mat = |parameters: Vec<(&str, ParameterValue)>| {
        let mut builder = context.build_type("matrix.mat");
        for (name, value) in parameters {
            builder = builder.with(name, value);
        }
        builder.build().unwrap_err().to_string()
    };
    let rows = || ("rows", 2.into());
    let columns = || ("columns", 3.into());
    let cases = [
        (
            mat(vec![rows()]),
            "!matrix.mat: parameter 'columns' is missing",
        ),
        (
            mat(vec![rows(), ("colums", 3.into()), columns()]),
            "!matrix.mat: has no parameter 'colums'; did you mean 'columns'?",
        ),
        (
            mat(vec![rows(), rows(), columns()]),
            "!matrix.mat: parameter 'rows' is given twice",
        ),
        (
            mat(vec![rows(), ("columns", "3".into())]),
            "!matrix.mat: parameter 'columns' is of kind 'uint', and text was given",
        ),
        (
            mat(vec![rows(), ("columns", (-3).into())]),
            "!matrix.mat: parameter 'columns' is -3, which does not fit 64 unsigned bits",
        ),
        (
            mat(vec![rows(), columns(), ("layout", f64.into())]),
            "!matrix.mat: parameter 'layout' is of kind 'attr<layout>', and a type was given",
        ),
    ];
    for (error, expected) in cases {
        assert_eq!(error, expected);
    }
    let error = mat(vec![rows(), ("columns", 2.into())]);
    assert!(error.contains("squares are not allowed"), "{error}");
    let error = mat(vec![rows(), ("columns", 0.into())]);
    assert!(error.contains("minimum value is 1"), "{error}");
    let error = context
        .build_attribute("matrix.layout")
        .with("kind", "diagonal")
        .build();
    assert_eq!(
        error.unwrap_err().to_string(),
        "#matrix.layout: parameter 'kind' has no case 'diagonal'; the cases are row, column, tiled"
    );
    let error = context
        .build_attribute("matrix.layot")
        .build()
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "#matrix.layot: unknown mnemonic; did you mean 'layout'?"
    );
    let error = context
        .build_type("other.thing")
        .build()
        .unwrap_err()
        .to_string();
    assert_eq!(
        error,
        "!other.thing: dialect 'other' has no known definition"
    );
}
