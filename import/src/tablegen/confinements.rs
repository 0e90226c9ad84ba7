//! Imports confinements of attributes: translates predicates in C++ to confinements.
//!
//! An unknown predicate confines nothing, so an imported definition never rejects what upstream
//! accepts.

use super::enums::Enums;
use super::predicates::Predicates;
use super::records::summary;
use super::records::{LONGEST_CHAIN, Record};
use super::{classes, constraints};
use rmlir_ir::constraint::{
    ATTRIBUTE_CONSTRAINTS, AttributeConstraint, ConfinedConstraint, Confinement, ConfinementRule,
    NamedAttributeConstraint, TypePredicate,
};

type Plain = fn() -> ConfinementRule;
type Numbered = fn(i64) -> Option<ConfinementRule>;
type Placed = fn(u32, i64) -> ConfinementRule;

/// Predicates on an attribute `T`, without white space and namespaces.
const EXPRESSIONS: &[(&str, Plain)] = &[
    ("!cast<IntegerAttr>(T).getValue().isNegative()", || {
        ConfinementRule::NonNegative
    }),
    (
        "cast<IntegerAttr>(T).getValue().isStrictlyPositive()",
        || ConfinementRule::Positive,
    ),
    ("cast<IntegerAttr>(T).getValue().isPowerOf2()", || {
        ConfinementRule::PowerOfTwo
    }),
];

/// Predicates that end with a number.
const NUMBERED: &[(&str, Numbered)] = &[
    ("cast<IntegerAttr>(T).getInt()>=", |n| {
        Some(ConfinementRule::Min(n))
    }),
    ("cast<IntegerAttr>(T).getInt()<=", |n| {
        Some(ConfinementRule::Max(n))
    }),
    ("cast<IntegerAttr>(T).getInt()!=", |n| {
        Some(ConfinementRule::Differs(n))
    }),
    ("cast<ArrayAttr>(T).size()>=", |n| {
        Some(ConfinementRule::MinCount(size(n)?))
    }),
    ("cast<ArrayAttr>(T).size()<=", |n| {
        Some(ConfinementRule::MaxCount(size(n)?))
    }),
    ("cast<ArrayAttr>(T).size()==", |n| {
        Some(ConfinementRule::Count(vec![size(n)?]))
    }),
    ("cast<DenseArrayAttr>(T).size()>=", |n| {
        Some(ConfinementRule::MinCount(size(n)?))
    }),
    ("cast<DenseArrayAttr>(T).size()<=", |n| {
        Some(ConfinementRule::MaxCount(size(n)?))
    }),
    ("cast<DenseArrayAttr>(T).size()==", |n| {
        Some(ConfinementRule::Count(vec![size(n)?]))
    }),
];

/// Classes of constraints on dense arrays, whose predicates are lambdas.
const CLASSES: &[(&str, Plain)] = &[
    ("DenseArrayStrictlyPositive", || ConfinementRule::Positive),
    ("DenseArrayNonNegative", || ConfinementRule::NonNegative),
    ("DenseArrayStrictlySorted", || ConfinementRule::Increasing),
    ("DenseArraySorted", || ConfinementRule::NonDecreasing),
];

fn size(number: i64) -> Option<u32> {
    u32::try_from(number).ok()
}

/// The maximum nesting depth of constraints in a definition.
const DEEPEST: usize = 8;

/// The maximum number of confinements of an attribute, and of predicates that one combines.
const MOST: usize = 64;

/// Returns the confinements of an attribute argument in addition to the constraint that
/// [`constraints::name`] returns.
pub(super) fn of_argument<'j>(
    record: Record<'j>,
    enums: &Enums<'j>,
    predicates: &mut Predicates,
) -> Vec<Confinement> {
    of_nested(record, enums, predicates, DEEPEST)
}

