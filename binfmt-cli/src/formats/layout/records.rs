//! The layout that the user gives, and what reads and writes its records.

use super::options::Options;
use crate::description;
use crate::error::{Error, Result};
use crate::rows::{RowFile, Words};
use crate::settings::Choice;
use binfmt::Endian;
use binfmt::columns::Plan;
use binfmt::schema::{ByteOrder, Description, Field, Record, Schema, Type};
use binfmt::value::Program;

/// What is counted, and what says what it is.
pub(super) const WORDS: Words = Words { unit: ("record", "records"), option: "--layout" };

/// A description, compiled.
pub(super) struct Layout {
    pub(super) program: Program,
    /// How records become columns, or why they do not.
    plan: Result<Plan, String>,
    /// Of what the layout leaves open.
    order: Endian,
    /// In which `convert` writes it.
    written: Endian,
}

impl Layout {
    /// The layout that the command line gives.
    pub(super) fn of(options: &Options) -> Result<Self> {
        match options.layout.value() {
            Some(path) => {
                let option = options.layout.name().unwrap_or_default();
                Layout::compile(description::read(path, &format!("--{option} {path}"))?, options, None)
            }
            None => Err(Error::usage("the file does not say what its records are: --layout must")),
        }
    }

    /// That of a description, in the byte orders of the command line, or in the one that was found with the description.
    pub(super) fn compile(
        description: Description,
        options: &Options,
        found: Option<Endian>,
    ) -> Result<Self> {
        let vain = if options.assume.is_given() { "--assume-byte-order" } else { "--byte-order" };
        let is_said = options.assume.is_given() || options.byte_order.is_given();
        if let Some(order) = order_of(&description).filter(|_| is_said) {
            return Err(Error::usage(format_args!("{vain} means nothing for this layout: {}", said(order))));
        }
        let order = options.assume.value().copied().or(found).unwrap_or(Endian::Little);
        let program = Program::new(&description)
            .map_err(|e| Error::usage(format_args!("the layout contradicts itself: {e}")))?;
        Ok(Layout {
            plan: Plan::new(&tabular(description)).map_err(|e| e.to_string()),
            program,
            order,
            written: options.byte_order.value().copied().unwrap_or(order),
        })
    }

    pub(super) fn description(&self) -> &Description {
        self.program.description()
    }

    /// What it calls its records; empty where it has no name for them.
    pub(super) fn name(&self) -> &str {
        match &self.description().root {
            Type::Named(name) => name,
            Type::Record(record) => &record.name,
            Type::Choice(choice) => &choice.name,
            _ => "",
        }
    }

    pub(super) fn fingerprint(&self) -> String {
        Schema::from(self.description().clone()).fingerprint().to_string()
    }

    /// The byte order of what the layout leaves open.
    pub(super) fn order_word(&self) -> &'static str {
        self.order.word()
    }

    /// The byte order that the layout fixes, or else that of what it leaves open: a word for programs, and one for people.
    pub(super) fn order_facts(&self) -> (String, String) {
        match order_of(self.description()) {
            None => (self.order_word().to_owned(), format!("{}-endian", self.order_word())),
            Some(ByteOrder::Little) => ("little".to_owned(), "little-endian, as the layout says".to_owned()),
            Some(ByteOrder::Big) => ("big".to_owned(), "big-endian, as the layout says".to_owned()),
            Some(ByteOrder::Expr(text)) => (text.clone(), format!("what `{text}` says")),
            Some(_) => ("mixed".to_owned(), "as the layout says".to_owned()),
        }
    }

    /// The fields of a record with their types, in words.
    pub(super) fn fields(&self) -> Vec<(String, String)> {
        let shown =
            |ty: &Type| Description::new(ty.clone()).to_string().lines().next().unwrap_or("").to_owned();
        match record_of(self.description()) {
            Some(record) => record.fields.iter().map(|f| (f.name.to_string(), shown(&f.ty))).collect(),
            None => Vec::new(),
        }
    }

    /// How records are read.
    pub(super) fn rows(&self) -> RowFile<'_> {
        RowFile {
            program: &self.program,
            plan: self.plan.as_ref().ok(),
            options: binfmt::Options::new().endian(self.order),
            words: WORDS,
        }
    }

    /// In which byte order records are written, as the library is told it.
    pub(super) fn written(&self) -> binfmt::table::Settings {
        binfmt::table::Settings::new().with("endian", self.written.word())
    }

    /// How records are written.
    pub(super) fn copies(&self) -> RowFile<'_> {
        RowFile { options: binfmt::Options::new().endian(self.written), ..self.rows() }
    }

    /// Whether records are columns, and JSON has them as objects: those whose fields are numbered are lists.
    pub(super) fn has_named_columns(&self) -> bool {
        let is_named = |plan: &Plan| plan.names().any(|name| name.parse::<u64>().is_err());
        record_of(self.description()).is_some() && self.plan.as_ref().is_ok_and(is_named)
    }

    /// How records become columns.
    pub(super) fn plan(&self) -> Result<&Plan> {
        self.plan.as_ref().map_err(|why| {
            Error::usage(format_args!("these records are not rows of a table: {why}"))
                .tip("--json shows them")
        })
    }
}

/// The same bytes as a record: any other type becomes its only field.
fn tabular(mut description: Description) -> Description {
    if record_of(&description).is_none() {
        let value = Field::new("value", description.root);
        description.root = Type::Record(Record::new("", [value]));
    }
    description
}

/// The byte order that the root fixes.
fn order_of(description: &Description) -> Option<&ByteOrder> {
    match description.resolve(&description.root)? {
        Type::Ordered { order, .. } => Some(order),
        Type::Record(record) => record.order.as_ref(),
        Type::Choice(choice) => choice.order.as_ref(),
        _ => None,
    }
}

/// What a layout says of its byte order.
fn said(order: &ByteOrder) -> String {
    match order {
        ByteOrder::Little => "it says that it is little-endian".to_owned(),
        ByteOrder::Big => "it says that it is big-endian".to_owned(),
        ByteOrder::Expr(text) => format!("`{text}` says its byte order"),
        _ => "it says its byte order".to_owned(),
    }
}

/// The record that the root is, where it is one.
fn record_of(description: &Description) -> Option<&Record> {
    let mut root = &description.root;
    loop {
        match description.resolve(root)? {
            Type::Ordered { body, .. } => root = body,
            Type::Record(record) => return Some(record),
            _ => return None,
        }
    }
}
