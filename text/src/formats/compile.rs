//! Compiles a format, which is a tree, to the steps of a plan.

use super::forms::{Form, form, property_form};
use super::plan::{
    Anchor, ArgumentKind, Branch, Clause, Clauses, EndClause, First, Groups, Lists, NoPlan, Plan,
    PlannedArgument, PlannedAttribute, PlannedDirective, Step, TypesIn,
};
use crate::lexer::{Lexer, TokenKind};
use rmlir_ir::constraint::AttributeIs;
use rmlir_ir::definition::{
    DialectDefinition, DirectiveArgument, EntryDefinition, Family, FormatElement, GroupDefinition,
    GroupKind, LlvmFeature, OperationDefinition, OperationDirective, OperationElement,
    OperationFormat, Presence, PropertyBase, Text, TypesOf, VariableKind,
};
use rmlir_ir::{Context, OperationTraits};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::sync::Arc;

/// The state of compiling a format to a plan.
pub(super) struct Compiler<'d> {
    pub(super) context: &'d Context,
    pub(super) definition: &'d OperationDefinition,
    format: &'d OperationFormat,
    pub(super) plan: Plan,
    pub(super) operand_groups: Vec<&'d GroupDefinition>,
    pub(super) result_groups: Vec<&'d GroupDefinition>,
    /// The first group of each name, by kind, and the attributes and properties.
    places: HashMap<(VariableKind, &'d str), Anchor>,
    /// Upstream's state of spaces: whether a space precedes the next element, and whether the last
    /// was punctuation. It is propagated through all groups, whether they are present or not.
    space: bool,
    punctuation: bool,
    /// The types that the format covers.
    pub(super) said: Vec<TypesIn>,
}

