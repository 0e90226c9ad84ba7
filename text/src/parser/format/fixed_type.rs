//! Types that a format determines.

use crate::formats::forms::{FixedType, OwnType};
use rmlir_ir::{Context, Signedness, Type, TypeKind};

impl OwnType {
    fn get(&self, context: &mut Context) -> Option<Type> {
        if self.found.get().is_none() {
            let parsed = crate::parser::parse_type(context, self.text.as_bytes());
            self.found.set(parsed.ok());
        }
        self.found.get()
    }
}

impl FixedType {
    /// Returns the type; `own` has the types that the definition spells.
    pub(crate) fn get(self, context: &mut Context, own: &[OwnType]) -> Type {
        match self {
            FixedType::Own(number) => {
                let ty = own.get(number).and_then(|own| own.get(context));
                ty.unwrap_or_else(|| context.none_type())
            }
            FixedType::Integer(width) => context.integer_type(width),
            FixedType::Signed(width) | FixedType::Unsigned(width) => {
                let signedness = match self {
                    FixedType::Signed(_) => Signedness::Signed,
                    _ => Signedness::Unsigned,
                };
                // The widths of the table are valid.
                let made = context.try_type(TypeKind::Integer { width, signedness });
                made.unwrap_or_else(|_| context.none_type())
            }
            FixedType::Index => context.index_type(),
            FixedType::F32 => context.f32_type(),
            FixedType::F64 => context.f64_type(),
            FixedType::None => context.none_type(),
        }
    }
}
