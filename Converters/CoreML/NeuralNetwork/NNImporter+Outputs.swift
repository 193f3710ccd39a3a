import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

extension NNImporter {
  /// The output as the caller sees it; the label of a classifier is that of the greatest of its probabilities. Throws
  /// `coreml.undefined-value`, `coreml.type`, `coreml.class-labels`.
  func output(_ feature: MLFeature, in context: inout NNContext) throws(Diagnostic) -> FeatureValue {
    switch feature.type.type {
    case .multiArrayType(let array)?:
      let value = try outward(try value(feature.name, in: context), array.shape, in: &context)
      return .tensor(array.dataType == .int32 ? try context.integers(value) : value)
    case .imageType?:
      let value = try value(feature.name, in: context)
      guard context.rank(value) == 5, context.shape(value)[0] == 1 else { return .tensor(value) }
      return .tensor(try context.reshape(value, Array(context.shape(value).dropFirst())))
    case .dictionaryType? where network.probabilities != nil:
      let (scores, labels) = try scores(in: &context)
      return .scores(scores, labels)
    case .stringType?, .int64Type?:
      guard network.probabilities != nil else { throw wrongType(feature) }
      let (scores, labels) = try scores(in: &context)
      let flat = try context.reshape(scores, [Dim(labels.count)])
      let best = try context.emit(ReduceArgmax(axis: 0), flat)
      return .tensor(try context.emit(Gather(axis: 0), context.constant(labels.tensor, "labels"), best))
    case .doubleType?: return .tensor(try outward(try value(feature.name, in: context), [], in: &context))
    default: throw wrongType(feature)
    }
  }

  /// A number for each class.
  private func scores(in context: inout NNContext) throws(Diagnostic) -> (ValueID, ClassLabels) {
    let value = try outward(try value(probabilities, in: context), [], in: &context)
    guard let labels = network.labels, context.fact(value).type.staticShape?.checkedProduct == labels.count else {
      let count = network.labels?.count ?? 0
      throw Diagnostic("coreml.class-labels", "\(count) labels of classes for \(context.fact(value).type)")
    }
    return (value, labels)
  }

  private func wrongType(_ feature: MLFeature) -> Diagnostic {
    Diagnostic("coreml.type", "output '\(feature.name)' is neither an array nor an image", kind: .unsupported)
  }

  private var probabilities: String {
    if let name = network.probabilities, !name.isEmpty { return name }
    return network.layers.last?.output.first ?? ""
  }

  private func value(_ name: String, in context: NNContext) throws(Diagnostic) -> ValueID {
    if let value = context.values[name] { return value }
    let last = network.layers.last?.output.first ?? ""
    guard context.part.part.isKraken, context.part.part.description.output.count == 1, let value = context.values[last]
    else { throw Diagnostic("coreml.undefined-value", "output '\(name)' is not computed by any layer") }
    return value
  }

  /// A value in the old form as `described`, or `[C]` where height and width are 1, else `[C, H, W]`. What holds a
  /// sequence stays as it is.
  private func outward(_ value: ValueID, _ described: [Int64], in context: inout NNContext) throws(Diagnostic)
    -> ValueID
  {
    let shape = context.shape(value)
    guard context.legacyRank != nil, shape.count > 3, shape.dropLast(3).allSatisfy({ $0 == 1 }) else { return value }
    let wanted = described.map { Int(clamping: $0) }
    if let count = context.fact(value).type.staticShape?.checkedProduct, !wanted.isEmpty, wanted.checkedProduct == count
    {
      return try context.reshape(value, wanted.map { Dim($0) })
    }
    let inner = Array(shape.suffix(3))
    if described.count == 4 { return try context.reshape(value, [1] + inner) }
    return try context.reshape(value, inner[1] == 1 && inner[2] == 1 ? [inner[0]] : inner)
  }
}