impl<'d> Compiler<'d> {
    pub(super) fn new(
        context: &'d Context,
        definition: &'d OperationDefinition,
        format: &'d OperationFormat,
        dialect: Arc<DialectDefinition>,
    ) -> Self {
        let release = context.release();
        let traits = definition.traits(release);
        let groups = |groups: &'d [GroupDefinition]| definition.groups_in(groups, release);
        let operands = Groups::new(
            context,
            groups(&definition.operands),
            traits,
            OperationTraits::ATTRIBUTE_SIZED_OPERANDS,
            OperationTraits::SAME_VARIADIC_OPERAND_SIZE,
            rmlir_ir::definition::OPERAND_SEGMENT_SIZES,
        );
        let results = Groups::new(
            context,
            groups(&definition.results),
            traits,
            OperationTraits::ATTRIBUTE_SIZED_RESULTS,
            OperationTraits::SAME_VARIADIC_RESULT_SIZE,
            rmlir_ir::definition::RESULT_SEGMENT_SIZES,
        );
        let kinds =
            |list: &'d [GroupDefinition]| groups(list).map(|group| group.kind).collect::<Vec<_>>();
        let mut places = HashMap::new();
        for (kind, list, anchor) in [
            (
                VariableKind::Operand,
                &definition.operands,
                Anchor::Operands as fn(usize) -> Anchor,
            ),
            (VariableKind::Result, &definition.results, Anchor::Results),
            (VariableKind::Region, &definition.regions, Anchor::Region),
            (
                VariableKind::Successor,
                &definition.successors,
                Anchor::Successors,
            ),
        ] {
            for (number, group) in groups(list).enumerate() {
                places.entry((kind, &*group.name)).or_insert(anchor(number));
            }
        }
        let names = definition.attributes_in(release).map(|a| &*a.name);
        let names = names.chain(definition.properties_in(release).map(|p| &*p.name));
        for (number, name) in names.enumerate() {
            let attribute = Anchor::Attribute(number);
            places
                .entry((VariableKind::Attribute, name))
                .or_insert(attribute);
        }
        let mut attributes: Vec<PlannedAttribute> = Vec::new();
        for attribute in definition.attributes_in(release) {
            let form = form(context, &dialect, attribute);
            let is = match form {
                Form::Any | Form::Token(_) | Form::Typed(_) => {
                    AttributeIs::of(context, &dialect, attribute)
                }
                _ => None,
            };
            attributes.push(PlannedAttribute {
                name: attribute.name.clone(),
                identifier: context.find_identifier(attribute.name.as_bytes()),
                form,
                is: is.map(Box::new),
                required: attribute.presence == Presence::Required,
                may_be_dictionary: matches!(
                    &*dialect.base_constraint(context, &attribute.constraint),
                    "AnyAttr" | "AnyAttrOf" | "DictionaryAttr" | "_"
                ),
                is_native: false,
                default: attribute.default.clone(),
                said: false,
                compared: Cell::new(None),
                reads_back: RefCell::default(),
            });
        }
        for property in definition.properties_in(release) {
            attributes.push(PlannedAttribute {
                name: property.name.clone(),
                identifier: context.find_identifier(property.name.as_bytes()),
                form: property_form(context, &dialect, property),
                is: None,
                required: false,
                may_be_dictionary: false,
                is_native: true,
                // That of a property of the operation's code is what a new operation has; upstream
                // prints it.
                default: property
                    .default
                    .clone()
                    .filter(|_| property.kind.base != PropertyBase::Own),
                said: false,
                compared: Cell::new(None),
                reads_back: RefCell::default(),
            });
        }
        let regions = kinds(&definition.regions);
        let plan = Plan {
            steps: Vec::new(),
            literals: Vec::new(),
            operands,
            results,
            region_steps: vec![usize::MAX; regions.len()],
            regions_of_directives: vec![false; regions.len()],
            omitted_regions: vec![false; regions.len()],
            shown_terminators: vec![false; regions.len()],
            anchor_regions: vec![false; regions.len()],
            attribute_numbers: OnceCell::new(),
            regions,
            successors: kinds(&definition.successors),
            attributes,
            rules: Vec::new(),
            builtin_kinds: Vec::new(),
            verified: Vec::new(),
            all_operands: false,
            says_others: false,
            dictionary_by_code: false,
            is_later: false,
            says_properties: false,
            keeps_defaults: false,
            own_types: Vec::new(),
            stripped: Vec::new(),
            lengths: Vec::new(),
            terminator: definition
                .implicit_terminator(release)
                .map(|name| Text::Owned(name.to_owned())),
            single_block: traits.contains(OperationTraits::SINGLE_BLOCK),
            default_dialect: definition.default_dialect.clone(),
            dialect,
            has_lists: false,
            has_choices: false,
            fit: Cell::new(None),
            said_types: Vec::new(),
            type_lists: Vec::new(),
            is_terminator: traits.contains(OperationTraits::TERMINATOR),
            is_ambiguous: OnceCell::new(),
        };
        Compiler {
            context,
            definition,
            format,
            plan,
            operand_groups: groups(&definition.operands).collect(),
            result_groups: groups(&definition.results).collect(),
            places,
            space: true,
            punctuation: false,
            said: Vec::new(),
        }
    }

    pub(super) fn plan(mut self) -> Result<Plan, NoPlan> {
        let format = self.format;
        self.elements(&format.format.elements, None)?;
        self.types()?;
        let steps = &self.plan.steps;
        let is_list = |step: &Step| matches!(step, Step::OperandLists(_) | Step::TypeLists(_));
        self.plan.has_lists = steps.iter().any(is_list);
        let is_choice = |step: &Step| matches!(step, Step::Branch(_) | Step::Custom(_));
        self.plan.has_choices = steps.iter().any(is_choice);
        let lists = steps.iter().filter_map(|step| match step {
            Step::Types(types) => Some(*types),
            _ => None,
        });
        let (operands, results) = (&self.plan.operands, &self.plan.results);
        let lists = lists.filter(|types| match types {
            TypesIn::Operands(group) => operands.kind(*group).is_list(),
            TypesIn::Results(group) => results.kind(*group).is_list(),
            TypesIn::AllOperands | TypesIn::AllResults => true,
        });
        self.plan.type_lists = lists.collect();
        self.plan.said_types = self.said;
        Ok(self.plan)
    }

