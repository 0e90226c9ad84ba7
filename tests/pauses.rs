//! Tests that a visit of a file goes on where it was interrupted, also with another context.
#![allow(clippy::unwrap_used, clippy::panic, reason = "test code")]

use rmlir::events::{BlockEvent, OperationEvent, Visitor};
use rmlir::format::Result;
use rmlir::ir::{Context, Location, Type, WalkResult};
use rmlir::text::{attribute_to_string, type_to_string};
use rmlir::{File, Form, Pause, ReadOptions, WriteOptions};
use std::fmt::Write;

/// Writes each event as a line, and stops at operations whose number `stops` wants.
struct Lines<'s> {
    lines: Vec<String>,
    met: usize,
    stops: &'s dyn Fn(usize) -> bool,
    /// The number of the operation at which it stopped last.
    stopped: Option<usize>,
    /// Whether everything of an operation is requested before the visitor stops at it.
    is_late: bool,
    /// Whether locations are requested of each operation, or of some.
    is_sparse: bool,
}

impl Lines<'_> {
    fn described(&self, event: &mut OperationEvent<'_>) -> Result<String> {
        let mut line = format!("{:?}", event.operands());
        let results: Vec<_> = event.results().collect();
        let (attributes, properties) = event.dictionaries()?;
        let _ = write!(line, " {:?} {results:?}", event.successors());
        let list = event.result_types()?.to_vec();
        let types = types(&list, event.context());
        let names = event.result_names()?.to_vec();
        let location = match self.is_sparse && !self.met.is_multiple_of(3) {
            true => String::new(),
            false => {
                let location = event.location()?;
                locations(&[location], event.context())
            }
        };
        let context = event.context();
        let name = context.operation_name_bytes(event.name());
        let _ = write!(line, " {types} {location} {}", name.escape_ascii());
        for one in [attributes, properties].into_iter().flatten() {
            line += &attribute_to_string(context, one);
        }
        for name in names.into_iter().flatten() {
            let _ = write!(line, " {}", context.str(name));
        }
        Ok(line)
    }
}

fn types(types: &[Type], context: &Context) -> String {
    let types = types.iter().map(|&ty| type_to_string(context, ty));
    types.collect::<Vec<_>>().join(", ")
}

fn locations(locations: &[Location], context: &Context) -> String {
    let locations = locations.iter();
    let locations = locations.map(|&one| {
        let place = context.place_in_file(one);
        let place = place.map(|(file, line, column)| (context.str(file), line, column));
        format!("{} {place:?}", context.location_kind(one).name())
    });
    locations.collect::<Vec<_>>().join(", ")
}

impl Visitor for Lines<'_> {
    fn operation(&mut self, event: &mut OperationEvent<'_>) -> Result<WalkResult> {
        let stops = (self.stops)(self.met) && self.stopped != Some(self.met);
        if stops {
            self.stopped = Some(self.met);
            if self.is_late {
                self.described(event)?;
            }
            return Ok(WalkResult::Interrupt);
        }
        let line = self.described(event)?;
        self.lines.push(line);
        self.met += 1;
        let is_skipped = event.context().operation_name_bytes(event.name()) == b"d.skipped";
        Ok(match is_skipped {
            true => WalkResult::Skip,
            false => WalkResult::Advance,
        })
    }

    fn end_operation(&mut self) -> Result<()> {
        self.lines.push("end of operation".to_owned());
        Ok(())
    }

    fn region(&mut self, blocks: u64) -> Result<()> {
        self.lines.push(format!("region {blocks}"));
        Ok(())
    }

    fn end_region(&mut self) -> Result<()> {
        self.lines.push("end of region".to_owned());
        Ok(())
    }

    fn block(&mut self, event: &mut BlockEvent<'_>) -> Result<()> {
        let mut line = format!("{:?} ", event.arguments().collect::<Vec<_>>());
        let list = event.argument_types()?.to_vec();
        line += &types(&list, event.context());
        if !self.is_sparse {
            let list = event.argument_locations()?.to_vec();
            line += &locations(&list, event.context());
        }
        if let Some(name) = event.name()? {
            line += &event.context().str(name);
        }
        self.lines.push(line);
        Ok(())
    }
}

/// Operations in one another, with values that are used before they are defined.
fn text(functions: usize) -> String {
    let mut text = String::from("%t = \"d.outer\"(%late) : (f80) -> i7 loc(\"t.py\":1:1)\n");
    for n in 0..functions {
        let _ = write!(
            text,
            r#"func.func @f{n}(%x: i32 loc("x.py":{n}:1), %y: tensor<{n}xf32>) -> i32 {{
                 %0 = "d.a"(%x) {{n = {n} : i32}} : (i32) -> i16 loc("a.py":{n}:2)
                 "d.branch"(%0, %y)[^bb2, ^bb1] : (i16, tensor<{n}xf32>) -> () loc(callsite("g" at "a.py":2:{n}))
               ^bb1:
                 %1:2 = "d.loop"(%y) ({{
                 ^bb0(%i: index, %j: i{width}):
                   %2 = "d.if"(%j) ({{
                     %3 = "d.inner"(%x, %j) {{v = dense<{n}> : tensor<9xi16>}} : (i32, i{width}) -> f16
                     "d.yield"(%3, %y) : (f16, tensor<{n}xf32>) -> () loc(fused["a", "b.py":1:1])
                   }}, {{
                   }}, {{
                     "d.yield"(%i)[^bb1] : (index) -> () loc("a.py":{n}:2)
                   ^bb1:
                     "d.yield"(%0)[^bb1] : (i16) -> () loc("a.py":{n}:2)
                   }}) : (i{width}) -> i33
                   "d.skipped"(%2) ({{
                     %4 = "d.inner"(%2) : (i33) -> i33
                     builtin.module {{
                       %5 = "d.inner"() : () -> i33
                     }}
                   }}) : (i33) -> () loc("a.py":5:6)
                 }}) : (tensor<{n}xf32>) -> (i33, f64)
                 "d.branch"(%1#1, %1#0)[^bb2] : (f64, i33) -> ()
               ^bb2:
                 return %x : i32
               }}
               "d.graph"(%late) ({{
                 "d.use"(%d, %t) : (i8, i7) -> ()
                 builtin.module @s{n} {{
                   func.func private @g()
                   %e = "d.use"() : () -> i9
                 }}
                 %d = "d.use"() : () -> i8 loc("d.py":{n}:1)
               }}) : (f80) -> ()
            "#,
            width = n + 1,
        );
    }
    text + "%late = \"d.outer\"() : () -> f80"
}

