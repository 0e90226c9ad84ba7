//! Random edits of modules, checked by `mlir-opt-22`.
//!
//! Modules of `tests/edits` are edited at random, with fixed seeds, until enough results pass our
//! verifier. `mlir-opt-22` must accept these and print the same generic and custom text, except for
//! rules of single operations that we do not have, which are listed here by name. Our own text and
//! bytecode, read again, must be the same module.
//!
//! `RMLIR_EDITS` sets the number of modules that must pass, `RMLIR_EDITS_SEED` the first seed.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::ir::{
    Block, Builder, Context, EqualityOptions, Mapping, Module, Operation, OperationTraits, Type,
    Value, ValueDefinition, VerifyOptions, semantic_difference, verify,
};
use rmlir::reader::mlirbc::{ReadOptions, read_module_from_slice};
use rmlir::text::{ParseOptions, PrintOptions, module_to_string, parse_module};
use rmlir::writer::mlirbc::{WriteOptions, write_module};
use rmlir_testing::{Prng, mlir_opt};
use std::collections::BTreeMap;
use std::process::ExitCode;

/// The name and the text of each module to be edited.
const SOURCES: &[(&str, &str)] = &[
    ("loops", include_str!("edits/loops.mlir")),
    ("structured", include_str!("edits/structured.mlir")),
    ("tensors", include_str!("edits/tensors.mlir")),
    ("unknown", include_str!("edits/unknown.mlir")),
];

/// Rules of single operations that upstream checks in C++ and we do not: part of its error message.
const UPSTREAM_ONLY: &[&str] = &[
    "'linalg.fill' op expected type of bb argument",
    "'memref.get_global' op 'table' does not reference a valid global memref",
    "'scf.while' op along control flow edge",
];

/// Operations that we print in generic form if their region is not the one that upstream's custom
/// form implies: upstream prints the custom form and loses the region.
const LOSSY: &[&str] = &["\"linalg.fill\"("];

/// The maximum number, per 1000, of modules that upstream rejects for unlisted reasons.
const TOLERANCE: usize = 10;

/// A module that passes our verifier.
struct Edited {
    label: String,
    generic: String,
    custom: String,
}