    fn push(&mut self, step: Step) -> usize {
        self.plan.steps.push(step);
        self.plan.steps.len().saturating_sub(1)
    }

    fn next(&self) -> usize {
        self.plan.steps.len()
    }

    /// Recurses on groups of the definition, which are few. `elided` is a variable that has no text
    /// here.
    fn elements(
        &mut self,
        elements: &'d [FormatElement],
        elided: Option<usize>,
    ) -> Result<(), NoPlan> {
        for element in elements {
            if let (FormatElement::Parameter(place), Some(elided)) = (element, elided)
                && *place == elided
            {
                continue;
            }
            self.element(element)?;
        }
        Ok(())
    }

    fn element(&mut self, element: &'d FormatElement) -> Result<(), NoPlan> {
        match element {
            FormatElement::Literal(text) => {
                self.literal(text);
                Ok(())
            }
            FormatElement::Space(space) => {
                if *space {
                    self.push(Step::Space);
                }
                self.punctuation = !*space;
                self.space = false;
                Ok(())
            }
            FormatElement::Parameter(place) | FormatElement::Qualified(place) => {
                let qualified = matches!(element, FormatElement::Qualified(_));
                self.before_value();
                self.variable(*place, qualified)
            }
            FormatElement::Group(group) => self.group(group),
            FormatElement::Operation(element) => self.operation_element(element),
            FormatElement::Parameters(_) | FormatElement::Struct(_) | FormatElement::Custom(_) => {
                Err("an element of attributes and types".to_owned())
            }
        }
    }

    fn operation_element(&mut self, element: &'d OperationElement) -> Result<(), NoPlan> {
        match element {
            OperationElement::AttributeDictionary { keyword } => {
                self.plan.says_others = true;
                self.push(Step::Dictionary { keyword: *keyword });
                self.punctuation = false;
                return Ok(());
            }
            OperationElement::PropertyDictionary => {
                self.plan.says_properties = true;
                // The other projects' releases are built on a release that has it.
                let bare = !matches!(self.definition.family, Family::Llvm | Family::Own)
                    || self.context.release().has(LlvmFeature::BareProperties);
                self.plan.keeps_defaults = !bare;
                self.push(Step::Properties { bare });
                self.punctuation = false;
                return Ok(());
            }
            OperationElement::Newline => {
                // As upstream, this does not change the space before the next element.
                self.push(Step::Newline);
                return Ok(());
            }
            OperationElement::Clauses(clauses) => return self.clauses(clauses),
            _ => {}
        }
        self.before_value();
        match element {
            OperationElement::QualifiedType(types) => {
                let types = self.types_in(*types)?;
                self.push(Step::Types(types));
            }
            OperationElement::Type(types) => {
                let types = self.types_in(*types)?;
                if let Some(lengths) = self.lengths(types)? {
                    self.push(Step::TypeLists(Box::new(Lists { of: types, lengths })));
                    return Ok(());
                }
                let step = match self.stripped(types) {
                    Some(found) => {
                        self.plan.stripped.push(found);
                        let number = self.plan.stripped.len().saturating_sub(1);
                        Step::StrippedType(Box::new((types, number)))
                    }
                    None => Step::Types(types),
                };
                self.push(step);
            }
            OperationElement::FunctionalType(inputs, results) => {
                let (inputs, results) = (self.types_in(*inputs)?, self.types_in(*results)?);
                self.push(Step::FunctionalType(Box::new((inputs, results))));
            }
            OperationElement::Operands => {
                self.plan.all_operands = true;
                self.push(Step::Operands);
            }
            OperationElement::Regions => {
                for region in 0..self.plan.regions.len() {
                    if region > 0 {
                        self.literal(&Text::Borrowed(","));
                        self.before_value();
                    }
                    let step = self.push(Step::Region(region));
                    if let Some(slot) = self.plan.region_steps.get_mut(region) {
                        *slot = step;
                    }
                }
            }
            OperationElement::Successors => {
                for successor in 0..self.plan.successors.len() {
                    if successor > 0 {
                        self.literal(&Text::Borrowed(","));
                        self.before_value();
                    }
                    self.push(Step::Successor(successor));
                }
            }
            OperationElement::Custom(directive) => self.directive(directive)?,
            _ => {}
        }
        Ok(())
    }

