import MLCCore
import MLCGraph

/// Outputs of a function on the interpreter, and every operation whose result is not what inference promised.
package struct AuditedRun: Sendable {
  package private(set) var outputs: [Tensor] = []
  package private(set) var broken: [String] = []

  /// Throws what the interpreter throws.
  package init(_ function: Function, _ inputs: [Tensor]) throws(Diagnostic) {
    var sizes: [String: Int] = [:]
    for (id, tensor) in zip(function.inputs, inputs) {
      for (extent, size) in zip(function.type(id).shape, tensor.shape) {
        if let symbol = extent.symbol { sizes[symbol] = size }
      }
    }
    let audit = Audit()
    outputs = try Interpreter(function).run(inputs) { operation, results in
      for (id, result) in zip(operation.outputs, results) {
        guard let problem = brokenPromise(function.fact(id), result, sizes) else { continue }
        audit.broken.append("\(operation.origin.node ?? operation.name) (\(operation.name)): \(problem)")
      }
    }
    broken = audit.broken
  }

  private final class Audit {
    var broken: [String] = []
  }
}
