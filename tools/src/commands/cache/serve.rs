//! `rmlir cache serve`: a server for other machines.

use super::options::CacheArguments;
use crate::Failure;
use crate::commands::{ExitStatus, Run};
use crate::diagnostics::DiagnosticFormat;
use clap::Args;
use std::path::PathBuf;

/// Serve a directory to other machines, by Bazel's HTTP protocol
///
/// Requires a program that was built with the feature 'cache-remote'.
///
/// For a team without a server of its own. There is no authentication: whoever reaches the port can
/// read and write. 'rmlir cache gc --cache-dir DIRECTORY' keeps the directory small.
#[derive(Args, Debug)]
pub(super) struct Serve {
    /// The address and port; port 0 is any free one, which is printed
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    bind: String,
    /// Refuse to store anything
    #[arg(long)]
    no_uploads: bool,
    /// The directory
    directory: PathBuf,
    #[command(flatten)]
    cache: CacheArguments,
}

impl Run for Serve {
    fn diagnostic_format(&self) -> DiagnosticFormat {
        self.cache.diagnostic_format()
    }

    #[cfg(feature = "cache-remote")]
    fn run(&self) -> Result<ExitStatus, Failure> {
        let server = rmlir_cache::serve::CacheServer::bind(&self.bind, &self.directory)
            .map_err(|e| Failure::io(&self.bind, &e))?;
        let server = match self.no_uploads {
            true => server.read_only(),
            false => server,
        };
        if let Some(address) = server.address() {
            crate::commands::print(&format!("http://{address}\n"))?;
            if !address.ip().is_loopback() {
                let warning = "whoever reaches this port can read and write results";
                self.diagnostic_format().show_warning(warning);
            }
        }
        server.run();
        Ok(ExitStatus::Success)
    }

    #[cfg(not(feature = "cache-remote"))]
    fn run(&self) -> Result<ExitStatus, Failure> {
        let _ = (&self.bind, self.no_uploads, &self.directory);
        let message =
            "'serve' requires the feature 'cache-remote', without which this program was built";
        Err(Failure::Usage(message.to_owned()))
    }
}
