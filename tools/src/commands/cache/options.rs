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
use toml::de::{DeTable, DeValue};

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
    /// not have. Servers require a program that was built with the feature 'cache-remote';
    /// 'https://' and S3 on the Internet require 'cache-https'.
    #[arg(long, value_name = "URL")]
    remote: Vec<String>,
    /// Store and remove nothing (RMLIR_CACHE_READ_ONLY, 'read-only')
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
    /// Whether an option of the command names it: then it must be usable.
    is_required: bool,
}

impl Remote {
    /// Checks the scheme of a URL. Other texts are directories.
    fn new(url: &str) -> Result<Self, String> {
        match scheme(url) {
            None | Some("http" | "https" | "s3") => Ok(Remote {
                url: url.to_owned(),
                read_only: false,
                is_required: false,
            }),
            Some(scheme) => Err(format!(
                "the scheme '{scheme}:' of a remote level is unknown; {SCHEMES}"
            )),
        }
    }
}

/// What is accepted as a remote level.
const SCHEMES: &str =
    "expected 'http://', 'https://', 's3://', or the directory of another cache such as './PATH'";

/// Returns the scheme of a URL (RFC 3986, section 3.1). Those of one letter are drives.
fn scheme(url: &str) -> Option<&str> {
    let (scheme, _) = url.split_once(':')?;
    let is_scheme = scheme.len() > 1
        && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    is_scheme.then_some(scheme)
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
            let remotes: Result<_, _> = urls.split_whitespace().map(Remote::new).collect();
            let wrong = |e| Failure::Usage(format!("RMLIR_CACHE_REMOTE: {e}"));
            settings.remotes = remotes.map_err(wrong)?;
        }
        if !self.remote.is_empty() {
            let remotes: Result<_, _> = self.remote.iter().map(|url| Remote::new(url)).collect();
            settings.remotes = remotes.map_err(|e| Failure::Usage(format!("--remote: {e}")))?;
            for remote in &mut settings.remotes {
                remote.is_required = true;
            }
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
            let level = match scheme(&remote.url) {
                Some(_) => level(&remote.url, &settings),
                None => Ok(Arc::new(DirectoryLevel::new(&remote.url)) as Arc<dyn Level>),
            };
            let level = match level {
                Ok(level) => level,
                // Programs of a team need not all be built with servers: the build goes on.
                Err(Unusable::Feature(name)) if !remote.is_required => {
                    options.messages.push(without_feature(&remote.url, name));
                    continue;
                }
                Err(Unusable::Feature(name)) => {
                    return Err(Failure::Usage(without_feature(&remote.url, name)));
                }
                #[cfg(feature = "cache-remote")]
                Err(Unusable::Wrong(error)) => {
                    return Err(Failure::Usage(format!("the server: {error}")));
                }
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

/// A file with settings, for messages with positions in it.
struct SettingsFile<'t> {
    path: &'t Path,
    text: &'t str,
}

impl SettingsFile<'_> {
    /// Returns an error at an offset.
    fn error(&self, at: usize, message: &str) -> Failure {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let start = before.rfind('\n').map_or(0, |end| end + 1);
        let column = before.get(start..).unwrap_or_default().chars().count() + 1;
        let path = self.path.display();
        Failure::Input(format!("{path}:{line}:{column}: error: {message}"))
    }

    /// Returns an error of the value of a key.
    fn wrong(&self, key: &str, value: &Value<'_>, expected: &str) -> Failure {
        let message = format!("'cache.{key}' is not {expected}");
        self.error(value.span().start, &message)
    }

    /// Reads a remote level. Relative directories are relative to the file.
    fn remote(&self, key: &str, value: &Value<'_>) -> Result<Remote, Failure> {
        let expected =
            "a URL, a directory, or a list of these or of '{ url = ..., read-only = true }'";
        let folder = self.path.parent().unwrap_or(Path::new("."));
        let new = |text: &str, at: &Value<'_>| {
            let url = match scheme(text) {
                Some(_) => text.to_owned(),
                None => folder.join(text).display().to_string(),
            };
            Remote::new(&url).map_err(|message| self.error(at.span().start, &message))
        };
        match value.get_ref() {
            DeValue::String(text) => new(text, value),
            DeValue::Table(table) => {
                let url = table
                    .get("url")
                    .and_then(|url| Some((url.get_ref().as_str()?, url)));
                let (url, at) = url.ok_or_else(|| self.wrong(key, value, expected))?;
                let mut remote = new(url, at)?;
                for (name, one) in table {
                    remote.read_only = match (name.get_ref().as_ref(), one.get_ref().as_bool()) {
                        ("url", _) => continue,
                        ("read-only", Some(is_true)) => is_true,
                        _ => return Err(self.wrong(key, one, expected)),
                    };
                }
                Ok(remote)
            }
            _ => Err(self.wrong(key, value, expected)),
        }
    }
}

