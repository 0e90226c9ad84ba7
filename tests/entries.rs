//! Tests attributes and types of dialects: round-trips between text and the fields of upstream's
//! bytecode.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "corpus/entries.rs"]
mod entries;

use rmlir::ir::codec::FieldValue;
use rmlir::ir::definition::Family;
use rmlir::ir::{AttributeKind, Context, DialectDefinition, Release, TypeKind};
use rmlir::text::{
    EncodedEntry, ParseOptions, attribute_to_string, decode_attribute, decode_type,
    encode_attribute, encode_type, parse_attribute, parse_module, parse_type, type_to_string,
};

fn context() -> Context {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    context
}

/// Returns the fields as `name=value`, with references as text.
fn fields(context: &Context, encoded: &EncodedEntry) -> String {
    let show = |value: &FieldValue<'_>| show(context, value);
    let names = encoded.codec.fields.iter().map(|field| &*field.name);
    let values = encoded.values.fields.iter().map(|value| match value {
        FieldValue::List(_) => {
            let items = encoded.values.list(value).iter().map(show);
            format!("[{}]", items.collect::<Vec<_>>().join(" "))
        }
        value => show(value),
    });
    let fields: Vec<String> = names
        .zip(values)
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    format!("{}: {}", encoded.codec.code, fields.join(", "))
}

fn show(context: &Context, value: &FieldValue<'_>) -> String {
    match value {
        FieldValue::Absent => "-".to_owned(),
        FieldValue::Attribute(attribute) => attribute_to_string(context, *attribute),
        FieldValue::Type(ty) => type_to_string(context, *ty),
        FieldValue::String(string) => format!("'{}'", context.str(*string)),
        FieldValue::Unsigned(number) => number.to_string(),
        FieldValue::Signed(number) => format!("{number:+}"),
        FieldValue::Integer(number) => number.to_decimal_string(true),
        FieldValue::Float(bits) => format!("{bits:#x}"),
        FieldValue::Bytes(bytes) => format!("{bytes:x?}"),
        other => format!("{other:?}"),
    }
}

/// Checks that a text is parsed, printed as `printed`, decomposed as `expected`, and rebuilt as the
/// same attribute.
#[track_caller]
fn attribute(text: &str, printed: &str, expected: &str) {
    let mut context = context();
    let attribute = parse_attribute(&mut context, text.as_bytes()).unwrap();
    assert_eq!(attribute_to_string(&context, attribute), printed);
    let encoded = encode_attribute(&mut context, attribute, Release::LLVM_22).unwrap();
    assert_eq!(fields(&context, &encoded), expected);
    let AttributeKind::Dialect { dialect, .. } = *context.attribute_kind(attribute) else {
        panic!("it is of a dialect");
    };
    let dialect = context.dialect(context.bytes(dialect)).unwrap();
    let decoded = decode_attribute(
        &mut context,
        &dialect,
        &encoded.target,
        &encoded.values,
        usize::MAX,
    )
    .unwrap();
    assert_eq!(decoded, attribute);
}

/// As [`attribute`], for a type.
#[track_caller]
fn ty(text: &str, printed: &str, expected: &str) {
    let mut context = context();
    let ty = parse_type(&mut context, text.as_bytes()).unwrap();
    assert_eq!(type_to_string(&context, ty), printed);
    let encoded = encode_type(&mut context, ty, Release::LLVM_22).unwrap();
    assert_eq!(fields(&context, &encoded), expected);
    let TypeKind::Dialect { dialect, .. } = *context.type_kind(ty) else {
        panic!("it is of a dialect");
    };
    let dialect = context.dialect(context.bytes(dialect)).unwrap();
    let decoded = decode_type(
        &mut context,
        &dialect,
        &encoded.target,
        &encoded.values,
        usize::MAX,
    )
    .unwrap();
    assert_eq!(decoded, ty);
}

