import Foundation
import MLCCore
import MLCGraph
import MLCPackage

/// A source model, read.
struct ModelSource {
  let path: String
  var program: Program

  /// Reads `path` with these shapes bound.
  ///
  /// Throws `file.missing`, `format.unknown` and `format.compiled` for what is no source model, `input.dtype` when a binding
  /// names another element type than the model, and what the format's reader throws.
  static func load(_ path: String, inputs: [String: InputBinding] = [:]) throws(Diagnostic) -> ModelSource {
    let kind = try PathKind(path)
    guard case .source(let format) = kind else { throw refusal(path, kind) }
    let bindings = inputs.mapValues { TensorType($0.dtype ?? .float32, $0.shape) }
    let program = try format.read(path, bindings: bindings)
    for input in program.main.inputs {
      let (name, type) = (program.main[input].name, program.main.type(input))
      guard let wanted = inputs[name]?.dtype, wanted != type.dtype else { continue }
      throw Diagnostic(
        "input.dtype",
        "--input \(name): the model takes \(type.dtype.rawValue), not \(wanted.rawValue)",
        kind: .usage
      )
    }
    return ModelSource(path: path, program: program)
  }

  /// Why `path` is no source model, and what would be.
  private static func refusal(_ path: String, _ kind: PathKind) -> Diagnostic {
    let accepted = SourceFormat.allCases.map { $0.name }.joined(separator: " or ")
    if kind == .compiled {
      return Diagnostic(
        "format.compiled",
        "'\(path)' is a compiled package; this needs its source, \(accepted)",
        kind: .usage
      )
    }
    return Diagnostic("format.unknown", "'\(path)' is no model that mlc reads: give \(accepted)")
  }

  /// SHA-256 of the file; empty for a folder.
  var digest: String {
    guard let file = try? MappedFile(path: path) else { return "" }
    return withExtendedLifetime(file) { SHA256.hexDigest(file.bytes) }
  }

  /// `path` with another suffix: where results go by default.
  func sibling(_ suffix: String) -> String {
    URL(filePath: path).deletingPathExtension().appendingPathExtension(suffix).relativePath
  }
}

extension Function {
  /// The inputs as a caller sees them.
  var inputPorts: [FunctionInterface.Port] { inputs.map { .init(self[$0].name, type($0)) } }
  var outputPorts: [FunctionInterface.Port] { zip(outputNames, outputs).map { .init($0, type($1)) } }
}
