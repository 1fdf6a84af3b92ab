//! What is drawn on: an SVG file or a picture of pixels, both in units of a pixel of the file.

use super::pen::{DASHES, Pen, pieces};
use super::png;
use crate::base64;
use crate::error::{Error, Result};
use plotters::backend::{BitMapBackend, SVGBackend};
use plotters::prelude::DrawingBackend;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{
    Color, FontStyle, FontTransform, IntoFont, RGBAColor, ShapeStyle, TextStyle, register_font,
};
use std::fmt::Display;
use std::sync::Once;

/// The family of all text, whose measures are those of the font below.
const FAMILY: &str = "sans-serif";
/// Letters of Latin, Greek and mathematics.
const FONT: &[u8] = include_bytes!("../../fonts/plot.ttf");

pub(super) use plotters::style::RGBColor as Ink;

/// How text lies at its place.
#[derive(Clone, Copy)]
pub(super) enum Align {
    Left,
    Middle,
    Right,
    /// Upwards, its middle at the place.
    Up,
}

/// A drawing in progress.
pub(super) struct Canvas<B> {
    back: B,
    /// Units of the backend in a pixel.
    scale: f64,
    /// Whether lines are of pixels.
    is_raster: bool,
}

/// The form of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Svg,
    Png,
}

/// Small pictures of pixels in a drawing: their place, size, and pixels.
pub(super) struct Tile {
    pub(super) place: (f64, f64),
    pub(super) size: (f64, f64),
    pub(super) pixels: Vec<u8>,
    pub(super) dimensions: (u32, u32),
}

/// Draws with one function on whatever the form needs, and gives the bytes of the file.
pub(super) fn drawn(form: Form, size: (u32, u32), draw: &dyn Draw) -> Result<Vec<u8>> {
    ready();
    let scaled = |factor: u32| (size.0 * factor, size.1 * factor);
    match form {
        Form::Svg => {
            let mut text = String::new();
            let mut canvas = Canvas {
                back: SVGBackend::with_string(&mut text, scaled(SVG)),
                scale: f64::from(SVG),
                is_raster: false,
            };
            draw.svg(&mut canvas)?;
            canvas.end()?;
            drop(canvas);
            Ok(framed(&text, size, draw.tile().as_ref())?.into_bytes())
        }
        Form::Png => {
            let (width, height) = scaled(PNG);
            let mut pixels = vec![255; width as usize * height as usize * 3];
            if let Some(tile) = draw.tile() {
                tile.paint(&mut pixels, width as usize, f64::from(PNG));
            }
            let back = BitMapBackend::with_buffer(&mut pixels, (width, height));
            let mut canvas = Canvas { back, scale: f64::from(PNG), is_raster: true };
            draw.png(&mut canvas)?;
            canvas.end()?;
            drop(canvas);
            png::encode(&smoothed(&pixels, width as usize, PNG as usize), size).map_err(Error::output)
        }
    }
}

/// Units of an SVG file and of a picture in a pixel: the backends have whole numbers, and no grey at the edges of lines.
const SVG: u32 = 10;
const PNG: u32 = 3;

