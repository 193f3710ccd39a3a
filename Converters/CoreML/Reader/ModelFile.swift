import CoreMLProto
import Foundation
import MLCCore
import MLCGraph
import MLCProtobuf

/// Opens Core ML models: `.mlpackage` folders and `.mlmodel` files.
enum ModelFile {
  /// Throws `coreml.not-a-model`, `coreml.manifest`, `coreml.malformed`, and `coreml.model-type` for models that hold
  /// what is not in the file.
  static func open(_ path: String) throws(Diagnostic) -> ModelPart {
    let model = try locate(path)
    let file = try MappedFile(path: model)
    defer { withExtendedLifetime(file) {} }
    let (scan, spec) = try decoded(file.bytes)
    let part = ModelPart(
      path: path,
      name: "",
      spec: spec,
      weights: NNWeights(scan, file.storage),
      blobs: BlobFiles(in: URL(fileURLWithPath: model).deletingLastPathComponent().path)
    )
    try OtherModel.refuse(part, scan)
    guard spec.type != nil else { throw Diagnostic("coreml.not-a-model", "the file holds no Core ML model") }
    return part.part(spec, part.kind)
  }

  private static func decoded(_ bytes: UnsafeRawBufferPointer) throws(Diagnostic) -> (ProtobufScan, MLModelSpec) {
    do throws(Diagnostic) {
      let scan = try ProtobufScan(bytes, rules: NNWire.rules, minimumLength: 0, format: "coreml")
      return (scan, try scan.decode(MLModelSpec.self))
    } catch {
      guard error.id == "coreml.malformed", let guess = FileKind.guess(bytes) else { throw error }
      throw Diagnostic("coreml.malformed", "not a Core ML model: it looks like \(guess)", at: error.location)
    }
  }

  /// The file of the model in a package; that is `path` where it is no folder.
  static func locate(_ path: String) throws(Diagnostic) -> String {
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
}
