//! Where the cache is: options, environment variables, and `rmlir.toml`.

use crate::Failure;
use crate::diagnostics::DiagnosticFormat;
use clap::Args;
use rmlir_cache::{
    Cache, CacheOptions, DirectoryLevel, Level, MacKeys, ReadOnlyLevel, WritePolicy,
};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// The name of the file with settings, in the working directory or one around it.
const FILE: &str = "rmlir.toml";

/// The options of all subcommands of `rmlir cache`.
#[derive(Args, Clone, Debug)]
pub(super) struct CacheArguments {
    /// The directory of the cache
    ///
    /// Otherwise that of the environment variable RMLIR_CACHE_DIR, of 'dir' in the section
    /// '[cache]' of rmlir.toml in this directory or one around it, or 'rmlir' in the user's
    /// directory of caches.
    #[arg(long, value_name = "DIRECTORY")]
    cache_dir: Option<PathBuf>,
    /// A server that is asked for results that the directory does not have (RMLIR_CACHE_REMOTE,
    /// 'remote')
    ///
    /// 'http://HOST:PORT/PREFIX', which speaks Bazel's HTTP protocol, 's3://BUCKET/PREFIX', or the
    /// directory of another cache. Can be repeated: the nearest first, which get what they do
    /// not have.
    #[arg(long, value_name = "URL")]
    remote: Vec<String>,
    /// Store nothing (RMLIR_CACHE_READ_ONLY, 'read-only')
    #[arg(long)]
    read_only: bool,
    /// The form of error messages
    #[arg(long, value_name = "FORM", default_value = "auto")]
    diagnostic_format: DiagnosticFormat,
}

/// The settings of a file.
#[derive(Default)]
pub(super) struct Settings {
    pub(super) dir: Option<PathBuf>,
    pub(super) read_only: Option<bool>,
    pub(super) secrets_file: Option<PathBuf>,
    remotes: Vec<Remote>,
    remote_read_only: Option<bool>,
    remote_timeout: Option<Duration>,
    s3_endpoint: Option<String>,
    s3_region: Option<String>,
    pub(super) max_bytes: Option<u64>,
    pub(super) max_age: Option<Duration>,
}

/// A further level.
struct Remote {
    /// The URL, or a directory.
    url: String,
    read_only: bool,
}

impl Remote {
    fn new(url: &str) -> Self {
        Remote {
            url: url.to_owned(),
            read_only: false,
        }
    }
}

impl CacheArguments {
    pub(super) fn new(cache_dir: Option<PathBuf>, remote: Option<String>, read_only: bool) -> Self {
        CacheArguments {
            cache_dir,
            remote: remote.into_iter().collect(),
            read_only,
            diagnostic_format: DiagnosticFormat::default(),
        }
    }

    pub(super) fn diagnostic_format(&self) -> DiagnosticFormat {
        self.diagnostic_format
    }

    /// Returns the settings: environment variables come before the file.
    pub(super) fn settings(&self) -> Result<Settings, Failure> {
        let mut settings = match find_file() {
            Some(path) => read_file(&path)?,
            None => Settings::default(),
        };
        if let Some(dir) = variable("RMLIR_CACHE_DIR") {
            settings.dir = Some(PathBuf::from(dir));
        }
        if let Some(dir) = &self.cache_dir {
            settings.dir = Some(dir.clone());
        }
        if let Some(value) = variable("RMLIR_CACHE_READ_ONLY") {
            settings.read_only = Some(is_true(&value));
        }
        if self.read_only {
            settings.read_only = Some(true);
        }
        if let Some(urls) = variable("RMLIR_CACHE_REMOTE") {
            settings.remotes = urls.split_whitespace().map(Remote::new).collect();
        }
        if !self.remote.is_empty() {
            settings.remotes = self.remote.iter().map(|url| Remote::new(url)).collect();
        }
        if let Some(time) = variable("RMLIR_CACHE_REMOTE_TIMEOUT") {
            settings.remote_timeout = Some(duration(&time).map_err(Failure::Usage)?);
        }
        if let Some(value) = variable("RMLIR_CACHE_REMOTE_READ_ONLY") {
            settings.remote_read_only = Some(is_true(&value));
        }
        if let Some(url) = variable("RMLIR_CACHE_S3_ENDPOINT") {
            settings.s3_endpoint = Some(url);
        }
        if let Some(region) = variable("AWS_REGION") {
            settings.s3_region = Some(region);
        }
        if let Some(path) = variable("RMLIR_CACHE_SECRETS_FILE") {
            settings.secrets_file = Some(PathBuf::from(path));
        }
        if let Some(size) = variable("RMLIR_CACHE_MAX_SIZE") {
            settings.max_bytes = Some(bytes(&size).map_err(Failure::Usage)?);
        }
        if let Some(age) = variable("RMLIR_CACHE_MAX_AGE") {
            settings.max_age = Some(duration(&age).map_err(Failure::Usage)?);
        }
        Ok(settings)
    }

