//! Command lines in the style of LLVM's tools, where one dash can precede a long option, and flags
//! can have a value.

use clap::{Arg, ArgAction, Command};
use std::ffi::OsString;

/// Returns a command line with two dashes before each long option, in which flags have no value:
/// `-flag=true` is `--flag`, and `-flag=false` is left out.
///
/// An argument with one dash is a short option if its first letter is one and its name is not that
/// of a long option: `-o`, `-oFILE`. Otherwise it is a long option: `-split-input-file`,
/// `-opt=value`. The first argument, `-`, and the arguments following `--` are unchanged.
pub fn with_two_dashes(
    command_line: impl IntoIterator<Item = OsString>,
    command: &Command,
) -> Vec<OsString> {
    let mut command = command.clone();
    // Adds '--help' and '--version'.
    command.build();
    let mut is_program = true;
    let mut are_options = true;
    command_line
        .into_iter()
        .filter_map(|argument| {
            let is_first = std::mem::take(&mut is_program);
            are_options &= argument != "--";
            if is_first || !are_options {
                return Some(argument);
            }
            let mut argument = argument;
            if has_one_dash(&argument, &command) {
                let mut dashed = OsString::from("-");
                dashed.push(argument);
                argument = dashed;
            }
            match flag_with_value(&argument, &command) {
                None => Some(argument),
                Some((flag, true)) => Some(OsString::from(flag)),
                Some((_, false)) => None,
            }
        })
        .collect()
}

/// Returns a flag that has a truth value, in the spellings of LLVM's tools, and the value.
fn flag_with_value<'a>(argument: &'a OsString, command: &Command) -> Option<(&'a str, bool)> {
    let (flag, value) = argument.to_str()?.split_once('=')?;
    let value = match value {
        "true" | "TRUE" | "True" | "1" => true,
        "false" | "FALSE" | "False" | "0" => false,
        _ => return None,
    };
    let name = flag.strip_prefix("--")?;
    let mut options = command.get_arguments();
    let is_flag = |arg: &Arg| matches!(arg.get_action(), ArgAction::SetTrue);
    let found = options.any(|arg| is_named(arg, name) && is_flag(arg));
    found.then_some((flag, value))
}

/// Returns whether a long option has this name.
fn is_named(arg: &Arg, name: &str) -> bool {
    arg.get_long() == Some(name)
        || (arg.get_all_aliases()).is_some_and(|aliases| aliases.contains(&name))
}

/// Returns whether an argument is a long option with one dash.
fn has_one_dash(argument: &OsString, command: &Command) -> bool {
    let Some(option) = argument.to_str().and_then(|text| text.strip_prefix('-')) else {
        return false;
    };
    let mut letters = option.chars();
    let (Some(first), Some(_)) = (letters.next(), letters.next()) else {
        return false;
    };
    let name = option.split_once('=').map_or(option, |(name, _)| name);
    let is_long = |arg: &Arg| is_named(arg, name);
    first != '-'
        && (command.get_arguments().any(is_long)
            || !(command.get_arguments()).any(|arg| arg.get_short() == Some(first)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn normalized(arguments: &[&str]) -> Vec<String> {
        let flag = |name| Arg::new(name).long(name).action(ArgAction::SetTrue);
        let command = Command::new("test")
            .version("1")
            .arg(Arg::new("output").short('o'))
            .arg(flag("split-input-file"))
            .arg(flag("only").alias("hidden").visible_alias("oldest"))
            .arg(Arg::new("input"));
        let all = std::iter::once(&"-only").chain(arguments);
        let line = with_two_dashes(all.map(OsString::from), &command);
        let text = |argument: OsString| argument.to_string_lossy().into_owned();
        line.into_iter().map(text).collect()
    }

    #[test]
    fn long_options_get_a_second_dash() {
        let line = normalized(&["-split-input-file", "-only=a=b", "-hidden", "-oldest"]);
        assert_eq!(
            line,
            [
                "-only",
                "--split-input-file",
                "--only=a=b",
                "--hidden",
                "--oldest"
            ]
        );
        assert_eq!(
            normalized(&["-help", "-version"])[1..],
            ["--help", "--version"]
        );
    }

    #[test]
    fn flags_have_truth_values() {
        let line = normalized(&[
            "-only=true",
            "--split-input-file=false",
            "--hidden=0",
            "-o=1",
        ]);
        assert_eq!(line[1..], ["--only", "-o=1"]);
        let same = ["--only=maybe", "--unknown=true", "--", "--only=true"];
        assert_eq!(normalized(&same)[1..], same);
    }

    #[test]
    fn other_arguments_are_unchanged() {
        let same = [
            "-", "", "-o", "-", "-ofile", "-o=f", "-h", "-V", "--only", "a-b", "-x",
        ];
        assert_eq!(normalized(&same)[1..], same);
        let behind = ["--", "-only", "-split-input-file"];
        assert_eq!(normalized(&behind)[1..], behind);
    }

    #[test]
    fn unknown_options_are_long() {
        assert_eq!(
            normalized(&["-unknown=1", "-é", "-éé"])[1..],
            ["--unknown=1", "-é", "--éé"]
        );
    }

    #[cfg(unix)]
    #[test]
    fn names_need_not_be_unicode() {
        use std::os::unix::ffi::OsStringExt;
        let argument = OsString::from_vec(b"-o\xff".to_vec());
        let line = with_two_dashes([OsString::new(), argument.clone()], &Command::new("test"));
        assert_eq!(line, [OsString::new(), argument]);
    }
}