/// As [`of_argument`], for an element of an array; `depth` is the remaining nesting depth.
fn of_nested<'j>(
    record: Record<'j>,
    enums: &Enums<'j>,
    predicates: &mut Predicates,
    depth: usize,
) -> Vec<Confinement> {
    let (mut record, mut levels) = (record, Vec::new());
    for _ in 0..LONGEST_CHAIN {
        let Some(base) = record.def("baseAttr") else {
            break;
        };
        levels.push(record);
        record = base;
    }
    let mut all = Vec::new();
    if record.is_anonymous() {
        all.extend(of_base(record, enums, predicates, depth));
    }
    for level in levels.into_iter().rev() {
        for one in level.defs("attrConstraints") {
            if all.len() >= MOST || !predicates.step() {
                break;
            }
            all.extend(confinement(one, predicates));
        }
    }
    all
}

/// Returns a constraint that has a name in the definition and is not builtin.
pub(super) fn named<'j>(
    record: Record<'j>,
    enums: &Enums<'j>,
    predicates: &mut Predicates,
) -> Option<NamedAttributeConstraint> {
    if record.is_anonymous() || record.is_a("AttrDef") || enums.of_attribute(record).is_some() {
        return None;
    }
    if AttributeConstraint::find(record.name).is_some() {
        return None;
    }
    let said = summary(record)?;
    let confined = |name: &str, confinements| ConfinedConstraint {
        name: constraints::own(name),
        confinements,
    };
    let constraint = match of_base(record, enums, predicates, DEEPEST) {
        Some(mut of) => {
            of.words = Default::default();
            match of.rule {
                ConfinementRule::Type(_) => {
                    if words(&of.rule)
                        .is_some_and(|words| said == format!("type attribute {words}"))
                    {
                        // Its description is that of the constraint it denotes.
                        return Some(NamedAttributeConstraint {
                            name: constraints::own(record.name),
                            summary: Default::default(),
                            constraint: confined("TypeAttrOf", vec![of]),
                        });
                    }
                    confined("TypeAttrOf", vec![of])
                }
                ConfinementRule::Each(_) => confined("ArrayAttr", vec![of]),
                _ => return None,
            }
        }
        None => {
            let tree = record.def("predicate")?;
            let of_class = record
                .is_a("DialectAttr")
                .then(|| entry_of_class(enums, tree));
            if let Some(entry) = of_class {
                return Some(NamedAttributeConstraint {
                    name: constraints::own(record.name),
                    summary: if said.contains('"') {
                        "".into()
                    } else {
                        said.into()
                    },
                    constraint: confined(&entry?, Vec::new()),
                });
            }
            match same(record, tree) {
                Some(name) => confined(name, Vec::new()),
                None => {
                    let is_or = tree.def("kind").is_some_and(|k| k.name == "PredCombinerOr");
                    let all = tree.defs("children").take(MOST).map(|child| {
                        let name = same(record, child)?;
                        Some(confined(name, Vec::new()))
                    });
                    let all: Vec<_> = all.collect::<Option<_>>().filter(|_| is_or)?;
                    let rule = ConfinementRule::AnyOf(all);
                    confined("AnyAttr", vec![Confinement::new(rule)])
                }
            }
        }
    };
    if said.contains('"') {
        return None;
    }
    Some(NamedAttributeConstraint {
        name: constraints::own(record.name),
        summary: said.into(),
        constraint,
    })
}

/// Returns the attribute of a dialect whose class a predicate tests.
fn entry_of_class(enums: &Enums<'_>, predicate: Record<'_>) -> Option<String> {
    let expression = predicate.text("predExpr")?;
    let is_test = plain(expression).strip_prefix("isa<")?.ends_with(">(T)");
    let class = classes::tested(expression).filter(|_| is_test)?;
    let (dialect, mnemonic) = enums.any_attribute(&class)?;
    Some(format!("#{dialect}.{mnemonic}"))
}

