//! Checks against dialects whose definitions are complete, and suggestions for unknown names.

use crate::definition::DialectDefinition;
use crate::{
    AttributeKind, Context, DialectBody, Entry, Identifier, Invalid, TypeKind, nearest_name,
};

impl Context {
    /// Returns the full name of the defined operation that is most similar to an unknown name of
    /// the same dialect, or, if the dialect is unknown too, of the dialect whose name is most
    /// similar: the name of this dialect alone if none of its operations is similar. Linear in the
    /// number of dialects and in the operations of one.
    pub fn suggest_operation(&self, name: &[u8]) -> Option<String> {
        let dot = name.iter().position(|&b| b == b'.')?;
        let (namespace, mnemonic) = (name.get(..dot)?, name.get(dot.saturating_add(1)..)?);
        if let Some(dialect) = self.dialect(namespace) {
            return self.similar_operation(&dialect, mnemonic);
        }
        let known = self.dialect_source();
        let known = known.map(|source| source.namespaces()).unwrap_or_default();
        let registered = self.registered_dialects().iter().map(|known| &*known.name);
        let near = nearest_name(
            namespace,
            registered.chain(known.iter().map(|name| &**name)),
        )?;
        let dialect = self.dialect(near.as_bytes())?;
        let meant = self.similar_operation(&dialect, mnemonic);
        Some(meant.unwrap_or_else(|| near.to_owned()))
    }

    fn similar_operation(&self, dialect: &DialectDefinition, mnemonic: &[u8]) -> Option<String> {
        let operations = dialect.operations().iter();
        let exist = operations.filter(|op| op.number(self.release()).is_some());
        let names = exist.map(|op| &*op.mnemonic);
        let meant = nearest_name(mnemonic, names)?;
        Some(format!("{}.{meant}", dialect.name))
    }

    /// Checks that an attribute or type is declared, if its dialect's definition is complete.
    pub(crate) fn check_is_known(&self, entry: Entry) -> Result<(), Invalid> {
        match entry {
            Entry::Attribute(attribute) => match self.attribute_kind(attribute) {
                AttributeKind::Dialect { dialect, body, .. } => {
                    self.check_is_known_body(*dialect, body, false)
                }
                _ => Ok(()),
            },
            Entry::Type(ty) => match self.type_kind(ty) {
                TypeKind::Dialect { dialect, body } => {
                    self.check_is_known_body(*dialect, body, true)
                }
                _ => Ok(()),
            },
            Entry::Location(_) => Ok(()),
        }
    }

    /// Checks that an attribute or type with that body is declared, if its dialect's definition is
    /// complete.
    ///
    /// # Errors
    ///
    /// That it is unknown, with a suggestion.
    pub fn check_is_known_body(
        &self,
        dialect: Identifier,
        body: &DialectBody,
        is_type: bool,
    ) -> Result<(), Invalid> {
        let Some(dialect) = self.dialect(self.bytes(dialect)) else {
            return Ok(());
        };
        // Upstream has two spaces, too.
        let (table, complete, what) = match is_type {
            false => (
                &dialect.attributes,
                dialect.attributes_complete,
                "attribute",
            ),
            true => (&dialect.types, dialect.types_complete, " type"),
        };
        let number = self.release().number_in(dialect.family);
        // An entry of any release is known, so the definitions of another project than the one
        // whose release is set apply as well.
        if !complete || table.entry_of(body, number).is_some() {
            return Ok(());
        }
        let mnemonic = body.mnemonic();
        let names = table.entries().iter().map(|entry| &*entry.mnemonic);
        let meant = nearest_name(mnemonic, names);
        let meant = meant.map(|meant| format!("; did you mean '{meant}'?"));
        let mnemonic = mnemonic.escape_ascii().to_string();
        let reason = match &*dialect.unknown_type {
            message if is_type && !message.is_empty() => message.replace("{mnemonic}", &mnemonic),
            _ => format!("unknown {what} `{mnemonic}` in dialect `{}`", dialect.name),
        };
        Err(Invalid::new(reason + &meant.unwrap_or_default()))
    }
}
