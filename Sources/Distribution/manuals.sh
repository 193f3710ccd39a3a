#!/usr/bin/env bash
# Writes a manual page for mlc and for each of its commands.
#
#   Sources/Distribution/manuals.sh MLC FOLDER
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
parser=$(find "$root/.build/" -path '*/checkouts/swift-argument-parser/Package.swift' | sort | head -1)
swift build --package-path "$(dirname "$parser")" --scratch-path "$root/.build/manuals" --product generate-manual
"$root/.build/manuals/debug/generate-manual" "$1" --multi-page --date "$("$root/Sources/Distribution/version.sh" date)" \
  --output-directory "$2"

# A command for mlc itself has no page, and the status is what mlc ends with.
rm "$2/mlc.hdf5-extract.1"
status=$("$1" --help | tr '\n' ' ' | grep -o '0 done, [^.]*[.]')
sed -i -e '/^\.Xr mlc\.hdf5-extract 1 ,$/d' -e "s/^\.Ex -std\$/$status/" "$2"/*.1
