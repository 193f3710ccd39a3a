import MLCCore
import MLCKernels

// Windows that slide along rows: pooling of plain tensors. What a window reduces falls into columns, each of the
// window's other loops, and a reduction of columns along the row. Columns are made by vectors of `VL` and stand in a
// buffer, with the reduction's identity where the window's guard leaves the data; neighbours share them.

/// Reductions whose windows move by `stride` from one position of `lanes` to the next. Column `j` of a row is what the
/// tap `k` of the position `i` reads where `j = stride·i + dilation·k + offset`.
struct WindowRows {
  var lanes: Axis, tap: Axis
  var stride: Int, dilation: Int, offset: Int
  /// The axis that counts columns.
  var column: Int
  /// By stage; `nil` for one that is no reduction.
  var columns: [Column?] = []

  struct Column {
    var reduction: LoopNest.Reduction
    /// The window's other loops.
    var axes: [Axis]
    /// What is reduced, as a function of the column, wherever `conditions` hold, which do not depend on it.
    var value: Scalar, conditions: [Scalar] = []
    /// The columns that the guard lets pass, where it says so.
    var low: [Dim] = [], high: [Dim] = []
  }

  /// Columns between the first and the last tap of a window, and positions that a buffer is for.
  var span: Int { (tap.extent.constant! - 1) * dilation + 1 }
  var positions: Int {
    let most = Swift.max((Self.buffer - span) / stride + 1, 1)
    return Swift.min(lanes.extent.constant ?? most, most)
  }
  static let buffer = 2048

  /// Whether columns that neighbours share save more than their buffer costs: windows of many elements.
  var sharesColumns: Bool {
    columns.allSatisfy { column in
      column.map { $0.axes.reduce(tap.extent.constant!) { $0 * TaskPlan.extent($1) } >= 16 } ?? true
    }
  }
}

extension NestWriter {
  func windowRows() -> WindowRows? {
    guard let lanes = nest.axes.last, let first = nest.stages.first(where: { $0.isReduction }) else { return nil }
    for tap in first.axes where tap.extent.constant != nil {
      guard let load = first.accesses.first, let last = load.index.last else { continue }
      let x = speller.space.linear(last)
      guard let stride = x.coefficient(of: lanes.id)?.constant, let dilation = x.coefficient(of: tap.id)?.constant,
        let offset = x.rest.constant, x.terms.count == 2, stride > 0, dilation > 0
      else { continue }
      var rows = WindowRows(
        lanes: lanes,
        tap: tap,
        stride: stride,
        dilation: dilation,
        offset: offset,
        column: nest.freshAxis
      )
      guard rows.span <= WindowRows.buffer / 2 else { continue }
      for stage in nest.stages {
        guard case .reduce(let reduction, let axes, let value) = stage else {
          rows.columns.append(nil)
          continue
        }
        guard axes.contains(tap), let column = column(reduction, axes, value, rows) else { return nil }
        rows.columns.append(column)
      }
      return allows(lanes, reducing: false) ? rows : nil
    }
    return nil
  }

  private func column(_ reduction: LoopNest.Reduction, _ axes: [Axis], _ value: Scalar, _ rows: WindowRows)
    -> WindowRows.Column?
  {
    guard reduction.lanes(speller.dtype(value)) == .float, let moved = inColumns(value, rows) else { return nil }
    var column = WindowRows.Column(reduction: reduction, axes: axes.filter { $0 != rows.tap }, value: moved)
    if case .select(let guardian, let inside, let outside) = moved {
      guard case .constant(let number, _) = outside, number == reduction.number else { return nil }
      column.value = inside
      for condition in guardian.conjunction where !column.take(condition, rows.column, speller) { return nil }
    }
    var speller = speller
    speller.name(rows.column, "j")
    let isUniform = speller.isUniform(column.value, rows.column)
    return isUniform || speller.canVectorise(column.value, axis: rows.column) ? column : nil
  }

  /// `value` with the column in place of the two loops that make it up; `nil` where it is not all that it depends on.
  private func inColumns(_ value: Scalar, _ rows: WindowRows) -> Scalar? {
    var fits = true
    func moved(_ index: Index) -> Index {
      let x = speller.space.linear(index)
      if !x.mentions(rows.lanes.id), !x.mentions(rows.tap.id) { return index }
      guard x.coefficient(of: rows.lanes.id) == Dim(rows.stride), x.coefficient(of: rows.tap.id) == Dim(rows.dilation)
      else {
        fits = false
        return index
      }
      let rest = index.substituting([rows.lanes.id: .constant(0), rows.tap.id: .constant(0)])
      return .axis(rows.column) + rest + .constant(-rows.offset)
    }
    let result = value.rewritten { s in
      switch s {
      case .load(let p, let indices): return .load(param: p, indices.map(moved))
      case .index(let i, let t): return .index(moved(i), t)
      case .stage:
        fits = false
        return s
      default: return s
      }
    }
    return fits ? result : nil
  }

