import MLCCore

/// The class that holds a model's outputs.
struct OutputClass {
  let name: String, access: AccessLevel, features: [Feature]

  func write(_ code: inout SwiftCode) {
    let prefix = access.prefix
    code.document(
      "What ``\(name)`` answers.",
      "",
      "The arrays are the output's own: tasks that share an output read them, and write to none."
    )
    let head = "\(prefix)final class \(name)Output: MLFeatureProvider, @unchecked Sendable"  // it holds constants only
    code.block(head, note: "constants; who shares the arrays writes to none") { code in
      for feature in features {
        code.documentation(feature.documentation)
        code.line("\(prefix)let \(feature.quoted): MLMultiArray")
        code.documentation("``\(feature.property)`` as a value, copied.")
        let type = "MLShapedArray<\(feature.scalar)>"
        code.line("\(prefix)var \(feature.property)ShapedArray: \(type) { \(type)(\(feature.quoted)) }")
      }
      code.line()
      code.providerMembers(features, access)
      writeProviderInitialiser(&code)
    }
  }

  private func writeProviderInitialiser(_ code: inout SwiftCode) {
    code.document("The output among `features`. Throws `MLModelError.featureType` when one is not there, or no array.")
    code.block("\(access.prefix)init(features: any MLFeatureProvider) throws") { code in
      if features.isEmpty { return }
      code.block("func array(_ name: String) throws -> MLMultiArray") { code in
        code.line("if let array = features.featureValue(for: name)?.multiArrayValue { return array }")
        code.line("let problem = \"the model gives no array '\\(name)'\"")
        code.line("throw MLModelError(.featureType, userInfo: [NSLocalizedDescriptionKey: problem])")
      }
      for feature in features { code.line("self.\(feature.quoted) = try array(\(SwiftText.literal(feature.name)))") }
    }
  }
}
