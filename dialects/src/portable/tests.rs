//! The tables agree with the definitions.

use super::Version;
use super::table::{ATTRIBUTES, DEFAULTS, OPERATIONS, RULES, SPREAD, TYPES, UNCHECKED_PARTS};
use rmlir_ir::Context;
use rmlir_ir::definition::DialectDefinition;
use std::sync::Arc;

fn definition(name: &str) -> Arc<DialectDefinition> {
    let mut context = Context::new();
    crate::register_all(&mut context);
    context.dialect(name.as_bytes()).unwrap()
}

fn operation(dialect: &DialectDefinition, name: &str) -> bool {
    let mut operations = dialect.operations().iter();
    operations.any(|operation| operation.mnemonic == name)
}

#[test]
fn operations_are_sorted_and_have_the_stated_forms() {
    let vhlo = definition("vhlo");
    assert!(OPERATIONS.is_sorted_by(|a, b| a.name < b.name));
    for row in OPERATIONS {
        assert!(
            operation(&vhlo, &format!("{}_v1", row.name)),
            "{}",
            row.name
        );
        let second = operation(&vhlo, &format!("{}_v2", row.name));
        assert_eq!(row.second.is_some(), second, "{}", row.name);
        let since = row
            .second
            .as_ref()
            .map_or(Version::NEWEST, |second| second.0);
        assert!(
            row.since <= since && since <= Version::NEWEST,
            "{}",
            row.name
        );
    }
    for found in vhlo.operations() {
        if let Some(name) = found.mnemonic.strip_suffix("_v2") {
            assert!(super::operation::versions(name).is_some(), "{name}");
        }
    }
}

#[test]
fn attributes_and_types_are_those_of_the_definition() {
    let vhlo = definition("vhlo");
    let attributes: Vec<_> = vhlo.attributes.entries().iter().collect();
    let types: Vec<_> = vhlo.types.entries().iter().collect();
    for (name, version) in ATTRIBUTES {
        assert!(
            attributes.iter().any(|entry| entry.mnemonic == *name),
            "{name}"
        );
        assert!(version.is_supported());
    }
    for (name, version) in TYPES {
        assert!(types.iter().any(|entry| entry.mnemonic == *name), "{name}");
        assert!(version.is_supported());
    }
    for name in UNCHECKED_PARTS {
        let mut all = attributes.iter().chain(&types);
        assert!(all.any(|entry| entry.mnemonic == *name), "{name}");
    }
}

#[test]
fn defaults_and_rules_are_of_known_operations() {
    let vhlo = definition("vhlo");
    for (names, defaults) in DEFAULTS {
        for name in *names {
            let newest = vhlo.operations().iter().rfind(|operation| {
                let form = operation.mnemonic.rsplit_once("_v");
                form.is_some_and(|(base, _)| base == *name)
            });
            let newest = newest.unwrap_or_else(|| panic!("{name}"));
            for (attribute, _) in *defaults {
                let mut declared = newest.attributes().iter();
                assert!(
                    declared.any(|one| one.name == *attribute),
                    "{name} {attribute}"
                );
            }
        }
    }
    for (names, until, _) in RULES {
        for name in *names {
            assert!(operation(&vhlo, &format!("{name}_v1")), "{name}");
        }
        assert!(until.is_supported());
    }
}

#[test]
fn spread_attributes_have_as_many_parameters() {
    let stablehlo = definition("stablehlo");
    for row in SPREAD {
        let mut entries = stablehlo.attributes.entries().iter();
        let entry = entries.find(|entry| entry.mnemonic == row.mnemonic);
        let count = entry.map(|entry| entry.parameters.len());
        assert_eq!(count, Some(row.attributes.len()), "{}", row.mnemonic);
    }
}

/// Every operation of StableHLO has a counterpart.
#[test]
fn all_operations_have_a_counterpart() {
    let (stablehlo, vhlo) = (definition("stablehlo"), definition("vhlo"));
    for found in stablehlo.operations() {
        let name = format!("{}_v1", found.mnemonic);
        assert!(operation(&vhlo, &name), "{name}");
    }
}

#[test]
fn versions_are_three_numbers() {
    for bad in [
        "",
        "1",
        "1.2",
        "1.2.3.4",
        "1..3",
        "v1.2.3",
        "+1.2.3",
        "1.2.x",
        "99999999999.0.0",
    ] {
        assert!(bad.parse::<Version>().is_err(), "{bad}");
    }
    let patched: Version = "0.14.9".parse().unwrap();
    assert_eq!(
        (patched.bytecode_version(), patched.to_string().as_str()),
        (4, "0.14.9")
    );
    assert!(!Version::new(0, 8).is_supported() && !Version::new(2, 0).is_supported());
}
