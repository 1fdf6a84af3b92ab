//! Values written one after the other, in the style that was asked for.

use super::options::Options;
use super::values::{Pieces, UNIT};
use crate::error::{Error, Result};
use crate::format::{Job, Tally};
use crate::output::{Counted, Output, Target};
use binfmt::formats::futhark::{self, OutputStyle};

/// The style that was named, or the one that the name of the output tells.
pub(super) fn style(options: &Options, out: &Target) -> OutputStyle {
    let is_text = |path: &std::path::Path| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("txt"));
    match (options.style.value(), out) {
        (Some(style), _) => *style,
        (None, Target::Path(path)) if is_text(path) => OutputStyle::Text,
        (None, _) => OutputStyle::Packed,
    }
}

/// Writes the values that `fill` puts out. If it fails there is no file.
pub(super) fn written(
    out: &Target,
    fill: impl FnOnce(&mut futhark::Writer<&mut Counted<Output>>) -> Result<()>,
) -> Result<Tally> {
    let mut file = Counted::new(out.create()?);
    let mut writer = futhark::Writer::new(&mut file);
    fill(&mut writer)?;
    let count = writer.finish().map_err(|e| unwritten(&e))?;
    file.inner.finish()?;
    Ok(Tally { count, unit: UNIT, bytes: file.bytes })
}

/// What went wrong when a value was written.
pub(super) fn unwritten(e: &binfmt::Error) -> Error {
    Error::unwritten(e, |kind| Error::data(kind))
}

/// Writes the same values again.
pub(super) fn rewrite(options: &Options, job: &mut Job<'_>, out: &Target) -> Result<Tally> {
    let style = style(options, out);
    written(out, |writer| {
        let mut values = Pieces::open(job, None)?;
        while let Some(piece) = values.next()? {
            writer.write_piece(&piece, style).map_err(|e| unwritten(&e))?;
        }
        Ok(())
    })
}
