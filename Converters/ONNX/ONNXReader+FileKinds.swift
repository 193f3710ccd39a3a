extension ONNXReader {
  /// What a file that is not ONNX probably is, by its first bytes.
  static func looks(like bytes: UnsafeRawBufferPointer) -> String? {
    if bytes.isEmpty { return "an empty file" }
    let signatures: [(offset: Int, bytes: [UInt8], name: String)] = [
      (0, [0x89] + Array("HDF\r\n\u{1a}\n".utf8), "HDF5 (Keras .h5)"),
      (0, Array("PK\u{3}\u{4}".utf8), "a zip archive (PyTorch .pt, Keras .keras, .npz)"),
      (0, [0x80, 0x02], "a Python pickle (PyTorch .pth)"),
      (0, [0x80, 0x04], "a Python pickle (PyTorch .pth)"),
      (0, [0x1f, 0x8b], "gzip data"),
      (0, Array("version https://git-lfs".utf8), "a Git LFS pointer; fetch the file itself with 'git lfs pull'"),
      (0, Array("GGUF".utf8), "GGUF (llama.cpp)"),
      (4, Array("TFL3".utf8), "TensorFlow Lite"),
      (4, Array("ORTM".utf8), "ONNX Runtime's own format (.ort)"),
      (8, Array("{\"".utf8), "safetensors"),
      (0, Array("<".utf8), "HTML or XML"),
      (0, Array("{".utf8), "JSON"),
      (0, Array("[".utf8), "JSON"),
    ]
    return signatures.first { bytes.dropFirst($0.offset).starts(with: $0.bytes) }?.name
  }
}
