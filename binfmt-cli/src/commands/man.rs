//! `binfmt man`: pages of the manual, made of what the help says.

use crate::args::{Man, command};
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::output;
use std::io::Write;

pub(crate) fn run(args: &Man, formats: Formats) -> Result<()> {
    let all = command(formats);
    let mut page = Vec::new();
    let described = match &args.command {
        None => all,
        Some(name) => match all.find_subcommand(name) {
            Some(found) => {
                // the name that is typed
                found.clone().bin_name(format!("binfmt {name}")).display_name(format!("binfmt-{name}"))
            }
            None => {
                let known = all.get_subcommands().filter(|command| !command.is_hide_set());
                let known = known.map(clap::Command::get_name).collect::<Vec<_>>().join(", ");
                return Err(Error::usage(format_args!("unknown command `{name}`"))
                    .tip(format_args!("the commands are {known}")));
            }
        },
    };
    clap_mangen::Man::new(described).render(&mut page).map_err(Error::output)?;
    let mut out = output::stdout();
    out.write_all(&page).and_then(|()| out.flush()).map_err(Error::output)
}
