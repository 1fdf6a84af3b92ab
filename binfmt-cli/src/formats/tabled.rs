//! Formats of which the command knows nothing but what they say of themselves as formats of tables.

use super::table_file::TableFile;
use crate::format::{Facts, Format};
use crate::settings::Setting;
use binfmt::table::TableFormat;

/// The formats of the command after those of who calls it, and those that only the library's list has. One of the first takes the
/// place of another of its name.
///
/// They stay as long as the program runs, as a command line does.
pub(crate) fn with(
    known: &[&'static dyn Format],
    own: &[&'static dyn TableFormat],
) -> &'static [&'static dyn Format] {
    let mut all: Vec<&'static dyn Format> = own.iter().copied().map(of).collect();
    let listed = binfmt::FORMATS
        .iter()
        .copied()
        .filter(|format| known.iter().all(|known| known.facts().name != format.name()));
    let rest = known.iter().copied().chain(listed.map(of));
    let rest = rest.filter(|format| own.iter().all(|own| own.name() != format.facts().name));
    all.extend(rest);
    Box::leak(all.into_boxed_slice())
}

/// A format as its settings, its endings and its name tell it.
fn of(format: &'static dyn TableFormat) -> &'static dyn Format {
    let name = format.name();
    let title = format.title().unwrap_or_else(|| Box::leak(format!("{name} file").into_boxed_str()));
    let mut settings: Vec<Setting> = Vec::new();
    for setting in format.settings().iter().chain(format.write_settings()) {
        let word: &'static str = match setting.name.contains('_') {
            true => Box::leak(setting.name.replace('_', "-").into_boxed_str()),
            false => setting.name,
        };
        if settings.iter().all(|known| known.name != word) {
            settings.push(Setting::new(word, "VALUE", setting.help));
        }
    }
    let facts = Facts {
        endings: format.endings(),
        settings: Box::leak(settings.into_boxed_slice()),
        takes_tables: format.writes(),
        ..Facts::new(name, title)
    };
    Box::leak(Box::new(TableFile { facts: Box::leak(Box::new(facts)), format }))
}
