//! Imports traits, interfaces, and relations between types.

use super::Import;
use super::constraints::own;
use super::enums::Enums;
use super::operations::effect_name;
use super::records::{Record, excerpt};
use crate::{LossKind, is_name};
use rmlir_ir::definition::{
    NamedTrait, OperationDefinition, ReleaseRange, TypeDerivation, TypeFunction, TypeRelation,
    TypeRelationKind,
};
use std::collections::BTreeSet;

/// The maximum number of traits of an operation, including those in lists.
const MOST_TRAITS: usize = 10_000;

/// The maximum number of memory effects of an interface that are listed.
const MOST_EFFECTS: usize = 64;

/// The functions that C++ expressions of a type `$_self` compute; without white space and
/// namespaces.
const FUNCTIONS: &[(&str, TypeFunction)] = &[
    ("$_self", TypeFunction::Same),
    ("cast<Type>($_self)", TypeFunction::Same),
    ("getI1SameShape($_self)", TypeFunction::I1Like),
    // Triton's: of pointers, and of tensors of pointers, the shape of which is that of the
    // pointees.
    (
        "getI1SameShape(getPointeeType($_self))",
        TypeFunction::I1Like,
    ),
    ("getPointeeType($_self)", TypeFunction::Parameter),
    (
        "cast<ShapedType>($_self).clone(IntegerType::get($_self.getContext(),1))",
        TypeFunction::I1Like,
    ),
    (
        "cast<ShapedType>($_self).getElementType()",
        TypeFunction::Element,
    ),
    (
        "cast<VectorType>($_self).getElementType()",
        TypeFunction::Element,
    ),
    (
        "cast<MemRefType>($_self).getElementType()",
        TypeFunction::Element,
    ),
    (
        "cast<TensorType>($_self).getElementType()",
        TypeFunction::Element,
    ),
    (
        "cast<RankedTensorType>($_self).getElementType()",
        TypeFunction::Element,
    ),
    (
        "cast<ComplexType>($_self).getElementType()",
        TypeFunction::Element,
    ),
    ("getElementTypeOrSelf($_self)", TypeFunction::Element),
    (
        "cast<FunctionType>($_self).getInputs()",
        TypeFunction::Inputs,
    ),
    (
        "cast<FunctionType>($_self).getResults()",
        TypeFunction::Results,
    ),
    (
        "memref::getTensorTypeFromMemRefType($_self)",
        TypeFunction::Tensor,
    ),
    (
        "cast<PointerType>($_self).getPointeeType()",
        TypeFunction::Parameter,
    ),
    (
        "cast<ValueType>($_self).getValueType()",
        TypeFunction::Parameter,
    ),
    (
        "VectorType::get(cast<VectorType>($_self).getShape().drop_front(),cast<VectorType>($_self).getElementType(),/*scalableDims=*/{true})",
        TypeFunction::Slice,
    ),
];

/// Namespaces that are omitted.
const NAMESPACES: [&str; 4] = ["::mlir::", "mlir::", "::llvm::", "llvm::"];

/// The name and kind of a trait.
struct TraitName<'j> {
    name: &'j str,
    is_interface: bool,
}

