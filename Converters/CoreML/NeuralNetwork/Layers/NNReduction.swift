import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `reduce` over channels, height and width, height and width, or one of them; the axes stay with extent 1.
enum NNReduce: NNLayerRule {
  static let kinds = ["reduce"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.reduce
    let axes: [Int]
    switch spec.axis {
    case .chw: axes = [-3, -2, -1]
    case .hw: axes = [-2, -1]
    case .c: axes = [-3]
    case .h: axes = [-2]
    case .w: axes = [-1]
    case .UNRECOGNIZED(let axis): throw NNContext.unsupported("the axis \(axis) is not known")
    }
    let x = try context.input(rank: -axes[0])
    if spec.mode == .argmax {
      guard axes.count == 1 else { throw NNContext.wrong("a greatest element is looked for along one axis") }
      return [try context.number(try context.emit(ReduceArgmax(axis: axes[0], keepDims: true), x))]
    }
    if spec.mode == .logsum {
      let logs = try context.emit(Log(epsilon: spec.epsilon == 0 ? 1e-6 : Double(spec.epsilon)), x)
      return [try context.emit(ReduceSum(axes: axes, keepDims: true), logs)]
    }
    return [try context.emit(try operation(spec.mode, axes), x)]
  }

  private static func operation(
    _ mode: CoreML_Specification_ReduceLayerParams.ReduceOperation,
    _ axes: [Int]
  ) throws(Diagnostic) -> any Operator {
    switch mode {
    case .sum: ReduceSum(axes: axes, keepDims: true)
    case .avg: ReduceMean(axes: axes, keepDims: true)
    case .prod: ReduceProd(axes: axes, keepDims: true)
    case .sumsquare: ReduceSumSquare(axes: axes, keepDims: true)
    case .l1: ReduceL1Norm(axes: axes, keepDims: true)
    case .l2: ReduceL2Norm(axes: axes, keepDims: true)
    case .max: ReduceMax(axes: axes, keepDims: true)
    case .min: ReduceMin(axes: axes, keepDims: true)
    case .logsum, .argmax, .UNRECOGNIZED: throw NNContext.unsupported("the mode \(mode) is not known")
    }
  }
}

/// `reduceSum`, `reduceMean` and the like along any axes. What has no axes left is a tensor of one element.
enum NNReductions: NNLayerRule {
  static let kinds = [
    "reduceL1", "reduceL2", "reduceMax", "reduceMin", "reduceSum", "reduceProd", "reduceMean", "reduceLogSum",
    "reduceSumSquare", "reduceLogSumExp",
  ]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let (given, make) = try parts(layer.spec)
    let x = try context.input()
    let rank = context.rank(x)
    let axes = given.reduceAll ? Array(0..<rank) : try context.axes(given.axes, rank: rank)
    guard !axes.isEmpty else { throw NNContext.wrong("no axes are given") }
    let vanishes = Set(axes).count == rank && !given.keepDims
    let result = try context.emit(make(axes, given.keepDims || vanishes), x)
    return [vanishes ? try context.reshape(result, [1]) : result]
  }

  private typealias Make = ([Int], Bool) -> any Operator

  private static func parts(_ spec: NNLayerSpec) throws(Diagnostic) -> (any NNReductionParameters, Make) {
    switch spec.layer {
    case .reduceL1(let p)?: (p, { ReduceL1Norm(axes: $0, keepDims: $1) })
    case .reduceL2(let p)?: (p, { ReduceL2Norm(axes: $0, keepDims: $1) })
    case .reduceMax(let p)?: (p, { ReduceMax(axes: $0, keepDims: $1) })
    case .reduceMin(let p)?: (p, { ReduceMin(axes: $0, keepDims: $1) })
    case .reduceSum(let p)?: (p, { ReduceSum(axes: $0, keepDims: $1) })
    case .reduceProd(let p)?: (p, { ReduceProd(axes: $0, keepDims: $1) })
    case .reduceMean(let p)?: (p, { ReduceMean(axes: $0, keepDims: $1) })
    case .reduceLogSum(let p)?: (p, { ReduceLogSum(axes: $0, keepDims: $1) })
    case .reduceSumSquare(let p)?: (p, { ReduceSumSquare(axes: $0, keepDims: $1) })
    case .reduceLogSumExp(let p)?: (p, { ReduceLogSumExp(axes: $0, keepDims: $1) })
    default: throw NNContext.wrong("no such layer")
    }
  }
}

