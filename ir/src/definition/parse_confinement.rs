//! Parses constraints on attributes, and their confinements.
#![deny(clippy::indexing_slicing, clippy::arithmetic_side_effects)]

use super::Text;
use super::line::{Line, Result, unknown};
use super::parse::Parser;
use crate::constraint::{
    ConfinedConstraint, Confinement, ConfinementRule, DEEPEST, NamedAttributeConstraint, RULES,
    RuleKind,
};

impl<'a> Parser<'a, '_> {
    /// Parses `name ["summary"] = Constraint[(confinements)]`.
    pub(super) fn attribute_constraint(&mut self, line: &mut Line<'a>) -> Result<()> {
        let start = line.place();
        let name = (self.own)(line.name()?);
        let summary = self.summary(line)?;
        line.expect('=')?;
        let constraint = self.confined(line, DEEPEST)?;
        let named = NamedAttributeConstraint {
            name: name.clone(),
            summary,
            constraint,
        };
        match self.attribute_constraints.insert(name, named) {
            None => Ok(()),
            Some(_) => Err(line.error_at(start, "the constraint is there already")),
        }
    }

    /// Parses `(confinement ["words"], ...)`, if it is present.
    pub(super) fn confinements(&mut self, line: &mut Line<'a>) -> Result<Vec<Confinement>> {
        self.list_of_confinements(line, DEEPEST)
    }

    /// Parses `Constraint[(confinements)]`; `depth` is the remaining nesting limit.
    fn confined(&mut self, line: &mut Line<'a>, depth: u32) -> Result<ConfinedConstraint> {
        Ok(ConfinedConstraint {
            name: self.group_name(line)?,
            confinements: self.list_of_confinements(line, depth)?,
        })
    }

    fn list_of_confinements(
        &mut self,
        line: &mut Line<'a>,
        depth: u32,
    ) -> Result<Vec<Confinement>> {
        let mut all = Vec::new();
        if !line.starts_with('(') {
            return Ok(all);
        }
        let Some(depth) = depth.checked_sub(1) else {
            return Err(line.error("nested too deeply"));
        };
        line.expect('(')?;
        loop {
            let rule = self.confinement_rule(line, depth)?;
            let is_message = line.eat_word("error");
            let words = match is_message {
                true => (self.own)(line.string()?),
                false => self.summary(line)?,
            };
            all.push(Confinement {
                rule,
                words,
                is_message,
            });
            if !line.eat(',') {
                break;
            }
        }
        line.expect(')')?;
        Ok(all)
    }

    fn confinement_rule(&mut self, line: &mut Line<'a>, depth: u32) -> Result<ConfinementRule> {
        let start = line.place();
        let name = line.name()?;
        let Some((_, kind)) = RULES.iter().find(|row| row.0 == name) else {
            let known = RULES.iter().map(|rule| rule.0);
            let message = unknown("confinement", name, known);
            return Err(line.error_at(start, message));
        };
        let rule = match *kind {
            RuleKind::Word(make) => return Ok(make()),
            RuleKind::Both => {
                return Ok(ConfinementRule::Both(
                    self.list_of_confinements(line, depth)?,
                ));
            }
            RuleKind::Type => {
                let start = line.place();
                let text = line.in_parentheses()?;
                return self.type_of(line, start, text).map(ConfinementRule::Type);
            }
            RuleKind::Number(make) => {
                line.expect('(')?;
                make(line.integer()?)
            }
            RuleKind::Numbers(make) => {
                line.expect('(')?;
                make(self.items(line, Line::integer)?)
            }
            RuleKind::Size(make) => {
                line.expect('(')?;
                make(line.size()?)
            }
            RuleKind::Sizes(make) => {
                line.expect('(')?;
                make(self.items(line, Line::size)?)
            }
            RuleKind::Place(make) => {
                line.expect('(')?;
                let at = line.size()?;
                line.expect(',')?;
                make(at, line.integer()?)
            }
            RuleKind::Each => {
                line.expect('(')?;
                ConfinementRule::Each(Box::new(self.confined(line, depth)?))
            }
            RuleKind::AnyOf => {
                line.expect('(')?;
                let mut all = vec![self.confined(line, depth)?];
                while line.eat(',') {
                    all.push(self.confined(line, depth)?);
                }
                ConfinementRule::AnyOf(all)
            }
        };
        line.expect(')')?;
        Ok(rule)
    }

    fn items<T>(&self, line: &mut Line<'a>, one: fn(&mut Line<'a>) -> Result<T>) -> Result<Vec<T>> {
        let mut all = vec![one(line)?];
        while line.eat(',') {
            all.push(one(line)?);
        }
        Ok(all)
    }

    /// Parses a predicate in parentheses, which may name a constraint of a used dialect.
    fn type_of(&self, line: &Line<'a>, start: usize, text: &'a str) -> Result<Text> {
        let inside = text.strip_prefix('(').and_then(|t| t.strip_suffix(')'));
        let inside = inside.unwrap_or(text).trim();
        let is_name = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
        if inside.is_empty() || !inside.bytes().all(is_name) {
            self.predicate(text)
                .map_err(|(at, message)| line.error_at(start.saturating_add(at), message))?;
        }
        Ok((self.own)(inside))
    }
}

