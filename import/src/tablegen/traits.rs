//! Traits, interfaces, and relations between types.

use super::Import;
use super::constraints::own;
use super::enums::Enums;
use super::operations::one_line;
use super::records::Record;
use crate::is_name;
use rmlir_ir::definition::{
    OperationDefinition, OperationTraits, ReleaseRange, TypeDerivation, TypeFunction, TypeRelation,
    TypeRelationKind,
};

/// Traits in lists of traits that an operation may have.
const MOST_TRAITS: usize = 10_000;

/// C++ expressions of a type `$_self` and the functions that they are, without white space and namespaces.
const FUNCTIONS: &[(&str, TypeFunction)] = &[
    ("$_self", TypeFunction::Same),
    ("cast<Type>($_self)", TypeFunction::Same),
    ("getI1SameShape($_self)", TypeFunction::I1Like),
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

/// Namespaces that say nothing.
const NAMESPACES: [&str; 4] = ["::mlir::", "mlir::", "::llvm::", "llvm::"];

impl Import<'_> {
    pub(super) fn traits<'j>(
        &mut self,
        record: Record<'j>,
        enums: &Enums<'j>,
        operation: &mut OperationDefinition,
    ) {
        let mut stack: Vec<Record<'j>> = record.defs("traits").rev().collect();
        let mut seen = 0usize;
        while let Some(one) = stack.pop() {
            seen += 1;
            if seen > MOST_TRAITS {
                self.warn("has too many traits: the rest is left out");
                return;
            }
            if one.is_a("TraitList") {
                stack.extend(one.defs("traits").rev());
            } else if let Some(name) = one.some_text("cppInterfaceName") {
                add(operation, name);
            } else if let Some(kind) = one.class().and_then(TypeRelationKind::from_name) {
                let named = ["condition", "result"]
                    .into_iter()
                    .filter_map(|n| one.text(n));
                let groups: Vec<_> = one.texts("values").chain(named).map(own).collect();
                if groups.is_empty() || !groups.iter().all(|name| is_name(name)) {
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
                self.native(enums, name, operation);
            }
        }
    }

    /// A trait that C++ names: `HasParent<a::Op, Other>::Impl`.
    fn native(&mut self, enums: &Enums<'_>, name: &str, operation: &mut OperationDefinition) {
        let plain = name
            .rsplit_once("OpTrait::")
            .map_or(name, |(_, plain)| plain);
        let Some((head, arguments)) = plain.split_once('<') else {
            add(operation, plain);
            return;
        };
        let arguments = arguments.rsplit_once('>').map_or(arguments, |(a, _)| a);
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
                add(operation, head);
                let names = names.into_iter();
                operation.parents = names.map(|name| (name.into(), ReleaseRange::ALL)).collect();
            }
            ("SingleBlockImplicitTerminator" | "HasParent", None) => {
                if head == "HasParent" {
                    add(operation, head);
                }
                let arguments = one_line(arguments);
                self.warn(format!(
                    "{head} names an operation that the dump does not have: {arguments}"
                ));
            }
            _ => {}
        }
    }

    /// How the types of a group follow from those of another.
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
        // Of optional groups, types are there with the group.
        match found.next() {
            Some(&(_, function)) => operation.derivations.push(TypeDerivation {
                target: own(target),
                function,
                source: own(source),
                summary: own(one.text("summary").unwrap_or_default()),
                releases: ReleaseRange::ALL,
            }),
            None => self.warn(format!(
                "the type of '{target}' follows from '{source}' by C++: {}",
                one_line(expression)
            )),
        }
    }
}

fn add(operation: &mut OperationDefinition, name: &str) {
    if let Some(traits) = OperationTraits::from_name(name) {
        operation.add_traits(traits, ReleaseRange::ALL);
    }
}
