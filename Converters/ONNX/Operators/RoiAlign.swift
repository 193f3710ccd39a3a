import MLCCore
import MLCGraph
import MLCOps

/// ONNX `RoiAlign` → sums of `gather`s: `x: T[N, C, H, W]`, `rois: T[R, 4]` (x and y of two corners) and the batch of
/// each → `T[R, C, output_height, output_width]`.
///
/// A region is cut into bins, and a bin has `sampling_ratio` samples along each axis, or as many as it is long, rounded
/// up. A sample lies between four elements; `avg` is the mean of the samples, `max` the greatest of all that the
/// elements add to one. Samples more than one element outside count as 0. Without the coordinate mode `half_pixel`
/// (before operator set 16 always) regions are at least one element long.
package enum ONNXRoiAlign: ONNXOperator {
  package static let types = ["RoiAlign"]
  package static let sinceOpset = 10

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, rois, batch) = (try context.required(0), try context.required(1), try context.required(2))
    let (data, regions) = (context.fact(x), context.fact(rois))
    let mode = try node.string("mode", default: "avg").lowercased()
    guard data.rank == 4, regions.rank == 2, ONNXContext.fits(regions.shape[1], 4), data.dtype.isFloat,
      regions.dtype.isFloat,
      context.fact(batch).rank == 1, context.fact(batch).dtype.isInteger, ["avg", "max"].contains(mode)
    else { throw Diagnostic("onnx.roi-align", "'\(mode)' of \(regions.type) in \(data.type)") }
    let work: DType = data.dtype == .float64 ? .float64 : .float32
    let (boxes, pixels) = (try context.cast(rois, to: work), try context.pixels(x))
    var (taps, samples, extents): ([[SampleTap]], [Samples], [ValueID]) = ([], [], [])
    for side in 0..<2 {
      extents.append(try context.extent(of: x, axis: 2 + side))
      let axis = try axis(node, boxes, side, extents[side], in: &context)
      samples.append(try self.samples(node, axis, in: &context))
      var own: [SampleTap] = []
      for tap in samples[side].taps { own.append(try tap.spread(over: side == 0 ? [3, 4] : [1, 2], in: &context)) }
      taps.append(own)
    }
    taps[0] = try taps[0].map { (tap) throws(Diagnostic) in
      try tap.inBatch(batch, extents[0], in: &context)
    }
    let values = try context.taps(try context.cast(pixels, to: work), taps, extents, channelsLast: true)
    let y = try mode == "avg" ? mean(values, samples, in: &context) : greatest(values, samples, in: &context)
    return [try context.cast(try context.emit(Transpose([0, 3, 1, 2]), y), to: data.dtype)]
  }

  private static func axis(
    _ node: ONNXNode,
    _ boxes: ValueID,
    _ side: Int,
    _ extent: ValueID,
    in context: inout ONNXContext
  ) throws(Diagnostic) -> ONNXRegionAxis {
    let bins = try node.int(side == 0 ? "output_height" : "output_width", default: 1)
    let scale = Double(try node.float("spatial_scale", default: 1))
    let coordinates = try node.string("coordinate_transformation_mode", default: "half_pixel")
    let isHalf = context.opset >= 16 && coordinates.lowercased() == "half_pixel"
    guard 1...1 << 16 ~= bins else { throw Diagnostic("onnx.roi-align", "\(bins) bins") }
    var ends: [ValueID] = []
    for corner in 0..<2 {
      let end = try context.scaled(try context.element(1 - side + 2 * corner, of: boxes, axis: 1), by: scale)
      ends.append(try context.raised(end, by: isHalf ? -0.5 : 0))
    }
    var length = try context.emit(Sub(), ends[1], ends[0])
    if !isHalf { length = try context.emit(Maximum(), length, try context.number(1, like: length)) }
    let bin = try context.emit(RealDiv(), length, try context.number(Double(bins), like: length))
    return ONNXRegionAxis(start: ends[0], bin: bin, bins: bins, extent: extent)
  }

  /// Samples along one axis: the elements around them, `[R, bins, samples]`, how many a region has, `T[R]` or one
  /// number, and where regions have different numbers, which a region has, `[R, 1, samples]`.
  private struct Samples {
    var taps: [SampleTap], count: ValueID, exists: ValueID?
  }

  private static func samples(_ node: ONNXNode, _ axis: ONNXRegionAxis, in context: inout ONNXContext)
    throws(Diagnostic) -> Samples
  {
    let ratio = try node.int("sampling_ratio", default: 0)
    guard 0...1 << 16 ~= ratio else { throw Diagnostic("onnx.roi-align", "\(ratio) samples") }
    let dtype = context.fact(axis.bin).dtype
    let count: ValueID
    let numbers: ValueID
    if ratio > 0 {
      count = try context.number(Double(ratio), like: axis.bin)
      numbers = context.constant(Tensor(dtype, [ratio], Array(0..<ratio)), "samples")
    } else {
      count = try context.emit(Ceil(), axis.bin)
      numbers = try axis.sampleNumbers(count, in: &context)
    }
    let bin = try axis.perRegion(axis.bin, in: &context)
    let each = ratio > 0 ? count : try axis.perRegion(count, in: &context)
    let within = try context.emit(Mul(), try context.raised(numbers, by: 0.5), bin)
    let offset = try context.emit(RealDiv(), within, each)
    let begin = try context.emit(
      Add(),
      try axis.perRegion(axis.start, in: &context),
      try context.emit(Mul(), axis.binNumbers(in: &context), bin)
    )
    let place = try context.emit(Add(), begin, offset)
    let exists = ratio > 0 ? nil : try context.emit(Less(), numbers, each)
    return Samples(taps: try taps(place, exists, axis.extent, in: &context), count: count, exists: exists)
  }

  /// The two elements around `place`; those of a sample outside, or that is none, count as 0.
  private static func taps(_ place: ValueID, _ exists: ValueID?, _ extent: ValueID, in context: inout ONNXContext)
    throws(Diagnostic) -> [SampleTap]
  {
    let size = try context.cast(extent, to: context.fact(place).dtype)
    let last = try context.raised(size, by: -1)
    var isInside = try context.emit(
      LogicalAnd(),
      try context.emit(GreaterEqual(), place, try context.number(-1, like: place)),
      try context.emit(LessEqual(), place, size)
    )
    if let exists { isInside = try context.emit(LogicalAnd(), isInside, exists) }
    let x = try context.clamped(place, try context.number(0, like: place), last)
    let low = try context.emit(Floor(), x)
    let ratio = try context.emit(Sub(), x, low)
    let rest = try context.emit(Sub(), try context.number(1, like: x), ratio)
    let high = try context.emit(Minimum(), try context.raised(low, by: 1), last)
    return [
      SampleTap(place: try context.cast(low, to: .int64), weight: rest, isInside: isInside),
      SampleTap(place: try context.cast(high, to: .int64), weight: ratio, isInside: isInside),
    ]
  }

  private static func mean(_ values: [ValueID], _ samples: [Samples], in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let sum = try context.emit(ReduceSum(axes: [2, 4]), try context.sum(values))
    let count = try context.emit(Mul(), samples[0].count, samples[1].count)
    let all = try context.emit(Maximum(), count, try context.number(1, like: count))
    let divisor = context.fact(all).rank == 0 ? all : try context.emit(ExpandDims([1, 2, 3]), all)
    return try context.emit(RealDiv(), sum, divisor)
  }

  /// The greatest of what the samples' elements add; 0 where there are none.
  private static func greatest(_ values: [ValueID], _ samples: [Samples], in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    var most = values[0]
    for value in values.dropFirst() { most = try context.emit(Maximum(), most, value) }
    guard let rows = samples[0].exists, let columns = samples[1].exists else {
      return try context.emit(ReduceMax(axes: [2, 4]), most)
    }
    let lowest = try context.number(-.infinity, like: most)
    let exists = try context.emit(
      LogicalAnd(),
      try context.emit(ExpandDims([3, 4, 5]), rows),
      try context.emit(ExpandDims([1, 2, 5]), columns)
    )
    let found = try context.emit(ReduceMax(axes: [2, 4]), try context.emit(Select(), exists, most, lowest))
    let any = try context.emit(ReduceMax(axes: [2, 4]), try context.cast(exists, to: .int32))
    let isNone = try context.emit(LessEqual(), any, try context.number(0, like: any))
    return try context.emit(Select(), isNone, try context.number(0, like: most), found)
  }
}
