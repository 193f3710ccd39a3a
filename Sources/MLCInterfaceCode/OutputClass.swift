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
        code.line("\(prefix)let \(feature.quoted): \(feature.holder)")
        if !feature.isArray { continue }
        code.documentation("``\(feature.property)`` as a value, copied.")
        let type = feature.value
        code.line("\(prefix)var \(feature.property)ShapedArray: \(type) { \(type)(\(feature.quoted)) }")
      }
      code.line()
      code.providerMembers(features, access)
      writeProviderInitialiser(&code)
    }
  }

  private func writeProviderInitialiser(_ code: inout SwiftCode) {
    code.document("The output among `features`, which must hold all of it: one that is not there ends the program.")
    code.block("\(access.prefix)convenience init(features: any MLFeatureProvider)") { code in
      if features.isEmpty { return code.line("self.init()") }
      let failure = "preconditionFailure(error.localizedDescription)"
      code.line("do { try self.init(checking: features) } catch { \(failure) }")
    }
    code.document(
      "The output among `features`. Throws `MLModelError.featureType` when one is not there, or is another."
    )
    code.block("\(access.prefix)init(checking features: any MLFeatureProvider) throws") { code in
      if features.isEmpty { return }
      code.block("func value<T>(_ name: String, _ content: (MLFeatureValue) -> T?) throws -> T") { code in
        code.line("if let value = features.featureValue(for: name).flatMap(content) { return value }")
        code.line("let problem = \"the model gives no such value '\\(name)'\"")
        code.line("throw MLModelError(.featureType, userInfo: [NSLocalizedDescriptionKey: problem])")
      }
      if features.contains(where: \.isDictionary) {
        let head = "func entries<Key>(_ value: MLFeatureValue, _ key: (AnyHashable) -> Key?) -> [Key: Double]?"
        code.block(head) { code in
          code.line("guard value.type == .dictionary else { return nil }")
          let pairs = "value.dictionaryValue.compactMap { pair in key(pair.key).map { ($0, pair.value.doubleValue) } }"
          code.line("let pairs = \(pairs)")
          code.line("return Dictionary(pairs) { first, _ in first }")
        }
      }
      for feature in features {
        let name = SwiftText.literal(feature.name)
        code.line("self.\(feature.quoted) = try value(\(name)) { \(content(of: feature)) }")
      }
    }
  }

  private func content(of feature: Feature) -> String {
    switch feature.kind {
    case .array: "$0.multiArrayValue"
    case .image: "$0.imageBufferValue"
    case .text: "$0.type == .string ? $0.stringValue : nil"
    case .texts: "$0.sequenceValue?.stringValues"
    case .integers: "$0.sequenceValue.map { $0.int64Values.map { $0.int64Value } }"
    case .number("Double"): "$0.type == .double ? $0.doubleValue : nil"
    case .number: "$0.type == .int64 ? $0.int64Value : nil"
    case .dictionary("String"): "entries($0) { $0.base as? String }"
    case .dictionary: "entries($0) { ($0.base as? NSNumber)?.int64Value }"
    }
  }
}
