//! Benchmark of the lexer.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use rmlir_text::lexer::{Lexer, TokenKind};
use std::hint::black_box;
use std::time::Duration;

fn count(text: &str) -> usize {
    let mut lexer = Lexer::new(text.as_bytes());
    std::iter::from_fn(|| Some(lexer.next_token()))
        .take_while(|token| token.kind != TokenKind::Eof)
        .count()
}

fn tokens(c: &mut Criterion) {
    let operations: String = (0..500)
        .map(|n| {
            format!(
                "      %{n} = \"arith.addi\"(%arg{n}, %{}) <{{overflowFlags = #arith.overflow<none>}}> : (i64, i64) -> i64\n",
                n + 1
            )
        })
        .collect();
    let comments: String = (0..500)
        .map(|n| format!("    // What number {n} is good for is said here.\n"))
        .collect();
    let mut group = c.benchmark_group("lexing");
    for (name, text) in [("operations", operations), ("comments", comments)] {
        group.throughput(Throughput::Bytes(text.len() as u64));
        group.bench_function(name, |b| b.iter(|| count(black_box(&text))));
    }
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(40);
    targets = tokens
}
criterion_main!(benches);