#[test]
fn llvm() {
    attribute(
        "#llvm.di_file<\"a\"   in \"b\">",
        "#llvm.di_file<\"a\" in \"b\">",
        "6: name='a', directory='b'",
    );
    attribute(
        "#llvm.di_basic_type<name = \"x\", encoding = DW_ATE_float, tag = DW_TAG_base_type>",
        "#llvm.di_basic_type<tag = DW_TAG_base_type, name = \"x\", encoding = DW_ATE_float>",
        "0: tag=36, name='x', sizeInBits=0, encoding=4",
    );
    attribute(
        "#llvm.di_expression<[DW_OP_LLVM_convert(8, DW_ATE_signed), DW_OP_deref]>",
        "#llvm.di_expression<[DW_OP_LLVM_convert(8, DW_ATE_signed), DW_OP_deref]>",
        "5: operations=[#llvm<di_expression_elemDW_OP_LLVM_convert(8, DW_ATE_signed)> #llvm.di_expression_elemDW_OP_deref]",
    );
    attribute(
        "#llvm.di_local_variable<scope = #llvm.di_file<\"a\" in \"b\">, flags = \"Artificial|Bit0\">",
        "#llvm.di_local_variable<scope = #llvm.di_file<\"a\" in \"b\">, flags = \"Private|Artificial\">",
        "13: scope=#llvm.di_file<\"a\" in \"b\">, name=-, file=-, line=0, arg=0, alignInBits=0, type=-, flags=65",
    );
}

#[test]
fn quant() {
    ty(
        "!quant.any<i8<-128:127>>",
        "!quant.any<i8>",
        "1: flags=1, storage=i8, min=-128, max=+127",
    );
    ty(
        "!quant.any<u4<1:15>:f32>",
        "!quant.any<u4<1:15>:f32>",
        "2: flags=0, storage=i4, expressed=f32, min=+1, max=+15",
    );
    ty(
        "!quant.uniform<i8:f32, 0.5:0>",
        "!quant.uniform<i8:f32, 5.000000e-01>",
        "4: flags=1, storage=i8, expressed=f32, scale=0x3fe0000000000000, zero_point=+0, min=-128, max=+127",
    );
    ty(
        "!quant.uniform<i8:f32:1, {0.5, 1.0:-3}>",
        "!quant.uniform<i8:f32:1, {5.000000e-01,1.000000e+00:-3}>",
        "5: flags=1, storage=i8, expressed=f32, dimension=1, min=-128, max=+127, \
         scales=[0x3fe0000000000000 0x3ff0000000000000], zero_points=[+0 -3]",
    );
    ty(
        "!quant.uniform<i8:f32:{1:2}, {{0.5}, {1.0:-3}}>",
        "!quant.uniform<i8:f32:{1:2}, {{5.000000e-01}, {1.000000e+00:-3}}>",
        "6: flags=1, storage=i8, expressed=f32, min=-128, max=+127, dimensions=[+1], block_sizes=[+2], \
         dense_scales=dense<[[5.000000e-01], [1.000000e+00]]> : tensor<2x1xf32>, \
         dense_zero_points=dense<[[0], [-3]]> : tensor<2x1xi8>",
    );
}

#[test]
fn stablehlo() {
    attribute(
        "#stablehlo.conv<[b, 1, 0, f]x[0, 1, i, o]->[b, ?, f, 0]>",
        "#stablehlo.conv<[b, 1, 0, f]x[0, 1, i, o]->[b, ?, f, 0]>",
        "4: input_batch=+0, input_feature=+3, input_spatial=[+2 +1], kernel_input_feature=+2, \
         kernel_output_feature=+3, kernel_spatial=[+0 +1], output_batch=+0, output_feature=+2, output_spatial=[+3]",
    );
    attribute(
        "#stablehlo.bounds<?, 7>",
        "#stablehlo.bounds<?, 7>",
        "13: bounds=[-9223372036854775808 +7]",
    );
    attribute(
        "#stablehlo.scatter<index_vector_dim = 0, update_window_dims = [1]>",
        "#stablehlo.scatter<update_window_dims = [1]>",
        "11: update_window_dims=[+1], inserted_window_dims=[], input_batching_dims=[], \
         scatter_indices_batching_dims=[], scatter_dims_to_operand_dims=[], index_vector_dim=+0",
    );
    attribute(
        "#stablehlo.axis_ref<name = \"x\", sub_axis_info = (1)2>",
        "#stablehlo.axis_ref<name = \"x\", sub_axis_info = (1)2>",
        "20: name='x', sub_axis_info=#stablehlo<sub_axis_info(1)2>",
    );
    attribute(
        "#stablehlo<comparison_direction GE>",
        "#stablehlo<comparison_direction GE>",
        "2: value=2",
    );
    ty("!stablehlo.token", "!stablehlo.token", "0: ");
}

