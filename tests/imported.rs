//! Compares the bundled definitions of LLVM's dialects with those that `rmlir dialect import`
//! derives from LLVM 22's `.td` files: for each operation its operands, results, regions,
//! successors, attributes with their defaults, native properties, traits, type relations,
//! terminators, parents and format.
//!
//! An extra suite: it needs `llvm-tblgen` and the `.td` files of LLVM 22. They are in `RMLIR_LLVM`,
//! else in `/usr/lib/llvm-22`. With `RMLIR_IMPORTED_REPORT`, all differences are written to that
//! file. `RMLIR_IMPORTED_DEFINITIONS` names another folder of definitions to compare.
//!
//! Imported definitions must pass `rmlir dialect check`, whose errors count as differences in
//! `check`. The parts that were not imported are counted by kind; with `RMLIR_IMPORTED_FOLDER`, the
//! definitions and these lists are written to that folder.
//!
//! Differences are compared with `imported_exceptions.txt`: no other operation may differ, except
//! in its format. The number of equal formats must be at least that in `imported_floor.txt`.
#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic
)]

use rmlir::dialects::{BundledDialects, Hooks};
use rmlir::ir::Context;
use rmlir::ir::constraint::NamedAttributeConstraint;
use rmlir::ir::definition::{
    DialectDefinition, DialectSource, EntryDefinition, GroupDefinition, OperationDefinition,
    Release,
};
use rmlir::text::{ParseOptions, Severity, check_definition, parse_module};
use rmlir_import::LossKind;
use rmlir_import::tablegen::{ImportOptions, import};
use rmlir_testing::GOAL_DIALECTS;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

/// Lines of an operation, the differing aspect, and the reason. `#` starts a comment.
const EXCEPTIONS: &str = include_str!("imported_exceptions.txt");

/// The minimum number of equal formats.
const FLOOR: &str = include_str!("imported_floor.txt");

/// Where the facts of definitions come from. For LLVM's dialects: the files with their operations,
/// attributes and types.
const SOURCES: &str = include_str!("../dialects/sources.toml");

/// Items of [`GOAL_DIALECTS`] without custom syntax although upstream has it, and why.
const WITHOUT_SYNTAX: &str = include_str!("imported_without_syntax.txt");

fn main() {
    let root = std::env::var_os("RMLIR_LLVM");
    let root = root.map_or_else(|| PathBuf::from("/usr/lib/llvm-22"), PathBuf::from);
    let (tool, include) = (root.join("bin/llvm-tblgen"), root.join("include"));
    if !tool.is_file() || !include.join("mlir/Dialect").is_dir() {
        println!(
            "SKIPPED: no llvm-tblgen with .td files at {}",
            root.display()
        );
        return;
    }
    let folder = std::env::var_os("RMLIR_IMPORTED_DEFINITIONS").map(PathBuf::from);
    let bundled: Arc<dyn DialectSource> = Arc::new(BundledDialects);
    let mut totals = Totals::default();
    for (name, files) in &dialects(&include) {
        let name = name.as_str();
        let dumps: Vec<Vec<u8>> = files.iter().map(|f| dump(&tool, &include, f)).collect();
        let dumps: Vec<&[u8]> = dumps.iter().map(Vec::as_slice).collect();
        let options = ImportOptions {
            dialect: Some(name.to_owned()),
            partial: false,
        };
        let imported = import(&dumps, &options, &Hooks).unwrap_or_else(|e| panic!("{name}: {e}"));
        for (kind, count) in imported.losses() {
            *totals.losses.entry(kind).or_default() += count;
        }
        let theirs = imported.definition;
        let text = theirs.to_string();
        let again = DialectDefinition::parse(&text, &Hooks)
            .unwrap_or_else(|e| panic!("{name}: the text of the import is refused: {e}\n{text}"));
        assert_eq!(again.to_string(), text, "{name} is read otherwise");
        match &folder {
            None => {
                let ours = BundledDialects.dialect(name.as_bytes()).unwrap();
                compare(name, &ours, &theirs, &mut totals);
                compare_entries(name, &ours, &theirs, &mut totals);
            }
            Some(folder) => {
                let text = std::fs::read_to_string(folder.join(format!("{name}.dialect")));
                let ours = DialectDefinition::parse(&text.unwrap(), &Hooks);
                match ours {
                    Ok(ours) => compare(name, &ours, &theirs, &mut totals),
                    Err(error) => println!("{name}: {error}"),
                }
            }
        }
        if let Some(folder) = std::env::var_os("RMLIR_IMPORTED_FOLDER") {
            std::fs::write(Path::new(&folder).join(format!("{name}.dialect")), &text).unwrap();
        }
        if let Some(folder) = std::env::var_os("RMLIR_IMPORTED_FOLDER") {
            let lines = imported
                .warnings
                .iter()
                .map(|warning| format!("{warning}\n"));
            let lines: String = lines.collect();
            std::fs::write(Path::new(&folder).join(format!("{name}.losses")), lines).unwrap();
        }
        let errors = check_definition(&text, name, &Hooks, Some(&bundled));
        let (ambiguous, errors): (Vec<_>, Vec<_>) = errors
            .iter()
            .filter(|error| error.severity == Severity::Error)
            .partition(|error| is_ambiguity(&error.message));
        totals.ambiguous += ambiguous.len();
        for error in errors {
            let entry = totals.differences.entry("check").or_default();
            let subject = format!("{name}:{}", error.message);
            entry.push((subject.replace(' ', "_"), String::new(), error.to_string()));
        }
    }
    println!(
        "{} formats of upstream's are ambiguous as imported, {MOST_AMBIGUOUS} are known",
        totals.ambiguous
    );
    assert!(
        totals.ambiguous <= MOST_AMBIGUOUS,
        "more formats are ambiguous"
    );
    assert!(report(&totals), "the suite of imported definitions failed");
}

