/// The class that holds a model's inputs, or an example to train it with.
struct InputClass {
  let name: String, access: AccessLevel, features: [Feature]
  var isForTraining = false

  func write(_ code: inout SwiftCode) {
    let prefix = access.prefix
    code.document(isForTraining ? "An example to update ``\(name)`` with." : "What ``\(name)`` takes.")
    code.block("\(prefix)final class \(name)\(isForTraining ? "Training" : "")Input: MLFeatureProvider") { code in
      for feature in features {
        code.documentation(feature.documentation)
        code.line("\(prefix)var \(feature.quoted): \(feature.holder)")
      }
      code.line()
      code.providerMembers(features, access)
      writeArrayInitialiser(&code)
      writeImages(&code)
    }
  }

  private func writeArrayInitialiser(_ code: inout SwiftCode) {
    if !features.contains(where: \.isArray) { return }
    code.line()
    code.block("\(access.prefix)convenience init(\(features.shapedParameters))") { code in
      let arguments = features.arguments { feature in
        guard feature.isArray else { return feature.quoted }
        return feature.isOptional ? "\(feature.quoted).map { MLMultiArray($0) }" : "MLMultiArray(\(feature.quoted))"
      }
      code.line("self.init(\(arguments))")
    }
  }
}

extension [Feature] {
  /// `x: MLMultiArray, y: MLMultiArray? = nil`.
  var parameters: String { map { "\($0.label): \($0.holder)\($0.isOptional ? " = nil" : "")" }.joined(separator: ", ") }

  /// `x: MLShapedArray<Float>, y: MLShapedArray<Float>? = nil`. An array that is given tells a call from one of
  /// `parameters`; where none has to be, none may be left out.
  var shapedParameters: String {
    let isDistinct = contains { $0.isArray && !$0.isOptional }
    return map { feature in
      let hasDefault = feature.isOptional && (isDistinct || !feature.isArray)
      return "\(feature.label): \(feature.value)\(hasDefault ? " = nil" : "")"
    }.joined(separator: ", ")
  }

  /// `x: x, y: y`.
  func arguments(_ value: (Feature) -> String = { $0.quoted }) -> String {
    map { "\($0.label): \(value($0))" }.joined(separator: ", ")
  }
}
