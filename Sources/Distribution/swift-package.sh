#!/usr/bin/env bash
# Makes a Swift package of what applications link, and of the plugin with an mlc that is built already.
#
#   Sources/Distribution/swift-package.sh BUNDLE.artifactbundle OUT-FOLDER
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
rm -rf "$2"
mkdir -p "$2/Sources"
cp -R "$root/Package.swift" "$root/LICENSE" "$root/CHANGELOG.md" "$2/"
parts=(
  CJPEG CMLCImage CMLCKernelABI CMLCNumerics CMLCPixels CMLCProcess CMLCTensor CPNG CoreFoundationNames CoreGraphics CoreML CoreVideo ImageIO
  MLCCore MLCDrivers MLCImage MLCPackage MLCPlugin MLCRuntime MLCText MLCTool Vision _Testing_CoreGraphics
)
for part in "${parts[@]}"; do
  cp -R "$root/Sources/$part" "$2/Sources/"
done
cp -R "$1" "$2/mlc.artifactbundle"
