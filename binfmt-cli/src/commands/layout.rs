//! `binfmt layout`: what a description says, and whether another one says the same.

use crate::args::Layout;
use crate::error::{Error, Result};
use crate::pick::listed;
use crate::report::remark;
use crate::summary::{Listing, Summary, bytes};
use crate::{description, diagram, json, output, style, units};
use binfmt::schema::near::did_you_mean;
use binfmt::schema::{Description, Place, Schema, Type};
use serde::Serialize;
use serde_json::Value;
use std::io::Write;

pub(crate) fn run(args: &Layout) -> Result<()> {
    let layout = description::read(&args.path, &args.path)?;
    let layout = match &args.only {
        Some(name) => layout.only(name).ok_or_else(|| unknown(name, &layout, args))?,
        None => layout,
    };
    if let Some(other) = &args.against {
        return compare(layout, args, other);
    }
    if args.svg {
        let places = layout.places();
        tell_of_folded(&places);
        return output::text(&diagram::svg(&title(&layout, args), &places));
    }
    if args.offsets {
        return offsets(&layout, args.json);
    }
    match args.json {
        true => pretty(&layout),
        false => output::text(&layout.to_string()),
    }
}

fn unknown(wanted: &str, layout: &Description, args: &Layout) -> Error {
    let names: Vec<&str> = layout.definitions.keys().map(String::as_str).collect();
    let error = Error::usage(format_args!("{}: there is no type `{wanted}`", args.path));
    match did_you_mean(wanted, names.iter().copied()) {
        Some(tip) => error.tip(tip),
        None if names.is_empty() => error,
        None => error.tip(format_args!("its types are {}", listed(&names))),
    }
}

/// Tells where the bytes of other software, which the second describes, are not what the first says.
fn compare(layout: Description, args: &Layout, other: &str) -> Result<()> {
    let found = description::read(other, &format!("--against {other}"))?;
    // the other may be the type alone
    let found = args.only.as_ref().and_then(|name| found.only(name)).unwrap_or(found);
    match Schema::from(layout).check(&Schema::from(found)) {
        Ok(()) => output::text(&format!("{} and {other} are the same bytes\n", args.path)),
        Err(differences) => {
            let told = differences.of_layouts(&args.path, other).to_string();
            Err(Error::drawn(|text| Error::data(text), &told))
        }
    }
}

/// What it is called, if it has a name.
fn name(layout: &Description) -> Option<&str> {
    match &layout.root {
        Type::Named(name) => Some(name.as_str()),
        Type::Record(record) if !record.name.is_empty() => Some(record.name.as_str()),
        _ => None,
    }
}

/// Its name, or that of the file.
fn title(layout: &Description, args: &Layout) -> String {
    name(layout).unwrap_or(&args.path).to_owned()
}

/// Says that not all fields are shown.
fn tell_of_folded(places: &[Place]) {
    let folded = places.iter().filter(|place| place.folded).count();
    if folded > 0 {
        let records = units::count(folded as u64, "record", "records");
        remark(&format!(
            "the fields inside {records} are left out, too many or too deep to show: --type NAME selects one type"
        ));
    }
}

fn offsets(layout: &Description, as_json: bool) -> Result<()> {
    let mut summary = Summary::default();
    if let Some(name) = name(layout) {
        summary.fact("layout", "Layout", name);
    }
    let fingerprint = Schema::from(layout.clone()).fingerprint().to_string();
    summary.fact("fingerprint", "Fingerprint", fingerprint);
    let places = layout.places();
    tell_of_folded(&places);
    let rows = places.into_iter().map(|place| {
        let offset = place.offset.map_or(Value::Null, Value::from);
        vec![offset, bytes(place.min, place.max), place.path.into(), place.ty.into()]
    });
    let columns = &["offset", "bytes", "field", "type"];
    summary.table("fields", Listing { title: "Fields", columns, rows: rows.collect() });
    if as_json {
        return pretty(&summary);
    }
    let mut out = output::stdout();
    summary.write(&mut out, style::on_stdout())?;
    out.flush().map_err(Error::output)
}

fn pretty(value: &impl Serialize) -> Result<()> {
    let mut out = output::stdout();
    json::pretty(&mut out, value).map_err(|e| Error::output(e.into()))?;
    out.write_all(b"\n").and_then(|()| out.flush()).map_err(Error::output)
}
