import Foundation
import MLCCore
import MLCImportONNX
import Testing

/// Damaged files give a model or a diagnostic, never anything else.
@Suite struct ONNXRobustnessTests {
  private let files = ["attributes.onnx", "control.onnx", "tensors_small.onnx"]

  /// Reads, and touches every element that was read.
  private func survives(_ bytes: [UInt8]) -> Diagnostic? {
    do throws(Diagnostic) {
      let graph = try ONNXReader.read(storage(bytes), name: "damaged.onnx").graph
      for tensor in graph.initializers.values { _ = tensor.hashValue }
      return nil
    } catch { return error }
  }

  @Test func survivesTruncationAnywhere() throws {
    for file in files {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture(file))))
      #expect(survives(bytes) == nil)
      for length in bytes.indices where survives(Array(bytes[..<length])) == nil {
        // Fields after the graph may be lost without a trace; the graph may not.
        #expect(length > bytes.count * 3 / 4, "\(file) was read from its first \(length) of \(bytes.count) bytes")
      }
    }
  }

  @Test func survivesFlippedBytes() throws {
    var state: UInt64 = 0x9e37_79b9_7f4a_7c15
    func next(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for file in files {
      let original = [UInt8](try Data(contentsOf: URL(fileURLWithPath: fixture(file))))
      var refused = 0
      for _ in 0..<2000 {
        var bytes = original
        for _ in 0...next(3) { bytes[next(bytes.count)] ^= UInt8(1 << next(8)) }
        if survives(bytes) != nil { refused += 1 }
      }
      #expect(refused > 100, "\(file): only \(refused) of 2000 damaged files were refused")
    }
  }
}
