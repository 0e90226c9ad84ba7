//! Diagnostics of modules that cannot be linked.

use crate::diagnostic::{Diagnostic, Severity, SourceText};
use rmlir_ir::{LinkError, LinkInput};

impl Diagnostic {
    /// Converts an error of [`link`](rmlir_ir::link()): the error is at the first of its
    /// operations, the others are notes. `sources` has the text of each input, if it was parsed
    /// from text.
    ///
    /// An error about no operation has no location. Linear in the length of the texts.
    pub fn of_link_error(
        error: &LinkError,
        inputs: &[LinkInput<'_>],
        sources: &[Option<SourceText<'_>>],
    ) -> Self {
        let mut places = error.places().iter().filter_map(|place| {
            let input = inputs.get(place.input)?;
            let location = input.module.location(place.operation);
            let source = sources.get(place.input).copied().flatten();
            Some((input.context, location, source, place.note))
        });
        let Some((context, location, source, _)) = places.next() else {
            let context = rmlir_ir::Context::new();
            let unknown = context.unknown_location();
            return Diagnostic::at_location(
                &context,
                unknown,
                Severity::Error,
                error.message(),
                None,
            );
        };
        let message = error.message();
        let mut diagnostic =
            Diagnostic::at_location(context, location, Severity::Error, message, source);
        for (context, location, source, note) in places {
            let mut note = Diagnostic::at_location(context, location, Severity::Note, note, source);
            // Notes do not have notes of their own.
            let callers = std::mem::take(&mut note.notes);
            diagnostic.notes.push(note);
            diagnostic.notes.extend(callers);
        }
        diagnostic
    }
}
