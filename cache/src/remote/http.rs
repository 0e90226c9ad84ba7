//! Servers that speak Bazel's HTTP protocol: bazel-remote, nginx with DAV, `rmlir cache serve`.

use super::Objects;
use crate::level::LevelError;
use std::fmt;
use std::time::Duration;
use ureq::Agent;

/// How long a connection may take to be made.
const CONNECT: Duration = Duration::from_secs(1);
/// How long a request may take, unless it is told.
pub(super) const REQUEST: Duration = Duration::from_secs(10);

/// A server with GET, HEAD and PUT of `/ac/KEY` and `/cas/SHA256`.
pub struct HttpLevel {
    pub(super) name: String,
    url: String,
    authorization: Option<String>,
    agent: Agent,
}

impl fmt::Debug for HttpLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpLevel")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl HttpLevel {
    /// Creates a level for the server at a URL, such as `http://cache.example:8080/team`.
    ///
    /// `authorization` is the value of the header of that name, such as `Bearer TOKEN`.
    ///
    /// # Errors
    ///
    /// If the URL is not one of HTTP, has a user name in it, or is one of HTTPS without the feature
    /// `https`.
    pub fn new(url: &str, authorization: Option<String>) -> Result<Self, LevelError> {
        let url = url.trim_end_matches('/');
        let is_known =
            url.starts_with("http://") || (cfg!(feature = "https") && url.starts_with("https://"));
        if !is_known {
            let message = match url.starts_with("https://") {
                true => "this program was built without the feature 'https'",
                false => "the URL does not begin with 'http://'",
            };
            return Err(LevelError::new(message));
        }
        if url.contains('@') {
            return Err(LevelError::new("secrets do not belong into the URL"));
        }
        Ok(HttpLevel {
            name: url.to_owned(),
            url: url.to_owned(),
            authorization,
            agent: agent(REQUEST),
        })
    }

    /// Sets how long a request may take. Default: 10 seconds.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.agent = agent(timeout);
        self
    }
}

pub(super) fn agent(timeout: Duration) -> Agent {
    Agent::config_builder()
        .http_status_as_error(false)
        .timeout_connect(Some(CONNECT.min(timeout)))
        .timeout_global(Some(timeout))
        .max_redirects(0)
        .build()
        .into()
}

/// Turns an error of the client into ours.
pub(super) fn failed(error: &ureq::Error) -> LevelError {
    LevelError {
        message: error.to_string(),
        is_slow: matches!(error, ureq::Error::Timeout(_)),
    }
}

/// Reads the content of an answer.
pub(super) fn content(
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
    limit: u64,
) -> Result<Option<Vec<u8>>, LevelError> {
    let mut answer = answer.map_err(|error| failed(&error))?;
    match answer.status().as_u16() {
        200 => {}
        404 | 410 => return Ok(None),
        status => return Err(LevelError::new(format!("the server answers {status}"))),
    }
    let body = answer
        .body_mut()
        .with_config()
        .limit(limit.saturating_add(1));
    match body.read_to_vec() {
        Ok(bytes) if bytes.len() as u64 <= limit => Ok(Some(bytes)),
        Ok(_) | Err(ureq::Error::BodyExceedsLimit(_)) => {
            Err(LevelError::new("the server sends more than was stored"))
        }
        Err(error) => Err(failed(&error)),
    }
}

/// Checks the answer to a request that stores something.
pub(super) fn stored(
    answer: Result<ureq::http::Response<ureq::Body>, ureq::Error>,
) -> Result<(), LevelError> {
    let answer = answer.map_err(|error| failed(&error))?;
    match answer.status().as_u16() {
        200..=299 => Ok(()),
        status => Err(LevelError::new(format!("the server answers {status}"))),
    }
}

impl Objects for HttpLevel {
    fn get(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, LevelError> {
        let mut request = self.agent.get(format!("{}/{path}", self.url));
        if let Some(authorization) = &self.authorization {
            request = request.header("Authorization", authorization);
        }
        content(request.call(), limit)
    }

    fn has(&self, path: &str) -> Result<bool, LevelError> {
        let mut request = self.agent.head(format!("{}/{path}", self.url));
        if let Some(authorization) = &self.authorization {
            request = request.header("Authorization", authorization);
        }
        let answer = request.call().map_err(|error| failed(&error))?;
        Ok(answer.status().as_u16() == 200)
    }

    fn put(&self, path: &str, bytes: &[u8]) -> Result<(), LevelError> {
        let mut request = self.agent.put(format!("{}/{path}", self.url));
        if let Some(authorization) = &self.authorization {
            request = request.header("Authorization", authorization);
        }
        stored(request.send(bytes))
    }
}
