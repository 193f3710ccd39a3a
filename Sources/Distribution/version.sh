#!/usr/bin/env bash
# Prints the version of mlc, which stands in Sources/mlc/MLC.swift alone; with 'date' the day, with 'seconds' the second,
# of what is checked out, or of SOURCE_DATE_EPOCH.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
seconds=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2> /dev/null || date +%s)}
case ${1:-} in
  '') sed -n 's/.*static let version = "\(.*\)"/\1/p' "$root/Sources/mlc/MLC.swift" ;;
  date) date --utc --date "@$seconds" +%Y-%m-%d ;;
  seconds) echo "$seconds" ;;
esac