/// Returns the builtin constraint with this predicate.
fn same<'j>(record: Record<'j>, predicate: Record<'j>) -> Option<&'static str> {
    let known = ATTRIBUTE_CONSTRAINTS.iter().find(|known| {
        let other = record.other(known.name).and_then(|r| r.def("predicate"));
        other.is_some_and(|other| other.name == predicate.name)
    });
    known.map(|known| known.name)
}

/// Returns the confinements on the elements of an array, on the type that an attribute holds, or on
/// the shape of elements.
fn of_base<'j>(
    record: Record<'j>,
    enums: &Enums<'j>,
    predicates: &mut Predicates,
    depth: usize,
) -> Option<Confinement> {
    let depth = depth.checked_sub(1).filter(|_| predicates.step())?;
    let said = summary(record);
    let said = said.filter(|said| !said.contains('"')).unwrap_or_default();
    if record.is_a("TypedArrayAttrBase") {
        let element = record.def("elementAttr")?;
        let constraint = ConfinedConstraint {
            name: element_name(element, enums)?.into(),
            confinements: of_nested(element, enums, predicates, depth),
        };
        return Some(Confinement {
            rule: ConfinementRule::Each(Box::new(constraint)),
            words: said.into(),
            is_message: false,
        });
    }
    if record.is_a("TypeAttrBase") {
        let predicate = predicates.of_held_type(record)?;
        let predicate = TypePredicate::new(&predicate).ok()?;
        if predicate.to_string() == "unknown" {
            return None;
        }
        let rule = ConfinementRule::Type(predicate.to_string().into());
        let said = match said.strip_prefix("type attribute ") {
            Some(said) if record.is_a("TypeAttrOf") => said.to_owned(),
            _ => said,
        };
        let derived = words(&rule).unwrap_or_default();
        return Some(Confinement {
            rule,
            words: if said == derived { String::new() } else { said }.into(),
            is_message: false,
        });
    }
    if record.class() == Some("RankedI64ElementsAttr") {
        let mut children = record.def("predicate")?.defs("children");
        let shape = children.next_back()?.text("predExpr").map(plain)?;
        let (_, shape) = shape.split_once("ArrayRef<int64_t>({")?;
        let sizes = shape.strip_suffix("})")?.split(',');
        let sizes: Option<Vec<i64>> = sizes.map(|size| size.parse().ok()).collect();
        let rule = ConfinementRule::Shape(sizes?);
        let said = said.strip_prefix("64-bit signless int elements attribute ");
        let said = said.unwrap_or_default().to_owned();
        return Some(Confinement {
            words: if said == rule.summary() {
                String::new()
            } else {
                said
            }
            .into(),
            is_message: false,
            rule,
        });
    }
    None
}

/// Returns the verifier's description of a confinement on a held type.
fn words(rule: &ConfinementRule) -> Option<String> {
    match rule {
        ConfinementRule::Type(predicate) => {
            let predicate = TypePredicate::new(predicate).ok()?;
            Some(format!("of {}", predicate.summary()))
        }
        _ => None,
    }
}

/// Returns the name of the constraint on elements of an array.
fn element_name<'j>(element: Record<'j>, enums: &Enums<'j>) -> Option<String> {
    if element.is_a("AttrDef") {
        let dialect = element.def("dialect")?.text("name")?;
        let mnemonic = element.some_text("mnemonic")?;
        return (dialect != "builtin").then(|| format!("#{dialect}.{mnemonic}"));
    }
    if let Some(found) = enums.of_attribute(element) {
        return enums.reference(found);
    }
    let name = constraints::name(element);
    AttributeConstraint::find(name).map(|known| known.name.to_owned())
}

fn plain(expression: &str) -> String {
    let mut plain: String = expression.split_whitespace().collect();
    for namespace in ["::llvm::", "::mlir::", "llvm::", "mlir::"] {
        plain = plain.replace(namespace, "");
    }
    plain = plain.replace("$_self", "T");
    while let Some(inner) = plain.strip_prefix('(').and_then(|p| p.strip_suffix(')')) {
        plain = inner.to_owned();
    }
    plain
}

