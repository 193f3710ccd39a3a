/// The class that holds a model's inputs.
struct InputClass {
  let name: String, access: AccessLevel, features: [Feature]

  func write(_ code: inout SwiftCode) {
    let prefix = access.prefix
    code.document("What ``\(name)`` takes.")
    code.block("\(prefix)final class \(name)Input: MLFeatureProvider") { code in
      for feature in features {
        code.documentation(feature.documentation)
        code.line("\(prefix)var \(feature.quoted): MLMultiArray")
      }
      code.line()
      code.providerMembers(features, access)
      writeArrayInitialiser(&code)
    }
  }

  private func writeArrayInitialiser(_ code: inout SwiftCode) {
    if features.isEmpty { return }
    code.line()
    code.block("\(access.prefix)convenience init(\(features.parameters { "MLShapedArray<\($0.scalar)>" }))") { code in
      let arguments = features.arguments { "MLMultiArray(\($0.quoted))" }
      code.line("self.init(\(arguments))")
    }
  }
}

extension [Feature] {
  /// `x: MLMultiArray, y: MLMultiArray`.
  func parameters(_ type: (Feature) -> String) -> String {
    map { "\($0.label): \(type($0))" }.joined(separator: ", ")
  }

  /// `x: x, y: y`.
  func arguments(_ value: (Feature) -> String = { $0.quoted }) -> String {
    map { "\($0.label): \(value($0))" }.joined(separator: ", ")
  }
}
