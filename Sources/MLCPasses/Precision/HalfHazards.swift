import MLCCore
import MLCGraph

/// An operation that must stay in float32 when the rest goes to float16, and why.
package struct HalfHazard: Sendable, Equatable, CustomStringConvertible {
  /// The name of the operation's first result.
  package var value: String
  /// The user's node, when it is known.
  package var node: String?
  package var reason: String

  package var description: String { "\(node ?? value): \(reason)" }

  static let largest = 65504.0
  static let smallestNormal = 6.103515625e-05
}

extension Function {
  /// The operations that read or make a float32 tensor beyond the range of float16 when the function runs on `samples`: with a
  /// finite element above 65504, or with no element as large as the smallest normal number, 6.1e-5, except zeros.
  ///
  /// Each sample holds the function's inputs in order. Throws what the interpreter throws.
  package func halfHazards(samples: [[Tensor]]) throws(Diagnostic) -> [HalfHazard] {
    let interpreter = Interpreter(self)
    let ranges = ObservedRanges()
    for sample in samples {
      for (id, tensor) in zip(inputs, sample) { ranges.note(id, tensor) }
      _ = try interpreter.run(sample) { operation, results in
        for (id, tensor) in zip(operation.outputs, results) { ranges.note(id, tensor) }
      }
    }
    return body.operations.compactMap { operation in
      guard !operation.inputs.joined().isEmpty, let first = operation.outputs.first else { return nil }
      for id in operation.outputs + Array(operation.inputs.joined()) {
        guard let largest = ranges.largest[id], let why = ObservedRanges.reason(largest) else { continue }
        return HalfHazard(value: self[first].name, node: operation.origin.node, reason: why)
      }
      return nil
    }
  }
}

/// The largest finite magnitude of each float32 value over all samples.
private final class ObservedRanges {
  var largest: [ValueID: Double] = [:]

  func note(_ id: ValueID, _ tensor: Tensor) {
    guard tensor.dtype == .float32 else { return }
    var top: Float = 0
    tensor.withElements(of: Float.self) { elements in
      for element in elements where element.isFinite && abs(element) > top { top = abs(element) }
    }
    largest[id] = max(largest[id] ?? 0, Double(top))
  }

  static func reason(_ largest: Double) -> String? {
    if largest > HalfHazard.largest { return "max \(Float(largest)) > 65504" }
    if largest > 0, largest < HalfHazard.smallestNormal { return "max \(Float(largest)) < 6.1e-05" }
    return nil
  }
}
