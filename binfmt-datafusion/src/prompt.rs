//! Queries from a terminal: lines are edited, earlier ones come back, and names are completed.

use crate::catalog::opening;
use crate::signals;
use crate::word::{Word, is_complete};
use datafusion::catalog::TableProvider;
use datafusion::prelude::SessionContext;
#[cfg(unix)]
use nix::sys::termios::{SetArg, Termios, tcgetattr, tcsetattr};
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{CompletionType, Config, Context, Editor, Helper, Result};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// Words of queries that are completed like names.
const WORDS: &str = "AND AS ASC AVG BETWEEN BY COPY COUNT CREATE CROSS DESC DESCRIBE DISTINCT EXPLAIN EXTERNAL FROM FULL GROUP HAVING IN \
                     INNER IS JOIN LEFT LIKE LIMIT LOCATION MAX MIN NOT NULL ON OPTIONS OR ORDER OUTER RIGHT SELECT SHOW STORED SUM TABLE \
                     TABLES TO UNION USING VALUES WHERE WITH";

/// Words after which a table or a file comes.
const BEFORE_TABLES: [&str; 10] =
    ["FROM", "JOIN", "INTO", "TABLE", "DESCRIBE", "DESC", "TO", "LOCATION", "\\D", ".SCHEMA"];

/// Words that end a list of tables.
const AFTER_TABLES: [&str; 10] =
    ["SELECT", "WHERE", "ON", "USING", "GROUP", "HAVING", "ORDER", "LIMIT", "UNION", "VALUES"];

/// So many files of a folder are looked at.
const MOST_FILES: usize = 10_000;

/// What may stand next in a query.
#[derive(Default)]
struct Names {
    files: FilenameCompleter,
    /// Tables, and functions of tables.
    tables: BTreeSet<String>,
    /// Columns of tables.
    columns: BTreeSet<String>,
    /// The columns of files that were named in quotes; none of what is not a file.
    of_files: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Names {
    /// Learns the columns of the files that a query names.
    fn learn(&self, query: &str) {
        let mut of_files = self.of_files.borrow_mut();
        // what is in quotes, without the last that may not have ended
        let mut quoted: Vec<&str> = query.split('\'').collect();
        quoted.pop();
        for name in quoted.into_iter().skip(1).step_by(2).filter(|name| name.contains(['.', '/'])) {
            // over the network nobody waits for names
            if name.contains("://") || of_files.contains_key(name) {
                continue;
            }
            let schema = opening(name).and_then(|opening| Some(opening.table().ok()?.schema()));
            let columns =
                schema.map(|schema| schema.fields().iter().map(|field| field.name().clone()).collect());
            of_files.insert(name.to_owned(), columns.unwrap_or_default());
        }
    }

    /// The names and words that begin with the end of a query, and where that end begins.
    fn beginning(&self, query: &str) -> (usize, Vec<String>) {
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let start = query.trim_end_matches(part).len();
        self.learn(query);
        let of_path = query.trim_end_matches(|c| part(c) || "./-~".contains(c)).len();
        if awaits_table(&query[..of_path]) {
            let begun = &query[of_path..];
            let names = self.tables.iter().map(|name| quoted(name)).filter(|name| begins(name, begun));
            let found: BTreeSet<String> = names.chain(files(begun)).collect();
            return (of_path, found.into_iter().collect());
        }
        let of_files = self.of_files.borrow();
        let names = self.tables.iter().chain(&self.columns).chain(of_files.values().flatten());
        let names = names.map(|name| quoted(name)).chain(WORDS.split(' ').map(str::to_owned));
        let found: BTreeSet<String> = names.filter(|name| begins(name, &query[start..])).collect();
        (start, found.into_iter().collect())
    }
}

fn begins(name: &str, begun: &str) -> bool {
    name.trim_start_matches('"').to_lowercase().starts_with(&begun.to_lowercase())
}

/// Whether a table or a file comes after this.
fn awaits_table(query: &str) -> bool {
    let query = query.to_uppercase();
    if !query.ends_with([' ', '\t', '\n', ',']) {
        return false;
    }
    let is_list = query.trim_end().ends_with(',');
    let mut words =
        query.split(|c: char| c.is_whitespace() || ",()".contains(c)).rev().filter(|word| !word.is_empty());
    match is_list {
        false => words.next().is_some_and(|word| BEFORE_TABLES.contains(&word)),
        true => words.find(|word| AFTER_TABLES.contains(word) || *word == "FROM") == Some("FROM"),
    }
}

/// The files and folders whose paths begin so, in quotes; that of a folder goes on.
fn files(begun: &str) -> Vec<String> {
    let (folder, begun) = begun.rsplit_once('/').map_or(("", begun), |(folder, begun)| (folder, begun));
    let place = match begun.len() {
        _ if !folder.is_empty() => folder,
        _ => ".",
    };
    let Ok(entries) = std::fs::read_dir(place) else { return Vec::new() };
    let mut found = Vec::new();
    for entry in entries.flatten().take(MOST_FILES) {
        let Ok(name) = entry.file_name().into_string() else { continue };
        if !name.starts_with(begun) || name.starts_with('.') && !begun.starts_with('.') || name.contains('\'')
        {
            continue;
        }
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        // a folder may be an array itself
        let goes_on = entry.path().is_dir() && !entry.path().join("__array_schema.tdb").exists();
        found.push(if goes_on { format!("'{path}/") } else { format!("'{path}'") });
    }
    found
}

/// A name as it stands in a query.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_word = WORDS.split(' ').any(|word| word.eq_ignore_ascii_case(name));
    let is_plain = !is_word && name.chars().all(plain) && !name.starts_with(|c: char| c.is_ascii_digit());
    if is_plain { name.to_owned() } else { format!("\"{}\"", name.replace('"', "\"\"")) }
}

