//! What the program `binfmt-sql` does, for programs that give it another session.

use crate::kept::Kept;
use crate::sentence::sentence;
use crate::sink::{Target, format, format_of};
use crate::yields::Yields;
use binfmt::table::Settings;
use binfmt_arrow::Mapping;
use clap::{Args, ValueEnum};
use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::SchemaRef;
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::execution::SessionStateBuilder;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::logical_expr::LogicalPlan;
use datafusion::prelude::{DataFrame, SessionConfig, SessionContext};
use datafusion::sql::parser::{DFParserBuilder, Statement};
use datafusion::sql::sqlparser::dialect::{GenericDialect, dialect_from_str};
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};
use futures::StreamExt;
use std::cell::Cell;
use std::error::Error;
use std::io::{BufRead, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::timeout;

/// What is asked, and where the answer goes.
///
/// ```
/// use clap::Parser;
/// #[derive(Parser)]
/// struct Program {
///     #[command(flatten)]
///     command: binfmt_datafusion::Command,
/// }
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let program = Program::parse_from(["sql", "SELECT 1 AS one", "--partitions", "2"]);
/// let context = program.command.session()?;
/// assert_eq!(context.state().config().target_partitions(), 2);
/// program.command.run(&context).await
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Args)]
pub struct Command {
    /// The query, or several with semicolons between them; without one they are read from standard input, up to a semicolon at the
    /// end of a line. On a terminal lines are edited, earlier ones come back, the tabulator completes names, and `exit` ends
    query: Option<String>,
    /// Writes the answer to a file: .parquet, .arrow, .csv, .jsonl, .npy, .sdds ..
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The format of that file, if its name does not tell
    #[arg(long, value_name = "FORMAT", requires = "output")]
    to: Option<String>,
    /// A setting of that format, such as schema=(int64)
    #[arg(long, value_name = "NAME=TEXT", requires = "output")]
    set: Vec<String>,
    /// How the answer is printed
    #[arg(long, value_enum, default_value = "table")]
    format: Printed,
    /// How many parts are read at the same time; as many as there are processors without this
    #[arg(long, value_name = "N")]
    partitions: Option<NonZeroUsize>,
    /// How much memory a query may keep of its rows, such as 2G; sorts and groups go on in temporary files above it, what
    /// cannot is an error. All that there is without this
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<usize>,
    /// How long a query may take until its answer is there; one that takes longer is an error. As long as it takes without this
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
}

