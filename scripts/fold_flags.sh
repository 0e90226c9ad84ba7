# Sets `fold` to the flags of rustc that store equal functions once. LLVM's linker, the default of
# newer compilers, has an option for it; with others, there are no flags.
#
#   source scripts/fold_flags.sh

fold=(-C link-arg=-Wl,--icf=all)
fold_probe=$(mktemp -d)
echo 'fn main() {}' | rustc - -o "$fold_probe/main" "${fold[@]}" 2>/dev/null || fold=()
rm -rf "$fold_probe"
