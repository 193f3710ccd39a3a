import CoreMLProto
import MLCCore
import MLCGraph
import MLCOps

extension NNImporter {
  /// The output as the caller sees it. `nil` for a classifier's label, which is the greatest of its probabilities;
  /// these are a tensor here, not a dictionary. Throws `coreml.undefined-value`, `coreml.type`.
  func output(_ feature: MLFeature, in context: inout NNContext) throws(Diagnostic) -> ValueID? {
    switch feature.type.type {
    case .multiArrayType(let array)?:
      let value = try outward(try value(feature.name, in: context), array.shape, in: &context)
      return array.dataType == .int32 ? try context.integers(value) : value
    case .imageType?:
      let value = try value(feature.name, in: context)
      guard context.rank(value) == 5, context.shape(value)[0] == 1 else { return value }
      return try context.reshape(value, Array(context.shape(value).dropFirst()))
    case .dictionaryType? where network.probabilities != nil:
      return try outward(try value(probabilities, in: context), [], in: &context)
    case .stringType?, .int64Type?:
      guard network.probabilities == nil else { return nil }
      throw wrongType(feature)
    case .doubleType?: return try outward(try value(feature.name, in: context), [], in: &context)
    default: throw wrongType(feature)
    }
  }

  private func wrongType(_ feature: MLFeature) -> Diagnostic {
    Diagnostic("coreml.type", "output '\(feature.name)' is neither an array nor an image", kind: .unsupported)
  }

  private var probabilities: String {
    if let name = network.probabilities, !name.isEmpty { return name }
    return network.layers.last?.output.first ?? ""
  }

  private func value(_ name: String, in context: NNContext) throws(Diagnostic) -> ValueID {
    guard let value = context.values[name] else {
      throw Diagnostic("coreml.undefined-value", "output '\(name)' is not computed by any layer")
    }
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
    return try context.reshape(value, inner[1] == 1 && inner[2] == 1 ? [inner[0]] : inner)
  }
}
