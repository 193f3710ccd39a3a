"""Random graphs composed of ONNX' operators, each node judged by onnxruntime as it is drawn."""
