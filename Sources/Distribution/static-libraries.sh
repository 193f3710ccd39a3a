#!/usr/bin/env bash
# Describes libhdf5 to pkg-config as an archive: as a shared library it brings along what it reads remote files with,
# thirty libraries that mlc never calls. Other libraries stay shared, and go beside the command.
#
#   Sources/Distribution/static-libraries.sh FOLDER
set -euo pipefail
libraries=$1/libraries
mkdir -p "$libraries"
archive=$(pkg-config --libs-only-L hdf5 | sed 's/^-L//; s/ .*//')/libhdf5.a
if [ ! -e "$archive" ]; then exit 0; fi
ln -sf "$archive" "$libraries/libhdf5.a"
# What libhdf5 needs it does not say to those who link its archive.
cat > "$libraries/hdf5.pc" <<PC
Name: HDF5
Description: libhdf5 as an archive
Version: $(pkg-config --modversion hdf5)
Cflags: $(pkg-config --cflags hdf5)
Libs: -L$libraries -lhdf5 -lsz -laec -lz -ldl -lm
PC
