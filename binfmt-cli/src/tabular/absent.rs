//! Columns that a file which is written asks for, and that no row of one with names in its rows has.

use binfmt::table::{NoColumn, Table, TableField, TableSink, with_absent};
use std::sync::Arc;

type Made = (Arc<dyn Table>, Box<dyn TableSink>);

/// A file for a table, in which a name that no row has is a column of missing values. A file that asks for nothing else is one of other rows.
pub(super) fn made(
    table: &Arc<dyn Table>,
    create: impl Fn(&Arc<dyn Table>) -> binfmt::Result<Box<dyn TableSink>>,
) -> binfmt::Result<Made> {
    let first = match create(table) {
        Ok(sink) => return Ok((Arc::clone(table), sink)),
        Err(e) => e,
    };
    let asked = |e: &binfmt::Error| e.downcast_ref::<NoColumn>().map(|none| none.name().to_owned());
    let (mut names, mut next): (Vec<String>, Option<String>) = (Vec::new(), asked(&first));
    loop {
        let Some(name) = next.filter(|name| !names.contains(name)) else { return Err(first) };
        names.push(name);
        let Some(wide) = with_absent(table, &names) else { return Err(first) };
        match create(&wide) {
            Ok(sink) if takes_some(table, &*sink) => return Ok((wide, sink)),
            Ok(_) => return Err(first),
            Err(e) => next = asked(&e),
        }
    }
}

/// Whether a file takes a column of the table, if that has some.
fn takes_some(table: &Arc<dyn Table>, sink: &dyn TableSink) -> bool {
    let (fields, notes) = (&table.schema().fields, sink.notes());
    let is_left_out = |field: &TableField| {
        let note = format!("column `{}` is left out: ", field.name);
        notes.iter().any(|known| known.starts_with(&note))
    };
    fields.is_empty() || !fields.iter().all(is_left_out)
}

/// What becomes of the columns. Of those after the first ones, which no row has, there is nothing to tell.
pub(super) fn notes(table: &Arc<dyn Table>, first: usize, sink: &dyn TableSink) -> Vec<String> {
    let none = table.schema().fields.iter().skip(first);
    let none: Vec<String> =
        none.map(|field| format!("column `{}`, {} to ", field.name, field.type_name())).collect();
    let notes = sink.notes().into_iter();
    notes.filter(|note| !none.iter().any(|front| note.starts_with(front))).collect()
}
