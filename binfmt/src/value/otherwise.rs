//! `else` of a condition: the value of a field that has no bytes.

use super::Value;
use super::expr::Tag;
use super::place::{Place, expected};
use super::program::{Code, Kind, Length, Node};
use crate::containers::optional::lost;
use crate::error::Result;
use crate::numbers::{Number, NumberType};
use crate::schema::expr::{Expression, Slots, refused, shortened};
use crate::schema::split;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

/// The value that `else` says.
#[derive(Clone, Debug)]
pub(crate) struct Otherwise {
    text: Box<str>,
    said: Meaning,
}

#[derive(Clone, Debug)]
enum Meaning {
    /// What `Default` makes of the type: 0, false, no text, no element.
    Default,
    Float(f64),
    Computed(Expression),
    /// `[1, 2]`
    List(Vec<Otherwise>),
    /// `[0; 4]`
    Repeated(Box<Otherwise>, Expression),
}

/// Lists in lists.
const DEEPEST: u32 = 8;
/// Elements that a list may repeat: no bytes stand for them.
const MOST: i128 = 1 << 16;

impl Otherwise {
    pub(super) fn new(text: &str, slots: Slots<'_>) -> Self {
        Otherwise::nested(text, slots, 0)
    }

    fn nested(text: &str, slots: Slots<'_>, depth: u32) -> Self {
        let elements = if depth < DEEPEST { elements(text) } else { None };
        let said = match (is_default(text), float(text), elements) {
            (true, ..) => Meaning::Default,
            (false, Some(x), _) => Meaning::Float(x),
            (false, None, None) => Meaning::Computed(Expression::new(text, slots)),
            (false, None, Some(inside)) => {
                let element = |text: &&str| Otherwise::nested(text, slots, depth.saturating_add(1));
                match split(inside, ';')[..] {
                    [item, n] => Meaning::Repeated(Box::new(element(&item)), Expression::new(n, slots)),
                    _ => Meaning::List(split(inside, ',').iter().map(element).collect()),
                }
            }
        };
        Otherwise { text: text.into(), said }
    }

    /// The value, as one of the type that is not there.
    ///
    /// # Errors
    /// The expression is beyond this language, or its value is not one of this type.
    pub(super) fn value(&self, body: &Node, place: Place<'_>, at: u64) -> Result<Value> {
        let found = match (innermost(&body.kind, place.frame.code), &self.said) {
            (Kind::Number(NumberType::Bool) | Kind::Bool { .. }, Meaning::Default) => Some(false.into()),
            (Kind::Number(NumberType::Bool) | Kind::Bool { .. }, Meaning::Computed(e)) => {
                Some(e.flag(place.earlier, at)?.into())
            }
            (Kind::Number(kind) | Kind::Integer(_, kind), said) => self.number(*kind, said, place, at)?,
            (Kind::Text { .. } | Kind::Paged { .. }, Meaning::Default) => Some(Value::Text(String::new())),
            (Kind::Text { .. } | Kind::Paged { .. }, Meaning::Computed(e)) => {
                match e.tag(place.earlier, at)? {
                    Tag::Bytes(text) => Some(match String::from_utf8(text) {
                        Ok(text) => Value::Text(text),
                        Err(e) => Value::Bytes(e.into_bytes()),
                    }),
                    _ => None,
                }
            }
            (Kind::Bytes { len: Length::Fixed(n) }, Meaning::Default) if *n > 0 => None,
            (Kind::Bytes { .. }, Meaning::Default) => Some(Value::Bytes(Vec::new())),
            (Kind::Bytes { .. }, Meaning::Computed(e)) => match e.tag(place.earlier, at)? {
                Tag::Bytes(bytes) => Some(Value::Bytes(bytes)),
                _ => None,
            },
            (Kind::List { len: Length::Fixed(n), .. }, Meaning::Default) if *n > 0 => None,
            (Kind::List { .. }, Meaning::Default) => Some(Value::List(Vec::new())),
            (Kind::List { len: Length::Fixed(n), .. } | Kind::Bytes { len: Length::Fixed(n) }, said)
                if said.len(place, at)?.is_some_and(|len| len != i128::from(*n)) =>
            {
                None
            }
            (Kind::Bytes { .. }, said) => {
                let bytes = said.items(place, at, |item| Ok(u8::try_from(item.int(place, at)?).ok()))?;
                bytes.and_then(|bytes| bytes.into_iter().collect()).map(Value::Bytes)
            }
            (Kind::List { item: body, .. }, said) => {
                said.items(place, at, |item| item.value(body, place, at))?.map(Value::List)
            }
            _ => None,
        };
        found.ok_or_else(|| refused(&self.text, "this is not a value of the field's type", at))
    }

