import MLCCore

/// A reader that libFuzzer gives inputs to.
///
/// Bad input is a `Diagnostic`; a trap, a hang, memory without measure or a diagnostic of kind `bug` is what fuzzing looks for.
struct FuzzTarget: Sendable {
  let name: String
  let mutator: (any Mutator)?
  private let read: @Sendable (UnsafeRawBufferPointer) throws(Diagnostic) -> Void

  init(
    _ name: String,
    _ mutator: (any Mutator)? = nil,
    _ read: @escaping @Sendable (UnsafeRawBufferPointer) throws(Diagnostic) -> Void
  ) {
    (self.name, self.mutator, self.read) = (name, mutator, read)
  }

  func play(_ bytes: UnsafeRawBufferPointer) {
    do throws(Diagnostic) { try read(bytes) } catch {
      guard error.kind != .bug else { fatalError("\(error)") }
    }
  }

  /// One a reader.
  static let all: [FuzzTarget] = [
    json, dim, npy, npz, png, jpeg, jsonTensor,
    protobuf, onnx, onnxExternal, onnxTensor,
    coreML, coreMLManifest,
    keras, kerasArchive, hdf5,
    text, packageManifest, packageInterface, packagePlan, packageProgram,
    settings, labels,
  ]
}