impl Completer for Names {
    type Candidate = Pair;

    fn complete(&self, line: &str, at: usize, context: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        let query = line.get(..at).unwrap_or(line);
        if query.matches('\'').count() % 2 == 1 {
            return self.files.complete(line, at, context);
        }
        let (start, found) = self.beginning(query);
        // a name that was begun with a quote has it already
        let start = if query[..start].ends_with('"') { start.saturating_sub(1) } else { start };
        let pair = |name: String| Pair { display: name.clone(), replacement: name };
        Ok((start, found.into_iter().map(pair).collect()))
    }
}

impl Validator for Names {
    fn validate(&self, context: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        let query = context.input().trim_end();
        let is_whole = query.is_empty() || is_complete(query) || Word::is_goodbye(query);
        Ok(if is_whole { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Hinter for Names {
    type Hint = String;
}

impl Highlighter for Names {}

impl Helper for Names {}

/// Where earlier queries are kept.
fn history() -> Option<PathBuf> {
    let folder = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".local/state"));
    Some(folder.or_else(home)?.join("binfmt-sql").join("history"))
}

/// The queries of a person at a terminal.
pub(crate) struct Prompt {
    editor: Editor<Names, DefaultHistory>,
    history: Option<PathBuf>,
    /// How the terminal was set before its lines were edited.
    #[cfg(unix)]
    found: Option<Termios>,
}

impl Prompt {
    /// # Errors
    /// The terminal cannot be used.
    pub(crate) fn new() -> Result<Self> {
        let config =
            Config::builder().completion_type(CompletionType::List).history_ignore_space(true).build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Names::default()));
        let history = history();
        if let Some(history) = &history {
            // the first time there is none
            let _ = editor.load_history(history);
        }
        Ok(Prompt {
            editor,
            history,
            #[cfg(unix)]
            found: tcgetattr(std::io::stdin()).ok(),
        })
    }

