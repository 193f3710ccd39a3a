import MLCCore
import MLCOps

extension GradientCase {
  static let pool: [GradientCase] = [
    GradientCase("avg_pool.windows") { draw in
      var op = AvgPool()
      let shape = window(&op, &draw)
      op.excludePaddingFromAverage = draw.flag()
      return DrawnOperation(op, draw.reals(shape))
    },
    GradientCase("max_pool.windows") { draw in
      var op = MaxPool()
      let shape = window(&op, &draw)
      op.returnIndices = draw.flag()
      op.columnMajorIndices = op.returnIndices && draw.flag()
      return DrawnOperation(op, draw.distinct(shape))
    },
  ]

  /// Gives `op` a window, and says the shape of what it fits.
  private static func window(_ op: inout some Pooling, _ draw: inout Draw) -> [Int] {
    let window = DrawnWindow(&draw, padding: 0...1)
    (op.kernelSizes, op.strides, op.dilations) = (window.kernel, window.strides, window.dilations)
    (op.pad, op.padType, op.ceilMode) = (window.pad, window.padType, draw.flag())
    return [draw.int(1...2), draw.int(1...2)] + window.data(&draw)
  }
}
