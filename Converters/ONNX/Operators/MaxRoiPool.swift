import MLCCore
import MLCGraph
import MLCOps

/// ONNX `MaxRoiPool`: `x: T[N, C, H, W]`, `rois: T[R, 5]` (batch, x and y of two corners) → the greatest element of
/// each of `pooled_shape` bins of a region, `T[R, C, *pooled_shape]`, 0 where a bin holds none.
///
/// Corners times `spatial_scale` are rounded, halves away from 0; regions are at least one element long. A bin takes
/// every element that it touches.
package enum ONNXMaxRoiPool: ONNXOperator {
  package static let types = ["MaxRoiPool"]

  package static func convert(_ node: ONNXNode, in context: inout ONNXContext) throws(Diagnostic) -> [ValueID] {
    let (x, rois) = (try context.required(0), try context.required(1))
    let (data, regions) = (context.fact(x), context.fact(rois))
    guard data.rank == 4, regions.rank == 2, ONNXContext.fits(regions.shape[1], 5), data.dtype.isFloat,
      regions.dtype.isFloat, let bins = try node.ints("pooled_shape"), bins.count == 2,
      bins.allSatisfy({ 1...1 << 16 ~= $0 })
    else { throw Diagnostic("onnx.roi-align", "no bins of \(regions.type) in \(data.type)") }
    let work: DType = data.dtype == .float64 ? .float64 : .float32
    let boxes = try context.cast(rois, to: work)
    let scale = Double(try node.float("spatial_scale", default: 1))
    let batch = try context.cast(try context.element(0, of: boxes, axis: 1), to: .int64)
    var (taps, extents): ([SampleTap], [ValueID]) = ([], [])
    for side in 0..<2 {
      extents.append(try context.extent(of: x, axis: 2 + side))
      let corners = [
        try rounded(try context.scaled(try context.element(2 - side, of: boxes, axis: 1), by: scale), in: &context),
        try rounded(try context.scaled(try context.element(4 - side, of: boxes, axis: 1), by: scale), in: &context),
      ]
      let span = try context.raised(try context.emit(Sub(), corners[1], corners[0]), by: 1)
      let length = try context.emit(Maximum(), span, try context.number(1, like: span))
      let bin = try context.emit(RealDiv(), length, try context.number(Double(bins[side]), like: length))
      let axis = ONNXRegionAxis(start: corners[0], bin: bin, bins: bins[side], extent: extents[side])
      taps.append(try tap(axis, in: &context).spread(over: side == 0 ? [3, 4] : [1, 2], in: &context))
    }
    taps[0] = try taps[0].inBatch(batch, extents[0], in: &context)
    let y = try greatest(try context.pixels(x), taps, extents, in: &context)
    return [try context.emit(Transpose([0, 3, 1, 2]), y)]
  }

  /// The elements of each bin, `[R, bins, samples]`, as many as the longest touches.
  private static func tap(_ axis: ONNXRegionAxis, in context: inout ONNXContext) throws(Diagnostic) -> SampleTap {
    let numbers = try axis.sampleNumbers(
      try context.raised(try context.emit(Ceil(), axis.bin), by: 1),
      in: &context
    )
    let (bin, bins) = (try axis.perRegion(axis.bin, in: &context), axis.binNumbers(in: &context))
    let start = try axis.perRegion(axis.start, in: &context)
    let low = try context.emit(Add(), try context.emit(Floor(), try context.emit(Mul(), bins, bin)), start)
    let next = try context.emit(Ceil(), try context.emit(Mul(), try context.raised(bins, by: 1), bin))
    let place = try context.emit(Add(), low, numbers)
    var tap = try context.tapOrNone(place, nil, axis.extent)
    let isBefore = try context.emit(Less(), place, try context.emit(Add(), next, start))
    tap.isInside = try tap.isInside.map { (inside) throws(Diagnostic) in
      try context.emit(LogicalAnd(), inside, isBefore)
    }
    return tap
  }

  private static func greatest(_ x: ValueID, _ taps: [SampleTap], _ extents: [ValueID], in context: inout ONNXContext)
    throws(Diagnostic) -> ValueID
  {
    let place = try context.emit(Add(), try context.emit(Mul(), taps[0].place, extents[1]), taps[1].place)
    let all = try context.emit(Gather(axis: 0), x, place)
    guard let rows = taps[0].isInside, let columns = taps[1].isInside else { return all }
    let exists = try context.emit(ExpandDims([5]), try context.emit(LogicalAnd(), rows, columns))
    let found = try context.emit(Select(), exists, all, try context.number(-.infinity, like: x))
    let most = try context.emit(ReduceMax(axes: [2, 4]), found)
    let any = try context.emit(ReduceMax(axes: [2, 4]), try context.cast(exists, to: .int32))
    let isNone = try context.emit(LessEqual(), any, try context.number(0, like: any))
    return try context.emit(Select(), isNone, try context.number(0, like: x), most)
  }

  /// `x` to whole numbers, halves away from 0.
  private static func rounded(_ x: ValueID, in context: inout ONNXContext) throws(Diagnostic) -> ValueID {
    let size = try context.emit(Floor(), try context.raised(try context.emit(Abs(), x), by: 0.5))
    return try context.emit(Mul(), try context.emit(Sign(), x), size)
  }
}
