import MLCCore
import MLCKernels

/// How the outer loops of a nest become tasks.
struct TaskPlan {
  /// Loops that the task number counts, and loops inside a task around the hot one.
  var prefix: [Axis], inner: [Axis]
  /// The innermost outer loop, run in chunks of `chunk`; `nil` when the hot loops are the stages' own.
  var hot: Axis?
  /// Positions of `hot` in one chunk; `nil` when it is not divided.
  var chunk: Int?
  /// Positions of the prefix in one task.
  var group: Int

  /// Scalar operations that make a task worth its start.
  static let grain = 16384
  /// What an extent known only as the program runs is taken for.
  static let guess = 64

  static func extent(_ axis: Axis) -> Int { Swift.max(axis.extent.constant ?? guess, 1) }

  /// `cost` is what one position of all `axes` costs.
  init(_ axes: [Axis], hot: Axis?, cost: Int, multiple: Int) {
    self.hot = hot
    let outer = axes.filter { $0 != hot }
    let hotWork = Self.saturating(cost, hot.map(Self.extent) ?? 1)
    var work = hotWork
    var count = outer.count
    while count > 0, Self.saturating(work, Self.extent(outer[count - 1])) <= Self.grain {
      count -= 1
      work = Self.saturating(work, Self.extent(outer[count]))
    }
    (prefix, inner) = (Array(outer[..<count]), Array(outer[count...]))
    group = Swift.max(1, Self.grain / Swift.max(work, 1))
    if let hot, inner.isEmpty, hotWork > 2 * Self.grain || hot.extent.constant == nil {
      let wanted = Swift.max(1, 2 * Self.grain / Swift.max(cost, 1))
      let rounded = (wanted + multiple - 1) / multiple * multiple
      if rounded < hot.extent.constant ?? Int.max {
        chunk = rounded
        group = 1
      }
    }
  }

  private static func saturating(_ a: Int, _ b: Int) -> Int {
    let (product, overflow) = a.multipliedReportingOverflow(by: b)
    return overflow ? 1 << 60 : product
  }

  /// Positions that tasks count.
  var positions: Dim {
    let chunks = chunk.map { hot!.extent.ceilDiv(Dim($0)) } ?? 1
    return prefix.reduce(chunks) { $0 * $1.extent }
  }
  var tasks: Dim { positions.ceilDiv(Dim(group)) }
}

extension Scalar {
  /// Roughly how many instructions one element takes.
  var cost: Int {
    var sum = 1
    visitNodes {
      switch $0 {
      case .unary(.neg, _), .unary(.abs, _), .unary(.logicalNot, _): sum += 1
      case .unary, .binary(.pow, _, _): sum += 10
      case .binary(.div, _, _), .load: sum += 2
      case .binary, .compare, .select, .cast: sum += 1
      default: break
      }
    }
    return sum
  }
}

extension LoopNest {
  /// Roughly how many instructions one outer position takes.
  var positionCost: Int {
    stages.reduce(0) { sum, stage in
      let count = stage.axes.reduce(1) { Swift.min($0 * TaskPlan.extent($1), 1 << 40) }
      return Swift.min(sum + count * stage.value.cost, 1 << 50)
    }
  }
}
