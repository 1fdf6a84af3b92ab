//! The walk over the entries in wire order, the same for both directions.
//!
//! It numbers the parts, gathers runs of fields, and evaluates a condition once for a field and the bytes beside it. A
//! direction only says what one call looks like. If each direction walked by itself, a part could get one number when it is
//! read and another when it is written, and errors would name the wrong field.

use super::form::number;
use super::{Emit, Entry, entries, run, shared_flag};
use crate::model::field::{Field, Magic, Step};
use crate::model::sums::Edge;
use crate::paths::q;
use proc_macro2::{Literal, TokenStream};

/// A call that a direction has to spell out.
pub(super) enum Call<'a> {
    /// Two or more fields of which the form says all.
    Run(Vec<&'a Field>),
    /// The container's magic.
    Magic(&'a Magic),
    /// Bytes beside a field.
    Step(&'a Step),
    /// A field and its place on the wire.
    Value(&'a Field, usize),
    /// Where the bytes of a checksum begin or end.
    Edge(Edge),
}

/// The statements for all parts; `emitted` gets each call with the number of its first part.
pub(super) fn walk<'a>(
    emit: &Emit<'a>,
    magic: Option<&'a Magic>,
    mut emitted: impl FnMut(Call<'a>, &Literal) -> TokenStream,
) -> TokenStream {
    let entries = entries(magic, emit.fields);
    let mut out = TokenStream::new();
    let (mut index, mut at) = (0, 0);
    let mut flagged: Option<usize> = None;
    while let Some(entry) = entries.get(at) {
        let i = number(index);
        if let Some(run) = run::begins(&entries[at..]) {
            at += run.len();
            index += run.len();
            out.extend(emitted(Call::Run(run), &i));
            continue;
        }
        at += 1;
        if entry.has_part() {
            index += 1;
        }
        if let Entry::Step(field, place, _) | Entry::Value(field, place) = entry
            && shared_flag(field).is_some()
            && flagged != Some(*place)
        {
            out.extend(flag_of(emit, field, *place));
            flagged = Some(*place);
        }
        out.extend(match entry {
            Entry::Magic(magic) => emitted(Call::Magic(magic), &i),
            Entry::Step(field, _, step) => {
                let step = emitted(Call::Step(step), &i);
                match shared_flag(field) {
                    Some(flag) => q!(if #flag { #step }),
                    None => step,
                }
            }
            Entry::Value(field, place) => emitted(Call::Value(field, *place), &i),
            Entry::Edge(edge) => emitted(Call::Edge(*edge), &i),
        });
    }
    out
}

/// Evaluates a condition once, for the padding and the field.
fn flag_of(emit: &Emit<'_>, field: &Field, place: usize) -> TokenStream {
    match (&field.cond, shared_flag(field)) {
        (Some(cond), Some(flag)) => {
            let cond = emit.flag(&cond.expr, place);
            q!(let #flag = #cond;)
        }
        _ => TokenStream::new(),
    }
}
