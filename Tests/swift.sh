#!/usr/bin/env bash
# Runs swift, once more where swift itself is killed by a bad access: now and then it is, in libdispatch, as it waits
# for what it started (swiftlang/swift#87033). Tests that crash end it with 1 and are not repeated.
#
#   Tests/swift.sh ARGUMENT…
status=0
swift "$@" || status=$?
[ "$status" = 139 ] || exit "$status"
echo "swift.sh: swift itself crashed; once more: swift $*" >&2
exec swift "$@"
