//! Recognizes files that are not MLIR, for errors that name their format and a remedy.

/// A kind of file that people take for MLIR.
struct Foreign {
    /// The name of the format, with an article.
    what: &'static str,
    /// The remedy.
    advice: &'static str,
    is: fn(&[u8]) -> bool,
}

/// The number of bytes in which names of formats without a magic number are searched.
const START: usize = 4096;

const FOREIGN: &[Foreign] = &[
    Foreign {
        what: "LLVM bitcode",
        advice: "llvm-dis and mlir-translate --import-llvm turn it into MLIR",
        is: |bytes| bytes.starts_with(b"BC\xc0\xde") || bytes.starts_with(b"\xde\xc0\x17\x0b"),
    },
    Foreign {
        what: "LLVM IR as text",
        advice: "mlir-translate --import-llvm turns it into MLIR",
        is: is_llvm_ir,
    },
    Foreign {
        what: "an HLO module as text",
        advice: "XLA's hlo-translate --hlo-to-mlir turns it into StableHLO",
        is: |bytes| bytes.starts_with(b"HloModule "),
    },
    Foreign {
        what: "an xz archive",
        advice: "decompress it with xz -d",
        is: |bytes| bytes.starts_with(b"\xfd7zXZ\x00"),
    },
    Foreign {
        what: "an LZMA archive",
        advice: "decompress it with xz -d",
        is: |bytes| bytes.starts_with(b"\x5d\x00\x00") && bytes.get(5..13) == Some(&[0xff; 8]),
    },
    Foreign {
        what: "a 7-Zip archive",
        advice: "decompress it with 7z x",
        is: |bytes| bytes.starts_with(b"7z\xbc\xaf\x27\x1c"),
    },
    Foreign {
        what: "text in UTF-16",
        advice: "convert it with iconv -f UTF-16 -t UTF-8",
        is: is_utf16,
    },
    Foreign {
        what: "a bzip2 archive",
        advice: "decompress it with bzip2 -d",
        is: |bytes| bytes.starts_with(b"BZh") && bytes.get(4..7) == Some(b"1AY"),
    },
    Foreign {
        what: "a compiled IREE module (.vmfb)",
        advice: "it has no MLIR any more; iree-compile --compile-to=vm keeps the last MLIR",
        is: |bytes| is_zip(bytes) && contains(bytes, b"module.fb"),
    },
    Foreign {
        what: "a PyTorch file",
        advice: "torch-mlir, or torch.onnx and iree-import-onnx, turn models into MLIR",
        is: |bytes| {
            is_zip(bytes) && contains(bytes, b"/data.pkl")
                || bytes.starts_with(b"\x80\x02\x8a\x0al\xfc\x9cF\xf9")
        },
    },
    Foreign {
        what: "a Keras model",
        advice: "jax.export or tf.saved_model and a converter turn models into MLIR",
        is: |bytes| is_zip(bytes) && contains(bytes, b"model.weights.h5"),
    },
    Foreign {
        what: "a zip archive",
        advice: "there is no MLIR in it",
        is: is_zip,
    },
    Foreign {
        what: "an ELF file",
        advice: "it is machine code, and no module is embedded in it",
        is: |bytes| bytes.starts_with(b"\x7fELF"),
    },
    Foreign {
        what: "a WebAssembly module",
        advice: "it is machine code, not MLIR",
        is: |bytes| bytes.starts_with(b"\0asm"),
    },
    Foreign {
        what: "a TensorFlow Lite model",
        advice: "flatbuffer_translate --tflite-flatbuffer-to-mlir turns it into MLIR",
        is: |bytes| bytes.get(4..8) == Some(b"TFL3"),
    },
    Foreign {
        what: "an HDF5 file, perhaps of a Keras model",
        advice: "jax.export or tf.saved_model and a converter turn models into MLIR",
        is: |bytes| bytes.starts_with(b"\x89HDF\r\n\x1a\n"),
    },
    Foreign {
        what: "a TensorFlow SavedModel or graph",
        advice: "iree-import-tf or tf-opt's importer turn it into MLIR",
        is: |bytes| {
            is_protobuf(bytes)
                && (contains(bytes, b"tensorflow") || contains(bytes, b"Placeholder"))
        },
    },
    Foreign {
        what: "an ONNX model",
        advice: "iree-import-onnx or onnx-mlir turn it into MLIR",
        is: |bytes| bytes.first() == Some(&8) && is_protobuf(bytes) && is_onnx(bytes),
    },
    Foreign {
        what: "a SPIR-V module",
        advice: "mlir-translate --deserialize-spirv turns it into MLIR",
        is: |bytes| {
            bytes.starts_with(b"\x03\x02\x23\x07") || bytes.starts_with(b"\x07\x23\x02\x03")
        },
    },
    Foreign {
        what: "a NumPy array",
        advice: "it holds data, not MLIR",
        is: |bytes| bytes.starts_with(b"\x93NUMPY"),
    },
    Foreign {
        what: "a Python pickle",
        advice: "models are exported with jax.export or torch.export",
        is: |bytes| matches!(bytes, [0x80, 2..=5, ..]) && bytes.last() == Some(&b'.'),
    },
];

/// Returns a sentence for a file that is not MLIR and begins with these bytes: what it is, and what
/// to do. `None` if it may be MLIR. O(1).
pub fn identify(bytes: &[u8]) -> Option<String> {
    let found = FOREIGN.iter().find(|foreign| (foreign.is)(bytes))?;
    Some(format!(
        "this is {}, not MLIR: {}",
        found.what, found.advice
    ))
}

