import MLCCore

/// Why `actual` is not `expected`, `nil` when it is: types and shapes equal, integers equal, floats within
/// `atol + rtol·|expected|`, NaN where NaN is, infinities equal.
func disagreement(_ actual: Tensor, _ expected: Tensor, rtol: Double, atol: Double) -> String? {
  guard actual.type == expected.type else { return "is \(actual.type), expected \(expected.type)" }
  if actual.dtype == .string { return actual.strings == expected.strings ? nil : "strings differ" }
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