impl Import<'_> {
    /// Returns the traits of an operation, attribute or type. The members of a trait list follow
    /// the list. Lists can contain and share lists, so the number of lists that are followed is
    /// limited.
    fn all_traits<'j>(&mut self, record: Record<'j>) -> Vec<Record<'j>> {
        let mut stack: Vec<Record<'j>> = record.defs("traits").rev().collect();
        let mut all = Vec::new();
        while let Some(one) = stack.pop() {
            let open = stack.len().saturating_add(all.len());
            if open > MOST_TRAITS || !self.predicates.step() {
                self.warn(LossKind::Trait, "has too many traits: the rest is left out");
                break;
            }
            if one.is_a("TraitList") {
                let before = stack.len();
                stack.extend(one.defs("traits").take(MOST_TRAITS));
                let count = stack.len().saturating_sub(before);
                self.predicates.spend(count);
                if let Some(added) = stack.get_mut(before..) {
                    added.reverse();
                }
            }
            all.push(one);
        }
        all
    }

    pub(super) fn traits<'j>(
        &mut self,
        record: Record<'j>,
        enums: &Enums<'j>,
        operation: &mut OperationDefinition,
    ) {
        let mut seen = BTreeSet::new();
        for one in self.all_traits(record) {
            if one.is_a("TraitList") {
                add_named(operation, list_name(one), &mut seen);
            } else if let Some(found) = interface(one) {
                add_named(operation, Some(found), &mut seen);
                add_named(operation, effects_name(one), &mut seen);
                self.effects(one);
            } else if let Some(kind) = one.class().and_then(TypeRelationKind::from_name) {
                let named = ["condition", "result"]
                    .into_iter()
                    .filter_map(|n| one.text(n));
                let groups: Vec<_> = one.texts("values").chain(named).map(own).collect();
                if groups.is_empty() || !groups.iter().all(|name| is_name(name)) {
                    self.warn(
                        LossKind::Predicate,
                        format!("{} names no groups: left out", kind.name()),
                    );
                    continue;
                }
                operation.relations.push(TypeRelation {
                    kind,
                    groups,
                    summary: match kind {
                        TypeRelationKind::ConditionShape => {
                            own(one.text("summary").unwrap_or_default())
                        }
                        _ => own(""),
                    },
                    releases: ReleaseRange::ALL,
                });
            } else if one.some_text("transformer").is_some() {
                self.derivation(one, operation);
            } else if let Some(name) = one.some_text("trait") {
                self.native(enums, name, operation, &mut seen);
            } else {
                self.unknown_trait(one);
            }
        }
    }

    /// Returns the traits of an attribute or a type.
    pub(super) fn entry_traits(&mut self, record: Record<'_>) -> Vec<NamedTrait> {
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        for one in self.all_traits(record) {
            let name = if one.is_a("TraitList") {
                list_name(one)
            } else if let Some(found) = interface(one) {
                Some(found)
            } else if let Some(name) = one.some_text("trait") {
                let (name, arguments) = native_name(name);
                if arguments.is_some() {
                    self.trait_arguments(name, arguments);
                }
                is_name(name).then_some(TraitName {
                    name,
                    is_interface: false,
                })
            } else {
                self.unknown_trait(one);
                None
            };
            if let Some(name) = name.filter(|name| seen.insert(name.name)) {
                all.push(named_trait(&name));
            }
        }
        all
    }

    fn unknown_trait(&mut self, one: Record<'_>) {
        let class = one.class().unwrap_or_default();
        match one.some_text("summary") {
            Some(summary) if one.def("predicate").is_some() => self.warn(
                LossKind::Predicate,
                format!("a rule is C++ and is not checked: {}", excerpt(summary)),
            ),
            _ => self.warn(
                LossKind::Trait,
                format!("a trait of class '{}' is left out", excerpt(class)),
            ),
        }
    }

    /// Adds a warning for the memory effects that an interface declares.
    fn effects(&mut self, one: Record<'_>) {
        let effects = one.defs("effects").take(MOST_EFFECTS);
        let effects: Vec<&str> = effects.map(effect_name).collect();
        if !effects.is_empty() {
            self.warn(
                LossKind::Effects,
                format!(
                    "the memory effects are left out: {}",
                    excerpt(&effects.join(", "))
                ),
            );
        }
    }

    fn trait_arguments(&mut self, name: &str, arguments: Option<&str>) {
        if let Some(arguments) = arguments {
            let name = excerpt(name);
            self.warn(
                LossKind::Trait,
                format!(
                    "the arguments of trait '{name}' are left out: {}",
                    excerpt(arguments)
                ),
            );
        }
    }

    /// Imports a trait that C++ names: `HasParent<a::Op, Other>::Impl`.
    fn native<'j>(
        &mut self,
        enums: &Enums<'_>,
        name: &'j str,
        operation: &mut OperationDefinition,
        seen: &mut BTreeSet<&'j str>,
    ) {
        let (head, arguments) = native_name(name);
        let named = TraitName {
            name: head,
            is_interface: false,
        };
        let Some(arguments) = arguments else {
            add_named(operation, Some(named), seen);
            return;
        };
        let names = arguments
            .split(',')
            .map(|class| enums.operation(class).filter(|n| is_name(n)));
        let names: Option<Vec<String>> = names.collect();
        match (head, names) {
            ("SingleBlockImplicitTerminator", Some(names)) => {
                if let Some(name) = names.into_iter().next() {
                    operation.add_implicit_terminator(name, ReleaseRange::ALL);
                }
            }
            ("HasParent", Some(names)) => {
                add_named(operation, Some(named), seen);
                let names = names.into_iter();
                operation.parents = names.map(|name| (name.into(), ReleaseRange::ALL)).collect();
            }
            ("SingleBlockImplicitTerminator" | "HasParent", None) => {
                if head == "HasParent" {
                    add_named(operation, Some(named), seen);
                }
                let arguments = excerpt(arguments);
                self.warn(
                    LossKind::Trait,
                    format!("{head} names an operation that the dump does not have: {arguments}"),
                );
            }
            _ => {
                add_named(operation, Some(named), seen);
                self.trait_arguments(head, Some(arguments));
            }
        }
    }

    /// Imports the derivation of a group's types from those of another.
    fn derivation(&mut self, one: Record<'_>, operation: &mut OperationDefinition) {
        let (Some(source), Some(target)) = (one.text("lhs"), one.text("rhs")) else {
            return;
        };
        if !is_name(source) || !is_name(target) {
            return;
        }
        let expression = one.text("transformer").unwrap_or_default();
        let mut plain: String = expression.split_whitespace().collect();
        for namespace in NAMESPACES {
            plain = plain.replace(namespace, "");
        }
        let plain = plain.trim_start_matches("::");
        let mut found = FUNCTIONS.iter().filter(|row| row.0 == plain);
        // For optional groups, the types are present with the group.
        match found.next() {
            Some(&(_, function)) => operation.derivations.push(TypeDerivation {
                target: own(target),
                function,
                source: own(source),
                summary: own(one.text("summary").unwrap_or_default()),
                releases: ReleaseRange::ALL,
            }),
            None => self.warn(
                LossKind::Predicate,
                format!(
                    "the type of '{target}' follows from '{source}' by C++: {}",
                    excerpt(expression)
                ),
            ),
        }
    }
}

