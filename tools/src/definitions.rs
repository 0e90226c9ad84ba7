//! Dialect definitions that users provide.

use crate::Failure;
use crate::load::LoadOptions;
use rmlir::dialects::read_definitions;
use rmlir::ir::definition::DialectDefinition;
use std::sync::{Arc, OnceLock};

/// The definitions named on the command line, read on first use.
#[derive(Clone, Debug, Default)]
pub(crate) struct Definitions(Arc<OnceLock<Vec<Arc<DialectDefinition>>>>);

impl Definitions {
    pub(crate) fn get(&self, load: &LoadOptions) -> Result<Vec<Arc<DialectDefinition>>, Failure> {
        if let Some(read) = self.0.get() {
            return Ok(read.clone());
        }
        let mut definitions = Vec::new();
        for path in &load.dialect {
            let input = crate::input::read(path, !load.no_mmap)?;
            let read = read_definitions(input.source()?, &input.name)?;
            definitions.extend(read.into_iter().map(Arc::new));
        }
        Ok(self.0.get_or_init(|| definitions).clone())
    }
}
