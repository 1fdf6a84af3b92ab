//! A picture: what is in it.

use super::axis::{Axis, Shape, raised};
use super::bins::Bins;
use super::dates::seconds;
use super::grid::Grid;
use binfmt::table::TimeUnit;

/// Where an axis begins and ends, if that is said.
pub(crate) type Ends = Option<(f64, f64)>;

/// Points in their order; a NaN is a gap.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    pub(crate) label: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// What an axis shows, in the words of the file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Title {
    pub(crate) names: Vec<String>,
    /// Of each; empty where the file says none.
    pub(crate) units: Vec<String>,
    /// What all its numbers count since 1970, if they are times.
    pub(crate) time: Option<TimeUnit>,
}

/// What is drawn.
#[derive(Clone, Debug)]
pub(crate) enum Content {
    Lines(Vec<Series>),
    Points(Vec<Series>),
    Histogram(Vec<(String, Bins)>),
    /// With the title of its colours.
    Image(Grid, Title),
}

#[derive(Clone, Debug)]
pub(crate) struct Figure {
    pub(crate) title: Option<String>,
    pub(crate) x: Title,
    pub(crate) y: Title,
    pub(crate) is_log: (bool, bool),
    /// Where the axes begin and end, where that is said.
    pub(crate) ends: (Ends, Ends),
    pub(crate) size: (u32, u32),
    pub(crate) content: Content,
}

impl Title {
    /// `s (m)`, `betax, betay (m)`, `x (m), t (s)`, `x (10³ m)`; what is too long is left to the legend.
    pub(super) fn text(&self, power: i32) -> String {
        let mut units = self.units.clone();
        units.dedup();
        let with = |name: &str, unit: &str| match (power, unit) {
            (0, "") => name.to_owned(),
            (0, unit) => format!("{name} ({unit})"),
            (power, unit) => format!("{name} (10{} {unit}", raised(power)).trim_end().to_owned() + ")",
        };
        match (&units[..], self.names.len()) {
            ([unit], 1..=4) => with(&self.names.join(", "), unit),
            ([unit], _) => with("", unit).trim_start().to_owned(),
            (_, 0..=4) => {
                let each = self.names.iter().zip(&self.units).map(|(name, unit)| with(name, unit));
                each.collect::<Vec<_>>().join(", ")
            }
            _ => String::new(),
        }
    }

    /// The same of an axis that has dates, whose numbers are not there.
    pub(super) fn text_of_dates(&self, day: &str) -> String {
        let units = vec![String::new(); self.names.len()];
        let names = Title { units, ..self.clone() }.text(0);
        if day.is_empty() { names } else { format!("{names} (from {day})").trim_start().to_owned() }
    }

    /// That of one thing without a unit.
    pub(crate) fn of(name: &str) -> Self {
        Title { names: vec![name.to_owned()], units: vec![String::new()], time: None }
    }

    /// A column that another file has in another unit: its name, the unit here and the one there.
    pub(crate) fn unlike(&self, other: &Title) -> Option<[String; 3]> {
        self.differing(other).find(|[_, unit, there]| !unit.is_empty() && !there.is_empty())
    }

    /// A column that has a unit in one of the files only: its name, and the unit.
    pub(crate) fn one_sided(&self, other: &Title) -> Option<[String; 2]> {
        let mut all = self.differing(other).map(|[name, unit, there]| [name, unit + &there]);
        all.next()
    }

    fn differing<'a>(&'a self, other: &'a Title) -> impl Iterator<Item = [String; 3]> + 'a {
        let own = self.names.iter().zip(&self.units);
        own.filter_map(|(name, unit)| {
            let (_, there) =
                other.names.iter().zip(&other.units).find(|(of, there)| *of == name && *there != unit)?;
            Some([name.clone(), unit.clone(), there.clone()])
        })
    }

    /// Adds those of another file.
    pub(crate) fn join(&mut self, other: Title) {
        self.time = self.time.or(other.time);
        for (name, unit) in other.names.into_iter().zip(other.units) {
            match self.names.iter().zip(&mut self.units).find(|(known, _)| **known == name) {
                Some((_, known)) if known.is_empty() => *known = unit,
                Some(_) => {}
                None => {
                    self.names.push(name);
                    self.units.push(unit);
                }
            }
        }
    }
}

impl Figure {
    /// Both axes, and that of the colours.
    pub(super) fn axes(&self, across: usize, up: usize) -> (Axis, Axis, Option<Axis>) {
        let shape = |is_log, margin, most: usize| Shape { is_log, margin, most: most.max(2) };
        let (x_log, y_log) = self.is_log;
        let dated = |axis: Axis| match self.x.time.and_then(seconds) {
            Some(seconds) if !x_log => axis.dated(seconds, across),
            _ => axis,
        };
        match &self.content {
            Content::Lines(all) | Content::Points(all) => {
                let margin = if matches!(self.content, Content::Points(_)) { 0.02 } else { 0.0 };
                // what is not drawn has no part in the range
                let is_drawn = |point: &&(f64, f64)| {
                    let is_one = |x: f64, is_log: bool| x.is_finite() && (!is_log || x > 0.0);
                    is_one(point.0, x_log) && is_one(point.1, y_log)
                };
                let points = || all.iter().flat_map(|series| &series.points).filter(is_drawn);
                let is_in = |x: f64, ends: Ends| ends.is_none_or(|(low, high)| low <= x && x <= high);
                let shown = |(x, y): &&(f64, f64)| is_in(*x, self.ends.0) && is_in(*y, self.ends.1);
                let axis = |ends: Ends, of: &dyn Fn(&(f64, f64)) -> f64, form: Shape| match ends {
                    Some((low, high)) => Axis::between(low, high, Shape { margin: 0.0, ..form }),
                    None => Axis::of(points().filter(shown).map(of), form),
                };
                let x = axis(self.ends.0, &|point| point.0, shape(x_log, margin, across));
                (dated(x), axis(self.ends.1, &|point| point.1, shape(y_log, 0.04, up)), None)
            }
            Content::Histogram(all) => {
                let edges = all.iter().flat_map(|(_, bins)| [bins.edge(0), bins.edge(bins.counts.len())]);
                let x = Axis::of(edges, shape(x_log, 0.0, across));
                let counts = all.iter().flat_map(|(_, bins)| &bins.counts);
                let greatest = counts.copied().max().unwrap_or(0).max(1) as f64;
                let least = if y_log { 0.5 } else { 0.0 };
                let y = Axis::of([least, greatest * 1.05].into_iter(), shape(y_log, 0.0, up));
                (dated(x), if y_log { y } else { y.in_whole_numbers() }, None)
            }
            Content::Image(grid, _) => {
                let exact = |(from, to): (f64, f64), cells: usize, most| {
                    let mut axis =
                        Axis::of([from.min(to), from.max(to)].into_iter(), shape(false, 0.0, most));
                    // of numbered cells, or of places that are whole numbers
                    if (from - to).abs() == cells as f64 && (from + 0.5).fract() == 0.0 {
                        axis = axis.in_whole_numbers();
                    }
                    if from > to {
                        std::mem::swap(&mut axis.low, &mut axis.high);
                    }
                    axis
                };
                let (low, high) = grid.range().unwrap_or((0.0, 1.0));
                let z = Axis::of([low, high].into_iter(), shape(false, 0.0, up));
                (exact(grid.x, grid.columns, across), exact(grid.y, grid.rows(), up), Some(z))
            }
        }
    }
}
