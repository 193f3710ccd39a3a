/// The class that holds a model's inputs.
struct InputClass {
  let name: String, access: AccessLevel, features: [Feature]

  func write(_ code: inout SwiftCode) {
    let prefix = access.prefix
    code.document("What ``\(name)`` takes.")
    code.block("\(prefix)final class \(name)Input: MLFeatureProvider") { code in
      for feature in features {
        code.documentation(feature.documentation)
        code.line("\(prefix)var \(feature.quoted): \(feature.holder)")
      }
      code.line()
      code.providerMembers(features, access)
      writeArrayInitialiser(&code)
    }
  }

  private func writeArrayInitialiser(_ code: inout SwiftCode) {
    if !features.contains(where: \.isArray) { return }
    code.line()
    code.block("\(access.prefix)convenience init(\(features.parameters { $0.value }))") { code in
      let arguments = features.arguments { $0.isArray ? "MLMultiArray(\($0.quoted))" : $0.quoted }
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
