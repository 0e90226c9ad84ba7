//! Whether what a file says of its symbols is right.

use super::File;
use super::scan::Scan;
use crate::lazy::{LazyFile, SHOWN, Symbol};
use rmlir_format::rmbc::section;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{Context, FingerprintOptions, Fingerprinter, Module, nested_symbols};
use std::collections::{HashMap, HashSet};

impl File {
    /// Checks the index and the fingerprints of the file against `module`, which [`read_module`](LazyFile::read_module) made of it:
    /// that the symbols that are listed are those of the module, that the index leads to them, and that their fingerprints are
    /// right. O(operations), and for each symbol at most 256 operations.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`] with the section that is wrong, and what listing symbols gives.
    pub fn verify_index(&self, context: &Context, module: &Module) -> Result<()> {
        let symbols = nested_symbols(context, module);
        let listed = self.symbols()?;
        if listed.len() != symbols.len() {
            let message = format!(
                "{} symbols are found by the index, and {} are there",
                listed.len(),
                symbols.len()
            );
            return Err(self.wrong(section::INDEX, message));
        }
        for (found, symbol) in listed.iter().zip(&symbols) {
            let name = context.operation_name_bytes(module.name(symbol.operation));
            let parent = symbol.parent.and_then(|parent| listed.get(parent));
            // Both lists have those around first, so that their names are known to be right.
            let is_same = found
                .path
                .name()
                .is_some_and(|n| **n == *context.bytes(symbol.name))
                && found.path.parent() == parent.map(|parent| parent.path.clone())
                && *found.operation == *name
                && found.visibility == symbol.visibility;
            if !is_same {
                let path = found.path.abbreviated(SHOWN);
                let message = format!("{path} is found by the index, and is not there");
                return Err(self.wrong(section::INDEX, message));
            }
        }
        self.verify_names(&listed)?;
        let options = FingerprintOptions { locations: false };
        let mut fingerprinter = Fingerprinter::new(context, options);
        let mut check = |what: &dyn std::fmt::Display, said, operation| match said {
            Some(said) if said != fingerprinter.fingerprint(module, operation) => {
                let message = format!("the fingerprint of {what} is another");
                Err(self.wrong(section::HASHES, message))
            }
            _ => Ok(()),
        };
        check(&"the module", self.module_fingerprint()?, module.top())?;
        for (found, symbol) in listed.iter().zip(&symbols) {
            let path = found.path.abbreviated(SHOWN);
            check(&path, self.fingerprint(found)?, symbol.operation)?;
        }
        Ok(())
    }

    /// Checks that the index leads from the name of each symbol to its group: it lists the group exactly if the symbol uses
    /// nothing from outside. O(symbols and entries of the index).
    fn verify_names(&self, listed: &[Symbol]) -> Result<()> {
        let views = self.views()?.clone();
        let Some(index) = &views.index else {
            return Ok(());
        };
        let mut scan = self.new_scan()?;
        let mut strings: HashMap<*const u8, Option<u64>> = HashMap::new();
        let mut first = HashSet::with_capacity(listed.len());
        for symbol in listed {
            // Of symbols of one path, the first is found.
            if !first.insert(&symbol.path) {
                continue;
            }
            let Some(name) = symbol.path.name() else {
                continue;
            };
            // Many symbols may share one long name.
            let string = match strings.get(&name.as_ptr()) {
                Some(&string) => string,
                None => {
                    let string = views.symbol_string(name)?;
                    strings.insert(name.as_ptr(), string);
                    string
                }
            };
            let group = index.group_at(&views.store, symbol.place)?;
            let is_listed = match (string, group) {
                (Some(string), Some(group)) => {
                    let groups = scan.groups_of(string)?;
                    groups.binary_search(&group.number).is_ok()
                }
                _ => false,
            };
            if !is_listed && symbol.isolated {
                let path = symbol.path.abbreviated(SHOWN);
                let message = format!("the index does not lead to {path}");
                return Err(self.wrong(section::INDEX, message));
            }
        }
        Ok(())
    }

    #[cold]
    fn wrong(&self, kind: u16, message: String) -> Error {
        let offset = self.section_offset(kind).unwrap_or_default();
        let name = section::name(kind).unwrap_or_default();
        Error::at(ErrorKind::Malformed, offset, message).with_section(name)
    }

    fn new_scan(&self) -> Result<Scan> {
        let limits = self.options().limits.clone();
        Ok(Scan::new(
            self.views()?.clone(),
            self.definitions().clone(),
            limits,
        ))
    }
}
