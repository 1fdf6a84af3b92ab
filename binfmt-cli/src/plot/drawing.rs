//! Where everything is in a picture, and how it is drawn.

use super::axis::Axis;
use super::bins::Bins;
use super::canvas::{self, Align, Canvas, Draw, Form};
use super::clip::clipped;
use super::envelope::{self, Place};
use super::figure::{Content, Figure};
use super::grid::colour;
use super::pen::{Ink, Pen};
use super::tile::Tile;
use crate::error::Result;
use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::prelude::DrawingBackend;
use plotters::style::Color;

const TEXT: Ink = Ink(0x2a, 0x30, 0x38);
const FRAME: Ink = Ink(0x8a, 0x92, 0x9c);
const GRID: Ink = Ink(0xe4, 0xe7, 0xeb);

const LABEL: f64 = 12.0;
const NAME: f64 = 13.0;
const HEAD: f64 = 15.0;

impl Figure {
    /// The bytes of a file.
    pub(crate) fn bytes(&self, form: Form) -> Result<Vec<u8>> {
        canvas::drawn(form, self.size, &Layout::of(self))
    }
}

/// Where everything is, in pixels.
struct Layout<'a> {
    figure: &'a Figure,
    x: Axis,
    y: Axis,
    /// Of the colours of an image.
    z: Option<Axis>,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    /// Lines of names, each with its colour.
    legend: Vec<Vec<(usize, &'a str, f64)>>,
}

/// The room of a name in the legend beside its text.
const SWATCH: f64 = 42.0;

impl<'a> Layout<'a> {
    fn of(figure: &'a Figure) -> Self {
        let (width, height) = (f64::from(figure.size.0), f64::from(figure.size.1));
        let legend = legend(figure, width - 90.0);
        let is_titled = figure.title.is_some();
        let top = 16.0 + if is_titled { 26.0 } else { 0.0 } + legend.len() as f64 * 20.0;
        let bottom = height - 50.0;
        let (x, y, z) = figure.axes(((width - 120.0) / 90.0) as usize, ((bottom - top) / 45.0) as usize);
        let widest =
            |axis: &Axis| axis.ticks.iter().map(|tick| canvas::width(&tick.label, LABEL)).fold(0.0, f64::max);
        let left = widest(&y) + 16.0 + if figure.y.text(0).is_empty() { 8.0 } else { 26.0 };
        let right = width - z.as_ref().map_or(24.0, |z| widest(z) + 76.0);
        Layout { figure, x, y, z, left, right, top, bottom, legend }
    }

    fn across(&self, x: f64) -> Option<f64> {
        self.x.place(x).map(|at| self.left + at * (self.right - self.left))
    }

    fn up(&self, y: f64) -> Option<f64> {
        self.y.place(y).map(|at| self.bottom - at * (self.bottom - self.top))
    }

    fn place(&self, (x, y): (f64, f64)) -> Option<Place> {
        self.across(x).zip(self.up(y))
    }

    fn draw<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<()> {
        if self.z.is_none() {
            self.grid(canvas)?;
        }
        match &self.figure.content {
            Content::Lines(all) => {
                for (number, series) in all.iter().enumerate() {
                    let pen = Pen::of(number);
                    let places = series.points.iter().map(|point| self.place(*point));
                    let (low, high) = ((self.left, self.top), (self.right, self.bottom));
                    for line in envelope::lines(clipped(places, low, high).into_iter()) {
                        match &line[..] {
                            [alone] => canvas.mark(*alone, 2.2, pen)?,
                            line => canvas.line(line, pen, 1.5)?,
                        }
                    }
                }
            }
            Content::Points(all) => {
                for (number, series) in all.iter().enumerate() {
                    let is_in = |(x, y): &Place| {
                        (self.left..=self.right).contains(x) && (self.top..=self.bottom).contains(y)
                    };
                    let all = series.points.iter().map(|point| self.place(*point).filter(is_in));
                    let places = envelope::points(all);
                    let radius = if places.len() > 2000 { 1.1 } else { 2.2 };
                    places.into_iter().try_for_each(|place| canvas.mark(place, radius, Pen::of(number)))?;
                }
            }
            Content::Histogram(all) => {
                for (number, (_, bins)) in all.iter().enumerate() {
                    self.bars(bins, Pen::of(number), canvas)?;
                }
            }
            Content::Image(..) => self.colours(canvas)?,
        }
        self.frame(canvas)
    }

