#!/usr/bin/env bash
# Writes a Debian package of an installed tree.
#
#   Sources/Distribution/debian.sh STAGED-FOLDER OUT-FOLDER
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
version=$("$here/version.sh")
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/DEBIAN" "$work/usr"
cp -R "$1/." "$work/usr/"
gzip --no-name --best "$work"/usr/share/man/man1/*
cp "$work/usr/share/doc/mlc/THIRD-PARTY" "$work/usr/share/doc/mlc/copyright"
cat "$1/share/doc/mlc/LICENSE" >> "$work/usr/share/doc/mlc/copyright"

# The newest version of the C library that anything in the package asks for.
libc=$(find "$work/usr/bin" "$work/usr/lib" -type f -exec objdump -T {} + 2> /dev/null |
  grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -uV | tail -1)
cat > "$work/DEBIAN/control" <<CONTROL
Package: mlc
Version: $version
Architecture: $architecture
Maintainer: The mlc project <mlc@localhost>
Installed-Size: $(du -sk "$work/usr" | cut -f1)
Depends: libc6 (>= $libc)
Recommends: clang | gcc, lld
Section: devel
Priority: optional
Description: ahead-of-time compiler for machine-learning models
 Reads ONNX, Keras and Core ML models and writes packages of native code for the
 processors that are named, each checked against a reference interpreter.
CONTROL
SOURCE_DATE_EPOCH=$("$here/version.sh" seconds) dpkg-deb --root-owner-group --build "$work" \
  "$2/mlc_${version}_$architecture.deb" > /dev/null
