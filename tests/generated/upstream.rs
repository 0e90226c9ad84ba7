//! The examples with `mlir-opt-22`: what it accepts must have the same generic and custom text, and
//! our custom text must be the same module to it.

use rmlir::text::{ParseOptions, PrintOptions, module_to_string, parse_module};
use rmlir_testing::{mlir_opt, mlir_opt_dialects, remove_implied};
use std::collections::{BTreeMap, BTreeSet};

/// Examples in one run of the program.
const BATCH: usize = 400;

/// Operations of which an example makes `mlir-opt-22` crash: to find that example takes as long as
/// all others. Crashes of other operations are found. `test.region_if` reads the arguments of a
/// region without blocks, and has any number of them.
const CRASHES: &[&str] = &[
    "amdgpu.dpp",
    "amdgpu.make_gather_dma_base",
    "amdgpu.make_gather_dma_descriptor",
    "arith.bitcast",
    "linalg.ceil",
    "linalg.copy",
    "linalg.div_unsigned",
    "linalg.matmul",
    "linalg.powf",
    "linalg.reciprocal",
    "linalg.reduce",
    "linalg.rsqrt",
    "linalg.select",
    "linalg.sqrt",
    "linalg.sub",
    "llvm.mlir.ifunc",
    "nvgpu.mma.sp.sync",
    "nvgpu.mma.sync",
    "omp.teams",
    "test.another_two_result",
    "test.destination_style_op",
    "test.format_operand_a_op",
    "test.i32_enum_attr",
    "test.ignore_arg_match_dst",
    "test.native_code_call4",
    "test.one_result2",
    "test.op_with_shaped_type_infer_type_if",
    "test.ranked_int_elements_attr",
    "test.region_if",
    "test.side_effect_op",
    "test.tblgen_constant",
    "test.variadic_region_inferred",
    "test.variadic_rewrite_dst_op",
    "test.with_nice_properties",
    "xegpu.create_mem_desc",
];

/// A module that our verifier accepts.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    /// The operation.
    pub(crate) name: String,
    pub(crate) generic: String,
    pub(crate) custom: String,
    /// The generic text without what custom form does not keep.
    pub(crate) kept: String,
}

/// What `mlir-opt-22` makes of an example.
#[derive(Debug)]
enum Verdict {
    /// It does not accept it, for this reason.
    Rejected(String),
    /// It prints the same and reads our custom text as the same module.
    Same,
    /// Its text, which differs from ours, is not read back as the same module.
    Unreadable,
    /// Our custom text has the operation in generic form, for want of its syntax here.
    Generic,
    /// Something differs.
    Different(String),
}

/// How the comparison went.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) accepted: usize,
    pub(crate) same: usize,
    /// Operations whose text upstream does not read back, and how many examples.
    pub(crate) unreadable: BTreeMap<String, usize>,
    /// Dialects of operations that we print in generic form and upstream does not, and how many
    /// examples.
    pub(crate) generic: BTreeMap<String, usize>,
    /// Why upstream rejects examples: how many, and of which operations.
    pub(crate) rejected: BTreeMap<String, (usize, BTreeSet<String>)>,
    /// Operations of examples that differ, with how they do.
    pub(crate) different: Vec<(String, String)>,
}

