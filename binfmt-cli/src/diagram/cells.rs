//! Fields as cells of rows of bytes.

use crate::units;
use binfmt::schema::Place;

/// Bytes in a row.
pub(super) const ROW: u64 = 16;

/// What is drawn.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    pub(super) rows: Vec<Row>,
    /// How long it is.
    pub(super) sum: String,
    /// Whether anything is as long as its value needs.
    pub(super) is_open: bool,
}

#[derive(Debug, PartialEq)]
pub(super) struct Row {
    /// The offset of its first byte; with a plus after something of any length.
    pub(super) label: String,
    pub(super) cells: Vec<Cell>,
}

impl Row {
    /// The most records that a field in it is in.
    pub(super) fn lanes(&self) -> usize {
        let lane = |cell: &Cell| match cell.kind {
            Kind::Group(lane) => lane + 1,
            _ => 0,
        };
        self.cells.iter().map(lane).max().unwrap_or(0)
    }
}

/// A field, or as much of it as is in a row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Cell {
    /// In bytes of the row.
    pub(super) from: f64,
    pub(super) to: f64,
    pub(super) name: String,
    pub(super) ty: String,
    /// All of it in words.
    pub(super) about: String,
    pub(super) kind: Kind,
    /// It is as long as its value needs.
    pub(super) is_open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Number,
    Text,
    /// Bytes that are always the same.
    Mark,
    Other,
    /// A record in that lane.
    Group(usize),
}

/// Bytes of the wide cell for something of any length, after its least.
const OPEN: u64 = 3;
/// Positions up to this one are numbers of a picture.
const FARTHEST: u64 = 1 << 52;
/// Of more rows of one field only the first and the last are drawn.
const MOST: u64 = 4;
/// Of more records around a field the outer ones are drawn.
const LANES: usize = 32;

impl Drawing {
    pub(super) fn of(places: &[Place]) -> Self {
        let mut pen = Pen::default();
        let mut groups: Vec<Group<'_>> = Vec::new();
        for (number, place) in places.iter().enumerate() {
            while groups.last().is_some_and(|group| !is_in(&place.path, group.path)) {
                groups.pop();
            }
            let has_fields = places.get(number + 1).is_some_and(|next| is_in(&next.path, &place.path));
            match has_fields {
                true => groups.push(Group { number, path: &place.path, about: about(place) }),
                false => pen.field(place, groups.get(..LANES).unwrap_or(&groups)),
            }
        }
        pen.drawing(places)
    }
}

/// A record around fields, with all of it in words.
struct Group<'p> {
    /// No other record has it.
    number: usize,
    path: &'p str,
    about: String,
}

/// Whether a field is inside of another.
fn is_in(path: &str, outer: &str) -> bool {
    !outer.is_empty() && path.strip_prefix(outer).is_some_and(|rest| rest.starts_with('.'))
}

/// Where the next field is drawn.
#[derive(Debug, Default)]
struct Pen {
    done: Drawing,
    /// Bytes from the front, or from the end of the last thing of any length.
    at: u64,
    is_relative: bool,
    /// A new row begins, because offsets begin again.
    breaks: bool,
    /// Bits that are drawn of the integer at hand, its bytes, and where it begins.
    bits: (u64, u64, u64),
    /// For each lane of the last row the number of the record in it, and its cell.
    lanes: Vec<(usize, usize)>,
}