    fn grid<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<()> {
        for x in self.x.ticks.iter().filter_map(|tick| self.across(tick.value)) {
            canvas.line(&[(x, self.top), (x, self.bottom)], GRID, 1.0)?;
        }
        for y in self.y.ticks.iter().filter_map(|tick| self.up(tick.value)) {
            canvas.line(&[(self.left, y), (self.right, y)], GRID, 1.0)?;
        }
        Ok(())
    }

    /// Counts as bars with an outline.
    fn bars<B: DrawingBackend>(&self, bins: &Bins, pen: Pen, canvas: &mut Canvas<B>) -> Result<()> {
        let mut outline = Vec::new();
        for (part, count) in bins.counts.iter().enumerate() {
            let (Some(from), Some(to)) = (self.across(bins.edge(part)), self.across(bins.edge(part + 1)))
            else {
                continue;
            };
            let height = self.up(*count as f64).unwrap_or(self.bottom).min(self.bottom);
            if *count > 0 {
                canvas.rect((from, height), (to, self.bottom), pen.ink.mix(0.25))?;
            }
            outline.extend([(from, height), (to, height)]);
        }
        let ends = outline
            .first()
            .zip(outline.last())
            .map(|(first, last)| ((first.0, self.bottom), (last.0, self.bottom)));
        if let Some((first, last)) = ends {
            outline.insert(0, first);
            outline.push(last);
        }
        canvas.line(&outline, pen, 1.3)
    }

    /// What the colours of an image are.
    fn colours<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<()> {
        let (Some(z), Content::Image(_, title)) = (&self.z, &self.figure.content) else { return Ok(()) };
        let (left, right, height) = (self.right + 18.0, self.right + 32.0, self.bottom - self.top);
        const STEPS: u32 = 128;
        for step in 0..STEPS {
            let at = f64::from(step) / f64::from(STEPS);
            let [r, g, b] = colour(at);
            let (from, to) =
                (self.bottom - (at + 1.0 / f64::from(STEPS)) * height, self.bottom - at * height);
            // a little over the one below it: there is no seam
            canvas.rect((left, from), (right, (to + 0.5).min(self.bottom)), Ink(r, g, b).to_rgba())?;
        }
        canvas.line(&box_of((left, self.top), (right, self.bottom)), FRAME, 1.0)?;
        for tick in &z.ticks {
            let Some(at) = z.place(tick.value).filter(|at| (-0.001..=1.001).contains(at)) else { continue };
            let y = self.bottom - at * height;
            canvas.line(&[(right, y), (right + 4.0, y)], FRAME, 1.0)?;
            canvas.text(&tick.label, (right + 8.0, y), LABEL, Align::Left, TEXT)?;
        }
        let text = title.text(z.power);
        canvas.text(
            &text,
            (f64::from(self.figure.size.0) - 12.0, f64::midpoint(self.top, self.bottom)),
            NAME,
            Align::Up,
            TEXT,
        )
    }