/// Compares examples; none without the program.
pub(crate) fn compare(mut examples: Vec<Example>) -> Option<Outcome> {
    let dialects = mlir_opt_dialects()?;
    examples.retain(|example| {
        let dialect = example.name.split('.').next().unwrap_or_default();
        dialects.iter().any(|name| name == dialect) && !CRASHES.contains(&&*example.name)
    });
    if cfg!(debug_assertions) && super::release() == rmlir::ir::definition::Release::LLVM_22 {
        // Unoptimised builds take minutes for all of them.
        let mut number = 0usize;
        examples.retain(|_| {
            number += 1;
            number.is_multiple_of(8)
        });
    }
    let batches: Vec<(usize, &[Example])> = examples.chunks(BATCH).enumerate().collect();
    let results = std::sync::Mutex::new(BTreeMap::new());
    rmlir_testing::corpus::for_each(&batches, |(number, batch)| {
        let verdicts = judge(batch).unwrap();
        results.lock().unwrap().insert(*number, verdicts);
    });
    let mut outcome = Outcome::default();
    let verdicts = results.into_inner().unwrap();
    for (example, verdict) in examples.iter().zip(verdicts.into_values().flatten()) {
        if !matches!(verdict, Verdict::Rejected(_)) {
            outcome.accepted += 1;
        }
        let name = example.name.clone();
        match verdict {
            Verdict::Rejected(reason) => {
                let entry = outcome.rejected.entry(reason).or_default();
                entry.0 += 1;
                entry.1.insert(name);
            }
            Verdict::Generic => {
                let dialect = name.split('.').next().unwrap_or_default().to_owned();
                *outcome.generic.entry(dialect).or_default() += 1;
            }
            Verdict::Same => outcome.same += 1,
            Verdict::Unreadable => *outcome.unreadable.entry(name).or_default() += 1,
            Verdict::Different(how) => outcome.different.push((name, how)),
        }
    }
    Some(outcome)
}

/// How the comparison of respelled attributes and types went.
#[derive(Debug, Default)]
pub(crate) struct Respelled {
    /// How many are of dialects that `mlir-opt-22` has.
    pub(crate) known: usize,
    pub(crate) accepted: usize,
    /// A text, ours for it, and upstream's.
    pub(crate) different: Vec<(String, String, String)>,
}

/// Compares our texts of attributes and types with upstream's for the same input.
pub(crate) fn compare_respelled(all: &BTreeMap<String, String>) -> Respelled {
    let mut outcome = Respelled::default();
    let dialects = mlir_opt_dialects().unwrap_or_default();
    let module = |text: &str| format!("\"t.x\"() {{a = {text}}} : () -> ()\n");
    // Of other dialects, it keeps the text as it is.
    let is_known = |text: &str| {
        let name = text.trim_start_matches(['#', '!']);
        let name = name.split(['.', '<', ' ']).next();
        dialects.iter().any(|dialect| Some(&**dialect) == name)
    };
    let all = all.iter().filter(|one| is_known(one.0));
    let all: Vec<(&String, &String)> = all.collect();
    outcome.known = all.len();
    for batch in all.chunks(BATCH) {
        let texts: Vec<String> = batch.iter().map(|(text, _)| module(text)).collect();
        let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
        let Some(printed) = mlir_opt(&texts, &["--mlir-print-op-generic"]) else {
            break;
        };
        for ((text, ours), theirs) in batch.iter().zip(printed) {
            let Ok(theirs) = theirs else { continue };
            outcome.accepted += 1;
            if !theirs.contains(module(ours).trim()) {
                let different = ((*text).clone(), (*ours).clone(), theirs);
                outcome.different.push(different);
            }
        }
    }
    outcome
}

