//! Bundles of channels of `esi`: what follows from their types.

use super::members::CHANNEL_DIRECTIONS;
use rmlir_ir::asm::ValueNames;
use rmlir_ir::{Context, Module, Operation, Type, Value};

/// Returns the names and types of the channels of `!esi.bundle` in a direction.
pub(super) fn channels<'c>(
    context: &'c Context,
    ty: Type,
    direction: &str,
) -> Option<Vec<(&'c [u8], Type)>> {
    let wanted = CHANNEL_DIRECTIONS
        .iter()
        .position(|word| *word == direction)?;
    let parameters = context.parameters(ty).ok()?;
    let names = parameters.get("names")?.items();
    let types = parameters.get("types")?.items();
    let directions = parameters.get("directions")?.items();
    let mut found = Vec::new();
    for ((name, ty), direction) in names.zip(types).zip(directions) {
        if usize::try_from(direction.integer()?).ok()? == wanted {
            found.push((name.bytes()?, ty.ty()?));
        }
    }
    Some(found)
}

/// Names results after the channels of a bundle, of which there is one among the operands or the
/// results.
#[derive(Debug)]
pub(crate) struct ChannelNames {
    pub(crate) direction: &'static str,
    /// The first result is the bundle.
    pub(crate) is_result: bool,
}

impl ValueNames for ChannelNames {
    fn result_names(
        &self,
        context: &Context,
        module: &Module,
        operation: Operation,
        name: &mut dyn FnMut(Value, &str),
    ) {
        let mut results = module.results(operation);
        let bundle = match self.is_result {
            true => results.next(),
            false => module.operands(operation).next(),
        };
        let Some(bundle) = bundle else { return };
        if self.is_result {
            name(bundle, "bundle");
        }
        let channels = channels(context, module.value_type(bundle), self.direction);
        for (result, channel) in results.zip(channels.unwrap_or_default()) {
            name(result, &String::from_utf8_lossy(channel.0));
        }
    }
}