/// Translates a constraint that confines an attribute.
fn confinement(record: Record<'_>, predicates: &mut Predicates) -> Option<Confinement> {
    let class = CLASSES.iter().find(|row| record.is_a(row.0));
    let rule = match class {
        Some((_, rule)) => rule(),
        None => rule(record.def("predicate")?, DEEPEST, &mut { MOST }, predicates)?,
    };
    let said = summary(record);
    let said = said.filter(|said| !said.contains('"') && *said != rule.summary());
    Some(Confinement {
        rule,
        words: said.unwrap_or_default().into(),
        is_message: false,
    })
}

/// Translates a predicate to a rule; `depth` is the remaining depth, `left` the remaining number of
/// predicates to combine.
fn rule(
    tree: Record<'_>,
    depth: usize,
    left: &mut usize,
    predicates: &mut Predicates,
) -> Option<ConfinementRule> {
    let depth = depth.checked_sub(1).filter(|_| predicates.step())?;
    *left = left.checked_sub(1)?;
    if let Some(expression) = tree.text("predExpr") {
        return leaf(&plain(expression));
    }
    let children: Vec<Record<'_>> = tree.defs("children").take(MOST).collect();
    if children.len() == MOST {
        return None;
    }
    match tree.def("kind")?.name {
        "PredCombinerAnd" => {
            let texts: Option<Vec<String>> = children
                .iter()
                .map(|c| c.text("predExpr").map(plain))
                .collect();
            if let Some(element) = texts.as_deref().and_then(element) {
                return Some(element);
            }
            let all = children
                .into_iter()
                .map(|child| rule(child, depth, left, predicates));
            let all: Option<Vec<_>> = all.collect();
            Some(ConfinementRule::Both(
                all?.into_iter().map(Confinement::new).collect(),
            ))
        }
        "PredCombinerOr" => {
            // Absent attributes are not checked here.
            let is_absence =
                |child: &Record<'_>| child.text("predExpr").map(plain).as_deref() == Some("!T");
            let children = children.into_iter().filter(|child| !is_absence(child));
            let mut counts = Vec::new();
            for child in children {
                match rule(child, depth, left, predicates)? {
                    ConfinementRule::Count(some) => counts.extend(some),
                    _ => return None,
                }
            }
            (!counts.is_empty()).then_some(ConfinementRule::Count(counts))
        }
        _ => None,
    }
}

fn leaf(plain: &str) -> Option<ConfinementRule> {
    if let Some(row) = EXPRESSIONS.iter().find(|row| row.0 == plain) {
        return Some(row.1());
    }
    if let Some(list) = plain
        .strip_prefix("is_contained({")
        .and_then(|p| p.strip_suffix("},cast<IntegerAttr>(T).getInt())"))
    {
        let numbers: Option<Vec<i64>> = list.split(',').map(|n| n.parse().ok()).collect();
        return numbers.map(ConfinementRule::OneOf);
    }
    NUMBERED.iter().find_map(|(before, make)| {
        let number = plain.strip_prefix(before)?.parse().ok()?;
        make(number)
    })
}

/// Returns the rule that an element of an array is a number, from the two predicates for the
/// array's length and the element's value.
fn element(texts: &[String]) -> Option<ConfinementRule> {
    let [size, value] = texts else {
        return None;
    };
    let at = size.strip_prefix("cast<ArrayAttr>(T).size()>")?;
    let rest = value.strip_prefix(&format!(
        "cast<IntegerAttr>(cast<ArrayAttr>(T)[{at}]).getInt()"
    ))?;
    let at = at.parse().ok()?;
    let rules: &[(&str, Placed)] = &[
        ("==", ConfinementRule::Element),
        (">=", ConfinementRule::MinElement),
        ("<=", ConfinementRule::MaxElement),
    ];
    rules.iter().find_map(|(operator, make)| {
        let number = rest.strip_prefix(operator)?.parse().ok()?;
        Some(make(at, number))
    })
}
