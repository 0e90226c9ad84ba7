//! How upstream's bytecode encodes attributes and types of dialects other than the builtin one, as tables of codecs with
//! the text of each. What stands in no table is text in the bytecode as well.

mod quant;
mod sdy;
mod stablehlo;
mod vhlo;

use rmlir_ir::codec::DialectCodecs;

/// The codecs of a dialect.
pub(crate) fn of(dialect: &str) -> DialectCodecs {
    match dialect {
        "chlo" => stablehlo::CHLO,
        "quant" => quant::QUANT,
        "sdy" => sdy::SDY,
        "stablehlo" => stablehlo::STABLEHLO,
        "vhlo" => vhlo::VHLO,
        _ => DialectCodecs::default(),
    }
}

#[cfg(test)]
mod tests {
    use rmlir_ir::codec::{Assembly, FieldKind};

    #[test]
    fn tables_are_sorted_and_templates_name_fields() {
        for dialect in ["chlo", "quant", "sdy", "stablehlo", "vhlo"] {
            let codecs = super::of(dialect);
            for table in [codecs.attributes, codecs.types] {
                assert!(table.is_sorted_by_key(|codec| codec.code), "{dialect}");
                for codec in table {
                    let Assembly::Template(template) = codec.assembly else {
                        continue;
                    };
                    for directive in template.split('$').skip(1) {
                        let end = directive.find(|c: char| !c.is_alphanumeric() && c != '_');
                        let name = &directive[..end.unwrap_or(directive.len())];
                        assert!(
                            codec.fields.iter().any(|field| field.name == name),
                            "{dialect} {}: ${name}",
                            codec.name
                        );
                    }
                    for (number, field) in codec.fields.iter().enumerate() {
                        if let FieldKind::ApInt(ty) | FieldKind::ApFloat(ty) = field.kind {
                            assert!(usize::from(ty) < number, "{dialect} {}", codec.name);
                        }
                    }
                }
            }
        }
    }
}
