#!/usr/bin/env bash
# Builds a release archive: the programs (profile dist), man pages, completions, README, licence,
# and a SHA-256 checksum.
# Usage: scripts/archive.sh [TARGET [FOLDER]]; by default the host's target and the folder dist/.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

target=${1:-$(rustc -vV | sed -n 's/^host: //p')}
folder=${2:-dist}
version=$(sed -n '/^\[workspace.package\]/,/^\[/s/^version = "\(.*\)"/\1/p' Cargo.toml)
name=rmlir-$version-$target
built=${CARGO_TARGET_DIR:-target}/$target/dist
extension=
[[ $target != *windows* ]] || extension=.exe

cargo build --locked --profile dist --target "$target" --package rmlir-tools
rm -rf "${folder:?}/$name"
mkdir -p "$folder/$name"/{man,completions}
for program in rmlir rmlir-translate; do
    cp "$built/$program$extension" "$folder/$name/"
done
cp README.md LICENSE CHANGELOG.md "$folder/$name/"

# When cross-compiling, programs built for the host print the man pages and completions.
rmlir=$built/rmlir
if [[ $target != $(rustc -vV | sed -n 's/^host: //p') ]]; then
    cargo build --locked --profile dist --package rmlir-tools
    rmlir=${CARGO_TARGET_DIR:-target}/dist/rmlir
fi
"$rmlir" man >"$folder/$name/man/rmlir.1"
for command in $("$rmlir" --help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
    [[ $command == help ]] || "$rmlir" man "$command" >"$folder/$name/man/rmlir-$command.1"
done
for shell in bash zsh fish; do
    "$rmlir" completions "$shell" >"$folder/$name/completions/rmlir.$shell"
done

# Reproducible: equal files yield equal bytes (sorted names, no owner, the time of the last
# commit).
tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$(git log -1 --format=%ct)" \
    -C "$folder" -c "$name" | gzip -n >"$folder/$name.tar.gz"
(cd "$folder" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
printf '%s\n' "$folder/$name.tar.gz"
