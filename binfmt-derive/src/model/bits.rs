//! Runs of bits: which bits of which integer each field has.

use super::field::{Content, Field, Form, Order};
use crate::attr::{BitsWord, Value, Words};
use crate::diag::Errors;
use crate::keyword::is_list_of_bits;
use proc_macro2::Span;
use syn::{Ident, Type};

/// The bits of a field. Where they are in the integer is known with the fields around.
#[derive(Clone)]
pub(crate) struct Bits {
    /// Bytes of the integer.
    pub(crate) bytes: u8,
    /// Bits of earlier fields.
    pub(crate) before: u8,
    pub(crate) width: u8,
    /// `Some(true)` is the lowest bit first.
    pub(crate) lowest: Option<bool>,
    pub(crate) reserved: bool,
    pub(crate) strict: bool,
}

impl Bits {
    /// A tag of bits, which opens its run.
    pub(crate) fn tag(word: &BitsWord) -> Self {
        let BitsWord { width, lowest, .. } = *word;
        let bytes = word.of.as_ref().map_or(0, bytes);
        Bits { bytes, before: 0, width, lowest, reserved: false, strict: false }
    }

    /// What the word of a field says, if the field is not a list.
    pub(crate) fn of(words: &Words) -> Option<Self> {
        let Value::Bits(word) = &words.get("bits")?.value else { return None };
        if is_list(words) {
            return None;
        }
        let BitsWord { width, lowest, reserved, .. } = **word;
        Some(Bits { bytes: 0, before: 0, width, lowest, reserved, strict: words.has("strict") })
    }
}

/// The bits of each element of a list or array.
#[derive(Clone)]
pub(crate) struct Packed {
    pub(crate) width: u8,
    /// `Some(true)` is the lowest bit first.
    pub(crate) lowest: Option<bool>,
    pub(crate) strict: bool,
    /// Whether the type says how many there are.
    pub(crate) is_array: bool,
}

impl Packed {
    /// What the word of a field says, if the field is a list.
    pub(crate) fn of(words: &Words, held: Option<&Type>) -> Option<Self> {
        let Value::Bits(word) = &words.get("bits")?.value else { return None };
        let BitsWord { width, lowest, .. } = **word;
        let (strict, is_array) = (words.has("strict"), matches!(held, Some(Type::Array(_))));
        is_list(words).then_some(Packed { width, lowest, strict, is_array })
    }
}

/// Whether a word says where the field ends: bits are those of its elements then.
pub(crate) fn is_list(words: &Words) -> bool {
    is_list_of_bits(|word| words.has(word))
}

/// The bytes of an integer.
fn bytes(of: &Ident) -> u8 {
    of.to_string().trim_start_matches('u').parse::<u8>().unwrap_or(8) / 8
}

/// The run that is open.
pub(crate) struct Run {
    bytes: u8,
    used: u8,
    lowest: Option<bool>,
    order: Order,
    /// The integer, and what opened the run, as a message names it.
    of: String,
    first: String,
    /// Where a message says what is left of it.
    at: Span,
}

impl Run {
    /// That of a tag, in a variant.
    pub(crate) fn of_tag(tag: &Bits, order: &Order, variant: &Ident) -> Self {
        Run {
            bytes: tag.bytes,
            used: tag.width,
            lowest: tag.lowest,
            order: order.clone(),
            of: format!("u{}", u32::from(tag.bytes) * 8),
            first: "the tag".to_owned(),
            at: variant.span(),
        }
    }

    /// Whether fields have to fill it.
    pub(crate) fn is_open(&self) -> bool {
        self.left() > 0
    }

    fn left(&self) -> u8 {
        (u16::from(self.bytes) * 8 - u16::from(self.used)).try_into().unwrap_or(u8::MAX)
    }

    fn is_full(&self, errors: &mut Errors) -> bool {
        let (left, of, first) = (self.left(), &self.of, &self.first);
        if left > 0 {
            let bits = if left == 1 { "1 bit" } else { &format!("{left} bits") };
            let text = format!(
                "the run of `{of}` that {first} opens has {bits} left\nhelp: add a field of type `()` with `bits({left}, reserved)` at its end"
            );
            errors.at(self.at, text);
        }
        left == 0
    }
}

/// Gives each field its place, in wire order: a run is opened once, and full before another field comes.
/// In a variant the tag may have opened one.
pub(crate) fn place(all: &mut [Field], wire: &[usize], mut open: Option<Run>, errors: &mut Errors) {
    for i in wire {
        let Some(field) =
            all.get_mut(*i).filter(|field| !field.is_tag && !matches!(field.content, Content::Skipped(_)))
        else {
            continue;
        };
        let word = match field.words.get("bits").filter(|_| !is_list(&field.words)).map(|word| &word.value) {
            Some(Value::Bits(word)) => (**word).clone(),
            // what is wrong with the word is said already
            _ if field.words.broken => return,
            _ => {
                if open.take().is_some_and(|run| run.left() > 0 && !run.is_full(errors)) {
                    return;
                }
                continue;
            }
        };
        let name = field.scope.clone();
        let Content::Coded(form, _) = &mut field.content else { continue };
        if let Some(of) = &word.of {
            if open.take().is_some_and(|run| !run.is_full(errors)) {
                return;
            }
            open = Some(Run {
                bytes: bytes(of),
                used: 0,
                lowest: word.lowest,
                order: form.order.clone(),
                of: of.to_string(),
                first: format!("`{name}`"),
                at: of.span(),
            });
        }
        let Some(run) = open.as_mut().filter(|run| run.left() > 0) else {
            let text = format!(
                "no run of bits is open for `{name}`: the first field says of which integer they are: `bits({}, of = u8)`",
                word.width
            );
            errors.at(word.span, text);
            return;
        };
        if word.width > run.left() {
            let (of, left, width) = (&run.of, run.left(), word.width);
            let help = match run.used {
                0 => format!("\nhelp: say a larger one: `of = u{}`", width.div_ceil(8).saturating_mul(8)),
                _ => String::new(),
            };
            let text = format!("`{name}` takes {width} bits, the run of `{of}` has {left} left{help}");
            errors.at(word.span, text);
            return;
        }
        if word.of.is_none() && (word.lowest.is_some() || !matches!(form.order, Order::Inherit)) {
            let text = format!("{} opens the run: the order of its bits and bytes is said there", run.first);
            errors.at(word.span, text);
            return;
        }
        assign(form, run, word.width);
    }
    if let Some(run) = open.filter(|run| run.left() > 0) {
        run.is_full(errors);
    }
}

fn assign(form: &mut Form, run: &mut Run, width: u8) {
    if let Some(bits) = &mut form.bits {
        (bits.bytes, bits.before, bits.lowest) = (run.bytes, run.used, run.lowest);
    }
    form.order = run.order.clone();
    run.used = run.used.saturating_add(width);
}
