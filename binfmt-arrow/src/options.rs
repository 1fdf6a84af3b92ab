//! How columns become arrays where there is more than one way.

#[cfg(any(feature = "ipc", feature = "parquet"))]
use binfmt::{
    Result,
    table::{Setting, Settings},
};

/// What may be said when a file is written.
#[cfg(any(feature = "ipc", feature = "parquet"))]
pub(crate) const WRITE_SETTINGS: &[Setting] = &[
    Setting {
        name: "texts",
        help: "What becomes of texts that may be no UTF-8: checked, binary, latin1, lossy",
    },
    Setting { name: "times", help: "What becomes of times: seconds, milliseconds, unscaled" },
    Setting {
        name: "missing_codes",
        help: "Whether columns have the codes of missing values beside them: true, false",
    },
];

/// What is said, instead of what is usual.
#[cfg(any(feature = "ipc", feature = "parquet"))]
pub(crate) fn of_settings(settings: &Settings, usual: Conversion) -> Result<Conversion> {
    settings.check(WRITE_SETTINGS)?;
    let wrong = |name: &str, text: &str, known: &str| {
        Err(binfmt::Error::other(format!("setting `{name}`: expected {known}, found {text:?}")))
    };
    let texts = match settings.get("texts") {
        None => usual.texts,
        Some("checked") => Texts::Checked,
        Some("binary") => Texts::Binary,
        Some("latin1") => Texts::Latin1,
        Some("lossy") => Texts::Lossy,
        Some(text) => return wrong("texts", text, "checked, binary, latin1 or lossy"),
    };
    let times = match settings.get("times") {
        None => usual.times,
        Some("seconds") => Times::Seconds,
        Some("milliseconds") => Times::Milliseconds,
        Some("unscaled") => Times::Unscaled,
        Some(text) => return wrong("times", text, "seconds, milliseconds or unscaled"),
    };
    let codes = match settings.get("missing_codes") {
        None => usual.codes,
        Some(_) => settings.is_on("missing_codes")?,
    };
    Ok(usual.texts(texts).times(times).missing_codes(codes))
}

/// How the columns of a table become arrays.
///
/// ```
/// use binfmt_arrow::{Choices, Conversion, Texts};
/// let how = Conversion::new().missing_codes(true).texts(Texts::Lossy).choices(Choices::Struct);
/// assert_ne!(how, Conversion::new());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Conversion {
    pub(crate) codes: bool,
    pub(crate) texts: Texts,
    pub(crate) choices: Choices,
    pub(crate) times: Times,
}

impl Conversion {
    /// Missing values are nulls without their codes, texts must be UTF-8, choices are unions, seconds stay seconds.
    ///
    /// ```
    /// assert_eq!(binfmt_arrow::Conversion::new(), binfmt_arrow::Conversion::default());
    /// ```
    pub fn new() -> Self {
        Conversion::default()
    }

    /// What a file must be written with that shall give the same columns again: codes of missing values, choices as structs,
    /// and times in units that Parquet has.
    ///
    /// ```
    /// use binfmt_arrow::{Choices, Conversion, Times};
    /// assert_eq!(Conversion::of_files(), Conversion::new().missing_codes(true).choices(Choices::Struct).times(Times::Milliseconds));
    /// ```
    pub fn of_files() -> Self {
        Conversion {
            codes: true,
            choices: Choices::Struct,
            times: Times::Milliseconds,
            texts: Texts::Checked,
        }
    }

    /// Whether a column whose values may be missing has another beside it, `x.missing`, with the codes of why they are.
    ///
    /// ```
    /// assert_ne!(binfmt_arrow::Conversion::new().missing_codes(true), binfmt_arrow::Conversion::new());
    /// ```
    #[must_use]
    pub fn missing_codes(self, codes: bool) -> Self {
        Conversion { codes, ..self }
    }

    /// What becomes of texts that might not be UTF-8.
    ///
    /// ```
    /// # use binfmt_arrow::{Conversion, Texts};
    /// assert_ne!(Conversion::new().texts(Texts::Binary), Conversion::new());
    /// ```
    #[must_use]
    pub fn texts(self, texts: Texts) -> Self {
        Conversion { texts, ..self }
    }

    /// What choices with fields become.
    ///
    /// ```
    /// # use binfmt_arrow::{Choices, Conversion};
    /// assert_ne!(Conversion::new().choices(Choices::Struct), Conversion::new());
    /// ```
    #[must_use]
    pub fn choices(self, choices: Choices) -> Self {
        Conversion { choices, ..self }
    }

    /// What times become whose unit Arrow has not, or Parquet.
    ///
    /// ```
    /// # use binfmt_arrow::{Conversion, Times};
    /// assert_ne!(Conversion::new().times(Times::Milliseconds), Conversion::new());
    /// ```
    #[must_use]
    pub fn times(self, times: Times) -> Self {
        Conversion { times, ..self }
    }
}

/// What becomes of texts, which in binary files might not be UTF-8.
///
/// ```
/// assert_eq!(binfmt_arrow::Texts::default(), binfmt_arrow::Texts::Checked);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Texts {
    /// Strings; a text that is not UTF-8 is an error that names its row.
    #[default]
    Checked,
    /// Binary values, whatever they are.
    Binary,
    /// Strings, of texts in Latin-1: each byte is the character of its number.
    Latin1,
    /// Strings, with `U+FFFD` in the places that are not UTF-8. They do not come back as they were.
    Lossy,
}

/// What choices with fields become. Those without are dictionaries of the variants' names in both cases.
///
/// ```
/// assert_eq!(binfmt_arrow::Choices::default(), binfmt_arrow::Choices::Union);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Choices {
    /// Dense unions, to which the columns of the variants are moved.
    #[default]
    Union,
    /// Structs of a `tag` and a field for each variant, null where a row is of another: Parquet and many programs have no unions.
    Struct,
}

/// What times become. Those in milliseconds to nanoseconds are the same in Arrow; years, months, and less than nanoseconds are integers.
///
/// ```
/// assert_eq!(binfmt_arrow::Times::default(), binfmt_arrow::Times::Seconds);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Times {
    /// Weeks to seconds become seconds. A time that is too far away for them is an error.
    #[default]
    Seconds,
    /// Weeks to seconds become milliseconds: Parquet has no seconds, and its readers would see bare numbers.
    Milliseconds,
    /// Days are dates, Date32, which reach some millions of years; else as `Seconds`.
    Dates,
    /// Nothing is multiplied: what Arrow has no unit for are integers, of which the metadata tell the unit.
    Unscaled,
}
