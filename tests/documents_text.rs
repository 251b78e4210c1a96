//! Texts that GitLab would act on.

use signalbox_engine::documents::text::{LONGEST_TITLE, neutralise, neutralise_title};

#[test]
fn quick_actions_and_skip_words_become_harmless() {
    let table = [
        ("plain text stays.\n/ a slash, a/b, 1/2\n", "plain text stays.\n/ a slash, a/b, 1/2\n"),
        ("/close", "\\/close"),
        ("before\n/target_branch main\r\n  /draft\n", "before\n\\/target_branch main\r\n  \\/draft\n"),
        ("a\u{2028}/close\u{b}/merge\r/x", "a\u{2028}\\/close\u{b}\\/merge\r\\/x"),
        ("see /close here", "see /close here"),
        ("//comment", "//comment"),
        ("done [skip ci]", "done (skip ci)"),
        (
            "[CI Skip] [No CI] [skip actions] [Skip-CI] [ci_skip]",
            "(CI Skip) (No CI) (skip actions) (Skip-CI) (ci_skip)",
        ),
        ("[[skip ci]] [x] [ no  ci ]", "[(skip ci)] [x] ( no  ci )"),
        ("[open [skip ci]", "[open (skip ci)"),
        ("skip ci without brackets", "skip ci without brackets"),
        ("list[0] [link](http://x) 中文 [", "list[0] [link](http://x) 中文 ["),
    ];
    for (before, after) in table {
        assert_eq!(neutralise(before), after);
        assert_eq!(neutralise(after), after, "twice is as once");
    }
}

#[test]
fn a_title_is_one_line_that_neither_drafts_nor_skips() {
    let table = [
        ("Quota billing", "Quota billing"),
        ("two\nlines\r\n\tand  more\u{0}", "two lines and more"),
        ("Draft: x", "Change: Draft: x"),
        ("  wip: x", "Change: wip: x"),
        ("[DRAFT] x", "Change: [DRAFT] x"),
        ("(draft) x", "Change: (draft) x"),
        ("Drafting table", "Drafting table"),
        ("/close me [skip ci]", "\\/close me (skip ci)"),
        ("[Draft: skip", "[Draft: skip"),
    ];
    for (before, after) in table {
        assert_eq!(neutralise_title(before), after);
    }
}

#[test]
fn a_long_title_is_cut_on_a_character() {
    let long = format!("{}🚦", "配额".repeat(150));
    let title = neutralise_title(&long);
    assert_eq!(title.chars().count(), LONGEST_TITLE);
    assert!(title.ends_with('…') && long.starts_with(title.trim_end_matches('…')));
    let fitting = "x".repeat(LONGEST_TITLE);
    assert_eq!(neutralise_title(&fitting), fitting);
}
