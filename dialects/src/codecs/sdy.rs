//! Shardy, as of August 2026: meshes, axes and shardings. Sharding rules, mappings of factors and parameters of
//! collectives are not known yet. (From the dialect's bytecode code and from files that JAX exports.)

use rmlir_ir::codec::Assembly::{Hook, Template};
use rmlir_ir::codec::FieldKind::{
    Attribute, Bool, List, OptionalAttribute, OptionalVarint, SignedVarint, String,
};
use rmlir_ir::codec::{AssemblyWriter, DialectCodecs, FieldValue, FieldValues};
use rmlir_ir::{AttributeKind, Invalid, codecs};

/// The codecs of Shardy.
pub(super) const SDY: DialectCodecs = DialectCodecs {
    attributes: codecs! {
        0 => ManualAxesAttr { value: List(&Attribute) } = Template("manual_axes{$value}");
        1 => MeshAxisAttr { name: String, size: SignedVarint }
            = Template("mesh_axis$name=$size");
        2 => MeshAttr { axes: List(&Attribute), device_ids: List(&SignedVarint) } = Hook(mesh);
        3 => SubAxisInfoAttr { pre_size: SignedVarint, size: SignedVarint }
            = Template("sub_axis_info($pre_size)$size");
        4 => AxisRefAttr { name: String, sub_axis_info: OptionalAttribute } = Hook(axis_ref);
        5 => DimensionShardingAttr {
            axes: List(&Attribute),
            is_closed: Bool,
            priority: OptionalVarint,
        } = Hook(dimension_sharding);
        6 => TensorShardingAttr {
            mesh_or_ref: Attribute,
            dimension_shardings: List(&Attribute),
            replicated_axes: List(&Attribute),
        } = Hook(sharding);
        7 => TensorShardingPerValueAttr { shardings: List(&Attribute) }
            = Template("sharding_per_value<[$shardings:-]>");
        15 => TensorShardingAttr {
            mesh_or_ref: Attribute,
            dimension_shardings: List(&Attribute),
            replicated_axes: List(&Attribute),
            unreduced_axes: List(&Attribute),
        } = Hook(sharding);
        16 => TensorShardingPerValueAttr { shardings: List(&Attribute) }
            = Template("sharding_per_value<[$shardings:-]>");
    },
    types: &[],
    builtin_type: None,
};

type Value<'a> = FieldValue<'a>;

/// `mesh<["x"=2, "y"=4], device_ids=[1, 0]>`.
fn mesh(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [axes, device_ids] = values.fields.as_slice() else {
        return Err(mismatch());
    };
    out.text(b"mesh<[");
    inside(out, values, axes)?;
    out.text(b"]");
    let device_ids = values.list(device_ids);
    for (at, id) in device_ids.iter().enumerate() {
        let &Value::Signed(id) = id else {
            return Err(mismatch());
        };
        out.text(if at == 0 { b", device_ids=[" } else { b", " });
        out.text(id.to_string().as_bytes());
    }
    out.text(if device_ids.is_empty() { b">" } else { b"]>" });
    Ok(())
}

/// `"x"`, `"x":(1)2`.
fn axis_ref(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [Value::String(name), sub_axis] = values.fields.as_slice() else {
        return Err(mismatch());
    };
    let name = out.context().bytes(*name).to_vec();
    out.text(b"axis_ref");
    out.quoted(&name);
    if let &Value::Attribute(sub_axis) = sub_axis {
        out.text(b":");
        out.attribute_inside(sub_axis);
    }
    Ok(())
}

/// `{"x", ?}p1`.
fn dimension_sharding(
    out: &mut dyn AssemblyWriter,
    values: &FieldValues<'_>,
) -> Result<(), Invalid> {
    let [axes, Value::Unsigned(is_closed), priority] = values.fields.as_slice() else {
        return Err(mismatch());
    };
    out.text(b"dimension_sharding{");
    inside(out, values, axes)?;
    if *is_closed == 0 {
        let empty = values.list(axes).is_empty();
        out.text(if empty { b"?" } else { b", ?" });
    }
    out.text(b"}");
    if let &Value::Unsigned(priority) = priority {
        out.text(format!("p{priority}").as_bytes());
    }
    Ok(())
}

/// `sharding<@mesh, [{"x"}, {}], replicated={"y"}, unreduced={"z"}>`.
fn sharding(out: &mut dyn AssemblyWriter, values: &FieldValues<'_>) -> Result<(), Invalid> {
    let [Value::Attribute(mesh), dimensions, axes @ ..] = values.fields.as_slice() else {
        return Err(mismatch());
    };
    out.text(b"sharding<");
    let kind = out.context().attribute_kind(*mesh);
    if let AttributeKind::Dialect { .. } = kind {
        out.text(b"mesh");
        out.attribute_inside(*mesh);
    } else {
        out.attribute(*mesh);
    }
    out.text(b", [");
    inside(out, values, dimensions)?;
    out.text(b"]");
    for (name, axes) in [", replicated={", ", unreduced={"].iter().zip(axes) {
        if !values.list(axes).is_empty() {
            out.text(name.as_bytes());
            inside(out, values, axes)?;
            out.text(b"}");
        }
    }
    out.text(b">");
    Ok(())
}

/// Attributes of the dialect with commas between them, without their names.
fn inside(
    out: &mut dyn AssemblyWriter,
    values: &FieldValues<'_>,
    list: &Value<'_>,
) -> Result<(), Invalid> {
    for (at, item) in values.list(list).iter().enumerate() {
        let &Value::Attribute(item) = item else {
            return Err(mismatch());
        };
        out.text(if at > 0 { b", " } else { b"" });
        out.attribute_inside(item);
    }
    Ok(())
}

#[cold]
fn mismatch() -> Invalid {
    Invalid::new("the fields have values that the attribute cannot have")
}
