import MLCCore
import MLCImportONNX
import MLCTensorIO

/// Tensors in any file that the command takes: those of `TensorFile`, and ONNX' `.pb`.
enum TensorInput {
  /// Throws `format.unknown` with what is accepted for any other content, and what the readers throw.
  static func read(_ path: String) throws(Diagnostic) -> [(name: String, tensor: Tensor)] {
    if path.hasSuffix(".pb") {
      let (name, tensor) = try ONNXTensorFile.read(path)
      return [(name, tensor)]
    }
    do throws(Diagnostic) { return try TensorFile.read(path) } catch {
      guard error.id == "tensor-file.unknown" || error.id == "file.not-a-file" else { throw error }
      let models = SourceFormat.allCases.map { $0.name }.joined(separator: ", ")
      throw Diagnostic(
        "format.unknown",
        "this is neither a model (\(models), a compiled .mlmodelc) nor a file of tensors (.npy, .npz, .json, PNG, "
          + "JPEG, BMP, PNM, .pb)",
        at: Location(file: path)
      )
    }
  }
}
