//! Tests the verifier on modules that text cannot express, on very deep ones, and with its options.
#![allow(clippy::unwrap_used)]

use rmlir_ir::definition::GroupDefinition;
use rmlir_ir::{
    AttributeKind, Block, Builder, Context, DialectDefinition, Module, Operation,
    OperationDefinition, OperationTraits, TypeKind, Value, VerifyError, VerifyOptions, verify,
};

/// Returns a definition of `k.isolated` and `k.table`.
fn known() -> DialectDefinition {
    let operation = |name: &'static str, traits: OperationTraits| {
        let mut definition =
            OperationDefinition::new(name).with_traits(traits.with(OperationTraits::NO_TERMINATOR));
        definition
            .regions
            .push(GroupDefinition::new("", "AnyRegion"));
        definition
    };
    let mut dialect = DialectDefinition::new("k").with_operations([
        operation("isolated", OperationTraits::ISOLATED_FROM_ABOVE),
        operation("table", OperationTraits::SYMBOL_TABLE),
    ]);
    dialect.operations_complete = true;
    dialect
}

fn setup() -> (Context, Module) {
    let mut context = Context::new();
    context.register_dialect(known());
    let module = Module::new(&mut context);
    (context, module)
}

/// Creates an operation with one region of `blocks` empty blocks.
fn nest(builder: &mut Builder<'_>, name: &str, blocks: usize) -> (Operation, Vec<Block>) {
    let region = builder.create_region();
    let point = builder.insertion_point();
    let blocks = (0..blocks)
        .map(|_| builder.create_block(region, &[]))
        .collect();
    builder.set_insertion_point(point);
    let operation = builder.op(name).region(region).build().unwrap();
    (operation, blocks)
}

fn define(builder: &mut Builder<'_>) -> Value {
    let ty = builder.context.i32_type();
    builder.op("t.def").result(ty).build_value().unwrap()
}

fn errors(context: &Context, module: &Module, root: Operation) -> Vec<VerifyError> {
    let options = VerifyOptions::default();
    verify(context, module, root, &options)
        .err()
        .unwrap_or_default()
}

fn messages(context: &Context, module: &Module, root: Operation) -> Vec<String> {
    let errors = errors(context, module, root);
    errors.iter().map(|e| e.message.to_string()).collect()
}

#[test]
fn what_no_text_can_say() {
    let (mut context, mut module) = setup();
    let i32 = context.i32_type();
    let placeholder = module.create_placeholder(i32);
    let mut b = Builder::new(&mut context, &mut module);
    b.op("t.use").operand(placeholder).build().unwrap();
    let point = b.insertion_point();
    b.set_insertion_point(None);
    let detached = define(&mut b);
    b.set_insertion_point(point);
    b.op("t.use").operand(detached).build().unwrap();
    let (_, left) = nest(&mut b, "t.left", 2);
    let (_, right) = nest(&mut b, "t.right", 2);
    for (from, to) in [
        (left[0], right[1]),
        (left[1], right[1]),
        (right[0], left[1]),
    ] {
        b.set_insertion_point_to_end(from);
        b.op("t.br").successor(to).build().unwrap();
    }
    b.set_insertion_point_to_end(right[1]);
    b.op("t.end").build().unwrap();
    assert_eq!(
        messages(&context, &module, module.top()),
        [
            "null operand found",
            "'t.br' op branching to block of a different region",
            "'t.br' op branching to block of a different region",
            "'t.br' op branching to block of a different region",
        ]
    );

    // Dominance was not checked. It is checked if there are no other errors.
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    b.set_insertion_point(None);
    let detached = define(&mut b);
    b.set_insertion_point_to_end(module_body(b.module));
    b.op("t.use").operand(detached).build().unwrap();
    let (_, inner) = nest(&mut b, "k.isolated", 1);
    b.set_insertion_point_to_end(inner[0]);
    b.op("t.use").operand(detached).build().unwrap();
    assert_eq!(
        messages(&context, &module, module.top()),
        [
            "operation's operand is unlinked",
            "operand #0 does not dominate this use"
        ]
    );
}

fn module_body(module: &Module) -> Block {
    module.body().unwrap()
}

