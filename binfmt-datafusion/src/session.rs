//! What asks, and where its answers go.

use crate::added;
use crate::described;
use crate::first;
use crate::printed::{Print, Printed};
use crate::said::text_of;
use crate::sentence::{Done, sentence};
use crate::sink::{Target, format, format_of};
use crate::stoppable::Limit;
use crate::stopping;
use binfmt::table::Settings;
use clap::Args;
use datafusion::execution::SendableRecordBatchStream;
use datafusion::logical_expr::{DdlStatement, LogicalPlan};
use datafusion::prelude::SessionContext;
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::dialect::{GenericDialect, dialect_from_str};
use std::collections::VecDeque;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::time::{sleep, timeout};

/// How much longer than it may take a query is waited for, since plans that look take back themselves what they had begun to write.
const GRACE: Duration = Duration::from_secs(2);
/// How long the parts of a query that was given up are waited for, which remove what they had begun to write.
const LEAVE: Duration = Duration::from_millis(200);

/// Where answers go.
#[derive(Clone, Debug, Args)]
pub(crate) struct Place {
    /// Writes the answer to a file: .parquet, .arrow, .csv, .jsonl, .npy, .sdds ..
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// The format of that file, if its name does not tell
    #[arg(long, value_name = "FORMAT", requires = "output")]
    to: Option<String>,
    /// A setting of that format, such as schema=(int64)
    #[arg(long, value_name = "NAME=TEXT", requires = "output")]
    set: Vec<String>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "table")]
    format: Printed,
}

pub(crate) struct Session {
    pub(crate) context: SessionContext,
    place: Place,
    /// How long a query may take.
    limit: Option<Duration>,
    /// Whether the file that takes one answer has it.
    has_written: AtomicBool,
    /// Whether a person looks at the answers.
    is_seen: bool,
    /// How wide the terminal is; 0 if that is not known.
    width: AtomicUsize,
}

impl Session {
    pub(crate) fn new(
        context: &SessionContext,
        place: &Place,
        limit: Option<Duration>,
        is_seen: bool,
    ) -> Self {
        Session {
            context: context.clone(),
            place: place.clone(),
            limit,
            has_written: AtomicBool::new(false),
            is_seen,
            width: AtomicUsize::new(0),
        }
    }

    /// The terminal is as wide as that.
    #[cfg(feature = "prompt")]
    pub(crate) fn set_width(&self, letters: usize) {
        self.width.store(letters, Ordering::Relaxed);
    }

    pub(crate) fn has_written(&self) -> bool {
        self.has_written.load(Ordering::Relaxed)
    }

    fn parsed(&self, queries: &str) -> Done<VecDeque<Statement>> {
        let options = self.context.copied_config();
        let parser = &options.options().sql_parser;
        let dialect = dialect_from_str(parser.dialect).unwrap_or_else(|| Box::new(GenericDialect));
        let queries = first::complete(queries);
        let parser = DFParserBuilder::new(&*queries)
            .with_dialect(&*dialect)
            .with_recursion_limit(parser.recursion_limit.get());
        Ok(parser.build()?.parse_statements()?)
    }

    /// Answers queries with semicolons between them, each before the next is looked at, which may need what it made. Tells how many
    /// there were.
    pub(crate) async fn answer(&self, queries: &str) -> Done<usize> {
        let statements = self.parsed(queries)?;
        let count = statements.len();
        for statement in statements {
            let limit = self.limit.map(Limit::of);
            let stop = stopping::of(&self.context);
            if let Some(stop) = &stop {
                stop.limit(limit);
            }
            let answered = self.answer_one(statement);
            let Some(limit) = limit else {
                answered.await?;
                continue;
            };
            // what waits for others does not look itself
            let grace = stop.map_or(Duration::ZERO, |_| GRACE);
            match timeout(limit.time.saturating_add(grace), answered).await {
                Ok(done) => done?,
                Err(_) => {
                    sleep(LEAVE).await;
                    return Err(limit.passed().into());
                }
            }
        }
        Ok(count)
    }

