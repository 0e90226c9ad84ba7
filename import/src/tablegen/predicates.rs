//! Imports type constraints: translates trees of predicates with C++ leaves to predicates of
//! definitions.
//!
//! An unknown leaf has no verdict (`unknown`), so the predicate of a tree never rejects what
//! upstream accepts.

use super::classes::{Class, Classes, tested};
use super::records::{LONGEST_CHAIN, Record};
use rmlir_ir::constraint::TypePredicate;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The maximum length in bytes of a predicate, and of the C++ of a leaf.
const MOST_TEXT: usize = 4096;

/// The maximum number of substitutions in a dump.
const MOST_SUBSTITUTIONS: usize = 8192;

/// The maximum number of parts that a tree combines, which is that of predicates in definitions.
const MOST_PARTS: usize = 512;

/// The predicates for C++ classes of types.
const CLASSES: &[(&str, &str)] = &[
    ("IndexType", "index"),
    ("IntegerType", "integer"),
    ("FloatType", "float"),
    ("NoneType", "none"),
    ("FunctionType", "function"),
    ("TupleType", "tuple"),
    ("ComplexType", "complex"),
    ("ShapedType", "shaped"),
    ("TensorType", "tensor"),
    ("RankedTensorType", "ranked_tensor"),
    ("UnrankedTensorType", "unranked_tensor"),
    ("MemRefType", "memref"),
    ("UnrankedMemRefType", "unranked_memref"),
    ("BaseMemRefType", "any_memref"),
    ("VectorType", "vector"),
    ("FixedVectorType", "fixed_vector"),
    ("ScalableVectorType", "scalable_vector"),
    ("BFloat16Type", "bf16"),
    ("FloatTF32Type", "tf32"),
    ("quant::QuantizedType", "!quant._"),
    ("LLVM::LLVMArrayType", "!llvm.array<_>"),
    ("LLVM::LLVMFunctionType", "!llvm.func<_>"),
    ("LLVM::LLVMPointerType", "!llvm.ptr<_>"),
    ("LLVM::LLVMStructType", "!llvm.struct<_>"),
    ("spirv::CooperativeMatrixType", "!spirv.coopmatrix<_>"),
    // Which types implement these interfaces is unknown, except that memrefs do.
    ("acc::MappableType", "unknown"),
    ("acc::PointerLikeType", "unknown"),
    ("omp::PointerLikeType", "unknown"),
];

/// The predicate that no type satisfies.
const NEVER: &str = "not any";

/// The predicates for calls on a type.
const CALLS: &[(&str, &str)] = &[
    ("T.isSignlessInteger()", "signless"),
    ("T.isSignedInteger()", "signed"),
    ("T.isUnsignedInteger()", "unsigned"),
    ("T.isSignlessIntOrIndex()", "signless | index"),
    ("T.hasTrait<ValueSemantics>()", "value"),
    ("T.isF16()", "f16"),
    ("T.isBF16()", "bf16"),
    ("T.isF32()", "f32"),
    ("T.isF64()", "f64"),
    ("T.isF80()", "f80"),
    ("T.isF128()", "f128"),
    ("true", "any"),
    ("isa<Type>(T)", "any"),
    ("isa<TypeAttr>(T)", "any"),
    // A builtin type since LLVM 23, which no module here has.
    ("isa<TokenType>(T)", NEVER),
    (
        "LLVM::isCompatibleOuterType(T)",
        "signless | float | vector<signless | float | dialect_type> | dialect_type",
    ),
    ("LLVM::isCompatibleVectorType(T)", "vector"),
    ("LLVM::isCompatibleFloatingPointType(T)", "float"),
    ("emitc::isSupportedIntegerType(T)", "integer"),
    ("emitc::isSupportedFloatType(T)", "float"),
    (
        "emitc::isIntegerIndexOrOpaqueType(T)",
        "integer | index | dialect_type",
    ),
    ("cast<VectorType>(T).allDimsScalable()", "all_scalable"),
    (
        "isa<pdl::AttributeType>(cast<pdl::RangeType>(T).getElementType())",
        "!pdl.range<attribute>",
    ),
    (
        "isa<pdl::OperationType>(cast<pdl::RangeType>(T).getElementType())",
        "!pdl.range<operation>",
    ),
    (
        "isa<pdl::TypeType>(cast<pdl::RangeType>(T).getElementType())",
        "!pdl.range<type>",
    ),
    (
        "isa<pdl::ValueType>(cast<pdl::RangeType>(T).getElementType())",
        "!pdl.range<value>",
    ),
    ("cast<ShapedType>(T).hasRank()", "min_rank(0)"),
    ("cast<ShapedType>(T).hasStaticShape()", "static"),
    ("cast<VectorType>(T).getRank()>0", "min_rank(1)"),
    (
        "cast<LLVM::LLVMPointerType>(T).getAddressSpace()==0",
        "!llvm.ptr",
    ),
    (
        "all_of(cast<RankedTensorType>(T).getShape(),[](autov){returnv!=0;})",
        "min_size(1)",
    ),
];

