//! From where the positions of parts elsewhere count.

/// From where a position counts ([`at`](crate::attributes#at)).
///
/// ```
/// use binfmt::wire::Origin;
/// assert_eq!(Origin::default(), Origin::Container);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Origin {
    /// From the first byte of the struct or variant: `at = 4`.
    #[default]
    Container,
    /// From the first byte of the whole input: `at(file) = 4`.
    File,
    /// Backwards, from the end of the input or region: `at(end) = 4`.
    End,
}

impl Origin {
    /// The number that stands for it in types and in fingerprints.
    pub(crate) const fn code(self) -> u8 {
        self as u8
    }

    /// What has this number.
    pub(crate) const fn of(code: u8) -> Self {
        match code {
            0 => Origin::Container,
            1 => Origin::File,
            _ => Origin::End,
        }
    }

    /// What stands after `at` in texts.
    pub(crate) const fn option(self) -> &'static str {
        match self {
            Origin::Container => "",
            Origin::File => "(file)",
            Origin::End => "(end)",
        }
    }
}