    fn int(&self, place: Place<'_>, at: u64) -> Result<i128> {
        match &self.said {
            Meaning::Computed(e) => e.int(place.earlier, at),
            _ => Err(refused(&self.text, "this is not an integer", at)),
        }
    }

    fn number(&self, kind: NumberType, said: &Meaning, place: Place<'_>, at: u64) -> Result<Option<Value>> {
        let number = match said {
            Meaning::Default if kind.is_float() => Number::from_f64(kind, 0.0),
            Meaning::Default => Number::from_i128(kind, 0),
            Meaning::Float(x) => Number::from_f64(kind, *x),
            Meaning::Computed(e) => Number::from_i128(kind, e.int(place.earlier, at)?),
            Meaning::List(_) | Meaning::Repeated(..) => None,
        };
        Ok(number.map(Value::Number))
    }

    /// Refuses another value: it would not be read back.
    pub(super) fn check(&self, value: &Value, body: &Node, place: Place<'_>, at: u64) -> Result<()> {
        if *value == Value::Absent {
            return Err(expected("a value", value, at));
        }
        match is_same(value, &self.value(body, place, at)?) {
            true => Ok(()),
            false => Err(lost(String::from(&*shortened(&self.text)).into(), at)),
        }
    }
}

impl Meaning {
    /// How many elements there are, if it is a list.
    fn len(&self, place: Place<'_>, at: u64) -> Result<Option<i128>> {
        Ok(match self {
            Meaning::List(all) => i128::try_from(all.len()).ok(),
            Meaning::Repeated(_, n) => Some(n.int(place.earlier, at)?),
            _ => None,
        })
    }

    /// The elements, if it is a list.
    fn items<T>(
        &self,
        place: Place<'_>,
        at: u64,
        item: impl Fn(&Otherwise) -> Result<T>,
    ) -> Result<Option<Vec<T>>> {
        let n = self.len(place, at)?.filter(|n| (0..=MOST).contains(n));
        match self {
            Meaning::List(all) => all.iter().map(item).collect::<Result<_>>().map(Some),
            Meaning::Repeated(one, _) => n.map(|n| (0..n).map(|_| item(one)).collect()).transpose(),
            _ => Ok(None),
        }
    }
}

/// What is in the brackets of `[1, 2]`, `vec![0; 4]` and their likes.
fn elements(text: &str) -> Option<&str> {
    let text = text.trim();
    let made = [".to_vec()", ".into()"].iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text);
    let list = ["vec!", "Vec::from(", "&"].iter().find_map(|begin| made.strip_prefix(begin)).unwrap_or(made);
    let list = if made.starts_with("Vec::from(") { list.strip_suffix(')')? } else { list };
    list.trim().strip_prefix('[')?.strip_suffix(']')
}

/// The type that others are around which have its value.
fn innermost<'c>(mut kind: &'c Kind, code: &'c Code) -> &'c Kind {
    loop {
        kind = match kind {
            Kind::Ordered { body, .. }
            | Kind::Packed { body, .. }
            | Kind::Padded { body, .. }
            | Kind::Region { body, .. }
            | Kind::Passing { body, .. }
            | Kind::Trimmed { body, .. } => &body.kind,
            Kind::Named(number) => match &code.definition(*number).kind {
                // which is a definition of its own
                Kind::Named(_) => return kind,
                found => found,
            },
            kind => return kind,
        };
    }
}

/// Whether two values would be read as the same one.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => match (a.as_i128(), b.as_i128()) {
            (Some(a), Some(b)) => a == b,
            _ => a.as_f64().zip(b.as_f64()).is_some_and(|(a, b)| a == b || (a.is_nan() && b.is_nan())),
        },
        (a, b) => a == b || a.as_bytes().zip(b.as_bytes()).is_some_and(|(a, b)| a == b),
    }
}

/// `Default::default()` and its likes, also of a type: `String::new()`.
fn is_default(text: &str) -> bool {
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let made = text.strip_suffix("::default()").or_else(|| text.strip_suffix("::new()"));
    let is_path = |path: &str| path.chars().all(|c| c.is_alphanumeric() || "_:<>".contains(c));
    text == "vec![]" || made.is_some_and(is_path)
}

/// A literal of a floating-point number.
fn float(text: &str) -> Option<f64> {
    let text = text.replace([' ', '_'], "");
    let digits = text.strip_suffix("f32").or_else(|| text.strip_suffix("f64")).unwrap_or(&text);
    let is_literal = digits.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit());
    let (_, constant) = text.rsplit_once("::").unwrap_or(("", &text));
    match constant {
        "NAN" => Some(f64::NAN),
        "INFINITY" => Some(f64::INFINITY),
        "NEG_INFINITY" => Some(f64::NEG_INFINITY),
        _ if is_literal && digits.contains(['.', 'e']) && !digits.starts_with("0x") => digits.parse().ok(),
        _ => None,
    }
}