/// The predicates for calls with a number, which replaces the `#`. Calls in [`CALLS`] take
/// precedence.
const NUMBERED: &[(&str, &str, &str)] = &[
    ("T.isSignlessInteger(", ")", "i#"),
    ("T.isSignedInteger(", ")", "si#"),
    ("T.isUnsignedInteger(", ")", "ui#"),
    ("T.isInteger(", ")", "int#"),
    ("cast<ShapedType>(T).getRank()==", "", "rank(#)"),
    ("cast<VectorType>(T).getRank()==", "", "rank(#)"),
    ("cast<RankedTensorType>(T).getRank()>=", "", "min_rank(#)"),
    ("cast<ShapedType>(T).getRank()>=", "", "min_rank(#)"),
    ("cast<VectorType>(T).getNumElements()==", "", "length(#)"),
    (
        "cast<LLVM::LLVMPointerType>(T).getAddressSpace()==",
        "",
        "!llvm.ptr<#>",
    ),
    (
        "all_of(cast<RankedTensorType>(T).getShape(),[](autov){returnv==",
        ";})",
        "sizes(#)",
    ),
];

/// A translated predicate, with its precedence.
#[derive(Clone)]
struct Translated {
    text: String,
    /// 0 for a disjunction, 1 for a conjunction, 2 for a predicate that needs no parentheses.
    strength: u8,
}

impl Translated {
    fn unknown() -> Self {
        Translated {
            text: "unknown".to_owned(),
            strength: 2,
        }
    }

    fn of(text: &str) -> Self {
        Translated {
            text: text.to_owned(),
            strength: strength(text),
        }
    }

    fn inside(self, strength: u8) -> String {
        match self.strength < strength {
            true => format!("({})", self.text),
            false => self.text,
        }
    }
}

/// Returns the characters of a text outside of brackets, with their offsets.
fn outside(text: &str) -> impl Iterator<Item = (usize, char)> {
    let mut depth = 0usize;
    text.char_indices().filter(move |&(_, c)| {
        let before = depth;
        depth = match c {
            '<' | '(' => depth.saturating_add(1),
            '>' | ')' => depth.saturating_sub(1),
            _ => depth,
        };
        before == 0 && depth == 0
    })
}

/// Returns the precedence of a text.
fn strength(text: &str) -> u8 {
    let strengths = outside(text).filter_map(|(_, c)| match c {
        '|' => Some(0),
        '&' => Some(1),
        _ => None,
    });
    strengths.min().unwrap_or(2)
}

/// Translates predicates. Each part of a tree is translated once, however often trees share it: the
/// dump describes a graph, in which a tree of a few records can have exponentially many paths, or a
/// cycle. Takes time linear in the dumps.
pub(super) struct Predicates {
    /// The C++ classes of types.
    classes: Rc<Classes>,
    /// The memoized translations, by the address of the record's fields and the substitutions. A
    /// record that is being translated has no verdict, which ends cycles.
    known: HashMap<(usize, usize), Translated>,
    substitutions: Vec<Substitution>,
    /// The index of each substitution, by the address of its record's fields and the enclosing
    /// substitution.
    numbers: HashMap<(usize, usize), usize>,
    /// The number of references between records that may still be followed.
    left: usize,
}

/// A substitution of a `SubstLeaves` in the texts of the leaves.
struct Substitution {
    from: String,
    to: String,
    /// The index of the enclosing substitution.
    outer: usize,
}

/// The indices of the empty substitution, and of that for a type in a `TypeAttr`.
const NONE: usize = 0;
const HELD: usize = 1;

