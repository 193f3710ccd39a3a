import FuzzSupport
import MLCCore
import MLCImage
import MLCTensorIO

extension FuzzTarget {
  /// `.npy`: what is written reads back as the same.
  static let npy = FuzzTarget("npy", NPYMutator()) { (bytes) throws(Diagnostic) in
    let tensor = try NPY.decode(Storage(copying: bytes))
    let again = try NPY.decode(try NPY.encode(tensor))
    precondition(again == tensor, "an array reads back as another")
  }

  static let npz = FuzzTarget("npz", ZipMutator { _ in NPYMutator() }) { (bytes) throws(Diagnostic) in
    _ = try NPZ.decode(Storage(copying: bytes))
  }

  static let png = FuzzTarget("png", PNGMutator()) { (bytes) throws(Diagnostic) in try decode(bytes) }

  static let jpeg = FuzzTarget("jpeg") { (bytes) throws(Diagnostic) in try decode(bytes) }

  static let bmp = FuzzTarget("bmp") { (bytes) throws(Diagnostic) in try decode(bytes) }

  static let pnm = FuzzTarget("pnm", nil, texts: ["P1 2 1 01", "P2\n# grey\n1 2 9 0 9", "P3 1 1 65535 1 2 3"]) {
    (bytes) throws(Diagnostic) in try decode(bytes)
  }

  /// JSON of tensors: what is written reads back.
  static let jsonTensor = FuzzTarget(
    "json-tensor",
    JSONMutator(),
    texts: ["[[1, 2], [3, 4]]", #"{"x": [1.5, NaN, -Infinity], "flags": [true, false]}"#, "[]"]
  ) { (bytes) throws(Diagnostic) in
    for (_, tensor) in try JSONTensor.decode(Storage(copying: bytes)) {
      let text = Array(JSONTensor.encode(tensor).utf8)
      let again = try JSONTensor.decode(text.withUnsafeBytes { Storage(copying: $0) })
      precondition(again.count == 1 && again[0].tensor.count == tensor.count, "a tensor reads back as another")
    }
  }

  /// As the file is, and small pictures in grey and in colours too.
  private static func decode(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) {
    let storage = Storage(copying: bytes)
    let tensor = try ImageFile.decode(storage)
    if tensor.count < 1 << 12 { for channels in [1, 3] { _ = try ImageFile.decode(storage, channels: channels) } }
  }
}
