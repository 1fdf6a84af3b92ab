//! Tables with borders, drawn in pieces: first how wide the columns are, then the rows.

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::datatypes::Schema;
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use unicode_width::UnicodeWidthStr;

/// So many rows are a piece.
const ROWS: usize = 256;

/// The pieces of batches.
pub(crate) fn pieces(batches: &[RecordBatch]) -> impl Iterator<Item = RecordBatch> {
    let of = |batch: &RecordBatch, start: usize| {
        batch.slice(start, ROWS.min(batch.num_rows().saturating_sub(start)))
    };
    batches
        .iter()
        .flat_map(move |batch| (0..batch.num_rows()).step_by(ROWS).map(move |start| of(batch, start)))
}

/// How wide the columns of a table are.
pub(crate) struct Widths(Vec<usize>);

impl Widths {
    pub(crate) fn new(schema: &Schema) -> Self {
        Widths(schema.fields().iter().map(|field| width(field.name())).collect())
    }

    /// Makes room for a piece.
    pub(crate) fn add(&mut self, piece: &RecordBatch) -> Result<(), ArrowError> {
        for (own, cells) in self.0.iter_mut().zip(cells(piece, usize::MAX)?) {
            *own = cells.iter().map(|cell| width(cell)).fold(*own, usize::max);
        }
        Ok(())
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Leaves out the columns for which a terminal has no place: some are there in any case.
    pub(crate) fn fit(&mut self, terminal: usize) {
        const LEAST: usize = 3;
        let ends = self.0.iter().scan(1usize, |end, own| {
            *end = end.saturating_add(*own).saturating_add(3);
            Some(*end)
        });
        let count = ends.enumerate().take_while(|(column, end)| *end <= terminal || *column < LEAST).count();
        self.0.truncate(count);
    }

    /// The names between two borders.
    pub(crate) fn head(&self, schema: &Schema) -> String {
        let names: Vec<&str> = schema.fields().iter().map(|field| field.name().as_str()).collect();
        [self.border(), self.row(&names), self.border()].join("\n")
    }

    /// What stands between rows and what is no row.
    pub(crate) fn border(&self) -> String {
        let lines: Vec<String> = self.0.iter().map(|width| "-".repeat(width.saturating_add(2))).collect();
        format!("+{}+", lines.join("+"))
    }

    /// The rows of a piece.
    pub(crate) fn rows(&self, piece: &RecordBatch) -> Result<String, ArrowError> {
        let columns = cells(piece, self.count())?;
        let row = |row: usize| {
            let cells: Vec<&str> =
                columns.iter().filter_map(|cells| cells.get(row)).map(String::as_str).collect();
            self.row(&cells)
        };
        Ok((0..piece.num_rows()).map(row).collect::<Vec<_>>().join("\n"))
    }

    /// A row, whose cells may have several lines.
    fn row(&self, cells: &[&str]) -> String {
        let height = cells.iter().map(|cell| cell.split('\n').count()).max().unwrap_or(1);
        let line = |number: usize| {
            let cells = cells.iter().zip(&self.0).map(|(cell, width)| {
                let text = cell.split('\n').nth(number).unwrap_or_default();
                format!(" {text}{} ", " ".repeat(width.saturating_sub(text.width())))
            });
            format!("|{}|", cells.collect::<Vec<_>>().join("|"))
        };
        (0..height).map(line).collect::<Vec<_>>().join("\n")
    }
}

fn width(text: &str) -> usize {
    text.split('\n').map(UnicodeWidthStr::width).max().unwrap_or(0)
}

/// The texts of the first columns.
fn cells(piece: &RecordBatch, columns: usize) -> Result<Vec<Vec<String>>, ArrowError> {
    let options = FormatOptions::default().with_display_error(true);
    let texts = |column| {
        let formatter = ArrayFormatter::try_new(column, &options)?;
        Ok((0..piece.num_rows()).map(|row| formatter.value(row).to_string()).collect())
    };
    piece.columns().iter().take(columns).map(|column| texts(column.as_ref())).collect()
}
