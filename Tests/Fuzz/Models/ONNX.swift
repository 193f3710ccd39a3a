import FuzzSupport
import Glibc
import MLCCore
import MLCImportONNX

extension FuzzTarget {
  static let onnx = FuzzTarget("onnx", ProtobufMutator()) { (bytes) throws(Diagnostic) in try importONNX(bytes, nil) }

  /// With files beside the model: `data.bin`, 4096 zeros, `sub/data.bin`, and a link out of the folder.
  static let onnxExternal = FuzzTarget("onnx-external", ProtobufMutator()) { (bytes) throws(Diagnostic) in
    try importONNX(bytes, externalFolder)
  }

  static let onnxTensor = FuzzTarget("onnx-tensor", ProtobufMutator()) { (bytes) throws(Diagnostic) in
    _ = try ONNXTensorFile.read(Scratch.file(bytes, "pb"))
  }

  private static func importONNX(_ bytes: UnsafeRawBufferPointer, _ folder: String?) throws(Diagnostic) {
    let model = try ONNXReader.read(Storage(copying: bytes), name: "model.onnx", folder: folder)
    try Exercise.run(try ONNXImporter(file: "model.onnx").program(model), of: bytes)
  }

  private static let externalFolder: String = {
    let folder = "\(Scratch.folder)/external"
    for path in [folder, "\(folder)/sub"] { Scratch.makeFolder(path) }
    for name in ["data.bin", "sub/data.bin"] {
      [UInt8](repeating: 0, count: 4096).withUnsafeBytes { Scratch.write($0, to: "\(folder)/\(name)") }
    }
    symlink("/etc/hostname", "\(folder)/out.bin")
    return folder
  }()
}
