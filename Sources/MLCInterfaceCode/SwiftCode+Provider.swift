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
        code.line("case \(SwiftText.literal(feature.name)): MLFeatureValue(multiArray: self.\(feature.quoted))")
      }
      code.line("default: nil")
      code.line("}")
    }
    line()
    block("\(access.prefix)init(\(features.parameters { _ in "MLMultiArray" }))") { code in
      for feature in features { code.line("self.\(feature.quoted) = \(feature.quoted)") }
    }
  }
}
