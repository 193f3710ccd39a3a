import MLCCore

extension SwiftCode {
  /// What every class of features has as an `MLFeatureProvider`: names, look-up, and an initialiser from arrays.
  mutating func providerMembers(_ features: [Feature], _ access: AccessLevel) {
    let names = features.map { SwiftText.literal($0.name) }.joined(separator: ", ")
    line("\(access.prefix)var featureNames: Set<String> { [\(names)] }")
    line()
    block("\(access.prefix)func featureValue(for featureName: String) -> MLFeatureValue?") { code in
      code.line("switch featureName {")
      for feature in features {
        code.line("case \(SwiftText.literal(feature.name)): \(feature.featureValue)")
      }
      code.line("default: nil")
      code.line("}")
    }
    line()
    block("\(access.prefix)init(\(features.parameters))") { code in
      for feature in features { code.line("self.\(feature.quoted) = \(feature.quoted)") }
    }
  }
}

extension Feature {
  /// Its value in Core ML's API.
  fileprivate var featureValue: String {
    if !isOptional { return featureValue(of: "self.\(quoted)") }
    return "self.\(quoted).\(isDictionary ? "flatMap" : "map") { given in \(featureValue(of: "given")) }"
  }

  private func featureValue(of given: String) -> String {
    switch kind {
    case .array: "MLFeatureValue(multiArray: \(given))"
    case .image: "MLFeatureValue(pixelBuffer: \(given))"
    case .text: "MLFeatureValue(string: \(given))"
    case .texts: "MLFeatureValue(sequence: MLSequence(strings: \(given)))"
    case .integers: "MLFeatureValue(sequence: MLSequence(int64s: \(given).map { NSNumber(value: $0) }))"
    case .number("Double"): "MLFeatureValue(double: \(given))"
    case .number: "MLFeatureValue(int64: \(given))"
    case .dictionary:
      "try? MLFeatureValue(dictionary: Dictionary(uniqueKeysWithValues: \(given).map "
        + "{ (AnyHashable($0.key), NSNumber(value: $0.value)) }))"
    }
  }
}
