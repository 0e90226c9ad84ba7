//! The options that raise the limits on the work and memory that an input may cause.

use clap::Args;
use rmlir::format::Limits;
use std::borrow::Cow;

/// The limits by their names in errors of the library, with the options that raise them.
const OPTIONS: &[(&str, &str)] = &[
    ("Limits::max_shared_entities", "--max-entities"),
    ("Limits::max_decompressed_bytes", "--max-decompressed"),
    ("Limits::max_depth", "--max-nesting"),
    ("Limits::max_values_per_op", "--max-values"),
    ("Limits::max_section_count", "--max-sections"),
    ("ParseOptions::max_shared_entities", "--max-expansion"),
    ("PrintOptions::max_output", "--max-output"),
    ("mlirbc::WriteOptions::max_text", "--max-output"),
];

/// Replaces the name of a limit in an error by the option that raises it.
///
/// ```
/// use rmlir_tools::limits::with_options;
///
/// let error = "9 levels of nesting are more than the limit of 8 (Limits::max_depth)";
/// let shown = "9 levels of nesting are more than the limit of 8, which '--max-nesting' raises";
/// assert_eq!(with_options(error), shown);
/// ```
pub fn with_options(message: &str) -> Cow<'_, str> {
    let mut message = Cow::Borrowed(message);
    for (name, option) in OPTIONS {
        let name = format!(" ({name})");
        if message.contains(&name) {
            message = Cow::Owned(message.replace(&name, &format!(", which '{option}' raises")));
        }
    }
    message
}

/// Limits on the work and memory that an input may cause.
#[derive(Args, Clone, Debug, Default)]
pub struct LimitOptions {
    /// Limit on values, attributes and types that bytecode creates by sharing [default: 1048576]
    ///
    /// Of mlirbc, the limit is in addition to 64 for each byte of the input; of rmbc, it is at
    /// least 2 for each decompressed byte.
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub max_entities: Option<u64>,
    /// Limit on the size of compressed rmbc sections and of compressed input in bytes [default:
    /// 67108864]
    ///
    /// The limit is in addition to 256 bytes for each byte of the input.
    #[arg(long, value_name = "BYTES", hide_short_help = true)]
    pub max_decompressed: Option<u64>,
    /// Limit on the nesting depth of regions, attributes, types and locations in bytecode [default:
    /// 16777216]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub max_nesting: Option<u64>,
    /// Limit on the operands, results, regions or successors of an operation in bytecode [default:
    /// 16777216]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub max_values: Option<u64>,
    /// Limit on the number of sections of an rmbc file [default: 1024]
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub max_sections: Option<u64>,
    /// Limit on the expansion of a text through sharing, such as aliases that refer to others
    /// repeatedly [default: 16777216]
    ///
    /// In units of some bytes of memory, in addition to one for each byte of the text.
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub max_expansion: Option<u64>,
}

impl LimitOptions {
    /// Returns the limits on the work and memory that bytecode may cause.
    pub fn of_bytecode(&self) -> Limits {
        let mut limits = Limits::default();
        let fields = [
            (&mut limits.max_shared_entities, self.max_entities),
            (&mut limits.max_decompressed_bytes, self.max_decompressed),
            (&mut limits.max_depth, self.max_nesting),
            (&mut limits.max_values_per_op, self.max_values),
            (&mut limits.max_section_count, self.max_sections),
        ];
        for (field, option) in fields {
            *field = option.unwrap_or(*field);
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;
    use rmlir::format::limits::*;

    #[derive(clap::Parser)]
    struct Program {
        #[command(flatten)]
        limits: LimitOptions,
        #[command(flatten)]
        output: crate::save::OutputLimit,
    }

    #[test]
    fn every_option_exists() {
        let program = Program::command();
        for (_, option) in OPTIONS {
            let mut arguments = program.get_arguments();
            let found = arguments.any(|one| one.get_long() == option.strip_prefix("--"));
            assert!(found, "{option}");
        }
    }

    #[test]
    fn help_states_the_defaults_of_the_library() {
        let defaults = [
            ("max-entities", DEFAULT_MAX_SHARED_ENTITIES),
            ("max-decompressed", DEFAULT_MAX_DECOMPRESSED_BYTES),
            ("max-nesting", DEFAULT_MAX_DEPTH),
            ("max-values", DEFAULT_MAX_VALUES_PER_OP),
            ("max-sections", DEFAULT_MAX_SECTION_COUNT),
            ("max-expansion", DEFAULT_MAX_TEXT_EXPANSION),
        ];
        let program = Program::command();
        for (option, default) in defaults {
            let mut arguments = program.get_arguments();
            let argument = arguments.find(|one| one.get_long() == Some(option));
            let help = argument.and_then(|one| one.get_help()).unwrap().to_string();
            assert!(help.ends_with(&format!("[default: {default}]")), "{help}");
        }
    }
}
