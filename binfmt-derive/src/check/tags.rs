//! Tags that two variants have, and tags that are never read.
//!
//! Numbers are compared by their values, what else a pattern may be by how it is written. The values of constants only rustc knows:
//! see `expand::checks`.

use crate::diag::Errors;
use crate::model::bits::Bits;
use crate::model::tags::{self, Tags, literal};
use crate::model::{Pick, Variant, types};
use std::collections::{BTreeMap, HashMap};
use syn::{Expr, ExprLit, Lit, Type};

/// The tags of a variant as far as the macro sees them.
#[derive(Clone, Default)]
struct Known {
    /// From and to, which are both in it; in order, and apart from each other.
    ranges: Vec<(i128, i128)>,
    others: Vec<String>,
    style: Style,
}

/// How the user writes numbers.
#[derive(Clone, Copy, Default)]
enum Style {
    #[default]
    Decimal,
    Hex,
    Byte,
    Char,
}

impl Style {
    fn of(expr: &Expr) -> Self {
        match expr {
            Expr::Lit(ExprLit { lit: Lit::Byte(_), .. }) => Style::Byte,
            Expr::Lit(ExprLit { lit: Lit::Char(_), .. }) => Style::Char,
            Expr::Lit(ExprLit { lit: Lit::Int(n), .. }) if n.to_string().starts_with("0x") => Style::Hex,
            _ => Style::Decimal,
        }
    }

    fn show(self, n: i128) -> String {
        let byte = u8::try_from(n).ok().filter(|byte| byte.is_ascii_graphic() || *byte == b' ');
        let char = u32::try_from(n).ok().and_then(char::from_u32);
        match (self, byte, char) {
            (Style::Byte, Some(byte), _) => format!("b'{}'", byte.escape_ascii()),
            (Style::Char, _, Some(char)) => format!("{char:?}"),
            (Style::Hex, ..) if n >= 0 => format!("{n:#x}"),
            _ => n.to_string(),
        }
    }

    fn range(self, (low, high): (i128, i128)) -> String {
        match (low, high) {
            (low, high) if low == high => self.show(low),
            (i128::MIN, i128::MAX) => "..".to_owned(),
            (i128::MIN, high) => format!("..={}", self.show(high)),
            (low, i128::MAX) => format!("{}..", self.show(low)),
            (low, high) => format!("{}..={}", self.show(low), self.show(high)),
        }
    }
}

impl Known {
    fn of(pick: &Pick) -> Self {
        let mut known = Known::default();
        let list = tags::of(pick);
        let first = list.iter().find_map(|tags| match tags {
            Tags::One(one) => Some(one),
            Tags::Range { low, high, .. } => low.as_ref().or(high.as_ref()),
            Tags::Other(_) => None,
        });
        known.style = first.map(Style::of).unwrap_or_default();
        for tags in &list {
            match (tags, bounds(tags)) {
                (_, Some((low, high))) if low <= high => known.ranges.push((low, high)),
                // rustc refuses a range that nothing is in
                (_, Some(_)) => {}
                (Tags::One(one), _) => known.others.push(types::show(one).to_string()),
                (Tags::Range { low, high, closed }, _) => {
                    let text = |end: &Option<Expr>| {
                        end.as_ref().map(|end| types::show(end).to_string()).unwrap_or_default()
                    };
                    let dots = if *closed { "..=" } else { ".." };
                    known.others.push(format!("{}{dots}{}", text(low), text(high)));
                }
                (Tags::Other(pattern), _) => known.others.push(types::show(pattern).to_string()),
            }
        }
        known.ranges.sort_unstable();
        known.ranges.dedup_by(|next, last| {
            let joined = next.0 <= last.1.saturating_add(1);
            if joined {
                last.1 = last.1.max(next.1);
            }
            joined
        });
        known
    }

    /// Whether it is a single tag.
    fn is_one(&self) -> bool {
        match (&self.ranges[..], &self.others[..]) {
            ([(low, high)], []) => low == high,
            ([], [_]) => true,
            _ => false,
        }
    }

