//! Random pairs of pieces of random modules are linked: the result verifies, or there is an error,
//! and no reference changes its meaning.
//!
//! `RMLIR_LINK_PAIRS` is the number of pairs, `RMLIR_LINK_SEED` the first seed. Every operation has
//! a tag. The symbol of each reference in an input is found by lookup there, and compared with what
//! the reference of the operation with that tag denotes in the result. Some of the results are read
//! by `mlir-opt-22`.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stdout,
    reason = "test code"
)]

use rmlir::Ir;
use rmlir::ir::{
    AttributeKind, Context, Identifier, LinkInput, LinkOptions, Module, Operation, References,
    SplitBy, SplitOptions, VerifyOptions, Visibility, extract, extract_with_declarations, link,
    split, verify,
};
use rmlir_testing::Prng;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Tags below this are those of equal definitions.
const SHARED: u64 = 1000;
/// The tag of nested symbols without one.
const UNTAGGED: u64 = 0;
const PAIRS: usize = 2_000;
/// Pairs of one pool of modules.
const OF_POOL: usize = 500;
const MODULES_OF_POOL: usize = 12;
const NAMES: [&str; 6] = ["a", "b", "c", "a_0", "b_0", "with space"];

fn number(variable: &str, default: usize) -> usize {
    let value = std::env::var(variable).ok();
    value.map_or(default, |value| value.parse().unwrap())
}

#[test]
fn no_reference_changes_its_meaning() {
    let pairs = number("RMLIR_LINK_PAIRS", PAIRS);
    let seed = number("RMLIR_LINK_SEED", 1);
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut printed = Vec::new();
    for pool in 0..pairs.div_ceil(OF_POOL) {
        let mut random = Prng::new((seed + pool) as u64);
        let pieces = pieces(&mut random);
        for pair in 0..OF_POOL.min(pairs - pool * OF_POOL) {
            let (a, b) = loop {
                let [a, b] = [(); 2].map(|()| &pieces[random.below(pieces.len())]);
                if a.fits(b) {
                    break (a, b);
                }
            };
            let mut options = LinkOptions::default();
            options.dedupe = random.below(4) == 0;
            let what = check(a, b, &options);
            let what = what.unwrap_or_else(|wrong| {
                panic!(
                    "pool {}, pair {pair}: {wrong}\n{}\n{}",
                    seed + pool,
                    text(a),
                    text(b)
                )
            });
            if let Ok(linked) = &what
                && printed.len() < 300
                && pair % 7 == 0
            {
                printed.push(linked.clone());
            }
            let kind = match what {
                Ok(_) => "linked".to_owned(),
                Err(message) => message.split('\'').next().unwrap().trim().to_owned(),
            };
            *counts.entry(kind).or_default() += 1;
        }
    }
    println!("{counts:?}");
    assert!(counts.get("linked").is_some_and(|&count| count * 5 > pairs));
    judge(&printed);
}

fn text(piece: &Piece) -> String {
    Ir::from_parts(piece.context.clone(), piece.module.clone()).to_string()
}

