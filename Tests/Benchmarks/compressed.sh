#!/bin/bash
# Compressed weights beside onnxruntime, one thread: compressed.sh MLC PYTHON CACHE
#
# Products and the decoder stand beside onnxruntime's MatMulNBits in blocks of 32 with float32 arithmetic; ResNet50
# beside its own float32 forms. Ends with resident memory and file sizes.
set -euo pipefail
mlc=$1 python=$2 cache=$3
here=$(dirname "$0") out=$cache/bench/compressed
mkdir -p "$out" "$out/ort-int4"

# compiled NAME MODEL OPTIONS…: compresses and compiles, unless that was done.
compiled() {
  local name=$1 model=$2; shift 2
  [ -d "$out/$name.mlmodelc" ] && return
  if [ $# -gt 0 ]; then
    "$mlc" compress "$model" -o "$out/$name.mlpackage" "$@" > "$out/$name.txt"
    model=$out/$name.mlpackage
  fi
  "$mlc" compile "$model" -o "$out/$name.mlmodelc"
}

# run NAME.mlmodelc, as bench.py --exec wants it
run() { echo "$mlc bench $out/$1.mlmodelc --inputs {inputs_npz} --iterations {repeat} --threads {threads} --json"; }

[ -f "$out/gemv_4096.onnx" ] || "$python" "$here/ort_int4.py" --gemv 4096 "$out/gemv_4096.onnx"
for model in "$out/gemv_4096.onnx" "$cache/zoo/gpt2_decode_256.onnx"; do
  name=$(basename "$model" .onnx)
  [ -f "$out/ort-int4/$name.onnx" ] || "$python" "$here/ort_int4.py" "$model" "$out/ort-int4/$name.onnx"
  compiled "$name-float" "$model"
  compiled "$name-lut4" "$model" --palettize 4
  compiled "$name-int4" "$model" --quantize int4 --block-size 32
  "$python" "$here/bench.py" "$out/ort-int4/$name.onnx" --exec "mlc-float=$(run "$name-float")" \
    --exec "mlc-lut4=$(run "$name-lut4")" --exec "mlc-int4=$(run "$name-int4")"
done

resnet=$cache/zoo/resnet50.onnx
compiled resnet50-float "$resnet"
compiled resnet50-lut4 "$resnet" --palettize 4
compiled resnet50-int8 "$resnet" --quantize int8
"$python" "$here/bench.py" "$resnet" --exec "mlc-float=$(run resnet50-float)" --exec "mlc-int8=$(run resnet50-int8)" \
  --exec "mlc-lut4=$(run resnet50-lut4)"

echo "Megabytes on disk:"
du -sm --apparent-size "$out"/*.mlmodelc
