//! What a picture says as an SVG file beside what the backend writes: its size in pixels, what lies below, dashes.

use super::pen::DASHES;
use super::png;
use super::tile::Tile;
use crate::base64;
use crate::error::{Error, Result};

/// Units of the file in a pixel: the backend has whole numbers.
pub(super) const SVG: u32 = 10;

/// The file, in pixels, with the tile below the rest.
pub(super) fn framed(text: &str, (width, height): (u32, u32), tile: Option<&Tile>) -> Result<String> {
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
pub(super) fn marked(dash: usize) -> u32 {
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
pub(super) const WIDTHS: u32 = 5;