    /// Upstream's rules of spaces around punctuation.
    fn literal(&mut self, text: &Text) {
        let first = text.bytes().next().unwrap_or(b' ');
        let single = text.len() == 1;
        let takes_space = if !single && *text != "->" {
            true
        } else if self.punctuation {
            !b">)}],".contains(&first)
        } else {
            !b"<>(){}[],".contains(&first)
        };
        let space = self.space && takes_space;
        let token = self.plan.literals.len() as u32;
        self.plan.literals.push(text.clone());
        self.push(Step::Literal {
            kind: token_kind(text),
            token,
            space,
        });
        self.space = !single || !b"<({[".contains(&first);
        self.punctuation = first != b'_' && !first.is_ascii_alphabetic();
    }

    fn before_value(&mut self) {
        if self.space || !self.punctuation {
            self.push(Step::Space);
        }
        self.space = true;
        self.punctuation = false;
    }

    fn name_of(&self, place: usize) -> Result<(VariableKind, &'d str), NoPlan> {
        let variable = self.format.variables.get(place);
        let variable = variable.ok_or_else(|| "a variable too many".to_owned())?;
        Ok((variable.kind, &variable.name))
    }

    fn variable(&mut self, place: usize, qualified: bool) -> Result<(), NoPlan> {
        let step = match self.anchor(place)? {
            Anchor::Operands(group) => match self.lengths(TypesIn::Operands(group))? {
                Some(lengths) => {
                    // The lists determine it.
                    if let Some(planned) = self.plan.attributes.get_mut(lengths) {
                        planned.said = true;
                    }
                    self.plan.lengths.push(lengths);
                    Step::OperandLists(Box::new(Lists { of: group, lengths }))
                }
                None => Step::Operand(group),
            },
            Anchor::Attribute(attribute) => {
                if let Some(planned) = self.plan.attributes.get_mut(attribute) {
                    planned.said = true;
                    if qualified && matches!(planned.form, Form::Stripped(..)) {
                        planned.form = Form::Any;
                    }
                }
                Step::Attribute(attribute)
            }
            Anchor::Region(region) => {
                let step = self.next();
                if let Some(slot) = self.plan.region_steps.get_mut(region) {
                    *slot = step;
                }
                Step::Region(region)
            }
            Anchor::Successors(successor) => Step::Successor(successor),
            Anchor::Results(_) => return Err("results have no text".to_owned()),
        };
        self.push(step);
        Ok(())
    }

    /// Returns the part of the operation that a variable denotes in this release.
    fn anchor(&self, place: usize) -> Result<Anchor, NoPlan> {
        let (kind, name) = self.name_of(place)?;
        let kind = match kind {
            VariableKind::Property => VariableKind::Attribute,
            kind => kind,
        };
        let found = self.places.get(&(kind, name)).copied();
        found.ok_or_else(|| format!("'{name}' is not there in this release"))
    }

    pub(super) fn attribute(&self, name: &str) -> Option<usize> {
        match self.places.get(&(VariableKind::Attribute, name)) {
            Some(Anchor::Attribute(number)) => Some(*number),
            _ => None,
        }
    }

