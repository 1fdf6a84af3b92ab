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

    /// Whether anything is ever drawn.
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    #[cfg(test)]
    pub(crate) fn done(&self) -> u64 {
        self.done
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
        let left = left(total - self.done.min(total), speed);
        format!("{}  [{bar}] {percent:>3} %  {}/s  {left}", self.label, size(speed))
    }
}

/// How long it still takes, if it goes on as it went.
fn left(bytes: u64, speed: u64) -> String {
    let seconds = bytes.div_ceil(speed.max(1));
    match (seconds / 3600, seconds / 60 % 60, seconds % 60) {
        (0, 0, seconds) => format!("{seconds} s left"),
        (0, minutes, seconds) => format!("{minutes}:{seconds:02} min left"),
        (hours, minutes, _) => format!("{hours}:{minutes:02} h left"),
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
            "a.bin  [###############...............]  50 %  100 B/s  1 s left"
        );
        progress.total = None;
        assert_eq!(progress.line(Duration::from_secs(1)), "a.bin  100 B  100 B/s");
    }

    #[test]
    fn how_long_it_still_takes() {
        assert_eq!(left(0, 5), "0 s left");
        assert_eq!(left(59, 1), "59 s left");
        assert_eq!(left(610, 10), "1:01 min left");
        assert_eq!(left(3600 * 2 + 240, 1), "2:04 h left");
        assert_eq!(left(10, 0), "10 s left");
    }

    #[test]
    fn a_file_that_grows_does_not_pass_the_end() {
        let mut progress = Progress::new("a", Some(1), false);
        progress.add(5);
        assert!(progress.line(Duration::from_secs(1)).contains("100 %"));
    }
}
