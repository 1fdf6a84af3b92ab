//! The wire form of a field: what its words say, with every default applied.

use super::bits::{Bits, Packed};
use super::field::{
    Defaults, Extent, Form, Null, Prefix, RegionBody, Text, Within, expr, order, process, zero,
};
use super::integer::{IntForm, Integer};
use super::types;
use crate::attr::{NullWord, PrefixWord, RegionWord, ShapeWord, Value, Words};
use syn::{Expr, ExprLit, Lit, Type};

pub(super) fn form(words: &Words, subject: Option<&Type>, defaults: &Defaults) -> Form {
    let held = subject.map(|ty| types::maybe(ty).unwrap_or(ty));
    let trim = expr(words, "trim");
    let fill = || expr(words, "fill").or(trim).cloned().unwrap_or_else(zero);
    let null = match words.get("nullable").map(|word| &word.value) {
        Some(Value::Nullable(null)) => Some(nullable(null)),
        _ => None,
    };
    let (within, ended) = match words.get("region").map(|word| &word.value) {
        Some(Value::Region(word)) => match (**word).clone() {
            RegionWord::Sized { len, rest } => (Some(Within { len, rest, fill: fill() }), None),
            RegionWord::Ended(end) => (None, Some(end)),
        },
        _ => (None, None),
    };
    let process = process(words);
    let extent = match extent(words, held, defaults) {
        // `until_eof` says which bytes the functions get, and of these a struct takes what it takes
        Extent::ToEnd if process.is_some() && !held.is_some_and(types::is_open) => Extent::Own,
        // the end of the region is the end of what has none of its own, and so is that of the field which a text fills
        Extent::Own
            if (words.has("region") || process.is_some() || (trim.is_some() && words.has("pad_to")))
                && held.is_some_and(types::is_open) =>
        {
            Extent::ToEnd
        }
        extent => extent,
    };
    let at = match words.get("at").map(|word| &word.value) {
        Some(Value::At(word)) => Some((**word).clone()),
        _ => None,
    };
    Form {
        at,
        peek: words.has("peek"),
        order: order(words),
        pad_to: expr(words, "pad_to").map(|to| (to.clone(), fill(), words.has("strict"))),
        null,
        within,
        ended,
        process,
        extent,
        text: coding(words, held),
        lend: words.has("borrow") && held.is_some_and(|ty| types::cow(ty).is_some()),
        integer: integer(words, held),
        bits: Bits::of(words),
        packed: Packed::of(words, held),
        split: false,
    }
}

fn integer(words: &Words, held: Option<&Type>) -> Option<(IntForm, bool)> {
    let Some(Value::Integer(path)) = words.get("as").map(|word| &word.value) else { return None };
    Some((IntForm::of(path), matches!(held, Some(Type::Array(_)))))
}

