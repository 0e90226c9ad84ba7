//! Fuzzes the lexer alone.

use rmlir::text::lexer::{Lexer, TokenKind, unescape};

/// Checks that tokens are in order, do not overlap and end with the input, and that only white
/// space and comments are between them.
pub fn lexer(data: &[u8]) {
    let mut lexer = Lexer::new(data);
    let mut end = 0;
    loop {
        let token = lexer.next_token();
        assert!(
            end <= token.start && token.start <= token.end && token.end <= data.len(),
            "{token:?} behind {end}"
        );
        check_space(&data[end..token.start]);
        match token.kind {
            TokenKind::Eof => {
                assert_eq!(token.end, data.len(), "the end comes before the end");
                return;
            }
            TokenKind::String => drop(unescape(&data[token.start..token.end])),
            // After an invalid token the rest is not checked: the parser stops there.
            TokenKind::Error(_) => return,
            _ => {}
        }
        assert!(token.start < token.end, "an empty token: {token:?}");
        end = token.end;
    }
}

fn check_space(mut space: &[u8]) {
    while let [first, rest @ ..] = space {
        if space.starts_with(b"//") {
            let end = space.iter().position(|&b| b == b'\n' || b == b'\r');
            space = &space[end.unwrap_or(space.len())..];
        } else {
            assert!(b" \t\r\n\0".contains(first), "{first:#x} is passed over");
            space = rest;
        }
    }
}