impl Pen {
    fn field(&mut self, place: &Place, inside: &[Group<'_>]) {
        // what does not end where a picture can tell ends nowhere
        let is_far = self.at.saturating_add(place.min) > FARTHEST;
        let is_open = is_far || place.max != Some(place.min);
        let cell = Cell {
            from: 0.0,
            to: 0.0,
            name: last(&place.path).to_owned(),
            ty: match place.bits {
                Some(bits) => units::count(u64::from(bits), "bit", "bits"),
                None => place.ty.clone(),
            },
            about: about(place),
            kind: kind(place),
            is_open,
        };
        if let Some(bits) = place.bits {
            return self.bits(u64::from(bits), place.min, &cell, inside);
        }
        let drawn = match (is_far, is_open) {
            (true, _) => OPEN,
            (false, true) => place.min + OPEN,
            (false, false) => place.min,
        };
        // what takes no bytes stands between two others
        if drawn > 0 {
            self.span(self.at, drawn, &cell, inside);
        }
        self.at += drawn;
        if is_open {
            self.done.is_open = true;
            (self.at, self.is_relative, self.breaks) = (0, true, true);
        }
    }

    /// Some bits, in the order in which they stand.
    fn bits(&mut self, bits: u64, opens: u64, cell: &Cell, inside: &[Group<'_>]) {
        if opens > 0 {
            self.bits = (0, opens, self.at);
            self.at += opens;
        }
        let (done, bytes, at) = self.bits;
        self.bits.0 += bits;
        let (from, to) = (done as f64 / 8.0, ((done + bits).min(bytes * 8)) as f64 / 8.0);
        self.pieces(at, from, to, cell, inside);
    }

    fn span(&mut self, at: u64, len: u64, cell: &Cell, inside: &[Group<'_>]) {
        let rows = (at % ROW + len).div_ceil(ROW);
        if rows <= MOST {
            return self.pieces(at, 0.0, len as f64, cell, inside);
        }
        // its first two rows, what is left out, its last
        let first = 2 * ROW - at % ROW;
        let end = (at + len).div_ceil(ROW) * ROW - ROW;
        self.pieces(at, 0.0, first as f64, cell, inside);
        self.done.rows.push(Row { label: "⋮".to_owned(), cells: Vec::new() });
        self.breaks = false;
        self.pieces(end, 0.0, (at + len - end) as f64, cell, inside);
    }

    /// The parts of a cell in the rows that it touches.
    fn pieces(&mut self, at: u64, from: f64, to: f64, cell: &Cell, inside: &[Group<'_>]) {
        let base = (at / ROW * ROW) as f64;
        let (mut from, to) = ((at as f64 - base) + from, (at as f64 - base) + to);
        let wide = ROW as f64;
        let mut row = 0.0;
        while from < to {
            let end = to.min((row + 1.0) * wide);
            if from < (row + 1.0) * wide {
                let piece = Cell { from: from - row * wide, to: end - row * wide, ..cell.clone() };
                self.piece((base + row * wide) as u64, piece, inside);
                from = end;
            }
            row += 1.0;
        }
    }

    fn piece(&mut self, offset: u64, piece: Cell, inside: &[Group<'_>]) {
        let label = format!("{}0x{offset:02x}", if self.is_relative { "+" } else { "" });
        if std::mem::take(&mut self.breaks) || self.done.rows.last().is_none_or(|row| row.label != label) {
            self.done.rows.push(Row { label, cells: Vec::new() });
            self.lanes.clear();
        }
        let Some(row) = self.done.rows.last_mut() else { return };
        self.lanes.truncate(inside.len());
        for (lane, group) in inside.iter().enumerate() {
            let known = self.lanes.get(lane).filter(|(number, _)| *number == group.number);
            if let Some(cell) = known.and_then(|(_, cell)| row.cells.get_mut(*cell)) {
                cell.to = piece.to;
                continue;
            }
            self.lanes.truncate(lane);
            self.lanes.push((group.number, row.cells.len()));
            let (name, about) = (last(group.path).to_owned(), group.about.clone());
            row.cells.push(Cell { name, about, kind: Kind::Group(lane), ..piece.clone() });
        }
        row.cells.push(piece);
    }

    fn drawing(mut self, places: &[Place]) -> Drawing {
        // each stands before what is in it
        let mut outer = "";
        let top = places.iter().filter(|place| {
            let is_top = !is_in(&place.path, outer);
            outer = if is_top { &place.path } else { outer };
            is_top
        });
        let (min, max) = top.fold((0_u64, Some(0_u64)), |(min, max), place| {
            let max = max.zip(place.max).and_then(|(max, more)| max.checked_add(more));
            (min.saturating_add(place.min), max)
        });
        self.done.sum = match max {
            Some(max) if max == min => units::count(min, "byte", "bytes"),
            Some(max) => format!("{min} to {max} bytes"),
            None => format!("{min} bytes or more"),
        };
        self.done
    }
}

fn last(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}

fn about(place: &Place) -> String {
    let offset = place.offset.map(|offset| format!("at {offset} (0x{offset:x}), ")).unwrap_or_default();
    let bytes = match (place.bits, place.max) {
        (Some(bits), _) => units::count(u64::from(bits), "bit", "bits"),
        (_, Some(max)) if max == place.min => units::count(max, "byte", "bytes"),
        (_, Some(max)) => format!("{} to {max} bytes", place.min),
        (_, None) => format!("{} bytes or more", place.min),
    };
    format!("{}: {}; {offset}{bytes}", place.path, place.ty)
}

/// By the first word of the type.
fn kind(place: &Place) -> Kind {
    let first = place.ty.trim_start_matches('[').split([',', '(', ' ', ';', ']']).next().unwrap_or_default();
    let is_number = first.len() > 1
        && first.starts_with(['u', 'i', 'f'])
        && first.chars().skip(1).all(|c| c.is_ascii_digit());
    match first {
        "text" | "char" => Kind::Text,
        "magic" | "padding" | "align" => Kind::Mark,
        "bool" | "varint" | "bits" => Kind::Number,
        _ if is_number => Kind::Number,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests;
