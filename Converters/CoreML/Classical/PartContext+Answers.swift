import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

/// What classical models give.
extension PartContext {
  /// The one feature that a transformer gives, as it is described. Throws `coreml.outputs`, `coreml.type`.
  mutating func give(_ value: ValueID) throws(Diagnostic) {
    guard part.description.output.count == 1 else {
      throw damaged("coreml.outputs", "\(part.description.output.count) outputs of a model that gives one")
    }
    try give(value, as: part.description.output[0])
  }

  /// Places are a dictionary's keys. Throws `coreml.type` where the value cannot be what is described.
  mutating func give(_ value: ValueID, as feature: MLFeature) throws(Diagnostic) {
    switch feature.type.type {
    case .int64Type?: define(feature.name, try one(value, .int64, feature.name))
    case .doubleType?: define(feature.name, try one(value, .float64, feature.name))
    case .stringType?: define(feature.name, try one(value, .string, feature.name))
    case .multiArrayType(let array)?:
      guard fact(value).dtype != .string else { throw wrongType(feature.name, "texts, where an array is described") }
      let typed = try converted(value, to: DType(array.dataType))
      let shape = array.shape.map { Int(clamping: $0) }
      let fits = !shape.isEmpty && fact(typed).type.staticShape?.checkedProduct == shape.checkedProduct
      define(feature.name, fits ? try reshape(typed, shape.map { Dim($0) }) : typed)
    case .dictionaryType(let dictionary)?:
      guard case .int64KeyType? = dictionary.keyType else {
        throw wrongType(feature.name, "\(fact(value).type), where a dictionary of texts is described")
      }
      let row = try numbers(value, feature.name)
      let places = (0..<(fact(row).shape[0].constant ?? 0)).map { Int64($0) }
      features[feature.name] = .scores(row, .integers(places))
    default: throw wrongType(feature.name, "\(fact(value).type), which is described as something else")
    }
  }

  private mutating func one(_ value: ValueID, _ dtype: DType, _ name: String) throws(Diagnostic) -> ValueID {
    let type = fact(value).type
    guard type.staticShape?.checkedProduct == 1, (type.dtype == .string) == (dtype == .string) else {
      throw wrongType(name, "\(type), where one value of \(dtype.rawValue) is described")
    }
    return try reshape(try converted(value, to: dtype), [])
  }

  /// What a regressor predicts.
  mutating func predict(_ value: ValueID) throws(Diagnostic) {
    let name = part.description.predictedFeatureName
    let outputs = part.description.output
    guard let feature = outputs.first(where: { $0.name == name }) ?? (name.isEmpty ? outputs.first : nil) else {
      throw damaged("coreml.outputs", "the model gives no '\(name)', which it predicts")
    }
    try give(value, as: feature)
  }

  /// What a classifier predicts: the label of the class `index`, one integer, and a score for each, `scores` of as many
  /// elements as labels. Throws `coreml.outputs`.
  mutating func classify(_ index: ValueID, _ scores: ValueID?, _ labels: ClassLabels) throws(Diagnostic) {
    for feature in part.description.output {
      if feature.name == part.description.predictedFeatureName {
        try give(try label(index, of: labels), as: feature)
      } else if feature.name == part.description.predictedProbabilitiesName, let scores {
        features[feature.name] = .scores(try reshape(scores, [Dim(labels.count)]), labels)
      } else {
        throw damaged("coreml.outputs", "'\(feature.name)' is neither the class nor the classes' scores")
      }
    }
  }

  /// The place of the greatest of `scores: T[1, n]`, the first among equals.
  mutating func greatest(_ scores: ValueID) throws(Diagnostic) -> ValueID {
    try apply(ReduceArgmax(axis: 1, outputDType: .int64), scores)
  }
}

extension PartContext {
  /// Labels of either kind, as messages hold them. Throws `coreml.class-labels` where there are less than `least`.
  func labels(
    _ strings: CoreML_Specification_StringVector?,
    _ integers: CoreML_Specification_Int64Vector?,
    least: Int = 1
  ) throws(Diagnostic) -> ClassLabels {
    let labels: ClassLabels = strings.map { .strings($0.vector) } ?? .integers(integers?.vector ?? [])
    guard labels.count >= least else {
      throw damaged("coreml.class-labels", "\(labels.count) labels of classes; a model has \(least) and more")
    }
    return labels
  }
}