    /// Returns the dialect and mnemonic that the type of a group omits: of a single group, if the
    /// group's constraint determines it. The mnemonic is empty if only the dialect is omitted.
    fn stripped(&self, types: TypesIn) -> Option<(Arc<DialectDefinition>, Text)> {
        let group = match types {
            TypesIn::Operands(group) => self.operand_groups.get(group),
            TypesIn::Results(group) => self.result_groups.get(group),
            TypesIn::AllOperands | TypesIn::AllResults => None,
        }?;
        if group.kind != GroupKind::Single || group.constraint.is_empty() {
            return None;
        }
        let own = &self.plan.dialect;
        let used = own.uses.iter();
        let used = used.filter_map(|name| self.context.dialect(name.as_bytes()));
        let number = |dialect: &DialectDefinition| {
            let release = self.context.release();
            release.number_in(dialect.family)
        };
        let with_format = |dialect: Arc<DialectDefinition>, entry: &EntryDefinition| {
            let mnemonic = entry.mnemonic.clone();
            (!entry.format.elements.is_empty()).then_some((dialect, mnemonic))
        };
        let declared = std::iter::once(Arc::clone(own)).chain(used);
        let mut declared = declared.filter_map(|dialect| {
            let types = Arc::clone(&dialect);
            let entry = types
                .types
                .of_constraint(&group.constraint, number(&dialect))?;
            with_format(dialect, entry)
        });
        declared.next().or_else(|| {
            // Upstream's constraints on one type have the class of that type. Those on all types
            // of a mnemonic, such as `!llvm.struct<_>`, mostly have the class of any type.
            let name = own.name.as_bytes();
            let constraint = self.context.type_constraint(name, &group.constraint)?;
            let predicate = &constraint.predicate;
            if let Some(dialect) = predicate.class_dialect() {
                let dialect = self.context.dialect(dialect.as_bytes())?;
                let mnemonic = predicate.class_mnemonic().unwrap_or_default();
                return Some((dialect, mnemonic.to_owned().into()));
            }
            let (dialect, mnemonic) = predicate.mnemonic()?;
            let dialect = self.context.dialect(dialect.as_bytes())?;
            let types = Arc::clone(&dialect);
            let entry = types.types.entry(mnemonic.as_bytes(), number(&dialect))?;
            with_format(dialect, entry)
        })
    }

    /// Returns the index of the attribute that stores the lengths of a group's lists; `None` if it
    /// is not in lists.
    fn lengths(&self, types: TypesIn) -> Result<Option<usize>, NoPlan> {
        let group = match types {
            TypesIn::Operands(group) => self.operand_groups.get(group),
            TypesIn::Results(group) => self.result_groups.get(group),
            TypesIn::AllOperands | TypesIn::AllResults => None,
        };
        let Some(group) = group.filter(|group| group.kind == GroupKind::VariadicOfVariadic) else {
            return Ok(None);
        };
        match self.attribute(&group.by) {
            Some(attribute) => Ok(Some(attribute)),
            None => Err(format!(
                "no attribute has the lengths of the lists of '{}'",
                group.name
            )),
        }
    }

    fn types_in(&mut self, types: TypesOf) -> Result<TypesIn, NoPlan> {
        let types = self.types_of(types)?;
        self.said.push(types);
        Ok(types)
    }

    fn types_of(&self, types: TypesOf) -> Result<TypesIn, NoPlan> {
        Ok(match types {
            TypesOf::Operands => TypesIn::AllOperands,
            TypesOf::Results => TypesIn::AllResults,
            TypesOf::Group(place) => match self.anchor(place)? {
                Anchor::Operands(group) => TypesIn::Operands(group),
                Anchor::Results(group) => TypesIn::Results(group),
                _ => return Err("only operands and results have types".to_owned()),
            },
        })
    }

