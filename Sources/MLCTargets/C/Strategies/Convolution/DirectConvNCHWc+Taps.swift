import MLCCore
import MLCKernels

/// Taps that meet padding alone are passed over: planes of them, as padding along depth is not stored, rows for a tile
/// near the upper or lower edge, and columns where the padding is wide.
extension DirectConvNCHWc {
  /// Rows of outputs above which the rows of taps that meet padding are a small part of all.
  private static let manyRows = 32

  var passesRows: Bool {
    guard convolution.fill == 0, convolution.top + convolution.bottom > 0 else { return false }
    let areFew = grid.rows.constant.map { $0 <= DirectConvNCHWc.manyRows } ?? false
    return convolution.isWidelyPadded || convolution.kernel.h > 1 && areFew
  }
  var passesColumns: Bool { convolution.isWidelyPadded && convolution.left + convolution.right > 0 }
  /// Whether a tile may need none of its taps, or some.
  var passesTaps: Bool { writer.passesPlanes || passesRows || passesColumns }

  var tapParameters: String {
    writer.planeParameters + (passesRows ? ", int64_t kh0, int64_t kh1" : "")
      + (passesColumns ? ", int64_t kw0, int64_t kw1" : "")
  }
  var tapArguments: String {
    writer.planeArguments + (passesRows ? ", kh0, kh1" : "") + (passesColumns ? ", kw0, kw1" : "")
  }

  /// Declares the rows of taps, `kh0 ..< kh1`, that some of `count` rows of outputs from `y` on need.
  func rowTaps(_ y: String, count: Int) -> CCode {
    guard passesRows else { return [] }
    return writer.taps("kh", rowSpan, extent: problem.x.rows, first: y, count: count)
  }

  /// The same for columns: `kw0 ..< kw1`.
  func columnTaps(_ x: String, count: Int) -> CCode {
    guard passesColumns else { return [] }
    return writer.taps("kw", columnSpan, extent: problem.x.columns, first: x, count: count)
  }

  private var rowSpan: Convolution.Span { convolution.spans[convolution.spans.count - 2] }
  private var columnSpan: Convolution.Span { convolution.spans[convolution.spans.count - 1] }

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
    let planes = convolution.depth == nil ? [] : [convolution.spans[0]]
    return planes.reduce(1) { $0 * taps($1, problem.planes, problem.x.depth, isPassing: writer.passesPlanes) }
      * taps(rowSpan, problem.rows, problem.x.rows, isPassing: passesRows)
      * taps(columnSpan, problem.columns, problem.x.columns, isPassing: passesColumns)
  }
}
