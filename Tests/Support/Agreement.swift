import MLCCore
import MLCGraph

/// Why `actual` is not `expected`, `nil` when it is: types and shapes equal, integers equal, floats within
/// `atol + rtol·|expected|`, NaN where NaN is, infinities equal.
package func disagreement(_ actual: Tensor, _ expected: Tensor, rtol: Double, atol: Double) -> String? {
  guard actual.type == expected.type else { return "is \(actual.type), expected \(expected.type)" }
  if actual.dtype == .string { return actual.strings.utf8Texts == expected.strings.utf8Texts ? nil : "strings differ" }
  guard actual.dtype.isFloat else {
    let (a, b) = (actual.integers, expected.integers)
    guard let index = a.indices.first(where: { a[$0] != b[$0] }) else { return nil }
    return "[\(index)] is \(a[index]), expected \(b[index])"
  }
  for (index, pair) in zip(actual.doubles, expected.doubles).enumerated() {
    let (a, b) = pair
    let close = a == b || (a.isNaN && b.isNaN) || abs(a - b) <= atol + rtol * abs(b)
    if !close || (b.isInfinite && a != b) { return "[\(index)] is \(a), expected \(b)" }
  }
  return nil
}

extension Function {
  /// Signal to noise in dB that code in fp32 must reach: 90 by convolutional nets, 80 by those with matrix products and
  /// recurrences.
  package var leastSignalToNoise: Double {
    body.operations.contains { ["matmul", "linear", "lstm", "gru"].contains($0.name) } ? 80 : 90
  }
}

/// Why `result` is not what inference promised, `nil` when it is. `sizes` binds symbols; extents in others are not
/// held.
package func brokenPromise(_ fact: Fact, _ result: Tensor, _ sizes: [String: Int]) -> String? {
  guard fact.dtype == result.dtype, fact.rank == result.rank else { return "inferred \(fact.type), is \(result.type)" }
  for (extent, size) in zip(fact.shape, result.shape) {
    if let promised = extent.evaluate(sizes), promised != size { return "inferred \(fact.type), is \(result.type)" }
  }
  if let value = fact.value, value != result, disagreement(result, value, rtol: 0, atol: 0) != nil {
    return "inferred another value than evaluated"
  }
  if let elements = fact.elements {
    for (dim, number) in zip(elements, result.integers) {
      if !dim.isSaturated, let promised = dim.evaluate(sizes), promised != number {
        return "element \(dim) is \(number)"
      }
    }
  }
  return nil
}