/// A value with its position.
type Value<'t> = toml::Spanned<DeValue<'t>>;

/// Reads the section `[cache]`. Relative paths are relative to the file.
fn read_file(path: &Path) -> Result<Settings, Failure> {
    let name = path.display();
    let text = std::fs::read_to_string(path).map_err(|e| Failure::io(&name.to_string(), &e))?;
    let file = SettingsFile { path, text: &text };
    let table = DeTable::parse(&text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        file.error(at, error.message())
    })?;
    let mut settings = Settings::default();
    let Some(cache) = table.get_ref().get("cache") else {
        return Ok(settings);
    };
    let Some(cache) = cache.get_ref().as_table() else {
        return Err(file.error(cache.span().start, "'cache' is not a table"));
    };
    let folder = path.parent().unwrap_or(Path::new("."));
    for (key, value) in cache {
        let (at, key) = (key.span().start, key.get_ref().as_ref());
        let wrong = |expected: &str| file.wrong(key, value, expected);
        let inner = value.get_ref();
        let text = || inner.as_str().ok_or_else(|| wrong("a string"));
        let flag = || inner.as_bool().ok_or_else(|| wrong("true or false"));
        match key {
            "dir" => settings.dir = Some(folder.join(text()?)),
            "remote" => {
                let remotes: Result<_, _> = match inner.as_array() {
                    Some(values) => values.iter().map(|one| file.remote(key, one)).collect(),
                    None => file.remote(key, value).map(|one| vec![one]),
                };
                settings.remotes = remotes?;
            }
            "remote-timeout" => {
                let time = duration(text()?).map_err(|_| wrong("a time such as '10s'"))?;
                settings.remote_timeout = Some(time);
            }
            "s3-endpoint" => settings.s3_endpoint = Some(text()?.to_owned()),
            "s3-region" => settings.s3_region = Some(text()?.to_owned()),
            "remote-read-only" => settings.remote_read_only = Some(flag()?),
            "secrets-file" => settings.secrets_file = Some(folder.join(text()?)),
            "read-only" => settings.read_only = Some(flag()?),
            "max-size" => {
                let size = bytes(text()?).map_err(|_| wrong("a size such as '10G'"))?;
                settings.max_bytes = Some(size);
            }
            "max-age" => {
                let age = duration(text()?).map_err(|_| wrong("a time such as '30d'"))?;
                settings.max_age = Some(age);
            }
            other => return Err(file.error(at, &format!("'cache.{other}' is unknown"))),
        }
    }
    Ok(settings)
}

/// The reason why a server cannot be used.
enum Unusable {
    /// The feature that the program was built without.
    Feature(&'static str),
    /// The URL or a setting is wrong.
    #[cfg(feature = "cache-remote")]
    Wrong(rmlir_cache::LevelError),
}

fn without_feature(url: &str, feature: &str) -> String {
    format!(
        "the server '{url}' is not used: this program was built without the feature '{feature}'"
    )
}

/// Connects to a server. The secrets of requests are in the environment only.
#[cfg(feature = "cache-remote")]
fn level(url: &str, settings: &Settings) -> Result<Arc<dyn Level>, Unusable> {
    use rmlir_cache::remote::{HttpLevel, S3Level};
    let check = |url: &str| match url.starts_with("https:") && !cfg!(feature = "cache-https") {
        true => Err(Unusable::Feature("cache-https")),
        false => Ok(()),
    };
    if url.starts_with("s3:") {
        let region = settings.s3_region.as_deref().unwrap_or("us-east-1");
        let default = format!("https://s3.{region}.amazonaws.com");
        let endpoint = settings.s3_endpoint.as_deref().unwrap_or(&default);
        check(endpoint)?;
        let level = S3Level::from_env(url, endpoint, region).map_err(Unusable::Wrong)?;
        return Ok(match settings.remote_timeout {
            Some(time) => Arc::new(level.with_timeout(time)),
            None => Arc::new(level),
        });
    }
    check(url)?;
    let authorization = variable("RMLIR_CACHE_REMOTE_AUTHORIZATION");
    let level = HttpLevel::new(url, authorization).map_err(Unusable::Wrong)?;
    Ok(match settings.remote_timeout {
        Some(time) => Arc::new(level.with_timeout(time)),
        None => Arc::new(level),
    })
}

#[cfg(not(feature = "cache-remote"))]
fn level(url: &str, settings: &Settings) -> Result<Arc<dyn Level>, Unusable> {
    let _ = (
        &settings.s3_endpoint,
        &settings.s3_region,
        settings.remote_timeout,
    );
    Err(Unusable::Feature(match url.starts_with("https:") {
        true => "cache-https",
        false => "cache-remote",
    }))
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
