//! Queries in the short form `FROM 'x.sdds' WHERE ..`, which the parser of the engine knows only in part.

use datafusion::sql::parser::Statement;
use datafusion::sql::sqlparser::ast;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{Location, Token, TokenWithSpan, Tokenizer};
use std::borrow::Cow;

/// Words after which a query begins.
const BEFORE_QUERIES: [&str; 9] =
    ["AS", "EXPLAIN", "ANALYZE", "VERBOSE", "UNION", "ALL", "EXCEPT", "INTERSECT", "DESCRIBE"];

/// Words after which a query in parentheses may begin; after others these have arguments.
const BEFORE_PARENTHESES: [&str; 12] =
    ["AS", "FROM", "JOIN", "IN", "EXISTS", "COPY", "ANY", "ALL", "UNION", "EXCEPT", "INTERSECT", "LATERAL"];

/// The queries with `SELECT *` before each `FROM` that has no `SELECT`.
pub(crate) fn complete(queries: &str) -> Cow<'_, str> {
    let Ok(tokens) = Tokenizer::new(&GenericDialect, queries).tokenize_with_location() else {
        return Cow::Borrowed(queries);
    };
    let tokens: Vec<TokenWithSpan> =
        tokens.into_iter().filter(|token| !matches!(token.token, Token::Whitespace(_))).collect();
    let first = (0..tokens.len()).filter(|place| is_first(&tokens, *place));
    let places: Vec<usize> =
        first.filter_map(|place| Some(byte(queries, tokens.get(place)?.span.start))).collect();
    let mut complete = Cow::Borrowed(queries);
    for place in places.into_iter().rev() {
        complete.to_mut().insert_str(place, "SELECT * ");
    }
    complete
}

fn is_word(token: Option<&Token>, words: &[&str]) -> bool {
    match token {
        Some(Token::Word(word)) => {
            word.quote_style.is_none() && words.iter().any(|known| word.value.eq_ignore_ascii_case(known))
        }
        _ => false,
    }
}

/// Whether the queries of `WITH` are before this place, and nothing else.
fn follows_with(tokens: &[TokenWithSpan], place: usize) -> bool {
    let mut depth = 0usize;
    for token in tokens.iter().take(place).rev().map(|token| &token.token) {
        match token {
            Token::RParen => depth = depth.saturating_add(1),
            Token::LParen | Token::SemiColon if depth == 0 => return false,
            Token::LParen => depth = depth.saturating_sub(1),
            token if depth == 0 && is_word(Some(token), &["WITH"]) => return true,
            token if depth == 0 && is_word(Some(token), &["SELECT"]) => return false,
            _ => {}
        }
    }
    false
}

/// Whether a query begins with this token, which is `FROM`, and has no other word for its columns.
fn is_first(tokens: &[TokenWithSpan], place: usize) -> bool {
    let token = |place: usize| tokens.get(place).map(|token| &token.token);
    let before = |place: usize| place.checked_sub(1).and_then(&token);
    let begins = match before(place) {
        None | Some(Token::SemiColon) => true,
        Some(Token::RParen) => follows_with(tokens, place),
        Some(Token::LParen) => match place.checked_sub(1).and_then(before) {
            Some(Token::Word(_)) => is_word(place.checked_sub(1).and_then(before), &BEFORE_PARENTHESES),
            _ => true,
        },
        other => is_word(other, &BEFORE_QUERIES),
    };
    if !begins || !is_word(token(place), &["FROM"]) {
        return false;
    }
    let mut depth = 0usize;
    for token in tokens.iter().skip(place).map(|token| &token.token) {
        match token {
            Token::LParen => depth = depth.saturating_add(1),
            Token::RParen if depth == 0 => return true,
            Token::RParen => depth = depth.saturating_sub(1),
            Token::SemiColon => return true,
            token if depth == 0 && is_word(Some(token), &["UNION", "EXCEPT", "INTERSECT"]) => return true,
            token if depth == 0 && is_word(Some(token), &["SELECT"]) => return false,
            _ => {}
        }
    }
    true
}

/// Where a place that is said in lines and letters is in bytes.
fn byte(text: &str, place: Location) -> usize {
    let narrow = |n: u64| usize::try_from(n.saturating_sub(1)).unwrap_or(usize::MAX);
    let before: usize = text.split_inclusive('\n').take(narrow(place.line)).map(str::len).sum();
    let line = text.get(before..).unwrap_or_default();
    line.char_indices().nth(narrow(place.column)).map_or(text.len(), |(byte, _)| before.saturating_add(byte))
}

/// Whether a query says how many rows it wants.
pub(crate) fn is_limited(statement: &Statement) -> bool {
    match statement {
        Statement::Statement(statement) => match &**statement {
            ast::Statement::Query(query) => query.limit_clause.is_some() || query.fetch.is_some(),
            _ => false,
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::complete;

    #[test]
    fn short_queries_are_of_all_columns() {
        for (short, long) in [
            ("FROM 'a.sdds'", "SELECT * FROM 'a.sdds'"),
            ("from a WHERE x > 1; FROM b", "SELECT * from a WHERE x > 1; SELECT * FROM b"),
            ("SELECT max(x) FROM (FROM a LIMIT 2)", "SELECT max(x) FROM (SELECT * FROM a LIMIT 2)"),
            ("COPY (FROM a) TO 'b'", "COPY (SELECT * FROM a) TO 'b'"),
            ("WITH c AS (FROM a)\nFROM c", "WITH c AS (SELECT * FROM a)\nSELECT * FROM c"),
            ("EXPLAIN FROM a UNION ALL FROM b", "EXPLAIN SELECT * FROM a UNION ALL SELECT * FROM b"),
            ("-- ä\nCREATE VIEW v AS FROM a", "-- ä\nCREATE VIEW v AS SELECT * FROM a"),
        ] {
            assert_eq!(complete(short), long);
        }
        for whole in [
            "SELECT * FROM a",
            "SELECT max(x) FROM a",
            "WITH c AS (SELECT 1) SELECT max(x) FROM c",
            "FROM a SELECT x",
            "SELECT extract(year FROM t), trim(FROM ' x'), 'FROM' FROM a WHERE x IN (SELECT y FROM b)",
            "SHOW COLUMNS FROM a",
            "DELETE FROM a",
            "SELECT 'it''s",
        ] {
            assert_eq!(complete(whole), whole);
        }
    }
}
