import CoreMLProto
import Foundation
import MLCCore
import MLCGraph
import MLCProtobuf

/// A Core ML model opened: its ML program or neural network, its description, and the constants beside it.
struct ModelFile: Sendable {
  enum Content: Sendable {
    case program(MILProgram)
    case network(NNModel)
  }

  /// As the user spelled it.
  let path: String
  let content: Content
  let description: CoreML_Specification_ModelDescription
  private let folder: String
  private let blobs = BlobFiles()

  /// Throws `coreml.not-a-model`, `coreml.manifest`, `coreml.malformed`, and `coreml.model-type` for other types of
  /// models.
  init(_ path: String) throws(Diagnostic) {
    let model = try Self.locate(path)
    self.path = path
    folder = URL(fileURLWithPath: model).deletingLastPathComponent().path
    let file = try MappedFile(path: model)
    defer { withExtendedLifetime(file) {} }
    let (scan, spec) = try Self.decoded(file.bytes)
    if let other = scan.payloads(in: spec.unknownFields).first { throw OtherModel.refusal(other.field) }
    description = spec.description_p
    if case .mlProgram(let program)? = spec.type {
      content = .program(program)
    } else if let network = NNModel(spec, NNWeights(scan, file.storage)) {
      content = .network(network)
    } else {
      throw Diagnostic("coreml.not-a-model", "the file holds no Core ML model")
    }
  }

  private static func decoded(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) -> (ProtobufScan, MLModelSpec) {
    do throws(Diagnostic) {
      let scan = try ProtobufScan(bytes, rules: rules, minimumLength: 0, format: "coreml")
      return (scan, try scan.decode(MLModelSpec.self))
    } catch {
      guard error.id == "coreml.malformed", let guess = FileKind.guess(bytes) else { throw error }
      throw Diagnostic("coreml.malformed", "not a Core ML model: it looks like \(guess)", at: error.location)
    }
  }

  private static func locate(_ path: String) throws(Diagnostic) -> String {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw Diagnostic("file.open", "cannot open '\(path)': there is nothing there")
    }
    guard isFolder.boolValue else { return path }
    let manifest = try MappedFile(path: "\(path)/Manifest.json")
    guard manifest.bytes.count <= 1 << 20 else {
      throw Diagnostic("coreml.manifest", "Manifest.json is larger than a megabyte")
    }
    let item = try PackageManifest.modelPath(Data(manifest.bytes))
    guard let model = PackagePath.resolve(item, in: "\(path)/Data") else {
      throw Diagnostic("coreml.manifest", "the model '\(item)' is not in the package")
    }
    return model
  }

  /// Types of models that are not read stay undecoded, and the weights of neural networks where they are.
  private static let rules = OtherModel.table.map { ProtobufScan.Rule(0, $0.field, nil) } + NNWire.rules

  /// A constant of the file. Throws `coreml.weights` and `coreml.constant`.
  func tensor(_ value: MILValue) throws(Diagnostic) -> Tensor {
    let type = try TensorType(value.type)
    guard let shape = type.staticShape, let count = shape.checkedProduct,
      let bytes = type.dtype.byteCount(count), bytes <= maximumTensorBytes
    else { throw Diagnostic("coreml.constant", "a constant has no fixed shape") }
    switch value.value {
    case .blobFileValue(let blob)?:
      return try blobs.reader(blob.fileName, in: folder).tensor(type.dtype, shape, at: blob.offset)
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