    fn is_empty(&self) -> bool {
        self.ranges.is_empty() && self.others.is_empty()
    }

    /// Whether another one has all of these, as far as it is known.
    fn is_within(&self, other: &Known) -> bool {
        let holds = |(low, high): &(i128, i128)| other.ranges.iter().any(|(l, h)| l <= low && high <= h);
        // text and bytes are what they are, a constant may be anything
        let mut texts = self.others.iter().filter(|own| own.ends_with('"'));
        self.ranges.iter().all(holds) && texts.all(|own| other.others.contains(own))
    }

    /// Without the tags of another.
    fn without(self, other: &Known) -> Known {
        let cut = |ranges: Vec<(i128, i128)>, &(l, h): &(i128, i128)| {
            let pieces = ranges.into_iter().flat_map(|(low, high)| {
                let below = (low < l).then(|| (low, high.min(l.saturating_sub(1))));
                let above = (high > h).then(|| (low.max(h.saturating_add(1)), high));
                below.into_iter().chain(above)
            });
            pieces.collect()
        };
        Known {
            ranges: other.ranges.iter().fold(self.ranges, cut),
            others: self.others.into_iter().filter(|own| !other.others.contains(own)).collect(),
            style: self.style,
        }
    }

    /// As a pattern has it.
    fn show(&self) -> String {
        let ranges = self.ranges.iter().map(|range| self.style.range(*range));
        ranges.chain(self.others.iter().cloned()).collect::<Vec<_>>().join(" | ")
    }

    /// As the word of a variant.
    fn word(&self) -> String {
        if self.is_one() { format!("tag = {}", self.show()) } else { format!("tag({})", self.show()) }
    }
}

/// The numbers from and to, where the macro sees them.
fn bounds(tags: &Tags) -> Option<(i128, i128)> {
    match tags {
        Tags::One(one) => literal(one).map(|n| (n, n)),
        Tags::Range { low, high, closed } => {
            let low = low.as_ref().map_or(Some(i128::MIN), literal)?;
            let high = match high {
                None => i128::MAX,
                Some(high) if *closed => literal(high)?,
                Some(high) => literal(high)?.checked_sub(1)?,
            };
            Some((low, high))
        }
        Tags::Other(_) => None,
    }
}

/// Two variants of one tag could not be told apart: the first would be read, whichever was written. Before a pattern there may be
/// variants of which it has all tags: they are its exceptions.
pub(super) fn shared(variants: &[Variant], errors: &mut Errors) {
    let rest = variants.iter().filter(|variant| matches!(variant.pick, Pick::Other | Pick::Rest(_)));
    let mut rest = rest.filter(|variant| variant.words.has("other"));
    if let Some(first) = rest.next() {
        for variant in rest {
            let text =
                format!("`{}` is already `other`: only one variant can take the remaining tags", first.ident);
            errors.at(variant.words.span("other").unwrap_or(variant.ident.span()), text);
        }
    }
    let all: Vec<Known> = variants.iter().map(|variant| Known::of(&variant.pick)).collect();
    let (mut numbers, mut others) = (BTreeMap::new(), HashMap::new());
    for (k, known) in all.iter().enumerate() {
        // a second mistake would follow from a word that could not be read
        if variants[k].words.broken {
            continue;
        }
        // what is taken: by whom, and from where to where
        let mut taken: Vec<(usize, (i128, i128))> = Vec::new();
        for &(low, high) in &known.ranges {
            let found = numbers.range(..=high).rev().take_while(|(_, (end, _))| *end >= low);
            taken.extend(found.map(|(from, (to, j))| (*j, (*from, *to))));
        }
        let same = known.others.iter().filter_map(|own| Some((*others.get(own.as_str())?, own)));
        let same: Vec<(usize, &String)> = same.collect();
        let mut owners: Vec<usize> =
            taken.iter().map(|(j, _)| *j).chain(same.iter().map(|(j, _)| *j)).collect();
        owners.sort_unstable();
        owners.dedup();
        let left = owners.iter().fold(known.clone(), |left, j| left.without(&all[*j]));
        // tags of their own, before a pattern that has them, too
        let is_exception = |j: &usize| !variants[*j].pick.is_rest() && all[*j].is_within(known);
        let wrong = match left.is_empty() && !known.is_empty() {
            true => owners.first(),
            false => owners.iter().find(|j| !is_exception(j)),
        };
        if let Some(j) = wrong {
            report(variants, &all, (&owners, *j, k), &left, errors);
            continue;
        }
        for (_, (from, _)) in taken {
            numbers.remove(&from);
        }
        numbers.extend(known.ranges.iter().map(|(low, high)| (*low, (*high, k))));
        others.extend(known.others.iter().map(|own| (own.as_str(), k)));
    }
}

