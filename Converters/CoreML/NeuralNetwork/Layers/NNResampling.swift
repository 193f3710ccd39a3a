import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `upsample` of height and width by factors: the nearest element, or bilinear with corners at corners, pixels' centres
/// or pixels' first corners aligned.
enum NNUpsample: NNLayerRule {
  static let kinds = ["upsample"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.upsample
    let x = try context.input(rank: 2)
    let factors: [Double]
    if spec.fractionalScalingFactor.isEmpty {
      factors = try nnPair(spec.scalingFactor, "scalingFactor", default: 1).map { Double($0) }
    } else {
      factors = spec.fractionalScalingFactor.map { Double($0) }
    }
    guard factors.count == 2, factors.allSatisfy({ $0 > 0 && $0 < 65_536 }) else {
      throw NNContext.wrong("the scaling factors are \(factors)")
    }
    let form: UpsampleForm
    switch (spec.mode, spec.linearUpsampleMode) {
    case (.nn, _): form = .nearest(factors)
    case (_, .default): form = .bilinear(factors, coordinates: "asymmetric")
    case (_, .alignCornersTrue): form = .bilinear(factors, coordinates: "align_corners")
    case (_, .alignCornersFalse): form = .bilinear(factors, coordinates: "half_pixel")
    case (_, .UNRECOGNIZED(let mode)): throw NNContext.unsupported("the mode \(mode) is not known")
    }
    return [try form.append(x, to: &context)]
  }
}

/// `resizeBilinear` of height and width to a given size.
enum NNResizeBilinear: NNLayerRule {
  static let kinds = ["resizeBilinear"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.resizeBilinear
    let x = try context.input(rank: 2)
    let size = try nnPair(spec.targetSize, "targetSize", default: 1)
    let form = try ResizeForm(try nnSamplingMode(spec.mode), isNearest: false, size)
    return [try form.append(x, [-2, -1], context.list(size), to: &context)]
  }
}
