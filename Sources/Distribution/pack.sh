#!/usr/bin/env bash
# Packs a folder into a tarball that is the same whoever makes it, and whenever.
#
#   Sources/Distribution/pack.sh OUT.tar.gz IN-FOLDER NAME
set -euo pipefail
seconds=$("$(dirname "${BASH_SOURCE[0]}")/version.sh" seconds)
tar --directory "$2" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$seconds" --create "$3" |
  gzip --no-name --best > "$1"