/// How many formats of upstream's are ambiguous as they are imported: lists in `struct`, groups
/// without a keyword, attributes of which the import does not know that no type follows them.
const MOST_AMBIGUOUS: usize = 76;

/// Returns whether a message reports an ambiguous format.
fn is_ambiguity(message: &str) -> bool {
    [
        "is ambiguous",
        "an optional group begins with",
        "can be empty and begins with",
    ]
    .iter()
    .any(|words| message.contains(words))
}

/// Returns the table, with the transform dialect's extensions, of which each dialect has a file.
fn dialects(include: &Path) -> Vec<(String, Vec<PathBuf>)> {
    let root = include.join("mlir/Dialect");
    let sources: toml::Table = SOURCES.parse().unwrap();
    let declared = sources["dialect"].as_table().unwrap().iter();
    let declared = declared.filter(|(_, source)| source["project"].as_str() == Some("llvm"));
    let mut all: Vec<(String, Vec<PathBuf>)> = declared
        .map(|(name, source)| {
            let files = source["files"].as_array().unwrap().iter();
            let files = files.map(|file| include.join(file.as_str().unwrap()));
            (name.clone(), files.collect())
        })
        .collect();
    let mut files = vec![root.join("Transform/IR/TransformOps.td")];
    for folder in std::fs::read_dir(&root).unwrap().flatten() {
        for inner in ["TransformOps", "Transform"] {
            files.extend(table_files(&folder.path().join(inner)));
        }
    }
    for entry in std::fs::read_dir(root.join("Transform")).unwrap().flatten() {
        if entry.file_name() != "IR" && entry.file_name() != "Interfaces" {
            files.extend(table_files(&entry.path()));
        }
    }
    files.sort();
    files.dedup();
    all.push(("transform".to_owned(), files));
    all
}

fn table_files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    files
        .filter(|file| file.extension().is_some_and(|e| e == "td"))
        .filter(|file| file.to_string_lossy().contains("Ops.td"))
        .collect()
}

fn dump(tool: &Path, include: &Path, file: &Path) -> Vec<u8> {
    let output = Command::new(tool)
        .arg("--dump-json")
        .arg("-I")
        .arg(include)
        .arg("-I")
        .arg(file.parent().unwrap())
        .arg(file)
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}: {}",
        file.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    output.stdout
}

#[derive(Default)]
struct Totals {
    /// The number of ambiguous formats of imported definitions.
    ambiguous: usize,
    /// The numbers of parts that were not imported, by kind.
    losses: BTreeMap<LossKind, usize>,
    operations: usize,
    /// The differences by aspect: the operation, our value and theirs.
    differences: BTreeMap<&'static str, Vec<(String, String, String)>>,
    formats: Formats,
    /// The items of [`GOAL_DIALECTS`] without custom syntax here.
    without_syntax: BTreeSet<String>,
}

