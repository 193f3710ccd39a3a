import MLCCore
import MLCGraph

/// What a function computes in float32 on samples, and how large its tensors become.
package struct HalfSurvey: Sendable {
  /// The operations that read or make a float32 tensor beyond the range of float16, and those around constants that
  /// keep values from zero.
  package var hazards: [HalfHazard]
  /// The outputs of each sample.
  package var outputs: [[Tensor]]

  /// Runs `function` on `samples`, which hold its inputs in order.
  ///
  /// Beyond the range is a tensor with a finite element above 65504, or with no element as large as the smallest normal
  /// number, 6.1e-5, except zeros. Throws what the interpreter throws.
  package init(_ function: Function, samples: [[Tensor]], budget: Budget = Budget()) throws(Diagnostic) {
    let interpreter = Interpreter(function, budget: budget)
    let ranges = ObservedRanges()
    var outputs: [[Tensor]] = []
    for sample in samples {
      for (id, tensor) in zip(function.inputs, sample) { ranges.note(id, tensor) }
      outputs.append(
        try interpreter.run(sample) { operation, results in
          for (id, tensor) in zip(operation.outputs, results) { ranges.note(id, tensor) }
        }
      )
    }
    self.outputs = outputs
    let guards = Dictionary(function.halfGuards().map { ($0.value, $0) }) { first, _ in first }
    hazards = function.body.operations.compactMap { operation in
      if let first = operation.outputs.first, let found = guards[function[first].name] { return found }
      guard !operation.inputs.joined().isEmpty else { return nil }
      for id in operation.outputs + Array(operation.inputs.joined()) {
        if let largest = ranges.largest[id], ObservedRanges.isBeyond(largest) {
          return function.hazard(operation, .range(largest))
        }
      }
      return nil
    }
  }
}

extension Function {
  /// The operations that `HalfSurvey` finds on `samples`.
  package func halfHazards(samples: [[Tensor]]) throws(Diagnostic) -> [HalfHazard] {
    try HalfSurvey(self, samples: samples).hazards
  }

  /// `operation` as one that stays in float32; `nil` when it makes nothing.
  package func hazard(_ operation: Operation, _ reason: HalfHazard.Reason) -> HalfHazard? {
    guard let first = operation.outputs.first else { return nil }
    return HalfHazard(value: self[first].name, node: operation.origin.node, op: operation.name, reason: reason)
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

  static func isBeyond(_ largest: Double) -> Bool {
    largest > HalfHazard.largest || (largest > 0 && largest < HalfHazard.smallestNormal)
  }
}
