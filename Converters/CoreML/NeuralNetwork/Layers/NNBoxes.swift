import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `NonMaximumSuppression` of boxes `[n, B, 4]` with scores `[n, B, K]`; thresholds and the count may be inputs.
enum NNNonMaximumSuppression: NNLayerRule {
  static let kinds = ["NonMaximumSuppression"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.nonMaximumSuppression
    let (boxes, scores) = (try context.input(0, rank: 3), try context.input(1, rank: 3))
    var (count, limit) = (Int(clamping: spec.maxBoxes), ValueID?.none)
    if context.inputCount > 4 {
      let given = try context.input(4)
      if let known = context.fact(given).value, known.count == 1 {
        count = Tensor.wrapping(known.doubles[0])
      } else {
        (count, limit) = (try context.extent(boxes, 1), try context.reshape(try context.integers(given), [1]))
      }
    }
    let suppression = SuppressedBoxes(
      overlap: try threshold(2, spec.iouThreshold, &context),
      scoreThreshold: try threshold(3, spec.scoreThreshold, &context),
      count: count,
      perClass: spec.perClassSuppression
    )
    var results = try suppression.append(boxes, scores, to: &context)
    if let limit { results = try first(limit, of: results, count, &context) }
    for index in 2..<4 { results[index] = try context.number(results[index]) }
    return results
  }

  /// Room for `limit` boxes of the `count` that there are: the best, or as many more as are none.
  private static func first(_ limit: ValueID, of results: [ValueID], _ count: Int, _ context: inout NNContext)
    throws(Diagnostic) -> [ValueID]
  {
    let zero = context.list([0])
    let excess = try context.emit(Maximum(), try context.emit(Sub(), limit, context.list([count])), zero)
    var cut: [ValueID] = []
    for (result, none) in zip(results, [0, 0, -1]) {
      let rest = context.rank(result) - 2
      let pad = try context.emit(
        Concat(axis: 0),
        all: [[context.list([0, 0, 0]), excess] + (rest > 0 ? [context.list([0, 0])] : [])]
      )
      let filled = try context.emit(Pad(mode: "constant"), result, pad[0], context.scalar(Double(none), like: result))
      let others = [Bool](repeating: true, count: rest)
      let end = try context.emit(
        Concat(axis: 0),
        all: [[zero, limit] + (rest > 0 ? [zero] : [])]
      )
      cut.append(
        try context.emit(
          SliceByIndex(beginMask: [true, true] + others, endMask: [true, false] + others),
          filled,
          context.list([Int](repeating: 0, count: 2 + rest)),
          end[0]
        )
      )
    }
    return cut + [try context.emit(Minimum(), results[3], limit)]
  }

  private static func threshold(_ index: Int, _ number: Float, _ context: inout NNContext) throws(Diagnostic) -> ValueID
  {
    guard context.inputCount > index else { return context.scalar(Double(number)) }
    let value = try context.input(index)
    return context.rank(value) == 0 ? value : try context.reshape(value, [])
  }
}

/// `cropResize`: regions `[N, 1, 4 or 5, 1, 1]` of `[1, B, C, H, W]`.
enum NNCropResize: NNLayerRule {
  static let kinds = ["cropResize"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.cropResize
    let size = try nnPair(spec.targetSize, "targetSize", default: 1)
    var regions = CroppedRegions()
    (regions.size, regions.isNormalized) = ((size[0], size[1]), spec.normalizedCoordinates)
    regions.spatialScale = spec.spatialScale == 0 ? 1 : Double(spec.spatialScale)
    regions.sampling = try nnSamplingMode(spec.mode)
    regions.boxes =
      switch spec.boxIndicesMode.boxMode {
      case .cornersHeightFirst: "CORNERS_HEIGHT_FIRST"
      case .cornersWidthFirst: "CORNERS_WIDTH_FIRST"
      case .centerSizeHeightFirst: "CENTER_SIZE_HEIGHT_FIRST"
      case .centerSizeWidthFirst: "CENTER_SIZE_WIDTH_FIRST"
      case .UNRECOGNIZED(let mode): throw NNContext.unsupported("the mode \(mode) is not known")
      }
    let images = try context.planes(try context.input(0, rank: 5))
    return [try regions.append(images, roi: try context.input(1, rank: 5), to: &context)]
  }
}