impl Predicates {
    /// `size` is the number of bytes of the dumps, which bounds the number of references between
    /// records.
    pub(super) fn new(classes: Rc<Classes>, size: usize) -> Self {
        let substitution = |from: &str, to: &str| Substitution {
            from: from.to_owned(),
            to: to.to_owned(),
            outer: NONE,
        };
        Predicates {
            classes,
            known: HashMap::new(),
            substitutions: vec![
                substitution("", ""),
                substitution(
                    "::llvm::cast<::mlir::TypeAttr>($_self).getValue()",
                    "$_self",
                ),
            ],
            numbers: HashMap::new(),
            left: size.saturating_add(MOST_SUBSTITUTIONS),
        }
    }

    /// Returns whether references were not followed because the dumps have too many.
    pub(super) fn is_exhausted(&self) -> bool {
        self.left == 0
    }

    /// Counts a followed reference; returns whether it may be followed.
    pub(super) fn step(&mut self) -> bool {
        self.spend(1)
    }

    /// Counts several followed references.
    pub(super) fn spend(&mut self, steps: usize) -> bool {
        self.left = self.left.saturating_sub(steps);
        self.left > 0
    }

    /// Returns the predicate of a constraint.
    pub(super) fn of(&mut self, constraint: Record<'_>) -> Option<String> {
        let tree = constraint.def("predicate")?;
        Some(self.translated(tree, NONE, LONGEST_CHAIN).text)
    }

    /// Returns the predicate on the type that an attribute holds.
    pub(super) fn of_held_type(&mut self, constraint: Record<'_>) -> Option<String> {
        let tree = constraint.def("predicate")?;
        Some(self.translated(tree, HELD, LONGEST_CHAIN).text)
    }

    /// Translates a tree with substitutions in its leaves. `depth` is the remaining depth.
    fn translated(&mut self, tree: Record<'_>, substitution: usize, depth: usize) -> Translated {
        let key = (tree.address(), substitution);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let Some(depth) = depth.checked_sub(1).filter(|_| self.step()) else {
            return Translated::unknown();
        };
        self.known.insert(key, Translated::unknown());
        let translated = self.translate(tree, substitution, depth);
        // Memory is charged to the budget as well as time.
        let len = translated.text.len();
        let translated = match len <= MOST_TEXT && self.spend(len / 16) {
            true => translated,
            false => Translated::unknown(),
        };
        self.known.insert(key, translated.clone());
        translated
    }

    fn translate(&mut self, tree: Record<'_>, substitution: usize, depth: usize) -> Translated {
        if let Some(expression) = tree.text("predExpr") {
            let leaf = self.substituted(expression, substitution);
            return leaf.map_or_else(Translated::unknown, |leaf| self.leaf(&leaf));
        }
        let class = tree.class().unwrap_or_default();
        if class == "SubstLeaves"
            && let (Some(from), Some(to)) = (tree.text("pattern"), tree.text("replacement"))
        {
            let next = self.substitutions.len();
            if from.len().max(to.len()) > MOST_TEXT || next > MOST_SUBSTITUTIONS {
                return Translated::unknown();
            }
            let key = (tree.address(), substitution);
            let number = *self.numbers.entry(key).or_insert(next);
            if number == next {
                self.substitutions.push(Substitution {
                    from: from.to_owned(),
                    to: to.to_owned(),
                    outer: substitution,
                });
            }
            return match tree.defs("children").next() {
                Some(child) => self.translated(child, number, depth),
                None => Translated::unknown(),
            };
        }
        let kind = tree.def("kind").map_or("", |kind| kind.name);
        let mut children = Vec::new();
        for child in tree.defs("children") {
            if children.len() >= MOST_PARTS || !self.step() {
                return Translated::unknown();
            }
            children.push(self.translated(child, substitution, depth));
            if matches!(kind, "PredCombinerNot" | "PredCombinerConcat") {
                break;
            }
        }
        match kind {
            "PredCombinerNot" => match children.pop() {
                Some(child) if child.text == NEVER => Translated::of("any"),
                Some(child) => Translated {
                    text: format!("not {}", child.inside(2)),
                    strength: 2,
                },
                None => Translated::unknown(),
            },
            "PredCombinerOr" => either(children),
            "PredCombinerAnd" => together(children),
            "PredCombinerConcat" => {
                let prefix = tree.text("prefix").unwrap_or_default();
                let suffix = tree.text("suffix").unwrap_or_default();
                let of_elements =
                    prefix.contains("elementType") && suffix.ends_with(".getElementType())");
                match children.pop().filter(|_| of_elements) {
                    Some(child) => Translated {
                        text: format!("shaped<{}>", child.text),
                        strength: 2,
                    },
                    None => Translated::unknown(),
                }
            }
            _ => Translated::unknown(),
        }
    }

