import MLCCore
import MLCPackage

/// The class that holds what a stateful model keeps between predictions.
struct StateClass {
  let name: String, access: AccessLevel, states: [FunctionInterface.State]

  /// A case for each state, quoted where it has to be.
  private var cases: [(name: String, state: FunctionInterface.State)] {
    zip(SwiftIdentifier.distinct(states.map { $0.name }, taken: ["allCases", "rawValue", "hash"]), states)
      .map { (SwiftIdentifier.quoted($0), $1) }
  }

  func write(_ code: inout SwiftCode) {
    let prefix = access.prefix
    code.document("What ``\(name)`` keeps between predictions.")
    let head = "\(prefix)final class \(name)State: @unchecked Sendable"  // said in the class
    code.block(head, note: "a constant; the state guards itself") { code in
      code.documentation("The states by their names in the model.")
      code.block("\(prefix)enum Name: String, CaseIterable, Sendable") { code in
        for (name, state) in cases { code.line("case \(name) = \(SwiftText.literal(state.name))") }
      }
      code.document("The state as the model knows it.")
      code.line("\(prefix)let handle: MLState")
      code.document("A state of this model's, as ``\(name)/makeState()`` makes them.")
      code.line("\(prefix)init(handle: MLState) { self.handle = handle }")
      code.document(
        "Gives `body` what a state holds, to read and to write. The array is valid during the closure only."
      )
      let parameters = "for stateName: Name, _ body: (MLMultiArray) throws -> R"
      code.block("\(prefix)func withMultiArray<R>(\(parameters)) rethrows -> R") { code in
        code.line("try handle.withMultiArray(for: stateName.rawValue, body)")
      }
    }
  }
}
