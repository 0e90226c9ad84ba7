//! Compares the sizes of two files.

use super::measure::Measured;
use super::sum::sorted;
use crate::commands::table;
use rmlir::ir::sort::CompactSort as _;
use serde_json::json;
use std::collections::BTreeMap;

/// What differs in one table.
pub(super) struct Differences {
    /// The name of the table in JSON, and as a title.
    names: [&'static str; 2],
    /// The name of each row that differs, with its size before and after; the largest change first.
    rows: Vec<(String, u64, u64)>,
}

/// Returns the rows that differ in each table.
pub(super) fn differences(before: &Measured, after: &Measured) -> Vec<Differences> {
    type Rows = Vec<(String, u64)>;
    type Table<'t> = ([&'static str; 2], &'t dyn Fn(&Measured) -> Rows);
    let symbols = |file: &Measured| -> Rows {
        let symbols = file.owners.symbols.iter();
        symbols.map(|s| (s.path.clone(), s.size())).collect()
    };
    let constants = |file: &Measured| -> Rows {
        let constants = file.constants.iter();
        constants.map(|c| (c.name.clone(), c.bytes)).collect()
    };
    let owners = |file: &Measured| -> Rows {
        vec![
            ("shared by symbols".to_owned(), file.owners.shared),
            ("not referred to".to_owned(), file.owners.unreferenced),
        ]
    };
    let tables: [Table<'_>; 9] = [
        (["section", "section"], &|file| file.sizes.root.rows()),
        (["dialect", "operations by dialect"], &|file| {
            sorted(&file.sizes.dialects)
        }),
        (["operation", "operations"], &|file| {
            sorted(&file.sizes.operations)
        }),
        (["entry", "attributes and types"], &|file| {
            sorted(&file.sizes.entries)
        }),
        (["kind", "of these"], &|file| sorted(&file.sizes.kinds)),
        (["resource", "resource"], &|file| {
            sorted(&file.sizes.resources)
        }),
        (["owner", "items of tables"], &owners),
        (["symbol", "symbol, retained"], &symbols),
        (["constant", "constant"], &constants),
    ];
    let total = Differences {
        names: ["file", "file"],
        rows: vec![(after.name.clone(), before.bytes, after.bytes)],
    };
    let tables = tables.map(|(names, rows)| Differences {
        names,
        rows: changed(rows(before), rows(after)),
    });
    std::iter::once(total)
        .chain(tables)
        .filter(|differences| !differences.rows.is_empty())
        .collect()
}

/// Returns the rows that differ.
fn changed(before: Vec<(String, u64)>, after: Vec<(String, u64)>) -> Vec<(String, u64, u64)> {
    let mut rows: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (name, bytes) in before {
        rows.entry(name).or_default().0 += bytes;
    }
    for (name, bytes) in after {
        rows.entry(name).or_default().1 += bytes;
    }
    let differing = rows
        .into_iter()
        .filter(|(_, (before, after))| before != after);
    let mut rows: Vec<(String, u64, u64)> = differing
        .map(|(name, (before, after))| (name, before, after))
        .collect();
    rows.compact_sort_by_key(|(_, before, after)| std::cmp::Reverse(before.abs_diff(*after)));
    rows
}

impl Differences {
    /// Returns a table of at most `top` rows.
    pub(super) fn to_text(&self, top: usize) -> String {
        let row = |(name, before, after): &(String, u64, u64)| {
            let change = i128::from(*after) - i128::from(*before);
            vec![
                before.to_string(),
                after.to_string(),
                format!("{change:+}"),
                name.clone(),
            ]
        };
        let rows: Vec<Vec<String>> = self.rows.iter().take(top).map(row).collect();
        let [_, title] = self.names;
        let header = ["before", "after", "change", title];
        let mut text = table(&header, &[true, true, true, false], &rows);
        text.push_str(&super::and_more(self.rows.len(), top));
        text
    }

    /// Returns an object per line.
    pub(super) fn to_json(&self) -> String {
        let [name_of_table, _] = self.names;
        let line = |(name, before, after): &(String, u64, u64)| {
            let line = json!({
                "schema": "size-diff/1",
                "table": name_of_table,
                "name": name,
                "before": before,
                "after": after,
            });
            format!("{line}\n")
        };
        self.rows.iter().map(line).collect()
    }
}
