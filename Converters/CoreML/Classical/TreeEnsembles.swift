import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// Core ML `TreeEnsembleRegressor` → `tree_ensemble` of fp64, the base values and the transform.
enum TreeEnsembleRegressor {
  static func convert(_ model: CoreML_Specification_TreeEnsembleRegressor, _ context: inout PartContext)
    throws(Diagnostic)
  {
    let scores = try TreeNodes(model.treeEnsemble, context).scores(in: &context)
    try context.predict(try TreeTransform(model.postEvaluationTransform, context).apply(scores, in: &context))
  }
}

/// Core ML `TreeEnsembleClassifier`: the same, and the class of the greatest score. One score for two classes is the
/// second one's, which is chosen from a probability of ½ on.
enum TreeEnsembleClassifier {
  static func convert(_ model: CoreML_Specification_TreeEnsembleClassifier, _ context: inout PartContext)
    throws(Diagnostic)
  {
    let labels: ClassLabels =
      switch model.classLabels {
      case .stringClassLabels(let given)?: try context.labels(given, nil, least: 2)
      case .int64ClassLabels(let given)?: try context.labels(nil, given, least: 2)
      case nil: try context.labels(nil, nil, least: 2)
      }
    let transform = try TreeTransform(model.postEvaluationTransform, context)
    let trees = try TreeNodes(model.treeEnsemble, context)
    let columns = trees.targets + (transform == .zeroSoftmax ? 1 : 0)
    let isBinary = trees.targets == 1 && labels.count == 2 && [.none, .logistic].contains(transform)
    guard columns == labels.count || isBinary else {
      throw context.damaged("coreml.class-labels", "\(columns) scores for \(labels.count) classes")
    }
    let scores = try trees.scores(in: &context)
    if isBinary { return try binary(scores, transform, labels, in: &context) }
    let all = try transform.completed(scores, in: &context)
    try context.classify(try context.greatest(all), try transform.apply(scores, in: &context), labels)
  }

  private static func binary(
    _ score: ValueID,
    _ transform: TreeTransform,
    _ labels: ClassLabels,
    in context: inout PartContext
  ) throws(Diagnostic) {
    let limit = context.scalar(transform == .logistic ? 0 : 0.5, like: score)
    let isSecond = try context.converted(try context.apply(GreaterEqual(), score, limit), to: .int64)
    let chance = try transform.apply(score, in: &context)
    let other = try context.apply(Sub(), context.scalar(1, like: chance), chance)
    try context.classify(isSecond, try context.concat([other, chance], axis: 1), labels)
  }
}

/// What happens to scores `fp64[1, K]`.
private enum TreeTransform {
  case none, softmax, logistic
  /// A softmax of one class more, the first, whose score is 0.
  case zeroSoftmax

  /// Throws `coreml.parameter`.
  init(_ given: CoreML_Specification_TreeEnsemblePostEvaluationTransform, _ context: PartContext) throws(Diagnostic) {
    switch given {
    case .noTransform: self = .none
    case .classificationSoftMax: self = .softmax
    case .regressionLogistic: self = .logistic
    case .classificationSoftMaxWithZeroClassReference: self = .zeroSoftmax
    case .UNRECOGNIZED(let code):
      throw context.damaged("coreml.parameter", "no transform of trees has the number \(code)")
    }
  }

  /// A score for each class.
  func completed(_ scores: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    guard self == .zeroSoftmax else { return scores }
    return try context.concat([context.constant(Tensor(.float64, [1, 1], [0]), "reference"), scores], axis: 1)
  }

  func apply(_ scores: ValueID, in context: inout PartContext) throws(Diagnostic) -> ValueID {
    let all = try completed(scores, in: &context)
    switch self {
    case .none: return all
    case .softmax, .zeroSoftmax: return try context.apply(Softmax(axis: 1), all)
    case .logistic: return try context.apply(Sigmoid(), all)
    }
  }
}
