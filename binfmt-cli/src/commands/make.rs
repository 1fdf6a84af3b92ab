//! `binfmt make`: a file of random data.

use crate::args::Make;
use crate::error::{Error, Result};
use crate::find::Formats;
use crate::format::Making;
use crate::output::Target;

pub(crate) fn run(args: &Make, formats: Formats) -> Result<()> {
    let Some(format) = formats.by_name(&args.format) else {
        return Err(Error::usage(format_args!("unknown format `{}`", args.format)));
    };
    args.settings.check_for(format.facts().settings, format.facts().title)?;
    if args.bounds.len() > 1 && args.bounds.len() != args.generate.len() {
        let (bounds, types) = (args.bounds.len(), args.generate.len());
        return Err(Error::usage(format_args!("--bounds is there {bounds} times, --generate {types} times"))
            .tip("one --bounds holds for all, else each --generate needs its own"));
    }
    let making = Making { types: &args.generate, bounds: &args.bounds, seed: args.seed };
    let out = Target::new(&args.output);
    format.make(&making, &args.settings, &out).map(|_| ()).map_err(|e| e.writing(out.name()))
}