    /// Returns the text of a leaf after its substitutions, the innermost first; `None` if it
    /// becomes too long.
    fn substituted(&self, expression: &str, mut substitution: usize) -> Option<String> {
        let mut text = expression.to_owned();
        for _ in 0..=LONGEST_CHAIN {
            if text.len() > MOST_TEXT {
                return None;
            }
            let one = self.substitutions.get(substitution)?;
            if !one.from.is_empty() {
                let count = text.matches(&*one.from).count();
                let longest = count
                    .saturating_mul(one.to.len())
                    .saturating_add(text.len());
                if longest > MOST_TEXT.saturating_mul(2) {
                    return None;
                }
                text = text.replace(&*one.from, &one.to);
            }
            if substitution == NONE {
                break;
            }
            substitution = one.outer;
        }
        Some(text)
    }

    /// Translates a leaf, which is C++ with `$_self` or `elementType` for the type.
    fn leaf(&self, expression: &str) -> Translated {
        leaf(expression, &self.classes)
    }
}

/// Combines predicates by disjunction.
fn either(children: Vec<Translated>) -> Translated {
    let mut seen = HashSet::new();
    let all = children.into_iter().map(|child| child.text);
    let all: Vec<String> = all.filter(|text| seen.insert(text.clone())).collect();
    match all.as_slice() {
        [] => Translated::unknown(),
        [one] => Translated::of(one),
        _ => match merged(&all) {
            Some(text) => Translated { text, strength: 2 },
            None => Translated {
                text: all.join(" | "),
                strength: 0,
            },
        },
    }
}

/// Returns whether a predicate with elements implies a kind of types.
fn says_sort(predicate: &str, sort: &str) -> bool {
    let own = predicate.split_once('<').map_or(predicate, |(own, _)| own);
    own == sort || matches!((own, sort), ("fixed_vector" | "scalable_vector", "vector"))
}

/// Merges `length(2) | length(4)` into `length(2, 4)`; `None` for other predicates.
fn merged(all: &[String]) -> Option<String> {
    let (name, _) = all.first()?.split_once('(')?;
    let numbers = all.iter().map(|one| {
        let inside = one
            .strip_prefix(name)?
            .strip_prefix('(')?
            .strip_suffix(')')?;
        inside.bytes().all(|b| b.is_ascii_digit()).then_some(inside)
    });
    let numbers: Vec<&str> = numbers.collect::<Option<_>>()?;
    matches!(name, "length" | "rank").then(|| format!("{name}({})", numbers.join(", ")))
}

/// Returns the operands of `&` outside of brackets.
fn parts(text: &str) -> Vec<String> {
    let (mut start, mut parts) = (0usize, Vec::new());
    for (at, _) in outside(text).filter(|&(_, c)| c == '&') {
        parts.push(text.get(start..at).unwrap_or_default().trim().to_owned());
        start = at.saturating_add(1);
    }
    parts.push(text.get(start..).unwrap_or_default().trim().to_owned());
    parts
}

/// Combines predicates by conjunction; merges a kind of types and its element predicate.
fn together(children: Vec<Translated>) -> Translated {
    let mut all: Vec<String> = Vec::new();
    for child in children {
        let parts: Vec<String> = match child.strength {
            1 => parts(&child.text),
            _ => vec![child.inside(1)],
        };
        for part in parts {
            if part == "any" || all.contains(&part) {
                continue;
            }
            let sort = all
                .iter_mut()
                .find(|one| TypePredicate::takes_elements(one));
            let of = part.split_once('<').filter(|_| part.ends_with('>'));
            match (of, sort) {
                (Some(("shaped", "any>")), Some(_)) => {}
                (Some((name, element)), Some(sort)) if name == "shaped" || name == sort => {
                    *sort = format!("{sort}<{element}");
                }
                _ => all.push(part),
            }
        }
    }
    // An exact rank implies a bound, and any rank implies that there is one.
    let has_rank = |prefix: &str, all: &[String]| all.iter().any(|part| part.starts_with(prefix));
    let (exact, positive) = (has_rank("rank(", &all), has_rank("min_rank(1)", &all));
    all.retain(|part| match part.as_str() {
        "min_rank(0)" => !exact && !positive,
        "min_rank(1)" => !exact,
        _ => true,
    });
    // Sizes imply the rank, and a kind with elements implies that there is one.
    let shaped = has_rank("shape(", &all);
    let sorted: Vec<String> = all.iter().filter(|p| p.contains('<')).cloned().collect();
    all.retain(|part| {
        let sort = TypePredicate::takes_elements(part);
        let is_rank = part.starts_with("rank(") || part.starts_with("min_rank(");
        !(shaped && is_rank || sort && sorted.iter().any(|one| says_sort(one, part)))
    });
    // A complete type implies its mnemonic.
    let named: Vec<String> = all
        .iter()
        .filter(|p| !p.ends_with("<_>"))
        .cloned()
        .collect();
    all.retain(|part| match part.strip_suffix("<_>") {
        Some(prefix) if prefix.starts_with('!') => !named.iter().any(|one| one.starts_with(prefix)),
        _ => true,
    });
    match all.as_slice() {
        [] => Translated::of("any"),
        [one] => Translated::of(one),
        _ => Translated {
            text: all.join(" & "),
            strength: 1,
        },
    }
}

