import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `BayesianProbitRegressor`: each feature's value has a weight, of a normal distribution. With m the sum of
/// the weights' means and s that of their variances, the bias with them, the answer is `Φ(m / √(1 + s))`, and with an
/// optimism o `Φ((m + o √s) / √(1 + s))`.
///
/// What is given are the values of all features in their order, or rows of a feature and its value. A value without
/// weight adds nothing.
struct BayesianProbitRegressor {
  private typealias Gaussian = CoreML_Specification_BayesianProbitRegressor.Gaussian

  private let model: CoreML_Specification_BayesianProbitRegressor
  private let features: [Double], values: [Double], means: [Double], variances: [Double]

  static func convert(_ model: CoreML_Specification_BayesianProbitRegressor, _ context: inout PartContext)
    throws(Diagnostic)
  {
    try BayesianProbitRegressor(model, context).convert(&context)
  }

  /// Throws `coreml.parameter`.
  private init(_ model: CoreML_Specification_BayesianProbitRegressor, _ context: PartContext) throws(Diagnostic) {
    self.model = model
    let rows = model.features.flatMap { feature in feature.weights.map { (feature.featureID, $0) } }
    features = rows.map { Double($0.0) }
    values = rows.map { Double($0.1.featureValue) }
    means = rows.map { $0.1.featureWeight.mean }
    variances = rows.map { 1 / $0.1.featureWeight.precision }
    guard model.bias.precision > 0, variances.allSatisfy({ $0 > 0 && $0.isFinite }) else {
      throw context.damaged("coreml.parameter", "a weight's precision is not above 0")
    }
    guard model.features.allSatisfy({ $0.featureID < model.numberOfFeatures }), !rows.isEmpty else {
      throw context.damaged("coreml.parameter", "no weights, or some of features beyond \(model.numberOfFeatures)")
    }
    if !model.sampledProbabilityOutputFeatureName.isEmpty {
      throw Diagnostic("coreml.parameter", "sampled probabilities", kind: .unsupported, at: context.origin)
    }
  }

  private func convert(_ context: inout PartContext) throws(Diagnostic) {
    let isWeight = try weights(of: try context.tensor(model.regressionInputFeatureName), in: &context)
    let mean = try sum(means, isWeight, model.bias.mean, in: &context)
    let variance = try sum(variances, isWeight, 1 / model.bias.precision, in: &context)
    let width = try context.apply(Sqrt(), try context.raised(variance, by: 1))
    let chance = try context.normalDistribution(try context.apply(RealDiv(), mean, width))
    for feature in context.part.description.output {
      switch feature.name {
      case context.part.description.predictedFeatureName: try context.give(chance, as: feature)
      case model.meanOutputFeatureName: try context.give(mean, as: feature)
      case model.varianceOutputFeatureName: try context.give(variance, as: feature)
      case model.pessimisticProbabilityOutputFeatureName:
        let given = try context.numbers(try context.tensor(model.optimismInputFeatureName), "optimism")
        let shift = try context.apply(Mul(), given, try context.apply(Sqrt(), variance))
        let shifted = try context.apply(RealDiv(), try context.apply(Add(), mean, shift), width)
        try context.give(try context.normalDistribution(shifted), as: feature)
      default: throw context.damaged("coreml.outputs", "the model gives no '\(feature.name)'")
      }
    }
  }

  /// `bool[weights, given]`.
  private func weights(of x: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    let name = model.regressionInputFeatureName
    let shape = context.fact(x).type.staticShape ?? []
    let count = Int(model.numberOfFeatures)
    let own = context.constant(Tensor(.float64, [values.count, 1], values), "values")
    let id = context.constant(Tensor(.float64, [values.count, 1], features), "features")
    let given = try context.numbers(x, name)
    if shape.count == 2, shape[1] == 2 {
      let rows = try context.reshape(given, shape.map { Dim($0) })
      let pair = try [0, 1].map { (place) throws(Diagnostic) in
        try context.apply(Gather(axis: 1), rows, context.constant(.scalar(.int32, place), "column"))
      }
      let isFeature = try context.apply(Equal(), id, pair[0])
      return try context.apply(LogicalAnd(), isFeature, try context.apply(Equal(), own, pair[1]))
    }
    guard shape.checkedProduct == count else {
      throw context.damaged("coreml.features", "'\(name)' is \(context.fact(x).type), not of \(count) features")
    }
    let places = context.list(features.map { Int($0) })
    let chosen = try context.reshape(try context.apply(Gather(axis: 0), given, places), [Dim(values.count), 1])
    return try context.apply(Equal(), own, chosen)
  }

  /// `fp64[1]`.
  private func sum(_ numbers: [Double], _ isWeight: ValueID, _ bias: Double, in context: inout PartContext)
    throws(Diagnostic) -> ValueID
  {
    let column = context.constant(Tensor(.float64, [numbers.count, 1], numbers), "weights")
    let chosen = try context.apply(Select(), isWeight, column, context.scalar(0, like: column))
    let total = try context.reshape(try context.apply(ReduceSum(axes: [0, 1]), chosen), [1])
    return try context.raised(total, by: bias)
  }
}
