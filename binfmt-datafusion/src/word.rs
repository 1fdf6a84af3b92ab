//! Words for the program itself, as people know them from other prompts: `help`, `\d`, `.tables`.

use crate::described::Name;
use crate::sentence::Done;
use crate::session::Session;
use datafusion::common::TableReference;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer};

/// What is said to the program, and not to the engine.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Word {
    Help,
    Tables,
    Columns(Name),
}

const HELP: &str = "\
A query ends with a semicolon and may have several lines:
  SELECT count(*), avg(x) FROM 'run*.sdds' WHERE s > 3;
Files stand in quotes, by their names and patterns, or in functions:
  FROM scidb('load.bin', '(int64, double null)')    also layout, sdds, tiledb, futhark, beat, npy, csv, jsonl
  COPY (SELECT ..) TO 'x.parquet';                   writes an answer
  CREATE VIEW v AS SELECT ..;                        gives it a name
_page, _row, _offset and _file are columns of files, if a query names them.

  \\d, \\dt, .tables        the tables of the session
  \\d NAME, .schema NAME   the columns of a table, or of a file: \\d run0.sdds
  \\?, help, .help         this text
  \\q, exit, quit, .quit   the end
Ctrl-C ends a query, the tabulator completes names.";

impl Word {
    /// The word, or what is wrong with it; `None` if this is a query, or the beginning of one.
    pub(crate) fn of(text: &str) -> Option<Done<Self>> {
        let text = text.trim().trim_end_matches(';').trim_end();
        let mut words = text.split_whitespace();
        let first = words.next()?;
        let is_marked = first.starts_with(['\\', '.']) || first == "?";
        let rest = text.get(first.len()..).unwrap_or_default().trim();
        let lower = first.to_lowercase();
        Some(match (lower.as_str(), rest) {
            ("help" | "\\?" | "?" | ".help" | "\\h" | "\\help", _) if is_marked || rest.is_empty() => {
                Ok(Word::Help)
            }
            ("\\d" | "\\d+" | "\\dt" | "\\dt+" | "\\dv" | ".tables" | ".schema", "") => Ok(Word::Tables),
            ("\\d" | "\\d+" | ".schema" | "\\dt" | "\\dt+" | "\\dv" | ".tables", name) => {
                Ok(Word::Columns(name_of(name)))
            }
            _ if is_marked => {
                Err(format!("unknown command `{first}`; \\? lists those that there are").into())
            }
            _ => return None,
        })
    }

    /// Whether it ends the program.
    pub(crate) fn is_goodbye(text: &str) -> bool {
        let word = text.trim().trim_end_matches(';').trim_end().to_lowercase();
        ["exit", "quit", "\\q", "\\quit", ".quit", ".exit", ".q", "exit()", "quit()"].contains(&word.as_str())
    }

    pub(crate) async fn answer(self, session: &Session) -> Done {
        match self {
            Word::Help => {
                println!("{HELP}");
                Ok(())
            }
            Word::Tables => session.tables().await,
            Word::Columns(name) => session.describe(&name).await,
        }
    }
}

/// Whether what was typed so far can be answered.
pub(crate) fn is_complete(queries: &str) -> bool {
    are_whole(queries) || Word::of(queries).is_some()
}

/// Whether queries end with a semicolon: one in a text or a comment ends none.
fn are_whole(queries: &str) -> bool {
    let last = |tokens: Vec<Token>| tokens.into_iter().rfind(|token| !matches!(token, Token::Whitespace(_)));
    // what has not ended cannot be taken apart
    queries.contains(';')
        && Tokenizer::new(&GenericDialect, queries)
            .tokenize()
            .is_ok_and(|tokens| last(tokens) == Some(Token::SemiColon))
}

/// A table or a file, with or without quotes.
fn name_of(text: &str) -> Name {
    let inside = |quote: char| text.strip_prefix(quote).and_then(|text| text.strip_suffix(quote));
    TableReference::bare(inside('\'').or_else(|| inside('"')).unwrap_or(text).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_no_queries() {
        let of = |text: &str| Word::of(text).map(|word| word.map_err(|e| e.to_string()));
        for text in ["help", "help;", "\\?", ".help", "HELP", " ? "] {
            assert_eq!(of(text), Some(Ok(Word::Help)), "{text}");
        }
        for text in ["\\d", "\\dt", ".tables", ".schema", "\\d;"] {
            assert_eq!(of(text), Some(Ok(Word::Tables)), "{text}");
        }
        for text in ["\\d run0.sdds", "\\d 'run0.sdds'", ".schema run0.sdds;", "\\d \"run0.sdds\""] {
            assert_eq!(of(text), Some(Ok(Word::Columns(Name::bare("run0.sdds")))), "{text}");
        }
        for text in ["\\x", ".mode csv", "\\timing"] {
            assert!(matches!(of(text), Some(Err(e)) if e.contains("unknown command")), "{text}");
        }
        for text in ["SELECT 1", "helper", "help me", "", "FROM x", "SELECT\n.5"] {
            assert_eq!(of(text), None, "{text}");
        }
        for text in ["exit", "quit;", "\\q", ".quit", ".exit", "EXIT"] {
            assert!(Word::is_goodbye(text), "{text}");
        }
        assert!(!Word::is_goodbye("SELECT exit"));
    }
}
