import Foundation
import MLCCore
import MLCFormatCoreML
import MLCGraph
import MLCPasses
import MLCTraining

/// The trained model as a package: Core ML's, or a compiled one, as its name says.
enum UpdateOutput {
  private static func isCompiled(_ path: String) -> Bool { URL(filePath: path).pathExtension == "mlmodelc" }

  /// Refuses before the work what `write` would refuse after it. Throws `update.output`, `convert.same`, and what
  /// writing refuses.
  static func check(_ path: String, of model: String) throws(Diagnostic) {
    if isCompiled(path) { return try ModelSource.check(compilingTo: path, targets: ["host"], time: nil) }
    guard URL(filePath: path).pathExtension == "mlpackage" else {
      let message = "'\(path)' is neither a .mlpackage nor a .mlmodelc"
      throw Diagnostic("update.output", message, kind: .usage)
    }
    guard path != model else {
      throw Diagnostic("convert.same", "the result would replace the model; name another with -o", kind: .usage)
    }
    try CoreMLPackage.check(path)
  }

  /// What Core ML's operators say otherwise than the model did, a sentence each. A Core ML model that says how it
  /// learns stays what it is but for what it learnt. The package appears whole or not at all.
  static func write(_ source: ModelSource, to path: String) throws(Diagnostic) -> [String] {
    if isCompiled(path) {
      _ = try source.compile(to: path, targets: ["host"])
      return []
    }
    if let learning = source.program.learning?.learning, try PathKind(source.path) == .source(.coreML) {
      try CoreMLPackage.write(source.path, learning, learnt: source.program.main.parameterContents, to: path)
      return []
    }
    var source = source
    source.program = source.program.withoutLearning()
    for index in source.program.functions.indices {
      try PassPipeline([]).run(&source.program.functions[index], options: source.passOptions)
    }
    let options = CoreMLWriteOptions(isStrict: false)
    let report = try CoreMLPackage.write(pipeline: [source.part], to: path, options: options)
    return report.notes
      + report.refusals.map { "Apple's loader would refuse \($0.op) (\(abridged($0.nodes, 3))): \($0.reason)" }
  }
}
