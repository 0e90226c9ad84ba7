//! The form of a tool's output, which a result that is put together has too.

use rmlir::ir::Location;
use rmlir::ir::hash::Hex;
use rmlir::text::{PrintOptions, print_module};
use rmlir::{Form, Ir, ReadOptions, Threads};

/// The form of an output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum OutputForm {
    /// Text, as these options print it.
    Text {
        generic: bool,
        debug_info: bool,
        local_scope: bool,
        /// Whether an empty line ends it.
        empty_line: bool,
    },
    /// Native bytecode.
    Rmbc,
    /// Upstream's bytecode, of a version and producer.
    Mlirbc {
        version: Option<u8>,
        producer: Vec<u8>,
    },
}

/// What a tool made of a part.
pub(crate) enum PartOutput {
    /// A module that was not written.
    Module(Box<Ir>),
    /// A file.
    Bytes(Vec<u8>),
}

/// Returns the options with which inputs and outputs of tools are read: what the definitions say is
/// not enforced, since the tool decides what it accepts.
pub(crate) fn read_options(name: &str, threads: Threads) -> ReadOptions {
    let mut options = ReadOptions::default();
    options.file_name = name.to_owned();
    options.allow_unknown = true;
    options.check_text = false;
    options.threads = threads;
    options
}

impl OutputForm {
    /// Reads an output and finds its form. `None` if it is not a module, or a text that this crate
    /// would print differently.
    pub(crate) fn read(bytes: Vec<u8>, threads: Threads) -> Option<(Ir, OutputForm)> {
        let (mut irs, form) = Self::read_all(vec![PartOutput::Bytes(bytes)], None, threads)?;
        Some((irs.pop()?, form))
    }

    /// Reads outputs of one form: the known one, or the one that all of them have. A text need not
    /// determine its form, for example if it has nothing that could be an alias.
    pub(crate) fn read_all(
        outputs: Vec<PartOutput>,
        known: Option<&OutputForm>,
        threads: Threads,
    ) -> Option<(Vec<Ir>, OutputForm)> {
        let options = read_options("-", threads);
        let mut form = known.cloned();
        let mut irs: Vec<Ir> = Vec::with_capacity(outputs.len());
        let mut texts: Vec<Vec<u8>> = Vec::new();
        for output in outputs {
            let (ir, own) = match output {
                PartOutput::Module(ir) => (*ir, Some(OutputForm::Rmbc)),
                PartOutput::Bytes(bytes) => match Form::of(&bytes) {
                    Form::Text => {
                        let ir = rmlir::parse_with(&bytes, &options).ok()?;
                        texts.push(bytes);
                        (ir, None)
                    }
                    Form::Rmbc => (
                        rmlir::read_with(bytes, &options).ok()?,
                        Some(OutputForm::Rmbc),
                    ),
                    Form::Mlirbc => {
                        let ir = rmlir::read_with(bytes, &options).ok()?;
                        let form = Self::of_mlirbc(&ir);
                        (ir, Some(form))
                    }
                    _ => return None,
                },
            };
            irs.push(ir);
            let is_form = |form: &OutputForm, ir: &Ir, bytes: &[u8]| {
                form.print(ir, threads).is_some_and(|text| text == bytes)
            };
            match (own, &form) {
                (Some(own), None) => form = Some(own),
                (Some(own), Some(form)) if own == *form => {}
                (Some(_), Some(_)) => return None,
                (None, Some(form)) if is_form(form, irs.last()?, texts.last()?) => {}
                (None, Some(_)) if known.is_some() => return None,
                (None, _) => {
                    // All are texts, or the form of an earlier one is not that of a text.
                    let found = Self::of_text(irs.last()?, texts.last()?, threads)?;
                    let mut before = irs.iter().zip(&texts).rev().skip(1);
                    if irs.len() != texts.len()
                        || !before.all(|(ir, text)| is_form(&found, ir, text))
                    {
                        return None;
                    }
                    form = Some(found);
                }
            }
        }
        let form = form?;
        if !form.has_locations() {
            // They are positions in the output, which the output does not have.
            for ir in &mut irs {
                let unknown = ir.context().unknown_location();
                set_locations(ir, unknown)?;
            }
        }
        Some((irs, form))
    }

    fn of_mlirbc(ir: &Ir) -> Self {
        let (context, module) = ir.parts();
        let producer = module.provenance.producer;
        OutputForm::Mlirbc {
            version: module.provenance.bytecode_version,
            producer: producer
                .map(|p| context.bytes(p).to_vec())
                .unwrap_or_default(),
        }
    }

    /// Finds the options with which a module is printed as it was.
    fn of_text(ir: &Ir, bytes: &[u8], threads: Threads) -> Option<Self> {
        let has_locations = memchr::memmem::find(bytes, b"loc(").is_some();
        let is_generic = memchr::memmem::find(bytes, b"\"() ").is_some()
            || memchr::memmem::find(bytes, b"\"builtin.module\"").is_some();
        for number in 0..8u8 {
            let form = |empty_line| OutputForm::Text {
                generic: (number & 1 != 0) != is_generic,
                debug_info: (number & 2 != 0) != has_locations,
                local_scope: number & 4 != 0,
                empty_line,
            };
            let text = form(false).print(ir, threads)?;
            if text == bytes {
                return Some(form(false));
            }
            if bytes.strip_suffix(b"\n") == Some(&text) {
                return Some(form(true));
            }
        }
        None
    }

