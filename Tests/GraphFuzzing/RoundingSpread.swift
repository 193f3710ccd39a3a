import MLCCore
import MLCGraph

/// How far the elements of each output move when roundings go another way: what right code may differ by where terms
/// cancel.
///
/// The function runs several times with every number that it is given or computes changed by up to one unit in its last
/// place by chance, and the largest difference counts: right code computes what the reference makes of operands so
/// near. Integers, truth values and what is rounded to whole numbers stay as they are. Sources: Vignes, "A stochastic
/// arithmetic for reliable scientific computation", 1993; Higham, "Accuracy and stability of numerical algorithms",
/// section 1.5, on backward errors.
package struct RoundingSpread {
  /// By output, then by element.
  package private(set) var outputs: [[Double]]
  /// Whether a number of 16 bits that the reference computed is too large for them. Code, which rounds less often, may
  /// have it all the same.
  package private(set) var overflows = false

  private static let runs: UInt64 = 6

  /// `expected` is what the reference makes of `inputs`.
  package init(_ function: Function, _ inputs: [Tensor], around expected: [Tensor]) {
    outputs = expected.map { [Double](repeating: 0, count: $0.dtype.isFloat ? $0.count : 0) }
    var kept: [Tensor] = []
    var overflows = false
    let reference = try? Interpreter(function).run(inputs) { operation, results in
      for result in results where RoundingSpread.keeps(operation, result) { kept.append(result) }
      overflows = overflows || results.contains { RoundingSpread.isTooLarge($0, of: operation) }
    }
    self.overflows = overflows
    guard reference != nil else { return }
    for seed in 1...RoundingSpread.runs {
      var random = RoundingChanges(seed: seed)
      var rest = kept[...]
      let given = inputs.map { random.changed($0) }
      let run = try? Interpreter(function).run(given) { operation, results in
        for index in results.indices {
          if RoundingSpread.keeps(operation, results[index]) {
            results[index] = rest.popFirst() ?? results[index]
          } else {
            results[index] = random.changed(results[index])
          }
        }
      }
      for (index, (moved, reference)) in zip(run ?? [], expected).enumerated() {
        guard reference.dtype.isFloat, moved.shape == reference.shape else { continue }
        outputs[index] = zip(outputs[index], zip(moved.doubles, reference.doubles)).map { most, pair in
          pair.0 == pair.1 || pair.0.isNaN && pair.1.isNaN ? most : max(most, abs(pair.0 - pair.1))
        }
      }
    }
  }

  private static func isTooLarge(_ result: Tensor, of operation: Operation) -> Bool {
    guard result.dtype.isFloat, result.dtype.bitWidth == 16, NumericGrade.computes(operation) else { return false }
    return result.doubles.contains { $0.isInfinite }
  }

  /// Whether a result is the same in each run.
  private static func keeps(_ operation: Operation, _ result: Tensor) -> Bool {
    !result.dtype.isFloat || NumericGrade.jumps(operation)
  }
}

private struct RoundingChanges {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9e37_79b9_7f4a_7c15 }

  mutating func changed(_ tensor: Tensor) -> Tensor {
    guard let unit = RoundingChanges.units[tensor.dtype] else { return tensor }
    return Tensor(tensor.dtype, tensor.shape, tensor.doubles.map { $0 * (1 + unit * next()) })
  }

  /// The distance of the number next to 1.
  private static let units: [DType: Double] = [
    .float16: 0x1p-10, .bfloat16: 0x1p-7, .float32: 0x1p-23, .float64: 0x1p-52,
  ]

  /// From −1 to 1.
  private mutating func next() -> Double {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return Double(Int64(bitPattern: state)) / 0x1p63
  }
}