#[test]
fn a_region_of_another_operation() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let (first, _) = nest(&mut b, "t.first", 1);
    let region = module.region(first, 0).unwrap();
    // The builder would not create this.
    let name = context.operation_name("t.second");
    let regions = [region];
    let state = rmlir_ir::OperationState {
        regions: &regions,
        ..rmlir_ir::OperationState::new(name, context.unknown_location())
    };
    let second = module.create_operation(&state);
    module.append_operation(module_body(&module), second);
    assert_eq!(
        messages(&context, &module, module.top()),
        ["'t.first' op region #0 belongs to another operation"]
    );
}

#[test]
fn nested_roots() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let (outer, blocks) = nest(&mut b, "t.outer", 3);
    b.set_insertion_point_to_end(blocks[0]);
    let before = define(&mut b);
    b.op("t.br").successor(blocks[1]).build().unwrap();
    b.set_insertion_point_to_end(blocks[1]);
    let same = define(&mut b);
    let (inner, inner_blocks) = nest(&mut b, "t.inner", 1);
    let after = define(&mut b);
    b.op("t.br").successor(blocks[2]).build().unwrap();
    b.set_insertion_point_to_end(blocks[2]);
    let later = define(&mut b);
    b.set_insertion_point_to_end(inner_blocks[0]);
    let used = [before, same, after, later];
    b.op("t.use").operands(used).build().unwrap();
    let expected = [2, 3].map(|n| format!("operand #{n} does not dominate this use"));
    for root in [inner, outer, module.top()] {
        assert_eq!(messages(&context, &module, root), expected);
    }
    // Everything outside is assumed to be valid, even if it does not exist.
    module.detach_operation(inner);
    assert_eq!(messages(&context, &module, inner).len(), 4);
}

#[test]
fn options() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    for _ in 0..30 {
        b.op("k.unknown").build().unwrap();
    }
    assert_eq!(errors(&context, &module, module.top()).len(), 20);
    let mut options = VerifyOptions::default();
    for (limit, found) in [(0, 1), (1, 1), (7, 7), (100, 30)] {
        options.limit = limit;
        let errors = verify(&context, &module, module.top(), &options).unwrap_err();
        assert_eq!(errors.len(), found);
    }

    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let (op, _) = nest(&mut b, "other.op", 1);
    nest(&mut b, "k.isolated", 0);
    options.allow_unregistered_dialects = false;
    let errors = verify(&context, &module, module.top(), &options).unwrap_err();
    assert_eq!(errors.len(), 1);
    assert_eq!(errors[0].operation, op);
    assert_eq!(
        errors[0].message.to_string(),
        "'other.op' op created with unregistered dialect"
    );
}

#[test]
fn several_errors() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    // Isolated operations are checked independently: dominance errors are reported in the first and
    // not in the second.
    for broken in [false, true] {
        let (_, blocks) = nest(&mut b, "k.isolated", 1);
        let end = b.insertion_point();
        b.set_insertion_point_to_end(blocks[0]);
        let value = define(&mut b);
        b.set_insertion_point_to_start(blocks[0]);
        b.op("t.use").operands([value, value]).build().unwrap();
        if broken {
            b.op("k.unknown").build().unwrap();
        }
        b.set_insertion_point(end);
    }
    let (_, blocks) = nest(&mut b, "k.table", 1);
    b.set_insertion_point_to_end(blocks[0]);
    for name in ["a", "b", "a", "c", "b", "a"] {
        let name = b.context.string_attribute(name);
        b.op("t.symbol")
            .attribute("sym_name", name)
            .build()
            .unwrap();
    }
    assert_eq!(
        messages(&context, &module, module.top()),
        [
            "operand #0 does not dominate this use",
            "operand #1 does not dominate this use",
            "unregistered operation 'k.unknown' found in dialect ('k') that does not allow unknown operations",
            "redefinition of symbol named 'a'",
            "redefinition of symbol named 'b'",
            "redefinition of symbol named 'a'",
        ]
    );
}

/// The depth and length of the large modules.
const LARGE: usize = 100_000;

