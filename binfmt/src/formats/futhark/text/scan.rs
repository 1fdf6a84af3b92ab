//! Tokens of the text form, in windows of the input that may end anywhere.

/// What is at the front of a window, after whitespace and comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// Letters, digits and `. _ + -`.
    Word(&'a [u8]),
    /// Any other byte.
    Mark(u8),
    /// The input ends.
    End,
    /// The window ends, and more of the input may belong to what is there.
    Cut,
}

impl Token<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            Token::Word(word) => word.len(),
            Token::Mark(_) => 1,
            Token::End | Token::Cut => 0,
        }
    }
}

const WORD: u8 = 1;
const SPACE: u8 = 2;

/// What each byte is: `isspace` and the word characters of the C reader.
const CLASS: [u8; 256] = {
    let mut class = [0; 256];
    let mut c = 0usize;
    while c < 256 {
        let byte = c as u8;
        if byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'+' | b'-') {
            class[c] = WORD;
        }
        if matches!(byte, b' ' | 0x09..=0x0d) {
            class[c] = SPACE;
        }
        c += 1;
    }
    class
};

#[inline(always)]
fn class(byte: u8) -> u8 {
    CLASS[usize::from(byte)]
}

/// Steps over whitespace and comments; false when the window ends inside a comment that may go on.
#[inline(always)]
pub(super) fn blank(window: &[u8], at: &mut usize, last: bool) -> bool {
    loop {
        match window.get(*at) {
            Some(c) if class(*c) == SPACE => *at += 1,
            Some(b'-') => return comment(window, at, last),
            _ => return true,
        }
    }
}

/// The same from a `-` on, which may begin a number.
#[inline(never)]
fn comment(window: &[u8], at: &mut usize, last: bool) -> bool {
    loop {
        let rest = &window[*at..];
        match rest {
            [b'-', b'-', ..] => match rest.iter().position(|c| *c == b'\n') {
                Some(n) => *at += n + 1,
                None if last => *at = window.len(),
                None => return false,
            },
            [b'-'] => return last,
            [c, ..] if class(*c) == SPACE => *at += 1,
            _ => return true,
        }
    }
}

/// The next token, with `at` moved to its first byte. `last` says that nothing follows the window.
#[inline(always)]
pub(super) fn token<'a>(window: &'a [u8], at: &mut usize, last: bool) -> Token<'a> {
    if !blank(window, at, last) {
        return Token::Cut;
    }
    let rest = &window[*at..];
    let Some(first) = rest.first() else { return if last { Token::End } else { Token::Cut } };
    if class(*first) != WORD {
        return Token::Mark(*first);
    }
    match rest.iter().position(|c| class(*c) != WORD) {
        Some(n) => Token::Word(&rest[..n]),
        None if last => Token::Word(rest),
        None => Token::Cut,
    }
}
