#!/usr/bin/env bash
# Builds a release archive: the programs, their man pages and completions, README, changelog and
# licence; and a file with its SHA-256 checksum.
#
#   scripts/archive.sh [TARGET [FOLDER]]
#
# By default for the host, in the folder dist/. RMLIR_PROFILE is the profile, dist by default.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

host=$(rustc -vV | sed -n 's/^host: //p')
target=${1:-$host}
folder=${2:-dist}
profile=${RMLIR_PROFILE:-dist}
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
name=rmlir-$version-$target
built=${CARGO_TARGET_DIR:-target}/$target/$profile
# cargo names the folder of this profile otherwise.
[[ $profile != dev ]] || built=${built%/dev}/debug
extension=
[[ $target != *windows* ]] || extension=.exe

# A panic ends the program, so nothing unwinds its stack: it has no tables for that. The flag of
# rustc concerns its own code, the script of the linker the standard library as well.
no_tables=(-C force-unwind-tables=no)
script=(-C link-arg=-Wl,-T,scripts/no_unwind_tables.ld -C link-arg=-Wl,--no-eh-frame-hdr)
probe=$(mktemp -d)
! echo 'fn main() {}' | rustc - -o "$probe/main" -C panic=abort "${script[@]}" 2>/dev/null ||
    ! "$probe/main" || no_tables+=("${script[@]}")
rm -rf "$probe"
flags=()
if [[ $target == "$host" && $target == *linux* ]]; then
    source scripts/fold_flags.sh
    flags=("${fold[@]}")
    [[ $profile != dist && $profile != release ]] || flags+=("${no_tables[@]}")
fi
RUSTFLAGS="${RUSTFLAGS:-} ${flags[*]}" \
    cargo build --locked --profile "$profile" --target "$target" --package rmlir-tools
rm -rf "${folder:?}/$name"
mkdir -p "$folder/$name"/{man,completions}
for program in rmlir rmlir-translate; do
    cp "$built/$program$extension" "$folder/$name/"
done
cp README.md LICENSE CHANGELOG.md "$folder/$name/"

# The host's own program prints man pages and completions.
rmlir=$built/rmlir
if [[ $target != "$host" ]]; then
    cargo build --locked --profile "$profile" --target "$host" --package rmlir-tools
    rmlir=${built/"$target"/"$host"}/rmlir
fi

# man_pages SUBCOMMAND...: the page of a subcommand, and those of its own.
man_pages() {
    local page subcommand
    page=$(IFS=-; printf '%s' "rmlir${*:+-$*}")
    "$rmlir" man "$@" >"$folder/$name/man/$page.1"
    for subcommand in $("$rmlir" "$@" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]\+\).*/\1/p'); do
        [[ $subcommand == help ]] || man_pages "$@" "$subcommand"
    done
}
man_pages
"$rmlir" man --program rmlir-translate >"$folder/$name/man/rmlir-translate.1"

# Named as each shell looks for them.
for program in rmlir rmlir-translate; do
    for shell in bash:$program.bash zsh:_$program fish:$program.fish powershell:_$program.ps1; do
        "$rmlir" completions "${shell%%:*}" --program "$program" \
            >"$folder/$name/completions/${shell#*:}"
    done
done

# Reproducible: equal files yield equal bytes (sorted names, no owner, the time of the last
# commit).
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
    -C "$folder" -c "$name" | gzip -n >"$folder/$name.tar.gz"
(cd "$folder" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
printf '%s\n' "$folder/$name.tar.gz"