fn main() -> ExitCode {
    let number = |name: &str| -> Option<u64> { std::env::var(name).ok()?.parse().ok() };
    let asked = number("RMLIR_EDITS").and_then(|n| usize::try_from(n).ok());
    let first = number("RMLIR_EDITS_SEED").unwrap_or_default();
    // Unoptimised builds are many times slower.
    let wanted = asked.unwrap_or(if cfg!(debug_assertions) { 200 } else { 1000 });
    let (mut edited, mut runs, mut bad) = (Vec::new(), 0u64, 0);
    let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
    while edited.len() < wanted && runs < wanted as u64 * 20 {
        let (name, source) = SOURCES[(runs % SOURCES.len() as u64) as usize];
        let seed = first.wrapping_add(runs);
        match edit(name, source, seed) {
            Ok(Some(result)) => edited.push(result),
            Ok(None) => *refused.entry(name).or_default() += 1,
            Err(message) => {
                bad += 1;
                println!("{name}, seed {seed}: {message}");
            }
        }
        runs += 1;
    }
    println!(
        "edited: {} of {runs} modules pass the verifier; refused: {refused:?}",
        edited.len()
    );
    let mut good = bad == 0 && edited.len() >= wanted;
    match compare(&edited) {
        Some(same) => good &= same,
        None => println!("SKIPPED: the comparison with upstream: mlir-opt-22 is not installed"),
    }
    match good {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}

/// Edits a module; `None` if our verifier rejects the result.
fn edit(name: &str, source: &str, seed: u64) -> Result<Option<Edited>, String> {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let module = parse_module(&mut context, source.as_bytes(), &ParseOptions::default())
        .map_err(|error| error.to_string())?;
    let mut editor = Editor {
        context,
        module,
        random: Prng::new(seed),
    };
    let mut log = Vec::new();
    for _ in 0..=editor.random.below(6) {
        let kind = EDITS[editor.random.below(EDITS.len())];
        log.push(kind.0);
        // An inapplicable edit changes nothing.
        let _ = (kind.1)(&mut editor);
    }
    let Editor {
        mut context,
        module,
        ..
    } = editor;
    let options = VerifyOptions::default();
    if verify(&context, &module, module.top(), &options).is_err() {
        return Ok(None);
    }
    let print = |options: &PrintOptions| {
        let text = module_to_string(&context, &module, options);
        let text = text.map_err(|error| format!("{log:?}: {error}"))?;
        String::from_utf8(text).map_err(|error| error.to_string())
    };
    let (generic, custom) = (
        print(&PrintOptions::generic())?,
        print(&PrintOptions::default())?,
    );
    for text in [&generic, &custom] {
        let read = parse_module(&mut context, text.as_bytes(), &ParseOptions::default());
        let read = read.map_err(|error| format!("{log:?}: {error}"))?;
        let equality = EqualityOptions { locations: false };
        let difference = semantic_difference((&context, &module), (&context, &read), &equality);
        if let Some(difference) = difference {
            return Err(format!("{log:?}: {difference:?}\n{text}"));
        }
    }
    let bytes = write_module(&mut context, &module, &WriteOptions::default());
    let bytes = bytes.map_err(|error| format!("{log:?}: {error}\n{generic}"))?;
    let read = read_module_from_slice(&mut context, &bytes, &ReadOptions::default());
    let read = read.map_err(|error| format!("{log:?}: {error}\n{generic}"))?;
    let equality = EqualityOptions { locations: true };
    let difference = semantic_difference((&context, &module), (&context, &read), &equality);
    if let Some(difference) = difference {
        return Err(format!("{log:?}: bytecode: {difference:?}\n{generic}"));
    }
    Ok(Some(Edited {
        label: format!("{name}, seed {seed}, {log:?}"),
        generic,
        custom,
    }))
}

type Edit = (&'static str, fn(&mut Editor) -> Option<()>);

/// Repetition makes an edit more frequent.
const EDITS: &[Edit] = &[
    ("erase", Editor::erase),
    ("erase", Editor::erase),
    ("clone", Editor::clone),
    ("clone", Editor::clone),
    ("swap", Editor::swap),
    ("move", Editor::move_anywhere),
    ("operand", Editor::set_operand),
    ("operand", Editor::set_operand),
    ("any operand", Editor::set_any_operand),
    ("replace", Editor::replace_uses),
    ("successor", Editor::set_successor),
    ("new block", Editor::new_block),
    ("split", Editor::split),
    ("erase block", Editor::erase_block),
    ("rename", Editor::rename),
    ("attribute", Editor::remove_attribute),
    ("discardable", Editor::set_discardable),
    ("type", Editor::set_type),
    ("name", Editor::set_name),
    ("build", Editor::build),
];

struct Editor {
    context: Context,
    module: Module,
    random: Prng,
}

impl Editor {
    fn pick<T: Copy>(&mut self, items: &[T]) -> Option<T> {
        items.get(self.random.below(items.len())).copied()
    }

    fn operations(&self) -> Vec<Operation> {
        self.module.descendants(self.module.top()).skip(1).collect()
    }

    fn operation(&mut self) -> Option<Operation> {
        let all = self.operations();
        self.pick(&all)
    }

    fn has(&self, operation: Operation, traits: OperationTraits) -> bool {
        let found = self.context.operation_traits(self.module.name(operation));
        found.is_some_and(|found| found.contains(traits))
    }

    fn is_terminator(&self, operation: Operation) -> bool {
        self.has(operation, OperationTraits::TERMINATOR)
            || self.module.successors(operation).len() > 0
    }

    fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        for operation in self.operations() {
            for region in self.module.regions(operation) {
                blocks.extend(self.module.blocks(region));
            }
        }
        blocks
    }

    fn values(&self) -> Vec<Value> {
        let mut values: Vec<Value> = Vec::new();
        for block in self.blocks() {
            values.extend(self.module.arguments(block).map(|argument| argument.0));
        }
        for operation in self.operations() {
            values.extend(self.module.results(operation));
        }
        values
    }

    /// Returns the values of a type that dominate an operation: those defined earlier in its block
    /// or an enclosing one, or in the entry block.
    fn visible(&self, mut operation: Operation, ty: Option<Type>) -> Vec<Value> {
        let module = &self.module;
        let mut values: Vec<Value> = Vec::new();
        while let Some(block) = module.parent_block(operation) {
            let mut before = module.previous_operation(operation);
            while let Some(earlier) = before {
                values.extend(module.results(earlier));
                before = module.previous_operation(earlier);
            }
            values.extend(module.arguments(block).map(|argument| argument.0));
            let Some(region) = module.block_region(block) else {
                break;
            };
            if let Some(entry) = module.first_block(region)
                && entry != block
            {
                values.extend(module.arguments(entry).map(|argument| argument.0));
                for earlier in module.operations(entry) {
                    values.extend(module.results(earlier));
                }
            }
            let Some(parent) = module.region_parent(region) else {
                break;
            };
            if self.has(parent, OperationTraits::ISOLATED_FROM_ABOVE) {
                break;
            }
            operation = parent;
        }
        values.retain(|&value| ty.is_none_or(|ty| module.value_type(value) == ty));
        values
    }

    /// Erases an operation; each result that is used is replaced by a visible value of its type.
    fn erase(&mut self) -> Option<()> {
        let operation = self.operation()?;
        if self.is_terminator(operation) {
            return None;
        }
        for result in self.module.results(operation).collect::<Vec<_>>() {
            if self.module.has_uses(result) {
                let ty = self.module.value_type(result);
                let others = self.visible(operation, Some(ty));
                let other = self.pick(&others)?;
                self.module.replace_all_uses(result, other);
            }
        }
        self.module.erase_operation(operation).ok()
    }

    /// Clones an operation after itself, with other operands.
    fn clone(&mut self) -> Option<()> {
        let operation = self.operation()?;
        if self.is_terminator(operation) {
            return None;
        }
        let mut mapping = Mapping::new();
        for value in self.module.operands(operation).collect::<Vec<_>>() {
            let ty = self.module.value_type(value);
            let others = self.visible(operation, Some(ty));
            if let Some(other) = self.pick(&others) {
                mapping.map_value(value, other);
            }
        }
        let copy = self.module.clone_operation(operation, &mut mapping);
        self.module.insert_after(operation, copy).ok()?;
        if self.module.symbol_name(&self.context, copy).is_some() {
            let name = format!("copy{}", self.random.below(1000));
            let name = self.context.string_attribute(name);
            let key = self.context.identifier("sym_name");
            self.module
                .set_inherent_attribute(&mut self.context, copy, key, Some(name))
                .ok()?;
        }
        Some(())
    }

    /// Moves an operation before its predecessor.
    fn swap(&mut self) -> Option<()> {
        let operation = self.operation()?;
        let before = self.module.previous_operation(operation)?;
        self.module.insert_before(before, operation).ok()
    }

    fn move_anywhere(&mut self) -> Option<()> {
        let (operation, other) = (self.operation()?, self.operation()?);
        if self.module.is_ancestor(operation, other) {
            return None;
        }
        self.module.insert_after(other, operation).ok()
    }

    fn set_operand(&mut self) -> Option<()> {
        let operation = self.operation()?;
        let count = self.module.operand_count(operation);
        let number = self.random.below(count);
        let ty = self
            .module
            .value_type(self.module.operand(operation, number)?);
        let others = self.visible(operation, Some(ty));
        let other = self.pick(&others)?;
        self.module.set_operand(operation, number, other).ok()
    }

    fn set_any_operand(&mut self) -> Option<()> {
        let operation = self.operation()?;
        let number = self.random.below(self.module.operand_count(operation));
        let values = self.values();
        let value = self.pick(&values)?;
        self.module.set_operand(operation, number, value).ok()
    }

    /// Replaces all uses of a value by one that dominates it.
    fn replace_uses(&mut self) -> Option<()> {
        let values = self.values();
        let from = self.pick(&values)?;
        let ty = self.module.value_type(from);
        let ValueDefinition::Result(operation, _) = self.module.definition(from) else {
            return None;
        };
        let others = self.visible(operation, Some(ty));
        let to = self.pick(&others)?;
        self.module.replace_all_uses(from, to);
        Some(())
    }

    fn set_successor(&mut self) -> Option<()> {
        let all = self.operations();
        let branches: Vec<Operation> = all
            .into_iter()
            .filter(|&operation| self.module.successors(operation).len() > 0)
            .collect();
        let branch = self.pick(&branches)?;
        let region = self
            .module
            .block_region(self.module.parent_block(branch)?)?;
        let blocks: Vec<Block> = self.module.blocks(region).skip(1).collect();
        let block = self.pick(&blocks)?;
        let number = self.random.below(self.module.successors(branch).len());
        self.module.set_successor(branch, number, block).ok()
    }

    /// Returns a block of a function's body other than the first.
    fn function_block(&mut self) -> Option<Block> {
        let module = &self.module;
        let is_function = |&block: &Block| {
            let parent = module
                .block_region(block)
                .and_then(|r| module.region_parent(r));
            let name = parent.map(|parent| self.context.operation_name_bytes(module.name(parent)));
            name == Some(b"func.func")
        };
        let blocks: Vec<Block> = self.blocks().into_iter().filter(is_function).collect();
        self.pick(&blocks)
    }

    /// Creates a block that branches to another one of the function.
    fn new_block(&mut self) -> Option<()> {
        let to = self.function_block()?;
        if self.module.is_entry_block(to) {
            return None;
        }
        let types: Vec<Type> = self
            .module
            .arguments(to)
            .map(|(argument, _)| self.module.value_type(argument))
            .collect();
        let i32 = self.context.i32_type();
        let mut b = Builder::new(&mut self.context, &mut self.module);
        let mut all = types.clone();
        all.push(i32);
        let block = b.create_block_before(to, &all).ok()?;
        let arguments: Vec<Value> = b.module.arguments(block).map(|a| a.0).collect();
        let (&extra, forwarded) = arguments.split_last()?;
        b.op("arith.addi")
            .operands([extra, extra])
            .result(i32)
            .build()
            .unwrap();
        b.op("cf.br")
            .operands(forwarded.iter().copied())
            .successor(to)
            .build()
            .unwrap();
        Some(())
    }

    /// Splits a block and joins the parts by a branch.
    fn split(&mut self) -> Option<()> {
        let block = self.function_block()?;
        let operations: Vec<Operation> = self.module.operations(block).collect();
        let at = self.pick(&operations)?;
        let rest = self.module.split_block(at).ok()?;
        let mut b = Builder::new(&mut self.context, &mut self.module);
        b.set_insertion_point_to_end(block);
        b.op("cf.br").successor(rest).build().unwrap();
        Some(())
    }

    fn erase_block(&mut self) -> Option<()> {
        let blocks = self.blocks();
        let block = self.pick(&blocks)?;
        // No operation may keep an erased successor.
        let all = self.operations();
        let is_successor = |op: &Operation| self.module.successors(*op).any(|to| to == block);
        if self.module.is_entry_block(block) || all.iter().any(is_successor) {
            return None;
        }
        self.module.erase_block(block).ok()
    }

    fn rename(&mut self) -> Option<()> {
        let all = self.operations();
        let symbols: Vec<Operation> = all
            .into_iter()
            .filter(|&op| self.module.symbol_name(&self.context, op).is_some())
            .collect();
        let symbol = self.pick(&symbols)?;
        let names = ["a b", "renamed", "\u{e9}\"", "x.y"];
        let name = self.pick(&names)?;
        let name = self.context.identifier(name);
        self.module
            .rename_symbol(&mut self.context, symbol, name)
            .ok()
    }

    fn remove_attribute(&mut self) -> Option<()> {
        let operation = self.operation()?;
        let attributes = self
            .module
            .inherent_attributes(&self.context, operation)
            .to_vec();
        let (name, _) = self.pick(&attributes)?;
        self.module
            .set_inherent_attribute(&mut self.context, operation, name, None)
            .ok()?;
        self.module
            .normalize_operation(&mut self.context, operation)
            .ok()
    }

    fn set_discardable(&mut self) -> Option<()> {
        let operation = self.operation()?;
        let ty = self.context.i32_type();
        let number = self.random.below(9) as i64;
        let value = self.context.integer_attribute(ty, number).ok()?;
        let names = ["x.note", "a-b", "x.y.z"];
        let name = self.pick(&names)?;
        let name = self.context.identifier(name);
        self.module
            .set_discardable_attribute(&mut self.context, operation, name, Some(value))
            .ok()
    }

    fn set_type(&mut self) -> Option<()> {
        let values = self.values();
        let (value, like) = (self.pick(&values)?, self.pick(&values)?);
        let ty = self.module.value_type(like);
        self.module.set_value_type(value, ty);
        Some(())
    }

    /// Gives an operation the name of another of the same signature.
    fn set_name(&mut self) -> Option<()> {
        const ALIKE: &[&[&str]] = &[
            &["arith.addi", "arith.subi", "arith.muli", "arith.shli"],
            &[
                "arith.remsi",
                "arith.divui",
                "arith.xori",
                "arith.maxsi",
                "arith.andi",
            ],
            &["arith.addf", "arith.mulf", "arith.divf", "arith.maximumf"],
        ];
        let operation = self.operation()?;
        let name = self
            .context
            .operation_name_bytes(self.module.name(operation));
        let alike = ALIKE
            .iter()
            .find(|names| names.iter().any(|other| other.as_bytes() == name))?;
        let other = self.pick(alike)?;
        self.module
            .set_name(&mut self.context, operation, other)
            .ok()?;
        self.module
            .normalize_operation(&mut self.context, operation)
            .ok()
    }

    /// Builds an operation that uses visible values.
    fn build(&mut self) -> Option<()> {
        let operation = self.operation()?;
        let values = self.visible(operation, None);
        let (x, y) = (self.pick(&values)?, self.pick(&values)?);
        let ty = self.module.value_type(x);
        let which = self.random.below(3);
        let unit = self.context.unit_attribute();
        let mut b = Builder::new(&mut self.context, &mut self.module);
        b.set_insertion_point_before(operation).ok()?;
        let built = match which {
            0 => b.op("x.use").operands([x, y]).attr("note", unit),
            1 => b
                .op("builtin.unrealized_conversion_cast")
                .operands([x, y])
                .result(ty),
            _ => b.op("arith.select").operands([x, y, y]).result(ty),
        };
        built.build().ok().map(drop)
    }
}

/// Lets `mlir-opt-22` print each text in the other form; `None` if it is not installed.
fn compare(edited: &[Edited]) -> Option<bool> {
    let generic: Vec<&str> = edited.iter().map(|e| &*e.generic).collect();
    let custom: Vec<&str> = edited.iter().map(|e| &*e.custom).collect();
    let to_custom = mlir_opt(&generic, &[])?;
    let to_generic = mlir_opt(&custom, &["--mlir-print-op-generic"])?;
    let mut known = BTreeMap::<&str, usize>::new();
    let (mut bad, mut different, mut lossy) = (0, 0, 0);
    for (number, edited) in edited.iter().enumerate() {
        let label = &edited.label;
        let expected = [&edited.custom, &edited.generic];
        for (output, expected) in [&to_custom[number], &to_generic[number]]
            .into_iter()
            .zip(expected)
        {
            match output {
                Ok(text) if text.trim() == expected.trim() => {}
                // Only the custom text contains operations in both forms.
                Ok(_)
                    if expected == &edited.custom
                        && LOSSY.iter().any(|name| expected.contains(name)) =>
                {
                    lossy += 1;
                }
                Ok(text) => {
                    different += 1;
                    println!("{label}: upstream prints\n{text}\ninstead of\n{expected}");
                }
                Err(message) => {
                    let listed = UPSTREAM_ONLY.iter().find(|part| message.contains(**part));
                    match listed {
                        Some(part) => *known.entry(part).or_default() += 1,
                        None => {
                            bad += 1;
                            println!("{label}: upstream refuses {message}\n{}", edited.generic);
                        }
                    }
                    // The other form is rejected for the same reason.
                    break;
                }
            }
        }
    }
    println!(
        "upstream: {bad} of {} refused, {known:?} by rules of single operations; printed otherwise: {different}, \
         where upstream loses a region: {lossy}",
        edited.len()
    );
    Some(bad * 1000 <= edited.len() * TOLERANCE && different == 0)
}
