//! What the program `binfmt-sql` does, for programs that give it another session.

use crate::sentence::{Done, sentence};
use crate::session::{Place, Session};
use crate::signals::{Stopped, or_stopped};
use crate::stopping;
use crate::word::{Word, is_complete};
use clap::Args;
use datafusion::execution::runtime_env::RuntimeEnvBuilder;
use datafusion::prelude::{SessionConfig, SessionContext};
use std::error::Error;
use std::io::{IsTerminal, Write};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::sync::Arc;
use std::thread;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, channel};

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
    /// end of a line. On a terminal lines are edited, earlier ones come back, the tabulator completes names, and `help` tells more
    query: Option<String>,
    #[command(flatten)]
    place: Place,
    /// How many parts are read at the same time; as many as there are processors without this
    #[arg(long, value_name = "N")]
    partitions: Option<NonZeroUsize>,
    /// How much memory a query may keep of its rows, such as 2G; sorts and groups go on in temporary files above it, what
    /// cannot is an error. All that there is without this
    #[arg(long, value_name = "SIZE", value_parser = size)]
    max_memory: Option<usize>,
    /// How long each query may take until its answer is there; one that takes longer is an error. As long as it takes without this
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    timeout: Option<u64>,
}

/// A number of bytes.
fn size(text: &str) -> Result<usize, String> {
    let plain = text.trim_end_matches("iB").trim_end_matches('B').to_uppercase();
    SessionContext::parse_capacity_limit("max-memory", &plain)
        .map_err(|_| "expected a number with K, M or G, such as 2G".to_owned())
}

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
        let context = SessionContext::new_with_config_rt(self.config(), runtime.build_arc()?);
        Ok(crate::register(stopping::with_stop(context)))
    }

    /// Answers the queries, or those of standard input. Ctrl-C ends that, and leaves no file that is not whole; at a prompt it ends
    /// the query.
    ///
    /// # Errors
    /// A query is wrong, a file cannot be read or written.
    pub async fn run(&self, context: &SessionContext) -> Result<(), Box<dyn Error>> {
        let is_seen = std::io::stdout().is_terminal();
        let session =
            Arc::new(Session::new(context, &self.place, self.timeout.map(Duration::from_secs), is_seen));
        #[cfg(feature = "prompt")]
        if self.query.is_none() && std::io::stdin().is_terminal() && is_seen {
            return prompt(&session).await;
        }
        let (query, output) = (self.query.clone(), self.place.output.clone());
        let work = async move {
            match &query {
                Some(queries) if session.answer(queries).await? == 0 => {
                    return Err("there is no query".into());
                }
                Some(_) => {}
                None => lines(&session).await?,
            }
            match &output {
                Some(path) if !session.has_written() => {
                    Err(format!("--output: no query has an answer for {}", path.display()).into())
                }
                _ => Done::Ok(()),
            }
        };
        or_stopped(stopping::of(context).as_deref(), work).await?.map_err(|e| e as Box<dyn Error>)
    }

    /// Says how it went, to standard error and to the shell.
    pub fn exit(done: Result<(), Box<dyn Error>>) -> ExitCode {
        match done {
            Ok(()) => ExitCode::SUCCESS,
            // whoever reads has enough
            Err(e) if is_broken_pipe(&*e) => ExitCode::SUCCESS,
            Err(e) => {
                // where the terminal is gone nobody reads it
                let _ = writeln!(std::io::stderr(), "error: {}", sentence(&*e));
                e.downcast_ref::<Stopped>().map_or(ExitCode::FAILURE, |stopped| stopped.status().into())
            }
        }
    }
}

fn is_broken_pipe(e: &(dyn Error + 'static)) -> bool {
    let of = |e: &(dyn Error + 'static)| {
        e.downcast_ref::<std::io::Error>().is_some_and(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
    };
    of(e) || e.source().is_some_and(of)
}

/// The queries of a person at a terminal, whom neither an error nor Ctrl-C stops.
#[cfg(feature = "prompt")]
async fn prompt(session: &Arc<Session>) -> Result<(), Box<dyn Error>> {
    let (mut prompt, stop) = (crate::prompt::Prompt::new()?, stopping::of(&session.context));
    while let Some(queries) = prompt.query(&session.context).await? {
        session.set_width(prompt.width());
        let session = Arc::clone(session);
        let work = async move { answer(&session, &queries).await };
        match or_stopped(stop.as_deref(), work).await {
            Ok(Ok(())) => {}
            Ok(Err(e)) => eprintln!("error: {}", sentence(&*e)),
            Err(stopped @ Stopped::Interrupt) => eprintln!("{stopped}"),
            Err(stopped) => return Err(stopped.into()),
        }
    }
    Ok(())
}

/// Queries, or a word for the program itself.
async fn answer(session: &Session, queries: &str) -> Done {
    match Word::of(queries) {
        Some(word) => word?.answer(session).await,
        None => session.answer(queries).await.map(drop),
    }
}

/// The lines of standard input. A thread reads them that nobody waits for at the end: it may wait for ever.
fn input() -> std::io::Result<Receiver<std::io::Result<String>>> {
    let (sender, lines) = channel(1);
    let read = move || {
        loop {
            let mut line = String::new();
            let line = match std::io::stdin().read_line(&mut line) {
                Ok(0) => return,
                Ok(_) => Ok(line),
                Err(e) => Err(e),
            };
            let is_error = line.is_err();
            if sender.blocking_send(line).is_err() || is_error {
                return;
            }
        }
    };
    thread::Builder::new().name("input".to_owned()).spawn(read)?;
    Ok(lines)
}

/// The queries of standard input.
async fn lines(session: &Session) -> Done {
    let is_terminal = std::io::stdin().is_terminal();
    let prompt = |text: &str| {
        if is_terminal {
            eprint!("{text}");
        }
    };
    let flag = stopping::of(&session.context).map(|stop| stop.current()).unwrap_or_default();
    let mut input = input()?;
    let mut queries = String::new();
    prompt("sql> ");
    loop {
        let line = tokio::select! {
            line = input.recv() => line,
            () = flag.cancelled() => return Err("cancelled".into()),
        };
        let Some(line) = line else { break };
        queries.push_str(&line?);
        if Word::is_goodbye(&queries) {
            return Ok(());
        }
        if !is_complete(&queries) {
            prompt("...> ");
            continue;
        }
        match answer(session, &queries).await {
            Err(e) if is_terminal => eprintln!("error: {}", sentence(&*e)),
            done => done?,
        }
        queries.clear();
        prompt("sql> ");
    }
    answer(session, &queries).await
}