/// Something that can be drawn on both.
pub(super) trait Draw {
    fn svg(&self, canvas: &mut Canvas<SVGBackend<'_>>) -> Result<()>;
    fn png(&self, canvas: &mut Canvas<BitMapBackend<'_>>) -> Result<()>;
    /// Pixels that lie below everything.
    fn tile(&self) -> Option<Tile>;
}

impl Tile {
    /// Onto pixels, the nearest of its own each.
    fn paint(&self, pixels: &mut [u8], width: usize, scale: f64) {
        let at = |x: f64| (x * scale).round().max(0.0) as usize;
        let (left, top) = (at(self.place.0), at(self.place.1));
        let (right, bottom) = (at(self.place.0 + self.size.0), at(self.place.1 + self.size.1));
        let (columns, rows) = (self.dimensions.0 as usize, self.dimensions.1 as usize);
        for y in top..bottom {
            for x in left..right {
                let (column, row) =
                    ((x - left) * columns / (right - left), (y - top) * rows / (bottom - top));
                let from = (row * columns + column) * 3;
                let to = (y * width + x) * 3;
                if let (Some(to), Some(from)) = (pixels.get_mut(to..to + 3), self.pixels.get(from..from + 3))
                {
                    to.copy_from_slice(from);
                }
            }
        }
    }
}

/// The file, in pixels, with the tile below the rest.
fn framed(text: &str, (width, height): (u32, u32), tile: Option<&Tile>) -> Result<String> {
    let (head, rest) = text.split_once(">\n").unwrap_or((text, ""));
    let mut out = head
        .replacen(&format!("width=\"{}\"", width * SVG), &format!("width=\"{width}\""), 1)
        .replacen(&format!("height=\"{}\"", height * SVG), &format!("height=\"{height}\""), 1);
    out.push_str(">\n");
    out.push_str("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n");
    if let Some(tile) = tile {
        let units = |x: f64| x * f64::from(SVG);
        let data = base64::encode(&png::encode(&tile.pixels, tile.dimensions).map_err(Error::output)?);
        out.push_str(&format!(
            "<image x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" \
             style=\"image-rendering:pixelated\" href=\"data:image/png;base64,{data}\"/>\n",
            units(tile.place.0),
            units(tile.place.1),
            units(tile.size.0),
            units(tile.size.1),
        ));
    }
    for line in rest.split_inclusive('\n') {
        out.push_str(&dashed(line).unwrap_or_else(|| line.to_owned()));
    }
    Ok(out)
}

/// What is added to the width of a line to mark its dashes, of which the backend knows nothing: less than any two widths differ by, as
/// all are multiples of [`WIDTHS`].
fn marked(dash: usize) -> u32 {
    u32::try_from(dash).unwrap_or(0)
}

/// An element of an SVG file as it is, with the dashes that its width marks.
fn dashed(element: &str) -> Option<String> {
    let (before, rest) = element.strip_prefix("<polyline ")?.split_once("stroke-width=\"")?;
    let (width, after) = rest.split_once('"')?;
    let width: u32 = width.parse().ok()?;
    let (dash, width) = (width % WIDTHS, width - width % WIDTHS);
    let lengths = DASHES.get(dash as usize).filter(|lengths| !lengths.is_empty())?;
    let lengths: Vec<String> = lengths.iter().map(|n| (n * f64::from(SVG)).to_string()).collect();
    let lengths = lengths.join(" ");
    Some(format!("<polyline {before}stroke-width=\"{width}\" stroke-dasharray=\"{lengths}\"{after}"))
}

/// Widths of lines in an SVG file are multiples of this.
const WIDTHS: u32 = 5;

/// Each pixel as the mean of some.
fn smoothed(pixels: &[u8], width: usize, factor: usize) -> Vec<u8> {
    let rows: Vec<&[u8]> = pixels.chunks_exact(width * 3).collect();
    let mut out = Vec::with_capacity(pixels.len() / (factor * factor));
    for rows in rows.chunks_exact(factor) {
        for column in 0..width / factor {
            for colour in 0..3 {
                let of = |row: &&[u8]| -> usize {
                    (0..factor)
                        .filter_map(|i| row.get((column * factor + i) * 3 + colour))
                        .map(|x| usize::from(*x))
                        .sum()
                };
                let sum: usize = rows.iter().map(of).sum();
                out.push(u8::try_from(sum / (factor * factor)).unwrap_or(u8::MAX));
            }
        }
    }
    out
}

fn failed(e: impl Display) -> Error {
    Error::data(format_args!("the picture cannot be drawn: {e}"))
}

impl<B: DrawingBackend> Canvas<B> {
    fn at(&self, (x, y): (f64, f64)) -> (i32, i32) {
        ((x * self.scale).round() as i32, (y * self.scale).round() as i32)
    }

    fn units(&self, x: f64) -> u32 {
        (x * self.scale).round().max(1.0) as u32
    }

    /// The width of a line.
    fn width(&self, x: f64) -> u32 {
        let units = self.units(x);
        if self.is_raster { units } else { units.div_ceil(WIDTHS) * WIDTHS }
    }

    fn end(&mut self) -> Result<()> {
        self.back.present().map_err(failed)
    }

    /// A line through places.
    pub(super) fn line(&mut self, places: &[(f64, f64)], pen: impl Into<Pen>, width: f64) -> Result<()> {
        let Pen { ink, dash } = pen.into();
        let style = ShapeStyle { color: ink.to_rgba(), filled: false, stroke_width: self.width(width) };
        if !self.is_raster {
            let places: Vec<_> = places.iter().map(|place| self.at(*place)).collect();
            let style = ShapeStyle { stroke_width: style.stroke_width + marked(dash), ..style };
            return self.back.draw_path(places, &style).map_err(failed);
        }
        pieces(places, DASHES[dash]).iter().try_for_each(|piece| self.pixels(piece, style))
    }

    /// A line of pixels, without gaps.
    fn pixels(&mut self, places: &[(f64, f64)], style: ShapeStyle) -> Result<()> {
        let places: Vec<_> = places.iter().map(|place| self.at(*place)).collect();
        for ends in places.windows(2) {
            if let [from, to] = ends {
                self.back.draw_line(*from, *to, &style).map_err(failed)?;
            }
        }
        // a wide line has round corners
        let radius = style.stroke_width / 2;
        if radius > 1 && places.len() > 2 {
            let filled = ShapeStyle { filled: true, ..style };
            for place in &places {
                self.back.draw_circle(*place, radius, &filled, true).map_err(failed)?;
            }
        }
        Ok(())
    }

    pub(super) fn rect(&mut self, from: (f64, f64), to: (f64, f64), ink: RGBAColor) -> Result<()> {
        self.back.draw_rect(self.at(from), self.at(to), &ink.filled(), true).map_err(failed)
    }

    /// A point: a dot, a ring, a square or a cross.
    pub(super) fn mark(&mut self, place: (f64, f64), radius: f64, Pen { ink, dash }: Pen) -> Result<()> {
        let ((x, y), r) = (place, radius);
        let (corners, width) = ([(x - r, y - r), (x + r, y + r)], (r * 0.4).max(0.8));
        match dash {
            0 => self.back.draw_circle(self.at(place), self.units(r), &ink.filled(), true).map_err(failed),
            1 => {
                let around = (0..=12).map(|i| (f64::from(i) * std::f64::consts::TAU / 12.0).sin_cos());
                let ring: Vec<_> = around.map(|(sin, cos)| (x + r * cos, y + r * sin)).collect();
                self.line(&ring, ink, width)
            }
            2 => self.rect(corners[0], corners[1], ink.to_rgba()),
            _ => {
                self.line(&corners, ink, width)?;
                self.line(&[(x - r, y + r), (x + r, y - r)], ink, width)
            }
        }
    }

    /// Text whose middle is at that height.
    pub(super) fn text(
        &mut self,
        text: &str,
        place: (f64, f64),
        size: f64,
        align: Align,
        ink: Ink,
    ) -> Result<()> {
        let font = (FAMILY, size * self.scale * EM).into_font();
        let (horizontal, font) = match align {
            Align::Left => (HPos::Left, font),
            Align::Middle => (HPos::Center, font),
            Align::Right => (HPos::Right, font),
            Align::Up => (HPos::Center, font.transform(FontTransform::Rotate270)),
        };
        let style = TextStyle::from(font).color(&ink).pos(Pos::new(horizontal, VPos::Center));
        // pixels are those of letters without their lower parts
        let (x, y) = match (self.is_raster, align) {
            (false, _) => place,
            (true, Align::Up) => (place.0 + size * 0.1, place.1),
            (true, _) => (place.0, place.1 + size * 0.1),
        };
        self.back.draw_text(text, &style, self.at((x, y))).map_err(failed)
    }
}

/// Makes the font known, which is part of the program.
fn ready() {
    static READY: Once = Once::new();
    READY.call_once(|| {
        let _ = register_font(FAMILY, FontStyle::Normal, FONT);
    });
}

/// What the backends call the size of a font is the height of a line.
const EM: f64 = 1.24;

/// How wide a text is.
pub(super) fn width(text: &str, size: f64) -> f64 {
    ready();
    let measured = (FAMILY, size * EM * 10.0).into_font().box_size(text);
    measured.map_or(text.chars().count() as f64 * size * 0.6, |(width, _)| f64::from(width) / 10.0)
}
