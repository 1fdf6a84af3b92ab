//! Answers on standard output.

use crate::decimals;
use crate::drawn::{Widths, pieces};
use crate::kept::Kept;
use crate::sentence::Done;
use crate::sink::format;
use crate::stoppable::Flag;
use binfmt::storage::{NewFile, Storage};
use binfmt::table::Settings;
use binfmt_arrow::Mapping;
use clap::ValueEnum;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::execution::memory_pool::MemoryPool;
use futures::StreamExt;
use std::io::{self, Write};
use std::sync::Arc;
use tokio::task::yield_now;

/// How many rows a person is shown of an answer.
const SHOWN: usize = 40;
/// How many are counted at most.
const COUNTED: usize = 10_000;
/// So many bytes are printed before it is looked whether the query is cancelled.
const PIECE: usize = 4096;

/// How an answer is printed.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Printed {
    Table,
    Csv,
    Jsonl,
}

/// Where answers are printed.
pub(crate) struct Print {
    pub(crate) how: Printed,
    /// Whether a person looks at them.
    pub(crate) is_seen: bool,
    /// How many letters a line of the terminal has, if that is known.
    pub(crate) width: Option<usize>,
    pub(crate) pool: Arc<dyn MemoryPool>,
    /// Whether the query is to end.
    pub(crate) flag: Flag,
}

impl Print {
    /// Says to a person what was done; a program that reads answers gets none.
    pub(crate) fn word(&self, text: &str) -> Done {
        if self.is_seen {
            writeln!(io::stdout(), "{text}")?;
        }
        Ok(())
    }

    /// Waits for the end of what has no answer.
    pub(crate) async fn nothing(&self, mut rows: SendableRecordBatchStream) -> Done {
        while let Some(batch) = rows.next().await {
            batch?;
        }
        Ok(())
    }

    /// Prints rows: all of them, or for a person as many as can be looked at.
    pub(crate) async fn rows(&self, rows: SendableRecordBatchStream, is_limited: bool) -> Done {
        match self.how {
            Printed::Table => self.table(rows, self.is_seen && !is_limited).await,
            Printed::Csv => self.lines("csv", rows).await,
            Printed::Jsonl => self.lines("jsonl", rows).await,
        }
    }

    async fn table(&self, mut rows: SendableRecordBatchStream, is_cut: bool) -> Done {
        // how wide the columns are shown is told by the last row
        let mut kept = Kept::new("the answer as a table", &self.pool);
        let mut count = 0usize;
        while let Some(batch) = rows.next().await {
            let batch = batch?;
            let before = count;
            count = count.saturating_add(batch.num_rows());
            if !is_cut {
                kept.push(batch)?;
                continue;
            }
            if before < SHOWN {
                kept.push(batch.slice(0, batch.num_rows().min(SHOWN.saturating_sub(before))))?;
            }
            if count > COUNTED {
                break;
            }
        }
        let schema = rows.schema();
        drop(rows);
        let mut widths = Widths::new(&schema);
        for piece in pieces(&kept.batches) {
            // this is a part of the answer, printing it is not
            self.flag.look()?;
            widths.add(&piece)?;
            yield_now().await;
        }
        self.flag.look()?;
        let all = widths.count();
        self.width.into_iter().for_each(|width| widths.fit(width));
        let shown = widths.count();
        self.text(&widths.head(&schema)).await?;
        for piece in pieces(&kept.batches) {
            self.text(&widths.rows(&piece)?).await?;
        }
        self.text(&widths.border()).await?;
        let mut out = io::stdout().lock();
        if shown < all {
            writeln!(
                out,
                "the first {shown} of {all} columns; all fit on a wider terminal, or those that SELECT names"
            )?;
        }
        match count {
            _ if is_cut && count > COUNTED => {
                writeln!(
                    out,
                    "the first {SHOWN} of more than {COUNTED} rows; with LIMIT in the query all that it asks for"
                )?;
            }
            _ if is_cut && count > SHOWN => {
                writeln!(
                    out,
                    "the first {SHOWN} of {count} rows; with LIMIT in the query all that it asks for"
                )?;
            }
            1 if self.is_seen => writeln!(out, "1 row")?,
            0 => writeln!(out, "0 rows")?,
            _ if self.is_seen => writeln!(out, "{count} rows")?,
            _ => {}
        }
        Ok(())
    }

    /// Prints lines, until the query is cancelled.
    async fn text(&self, mut text: &str) -> Done {
        while !text.is_empty() {
            let end = text.ceil_char_boundary(PIECE);
            let end = text[end..].find('\n').map_or(text.len(), |line| end.saturating_add(line));
            let (piece, rest) = text.split_at(end);
            self.screen().check()?;
            writeln!(io::stdout(), "{piece}")?;
            text = rest.strip_prefix('\n').unwrap_or(rest);
            // queries without a flag end here
            yield_now().await;
        }
        Ok(())
    }

    fn screen(&self) -> Screen {
        Screen { flag: self.flag.clone() }
    }

    /// Prints rows as a file of a format of lines, as they come.
    async fn lines(&self, name: &str, rows: SendableRecordBatchStream) -> Done {
        let (mut rows, _) = decimals::without(rows, name == "csv");
        let mapping = Mapping::of_arrow(&rows.schema())?;
        let screen = Arc::new(self.screen());
        let mut sink = format(name)?.create(screen, "", mapping.table_schema(), &Settings::new())?;
        while let Some(batch) = rows.next().await {
            sink.write(mapping.to_columns(batch?)?)?;
        }
        sink.finish()?;
        Ok(())
    }
}

/// Standard output as the one file of a storage, on which nothing is printed of a query that is cancelled.
struct Screen {
    flag: Flag,
}

impl Screen {
    fn check(&self) -> io::Result<()> {
        if self.flag.is_cancelled() { Err(io::Error::other("cancelled")) } else { Ok(()) }
    }
}

impl Storage for Screen {
    fn list(&self, _: &str) -> io::Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn size(&self, _: &str) -> io::Result<Option<u64>> {
        Ok(None)
    }

    fn read(&self, _: &str, _: u64, _: &mut [u8]) -> io::Result<()> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn write(&self, _: &str, bytes: &[u8]) -> io::Result<()> {
        self.check()?;
        io::stdout().write_all(bytes)
    }

    fn begin(&self, _: &str) -> io::Result<Option<Box<dyn NewFile>>> {
        Ok(Some(Box::new(Screen { flag: self.flag.clone() })))
    }
}

impl Write for Screen {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.check()?;
        // the rest of them after another look
        io::stdout().write(&bytes[..bytes.len().min(PIECE)])
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stdout().flush()
    }
}

impl NewFile for Screen {
    fn commit(self: Box<Self>) -> io::Result<()> {
        io::stdout().flush()
    }
}
