#!/usr/bin/env bash
# Writes what is given to others into .build/dist: a tarball, a Debian package, an artifact bundle, and a Swift package
# that has the bundle and needs no compiler of mlc's to be built.
#
#   Sources/Distribution/dist.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
here=$root/Sources/Distribution
dist=$root/.build/dist
version=$("$here/version.sh")
name=mlc-$version-linux-$(uname -m)
rm -rf "$dist"
mkdir -p "$dist"

"$here/stage.sh" "$dist/$name"
"$here/pack.sh" "$dist/$name.tar.gz" "$dist" "$name"
"$here/debian.sh" "$dist/$name" "$dist"
"$here/artifact-bundle.sh" "$dist/$name" "$dist/mlc.artifactbundle"
(cd "$dist" && rm -f mlc.artifactbundle.zip && zip --quiet --recurse-paths -X mlc.artifactbundle.zip mlc.artifactbundle)
"$here/swift-package.sh" "$dist/mlc.artifactbundle" "$dist/mlc-$version-swift"
"$here/pack.sh" "$dist/mlc-$version-swift.tar.gz" "$dist" "mlc-$version-swift"
(cd "$dist" && sha256sum -- *.tar.gz *.deb *.zip | tee SHA256SUMS)
