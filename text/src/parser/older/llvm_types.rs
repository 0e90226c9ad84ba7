//! The types of LLVM IR that `!llvm<"...">` spelled.

use crate::lexer::{Lexer, Token, TokenKind};

/// A type whose parts are being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Open {
    /// `{`.
    Struct,
    /// `<{`.
    Packed,
    /// `[4 x`.
    Array,
    /// `<4 x`.
    Vector,
    /// `i32 (`.
    Function,
}

/// Returns the type of today's LLVM dialect, as text: all pointers are `!llvm.ptr`. Linear in the
/// text.
///
/// # Errors
///
/// That the text is not a type of LLVM IR, or which type has no conversion.
pub(crate) fn today(text: &[u8]) -> Result<Vec<u8>, String> {
    let types = Types {
        text,
        lexer: Lexer::new(text),
        out: Vec::new(),
        open: Vec::new(),
    };
    let invalid = || {
        format!(
            "'{}' is not a type of LLVM IR that has a conversion; spell it as a type of today's LLVM dialect, such as !llvm.ptr, !llvm.struct<(i32, f32)> or !llvm.array<4 x i32>",
            text.escape_ascii()
        )
    };
    types.read().ok_or_else(invalid)
}

struct Types<'s> {
    text: &'s [u8],
    lexer: Lexer<'s>,
    out: Vec<u8>,
    /// The types around the current one, with the offset in `out` at which each begins.
    open: Vec<(Open, usize)>,
}

impl<'s> Types<'s> {
    fn read(mut self) -> Option<Vec<u8>> {
        let mut start = self.begin()?;
        // Whether the type that ends here is a function, which is not part of another type.
        let mut is_function = false;
        loop {
            let Some(first) = start else {
                start = self.begin()?;
                continue;
            };
            let token = self.lexer.next_token();
            let around = self.open.last().map(|open| open.0);
            if is_function && token.kind != TokenKind::Star && around.is_some() {
                return None;
            }
            let closed = match (token.kind, around) {
                (TokenKind::Eof, None) => return Some(self.out),
                (TokenKind::Star, _) => {
                    self.pointer(first, b"");
                    is_function = false;
                    continue;
                }
                (TokenKind::BareIdentifier, _) if self.word(token) == b"addrspace" => {
                    self.expect(TokenKind::LeftParen)?;
                    let space = self.expect(TokenKind::Integer)?;
                    self.expect(TokenKind::RightParen)?;
                    self.expect(TokenKind::Star)?;
                    self.pointer(first, self.word(space));
                    is_function = false;
                    continue;
                }
                (TokenKind::LeftParen, _) if !is_function => {
                    let result = self.out.split_off(first);
                    self.out.extend_from_slice(b"!llvm.func<");
                    self.out.extend_from_slice(&result);
                    self.out.extend_from_slice(b" (");
                    self.open.push((Open::Function, first));
                    start = self.begin()?;
                    // The end of the list is the end of the function.
                    is_function = start == Some(first);
                    continue;
                }
                (TokenKind::Comma, Some(Open::Struct | Open::Packed | Open::Function)) => {
                    self.out.extend_from_slice(b", ");
                    start = None;
                    continue;
                }
                (kind, Some(around)) => self.close(kind, around)?,
                _ => return None,
            };
            start = Some(closed);
            is_function = around == Some(Open::Function);
        }
    }

    /// Reads the beginning of a type, or the end of an empty list. Returns where the type begins in
    /// the output if it is complete.
    fn begin(&mut self) -> Option<Option<usize>> {
        let start = self.out.len();
        let token = self.lexer.next_token();
        let around = self.open.last().map(|open| open.0);
        let open = match token.kind {
            TokenKind::LeftBrace => {
                self.out.extend_from_slice(b"!llvm.struct<(");
                Open::Struct
            }
            TokenKind::Less if self.next_is(TokenKind::LeftBrace) => {
                self.lexer.next_token();
                self.out.extend_from_slice(b"!llvm.struct<packed (");
                Open::Packed
            }
            TokenKind::Less => {
                let count = self.count()?;
                self.out
                    .extend([b"vector<", self.word(count), b"x"].concat());
                Open::Vector
            }
            TokenKind::LeftSquare => {
                let count = self.count()?;
                let text = [b"!llvm.array<", self.word(count), b" x "].concat();
                self.out.extend(text);
                Open::Array
            }
            TokenKind::PercentIdentifier => {
                let name = self.word(token).get(1..)?;
                let text = [b"!llvm.struct<\"", name, b"\", opaque>"].concat();
                self.out.extend(text);
                return Some(Some(start));
            }
            TokenKind::Ellipsis if around == Some(Open::Function) => {
                self.out.extend_from_slice(b"...");
                return Some(Some(start));
            }
            TokenKind::BareIdentifier => {
                let text = simple(self.word(token))?;
                self.out.extend_from_slice(text);
                return Some(Some(start));
            }
            // An empty list.
            kind => {
                let around = around?;
                let is_empty = self.out.ends_with(b"(");
                return is_empty
                    .then(|| self.close(kind, around))
                    .flatten()
                    .map(Some);
            }
        };
        self.open.push((open, start));
        Some(None)
    }

