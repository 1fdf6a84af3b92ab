//! Layouts that are ready to run: what a [`Description`] says is looked up, measured, parsed and checked once.
//!
//! A description is plain data that anyone may change, and says things as people do: by names and texts. A program says them
//! as they are needed. It has the same tree, in which every name of a type is the number of its definition, every expression a
//! tree over *slots* (places among the earlier fields of its record), every type has its sizes, and every field knows how many
//! bytes are always there from it on: adjacent plain numbers are one run, which is checked once. So what is the same for each record
//! is decided when the program is made and not when it runs.
//!
//! * A description that contradicts itself has no program, see [`Description::validate`].
//! * A program is as large as its description: a named type is compiled once, and one that is in itself is a call.
//! * Stack and time are bounded: types are followed to [`DEEPEST`] of them, and types that multiply each other are refused.

mod arms;
mod compile;
mod node;
mod tried;

use super::Value;
use super::expr::Earlier;
pub(crate) use crate::schema::DEEPEST;
use crate::schema::{Description, DescriptionError};
use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
pub(crate) use compile::are_numbers;
pub(crate) use node::{
    Arm, ArmTest, Choice, Field, FixedOrder, Kind, Length, Magic, Node, Plain, Record, Shaped, Tag, Word,
};

/// A [`Description`] that is compiled: the context of a [`Value`](super::Value), made once for any number of them.
///
/// ```
/// use binfmt::schema::{Description, Field, Record, Type};
/// use binfmt::{Options, value::{Program, Value}};
/// let x = Field::new("x", Type::Int { bytes: 2, signed: false });
/// let program = Program::new(&Description::new(Type::Record(Record::new("Row", [x]))))?;
/// let options = Options::new().ctx(&program);
/// for row in binfmt::records_with::<Value, _>(&[1, 0, 2, 0], &options) {
///     assert!(row?.get("x").is_some());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    description: Description,
    code: Code,
}

impl Program {
    /// The program of a description.
    ///
    /// ```
    /// use binfmt::schema::{Description, Type};
    /// use binfmt::value::Program;
    /// let e = Program::new(&Description::new(Type::Int { bytes: 9, signed: false })).unwrap_err();
    /// assert_eq!(e.to_string(), "the description has a number of 9 bytes; no number is that wide");
    /// ```
    ///
    /// # Errors
    /// The description contradicts itself, see [`Description::validate`].
    pub fn new(description: &Description) -> Result<Self, DescriptionError> {
        Ok(Program { code: Code::new(description)?, description: description.clone() })
    }

    /// What it was made of.
    ///
    /// ```
    /// use binfmt::{schema::{Description, Type}, value::Program};
    /// let layout = Description::new(Type::Unit);
    /// assert_eq!(Program::new(&layout)?.description(), &layout);
    /// # Ok::<(), binfmt::schema::DescriptionError>(())
    /// ```
    pub fn description(&self) -> &Description {
        &self.description
    }

    pub(crate) fn code(&self) -> &Code {
        &self.code
    }
}

/// Programs of equal descriptions are equal.
impl PartialEq for Program {
    fn eq(&self, other: &Self) -> bool {
        self.description == other.description
    }
}

impl Eq for Program {}

/// What runs.
#[derive(Clone, Debug)]
pub(crate) struct Code {
    root: Node,
    definitions: Vec<Node>,
    /// Whether a type is in itself, so that levels are counted.
    is_recursive: bool,
    /// How many parameters the root has, and the values of the last of them, which may be left out.
    parameters: usize,
    defaults: Box<[Cow<'static, Value>]>,
}

impl Code {
    pub(crate) fn new(description: &Description) -> Result<Self, DescriptionError> {
        description.validate()?;
        Ok(compile::compile(description))
    }

    /// The values of the parameters of the root that come after so many others; `None` if one of them has no default.
    pub(crate) fn defaults_after(&self, given: usize) -> Option<&[Cow<'static, Value>]> {
        let left_out = self.parameters.checked_sub(given)?;
        self.defaults.get(self.defaults.len().checked_sub(left_out)?..)
    }

    /// What the root gets from who passes nothing; nothing, too, if a parameter has no default, which is told where it is used.
    pub(in crate::value) fn passed_nothing(&self) -> Earlier<'_> {
        self.defaults_after(0).map_or(Earlier::NONE, Earlier::passed)
    }

    pub(crate) fn root(&self) -> &Node {
        &self.root
    }

    #[inline]
    pub(crate) fn is_recursive(&self) -> bool {
        self.is_recursive
    }

    /// A definition: a node that calls it has its number from the compiler.
    pub(crate) fn definition(&self, number: usize) -> &Node {
        &self.definitions[number]
    }

    /// The node itself, or the one that it calls.
    pub(crate) fn resolve<'c>(&'c self, node: &'c Node) -> &'c Node {
        match node.kind {
            Kind::Named(number) => self.definition(number),
            _ => node,
        }
    }

    /// Whether a type may be missing itself, by a code.
    pub(crate) fn is_nullable(&self, node: &Node) -> bool {
        let mut node = self.resolve(node);
        for _ in 0..DEEPEST {
            match node.wrapped() {
                _ if matches!(node.kind, Kind::Nullable { .. }) => return true,
                Some(body) => node = self.resolve(body),
                None => return false,
            }
        }
        false
    }
}
