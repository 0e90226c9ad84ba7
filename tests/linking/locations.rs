//! Locations that are changed at their leaves.

use super::*;

#[test]
fn locations_change_at_their_leaves() {
    let mut ir = parse(
        r#"
        "d.op"() ({
        ^bb0(%x: i32 loc("old.py":1:1)):
          "d.in"() : () -> () loc(callsite("n"("old.py":2:2) at "m"("other":5:5)))
          "d.in"() : () -> () loc(fused<"meta">["old.py":1:1, "new.py":1:1, fused["old.py":3:1 to 4:2, unknown]])
          "d.in"() : () -> () loc(fused["old.py":1:1, "new.py":1:1])
        }) {kept = loc("old.py":1:1)} : () -> () loc(unknown)"#,
    );
    let (context, module) = ir.parts_mut();
    let (old, new) = (context.identifier("old.py"), context.identifier("new.py"));
    let mut leaves = 0;
    module
        .map_locations(context, module.top(), |context, leaf| {
            leaves += 1;
            match context.location_kind(leaf) {
                LocationKind::FileLineColRange {
                    file,
                    start_line,
                    start_column,
                    end_line,
                    end_column,
                    form,
                } if file == old => Some(context.location(LocationKind::FileLineColRange {
                    file: new,
                    start_line,
                    start_column,
                    end_line,
                    end_column,
                    form,
                })),
                _ => None,
            }
        })
        .unwrap();
    assert!(leaves >= 8);
    let expected = parse(
        r#"
        "d.op"() ({
        ^bb0(%x: i32 loc("new.py":1:1)):
          "d.in"() : () -> () loc(callsite("n"("new.py":2:2) at "m"("other":5:5)))
          "d.in"() : () -> () loc(fused<"meta">["new.py":1:1, "new.py":3:1 to 4:2])
          "d.in"() : () -> () loc("new.py":1:1)
        }) {kept = loc("old.py":1:1)} : () -> () loc(unknown)"#,
    );
    let of = |ir: &Ir| ir.op().children().next().unwrap().id();
    let difference = semantic_difference(
        ir.get(of(&ir)),
        expected.get(of(&expected)),
        &EqualityOptions { locations: true },
    );
    assert!(difference.is_none(), "{difference:?}");
}