/// Returns a C++ trait without namespaces, and its template arguments: `HasParent`, `Op` of
/// `::mlir::OpTrait::HasParent<Op>::Impl`.
fn native_name(trait_: &str) -> (&str, Option<&str>) {
    let (head, arguments) = match trait_.split_once('<') {
        Some((head, rest)) => {
            let arguments = rest
                .rsplit_once('>')
                .map_or(rest, |(arguments, _)| arguments);
            (head, Some(arguments))
        }
        None => (trait_, None),
    };
    let head = head.trim();
    let head = head.strip_suffix("::Trait").unwrap_or(head);
    let head = head.strip_suffix("::Impl").unwrap_or(head);
    let name = head.rsplit_once("::").map_or(head, |(_, name)| name);
    (name, arguments)
}

/// Returns the interface that a trait declares.
fn interface<'j>(one: Record<'j>) -> Option<TraitName<'j>> {
    let name = match one.some_text("cppInterfaceName") {
        Some(name) => name,
        None if one.is_a("InterfaceTrait") => native_name(one.some_text("trait")?).0,
        None => return None,
    };
    let name = name.rsplit_once("::").map_or(name, |(_, name)| name);
    is_name(name).then_some(TraitName {
        name,
        is_interface: true,
    })
}

/// Returns the name of a trait that declares memory effects: `NoMemoryEffect`.
fn effects_name<'j>(one: Record<'j>) -> Option<TraitName<'j>> {
    let is_named = one.is_a("SideEffectsTraitBase") && !one.is_anonymous() && is_name(one.name);
    is_named.then_some(TraitName {
        name: one.name,
        is_interface: false,
    })
}

/// Returns the name of a list of traits: `Pure`.
fn list_name<'j>(one: Record<'j>) -> Option<TraitName<'j>> {
    let is_named = !one.is_anonymous() && is_name(one.name);
    is_named.then_some(TraitName {
        name: one.name,
        is_interface: false,
    })
}

fn named_trait(found: &TraitName<'_>) -> NamedTrait {
    match found.is_interface {
        true => NamedTrait::interface(own(found.name)),
        false => NamedTrait::new(own(found.name)),
    }
}

fn add_named<'j>(
    operation: &mut OperationDefinition,
    found: Option<TraitName<'j>>,
    seen: &mut BTreeSet<&'j str>,
) {
    if let Some(found) = found.filter(|found| is_name(found.name) && seen.insert(found.name)) {
        operation.add_trait_named(named_trait(&found));
    }
}