#[test]
fn vhlo() {
    attribute(
        "#vhlo.integer_v1<-1 : i32>",
        "#vhlo.integer_v1<-1 : i32>",
        "9: type=!vhlo.i32_v1, value=-1",
    );
    attribute(
        "#vhlo.float_v1<1.5 : !vhlo.f16_v1>",
        "#vhlo.float_v1<1.500000e+00 : !vhlo.f16_v1>",
        "8: type=!vhlo.f16_v1, value=0x3e00",
    );
    attribute(
        "#vhlo.tensor_v1<dense<[true, false, true]> : tensor<3xi1>>",
        "#vhlo.tensor_v1<dense<[true, false, true]> : tensor<3xi1>>",
        "15: type=!vhlo.tensor_v1<3x!vhlo.bool_v1>, data=[5]",
    );
    attribute(
        "#vhlo.tensor_v1<dense<(1.0,2.0)> : tensor<1xcomplex<f32>>>",
        "#vhlo.tensor_v1<dense<(1.000000e+00,2.000000e+00)> : tensor<1xcomplex<f32>>>",
        "15: type=!vhlo.tensor_v1<1x!vhlo.complex_v1<!vhlo.f32_v1>>, data=[0, 0, 80, 3f, 0, 0, 0, 40]",
    );
    attribute(
        "#vhlo.dict_v1<{#vhlo.string_v1<\"k\"> = #vhlo.bool_v1<true>}>",
        "#vhlo.dict_v1<{#vhlo.string_v1<\"k\"> = #vhlo.bool_v1<true>}>",
        "6: value=[#vhlo.string_v1<\"k\"> #vhlo.bool_v1<true>]",
    );
    ty(
        "!vhlo.func_v1<(!vhlo.bool_v1, !vhlo.token_v1) -> ()>",
        "!vhlo.func_v1<(!vhlo.bool_v1, !vhlo.token_v1) -> ()>",
        "8: inputs=[!vhlo.bool_v1 !vhlo.token_v1], outputs=[]",
    );
    ty(
        "!vhlo.tensor_v1<2x?x!vhlo.f32_v1, #vhlo.type_extensions_v1<bounds = [2, 9]>>",
        "!vhlo.tensor_v1<2x?x!vhlo.f32_v1, #vhlo.type_extensions_v1<bounds = [2, 9]>>",
        "21: encoding=#vhlo.type_extensions_v1<bounds = [2, 9]>, shape=[+2 -9223372036854775808], element=!vhlo.f32_v1",
    );
}

