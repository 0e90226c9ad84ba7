//! Directives for the types of a list and of an element of it.

use crate::directive::{Printed, TwoWayDirective, other_arguments};
use crate::helpers::{dialect_type, is_dialect_type, is_of};
use crate::two_way::{Asm, failure, invalid, one_type};
use rmlir_ir::asm::{AsmParser, AsmResult, ParsedArgument};
use rmlir_ir::definition::type_parameters;
use rmlir_ir::{Context, Type};

/// The directive for the type of a list and that of an element: only `!util.list<i32>` if the
/// list determines the element's type. Its arguments are both types.
#[derive(Debug)]
pub(crate) enum ListAccess {
    /// `list -> element`.
    Get,
    /// `element -> list`.
    Set,
}

/// The parsed parts of [`ListAccess`].
#[derive(Default)]
pub(crate) struct Access {
    place: Option<usize>,
    first: Option<Type>,
    has_both: bool,
    second: Option<Type>,
}

/// Returns whether a list's elements have a type: those of `!util.list<?>` are variants.
fn has_elements(context: &Context, list: Type, element: Type) -> bool {
    match type_parameters(context, list).next() {
        Some(of) => of == element,
        None => is_dialect_type(context, element, "util", "variant"),
    }
}

impl TwoWayDirective for ListAccess {
    type Content = Access;

    fn content(&self, printed: &Printed<'_>) -> Option<Access> {
        let [list, element] = printed.arguments else {
            return None;
        };
        let context = printed.context;
        let (&list, &element) = (list.types().first()?, element.types().first()?);
        is_of(context, list, "util", "list").then_some(())?;
        let has_both = !has_elements(context, list, element);
        let (first, second) = match self {
            ListAccess::Set if has_both => (element, list),
            _ => (list, element),
        };
        Some(Access {
            place: None,
            first: Some(first),
            has_both,
            second: Some(second),
        })
    }

    fn text(&self, asm: &mut Asm<'_, '_>, content: &mut Access) -> AsmResult<bool> {
        content.place = asm.place();
        asm.ty(&mut content.first)?;
        asm.optional("->", " -> ", &mut content.has_both);
        if content.has_both {
            asm.ty(&mut content.second)?;
        }
        Ok(true)
    }

    fn build(
        &self,
        parser: &mut dyn AsmParser,
        content: Access,
        arguments: &mut [ParsedArgument],
    ) -> AsmResult<()> {
        let [of_list, of_element] = arguments else {
            return Err(other_arguments(parser));
        };
        let (list, element) = match (self, content.has_both) {
            (ListAccess::Set, true) => (content.second, content.first),
            (ListAccess::Get, true) => (content.first, content.second),
            (_, false) => (content.first, None),
        };
        let context = parser.context();
        let list = list.filter(|&list| is_of(context, list, "util", "list"));
        let list = list.ok_or_else(|| failure(content.place, "expected an !util.list<T> type"))?;
        let of_list_type = type_parameters(context, list).next();
        let element = match element.or(of_list_type) {
            Some(element) => element,
            None => dialect_type(context, "util", "variant").map_err(invalid(content.place))?,
        };
        *of_list = one_type(Some(list));
        *of_element = one_type(Some(element));
        Ok(())
    }
}
