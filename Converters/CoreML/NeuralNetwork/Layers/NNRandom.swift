import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// `randomNormal…`, `randomUniform…`, `randomBernoulli…` in a given shape, that of an input or one that the model
/// computes. A layer gives the same numbers in every run, by its seed, or without one by its name.
enum NNRandom: NNLayerRule {
  static let kinds = [
    "randomNormalLike", "randomNormalStatic", "randomNormalDynamic", "randomUniformLike", "randomUniformStatic",
    "randomUniformDynamic", "randomBernoulliLike", "randomBernoulliStatic", "randomBernoulliDynamic",
  ]

  private enum Distribution {
    case normal(mean: Float, deviation: Float)
    case uniform(low: Float, high: Float)
    case bernoulli(Float)
  }

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let (seed, distribution, shape) = parameters(layer)
    let key = RandomKey(seed: Int(seed), name: layer.name)
    let extents: ValueID
    if let shape {
      extents = context.list(shape.map { Int(clamping: $0) })
    } else if layer.kind.hasSuffix("Like") {
      extents = try context.emit(Shape(dtype: .int64), try context.input())
    } else {
      extents = try context.integers(try context.input(0, rank: 1))
    }
    switch distribution {
    case .normal(let mean, let deviation):
      return [
        try context.normal(extents, mean: Double(mean), deviation: Double(deviation), .float32, key: key)
      ]
    case .uniform(let low, let high):
      return [try context.uniform(extents, from: Double(low), to: Double(high), .float32, key: key)]
    case .bernoulli(let share): return [try context.bernoulli(extents, probability: Double(share), .float32, key: key)]
    }
  }

  private static func parameters(_ layer: NNLayer) -> (seed: Int64, Distribution, shape: [UInt64]?) {
    switch layer.spec.layer {
    case .randomNormalLike(let s)?: (s.seed, .normal(mean: s.mean, deviation: s.stdDev), nil)
    case .randomNormalStatic(let s)?: (s.seed, .normal(mean: s.mean, deviation: s.stdDev), s.outputShape)
    case .randomNormalDynamic(let s)?: (s.seed, .normal(mean: s.mean, deviation: s.stdDev), nil)
    case .randomUniformLike(let s)?: (s.seed, .uniform(low: s.minVal, high: s.maxVal), nil)
    case .randomUniformStatic(let s)?: (s.seed, .uniform(low: s.minVal, high: s.maxVal), s.outputShape)
    case .randomUniformDynamic(let s)?: (s.seed, .uniform(low: s.minVal, high: s.maxVal), nil)
    case .randomBernoulliLike(let s)?: (s.seed, .bernoulli(s.prob), nil)
    case .randomBernoulliStatic(let s)?: (s.seed, .bernoulli(s.prob), s.outputShape)
    default:
      (layer.spec.randomBernoulliDynamic.seed, .bernoulli(layer.spec.randomBernoulliDynamic.prob), nil)
    }
  }
}

/// `categoricalDistribution`: classes drawn by probabilities or their logarithms along the last axis.
enum NNCategorical: NNLayerRule {
  static let kinds = ["categoricalDistribution"]

  static func convert(_ layer: NNLayer, in context: inout NNContext) throws(Diagnostic) -> [ValueID] {
    let spec = layer.spec.categoricalDistribution
    var logits = try context.input(rank: 1)
    if !spec.isLogits {
      logits = try context.emit(Log(epsilon: spec.eps == 0 ? 1e-10 : Double(spec.eps)), logits)
    }
    if spec.temperature != 0 { logits = try context.scaled(logits, by: 1 / Double(spec.temperature)) }
    let key = RandomKey(seed: Int(spec.seed), name: layer.name)
    return [try context.number(try context.categorical(logits, count: Int(clamping: spec.numSamples), key: key))]
  }
}
