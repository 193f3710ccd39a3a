import Foundation
import MLCCore
import MLCGraph

/// ONNX `MelWeightMatrix` as a constant `[⌊dft_length / 2⌋ + 1, num_mel_bins]`: each column rises from the bin of one
/// frequency to that of the next and falls to that of the one after it, the frequencies being evenly spaced in mel,
/// `2595·log₁₀(1 + f / 700)`. Its inputs must be constants.
package enum ONNXMelWeightMatrix: ONNXOperator {
  package static let types = ["MelWeightMatrix"]
  package static let sinceOpset = 17
  package static var note: String { "constant operands" }

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    guard let columns = try context.integer(0, "num_mel_bins", in: 1...1 << 16),
      let length = try context.integer(1, "dft_length", in: 1...1 << 24),
      let rate = try context.integer(2, "sample_rate", in: 1...1 << 40),
      let low = try context.number(3, "lower_edge_hertz"), let high = try context.number(4, "upper_edge_hertz")
    else { throw Diagnostic("onnx.missing-input", "MelWeightMatrix has five inputs") }
    let rows = length / 2 + 1
    let edges = [low, high].map { 2595 * log1p($0 / 700) / log(10) }
    let step = (edges[1] - edges[0]) / Double(columns + 2)
    let bins = (0..<columns + 2).map { index in
      let hertz = 700 * expm1((Double(index) * step + edges[0]) / 2595 * log(10))
      return (Double(length + 1) * hertz / Double(rate)).rounded(.down)
    }
    guard bins.allSatisfy({ $0 >= 0 && $0 < Double(rows) }), zip(bins, bins.dropFirst()).allSatisfy({ $0 <= $1 }),
      rows * columns <= 1 << 24
    else { throw Diagnostic("onnx.mel-weight-matrix", "\(low) to \(high) Hz do not lie in \(rows) bins") }
    let dtype = try ONNXDataType.dtype(try node.int("output_datatype", default: 1))
    if dtype == .string { throw Diagnostic("onnx.dtype", "strings are no numbers") }
    let values = weights(bins.map { Int($0) }, rows)
    return [context.constant(Tensor(dtype, [rows, columns], values), "mel")]
  }

  private static func weights(_ bins: [Int], _ rows: Int) -> [Double] {
    let columns = bins.count - 2
    var values = [Double](repeating: 0, count: rows * columns)
    for column in 0..<columns {
      let (low, centre, high) = (bins[column], bins[column + 1], bins[column + 2])
      for bin in low..<centre { values[bin * columns + column] = Double(bin - low) / Double(centre - low) }
      values[centre * columns + column] = 1
      for bin in centre..<high { values[bin * columns + column] = Double(high - bin) / Double(high - centre) }
    }
    return values
  }
}