#[derive(Default)]
struct Formats {
    theirs: usize,
    alike: usize,
    /// The number of formats for which we have a hook.
    hooks: usize,
    missing: usize,
}

fn compare(name: &str, ours: &DialectDefinition, theirs: &DialectDefinition, totals: &mut Totals) {
    let mut names: BTreeSet<&str> = BTreeSet::new();
    names.extend(theirs.operations().iter().map(|op| &*op.mnemonic));
    let release = Release::LLVM_22;
    let known = ours.operations().iter();
    names.extend(
        known
            .filter(|op| op.number(release).is_some() && op.family == release.family)
            .map(|op| &*op.mnemonic),
    );
    for their in theirs.attribute_constraints() {
        // A constraint that every attribute satisfies replaces a predicate in C++.
        if their.constraint.name == "AnyAttr" && their.constraint.confinements.is_empty() {
            continue;
        }
        let our = ours.attribute_constraint(&their.name);
        let used = ours.uses.iter().find_map(|name| {
            let used = BundledDialects.dialect(name.as_bytes())?;
            used.attribute_constraint(&their.name).cloned()
        });
        let our = our.or(used.as_ref());
        if our != Some(their) {
            let text = |c: &NamedAttributeConstraint| format!("\"{}\" {}", c.summary, c.constraint);
            let entry = totals.differences.entry("constraint").or_default();
            entry.push((
                format!("{name}.{}", their.name),
                our.map_or_else(String::new, text),
                text(their),
            ));
        }
    }
    for their in theirs.attributes.entries() {
        let our = ours
            .attributes
            .entry(their.mnemonic.as_bytes(), RELEASE.number);
        // Error messages mention only the constraints that operations refer to.
        let mut asked = theirs.operations().iter().flat_map(|op| op.attributes());
        let summary = match asked.any(|a| a.constraint == their.constraint) {
            true => |e: &EntryDefinition| e.summary.to_string(),
            false => |_: &EntryDefinition| String::new(),
        };
        let text = |e: &EntryDefinition| format!("{} \"{}\"", e.constraint, summary(e));
        if let Some(our) = our.map(text)
            && our != text(their)
        {
            let entry = totals.differences.entry("summary").or_default();
            entry.push((format!("{name}.{}", their.mnemonic), our, text(their)));
        }
    }
    for mnemonic in names {
        totals.operations += 1;
        let full = format!("{name}.{mnemonic}");
        let find =
            |dialect: &DialectDefinition| dialect.operation(mnemonic.as_bytes(), release).cloned();
        let (Some(our), Some(their)) = (find(ours), find(theirs)) else {
            let there = |op: Option<_>| if op.is_some() { "there" } else { "not there" };
            let (our, their) = (find(ours), find(theirs));
            let entry = totals.differences.entry("operation").or_default();
            entry.push((full, there(our).to_owned(), there(their).to_owned()));
            continue;
        };
        for (aspect, ours, theirs) in aspects(&our, &their) {
            if ours != theirs {
                let entry = totals.differences.entry(aspect).or_default();
                entry.push((full.clone(), ours, theirs));
            }
        }
        let format = |op: &OperationDefinition| op.format(release).map(ToString::to_string);
        let has_syntax = format(&their).is_some() || !their.hook.is_empty();
        let is_known = our.syntax.is_some()
            || our
                .format(release)
                .is_some_and(|_| is_usable(name, &our.mnemonic));
        if GOAL_DIALECTS.contains(&name) && has_syntax && !is_known {
            totals.without_syntax.insert(full.clone());
        }
        let Some(theirs) = format(&their) else {
            continue;
        };
        let formats = &mut totals.formats;
        formats.theirs += 1;
        match format(&our) {
            Some(ours) if ours == theirs => formats.alike += 1,
            Some(ours) => {
                let entry = totals.differences.entry("format").or_default();
                entry.push((full, ours, theirs));
            }
            None if our.syntax.is_some() => formats.hooks += 1,
            None => {
                formats.missing += 1;
                let entry = totals.differences.entry("format").or_default();
                entry.push((full, String::new(), theirs));
            }
        }
    }
}

