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
        code.line("/// \(feature.documentation)")
        code.line("\(prefix)let \(feature.quoted): MLMultiArray")
        code.line("/// ``\(feature.property)`` as a value, copied.")
        let type = "MLShapedArray<\(feature.scalar)>"
        code.line("\(prefix)var \(feature.property)ShapedArray: \(type) { \(type)(\(feature.quoted)) }")
      }
      code.line()
      let names = features.map { SwiftCode.literal($0.name) }.joined(separator: ", ")
      code.line("\(prefix)var featureNames: Set<String> { [\(names)] }")
      code.line()
      writeLookup(&code)
      code.line()
      writeInitialisers(&code)
    }
  }

  private func writeLookup(_ code: inout SwiftCode) {
    code.block("\(access.prefix)func featureValue(for featureName: String) -> MLFeatureValue?") { code in
      code.line("switch featureName {")
      for feature in features {
        code.line("case \(SwiftCode.literal(feature.name)): MLFeatureValue(multiArray: self.\(feature.quoted))")
      }
      code.line("default: nil")
      code.line("}")
    }
  }

  private func writeInitialisers(_ code: inout SwiftCode) {
    code.block("\(access.prefix)init(\(features.parameters { _ in "MLMultiArray" }))") { code in
      for feature in features { code.line("self.\(feature.quoted) = \(feature.quoted)") }
    }
    code.document("The output among `features`. Throws `MLModelError.featureType` when one is not there, or no array.")
    code.block("\(access.prefix)init(features: any MLFeatureProvider) throws") { code in
      if features.isEmpty { return }
      code.block("func array(_ name: String) throws -> MLMultiArray") { code in
        code.line("if let array = features.featureValue(for: name)?.multiArrayValue { return array }")
        code.line("let problem = \"the model gives no array '\\(name)'\"")
        code.line("throw MLModelError(.featureType, userInfo: [NSLocalizedDescriptionKey: problem])")
      }
      for feature in features { code.line("self.\(feature.quoted) = try array(\(SwiftCode.literal(feature.name)))") }
    }
  }
}