#[test]
fn sdy() {
    attribute(
        "#sdy.mesh<[\"a\"=2, \"b\"=4], device_ids=[0, 2]>",
        "#sdy.mesh<[\"a\"=2, \"b\"=4], device_ids=[0, 2]>",
        "2: axes=[#sdy<mesh_axis\"a\"=2> #sdy<mesh_axis\"b\"=4>], device_ids=[+0 +2]",
    );
    attribute(
        "#sdy.mesh<[]>",
        "#sdy.mesh<[]>",
        "2: axes=[], device_ids=[]",
    );
    attribute(
        "#sdy.sharding<@mesh, [{\"a\", ?}p1, {}, {?}]>",
        "#sdy.sharding<@mesh, [{\"a\", ?}p1, {}, {?}]>",
        "6: mesh_or_ref=@mesh, dim_shardings=[#sdy<dimension_sharding{\"a\", ?}p1> #sdy<dimension_sharding{}> \
         #sdy<dimension_sharding{?}>], replicated_axes=[]",
    );
    attribute(
        "#sdy.sharding<mesh<[\"a\"=2]>, [{\"a\":(1)2}], replicated={\"b\"}, unreduced={\"c\", \"d\":(2)4}>",
        "#sdy.sharding<mesh<[\"a\"=2]>, [{\"a\":(1)2}], replicated={\"b\"}, unreduced={\"c\", \"d\":(2)4}>",
        "15: mesh_or_ref=#sdy.mesh<[\"a\"=2]>, dim_shardings=[#sdy<dimension_sharding{\"a\":(1)2}>], \
         replicated_axes=[#sdy<axis_ref\"b\">], unreduced_axes=[#sdy<axis_ref\"c\"> #sdy<axis_ref\"d\":(2)4>]",
    );
    attribute(
        "#sdy.sharding<@m, [], unreduced=max{\"c\"}>",
        "#sdy.sharding<@m, [], unreduced=max{\"c\"}>",
        "17: mesh_or_ref=@m, dim_shardings=[], replicated_axes=[], unreduced_axes=[#sdy<axis_ref\"c\">], reduction=+1",
    );
    attribute(
        "#sdy.op_sharding_rule<([i, jk],[z])->([z_1]) {i=8, j=2, k=4} reduction={k} permutation={i, j}, custom>",
        "#sdy.op_sharding_rule<([i, jk], [z])->([z_1]) {i=8, j=2, k=4} reduction={k} permutation={i, j}, custom>",
        "10: factor_sizes=[+8 +2 +4], operand_mappings=[#sdy<tensor_mapping[i, jk]> #sdy<tensor_mapping[z]>], \
         result_mappings=[#sdy<tensor_mapping[z_1]>], reduction_factors=[+2], need_replication_factors=[], \
         permutation_factors=[+0 +1], blocked_propagation_factors=[], is_custom_rule=1",
    );
    attribute(
        "#sdy<manual_axes{\"x\"}>",
        "#sdy<manual_axes{\"x\"}>",
        "0: value=[\"x\"]",
    );
}

const TOY: &str = "
dialect toy

enum Color: i32
  cases red, green, blue = 7
enum Flags: i32 bits \", \"
  cases none, a, b, ab = 3, c

attribute pair
  parameters first: int, second: uint = 5
  format `<` params `>`
  codec 1 until 22 = first: svarint, second: varint
  codec 1 since 24 = second: varint, first: svarint
  codec 2 = first: svarint
attribute all
  parameters color: enum<Color> = green, flags: enum_string<Flags> optional, pair: attr<pair> optional
  parameters names: list<string> optional, shape: dims optional, any: attr optional, ty: type optional
  parameters truth: bool = false, ratio: float = 1
  format `<` struct(params) `>`
attribute group
  parameters a: int optional, b: int optional
  format (`<` $a^ (`,` `b` `=` $b^)? `>`) : (`none`)?
attribute outer
  parameters inner: attr<pair>
  format `<` `inner` `:` qualified($inner) `>`
attribute hooked
  parameters a: int
  format `<` custom<Missing>($a) `>`
type words
  parameters a, b: int
  format `(` $a `)` `to` $b
";

fn toy() -> Context {
    let mut context = Context::new();
    context.register_dialect(DialectDefinition::parse(TOY, &()).unwrap());
    context
}

