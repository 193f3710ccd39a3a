import ArgumentParser
import MLCCore

@testable import mlc

extension FuzzTarget {
  /// `mlc.json`, for a model that it may name.
  static let settings = FuzzTarget("settings", JSONMutator()) { (bytes) throws(Diagnostic) in
    _ = try ModelSettings(try JSON(parsing: bytes), model: "a.onnx") { $0 == "a.onnx" || $0 == "b.keras" }
  }

  /// Names of classes, for a line of text and for scores.
  static let labels = FuzzTarget("labels", WordMutator(dictionary: ["\n", "\r\n", "\u{2028}", "blank"])) {
    (bytes) throws(Diagnostic) in
    let metadata = ["classes": String(decoding: bytes, as: UTF8.self)]
    for options in options {
      _ = try options.reading(of: Tensor([1, 2, 4], floats: [0, 1, 0, 0, 0.5, 0, 0, 0.5]), metadata: metadata)
    }
  }

  private static let options: [LabelOptions] = [["--ctc"], ["--top", "2"]].map {
    guard let options = try? LabelOptions.parse($0 + ["--labels", "metadata:classes"]) else { fatalError("\($0)") }
    return options
  }
}