fn lines<'s>(stops: &'s dyn Fn(usize) -> bool, is_late: bool, is_sparse: bool) -> Lines<'s> {
    Lines {
        lines: Vec::new(),
        met: 0,
        stops,
        stopped: None,
        is_late,
        is_sparse,
    }
}

#[test]
fn a_visit_goes_on_with_another_context() {
    let options = ReadOptions::default();
    let top_level = "\"d.a\"() : () -> ()\n\"d.b\"() ({ \"d.c\"() : () -> () }) : () -> ()";
    let texts = [
        text(3),
        text(90),
        top_level.to_owned(),
        "\"d.a\"() : () -> ()".to_owned(),
        String::new(),
    ];
    let path = std::env::temp_dir().join(format!("rmlir-pauses-{}", std::process::id()));
    for (text, form) in texts
        .iter()
        .flat_map(|text| [(text, Form::Rmbc), (text, Form::Mlirbc)])
    {
        let mut ir = rmlir::parse(text).unwrap();
        let bytes = ir.to_bytes(form, &WriteOptions::default()).unwrap();
        std::fs::write(&path, &bytes).unwrap();
        let files = [
            File::from_bytes(bytes, &options).unwrap(),
            File::open_with(&path, &options).unwrap(),
        ];
        for (file, is_sparse) in files.iter().flat_map(|file| [(file, false), (file, true)]) {
            let mut whole = lines(&|_| false, false, is_sparse);
            let mut context = options.context();
            file.visit(&mut context, &mut whole).unwrap();
            let total = whole.met;
            let every = if total > 1000 { 97 } else { 1 };
            for is_late in [false, true] {
                let stops = |number: usize| number.is_multiple_of(every);
                let mut found = lines(&stops, is_late, is_sparse);
                let mut paused: Option<Pause> = None;
                let mut visits = 0;
                loop {
                    let mut context = options.context();
                    let from = paused.take();
                    let visited = file.as_lazy().visit_repeatedly(&mut context, &mut |visit| {
                        paused = visit(&mut found, from.clone())?;
                        Ok(())
                    });
                    visited.unwrap();
                    visits += 1;
                    if paused.is_none() {
                        break;
                    }
                }
                assert_eq!(found.lines, whole.lines, "{form:?} {is_late} {is_sparse}");
                assert_eq!(visits, total.div_ceil(every) + 1);
            }
        }
    }
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn several_visits_go_on_from_one_pause() {
    let options = ReadOptions::default();
    let mut ir = rmlir::parse(text(3)).unwrap();
    for form in [Form::Rmbc, Form::Mlirbc] {
        let bytes = ir.to_bytes(form, &WriteOptions::default()).unwrap();
        let file = File::from_bytes(bytes, &options).unwrap();
        let mut context = options.context();
        let visited = file.as_lazy().visit_repeatedly(&mut context, &mut |visit| {
            let mut begun = lines(&|number| number == 20, false, false);
            let pause = visit(&mut begun, None)?;
            assert!(pause.is_some());
            let mut ends = Vec::new();
            for _ in 0..3 {
                let mut rest = lines(&|_| false, false, false);
                assert!(visit(&mut rest, pause.clone())?.is_none());
                ends.push(rest.lines);
            }
            let mut whole = lines(&|_| false, false, false);
            assert!(visit(&mut whole, None)?.is_none());
            for end in ends {
                assert_eq!([&begun.lines[..], &end].concat(), whole.lines);
            }
            Ok(())
        });
        visited.unwrap();
    }
}

#[test]
fn a_pause_of_another_file_is_an_error() {
    let options = ReadOptions::default();
    let mut ir = rmlir::parse(text(3)).unwrap();
    let mut pauses = Vec::new();
    let mut files = Vec::new();
    for form in [Form::Rmbc, Form::Mlirbc] {
        let bytes = ir.to_bytes(form, &WriteOptions::default()).unwrap();
        let file = File::from_bytes(bytes, &options).unwrap();
        let visited = file
            .as_lazy()
            .visit_repeatedly(&mut options.context(), &mut |visit| {
                let mut begun = lines(&|number| number == 20, false, false);
                pauses.extend(visit(&mut begun, None)?);
                Ok(())
            });
        visited.unwrap();
        files.push(file);
    }
    pauses.reverse();
    for (file, pause) in files.iter().zip(pauses) {
        let visited = file
            .as_lazy()
            .visit_repeatedly(&mut options.context(), &mut |visit| {
                let mut rest = lines(&|_| false, false, false);
                visit(&mut rest, Some(pause.clone())).map(drop)
            });
        let error = visited.unwrap_err().to_string();
        assert!(error.contains("cannot go on"), "{error}");
    }
}
