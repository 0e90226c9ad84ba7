//! Checks the index and the stored fingerprints of a file against its operations.

mod index;

use super::File;
use super::structure::{Structure, SymbolNames};
use super::table_views::TableViews;
use super::tables::{read_ascending, table};
use crate::lazy::LazyFile;
use crate::lookup::malformed;
use index::Symbols;
use rmlir_format::rmbc::index::Index;
use rmlir_format::rmbc::{MAX_HASHED_DEPTH, section};
use rmlir_format::{Error, ErrorKind, Reader, Result};
use rmlir_ir::{
    Context, FingerprintOptions, Fingerprinter, Module, nested_symbols, unnamed_operations,
};
use std::fmt::Display;

impl File {
    /// Checks the index and the fingerprints of the file. O(operations and operands).
    ///
    /// They are compared with the operations of the file and with `module`, which
    /// [`read_module`](LazyFile::read_module) read from it. The chunks of the index were compared
    /// when that read the module; its names and references are rebuilt from the operations and
    /// compared byte by byte. The listed symbols are compared with those of the module.
    ///
    /// # Errors
    /// [`ErrorKind::Malformed`] with the section that is wrong, and those of listing symbols.
    pub fn verify_index(&self, context: &Context, module: &Module) -> Result<()> {
        let views = self.views()?.clone();
        let mut structure = Structure::new(views.clone(), SymbolNames::Index);
        if views.index.is_some() || views.hashes.is_some() {
            let symbols = Symbols::of(&views, &mut structure)?;
            self.check_index(&views, &symbols)?;
            check_hash_table(&views, &symbols)?;
        }
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
        for (found, symbol) in listed.iter().zip(&symbols) {
            let name = context.operation_name_bytes(module.name(symbol.operation));
            let parent = symbol.parent.and_then(|parent| listed.get(parent));
            // Both lists have the enclosing symbols first, so their names are already known to
            // match.
            let is_same = found
                .path
                .name()
                .is_some_and(|n| **n == *context.bytes(symbol.name))
                && found.path.parent() == parent.map(|parent| parent.path.clone())
                && *found.operation == *name
                && found.visibility == symbol.visibility;
            if !is_same {
                let message = format!("{found} is found by the index, and is not there");
                return Err(self.wrong(section::INDEX, message));
            }
        }
        let options = FingerprintOptions { locations: false };
        let mut fingerprinter = Fingerprinter::new(context, &options);
        let mut check = |what: &dyn Display, said, operation| match said {
            Some(said) if said != fingerprinter.fingerprint(module, operation) => {
                let message = format!("the fingerprint of {what} is another");
                Err(self.wrong(section::HASHES, message))
            }
            _ => Ok(()),
        };
        check(&"the module", self.module_fingerprint()?, module.top())?;
        for (found, symbol) in listed.iter().zip(&symbols) {
            check(found, self.fingerprint(found)?, symbol.operation)?;
        }
        Ok(())
    }

    #[cold]
    fn wrong(&self, kind: u16, message: String) -> Error {
        let offset = self.section_offset(kind).unwrap_or_default();
        let name = section::name(kind).unwrap_or_default();
        Error::at(ErrorKind::Malformed, offset, message).with_section(name)
    }

    fn check_index(&self, views: &TableViews, symbols: &Symbols) -> Result<()> {
        let section = views.store.section(section::INDEX);
        let (Some(index), Some(section)) = (&views.index, section) else {
            return Ok(());
        };
        // Reading the module has compared the chunks with the operations.
        let expected = Index {
            chunks: index.decode(&views.store)?,
            names: symbols.names(),
            references: symbols.references(),
        };
        let is_named = |&&(name, _): &&(u64, u64)| name >= views.symbol_count();
        if let Some(&(name, _)) = expected.names.iter().find(is_named) {
            let message = format!(
                "string #{name} is the name of a symbol of the index, and {} are listed as such",
                views.symbol_count()
            );
            return Err(self.wrong(section::STRINGS, message));
        }
        let (stated, bytes) = (section.all()?, expected.encode()?);
        if *stated == *bytes {
            return Ok(());
        }
        let same = stated
            .iter()
            .zip(&bytes)
            .take_while(|(a, b)| a == b)
            .count();
        let mut chunks = Vec::new();
        let only_chunks = Index {
            chunks: expected.chunks.clone(),
            ..Index::default()
        };
        // Two empty tables of two bytes each follow the chunks.
        chunks.extend(only_chunks.encode()?);
        let mut names = Vec::new();
        let without_references = Index {
            references: Vec::new(),
            ..expected
        };
        names.extend(without_references.encode()?);
        let message = match same {
            _ if same == bytes.len() => format!(
                "{} bytes follow the index",
                stated.len().saturating_sub(same)
            ),
            _ if same < chunks.len().saturating_sub(4) => {
                "the table of chunks is not encoded as specified".to_owned()
            }
            _ if same < names.len().saturating_sub(2) => {
                "the chunks of a name are not those with symbols of that name".to_owned()
            }
            _ => "the references of a symbol are not those of its operations".to_owned(),
        };
        let offset = section.offset().saturating_add(same as u64);
        Err(Error::at(ErrorKind::Malformed, offset, message).with_section(section.name()))
    }
}

/// Checks that there are fingerprints exactly of the top and of the symbols of the operations.
fn check_hash_table(views: &TableViews, symbols: &Symbols) -> Result<()> {
    let section = views.store.section(section::HASHES);
    let Some(section) = section.filter(|_| views.hashes.is_some()) else {
        return Ok(());
    };
    let bytes = section.all()?;
    let mut input = Reader::with_base(&bytes, section.offset(), section.name());
    input.u8()?;
    let (count, mut data, mut offsets) = table(&mut input)?;
    input.expect_end()?;
    // Those of deep symbols can be missing.
    let is_deep = |depth: u32| depth > MAX_HASHED_DEPTH;
    let contained = symbols.symbols.iter().filter(|symbol| symbol.contained);
    let contained = contained.map(|symbol| (symbol.offset, is_deep(symbol.depth)));
    let mut expected = std::iter::once((views.totals.start, false)).chain(contained);
    let mut next = 0;
    for place in 0..count {
        offsets.begin(place as u64, &data)?;
        let at = data.offset();
        let offset = read_ascending(&mut data, place, next)?;
        next = offset.saturating_add(1);
        data.array::<32>()?;
        let found = expected.find(|&(expected, is_deep)| expected == offset || !is_deep);
        if found.map(|(expected, _)| expected) != Some(offset) {
            let message =
                format!("a fingerprint is not that of the next symbol, but of byte {offset}");
            return Err(malformed(&data, at, message));
        }
    }
    data.expect_end()?;
    match expected.find(|(_, is_deep)| !is_deep) {
        None => Ok(()),
        Some((offset, _)) => {
            let message = format!("the symbol at byte {offset} has no fingerprint");
            Err(malformed(&input, section.offset(), message))
        }
    }
}
