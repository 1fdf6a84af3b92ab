//! What did not hold.

use std::fmt;

/// A check that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The check: `round trip`, `cut`, `changed byte`, …
    pub check: &'static str,
    /// The sample.
    pub sample: String,
    /// What was seen.
    pub text: String,
}

/// Everything that [`check`](super::check) found.
///
/// Displays as one line for each failure.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    format: String,
    failures: Vec<Failure>,
    num_checks: u64,
}

impl Report {
    pub(super) fn new(format: &str) -> Self {
        Report { format: format.to_owned(), ..Report::default() }
    }

    /// Notes a check and its outcome.
    pub(super) fn note(&mut self, check: &'static str, sample: &str, outcome: Result<(), String>) {
        self.num_checks += 1;
        if let Err(text) = outcome {
            self.failures.push(Failure { check, sample: sample.to_owned(), text });
        }
    }

    /// Whether everything holds.
    ///
    /// ```
    /// assert!(binfmt::conformance::Report::default().is_ok());
    /// ```
    pub fn is_ok(&self) -> bool {
        self.failures.is_empty()
    }

    /// What does not hold.
    ///
    /// ```
    /// assert_eq!(binfmt::conformance::Report::default().failures().len(), 0);
    /// ```
    pub fn failures(&self) -> &[Failure] {
        &self.failures
    }

    /// How many checks were made: a kit that checks nothing shows here.
    ///
    /// ```
    /// assert_eq!(binfmt::conformance::Report::default().num_checks(), 0);
    /// ```
    pub fn num_checks(&self) -> u64 {
        self.num_checks
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 30;
        writeln!(f, "{}: {} checks, {} failed", self.format, self.num_checks, self.failures.len())?;
        for failure in self.failures.iter().take(SHOWN) {
            writeln!(f, "  {} ({}): {}", failure.check, failure.sample, failure.text)?;
        }
        match self.failures.len().checked_sub(SHOWN) {
            None | Some(0) => Ok(()),
            Some(more) => writeln!(f, "  … {more} more"),
        }
    }
}
