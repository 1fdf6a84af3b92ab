//! What went wrong, in a sentence for whoever asked: without the names of those that it went through, and with what can be done.

use crate::refusal::reason;
use crate::sink::formats;
use crate::syntax::ADDED;
use datafusion::common::{Column, SchemaError};
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::parser::ParserError;
use std::error::Error;

/// What went well, or the error of something that may have run on another thread.
pub(crate) type Done<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

pub(crate) fn sentence(e: &(dyn Error + 'static)) -> String {
    let text = of_engine(e);
    let text = of_cluster(&text).unwrap_or(text);
    match text.starts_with("two columns are called `") {
        true => format!("{text}; AS gives one another name"),
        false => text,
    }
}

fn of_engine(e: &(dyn Error + 'static)) -> String {
    match e.downcast_ref::<DataFusionError>().map(DataFusionError::find_root) {
        Some(DataFusionError::External(e)) => e.to_string(),
        Some(
            DataFusionError::Plan(text)
            | DataFusionError::Configuration(text)
            | DataFusionError::Execution(text),
        ) => {
            let known = missing_table(text).or_else(|| unknown_format(text)).or_else(|| no_scheduler(text));
            let known = known.or_else(|| twice(text));
            known.unwrap_or_else(|| text.replace('\n', " "))
        }
        Some(DataFusionError::NotImplemented(text)) => match text.as_str() {
            "Insert into not implemented for this table" => {
                "INSERT INTO writes to tables of the session; a file is written by COPY (SELECT ..) TO 'x.sdds', or by --output".to_owned()
            }
            text => format!("not supported: {text}"),
        },
        Some(DataFusionError::ObjectStore(e)) => reason(&**e),
        Some(DataFusionError::ResourcesExhausted(text)) => outgrown(text),
        Some(DataFusionError::SchemaError(e, _)) => match &**e {
            SchemaError::FieldNotFound { field, valid_fields } => missing_column(field, valid_fields),
            e => e.to_string(),
        },
        Some(DataFusionError::SQL(e, _)) => match &**e {
            ParserError::ParserError(text) | ParserError::TokenizerError(text) => {
                format!("the query: {text}")
            }
            e => e.to_string(),
        },
        Some(e) => e.to_string(),
        None => {
            let text = e.to_string();
            text.strip_prefix("General error: ").map_or(text.clone(), str::to_owned)
        }
    }
}

/// A name that is not a table: perhaps it is a file.
fn missing_table(text: &str) -> Option<String> {
    let named = text.strip_prefix("No table named '").and_then(|text| text.strip_suffix('\''));
    let name = named.or_else(|| text.strip_prefix("table '")?.strip_suffix("' not found"))?;
    let name = name.strip_prefix("datafusion.").unwrap_or(name);
    // what stands in quotes is one name, of the schema where tables are
    if let Some(file) = name.strip_prefix("public.").filter(|name| name.contains(['.', '/'])) {
        return Some(format!("there is no file {file}"));
    }
    let name = name.strip_prefix("public.").unwrap_or(name);
    let file = if name.contains(['.', '/']) { name.to_owned() } else { format!("./{name}") };
    Some(format!(
        "there is no table `{name}`; a file stands in quotes, with its ending or its folder: FROM '{file}'"
    ))
}

/// A column that no table has. Names are those of the files, whether in quotes or not.
fn missing_column(field: &Column, valid: &[Column]) -> String {
    let told = |column: &Column| match &column.relation {
        Some(table) => format!("{}.{}", table.table(), column.name),
        None => column.name.clone(),
    };
    let is_near = |column: &&Column| column.name.eq_ignore_ascii_case(&field.name);
    let near = valid.iter().find(is_near).map(|column| format!(", did you mean `{}`?", column.name));
    let all: Vec<String> = valid.iter().map(told).collect();
    let added = ADDED.into_iter().find(|(column, ..)| field.name.eq_ignore_ascii_case(column));
    let added = added.map_or(String::new(), |(column, setting, what)| {
        format!("; `{column}` is of {what}, next to FROM or with the setting {setting}")
    });
    format!(
        "there is no column `{}`{} These are: {}{added}",
        told(field),
        near.unwrap_or_else(|| ".".to_owned()),
        all.join(", ")
    )
}

/// Two columns of one name, as `SELECT x, *` has them.
fn twice(text: &str) -> Option<String> {
    let rest = text.strip_prefix("Projections require unique expression names but the expression \"")?;
    let (name, _) = rest.split_once('"')?;
    Some(format!("two columns are called `{name}`"))
}

fn unknown_format(text: &str) -> Option<String> {
    let known: Vec<&str> = formats().map(|format| format.name()).collect();
    let known = known.join(", ");
    if let Some(ending) = text.strip_prefix("There is no registered file format with ext ") {
        return Some(format!(
            "the ending `{ending}` tells no format that is written; STORED AS names one of: {known}"
        ));
    }
    let format = text.strip_prefix("Unable to find factory for ")?;
    Some(format!("STORED AS {format}: unknown format; these are: binfmt, {known}"))
}

/// A cluster that does not answer.
fn no_scheduler(text: &str) -> Option<String> {
    let said = text.strip_prefix("tonic::transport::Error(")?;
    let reason = ["message: \"", "error: \""].iter().find_map(|word| said.split_once(word));
    let reason = reason.and_then(|(_, rest)| rest.split_once('"'));
    let reason = reason.map_or(said, |(reason, _)| reason);
    Some(format!("the scheduler of the cluster cannot be reached (--cluster): {reason}"))
}

/// What an executor or the way to it says. It comes as the text of a structure with the structures that it went through: the
/// innermost one has the sentence.
fn of_cluster(text: &str) -> Option<String> {
    let is_structure =
        ["DataFusionError(", "failed to serialize logical plan: "].iter().any(|word| text.contains(word));
    if !is_structure {
        return None;
    }
    if text.contains("ArrowError(DivideByZero") {
        return Some("the query divides by zero".to_owned());
    }
    // quotes inside of a sentence have a stroke before them
    let (_, inner) = text.rsplit_once("(\"")?;
    let mut sentence = String::new();
    let mut letters = inner.chars();
    loop {
        match letters.next()? {
            '"' => break,
            '\\' => match letters.next()? {
                'n' => sentence.push('\n'),
                letter => sentence.push(letter),
            },
            letter => sentence.push(letter),
        }
    }
    if sentence == "LogicalExtensionCodec is not provided" {
        let what = "the query has a table that is not of files, such as binfmt_columns(..), which a cluster does not get";
        return Some(format!("{what}; without --cluster it is answered"));
    }
    Some(sentence)
}

/// A query that needs more memory than it may have, without the list of all that have some.
fn outgrown(text: &str) -> String {
    let last = text.lines().rev().find_map(|line| line.strip_prefix("Error: ")).unwrap_or(text);
    format!("the query needs more memory than it may have (--max-memory): {last}")
}
