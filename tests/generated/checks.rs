//! Checks that a module is the same after round-trips through text and bytecode.

use super::*;

/// Checks that a valid module is the same after round-trips through text and bytecode; the error is
/// the reason why it is invalid.
pub(super) fn check_module(text: &str, name: &str, coverage: &mut Coverage) -> Result<(), String> {
    let mut context = new_context();
    let read = |context: &mut Context, text: &[u8]| {
        parse_module(context, text, &ParseOptions::default())
            .map_err(|errors| errors.first().message.clone())
    };
    let module = read(&mut context, text.as_bytes()).map_err(|e| generic_reason(&e))?;
    let verified = verify(&context, &module, module.top(), &VerifyOptions::default());
    verified.map_err(|errors| generic_reason(&errors[0].message.to_string()))?;
    let mut failures = Vec::new();
    // Custom form does not keep what means the same as its absence.
    let mut kept_context = new_context();
    let mut kept = read(&mut kept_context, text.as_bytes()).expect("it was read");
    remove_implied(&mut kept_context, &mut kept);
    let mut shown = Vec::new();
    for generic in [false, true] {
        let mut print = PrintOptions::default();
        print.generic = generic;
        let printed = module_to_string(&context, &module, &print).expect("it is printed");
        let text = String::from_utf8_lossy(&printed).into_owned();
        coverage.custom += usize::from(!generic && !text.contains(&format!("\"{name}\"")));
        let mut other = new_context();
        match read(&mut other, &printed) {
            Ok(mut again) => {
                let expected = match generic {
                    true => (&context, &module),
                    false => (&kept_context, &kept),
                };
                if !generic {
                    remove_implied(&mut other, &mut again);
                }
                let found = difference("text", expected, (&other, &again));
                failures.extend(found.map(|found| format!("{found}\n{text}")));
            }
            Err(error) => failures.push(format!("text is not read: {error}\n{text}")),
        }
        shown.push(text);
    }
    let kept = module_to_string(&kept_context, &kept, &PrintOptions::generic());
    if let (Ok(kept), [custom, generic]) = (kept, &shown[..]) {
        coverage.for_upstream.push(upstream::Example {
            name: name.to_owned(),
            generic: generic.clone(),
            custom: custom.clone(),
            kept: String::from_utf8_lossy(&kept).into_owned(),
        });
    }
    let bytes = rmbc_writer::write_module(&context, &module, &rmbc_writer::WriteOptions::default());
    let bytes = bytes.expect("rmbc is written");
    let mut other = new_context();
    match rmbc_reader::read_module_from_slice(
        &mut other,
        &bytes,
        &rmbc_reader::ReadOptions::default(),
    ) {
        Ok(again) => failures.extend(difference("rmbc", (&context, &module), (&other, &again))),
        Err(error) => failures.push(format!("rmbc is not read: {error}")),
    }
    let mut options = mlirbc_writer::WriteOptions::default();
    options.target = Some(release());
    match mlirbc_writer::write_module(&mut context, &module, &options) {
        Ok(bytes) => {
            let mut other = new_context();
            let options = mlirbc_reader::ReadOptions::default();
            match mlirbc_reader::read_module_from_slice(&mut other, &bytes, &options) {
                Ok(again) => {
                    failures.extend(difference("mlirbc", (&context, &module), (&other, &again)))
                }
                Err(error) => failures.push(format!("mlirbc is not read: {error}")),
            }
        }
        // Content that the release cannot represent is rejected.
        Err(error) => {
            let reason = format!("mlirbc: {}", generic_reason(&error.to_string()));
            let names = coverage.reasons.entry(reason).or_default();
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
    }
    let failures = failures.into_iter();
    coverage
        .failures
        .extend(failures.map(|failure| format!("{failure}\n{text}")));
    Ok(())
}

/// Returns how a module that was read back differs from the written one.
pub(super) fn difference(
    what: &str,
    original: (&Context, &Module),
    again: (&Context, &Module),
) -> Option<String> {
    let difference = semantic_difference(
        (original.0, original.1, original.1.top()),
        (again.0, again.1, again.1.top()),
        &EqualityOptions::default(),
    );
    difference.map(|found| format!("{what}: {found}"))
}