    /// The frame with its marks, the titles, the legend.
    fn frame<B: DrawingBackend>(&self, canvas: &mut Canvas<B>) -> Result<()> {
        canvas.line(&box_of((self.left, self.top), (self.right, self.bottom)), FRAME, 1.0)?;
        for tick in &self.x.ticks {
            let Some(x) = self.across(tick.value) else { continue };
            let len = if tick.label.is_empty() { 3.0 } else { 5.0 };
            canvas.line(&[(x, self.bottom), (x, self.bottom + len)], FRAME, 1.0)?;
            if !tick.label.is_empty() {
                canvas.text(&tick.label, (x, self.bottom + 14.0), LABEL, Align::Middle, TEXT)?;
            }
        }
        for tick in &self.y.ticks {
            let Some(y) = self.up(tick.value) else { continue };
            let len = if tick.label.is_empty() { 3.0 } else { 5.0 };
            canvas.line(&[(self.left - len, y), (self.left, y)], FRAME, 1.0)?;
            if !tick.label.is_empty() {
                canvas.text(&tick.label, (self.left - 9.0, y), LABEL, Align::Right, TEXT)?;
            }
        }
        let (middle, centre) = (f64::midpoint(self.left, self.right), f64::midpoint(self.top, self.bottom));
        canvas.text(
            &match &self.x.day {
                None => self.figure.x.text(self.x.power),
                Some(day) => self.figure.x.text_of_dates(day),
            },
            (middle, self.bottom + 36.0),
            NAME,
            Align::Middle,
            TEXT,
        )?;
        canvas.text(&self.figure.y.text(self.y.power), (16.0, centre), NAME, Align::Up, TEXT)?;
        let mut y = 20.0;
        if let Some(title) = &self.figure.title {
            canvas.text(title, (middle, y), HEAD, Align::Middle, TEXT)?;
            y += 26.0;
        }
        for line in &self.legend {
            let mut x = self.left;
            for (number, name, width) in line {
                let pen = Pen::of(*number);
                match &self.figure.content {
                    Content::Points(_) => canvas.mark((x + 10.0, y - 4.0), 3.5, pen)?,
                    Content::Histogram(_) => {
                        let (low, high) = ((x, y - 9.0), (x + 20.0, y + 1.0));
                        canvas.rect(low, high, pen.ink.mix(if pen.dash == 0 { 0.6 } else { 0.25 }))?;
                        if pen.dash > 0 {
                            canvas.line(&box_of(low, high), pen, 1.3)?;
                        }
                    }
                    _ => canvas.line(&[(x, y - 4.0), (x + 20.0, y - 4.0)], pen, 2.0)?,
                }
                canvas.text(name, (x + 26.0, y - 4.0), LABEL, Align::Left, TEXT)?;
                x += width;
            }
            y += 20.0;
        }
        Ok(())
    }
}

impl Draw for Layout<'_> {
    fn svg(&self, canvas: &mut Canvas<SVGBackend<'_>>) -> Result<()> {
        self.draw(canvas)
    }

    fn png(&self, canvas: &mut Canvas<BitMapBackend<'_>>) -> Result<()> {
        self.draw(canvas)
    }

    fn tile(&self) -> Option<Tile> {
        let (Content::Image(grid, _), Some(z)) = (&self.figure.content, &self.z) else { return None };
        let shown = grid.reduced();
        let dimensions = (u32::try_from(shown.columns).ok()?, u32::try_from(shown.rows()).ok()?);
        let is_something = dimensions.0 > 0 && dimensions.1 > 0;
        is_something.then(|| Tile {
            place: (self.left, self.top),
            size: (self.right - self.left, self.bottom - self.top),
            pixels: shown.pixels(&|value| z.place(value)),
            dimensions,
        })
    }
}

fn box_of(from: Place, to: Place) -> [Place; 5] {
    [from, (to.0, from.1), to, (from.0, to.1), from]
}

/// The names of what is drawn, in lines of that width: none for a single one, which the axis names.
fn legend(figure: &Figure, room: f64) -> Vec<Vec<(usize, &str, f64)>> {
    let names: Vec<&str> = match &figure.content {
        Content::Lines(all) | Content::Points(all) => {
            all.iter().map(|series| series.label.as_str()).collect()
        }
        Content::Histogram(all) => all.iter().map(|(name, _)| name.as_str()).collect(),
        Content::Image(..) => Vec::new(),
    };
    let mut lines: Vec<Vec<(usize, &str, f64)>> = Vec::new();
    if names.len() < 2 {
        return lines;
    }
    let mut left = 0.0;
    for (number, name) in names.into_iter().enumerate() {
        let width = canvas::width(name, LABEL) + SWATCH;
        match lines.last_mut().filter(|_| width <= left) {
            Some(line) => line.push((number, name, width)),
            None => {
                left = room;
                lines.push(vec![(number, name, width)]);
            }
        }
        left -= width;
    }
    lines
}
