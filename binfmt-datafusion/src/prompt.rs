//! Queries from a terminal: lines are edited, earlier ones come back, and names are completed.

use crate::catalog::opening;
use crate::command::are_whole;
use datafusion::catalog::TableProvider;
use datafusion::prelude::SessionContext;
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

/// What may stand next in a query.
#[derive(Default)]
struct Names {
    files: FilenameCompleter,
    /// Tables, their columns, and functions of tables.
    known: BTreeSet<String>,
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
        let begun = query.get(start..).unwrap_or_default().to_lowercase();
        self.learn(query);
        let of_files = self.of_files.borrow();
        let names = self.known.iter().chain(of_files.values().flatten());
        let names = names.map(|name| quoted(name)).chain(WORDS.split(' ').map(str::to_owned));
        let is_it = |name: &String| name.trim_start_matches('"').to_lowercase().starts_with(&begun);
        let found: BTreeSet<String> = names.filter(is_it).collect();
        (start, found.into_iter().collect())
    }
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
        let is_whole = query.is_empty() || are_whole(query) || is_goodbye(query);
        Ok(if is_whole { ValidationResult::Valid(None) } else { ValidationResult::Incomplete })
    }
}

impl Hinter for Names {
    type Hint = String;
}

impl Highlighter for Names {}

impl Helper for Names {}

fn is_goodbye(query: &str) -> bool {
    ["exit", "quit", "\\q"].contains(&query.trim().trim_end_matches(';'))
}

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
        Ok(Prompt { editor, history })
    }

    /// The next queries; `None` at the end.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub(crate) async fn query(&mut self, context: &SessionContext) -> Result<Option<String>> {
        let known = names(context).await;
        if let Some(helper) = self.editor.helper_mut() {
            helper.known = known;
        }
        loop {
            let query = match self.editor.readline("sql> ") {
                Ok(query) => query,
                // the line is given up
                Err(ReadlineError::Interrupted) => continue,
                Err(ReadlineError::Eof) => return Ok(None),
                Err(e) => return Err(e),
            };
            if is_goodbye(&query) {
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

    fn remember(&mut self, query: &str) {
        let _ = self.editor.add_history_entry(query);
        if let Some(history) = &self.history {
            // a query is answered whether or not it can be remembered
            let _ = history.parent().map(std::fs::create_dir_all);
            let _ = self.editor.append_history(history);
        }
    }
}

/// The tables of a session, their columns, and functions of tables.
async fn names(context: &SessionContext) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = context.state().table_functions().keys().cloned().collect();
    for catalog in context.catalog_names().iter().filter_map(|name| context.catalog(name)) {
        for schema in catalog.schema_names().iter().filter(|name| *name != "information_schema") {
            let Some(schema) = catalog.schema(schema) else { continue };
            for table in schema.table_names() {
                if let Ok(Some(provider)) = schema.table(&table).await {
                    names.extend(provider.schema().fields().iter().map(|field| field.name().clone()));
                }
                names.insert(table);
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_completed() {
        let path = std::env::temp_dir().join(format!("binfmt-prompt-{}.csv", std::process::id()));
        std::fs::write(&path, "celsius,Run 1\n1,2\n").unwrap();
        let names =
            Names { known: BTreeSet::from(["orbit".to_owned(), "Station".to_owned()]), ..Names::default() };
        let end = |query: &str| names.beginning(query).1;
        assert_eq!(
            names.beginning("select * from or"),
            (14, vec!["OR".into(), "ORDER".into(), "orbit".into()])
        );
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
