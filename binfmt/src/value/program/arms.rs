//! Which variant of many a tag or a name means.

use super::node::{Arm, Choice};
use crate::error::Result;
use crate::schema::Name;
use crate::schema::expr::Tag;
use alloc::vec::Vec;

/// Fewer variants are compared one after the other.
const MANY: usize = 16;

/// The places of the variants of a choice.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// By their names; of two with one name the first comes first.
    names: Vec<(Name, usize)>,
    /// By their tags, where all are understood: no tag is that of two variants.
    tags: Option<ByTag>,
}

#[derive(Clone, Debug)]
struct ByTag {
    /// From and to, which are both in it.
    ranges: Vec<(i128, i128, usize)>,
    others: Vec<(Tag, usize)>,
    /// The one that all other tags choose.
    rest: Option<usize>,
}

impl Places {
    /// Those of many variants.
    pub(super) fn of(arms: &[Arm]) -> Option<Self> {
        if arms.len() < MANY {
            return None;
        }
        let mut names: Vec<_> = arms.iter().enumerate().map(|(i, arm)| (arm.name.clone(), i)).collect();
        names.sort_unstable();
        let is_understood = arms.iter().all(|arm| arm.tags.is_empty().is_some());
        Some(Places { names, tags: is_understood.then(|| ByTag::of(arms)) })
    }
}

impl ByTag {
    fn of(arms: &[Arm]) -> Self {
        let rest = arms.iter().position(|arm| arm.rest);
        let mut places = ByTag { ranges: Vec::new(), others: Vec::new(), rest };
        for (i, arm) in arms.iter().enumerate().filter(|(_, arm)| !arm.rest) {
            let tags = arm.tags.tags();
            places.ranges.extend(tags.ranges.into_iter().map(|(low, high)| (low, high, i)));
            places.others.extend(tags.others.into_iter().map(|tag| (tag, i)));
        }
        places.ranges.sort_unstable();
        places.others.sort_unstable();
        places
    }

    fn get(&self, tag: &Tag) -> Option<usize> {
        let found = match tag {
            Tag::Int(n) => {
                let after = self.ranges.partition_point(|(low, ..)| low <= n);
                let last = after.checked_sub(1).and_then(|last| self.ranges.get(last));
                last.filter(|(_, high, _)| n <= high).map(|(.., place)| *place)
            }
            tag => {
                let place = self.others.binary_search_by(|(known, _)| known.cmp(tag)).ok();
                place.and_then(|place| self.others.get(place)).map(|(_, place)| *place)
            }
        };
        found.or(self.rest)
    }
}

impl Choice {
    /// The variant that a tag chooses, if there is one.
    pub(crate) fn tagged(&self, tag: &Tag, at: u64) -> Result<Option<&Arm>> {
        if let Some(tags) = self.places.as_ref().and_then(|places| places.tags.as_ref()) {
            return Ok(tags.get(tag).and_then(|place| self.arms.get(place)));
        }
        let mut rest = None;
        for arm in &self.arms {
            if arm.rest {
                // all tags that no other arm has, regardless of its place
                rest = rest.or(Some(arm));
            } else if arm.tags.matches(tag, at)? {
                return Ok(Some(arm));
            }
        }
        Ok(rest)
    }

    /// The variant of a name, and which one it is.
    pub(crate) fn named(&self, name: &str) -> Option<(usize, &Arm)> {
        let place = match self.places.as_deref() {
            Some(Places { names, .. }) => {
                let first = names.partition_point(|(known, _)| known.as_str() < name);
                names.get(first).filter(|(known, _)| *known == *name).map(|(_, place)| *place)
            }
            None => self.arms.iter().position(|arm| arm.name == *name),
        }?;
        Some((place, self.arms.get(place)?))
    }
}
