import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `GLMRegressor`: `Wx + b` and the inverse of its link. `Probit`'s is the normal distribution's function.
enum GLMRegressor {
  static func convert(_ model: CoreML_Specification_GLMRegressor, _ context: inout PartContext) throws(Diagnostic) {
    let sums = try LinearScores(model.weights.map { $0.value }, model.offset).scores(in: &context)
    switch model.postEvaluationTransform {
    case .noTransform: try context.predict(sums)
    case .logit: try context.predict(try context.apply(Sigmoid(), sums))
    case .probit: try context.predict(try context.normalDistribution(sums))
    case .UNRECOGNIZED(let code):
      throw context.damaged("coreml.parameter", "no transform of a linear model has the number \(code)")
    }
  }
}

/// Core ML `GLMClassifier`: linear scores of all classes, each turned into a probability by itself and divided by their
/// sum; or of all but the first one, the reference, whose score is 0. One score for two classes is the second one's.
enum GLMClassifier {
  static func convert(_ model: CoreML_Specification_GLMClassifier, _ context: inout PartContext) throws(Diagnostic) {
    var (strings, integers): (CoreML_Specification_StringVector?, CoreML_Specification_Int64Vector?)
    switch model.classLabels {
    case .stringClassLabels(let given)?: strings = given
    case .int64ClassLabels(let given)?: integers = given
    case nil: break
    }
    let labels = try context.labels(strings, integers, least: 2)
    let link = try Link(model, context)
    let scores = try LinearScores(model.weights.map { $0.value }, model.offset).scores(in: &context)
    switch (model.weights.count, model.classEncoding) {
    case (1, _) where labels.count == 2:
      let pair = try context.concat([try context.apply(Neg(), scores), scores], axis: 1)
      try context.classify(try context.greatest(pair), try link.inverse(pair, in: &context), labels)
    case (labels.count - 1, .referenceClass) where link == .logit:
      let none = context.constant(Tensor(.float64, [1, 1], [0]), "reference")
      let all = try context.concat([none, scores], axis: 1)
      try context.classify(try context.greatest(all), try context.apply(Softmax(axis: 1), all), labels)
    case (labels.count - 1, .referenceClass):
      let message = "Probit with a reference class and \(labels.count) classes"
      throw Diagnostic("coreml.parameter", message, kind: .unsupported, at: context.origin)
    case (labels.count, .oneVsRest):
      let chances = try link.inverse(scores, in: &context)
      let sum = try context.apply(ReduceSum(axes: [1], keepDims: true), chances)
      try context.classify(try context.greatest(scores), try context.apply(RealDiv(), chances, sum), labels)
    default:
      throw context.damaged("coreml.class-labels", "\(model.weights.count) scores for \(labels.count) classes")
    }
  }

  private enum Link {
    case logit, probit

    init(_ model: CoreML_Specification_GLMClassifier, _ context: PartContext) throws(Diagnostic) {
      switch model.postEvaluationTransform {
      case .logit: self = .logit
      case .probit: self = .probit
      case .UNRECOGNIZED(let code):
        throw context.damaged("coreml.parameter", "no transform of a linear model has the number \(code)")
      }
    }

    func inverse(_ scores: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID {
      self == .logit ? try context.apply(Sigmoid(), scores) : try context.normalDistribution(scores)
    }
  }
}

/// `Wx + b`.
private struct LinearScores {
  let weights: [[Double]], offsets: [Double]

  init(_ weights: [[Double]], _ offsets: [Double]) { (self.weights, self.offsets) = (weights, offsets) }

  /// `fp64[1, rows]`. Throws `coreml.features`.
  func scores(in context: inout PartContext) throws(Diagnostic) -> ValueID {
    let x = try context.row()
    let columns = context.fact(x).shape[1].constant ?? 0
    guard !weights.isEmpty, offsets.count == weights.count, weights.allSatisfy({ $0.count == columns }) else {
      let counts = "\(weights.count) rows of weights and \(offsets.count) offsets"
      throw context.damaged("coreml.features", "\(counts) do not fit \(columns) features")
    }
    let matrix = context.constant(Tensor(.float64, [weights.count, columns], weights.flatMap { $0 }), "weights")
    return try context.apply(Linear(), x, matrix, context.row(offsets, like: x, "offsets"))
  }
}

extension PartContext {
  /// `(1 + erf(x / √2)) / 2`.
  mutating func normalDistribution(_ x: ValueID) throws(Diagnostic) -> ValueID {
    let error = try apply(Erf(), try scaled(x, by: 0.5.squareRoot()))
    return try scaled(try raised(error, by: 1), by: 0.5)
  }
}
