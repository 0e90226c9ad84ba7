//! Whether what a file says of its symbols is right.

use super::File;
use super::scan::Scan;
use crate::lazy::{LazyFile, Symbol, SymbolPath};
use rmlir_format::rmbc::section;
use rmlir_format::{Error, ErrorKind, Result};
use rmlir_ir::{
    Context, FingerprintOptions, Fingerprinter, Module, nested_symbols, unnamed_operations,
};
use std::collections::HashMap;

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
        let unnamed = unnamed_operations(context, module).count();
        if self.unnamed()?.len() != unnamed {
            let message = format!(
                "{} operations without names are found by the index, and {unnamed} are there",
                self.unnamed()?.len()
            );
            return Err(self.wrong(section::INDEX, message));
        }
        if listed.len() != symbols.len() {
            let message = format!(
                "{} symbols are found by the index, and {} are there",
                listed.len(),
                symbols.len()
            );
            return Err(self.wrong(section::INDEX, message));
        }
        let mut first: HashMap<&SymbolPath, &Symbol> = HashMap::with_capacity(listed.len());
        for (found, symbol) in listed.iter().zip(&symbols) {
            let path = symbol.path.iter().map(|&name| context.bytes(name));
            let name = context.operation_name_bytes(module.name(symbol.operation));
            let is_same = found.path.names().eq(path)
                && *found.operation == *name
                && found.visibility == symbol.visibility;
            if !is_same {
                let message = format!("{} is found by the index, and is not there", found.path);
                return Err(self.wrong(section::INDEX, message));
            }
            first.entry(&found.path).or_insert(found);
        }
        if self.is_indexed() {
            // One that has not listed all symbols goes by the names of the index.
            let mut scan = self.new_scan()?;
            for (symbol, known) in listed.iter().zip(&symbols) {
                // The index has the names that this attribute holds.
                let name = module.name(known.operation);
                if context.symbol_attributes(name).name != "sym_name" {
                    continue;
                }
                let found = scan.find(&symbol.path)?;
                let expected = first.get(&symbol.path).map(|first| first.place);
                // What uses values of others is not in it.
                let is_right = match found {
                    Some(found) => Some(found.place) == expected,
                    None => !symbol.isolated,
                };
                if !is_right {
                    let message = format!("the index does not lead to {}", symbol.path);
                    return Err(self.wrong(section::INDEX, message));
                }
            }
        }
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
            check(&found.path, self.fingerprint(found)?, symbol.operation)?;
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
