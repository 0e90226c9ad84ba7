//! Benchmarks of printing and parsing modules: operations that repeat their types and attributes,
//! and operations that each have their own.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rmlir_ir::Context;
use rmlir_text::{ParseOptions, PrintOptions, parse_module, print_module};
use std::hint::black_box;
use std::time::Duration;

fn modules(c: &mut Criterion) {
    let lines = |line: &dyn Fn(u32) -> String| -> String { (0..1000).map(line).collect() };
    let texts = [
        (
            "alike",
            lines(&|n| {
                let flags = ["none", "nsw", "nuw"][n as usize % 3];
                format!(
                    "%{n} = \"own.add\"() <{{flags = #own.flags<{flags}>}}> : () -> tensor<4x?xf32>\n"
                )
            }),
        ),
        (
            "different",
            lines(&|n| {
                format!(
                    "%{n} = \"own.op{}\"() <{{value = {n} : i64}}> : () -> vector<{}xf32>\n",
                    n % 50,
                    n + 1
                )
            }),
        ),
        (
            "locations",
            lines(&|n| format!("\"own.op\"() : () -> () loc(\"file.py\":{n}:{})\n", n % 80)),
        ),
    ];
    let mut group = c.benchmark_group("modules");
    group.throughput(Throughput::Elements(1000));
    for (name, text) in &texts {
        let context = Context::new();
        let parse_options = ParseOptions::default();
        group.bench_function(format!("parse {name}"), |b| {
            b.iter_batched_ref(
                || context.clone(),
                |context| parse_module(context, black_box(text.as_bytes()), &parse_options).is_ok(),
                BatchSize::SmallInput,
            );
        });
        let mut context = Context::new();
        let Ok(module) = parse_module(&mut context, text.as_bytes(), &parse_options) else {
            continue;
        };
        let mut options = PrintOptions::generic();
        options.debug_info = *name == "locations";
        let mut out = Vec::new();
        group.bench_function(format!("print {name}"), |b| {
            b.iter(|| {
                out.clear();
                print_module(&context, black_box(&module), &options, &mut out).is_ok()
            });
        });
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(40);
    targets = modules
}
criterion_main!(benches);