fn nullable(word: &NullWord) -> Null {
    let (low, high) = match &word.missing {
        None => (zero(), syn::parse_quote!(127)),
        Some(Expr::Range(range)) => {
            let low = range.start.as_deref().cloned().unwrap_or_else(zero);
            let high = range.end.as_deref().cloned().unwrap_or_else(|| syn::parse_quote!(255));
            let half_open = matches!(range.limits, syn::RangeLimits::HalfOpen(_)) && range.end.is_some();
            (low, if half_open { syn::parse_quote!(#high - 1) } else { high })
        }
        Some(one) => (one.clone(), one.clone()),
    };
    let present = word.present.clone().unwrap_or_else(|| syn::parse_quote!(255));
    Null { present, low, high, zero: !word.absent }
}

fn extent(words: &Words, held: Option<&Type>, defaults: &Defaults) -> Extent {
    let prefix = |word: Option<&PrefixWord>| Prefix {
        ty: match word {
            Some(PrefixWord { ty: Some(ty), form, .. }) => Integer::new(ty, form.as_ref()),
            Some(PrefixWord { form: Some(form), .. }) => Integer::new(&syn::parse_quote!(u64), Some(form)),
            _ => defaults.len.clone(),
        },
        max: word.and_then(|word| word.max.clone()).or_else(|| defaults.max_len.clone()),
        inclusive: word.is_some_and(|word| word.inclusive),
    };
    if words.has("bool_lax") {
        return Extent::BoolLax;
    }
    if words.has("var_len") {
        return Extent::Prefixed(prefix(None));
    }
    if let Some(Value::Prefix(word)) = words.get("length_prefixed").map(|word| &word.value) {
        let wide = coding(words, held).is_some_and(|text| text.unit() > 1);
        let run = !words.has("as")
            && !words.has("bits")
            && !words.has("process")
            && !wide
            && held.is_some_and(|ty| types::is_text(ty) || types::is_bytes(ty));
        return match (word.in_bytes, held.is_some_and(|ty| types::items(ty).is_some())) {
            (true, _) if run => Extent::Prefixed(prefix(Some(word))),
            (true, true) => Extent::Region(prefix(Some(word)), RegionBody::Items),
            (true, false) if wide || held.is_some_and(types::is_open) => {
                Extent::Region(prefix(Some(word)), RegionBody::Items)
            }
            (true, false) => Extent::Region(prefix(Some(word)), RegionBody::Own),
            (false, _) => Extent::Prefixed(prefix(Some(word))),
        };
    }
    if let Some(count) = expr(words, "count") {
        let is_known = match count {
            Expr::Lit(ExprLit { lit: Lit::Int(_), .. }) => true,
            Expr::Path(path) => path.path.get_ident().is_some_and(|name| defaults.sizes.contains(name)),
            _ => false,
        };
        return if is_known { Extent::Exact(count.clone()) } else { Extent::Counted(count.clone()) };
    }
    if let Some(each) = expr(words, "each") {
        return Extent::Each(each.clone());
    }
    if let Some(Value::Shape(shape)) = words.get("shape").map(|word| &word.value) {
        return Extent::Shaped((**shape).clone());
    }
    if let Some(until) = expr(words, "until") {
        return Extent::Until(until.clone());
    }
    if let Some(Value::Ends(ends)) = words.get("ends").map(|word| &word.value) {
        return Extent::Ends((**ends).clone());
    }
    if words.has("gaps") {
        return Extent::Gaps;
    }
    match (words.has("until_eof"), words.has("nul")) {
        (true, _) => Extent::ToEnd,
        (false, true) => Extent::Terminated,
        (false, false) => Extent::Own,
    }
}

fn coding(words: &Words, held: Option<&Type>) -> Option<Text> {
    let nul = words.has("nul");
    let named = match words.get("text").map(|word| &word.value) {
        Some(Value::Coding(word)) => Some(word.name.to_string()),
        _ => None,
    };
    let page = match words.get("text").map(|word| &word.value) {
        Some(Value::Coding(word)) => word.page.clone(),
        _ => None,
    };
    let trim = expr(words, "trim").cloned();
    if !nul && named.is_none() && trim.is_none() && !words.has("ends") {
        return None;
    }
    let encoding = match named.as_deref() {
        Some("latin1") => "Latin1",
        Some("ascii") => "Ascii",
        Some("bytes") => "AnyBytes",
        Some("utf16le") => "Utf16Le",
        Some("utf16be") => "Utf16Be",
        Some("utf32le") => "Utf32Le",
        Some("utf32be") => "Utf32Be",
        Some(_) => "Utf8",
        None if held.is_some_and(types::is_bytes) => "AnyBytes",
        None => "Utf8",
    };
    Some(Text { encoding, page, nul, trim })
}

impl Text {
    /// Bytes of what its lengths count.
    pub(crate) fn unit(&self) -> usize {
        match self.encoding {
            "Utf16Le" | "Utf16Be" => 2,
            "Utf32Le" | "Utf32Be" => 4,
            _ => 1,
        }
    }
}

impl ShapeWord {
    /// The number of dimensions as a literal: part of the type's sizes.
    pub(crate) fn fixed_rank(&self) -> Option<&Expr> {
        self.rank.as_ref().filter(|rank| matches!(rank, Expr::Lit(ExprLit { lit: Lit::Int(_), .. })))
    }

    /// The number of dimensions as anything else: known with each value.
    pub(crate) fn rank_expr(&self) -> Option<&Expr> {
        self.rank.as_ref().filter(|_| self.fixed_rank().is_none())
    }
}