#[test]
fn deep_regions() {
    for name in ["t.op", "k.isolated"] {
        let (mut context, mut module) = setup();
        let mut b = Builder::new(&mut context, &mut module);
        let outer = define(&mut b);
        let mut operations = Vec::new();
        for _ in 0..LARGE {
            let (operation, blocks) = nest(&mut b, name, 1);
            operations.push(operation);
            b.set_insertion_point_to_end(blocks[0]);
            let own = define(&mut b);
            let used = if name == "t.op" { outer } else { own };
            b.op("t.use").operands([used, own]).build().unwrap();
        }
        assert_eq!(errors(&context, &module, module.top()), []);
        assert_eq!(errors(&context, &module, operations[LARGE / 2]), []);
    }
}

#[test]
fn many_blocks() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let (operation, blocks) = nest(&mut b, "t.op", LARGE);
    let mut previous: Option<Value> = None;
    for (number, &block) in blocks.iter().enumerate() {
        b.set_insertion_point_to_end(block);
        let value = define(&mut b);
        b.op("t.use").operands(previous).build().unwrap();
        previous = Some(value);
        let next = blocks.get(number + 1).copied();
        // Every other block has a second predecessor, three blocks earlier.
        let far = blocks.get(number + 3).copied().filter(|_| number % 2 == 0);
        b.op("t.br")
            .successors(next.into_iter().chain(far))
            .build()
            .unwrap();
    }
    let errors = errors(&context, &module, operation);
    assert_eq!(errors.len(), 20);
    let first = errors[0].message.to_string();
    assert_eq!(first, "operand #0 does not dominate this use");
}

#[test]
fn a_long_block() {
    let (mut context, mut module) = setup();
    let mut b = Builder::new(&mut context, &mut module);
    let (operation, blocks) = nest(&mut b, "k.isolated", 1);
    b.set_insertion_point_to_end(blocks[0]);
    let first = define(&mut b);
    for _ in 0..LARGE {
        let last = define(&mut b);
        b.op("t.use").operands([first, last]).build().unwrap();
    }
    assert_eq!(errors(&context, &module, operation), []);
    assert_eq!(errors(&context, &module, module.top()), []);
}

#[test]
fn what_a_dialect_does_not_have_is_refused_with_what_may_have_been_meant() {
    let mut context = Context::new();
    let text = "dialect closed\noperations complete\nattributes complete\ntypes complete\n\
        attribute pair\ntype token\nop add\nop load\n";
    context.register_dialect(DialectDefinition::parse(text, &()).unwrap());
    let dialect = context.identifier(b"closed");
    let body = |text: &[u8]| rmlir_ir::DialectBody::from_text(text);
    let mut make = |text| {
        let body = body(text);
        context
            .try_type(TypeKind::Dialect { dialect, body })
            .unwrap()
    };
    let (ty, known) = (make(b"tokn"), make(b"token"));
    let attribute = AttributeKind::Dialect {
        dialect,
        body: body(b"triple<1>"),
        ty: None,
    };
    let attribute = context.try_attribute(attribute).unwrap();
    let mut module = Module::new(&mut context);
    let mut builder = Builder::new(&mut context, &mut module);
    builder.op("closed.addd").build().unwrap();
    builder.op("closed.frobnicate").build().unwrap();
    builder.op("closed.add").result(ty).build().unwrap();
    builder
        .op("closed.load")
        .attribute("x", attribute)
        .build()
        .unwrap();
    builder.op("other.op").result(known).build().unwrap();
    let mut options = VerifyOptions::default();
    let errors = verify(&context, &module, module.top(), &options).unwrap_err();
    let messages: Vec<String> = errors.iter().map(|e| e.message.to_string()).collect();
    assert_eq!(
        messages,
        [
            "unregistered operation 'closed.addd' found in dialect ('closed') that does not allow unknown operations; did you mean 'closed.add'?",
            "unregistered operation 'closed.frobnicate' found in dialect ('closed') that does not allow unknown operations",
            "unknown  type `tokn` in dialect `closed`; did you mean 'token'?",
            "unknown attribute `triple` in dialect `closed`",
        ]
    );
    options.allow_unknown = true;
    let errors = verify(&context, &module, module.top(), &options).unwrap_err();
    let messages: Vec<String> = errors.iter().map(|e| e.message.to_string()).collect();
    assert_eq!(messages, ["'closed.add' op requires zero results"]);
}
