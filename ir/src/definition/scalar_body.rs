//! Region bodies that custom syntax omits: a scalar computation, as an expression in a definition.
//!
//! The grammar is in `spec/dialect-definitions.md`. The code that builds the body interprets the
//! functions.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::Text;
use super::release::ReleaseRange;
use std::fmt;

/// The computation of the only block of an operation's region, for a stack machine. The terminator
/// returns the values on the stack at the end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScalarBody {
    /// The number of arguments of the block.
    pub arguments: usize,
    /// The steps in order. Each pops its arguments from the stack; one value is left at the end.
    pub steps: Vec<BodyStep>,
    /// The releases in which it applies.
    pub releases: ReleaseRange,
}

/// A step of a [`ScalarBody`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BodyStep {
    /// `$0`: pushes an argument of the block.
    Argument(usize),
    /// `index(0)`: pushes the index in a dimension.
    Index(u32),
    /// `constant<i64>(5)`: pushes a number of a builtin type.
    Constant {
        /// The type.
        ty: Text,
        /// The number in decimal.
        value: Text,
    },
    /// `cast(...)`, `cast_unsigned<f64>(...)`: converts the top value to the type of the last
    /// argument, or to a builtin type.
    Cast {
        /// Whether integers are interpreted as unsigned; for a `cast`, the operation's attribute
        /// `cast` determines it, if present.
        unsigned: bool,
        /// The type; `None` denotes the type of the last argument.
        to: Option<Text>,
    },
    /// `add($0, $1)`: replaces the top values, the last argument uppermost, by the result of a
    /// function.
    Apply {
        /// The function.
        function: Text,
        /// The number of arguments, at least one.
        arguments: usize,
    },
}

/// Prints the expression as in a definition, without the releases.
impl fmt::Display for ScalarBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut stack: Vec<String> = Vec::new();
        for step in &self.steps {
            let text = match step {
                BodyStep::Argument(number) => format!("${number}"),
                BodyStep::Index(dimension) => format!("index({dimension})"),
                BodyStep::Constant { ty, value } => format!("constant<{ty}>({value})"),
                BodyStep::Cast { unsigned, to } => {
                    let name = if *unsigned { "cast_unsigned" } else { "cast" };
                    let ty = to.as_ref().map_or_else(String::new, |ty| format!("<{ty}>"));
                    format!("{name}{ty}({})", stack.pop().unwrap_or_default())
                }
                BodyStep::Apply {
                    function,
                    arguments,
                } => {
                    let start = stack.len().saturating_sub(*arguments);
                    format!("{function}({})", stack.split_off(start).join(", "))
                }
            };
            stack.push(text);
        }
        write!(f, "{} {}", self.arguments, stack.join(", "))
    }
}

/// The maximum nesting depth of functions in a body.
const DEEPEST: usize = 64;

/// A function whose arguments are being parsed.
struct Open<'a> {
    name: &'a str,
    ty: Option<&'a str>,
    arguments: usize,
}