/// Returns the predicate of a class of types: a class without parameters has exactly one type.
fn predicate_of(class: &Class) -> String {
    let any = if class.has_parameters { "<_>" } else { "" };
    format!("!{}.{}{any}", class.dialect, class.mnemonic)
}

/// Translates a leaf, which is C++ with `$_self` or `elementType` for the type.
fn leaf(expression: &str, classes: &Classes) -> Translated {
    let class = tested(expression);
    let mut plain: String = expression.split_whitespace().collect();
    for namespace in ["::llvm::", "::mlir::", "llvm::", "mlir::"] {
        plain = plain.replace(namespace, "");
    }
    plain = plain.replace("$_self", "T").replace("elementType", "T");
    while let Some(inner) = plain.strip_prefix('(').and_then(|p| p.strip_suffix(')')) {
        plain = inner.to_owned();
    }
    for (container, sort) in [
        ("cast<VectorType>(T).getElementType()", "vector"),
        ("cast<ShapedType>(T).getElementType()", "shaped"),
        ("cast<ComplexType>(T).getElementType()", "complex"),
    ] {
        if plain.contains(container) {
            let of_element = known(&plain.replace(container, "T"), class.as_deref(), classes);
            let of_element = of_element.unwrap_or_else(|| "unknown".to_owned());
            return Translated::of(&format!("{sort}<{of_element}>"));
        }
    }
    match known(&plain, class.as_deref(), classes) {
        Some(text) => Translated::of(&text),
        None => Translated::of("unknown"),
    }
}

/// Translates an expression without namespaces. `written` is the class that it tests for, with its
/// namespace.
fn known(plain: &str, written: Option<&str>, classes: &Classes) -> Option<String> {
    if let Some(row) = CALLS.iter().find(|row| row.0 == plain) {
        return Some(row.1.to_owned());
    }
    if let Some(class) = plain
        .strip_prefix("isa<")
        .and_then(|p| p.strip_suffix(">(T)"))
    {
        let written = written.unwrap_or(class);
        // The imported dialect's own classes hide builtin ones.
        if let Some(own) = classes.find_own(written, true) {
            return Some(predicate_of(own));
        }
        let row = CLASSES.iter().find(|row| row.0 == class);
        if let Some(row) = row {
            return Some(row.1.to_owned());
        }
        if let Some(float) = class
            .strip_prefix("Float")
            .and_then(|f| f.strip_suffix("Type"))
        {
            return Some(format!("f{float}"));
        }
        let found = classes.find(written, true).map(predicate_of);
        // A class of a dialect is not a builtin type. Interfaces with such names are excluded,
        // because builtin types implement them too.
        if class.ends_with("LikeType") {
            return None;
        }
        let is_qualified = class.contains("::");
        return found.or_else(|| is_qualified.then(|| "dialect_type & unknown".to_owned()));
    }
    let operation = plain
        .strip_prefix("cast<transform::OperationType>(T).getOperationName()==")
        .filter(|name| name.starts_with('"') && name.ends_with('"'));
    if let Some(name) = operation {
        return Some(format!("!transform.op<{name}>"));
    }
    NUMBERED
        .iter()
        .find_map(|(before, behind, text)| {
            let number = plain.strip_prefix(before)?.strip_suffix(behind)?;
            let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
            is_number.then(|| text.replace('#', number))
        })
        .or_else(|| {
            let sizes = plain
                .strip_prefix("cast<VectorType>(T).getShape()==ArrayRef<int64_t>({")?
                .strip_suffix("})")?;
            Some(format!("shape({})", sizes.replace(',', ", ")))
        })
}