    fn directive(&mut self, directive: &'d OperationDirective) -> Result<(), NoPlan> {
        if directive.hook.is_none() {
            return Err(format!(
                "the syntax '{}.{}' is code that this build does not have",
                self.plan.dialect.name, directive.name
            ));
        }
        let mut arguments = Vec::new();
        for argument in &directive.arguments {
            let is_reference = matches!(
                argument,
                DirectiveArgument::Reference(_) | DirectiveArgument::TypeReference(_)
            );
            let what = match argument {
                DirectiveArgument::Variable(place) | DirectiveArgument::Reference(place) => {
                    match self.anchor(*place)? {
                        Anchor::Operands(group) => ArgumentKind::Operands(group),
                        Anchor::Attribute(attribute) => {
                            if let Some(planned) = self.plan.attributes.get_mut(attribute) {
                                planned.said = true;
                            }
                            ArgumentKind::Attribute(attribute)
                        }
                        Anchor::Successors(group) => ArgumentKind::Successors(group),
                        Anchor::Region(group) => ArgumentKind::Region(group),
                        Anchor::Results(_) => return Err("results have no text".to_owned()),
                    }
                }
                DirectiveArgument::Type(types) => ArgumentKind::Types(self.types_in(*types)?),
                DirectiveArgument::TypeReference(types) => {
                    ArgumentKind::Types(self.types_of(*types)?)
                }
                DirectiveArgument::AttributeDictionary => {
                    self.plan.says_others = true;
                    self.plan.dictionary_by_code = true;
                    ArgumentKind::Dictionary
                }
                DirectiveArgument::Text(text) => ArgumentKind::Text(text.clone()),
            };
            arguments.push(PlannedArgument { what, is_reference });
        }
        let region = arguments.iter().find_map(|argument| match argument.what {
            ArgumentKind::Region(group) if !argument.is_reference => Some(group),
            _ => None,
        });
        self.push(Step::Custom(Box::new(PlannedDirective {
            directive: directive.clone(),
            arguments,
        })));
        if let Some(region) = region {
            if self.plan.regions.get(region) != Some(&GroupKind::Single) {
                return Err("directives with several regions".to_owned());
            }
            let step = self.next();
            if let Some(slot) = self.plan.region_steps.get_mut(region) {
                *slot = step;
            }
            if let Some(slot) = self.plan.regions_of_directives.get_mut(region) {
                *slot = true;
            }
            if let Some(slot) = self.plan.omitted_regions.get_mut(region) {
                *slot = directive.hook.is_none_or(|hook| hook.omits_empty_region());
            }
            if let Some(slot) = self.plan.shown_terminators.get_mut(region) {
                *slot = directive.hook.is_some_and(|hook| hook.shows_terminators());
            }
            self.push(Step::Region(region));
        }
        Ok(())
    }

    fn group(&mut self, group: &'d rmlir_ir::definition::OptionalGroup) -> Result<(), NoPlan> {
        let anchor: Result<Vec<Anchor>, NoPlan> = group
            .anchor
            .iter()
            .map(|&place| self.anchor(place))
            .collect();
        let anchor = anchor?;
        self.regions_are_anchors(&anchor);
        let (elided, unit) = match (group.anchor.as_slice(), anchor.as_slice()) {
            ([place], [Anchor::Attribute(attribute)])
                if self.is_unit(*attribute)
                    && !is_parameter(group.then.first(), *place)
                    && !is_parameter(group.otherwise.first(), *place) =>
            {
                if let Some(planned) = self.plan.attributes.get_mut(*attribute) {
                    planned.said = true;
                }
                (Some(*place), Some(*attribute))
            }
            _ => (None, None),
        };
        let first = match (self.first(&group.then)?, self.first(&group.otherwise)?) {
            (Some(first), _) => first,
            (None, Some(first)) => First::Not(Box::new(first)),
            (None, None) => return Err("an optional group that nothing is seen of".to_owned()),
        };
        // The unit attribute of the anchor is present together with the anchor's branch.
        let unit_then = if group.inverted { None } else { unit };
        let branch = self.push(Step::Branch(Box::new(Branch {
            first,
            anchor,
            inverted: group.inverted,
            unit: unit_then,
            otherwise: 0,
        })));
        self.elements(&group.then, elided)?;
        let mut after_then = self.next();
        if !group.otherwise.is_empty() {
            let jump = self.push(Step::Jump(0));
            after_then = self.next();
            self.elements(&group.otherwise, elided)?;
            let end = self.next();
            if let Some(Step::Jump(to)) = self.plan.steps.get_mut(jump) {
                *to = end;
            }
        }
        if let Some(Step::Branch(branch)) = self.plan.steps.get_mut(branch) {
            branch.otherwise = after_then;
        }
        Ok(())
    }

    fn regions_are_anchors(&mut self, anchors: &[Anchor]) {
        for anchor in anchors {
            if let Anchor::Region(number) = anchor
                && let Some(slot) = self.plan.anchor_regions.get_mut(*number)
            {
                *slot = true;
            }
        }
    }

    fn is_unit(&self, attribute: usize) -> bool {
        let planned = self.plan.attributes.get(attribute);
        planned.is_some_and(|planned| matches!(planned.form, Form::Unit))
    }