    /// Ends a type; returns where it begins in the output.
    fn close(&mut self, kind: TokenKind, around: Open) -> Option<usize> {
        let end: &[u8] = match (around, kind) {
            (Open::Struct, TokenKind::RightBrace) | (Open::Function, TokenKind::RightParen) => {
                b")>"
            }
            (Open::Packed, TokenKind::RightBrace) => {
                self.expect(TokenKind::Greater)?;
                b")>"
            }
            (Open::Array, TokenKind::RightSquare) | (Open::Vector, TokenKind::Greater) => b">",
            _ => return None,
        };
        self.out.extend_from_slice(end);
        Some(self.open.pop()?.1)
    }

    /// Replaces the type from `start` on by a pointer.
    fn pointer(&mut self, start: usize, space: &[u8]) {
        self.out.truncate(start);
        self.out.extend_from_slice(b"!llvm.ptr");
        if !space.is_empty() {
            self.out.extend([b"<", space, b">"].concat());
        }
    }

    /// `4 x`.
    fn count(&mut self) -> Option<Token> {
        let count = self.expect(TokenKind::Integer)?;
        let x = self.expect(TokenKind::BareIdentifier)?;
        (self.word(x) == b"x").then_some(count)
    }

    fn next_is(&self, kind: TokenKind) -> bool {
        self.lexer.clone().next_token().kind == kind
    }

    fn expect(&mut self, kind: TokenKind) -> Option<Token> {
        let token = self.lexer.next_token();
        (token.kind == kind).then_some(token)
    }

    fn word(&self, token: Token) -> &'s [u8] {
        self.text.get(token.start..token.end).unwrap_or_default()
    }
}

/// Returns the body of an LLVM type with the words of LLVM IR replaced by those of today: `f32` for
/// `float`. Linear in the text.
pub(crate) fn body_today(text: &[u8]) -> Vec<u8> {
    let mut lexer = Lexer::new(text);
    let (mut out, mut end) = (Vec::with_capacity(text.len()), 0);
    loop {
        let token = lexer.next_token();
        let word = text.get(token.start..token.end).unwrap_or_default();
        let today = match word {
            b"half" | b"bfloat" | b"float" | b"double" | b"fp128" | b"x86_fp80" => simple(word),
            _ => None,
        };
        out.extend_from_slice(text.get(end..token.start).unwrap_or_default());
        out.extend_from_slice(today.unwrap_or(word));
        end = token.end;
        if token.kind == TokenKind::Eof {
            return out;
        }
    }
}

/// Returns today's text of a type that is one word.
fn simple(word: &[u8]) -> Option<&[u8]> {
    Some(match word {
        b"half" => b"f16",
        b"bfloat" => b"bf16",
        b"float" => b"f32",
        b"double" => b"f64",
        b"fp128" => b"f128",
        b"x86_fp80" => b"f80",
        b"ptr" => b"!llvm.ptr",
        b"void" => b"!llvm.void",
        b"label" => b"!llvm.label",
        b"token" => b"!llvm.token",
        b"metadata" => b"!llvm.metadata",
        b"ppc_fp128" => b"!llvm.ppc_fp128",
        [b'i', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => word,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        let today = |text: &str| today(text.as_bytes()).map(|t| t.escape_ascii().to_string());
        for (old, new) in [
            ("i32*", "!llvm.ptr"),
            ("{i32, float}**", "!llvm.ptr"),
            ("i8 addrspace(3)*", "!llvm.ptr<3>"),
            ("float", "f32"),
            ("i64", "i64"),
            ("[4 x i32]", "!llvm.array<4 x i32>"),
            ("<4 x float>", "vector<4xf32>"),
            ("{}", "!llvm.struct<()>"),
            (
                "{ i32, { i8*, double } }",
                "!llvm.struct<(i32, !llvm.struct<(!llvm.ptr, f64)>)>",
            ),
            (
                "<{ i8, [2 x i32*] }>",
                "!llvm.struct<packed (i8, !llvm.array<2 x !llvm.ptr>)>",
            ),
            ("void (i8*, ...)", "!llvm.func<!llvm.void (!llvm.ptr, ...)>"),
            ("i32 ()", "!llvm.func<i32 ()>"),
            ("{ i32 (i8)*, i1 }", "!llvm.struct<(!llvm.ptr, i1)>"),
            ("%list*", "!llvm.ptr"),
        ] {
            let escaped = new.escape_default().to_string();
            assert_eq!(today(old), Ok(escaped), "{old}");
        }
        assert_eq!(body_today(b"struct<(i32, float)>"), b"struct<(i32, f32)>");
        let named = today("{ %list, i8 }");
        assert!(named.is_ok_and(|named| named.contains("list")));
        for wrong in [
            "",
            "i",
            "{i32",
            "i32}",
            "[4 i32]",
            "{i32 ()}",
            "i32 () ()",
            "<4 x",
            "i32,",
            "(",
            "*",
            "{,}",
        ] {
            assert!(today(wrong).is_err(), "{wrong}");
        }
    }
}
