import MLCCore
import MLCKernels

// Windows on small pictures: several rows go through one buffer, one behind the other, so that what is done along rows
// is done along all of them at once.

/// Rows of windows at positions of `axis`, at most `count` at a time. Each has `width` columns, from a multiple of
/// `pitch` on in the buffer; so that one of each stride is taken from all rows at once, `pitch` is a multiple of it.
struct WindowRowGroup {
  var axis: Axis, count: Int, width: Int, pitch: Int
}

extension NestWriter {
  /// Vectors that hold a row's columns at most.
  private static let rowVectors = 8

  func rowGroup(_ rows: WindowRows) -> WindowRowGroup? {
    guard nest.axes.count > 1, let extent = rows.lanes.extent.constant else { return nil }
    let axis = nest.axes[nest.axes.count - 2]
    let width = (extent - 1) * rows.stride + rows.span
    let pitch = (width + rows.stride - 1) / rows.stride * rows.stride
    let count = Swift.min(WindowRows.buffer / pitch, axis.extent.constant ?? .max)
    let fits = rows.columns.allSatisfy { column in
      guard let column else { return true }
      guard let range = columnRange(column, rows, width) else { return false }
      return range.count <= Self.rowVectors * lanes
    }
    return fits && count > 1 ? WindowRowGroup(axis: axis, count: count, width: width, pitch: pitch) : nil
  }

  /// The columns of a row's buffer that hold data; `nil` where sizes decide them.
  private func columnRange(_ column: WindowRows.Column, _ rows: WindowRows, _ width: Int) -> Range<Int>? {
    let (low, high) = (column.low.compactMap(\.constant), column.high.compactMap(\.constant))
    guard low.count == column.low.count, high.count == column.high.count else { return nil }
    let first = Swift.min(low.reduce(0) { Swift.max($0, $1 - rows.offset) }, width)
    return first..<Swift.max(high.reduce(width) { Swift.min($0, $1 - rows.offset) }, first)
  }

  func windows(_ rows: WindowRows, _ group: WindowRowGroup) -> CCode {
    let (i, y, n) = ("i\(rows.lanes.id)", "i\(group.axis.id)", rows.lanes.extent.constant!)
    let reductions = rows.columns.enumerated().compactMap { k, column in column.map { (k, $0) } }
    let length = group.count * group.pitch + rows.span
    let buffers = reductions.map { k, _ in
      "float row\(k)[\(length) + 2 * VL]" + (rows.stride == 1 ? ";" : ", r\(k)[\(length / rows.stride) + 2 * VL];")
    }
    let made = reductions.map { k, column -> CCode in
      .block(
        """
        int64_t b;
        \(columns(k, column, rows, group))
        \(tapPasses(k, column.reduction, rows) { _ in "total" })
        \(rows.stride == 1 ? [] : spread(k, rows))
        """
      )
    }
    func results(_ part: String?) -> CCode {
      stages(rows.lanes, 1, part) { k in
        let buffer = rows.stride == 1 ? "row\(k)" : "r\(k)"
        return "const V r\(k)_0 = LD(\(buffer) + (r * \(group.pitch / rows.stride) + \(i)));"
      }
    }
    return """
      for (int64_t from = lo; from < hi; from += \(group.count)) {
        const int64_t rows = mlc_min_i64(\(group.count), hi - from), total = rows * \(group.pitch);
        \(CCode(lines: buffers))
        \(made.joined())
        for (int64_t r = 0; r < rows; r++) {
          const int64_t \(y) = from + r;
          int64_t \(i) = 0;
          for (; \(i) + VL <= \(n); \(i) += VL) {
            \(results(nil))
          }
          if (\(i) < \(n)) {
            const int64_t part = \(n) - \(i);
            \(results("part"))
          }
        }
      }
      """
  }

  /// Fills the rows of the buffer of stage `k` with columns, and what follows them with the reduction's identity.
  private func columns(_ k: Int, _ column: WindowRows.Column, _ rows: WindowRows, _ group: WindowRowGroup) -> CCode {
    let range = columnRange(column, rows, group.width)!
    let identity = LaneType.float.splat(column.reduction.identity(.float32))
    let vectors = (range.count + lanes - 1) / lanes
    let steps = (0..<vectors).map { u -> String in
      var shifted = speller
      shifted.name(rows.column, "(\(range.lowerBound + u * lanes + rows.offset))")
      let isPart = (u + 1) * lanes > range.count
      let mode = ScalarSpeller.Mode.vector(axis: rows.column, part: isPart ? "\(range.count % lanes)" : nil)
      return "a\(u) = \(column.reduction.combine("a\(u)", shifted.spell(column.value, mode), .float));"
    }
    let test = column.conditions.map { speller.spell($0) }.joined(separator: " && ")
    let taken: CCode = test.isEmpty ? CCode(lines: steps) : .block("if (\(test))", CCode(lines: steps))
    let fill = "for (b = 0; b < \(range.lowerBound); b += VL) ST(row + b, \(identity));"
    return """
      for (int64_t r = 0; r < rows; r++) {
        const int64_t i\(group.axis.id) = from + r;
        float *const row = row\(k) + r * \(group.pitch);
        \(range.lowerBound > 0 ? fill : "")
        \(CCode(lines: (0..<vectors).map { "V a\($0) = \(identity);" }))
        \(.loops(loops(column.axes), taken))
        \(CCode(lines: (0..<vectors).map { "ST(row + \(range.lowerBound + $0 * lanes), a\($0));" }))
        for (b = \(range.upperBound); b < \(group.pitch); b += VL) ST(row + b, \(identity));
      }
      for (b = total; b < total + \(rows.span) + VL; b += VL) ST(row\(k) + b, \(identity));
      """
  }

  /// Takes one of each `stride` results of stage `k`.
  private func spread(_ k: Int, _ rows: WindowRows) -> CCode {
    """
    for (b = 0; b < total / \(rows.stride); b++) r\(k)[b] = row\(k)[b * \(rows.stride)];
    for (; b < total / \(rows.stride) + VL; b++) r\(k)[b] = 0;
    """
  }
}
