//! Hooks of the `acc` dialect: clauses with device types, variables, loops, captured values.

pub(crate) mod attributes;
pub(crate) mod clauses;
pub(crate) mod compute;
pub(crate) mod devices;
pub(crate) mod variables;

use crate::directive::{Case, Directive, Word};
use crate::upstream::omp::clauses::{Attributes, WithAttributes};
use clauses::{Combined, KeywordOnly, LoopControl};
use compute::{ComputeRegion, Properties};
use devices::{Bind, DeviceTypes, RoutineGang};
use rmlir_ir::asm::DirectiveSyntax;
use variables::{AccVar, Var, VarType};

/// The construct with which a loop is combined.
const COMBINED: Case = Case {
    dialect: "acc",
    enumeration: "CombinedConstructsType",
    mnemonic: "combined_constructs",
    ending: "_loop",
};

/// Sorted by name.
pub(crate) static DIRECTIVES: &[(&str, &dyn DirectiveSyntax)] = &[
    ("acc.AccVar", &Directive(AccVar)),
    ("acc.ArrayAttr", &Directive(attributes::ARRAY)),
    ("acc.BindName", &Directive(Bind)),
    ("acc.CombinedConstructs", &Directive(Combined)),
    ("acc.CombinedConstructsLoop", &Directive(Word(COMBINED))),
    ("acc.ComputeRegion", &Directive(ComputeRegion)),
    ("acc.ComputeRegionProperties", &Directive(Properties)),
    ("acc.DenseBoolArrayAttr", &Directive(attributes::BOOLEANS)),
    ("acc.DeviceTypeArrayAttr", &Directive(DeviceTypes)),
    ("acc.DeviceTypeOperands", &Directive(devices::VALUES)),
    (
        "acc.DeviceTypeOperandsWithKeywordOnly",
        &Directive(devices::VALUES_OR_KEYWORD),
    ),
    (
        "acc.DeviceTypeOperandsWithSegment",
        &Directive(devices::GROUPS),
    ),
    ("acc.GangClause", &Directive(devices::GANG)),
    ("acc.LoopControl", &Directive(LoopControl)),
    ("acc.NumGangs", &Directive(devices::GROUPS)),
    ("acc.OperandWithKeywordOnly", &Directive(KeywordOnly)),
    ("acc.OperandsWithKeywordOnly", &Directive(KeywordOnly)),
    ("acc.RoutineGangClause", &Directive(RoutineGang)),
    ("acc.SourceLocation", &Directive(attributes::LOCATION)),
    (
        "acc.SymOperandList",
        &Directive(WithAttributes(Attributes::BeforeValue)),
    ),
    ("acc.Var", &Directive(Var)),
    ("acc.VarPtrType", &Directive(VarType)),
    ("acc.WaitClause", &Directive(devices::WAIT)),
];
