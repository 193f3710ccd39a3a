#!/usr/bin/env bash
# Makes an artifact bundle of an installed tree: what SwiftPM runs in place of an mlc that it would build.
#
#   Sources/Distribution/artifact-bundle.sh STAGED-FOLDER OUT.artifactbundle
set -euo pipefail
version=$("$(dirname "${BASH_SOURCE[0]}")/version.sh")
triple=$(uname -m)-unknown-linux-gnu
rm -rf "$2"
mkdir -p "$2/$triple"
for part in bin lib; do [ ! -d "$1/$part" ] || cp -R "$1/$part" "$2/$triple/"; done
cat > "$2/info.json" <<JSON
{
  "schemaVersion": "1.0",
  "artifacts": {
    "mlc": {
      "version": "$version",
      "type": "executable",
      "variants": [{"path": "$triple/bin/mlc", "supportedTriples": ["$triple"]}]
    }
  }
}
JSON
