import MLCCore
import MLCGraph

/// A function and the inputs of each run.
package struct GraphCase: Sendable {
  package var label: String
  package var function: Function
  package var runs: [[Tensor]]

  package init(_ label: String, _ function: Function, _ runs: [[Tensor]]) {
    (self.label, self.function, self.runs) = (label, function, runs)
  }

  /// The program's text, for reports.
  package var text: String { ProgramText(Program([function])).text }

  /// What the inputs of a run say of the sizes left open: an extent that is a symbol binds it.
  func sizes(_ inputs: [Tensor]) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for (id, tensor) in zip(function.inputs, inputs) {
      for (extent, size) in zip(function.type(id).shape, tensor.shape) {
        if let symbol = extent.symbol { sizes[symbol] = size }
      }
    }
    return sizes
  }
}

/// What became of a case on one device.
package enum Verdict: Sendable {
  case agrees
  /// The compiler says that it does not take the graph.
  case refused(Diagnostic)
  /// The graph has no meaning: the reference refuses every run, or a type does not follow from the inputs.
  case meaningless(String)
  case wrong(Finding)
}

/// A fault of ours.
package struct Finding: Sendable {
  package enum Kind: String, Sendable, Codable {
    /// A sanitizer's report, a store outside of a buffer, a signal.
    case memory
    /// Numbers differ from the reference.
    case numbers
    /// Cutting a kernel into tasks changes its results.
    case tasks
    /// The passes change the function's meaning.
    case passes
    /// A result is not what inference promised.
    case inference
    /// The compiler fails, by a diagnostic of another kind than `unsupported`.
    case compiler
    /// The C compiler fails.
    case clang
    /// The C compiler or the program does not end in time.
    case time
    /// A fault is reported where the reference has none.
    case fault
    /// mlc itself ends by a signal.
    case trap
  }
  package var kind: Kind
  package var detail: String

  package init(_ kind: Kind, _ detail: String) { (self.kind, self.detail) = (kind, detail) }
}
