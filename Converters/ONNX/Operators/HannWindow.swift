import Foundation
import MLCCore
import MLCGraph
import MLCOps

/// ONNX `HannWindow`, `HammingWindow` and `BlackmanWindow`, sums of cosines of whole frequencies, as constants. The
/// size must be one. Without a period, a window of one element is NaN (0/0), as the standard's formula has it.
package enum ONNXHannWindow: ONNXOperator {
  package static let types = ["HannWindow", "HammingWindow", "BlackmanWindow"]
  package static var sinceOpset: Int { 17 }
  package static var note: String { "constant size" }

  /// Of the constant, the cosine and the double cosine.
  private static let factors: [String: [Double]] = [
    "HannWindow": [0.5, -0.5, 0], "HammingWindow": [25.0 / 46, -21.0 / 46, 0], "BlackmanWindow": [0.42, -0.5, 0.08],
  ]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let size = try context.integer(0, "size", in: 0...1 << 22), let factors = factors[node.opType] else {
      throw Diagnostic("onnx.missing-input", "input 0 is required")
    }
    let dtype = try ONNXDataType.dtype(try node.int("output_datatype", default: 1))
    if dtype == .string { throw Diagnostic("onnx.dtype", "strings are no numbers") }
    let period = Double(try node.flag("periodic", default: true) ? size : size - 1)
    let values: [Double] = (0..<size).map { n in
      let angle = 2 * Double.pi * Double(n) / period
      let value: Double = factors[0] + factors[1] * cos(angle)
      return value + factors[2] * cos(2 * angle)
    }
    return [context.constant(Tensor(dtype, [size], values), "window")]
  }
}
