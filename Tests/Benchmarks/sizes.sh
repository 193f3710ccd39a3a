#!/usr/bin/env bash
# States how large programs are that link this library: of a release build, with Swift's own libraries linked in, and
# stripped. Beside each its libraries that are neither Swift's nor the system's.
#
#   Tests/Benchmarks/sizes.sh
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MLC=${MLC:-$root/.build/release/mlc}
cd "$work"

declare -A imports=([nothing]="" [foundation]="Foundation" [coreml]="CoreML" [imageio]="CoreML ImageIO" [vision]="Vision")
targets=
for name in nothing foundation coreml imageio vision; do
  mkdir -p "Sources/$name"
  products=
  for module in ${imports[$name]}; do
    echo "import $module" >> "Sources/$name/main.swift"
    [ "$module" = Foundation ] || products+=".product(name: \"$module\", package: \"mlc\"), "
  done
  case $name in
    nothing) echo 'print(CommandLine.arguments)' ;;
    foundation) echo 'print(NSNumber(value: 1), NumberFormatter())' ;;
    coreml | imageio) echo 'print(try MLModel(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1])).modelDescription)' ;;
    vision)
      echo 'let model = try MLModel(contentsOf: URL(fileURLWithPath: CommandLine.arguments[1]))'
      echo 'print(VNCoreMLRequest(model: try VNCoreMLModel(for: model)))'
      ;;
  esac >> "Sources/$name/main.swift"
  [ $name = nothing ] || [ $name = foundation ] || sed -i '1i import Foundation' "Sources/$name/main.swift"
  [ $name != vision ] || sed -i '1i import CoreML' "Sources/$name/main.swift"
  [ $name != vision ] || products+='.product(name: "CoreML", package: "mlc"), '
  targets+=".executableTarget(name: \"$name\", dependencies: [$products]), "
done
cat > Package.swift <<PACKAGE
// swift-tools-version: 6.2
import PackageDescription
let package = Package(
  name: "sizes", dependencies: [.package(name: "mlc", path: "$root")], targets: [$targets])
PACKAGE

swift build -c release --static-swift-stdlib --scratch-path "$root/.build/sizes" > build.log 2>&1 || { cat build.log >&2; exit 1; }
for name in nothing foundation coreml imageio vision; do
  strip -o "$name" "$root/.build/sizes/release/$name"
  others=$(ldd "$name" | grep -oE 'lib(png|jpeg|protobuf|hdf5|zip|z)[0-9]*\.so[^ ]*' | sort -u | tr '\n' ' ' || true)
  printf '%-12s %6.1f MB  %s\n' "$name" "$(($(stat -c %s "$name") / 10000))e-2" "$others"
done
