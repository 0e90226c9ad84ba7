//! Benchmarks of interning new and known entries.

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use rmlir_ir::{Attribute, Context, Type, TypeKind};
use std::hint::black_box;
use std::time::Duration;

const COUNT: u32 = 1000;

fn names(context: &mut Context) {
    for n in 0..COUNT {
        context.identifier(black_box(n.wrapping_mul(2_654_435_761)).to_le_bytes());
    }
}

fn types(context: &mut Context) -> Option<Type> {
    let element = context.f32_type();
    let tensor = |n: u32| TypeKind::RankedTensor {
        shape: [4, i64::from(black_box(n))].into(),
        element,
        encoding: None,
    };
    (0..COUNT)
        .filter_map(|n| context.try_type(tensor(n)).ok())
        .last()
}

fn dictionaries(context: &mut Context) -> Option<Attribute> {
    let (value, other) = (context.identifier("value"), context.identifier("other"));
    let ty = context.i64_type();
    let dictionary = |n: u32| {
        let number = context
            .integer_attribute(ty, i64::from(black_box(n)))
            .ok()?;
        context
            .dictionary_attribute(&[(value, number), (other, number)])
            .ok()
    };
    (0..COUNT).filter_map(dictionary).last()
}

fn interning(c: &mut Criterion) {
    let mut group = c.benchmark_group("interning");
    group.throughput(Throughput::Elements(u64::from(COUNT)));
    let empty = Context::new();
    let mut full = Context::new();
    names(&mut full);
    types(&mut full);
    dictionaries(&mut full);
    for (state, context) in [("new", &empty), ("known", &full)] {
        let mut bench = |what: &str, run: &dyn Fn(&mut Context)| {
            group.bench_function(format!("{state} {what}"), |b| {
                b.iter_batched_ref(|| context.clone(), run, BatchSize::SmallInput);
            });
        };
        bench("names", &names);
        bench("types", &|context| {
            types(context);
        });
        bench("dictionaries", &|context| {
            dictionaries(context);
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
    targets = interning
}
criterion_main!(benches);