#[test]
fn formats_of_a_dialect_of_ones_own() {
    let mut context = toy();
    // The text as written, and as printed.
    for (text, printed) in [
        ("#toy.pair<-1>", "#toy.pair<-1>"),
        ("#toy.pair<1, 5>", "#toy.pair<1>"),
        ("#toy.pair< 1,6 >", "#toy.pair<1, 6>"),
        ("#toy.all<>", "#toy.all<>"),
        (
            "#toy.all<color = green, truth = false, ratio = 1.0>",
            "#toy.all<>",
        ),
        ("#toy.all<truth = 1>", "#toy.all<truth = true>"),
        (
            "#toy.all<ratio = 2.0, truth = true, color=blue>",
            "#toy.all<color = blue, truth = true, ratio = 2.000000e+00>",
        ),
        ("#toy.all<flags = \"c, b\">", "#toy.all<flags = \"b, c\">"),
        ("#toy.all<flags = \"a, b\">", "#toy.all<flags = ab>"),
        (
            "#toy.all<pair = #toy.pair<1, 2>, names = \"x\", \"y\">",
            "#toy.all<pair = <1, 2>, names = \"x\", \"y\">",
        ),
        (
            "#toy.all<ty = tensor<2x!toy<words (1) to 2>>, any = [1 : i8, #toy<pair<3>>], shape = [?, 4]>",
            "#toy.all<shape = [?, 4], any = [1 : i8, #toy.pair<3>], ty = tensor<2x!toy<words(1) to 2>>>",
        ),
        ("#toy<groupnone>", "#toy.groupnone"),
        ("#toy<group none>", "#toy<group none>"),
        ("#toy.group<1>", "#toy.group<1>"),
        ("#toy.group<1, b=2>", "#toy.group<1, b = 2>"),
        (
            "#toy.outer<inner : <7>>",
            "#toy.outer<inner : #toy.pair<7>>",
        ),
        // An attribute that needs a missing hook is preserved as it is.
        ("#toy.hooked<  1>", "#toy.hooked<  1>"),
        ("#toy.unknown<  1>", "#toy.unknown<  1>"),
    ] {
        let attribute = parse_attribute(&mut context, text.as_bytes()).unwrap();
        assert_eq!(attribute_to_string(&context, attribute), printed);
        let again = parse_attribute(&mut context, printed.as_bytes()).unwrap();
        assert_eq!(again, attribute, "{printed}");
    }
}

#[test]
fn what_is_not_as_its_definition_says_is_an_error_at_its_place() {
    for (entry, place, message) in [
        ("#toy.pair<1.5>", "1.5", "expected integer value"),
        (
            "#toy.all<color = red, color = red>",
            "color = red>",
            "duplicate or unknown struct parameter name: color",
        ),
        ("#toy.all<truth = maybe>", "maybe", "expected integer value"),
        // After references in the body: an alias, and an entry that is spelled out.
        (
            "#toy.all<any = [#alias, #alias], ty = tensor<2x!toy<words (1) to 2>>, truth = maybe>",
            "maybe",
            "expected integer value",
        ),
        // Punctuation is missing after the preceding part.
        ("#toy.outer<inner : #toy.pair<7> 8>", " 8>", "expected '>'"),
        ("!toy<words (1) in 2>", "in 2", "expected 'to'"),
    ] {
        let text = format!("#alias = #toy.pair<3>\n\"t.a\"() {{x = {entry}}} : () -> ()\n");
        let parse = |check_entries| {
            let mut options = ParseOptions::for_file("t");
            options.check_entries = check_entries;
            parse_module(&mut toy(), text.as_bytes(), &options).map(|_| ())
        };
        let errors = parse(true).unwrap_err();
        let first = errors.first();
        let column = text.lines().nth(1).unwrap().find(place).unwrap() + 1;
        assert_eq!(first.message, message, "{entry}");
        assert_eq!((first.line, first.column), (2, column), "{entry}");
        // It is preserved as written if entries are not checked.
        parse(false).unwrap();
    }
}

#[test]
fn the_codec_is_the_first_of_the_release_that_holds_all() {
    let mut context = toy();
    let pair = parse_attribute(&mut context, b"#toy.pair<1, 6>").unwrap();
    let mut of = |attribute, release| {
        encode_attribute(&mut context, attribute, release).map(|e| fields(&context, &e))
    };
    assert_eq!(of(pair, Release::LLVM_22).unwrap(), "1: first=+1, second=6");
    assert_eq!(of(pair, Release::LLVM_24).unwrap(), "1: second=6, first=+1");
    // In a release that has only the other layout.
    let between = Release::new(Family::Llvm, 23);
    assert_eq!(of(pair, between), None);
    let mut context = toy();
    let alone = parse_attribute(&mut context, b"#toy.pair<1>").unwrap();
    let encoded = encode_attribute(&mut context, alone, between).unwrap();
    assert_eq!(fields(&context, &encoded), "2: first=+1");
    let group = parse_attribute(&mut context, b"#toy.group<1>").unwrap();
    assert!(encode_attribute(&mut context, group, between).is_none());
}

