import Foundation
import GraphFuzzing
import MLCCompiler
import MLCCore
import MLCGraph
import MLCImportONNX

/// Small ONNX models with inputs: folders with `model.onnx` and `test_data_set_0/input_N.pb`.
struct SeedModels {
  private let folder: String
  private let names: [String]

  /// None where `folder` is `nil` or absent.
  init(_ folder: String?) {
    self.folder = folder ?? ""
    names = folder == nil ? [] : ((try? FileManager.default.contentsOfDirectory(atPath: self.folder)) ?? []).sorted()
  }

  /// A model that mlc reads, `nil` when ten tries find none.
  func pick(_ random: inout SeededGenerator) -> GraphCase? {
    guard !names.isEmpty else { return nil }
    for _ in 0..<10 {
      let name = names[Int(random.next() % UInt64(names.count))]
      if let item = try? read(name) { return item }
    }
    return nil
  }

  private func read(_ name: String) throws(Diagnostic) -> GraphCase {
    let function = try ONNXImporter.read("\(folder)/\(name)/model.onnx").main
    var inputs: [Tensor] = []
    while case let path = "\(folder)/\(name)/test_data_set_0/input_\(inputs.count).pb",
      FileManager.default.fileExists(atPath: path)
    { inputs.append(try ONNXTensorFile.read(path).tensor) }
    return GraphCase(name, function, [inputs])
  }
}
