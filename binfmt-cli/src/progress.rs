//! How far a long reading is, on a terminal's standard error.

use crate::units::size;
use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

/// Shorter work shows nothing.
const PATIENCE: Duration = Duration::from_millis(700);
const BETWEEN: Duration = Duration::from_millis(100);
const WIDTH: u64 = 30;

/// Counts the bytes that were read and draws a bar.
#[derive(Debug)]
pub(crate) struct Progress {
    label: String,
    total: Option<u64>,
    done: u64,
    started: Instant,
    drawn: Option<Instant>,
    on: bool,
}

impl Progress {
    /// Draws nothing unless `wanted` and standard error is a terminal.
    pub(crate) fn new(label: &str, total: Option<u64>, wanted: bool) -> Self {
        let on = wanted && std::io::stderr().is_terminal();
        Progress {
            label: crate::terminal::line(label).into_owned(),
            total,
            done: 0,
            started: Instant::now(),
            drawn: None,
            on,
        }
    }

    pub(crate) fn add(&mut self, bytes: u64) {
        self.done += bytes;
        if self.on {
            self.tick();
        }
    }

    fn tick(&mut self) {
        let due = match self.drawn {
            Some(last) => last.elapsed() >= BETWEEN,
            None => self.started.elapsed() >= PATIENCE,
        };
        if due {
            self.drawn = Some(Instant::now());
            let line = self.line(self.started.elapsed());
            // a bar that cannot be drawn does not stop the reading
            let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
        }
    }

    fn line(&self, elapsed: Duration) -> String {
        let speed = (self.done as f64 / elapsed.as_secs_f64().max(1e-3)) as u64;
        let Some(total) = self.total.filter(|total| *total > 0) else {
            return format!("{}  {}  {}/s", self.label, size(self.done), size(speed));
        };
        let part = u128::from(self.done.min(total));
        let filled = (part * u128::from(WIDTH) / u128::from(total)) as usize;
        let percent = part * 100 / u128::from(total);
        let bar: String = (0..WIDTH as usize).map(|i| if i < filled { '#' } else { '.' }).collect();
        format!("{}  [{bar}] {percent:>3} %  {}/s", self.label, size(speed))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.drawn.is_some() {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_how_far_and_how_fast() {
        let mut progress = Progress::new("a.bin", Some(200), false);
        progress.add(100);
        assert_eq!(
            progress.line(Duration::from_secs(1)),
            "a.bin  [###############...............]  50 %  100 B/s"
        );
        progress.total = None;
        assert_eq!(progress.line(Duration::from_secs(1)), "a.bin  100 B  100 B/s");
    }

    #[test]
    fn a_file_that_grows_does_not_pass_the_end() {
        let mut progress = Progress::new("a", Some(1), false);
        progress.add(5);
        assert!(progress.line(Duration::from_secs(1)).contains("100 %"));
    }
}
