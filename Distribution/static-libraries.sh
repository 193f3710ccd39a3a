#!/usr/bin/env bash
# Collects the archives of the libraries that mlc links, in a folder that the linker looks through first, so that they
# go into the command. What has no archive on this system is linked as a shared library and goes beside the command.
#
#   Distribution/static-libraries.sh FOLDER
set -euo pipefail
libraries=$1/libraries
mkdir -p "$libraries"
collect() { [ ! -e "$1" ] || ln -sf "$1" "$libraries/$2"; }
for name in protobuf png16 jpeg zip z sz aec stdc++; do
  collect "$(clang -print-file-name="lib$name.a")" "lib$name.a"
done

# What libhdf5 needs it does not say to those who link its archive.
hdf5=$(pkg-config --variable=libdir hdf5)
collect "$hdf5/libhdf5.a" libhdf5.a
if [ -e "$libraries/libhdf5.a" ]; then
  cat > "$libraries/hdf5.pc" <<PC
Name: HDF5
Description: libhdf5 as an archive
Version: $(pkg-config --modversion hdf5)
Cflags: $(pkg-config --cflags hdf5)
Libs: -L$libraries -lhdf5 -lsz -laec -lz -ldl -lm
PC
fi
