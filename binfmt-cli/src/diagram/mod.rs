//! A layout as a drawing: the bytes of a record in rows of sixteen, each field as wide as it is long.

mod cells;

use binfmt::schema::Place;
use cells::{Cell, Drawing, Kind, ROW, Row};
use std::fmt::{self, Display, Write};

const STYLE: &str = include_str!("diagram.css");

/// Pixels of a byte, of a row of cells, of the line of a record around them, and at the edges.
const BYTE: f64 = 50.0;
const CELL: f64 = 44.0;
const LANE: f64 = 16.0;
const GAP: f64 = 10.0;
const LEFT: f64 = 86.0;
const TOP: f64 = 58.0;
const EDGE: f64 = 16.0;

/// The drawing of fields, as [`binfmt::schema::Description::places`] has them, under a title.
pub(crate) fn svg(title: &str, places: &[Place]) -> String {
    let drawing = Drawing::of(places);
    let mut out = String::new();
    // writing to a String does not fail
    let _ = write(title, &drawing, &mut out);
    out
}

fn write(title: &str, drawing: &Drawing, out: &mut String) -> fmt::Result {
    let lanes = |row: &Row| row.lanes() as f64 * LANE;
    let tall = |row: &Row| lanes(row) + if row.cells.is_empty() { CELL / 2.0 } else { CELL + GAP };
    let all: f64 = drawing.rows.iter().map(tall).sum();
    let (width, height) = (LEFT + ROW as f64 * BYTE + EDGE, TOP + all + 34.0);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" role=\"img\">"
    )?;
    writeln!(out, "<title>{}</title>\n<style>\n{STYLE}</style>", Escaped(title))?;
    out.push_str(
        "<defs><pattern id=\"open\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\">\
         <rect width=\"3\" height=\"8\" class=\"hatch\"/></pattern></defs>\n",
    );
    writeln!(out, "<rect class=\"back\" width=\"{width}\" height=\"{height}\"/>")?;
    text("title", LEFT, 22.0, title, out)?;
    for byte in 0..ROW {
        text("ruler middle", LEFT + (byte as f64 + 0.5) * BYTE, TOP - 10.0, &format!("{byte:x}"), out)?;
    }
    let mut y = TOP;
    for line in &drawing.rows {
        let cells = y + lanes(line);
        let middle = cells + if line.cells.is_empty() { CELL / 4.0 } else { CELL / 2.0 };
        text("ruler end", LEFT - 10.0, middle + 4.0, &line.label, out)?;
        for cell in &line.cells {
            match cell.kind {
                Kind::Group(lane) => group(cell, y + lane as f64 * LANE, out)?,
                _ => field(cell, cells, out)?,
            }
        }
        y += tall(line);
    }
    let foot = height - 14.0;
    text("foot", LEFT, foot, &drawing.sum, out)?;
    if drawing.is_open {
        let x = width - EDGE - 220.0;
        writeln!(
            out,
            "<rect class=\"open\" x=\"{x}\" y=\"{}\" width=\"22\" height=\"13\" rx=\"3\"/>",
            foot - 11.0
        )?;
        writeln!(
            out,
            "<rect class=\"edge\" x=\"{x}\" y=\"{}\" width=\"22\" height=\"13\" rx=\"3\"/>",
            foot - 11.0
        )?;
        text("foot", x + 30.0, foot, "as long as its value needs", out)?;
    }
    out.push_str("</svg>\n");
    Ok(())
}

/// A record around fields: a line above them with its name.
fn group(cell: &Cell, y: f64, out: &mut String) -> fmt::Result {
    let (x, width) = (LEFT + cell.from * BYTE + 1.5, (cell.to - cell.from) * BYTE - 3.0);
    writeln!(
        out,
        "<g><title>{}</title><rect class=\"group\" x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"3\" rx=\"1.5\"/>",
        Escaped(&cell.about),
        y + 11.0
    )?;
    text("lane", x, y + 8.0, &fitted(&cell.name, width, 6.3), out)?;
    writeln!(out, "</g>")
}

/// A field: its name over its type.
fn field(cell: &Cell, y: f64, out: &mut String) -> fmt::Result {
    let (x, width) = (LEFT + cell.from * BYTE + 1.0, (cell.to - cell.from) * BYTE - 2.0);
    let class = match cell.kind {
        Kind::Number => "number",
        Kind::Text => "text",
        Kind::Mark => "mark",
        Kind::Group(_) | Kind::Other => "other",
    };
    let place = format!("x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"{CELL}\" rx=\"5\"");
    writeln!(out, "<g><title>{}</title><rect class=\"{class}\" {place}/>", Escaped(&cell.about))?;
    if cell.is_open {
        writeln!(out, "<rect class=\"open\" {place}/>")?;
    }
    writeln!(out, "<rect class=\"edge\" {place}/>")?;
    let middle = x + width / 2.0;
    text("name middle", middle, y + 19.0, &fitted(&cell.name, width - 6.0, 7.3), out)?;
    text("type middle", middle, y + 35.0, &fitted(&cell.ty, width - 6.0, 6.1), out)?;
    writeln!(out, "</g>")
}

fn text(class: &str, x: f64, y: f64, text: &str, out: &mut String) -> fmt::Result {
    match text {
        "" => Ok(()),
        text => writeln!(out, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", Escaped(text)),
    }
}

/// As much of a text as there is room for.
fn fitted(text: &str, width: f64, letter: f64) -> String {
    let most = (width / letter).max(0.0) as usize;
    match text.chars().count() {
        count if count <= most => text.to_owned(),
        _ if most < 2 => String::new(),
        _ => text.chars().take(most - 1).chain(['…']).collect(),
    }
}

/// Text inside of an element.
struct Escaped<'a>(&'a str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in crate::terminal::line(self.0).chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}
