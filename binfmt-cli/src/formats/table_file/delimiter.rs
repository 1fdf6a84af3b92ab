//! Files whose lines are written in another way than what was said.

use crate::report::remark;
use crate::settings::Settings;
use binfmt::columns::{Column, ColumnData, ValueRef};
use binfmt::table::{Inferred, Table, TableField, Wanted};
use std::sync::Arc;

/// What other programs put between fields, as the option names it.
const DELIMITERS: [(&str, char); 3] = [("';'", ';'), ("tab", '\t'), ("'|'", '|')];

/// Rows that are looked at.
const ROWS: i64 = 1000;

/// Tells of options that nobody said and that the file seems to need.
pub(super) fn tell(table: &Arc<dyn Table>, settings: &Settings) {
    let fields = &table.schema().fields;
    if !settings.has("delimiter") {
        tell_of_delimiter(fields);
    }
    let is_text = |field: &&TableField| field.ty.to_string() == "text?";
    let first = fields.first().map_or("", |field| field.name.as_str());
    if let Some(mark) = first.chars().next().filter(|c| ['#', '%', '!'].contains(c))
        && fields.iter().all(|field| is_text(&field))
        && !settings.has("comment")
    {
        let text = "the line of the names begins with";
        remark(&format!("{text} `{mark}`: --comment '{mark}' leaves out the lines that do"));
    }
    // with commas between fields there are none in numbers
    if settings.has("delimiter") && !settings.has("decimal") {
        tell_of_commas(table);
    }
}

/// Tells of one column whose name may be several.
fn tell_of_delimiter(fields: &[TableField]) {
    let [only] = fields else { return };
    if let Some((word, _)) = DELIMITERS.iter().find(|(_, c)| only.name.contains(*c)) {
        remark(&format!("there is one column, `{}`: --delimiter {word} separates more", only.name));
    }
}

/// Tells of the first column of texts that are numbers with decimal commas.
fn tell_of_commas(table: &Arc<dyn Table>) {
    let fields = &table.schema().fields;
    let is_text =
        |field: &TableField| field.inferred == Some(Inferred::Values) && field.ty.to_string() == "text?";
    let texts: Vec<usize> =
        (0..fields.len()).filter(|place| fields.get(*place).is_some_and(is_text)).collect();
    if texts.is_empty() {
        return;
    }
    // what is wrong with the rows is told where they are read
    let batches = Arc::clone(table).batches(&Wanted::new().columns(texts).rows(0..ROWS));
    let Some(Ok(rows)) = batches.ok().and_then(|mut batches| batches.next()) else { return };
    let found = rows.iter().find(|(_, column)| has_commas(column)).map(|(name, _)| name);
    if let Some(name) = found {
        remark(&format!("column `{name}` has texts such as 1,5: --decimal , reads them as numbers"));
    }
}

/// Whether all texts of a column are numbers, and one at least has a decimal comma.
fn has_commas(column: &Column) -> bool {
    let mut is_found = false;
    for row in 0..column.len() {
        let Some(ValueRef::Text(text)) = column.get(row) else { continue };
        let text = std::str::from_utf8(text).unwrap_or_default().trim();
        let is_number = text.replacen(',', ".", 1).parse::<f64>().is_ok();
        if !is_number || !text.ends_with(|c: char| c.is_ascii_digit()) {
            return false;
        }
        is_found |= text.contains(',');
    }
    is_found
}
