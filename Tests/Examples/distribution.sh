#!/usr/bin/env bash
# Runs an installed mlc where there is nothing but it and the C library: no Swift, no compiler, no other library.
#
#   Tests/Examples/distribution.sh STAGED-FOLDER MLC
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "distribution: $1" >&2; exit 1; }

cp -R "$1" "$work/mlc"
mkdir -p "$work/tmp" "$work/proc" "$work/lib64" "$work/lib/x86_64-linux-gnu"
cp /lib64/ld-linux-x86-64.so.2 "$work/lib64/"
for name in libc.so.6 libm.so.6 libdl.so.2 libpthread.so.0 librt.so.1 libresolv.so.2; do
  cp "/lib/x86_64-linux-gnu/$name" "$work/lib/x86_64-linux-gnu/"
done
model=$root/Tests/CommandLineTests/Fixtures/documented
cp "$model.onnx" "$model.npz" "$work/"
"$2" compile "$model.onnx" -o "$work/model.mlmodelc" --target x86-64-v2 > /dev/null
there() { unshare --map-root-user --mount --pid --fork --root="$work" --mount-proc /mlc/bin/mlc "$@"; }

[ "$(there --version)" = "mlc $("$root/Sources/Distribution/version.sh")" ] || fail "the version is another"
there inspect documented.onnx > /dev/null || fail "it reads no ONNX model"
there predict model.mlmodelc --inputs documented.npz > /dev/null || fail "it runs no compiled package"
there predict documented.onnx --reference --inputs documented.npz > /dev/null || fail "it interprets no model"
there convert documented.onnx -o model.mlpackage > /dev/null || fail "it writes no Core ML package"
status=0
there compile documented.onnx 2> "$work/errors" || status=$?
[ "$status" = 5 ] && grep -q '\[compiler.missing\]' "$work/errors" || fail "a missing compiler is not named: $status"

for command in compile verify; do
  grep -q "mlc.$command" "$1/share/man/man1/mlc.$command.1" || fail "there is no manual of $command"
done
grep -q 'libhdf5\|libzip' "$1/share/doc/mlc/THIRD-PARTY" || fail "the licences lack a library"
echo "distribution: $(du -sh "$1/bin" | cut -f1) of command and $(du -sh "$1/lib" | cut -f1) of libraries need the C library alone"