    /// Opens the cache.
    pub(super) fn open(&self) -> Result<Cache, Failure> {
        let settings = self.settings()?;
        let dir = match &settings.dir {
            Some(dir) => dir.clone(),
            None => default_directory().ok_or_else(|| {
                let message = "the directory of the cache is unknown: set RMLIR_CACHE_DIR";
                Failure::Usage(message.to_owned())
            })?,
        };
        let mut options = CacheOptions::default();
        options.read_only = settings.read_only.unwrap_or(false);
        options.mac = secrets(&settings)?;
        for remote in &settings.remotes {
            let level = match remote.url.contains("://") {
                true => level(&remote.url, &settings)?,
                false => Arc::new(DirectoryLevel::new(&remote.url)),
            };
            options.levels.push(match remote.read_only {
                true => Arc::new(ReadOnlyLevel(level)),
                false => level,
            });
        }
        if settings.remote_read_only == Some(true) {
            options.write = WritePolicy::Local;
        }
        Cache::open_with(&dir, options).map_err(|e| Failure::io(&dir.display().to_string(), &e))
    }
}

fn variable(name: &str) -> Option<String> {
    let value = std::env::var_os(name)?.to_string_lossy().into_owned();
    (!value.is_empty()).then_some(value)
}

fn is_true(value: &str) -> bool {
    !matches!(value, "0" | "false" | "no")
}

fn default_directory() -> Option<PathBuf> {
    let cache = match std::env::var_os("XDG_CACHE_HOME").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => PathBuf::from(std::env::var_os("HOME")?).join(".cache"),
    };
    Some(cache.join("rmlir").join("artifacts"))
}

fn find_file() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    let mut candidates = here.ancestors().map(|folder| folder.join(FILE));
    candidates.find(|path| path.is_file())
}

/// Reads the section `[cache]`. Relative paths are relative to the file.
fn read_file(path: &Path) -> Result<Settings, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| Failure::io(&name.to_string(), &e))?;
    let table: toml::Table = toml::from_str(&text)
        .map_err(|e| Failure::Input(format!("{name}: error: {}", e.message())))?;
    let mut settings = Settings::default();
    let Some(cache) = table.get("cache") else {
        return Ok(settings);
    };
    let wrong = |key: &str, expected: &str| {
        Failure::Input(format!("{name}: error: 'cache.{key}' is not {expected}"))
    };
    let Some(cache) = cache.as_table() else {
        return Err(Failure::Input(format!(
            "{name}: error: 'cache' is not a table"
        )));
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    for (key, value) in cache {
        let text = || value.as_str().ok_or_else(|| wrong(key, "a string"));
        match key.as_str() {
            "dir" => settings.dir = Some(folder.join(text()?)),
            "remote" => settings.remotes = remotes(value, folder).ok_or_else(|| {
                wrong(key, "a URL, a directory, or a list of these or of '{ url = ..., read-only = true }'")
            })?,
            "remote-timeout" => {
                let time = duration(text()?).map_err(|_| wrong(key, "a time such as '10s'"))?;
                settings.remote_timeout = Some(time);
            }
            "s3-endpoint" => settings.s3_endpoint = Some(text()?.to_owned()),
            "s3-region" => settings.s3_region = Some(text()?.to_owned()),
            "remote-read-only" => {
                let value = value.as_bool().ok_or_else(|| wrong(key, "true or false"))?;
                settings.remote_read_only = Some(value);
            }
            "secrets-file" => settings.secrets_file = Some(folder.join(text()?)),
            "read-only" => {
                let value = value.as_bool().ok_or_else(|| wrong(key, "true or false"))?;
                settings.read_only = Some(value);
            }
            "max-size" => {
                let size = bytes(text()?).map_err(|_| wrong(key, "a size such as '10G'"))?;
                settings.max_bytes = Some(size);
            }
            "max-age" => {
                let age = duration(text()?).map_err(|_| wrong(key, "a time such as '30d'"))?;
                settings.max_age = Some(age);
            }
            other => {
                return Err(Failure::Input(format!(
                    "{name}: error: 'cache.{other}' is unknown"
                )));
            }
        }
    }
    Ok(settings)
}

