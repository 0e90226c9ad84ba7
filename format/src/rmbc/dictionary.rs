//! The dictionary: the lists of [preset strings](super::preset) and of
//! [fragments](super::fragments) that files refer to.
//!
//! `spec/dictionary-1` has the normative lists; this crate embeds copies, which a test compares. A
//! file that uses a list names the dictionary by number and hash, and a reader without that
//! dictionary refuses the file. Lists never change: other lists are another dictionary.

/// The number of the dictionary that this build has. 0 denotes none.
pub const NUMBER: u64 = 1;
/// The SHA-256 of the lists: `strings.txt` followed by `fragments.txt`, in hexadecimal digits.
pub const SHA256: &str = "eab02bd0794156e4db934f84149f417d06e152b143c839d48ca9ad494d5254a3";
/// The first four bytes of the SHA-256, which files store.
pub const CHECK: [u8; 4] = [0xea, 0xb0, 0x2b, 0xd0];

/// Checks that this build has the dictionary that a file names.
///
/// # Errors
/// The message of the error.
pub fn check(number: u64, hash: [u8; 4]) -> Result<(), String> {
    if number != NUMBER {
        return Err(format!(
            "the file uses dictionary {number}, and this build has dictionary {NUMBER}; a newer build is needed"
        ));
    }
    match hash == CHECK {
        true => Ok(()),
        false => Err(format!(
            "the file uses a dictionary {number} with the hash {:08x}, and this build has {:08x}",
            u32::from_be_bytes(hash),
            u32::from_be_bytes(CHECK)
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_check_is_the_start_of_the_hash() {
        assert_eq!(format!("{:08x}", u32::from_be_bytes(CHECK)), SHA256[..8]);
        assert!(check(NUMBER, CHECK).is_ok());
        assert!(check(2, CHECK).is_err() && check(NUMBER, [0; 4]).is_err());
    }

    #[test]
    fn the_lists_are_those_of_the_specification() {
        let spec = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../spec/dictionary-1");
        for (name, list) in [
            ("strings.txt", include_str!("strings.txt")),
            ("fragments.txt", include_str!("fragments.txt")),
        ] {
            assert!(
                std::fs::read_to_string(spec.join(name)).unwrap() == list,
                "{name}"
            );
        }
    }
}
