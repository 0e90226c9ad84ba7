//! The release whose syntax of an operation a text has, found when its own does not fit.

use super::{Notes, Parser, parse_noting};
use crate::diagnostic::{Diagnostic, Severity};
use crate::options::ParseOptions;
use rmlir_ir::Context;
use rmlir_ir::definition::{
    DialectDefinition, Family, GroupDefinition, OperationDefinition, Release,
};
use std::sync::Arc;

/// The size in bytes of the largest text that is parsed again for a note.
const LARGEST: usize = 1 << 24;

/// The operation in whose custom syntax the first error of a text is.
#[derive(Debug)]
pub(crate) struct Failed {
    /// The number of errors that were found before it.
    error: usize,
    /// The offset of the operation's name.
    place: usize,
    /// The operation's name.
    name: Vec<u8>,
}

impl Parser<'_, '_> {
    /// Records that the custom syntax of an operation has an error, or that its name is unknown.
    #[cold]
    pub(super) fn failed(&mut self, name: &[u8], place: usize) {
        if self.failed.is_none() {
            let error = self.recovery.errors.len();
            let name = name.to_vec();
            self.failed = Some(Box::new(Failed { error, place, name }));
        }
    }
}

impl Failed {
    /// Adds a note to the error if the text has the operation's syntax of another release. Parses
    /// the text again for each release that defines the operation otherwise.
    #[cold]
    pub(super) fn note(
        &self,
        context: &Context,
        source: &[u8],
        options: &ParseOptions,
        diagnostics: &mut [Diagnostic],
    ) {
        let Some(error) = diagnostics.get_mut(self.error) else {
            return;
        };
        if source.len() > LARGEST {
            return;
        }
        let mut others = others(context, &self.name).into_iter();
        let Some(release) = others.find(|&release| self.is_read(context, source, options, release))
        else {
            return;
        };
        let name = self.name.escape_ascii();
        let mut note = error.clone();
        note.severity = Severity::Note;
        note.notes = Vec::new();
        let what = match split(context, &self.name) {
            Some((dialect, mnemonic))
                if dialect.operation(mnemonic, context.release()).is_none() =>
            {
                "is an operation of"
            }
            _ => "is written otherwise in",
        };
        note.message = format!("'{name}' {what} {release}: try --release {release}");
        error.notes.push(note);
    }

    /// Returns whether the operation is parsed under the rules of another release.
    fn is_read(
        &self,
        context: &Context,
        source: &[u8],
        options: &ParseOptions,
        release: Release,
    ) -> bool {
        let mut other = Context::new();
        if let Some(source) = context.dialect_source() {
            other.set_dialect_source(Arc::clone(source));
        }
        for dialect in context.registered_dialects() {
            other.register_dialect(Arc::clone(dialect));
        }
        other.set_release(release);
        let mut notes = Notes {
            is_retry: true,
            ..Notes::default()
        };
        match parse_noting(&mut other, source, options, &mut notes) {
            Ok(_) => true,
            Err(errors) => {
                let place = notes.failed.map(|failed| failed.place);
                let offset = errors.first().offset;
                place != Some(self.place) && offset.is_some_and(|offset| offset > self.place)
            }
        }
    }
}

/// Returns the dialect of an operation, and its mnemonic.
fn split<'n>(context: &Context, name: &'n [u8]) -> Option<(Arc<DialectDefinition>, &'n [u8])> {
    let at = name.iter().position(|&byte| byte == b'.')?;
    let (namespace, mnemonic) = name.split_at_checked(at)?;
    Some((context.dialect(namespace)?, mnemonic.get(1..)?))
}

/// Returns the releases of LLVM that define an operation otherwise than the context's, the nearest
/// first.
fn others(context: &Context, name: &[u8]) -> Vec<Release> {
    let own = context.release();
    let Some((dialect, mnemonic)) = split(context, name) else {
        return Vec::new();
    };
    if dialect.family != Family::Llvm || own.family != Family::Llvm {
        return Vec::new();
    }
    let numbers = Family::Llvm.known_numbers().iter().copied();
    let others = numbers.filter(|&number| number != own.number);
    let others = others.map(|number| Release::new(Family::Llvm, number));
    let mut others: Vec<Release> = others
        .filter(|&other| differs(&dialect, mnemonic, own, other))
        .collect();
    others.sort_by_key(|other| other.number.abs_diff(own.number));
    others
}

/// Returns whether the definitions of an operation in two releases can have different syntax. Code
/// can do so in each release.
fn differs(dialect: &DialectDefinition, mnemonic: &[u8], own: Release, other: Release) -> bool {
    let Some(definition) = dialect.operation(mnemonic, other) else {
        return false;
    };
    let Some(known) = dialect.operation(mnemonic, own) else {
        return true;
    };
    if definition.syntax.is_some() {
        return true;
    }
    let format = |definition: &OperationDefinition, release| {
        definition.format(release).map(ToString::to_string)
    };
    let names = |definition: &OperationDefinition, release| {
        let of = |groups: &[GroupDefinition]| {
            let groups = definition.groups_in(groups, release);
            groups
                .map(|group| group.name.to_string())
                .collect::<Vec<_>>()
        };
        let attributes = definition.attributes_in(release);
        let attributes = attributes.map(|one| format!("{} {:?}", one.name, one.constraint));
        (
            [of(&definition.operands), of(&definition.results)],
            attributes.collect::<Vec<_>>(),
        )
    };
    format(definition, other) != format(known, own) || names(definition, other) != names(known, own)
}