    fn print(&self, ir: &Ir, threads: Threads) -> Option<Vec<u8>> {
        let &OutputForm::Text {
            generic,
            debug_info,
            local_scope,
            empty_line,
        } = self
        else {
            return None;
        };
        let mut options = PrintOptions::default();
        options.generic = generic;
        options.debug_info = debug_info;
        options.local_scope = local_scope;
        options.threads = threads;
        let (context, module) = ir.parts();
        let mut out = Vec::new();
        print_module(context, module, &options, &mut out).ok()?;
        if empty_line {
            out.push(b'\n');
        }
        Some(out)
    }

    /// Returns whether the output has locations.
    pub(crate) fn has_locations(&self) -> bool {
        !matches!(
            self,
            OutputForm::Text {
                debug_info: false,
                ..
            }
        )
    }

    /// Returns whether equal content has equal bytes only if it is printed by the same program.
    pub(crate) fn is_text(&self) -> bool {
        matches!(self, OutputForm::Text { .. })
    }

    /// Writes a module in this form.
    pub(crate) fn write(&self, ir: &mut Ir, threads: Threads) -> Option<Vec<u8>> {
        let mut options = rmlir::WriteOptions::default();
        match self {
            OutputForm::Text { .. } => self.print(ir, threads),
            OutputForm::Rmbc => {
                options.rmbc.threads = threads;
                ir.to_bytes(Form::Rmbc, &options).ok()
            }
            OutputForm::Mlirbc { version, producer } => {
                options.mlirbc.version = *version;
                options.mlirbc.producer = Some(producer.clone());
                ir.to_bytes(Form::Mlirbc, &options).ok()
            }
        }
    }

    /// Returns the form as a word for files.
    pub(crate) fn to_word(&self) -> String {
        let flag = |value: bool| if value { '1' } else { '0' };
        match self {
            OutputForm::Text {
                generic,
                debug_info,
                local_scope,
                empty_line,
            } => {
                let flags = [*generic, *debug_info, *local_scope, *empty_line];
                format!("text:{}", flags.map(flag).iter().collect::<String>())
            }
            OutputForm::Rmbc => "rmbc".to_owned(),
            OutputForm::Mlirbc { version, producer } => {
                let version = version
                    .map(|version| version.to_string())
                    .unwrap_or_default();
                format!("mlirbc:{version}:{}", Hex(producer))
            }
        }
    }
}

/// Sets all locations of a module.
fn set_locations(ir: &mut Ir, location: Location) -> Option<()> {
    let (context, module) = ir.parts_mut();
    let top = module.top();
    module
        .map_locations(context, top, |_, _| Some(location))
        .ok()
}

impl OutputForm {
    /// Parses what [`to_word`](Self::to_word) writes.
    pub(crate) fn parse_word(word: &str) -> Option<Self> {
        let mut fields = word.split(':');
        match fields.next()? {
            "text" => {
                let flags: Vec<bool> = fields.next()?.chars().map(|c| c == '1').collect();
                let &[generic, debug_info, local_scope, empty_line] = flags.as_slice() else {
                    return None;
                };
                Some(OutputForm::Text {
                    generic,
                    debug_info,
                    local_scope,
                    empty_line,
                })
            }
            "rmbc" => Some(OutputForm::Rmbc),
            "mlirbc" => {
                let version = match fields.next()? {
                    "" => None,
                    number => Some(number.parse().ok()?),
                };
                let digits = fields.next()?.as_bytes();
                let pairs = digits.chunks(2).map(|pair| {
                    let pair = std::str::from_utf8(pair).ok()?;
                    u8::from_str_radix(pair, 16).ok()
                });
                Some(OutputForm::Mlirbc {
                    version,
                    producer: pairs.collect::<Option<Vec<u8>>>()?,
                })
            }
            _ => None,
        }
    }
}

/// Returns whether a file contains a text. What native bytecode compresses is looked at, too.
pub(crate) fn has_text(bytes: &[u8], text: &str) -> bool {
    let text = text.as_bytes();
    any_text(bytes, |one| memchr::memmem::find(one, text).is_some())
}

/// Returns whether the content of a file contains the whole name of a file. In binary content, it
/// may be the end of a longer name.
pub(crate) fn has_file_name(bytes: &[u8], name: &[u8]) -> bool {
    let is_of_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-.".contains(byte);
    let is_text = std::str::from_utf8(bytes).is_ok();
    any_text(bytes, |one| {
        memchr::memmem::find_iter(one, name).any(|at| {
            let before = at.checked_sub(1).and_then(|at| one.get(at));
            let after = one.get(at.saturating_add(name.len()));
            !(after.is_some_and(is_of_name) || is_text && before.is_some_and(is_of_name))
        })
    })
}

/// Returns whether a condition is true of the bytes of a file, or of a string that native bytecode
/// compresses.
fn any_text(bytes: &[u8], has: impl Fn(&[u8]) -> bool) -> bool {
    if has(bytes) {
        return true;
    }
    if Form::of(bytes) != Form::Rmbc {
        return false;
    }
    let options = read_options("-", Threads::ONE);
    let Ok(file) = rmlir::File::from_bytes(bytes.to_vec(), &options) else {
        return true;
    };
    let mut found = false;
    let read = file.texts(&mut |one| found |= has(one));
    found || read.is_err()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files() {
        let is_in = |text: &[u8]| has_file_name(text, b"a.mlir");
        for text in [
            &b"loc(\"a.mlir\":1:2)"[..],
            b"/x/a.mlir: error",
            b"a.mlir",
            b"\xffxa.mlir\0",
        ] {
            assert!(is_in(text));
        }
        for text in [
            &b"aa.mlir"[..],
            b"a.mlir.x",
            b"a.mlirbc",
            b"\xffa.mlirbc",
            b"",
        ] {
            assert!(!is_in(text));
        }
    }
}
