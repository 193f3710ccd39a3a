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
    var resize = Resize()
    resize.axes = [-2, -1]
    if spec.mode == .nn {
      (resize.mode, resize.nearestMode, resize.coordinateMode) = ("nearest", "floor", "asymmetric")
    } else {
      resize.mode = "linear"
      switch spec.linearUpsampleMode {
      case .default: resize.coordinateMode = "asymmetric"
      case .alignCornersTrue: resize.coordinateMode = "align_corners"
      case .alignCornersFalse: resize.coordinateMode = "half_pixel"
      case .UNRECOGNIZED(let mode): throw NNContext.unsupported("the mode \(mode) is not known")
      }
    }
    let factors: [Double]
    if spec.fractionalScalingFactor.isEmpty {
      factors = try nnPair(spec.scalingFactor, "scalingFactor", default: 1).map { Double($0) }
    } else {
      factors = spec.fractionalScalingFactor.map { Double($0) }
    }
    guard factors.count == 2, factors.allSatisfy({ $0 > 0 && $0 < 65_536 }) else {
      throw NNContext.wrong("the scaling factors are \(factors)")
    }
    return [try context.emit(resize, x, nil, context.constant(Tensor(.float32, [2], factors), "scales"))]
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
