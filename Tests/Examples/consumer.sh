#!/usr/bin/env bash
# Writes a Swift package from the page Specs/Manual/SwiftPackages.md alone, in a folder of its own, with the model of
# Examples/HelloModel, and checks what it prints; then that no later build does what the first one did, that a changed
# model is built again, and that a broken model is named. mlc is built too, unless it is 'installed', the one that MLC
# names or 'make build' made.
#
#   Tests/Examples/consumer.sh SCRATCH-FOLDER debug|release|installed
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$1
configuration=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/App"
cd "$work/App"

python3 "$root/Tests/Examples/documented_package.py" "$root"

fail() { echo "consumer: $1" >&2; cat build.log >&2; exit 1; }
# What is built, and what again, is the same without optimisation, which takes most of the time.
options=(--scratch-path "$scratch")
case "$configuration" in
  release) options+=(-c release -Xswiftc -Onone) ;;
  installed) export MLC=${MLC:-$root/.build/release/mlc} ;;
esac
build() { "$root/Tests/swift.sh" build "${options[@]}" > build.log 2>&1; }

build || fail "the documented package does not build"
# Of the compiler nothing is built for the program, beside what it is built for: the command that runs in the build.
twice=$({ grep -oE 'Compiling MLC(Ops|Graph|Passes|Kernels|Compiler|TargetC|ImportONNX) [^ ]+' build.log || true; } |
  sort | uniq -d)
[ -z "$twice" ] || fail "built twice: $twice"
if [ "$configuration" = installed ]; then
  ! grep -q 'MLCCompiler\|MLCGraph\|ArgumentParser' build.log || fail "the compiler is built beside an installed mlc"
  grep -q 'Compiling model' build.log || fail "the model is not compiled by an installed mlc"
fi
answer=$(swift run "${options[@]}" --skip-build App)
[ "$answer" = "sin 1 = 0.84" ] || fail "the program printed '$answer'"

package=$(find "$scratch/plugins/" -path '*/app/App/*/Sine.mlmodelc/manifest.json')
stamp() { stat -c '%y' "$package"; }
before=$(stamp)
# Plugins aside, only the program's own files are built by the first change of one of them.
others='Compiling \(C\?MLC\|CoreML\|SwiftProtobuf\|ArgumentParser\|model\)\|Linking mlc'
echo '// A comment.' >> Sources/App/App.swift
build || fail "a build after an edit fails"
! grep -q "$others" build.log || fail "the first edit builds more than the app"
build || fail "a build without a change fails"
! grep -q "$others\|Compiling App" build.log || fail "a build without a change builds"
[ "$(stamp)" = "$before" ] || fail "a model that did not change is compiled again"
echo 'let unused = 1' > Sources/App/More.swift
build || fail "a build after a new file fails"
[ "$(stamp)" = "$before" ] || fail "an unchanged model was built again"

sed -i 's/SineModel/SinusModel/g' Sources/App/mlc.json Sources/App/App.swift
build || fail "a build after a change of mlc.json fails"
[ "$(stamp)" != "$before" ] || fail "a change of mlc.json changed nothing"

head -c 100 Sources/App/Sine.onnx > cut && mv cut Sources/App/Sine.onnx
if build; then fail "a damaged model builds"; fi
grep -q "Sources/App/Sine.onnx:1: error: .*\[onnx.malformed\]" build.log || fail "the damaged model is not named"
cp "$root/Examples/HelloModel/Sources/HelloModel/Sine.onnx" Sources/App/

if [ "$configuration" = installed ]; then
  export MLC=/nowhere/mlc
  if build; then fail "MLC may name no program"; fi
  grep -q "MLC in the environment names '/nowhere/mlc'" build.log || fail "a wrong MLC is not named"
fi
echo "consumer, $configuration: the documented package works"
