//! Buckets of S3, and of servers that speak its protocol.

use super::Objects;
use super::http::{REQUEST, agent, content, failed, stored};
use crate::level::LevelError;
use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};
use std::fmt;
use std::time::Duration;
use ureq::Agent;

/// How long a signed request is valid.
const VALID: Duration = Duration::from_secs(300);

/// A bucket, with the layout of Bazel's HTTP protocol below a prefix.
pub struct S3Level {
    pub(super) name: String,
    bucket: Bucket,
    prefix: String,
    credentials: Credentials,
    agent: Agent,
}

impl fmt::Debug for S3Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Level")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl S3Level {
    /// Creates a level for `s3://BUCKET/PREFIX` on a server, with the credentials of the variables
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`.
    ///
    /// # Errors
    ///
    /// If a URL is malformed, or credentials are missing.
    pub fn from_env(url: &str, endpoint: &str, region: &str) -> Result<Self, LevelError> {
        let path = url.strip_prefix("s3://");
        let path = path.ok_or_else(|| LevelError::new("the URL does not begin with 's3://'"))?;
        let (bucket, prefix) = path.split_once('/').unwrap_or((path, ""));
        let endpoint = endpoint.parse();
        let endpoint = endpoint.map_err(|_| LevelError::new("the endpoint is not a URL"))?;
        let bucket = Bucket::new(
            endpoint,
            UrlStyle::Path,
            bucket.to_owned(),
            region.to_owned(),
        );
        let bucket = bucket.map_err(|error| LevelError::new(error.to_string()))?;
        let credentials = Credentials::from_env()
            .ok_or_else(|| LevelError::new("AWS_ACCESS_KEY_ID is not set"))?;
        let prefix = prefix.trim_end_matches('/');
        Ok(S3Level {
            name: url.to_owned(),
            bucket,
            prefix: match prefix {
                "" => String::new(),
                prefix => format!("{prefix}/"),
            },
            credentials,
            agent: agent(REQUEST),
        })
    }

    /// Sets how long a request may take. Default: 10 seconds.
    #[must_use]
    pub fn with_timeout(mut self, timeout: Duration) -> Self {
        self.agent = agent(timeout);
        self
    }

    fn object(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }
}

impl Objects for S3Level {
    fn get(&self, path: &str, limit: u64) -> Result<Option<Vec<u8>>, LevelError> {
        let object = self.object(path);
        let action = self.bucket.get_object(Some(&self.credentials), &object);
        let url = action.sign(VALID);
        content(self.agent.get(url.as_str()).call(), limit)
    }

    fn has(&self, path: &str) -> Result<bool, LevelError> {
        let object = self.object(path);
        let action = self.bucket.head_object(Some(&self.credentials), &object);
        let url = action.sign(VALID);
        let answer = self
            .agent
            .head(url.as_str())
            .call()
            .map_err(|error| failed(&error))?;
        Ok(answer.status().as_u16() == 200)
    }

    fn put(&self, path: &str, bytes: &[u8]) -> Result<(), LevelError> {
        let object = self.object(path);
        let action = self.bucket.put_object(Some(&self.credentials), &object);
        let url = action.sign(VALID);
        stored(self.agent.put(url.as_str()).send(bytes))
    }
}
