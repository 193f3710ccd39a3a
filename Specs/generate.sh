#!/bin/sh
# Regenerates the Swift code of the protobuf schemas beside this script.
#
#   Specs/generate.sh [ROOT]
#
# Writes ROOT/Converters/ONNX/Proto and ROOT/Converters/CoreML/Proto; ROOT is the package itself unless given.
# Needs protoc (Debian: protobuf-compiler) and protoc-gen-swift, found through PROTOC_GEN_SWIFT, then in
# .build/release, and otherwise built from the swift-protobuf version that Package.swift depends on.
set -eu

specs=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
package=$(dirname -- "$specs")
root=${1:-$package}

plugin=${PROTOC_GEN_SWIFT:-$package/.build/release/protoc-gen-swift}
if [ ! -x "$plugin" ]; then
  swift build --package-path "$package" -c release --product protoc-gen-swift
fi

generate() {
  mkdir -p "$2"
  rm -f "$2"/*.pb.swift
  (cd "$1" && protoc --plugin=protoc-gen-swift="$plugin" --swift_opt=Visibility=Package --swift_out="$2" ./*.proto)
  # The generator does not say on the line why what the compiler cannot check is safe.
  sed -i -e '/: @unchecked Sendable {$/s|$|  // its storage is copied before it is written|' \
    -e '/nonisolated(unsafe) let defaultInstance/s|$|  // never written|' "$2"/*.pb.swift
}

mkdir -p "$root"
root=$(CDPATH= cd -- "$root" && pwd)
generate "$specs/onnx" "$root/Converters/ONNX/Proto"
generate "$specs/coreml" "$root/Converters/CoreML/Proto"
