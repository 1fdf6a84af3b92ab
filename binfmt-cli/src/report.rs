//! What is said on standard error, and the exit status.

use crate::error::{Error, Message, Result};
use crate::{style, terminal};
use std::io::Write;
use std::process::ExitCode;

/// How the program ends.
pub(crate) fn ended(done: Result<()>) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            show(&e);
            ExitCode::from(e.status())
        }
    }
}

/// Says what went wrong and what to do about it.
pub(crate) fn show(e: &Error) {
    let Some(Message { place, text, drawing, tip, .. }) = e.message() else { return };
    let on = style::on_stderr();
    let (red, green) = (style::when(on, style::ERROR), style::when(on, style::TIP));
    let place = place.as_ref().map(|place| format!("{place}: ")).unwrap_or_default();
    let mut message = format!("{red}error:{red:#} {}\n", terminal::line(&(place + text)));
    for line in drawing.lines() {
        // always indented: no line of a message is one of its own
        message.push_str(&format!("  {}\n", terminal::line(line.strip_prefix("  ").unwrap_or(line))));
    }
    if let Some(tip) = tip {
        let tips = terminal::lines(tip).replace('\n', "\n       ");
        message.push_str(&format!("  {green}tip:{green:#} {tips}\n"));
    }
    let _ = std::io::stderr().write_all(message.as_bytes());
}

/// Says what is worth knowing and is not an error.
pub(crate) fn remark(text: &str) {
    let _ = std::io::stderr().write_all(format!("note: {}\n", terminal::line(text)).as_bytes());
}
