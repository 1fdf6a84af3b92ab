//! Settings as a query says them of a file: `'page_numbers=true'`, `page_numbers => true`, `'page_numbers', 'true'`, and files with a
//! layout or a schema in the place of its text.

use crate::opening::Opening;
use crate::place;
use crate::{outside, wrong};
use datafusion::common::Result;
use datafusion::logical_expr::planner::{RelationPlanner, RelationPlannerContext, RelationPlanning};
use datafusion::sql::sqlparser::ast::{
    BinaryOperator, Expr, FunctionArg, FunctionArgExpr, Ident, TableFactor, Value,
};
use std::borrow::Cow;

/// Settings that are not of a format.
const OWN: [&str; 5] = ["format", "missing_codes", "texts", "file_names", "max_memory"];

/// Settings whose texts may be in a file.
const TEXTS: [&str; 2] = ["layout", "schema"];

/// How much a file with a text may have.
const LARGEST: u64 = 16 << 20;

/// An opening of which one thing more is said.
///
/// # Errors
/// A file that is named in the place of a text cannot be read.
pub(crate) fn said(opening: Opening, name: &str, text: &str) -> Result<Opening> {
    let text = text_of(name, text)?;
    let opening = match name {
        "format" => return Ok(opening.format(text)),
        "layout" if opening.format.is_none() => opening.format("layout"),
        _ => opening,
    };
    Ok(opening.with(name, &text))
}

/// What the texts after the path of a file say: `name=text`, a name and a text, or what a row is alone.
pub(crate) fn all_said(mut opening: Opening, texts: &[&str]) -> Result<Opening> {
    let mut texts = texts.iter();
    while let Some(text) = texts.next() {
        let usual = match opening.format.as_deref() {
            Some("scidb" | "beat") => "schema",
            Some("sdds") if opening.settings.get("arrays").is_some() => "arrays",
            _ => "layout",
        };
        let (name, text) = match text.split_once('=') {
            Some((name, text)) if is_name(name) => (name, text),
            _ if is_setting(text) => match texts.next() {
                Some(value) => (*text, *value),
                None => return Err(wrong(format!("the setting `{text}` has no value: '{text}=..'"))),
            },
            _ => (usual, *text),
        };
        opening = said(opening, name, text)?;
    }
    Ok(opening)
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

fn is_setting(name: &str) -> bool {
    let of_formats = binfmt::FORMATS.iter().flat_map(|format| format.settings());
    OWN.contains(&name) || of_formats.into_iter().any(|known| known.name == name)
}

/// What is said of a setting: a text, or of a layout or schema what is in the file that `@FILE` or the name of one says, without the
/// end of its last line.
///
/// # Errors
/// The file cannot be read.
pub(crate) fn text_of<'a>(setting: &str, said: &'a str) -> Result<Cow<'a, str>> {
    if !TEXTS.contains(&setting) {
        return Ok(Cow::Borrowed(said));
    }
    let named = said.strip_prefix('@');
    // neither a layout nor a schema looks like it
    let looks_like_one = |name: &str| {
        let (stem, ending) = name.rsplit_once('.').unwrap_or_default();
        !stem.is_empty()
            && ["layout", "schema", "json", "afl", "txt"].contains(&ending)
            && !name.contains(|c: char| c.is_whitespace() || "<>(){}\"".contains(c))
    };
    let Some(file) = named.or_else(|| looks_like_one(said).then_some(said)) else {
        return Ok(Cow::Borrowed(said));
    };
    let wrong_with = |e: &dyn std::fmt::Display| wrong(format!("{file}: {e}"));
    let none = || wrong(format!("there is no file {file}, which would have the layout or the schema"));
    let (storage, name) = place::to_read(file).map_err(|e| wrong_with(&e))?.ok_or_else(none)?;
    let size = storage.size(&name).map_err(|e| wrong_with(&e))?.filter(|_| !name.is_empty());
    let size = size.ok_or_else(none)?;
    if size > LARGEST {
        return Err(wrong_with(&"the file is too large to be a layout or a schema"));
    }
    let mut bytes = vec![0; usize::try_from(size).map_err(|e| wrong_with(&e))?];
    storage.read(&name, 0, &mut bytes).map_err(|e| outside(e.into()))?;
    let text = String::from_utf8(bytes).map_err(|_| wrong_with(&"the file is not text in UTF-8"))?;
    Ok(Cow::Owned(text.trim_end_matches(['\n', '\r']).to_owned()))
}

/// Arguments with names for the functions of files, which the engine itself takes without names only.
#[derive(Debug)]
pub(crate) struct Named {
    /// The names of the functions.
    pub(crate) functions: Vec<String>,
}

impl Named {
    fn is_ours(&self, name: &Ident) -> bool {
        self.functions.iter().any(|known| name.value.eq_ignore_ascii_case(known))
    }
}

impl RelationPlanner for Named {
    fn plan_relation(
        &self,
        mut relation: TableFactor,
        _: &mut dyn RelationPlannerContext,
    ) -> Result<RelationPlanning> {
        if let TableFactor::Table { name, args: Some(said), .. } = &mut relation
            && let Some(function) = name.0.first().and_then(|part| part.as_ident()).cloned()
            && self.is_ours(&function)
        {
            *name = Ident { value: function.value.to_lowercase(), quote_style: None, ..function }.into();
            said.args.iter_mut().for_each(plain);
        }
        Ok(RelationPlanning::Original(Box::new(relation)))
    }
}

/// An argument with a name as the text `name=value`, if its value is a constant.
fn plain(argument: &mut FunctionArg) {
    let (name, value) = match &*argument {
        FunctionArg::Named { name, arg: FunctionArgExpr::Expr(value), .. } => (name, value),
        FunctionArg::ExprNamed {
            name: Expr::Identifier(name), arg: FunctionArgExpr::Expr(value), ..
        } => (name, value),
        FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::BinaryOp {
            left,
            op: BinaryOperator::Eq,
            right,
        })) => match &**left {
            Expr::Identifier(name) => (name, &**right),
            _ => return,
        },
        _ => return,
    };
    let Expr::Value(value) = value else { return };
    let text = match &value.value {
        Value::Number(number, _) => number.clone(),
        Value::Boolean(is_on) => is_on.to_string(),
        text => match text.clone().into_string() {
            Some(text) => text,
            None => return,
        },
    };
    let text = Value::SingleQuotedString(format!("{}={text}", name.value.to_lowercase()));
    *argument = FunctionArg::Unnamed(FunctionArgExpr::Expr(Expr::Value(text.into())));
}
