//! The proof of an edit: both versions are read side by side, and only the edited places may differ.

use super::events::{Event, Events, What};
use super::value::{nest, same_value};
use super::walk::{Walker, is_merge, key_text};
use super::{Edit, EditError, Segment, name_of};

type Remaining<'e> = Vec<(&'e [Segment], &'e Edit)>;

/// Compares two versions of a file. `documents` names, for each edit, the document that it is in.
pub(super) fn verify<'t, E: Events<'t>>(
    before: (&'t str, E),
    after: (&'t str, E),
    edits: &[Edit],
    documents: &[usize],
) -> Result<(), EditError> {
    let mut pair = Pair { a: Walker::new(before.0, before.1), b: Walker::new(after.0, after.1) };
    let mut index = 0;
    loop {
        let here: Remaining<'_> = edits
            .iter()
            .zip(documents)
            .filter(|(_, document)| **document == index)
            .map(|(edit, _)| (edit.at.as_slice(), edit))
            .collect();
        match (pair.a.next()?, pair.b.next()?) {
            (None, None) => return Ok(()),
            (Some(_), Some(_)) => {
                let (a, b) = (pair.a.pull()?, pair.b.pull()?);
                pair.node(&a, &b, &here)?;
                pair.a.pull()?;
                pair.b.pull()?;
            }
            (None, Some(_)) if !here.is_empty() => {
                let b = pair.b.pull()?;
                pair.added(&b, &here)?;
                pair.b.pull()?;
            }
            _ => return Err(disturbed("the number of documents would change")),
        }
        index += 1;
    }
}

struct Pair<'t, E> {
    a: Walker<'t, E>,
    b: Walker<'t, E>,
}

impl<'t, E: Events<'t>> Pair<'t, E> {
    fn node(&mut self, a: &Event<'t>, b: &Event<'t>, edits: &Remaining<'_>) -> Result<(), EditError> {
        if edits.is_empty() {
            return self.equal(a, b);
        }
        if edits.iter().any(|(rest, _)| rest.is_empty()) {
            self.a.skip(a)?;
            return self.added(b, edits);
        }
        match (&a.what, &b.what) {
            (What::MapStart { .. }, What::MapStart { .. }) => {
                same_head(a, b)?;
                self.map(edits)
            }
            (What::ListStart { .. }, What::ListStart { .. }) => {
                same_head(a, b)?;
                self.list(edits)
            }
            _ => {
                let was = self.a.build(a)?;
                if !was.value.is_null() {
                    return Err(disturbed(&format!("{} would be replaced", name_of(&edits[0].1.at))));
                }
                self.added(b, edits)
            }
        }
    }

    fn map(&mut self, edits: &Remaining<'_>) -> Result<(), EditError> {
        let mut used = vec![false; edits.len()];
        loop {
            let a = self.a.pull()?;
            let b = self.b.pull()?;
            if a.what == What::MapEnd {
                return self.added_keys(b, edits, &mut used);
            }
            self.equal(&a, &b)?;
            let inner = match key_text(&a) {
                Some(name) if !is_merge(&a) => descend(edits, &mut used, |segment| segment.names(name)),
                _ => Vec::new(),
            };
            let (a, b) = (self.a.pull()?, self.b.pull()?);
            self.node(&a, &b, &inner)?;
        }
    }

    /// Keys at the end of a map that only the new version has: each must come from an edit.
    fn added_keys(&mut self, first: Event<'t>, edits: &Remaining<'_>, used: &mut [bool]) -> Result<(), EditError> {
        let mut key = first;
        while key.what != What::MapEnd {
            let inner = match key_text(&key) {
                Some(name) => descend(edits, used, |segment| segment.names(name)),
                None => Vec::new(),
            };
            if inner.is_empty() {
                return Err(disturbed("a key would be added that no edit names"));
            }
            let value = self.b.pull()?;
            self.added(&value, &inner)?;
            key = self.b.pull()?;
        }
        match used.iter().position(|used| !used) {
            Some(lost) => Err(disturbed(&format!("{} would not be written", name_of(&edits[lost].1.at)))),
            None => Ok(()),
        }
    }

    fn list(&mut self, edits: &Remaining<'_>) -> Result<(), EditError> {
        let mut used = vec![false; edits.len()];
        let mut index = 0;
        loop {
            let a = self.a.pull()?;
            let b = self.b.pull()?;
            if a.what == What::ListEnd || b.what == What::ListEnd {
                return if a.what == b.what { Ok(()) } else { Err(disturbed("a list would change its length")) };
            }
            let inner = descend(edits, &mut used, |segment| segment.position() == Some(index));
            self.node(&a, &b, &inner)?;
            index += 1;
        }
    }

    /// A node that is new as a whole: it must hold what the edits say, and nothing else.
    fn added(&mut self, b: &Event<'t>, edits: &Remaining<'_>) -> Result<(), EditError> {
        let wanted = nest(edits.iter().map(|(rest, edit)| (*rest, &edit.value)))?;
        let built = self.b.build(b)?;
        if same_value(&built.value, &wanted) && built.exact {
            return Ok(());
        }
        let why = if b.tag.is_some() { " (a tag stands before it: change it by hand)" } else { "" };
        Err(disturbed(&format!("{} would not read back as the value wanted{why}", name_of(&edits[0].1.at))))
    }

    fn equal(&mut self, a: &Event<'t>, b: &Event<'t>) -> Result<(), EditError> {
        same_head(a, b)?;
        if !matches!(a.what, What::MapStart { .. } | What::ListStart { .. }) {
            return Ok(());
        }
        let mut depth = 1_usize;
        while depth > 0 {
            let (a, b) = (self.a.pull()?, self.b.pull()?);
            same_head(&a, &b)?;
            match a.what {
                What::MapStart { .. } | What::ListStart { .. } => depth += 1,
                What::MapEnd | What::ListEnd => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }
}

/// The edits that go on below one key or position, without their first segment.
fn descend<'e>(edits: &Remaining<'e>, used: &mut [bool], leads: impl Fn(&Segment) -> bool) -> Remaining<'e> {
    let mut inner = Vec::new();
    for (index, (rest, edit)) in edits.iter().enumerate() {
        if let Some((first, below)) = rest.split_first()
            && leads(first)
        {
            used[index] = true;
            inner.push((below, *edit));
        }
    }
    inner
}

fn same_head(a: &Event<'_>, b: &Event<'_>) -> Result<(), EditError> {
    let aliases = match (&a.what, &b.what) {
        (What::Alias { name: a, .. }, What::Alias { name: b, .. }) => a == b,
        (a, b) => a == b,
    };
    let anchors = a.anchor.as_ref().map(|(_, name)| name) == b.anchor.as_ref().map(|(_, name)| name);
    if aliases && anchors && a.tag == b.tag {
        return Ok(());
    }
    Err(disturbed("another part of the file would change its meaning"))
}

fn disturbed(what: &str) -> EditError {
    EditError::new(what)
}