/// Values that no text has: an attribute of another kind, and a number that is too large.
#[test]
fn values_that_do_not_fit_are_refused() {
    let mut context = context();
    let text = b"#sdy.sharding<@mesh, [{\"a\"}, {}]>";
    let sharding = parse_attribute(&mut context, text).unwrap();
    let mut encoded = encode_attribute(&mut context, sharding, Release::LLVM_22).unwrap();
    let sdy = context.dialect(b"sdy").unwrap();
    let mut decode = |encoded: &EncodedEntry, longest| {
        decode_attribute(
            &mut context,
            &sdy,
            &encoded.target,
            &encoded.values,
            longest,
        )
    };
    assert_eq!(decode(&encoded, text.len()), Ok(sharding));
    let error = decode(&encoded, 20).unwrap_err();
    assert_eq!(error.message(), "the text of the parameters is too long");
    // A sharding where a dimension's sharding is required.
    if let Some(item) = encoded.values.items.first_mut() {
        *item = FieldValue::Attribute(sharding);
    }
    let error = decode(&encoded, usize::MAX).unwrap_err();
    assert_eq!(
        error.message(),
        "parameter 'dim_shardings' of 'sharding' is not of its kind"
    );
}

#[test]
fn nesting_is_limited() {
    let mut context = Context::new();
    let text =
        "dialect toy\nattribute nest\n  parameters a: attr<nest> optional\n  format `<` ($a^)? `>`";
    context.register_dialect(DialectDefinition::parse(text, &()).unwrap());
    for depth in [3, 30, 40, 1000] {
        let text = format!("#toy.nest{}{}", "<".repeat(depth), ">".repeat(depth));
        let attribute = parse_attribute(&mut context, text.as_bytes()).unwrap();
        assert!(attribute_to_string(&context, attribute) == text, "{depth}");
    }
}

#[test]
fn malformed_definitions() {
    for (text, line, column, message) in [
        (
            "  parameters a: int",
            1,
            1,
            "this is valid after an 'attribute' or 'type' statement only",
        ),
        (
            "attribute a\n  parameters b: ints",
            2,
            17,
            "unknown kind of parameter",
        ),
        (
            "attribute a\n  parameters b, c",
            2,
            18,
            "expected ':' and a kind",
        ),
        (
            "attribute a\n  parameters b: int\n  parameters b: int",
            3,
            14,
            "parameter 'b' is there already",
        ),
        (
            "attribute a\n  codec 1 = b: varint",
            2,
            13,
            "there is no parameter 'b'",
        ),
        (
            "attribute a\n  parameters b: int\n  codec 1 = b: number",
            3,
            16,
            "unknown kind of field",
        ),
        (
            "attribute a\n  format $b",
            2,
            11,
            "there is no parameter 'b'",
        ),
        (
            "attribute a\n  format `<` (`x`)?",
            2,
            20,
            "an optional group has one anchor",
        ),
        (
            "attribute a\n  format `<",
            2,
            11,
            "expected '`' at the end of the literal",
        ),
        (
            "attribute a\n  format `<` x",
            2,
            14,
            "expected a literal, a parameter, a directive or a group",
        ),
        (
            "attribute a\nattribute a",
            2,
            11,
            "'a' is defined twice for one release",
        ),
    ] {
        let text = format!("dialect toy\n{text}");
        let error = DialectDefinition::parse(&text, &()).unwrap_err();
        assert_eq!(
            (error.line() - 1, error.column(), error.message()),
            (line, column, message),
            "{text}"
        );
    }
}

/// Another suite compares what upstream prints and writes for this text.
#[test]
fn every_entry_of_the_texts_is_what_it_was() {
    let mut context = context();
    let text = std::fs::read("tests/interop_generic/entries.mlir").unwrap();
    let module = parse_module(&mut context, &text, &ParseOptions::default()).unwrap();
    let counts = entries::check(&mut context, &module).unwrap();
    for name in [
        "#llvm.di_subprogram",
        "#llvm.loop_annotation",
        "!quant.uniform",
        "!test.i32",
    ] {
        assert!(counts.contains_key(name), "{name}");
    }
}