/// Parses an expression.
///
/// # Errors
/// The error message and its offset in the text.
pub(super) fn parse<'a>(
    text: &'a str,
    releases: ReleaseRange,
    own: fn(&'a str) -> Text,
) -> Result<ScalarBody, (usize, String)> {
    let mut reader = Reader { text, at: 0 };
    let count: usize = reader.number()?;
    let mut steps = Vec::new();
    let mut open: Vec<Open<'a>> = Vec::new();
    loop {
        // An operand is expected.
        if reader.eat('$') {
            let place = reader.at;
            let number = reader.number()?;
            if number >= count {
                return Err((place, format!("there are {count} arguments")));
            }
            steps.push(BodyStep::Argument(number));
        } else {
            let name = reader.word()?;
            let ty = match reader.eat('<') {
                true => {
                    let ty = reader.word()?;
                    reader.expect('>')?;
                    Some(ty)
                }
                false => None,
            };
            reader.expect('(')?;
            match (name, ty) {
                ("index", None) => {
                    steps.push(BodyStep::Index(reader.number()?));
                    reader.expect(')')?;
                }
                ("constant", Some(ty)) => {
                    let value = reader.literal()?;
                    let (ty, value) = (own(ty), own(value));
                    steps.push(BodyStep::Constant { ty, value });
                    reader.expect(')')?;
                }
                _ if open.len() >= DEEPEST => {
                    return reader.fail("too many functions in functions");
                }
                _ => {
                    let arguments = 0;
                    open.push(Open {
                        name,
                        ty,
                        arguments,
                    });
                    continue;
                }
            }
        }
        // The value is an argument of the innermost open function.
        loop {
            let Some(mut function) = open.pop() else {
                return match reader.rest().is_empty() {
                    true => Ok(ScalarBody {
                        arguments: count,
                        steps,
                        releases,
                    }),
                    false => reader.fail("expected the end of the line"),
                };
            };
            function.arguments = function.arguments.saturating_add(1);
            if reader.eat(',') {
                open.push(function);
                break;
            }
            reader.expect(')')?;
            steps.push(match (function.name, function.ty, function.arguments) {
                ("cast" | "cast_unsigned", ty, 1) => BodyStep::Cast {
                    unsigned: function.name == "cast_unsigned",
                    to: ty.map(own),
                },
                (name, None, arguments) => BodyStep::Apply {
                    function: own(name),
                    arguments,
                },
                _ => return reader.fail("a type is valid after 'cast' and 'constant' only"),
            });
        }
    }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&mut self) -> &'a str {
        let rest = self.text.get(self.at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        self.at = self.text.len().saturating_sub(trimmed.len());
        trimmed
    }

    #[cold]
    fn fail<T>(&self, message: impl Into<String>) -> Result<T, (usize, String)> {
        Err((self.at, message.into()))
    }

    fn eat(&mut self, punctuation: char) -> bool {
        let found = self.rest().starts_with(punctuation);
        if found {
            self.at = self.at.saturating_add(punctuation.len_utf8());
        }
        found
    }

    fn expect(&mut self, punctuation: char) -> Result<(), (usize, String)> {
        match self.eat(punctuation) {
            true => Ok(()),
            false => self.fail(format!("expected '{punctuation}'")),
        }
    }

    fn take(
        &mut self,
        belongs: impl Fn(char) -> bool,
        what: &str,
    ) -> Result<&'a str, (usize, String)> {
        let rest = self.rest();
        let len = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        if len == 0 {
            return self.fail(format!("expected {what}"));
        }
        self.at = self.at.saturating_add(len);
        Ok(rest.get(..len).unwrap_or_default())
    }

    fn word(&mut self) -> Result<&'a str, (usize, String)> {
        self.take(|c| c.is_ascii_alphanumeric() || c == '_', "a name")
    }

    fn literal(&mut self) -> Result<&'a str, (usize, String)> {
        let belongs = |c: char| c.is_ascii_alphanumeric() || "+-.".contains(c);
        self.take(belongs, "a number")
    }

    fn number<T: std::str::FromStr>(&mut self) -> Result<T, (usize, String)> {
        let start = self.at;
        let digits = self.take(|c| c.is_ascii_digit(), "a number")?;
        let number = digits.parse();
        number.map_err(|_| (start, "the number is too large".to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &'static str) -> Result<ScalarBody, (usize, String)> {
        parse(text, ReleaseRange::ALL, Text::Borrowed)
    }

    #[test]
    fn arguments_come_before_their_function() {
        let body = read("3 add($2, cast<f64>(index(1)), neg(constant<i64>(-5)))").unwrap();
        assert_eq!(
            body.steps,
            [
                BodyStep::Argument(2),
                BodyStep::Index(1),
                BodyStep::Cast {
                    unsigned: false,
                    to: Some(Text::Borrowed("f64"))
                },
                BodyStep::Constant {
                    ty: Text::Borrowed("i64"),
                    value: Text::Borrowed("-5")
                },
                BodyStep::Apply {
                    function: Text::Borrowed("neg"),
                    arguments: 1
                },
                BodyStep::Apply {
                    function: Text::Borrowed("add"),
                    arguments: 3
                },
            ]
        );
    }

    #[test]
    fn it_is_printed_as_it_is_read() {
        for text in [
            "1 $0",
            "3 add($2, mul(cast($0), cast_unsigned<f64>($1)))",
            "4 select(index(1), constant<f64>(-2.5e-3), exp($0))",
        ] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_expression_is_an_error_with_its_place() {
        for (text, place) in [
            ("", 0),
            ("$0", 0),
            ("1 add($0", 8),
            ("1 add()", 6),
            ("1 $99999999999999999999", 3),
            ("1 $1", 3),
            ("1 add<i32>($0)", 14),
            ("2 $0 $1", 5),
        ] {
            assert_eq!(read(text).map_err(|error| error.0), Err(place), "{text}");
        }
        let deep = format!("1 {}", "f(".repeat(DEEPEST + 1)).leak();
        assert!(read(deep).is_err());
    }
}
