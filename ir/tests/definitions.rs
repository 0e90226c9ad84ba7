//! Tests the text format of definitions: the meaning of each statement, and the errors.

#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir_ir::Visibility;
use rmlir_ir::definition::{
    DialectDefinition, Family, GroupKind, OperationTraits, Presence, PropertyBase, PropertyWrapper,
    Release, SlotKind,
};

fn parse(text: &str) -> DialectDefinition {
    DialectDefinition::parse(text, &()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn everything_is_read() {
    let toy = parse(
        "
// A comment.
dialect toy since 22
family llvm
aliases complete
alias #tag
alias !box = !crate
enum Mode: i32 bits \"|\"
  cases off, low, high = 4 since 24
  cases _ = -1

op all(a, b: Any, c: variadic Int until 22) -> (x: optional Any, _: Any)
  traits IsTerminator, AllTypesMatch(a, x) since 24, SymbolTable since 24
  regions body: AnyRegion, more: variadic AnyRegion
  successors next, others: variadic
  attr p, q: StrAttr
  attr mode: ModeAttr optional enum Mode = #toy.mode<low>
  attr size: I64Attr until 22 = 1 : i64
  attr size: I32Attr since 24 = ?
  property list: optional<array<i64>> = []
  terminator toy.end
  hook toy.all

op all -> Any family iree
op short -> variadic Any
",
    );
    assert!(toy.aliases_complete);
    assert_eq!(toy.attribute_alias(b"tag").unwrap(), "tag");
    assert_eq!(toy.type_alias(b"box").unwrap(), "crate");
    let mode = toy.enumeration("Mode").unwrap();
    assert_eq!((mode.width, mode.separator.as_deref()), (32, Some("|")));
    let cases: Vec<_> = mode.cases.iter().map(|c| (&*c.keyword, c.value)).collect();
    assert_eq!(cases, [("off", 0), ("low", 1), ("high", 4), ("", -1)]);

    let (old, new) = (Release::LLVM_22, Release::LLVM_24);
    let all = toy.operation(b"all", old).unwrap();
    assert!(all.number(Release::LLVM_19).is_none());
    assert!(
        toy.operation(b"all", Release::LLVM_19)
            .is_some_and(|op| op.family == Family::Iree)
    );
    let iree = "iree-202608".parse().unwrap();
    assert_eq!(toy.operation(b"all", iree).unwrap().family, Family::Iree);
    assert_eq!(
        toy.operation(b"short", old).unwrap().results[0].name,
        "result"
    );
    assert_eq!(
        toy.operation(b"short", old).unwrap().results[0].kind,
        GroupKind::Variadic
    );

    let names = |release| -> Vec<&str> {
        all.groups_in(&all.operands, release)
            .map(|g| &*g.name)
            .collect()
    };
    assert_eq!(names(old), ["a", "b", "c"]);
    assert_eq!(names(new), ["a", "b"]);
    assert_eq!(all.results[0].kind, GroupKind::Optional);
    assert_eq!(all.results[1].name, "");
    assert_eq!(all.successors[1].kind, GroupKind::Variadic);
    assert!(all.traits(old).contains(OperationTraits::TERMINATOR));
    assert!(all.traits(old).contains(OperationTraits::SINGLE_BLOCK));
    assert!(!all.traits(old).contains(OperationTraits::SYMBOL_TABLE));
    assert!(all.traits(new).contains(OperationTraits::SYMBOL_TABLE));
    assert_eq!(all.relations[0].groups, ["a", "x"]);
    assert_eq!(all.implicit_terminator(old), Some("toy.end"));
    assert!(all.syntax.is_none() && all.hook == "toy.all");

    assert_eq!(
        all.attribute("mode", old).unwrap().presence,
        Presence::Optional
    );
    assert_eq!(
        all.attribute("mode", old).unwrap().default.as_deref(),
        Some("#toy.mode<low>")
    );
    let size = |release| all.attribute("size", release).unwrap();
    assert_eq!(size(old).constraint, "I64Attr");
    assert_eq!(
        (&*size(new).constraint, &size(new).default),
        ("I32Attr", &None)
    );
    assert_eq!(size(new).presence, Presence::Default);
    assert!(all.is_inherent(b"list", old) && !all.is_inherent(b"operandSegmentSizes", old));

    let kind = &all.properties[0].kind;
    assert_eq!(
        kind.wrappers,
        [PropertyWrapper::Optional, PropertyWrapper::Array]
    );
    assert_eq!(kind.base, PropertyBase::Integer { width: 64 });
    let layout = all.layout(old).unwrap();
    let order: Vec<&str> = layout.slots(6, |_| 0).map(|s| &*s.name).collect();
    assert_eq!(order, ["mode", "p", "q", "size", "list"]);
    assert!(all.layout(Release::LLVM_19).is_none());
}

#[test]
fn segments_have_their_place() {
    let dialect = parse(
        "dialect t
op a(x: variadic T, y: variadic T) -> (r: variadic T)
  traits AttrSizedOperandSegments, AttrSizedResultSegments
  attr operand: A
  attr operands: A
  attr z: A optional
  property n: bool",
    );
    let operation = dialect.operation(b"a", Release::LLVM_22).unwrap();
    assert_eq!(
        operation.segment_counts(Release::LLVM_22),
        [Some(2), Some(1)]
    );
    assert!(operation.is_inherent(b"resultSegmentSizes", Release::LLVM_22));
    let layout = operation.layout(Release::LLVM_22).unwrap();
    let order = |version| -> Vec<&str> { layout.slots(version, |_| 0).map(|s| &*s.name).collect() };
    // Before version 6, segment sizes had the names `operand_segment_sizes` and
    // `result_segment_sizes`.
    assert_eq!(
        order(5),
        [
            "operand",
            "operandSegmentSizes",
            "operands",
            "resultSegmentSizes",
            "z",
            "n"
        ]
    );
    assert_eq!(
        order(6),
        [
            "operand",
            "operands",
            "z",
            "n",
            "operandSegmentSizes",
            "resultSegmentSizes"
        ]
    );
    let last = layout.slots(6, |_| 0).last().unwrap();
    assert_eq!(last.kind, SlotKind::SegmentArray { len: 1 });
}

#[test]
fn errors_have_a_place() {
    for (text, expected) in [
        ("", "1:1: expected 'dialect NAME'"),
        ("op a", "1:1: expected 'dialect NAME'"),
        ("dialect", "1:8: expected a name"),
        ("dialect a b", "1:11: expected the end of the line"),
        (
            "dialect a\n  atr x: Y",
            "2:3: unknown statement 'atr'; did you mean 'attr'?",
        ),
        ("dialect a\n(", "2:1: unknown statement ''"),
        (
            "dialect a\nattr x: Y",
            "2:1: this is valid after an 'op' statement only",
        ),
        (
            "dialect a\ncases x",
            "2:1: this is valid after an 'enum' statement only",
        ),
        ("dialect a\nfamily b", "2:8: unknown family"),
        (
            "dialect a\nuses b\nuses c, b",
            "3:9: the dialect is used already",
        ),
        (
            "dialect a\nop x since y",
            "2:12: expected the number of a release",
        ),
        (
            "dialect a\nop x since 3 until 2",
            "2:6: no release is in this range",
        ),
        ("dialect a\nop x(a)", "2:7: expected ':' and a constraint"),
        ("dialect a\nop x(a: b", "2:10: expected ')'"),
        ("dialect a\nop x\n  traits", "3:9: expected a name"),
        ("dialect a\ntype x\n  verifier rust", "3:12: expected 'cpp'"),
        ("dialect a\nop x\n  summary", "3:10: expected a summary"),
        (
            "dialect a\nop x\n  summary a\n  summary b",
            "4:11: there is a summary already",
        ),
        (
            "dialect a\nverifier cpp",
            "2:1: this is valid after an 'attribute' or 'type' statement only",
        ),
        (
            "dialect a\nop x\n  traits Nothing(a)",
            "3:10: unknown relation 'Nothing'",
        ),
        (
            "dialect a\nop x\n  regions a: Blocks",
            "3:20: expected '(' and a number of blocks",
        ),
        (
            "dialect a\nop x\n  regions a: SizedRegion(-1)",
            "3:26: expected an integer of 32 bits without sign",
        ),
        (
            "dialect a\nop x\n  regions a: AnyRegion(2)",
            "3:14: 'AnyRegion' takes no number of blocks",
        ),
        (
            "dialect a\nop x\n  regions a: AnyRegion arguments I32",
            "3:34: expected '('",
        ),
        (
            "dialect a\nop x\n  regions a: AnyRegion arguments (I32",
            "3:38: expected ')'",
        ),
        (
            "dialect a\nop x\n  operands a: I32 arguments (I32)",
            "3:19: expected the end of the line",
        ),
        ("dialect a\nop x\n  attr y", "3:9: expected ':'"),
        ("dialect a\nop x\n  attr y: Z =", "3:14: expected a default"),
        (
            "dialect a\nop x\n  attr y: Z\n  attr y: Z since 22",
            "4:8: attribute 'y' is there already in one of these releases",
        ),
        (
            "dialect a\nop x\n  property y: i7",
            "3:15: unknown kind of property",
        ),
        (
            "dialect a\nop x\n  property y: array<i8",
            "3:15: unknown kind of property",
        ),
        (
            "dialect a\nenum E: f32",
            "2:9: expected an integer type of at most 64 bits",
        ),
        (
            "dialect a\nenum E: i32 bits \"x",
            "2:19: expected '\"' at the end of the string",
        ),
        (
            "dialect a\nenum E: i64\ncases a = 9223372036854775807, b",
            "3:33: the value does not fit 64 bits",
        ),
        (
            "dialect a\nalias x",
            "2:7: expected '#' or '!' before names of aliases",
        ),
        (
            "dialect a\nalias #x = #y\u{7}",
            "2:7: the name of an alias consists of letters, digits, '_', '$', '.' and '-'",
        ),
        (
            "dialect a\nalias #x = !y",
            "2:7: expected '#' or '!' before names of aliases",
        ),
        ("dialect a\naliases some", "2:9: expected 'complete'"),
        (
            "dialect a\nop x until 22\nop y\nop x since 22",
            "4:1: operation 'x' is defined twice for one release",
        ),
        (
            "dialect a\nop x\n  symbol n until 22\n  symbol m visibility v",
            "4:1: the operation has a 'symbol' statement already",
        ),
    ] {
        let error = DialectDefinition::parse(text, &()).unwrap_err();
        assert_eq!(error.to_string(), expected, "{text}");
    }
}

/// Any bytes are a definition or an error, and parsing takes little time.
#[test]
fn nothing_panics() {
    let whole = "dialect toy until 24\nfamily sdy\nenum E: i8 bits \",\"\n  cases a, b = 4 since 2\n\
        op a(x, y: T) -> (z: variadic T) family iree since 1\n  traits IsTerminator, AllTypesMatch(x)\n  \
        attr b, c: D optional enum E since 4 until 5 = [1, 2]\n  property p: optional<array<bool>> = ?\n";
    let mut seed = 1u64;
    let mut random = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let pieces = [
        " ",
        "\n",
        ",",
        ":",
        "(",
        ")",
        "=",
        "<",
        ">",
        "\"",
        "since",
        "op x",
        "é",
        "9999999999",
    ];
    let mut errors = 0;
    for _ in 0..20_000 {
        let mut text: Vec<char> = whole.chars().collect();
        for _ in 0..=random(3) {
            if text.is_empty() {
                break;
            }
            let at = random(text.len());
            match random(3) {
                0 => drop(text.remove(at)),
                1 => text.truncate(at + 1),
                _ => {
                    let piece = pieces[random(pieces.len())];
                    text.splice(at..at, piece.chars());
                }
            }
        }
        let text: String = text.into_iter().collect();
        match DialectDefinition::parse(&text, &()) {
            Ok(dialect) => {
                for operation in dialect.operations() {
                    let _ = operation.layout("iree-202608".parse().unwrap());
                }
            }
            Err(error) => {
                errors += 1;
                assert!(error.line() > 0 && error.column() > 0);
            }
        }
    }
    assert!(errors > 1_000, "{errors} of the texts were malformed");
    // Deep wrappers do not nest calls.
    let deep = format!(
        "dialect a\nop x\nproperty p: {}i8{}",
        "array<".repeat(100_000),
        ">".repeat(100_000)
    );
    let dialect = parse(&deep);
    let operation = dialect.operation(b"x", Release::LLVM_22).unwrap();
    assert_eq!(operation.properties[0].kind.wrappers.len(), 100_000);
}

#[test]
fn a_definition_is_printed_as_the_text_that_says_it() {
    let text = "\
dialect toy
family iree
operations complete
attributes complete
types complete
aliases complete
alias #tag = #label
alias !box
uses llvm, pdl

constraint Token \"a token\" = !toy.token
constraint Word = signless | (i1 | vector<index> & rank(1, 2)) & not !toy._
constraint Any = Token | Word | shaped<Word>

enum Mode: i32 bits \"|\"
  cases off, low, high = 4 hidden since 24, _ = -1

attribute pair
  constraint PairAttr
  parameters first: int, second: uint optional, rest: list<attr<pair>> optional, mode, other: enum<Mode> = low
  parameters plain: bool since 24 = true, more: list<list<dim>>
  format `<` $first (`,` $second^)? struct($mode, $plain) custom<Rest>($rest, ref($first)) `>`
  codec 1 since 24 = first: svarint, second: varint

type box
  like i32
type crate
  opaque

op all(a, b: Any, c: variadic Int until 22) -> (x: optional Any, _: Any) family llvm since 22
  traits IsTerminator, SymbolTable since 24, AllTypesMatch(a, x) since 24
  regions body: AnyRegion, sized: SizedRegion(2) arguments (Any, (i32 | f32)) until 22, p, q: Blocks(3) arguments ()
  regions more: variadic AnyRegion arguments (_) since 24
  successors next, others: variadic
  attr p, q: StrAttr
  attr mode: ModeAttr optional enum Mode = #toy.mode<low>
  attr size: I64Attr until 22 = 1 : i64
  attr size: I32Attr since 24 = ?
  property list: optional<array<i64>> = []
  property level: i32 enum Mode until 22 = 1 : i32
  terminator toy.end
  parents toy.outer, toy.older until 22
  format since 24 $a `,` qualified($mode) (`[` $p^ `]`) : ($body `\\n`)? oilist(`x` $q | `y` ` `) `` functional-type($b, results) custom<Do>($size, ref(type($a)), \"text\", attr-dict) attr-dict
  types x = element(a)
  default_dialect toy
  result_names first, second
  hook toy.all

op function -> variadic Any
  traits SymbolTable, FunctionOpInterface
";
    assert_eq!(parse(text).to_string(), text);
}

/// Groups by name: with segment sizes, of equal length, one variadic among single ones, and in an
/// invalid operation.
#[test]
fn parts_of_operations_have_the_names_of_the_definition() {
    use rmlir_ir::{Builder, Context, Module};

    let mut context = Context::new();
    context.register_dialect(parse(
        "
dialect toy
op sized(a: Any, b: optional Any, c: variadic Any)
  traits AttrSizedOperandSegments
op same(a: variadic Any, b: Any, c: variadic Any)
  traits SameVariadicOperandSize
op mixed -> (first: Any, rest: variadic Any, last: Any)
  successors next, others: variadic
",
    ));
    let mut module = Module::new(&mut context);
    let mut b = Builder::new(&mut context, &mut module);
    let i32 = b.context.i32_type();
    let make = |b: &mut Builder<'_>| b.op("x.make").result(i32).build_value().unwrap();
    let values: Vec<_> = (0..5).map(|_| make(&mut b)).collect();
    let array = |context: &mut Context, sizes: [i32; 3]| {
        let data = sizes.iter().flat_map(|size| size.to_le_bytes()).collect();
        let array = rmlir_ir::AttributeKind::DenseArray {
            element: context.i32_type(),
            length: 3,
            data,
        };
        context.try_attribute(array).unwrap()
    };
    let sizes = array(b.context, [1, 0, 4]);
    let wrong = array(b.context, [1, -1, 4]);
    let with_sizes = |b: &mut Builder<'_>, sizes| {
        let operation = b.op("toy.sized").operands(values.clone());
        operation
            .property("operandSegmentSizes", sizes)
            .build()
            .unwrap()
    };
    let (sized, broken) = (with_sizes(&mut b, sizes), with_sizes(&mut b, wrong));
    let same = b.op("toy.same").operands(values.clone()).build().unwrap();
    let few = b.op("toy.mixed").results([i32]).build().unwrap();
    let mixed = b.op("toy.mixed").results([i32; 5]).build().unwrap();

    let view = |op| module.view(&context, op).unwrap();
    let all = |op, group: &str| view(op).operands(group).map(Iterator::collect::<Vec<_>>);
    assert_eq!(view(sized).operand("a"), Some(values[0]));
    assert_eq!(view(sized).operand("b"), None);
    assert_eq!(all(sized, "b"), Some(Vec::new()));
    assert_eq!(all(sized, "c"), Some(values[1..].to_vec()));
    assert_eq!(all(sized, "d"), None);
    assert_eq!(all(broken, "c"), None);
    assert_eq!(all(same, "a"), Some(values[..2].to_vec()));
    assert_eq!(all(same, "b"), Some(values[2..3].to_vec()));
    assert_eq!(all(same, "c"), Some(values[3..].to_vec()));
    assert_eq!(view(mixed).results("rest").unwrap().len(), 3);
    assert_eq!(view(mixed).result("last"), module.result(mixed, 4));
    assert_eq!(view(few).result("last"), None);
    assert_eq!(view(few).successor("next"), None);
    assert!(module.view(&context, module.top()).is_none());
}

/// Attributes that name symbols, or refer to them, by release.
#[test]
fn symbols() {
    let text = "\
dialect toy

op call
  attr f, old: AnyAttr
  references f, old until 19

op func
  attr id, name, public: AnyAttr
  symbol id until 19
  symbol name visibility public since 22
";
    let toy = parse(text);
    assert_eq!(toy.to_string(), text);
    let [old, new] = [Release::LLVM_19, Release::LLVM_22];
    let func = toy.operation(b"func", new).unwrap();
    let named = |release| {
        let symbol = func.symbol_in(release).unwrap();
        (symbol.name.to_string(), symbol.visibility.to_string())
    };
    assert_eq!(named(old), ("id".to_owned(), String::new()));
    assert_eq!(named(new), ("name".to_owned(), "public".to_owned()));
    let call = toy.operation(b"call", new).unwrap();
    assert!(call.symbol_references_in(old).eq(["f", "old"]));
    assert!(call.symbol_references_in(new).eq(["f"]));
}

/// Statements on the visibility of symbols.
#[test]
fn visibility_of_symbols() {
    let text = "\
dialect toy

op fixed
  attr sym_name: AnyAttr
  symbol sym_name default private

op func
  attr sym_name, exported: AnyAttr
  symbol sym_name public exported default nested

op named
  attr sym_name, v: AnyAttr
  symbol sym_name visibility v default private
";
    let toy = parse(text);
    assert_eq!(toy.to_string(), text);
    let rule = |name: &[u8]| {
        let operation = toy.operation(name, Release::LLVM_22).unwrap();
        operation.symbol_in(Release::LLVM_22).unwrap().rule
    };
    let private = Some(Some(&b"private"[..]));
    let [fixed, func, named] = [b"fixed".as_slice(), b"func", b"named"].map(rule);
    for (rule, found, expected) in [
        (fixed, None, Visibility::Private),
        (func, None, Visibility::Nested),
        (func, Some(None), Visibility::Public),
        (func, private, Visibility::Public),
        (named, None, Visibility::Private),
        (named, Some(None), Visibility::Public),
        (named, private, Visibility::Private),
    ] {
        assert_eq!(rule.visibility(found), expected, "{rule:?} {found:?}");
    }
    for (line, message) in [
        ("default hidden", "unknown visibility 'hidden'"),
        ("visibility a public b", "expected the end of the line"),
    ] {
        let text = format!("dialect toy\nop f\n  symbol sym_name {line}\n");
        let error = DialectDefinition::parse(&text, &()).unwrap_err();
        assert!(error.to_string().contains(message), "{line}: {error}");
    }
}

#[test]
fn traits_without_meaning_and_documentation_are_kept() {
    let text = "dialect toy
operations complete
summary toys
doc Of several sizes.

attribute tag
  summary a tag
  doc First line.
  doc
  doc   indented
  traits Small since 22
  interfaces HashableInterface
  verifier cpp

op add(a: AnyType)
  summary adds \"one\" thing
  doc To another.
  traits IsCommutative, Pure, Elementwise until 22
  interfaces InferIntRangeInterface
";
    let toy = parse(text);
    assert_eq!(toy.to_string(), text);
    let (old, new) = (Release::LLVM_22, Release::LLVM_24);
    let add = toy.operation(b"add", old).unwrap();
    let names: Vec<&str> = add.trait_names(old).collect();
    assert_eq!(
        names,
        [
            "IsCommutative",
            "Pure",
            "Elementwise",
            "InferIntRangeInterface",
            // These are implied.
            "AlwaysSpeculatable",
            "AlwaysSpeculatableImplTrait",
            "ConditionallySpeculatable",
            "MemoryEffectOpInterface",
            "NoMemoryEffect",
        ]
    );
    assert!(add.has_interface("MemoryEffectOpInterface", old));
    assert!(!add.has_interface("Pure", old));
    assert!(!add.has_trait_named("Elementwise", new));
    let documentation = toy.attributes.entries()[0].documentation.clone().unwrap();
    assert_eq!(documentation.description(), "First line.\n\n  indented\n");
    // Interfaces that have a meaning are queried in the same way, whichever statement names them.
    let call = parse("dialect toy\nop call\n  interfaces CallOpInterface\n");
    let call = call.operation(b"call", new).unwrap();
    assert!(call.traits(new).contains(OperationTraits::CALL));
    assert_eq!(
        call.interfaces(new).collect::<Vec<_>>(),
        ["CallOpInterface"]
    );
}

#[test]
fn undeclared_constraints_are_listed() {
    let text = "dialect a\nunknown_constraints CodeAttr, CodeType\n\nop x(a: CodeType)\n  attr b: CodeAttr\n";
    let definition = DialectDefinition::parse(text, &()).unwrap();
    assert_eq!(definition.to_string(), text);
    let (types, attributes) = definition.undeclared_constraints();
    assert_eq!(types.into_iter().collect::<Vec<_>>(), ["CodeType"]);
    assert_eq!(attributes.into_iter().collect::<Vec<_>>(), ["CodeAttr"]);
}

#[test]
fn versions_of_dialects_determine_layouts() {
    let text = "dialect t
family llvm
version 1 since 24
version 2, 0 until 22

op a
  attr b: StrAttr optional version t 2 appended
  attr c: StrAttr optional version t 1 appended
  attr d: StrAttr optional
  attr e: StrAttr optional version u 3
";
    let dialect = parse(text);
    assert_eq!(dialect.to_string(), text);
    assert_eq!(dialect.version_in(Release::LLVM_24), [1]);
    assert!(dialect.version_in(Release::LLVM_23).is_empty());
    assert_eq!(dialect.version_in(Release::LLVM_19), [2, 0]);
    // A project that is built on LLVM.
    let iree: Release = "iree-202608".parse().unwrap();
    assert!(dialect.version_in(iree).is_empty());

    let operation = dialect.operation(b"a", Release::LLVM_24).unwrap();
    let layout = operation.layout(Release::LLVM_24).unwrap();
    let order = |t, u| -> Vec<&str> {
        let version = |dialect: &str| if dialect == "t" { t } else { u };
        layout.slots(6, version).map(|slot| &*slot.name).collect()
    };
    assert_eq!(order(0, 0), ["d"]);
    assert_eq!(order(1, 2), ["d", "c"]);
    assert_eq!(order(9, 3), ["d", "e", "c", "b"]);

    for (line, message) in [
        ("version x", "expected an integer"),
        ("version 1, -1", "expected an integer"),
        ("version 3 since 23", "one of these releases has a version"),
    ] {
        let error = DialectDefinition::parse(&format!("{text}{line}\n"), &()).unwrap_err();
        assert!(error.message().contains(message), "{error}");
        assert_eq!(error.line(), 11, "{error}");
    }
}