/// A number of bytes.
fn size(text: &str) -> Result<usize, String> {
    let plain = text.trim_end_matches("iB").trim_end_matches('B').to_uppercase();
    SessionContext::parse_capacity_limit("max-memory", &plain)
        .map_err(|_| "expected a number with K, M or G, such as 2G".to_owned())
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Printed {
    Table,
    Csv,
    Jsonl,
}

type Done<T = ()> = Result<T, Box<dyn Error>>;

impl Command {
    /// How a session is to be set up for it.
    pub fn config(&self) -> SessionConfig {
        // names of columns are those of the files, as they are written there: `Run`, and not `"Run"`
        let config = SessionConfig::new()
            .with_information_schema(true)
            .set_bool("datafusion.sql_parser.enable_ident_normalization", false);
        let config = match self.partitions {
            Some(partitions) => config.with_target_partitions(partitions.get()),
            None => config,
        };
        let Some(bytes) = self.max_memory else { return config };
        // what each part of a sort keeps for merging, which is more than little memory has in all
        let kept = config.options().execution.sort_spill_reservation_bytes;
        let share = bytes / (4 * config.target_partitions().max(1));
        config.with_sort_spill_reservation_bytes(kept.min(share))
    }

    /// A session on this machine.
    ///
    /// # Errors
    /// There is no place for temporary files.
    pub fn session(&self) -> datafusion::common::Result<SessionContext> {
        let runtime = match self.max_memory {
            Some(bytes) => RuntimeEnvBuilder::new().with_memory_limit(bytes, 1.0),
            None => RuntimeEnvBuilder::new(),
        };
        let state = SessionStateBuilder::new()
            .with_config(self.config())
            .with_runtime_env(runtime.build_arc()?)
            .with_default_features()
            .with_physical_optimizer_rule(Arc::new(Yields));
        Ok(crate::register(SessionContext::new_with_state(state.build())))
    }

    /// Answers the queries, or those of standard input.
    ///
    /// # Errors
    /// A query is wrong, a file cannot be read or written.
    pub async fn run(&self, context: &SessionContext) -> Result<(), Box<dyn Error>> {
        let session = Session { context, args: self, has_written: Cell::new(false) };
        match &self.query {
            Some(queries) => {
                if session.answer(queries).await? == 0 {
                    return Err("there is no query".into());
                }
            }
            #[cfg(feature = "prompt")]
            None if std::io::stdin().is_terminal() && std::io::stdout().is_terminal() => {
                return prompt(&session).await;
            }
            None => session.lines().await?,
        }
        match &self.output {
            Some(path) if !session.has_written.get() => {
                Err(format!("--output: no query has an answer for {}", path.display()).into())
            }
            _ => Ok(()),
        }
    }

    /// Says how it went, to standard error and to the shell.
    pub fn exit(done: Result<(), Box<dyn Error>>) -> ExitCode {
        match done {
            Ok(()) => ExitCode::SUCCESS,
            // whoever reads has enough
            Err(e)
                if e.downcast_ref::<std::io::Error>()
                    .is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe) =>
            {
                ExitCode::SUCCESS
            }
            Err(e) => {
                eprintln!("error: {}", sentence(&*e));
                ExitCode::FAILURE
            }
        }
    }
}

/// The queries of a person at a terminal, whom an error does not stop.
#[cfg(feature = "prompt")]
async fn prompt(session: &Session<'_>) -> Done {
    let mut prompt = crate::prompt::Prompt::new()?;
    while let Some(query) = prompt.query(session.context).await? {
        if let Err(e) = session.answer(&query).await {
            eprintln!("error: {}", sentence(&*e));
        }
    }
    Ok(())
}

/// What asks, and where its answers go.
struct Session<'a> {
    context: &'a SessionContext,
    args: &'a Command,
    /// Whether the file that takes one answer has it.
    has_written: Cell<bool>,
}