/// The verdicts on a batch.
fn judge(batch: &[Example]) -> Option<Vec<Verdict>> {
    let generic = ["--mlir-print-op-generic"];
    let texts: Vec<&str> = batch.iter().map(|example| &*example.generic).collect();
    let as_generic = mlir_opt(&texts, &generic)?;
    let accepted = as_generic.iter().enumerate();
    let accepted: Vec<usize> = accepted
        .filter(|(_, result)| result.is_ok())
        .map(|(at, _)| at)
        .collect();
    let texts = |of: fn(&Example) -> &str| -> Vec<&str> {
        accepted.iter().map(|&at| of(&batch[at])).collect()
    };
    let as_custom = mlir_opt(&texts(|example| &example.generic), &[])?;
    let from_ours = mlir_opt(&texts(|example| &example.custom), &generic)?;
    let is = |text: &Result<String, String>, expected: &str| {
        text.as_ref()
            .is_ok_and(|text| text.trim() == expected.trim())
    };
    // Where the custom texts differ, whether upstream reads its own.
    let numbered = accepted.iter().zip(&as_custom).enumerate();
    let others = numbered.filter(|(_, (at, text))| !is(text, &batch[**at].custom));
    let others: Vec<(usize, &str)> = others
        .map(|(number, (_, text))| (number, text.as_deref().unwrap_or_default()))
        .collect();
    let theirs: Vec<&str> = others.iter().map(|other| other.1).collect();
    let read = mlir_opt(&theirs, &generic)?;
    let from_theirs: BTreeMap<usize, &Result<String, String>> =
        others.iter().map(|other| other.0).zip(&read).collect();
    // Where the generic texts differ, whether upstream reads its own.
    let others = accepted
        .iter()
        .filter(|at| !is(&as_generic[**at], &batch[**at].generic));
    let others: Vec<(usize, &str)> = others
        .map(|&at| (at, as_generic[at].as_deref().unwrap_or_default()))
        .collect();
    let theirs: Vec<&str> = others.iter().map(|other| other.1).collect();
    let read = mlir_opt(&theirs, &generic)?;
    let lost = others
        .iter()
        .zip(&read)
        .filter(|(other, text)| !is(text, other.1));
    let lost: BTreeSet<usize> = lost.map(|(other, _)| other.0).collect();
    let mut verdicts: Vec<Verdict> = as_generic
        .iter()
        .map(|result| match result {
            Ok(_) => Verdict::Same,
            Err(message) => Verdict::Rejected(reason(message)),
        })
        .collect();
    for (number, &at) in accepted.iter().enumerate() {
        let example = &batch[at];
        if lost.contains(&at) {
            verdicts[at] = Verdict::Unreadable;
            continue;
        }
        // The parser adds some attributes that mean the same as their absence.
        let keeps = |text: &Result<String, String>| {
            is(text, &example.kept)
                || text
                    .as_ref()
                    .is_ok_and(|text| kept(text).is_some_and(|text| text == example.kept))
        };
        let show = |text: &Result<String, String>| match text {
            Ok(text) | Err(text) => text.clone(),
        };
        let mut wrong = Vec::new();
        if !is(&as_generic[at], &example.generic) {
            let theirs = show(&as_generic[at]);
            wrong.push(format!("generic\n{theirs}is ours\n{}", example.generic));
        }
        if !keeps(&from_ours[number]) {
            let read = show(&from_ours[number]);
            wrong.push(format!(
                "our custom text\n{}is read as\n{read}not as\n{}",
                example.custom, example.kept
            ));
        }
        let dialect = example.name.split('.').next().unwrap_or_default();
        let is_generic = example.custom.contains(&format!("\"{}\"(", example.name))
            && !rmlir_testing::GOAL_DIALECTS.contains(&dialect);
        let is_alike = is(&as_custom[number], &example.custom);
        let is_unreadable = from_theirs.get(&number).is_some_and(|text| !keeps(text));
        if !is_alike && !is_unreadable && !is_generic {
            let theirs = show(&as_custom[number]);
            wrong.push(format!("custom\n{theirs}is ours\n{}", example.custom));
        }
        verdicts[at] = match wrong.is_empty() {
            false => Verdict::Different(wrong.join("\n")),
            true if is_alike => Verdict::Same,
            true if is_unreadable => Verdict::Unreadable,
            true => Verdict::Generic,
        };
    }
    Some(verdicts)
}

/// A generic text without what custom form does not keep.
fn kept(text: &str) -> Option<String> {
    let mut context = super::new_context();
    let module = parse_module(&mut context, text.as_bytes(), &ParseOptions::default());
    let mut module = module.ok()?;
    remove_implied(&mut context, &mut module);
    let text = module_to_string(&context, &module, &PrintOptions::generic());
    String::from_utf8(text.ok()?).ok()
}

/// A message without what is particular to one operation: names, numbers and types.
fn reason(message: &str) -> String {
    let message = message.split_once(": ").map_or(message, |parts| parts.1);
    let parts = message.split('\'').step_by(2);
    let text = parts.collect::<Vec<_>>().join("'_'");
    let digits = |c: char| if c.is_ascii_digit() { '0' } else { c };
    text.chars().map(digits).take(90).collect()
}
