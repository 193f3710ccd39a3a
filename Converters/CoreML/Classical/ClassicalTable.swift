import CoreMLProto
import MLCCore

/// The rows of `PartTable` for models that are no networks: what they are called, and how they become operations.
enum ClassicalTable {
  typealias Row = (kind: String, rule: PartTable.Rule?)

  static func row(_ spec: MLModelSpec) -> Row { predictor(spec) ?? transformer(spec) ?? ("model", nil) }

  /// Regressors, classifiers and recommenders.
  private static func predictor(_ spec: MLModelSpec) -> Row? {
    switch spec.type {
    case .glmRegressor(let model)?:
      ("glmRegressor", { context throws(Diagnostic) in try GLMRegressor.convert(model, &context) })
    case .supportVectorRegressor(let model)?:
      ("supportVectorRegressor", { context throws(Diagnostic) in try SupportVectorRegressor.convert(model, &context) })
    case .treeEnsembleRegressor(let model)?:
      ("treeEnsembleRegressor", { context throws(Diagnostic) in try TreeEnsembleRegressor.convert(model, &context) })
    case .bayesianProbitRegressor(let model)?:
      (
        "bayesianProbitRegressor",
        { context throws(Diagnostic) in try BayesianProbitRegressor.convert(model, &context) }
      )
    case .glmClassifier(let model)?:
      ("glmClassifier", { context throws(Diagnostic) in try GLMClassifier.convert(model, &context) })
    case .supportVectorClassifier(let model)?:
      (
        "supportVectorClassifier",
        { context throws(Diagnostic) in try SupportVectorClassifier.convert(model, &context) }
      )
    case .treeEnsembleClassifier(let model)?:
      ("treeEnsembleClassifier", { context throws(Diagnostic) in try TreeEnsembleClassifier.convert(model, &context) })
    case .kNearestNeighborsClassifier(let model)?:
      ("kNearestNeighborsClassifier", { context throws(Diagnostic) in try NearestNeighbors.convert(model, &context) })
    case .itemSimilarityRecommender(let model)?:
      (
        "itemSimilarityRecommender",
        { context throws(Diagnostic) in try ItemSimilarityRecommender.convert(model, &context) }
      )
    default: nil
    }
  }

  private static func transformer(_ spec: MLModelSpec) -> Row? {
    switch spec.type {
    case .classConfidenceThresholding(let model)?:
      (
        "classConfidenceThresholding",
        { context throws(Diagnostic) in try ClassConfidenceThresholding.convert(model, &context) }
      )
    case .oneHotEncoder(let model)?:
      ("oneHotEncoder", { context throws(Diagnostic) in try OneHotEncoder.convert(model, &context) })
    case .imputer(let model)?:
      ("imputer", { context throws(Diagnostic) in try Imputer.convert(model, &context) })
    case .featureVectorizer(let model)?:
      ("featureVectorizer", { context throws(Diagnostic) in try FeatureVectorizer.convert(model, &context) })
    case .dictVectorizer(let model)?:
      ("dictVectorizer", { context throws(Diagnostic) in try DictVectorizer.convert(model, &context) })
    case .scaler(let model)?:
      ("scaler", { context throws(Diagnostic) in try Scaler.convert(model, &context) })
    case .categoricalMapping(let model)?:
      ("categoricalMapping", { context throws(Diagnostic) in try CategoricalMapping.convert(model, &context) })
    case .normalizer(let model)?:
      ("normalizer", { context throws(Diagnostic) in try Normalizer.convert(model, &context) })
    case .arrayFeatureExtractor(let model)?:
      ("arrayFeatureExtractor", { context throws(Diagnostic) in try ArrayFeatureExtractor.convert(model, &context) })
    case .nonMaximumSuppression(let model)?:
      (
        "nonMaximumSuppression",
        { context throws(Diagnostic) in try NonMaximumSuppressionModel.convert(model, &context) }
      )
    default: nil
    }
  }
}
