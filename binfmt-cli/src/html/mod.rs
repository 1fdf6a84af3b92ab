//! A page to look at: bytes beside what they are. It is made of the parts that a dump explains, as its lines are.

mod parts;
mod runs;
mod section;
mod write;

use crate::span::Span;
use crate::units;
use binfmt::dump::Trace;
pub(crate) use section::About;
use section::Section;
use std::cell::RefCell;
use std::io::{self, Read, Write};
use std::rc::Rc;

/// As many parts are shown if nothing is said: a browser holds them all.
pub(crate) const MOST: u64 = 200_000;

/// As many bytes are shown, of however few parts.
pub(crate) const BYTES: u64 = 16 << 20;

/// What a page will show; all copies are one.
#[derive(Clone, Debug)]
pub(crate) struct Page(Rc<RefCell<Content>>);

#[derive(Debug)]
struct Content {
    sections: Vec<Section>,
    /// That of the section that begins with the next part.
    title: Option<String>,
    parts: u64,
    most: u64,
    bytes: u64,
    /// Parts that are left out, as far as they were come to.
    left_out: bool,
}

impl Page {
    /// One with at most that many parts.
    pub(crate) fn new(most: u64) -> Self {
        let (sections, title) = (Vec::new(), None);
        Page(Rc::new(RefCell::new(Content { sections, title, parts: 0, most, bytes: 0, left_out: false })))
    }

    /// Begins a section with the next part.
    pub(crate) fn heading(&self, title: &str) {
        let content = &mut *self.0.borrow_mut();
        if let Some(title) = content.title.replace(title.to_owned()) {
            // a file without bytes
            content.sections.push(Section { title, ..Section::default() });
        }
    }

    /// Adds a part of the file: what touches those bytes, down to that depth.
    pub(crate) fn add(&self, part: &Trace, bytes: Span, depth: Option<u32>) {
        self.0.borrow_mut().add(part, bytes, depth, false);
    }

    /// Adds bytes that are not in the file, but come out of its filters.
    pub(crate) fn add_inner(&self, part: &Trace, bytes: Span, depth: Option<u32>) {
        self.0.borrow_mut().add(part, bytes, depth, true);
    }

    /// Adds bytes of which nothing is known, from there on.
    pub(crate) fn add_bytes(&self, from: u64, bytes: impl Read) -> io::Result<()> {
        let content = &mut *self.0.borrow_mut();
        let mut all = Vec::new();
        bytes.take(BYTES + 1).read_to_end(&mut all)?;
        content.left_out |= all.len() as u64 > BYTES;
        all.truncate(usize::try_from(BYTES).unwrap_or(usize::MAX));
        content.section(false).runs.add(from, &all);
        Ok(())
    }

    /// Whether there is room for another part.
    pub(crate) fn wants_more(&self) -> bool {
        !self.0.borrow().left_out
    }

    /// What was left out, if anything was.
    pub(crate) fn remark(&self) -> Option<String> {
        let content = self.0.borrow();
        let end = content.sections.iter().rev().find(|section| !section.is_inner)?.runs.end();
        content.left_out.then(|| {
            let parts = units::count(content.parts, "part", "parts");
            format!(
                "the page ends at byte {end:#x}, after {parts}: --range shows others, --most more of them"
            )
        })
    }

    /// Writes the page.
    pub(crate) fn write(&self, about: &About, out: &mut impl Write) -> io::Result<()> {
        let remark = self.remark();
        let content = &mut *self.0.borrow_mut();
        let title = content.title.take();
        if let Some(title) = title.or(content.sections.is_empty().then(String::new)) {
            content.sections.push(Section { title, ..Section::default() });
        }
        content.sections.iter_mut().for_each(|section| section.runs.order());
        write::page(about, remark.as_deref(), &content.sections, out)
    }
}

impl Content {
    /// The section for what comes next.
    fn section(&mut self, is_inner: bool) -> &mut Section {
        let known = self.sections.iter().rposition(|section| section.is_inner == is_inner);
        let place = match (self.title.take(), known) {
            (None, Some(place)) => place,
            (title, _) => {
                let title = title.unwrap_or_default();
                self.sections.push(Section { title, is_inner, ..Section::default() });
                self.sections.len() - 1
            }
        };
        &mut self.sections[place]
    }

    fn add(&mut self, part: &Trace, bytes: Span, depth: Option<u32>, is_inner: bool) {
        if self.left_out {
            return;
        }
        let room = (self.most.saturating_sub(self.parts), BYTES.saturating_sub(self.bytes));
        if room.0 == 0 || room.1 == 0 {
            self.left_out = true;
            return;
        }
        let section = self.section(is_inner);
        let (parts, is_whole) = section.parts.add(part, bytes, depth, room.0);
        let kept = section.runs.add_part(part, bytes, room.1);
        self.parts += parts;
        self.bytes += kept.unwrap_or(room.1);
        self.left_out |= !is_whole || kept.is_none();
    }
}
