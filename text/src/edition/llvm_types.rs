//! The types of LLVM IR that `!llvm<"...">` spelled.

/// Returns the type of today's LLVM dialect, as text: all pointers are `!llvm.ptr`.
///
/// Types that contain others are not converted, except for pointers to them.
///
/// # Errors
///
/// Which type has no conversion.
pub(crate) fn today(text: &[u8]) -> Result<Vec<u8>, String> {
    let text = text.trim_ascii();
    if let Some(pointed) = text.strip_suffix(b"*") {
        let space = address_space(pointed);
        return Ok(match space {
            Some(space) => [b"!llvm.ptr<", space, b">"].concat(),
            None => b"!llvm.ptr".to_vec(),
        });
    }
    let today: &[u8] = match text {
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
        [b'i', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => text,
        _ => {
            return Err(format!(
                "no conversion of the LLVM type '{}'; spell it as a type of today's LLVM dialect, such as !llvm.struct<(i32, f32)> or !llvm.array<4 x i32>",
                text.escape_ascii()
            ));
        }
    };
    Ok(today.to_vec())
}

/// Returns the digits of `addrspace(1)` at the end of a text.
fn address_space(text: &[u8]) -> Option<&[u8]> {
    let inner = text.trim_ascii_end().strip_suffix(b")")?;
    let open = inner.iter().rposition(|&byte| byte == b'(')?;
    let (before, digits) = inner.split_at_checked(open)?;
    let digits = digits.get(1..)?;
    let is_number = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    (is_number && before.trim_ascii_end().ends_with(b"addrspace")).then_some(digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types() {
        let today = |text: &str| today(text.as_bytes()).map(|t| t.escape_ascii().to_string());
        assert_eq!(today("i32*").as_deref(), Ok("!llvm.ptr"));
        assert_eq!(today("{i32, float}**").as_deref(), Ok("!llvm.ptr"));
        assert_eq!(today("i8 addrspace(3)*").as_deref(), Ok("!llvm.ptr<3>"));
        assert_eq!(today("float").as_deref(), Ok("f32"));
        assert_eq!(today("i64").as_deref(), Ok("i64"));
        assert!(today("[4 x i32]").is_err());
    }
}
