import CoreMLProto
import MLCCore
import MLCGraph

/// Core ML's models: `.mlpackage` folders and `.mlmodel` files.
package enum CoreMLPackage {
  /// The key of the metadata that holds what the format cannot say (`ProgramNote`).
  static let noteKey = "com.mlc.program"

  /// Writes `program` to `path`, a new folder or one that replaces an older package, whole or not at all.
  ///
  /// Weights stream from where they lie. Equal programs give equal packages. What Apple's loader would refuse is in the
  /// report; the package still holds it, and `read` gives back the same program. Throws `file.write`, and
  /// `coreml.target` for compressed weights that the deployment target cannot have.
  package static func write(
    _ program: Program,
    to path: String,
    options: CoreMLWriteOptions = .init()
  ) throws(Diagnostic) -> CoreMLReport {
    try PackageWriter([CoreMLPart("main", program)], options).write(to: path)
  }

  /// Writes several models as a pipeline, each of which takes by name what the caller or one before it gives; one is
  /// written as itself. Throws as `write(_:to:options:)` does, and `coreml.pipeline`.
  package static func write(
    pipeline parts: [CoreMLPart],
    to path: String,
    options: CoreMLWriteOptions = .init()
  ) throws(Diagnostic) -> CoreMLReport {
    try PackageWriter(parts, options).write(to: path)
  }

  /// Refuses before the work what `write` would refuse of `path` after it. Throws `file.write`.
  package static func check(_ path: String) throws(Diagnostic) { try PackageFolder.check(path) }

  /// Reads the model at `path`, a package or a lone `.mlmodel`, of any type.
  ///
  /// A package that `write` made, and whose program nobody changed since, gives the very program that was written. Any
  /// other is imported: compressed weights stay compressed, parameters become attributes. Weights are views into the
  /// mapped file. Custom layers of networks mean what `custom` says. With `updatable`, what a model learns becomes
  /// parameters of the first function, and the program says how, where the model can be updated and mlc knows how.
  /// Throws `coreml.…` of kind `unsupported` for what is in Apple's systems alone and for unknown operators or layers
  /// (all of them in one table), of kind `badModel` for damaged files.
  package static func read(
    _ path: String,
    custom: CustomLayers = CustomLayers(),
    updatable: Bool = false
  ) throws(Diagnostic) -> Program {
    try locating(Location(file: path)) { () throws(Diagnostic) in
      let model = try ModelFile.open(path)
      guard case .mlProgram(let program)? = model.spec.type else {
        return try PartImporter(model, custom, isUpdatable: updatable).program()
      }
      if var noted = try model.notedProgram(program) {
        // Whoever edits a package's words leaves its program as it is.
        if Set(noted.metadata.map { [$0.key, $0.value] }) != Set(model.metadata.map { [$0.key, $0.value] }) {
          noted.metadata = model.metadata
        }
        return noted
      }
      return try MILImporter(model, program).program()
    }
  }

  /// Throws `graph.repeated-name` for two inputs of one name.
  static func requireDistinct(inputs names: [String]) throws(Diagnostic) {
    guard let twice = names.firstRepeated else { return }
    throw Diagnostic("graph.repeated-name", "there are two inputs '\(twice)'")
  }
}
