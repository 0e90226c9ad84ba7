//! Writes relocatable object files of WebAssembly, by the tool conventions' `Linking.md`.

/// Ids of sections.
const CUSTOM: u8 = 0;
const IMPORT: u8 = 2;
const DATA: u8 = 11;
/// The flag of a memory whose addresses have 64 bits.
const MEMORY_64: u8 = 4;
/// Instructions of the address of a segment.
const I32_CONST: u8 = 0x41;
const I64_CONST: u8 = 0x42;
const END: u8 = 0x0b;
/// The version of the section `linking`.
const LINKING_VERSION: u8 = 2;
/// Subsections of `linking`.
const SEGMENT_INFO: u8 = 5;
const SYMBOL_TABLE: u8 = 8;
/// The linker keeps the segment although nothing refers to it.
const SEGMENT_RETAIN: u32 = 4;
/// A symbol of data, local to the file, that is kept.
const SYMBOL_DATA: u8 = 1;
const SYMBOL_FLAGS: u32 = 0x80 | 0x2;

/// Returns an object file with bytes as a data segment `rmlir`, or as a custom section of that
/// name.
pub(crate) fn write(bytes: &[u8], alignment_log: u8, is_loaded: bool, is_64: bool) -> Vec<u8> {
    let mut file = b"\0asm\x01\0\0\0".to_vec();
    let mut linking = vec![LINKING_VERSION];
    if is_loaded {
        // One memory of at least no pages.
        let mut import = vec![1];
        string(&mut import, "env");
        string(&mut import, "__linear_memory");
        import.extend([2, if is_64 { MEMORY_64 } else { 0 }, 0]);
        section(&mut file, IMPORT, &import);

        // One segment at the address 0, which the linker replaces.
        let constant = if is_64 { I64_CONST } else { I32_CONST };
        let mut data = vec![1, 0, constant, 0, END];
        leb128(&mut data, bytes.len());
        data.extend(bytes);
        section(&mut file, DATA, &data);

        let mut info = vec![1];
        string(&mut info, "rmlir");
        leb128(&mut info, usize::from(alignment_log));
        leb128(&mut info, SEGMENT_RETAIN as usize);
        section(&mut linking, SEGMENT_INFO, &info);
        let mut symbols = vec![1, SYMBOL_DATA];
        leb128(&mut symbols, SYMBOL_FLAGS as usize);
        string(&mut symbols, "rmlir_records");
        symbols.extend([0, 0]);
        leb128(&mut symbols, bytes.len());
        section(&mut linking, SYMBOL_TABLE, &symbols);
    }
    custom(&mut file, "linking", &linking);
    if !is_loaded {
        custom(&mut file, "rmlir", bytes);
    }
    file
}

/// Appends a custom section.
pub(crate) fn custom(out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    let mut content = Vec::new();
    string(&mut content, name);
    content.extend(bytes);
    section(out, CUSTOM, &content);
}

fn section(out: &mut Vec<u8>, id: u8, content: &[u8]) {
    out.push(id);
    leb128(out, content.len());
    out.extend(content);
}

fn string(out: &mut Vec<u8>, text: &str) {
    leb128(out, text.len());
    out.extend(text.as_bytes());
}

fn leb128(out: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        out.push((number & 0x7f) as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}
