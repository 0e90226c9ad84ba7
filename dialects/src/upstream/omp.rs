//! Hooks of the `omp` dialect: clauses, arguments of regions, loops, iterators.

pub(crate) mod arguments;
pub(crate) mod clauses;
pub(crate) mod group_private;
pub(crate) mod iterators;
pub(crate) mod linear;
pub(crate) mod loops;

use crate::directive::{Case, Directive, Word};
use crate::two_way::Syntax;
use arguments as region;
use clauses::{Attributes, WithAttributes};
use rmlir_ir::asm::{DirectiveSyntax, OperationSyntax};

/// Sorted by name.
pub(crate) static SYNTAX: &[(&str, &dyn OperationSyntax)] = &[
    ("omp.canonical_loop", &Syntax(loops::Canonical)),
    ("omp.loop_nest", &Syntax(loops::Nest)),
    ("omp.target_allocmem", &Syntax(loops::Allocation)),
];

/// Sorted by name.
pub(crate) static DIRECTIVES: &[(&str, &dyn DirectiveSyntax)] = &[
    ("omp.AffinityClause", &Directive(iterators::Affinity)),
    (
        "omp.AlignedClause",
        &Directive(WithAttributes(Attributes::AfterType)),
    ),
    ("omp.AllocateAndAllocator", &Directive(clauses::Allocate)),
    (
        "omp.BindKind",
        &Directive(Word(case("ClauseBindKind", "bindkind"))),
    ),
    (
        "omp.CancelDirective",
        &Directive(Word(case(
            "ClauseCancellationConstructType",
            "cancellationconstructtype",
        ))),
    ),
    (
        "omp.CaptureType",
        &Directive(Word(case("VariableCaptureKind", "variable_capture_kind"))),
    ),
    (
        "omp.Copyprivate",
        &Directive(WithAttributes(Attributes::BeforeType)),
    ),
    ("omp.DependVarList", &Directive(iterators::Depend)),
    (
        "omp.DynGroupprivateClause",
        &Directive(group_private::GroupPrivate),
    ),
    ("omp.GrainsizeClause", &Directive(clauses::GRAINSIZE)),
    (
        "omp.InReductionClause",
        &Directive(region::IN_REDUCTION_LIST),
    ),
    (
        "omp.InReductionPrivateReductionRegion",
        &Directive(region::IN_REDUCTION_PRIVATE_REDUCTION_REGION),
    ),
    (
        "omp.InReductionPrivateRegion",
        &Directive(region::IN_REDUCTION_PRIVATE_REGION),
    ),
    ("omp.IteratorHeader", &Directive(iterators::Header)),
    ("omp.LinearClause", &Directive(linear::Linear)),
    (
        "omp.LinearPrivateReductionRegion",
        &Directive(region::LINEAR_PRIVATE_REDUCTION_REGION),
    ),
    ("omp.LoopTransformClis", &Directive(clauses::Transformed)),
    ("omp.MapClause", &Directive(clauses::MAP)),
    ("omp.MapEntries", &Directive(region::MAP_ENTRIES)),
    ("omp.MembersIndex", &Directive(clauses::Indices)),
    (
        "omp.MemoryOrder",
        &Directive(Word(case("ClauseMemoryOrderKind", "memoryorderkind"))),
    ),
    ("omp.NumTasksClause", &Directive(clauses::NUM_TASKS)),
    ("omp.OrderClause", &Directive(clauses::Order)),
    ("omp.ParallelRegion", &Directive(region::PARALLEL_REGION)),
    ("omp.PrivateList", &Directive(region::PRIVATE_LIST)),
    (
        "omp.PrivateReductionRegion",
        &Directive(region::PRIVATE_REDUCTION_REGION),
    ),
    ("omp.PrivateRegion", &Directive(region::PRIVATE_REGION)),
    (
        "omp.ProcBindKind",
        &Directive(Word(case("ClauseProcBindKind", "procbindkind"))),
    ),
    ("omp.ReductionVarList", &Directive(region::REDUCTION_LIST)),
    ("omp.ScheduleClause", &Directive(clauses::Schedule)),
    ("omp.SynchronizationHint", &Directive(clauses::HINT)),
    ("omp.TargetOpRegion", &Directive(region::TARGET_REGION)),
    (
        "omp.TaskReductionRegion",
        &Directive(region::TASK_REDUCTION_REGION),
    ),
    ("omp.UniformClause", &Directive(clauses::Values)),
    (
        "omp.UseDeviceAddrUseDevicePtrRegion",
        &Directive(region::DEVICE_REGION),
    ),
    ("omp.Wsloop", &Directive(region::WORKSHARING_LOOP)),
];

/// Returns an attribute of the dialect that holds a case of an enumeration.
const fn case(enumeration: &'static str, mnemonic: &'static str) -> Case {
    Case {
        dialect: "omp",
        enumeration,
        mnemonic,
        ending: "",
    }
}