    /// Returns how the parser detects that elements come next.
    fn first(&self, elements: &'d [FormatElement]) -> Result<Option<First>, NoPlan> {
        let mut elements = elements.iter();
        let first = elements.find(|e| !matches!(e, FormatElement::Space(_)));
        Ok(Some(match first {
            None => return Ok(None),
            Some(FormatElement::Literal(text)) => First::Literal(token_kind(text), text.clone()),
            Some(FormatElement::Parameter(place) | FormatElement::Qualified(place)) => {
                match self.anchor(*place)? {
                    Anchor::Operands(group) => match self.lengths(TypesIn::Operands(group))? {
                        Some(_) => First::Literal(token_kind("("), "(".into()),
                        None => First::Operand,
                    },
                    Anchor::Attribute(attribute) => First::Attribute(attribute),
                    Anchor::Region(_) => First::Region,
                    Anchor::Successors(_) => First::Successor,
                    Anchor::Results(_) => return Err("results have no text".to_owned()),
                }
            }
            Some(FormatElement::Operation(OperationElement::Custom(_))) => First::Custom,
            Some(FormatElement::Operation(
                OperationElement::Type(_) | OperationElement::QualifiedType(_),
            )) => First::Type,
            Some(FormatElement::Operation(OperationElement::Operands)) => First::Operand,
            Some(_) => {
                return Err("an optional group that begins with an unusual element".to_owned());
            }
        }))
    }

    fn clauses(&mut self, clauses: &'d [Vec<FormatElement>]) -> Result<(), NoPlan> {
        let all = self.push(Step::Clauses(Box::new(Clauses {
            clauses: Vec::new(),
            end: 0,
        })));
        let mut planned = Vec::new();
        for clause in clauses {
            let Some(FormatElement::Literal(word)) = clause.first() else {
                return Err("a clause begins with a literal".to_owned());
            };
            let mut anchor = Vec::new();
            for element in clause {
                match element {
                    FormatElement::Parameter(place) | FormatElement::Qualified(place) => {
                        anchor.push(self.anchor(*place)?);
                    }
                    FormatElement::Operation(OperationElement::Custom(directive)) => {
                        for argument in &directive.arguments {
                            if let DirectiveArgument::Variable(place) = argument {
                                anchor.push(self.anchor(*place)?);
                            }
                        }
                    }
                    _ => {}
                }
            }
            self.regions_are_anchors(&anchor);
            let mut unit = None;
            if let (2, Some(FormatElement::Parameter(_)), [Anchor::Attribute(attribute)]) =
                (clause.len(), clause.get(1), anchor.as_slice())
                && self.is_unit(*attribute)
            {
                unit = Some(*attribute);
                if let Some(planned) = self.plan.attributes.get_mut(*attribute) {
                    planned.said = true;
                }
            }
            let start = self.push(Step::Branch(Box::new(Branch {
                first: First::Literal(token_kind(word), word.clone()),
                anchor,
                inverted: false,
                unit,
                otherwise: 0,
            })));
            planned.push(Clause {
                kind: token_kind(word),
                token: word.clone(),
                start,
                unit,
            });
            let elements = if unit.is_some() {
                clause.get(..1).unwrap_or_default()
            } else {
                clause
            };
            self.elements(elements, None)?;
            let next = self.next().saturating_add(1);
            self.push(Step::EndClause(Box::new(EndClause { clauses: all, next })));
            if let Some(Step::Branch(branch)) = self.plan.steps.get_mut(start) {
                branch.otherwise = next;
            }
        }
        let last = self.next();
        if let Some(Step::Clauses(all)) = self.plan.steps.get_mut(all) {
            all.clauses = planned;
            all.end = last;
        }
        Ok(())
    }
}

/// Returns the kind of token that a literal is.
fn token_kind(text: &str) -> TokenKind {
    Lexer::new(text.as_bytes()).next_token().kind
}

fn is_parameter(element: Option<&FormatElement>, place: usize) -> bool {
    matches!(element, Some(FormatElement::Parameter(p)) if *p == place)
}