    /// The next queries; `None` at the end.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub(crate) async fn query(&mut self, context: &SessionContext) -> Result<Option<String>> {
        let (tables, columns) = names(context).await;
        if let Some(helper) = self.editor.helper_mut() {
            (helper.tables, helper.columns) = (tables, columns);
        }
        loop {
            let settle = self.settle();
            let query = match signals::idle(settle, || self.editor.readline("sql> ")) {
                Ok(query) => query,
                // the line is given up
                Err(ReadlineError::Interrupted) => continue,
                Err(ReadlineError::Eof) => return Ok(None),
                Err(e) => return Err(e),
            };
            if Word::is_goodbye(&query) {
                return Ok(None);
            }
            let query = query.trim();
            if query.trim_end_matches(';').trim().is_empty() {
                continue;
            }
            self.remember(query);
            if let Some(helper) = self.editor.helper_mut() {
                helper.learn(query);
            }
            return Ok(Some(query.to_owned()));
        }
    }

    /// What gives the terminal back as it was found.
    fn settle(&self) -> impl Fn() + Send + 'static {
        #[cfg(unix)]
        let found = self.found.clone();
        move || {
            #[cfg(unix)]
            if let Some(found) = &found {
                // a terminal that is gone needs nothing
                let _ = tcsetattr(std::io::stdin(), SetArg::TCSADRAIN, found);
            }
        }
    }

    /// How many letters a line has; 0 if that is not known.
    pub(crate) fn width(&mut self) -> usize {
        self.editor.dimensions().map_or(0, |(letters, _)| usize::from(letters))
    }

    fn remember(&mut self, query: &str) {
        let _ = self.editor.add_history_entry(query);
        if let Some(history) = &self.history {
            // a query is answered whether or not it can be remembered
            let _ = history.parent().map(std::fs::create_dir_all);
            let _ = self.editor.append_history(history);
        }
    }
}

/// The tables of a session and functions of tables, and the columns of the tables.
async fn names(context: &SessionContext) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut tables: BTreeSet<String> = context.state().table_functions().keys().cloned().collect();
    let mut columns = BTreeSet::new();
    for catalog in context.catalog_names().iter().filter_map(|name| context.catalog(name)) {
        for schema in catalog.schema_names().iter().filter(|name| *name != "information_schema") {
            let Some(schema) = catalog.schema(schema) else { continue };
            for table in schema.table_names() {
                if let Ok(Some(provider)) = schema.table(&table).await {
                    columns.extend(provider.schema().fields().iter().map(|field| field.name().clone()));
                }
                tables.insert(table);
            }
        }
    }
    (tables, columns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_completed() {
        let path = std::env::temp_dir().join(format!("binfmt-prompt-{}.csv", std::process::id()));
        std::fs::write(&path, "celsius,Run 1\n1,2\n").unwrap();
        let names = Names {
            tables: BTreeSet::from(["orbit".to_owned()]),
            columns: BTreeSet::from(["order_1".to_owned(), "Station".to_owned()]),
            ..Names::default()
        };
        let end = |query: &str| names.beginning(query).1;
        assert_eq!(
            names.beginning("select or"),
            (7, vec!["OR".into(), "ORDER".into(), "orbit".into(), "order_1".into()])
        );
        // tables and files, where they come
        assert_eq!(names.beginning("select * from or"), (14, vec!["orbit".into()]));
        assert_eq!(end("SELECT * FROM a, orb"), ["orbit"]);
        assert_eq!(end("SELECT a, orde"), ["ORDER", "order_1"]);
        assert_eq!(
            names.beginning("SELECT * FROM src/pro"),
            (14, ["'src/prompt.rs'", "'src/provider.rs'"].map(str::to_owned).to_vec())
        );
        assert_eq!(end("SELECT * FROM sr"), ["'src/"]);
        assert_eq!(end("\\d Cargo.t"), ["'Cargo.toml'"]);
        assert_eq!(end("SELECT sta"), ["Station"]);
        assert_eq!(end("SELECT \"Sta"), ["Station"]);
        assert!(end("SELECT ce").is_empty());
        // those of a file that the query names, and later ones
        assert_eq!(end(&format!("SELECT * FROM '{}' WHERE ce", path.display())), ["celsius"]);
        assert_eq!(end("SELECT ru"), ["\"Run 1\""]);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        let all = ["x_1", "Run", "1x", "a b", "a\"b", "order"].map(quoted);
        assert_eq!(all, ["x_1", "Run", "\"1x\"", "\"a b\"", "\"a\"\"b\"", "\"order\""]);
    }
}