#[cfg(test)]
mod tests {
    use crate::constraint::AttributeIs;
    use crate::definition::DialectDefinition;
    use crate::{AttributeKind, Context};
    use std::sync::Arc;

    const TEXT: &str = "dialect toy

attribute_constraint Small \"small number\" = I32Attr(min(-1), max(7))
attribute_constraint Smalls = ArrayAttr(each(Small(positive)) \"of small numbers\", count(1, 2))

op a
  attr alignment: I64Attr(both(positive, power_of_two)) optional
  attr dims: DenseI64ArrayAttr(increasing, max_count(3) \"and short\")
  attr kind: TypeAttrOf(type(i32 | vector<FloatLike> & rank(1)))
  attr list: ArrayAttr(min_element(1, 5))
  attr mixed: AnyAttr(any_of(StrAttr, Smalls))
  attr smalls: Smalls = [1 : i32]
";

    #[test]
    fn confinements_are_printed_as_they_are_read() {
        let read = DialectDefinition::parse(TEXT, &()).unwrap();
        assert_eq!(read.to_string(), TEXT);
    }

    #[test]
    fn confinements_hold() {
        let mut context = Context::new();
        let definition = Arc::new(DialectDefinition::parse(TEXT, &()).unwrap());
        context.register_dialect(Arc::clone(&definition));
        let (i32, i64, f32) = (context.i32_type(), context.i64_type(), context.f32_type());
        let mut number = |ty, n| context.integer_attribute(ty, n).unwrap();
        let (two, three, least) = (number(i64, 2), number(i64, 3), number(i64, i64::MIN));
        let (one, eight, zero) = (number(i32, 1), number(i32, 8), number(i32, 0));
        let [ones, eights, none, zeros] = [vec![one, one], vec![eight], vec![], vec![zero]]
            .map(|all| context.array_attribute(&all));
        let list = context.array_attribute(&[two, eight]);
        let [float, int] = [f32, i32].map(|ty| context.type_attribute(ty));
        let dense = |context: &mut Context, all: &[i64]| {
            let kind = AttributeKind::DenseArray {
                element: i64,
                length: all.len(),
                data: all.iter().flat_map(|n| n.to_le_bytes()).collect(),
            };
            context.try_attribute(kind).unwrap()
        };
        let sorted = dense(&mut context, &[-3, 0, 5]);
        let equal = dense(&mut context, &[1, 1]);
        let long = dense(&mut context, &[1, 2, 3, 4]);
        let name = context.string_attribute("s");
        let operation = &definition.operations()[0];
        let release = context.release();
        for (attribute, good, bad, summary) in [
            (
                "alignment",
                vec![two],
                vec![three, least, one, name],
                "64-bit signless integer attribute whose value is positive and whose value is a power of two > 0",
            ),
            (
                "dims",
                vec![sorted],
                vec![equal, long],
                "i64 dense array attribute should be in increasing order and short",
            ),
            (
                "kind",
                vec![int],
                vec![float, name],
                "type attribute of 32-bit signless integer or vector of floating-point-like values of ranks 1",
            ),
            (
                "list",
                vec![list],
                vec![ones, none],
                "array attribute whose 1-th element must be at least 5",
            ),
            (
                "mixed",
                vec![name, ones],
                vec![eights, two],
                "any attribute string attribute or array attribute of small numbers with 1 or 2 elements",
            ),
            (
                "smalls",
                vec![ones],
                vec![eights, none, zeros, name],
                "array attribute of small numbers with 1 or 2 elements",
            ),
        ] {
            let said = operation.attribute(attribute, release).unwrap();
            let is = AttributeIs::of(&context, &definition, said).unwrap();
            assert!(good.iter().all(|&a| is.accepts(&context, a)), "{attribute}");
            assert!(!bad.iter().any(|&a| is.accepts(&context, a)), "{attribute}");
            assert_eq!(is.summary(&context), summary);
        }
        let smalls = operation.attribute("smalls", release).unwrap();
        let is = AttributeIs::of(&context, &definition, smalls).unwrap();
        assert!(is.stores(&context, eights) && !is.stores(&context, name));
    }

    #[test]
    fn malformed_confinements_are_refused() {
        for (text, place) in [
            ("I64Attr()", "3:19: expected a name"),
            ("I64Attr(small)", "3:19: unknown confinement 'small'"),
            ("I64Attr(min)", "3:22: expected '('"),
            (
                "I64Attr(count(-1))",
                "3:25: expected an integer of 32 bits without sign",
            ),
            ("I64Attr(min(1)", "3:25: expected ')'"),
            (
                "TypeAttrOf(type(nothing | i32))",
                "3:27: 'nothing' is neither a predicate nor a constraint before this one",
            ),
        ] {
            let text = format!("dialect toy\nop a\n  attr x: {text}");
            let error = DialectDefinition::parse(&text, &()).unwrap_err();
            assert_eq!(error.to_string(), place);
        }
        let deep = format!("{}I64Attr{}", "ArrayAttr(each(".repeat(20), "))".repeat(20));
        let error = DialectDefinition::parse(&format!("dialect toy\nop a\n  attr x: {deep}"), &());
        assert_eq!(error.unwrap_err().message(), "nested too deeply");
    }
}
