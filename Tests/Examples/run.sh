#!/usr/bin/env bash
# Builds the examples and runs their tests, in one folder of build products, so that mlc is built once for all of them:
# all but consumer-release, which is the package of consumer-debug built anew for release, mlc included.
#
#   Tests/Examples/run.sh EXAMPLE…
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$root/.build/examples
[ $# -gt 0 ] || { echo "run.sh EXAMPLE…" >&2; exit 2; }
for example; do
  SECONDS=0
  if [[ "$example" = consumer-* ]]; then
    "$root/Tests/Examples/consumer.sh" "$scratch" "${example#consumer-}"
  else
    (cd "$root/Examples/$example" && "$root/Tests/swift.sh" test --scratch-path "$scratch")
  fi
  echo "$example: $SECONDS s"
done