fn report(
    variants: &[Variant],
    all: &[Known],
    (owners, j, k): (&[usize], usize, usize),
    left: &Known,
    errors: &mut Errors,
) {
    let (first, later) = (&variants[j], &variants[k]);
    let span = later.words.span("tag").unwrap_or(later.ident.span());
    if left.is_empty() && owners.len() > 1 {
        let names: Vec<_> = owners.iter().map(|j| format!("`{}`", variants[*j].ident)).collect();
        let (all, names) = (all[k].show(), names.join(", "));
        errors.at(span, format!("`{}` is never read: {names} have all of its tags, {all}", later.ident));
        return;
    }
    let how = match later.words.has("tag") {
        true => "has",
        false => "gets, by its place in the enum,",
    };
    let both = all[k].clone().without(&all[k].clone().without(&all[j]));
    let said = match &later.pick {
        Pick::Value(value) | Pick::Rest(value) if all[k].is_one() => types::show(value).to_string(),
        _ => both.show(),
    };
    let shared = match (both.is_one(), all[j].is_one()) {
        (true, true) => format!("the tag {said}, which is already the tag"),
        (true, false) => format!("the tag {said}, which is already a tag"),
        (false, _) => format!("the tags {said}, which are already tags"),
    };
    let help = if !later.words.has("tag") {
        format!("\nhelp: give it one of its own: `tag = ..` on `{}`", later.ident)
    } else if !left.is_empty() {
        format!("\nhelp: for those that are left, write `{}`", left.word())
    } else if later.pick.is_rest() || all[j].is_within(&all[k]) {
        String::new()
    } else {
        format!(
            "\nhelp: put `{}` before `{}`: the first variant that has a tag gets it",
            later.ident, first.ident
        )
    };
    errors.at(span, format!("`{}` {how} {shared} of `{}`{help}", later.ident, first.ident));
}

/// What its bits do not hold is never read, and written it would be read as another.
pub(super) fn too_wide(ty: &Type, bits: &Bits, variants: &[Variant], errors: &mut Errors) {
    let Some(held) = held(ty, bits.width) else { return };
    for variant in variants.iter().filter(|variant| !variant.words.broken) {
        let mut known = Known::of(&variant.pick).without(&held);
        // one that has no end has what is left
        known.ranges.retain(|(low, high)| *low != i128::MIN && *high != i128::MAX);
        known.others.clear();
        if known.is_empty() {
            continue;
        }
        let (tags, fit) = if known.is_one() { ("tag", "does") } else { ("tags", "do") };
        let text = format!(
            "`{}` has the {tags} {}, which {fit} not fit in {} bits",
            variant.ident,
            known.show(),
            bits.width
        );
        errors.at(variant.words.span("tag").unwrap_or(variant.ident.span()), text);
    }
}

/// The numbers of so many bits of a type, if they are not all numbers. rustc refuses those below zero of a type without a sign.
fn held(ty: &Type, width: u8) -> Option<Known> {
    let is_signed = types::is_signed(ty) == Some(true);
    let end = 1i128.checked_shl(u32::from(width) - u32::from(is_signed)).filter(|end| *end > 0)?;
    let range = (if is_signed { -end } else { i128::MIN }, end - 1);
    Some(Known { ranges: vec![range], ..Known::default() })
}