  func windows(_ rows: WindowRows) -> CCode {
    let (i, count) = ("i\(rows.lanes.id)", rows.positions)
    let reductions = rows.columns.enumerated().compactMap { k, column in column.map { (k, $0) } }
    let length = (count - 1) * rows.stride + rows.span
    let buffers = reductions.map { k, _ in
      "float row\(k)[\(length) + 2 * VL]" + (rows.stride == 1 ? ";" : ", r\(k)[\(count) + VL];")
    }
    func results(_ part: String?) -> CCode {
      stages(rows.lanes, 1, part) { k in
        let buffer = rows.stride == 1 ? "row\(k)" : "r\(k)"
        return "const V r\(k)_0 = LD(\(buffer) + (\(i) - from));"
      }
    }
    return """
      for (int64_t from = lo; from < hi; from += \(count)) {
        const int64_t count = mlc_min_i64(\(count), hi - from), to = from + count;
        const int64_t first = from * \(rows.stride) + \(rows.offset);
        const int64_t width = (count - 1) * \(rows.stride) + \(rows.span);
        \(CCode(lines: buffers))
        \(reductions.map { k, column in .block(columns(k, column, rows) + alongRow(k, column, rows)) }.joined())
        int64_t \(i) = from;
        for (; \(i) + VL <= to; \(i) += VL) {
          \(results(nil))
        }
        if (\(i) < to) {
          const int64_t part = to - \(i);
          \(results("part"))
        }
      }
      """
  }

  /// Fills the buffer of stage `k` with columns.
  private func columns(_ k: Int, _ column: WindowRows.Column, _ rows: WindowRows) -> CCode {
    let sizes = speller.sizes
    var speller = speller
    speller.name(rows.column, "(first + b)")
    let low = column.low.reduce("0") { "mlc_max_i64(\($0), \(sizes.spell($1)) - first)" }
    let high = column.high.reduce("width") { "mlc_min_i64(\($0), \(sizes.spell($1)) - first)" }
    let identity = LaneType.float.splat(column.reduction.identity(.float32))
    func vector(_ part: String?) -> CCode {
      let value = speller.spell(column.value, .vector(axis: rows.column, part: part))
      let step = "a = \(column.reduction.combine("a", value, .float));"
      let test = column.conditions.map { speller.spell($0) }.joined(separator: " && ")
      return """
        V a = \(identity);
        \(.block(.loops(loops(column.axes), test.isEmpty ? CCode(lines: [step]) : "if (\(test)) \(step)")))
        """
    }
    let fill = "ST(row\(k) + b, \(identity));"
    let made: CCode =
      speller.isUniform(column.value, rows.column)
      ? """
      \(vector(nil))
      for (; b < high; b += VL) ST(row\(k) + b, a);
      """
      : """
      for (; b + VL <= high; b += VL) {
        \(vector(nil))
        ST(row\(k) + b, a);
      }
      if (b < high) {
        \(vector("high - b"))
        ST(row\(k) + b, a);
      }
      """
    return """
      const int64_t low = mlc_min_i64(\(low), width), high = mlc_max_i64(\(high), low);
      int64_t b = 0;
      for (; b < low; b += VL) \(fill)
      b = low;
      \(made)
      for (b = high; b < width + VL; b += VL) \(fill)
      """
  }

  /// Reduces the taps of each window in the buffer of stage `k`, from its first column on.
  private func alongRow(_ k: Int, _ column: WindowRows.Column, _ rows: WindowRows) -> CCode {
    let taps = tapPasses(k, column.reduction, rows) { "width - \($0)" }
    if rows.stride == 1 { return taps }
    return taps + """
      for (b = 0; b < count; b++) r\(k)[b] = row\(k)[b * \(rows.stride)];
      for (; b < count + VL; b++) r\(k)[b] = 0;
      """
  }

  /// Passes over the buffer of stage `k` that reduce the taps of windows, `end` of how far they reach. The greatest and
  /// the least of many are those of twice as many each time.
  func tapPasses(_ k: Int, _ reduction: LoopNest.Reduction, _ rows: WindowRows, until end: (Int) -> String) -> CCode {
    let taps = rows.tap.extent.constant!
    func pass(_ distances: [Int], reach: Int) -> CCode {
      let value = distances.reduce("LD(row\(k) + b)") {
        reduction.combine($0, "LD(row\(k) + b + \($1 * rows.dilation))", .float)
      }
      return "for (b = 0; b < \(end(reach * rows.dilation)); b += VL) ST(row\(k) + b, \(value));"
    }
    if reduction == .sum || reduction == .product {
      return taps > 1 ? pass(Array(1..<taps), reach: taps - 1) : []
    }
    var passes: CCode = []
    var reach = 1
    while reach * 2 <= taps {
      passes += pass([reach], reach: reach * 2 - 1)
      reach *= 2
    }
    return reach < taps ? passes + pass([taps - reach], reach: taps - 1) : passes
  }
}

extension WindowRows.Column {
  /// Takes a condition of the guard; false for one that is no bound of the column and yet depends on it.
  fileprivate mutating func take(_ condition: Scalar, _ column: Int, _ speller: ScalarSpeller) -> Bool {
    if speller.isUniform(condition, column) {
      conditions.append(condition)
      return true
    }
    guard case .compare(let comparison, .index(let index, _), let bound) = condition else { return false }
    let x = speller.space.linear(index)
    guard x.terms == [.axis(column): 1] else { return false }
    switch (comparison, bound) {
    case (.greaterEqual, .integer(0, _)): low.append(-x.rest)
    case (.less, .index(.dim(let extent), _)): high.append(extent - x.rest)
    default: return false
    }
    return true
  }
}

extension Scalar {
  /// The parts that all have to hold for it to.
  var conjunction: [Scalar] {
    if case .binary(.logicalAnd, let a, let b) = self { return a.conjunction + b.conjunction }
    return [self]
  }
}

extension LoopNest.Reduction {
  /// What an empty reduction of floats gives.
  fileprivate var number: Double {
    switch self {
    case .max: -.infinity
    case .min: .infinity
    case .product: 1
    case .sum, .argMax, .argMin: 0
    }
  }
}
