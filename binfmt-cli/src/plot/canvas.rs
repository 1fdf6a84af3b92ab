//! What is drawn on: an SVG file or a picture of pixels, both in units of a pixel of the file.

use super::pen::{DASHES, Ink, Pen, pieces};
use super::png;
use super::svg::{SVG, WIDTHS, framed, marked};
use super::tile::Tile;
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

/// Units of a picture in a pixel: the backend has no grey at the edges of lines.
const PNG: u32 = 3;

/// Something that can be drawn on both.
pub(super) trait Draw {
    fn svg(&self, canvas: &mut Canvas<SVGBackend<'_>>) -> Result<()>;
    fn png(&self, canvas: &mut Canvas<BitMapBackend<'_>>) -> Result<()>;
    /// Pixels that lie below everything.
    fn tile(&self) -> Option<Tile>;
}

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
