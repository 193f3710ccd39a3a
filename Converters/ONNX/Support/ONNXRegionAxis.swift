import MLCCore
import MLCGraph
import MLCOps

/// One axis of regions cut into `bins`: where each begins and how long a bin is, in places of elements, `T[R]`.
struct ONNXRegionAxis {
  let start: ValueID, bin: ValueID
  let bins: Int
  /// The extent of the data, of type `int64`.
  let extent: ValueID

  /// Values of a region, of a bin or of a sample shaped so that they broadcast to `[R, bins, samples]`.
  func perRegion(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    try context.emit(ExpandDims([1, 2]), x)
  }

  /// 0 up to `bins`, `T[bins, 1]`.
  func binNumbers(in context: inout ONNXContext) -> ValueID {
    context.constant(Tensor(context.fact(start).dtype, [bins, 1], Array(0..<bins)), "bins")
  }

  /// 0 up to the greatest of `counts: T[R]`, `T[samples]`.
  func sampleNumbers(_ counts: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let dtype = context.fact(start).dtype
    let most = try context.emit(ReduceMax(axes: [0]), counts)
    let end = try context.cast(try context.emit(Maximum(), most, try context.number(0, like: most)), to: .int64)
    let bounds = [context.constant(.scalar(.int64, 0), "start"), context.constant(.scalar(.int64, 1), "step")]
    return try context.cast(try context.emit(Range1D(), end, bounds[0], bounds[1]), to: dtype)
  }
}

extension SampleTap {
  /// The tap of an axis, `[R, bins, samples]`, in `[R, bins, samples, bins, samples]` of two.
  func spread(over axes: [Int], in context: inout ONNXContext) throws(Diagnostic) -> SampleTap {
    func spread(_ x: ValueID) throws(Diagnostic) -> ValueID { try context.emit(ExpandDims(axes), x) }
    var tap = SampleTap(place: try spread(place))
    if let weight { tap.weight = try spread(weight) }
    if let isInside { tap.isInside = try spread(isInside) }
    return tap
  }

  /// The tap along the first axis of an image, of `extent`, as one of images under each other: `[R, …]` with the image
  /// that `batch: int[R]` names.
  func inBatch(_ batch: ValueID, _ extent: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> SampleTap {
    let first = try context.emit(Mul(), try context.cast(batch, to: .int64), extent)
    var tap = self
    let trailing = Array(1..<context.fact(place).rank)
    tap.place = try context.emit(Add(), place, try context.emit(ExpandDims(trailing), first))
    return tap
  }
}

extension ONNXContext {
  /// `x: T[N, C, H, W]` as `T[N·H·W, C]`: channels side by side, which a region reads as one.
  mutating func pixels(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let shape = fact(x).shape
    let rows = try emit(Transpose([0, 2, 3, 1]), x)
    return try reshape(rows, [shape[0] * shape[2] * shape[3], shape[1]], sources: [x])
  }
}