/// Reads the levels of a file. Relative directories are relative to the file.
fn remotes(value: &toml::Value, folder: &Path) -> Option<Vec<Remote>> {
    let url = |text: &str| match text.contains("://") {
        true => text.to_owned(),
        false => folder.join(text).display().to_string(),
    };
    let one = |value: &toml::Value| match value {
        toml::Value::String(text) => Some(Remote::new(&url(text))),
        toml::Value::Table(table) => {
            let mut remote = Remote::new(&url(table.get("url")?.as_str()?));
            for (key, value) in table {
                match key.as_str() {
                    "url" => {}
                    "read-only" => remote.read_only = value.as_bool()?,
                    _ => return None,
                }
            }
            Some(remote)
        }
        _ => None,
    };
    match value {
        toml::Value::Array(values) => values.iter().map(one).collect(),
        value => Some(vec![one(value)?]),
    }
}

/// Connects to a server. The secrets of requests are in the environment only.
#[cfg(feature = "cache-remote")]
fn level(url: &str, settings: &Settings) -> Result<Arc<dyn Level>, Failure> {
    use rmlir_cache::remote::{HttpLevel, S3Level};
    let wrong = |error: rmlir_cache::LevelError| Failure::Usage(format!("the server: {error}"));
    if url.starts_with("s3://") {
        let region = settings.s3_region.as_deref().unwrap_or("us-east-1");
        let default = format!("https://s3.{region}.amazonaws.com");
        let endpoint = settings.s3_endpoint.as_deref().unwrap_or(&default);
        let level = S3Level::from_env(url, endpoint, region).map_err(wrong)?;
        return Ok(match settings.remote_timeout {
            Some(time) => Arc::new(level.with_timeout(time)),
            None => Arc::new(level),
        });
    }
    let authorization = variable("RMLIR_CACHE_REMOTE_AUTHORIZATION");
    let level = HttpLevel::new(url, authorization).map_err(wrong)?;
    Ok(match settings.remote_timeout {
        Some(time) => Arc::new(level.with_timeout(time)),
        None => Arc::new(level),
    })
}

#[cfg(not(feature = "cache-remote"))]
fn level(url: &str, settings: &Settings) -> Result<Arc<dyn Level>, Failure> {
    let _ = (
        &settings.s3_endpoint,
        &settings.s3_region,
        settings.remote_timeout,
    );
    let message = "this program was built without the feature 'cache-remote'";
    Err(Failure::Usage(format!(
        "the server '{url}' cannot be used: {message}"
    )))
}

/// Returns the secrets of the environment or of a file. Messages do not contain them.
fn secrets(settings: &Settings) -> Result<MacKeys, Failure> {
    if let Some(text) = variable("RMLIR_CACHE_SECRETS") {
        return MacKeys::parse(&text)
            .map_err(|e| Failure::Usage(format!("RMLIR_CACHE_SECRETS: {e}")));
    }
    let Some(path) = &settings.secrets_file else {
        return Ok(MacKeys::default());
    };
    let name = path.display().to_string();
    let text = std::fs::read_to_string(path).map_err(|e| Failure::io(&name, &e))?;
    MacKeys::parse(&text).map_err(|e| Failure::Input(format!("{name}: error: {e}")))
}

/// Parses a number of bytes: `500M`, `10G`, `1024`.
pub(super) fn bytes(text: &str) -> Result<u64, String> {
    let wrong = || format!("'{text}' is not a size such as '500M' or '10G'");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text.strip_prefix(digits).unwrap_or_default() {
        "" | "B" => 0,
        "K" | "KiB" => 10,
        "M" | "MiB" => 20,
        "G" | "GiB" => 30,
        "T" | "TiB" => 40,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number.checked_mul(1 << unit).ok_or_else(wrong)
}

/// Parses a time: `90d`, `12h`, `30m`, `10s`.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let wrong = || format!("'{text}' is not a time such as '90d' or '12h'");
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let seconds = match text.strip_prefix(digits).unwrap_or_default() {
        "s" => 1,
        "m" => 60,
        "h" => 3600,
        "d" => 24 * 3600,
        _ => return Err(wrong()),
    };
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    number
        .checked_mul(seconds)
        .map(Duration::from_secs)
        .ok_or_else(wrong)
}
