import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `batchnorm` of `[…, C, H, W]` with given statistics, those of each image, or those of the whole batch.
enum NNBatchnorm: NNLayerRule {
  static let kinds = ["batchnorm"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.batchnorm
    let x = try context.input(rank: 3)
    let (channels, epsilon) = (Int(clamping: spec.channels), spec.epsilon == 0 ? 1e-5 : Double(spec.epsilon))
    let planes = try context.planes(x)
    let gamma = spec.hasGamma ? try context.vector(spec.gamma, "gamma", channels) : nil
    let beta = spec.hasBeta ? try context.vector(spec.beta, "beta", channels) : nil
    let result: ValueID
    if spec.computeMeanVar, spec.instanceNormalization {
      result = try context.emit(InstanceNorm(epsilon: epsilon), planes, gamma, beta)
    } else {
      let (mean, variance) =
        spec.computeMeanVar
        ? try statistics(planes, &context)
        : (
          try context.vector(spec.mean, "mean", channels), try context.vector(spec.variance, "variance", channels)
        )
      result = try context.emit(BatchNorm(epsilon: epsilon), planes, mean, variance, gamma, beta)
    }
    return [try context.unfolded(result, like: x)]
  }

  private static func statistics(_ x: ValueID, _ context: inout NNContext) throws(Diagnostic) -> (ValueID, ValueID) {
    let mean = try context.emit(ReduceMean(axes: [0, 2, 3], keepDims: true), x)
    let distance = try context.emit(Sub(), x, mean)
    let squares = try context.emit(Mul(), distance, distance)
    return (try context.emit(Squeeze([0, 2, 3]), mean), try context.emit(ReduceMean(axes: [0, 2, 3]), squares))
  }
}

/// `mvn`: every channel, or all together, less its mean, and divided by the deviation unless only the mean is asked
/// for.
enum NNMeanVariance: NNLayerRule {
  static let kinds = ["mvn"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.mvn
    let x = try context.input(rank: 3)
    let rank = context.rank(x)
    let axes = Array((spec.acrossChannels ? rank - 3 : rank - 2)..<rank)
    guard spec.normalizeVariance else {
      return [try context.emit(Sub(), x, try context.emit(ReduceMean(axes: axes, keepDims: true), x))]
    }
    return [try context.emit(LayerNorm(axes: axes, epsilon: spec.epsilon == 0 ? 1e-6 : Double(spec.epsilon)), x)]
  }
}

/// `layerNormalization` over the last axes, as many as `normalizedShape` has.
enum NNLayerNormalization: NNLayerRule {
  static let kinds = ["layerNormalization"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.layerNormalization
    let shape = spec.normalizedShape.map { Int(clamping: $0) }
    let x = try context.input(rank: max(1, shape.count))
    let rank = context.rank(x)
    guard !shape.isEmpty, zip(context.shape(x).suffix(shape.count), shape).allSatisfy({ $0.constant ?? $1 == $1 })
    else {
      throw NNContext.wrong("'normalizedShape' is \(shape) for \(context.fact(x).type)")
    }
    let gamma = spec.hasGamma ? context.constant(try context.dense(spec.gamma, "gamma", shape), "gamma") : nil
    let beta = spec.hasBeta ? context.constant(try context.dense(spec.beta, "beta", shape), "beta") : nil
    let op = LayerNorm(axes: Array(rank - shape.count..<rank), epsilon: Double(spec.eps))
    return [try context.emit(op, x, gamma, beta)]
  }
}

/// `l2normalize`: `x / √(Σ x² + epsilon)` over channels, height and width.
enum NNL2Normalize: NNLayerRule {
  static let kinds = ["l2normalize"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let x = try context.input(rank: 3)
    let epsilon = layer.spec.l2Normalize.epsilon
    let sum = try context.emit(ReduceSumSquare(axes: [-3, -2, -1], keepDims: true), x)
    return [try context.emit(Mul(), x, try context.emit(Rsqrt(epsilon: epsilon == 0 ? 1e-6 : Double(epsilon)), sum))]
  }
}

/// `lrn`: `x / (k + alpha/localSize · Σ x²)^beta` over neighbouring channels.
enum NNLocalResponse: NNLayerRule {
  static let kinds = ["lrn"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.lrn
    let x = try context.input(rank: 3)
    var op = LocalResponseNorm()
    op.size = Int(clamping: spec.localSize)
    (op.alpha, op.beta, op.k) = (Double(spec.alpha), Double(spec.beta), spec.k == 0 ? 1 : Double(spec.k))
    return [try context.unfolded(try context.emit(op, try context.planes(x)), like: x)]
  }
}

/// `softmax` over channels and `softmaxND` over any axis.
enum NNSoftmax: NNLayerRule {
  static let kinds = ["softmax", "softmaxND"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    if case .softmaxNd(let spec)? = layer.spec.layer {
      let x = try context.input()
      return [try context.emit(Softmax(axis: try context.axis(spec.axis, rank: context.rank(x))), x)]
    }
    return [try context.emit(Softmax(axis: -3), try context.input(rank: 3))]
  }
}
