import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `NonMaximumSuppression` of boxes `[n, B, 4]` with scores `[n, B, K]`; thresholds and the count may be inputs, whose
/// numbers are known.
enum NNNonMaximumSuppression: NNLayerRule {
  static let kinds = ["NonMaximumSuppression"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.nonMaximumSuppression
    let (boxes, scores) = (try context.input(0, rank: 3), try context.input(1, rank: 3))
    var count = Int(clamping: spec.maxBoxes)
    if context.inputCount > 4 {
      guard let given = context.fact(try context.input(4)).value, given.count == 1 else {
        throw NNContext.unsupported("how many boxes are kept must be known")
      }
      count = Tensor.wrapping(given.doubles[0])
    }
    let suppression = SuppressedBoxes(
      overlap: try threshold(2, spec.iouThreshold, &context),
      scoreThreshold: try threshold(3, spec.scoreThreshold, &context),
      count: count,
      perClass: spec.perClassSuppression
    )
    var results = try suppression.append(boxes, scores, to: &context)
    for index in 2..<4 { results[index] = try context.number(results[index]) }
    return results
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
