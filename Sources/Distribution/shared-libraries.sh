#!/usr/bin/env bash
# Prints the shared libraries that a program loads, but for the C library's own, which every system has.
#
#   Sources/Distribution/shared-libraries.sh PROGRAM
set -euo pipefail
ldd "$1" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' |
  grep -vE '/(libc|libm|libdl|libpthread|librt|libresolv|libutil|ld-linux[^/]*)\.so\.[0-9]+$' || true