/// Returns whether the format of an operation is usable: an operation of that name is not rejected
/// for unknown syntax.
fn is_usable(dialect: &str, mnemonic: &str) -> bool {
    let mut context = Context::new();
    rmlir::dialects::register_all(&mut context);
    let text = format!("{dialect}.{mnemonic} ?");
    let parsed = parse_module(&mut context, text.as_bytes(), &ParseOptions::default());
    let errors = parsed.expect_err("a question mark is no operation's syntax");
    !errors.first().message.contains("custom syntax of")
}

/// Collects the attributes and types for which upstream declares a format or code, and we do not.
fn compare_entries(
    name: &str,
    ours: &DialectDefinition,
    theirs: &DialectDefinition,
    totals: &mut Totals,
) {
    for (what, ours, theirs) in [
        ("attribute", &ours.attributes, &theirs.attributes),
        ("type", &ours.types, &theirs.types),
    ] {
        let number = RELEASE.number;
        for entry in theirs.entries() {
            let own = ours.entry(entry.mnemonic.as_bytes(), number);
            if let Some(own) = own
                && entry_traits(own) != entry_traits(entry)
            {
                let differences = totals.differences.entry("entry_traits").or_default();
                let full = format!("{what}:{name}.{}", entry.mnemonic);
                differences.push((full, entry_traits(own), entry_traits(entry)));
            }
            if entry.parameters.is_empty() {
                continue;
            }
            if GOAL_DIALECTS.contains(&name) && own.is_none_or(|own| own.parameters.is_empty()) {
                let full = format!("{what} {name}.{}", entry.mnemonic);
                totals.without_syntax.insert(full);
            }
        }
    }
}

/// Returns the compared aspects, except the format, as text.
fn aspects(
    ours: &OperationDefinition,
    theirs: &OperationDefinition,
) -> Vec<(&'static str, String, String)> {
    let groups = |f: fn(&OperationDefinition) -> &[GroupDefinition]| {
        let text = |op| {
            let groups = op_groups(op, f(op));
            groups.collect::<Vec<_>>().join(", ")
        };
        (text(ours), text(theirs))
    };
    let both = |f: fn(&OperationDefinition) -> String| (f(ours), f(theirs));
    let rows = [
        ("operands", groups(|op| &op.operands)),
        ("results", groups(|op| &op.results)),
        ("regions", groups(|op| &op.regions)),
        ("successors", groups(|op| &op.successors)),
        ("attributes", both(attributes)),
        ("confinements", both(confinements)),
        ("defaults", both(defaults)),
        ("properties", both(properties)),
        ("traits", both(traits)),
        ("relations", both(relations)),
        ("terminator", both(terminator)),
        ("parents", both(parents)),
    ];
    rows.into_iter().map(|(a, (b, c))| (a, b, c)).collect()
}

const RELEASE: Release = Release::LLVM_22;

fn op_groups<'d>(
    op: &'d OperationDefinition,
    groups: &'d [GroupDefinition],
) -> impl Iterator<Item = String> + 'd {
    let groups = op.groups_in(groups, RELEASE);
    groups.map(|g| format!("{}: {:?} {}", g.name, g.kind, g.constraint))
}

fn attributes(op: &OperationDefinition) -> String {
    let attributes = op.attributes_in(RELEASE).map(|a| {
        format!(
            "{}: {:?} {} {}",
            a.name, a.presence, a.constraint, a.enumeration
        )
    });
    attributes.collect::<Vec<_>>().join(", ")
}

/// Returns the confinements of attributes, with their descriptions.
fn confinements(op: &OperationDefinition) -> String {
    let attributes = op.attributes_in(RELEASE);
    let confined = attributes.filter(|a| !a.confinements.is_empty());
    let texts = confined.map(|a| {
        let all: Vec<String> = a.confinements.iter().map(ToString::to_string).collect();
        format!("{}: {}", a.name, all.join(", "))
    });
    texts.collect::<Vec<_>>().join(", ")
}

fn defaults(op: &OperationDefinition) -> String {
    let attributes = op.attributes_in(RELEASE).map(|a| {
        let default = a.default.as_deref().unwrap_or_default();
        format!("{} = {default}", a.name)
    });
    attributes.collect::<Vec<_>>().join(", ")
}

