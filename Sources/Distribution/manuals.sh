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