/// `mlir-opt-22` accepts the texts.
fn judge(texts: &[String]) {
    let child = Command::new("mlir-opt-22")
        .args(["--allow-unregistered-dialect", "--split-input-file", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        println!("SKIPPED: the comparison with upstream: mlir-opt-22 is not installed");
        return;
    };
    let input = texts.join("\n// -----\n");
    child
        .stdin
        .take()
        .unwrap()
        .write_all(input.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
}

/// A module, or what was extracted from or split off it.
struct Piece {
    context: Context,
    module: Module,
    /// The module that it is from.
    source: usize,
    /// Whether it is one of the parts that this was split into.
    is_part: bool,
    /// The names of the local definitions of that module.
    local: HashSet<Vec<u8>>,
}

impl Piece {
    /// Operations of one tag are the same, and not two.
    fn fits(&self, other: &Piece) -> bool {
        self.source != other.source || (self.is_part && other.is_part && !std::ptr::eq(self, other))
    }
}

/// Modules, and pieces that were extracted from or split off them, which verify.
fn pieces(random: &mut Prng) -> Vec<Piece> {
    let mut pieces = Vec::new();
    while pieces.len() < MODULES_OF_POOL * 4 {
        let text = random_module(random);
        let ir = rmlir::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (mut context, module) = ir.into_parts();
        let symbols: Vec<Operation> = module
            .operations(module.body().unwrap())
            .filter(|_| random.below(2) == 0)
            .collect();
        let mut extracted = module.clone();
        extract(&context, &mut extracted, &symbols, random.below(2) == 0);
        let mut declared = module.clone();
        extract_with_declarations(&mut context, &mut declared, &symbols).unwrap();
        let mut options = SplitOptions::default();
        options.by = [SplitBy::Symbol, SplitBy::Group][random.below(2)];
        options.references = [
            References::Declarations,
            References::Bodies,
            References::Open,
        ][random.below(3)];
        options.max_parts = Some(1 + random.below(4));
        let parts = split(&mut context, &module, &options).unwrap();
        let parts = parts.into_iter().map(|part| part.module);
        let source = pieces.len();
        let local = module.operations(module.body().unwrap()).filter(|&op| {
            is_local(&context, &module, op)
                && (!module.is_declaration(&context, op)
                    || has_linkage(&context, &module, op, &["internal", "private"]))
        });
        let local = local.filter_map(|op| module.symbol_name(&context, op));
        let local: HashSet<Vec<u8>> = local.map(|name| context.bytes(name).to_vec()).collect();
        for (number, module) in [module.clone(), extracted, declared]
            .into_iter()
            .chain(parts)
            .enumerate()
        {
            if verify(&context, &module, module.top(), &VerifyOptions::default()).is_ok() {
                pieces.push(Piece {
                    context: context.clone(),
                    module,
                    source,
                    is_part: number >= 3,
                    local: local.clone(),
                });
            }
        }
    }
    pieces
}

/// A module of symbols of few names, each operation with a tag.
fn random_module(random: &mut Prng) -> String {
    let mut text = String::new();
    let mut names: Vec<&str> = NAMES.into();
    for _ in 0..2 + random.below(4) {
        if names.is_empty() {
            break;
        }
        let name = names.swap_remove(random.below(names.len()));
        symbol(random, name, 0, &mut text);
    }
    for _ in 0..random.below(3) {
        user(random, &mut text);
    }
    text
}

fn tag(random: &mut Prng) -> String {
    format!("t.id = {}", SHARED + (random.next_u64() >> 3))
}

fn any_name(random: &mut Prng) -> String {
    let name = NAMES[random.below(NAMES.len())];
    match random.below(5) {
        0 => format!("@\"{name}\"::@\"{}\"", NAMES[random.below(NAMES.len())]),
        _ => format!("@\"{name}\""),
    }
}

/// An operation that refers to a name in one of several ways.
fn user(random: &mut Prng, text: &mut String) {
    let (name, other, tag) = (any_name(random), any_name(random), tag(random));
    let _ = match random.below(6) {
        0 => writeln!(
            text,
            "\"d.use\"() {{to = [{name}, {{x = {other}}}], {tag}}} : () -> ()"
        ),
        1 => writeln!(
            text,
            "\"d.use\"() {{to = #d.ref<{name}>, {tag}}} : () -> ()"
        ),
        2 => writeln!(
            text,
            "\"d.use\"() {{to = !d.type<{name}, [{other}]>, {tag}}} : () -> ()"
        ),
        3 => writeln!(
            text,
            "\"d.use\"() {{to = #d.text<\"{}\">, {tag}}} : () -> ()",
            random.below(9)
        ),
        4 if random.below(20) == 0 => {
            writeln!(
                text,
                "\"d.use\"() {{to = #d.text<\"say @a\">, {tag}}} : () -> ()"
            )
        }
        _ => writeln!(text, "\"d.use\"() {{to = {name}, {tag}}} : () -> ()"),
    };
}

fn symbol(random: &mut Prng, name: &str, depth: usize, text: &mut String) {
    let tag = tag(random);
    let quoted = format!("@\"{name}\"");
    let visibility = ["", "private ", "private ", "nested "][random.below(4)];
    let ty = ["i32", "i32", "i32", "i64"][random.below(4)];
    let mut body = String::new();
    for _ in 0..random.below(3) {
        user(random, &mut body);
    }
    // Equal definitions are for deduplication.
    let tag = match random.below(6) {
        0 => {
            body.clear();
            format!("t.id = {}", ty.len() + visibility.len() * 10)
        }
        _ => tag,
    };
    let _ = match random.below(12) {
        0..3 => writeln!(
            text,
            "func.func {visibility}{quoted}(%x: {ty}) attributes {{{tag}}} {{\n{body}return\n}}"
        ),
        3 => writeln!(
            text,
            "func.func private {quoted}({ty}) attributes {{{tag}}}"
        ),
        4 => {
            let linkage = ["", "internal ", "private ", "weak "][random.below(4)];
            writeln!(
                text,
                "llvm.func {linkage}{quoted}(%x: {ty}) attributes {{{tag}}} {{\n{body}llvm.return\n}}"
            )
        }
        5 => writeln!(text, "llvm.func {quoted}({ty}) attributes {{{tag}}}"),
        6 => {
            let linkage = ["internal", "external", "private"][random.below(3)];
            writeln!(
                text,
                "llvm.mlir.global {linkage} {quoted}(1 : {ty}) {{{tag}}} : {ty}"
            )
        }
        7 => writeln!(
            text,
            "llvm.mlir.global external {quoted}() {{{tag}}} : {ty}"
        ),
        8 => {
            let private = ["", "\"private\" "][random.below(2)];
            let value = ["", " = dense<1>"][random.below(2)];
            writeln!(
                text,
                "memref.global {private}{quoted} : memref<2x{ty}>{value} {{{tag}}}"
            )
        }
        9 if depth < 2 => {
            let mut inner = String::new();
            let mut names: Vec<&str> = NAMES.into();
            for _ in 0..1 + random.below(2) {
                let name = names.swap_remove(random.below(names.len()));
                symbol(random, name, depth + 1, &mut inner);
            }
            user(random, &mut inner);
            let private = ["", "sym_visibility = \"private\", "][random.below(2)];
            writeln!(
                text,
                "module {quoted} attributes {{{private}{tag}}} {{\n{inner}}}"
            )
        }
        10 => writeln!(
            text,
            "llvm.comdat {quoted} {{\nllvm.comdat_selector @{} any {{{tag}}}\n}}",
            ["s", "t"][random.below(2)]
        ),
        _ => {
            let private = ["", "sym_visibility = \"private\", "][random.below(2)];
            let name = name.escape_debug();
            let other = any_name(random);
            writeln!(
                text,
                "\"d.symbol\"() {{sym_name = \"{name}\", {private}to = {other}, {tag}}} : () -> ()"
            )
        }
    };
}

/// The symbol that a reference denotes.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Meaning {
    /// The first name is the definition with a tag, the path that of another one.
    Inside { root: u64, target: Option<u64> },
    /// The names are of a declaration, of a table that is merged, or of nothing: something outside.
    Outside(Vec<Vec<u8>>),
}

/// Links and checks. The text of the result, or the error of linking.
fn check(a: &Piece, b: &Piece, options: &LinkOptions) -> Result<Result<String, String>, String> {
    let inputs: [LinkInput<'_>; 2] = [
        (&a.context, &a.module).into(),
        (&b.context, &b.module).into(),
    ];
    let linked = match link(&inputs, options) {
        Ok(linked) => linked,
        Err(errors) => {
            let places = errors.errors().iter().map(|error| error.places().len());
            let first = errors
                .errors()
                .first()
                .map(|error| error.message().to_owned());
            return match places.min() == Some(2) {
                true => Ok(Err(first.unwrap_or_default())),
                false => Err(format!("an error does not have two places: {errors}")),
            };
        }
    };
    let (context, module) = (&linked.context, &linked.module);
    let result = || Ir::from_parts(context.clone(), module.clone()).to_string();
    if let Err(errors) = verify(context, module, module.top(), &VerifyOptions::default()) {
        return Err(format!("{:?}\n{}", errors.first(), result()));
    }
    let parts = scope_of_parts(&[a, b]);
    let expected = [
        meanings(&a.context, &a.module),
        meanings(&b.context, &b.module),
    ];
    let found = meanings(context, module);
    let references = expected.iter().zip([(a, 1), (b, 0)]);
    let references = references.flat_map(|(of, (piece, other))| {
        let references = of.references.iter();
        references.map(move |(tag, all)| (tag, all, of, piece, other))
    });
    for (tag, wanted, input, piece, other) in references {
        // The operation is dropped for a definition or an equal one.
        let Some(uses) = found.references.get(tag).filter(|_| *tag >= SHARED) else {
            continue;
        };
        if uses.len() != wanted.len() {
            return Err(format!("{tag} has other references\n{}", result()));
        }
        for (denoted, meaning) in uses.iter().zip(wanted) {
            // Only parts of its own module define a local symbol of a part.
            let is_own = |names: &[Vec<u8>]| piece.is_part && piece.local.contains(&names[0]);
            let is_right = match (meaning, denoted) {
                (Meaning::Inside { root, .. }, Meaning::Inside { root: other, .. }) => {
                    meaning == denoted || found.replaces(*other, *root, input)
                }
                (Meaning::Outside(names), Meaning::Outside(_)) => {
                    let is_mixed = || expected[other].is_outside(&names[0], &found);
                    let same_source = a.source == b.source;
                    meaning == denoted && (same_source || !is_own(names) || !is_mixed())
                }
                // The other module defines it, and shows it.
                (Meaning::Outside(names), Meaning::Inside { root, .. }) => {
                    let symbol = (names[0].clone(), *root);
                    let is_shown = found.visible.contains(&symbol) && !is_own(names);
                    is_shown || parts.contains(&symbol)
                }
                (Meaning::Inside { .. }, Meaning::Outside(_)) => false,
            };
            if !is_right {
                return Err(format!(
                    "{tag}: {meaning:?} became {denoted:?}\n{}",
                    result()
                ));
            }
        }
    }
    Ok(Ok(result()))
}

/// The symbols of parts of one module, which see each other's local symbols: names with tags.
fn scope_of_parts(pieces: &[&Piece; 2]) -> HashSet<(Vec<u8>, u64)> {
    let mut scope = HashSet::new();
    if pieces[0].source != pieces[1].source {
        return scope;
    }
    for Piece {
        context, module, ..
    } in pieces
    {
        for operation in module.operations(module.body().unwrap()) {
            if let Some(name) = module.symbol_name(context, operation)
                && let Some(tag) = tag_of(context, module, operation)
            {
                scope.insert((context.bytes(name).to_vec(), tag));
            }
        }
    }
    scope
}

fn tag_of(context: &Context, module: &Module, operation: Operation) -> Option<u64> {
    let tag = module.attribute(context, operation, "t.id")?;
    context.integer_value(tag).map(i64::cast_unsigned)
}

struct Meanings {
    /// By tag: what the references of the operation denote, in order.
    references: HashMap<u64, Vec<Meaning>>,
    /// The definitions at the top that other modules may refer to: names with tags.
    visible: HashSet<(Vec<u8>, u64)>,
    /// Those of them that are weak.
    weak: HashSet<(Vec<u8>, u64)>,
}

impl Meanings {
    /// Whether an operation that the result has refers to something outside by a name.
    fn is_outside(&self, name: &[u8], result: &Meanings) -> bool {
        self.references.iter().any(|(tag, all)| {
            let has = |all: &[Meaning]| {
                let mut all = all.iter();
                all.any(|one| matches!(one, Meaning::Outside(names) if names[0] == name))
            };
            has(all) && result.references.get(tag).is_some_and(|all| has(all))
        })
    }

    /// Whether a definition of this result replaced a weak one of an input, of the same name.
    fn replaces(&self, definition: u64, weak: u64, input: &Meanings) -> bool {
        let names = input.weak.iter().filter(|(_, tag)| *tag == weak);
        let mut replaced = names.filter(|(name, _)| !self.visible.contains(&(name.clone(), weak)));
        replaced.any(|(name, _)| self.visible.contains(&(name.clone(), definition)))
    }
}

fn meanings(context: &Context, module: &Module) -> Meanings {
    let mut meanings = Meanings {
        references: HashMap::new(),
        visible: HashSet::new(),
        weak: HashSet::new(),
    };
    for operation in module.descendants(module.top()) {
        let Some(tag) = tag_of(context, module, operation) else {
            continue;
        };
        // The references of the operation alone.
        let uses = own_uses(context, module, operation);
        let denoted = uses
            .iter()
            .map(|path| meaning(context, module, operation, path));
        meanings.references.insert(tag, denoted.collect());
        let is_top = module.parent_operation(operation) == Some(module.top());
        if is_top
            && let Some(name) = module.symbol_name(context, operation)
            && !is_local(context, module, operation)
        {
            let symbol = (context.bytes(name).to_vec(), tag);
            if has_linkage(context, module, operation, &["weak"]) {
                meanings.weak.insert(symbol.clone());
            }
            meanings.visible.insert(symbol);
        }
    }
    meanings
}

fn is_local(context: &Context, module: &Module, operation: Operation) -> bool {
    has_linkage(context, module, operation, &["internal", "private"])
        || module.symbol_visibility(context, operation) == Visibility::Private
}

fn has_linkage(context: &Context, module: &Module, operation: Operation, names: &[&str]) -> bool {
    let Some(linkage) = module.attribute(context, operation, "linkage") else {
        return false;
    };
    let AttributeKind::Dialect { body, .. } = context.attribute_kind(linkage) else {
        return false;
    };
    let spelled = |name: &&str| format!("linkage<{name}>").into_bytes();
    names.iter().map(spelled).any(|name| body.text() == name)
}

/// The paths of the references in the attributes of an operation.
fn own_uses(context: &Context, module: &Module, operation: Operation) -> Vec<Box<[Identifier]>> {
    let uses = match module.is_symbol_table(context, operation) {
        // Its attributes belong to the table around.
        true => module.symbol_uses(context, module.parent_operation(operation).unwrap()),
        false => module.symbol_uses(context, operation),
    };
    let uses = uses
        .into_iter()
        .filter(|found| found.operation == operation);
    uses.map(|found| found.path).collect()
}

/// The symbol that a path denotes for an operation: the one in the innermost table around it that
/// has the name.
fn meaning(context: &Context, module: &Module, user: Operation, path: &[Identifier]) -> Meaning {
    let outside = || {
        Meaning::Outside(
            path.iter()
                .map(|&name| context.bytes(name).into())
                .collect(),
        )
    };
    let lookup = |table: Operation, name: Identifier| {
        let region = module.regions(table).next()?;
        let block = module.first_block(region)?;
        let mut symbols = module.operations(block);
        symbols.find(|&op| module.symbol_name(context, op) == Some(name))
    };
    let mut table = module.parent_operation(user);
    while let Some(at) = table {
        if module.is_symbol_table(context, at)
            && let Some(root) = lookup(at, path[0])
        {
            if at == module.top() && module.is_declaration(context, root) {
                return outside();
            }
            let tag = match tag_of(context, module, root) {
                Some(tag) => tag,
                // A comdat, which has no tag. One at the top may be merged with that of another.
                None if at != module.top() => UNTAGGED,
                None => return outside(),
            };
            let found = path[1..]
                .iter()
                .try_fold(root, |table, &name| lookup(table, name));
            return Meaning::Inside {
                root: tag,
                target: found.and_then(|found| tag_of(context, module, found)),
            };
        }
        table = module.parent_operation(at);
    }
    outside()
}
