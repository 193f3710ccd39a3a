#!/usr/bin/env bash
# Reads the text in Examples/text-line.png with a trained recogniser, from its ONNX file to native code.
#
#   Examples/read-text-line.sh [MLC] [MODEL.onnx]
#
# The recogniser takes a line of text 48 pixels high and of any width, with pixels in -1 … 1, and answers for each of
# the columns that it sees a probability for every character. Its alphabet is in the model's metadata.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mlc=${1:-.build/release/mlc}
model=${2:-.cache/models/ppocr-recogniser.onnx}
out=.cache/demo
mkdir -p "$out"

step() {
  echo
  echo "\$ $*"
  "$@"
}

step "$mlc" convert "$model" -o "$out/recogniser.mlpackage" --input x=1,3,48,width
step "$mlc" compile "$out/recogniser.mlpackage" -o "$out/recogniser.mlmodelc" --target host
step "$mlc" verify "$out/recogniser.mlpackage" "$out/recogniser.mlmodelc" --input x=1,3,48,320
step "$mlc" predict "$out/recogniser.mlmodelc" --input x=Examples/text-line.png \
  --image-mean 127.5 --image-std 127.5 --labels metadata:character --ctc