impl Session<'_> {
    /// The queries of standard input.
    async fn lines(&self) -> Done {
        let input = std::io::stdin();
        let prompt = |text: &str| {
            if input.is_terminal() {
                eprint!("{text}");
            }
        };
        let mut queries = String::new();
        prompt("sql> ");
        for line in input.lock().lines() {
            queries.push_str(&line?);
            queries.push('\n');
            if !are_whole(&queries) {
                prompt("...> ");
                continue;
            }
            match self.answer(&queries).await {
                Err(e) if input.is_terminal() => eprintln!("error: {}", sentence(&*e)),
                done => _ = done?,
            }
            queries.clear();
            prompt("sql> ");
        }
        self.answer(&queries).await.map(drop)
    }

    /// Answers queries with semicolons between them, each before the next is looked at, which may need what it made. Tells how many
    /// there were.
    async fn answer(&self, queries: &str) -> Done<usize> {
        let options = self.context.copied_config();
        let parser = &options.options().sql_parser;
        let dialect = dialect_from_str(parser.dialect).unwrap_or_else(|| Box::new(GenericDialect));
        let statements = DFParserBuilder::new(queries)
            .with_dialect(&*dialect)
            .with_recursion_limit(parser.recursion_limit.get())
            .build()?
            .parse_statements()?;
        let count = statements.len();
        for statement in statements {
            let answered = self.one(statement);
            match self.args.timeout {
                None => answered.await?,
                Some(seconds) => timeout(Duration::from_secs(seconds), answered)
                    .await
                    .map_err(|_| format!("the query took longer than {seconds} seconds (--timeout)"))??,
            }
        }
        Ok(count)
    }

    /// Answers one. Dropping the future ends the query.
    async fn one(&self, statement: Statement) -> Done {
        let plan = self.context.state().statement_to_plan(statement).await?;
        let asks = !matches!(
            plan,
            LogicalPlan::Copy(_) | LogicalPlan::Dml(_) | LogicalPlan::Ddl(_) | LogicalPlan::Statement(_)
        );
        let frame = self.context.execute_logical_plan(plan).await?;
        match &self.args.output {
            // what is no query, such as CREATE VIEW, is done and writes nothing
            Some(_) if !asks => drop(frame.collect().await?),
            Some(path) => self.write(frame, path).await?,
            None => self.print(frame).await?,
        }
        Ok(())
    }

    /// Writes an answer to the file.
    async fn write(&self, frame: DataFrame, path: &Path) -> Done {
        if self.has_written.replace(true) {
            return Err(
                format!("--output: {} has the answer of a query; here is another", path.display()).into()
            );
        }
        let runtime = self.context.runtime_env();
        target(path, self.args)?.write(frame.execute_stream().await?, &runtime.memory_pool).await?;
        Ok(())
    }

    /// Prints an answer.
    async fn print(&self, frame: DataFrame) -> Done {
        let schema: SchemaRef = Arc::clone(frame.schema().inner());
        let runtime = self.context.runtime_env();
        let mut batches = frame.execute_stream().await?;
        match self.args.format {
            Printed::Table => {
                // how wide the columns are shown is told by the last row
                let mut kept = Kept::new("the answer as a table", &runtime.memory_pool);
                while let Some(batch) = batches.next().await {
                    kept.push(batch?)?;
                }
                let mut all = kept.batches;
                if all.is_empty() {
                    all.push(RecordBatch::new_empty(schema));
                }
                writeln!(std::io::stdout(), "{}", pretty_format_batches(&all)?)?;
            }
            Printed::Csv | Printed::Jsonl => {
                let name = if matches!(self.args.format, Printed::Csv) { "csv" } else { "jsonl" };
                let files = Arc::new(binfmt::storage::Memory::new());
                let mapping = Mapping::of_arrow(&schema)?;
                let mut sink =
                    format(name)?.create(files.clone(), "out", mapping.table_schema(), &Settings::new())?;
                while let Some(batch) = batches.next().await {
                    sink.write(mapping.to_columns(batch?)?)?;
                }
                sink.finish()?;
                let size = binfmt::storage::Storage::size(&*files, "out")?.unwrap_or(0);
                let mut bytes = vec![0; usize::try_from(size)?];
                binfmt::storage::Storage::read(&*files, "out", 0, &mut bytes)?;
                std::io::stdout().write_all(&bytes)?;
            }
        }
        Ok(())
    }
}

/// Whether queries end with a semicolon: one in a text or a comment ends none.
pub(crate) fn are_whole(queries: &str) -> bool {
    let last = |tokens: Vec<Token>| tokens.into_iter().rfind(|token| !matches!(token, Token::Whitespace(_)));
    // what has not ended cannot be taken apart
    queries.contains(';')
        && Tokenizer::new(&GenericDialect, queries)
            .tokenize()
            .is_ok_and(|tokens| last(tokens) == Some(Token::SemiColon))
}

/// The file that an answer goes into.
fn target(path: &Path, args: &Command) -> Done<Target> {
    let ending = path.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    let name = args.to.as_deref().unwrap_or_else(|| format_of(&ending));
    let mut settings = Settings::new();
    for said in &args.set {
        let Some((name, text)) = said.split_once('=') else {
            return Err(format!("--set: expected NAME=TEXT, found {said:?}").into());
        };
        settings = settings.with(name, text);
    }
    let path = path.to_str().ok_or_else(|| format!("{} is not UTF-8", path.display()))?.to_owned();
    let format = format(name).map_err(|e| format!("{}; --to names it", sentence(&e)))?;
    Ok(Target { path, format, settings })
}
