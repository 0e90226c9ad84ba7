//! Benchmarks of parsing and printing a thousand strings, plain and with escapes.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rmlir_ir::Context;
use rmlir_text::{PrintOptions, parse_attribute, print_attribute};
use std::hint::black_box;
use std::time::Duration;

fn strings(c: &mut Criterion) {
    let list = |item: &dyn Fn(u32) -> String| {
        let items: Vec<String> = (0..1000).map(item).collect();
        format!("[{}]", items.join(", "))
    };
    let texts = [
        ("plain", list(&|n| format!("\"a name of number {n}\""))),
        (
            "escapes",
            list(&|n| format!("\"line\\0A{n}\\09\\\"quoted\\\"\"")),
        ),
        (
            "long",
            list(&|n| format!("\"{n}{}\"", "0123456789ABCDEF".repeat(20))),
        ),
    ];
    let mut group = c.benchmark_group("strings");
    for (name, text) in &texts {
        group.throughput(Throughput::Bytes(text.len() as u64));
        let context = Context::new();
        group.bench_function(format!("parse {name}"), |b| {
            b.iter_batched_ref(
                || context.clone(),
                |context| parse_attribute(context, black_box(text.as_bytes())).is_ok(),
                BatchSize::SmallInput,
            );
        });
        let mut context = Context::new();
        let Ok(attribute) = parse_attribute(&mut context, text.as_bytes()) else {
            continue;
        };
        let options = PrintOptions::default();
        let mut out = Vec::new();
        group.bench_function(format!("print {name}"), |b| {
            b.iter(|| {
                out.clear();
                print_attribute(&context, black_box(attribute), &options, &mut out).is_ok()
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
    targets = strings
}
criterion_main!(benches);