/// What the messages of all reductions hold.
private protocol NNReductionParameters {
  var axes: [Int64] { get }
  var keepDims: Bool { get }
  var reduceAll: Bool { get }
}
extension CoreML_Specification_ReduceL1LayerParams: NNReductionParameters {}
extension CoreML_Specification_ReduceL2LayerParams: NNReductionParameters {}
extension CoreML_Specification_ReduceMaxLayerParams: NNReductionParameters {}
extension CoreML_Specification_ReduceMinLayerParams: NNReductionParameters {}
extension CoreML_Specification_ReduceSumLayerParams: NNReductionParameters {}
extension CoreML_Specification_ReduceProdLayerParams: NNReductionParameters {}
extension CoreML_Specification_ReduceMeanLayerParams: NNReductionParameters {}
extension CoreML_Specification_ReduceLogSumLayerParams: NNReductionParameters {}
extension CoreML_Specification_ReduceSumSquareLayerParams: NNReductionParameters {}
extension CoreML_Specification_ReduceLogSumExpLayerParams: NNReductionParameters {}

/// `argMax`, `argMin`, `argSort`, `topK`, `cumSum`.
enum NNOrdering: NNLayerRule {
  static let kinds = ["argMax", "argMin", "argSort", "topK", "cumSum"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input(rank: 1)
    let rank = context.rank(x)
    switch layer.spec.layer {
    case .argMax(let spec)?:
      let axis = try context.axis(spec.axis, rank: rank)
      return [try position(ReduceArgmax(axis: axis, keepDims: !spec.removeDim || rank == 1), x, &context)]
    case .argMin(let spec)?:
      let axis = try context.axis(spec.axis, rank: rank)
      return [try position(ReduceArgmin(axis: axis, keepDims: !spec.removeDim || rank == 1), x, &context)]
    case .argSort(let spec)?:
      let axis = try context.axis(spec.axis, rank: rank)
      let extent = try context.emit(Shape(start: axis, end: axis + 1, dtype: .int32), x)
      let all = try top(x, axis, ascending: !spec.descending, extent, &context)
      return [try context.number(all[1])]
    case .topK(let spec)?:
      let axis = try context.axis(spec.axis, rank: rank)
      let k =
        context.inputCount > 1
        ? try context.reshape(try context.integers(try context.input(1)), [1])
        : context.list([Int(Int32(clamping: spec.k))])
      let both = try top(x, axis, ascending: spec.useBottomK, k, &context)
      return [both[0], try context.number(both[1])]
    default:
      return [try sums(layer.spec.cumSum, x, &context)]
    }
  }

  private static func position(_ op: any Operator, _ x: ValueID, _ context: inout NNContext) throws(Diagnostic)
    -> ValueID
  {
    try context.number(try context.emit(op, x))
  }

  private static func top(_ x: ValueID, _ axis: Int, ascending: Bool, _ k: ValueID, _ context: inout NNContext)
    throws(Diagnostic) -> [ValueID]
  {
    var op = TopK()
    (op.axis, op.ascending) = (axis, ascending)
    return try context.emit(op, all: [[x], [k]])
  }

  /// Sums along the axis that the layer says or that the second input is; of one that the model computes, along each,
  /// of which it chooses.
  private static func sums(
    _ spec: CoreML_Specification_CumSumLayerParams,
    _ x: ValueID,
    _ context: inout NNContext
  ) throws(Diagnostic) -> ValueID {
    var op = Cumsum()
    (op.exclusive, op.reverse) = (spec.excludeFinalSum, spec.reverse)
    let rank = context.rank(x)
    guard context.inputCount > 1 else {
      op.axis = try context.axis(spec.axis, rank: rank)
      return try context.emit(op, x)
    }
    let given = try context.input(1)
    if let known = context.fact(given).value, known.count == 1 {
      op.axis = try context.axis(Int64(known.integers[0]), rank: rank)
      return try context.emit(op, x)
    }
    let axis = try context.reshape(try context.integers(given), [1])
    let place = try context.emit(Mod(), axis, context.list([rank]))
    var chosen = try context.emit(op.along(rank - 1), x)
    for other in 0..<rank - 1 {
      let isMeant = try context.emit(Equal(), place, context.list([other]))
      chosen = try context.emit(Select(), isMeant, try context.emit(op.along(other), x), chosen)
    }
    return chosen
  }
}

extension Cumsum {
  fileprivate func along(_ axis: Int) -> Cumsum {
    var op = self
    op.axis = axis
    return op
  }
}