/// Returns the kind of file that data of an attribute is, with an article: `an ELF file`. Only
/// kinds with a magic number are told apart. O(1).
pub fn magic(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"ML\xefR") {
        return Some("MLIR bytecode");
    }
    let start = bytes.get(..4)?;
    // Formats that are recognized by words could be any text.
    let has_magic = start.iter().any(|byte| !byte.is_ascii())
        || matches!(start, b"\x7fELF" | b"\0asm")
        || is_zip(bytes)
        || start == b"\x03\x02\x23\x07";
    let found = FOREIGN
        .iter()
        .find(|foreign| has_magic && (foreign.is)(bytes))?;
    Some(found.what)
}

fn contains(bytes: &[u8], text: &[u8]) -> bool {
    let start = bytes.get(..START).unwrap_or(bytes);
    memchr::memmem::find(start, text).is_some()
}

fn is_zip(bytes: &[u8]) -> bool {
    bytes.starts_with(b"PK\x03\x04") || bytes.starts_with(b"PK\x05\x06")
}

/// Whether bytes are text of two bytes for each character, with or without a byte order mark.
fn is_utf16(bytes: &[u8]) -> bool {
    let start = bytes.get(..START).unwrap_or(bytes);
    let (pairs, _) = start.as_chunks::<2>();
    // Most characters of MLIR are ASCII.
    let is_ascii = |byte: u8| byte.is_ascii_graphic() || byte.is_ascii_whitespace();
    let little = pairs.iter().filter(|[a, b]| is_ascii(*a) && *b == 0);
    let big = pairs.iter().filter(|[a, b]| *a == 0 && is_ascii(*b));
    let most = little.count().max(big.count());
    let has_mark = matches!(bytes, [0xff, 0xfe, ..] | [0xfe, 0xff, ..]);
    most >= 2 && most.saturating_add(has_mark.into()) >= pairs.len() / 10 * 9
}

/// Whether bytes are the start of a message of protocol buffers: the tag of a first field, and a
/// byte that no text has.
fn is_protobuf(bytes: &[u8]) -> bool {
    let start = bytes.get(..START).unwrap_or(bytes);
    matches!(start, [0x08 | 0x0a | 0x12, ..]) && start.iter().any(|&b| b < 9 || b == 0x12)
}

/// The first fields of an ONNX model are its version and its producer or graph.
fn is_onnx(bytes: &[u8]) -> bool {
    matches!(bytes, [8, 1..=20, 0x12 | 0x1a | 0x3a, ..])
        && [
            "onnx", "pytorch", "Conv", "MatMul", "Gemm", "input", "graph", "Add", "Relu",
        ]
        .iter()
        .any(|name| contains(bytes, name.as_bytes()))
}

/// Whether one of the first lines begins as only LLVM IR does. MLIR has no comments with `;`.
fn is_llvm_ir(bytes: &[u8]) -> bool {
    let start = bytes.get(..START).unwrap_or(bytes);
    let mut lines = start.split(|&byte| byte == b'\n');
    let first = lines.find(|line| !line.trim_ascii().is_empty());
    let Some(first) = first else { return false };
    [
        &b"; ModuleID = "[..],
        b"source_filename = \"",
        b"target datalayout = \"",
        b"target triple = \"",
        b"define ",
        b"declare ",
    ]
    .iter()
    .any(|text| first.starts_with(text))
}

#[cfg(test)]
mod tests {
    use super::identify;

    #[test]
    fn files_are_named() {
        for (bytes, what) in [
            (&b"BC\xc0\xde5\x14"[..], "LLVM bitcode"),
            (b"; ModuleID = 'a.c'\n", "LLVM IR"),
            (b"\n\ndefine i32 @f() {\n", "LLVM IR"),
            (b"HloModule jit_f, entry\n", "HLO"),
            (b"\xfd7zXZ\x00\x00", "xz"),
            (
                b"\x5d\x00\x00\x80\x00\xff\xff\xff\xff\xff\xff\xff\xff\x00",
                "LZMA",
            ),
            (b"\xff\xfem\0o\0d\0", "UTF-16"),
            (b"m\0o\0d\0u\0l\0e\0\r\0\n\0", "UTF-16"),
            (b"\0m\0o\0d\0u", "UTF-16"),
            (b"PK\x03\x04\x14\x00\x00\x00module.fb", ".vmfb"),
            (b"PK\x03\x04\x14\x00\x00\x00archive/data.pkl", "PyTorch"),
            (b"PK\x03\x04\x14\x00\x00\x00x.txt", "zip"),
            (b"\x7fELF\x02\x01", "ELF"),
            (b"\x08\x08\x12\x07pytorch\x1a\x052.1.0", "ONNX"),
            (b"\x08\x01\x12\x90\x01\x0a\x0a\x08tensorflow", "TensorFlow"),
            (b"\x1c\x00\x00\x00TFL3", "TensorFlow Lite"),
            (b"\x93NUMPY\x01\x00", "NumPy"),
            (b"\x03\x02\x23\x07\x00\x00\x01\x00", "SPIR-V"),
        ] {
            let found = identify(bytes).unwrap();
            assert!(found.contains(what), "{found}");
        }
    }

    #[test]
    fn texts_are_not_taken_for_others() {
        for text in [
            "",
            "module {}",
            "// define\nfunc.func @f()",
            "#map = affine_map<() -> ()>",
            "\"t.a\"() : () -> ()",
            "PK",
            "BC",
            "defined.op",
            "\u{feff}module {}",
        ] {
            assert_eq!(identify(text.as_bytes()), None, "{text}");
        }
    }
}