fn properties(op: &OperationDefinition) -> String {
    let properties = op
        .properties_in(RELEASE)
        .map(|p| format!("{}: {:?} = {:?}", p.name, p.kind, p.default));
    properties.collect::<Vec<_>>().join(", ")
}

/// Traits and interfaces, those that others imply among them.
fn traits(op: &OperationDefinition) -> String {
    let mut names: Vec<&str> = op.trait_names(RELEASE).collect();
    names.sort_unstable();
    let mut interfaces: Vec<&str> = op.interfaces(RELEASE).collect();
    interfaces.sort_unstable();
    format!("{}; interfaces {}", names.join(", "), interfaces.join(", "))
}

/// The traits and interfaces of an attribute or type.
fn entry_traits(entry: &EntryDefinition) -> String {
    let all = entry.traits.iter();
    let mut names: Vec<String> = all
        .filter(|one| one.releases.contains(RELEASE.number))
        .map(|one| format!("{} {}", one.name, one.is_interface))
        .collect();
    names.sort_unstable();
    names.join(", ")
}

/// Returns the relations that TableGen names; others are predicates in C++ with descriptions of
/// their own.
fn relations(op: &OperationDefinition) -> String {
    let relations = op.relations_in(RELEASE).filter(|r| r.summary.is_empty());
    let mut relations: Vec<String> = relations
        .map(|r| format!("{}({})", r.kind.name(), r.groups.join(", ")))
        .collect();
    relations.sort();
    relations.join(", ")
}

fn terminator(op: &OperationDefinition) -> String {
    op.implicit_terminator(RELEASE)
        .unwrap_or_default()
        .to_owned()
}

fn parents(op: &OperationDefinition) -> String {
    let mut parents: Vec<&str> = op.parents_in(RELEASE).collect();
    parents.sort_unstable();
    parents.join(", ")
}

/// Prints the counts, and returns whether all differences are allowed.
fn report(totals: &Totals) -> bool {
    let mut text = String::new();
    println!("{} operations", totals.operations);
    for (kind, count) in &totals.losses {
        println!("{count:>6} lost: {}", kind.name());
    }
    for (aspect, differences) in &totals.differences {
        println!("{:>6} differ in {aspect}", differences.len());
        for (name, ours, theirs) in differences {
            writeln!(text, "{name} {aspect}\n  ours   {ours}\n  theirs {theirs}").unwrap();
        }
    }
    println!(
        "{} of the complete dialects have no custom syntax",
        totals.without_syntax.len()
    );
    let formats = &totals.formats;
    println!(
        "{} formats: {} alike, {} of ours are code, {} of ours are missing",
        formats.theirs, formats.alike, formats.hooks, formats.missing
    );
    if let Some(path) = std::env::var_os("RMLIR_IMPORTED_REPORT") {
        std::fs::write(path, &text).unwrap();
    }
    let mut excepted: BTreeSet<(&str, &str)> = EXCEPTIONS
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            Some((words.next()?, words.next()?))
        })
        .collect();
    let mut passed = true;
    for (aspect, differences) in &totals.differences {
        for (name, ours, theirs) in differences.iter().filter(|_| *aspect != "format") {
            if !excepted.remove(&(name.as_str(), *aspect)) {
                passed = false;
                println!("FAILED {name} {aspect}\n  ours   {ours}\n  theirs {theirs}");
            }
        }
    }
    for (name, aspect) in excepted {
        passed = false;
        println!("FAILED {name} {aspect} does not differ, but is among the exceptions");
    }
    let lines = WITHOUT_SYNTAX.lines().filter(|line| !line.starts_with('#'));
    let listed: BTreeSet<&str> = lines
        .filter_map(|line| Some(line.split_once(": ")?.0))
        .collect();
    for name in &totals.without_syntax {
        if !listed.contains(name.as_str()) {
            passed = false;
            println!("FAILED {name} has no custom syntax");
        }
    }
    for name in listed {
        if !totals.without_syntax.contains(name) {
            passed = false;
            println!("FAILED {name} has custom syntax, but is among those that have none");
        }
    }
    let floor: usize = FLOOR.trim().parse().unwrap();
    if formats.alike < floor {
        passed = false;
        println!(
            "FAILED {} formats are alike; there were {floor}",
            formats.alike
        );
    }
    passed
}
