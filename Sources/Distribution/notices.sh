#!/usr/bin/env bash
# Prints the licences of all that a distributed mlc contains and others wrote.
#
#   Sources/Distribution/notices.sh BUILD-FOLDER [SHARED-LIBRARY]…
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
build=$1
shift

notice() {
  printf '\n%s\n%s\n%s\n\n' "$(printf '%.0s=' {1..80})" "$1" "$(printf '%.0s=' {1..80})"
  cat "$2"
}

echo "mlc $("$here/version.sh") contains the works below, each under the licence that follows its name."
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swiftc)")")")
notice "The Swift standard library, Foundation, libdispatch" "$toolchain/share/swift/LICENSE.txt"
notice "swift-argument-parser" "$build/checkouts/swift-argument-parser/LICENSE.txt"
notice "swift-protobuf" "$build/checkouts/swift-protobuf/LICENSE.txt"

# The system's libraries, by the packages that they are of.
for file in "$build"/libraries/*.a "$@"; do readlink -f "$file"; done |
  while read -r file; do dpkg-query -S "$file" "/usr$file" 2> /dev/null || true; done |
  cut -d: -f1 | sort -u |
  while read -r package; do notice "$package" "/usr/share/doc/$package/copyright"; done
