//! Benchmarks of parsing and printing a thousand numeric elements.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rmlir_ir::Context;
use rmlir_text::{PrintOptions, parse_attribute, print_attribute};
use std::hint::black_box;
use std::time::Duration;

fn numbers(c: &mut Criterion) {
    let list = |element: &dyn Fn(u64) -> String, ty: &str| {
        let elements: Vec<String> = (0..1000).map(element).collect();
        format!("dense<[{}]> : tensor<1000x{ty}>", elements.join(", "))
    };
    let spread = |n: u64| n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let texts = [
        ("i64", list(&|n| (spread(n) as i64 >> 8).to_string(), "i64")),
        ("i128", list(&|n| format!("{}{}", n + 1, spread(n)), "i128")),
        (
            "f32",
            list(&|n| format!("{}.{}", n % 7, spread(n) % 100_000), "f32"),
        ),
        (
            "f64",
            list(
                &|n| format!("1.{}e{}", spread(n) % 1_000_000, n % 300),
                "f64",
            ),
        ),
    ];
    let mut group = c.benchmark_group("numbers");
    group.throughput(Throughput::Elements(1000));
    for (name, text) in &texts {
        let context = Context::new();
        group.bench_function(format!("parse {name}"), |b| {
            b.iter_batched_ref(
                || context.clone(),
                |context| parse_attribute(context, black_box(text.as_bytes())).is_ok(),
                BatchSize::SmallInput,
            );
        });
    }
    let mut options = PrintOptions::default();
    options.hex_if_larger = u64::MAX;
    for (name, text) in &texts {
        let mut context = Context::new();
        let Ok(attribute) = parse_attribute(&mut context, text.as_bytes()) else {
            continue;
        };
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
    targets = numbers
}
criterion_main!(benches);