    async fn answer_one(&self, statement: Statement) -> Done {
        if let Some(table) = described::table_of(&statement)? {
            return self.describe(&table).await;
        }
        if described::is_of_tables(&statement) {
            return self.show(described::tables(&self.context).await?, true).await;
        }
        let is_limited = first::is_limited(&statement);
        let plan = added::plan(&self.context.state(), statement).await?;
        #[cfg(feature = "ballista")]
        crate::cluster::check(&self.context, &plan)?;
        let what = what(&plan);
        let writes = matches!(plan, LogicalPlan::Copy(_) | LogicalPlan::Dml(_));
        let frame = self.context.execute_logical_plan(plan).await?;
        if frame.schema().fields().is_empty() {
            frame.collect().await?;
            return match what {
                Some(what) => self.print().word(&what),
                None => Err("the query names no column".into()),
            };
        }
        let stream = frame.execute_stream().await?;
        match &self.place.output {
            // how many rows it wrote is not the answer of a query
            Some(_) if writes => self.print().nothing(stream).await,
            _ => self.show(stream, is_limited).await,
        }
    }

    /// The columns of a table or a file.
    pub(crate) async fn describe(&self, table: &described::Name) -> Done {
        self.show(described::columns(&self.context, table).await?, true).await
    }

    /// The tables of the session.
    pub(crate) async fn tables(&self) -> Done {
        self.show(described::tables(&self.context).await?, true).await?;
        self.print().word("a file is none, and stands in quotes: SELECT * FROM 'run0.sdds';")
    }

    fn print(&self) -> Print {
        Print {
            how: self.place.format,
            is_seen: self.is_seen,
            width: Some(self.width.load(Ordering::Relaxed)).filter(|width| *width > 0),
            pool: self.context.runtime_env().memory_pool.clone(),
            flag: stopping::of(&self.context).map(|stop| stop.current()).unwrap_or_default(),
        }
    }

    /// Puts an answer where answers go. All of it, if the query says how much that is.
    async fn show(&self, stream: SendableRecordBatchStream, is_limited: bool) -> Done {
        match &self.place.output {
            Some(path) => self.write(stream, path).await,
            None => self.print().rows(stream, is_limited).await,
        }
    }

    /// Writes an answer to the file.
    async fn write(&self, stream: SendableRecordBatchStream, path: &Path) -> Done {
        if self.has_written.swap(true, Ordering::Relaxed) {
            return Err(
                format!("--output: {} has the answer of a query; here is another", path.display()).into()
            );
        }
        let runtime = self.context.runtime_env();
        target(path, &self.place)?.write(stream, &runtime.memory_pool).await?;
        Ok(())
    }
}

/// What a statement without rows does, in the words of SQL.
fn what(plan: &LogicalPlan) -> Option<String> {
    let name = match plan {
        LogicalPlan::Ddl(statement) => match statement {
            DdlStatement::CreateExternalTable(_) | DdlStatement::CreateMemoryTable(_) => "CreateTable",
            DdlStatement::CreateCatalogSchema(_) => "CreateSchema",
            DdlStatement::DropCatalogSchema(_) => "DropSchema",
            statement => statement.name(),
        },
        LogicalPlan::Statement(statement) => statement.name().trim_end_matches("Variable"),
        _ => return None,
    };
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_uppercase());
    }
    Some(words)
}

/// The file that an answer goes into.
fn target(path: &Path, place: &Place) -> Done<Target> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = place.to.as_deref().unwrap_or_else(|| format_of(&ending));
    let mut settings = Settings::new();
    for said in &place.set {
        let Some((name, text)) = said.split_once('=') else {
            return Err(format!("--set: expected NAME=TEXT, found {said:?}").into());
        };
        settings = settings.with(name, text_of(name, text)?);
    }
    let path = path.to_str().ok_or_else(|| format!("{} is not UTF-8", path.display()))?.to_owned();
    let format = format(name).map_err(|e| format!("{}; --to names it", sentence(&e)))?;
    Ok(Target { path, format, settings })
}
