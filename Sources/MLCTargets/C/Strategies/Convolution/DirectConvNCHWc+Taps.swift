import MLCCore
import MLCKernels

/// Taps that meet padding alone are passed over: rows of them for a tile near the upper or lower edge, and columns
/// where the padding is wide.
extension DirectConvNCHWc {
  /// Rows of outputs above which the rows of taps that meet padding are a small part of all.
  private static let manyRows = 32

  var passesRows: Bool {
    guard convolution.fill == 0, convolution.kernel.h > 1, convolution.top + convolution.bottom > 0 else {
      return false
    }
    return convolution.isWidelyPadded || grid.rows.constant.map { $0 <= DirectConvNCHWc.manyRows } ?? false
  }
  var passesColumns: Bool { convolution.isWidelyPadded && convolution.kernel.w > 1 }

  var tapParameters: String {
    (passesRows ? ", int64_t kh0, int64_t kh1" : "") + (passesColumns ? ", int64_t kw0, int64_t kw1" : "")
  }
  var tapArguments: String { (passesRows ? ", kh0, kh1" : "") + (passesColumns ? ", kw0, kw1" : "") }

  /// Declares the rows of taps, `kh0 ..< kh1`, that some of `count` rows of outputs from `y` on need.
  func rowTaps(_ y: String, count: Int) -> CCode {
    guard passesRows else { return [] }
    return taps("kh", convolution.spans[0], extent: problem.x.shape[2], first: y, count: count)
  }

  /// The same for columns: `kw0 ..< kw1`.
  func columnTaps(_ x: String, count: Int) -> CCode {
    guard passesColumns else { return [] }
    return taps("kw", convolution.spans[1], extent: problem.x.shape[3], first: x, count: count)
  }

  private func taps(_ name: String, _ span: Convolution.Span, extent: Dim, first: String, count: Int) -> CCode {
    let (gap, step) = (span.dilation, span.stride)
    let begin = "\(span.low + gap - 1) - (\(first) + \(count - 1)) * \(step)"
    let end = "\(writer.spell(extent)) + \(span.low + gap - 1) - \(first) * \(step)"
    return """
      const int64_t \(name)0 = mlc_min_i64(\(span.kernel), mlc_max_i64(0, \(begin)) / \(gap));
      const int64_t \(name)1 = mlc_max_i64(\(name)0, mlc_min_i64(\(span.kernel), (\(end)) / \(gap)));
      """
  }

  /// Taps that a tile needs on average, where extents are known.
  var tapsOfTile: Double {
    func taps(_ span: Convolution.Span, _ outputs: Dim, _ inputs: Dim, isPassing: Bool) -> Double {
      guard isPassing, let outputs = outputs.constant, let inputs = inputs.constant, outputs > 0 else {
        return Double(span.kernel)
      }
      let met = (0..<span.kernel).map { tap in
        (0..<outputs).count { (0..<inputs).contains($0 * span.stride - span.low + tap * span.dilation) }
      }
      return Double(met.reduce(0, +)) / Double(outputs)
    }
    return taps(convolution.spans[0], problem.rows, problem.x.shape[2], isPassing: passesRows)
      * taps(convolution.spans[1], problem.columns, problem.x.shape[3], isPassing: passesColumns)
  }
}
