import MLCCore
import MLCGraph
import MLCOps

/// `MaxPooling…`, `AveragePooling…`: the greatest element or the mean of each window, padding not counted.
package struct KerasPooling: KerasLayer {
  package static let classNames: [String] = ["Max", "Average"].flatMap { kind in
    ["1D", "2D", "3D"].flatMap { ["\(kind)Pooling\($0)", "\(kind == "Average" ? "Avg" : kind)Pool\($0)"] }
  }

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let size = try call.config.ints("pool_size", count: rank) ?? [Int](repeating: 2, count: rank)
    var window = try KerasWindow(call.config, rank: rank, kernel: size, pools: true)
    let x = try context.spatial(try call.input(), rank: rank, isChannelsFirst: window.isChannelsFirst)
    try window.settle("pool", kernel: size.map { Dim($0) }, input: Array(context.fact(x).shape[2...]))
    let value: ValueID
    if call.layer.className.hasPrefix("Max") {
      var op = MaxPool()
      KerasPooling.set(&op, size, window)
      value = try context.emit(op, x)
    } else {
      var op = AvgPool()
      op.excludePaddingFromAverage = true
      KerasPooling.set(&op, size, window)
      value = try context.emit(op, x)
    }
    return [context.spatialResult(value, isChannelsFirst: window.isChannelsFirst)]
  }

  private static func set<Op: Pooling>(_ op: inout Op, _ size: [Int], _ window: KerasWindow) {
    (op.kernelSizes, op.strides, op.dilations) = (size, window.strides, window.dilations)
    (op.pad, op.padType) = (window.pad, window.padType)
  }
}

/// `GlobalMaxPooling…`, `GlobalAveragePooling…`: one number a channel. The mean over steps counts those of the mask
/// only.
package struct KerasGlobalPooling: KerasLayer {
  package static let classNames: [String] = ["Max", "Average"].flatMap { kind in
    ["1D", "2D", "3D"].flatMap { ["Global\(kind)Pooling\($0)", "Global\(kind == "Average" ? "Avg" : kind)Pool\($0)"] }
  }
  package static let masks = KerasMaskRule.uses

  package static func convert(_ call: KerasCall, in context: inout KerasContext) throws(Diagnostic) -> [KerasTensor] {
    let rank = spatialRank(call.layer.className)
    let input = try call.input()
    let isMax = call.layer.className.hasPrefix("GlobalMax")
    let isChannelsFirst = try KerasWindow.isChannelsFirst(call.config)
    let keeps = try call.config.bool("keepdims", default: false)
    if let mask = input.mask, !isMax, rank == 1 {
      guard !isChannelsFirst else { throw Diagnostic.mask(call) }
      return [KerasTensor(try maskedMean(try context.plain(input), mask, keeps: keeps, &context))]
    }
    if !isMax, !isChannelsFirst, context.rank(input) == rank + 2, let sum = try context.halfSum(input) {
      let count = context.shape(input)[1...rank].compactMap(\.constant).reduce(1, *)
      let mean = try context.emit(RealDiv(), sum, context.scalar(Double(count), like: sum))
      return [KerasTensor(keeps ? mean : try context.emit(Squeeze(Array(1...rank)), mean))]
    }
    let x = try context.spatial(input, rank: rank, isChannelsFirst: isChannelsFirst)
    let axes = Array(2..<rank + 2)
    let value =
      isMax
      ? try context.emit(ReduceMax(axes: axes, keepDims: keeps), x)
      : try context.emit(ReduceMean(axes: axes, keepDims: keeps), x)
    return [KerasTensor(value, isChannelsFirst: keeps && !isChannelsFirst)]
  }

  private static func maskedMean(
    _ x: ValueID,
    _ mask: ValueID,
    keeps: Bool,
    _ context: inout KerasContext
  ) throws(Diagnostic) -> ValueID {
    let weights = try context.emit(Cast(context.fact(x).dtype), try context.emit(ExpandDims([2]), mask))
    let counted = try context.emit(Mul(), x, weights)
    let total = ReduceSum(axes: [1], keepDims: true)
    let halfSum = try context.halfSum(KerasTensor(counted))
    let sum = if let halfSum { halfSum } else { try context.emit(total, counted) }
    let mean = try context.emit(RealDiv(), sum, try context.emit(total, weights))
    return keeps ? mean : try context.emit(Squeeze([1]), mean)
  }
}
