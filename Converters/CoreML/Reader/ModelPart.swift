import CoreMLProto
import MLCCore
import MLCGraph

/// A Core ML model of any type: the outermost of a file, or one of a pipeline.
struct ModelPart: Sendable {
  /// As the user spelled the file.
  let path: String
  /// What a pipeline calls it; else what kind of model it is.
  var name: String
  let spec: MLModelSpec
  let weights: NNWeights
  let blobs: BlobFiles

  var description: CoreML_Specification_ModelDescription { spec.description_p }

  /// What it is called in the schema.
  var kind: String { PartTable.kind(spec) }

  /// A model of this one, a pipeline.
  func part(_ spec: MLModelSpec, _ name: String) -> ModelPart {
    ModelPart(path: path, name: name, spec: spec, weights: weights, blobs: blobs)
  }

  /// A constant of the file. Throws `coreml.weights` and `coreml.constant`.
  func tensor(_ value: MILValue) throws(Diagnostic) -> Tensor {
    let type = try TensorType(value.type)
    guard let shape = type.staticShape, let count = shape.checkedProduct,
      let bytes = type.dtype.byteCount(count), bytes <= maximumTensorBytes
    else { throw Diagnostic("coreml.constant", "a constant has no fixed shape") }
    switch value.value {
    case .blobFileValue(let blob)?: return try blobs.reader(blob.fileName).tensor(type.dtype, shape, at: blob.offset)
    case .immediateValue(let immediate)?:
      guard case .tensor(let elements)? = immediate.value, let tensor = Tensor(elements, type.dtype, shape) else {
        throw Diagnostic("coreml.constant", "a constant's elements do not fit its type \(type)")
      }
      return tensor
    case nil: throw Diagnostic("coreml.constant", "a constant has no value")
    }
  }

  /// The model's own key–value pairs.
  var metadata: [(key: String, value: String)] {
    let source = description.metadata
    let fixed = [
      ("author", source.author), ("description", source.shortDescription), ("license", source.license),
      ("version", source.versionString),
    ]
    let own = source.userDefined.filter { $0.key != CoreMLPackage.noteKey }.sorted { $0.key < $1.key }
    return fixed.filter { !$0.1.isEmpty }.map { (key: $0.0, value: $0.1) } + own.map { (key: $0.key, value: $0.value) }
  }

  /// What mlc wrote, when the package is as mlc wrote it; `nil` when it is somebody else's, or changed since.
  func notedProgram(_ program: MILProgram) throws(Diagnostic) -> Program? {
    guard let text = description.metadata.userDefined[CoreMLPackage.noteKey] else { return nil }
    let note = try ProgramNote(parsing: text)
    guard note.digest == ProgramNote.digest(program) else { return nil }
    var constants: [String: [String: MILValue]] = [:]
    for (name, function) in program.functions {
      for block in function.blockSpecializations.values { Self.collect(block, into: &constants[name, default: [:]]) }
    }
    return try note.program { (function, name) throws(Diagnostic) in
      guard let value = constants[function]?[name] else {
        throw ProgramNote.damaged("there is no constant '\(name)' in function '\(function)'")
      }
      return try tensor(value)
    }
  }

  private static func collect(_ block: MILBlock, into constants: inout [String: MILValue]) {
    for operation in block.operations {
      if operation.type == "const", let value = operation.attributes["val"], let output = operation.outputs.first {
        constants[output.name] = value
      }
      MILCompressedPart.collect(operation, into: &constants)
      for nested in operation.blocks { collect(nested, into: &constants) }
    }
  }
}
