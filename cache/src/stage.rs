//! [`Stage`]: a compiler stage in this process, through the cache.

use crate::command::Priority;
use crate::parts::{self, Granularity, Locations, PartOutput, PartTool, PartsOptions, Refusal};
use crate::store::stats::Counters;
use crate::{ActionKey, Cache};
use rmlir::{Form, Ir, Threads};

/// A stage of a compiler that is a function from modules to modules. [`Cache::stage`] makes it.
///
/// The name, the version and the options are the key, with the module: all other inputs of the
/// function must be among the options.
#[derive(Clone, Debug)]
pub struct Stage<'c> {
    cache: &'c Cache,
    name: String,
    version: String,
    options: Vec<(String, String)>,
    parts: PartsOptions,
}

impl Cache {
    /// Returns a stage of a name and version. A change of the version makes all results anew.
    ///
    /// ```
    /// use rmlir_cache::Cache;
    ///
    /// # let folder = std::env::temp_dir().join(format!("rmlir-stage-doc-{}", std::process::id()));
    /// let cache = Cache::open(&folder)?;
    /// let stage = cache.stage("rename", "1").option("to", "arith.subi").per_function();
    /// let rename = |mut part: rmlir::Ir| -> rmlir::Result<rmlir::Ir> {
    ///     let adds = part.ops().filter(|op| op.is("arith.addi")).map(|op| op.id());
    ///     for add in adds.collect::<Vec<_>>() {
    ///         part.edit().set_name(add, "arith.subi")?;
    ///     }
    ///     Ok(part)
    /// };
    /// let text = "func.func @f(%x: i32) -> i32 {
    ///   %y = arith.addi %x, %x : i32
    ///   return %y : i32
    /// }";
    /// let first = stage.run(&rmlir::parse(text)?, rename)?;
    /// assert!(first.to_string().contains("arith.subi"));
    /// // Nothing is computed: the function is only somewhere else in the file.
    /// let moved = rmlir::parse(format!("\n{text}"))?;
    /// let second = stage.run(&moved, |_| -> rmlir::Result<rmlir::Ir> { unreachable!() })?;
    /// assert!(first.semantic_eq(&second));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn stage(&self, name: impl Into<String>, version: impl Into<String>) -> Stage<'_> {
        Stage {
            cache: self,
            name: name.into(),
            version: version.into(),
            options: Vec::new(),
            parts: PartsOptions {
                granularity: Granularity::Module,
                locations: Locations::Rebind,
                check: 0,
                threads: Threads::ONE,
            },
        }
    }
}

impl Stage<'_> {
    /// Adds an option that the result depends on. The order of options does not count.
    #[must_use]
    pub fn option(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.options.push((name.into(), value.into()));
        self
    }

    /// Stores the result of each function, which must not depend on the bodies of others. The
    /// function gets modules with some of the functions, and declarations of others.
    #[must_use]
    pub fn per_function(mut self) -> Self {
        self.parts.granularity = Granularity::Function;
        self
    }

    /// Stores the result of each function, which may depend on all functions that it refers to.
    #[must_use]
    pub fn closure(mut self) -> Self {
        self.parts.granularity = Granularity::Closure;
        self
    }

    /// Sets how locations count. [`Locations::Strip`] is left to the caller: it is like
    /// [`Locations::Rebind`] here.
    #[must_use]
    pub fn locations(mut self, locations: Locations) -> Self {
        self.parts.locations = locations;
        self
    }

    /// Computes this share of the results that are found again, in percent, and compares.
    #[must_use]
    pub fn check(mut self, percent: u8) -> Self {
        self.parts.check = percent.min(100);
        self
    }

    /// Sets the number of threads that read and write modules.
    #[must_use]
    pub fn threads(mut self, threads: Threads) -> Self {
        self.parts.threads = threads;
        self
    }

    /// Returns what `compute` makes of a module: stored results, and those of parts that it is
    /// called for. It may be called for parts and for the whole module at the same time.
    ///
    /// # Errors
    ///
    /// That of `compute` for the whole module. It is called for that if it fails for a part.
    pub fn run<E: Send>(
        &self,
        input: &Ir,
        compute: impl Fn(Ir) -> Result<Ir, E> + Sync,
    ) -> Result<Ir, E> {
        let options = self
            .options
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()));
        let domain = ActionKey::new(&self.name, &self.version).with_options(options);
        let domain = domain.with("runs in", "the process").finish();
        let tool = Computation {
            cache: self.cache,
            input,
            compute,
        };
        let outcome = parts::run(self.cache, &domain, self.parts, &tool);
        let stats = &self.cache.store().stats;
        let Some(outcome) = outcome else {
            stats.count_result(0, 1);
            return tool.run_whole(Priority::Normal).map(|(ir, _)| ir);
        };
        match outcome.whole {
            Some(_) => stats.count_result(0, 1),
            None => stats.count_result(outcome.hits, outcome.misses),
        }
        if let Some(whole) = outcome.whole {
            return whole.map(|(ir, _)| ir);
        }
        let options = parts::read_options("-", self.parts.threads);
        let output = outcome
            .output
            .and_then(|bytes| rmlir::read_with(bytes, &options).ok());
        match output {
            Some(ir) => Ok(ir),
            None => tool.run_whole(Priority::Normal).map(|(ir, _)| ir),
        }
    }
}

/// Copies a module to a context of its own.
fn copy(ir: &Ir) -> Option<Ir> {
    let (context, module) = ir.parts();
    let mut to = context.new_with_same_definitions();
    let module = module.copy_to(context, &mut to).ok()?;
    Some(Ir::from_parts(to, module))
}

/// A function as a tool for parts.
struct Computation<'a, F> {
    cache: &'a Cache,
    input: &'a Ir,
    compute: F,
}

impl<F, E> PartTool for Computation<'_, F>
where
    F: Fn(Ir) -> Result<Ir, E> + Sync,
    E: Send,
{
    /// The result, and its bytes if it can be stored.
    type Whole = Result<(Ir, Option<Vec<u8>>), E>;

    fn input(&self) -> Option<Ir> {
        copy(self.input)
    }

    fn input_len(&self) -> Option<usize> {
        None
    }

    fn keeps_parts(&self) -> bool {
        false
    }

    fn run_part(&self, part: &mut Ir) -> Result<PartOutput, Refusal> {
        Counters::count(&self.cache.store().stats.tool_runs, 1);
        let part = copy(part).ok_or(Refusal::Changed)?;
        let result = (self.compute)(part).map_err(|_| Refusal::Failed)?;
        Ok(PartOutput::Module(Box::new(result)))
    }

    fn run_whole(&self, _: Priority) -> Self::Whole {
        Counters::count(&self.cache.store().stats.tool_runs, 1);
        // A copy fails only for a module that breaks its invariants, which has no result to store.
        let copied = copy(self.input).unwrap_or_default();
        let mut ir = (self.compute)(copied)?;
        let bytes = ir
            .to_bytes(Form::Rmbc, &rmlir::WriteOptions::default())
            .ok();
        Ok((ir, bytes))
    }

    fn output<'w>(&self, whole: &'w Self::Whole) -> Option<&'w [u8]> {
        whole.as_ref().ok()?.1.as_deref()
    }

    fn is_unchanged(&self) -> bool {
        true
    }

    fn trace(&self) -> Option<&'static str> {
        None
    }
}
