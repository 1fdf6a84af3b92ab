//! The walk over the parts in wire order, the same for both directions: it numbers the parts, gathers runs of plain
//! numbers, and evaluates a condition once for a field and the bytes beside it.

use super::form::number;
use super::{Act, Emit, acts, run, shared_flag};
use crate::model::field::{Field, Magic, Step};
use crate::paths::q;
use proc_macro2::{Literal, TokenStream};

/// Where the walk stops for a direction to say what is done.
pub(super) enum Stop<'a> {
    /// Two or more plain numbers.
    Run(Vec<&'a Field>),
    /// The container's magic.
    Magic(&'a Magic),
    /// Bytes beside a field.
    Step(&'a Step),
    /// A field and its place on the wire.
    Value(&'a Field, usize),
}

/// The statements for all parts; `emitted` gets each stop with the number of its (first) part.
pub(super) fn walk<'a>(
    emit: &Emit<'a>,
    magic: Option<&'a Magic>,
    mut emitted: impl FnMut(Stop<'a>, &Literal) -> TokenStream,
) -> TokenStream {
    let acts = acts(magic, emit.fields);
    let mut out = TokenStream::new();
    let (mut index, mut at) = (0, 0);
    let mut flagged: Option<usize> = None;
    while let Some(act) = acts.get(at) {
        let i = number(index);
        if let Some(run) = run::begins(&acts[at..]) {
            at += run.len();
            index += run.len();
            out.extend(emitted(Stop::Run(run), &i));
            continue;
        }
        at += 1;
        if act.has_part() {
            index += 1;
        }
        if let Act::Step(field, place, _) | Act::Value(field, place) = act
            && shared_flag(field).is_some()
            && flagged != Some(*place)
        {
            out.extend(flag_of(emit, field, *place));
            flagged = Some(*place);
        }
        out.extend(match act {
            Act::Magic(magic) => emitted(Stop::Magic(magic), &i),
            Act::Step(field, _, step) => {
                let step = emitted(Stop::Step(step), &i);
                match shared_flag(field) {
                    Some(flag) => q!(if #flag { #step }),
                    None => step,
                }
            }
            Act::Value(field, place) => emitted(Stop::Value(field, *place), &i),
        });
    }
    out
}

/// Evaluates a condition once, for the padding and the field.
fn flag_of(emit: &Emit<'_>, field: &Field, place: usize) -> TokenStream {
    match (&field.cond, shared_flag(field)) {
        (Some(cond), Some(flag)) => {
            let cond = emit.flag(cond, place);
            q!(let #flag = #cond;)
        }
        _ => TokenStream::new(),
    }
}
